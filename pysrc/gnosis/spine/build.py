"""Compile `Gnosis/` of the checkout (see `audits/build.py`, which does it)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..audits import build as _build
from ..audits import sources
from ..audits.build import Arguments, Message, Result, olean_path
from ..audits.lean import OPTIONS, Toolchain, foreign
from ..audits.sources import BuildError, Source
from .paths import build_dir, root
from .toolchain import find

__all__ = ["OPTIONS", "Arguments", "BuildError", "Message", "Result", "Source", "build", "clean", "keyed", "manifest", "olean_path", "run_lean", "scan"]


def scan(base: Path | None = None) -> dict[str, Source]:
    """All modules below `Gnosis/`, imports before importers.

    Raises BuildError on a missing import, a cycle, or a file that is no plain module (see `audits/sources.py`).
    """
    found, said = sources.read(base or root())
    if said:
        raise BuildError(f"{said[0]}" + (f" (and {len(said) - 1} more)" if len(said) > 1 else ""))
    return found


def keyed(base: Path | None = None, lean: Toolchain | None = None) -> dict[str, str]:
    """For every module, as in `scan`, the hash of everything its compiled form depends on."""
    return _build.keys(scan(base), lean or find())


def run_lean(lean: Toolchain, args: list[str], out: Path, base: Path, **kwargs: Any) -> subprocess.CompletedProcess[str]:
    """Run `lean` with the spine's options, seeing only the spine's compiled modules, in a clean environment."""
    return subprocess.run([*lean.command, *OPTIONS, *args], env=foreign(LEAN_PATH=str(out)), cwd=base, capture_output=True, text=True, **kwargs)


def build(
    only: list[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[str, str, int, int], None] | None = None,
    base: Path | None = None,
    out: Path | None = None,
    lean: Toolchain | None = None,
    arguments: Arguments | None = None,
) -> Result:
    """Compile the spine (or `only` these modules and what they import), see `audits.build.build`.

    `base` and `out` are for tests on a copy of the spine.  What lies in `out` and no build of this spine wrote is removed.
    """
    base = base or root()
    lean = lean or find()
    modules = scan(base)
    out = out or build_dir(base, lean)
    if arguments is None:
        _build.sweep(out, modules)
    if only:
        need, todo = set(), list(only)
        while todo:
            name = todo.pop()
            if name not in modules:
                raise BuildError(f"no module {name} in {base}")
            if name not in need:
                need.add(name)
                todo += modules[name].imports
        modules = {n: m for n, m in modules.items() if n in need}
    return _build.build(modules, out, lean, jobs, progress, arguments=arguments)


def manifest(base: Path | None = None, out: Path | None = None, lean: Toolchain | None = None) -> tuple[dict[str, str], list[str]]:
    """Module → SHA-256 of its compiled file as it is now (empty when there is none), and the modules whose
    compiled file is not the one that the build made of the present sources."""
    base, lean = base or root(), lean or find()
    return _build.manifest(scan(base), out or build_dir(base, lean), lean)


def clean(base: Path | None = None) -> int:
    """Remove the folder of compiled modules with all that is in it; returns how many modules there were."""
    folder = build_dir(base)
    if folder.is_symlink():
        folder.unlink()
        return 0
    gone = sum(1 for _ in folder.rglob("*.olean")) if folder.is_dir() else 0
    for other in [folder, *folder.parent.glob("lean-*")] if folder.parent.is_dir() else []:
        shutil.rmtree(other, ignore_errors=True)
    return gone
