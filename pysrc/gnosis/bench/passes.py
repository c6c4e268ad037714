"""A language model's passes: the compiled engine against the reference path, against llama.cpp, and against itself with fewer tokens."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core import stream
from ..engine import Engine
from ..lm import Model
from . import peers
from .harness import BenchError, Case, Skipped, threads

CODES = ("Q8_0", "Q4_0", "F16")
PROMPT, WRITTEN, PAST = 256, 16, 32  # tokens of a prompt, tokens written in a run, tokens before them
FEW = 8  # tokens of a pass that checks a draft
TODAY = "today, the reference path"
AGREE = 0.75  # least share of the likeliest tokens that two sides have in common; theirs has activations of 8 bits


class Llama:
    """llama.cpp by its own functions: one sequence, tokens given, logits of the last one.

    path: a .gguf file.  many: how many of them.  Keys and values in float32, as ours.
    """

    def __init__(self, api: Any, path: Path, many: int, context: int) -> None:
        self.api = api
        self._quiet = api.llama_log_callback(lambda level, text, data: None)  # kept: it is called as long as the library lives
        api.llama_log_set(self._quiet, ctypes.c_void_p(0))
        api.llama_backend_init()
        self.model = api.llama_model_load_from_file(str(path).encode(), api.llama_model_default_params())
        if not self.model:
            raise BenchError(f"llama.cpp does not load {path}")
        params = api.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = context
        params.n_threads = params.n_threads_batch = many
        params.type_k = params.type_v = 0
        self.context = api.llama_init_from_model(self.model, params)
        self.batch = api.llama_batch_init(context, 0, 1)
        self.vocabulary = api.llama_vocab_n_tokens(api.llama_model_get_vocab(self.model))

    def read(self, tokens: np.ndarray, past: int) -> None:
        """One pass over tokens after `past` others; what stood there is forgotten."""
        batch = self.batch
        self.api.llama_memory_seq_rm(self.api.llama_get_memory(self.context), 0, past, -1)
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = int(token), past + i, 1, i == len(tokens) - 1
            batch.seq_id[i][0] = 0
        if self.api.llama_decode(self.context, batch):
            raise BenchError("llama.cpp does not decode the prompt")
        self.api.llama_synchronize(self.context)

    def best(self) -> int:
        """The likeliest token after the last one."""
        return int(np.ctypeslib.as_array(self.api.llama_get_logits_ith(self.context, -1), (self.vocabulary,)).argmax())

    def close(self) -> None:
        self.api.llama_batch_free(self.batch)
        self.api.llama_free(self.context)
        self.api.llama_model_free(self.model)


def pass_cases(made: Callable[[str], Path | str]) -> Iterator[Case | Skipped]:
    """The comparisons.  made: the file of smollm2 in a code, or why there is none."""
    api = peers.LLAMA.load()
    for code in CODES:
        path = made(code)
        if isinstance(path, str):
            yield from (Skipped(work, peer, path) for work in _works(code) for peer in ("llama.cpp", TODAY))
            continue
        model = Model.load(str(path))
        tokens = _text(model)
        for many in (1, 2) if threads() >= 2 else (1,):
            yield from _cases(code, model, tokens, many, f"{api}" if isinstance(api, str) else Llama(api, path, many, PROMPT + PAST))


def _works(code: str) -> tuple[str, ...]:
    return (f"decode {code.lower()}", *([f"prompt {PROMPT} {code.lower()}"] if code != "F16" else []))


def _text(model: Model) -> np.ndarray:
    """int64[PROMPT]: a prompt, repeated."""
    ids = model.tokenizer.encode("The kernels of a language model multiply whole numbers, and every sum has one order. ")
    return np.resize(np.array(ids, np.int64), PROMPT)


def _cases(code: str, model: Model, tokens: np.ndarray, many: int, llama: Llama | str) -> Iterator[Case | Skipped]:
    """With so many threads.  The caches of all sides hold the first PAST tokens; each run goes on from there."""
    suffix = "" if many == 1 else ", two threads"
    with Engine.of_model(model, 16, many) as engine, ThreadPoolExecutor(many) as pool:
        ours, theirs = engine.cache(PROMPT + PAST), model.cache(PROMPT + PAST)
        engine.prefill(tokens[:PAST], ours, "none")
        model.prefill(tokens[:PAST], theirs, "none")
        parts = [np.zeros(engine.nbytes // many, np.uint8) + 1 for _ in range(many)]

        def reading(times: int) -> Callable[[int], Any]:
            return lambda _: [list(pool.map(stream.read, parts)) for _ in range(times)]

        def writing(side: Any, cache: Any, count: int = WRITTEN) -> list[int]:
            cache.truncate(PAST)
            return [int(side.decode(int(t), cache).logits.argmax()) for t in tokens[PAST : PAST + count]]

        def prompt(side: Any, cache: Any, count: int = PROMPT) -> int:
            cache.truncate(0)
            return int(side.prefill(tokens[:count], cache).logits.argmax())

        for work in _works(code):
            decode = work.startswith("decode")
            run = writing if decode else prompt
            calls, times = (WRITTEN, WRITTEN) if decode else (1, -(-PROMPT // 64))
            say = work + suffix
            moved = engine.nbytes * times
            if many == 1:
                _agree(say, TODAY, np.atleast_1d(run(engine, ours)), np.atleast_1d(run(model, theirs)))
                yield Case(say, TODAY, moved, moved, partial(_on, run, engine, ours), partial(_on, run, model, theirs), reading(times), 1, calls, many)
            if isinstance(llama, str):
                yield Skipped(say, "llama.cpp", llama)
                continue
            there = _llama_run(llama, tokens, decode)
            _agree(say, "llama.cpp", np.atleast_1d(run(engine, ours)), np.atleast_1d(there()))
            yield Case(say, f"llama.cpp, {code}", moved, moved, partial(_on, run, engine, ours), partial(_on, there), reading(times), 1, calls, many)

        def few(count: int) -> Any:
            ours.truncate(PAST)
            return engine.greedy(tokens[PAST : PAST + count], ours, count)

        few(FEW)
        yield Case(
            f"a pass of {FEW} {code.lower()}{suffix}",
            "a pass of one",
            engine.nbytes,
            engine.nbytes,
            lambda _: few(FEW),
            lambda _: few(1),
            reading(1),
            1,
            1,
            many,
        )
    if not isinstance(llama, str):
        llama.close()


def _on(run: Callable[..., Any], *rest: Any) -> Any:
    """A run, whatever part of the data it is asked for (the last of `rest`)."""
    return run(*rest[:-1])


def _llama_run(llama: Llama, tokens: np.ndarray, decode: bool) -> Callable[[], list[int] | int]:
    llama.read(tokens[:PAST], 0)

    def written() -> list[int]:
        out = []
        for i in range(PAST, PAST + WRITTEN):
            llama.read(tokens[i : i + 1], i)
            out.append(llama.best())
        return out

    def prompt() -> int:
        llama.read(tokens, 0)
        return llama.best()

    return written if decode else prompt


def _agree(work: str, peer: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    if (ours == theirs).mean() < AGREE:
        raise BenchError(f"{work}: the likeliest tokens are {ours.tolist()} here, {theirs.tolist()} of {peer}")
