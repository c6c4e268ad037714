"""The energy gate: the integer decision, the three-valued kernel, the gates on top of both."""

import math
from decimal import Decimal
from fractions import Fraction

import floats
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.conformance.running import strategies
from gnosis.core import cpu
from gnosis.core import energy as kernel
from gnosis.errors import DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import energy as gates
from gnosis.gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate

small = st.integers(-6, 6)
pairs = st.integers(1, 4).flatmap(lambda n: st.tuples(st.lists(small, min_size=n, max_size=n), st.lists(small, min_size=n, max_size=n)))
finite = strategies.numbers()


# ---- the decisions on integers ----


def lies(admits):
    """Over all small residuals and activations of width 2: admissions after which 2|dot τ a| > γ."""
    span = range(-3, 4)
    return sum(admits([t, s], [a, b], g) and 2 * abs(t * a + s * b) > g for t in span for s in span for a in span for b in span for g in range(0, 40, 3))


def test_admission_means_a_small_shift():
    assert lies(gates.energy_admit) == 0
    assert lies(lambda τ, a, g: gates.energy_sidecar_admit(gates.energy(τ) + 1, gates.energy(a), g)) == 0
    assert lies(lambda τ, a, g: gates.energy_blocked_admit([abs(t) for t in τ], [abs(x) for x in a], g)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda τ, a, g: 4 * gates.energy(τ) * gates.energy(a) >= g * g,  # flipped
        lambda τ, a, g: 2 * gates.energy(τ) * gates.energy(a) <= g * g,  # factor lost
        lambda τ, a, g: 4 * gates.energy(τ) * gates.energy(a) <= (g + 1) ** 2,  # one unit too generous
        lambda τ, a, g: 4 * gates.energy(τ) * abs(a[0]) <= g * g,  # an entry lost
    ],
    ids=["flipped", "factor", "generous", "truncated"],
)
def test_a_wrong_decision_is_caught(wrong):
    assert lies(wrong) > 0


def test_sharp_and_not_vacuous():
    assert gates.energy_admit([2, 1], [4, 2], 20) and 2 * gates.dot([2, 1], [4, 2]) == 20  # collinear: attained
    assert not gates.energy_admit([2, 1], [4, 2], 19)
    assert gates.energy_sidecar_admit(1, 1, 2) and not gates.energy_sidecar_admit_strict(1, 1, 2)
    assert not gates.energy_blocked_admit([1, 1], [3, 3], 7) and gates.energy_sidecar_admit(1, 9, 7)


@pytest.mark.parametrize("negative", [(-1, 1, 9), (1, -1, 9), (1, 1, -9), (-1, -1, 9)])
def test_negative_arguments_are_refused(negative):
    assert not gates.energy_sidecar_admit(*negative) and not gates.energy_sidecar_admit_strict(*negative)
    assert kernel.decide_many(*(np.array([float(v)]) for v in negative)).tolist() == [0]


@given(pairs, st.integers(0, 300))
def test_split_and_whole_agree(vectors, γ):
    τ, a = vectors
    E = gates.energy(τ)
    nowhere, everywhere = [False] * len(a), [True] * len(a)
    assert gates.energy_split_admit(E, a, nowhere, γ) == gates.energy_admit(τ, a, γ)
    assert gates.energy_split_admit(E, a, everywhere, γ)
    assert not gates.energy_split_admit(E, a, nowhere[1:], γ) and not gates.energy_admit(τ, a[1:], γ)
    assert gates.energy_outside(a, nowhere[1:]) == gates.energy(a)


# ---- the kernel ----


@pytest.fixture(scope="module")
def triples():
    E, A, g = floats.energy_triples(np.random.default_rng(11), 6000)
    exact = [(Fraction(e), Fraction(a), Fraction(c)) for e, a, c in zip(E.tolist(), A.tolist(), g.tolist())]
    weak = np.array([4 * e * a <= c * c for e, a, c in exact])
    strict = np.array([4 * e * a < c * c for e, a, c in exact])
    assert (weak & ~strict).sum() > 1000  # exact ties, which a test without them would not be worth much
    return (E, A, g), weak, strict


