"""`gnosis validate FILE`: a report, frontier or aggregate read back, and every derived figure computed again."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .errors import DAMAGED, fail, unreadable


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `gnosis probe --format json`, `gnosis frontier` or `gnosis aggregate` wrote.")],
    sources: Annotated[
        Path | None, typer.Option("--sources", file_okay=False, help="Where the files lie that it was drawn from; beside it by default.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="MODEL", help="For reports: hash the files of this model and compare.")] = None,
    complete: Annotated[bool, typer.Option("--complete", help="Count a file whose hash could not be compared as damage.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Check a file of the probe: schema, digest, the hashes of what it was drawn from, and every derived figure, computed again.

    Exit codes: 0 the file is well-formed, also when it says that a model is rejected; 1 it is damaged or contradicts itself or
    its sources; 2 it cannot be read, or the request cannot be used.
    """
    from ..errors import ArgumentError
    from ..models.files import ModelError, open_model
    from ..probe.validate import DamagedError
    from ..probe.validate import validate as check

    problem, done = None, None
    try:
        done = check(file, sources, None if model is None else open_model(model))
        if complete and done.missing:
            problem = f"{file}: not there to be compared: {', '.join(done.missing)}"
    except DamagedError as error:
        problem = str(error)
    except ModelError as error:
        raise fail(f"error: {error}") from None
    except (OSError, ArgumentError) as error:
        raise unreadable(file, error) from None
    if as_json:
        typer.echo(json.dumps({"ok": problem is None, "problem": problem, **(asdict(done) if done else {"file": str(file)})}, ensure_ascii=False))
    if problem is not None:
        raise fail(f"damaged: {problem}", DAMAGED)
    if not as_json and done is not None:
        say = Console()
        verdict = "" if done.admitted is None else ", and admits" if done.admitted else ", and rejects"
        say.print(
            f"{done.file}: {done.schema}, well-formed{verdict}; {done.recomputed:,} derived figures computed again",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        for word, names in (("hash compared", done.compared), ("not there, hash not compared", done.missing)):
            if names:
                say.print(f"{word}: {', '.join(names)}", markup=False, highlight=False, soft_wrap=True)
