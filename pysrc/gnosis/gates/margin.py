"""The margin gates: which score wins, and when an error in the scores cannot change that.

The functions mirror `Gnosis/Decision/Margin.lean` one for one, on plain integers.  The gates below take any finite
numbers, turn floats into the dyadics that they are, and decide exactly the same predicates.

Units: scores (logits), bounds on their errors and margins of verdicts are all in the unit of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..core import cpu
from ..core import margin as kernel
from ..errors import LengthError, RangeError
from ..numbers import bounds as outward
from ..numbers.bounds import Bounds
from ..numbers.exact import Number, Vector, integers, is_integer, mask, nonnegative, nonnegative_integers, together
from ..numbers.levels import whole
from ..verdict import Verdict

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def entry(z: Sequence[int], i: int) -> int:
    """`Gnosis.entry`: the entry at index i ≥ 0; 0 past the end."""
    return z[i] if i < len(z) else 0


def argmax(z: Sequence[int]) -> int:
    """`Gnosis.argmax`: lowest index of a largest entry; 0 for the empty list."""
    return max(range(len(z)), key=z.__getitem__, default=0)


def leads(top: int, before: int, after: int, w: int, z: Sequence[int]) -> bool:
    """`Gnosis.leads` from index 0: `top` leads the entries in front of w by `before` or more, those behind it by `after` or more."""
    return all(i == w or x + (before if i < w else after) <= top for i, x in enumerate(z))


def margin_admit(z: Sequence[int], w: int, τ: int) -> bool:
    """`Gnosis.marginAdmit`: z_w − z_j ≥ 2τ for all j ≠ w; w an index, 0 ≤ τ."""
    return w < len(z) and 0 <= τ and leads(entry(z, w), 2 * τ, 2 * τ, w, z)


def margin_admit_strict(z: Sequence[int], w: int, τ: int) -> bool:
    """`Gnosis.marginAdmitStrict`: z_w − z_j > 2τ for all j ≠ w."""
    return w < len(z) and 0 <= τ and leads(entry(z, w), 2 * τ + 1, 2 * τ + 1, w, z)


def margin_admit_lowest(z: Sequence[int], w: int, τ: int) -> bool:
    """`Gnosis.marginAdmitLowest`: z_w − z_j > 2τ for j < w, ≥ 2τ for j > w."""
    return w < len(z) and 0 <= τ and leads(entry(z, w), 2 * τ + 1, 2 * τ, w, z)


def bounds_fit(z: Sequence[int], ε: Sequence[int]) -> bool:
    """`Gnosis.boundsFit`: a bound for each score, none negative."""
    return len(z) == len(ε) and all(e >= 0 for e in ε)


def row_admit(z: Sequence[int], ε: Sequence[int], w: int) -> bool:
    """`Gnosis.rowAdmit`: the bounds fit, w an index, ε_w + ε_j < z_w − z_j for all j ≠ w."""
    return bounds_fit(z, ε) and w < len(z) and leads(z[w] - ε[w], 1, 1, w, [x + e for x, e in zip(z, ε)])


def candidates(z: Sequence[int], ε: Sequence[int]) -> list[int]:
    """`Gnosis.candidates`: ascending, all j with z_j + ε_j ≥ max_i (z_i − ε_i); every index when the bounds do not fit."""
    if not bounds_fit(z, ε):
        return list(range(len(z)))
    lowest = max((x - e for x, e in zip(z, ε)), default=0)
    return [j for j, (x, e) in enumerate(zip(z, ε)) if x + e >= lowest]


def topk_admit(z: Sequence[int], S: Sequence[bool], ε: int) -> bool:
    """`Gnosis.topkAdmit`: same length, 0 ≤ ε, z_i − z_j > 2ε for every selected i and unselected j."""
    chosen = [x for x, s in zip(z, S) if s]
    others = [x for x, s in zip(z, S) if not s]
    return len(z) == len(S) and 0 <= ε and all(x - y > 2 * ε for x in chosen for y in others)


def topk_gap_admit(z: Sequence[int], k: int, ε: int) -> bool:
    """`Gnosis.topkGapAdmit`: 0 ≤ ε, k ≤ n, and for 0 < k < n the k-th largest score leads the next one by more than 2ε."""
    down = sorted(z, reverse=True)
    return 0 <= ε and k <= len(z) and (k in (0, len(z)) or 2 * ε < down[k - 1] - down[k])


def top_two(z: Sequence[int]) -> int:
    """`Gnosis.topTwo`: sum of the two largest entries; 0 for fewer than two."""
    return sum(sorted(z)[-2:]) if len(z) >= 2 else 0


def two_stage_shape(groups: Sequence[Sequence[int]], gsel: Sequence[bool], esel: Sequence[Sequence[bool]]) -> bool:
    """`Gnosis.twoStageShape`: masks of the right lengths, two or more experts a group, none selected in an unselected group."""
    return len(groups) == len(gsel) == len(esel) and all(len(g) >= 2 and len(g) == len(m) and (s or not any(m)) for g, s, m in zip(groups, gsel, esel))


def two_stage_admit(groups: Sequence[Sequence[int]], gsel: Sequence[bool], esel: Sequence[Sequence[bool]], ε: int) -> bool:
    """`Gnosis.twoStageAdmit`: groups by the sum of their two largest scores lead by more than 4ε, then experts by more than 2ε."""
    if not two_stage_shape(groups, gsel, esel):
        return False
    scores = [x for g, s in zip(groups, gsel) if s for x in g]
    masks = [b for m, s in zip(esel, gsel) if s for b in m]
    return topk_admit([top_two(g) for g in groups], gsel, 2 * ε) and topk_admit(scores, masks, ε)


# ---- the gates, on any exact numbers -------------------------------------------------------------------------------

WITHIN = "every true score lies within the bound of the score that was given"
_MODES = {
    "weak": (margin_admit, "Gnosis.argmax_preserved"),
    "strict": (margin_admit_strict, "Gnosis.argmax_preserved_strict"),
    "lowest": (margin_admit_lowest, "Gnosis.argmax_preserved_lowest"),
}


@dataclass(frozen=True)
class MarginGate:
    """Does the winner keep its place when no score moves by more than `bound`?

    bound: finite number ≥ 0, in the unit of the scores.
    mode: "weak": the winner stays a maximiser (`Gnosis.argmax_preserved`); "strict": the only one
    (`Gnosis.argmax_preserved_strict`); "lowest": the argmax that breaks ties by the lowest index
    (`Gnosis.argmax_preserved_lowest`).
    Assumes that every true score lies within the bound.  Raises NonFiniteError, NegativeError, DtypeError, RangeError.
    Promises: theorem `Gnosis.argmax_preserved`, `Gnosis.argmax_preserved_strict`, `Gnosis.argmax_preserved_lowest`.
    """

    bound: Fraction
    mode: str = "strict"

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, bound: Number, mode: str = "strict") -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", nonnegative(self.bound, "bound"))
        if self.mode not in _MODES:
            raise RangeError("mode", self.mode, f"must be one of {', '.join(_MODES)}")

    def decide(self, scores: Vector, winner: int | None = None) -> Verdict:
        """scores: vector of n ≥ 2 numbers; winner: index, None for the argmax (lowest index on ties).

        Verdict.margin: min over j ≠ winner of z_w − z_j, less 2·bound; at zero the weak gate admits, the strict one refuses,
        the lowest one looks at the index.  Raises LengthError, RangeError, NonFiniteError, DtypeError.
        """
        (z, (τ,)), unit = together(_scores(scores), ([self.bound.numerator], Fraction(1, self.bound.denominator)))
        w = _winner(z, winner)
        admits, theorem = _MODES[self.mode]
        return Verdict(admit=admits(z, w, τ), margin=(_lead(z, w) - 2 * τ) * unit, theorem=theorem, assumes=(WITHIN,))

    def decide_many(self, scores: np.ndarray) -> np.ndarray:
        """scores: [n, v] with v ≥ 2, float16/32/64 or integers; the winner of each row is its argmax.  Returns bool[n].

        The answers of `decide`; raises as it does, FloatEnvironmentError.
        """
        return _gap_decide_many(scores, 1, 2 * self.bound, lambda row: self.decide(row).admit)


@dataclass(frozen=True)
class RowGate:
    """The same with a bound for each score, and the set of scores that can still win.

    bounds: vector of n ≥ 2 finite numbers ≥ 0, in the unit of the scores.
    Theorems `Gnosis.row_admit_sound` (the winner is the only maximiser) and `Gnosis.candidates_contain_argmax`.
    Assumes that every true score lies within its bound.  Raises NonFiniteError, NegativeError, DtypeError, LengthError.
    Promises: theorem `Gnosis.row_admit_sound`, `Gnosis.candidates_contain_argmax`.
    """

    bounds: tuple[Fraction, ...]
    _enclosed: Bounds = field(init=False, repr=False, compare=False)

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, bounds: Vector) -> None: ...

    def __post_init__(self) -> None:
        ints, unit = nonnegative_integers(self.bounds, "bounds")
        object.__setattr__(self, "_enclosed", outward.enclosures(self.bounds, "bounds"))
        object.__setattr__(self, "bounds", tuple(e * unit for e in ints))

    def _together(self, scores: Vector) -> tuple[list[int], list[int], Fraction]:
        given = _scores(scores)
        if len(given[0]) != len(self.bounds):
            raise LengthError("scores", len(given[0]), f"there are {len(self.bounds)} bounds")
        (z, ε), unit = together(given, integers(self.bounds, "bounds"))
        return z, ε, unit

    def decide(self, scores: Vector, winner: int | None = None) -> Verdict:
        """scores: vector of n ≥ 2 numbers; winner: index, None for the argmax (lowest index on ties).

        Verdict.margin: min over j ≠ winner of (z_w − ε_w) − (z_j + ε_j); admitted above zero.
        Raises LengthError, RangeError, NonFiniteError, DtypeError.
        """
        z, ε, unit = self._together(scores)
        w = _winner(z, winner)
        margin = z[w] - ε[w] - max(x + e for j, (x, e) in enumerate(zip(z, ε)) if j != w)
        return Verdict(admit=row_admit(z, ε, w), margin=margin * unit, theorem="Gnosis.row_admit_sound", assumes=(WITHIN,))

    def decide_many(self, scores: np.ndarray) -> np.ndarray:
        """scores: [n, v]; the winner of each row is its argmax.  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        cpu.check_environment()
        rows = _rows(scores)
        if rows.shape[1] != len(self.bounds):
            raise LengthError("scores", rows.shape, f"there are {len(self.bounds)} bounds")
        z_low, z_high = outward.enclosures(rows, "scores")
        ε_low, ε_high = self._enclosed
        winner = z_low.argmax(axis=1)[:, None]
        with np.errstate(over="ignore"):
            worst = np.take_along_axis(outward.below(z_low - ε_high), winner, axis=1)[:, 0]  # of z_w - ε_w, from below
            best = np.take_along_axis(outward.above(z_high - ε_low), winner, axis=1)[:, 0]
            rivals_high, rivals_low = outward.above(z_high + ε_high), outward.below(z_low + ε_low)
        np.put_along_axis(rivals_high, winner, -np.inf, axis=1)
        np.put_along_axis(rivals_low, winner, -np.inf, axis=1)
        admit = worst > rivals_high.max(axis=1)
        # an admitted row has a clear winner; any other row is refused only if its own argmax is beyond doubt
        clear = np.partition(z_high, -2, axis=1)[:, -2] < np.take_along_axis(z_low, winner, axis=1)[:, 0]
        refuse = clear & (best <= rivals_low.max(axis=1))
        for i in np.flatnonzero(~admit & ~refuse):
            admit[i] = self.decide(rows[i]).admit
        return admit

    def candidates(self, scores: Vector) -> np.ndarray:
        """Ascending indices int64[c], c ≥ 1, of the scores that can win: all j with z_j + ε_j ≥ max_i (z_i − ε_i).

        Every maximiser of the true scores is among them (`Gnosis.candidates_contain_argmax`).  Raises as `decide`, FloatEnvironmentError.
        Promises: theorem `Gnosis.candidates_contain_argmax`.
        """
        z = outward.enclosures(scores, "scores")
        if z[0].ndim != 1 or len(z[0]) != len(self.bounds):
            raise LengthError("scores", z[0].shape, f"there are {len(self.bounds)} bounds")
        if len(z[0]) < 2:
            raise LengthError("scores", len(z[0]), "needs at least 2 entries; without a rival there is nothing to decide")
        return can_win(z, self._enclosed, lambda: (integers(scores, "scores"), integers(self.bounds, "bounds")))


