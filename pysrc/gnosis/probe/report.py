"""The probe's report as a whole: the file that holds it, and how it is read.

A report consists of what was counted and summed (raw figures) and of what follows from it (derived figures: shares, edges,
thresholds, intervals, admissions, summaries).  Every class of its pieces says in `derived` how its derived figures come from raw
ones (`gnosis.probe.part`); the pieces are those of `settings`, `figures`, `tensor` and `verdict`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import ConfigDict, Field

from ..files.inputs import read_bytes
from .part import Amount, Count, Part, Positive, digest_of
from .settings import Settings
from .tensor import Tensor
from .verdict import Layer, Outliers, SpineModule, Verdict, layers, outliers, spine, verdict

SCHEMA: Final = "gnosis.probe/3"


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
    peak_rss_bytes: the most that the process held, mapped pages, libraries and activations included.
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


class Report(Part):
    """A whole probe.  digest: SHA-256 of the rest, as `digest_of` writes it."""

    schema_: Literal["gnosis.probe/3"] = Field(SCHEMA, alias="schema")
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
                if {g.multiplier for g in family.gates} | {c.multiplier for c in family.conformal} != {s.gamma_multiplier}:
                    raise ValueError(f"{t.name}: a multiplier is not that of the settings")
                if any([found.q for found in c.levels] != s.q_values for c in family.conformal):
                    raise ValueError(f"{t.name}: the levels are not those of the settings")
        first = {"spine": spine(), "verdict": verdict(self.tensors), "layers": layers(self.tensors), "outliers": outliers(self.tensors)}
        return first | {"digest": digest_of(self.model_copy(update=first))}


def read(path: Path) -> Report:
    """Read and validate a report file.  Raises pydantic.ValidationError, OSError or ArgumentError."""
    return Report.model_validate_json(read_bytes(path, "report"))
