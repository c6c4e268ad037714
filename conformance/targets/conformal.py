"""The conformal gates: cases at ranks 0, n and n + 1, tied scores, margins of exactly twice the threshold."""

from __future__ import annotations

from math import isqrt
from random import Random
from typing import Any

from ...gates import conformal as g
from ...gates import conformal_jit as jit
from ...gates import margin
from ..running import generators as gen
from . import Target
from .margin import scores as logits


def scores(rng: Random) -> list[int]:
    """Calibration scores: of either sign or all ≥ 0, often with ties."""
    n = gen.length(rng) if rng.random() < 0.9 else 24
    s = gen.vector(rng, n, gen.width(rng))
    if rng.random() < 0.6:
        s = [abs(x) for x in s]
    if n > 1 and rng.random() < 0.4:
        s[rng.randrange(n)] = s[rng.randrange(n)]
    return s


def fraction(rng: Random, n: int) -> tuple[int, int]:
    """A level as num, den for n scores: at or next to the step from one rank to the next, ranks 0 and above n included, sometimes without a denominator."""
    kind = rng.random()
    if kind < 0.05:
        return gen.natural(rng, 3), 0
    if kind < 0.25:
        # 25·(28/100) is above 7 in float64: a rank that floats get wrong for 24 scores
        return rng.choice(((28, 100), (56, 100), (1, 2), (9, 10), (68, 100), (95, 100), (99, 100), (0, 1), (1, 1), (3, 2)))
    k = rng.choice((0, 1, n, n, n + 1, rng.randint(0, n + 2), *(rng.randint(1, max(1, n)) for _ in range(4))))
    c = rng.choice((1, 1, 2, 7, 1000, 1 << gen.width(rng)))
    return max(0, k * c + rng.choice((0, 0, 0, -1, -1, 1))), (n + 1) * c


def ranked(rng: Random) -> tuple[Any, ...]:
    s = scores(rng)
    n = len(s)
    return rng.choice((0, 1, n, n, n + 1, *(rng.randint(1, n + 1) for _ in range(4)), gen.index(rng, n))), s


def below(rng: Random) -> tuple[Any, ...]:
    s = scores(rng)
    x = gen.near(rng, rng.choice(s)) if s and rng.random() < 0.8 else gen.integer(rng, gen.width(rng))
    return s, x


def lies(rng: Random) -> tuple[Any, ...]:
    s, x = below(rng)
    return max(0, gen.near(rng, g.rank_lt(s, x))), x, s


def lies_order(rng: Random) -> tuple[Any, ...]:
    k, x, s = lies(rng)
    return k, [x, *s] if rng.random() < 0.95 else []


def rank(rng: Random) -> tuple[Any, ...]:
    n = gen.length(rng) if rng.random() < 0.8 else gen.natural(rng, gen.width(rng))
    return n, *fraction(rng, n)


def insertion(rng: Random) -> tuple[Any, ...]:
    s, x = below(rng)
    return x, sorted(s) if rng.random() < 0.8 else s


def one(rng: Random) -> tuple[Any, ...]:
    return (scores(rng),)


def position(rng: Random) -> tuple[Any, ...]:
    k, s = ranked(rng)
    return s, max(0, k - 1)


def threshold(rng: Random) -> tuple[Any, ...]:
    s = scores(rng)
    return s, *fraction(rng, len(s))


def admit(rng: Random) -> tuple[Any, ...]:
    s, num, den = threshold(rng)
    t = g.conformal_threshold(s, num, den)
    γ = gen.integer(rng, gen.width(rng)) if t is None else 2 * t + rng.choice((-1, 0, 0, 0, 1, 2))
    return s, num, den, gen.sign_flip(rng, γ)


def pool(rng: Random) -> tuple[Any, ...]:
    p, s = scores(rng), scores(rng)
    if p and s and rng.random() < 0.7:  # a member of the pool next to the best of the sample
        p[rng.randrange(len(p))] = max(s) + rng.choice((-1, 0, 1))
    return p, s


def _led(rng: Random, γ: int) -> tuple[list[int], int]:
    """Logits in which w leads by γ, or almost."""
    z = logits(rng)
    w = gen.index(rng, len(z), margin.argmax(z))
    if w < len(z) and len(z) > 1 and rng.random() < 0.9:
        z[w] = max(x for j, x in enumerate(z) if j != w) + γ + rng.choice((-1, 0, 0, 0, 1))
    return z, w


def margin_gate(rng: Random) -> tuple[Any, ...]:
    s, num, den, γ = admit(rng)
    z, w = _led(rng, γ)
    return s, num, den, γ, z, w


def jit_gate(rng: Random) -> tuple[Any, ...]:
    s, num, den = threshold(rng)
    t = g.conformal_threshold(s, num, den)
    A = gen.natural(rng, gen.width(rng))
    if rng.random() < 0.3 and t is not None:  # 4·t·A is a square: one unit less is refused
        s = [isqrt(abs(x)) ** 2 for x in s]
        t, A = g.conformal_threshold(s, num, den), isqrt(A) ** 2
    γ = isqrt(4 * max(0, t or 0) * A) + rng.choice((-1, 0, 0, 1, 1))
    z, w = _led(rng, γ)
    return s, num, den, z, w, gen.sign_flip(rng, A), gen.sign_flip(rng, γ)


def jit_lead_gate(rng: Random) -> tuple[Any, ...]:
    s, num, den, z, w, A, γ = jit_gate(rng)
    if w < len(z):
        for j in range(len(z)):
            if j != w and rng.random() < 0.5:
                z[j] = z[w] - max(0, γ) - rng.choice((0, 0, 0, 1, -1))
    return s, num, den, z, w, A


def served(rng: Random) -> tuple[Any, ...]:
    """True logits at most, or just more than, the threshold away from the coarse ones."""
    s, num, den = threshold(rng)
    t = g.conformal_threshold(s, num, den)
    z = logits(rng)
    away = max(0, t or 0)
    if z and rng.random() < 0.8:  # another row just reaches the winner
        z[rng.randrange(len(z))] = max(z) - 2 * away + rng.choice((-1, 0, 0, 1))
    true = [x + rng.choice((-1, 1)) * rng.choice((away, away, 0, away + 1)) for x in z]
    return s, num, den, z, true if rng.random() < 0.95 else true[:-1]


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("rankLt", g.rank_lt, below),
    Target("lies", g.lies, lies),
    Target("liesOrder", g.lies_order, lies_order),
    Target("conformalRank", g.conformal_rank, rank),
    Target("insertUp", g.insert_up, insertion),
    Target("sortUp", g.sort_up, one),
    Target("entryAt", g.entry_at, position),
    Target("kthSmallest", g.kth_smallest, ranked),
    Target("conformalThreshold", g.conformal_threshold, threshold),
    Target("conformalAdmit", g.conformal_admit, admit),
    Target("poolAbove", g.pool_above, pool),
    Target("conformalMarginAdmit", jit.conformal_margin_admit, margin_gate),
    Target("conformalJitAdmit", jit.conformal_jit_admit, jit_gate),
    Target("conformalMarginAdmitLowest", jit.conformal_margin_admit_lowest, margin_gate),
    Target("conformalJitAdmitLowest", jit.conformal_jit_admit_lowest, jit_gate),
    Target("conformalJitLeadAdmit", jit.conformal_jit_lead_admit, jit_lead_gate),
    Target("conformalServed", jit.conformal_served, served),
)
