"""Cases that once went wrong, or that a change is likely to break: one JSON line each, replayed first.

Those of the decisions are in a file for each stem (`read`, `add`); those of a lane of checks in a file of the lane's name
(`kept`, `keep`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import ArgumentError
from ...files.grammar import json_object
from ..oracle.decisions import BadRequest, check
from ..oracle.protocol import parse


class BadCorpus(ValueError):
    """A line of the corpus that is no case."""


@dataclass(frozen=True)
class Case:
    """expect: the answer of the Lean decision when the case was written down.  note: what it is about."""

    decision: str
    args: tuple[Any, ...]
    expect: Any
    note: str = ""


def folder() -> Path:
    """Where the files are."""
    return Path(__file__).parents[1] / "corpus"


def _lines(path: Path) -> list[str]:
    """The lines of a file, none if it is not there.  Raises BadCorpus."""
    try:
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except UnicodeDecodeError as error:
        raise BadCorpus(f"{path}: not UTF-8: {error}") from None


def read(stem: str, where: Path | None = None) -> list[Case]:
    """The cases of a stem, in order.  Raises BadCorpus naming file and line."""
    path = (where or folder()) / f"{stem}.jsonl"
    cases = []
    for number, line in enumerate(_lines(path), 1):
        try:
            fields = parse(line)
            if not isinstance(fields, dict) or set(fields) - {"note"} != {"decision", "args", "expect"}:
                raise BadRequest("a case has decision, args, expect and perhaps note")
            check(fields["decision"], fields["args"])
        except ValueError as error:
            raise BadCorpus(f"{path}:{number}: {error}") from None
        cases.append(Case(fields["decision"], tuple(fields["args"]), fields["expect"], fields.get("note", "")))
    return cases


def add(stem: str, case: Case, where: Path | None = None) -> bool:
    """Append a case unless the same arguments are there already; returns whether it was appended."""
    if any(old.decision == case.decision and json.dumps(old.args) == json.dumps(case.args) for old in read(stem, where)):
        return False
    path = (where or folder()) / f"{stem}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {"decision": case.decision, "args": case.args, "expect": case.expect, **({"note": case.note} if case.note else {})}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return True


@dataclass(frozen=True)
class Kept:
    """A case of a lane of checks.  check: its name.  args: what it is run on, as JSON holds it.  note: what it is about."""

    check: str
    args: tuple[Any, ...]
    note: str = ""


def kept(lane: str, where: Path | None = None) -> list[Kept]:
    """The cases of a lane, in order.  Raises BadCorpus naming file and line."""
    path = (where or folder()) / f"{lane}.jsonl"
    found = []
    for number, line in enumerate(_lines(path), 1):
        try:
            fields = json_object(line, "case", None)
        except ArgumentError as error:
            raise BadCorpus(f"{path}:{number}: {error}") from None
        if set(fields) - {"note"} != {"check", "args"} or not isinstance(fields["args"], list) or not isinstance(fields["check"], str):
            raise BadCorpus(f"{path}:{number}: a case has check, a list args and perhaps note")
        found.append(Kept(fields["check"], tuple(fields["args"]), fields.get("note", "")))
    return found


def keep(lane: str, case: Kept, where: Path | None = None) -> bool:
    """Append a case unless it is there already; returns whether it was appended."""
    if any(old.check == case.check and json.dumps(old.args) == json.dumps(case.args) for old in kept(lane, where)):
        return False
    path = (where or folder()) / f"{lane}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {"check": case.check, "args": case.args, **({"note": case.note} if case.note else {})}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return True
