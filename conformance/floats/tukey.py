"""The Tukey bowl on arrays."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates import tukey as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import dtype, few


def _case(rng: Random) -> tuple[Any, ...]:
    kind = dtype(rng)
    num, den = rng.choice(((1, 1), (1, 1), (1, 3), (2, 7)))
    γ = abs(Fraction(gen.real(rng, kind))) * Fraction(num, den)
    if rng.random() < 0.2:  # about twice a whole number that no float holds, or past the range of float64
        kind = rng.choice(("int64", "float64"))
        γ = abs(Fraction(gen.between(rng, 1)[0])) + rng.choice((0, 0, 1)) if kind == "int64" else Fraction((rng.choice((2, 3, 4)) << 1023) - rng.choice((0, 1)))
    r = [rng.choice((1, -1)) * gen.beside(rng, γ / 2, kind) if rng.random() < 0.8 else gen.real(rng, kind) for _ in range(few(rng))]
    return kind, [gen.held(x, kind) for x in r] if kind == "int64" else r, [γ.numerator, γ.denominator]


def _run(kind: str, r: list[Any], γ: list[Any]) -> Result:
    bowl = Fraction(*γ)
    with calls(g.TukeyGate, "decide") as left:
        got = g.TukeyGate(bowl).decide_many(np.array(r, kind))
    right = [2 * abs(Fraction(x)) <= bowl for x in r]
    for x, inside in zip(r, right):
        if g.TukeyGate(bowl).weight(x) != ((bowl**2 - 4 * Fraction(x) ** 2) ** 2 if inside else 0):
            return Result(len(r), f"the weight of {x} in a bowl of {bowl} is not the bisquare")
    return answers(got, right, left[0])


CHECKS = (Check("TukeyGate", _case, _run),)
