"""The certified head: the exact argmax, whatever the numbers; and every damage that must be noticed."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.core import cpu, margin
from gnosis.core import head as kernel
from gnosis.errors import ArgumentError, DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.files import chain
from gnosis.inference import CertifiedHead, CertifiedLinear, NestedCode, record
from gnosis.inference.head import _lead as found_lead
from gnosis.inference.reference import Reference
from gnosis.lm import Model, Weight, corpus
from gnosis.studies import head as study


def matrix(codes: np.ndarray, scales: np.ndarray) -> Weight:
    """Q8_0 rows from int8[rows, columns] and float16[rows, blocks]."""
    rows, columns = codes.shape
    halves = scales.astype("<f2").reshape(-1, 1).view(np.uint8).reshape(-1, 2)
    blocks = np.concatenate([halves, codes.reshape(-1, 32).view(np.uint8)], axis=1)
    return Weight("w", "Q8_0", np.ascontiguousarray(blocks).reshape(rows, columns // 32 * 34), columns)


def exact(codes: np.ndarray, scales: np.ndarray, a: np.ndarray) -> list[Fraction]:
    """The products, by fractions alone."""
    x = [Fraction(float(v)) for v in a]
    return [
        sum(
            (Fraction(float(d)) * sum(int(q) * v for q, v in zip(block, x[32 * b :])) for b, (d, block) in enumerate(zip(row_d, row.reshape(-1, 32)))),
            Fraction(0),
        )
        for row, row_d in zip(codes, scales)
    ]


def first_largest(scores: list[Fraction]) -> int:
    return scores.index(max(scores))


@st.composite
def problems(draw):
    """A small matrix and an activation: wild scales, codes at the ends, outliers, tiny entries, equal rows."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, blocks = draw(st.integers(2, 40)), draw(st.integers(1, 3))
    codes = rng.integers(-128, 128, (rows, 32 * blocks)).astype(np.int8)
    if draw(st.booleans()):
        codes[rng.random(codes.shape) < 0.5] = draw(st.sampled_from([-128, 127, 0, -8, 7]))
    scales = (rng.standard_normal((rows, blocks)) * draw(st.sampled_from([1e-7, 1e-3, 1, 60000]))).clip(-65504, 65504).astype(np.float16)
    if draw(st.booleans()):
        scales[rng.random(scales.shape) < 0.3] = 0
    for _ in range(draw(st.integers(0, 4))):
        i, j = rng.integers(0, rows, 2)
        codes[i], scales[i] = codes[j], scales[j]
        if draw(st.booleans()):
            codes[i, rng.integers(0, codes.shape[1])] ^= 1
    a = rng.standard_normal(32 * blocks) * 10.0 ** draw(st.integers(-20, 20))
    for _ in range(draw(st.integers(0, 5))):
        a[rng.integers(0, len(a))] *= 10.0 ** rng.integers(-25, 5)
    if draw(st.booleans()):
        a[rng.random(len(a)) < 0.6] = 0
    return codes, scales, a.clip(-3e38, 3e38).astype(np.float32), draw(st.sampled_from([0, 1, 4, 7, 32]))


@pytest.fixture(scope="module")
def smollm2():
    return Model.load("smollm2")


@pytest.fixture(scope="module")
def real(smollm2):
    """The head of SmolLM2 and hidden states of real text."""
    text = corpus.installed()
    return CertifiedHead(smollm2.weights["token_embd.weight"]), np.concatenate(list(study.hidden_states(smollm2, text, 3, 32)))


@pytest.fixture(scope="module")
def reference(smollm2):
    return Reference(smollm2.weights["token_embd.weight"])


