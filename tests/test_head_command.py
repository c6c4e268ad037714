"""The command `gnosis head`: what it prints, keeps and refuses."""

from __future__ import annotations

import json

import pytest
import tiny_llama
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.studies import head as study
from gnosis.studies import head_page as page

# ---- the command -------------------------------------------------------------------------------------------------------------


def test_the_command_prints_one_object(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "TIMED", study.Effort(3, 0.0))
    monkeypatch.setattr(study, "GENERATED", 2)
    kept, text, written = tmp_path / "r.jsonl", tmp_path / "t.txt", tmp_path / "page.md"
    text.write_text("The library opens at nine and closes at six, except on Sundays.")
    written.write_text(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n")
    run = CliRunner().invoke(app, ["head", "--positions", "6", "--text", str(text), "--json", "--record", str(kept), "--write", str(written)])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert {"positions", "equal", "ratio_vs_blas", "candidate_share", "tightness", "bytes_vs_q8"} <= set(found)
    assert found["equal"] == found["positions"] == 6 and found["ratio_vs_blas"] > 0
    assert written.read_text().startswith("before\n") and "| 6 of 6 | **no** |" in written.read_text() and "old" not in written.read_text()
    again = CliRunner().invoke(app, ["verify", str(kept), "--json"])
    assert json.loads(again.stdout) == {"v": 1, "kind": "head", "positions": 6, "refused": None, "code": 0} and again.exit_code == 0
    kept.write_text(kept.read_text().replace('"candidates":', '"candidates":1', 1))
    again = CliRunner().invoke(app, ["verify", str(kept)])
    assert again.exit_code == 1 and "is not the one that was written" in again.stdout
    assert CliRunner().invoke(app, ["verify", str(kept), "--model", "none.gguf"]).exit_code == 2


def test_numbers_instead_of_text(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "TIMED", study.Effort(3, 0.0))
    monkeypatch.setattr(study, "GENERATED", 2)
    model, given = tiny_llama.write(tmp_path / "model.gguf", tiny_llama.tensors(kind="Q8_0")), tmp_path / "tokens.txt"
    given.write_text("1, 2, 3\n\n4 5 6 7 8\n")
    run = CliRunner().invoke(app, ["head", "--model", str(model), "--positions", "8", "--tokens", str(given), "--json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert found["equal"] == found["positions"] == 8 and found["text"]["documents"] == 2
    for content, positions, message in (
        ("1 2 x", 1, "line 1: 'x'"),
        ("1 2\n260 1", 1, "line 2: 260 is no token"),
        ("1 2 3", 4, "only 3 tokens"),
        ("7", 1, "two tokens"),
    ):
        given.write_text(content)
        run = CliRunner().invoke(app, ["head", "--model", str(model), "--positions", str(positions), "--tokens", str(given)])
        assert run.exit_code == 2 and message in run.output.replace("\n", " ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--model", "minilm"], "read from a .gguf file"),
        (["--model", "none.gguf"], "No such file"),
        (["--split", "9999", "--positions", "1"], "split = 9999"),
        (["--record", "/no/such/place/r.jsonl"], "does not exist"),
        (["--write", "{page}"], "needs the marks"),
        (["--text", "{short}", "--positions", "500"], "only 3 tokens"),
        (["--text", "{short}", "--tokens", "{short}"], "instead of --text"),
    ],
)
def test_requests_that_cannot_be_used(tmp_path, arguments, message):
    (tmp_path / "page.md").write_text("no marks")
    (tmp_path / "short.txt").write_text("just three words")
    run = CliRunner().invoke(app, ["head", *(word.format(page=tmp_path / "page.md", short=tmp_path / "short.txt") for word in arguments)])
    assert run.exit_code == 2 and message in run.output.replace("\n", " ") and run.stdout == ""
