"""The codes that the probe compares: cubic and E8, as unbounded lattices and as real codes of equal size.

All residuals are those of the decoded point that was actually taken.  Nothing relies on the point being the nearest.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.lattice import nearest_cubic, nearest_e8

Nearest = Callable[[np.ndarray], np.ndarray]
LATTICES: dict[str, Nearest] = {"cubic": nearest_cubic, "e8": nearest_e8}

# Normalised second moments (mean squared error per dimension at determinant 1).
G_CUBIC = 1 / 12
G_E8 = 929 / 12960
EDGE_THEORY = 1 - G_E8 / G_CUBIC          # 0.1398…, in the limit of a small step

LEVELS = 16                               # per weight: 4 bits
BLOCK = 32                                # weights that share a scale
SCALE_BITS = 16                           # the scale is a float16
BITS_PER_WEIGHT = np.log2(LEVELS) + SCALE_BITS / BLOCK
HALF_MAX = np.float32(65504)              # largest float16

# Both codes choose, per block, the best of six scales.  The ranges hold the optimum of Gaussian and of real weights
# well inside.  Cubic: largest |weight| over the factor; E8: longest vector of 8 over the factor.
CUBIC_FACTORS = tuple(np.geomspace(6.9, 9.1, 6).astype(np.float32))
E8_FACTORS = tuple(np.geomspace(11.0, 14.2, 6).astype(np.float32))

# The E8 code is the set of points of E8 in the Voronoi cell of 16·E8, moved by this shift.  No point of E8 lies on the
# border of the moved cell (a ± sum of these numbers is never an integer), so the cell holds exactly one
# point of every class of E8 modulo 16·E8: 16⁸ points, 4 bits per weight.
SHIFT = (2.0 ** -np.arange(4, 12)).astype(np.float32)

# Rows are a basis of E8.
E8_BASIS = np.array([[2, 0, 0, 0, 0, 0, 0, 0], [-1, 1, 0, 0, 0, 0, 0, 0], [0, -1, 1, 0, 0, 0, 0, 0], [0, 0, -1, 1, 0, 0, 0, 0],
                     [0, 0, 0, -1, 1, 0, 0, 0], [0, 0, 0, 0, -1, 1, 0, 0], [0, 0, 0, 0, 0, -1, 1, 0],
                     [.5, .5, .5, .5, .5, .5, .5, .5]])
E8_BASIS_INVERSE = np.round(np.linalg.inv(E8_BASIS) * 2) / 2


def unbounded(weights: np.ndarray, step: np.float32, nearest: Nearest) -> np.ndarray:
    """Decoded weights of the lattice scaled by `step`, without any limit on the point: float64[n, 8].

    weights: float32[n, 8].  The product of step and point is exact in a double, so this is the decoded value itself.
    """
    return nearest(weights / step).astype(np.float64) * np.float64(step)


def e8_in_code(points: np.ndarray, levels: int = LEVELS) -> np.ndarray:
    """Whether points of E8, float32[n, 8], belong to the code of levels⁸ points: bool[n].

    levels: a power of two up to 64, so that the division is exact.
    """
    return (nearest_e8((points - SHIFT) / np.float32(levels)) == 0).all(-1)


def e8_clipped(x: np.ndarray, levels: int = LEVELS) -> tuple[np.ndarray, np.ndarray]:
    """Points of the bounded E8 code for float32[n, 8], and which vectors lay outside: (float32[n, 8], bool[n]).

    A vector whose nearest point is outside is pulled towards zero in sixteenths of its length until its point is inside.
    """
    points = nearest_e8(x)
    outside = ~e8_in_code(points, levels)
    rest = np.flatnonzero(outside)
    for sixteenths in range(15, -1, -1):
        if not rest.size:
            break
        points[rest] = nearest_e8(x[rest] * np.float32(sixteenths / 16))
        rest = rest[~e8_in_code(points[rest], levels)]
    return points, outside


def e8_index(points: np.ndarray, levels: int = LEVELS) -> np.ndarray:
    """The code word of a point: its coordinates in the basis, modulo `levels`; uint8[n, 8]."""
    return np.mod(np.rint(points.astype(np.float64) @ E8_BASIS_INVERSE), levels).astype(np.uint8)


def e8_from_index(index: np.ndarray, levels: int = LEVELS) -> np.ndarray:
    """The point of the code with a given code word: float32[n, 8].  Inverse of e8_index on the code."""
    member = (index.astype(np.float64) @ E8_BASIS).astype(np.float32)
    scale = np.float32(levels)
    return member - scale * nearest_e8((member - SHIFT) / scale)


def _scales(size: np.ndarray, factor: np.float32) -> np.ndarray:
    """Scales as a float16 holds them, float32[n, 1]."""
    return np.clip(size / factor, -HALF_MAX, HALF_MAX).astype(np.float16).astype(np.float32)


def _divided(blocks: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """blocks / scale, zero where the scale is zero, kept inside the range where the lattice decoders are exact."""
    with np.errstate(over="ignore"):
        x = np.divide(blocks, scale, out=np.zeros_like(blocks), where=scale != 0)
    return np.clip(x, np.float32(-2 ** 20), np.float32(2 ** 20))


def _best(blocks: np.ndarray, size: np.ndarray, factors: tuple[np.float32, ...],
          code: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, int]:
    """Per block the decoded values of the best scale, float32[n, 32], and the number of clipped weights or vectors."""
    decoded = np.zeros_like(blocks)
    least = np.full(len(blocks), np.inf)
    clipped = np.zeros(len(blocks), np.int64)
    for factor in factors:
        scale = _scales(size, factor)
        points, outside = code(_divided(blocks, scale))
        tried = points * scale                      # exact: 11 bits of the scale times at most 7 of the point
        error = np.square(blocks - tried, dtype=np.float64).sum(-1)
        better = error < least
        least[better], decoded[better], clipped[better] = error[better], tried[better], outside[better]
    return decoded, int(clipped.sum())


def bounded_cubic(blocks: np.ndarray) -> tuple[np.ndarray, float]:
    """16 levels −8 … 7 per weight and a float16 scale per block of 32, as in Q4_0, best of six scales.

    blocks: float32[n, 32].  Returns decoded values, float32[n, 32], and the share of weights that were clipped.
    The scale carries the sign that puts the largest weight at −8.
    """
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[:, None], -1)

    def code(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        near = nearest_cubic(x.reshape(-1, 8)).reshape(x.shape)
        points = np.clip(near, np.float32(-LEVELS // 2), np.float32(LEVELS // 2 - 1))
        return points, (near != points).sum(-1)

    decoded, clipped = _best(blocks, -largest, CUBIC_FACTORS, code)
    return decoded, clipped / blocks.size


def bounded_e8(blocks: np.ndarray) -> tuple[np.ndarray, float]:
    """16⁸ points of E8 per vector of 8 and a float16 scale per block of 32: the same size as bounded_cubic.

    blocks: float32[n, 32].  Returns decoded values, float32[n, 32], and the share of vectors that were clipped.
    """
    longest = np.sqrt(np.square(blocks.reshape(len(blocks), 4, 8).astype(np.float64)).sum(-1).max(-1))[:, None].astype(np.float32)

    def code(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        points, outside = e8_clipped(x.reshape(-1, 8))
        return points.reshape(x.shape), outside.reshape(len(x), 4).sum(-1)

    decoded, clipped = _best(blocks, longest, E8_FACTORS, code)
    return decoded, clipped / (blocks.size // 8)


BOUNDED: dict[str, Callable[[np.ndarray], tuple[np.ndarray, float]]] = {"cubic": bounded_cubic, "e8": bounded_e8}


def in_blocks(rows: np.ndarray) -> np.ndarray:
    """Rows cut into blocks of 32, the last block of a row filled up with zeros: float32[n, 32]."""
    missing = -rows.shape[1] % BLOCK
    return np.pad(rows, ((0, 0), (0, missing))).reshape(-1, BLOCK)


def from_blocks(blocks: np.ndarray, columns: int) -> np.ndarray:
    """Undo in_blocks: [rows, columns]."""
    padded = columns + -columns % BLOCK
    return blocks.reshape(-1, padded)[:, :columns]
