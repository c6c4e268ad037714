"""Handles of lean-dojo: places from the compiled files, checked against the sources; the library itself where it is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gnosis.audits import lock
from gnosis.audits.environment import Environment
from gnosis.spine import build as b
from gnosis.spine import dojo
from gnosis.spine.paths import build_dir, root

MODULES = ["Gnosis.Core.KernelNat", "Gnosis.LeechShellDecomposition"]
# stands in for the library: it keeps what it is given, and says which settings it found when it was imported
STAND_IN = {
    "lean_dojo/__init__.py": """
import os
from dataclasses import dataclass
from pathlib import Path
assert os.environ["DISABLE_REMOTE_CACHE"] == "1" and os.environ["GITHUB_ACCESS_TOKEN"] == "", "settings come too late"
assert Path(os.environ["CACHE_DIR"]).is_dir() and Path(os.environ["TMP_DIR"]).is_dir()
from .data_extraction.lean import LeanFile, LeanGitRepo, Theorem
""",
    "lean_dojo/data_extraction/__init__.py": "",
    "lean_dojo/data_extraction/cache.py": """
import os, shutil
from pathlib import Path
class Cache:
    cache_dir = Path(os.environ["CACHE_DIR"])
    def get(self, place):
        return self.cache_dir / place if (self.cache_dir / place).exists() else None
    def store(self, source, place):
        shutil.copytree(source, self.cache_dir / place)
cache = Cache()
""",
    "lean_dojo/data_extraction/lean.py": """
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from .cache import cache
REPO_CACHE_PREFIX = "repos"
def _format_cache_dirname(url, commit):
    return f"x-{Path(url).name}-{commit}"
