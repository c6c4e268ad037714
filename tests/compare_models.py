"""Prints how far the logits of `gnosis.lm` are from those recorded from llama.cpp, for the small models and, where it is installed, for gemma3.

Run: .venv/bin/python tests/compare_models.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import tiny_models

from gnosis.lm import Model
from gnosis.models import packages

HERE = Path(__file__)


def compared(model: Model, tokens: list[int], recorded: dict[str, Any]) -> tuple[float, int, int]:
    """The largest difference of a recorded logit, places with the same best token, places."""
    logits, best = model.prefill(tokens, model.cache(len(tokens)), "all").logits, np.array(recorded["best"])
    assert logits is not None
    return float(np.abs(np.take_along_axis(logits, best, 1) - recorded["logits"]).max()), int((logits.argmax(axis=1) == best[:, 0]).sum()), len(tokens)


def main() -> None:
    recorded = json.loads(HERE.with_name("recorded_models.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name in tiny_models.MODELS:
            model = Model.load(str(tiny_models.write(Path(folder, f"{name}.gguf"), name)))
            far, same, places = compared(model, tiny_models.text(name), recorded[name])
            routing = f"; {model.routing.certified} of {model.routing.decided} choices of experts certified" if model.config.experts else ""
            print(f"{name:<18} {far:.1e}  {same}/{places} best tokens{routing}")
    if packages.where(packages.PACKAGES["gemma3"]) is not None:
        gemma = Model.load("gemma3", threads=2)
        for case in json.loads(HERE.with_name("recorded_gemma3.json").read_text(encoding="utf-8")):
            far, same, places = compared(gemma, case["tokens"], case)
            print(f"gemma3 {case['text'][:12]!r:<15} {far:.1e}  {same}/{places} best tokens")


if __name__ == "__main__":
    main()
