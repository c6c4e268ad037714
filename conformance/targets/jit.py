"""Serving from coarse rows: cases where the lead is just γ and the worst row just fits."""

from __future__ import annotations

from math import isqrt
from random import Random
from typing import Any

from ...gates import jit as g
from ...gates import margin
from ..running import generators as gen
from . import Target
from .margin import bounded, scores


def gate(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    n = len(z)
    w = gen.index(rng, n, margin.argmax(z))
    E = gen.naturals(rng, gen.other_length(rng, n), gen.width(rng))
    A = gen.natural(rng, gen.width(rng))
    if rng.random() < 0.3 and E:  # 4·E·A is a square: the strict and the weak gate differ
        p, y = gen.natural(rng, 4), gen.natural(rng, 8)
        E, A = [p * isqrt(max(0, e)) ** 2 for e in E], p * y * y
    γ = isqrt(4 * max(0, *E, 0) * A)
    if rng.random() < 0.8:
        γ = gen.near(rng, γ)
    if w < n and n > 1 and rng.random() < 0.8:
        z[w] = gen.near(rng, max(z[j] for j in range(n) if j != w) + γ)
    return z, w, E, gen.sign_flip(rng, A), gen.sign_flip(rng, γ)


def row_gate(rng: Random) -> tuple[Any, ...]:
    z, w, E, A, _ = gate(rng)
    ε = [gen.near(rng, isqrt(max(0, e * A)) + 1) for e in E]
    n = len(z)
    if w < n and len(ε) == n and n > 1 and rng.random() < 0.8:
        z[w] = max(z[j] + ε[j] + ε[w] for j in range(n) if j != w) + rng.choice((0, 1, 1, 2))
    return z, w, ε[: gen.other_length(rng, len(ε))], E, A


def served(rng: Random) -> tuple[Any, ...]:
    coarse, ε = bounded(rng)
    true = [x + (rng.choice((-1, 1)) * rng.choice((max(0, e), 0, rng.randrange(max(0, e) + 1)))) for x, e in zip(coarse, ε)]
    if true and rng.random() < 0.3:
        true[rng.randrange(len(true))] = max(true)
    return coarse, true if rng.random() < 0.95 else true[:-1], ε


def lead_gate(rng: Random) -> tuple[Any, ...]:
    """Rows that are led by just what the worst energy takes away, in front of the winner and behind it."""
    z, w, E, A, γ = gate(rng)
    if w < len(z):
        for j in range(len(z)):
            if j != w and rng.random() < 0.5:
                z[j] = z[w] - max(0, γ) - rng.choice((0, 0, 0, 1, -1))
    return z, w, E, A


TARGETS = (
    Target("jitAdmit", g.jit_admit, gate),
    Target("jitAdmitStrict", g.jit_admit_strict, gate),
    Target("jitAdmitLowest", g.jit_admit_lowest, gate),
    Target("jitLeadAdmit", g.jit_lead_admit, lead_gate),
    Target("jitRowAdmit", g.jit_row_admit, row_gate),
    Target("servedArgmax", g.served_argmax, served),
)
