"""Make a failing case small: fewer entries, numbers nearer to zero, the failure kept."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

ROUNDS = 400


def _smaller_integers(x: int) -> Iterator[int]:
    """Integers nearer to zero, the smallest first."""
    tried = {x}
    for y in (0, 1, -1, x // 2 if x > 0 else -(-x // 2), x - 1 if x > 0 else x + 1):
        if abs(y) <= abs(x) and y not in tried:
            tried.add(y)
            yield y


def _smaller(x: Any) -> Iterator[Any]:
    """Values with fewer entries or with one number made smaller."""
    if isinstance(x, bool):
        if x:
            yield False
    elif isinstance(x, int):
        yield from _smaller_integers(x)
    elif isinstance(x, (list, tuple)):
        for i in range(len(x)):
            yield [*x[:i], *x[i + 1:]]
        for i, entry in enumerate(x):
            for y in _smaller(entry):
                yield [*x[:i], y, *x[i + 1:]]


def candidates(args: tuple) -> Iterator[tuple]:
    """Simpler argument tuples: half of every list, one index out of all lists at once, one argument made smaller."""
    lists = [len(a) for a in args if isinstance(a, list)]
    if lists and max(lists) > 1:
        half = max(lists) // 2
        for keep in (slice(0, half), slice(half, None)):
            yield tuple(a[keep] if isinstance(a, list) else a for a in args)
    for i in range(max(lists, default=0)):
        yield tuple([*a[:i], *a[i + 1:]] if isinstance(a, list) else a for a in args)
    for k, a in enumerate(args):
        for b in _smaller(a):
            yield (*args[:k], b, *args[k + 1:])


def shrink(args: tuple, failing: Callable[[list[tuple]], list[bool]]) -> tuple:
    """The smallest case that was found.  `failing` says for each of a list of cases whether it still fails."""
    for _ in range(ROUNDS):
        tries = list(candidates(args))
        hits = failing(tries) if tries else []
        better = next((case for case, hit in zip(tries, hits) if hit), None)
        if better is None:
            break
        args = better
    return args
