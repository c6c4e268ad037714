"""The ledger of the union bound: shares, the margin of a price, and how long a price can be paid."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...gates import union as g
from ..running.checks import Check, Result, answers
from . import level, ratio


def _case(rng: Random) -> tuple[Any, ...]:
    """A risk, a price that is the share of an event, or differs from it by very little, and the numbers of events around that one."""
    delta, t = level(rng), rng.choice((0, 0, 1, 2, 7, 100, 10**6))
    share = ratio(delta) / ((t + 1) * (t + 2))
    price = share * (1 + Fraction(rng.choice((-1, 0, 0, 0, 1)), 10 ** rng.choice((1, 6, 30))))
    return delta, [price.numerator, price.denominator], [max(0, t + more) for more in (-1, 0, 1)]


def _run(delta: list[Any], price: list[Any], events: list[Any]) -> Result:
    gate, δ, π = g.UnionGate(ratio(delta)), ratio(delta), min(Fraction(1), ratio(price))
    shares = [δ * (Fraction(1, t + 1) - Fraction(1, t + 2)) for t in events]
    for t, share in zip(events, shares):
        verdict = gate.decide(π, t)
        if gate.share(t) != share or verdict.margin != share - π or verdict.admit != (π <= share):
            return Result(1, f"event {t}: a share of {gate.share(t)}, exactly {share}; {verdict.admit} with a margin of {verdict.margin}")
        if gate.spent(t) != δ - δ / (t + 1):
            return Result(1, f"{gate.spent(t)} is spent by the first {t} events, exactly {δ - δ / (t + 1)}")
    life = gate.life(π)
    if δ / ((life + 1) * (life + 2)) >= π or (life and δ / (life * (life + 1)) < π):
        return Result(1, f"{life} is not the first event whose share is below the price")
    right = [π <= share for share in shares]
    return answers([*gate.decide_many(π, np.array(events)), *gate.decide_many([π] * len(events), np.array(events))], [*right, *right])


CHECKS = (Check("UnionGate", _case, _run, batch=16),)
