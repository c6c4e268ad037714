"""The margin gates on arrays, and the two kernels under them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import margin as kernel
from ...gates import margin as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, dtype, exact, few, matrix, parameter, value, width


def argmax(z: list[Fraction]) -> int:
    return z.index(max(z))


def _kernel_case(rng: Random) -> tuple[Any, ...]:
    """Scores and bounds; one score just reaches the best lower bound, or just misses it."""
    kind, n = rng.choice(("float64", "float32", "int64")), width(rng)
    z, ε = gen.reals(rng, n, kind), gen.sizes(rng, n, kind)
    if n > 1 and rng.random() < 0.8:
        j = rng.randrange(n)
        z[j] = gen.beside(rng, max(a - b for i, (a, b) in enumerate(zip(exact(z), exact(ε))) if i != j) - Fraction(ε[j]), kind)
    if rng.random() < 0.05:  # more than one block of the kernel
        z, ε = z * (5000 // n), ε * (5000 // n)
    return kind, z, ε


def _run_candidates(kind: str, z: list[Any], ε: list[Any]) -> Result:
    low = max(a - b for a, b in zip(exact(z), exact(ε)))
    truth = [j for j, (a, b) in enumerate(zip(exact(z), exact(ε))) if a + b >= low]
    got = kernel.candidates(np.array(z, kind), np.array(ε, kind)).tolist()
    return Result(len(z), None if got == truth else f"candidates {got}, exactly they are {truth}", len(got))


def _run_argmax(kind: str, z: list[Any], ε: list[Any]) -> Result:
    got, truth = kernel.argmax(np.array(z, kind)), argmax(exact(z))
    return Result(1, None if got == truth else f"index {got}, exactly it is {truth}", 1)


def _scores(rng: Random, kind: str, n: int, gap: Fraction) -> list[Any]:
    """n scores, one of which leads by about `gap`."""
    z = gen.reals(rng, n, kind)
    w = rng.randrange(n)
    if rng.random() < 0.8:
        z[w] = gen.beside(rng, max(x for j, x in enumerate(exact(z)) if j != w) + gap, kind)
    return z


def _bound(rng: Random, kind: str) -> float:
    """A bound in the size of the scores, sometimes 0."""
    return float(abs(gen.real(rng, kind))) if rng.random() < 0.9 else 0.0


def _margin_case(rng: Random) -> tuple[Any, ...]:
    kind, n = dtype(rng), width(rng, 2)
    bound = _bound(rng, kind)
    rows = [_scores(rng, kind, n, 2 * Fraction(bound)) for _ in range(few(rng))]
    if rows and rng.random() < 0.4:  # a bound that no float needs to hold
        first, second = sorted(exact(rng.choice(rows)), reverse=True)[:2]
        bound = parameter(rng, (first - second) / 2)
    return kind, rows, bound


def _leads(z: list[Fraction], τ: Fraction, mode: str) -> bool:
    w = argmax(z)
    leads = [(z[w] - x, j) for j, x in enumerate(z) if j != w]
    return all(lead > 2 * τ if mode == "strict" or (mode == "lowest" and j < w) else lead >= 2 * τ for lead, j in leads)


def _margin(mode: str) -> Check:
    def run(kind: str, rows: Rows, bound: Any) -> Result:
        with calls(g.MarginGate, "decide") as left:
            got = g.MarginGate(value(bound), mode).decide_many(matrix(rows, kind, 2))
        return answers(got, [_leads(exact(z), value(bound), mode) for z in rows], left[0])

    return Check(f"MarginGate {mode}", _margin_case, run)


def _row_case(rng: Random) -> tuple[Any, ...]:
    kind, n = dtype(rng), width(rng, 2)
    if rng.random() < 0.2:
        kind = "int64"
    ε = gen.sizes(rng, n, kind)
    if kind == "int64" and rng.random() < 0.6:  # scores that float64 may take for each other
        if rng.random() < 0.3:
            return kind, [gen.between(rng, n) for _ in range(few(rng))], [rng.choice((0, 0, 1)) for _ in range(n)]
        low, lead = (1 << 60) + 256 * rng.randrange(1 << 40), rng.randint(200, 255)  # the first score is a float, the next float is 256 away
        first, third = (lead - rng.choice((0, 1, 1, 20)) for _ in range(2))
        return kind, [[low, low + lead, low - (1 << 40)]], [first, 0, (1 << 40) + third]
    rows = []
    for _ in range(few(rng)):
        z = gen.reals(rng, n, kind)
        w = rng.randrange(n)
        if rng.random() < 0.8:
            z[w] = gen.beside(rng, max(Fraction(z[j]) + Fraction(ε[j]) + Fraction(ε[w]) for j in range(n) if j != w), kind)
        rows.append(z)
    return kind, rows, ε


def _run_row(kind: str, rows: Rows, ε: list[Any]) -> Result:
    def admits(z: list[Fraction], ε: list[Fraction]) -> bool:
        w = argmax(z)
        return all(ε[w] + ε[j] < z[w] - z[j] for j in range(len(z)) if j != w)

    with calls(g.RowGate, "decide") as left:
        got = g.RowGate(ε).decide_many(matrix(rows, kind, len(ε)))
    return answers(got, [admits(exact(z), exact(ε)) for z in rows], left[0])


def _gap(z: Sequence[Fraction], k: int) -> Fraction:
    ordered = sorted(z, reverse=True)
    return ordered[k - 1] - ordered[k]


def _topk_case(rng: Random) -> tuple[Any, ...]:
    kind, n = dtype(rng), width(rng, 2)
    k, bound, rows = rng.randrange(1, n), _bound(rng, kind), []
    for _ in range(few(rng)):
        z = sorted(gen.reals(rng, n, kind), reverse=True)
        rise = gen.beside(rng, Fraction(z[k]) + 2 * Fraction(bound), kind)
        z = [max(x, rise) if i < k else x for i, x in enumerate(z)]
        rng.shuffle(z)
        rows.append(z)
    return kind, rows, k, parameter(rng, _gap(exact(rows[0]), k) / 2) if rows and rng.random() < 0.4 else bound


def _run_topk(kind: str, rows: Rows, k: int, bound: Any) -> Result:
    with calls(g.TopKGate, "decide") as left:
        got = g.TopKGate(k, value(bound)).decide_many(matrix(rows, kind, k + 1))
    return answers(got, [_gap(exact(z), k) > 2 * value(bound) for z in rows], left[0])


def _two_case(rng: Random) -> tuple[Any, ...]:
    kind, groups, size, rows = dtype(rng), rng.randint(2, 4), rng.randint(2, 4), []
    keep = rng.randrange(1, groups)
    experts = rng.randrange(1, keep * size)
    for _ in range(rng.randint(1, 4)):
        rows.append([gen.reals(rng, size, kind) for _ in range(groups)])
    sums = [sum(sorted(exact(group))[-2:], Fraction(0)) for group in rows[0]]
    order = sorted(range(groups), key=lambda i: -sums[i])
    if rng.random() < 0.5:  # the last group that is kept and the first that is not differ by roundings of their sums
        rows[0][order[keep - 1]] = [gen.beside(rng, x, kind) for x in rows[0][order[keep]]]
        sums = [sum(sorted(exact(group))[-2:], Fraction(0)) for group in rows[0]]
        flat = [x for i in sorted(range(groups), key=lambda i: -sums[i])[:keep] for x in exact(rows[0][i])]
        experts = max(range(1, len(flat)), key=lambda k: _gap(flat, k))
    gap = max(Fraction(0), _gap(sums, keep))
    return kind, rows, keep, experts, parameter(rng, gap / 4) if rng.random() < 0.6 else 0.0


def _two_exact(rng: Random) -> tuple[Any, ...]:
    """Small whole scores: groups far apart, and experts whose gap is twice the bound, or differs from it by less than any float tells."""
    groups, size = rng.randint(2, 4), rng.randint(2, 4)
    keep = rng.randrange(1, groups)
    experts = rng.randrange(1, keep * size)
    gap = rng.randint(1, 4)
    flat = [500 + gap * rng.choice((1, 2, 3)) if k < experts else 500 - rng.choice((0, 0, 1)) for k in range(keep * size)]
    flat[:1], flat[-1:] = [500 + gap], [500]
    rng.shuffle(flat)
    row = [[float(x) for x in flat[i * size : (i + 1) * size]] for i in range(keep)] + [
        [float(rng.randint(-9, 9)) for _ in range(size)] for _ in range(groups - keep)
    ]
    rng.shuffle(row)
    bound = Fraction(gap, 2) + rng.choice((0, 0, 1, -1)) * Fraction(1, 1 << 70)
    return rng.choice(("float64", "float32")), [row], keep, experts, [bound.numerator, bound.denominator] if rng.random() < 0.7 else float(Fraction(gap, 2))


def _two_cases(rng: Random) -> tuple[Any, ...]:
    return (_two_exact if rng.random() < 0.4 else _two_case)(rng)


def _run_two(kind: str, rows: list[Rows], keep: int, experts: int, bound: Any) -> Result:
    def admits(groups: list[list[Fraction]]) -> bool:
        sums = [sum(sorted(z)[-2:], Fraction(0)) for z in groups]
        chosen = sorted(range(len(groups)), key=lambda i: (-sums[i], i))[:keep]
        flat = [x for i in sorted(chosen) for x in groups[i]]
        return _gap(sums, keep) > 4 * value(bound) and _gap(flat, experts) > 2 * value(bound)

    with calls(g.TwoStageGate, "decide") as left:
        got = g.TwoStageGate(keep, experts, value(bound)).decide_many(np.array(rows, kind))
    return answers(got, [admits([exact(z) for z in groups]) for groups in rows], left[0])


CHECKS = (
    Check("core.margin.candidates", _kernel_case, _run_candidates, every_isa=True),
    Check("core.margin.argmax", _kernel_case, _run_argmax, every_isa=True),
    _margin("weak"),
    _margin("strict"),
    _margin("lowest"),
    Check("RowGate", _row_case, _run_row),
    Check("TopKGate", _topk_case, _run_topk),
    Check("TwoStageGate", _two_cases, _run_two),
)
