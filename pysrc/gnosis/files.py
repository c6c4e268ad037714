"""Small files that must be right: strict JSON in."""
from __future__ import annotations

import json
from typing import Any

from .errors import ArgumentError
from .inputs import MOST_VALUES, countable


def json_object(text: str, name: str, fields: set[str] | None, values: int = MOST_VALUES) -> dict[str, Any]:
    """A JSON object with exactly these fields (None: any).

    Duplicate fields, NaN and infinities, further text, missing and unknown fields are errors, and so are more than
    `values` values, counted before anything is read: ArgumentError naming what is wrong.
    """
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            raise ValueError("a field occurs twice")
        return result

    def no_constant(word: str) -> Any:
        raise ValueError(f"{word} is not a number")

    try:
        countable(text, values)
        data = json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(name, text, f"not strict JSON ({error})") from None
    if not isinstance(data, dict):
        raise ArgumentError(name, data, "not a JSON object")
    for field in sorted(fields ^ set(data)) if fields is not None else ():
        raise ArgumentError(name, field, "unknown field" if field in data else "missing field")
    return data


