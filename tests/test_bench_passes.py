"""The comparisons of a model's passes: which there are, that disagreement is no result, and that a peer that is not there is counted."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_llama
from rich.console import Console

from gnosis.bench import harness, memory, page, passes, peers
from gnosis.cli import bench as cli
from gnosis.errors import RangeError
from gnosis.models.files import open_model


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


def test_weights_stand_in_memory_once():
    """The peak of a fresh process that opens the model and reads a token, and that of one which keeps a second copy."""
    path = open_model("smollm2").path
    found = memory.measure("Q4_1", path)
    assert isinstance(found, memory.Memory)
    assert found.file_bytes == path.stat().st_size and 0 < found.before_bytes < found.peak_bytes and found.weights_bytes < found.file_bytes
    assert 1 < found.copies <= page.COPIES and 0 < found.ready_cpu_s < found.ready_s + 1 and found.first_s > 0
    hoarding = (
        "import json, sys\nfrom pathlib import Path\nfrom gnosis.bench import memory\n"
        "class Hoarder(memory.Engine):\n    def __init__(self, model, *rest):\n"
        "        self.more = [w.raw.copy() for w in model.weights.values()]\n        super().__init__(model, *rest)\n"
        "memory.Engine = Hoarder\nprint(memory.once('Q4_1', Path(sys.argv[1])).copies)"
    )
    copies = float(subprocess.run([sys.executable, "-c", hoarding, str(path)], capture_output=True, text=True, check=True).stdout)
    assert copies > page.COPIES


def test_memory_in_the_report():
    one = memory.Memory(memory.WORK, "Q8_0", 10**8, 10**8, 10**7, 13 * 10**7, 0.5, 0.25, 0.01)
    document = harness.report([], [], {}, [one])
    assert document["memory"][0]["copies"] == 1.2 and page.verdict([], document["memory"]) == 0
    for change in ({"peak_bytes": 18 * 10**7}, {"ready_cpu_s": 1.5}):
        assert page.verdict([], harness.report([], [], {}, [replace(one, **change)])["memory"]) == 1
    console = Console(file=io.StringIO(), width=200)
    cli.render([], [], {"cpu": "c", "threads": 1, "isa": "plain", "q8_0_data_bytes": 1}, console, [one])
    assert "120 MB at most, 1.20× its weights; ready after 500 ms, 250 ms of processor time" in console.file.getvalue()


def test_a_model_that_cannot_be_opened(tmp_path):
    skipped = memory.measure("Q8_0", "no model")
    assert isinstance(skipped, harness.Skipped) and skipped.reason == "no model"
    with pytest.raises(harness.BenchError, match="none.gguf"):
        memory.measure("Q8_0", tmp_path / "none.gguf")


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
