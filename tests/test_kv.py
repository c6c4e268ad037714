"""The cache in a lattice code: what is coded moves no score by more than was admitted, and what is refused is kept exactly."""

import math
from fractions import Fraction

import floatenv
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.codes.lattice import Code
from gnosis.errors import DtypeError, FloatEnvironmentError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates.cumloss import Bet, ChargeAccount, ChargeGate
from gnosis.inference.kv import Cache, Codec
from gnosis.verdict import Verdict


class Purse:
    """A ledger with so much to spend."""

    def __init__(self, units=Fraction(10**9)):
        self.left, self.asked = Fraction(units), []

    def propose(self, bound):
        self.asked.append(bound)
        admit = bound <= self.left
        self.left -= bound if admit else 0
        return Verdict(admit, self.left, "none")


def keys(tokens, heads=2, width=64, seed=0, size=1.0):
    return (np.random.default_rng(seed).standard_normal((tokens, heads, width)) * size).astype(np.float32)


def exact_energy(a, b):
    return sum((Fraction(float(x)) - Fraction(float(y))) ** 2 for x, y in zip(a, b))


CODES = [Code("cubic", 4), Code("e8", 4), Code("e8", 8)]
BY_CODE = pytest.mark.parametrize("code", CODES, ids=lambda c: f"{c.lattice}-{c.bits}")


@BY_CODE
def test_what_is_read_is_what_was_admitted(code):
    vectors, purse = keys(30, width=40), Purse()
    vectors[5, 1] *= 1000  # too large for the margin
    vectors[7] = 0
    cache = Cache([Codec(code, gamma=10, energy=1)] * 2, 40, purse)
    writes = cache.write(vectors[:20]) + cache.write(vectors[20:])
    assert len(cache) == 30 and not writes[5][1].admit and writes[5][1].ledger is None
    for h in range(2):
        read, head = cache.read(h), cache.heads[h]
        assert head.coded.tolist() == [w[h].admit for w in writes] and head.coded.sum() >= 29
        for t in range(30):
            lost = exact_energy(vectors[t, h], read[t])
            if writes[t][h].admit:
                assert lost <= Fraction(float(head.energy[t])) == Fraction(writes[t][h].energy)
                assert 4 * Fraction(writes[t][h].energy) <= 100 and writes[t][h].gate.margin == 100 - 4 * Fraction(writes[t][h].energy)
            else:
                assert np.array_equal(read[t].view(np.uint32), vectors[t, h].view(np.uint32)) and head.energy[t] == 0
    assert len(purse.asked) == sum(w.gate.admit for token in writes for w in token)
    assert cache.nbytes < vectors.nbytes * (0.3 if code.bits == 4 else 0.5)


def shifts_beyond(vectors, read, admitted, gamma, directions):
    """How many products of admitted vectors move by more than gamma/2."""
    moved = directions.astype(np.float64) @ (vectors - read).astype(np.float64).T
    return int((2 * abs(moved[:, admitted]) > gamma * (1 + 1e-9)).sum())


@BY_CODE
def test_no_admitted_product_moves_by_more_than_half_the_margin(code):
    vectors = keys(200, heads=1)
    rng = np.random.default_rng(1)
    queries = rng.standard_normal((300, 64))
    queries = (queries / np.linalg.norm(queries, axis=1)[:, None] * 0.999).astype(np.float32)
    for gamma in (0.05, 0.5, 1.0, 1.5, 3.0):
        cache = Cache([Codec(code, gamma, 1)], 64, Purse())
        cache.write(vectors)
        read, admitted = cache.read(0), cache.heads[0].coded
        # the worst query of all is the residual itself
        residual = vectors[:, 0] - read
        worst = residual / np.maximum(np.linalg.norm(residual, axis=1), 1e-30)[:, None]
        assert shifts_beyond(vectors[:, 0], read, admitted, gamma, np.concatenate([queries, worst])) == 0
    everything = Cache([Codec(code, 1e9, 1)], 64, Purse())
    everything.write(vectors)
    assert shifts_beyond(vectors[:, 0], everything.read(0), everything.heads[0].coded, 0.02, worst) > 0  # the check can fail


