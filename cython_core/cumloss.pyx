# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""The cumulative-loss account in whole charges, in batch and step by step.

All numbers are whole units of one grid, from 0 to 2^62 - 1, so that sums stay within int64: anything else is an error,
never a number that wrapped around.  The gate that finds charges and reserves is `gnosis.gates.cumloss`.
"""
from typing import NamedTuple

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result, whole
from gnosis.errors import LengthError, RangeError

from libc.stdint cimport int64_t, uint8_t

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int *) except? -1
    bint PyLong_CheckExact(object)

cdef extern from "cumloss.h":
    int GNOSIS_LEDGER_OFFER, GNOSIS_LEDGER_CHARGE, GNOSIS_LEDGER_BUDGET, GNOSIS_LEDGER_LOSS, GNOSIS_LEDGER_ACCOUNT
    int GNOSIS_LEDGER_OVERCHARGE, GNOSIS_LEDGER_FALL, GNOSIS_LEDGER_LOST
    int gnosis_ledger_run(const int64_t *, const int64_t *, const int64_t *, int, const int64_t *, uint8_t *, ptrdiff_t,
                          int64_t *, int64_t *, ptrdiff_t *, int) nogil
    int gnosis_ledger_admit(const int64_t *, int, const int64_t *, int, const int64_t *, int, uint8_t *, ptrdiff_t, ptrdiff_t *, int) nogil

MOST = 2**62 - 1
cdef int64_t _most = MOST
_OUTSIDE = f"must lie between 0 and {MOST}"


class Run(NamedTuple):
    """What `run` found: admitted bool[n], which steps are compressed; account, after the last step; lost, the losses of the admitted steps."""

    admitted: np.ndarray
    account: int
    lost: int


def run(account, offers, budget, *, charges=None, losses=None, out=None):
    """The steps of one account, one after another: `Gnosis.chargeRun`.

    A step is admitted when account + offer <= budget; it is then charged, and its loss counts.  A refused step is done
    exactly: it is charged nothing and loses nothing.
    account: reserve and charges so far.  offers: int64[n], the charge of all that is proposed.  budget: a whole number, or
    int64[n] that does not fall.  charges: what is charged in the end, int64[n], none above its offer; None for the offers.
    losses: int64[n], what each step would lose; None for nothing.  out: None or bool[n] apart from the inputs.  All in
    units, from 0 to 2^62 - 1.  Returns Run(admitted, account, lost).
    Theorem `Gnosis.charge_controller_sound`: if the account starts with the reserve of a risk and the charges pay for the mean
    losses, the losses exceed the budget with at most this risk.  The losses decide nothing.
    Contiguous input is not copied; the GIL is released.
    Raises RangeError naming the first entry at fault, or the loss with which the sum leaves the range; DtypeError, LengthError.
    After an error `out` is undefined.
    """
    cdef int64_t total = whole("account", account, 0, MOST), lost = 0
    offers = given("offers", offers, np.int64, (None,))
    single = isinstance(budget, (int, np.integer))
    budgets = np.array([whole("budget", budget, 0, MOST)]) if single else given("budget", budget, np.int64, (None,))
    arrays = {"offers": offers, "budget": budgets}
    for name, value in (("charges", charges), ("losses", losses)):
        if value is not None:
            arrays[name] = given(name, value, np.int64, (None,))
    steps = offers.shape[0]
    for name, array in arrays.items():
        if array.shape[0] != steps and not (name == "budget" and single):
            raise LengthError(name, array.shape, f"there are {steps} offers")
    out = result(out, np.bool_, (steps,), tuple(arrays.values()))
    cdef const int64_t[::1] o = offers
    cdef const int64_t[::1] b = budgets
    cdef const int64_t[::1] c = arrays.get("charges")
    cdef const int64_t[::1] l = arrays.get("losses")
    cdef uint8_t[::1] to = out.view(np.uint8)
    cdef ptrdiff_t n = steps, at = 0
    cdef int fault = 0, step = not single, level = _cpu.level()
    cdef const int64_t *charged = NULL
    cdef const int64_t *losing = NULL
    if n:
        if c is not None:
            charged = &c[0]
        if l is not None:
            losing = &l[0]
        with nogil:
            fault = gnosis_ledger_run(&o[0], charged, &b[0], step, losing, &to[0], n, &total, &lost, &at, level)
        if fault:
            raise _fault(fault, at, arrays)
    return Run(out, total, lost)


def admit_many(account, offer, budget, out=None):
    """The next step of many accounts: account + offer <= budget, `Gnosis.chargeAdmit`, entry by entry.

    account, offer, budget: each int64[n], or int64[1] used for all, in units from 0 to 2^62 - 1.  out: None or bool[n] apart
    from them.  Returns bool[n].  Contiguous input is not copied; the GIL is released.
    Raises RangeError naming the first entry at fault, DtypeError, LengthError.  After an error `out` is undefined.
    """
    arrays = {name: given(name, value, np.int64, (None,)) for name, value in (("account", account), ("offer", offer), ("budget", budget))}
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    entries = next((length for length in lengths.values() if length != 1), 1)
    for name, length in lengths.items():
        if length not in (1, entries):
            raise LengthError(name, arrays[name].shape, f"the length must be 1 or {entries}")
    out = result(out, np.bool_, (entries,), tuple(arrays.values()))
    cdef const int64_t[::1] a = arrays["account"]
    cdef const int64_t[::1] o = arrays["offer"]
    cdef const int64_t[::1] b = arrays["budget"]
    cdef uint8_t[::1] to = out.view(np.uint8)
    cdef ptrdiff_t n = entries, at = 0
    cdef int fault = 0, level = _cpu.level(), step_a = a.shape[0] != 1, step_o = o.shape[0] != 1, step_b = b.shape[0] != 1
    if n:
        with nogil:
            fault = gnosis_ledger_admit(&a[0], step_a, &o[0], step_o, &b[0], step_b, &to[0], n, &at, level)
        if fault:
            raise _fault(fault, at, arrays)
    return out


def _fault(fault, at, arrays):
    """The error for what the kernel found at one entry."""
    def named(*names):
        name = next(name for name in names if name in arrays)
        index = at if arrays[name].shape[0] != 1 else 0
        return name, int(arrays[name][index]), index

    if fault == GNOSIS_LEDGER_OVERCHARGE:
        name, value, index = named("charges")
        return RangeError(name, value, f"above the offer of {int(arrays['offers'][at])}", index)
    if fault == GNOSIS_LEDGER_FALL:
        name, value, index = named("budget")
        return RangeError(name, value, f"the budget must not fall, and it was {int(arrays['budget'][at - 1])}", index)
    name, value, index = named(*{GNOSIS_LEDGER_OFFER: ("offers", "offer"), GNOSIS_LEDGER_CHARGE: ("charges",), GNOSIS_LEDGER_BUDGET: ("budget",),
                                 GNOSIS_LEDGER_ACCOUNT: ("account",)}.get(fault, ("losses",)))
    return RangeError(name, value, "with it the losses add up to 2^62 or more" if fault == GNOSIS_LEDGER_LOST else _OUTSIDE, index)


cdef int64_t _units(value, name) except -1:
    """A whole number from 0 to MOST; the usual case, a Python int, costs no call of Python."""
    cdef int overflow = 0
    cdef int64_t units
    if PyLong_CheckExact(value):
        units = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow == 0 and 0 <= units <= _most:
            return units
    return whole(name, value, 0, MOST)


cdef class Account:
    """The account of one request, a step at a time.

    units: reserve and charges so far.  budget: for the cumulative loss.  lost: the losses that were reported.  steps, admitted:
    how many were proposed, and compressed.  All in units, from 0 to 2^62 - 1.
    A call of `step` costs far less than a microsecond.  An error changes nothing.  Calls do not overlap, whatever the threads.
    Theorem and assumptions as of `run`.  Raises RangeError, DtypeError.
    """

    cdef readonly int64_t units, budget, lost
    cdef readonly long long steps, admitted
    cdef int64_t _offer  # of the last step, when it was admitted and not settled, else -1
    cdef bint _unreported  # the last step was admitted and its loss not reported

    def __init__(self, units, budget):
        self.units = _units(units, "units")
        self.budget = _units(budget, "budget")
        self.lost = self.steps = self.admitted = 0
        self._offer = -1
        self._unreported = False

    def __repr__(self):
        return f"Account(units={self.units}, budget={self.budget}, lost={self.lost}, steps={self.steps}, admitted={self.admitted})"

    def admits(self, offer) -> bool:
        """Would a step with this offer be admitted now: units + offer <= budget, `Gnosis.chargeAdmit`?  Changes nothing."""
        return self.units + _units(offer, "offer") <= self.budget

    def step(self, offer) -> bool:
        """Propose a step; True when it is admitted, and then its offer is charged (`Gnosis.chargeSettle`).  Refused, it must be done exactly."""
        cdef int64_t units = _units(offer, "offer")
        cdef bint admit = self.units + units <= self.budget
        self.steps += 1
        self._offer = -1
        self._unreported = admit
        if admit:
            self.units += units
            self.admitted += 1
            self._offer = units
        return admit

    def settle(self, charge) -> int:
        """Charge the last step, if it was admitted, less than its offer; once, and before its loss is reported.  Returns the units given back.

        charge: at most the offer; it must not depend on the loss (`Gnosis.gating_conservative`).
        """
        cdef int64_t units = _units(charge, "charge"), back
        if self._offer < 0:
            raise RangeError("charge", charge, "there is no admitted step to settle, whose loss has not been reported")
        if units > self._offer:
            raise RangeError("charge", charge, f"above the offer of {self._offer}")
        back = self._offer - units
        self.units -= back
        self._offer = -1
        return back

    def report(self, loss) -> int:
        """Report the loss of the last step, which was admitted; once.  No decision depends on it, and the step can no longer be settled.

        Returns the cumulative loss.
        """
        cdef int64_t units = _units(loss, "loss")
        if not self._unreported:
            raise RangeError("loss", loss, "there is no admitted step whose loss has not been reported")
        if self.lost > _most - units:
            raise RangeError("loss", loss, "with it the losses add up to 2^62 or more")
        self.lost += units
        self._unreported = False
        self._offer = -1
        return self.lost

    def raise_budget(self, budget):
        """Set the budget from the next step on; it must not fall."""
        cdef int64_t units = _units(budget, "budget")
        if units < self.budget:
            raise RangeError("budget", budget, f"the budget must not fall, and it was {self.budget}")
        self.budget = units

    @property
    def overrun(self) -> bool:
        """Whether the reported losses exceed the budget."""
        return self.lost > self.budget
