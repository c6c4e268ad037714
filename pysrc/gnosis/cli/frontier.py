"""`gnosis frontier REPORT|MODEL`: the least multiplier, exactly, and the grid around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import WIDTH
from .errors import fail, loaded
from .outputs import check_outputs
from .probe import Format, MemoryOption, QuietOption, RowsOption, TensorOption, TextOption, q_list, run_probe, settings_of

if TYPE_CHECKING:
    from ..probe.frontier import FamilyName, Frontier


def emit(part: Any, as_text: str, format_: Format, output: Path | None) -> None:
    """Write a report of any kind, as JSON or text, to a file or to standard output."""
    from ..files.output import write
    from ..probe.part import to_json

    try:
        if format_ is Format.json:
            if output is None:
                typer.echo(to_json(part), nl=False)
            else:
                write(output, to_json(part))
        elif output is None:
            typer.echo(as_text, nl=False)
        else:
            write(output, as_text)
    except OSError as error:
        raise fail(f"error: {output}: {error.strerror or error}") from None


def rendered(draw: Any, to_file: bool) -> str:
    """What a function draws on a console, with colours where standard output is a terminal."""
    import io

    screen = Console()
    buffer = io.StringIO()
    terminal = screen.is_terminal and not to_file
    draw(Console(file=buffer, force_terminal=terminal, width=screen.width if terminal else WIDTH))
    return buffer.getvalue()


def draw(found: Frontier, console: Console) -> None:
    from ..files.tables import Sheet
    from ..probe.text import number, percent

    def say(text: str, style: str = "") -> None:
        console.print(text, markup=False, highlight=False, style=style)

    s = found.source
    say(
        f"{s.model}: frontier of the {'unbounded lattice' if found.family == 'lattice' else '4.5-bit code'}, profile {s.profile}, {len(found.tensors)} tensors",
        "bold",
    )
    say(f"least multiplier {number(found.least, '.16g')}, exactly {found.least_exact or 'none'}; needed by {found.binding}")
    grid = Sheet("The grid: tiles accepted by the energy gate, all tensors together", ["multiplier"], ["tensors that admit", "cubic", "D8", "E8", ""])
    near = [i for i, p in enumerate(found.points) if 0 < p.tensors_admitted < len(found.tensors) or p.multiplier in (found.first_admitted, found.last_refused)]
    low, high = (max(0, min(near) - 4), min(len(found.points), max(near) + 5)) if near else (0, len(found.points))
    for p in found.points[low:high]:
        mark = "first admitted" if p.multiplier == found.first_admitted else "last refused" if p.multiplier == found.last_refused else ""
        grid.add_row(
            p.multiplier,
            f"{p.tensors_admitted} of {len(found.tensors)}",
            percent(p.cubic, 2),
            percent(p.d8, 2),
            percent(p.e8, 2),
            mark,
            style="bold" if mark else "",
        )
    console.print(grid)
    if found.jump is not None:
        say(f"from {found.last_refused} to {found.first_admitted}: E8 acceptance {found.jump * 100:+.1f} points, cubic {(found.cubic_jump or 0) * 100:+.1f}")
    worst = Sheet("Tensors that need most", ["tensor"], ["least multiplier", "level", "of"])
    ordered = sorted(found.tensors, key=lambda t: (t.least is not None, -(t.least or 0)))
    for t in ordered[:8]:
        need = next((n for n in t.needs if n.least_exact is None), None) or max(t.needs, key=lambda n: n.least or 0)
        worst.add_row(t.name, number(t.least, ".4f"), need.q, f"{need.of}s")
    console.print(worst)


def frontier(
    source: Annotated[str, typer.Argument(metavar="REPORT|MODEL", help="A report of `gnosis probe --format json`, or a model, which is then probed.")],
    family: Annotated[str, typer.Option("--family", help="lattice (unbounded) or bounded (4.5 bit).")] = "lattice",
    profile: Annotated[str, typer.Option("--profile", metavar="NAME|FILE", help="For a model: the profile of the probe.")] = "dev-strict",
    grid: Annotated[str | None, typer.Option("--grid", metavar="START:STOP:STEP", help="For a model: multipliers, as decimals.")] = None,
    tensor: TensorOption = None,
    rows: RowsOption = None,
    q_values: Annotated[str | None, typer.Option("--q-values", metavar="Q,…", help="For a model: levels of the conformal thresholds.")] = None,
    text: TextOption = None,
    memory: MemoryOption = 512,
    report: Annotated[Path | None, typer.Option("--report", dir_okay=False, help="For a model: write the probe's report here as well.")] = None,
    format_: Annotated[Format, typer.Option("--format", help="Tables for people, or JSON.")] = Format.text,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
    quiet: QuietOption = False,
) -> None:
    """The least multiplier with which the conformal levels admit, exactly, and what the gates accept around it.

    A level with threshold Q admits γ = m·unit when 2·Q ≤ γ: the least m is 2·Q/unit, a closed form, not a search.

    Exit codes: 0 the frontier is written; 1 the report is damaged or contradicts itself; 2 the file or the request cannot be used;
    3 the sanity gate stopped the probe of a model.
    """
    import hashlib

    from ..models.files import INDEX
    from ..probe.frontier import frontier as draw_frontier
    from ..probe.part import to_json
    from ..probe.report import Report

    if family not in ("lattice", "bounded"):
        raise fail(f"error: --family {family}: neither lattice nor bounded")
    named: FamilyName = "lattice" if family == "lattice" else "bounded"
    outputs = {"--output": output, "--report": report}
    check_outputs(outputs, inputs=[Path(source), *([Path(text)] if text else [])])
    if source.endswith(".json") and not source.endswith(INDEX):
        for name, value in (("--grid", grid), ("--tensor", tensor), ("--rows", rows), ("--q-values", q_values), ("--report", report)):
            if value is not None:
                raise fail(f"error: {name} is for models; a report has its own")
        found, sha = loaded(Path(source))
        if not isinstance(found, Report):
            raise fail(f"error: {source} is a file of {found.schema_}, not a report of the probe")
        result = draw_frontier(found, named, Path(source).name, sha)
    else:
        parts = None if grid is None else grid.split(":")
        if parts is not None and len(parts) != 3:
            raise fail(f"error: --grid {grid}: not three decimals start:stop:step")
        settings = settings_of(
            profile, tensors=tensor, rows=rows, q_values=q_list(q_values), grid=None if parts is None else dict(zip(("start", "stop", "step"), parts))
        )
        measured = run_probe(source, settings, outputs, memory=memory, workers=None, text=text, activations=None, dask=None, quiet=quiet)
        if report is None:
            result = draw_frontier(measured, named)
        else:
            written = to_json(measured)
            emit(measured, written, Format.text, report)
            result = draw_frontier(measured, named, report.name, hashlib.sha256(written.encode()).hexdigest())
    emit(result, "" if format_ is Format.json else rendered(lambda console: draw(result, console), output is not None), format_, output)
