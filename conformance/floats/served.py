"""The served-output gates on arrays.

An exponential enters with the spread, and square roots with the overlap.  Both are enclosed here by sums and roots of integers
with 400 bits; a gate may refuse within 2^-50 of the threshold, and must admit below that.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates import served as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, dtype, exact, few, level, matrix, ratio, value, width

WORK = 400
SLACK = Fraction(1, 1 << 50)


def exp(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 ≤ x ≤ 2^16: the series for x/2^k, squared k times, on integers rounded down and up."""
    k = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 1)
    one = 1 << WORK
    y = x / (1 << k)
    low, high = (y.numerator << WORK) // y.denominator, -((-y.numerator << WORK) // y.denominator)
    sums, term_low, term_high, n = [one, one], one, one, 0
    while term_high > 1:
        n += 1
        term_low, term_high = (term_low * low >> WORK) // n, -(-(-(-term_high * high >> WORK)) // n)
        sums = [sums[0] + term_low, sums[1] + term_high]
    sums[1] += 2 * term_high
    a, b, shift = sums[0], sums[1], WORK
    for _ in range(k):
        a, b, shift = a * a, b * b, 2 * shift
        cut = max(0, a.bit_length() - WORK)
        a, b, shift = a >> cut, -(-b >> cut), shift - cut
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return a * unit, b * unit


def _limit(τ: Fraction) -> Fraction:
    return (1 + τ) / (1 - τ)


def _fractions(rng: Random, near: Fraction, least: int) -> list[Any]:
    """Pairs of fractions that are the threshold, or next to it, nearer than any float may be."""
    near = Fraction(round(near * (1 << 200)), 1 << 200) if near.denominator >> 200 else near
    values = [max(Fraction(least), near * (1 + Fraction(rng.choice((0, 0, 1, -1)), 1 << rng.choice((53, 55, 58, 61, 70, 90))))) for _ in range(few(rng))]
    return [[x.numerator, x.denominator] for x in values]


def _given(kind: str, values: list[Any]) -> np.ndarray | list[Fraction]:
    return [ratio(x) for x in values] if kind == "fraction" else np.array(values, kind)


def _ratio_case(rng: Random) -> tuple[Any, ...]:
    kind, q = rng.choice(("float64", "float32", "float16")), level(rng)
    near = _limit(ratio(q))
    if rng.random() < 0.3:
        return "fraction", _fractions(rng, near, 1), q
    return kind, [max(1.0, gen.beside(rng, near, kind) if rng.random() < 0.8 else abs(gen.real(rng, kind))) for _ in range(few(rng))], q


def _run_ratio(kind: str, ratios: list[Any], q: list[Any]) -> Result:
    with calls(g.ServedGate, "decide") as left:
        got = g.ServedGate(ratio(q)).decide_many(_given(kind, ratios))
    return answers(got, [value(r) <= _limit(ratio(q)) for r in ratios], left[0])


def _within(spread: Fraction, limit: Fraction) -> bool:
    """tanh(spread/4) ≤ τ, that is e^(spread/2) ≤ (1 + τ)/(1 − τ)."""
    if spread / 2 > 2 * math.log(limit.numerator) + 2:
        return False
    return exp(spread / 2)[1] <= limit


def _spreads(got: np.ndarray, spreads: list[Fraction], τ: Fraction, undecided: int) -> Result:
    limit = _limit(τ)
    for i, (admit, s) in enumerate(zip(got.tolist(), spreads)):
        if admit and not _within(s, limit):
            return Result(len(spreads), f"entry {i} is admitted, the exact answer is to refuse")
        if not admit and _within(s * (1 + SLACK), limit):
            return Result(len(spreads), f"entry {i} is refused, well within the threshold")
    return Result(len(spreads), None, int(got.sum()), undecided)


