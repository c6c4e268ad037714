"""`gnosis verify FILE`: replay certificates."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ..files.screen import progress
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet

if TYPE_CHECKING:
    from ..conformance.verify.again import Report

LISTED = 20  # refusals that are printed


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}" if n != 1 else f"1 {what.removesuffix('s')}"


def _print(report: Report, console: Console) -> None:
    def say(text: str, style: str | None = None) -> None:
        console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    say(f"{Path(report.path).name}: {_count(report.certificates, 'certificates')}, written by gnosis {report.package}")
    for note in report.notes:
        say(f"note: {note}")
    gates = Sheet("", ["gate"], ["certificates"])
    for name, n in sorted(report.gates.items()):
        gates.add_row(name, f"{n:,}")
    if report.gates:
        console.print(gates)
    say(f"exact reference: {report.exact:,} hold")
    say(f"Lean's to decide: {report.lean['whole']:,} in whole, {report.lean['part']:,} in part, {report.lean['none']:,} not at all")
    for what, n in sorted(report.left.items()):
        say(f"  not Lean's, {n:,} times: {what}")
    parts: tuple[tuple[str, int | None], ...] = (("Lean's interpreter", report.oracle), ("Lean's kernel", report.kernel))
    for name, asked in parts:
        say(f"{name}: " + ("not asked" if asked is None else f"{_count(asked, 'decisions')} agree" if asked != 1 else "1 decision agrees"))
    say(f"model: {_count(report.from_model, 'inputs')} computed again and equal")
    for why, n in sorted(report.not_replayed.items()):
        say(f"not replayed, {n:,} times: {why}", "yellow")
    for one in report.refused[:LISTED]:
        say(f"refused: {one}", "red")
    if report.refusals > LISTED:
        say(f"refused: and {report.refusals - LISTED:,} more", "red")
    if report.torn is not None:
        say(f"line {report.torn} was cut off while it was written; it is not read", "yellow")
    elif not report.complete:
        say("the closing line is missing: the file may lack certificates at its end", "yellow")
    end = {
        0: "all hold",
        1: f"{_count(report.refusals, 'refusals')}",
        3: "what is there holds; the file is not complete",
        4: "what was replayed holds; not everything was",
    }
    say(f"{end[report.code]}, in {report.seconds:.1f} s", {0: "green", 1: "red"}.get(report.code, "yellow"))


def _usable(file: Path, oracle: bool, kernel: bool, any_lock: bool) -> bytes | None:
    """What a file begins with if it is the record of a run, None for what is to be certificates.  ArgumentError, OSError."""
    from ..errors import ArgumentError

    begin = next((begin for begin in RECORDS if _begins(file, begin)), None)
    for name, given in (("--oracle", oracle), ("--kernel", kernel), ("--any-lock", any_lock)):
        if begin is not None and given:
            raise ArgumentError(name, str(file), "goes with certificates; this is the record of a run")
    return begin


def _begins(file: Path, text: bytes) -> bool:
    """Whether a file begins so, as a record of one kind does."""
    from ..files.inputs import opened

    with opened(file, "FILE") as f:
        return f.read(len(text)) == text


def _head(file: Path, model: str | None, as_json: bool, quiet: bool, note: Console) -> int:
    """Decide every position of a record of `gnosis head` again, and by the reference; the exit code, as for certificates."""
    from ..errors import ArgumentError
    from ..inference import record
    from ..inference.reference import Reference
    from ..lm import Model
    from ..models.files import ModelError, open_model
    from ..studies.head import as_q8_0

    refused, count = None, 0
    try:
        first = record.opening(file)
        name = model or first["name"]
        lm = Model.load(name)
        weight = as_q8_0(lm.weights[lm.head_name])
        with progress("deciding again", quiet):
            count = record.replay(file, record.head_of(weight, first), open_model(name).sha256(), Reference(weight))
    except ArgumentError as error:
        refused = str(error)
    except (ModelError, OSError) as error:
        note.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 2
    if as_json:
        print(json.dumps({"v": 1, "kind": "head", "positions": count, "refused": refused, "code": int(refused is not None)}, ensure_ascii=False))
    elif refused:
        Console().print(f"refused: {refused}", style="red", markup=False, highlight=False, soft_wrap=True)
    else:
        Console().print(f"{count} tokens decided again, all equal, and equal to those of the whole products", highlight=False)
    return int(refused is not None)


def _generation(file: Path, model: str | None, as_json: bool, quiet: bool, note: Console) -> int:
    """Generate again and compare; the exit code, as for certificates."""
    from ..inference.deferred import open_pair, record
    from ..models.files import ModelError

    refused, compared = None, 0
    try:
        found = record.read(file)
        named, base, refine = found.head["codes"]
        if model is not None and base.endswith(".gguf") and refine.endswith(".gguf"):
            raise ModelError(f"--model {model}: both codes of this record are files of their own, {base} and {refine}")
        with progress("generating again", quiet):
            compared = record.replay(found, open_pair(model or named, base, refine))
    except record.RecordError as error:
        refused = str(error)
    except (ModelError, OSError) as error:
        note.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 2
    code = 1 if refused else 0 if found.complete else 3
    if as_json:
        print(
            json.dumps(
                {"v": 1, "kind": "generation", "tokens": compared, "refused": refused, "complete": None if refused else found.complete, "code": code},
                ensure_ascii=False,
            )
        )
    elif refused:
        Console().print(f"refused: {refused}", style="red", markup=False, highlight=False, soft_wrap=True)
    else:
        Console().print(f"{compared} tokens generated again, all equal" + ("" if found.complete else "; the record is not complete"), highlight=False)
    return code


RECORDS = {
    b'{"format":"gnosis.generation"': _generation,
    b'{"format":"gnosis.head"': _head,
    b'{"format": "gnosis.head"': _head,
}  # how the record of a run begins


def verify(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Certificates, as `gnosis.certificates.records.Writer` writes them, or the record of `gnosis generate` or `gnosis head`."
        ),
    ] = None,
    oracle: Annotated[bool, typer.Option("--oracle", help="Also ask the Lean decisions, run by Lean's interpreter.")] = False,
    kernel: Annotated[bool, typer.Option("--kernel", help="Also have the Lean kernel check every answer as a theorem.")] = False,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="Compute inputs again that come from a model: `minilm`, or a .safetensors or .gguf file.  Of a record: another place of its model.",
        ),
    ] = None,
    any_lock: Annotated[bool, typer.Option("--any-lock", help="Take a file from another statement lock, if its theorems say the same here.")] = False,
    examples: Annotated[bool, typer.Option("--examples", help="Instead of FILE: write two small certificates of every gate, and replay them.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Make every decision of a file of certificates again, exactly, and compare all that the file says.

    Exit codes: 0 all hold; 1 something was refused; 2 the file, the model or Lean cannot be used; 3 what is there holds, and the file
    ends early; 4 what was replayed holds, and something was not (it says what, and why).
    """
    from ..conformance.oracle.interpreter import OracleError
    from ..conformance.oracle.kernel import KernelError
    from ..conformance.verify import again as v
    from ..errors import ArgumentError
    from ..models.files import ModelError, open_model
    from ..spine.build import BuildError
    from ..spine.paths import SpineNotFound
    from ..spine.toolchain import LeanNotFound

    note = Console(stderr=True)
    if (file is None) != examples:
        note.print("error: give a FILE, or --examples", style="red", markup=False, highlight=False)
        raise typer.Exit(2)
    try:
        begin = None if file is None else _usable(file, oracle, kernel, any_lock)
    except (ArgumentError, OSError) as error:
        raise fail(f"error: {error}") from None
    if begin is not None:
        assert file is not None
        raise typer.Exit(RECORDS[begin](file, model, as_json, quiet, note))
    try:
        opened = None if model is None else open_model(model)
        with TemporaryDirectory() as folder, progress("verify", quiet) as show:
            if examples:
                from ..conformance.verify.examples import write

                write(file := Path(folder) / "examples.jsonl")
            assert file is not None
            report = v.verify(file, opened, oracle, kernel, any_lock, lambda done: show(f"verify: {done:,} certificates"))
    except (v.NotCertificates, OSError, ModelError, OracleError, KernelError, BuildError, LeanNotFound, SpineNotFound) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    else:
        _print(report, Console())
    raise typer.Exit(report.code)


def register(app: typer.Typer) -> None:
    """Add the command to the `gnosis` application."""
    app.command(short_help="Replay certificates.")(verify)
