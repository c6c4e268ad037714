"""Admission of layers: bounds hold, ranks are right, refused matrices are not counted, calibration and held-out text are apart."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_llama
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.codes.lattice import Code
from gnosis.errors import ArgumentError, NonFiniteError
from gnosis.gates.conformal import ConformalGate
from gnosis.lm import Model
from gnosis.lm.activations import encode
from gnosis.lm.corpus import Text
from gnosis.models.files import open_model
from gnosis.studies import basin, layers, page, speculators, tiles

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXT = Text.of([(f"{i}", "".join(np.random.default_rng(i).choice(list("abcdefgh \n"), 3000))) for i in range(3)])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> str:
    return str(tiny_llama.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf", tiny_llama.tensors()))


@pytest.fixture(scope="module")
def document(tiny) -> dict:
    return layers.study(tiny, TEXT, q="0.9", multiplier=0.48, code=Code("e8", 4), tokens=120 * layers.LENGTH)


def wrong_in(document: dict) -> list[str]:
    """What does not follow from the rows, worked out again."""
    rows, s = document["rows"], document["summary"]
    found = []
    for r in rows:
        k = math.ceil((r["calibration"] + 1) * Fraction(document["q"]))
        admit = r["threshold"] is not None and 2 * Fraction(r["threshold"]) <= Fraction(r["gamma"])
        if (r["rank"], r["admitted"], r["lies"]["count"]) != (k, admit, r["above_half"] if admit else 0):
            found.append(r["name"])
    every = sum(r["weights"] for r in rows)
    share = sum(r["weights"] for r in rows if r["threshold"] is not None and 2 * Fraction(r["threshold"]) <= Fraction(r["gamma"])) / every
    if not math.isclose(s["compute_admitted"], share):
        found.append("compute_admitted")
    if s["refused"] != [r["name"] for r in rows if r["threshold"] is None or 2 * Fraction(r["threshold"]) > Fraction(r["gamma"])]:
        found.append("refused")
    return found


def test_numbers_instead_of_text(tiny, tmp_path):
    """The tokens of the text, given as numbers, give the result of the text."""
    model, given, tokens = Model.load(tiny), tmp_path / "tokens.txt", 24 * layers.LENGTH
    given.write_text("\n".join(" ".join(map(str, model.tokenizer.encode(body))) for _, body in TEXT.documents))
    found, want = (layers.study(tiny, source, q="0.9", multiplier=0.48, tokens=tokens) for source in (given, TEXT))
    assert found["rows"] == want["rows"] and found["about"]["documents"] == 3 and found["about"]["text_sha256"] != want["about"]["text_sha256"]
    run = CliRunner().invoke(app, ["layers", tiny, "--q", "0.9", "--tokens", str(tokens), "--numbers", str(given), "--json"])
    assert run.exit_code == 0 and json.loads(run.stdout)["about"] == found["about"]
    given.write_text("1 2\n3 260\n")
    for arguments, message in (
        ([tiny], "line 2: 260 is no token"),
        (["minilm"], "reads no token numbers"),
        ([tiny, "--text", str(given)], "instead of --text"),
    ):
        run = CliRunner().invoke(app, ["layers", *arguments, "--numbers", str(given)])
        assert run.exit_code == 2 and message in " ".join(run.output.replace("│", " ").split())
    with pytest.raises(ArgumentError, match="minilm reads text"):
        layers.study("minilm", given)


def test_every_matrix_of_the_model_is_there(document, tiny):
    assert {r["name"] for r in document["rows"]} == set(Model.load(tiny).weights)
    assert 0 < document["summary"]["admitted"] < document["summary"]["matrices"] and wrong_in(document) == []


def test_a_refused_layer_counted_as_admitted_is_seen(document):
    refused = next(r for r in document["rows"] if not r["admitted"])
    rows = [{**r, "admitted": r["admitted"] or r is refused} for r in document["rows"]]
    planted = wrong_in({**document, "rows": rows, "summary": layers.summary(rows)})
    assert planted == [refused["name"], "compute_admitted", "refused"]


def test_an_outlier_makes_its_matrix_refused():
    """The same model with one loud column in the inputs and weights of one matrix."""
    rng = np.random.default_rng(0)
    weights, inputs = rng.standard_normal((96, 64)).astype(np.float32), rng.standard_normal((200, 64)).astype(np.float32)
    loud = inputs.copy()
    loud[rng.random(200) < 0.05, 7] *= 200
    needed = []
    for x in (inputs, loud):
        found, squares = layers.scores(weights, layers.quantize(weights, Code("e8", 4)).decode(), x)
        row = layers.admission("x", weights.size, found[:100], found[100:], float(np.sqrt(np.median(squares[:100]) / 96)), 1.6, "0.9")
        needed.append(layers.admission("x", weights.size, found[:100], found[100:], row["scale"], 1.6, "0.98")["admitted"])
    assert needed == [True, False]


def test_scores_bound_the_exact_error_closely():
    rng = np.random.default_rng(1)
    weights, inputs = rng.standard_normal((5, 64)).astype(np.float32), rng.standard_normal((4, 64)).astype(np.float32)
    coarse = weights + rng.standard_normal(weights.shape).astype(np.float32) * np.float32(0.1)
    found, squares = layers.scores(weights, coarse, inputs)

    def exact(matrix, x) -> list[Fraction]:
        return [sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(row, x)) for row in matrix]

    for i, x in enumerate(inputs):
        true = max(abs(c - w) for c, w in zip(exact(coarse, x), exact(weights, x)))
        assert true <= Fraction(found[i]) <= true * (1 + Fraction(1, 10**9))
        assert squares[i] == pytest.approx(float(sum(w * w for w in exact(weights, x))), rel=1e-5)
    same, _ = layers.scores(weights, weights, inputs)
    assert (same < 1e-300).all()


def test_rows_in_pieces_give_the_same(monkeypatch):
    rng = np.random.default_rng(2)
    weights, coarse, inputs = (rng.standard_normal(shape).astype(np.float32) for shape in ((50, 32), (50, 32), (6, 32)))
    whole, _ = layers.scores(weights, coarse, inputs)
    monkeypatch.setattr(layers, "CHUNK", 32 * 7)
    pieces, _ = layers.scores(weights, coarse, inputs)
    np.testing.assert_allclose(whole, pieces, rtol=1e-12)


# ---- thresholds ----


def test_the_gate_admits_at_equality_and_not_below():
    scores = np.arange(1.0, 100)
    row = layers.admission("x", 1, scores, scores, 1.0, 180.0, "0.9")
    assert row["threshold"] == 90 and row["admitted"] and row["least_multiplier"] == 180 and row["above_half"] == 9 == row["lies"]["count"]
    row = layers.admission("x", 1, scores, scores, 1.0, math.nextafter(180.0, 0), "0.9")
    assert not row["admitted"] and row["above_half"] == 10 and row["lies"]["count"] == 0
    assert not layers.admission("x", 1, scores[:5], scores, 1.0, 1e9, "0.9")["admitted"]  # too few scores for the level


def test_a_threshold_off_by_one_rank_is_seen(monkeypatch):
    true = layers.calibrate

    def off(scores, q):
        gate = true(scores, q)
        return ConformalGate(gate.level, gate.count, Fraction(sorted(scores)[gate.rank - 2]))

    def right() -> bool:
        scores = np.random.default_rng(0).exponential(size=99)
        return layers.admission("x", 1, scores, scores, 1.0, 1.0, "0.9")["threshold"] == sorted(scores)[math.ceil(100 * Fraction("0.9")) - 1]

    assert right()
    monkeypatch.setattr(layers, "calibrate", off)
    assert not right()


@pytest.mark.parametrize("side", [0, 1])
def test_nan_scores_are_refused(side):
    scores = [np.ones(20), np.ones(20)]
    scores[side][3] = math.nan
    with pytest.raises(NonFiniteError):
        layers.admission("x", 1, *scores, 1.0, 1.0, "0.9")


def test_the_made_up_transformer():
    document = layers.synthetic_study()
    assert document["summary"]["refused"] == [name for name in (r["name"] for r in document["rows"]) if "ffn_down" in name or "token_embd" in name]
    assert document["summary"]["compute_admitted_in_layers"] == pytest.approx(2 / 3) and wrong_in(document) == []
    assert all(r["lies"]["low"] <= 0.01 for r in document["rows"])


# ---- passages ----


def test_a_leak_in_the_split_is_refused():
    drawn = layers.draw_passages(iter([[i] * layers.LENGTH for i in range(6)]), 6 * layers.LENGTH, 0, TEXT)
    with pytest.raises(ArgumentError, match="held = 1: "):
        replace(drawn, held=np.append(drawn.held, drawn.calibration[0]))
    with pytest.raises(ArgumentError, match="twice"):
        replace(drawn, passages=[drawn.passages[0]] * 2 + drawn.passages[2:])


def test_passages_met_before_are_passed_over():
    same, other = [1] * layers.LENGTH, [2] * layers.LENGTH
    drawn = layers.draw_passages(iter([same, same, [3] * 5, other]), 2 * layers.LENGTH, 0, TEXT)
    assert drawn.passages == [same, other] and drawn.about["passed_over"] == 1
    assert sorted([*drawn.calibration, *drawn.held]) == [0, 1]
    for source, tokens in ((iter([same]), 64), (iter([same, other]), 63), (iter([same, other]), 64.0)):
        with pytest.raises(ArgumentError, match="tokens"):
            layers.draw_passages(source, tokens, 0, TEXT)


def test_passages_met_before_are_not_always_on_one_side():
    """Of a passage that fills half of the text, the first is nearly always among the first taken."""
    rng = np.random.default_rng(0)
    common, sides = [0] * layers.LENGTH, []
    for seed in range(60):
        text = [common] * 20 + [[i] * layers.LENGTH for i in range(1, 21)]
        drawn = layers.draw_passages(iter([text[i] for i in rng.permutation(40)]), 10 * layers.LENGTH, seed, TEXT)
        if common in drawn.passages:
            sides.append(drawn.passages.index(common) in drawn.calibration)
    assert len(sides) > 50 and 0.3 < np.mean(sides) < 0.7


def test_inputs_are_those_at_the_drawn_positions(tiny):
    model = Model.load(tiny, "blas")
    drawn = layers.draw_passages(layers.cut_passages(TEXT, model.tokenizer, layers.LENGTH, np.random.default_rng(0)), 4 * layers.LENGTH, 0, TEXT)
    found = layers.language_inputs(model, drawn)
    for i, (ids, at) in enumerate(zip(drawn.passages, drawn.positions)):
        whole = {}
        step = model.prefill(ids, model.cache(len(ids)), "none", lambda name, x: whole.update({name: x}))
        np.testing.assert_allclose(found["blk.1.ffn_down.weight"][i], whole["blk.1.ffn_down.weight"][at], rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose(found[model.head_name][i], step.hidden[at], rtol=1e-3, atol=1e-4)


def test_inputs_of_minilm(monkeypatch):
    model = open_model("minilm")
    drawn = layers.draw_passages(
        layers.minilm_passages(
            Text.of([("a", "The quick brown fox jumps over the lazy dog. " * 9 + "One, two, three, four and five: a list of numbers, not more. " * 9)]),
            np.random.default_rng(0),
        ),
        3 * layers.LENGTH,
        0,
        TEXT,
    )
    monkeypatch.setattr(layers, "TOGETHER", 2)
    found = layers.minilm_inputs(model, drawn)
    whole: dict[str, np.ndarray] = {}
    encode(model, [drawn.passages[2]], whole)
    assert len(found) == 36
    for name, x in found.items():
        np.testing.assert_allclose(x[2], whole[name][drawn.positions[2]], rtol=1e-3, atol=1e-4)


# ---- the commands and the page ----


def test_the_command(tiny, tmp_path):
    text, plot = tmp_path / "text", tmp_path / "x.svg"
    text.write_text(TEXT.documents[0][1])
    run = ["layers", tiny, "--text", str(text), "--tokens", str(40 * layers.LENGTH), "--q", "0.9"]
    result = CliRunner().invoke(app, [*run, "--json", "--plot", str(plot), "--lattice", "cubic", "--bits", "5"])
    found = json.loads(result.stdout)
    assert result.exit_code == 0 and wrong_in(found) == [] and found["code"]["bits_per_weight"] == 5.5 and plot.read_text().startswith("<?xml")
    shown = CliRunner().invoke(app, run)
    assert shown.exit_code == 0 and "matrices admitted" in shown.stdout and "\x1b" not in shown.stdout
    for wrong in (
        ["--q", "1"],
        ["--q", "nan"],
        ["--q", "x"],
        ["--gamma-multiplier", "0"],
        ["--gamma-multiplier", "nan"],
        ["--bits", "9"],
        ["--lattice", "leech"],
        ["--tokens", "63"],
        ["--tokens", "100000000"],
        ["--seed", "-1"],
        ["--text", str(tmp_path / "none")],
        ["--plot", str(tmp_path / "no" / "x.svg")],
    ):
        result = CliRunner().invoke(app, [*run, *wrong])
        assert result.exit_code == 2 and result.stderr.strip().startswith("error: ") and not result.stdout, wrong
    for model in ("nosuch", str(text)):
        result = CliRunner().invoke(app, ["layers", model])
        assert result.exit_code == 2 and "error: " in result.stderr
    assert json.loads(CliRunner().invoke(app, ["layers", "synthetic", "--json"]).stdout)["model"] == "synthetic"


def test_the_page_says_what_was_found(document, tmp_path):
    sets = {"AR(1)": tiles.autoregressive(4, 2, 0.9, 0)}
    found = {
        "v": 1,
        "basin": basin.compare(20),
        "speculators": speculators.study(sets),
        "strided": {"AR(1)": []},
        "layers": [document, layers.synthetic_study()],
    }
    written = page.write(found, tmp_path / "studies.md")
    assert [p.name for p in written] == ["studies.md", "studies-basin.svg", "studies-speculators.svg", "studies-layers.svg", "studies.json"]
    text = written[0].read_text()
    assert f"{document['summary']['compute_admitted']:.1%}" in text and all(f"`{name}`" in text for name in document["summary"]["refused"])
    assert page.markdown(json.loads(written[-1].read_text()), "studies") == text


def test_the_page_in_the_docs_is_that_of_its_numbers():
    found = json.loads((DOCS / "studies.json").read_text(encoding="utf-8"))
    assert 100 * (Fraction(5, 1000) + Fraction(1, 199 + 1)) == 1 and "which at 100 steps is 1.0" in page.markdown(found, "studies")
    assert page.markdown(found, "studies") == (DOCS / "studies.md").read_text(encoding="utf-8")
    for d in found["layers"]:
        assert wrong_in(d) == []


def test_studies_want_a_page(tmp_path):
    result = CliRunner().invoke(app, ["studies", "--write", str(tmp_path / "x.txt")])
    assert result.exit_code == 2 and "must end in .md" in result.stderr


def test_text_that_would_be_ignored_is_refused(tmp_path):
    (tmp_path / "text.txt").write_text("some text")
    result = CliRunner().invoke(app, ["layers", "synthetic", "--text", str(tmp_path / "text.txt")])
    assert result.exit_code == 2 and "reads no text" in result.output
