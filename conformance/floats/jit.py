"""Serving from coarse rows, with sidecars and with a calibrated energy."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates import jit as g
from ...gates.conformal import ConformalGate
from ...gates.conformal_jit import ConformalJitGate
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, dtype, exact, few, matrix, width


def _rows(rng: Random, kind: str, v: int, E: Fraction, A: list[Any]) -> Rows:
    """Rows of logits whose lead is about √(4·E·A)."""
    rows = []
    for a in A:
        z = gen.reals(rng, v, kind)
        w = rng.randrange(v)
        if rng.random() < 0.85:
            z[w] = gen.beside(rng, max(x for j, x in enumerate(exact(z)) if j != w) + gen.root(4 * E * Fraction(a)), kind)
        rows.append(z)
    return rows


def _case(rng: Random) -> tuple[Any, ...]:
    kind, v = dtype(rng), width(rng, 2)
    E, A = gen.sizes(rng, v), gen.sizes(rng, few(rng))
    return kind, _rows(rng, kind, v, Fraction(max(E)), A), E, A


def _admits(z: list[Fraction], E: Fraction, A: Fraction, strict: bool) -> bool:
    first, second = sorted(z, reverse=True)[:2]
    return 4 * E * A < (first - second) ** 2 if strict else 4 * E * A <= (first - second) ** 2


def _gate(strict: bool) -> Check:
    def run(kind: str, rows: Rows, E: list[Any], A: list[Any]) -> Result:
        with calls(g.JitGate, "decide") as left:
            got = g.JitGate(strict=strict).decide_many(matrix(rows, kind, len(E)), np.array(E, np.float64), np.array(A, np.float64))
        return answers(got, [_admits(exact(z), Fraction(max(E)), Fraction(a), strict) for z, a in zip(rows, A)], left[0])

    return Check(f"JitGate {'strict' if strict else 'weak'}", _case, run)


def _token(z: list[Fraction], E: Fraction, A: Fraction) -> bool:
    """The winner is led towards the rows in front of it by more than the root of 4·E·A, towards those behind it by that or more."""
    w = z.index(max(z))
    return all((z[w] - x) ** 2 > 4 * E * A for x in z[:w]) and all((z[w] - x) ** 2 >= 4 * E * A for x in z[w + 1 :])


def _calibrated(rng: Random) -> tuple[Any, ...]:
    kind, v, t = dtype(rng), width(rng, 2), abs(gen.real(rng))
    A = gen.sizes(rng, few(rng))
    return kind, _rows(rng, kind, v, Fraction(t), A), None if rng.random() < 0.2 else t, A


def _run_calibrated(kind: str, rows: Rows, t: float | None, A: list[Any]) -> Result:
    """t: the calibrated energy; None for a level that the scores do not reach, at which nothing is served."""
    used = ConformalGate(Fraction(1, 2), 3, t) if t is not None else ConformalGate(Fraction(4, 5), 3, None)
    got: list[bool] = []
    right: list[bool] = []
    with calls(g.JitGate, "decide") as left:
        for lowest in (True, False):
            got += list(ConformalJitGate(used, lowest).decide_many(matrix(rows, kind, 2), np.array(A, np.float64)))
            right += [
                t is not None and (_token(exact(z), Fraction(t), Fraction(a)) if lowest else _admits(exact(z), Fraction(t), Fraction(a), False))
                for z, a in zip(rows, A)
            ]
    undecided = left[0]
    single = [ConformalJitGate(used, lowest).decide(np.array(z, kind), a).admit for lowest in (True, False) for z, a in zip(rows, A)]
    return answers([*got, *single], [*right, *right], undecided)


def _roots_case(rng: Random) -> tuple[Any, ...]:
    return gen.sizes(rng, width(rng)), abs(gen.real(rng))


def _run_roots(E: list[Any], A: float) -> Result:
    """E·A ≤ ε², and hardly more."""
    ε = g.row_bounds(np.array(E, np.float64), A)
    wrong = [i for i, (e, b) in enumerate(zip(exact(E), ε)) if not e * Fraction(A) <= b * b <= e * Fraction(A) * (1 + Fraction(1, 1 << 60))]
    return Result(len(E), f"the bound of row {wrong[0]} is no root rounded up" if wrong else None, len(E))


CHECKS = (_gate(True), _gate(False), Check("ConformalJitGate", _calibrated, _run_calibrated), Check("row_bounds", _roots_case, _run_roots))
