"""`gnosis compare`: an original model against quantized files of it."""

from __future__ import annotations

import io
import json
from decimal import ROUND_CEILING, ROUND_FLOOR
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ..files.screen import WIDTH, progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import check_outputs
from .probe import DaskOption, PageFormat
from .rounded import high as _high
from .rounded import low as _low
from .rounded import number as _number
from .rounded import percent as _percent


def _weights(document: dict[str, Any], every: bool, console: Console) -> None:
    for entry in document["candidates"]:
        found = entry["weights"]
        rows = sorted(found["tensors"], key=lambda t: -(t["relative_upper"] or 0.0 if t["energy_upper"] else 0.0))
        shown = rows if every else rows[:12]
        table = Sheet(
            f"Weights of {Path(entry['name']).name}: {len(rows)} tensors, {found['bits_per_weight']:.2f} bits a weight, largest relative errors first",
            ["tensor"],
            ["code\nhere", "\noriginal", "relative\nerror ≤", "energy\nmeasured", "\n≤", "worst\nrow", "\nerror ≤"],
        )
        for t in shown:
            worst = t["worst_rows"][0] if t["worst_rows"] else None
            table.add_row(
                t["name"],
                t["code"],
                t["original_code"],
                _percent(t["relative_upper"], 2, ROUND_CEILING),
                _number(t["energy"]),
                _high(t["energy_upper"], 4),
                "–" if worst is None else str(worst["row"]),
                "–" if worst is None else _percent(worst["relative_upper"], 2, ROUND_CEILING),
            )
        console.print(table)
        if len(shown) < len(rows):
            console.print(f"{len(rows) - len(shown)} more tensors: --every, or --json", highlight=False)
        for left in found["left_out"]:
            console.print(f"left out: {left['name']}: {left['reason']}", markup=False, highlight=False)


def _gates(document: dict[str, Any], every: bool, console: Console) -> None:
    for entry in document["candidates"]:
        rows = [t for t in entry["weights"]["tensors"] if t.get("gates")]
        if not rows:
            continue
        rows = sorted(rows, key=lambda t: -(t["gates"]["tile"]["vacuity"] or 0.0))
        shown = rows if every else rows[:12]
        table = Sheet(
            f"Gates of {Path(entry['name']).name} at its own activations ({rows[0]['gates']['activations']} positions), largest bound over truth first",
            ["tensor"],
            [
                "least margin\nby row, all",
                "\n99 %",
                "by block\nall",
                "\n99 %",
                "margin\nneeded, 99 %",
                "\nasked",
                "admitted\nby row",
                "\nby block",
                "bound over\ntruth, row",
                "\nblock",
                "\nsup-norm",
            ],
        )
        for t in shown:
            g = t["gates"]
            table.add_row(
                t["name"],
                *(_high(g[form][name], 4) for form in ("row", "tile") for name in ("least_all", "least_share")),
                _number(g["measured"]["share"]),
                _low(g["margin"], 4),
                *(_percent(g[form]["admitted_pairs"], 1, ROUND_FLOOR) for form in ("row", "tile")),
                *(_number(g[form]["vacuity"], 3) for form in ("row", "tile", "sup")),
            )
        console.print(table)
        if len(shown) < len(rows):
            console.print(f"{len(rows) - len(shown)} more tensors: --every, or --json", highlight=False)
        for said in dict.fromkeys(t["gates"]["margin_is"] for t in rows):
            console.print(f"margin asked: {said}", markup=False, highlight=False)
        console.print(
            "Least margin: every row is certified for all, or 99 %, of the activations.  Needed: twice the largest change that was measured.  Admitted: pairs of a "
            "row and an activation at the margin asked.",
            markup=False,
            highlight=False,
        )


