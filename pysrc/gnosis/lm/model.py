"""A language model from a GGUF file: llama, qwen2, qwen3, gemma3, with experts or without.

`config.py` says which operations a file asks for.  The products with the big matrices are `Product`s by tensor name and can be
replaced one by one; everything between them is `gnosis.core.transformer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from ..core import transformer
from ..errors import DtypeError, EmptyError, NonFiniteError, RangeError
from ..files.inputs import quoted
from ..models.files import Model as File
from ..models.files import ModelError, at_hand, open_model
from ..numbers.exact import is_integer
from . import metadata as gguf_metadata
from .config import EXPERT_MATRICES, FREQUENCIES, Config, read_config, shapes
from .experts import Routing, certify, choose, logit_bounds, mixture
from .rotation import Turns, frequencies, turned
from .tokenizer import Tokenizer, tokenizer_of
from .weights import Blas, Ordered, Product, Weight

Hook = Callable[[str, np.ndarray], None]
Arithmetic = Literal["ordered", "blas"]
GATED = {"silu": transformer.swiglu, "gelu": transformer.geglu}


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

    config; weights: every matrix, by tensor name, as stored; norms: every vector, float32, by tensor name: weights of norms, biases,
    factors of frequencies; metadata: of the file.
    products: what multiplies with each matrix of `MATRICES` in each layer, and with the routers, by tensor name;
    an entry may be replaced by anything that is a `Product`.  experts: the same for matrices of `EXPERT_MATRICES`, one for each expert.
    routing: how often experts were chosen so far, and how often that was certified.
    Promises: tested `tests/test_architectures.py::test_the_choice_of_experts_is_certified_and_counted`, `tests/test_lm.py::test_a_product_can_be_replaced`.
    """

    def __init__(
        self,
        config: Config,
        weights: Mapping[str, Weight],
        norms: Mapping[str, np.ndarray],
        metadata: dict[str, Any],
        arithmetic: Arithmetic = "ordered",
        threads: int = 1,
    ) -> None:
        if arithmetic not in ("ordered", "blas"):
            raise RangeError("arithmetic", arithmetic, "must be 'ordered' or 'blas'")
        if not is_integer(threads) or not 1 <= threads <= 1024:
            raise RangeError("threads", threads, "must be a whole number from 1 to 1024")
        self.config, self.weights, self.norms, self.metadata = config, dict(weights), dict(norms), metadata
        self.arithmetic, self.threads = arithmetic, threads
        self.head_name = "output.weight" if "output.weight" in self.weights else "token_embd.weight"
        self.products: dict[str, Product] = {}
        self.experts: dict[str, list[Product]] = {}
        self.routing = Routing()
        self._head: Product | None = None
        for name in self.weights:
            if name.split(".")[-2] in EXPERT_MATRICES:
                self.experts[name] = [self.product(self.weights[name].part(i, config.experts)) for i in range(config.experts)]
            elif name != "token_embd.weight" and name != self.head_name:
                self.products[name] = self.product(self.weights[name])
        self._magnitudes = {name: np.abs(self.weights[name].decoded().astype(np.float64)) for name in self.weights if name.endswith(".ffn_gate_inp.weight")}
        self._turns = Turns(frequencies(config.head, config.rope_base, config.rope_scale, self.norms.get(FREQUENCIES)))
        self._window_turns = Turns(frequencies(config.head, config.window_rope_base)) if config.window else self._turns

    @classmethod
    def load(cls, name: str, arithmetic: Arithmetic = "ordered", threads: int = 1) -> Model:
        """`smollm2`, or the path of a .gguf file of one of `gnosis.lm.ARCHITECTURES`.

        arithmetic: "ordered", products from the stored blocks in one fixed order of operations: prefill and decode agree bit
        for bit; or "blas", decoded float32 weights and the BLAS of numpy: faster for many tokens.
        ModelError names what is missing or does not fit.
        """
        return cls.of_file(open_model(name), arithmetic, threads)

    @classmethod
    def of_file(cls, file: File, arithmetic: Arithmetic = "ordered", threads: int = 1) -> Model:
        """`load` from an open file; one behind a URL is copied into the cache first."""
        file = at_hand(file)
        if file.format != "gguf":
            raise ModelError(f"{file.path}: a language model is read from a .gguf file")
        metadata = gguf_metadata.read(file)
        config = read_config(str(file.path), metadata, file.tensors)
        wanted = shapes(config)
        if "output.weight" in file.tensors:
            wanted["output.weight"] = wanted["token_embd.weight"]
        for tensor, shape in wanted.items():
            if file.info(tensor).shape != shape:
                info = file.info(tensor)
                raise ModelError(f"{file.path}: tensor {quoted(tensor)} at offset {info.offset} has the shape {list(info.shape)}, expected {list(shape)}")
        unknown = sorted(set(file.tensors) - set(wanted))
        if unknown:
            raise ModelError(f"{file.path}: tensor {quoted(unknown[0])} has no place in a {config.architecture} model as it is supported ({len(unknown)} such)")
        weights = {t: Weight.of_file(file, t) for t, shape in wanted.items() if len(shape) > 1}
        norms = {t: file.all_rows(t)[0] for t, shape in wanted.items() if len(shape) == 1}
        if config.factors and not (norms[FREQUENCIES] > 0).all():
            raise ModelError(f"{file.path}: tensor '{FREQUENCIES}' has a factor that is not above 0")
        return cls(config, weights, norms, metadata, arithmetic, threads)

    def with_weights(self, weights: Mapping[str, Weight]) -> Model:
        """This model with some matrices coded differently.  LengthError, RangeError for one that does not fit."""
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
        """The file's own; `Numbers` where that is not supported, whose `encode` says why."""
        return tokenizer_of(self.metadata)

    def cache(self, capacity: int | None = None) -> Cache:
        """An empty cache for `capacity` positions (the model's context when None).  RangeError."""
        return Cache(self.config, self.config.context if capacity is None else capacity)

    def prefill(self, tokens: Sequence[int] | np.ndarray, cache: Cache, logits: Literal["last", "all", "none"] = "last", hook: Hook | None = None) -> Step:
        """Read tokens after those in the cache; the cache then holds them as well.

        tokens: numbers below the vocabulary.  hook: called with (tensor name, float32[t, columns]) for the input of every matrix but those
        of experts before it is multiplied, and with ("blk.N", float32[t, width]) for the residual stream after layer N.
        RangeError (a token, or no room in the cache), EmptyError, DtypeError; NonFiniteError when a hidden state is not finite,
        the cache then being as before.
        """
        ids = checked_tokens(tokens, self.config.vocabulary)
        c, t = self.config, len(ids)
        if logits not in ("last", "all", "none"):
            raise RangeError("logits", logits, "must be 'last', 'all' or 'none'")
        start, end = cache.length, cache.length + t
        if end > cache.capacity:
            raise RangeError("tokens", t, f"the cache holds {start} of {cache.capacity} positions")
        everywhere, inside = self._turns.at(start, end), self._window_turns.at(start, end)
        x = self.weights["token_embd.weight"].taken(ids)
        if c.embedding_scale != 1:
            x = x * np.float32(c.embedding_scale)
        for layer in range(c.layers):
            at = f"blk.{layer}."
            window = c.window_of(layer)
            normed = self._norm(x, at + "attn_norm")
            q, k, v = (self._heads(f"{at}{part}", normed, hook) for part in ("attn_q", "attn_k", "attn_v"))
            q, k = (turned(one, inside if window else everywhere, c.neox) for one in (q, k))
            cache.keys[layer, start:end], cache.values[layer, start:end] = k, v
            seen = attend(q, cache.keys[layer, :end], cache.values[layer, :end], c.scale, window)
            added = self._multiply(at + "attn_output.weight", seen.reshape(t, -1), hook)
            x = x + (self._norm(added, at + "post_attention_norm") if c.post_norms else added)
            normed = self._norm(x, at + "ffn_norm")
            added = self._mixture(at, normed, hook) if c.experts else self._feed_forward(at, normed, hook)
            x = x + (self._norm(added, at + "post_ffw_norm") if c.post_norms else added)
            if hook is not None:
                hook(f"blk.{layer}", x)
        hidden = self._norm(x, "output_norm")
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

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        return transformer.rms_norm(x, self.norms[name + ".weight"], self.config.eps)

    def _heads(self, name: str, x: np.ndarray, hook: Hook | None) -> np.ndarray:
        """Queries, keys or values: float32[t, heads or groups, head], with bias and norm where the model has them."""
        c, y = self.config, self._multiply(name + ".weight", x, hook)
        if c.biases:
            y = y + self.norms[name + ".bias"]
        if c.head_norms and not name.endswith("attn_v"):
            y = self._norm(y.reshape(-1, c.head), name + "_norm")
        return y.reshape(len(x), -1, c.head)

    def _feed_forward(self, at: str, x: np.ndarray, hook: Hook | None) -> np.ndarray:
        inner = GATED[self.config.activation](self._multiply(at + "ffn_gate.weight", x, hook), self._multiply(at + "ffn_up.weight", x, hook))
        return self._multiply(at + "ffn_down.weight", inner, hook)

    def _mixture(self, at: str, x: np.ndarray, hook: Hook | None) -> np.ndarray:
        """What the experts of a layer make of it; whether their choice is certified is counted."""
        c, name = self.config, at + "ffn_gate_inp.weight"
        logits = self._multiply(name, x, hook)
        self.routing.decided += len(x)
        roundings = getattr(self.products[name], "roundings", None)  # there is no bound for another product
        if roundings is not None and np.isfinite(logits).all():
            self.routing.certified += int(certify(logits, logit_bounds(x, self._magnitudes[name], roundings), c).sum())
        return mixture(x, *choose(logits, c), [self.experts[f"{at}{part}.weight"] for part in EXPERT_MATRICES], GATED[c.activation])

    def _multiply(self, name: str, x: np.ndarray, hook: Hook | None) -> np.ndarray:
        if hook is not None:
            hook(name, x)
        return self.products[name](x)


