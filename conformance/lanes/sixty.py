"""Enclosures and tail bounds against mpmath at 60 digits, for the statistics lane.

What mpmath returns is off by a few units of the 60th digit; a bound may miss it by a 10^-55th part, and lie a 10^-15th part away at most.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from ...numbers import outward
from ...numbers.door import dyadic
from ...risk import extrapolation
from ..floats import ratio
from ..running.checks import Check, Result

DIGITS = 60
OFF, NEAR = Fraction(1, 10**55), Fraction(1, 10**15)
FUNCTIONS = {"exp": "exp", "log": "log", "tanh": "tanh", "atanh": "atanh", "sqrt": "sqrt"}


def _sixty(call: Callable[[Any], Any]) -> Fraction:
    """What `call` returns when it is given mpmath at 60 digits, exactly."""
    import mpmath

    with mpmath.workdps(DIGITS):
        found = dyadic(call(mpmath), "mpmath")
    assert found is not None
    return found


def _mp(m: Any, x: Fraction) -> Any:
    return m.mpf(x.numerator) / x.denominator


def _arguments(rng: Random) -> tuple[Any, ...]:
    return rng.choice(tuple(FUNCTIONS)), [rng.getrandbits(rng.choice((1, 20, 53))) + 1, 1 << rng.randint(0, 60)], rng.random() < 0.5


def _run_function(name: str, x: list[int], minus: bool) -> Result:
    exact = Fraction(*x) * (-1 if minus and name not in ("log", "sqrt") else 1)
    if name in ("exp", "tanh"):
        exact = max(Fraction(-700), min(Fraction(700), exact))
    if name == "atanh":
        exact = exact / (1 + abs(exact))
    found, true = getattr(outward, name)(exact), _sixty(lambda m: getattr(m, name)(_mp(m, exact)))
    off = abs(true) * OFF
    fault = (
        None
        if found.low - off <= true <= found.high + off
        else f"{name}({exact}) lies in [{float(found.low)!r}, {float(found.high)!r}], by mpmath {float(true)!r}"
    )
    wide = found.high - found.low > abs(true) * NEAR
    return Result(2, fault or (f"{name}({exact}): an enclosure as wide as {float(found.high - found.low)}" if wide else None), 2)


def _counts(rng: Random) -> tuple[Any, ...]:
    n = rng.choice((1, 18, 100, 400))
    return rng.choice((0, n - 1, rng.randint(0, n - 1), min(n - 1, 3))), n, [rng.choice((1, 5, 50, 90, 95, 999)), 1000]


def _tail(k: int, n: int, p: Fraction) -> Fraction:
    """P(at most k of n) at the rate p."""

    def tail(m: Any) -> Any:
        x = _mp(m, p)
        return m.fsum(m.binomial(n, i) * m.power(x, i) * m.power(1 - x, n - i) for i in range(k + 1))

    return _sixty(tail)


def _run_clopper_pearson(k: int, n: int, q: list[int]) -> Result:
    β, bound = 1 - ratio(q), extrapolation.clopper_pearson_upper(k, n, ratio(q)).risk
    at, before = _tail(k, n, bound), _tail(k, n, bound * (1 - NEAR))
    fault = f"P(at most {k} of {n}) is {float(at)!r} at the bound, by mpmath; it has to be at most {float(β)!r}" if at > β * (1 + OFF) else None
    return Result(2, fault or (f"the bound {float(bound)} could be less by a 10^-15th part" if before < β else None), 2)


def _pool(rng: Random) -> tuple[Any, ...]:
    M = rng.randint(2, 120)
    N = rng.randint(1, M)
    return M, N, rng.randint(1, N), rng.randint(0, M)


def _run_pool(M: int, N: int, k: int, j: int) -> Result:
    def one(m: Any) -> Any:
        return m.binomial(M - j, N) / m.binomial(M, N) if N + j <= M else m.mpf(0)

    def order(m: Any) -> Any:
        ranks = range(k, max(M - (N - k) - j - 1, 0) + 1)  # that the k-th smallest may have in the pool
        return m.fsum(m.binomial(r - 1, k - 1) * m.binomial(M - r, N - k) for r in ranks) / m.binomial(M, N)

    pairs = (("pool_tail", extrapolation.pool_tail(M, N, j), _sixty(one)), ("pool_order_tail", extrapolation.pool_order_tail(M, N, k, j), _sixty(order)))
    fault = next(
        (f"{name} is {float(ours)!r}, by mpmath {float(theirs)!r}" for name, ours, theirs in pairs if abs(ours - theirs) > OFF * (abs(ours) + OFF)), None
    )
    return Result(2, fault, 2)


def _rates(rng: Random) -> tuple[Any, ...]:
    return [1, rng.choice((3, 7, 33, 1000, 10**5))], [rng.choice((51, 90, 95, 999)), 1000]


def _run_trials(risk: list[int], q: list[int]) -> Result:
    p, β = ratio(risk), 1 - ratio(q)
    n = extrapolation.trials_without_failure(p, ratio(q))

    def none(count: int) -> Fraction:
        return _sixty(lambda m: m.power(1 - _mp(m, p), count))

    enough, fewer = none(n), none(n - 1)
    return Result(
        1, None if enough <= β * (1 + OFF) and fewer > β * (1 - OFF) else f"{n} trials: {float(enough)!r} and one fewer {float(fewer)!r}, for {float(β)!r}", 1
    )


def load() -> list[Check]:
    """The checks; mpmath has to be there."""
    return [
        Check("enclosures = mpmath, 60 digits", _arguments, _run_function, batch=16),
        Check("failure rate = mpmath, 60 digits", _counts, _run_clopper_pearson, batch=2),
        Check("pools = mpmath, 60 digits", _pool, _run_pool, batch=4),
        Check("trials without failure = mpmath, 60 digits", _rates, _run_trials, batch=4),
    ]
