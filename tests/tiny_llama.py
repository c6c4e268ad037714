"""A small model of the llama architecture as a GGUF file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np

WIDTH, INNER, LAYERS, HEADS, GROUPS, VOCABULARY, CONTEXT = 64, 96, 2, 4, 2, 260, 64
SIZES: dict[str, Any] = {
    "block_count": LAYERS,
    "embedding_length": WIDTH,
    "feed_forward_length": INNER,
    "attention.head_count": HEADS,
    "attention.head_count_kv": GROUPS,
    "context_length": CONTEXT,
    "vocab_size": VOCABULARY,
}


def alphabet() -> list[str]:
    """The 256 characters that byte-level BPE writes bytes as, and some marks."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    extra = iter(range(256, 512))
    return ["<|endoftext|>", *(chr(b) if b in plain else chr(next(extra)) for b in range(256)), "th", "he", "<|end|>"]


def tensors(seed: int = 0, kind: str = "Q8_0") -> dict[str, tuple[np.ndarray, str]]:
    rng = np.random.default_rng(seed)
    narrow = WIDTH // HEADS * GROUPS
    shapes = {
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (narrow, WIDTH),
        "attn_v": (narrow, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_gate": (INNER, WIDTH),
        "ffn_up": (INNER, WIDTH),
        "ffn_down": (WIDTH, INNER),
    }
    out = {"token_embd.weight": (rng.standard_normal((VOCABULARY, WIDTH)).astype(np.float32), kind), "output_norm.weight": (np.ones(WIDTH, np.float32), "F32")}
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            out[f"blk.{layer}.{name}.weight"] = (rng.uniform(0.5, 1.5, WIDTH).astype(np.float32), "F32")
        for name, shape in shapes.items():
            out[f"blk.{layer}.{name}.weight"] = ((rng.standard_normal(shape) / np.sqrt(shape[1])).astype(np.float32), kind)
    return out


def write(path: Path, weights: dict[str, tuple[np.ndarray, str]], changed: dict[str, Any] | None = None, architecture: str = "llama") -> Path:
    """changed: sizes of the metadata that differ; None leaves one out."""
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in {**SIZES, **(changed or {})}.items():
        if value is not None:
            writer.add_uint32(f"{architecture}.{key}", value)
    writer.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", 1e-5)
    writer.add_string("tokenizer.ggml.model", "gpt2")
    writer.add_string("tokenizer.ggml.pre", "smollm")
    writer.add_array("tokenizer.ggml.tokens", alphabet())
    writer.add_array("tokenizer.ggml.merges", ["t h", "h e"])
    writer.add_array("tokenizer.ggml.token_type", [3, *[1] * 258, 3])
    for name, (values, kind) in weights.items():
        data = values if values.dtype == np.uint8 else gguf.quantize(values, gguf.GGMLQuantizationType[kind])
        writer.add_tensor(name, data, raw_dtype=None if kind == "F32" else gguf.GGMLQuantizationType[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
