"""The folder `audits/` in memory: read once, hashed, imported from there, and given to child processes.

The trusted command (`check.py`) and every process that it starts run the bytes that were read and hashed at the
beginning, so a file that changes on disk meanwhile changes nothing, and no `__pycache__` is looked at.  Children get the
modules that they need on their standard input.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.machinery
import json
import os
import selectors
import subprocess
import sys
import time
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

PATIENCE, OUTPUT, RESIDENT = 3600.0, 256 << 20, 8 << 30  # seconds that a child may take, bytes that it may write and have in memory
_running: set[subprocess.Popen[bytes]] = set()
_stopped = False
FILES: dict[str, bytes] = {}  # of the folder that was installed; empty when the package was imported from disk
PACKAGE = "audits"  # its name in child processes, and in `check.py`
# All that a child sees of the environment: nothing that Python, Lean or the C library would act on comes from outside.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
BOOT = (
    "import json,sys;r=json.loads(sys.stdin.buffer.readline());n={'__name__':'audits.bundle'};"
    "exec(compile(r['files']['bundle.py'],'audits/bundle.py','exec'),n);n['serve'](r)"
)
# The stack of the main thread is as large as the limit was when the process started, so it starts again.  A system may
# refuse; the smaller stack can only lead to a rejection.
DEEP = """import os,resource as r,sys
s,h=r.getrlimit(r.RLIMIT_STACK);w=1<<30 if h<0 else min(1<<30,h)
if 0<=s<w:
 try: r.setrlimit(r.RLIMIT_STACK,(w,h))
 except (ValueError,OSError): pass
 else: os.execv(sys.executable,sys.orig_argv)
"""


def environment(**more: str) -> dict[str, str]:
    """What a child process sees of the environment, with what is named."""
    return {**ENVIRONMENT, **more}


def read(folder: Path) -> dict[str, bytes]:
    """The regular files directly in a folder, by name."""
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file() and not p.is_symlink()}


def digest(files: dict[str, bytes]) -> str:
    """SHA-256 of the lines that `sha256sum` prints for these files, sorted by name."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items(), key=lambda f: f[0].encode()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def files() -> dict[str, bytes]:
    """The folder of this package."""
    return FILES or read(Path(__file__).resolve().parent)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Within this, `files` are those of the beginning."""
    global FILES
    before, FILES = FILES, files()
    try:
        yield
    finally:
        FILES = before


class _Importer:
    """Finds the modules of the package in memory."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = {"__init__.py": "", **sources}

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        package, _, last = name.rpartition(".")
        if name == PACKAGE:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]  # it has the two methods of a loader
        if package == PACKAGE and f"{last}.py" in self.sources:
            return importlib.machinery.ModuleSpec(name, self)  # type: ignore[arg-type]  # the same
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = "__init__.py" if module.__name__ == PACKAGE else module.__name__.rpartition(".")[2] + ".py"
        exec(compile(self.sources[name], f"audits/{name}", "exec", dont_inherit=True), module.__dict__)


def install(sources: dict[str, str]) -> None:
    """Let `import audits.x` take its modules from `sources`, and nothing of that package from disk."""
    sys.meta_path.insert(0, _Importer(sources))


def python() -> list[str]:
    """The command of a Python that reads no variable, no user or site folder, no start-up file and no cached code.

    It is the very binary that runs this, not a virtual environment around it.
    """
    return [binary(), "-I", "-S", "-B", "-X", "utf8"]


def binary() -> str:
    """The file of the interpreter.  (Without `PATH`, Python itself does not always know it.)"""
    try:
        return os.readlink("/proc/self/exe")
    except OSError:
        return getattr(sys, "_base_executable", None) or sys.executable


class Child(subprocess.Popen[bytes]):
    """A process of `child`.  nonce: what its answer begins with."""

    nonce: str


