"""Drawing a token from logits: temperature, top-k, top-p, min-p, and where the randomness comes from.

Two ways keep a finer model's word while a coarse one drafts.  With *shared noise* each position has its noise, made from the seed and the position alone; the
token is the largest of log-probability plus noise (Gumbel), which is a draw from the probabilities.  It is a function of the text, so that drafting and checking
write what the finer model alone writes with that seed.  With *accept or resample* a drafted token is accepted with the probability min(1, p / q) and else drawn
from what p has more than q: the text differs from seed to seed and from draft to draft, its distribution is the finer model's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...errors import DtypeError, NonFiniteError, RangeError
from ...numbers.exact import is_integer

Noise = Literal["shared", "resample"]
MOST_SEED = 2**64 - 1
SORTED = 256


@dataclass(frozen=True)
class Sampling:
    """What is drawn from.

    temperature: logits are divided by it, a finite number above 0.  top_k: only so many of the likeliest tokens, at least 1.  top_p: only the fewest likeliest
    ones that have this probability together, above 0 and at most 1.  min_p: only those with at least this share of the likeliest one's probability, above 0 and at
    most 1.  The cuts are made in this order, each on what the one before left; of equals the lowest number comes first.  None cuts nothing.
    seed: from 0 to 2^64 − 1.  noise: "shared" or "resample".  RangeError, NonFiniteError, DtypeError naming argument and value.
    Promises: tested `tests/test_sampling.py::test_the_cuts_are_those_of_the_book`.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    seed: int = 0
    noise: Noise = "shared"

    def __post_init__(self) -> None:
        _number("temperature", self.temperature, math.inf, "leave it out to take the likeliest token always")
        for name in ("top_p", "min_p"):
            if getattr(self, name) is not None:
                _number(name, getattr(self, name), 1.0, "leave it out to keep every token")
        if self.top_k is not None and (not is_integer(self.top_k) or self.top_k < 1):
            raise RangeError("top_k", self.top_k, "must be a whole number, at least 1; leave it out to keep every token")
        if not is_integer(self.seed) or not 0 <= self.seed <= MOST_SEED:
            raise RangeError("seed", self.seed, f"must be a whole number from 0 to {MOST_SEED}")
        if self.noise not in ("shared", "resample"):
            raise RangeError("noise", self.noise, "must be 'shared' or 'resample'")

    def check(self, vocabulary: int) -> None:
        """RangeError when top_k is larger than a vocabulary."""
        if self.top_k is not None and self.top_k > vocabulary:
            raise RangeError("top_k", self.top_k, f"the vocabulary has {vocabulary} tokens")


