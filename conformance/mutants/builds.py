"""What the mutants of the C kernels and of the Lean decisions run in: one build each, below `build/mutants/`, made again when a text changes."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ...spine import build
from ...spine.paths import build_dir, root
from ..oracle.decisions import DECISIONS
from ..oracle.interpreter import DRIVER
from .plan import BadMutants, Mutant, MutationError, applied, lean_blocks, span

KEPT = 2  # builds of other mutants that are not removed
PART = 50  # entries in one list of the table
SWITCH = "gnosis_mutant"  # the global of every kernel in the copy; no file of the product has it

# ---- C ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernels:
    """A folder with the extension modules that have mutants, and the number that switches each mutant on (0: none)."""

    folder: Path
    numbers: dict[Mutant, int] = field(default_factory=dict)


def switched(text: str, mutants: dict[Mutant, int]) -> str:
    """A C file in which every mutated place looks at the switch.  Mutants of one and the same text share its place.

    A text that ends with a semicolon is a statement, any other an expression.  Raises BadMutants when two places overlap.
    """
    places: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault(span(text, mutant), []).append(mutant)
    last = len(text)
    for (start, end), some in sorted(places.items(), reverse=True):
        if end > last:
            raise BadMutants(f"{some[0]} overlaps with another mutant")
        last, new = start, text[start:end]
        for m in some:
            test = f"{SWITCH} == {mutants[m]}"
            new = f"if ({test}) {{ {m.now} }} else {{ {new} }}" if m.was.endswith(";") else f"({test} ? ({m.now}) : ({new}))"
        text = text[:start] + new + text[end:]
    return text


# run in the copy: the real setup.py, but only some modules, each with the switch in it; -O1 compiles faster and changes no result
_SCRIPT = """
import os, sys
import setuptools
from distutils.core import run_setup
stems = sys.argv[1].split(",")
dist = run_setup("setup.py", ["-q", "build_ext", "--build-lib", "out"], stop_after="commandline")
dist.ext_modules = [e for e in dist.ext_modules if e.name.rpartition(".")[2] in stems]
for e in dist.ext_modules:
    e.sources.append("mutant.c")
    e.extra_compile_args = [a if a != "-O3" else "-O1" for a in e.extra_compile_args] + ["-include", os.path.abspath("mutant.h")]
