"""`gnosis generate MODEL.gguf` for every architecture, and numbers in place of text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tiny_models
import tiny_vocabularies
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.inference.deferred import open_pair
from gnosis.inference.deferred.run import greedy

pytest.importorskip("libgguf")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GNOSIS_CACHE", str(tmp_path / "cache"))


def run(*arguments, code=0):
    result = CliRunner().invoke(app, ["generate", *map(str, arguments)])
    assert result.exit_code == code and "Traceback" not in result.output, result.output
    return result


@pytest.mark.parametrize("name", ["llama", "llama-3", "mistral", "qwen2", "qwen3", "gemma3", "experts", "experts-in-groups", "qwen3moe"])
def test_every_architecture(tmp_path, name):
    path = tiny_models.write(tmp_path / "m.gguf", name)
    found = json.loads(run(path, "the", "--mode", "verify-all", "--most", 12, "--json").stdout)
    pair = open_pair(str(path))
    assert found["tokens"] == greedy(pair.fine, pair.fine.tokenizer.chat("the"), 12)[0]
    encodings = {w.encoding for tensor, w in pair.fine.weights.items() if tensor.startswith("blk.") and "gate_inp" not in tensor}
    assert encodings == {"Q8_0"}
    if pair.fine.config.experts:
        assert found["routing"]["finer"]["certified"] == found["routing"]["finer"]["decided"] > 0
    else:
        assert found["routing"] is None


def test_without_a_prompt_and_with_numbers(tmp_path):
    path = tiny_models.write(tmp_path / "m.gguf", "experts")
    assert json.loads(run(path, "--json").stdout)["tokens"]
    ids = [5, 6, 7, 200]
    found = [json.loads(run(path, "--tokens", text, "--most", 8, "--json").stdout)["tokens"] for text in ("5,6,7,200", " 5 6, 7 200 ")]
    by_option = json.loads(run("--model", path, "--tokens", "5,6,7,200", "--most", 8, "--json").stdout)["tokens"]
    pair = open_pair(str(path))
    assert found[0] == found[1] == by_option and len(found[0]) <= 8
    assert json.loads(run(path, "--tokens", "5,6,7,200", "--most", 8, "--mode", "verify-all", "--json").stdout)["tokens"] == greedy(pair.fine, ids, 8)[0]
    assert "experts of the finer model: chosen" in run(path, "--tokens", "5", "--most", 4).stderr


def test_a_tokenizer_that_is_not_supported_takes_numbers(tmp_path):
    tokenizer = tiny_models.byte_level() | {"tokenizer.ggml.pre": "unheard-of"}
    path = tiny_models.write(tmp_path / "m.gguf", "qwen3", tokenizer=tokenizer)
    result = run(path, "the", code=2)
    assert "'unheard-of' of tokenizer.ggml.model 'gpt2' is not supported" in result.stderr and "--tokens" in result.stderr
    found = json.loads(run(path, "--tokens", "5,6", "--most", 3, "--json").stdout)
    assert found["text"].split() == [str(t) for t in found["tokens"] if t != 259]


def test_pieces_are_written_with_their_spaces(tmp_path):
    vocabulary = tiny_vocabularies.VOCABULARIES["pieces"]
    weights = tiny_models.tensors("llama")
    rng, many = np.random.default_rng(0), len(vocabulary["tokenizer.ggml.tokens"])
    for name in ("token_embd.weight", "output.weight"):
        weights[name] = rng.standard_normal((many, tiny_models.WIDTH)).astype(np.float32)
    path = tiny_models.write(tmp_path / "m.gguf", "llama", {"vocab_size": many}, weights, vocabulary)
    found = json.loads(run(path, "the cat", "--raw", "--most", 8, "--mode", "verify-all", "--json").stdout)
    pair = open_pair(str(path))
    assert found["tokens"] == greedy(pair.fine, [1, *pair.fine.tokenizer.encode("the cat")], 8)[0]
    assert found["text"] == pair.fine.tokenizer.decode([t for t in found["tokens"] if t != 2], start=False)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (["--tokens", "5,x"], "tokens = 'x': must be whole numbers"),
        (["--tokens", ""], "must be whole numbers"),
        (["--tokens", "-1"], "must be whole numbers"),
        (["--tokens", "5.0"], "whole numbers"),
        (["--tokens", "260"], "the vocabulary has 260 tokens"),
        (["the", "--tokens", "5"], "instead of a prompt"),
        (["the", "--model", "other.gguf"], "stands first"),
        (["--tokens", "5", "--most", "64"], "too short"),
        (["--tokens", "5", "--compare"], "give a prompt"),
        (["--tokens", "9" * 400], "whole numbers"),
    ],
)
def test_what_cannot_be_used(tmp_path, wrong, message):
    path = tiny_models.write(tmp_path / "m.gguf", "llama")
    assert message in run(path, *wrong, code=2).stderr


def test_two_prompts():
    assert "one prompt is taken" in run("a", "b", code=2).stderr


def test_a_file_that_is_not_there():
    assert "none.gguf" in run("none.gguf", "the", code=2).stderr and not Path("none.gguf").exists()
