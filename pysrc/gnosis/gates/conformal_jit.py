"""Calibrate, then serve: coarse rows admitted without any sidecar of the tile at hand.

What is known instead are scores of calibration runs (`gnosis.gates.conformal`): the largest error of a logit
(`ConformalMarginGate`), or the largest residual energy of a row (`ConformalJitGate`).  The conformal threshold takes the place
of the bound.  The functions mirror `Gnosis/Decision/ConformalJit.lean` one for one, on plain integers.

Units: weights u, activations v; logits, errors and margins u·v, row energies u², the activation energy v².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DtypeError, LengthError, RangeError
from ..numbers.exact import Number, Vector, integers, nonnegative
from ..verdict import Verdict
from .conformal import EXCHANGEABLE, ConformalGate, conformal_admit, conformal_threshold
from .energy import ACTIVATION_BOUND
from .jit import COARSE_EXACT, RECOMPUTED, JitGate, Served, jit_admit, jit_admit_lowest, leads_sidecars, serve, served_argmax
from .margin import argmax, entry, leads

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def conformal_margin_admit(scores: Sequence[int], num: int, den: int, γ: int, z: Sequence[int], w: int) -> bool:
    """`Gnosis.conformalMarginAdmit`: the conformal gate admits γ, and w leads every other coarse logit by γ or more."""
    return conformal_admit(scores, num, den, γ) and w < len(z) and leads(entry(z, w), γ, γ, w, z)


def conformal_jit_admit(scores: Sequence[int], num: int, den: int, z: Sequence[int], w: int, A: int, γ: int) -> bool:
    """`Gnosis.conformalJitAdmit`: `jit_admit` with the conformal threshold as the energy of every row."""
    t = conformal_threshold(scores, num, den)
    return t is not None and jit_admit(z, w, [t] * len(z), A, γ)


def conformal_margin_admit_lowest(scores: Sequence[int], num: int, den: int, γ: int, z: Sequence[int], w: int) -> bool:
    """`Gnosis.conformalMarginAdmitLowest`: the conformal gate admits γ; w leads the coarse logits in front of it by more than γ, those behind it by γ or more."""
    return conformal_admit(scores, num, den, γ) and w < len(z) and leads(entry(z, w), γ + 1, γ, w, z)


def conformal_jit_admit_lowest(scores: Sequence[int], num: int, den: int, z: Sequence[int], w: int, A: int, γ: int) -> bool:
    """`Gnosis.conformalJitAdmitLowest`: `jit_admit_lowest` with the conformal threshold as the energy of every row."""
    t = conformal_threshold(scores, num, den)
    return t is not None and jit_admit_lowest(z, w, [t] * len(z), A, γ)


def conformal_jit_lead_admit(scores: Sequence[int], num: int, den: int, z: Sequence[int], w: int, A: int) -> bool:
    """`Gnosis.conformalJitLeadAdmit`: w leads every other coarse logit far enough for the conformal threshold as the energy of every row."""
    t = conformal_threshold(scores, num, den)
    return t is not None and w < len(z) and leads_sidecars([t], A, entry(z, w), w, 0, z)


def conformal_served(scores: Sequence[int], num: int, den: int, coarse: Sequence[int], exact: Sequence[int]) -> int:
    """`Gnosis.conformalServed`: `served_argmax` with the conformal threshold as every bound; the exact argmax where there is none."""
    t = conformal_threshold(scores, num, den)
    return argmax(exact) if t is None else served_argmax(coarse, exact, [t] * len(coarse))


# ---- the gates -------------------------------------------------------------------------------------------------------


def _lowest(value: bool) -> None:
    if not isinstance(value, bool):
        raise DtypeError("lowest", value, "must be a truth value")


def _leads(z: Sequence[int], w: int) -> tuple[int | None, int | None]:
    """How far w leads the rows in front of it, and those behind it; None where there are none."""
    return z[w] - max(z[:w]) if w else None, z[w] - max(z[w + 1 :]) if w + 1 < len(z) else None


@dataclass(frozen=True)
class ConformalMarginGate:
    """Serve the coarse winner when it leads by a margin that the calibrated errors fit into.

    errors: the conformal gate whose scores are the largest errors of a logit in calibration runs.  gamma: the margin, fixed
    before serving, units u·v.  lowest: True when the token is promised, the argmax with the lowest index on ties
    (`Gnosis.conformal_margin_lowest`); False when any maximiser will do (`Gnosis.conformal_then_margin_sound`): with a tie the token may
    then be another one (`Gnosis.Falsifiers.weak_conformal_margin_moves_token`).
    With probability at most 1 - q the gate admits and the promise fails nevertheless.  Assumes exchangeable runs.
    Raises NegativeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.conformal_margin_lowest`, `Gnosis.conformal_then_margin_sound`.
    """

    errors: ConformalGate
    gamma: Fraction
    lowest: bool = True

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, errors: ConformalGate, gamma: Number, lowest: bool = True) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.errors, ConformalGate):
            raise DtypeError("errors", self.errors, "not a ConformalGate")
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))
        _lowest(self.lowest)

    def decide(self, coarse: Vector) -> Verdict:
        """coarse: vector of n ≥ 2 logits; the winner is their argmax, lowest index on ties.

        Verdict.margin: the smaller of γ - 2·threshold and (lead of the winner) - γ, units u·v, admitted at zero, unless the token is promised and a
        row in front of the winner is led by γ only; None without a threshold.  Raises LengthError, NonFiniteError, DtypeError.
        """
        z, unit = integers(coarse, "coarse")
        if len(z) < 2:
            raise LengthError("coarse", len(z), "needs at least 2 entries; without a rival there is nothing to decide")
        front, behind = _leads(z, argmax(z))
        lead = min(x for x in (front, behind) if x is not None) * unit
        fits = self.errors.decide(self.gamma).margin
        margin = None if fits is None else min(fits, lead - self.gamma)
        tied = self.lowest and front is not None and front * unit == self.gamma
        return Verdict(
            admit=margin is not None and margin >= 0 and not tied,
            margin=margin,
            theorem="Gnosis.conformal_margin_lowest" if self.lowest else "Gnosis.conformal_then_margin_sound",
            assumes=(EXCHANGEABLE, COARSE_EXACT),
        )


@dataclass(frozen=True)
class ConformalJitGate:
    """Serve the coarse winner when its lead survives residuals of the calibrated energy.

    energies: the conformal gate whose scores are the largest residual energies of a row in calibration runs, units u².  lowest: True when
    the token is promised, the argmax with the lowest index on ties (`Gnosis.conformal_jit_lead`); False when any maximiser will do
    (`Gnosis.conformal_then_jit_sound`).
    With probability at most 1 - q the gate admits and the promise fails nevertheless.  Assumes exchangeable runs and an upper bound of
    the activation energy.  Raises RangeError for a negative threshold, which bounds no energy; DtypeError.
    Promises: theorem `Gnosis.conformal_jit_lead`, `Gnosis.conformal_then_jit_sound`.
    """

    energies: ConformalGate
    lowest: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.energies, ConformalGate):
            raise DtypeError("energies", self.energies, "not a ConformalGate")
        if self.energies.threshold is not None and self.energies.threshold < 0:
            raise RangeError("energies", self.energies.threshold, "an energy is not negative")
        _lowest(self.lowest)

    def decide(self, coarse: Vector, activation_energy: Number) -> Verdict:
        """coarse: vector of n ≥ 2 logits; activation_energy: number ≥ 0.

        Verdict.margin: (lead of the winner)² - 4·threshold·A, units u²v², admitted at zero, unless the token is promised and the nearest
        row stands in front of the winner; None without a threshold.  Raises LengthError, NegativeError, NonFiniteError, DtypeError.
        """
        t = self.energies.threshold
        given: Any = coarse
        verdict = JitGate(strict=False).decide(coarse, [0 if t is None else t] * np.size(given), activation_energy)
        return Verdict(
            admit=t is not None and verdict.admit and (not self.lowest or _leads_threshold(coarse, t, activation_energy)),
            margin=None if t is None else verdict.margin,
            theorem="Gnosis.conformal_jit_lead" if self.lowest else "Gnosis.conformal_then_jit_sound",
            assumes=(EXCHANGEABLE, ACTIVATION_BOUND, COARSE_EXACT),
        )

    def decide_many(self, coarse: np.ndarray, activation_energies: Vector | Number) -> np.ndarray:
        """coarse: [n, v] with v ≥ 2; activation_energies: n numbers, or one.  Returns bool[n], the answers of `decide`.

        Raises as `decide`, FloatEnvironmentError.
        """
        t = self.energies.threshold
        width = np.shape(coarse)[1] if np.ndim(coarse) == 2 else 0
        E = [0 if t is None else t] * width
        admit = JitGate(strict=False).decide_many(coarse, E, activation_energies)
        if self.lowest and admit.any():
            given: Any = activation_energies
            one = not isinstance(given, (np.ndarray, Sequence)) or np.ndim(given) == 0
            for i in map(int, np.flatnonzero(admit & ~JitGate(strict=True).decide_many(coarse, E, given))):
                admit[i] = self.decide(coarse[i], given if one else given[i]).admit
        return admit & (t is not None)


def _leads_threshold(coarse: Vector, t: Fraction, activation_energy: Number) -> bool:
    """`conformal_jit_lead_admit` with the threshold t: logits, energies and activation brought to whole numbers on one scale."""
    z, unit = integers(coarse, "coarse")
    A = nonnegative(activation_energy, "activation_energy")
    d = A.denominator
    c = math.lcm(t.denominator, (unit * d).denominator)
    z, w = [x * int(unit * c * d) for x in z], argmax(z)
    return leads_sidecars([int(t * c * c)], int(A * d * d), z[w], w, 0, z)


def serve_calibrated(coarse: Vector, errors: ConformalGate, recompute: Callable[[np.ndarray], Vector]) -> Served:
    """The argmax of the true logits, lowest index on ties, with a calibrated bound on their errors in the place of a certain one.

    coarse: vector of n ≥ 2 logits; errors: the conformal gate whose scores are the largest errors of a logit in calibration runs; recompute: as
    `gnosis.gates.jit.serve` takes it.  Rows that can win under the threshold are recomputed, all of them where there is none.
    Theorem `Gnosis.conformal_served_candidates`: what is served is another token with probability at most 1 - q.  Assumes exchangeable
    runs and exact recomputed logits.  Raises as `serve`.
    Promises: theorem `Gnosis.conformal_served_candidates`.
    """
    if not isinstance(errors, ConformalGate):
        raise DtypeError("errors", errors, "not a ConformalGate")
    t, given = errors.threshold, coarse
    if t is None or t < 0:  # no bound: every row can win
        spread = integers(coarse, "coarse")
        t = (max(spread[0], default=0) - min(spread[0], default=0)) * spread[1]
    found = serve(given, [t] * np.size(np.asarray(given, dtype=object)), recompute)
    return Served(found.index, found.recomputed, "Gnosis.conformal_served_candidates", (EXCHANGEABLE, RECOMPUTED))
