"""The served-output law: how far can compression move the distribution that is served?

Weights w of the tokens become w'.  If every ratio w'/w lies in [Q/P, P/Q] up to a common factor, then no event changes its
probability by more than (P - Q)/(P + Q), and that is attained.  With P/Q = e^ε this is tanh(ε/2).  Only the spread of the
logit changes matters, so the law reads tanh(spread/4); ratios of layers multiply, so one bound serves a whole request; and
the law can be inverted for a service level τ: P/Q ≤ (1 + τ)/(1 - τ), spread ≤ 4·atanh τ.

The functions mirror `Gnosis/Decision/Served.lean` one for one, on natural numbers.  The gates take any exact numbers.  Where
an exponential is needed, the ratio is rounded up (`gnosis.numbers.outward`), and the decision is exact for the rounded one: the gate
may refuse a spread that is within 2^-64 of the threshold, and admits none beyond it.

Units: weights any, ratios and total variation none, spreads and logits natural logarithms.  Service levels are read as
written (`gnosis.numbers.levels`), everything else is taken at its exact value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..core import cpu
from ..errors import EmptyError, LengthError, NegativeError, RangeError
from ..numbers import outward
from ..numbers.bounds import Bounds, above, below, dots, enclose, enclosures, nonnegative_enclosures, paired
from ..numbers.exact import Number, Vector, integers, nonnegative, nonnegative_integers, number, place, same_length, together
from ..numbers.levels import Level, level, share, whole
from ..numbers.outward import Enclosure
from ..verdict import Verdict

# ---- the decisions, on natural numbers -------------------------------------------------------------------------------

Pairs = Sequence[tuple[int, int]]


def _sub(a: int, b: int) -> int:
    """Subtraction of natural numbers: 0 where it would be negative."""
    return max(0, a - b)


def left_mass(ps: Pairs) -> int:
    """`Gnosis.leftMass`: the total weight before."""
    return sum(w for w, _ in ps)


def right_mass(ps: Pairs) -> int:
    """`Gnosis.rightMass`: the total weight after."""
    return sum(w2 for _, w2 in ps)


def excess(S: int, S2: int, ps: Pairs) -> int:
    """`Gnosis.excess`: the sum of the positive parts of w'·S − w·S'."""
    return sum(_sub(w2 * S, w * S2) for w, w2 in ps)


def tv_num(ps: Pairs) -> int:
    """`Gnosis.tvNum`: the total variation times S·S'."""
    return excess(left_mass(ps), right_mass(ps), ps)


def grid_loss(G: int, ps: Pairs) -> int:
    """`Gnosis.gridLoss`: ⌈G·TV⌉; 0 without weight before or after."""
    whole_mass = left_mass(ps) * right_mass(ps)
    return (G * tv_num(ps) + _sub(whole_mass, 1)) // whole_mass if whole_mass else 0


def ratio_admit(P: int, Q: int, a: int, b: int, ps: Pairs) -> bool:
    """`Gnosis.ratioAdmit`: every weight changes by a ratio in [Q/P, P/Q], up to the common factor a/b."""
    return 1 <= Q <= P and 1 <= a and 1 <= b and 1 <= left_mass(ps) and all(Q * b * w2 <= P * a * w and Q * a * w <= P * b * w2 for w, w2 in ps)


def spread_admit(P: int, Q: int, c: int, e: int, f: int, g: int, ps: Pairs) -> bool:
    """`Gnosis.spreadAdmit`: all ratios w'/w lie in [c/e, f/g], whose ends have the ratio (P/Q)² at most."""
    if not (1 <= Q <= P and 1 <= c and 1 <= g and 1 <= left_mass(ps)):
        return False
    return Q * Q * (f * e) <= P * P * (c * g) and all(c * w <= e * w2 and g * w2 <= f * w for w, w2 in ps)


def served_admit(P: int, Q: int, n: int, d: int) -> bool:
    """`Gnosis.servedAdmit`: the ratio bound P/Q is within (1 + τ)/(1 − τ) for τ = n/d: P·(d − n) ≤ Q·(d + n)."""
    return 1 <= Q <= P and 1 <= d and P * _sub(d, n) <= Q * (d + n)


