"""A coarse engine drafts, a finer one checks the whole draft in one pass; both use one cache.

The finer model reads the prompt.  The coarse one goes on from the finer one's keys and values, and what it writes into the cache the checking pass overwrites: after
a round the cache holds what the finer model would have put there alone.  Its bits do not depend on how many tokens a pass has (docs/engine.md), so the text is
the one that the finer model writes token by token, whatever is drafted and however long drafts are (`Gnosis.verify_all_eq_greedy`, in which the finer model is any
function of the text: the likeliest token, or with shared noise the drawn one).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...engine import Engine
from ...errors import NonFiniteError
from ...gates.deferred import flip_at
from ...lm import Model
from ...lm.model import checked_tokens
from ...models.files import ModelError
from .pair import file_of, match
from .run import room
from .sampling import Gumbel, Sampling, Uniform, accept, chances, lead_of, pick
from .worth import Worth

NEAR, SHARP = 2.0, 16
SMALL = 0.4  # share of the finer model's bytes below which a drafter is hoped to pay
COARSE_BITS = 8  # of the activations of a drafter: its products are quicker, and what it writes is checked
Heard = Callable[[list[int]], None]


@dataclass
class Written:
    """A text and what it took.

    tokens: of the answer.  ended: whether it ends with a mark of the end.  drafted, accepted: tokens of the coarse model, and those that stand.  passes: of the
    finer model after the prompt; drafts: those in which it checked something.  seconds: wall time after the prompt was read; prompt_seconds: of reading it;
    clock_seconds: after it by the drafter's clock; cpu_seconds: of all threads of the process, those that wait included.
    """

    tokens: list[int] = field(default_factory=list)
    ended: bool = False
    drafted: int = 0
    accepted: int = 0
    passes: int = 0
    drafts: int = 0
    seconds: float = 0.0
    prompt_seconds: float = 0.0
    clock_seconds: float = 0.0
    cpu_seconds: float = 0.0


class Said(NamedTuple):
    """What a model says after a text.

    token: −1 where it is still to be drawn.  lead: how far it is ahead of the next, in logits or logarithms of probabilities, noise included where there is some.
    law: float64[vocabulary], the probabilities, where a token is to be drawn from them.
    """

    token: int
    lead: float
    law: np.ndarray | None = None


class Drafter:
    """A finer engine, and a coarse one that drafts for it.  What it learns about costs and acceptance stays from text to text.

    fine, coarse: engines of one shape.  length: of drafts, 1 to 12; None follows what is measured.
    worth: what was learnt so far.  ModelError for engines that do not fit, RangeError.
    """

    def __init__(self, fine: Engine, coarse: Engine, length: int | None = None) -> None:
        a, b = fine.config, coarse.config
        for name in ("layers", "width", "groups", "head", "vocabulary"):
            if getattr(a, name) != getattr(b, name):
                raise ModelError(f"the coarse model cannot draft for the finer one: {name} is {getattr(b, name)} in one and {getattr(a, name)} in the other")
        self.fine, self.coarse, self.worth = fine, coarse, Worth(length, coarse.nbytes < SMALL * fine.nbytes)
        heads = [engine.model.weights[engine.model.head_name] for engine in (fine, coarse)]
        self._head = None if heads[0].encoding == heads[1].encoding and np.array_equal(heads[0].raw, heads[1].raw) else heads[0]
        # one thread: its own time, which other processes do not lengthen
        self.clock = time.thread_time if fine.threads == 1 == coarse.threads else time.perf_counter

    def sharpened(self, logits: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        """The coarse logits, those within NEAR of the largest, no more than SHARP, by the rows of the finer head; float32[vocabulary], written in place."""
        if self._head is None:
            return logits
        doubtful = np.flatnonzero(logits >= logits.max() - NEAR)
        if 1 < len(doubtful):
            doubtful = doubtful[np.argsort(-logits[doubtful], kind="stable")[:SHARP]]
            logits[doubtful] = self._head.taken(doubtful) @ hidden
        return logits

    def close(self) -> None:
        """Give both engines' memory and threads back."""
        self.fine.close()
        self.coarse.close()

    def write(self, prompt: Sequence[int], most: int, sampling: Sampling | None = None, heard: Heard | None = None) -> Written:
        """An answer of at most `most` tokens: the likeliest ones of the finer model, or drawn ones.

        prompt: token numbers, at least one.  sampling: None for the likeliest token.  heard: called with tokens as they become final.
        RangeError (most, a token, top_k, no room in the context), EmptyError, DtypeError, NonFiniteError.
        Promises: theorem `Gnosis.verify_all_eq_greedy`, `Gnosis.check_eq_flip`, `Gnosis.cache_reads_text`, `Gnosis.speculative_sampling_exact`.
        """
        return _Text(self, prompt, most, sampling, heard or (lambda tokens: None), True).go()

    def alone(self, prompt: Sequence[int], most: int, sampling: Sampling | None = None, heard: Heard | None = None) -> Written:
        """What the finer model alone writes, nothing drafted.  The errors of `write`."""
        return _Text(self, prompt, most, sampling, heard or (lambda tokens: None), False).go()


