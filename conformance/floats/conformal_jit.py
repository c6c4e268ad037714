"""Calibrated gates on small whole numbers, where ties and margins that are just met are the rule."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates.conformal import ConformalGate
from ...gates.conformal_jit import ConformalJitGate, ConformalMarginGate, serve_calibrated
from ..running.checks import Check, Result, answers


def _calibrated(t: int | None) -> ConformalGate:
    """t: in quarters; None for a level that the scores do not reach."""
    return ConformalGate(Fraction(4, 5), 3, None) if t is None else ConformalGate(Fraction(1, 2), 3, Fraction(t, 4))


def _rows(rng: Random) -> list[list[int]]:
    """Of those of three entries half with rivals on both sides that are equally near."""
    v, d = rng.choice((2, 3, 3, 4)), rng.choice((1, 2))
    return [[0, d, 0] if v == 3 and rng.random() < 0.5 else [rng.randint(-1, 3) for _ in range(v)] for _ in range(8)]


def _leads(z: list[int], front: bool) -> list[Fraction]:
    """How far the first of the largest leads the rows in front of it, or those behind it."""
    w = z.index(max(z))
    return [Fraction(z[w] - x) for x in (z[:w] if front else z[w + 1 :])]


def _margin_case(rng: Random) -> tuple[Any, ...]:
    return _rows(rng), rng.choice((None, 0, 1, 2, 4, 6)), rng.randint(0, 12), rng.random() < 0.6


def _run_margin(rows: list[list[int]], t: int | None, quarters: int, lowest: bool) -> Result:
    """γ in quarters: the errors fit twice, every row is led by γ, one in front of the winner by more if the token is promised."""
    γ, gate = Fraction(quarters, 4), ConformalMarginGate(_calibrated(t), Fraction(quarters, 4), lowest)
    got, right = [], []
    for z in rows:
        verdict, all_leads = gate.decide(z), _leads(z, True) + _leads(z, False)
        margin = None if t is None else min(γ - 2 * Fraction(t, 4), min(all_leads) - γ)
        if verdict.margin != margin:
            return Result(len(rows), f"{z}: the margin is {verdict.margin}, exactly {margin}")
        got.append(verdict.admit)
        right.append(margin is not None and margin >= 0 and not (lowest and any(x == γ for x in _leads(z, True))))
    return answers(got, right)


def _jit_case(rng: Random) -> tuple[Any, ...]:
    return _rows(rng), rng.choice((None, *(n * n for n in range(5)))), [rng.choice((0, 1, 1, 4)) for _ in range(8)], rng.random() < 0.6


def _run_jit(rows: list[list[int]], t: int | None, A: list[int], lowest: bool) -> Result:
    """t in quarters, so that 4·t·A is a square: a lead that meets its root is enough behind the winner only, if the token is promised."""
    gate = ConformalJitGate(_calibrated(t), lowest)
    right = [
        t is not None and all(x * x >= t * a for x in _leads(z, True) + _leads(z, False)) and not (lowest and any(x * x == t * a for x in _leads(z, True)))
        for z, a in zip(rows, A)
    ]
    many = gate.decide_many(np.array(rows, np.float64), np.array(A, np.float64))
    halves = [
        gate.decide([Fraction(x, 2) for x in z], Fraction(a, 4)).admit for z, a in zip(rows, A)
    ]  # the same in another unit, in which A is no whole number
    return answers([*many, *(gate.decide(z, a).admit for z, a in zip(rows, A)), *halves], right * 3)


def _serve_case(rng: Random) -> tuple[Any, ...]:
    coarse = _rows(rng)[0]
    return coarse, [z + rng.randint(-2, 2) for z in coarse], rng.choice((None, -4, 0, 2, 4, 8))


def _run_serve(coarse: list[int], exact: list[int], t: int | None) -> Result:
    """Of the rows that can win under the threshold, all where there is none, the first with the largest exact logit."""
    reach = None if t is None or t < 0 else Fraction(t, 4)
    can = [j for j, z in enumerate(coarse) if reach is None or z + reach >= max(coarse) - reach]
    token = max(can, key=lambda j: (exact[j], -j))
    found = serve_calibrated(coarse, _calibrated(t), lambda rows: [exact[int(j)] for j in rows])
    return Result(1, None if found.index == token else f"row {found.index} is served, exactly it is {token}")


CHECKS = (
    Check("ConformalMarginGate", _margin_case, _run_margin),
    Check("ConformalJitGate ties", _jit_case, _run_jit),
    Check("serve_calibrated", _serve_case, _run_serve, batch=32),
)
