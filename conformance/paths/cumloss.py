"""Charges and reserves: found with powers and logarithms rounded outward, checked with whole powers."""
from __future__ import annotations

from fractions import Fraction
from random import Random

from ...gates import cumloss as g
from ..checks import Check, Result
from . import level, ratio


def _bet(rng: Random) -> tuple[int, int, int]:
    N = rng.choice((1, 2, 3, 10, 16, 37, 64))
    q = rng.choice((1, 2, 10, 1000, 10**6, (1 << 63) - 1))
    return N, q + rng.choice((1, 1, 2, q, max(1, q // 10))), q


def _run_charges(N: int, p: int, q: int) -> Result:
    """The charge of u is the least a with N·q^N + u·(p^N − q^N) ≤ N·q^(N−a)·p^a, for every u."""
    charges = g.Bet(N, p, q).charges().tolist()
    powers = [N * q ** (N - a) * p**a for a in range(N + 1)]
    truth = [next(a for a in range(N + 1) if N * q**N + u * (p**N - q**N) <= powers[a]) for u in range(N + 1)]
    wrong = [u for u in range(N + 1) if charges[u] != truth[u]]
    return Result(N + 1, f"the charge of {wrong[0]} units is {charges[wrong[0]]}, exactly {truth[wrong[0]]}" if wrong else None, N + 1)


def _reserve_case(rng: Random) -> tuple:
    N, p, q = _bet(rng)
    p = q + max(1, q // rng.choice((1, 3, 50)))
    delta = level(rng)
    if rng.random() < 0.5:  # 1/δ is a power of the bet, or next to one
        r = rng.randint(1, 12)
        den = 10**30
        δ = Fraction(q, p) ** r + Fraction(rng.choice((-1, 0, 0, 1)), den)
        delta = [δ.numerator, δ.denominator] if 0 < δ < 1 else delta
    return N, p, q, delta


def _run_reserve(N: int, p: int, q: int, delta: list) -> Result:
    """The least r with 1/δ ≤ (p/q)^r."""
    r, δ, θ = g.Bet(N, p, q).reserve(ratio(delta)), ratio(delta), Fraction(p, q)
    fault = None if δ * θ**r >= 1 else "does not pay"
    if fault is None and r and δ * θ ** (r - 1) >= 1:
        fault = "is not the least"
    return Result(1, fault and f"a reserve of {r} units {fault}", 1)


CHECKS = (Check("Bet.charges", _bet, _run_charges, batch=4), Check("Bet.reserve", _reserve_case, _run_reserve, batch=4))
