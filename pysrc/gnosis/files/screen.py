"""What commands print on, and the one way in which they show how far they are."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

WIDTH = 120  # columns where the output is no terminal
PACE = 10.0  # seconds between two lines of progress where the error output is no terminal


class Show(Protocol):
    """What is being done, and how much of it: `done` of `total`, a share where no total is given; neither where that is not known."""

    def __call__(self, what: str, done: float | None = None, total: float = 1.0) -> None: ...


def screen(stderr: bool = False, width: int = WIDTH) -> Console:
    """Standard output, or the error output.  width: of what is no terminal; a terminal has its own."""
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = width
    return console


def _lines() -> Show:
    """Progress for a file or a pipe: a line now and then, none in the first seconds."""
    last = time.monotonic()

    def show(what: str, done: float | None = None, total: float = 1.0) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PACE:
            last = now
            print(what if done is None or not total else f"{what}: {done / total:.0%}", file=sys.stderr, flush=True)

    return show


@contextmanager
def progress(what: str, quiet: bool = False) -> Iterator[Show]:
    """How far a command is, on the error output: a line with a bar and the time left, of which nothing stays; plain lines where that is no terminal.

    quiet: nothing at all.
    """
    note = Console(stderr=True)
    if quiet or not note.is_terminal:
        yield (lambda what, done=None, total=1.0: None) if quiet else _lines()
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("time left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=note, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(what: str, done: float | None = None, total: float = 1.0) -> None:
            bar.update(task, description=what, completed=done or 0, total=None if done is None or not total else total)

        yield show