def one_sided(decide, triples):
    """(false admissions, false refusals) of a three-valued function."""
    arguments, weak, strict = triples
    answers = decide(*arguments)
    return int(((answers == 1) & ~weak).sum()), int(((answers == 0) & weak).sum())


@pytest.mark.parametrize("isa", cpu.available())
def test_the_kernel_never_answers_wrongly(triples, isa):
    cpu.force(isa)
    try:
        answers, strictly = kernel.decide_many(*triples[0]), kernel.decide_many(*triples[0], strict=True)
    finally:
        cpu.force(None)
    assert one_sided(lambda *_: answers, triples) == (0, 0)
    assert one_sided(lambda *_: strictly, (triples[0], triples[2], None)) == (0, 0)
    assert set(np.unique(answers)) == {-1, 0, 1}
    assert np.array_equal(answers, kernel.decide_many(*triples[0])) and np.array_equal(strictly, kernel.decide_many(*triples[0], strict=True))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda E, A, g: 4 * E * A <= g * g,  # no band: underflow and ties
        lambda E, A, g: np.where((4 * E * A > 0) & (g * g > 0), 4 * E * A <= g * g, -1),  # no band away from underflow
        lambda E, A, g: np.where(4 * E * A * (1 + 2.0**-50) >= g * g, 1, 0),  # flipped
        lambda E, A, g: 4 * E.astype(np.float32) * A.astype(np.float32) <= g.astype(np.float32) ** 2,
    ],
    ids=["no band", "no band, no underflow", "flipped", "float32"],
)
def test_a_naive_kernel_is_caught(triples, wrong):
    with np.errstate(all="ignore"):
        admissions, _ = one_sided(lambda *t: np.asarray(wrong(*t)).astype(np.int8), triples)
    assert admissions > 0


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("strict", [False, True])
def test_the_short_way_and_the_careful_one_agree(triples, isa, strict):
    """The kernel looks with care at chunks with a zero or a product out of range; without any it goes a shorter way."""
    (E, A, g), *truths = triples
    with np.errstate(all="ignore"):
        products = np.array([4 * (E * A), g * g])
    easy = ((products >= 2.0**-960) & (products <= 2.0**960)).all(axis=0) & (E > 0) & (g > 0)
    assert easy.sum() > 1000
    short = [x[easy] for x in (E, A, g)]
    care = [np.insert(x, np.arange(0, len(x), 100), 0.0) for x in short]
    cpu.force(isa)
    try:
        answers, others = kernel.decide_many(*short, strict=strict), kernel.decide_many(*care, strict=strict)
    finally:
        cpu.force(None)
    assert np.array_equal(answers, others[np.insert(np.ones(len(answers), bool), np.arange(0, len(answers), 100), False)])
    truth = truths[strict][easy]
    assert not ((answers == 1) & ~truth).any() and not ((answers == 0) & truth).any() and {-1, 0, 1} == set(answers.tolist())


def test_the_kernel_decides_what_is_not_close():
    rng = np.random.default_rng(5)
    E, A, g = rng.random(10000), rng.random(10000), rng.random(10000) * 3
    assert (kernel.decide_many(E, A, g) >= 0).all()


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (1, 700, 1), (700, 1, 1), (1, 1, 700), (700, 700, 1), (700, 1, 700), (1, 700, 700), (700, 700, 700), (0, 0, 0), (0, 1, 1)]
)
@pytest.mark.parametrize("isa", cpu.available())
def test_one_number_stands_for_all(shape, isa):
    rng = np.random.default_rng(1)
    inputs = [rng.random(n) for n in shape]
    n = 0 if 0 in shape else max(shape)
    cpu.force(isa)
    try:
        answers = kernel.decide_many(*inputs)
    finally:
        cpu.force(None)
    spread = [np.ascontiguousarray(np.broadcast_to(x, n)) if len(x) == 1 else x for x in inputs]
    assert answers.shape == (n,) and np.array_equal(answers, kernel.decide_many(*spread))


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("name", ["E", "A", "gamma"])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 511, 512, 1030])
def test_the_kernel_names_what_is_not_finite(isa, name, bad, place):
    inputs = {"E": np.ones(1031), "A": np.ones(1031), "gamma": np.ones(1031)}
    inputs[name][place] = bad
    cpu.force(isa)
    try:
        with pytest.raises(NonFiniteError) as caught:
            kernel.decide_many(**inputs)
    finally:
        cpu.force(None)
    assert (caught.value.argument, caught.value.index) == (name, place)


