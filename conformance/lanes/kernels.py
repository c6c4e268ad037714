"""The compiled kernels on whole numbers: each gives exactly the answer of a decision, or refuses the arguments by an error.

A kernel takes less than its decision does: machine integers, floats that hold a whole number, shapes that fit.  `takes`
says which arguments it must answer.  Any others that can be written in its types at all (`holds`) it must refuse with an
ArgumentError; an answer to them is a disagreement too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from random import Random
from typing import Any

import numpy as np

from ...core import conformal, cumloss, energy, lattice, margin
from ...errors import ArgumentError
from ..running import generators as gen
from ..targets import load

Args = tuple[Any, ...]
REFUSED, UNDECIDED = "refused", "undecided"


@dataclass(frozen=True)
class Hot:
    """A kernel under test.

    name: of the function in gnosis.core, with the type.  decision: whose answers it must give, with its exact Python reference.
    run: the kernel on the arguments of the decision; UNDECIDED where it leaves the answer to the exact gate.
    holds: can the arguments be written in the types of the kernel?  takes: must it answer them?  generate: cases that it holds.
    """

    name: str
    decision: str
    run: Callable[..., Any]
    holds: Callable[..., bool]
    takes: Callable[..., bool]
    generate: Callable[[Random], Args]


def answer(hot: Hot, args: Args) -> Any:
    """What the kernel says: its answer, REFUSED for an ArgumentError; any other exception is an answer that agrees with nothing."""
    try:
        return hot.run(*args)
    except ArgumentError:
        return REFUSED
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _within(bits: int) -> Callable[[Sequence[int]], bool]:
    """Whether whole numbers fit signed words of 64 bits, or the significand of a float."""
    low, high = (-(1 << 63), (1 << 63) - 1) if bits == 64 else (-(1 << bits), 1 << bits)
    return lambda v: all(low <= x <= high for x in v)


_int64, _uint62 = _within(64), range(1 << 62)
_TYPES = ((np.int64, _int64), (np.float64, _within(53)), (np.float32, _within(24)))


def _cases(decision: str, holds: Callable[..., bool]) -> Callable[[Random], Args]:
    """The cases of the oracle's target, as far as the kernel holds them."""
    generate = next(t.generate for ts in load().values() for t in ts if t.decision == decision)

    def run(rng: Random) -> Args:
        while True:
            args = generate(rng)
            if holds(*args):
                return args

    return run


def _whole(x: Any) -> Any:
    """A float that is a whole number as that number."""
    return int(x) if isinstance(x, float) and x.is_integer() else x


def _of_type(dtype: type, fits: Callable[[Sequence[int]], bool]) -> list[Hot]:
    """The kernels on arrays of scores, for one type."""

    def array(v: Sequence[int]) -> np.ndarray:
        return np.array(v, dtype=dtype)

    name = np.dtype(dtype).name

    def scores(z: Any) -> bool:
        return fits(z)

    def bounded(z: Any, ε: Any) -> bool:
        return fits(z) and fits(ε)

    def ranked(k: int, s: Any) -> bool:
        return k <= conformal.MOST and fits(s)

    return [
        Hot(f"margin.argmax {name}", "argmax", lambda z: margin.argmax(array(z)), scores, lambda z: len(z) > 0, _cases("argmax", scores)),
        Hot(
            f"margin.candidates {name}",
            "candidates",
            lambda z, ε: margin.candidates(array(z), array(ε)).tolist(),
            bounded,
            lambda z, ε: len(z) == len(ε) and all(e >= 0 for e in ε),
            _cases("candidates", bounded),
        ),
        Hot(
            f"conformal.kth_smallest {name}",
            "kthSmallest",
            lambda k, s: _whole(conformal.kth_smallest(array(s), k)),
            ranked,
            lambda k, s: True,
            _cases("kthSmallest", ranked),
        ),
        Hot(
            f"conformal.digits {name}",
            "kthSmallest",
            lambda k, s: _whole(conformal._kth_by_digits(array(s), k)),
            ranked,
            lambda k, s: True,
            _cases("kthSmallest", ranked),
        ),
        Hot(f"conformal.Largest {name}", "kthSmallest", lambda k, s: _in_parts(array(s), k), ranked, lambda k, s: True, _cases("kthSmallest", ranked)),
    ]


