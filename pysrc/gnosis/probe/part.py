"""A piece of a report: what it may hold, and how it is written.

Every class below `Part` says in `derived` how its derived figures come from raw ones; they are computed there and nowhere else, and
computed again whenever a report is read: a figure that is not exactly the one recomputed is refused, and so are unknown fields,
missing fields, NaN and infinities.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..files import output

MOST = 2**53  # of a count; a float holds every one
MOST_TRIALS = 2**24  # of a rate, so that an interval takes no more than seconds
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
        except (ArithmeticError, LookupError, StopIteration, TypeError) as error:  # figures out of all proportion, or that do not fit together
            raise ValueError(f"cannot be recomputed: {type(error).__name__}: {error}") from None
        for name, expected in derived.items():
            if getattr(self, name) != expected:
                raise ValueError(f"{name} is {_shown(getattr(self, name))}, recomputed it is {_shown(expected)}")
        return self


def _shown(value: Any) -> str:
    text = value.model_dump_json() if isinstance(value, BaseModel) else repr(value)
    return text if len(text) <= 120 else text[:119] + "…"


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
