"""Order statistics of floats, and the conformal gate on arrays."""
from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np

from ...core import conformal as kernel
from ...gates import conformal as g
from .. import generators as gen
from ..checks import Check, Result, answers, calls
from . import dtype, exact, few, level, ratio, width


def _case(rng: Random) -> tuple:
    """Scores with many ties, and a rank: mostly one that is there, sometimes 0 or past the end."""
    kind = rng.choice(("float64", "float32", "int64"))
    scores = gen.reals(rng, width(rng), kind)
    if rng.random() < 0.1:  # past the size to which each is compared with each, in an order that was not chosen at random
        scores = sorted(scores * rng.randint(10, 40), reverse=rng.random() < 0.5)
    if rng.random() < 0.05:
        scores = []
    return kind, scores, rng.choice((0, 1, len(scores), len(scores) + 1, rng.randint(0, len(scores) + 2)))


def _run_kth(kind: str, scores: list, k: int) -> Result:
    truth = sorted(exact(scores))[k - 1] if 0 < k <= len(scores) else None
    found = kernel.kth_smallest(np.array(scores, kind), k)
    got = None if found is None else Fraction(found)
    return Result(1, None if got == truth else f"{found}, exactly it is {truth}", truth is not None)


def _run_merged(kind: str, scores: list, k: int) -> Result:
    """The same from parts that keep no more than the rank needs."""
    if not 0 < k <= len(scores):
        return Result(0)
    keep, parts = len(scores) + 2 - k, []
    for own in (scores[::3], scores[1::3], scores[2::3]):
        part = kernel.Largest(keep, kind)
        part.add(np.array(own, kind))
        parts.append(part)
    got = Fraction(parts[2].merge(parts[0]).merge(parts[1]).kth_smallest(k))
    truth = sorted(exact(scores))[k - 1]
    return Result(1, None if got == truth else f"{got}, exactly it is {truth}", 1)


def _gate_case(rng: Random) -> tuple:
    kind, scores, part = dtype(rng), gen.reals(rng, width(rng), rng.choice(("float64", "float32"))), rng.choice((1, 1, 3))
    q = level(rng)
    k = math.ceil((len(scores) + 1) * ratio(q))
    t = sorted(exact(scores))[min(k, len(scores)) - 1] / part
    return kind, scores, part, q, [abs(gen.beside(rng, 2 * t, kind)) if rng.random() < 0.8 else gen.sizes(rng, 1, kind)[0] for _ in range(few(rng))]


def _run_gate(kind: str, scores: list, part: int, q: list, γ: list) -> Result:
    """part: 1 for floats, 3 for scores of a third of them, which no float holds."""
    k = math.ceil((len(scores) + 1) * ratio(q))
    t = sorted(exact(scores))[k - 1] / part if k <= len(scores) else None
    gate = g.calibrate(np.array(scores, np.float64) if part == 1 else [x / part for x in exact(scores)], ratio(q))
    if gate.rank != k or gate.threshold != t:
        return Result(1, f"rank {gate.rank}, threshold {gate.threshold}; exactly {k}, {t}")
    with calls(g.ConformalGate, "decide") as left:
        got = gate.decide_many(np.array([gen.held(x, kind) for x in γ], kind))
    return answers(got, [t is not None and 2 * t <= Fraction(gen.held(x, kind)) for x in γ], left[0])


CHECKS = (Check("core.conformal.kth_smallest", _case, _run_kth, every_isa=True), Check("core.conformal.Largest", _case, _run_merged, every_isa=True),
          Check("ConformalGate", _gate_case, _run_gate))
