"""Building blocks of test cases: integers of every width, floats of every size, vectors, and numbers next to a threshold."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

WIDTHS = (1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 48, 52, 53, 62, 63, 64, 65, 100, 128, 256)
LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 8, 16, 32)


def width(rng: Random) -> int:
    """A width in bits; small ones, where ties are frequent, come more often."""
    return rng.choice(WIDTHS[:6]) if rng.random() < 0.5 else rng.choice(WIDTHS)


def natural(rng: Random, bits: int) -> int:
    """0 ≤ x ≤ 2^bits; the ends of the range and their neighbours come often."""
    if rng.random() < 0.2:
        return max(0, rng.choice((0, 1, 2, (1 << bits) - 1, 1 << bits, 1 << bits >> 1, (1 << bits >> 1) - 1)))
    return rng.randrange((1 << bits) + 1)


def integer(rng: Random, bits: int) -> int:
    """−2^bits ≤ x ≤ 2^bits, the ends come often."""
    x = natural(rng, bits)
    return -x if rng.random() < 0.5 else x


def near(rng: Random, x: int) -> int:
    """x, x − 1 or x + 1; now and then a little further away."""
    return x + rng.choice((-1, 0, 0, 1, 1, -2, 2) if rng.random() < 0.9 else (-10, 10, -1000, 1000))


def length(rng: Random) -> int:
    """A number of entries: often none, one or two, up to 32."""
    return rng.choice(LENGTHS)


def other_length(rng: Random, n: int) -> int:
    """n, and in one case of twelve something else."""
    return n if rng.random() < 11 / 12 else rng.choice((0, max(0, n - 1), n + 1, n + 3))


def vector(rng: Random, n: int, bits: int) -> list[int]:
    """n integers of this width; some vectors have many zeros, equal entries, or extreme entries only."""
    kind = rng.random()
    if kind < 0.1:
        return [rng.choice((0, 0, 0, integer(rng, bits))) for _ in range(n)]
    if kind < 0.2:
        x = integer(rng, bits)
        return [rng.choice((x, x, x + 1)) for _ in range(n)]
    if kind < 0.3:
        return [rng.choice((1, -1)) * ((1 << bits) - rng.choice((0, 1))) for _ in range(n)]
    return [integer(rng, bits) for _ in range(n)]


def naturals(rng: Random, n: int, bits: int) -> list[int]:
    """n integers ≥ 0 of this width; in one case of twelve one of them is negative."""
    v = [natural(rng, bits) for _ in range(n)]
    if v and rng.random() < 1 / 12:
        v[rng.randrange(n)] = -rng.choice((1, 2, 1 << bits))
    return v


def mask(rng: Random, n: int) -> list[bool]:
    """n bits; all, none, or each with one probability."""
    p = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
    return [rng.random() < p for _ in range(n)]


def top_mask(z: Sequence[int], k: int) -> list[bool]:
    """The mask of the k largest entries, lowest index first on ties."""
    top = set(sorted(range(len(z)), key=lambda i: (-z[i], i))[:k])
    return [i in top for i in range(len(z))]


def index(rng: Random, n: int, usual: int | None = None) -> int:
    """An index of a list of n entries; mostly the usual one, now and then one past the end or far out."""
    if rng.random() < 0.08:
        return rng.choice((n, n + 1, 10**6, 10**30))
    if usual is not None and rng.random() < 0.75:
        return usual
    return rng.randrange(n) if n else 0


def sign_flip(rng: Random, x: int) -> int:
    """x, and in one case of sixteen a negative number."""
    return x if rng.random() < 15 / 16 else rng.choice((-1, -x, -x - 1))


# ---- floats ----------------------------------------------------------------------------------------------------------
#
# Floats are Python's; one of a narrower type is a value that the type holds.

# "int64" is a type of numbers too: many of its values are none of float64.

DTYPES = ("float64", "float64", "float64", "float32", "float16", "int64")


@functools.cache
def edges(dtype: str = "float64") -> tuple[float, ...]:
    """Where arithmetic in this type goes wrong: both zeros, subnormals and their end, one and its neighbours, roots of the ends, the ends."""
    info = np.finfo(dtype)
    tiny, least, most = float(info.smallest_normal), float(info.smallest_subnormal), float(info.max)
    one = (1.0, 1.0 + float(info.eps), 1.0 - float(info.epsneg))
    return (0.0, -0.0, least, 3 * least, tiny - least, tiny, tiny + least, *one, 0.5, 2.0 ** -(-info.minexp // 2), 2.0 ** (info.maxexp // 2), most / 2, most)


def held(x: float | Fraction, dtype: str = "float64") -> float | int:
    """The nearest number that the type holds; its largest ones past its range."""
    if dtype == "int64":
        return max(-(1 << 63), min((1 << 63) - 1, round(x)))
    most = float(np.finfo(dtype).max)
    with np.errstate(over="ignore", under="ignore"):
        near = float(np.dtype(dtype).type(float(max(-Fraction(most), min(Fraction(most), Fraction(x))))))
    return near if math.isfinite(near) else math.copysign(most, near)


def beside(rng: Random, x: float | Fraction, dtype: str = "float64") -> float | int:
    """The nearest number that the type holds, or one up to three numbers of the type away; finite."""
    steps = rng.choice((0, 0, 0, 1, 1, -1, -1, 2, -2, 3, -3))
    if dtype == "int64":
        return held(held(x, dtype) + steps, dtype)
    kind = np.dtype(dtype).type
    y = kind(held(x, dtype))
    with np.errstate(over="ignore", under="ignore"):
        for _ in range(abs(steps)):
            y = np.nextafter(y, kind(math.copysign(math.inf, steps)))
    return float(y) if np.isfinite(y) else held(x, dtype)


def scale(rng: Random, dtype: str = "float64") -> int:
    """An exponent of two: mostly near 0, sometimes anywhere in the range of the type."""
    if dtype == "int64":
        return rng.choice((2, 20, 40, 53, 54, 58, 61))
    info = np.finfo(dtype)
    return rng.randint(-8, 8) if rng.random() < 0.6 else rng.randint(info.minexp - info.nmant, info.maxexp - 2)


def real(rng: Random, dtype: str = "float64", at: int | None = None) -> float | int:
    """A finite number of the type: a small whole number, a random significand, or one of `edges`; around 2^at."""
    at = scale(rng, dtype) if at is None else at
    kind = rng.random()
    if kind < 0.08 and dtype != "int64":
        return rng.choice((1, -1)) * rng.choice(edges(dtype))
    if kind < 0.4:
        return held(Fraction(rng.randint(-8, 8)) * Fraction(2) ** at, dtype)
    return held(Fraction(rng.uniform(-2, 2)) * Fraction(2) ** at, dtype)


def reals(rng: Random, n: int, dtype: str = "float64") -> list[float | int]:
    """n numbers of the type: of one size, of all sizes, of two values only, or mostly zero."""
    at, kind = scale(rng, dtype), rng.random()
    if kind < 0.15:
        return [real(rng, dtype) for _ in range(n)]
    if kind < 0.3:
        x = real(rng, dtype, at)
        return [rng.choice((x, x, beside(rng, x, dtype))) for _ in range(n)]
    if kind < 0.4:
        return [rng.choice((held(0, dtype), -held(0, dtype), real(rng, dtype, at))) for _ in range(n)]
    return [real(rng, dtype, at) for _ in range(n)]


def between(rng: Random, n: int) -> list[int]:
    """n whole numbers of one size past 2^53, most of them odd, so that float64 holds few; all near to each other, or of both signs."""
    at = rng.choice((53, 54, 58, 61))
    x = rng.randint(1 << at, (2 << at) - 8) | 1
    if rng.random() < 0.5:
        return [x + rng.choice((0, 0, 1, -1, 2, 3)) for _ in range(n)]
    return [rng.choice((1, -1)) * (rng.randint(1 << at, (2 << at) - 1) | 1) for _ in range(n)]


def sizes(rng: Random, n: int, dtype: str = "float64") -> list[float | int]:
    """n numbers ≥ 0 of the type."""
    return [held(abs(x), dtype) for x in reals(rng, n, dtype)]


def root(x: Fraction | int) -> Fraction:
    """The square root of x ≥ 0, rounded down to 120 significant bits; exact for squares of short dyadics."""
    if not x:
        return Fraction(0)
    shift = max(0, 240 - (x.numerator.bit_length() - x.denominator.bit_length()))
    shift += shift % 2
    return Fraction(math.isqrt((x.numerator << shift) // x.denominator), 1 << shift // 2)
