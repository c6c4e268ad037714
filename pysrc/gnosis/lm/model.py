"""A llama-style language model from a GGUF file.

The products with the big matrices are `Product`s by tensor name and can be replaced one by one; everything between them is
`gnosis.core.transformer`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from ..core import transformer
from ..errors import DtypeError, EmptyError, NonFiniteError, RangeError
from ..models.files import Model as File
from ..models.files import ModelError, open_model
from ..numbers.exact import is_integer
from . import metadata as gguf_metadata
from .tokenizer import Tokenizer
from .weights import Blas, Ordered, Product, Weight

Hook = Callable[[str, np.ndarray], None]
Arithmetic = Literal["ordered", "blas"]
MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


@dataclass(frozen=True)
class Config:
    """Sizes of the model; all lengths in entries."""

    layers: int
    width: int          # of the residual stream
    heads: int
    groups: int         # heads of keys and values
    head: int           # width of a head
    inner: int          # width of the feed-forward layer
    vocabulary: int
    context: int        # most positions
    rope_base: float
    eps: float          # of the norms


class Step(NamedTuple):
    """What a call of the model gives.

    hidden: float32[t, width], after the last norm: what the head multiplies.
    logits: float32[1, vocabulary] of the last token, float32[t, vocabulary] of all, or None, as asked for.
    """

    hidden: np.ndarray
    logits: np.ndarray | None


class Cache:
    """Keys and values of the positions so far.  `length` positions are filled; `truncate` goes back to an earlier one."""

    def __init__(self, config: Config, capacity: int) -> None:
        if not is_integer(capacity) or not 1 <= capacity <= config.context:
            raise RangeError("capacity", capacity, f"must lie between 1 and the model's context of {config.context}")
        shape = (config.layers, capacity, config.groups, config.head)
        self.keys, self.values, self.length = np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0

    @property
    def capacity(self) -> int:
        return self.keys.shape[1]

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on.  RangeError when that is beyond the filled ones."""
        if not is_integer(length) or not 0 <= length <= self.length:
            raise RangeError("length", length, f"must lie between 0 and the {self.length} filled positions")
        self.length = int(length)


