"""The probe's report: what a report file may hold, and how it is written and read.

A report consists of what was counted and summed (raw figures) and of what follows from it (derived figures: shares, edges,
thresholds, intervals, admissions, summaries).  Every class below says in `derived` how its derived figures come from raw ones;
they are computed there and nowhere else, and computed again whenever a report is read: a figure that is not
exactly the one recomputed is refused, and so are unknown fields, missing fields, NaN and infinities.
"""
from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ..files import grammar, output
from ..numbers.bounds import enclose
from ..risk.extrapolation import clopper_pearson_lower, clopper_pearson_upper
from ..gates.conformal import rank
from ..files.inputs import read_bytes
from ..numbers.levels import level, written
from ..codes.families import CELLS, EDGE_THEORY

SCHEMA = "gnosis.probe/2"
PREDICATE = "finite && cell_filling && e8_mse_le_cubic && e8_energy_accept_ge_cubic && all_conformal_admit"
CONJUNCTS = tuple(PREDICATE.split(" && "))
CONFIDENCE = "0.975"        # of each side of an interval: 95 percent in all
BIN, BINS = Fraction(1, 20), 80         # of histograms of scores, in multiples of half the unit

# What the predicate and its use rest on: module, theorem, and what it says.  A conjunct that no theorem speaks about is measured.
SPINE = (
    ("Gnosis.EnergyMarginBridgeAdmissibility", "Gnosis.energy_sidecar_sound",
     "e8_energy_accept_ge_cubic: a tile is accepted when 4·E·A ≤ γ², which implies −γ ≤ 2⟨τ, a⟩ ≤ γ"),
    ("Gnosis.EnergyMarginBridgeAdmissibility", "Gnosis.energy_bridge_sharp",
     "the bound of the energy gate is attained, so the distance between bound and truth is not slack of the gate"),
    ("Gnosis.EnergyMarginBridgeAdmissibility", "Gnosis.energy_sidecar_scale_invariant", "a common unit of residual and margin changes no decision: why a multiplier says it all"),
    ("Gnosis.ConformalCoverageAdmissibility", "Gnosis.conformal_rank_spec", "all_conformal_admit: the rank ⌈(n + 1)·q⌉ of a threshold"),
    ("Gnosis.ConformalCoverageProbability", "Gnosis.conformal_admitted_failure_rate",
     "all_conformal_admit: admitted, and yet above half the margin, with probability at most 1 − q for exchangeable scores"),
    ("Gnosis.QualityMarginCacheAdmissibility", "Gnosis.argmax_preserved", "what an admission is for: errors within half the margin leave the argmax where it is"),
    ("Gnosis.JitDequantAdmissibility", "Gnosis.jit_dequant_sound", "both composed: coarse rows whose energies pass the gate leave the argmax of the exact product"),
    ("Gnosis.BasinSeparatrixAdmissibility", "Gnosis.basin_sound", "the same budget along the steps of a sampler; no figure of this report uses it"),
)

MOST = 2 ** 53               # of a count; a float holds every one
MOST_TRIALS = 2 ** 24        # of a rate, so that an interval takes no more than seconds
Count = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Share = Annotated[float, Field(ge=0, le=1)]
Amount = Annotated[float, Field(ge=0)]
Name = Literal["cubic", "d8", "e8"]


class Part(BaseModel):
    """A piece of a report.  `derived` gives the derived figures by name, from the raw ones."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    def derived(self) -> dict[str, Any]:
        return {}

    @classmethod
    def make(cls, **raw: Any) -> Self:
        """The piece with these raw figures; the derived ones are computed."""
        return cls(**raw, **cls.model_construct(**raw).derived())

    @model_validator(mode="after")
    def _recomputed(self) -> Self:
        try:
            derived = self.derived()
        except (ArithmeticError, LookupError, StopIteration, TypeError) as error:       # figures out of all proportion, or that do not fit together
            raise ValueError(f"cannot be recomputed: {type(error).__name__}: {error}") from None
        for name, expected in derived.items():
            if getattr(self, name) != expected:
                raise ValueError(f"{name} is {_shown(getattr(self, name))}, recomputed it is {_shown(expected)}")
        return self


def _shown(value: Any) -> str:
    text = value.model_dump_json() if isinstance(value, BaseModel) else repr(value)
    return text if len(text) <= 120 else text[:119] + "…"


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
    """

    residual_energy: Amount
    residuals: Positive
    activation_energy: Amount | None
    activations: Positive | None
    value: Amount

    def derived(self) -> dict[str, Any]:
        a = 1.0 if self.activation_energy is None or self.activations is None else math.sqrt(self.activation_energy / self.activations)
        return {"value": math.sqrt(self.residual_energy / self.residuals) * a}


