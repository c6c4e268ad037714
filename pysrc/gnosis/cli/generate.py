"""`gnosis generate`: a coarse model writes, a finer one checks the doubtful tokens later."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from . import drafts
from .drafts import tokens_of
from .errors import fail
from .outputs import check_extra, check_outputs
from .spoken import Spoken

if TYPE_CHECKING:
    from ..inference.deferred import Pair, Policy


def _policies(tau: float, window: int) -> list[Policy]:
    """What `--compare` measures: both modes, other τ, other windows, what reading the rest again and what overlapping buys."""
    from ..inference.deferred import Policy

    return [
        Policy("margin", tau / 2, window),
        Policy("margin", tau, window),
        Policy("margin", 2 * tau, window),
        Policy("margin", 4 * tau, window),
        *(Policy("verify-all", None, w) for w in sorted({8, 16, window, 64})),
        Policy("verify-all", None, window, again=1),
        Policy("verify-all", None, window, overlap=True),
        Policy("margin", tau, window, overlap=True),
    ]


def _numbers(text: str) -> list[int]:
    """Token numbers that were given instead of text.  ArgumentError."""
    from ..errors import ArgumentError

    parts = text.replace(",", " ").split()
    wrong = next((part for part in parts if not (part.isascii() and part.isdigit() and len(part) < 10)), None)
    if wrong is not None or not parts:
        raise ArgumentError("tokens", text if wrong is None else wrong, "must be whole numbers, with commas or spaces between them")
    return [int(part) for part in parts]


def _mode(mode: str | None, of_windows: dict[str, Any], of_drafts: dict[str, Any]) -> str:
    """The mode that is meant.  ArgumentError for options of the other one."""
    from ..errors import ArgumentError, RangeError

    if mode not in (None, "draft", "margin", "verify-all"):
        raise RangeError("mode", mode, "must be 'draft', 'margin' or 'verify-all'")
    windows, others = (next(((name, value) for name, value in given.items() if value is not None), None) for given in (of_windows, of_drafts))
    if mode is None:
        mode = "draft" if windows is None or others is not None else "margin"
    wrong = windows if mode == "draft" else others
    if wrong is not None:
        name, value = wrong
        raise ArgumentError(
            name, str(value) if isinstance(value, Path) else value, "goes with the modes margin and verify-all" if mode == "draft" else "goes with mode draft"
        )
    return mode


def _policy(mode: str, tau: float | None, window: int, again: int, overlap: bool) -> Policy:
    from ..errors import ArgumentError
    from ..inference.deferred import Policy

    if mode != "verify-all":
        return Policy("margin", 1.0 if tau is None else tau, window, again, overlap)
    if tau is not None:
        raise ArgumentError("tau", tau, "mode verify-all checks every token and takes no τ")
    return Policy("verify-all", None, window, again, overlap)


def _percent(x: float | None) -> str:
    return "–" if x is None else f"{x:.1%}"


def render(document: dict[str, Any], console: Console) -> None:
    """The result of `--compare` as tables."""
    table = Sheet(
        f"{document['prompts']} prompts, at most {document['most']} tokens each",
        ["configuration"],
        ["tokens/s", "same text", "agreement", "judge", "MB/token", "check", "rollbacks", "deferred"],
    )
    for r in document["rows"]:
        table.add_row(
            r["name"],
            f"{r['tokens_per_s']:.1f}",
            f"{r['equal']}/{r['prompts']}",
            _percent(r["agreement"]),
            f"{r['judge']:.3f}",
            f"{r['bytes_per_token'] / 1e6:.1f}",
            "–" if r["check_ms_median"] is None else f"{r['check_ms_median']:.0f} ms",
            f"{r['rollbacks_per_token']:.3f}",
            _percent(r["deferral_rate"]),
        )
    console.print(table)
    for name, floor in document["noise_floor"].items():
        console.print(f"{name}: {floor['flips']} of {floor['places']} tokens differ between one pass and step by step", highlight=False)
    area = document["auroc"]
    console.print(
        f"the models differ at {document['disagreement']:.1%} of the places; the margin tells them apart with an AUROC of "
        + ("–" if area is None else f"{area:.3f}"),
        highlight=False,
    )
    console.print(f"registered thresholds: {sum(r['met'] for r in document['registered'])} of {len(document['registered'])} met", highlight=False)


def generate(
    prompt: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL.gguf] [PROMPT]",
            help="What to answer; - reads it from standard input. A .gguf file before it is the model, "
            "which without a prompt answers the first one of the package.",
        ),
    ] = None,
    second: Annotated[str | None, typer.Argument(hidden=True)] = None,
    model: Annotated[str, typer.Option(metavar="MODEL", help="`smollm2` or a .gguf file; codes are made from its weights.")] = "smollm2",
    base: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="The coarse code: q4 (Q4_0), q4_1, q4_k, q5_0, q6_k, q8 (Q8_0), shipped, or a .gguf file (default: q4; with --compare what it measures).",
        ),
    ] = None,
    refine: Annotated[str | None, typer.Option(metavar="CODE", help="The finer code, named alike (default: q8).")] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="draft|margin|verify-all",
            help="draft: the finer model's text, both codes in memory, drafts where they pay. For a finer code that is read from the disk, windows: margin checks the tokens "
            "that the coarse model was unsure of, verify-all every one. (Default: draft, or margin where an option of windows is given.)",
        ),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="Draw tokens, from the logits over T (default with another option of drawing: 1).")
    ] = None,
    top_k: Annotated[int | None, typer.Option(metavar="K", help="Draw from the K likeliest tokens.")] = None,
    top_p: Annotated[float | None, typer.Option(metavar="P", help="Draw from the fewest likeliest tokens that have the probability P together.")] = None,
    min_p: Annotated[float | None, typer.Option(metavar="P", help="Draw from the tokens with at least P times the probability of the likeliest.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of the draws (default: 0).")] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="shared|resample",
            help="shared: the text of the finer model alone with that seed; resample: accept a draft or draw again, the same distribution.",
        ),
    ] = None,
    length: Annotated[int | None, typer.Option(metavar="N", help="Tokens of a draft, 1 to 12 (default: what pays).")] = None,
    tau: Annotated[
        float | None, typer.Option(metavar="T", help="Mode margin checks the tokens whose logit lies less than T above the next (default: 1).")
    ] = None,
    window: Annotated[int | None, typer.Option(metavar="W", help="Windows: tokens between two checks (default: 32).")] = None,
    again: Annotated[
        int | None, typer.Option(metavar="N", help="Windows: where the finer model's token differs, how often the rest is read again (default: 0).")
    ] = None,
    overlap: Annotated[bool, typer.Option("--overlap", help="Windows: go on writing while a check lasts.")] = False,
    tokens: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="The prompt as token numbers, with commas or spaces between them, instead of text.")
    ] = None,
    most: Annotated[int | None, typer.Option(metavar="N", help="Most tokens of an answer (default: 64, or what the model's context leaves).")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Continue the text as it is, without the marks of a chat.")] = False,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads (default: 1; --compare of drafts: 1, then 2).")] = None,
    cold: Annotated[bool, typer.Option("--cold", help="Windows: drop the finer file from the system's cache first.")] = False,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Windows: write what happened; `gnosis verify FILE` does it again.")] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Measure drafts against the finer model alone; with an option of windows, those against both models alone.")
    ] = False,
    calibrate: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="Windows: choose τ so that texts differ with probability at most 1 − LEVEL, and test it on other prompts."),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A prompt a line, for --compare and --calibrate (default: those of the package).")
    ] = None,
    take: Annotated[int | None, typer.Option(metavar="N", help="How many prompts --compare uses (default: 20; of windows 8); --calibrate uses all.")] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="PAGE.md",
            help="With --compare: write a page with plots, and the numbers beside it; with --mode draft, put the figures between the marks of a page.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, and no line about the answer behind it.")] = False,
) -> None:
    """Write a finer model's text, a coarse one drafting; or have the coarse one write and the finer one check window by window.

    Exit codes: 0; 2 for input that cannot be used.
    """
    from ..errors import ArgumentError
    from ..files.inputs import read_lines
    from ..files.pages import PageError, parts
    from ..inference.deferred import open_pair
    from ..models.files import ModelError
    from ..studies.deferred import builtin_prompts

    note = Console(stderr=True)
    try:
        of_windows = {
            "tau": tau,
            "window": window,
            "again": again,
            "overlap": overlap or None,
            "cold": cold or None,
            "record": record,
            "calibrate": calibrate,
            "write": None if mode == "draft" else write,
        }
        of_drafts = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed, "noise": noise, "length": length}
        free, mode = mode is None and not any(value is not None for value in of_drafts.values()), _mode(mode, of_windows, of_drafts)
        sampling = drafts.sampling_of(temperature, top_k, top_p, min_p, seed, noise)
        if prompt is not None and prompt.lower().endswith(".gguf"):
            if model != "smollm2":
                raise ArgumentError("model", model, f"the model is {prompt}, which stands first")
            model, prompt, second = prompt, second, None
            if prompt is None and tokens is None and not compare and calibrate is None:
                prompt = builtin_prompts()[0]
        if second is not None:
            raise ArgumentError("prompt", second, "one prompt is taken; before it only the name of a .gguf file")
        if prompt is not None and tokens is not None:
            raise ArgumentError("tokens", tokens, "is given instead of a prompt")
        asked: str | list[int] | None = _numbers(tokens) if tokens is not None else prompt
        if (asked is not None) == (compare or calibrate is not None):
            raise ArgumentError("prompt", prompt, "give a prompt, or --compare or --calibrate or both")
        if record is not None and asked is None:
            raise ArgumentError("record", str(record), "goes with a prompt")
        if prompts is not None and asked is not None:
            raise ArgumentError("prompts", str(prompts), "goes with --compare and --calibrate")
        if write is not None and (not compare or write.suffix != ".md"):
            raise ArgumentError("write", str(write), "goes with --compare, and the page must end in .md")
        beside = {} if write is None or mode == "draft" else dict(zip(("--write, plot", "--write, numbers"), parts(write)))
        outputs = {"--record": record, "--write": write, **beside}
        check_outputs(outputs, new=["--record"], inputs=[prompts] if prompts else [])
        if beside:
            check_extra("--write", "matplotlib", "plots")
        texts = None if prompts is None else [line for line in read_lines(prompts, "prompts") if line.strip()]
        if asked == "-" and sys.stdin is None:
            raise ArgumentError("prompt", asked, "standard input is closed")
        if asked == "-":
            asked = sys.stdin.read()
        many = 64 if most is None else most
        if mode == "draft" and compare:
            drafts.compare(
                model, base, refine, texts, raw, 20 if take is None else take, many, [1, 2] if threads is None else [threads], sampling, as_json, quiet, write
            )
            return
        base, refine, threads = base or "q4", refine or "q8", 1 if threads is None else threads
        if mode == "draft" and free and drafts.has_experts(model, refine):
            mode = "verify-all"  # which the engine does not run; the same text
        if mode == "draft":
            drafts.answer(model, base, refine, asked or "", raw, most, threads, length, sampling, as_json, quiet)
            return
        window = 32 if window is None else window
        policy = _policy(mode, tau, window, again or 0, overlap)
        with progress("opening both codes", quiet):
            pair = open_pair(model, base, refine, threads)
        check_outputs(outputs, inputs=[Path(model), *pair.files])
        if cold:
            pair.forget()
        if asked is not None:
            _answer(pair, asked, raw, policy, most, record, as_json, quiet)
        elif compare:
            _compare(pair, model, texts, raw, 8 if take is None else take, many, 1.0 if tau is None else tau, window, calibrate, write, as_json, quiet, note)
        else:
            _calibrate(pair, texts, raw, calibrate or "", many, window, as_json, quiet, note)
    except (ModelError, ArgumentError, PageError, OSError, UnicodeDecodeError) as error:
        raise fail(f"error: {error}") from None


def _answer(pair: Pair, asked: str | list[int], raw: bool, policy: Policy, most: int | None, record: Path | None, as_json: bool, quiet: bool) -> None:
    from ..errors import ArgumentError
    from ..inference.deferred import generate as run
    from ..inference.deferred import record as records

    (tokens,) = tokens_of(pair.coarse, [asked], raw) if isinstance(asked, str) else (asked,)
    if not tokens:
        raise ArgumentError("prompt", asked, "there is no token in it")
    if most is None:
        most = max(1, min(64, pair.coarse.config.context - len(tokens)))
    spoken = Spoken(pair.coarse.tokenizer, as_json)
    answer = (
        run(pair, tokens, policy, most, lambda new, check: spoken.heard(new))
        if record is None
        else records.write(record, pair, tokens, policy, most, lambda new, check: spoken.heard(new))
    )
    n = len(answer.tokens)
    if as_json:
        print(
            json.dumps(
                {
                    "v": 1,
                    "text": spoken.text(),
                    "tokens": answer.tokens,
                    "margins": answer.margins,
                    "policy": asdict(policy),
                    "drafted": answer.drafted,
                    "deferred": answer.deferred,
                    "rollbacks": answer.flips,
                    "checks": [asdict(c) for c in answer.checks],
                    "ended": answer.ended,
                    "routing": _routing(pair),
                    "bytes_read": answer.read,
                    "seconds": answer.seconds,
                    "tokens_per_s": n / answer.seconds,
                },
                ensure_ascii=False,
            )
        )
        return
    spoken.end()
    if quiet:
        return
    Console(stderr=True).print(
        f"{n} tokens in {answer.seconds:.1f} s; {answer.drafted} drafted, {answer.deferred} deferred, {len(answer.checks)} checks, {answer.flips} rollbacks; "
        f"{answer.read / n / 1e6:.1f} MB of finer weights a token ({pair.fine_bytes / 1e6:.1f} MB without the coarse model)",
        highlight=False,
        soft_wrap=True,
    )
    for name, counts in (_routing(pair) or {}).items():
        Console(stderr=True).print(
            f"experts of the {name} model: chosen {counts['decided']} times, {counts['certified']} of these certified to be those of the exact scores",
            highlight=False,
            soft_wrap=True,
        )


def _routing(pair: Pair) -> dict[str, dict[str, int]] | None:
    """How often experts were chosen and how often that was certified; None for models without experts."""
    if not pair.fine.config.experts:
        return None
    return {name: asdict(model.routing) for name, model in (("coarse", pair.coarse), ("finer", pair.fine))}


def _command(pair: Pair, take: int, most: int, tau: float, window: int, level: str | None, write: Path | None) -> str:
    """What to type for the same comparison."""
    model, base, refine = pair.named
    options = [
        ("--model", model, "smollm2"),
        ("--base", base, "q4"),
        ("--refine", refine, "q8"),
        ("--take", take, 8),
        ("--most", most, 64),
        ("--tau", tau, 1.0),
        ("--window", window, 32),
        ("--threads", pair.coarse.threads, 1),
        ("--calibrate", level, None),
        ("--write", write, None),
    ]
    return " ".join(["gnosis generate --compare --mode margin", *(f"{name} {value}" for name, value, default in options if value != default)])


def _compare(
    pair: Pair,
    model: str,
    texts: list[str] | None,
    raw: bool,
    take: int,
    most: int,
    tau: float,
    window: int,
    level: str | None,
    write: Path | None,
    as_json: bool,
    quiet: bool,
    note: Console,
) -> None:
    from ..errors import RangeError
    from ..inference.deferred.pair import match
    from ..lm import Model
    from ..studies import deferred as study
    from ..studies import deferred_page as page

    if take < 1:
        raise RangeError("take", take, "must be at least 1")
    every = texts if texts is not None else study.builtin_prompts()
    chosen = every[:take]
    judge = Model.load(model, "blas")
    match(judge, pair.coarse, f"{model}, which is the judge, and {pair.files[0]}")
    with progress("models", quiet) as show:
        document = study.compare(pair, judge, tokens_of(pair.coarse, chosen, raw), _policies(tau, window), most, progress=show)
        calibrated = None if level is None else study.calibration(pair, tokens_of(pair.coarse, every, raw), level, window, most, show)
    document = {
        "v": 1,
        "prompts": len(chosen),
        "most": most,
        "files": [path.name for path in pair.files],
        "command": _command(pair, take, most, tau, window, level, write),
        "calibration": calibrated,
        **document,
    }
    if write is not None:
        for path in page.write(document, write):
            note.print(f"wrote {path}", markup=False, soft_wrap=True)
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        render(document, screen(width=130))  # in a file no row need break
        if calibrated is not None:
            _say_calibrated(calibrated, Console())


def _calibrate(pair: Pair, texts: list[str] | None, raw: bool, level: str, most: int, window: int, as_json: bool, quiet: bool, note: Console) -> None:
    from ..studies import deferred as study

    tokens = tokens_of(pair.coarse, texts if texts is not None else study.builtin_prompts(), raw)
    with progress("models", quiet) as show:
        document = study.calibration(pair, tokens, level, window, most, show)
    if as_json:
        print(json.dumps({"v": 1, **document}, ensure_ascii=False))
        return
    _say_calibrated(document, Console())


def _say_calibrated(document: dict[str, Any], console: Console) -> None:
    from ..risk.held_out import expected

    held = document["held_out"]
    console.print(
        f"τ = {document['tau']:.4g}: the {document['rank']}-th of {document['calibrated']} scores, at level {document['level']}; margin as a sign of disagreement: AUROC "
        + ("–" if document["auroc"] is None else f"{document['auroc']:.3f}"),
        highlight=False,
    )
    console.print(
        f"stated: another text than the finer model's with probability at most {document['stated']:.3f}; measured on {held['prompts']} other prompts: "
        f"{held['differ']}; up to {expected([(document['calibrated'], document['rank'], held['prompts'])])[1]} in 97.5 % of draws of τ and prompts; this τ alone: 95 % interval "
        f"{held['interval95'][0]:.3f} to {held['interval95'][1]:.3f}",
        highlight=False,
    )
    console.print(f"deferred at this τ: {_percent(document['deferred'])} of the places", highlight=False)
