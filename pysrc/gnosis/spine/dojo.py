"""Handles of the library lean-dojo for the headline theorems, on the local checkout.

lean-dojo names a theorem by repository, commit, file and full name.  `handles` makes these names for every headline
theorem and checks them: against the list of the audit, against the positions that Lean wrote into the compiled files,
and against the text that stands there.  No proof is checked by it; that is the audit's.

The library is optional (`pip install 'gnosis-gates[dojo]'`) and is imported here only, with its remote cache off.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..audits.environment import Environment
from ..audits.olean import Name, Range, show
from .paths import build_dir, root
from .toolchain import wanted_version

INSTALL = "pip install 'gnosis-gates[dojo]' (lean-dojo 4.20.0, about 430 MB with what it needs; Python before 3.13)"
NO_TRACING = (
    "Tracing is not offered: lean-dojo 4.20.0 serves Lean up to 4.20 and this spine is compiled by Lean {version}. To trace, it asks a code "
    "host for the commit of Lean, runs `lake build`, and has `lake env lean` run a script of its own that imports Lean's library and is written "
    "for `String.Pos` and `Substring` as they were in 4.20; later Leans renamed both. The pip wheel of Lean has neither lake nor that library."
)


class DojoMissing(RuntimeError):
    """lean-dojo is not installed, or this Python is too new for it."""


class NoCheckout(RuntimeError):
    """The spine is in no git checkout, or in one whose last commit is not what was compiled."""


@dataclass(frozen=True)
class Place:
    """A headline theorem: its file below the root, where it begins and ends there, and where its name stands."""

    name: str
    file: str
    range: Range


@dataclass
class Result:
    """One row for each handle, and what is wrong with any of them; `handles` are lean-dojo's `Theorem` objects."""

    lean_dojo: str
    commit: str
    lean_version: str
    theorems: list[dict[str, Any]] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    handles: list[Any] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.findings and bool(self.theorems)

    def to_dict(self) -> dict[str, Any]:
        rest = {k: v for k, v in self.__dict__.items() if k != "handles"}
        return {"ok": self.ok, "installed": True, **rest, "tracing": NO_TRACING.format(version=wanted_version()), "proofs_checked": 0}


def places(env: Environment, entries: list[dict[str, Any]]) -> tuple[list[Place], list[str]]:
    """Where the theorems of headline.yaml stand, from the compiled files alone, and the entries for which that is not so."""
    by_text: dict[str, Name] = {show(n): n for n in env.constants}
    found, findings = [], []
    for entry in entries:
        name = by_text.get(entry["name"])
        constant = env.constants.get(name) if name is not None else None
        if name is None or constant is None or constant.kind != "theorem" or constant.module != entry["module"]:
            findings.append(f"{entry['name']}: no theorem of {entry['module']} in the compiled files")
            continue
        where = env.modules[constant.module].ranges.get(name)
        if where is None:
            findings.append(f"{entry['name']}: {constant.module} does not say where it stands")
            continue
        found.append(Place(entry["name"], constant.module.replace(".", "/") + ".lean", where))
    return found, findings


def misplaced(place: Place, lines: list[str]) -> str | None:
    """What is wrong with a place in a source of these lines; None when the declaration of the theorem stands there."""
    r = place.range

    def cut(line: int, column: int, end_line: int, end_column: int) -> str:
        if not (1 <= line <= end_line <= len(lines) and column <= len(lines[line - 1]) and end_column <= len(lines[end_line - 1])):
            return ""
        text = lines[line - 1 : end_line]
        text[-1] = text[-1][:end_column]
        text[0] = text[0][column:]
        return "\n".join(text)

    name = cut(r.name_line, r.name_column, r.name_end_line, r.name_end_column)
    if not name or not (place.name == name or place.name.endswith("." + name)):
        return f"{place.name}: {place.file}:{r.name_line}:{r.name_column + 1} reads {name!r}"
    if cut(r.line, r.column, r.name_line, r.name_column).split()[-1:] != ["theorem"]:
        return f"{place.name}: {place.file}:{r.line} is no declaration of a theorem"
    if (r.end_line, r.end_column) < (r.name_end_line, r.name_end_column) or not cut(r.line, r.column, r.end_line, r.end_column):
        return f"{place.name}: {place.file}:{r.end_line}:{r.end_column + 1} is not its end"
    return None


