"""Writes tests/recorded_models.json and tests/recorded_tokens.json: what llama.cpp makes of the small models and vocabularies of the tests.

Run where the packages llama-cpp-python (the version of live_llama.py) and gguf are installed: record_models.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import live_llama
import numpy as np
import tiny_models
import tiny_vocabularies

KEPT = 4


def logits(folder: Path) -> dict[str, Any]:
    """Of each model, the best tokens at every place with their logits, and all logits of the last place."""
    out = {}
    for name in tiny_models.MODELS:
        found = live_llama.Llama(tiny_models.write(folder / f"{name}.gguf", name)).logits(tiny_models.text(name))
        best = np.argsort(-found, axis=1, kind="stable")[:, :KEPT]
        out[name] = {
            "best": best.tolist(),
            "logits": np.take_along_axis(found, best, 1).astype(float).round(5).tolist(),
            "last": found[-1].astype(float).round(5).tolist(),
        }
    return out


def tokens(folder: Path) -> dict[str, list[list[int]]]:
    """Of each vocabulary, the tokens of every string, with the marks that the vocabulary wants."""
    out = {}
    for name in tiny_vocabularies.VOCABULARIES:
        model = live_llama.Llama(tiny_vocabularies.write(folder / f"{name}.gguf", name), vocabulary_only=True)
        out[name] = [model.tokenize(text, beginning=True) for text in tiny_vocabularies.STRINGS]
    return out


def main() -> None:
    assert live_llama.installed(), f"needs llama-cpp-python {live_llama.VERSION}"
    here = Path(__file__)
    with tempfile.TemporaryDirectory() as folder:
        here.with_name("recorded_models.json").write_text(json.dumps(logits(Path(folder))) + "\n", encoding="utf-8")
        here.with_name("recorded_tokens.json").write_text(json.dumps(tokens(Path(folder)), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
