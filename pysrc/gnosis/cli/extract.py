"""`gnosis extract`: the decisions as a C library that needs no Lean."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..files.screen import screen
from .errors import fail


def extract(
    write: Annotated[bool, typer.Option("--write", help="Write bindings/c/gnosis.c and gnosis.h again.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Compare them with what Lean writes now; exit code 1 when they differ. The default.")] = False,
    folder: Annotated[Path | None, typer.Option("--copy", metavar="FOLDER", help="Copy gnosis.c and gnosis.h there. Needs no Lean.")] = None,
) -> None:
    """Write or check libgnosis: every decision in one C file, from the C that Lean's code generator writes.

    gnosis.c and gnosis.h are all that a C or C++ program needs. Exit code 1 when --check finds a difference, 2 when Lean cannot be used.
    """
    from ..conformance.extraction import generate
    from ..conformance.oracle.interpreter import OracleError
    from ..files import output
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound

    if write + check + (folder is not None) > 1:
        raise typer.BadParameter("one of --write, --check and --copy", param_hint="--write")
    console = screen()
    try:
        here = generate.sources()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for name in generate.FILES:
                output.write(folder / name, (here / name).read_text())
                console.print(str(folder / name), markup=False, soft_wrap=True)
            return
        texts = generate.write()
        old = {name: (here / name).read_text() if (here / name).is_file() else "" for name in texts}
        wrong = [name for name in texts if texts[name] != old[name]]
        for name in wrong if write else []:
            output.write(here / name, texts[name])
    except (OracleError, BuildError, LeanNotFound, SpineNotFound, OSError) as error:
        raise fail(f"error: {error}") from None
    for name in texts:
        said = ("written" if write else "is not what Lean writes now: gnosis extract --write") if name in wrong else "is what Lean writes now"
        console.print(f"{name}: {said}", markup=False, soft_wrap=True)
    if wrong and not write:
        raise typer.Exit(1)
