"""The choice of experts: the bounds of a router's scores against exact numbers, and a certified choice against the exact one."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import transformer
from ...lm import experts
from ...lm.config import Config
from ...lm.weights import roundings
from ..running import nearness
from ..running.checks import Check, Result

DIGITS = 60


def _router(rng: Random, columns: tuple[int, ...], rows: int) -> tuple[list[Any], list[Any]]:
    k, size = rng.choice(columns), rng.choice((1.0, 0.1, 1e-3, 8.0))
    x = [[rng.gauss(0, 1) for _ in range(k)] for _ in range(rng.choice((1, 2)))]
    w = [[rng.gauss(0, size) for _ in range(k)] for _ in range(rows)]
    if rng.random() < 0.4:  # two that are hard to tell apart
        w[1] = [value * (1 + rng.choice((0, 1e-7, 3e-7, 1e-6))) for value in w[0]]
    return np.array(x, np.float32).tolist(), np.array(w, np.float32).tolist()


def _scores(x: list[Any], w: list[Any]) -> tuple[np.ndarray, np.ndarray, list[list[Fraction]]]:
    """float32 logits, their bounds, and the exact ones."""
    a, b = np.array(x, np.float32), np.array(w, np.float32)
    exact = [[sum((Fraction(p) * Fraction(q) for p, q in zip(token, row)), Fraction(0)) for row in w] for token in x]
    return transformer.linear(a, b), experts.logit_bounds(a, np.abs(b.astype(np.float64)), roundings(b.shape[1])), exact


def _softmax(logits: list[Fraction]) -> list[Decimal]:
    with localcontext() as context:
        context.prec = DIGITS
        top = max(logits)
        powers = [(Decimal((z - top).numerator) / Decimal((z - top).denominator)).exp() for z in logits]
        total = sum(powers, Decimal(0))
        return [p / total for p in powers]


def _logits_case(rng: Random) -> tuple[Any, ...]:
    return _router(rng, (1, 1, 1, 2, 16, 33, 64), rng.choice((2, 5)))


def _run_logits(x: list[Any], w: list[Any]) -> Result:
    logits, bounds, exact = _scores(x, w)
    off = [[abs(Fraction(float(z)) - truth) for z, truth in zip(row, line)] for row, line in zip(logits, exact)]
    held = [nearness.record("experts.logit_bounds", max(row), float(bound)) for row, bound in zip(off, bounds)]
    return Result(logits.size, None if all(held) else "a logit is further from the exact one than its bound")


def _probabilities_case(rng: Random) -> tuple[Any, ...]:
    return _router(rng, (1, 4, 16, 40), rng.choice((2, 4, 17)))


def _run_probabilities(x: list[Any], w: list[Any]) -> Result:
    logits, bounds, exact = _scores(x, w)
    given = transformer.softmax(logits)
    wide = experts.probability_bounds(logits, given, bounds)
    held = [
        nearness.record("experts.probability_bounds", max(abs(Fraction(float(p)) - Fraction(q)) for p, q in zip(row, _softmax(line))), float(bound))
        for row, line, bound in zip(given, exact, wide)
    ]
    return Result(logits.size, None if all(held) else "a probability is further from the exact one than its bound")


def _choice_case(rng: Random) -> tuple[Any, ...]:
    groups, each = rng.choice(((1, 4), (1, 8), (2, 2), (4, 2), (3, 3)))
    groups_used = 1 if groups == 1 else rng.randint(1, groups - 1)
    return groups, groups_used, rng.randint(1, groups_used * each), *_router(rng, (4, 16, 33), groups * each)


def _exactly(scores: list[Any], groups: int, groups_used: int, used: int) -> set[int]:
    each = len(scores) // groups
    two = [sum(sorted(scores[g * each : (g + 1) * each])[-2:]) for g in range(groups)]
    best = sorted(range(groups), key=lambda g: (-two[g], g))[:groups_used] if groups > 1 else [0]
    return set(sorted((i for g in best for i in range(g * each, (g + 1) * each)), key=lambda i: (-scores[i], i))[:used])


def _run_choice(groups: int, groups_used: int, used: int, x: list[Any], w: list[Any]) -> Result:
    c = Config(1, 16, 1, 1, 16, 16, 2, 1, 1.0, 0.0, experts=len(w), experts_used=used, expert_groups=groups, expert_groups_used=groups_used)
    logits, bounds, exact = _scores(x, w)
    chosen, weights = experts.choose(logits, c)
    certified = experts.certify(logits, bounds, c)
    if (np.abs(weights.sum(axis=1) - 1) > 1e-5).any():
        return Result(len(x), "weights do not add up to 1")
    for row, line, sure in zip(chosen, exact, certified):
        if sure and set(row.tolist()) != _exactly(_softmax(line) if groups > 1 else line, groups, groups_used, used):
            return Result(len(x), "the exact scores choose other experts, and the choice was certified")
    return Result(len(x), refused=int((~certified).sum()))


CHECKS = (
    Check("experts logits", _logits_case, _run_logits, batch=30),
    Check("experts probabilities", _probabilities_case, _run_probabilities, batch=8),
    Check("experts choice", _choice_case, _run_choice, batch=4),
)