dist.run_commands()
"""


def kernels(mutants: list[Mutant], where: Path) -> Kernels:
    """Build the copy, unless one of the same texts is there.  Raises MutationError when it does not compile."""
    base, room = root(), root() / "cython_core"
    numbers = {m: k for k, m in enumerate(mutants, 1)}
    texts = {p.name: p.read_text(encoding="utf-8") for p in sorted(room.iterdir()) if p.suffix in (".c", ".h", ".pyx", ".py")}
    for name in {Path(m.file).name for m in mutants}:
        texts[name] = switched(texts[name], {m: k for m, k in numbers.items() if Path(m.file).name == name})
    stems = sorted({_module(m.file, room) for m in mutants})
    digest = hashlib.sha256(repr((sys.version, (base / "setup.py").read_text(), texts, stems, _SCRIPT)).encode()).hexdigest()[:16]
    home = where / f"core-{digest}"
    if not (home / "done").exists():
        for old in sorted(where.glob("core-*"), key=lambda p: p.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old)
        shutil.rmtree(home, ignore_errors=True)  # half a build
        (home / "cython_core").mkdir(parents=True)
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
            shutil.copy2(base / name, home / name)
        (home / "mutant.c").write_text(f"int {SWITCH} = 0;\n")
        (home / "mutant.h").write_text(f"extern int {SWITCH};\n")
        for name, text in texts.items():
            if name.endswith(".pyx"):
                shutil.copy2(room / name, home / "cython_core" / name)  # with its time, so that Cython's output is not made again
            else:
                (home / "cython_core" / name).write_text(text, encoding="utf-8")
        # what Cython made of the .pyx files in the ordinary build
        for made in [p for p in (base / "build").glob("temp.*/**/*_module.*") if p.is_file()] if stems else ():
            copy = home / made.relative_to(base)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(made, copy)
        if stems:
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", _SCRIPT, ",".join(stems)], cwd=home, capture_output=True, text=True)
            if done.returncode:
                raise MutationError(f"the kernels with mutants do not compile: {done.stderr[-2000:]}")
        (home / "done").touch()
    return Kernels(home / "out" / "gnosis" / "core", numbers)


def _module(file: str, room: Path) -> str:
    """The extension module that a C file or header is compiled into."""
    name = Path(file).stem
    while not (room / f"{name}.pyx").exists() and "_" in name:  # engine_steps_body.h is of engine, head_avx512.h of head
        name = name.rpartition("_")[0]
    return name


# ---- Lean ------------------------------------------------------------------------------------------------------------


def lean_name(k: int, decision: str) -> str:
    """The name of a decision with mutant number k in it, as the driver of the mutants knows it."""
    return f"{decision} {k}"


def _dependents(text: str, name: str) -> list[str]:
    """The definitions of a file that use `name`, however indirectly, itself included; in the order of the file."""
    blocks, hit = lean_blocks(text), {name}
    uses = {d: set(re.findall(r"[\w'.]+", text[s:e])) for d, (s, e) in blocks.items()}
    while True:
        more = {d for d, words in uses.items() if d not in hit and words & hit}
        if not more:
            return [d for d in blocks if d in hit]
        hit |= more


def observed(mutant: Mutant) -> list[str]:
    """The decisions that a mutated definition can change, the nearest first.  Those of other files are not among them."""
    names = _dependents((root() / mutant.file).read_text(encoding="utf-8"), mutant.within)
    return sorted((n for n in names if n in DECISIONS), key=lambda n: n != mutant.within)


def spine(mutants: list[Mutant], where: Path) -> Path | None:
    """A copy of the driver and of what it imports, whose table holds mutated decisions; compiled when the oracle starts.

    Raises BadMutants for a mutant that no decision shows.
    """
    if not mutants:
        return None
    base, home = root(), where / "spine"
    shutil.rmtree(home / "Gnosis", ignore_errors=True)
    modules = build.scan(base)
    need, todo = set(), [DRIVER]
    while todo:
        name = todo.pop()
        if name not in need:
            need.add(name)
            todo += modules[name].imports
    for name in need:
        path = modules[name].path.relative_to(base)
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(base / path, home / path)
        compiled = build.olean_path(build_dir(base), name)
        for file in (compiled, compiled.with_suffix(".trace")):
            copy = build_dir(home) / file.relative_to(build_dir(base))
            if file.exists() and not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
    parts = ["prelude", *(f"import {n}" for n in sorted(need) if n.startswith("Gnosis.Decision."))]
    parts.append("set_option linter.unusedVariables false")  # a mutant may leave one unused
    entries = []
    for k, mutant in enumerate(mutants):
        text = (base / mutant.file).read_text(encoding="utf-8")
        blocks = lean_blocks(text)
        changed = applied(text, mutant)
        grown = len(changed) - len(text)
        at = blocks[mutant.within][0]
        shown = observed(mutant)
        if not shown:
            raise BadMutants(f"{mutant}: no decision of the table depends on it")
        bodies = []
        for name in _dependents(text, mutant.within):
            start, end = blocks[name]
            bodies.append(changed[start + (grown if start > at else 0) : end + (grown if start >= at else 0)])
        opened = "".join(line + "\n" for line in text.splitlines() if line.startswith("open "))
        parts.append(f"namespace Gnosis.Mutant{k}\n{opened}" + "".join(bodies) + f"end Gnosis.Mutant{k}")
        entries += [f'  entry "{lean_name(k, d)}" Mutant{k}.{d}' for d in shown]
    (home / "Gnosis" / "Mutants.lean").write_text("\n".join(parts) + "\n", encoding="utf-8")
    table = home / "Gnosis" / "Driver" / "Table.lean"
    text = table.read_text(encoding="utf-8")
    head, _, rest = text.partition("def table : List Entry := [")
    # in parts: the elaborator of a long list reaches its limit of recursion
    parts = [f"def part{i} : List Entry := [\n" + ",\n".join(entries[i : i + PART]) + "]\n" for i in range(0, len(entries), PART)]
    whole = "def table : List Entry := " + " ++ ".join(f"part{i}" for i in range(0, len(entries), PART))
    table.write_text(head.replace("prelude\n", "prelude\nimport Gnosis.Mutants\n", 1) + "".join(parts) + whole + rest[rest.index("]") + 1 :], encoding="utf-8")
    return home
