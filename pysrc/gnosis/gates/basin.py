"""The basin gate: does a path whose steps are partly coarse end in the same basin as the exact one?

A sampler follows a path step by step.  Each coarse (masked) step displaces it.  While the displacement stays below R, the
distance of the exact path from the separatrix, the path stays on the same side.

Three forms.  `BasinGate`: scalar displacements that simply add up, Σ|δ_t| < R.  `BasinVectorGate`: vectors, from bounds d_t on
their lengths, Σ d_t < R.  `BasinFlowGate`: a sampler x' = f_t(x), whose steps stretch earlier displacements; with Lipschitz
factors L_t of f_t the gate is Σ_t (∏_{s>t} L_s)·d_t < R.  Without the factors the gate is wrong for a flow
(`Gnosis.Falsifiers.basin_without_lipschitz`), and without what numbers of finite precision round it is wrong for a sampler that
contracts (`Gnosis.Falsifiers.rounding_left_out`): every step, exact ones too, adds its rounding bound r_t once the path has been
displaced.  Controllers recompute exactly every step that would break the budget.

The functions mirror `Gnosis/Decision/Basin.lean` one for one, on plain integers.  The gates take any finite numbers at their
exact values.  At the threshold itself every gate refuses.

Units: displacements, bounds and radius u; Lipschitz factors none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import cpu
from ..errors import DtypeError, EmptyError, LengthError, NegativeError, RangeError
from ..numbers import outward
from ..numbers.bounds import Bounds, above, batch, below, enclose, enclosures, nonnegative_enclosures, paired
from ..numbers.exact import Number, Vector, integers, nonnegative, nonnegative_integers, number, together
from ..verdict import Verdict
from .energy import energy

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def sum_abs(δ: Sequence[int]) -> int:
    """`Gnosis.sumAbs`: the sum of the absolute values."""
    return sum(abs(x) for x in δ)


def basin_admit(δ: Sequence[int], R: int) -> bool:
    """`Gnosis.basinAdmit`: Σ|δ_t| < R."""
    return sum_abs(δ) < R


def basin_vector_admit(d: Sequence[int], R: int) -> bool:
    """`Gnosis.basinVectorAdmit`: no bound negative, Σ d_t < R."""
    return all(x >= 0 for x in d) and sum(d) < R


def basin_control(R: int, spent: int, ds: Sequence[int]) -> list[bool]:
    """`Gnosis.basinControl`: which steps are masked, when `spent` is already used up."""
    masks = []
    for d in ds:
        masked = 0 <= d and spent + d < R
        masks.append(masked)
        spent += d if masked else 0
    return masks


def flow_admit_from(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], ds: Sequence[int]) -> bool:
    """`Gnosis.flowAdmitFrom`: the flow gate from the bound N/D on, with Lipschitz factors p/q."""
    if not len(ps) == len(qs) == len(ds):
        return False
    for p, q, d in zip(ps, qs, ds):
        if not (0 <= p and 0 < q and 0 <= d):
            return False
        N, D = p * N + d * q * D, q * D
    return N < R * D


def basin_flow_admit(ps: Sequence[int], qs: Sequence[int], ds: Sequence[int], R: int) -> bool:
    """`Gnosis.basinFlowAdmit`: Σ_t (∏_{s>t} p_s/q_s)·d_t < R."""
    return flow_admit_from(R, 0, 1, ps, qs, ds)


def flow_path_admit_from(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], ds: Sequence[int]) -> bool:
    """`Gnosis.flowPathAdmitFrom`: the same with N/D < R at every step."""
    if not len(ps) == len(qs) == len(ds):
        return False
    for p, q, d in zip(ps, qs, ds):
        if not (N < R * D and 0 <= p and 0 < q and 0 <= d):
            return False
        N, D = p * N + d * q * D, q * D
    return N < R * D


def basin_flow_path_admit(ps: Sequence[int], qs: Sequence[int], ds: Sequence[int], R: int) -> bool:
    """`Gnosis.basinFlowPathAdmit`: every beginning of the path passes the flow gate."""
    return flow_path_admit_from(R, 0, 1, ps, qs, ds)


def flow_survives(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int]) -> bool:
    """`Gnosis.flowSurvives`: with exact steps only, the bound N/D stays below R at every step."""
    if len(ps) != len(qs):
        return False
    for p, q in zip(ps, qs):
        if not (N < R * D and 0 <= p and 0 < q):
            return False
        N, D = p * N, q * D
    return N < R * D


def flow_control(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], ds: Sequence[int]) -> list[bool]:
    """`Gnosis.flowControl`: which steps are masked, from the bound N/D on; as many as the shortest list has."""
    masks = []
    for t, (p, q, d) in enumerate(zip(ps, qs, ds)):
        after = p * N + d * q * D, q * D
        masked = 0 <= d and flow_survives(R, *after, ps[t + 1 :], qs[t + 1 :])
        masks.append(masked)
        N, D = after if masked else (p * N, q * D)
    return masks


def basin_flow_control(ps: Sequence[int], qs: Sequence[int], ds: Sequence[int], R: int) -> list[bool]:
    """`Gnosis.basinFlowControl`: the controller from the start of the path."""
    return flow_control(R, 0, 1, ps, qs, ds)


def rounded_step(N: int, D: int, p: int, q: int, r: int, d: int) -> int:
    """`Gnosis.roundedStep`: the bound N/D after a step, over q·D; a displacement of 0 is neither magnified nor rounded."""
    return d * q * D if N == 0 else p * N + (r + d) * q * D


def rounded_path_admit_from(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], rs: Sequence[int], ds: Sequence[int]) -> bool:
    """`Gnosis.roundedPathAdmitFrom`: from N/D on the bound stays below R at every step, with rounding bounds r and displacements d."""
    if not len(ps) == len(qs) == len(rs) == len(ds):
        return False
    for p, q, r, d in zip(ps, qs, rs, ds):
        if not (N < R * D and 0 <= p and 0 < q and 0 <= r and 0 <= d):
            return False
        N, D = rounded_step(N, D, p, q, r, d), q * D
    return N < R * D


def basin_flow_rounded_admit(ps: Sequence[int], qs: Sequence[int], rs: Sequence[int], ds: Sequence[int], R: int) -> bool:
    """`Gnosis.basinFlowRoundedAdmit`: every beginning of the path passes, each step with its rounding bound."""
    return rounded_path_admit_from(R, 0, 1, ps, qs, rs, ds)


def rounded_survives(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], rs: Sequence[int]) -> bool:
    """`Gnosis.roundedSurvives`: with exact steps only, which still round, the bound N/D stays below R at every step."""
    return rounded_path_admit_from(R, N, D, ps, qs, rs, [0] * len(ps))


def rounded_control(R: int, N: int, D: int, ps: Sequence[int], qs: Sequence[int], rs: Sequence[int], ds: Sequence[int]) -> list[bool]:
    """`Gnosis.roundedControl`: which steps are masked, from the bound N/D on; as many as the shortest list has."""
    masks = []
    for t, (p, q, r, d) in enumerate(zip(ps, qs, rs, ds)):
        after = rounded_step(N, D, p, q, r, d)
        masked = 0 <= d and rounded_survives(R, after, q * D, ps[t + 1 :], qs[t + 1 :], rs[t + 1 :])
        masks.append(masked)
        N, D = after if masked else rounded_step(N, D, p, q, r, 0), q * D
    return masks


def basin_flow_rounded_control(ps: Sequence[int], qs: Sequence[int], rs: Sequence[int], ds: Sequence[int], R: int) -> list[bool]:
    """`Gnosis.basinFlowRoundedControl`: the controller of a rounded flow from the start of the path."""
    return rounded_control(R, 0, 1, ps, qs, rs, ds)


# ---- the gates, on any exact numbers ---------------------------------------------------------------------------------

DISTANCE = "the exact path is at distance R or more from the separatrix"
ADDED = "the displacements of the steps add up"
LENGTHS = "each bound is at least the length of the displacement of its step"
LIPSCHITZ = "each step of the sampler is Lipschitz with its factor"
UNROUNDED = "a step with a factor below 1 and no rounding is a map of real numbers; the theorem is about maps of integers, of which only constants do that"
LIPSCHITZ_NEAR = "each step of the sampler is Lipschitz with its factor up to its rounding bound, closer than R to the exact path"


@dataclass(frozen=True)
class BasinGate:
    """Do scalar displacements that add up stay within the radius?

    radius: R > 0, units u.
    Theorem `Gnosis.basin_sound`, and `Gnosis.basin_prefix_sound` for every beginning of the path.  Assumes that displacements add up
    and that R is at most the distance to the separatrix.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.basin_sound`, `Gnosis.basin_prefix_sound`.
    """

    radius: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, radius: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _radius(self.radius))

    def decide(self, displacements: Vector) -> Verdict:
        """displacements: vector of T ≥ 1 numbers, units u.

        Verdict.margin: R - Σ|δ_t|, units u, refused at zero.  Raises EmptyError, LengthError, NonFiniteError, DtypeError naming the step.
        """
        (δ, (R,)), unit = _with_radius(displacements, "displacements", self.radius)
        return Verdict(admit=basin_admit(δ, R), margin=(R - sum_abs(δ)) * unit, theorem="Gnosis.basin_sound", assumes=(ADDED, DISTANCE))

    def stream(self, displacements: Vector) -> np.ndarray:
        """bool[T]: whether the path is still admitted after each step, the answers of `decide` on every beginning.

        Float64 sums rounded down and up decide where they can; if they leave a step open, exact sums of integers decide all.
        Raises as `decide`; FloatEnvironmentError.
        Promises: tested `floats: BasinGate.stream`.
        """
        cpu.check_environment()
        low, high = _magnitudes(displacements, "displacements", 1)
        admit, open_ = _below_radius(low[None], high[None], self.radius)
        if open_.any():
            (δ, (R,)), _ = _with_radius(displacements, "displacements", self.radius)
            return np.array([total < R for total in accumulate(abs(x) for x in δ)], dtype=bool)
        return admit[0]

    def decide_many(self, displacements: np.ndarray) -> np.ndarray:
        """displacements: [n, T] with T ≥ 1.  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        cpu.check_environment()
        rows = batch(displacements, "displacements", 2)
        low, high = _magnitudes(rows, "displacements", 2)
        return _ends(low, high, self.radius, lambda i: self.decide(rows[i]).admit)


@dataclass(frozen=True)
class BasinVectorGate:
    """Do vector displacements that add up stay within the radius, given bounds on their lengths?

    radius: R > 0, units u.
    Theorem `Gnosis.basin_vector_sound`, and `Gnosis.basin_vector_prefix_sound` for every beginning.  Assumes that displacements add up, that
    each bound is at least the length of its displacement (`lengths` computes such bounds), and that R is at most the
    distance to the separatrix.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.basin_vector_sound`, `Gnosis.basin_vector_prefix_sound`.
    """

    radius: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, radius: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _radius(self.radius))

    def decide(self, bounds: Vector) -> Verdict:
        """bounds: vector of T ≥ 1 numbers ≥ 0, units u.

        Verdict.margin: R - Σ d_t, units u, refused at zero.  Raises EmptyError, LengthError, NegativeError, NonFiniteError, DtypeError naming the step.
        """
        (d, (R,)), unit = _with_radius(bounds, "bounds", self.radius)
        _none_negative(d, "bounds", unit)
        return Verdict(admit=basin_vector_admit(d, R), margin=(R - sum(d)) * unit, theorem="Gnosis.basin_vector_sound", assumes=(ADDED, LENGTHS, DISTANCE))

    def decide_many(self, bounds: np.ndarray) -> np.ndarray:
        """bounds: [n, T] with T ≥ 1, entries ≥ 0.  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        cpu.check_environment()
        rows = batch(bounds, "bounds", 2)
        low, high = _nonnegative_bounds(rows, "bounds", 2)
        return _ends(low, high, self.radius, lambda i: self.decide(rows[i]).admit)

    def control(self, bounds: Vector) -> np.ndarray:
        """bool[T]: which steps the controller masks; the others must be recomputed exactly.  Exact.

        The displacement then stays below R after every step, whatever the bounds (`Gnosis.basin_controller_sound`); nothing is
        recomputed if all bounds together are admitted.  For steps as they come in see `BasinController`.
        Raises as `decide`; no steps give no answers.
        Promises: theorem `Gnosis.basin_controller_sound`, `Gnosis.basin_controller_keeps`.
        """
        (d, (R,)), unit = _with_radius(bounds, "bounds", self.radius, empty=True)
        _none_negative(d, "bounds", unit)
        return np.array(basin_control(R, 0, d), dtype=bool)