def _number(name: str, value: object, most: float, advice: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise DtypeError(name, value, "must be a number")
    if not math.isfinite(value):
        raise NonFiniteError(name, value)
    if not 0 < float(value) <= most:
        raise RangeError(
            name, value, ("must lie above 0" if most == math.inf else f"must lie above 0 and be at most {most:g}") + ("; " + advice if value == 0 else "")
        )


def chances(logits: np.ndarray, how: Sampling) -> np.ndarray:
    """float64[vocabulary] from float32[vocabulary]: the probability of each token, 0 for those that are cut.  NonFiniteError for logits that are not finite.

    Promises: tested `tests/test_sampling.py::test_the_cuts_are_those_of_the_book`.
    """
    wrong = np.flatnonzero(~np.isfinite(logits))
    if wrong.size:
        raise NonFiniteError("logits", float(logits[wrong[0]]), int(wrong[0]))
    x = logits.astype(np.float64)
    p = np.exp((x - x.max()) / float(how.temperature))
    # temperatures near 0 make quotients infinite, whose exponential is 0: the likeliest token alone is left
    if how.top_k is not None and how.top_k < len(p):
        keep = _likeliest(p, how.top_k)
        p = np.where(keep, p, 0.0)
    if how.top_p is not None and how.top_p < 1:
        p = _nucleus(p, how.top_p * p.sum())
    if how.min_p is not None:
        p[p < how.min_p * p.max()] = 0.0
    return np.asarray(p / p.sum())


def _nucleus(p: np.ndarray, enough: float) -> np.ndarray:
    """The fewest largest entries whose sum is at least `enough`, the others 0.  Sorted are first the largest SORTED ones, which mostly suffice."""
    n = len(p)
    for most in (min(SORTED, n), n):
        some = np.flatnonzero(p >= np.partition(p, n - most)[n - most])
        order = some[np.argsort(-p[some], kind="stable")]
        count = int(np.searchsorted(np.cumsum(p[order]), enough)) + 1
        if count <= len(order):
            break
    kept = np.zeros_like(p)
    kept[order[:count]] = p[order[:count]]
    return kept


def _likeliest(p: np.ndarray, k: int) -> np.ndarray:
    """bool[n]: the k largest, of equals those of the lowest number."""
    least = np.partition(p, len(p) - k)[len(p) - k]
    keep = p > least
    equal = np.flatnonzero(p == least)
    keep[equal[: k - int(keep.sum())]] = True
    return keep


class Gumbel:
    """Noise of a seed: a value for each position and token, which depends on nothing else.

    Philox with the seed and the position as its key; the upper 52 bits of its words, at the middle of their intervals, are uniform numbers u within (0, 1); the noise is
    −log(−log u).
    """

    def __init__(self, seed: int) -> None:
        self.seed = int(seed)
        self._kept: dict[int, np.ndarray] = {}

    def at(self, position: int, tokens: int) -> np.ndarray:
        """float64[tokens], of the tokens 0 … tokens − 1: a longer one begins with a shorter one."""
        have = self._kept.get(position)
        if have is None or len(have) < tokens:
            raw = np.random.Philox(key=np.array([self.seed, position], np.uint64)).random_raw(tokens)
            if len(self._kept) >= 32:  # a draft and its check ask for the same positions, one after the other
                self._kept.pop(next(iter(self._kept)))
            self._kept[position] = have = (raw >> np.uint64(12)).astype(np.float64) + 0.5
        return have[:tokens] * 2.0**-52

    def draw(self, p: np.ndarray, position: int) -> tuple[int, float]:
        """The token of these probabilities at a position, the lowest of equals, and how far it is ahead of the next; infinity where it is the only one."""
        kept = np.flatnonzero(p)
        score = np.log(p[kept]) - np.log(-np.log(self.at(position, len(p))[kept]))
        best = int(score.argmax())
        return int(kept[best]), float(score[best] - np.partition(score, -2)[-2]) if len(kept) > 1 else math.inf


class Uniform:
    """Uniform numbers of a seed, one after the other."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.Philox(key=np.array([int(seed), 0], np.uint64))

    def __call__(self) -> float:
        return (int(self._bits.random_raw()) >> 12) * 2.0**-52 + 2.0**-53


def pick(p: np.ndarray, u: float) -> int:
    """The token at which the sum of weights, from the first on, passes the share u of their total; never one of weight 0.

    Promises: tested `tests/test_sampling.py::test_picking_goes_by_the_weights`.
    """
    kept = np.flatnonzero(p)
    total = np.cumsum(p[kept])
    return int(kept[min(int(np.searchsorted(total, u * total[-1], side="right")), len(kept) - 1)])


def accept(token: int, p: np.ndarray, q: np.ndarray, uniform: Uniform) -> tuple[int, bool]:
    """The token that stands where one was drafted from q and p is the finer model's: the drafted one with probability min(1, p / q), else one of what p has more.

    p: float64[vocabulary]; q: float64[n], n at most the vocabulary, 0 beyond.  Returns the token and whether it is the drafted one.
    Promises: theorem `Gnosis.speculative_sampling_exact`.
    """
    if uniform() * q[token] < p[token]:
        return token, True
    more = p.copy()
    more[: len(q)] -= q
    np.maximum(more, 0.0, out=more)
    # where rounding left nothing, p and q are the same up to it
    return pick(more if more.any() else p, uniform()), False


def lead_of(p: np.ndarray, token: int) -> float:
    """The logarithm of how many times as likely a token is as the likeliest other one; infinity where it is the only one."""
    others = max(p[:token].max(initial=0.0), p[token + 1 :].max(initial=0.0))
    return float(np.log(p[token] / others)) if others > 0 else math.inf
