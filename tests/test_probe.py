"""The probe: its figures recomputed by other code, its decisions re-decided with fractions, its aborts provoked."""
from __future__ import annotations

import itertools
import json
import math
import os
from fractions import Fraction
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_files import gaussian, write_gguf, write_raw_safetensors, write_safetensors
from pydantic import ValidationError
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.probe import activations, codes, decode, gate, report, run, sanity, statistics
from gnosis.probe.models import open_model
from gnosis.probe.report import Report, Settings
from gnosis.quantize.matrix import from_blocks, in_blocks


def probe(path: Path | str, **changes: object) -> Report:
    return run.probe(open_model(str(path)), Settings(**changes))


def command(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["probe", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def model_file(tmp_path_factory) -> Path:
    return write_safetensors(tmp_path_factory.mktemp("probe") / "m.safetensors", {
        "model.layers.0.mlp.up_proj.weight": gaussian(96, 320, 1), "model.layers.0.self_attn.q_proj.weight": gaussian(64, 200, 2),
        "model.norm.weight": gaussian(1, 64, 3)[0]})


@pytest.fixture(scope="module")
def small_report(model_file) -> Report:
    return probe(model_file, rows=64)


# Lattices and codes, against other code

def other_e8(x: np.ndarray) -> np.ndarray:
    """Nearest point of E8 by another way: all parity-correct roundings of both cosets, in float64."""
    best, least = np.zeros_like(x, np.float64), np.full(len(x), np.inf)
    for shift in (0.0, 0.5):
        base = np.floor(x.astype(np.float64) - shift + 0.5)
        for flipped in range(-1, 8):
            point = base.copy()
            if flipped >= 0:
                off = x[:, flipped].astype(np.float64) - shift - base[:, flipped]
                point[:, flipped] += np.where(off >= 0, 1, -1)
            even = np.mod(point.sum(-1), 2) == 0
            distance = np.where(even, np.square(x - point - shift).sum(-1), np.inf)
            better = distance < least
            best[better], least[better] = point[better] + shift, distance[better]
    return best


def test_e8_edge_on_uniform_data_is_the_theory():
    x = np.random.default_rng(11).uniform(-40, 40, (60_000, 8)).astype(np.float32)
    cubic, e8 = (gate.energy(x - codes.unbounded(x, np.float32(1), codes.LATTICES[c])) for c in ("cubic", "e8"))
    assert np.allclose(e8, np.square(x - other_e8(x)).sum(-1), rtol=1e-6, atol=1e-9)
    assert cubic.mean() / 8 == pytest.approx(1 / 12, rel=5e-3)
    assert e8.mean() / 8 == pytest.approx(929 / 12960, rel=5e-3)
    assert report.edge(cubic.sum(), e8.sum()) == pytest.approx(0.14, abs=0.003)
    assert codes.EDGE_THEORY == pytest.approx(0.1398, abs=1e-4)


def test_cubic_code_holds_sixteen_levels_and_beats_q4_0():
    w = gaussian(40, 320, 5)
    blocks = in_blocks(w)
    decoded, clipped = codes.bounded(blocks, "cubic")
    assert max(len(np.unique(b)) for b in decoded) <= 16 and 0 < clipped < 0.1
    q4_0 = gguf.dequantize(gguf.quantize(w, gguf.GGMLQuantizationType.Q4_0), gguf.GGMLQuantizationType.Q4_0)
    ours, theirs = np.square(w - from_blocks(decoded, 320)).mean(), np.square(w - q4_0).mean()
    assert 0.7 * theirs < ours < theirs


@pytest.mark.parametrize("scale", [0.0, 1e-42, 1e-30, 1e-8, 1.0, 1e4, 1e6, 1e30])
@pytest.mark.parametrize("code", ["cubic", "e8"])
def test_codes_survive_extreme_scales(code, scale):
    blocks = in_blocks((gaussian(4, 64, 8, 1.0).astype(np.float64) * scale).astype(np.float32))
    decoded, clipped = codes.bounded(blocks, code)
    assert np.isfinite(decoded).all() and 0 <= clipped <= 1
    if 1e-4 < scale < 1e5:
        assert np.square(blocks - decoded).sum() < 0.02 * np.square(blocks).sum()


# Statistics

def test_effective_dimension_by_eigenvalues():
    w = gaussian(300, 24, 12) * np.linspace(0.1, 2, 24, dtype=np.float32)
    w[:, 3] = w[:, 4] + w[:, 5]
    found = statistics.spread(w, np.random.default_rng(0))
    values = np.linalg.eigvalsh(np.cov(w.astype(np.float64), rowvar=False))
    assert found.effective_dimension == pytest.approx(values.sum() ** 2 / (values ** 2).sum(), rel=1e-9)
    r = np.corrcoef(w.astype(np.float64), rowvar=False)
    assert found.mean_abs_correlation == pytest.approx(np.abs(r[np.triu_indices(24, 1)]).mean(), rel=1e-9)


def test_references_for_white_weights():
    rows, columns, trials = 40, 24, 400
    rng = np.random.default_rng(13)
    traces, squares, correlations = [], [], []
    for _ in range(trials):
        c = np.cov(rng.standard_normal((rows, columns)), rowvar=False)
        traces.append(np.trace(c) ** 2)
        squares.append((c * c).sum())
        d = np.sqrt(np.diag(c))
        correlations.append(np.abs((c / np.outer(d, d))[np.triu_indices(columns, 1)]).mean())
    assert np.mean(traces) / np.mean(squares) == pytest.approx(statistics.white_participation_ratio(rows, columns), rel=0.01)
    assert np.mean(correlations) == pytest.approx(statistics.independent_correlation(rows), rel=0.01)


def test_constant_columns_are_counted_and_left_out():
    w = gaussian(50, 8, 14)
    w[:, 2] = 0.25
    found = statistics.spread(w, np.random.default_rng(0))
    rest = statistics.spread(np.delete(w, 2, 1), np.random.default_rng(0))
    assert found.constant_columns == 1 and found.mean_abs_correlation == pytest.approx(rest.mean_abs_correlation)
    same = statistics.spread(np.ones((5, 4), np.float32), np.random.default_rng(0))
    assert (same.effective_dimension, same.mean_abs_correlation, same.constant_columns) == (None, None, 4)


def test_wide_matrices_use_some_columns():
    found = statistics.spread(gaussian(4, statistics.MAX_COLUMNS + 8, 15), np.random.default_rng(0))
    assert found.columns == statistics.MAX_COLUMNS


# The gate

FLOATS = st.floats(min_value=-1e3, max_value=1e3, width=32)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(FLOATS, FLOATS, FLOATS), min_size=1, max_size=20), st.floats(0, 1e6))
def test_decisions_are_those_of_the_exact_predicate(triples, gamma):
    w, near, a = (np.array(v, np.float32) for v in zip(*triples))
    tau = w.astype(np.float64) - near
    e, energy_a = gate.exact_residual_energy(w, near), gate.exact_energy(a)
    admitted, _ = gate.decide(gate.energy(tau[None]), gate.energy(a[None]), gamma, len(w), lambda _: (e, energy_a))
    assert bool(admitted[0]) == (4 * e * energy_a <= Fraction(gamma) ** 2)


