"""Where the repository and the compiled spine are."""
from __future__ import annotations

import os
from pathlib import Path


class SpineNotFound(RuntimeError):
    """There is no checkout with a `Gnosis/` folder to work on."""


def _is_root(path: Path) -> bool:
    return (path / "lakefile.lean").is_file() and (path / "Gnosis").is_dir()


def root() -> Path:
    """The checkout: `GNOSIS_ROOT`, else the folder of this editable install, else the first one above the
    current folder that holds `lakefile.lean` and `Gnosis/`."""
    named = os.environ.get("GNOSIS_ROOT")
    if named:
        if not _is_root(Path(named)):
            raise SpineNotFound(f"GNOSIS_ROOT={named!r} holds no lakefile.lean and Gnosis/")
        return Path(named).resolve()
    for path in (*Path(__file__).resolve().parents, *(Path.cwd() / "x").parents):
        if _is_root(path):
            return path
    raise SpineNotFound("no spine here: run inside a checkout of the repository, or set GNOSIS_ROOT to one")


def build_dir(base: Path | None = None) -> Path:
    """Where compiled modules go (`build/lean`), a folder that `LEAN_PATH` can name."""
    return (base or root()) / "build" / "lean"
