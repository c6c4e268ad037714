"""The examples of README and pages run and print what is said there; commands and links exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gnosis.models.packages import PACKAGES, where

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("audits/*.md")])
}
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGES["docs/c.md"], re.M | re.S)
NOT_RUN = {"docs/many-machines.md"}  # needs a cluster and servers; tests/test_remote.py has them
SAYS_NOTHING = {"docs/engine.md", "docs/deferred.md"}  # examples without an output
PYTHON = [(name, text) for name, page in PAGES.items() for text in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)]


def following(page: str, text: str) -> str | None:
    """The block without a language that stands right behind the given one: what it prints."""
    rest = page.split(text, 1)[1].removeprefix("```")
    match = re.match(r"\s*```\n(.*?)^```$", rest, re.M | re.S)
    return match[1] if match else None


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python_example(number: int) -> None:
    name, text = PYTHON[number]
    if name in NOT_RUN:
        compile(text, name, "exec")
        return
    if '"smollm2"' in text and where(PACKAGES["smollm2"]) is None:
        pytest.skip("smollm2 is not installed")
    run = subprocess.run([sys.executable, "-W", "error", "-c", text], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    expected = following(PAGES[name], text)
    assert run.stdout == expected or (expected is None and name in {"docs/python.md", *SAYS_NOTHING})
    assert run.stdout.strip() or name in SAYS_NOTHING


def test_c_example(tmp_path: Path) -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc")
    (code,) = [text for language, text in BLOCKS if language == "c"]
    (command,) = [text for _, text in BLOCKS if text.startswith("gcc ")]
    (tmp_path / "example.c").write_text(code)
    words = [{"example.c": str(tmp_path / "example.c")}.get(w, w) for w in command.split()]
    subprocess.run([*words, "-Wall", "-Werror", "-o", str(tmp_path / "example")], cwd=ROOT, check=True)
    assert subprocess.run([tmp_path / "example"], capture_output=True, text=True, check=True).stdout == "1 0 0\n0 1 -3\n"


def test_every_header_for_callers_is_named() -> None:
    kernels = {path.name for path in (ROOT / "cython_core").glob("*.h")} - {path.name for path in (ROOT / "cython_core").glob("*_*.h")}
    assert set(re.findall(r"^\| `(\w+\.h)` \|", PAGES["docs/c.md"], re.M)) == kernels


def test_links_exist() -> None:
    for name, page in PAGES.items():
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"^ *```.*?^ *```$", "", page, flags=re.M | re.S)):
            assert ((ROOT / name).parent / target).exists(), (name, target)


def test_every_gate_is_on_its_page() -> None:
    """Every public class with a `decide` method."""
    import importlib
    import pkgutil

    from gnosis import gates

    page = PAGES["docs/gates.md"]
    for module in pkgutil.iter_modules(gates.__path__):
        for name, found in vars(importlib.import_module(f"gnosis.gates.{module.name}")).items():
            if isinstance(found, type) and hasattr(found, "decide") and not name.startswith("_"):
                assert f"`{name}`" in page, name


def test_every_room_of_a_gate_exists() -> None:
    rows = [line.split("|")[1:-1] for line in PAGES["docs/lean.md"].splitlines() if re.match(r"\| [a-z]+ \| `Decision/", line)]
    assert len(rows) == 9
    for row in rows:
        _, decision, theorems, python, kernel, target = ([name.strip() for name in re.findall(r"`([^`]+)`", cell)] for cell in row)
        for name in decision + theorems:
            assert (ROOT / "Gnosis" / f"{name}.lean").is_file(), name
        for name in python:
            assert (ROOT / "pysrc" / "gnosis" / f"{name}.py").is_file(), name
        for name in kernel:
            assert (ROOT / "cython_core" / name).is_file(), name
        for name in target:
            assert (ROOT / "conformance" / "targets" / f"{name}.py").is_file(), name
