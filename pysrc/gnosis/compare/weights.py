"""What a quantized file has lost of the original's weights, tensor by tensor: energies between two floats, worst rows, codes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..files.screen import Show
from ..numbers.bounds import above, below, dots
from .names import Pair, Pairs

PIECE = 1 << 21  # weights that are decoded at a time
WORST = 3  # rows that are named


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


def _pieces(pair: Pair) -> Iterator[tuple[int, Rows]]:
    info = pair.original.info
    step = max(1, PIECE // max(1, info.columns))
    for first in range(0, info.rows, step):
        last = min(info.rows, first + step)
        yield first, lost(pair.original.rows(first, last), pair.quantized.rows(first, last))


def total_up(parts: np.ndarray) -> float:
    """At least the sum of non-negative float64."""
    one = np.ones(len(parts))
    return float(dots((parts, parts), (one, one))[1])


def relative_up(high: float, norm_low: float) -> float | None:
    """At least √(high / norm) for a norm of at least norm_low; None where that is 0 and something was lost."""
    if high == 0:
        return 0.0
    if norm_low == 0:
        return None
    return math.nextafter(math.sqrt(math.nextafter(high / norm_low, math.inf)), math.inf)


def measured(pair: Pair) -> dict[str, Any]:
    """One tensor: codes, bits, energies and worst rows.

    energy_upper: at least Σ (original − quantized)² of the numbers that both files decode to (where one file stores a norm less 1, of its float32 sum with 1); energy: the same sum to nearest.  relative_upper, relative: the
    root of energy over the original's energy; None for an original of zeros that is not kept.  ModelError for a weight that is not finite, naming file and place.
    """
    every = list(_pieces(pair))
    _, high, energy, norm_low, norm = (np.concatenate([getattr(rows, name) for _, rows in every]) for name in Rows._fields)
    worst = np.argsort(-high, kind="stable")[:WORST]
    upper, size = total_up(high), float(norm.sum())
    least = float(dots((norm_low, norm_low), (np.ones(len(norm_low)), np.ones(len(norm_low))))[0])
    one, two = pair.original.info, pair.quantized.info
    for side in (pair.original, pair.quantized):
        side.file.release(side.name)
    return {
        "name": pair.name,
        "quantized_name": pair.quantized.name,
        "shape": list(one.shape),
        "original_code": one.encoding,
        "code": two.encoding,
        "bits_per_weight": 8 * two.nbytes / (two.rows * two.columns),
        "energy_upper": upper,
        "energy": float(energy.sum()),
        "relative_upper": relative_up(upper, least),
        "relative": None if size == 0 and upper else math.sqrt(float(energy.sum()) / size) if size else 0.0,
        "worst_rows": [
            {"row": int(i), "energy_upper": float(high[i]), "relative_upper": relative_up(float(high[i]), float(norm_low[i]))} for i in worst if high[i]
        ],
        "exact": "F64" not in (one.encoding, two.encoding),
    }


def compared(pairs: Pairs, show: Show) -> dict[str, Any]:
    """All tensors of a pair of files, and their sums."""
    found = []
    sizes = [pair.original.info.rows * pair.original.info.columns for pair in pairs.pairs]
    for i, pair in enumerate(pairs.pairs):
        show(f"weights: {pair.name}", sum(sizes[:i]), sum(sizes))
        found.append(measured(pair))
    bits = sum(row["bits_per_weight"] * size for row, size in zip(found, sizes))
    return {
        "tensors": found,
        "left_out": [{"name": name, "reason": reason} for name, reason in pairs.left_out],
        "weights": sum(sizes),
        "bits_per_weight": bits / sum(sizes),
        "energy_upper": total_up(np.array([row["energy_upper"] for row in found])),
    }