def _outputs(o: dict[str, Any], console: Console) -> None:
    of = f" of half {o['half']}, divided by seed {o['half_seed']}" if o["half"] else ""
    table = Sheet(
        f"Outputs at {o['positions_read']} positions of {o['passages_read']} passages{of}" + ("" if o["whole_text"] else f" (the text has {o['positions']})"),
        ["candidate"],
        [
            "same top\ntoken",
            "KL divergence\nmean",
            "\nmedian",
            "\n99 %",
            "\nlargest",
            "total\nvariation",
            f"same top\n{o['top']} tokens",
            "perplexity\noriginal",
            "\nhere",
            "Δp\nmean",
            "\nRMS",
        ],
    )
    for c in o["candidates"]:
        f = c["figures"]
        table.add_row(
            Path(c["name"]).name,
            _percent(f["flips"]["same_top"]),
            *(_number(f["kl"][name]) for name in ("mean", "median", "99%", "largest")),
            _number(f["tv"]["mean"]),
            _percent(1 - f["sets"]["share"]),
            _number(f["perplexity"]["original"], 5),
            _number(f["perplexity"]["quantized"], 5),
            _percent(f["delta_p"]["mean"]),
            _percent(f["delta_p"]["rms"]),
        )
    console.print(table)
    sure = Sheet(
        f"Intervals that hold together and at all times at {o['confidence']}: {o['draws']} passages drawn",
        ["candidate"],
        [
            "changed top\nfrom",
            "\nto",
            "total variation\nfrom",
            "\nto",
            "changed sets\nfrom",
            "\nto",
            "KL, cut off\nfrom",
            "\nto",
            "loss, cut off\nfrom",
            "\nto",
        ],
    )
    for c in o["candidates"]:
        sure.add_row(
            Path(c["name"]).name,
            *(shown(c["intervals"][name][end]) for name in ("flips", "tv", "sets", "kl", "nll") for end, shown in (("low", _low), ("high", _high))),
        )
    console.print(sure)
    _sentences(o, console)


def _sentences(o: dict[str, Any], console: Console) -> None:
    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False)

    say(
        "One observation is the mean over a passage; passages are drawn with replacement, in proportion to their positions, so that the intervals are about "
        "the mean over all positions of this text. They say nothing of other text."
    )
    for text in o["differing_settings"]:
        say(text)
    if "reference path" in o["run_by"]:
        say("Models with experts run on the reference path, in float32 and slowly: the figures are about its arithmetic.")
    for c in o["candidates"]:
        name = Path(c["name"]).name
        margins, count, threshold = c["figures"]["margin_of_changed"], c["passages_with_a_change"], c["unchanged_above"]
        if margins is not None:
            say(f"{name}: where the token changed its own margin is {_number(margins['median'])} in the median, {_number(margins['largest'])} at most")
        if count is not None:
            say(
                f"{name}: {count['changed']} of {count['drawn']} drawn passages have a changed token; of all {_percent(count['low'], 1, ROUND_FLOOR)} to {_percent(count['high'], 1, ROUND_CEILING)}"
            )
        if threshold is not None and threshold["threshold"] is None:
            say(
                f"{name}: no threshold for margins: level {threshold['level']:g} needs rank {threshold['rank']}, and {threshold['passages']} passages were drawn"
            )
        elif threshold is not None:
            say(
                f"{name}: a margin above {_high(threshold['threshold'], 4)} means an unchanged token in all of a passage, but for {_percent(1 - threshold['level'], 1)} of "
                f"passages on average over calibrations; for this one at most {_percent(threshold['given_calibration'], 1, ROUND_CEILING)} with 95 %"
            )
        for r in c["requirements"]:
            fixed = r["positions_of_a_fixed_size_test"]
            say(
                f"{name}: {r['figure']} <= {r['most']:g} at {r['level']}: {r['state'].upper()} after {r['draws']} passages, {r['positions']} positions "
                f"(between {_low(r['low'], 4)} and {_high(r['high'], 4)})"
                + ("" if fixed is None else f"; a fixed-size test would have taken {fixed} positions")
            )
    for pair in o["pairs"]:
        a, b = (Path(o["candidates"][i]["name"]).name for i in pair["candidates"])
        ends = f"difference of total variation between {_low(pair['low'])} and {_high(pair['high'])}"
        say(f"{a} and {b}: " + (f"{Path(pair['nearer']).name} is nearer to the original, " if pair["nearer"] else "which is nearer is open, ") + ends)


def render(document: dict[str, Any], every: bool, console: Console) -> None:
    """The document as tables and sentences."""
    if "weights" in document["candidates"][0]:
        _weights(document, every, console)
        _gates(document, every, console)
    for entry in document["candidates"]:
        if entry["same_file"]:
            console.print(f"{entry['name']} is the original itself", markup=False, highlight=False)
    if document["outputs"] is None:
        console.print(f"no outputs: {document['no_outputs']}", markup=False, highlight=False)
    else:
        _outputs(document["outputs"], console)


def _show(document: dict[str, Any], format_: PageFormat, output: Path | None, every: bool) -> None:
    """On standard output or into a file; typer.Exit with one line when that cannot be written."""
    from ..files.output import write

    if format_ is PageFormat.text and output is None:
        return render(document, every, screen())
    if format_ is PageFormat.text:
        lines = io.StringIO()
        render(document, every, Console(file=lines, width=WIDTH, highlight=False))
        written = lines.getvalue()
    elif format_ is PageFormat.html:
        from . import compare_page

        written = compare_page.render(document)
    else:
        written = json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
    if output is None:
        typer.echo(written, nl=False)
        return
    try:
        write(output, written)
    except OSError as error:
        raise fail(f"error: {output}: {error.strerror or error}") from None


