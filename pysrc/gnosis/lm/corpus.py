"""Real text that is on every machine with this package: the descriptions of the installed Python distributions.

The same installed versions give the same text, and `Text.sha256` says which it was.
"""

from __future__ import annotations

import email
import hashlib
import importlib.metadata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import EmptyError
from ..files.inputs import read_text
from ..files.remote import Place
from .tokenizer import Tokenizer

SHORTEST = 1000  # characters of a document


@dataclass(frozen=True)
class Text:
    """Documents: (name, text) each, and the SHA-256 of all of them."""

    documents: tuple[tuple[str, str], ...]
    sha256: str

    @classmethod
    def of(cls, documents: list[tuple[str, str]]) -> Text:
        """EmptyError when there is no text at all."""
        kept = tuple((name, text) for name, text in documents if text.strip())
        if not kept:
            raise EmptyError("text", 0, "holds no text")
        digest = hashlib.sha256()
        for name, text in kept:
            for part in (name.encode(), text.encode("utf-8", "surrogatepass")):
                digest.update(len(part).to_bytes(8, "little") + part)
        return cls(kept, digest.hexdigest())


def installed() -> Text:
    """Descriptions of 1000 characters or more of the installed distributions but this one, by name."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        # read from the file itself: libraries that replace the finder of distributions hand the description over elsewhere
        message = email.message_from_string(distribution.read_text("METADATA") or "")
        name, body = str(message["Name"]), message.get_payload()
        if name != "gnosis-gates" and isinstance(body, str) and len(body) >= SHORTEST:
            found[f"{name} {distribution.version}"] = body
    return Text.of(sorted(found.items()))


def files(paths: Sequence[Place]) -> Text:
    """The text of files, in the order given.  OSError, ArgumentError, EmptyError."""
    return Text.of([(path.name, read_text(path, "text")) for path in paths])


def passages(text: Text, tokenizer: Tokenizer, length: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Passages of at most `length` tokens, each of one document, in an order drawn with `rng`; none twice.

    Promises: tested `tests/test_lm.py::test_passages_are_those_of_the_seed`.
    """
    ids = [tokenizer.encode(body) for _, body in text.documents]
    cuts = [(i, at) for i, tokens in enumerate(ids) for at in range(0, len(tokens), length)]
    for k in rng.permutation(len(cuts)):
        i, at = cuts[k]
        yield ids[i][at : at + length]
