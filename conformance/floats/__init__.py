"""The float paths of the runtime, each against exact arithmetic on the very numbers that it was given.

One module per stem, with a list CHECKS.  The exact side is written here once more, with fractions and integers, from what the
decision says: nothing of a gate is used on it.  Cases lie around the threshold: ties, one to three floats beside it, zeros
of both signs, subnormals, the ends of the range, whole numbers that float64 does not hold.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ..running import generators as gen
from ..running.checks import Check

Rows = list[list[Any]]


def load() -> list[Check]:
    """All of them."""
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name)]
    return [check for module in modules for check in module.CHECKS]


def exact(values: Sequence[Any]) -> list[Fraction]:
    """The values of numbers, as fractions."""
    return [Fraction(x) for x in values]


def matrix(rows: Rows, dtype: str, columns: int) -> np.ndarray:
    """Rows of equal length as an array; without rows one of that many columns."""
    return np.array(rows, dtype=dtype).reshape(len(rows), columns if not rows else len(rows[0]))


def ratio(pair: Sequence[int]) -> Fraction:
    """A fraction that was written as numerator and denominator."""
    return Fraction(pair[0], pair[1])


def parameter(rng: Random, target: Fraction) -> Any:
    """A parameter ≥ 0 around a target: a float beside it, or the pair of a fraction that is it, or differs from it by less than any float tells."""
    if rng.random() < 0.6:
        return abs(gen.beside(rng, target))
    x = abs(target + rng.choice((0, 0, 1, -1)) * abs(target) / (1 << rng.choice((54, 60, 90))))
    return [x.numerator, x.denominator]


def value(x: Any) -> Fraction:
    """The value of a number or of such a pair."""
    return ratio(x) if isinstance(x, list) else Fraction(x)


def level(rng: Random) -> list[int]:
    """A level strictly between 0 and 1, as numerator and denominator: of few digits, very small or very near to 1."""
    den = rng.choice((2, 3, 10, 20, 100, 997, 1000, 10**6, 10**12))
    num = rng.choice((1, den - 1, rng.randint(1, den - 1)))
    return [num, den]


def few(rng: Random) -> int:
    """A number of rows: seldom none."""
    return rng.choice((0, 1, 1, 2, 3, 5, 8) if rng.random() < 0.3 else (1, 2, 3, 5))


def width(rng: Random, least: int = 1) -> int:
    """A number of columns: mostly few, sometimes past the width of any vector register."""
    return max(least, rng.choice((1, 2, 2, 3, 4, 5, 8, 9, 17, 40)))


def dtype(rng: Random) -> str:
    return rng.choice(gen.DTYPES)
