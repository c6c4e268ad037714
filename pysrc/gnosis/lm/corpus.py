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

from ..errors import ArgumentError, EmptyError, RangeError
from ..files.inputs import quoted, read_lines, read_text
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


@dataclass(frozen=True)
class Numbered:
    """Documents whose tokens are given: (name, numbers) each, and the SHA-256 of all of them."""

    documents: tuple[tuple[str, tuple[int, ...]], ...]
    sha256: str


def numbers(path: Place) -> list[list[int]]:
    """Token numbers of a file: a document a line, with spaces or commas between them.

    OSError; ArgumentError naming file and line for anything else, and for a file without two tokens in a line.
    """
    found: list[list[int]] = []
    for number, line in enumerate(read_lines(path, "tokens"), 1):
        words = line.replace(",", " ").split()
        wrong = next((word for word in words if not (word.isascii() and word.isdigit() and len(word) < 10)), None)
        if wrong is not None:
            raise ArgumentError("tokens", path, f"line {number}: {quoted(wrong)} is not a whole number")
        found.append([int(word) for word in words])
    if max(map(len, found), default=0) < 2:
        raise ArgumentError("tokens", path, "no line has two tokens")
    return found


def known(path: Place, documents: list[list[int]], vocabulary: int) -> None:
    """RangeError naming file and line for a number that is no token of the vocabulary."""
    for number, ids in enumerate(documents, 1):
        if max(ids, default=0) >= vocabulary:
            raise RangeError("tokens", path, f"line {number}: {max(ids)} is no token of a vocabulary of {vocabulary}")


def numbered(path: Place, found: list[list[int]], vocabulary: int) -> Numbered:
    """The documents that `numbers` found in a file, named by their lines.  The errors of `known`."""
    known(path, found, vocabulary)
    digest = hashlib.sha256("".join(" ".join(map(str, ids)) + "\n" for ids in found).encode()).hexdigest()
    return Numbered(tuple((f"{path.name}:{number}", tuple(ids)) for number, ids in enumerate(found, 1) if ids), digest)


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


def passages(text: Text | Numbered, tokenizer: Tokenizer, length: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Passages of at most `length` tokens, each of one document, in an order drawn with `rng`; none twice.

    Promises: tested `tests/test_lm.py::test_passages_are_those_of_the_seed`.
    """
    ids = [tokenizer.encode(body) if isinstance(body, str) else list(body) for _, body in text.documents]
    cuts = [(i, at) for i, tokens in enumerate(ids) for at in range(0, len(tokens), length)]
    for k in rng.permutation(len(cuts)):
        i, at = cuts[k]
        yield ids[i][at : at + length]