def margin(multiplier: float | str, unit: float) -> Fraction:
    """γ, exactly: the multiplier as it is written times the unit as the float that it is."""
    return written(multiplier, "multiplier") * Fraction(unit)


def margin_down(multiplier: float | str, unit: float) -> float:
    """The largest float that is at most γ: what the gates compare with, so that rounding never admits."""
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
    """

    tiles: Positive
    admitted: Count
    by_exact: Count
    share_admitted: Share
    truth: Truth | None

    def derived(self) -> dict[str, Any]:
        if max(self.admitted, self.by_exact) > self.tiles or (self.truth is not None and not self.admitted <= self.truth.within <= self.truth.tiles == self.tiles):
            raise ValueError("counts must satisfy admitted ≤ within ≤ tiles and by_exact ≤ tiles")
        return {"share_admitted": self.admitted / self.tiles}


class Gate(Part):
    """One gate on every tile, for the three codes, at one margin γ = multiplier × unit, rounded down.

    norm: "energy": 4·E·A ≤ γ², from the residual's 2-norm; "sup": 2·‖τ‖∞ ≤ γ, from its largest coordinate, as one would gate
    a vector of logits.  activation: "unit": any activation of norm at most 1 (2-norm for the energy gate, 1-norm for the other);
    "real": each tile meets the matching part of a real activation, drawn with the seed.
    unit: of the same norm.  e8_over_cubic: ratio of the shares.
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
    """Tiles that the energy gate admits for any activation of norm at most 1, per multiplier of the grid in the settings."""

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
    """

    of: Literal["row", "position", "decision"]
    code: Name
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
    """The least multiplier m with 2·threshold ≤ m·unit, exactly; None when there is none."""
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
    return {"rank": k, "threshold": threshold, "certified": enclose(Fraction(max(0, calibration + 1 - k), calibration + 1))[1],
            "least_multiplier": None if least is None else enclose(least)[1], "least_multiplier_exact": None if least is None else str(least),
            "admit": threshold is not None and 2 * Fraction(threshold) <= margin(multiplier, unit)}


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
        """The calibrations of a code whose margin is one and the same for all."""
        return [c for c in self.conformal if c.code == code and c.of != "decision"]

    @property
    def least_multiplier(self) -> Fraction | None:
        """The least multiplier with which every level of E8 admits, exactly; None when one of them never does."""
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
        return super().derived() | {"d8_edge_theory": EDGE_THEORY["d8"], "e8_edge_theory": EDGE_THEORY["e8"],
                                    "cell_moment": self.cubic.mse / (self.step ** 2 / 12), "cell_distance": float(distance)}


class Bounded(Family):
    """Real codes of equal size: at most 2³² points per 8 weights and a float16 scale per 32 weights for all three."""

    bits_per_weight: Annotated[float, Field(gt=0)]


# ---- tensors ----


class Tails(Part):
    """How unevenly numbers are spread, weights or activations: where the outliers live.

    energy, fourth: sums of squares and fourth powers of `count` numbers.  kurtosis: 3 for Gaussian numbers.
    top_columns: the hundredth of the columns (at least one) with the most energy, top_rows the same of the rows (for
    activations: of the positions); the share of the energy that they hold, beside the share if all were alike.
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
        return {"rms": rms, "kurtosis": ratio(count * self.fourth, self.energy * self.energy), "largest_over_rms": ratio(self.largest, rms),
                "top_columns_share": ratio(self.top_columns_energy, self.energy), "top_columns_even": self.top_columns / self.columns,
                "top_rows_share": ratio(self.top_rows_energy, self.energy), "top_rows_even": self.top_rows / self.rows}


