"""The energy gate over many tiles: float arithmetic where it is certain, the exact predicate everywhere else.

The answers are those of the exact predicate 4·E·A ≤ γ² on every tile, not of an approximation to it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ..core.energy import decide_many
from ..gates.energy import SidecarGate
from ..numbers.exact import integers

U = 2.0**-53  # unit roundoff of a double


def relative_error(n: int) -> float:
    """How far a float64 sum of n squares of once-rounded differences can be from the true sum, relatively.

    Every term carries three factors 1 + δ and takes part in at most n − 1 additions, all terms are ≥ 0, so the
    error is below γ_(n+2) = (n+2)u / (1 − (n+2)u), u = 2⁻⁵³ (standard rounding analysis, any order of addition).
    (n + 8)·2u is above that for every n below 2⁵⁰, and also covers the two roundings that apply the factor.
    Promises: tested `tests/test_probe.py::test_decisions_are_those_of_the_exact_predicate`.
    """
    return (n + 8) * 2 * U


def energy(vectors: np.ndarray) -> np.ndarray:
    """Float64 sum of squares over the last axis."""
    return np.einsum("...i,...i->...", vectors, vectors, dtype=np.float64, casting="same_kind")


def exact_energy(values: np.ndarray) -> Fraction:
    """Exact sum of squares of floats.

    Promises: tested `tests/test_probe.py::test_decisions_are_those_of_the_exact_predicate`.
    """
    ints, unit = integers(values, "values")
    return sum(n * n for n in ints) * unit * unit


def exact_residual_energy(weights: np.ndarray, decoded: np.ndarray) -> Fraction:
    """Exact Σ (w − ŵ)² of floats.

    Promises: tested `tests/test_probe.py::test_all_decisions_by_exact_arithmetic_give_the_same_report`.
    """
    ints, unit = integers(np.concatenate([weights.astype(np.float64), decoded.astype(np.float64)]), "weights")
    return sum((w - d) ** 2 for w, d in zip(ints[: len(weights)], ints[len(weights) :], strict=True)) * unit * unit


def admit_exactly(energy_e: Fraction, energy_a: Fraction, gamma: float) -> bool:
    """The exact predicate on exact energies; gamma is taken at its exact value.

    Promises: tested `tests/test_probe.py::test_all_decisions_by_exact_arithmetic_give_the_same_report`.
    """
    return SidecarGate(gamma).decide(energy_e, energy_a).admit


def decide(
    residual: np.ndarray, activation: np.ndarray | float, gamma: float, n: int, exact: Callable[[int], tuple[Fraction, Fraction]]
) -> tuple[np.ndarray, int]:
    """Decision of every tile, bool[t], and how many of them the exact predicate had to take.

    residual, activation: float64[t] energies as `energy` computes them from n numbers; an activation energy given as a
    plain float is exact.  gamma: the threshold, a float taken at its exact value.
    exact: tile number → its exact residual and activation energy.

    The kernel answers for the upper ends of the two energies (an admission then holds for the true ones) and for the
    lower ends (a refusal then holds for the true ones); what neither settles goes to the exact predicate.
    Promises: tested `tests/test_probe.py::test_decisions_are_those_of_the_exact_predicate`.
    """
    wide = relative_error(n)
    residual = np.ascontiguousarray(residual, np.float64)
    up, down = 1 + wide, 1 - wide
    known = isinstance(activation, float)
    other = np.array([activation]) if known else np.ascontiguousarray(activation, np.float64)
    threshold = np.array([gamma])
    above = decide_many(residual * up, other if known else other * up, threshold)
    below = decide_many(residual * down, other if known else other * down, threshold)
    admitted = above == 1
    undecided = np.flatnonzero(~admitted & (below != 0))
    for tile in undecided:
        admitted[tile] = admit_exactly(*exact(int(tile)), gamma)
    return admitted, len(undecided)
