"""Only plain arrays are decided about: what a mask hides, and what a matrix would multiply otherwise, decides nothing."""

from fractions import Fraction

import numpy as np
import pytest

from gnosis.codes.lattice import Code, quantize
from gnosis.core import energy as kernel
from gnosis.errors import ArgumentError, DtypeError
from gnosis.gates.basin import BasinFlowGate, BasinGate, BasinVectorGate
from gnosis.gates.betting import BettingGate
from gnosis.gates.conformal import Calibration, ConformalGate, calibrate
from gnosis.gates.conformal_jit import ConformalJitGate, ConformalMarginGate
from gnosis.gates.cumloss import Bet, ChargeGate
from gnosis.gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate
from gnosis.gates.jit import JitGate
from gnosis.gates.lattice import nearest
from gnosis.gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from gnosis.gates.served import HellingerGate, ServedGate, SpreadGate
from gnosis.gates.tukey import TukeyGate
from gnosis.gates.union import UnionGate
from gnosis.inference.kv import Cache, Codec
from gnosis.numbers import bounds, exact, levels

ROW, ROWS = np.array([1.0, 1.0]), np.array([[0.0, 100.0]])
ONES = np.ones(2)
CALIBRATED = calibrate([1, 2, 3], "1/2")
CHARGE = ChargeGate(Bet(20, 11, 10), "0.1")
F32 = np.ones((1, 1, 32), np.float32)
COUNTS = np.array([30, 30])


class Other(np.ndarray):
    """A subclass that nothing is known about."""


