"""`gnosis plan`: a code for each tensor, chosen by what it does to the outputs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from . import compare as comparing
from .errors import fail
from .outputs import check_outputs

if TYPE_CHECKING:
    from ..plan.run import Planned, Settings

MIB = 1 << 20


def _mib(size: float) -> str:
    return f"{size / MIB:.2f}"


def _number(x: float | None) -> str:
    return "–" if x is None else f"{x:.4g}"


def _percent(x: float | None) -> str:
    return "–" if x is None else f"{100 * x:.2f} %"


def _tensors(d: dict[str, Any], every: bool, console: Console) -> None:
    measured = d["by"] == "outputs"
    title = f"The plan: {d['bytes']} bytes, {d['bits_per_weight']:.3f} bits a weight"
    last = "cost\nKL" if measured else "error\nof weights"
    if every:
        table = Sheet(title, ["tensor"], ["code\nhere", "\noriginal", "size\nMiB", "\nbits", last])
        for t in d["tensors"]:
            table.add_row(t["name"], t["code"], t["original_code"], _mib(t["bytes"]), f"{t['bits_per_weight']:.2f}", _number(t["cost"]))
    else:
        table = Sheet(title, ["role", "codes"], ["tensors", "size\nMiB", "\nbits", last])
        for role in dict.fromkeys(t["role"] for t in d["tensors"]):
            own = [t for t in d["tensors"] if t["role"] == role]
            counts = {code: sum(t["code"] == code for t in own) for code in sorted({t["code"] for t in own})}
            size, weights = sum(t["bytes"] for t in own), sum(8 * t["bytes"] / t["bits_per_weight"] for t in own)
            said = ", ".join(code if len(counts) == 1 else f"{n} {code}" for code, n in counts.items())
            table.add_row(role, said, str(len(own)), _mib(size), f"{8 * size / weights:.2f}", _number(sum(t["cost"] for t in own)))
    console.print(table)


def _steps(d: dict[str, Any], console: Console) -> None:
    if d["groups"]:
        table = Sheet(
            "What measuring found: the groups that matter most, each coded alone", ["group", "codes"], ["KL", "flips", "saved\nMiB", "KL a\nMiB", "seconds"]
        )
        for g in sorted(d["groups"], key=lambda g: -g["kl"])[:8]:
            table.add_row(
                g["group"],
                ", ".join(g["codes"]),
                _number(g["kl"]),
                _percent(g["flips"]),
                _mib(g["bytes_saved"]),
                _number(g["kl"] * MIB / g["bytes_saved"]),
                f"{g['seconds']:.1f}",
            )
        console.print(table)
    trials = [*([d["anchor"]] if d["anchor"] else []), *d["trials"]]
    if trials:
        table = Sheet(
            f"Plans measured on the outputs at {d['positions']} positions of half 1",
            ["plan"],
            ["size\nMiB", "KL\nmeasured", "\npredicted", "flips", "seconds", "kept"],
        )
        for t in trials:
            table.add_row(
                t["what"], _mib(t["size"]), _number(t["kl"]), _number(t["predicted"]), _percent(t["flips"]), f"{t['seconds']:.1f}", "yes" if t["kept"] else "no"
            )
        console.print(table)
    if d["neighbours"]:
        table = Sheet(
            "What other sizes would buy: sums of measured effects, each size chosen anew", [], ["size\nMiB", "\nbits", "KL\npredicted", "\nof this plan"]
        )
        for n in d["neighbours"]:
            whole = n["bytes"] + d["fixed_bytes"]
            table.add_row(
                _mib(whole), f"{8 * whole / d['weights']:.3f}", _number(n["predicted"]), "–" if n["of_this_plan"] is None else f"{n['of_this_plan']:.2f}×"
            )
        console.print(table)


def render(d: dict[str, Any], every: bool, console: Console) -> None:
    """The document as tables and sentences."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False)

    _tensors(d, every, console)
    _steps(d, console)
    if d["no_outputs"]:
        say(f"chosen by the errors of weights alone: {d['no_outputs']}")
    if d["additivity"]:
        a = d["additivity"]
        say(f"the effects of single groups add up to a KL of {_number(a['sum_of_effects'])}; measured together it is {_number(a['measured'])}")
    say(
        {
            "file": "importances: of the imatrix file",
            "text": "importances: made here, on passages of half 1",
            "none": "importances: none, all columns count alike",
        }[d["importances"]]
    )
    say("seconds: " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in d["seconds"].items()))
    if d["kl"] is not None:
        say(
            f"on the {d['positions']} positions that it was chosen on: KL {_number(d['kl'])}, changed tokens {_percent(d['flips'])}; on new text it is more, which the other half shows"
        )


def certifying(original: str, out: str, settings: Settings) -> str:
    """The line that judges the plan on the half that it was not chosen on."""
    words = ["gnosis", "compare", original, out, "--half", "2", "--half-seed", str(settings.seed), "--length", str(settings.length)]
    for path in settings.texts:
        words += ["--text", str(path)]
    if settings.tokens is not None:
        words += ["--tokens", str(settings.tokens)]
    if settings.flips is not None:
        words += ["--require", f"flips<={settings.flips:g} at 0.99"]
    return shlex.join(words)