def test_the_kernel_checks_its_arguments():
    x = np.ones(4)
    out = np.empty(4, np.int8)
    assert kernel.decide_many(x, x, x, out=out) is out and out.tolist() == [0] * 4
    for wrong, error, name in [
        ((x[:3], x, x), LengthError, "A"),
        ((x, x[:2], x), LengthError, "A"),
        ((x, x, np.ones(5)), LengthError, "gamma"),
        ((x.astype(np.float32), x, x), DtypeError, "E"),
        ((x, 1.0, x), DtypeError, "A"),
        ((x, x, x[None]), LengthError, "gamma"),
    ]:
        with pytest.raises(error, match=f"^{name}"):
            kernel.decide_many(*wrong)
    for bad in (np.empty(3, np.int8), np.empty(8, np.int8)[::2]):
        with pytest.raises(LengthError, match="^out"):
            kernel.decide_many(x, x, x, out=bad)
    with pytest.raises(DtypeError, match="^out"):
        kernel.decide_many(x, x, x, out=np.empty(4, bool))


# ---- the gates ----


@given(pairs, st.fractions(0, 40), st.integers(-30, 30), st.integers(-30, 30), st.fractions(Fraction(1, 9), 9))
def test_units_change_nothing(vectors, γ, p, q, c):
    """The gate on floats, rationals and any scale is the integer decision."""
    τ, a = vectors
    truth = 4 * gates.energy(τ) * gates.energy(a) <= γ * γ
    verdict = EnergyGate(γ).decide(τ, a)
    assert verdict.admit == truth and verdict.margin == γ * γ - 4 * gates.energy(τ) * gates.energy(a)
    scaled = EnergyGate(γ * Fraction(2) ** (p + q)).decide(np.array(τ) * 2.0**p, (np.array(a) * 2.0**q).astype(np.float32))
    assert scaled.admit == truth and scaled.margin == verdict.margin * Fraction(4) ** (p + q)
    assert EnergyGate(γ * c).decide([t * c for t in τ], a).admit == truth


@given(finite, finite, finite, st.booleans())
def test_sidecar_gate_is_the_exact_predicate(E, A, γ, strict):
    E, A, γ = abs(E), abs(A), abs(γ)
    margin = Fraction(γ) ** 2 - 4 * Fraction(E) * Fraction(A)
    verdict = SidecarGate(γ, strict=strict).decide(E, A)
    assert verdict.margin == margin and verdict.admit == (margin > 0 or (margin == 0 and not strict))
    assert verdict.theorem.startswith("Gnosis.energy_sidecar_sound") and len(verdict.assumes) == 2


@pytest.mark.parametrize("strict", [False, True])
def test_sidecar_decide_many_is_the_exact_predicate(triples, strict):
    (E, A, g), weak, strictly = triples
    answers = SidecarGate(0, strict=strict).decide_many(E, A, gamma=g)
    assert answers.dtype == bool and np.array_equal(answers, strictly if strict else weak)


def disagreements(decide_many):
    """Rows on which `decide_many` differs from one exact decision each, with many exact ties among them."""
    rng = np.random.default_rng(2)
    wrong = 0
    for dtype in (np.float16, np.float32, np.float64, np.int8, np.int64):
        for scale in (1.0, 2.0**-545) if dtype == np.float64 else (1,):
            rows = (rng.integers(-3, 4, (60, 3)) * scale).astype(dtype)
            a = rng.integers(-3, 4, 3).astype(dtype)
            E = [sum(Fraction(v) ** 2 for v in row.tolist()) for row in rows]
            root = 2 * math.isqrt(9 * sum(int(v) ** 2 for v in a.tolist()))
            for γ in (root, Fraction(root) * Fraction(scale), math.nextafter(root * scale, 0), 0):
                gate = EnergyGate(γ)
                truth = [4 * e * sum(Fraction(v) ** 2 for v in a.tolist()) <= gate.gamma**2 for e in E]
                assert [gate.decide(row, a).admit for row in rows] == truth
                wrong += sum(x != y for x, y in zip(decide_many(gate, rows, a).tolist(), truth, strict=True))
    return wrong


