"""The decisions of a certified head as JSON lines, each with its activation, so that anybody with the model can make them again.

First line: {"format", "version", "name" and "model" (SHA-256 of the file), "matrix", "split" (of the nested code; null: the exact head of the engine)}; then one line a position; last line: {"positions"}.
Each ends in a hash over all before it (`gnosis.files.chain`), so that no line can be dropped, doubled, moved or changed by a plain edit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ArgumentError
from ..files import chain, grammar, inputs, output
from ..lm.weights import Weight
from .exact import ExactHead
from .head import CertifiedHead, Token
from .original import CODE
from .reference import Reference

FORMAT, VERSION = "gnosis.head", 3
LONGEST_LINE = 1 << 22
_HEAD = {"format", "version", "name", "model", "matrix", "split"}


def head_of(weight: Weight, first: dict[str, Any]) -> CertifiedHead | ExactHead:
    """The head that a record with this first line was made by.  RangeError."""
    return ExactHead(weight) if first["split"] is None else CertifiedHead(weight, first["split"])


def line(token: Token, activation: np.ndarray) -> dict[str, Any]:
    """A decision as it stands in the record; floats are exact in JSON (shortest text that reads back the same).

    Promises: tested `tests/test_head.py::test_a_record_is_made_again`.
    """
    return {**asdict(token), "activation": activation.astype("<f4").tobytes().hex()}


def write(path: Path, head: CertifiedHead | ExactHead, name: str, sha256: str, decisions: Iterable[tuple[Token, np.ndarray]]) -> int:
    """Write a whole record, or nothing.  name: how the model was opened.  Returns the number of positions.

    ArgumentError for a head that is true to original weights: a record is about a file's stored code.  OSError.
    """
    if head.true_to != CODE:
        raise ArgumentError("head", head.true_to, "a record is about the stored code of a file")
    positions, link = 0, chain.START
    with output.staged(path) as part, part.open("wb") as out:

        def put(fields: dict[str, Any]) -> None:
            nonlocal link
            text, link = chain.write(link, fields)
            out.write(text)

        put({"format": FORMAT, "version": VERSION, "name": grammar.encodable(name), "model": sha256, "matrix": head.weight.name, "split": head.split})
        for positions, (token, activation) in enumerate(decisions, 1):  # noqa: B007  # the last number is written down
            put(line(token, activation))
        put({"positions": positions})
    return positions


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and fields of every line.  ArgumentError naming the first that was not written so, after those before it; OSError."""
    link, number = chain.START, 0
    with inputs.opened(path, "record") as file:
        for number, text in enumerate(inputs.lines(file, path, "record", LONGEST_LINE), 1):
            where = f"record line {number}"
            if not text.endswith(b"\n"):
                raise ArgumentError(where, text[-40:], "incomplete: the line was cut off")
            fields, link = chain.read(link, text[:-1], where)
            yield number, fields
    if not number:
        raise ArgumentError("record", str(path), "incomplete: the file is empty")


def opening(path: Path) -> dict[str, Any]:
    """The first line of a record.  ArgumentError for anything else, OSError."""
    _, first = next(_lines(path))
    if first.get("format") != FORMAT or not grammar.same(first.get("version"), VERSION):
        raise ArgumentError("record", f"{first.get('format')} {first.get('version')}", f"not a record of {FORMAT} {VERSION}")
    grammar.fields(first, _HEAD, "record")
    for name in ("name", "model", "matrix"):
        if not isinstance(first[name], str):
            raise ArgumentError("record", first[name], f"{name} must be text")
    if first["split"] is not None:
        grammar.count(first["split"], "record: split")
    return first


def replay(path: Path, head: CertifiedHead | ExactHead, sha256: str, reference: Reference) -> int:
    """Make every decision of a record again, and hold its token against the reference too.  Returns their number.

    ArgumentError names the line and the field that comes out differently, another model, or an incomplete record.
    """
    first = opening(path)
    for name, have in (("model", sha256), ("matrix", head.weight.name), ("split", head.split)):
        if not grammar.same(first[name], have):
            raise ArgumentError("record", first[name], f"made with another {name}; this is {have}")
    done, ended = 0, False
    for number, stored in _lines(path):
        where = f"record line {number}"
        if ended:
            raise ArgumentError(where, sorted(stored), "stands behind the last line")
        if "positions" in stored:
            if not grammar.same(stored, {"positions": done}):
                raise ArgumentError(where, stored["positions"], f"there are {done} positions")
            ended = True
        elif number > 1:
            _decide_again(where, stored, head, reference)
            done += 1
    if not ended:
        raise ArgumentError("record", str(path), "incomplete: the last line does not say how many positions there are")
    return done


def _decide_again(where: str, stored: dict[str, Any], head: CertifiedHead | ExactHead, reference: Reference) -> None:
    grammar.fields(stored, set(Token.__dataclass_fields__) | {"activation"}, where)
    try:
        a = np.frombuffer(bytes.fromhex(stored["activation"]), "<f4").astype(np.float32)
    except (TypeError, ValueError):
        raise ArgumentError(where, str(stored["activation"])[:40], "not an activation") from None
    again = json.loads(json.dumps(line(head.decide(a), a)))
    for name, value in again.items():
        if not grammar.same(stored[name], value):
            raise ArgumentError(where, stored[name], f"{name} comes out as {value}")
    (token,) = reference.argmax(a[None])
    if token != stored["token"]:
        raise ArgumentError(where, stored["token"], f"the exact products have their largest at {token}")
