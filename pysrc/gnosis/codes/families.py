"""The codes that the probe compares: cubic, D8 and E8, as unbounded lattices and as real codes of equal size.

All residuals are those of the decoded point that was actually taken.  Nothing relies on the point being the nearest.
The Leech lattice is left out: it would gain another 8 percent, but its blocks of 24 divide none of the rows, heads and scale
blocks that occur, and a nearest point takes thousands of operations where E8 takes about a hundred (see `gnosis.codes.lattice.codes`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.lattice import nearest_cubic, nearest_d8, nearest_e8
from .lattice import Code, rounding
from .lattice.codes import DIMENSION, SHIFT

Nearest = Callable[[np.ndarray], np.ndarray]
CODES = ("cubic", "d8", "e8")
NEAREST: dict[str, Nearest] = {"cubic": nearest_cubic, "d8": nearest_d8, "e8": nearest_e8}
# D8 has determinant 2 where the others have 1: its step is smaller by the eighth root of 2, so that all three have one point per step⁸.
SCALE = {"cubic": np.float32(1), "d8": np.float32(2**-0.125), "e8": np.float32(1)}

# Normalised second moments (mean squared error per dimension at determinant 1); Conway and Sloane 1982.
G = {"cubic": 1 / 12, "d8": 2**-0.25 * (1 / 12 + 1 / 144), "e8": 929 / 12960}
EDGE_THEORY = {code: 1 - G[code] / G["cubic"] for code in ("d8", "e8")}  # 8.9 and 14.0 percent, in the limit of a small step

BITS_PER_WEIGHT = 4 + 16 / rounding.BLOCK  # the scale is a float16
CELLS = 16  # bins of a cubic cell

# Bounded D8, built as the bounded E8 is (`gnosis.codes.lattice.codes`): its points in the Voronoi cell of 16·D8, moved by the same
# shift, one for each of the 16⁸ classes of D8 modulo 16·D8.
LEVELS = 16
D8_FACTORS = rounding.FACTORS["e8"] * np.float32(2**0.125)


def unbounded(weights: np.ndarray, step: np.float32, code: str) -> np.ndarray:
    """Decoded weights of the lattice scaled to one point per step⁸, without any limit on the point: float64[n, 8].

    weights: float32[n, 8].  The product of step and point is exact in a double, so this is the decoded value itself.
    Promises: tested `tests/test_probe.py::test_all_decisions_by_exact_arithmetic_give_the_same_report`.
    """
    step = step * SCALE[code]
    return NEAREST[code](weights / step).astype(np.float64) * np.float64(step)


def bounded(blocks: np.ndarray, code: str) -> tuple[np.ndarray, int]:
    """A code of 16⁸ points per 8 weights and a float16 scale per block of 32, the best of six scales; all three take the same size.

    blocks: float32[n, 32].  Returns decoded values, float32[n, 32], and how many weights (cubic) or vectors of 8 (D8, E8)
    were clipped.
    Promises: tested `tests/test_probe_codes.py::test_bounded_codes_rank_as_their_lattices`, `tests/test_probe_codes.py::test_cubic_code_holds_sixteen_levels_and_beats_q4_0`.
    """
    found = _bounded_d8(blocks) if code == "d8" else rounding.nearest(blocks, Code(code, 4))
    # exact: 11 bits of the scale times at most 7 of the point
    return found.points * rounding.steps(found.scales, 0), int(found.outside.sum())


def _bounded_d8(blocks: np.ndarray) -> rounding.Points:
    """As `rounding.nearest`, for the bounded D8 code."""
    sizes = rounding.block_sizes(blocks, Code("e8", 4))
    best = rounding.Points(np.zeros_like(blocks), np.zeros(len(blocks), np.float16), np.zeros(len(blocks), np.int64))
    least = np.full(len(blocks), np.inf)
    for factor in D8_FACTORS:
        scales = np.minimum(sizes / factor, np.float32(rounding.HALF_MAX)).astype(np.float16)
        step = rounding.steps(scales, 0)
        with np.errstate(over="ignore", invalid="ignore"):
            x = np.divide(blocks, step, out=np.zeros_like(blocks), where=step != 0)
        points, outside = d8_clipped(np.clip(x, np.float32(-(2**20)), np.float32(2**20)).reshape(-1, DIMENSION))
        points, outside = points.reshape(blocks.shape), outside.reshape(len(blocks), -1).sum(-1)
        lost = blocks - points * step
        error = np.einsum("ij,ij->i", lost, lost, dtype=np.float64, casting="same_kind")
        better = error < least
        least[better] = error[better]
        for kept, tried in zip(best, (points, scales, outside)):
            kept[better] = tried[better]
    return best


def d8_in_code(points: np.ndarray) -> np.ndarray:
    """Whether points of D8, float32[n, 8], belong to the bounded code: bool[n].

    ⟨p − shift, r⟩ is never 16 for a point p and a root r, the sum of two of the shift's numbers being no integer, so no point lies
    on the border.
    Promises: tested `tests/test_probe_codes.py::test_the_bounded_d8_code`.
    """
    zero = nearest_d8((points - SHIFT) / np.float32(LEVELS)) == 0
    return (zero.view(np.uint64) == 0x0101010101010101).ravel()  # all eight of a row; several times as fast as numpy's `all`


def d8_clipped(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of the bounded D8 code for float32[n, 8], and which vectors lay outside: (float32[n, 8], bool[n]).

    A vector whose nearest point is outside is pulled towards zero in sixteenths of its length until its point is inside.
    """
    points = nearest_d8(x)
    outside = ~d8_in_code(points)
    rest = np.flatnonzero(outside)
    for sixteenths in range(15, -1, -1):
        if not rest.size:
            break
        points[rest] = nearest_d8(x[rest] * np.float32(sixteenths / 16))
        rest = rest[~d8_in_code(points[rest])]
    return points, outside
