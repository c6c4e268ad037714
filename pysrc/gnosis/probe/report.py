"""The probe's report: what a report file may hold, and how it is written and read.

Nothing is added or left out: unknown fields, missing fields, NaN and infinities are refused, and figures that follow from
others in the report are computed again and compared.
"""
from __future__ import annotations

import json
import math
import os
import tempfile
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .codes import EDGE_THEORY

SCHEMA = "gnosis.probe/1"
THEOREMS = ("Gnosis.energy_sidecar_sound", "Gnosis.energy_bridge_sound", "Gnosis.energy_bridge_sharp",
            "Gnosis.energy_sidecar_scale_invariant")

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Amount = Annotated[float, Field(ge=0)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15)


def edge(cubic: float, e8: float) -> float | None:
    """How much lower E8's mean squared error is, as a share of the cubic one; None when the cubic one is zero."""
    return 1 - e8 / cubic if cubic > 0 else None


class Vacuity(Part):
    """Bound over truth, 2√(E·A) / |2⟨τ, a⟩|, over the tiles whose truth is not zero: tenth, half and nine tenths of them lie below."""

    p10: float | None
    median: float | None
    p90: float | None
    tiles_with_zero_truth: Count


class Admission(Part):
    """What the gate said about the tiles of one code.

    admitted: tiles with 4·E·A ≤ γ², decided exactly.  by_exact: how many of the decisions needed exact arithmetic.
    truth_within: tiles whose true |2⟨τ, a⟩| is at most γ, which nobody knows at run time; never fewer than admitted.
    """

    tiles: Annotated[int, Field(ge=1)]
    admitted: Count
    share_admitted: Share
    by_exact: Count
    truth_within: Count
    share_truth_within: Share
    vacuity: Vacuity

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not (self.admitted <= self.truth_within <= self.tiles and self.by_exact <= self.tiles):
            raise ValueError("counts must satisfy admitted ≤ truth_within ≤ tiles and by_exact ≤ tiles")
        if not (_same(self.share_admitted, self.admitted / self.tiles) and _same(self.share_truth_within, self.truth_within / self.tiles)):
            raise ValueError("a share is not its count over the number of tiles")
        return self


class Gate(Part):
    """The energy gate on every tile, for both codes, at one threshold.

    activation: "unit": the gate bounds any activation of energy at most 1, the truth is taken along a random unit direction;
    "real": each tile meets the matching part of a real activation, drawn with the seed.
    gamma: multiplier × RMS residual norm of the cubic tiles × RMS norm of the activation's tiles (1 for "unit").
    """

    activation: Literal["unit", "real"]
    gamma: Amount
    gamma_source: Literal["set by us, not by a decision: multiplier × cubic RMS tile residual × RMS tile activation"]
    cubic_rms_residual: Amount
    activation_rms: Amount
    cubic: Admission
    e8: Admission


class StepEdge(Part):
    """The edge at another step, on a part of the weights."""

    step_over_rms: Amount
    edge: float | None


class Family(Part):
    """What a cubic and an E8 code of one family lose, and what the gate says about them.  Errors per weight, weight²."""

    cubic_mse: Amount
    e8_mse: Amount
    edge: float | None
    gates: Annotated[list[Gate], Field(min_length=1)]

    @model_validator(mode="after")
    def _edge(self) -> Self:
        expected = edge(self.cubic_mse, self.e8_mse)
        if (expected is None) != (self.edge is None) or (expected is not None and not _same(expected, self.edge)):
            raise ValueError("edge is not 1 − e8_mse / cubic_mse")
        return self


class Unbounded(Family):
    """Z⁸ and E8 scaled by the same step, so with equal determinant, without any limit on the points."""

    step: Annotated[float, Field(gt=0)]
    step_over_rms: Annotated[float, Field(gt=0)]
    edge_theory: float
    cell_filling: Amount
    edge_by_step: list[StepEdge]

    @model_validator(mode="after")
    def _scale(self) -> Self:
        if not _same(self.edge_theory, EDGE_THEORY):
            raise ValueError(f"edge_theory must be {EDGE_THEORY}")
        if not math.isclose(self.cell_filling, self.cubic_mse / (self.step ** 2 / 12), rel_tol=1e-9, abs_tol=1e-15):
            raise ValueError("cell_filling is not cubic_mse / (step² / 12)")
        return self


class Bounded(Family):
    """Real codes of equal size: 4 bits per weight and a float16 scale per 32 weights for both."""

    bits_per_weight: Annotated[float, Field(gt=0)]
    cubic_clipped_share: Share
    e8_clipped_share: Share


class Sanity(Part):
    """What the sanity gate compared before anything was computed."""

    values_redecoded: Count
    values_by_library: Count
    library: str | None


