"""The compiled kernels against exact answers on whole numbers, and planted faults that the lane must find."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from gnosis.conformance.lanes import kernels as hot
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle.decisions import check
from gnosis.conformance.running import cases
from gnosis.core import conformal, cpu, cumloss, lattice, margin
from gnosis.errors import ArgumentError

KERNELS = {k.name: k for k in hot.load_hot()}
NOWHERE = Path("/nonexistent")


def lane(kernel: hot.Hot, batches: int = 4, corpus: Path = NOWHERE, promote: bool = False) -> lanes.Report:
    report = lanes.Report(1)
    for seed in range(batches):
        lanes.kernels_lane(seed, 0.0, report, kernels=[kernel], corpus=corpus, promote=promote)
    return report


@pytest.mark.parametrize("name", KERNELS)
def test_the_kernels_give_the_exact_answer(name: str) -> None:
    report = lane(KERNELS[name])
    assert report.ok, report.disagreements
    assert sum(r.checked for r in report.rows) == 4 * lanes.BATCH * len(cpu.available())
    # most answers are decided, and most cases are within range, so that there is something to decide
    assert sum(r.undecided + r.refused for r in report.rows) < sum(r.checked for r in report.rows) / 3


def test_what_a_kernel_cannot_hold_is_refused_not_answered() -> None:
    names = {name for name, k in KERNELS.items() if any(not k.takes(*k.generate(rng)) for rng in [Random(1)] for _ in range(2000))}
    assert names >= {
        "margin.argmax int64",
        "margin.candidates float32",
        "cumloss.run",
        "cumloss.Account",
        "cumloss.admit_many",
        "lattice.nearest_cubic",
        "lattice.nearest_d8",
        "lattice.nearest_e8",
    }


def _floats(z: list[int]) -> np.ndarray:
    return np.array(z, np.float64).astype(np.float32)


def _lenient(k: hot.Hot, other: Any) -> Callable[..., Any]:
    """The kernel with an answer where it must refuse."""

    def run(*args: Any) -> Any:
        try:
            return k.run(*args)
        except ArgumentError:
            return other

    return run


def _unchecked_charges(account: int, steps: list[tuple[int, int, int]]) -> list[bool]:
    offers, _, budgets = np.array([tuple(s) for s in steps], np.int64).reshape(-1, 3).T
    return cumloss.run(account, offers, budgets).admitted.tolist()


def _rounded(m: int, xs: list[int]) -> list[int]:
    lattice.nearest_cubic(hot._points(m, xs))
    return [int(y) for y in np.rint(hot._points(m, xs)[0])]


def _added_half(m: int, xs: list[int]) -> list[int]:
    lattice.nearest_cubic(hot._points(m, xs))
    return [int(y) for y in np.floor(hot._points(m, xs)[0] + np.float32(0.5))]


MUTANTS: list[tuple[str, str, Callable[..., Any]]] = [
    ("margin.argmax int64", "by way of float64", lambda z: margin.argmax(np.array(z, np.float64))),
    ("margin.argmax float64", "by way of float32", lambda z: margin.argmax(_floats(z))),
    ("margin.argmax float32", "the last one on ties", lambda z: len(z) - 1 - margin.argmax(np.array(z[::-1], np.float32))),
    (
        "margin.candidates int64",
        "sums that wrap around",
        lambda z, ε: (
            margin.candidates(np.array(z), np.array(ε)) is None
            or np.flatnonzero(np.array(z) + np.array(ε) >= (np.array(z) - np.array(ε)).max(initial=-(2**63))).tolist()
        ),
    ),
    (
        "margin.candidates float64",
        "sums that are rounded",
        lambda z, ε: (
            margin.candidates(np.array(z, float), np.array(ε, float)) is None
            or np.flatnonzero((_floats(z) + _floats(ε)) >= (_floats(z) - _floats(ε)).max(initial=-np.inf)).tolist()
        ),
    ),
    ("margin.candidates float32", "negative bounds answered", _lenient(KERNELS["margin.candidates float32"], [])),
    ("conformal.kth_smallest int64", "by way of float64", lambda k, s: hot._whole(conformal.kth_smallest(np.array(s, np.float64), k))),
    ("conformal.kth_smallest float64", "counted from 0", lambda k, s: hot._whole(conformal.kth_smallest(np.array(s, np.float64), min(k + 1, conformal.MOST)))),
    ("conformal.kth_smallest float32", "the largest above n", lambda k, s: hot._whole(conformal.kth_smallest(np.array(s, np.float32), min(k, len(s))))),
    *(
        (f"conformal.digits {t}", "counted from 0", lambda k, s, t=t: hot._whole(conformal._kth_by_digits(np.array(s, t), min(k + 1, conformal.MOST))))
        for t in ("int64", "float64", "float32")
    ),
    *(
        (f"conformal.Largest {t}", "ties merged", lambda k, s, t=t: hot._whole(conformal.kth_smallest(np.unique(np.array(s, t)), k)))
        for t in ("int64", "float64", "float32")
    ),
    ("cumloss.run", "offers charged", _unchecked_charges),
    ("cumloss.run", "an answer out of range", _lenient(KERNELS["cumloss.run"], [])),
    ("cumloss.Account", "offers charged", _unchecked_charges),
    (
        "cumloss.admit_many",
        "floats",
        lambda account, offer, budget: hot._admit(account, offer, budget) is None or float(account) + float(offer) <= float(budget),
    ),
    ("cumloss.admit_many", "an answer out of range", _lenient(KERNELS["cumloss.admit_many"], False)),
    ("lattice.nearest_cubic", "halves to even", _rounded),
    ("lattice.nearest_cubic", "a half added and rounded down", _added_half),
    ("lattice.nearest_d8", "parity ignored", lambda m, xs: hot._cubic(m, xs)),
    ("lattice.nearest_e8", "integers only", lambda h, xs: [2 * y for y in hot._cubic(2 * h, xs)]),
    ("energy.decide_many", "weak for strict", KERNELS["energy.decide_many strict"].run),
    (
        "energy.decide_many",
        "floats",
        lambda E, A, γ: min(E, A, γ) >= 0 and 4.0 * float(E) * float(A) <= float(γ) ** 2 if γ.bit_length() < 500 else hot.UNDECIDED,
    ),
    ("energy.decide_many strict", "signs not looked at", lambda E, A, γ: 4 * E * A < γ * γ),
]


@pytest.mark.parametrize("name, run", [(n, f) for n, _, f in MUTANTS], ids=[f"{n}: {what}" for n, what, _ in MUTANTS])
def test_planted_faults_are_caught(name: str, run: Callable[..., Any]) -> None:
    wrong = dataclasses.replace(KERNELS[name], run=run)
    report = lane(wrong)
    assert not report.ok and report.disagreements[0].lane == "kernels"
    args = report.disagreements[0].args
    check(wrong.decision, args)
    assert wrong.holds(*args) and not lanes.same(report.disagreements[0].expected, hot.answer(wrong, args))


def test_every_kernel_has_a_planted_fault() -> None:
    assert {n for n, _, _ in MUTANTS} == set(KERNELS)


def test_a_failing_case_is_written_down_and_replayed(tmp_path: Path) -> None:
    wrong = dataclasses.replace(KERNELS["margin.argmax int64"], run=lambda z: margin.argmax(np.array(z, np.float64)))
    report = lane(wrong, 4, tmp_path, promote=True)
    kept = cases.read("margin", tmp_path)
    assert report.promoted == len(kept) >= 1 and "margin.argmax int64 said" in kept[0].note
    again = lane(dataclasses.replace(wrong, generate=lambda rng: ([1],)), 1, tmp_path)
    assert again.rows[0].checked == (len(kept) + lanes.BATCH) * len(cpu.available())
    assert "corpus" in again.disagreements[0].where and "the exact answer is" in str(again.disagreements[0])


def test_the_instruction_set_is_given_back() -> None:
    before = cpu.isa()
    lane(KERNELS["margin.argmax int64"], 1)
    assert cpu.isa() == before
