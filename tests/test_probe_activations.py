"""The probe with real activations."""

from __future__ import annotations

import math
import zlib
from pathlib import Path

import numpy as np
import pytest
import tiny_llama
from model_files import gaussian, write_safetensors
from probe_support import command, other_e8, probe

from gnosis.lm import activations
from gnosis.models.files import open_model
from gnosis.probe import inputs, measure, report, run, sanity, text
from gnosis.probe import part as parts
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings


@pytest.fixture(scope="module")
def model_file(tmp_path_factory) -> Path:
    return write_safetensors(
        tmp_path_factory.mktemp("probe") / "m.safetensors",
        {
            "model.layers.0.mlp.up_proj.weight": gaussian(96, 320, 1),
            "model.layers.0.self_attn.q_proj.weight": gaussian(64, 200, 2),
            "model.norm.weight": gaussian(1, 64, 3)[0],
        },
    )


# Real activations


def test_minilm_forward_pass_gives_the_published_embedding():
    """First numbers of the model's embedding of this sentence as its authors' own code prints them."""
    model = open_model("minilm")
    states = activations.encode(model, activations.token_ids(("This is an example sentence", "Each sentence is converted")))
    first = states[0].mean(0) / np.linalg.norm(states[0].mean(0))
    assert first[:5] == pytest.approx([6.76569194e-02, 6.34959564e-02, 4.87131178e-02, 7.93049559e-02, 3.74480449e-02], abs=2e-6)


def test_real_activations_reach_the_report():
    name = "encoder.layer.2.output.dense.weight"
    minilm = probe("minilm", tensors=[name, "*word_embeddings.weight"], rows=96)
    assert minilm.activations.real and minilm.activations.positions == 256 < minilm.activations.tokens
    by_role = {t.role: [g.activation for g in t.lattice.gates if g.norm == "energy"] for t in minilm.tensors}
    assert by_role == {"embedding": ["unit"], "ffn": ["unit", "real"]}
    t = next(t for t in minilm.tensors if t.role == "ffn")
    model = open_model("minilm")
    reached = inputs.model_inputs(model, Settings())[0][name].astype(np.float64)
    assert reached.shape == (256, 1536) and t.activations.kurtosis == pytest.approx(np.mean(reached**4) / np.mean(reached**2) ** 2, rel=1e-6)
    # the score of a position is its largest error over all rows that were read
    rng = np.random.default_rng([0, zlib.crc32(name.encode())])
    rows = np.sort(rng.choice(384, 96, replace=False))
    w = model.rows(name, rows)
    step = np.float32(t.lattice.step)
    tau = w - other_e8((w / step).reshape(-1, 8)).reshape(w.shape) * float(step)
    scores = np.abs(tau @ reached.T).max(0)
    c = next(c for c in t.lattice.conformal if (c.of, c.code) == ("position", "e8"))
    assert (c.calibration, c.held_out) == (153, 103) and np.isclose(np.sort(scores)[-1], max(c.top), rtol=1e-5) | (np.sort(scores)[-1] > max(c.top))
    assert all(np.isclose(scores, top, rtol=1e-5).any() for top in c.top)
    cubic = w - np.rint(w / step) * float(step)
    assert c.unit.value == pytest.approx(np.sqrt(np.square(cubic).sum(1).mean() * np.square(reached).sum(1).mean()), rel=1e-5)
    for found in c.levels:
        assert found.exceed.count == (scores > found.threshold * (1 - 1e-9)).sum() - (c.calibration - found.rank) - 1


