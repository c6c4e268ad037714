"""Files of one JSON object a line, from anybody: every line is bounded, and whatever is unusual is refused with its number."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .olean import BadImage

LINE = 1 << 20  # bytes of a line; the longest of the spine has 2,373
NUMBER = 20  # characters of a number
KINDS = {stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a directory"}


def brief(value: object) -> str:
    """A value for a message, however large it is."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"{value[:60]!r}… ({len(value)} characters)"
    return f"an object with {len(value)} keys" if isinstance(value, dict) else f"a list of {len(value)}" if isinstance(value, list) else repr(value)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise BadImage("the same key twice")
    return out


def _constant(text: str) -> object:
    raise BadImage(f"{text} is no number")


def _float(text: str) -> object:
    raise BadImage(f"{brief(text)[1:-1]} where a natural number must stand")


def _int(text: str) -> int:
    if len(text) > NUMBER:
        raise BadImage(f"a number of {len(text)} digits")
    return int(text)


_DECODE = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int).decode


def _regular(mode: int, path: Path) -> None:
    if not stat.S_ISREG(mode):
        raise BadImage(f"{path}: not a regular file but {KINDS.get(stat.S_IFMT(mode), 'something else')}")


def _open(path: Path) -> int:
    """A descriptor of a regular file.  Anything else is not opened: that would wait for a writer or start a device."""
    try:
        _regular(os.stat(path).st_mode, path)
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in a path
        raise BadImage(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        _regular(os.fstat(number).st_mode, path)  # it may be another one by now
    except BadImage:
        os.close(number)
        raise
    return number


def _row(data: bytes) -> dict[str, Any]:
    if len(data) > LINE:
        raise BadImage(f"longer than {LINE} bytes")
    if not data.endswith(b"\n"):
        raise BadImage("the line has no end")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadImage(f"is no UTF-8: {error.reason} at byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise BadImage("begins with a byte order mark")
    if "\r" in text:
        raise BadImage("a carriage return; a line ends with a line feed alone")
    try:
        row = _DECODE(text)
    except json.JSONDecodeError as error:
        raise BadImage(f"is no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise BadImage("nested too deep") from None
    if type(row) is not dict:
        raise BadImage(f"{brief(row)} is no object")
    return row


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with the numbers of their lines.  Raises BadImage, naming file and line, for anything else."""
    with os.fdopen(_open(path), "rb", buffering=1 << 16) as file:
        number = 0
        while data := file.readline(LINE + 1):
            number += 1
            try:
                row = _row(data)
            except BadImage as error:
                raise BadImage(f"{path}: line {number}: {error}") from None
            yield number, row
