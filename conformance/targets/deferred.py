"""Deferred refinement: windows with an asked difference at either end, and tables that agree in most places."""

from __future__ import annotations

from random import Random
from typing import Any

from ...gates import deferred as g
from ..running import generators as gen
from . import Target


def flip(rng: Random) -> tuple[Any, ...]:
    n = gen.length(rng)
    tokens = [rng.randrange(4) for _ in range(n)]
    says = [t if rng.random() < 0.8 else rng.randrange(4) for t in tokens]
    asked = gen.mask(rng, n)
    if n and rng.random() < 0.3:
        says[-1], asked[-1] = tokens[-1] + 1, True
    cut = gen.other_length(rng, n)
    return rng.choice(((asked, tokens, says), (asked, tokens, says), (asked[:cut], tokens, says), (asked, tokens[:cut], says), (asked, tokens, says[:cut])))


def text(rng: Random) -> tuple[Any, ...]:
    """Margins of 0 to 3 and a τ among them, at which some differences are deferred and some are not."""
    n = rng.choice((0, 1, 2, 3, 5, 7))
    fine = [rng.randrange(4) for _ in range(n)]
    coarse = [(t if rng.random() < 0.7 else rng.randrange(4), rng.randrange(4)) for t in fine]
    if rng.random() < 0.1:
        coarse = coarse[: gen.other_length(rng, n)]
    steps = [(rng.randrange(4), rng.choice((0, 1, 2, 3, 9)), rng.choice((0, 0, 1, 2))) for _ in range(rng.randrange(5))]
    return rng.choice((-1, 0, 1, 2, 3, 4, 4)), coarse, fine, steps, [rng.randrange(4) for _ in range(rng.randrange(4))]


TARGETS = (Target("flipAt", g.flip_at, flip), Target("refineText", g.refine_text, text))
