"""The probe: its figures recomputed by other code, its decisions re-decided with fractions, its aborts provoked."""
from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import subprocess
import sys
import zlib
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
from gnosis.codes import families as codes
from gnosis.codes.lattice.matrix import from_blocks, in_blocks
from gnosis.lm import activations
from gnosis.models import decode
from gnosis.models.files import open_model
from gnosis.probe import figures as rates
from gnosis.probe import gate, inputs, measure, report, run, sanity, statistics, text
from gnosis.probe import part as parts
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings

FAMILIES = ("lattice", "bounded")


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
    x = np.random.default_rng(11).uniform(-40, 40, (30_000, 8)).astype(np.float32)
    cubic, d8, e8 = (gate.energy(x - codes.unbounded(x, np.float32(1), c)) for c in codes.CODES)
    assert np.allclose(e8, np.square(x - other_e8(x)).sum(-1), rtol=1e-6, atol=1e-9)
    assert cubic.mean() / 8 == pytest.approx(1 / 12, rel=5e-3)
    assert e8.mean() / 8 == pytest.approx(929 / 12960, rel=5e-3)
    assert rates.edge(cubic.sum(), e8.sum()) == pytest.approx(0.14, abs=0.003)
    assert rates.edge(cubic.sum(), d8.sum()) == pytest.approx(codes.EDGE_THEORY["d8"], abs=0.003)
    assert codes.EDGE_THEORY == pytest.approx({"d8": 0.0890, "e8": 0.1398}, abs=1e-4)


def bounded_d8_by_roots(points: np.ndarray) -> np.ndarray:
    """Membership in the moved Voronoi cell of 16·D8 by its 112 roots: ⟨p − shift, r⟩ < 16."""
    roots = np.array([[s if k == i else t if k == j else 0 for k in range(8)] for i, j in itertools.combinations(range(8), 2) for s in (1, -1) for t in (1, -1)])
    return ((points.astype(np.float64) - codes.SHIFT) @ roots.T < 16).all(-1)


def test_the_bounded_d8_code():
    x = (np.random.default_rng(4).standard_normal((5_000, 8)) * 3.5).astype(np.float32)
    points, outside = codes.d8_clipped(x)
    near = codes.nearest_d8(x)
    assert (np.mod(points.sum(-1), 2) == 0).all() and (points == np.rint(points)).all() and bounded_d8_by_roots(points).all()
    assert np.array_equal(outside, ~bounded_d8_by_roots(near)) and 0 < outside.sum() < len(x) / 4
    assert np.array_equal(points[~outside], near[~outside])
    # one point for each class modulo 16·D8: a point that is moved by 16 times a root leaves the code
    moved = points[:500] + 16 * np.array([1, -1] + [0] * 6, np.float32)
    assert not codes.d8_in_code(moved).any() and codes.d8_in_code(points[:500]).all()


def test_bounded_codes_rank_as_their_lattices():
    w = gaussian(400, 64, 9)
    cubic, d8, e8 = (np.square(w.astype(np.float64) - from_blocks(codes.bounded(in_blocks(w), c)[0], 64)).mean() for c in codes.CODES)
    assert e8 < d8 < cubic and 0.15 < 1 - e8 / cubic < 0.3 and 0.05 < 1 - d8 / cubic < 0.2


def test_cubic_code_holds_sixteen_levels_and_beats_q4_0():
    w = gaussian(40, 320, 5)
    blocks = in_blocks(w)
    decoded, clipped = codes.bounded(blocks, "cubic")
    assert max(len(np.unique(b)) for b in decoded) <= 16 and 0 < clipped < 0.1 * w.size
    q4_0 = gguf.dequantize(gguf.quantize(w, gguf.GGMLQuantizationType.Q4_0), gguf.GGMLQuantizationType.Q4_0)
    ours, theirs = np.square(w - from_blocks(decoded, 320)).mean(), np.square(w - q4_0).mean()
    assert 0.7 * theirs < ours < theirs


