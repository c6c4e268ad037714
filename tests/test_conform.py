"""The conformance run finds what is wrong: each planted fault in a Python reference is caught, shrunk and kept."""
from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from math import isqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gnosis.cli import app
from gnosis.conformance import cases, lanes, targets
from gnosis.conformance import generators as gen
from gnosis.conformance.decisions import DECISIONS, check
from gnosis.conformance.oracle import Oracle
from gnosis.conformance.shrink import shrink
from gnosis.gates import energy, jit, margin, tukey
from typer.testing import CliRunner

BY_NAME = {t.decision: (stem, t) for stem, ts in targets.load().items() for t in ts}


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as one:
        yield one


def lane(oracle: Oracle, decision: str, reference: Callable[..., Any], batches: int = 4, corpus: Path | None = None, promote: bool = False) -> lanes.Report:
    """The oracle lane on one decision with another reference; no corpus unless given."""
    stem, target = BY_NAME[decision]
    report = lanes.Report(1)
    changed = {stem: [targets.Target(decision, reference, target.generate)]}
    for seed in range(batches):
        lanes.oracle_lane(oracle, changed, seed, 0.0, report, corpus=corpus or Path("/nonexistent"), promote=promote)
    return report


def test_every_decision_has_a_target() -> None:
    assert set(BY_NAME) == set(DECISIONS)


@pytest.mark.parametrize("decision", DECISIONS)
def test_the_references_agree_with_lean(oracle: Oracle, decision: str) -> None:
    report = lane(oracle, decision, BY_NAME[decision][1].reference)
    assert report.ok and sum(r.checked for r in report.rows) == 4 * lanes.BATCH


def _float_gate(E: int, A: int, γ: int) -> bool:
    return 0 <= E and 0 <= A and 0 <= γ and 4.0 * float(E) * float(A) <= float(γ) * float(γ)


def _wrapping(x: int) -> int:
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


def _last_argmax(z: list[int]) -> int:
    return max(range(len(z)), key=lambda i: (z[i], i), default=0)


def _leads(z: list[int], w: int, need: int) -> bool:
    return all(z[w] - x >= need for j, x in enumerate(z) if j != w)


