"""The betting test on arrays, and the upper bound that follows a grid of claims in float64."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates import betting as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, exact, few, level, matrix, ratio


def _observations(rng: Random, n: int, kind: str = "float64") -> list[float]:
    """n numbers in [0, 1]; often only 0 and 1, and small ones, against which a claim falls."""
    low = rng.random() < 0.5
    return [rng.choice((0.0, 0.0, 0.0, 1.0 if not low else 0.0, min(1.0, abs(gen.real(rng, kind, -4))), gen.held(rng.random(), kind))) for _ in range(n)]


def _wealth(stakes: list[Any], m: Fraction, x: list[Any]) -> Fraction:
    return math.prod((1 + s * (m - o) for s, o in zip(exact(stakes), exact(x))), start=Fraction(1))


def _case(rng: Random) -> tuple[Any, ...]:
    kind, T = rng.choice(("float64", "float64", "float32")), rng.choice((0, 1, 2, 5, 12, 25))
    mean = rng.choice(([0, 1], [1, 1], [1, 2], [1, 4], level(rng)))
    cap = 1 / (1 - ratio(mean)) if ratio(mean) != 1 else Fraction(2)
    top = min(cap, Fraction(10**6))
    stakes = [abs(gen.held(top * Fraction(rng.random()))) if rng.random() < 0.7 else 0.5 for _ in range(T)]
    stakes = [s if Fraction(s) <= cap else 0.0 for s in stakes]
    rows = [_observations(rng, T, kind) for _ in range(few(rng))]
    delta = level(rng)
    wealth = [w for w in (_wealth(stakes, ratio(mean), x) for x in rows) if w > 1]
    if wealth and rng.random() < 0.8:  # 1/δ is reached exactly, or just not
        δ = 1 / Fraction(gen.beside(rng, rng.choice(wealth))) if rng.random() < 0.7 else 1 / rng.choice(wealth)
        delta = [δ.numerator, δ.denominator] if 0 < δ < 1 else delta
    return kind, mean, delta, stakes, rows


def _run(kind: str, mean: list[Any], delta: list[Any], stakes: list[Any], rows: Rows) -> Result:
    with calls(g.BettingGate, "decide") as left:
        got = g.BettingGate(ratio(mean), ratio(delta)).decide_many(np.array(stakes, np.float64), matrix(rows, kind, len(stakes)))
    return answers(got, [_wealth(stakes, ratio(mean), x) * ratio(delta) >= 1 for x in rows], left[0])


def _bound_case(rng: Random) -> tuple[Any, ...]:
    T = rng.choice((1, 3, 8, 20))
    return level(rng), 1 << rng.randint(1, 4), _observations(rng, T), [rng.choice((None, None, abs(gen.real(rng, at=0)), 1.0)) for _ in range(T)]


def _run_bound(delta: list[Any], grid: int, x: list[Any], stakes: list[Any]) -> Result:
    """No claim is rejected whose exact wealth has not reached 1/δ; stakes as the class says, cut off at the caps."""
    bound, mirror = g.UpperBound(ratio(delta), grid), g.LowerBound(ratio(delta), grid)
    wealth, best = [Fraction(1)] * grid, [Fraction(1)] * grid
    upper = Fraction(1)
    for o, given in zip(x, stakes):
        usual = bound.stake()
        for j in range(grid):
            m = Fraction(j + 1, grid)
            cap = math.nextafter(1 / (1 - (j + 1) / grid), -math.inf) if m < 1 else math.inf  # as a float, not above the cap
            stake = Fraction(min(usual, 0.75 * cap) if given is None else min(given, cap))
            if m < 1 and stake * (1 - m) > 1:
                return Result(1, f"a stake of {float(stake)} is above the cap of the claim {m}")
            wealth[j] *= 1 + stake * (m - Fraction(o))
            best[j] = max(best[j], wealth[j])
        new = bound.observe(o, given)
        rejected = [j for j in range(grid) if best[j] * ratio(delta) >= 1]
        least = next((Fraction(min(grid, j + 2), grid) for j in reversed(range(grid)) if j not in rejected), Fraction(1, grid))
        if new < least or new > upper:
            return Result(len(x), f"the bound is {new}, exactly it is {least}, and before it was {upper}")
        if mirror.observe(1 - Fraction(o), given) != 1 - new:
            return Result(len(x), f"the lower bound of 1 - x is {mirror.lower}, not {1 - new}")
        if new * grid != g.claim_bound(grid, bound._rejected.tolist()):
            return Result(len(x), f"the bound {new} is not that of the claims rejected so far")
        upper = new
    return Result(len(x), None, int(upper < 1))


CHECKS = (Check("BettingGate", _case, _run), Check("UpperBound", _bound_case, _run_bound))
