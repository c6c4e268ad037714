"""The decisions of a certified head as JSON lines, each with its activation, so that anybody with the model can make them again.

First line: {"format", "version", "name" and "model" (SHA-256 of the file), "matrix", "split"}; then one line a position; last line: {"positions"}.
"""
from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .. import output
from ..files import json_object
from ..inputs import read_text
from .head import CertifiedHead, Token
from .reference import Reference

FORMAT, VERSION = "gnosis.head", 1


def line(token: Token, activation: np.ndarray) -> dict[str, Any]:
    """A decision as it stands in the record; floats are exact in JSON (shortest text that reads back the same)."""
    return {**asdict(token), "activation": activation.astype("<f4").tobytes().hex()}


def write(path: Path, head: CertifiedHead, name: str, sha256: str, decisions: Iterable[tuple[Token, np.ndarray]]) -> int:
    """Write a whole record, or nothing.  name: how the model was opened.  Returns the number of positions.  OSError."""
    lines = [json.dumps(line(token, a)) for token, a in decisions]
    first = {"format": FORMAT, "version": VERSION, "name": name, "model": sha256, "matrix": head.code.weight.name, "split": head.split}
    output.write(path, "\n".join([json.dumps(first), *lines, json.dumps({"positions": len(lines)})]) + "\n")
    return len(lines)


def opening(path: Path) -> dict[str, Any]:
    """The first line of a record.  ArgumentError for anything else, OSError."""
    first = json_object(read_text(path, "record").partition("\n")[0], "record", {"format", "version", "name", "model", "matrix", "split"})
    if first["format"] != FORMAT or first["version"] != VERSION:
        raise ArgumentError("record", f"{first['format']} {first['version']}", f"not a record of {FORMAT} {VERSION}")
    if not isinstance(first["name"], str):
        raise ArgumentError("record", first["name"], "name must be text")
    return first


def replay(path: Path, head: CertifiedHead, sha256: str, reference: Reference) -> int:
    """Make every decision of a record again, and hold its token against the reference too.  Returns their number.

    ArgumentError names the line and the field that comes out differently, another model, or an incomplete record.
    """
    first = opening(path)
    for name, have in (("model", sha256), ("matrix", head.code.weight.name), ("split", head.split)):
        if first[name] != have:
            raise ArgumentError("record", first[name], f"made with another {name}; this is {have}")
    lines = read_text(path, "record").splitlines()[1:]
    if not lines or json_object(lines[-1], "record", None) != {"positions": len(lines) - 1}:
        raise ArgumentError("record", str(path), f"incomplete: the last line does not say {len(lines) - 1} positions")
    for n, text in enumerate(lines[:-1]):
        where = f"record line {n + 2}"
        stored = json_object(text, where, set(Token.__dataclass_fields__) | {"activation"})
        try:
            a = np.frombuffer(bytes.fromhex(stored["activation"]), "<f4").astype(np.float32)
        except (TypeError, ValueError):
            raise ArgumentError(where, str(stored["activation"])[:40], "not an activation") from None
        again = json.loads(json.dumps(line(head.decide(a), a)))
        for name, value in again.items():
            if stored[name] != value:
                raise ArgumentError(where, stored[name], f"{name} comes out as {value}")
        (token,) = reference.argmax(a[None])
        if token != stored["token"]:
            raise ArgumentError(where, stored["token"], f"the exact products have their largest at {token}")
    return len(lines) - 1
