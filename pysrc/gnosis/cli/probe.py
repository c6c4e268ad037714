"""`gnosis probe MODEL`: what the energy gate and the lattices say about a model's weights."""
from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

# Exit codes, also in the command's help and in docs/probe.md.
UNUSABLE = 2        # the file or the request; the code that a wrong option has as well
ABORTED = 3         # the sanity gate

PIPED_WIDTH = 120   # columns when the output is no terminal


class Format(StrEnum):
    text = "text"
    json = "json"


def probe(model: Annotated[str, typer.Argument(metavar="MODEL", help="`minilm`, or the path of a .safetensors or .gguf file.")],
          tensor: Annotated[list[str] | None, typer.Option("--tensor", metavar="PATTERN", help="Only tensors whose name matches, e.g. '*ffn_down*'; may be repeated.")] = None,
          rows: Annotated[int, typer.Option("--rows", min=2, help="Rows read per tensor at most; a sample drawn with the seed where there are more.")] = 4096,
          tile: Annotated[int, typer.Option("--tile", min=1, max=2 ** 16, metavar="M", help="A tile is 8·M consecutive weights of a row.")] = 8,
          gamma_multiplier: Annotated[float, typer.Option("--gamma-multiplier", help="γ in units of the cubic RMS tile residual (times the RMS tile activation).")] = 2.0,
          step: Annotated[float, typer.Option("--step", help="Step of the unbounded lattices in units of the tensor's RMS.")] = 0.335,
          seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of every sample; the report repeats it.")] = 0,
          format_: Annotated[Format, typer.Option("--format", help="Tables for people, or JSON.")] = Format.text,
          output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
          certificates: Annotated[Path | None, typer.Option("--certificates", dir_okay=False, metavar="FILE", help="Also write a certificate of every tile that the energy gate admits for any activation of norm 1, "
                                                                                                     "for `gnosis verify`; a new file, about 0.9 kB a tile and code.")] = None) -> None:
    """Measure how a model's weights quantize, and what the energy gate certifies about it.

    Exit codes: 0 the report is written; 2 the file or the request cannot be used; 3 the sanity gate stopped the probe
    because a decode looks wrong, and nothing is reported.
    """
    from pydantic import ValidationError

    from ..probe import report as reports
    from ..probe import run, text
    from ..probe.models import ModelError, open_model
    from ..probe.sanity import SanityError

    note = Console(stderr=True)

    def stop(message: str, code: int) -> typer.Exit:
        note.print(message, style="red", markup=False, highlight=False, soft_wrap=True)
        return typer.Exit(code)

    if certificates is not None and (certificates.exists() or not certificates.absolute().parent.is_dir()):
        raise stop(f"error: --certificates {certificates}: " + ("the file exists" if certificates.exists() else "there is no such directory"), UNUSABLE)
    if output is not None and not output.absolute().parent.is_dir():
        raise stop(f"error: --output {output}: the directory {output.absolute().parent} does not exist", UNUSABLE)
    try:
        settings = reports.Settings(seed=seed, rows=rows, tile=tile, gamma_multiplier=gamma_multiplier, step_over_rms=step, tensors=tensor or [])
    except ValidationError as error:
        raise stop("error: " + "; ".join(f"{e['loc'][0]} = {e['input']!r}: {e['msg']}" for e in error.errors()), UNUSABLE) from None
    try:
        opened = open_model(model)
        with Progress(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
                      console=note, disable=not note.is_terminal, transient=True) as bar:
            task = bar.add_task("reading", total=None)
            result = run.probe(opened, settings, lambda name, done, total: bar.update(task, description=name, completed=done, total=total))
    except SanityError as error:
        raise stop(f"aborted by the sanity gate: {opened.path}: {error}; nothing is reported", ABORTED) from None
    except (ModelError, run.NothingToProbe) as error:
        raise stop(f"error: {error}", UNUSABLE) from None
    if certificates is not None:
        from ..probe import certify

        try:
            count = certify.write(opened, result, certificates)
        except (certify.CannotCertify, OSError) as error:
            raise stop(f"error: --certificates {certificates}: {error}", UNUSABLE) from None
        note.print(f"{certificates}: {count:,} certificates; gnosis verify {certificates} --model {model}", markup=False, highlight=False, soft_wrap=True)
    if format_ is Format.json:
        if output is None:
            typer.echo(reports.to_json(result), nl=False)
        else:
            reports.write(result, output)
            note.print(f"{output}: {len(result.tensors)} tensors, seed {seed}", markup=False, highlight=False)
        return
    if output is None:
        console = Console()
        text.render(result, console if console.is_terminal else Console(width=PIPED_WIDTH))
    else:
        with open(output, "w", encoding="utf-8") as file:
            text.render(result, Console(file=file, width=PIPED_WIDTH))
