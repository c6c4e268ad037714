"""Serving from coarse rows: when the coarse winner is the true one, and what to recompute when it may not be.

The functions mirror `Gnosis/Decision/Jit.lean` one for one, on plain integers.  The gate takes any finite numbers, turns
floats into the dyadics that they are, and decides exactly the same predicates.  The margin is always measured on the
coarse logits, the only ones that exist before a recomputation.

Units: weights u, activations v; logits, bounds and margins γ u·v, row energies E u², the activation energy A v².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..core import cpu
from ..core import margin as kernel
from ..errors import LengthError, NegativeError
from ..numbers import outward
from ..numbers.bounds import Bounds, above, batch, below, enclose, enclosures, nonnegative_enclosures
from ..numbers.exact import Number, Vector, integers, nonnegative, nonnegative_integers
from ..verdict import Verdict
from .energy import ACTIVATION_BOUND, decide_enclosed, energy_sidecar_admit, energy_sidecar_admit_strict
from .margin import argmax, can_win, candidates, entry, leads, row_admit

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def jit_admit(z: Sequence[int], w: int, E: Sequence[int], A: int, γ: int) -> bool:
    """`Gnosis.jitAdmit`: w leads every other coarse logit by γ or more, and the sidecar gate admits every row at γ."""
    return len(z) == len(E) and w < len(z) and leads(entry(z, w), γ, γ, w, z) and all(energy_sidecar_admit(e, A, γ) for e in E)


def jit_admit_strict(z: Sequence[int], w: int, E: Sequence[int], A: int, γ: int) -> bool:
    """`Gnosis.jitAdmitStrict`: the same with the strict sidecar gate."""
    return len(z) == len(E) and w < len(z) and leads(entry(z, w), γ, γ, w, z) and all(energy_sidecar_admit_strict(e, A, γ) for e in E)


def jit_admit_lowest(z: Sequence[int], w: int, E: Sequence[int], A: int, γ: int) -> bool:
    """`Gnosis.jitAdmitLowest`: w leads the coarse logits in front of it by more than γ, those behind it by γ or more; the sidecar gate admits every row at γ."""
    return len(z) == len(E) and w < len(z) and leads(entry(z, w), γ + 1, γ, w, z) and all(energy_sidecar_admit(e, A, γ) for e in E)


def leads_sidecars(E: Sequence[int], A: int, x: int, w: int, i: int, z: Sequence[int]) -> bool:
    """`Gnosis.leadsSidecars`: at the lead of x over each entry but w the sidecar gate admits every energy, the strict one in front of w; z starts at index i."""
    return all(all((energy_sidecar_admit_strict if j < w else energy_sidecar_admit)(e, A, x - y) for e in E) for j, y in enumerate(z, i) if j != w)


def jit_lead_admit(z: Sequence[int], w: int, E: Sequence[int], A: int) -> bool:
    """`Gnosis.jitLeadAdmit`: every other coarse logit is led far enough for the energies; no margin is chosen."""
    return len(z) == len(E) and w < len(z) and leads_sidecars(E, A, entry(z, w), w, 0, z)


def errors_within(A: int, E: Sequence[int], ε: Sequence[int]) -> bool:
    """`Gnosis.errorsWithin`: a bound for each sidecar, E_i·A ≤ ε_i² (the sidecar gate at 2·ε_i)."""
    return len(E) == len(ε) and all(energy_sidecar_admit(e, A, 2 * b) for e, b in zip(E, ε))


def jit_row_admit(z: Sequence[int], w: int, ε: Sequence[int], E: Sequence[int], A: int) -> bool:
    """`Gnosis.jitRowAdmit`: the bounds follow from the sidecars, and the row-wise gate admits w."""
    return errors_within(A, E, ε) and row_admit(z, ε, w)


def argmax_among(z: Sequence[int], best: int, others: Sequence[int]) -> int:
    """`Gnosis.argmaxAmong`: index of the largest entry among best and the others; the first one on ties."""
    for j in others:
        if entry(z, best) < entry(z, j):
            best = j
    return best


def served_argmax(coarse: Sequence[int], exact: Sequence[int], ε: Sequence[int]) -> int:
    """`Gnosis.servedArgmax`: recompute the candidates, return the argmax among them, lowest index on ties; 0 without any."""
    chosen = candidates(coarse, ε)
    return argmax_among(exact, chosen[0], chosen[1:]) if chosen else 0


# ---- the gate, on any exact numbers --------------------------------------------------------------------------------

ROW_BOUNDS = "each E bounds the energy of the residual of its row from above"
COARSE_EXACT = "the coarse logits are the exact products of decoded rows and activation"
WHOLE_ROW = "every true logit lies within its bound of the coarse one"
RECOMPUTED = "the recomputed logits are exact"


@dataclass(frozen=True)
class JitGate:
    """Is the winner of the coarse logits the winner of the true ones?

    strict: the only maximiser (`Gnosis.jit_dequant_sound_strict`) instead of a maximiser (`Gnosis.jit_dequant_sound`).
    Assumes that the sidecars bound the energies, and that the coarse logits carry no rounding error of their own.
    Promises: theorem `Gnosis.jit_dequant_sound_strict`, `Gnosis.jit_dequant_sound`.
    """

    strict: bool = True

    def decide(self, coarse: Vector, energies: Vector, activation_energy: Number) -> Verdict:
        """coarse: vector of n ≥ 2 logits; energies: n numbers ≥ 0; activation_energy: number ≥ 0.

        The winner is the argmax of the coarse logits and γ its lead over the best other one.
        Verdict.margin: γ² − 4·max E·A, units u²v²; the strict gate refuses at zero.
        Raises LengthError, NegativeError, NonFiniteError, DtypeError naming argument and index.
        """
        z, unit = integers(coarse, "coarse")
        E = _energies(energies)
        A = nonnegative(activation_energy, "activation_energy")
        if len(z) < 2:
            raise LengthError("coarse", len(z), "needs at least 2 entries; without a rival there is nothing to decide")
        if len(E) != len(z):
            raise LengthError("energies", len(E), f"there are {len(z)} coarse logits")
        w = argmax(z)
        lead = z[w] - max(x for j, x in enumerate(z) if j != w)
        # E times c², A times d², logits and γ times c·d: integers, and the same decision
        d = A.denominator
        c = math.lcm(*(e.denominator for e in E), (unit * d).denominator)
        per = int(unit * c * d)
        admits = jit_admit_strict if self.strict else jit_admit
        return Verdict(
            admit=admits([x * per for x in z], w, [int(e * c * c) for e in E], int(A * d * d), lead * per),
            margin=(lead * unit) ** 2 - 4 * max(E) * A,
            theorem="Gnosis.jit_dequant_sound_strict" if self.strict else "Gnosis.jit_dequant_sound",
            assumes=(ROW_BOUNDS, ACTIVATION_BOUND, COARSE_EXACT),
        )

    def decide_many(self, coarse: np.ndarray, energies: Vector, activation_energies: Vector | Number) -> np.ndarray:
        """coarse: [n, v] with v ≥ 2, one row of logits for each activation; energies: v numbers; activation_energies: n numbers, or one.

        Returns bool[n], the answers of `decide`; raises as it does, and FloatEnvironmentError.
        """
        cpu.check_environment()
        rows = batch(coarse, "coarse", 2)
        if rows.shape[1] < 2:
            raise LengthError("coarse", rows.shape, "needs at least 2 entries in a row; without a rival there is nothing to decide")
        E = _energies(energies)
        if len(E) != rows.shape[1]:
            raise LengthError("energies", len(E), f"there are {rows.shape[1]} coarse logits in a row")
        given: Any = activation_energies
        single = not isinstance(given, (np.ndarray, Sequence)) or np.ndim(given) == 0
        A = enclosures(activation_energies, "activation_energies")
        if not single and A[0].shape != (len(rows),):
            raise LengthError("activation_energies", A[0].shape, f"there are {len(rows)} rows of logits")
        if (A[0] < 0).any():
            i = int(np.argmax(A[0] < 0))
            raise NegativeError("activation_energies", float(A[0].flat[i]), None if single else i)
        low, high = enclosures(rows, "coarse")
        lead_low, lead_high = lead_bounds(low, high)
        E_low, E_high = enclose(max(E))
        answers = decide_enclosed((np.array(E_low), np.array(E_high)), A, (lead_low, lead_high), len(rows), self.strict)
        for k in map(int, np.flatnonzero(answers < 0)):
            answers[k] = self.decide(rows[k], E, given if single else given[k]).admit
        return answers == 1


def lead_bounds(low: np.ndarray, high: np.ndarray) -> Bounds:
    """Bounds of how far the best score of each row is ahead of the second best, from bounds of the scores, [n, v] each.

    Rounded outward here, so that they are bounds whatever becomes of them.  The comparison that follows is made with a
    factor 1 + 2^-50 to spare (energy.c), which would cover the one rounding of a lower bound as well.
    Promises: tested `tests/test_jit.py::test_leads_are_rounded_outward`.
    """
    # the best and the second best score lie between those of the bounds
    with np.errstate(over="ignore"):
        least, most = (np.partition(side, -2, axis=1)[:, -2:] for side in (low, high))
        return np.maximum(below(least[:, 1] - most[:, 0]), 0.0), above(most[:, 1] - least[:, 0])


@dataclass(frozen=True)
class Served:
    """What `serve` found.

    index: the argmax of the true logits, lowest index on ties.  recomputed: int64[c], the rows that were recomputed, ascending.
    theorem: `Gnosis.miss_never_lies`.  assumes: what it takes from the user.
    Promises: theorem `Gnosis.miss_never_lies`.
    """

    index: int
    recomputed: np.ndarray
    theorem: str = "Gnosis.miss_never_lies"
    assumes: tuple[str, ...] = (WHOLE_ROW, RECOMPUTED)


def serve(coarse: Vector, bounds: Vector, recompute: Callable[[np.ndarray], Vector]) -> Served:
    """The true argmax, recomputing only the rows that can win.

    coarse: vector of n ≥ 2 logits; bounds: n numbers ≥ 0; recompute: ascending row indices int64[c] → their c exact logits.
    Exact.  The compiled kernel looks for the candidates where float64 holds all logits and bounds, integers elsewhere.
    Raises LengthError, NegativeError, NonFiniteError, DtypeError, FloatEnvironmentError.
    Promises: theorem `Gnosis.miss_never_lies`.
    """
    z, ε = enclosures(coarse, "coarse"), nonnegative_enclosures(bounds, "bounds")
    for name, (low, _) in (("coarse", z), ("bounds", ε)):
        if low.ndim != 1:
            raise LengthError(name, low.shape, "must have one dimension")
    if len(z[0]) < 2:
        raise LengthError("coarse", len(z[0]), "needs at least 2 entries; without a rival there is nothing to decide")
    if len(ε[0]) != len(z[0]):
        raise LengthError("bounds", len(ε[0]), f"there are {len(z[0])} coarse logits")
    chosen = can_win(z, ε, lambda: (integers(coarse, "coarse"), integers(bounds, "bounds")))
    answer = recompute(chosen)
    low, high = enclosures(answer, "recompute")
    if low.shape != chosen.shape:
        raise LengthError("recompute", low.shape[0] if low.ndim == 1 else low.shape, f"{len(chosen)} logits were asked for")
    best = kernel.argmax(low) if low is high else argmax(integers(answer, "recompute")[0])
    return Served(index=int(chosen[best]), recomputed=chosen)


def row_bounds(energies: Vector, activation_energy: Number) -> list[Fraction]:
    """Bounds ε_i on the errors of the logits: E_i·A ≤ ε_i², with ε_i less than a factor 1 + 2^-64 above the root.

    energies: n numbers ≥ 0, units u²; activation_energy: number ≥ 0, units v².  Returns n Fractions, units u·v.
    With true sidecars every true logit lies within its bound (`Gnosis.jit_within`).
    Raises NegativeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.jit_within`.
    """
    A = nonnegative(activation_energy, "activation_energy")
    return [outward.sqrt(e * A).high for e in _energies(energies)]


def _energies(energies: Vector) -> list[Fraction]:
    ints, unit = nonnegative_integers(energies, "energies")
    return [e * unit for e in ints]