def open_drafter(
    model: str = "smollm2", base: str = "q4", refine: str = "q8", threads: int = 1, length: int | None = None, folder: Path | None = None
) -> Drafter:
    """A finer code of a model on the engine, and a coarse one that drafts for it; `close` gives both back.

    model, base, refine, folder: as for `open_pair`.  threads: of each.  length: of drafts, None follows what is measured.
    ModelError, also for a model that the engine does not run; RangeError, OSError.
    """
    paths = [file_of(model, code, folder) for code in (base, refine)]
    coarse, fine = (Model.load(str(path), threads=threads) for path in paths)
    match(coarse, fine, f"{paths[0]} and {paths[1]}")
    Worth(length)  # before the work
    with ExitStack() as stack:
        drafter = Drafter(*engines_of(fine, coarse, threads, stack), length)
        stack.pop_all()
    return drafter


def engines_of(fine: Model, coarse: Model, threads: int, stack: ExitStack) -> tuple[Engine, Engine]:
    """The engines of a pair, which end with the stack: one set of threads for both, and 8-bit activations for the coarse one, which are quicker.  ModelError, RangeError."""
    first = stack.enter_context(Engine.of_model(fine, threads=threads))
    return first, stack.enter_context(Engine.of_model(coarse, COARSE_BITS, threads, first))


