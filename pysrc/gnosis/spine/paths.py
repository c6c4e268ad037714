"""Where the sources of the spine and its compiled files are."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.cache import cache_folder

if TYPE_CHECKING:
    from ..audits.lean import Toolchain

SOURCES = Path(__file__).parents[1] / "sources.zip"  # in an installed package: what a checkout has (see setup.py)


class SpineNotFound(RuntimeError):
    """There are no sources of the spine to work on."""


def _is_root(path: Path) -> bool:
    return (path / "lakefile.lean").is_file() and (path / "Gnosis").is_dir()


@cache
def _announce(what: str) -> None:
    """Once for each process: nobody should take another checkout for this one."""
    print(what, file=sys.stderr)


@cache
def _unpacked() -> Path:
    """The sources that came with an installed package, unpacked once for each version of them.

    They lie in a folder that carries their SHA-256 and appears whole or not at all.  Raises SpineNotFound.
    """
    try:
        data = SOURCES.read_bytes()
        folder = cache_folder() / f"sources-{hashlib.sha256(data).hexdigest()[:16]}"
        if _is_root(folder):
            return folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".gnosis-", dir=folder.parent) as beside, zipfile.ZipFile(SOURCES) as archive:
            archive.extractall(Path(beside, "x"))
            try:
                os.rename(Path(beside, "x"), folder)
            except OSError:
                if not _is_root(folder):  # else another process was faster
                    shutil.rmtree(folder, ignore_errors=True)
                    os.rename(Path(beside, "x"), folder)
        return folder
    except (OSError, RuntimeError, zipfile.BadZipFile) as error:  # RuntimeError: no home folder
        raise SpineNotFound(
            f"the sources that came with this package cannot be unpacked into the cache folder (set GNOSIS_CACHE or XDG_CACHE_HOME to another): {error}"
        ) from None


def root() -> Path:
    """The folder with `Gnosis/`, `audits/` and `conformance/`.

    `GNOSIS_ROOT`, which is then named on standard error; else the checkout of this editable install; else the sources that came with the
    installed package, unpacked into the cache folder.  Raises SpineNotFound.
    """
    named = os.environ.get("GNOSIS_ROOT")
    if named:
        if not _is_root(Path(named)):
            raise SpineNotFound(f"GNOSIS_ROOT={named!r} holds no lakefile.lean and Gnosis/")
        _announce(f"GNOSIS_ROOT is set: the spine is that of {Path(named).resolve()}")
        return Path(named).resolve()
    for path in Path(__file__).resolve().parents:
        if _is_root(path):
            return path
    if SOURCES.is_file():
        return _unpacked()
    raise SpineNotFound("no spine here: this is neither an editable install nor an installed package; set GNOSIS_ROOT to a checkout")


def installed() -> bool:
    """Whether `root` is what came with an installed package: no checkout, so no tests."""
    return SOURCES.is_file() and not os.environ.get("GNOSIS_ROOT")


def checkout(what: str) -> Path:
    """As `root`, for a command that changes the sources, their locks or their records: never those that came with an installed package.

    what: the option or command, for the message.  Raises SpineNotFound.
    """
    base = root()
    if installed():
        raise SpineNotFound(f"{what} writes into a checkout, and this is an installed package: set GNOSIS_ROOT to a clone of the repository")
    return base


def build_dir(base: Path | None = None, lean: Toolchain | None = None) -> Path:
    """Where compiled modules go, a folder that `LEAN_PATH` can name: `build/lean`, and for a Lean that is none of the
    libraries of `audits/libraries.lock` a folder of its own."""
    return (base or root()) / "build" / ("lean" if lean is None or lean.trusted else f"lean-{lean.digest[:16]}")
