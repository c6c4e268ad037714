"""Charges and reserves: found with powers and logarithms rounded outward, checked with whole powers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...errors import RangeError
from ...gates import cumloss as g
from ..running import generators as gen
from ..running.checks import Check, Result
from . import level, ratio, value


def _bet(rng: Random) -> tuple[int, int, int]:
    N = rng.choice((1, 2, 3, 10, 16, 37, 64))
    q = rng.choice((1, 2, 10, 1000, 10**6, (1 << 63) - 1))
    return N, q + rng.choice((1, 1, 2, q, max(1, q // 10))), q


def _charges_case(rng: Random) -> tuple[int, int, int]:
    """Any bet; or one with N·θ^(a - N) whole for some a and θ^-N below the last bit of the powers: what the charge a pays for is then
    a whole number of units but for less than their rounding, and `pays` has to say that it is below."""
    if rng.random() < 0.6:
        return _bet(rng)
    p, q, N = rng.choice(((10, 3, 60), (10, 3, 100), (7, 3, 98), (8, 3, 80), (11, 3, 66)))
    return N, p, q


def _run_charges(N: int, p: int, q: int) -> Result:
    """The charge of u is the least a with N·q^N + u·(p^N − q^N) ≤ N·q^(N−a)·p^a, for every u."""
    charges = g.Bet(N, p, q).charges().tolist()
    powers = [N * q ** (N - a) * p**a for a in range(N + 1)]
    truth = [next(a for a in range(N + 1) if N * q**N + u * (p**N - q**N) <= powers[a]) for u in range(N + 1)]
    wrong = [u for u in range(N + 1) if charges[u] != truth[u]]
    return Result(N + 1, f"the charge of {wrong[0]} units is {charges[wrong[0]]}, exactly {truth[wrong[0]]}" if wrong else None, N + 1)


def _reserve_case(rng: Random) -> tuple[Any, ...]:
    N, p, q = _bet(rng)
    p = q + max(1, q // rng.choice((1, 3, 50)))
    delta = level(rng)
    if rng.random() < 0.5:  # 1/δ is a power of the bet, or next to one
        r = rng.randint(1, 12)
        den = 10**30
        δ = Fraction(q, p) ** r + Fraction(rng.choice((-1, 0, 0, 1)), den)
        delta = [δ.numerator, δ.denominator] if 0 < δ < 1 else delta
    return N, p, q, delta


def _run_reserve(N: int, p: int, q: int, delta: list[Any]) -> Result:
    """The least r with 1/δ ≤ (p/q)^r."""
    r, δ, θ = g.Bet(N, p, q).reserve(ratio(delta)), ratio(delta), Fraction(p, q)
    fault = None if δ * θ**r >= 1 else "does not pay"
    if fault is None and r and δ * θ ** (r - 1) >= 1:
        fault = "is not the least"
    return Result(1, fault and f"a reserve of {r} units {fault}", 1)


def _units_case(rng: Random) -> tuple[Any, ...]:
    """A grid, and a number that is a whole number of its units or next to one, or lies around the end of a range."""
    N = rng.choice((1, 2, 3, 10, 1000, 1 << 12))  # the bet 2/1 is refused on a grid past 2^13
    x = rng.choice((Fraction(rng.randint(0, N), N), Fraction(1), Fraction(1 << 62, N), Fraction((1 << 62) - 1, N)))
    if rng.random() < 0.4:
        return N, abs(gen.beside(rng, x))
    x = abs(x + rng.choice((0, 0, 1, -1)) * Fraction(1, 10**30))
    return N, [x.numerator, x.denominator]


def _run_units(N: int, x: Any) -> Result:
    """`Bet.up`: the least number of units that is no less, for a loss of at most 1; `Bet.down`: the largest that is no more, below 2^62."""
    bet, v = g.Bet(N, 2, 1), value(x)
    cases: tuple[tuple[str, Any, Callable[[int], bool], bool], ...] = (
        ("up", bet.up, lambda n: n - 1 < N * v <= n, v <= 1),
        ("down", bet.down, lambda n: n <= N * v < n + 1, N * v < 1 << 62),
    )
    for name, call, holds, allowed in cases:
        try:
            units = call(v)
        except RangeError:
            if allowed:
                return Result(2, f"{name} refuses {float(v)}")
            continue
        if not allowed or not holds(units):
            return Result(2, f"{name} makes {units} units of 1/{N} of {v}")
    return Result(2, None, 2)


def _run_ends(N: int, delta: list[Any]) -> Result:
    """The last that is taken and the first that is refused: an account of the reserve, a budget of 2^62 units, a rate of 100."""
    gate, most = g.ChargeGate(g.Bet(N, 3, 2), ratio(delta)), (1 << 62) - 1
    r = gate.reserve
    zero, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    tries: list[tuple[Callable[[Any], Any], str, Any, Any]] = [
        (lambda a: gate.decide(a, 0, most), "account", r, r - 1),
        (lambda b: gate.decide(r, 0, b), "budget", most, most + 1),
        (lambda u: gate.decide(r, u, most), "units", N, N + 1),
        (lambda a: gate.run(zero, most, a), "account", r, r - 1),
        (lambda b: gate.run(zero, b), "budget", most, most + 1),
        (lambda u: gate.run(one * u, most), "units", N, N + 1),
        (lambda a: gate.decide_many(one * a, zero, most), "account", r, r - 1),
        (lambda b: gate.decide_many(one * r, zero, one * b), "budget", most, most + 1),
        (lambda b: gate.decide_many(one * r, zero, one * b), "budget", 0, -1),
        (lambda b: gate.decide_many(zero[:0], zero[:0], b), "budget", most, most + 1),
        (lambda u: gate.decide_many(one * r, one * u, most), "units", N, N + 1),
        (lambda rate: g.Bet.of_rate(N, rate), "rate", 100, Fraction(101)),
        (lambda rate: g.Bet.of_rate(N, rate), "rate", 1, 0),
    ]
    for number, (call, name, last, first) in enumerate(tries):
        call(last)
        try:
            call(first)
        except RangeError as error:
            if error.argument == name:
                continue
            return Result(len(tries), f"{number}: {name} = {first} is refused as {error.argument}")
        return Result(len(tries), f"{number}: {name} = {first} is taken")
    return Result(len(tries), refused=len(tries))


CHECKS = (
    Check("ChargeGate, ends", lambda rng: (rng.choice((16, 64)), level(rng)), _run_ends, batch=2),
    Check("Bet.charges", _charges_case, _run_charges, batch=4),
    Check("Bet.reserve", _reserve_case, _run_reserve, batch=4),
    Check("Bet.up, Bet.down", _units_case, _run_units, batch=16),
)
