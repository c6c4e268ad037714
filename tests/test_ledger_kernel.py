"""The account in whole charges: the kernel against whole numbers of any size, single steps against the batch, planted faults."""

import math
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.core import cpu
from gnosis.core import cumloss as kernel
from gnosis.core.cumloss import MOST, Account
from gnosis.errors import DtypeError, LengthError, RangeError
from gnosis.gates import cumloss

I64 = np.int64


@pytest.fixture(params=cpu.available())
def isa(request):
    cpu.force(request.param)
    yield request.param
    cpu.force(None)


def reference(account, offers, budgets, charges, losses):
    """`Gnosis.chargeRun` and what it leaves behind, on whole numbers of any size."""
    admitted, lost = [], 0
    for offer, budget, charge, loss in zip(offers, budgets, charges, losses):
        admitted.append(account + offer <= budget)
        if admitted[-1]:
            account, lost = account + charge, lost + loss
    return admitted, account, lost


def cases(rng):
    """(account, offers, budgets, charges, losses): far from the budget, at it, past it; tiny, huge and mixed numbers."""
    for n in (1, 2, 127, 128, 129, 256, 700):
        for scale in (3, 50, 1 << 40, 1 << 54, MOST // 2, MOST):
            for kind in range(5):
                offers = rng.integers(0, scale, n, endpoint=True)
                if kind == 1:
                    offers *= rng.integers(0, 2, n)  # many that are free
                charges = offers if kind != 2 else rng.integers(0, offers, endpoint=True)
                most = min(MOST, n * scale)
                budgets = np.full(n, {0: most, 1: most // 7, 2: most // 3, 3: 0, 4: scale}[kind])
                if kind >= 2:
                    budgets = (
                        np.sort(rng.integers(0, most, n, endpoint=True))
                        if kind != 4
                        else np.maximum.accumulate(rng.integers(0, scale, n, endpoint=True) + scale // 2)
                    )
                    budgets = np.minimum(budgets, MOST)
                losses = rng.integers(0, MOST // n, n) if kind % 2 else rng.integers(0, 9, n)
                yield int(rng.choice([0, 1, min(MOST, scale), most // 9])), offers, budgets, charges, losses
        # exactly at the budget at every step, and one unit short of it at each
        offers = rng.integers(1, 9, n)
        for start in (5, 2**61):
            exactly = start + np.cumsum(offers)
            yield start, offers, exactly, offers, offers
            yield start + 1, offers, exactly, offers, offers


def disagreements(run):
    """How often `run` (of account, offers, budgets, charges, losses) admits, charges or loses otherwise than the reference."""
    return sum(run(*case) != reference(case[0], *(part.tolist() for part in case[1:])) for case in cases(np.random.default_rng(12)))


def by_kernel(account, offers, budgets, charges, losses):
    found = kernel.run(account, offers, budgets, charges=None if charges is offers else charges, losses=losses)
    return found.admitted.tolist(), found.account, found.lost


def by_steps(account, offers, budgets, charges, losses):
    book = Account(account, int(budgets[0]))
    admitted = []
    for offer, budget, charge, loss in zip(*(part.tolist() for part in (offers, budgets, charges, losses))):
        book.raise_budget(budget)
        asked = book.admits(offer)
        admitted.append(book.step(offer))
        assert asked == admitted[-1]
        if admitted[-1]:
            assert book.settle(charge) == offer - charge
            book.report(loss)
    assert (book.steps, book.admitted, book.budget) == (len(admitted), sum(admitted), int(budgets[-1])) and book.overrun == (book.lost > book.budget)
    return admitted, book.units, book.lost


@pytest.mark.parametrize("run", [by_kernel, by_steps])
def test_the_kernel_is_the_reference(isa, run):
    assert disagreements(run) == 0


def int64_run(admit, charge=lambda total, offer, charge: total + charge):
    """A run in int64 that wraps around."""

    def run(account, offers, budgets, charges, losses):
        admitted, total, lost = [], np.int64(account), np.int64(0)
        for step in zip(offers, budgets, charges, losses):
            admitted.append(bool(admit(total, step[0], step[1])))
            if admitted[-1]:
                total, lost = charge(total, step[0], step[2]), lost + step[3]
        return admitted, int(total), int(lost)

    return run


def test_the_faults_are_planted_in_what_is_right():
    with np.errstate(over="ignore"):
        assert disagreements(int64_run(lambda total, offer, budget: total + offer <= budget)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        int64_run(lambda total, offer, budget: total + offer < budget),
        int64_run(lambda total, offer, budget: total <= budget),
        int64_run(lambda total, offer, budget: np.int32(np.int64(total + offer)) <= budget),
        int64_run(lambda total, offer, budget: float(total) + float(offer) <= float(budget)),
        int64_run(lambda total, offer, budget: total + offer <= budget, lambda total, offer, charge: total + offer),
        int64_run(lambda total, offer, budget: (total + offer) * np.int64(4) <= budget * np.int64(4)),
        lambda account, offers, budgets, charges, losses: (lambda ok: (ok.tolist(), account + int(charges[ok].sum()), int(losses[ok].sum())))(
            account + np.cumsum(charges) <= budgets
        ),
    ],
    ids=["strict", "offer forgotten", "32 bits", "float", "never settled", "wraps around", "refused steps charged"],
)
def test_a_wrong_ledger_is_caught(wrong):
    with np.errstate(all="ignore"):
        assert disagreements(wrong) > 0


units = st.integers(0, 40) | st.integers(0, MOST)


@settings(max_examples=300)
@given(units, st.lists(st.tuples(units, units, st.integers(0, MOST // 200)), max_size=160), st.data())
def test_any_numbers(account, steps, data):
    offers, budgets, losses = ([step[i] for step in steps] for i in range(3))
    budgets.sort()
    charges = [data.draw(st.integers(0, offer)) for offer in offers] if steps and data.draw(st.booleans()) else offers
    found = kernel.run(account, np.array(offers, I64), np.array(budgets, I64), charges=np.array(charges, I64), losses=np.array(losses, I64))
    assert (found.admitted.tolist(), found.account, found.lost) == reference(account, offers, budgets, charges, losses)
    assert found.admitted.tolist() == cumloss.charge_run(account, zip(offers, charges, budgets))
    assert found.account <= max([account, *budgets])  # what is charged never passes the budget


def test_one_budget_for_all_and_parts_of_a_run(isa):
    rng = np.random.default_rng(13)
    offers = rng.integers(0, 30, 1000)
    whole = kernel.run(17, offers, 9000)
    assert whole.admitted.tolist() == kernel.run(17, offers, np.full(1000, 9000)).admitted.tolist() and 0 < whole.admitted.sum() < 1000
    account, admitted = 17, []
    for part in np.array_split(offers, 7):
        found = kernel.run(account, part, 9000)
        account, admitted = found.account, admitted + found.admitted.tolist()
    assert admitted == whole.admitted.tolist() and account == whole.account and whole.lost == 0
    empty = kernel.run(3, np.empty(0, I64), 5)
    assert empty.admitted.shape == (0,) and (empty.account, empty.lost) == (3, 0)


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 300, 1), (300, 1, 1), (1, 1, 300), (300, 300, 1), (300, 1, 300), (1, 300, 300), (300, 300, 300), (0, 1, 1)])
def test_many_accounts(isa, shape):
    rng = np.random.default_rng(14)
    for scale in (4, 1 << 50, MOST):
        a, o, b = (rng.integers(0, scale, n, endpoint=True) for n in shape)
        n = 0 if 0 in shape else max(shape)
        wanted = [int(x) + int(y) <= int(z) for x, y, z in zip(*(np.broadcast_to(part, n) for part in (a, o, b)))]
        assert kernel.admit_many(a, o, b).tolist() == wanted


# ---- what is refused, and named ----


@pytest.mark.parametrize("place", [0, 5, 127, 128, 300])
@pytest.mark.parametrize("value", [-1, MOST + 1, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("name", ["offers", "budget", "charges", "losses"])
def test_what_is_out_of_range_is_named(isa, name, value, place):
    for budget in (0, 10**6, MOST):  # whether all is admitted, or nothing
        inputs = {"offers": np.full(301, 2), "budget": np.full(301, budget), "charges": np.full(301, 1), "losses": np.full(301, 1)}
        if name == "charges" and value > 2:
            inputs["offers"][place] = MOST
        inputs[name][place] = value
        with pytest.raises(RangeError, match=rf"^{name}\[{place}\]") as caught:
            kernel.run(0, **inputs)
        assert caught.value.value == value


@pytest.mark.parametrize("place", [1, 127, 128, 129, 300])
def test_a_falling_budget_and_an_overcharge_are_named(isa, place):
    budget = np.full(301, 50)
    budget[:place] = 51
    with pytest.raises(RangeError, match=rf"^budget\[{place}\] = 50: the budget must not fall, and it was 51"):
        kernel.run(0, np.ones(301, I64), budget)
    charges = np.ones(301, I64)
    charges[place] = 3
    with pytest.raises(RangeError, match=rf"^charges\[{place}\] = 3: above the offer of 2"):
        kernel.run(0, np.full(301, 2), 10**6, charges=charges)


def test_losses_past_the_range_are_an_error(isa):
    losses = np.full(300, MOST // 250)
    with pytest.raises(RangeError, match=r"^losses\[250\]"):
        kernel.run(0, np.ones(300, I64), MOST, losses=losses)
    assert kernel.run(0, np.ones(300, I64), 200, losses=losses).lost == 200 * (MOST // 250)  # those that are refused do not count
    book = Account(0, MOST)
    book.step(1)
    book.report(MOST)
    book.step(1)
    with pytest.raises(RangeError, match="^loss = 1: with it"):
        book.report(1)
    assert book.report(0) == MOST and not book.overrun


X = np.ones(4, I64)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: kernel.run(-1, X, 9), RangeError, "account = -1"),
        (lambda: kernel.run(MOST + 1, X, 9), RangeError, "account"),
        (lambda: kernel.run(1.0, X, 9), DtypeError, "account = 1.0"),
        (lambda: kernel.run(True, X, 9), DtypeError, "account = True"),
        (lambda: kernel.run(1, X, -9), RangeError, "budget = -9"),
        (lambda: kernel.run(1, X, True), DtypeError, "budget = True"),
        (lambda: kernel.run(1, X, 9.5), DtypeError, "budget = 9.5"),
        (lambda: kernel.run(1, X, X[:1]), LengthError, r"budget has shape \(1,\): there are 4 offers"),
        (lambda: kernel.run(1, X.astype(float), 9), DtypeError, "offers = 'float64'"),
        (lambda: kernel.run(1, X.astype(np.int32), 9), DtypeError, "offers = 'int32'"),
        (lambda: kernel.run(1, [1, 2], 9), DtypeError, "offers"),
        (lambda: kernel.run(1, X, 9, charges=X[:3]), LengthError, "charges has shape"),
        (lambda: kernel.run(1, X, 9, losses=X[:3]), LengthError, "losses has shape"),
        (lambda: kernel.run(1, X, 9, losses=[math.nan]), DtypeError, "losses"),
        (lambda: kernel.run(1, X, 9, out=np.empty(4, np.int8)), DtypeError, "out"),
        (lambda: kernel.run(1, X, 9, out=np.empty(3, bool)), LengthError, "out"),
        (lambda: kernel.admit_many(X, X[:2], X), LengthError, "offer has shape"),
        (lambda: kernel.admit_many(X, X, np.array([-1])), RangeError, r"budget\[0\] = -1"),
        (lambda: kernel.admit_many(X, X * [1, 1, 1, -1], X), RangeError, r"offer\[3\] = -1"),
        (lambda: kernel.admit_many(X * MOST * [1, 1, 2, 1], X, X), RangeError, r"account\[2\]"),
        (lambda: kernel.admit_many(X, 1, X), DtypeError, "offer = 1"),
        (lambda: Account(-1, 5), RangeError, "units = -1"),
        (lambda: Account(1, 2**80), RangeError, "budget = 1208925819614629174706176"),
        (lambda: Account(1, 5).step(-1), RangeError, "offer = -1"),
        (lambda: Account(1, 5).step(2**64), RangeError, "offer"),
        (lambda: Account(1, 5).step(1.0), DtypeError, "offer = 1.0"),
        (lambda: Account(1, 5).step(True), DtypeError, "offer = True"),
        (lambda: Account(1, 5).step("1"), DtypeError, "offer = '1'"),
        (lambda: Account(1, 5).admits(None), DtypeError, "offer = None"),
        (lambda: Account(1, 5).settle(0), RangeError, "charge = 0: there is no admitted step"),
        (lambda: Account(1, 5).report(0), RangeError, "loss = 0: there is no admitted step"),
        (lambda: Account(1, 5).raise_budget(4), RangeError, "budget = 4: the budget must not fall, and it was 5"),
    ],
)
def test_bad_arguments_are_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_an_error_changes_nothing():
    book = Account(np.int64(2), 10)
    assert book.step(np.uint8(4))
    before = repr(book)
    for call in (
        lambda: book.step(-1),
        lambda: book.step(2**63),
        lambda: book.settle(5),
        lambda: book.settle(-1),
        lambda: book.report(-1),
        lambda: book.report(None),
        lambda: book.raise_budget(9),
        lambda: book.admits(1.5),
    ):
        with pytest.raises((RangeError, DtypeError)):
            call()
        assert repr(book) == before == "Account(units=6, budget=10, lost=0, steps=1, admitted=1)"
    assert book.settle(1) == 3 and book.report(7) == 7 and (book.units, book.lost) == (3, 7)
    for call in (lambda: book.settle(1), lambda: book.report(1)):  # once each
        with pytest.raises(RangeError):
            call()
    assert not book.step(8) and book.step(7) and not book.step(1) and book.step(0)
    book.step(0)
    book.report(3)
    with pytest.raises(RangeError, match="^charge = 0"):  # who has seen the loss may not choose the charge
        book.settle(0)
    assert book.step(0)
    with pytest.raises(AttributeError):
        book.units = 0
    copy = pickle.loads(pickle.dumps(book))
    assert repr(copy) == repr(book) and copy.settle(0) == 0


def test_threads_share_an_account():
    """Whatever the threads do, no more is charged than the budget, and every admission was charged."""
    book = Account(0, 30_000)
    won = []

    def work():
        won.append(sum(book.step(1) for _ in range(20_000)))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(won) == book.units == book.admitted == 30_000 and book.steps == 60_000


def test_ones_own_array(isa):
    out = np.empty(4, bool)
    assert kernel.run(0, X, 2, out=out).admitted is out and out.tolist() == [True, True, False, False]
    assert kernel.admit_many(X, X, X * 2, out=out) is out and out.all()
    assert kernel.run(0, np.arange(8)[::2], 6).admitted.tolist() == [True, True, True, False]
