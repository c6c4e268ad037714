"""`gnosis spine audit` and `gnosis spine lock`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ..files.screen import progress
from .errors import fail
from .outputs import Quiet

if TYPE_CHECKING:
    pass


def _audit(as_json: bool, update_lock: bool, clean: bool, quiet: bool) -> None:
    from ..audits.audit import run
    from ..audits.command import rows, verdict
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound, build_dir, checkout, root
    from ..spine.toolchain import LeanNotFound, find

    console = Console(stderr=as_json)
    try:
        base, lean = checkout("gnosis spine lock") if update_lock else root(), find()
        console.print(str(lean), highlight=False, soft_wrap=True)
        with progress("audit", quiet) as show:
            report = run(
                base,
                build_dir(base, lean),
                None if clean and lean.trusted else lean,
                clean=clean,
                update_lock=update_lock,
                library=lean.library,
                progress=lambda step: show(f"audit: {step}"),
            )
    except (LeanNotFound, SpineNotFound, BuildError) as error:
        raise fail(f"error: {error}") from None
    found = rows(report)
    for name, text in found:
        console.print(f"{name:<{max(len(name) for name, _ in found)}} {text}", markup=False, highlight=False, soft_wrap=True)
    for finding in report.findings:
        console.print(str(finding), style="red", markup=False, highlight=False, soft_wrap=True)
    if update_lock and "changed" in report.headline:
        console.print(f"statement lock written: {report.headline['changed']} of {report.headline['theorems']} entries changed", highlight=False)
    console.print(verdict(report), style="green" if report.ok else "red", highlight=False)
    if as_json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    if not report.ok:
        raise typer.Exit(1)


def audit(
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    clean: Annotated[bool, typer.Option("--clean", help="Compile the sources in a folder of its own instead of believing build/.")] = False,
    quiet: Quiet = False,
) -> None:
    """Check what the proofs rest on.  Exit code 1 on any finding.

    Builds first, here or (with --clean) in a folder of its own.  Then: banned words in the sources; every declaration again by
    the kernel, from an empty environment; the axioms of every theorem; the operations that the kernel computes by name;
    the statement lock.  The same from outside of the package, and the one to trust: env -i python3 -I audits/check.py
    """
    _audit(as_json, False, clean, quiet)


def lock(quiet: Quiet = False) -> None:
    """Write the locks anew: what every headline theorem says, and which constants run code of the Lean binary.

    The files are audits/headline.yaml, audits/definitions.lock, audits/code.lock and docs/spine.md.
    """
    _audit(False, True, False, quiet)


def register(app: typer.Typer) -> None:
    """Add both commands to `gnosis spine`."""
    app.command()(audit)
    app.command(short_help="Write down anew what the headline theorems say.")(lock)
