"""Held-out failures of a threshold that was itself drawn: how many of them a draw of calibration and held-out scores gives.

The threshold is the k-th smallest of n calibration scores.  For exchangeable scores without ties the number of m held-out scores above it is
beta-binomial, with parameters n + 1 − k and k: an exact binomial interval around the measured share is about the threshold that happened to be drawn, and lies above the stated
rate for every second calibration or so.  The range here is about both draws together.  With ties the number is smaller in law, so the upper
end holds.  `gnosis.risk.extrapolation.pool_order_tail` has the same law in whole numbers (`Gnosis.pool_order_statistic`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from ..errors import EmptyError, RangeError
from ..numbers.levels import Level, level, whole

MOST = 2**24  # held-out scores of one calibration
SLACK = 1e-7  # of probability, outward: far more than what float64 loses below


def _law(scores: int, rank: int, held_out: int) -> np.ndarray:
    """float64[held_out + 1]: the probability of each count, to 1e-9 or better."""
    a, b, x = scores + 1 - rank, rank, np.arange(held_out + 1.0)
    logs = gammaln(x + a) - gammaln(x + 1) + gammaln(held_out - x + b) - gammaln(held_out - x + 1)
    found = np.exp(logs - logs.max())
    return found / found.sum()


def expected(groups: Sequence[tuple[int, int, int]], confidence: Level = "0.95") -> tuple[int, int]:
    """The least and the largest number of failures that are expected: fewer, and more, come out with probability (1 − confidence) / 2 each or less.

    groups: (scores n, rank k ≤ n, held-out scores m) of each calibration; their counts are added, as those of independent draws.
    The ends are rounded outward by 1e-7 of probability.  Raises EmptyError, RangeError, DtypeError, NonFiniteError.
    Promises: tested `tests/test_held_out.py::test_the_range_is_that_of_whole_numbers`, `tests/test_held_out.py::test_the_range_covers_both_draws`.
    """
    if not len(groups):
        raise EmptyError("groups")
    for n, k, m in groups:
        if whole(k, "rank", 1) > whole(n, "scores", 1):
            raise RangeError("rank", k, f"there are {n} scores")
        if whole(m, "held_out") > MOST:
            raise RangeError("held_out", m, f"must be at most {MOST}")
    return _range(tuple(sorted(Counter(groups).items())), float((1 - level(confidence, "confidence")) / 2))


@lru_cache(maxsize=1024)
def _range(groups: tuple[tuple[tuple[int, int, int], int], ...], tail: float) -> tuple[int, int]:
    if len(groups) == 1 and groups[0][1] == 1:
        law, start = _law(*groups[0][0]), 0
    else:
        law, start = _sum(groups)
    below = np.concatenate([[0.0], np.cumsum(law)])  # of fewer than c
    above = np.concatenate([np.cumsum(law[::-1])[::-1], [0.0]])  # of c or more
    low = int(np.flatnonzero(below[:-1] <= tail - SLACK)[-1])
    high = int(np.flatnonzero(above[1:] <= tail - SLACK)[0])
    return start + low, start + high


def _sum(groups: tuple[tuple[tuple[int, int, int], int], ...]) -> tuple[np.ndarray, int]:
    """The law of a sum, and the count that its first entry is of.

    By Fourier transforms on a circle that is 64 standard deviations long: what lies further than 32 of them from the mean, less than 1e-12, falls on
    other counts.
    """
    total = sum(m * times for (_, _, m), times in groups)
    mean = variance = 0.0
    for (n, k, m), times in groups:
        a, b = n + 1 - k, k
        mean += times * m * a / (a + b)
        variance += times * m * a * b * (a + b + m) / ((a + b) ** 2 * (a + b + 1))
    size = 1 << min(total + 1, int(64 * math.sqrt(variance)) + 64).bit_length()
    product = np.ones(size // 2 + 1, np.complex128)
    for group, times in groups:
        law = _law(*group)
        product *= np.fft.rfft(np.bincount(np.arange(len(law)) % size, law, size)) ** times
    law = np.maximum(np.fft.irfft(product, size), 0)
    start = max(0, int(mean) - size // 2)
    return np.roll(law, -(start % size))[: total + 1 - start], start
