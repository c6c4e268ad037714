"""The figures of codes and gates in a report: rates and units, what a code loses, what the gates say, calibrations, families of codes."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field

from ..codes.families import CELLS, EDGE_THEORY
from ..files import grammar
from ..gates.conformal import rank
from ..numbers.bounds import enclose
from ..numbers.levels import level, written
from ..risk.extrapolation import clopper_pearson_lower, clopper_pearson_upper
from .part import MOST_TRIALS, Amount, Count, Name, Part, Positive, Share

CONFIDENCE = "0.975"  # of each side of an interval: 95 percent in all
BIN, BINS = Fraction(1, 20), 80  # of histograms of scores, in multiples of half the unit


def edge(cubic: float, other: float) -> float | None:
    """How much lower another code's mean squared error is, as a share of the cubic one; None when the cubic one is zero."""
    return 1 - other / cubic if cubic > 0 else None


def ratio(a: float, b: float) -> float | None:
    return a / b if b else None


@lru_cache(maxsize=4096)
def interval(count: int, of: int) -> tuple[float, float]:
    """The exact 95 percent interval of a rate (Clopper–Pearson), rounded outwards."""
    low, high = clopper_pearson_lower(count, of, CONFIDENCE), clopper_pearson_upper(count, of, CONFIDENCE).risk
    return enclose(low)[0], enclose(high)[1]


class Rate(Part):
    """How many of how many, and the exact binomial interval (Clopper–Pearson, 95 percent) of the rate behind it.

    The interval takes the trials as independent and alike.  All None when there are no trials.
    Promises: tested `tests/test_probe.py::test_conformal_figures_by_other_code`.
    """

    count: Count
    of: Annotated[int, Field(ge=0, le=MOST_TRIALS)]
    share: Share | None
    low: Share | None
    high: Share | None

    def derived(self) -> dict[str, Any]:
        if self.count > self.of:
            raise ValueError(f"count is {self.count} of {self.of}")
        low, high = interval(self.count, self.of) if self.of else (None, None)
        return {"share": ratio(self.count, self.of), "low": low, "high": high}


class Unit(Part):
    """What margins are measured in: RMS norm of the cubic residuals × RMS norm of the activations.

    residual_energy: Σ over `residuals` vectors.  activation_energy, activations: the same for the activations; None where the
    gate speaks about any activation of norm at most 1, which counts as 1.
    Promises: tested `tests/test_probe.py::test_figures_of_a_tensor_by_other_code`.
    """

    residual_energy: Amount
    residuals: Positive
    activation_energy: Amount | None
    activations: Positive | None
    value: Amount

    def derived(self) -> dict[str, Any]:
        a = 1.0 if self.activation_energy is None or self.activations is None else math.sqrt(self.activation_energy / self.activations)
        return {"value": math.sqrt(self.residual_energy / self.residuals) * a}


def margin(multiplier: float | str | Fraction, unit: float) -> Fraction:
    """γ, exactly: the multiplier as it is written times the unit as the float that it is.

    Promises: tested `tests/test_probe.py::test_decisions_are_those_of_the_exact_predicate`.
    """
    return written(multiplier, "multiplier") * Fraction(unit)


def margin_down(multiplier: float | str | Fraction, unit: float) -> float:
    """The largest float that is at most γ: what the gates compare with, so that rounding never admits.

    Promises: tested `tests/test_probe.py::test_equality_is_admitted_and_the_next_threshold_below_is_not`.
    """
    return enclose(margin(multiplier, unit))[0]


# ---- what a code loses, and what the gates say ----


class Loss(Part):
    """Residuals of one code: Σ (w − ŵ)² over `weights` weights, the largest |w − ŵ|, and how many weights (cubic) or
    vectors of 8 (D8, E8) were clipped; None for a lattice without limit."""

    weights: Positive
    energy: Amount
    largest: Amount
    clipped: Count | None
    mse: Amount

    def derived(self) -> dict[str, Any]:
        return {"mse": self.energy / self.weights}


class Vacuity(Part):
    """Bound over truth, 2√(E·A) / |2⟨τ, a⟩|, over the tiles whose truth is not zero: tenth, half and nine tenths of them lie below."""

    p10: float | None
    median: float | None
    p90: float | None
    tiles_with_zero_truth: Count


class Truth(Part):
    """What nobody knows at run time: how many tiles have |2⟨τ, a⟩| ≤ γ, and how far the bound lies above the truth."""

    tiles: Positive
    within: Count
    share_within: Share
    vacuity: Vacuity

    def derived(self) -> dict[str, Any]:
        return {"share_within": self.within / self.tiles}


