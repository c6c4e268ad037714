"""The wheel and the source distribution as a user gets them, and environments with nothing else in them.

The source distribution is made from a copy of the tree without git, the wheel from the source distribution.  What was built is kept in
build/wheels by the hash of all of its sources, for the workers of one run and for the next run.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NOT_SOURCES = {".git", ".venv", ".ci", "build", "dist", "__pycache__", ".hypothesis", ".pytest_cache", "_cython"}
KEPT = 2  # of earlier sources
CLEAN = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}  # of every command; HOME is added


def sources(base: Path) -> list[Path]:
    """What is tracked and there, relative to base; where there is no git, everything that was not generated."""
    named = subprocess.run(["git", "ls-files", "-z"], cwd=base, capture_output=True) if (base / ".git").exists() else None
    if named is not None and named.returncode == 0:
        return sorted(p for p in map(Path, filter(None, named.stdout.decode().split("\0"))) if (base / p).is_file())
    found = []
    for folder, below, names in os.walk(base):
        below[:] = [name for name in below if name not in NOT_SOURCES and not name.endswith(".egg-info")]
        found += [Path(folder, name).relative_to(base) for name in names if not name.endswith((".so", ".pyc"))]
    return sorted(found)


def copy_sources(base: Path, target: Path) -> Path:
    for name in sources(base):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(base / name, target / name)
    return target


def backend(folder: Path, call: str, out: Path, **env: str) -> Path:
    """Call the build backend in `folder` with nothing of git on PATH and without fetching anything; returns the file that it made."""
    code = f"from setuptools import build_meta; print(build_meta.{call}({str(out)!r}))"
    tools = out / "tools"  # gcc and what it calls, no git
    if not tools.exists():
        tools.mkdir(parents=True)
        for name in ("cc", "gcc", "as", "ld", "x86_64-linux-gnu-gcc", "sh"):
            if where := shutil.which(name):
                (tools / name).symlink_to(where)
    found = {"PATH": str(tools), "HOME": str(out), **env}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, env=found)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return out / done.stdout.split()[-1]


@dataclass(frozen=True)
class Built:
    """sdist: the source distribution.  wheel: with kernels.  plain: made without a compiler."""

    sdist: Path
    wheel: Path
    plain: Path


@cache
def built(base: Path = ROOT) -> Built:
    """Build them, unless they were built from the same sources."""
    digest = hashlib.sha256(sys.version.encode())
    for name in sources(base):
        digest.update(f"{name}\0".encode() + hashlib.sha256((base / name).read_bytes()).digest())
    kept = base / "build" / "wheels"
    kept.mkdir(parents=True, exist_ok=True)
    with open(kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        home = kept / digest.hexdigest()[:16]
        if not (home / "done").exists():
            for old in sorted((p for p in kept.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)[:-KEPT]:
                shutil.rmtree(old)
            shutil.rmtree(home, ignore_errors=True)
            made = _build(copy_sources(base, home / "tree"), home)
            (home / "done").write_text("\n".join(p.name for p in made))
        names = (home / "done").read_text().splitlines()
        return Built(*(home / folder / name for folder, name in zip(("sdist", "wheel", "plain"), names)))


def _build(tree: Path, home: Path) -> tuple[Path, Path, Path]:
    sdist = backend(tree, "build_sdist", home / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(home / "unpacked", filter="data")
    (inside,) = (home / "unpacked").iterdir()
    plain = backend(inside, "build_wheel", home / "plain", CC="/bin/false")
    shutil.rmtree(inside / "build")
    # objects of the same kernels, built before, are taken; what Python files are in the wheel never depends on them
    parts = [(inside / "setup.py").read_bytes(), *(p.read_bytes() for p in sorted((inside / "cython_core").glob("*")) if p.suffix in (".c", ".h", ".pyx"))]
    objects = home.parent.with_name("wheels-objects") / hashlib.sha256(sys.version.encode() + b"\0".join(parts)).hexdigest()[:16]
    if objects.exists():
        shutil.copytree(objects, inside / "build")
    wheel = backend(inside, "build_wheel", home / "wheel")
    if not objects.exists():
        shutil.rmtree(objects.parent, ignore_errors=True)
        for made in (inside / "build").glob("temp.*"):
            shutil.copytree(made, objects / made.name)
    for folder in (tree, home / "unpacked"):
        shutil.rmtree(folder)
    return sdist, wheel, plain


def closure(wanted: Iterable[str]) -> set[str]:
    """The distributions that pip would install for these requirements, without gnosis-gates itself; they are installed here."""
    found: dict[str, set[str]] = {}
    todo = [Requirement(text) for text in wanted]
    while todo:
        requirement = todo.pop()
        name = requirement.name.lower().replace("_", "-")
        if name == "gnosis-gates" or name in found and requirement.extras <= found[name]:
            continue
        extras = found[name] = found.get(name, set()) | requirement.extras
        for text in importlib.metadata.requires(name) or []:
            more = Requirement(text)
            if more.marker is None or any(more.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                todo.append(more)
    return set(found)


class Environment:
    """A virtual environment with one wheel of ours, installed by pip, and what it requires.

    What it requires is linked from the environment of these tests, package by package: what pip would install, without the network.
    folder: empty, the working directory of every command; home: of the user.
    """

    def __init__(self, at: Path, wheel: Path, requires: bool = True) -> None:
        self.at, self.folder, self.home = at, at / "empty", at / "home"
        venv.create(at / "venv", with_pip=False, symlinks=True)
        for folder in (self.folder, self.home):
            folder.mkdir()
        self.python = at / "venv" / "bin" / "python"
        self.gnosis = at / "venv" / "bin" / "gnosis"
        self.site = next((at / "venv" / "lib").glob("python3*")) / "site-packages"
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "--python",
                str(self.python),
                "install",
                "--quiet",
                "--no-deps",
                "--no-index",
                "--no-cache-dir",
                "--disable-pip-version-check",
                str(wheel),
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        (metadata,) = self.site.glob("gnosis_gates-*.dist-info")
        self.metadata = importlib.metadata.PathDistribution(metadata)
        if requires:
            self.install(self.required())

    def required(self, extra: str = "") -> list[str]:
        """The requirements of the wheel, or of one of its extras."""
        found = [Requirement(text) for text in self.metadata.requires or []]
        return [
            f"{r.name}{'[' + ','.join(r.extras) + ']' if r.extras else ''}"
            for r in found
            if (r.marker is None and not extra) or (r.marker is not None and "extra" in str(r.marker) and extra and r.marker.evaluate({"extra": extra}))
        ]

    def install(self, requirements: Iterable[str], deps: bool = True) -> list[Path]:
        """Link what pip would install for these; returns the links.  deps: also what they require in turn."""
        made = []
        for name in sorted(closure(requirements) if deps else {Requirement(text).name for text in requirements}):
            distribution = importlib.metadata.distribution(name)
            for top in {Path(str(file)).parts[0] for file in distribution.files or []} - {"..", "__pycache__"}:
                if not (self.site / top).exists():
                    (self.site / top).symlink_to(str(distribution.locate_file(top)))
                    made.append(self.site / top)
        return made

    @contextmanager
    def installed(self, requirements: Iterable[str], deps: bool = True) -> Iterator[None]:
        """As `install`, for a while."""
        made = self.install(requirements, deps)
        try:
            yield
        finally:
            for link in made:
                link.unlink()

    def run(self, *args: str, input: str | None = None, seconds: float = 120, **env: str) -> subprocess.CompletedProcess[str]:
        """The gnosis of the environment, in the empty folder, with an environment that names nothing of this machine."""
        return subprocess.run(
            [str(self.gnosis), *args],
            cwd=self.folder,
            capture_output=True,
            text=True,
            input=input,
            timeout=seconds,
            stdin=subprocess.DEVNULL if input is None else None,
            env={**CLEAN, "HOME": str(self.home), **env},
        )
