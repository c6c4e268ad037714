"""The energy gates on arrays."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import energy as kernel
from ...errors import NonFiniteError
from ...gates import energy as g
from ..running import generators as gen
from ..running.checks import Check, Result, answers, calls
from . import Rows, dtype, exact, few, matrix, parameter, value, width


def _triple(rng: Random) -> tuple[float, float, float]:
    """E, A ≥ 0 and γ around √(4·E·A): squares, so that a tie can be met, or anything."""
    if rng.random() < 0.4:
        x, y = rng.randrange(1, 1 << rng.randint(1, 26)), rng.randrange(1, 1 << rng.randint(1, 26))
        p, q = (rng.randint(-20, 20) if rng.random() < 0.5 else rng.randint(-530, 480) for _ in range(2))
        E, A = gen.held(x * x * Fraction(4) ** p), gen.held(y * y * Fraction(4) ** q)
    else:
        E, A = abs(gen.real(rng)), abs(gen.real(rng))
    γ = abs(gen.real(rng)) if rng.random() < 0.1 else abs(gen.beside(rng, gen.root(4 * Fraction(E) * Fraction(A))))
    return E, A, γ


def _triples(rng: Random) -> tuple[Any, ...]:
    triples = [_triple(rng) for _ in range(rng.choice((0, 1, 3, 17, 40)))]
    return tuple([float(t[i]) for t in triples] for i in range(3))


def _sidecar(E: float, A: float, γ: float, strict: bool) -> bool:
    left, right = 4 * Fraction(E) * Fraction(A), Fraction(γ) ** 2
    return min(E, A, γ) >= 0 and (left < right if strict else left <= right)


def _kernel(strict: bool) -> Check:
    def generate(rng: Random) -> tuple[Any, ...]:
        E, A, γ = _triples(rng)
        return tuple([-x if rng.random() < 0.02 else x for x in v] for v in (E, A, γ))

    def run(E: list[Any], A: list[Any], γ: list[Any]) -> Result:
        codes = kernel.decide_many(np.array(E, np.float64), np.array(A, np.float64), np.array(γ, np.float64), strict=strict).tolist()
        truth = [_sidecar(*triple, strict) for triple in zip(E, A, γ)]
        wrong = [i for i, (code, t) in enumerate(zip(codes, truth)) if code >= 0 and bool(code) != t]
        return Result(len(codes), f"entry {wrong[0]} is {codes[wrong[0]]}" if wrong else None, codes.count(1), codes.count(-1))

    return Check(f"core.energy.decide_many{' strict' if strict else ''}", generate, run, every_isa=True)


def _sidecar_gate(strict: bool) -> Check:
    def run(E: list[Any], A: list[Any], γ: list[Any]) -> Result:
        with calls(g, "energy_sidecar_admit_strict" if strict else "energy_sidecar_admit") as left:
            got = g.SidecarGate(0, strict=strict).decide_many(np.array(E, np.float64), np.array(A, np.float64), np.array(γ, np.float64))
        return answers(got, [_sidecar(*triple, strict) for triple in zip(E, A, γ)], left[0])

    return Check(f"SidecarGate{' strict' if strict else ''}", _triples, run)


def _products(rng: Random, signed: bool) -> tuple[str, Rows, list[Any]]:
    """Rows and a vector, often a multiple of one of them."""
    kind, m = dtype(rng), width(rng)
    rows = [gen.reals(rng, m, kind) if signed else gen.sizes(rng, m, kind) for _ in range(few(rng))]
    other = gen.reals(rng, m, kind) if signed else gen.sizes(rng, m, kind)
    if rows and rng.random() < 0.3:
        other = list(rows[0])
    return kind, rows, other


def _whole(rng: Random) -> tuple[Any, ...]:
    kind, rows, a = _products(rng, True)
    energies = [sum((x * x for x in exact(row)), Fraction(0)) for row in rows] or [Fraction(1)]
    return kind, rows, a, parameter(rng, gen.root(4 * rng.choice(energies) * sum(x * x for x in exact(a))))


def _run_whole(kind: str, rows: Rows, a: list[Any], γ: Any) -> Result:
    A = sum(x * x for x in exact(a))
    with calls(g.EnergyGate, "decide") as left:
        got = g.EnergyGate(value(γ)).decide_many(matrix(rows, kind, len(a)), np.array(a, kind))
    return answers(got, [4 * sum(x * x for x in exact(row)) * A <= value(γ) ** 2 for row in rows], left[0])


def _blocked(rng: Random) -> tuple[Any, ...]:
    kind, rows, α = _products(rng, False)
    sums = [sum((x * y for x, y in zip(exact(row), exact(α))), Fraction(0)) for row in rows] or [Fraction(1)]
    return kind, rows, α, parameter(rng, 2 * rng.choice(sums))


def _run_blocked(kind: str, rows: Rows, α: list[Any], γ: Any) -> Result:
    with calls(g.BlockedGate, "decide") as left:
        got = g.BlockedGate(value(γ)).decide_many(matrix(rows, kind, len(α)), np.array(α, kind))
    return answers(got, [2 * sum(x * y for x, y in zip(exact(row), exact(α))) <= value(γ) for row in rows], left[0])


def _split(rng: Random) -> tuple[Any, ...]:
    kind, m = dtype(rng), width(rng)
    a, S, E = gen.reals(rng, m, kind), gen.mask(rng, m), gen.sizes(rng, few(rng))
    outside = sum((x * x for x, s in zip(exact(a), S) if not s), Fraction(0))
    return kind, E, a, S, parameter(rng, gen.root(4 * Fraction(rng.choice(E or [1.0])) * outside))


def _run_split(kind: str, E: list[Any], a: list[Any], S: list[Any], γ: Any) -> Result:
    outside = sum((x * x for x, s in zip(exact(a), S) if not s), Fraction(0))
    with calls(g, "energy_sidecar_admit") as left:
        got = g.SplitGate(value(γ)).decide_many(np.array(E, np.float64), np.array(a, kind), S)
    return answers(got, [4 * Fraction(e) * outside <= value(γ) ** 2 for e in E], left[0])


def _no_number(rng: Random) -> tuple[Any, ...]:
    """Numbers that are plain, or of which the first of a chunk needs care, and one that is none: in any of the three, of either sign."""
    n = rng.choice((1, 2, 127, 128, 129, 300))
    place = rng.choice((0, n - 1, rng.randrange(n), n // 128 * 128 % n))
    return n, rng.choice((1.0, 0.0, -1.0, 1e-300)), rng.choice(("E", "A", "gamma")), place, rng.choice(("nan", "inf", "-inf"))


def _run_no_number(n: int, first: float, name: str, place: int, what: str) -> Result:
    numbers = {"E": np.ones(n), "A": np.ones(n), "gamma": np.full(n, 3.0)}
    numbers["E"][place // 128 * 128] = first
    numbers[name][place] = float(what)
    for strict in (False, True):
        try:
            kernel.decide_many(numbers["E"], numbers["A"], numbers["gamma"], strict=strict)
        except NonFiniteError as error:
            if (error.argument, error.index) != (name, place):
                return Result(2, f"{error.argument}[{error.index}] is named, {name}[{place}] is {what}")
        else:
            return Result(2, f"{what} in {name} at {place} is taken for a number")
    return Result(2, refused=2)


CHECKS = (
    Check("core.energy no numbers", _no_number, _run_no_number, every_isa=True, batch=24),
    _kernel(False),
    _kernel(True),
    _sidecar_gate(False),
    _sidecar_gate(True),
    Check("EnergyGate", _whole, _run_whole),
    Check("BlockedGate", _blocked, _run_blocked),
    Check("SplitGate", _split, _run_split),
)
