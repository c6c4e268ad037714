"""exp, log, tanh, atanh and square root between two exact rationals.

No libm is involved.  Every function sums a power series on integers, once rounded down and once rounded up, and adds a
bound of the part of the series that is left out to the upper sum.  So `low` and `high` enclose the true value whatever
the precision, and the distance between them says how good they are: it is checked, and the working precision is raised
until high - low ≤ 2^-bits·|value|.

The bounds are what the theorems ask for: they take a rational that is known to lie on the safe side of the irrational
number.  Use `.high` where a larger value refuses more, `.low` where a smaller one does, and `.floats()` for float64.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ..errors import RangeError
from .bounds import enclose
from .exact import Number, nonnegative, number

BITS = 64  # relative precision when none is asked for
LARGEST = 65536  # exp is not taken of anything beyond: its numerator would have more than 94,000 bits


class Enclosure(NamedTuple):
    """Two rationals with low ≤ value ≤ high; equal when the value is rational and was found."""

    low: Fraction
    high: Fraction

    def floats(self) -> tuple[float, float]:
        """The largest float64 not above `low` and the smallest not below `high` (infinite past the range of float64)."""
        return enclose(self.low)[0], enclose(self.high)[1]


def exp(x: Number, bits: int = BITS) -> Enclosure:
    """e^x within a factor 1 + 2^-bits.  x: a finite number with |x| ≤ 65536 (RangeError).  NonFiniteError, DtypeError."""
    exact = number(x, "x")
    if abs(exact) > LARGEST:
        raise RangeError("x", x, f"the exponential is taken between -{LARGEST} and {LARGEST}")
    if exact == 0:
        return Enclosure(Fraction(1), Fraction(1))
    return _refined(lambda work: _exp(exact, work), bits)


def log(x: Number, bits: int = BITS) -> Enclosure:
    """The natural logarithm within a factor 1 + 2^-bits.  x: a finite number above zero (RangeError).  NonFiniteError, DtypeError."""
    exact = number(x, "x")
    if exact <= 0:
        raise RangeError("x", x, "the logarithm needs a number above zero")
    if exact == 1:
        return Enclosure(Fraction(0), Fraction(0))
    return _refined(lambda work: _log(exact, work), bits)


def tanh(x: Number, bits: int = BITS) -> Enclosure:
    """The hyperbolic tangent within a factor 1 + 2^-bits, never outside -1 … 1.  x: a finite number.  NonFiniteError, DtypeError.

    Promises: tested `tests/test_outward.py::test_tanh_stays_within_one`, `floats: outward.tanh`.
    """
    exact = number(x, "x")
    if exact == 0:
        return Enclosure(Fraction(0), Fraction(0))
    if exact < 0:
        return _mirrored(tanh(-exact, bits))
    if 2 * exact > bits + 3:  # 1 - tanh x < 2·e^(-2x) < 2^-(bits + 1)
        return Enclosure(1 - _dyadic(1, -bits - 1), Fraction(1))
    # e^2x - 1 loses as many bits as x has leading zeros
    lost = max(0, -_size(exact))

    def attempt(work: int) -> Enclosure:
        grown = _exp(2 * exact, work + lost)
        return Enclosure(*((e - 1) / (e + 1) for e in grown))  # rises with e

    return _refined(attempt, bits)


def atanh(x: Number, bits: int = BITS) -> Enclosure:
    """The inverse of tanh within a factor 1 + 2^-bits.  x: a number with |x| < 1 (RangeError).  NonFiniteError, DtypeError."""
    exact = number(x, "x")
    if not -1 < exact < 1:
        raise RangeError("x", x, "must lie strictly between -1 and 1")
    low, high = log((1 + exact) / (1 - exact), bits)
    return Enclosure(low / 2, high / 2)


def sqrt(x: Number, bits: int = BITS) -> Enclosure:
    """The square root within a factor 1 + 2^-bits; exact for squares of short rationals.

    x: a finite number ≥ 0.  low² ≤ x ≤ high² holds exactly.  NegativeError, NonFiniteError, DtypeError.
    Promises: tested `tests/test_outward.py::test_every_enclosure_holds_the_value_and_is_narrow`, `floats: outward.sqrt`.
    """
    exact = nonnegative(x, "x")
    if exact == 0:
        return Enclosure(Fraction(0), Fraction(0))
    numerator, denominator = math.isqrt(exact.numerator), math.isqrt(exact.denominator)
    if numerator**2 == exact.numerator and denominator**2 == exact.denominator:
        return Enclosure(*[Fraction(numerator, denominator)] * 2)
    # a multiple of 2^-half with `bits` bits before the point of its last place
    half = bits + 2 - _size(exact) // 2
    floor = math.isqrt(_scaled(exact, 2 * half)[0])
    return Enclosure(_dyadic(floor, -half), _dyadic(floor + 1, -half))


def rounded(x: Fraction, bits: int, up: bool) -> Fraction:
    """A dyadic with at least `bits` significant bits and at most two more, not above x or, with `up`, not below it.

    Promises: tested `tests/test_outward.py::test_rounded_lies_on_its_side`.
    """
    if x == 0:
        return x
    shift = bits + 1 - _size(x)
    return _dyadic(_scaled(x, shift)[up], -shift)


# ---- series on integers --------------------------------------------------------------------------------------------
#
# Sums are pairs (low, high) of integers in the unit 2^-work.  What bounds from below is divided downwards, what bounds
# from above upwards.


def _size(x: Fraction) -> int:
    """An s with 2^(s-1) < |x| < 2^(s+1), for x ≠ 0."""
    return x.numerator.bit_length() - x.denominator.bit_length()


def _scaled(x: Fraction, shift: int) -> tuple[int, int]:
    """x·2^shift rounded down and up to an integer."""
    n, d = (x.numerator << shift, x.denominator) if shift >= 0 else (x.numerator, x.denominator << -shift)
    return n // d, -(-n // d)


def _dyadic(n: int, exponent: int) -> Fraction:
    return Fraction(n << exponent) if exponent >= 0 else Fraction(n, 1 << -exponent)


def _refined(attempt: Callable[[int], Enclosure], bits: int) -> Enclosure:
    """The first of the enclosures at rising precision that is narrow enough, rounded outward to short dyadics."""
    if bits < 1:
        raise RangeError("bits", bits, "must be at least 1")
    work = bits + 32
    while True:
        low, high = attempt(work)
        if low > 0 or high < 0:
            shift = bits + 9 - _size(low if low > 0 else high)
            below, above = _scaled(low, shift)[0], _scaled(high, shift)[1]
            if (above - below) << bits <= min(abs(below), abs(above)):
                return Enclosure(_dyadic(below, -shift), _dyadic(above, -shift))
        work *= 2


def _exp(x: Fraction, work: int) -> Enclosure:
    """e^x: halve |x| below 2^-8, sum the series, square back, invert for a negative x."""
    size = abs(x)
    halvings = max(0, _size(size) + 9)
    work += 2 * halvings  # each squaring doubles the relative error
    y_low, y_high = _scaled(size, work - halvings)
    low = high = total_low = total_high = 1 << work
    k = 0
    while high > 1:
        k += 1
        low = (low * y_low >> work) // k
        high = -(-(-(-high * y_high >> work)) // k)
        total_low += low
        total_high += high
    total_high += high  # the ratio of the terms is below 1/2, so the rest is at most the last one
    low, high, exponent = total_low, total_high, -work
    for _ in range(halvings):
        low, high, exponent = low * low, high * high, 2 * exponent
        extra = max(0, low.bit_length() - work - 8)
        low, high, exponent = low >> extra, -(-high >> extra), exponent + extra
    low_exact, high_exact = _dyadic(low, exponent), _dyadic(high, exponent)
    return Enclosure(low_exact, high_exact) if x > 0 else Enclosure(1 / high_exact, 1 / low_exact)


def _atanh(z: Fraction, work: int) -> Enclosure:
    """atanh z for 0 < z ≤ 1/3, with a precision relative to z: z·(1 + z²/3 + z⁴/5 + …)."""
    s_low, s_high = _scaled(z * z, work)
    low = high = total_low = total_high = 1 << work
    k = 1
    while high > 1:
        k += 2
        low = low * s_low >> work
        high = -(-high * s_high >> work)
        total_low += low // k
        total_high += -(-high // k)
    total_high += high  # the ratio of the terms is at most 1/9, so the rest is at most an eighth of the last one
    return Enclosure(z * _dyadic(total_low, -work), z * _dyadic(total_high, -work))


def _log(x: Fraction, work: int) -> Enclosure:
    """log x = k·log 2 + 2·atanh((m - 1)/(m + 1)) with x = 2^k·m, 1/2 < m < 2, and k = 0 for an x near 1."""
    if x < 1:
        return _mirrored(_log(1 / x, work))
    k = _size(x) if x >= 2 else 0
    m = x / (1 << k)
    z = (m - 1) / (m + 1)  # |z| < 1/3
    low = high = Fraction(0)
    if z:
        low, high = _atanh(z, work) if z > 0 else _mirrored(_atanh(-z, work))
    if k:
        half = _half_log_two(work)
        low, high = low + k * half.low, high + k * half.high
    return Enclosure(2 * low, 2 * high)


@functools.lru_cache(maxsize=16)
def _half_log_two(work: int) -> Enclosure:
    return _atanh(Fraction(1, 3), work)


def _mirrored(bounds: Enclosure) -> Enclosure:
    return Enclosure(-bounds.high, -bounds.low)