@BY_CODE
def test_attention_moves_by_no_more_than_was_charged(code):
    """Total variation between the attention of exact and of cached keys, against the sum of the bounds; any query within the energy."""
    vectors, purse = keys(40, heads=1), Purse()
    cache = Cache([Codec(code, gamma=4, energy=1)], 64, purse)
    writes = cache.write(vectors)
    charged = float(sum(w[0].bound for w in writes if w[0].admit))
    rng = np.random.default_rng(2)
    largest = 0.0
    for _ in range(300):
        q = rng.standard_normal(64)
        q /= np.linalg.norm(q)
        before, after = (np.exp(k.astype(np.float64) @ q) for k in (vectors[:, 0], cache.read(0)))
        largest = max(largest, abs(before / before.sum() - after / after.sum()).sum() / 2)
    assert 0 < largest <= charged
    one = Cache([Codec(code, gamma=4, energy=1)], 64, Purse())
    for t, token in enumerate(vectors):
        write = one.write(token[None])[0][0]
        residual = (token[0] - one.read(0)[t]).astype(np.float64)
        q = residual / np.linalg.norm(residual)  # the query that this write moves most
        before = np.exp(vectors[: t + 1, 0].astype(np.float64) @ q)
        after = before.copy()
        after[t] = math.exp(float(one.read(0)[t].astype(np.float64) @ q))
        assert abs(before / before.sum() - after / after.sum()).sum() / 2 <= float(write.bound)


def test_when_the_ledger_refuses_the_vector_is_kept():
    vectors = keys(50, heads=1)
    free = Cache([Codec(Code("e8", 4), 4, 1)], 64, Purse())
    bounds = [w[0].bound for w in free.write(vectors)]
    purse = Purse(sum(bounds[:20]))
    cache = Cache([Codec(Code("e8", 4), 4, 1)], 64, purse)
    writes = cache.write(vectors)
    assert [w[0].admit for w in writes[:20]] == [True] * 20 and not writes[20][0].admit and not writes[20][0].ledger.admit
    assert writes[20][0].gate.admit and sum(w[0].bound for w in writes if w[0].admit) <= sum(bounds[:20])
    kept = ~cache.heads[0].coded
    assert kept.sum() >= 29 and np.array_equal(cache.read(0)[kept], vectors[kept, 0])


def test_a_real_account_is_never_overdrawn():
    bet = Bet.for_budget(1 << 12, "0.01", "5", "0.009")
    gate = ChargeGate(bet, "0.01")
    account = ChargeAccount(gate, "5")
    cache = Cache([Codec(Code("e8", 8), gamma=1, energy=1)] * 2, 64, account)
    writes = [w for token in cache.write(keys(200)) for w in token]
    admitted = [w for w in writes if w.admit]
    assert 10 < len(admitted) < len(writes) and sum(w.bound for w in admitted) <= 5
    assert account.units <= bet.down("5") and account.units == gate.reserve + sum(gate.charge(bet.up(w.bound)) for w in admitted)
    assert all(w.ledger.theorem == "Gnosis.charge_controller_sound" for w in writes)


@pytest.mark.parametrize("fails", range(1, 7))
def test_a_ledger_that_fails_leaves_the_cache_as_it_was(fails):
    class Failing(Purse):
        def propose(self, bound):
            if len(self.asked) == 2 + fails - 1:
                raise OSError("disk full")
            return super().propose(bound)

    purse = Failing(Fraction(10**9))
    cache = Cache([Codec(Code("cubic", 4), 1000, 1)] * 2, 64, purse)
    cache.write(keys(1, seed=1))
    before, size = [cache.read(h) for h in range(2)], cache.nbytes
    with pytest.raises(OSError, match="disk full"):
        cache.write(keys(3))
    assert [len(head) for head in cache.heads] == [1, 1] and cache.nbytes == size and len(purse.asked) == 2 + fails - 1
    assert all(np.array_equal(cache.read(h), before[h]) for h in range(2))
    assert purse.left == 10**9 - sum(purse.asked)  # charges stay


def test_a_ledger_that_says_no_verdict_admits_nothing():
    class Broken:
        def propose(self, bound):
            return Verdict(admit=None, margin=None, theorem="none")  # type: ignore[arg-type]

    cache = Cache([Codec(Code("cubic", 8), 4, 1)], 64, Broken())
    vectors = keys(3, heads=1)
    assert not any(w[0].admit for w in cache.write(vectors)) and np.array_equal(cache.read(0), vectors[:, 0])


@given(st.integers(0, 2**32), st.floats(0, 1e6), st.floats(0, 1e6), st.fractions(0, 10))
def test_the_bound_is_never_too_small(seed, E, A, loss):
    bound = Codec(CODES[seed % 3], 1, A, loss).bound(E)
    assert bound == 1 or bound**2 >= loss**2 * Fraction(E) * Fraction(A)
    assert 0 <= bound <= 1 and (bound > 0 or not (E and A and loss))


def test_vectors_that_the_exponent_does_not_suit_are_kept():
    """Half-precision scales overflow at 1e7 and vanish at 1e-9: the code loses everything, and says so."""
    for size, gamma in ((1e7, 1e5), (1e-9, 1e-12)):
        vectors = keys(4, heads=1, size=size)
        cache = Cache([Codec(Code("e8", 4), gamma, 1)], 64, Purse())
        assert not any(w[0].admit for w in cache.write(vectors)) and np.array_equal(cache.read(0), vectors[:, 0])
        suited = Cache([Codec(Code("e8", 8), size / 10, 1, loss=0, exponent=round(math.log2(size)))], 64, Purse())
        assert all(w[0].admit for w in suited.write(vectors))