MUTANTS: list[tuple[str, str, Callable[..., Any]]] = [
    ("energyAdmit", "strict for weak", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 4 * energy.energy(τ) * energy.energy(a) < γ * γ),
    ("energyAdmit", "off by one", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and energy.energy(τ) * energy.energy(a) <= γ * γ // 4 + 1),
    ("energyAdmit", "lengths not compared", lambda τ, a, γ: 0 <= γ and 4 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "sign of the margin not looked at", lambda τ, a, γ: len(τ) == len(a) and 4 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "a factor left out", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 2 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "the true product instead of the bound", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 2 * abs(energy.dot(τ, a)) <= γ),
    ("energySidecarAdmit", "floats", _float_gate),
    ("energySidecarAdmit", "64-bit overflow", lambda E, A, γ: 0 <= E and 0 <= A and 0 <= γ and _wrapping(4 * E * A) <= _wrapping(γ * γ)),
    ("energySidecarAdmit", "sign of the first energy not looked at", lambda E, A, γ: 0 <= A and 0 <= γ and 4 * E * A <= γ * γ),
    ("energySidecarAdmit", "sign of the second energy not looked at", lambda E, A, γ: 0 <= E and 0 <= γ and 4 * E * A <= γ * γ),
    ("energySidecarAdmitStrict", "weak for strict", energy.energy_sidecar_admit),
    ("energyBlockedAdmit", "strict for weak", lambda e, α, γ: len(e) == len(α) and all(x >= 0 for x in e + α) and 0 <= γ and 2 * energy.dot(e, α) < γ),
    ("energyBlockedAdmit", "negative roots", lambda e, α, γ: len(e) == len(α) and 0 <= γ and 2 * energy.dot(e, α) <= γ),
    ("energyBlockedAdmit", "one bound for all blocks", lambda e, α, γ: len(e) == len(α) and all(x >= 0 for x in e + α) and 0 <= γ
        and 4 * energy.energy(e) * energy.energy(α) <= γ * γ),
    ("energyOutside", "inside", lambda a, S: sum(x * x for i, x in enumerate(a) if i < len(S) and S[i])),
    ("energyOutside", "shorter masks cut", lambda a, S: sum(x * x for x, s in zip(a, S) if not s)),
    ("energySplitAdmit", "the mask ignored", lambda E, a, S, γ: len(a) == len(S) and energy.energy_sidecar_admit(E, energy.energy(a), γ)),
    ("energySplitAdmit", "lengths not compared", lambda E, a, S, γ: energy.energy_sidecar_admit(E, energy.energy_outside(a, S), γ)),
    ("argmax", "the last index on ties", _last_argmax),
    ("marginAdmit", "strict for weak", margin.margin_admit_strict),
    ("marginAdmit", "τ for 2τ", lambda z, w, τ: w < len(z) and 0 <= τ and _leads(z, w, τ)),
    ("marginAdmit", "index not checked", lambda z, w, τ: 0 <= τ and margin.leads(margin.entry(z, w), 2 * τ, 2 * τ, w, z)),
    ("marginAdmit", "a negative bound let through", lambda z, w, τ: w < len(z) and _leads(z, w, 2 * τ)),
    ("marginAdmitStrict", "off by one", lambda z, w, τ: w < len(z) and 0 <= τ and _leads(z, w, 2 * τ + 2)),
    ("marginAdmitLowest", "sides swapped", lambda z, w, τ: w < len(z) and 0 <= τ and margin.leads(z[w], 2 * τ, 2 * τ + 1, w, z)),
    ("rowAdmit", "weak for strict", lambda z, ε, w: margin.bounds_fit(z, ε) and w < len(z) and all(ε[w] + ε[j] <= z[w] - z[j] for j in range(len(z)) if j != w)),
    ("rowAdmit", "the winner's own bound left out", lambda z, ε, w: margin.bounds_fit(z, ε) and w < len(z) and all(ε[j] < z[w] - z[j] for j in range(len(z)) if j != w)),
    ("rowAdmit", "negative bounds", lambda z, ε, w: len(z) == len(ε) and w < len(z) and all(ε[w] + ε[j] < z[w] - z[j] for j in range(len(z)) if j != w)),
    ("candidates", "an entry that just reaches left out", lambda z, ε: [j for j in range(len(z)) if z[j] + ε[j] > max(z[i] - ε[i] for i in range(len(z)))]
        if margin.bounds_fit(z, ε) else list(range(len(z)))),
    ("candidates", "against the winner, not the best lower bound", lambda z, ε: [j for j in range(len(z)) if z[j] + ε[j] >= z[margin.argmax(z)] - ε[margin.argmax(z)]]
        if margin.bounds_fit(z, ε) else list(range(len(z)))),
    ("candidates", "none when the bounds do not fit", lambda z, ε: margin.candidates(z, ε) if margin.bounds_fit(z, ε) else []),
    ("topkAdmit", "weak for strict", lambda z, S, ε: len(z) == len(S) and 0 <= ε and all(x - y >= 2 * ε for x, s in zip(z, S) if s for y, t in zip(z, S) if not t)),
    ("topkAdmit", "ε for 2ε", lambda z, S, ε: len(z) == len(S) and 0 <= ε and all(x - y > ε for x, s in zip(z, S) if s for y, t in zip(z, S) if not t)),
    ("topTwo", "the largest twice", lambda z: 2 * max(z) if len(z) > 1 else 0),
    ("topTwo", "a group of one counts", lambda z: sum(sorted(z)[-2:])),
    ("twoStageAdmit", "2ε for the groups", lambda groups, gsel, esel, ε: margin.two_stage_shape(groups, gsel, esel) and margin.topk_admit([margin.top_two(g) for g in groups], gsel, ε)
        and margin.topk_admit([x for g, s in zip(groups, gsel) if s for x in g], [m for e, s in zip(esel, gsel) if s for m in e], ε)),
    ("twoStageAdmit", "only the groups", lambda groups, gsel, esel, ε: margin.two_stage_shape(groups, gsel, esel) and margin.topk_admit([margin.top_two(g) for g in groups], gsel, 2 * ε)),
    ("twoStageAdmit", "shape not checked", lambda groups, gsel, esel, ε: margin.topk_admit([margin.top_two(g) for g in groups], gsel, 2 * ε)
        and margin.topk_admit([x for g, s in zip(groups, gsel) if s for x in g], [m for e, s in zip(esel, gsel) if s for m in e], ε)),
    ("jitAdmit", "strict rows", jit.jit_admit_strict),
    ("jitAdmitStrict", "weak rows", jit.jit_admit),
    ("jitAdmit", "the margin not measured", lambda z, w, E, A, γ: len(z) == len(E) and w < len(z) and all(energy.energy_sidecar_admit(e, A, γ) for e in E)),
    ("jitAdmit", "only the winner's row", lambda z, w, E, A, γ: len(z) == len(E) and w < len(z) and _leads(z, w, γ) and energy.energy_sidecar_admit(E[w], A, γ)),
    ("jitRowAdmit", "bounds believed", lambda z, w, ε, E, A: len(E) == len(ε) and margin.row_admit(z, ε, w)),
    ("servedArgmax", "the coarse argmax", lambda coarse, exact, ε: margin.argmax(coarse)),
    ("servedArgmax", "the last one on ties", lambda coarse, exact, ε: max(margin.candidates(coarse, ε), key=lambda j: (margin.entry(exact, j), j), default=0)),
    ("servedArgmax", "only rows with wide bounds recomputed", lambda coarse, exact, ε: margin.argmax(
        [margin.entry(exact, j) if j < len(ε) and ε[j] > 1 else x for j, x in enumerate(coarse)])),
    ("tukeyAdmit", "the rim refused", lambda r, γ: 0 <= γ and 2 * abs(r) < γ),
    ("tukeyAdmit", "|r| for 2|r|", lambda r, γ: 0 <= γ and abs(r) <= γ),
    ("tukeyAdmit", "a half rounded", lambda r, γ: 0 <= γ and abs(r) <= (γ + 1) // 2),
    ("tukeyWeight", "does not redescend", lambda r, γ: (γ * γ - 4 * r * r) ** 2),
    ("tukeyWeight", "not squared", lambda r, γ: γ * γ - 4 * r * r if tukey.tukey_admit(r, γ) else 0),
    ("dot", "a dropped entry", lambda τ, a: sum(x * y for x, y in list(zip(τ, a))[:-1])),
    ("energy", "absolute values", lambda v: sum(map(abs, v))),
    ("energySidecarAdmit", "an integer for a truth value", lambda E, A, γ: int(energy.energy_sidecar_admit(E, A, γ))),
    ("energySidecarAdmit", "an exception for a refusal", lambda E, A, γ: 4 * E * A <= γ * γ if min(E, A, γ) >= 0 else 1 // 0),
    ("energySidecarAdmit", "integer root", lambda E, A, γ: 0 <= E and 0 <= A and 0 <= γ and 2 * isqrt(E * A) <= γ),
]


@pytest.mark.parametrize("decision, reference", [(d, f) for d, _, f in MUTANTS], ids=[f"{d}: {name}" for d, name, _ in MUTANTS])
def test_planted_faults_are_caught(oracle: Oracle, decision: str, reference: Callable[..., Any]) -> None:
    report = lane(oracle, decision, reference)
    assert not report.ok and report.disagreements[0].decision == decision
    args = report.disagreements[0].args
    check(decision, args)
    # the case that is kept still tells the two apart, and is small
    assert not lanes.same(oracle.many(decision, [args])[0], lanes._reference(targets.Target(decision, reference, BY_NAME[decision][1].generate), args))
    assert len(json.dumps(args)) < 120


def test_every_decision_has_a_planted_fault() -> None:
    assert {d for d, _, _ in MUTANTS} == set(DECISIONS)


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
    assert {0, 127, -128, 2**31 - 1, -2**31, 2**63 - 1, -2**63, 2**64} <= entries
    assert sum(4 * energy.energy(τ) * energy.energy(a) == γ * γ for τ, a, γ in drawn) > 50
    assert all(gen.integer(rng, b).bit_length() <= b + 1 for b in gen.WIDTHS)


def test_shrinking_keeps_the_failure() -> None:
    small = shrink(([5, 70, -8, 2], 900, [True, False, True, True]), lambda tries: [len(a) == len(m) and any(x > 60 for x in a) and n > 10 for a, n, m in tries])
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
    lanes.oracle_lane(oracle, {"tukey": [targets.Target("tukeyAdmit", lambda r, γ: 0 <= γ and 2 * abs(r) < γ, lambda rng: (0, 1))]}, 1, 0.0, again, corpus=tmp_path)
    assert again.rows[0].name == "corpus" and again.rows[0].checked == len(kept) and again.disagreements[0].where == "corpus/tukey.jsonl"
    assert not cases.add("tukey", kept[0], tmp_path)  # not twice


def test_a_changed_answer_of_lean_is_noticed(oracle: Oracle, tmp_path: Path) -> None:
    cases.add("tukey", cases.Case("tukeyAdmit", (0, 1), False), tmp_path)
    report = lane(oracle, "tukeyAdmit", tukey.tukey_admit, 1, tmp_path)
    assert not report.ok and "written down earlier" in str(report.disagreements[0])


@pytest.mark.parametrize("text", ["nonsense", "[]", '{"decision": "tukeyAdmit", "args": [1, 2]}', '{"decision": "tukeyAdmit", "args": [1], "expect": true}',
                                  '{"decision": "tukeyadmit", "args": [1, 2], "expect": true}', '{"decision": "tukeyAdmit", "args": [1, 2.0], "expect": true}',
                                  '{"decision": "tukeyAdmit", "args": [1, 2], "expect": true, "why": ""}'])
def test_a_bad_line_of_the_corpus_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "tukey.jsonl").write_text('{"decision": "tukeyAdmit", "args": [1, 2], "expect": true}\n' + text + "\n")
    with pytest.raises(cases.BadCorpus, match="tukey.jsonl:2"):
        cases.read("tukey", tmp_path)


# ---- command -------------------------------------------------------------------------------------------------------


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["conform", *args])


def test_the_command_reports_agreement() -> None:
    result = run("--seconds", "0.5", "--kernel", "20", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout.splitlines()[-1])
    assert report["ok"] and report["v"] == 1 and report["seed"] == lanes.SEED and not report["disagreements"] and not report["skips"]
    assert {row["name"] for row in report["rows"] if row["lane"] == "oracle"} == {"corpus", *DECISIONS}
    assert sum(row["checked"] for row in report["rows"] if row["lane"] == "kernel") == 20
    assert all(row["checked"] >= lanes.BATCH for row in report["rows"] if row["name"] in DECISIONS)
    assert report["reproduce"] == f"gnosis conform --seed {lanes.SEED} --seconds 0.5 --kernel 20"


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


@pytest.mark.parametrize("args", [("--seed", "x"), ("--seed", "-1"), ("--lane", "kernal"), ("--kernel", "-1"), ("--seconds", "-1")])
def test_bad_options_are_refused(args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


def test_the_time_is_kept(oracle: Oracle) -> None:
    report = lanes.Report(1)
    start = time.perf_counter()
    lanes.oracle_lane(oracle, targets.load(), 1, 2.0, report)
    assert time.perf_counter() - start < 12 and report.ok