class Acceptance(Part):
    """What a gate said about the tiles of one code.

    admitted: tiles that the exact predicate admits.  by_exact: how many of the decisions needed exact arithmetic.
    truth: along the activations that were drawn; None where none were.
    Promises: tested `tests/test_probe.py::test_all_decisions_by_exact_arithmetic_give_the_same_report`.
    """

    tiles: Positive
    admitted: Count
    by_exact: Count
    share_admitted: Share
    truth: Truth | None

    def derived(self) -> dict[str, Any]:
        if max(self.admitted, self.by_exact) > self.tiles or (
            self.truth is not None and not self.admitted <= self.truth.within <= self.truth.tiles == self.tiles
        ):
            raise ValueError("counts must satisfy admitted ≤ within ≤ tiles and by_exact ≤ tiles")
        return {"share_admitted": self.admitted / self.tiles}


class Gate(Part):
    """One gate on every tile, for the three codes, at one margin γ = multiplier × unit, rounded down.

    norm: "energy": 4·E·A ≤ γ², from the residual's 2-norm; "sup": 2·‖τ‖∞ ≤ γ, from its largest coordinate, as one would gate
    a vector of logits.  activation: "unit": any activation of norm at most 1 (2-norm for the energy gate, 1-norm for the other);
    "real": each tile meets the matching part of a real activation, drawn with the seed.
    unit: of the same norm.  e8_over_cubic: ratio of the shares.
    Promises: tested `tests/test_probe.py::test_figures_of_a_tensor_by_other_code`, `tests/test_probe.py::test_the_sup_norm_gate_by_other_code`.
    """

    norm: Literal["energy", "sup"]
    activation: Literal["unit", "real"]
    multiplier: float
    unit: Unit
    gamma: Amount
    gamma_source: Literal["set by us, not by a decision"]
    cubic: Acceptance
    d8: Acceptance
    e8: Acceptance
    e8_over_cubic: Amount | None

    def derived(self) -> dict[str, Any]:
        return {"gamma": margin_down(self.multiplier, self.unit.value), "e8_over_cubic": ratio(self.e8.share_admitted, self.cubic.share_admitted)}


class Curve(Part):
    """Tiles that the energy gate admits for any activation of norm at most 1, per multiplier of the grid in the settings.

    Promises: tested `tests/test_probe.py::test_figures_of_a_tensor_by_other_code`.
    """

    tiles: Positive
    cubic: list[Count]
    d8: list[Count]
    e8: list[Count]

    def derived(self) -> dict[str, Any]:
        for counts in (self.cubic, self.d8, self.e8):
            if any(b < a for a, b in zip(counts, counts[1:])) or (counts and counts[-1] > self.tiles):
                raise ValueError("the counts of a curve must rise, and stay within the number of tiles")
        return {}


# ---- conformal ----


class Level(Part):
    """One level of a calibration of n scores.

    rank: ⌈(n + 1)·q⌉.  threshold: the rank-th smallest score; None when rank > n, and then nothing is admitted.
    certified: (n + 1 − rank)/(n + 1) ≤ 1 − q, what the rate of lies is at most, on average over the draw.
    least_multiplier: 2·threshold / unit, the least multiplier with which the level admits: exact as a fraction, and as a float rounded up.
    admit: 2·threshold ≤ γ, decided exactly; None where every position has a margin of its own.
    exceed: held-out scores above the threshold.  lies: wrong and admitted, of all held-out ones.  lies_of_admitted: the same of those
    that were admitted.  flips: wrong decisions among the admitted, where there are decisions.
    Promises: theorem `Gnosis.conformal_lie_rate_exchangeable`.
    Promises: tested `tests/test_probe.py::test_conformal_figures_by_other_code`.
    """

    q: str
    rank: Positive
    threshold: float | None
    certified: Share
    least_multiplier: Amount | None
    least_multiplier_exact: str | None
    admit: bool | None
    exceed: Rate
    lies: Rate
    lies_of_admitted: Rate
    flips: Count | None


class Coverage(Part):
    """How many held-out scores lie above the rank-th smallest calibration score, the rank being that of level q."""

    q: str
    rank: Positive
    exceed: Count


