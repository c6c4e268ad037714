"""`gnosis layers`: which matrices of a transformer may run from a coarse code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from ..numbers.bounds import shown_up
from .errors import fail
from .outputs import Quiet, check_extra, check_outputs
from .speculators import TextOption, texts


def layers(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="smollm2, minilm, a .gguf file of the llama architecture, or synthetic.")],
    q: Annotated[str, typer.Option("--q", metavar="Q", help="Level of the thresholds.")] = "0.99",
    gamma_multiplier: Annotated[float, typer.Option("--gamma-multiplier", metavar="M", help="γ over the RMS output of a matrix; of synthetic: γ.")] = 1.6,
    lattice: Annotated[str, typer.Option("--lattice", metavar="NAME", help="cubic or e8.")] = "e8",
    bits: Annotated[int, typer.Option("--bits", metavar="N", help="Bits a weight, 2 to 8, scales not counted.")] = 4,
    tokens: Annotated[int, typer.Option("--tokens", metavar="N", help="Tokens of all passages together; half calibrate.")] = 12_800,
    text: TextOption = None,
    numbers: Annotated[
        Path | None,
        typer.Option("--numbers", metavar="FILE", help="Token numbers instead of text, a document a line, for language models (--tokens is how many)."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of passages, split and positions.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the least multipliers.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Calibrate every matrix of a transformer on real activations, and admit those whose coarse code errs by at most γ/2.

    A refused matrix is a result, not an error.  Exit codes: 0; 2 for input that cannot be used.
    """
    from ..codes.lattice import Code
    from ..errors import ArgumentError
    from ..lm.activations import ActivationsUnavailable
    from ..models.files import ModelError
    from ..studies import layers as study

    note = Console(stderr=True)
    if model == "synthetic" and text:
        raise typer.BadParameter(f"{text[0]}: the model synthetic reads no text", param_hint="--text")
    if numbers is not None and (text or model in ("synthetic", "minilm")):
        raise typer.BadParameter(
            f"{numbers}: " + ("is given instead of --text" if text else f"the model {model} reads no token numbers"), param_hint="--numbers"
        )
    check_outputs({"--plot": plot}, inputs=[Path(model), *(text or []), *([numbers] if numbers else [])])
    if plot is not None:
        check_extra("--plot", "matplotlib", "plots")
    try:
        code = Code(lattice, bits)
        if model == "synthetic":
            document = study.synthetic_study(q, gamma_multiplier, seed=seed)
        else:
            with progress(model, quiet) as show:
                document = study.study(model, numbers or texts(text), q, gamma_multiplier, code, tokens, seed, progress=show)
        if plot is not None:
            study.draw([document], plot)
            note.print(f"wrote {plot}", markup=False, soft_wrap=True)
    except (ArgumentError, ActivationsUnavailable, ModelError, OSError, ImportError, UnicodeDecodeError) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        print(json.dumps(document, allow_nan=False))
        return
    render(document, screen())


def render(document: dict[str, Any], console: Console) -> None:
    """Print the result as a table and what follows from it."""

    def say(words: str) -> None:
        console.print(words, markup=False, highlight=False, soft_wrap=True)

    made = Sheet("", ["matrix"], ["weights", "least\nmultiplier", "admitted", "held out\nbeyond γ/2", "\nand admitted (95 %)"], (0, 1, 2, 3))
    for r in document["rows"]:
        made.add_row(
            r["name"],
            f"{r['weights']:,}",
            "–" if r["least_multiplier"] is None else f"{r['least_multiplier']:.3f}",
            "yes" if r["admitted"] else "no",
            f"{r['above_half']} of {r['lies']['of']}",
            f"{r['lies']['count']} ({r['lies']['low']:.1%}–{r['lies']['high']:.1%})",
        )
    console.print(made)
    s, first = document["summary"], document["rows"][0]
    code = document["code"]
    if code is not None:
        say(
            f"code: {code['lattice']}, {code['bits_per_weight']:g} bits a weight; γ = {document['gamma_multiplier']:g} × RMS of the matrix's exact outputs, set by us"
        )
    say("true to: products with the weights that the file decodes to; nothing is said about the weights before the file's own code")
    say(f"calibrated on {first['calibration']}, tried on {first['lies']['of']}: {document['about']['unit']}")
    inside = "" if s["compute_admitted_in_layers"] is None else f" ({s['compute_admitted_in_layers']:.1%} of that inside the layers)"
    say(f"{s['admitted']} of {s['matrices']} matrices admitted: {s['compute_admitted']:.1%} of the compute, weights × positions{inside}")
    say(
        f"certified of each admitted matrix: wrong and admitted at most {shown_up(s['rate'], 5, percent=True)} ({document['theorem']}); most measured {s['most_lies']:.2%}"
    )
    say(
        f"certified of all {s['matrices']} matrices together: some wrong and admitted at most {shown_up(s['rate_of_all'], 5, percent=True)} ({document['theorem_of_all']})"
    )
    say(f"held-out positions at which some admitted matrix is wrong: {s['any_lie']['count']} of {s['any_lie']['of']}")
    say("refused: " + (", ".join(s["refused"]) or "none"))
