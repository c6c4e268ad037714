"""`gnosis head`: the exact head on real positions of a language model."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet, check_outputs

PROMPT = "Explain in two sentences why the sky is blue."
SHORT = 32  # tokens of a prompt of given numbers


def head(
    positions: Annotated[int, typer.Option("--positions", min=1, help="Positions of real text to decide.")] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which passages of the text, and in which order.")] = 0,
    model: Annotated[str, typer.Option("--model", help="`smollm2`, or the path of a .gguf file of the llama architecture.")] = "smollm2",
    text: Annotated[
        list[Path] | None,
        typer.Option("--text", exists=True, dir_okay=False, help="Read this file, not the descriptions of the installed Python packages; may be repeated."),
    ] = None,
    tokens: Annotated[
        Path | None, typer.Option("--tokens", dir_okay=False, metavar="FILE", help="Read these token numbers instead of text, a document a line.")
    ] = None,
    split: Annotated[
        int | None, typer.Option("--split", min=0, help="Of the nested code: columns, of largest activation, taken with their whole code; goes with --nested.")
    ] = None,
    nested: Annotated[bool, typer.Option("--nested", help="Decide with a coarse pass over the nested code, not with a whole pass of the engine.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Also the shares of candidates under other bounds, at 200 positions at most.")] = False,
    linear: Annotated[
        str | None, typer.Option("--linear", metavar="PATTERN", help="Also run the model with matching matrices as certified products: 'blk.*.attn_q.weight'.")
    ] = None,
    gamma: Annotated[float, typer.Option("--gamma", min=0, help="For --linear: γ in units of the RMS of a product's outputs.")] = 2.0,
    record: Annotated[
        Path | None, typer.Option("--record", dir_okay=False, help="Write every decision with its activation; `gnosis verify` makes them again.")
    ] = None,
    write: Annotated[Path | None, typer.Option("--write", dir_okay=False, metavar="PAGE.md", help="Put the figures into a page, between its marks.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """The exact greedy token from one pass over the output matrix, checked on real positions.

    Exact is the product with the matrix as it is stored in Q8_0 (other codes are put into Q8_0 first): nothing is said about the weights that a code was made from.

    Exit codes: 0 every token is that of the exact product; 1 one is not; 2 the request cannot be used.
    """
    from ..bench.harness import threads
    from ..errors import ArgumentError, FloatEnvironmentError
    from ..inference import CertifiedHead, ExactHead
    from ..inference import record as records
    from ..inference.head import SPLIT
    from ..inference.reference import Reference
    from ..lm import Model, corpus
    from ..models.files import ModelError, open_model
    from ..studies import head as study
    from ..studies.head_page import PageError, fill

    note = Console(stderr=True)

    def stop(message: object, code: int = 2) -> typer.Exit:
        note.print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
        return typer.Exit(code)

    if not gamma < math.inf:
        raise fail(f"error: --gamma {gamma}: must be finite")
    given = [*(text or []), *([tokens] if tokens else [])]
    check_outputs({"--record": record, "--write": write}, inputs=given)
    try:
        if write is not None:
            fill(write, None)
        if tokens is not None and text:
            raise ArgumentError("tokens", str(tokens), "is given instead of --text")
        numbers = None if tokens is None else corpus.numbers(tokens)
        source: corpus.Text | corpus.Numbered = corpus.Text((), "") if numbers else corpus.files(text) if text else corpus.installed()
        opened = open_model(model)
        check_outputs({"--record": record, "--write": write}, inputs=opened.locals)
        lm = Model.load(model, threads=threads())
        if tokens is not None and numbers is not None:
            source = corpus.numbered(tokens, numbers, lm.config.vocabulary)
        weight = study.as_q8_0(lm.weights[lm.head_name])
        ours = CertifiedHead(weight, split) if nested or split is not None else ExactHead(weight)
        reference = Reference(weight)
        with progress("positions", quiet) as show:
            found = study.compare(ours, reference, study.hidden_states(lm, source, seed, positions), positions, show)
            result: dict[str, Any] = study.summary(ours, found, reference)
            import numpy as np

            hidden = np.concatenate(found.hidden)
            show("timing")
            some = np.linspace(0, len(hidden) - 1, min(200, len(hidden))).astype(int)
            exact = ours if isinstance(ours, ExactHead) else ExactHead(weight)
            result["error_over_bound"] = study.error_over_bound(ours, reference, hidden[some[:50]])
            result["timing"] = study.timing(weight, min(SPLIT, weight.columns) if split is None else split, reference.matrix, hidden[some])
            result["ratio_vs_blas"], result["ratio_vs_q8_pass"] = result["timing"][0]["ratio"], result["timing"][0]["ratio_vs_q8_pass"]
            if exact is ours:
                result |= {"q8_pass_wrong": found.eight, "q8_pass_wrong_share": found.eight / len(hidden)}
            prompt = lm.tokenizer.chat(PROMPT) if numbers is None else max(numbers, key=len)[:SHORT]
            result["tokens_per_second"] = study.speed(lm, exact, reference.matrix, prompt)
            result["tokens_per_second"]["exact head alone"] = 1e3 / result["timing"][0]["ours_ms"]
            if linear is not None:
                result["linear"] = study.linear(lm, linear, gamma, prompt)
            if table:
                result["table"] = study.table(weight, hidden[some], progress=show)
        sha256 = opened.sha256()
        result |= {
            "seed": seed,
            "model": {"name": model, "sha256": sha256, "matrix": lm.head_name, "encoding": lm.weights[lm.head_name].encoding},
            "text": {"documents": len(source.documents), "sha256": source.sha256},
        }
        if record is not None:
            records.write(record, ours, model, sha256, zip(found.tokens, hidden))
        if write is not None:
            fill(write, result)
            note.print(f"wrote {write}", markup=False, highlight=False)
    except (ArgumentError, ModelError, PageError, OSError, UnicodeDecodeError, FloatEnvironmentError) as error:
        raise stop(error) from None
    if as_json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        _show(result, screen())
    if result["equal"] != result["positions"]:
        raise typer.Exit(1)


def _show(r: dict[str, Any], console: Console) -> None:
    def line(name: str, value: str) -> None:
        console.print(f"{name:<22} {value}", markup=False, highlight=False, soft_wrap=True)

    per = r["per_position"]
    line("positions", f"{r['positions']}, {r['equal']} with the token of the exact product; float32 BLAS gives another at {r['blas_differs']}")
    if "true_to" in r:
        encoding = r["model"]["encoding"]
        what = "the file holds" if encoding == "Q8_0" else f"were made here of the file's {encoding}"
        line("true to", f"the {r['true_to']}: the Q8_0 weights that {what}; nothing is said about the weights before that code")
    if "q8_pass_wrong" in r:
        line("8 bits, no bound", f"another token at {r['q8_pass_wrong']} of {r['positions']} positions ({r['q8_pass_wrong_share']:.1%})")
    few, share = r["candidates"], per["candidate_share"]
    line("candidates", f"{few['mean']:.2f} of {r['shape'][0]} rows on average, {few['max']} at most; median {share['median']:.4%}")
    line("error over bound", f"{r['error_over_bound']['mean']:.3f} at a position's worst row; largest {r['error_over_bound']['max']:.3f}")
    parts = ", ".join(f"{name} {value / 1e6:.2f} MB" for name, value in r["bytes"].items() if value)
    line("bytes read", f"{r['bytes_vs_q8']:.1%} of a whole Q8_0 pass; {parts}")
    line("decided", ", ".join(f"{count} {how}" for how, count in r["decided"].items()))
    for row in r["timing"]:
        line(
            f"{row['threads']} thread" + "s" * (row["threads"] > 1),
            f"{row['ratio_vs_q8_pass']:.3f} of the processor time of a Q8_0 pass with 8-bit activations and no bound: {row['ours_cpu_ms']:.2f} ms "
            f"against {row['q8_pass_cpu_ms']:.2f} ms; nested code {row['nested_cpu_ms']:.2f} ms, float32 BLAS {row['blas_cpu_ms']:.2f} ms "
            f"({r['isa']}; {row['others']:.1f} processors at other work)",
        )
    line("tokens a second", ", ".join(f"{name} {value:.1f}" for name, value in r["tokens_per_second"].items()))
    if "linear" in r:
        x = r["linear"]
        line(
            "linear layers",
            f"{x['products']} products like {x['pattern']}: {x['admitted_share']:.1%} of {x['outputs']} outputs stay coarse "
            f"at γ = {x['gamma_over_rms']:g} RMS, {x['bytes_vs_q8']:.1%} of the bytes; "
            f"every output within its bound: {'yes' if x['every_output_within_its_bound'] else 'NO'}; "
            f"logits move by {x['logits_largest_deviation']:.3g} at most, same token at {x['same_token']:.0%} (measured, no bound)",
        )
    if "table" in r:
        shares = Sheet("Share of rows that stay candidates", ["bits", "bound"], ["mean", "p90", "error/bound", "argmax kept"])
        for row in r["table"]:
            shares.add_row(
                str(row["bits"]),
                row["bound"],
                f"{row['share']:.4f}",
                f"{row['share_p90']:.4f}",
                f"{row['tightness']:.3f}",
                f"{row['argmax_kept']} of {row['positions']}",
            )
        console.print(shares)