@pytest.mark.parametrize("scale", [0.0, 1e-42, 1e-30, 1e-8, 1.0, 1e4, 1e6, 1e30])
@pytest.mark.parametrize("code", codes.CODES)
def test_codes_survive_extreme_scales(code, scale):
    blocks = in_blocks((gaussian(4, 64, 8, 1.0).astype(np.float64) * scale).astype(np.float32))
    decoded, clipped = codes.bounded(blocks, code)
    assert np.isfinite(decoded).all() and 0 <= clipped <= blocks.size
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

    def exact(_: int) -> tuple[Fraction, Fraction]:
        return Fraction(1, 4), Fraction(1, 4)

    for gamma, expected in ((0.5, True), (math.nextafter(0.5, 0), False), (math.nextafter(0.5, 1), True)):
        admitted, by_exact = gate.decide(quarter, quarter, gamma, 64, exact)
        assert (bool(admitted[0]), by_exact) == (expected, 1)
    assert gate.decide(quarter, quarter, 0.51, 64, exact)[1] == 0


@pytest.mark.parametrize("gamma", [0.0, 1e-300, 1.0])
def test_zero_residuals_are_admitted_without_a_second_decode(gamma):
    admitted, by_exact = gate.decide(np.zeros(3), np.array([0.0, 1e-200, 1.0]), gamma, 8, lambda _: pytest.fail("decoded again"))
    assert admitted.all() and by_exact == 0


def test_all_decisions_by_exact_arithmetic_give_the_same_report(model_file, monkeypatch):
    changes = {"rows": 12, "tensors": ["*q_proj*"], "tile": 8, "grid": {"start": "2", "stop": "2", "step": "1"}}
    first = probe(model_file, **changes).tensors[0]
    monkeypatch.setattr(gate, "decide_many", lambda E, A, gamma: np.full(len(E), -1, np.int8))
    again = probe(model_file, **changes)
    for family in FAMILIES:
        for mine, theirs in zip(getattr(again.tensors[0], family).gates, getattr(first, family).gates):
            for code in codes.CODES:
                a, b = getattr(mine, code), getattr(theirs, code)
                assert a.admitted == b.admitted
                if mine.norm == "energy":
                    assert a.by_exact == a.tiles and b.by_exact == 0 and 0 < a.admitted <= a.tiles


def test_a_gate_that_admits_everything_is_found_out(model_file, monkeypatch):
    monkeypatch.setattr(gate, "decide_many", lambda E, A, gamma: np.ones(len(E), np.int8))
    with pytest.raises(sanity.SanityError, match="was admitted with an error of"):
        probe(model_file, gamma_multiplier=0.01)


# Figures of a report, recomputed

def energies_by_other_code(w: np.ndarray, step: float, tile: int) -> dict[str, np.ndarray]:
    """Residual energies per tile of the cubic lattice and of E8."""
    tau = {"cubic": w - np.rint(w / np.float32(step)) * step, "e8": w - other_e8((w / np.float32(step)).reshape(-1, 8)).reshape(w.shape) * step}
    return {c: np.square(r.astype(np.float64)).reshape(-1, tile).sum(-1) for c, r in tau.items()}


def test_figures_of_a_tensor_by_other_code(model_file, small_report):
    t = next(t for t in small_report.tensors if "up_proj" in t.name)
    assert (t.rows_total, t.rows_read, t.sampled, t.columns, t.columns_left_over, t.tile, t.tiles) == (96, 64, True, 320, 0, 320, 64)
    whole = probe(model_file, tensors=["*up_proj*"], tile=8).tensors[0]
    w = gaussian(96, 320, 1)
    assert not whole.sampled and whole.tiles == 96 * 5 and whole.weights.rms == pytest.approx(np.sqrt(np.mean(w.astype(np.float64) ** 2)), rel=1e-12)
    energies = energies_by_other_code(w, whole.lattice.step, 64)
    unit = whole.lattice.gate("energy")
    assert unit.activation == "unit" and unit.gamma == pytest.approx(2 * np.sqrt(energies["cubic"].mean()), rel=1e-6)
    for code in ("cubic", "e8"):
        assert getattr(whole.lattice, code).mse == pytest.approx(energies[code].sum() / w.size, rel=1e-6)
        sure = np.abs(4 * energies[code] / unit.gamma ** 2 - 1) > 1e-5       # the other code is not exact
        admitted = int((4 * energies[code] <= unit.gamma ** 2).sum())
        assert abs(getattr(unit, code).admitted - admitted) <= (~sure).sum()
        curve = [(4 * energies[code] <= (float(m) * unit.unit.value) ** 2).sum() for m in Settings().grid.multipliers()]
        assert np.allclose(getattr(whole.lattice.curve, code), curve, atol=2)
    assert whole.lattice.e8_edge == pytest.approx(0.14, abs=0.02) and whole.lattice.d8_edge == pytest.approx(0.089, abs=0.02)
    assert unit.cubic.share_admitted == pytest.approx(0.5, abs=0.1) and unit.e8.share_admitted > 0.9