class Conformal(Part):
    """Thresholds from calibration scores, and what became of them on held-out ones.  A random split of what was read.

    of: "row": the score of a row is the largest 2-norm of its tiles' residuals, rounded up; "position": the score of a position
    of the text is its largest error |⟨τ_i, a⟩| over all rows i that were read; "decision": the same, where the outputs are logits,
    and the margin of a position is its own: the lead of the largest coarse logit.
    top: the largest calibration scores, as many as the least level needs, largest first.  above_half: held-out scores s with 2s > γ.
    flips: held-out positions at which the coarse decision is another one than the exact one, admitted or not; None without decisions.
    histogram: of all scores, counted in twentieths of half the unit, the last bin being open.
    Promises: tested `tests/test_probe.py::test_conformal_figures_by_other_code`.
    """

    of: Literal["row", "position", "decision"]
    code: Name | Literal["stored"]
    calibration: Positive
    held_out: Positive
    unit: Unit
    multiplier: float
    top: Annotated[list[float], Field(min_length=1)]
    above_half: Count
    flips: Count | None
    levels: Annotated[list[Level], Field(min_length=1)]
    coverage: list[Coverage]
    histogram: Annotated[list[Count], Field(min_length=BINS, max_length=BINS)]

    def derived(self) -> dict[str, Any]:
        if any(a < b for a, b in zip(self.top, self.top[1:])) or len(self.top) > self.calibration:
            raise ValueError("top must fall, and hold no more than the calibration scores")
        if sum(self.histogram) != self.calibration + self.held_out or self.above_half > self.held_out:
            raise ValueError("histogram or above_half do not count the scores")
        for found in self.levels:
            expected = level_figures(found.q, self.calibration, self.top, self.unit.value, self.multiplier)
            fixed = self.of != "decision"
            if not fixed:
                expected |= {"admit": None, "least_multiplier": None, "least_multiplier_exact": None}
            for name, value in expected.items():
                if getattr(found, name) != value:
                    raise ValueError(f"level {found.q}: {name} is {getattr(found, name)!r}, recomputed it is {value!r}")
            if {found.exceed.of, found.lies.of} != {self.held_out} or found.lies_of_admitted.count != found.lies.count:
                raise ValueError(f"level {found.q}: the rates do not count the held-out scores")
            if fixed != (self.flips is None) or fixed != (found.flips is None) or (found.flips or 0) > min(self.flips or 0, found.lies_of_admitted.of):
                raise ValueError(f"level {found.q}: flips do not fit")
            if fixed and (found.lies_of_admitted.of, found.lies.count) != ((self.held_out, self.above_half) if found.admit else (0, 0)):
                raise ValueError(f"level {found.q}: what was admitted does not follow from the margin")
        if any(c.rank != rank(self.calibration, c.q) or c.exceed > self.held_out for c in self.coverage):
            raise ValueError("coverage: a rank or a count is not possible")
        return {}


def least_of(threshold: float | None, unit: float) -> Fraction | None:
    """The least multiplier m with 2·threshold ≤ m·unit, exactly; None when there is none.

    Promises: tested `tests/test_probe.py::test_conformal_figures_by_other_code`, `tests/test_probe_frontier.py::test_the_least_multiplier_is_where_a_search_ends`.
    """
    if threshold is None:
        return None
    if not unit:
        return None if threshold > 0 else Fraction(0)
    return 2 * Fraction(threshold) / Fraction(unit)


def level_figures(q: str, calibration: int, top: list[float], unit: float, multiplier: float) -> dict[str, Any]:
    """The derived figures of a level; top: the largest of the calibration scores, largest first."""
    exact = level(q, "q")
    k = rank(calibration, exact)
    if k <= calibration and calibration + 1 - k > len(top):
        raise ValueError(f"level {q} needs the {calibration + 1 - k} largest scores, {len(top)} are there")
    threshold = top[calibration - k] if k <= calibration else None
    least = least_of(threshold, unit)
    return {
        "rank": k,
        "threshold": threshold,
        "certified": enclose(Fraction(max(0, calibration + 1 - k), calibration + 1))[1],
        "least_multiplier": None if least is None else enclose(least)[1],
        "least_multiplier_exact": None if least is None else str(least),
        "admit": threshold is not None and 2 * Fraction(threshold) <= margin(multiplier, unit),
    }


# ---- families of codes ----


class StepEdge(Part):
    """The edges at another step, on a part of the weights."""

    step_over_rms: Amount
    d8: float | None
    e8: float | None


