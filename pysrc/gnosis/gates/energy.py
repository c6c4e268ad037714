"""The energy gate: may the product with a coarse row stand in for the exact one?

A residual τ (exact minus coarse weights) moves the product with an activation a by dot τ a.  A gate compares a bound
on that shift with a margin γ and admits only when 2·|dot τ a| ≤ γ is certain.

The functions mirror `Gnosis/Decision/Energy.lean` one for one, on plain integers.  The gates below take any finite
numbers, turn floats into the dyadics that they are, and decide exactly the same predicate
(`Gnosis.energy_scale_invariant`: a common unit changes nothing).

Units: residual u, activation v, γ and the shift u·v, E u², A v², block roots u and v, margins of verdicts as said there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..core import cpu
from ..core import energy as kernel
from ..errors import LengthError
from ..numbers.bounds import Bounds, dots, enclose, energies, nonnegative_enclosures, paired
from ..numbers.exact import Number, Vector, integers, mask, nonnegative, nonnegative_integers, number, same_length
from ..verdict import Verdict

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def dot(τ: Sequence[int], a: Sequence[int]) -> int:
    """`Gnosis.dot`: scalar product; entries without a partner count as zero."""
    return sum(t * x for t, x in zip(τ, a))


def energy(v: Sequence[int]) -> int:
    """`Gnosis.energy`: sum of squares."""
    return dot(v, v)


def energy_admit(τ: Sequence[int], a: Sequence[int], γ: int) -> bool:
    """`Gnosis.energyAdmit`: same length, 0 ≤ γ, 4·energy τ·energy a ≤ γ²."""
    return len(τ) == len(a) and 0 <= γ and 4 * energy(τ) * energy(a) <= γ * γ


def energy_sidecar_admit(E: int, A: int, γ: int) -> bool:
    """`Gnosis.energySidecarAdmit`: none negative, 4·E·A ≤ γ²."""
    return 0 <= E and 0 <= A and 0 <= γ and 4 * E * A <= γ * γ


def energy_sidecar_admit_strict(E: int, A: int, γ: int) -> bool:
    """`Gnosis.energySidecarAdmitStrict`: none negative, 4·E·A < γ²."""
    return 0 <= E and 0 <= A and 0 <= γ and 4 * E * A < γ * γ


def energy_blocked_admit(e: Sequence[int], α: Sequence[int], γ: int) -> bool:
    """`Gnosis.energyBlockedAdmit`: same length, no entry and not γ negative, 2·dot e α ≤ γ."""
    return len(e) == len(α) and all(x >= 0 for x in e) and all(x >= 0 for x in α) and 0 <= γ and 2 * dot(e, α) <= γ


def energy_outside(a: Sequence[int], S: Sequence[bool]) -> int:
    """`Gnosis.energyOutside`: energy of the coordinates whose mask is false or missing."""
    return sum(x * x for i, x in enumerate(a) if not (i < len(S) and S[i]))


def energy_split_admit(E: int, a: Sequence[int], S: Sequence[bool], γ: int) -> bool:
    """`Gnosis.energySplitAdmit`: a mask for each coordinate, and the sidecar gate on the energy of a outside S."""
    return len(a) == len(S) and energy_sidecar_admit(E, energy_outside(a, S), γ)


# ---- the gates, on any exact numbers -------------------------------------------------------------------------------

RESIDUAL_BOUND = "E bounds the energy of the residual from above"
ACTIVATION_BOUND = "A bounds the energy of the activation from above"


def sidecar_integers(E: Fraction, A: Fraction, γ: Fraction) -> tuple[int, int, int]:
    """E, A and γ as integers with the same decision: E times c², A times d², γ times c·d.

    Promises: theorem `Gnosis.energy_units_invariant`.
    """
    d = A.denominator
    c = math.lcm(E.denominator, (γ * d).denominator)
    return int(E * c * c), int(A * d * d), int(γ * c * d)


@dataclass(frozen=True)
class EnergyGate:
    """The gate with the whole residual at hand.

    gamma: margin in units u·v, any finite number ≥ 0, taken at its exact value.
    Theorem `Gnosis.energy_bridge_sound`: an admission means −γ ≤ 2·dot τ a ≤ γ; nothing is assumed.
    Raises NonFiniteError, NegativeError, DtypeError.
    Promises: theorem `Gnosis.energy_bridge_sound`.
    """

    gamma: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, gamma: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, residual: Vector, activation: Vector) -> Verdict:
        """residual, activation: vectors of one length n ≥ 1 (float16/32/64, integers, exact numbers).

        Verdict.margin: γ² − 4·energy τ·energy a, units u²v².
        Raises LengthError, NonFiniteError, DtypeError naming argument and index.
        Promises: tested `floats: EnergyGate`.
        """
        τ, unit_τ = integers(residual, "residual")
        a, unit_a = integers(activation, "activation")
        same_length(τ, "residual", a, "activation", "the residual")
        scaled = self.gamma / (unit_τ * unit_a)
        q = scaled.denominator  # a finer unit of the residual makes γ whole
        unit = unit_τ * unit_a / q
        τ, γ = [t * q for t in τ], scaled.numerator
        return Verdict(admit=energy_admit(τ, a, γ), margin=(γ * γ - 4 * energy(τ) * energy(a)) * unit * unit, theorem="Gnosis.energy_bridge_sound")

    def decide_many(self, residuals: np.ndarray, activation: np.ndarray) -> np.ndarray:
        """residuals: [n, m]; activation: [m] for all rows, or [n, m]; float16/32/64 or integer arrays.  Returns bool[n].

        The answers of `decide`: float64 energies with their error bounds (γ_k analysis, see the source) where those
        are certain, exact integers elsewhere.  Raises as `decide`, FloatEnvironmentError.
        Promises: tested `floats: EnergyGate`, `tests/test_energy.py::test_decide_many_is_decide`.
        """
        cpu.check_environment()
        rows, others = paired(residuals, "residuals", activation, "activation")
        E, A = energies(rows, "residuals"), energies(others, "activation")
        low, high = enclose(self.gamma)
        answers = decide_enclosed(E, A, (np.array(low), np.array(high)), len(rows), strict=False)
        for i in np.flatnonzero(answers < 0):
            answers[i] = self.decide(rows[i], others if others.ndim == 1 else others[i]).admit
        return answers == 1


@dataclass(frozen=True)
class SidecarGate:
    """The gate at serve time: only upper bounds E and A of the two energies are there.

    gamma: margin in units u·v, any finite number ≥ 0.  strict: 4·E·A < γ² instead of ≤.
    Theorems `Gnosis.energy_sidecar_sound` (−γ ≤ 2·dot τ a ≤ γ) and `Gnosis.energy_sidecar_sound_strict` (the same with <).
    Assumes that E ≥ energy τ and A ≥ energy a.
    Promises: theorem `Gnosis.energy_sidecar_sound`, `Gnosis.energy_sidecar_sound_strict`.
    """

    gamma: Fraction
    strict: bool = False

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, gamma: Number, strict: bool = False) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, E: Number, A: Number) -> Verdict:
        """E, A: finite numbers ≥ 0, units u² and v².

        Verdict.margin: γ² − 4·E·A, units u²v²; the strict gate refuses at zero.  Raises NonFiniteError, NegativeError, DtypeError.
        """
        E, A = nonnegative(E, "E"), nonnegative(A, "A")
        admits = energy_sidecar_admit_strict if self.strict else energy_sidecar_admit
        return Verdict(
            admit=admits(*sidecar_integers(E, A, self.gamma)),
            margin=self.gamma**2 - 4 * E * A,
            theorem="Gnosis.energy_sidecar_sound_strict" if self.strict else "Gnosis.energy_sidecar_sound",
            assumes=(RESIDUAL_BOUND, ACTIVATION_BOUND),
        )

    def decide_many(self, E: Vector | Number, A: Vector | Number, gamma: Vector | Number | None = None) -> np.ndarray:
        """E, A, gamma: one-dimensional arrays or sequences of one length n, or single numbers used for all.

        gamma: margins per entry; None: the gate's own.  Returns bool[n], the answers of `decide`: float64 where it is certain, exact
        integers elsewhere.  Raises as `decide`, naming the index; LengthError, FloatEnvironmentError.
        Promises: tested `floats: SidecarGate`, `tests/test_energy.py::test_sidecar_decide_many_is_the_exact_predicate`.
        """
        return sidecar_decide_many(E, A, self.gamma if gamma is None else gamma, strict=self.strict)


@dataclass(frozen=True)
class BlockedGate:
    """The gate by blocks, on bounds of the roots of the blocks' energies.

    gamma: margin in units u·v, any finite number ≥ 0.
    Theorem `Gnosis.energy_blocked_sound`: −γ ≤ 2·dot τ a ≤ γ.
    Assumes energy τ_b ≤ e_b² and energy a_b ≤ α_b² for each block b.
    Promises: theorem `Gnosis.energy_blocked_sound`.
    """

    gamma: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, gamma: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, e: Vector, alpha: Vector) -> Verdict:
        """e, alpha: vectors of one length n ≥ 1, entries ≥ 0, units u and v.  Verdict.margin: γ − 2·dot e α, units u·v.

        Raises LengthError, NegativeError, NonFiniteError, DtypeError naming argument and index.
        """
        ints_e, unit_e = nonnegative_integers(e, "e")
        ints_α, unit_α = nonnegative_integers(alpha, "alpha")
        same_length(ints_e, "e", ints_α, "alpha")
        scaled = self.gamma / (unit_e * unit_α)
        q = scaled.denominator
        ints_e, γ = [x * q for x in ints_e], scaled.numerator
        return Verdict(
            admit=energy_blocked_admit(ints_e, ints_α, γ),
            margin=(γ - 2 * dot(ints_e, ints_α)) * unit_e * unit_α / q,
            theorem="Gnosis.energy_blocked_sound",
            assumes=("e_b squared bounds the energy of each residual block", "alpha_b squared bounds the energy of each activation block"),
        )

    def decide_many(self, e: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        """e: [n, b]; alpha: [b] for all rows, or [n, b].  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        cpu.check_environment()
        rows, others = paired(e, "e", alpha, "alpha")
        low, high = dots(nonnegative_enclosures(rows, "e"), nonnegative_enclosures(others, "alpha"))
        γ_low, γ_high = enclose(self.gamma)
        with np.errstate(over="ignore"):  # a bound past the range is past every margin
            admit, open_ = 2 * high <= γ_low, 2 * low <= γ_high
        for i in np.flatnonzero(~admit & open_):
            admit[i] = self.decide(rows[i], others if others.ndim == 1 else others[i]).admit
        return admit


