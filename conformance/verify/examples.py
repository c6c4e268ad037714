"""Small decisions of every kind that a certificate can be about: one that admits and one that refuses."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import numpy as np

from ...certificates.records import Writer
from ...gates.basin import BasinController, BasinFlowGate, BasinGate, BasinVectorGate
from ...gates.betting import BettingGate
from ...gates.conformal import calibrate
from ...gates.conformal_jit import ConformalJitGate, ConformalMarginGate
from ...gates.conformal_layers import MaxLayersGate
from ...gates.cumloss import Bet, ChargeGate
from ...gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate
from ...gates.jit import JitGate
from ...gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from ...gates.served import HellingerGate, ServedGate, SpreadGate
from ...gates.tukey import TukeyGate
from ...gates.union import UnionGate
from ...risk.accounts import RiskGate

SCORES = [0.1 * k for k in range(1, 20)]
CALIBRATED = calibrate(np.array(SCORES), ".9")
WHOLE = calibrate(np.arange(1.0, 20.0), ".9")  # the threshold 18, so that 4·18·2 is a square
CHARGE = ChargeGate(Bet.of_rate(16, 2), ".05")

# gate, method, arguments of an admission, and of a refusal
EXAMPLES: list[tuple[Any, str, tuple[Any, ...], tuple[Any, ...]]] = [
    (EnergyGate(0.25), "decide", ([0.01, -0.02], [1, 0.5]), ([1.0, 2.0], [1, 0.5])),
    (SidecarGate(0.25), "decide", (0.01, 1), (0.02, 1)),
    (SidecarGate(Fraction(1, 3), strict=True), "decide", (Fraction(1, 37), 1), (Fraction(1, 36), 1)),
    (BlockedGate(0.25), "decide", ([0.1, 0.02], [0.5, 1]), ([0.1, 0.2], [0.5, 1])),
    (SplitGate(0.25), "decide", (0.01, [1, 100.5], [False, True]), (0.01, [1, 100.5], [False, False])),
    (MarginGate(0.5, "weak"), "decide", ([2, 0.75, 1],), ([2, 0.75, 1.5],)),
    (MarginGate(0.5, "strict"), "decide", ([2, 0.75, 0.5], 0), ([2, 0.75, 1], 0)),
    (MarginGate(0.5, "lowest"), "decide", ([2, 0.75, 1],), ([1, 2, 0.5],)),
    (RowGate([0.5, 0.25, 0]), "decide", ([2, 0.75, 1],), ([2, 1.5, 1], 0)),
    (TopKGate(2, 0.125), "decide", ([2, 1.75, 1],), ([2, 0.75, 1], [True, True, False])),
    (TwoStageGate(1, 2, 0.0625), "decide", ([[3, 2.5, 1], [1, 0.5, 0]],), ([[3, 2.5, 2.5], [1, 0.5, 0]],)),
    (JitGate(), "decide", ([3, 1.5, 0.5], [0.25, 0.125, 0.5], 1), ([3, 2.5, 0.5], [0.25, 0.125, 0.5], 1)),
    (JitGate(strict=False), "decide", ([3, 1.5, 0.5], [0.25, 0.125, 0.5], 1), ([3, 2.5, 0.5], [0.25, 0.125, 0.5], 1)),
    (TukeyGate(0.25), "decide", (-0.125,), (0.126,)),
    (CALIBRATED, "decide", (4, SCORES), (3.5, SCORES)),
    (CALIBRATED, "decide", (4,), (3.5,)),
    (ConformalMarginGate(CALIBRATED, 4), "decide", ([5, 0.5], SCORES), ([4, 0.5], SCORES)),
    (ConformalMarginGate(CALIBRATED, 4), "decide", ([5, 0.5],), ([4, 0.5],)),
    (ConformalMarginGate(CALIBRATED, 4), "decide", ([0.5, 5], SCORES), ([0.5, 4.5], SCORES)),
    (ConformalMarginGate(CALIBRATED, 4, lowest=False), "decide", ([0.5, 4.5], SCORES), ([0.5, 4.25],)),
    (ConformalJitGate(WHOLE), "decide", ([0.5, 12.75, 0], 2), ([0.5, 12.5, 0], 2)),
    (ConformalJitGate(WHOLE), "decide", ([12.5, 0.5], 2), ([1, 12.5, 0.5], 2)),
    (ConformalJitGate(WHOLE, lowest=False), "decide", ([0.5, 12.5], 2), ([0.5, 12.25], 2)),
    (ConformalJitGate(CALIBRATED), "decide", ([5, 0.5], 1.5, SCORES), ([3, 0.5], 1.5, SCORES)),
    (ConformalJitGate(CALIBRATED), "decide", ([5, 0.5], 1.5), ([3, 0.5], 1.5)),
    (MaxLayersGate([0.5, 2], ".5"), "decide", ([[0.25, 0.5], [0.125, 1], [0.25, 3]],), ([[0.25, 0.5], [0.125, 1.125], [0.25, 3]],)),
    (BasinGate(1), "decide", ([0.25, -0.5],), ([0.5, -0.5],)),
    (BasinVectorGate(1), "decide", ([0.25, 0.5],), ([0.5, 0.5],)),
    (BasinFlowGate(1), "decide", ([1.5, 0.5], [0.25, 0.5], 0), ([1.5, 0.5], [0.25, 0.875], 0)),
    (BasinFlowGate(1), "decide", ([1.5, 0.5], [0.25, 0.5], [0.5, 0.25]), ([1.5, 0.5], [0.25, 0.5], [0, 0.5])),
    (BasinFlowGate(1, path=False), "decide", ([1.5, 0.5], [0.25, 0.5], 0), ([1.5, 0.5], [0.25, 0.875], 0)),
    (BasinController(1), "step", (0.25, 0.5), (0.5, 0.5)),
    (CHARGE, "decide", (CHARGE.reserve, 1, CHARGE.reserve + 8), (CHARGE.reserve, 16, CHARGE.reserve + 8)),
    (UnionGate(".1"), "decide", (".01", 1), (".02", 1)),
    (ServedGate(".1"), "decide", (1.2,), (1.25,)),
    (ServedGate(".1"), "decide_layers", ([1.125, 1.0625],), ([1.125, 1.125],)),
    (SpreadGate(".1"), "decide", (0.375,), (0.5,)),
    (SpreadGate(".1"), "decide_logits", ([1, 2, 0.5], [1.125, 2.25, 0.5]), ([1, 2, 0.5], [1.125, 2.5, 0.5])),
    (SpreadGate(".1"), "decide_layers", ([0.25, 0.125],), ([0.25, 0.25],)),
    (HellingerGate(".1"), "decide", ([1, 2, 3], [1, 2.0625, 3]), ([1, 2, 3], [1, 2, 6])),
    (BettingGate(".5", ".1"), "decide", (1, [0.0] * 6), (1, [0.5, 0.25])),
    (BettingGate(".5", ".1"), "decide", ([1, 0.5, 2, 2, 2, 1], [0.0] * 6), ([1, 0.5], [0.5, 0.25])),
    (RiskGate(".1"), "decide", (".01", ".02", 19), (".01", ".05", 19)),
]


def write(path: str | os.PathLike[str], examples: list[tuple[Any, str, tuple[Any, ...], tuple[Any, ...]]] | None = None) -> None:
    """Write certificates of the examples, of all by default, to a new file."""
    with Writer(path) as out:
        for gate, method, *both in EXAMPLES if examples is None else examples:
            for arguments in both:
                out.decide(gate, *arguments, method=method)
