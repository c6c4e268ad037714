"""A Q8_0 matrix in a nested code: a coarse plane, a second plane, residual energies, and the rows themselves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core import head as kernel
from ..errors import ArgumentError, DtypeError, LengthError, RangeError
from ..lm.weights import Weight
from ..numbers.door import array
from ..numbers.exact import integers


@dataclass(frozen=True)
class Price:
    """Bytes that were read for one activation.

    coarse: the coarse plane of all rows, 4 bits a weight, or a whole pass.  sidecar: scales and residual energies, or norms of rows.
    split: the second plane of the split columns.  rows: whole rows, recomputed.
    """

    coarse: int
    sidecar: int
    split: int
    rows: int

    @property
    def total(self) -> int:
        return self.coarse + self.sidecar + self.split + self.rows


class NestedCode:
    """A matrix of Q8_0 blocks, taken apart.

    A code q is 16·u − 128 + l with u, l in 0 … 15.  The coarse plane holds u; the second plane holds l column by column; of every block of
    32 weights, and of every row, the energy of what the coarse plane alone does not say is kept, rounded up.  Without l a weight is
    d·(16·u − 120.5).

    weight: Q8_0, with finite scales.
    blocks: uint8[rows · b, 34].  planes: coarse, rest, scales, roots, as `gnosis.core.head.pack` gives them.
    Raises RangeError for another encoding, NonFiniteError naming the block.
    """

    def __init__(self, weight: Weight) -> None:
        if weight.encoding != "Q8_0":
            raise RangeError("encoding", weight.encoding, "the nested code is one of Q8_0 blocks")
        self.weight, self.rows, self.columns = weight, weight.rows, weight.columns
        self.planes = kernel.pack(weight.blocks, weight.rows)

    @property
    def nbytes(self) -> int:
        """Bytes of the planes, energies and rows in memory."""
        return sum(plane.nbytes for plane in self.planes) + self.weight.nbytes

    def row_energies(self) -> np.ndarray:
        """float64[rows]: at least the energy of the residual of each row, in the squared unit of the weights.

        Promises: tested `floats: nested code energies`, `tests/test_head.py::test_every_bound_holds_exactly`.
        """
        _, _, scales, roots = self.planes
        d, r = scales.view(np.float16).astype(np.float64), roots.astype(np.float64)
        # a term has 22 + 16 bits and is exact; the factor and a sum of b terms round b + 2 times
        energies = (d * d * r * r).sum(axis=1) * (1800 / 65025)
        return np.asarray(energies.reshape(-1)[: self.rows] * (1 + (d.shape[1] + 4) * 2.0**-52))

    def check(self) -> None:
        """Compute every plane and energy again from the rows.  ArgumentError naming the first plane and place that is not what it should be.

        An energy that is larger than it need be does no harm and is let pass; a smaller one could lose the true winner.
        """
        planes: list[tuple[np.ndarray, np.ndarray]] = list(zip(self.planes, kernel.pack(self.weight.blocks, self.rows)))
        for name, (have, want) in zip(("coarse", "rest", "scales", "roots"), planes):
            if have.shape != want.shape or have.dtype != want.dtype:
                raise LengthError(name, have.shape, f"the plane of these rows has the shape {want.shape}")
            wrong = have < want if name == "roots" else have != want
            if wrong.any():
                at = tuple(int(i) for i in np.argwhere(wrong)[0])
                raise ArgumentError(
                    name, int(have[at]), f"the rows say {int(want[at])}" + (", and a smaller energy is no bound" if name == "roots" else ""), at
                )

    def price(self, split: int, rows: int) -> Price:
        """What a pass with so many split columns and recomputed rows reads."""
        coarse, rest, scales, roots = self.planes
        return Price(coarse.nbytes, scales.nbytes + roots.nbytes, split * rest.shape[0] * kernel.TILE * 8, rows * self.weight.raw.shape[1])

    def exact(self, activation: np.ndarray, index: np.ndarray) -> list[Fraction]:
        """The products of chosen rows with an activation, in whole numbers and without any rounding.

        activation: float32[columns], finite; index: int[n].  Rows of the same bytes are computed once.
        Promises: tested `tests/test_head.py::test_every_bound_holds_exactly`.
        """
        a, unit = integers(activation, "activation")
        known: dict[bytes, Fraction] = {}
        out = []
        for i in index:
            raw = self.weight.raw[int(i)]
            key = raw.tobytes()
            if key not in known:
                blocks = raw.reshape(-1, kernel.BLOCK_BYTES)
                scales = (blocks[:, :2].copy().view("<f2").ravel().astype(np.float64) * 2.0**24).astype(np.int64).tolist()
                codes = blocks[:, 2:].view(np.int8).tolist()
                whole = sum(d * sum(q * x for q, x in zip(row, a[kernel.BLOCK * b :])) for b, (d, row) in enumerate(zip(scales, codes)))
                known[key] = whole * unit / 2**24
            out.append(known[key])
        return out


def activation(value: np.ndarray, columns: int) -> np.ndarray:
    """A vector that can be multiplied: float32[columns].  DtypeError, LengthError."""
    value = array(value, "activation")
    if not isinstance(value, np.ndarray) or value.dtype != np.float32:
        raise DtypeError("activation", getattr(value, "dtype", type(value).__name__), "must be an array of float32; nothing is converted silently")
    if value.shape != (columns,):
        raise LengthError("activation", value.shape, f"the matrix has {columns} columns")
    return value
