"""How long a draft is worth while: what passes cost and what was accepted, both as measured so far.

Nothing here can change a text; it decides how many tokens are drafted before the finer model checks them.  Clocks of busy machines only ever say too much, so what
a pass costs is next to the least of its last times, and what drafts lost is counted in such costs.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Collection
from typing import NamedTuple

from ...errors import RangeError
from ...numbers.exact import is_integer

MOST_LENGTH = 12
KEPT = 9  # times of a kind of pass; the second of them by size counts
ALONE = 5  # passes of the finer model alone before anything is drafted
EDGES = (0.25, 0.5, 1.0, 2.0, 4.0)  # of the lead of a drafted token
FIRST = (0.45, 0.6, 0.75, 0.9, 0.97, 0.99)  # accepted shares before anything was seen, which count as much as FIRST_WEIGHT tokens
FIRST_WEIGHT = 4.0
MEMORY = 0.995  # of what was seen, at each token: what a pair accepts changes with the text
TRIALS = (
    2,
    2,
    2,
    2,
)  # lengths of the first drafts: short, since they may be lost; longer ones are expected to cost what the line through these says, until they are measured
GAIN, STAY = 1.1, 1.05  # drafts must be expected to be so many times as fast as none before they begin, and to go on
LOSS = 0.01  # share of a text's time that may be lost to drafts,
AT_ONCE = 0.3  # and passes of the finer model that may be lost beside it, before the text goes on without;
CLEAR = 1.2  # unless drafts are expected to be so many times as fast as none
PATIENCE = 64  # tokens between two trials where drafting does not pay, and between two passes alone where it does, at least;
LATER = 48  # tokens of a text before a pair is tried of which little is hoped: a short text has no room for a trial that is lost
LONGEST = 1024  # the first of these doubles with every trial that is expected to be lost, up to here


class Plan(NamedTuple):
    """A draft.  most: tokens of it; fixed: it has that many, else it ends where going on is not worth while."""

    most: int
    fixed: bool


class Worth:
    """Decides about the length of drafts.

    length: a whole number from 1 to 12 fixes it; None lets it follow what passes cost and what is accepted.  hopeful: whether drafts probably pay, so that they are tried
    at once.  RangeError.
    """

    def __init__(self, length: int | None = None, hopeful: bool = True) -> None:
        if length is not None and (not is_integer(length) or not 1 <= length <= MOST_LENGTH):
            raise RangeError("length", length, f"must be a whole number from 1 to {MOST_LENGTH}")
        self.length, self.hopeful = None if length is None else int(length), hopeful
        self._drafts: deque[float] = deque(maxlen=KEPT)
        self._checks: dict[int, deque[float]] = {}
        self._known: dict[int, float] = {}
        self._costs: list[float] = [0.0] * (MOST_LENGTH + 2)  # of passes of the finer model over 0, 1, … tokens
        self._seen = [0.0] * len(FIRST)
        self._kept = [0.0] * len(FIRST)
        self._trials = list(TRIALS)
        self._on, self._patience = False, PATIENCE
        self._since = 0  # tokens since the last draft, or since the last pass alone where drafts are on
        self._written = self._lost = 0.0  # of this text: tokens, and passes of the finer model that drafts cost more than they won

    # ---- what was measured ----

    def begin(self) -> None:
        """A new text: what the last one lost does not count for it."""
        self._written = self._lost = 0.0

    def drafted(self, seconds: float) -> None:
        """A pass of the coarse model over one token."""
        self._drafts.append(seconds)

    def checked(self, tokens: int, seconds: float, written: int) -> None:
        """A pass of the finer model over so many tokens, all but the first of them drafted; `written` tokens became final."""
        self._checks.setdefault(tokens, deque(maxlen=KEPT)).append(seconds)
        self._known[tokens] = _usual(self._checks[tokens])
        self._lines()
        self._written += written
        if tokens > 1 and self.check(1) > 0:
            self._lost = max(0.0, self._lost + ((tokens - 1) * self.draft() + self.check(tokens)) / self.check(1) - written)
        self._since = 0 if (tokens == 1) == self._on else self._since + written

    def judged(self, lead: float, kept: bool) -> None:
        """The finer model accepted a token drafted with this lead, or not."""
        at = bisect.bisect_right(EDGES, lead)
        for counts in (self._seen, self._kept):
            counts[:] = [MEMORY * x for x in counts]
        self._seen[at] += 1
        self._kept[at] += kept

    # ---- what is expected ----

    def draft(self) -> float:
        """Seconds of a pass of the coarse model; those of the finer one, before there are any."""
        return _usual(self._drafts) if self._drafts else self.check(1)

    def check(self, tokens: int) -> float:
        """Seconds of a pass of the finer model over so many tokens: measured, or on the line between the nearest that were; beyond them a token more costs what it does on the last line.

        Never more than a measured pass over more tokens.
        Promises: tested `tests/test_draft.py::test_costs_lie_on_lines`.
        """
        return self._costs[tokens]

    def _lines(self) -> None:
        known = sorted(self._known.items())
        for i in range(len(known) - 2, -1, -1):
            known[i] = (known[i][0], min(known[i][1], known[i + 1][1]))
        if len(known) == 1:
            self._costs = [known[0][1]] * len(self._costs)
            return
        at = 1
        for n in range(1, len(self._costs)):
            while at + 1 < len(known) and n > known[at][0]:
                at += 1
            (a, s), (b, t) = known[at - 1], known[at]
            self._costs[n] = max(s + (t - s) * (n - a) / (b - a), 0.0)

    def chance(self, lead: float) -> float:
        """That a token drafted with this lead is accepted."""
        return self._share(bisect.bisect_right(EDGES, lead))

    def _share(self, at: int) -> float:
        return (self._kept[at] + FIRST_WEIGHT * FIRST[at]) / (self._seen[at] + FIRST_WEIGHT)

    def usual(self) -> float:
        """That the next drafted token is accepted, before it is there."""
        return sum((n + 1) * self._share(at) for at, n in enumerate(self._seen)) / (sum(self._seen) + len(self._seen))

    def rates(self) -> list[float]:
        """Tokens a second with drafts of 0, 1, … MOST_LENGTH tokens."""
        p, d = self.usual(), self.draft()
        out, tokens, chance = [], 0.0, 1.0
        for n in range(MOST_LENGTH + 1):
            tokens += chance
            chance *= p
            out.append(tokens / max(n * d + self.check(n + 1), 1e-9))
        return out

    def pays(self) -> bool:
        """Whether drafting is expected to be faster than the finer model alone; what once was stays so until it falls below STAY."""
        self._on = self.gain() > (STAY if self._on else GAIN)
        return self._on

    def gain(self) -> float:
        """How many times as fast as the finer model alone drafting is expected to be, with the best length of drafts."""
        rates = self.rates()
        return max(rates[1:]) / rates[0]

    # ---- what is decided ----

    def plan(self, room: int) -> Plan:
        """The next draft, for which there is room for so many tokens."""
        if self.length is not None:
            return Plan(min(self.length, room), True)
        if len(self._checks.get(1, ())) < ALONE or (self._lost > AT_ONCE + LOSS * self._written and self.gain() < CLEAR):
            return Plan(0, True)
        trying = self.hopeful or self._written >= LATER
        if self._trials and trying and self._may_pay():
            return Plan(min(self._trials.pop(0), room), True)
        if self.pays():
            self._patience = PATIENCE
            return Plan(0 if self._since >= PATIENCE else min(MOST_LENGTH, room), False)
        if trying and self._since >= (self._patience if self._may_pay() else LONGEST):
            self._patience = min(2 * self._patience, LONGEST) if self.gain() < 1 else PATIENCE  # a trial that probably wins is no loss
            return Plan(min(TRIALS[0], room), True)
        return Plan(0, True)

    def _may_pay(self) -> bool:
        """Whether a pair could pay if every drafted token were accepted, and, as long as there are first trials, if a check cost no more than a pass alone."""
        if not self._drafts:
            return True
        alone, draft = self.check(1), self.draft()
        return max((n + 1) / max(n * draft + (alone if self._trials else self.check(n + 1)), 1e-9) for n in range(1, MOST_LENGTH + 1)) * alone > GAIN

    def goes_on(self, drafted: int, survival: float, plan: Plan) -> bool:
        """Whether another token is to be drafted after `drafted` of them, whose chance to stand, all of them, is `survival`."""
        if drafted >= plan.most or plan.fixed:
            return drafted < plan.most
        rate, p, d, now = max(self.rates()), self.usual(), self.draft(), self.check(drafted + 1)
        won = 0.0
        for more in range(1, plan.most - drafted + 1):
            won += survival * p**more
            if won / rate > more * d + self.check(drafted + more + 1) - now:
                return True
        return False

    def says(self) -> str:
        """A sentence on whether drafting pays, and why."""
        if not self._drafts or len(self._checks) < 2:
            return "too little was written to say whether drafting pays"
        rates = self.rates()
        n = max(range(1, MOST_LENGTH + 1), key=rates.__getitem__)
        alone = self.check(1)
        costs = f"a draft costs {self.draft() / alone:.2f} of a pass of the finer model, a check of {n + 1} tokens {self.check(n + 1) / alone:.2f}, and {self.usual():.0%} of the drafted tokens are accepted"
        return f"drafting pays: {costs}" if self.pays() else f"drafting does not pay here, so little or nothing is drafted: {costs}"


def _usual(times: Collection[float]) -> float:
    """The least, of six and more the second."""
    return sorted(times)[(len(times) - 1) // 5]
