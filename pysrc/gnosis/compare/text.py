"""The text that two models are compared on, as passages: what is drawn, and what counts as one observation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import ArgumentError, EmptyError, RangeError
from ..files.inputs import read_lines, shown
from ..lm.corpus import Text
from ..lm.tokenizer import Numbers, Tokenizer


@dataclass(frozen=True)
class Passage:
    """Neighbouring tokens of one document.

    document: its name.  at: number of its first token in the document.  tokens: with the mark that a text opens with, where the model wants one; a
    position is a token whose next one is known, so there is one position fewer.
    """

    document: str
    at: int
    tokens: tuple[int, ...]

    @property
    def positions(self) -> int:
        return len(self.tokens) - 1


def cut(document: str, tokens: list[int], length: int, opening: list[int]) -> Iterator[Passage]:
    """Passages of at most `length` tokens, the opening included; a rest of a single token has no position and is left out."""
    step = length - len(opening)
    for at in range(0, len(tokens), step):
        piece = (*opening, *tokens[at : at + step])
        if len(piece) > 1:
            yield Passage(document, at, piece)


def of_text(text: Text, tokenizer: Tokenizer | Numbers, length: int) -> list[Passage]:
    """Every passage of a text.  EmptyError where no passage has a position; errors of the tokenizer."""
    opening = tokenizer.opening()
    return _some([passage for name, body in text.documents for passage in cut(name, tokenizer.encode(body), length, opening)], "text")


def of_numbers(path: Path, vocabulary: int, length: int) -> list[Passage]:
    """Passages of a file of token numbers: a document a line, numbers with spaces or commas between them; nothing is put before them.

    OSError; ArgumentError naming the line for what is no token of the vocabulary; EmptyError.
    """
    found: list[Passage] = []
    for number, line in enumerate(read_lines(path, "tokens"), 1):
        ids = []
        for word in line.replace(",", " ").split():
            if not (word.isascii() and word.isdigit() and len(word) < 10):
                raise ArgumentError("tokens", word, f"line {number} of {shown(path)}: not a whole number")
            if int(word) >= vocabulary:
                raise RangeError("tokens", int(word), f"line {number} of {shown(path)}: the vocabulary has {vocabulary} tokens")
            ids.append(int(word))
        found += cut(f"{path.name}:{number}", ids, length, [])
    return _some(found, "tokens")


def _some(found: list[Passage], name: str) -> list[Passage]:
    if not found:
        raise EmptyError(name, 0, "holds no passage of two tokens")
    return found


class Draws:
    """Passages drawn with replacement, each with a probability in proportion to its positions.

    The mean over draws of a passage's mean is then the mean over all positions of the text, also for passages of unequal lengths.
    """

    def __init__(self, passages: list[Passage], seed: int) -> None:
        self._ends = np.cumsum([passage.positions for passage in passages])
        self._rng = np.random.default_rng(seed)
        self.positions = int(self._ends[-1])

    def next(self) -> int:
        """Number of the passage in which a position lies that is drawn from all positions."""
        return int(np.searchsorted(self._ends, self._rng.integers(self.positions), side="right"))
