"""What reaches each matrix of a model when it reads a text: real activations, at some positions of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ArgumentError, RangeError
from ..files.inputs import read_lines
from ..files.remote import Place, told
from ..lm import corpus
from ..lm.activations import PASSAGES, ActivationsUnavailable, minilm_activations, token_ids
from ..models.files import Model
from ..models.headers import ModelError
from .report import Activations
from .settings import Settings

if TYPE_CHECKING:
    from ..lm import Model as Language

# Activations by tensor name, float32[positions, columns].
Inputs = dict[str, np.ndarray]

MOST_TOKENS = 512  # of a passage; MiniLM knows no further positions


def passages(text: Place | None) -> tuple[str, ...]:
    """The passages to read: the built-in ones, or the lines of a file that hold more than blanks.  Raises ModelError."""
    if text is None:
        return PASSAGES
    try:
        lines = tuple(line.strip() for line in read_lines(text, "text") if line.strip())
    except OSError as error:
        raise ModelError(told(text, error)) from None
    except ArgumentError as error:
        raise ModelError(f"{text}: {error}") from None
    if not lines:
        raise ModelError(f"{text}: the text is empty")
    return lines


def model_inputs(
    model: Model, settings: Settings, text: Place | None = None, wanted: bool | None = None, numbers: Place | None = None
) -> tuple[Inputs, Activations]:
    """Inputs of the matrices by tensor name where they can be had, and the label that goes into the report.

    text: a file, one passage a line; None: the built-in passages.  wanted: None for real activations where the model is one that is
    built in; True for any language model that `gnosis.lm` can run; False for none.  numbers: in place of a text a file of token numbers, a passage a line, for
    a language model; nothing is put before them.
    The positions are drawn with the seed from all positions of the text.
    Raises ModelError (the text, the numbers; True and a model that cannot be run).
    """
    try:
        given = None if numbers is None else corpus.numbers(numbers)
    except (OSError, ArgumentError) as error:
        raise ModelError(f"{numbers}: {error}") from None
    if given is not None and model.name == "minilm":
        raise ModelError(f"{numbers}: token numbers are for language models; minilm reads text")
    read = passages(text) if given is None else tuple(" ".join(map(str, ids)) for ids in given)
    digest = hashlib.sha256("\n".join(read).encode()).hexdigest()

    def none(reason: str) -> tuple[Inputs, Activations]:
        if wanted:
            raise ModelError(f"{model.path}: no activations: {reason}")
        return {}, Activations(real=False, source="unit energy", text_sha256=None, passages=0, tokens=0, positions=0, head=None, reason=reason)

    if wanted is False or settings.positions == 0:
        wanted = None
        return none("not asked for")
    if model.name != "minilm" and not (model.name == "smollm2" or (wanted and model.format == "gguf")):
        return none("real activations are built in for minilm and smollm2; --activations runs any llama-style GGUF file")
    try:
        if model.name == "minilm":
            tokens = [ids[:MOST_TOKENS] for ids in token_ids(read)]
        else:
            from ..lm import Model as LanguageModel

            language = LanguageModel.of_file(model, threads=2)
            most = min(MOST_TOKENS, language.config.context)
            if given is not None and numbers is not None:
                corpus.known(numbers, given, language.config.vocabulary)
                tokens = [ids[:most] for ids in given]
            else:
                tokens = [[*language.tokenizer.opening(), *language.tokenizer.encode(passage)][:most] for passage in read]
    except ActivationsUnavailable as error:
        return none(str(error))
    except RangeError as error:
        raise ModelError(str(error)) from None
    except ModelError as error:
        return none(str(error).removeprefix(f"{model.path}: "))
    tokens = [ids for ids in tokens if len(ids)]
    count = sum(map(len, tokens))
    rng = np.random.default_rng([settings.seed, 1])
    picked = np.sort(rng.choice(count, min(count, settings.positions), replace=False))
    head = None
    if model.name == "minilm":
        found = {name: np.ascontiguousarray(values[picked]) for name, values in minilm_activations(model, tokens).items()}
        source = "inputs of each attention and FFN matrix in a float32 forward pass over the text"
    else:
        found, head = _language_inputs(language, tokens, picked), language.head_name
        source = "inputs of each matrix, the head included, in a float32 forward pass over the text"
    return found, Activations(real=True, source=source, text_sha256=digest, passages=len(tokens), tokens=count, positions=len(picked), head=head, reason=None)


def _language_inputs(language: Language, tokens: list[list[int]], picked: np.ndarray) -> Inputs:
    """Inputs of the matrices of a language model at some positions, counted through all passages."""
    found: dict[str, list[np.ndarray]] = {}
    start = 0
    for ids in tokens:
        own = picked[(picked >= start) & (picked < start + len(ids))] - start
        start += len(ids)
        last: tuple[np.ndarray, np.ndarray] | None = None

        def hook(name: str, x: np.ndarray) -> None:
            nonlocal last
            if not name.endswith(".weight"):
                return
            if last is None or last[0] is not x:  # several matrices take the same input
                last = x, x[own]
            found.setdefault(name, []).append(last[1])

        if len(own):
            step = language.prefill(ids, language.cache(len(ids)), "none", hook)
            found.setdefault(language.head_name, []).append(step.hidden[own])
    return {name: np.concatenate(parts) for name, parts in found.items()}
