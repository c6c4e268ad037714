"""The `gnosis` command.  Each family of commands is a module of this package."""
from __future__ import annotations

import typer

from . import spine

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Decisions about compressed neural networks that come with a proof.")
app.add_typer(spine.app, name="spine")


def main() -> None:
    app()
