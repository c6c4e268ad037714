"""Small vocabularies of every kind, learned from a few lines of text, and strings that are awkward to cut."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import tiny_models
from tiny_llama import alphabet

TEXT = """The cat sat on the mat, and the other cat sat on the other mat.  It's what they've done since 1999 or 12345678, 123 123 12 12 333 33 33 1 2 3.
    def add(first, second):
        return first + second   # the sum of the two

She'll say "I'm here" -- don't they? HELLO Hello hello helloWorld HTTPRequest. The theory of the thing... !!! ??? naïve café über Straße
\tdas ist нещо на български, 你好 你好, and 3.14159 26535; the the the then there these
"""
STRINGS = (
    "",
    " ",
    "  ",
    "a",
    " a",
    "  a  b   c ",
    "Hello world",
    " Hello",
    "Hello, y'all! How are you 😁 ?我想在apple工作1314151天～",
    "ied 4 ½ months",
    "\t\n \r\n\n x\n\n\ny",
    "3 33 333 3333 12345678",
    "Cửa Việt",
    "нещо на Български",
    "កាន់តែពិសេស",
    "🚀 😶‍🌫️ ✅",
    "'re'VE I'll don'T we'd'm IT'S",
    "naïve café — “quotes”…",
    "a\u0301e\u0300",
    "def f(self, *args)->None:\n    return {'x': [1,2.5e-3]}",
    "<|end|>the<|end|> the <|end|>",
    "<s>the</s> the<tool> the",
    "▁the ▁ y",
    "\x00\x01\x7f",
    "ＡＢＣ　全角",
    "\u200b\ufeffzero",
    "=======  ------ ......",
    "İstanbul ſ ß",
    "１２３ ٣٤",
    "\n\n\n",
    "     x",
    "<0x41><unk>",
    "XMLHttpRequest fooBAR ABCdef/ghi",
    "the\nthe \n the\r\nthe",
    "don’t",
    "thethethe ththe",
    "(the -the we'VE the.\n\n./ HeLLo",
)


def _learn(words: list[list[str]], count: int) -> list[tuple[str, str]]:
    """The merges of byte-pair encoding: the most frequent pair of neighbours first, the least in order on ties."""
    frequent = Counter(map(tuple, words))
    merges = []
    for _ in range(count):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, times in frequent.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        joined: Counter[tuple[str, ...]] = Counter()
        for word, times in frequent.items():
            out, i = [], 0
            while i < len(word):
                both = word[i : i + 2] == best
                out.append(word[i] + word[i + 1] if both else word[i])
                i += 1 + both
            joined[tuple(out)] += times
        frequent = joined
    return merges


def _words() -> list[str]:
    # some that only one way of cutting leaves together
    return re.findall(r" ?\w+|\s+|[^\w\s]+", TEXT) + 4 * ["'VE", "(the", ".\n", "./", " the\n", "HeLL"]


def byte_level(pre: str, **keys: Any) -> dict[str, Any]:
    """A vocabulary of model gpt2."""
    letters = alphabet()[1:257]
    merges = _learn([[letters[byte] for byte in word.encode()] for word in _words()], 220)
    tokens = ["<|endoftext|>", *letters, *dict.fromkeys(a + b for a, b in merges), "<|end|>", "<tool>"]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": [f"{a} {b}" for a, b in merges],
        "tokenizer.ggml.token_type": [3, *[1] * (len(tokens) - 3), 3, 4],
        "tokenizer.ggml.eos_token_id": 0,
        "tokenizer.ggml.bos_token_id": 0,
        **keys,
    }


def pieces(**keys: Any) -> dict[str, Any]:
    """A vocabulary of model llama."""
    words = [word.replace(" ", "▁") for word in _words()]
    merges = [a + b for a, b in _learn([list(word) for word in words], 260)]
    letters = sorted({letter for word in words for letter in word})
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *dict.fromkeys([*merges, "▁▁▁", "▁▁"]), *letters, "<tool>"]
    first = 259
    scores = [0.0] * first + [-float(i) for i in range(len(tokens) - first)]
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": [2, 3, 3, *[6] * 256, *[1] * (len(tokens) - first - 1), 4],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        **keys,
    }


VOCABULARIES = {
    **{pre: byte_level(pre) for pre in ("gpt-2", "smollm", "llama-bpe", "qwen2", "tekken")},
    "llama-bpe-without-mark": byte_level("llama-bpe", **{"tokenizer.ggml.add_bos_token": False}),
    "qwen2-with-mark": byte_level("qwen2", **{"tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.add_eos_token": True}),
    "pieces": pieces(),
    "pieces-without-space": pieces(**{"tokenizer.ggml.add_space_prefix": False}),
    "pieces-without-mark": pieces(**{"tokenizer.ggml.add_bos_token": False, "tokenizer.ggml.add_eos_token": True}),
}


def write(path: Path, name: str) -> Path:
    """A file with a vocabulary and next to nothing else."""
    values = {f"llama.{key}": value for key, value in tiny_models.keys("llama").items() if key != "vocab_size"} | VOCABULARIES[name]
    tiny_models.write_file(path, "llama", values, {"token_embd.weight": np.ones((1, 32), np.float32)})
    return path
