"""How fast the compiled oracle and the interpreter decide."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .. import targets
from .compiled import SEED, Compiled
from .interpreter import Oracle, OracleError

ROUNDS = 30  # of each measurement of `rates`


@dataclass(frozen=True)
class Rate:
    """Decisions per second on one kind of work.

    interpreter, compiled: by the clock, from tuples in Python to answers in Python.  native: per second of processor time inside the compiled oracle.
    """

    work: str
    cases: int
    interpreter: float
    compiled: float
    native: float


def rates(oracle: Compiled, interpreter: Oracle, scale: float = 1.0) -> list[Rate]:
    """Measure both oracles.  Raises OracleError when they or the reference disagree on any case that is timed."""
    rng = Random(SEED)

    def vectors(w: int) -> Callable[[Random], tuple[Any, ...]]:
        packed = {p.group: p for p in targets.packed() if p.decision == "energyAdmit"}
        return packed[f"vectors of 32, {w + 1} bits"].generate

    def scalars(rng: Random) -> tuple[Any, ...]:
        E, A = rng.randrange(1000), rng.randrange(1000)
        return E, A, int((4 * E * A) ** 0.5) + rng.choice((-1, 0, 1))

    work = (
        ("energyAdmit, vectors of 32, 7 bits and sign", "energyAdmit", vectors(7), 1000),
        ("energyAdmit, vectors of 32, 31 bits and sign", "energyAdmit", vectors(31), 1000),
        ("energySidecarAdmit, small scalars", "energySidecarAdmit", scalars, 10_000),
    )
    known = {t.decision: t for members in targets.load().values() for t in members}
    out = []
    for name, decision, generate, count in work:
        batch = [generate(rng) for _ in range(max(1, int(count * scale)))]
        exact = [known[decision].reference(*args) for args in batch]

        def timed(one: Oracle, rounds: int, cases: int) -> float:
            """The best of several rounds: others may be using the machine."""
            best = 0.0
            for _ in range(rounds):
                start = time.perf_counter()
                answers = one.many(decision, batch[:cases])
                best = max(best, cases / (time.perf_counter() - start))
                if answers != exact[:cases]:
                    raise OracleError(f"{decision}: {type(one).__name__.lower()} and the exact reference disagree on a case that is timed")
            return best

        before = oracle.native
        compiled = timed(oracle, ROUNDS, len(batch))
        native = ROUNDS * len(batch) / (oracle.native - before)
        out.append(Rate(name, len(batch), timed(interpreter, 2, -(-len(batch) // 2)), compiled, native))
    return out
