"""The margin gates: argmax, rows, candidates, top-k, two stages."""

import math
from fractions import Fraction
from itertools import product

import floats
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.conformance.running import strategies
from gnosis.errors import DtypeError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import margin
from gnosis.gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate

SCORES = [list(z) for z in product(range(-2, 4), repeat=3)]
MODES = {"weak": margin.margin_admit, "strict": margin.margin_admit_strict, "lowest": margin.margin_admit_lowest}


def worst(z, ε, favoured):
    """The scores moved as far as they may against everybody but the favoured ones."""
    return [x + e if j in favoured else x - e for j, (x, e) in enumerate(zip(z, ε))]


# ---- the decisions on integers: sound and as generous as possible, over all small scores and moves ----


def holds(mode, z, w):
    if mode == "weak":
        return z[w] == max(z)
    if mode == "strict":
        return all(z[w] > x for j, x in enumerate(z) if j != w)
    return margin.argmax(z) == w


def margin_faults(mode, admits):
    """Cases where the decision differs from "holds for every move of at most τ", found by trying all moves."""
    wrong = 0
    for τ in (0, 1, 2):
        for z in SCORES:
            for w in range(3):
                true = all(holds(mode, [x + d for x, d in zip(z, move)], w) for move in product((-τ, τ) if τ else (0,), repeat=3))
                wrong += admits(z, w, τ) != true
    return wrong


@pytest.mark.parametrize("mode", MODES)
def test_the_margin_decision_is_exact(mode):
    assert margin_faults(mode, MODES[mode]) == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda z, w, τ: all(z[w] - x >= τ for j, x in enumerate(z) if j != w),  # factor lost
        lambda z, w, τ: all(z[w] - x <= 2 * τ for j, x in enumerate(z) if j != w),  # flipped
        lambda z, w, τ: all(z[w] - x > 2 * τ for j, x in enumerate(z) if j > w),  # looks behind only
    ],
    ids=["factor", "flipped", "behind only"],
)
def test_a_wrong_margin_is_caught(mode, wrong):
    assert margin_faults(mode, wrong) > 0


def test_modes_are_told_apart():
    for mode, other in product(MODES, MODES):
        assert (margin_faults(mode, MODES[other]) == 0) == (mode == other)


def row_faults(admits, chosen):
    """The row-wise decision and the candidates against all moves within bounds of different size."""
    wrong = 0
    for ε in product(range(3), repeat=3):
        for z in SCORES[::3]:
            moves = [[x + d for x, d in zip(z, move)] for move in product(*(range(-e, e + 1) for e in ε))]
            w = margin.argmax(z)
            wrong += admits(z, list(ε), w) != all(holds("strict", m, w) for m in moves)
            can_win = sorted({j for m in moves for j in range(3) if m[j] == max(m)})
            wrong += chosen(z, list(ε)) != can_win
    return wrong


def test_rows_and_candidates_are_exact():
    assert row_faults(margin.row_admit, margin.candidates) == 0


@pytest.mark.parametrize(
    "admits, chosen",
    [
        (lambda z, ε, w: all(z[w] - z[j] > 2 * ε[w] for j in range(3) if j != w), margin.candidates),  # own bound only
        (lambda z, ε, w: all(z[w] - z[j] >= ε[w] + ε[j] for j in range(3) if j != w), margin.candidates),  # ties admitted
        (margin.row_admit, lambda z, ε: [j for j in range(3) if z[j] + ε[j] > max(x - e for x, e in zip(z, ε))]),  # ties lost
        (margin.row_admit, lambda z, ε: [j for j in range(3) if z[j] + ε[j] >= max(z)]),  # against the scores
    ],
    ids=["own bound", "ties admitted", "ties lost", "against the scores"],
)
def test_wrong_rows_and_candidates_are_caught(admits, chosen):
    assert row_faults(admits, chosen) > 0


def top_sets(z, k):
    """All masks of k entries none of which is below an unselected one."""
    masks = (m for m in product((False, True), repeat=len(z)) if sum(m) == k)
    return [list(m) for m in masks if all(x >= y for x, s in zip(z, m) if s for y, t in zip(z, m) if not t)]