def test_equality_is_admitted_and_the_next_threshold_below_is_not():
    """E = A = 1/4 and γ = 1/2 lie on the threshold: floats cannot tell, the exact predicate can."""
    quarter = np.array([0.25])
    exact = lambda _: (Fraction(1, 4), Fraction(1, 4))
    for gamma, expected in ((0.5, True), (math.nextafter(0.5, 0), False), (math.nextafter(0.5, 1), True)):
        admitted, by_exact = gate.decide(quarter, quarter, gamma, 64, exact)
        assert (bool(admitted[0]), by_exact) == (expected, 1)
    assert gate.decide(quarter, quarter, 0.51, 64, exact)[1] == 0


@pytest.mark.parametrize("gamma", [0.0, 1e-300, 1.0])
def test_zero_residuals_are_admitted_without_a_second_decode(gamma):
    admitted, by_exact = gate.decide(np.zeros(3), np.array([0.0, 1e-200, 1.0]), gamma, 8, lambda _: pytest.fail("decoded again"))
    assert admitted.all() and by_exact == 0


def test_all_decisions_by_exact_arithmetic_give_the_same_report(model_file, small_report, monkeypatch):
    monkeypatch.setattr(gate, "decide_many", lambda E, A, gamma: np.full(len(E), -1, np.int8))
    again = probe(model_file, rows=64, tensors=["*q_proj*"])
    first = next(t for t in small_report.tensors if "q_proj" in t.name)
    for mine, theirs in zip(again.tensors[0].unbounded.gates + again.tensors[0].bounded.gates, first.unbounded.gates + first.bounded.gates):
        for code in ("cubic", "e8"):
            a, b = getattr(mine, code), getattr(theirs, code)
            assert a.by_exact == a.tiles and b.by_exact == 0
            assert a.admitted == b.admitted and 0 < a.admitted < a.tiles