def test_the_sup_norm_gate_by_other_code(model_file):
    """The norm is the whole game: E8 wins under the energy gate and loses everything under the sup-norm gate."""
    t = probe(model_file, tensors=["*up_proj*"]).tensors[0]
    w, step = gaussian(96, 320, 1), t.lattice.step
    sup = {"cubic": np.abs(w - np.rint(w / np.float32(step)) * step).max(-1), "e8": np.abs(w - other_e8((w / np.float32(step)).reshape(-1, 8)).reshape(w.shape) * step).max(-1)}
    found = t.lattice.gate("sup")
    assert found.gamma == pytest.approx(2 * np.sqrt(np.mean(sup["cubic"] ** 2)), rel=1e-6)
    for code in ("cubic", "e8"):
        assert abs(getattr(found, code).admitted - (2 * sup[code] <= found.gamma).sum()) <= 2
        assert getattr(t.lattice, code).largest == pytest.approx(sup[code].max(), rel=1e-5)
    energy = t.lattice.gate("energy")
    assert found.e8.admitted < found.cubic.admitted and energy.e8.admitted > energy.cubic.admitted


def test_conformal_figures_by_other_code(model_file):
    """Thresholds, rates and the closed form of the least multiplier, from scores computed here; the split is recovered from the report's counts."""
    t = probe(model_file, tensors=["*up_proj*"], q_values=["0.8", "0.95"]).tensors[0]
    scores = np.sqrt(energies_by_other_code(gaussian(96, 320, 1), t.lattice.step, 320)["e8"])
    c = next(c for c in t.lattice.conformal if (c.of, c.code) == ("row", "e8"))
    assert (c.calibration, c.held_out) == (57, 39)
    calibration = np.array([s for s in scores if np.isclose(s, c.top, rtol=1e-6).any()])
    assert len(calibration) == len(c.top) == 57 + 1 - math.ceil(58 * 0.8)
    unit = np.sqrt(np.mean(energies_by_other_code(gaussian(96, 320, 1), t.lattice.step, 320)["cubic"]))
    for level, k in zip(c.levels, (math.ceil(58 * 0.8), math.ceil(58 * 0.95))):
        assert level.rank == k and level.threshold == c.top[57 - k]
        assert level.least_multiplier == pytest.approx(2 * level.threshold / unit, rel=1e-6)
        assert Fraction(level.least_multiplier_exact) == 2 * Fraction(level.threshold) / Fraction(c.unit.value) <= Fraction(level.least_multiplier)
        # all scores above the threshold are held out, but for the n − k largest of the calibration
        assert level.exceed.count == (scores > level.threshold * (1 + 1e-9)).sum() - (57 - k)
        assert level.admit == (level.least_multiplier <= 2) and level.lies.count == (c.above_half if level.admit else 0)
        low, high = other_interval(level.exceed.count, 39)
        assert (level.exceed.low, level.exceed.high) == pytest.approx((low, high), abs=1e-9)
    assert c.levels[0].certified == pytest.approx((58 - 47) / 58) and sum(c.histogram) == 96
    assert all(a.exceed >= b.exceed for a, b in zip(c.coverage, c.coverage[1:]))


def other_interval(k: int, n: int) -> tuple[float, float]:
    """Clopper–Pearson from scipy's beta quantiles."""
    from scipy.stats import beta
    return (0.0 if k == 0 else float(beta.ppf(0.025, k, n - k + 1))), (1.0 if k == n else float(beta.ppf(0.975, k + 1, n - k)))


