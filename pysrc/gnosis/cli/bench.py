"""`gnosis bench`: the hot paths against their peers."""
from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def bench(as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
          quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, smaller batches.")] = False) -> None:
    """Time the hot paths against their peers: same data, one run, taking turns."""
    from ..bench import harness, work
    from ..errors import FloatEnvironmentError
    from ..probe.models import ModelError

    progress = Console(stderr=True)
    rows = []
    try:
        tensor = work.real_tensor(work.wanted_bytes())
        with progress.status("…") as status:
            for case in work.cases(tensor, quick):
                status.update(f"{case.work} against {case.peer}")
                rows.append(harness.measure(case, harness.QUICK if quick else harness.FULL))
    except (harness.BenchError, ModelError, FloatEnvironmentError) as error:
        progress.print(f"error: {error}", style="red", markup=False, soft_wrap=True)
        raise typer.Exit(1) from None
    document = harness.report(rows, tensor.nbytes)
    if as_json:
        print(json.dumps(document, indent=2, ensure_ascii=False))
        return
    about = document["machine"]
    table = Table(title=f"{about['cpu']}, {about['threads']} threads, {about['isa']}; Q8_0 data {about['q8_0_data_bytes'] / 1e6:.0f} MB", title_justify="left")
    for column, justify in (("work, and against whom", "left"), ("ratio", "right"), ("GB/s", "right"), ("of read", "right"), ("median", "right"), ("p90", "right")):
        table.add_column(column, justify=justify)
    for row in rows:
        table.add_row(f"{row.work}\n  [dim]{row.peer}[/dim]", f"{row.ratio:.2f}×", f"{row.gb_per_s:.1f}", f"{row.share_of_read:.0%}", f"{row.median_s * 1e3:.2f} ms", f"{row.p90_s * 1e3:.2f} ms")
    Console().print(table)
