"""The energy gate: cases aimed at 4·E·A = γ²."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from random import Random
from typing import Any

from ...gates import energy as g
from ..oracle.terms import integer, packed
from ..running import generators as gen
from . import PackedTarget, Target


def _margin(rng: Random, E: int, A: int) -> int:
    """γ next to √(4·E·A)."""
    return gen.sign_flip(rng, gen.near(rng, isqrt(max(0, 4 * E * A))))


def _pair(rng: Random) -> tuple[list[int], list[int]]:
    """Two vectors, mostly of one length, often collinear (then the bound is attained), often tiny (then one unit counts)."""
    if rng.random() < 0.2:
        n = rng.randrange(4)
        return ([rng.randint(-2, 2) for _ in range(n)], [rng.randint(-2, 2) for _ in range(n)])
    n = gen.length(rng)
    τ = gen.vector(rng, n, gen.width(rng))
    if rng.random() < 0.3:
        c = gen.integer(rng, gen.width(rng))
        a = [c * t for t in τ]
    else:
        a = gen.vector(rng, n, gen.width(rng))
    return τ, (a + [1] * 3)[: gen.other_length(rng, n)]


def pair(rng: Random) -> tuple[Any, ...]:
    return _pair(rng)


def one(rng: Random) -> tuple[Any, ...]:
    return (_pair(rng)[0],)


def admit(rng: Random) -> tuple[Any, ...]:
    τ, a = _pair(rng)
    return τ, a, _margin(rng, g.energy(τ), g.energy(a))


def scalars(rng: Random) -> tuple[Any, ...]:
    if rng.random() < 0.4:  # 4·E·A is a square: the strict and the weak gate differ
        p, x, y = gen.natural(rng, 8), gen.natural(rng, gen.width(rng)), gen.natural(rng, gen.width(rng))
        E, A = p * x * x, p * y * y
    else:
        E, A = gen.natural(rng, gen.width(rng)), gen.natural(rng, gen.width(rng))
    γ = _margin(rng, E, A)
    return gen.sign_flip(rng, E), gen.sign_flip(rng, A), γ


def blocked(rng: Random) -> tuple[Any, ...]:
    n = gen.length(rng)
    e, α = gen.naturals(rng, n, gen.width(rng)), gen.naturals(rng, gen.other_length(rng, n), gen.width(rng))
    return e, α, gen.sign_flip(rng, gen.near(rng, 2 * g.dot(e, α)))


def outside(rng: Random) -> tuple[Any, ...]:
    n = gen.length(rng)
    return gen.vector(rng, n, gen.width(rng)), gen.mask(rng, gen.other_length(rng, n))


def split(rng: Random) -> tuple[Any, ...]:
    a, S = outside(rng)
    E = gen.natural(rng, gen.width(rng))
    γ = _margin(rng, E, g.energy_outside(a, S) if rng.random() < 0.8 else g.energy(a))
    return gen.sign_flip(rng, E), a, S, γ


def vectors_of_32(w: int) -> Callable[[Random], tuple[Any, ...]]:
    """Two vectors of 32 entries of w + 1 bits each, γ next to the threshold."""

    def run(rng: Random) -> tuple[Any, ...]:
        τ, a = ([rng.randrange(-1 << w, 1 << w) for _ in range(32)] for _ in range(2))
        return τ, a, isqrt(4 * g.energy(τ) * g.energy(a)) + rng.choice((-1, 0, 0, 1, 1, 2))

    return run


def write_vectors(w: int) -> Callable[..., str]:
    return lambda τ, a, γ: f"{packed(τ, w)} {packed(a, w)} {integer(γ)}"


def write_scalars(*args: int) -> str:
    return " ".join(map(integer, args))


TARGETS = (
    Target("dot", g.dot, pair),
    Target("energy", g.energy, one),
    Target("energyAdmit", g.energy_admit, admit),
    Target("energySidecarAdmit", g.energy_sidecar_admit, scalars),
    Target("energySidecarAdmitStrict", g.energy_sidecar_admit_strict, scalars),
    Target("energyBlockedAdmit", g.energy_blocked_admit, blocked),
    Target("energyOutside", g.energy_outside, outside),
    Target("energySplitAdmit", g.energy_split_admit, split),
)

_PACKED = "Gnosis.Packed.Energy"
PACKED = (
    PackedTarget("energyAdmit", g.energy_admit, vectors_of_32(7), "vectors of 32, 8 bits", "energyPacked", _PACKED, write_vectors(7)),
    PackedTarget("energyAdmit", g.energy_admit, vectors_of_32(31), "vectors of 32, 32 bits", "energyPacked", _PACKED, write_vectors(31)),
    PackedTarget("energySidecarAdmit", g.energy_sidecar_admit, scalars, "scalar gates", "energySidecarPacked", _PACKED, write_scalars),
    PackedTarget("energySidecarAdmitStrict", g.energy_sidecar_admit_strict, scalars, "scalar gates", "energySidecarPackedStrict", _PACKED, write_scalars),
)