class Tensor(Part):
    """One matrix."""

    name: str
    role: Literal["embedding", "attention", "ffn", "head", "other"]
    layer: int | None
    shape: list[Annotated[int, Field(ge=1)]]
    encoding: str
    rows_total: Annotated[int, Field(ge=1)]
    rows_read: Annotated[int, Field(ge=1)]
    sampled: bool
    columns: Annotated[int, Field(ge=1)]
    columns_left_over: Count
    tiles: Annotated[int, Field(ge=1)]
    rms: Annotated[float, Field(gt=0)]
    largest: Annotated[float, Field(gt=0)]
    effective_dimension: float | None
    effective_dimension_white: float
    mean_abs_correlation: float | None
    mean_abs_correlation_independent: float
    constant_columns: Count
    statistics_columns: Annotated[int, Field(ge=1)]
    sanity: Sanity
    unbounded: Unbounded
    bounded: Bounded

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.sampled != (self.rows_read < self.rows_total) or self.rows_read > self.rows_total:
            raise ValueError("sampled must say whether fewer rows were read than there are")
        for gate in (*self.unbounded.gates, *self.bounded.gates):
            if {gate.cubic.tiles, gate.e8.tiles} != {self.tiles}:
                raise ValueError("a gate decided another number of tiles than the tensor has")
        return self


class Skipped(Part):
    name: str
    reason: str


class ModelFile(Part):
    """The file that was read.  sha256 is left out above 1 GiB."""

    name: str
    file: str
    format: Literal["safetensors", "gguf"]
    bytes: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None
    tensors: Count


class Settings(Part):
    """Everything that the figures depend on besides the file.

    rows: at most so many rows per tensor, drawn with the seed.  tile: m, a tile is 8·m consecutive weights of a row.
    step_over_rms: step of the unbounded lattices over the RMS of the tensor's weights.
    """

    seed: Annotated[int, Field(ge=0, lt=2 ** 64)] = 0
    rows: Annotated[int, Field(ge=2)] = 4096
    tile: Annotated[int, Field(ge=1, le=2 ** 16)] = 8
    gamma_multiplier: Annotated[float, Field(gt=0, le=1e6)] = 2.0
    step_over_rms: Annotated[float, Field(ge=0.01, le=100)] = 0.335
    tensors: list[str] = []


class Activations(Part):
    """Where the activations come from; reason: why there are no real ones."""

    real: bool
    source: str
    sentences: Count
    tokens: Count
    reason: str | None


class Run(Part):
    """Facts about the run that no figure depends on."""

    version: str
    seconds: Amount
    isa: str
    python: str
    numpy: str


class Report(Part):
    """A whole probe."""

    schema_: Literal["gnosis.probe/1"] = Field(SCHEMA, alias="schema")
    model: ModelFile
    settings: Settings
    activations: Activations
    theorems: list[str]
    tensors: Annotated[list[Tensor], Field(min_length=1)]
    skipped: list[Skipped]
    run: Run

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        s, n = self.settings, 8 * self.settings.tile
        for t in self.tensors:
            if t.tiles != t.rows_read * (t.columns // n) or t.columns_left_over != t.columns % n or t.rows_read > max(s.rows, 2):
                raise ValueError(f"{t.name}: tiles, rows_read or columns_left_over do not follow from the settings")
            if t.unbounded.step_over_rms != s.step_over_rms or not math.isclose(t.unbounded.step, s.step_over_rms * t.rms, rel_tol=1e-6):
                raise ValueError(f"{t.name}: step is not step_over_rms × rms")
            for family in (t.unbounded, t.bounded):
                for g in family.gates:
                    if not math.isclose(g.cubic_rms_residual ** 2, family.cubic_mse * n, rel_tol=1e-9):
                        raise ValueError(f"{t.name}: cubic_rms_residual² is not cubic_mse × weights of a tile")
                    if not math.isclose(g.gamma, s.gamma_multiplier * g.cubic_rms_residual * g.activation_rms, rel_tol=1e-9):
                        raise ValueError(f"{t.name}: gamma is not multiplier × cubic_rms_residual × activation_rms")
        return self


def to_json(report: Report) -> str:
    """The report as JSON text, validated once more from that text."""
    text = json.dumps(report.model_dump(mode="json", by_alias=True), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    Report.model_validate_json(text)
    return text


def write(report: Report, path: Path) -> None:
    """Write the report; the file appears whole or not at all."""
    text = to_json(report)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)      # mkstemp makes files that only their owner may read
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read(path: Path) -> Report:
    """Read and validate a report file.  Raises pydantic.ValidationError or OSError."""
    return Report.model_validate_json(path.read_bytes())