def compare(
    original: Annotated[str, typer.Argument(metavar="ORIGINAL", help="The model as it was: a .gguf or .safetensors file, an index, a first part or a folder.")],
    quantized: Annotated[list[str], typer.Argument(metavar="QUANTIZED", help="Quantized files of it; tensors are matched by name.")],
    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'FIGURE<=X at Q'", help="Read until this is proved or refuted with confidence Q; figures: flips, tv, sets, kl, nll. May be repeated."
        ),
    ] = None,
    text: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Text to read (default: descriptions of installed packages); may be repeated.")] = None,
    tokens: Annotated[str | None, typer.Option(metavar="FILE", help="Token numbers instead of text, a document a line.")] = None,
    length: Annotated[int, typer.Option(metavar="N", help="Most tokens of a passage.")] = 64,
    most: Annotated[int, typer.Option(metavar="N", help="Most positions that are read.")] = 4096,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draws.")] = 0,
    confidence: Annotated[str, typer.Option(metavar="Q", help="Of all intervals together.")] = "0.99",
    level: Annotated[str, typer.Option(metavar="Q", help="Of the margin above which a token is unchanged.")] = "0.9",
    top: Annotated[int, typer.Option(metavar="K", help="Size of the sets of likeliest tokens.")] = 5,
    threads: Annotated[int, typer.Option(metavar="N", help="Threads of the engine.")] = 1,
    activations: Annotated[
        int | None, typer.Option(metavar="N", help="Positions at which the gates of every matrix are asked; 0 for none (default: 128, none with --require).")
    ] = None,
    dask: DaskOption = None,
    half: Annotated[int, typer.Option(metavar="1|2", help="One half of the passages only: gnosis plan chooses on half 1, so that 2 is new to its files.")] = 0,
    half_seed: Annotated[int, typer.Option(metavar="N", help="Seed by which passages are divided into halves.")] = 0,
    only: Annotated[str, typer.Option(metavar="weights|outputs|both", help="Leave one half out.")] = "both",
    every: Annotated[bool, typer.Option("--every", help="Show every tensor, not only those with the largest errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON: --format json.")] = False,
    format_: Annotated[PageFormat, typer.Option("--format", help="Tables for people, JSON, or a page with plots.")] = PageFormat.text,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Compare quantized files with the model they were made from: weights, outputs on text, and how sure the figures are.

    Exit codes: 0, with --require: everything is proved; 1 something is refuted; 3 the text, or --most, ran out first; 2 for input that cannot be used.

    \b
    Examples:
      gnosis compare model-f16.gguf model-q4_0.gguf model-q5_k.gguf
      gnosis compare model-f16.gguf model-q4_0.gguf --text book.txt \\
        --require 'flips<=0.1 at 0.99' --json
    """
    from ..compare import run, sure
    from ..errors import ArgumentError, RangeError
    from ..files.remote import place
    from ..models.files import ModelError, open_model

    check_outputs({"--output": output}, inputs=[*(text or ()), *([tokens] if tokens else ())])
    try:
        if output is not None:  # every part of every model, too
            check_outputs({"--output": output}, inputs=[path for name in (original, *quantized) for path in open_model(name).paths if isinstance(path, Path)])
        if as_json and format_ is not PageFormat.text:
            raise ArgumentError("format", format_.value, "is given beside --json")
        if only not in ("both", "weights", "outputs"):
            raise RangeError("only", only, "must be weights, outputs or both")
        if tokens is not None and text:
            raise ArgumentError("tokens", tokens, "is given instead of --text")
        settings = run.Settings(
            tuple(sure.requirement(one) for one in require or ()),
            tuple(map(place, text or ())),
            None if tokens is None else place(tokens),
            length,
            most,
            seed,
            confidence,
            level,
            top,
            threads,
            only,
            activations=activations,
            half=half,
            half_seed=half_seed,
        )
        if only == "weights" and settings.asked:
            raise ArgumentError("only", only, "leaves out what --require, --text and --tokens are about")
        with progress("opening files", quiet) as show:
            document = run.compare(original, quantized, settings, show, dask)
    except (ModelError, ArgumentError, OSError) as error:
        raise fail(f"error: {error}") from None
    _show(document, PageFormat.json if as_json else format_, output, every)
    outputs = document["outputs"]
    code = {None: run.PROVED, "proved": run.PROVED, "refuted": run.REFUTED, "open": run.OPEN}[outputs["verdict"] if outputs else None]
    if code:
        raise typer.Exit(code)
