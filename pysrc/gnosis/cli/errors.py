"""How a command ends that cannot do what it was asked for: one line on the error output, and an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

if TYPE_CHECKING:
    from ..probe.validate import Kind

DAMAGED = 1  # a file contradicts itself
UNUSABLE = 2  # the file or the request; the code that a wrong option has as well


def fail(message: str, code: int = UNUSABLE) -> typer.Exit:
    """Say what is wrong, in one line on standard error; the exit to raise."""
    Console(stderr=True).print(message, style="red", markup=False, highlight=False, soft_wrap=True)
    return typer.Exit(code)


def unreadable(path: Path | str, error: Exception) -> typer.Exit:
    """Say why a file cannot be used; its name stands in the line once."""
    from ..files.inputs import shown

    problem = str(getattr(error, "strerror", None) or error)
    return fail(f"error: {problem}" if shown(path) in problem or str(path) in problem else f"error: {path}: {problem}")


def loaded(file: Path) -> tuple[Kind, str]:
    """What a file of the probe holds, and the SHA-256 of its bytes; typer.Exit with one line for what is damaged or cannot be read."""
    from ..errors import ArgumentError
    from ..probe.validate import DamagedError, load

    try:
        return load(file)
    except DamagedError as error:
        raise fail(f"damaged: {error}", DAMAGED) from None
    except (OSError, ArgumentError) as error:
        raise unreadable(file, error) from None