@dataclass(frozen=True)
class SplitGate:
    """The sidecar gate when the products at some coordinates are computed exactly (outliers).

    gamma: margin in units u·v, any finite number ≥ 0.
    Theorem `Gnosis.energy_split_sound`: −γ ≤ 2·(error outside S) ≤ γ.
    Assumes that E bounds the energy of the residual outside S from above, and that the products in S are exact.
    Promises: theorem `Gnosis.energy_split_sound`.
    """

    gamma: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, gamma: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", nonnegative(self.gamma, "gamma"))

    def decide(self, E: Number, activation: Vector, exact: Sequence[bool]) -> Verdict:
        """E: number ≥ 0, units u²; activation: vector of length n ≥ 1, units v; exact: bool for each coordinate, true where the product is exact.

        Verdict.margin: γ² − 4·E·(energy of the activation outside), units u²v².
        Raises LengthError, NegativeError, NonFiniteError, DtypeError.
        Promises: tested `floats: SplitGate`.
        """
        E = nonnegative(E, "E")
        a, unit, S = _activation_and_mask(activation, exact)
        scaled = self.gamma / unit
        c = math.lcm(E.denominator, scaled.denominator)
        return Verdict(
            admit=energy_split_admit(int(E * c * c), a, S, int(scaled * c)),
            margin=self.gamma**2 - 4 * E * energy_outside(a, S) * unit * unit,
            theorem="Gnosis.energy_split_sound",
            assumes=("E bounds the energy of the residual outside the exact coordinates from above", "the products at the exact coordinates are exact"),
        )

    def decide_many(self, E: Vector, activation: Vector, exact: Sequence[bool]) -> np.ndarray:
        """E: one number for each of n rows; activation and exact as in `decide`.  Returns bool[n], the answers of `decide`.

        Promises: tested `floats: SplitGate`, `tests/test_energy.py::test_blocked_and_split_gates`.
        """
        a, unit, S = _activation_and_mask(activation, exact)
        return sidecar_decide_many(E, energy_outside(a, S) * unit * unit, self.gamma)


