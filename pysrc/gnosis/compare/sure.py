"""How sure a figure is: bounds of its mean that hold at all times, and a requirement that is proved, refuted or open.

Every observation is the mean of a figure over one passage that was drawn (`text.Draws`), so that all have the same mean, the figure of the text.  The
bounds are those of `gnosis.gates.betting`: whoever looks after every passage and stops when it pleases is wrong with no more than the stated probability.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ..errors import ArgumentError, RangeError
from ..gates.betting import LowerBound, UpperBound
from ..numbers.levels import level as read_level
from ..numbers.levels import written
from .outputs import CLIP, Seen

GRID = 1 << 12  # claims that are followed for an interval
MOST_GRID = 1 << 18  # and for a requirement

# name → the range of a passage's mean, in the unit of the figure
RANGES: dict[str, tuple[Fraction, Fraction]] = {
    "flips": (Fraction(0), Fraction(1)),
    "tv": (Fraction(0), Fraction(1)),
    "sets": (Fraction(0), Fraction(1)),
    "kl": (Fraction(0), Fraction(CLIP)),
    "nll": (-Fraction(CLIP), Fraction(CLIP)),
}
WORDS = {
    "flips": "share of positions with another top token",
    "tv": "mean total variation",
    "sets": "share of positions with another set of the likeliest tokens",
    "kl": f"mean KL divergence, cut off at {CLIP:g} nats a position",
    "nll": f"mean loss of log-probability of the text's tokens, cut off at ±{CLIP:g} nats a position",
}
Both = tuple[Fraction, Fraction]


def observations(seen: Seen) -> dict[str, Both]:
    """Of one passage, for every figure: two numbers between which its mean lies, in its range."""
    n = len(seen.kl)

    def between(values: np.ndarray, error: np.ndarray, name: str) -> Both:
        low, high = RANGES[name]
        # exact sums of floats, so that the only errors are those of the values
        total = sum(map(Fraction, np.clip(values, float(low), float(high)).tolist()), Fraction(0))
        off = sum(map(Fraction, error.tolist()), Fraction(0))
        return max(low, (total - off) / n), min(high, (total + off) / n)

    flips, sets = (Fraction(int(which.sum()), n) for which in (seen.flip, seen.sets))
    return {
        "flips": (flips, flips),
        "sets": (sets, sets),
        "tv": between(seen.tv, seen.tv_error, "tv"),
        "kl": between(seen.kl, seen.error, "kl"),
        "nll": between(seen.log_p - seen.log_q, seen.error, "nll"),
    }


class Interval:
    """Two bounds of one mean.

    below, above: the risk of each side; both hold at all times with probability at least 1 − below − above (`Gnosis.betting_two_sided_followed`).
    span: of the observations.
    Promises: theorem `Gnosis.betting_two_sided_followed`.
    """

    def __init__(self, span: Both, below: Fraction, above: Fraction, grid: int = GRID) -> None:
        self.span = span
        self._lower, self._upper = LowerBound(below, grid), UpperBound(above, grid)

    def observe(self, x: Both) -> None:
        """x: two numbers in the span between which the observation lies."""
        start, size = self.span[0], self.span[1] - self.span[0]
        self._lower.observe((x[0] - start) / size)
        self._upper.observe((x[1] - start) / size)

    @property
    def low(self) -> Fraction:
        return self.span[0] + (self.span[1] - self.span[0]) * self._lower.lower

    @property
    def high(self) -> Fraction:
        return self.span[0] + (self.span[1] - self.span[0]) * self._upper.upper


# ---- requirements ----------------------------------------------------------------------------------------------------

_FORM = re.compile(r"\s*(\w+)\s*<=\s*(\S+)(?:\s+at\s+(\S+))?\s*", re.ASCII)
State = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class Requirement:
    """figure ≤ most, with this confidence.  text: as it was given."""

    text: str
    figure: str
    most: Fraction
    level: Fraction


def requirement(text: str) -> Requirement:
    """FIGURE<=NUMBER at LEVEL, for example flips<=0.02 at 0.99; the level is 0.99 where none is given.

    ArgumentError quoting the text for anything else; RangeError for a number outside of the figure's range or a level that is none.
    """
    match = _FORM.fullmatch(text)
    if match is None or match[1] not in RANGES:
        raise ArgumentError("require", text, f"must be FIGURE<=NUMBER at LEVEL, for example 'flips<=0.02 at 0.99', with a figure of {', '.join(RANGES)}")
    low, high = RANGES[match[1]]
    try:
        most, level = written(match[2], "number"), read_level(match[3] or "0.99", "level")
    except ArgumentError as error:
        raise type(error)("require", text, f"{error.argument} {error.value}: {error.problem}") from None
    if not low <= most < high:
        raise RangeError("require", text, f"{match[1]} is at least {low} and below {high} where it says something")
    return Requirement(text, match[1], most, level)


class Trial:
    """A requirement and one candidate: proved when the upper bound is not above it, refuted when the lower bound is.

    Of the two only one can be wrong, whatever the truth: each has the whole risk (1 − level) / candidates.
    Promises: tested `tests/test_compare.py::test_trials_are_proved_refuted_or_open`.
    """

    def __init__(self, required: Requirement, candidates: int) -> None:
        self.required, self.risk = required, (1 - required.level) / candidates
        span = RANGES[required.figure]
        share = (required.most - span[0]) / (span[1] - span[0])
        near = min(share, 1 - share) or Fraction(1, 16)
        grid = min(MOST_GRID, max(GRID, 1 << math.ceil(64 / near).bit_length()))
        self.interval = Interval(span, self.risk, self.risk, grid)
        self.state: State = "open"
        self.count = 0

    def observe(self, x: Both) -> State:
        """One more passage; what was decided stays."""
        if self.state == "open":
            self.interval.observe(x)
            self.count += 1
            if self.interval.high <= self.required.most:
                self.state = "proved"
            elif self.interval.low > self.required.most:
                self.state = "refuted"
        return self.state

    def fixed_size(self, mean: float) -> int | None:
        """Passages that Hoeffding's test of one fixed size would have taken, had it known this mean beforehand; None where the mean is the number itself."""
        gap = mean - float(self.required.most)
        size = float(self.interval.span[1] - self.interval.span[0])
        return None if gap == 0 else math.ceil(math.log(1 / float(self.risk)) * size**2 / (2 * gap * gap))


def shown(interval: Interval) -> dict[str, Any]:
    """The ends as float64, rounded outward."""
    from ..numbers.bounds import enclose

    return {"low": enclose(interval.low)[0], "high": enclose(interval.high)[1]}
