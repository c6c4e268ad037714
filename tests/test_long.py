"""The long lanes: a failed command is recorded as failed and makes the run fail; the record is strict; the page shows day and counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gnosis.conformance import long, trust

OK = {"ok": True, "modules": 2, "same": 2}


def results_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: dict, code: int) -> long.LongRun:
    one = trust.Run("long-lake.json", "gnosis spine lake --check --json", long._lake)
    monkeypatch.setattr(long, "LONG", (one,))

    def command(run: trust.Run) -> int:
        (tmp_path / run.name).write_text(json.dumps(data))
        return code

    return long.run(tmp_path, command, lambda _: None, tmp_path / "long.json")


def test_a_run_and_its_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = results_of(monkeypatch, tmp_path, OK, 0)
    assert done.ok and done.steps[0].figures == {"ok": True, "modules": 2, "byte for byte the same": 2}
    long.save(done, tmp_path / "long.json")
    assert long.load(tmp_path / "long.json") == done
    text = long.section(done)
    assert done.steps[0].date in text and "modules: 2, byte for byte the same: 2" in text and "passed" in text and done.machine in text
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", done.steps[0].date) and "cores" in done.machine


@pytest.mark.parametrize("data, code", [({**OK, "ok": False}, 0), (OK, 1), ({}, 0), (OK, -9)])
def test_a_failure_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: dict, code: int) -> None:
    done = results_of(monkeypatch, tmp_path, data, code)
    assert not done.ok and "**failed**" in long.section(done)


def test_a_lane_alone_leaves_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    two = tuple(trust.Run(f"long-{name}.json", name, long._lake) for name in ("lake", "audit"))
    monkeypatch.setattr(long, "LONG", two)
    for code, only in ((0, ()), (1, ("audit",))):
        for one in two:
            (tmp_path / one.name).write_text(json.dumps(OK))
        done = long.run(tmp_path, lambda _, code=code: code, lambda _: None, tmp_path / "long.json", only)
    assert [step.code for step in done.steps] == [0, 1] and long.load(tmp_path / "long.json") == done
    monkeypatch.setattr(long, "LONG", (*two, trust.Run("long-oracle.json", "o", long._lake)))
    assert "not recorded: oracle" in long.section(done)


def test_a_lane_that_was_skipped_does_not_pass() -> None:
    for skipped, said in (("debootstrap is not installed", "**not run**"), (3, "passed")):
        done = long.LongRun("m", (long.Step("debian", "2026-01-01", "c", 0, 1.0, {"ok": True, "skipped": skipped}),))
        assert f"| {said} |" in long.section(done) and str(skipped) in long.section(done)


def test_no_record() -> None:
    assert long.load(Path("does not exist.json")) is None
    assert "not been recorded" in long.section(None)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 1},
        {"steps": [{"name": "audit", "date": "yesterday", "command": "", "code": 0, "seconds": 1, "figures": {"ok": True}}]},
        {"machine": 3},
        {"steps": [{}]},
        {"steps": [1]},
        {"other": 1},
        {"steps": [{"name": "x", "date": "2026-01-01", "command": "", "code": 0, "seconds": 1, "figures": {"ok": True}}]},
        {"steps": [{"name": "audit", "date": "2026-01-01", "command": "", "code": True, "seconds": 1, "figures": {"ok": True}}]},
        {"steps": [{"name": "audit", "date": "2026-01-01", "command": "", "code": 0, "seconds": 1, "figures": {"ok": 1}}]},
    ],
)
def test_a_bad_record(tmp_path: Path, change: dict) -> None:
    good = {"version": 2, "machine": "m", "steps": []}
    (tmp_path / "r.json").write_text(json.dumps(good))
    assert long.load(tmp_path / "r.json") is not None
    (tmp_path / "r.json").write_text(json.dumps({**good, **change}))
    with pytest.raises(trust.BadResult):
        long.load(tmp_path / "r.json")
