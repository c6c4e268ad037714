"""`gnosis spine lake`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from ..files.screen import progress
from .errors import fail
from .outputs import Quiet

SHOWN = 20  # findings that are printed


def lake(
    check: Annotated[bool, typer.Option("--check", help="Compile every module as Lake would, and compare with the build.")] = False,
    module: Annotated[list[str] | None, typer.Option("--module", "-m", help="Only this module and what it imports; may be repeated.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Modules compiled at once; 0: one per core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """What `lake build` would do, from lakefile.lean: with --check every module is compiled with the command line that Lake
    gives to Lean, in a folder of its own, and compared byte for byte with that of `gnosis spine build`.  Lake itself does not run.

    Exit code 1 when a module fails, differs or would be left out, 2 when the lakefile has something unknown.
    """
    from ..spine import build as b
    from ..spine import lake as l
    from ..spine import toolchain
    from ..spine.paths import SpineNotFound, root

    console = Console(stderr=as_json)
    try:
        read = l.read(root() / "lakefile.lean")
        if not check:
            if module:
                raise l.LakefileError("--module needs --check")
            if as_json:
                print(json.dumps(asdict(read), ensure_ascii=False))
            else:
                console.print(
                    f"package {read.package}: {'no name' if read.bootstrap else 'its name'} is passed to Lean; options "
                    + ", ".join(f"{k} = {json.dumps(v)}" for k, v in read.options.items()),
                    highlight=False,
                    soft_wrap=True,
                    markup=False,
                )
                chosen = [m for m in b.scan() if read.selects(m)]
                console.print(
                    f"library {read.library}: {len(chosen)} modules of {len(b.scan())}; --check compiles them as Lake would", highlight=False, soft_wrap=True
                )
            return
        lean = toolchain.find()
        console.print(str(lean), highlight=False, soft_wrap=True)
        with progress("lake", quiet) as show:
            result = l.check(module, jobs or None, lambda name, how, done, total: show(f"lake: {name}", done, total), lean=lean)
    except (toolchain.LeanNotFound, SpineNotFound, b.BuildError, l.LakefileError) as error:
        raise fail(f"error: {error}") from None
    for finding in result.findings[:SHOWN]:
        console.print(finding, style="red", markup=False, highlight=False, soft_wrap=True)
    if len(result.findings) > SHOWN:
        console.print(f"and {len(result.findings) - SHOWN} more", style="red")
    if as_json:
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    console.print(
        f"{result.same} of {result.modules} modules, compiled as Lake compiles them, are byte for byte those of `gnosis spine build`; "
        f"Lake itself did not run; {result.seconds:.1f} s",
        style="green" if result.ok else "red",
        highlight=False,
        soft_wrap=True,
    )
    if not result.ok:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the command to `gnosis spine`."""
    app.command(short_help="Compile as `lake build` would, and compare.")(lake)