# ---- exactness on small matrices -----------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(problems())
def test_argmax_top_k_and_margin_are_exact(problem):
    codes, scales, a, split = problem
    truth = exact(codes, scales, a)
    head = CertifiedHead(matrix(codes, scales), split)
    head.code.check()
    token = head.decide(a)
    assert token.token == first_largest(truth)
    order = sorted(range(len(truth)), key=lambda i: (-truth[i], i))
    assert head.top_k(a, len(truth)) == [(i, truth[i]) for i in order]
    assert head.top_k(a, 2) == [(i, truth[i]) for i in order[:2]]
    assert head.certified_margin(a) == truth[order[0]] - truth[order[1]]
    assert Fraction(token.coarse_margin) <= head.certified_margin(a) and (token.coarse_margin > 0) == (token.candidates == 1)


@settings(max_examples=60)
@given(problems())
def test_every_bound_holds_exactly(problem):
    codes, scales, a, split = problem
    if not a.any():
        return
    truth = exact(codes, scales, a)
    weight = matrix(codes, scales)
    plan = kernel.Plan(a, split)
    assert [Fraction(float(x)) * Fraction(2) ** plan.exponent for x in plan.exact] == [Fraction(float(x)) for x in a]
    assert split <= plan.split == len(set(plan.columns.tolist())) <= len(a) and plan.split % 4 == 0
    code = NestedCode(weight)
    z, eps = np.empty((2, len(code.planes[0]) * 16), np.float32)
    kernel.coarse(plan, code.planes, 0, len(code.planes[0]), z, eps)
    y, err = kernel.rows(weight.raw, plan, np.arange(len(truth)))
    unit = Fraction(2) ** -plan.exponent
    for i, t in enumerate(truth):
        assert abs(Fraction(float(z[i])) - t * unit) <= Fraction(float(eps[i]))
        assert abs(Fraction(float(y[i])) - t * unit) <= Fraction(float(err[i]))
    energies = code.row_energies()
    for i in range(len(truth)):
        left = codes[i].astype(int) + 128 & 15
        parts = zip(scales[i], left.reshape(-1, 32))
        residual = sum((Fraction(float(d)) ** 2 * sum(Fraction(2 * int(v) - 15, 2) ** 2 for v in block) for d, block in parts), Fraction(0))
        assert residual <= Fraction(float(energies[i]))


@settings(max_examples=60)
@given(problems())
def test_every_instruction_set_computes_the_same_bits(problem):
    codes, scales, a, split = problem
    if not a.any():
        return
    weight, found = matrix(codes, scales), []
    code, plan = NestedCode(weight), kernel.Plan(a, split)
    try:
        for isa, narrow in [(isa, False) for isa in cpu.available()] + [(cpu.available()[-1], True)]:
            cpu.force(isa)
            kernel._without_vnni(narrow)
            z, eps = np.zeros((2, len(code.planes[0]) * 16), np.float32)
            kernel.coarse(plan, code.planes, 0, len(code.planes[0]), z, eps)
            found.append(b"".join(part.tobytes() for part in (z, eps, *kernel.rows(weight.raw, plan, np.arange(len(codes))))))
    finally:
        cpu.force(None)
        kernel._without_vnni(False)
    assert len(set(found)) == 1


def test_ties_go_to_the_lowest_index():
    rng = np.random.default_rng(0)
    codes, scales = rng.integers(-100, 100, (50, 64)).astype(np.int8), np.full((50, 2), 0.01, np.float16)
    a = rng.standard_normal(64).astype(np.float32)
    best = first_largest(exact(codes, scales, a))
    for i in (49, 7, 31):
        codes[i] = codes[best]
    token = CertifiedHead(matrix(codes, scales)).decide(a)
    assert token.token == min(best, 7) and token.contenders == len({best, 7, 31, 49})
    assert CertifiedHead(matrix(codes, scales)).certified_margin(a) == 0


def test_a_lead_below_the_precision_of_float64_is_seen():
    codes, scales = np.full((3, 64), 100, np.int8), np.full((3, 2), 1, np.float16)
    a = np.ones(64, np.float32)
    a[40] = 2.0**-100
    codes[2, 40] = 101
    token = CertifiedHead(matrix(codes, scales)).decide(a)
    assert token.token == 2 and token.contenders == 3
    assert CertifiedHead(matrix(codes, scales)).certified_margin(a) == Fraction(1, 2**100)
    y, _ = kernel.rows(matrix(codes, scales).raw, kernel.Plan(a, 4), np.arange(3))
    assert y[0] == y[2]