class Admission(Part):
    """The predicate, conjunct by conjunct, for one tensor and one family of codes."""

    finite: bool
    cell_filling: bool
    e8_mse_le_cubic: bool
    e8_energy_accept_ge_cubic: bool
    all_conformal_admit: bool
    admitted: bool

    def derived(self) -> dict[str, Any]:
        return {"admitted": not self.failed}

    @property
    def failed(self) -> list[str]:
        return [name for name in CONJUNCTS if not getattr(self, name)]


class Sanity(Part):
    """What the sanity gate compared before anything was computed: values decoded by a second decoder, and by a library of the format.

    Both are 0 for a type that has no second decoder and whose first one is the library's: then it was decoded once.
    """

    values_redecoded: Count
    values_by_library: Count
    library: str | None


class NonFinite(Part):
    """Rows with a NaN or an infinity: left out of every figure, and the tensor is rejected.  first: file, tensor, offset, row, column."""

    rows: Count
    first: str | None


class Tensor(Part):
    """One matrix.  tile: weights of a tile.  lattice, bounded: the two families; admission, bounded_admission: the predicate for each."""

    name: str
    role: Literal["embedding", "attention", "ffn", "head", "other"]
    layer: int | None
    shape: list[Positive]
    encoding: str
    rows_total: Positive
    rows_read: Positive
    sampled: bool
    non_finite: NonFinite
    columns: Positive
    columns_left_over: Count
    tile: Positive
    tiles: Positive
    effective_dimension: float | None
    effective_dimension_white: float
    mean_abs_correlation: float | None
    mean_abs_correlation_independent: float
    constant_columns: Count
    statistics_columns: Positive
    sanity: Sanity
    weights: Tails
    activations: Tails | None
    cell_tolerance: float
    lattice: Lattice
    bounded: Bounded
    admission: Admission
    bounded_admission: Admission

    def derived(self) -> dict[str, Any]:
        rows = self.rows_read - self.non_finite.rows
        if self.rows_read > self.rows_total or rows < 1:
            raise ValueError("rows_read, rows_total and non_finite do not fit together")
        if self.tiles != rows * (self.columns // self.tile) or self.columns_left_over != self.columns % self.tile:
            raise ValueError("tiles or columns_left_over do not follow from rows, columns and tile")
        for family in (self.lattice, self.bounded):
            if {x.tiles for g in family.gates for x in (g.cubic, g.d8, g.e8)} | {family.curve.tiles} != {self.tiles}:
                raise ValueError("a gate decided another number of tiles than the tensor has")
            if {x.weights for x in (family.cubic, family.d8, family.e8)} != {self.tiles * self.tile}:
                raise ValueError("the losses are not those of the tiles")
            for g in family.gates:
                if g.norm == "energy" and (g.unit.residual_energy, g.unit.residuals) != (family.cubic.energy, self.tiles):
                    raise ValueError("the unit of an energy gate is not that of the cubic residuals")
            for c in family.conformal:
                if c.of == "row" and (c.calibration + c.held_out, c.unit.residual_energy, c.unit.residuals) != (rows, family.cubic.energy, self.tiles):
                    raise ValueError("a calibration of rows is not that of the rows that were read")
        return {"sampled": self.rows_read < self.rows_total, "admission": admission(self, self.lattice), "bounded_admission": admission(self, self.bounded)}


def admission(tensor: Tensor, family: Family) -> Admission:
    """The predicate.  The cell is that of the unbounded cubic lattice for both families."""
    gate, lattice = family.gate("energy"), tensor.lattice
    assert gate is not None
    return Admission.make(
        finite=tensor.non_finite.rows == 0,
        cell_filling=abs(lattice.cell_moment - 1) <= tensor.cell_tolerance and lattice.cell_distance <= tensor.cell_tolerance,
        e8_mse_le_cubic=family.e8.mse <= family.cubic.mse,
        e8_energy_accept_ge_cubic=gate.e8.admitted >= gate.cubic.admitted,
        all_conformal_admit=all(found.admit for c in family.calibrated() for found in c.levels))


# ---- summaries ----


class Layer(Part):
    """The matrices of one layer together; layer: None for those that belong to none.

    Edges from the sums of all residual energies; shares of tiles with the unit energy gate; least_multiplier: of the matrix that
    needs most, None when one never admits; weights_admitted: of the matrices that the predicate admits.
    """

    layer: int | None
    tensors: Positive
    weights: Positive
    weights_admitted: Count
    share_admitted: Share
    refused: list[str]
    e8_edge: float | None
    bounded_e8_edge: float | None
    cubic_accepted: Share
    e8_accepted: Share
    least_multiplier: Amount | None
    bounded_least_multiplier: Amount | None
    bounded_refused: list[str]


def _most(multipliers: Iterable[Fraction | None]) -> float | None:
    every = list(multipliers)
    return None if None in every else enclose(max(x for x in every if x is not None))[1]


def layers(tensors: list[Tensor]) -> list[Layer]:
    """One entry per layer, in order, those without a layer first."""
    out = []
    for number in sorted({t.layer for t in tensors}, key=lambda n: -1 if n is None else n):
        own = [t for t in tensors if t.layer == number]
        weights = sum(math.prod(t.shape) for t in own)
        passed = sum(math.prod(t.shape) for t in own if t.admission.admitted)
        gates = [g for t in own if (g := t.lattice.gate("energy")) is not None]
        tiles = sum(t.tiles for t in own)

        def total(family: str, code: str) -> float:
            return math.fsum(getattr(getattr(t, family), code).energy for t in own)

        out.append(Layer(
            layer=number, tensors=len(own), weights=weights, weights_admitted=passed, share_admitted=passed / weights,
            refused=[t.name for t in own if not t.admission.admitted], bounded_refused=[t.name for t in own if not t.bounded_admission.admitted],
            e8_edge=edge(total("lattice", "cubic"), total("lattice", "e8")), bounded_e8_edge=edge(total("bounded", "cubic"), total("bounded", "e8")),
            cubic_accepted=sum(g.cubic.admitted for g in gates) / tiles, e8_accepted=sum(g.e8.admitted for g in gates) / tiles,
            least_multiplier=_most(t.lattice.least_multiplier for t in own), bounded_least_multiplier=_most(t.bounded.least_multiplier for t in own)))
    return out


class Outliers(Part):
    """Medians over the matrices of one role: of the weights, and of the activations that reach them.

    activations_heavier: of `both` matrices with activations, those whose activations have the larger kurtosis.
    """

    role: str
    tensors: Positive
    both: Count
    weights_kurtosis: float | None
    weights_largest_over_rms: float | None
    weights_top_columns_share: float | None
    activations_kurtosis: float | None
    activations_largest_over_rms: float | None
    activations_top_columns_share: float | None
    activations_heavier: Count


def outliers(tensors: list[Tensor]) -> list[Outliers]:
    """One entry per role that occurs."""
    out = []
    for role in dict.fromkeys(t.role for t in tensors):
        own = [t for t in tensors if t.role == role]
        both = [t for t in own if t.activations is not None]

        def middle(parts: list[Tails | None], name: str) -> float | None:
            values = [v for p in parts if p is not None and (v := getattr(p, name)) is not None]
            return float(median(values)) if values else None

        figures = {f"{what}_{name}": middle([getattr(t, what) for t in own], name)
                   for what in ("weights", "activations") for name in ("kurtosis", "largest_over_rms", "top_columns_share")}
        heavier = sum((t.activations.kurtosis or 0) > (t.weights.kurtosis or 0) for t in both if t.activations is not None)
        out.append(Outliers(role=role, tensors=len(own), both=len(both), activations_heavier=heavier, **figures))
    return out


class Rejected(Part):
    tensor: str
    failed: list[str]


class Verdict(Part):
    """The predicate over all matrices: admitted when it holds for every one."""

    predicate: str
    admitted: bool
    tensors: Positive
    tensors_admitted: Count
    rejected: list[Rejected]
    bounded_admitted: bool
    bounded_tensors_admitted: Count
    bounded_rejected: list[Rejected]


def verdict(tensors: list[Tensor]) -> Verdict:
    lattice, bounded = ([Rejected(tensor=t.name, failed=found.failed) for t in tensors if not (found := getattr(t, name)).admitted]
                        for name in ("admission", "bounded_admission"))
    return Verdict(predicate=PREDICATE, admitted=not lattice, tensors=len(tensors), tensors_admitted=len(tensors) - len(lattice), rejected=lattice,
                   bounded_admitted=not bounded, bounded_tensors_admitted=len(tensors) - len(bounded), bounded_rejected=bounded)


# ---- the whole ----


class Skipped(Part):
    name: str
    reason: str


class Source(Part):
    """A file that was read."""

    file: str
    bytes: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ModelFile(Part):
    """What was read."""

    name: str
    format: Literal["safetensors", "gguf", "npy", "npz"]
    bytes: Count
    files: Annotated[list[Source], Field(min_length=1)]
    tensors: Count

    def derived(self) -> dict[str, Any]:
        return {"bytes": sum(f.bytes for f in self.files)}


def _decimal(text: str) -> str:
    grammar.decimal(text, "number")
    return text


class Grid(Part):
    """Multipliers from start to stop in equal steps, as decimals."""

    start: str = "1.00"
    stop: str = "3.00"
    step: str = "0.05"

    @field_validator("start", "stop", "step")
    @classmethod
    def _number(cls, text: str) -> str:
        return _decimal(text)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        start, stop, step = (written(x, "grid") for x in (self.start, self.stop, self.step))
        if not (0 < start <= stop and step > 0 and (stop - start) / step <= 1000):
            raise ValueError("must rise from above zero, in at most 1000 steps")
        return self

    def multipliers(self) -> list[Fraction]:
        start, stop, step = (written(x, "grid") for x in (self.start, self.stop, self.step))
        return [start + i * step for i in range(int((stop - start) / step) + 1)]


class Settings(Part):
    """Everything that the figures depend on besides the files.

    profile, profile_sha256: where the settings came from, and the SHA-256 of that file.
    rows: at most so many rows per tensor, drawn with the seed.  tile: m, a tile is 8·m consecutive weights of a row; "row": as many as
    a row holds.  gamma_multiplier: γ in units of the cubic residual.  step_over_rms: step of the unbounded lattices over the RMS
    of the tensor's weights.  q_values: conformal levels, as decimals.  calibration_share: of the rows or positions; the others are
    held out.  cell_tolerance: how far cell_moment may be from 1 and cell_distance from 0.  positions: at most so many of the text.
    grid: multipliers of the curves.  matrix_type: "any", "float" or an encoding.  tensors: patterns of names.
    """

    profile: str = "dev-balanced"
    profile_sha256: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2 ** 64)] = 0
    rows: Annotated[int, Field(ge=8, le=MOST_TRIALS)] = 4096
    tile: Annotated[int, Field(ge=1, le=2 ** 16)] | Literal["row"] = "row"
    gamma_multiplier: Annotated[float, Field(gt=0, le=1e6)] = 2.0
    step_over_rms: Annotated[float, Field(ge=0.01, le=100)] = 0.335
    q_values: Annotated[list[str], Field(min_length=1, max_length=32)] = ["0.95", "0.99"]
    calibration_share: Annotated[float, Field(gt=0, lt=1)] = 0.6
    cell_tolerance: Annotated[float, Field(gt=0, lt=1)] = 0.05
    positions: Annotated[int, Field(ge=0, le=2 ** 16)] = 256
    grid: Grid = Grid()
    matrix_type: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+$")] = "any"
    tensors: list[str] = []

    @field_validator("q_values")
    @classmethod
    def _levels(cls, values: list[str]) -> list[str]:
        exact = [level(_decimal(q), "q_values") for q in values]
        if sorted(set(exact)) != exact:
            raise ValueError("levels must rise")
        return values


