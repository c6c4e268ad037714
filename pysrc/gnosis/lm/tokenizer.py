"""The tokenizer that a GGUF file carries: byte-level BPE (model gpt2) or the pieces of SentencePiece (model llama).

Text is cut into tokens by the library `tokenizers`, set up from the file's own data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RangeError
from ..files.inputs import shown
from ..models.files import ModelError
from ..numbers.exact import is_integer

if TYPE_CHECKING:
    import tokenizers

# Types of tokens.  Marks stand in a text as they are written, and are never made of pieces.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
MARKS = (UNKNOWN, CONTROL, USER_DEFINED)
SPACE = "▁"  # stands for a space in pieces of SentencePiece
BYTE_TOKEN = re.compile(r"<0x[0-9A-Fa-f]{2}>")

_CONTRACTIONS, _WORD, _OTHER = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"[^\r\n\p{L}\p{N}]?\p{L}+", r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_OTHER}"
_QWEN2 = rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_OTHER}"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_TEKKEN = rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"

# tokenizer.ggml.pre → how text is cut before pieces are joined (None: as GPT-2 does), whether digits stand alone first, whether a cut that
# is a token is not taken apart, whether a text begins with a mark where the file does not say
PRE: dict[str, tuple[str | None, bool, bool, bool]] = {
    "gpt-2": (None, False, False, False),
    "smollm": (None, True, False, False),
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral"), (_LLAMA3, False, True, True)),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), (_QWEN2, False, False, False)),
    "tekken": (_TEKKEN, False, True, True),
}

# Forms of a chat, by the mark that shows them: what stands before and after a message, and the mark that ends an answer
_CHATML = ("<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n", "<|im_end|>")
FORMS = {
    "<|im_start|>": _CHATML,
    "<start_of_turn>": ("<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n", "<end_of_turn>"),
    "<|start_header_id|>": ("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"),
    "[INST]": ("[INST] ", " [/INST]", "</s>"),
}
SMOLLM = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"


class UnsupportedTokenizer(ModelError):
    """The file's tokenizer is of a kind that is not known, or the library that would run it is not there."""


