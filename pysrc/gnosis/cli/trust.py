"""`gnosis trust`: the trust page."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from .errors import fail
from .outputs import check_outputs

if TYPE_CHECKING:
    from ..conformance.trust import Run


def trust(
    write: Annotated[Path | None, typer.Option("--write", metavar="PAGE.md", help="Write the page here instead of to standard output.")] = None,
    record: Annotated[bool, typer.Option("--record", help="First take the results that lie in build/trust into docs/trust.json.")] = False,
    run: Annotated[
        list[str] | None,
        typer.Option(
            "--run",
            metavar="NAME",
            help="First run a command, keep its result in build/trust and record it; may be repeated, `all` runs every one but the tests.",
        ),
    ] = None,
    long: Annotated[
        bool, typer.Option("--long", help="First run the long lanes (`make test-long`; about 40 minutes), and record them with the day and their counts.")
    ] = False,
    lane: Annotated[
        list[str] | None, typer.Option("--lane", metavar="NAME", help="With --long, only this long lane; may be repeated. The others keep their last record.")
    ] = None,
) -> None:
    """For each link of the chain: what is proved, checked, tested and trusted, by which command, and what the last recorded run counted.

    Figures come from docs/trust.json and docs/long.json alone.  Exit code 1 when a long lane failed, 2 when a result cannot be read; a command that fails is
    recorded as failed.
    """
    from ..conformance import long as lanes_long
    from ..conformance import trust as t
    from ..conformance.lanes.run import LANES
    from ..files import output
    from ..spine.paths import SpineNotFound, checkout, root

    note = Console(stderr=True)
    check_outputs({"--write": write})
    try:
        writing = next((option for option, given in (("--record", record), ("--run", run), ("--long", long)) if given), None)
        base = root() if writing is None else checkout(writing)
        results = base / t.RESULTS
        names = [r.key for r in t.RUNS if r.key != "tests" and r.command] if run and "all" in run else run or []
        for name in names:
            if name not in t.BY_KEY or not t.BY_KEY[name].command:
                raise typer.BadParameter(f"{name}: one of {', '.join(t.BY_KEY)}, or all", param_hint="--run")
            results.mkdir(parents=True, exist_ok=True)
            _run(t.BY_KEY[name], results, base, note)
        if record or names:
            taken = t.record(results, base / t.RECORD)
            note.print(f"{t.RECORD}: {', '.join(taken) or 'nothing new'}", markup=False, highlight=False)
        done = None
        unknown = next((name for name in lane or () if not long or name not in lanes_long.names()), None)
        if unknown is not None:
            raise typer.BadParameter(f"{unknown}: one of {', '.join(lanes_long.names())}" + ("" if long else ", and only with --long"), param_hint="--lane")
        if long:
            results.mkdir(parents=True, exist_ok=True)
            done = lanes_long.run(
                results,
                lambda one: _run(one, results, base, note),
                lambda text: note.print(text, style="red", markup=False, highlight=False),
                base / lanes_long.RECORD,
                lane or (),
            )
        text = t.page(t.load(base / t.RECORD), LANES) + "\n" + lanes_long.section(lanes_long.load(base / lanes_long.RECORD))
        if write is None:
            typer.echo(text, nl=False)
        else:
            output.write(write, text)
            note.print(f"wrote {write}", markup=False, highlight=False)
        if done:
            bad = sum(step.code != 0 or step.figures["ok"] is not True for step in done.steps)
            note.print(f"{len(done.steps) - bad} passed, {bad} failed", markup=False, highlight=False)
            if bad:
                raise typer.Exit(1)
    except (t.BadResult, SpineNotFound, OSError) as error:
        raise fail(f"error: {error}") from None


def _run(run: Run, results: Path, base: Path, note: Console) -> int:
    """Run a command; what it prints is its result, unless it writes that itself.  Returns the first exit code that is not 0."""
    from ..files import output

    code = 0
    for old in (results / run.name, results / f"{run.key}.jsonl"):
        old.unlink(missing_ok=True)
    for command in run.command.split(" && "):
        note.print(f"{command} …", markup=False, highlight=False, soft_wrap=True)
        words = shlex.split(command)
        words = [sys.executable, *words[1:]] if words[0] == "python" else [sys.executable, "-m", *words]
        done = subprocess.run(words, cwd=base, stdout=subprocess.PIPE)
        note.print(f"exit code {done.returncode}", markup=False, highlight=False)
        code = code or done.returncode
    if not (results / run.name).exists():
        output.write(results / run.name, done.stdout)
    return code


def register(app: typer.Typer) -> None:
    """Add the command to the `gnosis` application."""
    app.command(short_help="What is proved, checked, tested, trusted.")(trust)
