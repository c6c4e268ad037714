"""Several layers at once: cofactors that just fit or do not, largest scores that just fit twice into the common multiple."""

from __future__ import annotations

from math import lcm
from random import Random
from typing import Any

from ...gates import conformal_layers as g
from ...gates.conformal import conformal_threshold
from ..running import generators as gen
from . import Target
from .conformal import fraction


def _layers(rng: Random) -> tuple[list[int], list[int], int]:
    """Margins, cofactors and their common multiple, mostly right ones."""
    γ = [rng.randint(1, 12) for _ in range(rng.randint(0, 4))]
    P = lcm(*γ) * rng.choice((1, 1, 1, 2))
    c = [P // x for x in γ]
    if rng.random() < 0.1:  # nothing fits but zeros
        P, c = 0, [0 for _ in c]
    elif rng.random() < 0.1:
        P, c = -P, [-x for x in c]
    if c and rng.random() < 0.25:
        c[rng.randrange(len(c))] += rng.choice((-1, -1, 1))
    return γ, c if rng.random() < 0.95 else c[:-1], P


def _unit(rng: Random, γ: list[int]) -> list[int]:
    """Scores about half the margins, of either sign."""
    return [rng.choice((-1, 1, 1, 1)) * ((x + rng.choice((-1, 0, 0, 1))) // 2 + rng.choice((0, 0, 0, 1, 5))) for x in γ]


def cofactors(rng: Random) -> tuple[Any, ...]:
    γ, c, P = _layers(rng)
    return P, c, γ


def largest(rng: Random) -> tuple[Any, ...]:
    γ, c, _ = _layers(rng)
    return c, _unit(rng, γ) if rng.random() < 0.8 else [-abs(x) for x in _unit(rng, γ)]


def fail(rng: Random) -> tuple[Any, ...]:
    γ, _, _ = _layers(rng)
    return γ, _unit(rng, γ)[: gen.other_length(rng, len(γ))]


def admit(rng: Random) -> tuple[Any, ...]:
    γ, c, P = _layers(rng)
    units = [_unit(rng, γ) for _ in range(rng.randint(0, 6))]
    num, den = fraction(rng, len(units))
    t = conformal_threshold([g.layers_max(c, u) for u in units], num, den)
    if t is not None and rng.random() < 0.3:  # the common multiple is that of nothing, and just fits or does not
        P = 2 * t + rng.choice((-1, 0, 1))
    return units, c, γ, P, num, den


TARGETS = (
    Target("layersMax", g.layers_max, largest),
    Target("cofactors", g.cofactors, cofactors),
    Target("layersFail", g.layers_fail, fail),
    Target("layersMaxAdmit", g.layers_max_admit, admit),
)
