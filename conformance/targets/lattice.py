"""Lattice decoders: coordinates in the middle of two integers, several with the same largest error, points as near to one coset as to the other."""

from __future__ import annotations

from random import Random
from typing import Any

from ...gates import lattice as g
from ..running import generators as gen
from . import Target


def scale(rng: Random) -> int:
    """The unit of the input: mostly small and even, so that coordinates can lie in the middle; sometimes none."""
    kind = rng.random()
    if kind < 0.06:
        return rng.choice((0, -1, -2, -3))
    return rng.choice((1, 2, 2, 3, 4, 4, 6, 8, 10)) if kind < 0.7 else 1 + gen.natural(rng, gen.width(rng))


def coordinate(rng: Random, m: int) -> int:
    """A multiple of m, the middle between two, or next to one of them."""
    k = gen.integer(rng, rng.choice((1, 2, 3, 8, 31)))
    return m * k + rng.choice((0, m // 2, m // 2, -(m // 2), m // 2 + 1, m // 2 - 1, 1, -1, m // 4, rng.randint(0, abs(m))))


def coordinates(rng: Random, m: int, n: int) -> list[int]:
    """n coordinates; in half of the cases their errors come from few values, so that the largest one occurs more than once."""
    if rng.random() < 0.5:
        errors = [coordinate(rng, m) for _ in range(2)]
        return [m * gen.integer(rng, 3) + rng.choice((*errors, -errors[0])) for _ in range(n)]
    return [coordinate(rng, m) for _ in range(n)]


def _dimension(rng: Random) -> int:
    return 8 if rng.random() < 0.6 else gen.length(rng)


def single(rng: Random) -> tuple[Any, ...]:
    m = scale(rng)
    return m, coordinate(rng, m)


def point(rng: Random) -> tuple[Any, ...]:
    m = scale(rng)
    return m, coordinates(rng, m, _dimension(rng))


def eight(rng: Random) -> tuple[Any, ...]:
    m = scale(rng)
    return m, coordinates(rng, m, gen.other_length(rng, 8))


def half_point(rng: Random) -> tuple[Any, ...]:
    h = scale(rng)
    return h, coordinates(rng, h, _dimension(rng))


def half_eight(rng: Random) -> tuple[Any, ...]:
    h = scale(rng)
    return h, coordinates(rng, h, gen.other_length(rng, 8))


def distance(rng: Random) -> tuple[Any, ...]:
    m, xs = point(rng)
    zs = [gen.near(rng, g.nearest_int(m, x)) for x in xs]
    return m, xs, (zs + [1] * 3)[: gen.other_length(rng, len(zs))]


def integral(rng: Random) -> tuple[Any, ...]:
    return (gen.vector(rng, gen.other_length(rng, 8), gen.width(rng)),)


def halves(rng: Random) -> tuple[Any, ...]:
    n = gen.other_length(rng, 8)
    parity = rng.randrange(2)
    ws = [2 * gen.integer(rng, gen.width(rng)) + parity for _ in range(n)]
    if n and rng.random() < 0.7:  # the sum 0 modulo 4
        ws[0] -= sum(ws) % 4 if sum(ws) % 2 == 0 else 0
    if n and rng.random() < 0.2:
        ws[rng.randrange(n)] += rng.choice((1, -1))
    return (ws,)


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("sqDist", g.sq_dist, distance),
    Target("nearestInt", g.nearest_int, single),
    Target("roundError", g.round_error, single),
    Target("secondNearest", g.second_nearest, single),
    Target("cubicDecode", g.cubic_decode, point),
    Target("dnDecode", g.dn_decode, point),
    Target("dnPlusDecode", g.dn_plus_decode, half_point),
    Target("isD8", g.is_d8, integral),
    Target("isE8", g.is_e8, halves),
    Target("d8Decode", g.d8_decode, eight),
    Target("e8Decode", g.e8_decode, half_eight),
)
