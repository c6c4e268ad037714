"""Reports, frontiers and aggregates read back: schema, digest, hashes, and every derived figure computed again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from ..errors import ArgumentError
from ..files.grammar import json_object, same
from ..files.inputs import read_bytes
from ..models.files import Model, sha256
from .aggregate import Aggregate, AggregateError, aggregate
from .frontier import Frontier, frontier
from .part import Part
from .report import Report
from .shipped import Shipped

Kind = Report | Frontier | Aggregate | Shipped

KINDS: dict[str, type[Report] | type[Frontier] | type[Aggregate] | type[Shipped]] = {
    "gnosis.probe/3": Report,
    "gnosis.shipped/1": Shipped,
    "gnosis.frontier/1": Frontier,
    "gnosis.aggregate/1": Aggregate,
}
MOST_PROBLEMS = 5


class DamagedError(ValueError):
    """A file that is no report, or one that contradicts itself; the message says where."""


@dataclass
class Validation:
    """What was checked.  recomputed: derived figures; compared: hashes of files; missing: files whose hashes could not be compared."""

    file: str
    schema: str
    admitted: bool | None
    recomputed: int
    compared: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def parse(data: bytes, name: str) -> Kind:
    """What a file holds.  Raises DamagedError."""
    try:
        fields = json_object(data.decode("utf-8"), "report", None)
    except UnicodeDecodeError as error:
        raise DamagedError(f"{name}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    except ArgumentError as error:
        raise DamagedError(f"{name}: {error.problem}") from None
    schema = fields.get("schema")
    kind = KINDS.get(schema) if isinstance(schema, str) else None
    if kind is None:
        raise DamagedError(f"{name}: schema {fields.get('schema')!r} is none of {', '.join(KINDS)}")
    try:
        part = kind.model_validate(fields)
    except ValidationError as error:
        found = [f"{'/'.join(map(str, e['loc'])) or 'the whole'}: {e['msg'].removeprefix('Value error, ')}" for e in error.errors()]
        more = f"; and {len(found) - MOST_PROBLEMS} more" if len(found) > MOST_PROBLEMS else ""
        raise DamagedError(f"{name}: {'; '.join(found[:MOST_PROBLEMS])}{more}") from None
    except ArgumentError as error:
        raise DamagedError(f"{name}: {error}") from None
    if not same(fields, part.model_dump(mode="json", by_alias=True)):
        raise DamagedError(f"{name}: a number is of another type than it is written with, 1 for 1.0, or a field is missing")
    return part


def load(path: Path) -> tuple[Kind, str]:
    """What a file holds and the SHA-256 of its bytes.  Raises OSError, ArgumentError (too large), DamagedError."""
    data = read_bytes(path, "file")
    return parse(data, str(path)), hashlib.sha256(data).hexdigest()


def count_derived(part: object) -> int:
    """How many figures of a piece of a report were recomputed when it was read."""
    if isinstance(part, list):
        return sum(map(count_derived, part))
    if not isinstance(part, Part):
        return 0
    return len(part.derived()) + sum(count_derived(getattr(part, name)) for name in type(part).model_fields)


def validate(path: Path, sources: Path | None = None, model: Model | None = None) -> Validation:
    """Check a file.

    sources: the folder of the files that it was drawn from (its own when None); those that are there are hashed, read and drawn
    from once more.  model: for reports, an open model whose files are hashed.
    Raises DamagedError (damaged or inconsistent), OSError, ArgumentError.
    """
    part, _ = load(path)
    folder = path.parent if sources is None else sources
    admitted = (
        part.verdict.bounded_admitted
        if isinstance(part, Report)
        else part.admitted
        if isinstance(part, Shipped)
        else part.runtime_margin_selector.default_multiplier is not None
        if isinstance(part, Aggregate)
        else None
    )
    done = Validation(str(path), part.schema_, admitted, count_derived(part))
    if isinstance(part, Frontier) and part.source.file is not None and part.source.sha256 is not None:
        report = _source(folder, part.source.file, part.source.sha256, done)
        if report is not None:
            if not isinstance(report, Report) or frontier(report, part.family, part.source.file, part.source.sha256) != part:
                raise DamagedError(f"{path}: the frontier is not the one of {part.source.file}")
    if isinstance(part, Aggregate):
        parts = [(s.file, s.sha256, _source(folder, s.file, s.sha256, done)) for s in part.sources]
        if all(p is not None for *_, p in parts):
            try:
                again = aggregate([(name, digest, p) for name, digest, p in parts if isinstance(p, (Report, Frontier))], part.family)
            except AggregateError as error:
                raise DamagedError(f"{path}: {error}") from None
            if again != part:
                raise DamagedError(f"{path}: the aggregate is not the one of its sources")
    if isinstance(part, Report):
        _model_files(path, part, model, done)
    return done


def _source(folder: Path, name: str, expected: str, done: Validation) -> Kind | None:
    """A source, if it is there; its hash must be the one expected."""
    if Path(name).name != name:
        raise DamagedError(f"{done.file}: {name!r} is not the name of a file in one folder with this one")
    path = folder / name
    if not path.is_file():
        done.missing.append(name)
        return None
    part, found = load(path)
    if found != expected:
        raise DamagedError(f"{done.file}: {path.name} has SHA-256 {found}, {expected} is recorded")
    done.compared.append(path.name)
    return part


def _model_files(path: Path, report: Report, model: Model | None, done: Validation) -> None:
    if model is None:
        done.missing += [f.file for f in report.model.files]
        return
    found = {p.name: sha256(p) for p in model.paths}
    if set(found) != {f.file for f in report.model.files}:
        raise DamagedError(f"{path}: the report is about {', '.join(f.file for f in report.model.files)}, the model has {', '.join(found)}")
    for f in report.model.files:
        if found[f.file] != f.sha256:
            raise DamagedError(f"{path}: {f.file} has SHA-256 {found[f.file]}, {f.sha256} is recorded")
        done.compared.append(f.file)
