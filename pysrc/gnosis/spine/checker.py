"""Run somebody else's checker on a file: whatever it does, it ends, and what it said is kept apart from what we say."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = "{}"  # stands for the file in the command
KEPT = 1 << 16  # bytes of its output that are kept
PIECE = 1 << 16


@dataclass
class Said:
    """How a checker ended.  `code` is its exit code, or None when a signal ended it; `output` is the beginning of what it wrote
    on standard output and error, of `written` bytes in all; `seconds` is wall time."""

    command: list[str]
    code: int | None
    signal: str | None
    timed_out: bool
    seconds: float
    output: str
    written: int

    @property
    def accepted(self) -> bool:
        """The exit code decides."""
        return self.code == 0 and not self.timed_out

    def ending(self) -> str:
        """How it ended, in words."""
        how = "was ended by us" if self.timed_out else f"was ended by signal {self.signal}" if self.signal else f"ended with code {self.code}"
        return f"{how} after {self.seconds:.1f} s" + (f"; of its output of {self.written} bytes the first {KEPT} are shown" if self.written > KEPT else "")

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "accepted": self.accepted}


def run(words: list[str], file: Path, seconds: float) -> Said:
    """Run a checker on `file`, which is also its standard input, for at most `seconds`.

    It gets a session of its own, of which nothing is left at the end.  Raises OSError when it cannot be started.
    """
    words, clock = [w.replace(HERE, str(file)) for w in words], time.perf_counter()
    with file.open("rb") as stdin:
        process = subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    assert process.stdout is not None
    pipe, kept, written, timed_out, open_ = process.stdout.fileno(), bytearray(), 0, False, True
    try:
        while True:
            ended = process.poll() is not None
            # one that closed its output is waited for; children that keep it open after the end are not
            ready = select.select([pipe] if open_ else [], [], [], 0 if ended else 0.1)[0]
            if ready:
                data = os.read(pipe, PIECE)
                open_ = bool(data)
                written += len(data)
                kept += data[: max(0, KEPT - len(kept))]
            elif ended:
                break
            if ended and not open_:
                break
            if time.perf_counter() - clock > seconds:
                timed_out = True
                break
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        process.wait()
        process.stdout.close()
    code = process.returncode
    return Said(
        words,
        None if code < 0 else code,
        signal.Signals(-code).name if code < 0 and not timed_out else None,
        timed_out,
        round(time.perf_counter() - clock, 1),
        kept.decode("utf-8", "replace"),
        written,
    )