def _in_parts(scores: np.ndarray, k: int) -> Any:
    """The k-th smallest score from what two halves keep, merged: the scores that the rank needs and one more."""
    if not 0 < k <= len(scores):
        return _whole(conformal.kth_smallest(scores, k))
    keep, half = len(scores) + 2 - k, len(scores) // 2
    parts = [conformal.Largest(keep, scores.dtype) for _ in range(2)]
    for part, own in zip(parts, (scores[:half], scores[half:])):
        part.add(own)
    return _whole(parts[0].merge(parts[1]).kth_smallest(k))


# ---- accounts --------------------------------------------------------------------------------------------------------


def _run(account: int, steps: Sequence[Sequence[int]]) -> list[bool]:
    offers, charges, budgets = np.array([tuple(s) for s in steps], np.int64).reshape(-1, 3).T
    return cumloss.run(account, offers, budgets, charges=charges).admitted.tolist()


def _step_by_step(account: int, steps: Sequence[Sequence[int]]) -> list[bool]:
    """The same by `Account`, a step at a time."""
    one = cumloss.Account(account, steps[0][2] if steps else 0)
    decisions = []
    for offer, charge, budget in steps:
        one.raise_budget(budget)
        decisions.append(one.step(offer))
        if decisions[-1]:
            one.settle(charge)
        elif charge > offer or charge not in _uint62:  # the account never sees the charge of a refused step; `run` does
            cumloss.run(0, np.array([offer]), 0, charges=np.array([charge]))
    return decisions


def _words(account: int, steps: Sequence[Sequence[int]]) -> bool:
    return _int64([account]) and all(map(_int64, steps))


def _orderly(account: int, steps: Sequence[Sequence[int]]) -> bool:
    """All in range, no charge above its offer, no budget that falls."""
    budgets = [b for _, _, b in steps]
    return account in _uint62 and all(x in _uint62 for s in steps for x in s) and all(c <= o for o, c, _ in steps) and budgets == sorted(budgets)


