"""How near the true values come to their bounds: the largest value / bound that a run met.

A bound that nothing comes near to may be wrong, or far too wide, and no test would tell.  So every check of a bound says both numbers:

    if not nearness.record("energy_rows Q4_1", truth, bound):
        return Result(fault=…)

and a run that collects them (`gnosis conform`) shows one line for each bound.  What each has to reach is in `pairs`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

_open: list[dict[str, tuple[int, int, int]]] = []  # of each run that collects: name → numerator and denominator of the ratio, cases


@dataclass(frozen=True)
class Near:
    """One bound.  ratio: the largest value / bound; above 1 the bound is broken.  cases: how often both were above zero."""

    name: str
    ratio: float
    cases: int

    def __str__(self) -> str:
        gap = 1 - self.ratio
        return f"{self.name}: {self.ratio:.6f}{f' (1 - {gap:.1e})' if 0 < gap < 1e-4 else ''} of the bound at most, {self.cases:,} cases"


def record(name: str, value: Fraction | float, bound: Fraction | float) -> bool:
    """Note a value ≥ 0 and the bound from above that is claimed for it; whether it holds.

    name: of the bound, the same in every case.  value, bound: exact numbers or finite floats, taken as they are; an infinite bound holds and
    is not counted, and neither is a value of zero.
    """
    if isinstance(bound, float) and math.isinf(bound):
        return bound > 0
    v, b = Fraction(value), Fraction(bound)
    if v > 0 and _open:
        ratio = (v.numerator * b.denominator, v.denominator * b.numerator)  # in lowest terms it would be no shorter to compare
        for found in _open:
            n, d, cases = found.get(name, (0, 1, 0))
            n, d = ratio if ratio[0] * d > n * ratio[1] else (n, d)
            found[name] = n, d, cases + 1
    return v <= b


@contextmanager
def collecting() -> Iterator[list[Near]]:
    """A list that is filled when the block ends, ordered by name."""
    found: dict[str, tuple[int, int, int]] = {}
    out: list[Near] = []
    _open.append(found)
    try:
        yield out
    finally:
        _open.pop()
        out += [Near(name, float(Fraction(n, d)) if d else math.inf, cases) for name, (n, d, cases) in sorted(found.items())]
