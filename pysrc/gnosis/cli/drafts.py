"""`gnosis generate` in mode draft: the finer model's text on the engine, drafted by a coarse one where that pays."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ..files.screen import progress, screen
from ..files.tables import Sheet
from .spoken import Spoken

if TYPE_CHECKING:
    from ..inference.deferred.sampling import Sampling
    from ..lm import Model


CALIBRATION = 48  # the first of the built-in prompts with whose answers drafters are calibrated; those before it are measured


def sampling_of(temperature: float | None, top_k: int | None, top_p: float | None, min_p: float | None, seed: int | None, noise: str | None) -> Sampling | None:
    """None where no option of sampling is given; temperature 1 and seed 0 where others are.  ArgumentError."""
    from ..inference.deferred.sampling import Sampling

    given = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed, "noise": noise}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return Sampling(**chosen) if chosen else None


def has_experts(model: str, refine: str) -> bool:
    """Whether the finer model is one that the engine does not run.  ModelError, OSError."""
    from ..inference.deferred.pair import file_of
    from ..lm import Model

    return Model.load(str(file_of(model, refine))).config.experts > 0


def tokens_of(model: Model, texts: list[str], raw: bool) -> list[list[int]]:
    """Prompts as tokens: with the marks of a chat, or as they are."""
    tokenizer = model.tokenizer
    return [[*tokenizer.opening(), *tokenizer.encode(text)] if raw else tokenizer.chat(text) for text in texts]


def answer(
    model: str,
    base: str,
    refine: str,
    asked: str | list[int],
    raw: bool,
    most: int | None,
    threads: int,
    length: int | None,
    sampling: Sampling | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the answer and what it took."""
    from ..errors import ArgumentError
    from ..inference.deferred.draft import open_drafter

    with progress("opening both codes", quiet):
        drafter = open_drafter(model, base, refine, threads, length)
    with closing(drafter):
        config, tokenizer = drafter.fine.config, drafter.fine.model.tokenizer
        (tokens,) = tokens_of(drafter.fine.model, [asked], raw) if isinstance(asked, str) else (asked,)
        if not tokens:
            raise ArgumentError("prompt", asked, "there is no token in it")
        if most is None:
            most = max(1, min(64, config.context - len(tokens)))
        spoken = Spoken(tokenizer, as_json)
        found = drafter.write(tokens, most, sampling, spoken.heard)
        says = drafter.worth.says()
    n, seconds = len(found.tokens), found.prompt_seconds + found.seconds
    if as_json:
        drawn = None if sampling is None else asdict(sampling)
        print(
            json.dumps(
                {
                    "v": 1,
                    "mode": "draft",
                    "text": spoken.text(),
                    **asdict(found),
                    "sampling": drawn,
                    "routing": None,
                    "tokens_per_s": n / seconds,
                    "says": says,
                },
                ensure_ascii=False,
            )
        )
        return
    spoken.end()
    if quiet:
        return
    Console(stderr=True).print(
        f"{n} tokens in {seconds:.1f} s; {found.drafted} drafted, {found.accepted} of these accepted, in {found.passes + 1} passes of the finer model; {says}",
        highlight=False,
        soft_wrap=True,
    )


def compare(
    model: str,
    base: str | None,
    refine: str | None,
    texts: list[str] | None,
    raw: bool,
    take: int,
    most: int,
    threads: list[int],
    sampling: Sampling | None,
    as_json: bool,
    quiet: bool,
    write: Path | None = None,
) -> None:
    """Measure drafting against the finer model alone, and print it; write: also put it between the marks of a page."""
    from ..bench.harness import processor
    from ..errors import ArgumentError, LengthError, RangeError
    from ..lm import Model
    from ..studies import drafts as study
    from ..studies import drafts_page
    from ..studies.deferred import builtin_prompts

    if write is not None:
        drafts_page.fill(write, None)
    if take < 1:
        raise RangeError("take", take, "must be at least 1")
    if texts is not None and not texts:
        raise LengthError("prompts", 0, "must not be empty")
    if sampling is not None and sampling.noise == "resample":
        raise ArgumentError("noise", "resample", "draws another text than the finer model alone; --compare takes shared noise")
    with progress("models", quiet) as show:
        about: dict[str, Any] | None
        if base is None and refine is None:
            source = Model.load(model)
            turned, about = study.source(source)
            pairs = study.coded_pairs(turned, prompts=tokens_of(turned, builtin_prompts()[CALIBRATION:], raw))
        else:
            calibration = tokens_of(Model.load(model), builtin_prompts()[CALIBRATION:], raw) if not (base or "").endswith(".gguf") else []
            about, pairs = study.chosen_pair(model, base or "q4", refine or "q8", calibration)
        every = builtin_prompts()[:CALIBRATION] if texts is None else texts
        prompts = tokens_of(pairs[0].fine, every[:take], raw)
        document = {
            "v": 1,
            "mode": "draft",
            "most": most,
            "prompts": len(prompts),
            "source": about,
            "cpu": processor(),
            **study.compare(pairs, prompts, most, threads, sampling, show),
        }
    if write is not None:
        drafts_page.fill(write, document)
    if as_json:
        print(json.dumps(document, ensure_ascii=False))
    else:
        render(document, screen(width=130))


def render(document: dict[str, Any], console: Console) -> None:
    """The result of `compare` as a table."""
    table = Sheet(
        f"{document['prompts']} prompts, at most {document['most']} tokens each",
        ["finer <- drafter", "threads"],
        ["gain", "worst", "same text", "accepted", "tokens/check", "ms/token", "alone"],
    )
    for r in document["rows"]:
        accepted = "–" if r["accepted"] is None else f"{r['accepted']:.0%}"
        same = "yes" if r["same_text"] else "NO"
        table.add_row(
            r["pair"],
            str(r["threads"]),
            f"{r['speedup_vs_finer']:.2f}",
            f"{r['speedup_worst']:.2f}",
            same,
            accepted,
            f"{r['tokens_per_check']:.2f}",
            f"{r['ms_per_token']:.2f}",
            f"{r['ms_per_token_alone']:.2f}",
        )
    console.print(table)
    for r in document["rows"]:
        console.print(f"{r['pair']}, {r['threads']} thread{'s' if r['threads'] > 1 else ''}: {r['says']}", highlight=False)
    errors = (document["source"] or {}).get("q4_1_error")
    if errors is not None:
        console.print(
            f"error of Q4_1: {errors['rotated']:.2%} of the weights that are measured, {errors['as_shipped']:.2%} of those of the file", highlight=False
        )
    if any(r["busy"] for r in document["rows"]):
        console.print(
            f"the machine was busy: load up to {max(r['load'] for r in document['rows']):.1f} on {document['processors']} processors", highlight=False
        )
