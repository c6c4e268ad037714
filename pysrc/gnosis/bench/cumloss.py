"""The account of losses: batch and single step, against plain Python and numba."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core import cumloss, stream
from . import peers
from .harness import BenchError, Case, Skipped

RESERVE = 100
STEPS = 1_000_000
CALLS = 10_000
PLAIN = "plain Python"


def plain_run(account: int, offers: list[int], budgets: list[int]) -> tuple[list[bool], int]:
    admitted = []
    for offer, budget in zip(offers, budgets):
        admit = account + offer <= budget
        admitted.append(admit)
        if admit:
            account += offer
    return admitted, account


class PlainAccount:
    """What one writes without this package: no check of the numbers."""

    def __init__(self, units: int, budget: int) -> None:
        self.units, self.budget, self.steps, self.admitted = units, budget, 0, 0

    def step(self, offer: int) -> bool:
        self.steps += 1
        if self.units + offer <= self.budget:
            self.units += offer
            self.admitted += 1
            return True
        return False


def numba_run(module: Any) -> Callable[[int, np.ndarray, np.ndarray], tuple[np.ndarray, int]]:
    @module.njit
    def run(account: int, offers: np.ndarray, budgets: np.ndarray) -> tuple[np.ndarray, int]:
        admitted = np.empty(len(offers), np.bool_)
        for i in range(len(offers)):
            admitted[i] = account + offers[i] <= budgets[i]
            if admitted[i]:
                account += offers[i]
        return admitted, account

    return run


def ledger_cases() -> Iterator[Case | Skipped]:
    rng = np.random.default_rng(0)
    offers = rng.integers(0, 20, STEPS)
    # used up after about half of the steps, or always about to be
    yield from batch_cases("ledger batch", offers, np.full(STEPS, 5 * STEPS))
    yield from batch_cases("ledger batch, budget always near", offers, np.cumsum(rng.integers(0, 12, STEPS)))
    yield step_case(offers[:CALLS])


def batch_cases(work: str, offers: np.ndarray, budgets: np.ndarray) -> Iterator[Case | Skipped]:
    out = np.empty(len(offers), bool)
    raw = [offers.view(np.uint8), budgets.view(np.uint8)]
    few, limits = offers.tolist(), budgets.tolist()

    def ours(_: int) -> cumloss.Run:
        return cumloss.run(RESERVE, offers, budgets, out=out)

    def case(peer: str, theirs: Callable[[int], Any]) -> Case:
        found = ours(0)
        admitted, account = theirs(0)
        if list(admitted) != found.admitted.tolist() or account != found.account:
            raise BenchError(f"{work}: {found.account} units here, {account} from {peer}")
        return Case(work, peer, 2 * offers.nbytes + out.nbytes, 2 * offers.nbytes, ours, theirs, lambda _: [stream.read(part) for part in raw])

    yield case(PLAIN, lambda _: plain_run(RESERVE, few, limits))
    module = peers.NUMBA.load()
    if isinstance(module, str):
        yield Skipped(work, "numba", module)
    else:
        compiled = numba_run(module)
        yield case("numba, no check of the numbers", lambda _: compiled(RESERVE, offers, budgets))


def step_case(offers: np.ndarray) -> Case:
    """Single calls from Python: the loop around them counts on both sides."""
    few = offers.tolist()

    def book(kind: type) -> Any:
        account = kind(RESERVE, 5 * len(few))
        step = account.step
        for offer in few:
            step(offer)
        return account

    if book(cumloss.Account).units != book(PlainAccount).units:
        raise BenchError("ledger step: the accounts differ")
    raw = offers.view(np.uint8)
    return Case(
        "ledger step",
        "plain Python, no check of the numbers",
        offers.nbytes,
        offers.nbytes,
        lambda _: book(cumloss.Account),
        lambda _: book(PlainAccount),
        lambda _: stream.read(raw),
        calls=len(few),
    )
