"""Where the repository and the compiled spine are."""
from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..audits.lean import Toolchain


class SpineNotFound(RuntimeError):
    """There is no checkout with a `Gnosis/` folder to work on."""


def _is_root(path: Path) -> bool:
    return (path / "lakefile.lean").is_file() and (path / "Gnosis").is_dir()


@cache
def _announce(named: str) -> None:
    """Once for each process that heeds the variable: nobody should take another checkout for this one."""
    print(f"GNOSIS_ROOT is set: the spine is that of {named}", file=sys.stderr)


def root() -> Path:
    """The checkout: `GNOSIS_ROOT`, which is then named on standard error, else the folder of this editable install, else
    the first one above the current folder that holds `lakefile.lean` and `Gnosis/`."""
    named = os.environ.get("GNOSIS_ROOT")
    if named:
        if not _is_root(Path(named)):
            raise SpineNotFound(f"GNOSIS_ROOT={named!r} holds no lakefile.lean and Gnosis/")
        _announce(str(Path(named).resolve()))
        return Path(named).resolve()
    for path in (*Path(__file__).resolve().parents, *(Path.cwd() / "x").parents):
        if _is_root(path):
            return path
    raise SpineNotFound("no spine here: run inside a checkout of the repository, or set GNOSIS_ROOT to one")


def build_dir(base: Path | None = None, lean: Toolchain | None = None) -> Path:
    """Where compiled modules go, a folder that `LEAN_PATH` can name: `build/lean`, and for a Lean that is none of the
    libraries of `audits/libraries.lock` a folder of its own."""
    return (base or root()) / "build" / ("lean" if lean is None or lean.trusted else f"lean-{lean.digest[:16]}")
