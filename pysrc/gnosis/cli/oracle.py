"""`gnosis spine oracle`: the decisions compiled from the C that Lean writes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet

if TYPE_CHECKING:
    from ..conformance.oracle.rates import Rate


def oracle(
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
    symbols: Annotated[bool, typer.Option("--symbols", help="List what comes from Lean's library.")] = False,
) -> None:
    """Build the compiled oracle (needs gcc), check it against the interpreter and the exact reference, and time all of them.

    Exit code 2 when it cannot be built or a check fails.
    """
    from ..conformance.oracle import compiled as c
    from ..conformance.oracle.interpreter import Oracle, OracleError
    from ..conformance.oracle.rates import rates as measured
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound

    console = screen(stderr=as_json)
    try:
        with progress("the compiled oracle", quiet) as show:
            built = c.build_oracle(progress=show)
            show("rates")
            with c.Compiled(built=built) as compiled, Oracle() as interpreter:
                rates = measured(compiled, interpreter)
    except (OracleError, BuildError, LeanNotFound, SpineNotFound) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        print(
            json.dumps(
                {
                    "v": 1,
                    "decisions": built.decisions,
                    "header": built.header,
                    "symbols": built.symbols,
                    "checked": built.checked,
                    "cached": built.cached,
                    "rates": [asdict(r) for r in rates],
                },
                ensure_ascii=False,
            )
        )
        return
    console.print(
        f"{built.decisions} decisions in {built.library.name}, {'there already' if built.cached else f'built in {built.seconds:.0f} s'}; header: {built.header}",
        markup=False,
        soft_wrap=True,
    )
    console.print(
        f"checked on {built.checked:,} cases against interpreter and exact reference; {len(built.symbols)} functions of Lean's runtime"
        + (": " + ", ".join(built.symbols) if symbols else ""),
        markup=False,
        soft_wrap=True,
    )
    render(rates, console)


def render(rates: list[Rate], console: Console) -> None:
    """Print the rates as a table."""
    table = Sheet("", ["decisions per second"], ["interpreter", "compiled", "native"])
    for r in rates:
        table.add_row(r.work, f"{r.interpreter:,.0f}", f"{r.compiled:,.0f}", f"{r.native:,.0f}")
    console.print(table)
    console.print("native: processor time inside the compiled oracle; the others with everything Python does", soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the command to the `gnosis spine` application."""
    app.command(short_help="Compile the decisions from Lean's C, check and time them.")(oracle)
