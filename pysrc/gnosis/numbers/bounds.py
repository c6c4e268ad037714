"""Float64 numbers below and above exact ones: what lets an array be decided fast without being decided wrongly.

Everything here is outward: a lower bound is never above the exact value, an upper bound never below it.  An admission
is made from the unfavourable ends, a refusal from the favourable ones, and what neither settles is decided with
integers.  The bounds assume rounding to nearest with subnormals (`gnosis.core.cpu.check_environment`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import DtypeError, EmptyError, LengthError, NegativeError
from .door import array as door
from .exact import FLOATS, Number, Vector, check_finite, number, place, plain_entries

# Lower and upper bounds, entry by entry; the same array object twice when they are the exact values.
Bounds = tuple[np.ndarray, np.ndarray]


def shown_up(x: float, places: int, percent: bool = False) -> str:
    """A bound as text with so many decimals (of x, also for a percentage), rounded up: what is printed is a bound too.

    It goes by the shortest decimals of the float, so that 0.01 is a hundredth.
    """
    up = Decimal(repr(float(x))).quantize(Decimal(1).scaleb(-places), ROUND_CEILING)
    return f"{up:.{places - 2}%}" if percent else f"{up:.{places}f}"


def enclose(exact: Fraction) -> tuple[float, float]:
    """The largest float64 at most `exact` and the smallest at least it; equal when it is a float64.

    Promises: tested `tests/test_exact.py::test_enclose`, `floats: enclose`.
    """
    try:
        near = float(exact)
    except OverflowError:
        near = math.inf if exact > 0 else -math.inf
    if math.isinf(near):
        largest = math.nextafter(math.inf, 0)
        return (largest, math.inf) if near > 0 else (-math.inf, -largest)
    if near == exact:
        return near, near
    return (near, math.nextafter(near, math.inf)) if near < exact else (math.nextafter(near, -math.inf), near)


def enclosures(value: Vector | Number, name: str) -> Bounds:
    """Float64 arrays low <= value <= high, entry by entry; the very same array twice when float64 holds every entry.

    value: an array of floats or integers of any shape, a sequence of numbers, or one number (shape ()).
    An entry past the range of float64 has an infinite side.  NonFiniteError, DtypeError name the entry; DtypeError for a
    subclass of ndarray other than memmap.
    """
    value = door(value, name)
    plain_entries(value, name)
    if isinstance(value, np.ndarray) and value.dtype.newbyteorder("=") in FLOATS:
        check_finite(value, name)
        same = value.astype(np.float64, copy=False)
        return same, same
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        if value.size == 0 or (int(value.max()) <= 1 << 53 and int(value.min()) >= -(1 << 53)):
            same = value.astype(np.float64)
            return same, same
    elif isinstance(value, np.ndarray) and value.dtype.kind != "O":
        raise DtypeError(name, str(value.dtype), "not a type that can be converted exactly")
    elif isinstance(value, (str, bytes)):
        raise DtypeError(name, value, "not a number that can be converted exactly")
    elif not isinstance(value, (np.ndarray, Sequence)):
        ends = enclose(number(value, name))
        return np.array(ends[0]), np.array(ends[1])
    entries = np.array(value, dtype=object) if not isinstance(value, np.ndarray) else value.astype(object)
    pairs = [enclose(number(entry, name, index[0] if len(index) == 1 else index)) for index, entry in np.ndenumerate(entries)]
    low_high = np.array(pairs, dtype=np.float64).reshape(*entries.shape, 2)
    low, high = np.ascontiguousarray(low_high[..., 0]), np.ascontiguousarray(low_high[..., 1])
    return (low, low) if np.array_equal(low, high) else (low, high)


def batch(value: Any, name: str, dimensions: int) -> np.ndarray:
    """`value` as an array of that many dimensions; a nested sequence keeps its numbers as they are.  LengthError, DtypeError (no plain array)."""
    value = door(value, name)
    plain_entries(value, name)
    array = value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
    if array.ndim != dimensions:
        raise LengthError(name, array.shape, f"must have {dimensions} dimension{'s' if dimensions > 1 else ''}")
    return array


def paired(first: Any, name: str, second: Any, other: str) -> tuple[np.ndarray, np.ndarray]:
    """n rows of m ≥ 1 entries, and what stands against them: [m] for all rows, or [n, m].  LengthError, EmptyError, DtypeError."""
    rows = batch(first, name, 2)
    second = door(second, other)
    others = batch(second, other, 1 if np.ndim(second) == 1 else 2)
    if not rows.shape[1]:
        raise EmptyError(name, rows.shape)
    if others.shape[-1] != rows.shape[1] or (others.ndim == 2 and len(others) != len(rows)):
        raise LengthError(other, others.shape, f"must be {rows.shape[1:]} or {rows.shape}")
    return rows, others


def nonnegative_enclosures(value: Vector | Number, name: str) -> Bounds:
    """`enclosures` of numbers none of which is negative.  NegativeError names the entry; NonFiniteError, DtypeError."""
    low, high = enclosures(value, name)
    if (low < 0).any():
        raise NegativeError(name, float(low[low < 0][0]), place(low < 0))
    return low, high


def below(x: np.ndarray) -> np.ndarray:
    """The next float64 downwards: at most the exact result that a single operation rounded to x.

    Promises: tested `floats: below and above`.
    """
    return np.nextafter(x, -np.inf)


def above(x: np.ndarray) -> np.ndarray:
    """The next float64 upwards: at least the exact result that a single operation rounded to x.

    Promises: tested `floats: below and above`.
    """
    return np.nextafter(x, np.inf)


def dots(left: Bounds, right: Bounds) -> Bounds:
    """Bounds of the sums over the last axis of products of non-negative numbers.

    With u = 2^-53: each product and each of the m - 1 additions of non-negative numbers, in whatever order, errs by a factor
    within 1 +- u, so a sum by at most gamma_m = m u / (1 - m u) relatively; underflow costs at most 2^-1075 a product.  Widening by
    (m + 4) 2u relatively and (m + 1) 2^-1074 absolutely covers this and the roundings of the widening (m < 2^50).
    Without any product of two non-zero numbers the sum is zero, exactly.
    Promises: tested `floats: dots`.
    """
    m = left[0].shape[-1]
    relative, absolute = (m + 4) * 2.0**-52, (m + 1) * 2.0**-1074
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        low = (left[0] * right[0]).sum(axis=-1)
        high = low if left[0] is left[1] and right[0] is right[1] else (left[1] * right[1]).sum(axis=-1)
        high = high * (1 + relative) + absolute
        low = np.maximum(low * (1 - relative) - absolute, 0.0)
    low = np.where(np.isfinite(low), low, 0.0)
    high = np.where(np.isnan(high), np.inf, high)
    nothing = ~((left[1] != 0) & (right[1] != 0)).any(axis=-1)
    return np.where(nothing, 0.0, low), np.where(nothing, 0.0, high)


def energies(rows: np.ndarray, name: str) -> Bounds:
    """Bounds of the energy (sum of squares over the last axis) of vectors of floats, integers or exact numbers.

    Promises: tested `floats: energies`, `tests/test_exact.py::test_energies_are_enclosed`.
    """
    low, high = enclosures(rows, name)
    if low is high:
        small = large = abs(low)
    else:
        small = np.where((low < 0) & (high > 0), 0.0, np.minimum(abs(low), abs(high)))
        large = np.maximum(abs(low), abs(high))
    return dots((small, large), (small, large))