@pytest.mark.parametrize(
    "z, eps, lead",
    [
        ([1 + 2.0**-23, 1.0], [2.0**-23 - 2.0**-30, 2.0**-31], Fraction(1, 2**31)),  # in float32 twice that
        ([1 + 2.0**-22, 1.0], [2.0**-22 - 2.0**-24 - 2.0**-29, 2.0**-24 + 2.0**-30], Fraction(1, 2**30)),  # in float32 negative
        ([2.0**24 + 4, 2.0**24], [0.0, 1.0], Fraction(3)),  # in float32 4
        ([2.0**100, 2.0**100 - 2.0**76], [2.0**76 - 2.0**52, 2.0**52 - 2.0**28], Fraction(2**28)),  # in float64 zero
        ([2.0**60, 1.0, 2.0**60 - 2.0**37], [1.0, 0.0, 2.0**-20], 2**37 - 1 - Fraction(1, 2**20)),
        ([2.0, 2.0, 2.0], [0.0, 2.0**-60, 0.0], -Fraction(1, 2**60)),  # the first two sums are one float64
    ],
)
def test_the_lead_of_the_coarse_pass_is_a_lower_bound(z, eps, lead):
    scores, bounds = np.array(z, np.float32), np.array(eps, np.float32)
    chosen = margin.candidates(scores, bounds)
    assert found_lead(scores, bounds, chosen) == lead and (lead > 0) == (len(chosen) == 1)


def test_a_zero_activation_is_a_tie_of_all():
    head = CertifiedHead(matrix(np.ones((5, 32), np.int8), np.ones((5, 1), np.float16)))
    zero = np.zeros(32, np.float32)
    assert head.argmax(zero) == 0 and head.certified_margin(zero) == 0
    assert head.top_k(zero, 2) == [(0, 0), (1, 0)]
    with pytest.raises(EmptyError):
        kernel.Plan(zero, 0)
    with pytest.raises(EmptyError, match="made without an activation"):
        kernel.coarse(kernel.Plan.__new__(kernel.Plan), head.code.planes, 0, 1, *np.zeros((2, 16), np.float32))


# ---- damage that must be noticed -----------------------------------------------------------------------------------------


@pytest.fixture
def narrow():
    """Row 1 wins, by what its second plane says; row 0 looks better in the coarse plane; no column is split."""
    codes, scales = np.zeros((2, 32), np.int8), np.ones((2, 1), np.float16)
    codes[0], codes[1] = 16, 15  # coarse 23.5 against 7.5
    codes[1, 0] = 48  # 16·31 + 16 = 512 against 31·15 + 48 = 513
    return codes, scales, np.ones(32, np.float32)


def test_the_narrow_case_is_decided_right(narrow):
    codes, scales, a = narrow
    head = CertifiedHead(matrix(codes, scales), 0)
    assert head.argmax(a) == 1 == first_largest(exact(codes, scales, a))


def test_an_energy_that_was_rounded_down_loses_the_winner_and_is_refused(narrow):
    codes, scales, a = narrow
    head = CertifiedHead(matrix(codes, scales), 0)
    head.code.planes[3][:] = 0
    assert head.argmax(a) == 0, "without energies the coarse plane decides"
    with pytest.raises(ArgumentError, match=r"roots\[0, 0, 0\] = 0: the rows say \d+, and a smaller energy is no bound"):
        head.code.check()


def test_one_energy_that_is_one_too_small_is_refused(real):
    code = NestedCode(real[0].code.weight)
    code.planes[3][17, 3, 5] -= 1
    with pytest.raises(ArgumentError, match=re.escape("roots[17, 3, 5]")):
        code.check()
    code.planes[3][17, 3, 5] += 2  # larger does no harm
    code.check()