# ---- arrays --------------------------------------------------------------------------------------------------------


def sidecar_decide_many(E: Vector | Number, A: Vector | Number, gamma: Vector | Number, strict: bool = False) -> np.ndarray:
    """bool[n]: the exact sidecar decision on every triple, see `SidecarGate.decide_many`.

    Promises: tested `floats: core.energy.decide_many`.
    """
    cpu.check_environment()
    given = {"E": E, "A": A, "gamma": gamma}
    bounds: dict[str, Bounds] = {}
    for name, value in given.items():
        low, high = nonnegative_enclosures(value, name)
        bounds[name] = np.atleast_1d(low), np.atleast_1d(high)
    for name, (low, _) in bounds.items():
        if low.ndim != 1:
            raise LengthError(name, low.shape, "must have one dimension")
    n = next((len(low) for low, _ in bounds.values() if len(low) != 1), 1)
    for name, (low, _) in bounds.items():
        if len(low) not in (1, n):
            raise LengthError(name, len(low), f"the length must be 1 or {n}")
    answers = decide_enclosed(bounds["E"], bounds["A"], bounds["gamma"], n, strict)
    if (answers < 0).any():
        admits = energy_sidecar_admit_strict if strict else energy_sidecar_admit
        for i in np.flatnonzero(answers < 0):
            answers[i] = admits(*sidecar_integers(*(_entry(value, name, int(i)) for name, value in given.items())))
    return answers == 1


