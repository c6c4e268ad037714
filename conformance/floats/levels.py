"""Levels as they are written: every form that stands for a number gives that number, at the ends of the range too, and nothing else passes."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from ...errors import DtypeError, NonFiniteError, RangeError
from ...numbers import levels
from ..running import generators as gen
from ..running.checks import Check, Result

LONGEST = 4000


def _decimal(text: str) -> Fraction:
    """The value of [-]digits[.digits][e[-]digits], digit by digit."""
    mantissa, _, exponent = text.partition("e")
    sign = -1 if mantissa.startswith("-") else 1
    whole, _, rest = mantissa.lstrip("+-").partition(".")
    return sign * int("0" + whole + rest) * Fraction(10) ** (int(exponent or 0) - len(rest))


def _case(rng: Random) -> tuple[Any, ...]:
    kind = rng.choice(("text", "decimal", "float64", "float32", "float16", "pair", "fraction"))
    if kind in ("text", "decimal"):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 6)))
        at = rng.randint(0, len(digits)) if kind == "text" and len(digits) > 1 else rng.randint(1, len(digits))
        text = rng.choice(("", "", "-", "+")) + digits[:at] + rng.choice((".", "")) + digits[at:]
        return kind, text + rng.choice(("", "", f"e{rng.randint(-9, 9)}", f"e{rng.choice((3980, -3980))}"))
    if kind.startswith("float"):
        return kind, gen.held(Fraction(rng.choice((rng.random(), rng.randint(1, 999) / 1000, rng.gauss(0, 100)))), kind)
    return kind, [rng.randint(-5, 5), rng.choice((1, 2, 3, 10, 97))]


def _run(kind: str, payload: Any) -> Result:
    if kind in ("text", "decimal"):
        value, truth = (payload if kind == "text" else Decimal(payload)), _decimal(payload)
    elif kind.startswith("float"):
        narrow = np.dtype(kind).type(payload)
        value, truth = (payload if kind == "float64" else narrow), _decimal(np.format_float_scientific(narrow, unique=True, exp_digits=1))
    else:
        truth = Fraction(*payload)
        value = tuple(payload) if kind == "pair" else truth
    if (got := levels.written(value, "x")) != truth:
        return Result(1, f"{value!r} is read as {got}, written is {truth}")
    for name, call, right in (("level", levels.level, 0 < truth < 1), ("share", levels.share, 0 <= truth <= 1)):
        try:
            call(value, "x")
        except RangeError:
            if right:
                return Result(1, f"{name} refuses {value!r}")
        else:
            if not right:
                return Result(1, f"{name} takes {value!r}")
    return Result(1, None, int(0 < truth < 1))


# what is no level, and why; every one in every batch
_WRONG: tuple[tuple[Any, Any], ...] = (
    (True, DtypeError),
    (np.True_, DtypeError),
    (None, DtypeError),
    ("95%", DtypeError),
    ("", DtypeError),
    ("1_0", DtypeError),
    ("٠.٩", DtypeError),
    ("0x1", DtypeError),
    ("1/-2", DtypeError),
    ((1, 0), RangeError),
    ((1, -2), RangeError),
    ("1/0", RangeError),
    ("1e-4001", RangeError),
    ("1e4001", RangeError),
    ("9" * (LONGEST + 1), RangeError),
    (Decimal("1e4001"), RangeError),
    (Decimal(10) ** -4001, RangeError),
    (Decimal("NaN"), NonFiniteError),
    ("nan", NonFiniteError),
    ("-inf", NonFiniteError),
    (float("nan"), NonFiniteError),
    (np.float32("inf"), NonFiniteError),
    ((1, 2, 3), DtypeError),
    ((True, 2), DtypeError),
    ((0.5, 1), DtypeError),
    ([1, 2], DtypeError),
    (np.array([0.5]), DtypeError),
    (np.timedelta64(1), DtypeError),
    (1j, DtypeError),
)
_COUNTS = ((3, 3, None), (2, 3, RangeError), (-1, 0, RangeError), (0, 0, None), (True, 0, DtypeError), (3.0, 0, DtypeError), ("3", 0, DtypeError))


def _run_wrong(seed: int) -> Result:
    tries: list[tuple[Callable[[], Any], Any, Any]] = [(partial(levels.written, value, "x"), value, error) for value, error in _WRONG]
    tries += [(partial(levels.whole, value, "x", least), value, error) for value, least, error in _COUNTS]
    for call, value, error in tries:
        try:
            call()
        except (DtypeError, RangeError, NonFiniteError) as said:
            if error is None or type(said) is not error or said.argument != "x":
                return Result(len(tries), f"{value!r}: {type(said).__name__} of {said.argument}")
        else:
            if error is not None:
                return Result(len(tries), f"{str(value)[:40]!r} passes")
    return Result(len(tries), refused=len(_WRONG))


def _length_case(rng: Random) -> tuple[Any, ...]:
    return (rng.choice((3990, 3997, 3998, 4000)),)


def _run_length(zeros: int) -> Result:
    """A fraction that `written` reads is written, and one that it would not read is refused."""
    x = Fraction(1, 10**zeros)
    try:
        text = levels.as_text(x, "x")
    except RangeError:
        return Result(1, None if len(f"1/{10**zeros}") > LONGEST else "refused", refused=1)
    return Result(1, None if levels.written(text, "x") == x and len(text) <= LONGEST else "not what is read")


CHECKS = (
    Check("levels.written", _case, _run, batch=24),
    Check("levels refused", lambda rng: (rng.randrange(9),), _run_wrong, batch=1),
    Check("levels.as_text", _length_case, _run_length, batch=4),
)
