"""A llama-style model of a few kilobytes with random weights, for tests."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

TOKENS = [*"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"0123456789", "ab", "<|end|>"]
END = len(TOKENS) - 1
WIDTH, HEADS, GROUPS, INNER, LAYERS, CONTEXT = 32, 2, 1, 64, 2, 128


def write(
    path: Path, kind: str = "Q8_0", seed: int = 0, tokens: list[str] | None = None, width: int = WIDTH, leave_out: str = "", poison: str = "", end: int = END
) -> Path:
    """kind: code of the matrices; the weights depend on the seed alone.  leave_out: a tensor that is missing; poison: one with a NaN."""
    rng = np.random.default_rng(seed)
    words = TOKENS if tokens is None else tokens
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_embedding_length(width)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_context_length(CONTEXT)
    writer.add_vocab_size(len(words))
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(words)
    writer.add_token_merges(["a b"])
    writer.add_token_types([3 if i == end else 1 for i in range(len(words))])
    writer.add_eos_token_id(end)
    narrow = width // HEADS * GROUPS
    shapes = {
        "attn_q": (width, width),
        "attn_k": (narrow, width),
        "attn_v": (narrow, width),
        "attn_output": (width, width),
        "ffn_gate": (INNER, width),
        "ffn_up": (INNER, width),
        "ffn_down": (width, INNER),
    }
    tensors: dict[str, np.ndarray] = {"token_embd.weight": rng.standard_normal((len(words), width)), "output_norm.weight": np.ones(width)}
    for layer in range(LAYERS):
        tensors |= {f"blk.{layer}.{name}.weight": np.ones(width) for name in ("attn_norm", "ffn_norm")}
        tensors |= {f"blk.{layer}.{name}.weight": rng.standard_normal(shape) * 0.3 for name, shape in shapes.items()}
    for name, values in tensors.items():
        values = values.astype(np.float32)
        if name == poison:
            values[..., 0] = np.nan
        if name == leave_out:
            continue
        if values.ndim == 2:
            code = gguf.GGMLQuantizationType["Q8_0" if name == "token_embd.weight" and kind != "F32" else kind]
            writer.add_tensor(name, values if kind == "F32" else gguf.quantize(values, code), raw_dtype=code)
        else:
            writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