def test_decide_many_is_decide():
    assert disagreements(EnergyGate.decide_many) == 0


def test_a_plain_float_decide_many_is_caught():
    def plain(gate, rows, a):
        rows, a = rows.astype(float), a.astype(float)
        with np.errstate(under="ignore"):
            return 4 * (rows**2).sum(axis=1) * (a**2).sum() <= float(gate.gamma) ** 2

    assert disagreements(plain) > 0


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 2**70) | finite.map(abs) | st.fractions(0, 100), st.integers(0, 2**70) | finite.map(abs)), min_size=2, max_size=6),
    st.fractions(0, 100),
)
def test_any_exact_numbers_in_a_batch(entries, γ):
    E, A = [e for e, _ in entries], [a for _, a in entries]
    gate = SidecarGate(γ)
    assert gate.decide_many(E, A).tolist() == [gate.decide(e, a).admit for e, a in entries]


@given(pairs, st.fractions(0, 60))
def test_blocked_and_split_gates(vectors, γ):
    e, α = ([abs(x) for x in v] for v in vectors)
    gate = BlockedGate(γ)
    verdict = gate.decide(e, α)
    assert verdict.admit == (2 * gates.dot(e, α) <= γ) and verdict.margin == γ - 2 * gates.dot(e, α)
    many = gate.decide_many(np.array([e, e], float), np.array([α, α], np.float32))
    assert many.tolist() == [verdict.admit] * 2 == gate.decide_many([e, e], α).tolist()
    S = [x > 1 for x in α]
    outside = sum(x * x for x in α if x <= 1)
    split = SplitGate(γ).decide(Fraction(1, 3), α, S)
    assert split.admit == (4 * Fraction(outside, 3) <= γ * γ) and split.margin == γ * γ - Fraction(4 * outside, 3)
    assert SplitGate(γ).decide_many([Fraction(1, 3), 5], α, S).tolist() == [split.admit, 20 * outside <= γ * γ]


def blocked_admits_too_much(samples=40):
    """Rows just above the margin, so that the exact decision refuses all: how many the batch admits."""
    rng, wrong = np.random.default_rng(1), 0
    for blocks in (8, 33, 100):
        for _ in range(samples):
            e, α = rng.random((1, blocks)), rng.random(blocks)
            twice = 2 * sum(Fraction(x) * Fraction(y) for x, y in zip(e[0], α))
            γ = float(twice)
            gate = BlockedGate(γ if γ < twice else math.nextafter(γ, 0))  # the largest float64 below 2·dot e α
            assert not gate.decide(e[0], α).admit
            wrong += bool(gate.decide_many(e, α)[0])
    return wrong


def test_blocks_at_the_boundary():
    assert blocked_admits_too_much() == 0


def test_a_bound_that_forgets_the_number_of_blocks_is_caught(monkeypatch):
    def dots(left, right):
        total = (left[0] * right[0]).sum(axis=-1)
        return total * (1 - 2.0**-53), total * (1 + 2.0**-53)

    monkeypatch.setattr(gates, "dots", dots)
    assert blocked_admits_too_much() > 0


