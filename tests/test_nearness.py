"""How near the true values of the float paths come to the bounds that are claimed for them."""
from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from gnosis.conformance import nearness
from gnosis.conformance.nearness import Near
from gnosis.conformance.report import Report


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
    assert json.loads(json.dumps(report.to_dict(), allow_nan=False))["nearness"] == [{"name": "one", "ratio": 0.5, "cases": 3}, {"name": "zero", "ratio": None, "cases": 1}]
