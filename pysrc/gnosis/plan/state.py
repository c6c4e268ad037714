"""What was measured so far, in a file, so that a run that was ended goes on where it was."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from ..files.inputs import countable, read_text
from ..files.output import write

VERSION = 1
LARGEST = 1 << 26  # bytes


def key(parts: Any) -> str:
    """A digest of everything that measurements depend on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class State:
    """Measurements by name; written whole after each one.

    path: None keeps them in memory only.  about: what they are of (`key`).
    ArgumentError for a file that is of something else, OSError.
    """

    def __init__(self, path: Path | None, about: str) -> None:
        self.path, self.about = path, about
        self.found: dict[str, Any] = {}
        self.taken = 0  # from the file
        if path is not None and path.exists():
            self.found = _read(path, about)
            self.taken = len(self.found)

    def get(self, name: str) -> Any:
        return self.found.get(name)

    def put(self, name: str, value: Any) -> None:
        self.found[name] = value
        if self.path is not None:
            write(self.path, json.dumps({"v": VERSION, "of": self.about, "measured": self.found}, allow_nan=False))


def _read(path: Path, about: str) -> dict[str, Any]:
    text = read_text(path, "state", LARGEST)
    try:
        countable(text)
        content = json.loads(text)
        measured = content["measured"]
        if content["v"] != VERSION or not isinstance(measured, dict):
            raise ValueError("of another version")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ArgumentError("state", path, f"holds no measurements of gnosis plan ({error})") from None
    if content["of"] != about:
        raise ArgumentError("state", path, "holds measurements of another model, text, imatrix or other settings; name a new file")
    return measured
