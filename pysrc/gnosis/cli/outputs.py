"""What a command will write and what it will need for that, checked before it begins to work."""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from .errors import fail

Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]


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
        raise fail(f"error: {option} {error}") from None


def check_extra(option: str, module: str, extra: str) -> None:
    """typer.Exit with code 2 and one line when a module of an extra of this package is not installed.  option: what needs it."""
    if importlib.util.find_spec(module) is None:
        raise fail(f"error: {option} needs {module}; run: pip install 'gnosis-gates[{extra}]'")
