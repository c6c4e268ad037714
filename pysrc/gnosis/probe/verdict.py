"""What a report says of all matrices together: the verdict, the theorems behind it, summaries of layers and of roles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from statistics import median
from typing import Literal

from ..models.decode import FLOATS, FLOATS_8
from ..numbers.bounds import enclose
from .figures import Tails, edge
from .part import Amount, Count, Part, Positive, Share
from .tensor import PREDICATE, Tensor

PLAIN = tuple(name for name in FLOATS if name not in FLOATS_8)  # weights as they were trained; numbers of 8 bits are a code

# What the predicate and its use rest on: module, theorem, and what it says.  A conjunct that no theorem speaks about is measured.
SPINE = (
    (
        "Gnosis.EnergyMarginBridgeAdmissibility",
        "Gnosis.energy_sidecar_sound",
        "e8_energy_accept_ge_cubic: a tile is accepted when 4·E·A ≤ γ², which implies −γ ≤ 2⟨τ, a⟩ ≤ γ",
    ),
    (
        "Gnosis.EnergyMarginBridgeAdmissibility",
        "Gnosis.energy_bridge_sharp",
        "the bound of the energy gate is attained, so the distance between bound and truth is not slack of the gate",
    ),
    (
        "Gnosis.EnergyMarginBridgeAdmissibility",
        "Gnosis.energy_sidecar_scale_invariant",
        "a common unit of residual and margin changes no decision: why a multiplier says it all",
    ),
    ("Gnosis.ConformalCoverageAdmissibility", "Gnosis.conformal_rank_spec", "all_conformal_admit: the rank ⌈(n + 1)·q⌉ of a threshold"),
    (
        "Gnosis.ConformalCoverageProbability",
        "Gnosis.conformal_admitted_failure_rate",
        "all_conformal_admit: admitted, and yet above half the margin, with probability at most 1 − q for exchangeable scores",
    ),
    (
        "Gnosis.QualityMarginCacheAdmissibility",
        "Gnosis.argmax_preserved",
        "what an admission is for: errors within half the margin leave the argmax where it is",
    ),
    (
        "Gnosis.JitDequantAdmissibility",
        "Gnosis.jit_dequant_sound",
        "both composed: coarse rows whose energies pass the gate leave the argmax of the exact product",
    ),
    ("Gnosis.BasinSeparatrixAdmissibility", "Gnosis.basin_sound", "the same budget along the steps of a sampler; no figure of this report uses it"),
)


class Layer(Part):
    """The matrices of one layer together; layer: None for those that belong to none.

    Edges from the sums of all residual energies; shares of tiles with the unit energy gate; least_multiplier: of the matrix that
    needs most, None when one never admits; weights_admitted: of the matrices that the predicate admits.
    Promises: tested `tests/test_probe_frontier.py::test_a_level_without_a_threshold_has_no_frontier`.
    """

    layer: int | None
    tensors: Positive
    weights: Positive
    weights_admitted: Count
    share_admitted: Share
    refused: list[str]
    e8_edge: float | None
    bounded_e8_edge: float | None
    cubic_accepted: Share
    e8_accepted: Share
    least_multiplier: Amount | None
    bounded_least_multiplier: Amount | None
    bounded_refused: list[str]


def _most(multipliers: Iterable[Fraction | None]) -> float | None:
    every = list(multipliers)
    return None if None in every else enclose(max(x for x in every if x is not None))[1]


def layers(tensors: list[Tensor]) -> list[Layer]:
    """One entry per layer, in order, those without a layer first."""
    out = []
    for number in sorted({t.layer for t in tensors}, key=lambda n: -1 if n is None else n):
        own = [t for t in tensors if t.layer == number]
        weights = sum(math.prod(t.shape) for t in own)
        passed = sum(math.prod(t.shape) for t in own if t.admission.admitted)
        gates = [g for t in own if (g := t.lattice.gate("energy")) is not None]
        tiles = sum(t.tiles for t in own)

        def total(family: str, code: str) -> float:
            return math.fsum(getattr(getattr(t, family), code).energy for t in own)

        out.append(
            Layer(
                layer=number,
                tensors=len(own),
                weights=weights,
                weights_admitted=passed,
                share_admitted=passed / weights,
                refused=[t.name for t in own if not t.admission.admitted],
                bounded_refused=[t.name for t in own if not t.bounded_admission.admitted],
                e8_edge=edge(total("lattice", "cubic"), total("lattice", "e8")),
                bounded_e8_edge=edge(total("bounded", "cubic"), total("bounded", "e8")),
                cubic_accepted=sum(g.cubic.admitted for g in gates) / tiles,
                e8_accepted=sum(g.e8.admitted for g in gates) / tiles,
                least_multiplier=_most(t.lattice.least_multiplier for t in own),
                bounded_least_multiplier=_most(t.bounded.least_multiplier for t in own),
            )
        )
    return out


class Outliers(Part):
    """Medians over the matrices of one role: of the weights, and of the activations that reach them.

    activations_heavier: of `both` matrices with activations, those whose activations have the larger kurtosis.
    """

    role: str
    tensors: Positive
    both: Count
    weights_kurtosis: float | None
    weights_largest_over_rms: float | None
    weights_top_columns_share: float | None
    activations_kurtosis: float | None
    activations_largest_over_rms: float | None
    activations_top_columns_share: float | None
    activations_heavier: Count


def outliers(tensors: list[Tensor]) -> list[Outliers]:
    """One entry per role that occurs."""
    out = []
    for role in dict.fromkeys(t.role for t in tensors):
        own = [t for t in tensors if t.role == role]
        both = [t for t in own if t.activations is not None]

        def middle(parts: list[Tails | None], name: str) -> float | None:
            values = [v for p in parts if p is not None and (v := getattr(p, name)) is not None]
            return float(median(values)) if values else None

        figures = {
            f"{what}_{name}": middle([getattr(t, what) for t in own], name)
            for what in ("weights", "activations")
            for name in ("kurtosis", "largest_over_rms", "top_columns_share")
        }
        heavier = sum((t.activations.kurtosis or 0) > (t.weights.kurtosis or 0) for t in both if t.activations is not None)
        out.append(Outliers(role=role, tensors=len(own), both=len(both), activations_heavier=heavier, **figures))
    return out


class Rejected(Part):
    tensor: str
    failed: list[str]


class Verdict(Part):
    """The predicate over all matrices, for the 4.5-bit codes, which have a size, and for the unbounded lattices, which have none.

    code: what a sentence about the verdict names.  second_of: encodings of matrices that were quantized before they came here; where there are
    any, the figures are of a second quantization and say nothing about the file's own code.
    """

    predicate: str
    code: Literal["bounded 4.5-bit E8 code"]
    second_of: list[str]
    tensors: Positive
    bounded_admitted: bool
    bounded_tensors_admitted: Count
    bounded_rejected: list[Rejected]
    lattice_admitted: bool
    lattice_tensors_admitted: Count
    lattice_rejected: list[Rejected]


def verdict(tensors: list[Tensor]) -> Verdict:
    lattice, bounded = (
        [Rejected(tensor=t.name, failed=found.failed) for t in tensors if not (found := getattr(t, name)).admitted]
        for name in ("admission", "bounded_admission")
    )
    return Verdict(
        predicate=PREDICATE,
        code="bounded 4.5-bit E8 code",
        second_of=sorted({t.encoding for t in tensors if t.encoding not in PLAIN}),
        tensors=len(tensors),
        bounded_admitted=not bounded,
        bounded_tensors_admitted=len(tensors) - len(bounded),
        bounded_rejected=bounded,
        lattice_admitted=not lattice,
        lattice_tensors_admitted=len(tensors) - len(lattice),
        lattice_rejected=lattice,
    )


class SpineModule(Part):
    module: str
    theorem: str
    says: str


def spine() -> list[SpineModule]:
    return [SpineModule(module=m, theorem=t, says=s) for m, t, s in SPINE]
