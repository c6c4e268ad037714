"""What a tensor is for, by the names that BERT, Llama and GGUF files use."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["embedding", "attention", "ffn", "head", "other"]

_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("embedding", re.compile(r"(^|\.)(word_embeddings|embed_tokens|token_embd|wte)\.weight$")),
    ("attention", re.compile(r"\.(attention\.(self\.(query|key|value)|output\.dense)|self_attn\.[qkvo]_proj|attn_(q|k|v|qkv|output))\.weight$")),
    ("ffn", re.compile(r"\.((intermediate|output)\.dense|mlp\.(up|gate|down)_proj|ffn_(up|gate|down))\.weight$")),
    ("head", re.compile(r"(^|\.)(lm_head|output)\.weight$")),
)
_LAYER = re.compile(r"(?:^|\.)(?:layers?|blk|h)\.(\d+)\.")


def role(name: str) -> Role:
    return next((kind for kind, pattern in _ROLES if pattern.search(name)), "other")


def layer(name: str) -> int | None:
    match = _LAYER.search(name)
    return int(match[1]) if match else None


_SHORT = (
    ("attention.self.query", "attn q"),
    ("attention.self.key", "attn k"),
    ("attention.self.value", "attn v"),
    ("attention.output.dense", "attn out"),
    ("intermediate.dense", "ffn up"),
    ("output.dense", "ffn down"),
    ("self_attn.q_proj", "attn q"),
    ("self_attn.k_proj", "attn k"),
    ("self_attn.v_proj", "attn v"),
    ("self_attn.o_proj", "attn out"),
    ("mlp.up_proj", "ffn up"),
    ("mlp.gate_proj", "ffn gate"),
    ("mlp.down_proj", "ffn down"),
    ("attn_q", "attn q"),
    ("attn_k", "attn k"),
    ("attn_v", "attn v"),
    ("attn_output", "attn out"),
    ("attn_qkv", "attn qkv"),
    ("ffn_up", "ffn up"),
    ("ffn_gate", "ffn gate"),
    ("ffn_down", "ffn down"),
    ("word_embeddings", "embedding"),
    ("embed_tokens", "embedding"),
    ("token_embd", "embedding"),
)


def short_name(name: str) -> str:
    """A name for a table: layer and part where they are known, else the tensor's own name."""
    stem = name.removesuffix(".weight")
    part = next((short for long, short in _SHORT if stem == long or stem.endswith("." + long)), None)
    if part is None:
        return name
    number = layer(name)
    return part if number is None else f"{number:>2} {part}"
