"""Run commands one after another, show what they print, and end with a table of what passed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from ..files.screen import screen
from ..files.tables import Sheet


@dataclass(frozen=True)
class Step:
    """A command with the sentence that says what it shows."""

    name: str
    command: Sequence[str]


def gnosis(*args: str) -> list[str]:
    """The `gnosis` command of this Python."""
    return [sys.executable, "-m", "gnosis", *args]


def run(title: str, steps: Sequence[Step]) -> int:
    """Run every step, also after one that failed; returns 1 when any failed."""
    console = screen()
    table = Sheet(title, ["step", "result"], ["seconds"])
    failed = 0
    for number, step in enumerate(steps, 1):
        console.rule()
        console.print(f"[{number}/{len(steps)}] {step.name}", markup=False, style="bold")
        sys.stdout.flush()
        start = time.perf_counter()
        code = subprocess.run(step.command).returncode
        seconds = time.perf_counter() - start
        failed += code != 0
        table.add_row(step.name, "passed" if code == 0 else Text(f"FAILED (exit code {code})", "red"), f"{seconds:.1f}")
    console.print(table)
    console.print(f"{len(steps) - failed} steps passed, {failed} failed")
    return 1 if failed else 0