class Tokenizer:
    """Text to token numbers and back.

    metadata: of the GGUF file; models "gpt2", with a pre-tokenizer of `PRE`, and "llama" are known.
    tokens: their texts.  begin, end: marks of a text, None where there is none.  ends: every token after which nothing is written.
    adds_begin, adds_end: whether a text has these marks where it is whole.
    Raises ModelError, also when the package `tokenizers` is not installed.
    """

    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata
        self.kind, pre = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre", "gpt-2")
        if self.kind == "gpt2" and pre not in PRE:
            raise UnsupportedTokenizer(
                f"tokenizer.ggml.pre {_said(pre)} of tokenizer.ggml.model 'gpt2' is not supported, only {', '.join(PRE)}: another one needs the "
                "expression by which it cuts text; --tokens takes numbers instead of text"
            )
        if self.kind not in ("gpt2", "llama"):
            raise UnsupportedTokenizer(
                f"tokenizer.ggml.model {_said(self.kind)} is not supported, only 'gpt2' and 'llama'; --tokens takes numbers instead of text"
            )
        self.tokens: list[str] = self._strings("tokens")
        self.types = self._numbers("token_type", "iu", np.full(len(self.tokens), NORMAL))
        byte_level = self.kind == "gpt2"
        self.begin, self.end = self._mark("bos", None if byte_level else 1), self._mark("eos", None if byte_level else 2)
        self.adds_begin, self.adds_end = self._flag("add_bos_token", PRE[pre][3] if byte_level else True), self._flag("add_eos_token", False)
        self.adds_space = not byte_level and self._flag("add_space_prefix", True)
        if self.adds_begin and self.begin is None:
            raise ModelError("tokenizer.ggml.bos_token_id is missing, and a text begins with it (tokenizer.ggml.add_bos_token)")
        if self.adds_end and self.end is None:
            raise ModelError("tokenizer.ggml.eos_token_id is missing, and a text ends with it (tokenizer.ggml.add_eos_token)")
        numbers = {token: i for i, token in enumerate(self.tokens)}
        self.form = self._form(numbers)
        marks = {self.end, self._mark("eot", None), self._mark("eom", None), numbers.get(self.form[2]) if self.form else None}
        self.ends = frozenset(mark for mark in marks if mark is not None)
        self._numbers_of, self._pre = numbers, pre
        self._set_up: tokenizers.Tokenizer | None = None
        if byte_level:
            self._set_up = self._byte_level()
        else:
            self._check_pieces()

    def encode(self, text: str, whole: bool = False) -> list[int]:
        """Token numbers of a text; marks such as <|im_start|> become themselves.

        whole: with the marks that the model wants at the beginning and at the end of a text.
        Bytes that a vocabulary of model gpt2 cannot spell are left out, as elsewhere; `decode` then gives another text.  RangeError for what is no Unicode text.
        """
        if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
            raise RangeError("text", text, "not Unicode text")
        ids = list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return [*self.opening(), *ids, *([self.end] if self.adds_end and self.end is not None else [])] if whole else ids

    def opening(self) -> list[int]:
        """The mark that a text begins with, where the model wants one."""
        return [self.begin] if self.adds_begin and self.begin is not None else []

    def decode(self, tokens: Sequence[int], start: bool = True) -> str:
        """The text of tokens.  start: whether they are the beginning of a text, to which a vocabulary of model llama adds a space.  RangeError."""
        for i, token in enumerate(tokens):
            if not 0 <= token < len(self.tokens):
                raise RangeError("tokens", token, f"the vocabulary has {len(self.tokens)} tokens", i)
        if self.kind == "gpt2":
            return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))
        text = b"".join(map(self._bytes, tokens)).decode("utf-8", "replace")
        return text[1:] if start and self.adds_space and text.startswith(" ") and self.types[tokens[0]] not in MARKS else text

    def chat(self, prompt: str) -> list[int]:
        """A user's message in the form of the instruct models, up to where the answer begins; the text as it is where the file has no form."""
        if self.form is None:
            return [*self.opening(), *self.encode(prompt)]
        before, after, _ = self.form
        return [*self.opening(), *self.encode((SMOLLM if self.metadata.get("tokenizer.ggml.pre") == "smollm" else "") + before + prompt + after)]

    # ---- what the file holds, checked ----

    def _strings(self, key: str) -> list[str]:
        value = self.metadata.get(f"tokenizer.ggml.{key}")
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ModelError(f"tokenizer.ggml.{key} is {'missing' if value is None else 'not a list of strings'}")
        return value

    def _numbers(self, key: str, kinds: str, default: np.ndarray | None) -> np.ndarray:
        """A number for each token."""
        value = self.metadata.get(f"tokenizer.ggml.{key}", default)
        if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds or value.shape != (len(self.tokens),):
            raise ModelError(f"tokenizer.ggml.{key} is {'missing' if value is None else f'not a list of {len(self.tokens)} numbers'}")
        return value

    def _mark(self, name: str, default: int | None) -> int | None:
        value = self.metadata.get(f"tokenizer.ggml.{name}_token_id", default)
        if value is not None and not (is_integer(value) and 0 <= value < len(self.tokens)):
            raise ModelError(f"tokenizer.ggml.{name}_token_id = {_said(value)} is none of the {len(self.tokens)} tokens")
        return None if value is None else int(value)

    def _flag(self, key: str, default: bool) -> bool:
        value = self.metadata.get(f"tokenizer.ggml.{key}", default)
        if not isinstance(value, bool):
            raise ModelError(f"tokenizer.ggml.{key} = {_said(value)} is not a truth value")
        return value

    def _form(self, numbers: dict[str, int]) -> tuple[str, str, str] | None:
        """How messages are marked: by the chat's template, or by the one mark that every model of the kind has."""
        template = self.metadata.get("tokenizer.chat_template")
        if isinstance(template, str):
            return next((form for mark, form in FORMS.items() if mark in template), None)
        return _CHATML if "<|im_start|>" in numbers else None

    # ---- the library, set up ----

    @property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        """The library's; for model llama it is made when a text is first cut, which takes seconds for a long vocabulary."""
        if self._set_up is None:
            self._set_up = self._pieces()
        return self._set_up

    def _byte_level(self) -> tokenizers.Tokenizer:
        t = _library()
        pattern, digits, whole, _ = PRE[self._pre]
        merges = [tuple(pair.split(" ", 1)) for pair in self._strings("merges")]
        out = self._with_marks(merges, "tokenizer.ggml.merges", ignore_merges=whole)
        steps = [t.pre_tokenizers.Digits(individual_digits=True)] if digits else []
        if pattern is not None:
            steps.append(t.pre_tokenizers.Split(t.Regex(pattern), "isolated"))
        out.pre_tokenizer = t.pre_tokenizers.Sequence([*steps, t.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pattern is None)])
        out.decoder = t.decoders.ByteLevel()
        return out

    def _check_pieces(self) -> None:
        scores = self._numbers("scores", "fiu", None)
        if not np.isfinite(scores).all():
            raise ModelError(f"tokenizer.ggml.scores: {scores[~np.isfinite(scores)][0]} is not a finite number")
        missing = next((byte for byte in range(256) if f"<0x{byte:02X}>" not in self._numbers_of), None)
        if missing is not None:
            raise ModelError(f"tokenizer.ggml.tokens lack the byte <0x{missing:02X}>")
        wrong = next((i for i in np.flatnonzero(self.types == BYTE).tolist() if not BYTE_TOKEN.fullmatch(self.tokens[i])), None)
        if wrong is not None:
            raise ModelError(f"tokenizer.ggml.tokens: token {wrong} is {_said(self.tokens[wrong])}, and no byte as its type says")

    def _pieces(self) -> tokenizers.Tokenizer:
        """Two neighbours become one piece in the order of the scores of what they become, so that every cut of a piece in two pieces is a merge."""
        t, numbers, scores = _library(), self._numbers_of, self._numbers("scores", "fiu", None).tolist()
        # a token that is a mark is found in the text before, but for runs of spaces, which are written otherwise there
        types = self.types.tolist()
        pieces = sorted(
            (i for i, token in enumerate(self.tokens) if len(token) > 1 and types[i] not in (CONTROL, UNKNOWN, BYTE)), key=lambda i: (-scores[i], i)
        )
        merges = [
            (token[:cut], token[cut:])
            for token in (self.tokens[i] for i in pieces)
            for cut in range(1, len(token))
            if token[:cut] in numbers and token[cut:] in numbers
        ]
        out = self._with_marks(merges, "tokenizer.ggml.scores", byte_fallback=True)
        steps = [t.normalizers.Prepend(SPACE)] if self.adds_space else []
        out.normalizer = t.normalizers.Sequence([*steps, t.normalizers.Replace(" ", SPACE)])
        return out

    def _with_marks(self, merges: list[Any], key: str, **options: bool) -> tokenizers.Tokenizer:
        t = _library()
        try:
            out = t.Tokenizer(t.models.BPE(vocab=self._numbers_of, merges=merges, **options))
        except Exception as error:  # the library raises nothing more special for a vocabulary that does not fit its merges
            raise ModelError(f"{key} does not fit tokenizer.ggml.tokens: {shown(error)}") from None
        marks = [(self.tokens[i], self.types[i]) for i in np.flatnonzero(np.isin(self.types, MARKS)) if self.tokens[i]]
        out.add_special_tokens([t.AddedToken(token, special=True, normalized=False) for token, kind in marks])
        return out

    def _bytes(self, token: int) -> bytes:
        text, kind = self.tokens[token], self.types[token]
        if kind == BYTE:
            return bytes([int(text[3:5], 16)])
        return (text if kind in MARKS else text.replace(SPACE, " ")).encode("utf-8", "surrogatepass")


