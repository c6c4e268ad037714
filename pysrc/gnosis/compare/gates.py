"""Which gate admits at which margin: for every matrix the product of a quantized file, at the activations that enter it when that file reads the text.

A gate admits a row of a matrix and an activation when twice the change of that product is certainly at most the margin.  Three bounds of the change are
held against each other, all of the same residual τ (original minus quantized) and activation a:

    row    √(Σ τ²) · √(Σ a²)                      `Gnosis.energy_sidecar_sound`
    tile   Σ_b √(Σ τ_b²) · √(Σ a_b²), blocks of 32  `Gnosis.energy_blocked_sound`
    sup    max |τ| · Σ |a|                         `Gnosis.energy_blocked_sound`, with blocks of one

A product is certified for an activation when every row is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..files.screen import Show
from ..gates.energy import SidecarGate
from ..lm import Model
from ..numbers.bounds import above, dots, enclose
from ..numbers.outward import sqrt
from .names import Pair, Pairs
from .text import Passage
from .weights import PIECE

TILE = 32  # columns of a block
SHARE = 0.99  # of activations for which a margin is stated beside the one for all
PART = 0.1  # of the size of a matrix's outputs: how far a change may go that is asked about inside a model
FORMS = ("row", "tile", "sup")
THEOREMS = {"row": "Gnosis.energy_sidecar_sound", "tile": "Gnosis.energy_blocked_sound", "sup": "Gnosis.energy_blocked_sound"}
INNER = f"twice {PART:g} of the root mean square of the matrix's outputs"
HEAD = "the lead of the largest logit at each position: the top token is kept where all rows are admitted"


@dataclass
class Activations:
    """inputs: of every matrix, float32[n, columns], by tensor name.  head: the matrix that makes logits.  leads: float64[n], of the largest logit over the next."""

    inputs: dict[str, np.ndarray] = field(default_factory=dict)
    head: str = ""
    leads: np.ndarray = field(default_factory=lambda: np.zeros(0))


def activations(model: Model, passages: Sequence[Passage], most: int) -> Activations:
    """What enters every matrix but those of experts while the model reads passages on the reference path, `most` positions at most.

    NonFiniteError.
    Promises: tested `tests/test_compare_gates.py::test_activations_are_those_of_the_model`.
    """
    parts: dict[str, list[np.ndarray]] = {}
    leads: list[np.ndarray] = []
    left = most

    def hook(name: str, x: np.ndarray) -> None:
        if name in model.products or name == model.head_name:
            parts.setdefault(name, []).append(x)

    for passage in passages:
        ids = passage.tokens[: min(left, passage.positions)]
        if not ids:
            break
        logits = model.prefill(ids, model.cache(len(ids)), "all", hook).logits
        assert logits is not None
        best = np.partition(logits, -2, axis=1)[:, -2:].astype(np.float64)
        leads.append(best.max(axis=1) - best.min(axis=1))
        left -= len(ids)
    return Activations({name: np.concatenate(found) for name, found in parts.items()}, model.head_name, np.concatenate(leads))


@dataclass
class _Sides:
    """Upper bounds from the activations: energy[n], roots of blocks' energies [blocks, n], sums of absolute values [n]; exact: float64[columns, n]."""

    exact: np.ndarray
    energy: np.ndarray
    blocks: np.ndarray
    sums: np.ndarray

    @classmethod
    def of(cls, inputs: np.ndarray) -> _Sides:
        x = np.abs(inputs.astype(np.float64))
        one = np.ones(x.shape[1])
        return cls(inputs.astype(np.float64).T, dots((x, x), (x, x))[1], _roots(x).T, dots((x, x), (one, one))[1])


def _roots(x: np.ndarray) -> np.ndarray:
    """Upper bounds of the roots of the energies of blocks, float64[n, blocks], from absolute values."""
    tail = -x.shape[1] % TILE
    tiles = np.pad(x, ((0, 0), (0, tail))).reshape(len(x), -1, TILE)
    energy = dots((tiles, tiles), (tiles, tiles))[1]
    return np.asarray(np.where(energy > 0, above(np.sqrt(energy)), 0.0))


