"""What the public callables of the runtime promise, and what each promise rests on.

The rule, read off docstrings: a public function, class, method or property of a room in ROOMS promises something when its docstring
has a word of WORDS or cites a headline theorem.  Then one line of it says what the promise rests on:

    Promises: theorem `Gnosis.a`, `Gnosis.b`.
    Promises: tested `tests/test_x.py::test_y`, `floats: CHECK`.

Promised theorems are headline theorems, and at least one of them speaks of a decision whose exact reference stands in the callable's own
module or is imported there, or of one that is made of such a decision, where there is such a reference.  Tests exist; a check of the lane `floats` is named as the lane names it.
A reference of a decision, whose docstring begins with the decision's name, promises to be that decision: that is its target, and
the theorems of a line of its own must speak of that decision.  `gnosis manifest` checks all this and writes the page.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from . import floats, targets

ROOMS = ("gates", "risk", "inference", "compare", "certificates", "numbers", "engine", "studies", "probe", "codes", "lm", "plan")
WORDS = re.compile(
    r"\b(?i:never|the same|sound|guarantees?|exact|exactly|probability|always|at most|at least|(?:lower|upper) bounds?|certified)\b|\bTheorems?\b"
)
CITED = re.compile(r"`Gnosis\.((?:\w+\.)*\w+)`")
LINE = re.compile(r"^\s*Promises: (?:(theorem) (`Gnosis\.[\w.]+`(?:, `Gnosis\.[\w.]+`)*)|(tested) (`[^`]+`(?:, `[^`]+`)*))\.$", re.M)
PAGE = "docs/promises.md"
HEAD = """# What the package promises

Written by `gnosis manifest --write`, from the docstrings; `gnosis manifest` fails on a page that is another. A public callable of
the rooms `gates`, `risk`, `inference`, `compare`, `certificates`, `numbers`, `engine`, `studies`, `probe`, `codes`, `lm` and `plan` promises something when its
docstring says *never*, *the same*, *sound*, *guarantee*, *exact*, *exactly*, *probability*, *always*, *at most*, *at least*, *lower bound*, *upper bound*,
*certified* or *Theorem*, or cites a headline theorem. What it rests on is a theorem of the [spine](spine.md), or a test.
"""


@dataclass(frozen=True)
class Callable_:
    """A public callable.  name: in full.  doc: its docstring.  mirrors: the decision that it is the reference of.  near: decisions whose references
    stand in its module or are imported there."""

    name: str
    doc: str
    mirrors: str | None
    near: frozenset[str]

    @property
    def promises(self) -> list[tuple[str, list[str]]]:
        """The lines: "theorem" or "tested", and what is named."""
        return [(kind or other, re.findall(r"`([^`]+)`", some or more)) for kind, some, other, more in LINE.findall(self.doc)]


def _members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__ or not (inspect.isfunction(thing) or inspect.isclass(thing)):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for inner, member in vars(thing).items():
                member = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if not inner.startswith("_") and inspect.isfunction(member):
                    yield f"{name}.{inner}", member


def callables() -> list[Callable_]:
    """All public callables of the rooms."""
    references = {id(t.reference): t.decision for some in targets.load().values() for t in some}
    found = []
    for room in ROOMS:
        package = importlib.import_module(f"...{room}", __name__)
        for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(entry.name)
            near = frozenset(references[id(thing)] for thing in vars(module).values() if id(thing) in references)
            found += [Callable_(f"{module.__name__}.{name}", inspect.getdoc(thing) or "", references.get(id(thing)), near) for name, thing in _members(module)]
    return found


def speaks(one: Callable_, theorems: set[str]) -> bool:
    """Whether it promises something, by the rule; mirrors and parts of decisions, whose docstring begins with a name of Lean, do not."""
    said = LINE.sub("", one.doc)
    if said.startswith("`Gnosis.") and not any(t in theorems for t in CITED.findall(said)):
        return False
    return bool(WORDS.search(said)) or any(t in theorems for t in CITED.findall(said))


def tests(base: Path) -> set[str]:
    """What a tested promise may name: every test function, and every check of the lane `floats`."""
    found = {f"floats: {check.name}" for check in floats.load()}
    for path in sorted((base / "tests").glob("test_*.py")):
        found |= {
            f"tests/{path.name}::{node.name}"
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }
    return found


def _made_of(about: set[str], decisions: dict[str, set[str]]) -> set[str]:
    """The decisions, and all that they are made of."""
    todo, found = list(about), set(about)
    while todo:
        new = decisions.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def check(found: list[Callable_], theorems: dict[str, set[str]], decisions: dict[str, set[str]], known: set[str] | None) -> list[str]:
    """What is wrong, a line each.

    theorems: headline theorem → decisions that it speaks of.  decisions: decision → those that it is made of.  known: `tests`; None: not looked up.
    """
    wrong = []
    for one in found:
        lines = one.promises
        if "Promises:" in one.doc and len(lines) != one.doc.count("Promises:"):
            wrong.append(f"{one.name}: its line Promises cannot be read")
        elif not lines and speaks(one, set(theorems)):
            wrong.append(f"{one.name}: promises something, and no line says what it rests on")
        elif len(lines) > 1 and len({kind for kind, _ in lines}) != len(lines):
            wrong.append(f"{one.name}: two lines Promises of one kind")
        for kind, names in lines:
            if kind == "tested":
                wrong += [f"{one.name}: promises by {name}, which does not exist" for name in names if known is not None and name not in known]
                continue
            short = [name.removeprefix("Gnosis.") for name in names]
            wrong += [f"{one.name}: promises by Gnosis.{name}, which is no headline theorem" for name in short if name not in theorems]
            about: set[str] = set().union(*(theorems.get(name, set()) for name in short))
            if one.mirrors and one.mirrors not in about:
                wrong.append(f"{one.name}: mirrors {one.mirrors}, of which no theorem that it promises by speaks")
            elif one.near and not _made_of(about, decisions) & one.near and all(name in theorems for name in short):
                wrong.append(f"{one.name}: no theorem that it promises by speaks of a decision of its module")
    return wrong


def page(found: list[Callable_]) -> str:
    """The reference page."""
    out = [HEAD]
    for room in ROOMS:
        rows = [(one, kind, names) for one in found if one.name.split(".")[1] == room for kind, names in one.promises]
        out += [f"## `gnosis.{room}`", "", "| callable | rests on | |", "| --- | --- | --- |"]
        out += [f"| `{one.name.split('.', 2)[2]}` | {kind} | {', '.join(f'`{name}`' for name in names)} |" for one, kind, names in rows] + [""]
    return "\n".join(out)
