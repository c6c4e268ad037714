"""Local exchange: plans near the chosen one, measured on the outputs, and kept where they are better."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..files.screen import Show
from . import choose
from .choose import Options, Plan
from .measure import Measures
from .tensors import Tensor

FACTORS = (2.0, 0.5)
SURE = 1.0  # standard errors of the paired difference by which a plan must be better


@dataclass
class Trial:
    """A plan and what it does to the outputs.  what: in words.  kl, flips: of a position, in the mean.  kept: whether the search went on from it."""

    what: str
    plan: Plan
    size: int
    predicted: float
    kl: float
    flips: float
    seconds: float
    kept: bool
    each: np.ndarray

    def shown(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("what", "size", "predicted", "kl", "flips", "seconds", "kept")}


def tried(what: str, plan: Plan, options: Options, measures: Measures) -> Trial:
    """One plan, measured on all passages."""
    effect, seconds = measures.of(plan, f"plan {' '.join(f'{name}={code}' for name, code in sorted(plan.items()))}", False)
    positions = int(measures.outputs.positions.sum())
    return Trial(
        what,
        plan,
        choose.size(options, plan),
        choose.cost(options, plan),
        float(effect.kl.sum()) / positions,
        int(effect.flips.sum()) / positions,
        seconds,
        False,
        effect.kl,
    )


def better(one: Trial, other: Trial) -> bool:
    """Whether the first one's divergence is smaller, by more than the standard error of the difference over passages."""
    apart = other.each - one.each
    return bool(apart.mean() > SURE * apart.std(ddof=min(1, len(apart) - 1)) / math.sqrt(len(apart)))


def exchanged(
    start: Trial, options: Options, tensors: Sequence[Tensor], budget: int, measures: Measures, until: Callable[[], bool], show: Show, most: float | None = None
) -> list[Trial]:
    """Trials one after the other, the start not included; those that were kept are marked, the last of them is the result.

    A trial weighs the costs of one role of tensors twice, or half, as high and solves the knapsack anew: where effects are not additive, or go together
    differently than the errors say, the exchange of bytes between roles shows it.  until: true when the time is over.  most: share of changed tokens above which
    no plan is kept.
    """
    factors: dict[str, float] = {}
    best, seen = start, [start.plan]
    found: list[Trial] = []
    roles = sorted({tensor.role for tensor in tensors}, key=lambda role: -sum(t.nbytes for t in tensors if t.role == role))
    of = {tensor.name: tensor.role for tensor in tensors}
    going = True
    while going:
        going = False
        for role in roles:
            for factor in FACTORS:
                if until():
                    return found
                trial_factors = {**factors, role: factors.get(role, 1.0) * factor}
                weighed = {name: [option._replace(cost=option.cost * trial_factors.get(of[name], 1.0)) for option in every] for name, every in options.items()}
                plan = choose.knapsack(weighed, budget)
                if plan in seen:
                    continue
                seen.append(plan)
                show(f"exchange: {role} × {trial_factors[role]:g}; KL {best.kl:.4g} so far")
                trial = tried(f"{role} × {trial_factors[role]:g}", plan, options, measures)
                found.append(trial)
                if better(trial, best) and (most is None or trial.flips <= most):
                    best, factors, going, trial.kept = trial, trial_factors, True, True
                    break
    return found


def clock(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
