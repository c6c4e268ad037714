"""What decoded weights have lost of an original: energies between two floats."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..numbers.bounds import above, below, dots


class Rows(NamedTuple):
    """Of each row, float64[n]: what was lost as an enclosure, as a plain sum, and the original's energy from below."""

    low: np.ndarray
    high: np.ndarray
    measured: np.ndarray
    norm_low: np.ndarray
    norm: np.ndarray


def lost(original: np.ndarray, quantized: np.ndarray) -> Rows:
    """Energies of the difference of two matrices float32[n, columns], of every row.

    low ≤ Σ (original − quantized)² ≤ high as real numbers: each difference of two float32 numbers is rounded outward by one float64, and so are
    the sums (`gnosis.numbers.bounds.dots`).  Equal rows have 0 and 0.
    """
    one, two = original.astype(np.float64), quantized.astype(np.float64)
    apart = np.abs(one - two)
    differs = one != two
    least, most = np.where(differs, np.maximum(below(apart), 0), 0), np.where(differs, above(apart), 0)
    low, high = dots((least, most), (least, most))
    size = np.abs(one)
    norm_low, _ = dots((size, size), (size, size))
    return Rows(low, high, (apart * apart).sum(axis=1), norm_low, (one * one).sum(axis=1))


def total_up(parts: np.ndarray) -> float:
    """At least the sum of non-negative float64.

    Promises: tested `tests/test_compare.py::test_a_sum_to_nearest_is_no_bound`.
    """
    one = np.ones(len(parts))
    return float(dots((parts, parts), (one, one))[1])


def relative_up(high: float, norm_low: float) -> float | None:
    """At least √(high / norm) for a norm of at least norm_low; None where that is 0 and something was lost.

    Promises: tested `tests/test_compare.py::test_a_sum_to_nearest_is_no_bound`.
    """
    if high == 0:
        return 0.0
    if norm_low == 0:
        return None
    return math.nextafter(math.sqrt(math.nextafter(high / norm_low, math.inf)), math.inf)