@dataclass(frozen=True)
class TopKGate:
    """Do the k largest scores stay the k largest when no score moves by more than `bound`?

    k: whole number ≥ 1; bound: finite number ≥ 0, in the unit of the scores.
    Theorems `Gnosis.topk_preserved` and, for the gap that is compared, `Gnosis.top_k_gap_iff`.
    Assumes that every true score lies within the bound.
    Promises: theorem `Gnosis.topk_preserved`, `Gnosis.top_k_gap_iff`.
    """

    k: int
    bound: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, k: int, bound: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole(self.k, "k", 1))
        object.__setattr__(self, "bound", nonnegative(self.bound, "bound"))

    def decide(self, scores: Vector, selected: Sequence[bool] | None = None) -> Verdict:
        """scores: vector of more than k numbers; selected: a mask with k entries true, None for the k largest, lowest index first.

        Verdict.margin: least selected minus largest unselected score, less 2·bound; admitted above zero.
        Raises LengthError, RangeError, NonFiniteError, DtypeError.
        """
        (z, (ε,)), unit = together(_scores(scores), ([self.bound.numerator], Fraction(1, self.bound.denominator)))
        if len(z) <= self.k:
            raise LengthError("scores", len(z), f"must have more than k = {self.k} entries")
        S = _top(z, self.k) if selected is None else mask(selected, "selected")
        if len(S) != len(z):
            raise LengthError("selected", len(S), f"there are {len(z)} scores")
        if sum(S) != self.k:
            raise RangeError("selected", sum(S), f"entries are true, must be k = {self.k}")
        return Verdict(admit=topk_admit(z, S, ε), margin=(_gap(z, S) - 2 * ε) * unit, theorem="Gnosis.topk_preserved", assumes=(WITHIN,))

    def decide_many(self, scores: np.ndarray) -> np.ndarray:
        """scores: [n, v] with v > k; of each row the k largest are selected.  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        return _gap_decide_many(scores, self.k, 2 * self.bound, lambda row: self.decide(row).admit)


@dataclass(frozen=True)
class TwoStageGate:
    """Grouped selection: the best groups by the sum of their two largest scores, then the best experts inside them.

    groups, experts: how many of each are kept, whole numbers ≥ 1; bound: finite number ≥ 0, in the unit of the scores.
    Theorem `Gnosis.two_stage_preserved`.  Assumes that every true score lies within the bound.
    Promises: theorem `Gnosis.two_stage_preserved`.
    """

    groups: int
    experts: int
    bound: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, groups: int, experts: int, bound: Number) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", whole(self.groups, "groups", 1))
        object.__setattr__(self, "experts", whole(self.experts, "experts", 1))
        object.__setattr__(self, "bound", nonnegative(self.bound, "bound"))

    def decide(self, scores: Sequence[Vector]) -> Verdict:
        """scores: more than `groups` vectors of two or more numbers, more than `experts` of them in the groups selected.

        Verdict.margin: the smaller of (gap between groups − 4·bound) and (gap between experts − 2·bound); admitted above zero.
        Raises LengthError, NonFiniteError, DtypeError.
        """
        if len(scores) <= self.groups:
            raise LengthError("scores", len(scores), f"must have more than {self.groups} groups")
        given = [integers(row, f"scores[{i}]") for i, row in enumerate(scores)]
        for i, (row, _) in enumerate(given):
            if len(row) < 2:
                raise LengthError(f"scores[{i}]", len(row), "a group has two scores or more")
        (*g, (ε,)), unit = together(*given, ([self.bound.numerator], Fraction(1, self.bound.denominator)))
        sums = [top_two(row) for row in g]
        gsel = _top(sums, self.groups)
        flat = [x for row, s in zip(g, gsel) if s for x in row]
        if len(flat) <= self.experts:
            raise LengthError("scores", len(flat), f"the selected groups must have more than {self.experts} experts")
        chosen = _top(flat, self.experts)
        rest = iter(chosen)
        esel = [[next(rest) if s else False for _ in row] for row, s in zip(g, gsel)]
        margin = min(_gap(sums, gsel) - 4 * ε, _gap(flat, chosen) - 2 * ε)
        return Verdict(admit=two_stage_admit(g, gsel, esel, ε), margin=margin * unit, theorem="Gnosis.two_stage_preserved", assumes=(WITHIN,))

    def decide_many(self, scores: np.ndarray) -> np.ndarray:
        """scores: [n, g, e], g groups of e scores.  Returns bool[n], the answers of `decide`; raises as it does, FloatEnvironmentError."""
        cpu.check_environment()
        items = outward.batch(scores, "scores", 3)
        if items.shape[1] <= self.groups or items.shape[2] < 2 or self.groups * items.shape[2] <= self.experts:
            raise LengthError(
                "scores", items.shape, f"needs more than {self.groups} groups of 2 or more, with more than {self.experts} experts in those selected"
            )
        low, high = outward.enclosures(items, "scores")
        if not len(items):
            return np.zeros(0, dtype=bool)
        if low is not high:
            return np.array([self.decide(list(groups)).admit for groups in items], dtype=bool)
        two = np.partition(low, -2, axis=2)[:, :, -2:]
        with np.errstate(over="ignore"):
            sums = two[:, :, 0] + two[:, :, 1]
            order = np.argsort(-sums, axis=1, kind="stable")
            ranked = np.take_along_axis(sums, order, axis=1)
            least, most = ranked[:, self.groups - 1], ranked[:, self.groups]
            gap_low = outward.below(outward.below(least) - outward.above(most))
            gap_high = outward.above(outward.above(least) - outward.below(most))
            picked = np.take_along_axis(low, order[:, : self.groups, None], axis=1).reshape(len(low), -1)
            place = picked.shape[1] - self.experts
            parts = np.partition(picked, (place - 1, place), axis=1)
            lead = parts[:, place] - parts[:, place - 1]
        (four_low, four_high), (two_low, two_high) = outward.enclose(4 * self.bound), outward.enclose(2 * self.bound)
        admit = (gap_low > four_high) & (lead > two_high)
        # which experts compete is beyond doubt only when the groups are
        refuse = (gap_high < four_low) | ((gap_low > 0) & (lead < two_low))
        for i in np.flatnonzero(~admit & ~refuse):
            admit[i] = self.decide(list(items[i])).admit
        return admit


def can_win(z: Bounds, ε: Bounds, exact: Callable[[], tuple[tuple[list[int], Fraction], tuple[list[int], Fraction]]]) -> np.ndarray:
    """`candidates` as int64[c]: by the compiled kernel where float64 holds all numbers, else from the integers that `exact` gives.

    z, ε: enclosures of n scores and of n bounds ≥ 0.
    Promises: tested `floats: core.margin.candidates`.
    """
    if z[0] is z[1] and ε[0] is ε[1]:
        return kernel.candidates(z[0], ε[0]).copy()  # without the room for those that cannot
    return np.array(candidates(*together(*exact())[0]), dtype=np.int64)


# ---- shared --------------------------------------------------------------------------------------------------------


def _scores(scores: Vector) -> tuple[list[int], Fraction]:
    z, unit = integers(scores, "scores")
    if len(z) < 2:
        raise LengthError("scores", len(z), "needs at least 2 entries; without a rival there is nothing to decide")
    return z, unit


def _winner(z: Sequence[int], winner: int | None) -> int:
    if winner is None:
        return argmax(z)
    if not is_integer(winner) or not 0 <= winner < len(z):
        raise RangeError("winner", winner, f"must be an index from 0 to {len(z) - 1}")
    return int(winner)


def _lead(z: Sequence[int], w: int) -> int:
    """How far entry w is ahead of the best other entry; negative when it is behind."""
    return z[w] - max(x for j, x in enumerate(z) if j != w)


def _top(z: Sequence[int], k: int) -> list[bool]:
    """Mask of the k largest entries, lowest index first on ties."""
    chosen = set(sorted(range(len(z)), key=lambda j: (-z[j], j))[:k])
    return [j in chosen for j in range(len(z))]


def _gap(z: Sequence[int], S: Sequence[bool]) -> int:
    """Least selected entry minus largest unselected entry."""
    return min(x for x, s in zip(z, S) if s) - max(x for x, s in zip(z, S) if not s)


def _rows(scores: np.ndarray) -> np.ndarray:
    rows = outward.batch(scores, "scores", 2)
    if rows.shape[1] < 2:
        raise LengthError("scores", rows.shape, "needs at least 2 entries in a row; without a rival there is nothing to decide")
    return rows


def _gap_decide_many(scores: np.ndarray, k: int, threshold: Fraction, decide: Callable[[np.ndarray], bool]) -> np.ndarray:
    """bool[n]: is the k-th largest score of each row ahead of the next one by more than the threshold?  `decide` where it is equal to it.

    Subtraction rounds monotonically: a rounded gap above (below) a float64 number comes from an exact gap above (below) it.
    """
    cpu.check_environment()
    rows = _rows(scores)
    if rows.shape[1] <= k:
        raise LengthError("scores", rows.shape, f"must have more than k = {k} entries in a row")
    low, high = outward.enclosures(rows, "scores")
    if low is not high:
        return np.array([decide(row) for row in rows], dtype=bool)
    place = rows.shape[1] - k
    parts = np.partition(low, (place - 1, place), axis=1)
    with np.errstate(over="ignore"):
        gap = parts[:, place] - parts[:, place - 1]
    below, above = outward.enclose(threshold)
    admit = gap > above
    for i in np.flatnonzero((gap >= below) & (gap <= above)):
        admit[i] = decide(rows[i])
    return admit