class BasinController:
    """The controller for displacements that add up, step by step.

    radius: R > 0, units u.  spent: what the masked steps so far may have displaced the path by, exact.
    Theorem `Gnosis.basin_controller_sound`: the displacement stays below R after every step, if every step that is not masked
    is recomputed exactly.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.basin_controller_sound`.
    """

    def __init__(self, radius: Number) -> None:
        self.radius = _radius(radius)
        self.spent = Fraction(0)

    def step(self, bound: Number) -> Verdict:
        """bound: on the length of the displacement that masking the step causes, number ≥ 0.  Admitted: the step may be masked.

        Verdict.margin: R - spent - bound, units u, refused at zero.  Raises NegativeError, NonFiniteError, DtypeError.
        """
        margin = self.radius - self.spent - nonnegative(bound, "bound")
        if margin > 0:
            self.spent = self.radius - margin
        return Verdict(admit=margin > 0, margin=margin, theorem="Gnosis.basin_controller_sound", assumes=(ADDED, LENGTHS, DISTANCE))


@dataclass(frozen=True)
class BasinFlowGate:
    """Does a sampler with partly coarse steps end within the radius of the exact path, given Lipschitz factors?

    radius: R > 0, units u.  path: True for every beginning of the path (`Gnosis.basin_flow_rounded_path_sound`; the factors need to hold
    only closer than R to the exact path, up to a rounding bound of each step), False to ask only for the end
    (`Gnosis.basin_flow_sound`; the factors must hold everywhere, and without rounding).
    Assumes the factors, bounds on the displacements, and that R is at most the distance to the separatrix.
    Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.basin_flow_rounded_path_sound`, `Gnosis.basin_flow_sound`.
    """

    radius: Fraction
    path: bool = True

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, radius: Number, path: bool = True) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _radius(self.radius))
        if not isinstance(self.path, bool):
            raise DtypeError("path", self.path, "must be a truth value")

    def decide(self, factors: Vector, bounds: Vector, rounding: Vector | Number) -> Verdict:
        """factors: vector of T ≥ 1 Lipschitz factors ≥ 0; bounds: T numbers ≥ 0, units u; rounding: T numbers ≥ 0 or one for all, units u.

        rounding bounds by how much a step's arithmetic takes two images further apart than its factor says, a masked step or not.  The theorems
        are about maps of integers: with 0 and a factor below 1 they hold of constant maps only (`Gnosis.contraction_of_integers_constant`), so
        no theorem covers such a step of a sampler, and Verdict.assumes says so.  With `path` False it must be 0.
        Verdict.margin: R less the bound at the end of the path, or with `path` the largest bound after any step; units u, refused at zero.
        Raises EmptyError, LengthError, NegativeError, NonFiniteError, DtypeError naming argument and step, RangeError.
        Promises: theorem `Gnosis.basin_flow_rounded_path_sound`, `Gnosis.basin_flow_sound`.
        """
        L, d, r = self._flow(factors, bounds, rounding)
        unit = Fraction(1, math.lcm(*(x.denominator for x in (*d, *r, self.radius))))
        ps, qs = [x.numerator for x in L], [x.denominator for x in L]
        ds, rs, R = [int(x / unit) for x in d], [int(x / unit) for x in r], int(self.radius / unit)
        reached = list(accumulate(zip(L, d, r), lambda x, step: step[0] * x + step[1] + (step[2] if x else 0), initial=Fraction(0)))
        return Verdict(
            admit=basin_flow_rounded_admit(ps, qs, rs, ds, R) if self.path else basin_flow_admit(ps, qs, ds, R),
            margin=self.radius - (max(reached) if self.path else reached[-1]),
            theorem="Gnosis.basin_flow_rounded_path_sound" if self.path else "Gnosis.basin_flow_sound",
            assumes=(LIPSCHITZ_NEAR if self.path else LIPSCHITZ, *[UNROUNDED][: any(x < 1 and not e for x, e in zip(L, r))], LENGTHS, DISTANCE),
        )

    def decide_many(self, factors: np.ndarray, bounds: np.ndarray, rounding: np.ndarray | Number) -> np.ndarray:
        """factors, bounds: [n, T] with T ≥ 1, entries ≥ 0; factors may be [T], for all rows; rounding: [T], for all rows, or one number.

        Returns bool[n], the answers of `decide`.  Float64 recursions rounded down and up decide where they can, exact fractions elsewhere.
        Raises as `decide`, FloatEnvironmentError.
        Promises: tested `tests/test_basin.py::test_decide_many_at_the_radius`, `floats: BasinFlowGate path`.
        """
        cpu.check_environment()
        rows, others = paired(bounds, "bounds", factors, "factors")
        r = self._rounding(rounding, rows.shape[1])
        d, L = nonnegative_enclosures(rows, "bounds"), nonnegative_enclosures(others, "factors")
        low, high = np.zeros(len(rows)), np.zeros(len(rows))
        most_low, most_high = low, high
        with np.errstate(all="ignore"):
            for t in range(rows.shape[1]):
                # above 0 from below, the bound is above 0; 0 from above, it is 0, and nothing is rounded
                r_low, r_high = (np.where(x > 0, e, 0.0) for x, e in zip((low, high), enclose(r[t])))
                low = np.maximum(below(below(below(L[0][..., t] * low) + d[0][:, t]) + r_low), 0)
                high = np.where((high == 0) & (d[1][:, t] == 0), 0.0, above(above(above(L[1][..., t] * high) + d[1][:, t]) + r_high))
                most_low, most_high = np.fmax(most_low, low), np.maximum(most_high, high)
        if not self.path:
            most_low, most_high = low, high
        R = enclose(self.radius)
        admit = most_high < R[0]
        for i in np.flatnonzero(~admit & ~(most_low > R[1])):
            admit[i] = self.decide(others if others.ndim == 1 else others[i], rows[i], r).admit
        return admit

    def control(self, factors: Vector, bounds: Vector, rounding: Vector | Number) -> np.ndarray:
        """bool[T]: which steps the controller masks; the others must be recomputed exactly.  Arguments as in `decide`.  Exact.

        It looks ahead: a step is masked only if the rest of the path, done exactly, then stays within R, because a flow that
        expands magnifies a displacement even if no other is added (`Gnosis.Falsifiers.controller_without_lookahead`), and because the
        rest goes on rounding.  Theorem `Gnosis.basin_flow_rounded_controller_sound`.  Raises as `decide`.
        Promises: theorem `Gnosis.basin_flow_rounded_controller_sound`.
        """
        L, d, r = self._flow(factors, bounds, rounding)
        # from the end: a displacement x > 0 before a step survives it and the rest, done exactly, if and only if it is below the room there
        room = [self.radius]
        for factor, more in zip(L[:0:-1], r[:0:-1]):
            fits = self.radius if more == 0 or more < room[-1] else Fraction(0)  # what a step with factor 0 leaves is its rounding
            room.append(min(self.radius, (room[-1] - more) / factor) if factor else fits)
        masks, x = [], Fraction(0)
        for factor, bound, more, least in zip(L, d, r, reversed(room)):
            after = factor * x + (more if x else 0)
            masked = after + bound < least if after + bound else True
            masks.append(masked)
            x = after + (bound if masked else 0)
        return np.array(masks, dtype=bool)

    def _flow(self, factors: Vector, bounds: Vector, rounding: Vector | Number) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        (L, unit_L), (d, unit_d) = integers(factors, "factors"), integers(bounds, "bounds")
        if not d:
            raise EmptyError("bounds")
        if len(L) != len(d):
            raise LengthError("factors", len(L), f"there are {len(d)} bounds")
        _none_negative(L, "factors", unit_L)
        _none_negative(d, "bounds", unit_d)
        return [n * unit_L for n in L], [n * unit_d for n in d], self._rounding(rounding, len(d))

    def _rounding(self, rounding: Any, steps: int) -> list[Fraction]:
        """A rounding bound for each step."""
        if isinstance(rounding, (np.ndarray, Sequence)) and np.ndim(rounding):
            ints, unit = nonnegative_integers(rounding, "rounding")
            if len(ints) != steps:
                raise LengthError("rounding", len(ints), f"there are {steps} bounds")
            r = [n * unit for n in ints]
        else:
            r = [nonnegative(rounding, "rounding")] * steps
        if not self.path and any(r):
            raise RangeError("rounding", rounding, "must be 0 where only the end of the path is asked for; take path=True")
        return r


