"""What a command will write, checked before it begins to work."""
from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import typer
from rich.console import Console


def check_outputs(paths: dict[str, Path | None], *, new: Collection[str] = (), inputs: Iterable[Path] = ()) -> None:
    """paths: option → path, None where it was not given; new: the options whose file must not be there yet; inputs: files that are read.

    typer.Exit with code 2 and one line for what cannot be written, for a file that is also read, and for one that is named twice.
    """
    from ..files.output import OutputError, check

    given = {option: path for option, path in paths.items() if path is not None}
    try:
        check(*given.values(), new=[path for option, path in given.items() if option in new], inputs=inputs)
    except OutputError as error:
        option = next(option for option, path in given.items() if str(path) == error.filename)
        Console(stderr=True).print(f"error: {option} {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