def plan(
    original: Annotated[str, typer.Argument(metavar="ORIGINAL", help="The model as it was: a .gguf or .safetensors file, an index, a first part or a folder.")],
    bpw: Annotated[float | None, typer.Option(metavar="X", help="Target: bits a weight, over all tensors of the file.")] = None,
    size: Annotated[int | None, typer.Option("--bytes", metavar="N", help="Target: bytes of all tensors.")] = None,
    flips: Annotated[
        float | None, typer.Option(metavar="X", help="Target: share of positions with another top token; the smallest plan that has no more.")
    ] = None,
    write: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the plan as a GGUF file; it must not be there yet.")] = None,
    certify: Annotated[
        bool, typer.Option("--certify", help="After --write: compare the file with the original on the half that it was not chosen on.")
    ] = False,
    imatrix: Annotated[Path | None, typer.Option(metavar="FILE", help="Importances of llama.cpp, .dat or .gguf (default: made here, on the text).")] = None,
    state: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep measurements here, and go on from them.")] = None,
    seconds: Annotated[
        float, typer.Option(metavar="X", help="For measuring: groups are made as fine as half of it allows, the other half goes into exchange.")
    ] = 900,
    types: Annotated[str | None, typer.Option(metavar="A,B,…", help="Types of GGUF that are tried.")] = None,
    by: Annotated[str, typer.Option(metavar="outputs|weights", help="weights: by importance-weighted errors alone, as llama.cpp's proposal does.")] = "outputs",
    text: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Text to read (default: descriptions of installed packages); may be repeated.")
    ] = None,
    tokens: Annotated[Path | None, typer.Option(metavar="FILE", help="Token numbers instead of text, a document a line.")] = None,
    length: Annotated[int, typer.Option(metavar="N", help="Most tokens of a passage.")] = 64,
    most: Annotated[int, typer.Option(metavar="N", help="Positions that plans are measured on.")] = 1536,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the halves and of the passages that are read.")] = 0,
    threads: Annotated[int, typer.Option(metavar="N", help="Threads of the engine.")] = 1,
    every: Annotated[bool, typer.Option("--every", help="Show every tensor, not only sums by role.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Choose a code for each tensor by what it does to the outputs, at a size or for a share of changed tokens.

    Chosen on one half of the passages; the line that compares on the other half is printed. Exit codes: 0; 2 for what cannot be used; with --certify those of compare.

    \b
    Examples:
      gnosis plan model-f16.gguf --bpw 4.5 --write model-4.5.gguf
      gnosis plan model-f16.gguf --flips 0.05 --imatrix imatrix.gguf \\
        --state plan.json --write small.gguf --certify
    """
    from ..compare import run as compared
    from ..errors import ArgumentError, RangeError
    from ..models.files import ModelError
    from ..plan import codes
    from ..plan.run import Settings, planned

    inputs = [path for path in (*(text or ()), tokens, imatrix, Path(original)) if path is not None]
    check_outputs({"--write": write, "--state": state}, new=["--write"], inputs=inputs)
    judged = None
    try:
        if tokens is not None and text:
            raise ArgumentError("tokens", str(tokens), "is given instead of --text")
        if certify and write is None:
            raise ArgumentError("certify", True, "compares a file: give --write as well")
        for name, value, least in (("length", length, 2), ("most", most, 1), ("seed", seed, 0), ("threads", threads, 1)):
            if value < least:
                raise RangeError(name, value, f"must be at least {least}")
        tried = codes.TYPES if types is None else codes.checked(types.split(","))
        settings = Settings(bpw, size, flips, imatrix, tuple(text or ()), tokens, length, most, seed, tried, by, seconds, state, threads)
        with progress("opening files", quiet) as show:
            found: Planned = planned(original, settings, show, write)
            paths = [] if write is None else found.write(write, show)
            document = found.document
            document["written"] = [str(path) for path in paths]
            document["certify"] = certifying(original, str(paths[0]) if paths else "PLAN.gguf", settings) if document["no_outputs"] is None else None
            if certify and document["certify"] is not None:
                judged = compared.compare(original, [str(paths[0])], settings.comparison(2), show)
            document["certified"] = judged
    except (ModelError, ArgumentError, OSError) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))
    else:
        console = screen()
        render(document, every, console)
        if document["written"]:
            console.print(f"written: {', '.join(document['written'])}", markup=False, highlight=False)
        if judged is not None:
            comparing.render(judged, False, console)
        elif document["certify"] is not None:
            console.print(f"on the other half: {document['certify']}", markup=False, highlight=False, soft_wrap=True)
    verdict = None if judged is None or judged["outputs"] is None else judged["outputs"]["verdict"]
    code = {None: compared.PROVED, "proved": compared.PROVED, "refuted": compared.REFUTED, "open": compared.OPEN}[verdict]
    if code:
        raise typer.Exit(code)
