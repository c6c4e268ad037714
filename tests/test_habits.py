"""`make check`: each of its checks finds a fault that is put in, and a check of nothing is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import check
import pytest
import yaml

ROOT = Path(__file__).parents[1]
MODULE = "pysrc/gnosis/verdict.py"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository of two modules with the settings of this one."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "pysrc/gnosis").mkdir(parents=True)
    for name in (MODULE, "pysrc/gnosis/errors.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "pysrc/gnosis/__init__.py").write_text("")
    for folder in ("cython_core", "audits", "conformance"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("")
    return tmp_path


def test_the_copy_passes(copy: Path) -> None:
    assert check.rules(copy) == 0
    assert check.layout(copy) == 0
    assert check.types(copy) == 0


@pytest.mark.parametrize(
    "line",
    ["import os", "x = [].sort(key = 1) ;y = 2", "def f(x=[]):\n    return x", "import sys, os\nprint(sys, os)", "from typing import List\nx: List[int] = []"],
    ids=["unused import", "two statements", "mutable default", "order of imports", "old annotation"],
)
def test_a_broken_rule_is_found(copy: Path, line: str) -> None:
    with (copy / MODULE).open("a") as file:
        file.write(f"\n\n{line}\n")
    assert check.rules(copy) != 0


@pytest.mark.parametrize(
    "line",
    ["x =  1", "x=1", "x = [1,2]", "x = ( 1)", "def f():\n   return 1", "x = 'a'", "x = 1\ndef f(): ...", "x = 1  ", "x = [1, 2,]", "x = 1; y = 2"],
    ids=[
        "two spaces",
        "no space",
        "no space after a comma",
        "space before a bracket",
        "indentation",
        "quotes",
        "blank lines",
        "space at the end",
        "comma before a bracket",
        "two statements",
    ],
)
def test_another_layout_is_found(copy: Path, line: str) -> None:
    with (copy / MODULE).open("a") as file:
        file.write(f"\n\n{line}\n")
    assert check.layout(copy) != 0


@pytest.mark.parametrize("where", [MODULE, "audits/page.py", "conformance/page.py", "cython_core/page.py"])
@pytest.mark.parametrize(
    "line",
    ["x: int = ''", "def f(x): return x", "def f(x: dict) -> None: ...", "import nowhere", "y: int = 1  # type: ignore[assignment]"],
    ids=["wrong type", "no types", "no arguments of a type", "no such module", "ignore for nothing"],
)
def test_a_wrong_type_is_found(copy: Path, where: str, line: str, capfd: pytest.CaptureFixture[str]) -> None:
    with (copy / where).open("a") as file:
        file.write(f"\n\n{line}\n")
    assert check.types(copy) != 0
    assert f"{where}:" in capfd.readouterr().out


def test_every_ignore_says_why() -> None:
    """`# type: ignore[code]  # reason`, and a `noqa` names its rule."""
    for folder in ("pysrc", "cython_core", "audits", "conformance"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                _, found, rest = line.partition("# type: ignore")
                assert not found or (rest.startswith("[") and "]  # " in rest), f"{file.relative_to(ROOT)}:{number}"
                _, found, rest = line.partition("# noqa")
                assert not found or rest.startswith(": "), f"{file.relative_to(ROOT)}:{number}"


def test_gates_take_numbers_and_hold_fractions(copy: Path) -> None:
    """As a user's type checker sees them."""
    for name in ("numbers", "gates", "files"):
        shutil.copytree(ROOT / "pysrc/gnosis" / name, copy / "pysrc/gnosis" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("cython_core", "audits"):
        shutil.copytree(ROOT / name, copy / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    user = copy / "pysrc/gnosis/user.py"
    user.write_text("from fractions import Fraction\n\nfrom .gates.energy import EnergyGate\n\nx: Fraction = EnergyGate(gamma=0.25).gamma / 2\n")
    assert check.types(copy) == 0
    user.write_text("from .gates.energy import EnergyGate\n\nEnergyGate()\n")
    assert check.types(copy) != 0
    user.write_text("from .gates.energy import EnergyGate\n\nEnergyGate('a quarter')\n")
    assert check.types(copy) != 0


def test_the_hook_runs_the_same() -> None:
    (repo,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repo["repo"] == "local" and [hook["entry"] for hook in repo["hooks"]] == ["make check"]
