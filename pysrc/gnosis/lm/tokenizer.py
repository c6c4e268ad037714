"""The tokenizer that a GGUF file carries: byte-level BPE."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import RangeError
from ..models.files import ModelError
from ..numbers.exact import is_integer

CONTROL = 3             # token type: a mark, never a piece of text


class Tokenizer:
    """Text to token numbers and back.

    metadata: of the GGUF file; only models "gpt2" with the pre-tokenizers "smollm" and "gpt-2" are known.
    Raises ModelError, also when the package `tokenizers` is not installed.
    """

    def __init__(self, metadata: dict[str, Any]) -> None:
        try:
            from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
        except ImportError:
            raise ModelError("the package 'tokenizers' is not installed; run: pip install 'gnosis-gates[models]'") from None
        kind, pre = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre", "gpt-2")
        if kind != "gpt2" or pre not in ("smollm", "gpt-2"):
            raise ModelError(f"tokenizer.ggml.model {kind!r} with tokenizer.ggml.pre {pre!r}: only byte-level BPE 'gpt2' with 'smollm' or 'gpt-2' is known")
        for key in ("tokens", "merges"):
            value = metadata.get(f"tokenizer.ggml.{key}")
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise ModelError(f"tokenizer.ggml.{key} is {'missing' if value is None else 'not a list of strings'}")
        self.tokens: list[str] = metadata["tokenizer.ggml.tokens"]
        merges = [tuple(pair.split(" ", 1)) for pair in metadata["tokenizer.ggml.merges"]]
        try:
            self._tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(self.tokens)}, merges=merges))
        except Exception as error:     # the library raises nothing more special for a vocabulary that does not fit its merges
            raise ModelError(f"tokenizer.ggml.merges does not fit tokenizer.ggml.tokens: {error}") from None
        steps = [pre_tokenizers.Digits(individual_digits=True)] if pre == "smollm" else []
        self._tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
        self._tokenizer.decoder = decoders.ByteLevel()
        types = metadata.get("tokenizer.ggml.token_type", ())
        if not isinstance(types, (tuple, np.ndarray)) or len(types) > len(self.tokens):
            raise ModelError(f"tokenizer.ggml.token_type is not a list of at most {len(self.tokens)} numbers")
        self._tokenizer.add_special_tokens([AddedToken(self.tokens[i], special=True, normalized=False) for i, t in enumerate(types) if t == CONTROL])
        self.end: int | None = metadata.get("tokenizer.ggml.eos_token_id")
        if self.end is not None and not (is_integer(self.end) and 0 <= self.end < len(self.tokens)):
            raise ModelError(f"tokenizer.ggml.eos_token_id = {self.end!r} is none of the {len(self.tokens)} tokens")

    def encode(self, text: str) -> list[int]:
        """Token numbers of a text; marks such as <|im_start|> become themselves.

        Bytes that the vocabulary cannot spell are left out, as elsewhere; `decode` then gives another text.  RangeError for what is no Unicode text.
        """
        if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
            raise RangeError("text", text, "not Unicode text")
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))

    def chat(self, prompt: str, system: str = "You are a helpful AI assistant named SmolLM, trained by Hugging Face") -> list[int]:
        """A user's message in the ChatML form of the instruct models, up to where the answer begins."""
        return self.encode(f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n")
