"""`gnosis spine dojo`."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console

from .errors import fail
from .export import compiled

NOT_INSTALLED = 3  # exit code


def dojo(as_json: Annotated[bool, typer.Option("--json", help="Print the handles as JSON.")] = False) -> None:
    """Make lean-dojo's handle of every headline theorem (repository, commit, file, position, name) and check it.

    Checked against headline.yaml, the positions in the compiled files and the text there; no proof is checked by it.
    Exit code 1 when a handle is wrong, 2 when this is no clean git checkout, 3 when the extra `dojo` is not installed.
    """
    from ..audits import lock
    from ..spine import dojo as d
    from ..spine.paths import SpineNotFound, build_dir, root

    console = Console(stderr=as_json)
    try:
        base = root()
        d.load(build_dir(base).parent / "dojo")
    except d.DojoMissing as error:
        console.print(str(error), markup=False, highlight=False, soft_wrap=True)
        if as_json:
            print(json.dumps({"ok": False, "installed": False, "error": str(error), "theorems": [], "findings": [], "proofs_checked": 0}))
        raise typer.Exit(NOT_INSTALLED) from None
    except SpineNotFound as error:
        raise fail(f"error: {error}") from None
    env, _ = compiled([])
    try:
        result = d.handles(env, lock.load(base / "audits" / "headline.yaml"), base)
    except (d.NoCheckout, lock.BadHeadline) as error:
        raise fail(f"error: {error}") from None
    if not as_json:
        for row in result.theorems:
            console.print(f"{row['file']}:{row['line']}:{row['column']} {row['name']}", markup=False, highlight=False, soft_wrap=True)
    for finding in result.findings:
        console.print(finding, style="red", markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"{len(result.theorems)} handles at commit {result.commit[:12]} by lean-dojo {result.lean_dojo}, {len(result.findings)} findings; "
        "names, files and positions checked, no proof",
        style="green" if result.ok else "red",
        highlight=False,
        soft_wrap=True,
    )
    console.print(d.NO_TRACING.format(version=result.lean_version.removeprefix("v")), highlight=False, soft_wrap=True)
    if as_json:
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    if not result.ok:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the command to `gnosis spine`."""
    app.command(short_help="Handles of lean-dojo for the headline theorems.")(dojo)
