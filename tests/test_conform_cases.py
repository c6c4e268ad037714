"""The conformance run: its cases, its corpus and its command."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conform_support import BY_NAME, lane
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.conformance import targets
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle.decisions import DECISIONS, check
from gnosis.conformance.oracle.interpreter import Oracle
from gnosis.conformance.running import cases
from gnosis.conformance.running import generators as gen
from gnosis.conformance.running.shrink import shrink
from gnosis.gates import energy, tukey


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as one:
        yield one


# ---- cases ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", [d for d, (_, t) in BY_NAME.items() if isinstance(t.reference(*t.generate(Random(0))), bool)])
def test_cases_are_aimed_at_the_threshold(decision: str) -> None:
    target = BY_NAME[decision][1]
    rng = Random(5)
    drawn = [target.generate(rng) for _ in range(1500)]
    answers = Counter(target.reference(*args) for args in drawn)
    assert min(answers[True], answers[False]) > 150
    for args in drawn[:200]:
        check(decision, args)


def test_cases_are_the_same_for_the_same_seed() -> None:
    for _, target in BY_NAME.values():
        assert [target.generate(Random("x")) for _ in range(3)] == [target.generate(Random("x")) for _ in range(3)]


def test_shapes_that_do_not_fit_and_extremes_occur() -> None:
    rng = Random(1)
    drawn = [BY_NAME["energyAdmit"][1].generate(rng) for _ in range(2000)]
    assert any(len(τ) != len(a) for τ, a, _ in drawn)
    assert any(not τ for τ, _, _ in drawn) and any(len(τ) == 32 for τ, _, _ in drawn) and any(γ < 0 for _, _, γ in drawn)
    entries = {x for τ, _, _ in drawn for x in τ}
    assert {0, 127, -128, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**64} <= entries
    assert sum(4 * energy.energy(τ) * energy.energy(a) == γ * γ for τ, a, γ in drawn) > 50
    assert all(gen.integer(rng, b).bit_length() <= b + 1 for b in gen.WIDTHS)


def test_shrinking_keeps_the_failure() -> None:
    small = shrink(
        ([5, 70, -8, 2], 900, [True, False, True, True]), lambda tries: [len(a) == len(m) and any(x > 60 for x in a) and n > 10 for a, n, m in tries]
    )
    assert small == ([61], 11, [False])


# ---- corpus --------------------------------------------------------------------------------------------------------


def test_the_corpus_is_well_formed_and_covers_every_stem() -> None:
    for stem, ts in targets.load().items():
        known = {t.decision for t in ts}
        found = cases.read(stem)
        assert found and {c.decision for c in found} <= known
        for case in found:
            assert case.note and lanes.same(dict((t.decision, t.reference) for t in ts)[case.decision](*case.args), case.expect)


def test_a_failing_case_is_written_down_and_replayed_first(oracle: Oracle, tmp_path: Path) -> None:
    report = lane(oracle, "tukeyAdmit", lambda r, γ: 0 <= γ and 2 * abs(r) < γ, corpus=tmp_path, promote=True)
    kept = cases.read("tukey", tmp_path)
    assert report.promoted == len(kept) >= 1 and kept[0].expect is True
    again = lanes.Report(1)
    lanes.oracle_lane(
        oracle, {"tukey": [targets.Target("tukeyAdmit", lambda r, γ: 0 <= γ and 2 * abs(r) < γ, lambda rng: (0, 1))]}, 1, 0.0, again, corpus=tmp_path
    )
    assert again.rows[0].name == "corpus" and again.rows[0].checked == len(kept) and again.disagreements[0].where == "corpus/tukey.jsonl"
    assert not cases.add("tukey", kept[0], tmp_path)  # not twice


def test_a_changed_answer_of_lean_is_noticed(oracle: Oracle, tmp_path: Path) -> None:
    cases.add("tukey", cases.Case("tukeyAdmit", (0, 1), False), tmp_path)
    report = lane(oracle, "tukeyAdmit", tukey.tukey_admit, 1, tmp_path)
    assert not report.ok and "written down earlier" in str(report.disagreements[0])


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[]",
        '{"decision": "tukeyAdmit", "args": [1, 2]}',
        '{"decision": "tukeyAdmit", "args": [1], "expect": true}',
        '{"decision": "tukeyadmit", "args": [1, 2], "expect": true}',
        '{"decision": "tukeyAdmit", "args": [1, 2.0], "expect": true}',
        '{"decision": "tukeyAdmit", "args": [1, 2], "expect": true, "why": ""}',
    ],
)
def test_a_bad_line_of_the_corpus_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "tukey.jsonl").write_text('{"decision": "tukeyAdmit", "args": [1, 2], "expect": true}\n' + text + "\n")
    with pytest.raises(cases.BadCorpus, match="tukey.jsonl:2"):
        cases.read("tukey", tmp_path)


# ---- command -------------------------------------------------------------------------------------------------------


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["conform", *args])


def test_the_command_reports_agreement() -> None:
    """All lanes but those with processes and builds of their own, which test_fuzz_lanes looks at."""
    asked = [name for name in lanes.LANES if name not in ("atheris", "libfuzzer")]
    result = run("--seconds", "0.5", "--kernel", "20", "--json", *(part for name in asked for part in ("--lane", name)))
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout.splitlines()[-1])
    assert report["ok"] and report["v"] == 1 and report["seed"] == lanes.SEED and not report["disagreements"]
    # what is not installed may be skipped by the lanes that look at other libraries, and is said
    assert {skip for skip in report["skips"] if not skip.startswith(("formats", "statistics"))} == {
        "lane atheris: not asked for",
        "lane libfuzzer: not asked for",
    }
    assert {row["name"] for row in report["rows"] if row["lane"] == "oracle"} == {"corpus", *DECISIONS}
    assert sum(row["checked"] for row in report["rows"] if row["lane"] == "kernel") == 20
    assert all(row["checked"] >= lanes.BATCH for row in report["rows"] if row["lane"] == "oracle" and row["name"] in DECISIONS)
    assert {row["lane"] for row in report["rows"]} == set(asked) and all(row["rate"] > 0 for row in report["rows"])
    assert report["reproduce"] == f"gnosis conform --seed {lanes.SEED} --seconds 0.5 --kernel 20" + "".join(f" --lane {name}" for name in asked)


def test_the_command_ends_with_1_on_a_disagreement(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong = {"tukey": [targets.Target("tukeyAdmit", lambda r, γ: 0 <= γ and 2 * abs(r) < γ, BY_NAME["tukeyAdmit"][1].generate)]}
    monkeypatch.setattr(targets, "load", lambda: wrong)
    monkeypatch.setattr(cases, "folder", lambda: tmp_path)
    result = run("--seconds", "0.1", "--lane", "oracle", "--seed", "7")
    assert result.exit_code == 1
    output = " ".join(result.output.split())
    assert "tukeyAdmit(0, 0): Lean says True, Python False" in output
    assert "again with: gnosis conform --seed 7 --seconds 0.1 --kernel 200 --lane oracle" in output
    assert "cases written" in output and cases.read("tukey")


def test_a_new_seed_is_named() -> None:
    seeds = {json.loads(run("--seconds", "0", "--lane", "oracle", "--seed", "random", "--json").stdout.splitlines()[-1])["seed"] for _ in range(2)}
    assert len(seeds) == 2 and lanes.SEED not in seeds


@pytest.mark.parametrize(
    "args",
    [
        ("--seed", "x"),
        ("--seed", "-1"),
        ("--lane", "kernal"),
        ("--lane", "oracle", "--lane", "kernal"),
        ("--kernel", "-1"),
        ("--seconds", "-1"),
        ("--seconds", "nan"),
        ("--seconds", "inf"),
        ("--seed", "9" * 5000),
    ],
)
def test_bad_options_are_refused(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2 and args[0] in result.output  # which option is at fault


def test_the_time_is_kept(oracle: Oracle) -> None:
    report = lanes.Report(1)
    start = time.perf_counter()
    lanes.oracle_lane(oracle, targets.load(), 1, 2.0, report)
    assert time.perf_counter() - start < 12 and report.ok
