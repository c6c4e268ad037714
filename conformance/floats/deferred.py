"""Deferred refinement with models that are tables: what is written is what the finer model writes, whatever overlaps with what.

With overlap the finer model waits until the coarse one has drafted all it may, so that every place behind a check is there when it ends.
"""

from __future__ import annotations

import threading
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import NonFiniteError
from ...gates.deferred import _draft, refine_text
from ...inference.deferred import Policy, generate
from ...inference.deferred.run import top
from ..running.checks import Check, Result

TOKENS, MOST, WAIT = 5, 24, 0.02  # seconds at most


class _Cache:
    def __init__(self) -> None:
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    def truncate(self, length: int) -> None:
        del self.tokens[length:]


class _Table:
    """A model whose next token is a function of the whole text; the last of the vocabulary ends it."""

    def __init__(self, seed: int, coarse: bool, gate: Any) -> None:
        self.seed, self.coarse, self.gate = seed, coarse, gate
        self.config = SimpleNamespace(context=1 << 16)
        self.tokenizer = SimpleNamespace(ends=frozenset({TOKENS - 1}))

    def cache(self, room: int = 0) -> _Cache:
        return _Cache()

    def _row(self, text: list[int]) -> list[float]:
        rng = Random(f"{self.seed}/{text}")
        right = rng.randrange(TOKENS - (len(text) < 12))
        row = [0.0] * TOKENS
        differs = rng.random() < 0.3
        # a place at which the two differ has a margin of 1, any other one of 1 or 2
        row[(right + 1) % (TOKENS - 1) if differs and self.coarse else right] = 1.0 if differs or rng.random() < 0.3 else 2.0
        if rng.random() < 0.1:  # the lowest of equals is taken
            row[TOKENS - 2] = max(row)
        return row

    def prefill(self, tokens: list[int], cache: _Cache, mode: str = "last") -> Any:
        if not self.coarse:
            self.gate.wait(len(cache.tokens) + len(tokens))
        hidden = []
        for token in tokens:
            cache.tokens.append(token)
            hidden.append(self._row(cache.tokens))
        if self.coarse:
            self.gate.reached(cache.length)
        return SimpleNamespace(logits=np.array(hidden[-1:]), hidden=np.array(hidden))

    def head(self, hidden: np.ndarray) -> np.ndarray:
        return hidden


class _Gate:
    """Lets the finer model go on when the coarse one is `window` places further, or has stopped."""

    def __init__(self, window: int) -> None:
        self.window, self.length, self.changed = window, 0, threading.Condition()

    def reached(self, length: int) -> None:
        with self.changed:
            self.length = length
            self.changed.notify_all()

    def wait(self, upto: int) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self.length + 1 >= upto + self.window, WAIT if self.window else 0)


def _case(rng: Random) -> tuple[Any, ...]:
    return rng.randrange(1 << 30), rng.choice(("margin", "verify-all")), rng.randint(1, 6), rng.randint(0, 2), rng.random() < 0.5


def _run(seed: int, mode: Any, window: int, again: int, overlap: bool) -> Result:
    gate = _Gate(window if overlap else 0)
    pair: Any = SimpleNamespace(coarse=_Table(seed, True, gate), fine=_Table(seed, False, gate), meter=SimpleNamespace(logical=0))
    told: list[int] = []
    answer = generate(
        pair, [seed % 3], Policy(mode, 1.5 if mode == "margin" else None, window, again, overlap), MOST, lambda tokens, check: told.extend(tokens)
    )
    text, fine = [seed % 3], _Table(seed, False, gate)
    while len(text) <= MOST and (len(text) == 1 or text[-1] != TOKENS - 1):
        text.append(int(np.argmax(fine._row(text))))
    if answer.tokens != text[1:]:
        return Result(1, f"writes {answer.tokens}, the finer model alone {text[1:]}")
    if told != answer.tokens:
        return Result(1, f"tells {told} of {answer.tokens}")
    return Result(1, None, 1)


# ---- against the algorithm of the spine, also where differences are let stand ----------------------------------------------


class _Fixed(_Table):
    """A table of the decision: tokens with margins, read at the number of the text."""

    def __init__(self, table: list[list[int]], coarse: bool, gate: Any) -> None:
        super().__init__(0, coarse, gate)
        self.table = [(token, margin) for token, margin in table]

    def _row(self, text: list[int]) -> list[float]:
        token, margin = _draft(self.table, text)
        return [-1.0] * token + [float(margin)] + [0.0] * (TOKENS - token)  # a margin of 0 goes to the lower index


