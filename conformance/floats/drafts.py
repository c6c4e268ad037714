"""Drafts with models that are tables: what is written is what the finer model writes alone, what is in the cache is what it read, and draws go by their weights."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import RangeError
from ...inference.deferred.draft import Drafter
from ...inference.deferred.sampling import Gumbel, Sampling, Uniform, accept, chances, lead_of, pick
from ...inference.deferred.worth import MOST_LENGTH, Worth
from ..running.checks import Check, Result

TOKENS, MOST, DRAWS, FAR = 5, 24, 600, 6.0


class _Cache:
    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.by: list[str] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    def truncate(self, length: int) -> None:
        if not 0 <= length <= self.length:
            raise RangeError("length", length, "is beyond the cache")
        del self.tokens[length:], self.by[length:]


class _Table:
    """An engine whose logits are a function of the whole text; the last of the vocabulary ends it.  It reads only behind what the finer one left."""

    threads = 1

    def __init__(self, seed: int, coarse: bool) -> None:
        self.seed, self.coarse, self.nbytes = seed, coarse, 1 - coarse
        self.config = SimpleNamespace(context=1 << 16, layers=1, width=1, groups=1, head=1, vocabulary=TOKENS)
        head = SimpleNamespace(encoding="F32", raw=np.zeros((1, 1), np.uint8))  # the same for both: there is nothing to make sharper
        self.model = SimpleNamespace(tokenizer=SimpleNamespace(ends=frozenset({TOKENS - 1})), head_name="head", weights={"head": head})
        self.caches: list[_Cache] = []

    def cache(self, room: int) -> _Cache:
        self.caches.append(_Cache())
        return self.caches[-1]

    def row(self, text: list[int]) -> list[float]:
        rng = Random(f"{self.seed}/{text}")
        row = [rng.choice((0.0, 1.0, 2.0)) for _ in range(TOKENS)]
        if self.coarse and rng.random() < 0.4:
            row[rng.randrange(TOKENS)] += 1.5
        return row

    def prefill(self, tokens: list[int], cache: _Cache, mode: str = "last") -> Any:
        rows = []
        for token in tokens:
            cache.tokens.append(token)
            cache.by.append("coarse" if self.coarse else "fine")
            rows.append(self.row(cache.tokens))
        return SimpleNamespace(logits=np.array(rows if mode == "all" else rows[-1:], np.float32), hidden=np.zeros((len(tokens), 1), np.float32))

    def greedy(self, tokens: list[int], cache: _Cache, want: int) -> Any:
        rows = self.prefill(tokens, cache, "all").logits[-want:]
        best = np.sort(rows, axis=1)
        return SimpleNamespace(tokens=rows.argmax(axis=1), lead=best[:, -1] - best[:, -2])


def _alone(fine: _Table, prompt: list[int], most: int, how: Sampling | None) -> list[int]:
    """Token after token; noise and cuts by what they are said to be."""
    text = list(prompt)
    while len(text) < len(prompt) + most and (len(text) == len(prompt) or text[-1] != TOKENS - 1):
        row = fine.row(text)
        if how is not None:
            raw = np.random.Philox(key=np.array([how.seed, len(text)], np.uint64)).random_raw(TOKENS)
            u = [((int(x) >> 12) + 0.5) / 2**52 for x in raw]
            row = [x / how.temperature - math.log(-math.log(v)) for x, v in zip(row, u)]
        text.append(max(range(TOKENS), key=lambda i: (row[i], -i)))
    return text[len(prompt) :]


def _case(rng: Random) -> tuple[Any, ...]:
    return rng.randrange(1 << 30), rng.choice((None, 1, 2, 5, 12)), rng.choice((None, 0.5, 1.0)), rng.randint(1, MOST)


def _run(seed: int, length: int | None, temperature: float | None, most: int) -> Result:
    fine, coarse = _Table(seed, False), _Table(seed, True)
    drafter = Drafter(fine, coarse, length)  # type: ignore[arg-type]  # tables that are used as engines are
    how, told = None if temperature is None else Sampling(temperature, seed=seed), list[int]()
    found = drafter.write([seed % 3], most, how, told.extend)
    text, cache = _alone(fine, [seed % 3], most, how), fine.caches[-1]
    if found.tokens != text or told != text:
        return Result(1, f"writes {found.tokens}, tells {told}, the finer model alone {text}")
    if cache.tokens != [seed % 3, *text][:-1] or set(cache.by) != {"fine"}:
        return Result(1, f"the cache holds {cache.tokens}, read by {cache.by}, after {text}")
    if found.ended != (text[-1] == TOKENS - 1) or not 0 <= found.accepted <= found.drafted or length is not None and found.passes > len(text):
        return Result(1, f"says {found} of {text}")
    if length is not None and len(text) > length + 2 and not found.drafted:
        return Result(1, f"drafts nothing in {len(text)} tokens")
    return Result(1, None, 1)


def _draw_case(rng: Random) -> tuple[Any, ...]:
    return ([rng.choice((0, 1, 2, 5)) for _ in range(4)] + [1], [1] + [rng.choice((0, 1, 3)) for _ in range(4)], rng.randrange(1 << 30))


def _far(tokens: list[int], law: np.ndarray) -> str | None:
    """A count that lies more than FAR standard deviations, and 8, from what it should be."""
    counts = Counter(tokens)
    for i, p in enumerate(law.tolist()):
        if abs(counts[i] - len(tokens) * p) > (FAR * math.sqrt(len(tokens) * p * (1 - p)) + 8 if 0 < p < 1 else 0):
            return f"token {i} of probability {p} is drawn {counts[i]} times of {len(tokens)}"
    return None


def _run_draws(weights: list[int], others: list[int], seed: int) -> Result:
    """Picking, the largest sum with noise, and accepting or drawing again."""
    p, q = (np.array(w, float) / sum(w) for w in (weights, others))
    uniform, noise = Uniform(seed), Gumbel(seed)
    problem = _far([pick(p, uniform()) for _ in range(DRAWS)], p) or _far([noise.draw(p, i)[0] for i in range(DRAWS)], p)
    problem = problem or _far([accept(pick(q, uniform()), p, q, uniform)[0] for _ in range(DRAWS)], p)
    kept = sum(accept(pick(q, uniform()), p, q, uniform)[1] for _ in range(DRAWS))
    both = float(np.minimum(p, q).sum())
    if problem is None and abs(kept - DRAWS * both) > FAR * math.sqrt(DRAWS * both * (1 - both)) + 8:
        problem = f"{kept} of {DRAWS} drafts are accepted, whose probability is {both}"
    token = pick(p, uniform())
    rest = max((x for i, x in enumerate(weights) if i != token), default=0)
    lead = math.log(weights[token] / rest) if rest else math.inf
    if problem is None and not (lead_of(p, token) == lead or abs(lead_of(p, token) - lead) < 1e-12):
        problem = f"the lead of {token} in {weights} is {lead_of(p, token)}"
    return Result(1, problem, 1)


def _cut_case(rng: Random) -> tuple[Any, ...]:
    return (
        [rng.choice((1, 1, 2, 4, 8)) for _ in range(rng.randint(1, 7))],
        rng.choice((None, 1, 2, 3, 9)),
        rng.choice((None, 0.2513, 0.5009, 0.7507, 1.0)),  # no sum of whole weights meets one of these exactly
        rng.choice((None, 0.2513, 0.1303, 1.0)),
    )


def _run_cuts(weights: list[int], k: int | None, top_p: float | None, min_p: float | None) -> Result:
    """The cuts on weights that are powers of two, none of them met exactly: exponentials may miss a power by a rounding."""
    left = sorted(range(len(weights)), key=lambda i: (-weights[i], i))[:k]
    if top_p is not None:
        total = sum(weights[i] for i in left)
        left = left[: next(n for n in range(1, len(left) + 1) if sum(weights[i] for i in left[:n]) >= top_p * total)]
    if min_p is not None:
        left = [i for i in left if weights[i] >= min_p * weights[left[0]]]
    logits = np.log2(np.array(weights, np.float32))
    found = chances(logits, Sampling(1 / math.log(2), k, top_p, min_p))
    expected = [weights[i] / sum(weights[j] for j in left) if i in left else 0.0 for i in range(len(weights))]
    right = [x > 0 for x in found] == [x > 0 for x in expected] and np.allclose(found, expected, rtol=1e-9)
    return Result(1, None if right else f"{found.tolist()} of {weights}", 1)


def _worth_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice((0.1, 0.4, 0.7, 1.2)), rng.choice((0.05, 0.2, 0.6)), rng.choice((0.2, 0.7, 0.95)), rng.randrange(1 << 30)


def _run_worth(draft: float, more: float, share: float, seed: int) -> Result:
    """After many rounds with fixed costs and a fixed share, drafts are made where they pay, and hardly where they do not."""
    rng, worth, spent, written, drafted = Random(seed), Worth(), 0.0, 0, 0
    while written < 1500:
        plan, n, survival = worth.plan(64), 0, 1.0
        while worth.goes_on(n, survival, plan):
            worth.drafted(draft)
            n, survival = n + 1, survival * worth.chance(1.5)
        kept = next((i for i in range(n) if rng.random() >= share), n)
        for i in range(min(kept + 1, n)):
            worth.judged(1.5, i < kept)
        worth.checked(n + 1, 1 + more * n, kept + 1)
        spent, written, drafted = spent + 1 + more * n + n * draft, written + kept + 1, drafted + n
        if n > MOST_LENGTH:
            return Result(1, f"a draft of {n} tokens")
    best = max(sum(share**i for i in range(n + 1)) / (1 + more * n + n * draft) for n in range(MOST_LENGTH + 1))
    gain = written / spent
    if gain < 0.97 or gain < 0.85 * best:
        return Result(1, f"{gain:.3f} tokens in the time of a pass, {best:.3f} are possible")
    return Result(1, None, 1)


CHECKS = (
    Check("deferred.Drafter", _case, _run, batch=24),
    Check("deferred.draws", _draw_case, _run_draws, batch=2),
    Check("deferred.cuts", _cut_case, _run_cuts, batch=24),
    Check("deferred.Worth", _worth_case, _run_worth, batch=2),
)
