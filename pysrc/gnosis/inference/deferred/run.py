"""Generation by a coarse model whose doubtful tokens are checked later, many at once, by a finer one.

The coarse model writes greedily and keeps the margin of each token.  Tokens with a margin below τ are deferred (mode
"margin"), or all are ("verify-all").  After a window of tokens the finer model reads, in one pass, what it has not seen yet, and
says what it would have written at the deferred places.  At the first place where that differs everything behind is taken
back and the finer model's token stands.

In "verify-all" the text is the one that the finer model alone writes greedily, token by token: the arithmetic has one
fixed order of operations, so a pass over many tokens and a pass over one give the same bits
(`Gnosis.verify_all_eq_greedy`; that one reading of a window is the check is `Gnosis.check_eq_flip`).  In "margin" it is the same text whenever every place at which the two differ, along the finer
model's text, has a coarse margin below τ (`Gnosis.margin_eq_greedy`).  What a model has read is always a beginning of the text, and the
finer one has read less than is settled (`Gnosis.cache_reads_text`), so that each place that it is asked about has an answer (`Gnosis.visit_answers`).
Only where the text ends it may have read all of it, and nothing is asked any more.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ...errors import DtypeError, NonFiniteError, RangeError
from ...gates.deferred import flip_at
from ...lm import Config, Model
from ...numbers.exact import is_integer
from .pair import Pair

Mode = Literal["margin", "verify-all"]


@dataclass(frozen=True)
class Policy:
    """How tokens are checked.

    mode: "margin" or "verify-all".  tau: margin (logits) below which a token is deferred, a finite number ≥ 0; None in
    "verify-all".  window: tokens between two checks, ≥ 1.  again: after a flip, how often the finer model also reads its own token
    and the rest of the window, whose run stands as far as it agrees.  overlap: the coarse model goes on while the finer one
    checks.  Raises RangeError, NonFiniteError, DtypeError.
    """

    mode: Mode = "margin"
    tau: float | None = 1.0
    window: int = 32
    again: int = 0
    overlap: bool = False

    def __post_init__(self) -> None:
        if self.mode not in ("margin", "verify-all"):
            raise RangeError("mode", self.mode, "must be 'margin' or 'verify-all'")
        if (self.tau is None) != (self.mode == "verify-all"):
            raise RangeError("tau", self.tau, "mode 'margin' needs one and 'verify-all' takes none")
        if self.tau is not None:
            if isinstance(self.tau, bool) or not isinstance(self.tau, (int, float)):
                raise DtypeError("tau", self.tau, "must be a number")
            if not abs(self.tau) < np.inf:
                raise NonFiniteError("tau", self.tau)
            if self.tau < 0:
                raise RangeError("tau", self.tau, "a margin is never negative")
        for name, least in (("window", 1), ("again", 0)):
            if not is_integer(getattr(self, name)) or getattr(self, name) < least:
                raise RangeError(name, getattr(self, name), f"must be a whole number, at least {least}")
            object.__setattr__(self, name, int(getattr(self, name)))
        if not isinstance(self.overlap, bool):
            raise DtypeError("overlap", self.overlap, "must be a truth value")

    def deferred(self, margin: float) -> bool:
        """Whether a token of this margin is to be checked."""
        return self.tau is None or margin < self.tau


@dataclass(frozen=True)
class Check:
    """One visit of the finer model.

    upto: tokens of the answer that were there.  fed: tokens that it read.  asked: deferred tokens it was asked about.  flip: place in the
    answer of the first that it would not have written, None if there is none.  gained: its own tokens that stand because
    of this visit.  passes: how often it went through its weights.  read: their bytes.  from_disk: bytes that this process had the system fetch
    from storage meanwhile.  seconds: how long it took.
    """

    upto: int
    fed: int
    asked: int
    flip: int | None
    gained: int
    passes: int
    read: int
    from_disk: int
    seconds: float


@dataclass
class Answer:
    """What was generated, and what it took.

    tokens: of the answer.  margins: coarse margin of each, None where the finer model wrote it.  checks: in order.  drafted: tokens that the coarse
    model wrote, those taken back included.  deferred: how many of these were to be checked.  windows_passed: windows without
    a deferred token.  ended: whether the text ends with the end mark.
    """

    tokens: list[int] = field(default_factory=list)
    margins: list[float | None] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    drafted: int = 0
    deferred: int = 0
    windows_passed: int = 0
    ended: bool = False
    seconds: float = 0.0

    @property
    def flips(self) -> int:
        return sum(c.flip is not None for c in self.checks)

    @property
    def read(self) -> int:
        """Bytes of refinement weights."""
        return sum(c.read for c in self.checks)


def top(logits: np.ndarray) -> tuple[int, float]:
    """The argmax (lowest index on ties) and how far it lies above the next.  NonFiniteError for logits that are not finite."""
    if not np.isfinite(logits).all():
        raise NonFiniteError("logits", float(logits[~np.isfinite(logits)][0]))
    best = int(logits.argmax())
    rest = np.partition(logits, -2)[-2] if len(logits) > 1 else -np.inf
    return best, float(np.float64(logits[best]) - np.float64(rest))


def greedy(model: Model, prompt: Sequence[int], most: int) -> tuple[list[int], list[float]]:
    """What a model alone writes, and the margin of each token."""
    cache = model.cache(room(model.config, prompt, most))
    tokens: list[int] = []
    margins: list[float] = []
    feed: Sequence[int] = prompt
    while len(tokens) < most:
        logits = model.prefill(feed, cache).logits
        assert logits is not None  # of the last token, as prefill gives them where nothing else is asked for
        token, margin = top(logits[0])
        tokens.append(token)
        margins.append(margin)
        if token in model.tokenizer.ends:
            break
        feed = [token]
    return tokens, margins


Heard = Callable[[list[int], Check | None], None]


def generate(pair: Pair, prompt: Sequence[int], policy: Policy, most: int, heard: Heard | None = None) -> Answer:
    """An answer of at most `most` tokens.

    prompt: token numbers, at least one.  heard: called after each window with the tokens that became final and the check that
    made them so, None when there was nothing to check.
    RangeError (a token outside the vocabulary, no room in the model's context), EmptyError, NonFiniteError.
    Promises: theorem `Gnosis.verify_all_eq_greedy`, `Gnosis.margin_eq_greedy`, `Gnosis.check_eq_flip`, `Gnosis.cache_reads_text`, `Gnosis.visit_answers`.
    """
    run = _Run(pair, prompt, policy, most, heard or (lambda tokens, check: None))
    start = time.perf_counter()
    run.go()
    run.answer.seconds = time.perf_counter() - start
    return run.answer


def room(config: Config, prompt: Sequence[int], most: int) -> int:
    """Positions that are needed.  RangeError when the context is too short."""
    if not is_integer(most) or most < 1:
        raise RangeError("most", most, "must be a whole number, at least 1")
    if len(prompt) + most > config.context:
        raise RangeError("most", most, f"with a prompt of {len(prompt)} tokens the model's context of {config.context} is too short")
    return len(prompt) + most


@dataclass(frozen=True)
class _Visit:
    """What the finer model says about the tokens up to `upto`: its own token at each place from `first` on."""

    upto: int
    first: int
    says: list[int]
    fed: int
    read: int
    from_disk: int
    seconds: float


class _Run:
    """The state of one generation.  Places count from the start of the prompt."""

    def __init__(self, pair: Pair, prompt: Sequence[int], policy: Policy, most: int, heard: Heard) -> None:
        places = room(pair.coarse.config, prompt, most)
        self.pair, self.policy, self.heard = pair, policy, heard
        self.coarse, self.fine = pair.coarse.cache(places), pair.fine.cache(places)
        self.tokens, self.start, self.last = list(prompt), len(prompt), places
        self.margins: list[float | None] = [None] * len(prompt)
        self.settled = self.told = len(prompt)  # every place before stays as it is; and was passed on
        self.ends = pair.coarse.tokenizer.ends
        self.answer = Answer()

    # ---- both models ----

    def finished(self) -> bool:
        return len(self.tokens) > self.start and self.tokens[-1] in self.ends or len(self.tokens) >= self.last

    def draft(self, until: int, stop: Callable[[], bool] = lambda: False) -> None:
        """The coarse model goes on to a length of `until`."""
        while len(self.tokens) < until and not self.finished() and not stop():
            logits = self.pair.coarse.prefill(self.tokens[self.coarse.length :], self.coarse).logits
            assert logits is not None
            token, margin = top(logits[0])
            self.tokens.append(token)
            self.margins.append(margin)
            self.answer.drafted += 1
            self.answer.deferred += self.policy.deferred(margin)

    def asked(self, upto: int) -> list[int]:
        """The deferred places that are not settled."""
        return [i for i in range(self.settled, upto) if (margin := self.margins[i]) is not None and self.policy.deferred(margin)]

    def visit(self, tokens: list[int]) -> _Visit:
        """The finer model reads what it has not seen of these."""
        start, logical, disk = time.perf_counter(), self.pair.meter.logical, _from_disk()
        new = tokens[self.fine.length :]
        # only places that may be asked about need logits: the head costs as much as many layers
        needed = max(1, min(len(new), len(tokens) - self.settled + 1))
        hidden = self.pair.fine.prefill(new, self.fine, "none").hidden
        logits = self.pair.fine.head(hidden[-needed:])
        says = [top(row)[0] for row in logits]
        return _Visit(
            len(tokens), len(tokens) + 1 - needed, says, len(new), self.pair.meter.logical - logical, _from_disk() - disk, time.perf_counter() - start
        )

    # ---- what follows from a visit ----

    def settle(self, visit: _Visit, asked: list[int]) -> None:
        """Take the finer model's answers in."""
        first = flip_at([True] * len(asked), [self.tokens[i] for i in asked], [visit.says[i - visit.first] for i in asked])
        flip = asked[first] if first < len(asked) else None
        # the place after the last token was answered as well: it is free
        free = visit.says[-1]
        ahead = self.margins[visit.upto] if len(self.tokens) > visit.upto else None
        if flip is None and ahead is not None and self.policy.deferred(ahead) and self.tokens[visit.upto] != free:
            flip = visit.upto
        # what was drafted during the visit is left out: how much that is depends on the clock
        tail = self.tokens[flip + 1 : visit.upto] if flip is not None else []
        gained = passes = 0
        extra = [visit.fed, visit.read, visit.from_disk, visit.seconds]
        if flip is not None:
            self.back(flip)
            self.write(visit.says[flip - visit.first])
            gained = 1
            while passes < self.policy.again and tail and not self.finished():
                passes += 1
                more = self.visit(self.tokens + tail)
                extra = [a + b for a, b in zip(extra, (more.fed, more.read, more.from_disk, more.seconds))]
                before = len(self.tokens)
                for i, says in enumerate(more.says[before - more.first :]):
                    if self.finished():
                        break
                    self.write(says)
                    gained += 1
                    if i >= len(tail) or says != tail[i]:
                        break
                tail = tail[len(self.tokens) - before :]
                self.fine.truncate(min(self.fine.length, len(self.tokens) - 1))
        else:
            self.settled = min(len(self.tokens), visit.upto + 1)
            if len(self.tokens) == visit.upto and not self.finished():
                self.write(free)
                gained = 1
        where = None if flip is None else flip - self.start
        fed, read, disk, seconds = extra
        check = Check(visit.upto - self.start, int(fed), len(asked), where, gained, 1 + passes, int(read), int(disk), float(seconds))
        self.answer.checks.append(check)
        self.tell(check)

    def tell(self, check: Check | None) -> None:
        self.heard(self.tokens[self.told : self.settled], check)
        self.told = self.settled

    def back(self, place: int) -> None:
        """Take back everything from a place on."""
        del self.tokens[place:], self.margins[place:]
        self.coarse.truncate(min(self.coarse.length, place))
        self.fine.truncate(min(self.fine.length, place))

    def write(self, token: int) -> None:
        """A token of the finer model, which is settled."""
        self.tokens.append(token)
        self.margins.append(None)
        self.settled = len(self.tokens)

    # ---- the order of things ----

    def go(self) -> None:
        with ThreadPoolExecutor(1) as pool:
            while True:
                self.draft(self.settled + self.policy.window)
                upto = len(self.tokens)
                asked = self.asked(upto)
                if not asked:
                    self.answer.windows_passed += 1
                    self.settled = upto
                    self.tell(None)
                elif self.policy.overlap:
                    self.ahead(pool.submit(self.visit, self.tokens[:]), asked, upto)
                else:
                    self.settle(self.visit(self.tokens), asked)
                if self.finished() and self.settled >= len(self.tokens):
                    break
        self.answer.tokens, self.answer.margins = self.tokens[self.start :], self.margins[self.start :]
        self.answer.ended = self.answer.tokens[-1] in self.ends

    def ahead(self, visit: Future[_Visit], asked: list[int], upto: int) -> None:
        """Draft the next window while the visit lasts; what was drafted behind a flip is lost."""

        def flipped() -> bool:
            return visit.done() and visit.exception() is None and any(visit.result().says[i - visit.result().first] != self.tokens[i] for i in asked)

        self.draft(upto + self.policy.window, flipped)
        self.settle(visit.result(), asked)


def _from_disk() -> int:
    """Bytes that the system fetched from storage for this process so far: page faults that needed it, and reads."""
    try:
        with open("/proc/self/io", encoding="ascii") as file:
            return int(next(line for line in file if line.startswith("read_bytes:")).split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_majflt * resource.getpagesize()
