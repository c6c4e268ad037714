"""`gnosis studies`: the double well, the race of drafters and the layers, in one run and on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ..files.screen import progress
from .errors import fail
from .outputs import Quiet, check_extra, check_outputs
from .speculators import TextOption, sets_of, texts

MODELS = ("smollm2", "minilm")


def studies(
    write: Annotated[Path, typer.Option("--write", metavar="PAGE.md", help="The page; plots and numbers are written beside it.")],
    tokens: Annotated[int, typer.Option("--tokens", metavar="N", help="Real tokens of the race to fit on, and as many held out.")] = 960,
    layer_tokens: Annotated[int, typer.Option("--layer-tokens", metavar="N", help="Tokens of all passages for the layers.")] = 12_800,
    text: TextOption = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of everything that is drawn.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Run `gnosis basin`, `gnosis speculators` and `gnosis layers` (smollm2, minilm, synthetic) and write what they found as a page.

    Exit codes: 0; 2 for input that cannot be used.
    """
    from ..errors import ArgumentError
    from ..lm.activations import ActivationsUnavailable
    from ..models.files import ModelError, open_model
    from ..studies import basin, layers, page, speculators

    note = Console(stderr=True)
    try:
        if write.suffix != ".md":
            raise ArgumentError("write", str(write), "the page must end in .md")
        check_outputs({"--write": write, **{f"--write, {part.suffix[1:]} {part.name}": part for part in page.parts(write)}}, inputs=text or [])
        check_extra("--write", "matplotlib", "plots")
        for name in MODELS:  # minutes lie before their first use
            open_model(name)
        with progress("tiles", quiet) as show:
            sets = sets_of(0.9, tokens, seed, False, text, show)  # first: it refuses what cannot be read
            show("the double well")
            found = {"v": 1, "basin": basin.compare(seed=seed)}
            show("the race")
            found["speculators"] = speculators.study(sets, seed=seed)
            # the order of drafting changes the head's guesses alone
            found["strided"] = {name: [r for r in speculators.race(split, stride=True) if r["drafter"] == "head"] for name, split in sets.items()}
        measured = []
        for model in MODELS:
            with progress(model, quiet) as show:
                measured.append(layers.study(model, texts(text), tokens=layer_tokens, seed=seed, progress=show))
        found["layers"] = [*measured, layers.synthetic_study(seed=seed)]
        for path in page.write(found, write):
            note.print(f"wrote {path}", markup=False, soft_wrap=True)
    except (ArgumentError, ActivationsUnavailable, ModelError, OSError, ImportError, UnicodeDecodeError) as error:
        raise fail(f"error: {error}") from None
