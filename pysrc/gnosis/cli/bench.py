"""`gnosis bench`: the hot paths against their peers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet, check_extra, check_outputs

if TYPE_CHECKING:
    from ..bench.harness import Row, Skipped
    from ..bench.memory import Memory


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, smaller batches.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit code 1 where a target is missed, 3 where the machine was too busy to tell.")] = False,
    write: Annotated[Path | None, typer.Option("--write", metavar="PAGE.md", help="Also write a page, with a plot and the numbers next to it.")] = None,
) -> None:
    """Time the hot paths against their peers: same data, one run, taking turns.  Peers that are not installed are counted and named.

    Exit codes: 0; 1 when two sides of a comparison differ; 2 for what cannot be used.
    """
    from ..bench import harness, memory, page, passes, work
    from ..errors import FloatEnvironmentError
    from ..files.pages import parts
    from ..models.files import ModelError

    note = Console(stderr=True)
    if write is not None:
        if write.suffix != ".md":
            raise fail(f"error: --write {write}: the page must end in .md")
        check_extra("--write", "matplotlib", "plots")
        check_outputs({"--write": write, **dict(zip(("--write, plot", "--write, numbers"), parts(write)))})
    rows: list[Row] = []
    skipped: list[Skipped] = []
    taken: list[Memory] = []
    try:
        tensor = work.real_tensor(work.wanted_bytes())
        machine = harness.machine(tensor.nbytes)
        with progress("opening", quiet) as show:
            for case in work.cases(tensor, quick, engine_file):
                if isinstance(case, harness.Skipped):
                    skipped.append(case)
                    continue
                show(f"{case.work} against {case.peer}")
                rows.append(harness.measure(case, harness.QUICK if quick else harness.FULL))
            for code in passes.CODES:
                show(f"{memory.WORK} {code.lower()}")
                one = memory.measure(code, engine_file(code))
                if isinstance(one, harness.Skipped):
                    skipped.append(one)
                else:
                    taken.append(one)
        document = harness.report(rows, skipped, machine, taken)
        for path in [] if write is None else page.write(document, write):
            note.print(f"wrote {path}", markup=False, soft_wrap=True)
    except (harness.BenchError, ModelError, FloatEnvironmentError, OSError) as error:
        raise fail(f"error: {error}", 1 if isinstance(error, harness.BenchError) else 2) from None
    if as_json:
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        render(rows, skipped, document["machine"], screen(), taken)
    if check:
        raise typer.Exit(page.verdict(document["rows"], document["memory"]))


def engine_file(code: str) -> Path | str:
    """The file of smollm2 in a code, made when it is not there; or why there is none."""
    from ..files.cache import cache_folder
    from ..inference.deferred.pair import recode
    from ..models.files import ModelError, open_model

    try:
        return recode(open_model("smollm2"), code, cache_folder())
    except ModelError as error:
        return str(error)


def render(rows: list[Row], skipped: list[Skipped], about: dict[str, Any], console: Console, taken: Sequence[Memory] = ()) -> None:
    """Print the result as tables.  about: the machine; taken: memory of models."""
    from ..bench import page

    table = Sheet(
        f"{about['cpu']}, {about['threads']} threads, {about['isa']}; Q8_0 data {about['q8_0_data_bytes'] / 1e6:.0f} MB",
        ["work, and against whom"],
        ["ratio", "GB/s", "of read", "median", "p90", "CPU", "its CPU"],
    )
    for row in rows:
        table.add_row(
            Text.assemble(row.work, (f"\n  {row.peer}", "dim"), *([("\n  " + page.busy_text(row.others), "bold")] if row.busy else [])),
            f"{row.ratio:.2f}×",
            f"{row.gb_per_s:.1f}",
            page.share_text(row.share_of_read),
            page.time_text(row.median_s),
            page.time_text(row.p90_s),
            page.time_text(row.cpu_s),
            page.time_text(row.peer_cpu_s),
        )
    console.print(table)
    for model in taken:
        console.print(
            f"{model.work} {model.code.lower()}: {(model.peak_bytes - model.before_bytes) / 1e6:.0f} MB at most, {model.copies:.2f}× its weights; "
            f"ready after {page.time_text(model.ready_s)}, {page.time_text(model.ready_cpu_s)} of processor time",
            markup=False,
            highlight=False,
        )
    console.print(f"{len(skipped)} comparisons skipped" + (":" if skipped else ""), markup=False)
    for one in skipped:
        console.print(f"  {one.work} against {one.peer}: {one.reason}", markup=False)