def _threshold(q: list[Any]) -> Fraction:
    """4·atanh τ, nearly."""
    limit = _limit(ratio(q))
    guess = 2 * (math.log(limit.numerator) - math.log(limit.denominator)) if limit.denominator < 10**9 else 4 * math.atanh(float(ratio(q)))
    x = Fraction(guess)
    for _ in range(2):  # Newton's step for e^(x/2) = limit
        x -= 2 * (1 - limit / exp(x / 2)[0]) if x > 0 else 0
    return max(x, Fraction(0))


def _spread_case(rng: Random) -> tuple[Any, ...]:
    kind, q = rng.choice(("float64", "float64", "float32", "float16")), level(rng)
    near = _threshold(q)
    if rng.random() < 0.3:
        return "fraction", _fractions(rng, near, 0), q
    return kind, [abs(gen.beside(rng, near, kind) if rng.random() < 0.8 else gen.real(rng, kind)) for _ in range(few(rng))], q


def _run_spread(kind: str, spreads: list[Any], q: list[Any]) -> Result:
    with calls(g.SpreadGate, "decide") as left:
        got = g.SpreadGate(ratio(q)).decide_many(_given(kind, spreads))
    values = [value(s) for s in spreads]
    single = [g.SpreadGate(ratio(q)).decide(s).admit for s in values]
    if got.tolist() != single:
        return Result(len(values), f"decide_many says {got.tolist()}, decide {single}")
    return _spreads(got, values, ratio(q), left[0])


def _logits_case(rng: Random) -> tuple[Any, ...]:
    kind, v, q = dtype(rng), width(rng), level(rng)
    before, rows, near = gen.reals(rng, v, kind), [], _threshold(q)
    for _ in range(few(rng)):
        shift = Fraction(rng.choice((0, 0, 1 << 9, 1 << 20)))  # of all logits, which changes no probability
        after = [gen.held(x + shift, kind) for x in exact(before)]
        if v > 1:
            i, j = rng.sample(range(v), 2)
            part = Fraction(rng.randint(0, 8), 8)
            after[i] = gen.beside(rng, Fraction(before[i]) + shift + near * part, kind)
            after[j] = gen.beside(rng, Fraction(before[j]) + shift - near * (1 - part), kind)
        rows.append(after if rng.random() < 0.8 else gen.reals(rng, v, kind))
    return kind, before, rows, q


def _run_logits(kind: str, before: list[Any], rows: Rows, q: list[Any]) -> Result:
    with calls(g.SpreadGate, "decide_logits") as left:
        got = g.SpreadGate(ratio(q)).decide_logits_many(np.array(before, kind), matrix(rows, kind, len(before)))
    changes = [[b - a for a, b in zip(exact(before), exact(after))] for after in rows]
    return _spreads(got, [max(δ) - min(δ) for δ in changes], ratio(q), left[0])


def _overlap(before: list[Any], after: list[Any]) -> tuple[Fraction, Fraction]:
    """Bounds of the squared sum of √(w·w'), weights scaled to sum 1."""
    w, v = exact(before), exact(after)
    low = sum((gen.root(x * y) for x, y in zip(w, v)), Fraction(0))
    mass = sum(w) * sum(v)
    return low * low / mass, (low * (1 + Fraction(1, 1 << 110))) ** 2 / mass


def _hellinger_case(rng: Random) -> tuple[Any, ...]:
    kind, v, rows = rng.choice(("float64", "float32", "float16")), width(rng), []
    small = rng.random() < 0.4  # masses whose products are below the normal range and have few digits
    kind = "float64" if small else kind
    before = [max(x, gen.edges(kind)[2]) if i == 0 else x for i, x in enumerate(gen.sizes(rng, v, kind))]
    if small:
        unit = 2.0 ** -rng.randint(522, 533)
        before = [unit * rng.uniform(1, 2), *(unit * rng.choice((0, 0, rng.random())) for _ in range(v - 1))]
    for _ in range(few(rng)):
        after = (
            [abs(gen.held(Fraction(x) * Fraction(rng.choice((1, 1, rng.uniform(0, 2)))), kind)) for x in before]
            if rng.random() < 0.8
            else gen.sizes(rng, v, kind)
        )
        if small and v > 1:  # and an overlap that is small beside them
            after = [before[0] * rng.uniform(0.001, 0.2), *(unit * rng.uniform(0.5, 1) for _ in range(v - 1))]
        after[0] = max(after[0], gen.edges(kind)[2])
        rows.append(after)
    q = level(rng)
    if rows and rng.random() < 0.7:  # τ next to √(1 − BC²)
        τ = gen.root(max(Fraction(0), 1 - _overlap(before, rng.choice(rows))[0])) + Fraction(
            rng.choice((-1, 0, 1)), 1 << rng.choice((16, 20, 24, 28, 32, 40, 52, 53, 60))
        )
        near = τ.limit_denominator(10 ** rng.choice((3, 9, 18, 18)))
        q = [near.numerator, near.denominator] if 0 < near < 1 else q
    return kind, before, rows, q


