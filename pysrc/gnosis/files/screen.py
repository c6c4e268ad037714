"""What commands print on, and the one way in which they show how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

WIDTH = 120  # columns where the output is no terminal


class Show(Protocol):
    """What is being done, and how much of it: `done` of `total`, a share where no total is given; neither where that is not known."""

    def __call__(self, what: str, done: float | None = None, total: float = 1.0) -> None: ...


def screen(stderr: bool = False, width: int = WIDTH) -> Console:
    """Standard output, or the error output.  width: of what is no terminal; a terminal has its own."""
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = width
    return console


@contextmanager
def progress(what: str, quiet: bool = False) -> Iterator[Show]:
    """A line on the error output with a bar and the time left; nothing where that is no terminal, and nothing of it stays."""
    note = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("time left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=note, disable=quiet or not note.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(what: str, done: float | None = None, total: float = 1.0) -> None:
            bar.update(task, description=what, completed=done or 0, total=None if done is None or not total else total)

        yield show