def test_scores_above_the_threshold_are_as_rare_as_certified():
    """Over many splits the mean share of held-out scores above the threshold is at most the certified rate, and near it."""
    from gnosis.probe.calibrate import conformal, split
    rng = np.random.default_rng(5)
    unit = rates.Unit.make(residual_energy=1.0, residuals=1, activation_energy=None, activations=None)
    shares = []
    for _ in range(300):
        scores = rng.lognormal(0, 0.8, 200)
        found = conformal("row", "e8", scores, split(200, 0.6, rng), unit, Settings(q_values=["0.9"])).levels[0]
        shares.append(found.exceed.share)
    assert found.certified == pytest.approx(12 / 121) and np.mean(shares) == pytest.approx(found.certified, abs=0.006)


def test_vacuity_is_that_of_random_directions(model_file):
    """The median of √n / |N(0, 1)| over directions in n = 64 dimensions is 8 / 0.6745 = 11.86."""
    for t in probe(model_file, tile=8).tensors:
        for g in (t.lattice.gate("energy"), t.bounded.gate("energy")):
            for a in (g.cubic, g.e8):
                v = a.truth.vacuity
                assert v.p10 >= 1 and v.median == pytest.approx(8 / 0.6745, rel=0.25) and v.tiles_with_zero_truth == 0


def test_tails_by_other_code(model_file):
    t = probe(model_file, tensors=["*up_proj*"]).tensors[0].weights
    w = gaussian(96, 320, 1).astype(np.float64)
    assert t.kurtosis == pytest.approx(np.mean(w ** 4) / np.mean(w ** 2) ** 2) and t.kurtosis == pytest.approx(3, abs=0.1)
    assert t.largest_over_rms == pytest.approx(np.abs(w).max() / np.sqrt(np.mean(w ** 2)))
    assert t.top_columns == 3 and t.top_columns_share == pytest.approx(np.sort((w ** 2).sum(0))[-3:].sum() / (w ** 2).sum())
    assert t.top_rows == 1 and t.top_rows_share == pytest.approx((w ** 2).sum(1).max() / (w ** 2).sum())


def test_a_planted_outlier_column_is_found(tmp_path):
    w = gaussian(200, 128, 7)
    w[:, 5] *= 40
    t = probe(write_safetensors(tmp_path / "m.safetensors", {"w": w})).tensors[0].weights
    assert t.kurtosis > 50 and t.top_columns_share > 0.9 and t.top_columns_even == 1 / 128