def checked_tokens(tokens: Sequence[int] | np.ndarray, vocabulary: int) -> np.ndarray:
    """Numbers of tokens as int64[n], n ≥ 1.  Raises EmptyError, DtypeError, RangeError naming the index."""
    ids = np.asarray(tokens)
    if ids.ndim != 1 or not ids.size:
        raise EmptyError("tokens", ids.shape, "must be a list of at least one token")
    if ids.dtype.kind not in "iu":
        raise DtypeError("tokens", str(ids.dtype), "must be whole numbers")
    wrong = np.flatnonzero((ids < 0) | (ids >= vocabulary))
    if wrong.size:
        raise RangeError("tokens", int(ids[wrong[0]]), f"the vocabulary has {vocabulary} tokens", int(wrong[0]))
    return ids.astype(np.int64)


def attend(q: np.ndarray, keys: np.ndarray, values: np.ndarray, scale: float, window: int) -> np.ndarray:
    """Causal attention of the last t of n positions, each of which sees `window` positions with its own, or all for 0.

    q: float32[t, heads, head]; keys, values: float32[n, groups, head].  Returns float32[t, heads, head].
    """
    past = len(keys) - len(q)
    if not window or len(keys) <= window:
        return transformer.attention(q, keys, values, scale)
    # tokens that see all before them go together; the bits of a token do not depend on the others
    whole = max(0, window - past)
    parts = [transformer.attention(q[:whole], keys[: past + whole], values[: past + whole], scale)] if whole else []
    for i in range(whole, len(q)):
        seen = slice(past + i + 1 - window, past + i + 1)
        parts.append(transformer.attention(q[i : i + 1], keys[seen], values[seen], scale))
    return np.concatenate(parts)