@pytest.mark.parametrize("plane, at, name", [(0, (5, 1, 2, 3, 1), "coarse"), (1, (0, 40, 2, 3), "rest"), (2, (3, 1, 4), "scales")])
def test_a_changed_plane_is_refused_with_its_place(plane, at, name):
    rng = np.random.default_rng(1)
    code = NestedCode(matrix(rng.integers(-128, 128, (100, 64)).astype(np.int8), np.ones((100, 2), np.float16)))
    code.planes[plane][at] ^= 1
    with pytest.raises(ArgumentError, match=re.escape(f"{name}[{', '.join(map(str, at))}]")):
        code.check()


def faults(problem_seed: int, damage) -> int:
    """How many rows of a random problem break their bound when the planes are damaged."""
    rng = np.random.default_rng(problem_seed)
    codes, scales = rng.integers(-128, 128, (64, 64)).astype(np.int8), np.full((64, 2), 0.02, np.float16)
    a = rng.standard_normal(64).astype(np.float32)
    a[[3, 40]] *= 60
    code, plan = NestedCode(matrix(codes, scales)), kernel.Plan(a, 4)
    damage(code.planes)
    z, eps = np.empty((2, 64), np.float32)
    kernel.coarse(plan, code.planes, 0, 4, z, eps)
    truth = exact(codes, scales, a)
    return sum(abs(Fraction(float(z[i])) - t / Fraction(2) ** plan.exponent) > Fraction(float(eps[i])) for i, t in enumerate(truth))


def test_the_bound_check_notices_damage():
    def dropped(planes):
        planes[1][:] = 0  # the split columns without their second plane

    def next_plane(planes):
        planes[0][:] = np.roll(planes[0], 1, axis=2)  # columns of another vector

    def next_row(planes):
        planes[2][:], planes[0][:] = planes[2], np.roll(planes[0], 1, axis=3)

    def halves_swapped(planes):
        planes[0][:] = planes[0] << 4 | planes[0] >> 4

    assert faults(5, lambda planes: None) == 0
    for damage in (dropped, next_plane, next_row, halves_swapped):
        assert faults(5, damage) > 10, damage.__name__


def test_a_bound_without_the_split_is_no_bound_for_these_scores():
    """The bound counts only what is outside the split columns: a plan that splits nothing must have the larger one."""
    a = np.ones(32, np.float32)
    a[5] = 100
    code = NestedCode(matrix(np.full((2, 32), 15, np.int8), np.ones((2, 1), np.float16)))
    bounds = []
    for split in (0, 4):
        z, eps = np.empty((2, 16), np.float32)
        kernel.coarse(kernel.Plan(a, split), code.planes, 0, 1, z, eps)
        bounds.append(float(eps[0]))
    assert bounds[0] > 10 * bounds[1]


# ---- wrong input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_activations_that_are_not_finite_are_refused(real, value):
    head, hidden = real
    a = hidden[0].copy()
    a[17] = value
    for call in (
        head.argmax,
        head.decide,
        head.certified_margin,
        head.bounds,
        lambda x: head.top_k(x, 3),
        lambda x: head.argmax_many(x[None]),
        lambda x: CertifiedLinear(head.code, 1.0)(x[None]),
    ):
        with pytest.raises(NonFiniteError, match=re.escape("activation[17]")):
            call(a)