def test_a_gate_that_admits_everything_is_found_out(model_file, monkeypatch):
    monkeypatch.setattr(gate, "decide_many", lambda E, A, gamma: np.ones(len(E), np.int8))
    with pytest.raises(sanity.SanityError, match="was admitted with an error of"):
        probe(model_file, gamma_multiplier=0.01)


# Figures of a report, recomputed

def test_figures_of_a_tensor_by_other_code(model_file, small_report):
    t = next(t for t in small_report.tensors if "up_proj" in t.name)
    assert (t.rows_total, t.rows_read, t.sampled, t.columns, t.columns_left_over, t.tiles) == (96, 64, True, 320, 0, 64 * 5)
    whole = probe(model_file, tensors=["*up_proj*"]).tensors[0]
    w = gaussian(96, 320, 1)
    assert not whole.sampled and whole.rms == pytest.approx(np.sqrt(np.mean(w.astype(np.float64) ** 2)), rel=1e-12)
    tau = {"cubic": w - np.rint(w / np.float32(whole.unbounded.step)) * whole.unbounded.step,
           "e8": w - other_e8((w / np.float32(whole.unbounded.step)).reshape(-1, 8)).reshape(w.shape) * whole.unbounded.step}
    energies = {c: np.square(r.astype(np.float64)).reshape(-1, 64).sum(-1) for c, r in tau.items()}
    unit = whole.unbounded.gates[0]
    assert unit.activation == "unit" and unit.gamma == pytest.approx(2 * np.sqrt(energies["cubic"].mean()), rel=1e-6)
    for code in ("cubic", "e8"):
        assert getattr(whole.unbounded, f"{code}_mse") == pytest.approx(energies[code].sum() / w.size, rel=1e-6)
        sure = np.abs(4 * energies[code] / unit.gamma ** 2 - 1) > 1e-5       # the other code is not exact
        admitted = int((4 * energies[code] <= unit.gamma ** 2).sum())
        assert abs(getattr(unit, code).admitted - admitted) <= (~sure).sum()
    assert whole.unbounded.edge == pytest.approx(0.14, abs=0.02)
    assert unit.cubic.share_admitted == pytest.approx(0.5, abs=0.1) and unit.e8.share_admitted > 0.9


def test_vacuity_is_that_of_random_directions(small_report):
    """The median of √n / |N(0, 1)| over directions in n = 64 dimensions is 8 / 0.6745 = 11.86."""
    for t in small_report.tensors:
        for g in (*t.unbounded.gates, *t.bounded.gates):
            for a in (g.cubic, g.e8):
                assert a.vacuity.p10 >= 1 and a.vacuity.median == pytest.approx(8 / 0.6745, rel=0.25)
                assert a.vacuity.tiles_with_zero_truth == 0


