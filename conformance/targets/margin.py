"""The margin gates: cases aimed at ties and at leads of exactly 2τ."""

from __future__ import annotations

from random import Random
from typing import Any

from ...gates import margin as g
from ..oracle.terms import integer, nat, packed
from ..running import generators as gen
from . import PackedTarget, Target


def _lead(z: list[int], w: int) -> int:
    """By how much w leads the best other entry; 0 when there is none."""
    others = [x for j, x in enumerate(z) if j != w]
    return z[w] - max(others) if w < len(z) and others else 0


def scores(rng: Random, n: int | None = None) -> list[int]:
    """Scores with frequent ties; sometimes with a clear winner."""
    n = gen.length(rng) if n is None else n
    z = gen.vector(rng, n, gen.width(rng))
    if z and rng.random() < 0.3:
        z[rng.randrange(n)] = max(z) + gen.natural(rng, gen.width(rng))
    if n > 1 and rng.random() < 0.3:
        z[rng.randrange(n)] = z[rng.randrange(n)]
    return z


def one(rng: Random) -> tuple[Any, ...]:
    return (scores(rng),)


def margin(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    w = gen.index(rng, len(z), g.argmax(z))
    return z, w, gen.near(rng, _lead(z, w) // 2)


def row(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    n = len(z)
    ε = gen.naturals(rng, gen.other_length(rng, n), gen.width(rng))
    w = gen.index(rng, n, g.argmax(z))
    if w < n and len(ε) == n and n > 1 and rng.random() < 0.8:  # w leads by the two bounds together, or almost
        z[w] = max(z[j] + ε[j] + ε[w] for j in range(n) if j != w) + rng.choice((0, 0, 1, 1, 2))
    return z, ε, w


def bounded(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    n = len(z)
    ε = gen.naturals(rng, gen.other_length(rng, n), gen.width(rng))
    if len(ε) == n and n > 1 and min(ε) >= 0 and rng.random() < 0.8:  # an entry that just reaches the best lower bound
        j = rng.randrange(n)
        z[j] = gen.near(rng, max(z[i] - ε[i] for i in range(n) if i != j) - ε[j])
    return z, ε


def topk(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    n = len(z)
    S = gen.top_mask(z, rng.randint(0, n)) if rng.random() < 0.85 else gen.mask(rng, gen.other_length(rng, n))
    chosen, rest = [x for x, s in zip(z, S) if s], [x for x, s in zip(z, S) if not s]
    gap = min(chosen) - max(rest) if chosen and rest else 0
    return z, S, gen.near(rng, (gap - 1) // 2)


def topk_gap(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)
    n = len(z)
    k = rng.choice((0, n, n + 1, max(0, n - 1), 1, *(rng.randint(0, n) for _ in range(5))))
    down = sorted(z, reverse=True)
    return z, k, gen.near(rng, (down[k - 1] - down[k] - 1) // 2) if 0 < k < n else gen.near(rng, 0)


def two_stage(rng: Random) -> tuple[Any, ...]:
    sizes = [rng.choice((2, 2, 3, 4)) for _ in range(rng.choice((0, 1, 2, 3, 4, 8)))]
    bits = rng.choice((3, 8, 16, 31, 64))
    groups = [[gen.integer(rng, bits) for _ in range(k)] for k in sizes]
    if rng.random() < 0.5:  # selected groups well above the others, so that the second stage decides
        groups = [[x + (i % 2) * (8 << bits) for x in group] for i, group in enumerate(groups)]
    tops = [g.top_two(group) for group in groups]
    gsel = [i % 2 == 1 for i in range(len(groups))] if rng.random() < 0.6 else gen.top_mask(tops, rng.randint(0, len(groups)))
    esel = [[False] * len(group) for group in groups]
    pool = [(x, i, j) for i, group in enumerate(groups) if gsel[i] for j, x in enumerate(group)]
    for _, i, j in sorted(pool, key=lambda e: -e[0])[: rng.randint(0, len(pool))]:
        esel[i][j] = True
    inside, out = [t for t, s in zip(tops, gsel) if s], [t for t, s in zip(tops, gsel) if not s]
    chosen, rest = [x for x, i, j in pool if esel[i][j]], [x for x, i, j in pool if not esel[i][j]]
    limits = [(min(a) - max(b) - 1) // k for a, b, k in ((inside, out, 4), (chosen, rest, 2)) if a and b]
    ε = gen.near(rng, min(limits, default=0))
    spoil = rng.random()
    if groups and spoil < 0.02:
        esel[rng.randrange(len(esel))].append(True)
    elif groups and spoil < 0.04:
        groups[rng.randrange(len(groups))].pop()
    elif spoil < 0.06:
        gsel.append(rng.random() < 0.5)
    elif groups and spoil < 0.10:
        i = rng.randrange(len(groups))
        esel[i] = [True] * len(esel[i])
    return groups, gsel, esel, ε


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("argmax", g.argmax, one),
    Target("marginAdmit", g.margin_admit, margin),
    Target("marginAdmitStrict", g.margin_admit_strict, margin),
    Target("marginAdmitLowest", g.margin_admit_lowest, margin),
    Target("rowAdmit", g.row_admit, row),
    Target("candidates", g.candidates, bounded),
    Target("topkAdmit", g.topk_admit, topk),
    Target("topkGapAdmit", g.topk_gap_admit, topk_gap),
    Target("topTwo", g.top_two, one),
    Target("twoStageAdmit", g.two_stage_admit, two_stage),
)


def scores_of_32(rng: Random) -> list[int]:
    """32 scores of 32 bits; half of the time with ties at the top."""
    z = [rng.randrange(-1 << 31, 1 << 31) for _ in range(32)]
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 3)):
            z[rng.randrange(32)] = max(z)
    return z


def _margin_of_32(rng: Random) -> tuple[Any, ...]:
    z = scores_of_32(rng)
    w = g.argmax(z)
    return z, w, gen.near(rng, _lead(z, w) // 2)


def _rows_of_32(rng: Random) -> tuple[Any, ...]:
    z, ε = scores_of_32(rng), [rng.randrange(1 << 20) for _ in range(32)]
    w = g.argmax(z)
    best = max(z[j] + ε[j] + ε[w] for j in range(32) if j != w) + rng.choice((0, 1))
    z[w] = min(best, (1 << 31) - 1)
    return z, ε, w


def _argmax_of_32(rng: Random) -> tuple[Any, ...]:
    return (scores_of_32(rng),)


def _write(z: list[int], w: int, τ: int) -> str:
    return f"{packed(z, 31)} {nat(w)} {integer(τ)}"


_PACKED, _WIDE = "Gnosis.Packed.Margin", "vectors of 32, 32 bits"
PACKED = (
    PackedTarget("argmax", g.argmax, _argmax_of_32, _WIDE, "argmaxPacked", _PACKED, lambda z: packed(z, 31), natural=True),
    PackedTarget("marginAdmit", g.margin_admit, _margin_of_32, _WIDE, "marginPacked", _PACKED, _write),
    PackedTarget("marginAdmitStrict", g.margin_admit_strict, _margin_of_32, _WIDE, "marginPackedStrict", _PACKED, _write),
    PackedTarget("marginAdmitLowest", g.margin_admit_lowest, _margin_of_32, _WIDE, "marginPackedLowest", _PACKED, _write),
    PackedTarget("rowAdmit", g.row_admit, _rows_of_32, _WIDE, "rowPacked", _PACKED, lambda z, ε, w: f"{packed(z, 31)} {packed(ε, 31)} {nat(w)}"),
)
