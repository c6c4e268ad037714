"""`gnosis conform`: both sides against each other."""

from __future__ import annotations

import math
from typing import Annotated

import typer
from rich.text import Text

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet


def _seed(text: str) -> int | None:
    if text == "random":
        return None
    if not text.isdecimal() or len(text) > 100:
        raise typer.BadParameter(f"{text[:100]} is neither a whole number from 0 on, of at most 100 digits, nor `random`", param_hint="--seed")
    return int(text)


def conform(
    seconds: Annotated[
        float, typer.Option(min=0, help="Time for the oracle lane, and shares of it for the others; all of it for a lane that is asked for alone.")
    ] = 10.0,
    seed: Annotated[str | None, typer.Option(help="A number; `random` takes a new one and prints it.")] = None,
    lane: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this lane, or these: oracle, compiled (Lean's C), libgnosis (the C library), kernels (ours), floats, formats, statistics, atheris, libfuzzer, kernel (Lean's)."
        ),
    ] = None,
    kernel: Annotated[int, typer.Option(min=0, help="Decisions that the Lean kernel checks as theorems.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Hold the Python decisions against the Lean ones, the kernels and float paths against exact answers, formats and statistics
    against other libraries, and readers and kernels against made-up bytes.

    Exit codes: 0; 1 on any disagreement; 2 for options or tools that cannot be used.
    """
    from ..conformance.lanes import run as lanes
    from ..conformance.oracle.interpreter import OracleError
    from ..conformance.oracle.kernel import KernelError
    from ..conformance.running.cases import BadCorpus
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound

    if not seconds < math.inf:
        raise typer.BadParameter(f"{seconds} is no time", param_hint="--seconds")
    if set(lane or ()) - set(lanes.LANES):
        raise typer.BadParameter(f"lanes are {', '.join(lanes.LANES)}", param_hint="--lane")
    console = screen(stderr=as_json)
    try:
        with progress("start", quiet) as show:
            report = lanes.run(tuple(lane or lanes.LANES), seconds, _seed(str(lanes.SEED) if seed is None else seed), kernel, show)
    except (OracleError, KernelError, BadCorpus, BuildError, LeanNotFound, SpineNotFound) as error:
        raise fail(f"error: {error}") from None
    table = Sheet(f"seed {report.seed}", ["lane", "decision, path or samples"], ["checked", "true", "undecided", "refused", "disagree", "per second"])
    for row in report.rows:
        undecided = f"{row.undecided / row.checked:.0%}" if row.undecided and row.checked else ""
        table.add_row(
            row.lane,
            row.name,
            f"{row.checked:,}",
            f"{row.admitted:,}",
            undecided,
            f"{row.refused:,}" if row.refused else "",
            str(row.disagreements) if not row.disagreements else Text(str(row.disagreements), "red"),
            f"{row.rate:,.0f}",
        )
    console.print(table)
    for skip in report.skips:
        console.print(f"skipped: {skip}", markup=False, soft_wrap=True)
    for lane_name in lanes.LANES:
        rows = [r for r in report.rows if r.lane == lane_name and r.seconds]
        if rows:
            checked, spent = sum(r.checked for r in rows), sum(r.seconds for r in rows)
            left, refused = sum(r.undecided for r in rows), sum(r.refused for r in rows)
            apart = (f", {left:,} ({left / checked:.1%}) left undecided" if left else "") + (f", {refused:,} refused by an error" if refused else "")
            console.print(f"{lane_name}: {checked:,} checks, {checked / spent:,.0f} per second{apart}", highlight=False)
    for near in report.nearness:
        console.print(f"near {near}", markup=False, soft_wrap=True, style="red" if near.ratio > 1 else None)
    for disagreement in report.disagreements:
        console.print(str(disagreement), style="red", markup=False, soft_wrap=True)
    if report.promoted:
        console.print(f"{report.promoted} cases written to conformance/corpus", soft_wrap=True)
    console.print(
        f"{'agreement' if report.ok else f'{len(report.disagreements)} disagreements'} in {report.seconds:.1f} s; again with: {report.reproduce}",
        style="green" if report.ok else "red",
        markup=False,
        soft_wrap=True,
    )
    if as_json:
        print(lanes.dump(report))
    if not report.ok:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the command to the `gnosis` application."""
    app.command(short_help="Hold Python, kernels and Lean against each other.")(conform)
