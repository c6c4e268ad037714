"""Order statistics of floats, and the conformal gate on arrays."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import conformal as kernel
from ...errors import RangeError
from ...gates import conformal as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import dtype, exact, few, level, ratio, width


def _case(rng: Random) -> tuple[Any, ...]:
    """Scores with many ties, and a rank: mostly one that is there, sometimes 0 or past the end."""
    kind = rng.choice(("float64", "float32", "int64"))
    scores = gen.reals(rng, width(rng), kind)
    if rng.random() < 0.1:  # past the size to which each is compared with each, in an order that was not chosen at random
        scores = sorted(scores * rng.randint(10, 40), reverse=rng.random() < 0.5)
    if rng.random() < 0.05:
        scores = []
    return kind, scores, rng.choice((0, 1, len(scores), len(scores) + 1, rng.randint(0, len(scores) + 2)))


def _run_kth(kind: str, scores: list[Any], k: int) -> Result:
    truth = sorted(exact(scores))[k - 1] if 0 < k <= len(scores) else None
    found = kernel.kth_smallest(np.array(scores, kind), k)
    got = None if found is None else Fraction(found)
    return Result(1, None if got == truth else f"{found}, exactly it is {truth}", truth is not None)


def _run_merged(kind: str, scores: list[Any], k: int) -> Result:
    """The same from parts that keep no more than the rank needs."""
    if not 0 < k <= len(scores):
        return Result(0)
    keep, parts = len(scores) + 2 - k, []
    for own in (scores[::3], scores[1::3], scores[2::3]):
        part = kernel.Largest(keep, kind)
        part.add(np.array(own, kind))
        parts.append(part)
    found = parts[2].merge(parts[0]).merge(parts[1]).kth_smallest(k)
    got = None if found is None else Fraction(found)
    truth = sorted(exact(scores))[k - 1]
    return Result(1, None if got == truth else f"{got}, exactly it is {truth}", 1)


def _gate_case(rng: Random) -> tuple[Any, ...]:
    scores: list[Any]
    kind, scores, part = dtype(rng), gen.reals(rng, width(rng), rng.choice(("float64", "float32"))), rng.choice((1, 1, 3))
    if rng.random() < 0.3:  # halves, so that twice the threshold is a whole number between two floats
        kind, scores, part = "int64", gen.between(rng, width(rng)), 2
    q = level(rng)
    k = math.ceil((len(scores) + 1) * ratio(q))
    t = sorted(exact(scores))[min(k, len(scores)) - 1] / part
    return kind, scores, part, q, [abs(gen.beside(rng, 2 * t, kind)) if rng.random() < 0.8 else gen.sizes(rng, 1, kind)[0] for _ in range(few(rng))]


def _run_gate(kind: str, scores: list[Any], part: int, q: list[Any], γ: list[Any]) -> Result:
    """part: 1 for floats, 3 for scores of a third of them, which no float holds; 2 for halves of whole numbers."""
    k = math.ceil((len(scores) + 1) * ratio(q))
    t = sorted(exact(scores))[k - 1] / part if k <= len(scores) else None
    gate = g.calibrate(np.array(scores, np.float64) if part == 1 and all(float(x) == x for x in scores) else [x / part for x in exact(scores)], ratio(q))
    if gate.rank != k or gate.threshold != t:
        return Result(1, f"rank {gate.rank}, threshold {gate.threshold}; exactly {k}, {t}")
    γ = [gen.held(x, kind) for x in γ]
    truth = [t is not None and 2 * t <= Fraction(x) for x in γ]
    for x, admit in zip(γ, truth):
        verdict = gate.decide(x)
        if verdict.admit != admit or verdict.margin != (None if t is None else Fraction(x) - 2 * t):
            return Result(len(γ), f"decide({x}): {verdict.admit} with a margin of {verdict.margin}, exactly {admit}")
    with calls(g.ConformalGate, "decide") as left:
        got = gate.decide_many(np.array(γ, kind))
    return answers(got, truth, left[0])


def _calibration_case(rng: Random) -> tuple[Any, ...]:
    """Scores in up to three shards and a rest, and how many of the largest each shard keeps: as many as the level needs, or a few more or one less."""
    kind, q, n = rng.choice(("float64", "float32", "int64")), rng.choice(([1, 2], [2, 3], level(rng))), rng.choice((0, 1, 3, 8, 9, 17, 40))
    scores = gen.between(rng, n) if kind == "int64" else gen.reals(rng, n, kind)
    needed = len(scores) + 1 - math.ceil((len(scores) + 1) * ratio(q))
    usual = rng.choice((None, *(max(1, needed + more) for more in (-1, 0, 0, 0, 1, 5))))
    keep = [usual if rng.random() < 0.6 else rng.choice((1, rng.randint(1, needed + 1))) for _ in range(rng.randint(1, 3))]
    return kind, scores, q, keep, rng.randint(0, n // rng.choice((1, 2)))


def _run_calibration(kind: str, scores: list[Any], q: list[Any], keep: list[Any], rest: int) -> Result:
    n = len(scores)
    k = math.ceil((n + 1) * ratio(q))
    needed = n + 1 - k
    if g.kept_for(ratio(q), n) != max(1, needed):
        return Result(1, f"kept_for says {g.kept_for(ratio(q), n)}, exactly it is {max(1, needed)}")
    parts = [g.Calibration(most) for most in keep]
    for i, part in enumerate(parts):
        part.add(np.array(scores[rest:][i :: len(keep)], kind))
    made = parts[0]
    for part in parts[1:]:
        made = made.merge(part)
    made.add(np.array(scores[:rest], kind))
    enough = k > n or all(most is None or most >= needed for most in keep)
    try:
        gate = made.gate(ratio(q))
    except RangeError:
        return Result(1, "the level is refused although enough scores are kept" if enough else None, refused=1)
    truth = sorted(exact(scores))[k - 1] if k <= n else None
    right = (gate.rank, gate.count, gate.threshold) == (k, n, truth)
    return Result(1, None if right else f"rank {gate.rank} of {gate.count}, threshold {gate.threshold}; exactly {k} of {n}, {truth}", 1)


def _stream_case(rng: Random) -> tuple[Any, ...]:
    """A stream long enough that scores are held against a threshold, all of one sign; given by its seed, in parts."""
    return rng.choice(("float64", "float32", "int64")), rng.randrange(1 << 30), rng.randint(4200, 6000), rng.randint(1, 40), rng.choice((-1, -1, 1))


def _run_stream(kind: str, seed: int, n: int, keep: int, sign: int) -> Result:
    scores = sign * np.random.default_rng(seed).permutation(np.repeat(np.arange(30, 30 + n // 2), 2)).astype(kind)
    if kind != "int64":
        scores /= 8  # from 3.75 on: the bits of a number below -2 fall as it rises
    part = kernel.Largest(keep, kind)
    for piece in np.array_split(scores, 5):
        part.add(piece)
    count = len(scores)
    wrong = [k for k in range(count - keep + 1, count + 1) if part.kth_smallest(k) != np.sort(scores)[k - 1]]
    return Result(keep, f"rank {wrong[0]} of {count} is another score" if wrong else None, keep)


CHECKS = (
    Check("core.conformal.kth_smallest", _case, _run_kth, every_isa=True),
    Check("core.conformal.Largest", _case, _run_merged, every_isa=True),
    Check("core.conformal.Largest of a stream", _stream_case, _run_stream, every_isa=True, batch=3),
    Check("ConformalGate", _gate_case, _run_gate),
    Check("ConformalGate of a Calibration", _calibration_case, _run_calibration, batch=32),
)
