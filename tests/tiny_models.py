"""Small random models of every architecture as GGUF files, and their vocabularies; all from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
from tiny_llama import alphabet

WIDTH, INNER, LAYERS, HEADS, GROUPS, CONTEXT = 64, 96, 2, 4, 2, 64
VOCABULARY = 260
LENGTH = 40  # of the text that is read

# what each model has that the plain one has not: keys of the metadata (without the architecture), and how its tensors differ
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("llama", {}),
    "llama-2": ("llama", {"attention.head_count_kv": HEADS, "rope.freq_base": 10000.0}),
    "llama-3": ("llama", {"rope.freq_base": 500000.0}),
    "mistral": ("llama", {"attention.key_length": 32, "attention.value_length": 32, "rope.dimension_count": 32, "rope.freq_base": 1e6}),
    "linear": ("llama", {"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}),
    "qwen2": ("qwen2", {"rope.freq_base": 1e6}),
    "qwen3": ("qwen3", {"attention.key_length": 32, "attention.value_length": 32, "rope.freq_base": 1e6}),
    "gemma3": (
        "gemma3",
        {
            "block_count": 7,
            "attention.key_length": 32,
            "attention.value_length": 32,
            "attention.sliding_window": 8,
            "rope.freq_base": 1e6,
            "rope.scaling.type": "linear",
            "rope.scaling.factor": 8.0,
        },
    ),
    "experts": ("llama", {"expert_count": 8, "expert_used_count": 2}),
    "experts-in-groups": ("llama", {"expert_count": 12, "expert_used_count": 3, "expert_group_count": 4, "expert_group_used_count": 2}),
    "qwen3moe": (
        "qwen3moe",
        {"attention.key_length": 32, "attention.value_length": 32, "expert_count": 6, "expert_used_count": 3, "expert_feed_forward_length": 32},
    ),
}


def keys(name: str) -> dict[str, Any]:
    """The metadata of a model, without its architecture."""
    return {
        "block_count": LAYERS,
        "embedding_length": WIDTH,
        "feed_forward_length": INNER,
        "attention.head_count": HEADS,
        "attention.head_count_kv": GROUPS,
        "context_length": CONTEXT,
        "vocab_size": VOCABULARY,
        "attention.layer_norm_rms_epsilon": 1e-5,
        **MODELS[name][1],
    }


def tensors(name: str, seed: int = 0) -> dict[str, np.ndarray]:
    """Its tensors, float32, whose sizes keep every layer's share of the stream about equal."""
    architecture, k = MODELS[name][0], keys(name)
    rng = np.random.default_rng([seed, *name.encode()])
    head, heads, groups = k.get("attention.key_length", WIDTH // HEADS), k["attention.head_count"], k["attention.head_count_kv"]
    experts, inner = k.get("expert_count", 0), k.get("expert_feed_forward_length", INNER)

    def matrix(*shape: int) -> np.ndarray:
        return (rng.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)

    def vector(size: int, middle: float = 1.0, spread: float = 0.5) -> np.ndarray:
        return rng.uniform(middle - spread, middle + spread, size).astype(np.float32)

    # embeddings are scaled by 8 in gemma3
    out = {"token_embd.weight": matrix(VOCABULARY, WIDTH) * np.float32(1 if architecture == "gemma3" else 8), "output_norm.weight": vector(WIDTH)}
    if name != "gemma3":
        out["output.weight"] = 2 * matrix(VOCABULARY, WIDTH)
    if name == "llama-3":
        out["rope_freqs.weight"] = np.array([1, 1, 1.25, 2, 3.5, 6, 8, 8], np.float32)
    for layer in range(k["block_count"]):
        own = {
            "attn_norm.weight": vector(WIDTH),
            "ffn_norm.weight": vector(WIDTH),
            "attn_q.weight": 2 * matrix(heads * head, WIDTH),
            "attn_k.weight": 2 * matrix(groups * head, WIDTH),
            "attn_v.weight": matrix(groups * head, WIDTH),
            "attn_output.weight": matrix(WIDTH, heads * head),
        }
        if architecture == "qwen2":
            own |= {"attn_q.bias": vector(heads * head, 0), "attn_k.bias": vector(groups * head, 0), "attn_v.bias": vector(groups * head, 0)}
        if architecture in ("qwen3", "qwen3moe", "gemma3"):
            own |= {"attn_q_norm.weight": vector(head), "attn_k_norm.weight": vector(head)}
        if architecture == "gemma3":
            own |= {"post_attention_norm.weight": vector(WIDTH), "post_ffw_norm.weight": vector(WIDTH)}
        if experts:
            own |= {
                "ffn_gate_inp.weight": 2 * matrix(experts, WIDTH),
                "ffn_gate_exps.weight": matrix(experts, inner, WIDTH),
                "ffn_up_exps.weight": matrix(experts, inner, WIDTH),
                "ffn_down_exps.weight": matrix(experts, WIDTH, inner),
            }
        else:
            own |= {"ffn_gate.weight": matrix(inner, WIDTH), "ffn_up.weight": matrix(inner, WIDTH), "ffn_down.weight": matrix(WIDTH, inner)}
        out |= {f"blk.{layer}.{part}": values for part, values in own.items()}
    return out


def text(name: str) -> list[int]:
    """The tokens that are read; none is a mark."""
    return [int(t) for t in np.random.default_rng([7, *name.encode()]).integers(4, VOCABULARY - 3, LENGTH)]


def byte_level() -> dict[str, Any]:
    """A vocabulary of model gpt2 with as many tokens."""
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": alphabet(),
        "tokenizer.ggml.merges": ["t h", "h e"],
        "tokenizer.ggml.token_type": [3, *[1] * 258, 3],
        "tokenizer.ggml.eos_token_id": 259,
        "tokenizer.ggml.bos_token_id": 0,
    }


def write(
    path: Path,
    name: str,
    changed: dict[str, Any] | None = None,
    weights: dict[str, np.ndarray] | None = None,
    tokenizer: dict[str, Any] | None = None,
    kind: str = "F32",
) -> Path:
    """The file of a model.  changed: keys that differ, without the architecture; None leaves one out.  weights: instead of its own.  kind: of its matrices."""
    architecture = MODELS[name][0]
    values = {f"{architecture}.{key}": value for key, value in {**keys(name), **(changed or {})}.items()} | (tokenizer or byte_level())
    write_file(path, architecture, values, tensors(name) if weights is None else weights, kind)
    return path


def write_file(path: Path, architecture: str, metadata: dict[str, Any], weights: dict[str, np.ndarray], kind: str = "F32") -> None:
    """A GGUF file of any keys: whole numbers become uint32, and None leaves one out."""
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in metadata.items():
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        elif value is not None:
            writer.add_array(key, value)
    for name, values in weights.items():
        coded = kind != "F32" and values.ndim > 1 and "ffn_gate_inp" not in name
        writer.add_tensor(
            name,
            gguf.quantize(values, gguf.GGMLQuantizationType[kind]) if coded else np.ascontiguousarray(values, np.float32),
            raw_dtype=gguf.GGMLQuantizationType[kind] if coded else None,
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
