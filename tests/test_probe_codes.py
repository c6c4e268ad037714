"""The probe's lattices, codes and statistics, against other code."""

from __future__ import annotations

import itertools

import gguf
import numpy as np
import pytest
from model_files import gaussian
from probe_support import other_e8

from gnosis.codes import families as codes
from gnosis.codes.lattice.matrix import from_blocks, in_blocks
from gnosis.probe import figures as rates
from gnosis.probe import gate, statistics

# Lattices and codes, against other code


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
    roots = np.array(
        [[s if k == i else t if k == j else 0 for k in range(8)] for i, j in itertools.combinations(range(8), 2) for s in (1, -1) for t in (1, -1)]
    )
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
    assert found.effective_dimension == pytest.approx(values.sum() ** 2 / (values**2).sum(), rel=1e-9)
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
