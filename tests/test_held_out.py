"""The range of held-out failures of a drawn threshold: against whole numbers, by simulation, and what an interval of one threshold misses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gnosis.errors import ArgumentError, EmptyError, RangeError
from gnosis.gates.conformal import rank
from gnosis.probe.figures import interval
from gnosis.risk.extrapolation import pool_order_tail
from gnosis.risk.held_out import expected

SHAPES = [(60, "0.9", 40), (153, "0.95", 103), (2457, "0.99", 1639), (57, "0.5", 39), (30, "0.95", 5), (99, "0.99", 500)]


def tail(n: int, k: int, m: int, more_than: int) -> Fraction:
    """The probability of more than so many failures, in whole numbers."""
    return pool_order_tail(n + m, n, k, more_than) if more_than >= 0 else Fraction(1)


@pytest.mark.parametrize("n, q, m", SHAPES)
def test_the_range_is_that_of_whole_numbers(n, q, m):
    k = rank(n, q)
    low, high = expected([(n, k, m)])
    half = Fraction("0.025")
    assert 1 - tail(n, k, m, low - 1) <= half and tail(n, k, m, high) <= half
    # and it is no wider than it must be, but for the slack
    assert low == m or 1 - tail(n, k, m, low) > half - Fraction("1e-6")
    assert high == 0 or tail(n, k, m, high - 1) > half - Fraction("1e-6")


def covered(make, trials: int, seed: int, groups: list[tuple[int, str, int]]) -> float:
    """In how many draws of calibration and held-out scores `make` (counts, of) → interval holds what it is about."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(trials):
        counts = []
        for n, q, m in groups:
            scores = rng.lognormal(0, 0.8, n + m)
            counts.append(int((scores[n:] > np.sort(scores[:n])[rank(n, q) - 1]).sum()))
        held += make(counts)
    return held / trials


def ours(groups: list[tuple[int, str, int]]):
    low, high = expected([(n, rank(n, q), m) for n, q, m in groups])
    return lambda counts: low <= sum(counts) <= high


def binomial(groups: list[tuple[int, str, int]]):
    """The exact interval of the measured share, read as one of the rate that is stated."""
    ((n, q, m),) = groups
    stated = (n + 1 - rank(n, q)) / (n + 1)

    def holds(counts: list[int]) -> bool:
        low, high = interval(counts[0], m)
        return low <= stated <= high

    return holds


@pytest.mark.parametrize("groups", [[(153, "0.95", 103)], [(60, "0.9", 40)], [(57, "0.5", 39)], [(60, "0.9", 40), (153, "0.9", 103), (60, "0.9", 40)]])
def test_the_range_covers_both_draws(groups):
    assert covered(ours(groups), 2000, 1, groups) >= 0.94


def test_the_interval_of_one_threshold_does_not_cover_them():
    """Red: Clopper–Pearson, which takes the threshold as given, holds the stated rate far less often than it says."""
    groups = [(60, "0.5", 400)]
    assert covered(binomial(groups), 1000, 2, groups) < 0.8 and covered(ours(groups), 1000, 2, groups) >= 0.94


def test_sums_of_independent_draws_by_convolution():
    from gnosis.risk.held_out import _law

    law = np.convolve(_law(60, 55, 40), _law(30, 20, 10))
    low, high = expected([(60, 55, 40), (30, 20, 10)])
    assert law[:low].sum() <= 0.025 < law[: low + 1].sum() and law[high + 1 :].sum() <= 0.025 < law[high:].sum()


@pytest.mark.parametrize("times", [2, 37, 500])
def test_sums_of_many_matrices_are_near_the_normal_law(times):
    """Far more than the circle holds, and the range is that of the central limit within a count or two."""
    n, k, m = 2457, 2434, 1639
    a, b = n + 1 - k, k
    low, high = expected([(n, k, m)] * times)
    mean, variance = times * m * a / (a + b), times * m * a * b * (a + b + m) / ((a + b) ** 2 * (a + b + 1))
    assert abs((low + high) / 2 - mean) <= 3 and high - low == pytest.approx(2 * 1.96 * variance**0.5, rel=0.05)


def test_what_cannot_be_asked_for():
    with pytest.raises(EmptyError):
        expected([])
    with pytest.raises(RangeError, match="rank"):
        expected([(10, 11, 5)])
    with pytest.raises(RangeError, match="held_out"):
        expected([(10, 5, 2**24 + 1)])
    with pytest.raises(ArgumentError):
        expected([(10, 5, 5)], "1.5")
    assert expected([(10, 5, 0)]) == (0, 0)