# the decision on an array that `spoil` has wrapped, and the argument that it is
CALLS = {
    "energy": (lambda s: EnergyGate(1).decide(s(ROW), ONES), "residual"),
    "energy activation": (lambda s: EnergyGate(1).decide(ROW, s(ONES)), "activation"),
    "energy many": (lambda s: EnergyGate(1).decide_many(s(ROWS), ONES), "residuals"),
    "energy many nested": (lambda s: EnergyGate(1).decide_many([s(ROW)], ONES), "residuals"),
    "energy many activation": (lambda s: EnergyGate(1).decide_many(ROWS, s(ROWS)), "activation"),
    "sidecar": (lambda s: SidecarGate(s(np.array(1.0))), "gamma"),
    "sidecar E": (lambda s: SidecarGate(1).decide_many(s(ROW), 1), "E"),
    "sidecar A": (lambda s: SidecarGate(1).decide_many(1, s(ROW)), "A"),
    "sidecar gamma": (lambda s: SidecarGate(1).decide_many(1, 1, gamma=s(ROW)), "gamma"),
    "blocked": (lambda s: BlockedGate(1).decide(s(ROW), ONES), "e"),
    "blocked many": (lambda s: BlockedGate(1).decide_many(s(ROWS), ONES), "e"),
    "blocked many alpha": (lambda s: BlockedGate(1).decide_many(ROWS, s(ROWS)), "alpha"),
    "split": (lambda s: SplitGate(1).decide(1, s(ROW), [False, False]), "activation"),
    "split mask": (lambda s: SplitGate(1).decide(1, ROW, s(np.array([True, False]))), "exact"),
    "split many": (lambda s: SplitGate(1).decide_many(s(ROW), ROW, [False, False]), "E"),
    "margin": (lambda s: MarginGate(1).decide(s(ROW)), "scores"),
    "margin many": (lambda s: MarginGate(1).decide_many(s(ROWS)), "scores"),
    "row bounds": (lambda s: RowGate(s(ROW)), "bounds"),
    "row": (lambda s: RowGate([1, 1]).decide(s(ROW)), "scores"),
    "row many": (lambda s: RowGate([1, 1]).decide_many(s(ROWS)), "scores"),
    "row candidates": (lambda s: RowGate([1, 1]).candidates(s(ROW)), "scores"),
    "top k": (lambda s: TopKGate(1, 1).decide(s(ROW)), "scores"),
    "top k many": (lambda s: TopKGate(1, 1).decide_many(s(ROWS)), "scores"),
    "two stage": (lambda s: TwoStageGate(1, 1, 1).decide([ROW, s(ROW)]), "scores[1]"),
    "two stage many": (lambda s: TwoStageGate(1, 1, 1).decide_many(s(np.ones((1, 2, 2)))), "scores"),
    "jit": (lambda s: JitGate().decide(s(ROW), ONES, 1), "coarse"),
    "jit many": (lambda s: JitGate().decide_many(s(ROWS), ONES, 1), "coarse"),
    "jit many energies": (lambda s: JitGate().decide_many(ROWS, s(ONES), 1), "energies"),
    "jit many activations": (lambda s: JitGate().decide_many(ROWS, ONES, s(np.ones(1))), "activation_energies"),
    "conformal jit": (lambda s: ConformalJitGate(CALIBRATED).decide(s(ROW), 1), "coarse"),
    "conformal jit many": (lambda s: ConformalJitGate(CALIBRATED).decide_many(s(ROWS), 1), "coarse"),
    "conformal margin": (lambda s: ConformalMarginGate(CALIBRATED, 1).decide(s(ROW)), "coarse"),
    "conformal": (lambda s: calibrate(s(ROW), "1/2"), "scores"),
    "conformal nested": (lambda s: calibrate([1, s(np.array(2.0))], "1/2"), "scores"),
    "conformal many": (lambda s: CALIBRATED.decide_many(s(ROW)), "gamma"),
    "conformal add": (lambda s: Calibration().add(s(ROW)), "scores"),
    "conformal level": (lambda s: calibrate(ROW, s(np.array(0.5))), "level"),
    "tukey many": (lambda s: TukeyGate(1).decide_many(s(ROW)), "r"),
    "served layers": (lambda s: ServedGate("1/2").decide_layers(s(ROW)), "ratios"),
    "served many": (lambda s: ServedGate("1/2").decide_many(s(ROW)), "ratios"),
    "spread many": (lambda s: SpreadGate("1/2").decide_many(s(ROW)), "spreads"),
    "spread logits": (lambda s: SpreadGate("1/2").decide_logits(ROW, s(ROW)), "after"),
    "spread logits many": (lambda s: SpreadGate("1/2").decide_logits_many(ROW, s(ROWS)), "after"),
    "spread logits many before": (lambda s: SpreadGate("1/2").decide_logits_many(s(ROWS), ROWS), "before"),
    "hellinger": (lambda s: HellingerGate("1/2").decide(ROW, s(ROW)), "after"),
    "hellinger many": (lambda s: HellingerGate("1/2").decide_many(s(ROW), ROWS), "before"),
    "radius": (lambda s: BasinGate(5).decide(s(ROW)), "displacements"),
    "radius stream": (lambda s: BasinGate(5).stream(s(ROW)), "displacements"),
    "radius many": (lambda s: BasinGate(5).decide_many(s(ROWS)), "displacements"),
    "vector many": (lambda s: BasinVectorGate(5).decide_many(s(ROWS)), "bounds"),
    "flow many": (lambda s: BasinFlowGate(5).decide_many(ONES, s(ROWS), 0), "bounds"),
    "flow many factors": (lambda s: BasinFlowGate(5).decide_many(s(ROWS), ROWS, 0), "factors"),
    "lattice": (lambda s: nearest("cubic", s(np.ones(8))), "x"),
    "betting": (lambda s: BettingGate("1/2", "0.1").decide(1, s(ROW)), "observations"),
    "betting many": (lambda s: BettingGate("1/2", "0.1").decide_many(1, s(np.array([[0.5, 1.0]]))), "observations"),
    "betting stakes": (lambda s: BettingGate("1/2", "0.1").decide_many(s(ROW), np.array([[0.5, 1.0]])), "stakes"),
    "charge many": (lambda s: CHARGE.decide_many(s(COUNTS), 1, 60), "account"),
    "charge run": (lambda s: CHARGE.run(s(np.array([1, 2])), 60), "units"),
    "union many": (lambda s: UnionGate("0.1").decide_many(s(np.array([0.001, 0.001])), 2), "price"),
    "union events": (lambda s: UnionGate("0.1").decide_many("0.001", s(np.array([0, 1]))), "events"),
    "quantize": (lambda s: quantize(s(np.ones((1, 32), np.float32)), Code("cubic", 4)), "weights"),
    "cache": (lambda s: Cache([Codec(Code("cubic", 4), 1, 1)], 32, None).write(s(F32)), "vectors"),
    "kernel": (lambda s: kernel.decide_many(s(ONES), ONES, ONES), "E"),
    "kernel out": (lambda s: kernel.decide_many(ONES, ONES, ONES, out=s(np.zeros(2, np.int8))), "out"),
}


