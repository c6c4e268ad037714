"""The gate for several layers on floats, against fractions: thresholds that just fit or do not."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates.conformal_layers import MaxLayersGate
from ..running.checks import Check, Result


def _case(rng: Random) -> tuple[Any, ...]:
    """Margins and scores in quarters, so that halves of margins are met often."""
    margins = [rng.randint(1, 9) / 4 for _ in range(rng.randint(1, 3))]
    units = [[rng.choice((-1, 1, 1)) * g / 2 * rng.choice((0.5, 1, 1, 1, 1.25)) for g in margins] for _ in range(rng.randint(1, 6))]
    return margins, units, [rng.randint(1, 6), 7]


def _run(margins: list[float], units: list[list[float]], q: list[int]) -> Result:
    """Every layer of as many units as the rank asks for stays within half its margin."""
    level = Fraction(*q)
    rank = -((-(len(units) + 1) * level.numerator) // level.denominator)
    largest: list[Fraction] = sorted(max(Fraction(0), *(Fraction(x) / Fraction(g) for g, x in zip(margins, u))) for u in units)
    margin = 1 - 2 * largest[rank - 1] if rank <= len(units) else None
    found = MaxLayersGate(margins, level).decide(list(np.array(units)))
    if found.margin != margin:
        return Result(1, f"the margin is {found.margin}, exactly {margin}")
    return Result(1, None if found.admit == (margin is not None and margin >= 0) else f"{found.admit} is decided at {margin}")


CHECKS = (Check("MaxLayersGate", _case, _run),)
