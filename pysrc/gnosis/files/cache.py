"""The folder of files that commands make and keep: where it is, what lies in it, and clearing it."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import ArgumentError
from .inputs import opened

UNFINISHED = 24 * 3600.0  # seconds after which a file that nobody finished is taken for left behind
_SOURCES = re.compile(r"sources-[0-9a-f]{16}")
_CODED = re.compile(r"(.+)-[0-9a-f]{16}-([A-Z0-9_]+)-libgguf[0-9][0-9.]*\.gguf", re.S)
_REMOTE = re.compile(r"remote-[0-9a-f]{32}")
_PART = re.compile(r"\.gnosis-[0-9a-z_]+")


@dataclass(frozen=True)
class Entry:
    """Something in the folder that gnosis made.  bytes: of all files in it; made: seconds since 1970."""

    path: Path
    what: str
    bytes: int
    made: float


def cache_folder() -> Path:
    """`$GNOSIS_CACHE`, else `gnosis` in `$XDG_CACHE_HOME` where that is an absolute path, else `~/.cache/gnosis`.  RuntimeError: no home folder."""
    own = os.environ.get("GNOSIS_CACHE")
    if own:
        return Path(own)
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".cache") / "gnosis"


def _gguf(path: Path) -> bool:
    with opened(path, "cache", None) as file:
        return file.read(4) == b"GGUF"


def _what(path: Path, status: os.stat_result, known: Mapping[str, str]) -> str | None:
    """What an entry is; None for what gnosis did not make.  A name alone is not enough, and links are never ours.  OSError."""
    name = path.name
    if stat.S_ISDIR(status.st_mode):
        if _SOURCES.fullmatch(name) and (path / "lakefile.lean").is_file() and (path / "Gnosis").is_dir():
            return "sources of the proofs, unpacked, with what was compiled of them"
        if _REMOTE.fullmatch(name) and (path / "lock").is_file():
            return f"copy of {', '.join(sorted(one.name for one in path.iterdir() if one.name != 'lock'))} from a URL"
        return "left behind by a run that was ended" if _left(name, status) else None
    if not stat.S_ISREG(status.st_mode):
        return None
    if _left(name, status):
        return "left behind by a run that was ended"
    coded = _CODED.fullmatch(name)
    if name not in known and coded is None or not _gguf(path):
        return None
    return known[name] if coded is None else f"{coded[1]} in {coded[2]}"


def _left(name: str, status: os.stat_result) -> bool:
    return _PART.fullmatch(name) is not None and time.time() - status.st_mtime > UNFINISHED


def _bytes(path: Path) -> int:
    """Of a file, or of all files in a folder; links are not followed."""
    return sum((Path(folder, name).lstat().st_size for folder, _, names in os.walk(path) for name in names), 0) if path.is_dir() else path.lstat().st_size


def entries(folder: Path, known: Mapping[str, str]) -> tuple[list[Entry], int]:
    """What gnosis made in a folder, by name, and how many other things lie there.

    known: names of files that only the caller can tell, with what they are.  A folder that is not there holds nothing.  ArgumentError for what is
    no folder, OSError.
    """
    if not os.path.lexists(folder):
        return [], 0
    if not folder.is_dir():
        raise ArgumentError("GNOSIS_CACHE", folder, "is not a folder")
    found, others = [], 0
    for path in sorted(folder.iterdir()):
        status = path.lstat()
        what = _what(path, status, known)
        if what is None:
            others += 1
        else:
            found.append(Entry(path, what, _bytes(path), status.st_mtime))
    return found, others


def clear(found: list[Entry]) -> None:
    """Remove entries, each looked at as it is now: a link in its place stays.  OSError for one that cannot be removed; those before it are gone."""
    for entry in found:
        status = entry.path.lstat()
        if stat.S_ISDIR(status.st_mode):
            shutil.rmtree(entry.path)
        elif stat.S_ISREG(status.st_mode):
            entry.path.unlink()
