"""`Engine`: the model's passes as one compiled call each, with the same bits for any batch, any number of threads, any instruction set.

`gnosis.lm.Model` is the reference: float32 activations, one matrix after the other.  The engine rounds activations to whole numbers of 16 (or 8)
bits, block by block, before it multiplies; docs/engine.md says how far that is from the reference.
"""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Sequence
from copy import copy
from types import TracebackType
from typing import Literal, NamedTuple

import numpy as np

from ..core import engine as kernel
from ..errors import ArgumentError, NonFiniteError, RangeError
from ..lm.config import FREQUENCIES, Config
from ..lm.model import Model, Step, checked_tokens
from ..lm.rotation import Turns, frequencies
from ..lm.weights import Weight
from ..models.files import ModelError
from ..numbers.exact import is_integer

Logits = Literal["last", "all", "none"]


class Greedy(NamedTuple):
    """The likeliest next token after each of the last tokens of a pass.

    tokens: int64[n], the first of the largest logits.  lead: float32[n], by how much it leads over the largest other one.
    hidden: float32[t, width] of every token of the pass.
    """

    tokens: np.ndarray
    lead: np.ndarray
    hidden: np.ndarray


class Cache:
    """Keys and values of the positions so far.  `length` positions are filled; `truncate` goes back to an earlier one.

    keys: float32[layers, groups, capacity, head], sixteen positions side by side; values: likewise, one after the other.  Any engine of these
    sizes may read and go on with it.
    """

    def __init__(self, config: Config, capacity: int) -> None:
        if not is_integer(capacity) or not 1 <= capacity <= config.context:
            raise RangeError("capacity", capacity, f"must lie between 1 and the model's context of {config.context}")
        shape = (config.layers, config.groups, (int(capacity) + 15) // 16 * 16, config.head)
        self.keys, self.values, self.length, self.capacity = np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0, int(capacity)

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on.  RangeError when that is beyond the filled ones."""
        if not is_integer(length) or not 0 <= length <= self.length:
            raise RangeError("length", length, f"must lie between 0 and the {self.length} filled positions")
        self.length = int(length)


class Engine:
    """A model that is ready to run; also a context manager.  Calls from several threads wait for each other.

    config: of the model.  activations: bits of the whole numbers, 16 or 8.  threads: that share the work.  nbytes: of the repacked weights.
    nested: whether matrices of Q8_0 are kept in two planes, for `coarse`.
    """

    def __init__(self, model: Model, activations: int = 16, threads: int = 1, beside: Engine | None = None, nested: bool = False) -> None:
        if activations not in (8, 16) or not is_integer(activations):
            raise RangeError("activations", activations, "must be 16 or 8 bits")
        if not is_integer(threads) or not 1 <= threads <= kernel.MOST_THREADS:
            raise RangeError("threads", threads, f"must be a whole number from 1 to {kernel.MOST_THREADS}")
        self.model, self.config, self.activations, self.threads, self.nested = model, model.config, int(activations), int(threads), bool(nested)
        self._beside, self._lock, self._process, self._planes = beside, threading.Lock(), os.getpid(), 0
        self._scores = np.zeros(0, np.float32)
        if model.config.experts:
            raise ModelError("the engine runs no model with experts; gnosis.lm.Model does")
        self._turns = _turns(model)
        matrices, vectors = _parts(model)
        if nested and not any(w.encoding == "Q8_0" for _, name, w in matrices if name != "head"):
            raise ModelError("the nested code is one of Q8_0 blocks, and no matrix of a layer is coded so; gnosis.lm.equivalent.recoded codes a model anew")
        self.nbytes = sum(kernel.matrix_bytes(w.encoding, w.rows, w.columns) for _, _, w in matrices)
        self._kernel = _kernel(model, self.activations, self.threads, self.nbytes + sum(kernel.vector_bytes(len(v)) for _, _, v in vectors))
        try:
            if beside is not None:
                self._kernel.share(beside._kernel)
            for layer, name, weight in matrices:
                try:
                    self._kernel.put(layer, name, weight.encoding, weight.raw, weight.columns, nested and weight.encoding == "Q8_0")
                except NonFiniteError as error:
                    raise ModelError(f"tensor {weight.name!r}: a scale or weight of row {error.index} is not a finite number") from None
                _give_back(weight.raw)
            for layer, name, values in vectors:
                self._kernel.vector(layer, name, values)
            for layer in range(self.config.layers):
                window = self.config.window_of(layer)
                self._kernel.layer(layer, window, 1 if window else 0)
            embedding = model.weights["token_embd.weight"]
            self._kernel.embedding(embedding.encoding, embedding.raw)
        except BaseException:
            self.close()
            raise

    @classmethod
    def of_model(cls, model: Model, activations: int = 16, threads: int = 1, beside: Engine | None = None, nested: bool = False) -> Engine:
        """The engine of a reference model.

        activations: 16 bits, or 8, which moves results further (docs/engine.md).  threads: from 1 to 256.
        beside: an engine of as many threads, which this one uses too, so that those of one do not wait where the other works; calls of both wait for each other.
        nested: matrices of Q8_0 in two planes of four bits, of which `coarse` reads one; the same bytes, and the same bits of every result.
        RangeError; ModelError for a weight that is not finite, an architecture that only the reference path runs, or nested without a matrix of Q8_0; MemoryError.
        Promises: tested `tests/test_engine.py::test_two_planes_together_have_the_bits_of_q8_0_and_the_same_bytes`, `floats: engine.passes`.
        """
        return cls(model, activations, threads, beside, nested)

    @classmethod
    def load(cls, name: str, activations: int = 16, threads: int = 1) -> Engine:
        """`smollm2`, or the path of a .gguf file.  ModelError, RangeError."""
        return cls(Model.load(name), activations, threads)

    def coarse(self, head: bool = False) -> Engine:
        """The same engine, of whose nested matrices passes read the upper plane alone: weights d · (16 · u − 120.5) for codes q = 16 · u + l − 128.

        head: whether the output matrix too, where it is nested.  Weights, threads and lock are shared: nothing is copied, and `close` of one closes both.
        RangeError for an engine that is not nested.
        Promises: tested `tests/test_engine.py::test_the_upper_plane_alone`.
        """
        if not self.nested:
            raise RangeError("nested", False, "there is no upper plane to read alone; see Engine.of_model")
        other = copy(self)
        other._planes, other._beside = 2 if head else 1, self
        return other

    def close(self) -> None:
        """Give the weights' memory and the threads back.  Passes afterwards raise RangeError."""
        if hasattr(self, "_kernel"):
            with self.alone():
                self._kernel.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def cache(self, capacity: int | None = None) -> Cache:
        """An empty cache for `capacity` positions (the model's context when None).  RangeError."""
        return Cache(self.config, self.config.context if capacity is None else capacity)

    def prefill(self, tokens: Sequence[int] | np.ndarray, cache: Cache, logits: Logits = "last") -> Step:
        """Read tokens after those in the cache; the cache then holds them as well.

        tokens: numbers below the vocabulary.  Returns `Step`: hidden float32[t, width] after the last norm, logits float32[1 or t, vocabulary] or None.
        RangeError (a token, no room in the cache, a closed engine), EmptyError, DtypeError; NonFiniteError when a hidden state is not finite, the cache
        then being as before.
        """
        if logits not in ("last", "all", "none"):
            raise RangeError("logits", logits, "must be 'last', 'all' or 'none'")
        ids = checked_tokens(tokens, self.config.vocabulary)
        out = np.empty((len(ids) if logits == "all" else 1 if logits == "last" else 0, self.config.vocabulary), np.float32)
        hidden = self._run(ids, cache, out)
        return Step(hidden, None if logits == "none" else out)

    def decode(self, token: int, cache: Cache, logits: Literal["last", "none"] = "last") -> Step:
        """`prefill` of a single token."""
        return self.prefill([token], cache, logits)

    def greedy(self, tokens: Sequence[int] | np.ndarray, cache: Cache, want: int = 1) -> Greedy:
        """`prefill`, and of the logits of the last `want` tokens only the largest ones.  The errors of `prefill`; RangeError for want."""
        ids = checked_tokens(tokens, self.config.vocabulary)
        if not is_integer(want) or not 1 <= want <= len(ids):
            raise RangeError("want", want, f"must lie between 1 and the {len(ids)} tokens")
        out = np.empty((int(want), self.config.vocabulary), np.float32)
        hidden = self._run(ids, cache, out)
        return Greedy(*kernel.largest(out), hidden)

    def head(self) -> kernel.Head:
        """The output matrix as it is packed here, with the norms of its rows, for `gnosis.inference.ExactHead`; calls go under `alone`.  RangeError when closed."""
        weight = self.model.weights[self.model.head_name]
        with self.alone():
            return kernel.Head(weight.encoding, weight.raw, weight.columns, self._kernel)

    def _run(self, ids: np.ndarray, cache: Cache, out: np.ndarray) -> np.ndarray:
        c, start, end = self.config, cache.length, cache.length + len(ids)
        if cache.keys.shape != (c.layers, c.groups, cache.keys.shape[2], c.head):
            raise RangeError("cache", cache.keys.shape, "is one of a model of other sizes")
        if end > cache.capacity:
            raise RangeError("tokens", len(ids), f"the cache holds {start} of {cache.capacity} positions")
        with self.alone():
            if self._scores.size != self.threads * kernel.HEADS * cache.keys.shape[2]:
                self._scores = np.zeros(self.threads * kernel.HEADS * cache.keys.shape[2], np.float32)
            hidden = self._kernel.run(ids, cache.keys, cache.values, start, [turns.at(0, end) for turns in self._turns], self._scores, out, self._planes)
        cache.length = end
        return hidden

    def alone(self) -> threading.Lock:
        """The lock of this process: one that another thread held when the process was forked is never given back.

        Promises: tested `tests/test_engine.py::test_after_a_fork_the_child_goes_on`.
        """
        if self._beside is not None:
            return self._beside.alone()
        if self._process != os.getpid():
            self._lock, self._process = threading.Lock(), os.getpid()
        return self._lock


def _parts(model: Model) -> tuple[list[tuple[int, str, Weight]], list[tuple[int, str, np.ndarray]]]:
    """Every matrix and every vector of a model with its layer and place, in the order in which a pass reads them."""
    matrices, vectors = [], [(0, "output_norm", model.norms["output_norm.weight"])]
    for layer in range(model.config.layers):
        at = f"blk.{layer}."
        matrices += [(layer, name, model.weights[f"{at}{name}.weight"]) for name in kernel.MATRICES[:-1]]
        tensors = {name: at + (name if name.endswith(".bias") else name + ".weight") for name in kernel.VECTORS[:-1]}
        vectors += [(layer, name, model.norms[tensor]) for name, tensor in tensors.items() if tensor in model.norms]
    return [*matrices, (0, "head", model.weights[model.head_name])], vectors


def _kernel(model: Model, bits: int, threads: int, region: int) -> kernel.Engine:
    c = model.config
    try:
        return kernel.Engine(
            region,
            c.eps,
            c.scale,
            c.embedding_scale,
            c.neox,
            c.activation == "gelu",
            layers=c.layers,
            width=c.width,
            heads=c.heads,
            groups=c.groups,
            head=c.head,
            inner=c.inner,
            vocabulary=c.vocabulary,
            bits=bits,
            threads=threads,
        )
    except ArgumentError as error:
        raise ModelError(f"the engine does not run a model of these sizes: {error}") from None


def _turns(model: Model) -> list[Turns]:
    """The rotations of layers that see all positions, and of those with a window."""
    c = model.config
    turns = [Turns(frequencies(c.head, c.rope_base, c.rope_scale, model.norms.get(FREQUENCIES)))]
    return [*turns, Turns(frequencies(c.head, c.window_rope_base))] if c.window else turns


def _give_back(raw: np.ndarray) -> None:
    """Let the system take the pages of a mapped file: they were read once, and can be read again."""
    base: object = raw
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    if not isinstance(base, mmap.mmap) or not hasattr(mmap, "MADV_DONTNEED"):
        return
    start = raw.ctypes.data - np.frombuffer(base, np.uint8).ctypes.data
    page = mmap.PAGESIZE
    first, end = -(-start // page) * page, (start + raw.nbytes) // page * page
    if end > first:
        base.madvise(mmap.MADV_DONTNEED, first, end - first)
