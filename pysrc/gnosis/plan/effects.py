"""What other weights do to a model's outputs on passages, measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..compare.text import Passage
from ..engine import Engine
from ..errors import NonFiniteError
from ..lm.model import Model
from ..lm.weights import Weight

PIECE = 64  # positions whose logits are worked on at a time


class Effect(NamedTuple):
    """Of each passage: kl, float64[n], the sum of the divergences at its positions in nats; flips, int64[n], positions with another top token."""

    kl: np.ndarray
    flips: np.ndarray


class Outputs:
    """A language model's logits on passages, kept, and how far those with other weights are from them.

    positions: int64[n] of each passage.
    """

    def __init__(self, model: Model, passages: Sequence[Passage], threads: int) -> None:
        self.model, self.passages, self.threads = model, list(passages), threads
        self.positions = np.array([passage.positions for passage in self.passages])
        self._base = self._logits({}, None)

    def _logits(self, weights: Mapping[str, Weight], first: int | None) -> list[np.ndarray]:
        with Engine.of_model(self.model.with_weights(weights) if weights else self.model, threads=self.threads) as engine:
            found = []
            for passage in self.passages[:first]:
                logits = engine.prefill(passage.tokens[:-1], engine.cache(passage.positions), "all").logits
                assert logits is not None
                if not np.isfinite(logits).all():
                    raise NonFiniteError("logits", float(logits[~np.isfinite(logits)][0]), None, "the model's arithmetic left the finite numbers")
                found.append(logits)
        return found

    def effect(self, weights: Mapping[str, Weight], first: int | None = None) -> Effect:
        """Against the model's own weights, on the first passages or all.  Errors of `Engine`."""
        other = self._logits(weights, first)
        kl = [sum(divergence(z[at : at + PIECE], y[at : at + PIECE]) for at in range(0, len(z), PIECE)) for z, y in zip(self._base, other)]
        return Effect(np.array(kl), np.array([int((z.argmax(axis=1) != y.argmax(axis=1)).sum()) for z, y in zip(self._base, other)]))


def divergence(z: np.ndarray, y: np.ndarray) -> float:
    """Σ over positions of KL(softmax z, softmax y) in nats; float32[t, vocabulary] each.

    With x = y − z less its mean under softmax z it is log(1 + E[exp x − 1 − x] + E[x]); the terms of the first mean have one sign and the second is near 0, so
    that float32 is enough where the two are near.  Rows that are far apart are worked out in float64.
    """
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    x = y - z
    x -= np.einsum("tv,tv->t", p, x)[:, None]
    far = x.max(axis=1) > 8
    total = 0.0
    for chosen, kind in ((~far, np.float32), (far, np.float64)):
        q, d = p[chosen].astype(kind), x[chosen].astype(kind)
        q /= q.sum(axis=1, keepdims=True)
        over = np.einsum("tv,tv->t", q, np.expm1(d) - d) + np.einsum("tv,tv->t", q, d)
        total += float(np.maximum(np.log1p(over.astype(np.float64)), 0).sum())
    return total
