"""Make a failing case small: fewer entries, numbers nearer to zero, the failure kept."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

SECONDS = 3.0
TRIES = 150  # at once


def size(x: Any) -> int:
    """How much there is to read: entries and bits."""
    if isinstance(x, (list, tuple)):
        return 2 + sum(map(size, x))
    if isinstance(x, float) and math.isfinite(x):
        n, d = x.as_integer_ratio()
        odd = n // (n & -n) if n else 0
        return 2 + abs(odd).bit_length() + abs(math.frexp(x)[1]).bit_length() + (math.copysign(1, x) < 0)
    if isinstance(x, str):
        return 1 + len(x)
    return 1 + (x.bit_length() if isinstance(x, int) else 0) + (isinstance(x, int) and x < 0)


def _smaller_integers(x: int) -> Iterator[int]:
    """Integers nearer to zero, the smallest first."""
    seen = {x}
    sign = -1 if x < 0 else 1
    for y in (0, 1, *(sign * (abs(x) >> k) for k in (64, 16, 8, 4, 2, 1)), abs(x), x - sign):
        if y not in seen and size(y) <= size(x):
            seen.add(y)
            yield y


def _smaller_floats(x: float) -> Iterator[float]:
    """Floats with fewer digits, the simplest first; what a narrower type holds stays within it."""
    if not math.isfinite(x):
        return
    fraction, exponent = math.frexp(x)
    cut = [math.ldexp(math.trunc(math.ldexp(fraction, bits)), exponent - bits) for bits in (1, 2, 4, 8, 11, 24, 50)]
    for y in (0.0, 1.0, abs(x), *cut):
        if size(y) < size(x):
            yield y


def _smaller(x: Any) -> Iterator[Any]:
    """Values with fewer entries or with one number made smaller."""
    if isinstance(x, bool):
        if x:
            yield False
    elif isinstance(x, int):
        yield from _smaller_integers(x)
    elif isinstance(x, float):
        yield from _smaller_floats(x)
    elif isinstance(x, tuple):  # a pair or triple keeps its length
        for i, entry in enumerate(x):
            for y in _smaller(entry):
                yield (*x[:i], y, *x[i + 1 :])
    elif isinstance(x, list):
        for i in range(len(x)):
            yield [*x[:i], *x[i + 1 :]]
        for i, entry in enumerate(x):
            for y in _smaller(entry):
                yield [*x[:i], y, *x[i + 1 :]]


def _without(a: Any, i: int, columns: int) -> Any:
    """A matrix, or a row of as many entries, without column i."""
    if not isinstance(a, list):
        return a
    if a and all(isinstance(row, list) for row in a):
        return [[*row[:i], *row[i + 1 :]] for row in a]
    return [*a[:i], *a[i + 1 :]] if len(a) == columns else a


def candidates(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Simpler argument tuples: half of every list, one index out of all lists at once, one column out of all matrices, one argument made smaller."""
    lists = [len(a) for a in args if isinstance(a, list)]
    if lists and max(lists) > 1:
        half = max(lists) // 2
        for keep in (slice(0, half), slice(half, None)):
            yield tuple(a[keep] if isinstance(a, list) else a for a in args)
    for i in range(max(lists, default=0)):
        yield tuple([*a[:i], *a[i + 1 :]] if isinstance(a, list) else a for a in args)
    columns = max((len(row) for a in args if isinstance(a, list) for row in a if isinstance(row, list)), default=0)
    for i in range(columns):
        yield tuple(_without(a, i, columns) for a in args)
    for k, a in enumerate(args):
        for b in _smaller(a):
            yield (*args[:k], b, *args[k + 1 :])


def shrink(args: tuple[Any, ...], failing: Callable[[list[tuple[Any, ...]]], list[bool]]) -> tuple[Any, ...]:
    """The smallest case that was found within SECONDS.  `failing` says for each of a list of cases whether it still fails."""
    end = time.monotonic() + SECONDS
    tries = candidates(args)
    while time.monotonic() < end:
        some = list(islice(tries, TRIES))
        if not some:
            break
        better = next((case for case, hit in zip(some, failing(some)) if hit), None)
        if better is not None:
            args, tries = better, candidates(better)
    return args
