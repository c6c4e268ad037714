"""Gates of `gnosis compare`: bounds against exact integers, margins that are the least, activations that are the model's."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.compare import gates, names
from gnosis.compare.text import Passage
from gnosis.gates.energy import BlockedGate, SidecarGate
from gnosis.lm import Model
from gnosis.models.files import open_model


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("gates")
    every = tiny_models.tensors("llama")
    return tuple(tiny_models.write(folder / f"{kind}.gguf", "llama", weights=every, kind=kind) for kind in ("F32", "Q4_0"))


def passages(*lengths: int) -> list[Passage]:
    rng = np.random.default_rng(0)
    return [Passage("t", 0, tuple(map(int, rng.integers(4, 250, n)))) for n in lengths]


def test_activations_are_those_of_the_model(pair) -> None:
    model, text = Model.load(str(pair[1])), passages(9, 9, 9)
    found = gates.activations(model, text, 20)
    assert {len(x) for x in found.inputs.values()} == {20} == {len(found.leads)}
    assert set(found.inputs) == {*model.products, "output.weight"} and found.head == "output.weight"
    step = model.prefill(text[0].tokens[:8], model.cache(8), "all")
    assert np.array_equal(found.inputs["output.weight"][:8], step.hidden)
    best = np.sort(step.logits.astype(np.float64), axis=1)
    assert np.array_equal(found.leads[:8], best[:, -1] - best[:, -2])
    assert np.array_equal(found.inputs["blk.0.attn_q.weight"], found.inputs["blk.0.attn_k.weight"])


def exact_changes(one: np.ndarray, two: np.ndarray, inputs: np.ndarray) -> list[list[Fraction]]:
    """Twice |Σ (original − quantized) a|, exactly, of every row and activation."""
    rows = [[Fraction(x) - Fraction(y) for x, y in zip(a, b)] for a, b in zip(one.tolist(), two.tolist())]
    return [[2 * abs(sum(t * Fraction(x) for t, x in zip(row, a))) for a in inputs.tolist()] for row in rows]


@pytest.mark.parametrize("name", ["blk.1.ffn_down.weight", "output.weight"])
def test_every_form_bounds_the_exact_change(pair, name: str) -> None:
    a, b = (open_model(str(path)) for path in pair)
    one = next(p for p in names.paired(a, b).pairs if p.name == name)
    found = gates.activations(Model.of_file(b), passages(7, 6), 11)
    inputs = found.inputs[name]
    g = gates.measured(one, inputs, found.leads if name == "output.weight" else None)
    info = one.original.info
    exact = np.array(exact_changes(one.original.rows(0, info.rows), one.quantized.rows(0, info.rows), inputs))
    largest = exact.max(axis=0)
    for form in gates.FORMS:
        assert Fraction(g[form]["least_all"]) >= largest.max() and Fraction(g[form]["least_share"]) >= sorted(largest)[math.ceil(0.99 * len(inputs)) - 1]
        assert g[form]["vacuity"] > 1
    assert g["row"]["least_all"] >= g["tile"]["least_all"] * (1 - 1e-12) > g["measured"]["largest"]
    # what is admitted is so: no pair with a larger change is counted
    margins = found.leads if name == "output.weight" else np.full(len(inputs), g["margin"])
    true = np.mean([[change <= Fraction(margin) for change, margin in zip(row, margins.tolist())] for row in exact])
    assert all(g[form]["admitted_pairs"] <= true for form in gates.FORMS)


def test_sums_of_products_are_rounded_up() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.random((40, 6)), rng.random((6, 40))
    exact = [[sum(Fraction(x) * Fraction(y) for x, y in zip(row, column)) for column in right.T.tolist()] for row in left.tolist()]
    up, plain = gates.product_up(left, right).tolist(), (left @ right).tolist()
    assert all(Fraction(x) >= y for xs, ys in zip(up, exact) for x, y in zip(xs, ys))
    assert not all(Fraction(x) >= y for xs, ys in zip(plain, exact) for x, y in zip(xs, ys)), "the probe: to nearest is no bound"


def test_margins_are_the_least_that_admit(pair) -> None:
    rng = np.random.default_rng(0)
    for E, A in [*zip(rng.random(50).tolist(), rng.random(50).tolist()), (0.0, 1.0), (4.0, 9.0), (1e-300, 1e-10)]:
        γ = gates.least_margin(E, A)
        assert SidecarGate(γ).decide(E, A).admit and (γ == 0 or not SidecarGate(math.nextafter(γ, 0)).decide(E, A).admit)
    assert gates.least_margin(1e200, 1e200) == math.inf
    # by blocks: the gate itself admits at the margin that is stated, for the row and the activation that need most, and not a little below
    x, a = np.abs(rng.standard_normal((5, 70))), np.abs(rng.standard_normal((3, 70)))
    e, alpha = gates._roots(x), gates._roots(a)
    bound = 2 * gates.product_up(e, alpha.T)
    for i in range(5):
        for j in range(3):
            assert BlockedGate(bound[i, j]).decide(e[i], alpha[j]).admit and not BlockedGate(bound[i, j] * (1 - 1e-12)).decide(e[i], alpha[j]).admit


def test_the_command_shows_them(pair, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(" ".join(map(str, range(4, 120))))
    words = ["compare", *map(str, pair), "--tokens", str(tmp_path / "t.txt"), "--length", "20"]
    document = json.loads(CliRunner().invoke(app, [*words, "--json", "--activations", "15"]).stdout)
    tensors = {t["name"]: t["gates"] for t in document["candidates"][0]["weights"]["tensors"]}
    assert {name for name, g in tensors.items() if g is None} == {name for name in tensors if "norm" in name or name == "token_embd.weight"}
    assert tensors["output.weight"]["activations"] == 15 and "lead" in tensors["output.weight"]["margin_is"]
    said = CliRunner().invoke(app, [*words, "--every"]).stdout
    assert "Gates of" in said and "bound over" in said and "margin asked" in said
    assert "Gates of" not in CliRunner().invoke(app, [*words, "--activations", "0"]).stdout
    assert "Gates of" not in CliRunner().invoke(app, [*words, "--require", "flips<=0.9"]).stdout


def test_the_same_file_changes_nothing(pair) -> None:
    a = open_model(str(pair[1]))
    g = gates.compared(names.paired(a, a), gates.activations(Model.of_file(a), passages(5), 4), {}, lambda *_: None)
    assert all(form["least_all"] == 0 and form["vacuity"] is None for one in g.values() for form in (one["row"], one["tile"], one["sup"]))
    assert all(one["row"]["admitted_pairs"] == 1 for one in g.values())