def test_left_over_columns_and_small_tiles(model_file):
    t = probe(model_file, tensors=["*q_proj*"], tile=3).tensors[0]
    assert (t.columns_left_over, t.tiles) == (200 % 24, 64 * (200 // 24))


def test_same_seed_same_figures(model_file, small_report):
    again = probe(model_file, rows=64)
    assert again.model_dump(exclude={"run"}) == small_report.model_dump(exclude={"run"})
    other = probe(model_file, rows=64, seed=1)
    assert other.tensors[0].unbounded.cubic_mse != small_report.tensors[0].unbounded.cubic_mse


def test_selection(model_file):
    chosen, skipped = run.select(open_model(str(model_file)), Settings())
    assert [t.name.split(".")[-2] for t in chosen] == ["up_proj", "q_proj"] and not skipped
    chosen, skipped = run.select(open_model(str(model_file)), Settings(tensors=["model.*"], tile=30))
    assert len(chosen) == 1 and {s.reason.split(" of ")[0] for s in skipped} == {"not a matrix", "rows"}
    with pytest.raises(run.NothingToProbe, match="no tensor matches"):
        run.select(open_model(str(model_file)), Settings(tensors=["nothing*"]))
    with pytest.raises(run.NothingToProbe, match="can be probed"):
        run.select(open_model(str(model_file)), Settings(tensors=["*norm*"]))


def test_the_theorems_named_in_a_report_exist(small_report):
    sources = "\n".join(p.read_text() for p in (Path(__file__).parent.parent / "Gnosis").rglob("*.lean"))
    for name in small_report.theorems:
        assert f"theorem {name.removeprefix('Gnosis.')} " in sources


# Real activations

def test_minilm_forward_pass_gives_the_published_embedding():
    """First numbers of the model's embedding of this sentence as its authors' own code prints them."""
    model = open_model("minilm")
    states = activations.encode(model, activations.token_ids(("This is an example sentence", "Each sentence is converted")))
    first = states[0].mean(0) / np.linalg.norm(states[0].mean(0))
    assert first[:5] == pytest.approx([6.76569194e-02, 6.34959564e-02, 4.87131178e-02, 7.93049559e-02, 3.74480449e-02], abs=2e-6)


def test_real_activations_reach_the_report(tmp_path):
    minilm = probe("minilm", tensors=["encoder.layer.2.output.dense.weight", "*word_embeddings.weight"], rows=96)
    assert minilm.activations.real and minilm.activations.tokens > 100
    by_role = {t.role: [g.activation for g in t.unbounded.gates] for t in minilm.tensors}
    assert by_role == {"embedding": ["unit"], "ffn": ["unit", "real"]}
    real = next(t for t in minilm.tensors if t.role == "ffn").unbounded.gates[1]
    inputs = activations.minilm_activations(open_model("minilm"))["encoder.layer.2.output.dense.weight"]
    tiles = np.square(inputs.astype(np.float64)).reshape(len(inputs), -1, 64).sum(-1)
    assert real.activation_rms == pytest.approx(np.sqrt(tiles.mean()), rel=0.25)


def test_without_the_tokenizer_the_report_says_unit_energy(monkeypatch):
    def missing(*_: object) -> None:
        raise activations.ActivationsUnavailable("the package 'tokenizers' is not installed")
    monkeypatch.setattr(activations, "token_ids", missing)
    found = probe("minilm", tensors=["encoder.layer.2.attention.self.key.weight"], rows=64)
    assert not found.activations.real and "tokenizers" in found.activations.reason
    assert [g.activation for g in found.tensors[0].unbounded.gates] == ["unit"]


# The sanity gate

def byteswapped(values: np.ndarray) -> np.ndarray:
    return values.byteswap().copy()


def one_ulp(values: np.ndarray) -> np.ndarray:
    return np.nextafter(values, np.float32(np.inf))


def shifted(values: np.ndarray) -> np.ndarray:
    return np.roll(values, 1, axis=1)


def scaled(values: np.ndarray) -> np.ndarray:
    return values * np.float32(16)


CORRUPTIONS = [byteswapped, one_ulp, shifted, scaled]


@pytest.mark.parametrize("corrupt", CORRUPTIONS)
@pytest.mark.parametrize("kind", ["safetensors", "F16", "BF16", "Q8_0", "Q4_0", "Q5_0", "Q4_1"])
def test_a_corrupted_decode_aborts(tmp_path, monkeypatch, kind, corrupt):
    w = gaussian(32, 128)
    if kind == "safetensors":
        path = write_safetensors(tmp_path / "m.safetensors", {"blk.0.ffn_up.weight": w})
    else:
        path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (w, kind)})
    out = tmp_path / "report.json"
    assert command(path, "--format", "json", "--output", out)[0] == 0
    out.unlink()
    decode_rows = decode.decode_rows
    monkeypatch.setattr(decode, "decode_rows", lambda *args: np.nan_to_num(corrupt(decode_rows(*args))))
    code, stdout, stderr = command(path, "--format", "json", "--output", out)
    assert code == 3 and stdout == "" and not list(tmp_path.glob("*report*"))
    assert "aborted by the sanity gate" in stderr and "blk.0.ffn_up.weight" in stderr and "nothing is reported" in stderr


def test_a_corrupted_decode_in_few_places_aborts(tmp_path, monkeypatch):
    """One nibble order swapped within blocks: statistics are unchanged, only the second decoder can see it."""
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (gaussian(32, 128), "Q4_0")})
    decode_rows = decode.decode_rows
    def swap(raw, encoding, columns):
        values = decode_rows(raw, encoding, columns)
        return values.reshape(len(values), -1, 2, 16)[:, :, ::-1].reshape(values.shape).copy()
    monkeypatch.setattr(decode, "decode_rows", swap)
    with pytest.raises(sanity.SanityError, match="decoded twice with different results: row"):
        probe(path)


