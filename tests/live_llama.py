"""llama.cpp by the package llama-cpp-python: logits and tokens of a GGUF file, in float32 as far as it has them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import numpy as np

VERSION = "0.3.36"


def installed() -> bool:
    """Whether the version is there whose answers are recorded."""
    from importlib import metadata

    try:
        return metadata.version("llama-cpp-python") == VERSION
    except metadata.PackageNotFoundError:
        return False


class Llama:
    """An open model.  vocabulary_only: only to tokenize."""

    def __init__(self, path: Path, vocabulary_only: bool = False) -> None:
        import llama_cpp

        self.api = llama_cpp
        self.quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
        llama_cpp.llama_log_set(self.quiet, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        params = llama_cpp.llama_model_default_params()
        params.vocab_only = vocabulary_only
        self.model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        if not self.model:
            raise RuntimeError(f"{path}: llama.cpp does not load it")
        self.vocab = llama_cpp.llama_model_get_vocab(self.model)

    def tokenize(self, text: str, beginning: bool = False, marks: bool = True) -> list[int]:
        data = text.encode()
        room = (ctypes.c_int32 * (len(data) + 16))()
        count = self.api.llama_tokenize(self.vocab, data, len(data), room, len(room), beginning, marks)
        if count < 0:
            raise RuntimeError(f"{text!r}: {count}")
        return list(room[:count])

    def logits(self, tokens: Sequence[int], threads: int = 1) -> np.ndarray:
        """float32[tokens, vocabulary] of one pass, keys and values in float32."""
        api = self.api
        params = api.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = max(len(tokens), 64)
        params.n_threads = params.n_threads_batch = threads
        params.type_k = params.type_v = 0
        params.flash_attn_type = 0
        context = api.llama_init_from_model(self.model, params)
        batch = api.llama_batch_init(len(tokens), 0, 1)
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = token, i, 1, 1
            batch.seq_id[i][0] = 0
        if api.llama_decode(context, batch):
            raise RuntimeError("llama.cpp does not decode it")
        many = api.llama_vocab_n_tokens(self.vocab)
        out = np.stack([np.ctypeslib.as_array(api.llama_get_logits_ith(context, i), (many,)).copy() for i in range(len(tokens))])
        api.llama_batch_free(batch)
        api.llama_free(context)
        return out