def _entry(value: Vector | Number, name: str, i: int) -> Fraction:
    """Entry i of an array or sequence, or the number itself when there is only one."""
    if isinstance(value, np.ndarray):
        flat = value.ravel()
        return number(flat[i if flat.size > 1 else 0], name, i)
    if isinstance(value, Sequence):
        return number(value[i if len(value) > 1 else 0], name, i)
    return number(value, name)


def decide_enclosed(E: Bounds, A: Bounds, γ: Bounds, n: int, strict: bool) -> np.ndarray:
    """Three-valued answers int8[n] (1, 0, −1 undecided) from bounds of non-negative values; each of shape (), (1,) or (n,).

    An admission is made for the largest E and A and the smallest γ, a refusal for the opposite corner.  The kernel's answers hold
    for exactly the float64 numbers that it is given, so they hold for the values enclosed.
    Promises: tested `floats: SidecarGate`.
    """

    def ask(e: np.ndarray, a: np.ndarray, g: np.ndarray) -> np.ndarray:
        sides = [np.atleast_1d(side) for side in (e, a, g)]
        finite = np.isfinite(sides[0]) & np.isfinite(sides[1]) & np.isfinite(sides[2])
        if not finite.all():  # an end past the range of float64 leaves its entry undecided
            sides = [np.where(np.isfinite(side), side, 0.0) for side in sides]
        answers = kernel.decide_many(*sides, strict=strict)
        return np.broadcast_to(np.where(finite, answers, -1).astype(np.int8), n)

    if all(low is high for low, high in (E, A, γ)):
        return ask(E[0], A[0], γ[0]).copy()
    admit = ask(E[1], A[1], γ[0]) == 1
    refuse = ask(E[0], A[0], γ[1]) == 0
    return np.where(admit, 1, np.where(refuse, 0, -1)).astype(np.int8)


def _activation_and_mask(activation: Vector, exact: Sequence[bool]) -> tuple[list[int], Fraction, list[bool]]:
    a, unit = integers(activation, "activation")
    S = mask(exact, "exact")
    same_length(a, "activation", S, "exact", "the activation")
    return a, unit, S
