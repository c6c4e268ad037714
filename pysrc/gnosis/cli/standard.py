"""Standard output and standard error of the `gnosis` command: what cannot be written there ends it or is left out, and is no traceback."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn, TextIO

READER_LEFT = 141  # as the shell says it of a program that SIGPIPE ended: 128 + 13


def _forget(stream: io.TextIOWrapper) -> None:
    """What is still to be written, by us or by the end of the process, goes nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


class Output(io.TextIOWrapper):
    """Standard output.  No handler of a command takes these endings for an error of its input: SystemExit is no OSError."""

    def _end(self, error: OSError) -> NoReturn:
        _forget(self)
        if isinstance(error, BrokenPipeError):  # whoever read has enough
            raise SystemExit(READER_LEFT) from None
        print(f"error: standard output: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._end(error)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._end(error)


class Notes(io.TextIOWrapper):
    """Standard error.  Progress that cannot be shown stops nothing."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            _forget(self)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _forget(self)


def _wrapped(stream: TextIO, kind: type[Output] | type[Notes]) -> TextIO:
    # a character that the encoding of the terminal has not is written as its number; the strict way is a traceback
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding, line_buffering = stream.encoding, stream.line_buffering
    return kind(stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=line_buffering)


def guard() -> None:
    """Put both in place.  One that is closed, or was replaced by something else, stays as it is."""
    if sys.stdout is not None:
        sys.stdout = _wrapped(sys.stdout, Output)
    if sys.stderr is not None:
        sys.stderr = _wrapped(sys.stderr, Notes)