def topk_faults(admits):
    wrong = 0
    for τ in (0, 1):
        for z in product(range(4), repeat=4):
            for k in (1, 2, 3):
                S = top_sets(list(z), k)[0]
                moved = worst(z, [τ] * 4, {j for j, s in enumerate(S) if not s})  # the unselected up, the selected down
                wrong += admits(list(z), S, τ) != (top_sets(moved, k) == [S])
    return wrong


def test_topk_is_exact():
    assert topk_faults(margin.topk_admit) == 0


@pytest.mark.parametrize("slack", [-1, 1])
def test_a_wrong_topk_is_caught(slack):
    assert topk_faults(lambda z, S, ε: margin.topk_admit([2 * x for x in z], S, max(0, 2 * ε + slack))) > 0


def two_stage_faults(admits):
    """Against both worst moves: unselected groups up and the others down; inside, unselected experts up and the others down."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(3000):
        g = rng.integers(0, 12, (3, 2)).tolist()
        ε = int(rng.integers(0, 2))
        sums = [sum(row) for row in g]
        gsel = top_sets(sums, 1)[0]
        flat = g[gsel.index(True)]
        esel = top_sets(flat, 1)[0]
        masks = [esel if s else [False, False] for s in gsel]
        groups = [sum(x - ε if s else x + ε for x in row) for row, s in zip(g, gsel)]
        inside = [x - ε if s else x + ε for x, s in zip(flat, esel)]
        wrong += admits(g, gsel, masks, ε) != (top_sets(groups, 1) == [gsel] and top_sets(inside, 1) == [esel])
    return wrong


def test_two_stages_are_exact():
    assert two_stage_faults(margin.two_stage_admit) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda g, s, e, ε: (
            margin.topk_admit([sum(r) for r in g], s, ε)
            and margin.topk_admit([x for r, t in zip(g, s) if t for x in r], [b for r, t in zip(e, s) if t for b in r], ε)
        ),
        lambda g, s, e, ε: margin.topk_admit([sum(r) for r in g], s, 2 * ε),
    ],
    ids=["group factor lost", "experts forgotten"],
)
def test_wrong_two_stages_are_caught(wrong):
    assert two_stage_faults(wrong) > 0


def test_shapes_are_refused():
    assert not margin.margin_admit([1, 2], 2, 0) and not margin.margin_admit([3, 1], 0, -1) and margin.margin_admit([3, 1], 0, 1)
    assert not margin.row_admit([3, 1], [0], 0) and not margin.row_admit([3, 1], [0, -1], 0) and not margin.row_admit([3, 1], [0, 0], 2)
    assert margin.candidates([3, 1, 2], [0, 0]) == margin.candidates([3, 1, 2], [0, -1, 0]) == [0, 1, 2] and margin.candidates([], []) == []
    assert not margin.topk_admit([3, 1], [True], 0) and not margin.topk_admit([3, 1], [True, False], -1)
    assert not margin.two_stage_admit([[9, 8], [1, 0]], [True, False], [[True, False], [True, False]], 0)
    assert not margin.two_stage_admit([[9], [1]], [True, False], [[True], [False]], 0)
    assert margin.argmax([]) == 0 and margin.argmax([1, 3, 3]) == 1 and margin.top_two([5]) == 0


# ---- the gates ----

vectors = st.lists(strategies.numbers() | st.fractions(-50, 50) | st.integers(), min_size=2, max_size=5)
bounds = st.fractions(0, 20) | strategies.sizes()


@given(vectors, bounds, st.sampled_from(list(MODES)))
def test_margin_gate_is_the_exact_predicate(scores, bound, mode):
    z = [Fraction(x) for x in scores]
    w = margin.argmax(z)
    lead = z[w] - max(x for j, x in enumerate(z) if j != w)
    verdict = MarginGate(bound, mode).decide(scores)
    assert verdict.margin == lead - 2 * Fraction(bound)
    early_tie = any(z[w] - x == 2 * Fraction(bound) for x in z[:w])
    assert verdict.admit == (verdict.margin > 0 or (verdict.margin == 0 and (mode == "weak" or (mode == "lowest" and not early_tie))))
    assert MarginGate(bound, mode).decide_many([scores]).tolist() == [verdict.admit]


@given(st.lists(st.tuples(st.fractions(-9, 9), st.fractions(0, 3)), min_size=2, max_size=5), st.integers(0, 4))
def test_row_gate_is_the_exact_predicate(entries, w):
    z, ε = [x for x, _ in entries], [e for _, e in entries]
    gate = RowGate(ε)
    w = min(w, len(z) - 1)
    verdict = gate.decide(z, winner=w)
    assert verdict.margin == min(z[w] - ε[w] - z[j] - ε[j] for j in range(len(z)) if j != w)
    assert verdict.admit == (verdict.margin > 0)
    assert gate.candidates(z).tolist() == [j for j in range(len(z)) if z[j] + ε[j] >= max(x - e for x, e in zip(z, ε))]


def disagreements(make_decide_many):
    """Where a batch differs from one exact decision each: small dyadic scores full of ties, thresholds on and beside the gaps."""
    rng = np.random.default_rng(1)
    wrong = 0
    for dtype in (np.float16, np.float32, np.float64, np.int32):
        for bound in (0, 0.5, 1, Fraction(1, 3), 1 + 2.0**-52, 1 - 2.0**-53):
            z = (rng.integers(-6, 7, (60, 5)) * (1 if dtype == np.int32 else 0.5)).astype(dtype)
            ε = (rng.integers(0, 4, 5) / 2).astype(np.float32)
            batches = [(MarginGate(bound, mode), z) for mode in MODES]
            batches += [
                (RowGate(ε), z),
                (RowGate([Fraction(1, 3)] * 5), z),
                (TopKGate(2, bound), z),
                (TwoStageGate(1, 2, bound), rng.integers(-4, 9, (60, 3, 3)).astype(dtype)),
            ]
            for gate, scores in batches:
                truth = [gate.decide(list(row) if row.ndim == 2 else row).admit for row in scores]
                wrong += sum(a != b for a, b in zip(make_decide_many(gate)(scores).tolist(), truth, strict=True))
    return wrong


def test_decide_many_is_decide():
    assert disagreements(lambda gate: gate.decide_many) == 0


def test_a_rounded_batch_is_caught():
    def rounded(gate):
        if isinstance(gate, MarginGate):
            return lambda z: np.diff(np.partition(z, -2, axis=1)[:, -2:].astype(float), axis=1)[:, 0] >= 2 * float(gate.bound)
        return gate.decide_many

    assert disagreements(rounded) > 0


def test_extreme_scores():
    huge = np.array([[floats.MOST, -floats.MOST], [-floats.MOST, floats.MOST], [floats.LEAST, 0.0], [0.0, -0.0], [floats.LEAST, -floats.LEAST]])
    for bound in (0, floats.LEAST, floats.MOST, Fraction(1, 2**1075), Fraction(floats.MOST) * 2, 1):
        for mode in MODES:
            gate = MarginGate(bound, mode)
            assert gate.decide_many(huge).tolist() == [gate.decide(row).admit for row in huge]
        for gate in (TopKGate(1, bound), RowGate([bound, bound])):
            assert gate.decide_many(huge).tolist() == [gate.decide(row).admit for row in huge]
    ints = [[2**53 + 1, 2**53], [2**53, 2**53 + 1], [2**53 + 1, 2**53 + 1]]
    for values in (ints, np.array(ints)):
        assert MarginGate(Fraction(1, 2), "weak").decide_many(values).tolist() == [True, True, False]
        assert MarginGate(Fraction(1, 2)).decide_many(values).tolist() == [False] * 3


def test_top_selections():
    gate = TopKGate(2, 0.25)
    assert gate.decide([3, 1, 2, 1.25]).margin == Fraction(1, 4) and gate.decide([3, 1, 2, 1.25]).theorem == "Gnosis.topk_preserved"
    assert not gate.decide([3, 1, 2, 1.25], selected=[True, True, False, False]).admit
    verdict = TwoStageGate(1, 1, 0.5).decide([[5, 4], [3, 3.5], [0, 0, 0]])
    assert verdict.margin == min(Fraction(5, 2) - 2, Fraction(1) - 1) and not verdict.admit
    assert TwoStageGate(1, 1, Fraction(1, 4)).decide([[5, 4], [3, 3.5], [0, 0, 0]]).admit


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: MarginGate(-1), NegativeError, "bound"),
        (lambda: MarginGate(math.nan), NonFiniteError, "bound"),
        (lambda: MarginGate(1, "loose"), RangeError, "mode"),
        (lambda: MarginGate(1).decide([1.0]), LengthError, "scores has shape 1"),
        (lambda: MarginGate(1).decide([]), LengthError, "scores has shape 0"),
        (lambda: MarginGate(1).decide([1, math.nan]), NonFiniteError, r"scores\[1\]"),
        (lambda: MarginGate(1).decide([1, 2], winner=2), RangeError, "winner = 2"),
        (lambda: MarginGate(1).decide([1, 2], winner=-1), RangeError, "winner = -1"),
        (lambda: MarginGate(1).decide([1, 2], winner=True), RangeError, "winner"),
        (lambda: MarginGate(1).decide_many(np.ones(3)), LengthError, "scores"),
        (lambda: MarginGate(1).decide_many(np.ones((3, 1))), LengthError, "scores"),
        (lambda: MarginGate(1).decide_many(np.array([[1, np.inf]])), NonFiniteError, r"scores\[0, 1\]"),
        (lambda: MarginGate(1).decide_many([[1, 2], [3]]), LengthError, "scores"),
        (lambda: MarginGate(1).decide_many([["1", 2]]), DtypeError, r"scores\[0, 0\]"),
        (lambda: RowGate([1, -1]), NegativeError, r"bounds\[1\]"),
        (lambda: RowGate([1, math.inf]), NonFiniteError, r"bounds\[1\]"),
        (lambda: RowGate([1, 1]).decide([1, 2, 3]), LengthError, "scores"),
        (lambda: RowGate([1, 1]).decide_many(np.ones((2, 3))), LengthError, "scores"),
        (lambda: TopKGate(0, 1), RangeError, "k"),
        (lambda: TopKGate(1.0, 1), DtypeError, "k"),
        (lambda: TopKGate(2, 1).decide([1, 2]), LengthError, "scores"),
        (lambda: TopKGate(2, 1).decide_many(np.ones((2, 2))), LengthError, "scores"),
        (lambda: TopKGate(2, 1).decide([1, 2, 3], selected=[True, False, False]), RangeError, "selected"),
        (lambda: TopKGate(2, 1).decide([1, 2, 3], selected=[True, True]), LengthError, "selected"),
        (lambda: RowGate([-(10**400), 1]), NegativeError, r"bounds\[0\]"),
        (lambda: TwoStageGate(1, 0, 1), RangeError, "experts"),
        (lambda: TwoStageGate(1, 1, 1).decide([[1, 2]]), LengthError, "scores"),
        (lambda: TwoStageGate(1, 1, 1).decide([[1, 2], [3]]), LengthError, r"scores\[1\]"),
        (lambda: TwoStageGate(1, 2, 1).decide([[1, 2], [3, 4]]), LengthError, "scores"),
        (lambda: TwoStageGate(1, 1, 1).decide([[1, 2], [3, math.nan]]), NonFiniteError, r"scores\[1\]\[1\]"),
        (lambda: TwoStageGate(1, 1, 1).decide_many(np.ones((2, 2))), LengthError, "scores"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_two_stages_whose_groups_float64_cannot_tell_apart():
    # the sums 1 and 1 + 2^-60 are one float64; by its order the first group would be selected, where the experts are tied
    scores, gate = np.array([[[0.5, 0.5], [1, 2.0**-60]]]), TwoStageGate(1, 1, Fraction(1, 2**70))
    assert gate.decide(list(scores[0])).admit and gate.decide_many(scores).tolist() == [True]


def test_no_rows_are_no_answers():
    for gate, shape in ((MarginGate(1), (0, 3)), (RowGate([1, 1, 1]), (0, 3)), (TopKGate(1, 1), (0, 3)), (TwoStageGate(1, 1, 1), (0, 2, 2))):
        assert gate.decide_many(np.empty(shape)).tolist() == [] and gate.decide_many(np.empty(shape)).dtype == bool
