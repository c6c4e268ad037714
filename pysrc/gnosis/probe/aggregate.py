"""The sidecar that a runtime reads: one multiplier, the window in which the boundary lies, and the hashes of all it was drawn from.

A rejected report is evidence like any other: it shows where the boundary is.  The default is chosen by a rule, from what the
sources say: the smallest multiplier of an admitted report that is not below the first admitted multiplier of any frontier.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from ..files.grammar import fraction
from ..numbers.bounds import enclose
from ..numbers.levels import written
from .figures import margin_down
from .frontier import Digest, FamilyName, Frontier, decimal, frontier, multiplier
from .part import Amount, Part, digest_of
from .report import Report

SCHEMA: Final = "gnosis.aggregate/1"
RULE = "the smallest multiplier of an admitted report that is not below the first admitted multiplier of any frontier"


class AggregateError(ValueError):
    """Sources that do not belong together."""


class Origin(Part):
    """A source: a report or a frontier.  admitted: what it says at its own multiplier (reports), None for frontiers."""

    file: str
    schema_: Literal["gnosis.probe/3", "gnosis.frontier/1"] = Field(alias="schema")
    sha256: Digest
    digest: Digest
    profile: str
    multiplier: float
    admitted: bool | None

    model_config = ConfigDict(populate_by_name=True)


class Boundary(Part):
    """What one frontier says, given or drawn from a report."""

    profile: str
    least_exact: str | None
    first_admitted: str | None
    last_refused: str | None


class Selector(Part):
    """The margin selector of a runtime.

    default_multiplier: None when no source supports one; nothing may then be admitted.  least_multiplier: the exact conformal minimum, the
    largest over all frontiers.  window: the last refused and the first admitted multiplier of the grids, the outermost of all.
    headroom: default / least − 1.
    Promises: tested `tests/test_probe_frontier.py::test_the_aggregate`.
    """

    rule: str
    default_multiplier: float | None
    least_multiplier_exact: str | None
    least_multiplier: float | None
    window: list[str | None]
    headroom: float | None


class Entry(Part):
    """What a runtime needs of one matrix: γ = default × unit, rounded down; unit: of the energy gate with unit activation."""

    name: str
    unit: Amount
    gamma: Amount | None
    least_multiplier: float | None


class Aggregate(Part):
    """The sidecar.  source_set_sha256: SHA-256 over the sources' SHA-256, sorted, one a line."""

    schema_: Literal["gnosis.aggregate/1"] = Field(SCHEMA, alias="schema")
    model: str
    models: list[Digest]
    family: FamilyName
    sources: Annotated[list[Origin], Field(min_length=1)]
    source_set_sha256: str
    boundaries: Annotated[list[Boundary], Field(min_length=1)]
    runtime_margin_selector: Selector
    tensors: Annotated[list[Entry], Field(min_length=1)]
    digest: str

    model_config = ConfigDict(populate_by_name=True)

    def derived(self) -> dict[str, Any]:
        selector = select(self.sources, self.boundaries)
        default = selector.default_multiplier
        tensors = [
            Entry(name=t.name, unit=t.unit, gamma=None if default is None else margin_down(default, t.unit), least_multiplier=t.least_multiplier)
            for t in self.tensors
        ]
        found = {
            "source_set_sha256": hashlib.sha256("".join(f"{h}\n" for h in sorted(s.sha256 for s in self.sources)).encode()).hexdigest(),
            "runtime_margin_selector": selector,
            "tensors": tensors,
        }
        return found | {"digest": digest_of(self.model_copy(update=found))}

    @classmethod
    def make(cls, **raw: Any) -> Aggregate:
        found = cls.model_construct(**raw).derived()
        return cls(**raw | found)


def select(sources: Sequence[Origin], boundaries: Sequence[Boundary]) -> Selector:
    """The margin selector from what the sources say."""
    exact = [b.least_exact for b in boundaries]
    least = None if None in exact else max(fraction(x, "least_exact") for x in exact if x is not None)
    first = [b.first_admitted for b in boundaries]
    floor = None if None in first else max(multiplier(x, "first_admitted") for x in first if x is not None)
    last = [multiplier(b.last_refused, "last_refused") for b in boundaries if b.last_refused is not None]
    supported = [m for s in sources if s.admitted and floor is not None and (m := written(s.multiplier, "multiplier")) >= floor]
    default = min(supported, default=None)
    return Selector(
        rule=RULE,
        default_multiplier=None if default is None else float(default),
        least_multiplier_exact=None if least is None else str(least),
        least_multiplier=None if least is None else enclose(least)[1],
        window=[decimal(max(last)) if last else None, None if floor is None else decimal(floor)],
        headroom=None if default is None or not least else float(default / least - 1),
    )


def _admitted(report: Report, family: FamilyName) -> bool:
    return report.verdict.lattice_admitted if family == "lattice" else report.verdict.bounded_admitted


def aggregate(sources: Sequence[tuple[str, str, Report | Frontier]], family: FamilyName = "lattice") -> Aggregate:
    """The sidecar of reports and frontiers of one model: (file name, SHA-256 of the file, what is in it), one report or more.

    A frontier is drawn from each report of whose profile none is given.  Raises AggregateError.
    """
    reports = [(name, part) for name, _, part in sources if isinstance(part, Report)]
    frontiers = [(name, part) for name, _, part in sources if isinstance(part, Frontier)]
    if not reports:
        raise AggregateError("there is no report among the sources")
    base_name, base = reports[0]
    models = [f.sha256 for f in base.model.files]
    for name, part in [(n, [f.sha256 for f in r.model.files]) for n, r in reports] + [(n, f.source.models) for n, f in frontiers]:
        if part != models:
            raise AggregateError(f"{name} is about other model files than {base_name}")
    for name, drawn in frontiers:
        if drawn.family != family:
            raise AggregateError(f"{name} is about the family {drawn.family}, not {family}")
    given = {f.source.digest for _, f in frontiers}
    every = [f for _, f in frontiers] + [frontier(r, family) for _, r in reports if r.digest not in given]
    origins = [
        Origin(
            schema=part.schema_,
            file=name,
            sha256=digest,
            digest=part.digest,
            profile=part.settings.profile if isinstance(part, Report) else part.source.profile,
            multiplier=part.settings.gamma_multiplier if isinstance(part, Report) else part.source.multiplier,
            admitted=_admitted(part, family) if isinstance(part, Report) else None,
        )
        for name, digest, part in sources
    ]
    needs: dict[str, list[Fraction | None]] = {}
    for f in every:
        for t in f.tensors:
            needs.setdefault(t.name, []).append(t.exact)
    units: dict[str, float] = {}
    for _, r in reversed(reports):  # the first report that has the matrix counts
        units |= {t.name: gate.unit.value for t in r.tensors if (gate := getattr(t, family).gate("energy")) is not None}
    tensors = [
        Entry(name=name, unit=unit, gamma=None, least_multiplier=None if None in needs[name] else enclose(max(x for x in needs[name] if x is not None))[1])
        for name, unit in units.items()
    ]
    return Aggregate.make(
        schema_=SCHEMA,
        model=base.model.name,
        models=models,
        family=family,
        sources=origins,
        tensors=tensors,
        boundaries=[Boundary(profile=f.source.profile, least_exact=f.least_exact, first_admitted=f.first_admitted, last_refused=f.last_refused) for f in every],
    )