class Family(Part):
    """What the cubic, the D8 and the E8 code of one family lose, and what the gates say about them.  Errors per weight, weight²."""

    cubic: Loss
    d8: Loss
    e8: Loss
    d8_edge: float | None
    e8_edge: float | None
    gates: Annotated[list[Gate], Field(min_length=1)]
    curve: Curve
    conformal: Annotated[list[Conformal], Field(min_length=1)]

    def derived(self) -> dict[str, Any]:
        return {f"{code}_edge": edge(self.cubic.mse, getattr(self, code).mse) for code in ("d8", "e8")}

    def gate(self, norm: str, activation: str = "unit") -> Gate | None:
        return next((g for g in self.gates if (g.norm, g.activation) == (norm, activation)), None)

    def calibrated(self, code: str = "e8") -> list[Conformal]:
        """The calibrations of a code whose margin is one number for all."""
        return [c for c in self.conformal if c.code == code and c.of != "decision"]

    @property
    def least_multiplier(self) -> Fraction | None:
        """The least multiplier with which every level of E8 admits, exactly; None when one of them never does.

        Promises: tested `tests/test_probe_frontier.py::test_the_least_multiplier_is_where_a_search_ends`.
        """
        every = [found.least_multiplier_exact for c in self.calibrated() for found in c.levels]
        return None if None in every else max(grammar.fraction(x, "least_multiplier_exact") for x in every if x is not None)


class Lattice(Family):
    """Z⁸, D8 and E8 scaled to equal determinant, step⁸, without any limit on the points: equal rate in the limit of a small step.

    cell_counts: cubic residuals over the step, in 16 equal bins from −1/2 to 1/2.  cell_moment: cubic mse / (step²/12);
    cell_distance: half the sum of |share − 1/16|.  Both are what a uniform residual gives, 1 and 0, when residuals fill the cell.
    """

    step: Annotated[float, Field(gt=0)]
    step_over_rms: Annotated[float, Field(gt=0)]
    d8_edge_theory: float
    e8_edge_theory: float
    cell_counts: Annotated[list[Count], Field(min_length=CELLS, max_length=CELLS)]
    cell_moment: Amount
    cell_distance: Share
    edge_by_step: list[StepEdge]

    def derived(self) -> dict[str, Any]:
        if sum(self.cell_counts) != self.cubic.weights:
            raise ValueError("cell_counts do not count the weights")
        distance = sum(abs(Fraction(c, self.cubic.weights) - Fraction(1, CELLS)) for c in self.cell_counts) / 2
        return super().derived() | {
            "d8_edge_theory": EDGE_THEORY["d8"],
            "e8_edge_theory": EDGE_THEORY["e8"],
            "cell_moment": self.cubic.mse / (self.step**2 / 12),
            "cell_distance": float(distance),
        }


class Bounded(Family):
    """Real codes of equal size: at most 2³² points per 8 weights and a float16 scale per 32 weights for all three.

    Promises: tested `tests/test_probe_codes.py::test_bounded_codes_rank_as_their_lattices`.
    """

    bits_per_weight: Annotated[float, Field(gt=0)]


# ---- how numbers are spread ----


class Tails(Part):
    """How unevenly numbers are spread, weights or activations: where the outliers live.

    energy, fourth: sums of squares and fourth powers of `count` numbers.  kurtosis: 3 for Gaussian numbers.
    top_columns: the hundredth of the columns (at least one) with the most energy, top_rows the same of the rows (for
    activations: of the positions); the share of the energy that they hold, beside the share if all were alike.
    Promises: tested `tests/test_probe.py::test_tails_by_other_code`.
    """

    rows: Positive
    columns: Positive
    energy: Amount
    fourth: Amount
    largest: Amount
    top_columns: Positive
    top_columns_energy: Amount
    top_rows: Positive
    top_rows_energy: Amount
    rms: Amount
    kurtosis: Amount | None
    largest_over_rms: Amount | None
    top_columns_share: Amount | None
    top_columns_even: Share
    top_rows_share: Amount | None
    top_rows_even: Share

    def derived(self) -> dict[str, Any]:
        count = self.rows * self.columns
        rms = math.sqrt(self.energy / count)
        return {
            "rms": rms,
            "kurtosis": ratio(count * self.fourth, self.energy * self.energy),
            "largest_over_rms": ratio(self.largest, rms),
            "top_columns_share": ratio(self.top_columns_energy, self.energy),
            "top_columns_even": self.top_columns / self.columns,
            "top_rows_share": ratio(self.top_rows_energy, self.energy),
            "top_rows_even": self.top_rows / self.rows,
        }