def total(s: Sequence[int]) -> int:
    """`Gnosis.total`: the sum."""
    return sum(s)


def roots_ok(S: int, S2: int, ps: Pairs, s: Sequence[int]) -> bool:
    """`Gnosis.rootsOk`: s² ≤ (w·S')·(w'·S) for each pair and its root."""
    return len(ps) == len(s) and all(r * r <= w * S2 * (w2 * S) for (w, w2), r in zip(ps, s))


def hellinger_admit(ps: Pairs, s: Sequence[int], n: int, d: int) -> bool:
    """`Gnosis.hellingerAdmit`: the roots s show that the total variation is at most n/d."""
    S, S2 = left_mass(ps), right_mass(ps)
    square = S * S2 * (S * S2)
    return 1 <= d and 1 <= S and 1 <= S2 and roots_ok(S, S2, ps, s) and _sub(square, total(s) ** 2) * (d * d) <= square * (n * n)


def weighted_budget(ps: Pairs) -> int:
    """`Gnosis.weightedBudget`: Σ p·B over pairs of a mass and a budget."""
    return sum(p * B for p, B in ps)


def topk_budget(N: int, Bmax: int, head: Pairs) -> int:
    """`Gnosis.topkBudget`: the budget of the head, and Bmax for the rest of the mass N."""
    return weighted_budget(head) + _sub(N, left_mass(head)) * Bmax


def tilt_pairs(ps: Pairs) -> list[tuple[int, int]]:
    """`Gnosis.tiltPairs`: weights (n, n·a²) from masses and tilts (n, a)."""
    return [(n, n * (a * a)) for n, a in ps]


def gauge_ok(B: int, ps: Pairs) -> bool:
    """`Gnosis.gaugeOk`: the tilts a/B have a mass-weighted mean of at least one."""
    return left_mass(ps) * B <= weighted_budget(ps)


def step_budget_admit(G: int, zn: int, zd: int, u: int) -> bool:
    """`Gnosis.stepBudgetAdmit`: u units of the grid G are enough for a step with E Z ≤ zn/zd."""
    return 1 <= zd <= zn and 1 <= u and G * G * (zn - zd) <= (u - 1) * (u - 1) * zn


# ---- the law -----------------------------------------------------------------------------------------------------------


def tight_law(ratio: Number) -> Fraction:
    """The largest total variation of a step whose weights change by ratios up to P/Q: (P - Q)/(P + Q), exact.

    ratio: P/Q ≥ 1.  Theorem `Gnosis.served_tv_tight`.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.served_tv_tight`.
    """
    r = _ratio(ratio, "ratio")
    return (r - 1) / (r + 1)


def spread_law(spread: Number) -> Enclosure:
    """The largest total variation of a step whose logit changes have this spread: tanh(spread/4), between two rationals.

    spread: max δ - min δ ≥ 0.  `.high` is the bound to use.  Theorem `Gnosis.served_tv_spread`.  Raises NegativeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.served_tv_spread`.
    """
    return outward.tanh(nonnegative(spread, "spread") / 4)


def ratio_for_level(service: Level) -> Fraction:
    """The largest ratio bound P/Q that keeps the service level τ: (1 + τ)/(1 - τ), exact.

    service: τ, strictly between 0 and 1.  Theorem `Gnosis.gate_threshold_for_sla`.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.gate_threshold_for_sla`.
    """
    τ = level(service, "service")
    return (1 + τ) / (1 - τ)


def spread_for_level(service: Level) -> Fraction:
    """A spread of the logit changes that keeps the service level τ: 4·atanh τ, rounded down by less than a factor 1 + 2^-64.

    service: τ, strictly between 0 and 1.  As a bound ε on every single logit change, half of it.  Raises RangeError, NonFiniteError, DtypeError.
    """
    return 4 * outward.atanh(level(service, "service")).low