def test_wrong_calls(real):
    head, hidden = real
    with pytest.raises(DtypeError, match="float64"):
        head.argmax(hidden[0].astype(np.float64))
    with pytest.raises(LengthError, match="576 columns"):
        head.argmax(hidden[0][:-1])
    with pytest.raises(LengthError):
        head.argmax_many(hidden[0])
    with pytest.raises(RangeError, match="k = 0"):
        head.top_k(hidden[0], 0)
    with pytest.raises(RangeError, match="split = 577"):
        CertifiedHead(head.code, 577)
    with pytest.raises(RangeError, match="threads = 0"):
        CertifiedHead(head.code, 64, 0)
    with pytest.raises(NegativeError, match="gamma"):
        CertifiedLinear(head.code, -1)
    with pytest.raises(RangeError, match="Q4_0"):
        CertifiedHead(Weight("w", "Q4_0", np.zeros((2, 18), np.uint8), 32))
    with pytest.raises(LengthError, match="at least two rows"):
        CertifiedHead(matrix(np.ones((1, 32), np.int8), np.ones((1, 1))))
    with pytest.raises(NonFiniteError, match=re.escape("blocks[3]")):
        NestedCode(matrix(np.ones((4, 32), np.int8), np.array([[1], [1], [1], [np.inf]])))
    with pytest.raises(RangeError, match=re.escape("index[1] = 49152")):
        kernel.rows(head.code.weight.raw, kernel.Plan(hidden[0], 64), np.array([0, 49152]))


# ---- real positions --------------------------------------------------------------------------------------------------------


def test_real_positions_are_decided_exactly_and_cheaply(real, reference):
    head, hidden = real
    found = study.compare(head, reference, iter([hidden]), len(hidden), lambda *_: None)
    summary = study.summary(head, found, reference)
    assert summary["equal"] == summary["positions"] == 32
    assert summary["bytes_vs_q8"] < 0.8 and summary["candidate_share"] < 0.1 and summary["tightness"] < 1
    assert sum(summary["decided"].values()) == 32
    assert np.array_equal(head.argmax_many(hidden[:5]), [t.token for t in found.tokens[:5]])
    assert [t.price.rows for t in found.tokens] == [612 * t.candidates * (t.candidates > 1) for t in found.tokens]


def test_the_check_notices_a_head_that_is_wrong_once(real, reference, monkeypatch):
    head, hidden = real
    wrong = CertifiedHead(head.code)
    decide, calls = wrong.decide, []

    def sometimes(a):
        token = decide(a)
        calls.append(token)
        return token if len(calls) != 7 else type(token)(**{**token.__dict__, "token": (token.token + 1) % 49152})

    monkeypatch.setattr(wrong, "decide", sometimes)
    assert study.compare(wrong, reference, iter([hidden[:12]]), 12, lambda *_: None).equal == 11


def test_threads_and_instruction_sets_decide_alike(real):
    head, hidden = real
    first = [head.decide(a) for a in hidden[:4]]
    assert [CertifiedHead(head.code, threads=3).decide(a) for a in hidden[:4]] == first
    try:
        for isa in cpu.available():
            cpu.force(isa)
            assert [head.decide(a) for a in hidden[:4]] == first
    finally:
        cpu.force(None)


def test_candidates_are_those_of_the_exact_rule(real):
    head, hidden = real
    z, eps = head.bounds(hidden[1])
    assert len(margin.candidates(z, eps)) == head.decide(hidden[1]).candidates


def test_the_reference_decides_ties_in_whole_numbers():
    codes, scales = np.full((4, 32), 3, np.int8), np.ones((4, 1), np.float16)
    codes[3, 31] = 4
    a = np.ones(32, np.float32)
    a[31] = 2.0**-140
    reference = Reference(matrix(codes, scales))
    assert reference.argmax(np.stack([a, -a])).tolist() == [3, 0] and reference.undecided == 2


def test_the_table_keeps_every_argmax(real):
    head, hidden = real
    some = Weight("w", "Q8_0", head.code.weight.raw[:6000], 576)
    rows = study.table(some, hidden[:6], bits=(4, 5))
    assert all(row["argmax_kept"] == 6 and row["tightness"] <= 1 for row in rows)
    share = {(row["bits"], row["bound"]): row["share"] for row in rows}
    assert share[4, "split 64 + blocks"] < share[4, "16 split"] < share[4, "blocks of 32"] <= share[4, "whole-row bound"]
    assert share[5, "split 64 + blocks"] < share[4, "split 64 + blocks"] and share[4, "norms alone, nothing read"] > 0.5


