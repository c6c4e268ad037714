"""Floats as the exact numbers that they are.

A finite float is a dyadic rational, an integer times a power of two.  So a whole tile of
floats is a list of integers in one common unit, and every decision of the spine, which
speaks of integers only, applies to it without any rounding.  Floats are taken apart bit
by bit: no floating-point operation is involved, so no rounding mode and no flushing of
subnormals can change the result.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError, RangeError
from .door import array, dyadic

# What counts as a number: exact already, or a float that is exactly some dyadic.
Number = int | float | Fraction | Decimal | np.integer | np.floating
Vector = np.ndarray | Sequence[Number]

# Per float type: integer type of the same size, bits of the fraction, exponent of the unit of a subnormal.
FLOATS = {np.dtype(np.float16): (np.uint16, 10, -24), np.dtype(np.float32): (np.uint32, 23, -149), np.dtype(np.float64): (np.uint64, 52, -1074)}
_WORD = 62  # integers of at most this many bits stay in int64
LONGEST = 4000  # digits, or exponent, of a Decimal; a longer one is no number that anyone measured or typed


def power_of_two(exponent: int) -> Fraction:
    """2**exponent, for any integer exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def plain(array: np.ndarray, name: str) -> np.ndarray:
    """The array itself, if it is a numpy.ndarray or a numpy.memmap.

    DtypeError for any other subclass: a masked array hides entries, a numpy.matrix multiplies and sums differently, and
    neither a hidden entry nor another sum may decide anything.
    """
    if type(array) is not np.ndarray and type(array) is not np.memmap:
        raise DtypeError(name, type(array).__name__, "a subclass of numpy.ndarray, where only a plain array or a memmap will do")
    return array


def plain_entries(value: Any, name: str) -> None:
    """`plain` for every array in nested lists and tuples, and for the value itself."""
    if isinstance(value, np.ndarray):
        plain(value, name)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            if isinstance(entry, (np.ndarray, list, tuple)):
                plain_entries(entry, name)


def is_integer(value: Any) -> bool:
    """Whether it is an int or an integer of numpy; a truth value is none, and a numpy.timedelta64 has a unit."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def nearest(exact: Fraction) -> float | Fraction:
    """The nearest float64, for a message; past the range of float64 the number itself."""
    try:
        return float(exact)
    except OverflowError:
        return exact


def number(value: Number, name: str, index: int | tuple[int, ...] | None = None) -> Fraction:
    """The exact value of one number.

    int, float, Fraction, Decimal, mpmath's mpf, numpy's integers and float16/32/64, and arrays without dimensions of packages that `gnosis.numbers.door` knows.  A float is the dyadic that its
    bits say (0.1 is 3602879701896397 / 2**55); write Fraction(1, 10) or Decimal("0.1") for a tenth.
    Raises NonFiniteError, RangeError (a Decimal of more than 4000 digits or with an exponent beyond 4000), DtypeError (bool,
    str, complex, long double, timedelta64, anything else).
    Promises: tested `tests/test_exact.py::test_number`.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = plain(value, name)[()]
    if isinstance(value, (bool, np.bool_)):
        raise DtypeError(name, value, "a truth value is not a number", index)
    if isinstance(value, (np.float16, np.float32)) or (isinstance(value, np.floating) and not isinstance(value, float)):
        if value.dtype.newbyteorder("=") not in FLOATS:
            raise DtypeError(name, value, f"{value.dtype} cannot be converted exactly here", index)
        if not np.isfinite(value):
            raise NonFiniteError(name, float(value), index)
        ints, exponent = _float_integers(np.array([value]), name)
        return ints[0] * power_of_two(exponent)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NonFiniteError(name, value, index)
        return Fraction(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NonFiniteError(name, value, index)
        if len(value.as_tuple().digits) > LONGEST or abs(int(value.as_tuple().exponent)) > LONGEST:
            raise RangeError(name, value, f"more than {LONGEST} digits", index)
        return Fraction(value)
    if is_integer(value):
        return Fraction(int(value))
    if isinstance(value, numbers.Rational) and not isinstance(value, np.timedelta64):
        return Fraction(value.numerator, value.denominator)
    exact = dyadic(value, name, index)
    if exact is not None:
        return exact
    other: Any = array(value, name)
    if other is not value and isinstance(other, np.ndarray) and other.ndim == 0:
        scalar: Any = other[()]
        return number(scalar, name, index)
    raise DtypeError(name, value, "not a number that can be converted exactly", index)


def nonnegative(value: Number, name: str, index: int | tuple[int, ...] | None = None) -> Fraction:
    """`number`, and NegativeError below zero."""
    exact = number(value, name, index)
    if exact < 0:
        raise NegativeError(name, value, index)
    return exact


def place(marked: np.ndarray) -> int | tuple[int, ...] | None:
    """Where the first true entry is, as errors name it: an int in one dimension, a tuple in more, None without any."""
    where = tuple(int(i) for i in np.unravel_index(int(np.argmax(marked)), marked.shape)) if marked.ndim else ()
    return where if len(where) > 1 else where[0] if where else None


def check_finite(array: np.ndarray, name: str) -> None:
    """NonFiniteError naming the first entry of a float array that is NaN or infinite.  Looks at bits only."""
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    word, fraction, _ = FLOATS[native.dtype]
    top = ((1 << (native.dtype.itemsize * 8 - 1 - fraction)) - 1) << fraction
    bad = (np.ascontiguousarray(native).view(word) & word(top)) == word(top)
    if bad.any():
        raise NonFiniteError(name, float(native[bad][0]), place(bad))


def _float_integers(array: np.ndarray, name: str) -> tuple[list[int], int]:
    """Flat list of integers n and one exponent e, entry i of the float array being n_i * 2**e; 2**e as large as possible."""
    check_finite(array, name)
    native = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False)).ravel()
    word, fraction, lowest = FLOATS[native.dtype]
    raw = native.view(word).astype(np.uint64)
    width = native.dtype.itemsize * 8
    field = ((raw >> np.uint64(fraction)) & np.uint64((1 << (width - 1 - fraction)) - 1)).astype(np.int64)
    significand = (raw & np.uint64((1 << fraction) - 1)).astype(np.int64)
    significand += np.where(field > 0, np.int64(1) << np.int64(fraction), np.int64(0))
    exponent = np.maximum(field, 1) - 1 + lowest
    negative = (raw >> np.uint64(width - 1)) == 1

    used = significand != 0
    if not used.any():
        return [0] * native.size, 0
    # trailing zeros of a significand: the exponent of its lowest set bit, exact in float64
    low = np.where(used, significand & -significand, 1)
    zeros = np.frexp(low.astype(np.float64))[1].astype(np.int64) - 1
    significand >>= zeros
    exponent += zeros
    common = int(exponent[used].min())
    shift = np.where(used, exponent - common, 0)
    significand[negative] *= -1
    if int(shift.max()) + fraction + 1 <= _WORD:
        return (significand << shift).tolist(), common
    return [n << s for n, s in zip(significand.tolist(), shift.tolist())], common