def spread_of(before: Vector, after: Vector) -> Fraction:
    """The spread max δ - min δ of the logit changes δ = after - before, exact.

    before, after: vectors of one length n ≥ 1.  A common shift of all logits changes nothing.
    Raises LengthError, NonFiniteError, DtypeError naming argument and index.
    Promises: tested `floats: SpreadGate.decide_logits`.
    """
    (x, y), unit = together(integers(before, "before"), integers(after, "after"))
    same_length(x, "before", y, "after")
    changes = [b - a for a, b in zip(x, y)]
    return (max(changes) - min(changes)) * unit


def total_variation(before: Vector, after: Vector) -> Fraction:
    """The total variation of two distributions given by weights on any scale, exact.

    before, after: vectors of one length n ≥ 1, entries ≥ 0, not all 0.  The largest change of the probability of any
    event (`Gnosis.tv_event`, `Gnosis.tv_attained`).  Raises LengthError, NegativeError, RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.tv_event`, `Gnosis.tv_attained`.
    """
    ps = _pairs(before, after)
    return Fraction(tv_num(ps), left_mass(ps) * right_mass(ps))


# ---- the gates ---------------------------------------------------------------------------------------------------------

RATIOS = "every weight changes by at most the ratio, up and down, up to one factor common to all tokens"
LAYERS = "each layer changes every weight by at most its ratio, up to one factor common to all tokens"
SPREAD = "the logit changes of all tokens differ by at most the spread"


def _within(τ: Fraction, ratio: Fraction, theorem: str, assumption: str) -> Verdict:
    return Verdict(
        admit=served_admit(ratio.numerator, ratio.denominator, τ.numerator, τ.denominator),
        margin=τ - (ratio - 1) / (ratio + 1),
        theorem=theorem,
        assumes=(assumption,),
    )


@dataclass(frozen=True)
class ServedGate:
    """Does a ratio bound keep a service level?

    service: τ, strictly between 0 and 1: the total variation that is allowed.  Read as written.
    Theorem `Gnosis.gate_threshold_for_sla`: the bound is admitted exactly if every step within it has total variation at
    most τ.  Assumes the ratio bound.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.gate_threshold_for_sla`.
    """

    service: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, service: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "service", level(self.service, "service"))

    def decide(self, ratio: Number) -> Verdict:
        """ratio: P/Q ≥ 1.  Verdict.margin: τ - (P - Q)/(P + Q), admitted at zero.  Raises RangeError, NonFiniteError, DtypeError."""
        return self._decide(_ratio(ratio, "ratio"), "Gnosis.gate_threshold_for_sla", RATIOS)

    def decide_layers(self, ratios: Vector) -> Verdict:
        """ratios: one bound ≥ 1 for each layer of the request; they multiply.  Theorem `Gnosis.cumulative_output_tv`; else as `decide`.

        Promises: theorem `Gnosis.cumulative_output_tv`.
        """
        ints, unit = integers(ratios, "ratios")
        if not ints:
            raise EmptyError("ratios")
        for i, n in enumerate(ints):
            _ratio(n * unit, "ratios", i)
        return self._decide(math.prod(ints) * unit ** len(ints), "Gnosis.cumulative_output_tv", LAYERS)

    def _decide(self, ratio: Fraction, theorem: str, assumption: str) -> Verdict:
        τ = self.service
        return _within(τ, ratio, theorem, assumption)

    def decide_many(self, ratios: Vector) -> np.ndarray:
        """ratios: one-dimensional array or sequence of n bounds ≥ 1.  Returns bool[n], the answers of `decide`, from exact comparisons.

        Raises LengthError, RangeError, NonFiniteError, DtypeError naming the index, FloatEnvironmentError.
        Promises: tested `floats: ServedGate`, `tests/test_served.py::test_a_million_ratios_at_the_threshold`.
        """
        cpu.check_environment()
        low, high = _column(ratios, "ratios", 1)
        limit = (1 + self.service) / (1 - self.service)
        below_limit, above_limit = enclose(limit)
        admit = high <= below_limit
        for i in np.flatnonzero(~admit & (low < above_limit)):
            admit[i] = self.decide(ratios[int(i)]).admit
        return admit