def product_up(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """At least left @ right of non-negative float64 matrices; the analysis of `gnosis.numbers.bounds.dots`, for any order of the sum.

    Promises: tested `tests/test_compare_gates.py::test_every_form_bounds_the_exact_change`.
    """
    m, near = left.shape[1], left @ right
    high = near * (1 + (m + 4) * 2.0**-52) + (m + 1) * 2.0**-1074
    if (near == 0).any():  # without any product of two numbers above 0 the sum is 0, exactly
        high[(left > 0).astype(np.float64) @ (right > 0).astype(np.float64) == 0] = 0
    return np.asarray(high)


def least_margin(E: float, A: float) -> float:
    """The least float64 γ at which `SidecarGate` admits energies E and A: 4·E·A ≤ γ², exactly; infinite past the range of float64.

    Promises: tested `tests/test_compare_gates.py::test_margins_are_the_least_that_admit`.
    """
    if not math.isfinite(E * A):
        return math.inf
    γ = enclose(sqrt(4 * Fraction(E) * Fraction(A)).high)[1]
    while γ > 0 and SidecarGate(math.nextafter(γ, 0)).decide(E, A).admit:
        γ = math.nextafter(γ, 0)
    return γ


def measured(pair: Pair, inputs: np.ndarray, leads: np.ndarray | None) -> dict[str, Any]:
    """One matrix.

    inputs: float32[n, columns].  leads: float64[n] for the head, None inside the model.  Margins are in units of the products.  least: the smallest margin at
    which all rows are certified, for all and for SHARE of the activations; of the form `row` the least float64, of the others at most 10^-12 above.
    admitted: share of pairs of a row and an activation, and of activations with all rows, at the margin that is stated.  vacuity: bound over measured
    change, the largest of each activation, median.
    Promises: tested `tests/test_compare_gates.py::test_margins_are_the_least_that_admit`.
    """
    sides, info = _Sides.of(inputs), pair.original.info
    count, step = len(inputs), max(1, PIECE // max(1, info.columns))
    worst = {form: np.zeros(count) for form in FORMS}
    energy, changed, scale = [], np.zeros(count), 0.0
    bounds: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for first in range(0, info.rows, step):
        last = min(info.rows, first + step)
        one, two = pair.original.rows(first, last).astype(np.float64), pair.quantized.rows(first, last).astype(np.float64)
        change, apart = one - two, np.where(one == two, 0.0, above(np.abs(one - two)))
        energy.append(dots((apart, apart), (apart, apart))[1])
        bounds.append((energy[-1], _roots(apart), apart.max(axis=1)))
        changed = np.maximum(changed, np.abs(change @ sides.exact).max(axis=0))
        scale += float(np.square(one @ sides.exact).sum())
    for side in (pair.original, pair.quantized):
        side.file.release(side.name)
    scale = math.sqrt(scale / (info.rows * count))
    margins = np.full(count, 2 * PART * scale) if leads is None else leads
    pairs, whole = {form: 0 for form in FORMS}, {form: np.ones(count, bool) for form in FORMS}
    for E, roots, largest in bounds:
        tile, sup = 2 * product_up(roots, sides.blocks), 2 * product_up(largest[:, None], sides.sums[None, :])
        worst["tile"], worst["sup"] = np.maximum(worst["tile"], tile.max(axis=0)), np.maximum(worst["sup"], sup.max(axis=0))
        row = np.stack([SidecarGate(0, strict=leads is not None).decide_many(E, A, γ) for A, γ in zip(sides.energy.tolist(), margins.tolist())], axis=1)
        for form, admitted in (
            ("row", row),
            ("tile", tile < margins if leads is not None else tile <= margins),
            ("sup", sup < margins if leads is not None else sup <= margins),
        ):
            pairs[form] += int(admitted.sum())
            whole[form] &= admitted.all(axis=0)
    top = float(np.concatenate(energy).max())
    with np.errstate(over="ignore", invalid="ignore"):
        worst["row"] = 2 * np.sqrt(top * sides.energy)
    at = math.ceil(SHARE * count) - 1
    return {
        "activations": count,
        "scale": scale,
        "margin": float(np.median(margins)),
        "margin_is": INNER if leads is None else HEAD,
        "measured": {"largest": 2 * float(changed.max()), "share": 2 * float(np.sort(changed)[at])},
        **{
            form: {
                "theorem": THEOREMS[form],
                "least_all": _finite(least_margin(top, float(sides.energy.max())) if form == "row" else float(worst[form].max())),
                "least_share": _finite(least_margin(top, float(np.sort(sides.energy)[at])) if form == "row" else float(np.sort(worst[form])[at])),
                "admitted_pairs": pairs[form] / (info.rows * count),
                "admitted_activations": float(whole[form].mean()),
                "vacuity": _vacuity(worst[form], changed),
            }
            for form in FORMS
        },
    }


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _vacuity(bound: np.ndarray, changed: np.ndarray) -> float | None:
    """Median of bound / measured; None where nothing changed."""
    some = (changed > 0) & np.isfinite(bound)
    return float(np.median(bound[some] / (2 * changed[some]))) if some.any() else None


def compared(pairs: Pairs, found: Activations, names: dict[str, str], show: Show) -> dict[str, dict[str, Any]]:
    """Every matrix with recorded activations, by the original's name of it.  names: the model's name of a tensor, where that of the quantized file is another."""
    out = {}
    for i, pair in enumerate(pairs.pairs):
        name = names.get(pair.quantized.name, pair.quantized.name)
        inputs = found.inputs.get(name)
        if inputs is None or inputs.shape[1] != pair.original.info.columns:
            continue
        show(f"gates: {pair.name}", i, len(pairs.pairs))
        out[pair.name] = measured(pair, inputs, found.leads if name == found.head else None)
    return out