def integers(value: Vector, name: str) -> tuple[list[int], Fraction]:
    """A vector as whole numbers in one common unit: entry i is exactly `ints[i] * unit`.

    value: a one-dimensional array of float16, float32, float64 or any integer type, of numpy or of a package that `gnosis.numbers.door` knows, or a sequence of
    numbers as `number` takes them; a set, a dict or an iterator has no order to rely on and is none.  unit: a positive rational; a power of two for floats, at
    most 1 for integers.  An empty vector gives ([], 1).
    Raises NonFiniteError or DtypeError naming the entry, LengthError for another number of dimensions.
    Promises: tested `tests/test_exact.py::test_a_tile_of_floats_is_integers_times_a_power_of_two`, `tests/test_exact.py::test_sequences_of_any_exact_numbers`.
    """
    value = array(value, name)
    if isinstance(value, np.ndarray):
        if plain(value, name).ndim != 1:
            raise LengthError(name, value.shape, "must have one dimension")
        if value.dtype.newbyteorder("=") in FLOATS:
            ints, exponent = _float_integers(value, name)
            return ints, power_of_two(exponent)
        if value.dtype.kind in "iu":
            return value.tolist(), Fraction(1)
        if value.dtype.kind != "O":
            raise DtypeError(name, str(value.dtype), "not a type that can be converted exactly")
    elif isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise DtypeError(name, value, "not a vector of numbers")
    exact = [number(entry, name, i) for i, entry in enumerate(value)]
    unit = Fraction(1, math.lcm(*(entry.denominator for entry in exact)))
    return [entry.numerator * (unit.denominator // entry.denominator) for entry in exact], unit


def nonnegative_integers(value: Vector, name: str) -> tuple[list[int], Fraction]:
    """`integers`, and NegativeError naming the first entry below zero."""
    ints, unit = integers(value, name)
    for i, n in enumerate(ints):
        if n < 0:
            raise NegativeError(name, nearest(n * unit), i)
    return ints, unit


def together(*parts: tuple[list[int], Fraction]) -> tuple[list[list[int]], Fraction]:
    """Several results of `integers` in one unit for all of them."""
    denominator = math.lcm(*(unit.denominator for _, unit in parts))
    numerator = math.gcd(*(unit.numerator * (denominator // unit.denominator) for _, unit in parts))
    unit = Fraction(numerator, denominator)
    return [[n * int(own / unit) for n in ints] for ints, own in parts], unit


def same_length(x: Sequence[Any], name: str, y: Sequence[Any], other: str, whose: str | None = None) -> None:
    """That two vectors have one length n ≥ 1.  whose: how the message calls x.  Raises EmptyError naming x, LengthError naming y."""
    if not x:
        raise EmptyError(name)
    if len(x) != len(y):
        raise LengthError(other, len(y), f"{whose or name} has {len(x)} entries")


def mask(value: Any, name: str) -> list[bool]:
    """A vector of truth values.  DtypeError for anything but bools, LengthError for another number of dimensions."""
    if isinstance(value, np.ndarray):
        if plain(value, name).ndim != 1:
            raise LengthError(name, value.shape, "must have one dimension")
        if value.dtype != np.bool_:
            raise DtypeError(name, str(value.dtype), "must be bool")
        return value.tolist()
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise DtypeError(name, value, "not a vector of truth values")
    flags = list(value)
    for i, flag in enumerate(flags):
        if not isinstance(flag, (bool, np.bool_)):
            raise DtypeError(name, flag, "must be a truth value", i)
    return [bool(flag) for flag in flags]