# ---- records ---------------------------------------------------------------------------------------------------------------


def test_a_record_is_made_again(real, reference, tmp_path):
    head, hidden = real
    path = tmp_path / "tokens.jsonl"
    assert record.write(path, head, "smollm2", "ab", [(head.decide(a), a) for a in hidden[:3]]) == 3
    assert record.replay(path, head, "ab", reference) == 3
    lines = path.read_bytes().splitlines()

    def changed(number, **fields):
        """With new hashes all the way."""
        link, texts = chain.START, []
        for i, line in enumerate(lines):
            entry = {name: value for name, value in json.loads(line).items() if name != "chain"}
            text, link = chain.write(link, {**entry, **(fields if i == number else {})})
            texts.append(text)
        path.write_bytes(b"".join(texts))

    for number, fields, message in [
        (1, {"token": 5}, "token comes out as"),
        (2, {"candidates": 1}, "candidates comes out as"),
        (3, {"activation": "zz"}, "not an activation"),
        (0, {"model": "cd"}, "another model"),
        (0, {"version": 1}, "not a record"),
        (0, {"version": 2.0}, "not a record"),
        (0, {"more": 1}, "unknown field"),
        (0, {"split": True}, "split"),
        (4, {"positions": 4}, "there are 3 positions"),
        (4, {"positions": 3.0}, "there are 3 positions"),
        (1, {"contenders": True}, "contenders comes out as 1"),
        (1, {"theorem": 5}, "theorem comes out as"),
        (1, {"more": 1}, "unknown field"),
    ]:
        changed(number, **fields)
        with pytest.raises(ArgumentError, match=message):
            record.replay(path, head, "ab", reference)
    path.write_bytes(b"\n".join(lines) + b"\n")

    class Other:
        def argmax(self, a):
            return np.array([1])

    with pytest.raises(ArgumentError, match="the exact products have their largest at 1"):
        record.replay(path, head, "ab", Other())
    for cut in (b"\n".join(lines[:3]) + b"\n", b"\n".join(lines), b"", b"\n".join(lines)[:-1]):
        path.write_bytes(cut)
        with pytest.raises(ArgumentError, match="incomplete"):
            record.replay(path, head, "ab", reference)


# ---- linear layers -----------------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(problems(), st.sampled_from([0.0, 1e-3, 1.0, 1e30]))
def test_every_output_of_a_certified_product_is_within_its_bound(problem, gamma):
    codes, scales, a, split = problem
    a = (a / max(1.0, float(np.abs(a).max()))).astype(np.float32)
    truth = exact(codes, scales, a)
    product = CertifiedLinear(matrix(codes, scales), gamma, split)
    y = product(np.stack([a, -a]))
    for i, t in enumerate(truth):
        assert abs(Fraction(float(y[0, i])) - t) <= Fraction(float(product.last_bounds[0, i]))
        assert abs(Fraction(float(y[1, i])) + t) <= Fraction(float(product.last_bounds[1, i]))
    if gamma == 1e30:
        assert product.total.admitted == product.total.outputs == 2 * len(truth)
    if gamma == 0 and a.any() and np.all(np.abs(scales.astype(np.float64)) > 0):
        assert product.total.admitted == 0


def test_a_model_runs_with_certified_layers(smollm2):
    ids = smollm2.tokenizer.encode("Water boils at a lower temperature on a high mountain.")
    found = study.linear(smollm2, "blk.1[01].attn_[qk].weight", 2.0, ids)
    assert found["every_output_within_its_bound"] and found["products"] == 4 and 0.3 < found["admitted_share"] < 1
    assert all(layer["largest_error"] <= layer["largest_bound"] for layer in found["layers"])
    exactly = study.linear(smollm2, "blk.10.attn_k.weight", 0.0, ids)
    assert exactly["admitted_share"] == 0 and exactly["logits_largest_deviation"] < 1e-2
    with pytest.raises(EmptyError, match="nothing"):
        study.linear(smollm2, "nothing*", 1.0, ids)
