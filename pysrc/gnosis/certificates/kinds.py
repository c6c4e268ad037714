"""The decisions that a certificate can be about: what makes each gate, what it decides on, and its Lean decision.

The table is all that `gnosis.certificates.records` knows about gates.  A value has one of the types below; `exact` brings what a
user gave into its exact form, so that writing and replaying see the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DtypeError, RangeError
from ..gates.basin import BasinController, BasinFlowGate, BasinGate, BasinVectorGate
from ..gates.betting import BettingGate
from ..gates.conformal import ConformalGate, calibrate
from ..gates.conformal_jit import ConformalJitGate, ConformalMarginGate
from ..gates.conformal_layers import MaxLayersGate
from ..gates.cumloss import Bet, ChargeGate
from ..gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate
from ..gates.jit import JitGate
from ..gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from ..gates.served import HellingerGate, ServedGate, SpreadGate
from ..gates.tukey import TukeyGate
from ..gates.union import UnionGate
from ..numbers import exact as numbers
from ..numbers.levels import whole, written
from ..risk.accounts import RiskGate
from ..verdict import Verdict

NUMBER, LEVEL, WHOLE, VECTOR, MASK, VECTORS, WORD, FLAG = "number", "level", "whole number", "vector", "mask", "vectors", "word", "truth value"
EITHER = "number or vector"
MOST_WORK = 1 << 21  # steps, see `Kind.work`
OPTIONAL = "?"  # at the end of a type: the value may be none

GIVEN = "the threshold is the rank-th smallest of the calibration scores, which the certificate does not list"


def exact(value: Any, kind: str, name: str) -> Any:
    """The exact form of a value: Fraction, int, bool, str, None, or a list of these.  Raises ArgumentError naming it.

    Promises: tested `tests/test_certificates.py::test_a_number_has_one_text`.
    """
    if kind.endswith(OPTIONAL):
        if value is None:
            return None
        kind = kind[: -len(OPTIONAL)]
    if kind == EITHER:
        kind = VECTOR if isinstance(value, (np.ndarray, Sequence)) and np.ndim(value) else NUMBER
    if kind == NUMBER:
        return numbers.number(value, name)
    if kind == LEVEL:
        return written(value, name)
    if kind == WHOLE:
        return whole(value, name)
    if kind == VECTOR:
        ints, unit = numbers.integers(value, name)
        return [n * unit for n in ints]
    if kind == MASK:
        return numbers.mask(value, name)
    if kind == VECTORS:
        if isinstance(value, (str, bytes)) or not isinstance(value, (np.ndarray, Sequence)):
            raise DtypeError(name, value, "not a list of vectors")
        return [exact(row, VECTOR, f"{name}[{i}]") for i, row in enumerate(value)]
    if not isinstance(value, {WORD: str, FLAG: bool}[kind]):
        raise DtypeError(name, value, f"not a {kind}")
    return value


@dataclass(frozen=True)
class Kind:
    """One sort of decision.

    gate: the class.  method: of the gate, which gives the verdict.  parameters, inputs: names and types.  decision: name of the
    Lean decision in namespace Gnosis, or a function of the parameters that gives it; None where Lean decides nothing.
    make: parameters → gate.  take: gate → parameters.  run: gate and inputs → verdict.  work: about how many steps the exact decision
    takes, where that is not about the size of its inputs; above MOST_WORK, some seconds, there is no certificate.
    Promises: tested `tests/test_certificates.py::test_samples_cover_every_kind_and_both_answers`.
    """

    gate: type
    method: str
    parameters: dict[str, str]
    inputs: dict[str, str]
    decision: str | None | Callable[[dict[str, Any]], str]
    make: Callable[[dict[str, Any]], Any] | None = None
    take: Callable[[Any], dict[str, Any]] | None = None
    run: Callable[[Any, dict[str, Any]], Verdict] | None = None
    work: Callable[[dict[str, Any], dict[str, Any]], int] | None = None

    @property
    def name(self) -> str:
        """As certificates name it: the class, and the method unless it is `decide`."""
        return self.gate.__name__ if self.method == "decide" else f"{self.gate.__name__}.{self.method}"

    def parameters_of(self, gate: Any) -> dict[str, Any]:
        """The exact parameters of a gate.

        Promises: tested `tests/test_certificates.py::test_samples_cover_every_kind_and_both_answers`.
        """
        found = self.take(gate) if self.take else {name: getattr(gate, name) for name in self.parameters}
        return {name: exact(found[name], kind, name) for name, kind in self.parameters.items()}

    def gate_of(self, parameters: dict[str, Any]) -> Any:
        """The gate that has these parameters.  Raises ArgumentError for impossible ones."""
        return self.make(parameters) if self.make else self.gate(**parameters)

    def verdict(self, gate: Any, inputs: dict[str, Any]) -> Verdict:
        """The gate's verdict on exact inputs.  Raises ArgumentError.

        Promises: tested `tests/test_certificates.py::test_replay_by_the_exact_reference`.
        """
        return self.run(gate, inputs) if self.run else getattr(gate, self.method)(**inputs)

    def check_work(self, parameters: dict[str, Any], inputs: dict[str, Any]) -> None:
        """RangeError for a decision that would take too long."""
        steps = self.work(parameters, inputs) if self.work else 0
        if steps > MOST_WORK:
            raise RangeError("inputs", steps, f"steps or so to decide exactly; certificates are about at most {MOST_WORK}")

    def decided_by(self, parameters: dict[str, Any]) -> str | None:
        """The Lean decision of a gate with these parameters."""
        return self.decision(parameters) if callable(self.decision) else self.decision


def _conformal(gate: Any) -> ConformalGate:
    return gate if isinstance(gate, ConformalGate) else gate.errors if isinstance(gate, ConformalMarginGate) else gate.energies


def _calibrated(gate: Any, inputs: dict[str, Any]) -> Verdict:
    """A gate that rests on calibration scores: its threshold is found again when the scores are there, and assumed otherwise."""
    scores = inputs["scores"]
    used = _conformal(gate)
    if scores is not None and calibrate(scores, used.level) != used:
        raise RangeError("scores", len(scores), f"have another threshold than the gate, or another number than its {used.count}")
    verdict = gate.decide(**{name: value for name, value in inputs.items() if name != "scores"})
    return verdict if scores is not None else Verdict(verdict.admit, verdict.margin, verdict.theorem, (*verdict.assumes, GIVEN))


def _take_conformal(gate: Any) -> dict[str, Any]:
    used = _conformal(gate)
    return {
        "level": used.level,
        "count": used.count,
        "threshold": used.threshold,
        "gamma": getattr(gate, "gamma", None),
        "lowest": getattr(gate, "lowest", None),
    }


_CALIBRATED = {"level": LEVEL, "count": WHOLE, "threshold": NUMBER + OPTIONAL}


def _plain(parameters: dict[str, Any]) -> ConformalGate:
    return ConformalGate(parameters["level"], parameters["count"], parameters["threshold"])


def _controller(parameters: dict[str, Any]) -> BasinController:
    return BasinController(parameters["radius"])


def _step(gate: BasinController, inputs: dict[str, Any]) -> Verdict:
    fresh = BasinController(gate.radius)
    spent = numbers.nonnegative(inputs["spent"], "spent")
    if spent >= fresh.radius:
        raise RangeError("spent", inputs["spent"], "a controller never spends its whole radius")
    fresh.spent = spent
    return fresh.step(inputs["bound"])


def _charge(parameters: dict[str, Any]) -> ChargeGate:
    return ChargeGate(Bet(parameters["N"], parameters["p"], parameters["q"]), parameters["delta"])


def _take_charge(gate: ChargeGate) -> dict[str, Any]:
    return {"N": gate.bet.N, "p": gate.bet.p, "q": gate.bet.q, "delta": gate.delta}


def _product(parameters: dict[str, Any], inputs: dict[str, Any]) -> int:
    """Numbers that are multiplied with one another, so that they grow with every step."""
    vectors = [x for x in inputs.values() if isinstance(x, list)]
    bits = sum(x.numerator.bit_length() + x.denominator.bit_length() for vector in vectors for x in vector)
    return max(map(len, vectors), default=0) * (bits // 4096 + 1) ** 2


def _pairs(parameters: dict[str, Any], inputs: dict[str, Any]) -> int:
    """Every chosen score against every other one."""
    scores = inputs["scores"]
    if "k" in parameters:
        return min(parameters["k"], len(scores)) * len(scores)
    return max(len(scores) ** 2, min(parameters["experts"], total := sum(map(len, scores))) * total)


_MARGINS = {"weak": "marginAdmit", "strict": "marginAdmitStrict", "lowest": "marginAdmitLowest"}

KINDS = (
    Kind(EnergyGate, "decide", {"gamma": NUMBER}, {"residual": VECTOR, "activation": VECTOR}, "energyAdmit"),
    Kind(
        SidecarGate,
        "decide",
        {"gamma": NUMBER, "strict": FLAG},
        {"E": NUMBER, "A": NUMBER},
        lambda p: "energySidecarAdmitStrict" if p["strict"] else "energySidecarAdmit",
    ),
    Kind(BlockedGate, "decide", {"gamma": NUMBER}, {"e": VECTOR, "alpha": VECTOR}, "energyBlockedAdmit"),
    Kind(SplitGate, "decide", {"gamma": NUMBER}, {"E": NUMBER, "activation": VECTOR, "exact": MASK}, "energySplitAdmit"),
    Kind(MarginGate, "decide", {"bound": NUMBER, "mode": WORD}, {"scores": VECTOR, "winner": WHOLE + OPTIONAL}, lambda p: _MARGINS[p["mode"]]),
    Kind(RowGate, "decide", {"bounds": VECTOR}, {"scores": VECTOR, "winner": WHOLE + OPTIONAL}, "rowAdmit"),
    Kind(TopKGate, "decide", {"k": WHOLE, "bound": NUMBER}, {"scores": VECTOR, "selected": MASK + OPTIONAL}, "topkAdmit", work=_pairs),
    Kind(TwoStageGate, "decide", {"groups": WHOLE, "experts": WHOLE, "bound": NUMBER}, {"scores": VECTORS}, "twoStageAdmit", work=_pairs),
    Kind(
        JitGate,
        "decide",
        {"strict": FLAG},
        {"coarse": VECTOR, "energies": VECTOR, "activation_energy": NUMBER},
        lambda p: "jitAdmitStrict" if p["strict"] else "jitAdmit",
    ),
    Kind(TukeyGate, "decide", {"gamma": NUMBER}, {"r": NUMBER}, "tukeyAdmit"),
    Kind(ConformalGate, "decide", _CALIBRATED, {"gamma": NUMBER, "scores": VECTOR + OPTIONAL}, "conformalAdmit", _plain, _take_conformal, _calibrated),
    Kind(
        ConformalMarginGate,
        "decide",
        {**_CALIBRATED, "gamma": NUMBER, "lowest": FLAG},
        {"coarse": VECTOR, "scores": VECTOR + OPTIONAL},
        lambda p: "conformalMarginAdmitLowest" if p["lowest"] else "conformalMarginAdmit",
        lambda p: ConformalMarginGate(_plain(p), p["gamma"], p["lowest"]),
        _take_conformal,
        _calibrated,
    ),
    Kind(
        ConformalJitGate,
        "decide",
        {**_CALIBRATED, "lowest": FLAG},
        {"coarse": VECTOR, "activation_energy": NUMBER, "scores": VECTOR + OPTIONAL},
        lambda p: "conformalJitLeadAdmit" if p["lowest"] else "conformalJitAdmit",
        lambda p: ConformalJitGate(_plain(p), p["lowest"]),
        _take_conformal,
        _calibrated,
    ),
    Kind(MaxLayersGate, "decide", {"margins": VECTOR, "level": LEVEL}, {"scores": VECTORS}, "layersMaxAdmit"),
    Kind(BasinGate, "decide", {"radius": NUMBER}, {"displacements": VECTOR}, "basinAdmit"),
    Kind(BasinVectorGate, "decide", {"radius": NUMBER}, {"bounds": VECTOR}, "basinVectorAdmit"),
    Kind(
        BasinFlowGate,
        "decide",
        {"radius": NUMBER, "path": FLAG},
        {"factors": VECTOR, "bounds": VECTOR, "rounding": EITHER},
        lambda p: "basinFlowRoundedAdmit" if p["path"] else "basinFlowAdmit",
        work=_product,
    ),
    Kind(BasinController, "step", {"radius": NUMBER}, {"bound": NUMBER, "spent": NUMBER}, "basinControl", _controller, None, _step),
    Kind(
        ChargeGate,
        "decide",
        {"N": WHOLE, "p": WHOLE, "q": WHOLE, "delta": LEVEL},
        {"account": WHOLE, "units": WHOLE, "budget": WHOLE},
        "chargeAdmit",
        _charge,
        _take_charge,
    ),
    Kind(UnionGate, "decide", {"delta": LEVEL}, {"price": LEVEL, "t": WHOLE}, "unionAdmit"),
    Kind(ServedGate, "decide", {"service": LEVEL}, {"ratio": NUMBER}, "servedAdmit"),
    Kind(ServedGate, "decide_layers", {"service": LEVEL}, {"ratios": VECTOR}, "servedAdmit", work=_product),
    Kind(SpreadGate, "decide", {"service": LEVEL}, {"spread": NUMBER}, "servedAdmit"),
    Kind(SpreadGate, "decide_logits", {"service": LEVEL}, {"before": VECTOR, "after": VECTOR}, "servedAdmit"),
    Kind(SpreadGate, "decide_layers", {"service": LEVEL}, {"spreads": VECTOR}, "servedAdmit"),
    Kind(HellingerGate, "decide", {"service": LEVEL}, {"before": VECTOR, "after": VECTOR}, "hellingerAdmit"),
    Kind(BettingGate, "decide", {"mean": LEVEL, "delta": LEVEL}, {"stakes": EITHER, "observations": VECTOR}, "bettingRejects", work=_product),
    Kind(RiskGate, "decide", {"budget": LEVEL}, {"ledger": LEVEL, "alpha": LEVEL, "histories": WHOLE}, None),
)
BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of(gate: Any, method: str = "decide") -> Kind:
    """The kind of a gate's decision.  DtypeError for anything that no certificate can be about."""
    kind = BY_NAME.get(type(gate).__name__ if method == "decide" else f"{type(gate).__name__}.{method}")
    if kind is None or type(gate) is not kind.gate:
        raise DtypeError("gate", gate, f"there are no certificates for its {method}")
    return kind