def child(call: str, request: dict[str, Any], cwd: Path, modules: Iterable[str] | None = None, deep: bool = False, **more: str) -> Child:
    """Start `module:function` of this package with `request` in a process of its own, in the folder `cwd`.

    Only `modules` are given to it, or all.  With `deep` its stack has 1 GiB.  Its standard input is closed after the request; `answer` reads what it says.
    """
    if _stopped:
        raise OSError("stopped")
    process = Child(
        [*python(), "-c", DEEP + BOOT if deep else BOOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=environment(**more),
    )
    _running.add(process)
    have = files()
    wanted = sorted(n for n in have if n.endswith(".py")) if modules is None else ["bundle.py", *(f"{m}.py" for m in modules)]
    process.nonce = os.urandom(16).hex()
    said = {"files": {n: have[n].decode() for n in wanted}, "call": call, "request": request, "nonce": process.nonce}
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps(said).encode() + b"\n")
        process.stdin.close()
    except BrokenPipeError:
        pass  # it died; whoever reads the answer will see
    process.stdin = None
    return process


def resident(process: subprocess.Popen[bytes]) -> int:
    """Bytes that a process has in memory; 0 where Linux does not say it."""
    try:
        with open(f"/proc/{process.pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def collect(process: subprocess.Popen[bytes], timeout: float = PATIENCE, most: int = OUTPUT) -> tuple[bytes, bytes]:
    """What a child writes until it ends.  Raises OSError, and ends it, after `timeout` seconds, `most` bytes, or with more than RESIDENT in memory."""
    assert process.stdout is not None and process.stderr is not None
    out: list[bytes] = []
    err: list[bytes] = []
    end, size, why = time.monotonic() + timeout, 0, ""
    try:
        with selectors.DefaultSelector() as selector:
            for stream, parts in ((process.stdout, out), (process.stderr, err)):
                selector.register(stream, selectors.EVENT_READ, parts)
            while selector.get_map() and not why:
                for key, _ in selector.select(min(0.5, max(0.0, end - time.monotonic()))):
                    data = os.read(key.fd, 1 << 16)
                    if not data:
                        selector.unregister(key.fileobj)
                    key.data.append(data)
                    size += len(data)
                if resident(process) > RESIDENT:
                    why = f"took more than {RESIDENT} bytes of memory"
                    break
                why = f"wrote more than {most} bytes" if size > most else f"did not end within {timeout:g} s" if time.monotonic() >= end else ""
        if not why:
            process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        why = f"did not end within {timeout:g} s"
    finally:
        process.kill()  # (nothing, when it has ended)
        process.wait()
        _running.discard(process)
        for stream in (process.stdout, process.stderr):
            stream.close()
    if why:
        raise OSError(f"the process {why}")
    return b"".join(out), b"".join(err)


def stop() -> None:
    """End all children, and start no more."""
    global _stopped
    _stopped = True
    for process in list(_running):
        process.kill()


def answer(process: Child, timeout: float = PATIENCE) -> dict[str, Any]:
    """What the child returned.  An answer is one line that begins with the nonce of its request: nothing that merely was
    printed in that process counts.  Raises OSError when there is none."""
    out, err = collect(process, timeout)
    head = f"{process.nonce} ".encode()
    if process.returncode or not out.startswith(head) or out.count(b"\n") != 1 or not out.endswith(b"\n"):
        raise OSError(f"the process ended with code {process.returncode}: {(err or out)[-500:].decode(errors='replace')}")
    return json.loads(out[len(head) :])


def serve(request: dict[str, Any]) -> None:
    """In the child: run the function and print its answer.  Whatever else is printed goes to standard error."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)  # ends with the process that started it, however that ends
    out = os.dup(1)
    os.dup2(2, 1)
    install(request["files"])
    module, _, function = request["call"].partition(":")
    loaded = __import__(f"{PACKAGE}.{module}", fromlist=[function])
    said = getattr(loaded, function)({**request["request"], "stdout": out})
    with os.fdopen(out, "w", encoding="utf-8") as stream:
        stream.write(f"{request['nonce']} {json.dumps(said)}\n")
    sys.stdout.flush()
    os._exit(0)  # without Lean's own tear-down, which would walk over objects that are ours
