"""`gnosis speculators`: four drafters and the gate that says which of their guesses may stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import Show, progress, screen
from ..files.tables import Sheet
from .errors import fail
from .outputs import Quiet, check_extra, check_outputs

if TYPE_CHECKING:
    from ..lm.corpus import Text
    from ..studies.tiles import Split

TextOption = Annotated[
    list[Path] | None, typer.Option("--text", metavar="FILE", help="Text to read; repeated, more documents.  Otherwise the installed packages' descriptions.")
]


def texts(paths: list[Path] | None) -> Text:
    """The text of files, or of the installed descriptions.  OSError, UnicodeDecodeError, EmptyError."""
    from ..lm import corpus

    return corpus.files(paths) if paths else corpus.installed()


def sets_of(rho: float, tokens: int, seed: int, synthetic_only: bool, text: list[Path] | None, show: Show) -> dict[str, Split]:
    """The tiles of a run, by the name of their set.  ArgumentError, ModelError, OSError."""
    from ..lm import Model
    from ..studies import tiles

    sets = {"AR(1)": tiles.autoregressive(16, 8, rho, seed)}
    if not synthetic_only:
        show("smollm2 reads")
        source = texts(text)
        found = tiles.of_model(Model.load("smollm2", "blas"), source, tokens, seed)
        sets |= {f"smollm2 {name}": split for name, split in found.items()}
    return sets


def speculators(
    multiplier: Annotated[float, typer.Option(metavar="M", help="γ over the RMS residual of the cubic code.")] = 2.0,
    stride: Annotated[bool, typer.Option("--stride", help="Draft the tokens of a window in steps of 11.")] = False,
    seed: Annotated[int, typer.Option(metavar="S", help="Of tiles, text, heads and splits.")] = 0,
    rho: Annotated[float, typer.Option(metavar="R", help="Correlation of synthetic neighbours.")] = 0.9,
    tokens: Annotated[int, typer.Option(metavar="N", help="Real tokens to fit on, and as many held out.")] = 960,
    synthetic_only: Annotated[bool, typer.Option("--synthetic-only", help="Leave the language model out.")] = False,
    text: TextOption = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the race.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Race four drafters on correlated synthetic tiles and on real keys and values; the energy gate decides which guesses stand.

    Also: two estimates of a residual that do without the truth, and how a conformal and a Gaussian threshold transfer.
    Exit codes: 0; 2 for input that cannot be used.
    """
    from ..errors import ArgumentError
    from ..models.files import ModelError
    from ..studies import speculators as study

    note = Console(stderr=True)
    check_outputs({"--plot": plot}, inputs=text or [])
    if plot is not None:
        check_extra("--plot", "matplotlib", "plots")
    try:
        with progress("tiles", quiet) as show:
            sets = sets_of(rho, tokens, seed, synthetic_only, text, show)
            show("racing")
            document = study.study(sets, multiplier, stride, seed)
        if plot is not None:
            study.draw(document, plot)
            note.print(f"wrote {plot}", markup=False, soft_wrap=True)
    except (ArgumentError, ModelError, OSError, ImportError, UnicodeDecodeError) as error:
        raise fail(f"error: {error}") from None
    if as_json:
        print(json.dumps(document, allow_nan=False))
        return
    render(document, screen())


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def render(document: dict[str, Any], console: Console) -> None:
    """Print the result as tables."""

    def say(words: str) -> None:
        console.print(words, markup=False, highlight=False, soft_wrap=True)

    say(f"γ = {document['multiplier']:g} × the cubic RMS residual of the training tiles; {'steps of 11' if document['stride'] else 'tokens in their order'}")
    say("steps and errors are over the RMS of the training tiles")
    for name, found in document["sets"].items():
        say(f"\n{name}: {found['about']['of']}; {found['tiles']['train']} tiles to fit on, {found['tiles']['held']} held out")
        made = Sheet("step and drafter", [""], ["admitted", "recomputed", "RMSE", "shipped", "effective", "head's weights:\nown, left, right"])
        for r in found["race"]:
            made.add_row(
                f"{r['step']:<4g} {r['drafter']}",
                f"{r['accept']:.1%}",
                f"{1 - r['accept']:.1%}",
                f"{r['rmse']:.4f}",
                _number(r["shipped_rmse"], ".4f"),
                f"{r['effective_rmse']:.4f}",
                ", ".join(f"{b:.3f}" for b in r["beta"][:3]) if r["beta"] else "",
            )
        console.print(made)
        made = Sheet(
            "estimates without the truth: correlation with the residual", ["step"], ["jackknife", "within\nsequences", "committee", "within\nsequences"]
        )
        for e in found["estimators"]:
            made.add_row(f"{e['step']:g}", *(_number(e[key], "+.3f") for key in ("jackknife", "jackknife_within", "committee", "committee_within")))
        console.print(made)
        for kind, title in (("mixed", "thresholds, held-out tiles in random halves"), ("apart", "thresholds, from training tiles to held-out ones")):
            _transfer(title, found["transfer"][kind], console)
    _transfer("thresholds on lognormal scores, σ = 0.8", document["heavy_tails"], console)


def _transfer(title: str, rows: list[dict[str, Any]], console: Console) -> None:
    made = Sheet(title, ["level"], ["wanted", "conformal", "over\nwanted", "Gaussian", "over\nwanted"])
    for r in rows:
        made.add_row(
            r["level"],
            f"{r['target']:.1%}",
            "–" if r["conformal"] is None else f"{r['conformal']['share']:.2%}",
            _number(r["conformal_factor"], ".2f"),
            f"{r['gaussian']['share']:.2%}",
            f"{r['gaussian_factor']:.2f}",
        )
    console.print(made)