@dataclass(frozen=True)
class LeanGitRepo:
    url: str
    commit: str
    @classmethod
    def from_path(cls, path):
        return cls(str(path), subprocess.run(["git", "-C", path, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip())
    @property
    def repo(self):
        return SimpleNamespace(working_dir=cache.get(Path("repos", _format_cache_dirname(self.url, self.commit), Path(self.url).name)))
    @property
    def lean_version(self):
        return "v" + (Path(self.repo.working_dir) / "lean-toolchain").read_text().strip().split("v")[-1]
@dataclass(frozen=True)
class Theorem:
    repo: LeanGitRepo
    file_path: Path
    full_name: str
    @property
    def uid(self):
        return f"{self.repo.commit}:{self.file_path}:{self.full_name}"
class LeanFile:
    def __init__(self, base, path):
        self.code = (Path(base) / path).read_text().split("\\n")
""",
    "lean_dojo-4.20.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lean-dojo\nVersion: 4.20.0\n",
}


@pytest.fixture(scope="module")
def env() -> Environment:
    result = b.build(MODULES)
    assert result.ok, result.messages
    return Environment(build_dir(), MODULES)


@pytest.fixture(scope="module")
def entries() -> list[dict]:
    return [e for e in lock.load(root() / "audits" / "headline.yaml") if e["module"] in MODULES]


def source(place: dojo.Place) -> list[str]:
    return (root() / place.file).read_text().split("\n")


def test_the_compiled_files_say_where_the_headline_theorems_stand(env: Environment, entries: list[dict]) -> None:
    found, findings = dojo.places(env, entries)
    assert findings == [] and len(found) == len(entries) >= 8
    assert [dojo.misplaced(p, source(p)) for p in found] == [None] * len(found)
    leech = next(p for p in found if p.name == "Gnosis.leech_shell_count")
    lines = source(leech)
    assert lines[leech.range.name_line - 1][leech.range.name_column : leech.range.name_end_column] == "leech_shell_count"
    assert lines[leech.range.line - 1].startswith("/--") and lines[leech.range.end_line - 1][: leech.range.end_column].endswith("⟩")


def test_an_entry_that_is_not_so_is_found(env: Environment, entries: list[dict]) -> None:
    def said(**change: str) -> list[str]:
        return dojo.places(env, [{**entries[0], **change}, *entries[1:]])[1]

    assert said() == []
    assert said(name="Gnosis.nothing") == [f"Gnosis.nothing: no theorem of {entries[0]['module']} in the compiled files"]
    assert said(name="Nat.add", module="Gnosis.Core.Logic") == ["Nat.add: no theorem of Gnosis.Core.Logic in the compiled files"]
    assert said(module="Gnosis.Energy") == [f"{entries[0]['name']}: no theorem of Gnosis.Energy in the compiled files"]
    silent = Environment.of(env.intern, env.constants)
    silent.modules = {n: type("M", (), {"ranges": {}}) for n in env.modules}
    assert dojo.places(silent, entries[:1])[1] == [f"{entries[0]['name']}: {entries[0]['module']} does not say where it stands"]


def test_a_place_that_is_not_so_is_found(env: Environment, entries: list[dict]) -> None:
    place = next(p for p in dojo.places(env, entries)[0] if p.name == "Gnosis.leech_shell_count")
    lines, r = source(place), place.range
    for name, text in (("Gnosis.shell_count", "reads 'leech_shell_count'"), ("Gnosis.leech_shell_count.x", "reads")):
        assert text in str(dojo.misplaced(replace(place, name=name), lines))
    for change, text in (
        ({"name_line": r.name_line + 1}, "reads"),
        ({"name_column": r.name_column + 1}, "reads"),
        ({"line": r.name_line, "column": r.name_column}, "no declaration"),
        ({"line": 10**6}, "no declaration"),
        ({"end_line": r.line}, "is not its end"),
        ({"end_line": 10**6}, "is not its end"),
        ({"end_column": 10**6}, "is not its end"),
    ):
        assert text in str(dojo.misplaced(replace(place, range=replace(r, **change)), lines)), change
    assert "reads ''" in str(dojo.misplaced(place, lines[:5]))
    assert "no declaration of a theorem" in str(dojo.misplaced(place, [line.replace("theorem ", "def     ") for line in lines]))
    assert "reads" in str(dojo.misplaced(place, ["", *lines]))


def run(extra: Path | None = None, **settings: str) -> tuple[int, dict, str]:
    path = {"PYTHONPATH": str(extra)} if extra else {}
    out = subprocess.run(
        [sys.executable, "-m", "gnosis", "spine", "dojo", "--json"], capture_output=True, text=True, cwd=root(), env={**os.environ, **path, **settings}
    )
    assert out.stdout, out.stderr
    return out.returncode, json.loads(out.stdout), out.stderr


@pytest.mark.skipif(importlib.util.find_spec("lean_dojo") is not None, reason="lean-dojo is installed")
def test_without_the_extra_the_command_says_how_to_install_it() -> None:
    code, said, err = run()
    assert code == 3 and said == {"ok": False, "installed": False, "error": said["error"], "theorems": [], "findings": [], "proofs_checked": 0}
    assert "pip install 'gnosis-gates[dojo]'" in said["error"] and "pip install" in err


def checkout(where: Path, env: Environment, entries: list[dict]) -> Path:
    """Some modules of the spine in a repository of their own, with what was compiled."""
    for name in env.modules:
        for old in (
            Path(*name.split(".")).with_suffix(".lean"),
            *(b.olean_path(build_dir(), name).relative_to(root()).with_suffix(s) for s in (".olean", ".trace")),
        ):
            (where / old).parent.mkdir(parents=True, exist_ok=True)
            # never a link: the build writes some of these in place
            (where / old).write_bytes((root() / old).read_bytes())
    (where / "audits").mkdir()
    (where / "audits" / "headline.yaml").write_text(lock.dump(entries))
    for file in ("lakefile.lean", "lean-toolchain"):
        (where / file).write_bytes((root() / file).read_bytes())
    (where / ".gitignore").write_text("/build/\n")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=where, check=True)
    return where


def test_the_command_with_a_stand_in_for_the_library(env: Environment, entries: list[dict], tmp_path: Path) -> None:
    extra, here = tmp_path / "extra", checkout(tmp_path / "spine", env, entries)
    for file, text in STAND_IN.items():
        (extra / file).parent.mkdir(parents=True, exist_ok=True)
        (extra / file).write_text(text)
    settings = {"GNOSIS_ROOT": str(here), "GITHUB_ACCESS_TOKEN": "x"}
    code, said, err = run(extra, **settings)
    assert code == 0, err
    assert {(t["name"], t["file"]) for t in said["theorems"]} == {(e["name"], e["module"].replace(".", "/") + ".lean") for e in entries}
    assert len(said["theorems"]) == len(entries) and len(said["commit"]) == 40 and said["proofs_checked"] == 0
    assert "4.35.0" in said["tracing"] and "4.20" in said["tracing"] and "no proof" in err
    # an entry too many, then a file that is not what was committed
    text = (here / "audits" / "headline.yaml").read_text()
    (here / "audits" / "headline.yaml").write_text(text.replace("name: Nat.add_spec", "name: Nat.added_spec", 1))
    code, said, _ = run(extra, **settings)
    assert code == 1 and said["findings"] == ["Nat.added_spec: no theorem of Gnosis.Core.KernelNat in the compiled files"]
    (here / "audits" / "headline.yaml").write_text(text)
    file = here / "Gnosis" / "LeechShellDecomposition.lean"
    file.write_text(file.read_text() + "-- more\n")
    out = subprocess.run(
        [sys.executable, "-m", "gnosis", "spine", "dojo"], capture_output=True, text=True, cwd=root(), env={**os.environ, "PYTHONPATH": str(extra), **settings}
    )
    assert (
        out.returncode == 2
        and "Gnosis/LeechShellDecomposition.lean differs from the last commit" in " ".join(out.stderr.split())
        and "Traceback" not in out.stderr
    )


def test_the_library_itself(env: Environment, entries: list[dict], tmp_path: Path) -> None:
    pytest.importorskip("lean_dojo", reason="the extra `dojo` is not installed; the stand-in was used")
    code, said, err = run(GNOSIS_ROOT=str(checkout(tmp_path / "spine", env, entries)))
    assert code == 0, err
    assert said["lean_version"] == "v4.35.0" and len(said["theorems"]) == len(entries)
