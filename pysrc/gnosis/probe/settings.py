"""What a probe is asked for: everything that its figures depend on besides the files."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from ..files import grammar
from ..numbers.levels import level, written
from .part import MOST_TRIALS, Part


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
    rows: per tensor, drawn with the seed; all where there are no more.  tile: m, a tile is 8·m consecutive weights of a row; "row": as many as
    a row holds.  gamma_multiplier: γ in units of the cubic residual.  step_over_rms: step of the unbounded lattices over the RMS
    of the tensor's weights.  q_values: conformal levels, as decimals.  calibration_share: of the rows or positions; the others are
    held out.  cell_tolerance: how far cell_moment may be from 1 and cell_distance from 0.  positions: of the text; all where there are no more.
    grid: multipliers of the curves.  matrix_type: "any", "float" or an encoding.  tensors: patterns of names.
    """

    profile: str = "dev-balanced"
    profile_sha256: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 0
    rows: Annotated[int, Field(ge=8, le=MOST_TRIALS)] = 4096
    tile: Annotated[int, Field(ge=1, le=2**16)] | Literal["row"] = "row"
    gamma_multiplier: Annotated[float, Field(gt=0, le=1e6)] = 2.0
    step_over_rms: Annotated[float, Field(ge=0.01, le=100)] = 0.335
    q_values: Annotated[list[str], Field(min_length=1, max_length=32)] = ["0.95", "0.99"]
    calibration_share: Annotated[float, Field(gt=0, lt=1)] = 0.6
    cell_tolerance: Annotated[float, Field(gt=0, lt=1)] = 0.05
    positions: Annotated[int, Field(ge=0, le=2**16)] = 256
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
