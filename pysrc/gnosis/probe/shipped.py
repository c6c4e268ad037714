"""The codes that people ship: what a file's own code has lost of an original, matrix by matrix, and what the gates make of it.

Nothing is quantized a second time.  The residual is that of the original's weights less what the file decodes to, or less what `libgguf`
makes of them.  Margins are counted in one unit for all codes of a matrix: the RMS residual of the cubic 4.5-bit code of the original.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import ConfigDict, Field

from ..codes.lost import relative_up, total_up
from ..errors import ArgumentError
from .figures import Acceptance, Conformal, ratio
from .part import Amount, Count, Part, Positive, digest_of
from .reasons import level_reason
from .report import ModelFile, Run, Skipped
from .settings import Settings

SCHEMA: Final = "gnosis.shipped/1"


class Coded(Part):
    """One matrix in one code, on the rows that were read.

    code: as the file names it.  energy: Σ (original − decoded)² to nearest, energy_upper from above; original_energy, original_energy_lower:
    the same of the original's weights, from below.  relative: √(energy / original_energy); relative_upper from above, None where the
    original may be zero.  largest: |original − decoded|.  worst_row, worst_row_upper: the row that lost most relative to its own size.
    gate: tiles that the energy gate admits at γ for any activation of norm at most 1; conformal: thresholds of rows.
    refused: why levels do not admit.
    Promises: tested `tests/test_probe_shipped.py::test_the_figures_by_other_code`.
    """

    name: str
    stored_name: str
    code: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+$")]
    shape: list[Positive]
    bits_per_weight: Amount
    rows_total: Positive
    rows_read: Positive
    tile: Positive
    weights: Positive
    energy: Amount
    energy_upper: Amount
    original_energy: Amount
    original_energy_lower: Amount
    largest: Amount
    worst_row: Count | None
    worst_row_upper: Amount | None
    gamma: Amount
    gate: Acceptance
    conformal: Conformal
    relative: Amount | None
    relative_upper: Amount | None
    refused: list[str]
    admitted: bool

    def derived(self) -> dict[str, Any]:
        if self.rows_read > self.rows_total or self.conformal.calibration + self.conformal.held_out != self.rows_read or self.conformal.of != "row":
            raise ValueError("rows_read does not fit rows_total or the calibration")
        if self.weights != self.gate.tiles * self.tile:
            raise ValueError("the weights are not those of the tiles")
        share = ratio(self.energy, self.original_energy)
        return {
            "relative": None if share is None else math.sqrt(share),
            "relative_upper": relative_up(self.energy_upper, self.original_energy_lower),
            "refused": [reason for found in self.conformal.levels if (reason := level_reason(self.conformal, found, self.rows_read)) is not None],
            "admitted": all(found.admit for found in self.conformal.levels),
        }


class Candidate(Part):
    """One file, or one code that was made here.  quantizer: what made it, None for a file.  codes: with how many matrices are in each.

    relative: of all matrices together.  least_multiplier: of the matrix that needs most, None when one never admits.
    rejected: matrices of which a level does not admit.
    Promises: tested `tests/test_probe_shipped.py::test_the_verdict_names_its_code_and_refusals_have_reasons`.
    """

    name: str
    file: ModelFile | None
    quantizer: str | None
    tensors: Annotated[list[Coded], Field(min_length=1)]
    skipped: list[Skipped]
    codes: dict[str, int]
    bits_per_weight: Amount
    energy: Amount
    energy_upper: Amount
    relative: Amount | None
    relative_upper: Amount | None
    tiles: Positive
    tiles_admitted: Count
    least_multiplier: Amount | None
    admitted: bool
    tensors_admitted: Count
    rejected: list[str]

    def derived(self) -> dict[str, Any]:
        if (self.file is None) == (self.quantizer is None):
            raise ValueError("a candidate is a file or the work of a quantizer")
        codes: dict[str, int] = {}
        for t in self.tensors:
            codes[t.code] = codes.get(t.code, 0) + 1
        weights = [math.prod(t.shape) for t in self.tensors]
        energy, upper = math.fsum(t.energy for t in self.tensors), _up(t.energy_upper for t in self.tensors)
        share = ratio(energy, math.fsum(t.original_energy for t in self.tensors))
        least = [found.least_multiplier for t in self.tensors for found in t.conformal.levels]
        rejected = [t.name for t in self.tensors if not t.admitted]
        return {
            "codes": codes,
            "bits_per_weight": math.fsum(t.bits_per_weight * n for t, n in zip(self.tensors, weights)) / sum(weights),
            "energy": energy,
            "energy_upper": upper,
            "relative": None if share is None else math.sqrt(share),
            "relative_upper": relative_up(upper, _down(t.original_energy_lower for t in self.tensors)),
            "tiles": sum(t.gate.tiles for t in self.tensors),
            "tiles_admitted": sum(t.gate.admitted for t in self.tensors),
            "least_multiplier": None if None in least else max(x for x in least if x is not None),
            "admitted": not rejected,
            "tensors_admitted": len(self.tensors) - len(rejected),
            "rejected": rejected,
        }


def _up(values: Iterable[float]) -> float:
    return total_up(np.array(list(values)))


def _down(values: Iterable[float]) -> float:
    total = math.fsum(values)
    return math.nextafter(total, 0) if total else 0.0


class Shipped(Part):
    """Files and codes beside one original.  ranking: names of the candidates, the smallest relative error first.  digest: SHA-256 of the rest."""

    schema_: Literal["gnosis.shipped/1"] = Field(SCHEMA, alias="schema")
    original: ModelFile
    original_encodings: list[str]
    settings: Settings
    candidates: Annotated[list[Candidate], Field(min_length=1)]
    ranking: list[str]
    run: Run
    digest: str

    model_config = ConfigDict(populate_by_name=True)

    def derived(self) -> dict[str, Any]:
        s = self.settings
        for t in (t for c in self.candidates for t in c.tensors):
            if [found.q for found in t.conformal.levels] != s.q_values or t.conformal.multiplier != s.gamma_multiplier or t.rows_read > s.rows:
                raise ValueError(f"{t.name}: levels, multiplier or rows are not those of the settings")
        ranking = {"ranking": [c.name for c in sorted(self.candidates, key=lambda c: math.inf if c.relative is None else c.relative)]}
        return ranking | {"digest": digest_of(self.model_copy(update=ranking))}

    @property
    def admitted(self) -> bool:
        return all(c.admitted for c in self.candidates)


def code_names(codes: list[str]) -> list[str]:
    """Names of codes as GGUF has them, from `q4_0` or `Q4_0,Q8_0`.  ArgumentError for what is no code of blocks, for one that is given twice, and for
    codes that `gguf` cannot read."""
    import gguf

    from ..models.decode import can_decode

    out: list[str] = []
    for code in (part.strip().upper() for word in codes for part in word.split(",")):
        if code in out:
            raise ArgumentError("code", code, "is given twice")
        if code not in gguf.GGMLQuantizationType.__members__ or not can_decode(code) or code in ("F32", "F64", "I8", "I16", "I32", "I64", "Q8_1", "Q8_K"):
            raise ArgumentError("code", code.lower(), "is no code of weights; some are q8_0, q6_k, q5_k, q4_k, q4_0, q3_k, q2_k, iq4_nl")
        out.append(code)
    return out