class _Text:
    """The state of one text.  The cache holds all of its tokens but the last."""

    def __init__(self, drafter: Drafter, prompt: Sequence[int], most: int, sampling: Sampling | None, heard: Heard, drafting: bool) -> None:
        fine = drafter.fine
        self.prompt = checked_tokens(prompt, fine.config.vocabulary).tolist()
        self.cache = fine.cache(room(fine.config, self.prompt, most))
        if sampling is not None:
            sampling.check(fine.config.vocabulary)
        self.drafter, self.most, self.sampling, self.heard, self.drafting = drafter, int(most), sampling, heard, drafting
        self.gumbel = Gumbel(0 if sampling is None else sampling.seed)
        self.uniform = Uniform(0 if sampling is None else sampling.seed)
        self.resample = sampling is not None and sampling.noise == "resample"
        self.ends = fine.model.tokenizer.ends
        self.written = Written()

    def go(self) -> Written:
        start = time.perf_counter()
        self.drafter.worth.begin()
        self.put([self.word(self.read(self.prompt, 1)[0])])
        self.written.prompt_seconds, begun, cpu = time.perf_counter() - start, self.drafter.clock(), time.process_time()
        while len(self.written.tokens) < self.most and self.written.tokens[-1] not in self.ends:
            self.check(self.draft() if self.drafting else [])
        self.written.ended = self.written.tokens[-1] in self.ends
        self.written.seconds = time.perf_counter() - start - self.written.prompt_seconds
        self.written.clock_seconds, self.written.cpu_seconds = self.drafter.clock() - begun, time.process_time() - cpu
        return self.written

    def put(self, tokens: list[int]) -> None:
        self.written.tokens += tokens
        self.heard(tokens)

    # ---- one pass ----

    def read(self, tokens: list[int], want: int) -> list[Said]:
        """The finer model goes on behind the cache with these tokens: what it says after each of the last `want`."""
        fine = self.drafter.fine
        if self.sampling is None:
            found = fine.greedy(tokens, self.cache, want)
            if np.isnan(found.lead).any():
                raise NonFiniteError("logits", float("nan"))
            return [Said(*both) for both in zip(found.tokens.tolist(), found.lead.tolist())]
        logits = fine.prefill(tokens, self.cache, "last" if want == 1 else "all").logits
        assert logits is not None
        first = self.cache.length - want + 1  # the place in the text of the token after the first of them
        return [self.said(row, first + i) for i, row in enumerate(logits)]

    def guess(self, last: int) -> Said:
        """The coarse model goes on with a token: what it says then, its head made sharper where it is in doubt."""
        step = self.drafter.coarse.prefill([last], self.cache)
        assert step.logits is not None
        row = self.drafter.sharpened(step.logits[0], step.hidden[0])
        if self.sampling is not None:
            return self.said(row, self.cache.length)
        best = int(row.argmax())
        top, row[best] = row[best], -np.inf
        return Said(best, float(top - row.max()))

    def said(self, row: np.ndarray, place: int) -> Said:
        """What logits say where tokens are drawn: with shared noise the one at that place of the text."""
        assert self.sampling is not None
        p = chances(row, self.sampling)
        return Said(-1, 0.0, p) if self.resample else Said(*self.gumbel.draw(p, place))

    def word(self, said: Said) -> int:
        """The token of what a model says: its own, or one that is drawn now."""
        return said.token if said.law is None else pick(said.law, self.uniform())

    # ---- a draft and its check ----

    def draft(self) -> list[Said]:
        """What the coarse model goes on with; the cache is afterwards as it was."""
        worth, clock, length = self.drafter.worth, self.drafter.clock, self.cache.length
        plan = worth.plan(self.most - len(self.written.tokens) - 1)
        said: list[Said] = []
        last, survival = self.written.tokens[-1], 1.0
        while last not in self.ends and worth.goes_on(len(said), survival, plan):
            start = clock()
            one = self.guess(last)
            if one.law is not None:
                token = pick(one.law, self.uniform())
                one = Said(token, lead_of(one.law, token), one.law)
            worth.drafted(clock() - start)
            said.append(one)
            last, survival = one.token, survival * worth.chance(one.lead)
        self.cache.truncate(length)
        return said

    def check(self, drafted: list[Said]) -> None:
        """The finer model reads the draft; what it would have written stands, and one token more."""
        worth, clock, length = self.drafter.worth, self.drafter.clock, self.cache.length
        tokens = [one.token for one in drafted]
        start = clock()
        said = self.read([self.written.tokens[-1], *tokens], len(tokens) + 1)
        new, kept = self.resampled(drafted, said) if self.resample else self.compared(tokens, said)
        seconds = clock() - start
        end = next((i for i, token in enumerate(new) if token in self.ends), len(new) - 1)
        new = new[: end + 1]
        self.cache.truncate(length + len(new))
        self.put(new)
        self.written.drafted += len(tokens)
        self.written.accepted += min(kept, len(new))
        self.written.passes += 1
        self.written.drafts += bool(tokens)
        if self.drafting:
            for i, one in enumerate(drafted[: kept + 1]):
                worth.judged(one.lead, i < kept)
            worth.checked(len(tokens) + 1, seconds, len(new))

    def compared(self, tokens: list[int], said: list[Said]) -> tuple[list[int], int]:
        """The drafted tokens up to the first that is another than the finer model's, and its own there; how many stand."""
        says = [one.token for one in said]
        flip = flip_at([True] * len(tokens), tokens, says)
        return [*tokens[:flip], says[flip]], flip

    def resampled(self, drafted: list[Said], said: list[Said]) -> tuple[list[int], int]:
        """The drafted tokens up to the first that is not accepted, and one drawn in its place; how many stand."""
        new: list[int] = []
        for one, fine in zip(drafted, said):
            assert one.law is not None and fine.law is not None
            token, kept = accept(one.token, fine.law, one.law, self.uniform)
            new.append(token)
            if not kept:
                return new, len(new) - 1
        return [*new, self.word(said[-1])], len(new)
