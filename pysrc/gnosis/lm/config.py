"""What the metadata of a GGUF file say about a model: its sizes, and which of the known operations its layers use.

What a file asks for and is not supported is named in the error, never ignored.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..files.inputs import shown
from ..models.files import ModelError
from ..numbers.exact import is_integer

Activation = Literal["silu", "gelu"]

# Those that are known; the rest of the name says no more than this table.
ARCHITECTURES = ("llama", "qwen2", "qwen3", "qwen3moe", "gemma3")
MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
EXPERT_MATRICES = ("ffn_gate_exps", "ffn_up_exps", "ffn_down_exps")
FREQUENCIES = "rope_freqs.weight"
MOST_EXPERTS = 512
EVERY = 6  # gemma3: one layer in so many sees every position, where the file does not say which

# Keys that would change the arithmetic, with the values that change nothing.  What any other value would need is not written.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "attention.causal": (True,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "attention.scale": (0,),
    "attention.temperature_scale": (0,),
    "attn_logit_softcapping": (0,),
    "final_logit_softcapping": (0,),
    "logit_scale": (0, 1),
    "residual_scale": (0, 1),
    "embedding_scale": (0, 1),
    "expert_gating_func": (1,),
    "expert_shared_count": (0,),
    "expert_shared_feed_forward_length": (0,),
    "expert_weights_norm": (True,),
    "expert_weights_scale": (0, 1),
    "interleave_moe_layer_step": (0, 1),
    "leading_dense_block_count": (0,),
    "nextn_predict_layers": (0,),
    "rope.scaling.attn_factor": (1,),
    "use_parallel_residual": (False,),
}


@dataclass(frozen=True)
class Config:
    """Sizes and operations of a model; all lengths in entries.

    A layer adds to the residual stream x: attention of norm(x), then the feed-forward layer of norm(x).
    """

    layers: int
    width: int  # of the residual stream
    heads: int
    groups: int  # heads of keys and values
    head: int  # width of a head; heads · head need not be `width`
    inner: int  # width of the feed-forward layer, or of one expert
    vocabulary: int
    context: int  # most positions
    rope_base: float  # pair i of a head turns by position / (rope_scale · factor[i]) · rope_base^(−2 i / head)
    eps: float  # of the norms
    architecture: str = "llama"
    attention_scale: float = 0.0  # of ⟨q, k⟩; 0 for head^(−1/2), which `scale` gives
    rope_scale: float = 1.0  # positions are divided by it, in layers without a window
    neox: bool = False  # a pair is entry i and i + head / 2; else 2 i and 2 i + 1
    factors: bool = False  # the tensor `rope_freqs.weight` holds a factor for each pair
    biases: bool = False  # of q, k and v: blk.N.attn_q.bias, …
    head_norms: bool = False  # each head of q and k is normed before it is turned: blk.N.attn_q_norm.weight, …
    post_norms: bool = False  # what is added to x is normed before: blk.N.post_attention_norm.weight, post_ffw_norm
    activation: Activation = "silu"  # "gelu": by the formula with tanh
    embedding_scale: float = 1.0  # of a token's row before the first layer, as float32
    window: int = 0  # positions that a windowed layer sees, the token's own included; 0: all
    windowed: tuple[bool, ...] = ()  # for each layer, where there is a window
    window_rope_base: float = 0.0  # rope_base of the windowed layers
    experts: int = 0  # 0: one feed-forward layer; else blk.N.ffn_gate_inp.weight chooses among so many
    experts_used: int = 0  # for each token
    expert_groups: int = 1  # experts lie in so many groups, one after the other
    expert_groups_used: int = 1  # the best groups, by the sum of their two largest probabilities; the experts come from these

    @property
    def scale(self) -> float:
        """What ⟨q, k⟩ is multiplied with before the softmax."""
        return self.attention_scale or self.head**-0.5

    def window_of(self, layer: int) -> int:
        """Positions that a layer sees, the token's own included; 0 for all."""
        return self.window if self.window and self.windowed[layer] else 0


class _Keys:
    """The metadata of one architecture, each value checked as it is asked for."""

    def __init__(self, path: str, metadata: dict[str, Any], architecture: str) -> None:
        self.path, self.metadata, self.architecture = path, metadata, architecture

    def get(self, key: str, default: Any = None) -> Any:
        value = self.metadata.get(f"{self.architecture}.{key}", default)
        if value is None:
            raise self.error(f"the metadata lack {self.architecture}.{key}")
        return value

    def size(self, key: str, default: int | None = None, least: int = 1) -> int:
        value = self.get(key, default)
        if not is_integer(value) or not least <= value < 2**31:
            raise self.error(f"{self.architecture}.{key} = {_said(value)} is not a size")
        return int(value)

    def number(self, key: str, default: float | None = None) -> float:
        value = self.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise self.error(f"{self.architecture}.{key} = {_said(value)} is not a finite number")
        return float(value)

    def error(self, problem: str) -> ModelError:
        return ModelError(f"{self.path}: {problem}")


