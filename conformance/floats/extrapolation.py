"""Bounds of failure rates: rounded outward, checked with exact binomial sums."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

from ...risk import extrapolation as g
from ..running.checks import Check, Result
from . import level, ratio

TIGHT = 1 - Fraction(1, 1 << 57)


def _at_most(k: int, n: int, p: Fraction) -> Fraction:
    """P(Bin(n, p) ≤ k)."""
    return sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), Fraction(0))


def _rate_case(rng: Random) -> tuple[Any, ...]:
    n = rng.choice((1, 2, 5, 18, 40))
    return rng.choice((0, n, rng.randint(0, n))), n, level(rng)


def _run_upper(k: int, n: int, confidence: list[Any]) -> Result:
    """The least rate, hardly rounded up, at which so few failures have at most the probability that is left."""
    p, β = g.clopper_pearson_upper(k, n, ratio(confidence)).risk, 1 - ratio(confidence)
    if k == n:
        return Result(1, None if p == 1 else f"{float(p)} where every trial failed", 1)
    if _at_most(k, n, p) > β:
        return Result(1, f"the rate {float(p)} is too small")
    return Result(1, "the bound is not tight" if _at_most(k, n, p * TIGHT) <= β else None, 1)


def _run_lower(k: int, n: int, confidence: list[Any]) -> Result:
    p, β = g.clopper_pearson_lower(k, n, ratio(confidence)), 1 - ratio(confidence)
    if k == 0:
        return Result(1, None if p == 0 else f"{float(p)} where no trial failed", 1)
    return Result(1, f"the rate {float(p)} is too large" if 1 - _at_most(k - 1, n, p) > β else None, 1)


def _pool_case(rng: Random) -> tuple[Any, ...]:
    M = rng.choice((2, 3, 10, 30, 60))
    N = rng.randint(1, M - 1)
    return M, N, rng.randint(1, N), level(rng)


def _run_pool(M: int, N: int, k: int, confidence: list[Any]) -> Result:
    """The least j with C(M − j − 1, N) ≤ (1 − confidence)·C(M, N), found by trying all of them."""
    β = 1 - ratio(confidence)
    j = next(j for j in range(M - N + 1) if math.comb(M - j - 1, N) <= β * math.comb(M, N))
    got = g.training_conditional(M, N, ratio(confidence)).risk
    if got != Fraction(j, M - N):
        return Result(1, f"risk {got}, exactly {Fraction(j, M - N)}", 1)
    # the same by the sum of the theorem, for the rank k of the sample
    counts = [math.comb(r - 1, k - 1) * math.comb(M - r, N - k) for r in range(1, M + 1)]
    j = next(j for j in range(M - N + 1) if sum(counts[: max(M - (N - k) - j - 1, 0)]) <= β * math.comb(M, N))
    got = g.training_conditional(M, N, ratio(confidence), rank=k).risk
    return Result(1, None if got == Fraction(j, M - N) else f"rank {k}: risk {got}, exactly {Fraction(j, M - N)}", 1)


def _trials_case(rng: Random) -> tuple[Any, ...]:
    return [1, rng.choice((2, 3, 10, 50))], level(rng)


def _run_trials(risk: list[Any], confidence: list[Any]) -> Result:
    n, none, β = g.trials_without_failure(ratio(risk), ratio(confidence)), 1 - ratio(risk), 1 - ratio(confidence)
    right = none**n <= β and (n == 1 or none ** (n - 1) > β)
    return Result(1, None if right else f"{n} trials", 1)


CHECKS = (
    Check("clopper_pearson_upper", _rate_case, _run_upper, batch=2),
    Check("clopper_pearson_lower", _rate_case, _run_lower, batch=2),
    Check("training_conditional", _pool_case, _run_pool, batch=4),
    Check("trials_without_failure", _trials_case, _run_trials, batch=4),
)