def test_the_library_alone_finds_a_wrong_decode(tmp_path, monkeypatch):
    """With the second decoder knocked out, the library of the format still disagrees."""
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (gaussian(32, 128), "Q4_0")})
    decode_rows = decode.decode_rows
    monkeypatch.setattr(decode, "decode_rows", lambda *args: one_ulp(decode_rows(*args)))
    monkeypatch.setattr(sanity, "redecode", lambda *_: None)
    with pytest.raises(sanity.SanityError, match="the library gguf reads another value"):
        probe(path)


ABSURD = {
    "zeros": (lambda w: np.zeros_like(w), "RMS"),
    "nearly all zeros": (lambda w: np.where(np.arange(w.size).reshape(w.shape) % 200 == 0, w, 0), "are zero"),
    "huge": (lambda w: w * np.float32(1e30), "RMS"),
    "tiny": (lambda w: w * np.float32(1e-20), "RMS"),
    "random bits": (lambda w: np.where(np.isfinite(r := np.random.default_rng(0).integers(0, 2 ** 32, w.shape, np.uint32).view(np.float32)), r, 1), "RMS"),
    "scattered exponents": (lambda w: w * np.exp2(np.random.default_rng(0).uniform(-15, 15, (len(w), 1))).astype(np.float32), "powers of two"),
}


@pytest.mark.parametrize("fault", ABSURD)
def test_absurd_weights_abort(tmp_path, fault):
    change, text = ABSURD[fault]
    code, stdout, stderr = command(write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": change(gaussian(64, 128)).astype(np.float32)}))
    assert code == 3 and stdout == "" and text in stderr


def test_a_weight_too_many_steps_away_aborts(tmp_path, monkeypatch):
    """One weight carries nearly all the energy, and lies beyond what the lattice decoders may take."""
    w = gaussian(2 ** 14, 32, scale=1e-6)
    w[0, 0] = 1
    path = write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": w})
    common = ("--tile", "1", "--rows", 2 ** 14)
    assert command(path, *common)[0] == 0
    monkeypatch.setattr(run, "MOST_STEPS", 2 ** 10)
    code, _, stderr = command(path, *common)
    assert code == 3 and "steps of" in stderr


def test_a_file_that_the_library_refuses(tmp_path, monkeypatch):
    path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(32, 128)})
    import safetensors
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("broken")
    monkeypatch.setattr(safetensors, "safe_open", refuse)
    code, _, stderr = command(path)
    assert code == 2 and "refuses the file: broken" in stderr


# Report files

def test_report_round_trip(tmp_path, small_report):
    path = tmp_path / "r.json"
    report.write(small_report, path)
    assert report.read(path) == small_report
    assert json.loads(path.read_text())["schema"] == "gnosis.probe/1"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


def change(data: dict, place: str, value: object) -> None:
    *steps, last = place.split("/")
    for step in steps:
        data = data[int(step) if step.isdigit() else step]
    data[int(last) if last.isdigit() else last] = value


@pytest.mark.parametrize("place, value", [
    ("extra", 1), ("tensors/0/extra", 1), ("tensors/0/unbounded/gates/0/cubic/vacuity/extra", 1), ("schema", "gnosis.probe/2"),
    ("tensors/0/unbounded/edge", 0.2), ("tensors/0/bounded/edge", None), ("tensors/0/unbounded/gates/0/cubic/share_admitted", 0.51),
    ("tensors/0/unbounded/gates/0/e8/admitted", 10 ** 6), ("tensors/0/unbounded/gates/0/gamma", 1.0), ("tensors/0/unbounded/edge_theory", 0.2),
    ("tensors/0/unbounded/cell_filling", 0.5), ("tensors/0/unbounded/step", 1.0), ("tensors/0/tiles", 7), ("tensors/0/rows_read", 10 ** 6),
    ("tensors/0/rms", "NaN"), ("tensors/0/rms", -1.0), ("settings/seed", -1), ("model/sha256", "00"), ("tensors", []),
    ("tensors/0/bounded/gates/0/gamma_source", "decided"), ("tensors/0/bounded/cubic_mse", 1.0), ("tensors/0/sampled", False),
])
def test_a_changed_report_is_refused(small_report, place, value):
    data = json.loads(report.to_json(small_report))
    Report.model_validate(data)
    change(data, place, value)
    with pytest.raises(ValidationError):
        Report.model_validate(data)