def _said(value: Any) -> str:
    return shown(repr(value))


def read_config(path: str, metadata: dict[str, Any], tensors: Collection[str]) -> Config:
    """The sizes and operations that the metadata name, checked.

    path: for messages.  metadata: of the file.  tensors: names of its tensors, which say what else there is.
    ModelError for what is missing, impossible or not supported.
    """
    architecture = metadata.get("general.architecture")
    if architecture not in ARCHITECTURES:
        raise ModelError(
            f"{path}: general.architecture is {_said(architecture)}; only {', '.join(ARCHITECTURES)} are supported: another one needs its layers written "
            "(docs/models.md says where)"
        )
    keys = _Keys(path, metadata, architecture)
    for key, neutral in _NEUTRAL.items():
        value = metadata.get(f"{architecture}.{key}")
        if value is not None and not any(type(value) in (bool, int, float) and value == fine for fine in neutral):
            raise keys.error(f"{architecture}.{key} = {_said(value)} is not supported")
    layers, width, heads = keys.size("block_count"), keys.size("embedding_length"), keys.size("attention.head_count")
    if layers > len(tensors):  # before anything is made for each of them
        raise keys.error(f"{architecture}.block_count = {layers}, and there are only {len(tensors)} tensors")
    groups = keys.size("attention.head_count_kv", heads)
    if heads % groups:
        raise keys.error(
            f"{heads} heads over {groups} groups are not supported: {architecture}.attention.head_count_kv must divide {architecture}.attention.head_count"
        )
    head = keys.size("attention.key_length", max(1, width // heads))
    if "attention.key_length" not in _own(metadata, architecture) and width % heads:
        raise keys.error(f"{heads} heads in a width of {width} are not supported without {architecture}.attention.key_length")
    for key, default in (("attention.value_length", max(1, width // heads)), ("rope.dimension_count", head)):
        if keys.size(key, default) != head:
            raise keys.error(f"{architecture}.{key} = {keys.size(key, default)} is not supported: heads of {head} need the same")
    if head % 16:
        raise keys.error(f"heads of a width of {head} are not supported: the kernels need a multiple of 16")
    tokens = metadata.get("tokenizer.ggml.tokens")
    vocabulary = keys.size("vocab_size", len(tokens) if isinstance(tokens, list) and tokens else None)
    base, eps = keys.number("rope.freq_base", 10000.0), keys.number("attention.layer_norm_rms_epsilon")
    if not (base > 0 and eps >= 0):
        raise keys.error(f"{architecture}.rope.freq_base = {base}, {architecture}.attention.layer_norm_rms_epsilon = {eps}: not usable")
    gemma, context = architecture == "gemma3", keys.size("context_length")
    window, windowed = _window(keys, layers, context) if gemma else (0, ())
    if not gemma and 0 < keys.size("attention.sliding_window", 0, 0) < context:
        raise keys.error(f"{architecture}.attention.sliding_window is not supported: only layers of gemma3 have a window")
    window_base = keys.number("rope.freq_base_swa", 10000.0) if window else 0.0
    if window and not window_base > 0:
        raise keys.error(f"{architecture}.rope.freq_base_swa = {window_base}: not usable")
    experts = keys.size("expert_count", 0, 0)
    if experts and architecture not in ("llama", "qwen3moe"):
        raise keys.error(f"{architecture}.expert_count = {experts} is not supported: experts are those of llama and qwen3moe")
    if architecture == "qwen3moe" and not experts:
        raise keys.error("the metadata lack qwen3moe.expert_count")
    used, among, among_used = _experts(keys, experts) if experts else (0, 1, 1)
    inner = (
        keys.size("feed_forward_length")
        if architecture != "qwen3moe"
        else keys.size("expert_feed_forward_length", max(1, keys.size("feed_forward_length", used) // used))
    )
    return Config(
        layers=layers,
        width=width,
        heads=heads,
        groups=groups,
        head=head,
        inner=inner,
        vocabulary=vocabulary,
        context=context,
        rope_base=base,
        eps=eps,
        architecture=architecture,
        # the largest gemma3 divides its width among the heads, as no other does
        attention_scale=(width // heads) ** -0.5 if gemma and layers == 62 else 0.0,
        rope_scale=_rope_scale(keys),
        neox=architecture != "llama",
        factors=FREQUENCIES in tensors,
        biases=architecture == "qwen2" or "blk.0.attn_q.bias" in tensors,
        head_norms=architecture in ("qwen3", "qwen3moe", "gemma3"),
        post_norms=gemma,
        activation="gelu" if gemma else "silu",
        embedding_scale=float(np.float32(math.sqrt(width))) if gemma else 1.0,
        window=window,
        windowed=windowed,
        window_rope_base=window_base,
        experts=experts,
        experts_used=used,
        expert_groups=among,
        expert_groups_used=among_used,
    )


def _own(metadata: dict[str, Any], architecture: str) -> set[str]:
    """Keys of the architecture, without its name."""
    return {key.removeprefix(f"{architecture}.") for key in metadata if key.startswith(f"{architecture}.")}


def _rope_scale(keys: _Keys) -> float:
    """What positions are divided by."""
    kind = keys.get("rope.scaling.type", "linear")
    if kind == "none":
        return 1.0
    if kind != "linear":
        raise keys.error(
            f"{keys.architecture}.rope.scaling.type = {_said(kind)} is not supported, only 'none', 'linear' and the factors of the tensor '{FREQUENCIES}'"
        )
    factor = keys.number("rope.scaling.factor", keys.number("rope.scale_linear", 1.0))
    if factor < 0:
        raise keys.error(f"{keys.architecture}.rope.scaling.factor = {factor} is not a factor")
    return factor or 1.0


def _window(keys: _Keys, layers: int, context: int) -> tuple[int, tuple[bool, ...]]:
    """Positions in the window, and for each layer whether it has one."""
    window = keys.size("attention.sliding_window", 0, 0)
    if not window:
        return 0, ()
    pattern = keys.get("attention.sliding_window_pattern", EVERY)
    if isinstance(pattern, np.ndarray):
        if pattern.shape != (layers,) or pattern.dtype != np.bool_:
            raise keys.error(
                f"{keys.architecture}.attention.sliding_window_pattern has {len(pattern)} entries of {pattern.dtype}, expected {layers} truth values"
            )
        return window, tuple(bool(one) for one in pattern)
    every = keys.size("attention.sliding_window_pattern", EVERY, 0)
    return window, tuple(not every or layer % every < every - 1 for layer in range(layers))


def _experts(keys: _Keys, experts: int) -> tuple[int, int, int]:
    """Experts of a token, groups, and groups of a token."""
    name, used, groups = keys.architecture, keys.size("expert_used_count"), max(1, keys.size("expert_group_count", 1, 0))
    groups_used = keys.size("expert_group_used_count") if groups > 1 else 1
    if experts > MOST_EXPERTS or used > experts:
        raise keys.error(f"{name}.expert_used_count = {used} of {name}.expert_count = {experts} are not possible (at most {MOST_EXPERTS} experts)")
    # two experts at least in a group: its score is the sum of two
    if groups > 1 and (experts % groups or experts // groups < 2 or groups_used >= groups or used > experts // groups * groups_used):
        raise keys.error(
            f"{name}.expert_group_used_count = {groups_used} of {name}.expert_group_count = {groups} groups of {experts} experts, {used} of them used, are not possible"
        )
    return used, groups, groups_used


def shapes(c: Config) -> dict[str, tuple[int, ...]]:
    """Every tensor that the model needs, with its shape, outermost dimension first."""
    broad, narrow = c.heads * c.head, c.groups * c.head
    layer: dict[str, tuple[int, ...]] = {
        "attn_norm.weight": (c.width,),
        "ffn_norm.weight": (c.width,),
        "attn_q.weight": (broad, c.width),
        "attn_k.weight": (narrow, c.width),
        "attn_v.weight": (narrow, c.width),
        "attn_output.weight": (c.width, broad),
    }
    if c.biases:
        layer |= {"attn_q.bias": (broad,), "attn_k.bias": (narrow,), "attn_v.bias": (narrow,)}
    if c.head_norms:
        layer |= {"attn_q_norm.weight": (c.head,), "attn_k_norm.weight": (c.head,)}
    if c.post_norms:
        layer |= {"post_attention_norm.weight": (c.width,), "post_ffw_norm.weight": (c.width,)}
    if c.experts:
        layer |= {
            "ffn_gate_inp.weight": (c.experts, c.width),
            "ffn_gate_exps.weight": (c.experts, c.inner, c.width),
            "ffn_up_exps.weight": (c.experts, c.inner, c.width),
            "ffn_down_exps.weight": (c.experts, c.width, c.inner),
        }
    else:
        layer |= {"ffn_gate.weight": (c.inner, c.width), "ffn_up.weight": (c.inner, c.width), "ffn_down.weight": (c.width, c.inner)}
    out: dict[str, tuple[int, ...]] = {"token_embd.weight": (c.vocabulary, c.width), "output_norm.weight": (c.width,)}
    if c.factors:
        out[FREQUENCIES] = (c.head // 2,)
    for number in range(c.layers):
        out |= {f"blk.{number}.{name}": shape for name, shape in layer.items()}
    return out