@dataclass(frozen=True)
class SpreadGate:
    """Does a spread of logit changes keep a service level?

    service: τ, strictly between 0 and 1: the total variation that is allowed.  Read as written.
    The spread s stands for the ratio bound e^(s/2), rounded up by at most a factor 1 + 2^-64·min(1, s).
    Theorem `Gnosis.served_tv_spread`.  Assumes the spread.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.served_tv_spread`.
    """

    service: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, service: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "service", level(self.service, "service"))

    def decide(self, spread: Number) -> Verdict:
        """spread: max δ - min δ ≥ 0.  Verdict.margin: τ - (P - Q)/(P + Q) for the rounded P/Q, admitted at zero.

        Raises NegativeError, NonFiniteError, DtypeError.
        """
        return self._decide(nonnegative(spread, "spread"), "Gnosis.served_tv_spread", SPREAD)

    def decide_logits(self, before: Vector, after: Vector) -> Verdict:
        """The logits themselves, see `spread_of`.  Nothing is assumed.  Verdict.margin as in `decide`."""
        verdict = self.decide(spread_of(before, after))
        return Verdict(verdict.admit, verdict.margin, verdict.theorem)

    def decide_layers(self, spreads: Vector) -> Verdict:
        """spreads: one ≥ 0 for each layer of the request; they add up.  Theorem `Gnosis.cumulative_output_tv`; else as `decide`.

        Promises: theorem `Gnosis.cumulative_output_tv`.
        """
        ints, unit = nonnegative_integers(spreads, "spreads")
        if not ints:
            raise EmptyError("spreads")
        return self._decide(sum(ints) * unit, "Gnosis.cumulative_output_tv", "the logit changes of each layer differ by at most its spread")

    def _decide(self, spread: Fraction, theorem: str, assumption: str) -> Verdict:
        τ = self.service
        if spread > 2 * outward.LARGEST:  # no ratio is computed; the law gives more than 1 - 2^-65536, which is called 1
            return Verdict(admit=False, margin=τ - 1, theorem=theorem, assumes=(assumption,))
        ratio = _ratio_of_spread(spread)
        return _within(τ, ratio, theorem, assumption)

    def decide_many(self, spreads: Vector) -> np.ndarray:
        """spreads: one-dimensional array or sequence of n numbers ≥ 0.  Returns bool[n], the answers of `decide`.

        They are compared with 4·atanh τ, rounded down and up; what lies between is decided one by one.
        Raises LengthError, NegativeError, NonFiniteError, DtypeError naming the index, FloatEnvironmentError.
        """
        cpu.check_environment()
        low, high = _column(spreads, "spreads", 0)
        return self._many(low, high, lambda i: self.decide(spreads[i]).admit)

    def decide_logits_many(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """before: [n, v] or [v] for all rows; after: [n, v]; v ≥ 1 logits.  Returns bool[n], the answers of `decide_logits`.

        Raises as `decide_logits`, FloatEnvironmentError.
        """
        cpu.check_environment()
        rows, others = paired(after, "after", before, "before")
        x, y = enclosures(others, "before"), enclosures(rows, "after")
        with np.errstate(over="ignore"):
            down, up = below(y[0] - x[1]), above(y[1] - x[0])
            low, high = below(down.max(axis=1) - up.min(axis=1)), above(up.max(axis=1) - down.min(axis=1))
        return self._many(np.maximum(low, 0), high, lambda i: self.decide_logits(others if others.ndim == 1 else others[i], rows[i]).admit)

    def _many(self, low: np.ndarray, high: np.ndarray, one: Callable[[int], bool]) -> np.ndarray:
        bounds = outward.atanh(self.service)
        # `decide` rounds the ratio up by less than a factor 1 + 2^-64·min(1, s), so it admits every s below 4·atanh τ·(1 - 2^-60)
        certain, impossible = enclose(4 * bounds.low * (1 - Fraction(1, 1 << 60)))[0], enclose(4 * bounds.high)[1]
        admit = high <= certain
        for i in np.flatnonzero(~admit & (low <= impossible)):
            admit[i] = one(int(i))
        return admit


@dataclass(frozen=True)
class HellingerGate:
    """Do two distributions keep a service level, judged by their overlap?

    service: τ, strictly between 0 and 1: the total variation that is allowed.  Read as written.
    Theorem `Gnosis.hellinger_sound`: 1 - BC² ≤ τ² shows TV ≤ τ, where BC = Σ √(w·w') for weights of sum 1.  Nothing is assumed.
    Looser than the total variation itself (`total_variation`) where that is at hand, and the form in which bounds of
    masses compose.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.hellinger_sound`.
    """

    service: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, service: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "service", level(self.service, "service"))

    def decide(self, before: Vector, after: Vector) -> Verdict:
        """before, after: vectors of one length n ≥ 1, entries ≥ 0, not all 0, on any scales.

        Verdict.margin: τ² - (1 - BC²), with BC from integer roots rounded down, admitted at zero.
        Raises LengthError, NegativeError, RangeError, NonFiniteError, DtypeError naming argument and index.
        """
        ps = _pairs(before, after)
        S, S2 = left_mass(ps), right_mass(ps)
        # a finer scale of both sides, so that rounding the roots down loses little
        k, k2 = (max(0, 80 - mass.bit_length()) for mass in (S, S2))
        ps, S, S2 = [(w << k, w2 << k2) for w, w2 in ps], S << k, S2 << k2
        roots = [math.isqrt(w * S2 * (w2 * S)) for w, w2 in ps]
        τ = self.service
        return Verdict(
            admit=hellinger_admit(ps, roots, τ.numerator, τ.denominator),
            margin=τ**2 - 1 + Fraction(total(roots), S * S2) ** 2,
            theorem="Gnosis.hellinger_sound",
        )

    def decide_many(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """before: [n, v] or [v] for all rows; after: [n, v]; v ≥ 1 weights.  Returns bool[n], the answers of `decide`.

        Float64 sums with their error bounds where these are certain, integers elsewhere.  Raises as `decide`, FloatEnvironmentError.
        """
        cpu.check_environment()
        rows, others = paired(after, "after", before, "before")
        x, y = _weights(others, "before"), _weights(rows, "after")
        low, high = overlap_bounds(x, y)
        limit = enclose(1 - self.service**2)
        admit = low >= limit[1]
        for i in np.flatnonzero(~admit & ~(high < limit[0])):
            admit[i] = self.decide(others if others.ndim == 1 else others[i], rows[i]).admit
        return admit


def overlap_bounds(x: Bounds, y: Bounds) -> Bounds:
    """Bounds of BC² = (Σ √(w·w'))²/(Σ w·Σ w') over the last axis, from bounds of the weights.

    `dots` leaves more to spare than the three roundings of the last lines take, as long as no product is subnormal.  Below
    2^-1022 a product has few digits left, and only rounding it outward keeps the bound.
    """
    with np.errstate(all="ignore"):
        roots = [tuple(np.maximum(side(np.sqrt(end)), 0) for side, end in zip((below, above), bounds)) for bounds in (x, y)]
        overlap = dots(*roots)
        one = np.ones(x[0].shape[-1])
        masses = [dots(bounds, (one, one)) for bounds in (x, y)]
        low = below(below(overlap[0] * overlap[0]) / above(masses[0][1] * masses[1][1]))
        high = above(above(overlap[1] * overlap[1]) / np.maximum(below(masses[0][0] * masses[1][0]), 0))
    return low, high


# ---- budgets of a step -------------------------------------------------------------------------------------------------


def topk_bound(masses: Vector, budgets: Vector, worst: Number, mass: Level = 1) -> Fraction:
    """A bound on Σ p·B that looks at some tokens only: Σ of theirs, and `worst` for the rest of the mass, exact.

    masses: p ≥ 0 of n tokens; budgets: B ≥ 0 of the same; worst: at least the budget of every other token;
    mass: of the whole vocabulary, at least that of the n tokens.
    Theorem `Gnosis.massweighted_topk_bound`.  Raises LengthError, RangeError, NegativeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.massweighted_topk_bound`.
    """
    (p, unit_p), (B, unit_B) = (nonnegative_integers(value, name) for value, name in ((masses, "masses"), (budgets, "budgets")))
    if len(p) != len(B):
        raise LengthError("budgets", len(B), f"there are {len(p)} masses")
    most, N = nonnegative(worst, "worst"), share(mass, "mass")
    if sum(p) * unit_p > N:
        raise RangeError("mass", mass, f"the tokens alone have {enclose(sum(p) * unit_p)[0]}")
    # whole numbers of common units
    q = math.lcm(unit_p.denominator, N.denominator)
    r = math.lcm(unit_B.denominator, most.denominator)
    head = list(zip((int(n * unit_p * q) for n in p), (int(n * unit_B * r) for n in B)))
    return Fraction(topk_budget(int(N * q), int(most * r), head), q * r)


def step_units(grid: int, normaliser: Number) -> int:
    """The least number of units that bounds the mean loss E⌈G·TV⌉ of a step with E Z ≤ z: 1 + ⌈G·√(1 - 1/z)⌉, in integers.

    grid: G ≥ 1 units stand for a total variation of 1.  normaliser: z ≥ 1, a bound on the mean of Z = Σ p·u² over the rounding
    draws, for tilts u whose mass-weighted mean is at least 1.  May exceed G, and then says nothing.
    Theorem `Gnosis.step_budget_sound`.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.step_budget_sound`.
    """
    G, z = whole(grid, "grid", 1), number(normaliser, "normaliser")
    if z < 1:
        raise RangeError("normaliser", normaliser, "the mean normaliser is at least 1")
    square = math.ceil(G * G * (1 - 1 / z))
    return 1 + (math.isqrt(square - 1) + 1 if square else 0)


# ---- input -------------------------------------------------------------------------------------------------------------


def _ratio(value: Number, name: str, index: int | None = None) -> Fraction:
    exact = number(value, name, index)
    if exact < 1:
        raise RangeError(name, value if index is None else enclose(exact)[0], "a ratio bound is at least 1", index)
    return exact


def _ratio_of_spread(spread: Fraction) -> Fraction:
    """A rational at least e^(spread/2), and at most 1 + 2^-64·min(1, spread) times as large."""
    small = max(0, spread.denominator.bit_length() - spread.numerator.bit_length() + 2) if spread else 0
    return outward.exp(spread / 2, outward.BITS + small).high


def _pairs(before: Vector, after: Vector) -> list[tuple[int, int]]:
    """Weights as natural numbers, each side in a unit of its own."""
    (x, _), (y, _) = nonnegative_integers(before, "before"), nonnegative_integers(after, "after")
    same_length(x, "before", y, "after")
    for ints, name in ((x, "before"), (y, "after")):
        if not any(ints):
            raise RangeError(name, 0, "all weights are zero")
    # so that weights on another scale, or in another type, are the very same pairs
    x, y = ([n // common for n in ints] for ints, common in ((x, math.gcd(*x)), (y, math.gcd(*y))))
    return list(zip(x, y))


def _column(value: Vector, name: str, least: int) -> Bounds:
    low, high = enclosures(value, name)
    if low.ndim != 1:
        raise LengthError(name, low.shape, "must have one dimension")
    bad = np.flatnonzero(low < least)
    if len(bad):
        i = int(bad[0])
        raise NegativeError(name, float(low[i]), i) if least == 0 else RangeError(name, float(low[i]), "a ratio bound is at least 1", i)
    return low, high


def _weights(value: np.ndarray, name: str) -> Bounds:
    low, high = nonnegative_enclosures(value, name)
    nothing = np.asarray(~(high > 0).any(axis=-1))
    if nothing.any():
        raise RangeError(name, 0, "all weights are zero", place(nothing))
    return low, high
