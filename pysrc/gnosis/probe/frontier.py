"""The frontier: the least multiplier with which a model's conformal levels admit, exactly, and what gates accept around it.

A level with threshold Q admits the margin γ = m·unit when 2·Q ≤ γ, so the least multiplier is 2·Q / unit: a quotient
of an order statistic and the unit, not a search.  A matrix needs the most that any of its levels needs, a model the most that
any of its matrices needs.  The grid around it shows how the energy gate's acceptance changes there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from ..errors import DtypeError
from ..files import grammar
from ..files.grammar import fraction
from ..numbers.bounds import enclose
from .figures import least_of
from .part import Count, Part, Positive, Share, digest_of
from .report import Report
from .settings import Grid

SCHEMA: Final = "gnosis.frontier/1"
FamilyName = Literal["lattice", "bounded"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ReportSource(Part):
    """The report that a frontier is drawn from.  file, sha256: None when the probe was run for it and no file was written.

    digest: of the report.  models: SHA-256 of every model file.
    """

    file: str | None
    sha256: Digest | None
    digest: Digest
    model: str
    models: list[Digest]
    profile: str
    multiplier: float
    admitted: bool


class Need(Part):
    """What one level of one matrix needs.  of: rows or positions.  threshold, unit: of the level.  least: 2·threshold/unit, exactly and
    as a float rounded up; None when there is no finite threshold.
    Promises: tested `tests/test_probe_frontier.py::test_the_least_multiplier_is_where_a_search_ends`.
    """

    of: Literal["row", "position"]
    q: str
    threshold: float | None
    unit: float
    least_exact: str | None
    least: float | None

    def derived(self) -> dict[str, Any]:
        least = least_of(self.threshold, self.unit)
        return {"least_exact": None if least is None else str(least), "least": None if least is None else enclose(least)[1]}


class TensorFrontier(Part):
    """One matrix: its needs, the largest of them, and the energy gate's counts on the grid.  least: None when a level never admits.

    Promises: tested `tests/test_probe_frontier.py::test_a_level_without_a_threshold_has_no_frontier`.
    """

    name: str
    tiles: Positive
    needs: Annotated[list[Need], Field(min_length=1)]
    least_exact: str | None
    least: float | None
    cubic: list[Count]
    d8: list[Count]
    e8: list[Count]

    def derived(self) -> dict[str, Any]:
        least = self.exact
        return {"least_exact": None if least is None else str(least), "least": None if least is None else enclose(least)[1]}

    @property
    def exact(self) -> Fraction | None:
        every = [n.least_exact for n in self.needs]
        return None if None in every else max(fraction(x, "least_exact") for x in every if x is not None)


class Point(Part):
    """One multiplier of the grid: how many matrices admit at every level, and the tiles that the energy gate accepts, all matrices together."""

    multiplier: str
    tensors_admitted: Count
    admitted: bool
    cubic: Share
    d8: Share
    e8: Share


class Frontier(Part):
    """The frontier of a model.

    least_exact, least: the least multiplier with which every matrix admits; binding: the matrix that needs it.  first_admitted,
    last_refused: multipliers of the grid; jump: how much more E8 tiles are accepted at the first than at the last.
    """

    schema_: Literal["gnosis.frontier/1"] = Field(SCHEMA, alias="schema")
    source: ReportSource
    family: FamilyName
    grid: Grid
    least_exact: str | None
    least: float | None
    binding: str | None
    first_admitted: str | None
    last_refused: str | None
    jump: float | None
    cubic_jump: float | None
    points: list[Point]
    tensors: Annotated[list[TensorFrontier], Field(min_length=1)]
    digest: str

    model_config = ConfigDict(populate_by_name=True)

    def derived(self) -> dict[str, Any]:
        grid = self.grid.multipliers()
        if any(len(counts) != len(grid) or any(c > t.tiles for c in counts) for t in self.tensors for counts in (t.cubic, t.d8, t.e8)):
            raise ValueError("the counts of a matrix do not fit the grid")
        needs = {t.name: t.exact for t in self.tensors}
        tiles = sum(t.tiles for t in self.tensors)
        points = []
        for i, m in enumerate(grid):
            passed = sum(least is not None and least <= m for least in needs.values())
            points.append(
                Point(
                    multiplier=decimal(m),
                    tensors_admitted=passed,
                    admitted=passed == len(self.tensors),
                    **{code: sum(getattr(t, code)[i] for t in self.tensors) / tiles for code in ("cubic", "d8", "e8")},
                )
            )
        finite = [n for n in needs.values() if n is not None]
        least = max(finite) if len(finite) == len(needs) else None
        binding = next(name for name, n in needs.items() if n == least)
        first = next((p for p in points if p.admitted), None)
        last = next((p for p in reversed(points) if not p.admitted), None)
        found = {
            "least_exact": None if least is None else str(least),
            "least": None if least is None else enclose(least)[1],
            "binding": binding,
            "first_admitted": first.multiplier if first else None,
            "last_refused": last.multiplier if last else None,
            "jump": first.e8 - last.e8 if first and last else None,
            "cubic_jump": first.cubic - last.cubic if first and last else None,
            "points": points,
        }
        return found | {"digest": digest_of(self.model_copy(update=found))}


def decimal(m: Fraction) -> str:
    """A multiplier of a grid as a decimal."""
    text = f"{float(m):.10f}".rstrip("0")
    whole, _, rest = text.partition(".")
    return f"{whole}.{rest.ljust(2, '0')}"


def multiplier(text: str, name: str) -> Fraction:
    """A multiplier that `decimal` wrote.  DtypeError naming the field for any other text, 1.5 for 1.50 included; RangeError for one without end."""
    exact = grammar.decimal(text, name)
    if decimal(exact) != text:
        raise DtypeError(name, text, "not a multiplier as grids write it")
    return exact


def source_of(report: Report, family: FamilyName, file: str | None, sha256: str | None) -> ReportSource:
    return ReportSource(
        file=file,
        sha256=sha256,
        digest=report.digest,
        model=report.model.name,
        models=[f.sha256 for f in report.model.files],
        profile=report.settings.profile,
        multiplier=report.settings.gamma_multiplier,
        admitted=report.verdict.lattice_admitted if family == "lattice" else report.verdict.bounded_admitted,
    )


def frontier(report: Report, family: FamilyName = "lattice", file: str | None = None, sha256: str | None = None) -> Frontier:
    """The frontier of a report.  file, sha256: name and hash of the report's file, if it has one."""
    tensors = []
    for t in report.tensors:
        own = getattr(t, family)
        needs = [Need.make(of=c.of, q=found.q, threshold=found.threshold, unit=c.unit.value) for c in own.calibrated() for found in c.levels]
        tensors.append(TensorFrontier.make(name=t.name, tiles=t.tiles, needs=needs, cubic=own.curve.cubic, d8=own.curve.d8, e8=own.curve.e8))
    return Frontier.make(schema_=SCHEMA, source=source_of(report, family, file, sha256), family=family, grid=report.settings.grid, tensors=tensors)
