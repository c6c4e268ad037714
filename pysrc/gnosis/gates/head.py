"""Serving rows from bounds: the argmax and the first k rows of exact scores of which a coarse pass knows intervals.

The functions mirror `Gnosis/Decision/Head.lean` one for one, on plain integers, all in one unit.  `gnosis.inference.head` is the
same order of work on floats: candidates of the coarse scores, then of the intervals y ± err around recomputed ones, then exact
scores of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from .jit import argmax_among, served_argmax
from .margin import candidates, entry


def head_served(z: Sequence[int], ε: Sequence[int], y: Sequence[int], err: Sequence[int], exact: Sequence[int]) -> int:
    """`Gnosis.headServed`: the served row; y and err have an entry for each candidate of z ± ε, exact one for each row."""
    chosen = candidates(z, ε)
    return entry(chosen, served_argmax(y, [entry(exact, j) for j in chosen], err))


def top_candidates(k: int, z: Sequence[int], ε: Sequence[int], js: Sequence[int]) -> list[int]:
    """`Gnosis.topCandidates`: of the rows js those whose upper end fewer than k lower ends of rows of js lie above."""
    return [j for j in js if sum(entry(z, j) + entry(ε, j) < entry(z, i) - entry(ε, i) for i in js) < k]


def top_among(z: Sequence[int], k: int, js: Sequence[int]) -> list[int]:
    """`Gnosis.topAmong`: the k first of the rows js by their scores, descending, the one that comes first in js on ties."""
    found: list[int] = []
    while len(found) < k and js:
        found.append(argmax_among(z, js[0], js[1:]))
        js = [j for j in js if j != found[-1]]
    return found


def head_top_k(k: int, z: Sequence[int], ε: Sequence[int], y: Sequence[int], err: Sequence[int], exact: Sequence[int]) -> list[int]:
    """`Gnosis.headTopK`: the first k rows; y, err and exact have an entry for each row and are read at candidates only."""
    return top_among(exact, k, top_candidates(k, y, err, top_candidates(k, z, ε, range(len(z)))))
