"""Compile `Gnosis/` in dependency order.

A module is compiled again exactly when its text, the options, the Lean binary or a module it imports changed.
A build is not a proof check (`set_option debug.skipKernelTC` passes it): the audit replays what was compiled.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .paths import build_dir, root
from .toolchain import Toolchain, find

# `lakefile.lean` sets the same: native code of the binary must not run in place of our own definitions
OPTIONS = ("-D", "interpreter.prefer_native=false", "-D", "warningAsError=true")


class BuildError(RuntimeError):
    """The module graph is broken: a missing import or a cycle."""


@dataclass
class Module:
    """One file of the spine; `key` is the hash of everything its compiled form depends on."""

    name: str
    path: Path
    imports: list[str]
    key: str = ""


Arguments = Callable[[Module, Path], list[str]]


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

    def to_dict(self) -> dict:
        return asdict(self)


def strip_comments(text: str) -> str:
    """The text with comments (nested `/- -/`, `--`) blanked out; strings and line breaks stay."""
    out, i, depth = [], 0, 0
    while i < len(text):
        two = text[i:i + 2]
        if depth:
            if two in ("/-", "-/"):
                depth += 1 if two == "/-" else -1
                i += 2
                continue
            out.append("\n" if text[i] == "\n" else " ")
            i += 1
        elif two == "/-":
            depth, i = 1, i + 2
        elif two == "--":
            while i < len(text) and text[i] != "\n":
                i += 1
        elif text[i] == '"':
            end = re.compile(r'"(?:\\.|[^"\\])*"', re.S).match(text, i)
            stop = end.end() if end else len(text)
            out.append(text[i:stop])
            i = stop
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def header_imports(text: str) -> list[str]:
    """The modules that a file imports, from its header."""
    for size in (2000, len(text)):  # the header ends early in all but a file with a long comment on top
        lines = strip_comments(text[:size]).split("\n")
        names: list[str] = []
        for line in lines if size >= len(text) else lines[:-1]:
            words = line.split()
            if not words or words == ["prelude"]:
                continue
            if words[0] != "import":
                return names
            names += words[1:]
    return names


def scan(base: Path | None = None) -> dict[str, Module]:
    """All modules below `Gnosis/`, imports before importers.  Raises BuildError on a missing import or a cycle."""
    base = base or root()
    found = {}
    for path in sorted((base / "Gnosis").rglob("*.lean")):
        name = ".".join(path.relative_to(base).with_suffix("").parts)
        found[name] = Module(name, path, header_imports(path.read_text()))
    order: dict[str, Module] = {}
    visiting: list[str] = []

    def visit(name: str, by: str) -> None:
        if name in order:
            return
        if name not in found:
            raise BuildError(f"{by} imports {name}, and there is no such file")
        if name in visiting:
            raise BuildError("import cycle: " + " → ".join([*visiting[visiting.index(name):], name]))
        visiting.append(name)
        for other in found[name].imports:
            visit(other, name)
        visiting.pop()
        order[name] = found[name]

    for name in found:
        visit(name, "")
    return order


def olean_path(out: Path, name: str) -> Path:
    return out.joinpath(*name.split(".")).with_suffix(".olean")


def _keys(modules: dict[str, Module], lean: Toolchain) -> None:
    for module in modules.values():
        digest = hashlib.sha256()
        for part in (lean.digest, repr(OPTIONS), module.name, module.path.read_text(),
                     *(modules[i].key for i in module.imports)):
            data = part.encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        module.key = digest.hexdigest()


def keyed(base: Path | None = None, lean: Toolchain | None = None) -> dict[str, Module]:
    """All modules as in `scan`, each with the hash of everything its compiled form depends on."""
    modules = scan(base)
    _keys(modules, lean or find())
    return modules


def _trace(path: Path) -> Path:
    return path.with_suffix(".trace")


def _fresh(path: Path, key: str) -> bool:
    """The compiled file is the one that this key produced, byte for byte."""
    try:
        trace = json.loads(_trace(path).read_text())
        return trace["key"] == key and trace["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError):
        return False


def run_lean(lean: Toolchain, args: list[str], out: Path, base: Path, options: tuple[str, ...] = OPTIONS, **kwargs) -> subprocess.CompletedProcess:
    """Run `lean` with the spine's options, seeing only the spine's compiled modules."""
    env = {**os.environ, "LEAN_PATH": str(out)}
    return subprocess.run([*lean.command, *options, *args], env=env, cwd=base, capture_output=True, text=True, **kwargs)


def _messages(module: Module, base: Path, run: subprocess.CompletedProcess) -> list[Message]:
    found, file = [], str(module.path.relative_to(base))
    for line in run.stdout.splitlines():
        try:
            said = json.loads(line)
            found.append(Message(module.name, file, said["pos"]["line"], said["pos"]["column"], said["severity"], said["data"]))
        except (ValueError, KeyError, TypeError):
            if line.strip():
                found.append(Message(module.name, file, 0, 0, "output", line))
    if run.stderr.strip():
        found.append(Message(module.name, file, 0, 0, "error", run.stderr.strip()))
    return found


def _compile(module: Module, lean: Toolchain, out: Path, base: Path, arguments: Arguments | None = None) -> tuple[bool, float, list[Message]]:
    target = olean_path(out, module.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in (target, _trace(target)):
        old.unlink(missing_ok=True)
    scratch = target.with_suffix(f".{os.getpid()}.tmp")
    start = time.perf_counter()
    if arguments:
        run = run_lean(lean, arguments(module, scratch), out, base, options=())
    else:
        run = run_lean(lean, ["--json", "-R", str(base), "-o", str(scratch), str(module.path)], out, base)
    seconds = time.perf_counter() - start
    said = _messages(module, base, run)
    ok = run.returncode == 0 and scratch.is_file() and not any(m.severity in ("error", "warning") for m in said)
    if ok:
        data = scratch.read_bytes()
        os.replace(scratch, target)
        _trace(target).write_text(json.dumps({"key": module.key, "sha256": hashlib.sha256(data).hexdigest(), "seconds": seconds}))
    else:
        scratch.unlink(missing_ok=True)
        if not said:
            said = [Message(module.name, str(module.path.relative_to(base)), 0, 0, "error", f"lean ended with code {run.returncode}")]
    return ok, seconds, said


def build(only: list[str] | None = None, jobs: int | None = None, progress: Callable[[str, str, int, int], None] | None = None,
          base: Path | None = None, out: Path | None = None, lean: Toolchain | None = None, arguments: Arguments | None = None) -> Result:
    """Compile the spine (or `only` these modules and what they import).

    `progress(module, state, done, total)` is called as modules are finished; state is `cached`, `compiled`,
    `failed` or `skipped` (an import failed).  `base` and `out` are for tests on a copy of the spine.  `arguments`, of a
    module and the file to write, replaces all arguments of `lean`, for a build in a folder `out` of its own (`lake.py`).
    """
    start = time.perf_counter()
    base = base or root()
    out = out or build_dir(base)
    lean = lean or find()
    modules = keyed(base, lean)
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
    result = Result(str(lean), modules=len(modules))
    state: dict[str, str] = {}
    times: dict[str, float] = {}

    def finish(name: str, how: str) -> None:
        state[name] = how
        getattr(result, how).append(name)
        if progress:
            progress(name, how, len(state), len(modules))

    jobs = jobs or len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(jobs) as pool:
        running = {}
        while len(state) < len(modules):
            changed = True
            while changed:
                changed = False
                for name, module in modules.items():
                    if name in state or name in running.values():
                        continue
                    deps = [state.get(i) for i in module.imports]
                    if any(d in ("failed", "skipped") for d in deps):
                        finish(name, "skipped")
                    elif None in deps:
                        continue
                    elif _fresh(olean_path(out, name), module.key):
                        finish(name, "cached")
                    elif len(running) < jobs:
                        running[pool.submit(_compile, module, lean, out, base, arguments)] = name
                        continue
                    else:
                        continue
                    changed = True
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                ok, times[name], said = future.result()
                result.messages += said
                finish(name, "compiled" if ok else "failed")
    result.ok = not result.failed and not result.skipped
    result.slowest = sorted(times.items(), key=lambda item: -item[1])[:5]
    result.seconds = time.perf_counter() - start
    return result


def manifest(base: Path | None = None, out: Path | None = None, lean: Toolchain | None = None) -> tuple[dict[str, str], list[str]]:
    """Module → SHA-256 of its compiled file as it is now (empty when there is none), and the modules whose
    compiled file is not the one that the build made of the present sources."""
    base = base or root()
    out = out or build_dir(base)
    modules = keyed(base, lean)
    digests, stale = {}, []
    for name, module in modules.items():
        path = olean_path(out, name)
        digests[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        if not _fresh(path, module.key):
            stale.append(name)
    return digests, stale


def clean(base: Path | None = None) -> int:
    """Remove every compiled module; returns how many there were."""
    gone = 0
    for path in build_dir(base).rglob("*"):
        if path.suffix in (".olean", ".trace", ".tmp"):
            gone += path.suffix == ".olean"
            path.unlink()
    return gone
