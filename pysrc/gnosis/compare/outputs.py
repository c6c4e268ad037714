"""Two models' distributions of the next token, position by position: what is kept of them is a few numbers each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from ..errors import NonFiniteError
from ..lm.config import Config
from ..lm.model import Step

PIECE = 32  # positions whose logits are held at a time, of the original and of one candidate
CLIP = 4.0  # nats at which divergences and differences of log-probabilities are cut off, where a bound needs a range


class Seen(NamedTuple):
    """What is kept of every position of a passage, for the original and one candidate; arrays of n.

    kl: Σ p log(p/q) in nats, p the original's distribution.  tv: ½ Σ |p − q|.  flip: another top token.  sets: another set of the k likeliest.
    log_p, log_q: of the next token of the text.  lead: of the original's logit over the next one.  margin: the same of the candidate.  error: by how much
    kl, log_p − log_q and tv may lie off those of the very logits.
    Promises: tested `tests/test_compare.py::test_figures_of_a_position_lie_within_their_error`.
    """

    kl: np.ndarray
    tv: np.ndarray
    flip: np.ndarray
    sets: np.ndarray
    log_p: np.ndarray
    log_q: np.ndarray
    lead: np.ndarray
    margin: np.ndarray
    error: np.ndarray
    tv_error: np.ndarray


@dataclass(frozen=True)
class Laws:
    """Distributions of t positions from their logits, float32[t, vocabulary]: logarithms and probabilities, float64, and by how much a logarithm may be off."""

    logits: np.ndarray
    log: np.ndarray
    p: np.ndarray
    error: np.ndarray

    @classmethod
    def of(cls, logits: np.ndarray) -> Laws:
        """error: with u = 2^-53, V tokens and R the range of the logits, a shifted logit errs by R u, an exponential by R u + 8 u, their sum by V u more,
        relatively; so a logarithm by less than (2 R + V + 32) u.  Four times that is taken.
        """
        z = logits.astype(np.float64)
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        total = e.sum(axis=1, keepdims=True)
        return cls(logits, z - np.log(total), e / total, (2 * -z.min(axis=1) + z.shape[1] + 32) * 2.0**-51)


def compared(one: Laws, two: Laws, targets: np.ndarray, top: int) -> Seen:
    """The figures of some positions.  targets: int64[t], the next tokens.  top: k of the sets, below the size of the vocabulary."""
    every = np.arange(len(targets))
    apart = one.log - two.log
    error = one.error + two.error
    largest = np.abs(apart).max(axis=1)
    first, second = one.logits.argmax(axis=1), two.logits.argmax(axis=1)
    chosen = np.argpartition(one.logits, -top, axis=1)[:, -top:]
    least = np.partition(two.logits, -top, axis=1)[:, -top]  # with a tie the candidate may choose as the original does
    return Seen(
        np.maximum((one.p * apart).sum(axis=1), 0),
        np.minimum(np.abs(one.p - two.p).sum(axis=1) / 2, 1),
        first != second,
        (np.take_along_axis(two.logits, chosen, axis=1).min(axis=1) < least),
        one.log[every, targets],
        two.log[every, targets],
        _lead(one.logits),
        _lead(two.logits),
        2 * error * (1 + largest),
        2 * error,
    )


def _lead(logits: np.ndarray) -> np.ndarray:
    """By how much the largest of each row leads over the next one, float64[t]."""
    best = np.partition(logits, -2, axis=1)[:, -2:].astype(np.float64)
    return np.asarray(best.max(axis=1) - best.min(axis=1))


class Runner(Protocol):
    """What runs a model: `gnosis.engine.Engine`, or `gnosis.lm.Model` for one that the engine does not run."""

    @property
    def config(self) -> Config: ...

    def cache(self, capacity: int | None = None) -> Any: ...

    def prefill(self, tokens: Sequence[int], cache: Any, logits: Literal["last", "all", "none"] = "last") -> Step: ...


def read(engines: Sequence[Runner], tokens: Sequence[int], top: int) -> list[Seen]:
    """A passage through the original, engines[0], and every candidate, piece by piece; a `Seen` for each candidate.

    NonFiniteError naming the engine's number where a logit is not finite; errors of `Engine.prefill`.
    """
    caches = [engine.cache(len(tokens) - 1) for engine in engines]
    found: list[list[Seen]] = [[] for _ in engines[1:]]
    for at in range(0, len(tokens) - 1, PIECE):
        end = min(at + PIECE, len(tokens) - 1)
        targets = np.asarray(tokens[at + 1 : end + 1])
        original: Laws | None = None
        for number, (engine, cache) in enumerate(zip(engines, caches)):
            try:
                logits = engine.prefill(tokens[at:end], cache, "all").logits
            except NonFiniteError as error:
                raise NonFiniteError("logits", error.value, number, error.problem) from None
            assert logits is not None
            if not np.isfinite(logits).all():
                raise NonFiniteError("logits", float(logits[~np.isfinite(logits)][0]), number, "the model's arithmetic left the finite numbers")
            laws = Laws.of(logits)
            if original is None:
                original = laws
            else:
                found[number - 1].append(compared(original, laws, targets, top))
    return [Seen(*(np.concatenate(parts) for parts in zip(*pieces))) for pieces in found]
