"""An answer streams: what is final is out before the next pass begins, in a pipe as on a terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import tiny_model

# Before each pass behind the prompt's the command says so, and waits until it is told to go on.
PROGRAM = """
import sys
from gnosis.cli import main
from gnosis.inference.deferred import draft
check = draft._Text.check
def waits(self, *given):
    print("waiting", file=sys.stderr, flush=True)
    sys.stdin.readline()
    return check(self, *given)
draft._Text.check = waits
{spoil}
main()
"""
BUFFERED = "from gnosis.cli import spoken; spoken.print = lambda *x, flush=False, **k: print(*x, **k)"


def first_words(folder: Path, spoil: str = "") -> tuple[bytes, bytes, bytes]:
    """What was in the pipe when the second pass was to begin, what came then, and the error output."""
    model = tiny_model.write(folder / "fine.gguf", "F32", 1)
    words = ["generate", "--model", str(model), "--base", "shipped", "--refine", "shipped", "--tokens", "1,2,3", "--most", "12", "--raw", "--quiet"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", PROGRAM.format(spoil=spoil), *words]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    try:
        assert child.stderr.readline() == b"waiting\n"
        there = select.select([child.stdout], [], [], 0)[0]
        first = os.read(child.stdout.fileno(), 1000) if there else b""
        rest, said = child.communicate(b"\n" * 100, timeout=300)
    finally:
        child.kill()
    assert child.returncode == 0, said
    return first, rest, said.replace(b"waiting\n", b"")


def test_the_first_token_is_out_before_the_second_is_computed(tmp_path: Path) -> None:
    first, rest, said = first_words(tmp_path)
    assert first and rest.strip() and said == b""  # --quiet: no line about the answer
    assert first_words(tmp_path, BUFFERED) == (b"", first + rest, b"")
