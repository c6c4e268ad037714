"""Serving rows from bounds: exact scores at the ends of their intervals, ties, and rows that just stay or just drop out."""

from __future__ import annotations

from random import Random
from typing import Any

from ...gates import head as g
from ...gates import margin
from ..running import generators as gen
from . import Target
from .margin import bounded, scores

MOST = 12  # rows: the definitions compare every row with every other and read each entry from the front


def _inside(rng: Random, z: list[int], ε: list[int]) -> list[int]:
    """Scores within the bounds, often at their ends, now and then just outside."""
    return [x + rng.choice((-1, 1)) * (rng.choice((max(0, e), max(0, e), 0, rng.randrange(max(0, e) + 1))) + (rng.random() < 0.03)) for x, e in zip(z, ε)]


def _finer(rng: Random, exact: list[int]) -> tuple[list[int], list[int]]:
    """Recomputed scores and their bounds, with the exact ones inside."""
    err = [rng.choice((0, 0, 1, 1, gen.natural(rng, gen.width(rng)))) for _ in exact]
    y = _inside(rng, exact, err)
    if len(y) > 1 and rng.random() < 0.5:  # one just reaches the best of the others
        j = rng.randrange(len(y))
        y[j] = gen.near(rng, max(a - b for i, (a, b) in enumerate(zip(y, err)) if i != j) - err[j])
    return y, err


def _case(rng: Random) -> tuple[list[int], list[int], list[int]]:
    z, ε = (v[:MOST] for v in bounded(rng))
    exact = _inside(rng, z, ε)
    if exact and rng.random() < 0.4:  # ties at the top
        exact[rng.randrange(len(exact))] = max(exact)
    return z, ε, exact if rng.random() < 0.95 else exact[:-1]


def served(rng: Random) -> tuple[Any, ...]:
    z, ε, exact = _case(rng)
    y, err = _finer(rng, [margin.entry(exact, j) for j in margin.candidates(z, ε)])
    return z, ε, y, err if rng.random() < 0.95 else err[:-1], exact


def _count(rng: Random, n: int) -> int:
    return rng.choice((0, 1, 1, 2, 2, 3, n, n + 1, rng.randint(0, n)))


def _rows(rng: Random, n: int) -> list[int]:
    """Rows in their order; sometimes some of them, in another order, repeated, or past the end."""
    js = list(range(n))
    return js if rng.random() < 0.7 else [rng.randrange(n + 1) for _ in range(rng.randint(0, n + 1))]


def top_candidates(rng: Random) -> tuple[Any, ...]:
    z, ε, _ = _case(rng)
    return _count(rng, len(z)), z, ε, _rows(rng, len(z))


def top_among(rng: Random) -> tuple[Any, ...]:
    z = scores(rng)[:MOST]
    return z, _count(rng, len(z)), _rows(rng, len(z))


def top_k(rng: Random) -> tuple[Any, ...]:
    z, ε, exact = _case(rng)
    y, err = _finer(rng, exact)
    return _count(rng, len(z)), z, ε, y, err, exact


TARGETS = (
    Target("headServed", g.head_served, served),
    Target("topCandidates", g.top_candidates, top_candidates),
    Target("topAmong", g.top_among, top_among),
    Target("headTopK", g.head_top_k, top_k),
)
