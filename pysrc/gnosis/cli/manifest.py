"""`gnosis manifest`: theorem, decision, Python, kernel, target and falsifier, checked both ways."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ..files.screen import progress
from .errors import fail
from .outputs import Quiet


def manifest(
    write: Annotated[bool, typer.Option("--write", help="Write the computed half anew first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Check conformance/manifest.yaml against the compiled spine, the gates, the kernels and the targets.  Exit code 1 when something is missing or stale.

    The spine is built first; exit code 2 when it does not build or something cannot be read.
    """
    from ..audits.lock import BadHeadline
    from ..audits.olean import BadImage
    from ..conformance import manifest as m
    from ..spine.build import BuildError, build
    from ..spine.paths import SpineNotFound, checkout
    from ..spine.toolchain import LeanNotFound

    try:
        if write:
            checkout("--write")
        with progress("building the spine", quiet):
            built = build()
        if not built.ok:
            raise BuildError(f"the spine does not build: {', '.join(built.failed)}; see `gnosis spine build`")
        world = m.survey()
        written = write and m.write(world=world)
        found = m.check(m.load(), world)
    except (m.BadManifest, BadHeadline, BadImage, BuildError, LeanNotFound, SpineNotFound) as error:
        raise fail(f"error: {error}") from None
    counts = {
        "theorems": len(world.theorems),
        "decisions": len(world.decisions),
        "targets": len(world.targets),
        "symbols": len(world.symbols),
        "kernels": len(world.kernels),
        "falsifiers": len({f for some in world.falsifiers.values() for f in some}),
    }
    if as_json:
        print(
            json.dumps(
                {"v": 1, "ok": not found, "counts": counts, "written": written, "tests looked up": world.tests is not None, "findings": found},
                ensure_ascii=False,
            )
        )
    else:
        print(", ".join(f"{n} {what}" for what, n in counts.items()) + (f": {len(found)} findings" if found else ": all accounted for, both ways"))
        if world.tests is None:
            print("promises that name tests were not looked up: tests do not come with an installed package")
        for line in found:
            print(line)
    if found:
        raise typer.Exit(1)
