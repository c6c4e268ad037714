"""The kernels on vectors of several blocks, on sums that float64 rounds to the same number, and on what is no number."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import conformal, cumloss, margin
from ...errors import NonFiniteError, RangeError
from ..running.checks import Check, Result

_TYPES = ("int64", "float64", "float32")


def _case(rng: Random) -> tuple[Any, ...]:
    """Type, length, the range that entries are from (small ones are full of ties), and a seed for the entries."""
    return rng.choice(_TYPES), rng.choice((1, 65, 200, 2047, 2048, 2049, 5000, 9000)), rng.choice((1, 3, 50, 10**6)), rng.randrange(1 << 30)


def _scores(rng: Random, kind: str, n: int, most: int) -> np.ndarray:
    """Entries in no order, rising or falling; the largest one sometimes only in the last block."""
    z = [rng.randint(-most, most) for _ in range(n)]
    order = rng.random()
    return np.array(z if order < 0.4 else sorted(z) if order < 0.7 else sorted(z, reverse=True), kind)


def _run_margin(kind: str, n: int, most: int, seed: int) -> Result:
    rng = Random(seed)
    z, e = _scores(rng, kind, n, most), np.array([rng.randint(0, 3) for _ in range(n)], kind)
    right = [int(np.argmax(z)), np.flatnonzero(z + e >= (z - e).max()).tolist()]  # exact: whole numbers below 2^24
    got = [margin.argmax(z), margin.candidates(z, e).tolist()]
    return Result(2, None if got == right else f"{got}, not {right}"[:300], 2)


def _unseen(n: int) -> np.ndarray:
    """The places of n that the kernel's sample does not look at, so that its pivots tell it nothing about them.  If it takes another sample, this is any set."""
    s = min(4096, round(n ** (2 / 3) - 0.5)) // 8
    seen = np.zeros(n, bool)
    for j in range(s if n > 64 else 0):
        x = (j + 1) * 0x9E3779B97F4A7C15 % 2**64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        at = j * (n // s) + (x ^ x >> 27) % (n // s - 7)
        seen[at : at + 8] = True
    return ~seen


def _run_conformal(kind: str, n: int, most: int, seed: int) -> Result:
    rng = Random(seed)
    z = _scores(rng, kind, n, most)
    if rng.random() < 0.4:
        z[_unseen(n)] += rng.choice((-1, 1)) * (3 * most + 1)
    if rng.random() < 0.4:
        z -= 4 * most + 2  # all below zero
    k, ordered = min(n, rng.choice((1, 2, n // 2 + 1, max(1, n - 1), n, rng.randint(1, n)))), np.sort(z)
    kept = conformal.Largest(n + 1 - k, z.dtype)
    for part in np.array_split(z, rng.choice((1, 3, 9))):
        kept.add(part)
    got = [conformal.kth_smallest(z, k), conformal._kth_by_digits(z, k), *kept.top().tolist()]
    right = ordered[k - 1 :].tolist()
    return Result(
        3, None if got == [right[0], right[0], *right] else f"rank {k} of {n}: {got[0]}, digit by digit {got[1]}, not {right[0]}, or other scores above it", 3
    )


def _near_ties(rng: Random) -> tuple[Any, ...]:
    """Exponents k of what scores less or plus their bounds differ from 1 by, 2^-k: bounds that vanish against the score, and scores that
    vanish against the bound; and the side, 1 or -1, of the difference."""
    return (
        [rng.randint(54, 70) for _ in range(rng.randint(2, 5))],
        [rng.randint(54, 70) for _ in range(rng.randint(1, 3))],
        [rng.randint(54, 68) for _ in range(rng.randint(0, 3))],
        rng.choice((1, -1)),
    )


def _run_near_ties(leaders: list[int], rivals: list[int], small: list[int], side: int) -> Result:
    pairs = [(1.0, 2.0**-k) if side < 0 else (1 + 2.0**-52, 2.0**-52 - 2.0**-k) for k in leaders]
    pairs += [(1 - 2.0**-53, 2.0**-53 + side * 2.0**-k) for k in rivals] + [(2.0**-16 + side * 2.0**-k, 1 - 2.0**-16) for k in small]
    exact = [(Fraction(z), Fraction(e)) for z, e in pairs]
    lowest = max((z - e for z, e in exact), default=Fraction(0))
    right = [i for i, (z, e) in enumerate(exact) if z + e >= lowest]
    got = margin.candidates(np.array([z for z, _ in pairs]), np.array([e for _, e in pairs])).tolist() if pairs else []
    return Result(1, None if got == right else f"{got}, not {right}", 1)


def _no_number(rng: Random) -> tuple[Any, ...]:
    n = rng.choice((1, 2, 9, 40, 2049))
    return (
        rng.choice(_TYPES[1:]),
        n,
        sorted(rng.sample(range(n), min(n, rng.randint(1, 3)))) if rng.random() < 0.7 else [n - 1],
        rng.choice(("nan", "inf", "-inf")),
    )


def _run_no_number(kind: str, n: int, places: list[int], what: str) -> Result:
    z = np.zeros(n, kind)
    z[places] = float(what)
    calls = (
        lambda: margin.argmax(z),
        lambda: margin.candidates(z, np.zeros(n, kind)),
        lambda: conformal.kth_smallest(z, 1),
        lambda: conformal.Largest(3, z.dtype).add(z),
        lambda: conformal.largest(z, 1),
        lambda: conformal._kth_by_digits(z, 1),
    )
    for call in calls:
        try:
            call()
        except NonFiniteError as error:
            if error.index != places[0]:
                return Result(1, f"entry {error.index} is named, the first is {places[0]}")
        else:
            if not all(map(math.isfinite, z.tolist())):
                return Result(1, f"{what} at {places[0]} is taken for a number")
    return Result(len(calls), refused=len(calls))


LIMIT = 1 << 62


def _account(rng: Random) -> tuple[Any, ...]:
    """Steps, how many of them can be afforded, the size of the losses, a fault and the step where it is (or none), and a seed."""
    n = rng.choice((1, 100, 128, 129, 300, 700))
    fault = rng.choice(
        ("", "", "", "offer below", "offer above", "charge below", "overcharge", "budget above", "budget falls", "loss below", "loss above", "lost")
    )
    return (
        n,
        rng.choice((0, n // 3, n, 2 * n)),
        rng.choice((0, 1, 40, 59, 61)),
        fault,
        rng.choice((rng.randrange(n), (n - 1) // 128 * 128)),
        rng.randrange(1 << 30),
    )


def _run_account(n: int, afforded: int, size: int, fault: str, at: int, seed: int) -> Result:
    """`cumloss.run` against the account in Python's own integers, step by step; the first fault is named."""
    rng = Random(seed)
    start, most = rng.choice((0, 5)), rng.choice((3, 1000, 1 << 50))
    offers = [rng.randint(0, most) for _ in range(n)]
    charges = [rng.choice((o, o, o // 2, 0)) for o in offers]
    losses = [rng.randint(0, 1 << size) for _ in range(n)]
    level = start + sum(charges[:afforded]) + rng.choice((0, 0, 1, most))
    budgets = [level + (i // 50) * rng.choice((0, 0, 1)) for i in range(n)]
    budgets = [max(budgets[: i + 1]) for i in range(n)] if rng.random() < 0.5 else [level] * n
    where = {
        "offer below": (offers, -1),
        "offer above": (offers, LIMIT),
        "charge below": (charges, -1),
        "overcharge": (charges, offers[at] + 1),
        "budget above": (budgets, LIMIT),
        "budget falls": (budgets, budgets[max(0, at - 1)] - 1),
        "loss below": (losses, -1),
        "loss above": (losses, LIMIT),
    }
    if fault == "lost":  # the losses of two steps come to the end of the range, or to the last number in it; the step between may be in another block
        losses = [0] * n
        losses[rng.randrange(at + 1)] += LIMIT - 1
        losses[at] += rng.choice((0, 1, 1)) if losses[at] == 0 else 0
    elif fault and not (fault == "budget falls" and (at == 0 or budgets[at - 1] == 0)):
        where[fault][0][at] = where[fault][1]
    names = {"offers": offers, "charges": charges, "budget": budgets, "losses": losses}
    account, lost, admitted = start, 0, []
    right: tuple[Any, ...] = ()
    got: tuple[Any, ...]
    for i, (o, c, b, l) in enumerate(zip(offers, charges, budgets, losses)):
        before = budgets[i - 1] if i else 0
        wrong = [
            name
            for name, bad in (
                ("offers", not 0 <= o < LIMIT),
                ("charges", not 0 <= c < LIMIT or c > o),
                ("budget", not 0 <= b < LIMIT or b < before),
                ("losses", not 0 <= l < LIMIT),
            )
            if bad
        ]
        if wrong:
            right = (wrong[0], i)
            break
        admitted.append(account + o <= b)
        account, lost = (account + c, lost + l) if admitted[-1] else (account, lost)
        if lost >= LIMIT:
            right = ("losses", i)
            break
    else:
        right = (admitted, account, lost)
    try:
        run = cumloss.run(
            start, *(np.array(names[k], np.int64) for k in ("offers", "budget")), charges=np.array(charges, np.int64), losses=np.array(losses, np.int64)
        )
        got = (run.admitted.tolist(), run.account, run.lost)
    except RangeError as error:
        got = (error.argument, error.index)
    return Result(1, None if got == right else f"{got[-2:]}, not {right[-2:]}"[:300], sum(admitted), refused=len(right) == 2)


CHECKS = (
    Check("core.cumloss long", _account, _run_account, every_isa=True, batch=40),
    Check("core.margin long", _case, _run_margin, every_isa=True, batch=12),
    Check("core.conformal long", _case, _run_conformal, every_isa=True, batch=12),
    Check("core.margin near ties", _near_ties, _run_near_ties, every_isa=True, batch=40),
    Check("core.margin no numbers", _no_number, _run_no_number, every_isa=True),
    Check("core.conformal no numbers", _no_number, _run_no_number, every_isa=True),
)