def test_underflow_is_not_admission():
    """4,096 values of 2e-23: float32 squares are zero, the gate still sees their energy."""
    row = np.full(4096, 2e-23, np.float32)
    assert float(np.dot(row, row)) == 0.0
    gate = EnergyGate(1e-42)
    assert not gate.decide(row, row).admit and gate.decide_many(row[None], row).tolist() == [False]
    assert kernel.decide_many(np.array([1e-200]), np.array([1e-200]), np.array([1e-300])).tolist() == [-1]
    assert SidecarGate(1e-300).decide_many(np.array([1e-200]), 1e-200).tolist() == [False]


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: EnergyGate(-1), NegativeError, "gamma = -1"),
        (lambda: EnergyGate(math.nan), NonFiniteError, "gamma = nan"),
        (lambda: SidecarGate(np.float32(np.inf)), NonFiniteError, "gamma = inf"),
        (lambda: BlockedGate("1"), DtypeError, "gamma = '1'"),
        (lambda: SplitGate(True), DtypeError, "gamma = True"),
        (lambda: EnergyGate(1).decide([], []), EmptyError, "residual"),
        (lambda: EnergyGate(1).decide([1, 2], [1]), LengthError, "activation has shape 1"),
        (lambda: EnergyGate(1).decide([1, math.nan], [1, 2]), NonFiniteError, r"residual\[1\]"),
        (lambda: EnergyGate(1).decide([1, 2], np.array([1, np.inf])), NonFiniteError, r"activation\[1\]"),
        (lambda: EnergyGate(1).decide_many(np.ones((2, 0)), np.ones(0)), EmptyError, "residuals"),
        (lambda: EnergyGate(1).decide_many(np.ones(2), np.ones(2)), LengthError, "residuals"),
        (lambda: EnergyGate(1).decide_many(np.ones((2, 3)), np.ones(2)), LengthError, "activation"),
        (lambda: EnergyGate(1).decide_many(np.ones((2, 3)), np.ones((3, 3))), LengthError, "activation"),
        (lambda: EnergyGate(1).decide_many(np.full((2, 3), np.nan), np.ones(3)), NonFiniteError, r"residuals\[0, 0\]"),
        (lambda: SidecarGate(1).decide(-1, 1), NegativeError, "E = -1"),
        (lambda: SidecarGate(1).decide(1, -0.5), NegativeError, "A = -0.5"),
        (lambda: SidecarGate(1).decide_many(np.array([1, -5e-324]), 1.0), NegativeError, r"E\[1\]"),
        (lambda: SidecarGate(1).decide_many([1, Fraction(-1, 3)], 1.0), NegativeError, r"E\[1\]"),
        (lambda: SidecarGate(1).decide_many(np.ones(2), np.ones(3)), LengthError, "A has shape 3"),
        (lambda: SidecarGate(1).decide_many(np.ones(2), 1, gamma=np.array([1, np.nan])), NonFiniteError, r"gamma\[1\]"),
        (lambda: SidecarGate(1).decide_many(np.ones((2, 2)), 1), LengthError, "E has shape"),
        (lambda: BlockedGate(1).decide([1, -1], [1, 1]), NegativeError, r"e\[1\]"),
        (lambda: BlockedGate(1).decide([-(10**400)], [1]), NegativeError, r"e\[0\]"),
        (lambda: EnergyGate(Decimal("1e99999999")), RangeError, "gamma"),
        (lambda: SidecarGate(1).decide_many([1, Decimal("1e-99999999")], 1), RangeError, r"E\[1\]"),
        (lambda: BlockedGate(1).decide([1], [1, 1]), LengthError, "alpha"),
        (lambda: BlockedGate(1).decide_many([[1, 1]], [1, -1]), NegativeError, r"alpha\[1\]"),
        (lambda: SplitGate(1).decide(1, [1, 2], [True]), LengthError, "exact"),
        (lambda: SplitGate(1).decide(1, [1, 2], [1, 0]), DtypeError, r"exact\[0\]"),
        (lambda: SplitGate(1).decide(-1, [1], [True]), NegativeError, "E = -1"),
        (lambda: SplitGate(1).decide(1, [], []), EmptyError, "activation"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_negative_zero_is_zero():
    assert SidecarGate(-0.0).decide(-0.0, 1).admit and not SidecarGate(-0.0, strict=True).decide(-0.0, 1).admit
    zero = np.array([-0.0])
    assert kernel.decide_many(np.array([floats.LEAST]), np.ones(1), zero).tolist() == [0]  # known without any product
    assert kernel.decide_many(zero, np.ones(1), zero).tolist() == [1] and kernel.decide_many(zero, np.ones(1), zero, strict=True).tolist() == [0]
