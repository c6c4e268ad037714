"""Lattice codes at their limits: draws that would just leave the code, and residuals of one float."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...certificates import tiles
from ...codes import families as codes
from ...codes.lattice import Code, quantize, rounding
from ...codes.lattice.matrix import residual_energy
from ...core import lattice
from ...errors import NonFiniteError, RangeError
from ...probe import gate
from ..running import generators as gen
from ..running import nearness
from ..running.checks import Check, Result
from . import Rows, exact
from .attained import UNIT, away, units
from .residuals import LOOSE


class Drawn:
    """A source of words that are given: the same one in a first call, those of W in the next, then zeros."""

    def __init__(self, first: int, W: list[int]) -> None:
        self.calls = [[first], W]

    def random_raw(self, n: int) -> np.ndarray:
        return np.resize(np.array(self.calls.pop(0) if self.calls else [0], np.uint64), n)


def _root(rng: Random) -> list[Fraction]:
    """A shortest vector of E8."""
    if rng.random() < 0.5:
        r = [Fraction(0)] * 8
        for i in rng.sample(range(8), 2):
            r[i] = Fraction(rng.choice((1, -1)))
        return r
    signs = [rng.choice((1, -1)) for _ in range(7)]
    return [Fraction(s, 2) for s in (*signs, int(np.prod(signs)))]


def _limit_case(rng: Random) -> tuple[Any, ...]:
    """Weights along a shortest vector, as long as scale 1 allows, and draws that bring the point as far out as any."""
    bits, r = rng.randint(2, 8), _root(rng)
    grid = 1 << rounding.GRID
    # −r/2 is half-way between 0 and −r; a little more, so that −r is taken; modulo the cube
    W = [int(-x * grid / 2) for x in r]
    place = next(i for i, x in enumerate(r) if x)
    W[place] -= (1 if r[place] > 0 else -1) * rng.choice((0, 1, 2, 8, 20))
    height = rng.choice((None, 2 * rng.randrange(1 << bits - 1) + rng.choice((0, 2.0**-9, 2.0**-8, 0.1, 0.5, 1))))
    return (
        bits,
        [float(x) for x in r],
        [w % (2 * grid) for w in W],
        rng.choice((0, (1 << 64) - 1)),
        rng.choice((-20, -12, -16)),
        height,
        rng.choice((1.0, 1.0, rng.uniform(1, 2))),
    )


def _run_limit(bits: int, r: list[float], W: list[int], first: int, less: int, height: float | None, size: float) -> Result:
    """Every point that is drawn belongs to the code, and decodes to itself."""
    code = Code("e8", bits)
    # ⟨x, r⟩ is the reach, less what the scale is widened by, times a scale; of the first vector something between, if `height` says so
    reach = rounding.reach(code) * (1 - 2.0**less)
    blocks = np.zeros((1, 32), np.float32)
    blocks[0, :16] = np.outer((reach if height is None else min(height, reach), reach), np.array(r) / 2).ravel() * size
    found = rounding.stochastic(blocks, code, Drawn(first, (W + W + [0] * 16)), 0)  # type: ignore[arg-type]  # words that are given
    points = found.points.reshape(-1, 8)
    if not code.contains(points).all() or not np.array_equal(code.points(code.words(points)), points):
        return Result(1, f"the point {points[0].tolist()} is outside the code of {bits} bits")
    scale = Fraction(float(found.scales[0]))
    if sum((abs(a * Fraction(v)) for a, v in zip(exact(blocks[0, 8:16].tolist()), r)), Fraction(0)) > scale * Fraction(rounding.reach(code)):
        return Result(1, f"the scale {float(scale)} does not reach {blocks[0, 8:16].tolist()}")
    for x, point in zip(blocks.reshape(-1, 8)[:2].tolist(), points.tolist()):
        over = abs(sum(((p - a / scale) * Fraction(v) for p, a, v in zip(exact(point), exact(x), r)), Fraction(0)))
        if not nearness.record("rounding.reach e8", over, 2 + Fraction(1, 1 << 8)):
            return Result(1, f"the point {point} is {float(over)} too far from {x} along {r}")
    return Result(1, None, 1)


def _cubic_case(rng: Random) -> tuple[Any, ...]:
    return rng.randint(2, 8), rng.choice((1, -1)), rng.choice((0, (1 << 64) - 1)), rng.choice((-19, -10)), rng.choice((1.0, rng.uniform(1, 2)))


def _run_cubic(bits: int, sign: int, first: int, less: int, size: float) -> Result:
    code = Code("cubic", bits)
    blocks = np.full((1, 32), sign * rounding.reach(code) * (1 - 2.0**less) * size, np.float32)
    drawn = rounding.stochastic(blocks, code, Drawn(first, [first]), 0)  # type: ignore[arg-type]  # words that are given
    points = drawn.points.reshape(-1, 8)
    if Fraction(float(abs(blocks).max())) > Fraction(float(drawn.scales[0])) * Fraction(rounding.reach(code)):
        return Result(1, f"the scale {drawn.scales[0]} does not reach {blocks[0, 0]}")
    if not code.contains(points).all() or not np.array_equal(code.points(code.words(points)), points):
        return Result(1, f"the point {points[0].tolist()} is outside the code of {bits} bits")
    nearness.record("rounding.reach cubic", Fraction(float(abs(points).max())), code.levels // 2 - 1)
    return Result(1, None, 1)


def _words_case(rng: Random) -> tuple[Any, ...]:
    """Words of a code, those of its outermost points among them."""
    name, bits = rng.choice(("cubic", "e8")), rng.choice((2, 2, 3, 8))
    return name, bits, [[rng.choice((0, (1 << bits) - 1, rng.randrange(1 << bits))) for _ in range(8)] for _ in range(64)]


def _run_words(name: str, bits: int, words: list[list[int]]) -> Result:
    """Every word has its point in the code, and every point its word."""
    code, given = Code(name, bits), np.array(words, np.uint8)
    points = code.points(given)
    if not code.contains(points).all() or not np.array_equal(code.words(points), given):
        return Result(len(words), f"a word of {name} with {bits} bits has a point outside the code, or another word")
    # two points that differ by a point of the lattice times the levels: one of them is in the code
    edge = np.zeros((2, 8), np.float32)
    edge[:, :2] = ((code.levels / 2,), (-code.levels / 2,))
    if code.contains(edge).sum() != 1:
        return Result(len(words), f"of {edge[0].tolist()} and its negative not one is in the code")
    return Result(len(words), None, len(words))


def _residual_case(rng: Random) -> tuple[Any, ...]:
    """A matrix in a lattice code, and weights a few floats from what it decodes to: one of them, or all to one side."""
    name, bits, rows, columns = rng.choice(("cubic", "e8")), rng.randint(2, 8), rng.choice((1, 2)), rng.choice((32, 64, 45))
    at = rng.choice((0, 0, -100, 90, -130))
    first = [[gen.held(Fraction(rng.gauss(0, 1)) * Fraction(2) ** at, "float32") for _ in range(columns)] for _ in range(rows)]
    side = rng.choice((1, -1))
    if rng.random() < 0.4:
        only = rng.randrange(columns)
        steps = [[side * rng.randint(1, 8) if k == only else 0 for k in range(columns)] for _ in range(rows)]
    else:
        steps = [[side * rng.randint(0, 8) for _ in range(columns)] for _ in range(rows)]
    return name, bits, first, steps, rng.choice((None, 0, 7))


def _run_residual(name: str, bits: int, first: Rows, steps: list[list[int]], seed: int | None) -> Result:
    made = quantize(np.array(first, np.float32), Code(name, bits), seed=seed)
    served = made.decode()
    w = np.array([[away(x, k) for x, k in zip(row, more)] for row, more in zip(served.tolist(), steps)], np.float32)
    tile = 32 if w.shape[1] % 32 == 0 else w.shape[1]
    found = residual_energy(served, w, tile)
    for i in range(len(w)):
        for t in range(found.shape[1]):
            part = slice(t * tile, (t + 1) * tile)
            truth = sum((a - b) ** 2 for a, b in zip(units(w[i, part].tolist()), units(served[i, part].tolist()))) * UNIT**2
            bound = float(found[i, t])
            if not nearness.record(f"quantize.residual_energy {name}", truth, bound) or Fraction(bound) > truth * LOOSE:
                return Result(1, f"the bound of tile {t} of row {i} is {bound}, the energy {float(truth)}")
    return Result(1, None, 1)


def _tile_case(rng: Random) -> tuple[Any, ...]:
    """A tile as certificates speak of it: a lattice with a step or a bounded code, weights of any size or next to what is decoded."""
    n, at = 32 * rng.choice((1, 2)), rng.choice((0, 0, -20, -60, 40))
    weights = [gen.held(Fraction(rng.gauss(0, 1)) * Fraction(2) ** at, "float32") for _ in range(n)]
    step = gen.held(Fraction(rng.uniform(0.01, 1)) * Fraction(2) ** at, "float32")
    return rng.choice(("lattice", "bounded")), rng.choice(("cubic", "d8", "e8")), weights, step, rng.randint(-3, 3)


def _run_tile(family: str, code: str, weights: list[float], step: float, beside: int) -> Result:
    """What is exact is exact; the float energy and the score of a row are within what is claimed."""
    w = np.array([weights], np.float32)
    near = tiles.decoded(w, family, code, np.float32(step) if family == "lattice" else None)
    if beside:
        w = np.array([[away(float(np.float32(x)), beside) for x in near[0].tolist()]], np.float32)
    if family == "lattice":  # a point times the step, and nothing is rounded
        points = tiles.NEAREST[code](np.array([weights], np.float32).reshape(-1, 8) / np.float32(step)).ravel().tolist()
        if exact(near[0].tolist()) != [p * Fraction(step) for p in exact(points)]:
            return Result(1, "what is decoded is not point times step")
    truth = sum((a - b) ** 2 for a, b in zip(exact(w[0].tolist()), exact(near[0].tolist())))
    for name, found in (
        ("tiles.exact_energies", tiles.exact_energies(w, near)[0]),
        ("probe.gate.exact_residual_energy", gate.exact_residual_energy(w[0], near[0])),
    ):
        if found != truth or not nearness.record(name, truth, found):
            return Result(1, f"{name} gives {float(found)} for {float(truth)}")
    floats = Fraction(float(gate.energy((w - near.astype(np.float64))[0])))
    if not nearness.record("probe.gate.relative_error", abs(floats - truth), Fraction(gate.relative_error(w.size)) * truth):
        return Result(1, f"the float energy {float(floats)} is too far from {float(truth)}")
    return Result(1, None, 1)


def _decide_case(rng: Random) -> tuple[Any, ...]:
    """Tiles whose residuals meet the margin exactly, or are beside it by less than a float energy tells."""
    if rng.random() < 0.1:  # a sum that loses more than the kernel of the gate allows for
        residual = [1.0] + [2.0**-26.5 * 0.99] * 2047
        return [residual], gen.held(2 * gen.root(sum(x * x for x in exact(residual)) * (1 - Fraction(rng.randint(2, 40), 1 << 53)))), True
    n, k = rng.choice((1, 3, 8)), rng.choice((1, 4))
    residuals = [[gen.real(rng, "float32", 0) for _ in range(n)] for _ in range(k)]
    E = sum(x * x for x in exact(residuals[0]))
    if rng.random() < 0.5:  # the energy of one number is a square: γ can be met
        residuals[0] = [residuals[0][0]] + [0.0] * (n - 1)
        E = Fraction(residuals[0][0]) ** 2
    return residuals, gen.beside(rng, 2 * gen.root(E)), rng.choice((True, False))


def _run_decide(residuals: Rows, gamma: float, unit: bool) -> Result:
    r: np.ndarray = np.array(residuals)
    truths = [sum((x * x for x in exact(row)), Fraction(0)) for row in residuals]
    activation = 1.0 if unit else np.ones(len(r))
    got, left = gate.decide(gate.energy(r), activation, abs(gamma), r.shape[1], lambda i: (truths[i], Fraction(1)))
    wanted = [4 * E <= Fraction(gamma) ** 2 for E in truths]
    return Result(len(r), None if got.tolist() == wanted else f"admitted {got.tolist()}, the exact answers are {wanted}", sum(wanted), left)


def _worst_energy(rng: Random) -> tuple[Any, ...]:
    """Squares that a sum of float64 loses: one of size 1, and many of half an ulp."""
    n, side = rng.choice((8, 32, 64)), rng.choice((0.45, 0.499))
    values = [2.0**-26.5 * (2 * side) ** 0.5 if rng.random() < 0.9 else 0.0 for _ in range(n)]
    values[rng.randrange(n)] = 1.0 + rng.choice((0, 2.0**-26))
    return (values,)


def _run_worst_energy(values: list[float]) -> Result:
    truth = sum(x * x for x in exact(values))
    found = Fraction(float(gate.energy(np.array(values))))
    if not nearness.record("probe.gate.relative_error", abs(found - truth), Fraction(gate.relative_error(len(values))) * truth):
        return Result(1, f"the float energy {float(found)} is too far from {float(truth)}")
    return Result(1, None, 1)


def _points(rng: Random) -> tuple[Any, ...]:
    """Rows of eight halves and quarters, which float32 handles exactly, and next to them."""
    return (
        [
            [gen.held(Fraction(rng.randint(-12, 12), 4) + rng.choice((0, 0, 0, 1, -1)) * Fraction(1, 1 << 20), "float32") for _ in range(8)]
            for _ in range(rng.choice((1, 16, 17)))
        ],
    )


def _run_points(rows: Rows) -> Result:
    """Cubic: the nearest whole numbers, halves up.  D8: a point of it, and no step of a shortest vector brings it nearer."""
    x = np.array(rows, np.float32)
    if lattice.nearest_cubic(x).tolist() != [[float((v + Fraction(1, 2)).__floor__()) for v in exact(row)] for row in rows]:
        return Result(len(rows), "the cubic point is another")
    for i, (row, point) in enumerate(zip(rows, lattice.nearest_d8(x).tolist())):
        p = exact(point)
        if any(v.denominator != 1 for v in p) or sum(p) % 2:
            return Result(len(rows), f"row {i} is no point of D8: {point}")
        here = [a - b for a, b in zip(exact(row), p)]
        if max(2 * (s * here[j] + t * here[k]) - 2 for j in range(8) for k in range(j) for s in (1, -1) for t in (1, -1)) > 0:
            return Result(len(rows), f"row {i} has a nearer point than {point}")
    for code in ("d8", "e8"):
        points = codes.NEAREST[code](x)
        inside = codes.d8_in_code(points) if code == "d8" else Code("e8", 4).contains(points)
        clipped, outside = codes.d8_clipped(x * np.float32(8)) if code == "d8" else (Code("e8", 4).nearest(x * np.float32(8))[0], None)
        kept = codes.d8_in_code(clipped) if code == "d8" else Code("e8", 4).contains(clipped)
        if not inside.all() or not kept.all():  # coordinates up to 3 are well inside a code of 16 levels
            return Result(len(rows), f"a point of {code} is outside its code")
    return Result(len(rows), None, len(rows))


def _outside_case(rng: Random) -> tuple[Any, ...]:
    """Rows, sixteen of which are looked at together, and one or two entries that no lattice takes: the ends of the rows among them."""
    rows = rng.choice((1, 15, 16, 17, 32, 33))
    ends = (0, 8 * rows - 1, min(127, 8 * rows - 1), min(128, 8 * rows - 1))
    places = sorted({rng.choice(ends), rng.choice((*ends, rng.randrange(8 * rows)))})
    return rows, places, rng.choice(("nan", "inf", "-inf", repr(lattice.LIMIT + 0.25), repr(-lattice.LIMIT - 0.25)))


def _run_outside(rows: int, places: list[int], what: str) -> Result:
    x = np.full(8 * rows, lattice.LIMIT, np.float32)
    x[places] = float(what)
    for call in (lattice.nearest_cubic, lattice.nearest_d8, lattice.nearest_e8):
        try:
            call(x.reshape(rows, 8))
        except (NonFiniteError, RangeError) as error:
            if error.index != divmod(places[0], 8):
                return Result(3, f"entry {error.index} is named, the first is {divmod(places[0], 8)}")
        else:
            return Result(3, f"{what} at {divmod(places[0], 8)} is taken by {call.__name__}")
    return Result(3, refused=3)


CHECKS = (
    Check("quantize code words", _words_case, _run_words, batch=4),
    Check("quantize reach e8", _limit_case, _run_limit, batch=24),
    Check("quantize reach cubic", _cubic_case, _run_cubic),
    Check("quantize residual_energy", _residual_case, _run_residual, every_isa=True, batch=4),
    Check("lattice gate of tiles", _decide_case, _run_decide, batch=20),
    Check("lattice tiles", _tile_case, _run_tile, batch=6),
    Check("lattice float energy", _worst_energy, _run_worst_energy, batch=4),
    Check("lattice d8 and cubic", _points, _run_points, every_isa=True, batch=4),
    Check("core.lattice outside", _outside_case, _run_outside, every_isa=True, batch=24),
)
