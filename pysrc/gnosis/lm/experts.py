"""Layers with experts: a router chooses a few of them for each token, and a proved gate says whether rounding could have changed the choice.

The scores are float32, and their rounding errors have a bound.  `Gnosis.topk_preserved`, and with groups of experts
`Gnosis.two_stage_preserved`, say that the router's exact scores choose the same experts wherever the gate admits that bound.
Where it refuses, the choice of the float32 scores stands and is counted as uncertified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core import transformer
from ..gates.margin import TopKGate, TwoStageGate
from .config import Config
from .weights import Product

UNIT = 2.0**-24  # most that one rounding of a float32 number is off, relative to it
LEAST = 2.0**-14  # weights are divided by their sum, or by this where it is larger


@dataclass
class Routing:
    """How often experts were chosen, tokens times layers, and how often the gate certified that the exact scores choose the same.

    Promises: tested `floats: experts choice`, `tests/test_architectures.py::test_the_choice_of_experts_is_certified_and_counted`.
    """

    decided: int = 0
    certified: int = 0


def choose(logits: np.ndarray, c: Config) -> tuple[np.ndarray, np.ndarray]:
    """The experts of each token and their weights, best first, the lower number on ties.

    logits: float32[t, experts].  Returns int64[t, used] and float32[t, used], whose rows add up to 1.
    """
    probabilities = transformer.softmax(logits)
    scores = logits
    if c.expert_groups > 1:
        groups = probabilities.reshape(len(logits), c.expert_groups, -1)
        two = np.sort(groups, axis=2)[:, :, -2:]
        best = np.argsort(-(two[:, :, 0] + two[:, :, 1]), axis=1, kind="stable")[:, : c.expert_groups_used]
        open_ = np.zeros((len(logits), c.expert_groups, 1), bool)
        np.put_along_axis(open_, best[:, :, None], True, axis=1)
        scores = np.where(open_, groups, np.float32(-1)).reshape(logits.shape)
    chosen = np.argsort(-scores, axis=1, kind="stable")[:, : c.experts_used]
    weights = np.take_along_axis(probabilities, chosen, axis=1)
    return chosen, weights / np.maximum(_added(weights.T[:, :, None]), np.float32(LEAST))


def logit_bounds(x: np.ndarray, magnitudes: np.ndarray, roundings: int) -> np.ndarray:
    """float64[t]: a bound on how far any of a token's logits is from the exact product.

    x: float32[t, width], finite.  magnitudes: float64[experts, width], of the router's weights.  roundings: most that one product
    passes through on its way into the sum, its own included.
    Promises: tested `floats: experts logits`.
    """
    share = roundings * UNIT / (1 - roundings * UNIT)
    sums = np.abs(x.astype(np.float64)) @ magnitudes.T
    # the sum is off by a share of width · 2^−53; a product may fall below the normal numbers
    return np.asarray(sums.max(axis=1) * share * (1 + (x.shape[1] + 8) * 2.0**-52) + x.shape[1] * 2.0**-148)


def probability_bounds(logits: np.ndarray, probabilities: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """float64[t]: a bound on how far any of a token's probabilities is from the softmax of its exact logits.

    logits, probabilities: float32[t, experts], the second `softmax` of the first; bounds: float64[t], of the logits.
    Promises: tested `floats: experts probabilities`.
    """
    wide = logits.astype(np.float64)
    spread = np.minimum(wide.max(axis=1) - wide.min(axis=1), 88.0)
    # the difference to the largest is rounded, for the entry and in the sum; the exponential; a sum in 16 lanes; the quotient
    off = 2 * bounds + UNIT * (2.2 * spread + 1.1 * logits.shape[1] / 16 + 24)
    return np.asarray(probabilities.max(axis=1).astype(np.float64) * np.expm1(off) * (1 + 2.0**-50) + 2.0**-124)


def certify(logits: np.ndarray, bounds: np.ndarray, c: Config) -> np.ndarray:
    """bool[t]: whether the exact scores of each token choose the same experts.

    logits: float32[t, experts], finite; bounds: float64[t], of their errors.  Where all experts are used nothing is chosen, and the answer is True.
    Promises: tested `floats: experts choice`.
    """
    if c.expert_groups > 1:
        probabilities = transformer.softmax(logits)
        wide = probability_bounds(logits, probabilities, bounds)
        groups = probabilities.reshape(len(logits), c.expert_groups, -1)
        if c.experts_used < groups.shape[2] * c.expert_groups_used:
            return np.array([TwoStageGate(c.expert_groups_used, c.experts_used, float(e)).decide(list(row)).admit for row, e in zip(groups, wide)], bool)
        sums = [[sum(sorted(map(float, group))[-2:]) for group in row] for row in groups]  # of two float32 numbers; a rounding is far below 2 ε
        return np.array([TopKGate(c.expert_groups_used, 2 * float(e)).decide(row).admit for row, e in zip(sums, wide)], bool)
    if c.experts_used == c.experts:
        return np.ones(len(logits), bool)
    return np.array([TopKGate(c.experts_used, float(e)).decide(row).admit for row, e in zip(logits, bounds)], bool)


def mixture(
    x: np.ndarray, chosen: np.ndarray, weights: np.ndarray, matrices: Sequence[Sequence[Product]], gated: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """The weighted sum of what the chosen experts make of each token, float32[t, width], added up from the best expert on.

    x: float32[t, width].  chosen, weights: as `choose` gives them.  matrices: of gate, up and down, one for each expert.
    """
    gate, up, down = matrices
    parts = np.empty((chosen.shape[1], *x.shape), np.float32)
    for expert in np.unique(chosen):
        tokens, ranks = np.nonzero(chosen == expert)
        inside = x[tokens]
        parts[ranks, tokens] = down[expert](gated(gate[expert](inside), up[expert](inside)))
    return _added(weights.T[:, :, None] * parts)


def _added(parts: np.ndarray) -> np.ndarray:
    """The sum over the first axis, from its start on, whatever the other axes are."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return np.asarray(total)
