"""The cache of keys and values: what is read is what was bounded, and what was kept exactly stays what it was."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...codes.lattice import Code, quantize
from ...inference.kv import Cache, Codec
from ...verdict import Verdict
from ..running import generators as gen
from ..running import nearness
from ..running.checks import Check, Result
from .attained import UNIT, away, units


class _Every:
    """A ledger that lets every third charge pass, or all."""

    def __init__(self, every: int) -> None:
        self.every, self.asked = every, 0

    def propose(self, bound: object) -> Verdict:
        self.asked += 1
        return Verdict(self.asked % self.every == 0, Fraction(0), "none")


def _case(rng: Random) -> tuple[Any, ...]:
    """Tokens of two heads: any, or next to what their code decodes to, so that the energy is that of a few floats."""
    width, tokens, bits, name = rng.choice((8, 32, 45)), rng.randint(1, 5), rng.randint(2, 8), rng.choice(("cubic", "e8"))
    at = rng.choice((0, 0, -3, 4))
    v = np.array(
        [[[gen.held(Fraction(rng.gauss(0, 1)) * Fraction(2) ** at, "float32") for _ in range(width)] for _ in range(2)] for _ in range(tokens)], np.float32
    )
    if rng.random() < 0.5:
        near = np.stack([quantize(v[:, h], Code(name, bits), exponent=0).decode() for h in range(2)], axis=1)
        v = np.array([away(x, rng.choice((0, 0, 0, 1, -1, 3))) for x in near.ravel().tolist()], np.float32).reshape(near.shape)
    gamma = rng.choice((0.0, 0.01, 1.0, 64.0, 1e6))
    if rng.random() < 0.5:  # the energy of one of the vectors, as its sidecar says it, just passes or just does not
        E = float(quantize(v[:1, 0], Code(name, bits), exponent=0).energy[0, 0])
        gamma = gen.beside(rng, 2 * gen.root(Fraction(E)))
    return name, bits, v.tolist(), abs(gamma), rng.choice((1, 1, 2, 3)), rng.randint(0, tokens)


def _run(name: str, bits: int, vectors: list[Any], gamma: float, every: int, keep: int) -> Result:
    v = np.array(vectors, np.float32)
    codec = Codec(Code(name, bits), gamma=gamma, energy=1, loss=Fraction(1, 4))
    cache = Cache([codec, codec], width=v.shape[2], ledger=_Every(every))
    given = v.copy()
    writes = cache.write(given)
    given[:] = np.float32(7)  # what is written belongs to the cache
    coded = 0
    for h, head in enumerate(cache.heads):
        read, energy, admitted = cache.read(h), head.energy.tolist(), head.coded.tolist()
        for t, row in enumerate(v[:, h]):
            write = writes[t][h]
            residual = [a - b for a, b in zip(units(row.tolist()), units(read[t].tolist()))]
            truth = sum(r * r for r in residual) * UNIT**2
            coded += write.admit
            if write.gate.admit != (4 * Fraction(write.energy) <= Fraction(gamma) ** 2):
                return Result(1, f"the gate {'admits' if write.gate.admit else 'refuses'} vector {t} of head {h}")
            if write.admit != admitted[t] or write.admit != (write.gate.admit and write.ledger is not None and write.ledger.admit):
                return Result(1, f"vector {t} of head {h} is coded, and gate, ledger or write say otherwise")
            if not write.admit:
                if any(residual) or energy[t]:
                    return Result(1, f"vector {t} of head {h} is not kept exactly")
                continue
            if energy[t] != write.energy or not nearness.record("kv.Head.energy", truth, energy[t]):
                return Result(1, f"the energy of vector {t} of head {h} is {energy[t]}, the true one {float(truth)}")
            if 4 * truth > Fraction(gamma) ** 2:
                return Result(1, f"vector {t} of head {h} moves a product by more than gamma / 2")
            # the loss of a query along the residual, squared: loss² · E · A
            if write.bound < 1 and not nearness.record("kv.Codec.bound, squared", Fraction(1, 16) * truth, write.bound**2):
                return Result(1, f"the bound {float(write.bound)} of vector {t} of head {h} is too small")
    before = [cache.read(h) for h in range(2)]
    cache.truncate(keep)
    if any(not np.array_equal(cache.read(h), before[h][:keep]) or len(cache.heads[h].energy) != keep for h in range(2)):
        return Result(1, f"after forgetting all but {keep} the rest is something else")
    return Result(2 * len(v), None, coded)


class _Breaks(_Every):
    """A ledger that raises when it is asked for the last time."""

    def propose(self, bound: object) -> Verdict:
        if self.asked + 1 == self.every:
            raise OSError("the ledger is gone")
        return Verdict(super().propose(bound) is not None, Fraction(0), "none")


def _broken_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice(("cubic", "e8")), [[[rng.gauss(0, 1) for _ in range(8)] for _ in range(2)] for _ in range(4)], rng.randint(1, 9)


def _run_broken(name: str, vectors: list[Any], at: int) -> Result:
    """A ledger that raises leaves the cache as it was before the write: the heads are of one length."""
    codec = Codec(Code(name, 4), gamma=1e6, energy=1, loss=Fraction(1, 4))
    cache = Cache([codec, codec], width=8, ledger=_Breaks(at))
    v = np.array(vectors, np.float32)
    for part in (v[:2], v[2:]):
        before, kept = len(cache), [cache.read(h) for h in range(2)]
        try:
            cache.write(part)
        except OSError:
            if [len(head) for head in cache.heads] != [before, before] or any(not np.array_equal(cache.read(h), kept[h]) for h in range(2)):
                return Result(1, f"after a ledger that raised at call {at} the heads have {[len(head) for head in cache.heads]} vectors, before {before}")
            return Result(1)
    return Result(1, None if at > 8 else "the ledger's error is lost")


def _bound_case(rng: Random) -> tuple[Any, ...]:
    """Energies whose root is no short number."""
    return abs(gen.real(rng, at=rng.choice((-40, -3, -3, 0)))), rng.choice((1.0, 3.0, 0.1)), rng.choice((1, 4, 1000))


def _run_bound(E: float, energy: float, part: int) -> Result:
    """The bound of a loss is no less than loss·√(E·A), or it is 1, and exceeds it by less than a factor 1 + 2^-60."""
    codec = Codec(Code("cubic", 4), gamma=1, energy=energy, loss=Fraction(1, part))
    found, square = codec.bound(E), Fraction(E) * Fraction(energy) / part**2
    right = found == 1 if square >= 1 else square <= found**2 <= max(square * (1 + Fraction(1, 1 << 59)), Fraction(0))
    return Result(1, None if right else f"the bound {float(found)} of a loss of the root of {float(square)}", 1)


CHECKS = (
    Check("kv cache", _case, _run, batch=8),
    Check("kv cache whose ledger breaks", _broken_case, _run_broken),
    Check("kv bound", _bound_case, _run_bound, batch=16),
)
