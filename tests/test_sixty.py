"""Enclosures and tail bounds at 60 digits, and faults of a 10^-15th part that are noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gnosis.conformance.lanes import sixty
from gnosis.conformance.running import checks
from gnosis.conformance.running.report import Report
from gnosis.numbers import outward
from gnosis.risk import extrapolation

pytest.importorskip("mpmath", reason="mpmath is not installed")
TINY = 1 + Fraction(1, 10**30)


def found() -> set[str]:
    report = Report(3)
    checks.sweep("statistics", sixty.load(), 3, 2.0, report, corpus=Path("/nonexistent"), promote=False)
    return {d.decision for d in report.disagreements}


def test_they_hold() -> None:
    assert not found()


def moved(module: Any, name: str, change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    right = getattr(module, name)
    return lambda patch: patch.setattr(module, name, lambda *args, **more: change(right(*args, **more)))


FAULTS = {
    "an enclosure that begins too high": (
        moved(outward, "exp", lambda e: replace(e, low=e.high * TINY, high=e.high * TINY * TINY)),
        "enclosures = mpmath, 60 digits",
    ),
    "an enclosure that is too wide": (moved(outward, "log", lambda e: replace(e, low=e.low - 1, high=e.high + 1)), "enclosures = mpmath, 60 digits"),
    "a rate that is too low": (
        moved(extrapolation, "clopper_pearson_upper", lambda b: replace(b, risk=b.risk / (1 + Fraction(1, 10**16)))),
        "failure rate = mpmath, 60 digits",
    ),
    "a rate that is too high": (
        moved(extrapolation, "clopper_pearson_upper", lambda b: replace(b, risk=b.risk * (1 + Fraction(1, 10**12)))),
        "failure rate = mpmath, 60 digits",
    ),
    "the tail of a pool": (moved(extrapolation, "pool_order_tail", lambda p: p * TINY), "pools = mpmath, 60 digits"),
    "one trial too few": (moved(extrapolation, "trials_without_failure", lambda n: n - 1), "trials without failure = mpmath, 60 digits"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    plant, check = FAULTS[fault]
    plant(monkeypatch)
    assert check in found()