def lengths(displacements: np.ndarray) -> list[Fraction]:
    """Bounds on the lengths of vectors: energy δ_t ≤ d_t², with d_t less than a factor 1 + 2^-64 above the length.

    displacements: [T, m], units u; floats or integers.  Returns T Fractions, units u.
    Raises LengthError, NonFiniteError, DtypeError naming the entry.
    """
    result = []
    for row in batch(displacements, "displacements", 2):
        ints, unit = integers(row, "displacements")
        result.append(outward.sqrt(energy(ints) * unit * unit).high)
    return result


# ---- input -------------------------------------------------------------------------------------------------------------


def _radius(value: Number) -> Fraction:
    exact = number(value, "radius")
    if exact <= 0:
        raise RangeError("radius", value, "must be above zero")
    return exact


def _with_radius(value: Vector, name: str, radius: Fraction, empty: bool = False) -> tuple[tuple[list[int], list[int]], Fraction]:
    """Displacements and radius as integers in one unit."""
    parts, unit = together(integers(value, name), integers([radius], "radius"))
    if not parts[0] and not empty:
        raise EmptyError(name)
    return (parts[0], parts[1]), unit


def _none_negative(ints: Sequence[int], name: str, unit: Fraction) -> None:
    for i, n in enumerate(ints):
        if n < 0:
            raise NegativeError(name, enclose(n * unit)[0], i)