def _accounts(rng: Random) -> Args:
    """Accounts whose budget rises as it is just spent or just missed; up to the end of the range, sometimes past it."""
    start = gen.natural(rng, rng.choice((1, 3, 8, 31, 61, 62)))
    if rng.random() < 0.04:  # blocks of the kernel whose numbers together leave 64 bits, or come to their end
        most, offer = (1 << 62) - 1, (1 << rng.randint(54, 58)) - rng.choice((1, 2))
        step = (offer, offer, most) if rng.random() < 0.6 else (most, (1 << rng.randint(52, 55)) - 1, most)
        return most if step[0] == most else rng.choice((0, start)), [step] * rng.choice((128, 129, 300))
    total, budget, steps = start, 0, []
    for _ in range(gen.length(rng)):
        offer = gen.natural(rng, rng.choice((0, 1, 2, 8, 40, 61, 62)))
        charge = max(0, offer - rng.choice((0, 0, 1, offer, offer // 2)))
        budget = min(max(budget, total + offer + rng.choice((-1, 0, 0, 1))), (1 << 62) - 1)
        steps.append((offer, charge, budget))
        total += charge if total + offer <= budget else 0
    if steps and rng.random() < 0.1:
        i = rng.randrange(len(steps))
        o, c, b = steps[i]
        steps[i] = rng.choice(((o, o + 1, b), (o, c, max(0, b - 1)), (1 << 62, c, b), (o, c, 1 << 62), (-1, 0, b)))
    return start, steps


def _three(account: int, offer: int, budget: int) -> bool:
    return _int64((account, offer, budget))


def _admit(account: int, offer: int, budget: int) -> bool:
    return bool(cumloss.admit_many(np.array([account], np.int64), np.array([offer], np.int64), np.array([budget], np.int64))[0])


# ---- lattices --------------------------------------------------------------------------------------------------------


def _halvable(m: int, xs: Sequence[int]) -> bool:
    """xs/m can be written in float32: m a power of two, the numerators within the significand."""
    return m > 0 and m & (m - 1) == 0 and m <= 1 << 100 and _within(24)(xs)


def _points(m: int, xs: Sequence[int]) -> np.ndarray:
    return (np.array(xs, np.float64) / m).astype(np.float32).reshape(1, -1)


def _cubic(m: int, xs: Sequence[int]) -> list[int]:
    return [int(y) for y in lattice.nearest_cubic(_points(m, xs))[0]]


def _d8(m: int, xs: Sequence[int]) -> list[int]:
    return [int(y) for y in lattice.nearest_d8(_points(m, xs))[0]]


def _e8(h: int, xs: Sequence[int]) -> list[int]:
    return [int(2 * y) for y in lattice.nearest_e8(_points(2 * h, xs))[0]]


def _in_cube(m: int, xs: Sequence[int]) -> bool:
    return len(xs) == 8 and all(abs(x) <= m * int(lattice.LIMIT) for x in xs)


def _exactly(h: int, xs: Sequence[int]) -> bool:
    """Steps so coarse that float32 rounds no square of an error."""
    return _halvable(2 * h, xs) and (h <= 256 or not _in_cube(2 * h, xs))


def _lattice_points(most: int) -> Callable[[Random], Args]:
    """Eight coordinates, seldom another number: next to the middle of two integers, near zero, near the end of the range."""

    def run(rng: Random) -> Args:
        m = 1 << rng.choice((rng.randint(0, most), rng.randint(0, most), most - 2))
        n = 8 if rng.random() < 0.95 else gen.length(rng)
        end = min(1 << 24, m << 21)
        xs = [
            rng.choice(
                (m * gen.integer(rng, 3) + rng.choice((0, m // 2, m // 2 - 1, m // 2 + 1, m // 4)), rng.randint(-m, m), rng.randint(-end, end), end, -end)
            )
            for _ in range(n)
        ]
        xs = [max(-end, min(end, x)) for x in xs]
        if n and m << 21 < 1 << 24 and rng.random() < 0.05:
            xs[rng.randrange(n)] = (m << 21) + 1  # just outside
        return m, xs

    return run


# ---- energies --------------------------------------------------------------------------------------------------------


def _decide(strict: bool) -> Callable[[int, int, int], Any]:
    def run(E: int, A: int, γ: int) -> Any:
        code = int(energy.decide_many(np.array([E], np.float64), np.array([A], np.float64), np.array([γ], np.float64), strict=strict)[0])
        return UNDECIDED if code < 0 else bool(code)

    return run


def _doubles(E: int, A: int, γ: int) -> bool:
    return all(int(float(x)) == x if x.bit_length() < 1024 else False for x in (E, A, γ))


def _energies(decision: str) -> Callable[[Random], Args]:
    """The cases of the oracle's target, and margins so near to the root of 2^106 that float64 cannot tell them from it."""
    usual = _cases(decision, _doubles)

    def run(rng: Random) -> Args:
        if rng.random() < 0.8:
            return usual(rng)
        E, A = (rng.randrange(1 << 50, 1 << 52) for _ in range(2))
        return E, A, isqrt(4 * E * A) + rng.choice((0, 0, 1, 1, -1))

    return run


def load_hot() -> list[Hot]:
    """All of them."""
    accounts = [Hot(name, "chargeRun", call, _words, _orderly, _accounts) for name, call in (("cumloss.run", _run), ("cumloss.Account", _step_by_step))]
    gates = [
        Hot(f"energy.decide_many{' strict' if strict else ''}", decision, _decide(strict), _doubles, lambda *_: True, _energies(decision))
        for strict, decision in ((False, "energySidecarAdmit"), (True, "energySidecarAdmitStrict"))
    ]
    return [
        *gates,
        *(hot for dtype, fits in _TYPES for hot in _of_type(dtype, fits)),
        *accounts,
        Hot("cumloss.admit_many", "chargeAdmit", _admit, _three, lambda *args: all(x in _uint62 for x in args), _cases("chargeAdmit", _three)),
        Hot("lattice.nearest_cubic", "cubicDecode", _cubic, _halvable, _in_cube, _lattice_points(27)),
        Hot("lattice.nearest_d8", "d8Decode", _d8, _halvable, _in_cube, _lattice_points(27)),
        Hot("lattice.nearest_e8", "e8Decode", _e8, _exactly, lambda h, xs: _in_cube(2 * h, xs), _lattice_points(8)),
    ]