def test_truncating_forgets_the_last_tokens():
    vectors = keys(20)
    vectors[3, 0] *= 1000
    vectors[12, 1] *= 1000
    whole, cut = (Cache([Codec(Code("e8", 4), 4, 1)] * 2, 64, Purse()) for _ in range(2))
    whole.write(vectors)
    cut.write(vectors)
    cut.truncate(12)
    assert len(cut) == 12 and all(np.array_equal(cut.read(h), whole.read(h)[:12]) for h in range(2))
    cut.write(vectors[12:])
    assert all(np.array_equal(cut.read(h), whole.read(h)) for h in range(2)) and cut.nbytes == whole.nbytes
    cut.truncate(0)
    assert len(cut) == 0 and cut.read(0).shape == (0, 64) and cut.nbytes == 0
    for wrong in (-1, 1, True, 0.0, None):
        with pytest.raises(RangeError, match="^tokens"):
            cut.truncate(wrong)


@pytest.mark.parametrize(
    "change, error, text",
    [
        (lambda v: v.astype(np.float64), DtypeError, "^vectors"),
        (lambda v: v.tolist(), DtypeError, "^vectors"),
        (lambda v: v[0], LengthError, "^vectors"),
        (lambda v: v[:, :1], LengthError, "^vectors"),
        (lambda v: v[..., :63], LengthError, "^vectors"),
        (lambda v: np.where(np.arange(64) == 9, np.float32(np.nan), v), NonFiniteError, r"^vectors\[0, 0, 9\]"),
        (lambda v: np.where(np.arange(64) == 9, np.float32(np.inf), v), NonFiniteError, r"^vectors\[0, 0, 9\]"),
        (lambda v: v * np.float32(2.0**121), RangeError, r"^weights"),
    ],
)
def test_bad_vectors_change_nothing(change, error, text):
    purse = Purse()
    cache = Cache([Codec(Code("e8", 4), 4, 1)] * 2, 64, purse)
    cache.write(keys(2))
    asked = len(purse.asked)
    with pytest.raises(error, match=text):
        cache.write(change(keys(3)))
    assert len(cache) == 2 and len(purse.asked) == asked and all(len(h) == 2 for h in cache.heads)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        (dict(gamma=-1), NegativeError, "^gamma"),
        (dict(gamma=math.nan), NonFiniteError, "^gamma"),
        (dict(energy=-1), NegativeError, "^energy"),
        (dict(energy=math.inf), NonFiniteError, "^energy"),
        (dict(loss=-1), NegativeError, "^loss"),
        (dict(loss="x"), DtypeError, "^loss"),
        (dict(exponent=97), RangeError, "^exponent"),
        (dict(exponent=0.0), RangeError, "^exponent"),
        (dict(code="e8"), DtypeError, "^code"),
    ],
)
def test_codecs_that_make_no_sense(arguments, error, text):
    with pytest.raises(error, match=text):
        Codec(**{"code": Code("e8", 4), "gamma": 1, "energy": 1, **arguments})


@pytest.mark.parametrize(
    "codecs, width, error, text",
    [
        ([], 64, LengthError, "^codecs"),
        (["e8"], 64, DtypeError, r"^codecs\[0\]"),
        ([Codec(Code("e8", 4), 1, 1)], 0, RangeError, "^width"),
        ([Codec(Code("e8", 4), 1, 1)], 64.0, RangeError, "^width"),
        ([Codec(Code("e8", 4), 1, 1)], True, RangeError, "^width"),
    ],
)
def test_caches_that_make_no_sense(codecs, width, error, text):
    with pytest.raises(error, match=text):
        Cache(codecs, width, Purse())


def test_refuses_in_a_spoiled_environment():
    purse = Purse()
    cache, vectors, caught = Cache([Codec(Code("e8", 4), 4, 1)] * 2, 64, purse), keys(2), None
    with floatenv.flushing(floatenv.FTZ | floatenv.DAZ):
        try:
            cache.write(vectors)
        except FloatEnvironmentError as error:
            caught = error
    assert caught is not None and len(cache) == 0 and not purse.asked


def test_nothing_written_is_nothing_read():
    cache = Cache([Codec(Code("e8", 4), 4, 1)], 64, Purse())
    assert cache.write(np.empty((0, 1, 64), np.float32)) == [] and cache.read(0).shape == (0, 64) and cache.heads[0].energy.shape == (0,)
