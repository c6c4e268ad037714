"""`gnosis mutants`: faults put in on purpose, and which lane notices each."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet, check_extra

if TYPE_CHECKING:
    from ..conformance.mutants.run import Outcomes


def mutants(
    stem: Annotated[str, typer.Option(help="Only the mutants of this file of conformance/mutants.")] = "",
    side: Annotated[str, typer.Option(help="Only this side: python, c or lean.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the lanes; by default that of `gnosis conform`.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every mutant with the lane and the case that killed it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcomes as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Try every mutant of the Python, the kernels and the Lean decisions.  Exit code 1 when one survives every lane."""
    from ..conformance.lanes.run import SEED
    from ..conformance.mutants.plan import BadMutants, MutationError, load
    from ..conformance.mutants.run import run
    from ..conformance.oracle.interpreter import OracleError
    from ..conformance.running.cases import BadCorpus
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound

    try:
        chosen = [m for m in load() if stem in ("", m.stem) and side in ("", m.side)]
        if not chosen:
            raise BadMutants(f"no mutants of stem {stem or 'any'!r} and side {side or 'any'!r}")
        if any(m.side == "c" for m in chosen):  # kernels are compiled
            check_extra("mutants of the kernels, --side c,", "Cython", "build")
        with progress("start", quiet) as show:
            outcomes = run(chosen, SEED if seed is None else seed, show)
    except (BadMutants, MutationError, OracleError, BadCorpus, BuildError, LeanNotFound, SpineNotFound) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        print(json.dumps(outcomes.to_dict(), ensure_ascii=False))
    else:
        _show(outcomes, every)
    if not outcomes.ok:
        raise typer.Exit(1)


def _show(outcomes: Outcomes, every: bool) -> None:
    console = screen()
    if every:
        for o in outcomes.mutants:
            console.print(f"{o.lane or 'SURVIVED'}: {o.mutant}{f': {o.by}' if o.by else ''}", markup=False, soft_wrap=True)
    counts = Counter((o.mutant.stem, o.mutant.side, o.lane) for o in outcomes.mutants)
    lanes = sorted({o.lane for o in outcomes.mutants if o.lane})
    table = Sheet("mutants, and the lane that killed them", ["gate", "side"], [*lanes, "survived"])
    for key in sorted({(o.mutant.stem, o.mutant.side) for o in outcomes.mutants}):
        table.add_row(*key, *(str(counts[(*key, lane)] or "") for lane in (*lanes, "")))
    table.add_row("all", "", *(str(sum(n for (_, _, of), n in counts.items() if of == lane) or "") for lane in (*lanes, "")), style="bold")
    console.print(table)
    for o in outcomes.survivors:
        console.print(f"survived: {o.mutant}", style="red", markup=False, soft_wrap=True)
    console.print(f"{len(outcomes.mutants) - len(outcomes.survivors)} of {len(outcomes.mutants)} killed in {outcomes.seconds:.0f} s, seed {outcomes.seed}")