class Activations(Part):
    """Where the activations come from; reason: why there are no real ones.  head: the matrix whose outputs are the logits of a language model."""

    real: bool
    source: str
    text_sha256: str | None
    passages: Count
    tokens: Count
    positions: Count
    head: str | None
    reason: str | None


class Run(Part):
    """Facts about the run that no figure depends on.

    budget_bytes: what the work may take in memory beside the files; work_bytes: the most that its arrays were reckoned to take.
    peak_rss_bytes: what the process held at most, mapped pages, libraries and activations included.
    """

    version: str
    seconds: Amount
    workers: Positive
    budget_bytes: Positive
    work_bytes: Count
    peak_rss_bytes: Count
    isa: str
    python: str
    numpy: str


class SpineModule(Part):
    module: str
    theorem: str
    says: str


def spine() -> list[SpineModule]:
    return [SpineModule(module=m, theorem=t, says=s) for m, t, s in SPINE]


class Report(Part):
    """A whole probe.  digest: SHA-256 of the rest, as `digest_of` writes it."""

    schema_: Literal["gnosis.probe/2"] = Field(SCHEMA, alias="schema")
    model: ModelFile
    settings: Settings
    activations: Activations
    verdict: Verdict
    spine: list[SpineModule]
    layers: list[Layer]
    outliers: list[Outliers]
    tensors: Annotated[list[Tensor], Field(min_length=1)]
    skipped: list[Skipped]
    run: Run
    digest: str

    model_config = ConfigDict(populate_by_name=True)

    def derived(self) -> dict[str, Any]:
        s = self.settings
        points = len(s.grid.multipliers())
        for t in self.tensors:
            if t.tile != (t.columns // 8 * 8 if s.tile == "row" else 8 * s.tile) or t.rows_read > s.rows or t.cell_tolerance != s.cell_tolerance:
                raise ValueError(f"{t.name}: tile, rows_read or cell_tolerance do not follow from the settings")
            if t.lattice.step != float(np.float32(t.weights.rms * s.step_over_rms)):
                raise ValueError(f"{t.name}: step is not step_over_rms × rms")
            if t.lattice.step_over_rms != s.step_over_rms:
                raise ValueError(f"{t.name}: step_over_rms is not that of the settings")
            for family in (t.lattice, t.bounded):
                if {len(family.curve.cubic), len(family.curve.d8), len(family.curve.e8)} != {points}:
                    raise ValueError(f"{t.name}: a curve does not have the {points} points of the grid")
                if {x.multiplier for x in (*family.gates, *family.conformal)} != {s.gamma_multiplier}:
                    raise ValueError(f"{t.name}: a multiplier is not that of the settings")
                if any([found.q for found in c.levels] != s.q_values for c in family.conformal):
                    raise ValueError(f"{t.name}: the levels are not those of the settings")
        first = {"spine": spine(), "verdict": verdict(self.tensors), "layers": layers(self.tensors), "outliers": outliers(self.tensors)}
        return first | {"digest": digest_of(self.model_copy(update=first))}


def digest_of(part: BaseModel) -> str:
    """SHA-256 of the JSON text with sorted keys, no spaces, and without the field `digest`."""
    data = part.model_dump(mode="json", by_alias=True, exclude={"digest"})
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()).hexdigest()


def to_json(part: BaseModel) -> str:
    """The report as JSON text, one line per field and one per tensor; validated once more from that text."""
    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    def block(value: Any) -> str:
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n  " + ",\n  ".join(map(line, value)) + "\n ]"
        return line(value)

    fields = part.model_dump(mode="json", by_alias=True)
    text = "{\n " + ",\n ".join(f"{line(name)}: {block(value)}" for name, value in fields.items()) + "\n}\n"
    type(part).model_validate_json(text)
    return text


def write(part: BaseModel, path: Path) -> None:
    """Write a report.  Raises OSError."""
    output.write(path, to_json(part))


def read(path: Path) -> Report:
    """Read and validate a report file.  Raises pydantic.ValidationError, OSError or ArgumentError."""
    return Report.model_validate_json(read_bytes(path, "report"))
