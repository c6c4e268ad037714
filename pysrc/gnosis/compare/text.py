"""The text that two models are compared on, as passages: what is drawn, and what counts as one observation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import EmptyError
from ..files.remote import Place
from ..lm.corpus import Text, known
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
    """Passages of at most `length` tokens, the opening included; a rest of a single token has no position and is left out.

    Promises: tested `tests/test_compare.py::test_passages_are_drawn_in_proportion_to_their_positions`.
    """
    step = length - len(opening)
    for at in range(0, len(tokens), step):
        piece = (*opening, *tokens[at : at + step])
        if len(piece) > 1:
            yield Passage(document, at, piece)


def of_text(text: Text, tokenizer: Tokenizer | Numbers, length: int) -> list[Passage]:
    """Every passage of a text.  EmptyError where no passage has a position; errors of the tokenizer."""
    opening = tokenizer.opening()
    found = [passage for name, body in text.documents for passage in cut(name, tokenizer.encode(body), length, opening)]
    if not found:
        raise EmptyError("text", 0, "holds no passage of two tokens")
    return found


def of_numbers(path: Place, documents: list[list[int]], vocabulary: int, length: int) -> list[Passage]:
    """Every passage of `corpus.numbers`; nothing is put before them.  RangeError naming file and line for what is no token of the vocabulary."""
    known(path, documents, vocabulary)
    return [passage for number, ids in enumerate(documents, 1) for passage in cut(f"{path.name}:{number}", ids, length, [])]


def half(passages: list[Passage], number: int, seed: int) -> list[Passage]:
    """One half of the passages, 1 or 2, drawn with a seed: what is chosen on the one can be judged on the other.  EmptyError for a single passage."""
    order = np.random.default_rng([seed, len(passages)]).permutation(len(passages))
    if len(passages) < 2:
        raise EmptyError("text", len(passages), "one passage has no two halves")
    middle = len(passages) // 2
    return [passages[i] for i in sorted(order[:middle] if number == 1 else order[middle:])]


class Draws:
    """Passages drawn with replacement, each with a probability in proportion to its positions.

    The mean over draws of a passage's mean is then the mean over all positions of the text, also for passages of unequal lengths.
    Promises: tested `tests/test_compare.py::test_passages_are_drawn_in_proportion_to_their_positions`.
    """

    def __init__(self, passages: list[Passage], seed: int) -> None:
        self._ends = np.cumsum([passage.positions for passage in passages])
        self._rng = np.random.default_rng(seed)
        self.positions = int(self._ends[-1])

    def next(self) -> int:
        """Number of the passage in which a position lies that is drawn from all positions."""
        return int(np.searchsorted(self._ends, self._rng.integers(self.positions), side="right"))