def _refine_case(rng: Random) -> tuple[Any, ...]:
    """Tables that differ in some places, some of them at a margin of τ or above; the last token ends a text."""
    n = rng.choice((1, 2, 3, 5, 7, 16))
    fine = [rng.choice((0, 1, 2, 3, 3, 4) if rng.random() < 0.4 else (0, 1, 2, 3)) for _ in range(n)]
    coarse = [[t if rng.random() < 0.6 else rng.randrange(TOKENS), rng.randrange(4)] for t in fine]
    return (
        coarse,
        fine,
        rng.choice((None, 0, 1, 2, 3)),
        rng.randint(1, 6),
        rng.randint(0, 2),
        rng.random() < 0.3,
        [rng.randrange(4) for _ in range(rng.randint(1, 3))],
    )


def _run_refine(coarse: list[list[int]], fine: list[int], tau: int | None, window: int, again: int, overlap: bool, prompt: list[int]) -> Result:
    """The checks of a run as choices: how many are drafted and checked, and how many the finer model writes behind a flip or a whole window."""
    gate = _Gate(window if overlap else 0)
    pair: Any = SimpleNamespace(coarse=_Fixed(coarse, True, gate), fine=_Fixed([[t, 1] for t in fine], False, gate), meter=SimpleNamespace(logical=0))
    steps: list[tuple[int, int, int]] = []
    settled = 0

    def heard(tokens: list[int], check: Any) -> None:
        nonlocal settled
        gained, flip = (0, None) if check is None else (check.gained, check.flip)
        checked = len(tokens) - gained if flip is None else max(check.upto, flip + 1) - settled
        steps.append((checked, checked, gained - (flip is not None)))
        settled += len(tokens)

    mode: Any = "verify-all" if tau is None else "margin"
    answer = generate(pair, prompt, Policy(mode, None if tau is None else float(tau), window, again, overlap), MOST, heard)
    truth = refine_text(9 if tau is None else tau, [(t, m) for t, m in coarse], fine, steps, prompt[::-1])[::-1]
    if prompt + answer.tokens != truth:
        return Result(1, f"writes {answer.tokens}, after the choices {steps} it is {truth[len(prompt) :]}")
    alone = list(prompt)
    for _ in answer.tokens:
        alone.append(_draft([(t, 1) for t in fine], alone)[0])
    return Result(1, None, int(truth == alone), int(truth != alone))


def _threshold_case(rng: Random) -> tuple[Any, ...]:
    return (rng.choice((0.0, 1.0, 1.5)),)


def _run_threshold(tau: float) -> Result:
    """A margin of exactly τ is not deferred, the next below is."""
    policy = Policy("margin", tau)
    right = not policy.deferred(tau) and (tau == 0 or policy.deferred(float(np.nextafter(tau, 0)))) and Policy("verify-all", None).deferred(float("inf"))
    return Result(1, None if right else f"τ = {tau}", 1)


def _top_case(rng: Random) -> tuple[Any, ...]:
    return [rng.choice((0.0, 1.0, 1.5, -2.0)) for _ in range(rng.randint(1, 6))], rng.choice((None, None, "nan", "inf", "-inf"))


def _run_top(logits: list[Any], odd: str | None) -> Result:
    """The lowest index of the largest logit, and its lead; numbers that are none have no largest."""
    row = np.array(logits, np.float32)
    if odd is not None:
        row[-1] = float(odd)
        try:
            return Result(1, f"{row.tolist()} has a largest entry: {top(row)}")
        except NonFiniteError:
            return Result(1, refused=1)
    best = logits.index(max(logits))
    rest = logits[:best] + logits[best + 1 :]
    right = top(row) == (best, max(logits) - max(rest) if rest else float("inf"))
    return Result(1, None if right else f"{top(row)} of {logits}")


CHECKS = (
    Check("deferred.top", _top_case, _run_top, batch=16),
    Check("deferred.generate", _case, _run, batch=24),
    Check("deferred.generate as refineText", _refine_case, _run_refine, batch=24),
    Check("deferred.Policy", _threshold_case, _run_threshold, batch=4),
)
