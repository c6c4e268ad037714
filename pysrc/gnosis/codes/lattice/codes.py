"""The sets of points that a code may use: cubic and E8, with 2^bits points per coordinate.

Both lattices have determinant 1 and both codes give every vector of 8 weights (2^bits)^8 points, so at the same rate they
differ only in the shape of their cells.  The mean squared error per weight, at a small step s, is s²·G with G = 1/12 for the
cubic lattice and 929/12960 for E8, 14.0 percent less.  The Leech lattice would gain another 8 percent (G = 0.0658), but its blocks
of 24 divide none of the blocks and heads that occur (32, 64, 128, 256), and a nearest point takes thousands of operations
(Vardy and Be'ery, IEEE Trans. Inf. Theory 39, 1993) where E8 takes about a hundred (Conway and Sloane 1982); it is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.lattice import nearest_cubic, nearest_e8
from ...errors import RangeError

LATTICES = ("cubic", "e8")
DIMENSION = 8

# The E8 code is the set of points of E8 in the Voronoi cell of 2^bits·E8, moved by this shift.  No point of E8 lies on the
# border of the moved cell (a ± sum of these numbers is never an integer), so the cell holds exactly one
# point of every class of E8 modulo 2^bits·E8: (2^bits)⁸ points.
SHIFT = (2.0 ** -np.arange(4, 12)).astype(np.float32)

# Rows are a basis of E8.
E8_BASIS = np.array(
    [
        [2, 0, 0, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0, 0, 0],
        [0, -1, 1, 0, 0, 0, 0, 0],
        [0, 0, -1, 1, 0, 0, 0, 0],
        [0, 0, 0, -1, 1, 0, 0, 0],
        [0, 0, 0, 0, -1, 1, 0, 0],
        [0, 0, 0, 0, 0, -1, 1, 0],
        [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    ]
)
E8_BASIS_INVERSE = np.round(np.linalg.inv(E8_BASIS) * 2) / 2


def e8_in_code(points: np.ndarray, levels: int) -> np.ndarray:
    """Whether points of E8, float32[n, 8], belong to the code of levels⁸ points: bool[n].

    levels: a power of two up to 256.  The quotients are multiples of 2^-19, so distances to two cosets differ by 2^-19 or
    more where they differ, which is above the rounding error of the decoder: its answer is the exact one.
    Promises: tested `tests/test_quantize.py::test_the_e8_code_has_exactly_as_many_points_as_code_words`.
    """
    return (nearest_e8((points - SHIFT) / np.float32(levels)) == 0).all(-1)


def e8_clipped(x: np.ndarray, levels: int) -> tuple[np.ndarray, np.ndarray]:
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


def e8_index(points: np.ndarray, levels: int) -> np.ndarray:
    """The code word of a point: its coordinates in the basis, modulo `levels`; uint8[n, 8]."""
    return np.mod(np.rint(points.astype(np.float64) @ E8_BASIS_INVERSE), levels).astype(np.uint8)


def e8_from_index(index: np.ndarray, levels: int) -> np.ndarray:
    """The point of the code with a given code word: float32[n, 8].  Inverse of e8_index on the code."""
    member = (index.astype(np.float64) @ E8_BASIS).astype(np.float32)
    scale = np.float32(levels)
    return member - scale * nearest_e8((member - SHIFT) / scale)


@dataclass(frozen=True)
class Code:
    """A lattice code: "cubic" or "e8", 2 to 8 bits a weight (scales and sidecar not counted).

    Points are float32 vectors of 8, in units of the step.  Cubic: whole numbers −2^(bits−1) … 2^(bits−1)−1.  E8: its points in
    the moved Voronoi cell of 2^bits·E8.  A word is 8 numbers below 2^bits.
    Raises RangeError.
    """

    lattice: str
    bits: int

    def __post_init__(self) -> None:
        if self.lattice not in LATTICES:
            raise RangeError("lattice", self.lattice, f"not one of {', '.join(LATTICES)}")
        if isinstance(self.bits, bool) or not isinstance(self.bits, int) or not 2 <= self.bits <= 8:
            raise RangeError("bits", self.bits, "must be a whole number from 2 to 8")

    @property
    def levels(self) -> int:
        return 1 << self.bits

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points of the code for float32[n, 8], |x| ≤ 2^21, and what of each lay outside: (float32[n, 8], int64[n]).

        Rounded to a nearest lattice point (ties: halves up, the first of equal errors moves, integers before halves), then into
        the code: cubic by clipping coordinates, of which the second result is the number; E8 as `e8_clipped`, 1 or 0.
        """
        if self.lattice == "e8":
            points, outside = e8_clipped(x, self.levels)
            return points, outside.astype(np.int64)
        near = nearest_cubic(x)
        points = np.clip(near, np.float32(-self.levels // 2), np.float32(self.levels // 2 - 1))
        return points, (near != points).sum(-1)

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Which lattice points, float32[n, 8], are points of the code: bool[n]."""
        if self.lattice == "e8":
            return e8_in_code(points, self.levels)
        return np.asarray(((points >= -self.levels // 2) & (points < self.levels // 2)).all(-1))

    def words(self, points: np.ndarray) -> np.ndarray:
        """Code words uint8[n, 8] of points of the code."""
        return e8_index(points, self.levels) if self.lattice == "e8" else (points + np.float32(self.levels // 2)).astype(np.uint8)

    def points(self, words: np.ndarray) -> np.ndarray:
        """Points float32[n, 8] of code words; inverse of `words` on the code."""
        return e8_from_index(words, self.levels) if self.lattice == "e8" else words.astype(np.float32) - np.float32(self.levels // 2)
