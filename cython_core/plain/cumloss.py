"""The cumulative-loss account in whole charges; `gnosis.core.cumloss` without a compiler, step by step in Python's integers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gnosis.core.arguments import given, result, whole
from gnosis.errors import LengthError, RangeError

MOST = 2**62 - 1
_OUTSIDE = f"must lie between 0 and {MOST}"


class Run(NamedTuple):
    """What `run` found: admitted bool[n]; account, after the last step; lost, the losses of the admitted steps."""

    admitted: np.ndarray
    account: int
    lost: int


def _entry(arrays: dict[str, np.ndarray], name: str, at: int) -> int:
    """One number, checked."""
    array = arrays[name]
    index = at if array.shape[0] != 1 else 0
    value = int(array[index])
    if not 0 <= value <= MOST:
        raise RangeError(name, value, _OUTSIDE, index)
    return value


def run(account: int, offers: Any, budget: Any, *, charges: Any = None, losses: Any = None, out: np.ndarray | None = None) -> Run:
    """The steps of one account, one after another: `Gnosis.chargeRun`.

    account, offers int64[n], budget (a whole number, or int64[n] that does not fall), charges and losses int64[n] or None: whole units from 0 to
    2^62 - 1.  out: None or bool[n] apart from the inputs.  Returns Run(admitted, account, lost).
    Raises RangeError naming the first entry at fault, DtypeError, LengthError.
    """
    total, lost = whole("account", account, 0, MOST), 0
    offers = given("offers", offers, np.int64, (None,))
    single = isinstance(budget, (int, np.integer))
    arrays = {"offers": offers, "budget": np.array([whole("budget", budget, 0, MOST)]) if single else given("budget", budget, np.int64, (None,))}
    for name, value in (("charges", charges), ("losses", losses)):
        if value is not None:
            arrays[name] = given(name, value, np.int64, (None,))
    steps = offers.shape[0]
    for name, array in arrays.items():
        if array.shape[0] != steps and not (name == "budget" and single):
            raise LengthError(name, array.shape, f"there are {steps} offers")
    out = result(out, np.bool_, (steps,), tuple(arrays.values()))
    before = 0
    for i in range(steps):
        offer = _entry(arrays, "offers", i)
        charge = _entry(arrays, "charges", i) if "charges" in arrays else offer
        if charge > offer:
            raise RangeError("charges", charge, f"above the offer of {offer}", i if steps != 1 else 0)
        now = _entry(arrays, "budget", i)
        if now < before:
            raise RangeError("budget", now, f"the budget must not fall, and it was {before}", i)
        before = now
        loss = _entry(arrays, "losses", i) if "losses" in arrays else 0
        out[i] = admit = total + offer <= now
        if admit:
            total, lost = total + charge, lost + loss
        if lost > MOST:
            raise RangeError("losses", loss, "with it the losses add up to 2^62 or more", i)
    return Run(out, total, lost)


def admit_many(account: Any, offer: Any, budget: Any, out: np.ndarray | None = None) -> np.ndarray:
    """The next step of many accounts: account + offer <= budget, `Gnosis.chargeAdmit`, entry by entry.

    Each int64[n], or int64[1] used for all, in units from 0 to 2^62 - 1.  Returns bool[n].  Raises RangeError, DtypeError, LengthError.
    """
    arrays = {name: given(name, value, np.int64, (None,)) for name, value in (("account", account), ("offer", offer), ("budget", budget))}
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    entries = next((length for length in lengths.values() if length != 1), 1)
    for name, length in lengths.items():
        if length not in (1, entries):
            raise LengthError(name, arrays[name].shape, f"the length must be 1 or {entries}")
    out = result(out, np.bool_, (entries,), tuple(arrays.values()))
    for i in range(entries):
        a, o, b = (_entry(arrays, name, i) for name in arrays)
        out[i] = a + o <= b
    return out


class Account:
    """The account of one request, a step at a time: units, budget, lost, steps, admitted, as in an installation with kernels."""

    def __init__(self, units: int, budget: int) -> None:
        self._units, self._budget = whole("units", units, 0, MOST), whole("budget", budget, 0, MOST)
        self._lost = self._steps = self._admitted = 0
        self._offer = -1  # of the last step, when it was admitted and not settled
        self._unreported = False  # the last step was admitted and its loss not reported

    units = property(lambda self: self._units)
    budget = property(lambda self: self._budget)
    lost = property(lambda self: self._lost)
    steps = property(lambda self: self._steps)
    admitted = property(lambda self: self._admitted)

    def __repr__(self) -> str:
        return f"Account(units={self.units}, budget={self.budget}, lost={self.lost}, steps={self.steps}, admitted={self.admitted})"

    def admits(self, offer: int) -> bool:
        """Would a step with this offer be admitted now: units + offer <= budget, `Gnosis.chargeAdmit`?  Changes nothing."""
        return self._units + whole("offer", offer, 0, MOST) <= self._budget

    def step(self, offer: int) -> bool:
        """Propose a step; True when it is admitted, and then its offer is charged (`Gnosis.chargeSettle`)."""
        units = whole("offer", offer, 0, MOST)
        admit = self._units + units <= self._budget
        self._steps += 1
        self._offer, self._unreported = -1, admit
        if admit:
            self._units, self._admitted, self._offer = self._units + units, self._admitted + 1, units
        return admit

    def settle(self, charge: int) -> int:
        """Charge the last step, if it was admitted, less than its offer; once, and before its loss is reported.  Returns the units given back."""
        units = whole("charge", charge, 0, MOST)
        if self._offer < 0:
            raise RangeError("charge", charge, "there is no admitted step to settle, whose loss has not been reported")
        if units > self._offer:
            raise RangeError("charge", charge, f"above the offer of {self._offer}")
        back = self._offer - units
        self._units, self._offer = self._units - back, -1
        return back

    def report(self, loss: int) -> int:
        """Report the loss of the last step, which was admitted; once.  Returns the cumulative loss."""
        units = whole("loss", loss, 0, MOST)
        if not self._unreported:
            raise RangeError("loss", loss, "there is no admitted step whose loss has not been reported")
        if self._lost > MOST - units:
            raise RangeError("loss", loss, "with it the losses add up to 2^62 or more")
        self._lost += units
        self._unreported, self._offer = False, -1
        return self._lost

    def raise_budget(self, budget: int) -> None:
        """Set the budget from the next step on; it must not fall."""
        units = whole("budget", budget, 0, MOST)
        if units < self._budget:
            raise RangeError("budget", budget, f"the budget must not fall, and it was {self._budget}")
        self._budget = units

    @property
    def overrun(self) -> bool:
        """Whether the reported losses exceed the budget."""
        return self._lost > self._budget
