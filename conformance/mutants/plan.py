"""Mutants: small faults put into the Python, the C kernels and the Lean decisions, each of which some lane must notice.

`conformance/mutants/<stem>.yaml` lists them: side, file, the function or definition they stand in, and pairs of texts, what is
there and what stands there instead.  A text that does not occur exactly once in its function is stale, and stops the run.

No file of the product knows of this.  C: one copy of the kernels is built in `build/mutants/`, where every mutated place
asks a global number which mutant is on (`builds`).  Lean: the mutated definitions, each with what uses it, are one
generated module there.  Python: the code of one function is replaced in a process that ends with the mutant (`worker`).
A mutant that is equivalent to the original is not listed: it would survive, and a survivor fails the run.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ...spine.paths import root

SIDES = {"python": ".py", "c": (".c", ".h"), "lean": ".lean"}


class BadMutants(ValueError):
    """A list of mutants that cannot be used: malformed, stale, or overlapping."""


class MutationError(RuntimeError):
    """The run itself failed: a build, a worker, or a lane that fails without any mutant."""


@dataclass(frozen=True)
class Mutant:
    """One fault.  file: from the root of the checkout.  within: function, definition, or the text at which a C function starts."""

    stem: str
    side: str
    file: str
    within: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.file} {self.within}: {self.was} → {self.now}"


# ---- the lists -------------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where the lists are, in a checkout."""
    return root() / "conformance" / "mutants"


def load(where: Path | None = None, base: Path | None = None) -> list[Mutant]:
    """All mutants, in the order of the files.  Raises BadMutants for a malformed list, a repeated or a stale mutant."""
    base, found, sources = base or root(), [], {}
    for path in sorted((where or folder()).glob("*.yaml")):
        try:
            sides = yaml.safe_load(path.read_text(encoding="utf-8"))
            for side, files in sides.items():
                if side not in SIDES:
                    raise BadMutants(f"{path.name}: no side {side!r}; sides are {', '.join(SIDES)}")
                for file, places in files.items():
                    if not file.endswith(SIDES[side]):
                        raise BadMutants(f"{path.name}: {file} is no file of the side {side}")
                    for within, pairs in places.items():
                        found += [Mutant(path.stem, side, file, within, was, now) for was, now in pairs]
        except (yaml.YAMLError, AttributeError, TypeError, ValueError) as error:
            raise error if isinstance(error, BadMutants) else BadMutants(f"{path.name}: {error}") from None
    seen = set()
    for mutant in found:
        if mutant in seen:
            raise BadMutants(f"{mutant} stands twice")
        seen.add(mutant)
        if mutant.file not in sources:
            try:
                sources[mutant.file] = (base / mutant.file).read_text(encoding="utf-8")
            except OSError as error:
                raise BadMutants(f"{mutant.stem}.yaml: {error}") from None
        span(sources[mutant.file], mutant)
    return found


def _python_region(text: str, within: str) -> tuple[int, int]:
    """The body of a function or method, without its docstring."""
    node: Any = ast.parse(text)
    for name in within.split("."):
        node = next((n for n in node.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name), None)
        if node is None:
            raise LookupError
    if not isinstance(node, ast.FunctionDef):
        raise LookupError
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: body[0].lineno - 1]))
    return start, sum(map(len, lines[: body[-1].end_lineno]))


def _c_region(text: str, within: str) -> tuple[int, int]:
    """From the one place where the text `within` stands to the end of the function or macro that starts there."""
    start = text.find(within)
    if start < 0 or text.find(within, start + 1) >= 0:
        raise LookupError
    end = re.compile(r"[^\\\n]\n" if within.startswith("#") else r"\n}\n|}\n(?=\n|TARGET|GNOSIS)").search(text, start)
    return start, end.end() if end else len(text)


def lean_blocks(text: str) -> dict[str, tuple[int, int]]:
    """Where each definition of a file starts and ends, without the comment in front of it."""
    starts = [(m.start(), m[1]) for m in re.finditer(r"^def ([\w'.]+)", text, re.M)]
    ends = [m.start() for m in re.finditer(r"^(?:/-|def |end |@\[)", text, re.M)] + [len(text)]
    return {name: (start, min(e for e in ends if e > start)) for start, name in starts}


def span(text: str, mutant: Mutant) -> tuple[int, int]:
    """Where in the text of its file a mutant stands.  Raises BadMutants when that is not exactly one place."""
    try:
        region = {"python": _python_region, "c": _c_region}.get(mutant.side, lambda t, w: lean_blocks(t)[w])
        start, end = region(text, mutant.within)
    except LookupError:
        raise BadMutants(f"stale: {mutant.file} has no {mutant.within}, or several") from None
    count = text.count(mutant.was, start, end) if mutant.was else 0
    if count != 1 or mutant.was == mutant.now:
        raise BadMutants(f"stale: {mutant}: " + (f"the text occurs {count} times there" if count != 1 else "nothing changes"))
    at = text.index(mutant.was, start, end)
    return at, at + len(mutant.was)


def applied(text: str, mutant: Mutant) -> str:
    """The file with the fault in it."""
    start, end = span(text, mutant)
    return text[:start] + mutant.now + text[end:]