def _magnitudes(value: Vector, name: str, dimensions: int) -> Bounds:
    """Float64 bounds of absolute values."""
    low, high = enclosures(value, name)
    _shaped(low, name, dimensions)
    small = np.where((low < 0) & (high > 0), 0.0, np.minimum(abs(low), abs(high)))
    return small, np.maximum(abs(low), abs(high))


def _nonnegative_bounds(value: np.ndarray, name: str, dimensions: int) -> Bounds:
    low, high = nonnegative_enclosures(value, name)
    _shaped(low, name, dimensions)
    return low, high


def _shaped(array: np.ndarray, name: str, dimensions: int) -> None:
    if array.ndim != dimensions:
        raise LengthError(name, array.shape, f"must have {dimensions} dimension{'s' if dimensions > 1 else ''}")
    if not array.shape[-1]:
        raise EmptyError(name, array.shape)


def _below_radius(low: np.ndarray, high: np.ndarray, radius: Fraction) -> tuple[np.ndarray, np.ndarray]:
    """bool[n, T] twice: whether the sums of the first entries of each row stay below the radius, and where floats leave that open.

    With u = 2^-53 the running sum of t numbers ≥ 0 errs by at most a factor (1 ± u)^(t-1), and additions do not underflow; widening by
    2u·t covers this and the rounding of the widening.
    """
    steps = np.arange(1, low.shape[1] + 1) * 2.0**-52
    with np.errstate(over="ignore"):
        sums = np.cumsum(low, axis=1)
        down = np.where(np.isfinite(sums), below(sums * (1 - steps)), 0)
        up = above(np.cumsum(high, axis=1) * (1 + steps))
    R = enclose(radius)
    admit = up < R[0]
    return admit, ~admit & ~(down > R[1])


def _ends(low: np.ndarray, high: np.ndarray, radius: Fraction, exact: Callable[[int], bool]) -> np.ndarray:
    """bool[n]: whether the sum of each row stays below the radius."""
    admit, open_ = (answers[:, -1].copy() for answers in _below_radius(low, high, radius))
    for i in np.flatnonzero(open_):
        admit[i] = exact(int(i))
    return admit
