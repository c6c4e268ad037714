"""Several layers calibrated together: one conformal decision for all of them, at one rate.

A unit of the calibration, say a passage of text, has a score for every layer.  Each layer has its margin, fixed beforehand.  The score of
the unit is the largest of its layers' scores in units of their margins; where twice the conformal threshold of these fits into 1, all
layers are admitted at once, and the rate holds for all of them together, however many there are.  Layers must not be chosen on
the calibration scores (`Gnosis.Falsifiers.layer_chosen_on_calibration`).

The functions mirror the part on layers of `Gnosis/Decision/Conformal.lean` one for one, on plain integers.

Units: scores and margins of a layer u_ℓ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..errors import LengthError, RangeError
from ..numbers.exact import Vector, integers
from ..numbers.levels import Level, level
from ..verdict import Verdict
from .conformal import EXCHANGEABLE, conformal_admit, conformal_threshold

FIXED = "the layers and their margins were fixed before the calibration"

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def layers_max(c: Sequence[int], s: Sequence[int]) -> int:
    """`Gnosis.layersMax`: the largest score times its cofactor, at least 0."""
    return max((a * x for a, x in zip(c, s) if a * x > 0), default=0)


def cofactors(P: int, c: Sequence[int], γ: Sequence[int]) -> bool:
    """`Gnosis.cofactors`: a positive cofactor for each margin, which takes it to P."""
    return len(c) == len(γ) and all(a > 0 and a * g == P for a, g in zip(c, γ))


def layers_fail(γ: Sequence[int], s: Sequence[int]) -> bool:
    """`Gnosis.layersFail`: in some layer twice the score exceeds the margin."""
    return any(g < 2 * x for g, x in zip(γ, s))


def layers_max_admit(units: Sequence[Sequence[int]], c: Sequence[int], γ: Sequence[int], P: int, num: int, den: int) -> bool:
    """`Gnosis.layersMaxAdmit`: the cofactors fit, and the conformal gate admits P on the largest scores of the units."""
    return cofactors(P, c, γ) and conformal_admit([layers_max(c, u) for u in units], num, den, P)


# ---- the gate, on any exact numbers --------------------------------------------------------------------------------


@dataclass(frozen=True)
class MaxLayersGate:
    """May all layers run from their coarse codes, each within half its margin, at one rate for all together?

    margins: L ≥ 1 numbers γ_ℓ > 0, fixed before the calibration; level: q, strictly between 0 and 1, read as written.
    Theorem `Gnosis.conformal_layers_max`: with probability at most (n + 1 − k)/(n + 1) ≤ 1 − q the gate admits and in some layer twice the
    residual of the new unit exceeds the margin.  Assumes exchangeable units.
    Raises LengthError, RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.conformal_layers_max`.
    """

    margins: tuple[Fraction, ...]
    level: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, margins: Vector, level: Level) -> None: ...

    def __post_init__(self) -> None:
        ints, unit = integers(self.margins, "margins")
        if not ints:
            raise LengthError("margins", 0, "needs at least one layer")
        for i, g in enumerate(ints):
            if g <= 0:
                raise RangeError("margins", float(g * unit), "must be above 0", i)
        object.__setattr__(self, "margins", tuple(g * unit for g in ints))
        object.__setattr__(self, "level", level(self.level, "level"))

    def decide(self, scores: Sequence[Vector]) -> Verdict:
        """scores: n ≥ 0 units, each L numbers, units u_ℓ; [n, L] as an array.

        Verdict.margin: 1 − 2·(threshold of the largest scores in units of their margins), admitted at zero; None without a threshold, which
        refuses.  Raises LengthError naming the unit, NonFiniteError, DtypeError.
        """
        units = []
        for i, row in enumerate(scores):
            ints, unit = integers(row, f"scores[{i}]")
            if len(ints) != len(self.margins):
                raise LengthError(f"scores[{i}]", len(ints), f"there are {len(self.margins)} layers")
            units.append([x * unit for x in ints])
        d = math.lcm(*(g.denominator for g in self.margins), *(x.denominator for u in units for x in u))
        γ = [int(g * d) for g in self.margins]
        P = math.lcm(*γ)
        c, whole = [P // g for g in γ], [[int(x * d) for x in u] for u in units]
        num, den = self.level.numerator, self.level.denominator
        t = conformal_threshold([layers_max(c, u) for u in whole], num, den)
        return Verdict(
            admit=layers_max_admit(whole, c, γ, P, num, den),
            margin=None if t is None else 1 - Fraction(2 * t, P),
            theorem="Gnosis.conformal_layers_max",
            assumes=(EXCHANGEABLE, FIXED),
        )