class Model:
    """A language model that is ready to run.

    config; weights: every matrix, by tensor name, as stored; norms: float32[width] by tensor name; metadata: of the file.
    products: what multiplies with each matrix of `MATRICES` in each layer, by tensor name, and with the head, by `head_name`;
    an entry may be replaced by anything that is a `Product`.
    """

    def __init__(self, config: Config, weights: Mapping[str, Weight], norms: Mapping[str, np.ndarray], metadata: dict[str, Any],
                 arithmetic: Arithmetic = "ordered", threads: int = 1) -> None:
        if arithmetic not in ("ordered", "blas"):
            raise RangeError("arithmetic", arithmetic, "must be 'ordered' or 'blas'")
        if not is_integer(threads) or not 1 <= threads <= 1024:
            raise RangeError("threads", threads, "must be a whole number from 1 to 1024")
        self.config, self.weights, self.norms, self.metadata = config, dict(weights), dict(norms), metadata
        self.arithmetic, self.threads = arithmetic, threads
        self.head_name = "output.weight" if "output.weight" in self.weights else "token_embd.weight"
        self.products: dict[str, Product] = {}
        self._head: Product | None = None
        for name in self.weights:
            if name != "token_embd.weight" and name != self.head_name:
                self.products[name] = self.product(self.weights[name])
        angles = np.arange(config.context)[:, None] * config.rope_base ** (-np.arange(0, config.head, 2) / config.head)
        self._cos, self._sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    @classmethod
    def load(cls, name: str, arithmetic: Arithmetic = "ordered", threads: int = 1) -> Model:
        """`smollm2`, or the path of a .gguf file of the llama architecture.

        arithmetic: "ordered", products from the stored blocks in one fixed order of operations: prefill and decode agree bit
        for bit; or "blas", decoded float32 weights and the BLAS of numpy: faster for many tokens.
        ModelError names what is missing or does not fit.
        """
        return cls.of_file(open_model(name), arithmetic, threads)

    @classmethod
    def of_file(cls, file: File, arithmetic: Arithmetic = "ordered", threads: int = 1) -> Model:
        """`load` from an open file."""
        if file.format != "gguf":
            raise ModelError(f"{file.path}: a language model is read from a .gguf file")
        metadata = gguf_metadata.read(file)
        config = _config(str(file.path), metadata)
        wanted = _shapes(config)
        if "output.weight" in file.tensors:
            wanted["output.weight"] = wanted["token_embd.weight"]
        for tensor, shape in wanted.items():
            if file.info(tensor).shape != shape:
                info = file.info(tensor)
                raise ModelError(f"{file.path}: tensor {tensor!r} at offset {info.offset} has the shape {list(info.shape)}, expected {list(shape)}")
        unknown = sorted(set(file.tensors) - set(wanted) - {"rope_freqs.weight"})
        if unknown:
            raise ModelError(f"{file.path}: tensor {unknown[0]!r} has no place in a llama model ({len(unknown)} such)")
        if "rope_freqs.weight" in file.tensors:
            raise ModelError(f"{file.path}: tensor 'rope_freqs.weight': scaled rotation frequencies are not supported")
        weights = {t: Weight.of_file(file, t) for t, shape in wanted.items() if len(shape) == 2}
        norms = {t: file.all_rows(t)[0] for t, shape in wanted.items() if len(shape) == 1}
        return cls(config, weights, norms, metadata, arithmetic, threads)

    def with_weights(self, weights: Mapping[str, Weight]) -> Model:
        """The same model with some matrices coded differently.  LengthError, RangeError for one that does not fit."""
        for name, weight in weights.items():
            have = self.weights.get(name)
            if have is None:
                raise RangeError("weights", name, "the model has no such matrix")
            if (weight.rows, weight.columns) != (have.rows, have.columns):
                raise RangeError("weights", (weight.rows, weight.columns), f"{name} has the shape {(have.rows, have.columns)}")
        return Model(self.config, {**self.weights, **weights}, self.norms, self.metadata, self.arithmetic, self.threads)

    def product(self, weight: Weight) -> Product:
        """A product with the matrix in this model's arithmetic."""
        return Ordered(weight, self.threads) if self.arithmetic == "ordered" else Blas(weight)

    @property
    def head(self) -> Product:
        """What turns hidden states into logits; made when first needed, may be replaced."""
        if self._head is None:
            self._head = self.product(self.weights[self.head_name])
        return self._head

    @head.setter
    def head(self, product: Product) -> None:
        self._head = product

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return Tokenizer(self.metadata)

    def cache(self, capacity: int | None = None) -> Cache:
        """An empty cache for `capacity` positions (the model's context when None).  RangeError."""
        return Cache(self.config, self.config.context if capacity is None else capacity)

    def prefill(self, tokens: Sequence[int] | np.ndarray, cache: Cache, logits: Literal["last", "all", "none"] = "last", hook: Hook | None = None) -> Step:
        """Read tokens after those in the cache; the cache then holds them as well.

        tokens: numbers below the vocabulary.  hook: called with (tensor name, float32[t, columns]) for the input of every matrix
        before it is multiplied, and with ("blk.N", float32[t, width]) for the residual stream after layer N.
        RangeError (a token, or no room in the cache), EmptyError, DtypeError; NonFiniteError when a hidden state is not finite,
        the cache then being as before.
        """
        ids = self._tokens(tokens)
        c, t = self.config, len(ids)
        if logits not in ("last", "all", "none"):
            raise RangeError("logits", logits, "must be 'last', 'all' or 'none'")
        start, end = cache.length, cache.length + t
        if end > cache.capacity:
            raise RangeError("tokens", t, f"the cache holds {start} of {cache.capacity} positions")
        cos, sin = self._cos[start:end], self._sin[start:end]
        x = self.weights["token_embd.weight"].taken(ids)
        for layer in range(c.layers):
            at = f"blk.{layer}."
            normed = transformer.rms_norm(x, self.norms[at + "attn_norm.weight"], c.eps)
            q, k, v = (self._multiply(f"{at}{part}.weight", normed, hook) for part in ("attn_q", "attn_k", "attn_v"))
            q, k = transformer.rope(q.reshape(t, c.heads, c.head), cos, sin), transformer.rope(k.reshape(t, c.groups, c.head), cos, sin)
            cache.keys[layer, start:end], cache.values[layer, start:end] = k, v.reshape(t, c.groups, c.head)
            seen = transformer.attention(q, cache.keys[layer, :end], cache.values[layer, :end], c.head ** -0.5)
            x = x + self._multiply(at + "attn_output.weight", seen.reshape(t, -1), hook)
            normed = transformer.rms_norm(x, self.norms[at + "ffn_norm.weight"], c.eps)
            inner = transformer.swiglu(self._multiply(at + "ffn_gate.weight", normed, hook), self._multiply(at + "ffn_up.weight", normed, hook))
            x = x + self._multiply(at + "ffn_down.weight", inner, hook)
            if hook is not None:
                hook(f"blk.{layer}", x)
        hidden = transformer.rms_norm(x, self.norms["output_norm.weight"], c.eps)
        if not np.isfinite(hidden).all():
            token, column = (int(i) for i in np.argwhere(~np.isfinite(hidden))[0])
            raise NonFiniteError("hidden", float(hidden[token, column]), (token, column), "the model's arithmetic left the finite numbers")
        cache.length = end
        if logits == "none":
            return Step(hidden, None)
        seen = hidden if logits == "all" else hidden[-1:]
        if hook is not None:
            hook(self.head_name, seen)
        return Step(hidden, self.head(seen))

    def decode(self, token: int, cache: Cache, logits: Literal["last", "none"] = "last", hook: Hook | None = None) -> Step:
        """`prefill` of a single token."""
        return self.prefill([token], cache, logits, hook)

    def _multiply(self, name: str, x: np.ndarray, hook: Hook | None) -> np.ndarray:
        if hook is not None:
            hook(name, x)
        return self.products[name](x)

    def _tokens(self, tokens: Sequence[int] | np.ndarray) -> np.ndarray:
        ids = np.asarray(tokens)
        if ids.ndim != 1 or not ids.size:
            raise EmptyError("tokens", ids.shape, "must be a list of at least one token")
        if ids.dtype.kind not in "iu":
            raise DtypeError("tokens", str(ids.dtype), "must be whole numbers")
        wrong = np.flatnonzero((ids < 0) | (ids >= self.config.vocabulary))
        if wrong.size:
            raise RangeError("tokens", int(ids[wrong[0]]), f"the vocabulary has {self.config.vocabulary} tokens", int(wrong[0]))
        return ids.astype(np.int64)


