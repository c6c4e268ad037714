"""A matrix product that keeps coarse what a bound lets it keep.

An output is admitted when twice its error bound is at most γ: then the coarse value stays, with an error of at most γ / 2.  The bound is
the head's (`Gnosis.head_within`), with an original the error of the code is added, and the rounding to float32 is added to it (`Gnosis.within_add`).  Every other output is computed again from
its whole row, in float64, with the bound that `head.c` argues for its sums.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..core import head as kernel
from ..errors import DtypeError, LengthError
from ..lm.weights import Weight
from ..numbers.bounds import above, enclose
from ..numbers.door import array
from ..numbers.exact import Number, nonnegative
from .codes import NestedCode
from .original import CODE, ORIGINAL, taken

SPLIT = 192  # columns; an error of each output has to be small here, not only smaller than a lead, so more than for a head


@dataclass
class Share:
    """Counts over the calls of a product.

    outputs: all; admitted: those that stayed coarse.  bytes_read, bytes_whole: ours, and those of the whole Q8_0 matrix.
    bound: largest bound on the error of an output that was given.
    """

    outputs: int = 0
    admitted: int = 0
    bytes_read: int = 0
    bytes_whole: int = 0
    bound: float = 0.0

    def add(self, other: Share) -> None:
        self.outputs += other.outputs
        self.admitted += other.admitted
        self.bytes_read += other.bytes_read
        self.bytes_whole += other.bytes_whole
        self.bound = max(self.bound, other.bound)


@dataclass
class CertifiedLinear:
    """x ↦ x · Wᵀ with a stated error for every output; a `gnosis.lm.Product`.

    weight: Q8_0 matrix, a NestedCode of it, or float32[rows, columns] (float16 as well), which is coded here.  original: float32[rows, columns] that the code was
    made from.  true_to: which weights the bounds are about: "original weights" where they were given, by either argument; the error of the code is
    then in every bound, and in what is admitted (`Gnosis.energy_split_sound`).  Else "stored code", and nothing is said about the weights that it was made from.  gamma: twice the error that an output may have from coarse weights, in the unit of the
    outputs.  split: columns taken with their whole code.
    total: counts over all calls so far.  last_bounds: float64[t, rows] of the last call: |output − exact product| is at most this, of the weights of `true_to`,
    the rounding to float32 included.  A statement about this product alone: nothing follows for what comes after it.
    A row that is read whole has the error of the code as well: with an original, an output may have a bound above γ / 2, and its bound says so.
    Theorems `Gnosis.head_within` for what stays coarse, `Gnosis.within_add` for the rounding and for the code.
    Raises DtypeError, LengthError, NonFiniteError, NegativeError, RangeError, each naming the argument.
    Promises: theorem `Gnosis.head_within`, `Gnosis.within_add`, `Gnosis.energy_split_sound`.
    Promises: tested `tests/test_head.py::test_every_output_of_a_certified_product_is_within_its_bound`, `floats: head.CertifiedLinear`.
    """

    weight: Weight | NestedCode | np.ndarray
    gamma: Number
    split: int = SPLIT
    original: np.ndarray | None = None
    total: Share = field(default_factory=Share)
    last_bounds: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))

    def __post_init__(self) -> None:
        self.code, self._original = taken(self.weight, self.original)
        self.true_to = CODE if self._original is None else ORIGINAL
        self._limit = enclose(nonnegative(self.gamma, "gamma"))[0]
        self.split = min(self.split, self.code.columns)
        self.nbytes = self.code.planes[0].nbytes + self.code.planes[2].nbytes + self.code.planes[3].nbytes

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """x: float32[t, columns].  Returns float32[t, rows].  NonFiniteError, DtypeError, LengthError, FloatEnvironmentError."""
        x = array(x, "x")
        if not isinstance(x, np.ndarray) or x.dtype != np.float32:
            raise DtypeError("x", getattr(x, "dtype", type(x).__name__), "must be an array of float32; nothing is converted silently")
        if x.ndim != 2 or x.shape[1] != self.code.columns:
            raise LengthError("x", x.shape, f"the matrix has {self.code.columns} columns")
        out = np.zeros((len(x), self.code.rows), np.float32)
        bounds = np.zeros(out.shape)
        for t, a in enumerate(x):
            self.total.add(self._one(a, out[t], bounds[t]))
        self.last_bounds = bounds
        return out

    def _one(self, a: np.ndarray, out: np.ndarray, bounds: np.ndarray) -> Share:
        code = self.code
        if not a.any():
            return Share(len(out), len(out), 0, code.weight.nbytes, 0.0)
        plan = kernel.Plan(a, self.split)
        z, eps = np.empty((2, len(code.planes[0]) * kernel.GROUP), np.float32)
        kernel.coarse(plan, code.planes, 0, len(code.planes[0]), z, eps)
        with np.errstate(over="ignore", under="ignore"):
            value, bound = (np.ldexp(part[: code.rows].astype(np.float64), plan.exponent) for part in (z, eps))
            lost = None if self._original is None else self._original.code_error(a)
            if lost is not None:
                bound = above(bound + lost)
            again = np.flatnonzero(~(2 * bound <= self._limit))
            y, err = kernel.rows(code.weight.raw, plan, again)
            value[again], bound[again] = np.ldexp(y, plan.exponent), np.ldexp(err, plan.exponent)
            out[:] = value
            if lost is not None:
                bound[again] = above(bound[again] + lost[again])
            # the rounding to float32, formed in float64, and a rounding of each of these sums
            bounds[:] = np.nextafter(bound + np.abs(value - out.astype(np.float64)) * (1 + 2.0**-50), np.inf)
        return Share(len(out), len(out) - len(again), code.price(plan.split, len(again)).total, code.weight.nbytes, float(bounds.max()))
