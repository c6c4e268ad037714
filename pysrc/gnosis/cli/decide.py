"""`gnosis spine decide`: the Lean decisions over newline-delimited JSON."""

from __future__ import annotations

import os
import sys

import typer

SHOWN = 10  # findings that are listed


def decide() -> None:
    """Answer decision requests from standard input, one JSON object a line, by running the Lean definitions.

    Request: {"v": 1, "id": "a", "decision": "energySidecarAdmit", "args": [2, 8, 8]}; answer: {"v": 1, "id": "a", "result": true}.
    Before it answers, the sources are held against the rules of the audit, and the compiled code against audits/code.lock.
    Exit code 0 at the end of the input, also when requests were refused; 1 when sources or code are not what the audit has locked (then
    nothing runs); 2 when Lean fails or the input cannot be read.
    """
    from ..conformance.oracle.interpreter import DRIVER, Oracle, OracleError
    from ..conformance.oracle.protocol import LONGEST_LINE, answer
    from ..spine.build import BuildError, build
    from ..spine.executed import refused_code, refused_sources
    from ..spine.paths import SpineNotFound, build_dir, root
    from ..spine.toolchain import LeanNotFound, find

    def say(lines: list[bytes]) -> None:
        for text in answer(oracle, lines):
            sys.stdout.write(text + "\n")
        sys.stdout.flush()

    try:
        base, lean = root(), find()
        found = refused_sources(base)
        if not found:
            result = build(only=[DRIVER], base=base, lean=lean)
            found = refused_code(base, build_dir(base, lean), lean, [DRIVER]) if result.ok else []  # else the oracle says why
        for finding in found[:SHOWN]:
            print(finding, file=sys.stderr)
        if found:
            print(
                f"error: {len(found)} findings, and nothing was run; `gnosis spine audit` says more, `gnosis spine lock` locks what was changed on purpose",
                file=sys.stderr,
            )
            raise typer.Exit(1)
        with Oracle(base=base, lean=lean) as oracle:
            held, dropping = b"", False  # the line that is not finished yet; whether its rest is to be thrown away
            while True:
                chunk = os.read(0, 1 << 16)  # whatever is there: a whole batch from a pipe, one line from a person
                *lines, held = (held + chunk).split(b"\n")
                if lines and dropping:
                    lines, dropping = lines[1:], False
                if dropping:
                    held = b""
                elif len(held) > LONGEST_LINE:
                    lines, held, dropping = [*lines, held], b"", True
                if not chunk and held and not dropping:
                    lines.append(held)
                say([line for line in lines if line.strip()])
                if not chunk:
                    break
    except (OracleError, BuildError, LeanNotFound, SpineNotFound, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None


def register(app: typer.Typer) -> None:
    """Add the command to the `gnosis spine` application."""
    app.command(short_help="Answer decision requests by running Lean.")(decide)
