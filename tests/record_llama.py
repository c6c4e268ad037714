"""Writes tests/recorded_llama.json: tokens and logits of SmolLM2 by llama.cpp, which the tests hold `gnosis.lm` against.

Run where the package cyllama 0.2.18 is installed, with the model written out in float32 (its decoded weights, so that llama.cpp
rounds no activation to a byte code): record_llama.py MODEL-F32.gguf
"""

import json
import sys
from pathlib import Path

import cyllama.llama.llama_cpp as llama
import numpy as np

VOCABULARY, KEPT = 49152, 4
TEXTS = (
    "The Python programming language is an interpreted, high-level language that was first released in 1991. Its design emphasizes code "
    "readability,  in 12345 lines\n\n\tof code; naïve café — 你好!",
    "Once upon a time there was a small village",
    "<|im_start|>user\nName three metals.<|im_end|>\n<|im_start|>assistant\n",
)


class Model(llama.LlamaModel):
    n_vocab = VOCABULARY  # which this release asks the wrong object for


def main(path: str) -> None:
    llama.llama_backend_init()
    model = Model(path, llama.LlamaModelParams())
    out = []
    for text in TEXTS:
        tokens = list(model.get_vocab().tokenize(text, False, True))
        params = llama.LlamaContextParams()
        params.n_ctx, params.n_threads, params.n_threads_batch, params.type_k, params.type_v, params.flash_attn_type = 256, 1, 1, 0, 0, 0
        context = llama.LlamaContext(model, params)
        batch = llama.LlamaBatch(n_tokens=len(tokens), embd=0, n_seq_max=1)
        batch.set_batch(tokens, 0, True)
        context.decode(batch)
        logits = np.array([context.get_logits_ith(i) for i in range(len(tokens))])
        best = np.argsort(-logits, axis=1)[:, :KEPT]
        out.append({"text": text, "tokens": tokens, "best": best.tolist(), "logits": np.take_along_axis(logits, best, 1).round(5).tolist()})
    Path(__file__).with_name("recorded_llama.json").write_text(json.dumps(out, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
