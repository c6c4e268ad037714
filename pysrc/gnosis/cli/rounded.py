"""Figures with a few digits; bounds are rounded away from what they bound."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal


def number(x: float | None, digits: int = 4, towards: str = ROUND_HALF_EVEN) -> str:
    """So many significant digits; bounds are rounded away from what they bound."""
    if x is None:
        return "–"
    exact = Decimal(x)
    if exact == 0:
        return "0"
    short = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=towards, context=Context(prec=400))
    return f"{short:g}" if -5 < short.adjusted() < digits + 3 else f"{short:.{digits - 1}e}"


def low(x: float | None, digits: int = 3) -> str:
    return number(x, digits, ROUND_FLOOR)


def high(x: float | None, digits: int = 3) -> str:
    return number(x, digits, ROUND_CEILING)


def percent(x: float | None, places: int = 2, towards: str = ROUND_HALF_EVEN) -> str:
    return "–" if x is None else f"{(100 * Decimal(x)).quantize(Decimal(1).scaleb(-places), rounding=towards, context=Context(prec=400))} %"
