"""What `make check` runs: ruff's rules and its layout, mypy --strict on the package as it is installed, and the site, in which no link may lead nowhere.

Sub-packages of `gnosis` lie in other folders of the repository (`[tool.setuptools.package-dir]` in pyproject.toml), where mypy would not
find them.  It reads build/check, a tree of links to them; its messages are printed with the paths of the repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHERE = ("pysrc", "cython_core", "conformance", "audits", "tests", "docs", "setup.py")


def links(root: Path) -> dict[str, Path]:
    """Where the parts of the package are: path inside the tree → path in the repository."""
    folders = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    source = Path(folders.pop("")) / "gnosis"
    found = {f"gnosis/{path.name}": source / path.name for path in sorted((root / source).iterdir()) if path.name != "__pycache__"}
    return found | {package.replace(".", "/"): Path(folder) for package, folder in folders.items()}


def lay_out(root: Path, tree: Path) -> None:
    """Make the tree anew."""
    shutil.rmtree(tree, ignore_errors=True)
    for place, source in links(root).items():
        (tree / place).parent.mkdir(parents=True, exist_ok=True)
        (tree / place).symlink_to(root / source)


def own_path(line: str, root: Path) -> str:
    """A line of mypy's output, its path as it is in the repository."""
    return next((f"{source}{line[len(place) :]}" for place, source in links(root).items() if line.startswith((f"{place}/", f"{place}:"))), line)


def types(root: Path = ROOT) -> int:
    """mypy's exit code.  It is started inside the tree, or it would take folders of the repository for packages of their own."""
    tree = root / "build" / "check"
    lay_out(root, tree)
    command = [sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml"), "--cache-dir", str(root / "build" / "mypy"), "-p", "gnosis"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    print("".join(own_path(line, root) for line in done.stdout.splitlines(keepends=True)), end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode


def ruff(root: Path, command: str, *options: str) -> int:
    where = (name for name in WHERE if (root / name).exists())
    return subprocess.run([sys.executable, "-m", "ruff", command, "--quiet", *options, *where], cwd=root).returncode


def rules(root: Path = ROOT) -> int:
    return ruff(root, "check")


def layout(root: Path = ROOT) -> int:
    """Fails where `ruff format` would change a file; names each."""
    return ruff(root, "format", "--diff")


def site(root: Path = ROOT, where: Path | None = None) -> int:
    """Build the site; any warning fails: a link or an anchor that is not there, a page that no menu names, a module that is gone.

    Not with --quiet: it keeps warnings from being counted, and --strict then lets them pass.
    """
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(root / "mkdocs.yml"), "-d", str(where or root / "build" / "site")]
    clean = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # a note of the theme about another program
    done = subprocess.run(command, cwd=root, env=clean, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="", end="", file=sys.stderr)
    return done.returncode


def main() -> int:
    """1 if any check failed; every one is run."""
    return int(any([rules(), layout(), types(), site()]))


if __name__ == "__main__":
    sys.exit(main())