def _config(path: str, metadata: dict[str, Any]) -> Config:
    """The sizes that the metadata name, checked."""
    if metadata.get("general.architecture") != "llama":
        raise ModelError(f"{path}: general.architecture is {metadata.get('general.architecture')!r}; only 'llama' is supported")

    def get(key: str, default: Any = None) -> Any:
        value = metadata.get(f"llama.{key}", default)
        if value is None:
            raise ModelError(f"{path}: the metadata lack llama.{key}")
        return value

    def size(key: str, default: Any = None) -> int:
        value = get(key, default)
        if not is_integer(value) or not 1 <= value < 2 ** 31:
            raise ModelError(f"{path}: llama.{key} = {value!r} is not a size")
        return int(value)

    width, heads = size("embedding_length"), size("attention.head_count")
    groups = size("attention.head_count_kv", heads)
    if any(key.startswith("llama.rope.scaling.") and value not in ("none", 1.0) for key, value in metadata.items()):
        raise ModelError(f"{path}: llama.rope.scaling is not supported")
    if width % heads or heads % groups or width // heads % 16 or size("rope.dimension_count", width // heads) != width // heads:
        raise ModelError(f"{path}: {heads} heads over {groups} groups in a width of {width}, rotated over {size('rope.dimension_count', width // heads)}, are not supported")
    vocabulary = size("vocab_size", len(metadata.get("tokenizer.ggml.tokens") or ()) or None)
    base, eps = float(get("rope.freq_base", 10000.0)), float(get("attention.layer_norm_rms_epsilon"))
    if not (np.isfinite(base) and base > 0 and np.isfinite(eps) and eps >= 0):
        raise ModelError(f"{path}: llama.rope.freq_base = {base}, llama.attention.layer_norm_rms_epsilon = {eps}: not usable")
    return Config(layers=size("block_count"), width=width, heads=heads, groups=groups, head=width // heads, inner=size("feed_forward_length"),
                  vocabulary=vocabulary, context=size("context_length"), rope_base=base, eps=eps)


def _shapes(c: Config) -> dict[str, tuple[int, ...]]:
    """Every tensor that the model needs, with its shape."""
    narrow = c.groups * c.head
    matrices = {"attn_q": (c.width, c.width), "attn_k": (narrow, c.width), "attn_v": (narrow, c.width), "attn_output": (c.width, c.width),
                "ffn_gate": (c.inner, c.width), "ffn_up": (c.inner, c.width), "ffn_down": (c.width, c.inner)}
    shapes: dict[str, tuple[int, ...]] = {"token_embd.weight": (c.vocabulary, c.width), "output_norm.weight": (c.width,)}
    for layer in range(c.layers):
        shapes |= {f"blk.{layer}.{name}.weight": (c.width,) for name in ("attn_norm", "ffn_norm")}
        shapes |= {f"blk.{layer}.{name}.weight": matrices[name] for name in MATRICES}
    return shapes
