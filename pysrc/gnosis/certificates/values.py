"""The exact values that a certificate holds, as JSON and back: numbers, vectors, and inputs that come from a model's file."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import DtypeError, RangeError
from ..files import grammar
from ..files.grammar import number_of, number_text
from .kinds import EITHER, FLAG, LEVEL, MASK, NUMBER, OPTIONAL, VECTOR, VECTORS, WHOLE

MOST_ENTRY = 1 << 14  # bits of an entry of a vector, and of the common denominator; 2^1074 is that of float64, 2^2148 of its squares
MOST_TOGETHER = 1 << 24  # bits of a vector, written with its common denominator; and of all denominators 2^k of a line
MOST_NUMBERS = 5 << 15  # in a line: more than a language model has tokens


@dataclass(frozen=True)
class Tile:
    """Where a residual comes from: some consecutive weights of a row of a tensor, and the code that stands for them.

    columns: first, and one past the last.  family, code, step: as `gnosis.certificates.tiles.decoded` takes them; the exact step of a lattice without
    bounds, None for a code of blocks.  weights: SHA-256 of the decoded weights as little-endian float32.
    Promises: tested `tests/test_certificates.py::test_residuals_are_computed_again`.
    """

    tensor: str
    row: int
    columns: tuple[int, int]
    family: str
    code: str
    step: Fraction | None
    weights: str


@dataclass(frozen=True)
class FromModel:
    """An input that can be computed again from a model file: the residual of a tile (a vector), or its energy (a number).

    value: the number, or the numbers.  A certificate holds the number; of a vector it holds length and hash alone, so `value` is None when it
    was read.  count, sha256: of a vector, `vector_hash`.
    """

    tile: Tile
    value: Any = None
    count: int | None = None
    sha256: str | None = None

    def to_json(self, name: str) -> dict[str, Any]:
        """As it stands in a certificate."""
        tile = self.tile
        place = {
            "tensor": tile.tensor,
            "row": tile.row,
            "columns": list(tile.columns),
            "family": tile.family,
            "code": tile.code,
            "step": None if tile.step is None else number_text(tile.step, name),
            "weights": tile.weights,
        }
        if isinstance(self.value, Fraction):
            return {"residual energy of": place, "value": number_text(self.value, name)}
        return {"residual of": place, "count": len(self.value), "sha256": vector_hash(self.value)}

    @classmethod
    def of_json(cls, data: dict[str, Any], kind: str, name: str) -> FromModel:
        """Read what `to_json` wrote."""
        what = "residual energy of" if kind == NUMBER else "residual of"
        grammar.fields(data, {what, "value"} if kind == NUMBER else {what, "count", "sha256"}, name)
        place = data[what]
        if type(place) is not dict:
            raise DtypeError(name, place, "not an object")
        grammar.fields(place, {"tensor", "row", "columns", "family", "code", "step", "weights"}, name)
        columns = place["columns"]
        if type(columns) is not list or len(columns) != 2:
            raise DtypeError(name, columns, "columns must be two whole numbers")
        tile = Tile(
            grammar.text(place["tensor"], name),
            grammar.count(place["row"], name),
            (grammar.count(columns[0], name), grammar.count(columns[1], name)),
            grammar.text(place["family"], name),
            grammar.text(place["code"], name),
            None if place["step"] is None else number_of(place["step"], name),
            grammar.sha256(place["weights"], name),
        )
        if not tile.columns[0] < tile.columns[1]:
            raise RangeError(name, columns, "no columns")
        return (
            cls(tile, number_of(data["value"], name))
            if kind == NUMBER
            else cls(tile, None, grammar.count(data["count"], name), grammar.sha256(data["sha256"], name))
        )


def vector_hash(numbers: list[Fraction]) -> str:
    """SHA-256 of the numbers, each as `number_text` writes it and followed by a line end."""
    return hashlib.sha256("".join(f"{number_text(x)}\n" for x in numbers).encode()).hexdigest()


def written(value: Any, name: str) -> Any:
    """An exact value (`gnosis.certificates.kinds.exact`) as JSON.

    Promises: tested `tests/test_certificates.py::test_a_number_has_one_text`.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, Fraction)):
        return number_text(Fraction(value), name)
    return value.to_json(name) if isinstance(value, FromModel) else [written(x, name) for x in value]


def read(value: Any, kind: str, name: str) -> Any:
    """The exact value of a type from its JSON.  Raises ArgumentError.

    Promises: tested `tests/test_certificates.py::test_any_other_text_is_none`.
    """
    if kind.endswith(OPTIONAL):
        if value is None:
            return None
        kind = kind[: -len(OPTIONAL)]
    if kind == EITHER:
        kind = VECTOR if isinstance(value, list) else NUMBER
    elif isinstance(value, dict) and kind in (NUMBER, VECTOR):
        return FromModel.of_json(value, kind, name)
    if kind in (NUMBER, LEVEL):
        return number_of(value, name)
    if kind == WHOLE:
        x = number_of(value, name)
        if x.denominator != 1:
            raise DtypeError(name, value, "not a whole number")
        return x.numerator
    if kind in (VECTOR, VECTORS, MASK):
        if type(value) is not list:
            raise DtypeError(name, value, "not a list")
        if len(value) > MOST_NUMBERS:
            raise RangeError(name, len(value), f"entries; at most {MOST_NUMBERS} are read")
        if kind == VECTOR:
            found = [number_of(x, name, MOST_ENTRY) for x in value]
        else:
            found = [read(x, {VECTORS: VECTOR, MASK: FLAG}[kind], name) for x in value]
        if kind == VECTOR:
            check_size(found, name)
        return found
    if type(value) is not (bool if kind == FLAG else str):
        raise DtypeError(name, value, f"not a {kind}")
    return value


def size(value: Any) -> int:
    """How many numbers a value has."""
    return sum(map(size, value)) if isinstance(value, list) and value and isinstance(value[0], list) else len(value) if isinstance(value, list) else 1


def check_size(numbers: list[Fraction], name: str) -> None:
    """RangeError for numbers that take too much room once they have a common denominator, as every decision gives them."""
    common, largest = 1, 0
    for x in numbers:
        common = math.lcm(common, x.denominator)
        largest = max(largest, x.numerator.bit_length())
        if common.bit_length() > MOST_ENTRY:
            break
    if max(common.bit_length(), largest) > MOST_ENTRY or len(numbers) > MOST_NUMBERS or len(numbers) * (common.bit_length() + largest) > MOST_TOGETHER:
        raise RangeError(
            name,
            len(numbers),
            f"numbers, more than {MOST_NUMBERS}, or of more than {MOST_TOGETHER} bits together, or one or a common denominator of more than {MOST_ENTRY}",
        )
