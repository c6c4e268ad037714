"""The probe: its figures recomputed by other code, its decisions re-decided with fractions, its aborts provoked."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_files import gaussian, write_gguf, write_raw_safetensors, write_safetensors
from probe_support import command, other_e8, probe

from gnosis.codes import families as codes
from gnosis.models.files import open_model
from gnosis.probe import figures as rates
from gnosis.probe import gate, run, sanity
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings

FAMILIES = ("lattice", "bounded")


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


@pytest.fixture(scope="module")
def small_report(model_file) -> Report:
    return probe(model_file, rows=64)


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
        sure = np.abs(4 * energies[code] / unit.gamma**2 - 1) > 1e-5  # the other code is not exact
        admitted = int((4 * energies[code] <= unit.gamma**2).sum())
        assert abs(getattr(unit, code).admitted - admitted) <= (~sure).sum()
        curve = [(4 * energies[code] <= (float(m) * unit.unit.value) ** 2).sum() for m in Settings().grid.multipliers()]
        assert np.allclose(getattr(whole.lattice.curve, code), curve, atol=2)
    assert whole.lattice.e8_edge == pytest.approx(0.14, abs=0.02) and whole.lattice.d8_edge == pytest.approx(0.089, abs=0.02)
    assert unit.cubic.share_admitted == pytest.approx(0.5, abs=0.1) and unit.e8.share_admitted > 0.9


def test_the_sup_norm_gate_by_other_code(model_file):
    """The norm is the whole game: E8 wins under the energy gate and loses everything under the sup-norm gate."""
    t = probe(model_file, tensors=["*up_proj*"]).tensors[0]
    w, step = gaussian(96, 320, 1), t.lattice.step
    sup = {
        "cubic": np.abs(w - np.rint(w / np.float32(step)) * step).max(-1),
        "e8": np.abs(w - other_e8((w / np.float32(step)).reshape(-1, 8)).reshape(w.shape) * step).max(-1),
    }
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
    assert t.kurtosis == pytest.approx(np.mean(w**4) / np.mean(w**2) ** 2) and t.kurtosis == pytest.approx(3, abs=0.1)
    assert t.largest_over_rms == pytest.approx(np.abs(w).max() / np.sqrt(np.mean(w**2)))
    assert t.top_columns == 3 and t.top_columns_share == pytest.approx(np.sort((w**2).sum(0))[-3:].sum() / (w**2).sum())
    assert t.top_rows == 1 and t.top_rows_share == pytest.approx((w**2).sum(1).max() / (w**2).sum())


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


@pytest.mark.parametrize("changes", [{"workers": 1}, {"budget": 80 * 2**20}, {"dask": "local:2"}])
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


@pytest.mark.parametrize(
    "args, text",
    [
        (["missing.gguf"], "missing.gguf: No such file"),
        (["model.bin"], "neither a built-in model"),
        (["{file}", "--tensor", "nothing"], "no tensor matches"),
        (["{file}", "--rows", "1"], "--rows"),
        (["{file}", "--tile", "0"], "tile"),
        (["{file}", "--tile", "x"], "--tile x"),
        (["{file}", "--q-values", "0.9,1.5"], "q_values"),
        (["{file}", "--q-values", "0.9,0.5"], "must rise"),
        (["{file}", "--q-values", "nan"], "q_values"),
        (["{file}", "--matrix-type", "q8_0"], "there are F32"),
        (["{file}", "--matrix-type", "q 8"], "matrix_type"),
        (["{file}", "--profile", "nothing"], "neither dev-balanced"),
        (["{file}", "--memory", "1"], "MiB are allowed"),
        (["{file}", "--workers", "0"], "--workers"),
        (["{file}", "--gamma-multiplier", "nan"], "gamma_multiplier"),
        (["{file}", "--gamma-multiplier", "-1"], "gamma_multiplier"),
        (["{file}", "--seed", str(2**64)], "seed"),
        (["{file}", "--step", "0"], "step"),
        (["{file}", "--output", "/no/such/folder/r.json"], "does not exist"),
    ],
)
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
    few = {"grid": {"start": "2", "stop": "2.5", "step": "0.5"}, "gamma_multiplier": 2.1}  # the bounded code needs 2.007
    words = ["--gamma-multiplier", "2.1", "--quiet"]
    assert probe(path, **few).verdict.lattice_admitted and command(path, "--check", *words)[0] == 0
    assert command(path, "--check", "--quiet")[0] == 1  # 2 is enough for the lattice alone, and the bounded code decides
    path = write_safetensors(tmp_path / "b.safetensors", {"lm_head.weight": plant(healthy.copy())})
    if plant is on_a_grid:
        few["step_over_rms"] = 0.05 / float(np.sqrt(np.mean(plant(healthy).astype(np.float64) ** 2)))
    sick = probe(path, **few)
    failed = getattr(sick.tensors[0], which).failed
    assert conjunct in failed and (only is None or set(failed) == only)
    if which == "admission":
        assert not sick.verdict.lattice_admitted and sick.verdict.lattice_rejected[0].failed == failed
    if conjunct == "finite":
        assert command(path, *words)[0] == 0 and command(path, "--check", *words)[0] == 1
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
    assert found.verdict.lattice_admitted and not found.verdict.bounded_admitted
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
    assert found.run.work_bytes <= found.run.budget_bytes and found.run.peak_rss_bytes < 2**30
