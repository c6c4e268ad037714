"""`gnosis basin`: the double well, with and without the gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet, check_extra, check_outputs


def basin(
    paths: Annotated[int, typer.Option(metavar="N", help="Paths to sample.")] = 400,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the starts.")] = 0,
    code: Annotated[float, typer.Option(metavar="STEP", help="Step of the coarse velocities.")] = 0.125,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw some paths.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, without paths.")] = False,
    quiet: Quiet = False,
) -> None:
    """Sample in a double well with coarse velocities, and count the paths that end in the wrong well.

    Exit codes: 0; 2 for input that cannot be used.
    """
    from ..errors import ArgumentError
    from ..studies import basin as study

    note = Console(stderr=True)
    check_outputs({"--plot": plot})
    if plot is not None:
        check_extra("--plot", "matplotlib", "plots")
    try:
        if seed < 0:
            raise ArgumentError("seed", seed, "must not be negative")
        with progress("sampling", quiet):
            document = study.compare(paths, seed, code)
        if plot is not None:
            study.draw(document, plot)
            note.print(f"wrote {plot}", markup=False, soft_wrap=True)
    except (ArgumentError, OSError, ImportError) as error:
        raise fail(f"error: {error}") from None
    document.pop("shown")
    if as_json:
        print(json.dumps(document))
        return
    table = Sheet(
        f"{paths} paths of {document['steps']} steps, velocities to multiples of {code:g}", ["run"], ["wrong well", "steps coarse", "recomputed", "beyond R"]
    )
    for row in document["rows"]:
        table.add_row(row["run"], str(row["flips"]), f"{row['coarse']:.1%}", f"{1 - row['coarse']:.1%}", str(row["beyond"]))
    console = screen()
    console.print(table)
    console.print("beyond R: paths that at some step were as far from the exact one as that ever is from the separatrix", highlight=False)
    for run, theorem in document["theorems"].items():
        console.print(f"{run}: {theorem}", highlight=False)
