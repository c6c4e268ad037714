"""`gnosis spine …`: build and inspect the Lean spine."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console

from ..files.screen import progress
from . import audit, decide, dojo, export, lake, oracle
from .errors import fail
from .outputs import Quiet

app = typer.Typer(no_args_is_help=True, help="Build, audit and run the Lean spine.")
audit.register(app)
decide.register(app)
export.register(app)
dojo.register(app)
lake.register(app)
oracle.register(app)


@app.command()
def build(
    clean: Annotated[bool, typer.Option("--clean", help="Remove compiled modules first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="Modules compiled at once; 0: one per core.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Compile Gnosis/ in dependency order.  Exit code 1 when a module fails."""
    from ..spine import build as b
    from ..spine import toolchain
    from ..spine.paths import SpineNotFound

    console = Console(stderr=as_json)
    try:
        if clean:
            console.print(f"removed {b.clean()} compiled modules")
        lean = toolchain.find()
        console.print(str(lean), highlight=False, soft_wrap=True)
        with progress("spine", quiet) as show:

            def told(name: str, how: str, done: int, total: int) -> None:
                show(name, done, total)
                worth_a_line = how in ("failed", "skipped") or (how == "compiled" and (done % 20 == 0 or done == total))
                if worth_a_line and not console.is_terminal:
                    console.print(f"[{done}/{total}] {how} {name}", highlight=False, markup=False)

            result = b.build(jobs=jobs or None, progress=told, lean=lean)
    except (toolchain.LeanNotFound, SpineNotFound, b.BuildError) as error:
        raise fail(f"error: {error}") from None
    for message in result.messages:
        print(message, file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    console.print(
        f"{result.modules} modules: {len(result.compiled)} compiled, {len(result.cached)} cached, {len(result.failed)} failed, "
        f"{len(result.skipped)} skipped in {result.seconds:.1f} s",
        style="green" if result.ok else "red",
        highlight=False,
    )
    if not result.ok:
        raise typer.Exit(1)
