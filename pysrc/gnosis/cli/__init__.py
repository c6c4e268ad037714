"""The `gnosis` command.  Each family of commands is a module of this package."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

from ..errors import KernelsNotCompiled
from . import (
    aggregate,
    basin,
    bench,
    cache,
    compare,
    conform,
    demo,
    examples,
    extract,
    frontier,
    generate,
    head,
    layers,
    manifest,
    models,
    mutants,
    plan,
    probe,
    report,
    speculators,
    spine,
    standard,
    studies,
    trust,
    validate,
    verify,
)

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None, help="Decisions about compressed neural networks that come with a proof."
)
app.add_typer(spine.app, name="spine")
app.command(short_help="A double well with coarse velocities, with and without the gate.")(basin.basin)
app.command(short_help="Time the kernels against their peers.")(bench.bench)
app.command(short_help="What commands made and keep: list it, clear it.")(cache.cache)
app.command(short_help="An original model against quantized files of it.")(compare.compare)
conform.register(app)
app.command(short_help="The whole chain once, on a real transformer.")(demo.demo)
app.command(short_help="The decisions as a C library that needs no Lean.")(extract.extract)
app.command(short_help="Write with a coarse model, check with a finer one.")(generate.generate)
app.command(short_help="The exact token from a coarse pass over the output matrix.")(head.head)
app.command(short_help="Theorem, decision, Python, kernel, test: one list, checked.")(manifest.manifest)
app.command(short_help="The models that commands know by name, and where they are.")(models.models)
app.command(short_help="Faults put in on purpose, and which lane notices each.")(mutants.mutants)
app.command(short_help="Which matrices of a transformer may run from a coarse code.")(layers.layers)
app.command(short_help="A race of four drafters, and what a reader could know without the truth.")(speculators.speculators)
app.command(short_help="The demonstrations in one run, written as a page.")(studies.studies)
app.command(short_help="A code for each tensor, by what it does to the outputs.")(plan.plan)
app.command(short_help="What a coarse code does to a model's weights.")(probe.probe)
app.command(short_help="The least margin that a model's levels admit, exactly.")(frontier.frontier)
app.command(short_help="A saved report as a page with plots.")(report.report)
app.command(short_help="Reports drawn together into the sidecar of a runtime.")(aggregate.aggregate)
app.command(short_help="A report read back, every figure computed again.")(validate.validate)
verify.register(app)
trust.register(app)
examples.add(app)


def _version(show: bool) -> None:
    if show:
        from .about import lines

        print("\n".join(lines()))
        raise typer.Exit


@app.callback()
def _options(
    show: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the versions of gnosis, its kernels, Lean and Python.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Entry point of the `gnosis` command.

    What exists only as a compiled kernel, and was not compiled, is one line and exit code 2; so is standard output that cannot be written.  Exit
    code 141 when its reader has left, 130 after Ctrl-C.
    """
    warnings.formatwarning = lambda message, *_: f"note: {message}\n"  # for people: no path and no source line
    standard.guard()
    try:
        app(prog_name="gnosis")
    except KernelsNotCompiled as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()
