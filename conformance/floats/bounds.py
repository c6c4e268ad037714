"""What the gates' float paths are made of: enclosures, sums of products, and functions rounded outward."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...codes.rows import sum_up
from ...numbers import bounds as g
from ...numbers import outward
from ..running import generators as gen
from ..running import nearness
from ..running.checks import Check, Result
from . import dtype, exact, width
from .served import exp


def _pair(rng: Random) -> tuple[Any, ...]:
    """A fraction next to a float64, or past its ends."""
    x = Fraction(gen.beside(rng, gen.real(rng))) * rng.choice((1, 1, 1, 4)) + rng.choice((-1, 0, 0, 1)) * Fraction(1, 1 << rng.choice((60, 1080, 1200)))
    if rng.random() < 0.2:  # the largest float64, what still rounds to it, what does not, and far beyond
        x = Fraction(rng.choice((1, -1)) * ((1 << 1024) - (1 << rng.choice((969, 970, 971))) + rng.choice((-1, 0, 1, 1 << 1023))))
    return ([x.numerator, x.denominator],)


def _run_enclose(x: list[Any]) -> Result:
    value = Fraction(*x)
    low, high = g.enclose(value)
    within = (low == -math.inf or Fraction(low) <= value) and (high == math.inf or value <= Fraction(high))
    narrow = low == high or math.nextafter(low, math.inf) == high
    return Result(1, None if within and narrow else f"{low} and {high} around {float(value) if abs(value) < 1 << 1000 else 'a large number'}", 1)


def _entries(rng: Random) -> tuple[Any, ...]:
    """Entries of one type; whole numbers next to 2^53 on either side of zero."""
    kind = rng.choice(("int64", "int64", "uint64", "float32", "float64"))
    if kind not in ("int64", "uint64"):
        return kind, gen.reals(rng, width(rng), kind)
    z = [rng.choice((1, -1)) * ((1 << rng.choice((53, 53, 53, 54, 20))) + rng.choice((-2, -1, 0, 0, 1, 2))) for _ in range(rng.choice((1, 2, 5)))]
    return kind, [abs(x) for x in z] if kind == "uint64" else z


def _run_enclosures(kind: str, entries: list[Any]) -> Result:
    """Nearest bounds on both sides, and one array for both exactly if float64 holds every entry."""
    low, high = g.enclosures(np.array(entries, kind), "v")
    for i, (a, x, b) in enumerate(zip(low.tolist(), exact(entries), high.tolist())):
        if not (Fraction(a) <= x <= Fraction(b) and (a == b or math.nextafter(a, math.inf) == b)):
            return Result(len(entries), f"{a} and {b} around entry {i}, which is {x}")
    held = all(Fraction(float(x)) == x for x in exact(entries))
    return Result(len(entries), None if (low is high) == held else f"{'two arrays' if held else 'one array'} of bounds for {entries}", len(entries))


def _operands(rng: Random) -> tuple[Any, ...]:
    x = gen.real(rng)
    return x, gen.beside(rng, Fraction(x) * Fraction(rng.randint(-9, 9), rng.randint(1, 9))) if rng.random() < 0.7 else gen.real(rng)


def _run_operation(x: float, y: float) -> Result:
    """The neighbours of a rounded result hold the exact one between them."""
    a, b, u, v = np.float64(x), np.float64(y), Fraction(x), Fraction(y)
    with np.errstate(all="ignore"):
        results = [(a + b, u + v), (a - b, u - v), (a * b, u * v), *([(a / b, u / v)] if v else [])]
        for rounded, true in results:
            low, high = float(g.below(np.array(rounded))), float(g.above(np.array(rounded)))
            if not ((low == -math.inf or Fraction(low) <= true) and (high == math.inf or true <= Fraction(high))):
                return Result(4, f"{low} and {high} do not hold the exact result of an operation on {x} and {y}")
    return Result(4, None, 4)


def _vectors(rng: Random) -> tuple[Any, ...]:
    if rng.random() < 0.3:
        return "float64", *_losing(rng)
    kind, m = dtype(rng), width(rng)
    return kind, gen.sizes(rng, m, kind), gen.sizes(rng, m, kind)


def _losing(rng: Random) -> tuple[list[float], list[float]]:
    """Products whose sum loses, or gains, almost half an ulp at each addition, in whatever order it is taken; and a product that does itself."""
    m, share = rng.choice((2, 3, 5, 7, 8, 16, 40)), rng.choice((0.49, 0.51, 0.999))
    a = [2.0**-26] * m
    b = [share * 2.0**-27] * m
    a[0], b[0] = rng.choice(((1.0, 1.0), (1 + 2.0**-27, 1 + 2.0**-27), (1 + 3 * 2.0**-27, 1 + 2.0**-27)))
    order = rng.sample(range(m), m) if rng.random() < 0.5 else range(m)
    scale = 2.0 ** rng.choice((0, 0, -400, 400))
    return [a[i] * scale for i in order], [b[i] for i in order]


def _around(name: str, low: float, value: Fraction | int, high: float) -> str | None:
    if not (nearness.record(f"{name}, below", Fraction(low), value) and nearness.record(name, value, high)):
        return f"the bounds {low} and {high} do not hold the exact sum"
    return None


def _run_dots(kind: str, a: list[Any], b: list[Any]) -> Result:
    left, right = (g.enclosures(np.array(v, kind), "v") for v in (a, b))
    low, high = g.dots(left, right)
    return Result(1, _around("dots", float(low), sum(x * y for x, y in zip(exact(a), exact(b))), float(high)), 1)


def _wide(rng: Random) -> tuple[Any, ...]:
    """Exact numbers as whole multiples of powers of two: zeros, some that float64 has not, some beyond it, some below its least."""
    m = rng.randint(1, 4)
    return tuple([[rng.choice((0, 1, 1, 3, (1 << 60) + 1)), rng.choice((0, 0, -1200, -1073, -600, 1100))] for _ in range(m)] for _ in range(2))


def _run_wide(a: list[Any], b: list[Any]) -> Result:
    left, right = ([Fraction(n) * Fraction(2) ** e for n, e in v] for v in (a, b))
    low, high = (float(x) for x in g.dots(g.enclosures(left, "left"), g.enclosures(right, "right")))
    truth = sum(x * y for x, y in zip(left, right))
    held = Fraction(low) <= truth if math.isfinite(low) else False
    held = held and (high == math.inf or (math.isfinite(high) and truth <= Fraction(high)))
    return Result(1, None if held else f"the bounds {low} and {high} do not hold the exact sum", 1)


def _run_energies(kind: str, a: list[Any], b: list[Any]) -> Result:
    low, high = g.energies(np.array([a], kind), "a")
    return Result(1, _around("energies", float(low[0]), sum(x * x for x in exact(a)), float(high[0])), 1)


def _run_sum(kind: str, a: list[Any], b: list[Any]) -> Result:
    up = float(sum_up(np.array(a, np.float64)))
    return Result(1, None if nearness.record("sum_up", sum(exact([float(x) for x in a])), up) else f"{up} is below the exact sum", 1)


def _argument(rng: Random) -> tuple[Any, ...]:
    return (gen.beside(rng, gen.real(rng, at=rng.choice((-60, -20, -3, 0, 0, 3, 5)))), rng.choice((1, 24, 53, 64, 64, 120)))


def _exponent(rng: Random) -> tuple[Any, ...]:
    x, bits = _argument(rng)
    return (x if abs(x) <= 1000 else 1000 * math.copysign(rng.random(), x)), bits


def _near_one(rng: Random) -> tuple[Any, ...]:
    """Around where tanh x is called 1 but for the last of so few bits."""
    bits = rng.choice((1, 1, 2, 3, 4, 8, 53, 64))
    return max(2.0**-4, (bits + 3) / 2 + rng.uniform(-2, 1)), bits


def _check(name: str, found: outward.Enclosure, bits: int, below: bool, above: bool) -> Result:
    if not (below and above):
        return Result(1, f"{name}: the true value lies {'above' if below else 'below'} the enclosure")
    low, high = found.floats()
    if not (low <= found.low and found.high <= high):
        return Result(1, f"{name}: the floats {low} and {high} do not hold the enclosure")
    wide = (found.high - found.low) * (1 << bits) > min(abs(found.low), abs(found.high))
    return Result(1, f"{name}: the enclosure is too wide" if wide else None, 1)


def _run_exp(x: float, bits: int) -> Result:
    found, v = outward.exp(x, bits), Fraction(x)
    low, high = exp(abs(v))
    low, high = (low, high) if v >= 0 else (1 / high, 1 / low)
    return _check("exp", found, bits, found.low <= high, low <= found.high)


def _run_log(x: float, bits: int) -> Result:
    """log x is held where e to its ends is around x."""
    v = abs(Fraction(x)) or Fraction(1)
    found = outward.log(v, bits)
    down, up = (_power(end) for end in found)
    return _check("log", found, bits, down[0] <= v, v <= up[1])


def _power(x: Fraction) -> tuple[Fraction, Fraction]:
    low, high = exp(abs(x))
    return (low, high) if x >= 0 else (1 / high, 1 / low)


def _run_tanh(x: float, bits: int) -> Result:
    """tanh x is held where (1 + t)/(1 − t) is around e^2x at its ends."""
    v = abs(Fraction(x))
    found = outward.tanh(v, bits)
    if 2 * v > 200:
        return _check("tanh", found, bits, found.low < 1, found.high == 1)
    low, high = exp(2 * v)
    return _check("tanh", found, bits, (1 + found.low) <= high * (1 - found.low), found.high >= 1 or low * (1 - found.high) <= 1 + found.high)


def _inner(rng: Random) -> tuple[Any, ...]:
    x = Fraction(rng.randint(-4000, 4000) or 1, rng.choice((1, 3, 64, 1000, 1 << 20)))
    return [(x if abs(x) < 100 else x / 100).numerator, (x if abs(x) < 100 else x / 100).denominator], rng.randint(3, 20)


def _run_inner(x: list[Any], work: int) -> Result:
    """The series themselves with so few bits that an error in the last of them shows; outside they keep 23 bits less than they have."""
    v = Fraction(*x)
    found, (low, high) = outward._exp(v, work), _power(v)
    if not (found.low <= high and low <= found.high):
        return Result(2, f"_exp: e^{v} lies outside {float(found.low)} and {float(found.high)}")
    found = outward._log(abs(v), work) if abs(v) != 1 else outward.Enclosure(Fraction(0), Fraction(0))
    if not (_power(found.low)[0] <= abs(v) <= _power(found.high)[1]):
        return Result(2, f"_log: log {abs(v)} lies outside {float(found.low)} and {float(found.high)}")
    return Result(2, None, 2)


def _run_sqrt(x: float, bits: int) -> Result:
    v = abs(Fraction(x))
    found = outward.sqrt(v, bits)
    return _check("sqrt", found, bits, found.low**2 <= v, v <= found.high**2)


CHECKS = (
    Check("enclose", _pair, _run_enclose, batch=16),
    Check("enclosures", _entries, _run_enclosures, batch=16),
    Check("below and above", _operands, _run_operation),
    Check("dots", _vectors, _run_dots),
    Check("dots of exact numbers", _wide, _run_wide, batch=16),
    Check("energies", _vectors, _run_energies),
    Check("sum_up", _vectors, _run_sum),
    Check("outward.exp", _exponent, _run_exp),
    Check("outward.log", _argument, _run_log),
    Check("outward.tanh", _argument, _run_tanh),
    Check("outward.tanh near 1", _near_one, _run_tanh, batch=16),
    Check("outward.sqrt", _argument, _run_sqrt),
    Check("outward, few bits", _inner, _run_inner, batch=16),
)