def masked(array):
    return np.ma.array(array, mask=np.arange(array.size).reshape(array.shape) == array.size - 1)


def matrix(array):
    return np.asmatrix(array) if array.ndim == 2 else array.view(Other)


@pytest.mark.parametrize("spoil", [masked, matrix, lambda array: array.view(Other)], ids=["masked", "matrix", "other"])
@pytest.mark.parametrize("case", CALLS)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_no_gate_takes_a_subclass(case, spoil):
    call, name = CALLS[case]
    with pytest.raises(DtypeError) as caught:
        call(spoil)
    assert caught.value.argument == name and "numpy.ndarray" in str(caught.value)


@pytest.mark.parametrize("case", CALLS)
def test_every_gate_takes_the_same_array_when_it_is_plain_or_mapped(case, tmp_path):
    def mapped(array):
        result = np.memmap(tmp_path / "a", array.dtype, "w+", shape=array.shape)
        result[...] = array
        return result

    answers = []
    for wrap in (lambda array: array.copy(), mapped):
        try:
            answers.append(repr(CALLS[case][0](wrap)))
        except AttributeError:  # the cache of the table has no ledger to ask
            assert case == "cache"
            answers.append("")
    assert case in ("conformal add", "kernel out", "quantize") or answers[0] == answers[1]


def test_a_masked_entry_is_no_number():
    for read in (exact.number, bounds.enclosures, levels.written):
        with pytest.raises(DtypeError, match="^x"):
            read(np.ma.masked, "x")
    with pytest.raises(DtypeError, match="^x"):
        exact.integers([1, np.ma.masked], "x")


def test_a_mask_would_have_admitted():
    # what a masked sum sees of these rows fits the gates, the rows themselves do not
    hidden = np.ma.array([[0.0, 100.0]], mask=[[False, True]])
    assert (hidden * ONES).sum() == 0 and not EnergyGate(1).decide(hidden.data[0], ONES).admit and not BlockedGate(1).decide(hidden.data[0], ONES).admit


@pytest.mark.parametrize("value", [{1, 2}, {1: 2, 3: 4}, iter([1, 2]), (x for x in (1, 2)), frozenset([1])], ids=lambda v: type(v).__name__)
def test_what_has_no_order_is_no_vector(value):
    for call in (lambda: exact.integers(value, "x"), lambda: exact.mask(value, "x"), lambda: bounds.enclosures(value, "x")):
        with pytest.raises(DtypeError, match="^x"):
            call()


def test_a_duration_is_no_number():
    second = np.timedelta64(1, "s")
    for call in (
        lambda: exact.number(second, "x"),
        lambda: levels.written(second, "x"),
        lambda: levels.whole(second, "x"),
        lambda: levels.level((second, 2), "x"),
        lambda: exact.integers(np.array([second]), "x"),
        lambda: exact.integers([second], "x"),
        lambda: bounds.enclosures(second, "x"),
    ):
        with pytest.raises(DtypeError, match="^x"):
            call()
    with pytest.raises(ArgumentError, match="^winner"):
        MarginGate(1).decide([1, 2], second)


def test_counts_are_kept_as_int():
    gate = TwoStageGate(np.int8(1), np.uint64(1), 1)
    assert type(TopKGate(np.int64(1), 1).k) is int and type(gate.groups) is int and type(gate.experts) is int
    assert type(ConformalGate("1/2", 3, Fraction(1)).rank) is int
