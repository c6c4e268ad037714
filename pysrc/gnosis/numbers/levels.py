"""Levels and risks: numbers that a person writes down, read as written.

A level of confidence, a risk or a service level is typed by someone who means a decimal.  The float .68 is not 68/100 but
a dyadic a little above it, and 75·.68 rounded up would then be 52 and not 51.  So a float is read as the shortest decimal
that stands for it (what `repr` shows): .68 is 17/25.  Everything else that can be exact is taken as it is: Fraction,
decimal string, Decimal, a pair of integers, int.  Who really means the dyadic writes Fraction(.68).

Measured quantities (scores, margins, losses) are not levels: their floats are the dyadics that they are, see `gnosis.numbers.exact`.
"""

from __future__ import annotations

import math
import numbers
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import DtypeError, NonFiniteError, RangeError
from .exact import LONGEST, is_integer, plain

# What a level may be given as; a pair is (numerator, denominator).
Level = Fraction | str | Decimal | tuple[int, int] | float | int | np.floating | np.integer

_TEXT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?|[+-]?[0-9]+/[0-9]+", re.ASCII)


def written(value: Level, name: str) -> Fraction:
    """The exact number that `value` stands for as written, without any limits on its size.

    A float (numpy's float16, float32 and float64 as well) means its shortest decimal in its own type.
    Raises NonFiniteError (NaN, infinity, also as text or Decimal), RangeError (denominator not above zero, more than 4000
    digits), DtypeError (bool, complex, long double, text that is neither a decimal nor a fraction, anything else).
    Promises: tested `floats: levels.written`, `tests/test_levels.py::test_every_float_is_the_decimal_that_python_shows`.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = plain(value, name)[()]
    if isinstance(value, (bool, np.bool_)):
        raise DtypeError(name, value, "a truth value is not a level")
    if isinstance(value, str):
        return _text(value, name)
    if isinstance(value, (float, np.float16, np.float32)):
        if not math.isfinite(value):
            raise NonFiniteError(name, float(value))
        return Fraction(float.__repr__(value) if isinstance(value, float) else str(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NonFiniteError(name, value)
        if len(value.as_tuple().digits) > LONGEST or abs(int(value.as_tuple().exponent)) > LONGEST:
            raise RangeError(name, value, f"more than {LONGEST} digits")
        return Fraction(value)
    if isinstance(value, (int, np.integer)) and is_integer(value):
        return Fraction(int(value))
    if isinstance(value, numbers.Rational) and not isinstance(value, np.timedelta64):
        return Fraction(value.numerator, value.denominator)
    if isinstance(value, tuple):
        if len(value) != 2 or not all(is_integer(part) for part in value):
            raise DtypeError(name, value, "not a pair of integers")
        numerator, denominator = (int(part) for part in value)
        if denominator <= 0:
            raise RangeError(name, value, "the denominator must be above zero")
        return Fraction(numerator, denominator)
    raise DtypeError(name, value, "not a level: a Fraction, a decimal as text, a pair of integers, or a float")


def level(value: Level, name: str) -> Fraction:
    """A level strictly between 0 and 1, exact, as `written` reads it.  RangeError outside; further errors as there.

    Promises: tested `tests/test_levels.py::test_one_level_in_every_form`, `tests/test_levels.py::test_what_is_no_level_is_named`.
    """
    exact = written(value, name)
    if not 0 < exact < 1:
        raise RangeError(name, value, "must lie strictly between 0 and 1")
    return exact


def share(value: Level, name: str) -> Fraction:
    """A share from 0 to 1, both included, exact, as `written` reads it.  RangeError outside; further errors as there.

    Promises: tested `tests/test_levels.py::test_a_share_may_be_nothing_or_all`.
    """
    exact = written(value, name)
    if not 0 <= exact <= 1:
        raise RangeError(name, value, "must lie between 0 and 1")
    return exact


def whole(value: Any, name: str, least: int = 0) -> int:
    """A count: an int or numpy integer not below `least`.  DtypeError for anything else, bool and 3.0 included; RangeError."""
    if not is_integer(value):
        raise DtypeError(name, value, "must be a whole number")
    if value < least:
        raise RangeError(name, value, f"must be at least {least}")
    return int(value)


def as_text(exact: Fraction, name: str) -> str:
    """A fraction as text that `written` reads back.  RangeError for one of more than 4000 characters, which it would not read."""
    # a digit holds more than 3.3 bits; Python itself does not write more than 4300 digits
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > 7 * LONGEST // 2 or len(str(exact)) > LONGEST:
        raise RangeError(name, exact, f"more than {LONGEST} characters when written down")
    return str(exact)


def _text(value: str, name: str) -> Fraction:
    text = value.strip()
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise NonFiniteError(name, value)
    if len(text) > LONGEST:
        raise RangeError(name, value, f"more than {LONGEST} characters")
    if not _TEXT.fullmatch(text):
        raise DtypeError(name, value, "neither a decimal nor a fraction")
    if "/" in text and int(text.split("/")[1]) == 0:
        raise RangeError(name, value, "the denominator must be above zero")
    if "e" in text.lower() and abs(int(text.lower().split("e")[1])) > LONGEST:
        raise RangeError(name, value, f"an exponent past {LONGEST}")
    return Fraction(text)
