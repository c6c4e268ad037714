"""`gnosis report FILE`: a saved report of the probe as a page, or as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .errors import fail, loaded
from .outputs import check_outputs
from .probe import PageFormat, QuietOption, write_report


def report(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `gnosis probe --format json` wrote.")],
    format_: Annotated[PageFormat, typer.Option("--format", help="A page with plots, tables for a terminal, or JSON once more.")] = PageFormat.html,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
    quiet: QuietOption = False,
) -> None:
    """Show a saved report of the probe: one HTML file with plots, light and dark, that needs nothing from outside.

    The report is validated first, every derived figure computed again.

    Exit codes: 0 it is written, whatever the report says; 1 the report is damaged or contradicts itself; 2 the file or the request
    cannot be used.
    """
    from ..probe.report import Report
    from ..probe.shipped import Shipped

    check_outputs({"--output": output}, inputs=[file])
    found, _ = loaded(file)
    if not isinstance(found, (Report, Shipped)):
        raise fail(f"error: {file} is a file of {found.schema_}, not a report of the probe")
    write_report(found, format_, output)
    if output is not None and not quiet and isinstance(found, Report):
        Console(stderr=True).print(
            f"{output}: {found.verdict.bounded_tensors_admitted} of {found.verdict.tensors} tensors admitted in the {found.verdict.code}",
            markup=False,
            highlight=False,
        )
