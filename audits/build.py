"""Compile the spine in dependency order.

A module is compiled again exactly when its text, the options, the Lean that runs or a module it imports changed.
A build is not a proof check (`set_option debug.skipKernelTC` passes it): the audit replays what was compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .findings import Finding
from .lean import OPTIONS, Toolchain, foreign, run
from .sources import Source

# of a module and the file to write, all arguments of `lean`
Arguments = Callable[[Source, Path], list[str]]


TEMPORARY = re.compile(r"[A-Za-z0-9]+\.[0-9]+\.tmp")
PATIENCE, LONGEST = 1800, 4 * 3600  # seconds that the compilation of one module may take, and after which no further one is begun


@dataclass
class Message:
    """What Lean said, with 1-based line and 0-based column."""

    module: str
    file: str
    line: int
    column: int
    severity: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.text}"


@dataclass
class Result:
    """What a build did.  `ok` is true when every module is compiled and up to date."""

    lean: str
    ok: bool = True
    modules: int = 0
    compiled: list[str] = field(default_factory=list)
    cached: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slowest: list[tuple[str, float]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def olean_path(out: Path, name: str) -> Path:
    return out.joinpath(*name.split(".")).with_suffix(".olean")


def trace_path(path: Path) -> Path:
    return path.with_suffix(".trace")


def keys(sources: dict[str, Source], lean: Toolchain) -> dict[str, str]:
    """For every module the hash of everything its compiled form depends on."""
    out: dict[str, str] = {}
    for name, source in sources.items():
        digest = hashlib.sha256()
        for part in (lean.digest, repr(OPTIONS), name, source.text, *(out[i] for i in source.imports)):
            data = part.encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        out[name] = digest.hexdigest()
    return out


def fresh(path: Path, key: str) -> bool:
    """The compiled file is the one that this key produced, byte for byte."""
    try:
        trace = json.loads(trace_path(path).read_text())
        return not path.is_symlink() and trace["key"] == key and trace["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _messages(source: Source, run: subprocess.CompletedProcess[str]) -> list[Message]:
    found = []
    for line in run.stdout.splitlines():
        try:
            said = json.loads(line)
            found.append(Message(source.name, source.file, said["pos"]["line"], said["pos"]["column"], said["severity"], said["data"]))
        except (ValueError, KeyError, TypeError):
            if line.strip():
                found.append(Message(source.name, source.file, 0, 0, "output", line))
    if run.stderr.strip():
        found.append(Message(source.name, source.file, 0, 0, "error", run.stderr.strip()))
    return found


def _compile(source: Source, key: str, lean: Toolchain, out: Path, arguments: Arguments | None) -> tuple[bool, float, list[Message], bool]:
    """Compile the text that was read, from a file of its own, into a folder of its own; then move the result to its place.

    Returns whether that was done, the seconds, what was said, and whether the process was ended for what it took."""
    target = olean_path(out, source.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in (target, trace_path(target)):
        old.unlink(missing_ok=True)
    start = time.perf_counter()
    work = Path(tempfile.mkdtemp(prefix="gnosis-", dir=scratch()))
    try:
        file, made = work / "in" / source.file, work / "out" / "module.olean"
        file.parent.mkdir(parents=True)
        file.write_bytes(source.data)
        made.parent.mkdir()
        if arguments:
            done = subprocess.run(
                [*lean.command, *arguments(source, made)],
                cwd=made.parent,
                env=foreign(LEAN_PATH=str(out)),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        else:
            done = run(lean, ["--json", "-R", str(work / "in"), "-o", str(made), str(file)], out, made.parent, [made.parent], PATIENCE)
        said = _messages(source, done)
        extra = sorted(p.name for p in made.parent.iterdir() if p != made)
        if extra:
            said.append(Message(source.name, source.file, 0, 0, "error", f"compiling it also wrote {', '.join(map(ascii, extra[:5]))}"))
        ok = done.returncode == 0 and made.is_file() and not made.is_symlink() and not any(m.severity in ("error", "warning") for m in said)
        if ok:
            data = made.read_bytes()
            place = target.with_suffix(f".{os.getpid()}.tmp")
            place.write_bytes(data)
            os.replace(place, target)
            seconds = time.perf_counter() - start
            trace_path(target).write_text(json.dumps({"key": key, "sha256": hashlib.sha256(data).hexdigest(), "seconds": seconds}))
        elif not said:
            said = [Message(source.name, source.file, 0, 0, "error", f"lean ended with code {done.returncode}")]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return ok, time.perf_counter() - start, said, done.returncode < 0


def scratch() -> str:
    """A folder for temporary ones, whatever `TMPDIR` says.  Raises OSError when there is none."""
    for place in ("/tmp", "/var/tmp"):
        if os.access(place, os.W_OK | os.X_OK):
            return place
    raise OSError("neither /tmp nor /var/tmp can be written")


def build(
    sources: dict[str, Source],
    out: Path,
    lean: Toolchain,
    jobs: int | None = None,
    progress: Callable[[str, str, int, int], None] | None = None,
    check: Callable[[str], Iterable[str]] = lambda _: (),
    arguments: Arguments | None = None,
) -> Result:
    """Compile modules, given imports before importers, into the folder `out`.

    `progress(module, state, done, total)` is called as modules are finished; state is `cached`, `compiled`,
    `failed` or `skipped` (an import failed, or compiling takes too much).  `check(module)` is called before anything imports a compiled module; what it
    objects to makes the module fail.  `arguments` replaces all arguments of `lean`, for a build in a folder `out` of its own (`lake.py`).
    """
    start = time.perf_counter()
    key = keys(sources, lean)
    result = Result(str(lean), modules=len(sources))
    state: dict[str, str] = {}
    times: dict[str, float] = {}
    over = False  # nothing further is begun once a module took more than it may, or all of them did

    def finish(name: str, how: str) -> None:
        if how in ("cached", "compiled"):
            objections = [Message(name, sources[name].file, 0, 0, "error", text) for text in check(name)]
            result.messages += objections
            how = "failed" if objections else how
        state[name] = how
        getattr(result, how).append(name)
        if progress:
            progress(name, how, len(state), len(sources))

    jobs = jobs or len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[tuple[bool, float, list[Message], bool]], str] = {}
        while len(state) < len(sources):
            changed = True
            while changed:
                changed = False
                for name, source in sources.items():
                    if name in state or name in running.values():
                        continue
                    deps = [state.get(i) for i in source.imports]
                    if over or any(d in ("failed", "skipped") for d in deps):
                        finish(name, "skipped")
                    elif None in deps:
                        continue
                    elif fresh(olean_path(out, name), key[name]):
                        finish(name, "cached")
                    elif len(running) < jobs:
                        running[pool.submit(_compile, source, key[name], lean, out, arguments)] = name
                        continue
                    else:
                        continue
                    changed = True
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                ok, times[name], said, ended = future.result()
                result.messages += said
                finish(name, "compiled" if ok else "failed")
                if not over and (late := time.perf_counter() - start > LONGEST):
                    result.messages.append(Message(name, sources[name].file, 0, 0, "error", f"compiling takes more than {LONGEST} s; the rest is left out"))
                over = over or ended or late
    result.ok = not result.failed and not result.skipped
    result.slowest = sorted(times.items(), key=lambda item: -item[1])[:5]
    result.seconds = time.perf_counter() - start
    return result


def manifest(sources: dict[str, Source], out: Path, lean: Toolchain) -> tuple[dict[str, str], list[str]]:
    """Module → SHA-256 of its compiled file as it is now (empty when there is none), and the modules whose
    compiled file is not the one that the build made of the present sources."""
    key, digests, stale = keys(sources, lean), {}, []
    for name in sources:
        path = olean_path(out, name)
        digests[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        if not fresh(path, key[name]):
            stale.append(name)
    return digests, stale


def strays(out: Path, names: Iterable[str]) -> list[Finding]:
    """Everything below the folder of compiled modules that the build does not write: Lean would read some of it."""
    files = {str(p) for name in names for p in (olean_path(out, name), trace_path(olean_path(out, name)))}
    folders = {str(parent) for file in files for parent in Path(file).parents}
    found = [] if not out.is_symlink() else [Finding("build", ".", f"{out} is a symbolic link")]

    def walk(folder: Path) -> None:
        for entry in sorted(os.scandir(folder), key=lambda e: e.name):
            path = Path(entry.path)
            if TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                continue  # of a build that is under way; Lean reads nothing of that name
            plain = not entry.is_symlink() and (entry.path in files if entry.is_file(follow_symlinks=False) else entry.path in folders and entry.is_dir())
            if not plain:
                found.append(Finding("build", path.relative_to(out).as_posix(), "the build writes no such file; `gnosis spine build --clean` removes it"))
            elif entry.is_dir(follow_symlinks=False):
                walk(path)

    if out.is_dir():
        walk(out)
    return found


def sweep(out: Path, names: Iterable[str]) -> None:
    """Remove what `strays` finds, so that Lean cannot read it: the folder is the build's own."""
    for finding in strays(out, names):
        path = out / finding.where
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != out:
            path.unlink(missing_ok=True)
