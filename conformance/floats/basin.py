"""The basin gates on arrays and along a path."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np

from ...gates import basin as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, dtype, exact, few, matrix, parameter, value, width


def _radius(rng: Random, total: Fraction) -> Any:
    """A radius around a sum that is reached; above zero."""
    radius = parameter(rng, total)
    return radius if value(radius) else abs(gen.real(rng)) or 1.0


def _piling(rng: Random) -> tuple[list[float], Any]:
    """A large number and many small ones, each of which float64 rounds to the same side, sometimes past the end of its range; and a radius near their sum."""
    at, m, part = rng.choice((-1000, 0, 0, 971, 971)), rng.choice((8, 20, 39)), rng.choice((0.375, 0.625, 0.75))
    row = [math.ldexp((1 << 53) - m - rng.choice((-1, 0, 1, 5)), at), *[math.ldexp(part, at)] * m]
    total = sum(exact(row), Fraction(0))
    radius = total + rng.randint(0, m // 4) * Fraction(2) ** at
    return row, _radius(rng, total) if rng.random() < 0.3 else [radius.numerator, radius.denominator]


def _sums(signed: bool, least: int) -> Check:
    def generate(rng: Random) -> tuple[Any, ...]:
        kind, m = dtype(rng), width(rng)
        if rng.random() < 0.3:
            row, radius = _piling(rng)
            return "float64", [[rng.choice((1, -1)) * x if signed else x for x in row]], radius
        rows = [gen.reals(rng, m, kind) if signed else gen.sizes(rng, m, kind) for _ in range(max(least, few(rng)))]
        return kind, rows, _radius(rng, sum((abs(x) for x in exact(rng.choice(rows))), Fraction(0)) if rows else Fraction(1))

    gate = g.BasinGate if signed else g.BasinVectorGate

    def run(kind: str, rows: Rows, radius: Any) -> Result:
        with calls(gate, "decide") as left:
            got = gate(value(radius)).decide_many(matrix(rows, kind, 1))
        return answers(got, [sum(abs(x) for x in exact(row)) < value(radius) for row in rows], left[0])

    return Check(gate.__name__, generate, run)


def _stream_case(rng: Random) -> tuple[Any, ...]:
    kind = dtype(rng)
    steps = gen.reals(rng, width(rng), kind)
    return kind, steps, _radius(rng, rng.choice(list(accumulate(abs(x) for x in exact(steps)))))


def _run_stream(kind: str, steps: list[Any], radius: Any) -> Result:
    with calls(g, "_with_radius") as left:
        got = g.BasinGate(value(radius)).stream(np.array(steps, kind))
    return answers(got, [total < value(radius) for total in accumulate(abs(x) for x in exact(steps))], len(steps) * left[0])


def _reached(L: list[Any], d: list[Any], r: list[Any]) -> list[Fraction]:
    x, path = Fraction(0), []
    for factor, bound, rounding in zip(exact(L), exact(d), exact(r)):
        x = factor * x + bound + (rounding if x else 0)
        path.append(x)
    return path


def _flow_case(rng: Random) -> tuple[Any, ...]:
    m = min(12, width(rng))
    L = [abs(gen.real(rng, at=0)) if rng.random() < 0.9 else abs(gen.real(rng)) for _ in range(m)]
    rows = [gen.sizes(rng, m) for _ in range(few(rng))]
    r = [0.0] * m if rng.random() < 0.5 else gen.sizes(rng, m)
    for row in rows:  # nothing is rounded before the first displacement
        for i in range(rng.choice((0, 0, 0, 1, m))):
            row[i] = 0.0
    if not rows:
        return L, rows, r, 1.0
    path = _reached(L, rng.choice(rows), r)
    near: list[Any] = []
    for factor, bound in zip(L, rows[0]):  # as floats that are rounded to nearest have it
        near.append(gen.held(Fraction(gen.held(Fraction(factor) * Fraction(near[-1] if near else 0))) + Fraction(bound)))
    return L, rows, r, _radius(rng, rng.choice((rng.choice(path), path[-1], Fraction(near[-1]))))


def _flow(path: bool) -> Check:
    def run(L: list[Any], rows: Rows, r: list[Any], radius: Any) -> Result:
        r = r if path else [0.0] * len(L)
        with calls(g.BasinFlowGate, "decide") as left:
            got = g.BasinFlowGate(value(radius), path=path).decide_many(np.array(L, np.float64), matrix(rows, "float64", len(L)), np.array(r))
        return answers(got, [max(_reached(L, d, r)[0 if path else -1 :]) < value(radius) for d in rows], left[0])

    return Check(f"BasinFlowGate {'path' if path else 'end'}", _flow_case, run)


def _quarters_case(rng: Random) -> tuple[Any, ...]:
    """Small numbers, in quarters: bounds that just meet the radius are the rule."""
    m = rng.randint(1, 5)
    return (
        [rng.choice((0, 2, 4, 4, 8)) for _ in range(m)],
        [rng.choice((0, 0, 1, 2, 4)) for _ in range(m)],
        [rng.choice((0, 1, 2, 4, 8)) for _ in range(m)],
        rng.randint(1, 16),
    )


def _survives(x: Fraction, L: list[Fraction], r: list[Fraction], radius: Fraction) -> bool:
    """Whether what is left, done exactly, stays within the radius."""
    for factor, rounding in zip(L, r):
        if not x < radius:
            return False
        x = factor * x + (rounding if x else 0)
    return x < radius


def _run_quarters(*quarters: Any) -> Result:
    L, d, r = ([Fraction(x, 4) for x in part] for part in quarters[:3])
    radius, gate = Fraction(quarters[3], 4), g.BasinFlowGate(Fraction(quarters[3], 4))
    verdict, reached = gate.decide(L, d, r), _reached(L, d, r)
    if verdict.margin != radius - max(reached):
        return Result(1, f"the margin is {verdict.margin}, exactly {radius - max(reached)}")
    right, x = [max(reached) < radius], Fraction(0)
    for t, (factor, bound, rounding) in enumerate(zip(L, d, r)):
        after = factor * x + (rounding if x else 0)
        right.append(_survives(after + bound, L[t + 1 :], r[t + 1 :], radius))
        x = after + (bound if right[-1] else 0)
    return answers([verdict.admit, *gate.control(L, d, r)], right)


def _lengths_case(rng: Random) -> tuple[Any, ...]:
    kind, m = dtype(rng), width(rng)
    return kind, [gen.reals(rng, m, kind) for _ in range(few(rng))], m


def _run_lengths(kind: str, rows: Rows, m: int) -> Result:
    """Σ δ² ≤ d², and hardly more."""
    for row, d in zip(rows, g.lengths(matrix(rows, kind, m))):
        square = sum(x * x for x in exact(row))
        if not square <= d * d <= square * (1 + Fraction(1, 1 << 60)):
            return Result(len(rows), f"{float(d)} is no length of {row}, rounded up")
    return Result(len(rows), None, len(rows))


CHECKS = (
    _sums(True, 1),
    _sums(False, 0),
    Check("BasinGate.stream", _stream_case, _run_stream),
    _flow(True),
    _flow(False),
    Check("BasinFlowGate quarters", _quarters_case, _run_quarters, batch=64),
    Check("lengths", _lengths_case, _run_lengths),
)
