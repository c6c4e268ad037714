"""The codes that the probe compares: cubic and E8, as unbounded lattices and as real codes of equal size.

All residuals are those of the decoded point that was actually taken.  Nothing relies on the point being the nearest.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.lattice import nearest_cubic, nearest_e8
from ..quantize import Code, rounding
from ..quantize.codes import DIMENSION

Nearest = Callable[[np.ndarray], np.ndarray]
LATTICES: dict[str, Nearest] = {"cubic": nearest_cubic, "e8": nearest_e8}

# Normalised second moments (mean squared error per dimension at determinant 1).
G_CUBIC = 1 / 12
G_E8 = 929 / 12960
EDGE_THEORY = 1 - G_E8 / G_CUBIC          # 0.1398…, in the limit of a small step

BITS_PER_WEIGHT = 4 + 16 / rounding.BLOCK            # the scale is a float16


def unbounded(weights: np.ndarray, step: np.float32, nearest: Nearest) -> np.ndarray:
    """Decoded weights of the lattice scaled by `step`, without any limit on the point: float64[n, 8].

    weights: float32[n, 8].  The product of step and point is exact in a double, so this is the decoded value itself.
    """
    return nearest(weights / step).astype(np.float64) * np.float64(step)


def bounded(blocks: np.ndarray, lattice: str) -> tuple[np.ndarray, float]:
    """A code of 16 points per weight and a float16 scale per block of 32, the best of six scales; both lattices take the same size.

    blocks: float32[n, 32].  Returns decoded values, float32[n, 32], and the share of weights (cubic) or vectors of 8 (E8)
    that were clipped.
    """
    found = rounding.nearest(blocks, Code(lattice, 4))
    decoded = found.points * rounding.steps(found.scales, 0)         # exact: 11 bits of the scale times at most 7 of the point
    return decoded, int(found.outside.sum()) / (blocks.size if lattice == "cubic" else blocks.size // DIMENSION)
