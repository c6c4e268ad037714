"""The Tukey bowl on arrays."""
from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from ...gates import tukey as g
from .. import generators as gen
from ..checks import Check, Result, answers, calls
from . import dtype, few


def _case(rng: Random) -> tuple:
    kind = dtype(rng)
    num, den = rng.choice(((1, 1), (1, 1), (1, 3), (2, 7)))
    γ = abs(Fraction(gen.real(rng, kind))) * Fraction(num, den)
    r = [rng.choice((1, -1)) * gen.beside(rng, γ / 2, kind) if rng.random() < 0.8 else gen.real(rng, kind) for _ in range(few(rng))]
    return kind, [gen.held(x, kind) for x in r] if kind == "int64" else r, [γ.numerator, γ.denominator]


def _run(kind: str, r: list, γ: list) -> Result:
    bowl = Fraction(*γ)
    with calls(g.TukeyGate, "decide") as left:
        got = g.TukeyGate(bowl).decide_many(np.array(r, kind))
    return answers(got, [2 * abs(Fraction(x)) <= bowl for x in r], left[0])


CHECKS = (Check("TukeyGate", _case, _run),)
