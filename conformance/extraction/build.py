"""Compile gnosis.c: a shared library for Python, by the C compiler that is there, and WebAssembly by the wheel `ziglang`."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ...spine.paths import build_dir, root
from ..oracle.interpreter import OracleError
from ..oracle.translation import Unavailable
from .generate import sources

COMMON = ("-O2", "-std=gnu11", "-fvisibility=hidden", "-fno-strict-aliasing")
SHARED = ("-fPIC", "-shared")
# every object from malloc, so that the sanitizers see each of them
SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize=alignment", "-fno-sanitize-recover=all", "-DGNOSIS_MALLOC")
WASM = (
    "-target",
    "wasm32-freestanding",
    "-ffreestanding",
    "-nostdlib",
    "-DGNOSIS_WORDS_ONLY",
    "-Wl,--no-entry",
    "-Wl,--export=__heap_base",
    "-Wl,--export=__stack_pointer",
    "-Wl,--gc-sections",
    "-Wl,-z,stack-size=65536",
    "-s",
)


def _run(*command: str) -> None:
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise OracleError(f"{command[0]} failed: {run.stderr.strip()[:1000]}")


def compiler() -> str:
    """The C compiler: $CC, gcc or cc.  Raises Unavailable."""
    found = next((c for c in (os.environ.get("CC", ""), "gcc", "cc") if c and shutil.which(c)), None)
    if found is None:
        raise Unavailable("no C compiler: libgnosis needs gcc, clang or cc")
    return found


def _kept(source: Path, name: str, *flags: str) -> tuple[Path, Path | None]:
    """Where the result for this source and these flags is kept, and where to write it first if it is not there."""
    digest = hashlib.sha256("\0".join((source.read_text(), *flags)).encode()).hexdigest()[:24]
    folder = build_dir(root()).parent / "libgnosis"
    folder.mkdir(parents=True, exist_ok=True)
    stem, ending = name.rsplit(".", 1)
    kept = folder / f"{stem}-{digest}.{ending}"
    return kept, None if kept.exists() else kept.with_suffix(f".{os.getpid()}.tmp")


def shared(source: Path | None = None, extra: tuple[str, ...] = (), flags: tuple[str, ...] = COMMON) -> Path:
    """The shared library, compiled unless it was.  source: gnosis.c.  Raises Unavailable without a compiler, OracleError when it fails."""
    source, cc = source or sources() / "gnosis.c", compiler()
    kept, scratch = _kept(source, "libgnosis.so", cc, *flags, *SHARED, *extra)
    if scratch:
        _run(cc, *flags, *SHARED, *extra, "-w", str(source), "-o", str(scratch))
        os.replace(scratch, kept)
    return kept


def sanitized(source: Path | None = None) -> Path:
    """As `shared`, under the address and undefined-behaviour sanitizers; a process that loads it has libasan in LD_PRELOAD."""
    return shared(source, SANITIZED, COMMON[1:])


def wasm(source: Path | None = None) -> Path:
    """The WebAssembly module.  Raises Unavailable without the wheel `ziglang`."""
    if importlib.util.find_spec("ziglang") is None:
        raise Unavailable("WebAssembly needs the package ziglang: pip install ziglang")
    source = source or sources() / "gnosis.c"
    kept, scratch = _kept(source, "gnosis.wasm", *WASM)
    if scratch:
        _run(sys.executable, "-m", "ziglang", "cc", *COMMON, *WASM, "-w", str(source), "-o", str(scratch))
        os.replace(scratch, kept)
    return kept
