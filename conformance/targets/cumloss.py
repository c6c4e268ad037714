"""The accounts: budgets that are exactly spent, reserves and charges that just pay, prices at their share, wealth that just reaches 1/δ."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from random import Random
from typing import Any

from ...gates import betting, cumloss, union
from ..running import generators as gen
from . import Target


def _spoiled(rng: Random, x: int, *others: int) -> int:
    """x, and in one case of sixteen one of the others."""
    return x if rng.random() < 15 / 16 else rng.choice(others)


def _bet(rng: Random) -> tuple[int, int, int]:
    """Grid N and bet p/q; sometimes p = q, sometimes no bet at all."""
    N = rng.choice((1, 1, 2, 3, 4, 5, 8, 12)) if rng.random() < 0.9 else rng.randint(13, 40)
    q = rng.choice((1, 1, 2, 3, 7, 1 + gen.natural(rng, rng.choice((2, 4, 8)))))
    p = q + rng.choice((0, 1, 1, 2, q, gen.natural(rng, rng.choice((1, 3, 8)))))
    return _spoiled(rng, N, 0), _spoiled(rng, p, 0, max(0, q - 1)), _spoiled(rng, q, 0)


def _units(rng: Random, N: int) -> int:
    """A mean bound: none, all, one above, or between."""
    return rng.choice((0, 0, N, N, N + 1, rng.randint(0, N), rng.randint(0, N)))


def _risk(rng: Random, p: int, q: int) -> tuple[int, int]:
    """A level as num, den: a power of q/p, which a reserve pays exactly, or any; sometimes 0, above 1, or without a denominator."""
    r = rng.randint(0, 6)
    num, den = (q**r, p**r) if rng.random() < 0.6 else rng.choice(((1, 1), (1, 20), (1, 100), (3, 7), (1, 1 + gen.natural(rng, 12))))
    return _spoiled(rng, num, 0, num + 1, 5 * den), _spoiled(rng, den, 0, den + 1)


def _least(test: Callable[[int], bool], most: int) -> int:
    """The least of 0 … most that passes; `most` if none does."""
    return next((n for n in range(most) if test(n)), most)


def bet(rng: Random) -> tuple[Any, ...]:
    N, p, q = _bet(rng)
    return rng.choice((0, 1, N)), rng.choice((p, q, q - 1 if q else 0, 0)), rng.choice((q, q, 0, 1))


def factor(rng: Random) -> tuple[Any, ...]:
    N, p, q = _bet(rng)
    return N, p, q, _units(rng, N)


def covered(rng: Random) -> tuple[Any, ...]:
    """A ledger after t steps of mean bound 0, N or between, and the least budget that covers it, or one next to it."""
    N, p, q = _bet(rng)
    num, den = _risk(rng, p, q)
    t, L = rng.randint(0, 3), 1
    for _ in range(t):
        L *= cumloss.step_factor(N, p, q, _units(rng, N))
    L = _spoiled(rng, L, 0, L + 1, max(0, L - 1))
    b = _least(lambda b: cumloss.covered(N, p, q, num, den, t, L, b), 60)
    return N, p, q, num, den, t, L, max(0, b + rng.choice((-1, -1, 0, 0, 0, 1)))


def step(rng: Random) -> tuple[Any, ...]:
    N, p, q, num, den, t, L, _ = covered(rng)
    u = _units(rng, N)
    b = _least(lambda b: cumloss.cumloss_admit(N, p, q, num, den, t, L, u, b), 60)
    return N, p, q, num, den, t, L, u, max(0, b + rng.choice((-1, -1, 0, 0, 0, 1)))


def payment(rng: Random) -> tuple[Any, ...]:
    N, p, q, u = factor(rng)
    return N, p, q, u, max(0, cumloss.least_charge(N, p, q, u) + rng.choice((-1, -1, 0, 0, 0, 1)))


def _reserve(rng: Random) -> tuple[int, int, int, int]:
    """Bet and level with a search that ends within 400 steps, also where nothing pays."""
    _, p, q = _bet(rng)
    num, den = _risk(rng, p, q)
    return (p, q, num, den) if q * den <= 400 or (p > q and num) else (2, 1, num, min(den, 400))


def reserve_payment(rng: Random) -> tuple[Any, ...]:
    p, q, num, den = _reserve(rng)
    return p, q, num, den, max(0, _least(lambda r: cumloss.reserve_pays(p, q, num, den, r), 60) + rng.choice((-1, -1, 0, 0, 0, 1)))


def reserve(rng: Random) -> tuple[Any, ...]:
    return _reserve(rng)


def account(rng: Random) -> tuple[Any, ...]:
    a, offer = gen.natural(rng, gen.width(rng)), gen.natural(rng, gen.width(rng))
    return a, offer, max(0, gen.near(rng, a + offer)) if rng.random() < 0.85 else gen.natural(rng, gen.width(rng))


def settled(rng: Random) -> tuple[Any, ...]:
    a, offer, budget = account(rng)
    return a, offer, rng.choice((offer, max(0, offer - 1), 0, gen.natural(rng, gen.width(rng)))), budget


def run(rng: Random) -> tuple[Any, ...]:
    """Proposals that each spend the budget exactly, or miss it by a unit."""
    start = total = gen.natural(rng, gen.width(rng))
    steps = []
    for _ in range(rng.choice((0, 1, 2, 3, 3, 8))):
        offer = gen.natural(rng, rng.choice((1, 2, 8, 62)))
        charge = rng.choice((offer, max(0, offer - 1), 0))
        budget = max(0, total + offer + rng.choice((-1, 0, 0, 1)))
        steps.append((offer, charge, budget))
        total = cumloss.charge_settle(total, offer, charge, budget)
    return start, steps


def union_price(rng: Random) -> tuple[Any, ...]:
    """A price that is exactly the share of event t, or next to it."""
    t = rng.choice((0, 0, 1, 2, gen.natural(rng, gen.width(rng))))
    num, den = 1 + gen.natural(rng, gen.width(rng)), 1 + gen.natural(rng, gen.width(rng))
    c = rng.choice((1, 1, 2, 5))
    price, unit = num * c, den * (t + 1) * (t + 2) * c
    nearby = rng.choice((0, 0, 0, 1, 1, -1))
    return num, _spoiled(rng, den, 0), max(0, price + nearby), _spoiled(rng, unit, 0), t if rng.random() < 0.9 else t + 1


def union_life(rng: Random) -> tuple[Any, ...]:
    """A price that ends the ledger at an event within reach."""
    t, num, den = rng.randint(0, 20), rng.randint(1, 9), rng.randint(1, 20)
    price, unit = num, den * (t + 1) * (t + 2)
    if rng.random() < 0.1:
        num, price, unit = rng.choice((0, 1)), 0, rng.randint(0, 20)  # free events: the search ends by itself
    return num, _spoiled(rng, den, 0), price + (price > 0 and rng.choice((0, 0, 1))), _spoiled(rng, unit, 0)


def stake(rng: Random) -> tuple[Any, ...]:
    """A stake at the cap b·N/(N − m), or next to it."""
    N = rng.choice((1, 2, 4, 10, 1 + gen.natural(rng, gen.width(rng))))
    m, c = _spoiled(rng, rng.choice((0, 1, N, rng.randint(0, N))), N + 1), 1 + gen.natural(rng, rng.choice((1, 3, 8, 62)))
    b = c * max(1, N - m) if rng.random() < 0.6 else c
    a = b * N // (N - m) if m < N else gen.natural(rng, 70)
    return _spoiled(rng, N, 0), m, _spoiled(rng, b, 0), max(0, a + rng.choice((-1, 0, 0, 0, 1, 1, 1)))


def bet_factor(rng: Random) -> tuple[Any, ...]:
    N, m, b, a = stake(rng)
    return N, m, b, a, rng.choice((0, N, m, N + 1, gen.natural(rng, gen.width(rng))))


def _steps(rng: Random, N: int, m: int, b: int, spoil: bool = True) -> list[tuple[int, int]]:
    """Stakes up to the cap, often the cap itself, and observations on the grid; sometimes one that is not sound."""
    cap = b * N // (N - m) if m < N else 2 * b
    steps = [
        (rng.choice((0, cap, cap, max(0, cap - 1), rng.randint(0, cap))), rng.choice((0, 0, m, N, rng.randint(0, max(0, N)))))
        for _ in range(rng.choice((0, 1, 2, 2, 3, 4)))
    ]
    if steps and spoil and rng.random() < 0.3:
        a, x = steps[0]
        steps[0] = rng.choice(((cap + 1, x), (a, N + 1)))
    return steps


def _claim(rng: Random) -> tuple[int, int, int]:
    N = rng.choice((1, 2, 3, 4, 5, 10))
    return _spoiled(rng, N, 0), _spoiled(rng, rng.choice((1, N, rng.randint(0, N))), N + 1), _spoiled(rng, rng.choice((1, 2, 3, 10)), 0)


def claim_steps(rng: Random) -> tuple[Any, ...]:
    N, m, b = _claim(rng)
    return N, m, b, _steps(rng, N, m, b)


def wealth(rng: Random) -> tuple[Any, ...]:
    N, _, b, steps = claim_steps(rng)
    return N, b, steps


def _level_of(rng: Random, N: int, m: int, b: int, steps: list[tuple[int, int]]) -> tuple[int, int]:
    """The level at which the wealth after the steps is exactly 1/δ, or one next to it."""
    num, den = betting.betting_den(N, b, steps), betting.betting_num(N, m, b, steps)
    common = gcd(num, den) or 1
    num, den = num // common, den // common
    return max(0, num + rng.choice((-1, 0, 0, 0, 1))), _spoiled(rng, den, 0)


def rejection(rng: Random) -> tuple[Any, ...]:
    N, m, b = _claim(rng)
    steps = _steps(rng, N, m, b, rng.random() < 0.4)
    return N, m, b, *_level_of(rng, N, m, b, steps), steps


def upper(rng: Random) -> tuple[Any, ...]:
    """Stakes that are sound for every claim, and a level at which one of the claims is just rejected."""
    N, m, b = _claim(rng)
    steps = [(rng.choice((0, b, rng.randint(0, b))), rng.choice((0, 0, 0, 1, rng.randint(0, N)))) for _ in range(rng.choice((0, 1, 2, 4, 5)))]
    return N, b, *_level_of(rng, N, m, b, steps), steps


def upper_from(rng: Random) -> tuple[Any, ...]:
    (*rest,) = upper(rng)
    return *rest, rng.choice((0, 1, rest[0], rng.randint(0, rest[0] + 1)))


def claims(rng: Random) -> tuple[Any, ...]:
    """Claims rejected from the top down to one that is not, the list sometimes too short or too long."""
    G = rng.choice((0, 1, 2, 3, 5, 8))
    rejected = [rng.random() < 0.3 for _ in range(G)]
    for m in range(rng.randint(0, G), G):
        rejected[m] = True
    return G, rejected if rng.random() < 0.85 else (rejected + [rng.random() < 0.5] * 2)[: rng.randint(0, G + 2)]


def turned(rng: Random) -> tuple[Any, ...]:
    N, m, b, steps = claim_steps(rng)
    return N, steps


def lower(rng: Random) -> tuple[Any, ...]:
    N, b, num, den, steps = upper(rng)
    return N, b, num, den, betting.mirrored(N, steps)


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("betOk", cumloss.bet_ok, bet),
    Target("stepFactor", cumloss.step_factor, factor),
    Target("covered", cumloss.covered, covered),
    Target("cumlossAdmit", cumloss.cumloss_admit, step),
    Target("cumlossStep", cumloss.cumloss_step, step),
    Target("pays", cumloss.pays, payment),
    Target("reservePays", cumloss.reserve_pays, reserve_payment),
    Target("leastCharge", cumloss.least_charge, factor),
    Target("leastReserve", cumloss.least_reserve, reserve),
    Target("chargeAdmit", cumloss.charge_admit, account),
    Target("chargeSettle", cumloss.charge_settle, settled),
    Target("chargeRun", cumloss.charge_run, run),
    Target("unionAdmit", union.union_admit, union_price),
    Target("unionLife", union.union_life, union_life),
    Target("stakeAdmit", betting.stake_admit, stake),
    Target("bettingFactor", betting.betting_factor, bet_factor),
    Target("stepsOk", betting.steps_ok, claim_steps),
    Target("bettingNum", betting.betting_num, claim_steps),
    Target("bettingDen", betting.betting_den, wealth),
    Target("bettingRejects", betting.betting_rejects, rejection),
    Target("bettingUpperFrom", betting.betting_upper_from, upper_from),
    Target("bettingUpper", betting.betting_upper, upper),
    Target("claimBound", betting.claim_bound, claims),
    Target("mirrored", betting.mirrored, turned),
    Target("bettingUpperBound", betting.betting_upper_bound, upper),
    Target("bettingLowerBound", betting.betting_lower_bound, lower),
)
