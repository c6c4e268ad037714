"""Writes tests/recorded_gemma3.json: tokens and logits of Gemma 3 270M by llama.cpp, which the opt-in test holds `gnosis.lm` against.

Run where llama-cpp-python (the version of live_llama.py) and the model are installed (gnosis models --install --also gemma3): record_gemma.py
The model is written out in float32, its decoded weights, so that llama.cpp rounds no activation to a byte code (1.1 GB in a temporary folder).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import gguf
import live_llama
import numpy as np

from gnosis.models.files import open_model

KEPT = 4
TEXTS = ("The capital of France is", "def fibonacci(n):\n    if n < 2:\n        return n\n    return", "Zwei  naïve Füchse — 你好, 12345!\n\n\t<b>bold</b>")
WRITTEN = 16  # tokens that llama.cpp writes after the first text


def wide(source: Path, target: Path) -> Path:
    """The model with its weights in float32."""
    reader, model = gguf.GGUFReader(source), open_model(str(source))
    writer = gguf.GGUFWriter(target, "gemma3")
    for field in reader.fields.values():
        if field.name != "general.architecture" and not field.name.startswith("GGUF."):
            array = field.types[0] == gguf.GGUFValueType.ARRAY
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=field.types[-1] if array else None)
    for name, info in model.tensors.items():
        writer.add_tensor(name, model.all_rows(name).reshape(info.shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


def main() -> None:
    assert live_llama.installed(), f"needs llama-cpp-python {live_llama.VERSION}"
    with tempfile.TemporaryDirectory() as folder:
        model, out = live_llama.Llama(wide(open_model("gemma3").path, Path(folder, "wide.gguf"))), []
        for text in TEXTS:
            tokens = model.tokenize(text, beginning=True)
            logits = model.logits(tokens, 2)
            best = np.argsort(-logits, axis=1, kind="stable")[:, :KEPT]
            out.append({"text": text, "tokens": tokens, "best": best.tolist(), "logits": np.take_along_axis(logits, best, 1).astype(float).round(4).tolist()})
        written = list(out[0]["tokens"])
        for _ in range(WRITTEN):
            written.append(int(model.logits(written, 2)[-1].argmax()))
        out[0]["written"] = written[len(out[0]["tokens"]) :]
    Path(__file__).with_name("recorded_gemma3.json").write_text(json.dumps(out, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