def _run_hellinger(kind: str, before: list[Any], rows: Rows, q: list[Any]) -> Result:
    with calls(g.HellingerGate, "decide") as left:
        got = g.HellingerGate(ratio(q)).decide_many(np.array(before, kind), matrix(rows, kind, len(before)))
    for i, (admit, after) in enumerate(zip(got.tolist(), rows)):
        low, high = _overlap(before, after)
        if admit and 1 - high > ratio(q) ** 2:
            return Result(len(rows), f"entry {i} is admitted, the exact answer is to refuse")
        if not admit and 1 - low + Fraction(1, 1 << 60) <= ratio(q) ** 2:
            return Result(len(rows), f"entry {i} is refused, well within the threshold")
    return Result(len(rows), None, int(got.sum()), left[0])


def _step_case(rng: Random) -> tuple[Any, ...]:
    """A grid, and a normaliser above 1 at which a whole number of units is just enough, or just not."""
    G = rng.choice((1, 2, 10, 1000, 10**9))
    n = rng.randint(0, G - 1)
    z = 1 / (1 - Fraction(n * n, G * G)) + rng.choice((0, 0, 1)) * Fraction(1, 10**40)
    return G, [z.numerator, z.denominator]


def _run_step(G: int, z: list[Any]) -> Result:
    """The least u with G²·(1 − 1/z) ≤ (u − 1)², u ≥ 1."""
    units, need = g.step_units(G, ratio(z)), G * G * (1 - 1 / ratio(z))
    right = units >= 1 and need <= (units - 1) ** 2 and (units == 1 or (units - 2) ** 2 < need)
    return Result(1, None if right else f"{units} units", 1)


def _strict_case(rng: Random) -> tuple[Any, ...]:
    """Levels so near to 1 that spreads of hundreds keep them, and others."""
    den = rng.choice((10**12, 10**60, 10**100))
    return ([den - rng.choice((1, 1, 2, den // 3)), den],)


def _run_strict(service: list[Any]) -> Result:
    """The spread of a level keeps it, and hardly more would: e^(s/2) ≤ (1 + τ)/(1 − τ); the gate admits it but for its own rounding."""
    τ = ratio(service)
    s, most = g.spread_for_level(τ), (1 + τ) / (1 - τ)
    near, gate = Fraction(1, 1 << 50), g.SpreadGate(τ)
    if exp(s / 2)[0] > most or exp(s * (1 + near) / 2)[1] < most:
        return Result(1, f"the spread {float(s)} is not that of the level")
    right = gate.decide(s * (1 - near)).admit and not gate.decide(s * (1 + near)).admit
    return Result(1, None if right else f"the gate at a spread of {float(s)}", 1)


CHECKS = (
    Check("spread_for_level", _strict_case, _run_strict, batch=4),
    Check("step_units", _step_case, _run_step),
    Check("ServedGate", _ratio_case, _run_ratio),
    Check("SpreadGate", _spread_case, _run_spread, batch=4),
    Check("SpreadGate.decide_logits", _logits_case, _run_logits, batch=4),
    Check("HellingerGate", _hellinger_case, _run_hellinger),
)
