"""`gnosis aggregate FILE…`: the sidecar that a runtime reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from .errors import fail, loaded
from .frontier import emit, rendered
from .outputs import check_outputs
from .probe import Format

if TYPE_CHECKING:
    from ..probe.aggregate import Aggregate
    from ..probe.frontier import FamilyName, Frontier
    from ..probe.report import Report


def draw(found: Aggregate, console: Console) -> None:
    from ..files.tables import Sheet
    from ..probe.text import number, percent

    def say(text: str, style: str = "") -> None:
        console.print(text, markup=False, highlight=False, style=style)

    s = found.runtime_margin_selector
    say(f"{found.model}: {len(found.tensors)} tensors, family {found.family}", "bold")
    sources = Sheet("Sources", ["file", "schema", "profile"], ["multiplier", "says"])
    for x in found.sources:
        sources.add_row(x.file, x.schema_, x.profile, f"{x.multiplier:g}", "–" if x.admitted is None else "admitted" if x.admitted else "rejected")
    console.print(sources)
    say(f"least multiplier {number(s.least_multiplier, '.16g')}; boundary between {s.window[0] or '–'} and {s.window[1] or '–'}")
    if s.default_multiplier is None:
        say("no default: no admitted report has a multiplier at or above the boundary; a runtime must not admit", "bold red")
    else:
        say(f"default multiplier {s.default_multiplier:g}, {percent(s.headroom)} above the least", "bold green")
    say(f"sources sha256 {found.source_set_sha256}")


def aggregate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Reports and frontiers of one model, at least one report; all in JSON.")],
    family: Annotated[str, typer.Option("--family", help="lattice (unbounded) or bounded (4.5 bit).")] = "lattice",
    format_: Annotated[Format, typer.Option("--format", help="A summary for people, or JSON.")] = Format.json,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
) -> None:
    """Draw reports and frontiers of one model together into the sidecar that a runtime reads.

    It holds the default multiplier, the window in which the boundary lies, γ for every tensor, and the SHA-256 of every source.
    The default is the smallest multiplier of an admitted report that is not below the first admitted multiplier of any frontier;
    a rejected report is evidence of where the boundary is, not a failure.

    Exit codes: 0 the sidecar is written, with or without a default; 1 a source is damaged or contradicts itself; 2 a file cannot be used.
    """
    from ..probe.aggregate import Aggregate, AggregateError
    from ..probe.aggregate import aggregate as draw_together
    from ..probe.frontier import Frontier
    from ..probe.report import Report

    if family not in ("lattice", "bounded"):
        raise fail(f"error: --family {family}: neither lattice nor bounded")
    named: FamilyName = "lattice" if family == "lattice" else "bounded"
    check_outputs({"--output": output}, inputs=files)
    sources: list[tuple[str, str, Report | Frontier]] = []
    for file in files:
        part, sha = loaded(file)
        if not isinstance(part, (Report, Frontier)):
            raise fail(
                f"error: {file} is "
                + ("an aggregate itself" if isinstance(part, Aggregate) else f"a file of {part.schema_}, with no margin that a runtime reads")
            )
        if file.name in [name for name, *_ in sources]:
            raise fail(f"error: two sources are named {file.name}")
        sources.append((file.name, sha, part))
    try:
        result = draw_together(sources, named)
    except AggregateError as error:
        raise fail(f"error: {error}") from None
    emit(result, "" if format_ is Format.json else rendered(lambda console: draw(result, console), output is not None), format_, output)
