"""What a call takes, measured in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SECONDS, MIB = 2.0, 256  # within which a file is refused


class Taken(NamedTuple):
    """CPU seconds, MiB above what was in use before, and what came out: the name of the exception and its text, or "" and the answer."""

    seconds: float
    mib: float
    kind: str
    text: str


def _memory(field: str) -> float:
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field)) / 1024


def taken(call: Callable[[], object]) -> Taken:
    """Run a call in a copy of this process.  What does not end within 20 s of CPU time or a minute, or takes more than 4 GiB, ends by a signal."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            with open("/proc/self/status"):
                Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
            before, began = _memory("VmRSS"), time.process_time()
            try:
                kind, text = "", str(call())[:2000]
            except BaseException as error:
                kind, text = type(error).__name__, str(error)
            spent = time.process_time() - began
            os.write(writing, json.dumps([spent, _memory("VmHWM") - before, kind, text[:20_000]]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    deadline = time.monotonic() + 60
    with os.fdopen(reading, "rb") as pipe:
        os.set_blocking(pipe.fileno(), False)
        data = b""
        while time.monotonic() < deadline:
            piece = pipe.read()
            if piece == b"":
                break
            data += piece or b""
            time.sleep(0.01 if piece is None else 0)
        else:
            os.kill(child, 9)
    os.waitpid(child, 0)
    return Taken(*json.loads(data)) if data else Taken(float("inf"), float("inf"), "killed", "")
