"""The comparisons of a model's passes: which there are, that disagreement is no result, and that a peer that is not there is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_llama

from gnosis.bench import harness, passes, peers
from gnosis.errors import RangeError


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setattr(passes, "PROMPT", 24)
    monkeypatch.setattr(passes, "PAST", 8)
    monkeypatch.setattr(passes, "WRITTEN", 4)
    monkeypatch.setattr(passes, "threads", lambda: 1)

    def file(code: str) -> Path:
        return tiny_llama.write(tmp_path / f"{code}.gguf", tiny_llama.tensors(kind=code))

    return file


def test_without_the_peer_its_rows_are_counted(made, monkeypatch):
    monkeypatch.setattr(peers, "LLAMA", peers.Library("llama.cpp", "gnosis_has_no_such_peer", "none"))
    cases = list(passes.pass_cases(made))
    timed, skipped = [c for c in cases if isinstance(c, harness.Case)], [c for c in cases if isinstance(c, harness.Skipped)]
    works = [f"{what}{code}" for code in ("q8_0", "q4_0") for what in ("decode ", "prompt 24 ")] + ["decode f16"]
    assert sorted((c.work, c.peer) for c in skipped) == sorted((work, "llama.cpp") for work in works) and all("not installed" in c.reason for c in skipped)
    assert sorted(c.work for c in timed) == sorted([*works, *(f"a pass of 8 {code}" for code in ("q8_0", "q4_0", "f16"))])


def test_a_row_is_measured(made):
    cases = passes.pass_cases(made)  # kept: it closes the engine when it goes
    case = next(c for c in cases if isinstance(c, harness.Case))
    row = harness.measure(case, harness.Effort(2, 0.0))
    assert row.work == "decode q8_0" and row.peer == passes.TODAY and row.ratio > 0 and row.cpu_s > 0


def test_no_file_is_a_reason():
    cases = list(passes.pass_cases(lambda code: "no model"))
    assert len(cases) == 10 and all(isinstance(c, harness.Skipped) and c.reason == "no model" for c in cases)


def test_sides_that_disagree_are_not_timed(made, monkeypatch):
    class Other(passes.Engine):
        def _run(self, ids, cache, out):
            hidden = super()._run(ids, cache, out)
            out[:] = out[:, ::-1].copy()
            return hidden

    monkeypatch.setattr(passes, "Engine", Other)
    with pytest.raises(harness.BenchError, match="likeliest"):
        list(passes.pass_cases(made))
    with pytest.raises(RangeError):
        passes.Engine.load("smollm2", 12)
