"""A process that tries mutants of the Python and of the kernels: one JSON line in, one out, a child of its own for each.

python -m gnosis.conformance.mutants.worker FOLDER ANSWERS [--clean]

FOLDER: the kernels with mutants (`builds.kernels`).  ANSWERS: what Lean says (`run.record`).
--clean: first run the lanes without any mutant, which nothing may kill.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import importlib
import json
import os
import pickle
import pkgutil
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import gnosis.core

if TYPE_CHECKING:
    from .lanes import Lanes

MODULES = {"pysrc/gnosis": "gnosis", "conformance": "gnosis.conformance", "cython_core": "gnosis.core"}


class Killed(Exception):
    """A lane noticed the mutant."""


def module_of(file: str) -> str:
    """The module of a Python file of the checkout."""
    room = next(r for r in MODULES if file.startswith(r + "/"))
    return ".".join([MODULES[room], *Path(file).relative_to(room).with_suffix("").parts])


def _codes(code: CodeType) -> dict[str, CodeType]:
    """The code of every function of a module, by its qualified name."""
    found: dict[str, CodeType] = {}
    for c in code.co_consts:
        if isinstance(c, CodeType):
            found |= {c.co_qualname: c, **_codes(c)}
    return found


class Functions:
    """All functions of the process, and all caches of results, as they are when this is made."""

    def __init__(self) -> None:
        self.named: dict[tuple[str, str], list[FunctionType]] = {}
        self.caches = []
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self.named.setdefault((thing.__module__, thing.__code__.co_qualname), []).append(thing)
            elif isinstance(thing, functools._lru_cache_wrapper):
                self.caches.append(thing)

    def replace(self, mutant: Any, base: Path) -> None:
        """Give the function the code that the mutated file has for it, wherever it is referred to."""
        from .plan import applied

        name = module_of(mutant.file)
        text = (base / mutant.file).read_text(encoding="utf-8")
        new = _codes(compile(applied(text, mutant), str(importlib.import_module(name).__file__), "exec"))[mutant.within]
        functions = self.named.get((name, mutant.within), [])
        if not functions:
            raise RuntimeError(f"{name} has no function {mutant.within}")
        for function in functions:
            function.__code__ = new
        for cache in self.caches:
            cache.cache_clear()


class Switches:
    """The switch of every kernel with mutants."""

    def __init__(self, folder: Path) -> None:
        from .builds import SWITCH

        self.all = {p.name.split(".")[0]: ctypes.c_int.in_dll(ctypes.CDLL(str(p)), SWITCH) for p in sorted(folder.glob("*.so"))}

    def set(self, number: int) -> None:
        for switch in self.all.values():
            switch.value = number


class _First(list[Any]):
    """Disagreements, of which the first is enough."""

    def append(self, disagreement: Any) -> None:
        raise Killed(disagreement.lane, str(disagreement))


def attack(mutant: Any, lanes: Lanes, seed: int, recorded: dict[str, Any]) -> None:
    """Every lane that can notice the mutant, the nearest first.  Raises Killed."""
    from .. import targets
    from ..lanes.run import _reference, same
    from ..running import shrink
    from ..running.report import Report, shown

    shrink.SECONDS = 0.0
    if mutant.side == "python":
        by_stem = sorted(targets.load().items(), key=lambda item: item[0] != mutant.stem)
        for _, ts in by_stem:
            for target in ts:
                for args, expected in recorded[target.decision]:
                    got = _reference(target, args)
                    if not same(expected, got):
                        raise Killed("oracle", f"{target.decision}{shown(args, 100)}: {shown(got, 40)} for {shown(expected, 40)}")
    report = Report(seed)
    report.disagreements = _First()
    lanes.run(mutant.stem, seed, report)


def _child(mutant: Any, number: int, functions: Functions, switches: Switches, lanes: Lanes, seed: int, recorded: dict[str, Any], base: Path) -> dict[str, Any]:
    try:
        if mutant.side == "c":
            switches.set(number)
        elif mutant.side == "python" and mutant.was:
            functions.replace(mutant, base)
        attack(mutant, lanes, seed, recorded)
    except Killed as killed:
        return {"lane": killed.args[0], "by": killed.args[1][:400]}
    except Exception:
        return {"error": traceback.format_exc()[-1500:]}
    return {"lane": "", "by": ""}


def forked(call: Any, seconds: int) -> dict[str, Any]:
    """The result of `call` in a child of this process.  A child that crashes says so; one that needs more processor time is an error."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            answer = json.dumps(call()).encode()
            while answer:
                answer = answer[os.write(writing, answer) :]
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(pid, 0)
    if data:
        return json.loads(data)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return {"error": f"no end within {seconds} s of processor time; a mutant must not make a lane run on"}
    return {"lane": "crash", "by": f"the process ended with status {status}"}


def main() -> None:
    """Answer requests until the end of the input."""
    folder, answers = Path(sys.argv[1]), Path(sys.argv[2])
    gnosis.core.__path__.insert(0, str(folder))
    from ... import gates
    from ...spine.paths import root
    from .. import targets
    from .lanes import Lanes  # the kernels are loaded here, those with mutants first
    from .plan import Mutant
    from .run import PATIENCE

    targets.load()
    lanes = Lanes()
    for module in pkgutil.iter_modules(gates.__path__):
        importlib.import_module(f"{gates.__name__}.{module.name}")
    functions, switches, base = Functions(), Switches(folder), root()
    gc.disable()  # nothing here makes garbage that matters, and a collection would copy every page of the parent
    seed, recorded = pickle.loads(answers.read_bytes())
    clean = {"lane": ""}
    if "--clean" in sys.argv:
        nothing = Mutant("", "python", "", "", "", "")
        clean = forked(lambda: _child(nothing, 0, functions, switches, lanes, seed, recorded, base), PATIENCE)
    for line in sys.stdin:
        fields = json.loads(line)
        number = fields.pop("number")
        if clean.get("lane") != "":  # an error, or a lane that fails
            print(json.dumps({"error": f"without any mutant: {clean}"}), flush=True)
            return
        mutant, start = Mutant(**fields), time.perf_counter()
        answer = forked(lambda: _child(mutant, number, functions, switches, lanes, seed, recorded, base), PATIENCE)
        print(json.dumps({**answer, "seconds": time.perf_counter() - start}), flush=True)


if __name__ == "__main__":
    main()
