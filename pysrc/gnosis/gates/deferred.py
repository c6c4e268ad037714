"""Deferred refinement: where a finer model's reading of a window stops it, and the whole algorithm on models that are tables.

The functions mirror `Gnosis/Decision/Deferred.lean`, on plain integers.  `gnosis.inference.deferred` is the algorithm on language
models and asks `flip_at` at every check.
"""

from __future__ import annotations

from collections.abc import Sequence


def flip_at(asked: Sequence[bool], tokens: Sequence[int], says: Sequence[int]) -> int:
    """`Gnosis.flipAt`: the first asked place at which the finer model says another token than the one there; the number of places if there is none."""
    places = min(len(asked), len(tokens), len(says))
    return next((i for i in range(places) if asked[i] and says[i] != tokens[i]), places)


def refine_text(τ: int, coarse: Sequence[tuple[int, int]], fine: Sequence[int], steps: Sequence[tuple[int, int, int]], prompt: Sequence[int]) -> list[int]:
    """`Gnosis.refineText`: what is settled after the steps, latest token first, as the prompt is.

    coarse: tokens with margins; fine: tokens; both are read at the number of the text, modulo their length.  steps: how many tokens are
    drafted, how many of those that are pending are checked, how many the finer model writes itself where nothing is pending.
    """
    settled = list(prompt)[::-1]  # tokens of a text in their order here
    pending: list[tuple[int, int]] = []
    for drafted, checked, written in steps:
        for _ in range(drafted):
            pending.append(_draft(coarse, settled + [token for token, _ in pending]))
        window, rest = pending[:checked], pending[checked:]
        says = [_token(fine, settled + [token for token, _ in window[:i]]) for i in range(len(window))]
        flip = flip_at([margin < τ for _, margin in window], [token for token, _ in window], says)
        settled += [token for token, _ in window[:flip]]
        if flip < len(window):
            settled.append(says[flip])
            rest = []
        if not rest:
            for _ in range(written):
                settled.append(_token(fine, settled))
        pending = rest
    return settled[::-1]


def _place(size: int, text: Sequence[int]) -> int:
    """`Gnosis.textNumber` modulo the size of a table; the number itself where there is no table."""
    number = 1
    for token in text:
        number = 3 * number + token
    return number % size if size else number


def _token(table: Sequence[int], text: Sequence[int]) -> int:
    return table[_place(len(table), text)] if table else 0


def _draft(table: Sequence[tuple[int, int]], text: Sequence[int]) -> tuple[int, int]:
    return table[_place(len(table), text)] if table else (0, 0)
