"""The trust page is made of the recorded figures, says "not run" where there are none, and names commands that exist."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.conformance import long, trust
from gnosis.conformance.lanes.run import LANES

ROOT = Path(__file__).parents[1]
AUDIT = {
    "ok": True,
    "modules": 3,
    "theorems": [{"axioms": []}, {"axioms": []}],
    "replay": {"accepted": 7, "units": 7, "compared": 9, "differences": [], "plain": {"theorems": 8, "rejected": [], "absent": []}},
    "print_axioms": {"agree": 2, "asked": 2},
    "headline": {"theorems": 2, "definitions": 5},
    "findings": [],
}
CONFORM = {
    "ok": True,
    "seed": 5,
    "skips": ["x"],
    "rows": [
        {"lane": "oracle", "checked": 1000, "disagreements": 0, "undecided": 0, "refused": 0},
        {"lane": "oracle", "checked": 234, "disagreements": 0, "undecided": 0, "refused": 0},
        {"lane": "kernels", "checked": 9, "disagreements": 0, "undecided": 4, "refused": 3},
    ],
}
MUTANTS = {"ok": False, "seed": 5, "mutants": [{"side": "c", "lane": "kernels"}, {"side": "lean", "lane": ""}]}
VERIFY = {"code": 0, "certificates": 4, "exact": 4, "from_model": 2, "lean": {"whole": 4}, "oracle": 4, "kernel": None, "refusals": 0, "not_replayed": {}}
TESTS = '<testsuites><testsuite tests="10" failures="0" errors="0" skipped="2"/></testsuites>'


def test_the_page_is_the_one_of_the_record() -> None:
    recorded = trust.load(ROOT / trust.RECORD)
    text = trust.page(recorded, LANES) + "\n" + long.section(long.load(ROOT / long.RECORD))
    assert (ROOT / trust.PAGE).read_text(encoding="utf-8") == text, "gnosis trust --write docs/trust.md"


def test_the_record_holds_no_date_and_no_path() -> None:
    text = (ROOT / trust.RECORD).read_text(encoding="utf-8")
    assert not re.search(r"\d{4}-\d\d|seconds|/", text)


def test_every_lane_stands_in_a_link() -> None:
    assert set(LANES) <= {lane for link in trust.LINKS for lane in link.lanes} and "## 9" not in trust.page({}, LANES)
    assert "## 9 Other lanes" in trust.page({}, [*LANES, "new"])


def test_without_a_record_nothing_was_run() -> None:
    text = trust.page({}, LANES)
    rows = [row for row in text.splitlines() if re.match(r"\| \*\*(proved|checked|tested)\*\*", row)]
    assert len(rows) > 10 and all(row.endswith("| *not run* |") for row in rows)
    assert all(row.endswith("| — | — |") for row in text.splitlines() if row.startswith("| **trusted**"))


def test_every_link_is_there() -> None:
    text = trust.page({}, LANES)
    assert [f"## {i} {link.name}" for i, link in enumerate(trust.LINKS, 1)] == re.findall(r"^## .*$", text, re.M)
    for command in {c for r in trust.RUNS if r.command for c in r.command.split(" && ")} | {f"gnosis conform --lane {lane}" for lane in LANES}:
        words = shlex.split(command)
        if words[0] == "python":
            continue
        at: Any = get_command(app)
        for word in words[1:]:
            if word.startswith("-"):
                options = {o for p in at.params for o in p.opts}
                assert word in options, command
            elif hasattr(at, "commands"):
                assert word in at.commands, command
                at = at.commands[word]


def result_files(folder: Path) -> None:
    for name, data in (("audit", AUDIT), ("conform", CONFORM), ("mutants", MUTANTS), ("tiles", VERIFY)):
        (folder / f"{name}.json").write_text(json.dumps(data))
    (folder / "tests.xml").write_text(TESTS)


def test_figures_of_results(tmp_path: Path) -> None:
    result_files(tmp_path)
    assert trust.record(tmp_path, tmp_path / "trust.json") == ["audit", "conform", "mutants", "tiles", "tests"]
    text = trust.page(trust.load(tmp_path / "trust.json"), LANES)
    assert "2 theorems, 0 with axioms; 7 of 7 declarations; 9 constants compared, 0 differ" in text
    assert "1,234 decisions or cases, 0 disagreements |" in text and "9 decisions or cases, 0 disagreements, 4 undecided, 3 refused as they must be" in text
    assert "**the run failed**; 2 mutants, 1 survive" in text
    assert "10 tests of everything, 0 failed, 2 skipped" in text
    assert "4 of 4 certificates hold; 2 energies computed again; Lean agrees on 4; 0 refused, 0 not replayed" in text
    missing = [row for link in trust.LINKS for row in link.rows if row.run in ("gates", "export", "manifest", "oracle")]
    assert text.removeprefix(trust.HEAD).count("*not run*") == len(missing) + len({*LANES} - {"oracle", "kernels"})
    assert "{" not in text
    # what is not there again stays as it was recorded
    (tmp_path / "audit.json").unlink()
    (tmp_path / "conform.json").write_text(json.dumps({**CONFORM, "rows": [{**CONFORM["rows"][0], "disagreements": 1}], "ok": False}))
    trust.record(tmp_path, tmp_path / "trust.json")
    again = trust.page(trust.load(tmp_path / "trust.json"), LANES)
    assert "7 of 7 declarations" in again and "**failed**; 1,000 decisions or cases, 1 disagreements" in again


def test_templates_name_figures_that_runs_have() -> None:
    figures = {
        "audit": trust._audit(AUDIT),
        "mutants": trust._mutants(MUTANTS),
        "tiles": trust._verify(VERIFY),
        "gates": trust._verify(VERIFY),
        "oracle": trust._oracle({"decisions": 1, "checked": 2, "symbols": []}),
        "tests": {"tests": 1, "failed": 0, "skipped": 0},
        "export": trust._export({"ok": True, "counts": {"term": 1, "theorem": 2}, "replay": {"units": 2}}),
        "manifest": trust._manifest(
            {"ok": True, "findings": [], "counts": dict.fromkeys(("theorems", "decisions", "targets", "symbols", "kernels", "falsifiers"), 1)}
        ),
    }
    for link in trust.LINKS:
        for row in link.rows:
            assert set(re.findall(r"\{([^}]*)\}", row.shown)) <= (figures[row.run].keys() if row.run else set()), row


@pytest.mark.parametrize(
    "name, text",
    [
        ("audit.json", "{}"),
        ("audit.json", "["),
        ("audit.json", '{"ok": true, "theorems": 3}'),
        ("conform.json", '{"ok": 1, "rows": 1, "seed": 1}'),
        ("tests.xml", "<a/>"),
        ("tests.xml", "x"),
        ("conform.json", "\xff"),
    ],
)
def test_a_bad_result(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(trust.BadResult, match=name):
        trust.record(tmp_path, tmp_path / "trust.json")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "runs": {}}',
        '{"version": 1, "runs": {"other": {"ok": true}}}',
        '{"version": 1, "runs": {"audit": {}}}',
        '{"version": 1, "runs": {"audit": {"ok": true, "theorems": [1]}}}',
        '{"version": 1, "runs": {"conform": {"ok": true, "oracle: checked": 1}}}',
    ],
)
def test_a_bad_record(tmp_path: Path, text: str) -> None:
    (tmp_path / "trust.json").write_text(text)
    with pytest.raises(trust.BadResult):
        trust.load(tmp_path / "trust.json")


def test_the_command(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["trust"])
    assert done.exit_code == 0 and done.stdout == (ROOT / trust.PAGE).read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["trust", "--write", str(tmp_path / "page.md")]).exit_code == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == done.stdout
    assert CliRunner().invoke(app, ["trust", "--run", "other"]).exit_code == 2


def test_links_of_the_page() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", trust.page({}, LANES)):
        assert (ROOT / "docs" / target).resolve().exists()


def test_the_example_of_the_certificates_page() -> None:
    text = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    code, expected = re.search(r"^```python\n(.*?)^```\n\n^```\n(.*?)^```$", text, re.M | re.S).groups()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected
