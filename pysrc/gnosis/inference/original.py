"""What a coded matrix was made from: how far products with the code may be from products with the original."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..codes.rows import encode, energy_rows
from ..core import head as kernel
from ..errors import DtypeError, LengthError, RangeError
from ..lm.weights import Weight
from ..numbers.bounds import above, dots
from ..numbers.door import array
from ..numbers.exact import check_finite, integers
from .codes import NestedCode

CODE, ORIGINAL = "stored code", "original weights"  # what a bound is true to


@dataclass(frozen=True)
class Original:
    """The weights before they were coded.

    rows: float32[rows, columns].  energies: float64[rows], at least the energy of original − decoded of each row
    (`gnosis.codes.rows.energy_rows`), in the squared unit of the weights.
    Promises: tested `tests/test_head_original.py::test_bounds_hold_for_the_original_exactly`, `tests/test_head_original.py::test_without_the_code_error_the_bounds_are_missed`.
    """

    rows: np.ndarray
    energies: np.ndarray

    def code_error(self, activation: np.ndarray) -> np.ndarray:
        """float64[rows]: at least |⟨original − decoded, a⟩| of each row, for a float32[columns].

        √(E·A) with both energies rounded up: `Gnosis.energy_split_sound` with no column split off.
        Promises: theorem `Gnosis.energy_split_sound`.
        Promises: tested `tests/test_head_original.py::test_bounds_hold_for_the_original_exactly`.
        """
        size = np.abs(activation.astype(np.float64))
        energy = float(dots((size, size), (size, size))[1])
        with np.errstate(over="ignore", invalid="ignore"):
            found = above(np.sqrt(above(self.energies * energy)))
        return np.where(self.energies == 0, 0.0, np.where(np.isnan(found), np.inf, found)) if energy else np.zeros(len(self.energies))

    def products(self, activation: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Products of chosen rows in float64, and what each may be off by: float64[n] twice.

        A sum of m products errs by at most (m + 4)·2^-52 of the sum of their sizes, and by a denormal for each that underflows.
        Promises: tested `tests/test_head_original.py::test_bounds_hold_for_the_original_exactly`.
        """
        w, a = self.rows[index].astype(np.float64), activation.astype(np.float64)
        size, m = dots((np.abs(w), np.abs(w)), (np.abs(a), np.abs(a)))[1], len(a)
        with np.errstate(under="ignore"):
            return w @ a, above(above(size * ((m + 4) * 2.0**-52)) + (m + 1) * 2.0**-1074)

    def exact(self, activation: np.ndarray, index: np.ndarray) -> list[Fraction]:
        """The products of chosen rows, in whole numbers and without any rounding."""
        a, unit = integers(activation, "activation")
        out = []
        for row in self.rows[index]:
            w, own = integers(row, "original")
            out.append(sum(x * y for x, y in zip(w, a, strict=True)) * own * unit)
        return out


def matrix(value: Any, name: str) -> np.ndarray:
    """A matrix of weights as float32[rows, columns]: one of float32, or of float16, which is widened.

    DtypeError naming the argument for anything else, float64 included, which would be rounded; LengthError, NonFiniteError.
    """
    value = array(value, name)
    if not isinstance(value, np.ndarray) or value.dtype not in (np.float32, np.float16):
        raise DtypeError(name, getattr(value, "dtype", type(value).__name__), "must be a Weight, a NestedCode, or an array of float32 or float16")
    if value.ndim != 2 or not value.size:
        raise LengthError(name, value.shape, "must have two dimensions, none of them empty")
    check_finite(value, name)
    return np.ascontiguousarray(value, np.float32)


def taken(weight: Any, original: Any) -> tuple[NestedCode, Original | None]:
    """The code of a matrix, and the original beside it where there is one.

    weight: a Weight or NestedCode, or float32[rows, columns]: then it is coded in Q8_0 here, and is the original.  original: float32[rows, columns] that a Weight
    or NestedCode was made from, or None.  Raises DtypeError, LengthError and RangeError naming the argument, NonFiniteError.
    """
    if isinstance(weight, (Weight, NestedCode)):
        code = weight if isinstance(weight, NestedCode) else NestedCode(weight)
        if original is None:
            return code, None
        rows = matrix(original, "original")
        if rows.shape != (code.rows, code.columns):
            raise LengthError("original", rows.shape, f"the code has {code.rows} rows of {code.columns}")
    else:
        if original is not None:
            raise DtypeError("weight", type(weight).__name__, "must be a Weight or a NestedCode where an original is given")
        rows = matrix(weight, "weight")
        if rows.shape[1] % kernel.BLOCK:
            raise LengthError("weight", rows.shape, f"a row must be whole Q8_0 blocks of {kernel.BLOCK} columns")
        try:
            raw = encode(rows, "Q8_0").raw
        except RangeError as error:
            raise RangeError("weight", error.value, error.problem, error.index) from None
        code = NestedCode(Weight("weight", "Q8_0", raw, rows.shape[1]))
    return code, Original(rows, energy_rows(code.weight.raw, rows, "Q8_0"))