class Numbers(Tokenizer):
    """In place of a tokenizer that is not supported: tokens are numbers, and text is refused with the reason."""

    def __init__(self, metadata: dict[str, Any], reason: UnsupportedTokenizer) -> None:
        tokens, end = metadata.get("tokenizer.ggml.tokens"), metadata.get("tokenizer.ggml.eos_token_id")
        self.tokens = tokens if isinstance(tokens, list) else []
        self.begin, self.end = None, int(end) if end is not None and is_integer(end) else None
        self.adds_begin = self.adds_end = False
        self.ends, self.form, self.reason = frozenset() if self.end is None else frozenset({self.end}), None, reason

    def encode(self, text: str, whole: bool = False) -> list[int]:
        """ModelError, always.

        Promises: tested `tests/test_tokenizers.py::test_wrong_calls`.
        """
        raise self.reason

    def decode(self, tokens: Sequence[int], start: bool = True) -> str:
        """The numbers, with spaces between them and before the first unless it is the start of a text."""
        return ("" if start else " ") + " ".join(map(str, tokens)) if tokens else ""


def tokenizer_of(metadata: dict[str, Any]) -> Tokenizer:
    """The tokenizer of a file, or `Numbers` where it is not supported.  ModelError for one that contradicts itself."""
    try:
        return Tokenizer(metadata)
    except UnsupportedTokenizer as error:
        return Numbers(metadata, error)


def _library() -> Any:
    try:
        import tokenizers
        import tokenizers.decoders
        import tokenizers.models
        import tokenizers.normalizers
        import tokenizers.pre_tokenizers
    except ImportError:
        raise UnsupportedTokenizer("the package 'tokenizers' is not installed; run: pip install 'gnosis-gates[models]'") from None
    return tokenizers


def _said(value: object) -> str:
    return shown(repr(value))
