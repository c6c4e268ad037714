"""What a quantized file has lost of the original's weights, tensor by tensor: energies between two floats, worst rows, codes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..codes.lost import Rows, lost, relative_up, total_up
from ..files.screen import Show
from ..numbers.bounds import dots
from .names import Pair, Pairs

PIECE = 1 << 21  # weights that are decoded at a time
WORST = 3  # rows that are named


def _pieces(pair: Pair) -> Iterator[tuple[int, Rows]]:
    info = pair.original.info
    step = max(1, PIECE // max(1, info.columns))
    for first in range(0, info.rows, step):
        last = min(info.rows, first + step)
        yield first, lost(pair.original.rows(first, last), pair.quantized.rows(first, last))


def measured(pair: Pair) -> dict[str, Any]:
    """One tensor: codes, bits, energies and worst rows.

    energy_upper: at least Σ (original − quantized)² of the numbers that both files decode to (where one file stores a norm less 1, of its float32 sum with 1); energy: the same sum to nearest.  relative_upper, relative: the
    root of energy over the original's energy; None for an original of zeros that is not kept.  ModelError for a weight that is not finite, naming file and place.
    Promises: tested `tests/test_compare.py::test_a_sum_to_nearest_is_no_bound`.
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


def compared(pairs: Pairs, show: Show, elsewhere: Iterator[tuple[int, dict[str, Any]]] | None = None) -> dict[str, Any]:
    """All tensors of a pair of files, and their sums.  elsewhere: (number, `measured`) of each pair in any order, where others work them out."""
    sizes = [pair.original.info.rows * pair.original.info.columns for pair in pairs.pairs]
    done: dict[int, dict[str, Any]] = {}
    show("weights", 0, sum(sizes))
    for i, row in ((i, measured(pair)) for i, pair in enumerate(pairs.pairs)) if elsewhere is None else elsewhere:
        done[i] = row
        show(f"weights: {row['name']}", sum(sizes[number] for number in done), sum(sizes))
    found = [done[i] for i in range(len(sizes))]
    bits = sum(row["bits_per_weight"] * size for row, size in zip(found, sizes))
    return {
        "tensors": found,
        "left_out": [{"name": name, "reason": reason} for name, reason in pairs.left_out],
        "weights": sum(sizes),
        "bits_per_weight": bits / sum(sizes),
        "energy_upper": total_up(np.array([row["energy_upper"] for row in found])),
    }
