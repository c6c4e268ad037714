"""Every bound of the package, beside what it bounds: who claims, who serves, which check holds the two together, and how near it has to come.

A function is taken for a bound when its docstring or its name says so (`speaks_of_bounds`); `claims` finds them all.  Each is in PAIRS, or in OTHERS
with the reason why no pair of a bound and a decoder belongs to it.  `tests/test_nearness.py` compares both ways.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ..core import blocks

NEAR = 0.99  # of a bound that inputs can attain


@dataclass(frozen=True)
class Pair:
    """A bound and what it is a bound for.

    bound: the function or property.  serves: what gives the number that is bounded.  check: of the lane `floats`, that compares them.
    near: name under which the check records how near the value comes; "" where an enclosure of a relative width is checked from both sides.
    least: what it has to reach.  why: where that is below NEAR, why.
    """

    bound: str
    serves: str
    check: str
    near: str = ""
    least: float = NEAR
    why: str = ""


_CORE = "gnosis.core"
PAIRS = (
    # residual energies of block codes
    *(
        Pair(f"{_CORE}.blocks.residual_energy_upper", f"{_CORE}.blocks.dequantize", f"attained residual_energy {e}", f"residual_energy_upper {e}")
        for e in blocks.ENCODINGS
    ),
    *(
        Pair(
            f"{_CORE}.blocks.residual_energy_upper",
            f"{_CORE}.blocks.dequantize",
            f"attained residual_energy {e}",
            f"residual_energy_upper {e}, its roundings",
            0.68 if blocks.sizes(e)[0] == 256 else 0.49,
            f"{11 if blocks.sizes(e)[0] == 256 else 8} roundings of a float32 sum, for which 16 units are added",
        )
        for e in blocks.ENCODINGS
    ),
    Pair(f"{_CORE}.q8_0.residual_energy_upper", f"{_CORE}.q8_0.dequantize", "attained residual_energy Q8_0", "residual_energy_upper Q8_0"),
    *(Pair("gnosis.codes.rows.energy_rows", "gnosis.codes.rows.decode_rows", f"attained residual_energy {e}", f"energy_rows {e}") for e in blocks.ENCODINGS),
    *(
        Pair("gnosis.codes.plain.residual_energy", "gnosis.codes.rows.decode_rows", f"attained residual_energy {e}", f"plain.residual_energy {e}", 1.0)
        for e in blocks.ENCODINGS
    ),
    Pair("gnosis.codes.rows.sum_up", "exact sums", "sum_up", "sum_up"),
    # lattice codes
    *(
        Pair(
            "gnosis.codes.lattice.matrix.residual_energy",
            "gnosis.codes.lattice.matrix.Quantized.decode",
            "quantize residual_energy",
            f"quantize.residual_energy {name}",
        )
        for name in ("cubic", "e8")
    ),
    *(
        Pair("gnosis.codes.lattice.matrix.quantize", "gnosis.codes.lattice.matrix.Quantized.decode", f"quantize {name}", f"quantize {name}")
        for name in ("cubic", "e8")
    ),
    *(
        Pair("gnosis.codes.lattice.rounding.reach", "gnosis.codes.lattice.rounding.stochastic", f"quantize reach {name}", f"rounding.reach {name}")
        for name in ("cubic", "e8")
    ),
    Pair("gnosis.inference.kv.Head.energy", "gnosis.inference.kv.Head.read", "kv cache", "kv.Head.energy"),
    Pair("gnosis.inference.kv.Codec.bound", "gnosis.inference.kv.Head.read", "kv cache", "kv.Codec.bound, squared"),
    # exact energies of certificates, float energies of the probe
    Pair("gnosis.certificates.tiles.exact_energies", "gnosis.certificates.tiles.decoded", "lattice tiles", "tiles.exact_energies", 1.0),
    Pair("gnosis.certificates.tiles.Residual.energy", "gnosis.certificates.tiles.decoded", "lattice tiles", "tiles.exact_energies", 1.0),
    Pair("gnosis.probe.gate.exact_residual_energy", "gnosis.certificates.tiles.decoded", "lattice tiles", "probe.gate.exact_residual_energy", 1.0),
    Pair(
        "gnosis.probe.gate.relative_error",
        "gnosis.probe.gate.energy",
        "lattice float energy",
        "probe.gate.relative_error",
        0.04,
        "a bound for any order of n additions, of which numpy's takes the sum in lanes; a search",
    ),
    # the certified head: each part of a bound by itself
    *(
        Pair(f"{_CORE}.head.coarse", "exact products of a row", "core.head.coarse attained", f"head.coarse, {part}")
        for part in ("residual", "rounded activation", "floats")
    ),
    Pair(f"{_CORE}.head.rows", "exact products of a row", "core.head.rows", "head.rows, sums"),
    Pair("gnosis.inference.head.CertifiedHead.bounds", "exact products of a row", "head.CertifiedLinear", "CertifiedLinear"),
    Pair("gnosis.inference.head.CertifiedHead.top_k", "exact products of a row", "CertifiedHead"),
    # the exact head of the engine: activations, and floats in codes of one and of two terms a block and in float weights
    *(
        Pair(f"{_CORE}.engine.Head.scores", "exact products of a decoded row", "core.engine.Head.scores attained", f"engine.Head.scores, {part}")
        for part in ("rounded activation", "floats of Q8_0", "floats of Q4_1", "floats of F32")
    ),
    Pair(f"{_CORE}.engine.Head.products", "exact products of a decoded row", "core.engine.Head.products", "engine.Head.products, sums"),
    Pair("gnosis.inference.exact.ExactHead.bounds", "exact products of a decoded row", "ExactHead"),
    # the head's code
    Pair("gnosis.inference.codes.NestedCode.row_energies", "the coarse plane of a Q8_0 row", "nested code energies", "NestedCode.row_energies"),
    Pair(
        "gnosis.inference.reference.Reference.argmax",
        "products in float64",
        "reference near ties",
        "inference.reference",
        0.1,
        "a bound for any order of n additions, of which the BLAS takes one; a search",
    ),
    # the router of a layer with experts
    Pair(
        "gnosis.lm.experts.logit_bounds",
        "gnosis.core.transformer.linear",
        "experts logits",
        "experts.logit_bounds",
        0.1,
        "a bound for seven roundings and more, of which inputs attain one at a time; a search",
    ),
    Pair(
        "gnosis.lm.experts.probability_bounds",
        "gnosis.core.transformer.softmax",
        "experts probabilities",
        "experts.probability_bounds",
        0.01,
        "the bounds of all steps add up, and the largest of all probabilities stands for each; a search",
    ),
    # what gates are made of
    Pair("gnosis.numbers.bounds.enclose", "an exact number", "enclose"),
    Pair("gnosis.numbers.bounds.enclosures", "exact numbers", "enclosures"),
    Pair("gnosis.numbers.bounds.below", "one operation", "below and above"),
    Pair("gnosis.numbers.bounds.above", "one operation", "below and above"),
    Pair("gnosis.numbers.bounds.dots", "exact sums of products", "dots", "dots"),
    Pair("gnosis.numbers.bounds.dots", "exact sums of products", "dots", "dots, below"),
    Pair("gnosis.numbers.bounds.energies", "exact sums of squares", "energies", "energies"),
    Pair("gnosis.numbers.bounds.energies", "exact sums of squares", "energies", "energies, below"),
    *(Pair(f"gnosis.numbers.outward.{name}", f"the true {name}", f"outward.{name}") for name in ("exp", "log", "tanh", "sqrt")),
    # float paths of gates, whose answers are held against exact ones
    Pair("gnosis.core.energy.decide_many", "exact products", "core.energy.decide_many"),
    Pair("gnosis.gates.energy.EnergyGate.decide_many", "gnosis.gates.energy.EnergyGate.decide", "EnergyGate"),
    Pair("gnosis.gates.served.HellingerGate.decide_many", "gnosis.gates.served.HellingerGate.decide", "HellingerGate"),
    Pair("gnosis.gates.energy.decide_enclosed", "exact products", "SidecarGate"),
    Pair("gnosis.gates.basin.lengths", "exact roots", "lengths"),
    Pair("gnosis.gates.jit.row_bounds", "exact roots", "row_bounds"),
    Pair("gnosis.gates.jit.lead_bounds", "exact leads", "ConformalJitGate"),
    Pair("gnosis.gates.served.overlap_bounds", "exact overlaps", "HellingerGate"),
    Pair("gnosis.gates.served.step_units", "exact units", "step_units"),
    Pair("gnosis.gates.betting.wealth_bounds", "exact wealth", "BettingGate"),
    Pair("gnosis.gates.betting.UpperBound.upper", "exact wealth", "UpperBound"),
    Pair("gnosis.gates.cumloss.Bet.charges", "exact charges", "Bet.charges"),
    Pair("gnosis.gates.cumloss.Bet.reserve", "the exact reserve", "Bet.reserve"),
    Pair("gnosis.gates.cumloss.Bet.up", "exact units", "Bet.up, Bet.down"),
    Pair("gnosis.risk.extrapolation.clopper_pearson_upper", "exact tails", "clopper_pearson_upper"),
)

# function → why no bound of a computed number
_EXACT = "exact numbers in, exact numbers out: the oracle lane holds it against the Lean definition"
_RATIONAL = "rationals throughout, nothing is rounded but as said"
OTHERS = {
    **{
        f"gnosis.gates.energy.{name}": _EXACT
        for name in (
            "energy",
            "energy_admit",
            "energy_blocked_admit",
            "energy_outside",
            "energy_sidecar_admit",
            "energy_sidecar_admit_strict",
            "energy_split_admit",
        )
    },
    **{
        f"gnosis.gates.{name}": _EXACT
        for name in (
            "betting.betting_upper",
            "betting.betting_upper_from",
            "betting.claim_bound",
            "betting.betting_upper_bound",
            "betting.betting_lower_bound",
            "conformal.pool_above",
            "margin.bounds_fit",
        )
    },
    **{
        f"gnosis.gates.cumloss.{name}": "takes bounds of losses and gives whole charges, which Bet.charges holds"
        for name in ("Bet.for_budget", "ChargeAccount.propose", "ChargeAccount.settle", "ChargeGate.charge", "ChargeGate.decide")
    },
    "gnosis.numbers.bounds.nonnegative_enclosures": "enclosures, and a refusal of what is negative",
    "gnosis.numbers.outward.rounded": "exact arithmetic on fractions; the functions of outward that are held end with it",
    "gnosis.numbers.outward.atanh": "half of outward.log of (1 + x)/(1 − x)",
    "gnosis.numbers.bounds.shown_up": "gives text; decimals rounded up, held in tests/test_conformal_layers.py",
    "gnosis.risk.extrapolation.pool_tail": _RATIONAL,
    "gnosis.risk.extrapolation.pool_order_tail": _RATIONAL,
    "gnosis.gates.served.topk_bound": _RATIONAL,
    "gnosis.gates.conformal_jit.serve_calibrated": "gives a row; gates.jit.serve on a calibrated threshold, held against conformalServed",
    "gnosis.inference.head.CertifiedHead.certified_margin": "the difference of the two exact products that top_k gives",
    "gnosis.inference.original.Original.code_error": "energies of codes.rows.energy_rows and bounds.dots, and roots one float up; tests/test_head_original.py holds it against fractions",
    "gnosis.inference.original.Original.products": "float64 sums with the error of bounds.dots; tests/test_head_original.py holds them against fractions",
    "gnosis.risk.held_out.expected": "counts; the tails of the beta-binomial law with a slack of 1e-7, held against pool_order_tail in tests/test_held_out.py",
    "gnosis.inference.head.reach": "rows whose upper ends reach the k-th lower end; CertifiedHead.top_k and ExactHead.top_k are held",
    "gnosis.inference.exact.ExactHead.certified_margin": "the difference of the two exact products that top_k gives",
    "gnosis.probe.gate.energy": "a float sum without a claim; relative_error says how far it may be off",
    "gnosis.probe.gate.exact_energy": "a sum of squares of whole numbers in one unit",
    "gnosis.probe.figures.interval": "the ends of clopper_pearson_upper and clopper_pearson_lower as floats, outward",
    "gnosis.probe.measure.TensorProbe.energy_gate": "answers of gate.decide, counted",
    "gnosis.probe.shards.row_scores": "gate.energy widened by gate.relative_error, and its root one float up",
    "gnosis.codes.lost.lost": "differences of bounds.below and bounds.above, sums of bounds.dots; tests/test_compare.py holds them against fractions",
    "gnosis.compare.weights.measured": "sums of bounds.dots over what lost.lost gives",
    "gnosis.compare.gates.measured": "bounds of bounds.dots, and margins that the exact gates of tests/test_compare_gates.py decide again",
    "gnosis.compare.sure.shown": "the ends of a betting bound as floats of bounds.enclose",
    "gnosis.codes.lattice.rounding.below": "random numbers below a bound",
    f"{_CORE}.head.pack": "whole numbers; the least roots are held in the check head.row_energies",
}

_WORDS = re.compile(
    r"upper bounds?|lower bounds?|[Bb]ounds? (?:of|on)\b|at least (?:Σ|sum_|the energy|the sum)|[Cc]ertified|outward|rounded up|within a factor|can be from the true|The bound\b|error bounds?|errs by at most|sidecar bounds|\| ≤ err"
)
_NAMES = re.compile(r"(?:^|_)(?:upper|bounds?|energy|energies|enclosures?|enclose|above|below|dots|sum_up|reach|relative_error)(?:_|$)")
_APART = ("cli", "conformance", "spine", "bench", "studies", "audits", "page", "pages", "html", "plots", "text")  # commands, checkers and what they print

_UNCOMPILED = "gnosis.core.plain"  # the kernels without a compiler; the checks of the kernels' bounds hold them to the same bits


def speaks_of_bounds(name: str, doc: str) -> bool:
    """Whether a function of this name and docstring claims a bound."""
    return bool(_NAMES.search(name) or _WORDS.search(doc))


def _modules() -> list[ModuleType]:
    import gnosis
    import gnosis.core

    names = [
        m.name
        for package in (gnosis, gnosis.core)
        for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not any(part in _APART or part.startswith("_") for part in m.name.split(".")) and not m.name.startswith(_UNCOMPILED)
    ]
    return [importlib.import_module(name) for name in sorted(set(names))]


def claims() -> dict[str, Any]:
    """All public functions, methods and properties of the package that claim a bound, by their full name."""
    found: dict[str, Any] = {}
    for module in _modules():
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                continue
            members = [(name, thing)]
            if inspect.isclass(thing):
                members += [(f"{name}.{k}", v) for k, v in vars(thing).items() if not k.startswith("_")]
            for full, member in members:
                member = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if callable(member) and not inspect.isclass(member) and speaks_of_bounds(full.rpartition(".")[2], member.__doc__ or ""):
                    found[f"{module.__name__}.{full}"] = member
    return found
