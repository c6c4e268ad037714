"""The Tukey bowl: a residual inside it is admitted, with a weight that falls to zero at the rim.

The functions mirror `Gnosis/Decision/Tukey.lean` one for one, on plain integers.  With c = γ/2 the bowl is |r| ≤ c; doubling
keeps it in integers.  Past the rim the weight is zero: such a residual is missed, never believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..core import cpu
from ..errors import LengthError
from ..numbers.bounds import enclose, enclosures
from ..numbers.exact import Number, Vector, nonnegative, number
from ..verdict import Verdict

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def tukey_admit(r: int, γ: int) -> bool:
    """`Gnosis.tukeyAdmit`: 0 ≤ γ and 2·|r| ≤ γ."""
    return 0 <= γ and 2 * abs(r) <= γ


def tukey_weight(r: int, γ: int) -> int:
    """`Gnosis.tukeyWeight`: (γ² − 4r²)² inside the bowl, 0 outside."""
    return (γ * γ - 4 * r * r) ** 2 if tukey_admit(r, γ) else 0


# ---- the gate, on any exact numbers --------------------------------------------------------------------------------


@dataclass(frozen=True)
class TukeyGate:
    """Is a residual inside the bowl?

    gamma: width of the bowl, any finite number ≥ 0, in the unit of the residuals.
    Theorem `Gnosis.tukey_admit_iff`; nothing is assumed.  Raises NonFiniteError, NegativeError, DtypeError.
    Promises: theorem `Gnosis.tukey_admit_iff`.
    """

    gamma: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, gamma: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, r: Number) -> Verdict:
        """r: a finite number.  Verdict.margin: γ − 2·|r|, in the unit of r; the rim itself is admitted.

        Raises NonFiniteError, DtypeError.
        """
        exact = number(r, "r")
        unit = 1 / Fraction(exact.denominator * self.gamma.denominator)
        return Verdict(admit=tukey_admit(int(exact / unit), int(self.gamma / unit)), margin=self.gamma - 2 * abs(exact), theorem="Gnosis.tukey_admit_iff")

    def decide_many(self, r: Vector) -> np.ndarray:
        """r: one-dimensional array or sequence of n numbers.  Returns bool[n], the answers of `decide`.

        Doubling is exact in float64, so the comparison is too; what float64 does not hold is decided with integers.
        Raises LengthError, NonFiniteError, DtypeError naming the index, FloatEnvironmentError.
        Promises: tested `floats: TukeyGate`, `tests/test_tukey.py::test_decide_many_at_the_rim`.
        """
        cpu.check_environment()
        low, high = enclosures(r, "r")
        if low.ndim != 1:
            raise LengthError("r", low.shape, "must have one dimension")
        small, large = np.minimum(abs(low), abs(high)), np.maximum(abs(low), abs(high))
        below, above = enclose(self.gamma)
        with np.errstate(over="ignore"):
            admit = 2 * large <= below
            open_ = ~admit & ~(2 * small > above)
        for i in np.flatnonzero(open_):
            admit[i] = self.decide(r[int(i)]).admit
        return admit

    def weight(self, r: Number) -> Fraction:
        """The bisquare weight (γ² − 4r²)², exact, in the fourth power of the unit of r: from 0 to γ⁴, falling with |r|, 0 at and past the rim.

        Theorems `Gnosis.tukey_weight_range`, `Gnosis.tukey_redescends`.  Raises as `decide`.
        Promises: theorem `Gnosis.tukey_weight_range`, `Gnosis.tukey_redescends`.
        """
        exact = number(r, "r")
        unit = 1 / Fraction(exact.denominator * self.gamma.denominator)
        return tukey_weight(int(exact / unit), int(self.gamma / unit)) * unit**4
