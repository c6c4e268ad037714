"""How near the true values of the float paths come to the bounds that are claimed for them."""

from __future__ import annotations

import json
import math
import pydoc
from dataclasses import replace
from fractions import Fraction

import pytest

from gnosis.conformance import floats as paths
from gnosis.conformance import pairs
from gnosis.conformance.running import checks, nearness
from gnosis.conformance.running.nearness import Near
from gnosis.conformance.running.report import Report


def test_the_largest_ratio_is_kept() -> None:
    with nearness.collecting() as near:
        assert nearness.record("one", 0.5, 1.0) and nearness.record("one", Fraction(2, 3), 1) and nearness.record("one", 0, 0)
        assert nearness.record("other", 3, math.inf) and nearness.record("other", 1, 4.0)
        assert not nearness.record("broken", 1 + Fraction(1, 1 << 80), 1.0)
        assert not nearness.record("zero", 5e-324, 0.0) and not nearness.record("zero", 1, -math.inf)
    assert [n.name for n in near] == ["broken", "one", "other", "zero"]
    assert near[1] == Near("one", 2 / 3, 2) and near[2] == Near("other", 0.25, 1) and near[3] == Near("zero", math.inf, 1)
    assert str(near[1]) == "one: 0.666667 of the bound at most, 2 cases"
    assert "(1 - 9.5e-07)" in str(Near("x", 1 - 2.0**-20, 1))


def test_nothing_is_kept_outside_a_run_and_runs_may_nest() -> None:
    assert nearness.record("one", 1, 1)
    with nearness.collecting() as outer:
        nearness.record("one", 1, 2)
        with nearness.collecting() as inner:
            nearness.record("one", 1, 4)
    assert outer == [Near("one", 0.5, 2)] and inner == [Near("one", 0.25, 1)]


@pytest.mark.parametrize("value, bound", [(math.nan, 1.0), (1.0, math.nan), (math.inf, 1.0)])
def test_what_is_no_number_has_no_bound(value: float, bound: float) -> None:
    with pytest.raises((ValueError, OverflowError)):
        nearness.record("one", value, bound)


def test_the_report_is_json_even_when_a_bound_is_broken() -> None:
    report = Report(1, nearness=[Near("one", 0.5, 3), Near("zero", math.inf, 1)])
    assert json.loads(json.dumps(report.to_dict(), allow_nan=False))["nearness"] == [
        {"name": "one", "ratio": 0.5, "cases": 3},
        {"name": "zero", "ratio": None, "cases": 1},
    ]


# ---- every bound beside what it bounds ----


def test_every_bound_of_the_package_is_in_the_table() -> None:
    claims, paired, apart = set(pairs.claims()), {p.bound for p in pairs.PAIRS}, set(pairs.OTHERS)
    assert claims - paired - apart == set(), "put it into PAIRS of conformance/pairs.py, or into OTHERS with the reason"
    assert (paired | apart) - claims == set(), "no such function claims a bound"
    assert not paired & apart and all(pairs.OTHERS.values())


@pytest.mark.parametrize(
    "name, doc, claims",
    [
        ("residual_energy_upper", "", True),
        ("decide", "Returns float64[n], each at least sum_i x_i.", True),
        ("scores", "An upper bound of the error.", True),
        ("scores", "rounded up", True),
        ("decode_rows", "Weights float32[rows, columns].", False),
        ("boundary", "Where two cells meet.", False),
    ],
)
def test_a_new_bound_would_be_found(name: str, doc: str, claims: bool) -> None:
    assert pairs.speaks_of_bounds(name, doc) is claims


def test_what_serves_is_there() -> None:
    for pair in pairs.PAIRS:
        if pair.serves.startswith("gnosis."):
            module, _, name = pair.serves.rpartition(".")
            owner = pydoc.locate(module)
            assert callable(getattr(owner, name)), pair.serves


@pytest.fixture(scope="module")
def lane() -> tuple[Report, dict[str, Near]]:
    """The lane `floats`, each check a few times."""
    report = Report(1)
    with nearness.collecting() as near:
        checks.sweep("floats", [replace(check, batch=3 * check.batch) for check in paths.load()], 1, 0.0, report, promote=False)
    assert report.disagreements == []
    return report, {n.name: n for n in near}


def test_every_pair_has_its_check_and_every_name_its_pair(lane: tuple[Report, dict[str, Near]]) -> None:
    report, near = lane
    names = {row.name for row in report.rows if row.checked}
    assert {p.check for p in pairs.PAIRS} <= names
    assert set(near) == {p.near for p in pairs.PAIRS if p.near}


@pytest.mark.parametrize("pair", [p for p in pairs.PAIRS if p.near], ids=lambda p: p.near)
def test_the_values_come_near_to_the_bound(pair: pairs.Pair, lane: tuple[Report, dict[str, Near]]) -> None:
    found = lane[1][pair.near]
    assert pair.least <= found.ratio <= 1 and found.cases > 0
    assert pair.why or pair.least >= pairs.NEAR
