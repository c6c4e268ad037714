"""The rooms of the package: which floor each is on, and that no import goes up or round.

The floors are declared in pyproject.toml ([tool.gnosis] floors, the lowest first).  A room is a module or a package directly below
`gnosis`; one on a floor may import from floors below it, and from itself.  Modules inside a room may not import each other in a circle.
Imports inside functions count like any other.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {"gnosis": "pysrc/gnosis", "gnosis.core": "cython_core", "gnosis.audits": "audits", "gnosis.conformance": "conformance"}
FLOORS: list[list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["gnosis"]["floors"]

Graph = dict[str, dict[str, int]]  # module → modules that it imports, with the line of the first import


def modules(root: Path) -> dict[str, tuple[Path, bool]]:
    """Every module with its file, and whether it is a package."""
    found = {}
    for package, folder in ROOMS.items():
        for file in sorted((root / folder).rglob("*.py*")):
            if file.suffix not in (".py", ".pyx"):
                continue
            parts = file.relative_to(root / folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            found[".".join((package, *(parts[:-1] if is_package else parts)))] = file, is_package
    return found


def imports(name: str, text: str, is_package: bool, known: set[str]) -> Iterator[tuple[str, int]]:
    """What a module imports of the package: modules where they are known, else the package that the name is taken from."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name.split(".")[0] == "gnosis")
        elif isinstance(node, ast.ImportFrom):
            base = name.split(".") if is_package else name.split(".")[:-1]
            target = ".".join([*base[: len(base) - node.level + 1], *([node.module] if node.module else [])]) if node.level else node.module or ""
            if target.split(".")[0] == "gnosis":
                for alias in node.names:
                    full = f"{target}.{alias.name}"
                    yield (full if full in known else target), node.lineno


def graph(root: Path) -> Graph:
    """All imports, and a kernel's own module for each .pyx file."""
    known = modules(root)
    out: Graph = {}
    for name, (file, is_package) in known.items():
        out[name] = {}
        if file.suffix == ".py":
            for target, line in imports(name, file.read_text(encoding="utf-8"), is_package, set(known)):
                out[name].setdefault(target, line)
    return out


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "gnosis"


def upwards(edges: Graph, floors: list[list[str]]) -> list[str]:
    """Imports of a room on the same floor or a higher one, and rooms that stand on no floor or on two."""
    at = {name: i for i, floor in enumerate(floors) for name in floor}
    out = [f"{name} stands on two floors" for name in at if sum(name in floor for floor in floors) > 1]
    for module, targets in edges.items():
        if module == "gnosis":
            continue
        if room(module) not in at:
            out.append(f"{room(module)} stands on no floor ({module})")
            continue
        for target, line in targets.items():
            a, b = room(module), room(target)
            if a != b and b != "gnosis" and at.get(b, len(floors)) >= at[a]:
                out.append(f"{module}, line {line}: {a} (floor {at[a]}) imports {target} (floor {at.get(b, '?')})")
    return out


def circles(edges: Graph) -> list[list[str]]:
    """Groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    out: list[list[str]] = []

    def visit(v: str) -> None:
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in edges.get(v, {}):
            if w not in edges:
                continue
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            group = stack[stack.index(v) :]
            del stack[stack.index(v) :]
            if len(group) > 1 or v in edges.get(v, {}):
                out.append(sorted(group))

    for v in edges:
        if v not in index:
            visit(v)
    return out


EDGES = graph(ROOT)


def test_no_import_goes_up() -> None:
    assert not (found := upwards(EDGES, FLOORS)), "\n".join(found)


def test_no_circle() -> None:
    assert not (found := circles(EDGES)), found


def test_there_are_few_floors_and_no_empty_room() -> None:
    assert len(FLOORS) <= 10
    there = {room(module) for module in EDGES} - {"gnosis"}
    assert {name for floor in FLOORS for name in floor} == there


def test_every_kind_of_fault_is_seen(tmp_path: Path) -> None:
    """Faults planted in a small tree, each named."""
    for folder in ROOMS.values():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").write_text("")
    low, high = tmp_path / "pysrc/gnosis/low", tmp_path / "pysrc/gnosis/high"
    for package in (low, high):
        package.mkdir()
        (package / "__init__.py").write_text("")
    (low / "a.py").write_text("X = 1\n")
    (high / "b.py").write_text("from ..low.a import X\nfrom .. import low\n")
    floors = [["low"], ["core", "audits", "conformance"], ["high"]]
    assert not upwards(graph(tmp_path), floors) and not circles(graph(tmp_path))
    for text in (
        "from ..high import b\n",
        "import gnosis.high.b\n",
        "from gnosis.high.b import X\n",
        "def f():\n    from ..high.b import X\n",
        "from .. import high\n",
    ):
        (low / "a.py").write_text(text)
        assert any("low (floor 0) imports gnosis.high" in row for row in upwards(graph(tmp_path), floors)), text
    (low / "a.py").write_text("from ..high.b import X\n")
    assert circles(graph(tmp_path)) == [["gnosis.high.b", "gnosis.low.a"]]
    (low / "a.py").write_text("from . import a\n")
    assert circles(graph(tmp_path)) == [["gnosis.low.a"]]
    assert upwards(graph(tmp_path), [["low"], ["core", "audits", "conformance"]]) and upwards(
        graph(tmp_path), [["low", "high"], ["low", "core", "audits", "conformance"]]
    )


LONGEST = {".py": 500, ".pyx": 500, ".c": 500, ".h": 500, ".mjs": 500, ".lean": 700}


@pytest.mark.parametrize("folder", ["pysrc", "cython_core", "conformance", "audits", "tests", "Gnosis"])
def test_no_file_is_long(folder: str) -> None:
    """Hand-written files; none is generated here but what .gitignore names."""
    long = {
        str(f.relative_to(ROOT)): n
        for f in sorted((ROOT / folder).rglob("*"))
        if f.suffix in LONGEST
        and "_cython" not in f.parts
        and "build" not in f.parts
        and (n := len(f.read_text(encoding="utf-8").splitlines())) > LONGEST[f.suffix]
    }
    assert not long, long


def test_the_page_shows_the_floors() -> None:
    """The table of docs/architecture.md, the highest floor first, is the declaration."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    shown = {(name, int(floor)) for floor, names in re.findall(r"^\| (\d+) \| ((?:`\w+`(?:, )?)+) \|", page, re.M) for name in re.findall(r"\w+", names)}
    assert shown == {(name, i) for i, floor in enumerate(FLOORS) for name in floor}
