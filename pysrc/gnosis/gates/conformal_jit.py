"""Calibrate, then serve: coarse rows admitted without any sidecar of the tile at hand.

What is known instead are scores of calibration runs (`gnosis.gates.conformal`): the largest error of a logit
(`ConformalMarginGate`), or the largest residual energy of a row (`ConformalJitGate`).  The conformal threshold takes the place
of the bound.  The functions mirror `Gnosis/Decision/ConformalJit.lean` one for one, on plain integers.

Units: weights u, activations v; logits, errors and margins u·v, row energies u², the activation energy v².
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DtypeError, LengthError, RangeError
from ..numbers.exact import Number, Vector, integers, nonnegative
from ..verdict import Verdict
from .conformal import EXCHANGEABLE, ConformalGate, conformal_admit, conformal_threshold
from .energy import ACTIVATION_BOUND
from .jit import COARSE_EXACT, JitGate, jit_admit
from .margin import argmax, entry, leads

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def conformal_margin_admit(scores: Sequence[int], num: int, den: int, γ: int, z: Sequence[int], w: int) -> bool:
    """`Gnosis.conformalMarginAdmit`: the conformal gate admits γ, and w leads every other coarse logit by γ or more."""
    return conformal_admit(scores, num, den, γ) and w < len(z) and leads(entry(z, w), γ, γ, w, z)


def conformal_jit_admit(scores: Sequence[int], num: int, den: int, z: Sequence[int], w: int, A: int, γ: int) -> bool:
    """`Gnosis.conformalJitAdmit`: `jit_admit` with the conformal threshold as the energy of every row."""
    t = conformal_threshold(scores, num, den)
    return t is not None and jit_admit(z, w, [t] * len(z), A, γ)


# ---- the gates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ConformalMarginGate:
    """Serve the coarse winner when it leads by a margin that the calibrated errors fit into.

    errors: the conformal gate whose scores are the largest errors of a logit in calibration runs.  gamma: the margin, fixed
    before serving, units u·v.
    Theorem `Gnosis.conformal_then_margin_sound`: with probability at most 1 - q the gate admits and the winner is no
    maximiser of the true logits.  Assumes exchangeable runs.  Raises NegativeError, NonFiniteError, DtypeError.
    """

    errors: ConformalGate
    gamma: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it
        def __init__(self, errors: ConformalGate, gamma: Number) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.errors, ConformalGate):
            raise DtypeError("errors", self.errors, "not a ConformalGate")
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, coarse: Vector) -> Verdict:
        """coarse: vector of n ≥ 2 logits; the winner is their argmax, lowest index on ties.

        Verdict.margin: the smaller of γ - 2·threshold and (lead of the winner) - γ, units u·v, admitted at zero; None without a threshold.
        Raises LengthError, NonFiniteError, DtypeError.
        """
        z, unit = integers(coarse, "coarse")
        if len(z) < 2:
            raise LengthError("coarse", len(z), "needs at least 2 entries; without a rival there is nothing to decide")
        w = argmax(z)
        lead = (z[w] - max(x for j, x in enumerate(z) if j != w)) * unit
        fits = self.errors.decide(self.gamma).margin
        margin = None if fits is None else min(fits, lead - self.gamma)
        return Verdict(admit=margin is not None and margin >= 0, margin=margin, theorem="Gnosis.conformal_then_margin_sound",
                       assumes=(EXCHANGEABLE, COARSE_EXACT))


@dataclass(frozen=True)
class ConformalJitGate:
    """Serve the coarse winner when its lead survives residuals of the calibrated energy.

    energies: the conformal gate whose scores are the largest residual energies of a row in calibration runs, units u².
    Theorem `Gnosis.conformal_then_jit_sound`: with probability at most 1 - q the gate admits and the winner is no maximiser of the
    true logits.  Assumes exchangeable runs and an upper bound of the activation energy.
    Raises RangeError for a negative threshold, which bounds no energy; DtypeError.
    """

    energies: ConformalGate

    def __post_init__(self) -> None:
        if not isinstance(self.energies, ConformalGate):
            raise DtypeError("energies", self.energies, "not a ConformalGate")
        if self.energies.threshold is not None and self.energies.threshold < 0:
            raise RangeError("energies", self.energies.threshold, "an energy is not negative")

    def decide(self, coarse: Vector, activation_energy: Number) -> Verdict:
        """coarse: vector of n ≥ 2 logits; activation_energy: number ≥ 0.

        Verdict.margin: (lead of the winner)² - 4·threshold·A, units u²v², admitted at zero; None without a threshold.
        Raises LengthError, NegativeError, NonFiniteError, DtypeError.
        """
        t = self.energies.threshold
        given: Any = coarse
        verdict = JitGate(strict=False).decide(coarse, [0 if t is None else t] * np.size(given), activation_energy)
        return Verdict(admit=t is not None and verdict.admit, margin=None if t is None else verdict.margin, theorem="Gnosis.conformal_then_jit_sound",
                       assumes=(EXCHANGEABLE, ACTIVATION_BOUND, COARSE_EXACT))

    def decide_many(self, coarse: np.ndarray, activation_energies: Vector | Number) -> np.ndarray:
        """coarse: [n, v] with v ≥ 2; activation_energies: n numbers, or one.  Returns bool[n], the answers of `decide`.

        Raises as `decide`, FloatEnvironmentError.
        """
        t = self.energies.threshold
        width = np.shape(coarse)[1] if np.ndim(coarse) == 2 else 0
        admit = JitGate(strict=False).decide_many(coarse, [0 if t is None else t] * width, activation_energies)
        return admit & (t is not None)
