"""How far the engine's arithmetic is from the reference path, for each code: hidden states, logits, likeliest tokens, KL divergence."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from ..core import engine as kernel
from ..engine import Engine
from ..errors import RangeError
from ..lm import MATRICES, Model
from ..lm.corpus import installed, passages
from ..lm.equivalent import coded
from ..numbers.exact import is_integer

CODES = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1", "F16", "BF16", "F32")  # those that gguf writes
PASSAGE = 128  # tokens read together


def distances(name: str = "smollm2", tokens: int = 256, codes: tuple[str, ...] = CODES) -> dict[str, Any]:
    """The matrices of the layers in each code, and the engine with 16 and 8 bits against the reference path on one text, that of the installed packages.

    tokens: of the text, a multiple of 128.  Returns {"isa", "tokens", "rows": [{"code", "bits", "hidden", "logits", "same_token", "kl"}]}:
    hidden: norm of the difference over the norm, of all hidden states; logits: the largest difference; same_token: share of positions with the
    same likeliest token; kl: mean Kullback–Leibler divergence of the next token in nats.  RangeError, ModelError.
    """
    if not is_integer(tokens) or tokens < PASSAGE or tokens % PASSAGE:
        raise RangeError("tokens", tokens, f"must be a multiple of {PASSAGE}")
    source = Model.load(name, "blas")
    ids = list(islice(passages(installed(), source.tokenizer, PASSAGE, np.random.default_rng(0)), tokens // PASSAGE))
    matrices = {at: weight for at, weight in source.weights.items() if at.split(".")[-2] in MATRICES}
    decoded = {at: weight.decoded() for at, weight in matrices.items()}
    rows = []
    for code in codes:
        model = source.with_weights({at: coded(at, decoded[at], code) for at, weight in matrices.items()})
        reference = [model.prefill(part, model.cache(PASSAGE), "all") for part in ids]
        for bits in (16, 8):
            with Engine.of_model(model, bits) as engine:
                ours = [engine.prefill(part, engine.cache(PASSAGE), "all") for part in ids]
            rows.append(
                {
                    "code": code,
                    "bits": bits,
                    **_distance(*(np.concatenate([getattr(step, what) for step in side]) for what in ("hidden", "logits") for side in (ours, reference))),
                }
            )
    return {"isa": kernel.isa(), "tokens": tokens, "rows": rows}


def _distance(hidden: np.ndarray, hidden_there: np.ndarray, logits: np.ndarray, logits_there: np.ndarray) -> dict[str, float]:
    chance, chance_there = (_logarithms(x) for x in (logits, logits_there))
    return {
        "hidden": float(np.linalg.norm(hidden - hidden_there) / np.linalg.norm(hidden_there)),
        "logits": float(np.abs(logits - logits_there).max()),
        "same_token": float((logits.argmax(axis=1) == logits_there.argmax(axis=1)).mean()),
        "kl": float((np.exp(chance_there) * (chance_there - chance)).sum(axis=1).mean()),
    }


def _logarithms(logits: np.ndarray) -> np.ndarray:
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    return np.asarray(wide - np.log(np.exp(wide).sum(axis=1, keepdims=True)))


def markdown(found: dict[str, Any]) -> str:
    """The table of `docs/engine.md`."""
    lines = ["| code | bits | hidden states | logits | same token | KL |", "|---|---:|---:|---:|---:|---:|"]
    lines += [f"| {r['code']} | {r['bits']} | {r['hidden']:.2e} | {r['logits']:.2e} | {r['same_token']:.1%} | {max(0.0, r['kl']):.1e} |" for r in found["rows"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(markdown(distances()), end="")