def test_left_over_columns_and_small_tiles(model_file):
    t = probe(model_file, tensors=["*q_proj*"], tile=3).tensors[0]
    assert (t.columns_left_over, t.tiles) == (200 % 24, 64 * (200 // 24))


def figures(found: Report) -> dict:
    """Everything but facts about the run."""
    return found.model_dump(exclude={"run", "digest"})


def test_same_seed_same_figures(model_file, small_report):
    assert figures(probe(model_file, rows=64)) == figures(small_report)
    other = probe(model_file, rows=64, seed=1)
    assert other.tensors[0].lattice.cubic.mse != small_report.tensors[0].lattice.cubic.mse


@pytest.mark.parametrize("changes", [{"workers": 1}, {"budget": 80 * 2 ** 20}, {"dask": True}])
def test_figures_do_not_depend_on_who_works(model_file, small_report, changes):
    again = run.probe(open_model(str(model_file)), Settings(rows=64), **changes)
    assert figures(again) == figures(small_report)


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
    folder = Path(__file__).parent.parent
    for m in small_report.spine:
        assert (folder / (m.module.replace(".", "/") + ".lean")).is_file()
        assert f"theorem {m.theorem.removeprefix('Gnosis.')} " in sources


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
    assert reached.shape == (256, 1536) and t.activations.kurtosis == pytest.approx(np.mean(reached ** 4) / np.mean(reached ** 2) ** 2, rel=1e-6)
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
    assert t.activations.kurtosis == pytest.approx(np.mean(reached ** 4) / np.mean(reached ** 2) ** 2, rel=1e-6)
    assert not found.verdict.admitted and found.verdict.rejected[0].failed == ["all_conformal_admit"]       # so few positions have no threshold at 99 percent


def test_without_the_tokenizer_the_report_says_unit_energy(monkeypatch):
    def missing(*_: object) -> None:
        raise activations.ActivationsUnavailable("the package 'tokenizers' is not installed")
    monkeypatch.setattr(inputs, "token_ids", missing)
    found = probe("minilm", tensors=["encoder.layer.0.attention.self.key.weight"], rows=64)
    assert not found.activations.real and "tokenizers" in found.activations.reason
    assert {g.activation for g in found.tensors[0].lattice.gates} == {"unit"} and found.tensors[0].activations is None


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
    monkeypatch.setattr(measure, "MOST_STEPS", 2 ** 10)
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
    parts.write(small_report, path)
    assert report.read(path) == small_report
    assert json.loads(path.read_text())["schema"] == "gnosis.probe/2"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


def change(data: dict, place: str, value: object) -> None:
    *steps, last = place.split("/")
    for step in steps:
        data = data[int(step) if step.isdigit() else step]
    data[int(last) if last.isdigit() else last] = value


def unsealed(data: dict) -> dict:
    """The same with a fresh digest, so that only the change itself can be at fault."""
    data["digest"] = hashlib.sha256(json.dumps({k: v for k, v in data.items() if k != "digest"}, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return data


T = "tensors/0/"
CHANGES = [
    ("extra", 1), (T + "extra", 1), (T + "lattice/gates/0/cubic/truth/vacuity/extra", 1), ("schema", "gnosis.probe/1"),
    (T + "lattice/e8_edge", 0.2), (T + "bounded/e8_edge", None), (T + "lattice/gates/0/cubic/share_admitted", 0.51), (T + "lattice/d8/mse", 1.0),
    (T + "lattice/gates/0/e8/admitted", 10 ** 6), (T + "lattice/gates/0/e8/admitted", 1), (T + "lattice/gates/0/gamma", 1.0), (T + "lattice/e8_edge_theory", 0.2),
    (T + "lattice/cell_moment", 0.5), (T + "lattice/cell_distance", 0.5), (T + "lattice/cell_counts/0", 1), (T + "lattice/step", 1.0), (T + "tiles", 7),
    (T + "rows_read", 10 ** 6), (T + "weights/rms", "NaN"), (T + "weights/rms", -1.0), (T + "weights/kurtosis", 2.0), ("settings/seed", -1), ("model/bytes", 3),
    ("model/files/0/sha256", "00"), ("tensors", []), (T + "bounded/gates/0/gamma_source", "decided"), (T + "bounded/cubic/energy", 1.0), (T + "sampled", False),
    (T + "admission/admitted", "flip"), (T + "admission/cell_filling", "flip"), (T + "bounded_admission/all_conformal_admit", "flip"),
    (T + "lattice/conformal/1/levels/0/threshold", 0.5), (T + "lattice/conformal/1/levels/0/least_multiplier", 1.0), (T + "lattice/conformal/1/levels/0/rank", 3),
    (T + "lattice/conformal/1/levels/0/least_multiplier_exact", "3/2"), (T + "lattice/conformal/1/levels/1/admit", "flip"), (T + "lattice/conformal/1/top/0", 9.0),
    (T + "lattice/conformal/1/levels/0/exceed/low", 0.3), (T + "lattice/conformal/1/levels/0/lies/count", 7), (T + "lattice/conformal/1/above_half", 20),
    (T + "lattice/conformal/1/histogram/3", 5), (T + "lattice/conformal/1/coverage/0/rank", 5), (T + "lattice/conformal/0/multiplier", 2.5),
    (T + "lattice/curve/e8/3", 10 ** 6), (T + "lattice/curve/e8", []), ("verdict/admitted", "flip"), ("verdict/tensors_admitted", 9), ("layers/0/e8_edge", 0.3),
    ("layers/0/refused", ["x"]), ("outliers/0/weights_kurtosis", 1.0), ("spine/0/theorem", "Gnosis.other"), ("settings/q_values", ["0.9", "0.99"]), (T + "cell_tolerance", 0.5),
]


@pytest.mark.parametrize("place, value", CHANGES)
def test_a_changed_report_is_refused(small_report, place, value):
    """Each change alone, sealed again with a fresh digest: it is its figures that give it away."""
    data = json.loads(parts.to_json(small_report))
    Report.model_validate(unsealed(json.loads(json.dumps(data))))
    if value == "flip":
        value = not found(data, place)
    assert found(data, place, missing=True) != value
    change(data, place, value)
    with pytest.raises(ValidationError):
        Report.model_validate(unsealed(data))


def found(data: dict, place: str, missing: bool = False) -> object:
    for step in place.split("/"):
        if missing and isinstance(data, dict) and step not in data:
            return None
        data = data[int(step) if step.isdigit() else step]
    return data


def test_a_changed_measurement_breaks_the_seal(small_report):
    """A figure from which nothing follows can be changed unseen, but for the digest."""
    data = json.loads(parts.to_json(small_report))
    data["tensors"][0]["effective_dimension"] += 1
    with pytest.raises(ValidationError, match="digest"):
        Report.model_validate(data)
    assert Report.model_validate(unsealed(data))


def test_nan_is_refused_in_a_file(tmp_path, small_report):
    path = tmp_path / "r.json"
    path.write_text(parts.to_json(small_report).replace(f'"rms": {small_report.tensors[0].weights.rms}', '"rms": NaN', 1))
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
        parts.write(small_report, path)
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
    assert code == 0 and found.settings.profile == "dev-balanced"
    assert found.settings == Settings(rows=32, tile=2, gamma_multiplier=1.5, tensors=["*q_proj*"], profile_sha256=found.settings.profile_sha256)


def test_text_to_a_file(model_file, tmp_path):
    code, stdout, _ = command(model_file, "--rows", "32", "--output", tmp_path / "r.txt")
    assert code == 0 and stdout == "" and "edge over cubic" in (tmp_path / "r.txt").read_text()


@pytest.mark.parametrize("args, text", [
    (["missing.gguf"], "missing.gguf: No such file"), (["model.bin"], "neither a built-in model"),
    (["{file}", "--tensor", "nothing"], "no tensor matches"), (["{file}", "--rows", "1"], "--rows"), (["{file}", "--tile", "0"], "tile"), (["{file}", "--tile", "x"], "--tile x"),
    (["{file}", "--q-values", "0.9,1.5"], "q_values"), (["{file}", "--q-values", "0.9,0.5"], "must rise"), (["{file}", "--q-values", "nan"], "q_values"),
    (["{file}", "--matrix-type", "q8_0"], "there are F32"), (["{file}", "--matrix-type", "q 8"], "matrix_type"), (["{file}", "--profile", "nothing"], "neither dev-balanced"),
    (["{file}", "--memory", "1"], "MiB are allowed"), (["{file}", "--workers", "0"], "--workers"),
    (["{file}", "--gamma-multiplier", "nan"], "gamma_multiplier"), (["{file}", "--gamma-multiplier", "-1"], "gamma_multiplier"),
    (["{file}", "--seed", str(2 ** 64)], "seed"), (["{file}", "--step", "0"], "step"), (["{file}", "--output", "/no/such/folder/r.json"], "does not exist"),
])
def test_unusable_requests(model_file, args, text):
    code, stdout, stderr = command(*(a.format(file=model_file) for a in args))
    assert code == 2 and stdout == "" and text in stderr


def test_a_truncated_file_ends_with_code_2(tmp_path):
    path = write_raw_safetensors(tmp_path / "t.safetensors", {"w": {"dtype": "F32", "shape": [32, 128], "data_offsets": [0, 16384]}}, b"\0" * 16000)
    code, _, stderr = command(path)
    assert code == 2 and "'w' at offset" in stderr


def test_a_non_finite_scale_ends_with_code_2(tmp_path):
    blocks = gguf.quantize(gaussian(32, 128), gguf.GGMLQuantizationType.Q8_0)
    blocks[5, 34:36] = np.frombuffer(np.float16(np.inf).tobytes(), np.uint8)
    code, _, stderr = command(write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (blocks, "Q8_0")}))
    assert code == 2 and "'blk.0.ffn_up.weight': non-finite scale or value in the Q8_0 block at offset" in stderr and "(row 5, column 32)" in stderr


# The predicate, each conjunct flipped by what is planted in a file

def planted_nan(w: np.ndarray) -> np.ndarray:
    w[3, 4] = np.nan
    return w


def on_a_grid(w: np.ndarray) -> np.ndarray:
    """Whole multiples of one number that is made the step: the cubic lattice loses next to nothing, E8 has only half of these points."""
    return (np.random.default_rng(2).integers(-4, 5, w.shape) * 0.05).astype(np.float32)


def heavy_rows(w: np.ndarray) -> np.ndarray:
    """A tenth of the rows three times as large: bounded codes scale with them, and thresholds with those."""
    w[::10] *= 3
    return w


PLANTED = {
    "finite": (planted_nan, "admission", {"finite"}),
    "cell_filling": (on_a_grid, "admission", None),
    "e8_mse_le_cubic": (on_a_grid, "admission", None),
    "e8_energy_accept_ge_cubic": (on_a_grid, "admission", None),
    "all_conformal_admit": (heavy_rows, "bounded_admission", {"all_conformal_admit"}),
}


@pytest.mark.parametrize("conjunct", PLANTED)
def test_a_planted_input_flips_a_conjunct(tmp_path, conjunct):
    plant, which, only = PLANTED[conjunct]
    healthy = gaussian(200, 256, 21)
    path = write_safetensors(tmp_path / "a.safetensors", {"lm_head.weight": healthy})
    few = {"grid": {"start": "2", "stop": "2.5", "step": "0.5"}}
    assert probe(path, **few).verdict.admitted and command(path, "--check", "--quiet")[0] == 0
    path = write_safetensors(tmp_path / "b.safetensors", {"lm_head.weight": plant(healthy.copy())})
    if plant is on_a_grid:
        few["step_over_rms"] = 0.05 / float(np.sqrt(np.mean(plant(healthy).astype(np.float64) ** 2)))
    sick = probe(path, **few)
    failed = getattr(sick.tensors[0], which).failed
    assert conjunct in failed and (only is None or set(failed) == only)
    if which == "admission":
        assert not sick.verdict.admitted and sick.verdict.rejected[0].failed == failed
    if conjunct == "finite":
        assert command(path, "--quiet")[0] == 0 and command(path, "--check", "--quiet")[0] == 1
        where = sick.tensors[0].non_finite
        assert where.rows == 1 and "'lm_head.weight': non-finite value at offset" in where.first and "(row 3, column 4)" in where.first
        # every other figure is that of the rows that are finite
        clean = probe(write_safetensors(tmp_path / "c.safetensors", {"lm_head.weight": np.delete(healthy, 3, 0)}), **few).tensors[0]
        assert sick.tensors[0].lattice.cubic.energy == clean.lattice.cubic.energy


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_default_probe_of_minilm():
    # a process of its own, so that its memory is measured and not that of the tests before
    done = subprocess.run([sys.executable, "-m", "gnosis", "probe", "minilm", "--format", "json", "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = Report.model_validate_json(done.stdout)
    assert len(found.tensors) == 37 and not found.skipped
    assert {(t.role, t.layer) for t in found.tensors} == {("embedding", None)} | {(r, i) for r in ("attention", "ffn") for i in range(6)}
    assert found.verdict.admitted and not found.verdict.bounded_admitted
    for t in found.tensors:
        unit, sup = t.lattice.gate("energy"), t.lattice.gate("sup")
        assert t.lattice.e8_edge == pytest.approx(codes.EDGE_THEORY["e8"], abs=0.01) and t.lattice.d8_edge == pytest.approx(codes.EDGE_THEORY["d8"], abs=0.01)
        assert t.bounded.e8_edge > t.lattice.e8_edge and t.bounded.d8_edge > t.lattice.d8_edge
        assert unit.e8.share_admitted > 0.99 and unit.cubic.share_admitted == pytest.approx(0.5, abs=0.06)
        assert sup.e8.share_admitted < 0.01 < 0.2 < sup.cubic.share_admitted
        assert 1.85 < t.lattice.least_multiplier < 1.95
    assert [t.name for t in found.tensors if t.sampled] == ["embeddings.word_embeddings.weight"]
    by_role = {o.role: o for o in found.outliers}
    assert by_role["attention"].activations_heavier == 24 and by_role["ffn"].activations_kurtosis > 10 * by_role["ffn"].weights_kurtosis
    assert found.run.work_bytes <= found.run.budget_bytes and found.run.peak_rss_bytes < 2 ** 30