def test_margins_of_real_decisions_by_other_code(tmp_path):
    """An output matrix with its inputs: errors, margins, lies and flips from whole products, computed here; the rows of the report are a sample, the decisions are not."""
    rng = np.random.default_rng(8)
    w = gaussian(700, 64, 30)
    hidden = (rng.standard_normal((90, 64)) * rng.lognormal(0, 1, (90, 1)) + 3 * w[rng.integers(0, 700, 90)] / 0.05).astype(np.float32)
    model = open_model(str(write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": w})))
    chosen = Settings(rows=100, q_values=["0.5", "0.9"], step_over_rms=0.8)
    with sanity.SecondReader(model) as reader:
        t = measure.probe_tensor(model, reader, model.info("lm_head.weight"), chosen, hidden, head=True)
    label = report.Activations(real=True, source="planted", text_sha256=None, passages=1, tokens=90, positions=90, head="lm_head.weight", reason=None)
    whole = run.assemble(model, chosen, label, [t], [], 0.0, 1, 1, 1)
    assert Report.model_validate_json(parts.to_json(whole)) == whole and "Real decisions" in text.as_text(whole, 120)
    found_flips = 0
    for code, nearest in (("cubic", lambda x: np.rint(x)), ("e8", lambda x: other_e8(x.reshape(-1, 8)).reshape(x.shape))):
        near = nearest(w / np.float32(t.lattice.step)) * t.lattice.step
        exact, coarse = w.astype(np.float64) @ hidden.T.astype(np.float64), near @ hidden.T.astype(np.float64)
        scores, ordered = np.abs(exact - coarse).max(0), np.sort(coarse, axis=0)
        margins, flipped = ordered[-1] - ordered[-2], exact.argmax(0) != coarse.argmax(0)
        c = next(c for c in t.lattice.conformal if (c.of, c.code) == ("decision", code))
        assert (c.calibration, c.held_out) == (54, 36)
        calibration = np.isclose(scores[:, None], np.array(c.top), rtol=1e-9).any(1)
        assert calibration.sum() == len(c.top) == 55 - math.ceil(55 * 0.5)
        position = next(p for p in t.lattice.conformal if (p.of, p.code) == ("position", code))
        assert c.unit.residuals == 700 and position.unit.residuals == 100 and max(position.top) <= max(c.top)
        for level in c.levels:
            assert level.admit is None and level.least_multiplier is None
            # which positions calibrate is known only above the least threshold, so counts are bounded: those of the held-out lie between
            admitted = 2 * level.threshold <= margins * (1 - 1e-9)
            assert level.lies_of_admitted.of <= admitted.sum() and level.lies.count <= (admitted & (2 * scores > margins)).sum()
            assert level.flips <= level.lies.count and level.exceed.count <= 36
        assert c.flips <= flipped.sum()
        found_flips += c.flips
    assert found_flips > 0


def test_logits_taken_in_pieces_are_those_of_the_whole():
    rng = np.random.default_rng(9)
    exact, error = rng.standard_normal((50, 20)), rng.standard_normal((50, 20)) * 0.3
    ones, norms = np.ones(50), np.ones(20)
    for cuts in ([50], [1, 50], [7, 8, 30, 50], list(range(1, 51))):
        found, start = measure.Logits.empty(20), 0
        for end in cuts:
            found.take(start, exact[start:end], error[start:end], ones[start:end], ones[start:end], norms, 0.0)
            start = end
        coarse = np.sort(exact - error, axis=0)
        assert np.array_equal(found.best, coarse[-1]) and np.array_equal(found.second, coarse[-2]) and np.array_equal(found.winner, (exact - error).argmax(0))
        assert np.array_equal(found.true_winner, exact.argmax(0)) and np.array_equal(found.worst, np.abs(error).max(0)) and sum(found.energy) == 50


def test_text_of_ones_own(tmp_path, model_file):
    text = tmp_path / "text.txt"
    text.write_text("One passage.\n\nAnd another one, a little longer than the first.\n")
    found = run.probe(open_model("minilm"), Settings(tensors=["*layer.0.attention.self.key.weight"], rows=64), text=text)
    assert found.activations.passages == 2 and found.activations.positions == found.activations.tokens < 30
    for content, problem in (("\n \n", "is empty"), ("\udcff", "not UTF-8")):
        text.write_bytes(content.encode(errors="surrogateescape"))
        code, _, stderr = command("minilm", "--text", text)
        assert code == 2 and problem in stderr
    code, _, stderr = command(model_file, "--activations")
    assert code == 2 and "no activations" in stderr


def test_a_language_model_reads_numbers(tmp_path):
    model, given = tiny_llama.write(tmp_path / "model.gguf", tiny_llama.tensors(kind="Q8_0")), tmp_path / "tokens.txt"
    given.write_text("1 2 3\n\n4, 5, 6, 7\n")
    found = run.probe(open_model(str(model)), Settings(tensors=["blk.0.ffn_down.weight"], rows=64), numbers=given, activations=True)
    assert found.activations.real and found.activations.passages == 2 and found.activations.tokens == 7
    for content, problem in (("1 x", "line 1"), ("1 2\n3 260", "line 2: 260"), ("1", "two tokens")):
        given.write_text(content)
        code, _, stderr = command(model, "--activations", "--tokens", given)
        assert code == 2 and problem in stderr
    given.write_text("1 2 3")
    for arguments, problem in ((["minilm", "--tokens", given], "minilm reads text"), ([model, "--tokens", given, "--text", given], "instead of --text")):
        code, _, stderr = command(*arguments)
        assert code == 2 and problem in stderr


def test_a_language_model_reads_the_text(tmp_path):
    """Inputs of a matrix of SmolLM2, taken from a pass of its own here."""
    from gnosis.lm import Model as Language

    text = tmp_path / "text.txt"
    text.write_text("The bridge is closed.\nWater boils at a lower temperature on a mountain.\n")
    name = "blk.3.ffn_down.weight"
    found = run.probe(open_model("smollm2"), Settings(tensors=[name], rows=64), text=text)
    language, seen = Language.load("smollm2"), []
    for line in text.read_text().splitlines():
        ids = language.tokenizer.encode(line)
        language.prefill(ids, language.cache(len(ids)), "none", lambda at, x: seen.append(x) if at == name else None)
    reached = np.concatenate(seen).astype(np.float64)
    assert found.activations.real and found.activations.head == "token_embd.weight" and found.activations.tokens == len(reached) == found.activations.positions
    t = found.tensors[0]
    assert t.encoding == "Q4_1" and t.activations.rows == len(reached)
    assert t.activations.kurtosis == pytest.approx(np.mean(reached**4) / np.mean(reached**2) ** 2, rel=1e-6)
    assert not found.verdict.lattice_admitted and found.verdict.lattice_rejected[0].failed == [
        "all_conformal_admit"
    ]  # so few positions have no threshold at 99 percent


def test_without_the_tokenizer_the_report_says_unit_energy(monkeypatch):
    def missing(*_: object) -> None:
        raise activations.ActivationsUnavailable("the package 'tokenizers' is not installed")

    monkeypatch.setattr(inputs, "token_ids", missing)
    found = probe("minilm", tensors=["encoder.layer.0.attention.self.key.weight"], rows=64)
    assert not found.activations.real and "tokenizers" in found.activations.reason
    assert {g.activation for g in found.tensors[0].lattice.gates} == {"unit"} and found.tensors[0].activations is None
