"""The Tukey bowl."""

import math
from fractions import Fraction

import floats
import numpy as np
import pytest
from hypothesis import given

from gnosis.conformance.running import strategies
from gnosis.errors import DtypeError, LengthError, NegativeError, NonFiniteError
from gnosis.gates.tukey import TukeyGate, tukey_admit, tukey_weight

finite = strategies.numbers()


def faults(admit, weight):
    """What the bowl promises, broken, over all small integers."""
    broken = 0
    for γ in range(-3, 14):
        for r in range(-9, 10):
            inside = γ >= 0 and 2 * abs(r) <= γ
            broken += admit(r, γ) != inside
            broken += not 0 <= weight(r, γ) <= γ**4  # range
            broken += not inside and weight(r, γ) != 0  # miss, not lie
            broken += 2 * abs(r) == γ and weight(r, γ) != 0  # zero at the rim
            broken += inside and r > 0 and weight(r, γ) > weight(r - 1, γ)  # falls
            broken += r == 0 and γ > 0 and weight(r, γ) != γ**4  # not vacuous
    return broken


def test_the_bowl():
    assert faults(tukey_admit, tukey_weight) == 0


@pytest.mark.parametrize(
    "admit, weight",
    [
        (lambda r, γ: 2 * abs(r) < γ, tukey_weight),
        (lambda r, γ: abs(r) <= γ, tukey_weight),
        (lambda r, γ: 2 * r <= γ, tukey_weight),
        (tukey_admit, lambda r, γ: (γ * γ - 4 * r * r) ** 2),
        (tukey_admit, lambda r, γ: γ * γ - 4 * r * r if tukey_admit(r, γ) else 1),
    ],
    ids=["rim refused", "factor lost", "one side only", "no redescent", "believed past the rim"],
)
def test_a_wrong_bowl_is_caught(admit, weight):
    assert faults(admit, weight) > 0


@given(finite, finite.map(abs))
def test_gate_is_the_exact_predicate(r, γ):
    verdict = TukeyGate(γ).decide(r)
    margin = Fraction(γ) - 2 * abs(Fraction(r))
    assert verdict.margin == margin and verdict.admit == (margin >= 0)
    assert TukeyGate(γ).decide_many(np.array([r])).tolist() == [verdict.admit]
    weight = TukeyGate(γ).weight(r)
    assert weight == ((Fraction(γ) ** 2 - 4 * Fraction(r) ** 2) ** 2 if verdict.admit else 0)


def disagreements(decide_many):
    wrong = 0
    for γ in (0.2, 1.0, Fraction(1, 3), Fraction(1, 10), 5e-324, Fraction(1, 2**1074), floats.MOST, 10**400, 0):
        try:
            centre = float(Fraction(γ) / 2)
        except OverflowError:
            centre = floats.MOST
        r = np.array([s * v for v in (*floats.near(centre), 0.0, floats.MOST, floats.LEAST) for s in (1, -1)])
        truth = [2 * abs(Fraction(v)) <= Fraction(γ) for v in r.tolist()]
        wrong += sum(a != b for a, b in zip(decide_many(TukeyGate(γ), r).tolist(), truth, strict=True))
    return wrong


def test_decide_many_at_the_rim():
    assert disagreements(TukeyGate.decide_many) == 0


def test_a_rounded_threshold_is_caught():
    def rounded(gate, r):
        try:
            half = np.float64(float(gate.gamma)) * 0.5  # underflows, and 1/3 is not a float
        except OverflowError:
            half = np.inf
        return abs(r) <= half

    assert disagreements(rounded) > 0


def test_exact_numbers_in_a_batch():
    assert TukeyGate(Fraction(1, 3)).decide_many([Fraction(1, 6), Fraction(-1, 6), Fraction(1, 5), 0, 10**400]).tolist() == [True, True, False, True, False]
    assert TukeyGate(2).decide_many(np.array([2**60, 1, -1, -2])).tolist() == [False, True, True, False]
    assert TukeyGate(2).decide_many([]).tolist() == []


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: TukeyGate(-1), NegativeError, "gamma"),
        (lambda: TukeyGate(math.inf), NonFiniteError, "gamma"),
        (lambda: TukeyGate(1).decide(math.nan), NonFiniteError, "r = nan"),
        (lambda: TukeyGate(1).decide("1"), DtypeError, "r"),
        (lambda: TukeyGate(1).decide_many(np.array([1, np.nan])), NonFiniteError, r"r\[1\]"),
        (lambda: TukeyGate(1).decide_many(np.ones((2, 2))), LengthError, "r"),
        (lambda: TukeyGate(1).decide_many(np.array([True])), DtypeError, "r"),
        (lambda: TukeyGate(1).weight(math.inf), NonFiniteError, "r"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()
