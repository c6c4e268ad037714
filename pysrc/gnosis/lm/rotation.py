"""How heads of queries and keys are turned by their position."""

from __future__ import annotations

import numpy as np

from ..core import transformer

BLOCK = 512  # positions whose angles are computed together


class Turns:
    """Cosines and sines of the positions, made as they are needed.

    frequencies: float64[head / 2], radians a position for each pair.
    """

    def __init__(self, frequencies: np.ndarray) -> None:
        self.frequencies = frequencies
        self._cos = self._sin = np.zeros((0, len(frequencies)), np.float32)

    def at(self, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """cos and sin of the positions start … end − 1, float32[end − start, head / 2].

        They are made in whole blocks, so that those of a position do not depend on what else was asked for.
        """
        while len(self._cos) < end:
            # at least as many again: a long text is then read in few steps
            first, blocks = len(self._cos), max(1, len(self._cos) // BLOCK, -(-(end - len(self._cos)) // BLOCK))
            made = [np.arange(at, at + BLOCK)[:, None] * self.frequencies for at in range(first, first + blocks * BLOCK, BLOCK)]
            self._sin = np.concatenate([self._sin, *(np.sin(angles).astype(np.float32) for angles in made)])
            self._cos = np.concatenate([self._cos, *(np.cos(angles).astype(np.float32) for angles in made)])
        return self._cos[start:end], self._sin[start:end]


def frequencies(head: int, base: float, scale: float = 1.0, factors: np.ndarray | None = None) -> np.ndarray:
    """float64[head / 2]: base^(−2 i / head) over scale, and over factors[i] where there are some."""
    plain = base ** (-np.arange(0, head, 2) / head) / scale
    return plain if factors is None else plain / factors


def turned(x: np.ndarray, turns: tuple[np.ndarray, np.ndarray], neox: bool) -> np.ndarray:
    """Heads turned by the angles of their tokens; x, float32[t, heads, head], may be changed.

    neox: entries i and i + head / 2 are a pair.  They then come out side by side, as 2 i and 2 i + 1: queries and keys are laid
    out alike, so that their products are the same.
    Promises: tested `tests/test_lm.py::test_rope_turns_pairs`.
    """
    if neox:
        t, heads, head = x.shape
        x = np.ascontiguousarray(x.reshape(t, heads, 2, head // 2).swapaxes(2, 3)).reshape(t, heads, head)
    return transformer.rope(x, *turns)
