"""Commands on a terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Sequence


def on_terminal(command: Sequence[str], columns: int, seconds: float = 300) -> tuple[int, str]:
    """Exit code and standard output of a command whose standard output is a terminal; colours are taken out."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL, env={**clean, "TERM": "xterm"})
    os.close(theirs)
    said = b""
    try:
        while True:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            said += data
        code = process.wait(seconds)
    finally:
        process.kill()
        os.close(ours)
    return code, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode()).replace("\r\n", "\n")
