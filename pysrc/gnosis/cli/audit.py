"""`gnosis spine audit` and `gnosis spine lock`."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from ..audits.audit import Report


def _table(report: Report) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False)
    replay, plain = report.replay, report.replay.get("plain", {})
    bad = [t for t in report.theorems if t["axioms"]]
    rows = [
        ("modules", f"{report.modules}, {sum(report.constants.values())} constants"),
        ("theorems", f"{len(report.theorems)}, {len(bad)} with axioms"),
        ("hidden constants", f"{report.hidden.get('opaque', 0)} opaque and {report.hidden.get('unsafe', 0)} unsafe, "
                             f"on which {report.hidden.get('theorems', 0)} theorems rest"),
        ("kernel replay", f"{replay.get('accepted', 0)} of {replay.get('units', 0)} declarations accepted from an empty environment, "
                          f"{replay.get('compared', 0)} constants compared, {len(replay.get('differences', []))} differ; "
                          f"{replay.get('words', 0)} cached words compared, {replay.get('falsified_words', 0)} differ"),
        ("accelerated names", f"{len(report.accelerated)}: {', '.join(a['name'] for a in report.accelerated)}; specifications proved "
                              f"without acceleration: {plain.get('theorems', 0) - len(plain.get('rejected', [])) - len(plain.get('absent', []))}"
                              f" of {plain.get('theorems', 0)}"),
        ("#print axioms", f"agrees on {report.print_axioms.get('agree', 0)} of {report.print_axioms.get('asked', 0)}"),
        ("statement lock", f"{report.headline.get('theorems', 0)} headline theorems, {report.headline.get('definitions', 0)} definitions"),
        ("excepted words", ", ".join(f"{word} {sum(files.values())}" for word, files in sorted(report.tokens.items())) or "none"),
        ("seconds", f"{sum(report.seconds.values()):.1f} (" + ", ".join(f"{k} {v:.1f}" for k, v in report.seconds.items()) + ")"),
    ]
    for name, text in rows:
        table.add_row(name, escape(text))
    return table


def _audit(as_json: bool, update_lock: bool) -> None:
    from ..audits.audit import run
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound, find

    console = Console(stderr=as_json)
    try:
        lean = find()
        console.print(str(lean), highlight=False, soft_wrap=True)
        with console.status("audit") as status:
            report = run(lean=lean, update_lock=update_lock, progress=lambda step: status.update(f"audit: {step}"))
    except (LeanNotFound, SpineNotFound, BuildError) as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    console.print(_table(report))
    for finding in report.findings:
        console.print(str(finding), style="red", markup=False, highlight=False, soft_wrap=True)
    if update_lock and "changed" in report.headline:
        console.print(f"statement lock written: {report.headline['changed']} of {report.headline['theorems']} entries changed", highlight=False)
    console.print("no findings" if report.ok else f"{len(report.findings)} findings", style="green" if report.ok else "red", highlight=False)
    if as_json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    if not report.ok:
        raise typer.Exit(1)


def audit(as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False) -> None:
    """Check what the proofs rest on.  Exit code 1 on any finding.

    Builds first.  Then: banned words in the sources; every declaration again by the kernel, from an empty
    environment; the axioms of every theorem; the operations that the kernel computes by name; the statement lock.
    """
    _audit(as_json, False)


def lock() -> None:
    """Write the locks anew: what every headline theorem says, and which constants run code of the Lean binary.

    The files are audits/headline.yaml, audits/definitions.lock, audits/externs.lock and docs/spine.md.
    """
    _audit(False, True)


def register(app: typer.Typer) -> None:
    """Add both commands to `gnosis spine`."""
    app.command()(audit)
    app.command(short_help="Write down anew what the headline theorems say.")(lock)