def test_nan_is_refused_in_a_file(tmp_path, small_report):
    path = tmp_path / "r.json"
    path.write_text(report.to_json(small_report).replace(f'"rms": {small_report.tensors[0].rms}', '"rms": NaN', 1))
    assert "NaN" in path.read_text()
    with pytest.raises(ValidationError):
        report.read(path)


def test_a_failed_write_leaves_the_old_file(tmp_path, small_report, monkeypatch):
    path = tmp_path / "r.json"
    path.write_text("old")
    def fail(*_: object) -> None:
        raise OSError("no space")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        report.write(small_report, path)
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"] and path.read_text() == "old"


# The command

def test_text_has_no_colour_when_piped(model_file):
    code, stdout, stderr = command(model_file, "--rows", "32", "--seed", "5")
    assert code == 0 and "\x1b" not in stdout + stderr and stderr == ""
    assert "seed 5" in stdout and "set by us, not by a decision" in stdout and "unit energy" in stdout
    assert "0 ffn up" in stdout and "32*" in stdout and "a sample of 32 rows" in stdout


def test_json_on_standard_output(model_file):
    code, stdout, _ = command(model_file, "--format", "json", "--rows", "32", "--tensor", "*q_proj*", "--tile", "2", "--gamma-multiplier", "1.5")
    found = Report.model_validate_json(stdout)
    assert code == 0 and found.settings == Settings(rows=32, tile=2, gamma_multiplier=1.5, tensors=["*q_proj*"])


def test_text_to_a_file(model_file, tmp_path):
    code, stdout, _ = command(model_file, "--rows", "32", "--output", tmp_path / "r.txt")
    assert code == 0 and stdout == "" and "E8 edge" in (tmp_path / "r.txt").read_text()


@pytest.mark.parametrize("args, text", [
    (["missing.gguf"], "missing.gguf: No such file"), (["model.bin"], "neither a built-in model"),
    (["{file}", "--tensor", "nothing"], "no tensor matches"), (["{file}", "--rows", "1"], "--rows"), (["{file}", "--tile", "0"], "--tile"),
    (["{file}", "--gamma-multiplier", "nan"], "gamma_multiplier"), (["{file}", "--gamma-multiplier", "-1"], "gamma_multiplier"),
    (["{file}", "--seed", str(2 ** 64)], "seed"), (["{file}", "--step", "0"], "step"), (["{file}", "--output", "/no/such/folder/r.json"], "does not exist"),
])
def test_unusable_requests(model_file, args, text):
    code, stdout, stderr = command(*(a.format(file=model_file) for a in args))
    assert code == 2 and stdout == "" and text in stderr


def test_damaged_files_end_with_code_2(tmp_path):
    w = gaussian(32, 128)
    w[3, 4] = np.nan
    code, _, stderr = command(write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": w}))
    assert code == 2 and "'lm_head.weight': non-finite value at offset" in stderr and "(row 3, column 4)" in stderr
    path = write_raw_safetensors(tmp_path / "t.safetensors", {"w": {"dtype": "F32", "shape": [32, 128], "data_offsets": [0, 16384]}}, b"\0" * 16000)
    code, _, stderr = command(path)
    assert code == 2 and "'w' at offset" in stderr


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_default_probe_of_minilm():
    found = probe("minilm")
    assert len(found.tensors) == 37 and not found.skipped
    assert {(t.role, t.layer) for t in found.tensors} == {("embedding", None)} | {(r, i) for r in ("attention", "ffn") for i in range(6)}
    for t in found.tensors:
        unit = t.unbounded.gates[0]
        assert t.unbounded.edge == pytest.approx(codes.EDGE_THEORY, abs=0.01) and t.unbounded.cell_filling == pytest.approx(1, abs=0.01)
        assert t.bounded.edge > t.unbounded.edge
        assert unit.e8.share_admitted > 0.95 and unit.cubic.share_admitted == pytest.approx(0.5, abs=0.05)
        assert all(g.e8.share_admitted > g.cubic.share_admitted for g in (*t.unbounded.gates, *t.bounded.gates))
    assert [t.name for t in found.tensors if t.sampled] == ["embeddings.word_embeddings.weight"]
    assert found.run.seconds < 60