def load(cache: Path) -> Any:
    """The module `lean_dojo`, which reads its settings when it is imported: nothing remote, everything below `cache`.

    Raises DojoMissing, saying how to install it.
    """
    if importlib.util.find_spec("lean_dojo") is None:
        if sys.version_info >= (3, 13):
            raise DojoMissing(
                f"lean-dojo needs a Python before 3.13, and this is {sys.version_info.major}.{sys.version_info.minor}; with an older one: {INSTALL}"
            )
        raise DojoMissing(f"lean-dojo is not installed: {INSTALL}")
    if "lean_dojo" not in sys.modules:
        for folder in ("cache", "tmp"):
            (cache / folder).mkdir(parents=True, exist_ok=True)
        os.environ.update(DISABLE_REMOTE_CACHE="1", CACHE_DIR=str(cache / "cache"), TMP_DIR=str(cache / "tmp"))
        os.environ["GITHUB_ACCESS_TOKEN"] = ""  # with one it would log in at a code host
    import lean_dojo  # noqa: PLC0415

    return lean_dojo


def _git(base: Path, *arguments: str) -> str:
    try:
        run = subprocess.run(["git", "-C", str(base), *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        raise NoCheckout("git is not installed") from None
    if run.returncode:
        raise NoCheckout(f"{base}: git {arguments[0]}: {run.stderr.strip().splitlines()[-1] if run.stderr.strip() else 'failed'}")
    return run.stdout.strip()


def handles(env: Environment, entries: list[dict[str, Any]], base: Path | None = None, cache: Path | None = None) -> Result:
    """lean-dojo's handles of the theorems in `entries` (rows of headline.yaml), checked.

    `base` is the checkout, `cache` where lean-dojo may write (`build/dojo`).  Raises DojoMissing and NoCheckout.
    """
    base = (base or root()).resolve()
    cache = (cache or build_dir(base).parent / "dojo").resolve()
    dojo = load(cache)
    top, commit = Path(_git(base, "rev-parse", "--show-toplevel")), _git(base, "rev-parse", "HEAD")
    if top.resolve() != base:
        raise NoCheckout(f"{base} is inside the checkout {top} and not its top")
    found, findings = places(env, entries)
    changed = set(_git(base, "diff", "--name-only", "HEAD").splitlines()) & {p.file for p in found}
    if changed:
        raise NoCheckout(f"{min(changed)} differs from the last commit, which is what a handle names; commit first")
    repo = _repository(dojo, base, commit, cache)
    result = Result(version("lean-dojo"), repo.commit, repo.lean_version, findings=findings)
    if repo.commit != commit:
        findings.append(f"lean-dojo has commit {repo.commit}, and the checkout {commit}")
    if repo.lean_version != f"v{wanted_version(base)}":
        findings.append(f"lean-dojo reads Lean {repo.lean_version}, and lean-toolchain says {wanted_version(base)}")
    files: dict[str, Any] = {}
    for place in found:
        r, handle = place.range, dojo.Theorem(repo, Path(place.file), place.name)
        if place.file not in files:
            files[place.file] = dojo.LeanFile(Path(repo.repo.working_dir), handle.file_path)
        wrong = misplaced(place, files[place.file].code)
        if wrong:
            findings.append(wrong)
        if (handle.full_name, str(handle.file_path), handle.repo) != (place.name, place.file, repo):
            findings.append(f"{place.name}: lean-dojo made {handle} of it")
        result.handles.append(handle)
        # lean-dojo counts columns from 1
        result.theorems.append(
            {
                "name": handle.full_name,
                "file": str(handle.file_path),
                "line": r.line,
                "column": r.column + 1,
                "end_line": r.end_line,
                "end_column": r.end_column + 1,
                "name_line": r.name_line,
                "name_column": r.name_column + 1,
                "uid": handle.uid,
            }
        )
    missing = {e["name"] for e in entries} - {row["name"] for row in result.theorems}
    if len({row["uid"] for row in result.theorems}) + len(missing) != len(entries):
        findings.append(f"{len(result.theorems)} handles for {len(entries)} headline theorems, and not all of them differ")
    return result


def _repository(dojo: Any, base: Path, commit: str, cache: Path) -> Any:
    """lean-dojo's view of the checkout.

    It copies a local repository with everything that lies in the folder, environments included; so the copy that it
    looks for in its cache first is put there: the files of the commit and nothing else.
    """
    from lean_dojo.data_extraction import lean  # noqa: PLC0415
    from lean_dojo.data_extraction.cache import cache as store  # noqa: PLC0415

    place = Path(lean.REPO_CACHE_PREFIX, lean._format_cache_dirname(str(base), commit), base.name)
    if store.get(place) is None:
        kept = store.cache_dir / lean.REPO_CACHE_PREFIX
        shutil.rmtree(kept, ignore_errors=True)  # copies of other commits
        clone = cache / "tmp" / f"clone-{os.getpid()}"
        try:
            _git(base, "clone", "--quiet", "--depth", "1", base.as_uri(), str(clone))
            store.store(clone, place)
        finally:
            shutil.rmtree(clone, ignore_errors=True)
    return dojo.LeanGitRepo.from_path(base)
