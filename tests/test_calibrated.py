"""4-bit codes that follow the inputs: what they lose is measured, against rounding every weight by itself."""

from __future__ import annotations

import numpy as np
import pytest
import tiny_model

from gnosis.errors import EmptyError, LengthError
from gnosis.lm import Model, calibrated
from gnosis.lm.equivalent import coded


def inputs(rng: np.random.Generator, columns: int, tokens: int = 600) -> np.ndarray:
    """Inputs that lie near a plane of few dimensions, of sizes that differ."""
    return (rng.standard_normal((tokens, 12)) @ rng.standard_normal((12, columns)) + 0.3 * rng.standard_normal((tokens, columns))) * rng.gamma(0.5, 1, columns)


def lost(weight, values: np.ndarray, x: np.ndarray) -> float:
    return float((((weight.decoded() - values) @ x.T) ** 2).sum())


@pytest.mark.parametrize("rows, columns", [(24, 32), (40, 64), (7, 160)])
def test_less_of_the_products_is_lost_than_by_rounding(rows, columns):
    rng = np.random.default_rng(columns)
    values, x = rng.standard_normal((rows, columns)).astype(np.float32), inputs(rng, columns)
    plain = lost(coded("w", values, "Q4_0"), values, x)
    assert lost(calibrated.coded_for("w", values, x.T @ x), values, x) < 0.6 * plain
    # a probe: moments of other inputs do not help
    other = inputs(rng, columns)
    assert lost(calibrated.coded_for("w", values, other.T @ other), values, x) > 0.6 * plain


def test_inputs_without_a_pattern_ask_for_the_nearest_codes():
    values = np.random.default_rng(0).standard_normal((5, 96)).astype(np.float32)
    found = calibrated.coded_for("w", values, np.eye(96)).decoded().reshape(5, 3, 32)
    scale = np.abs(np.diff(np.unique(found[0, 0]))).min()
    assert np.abs(found[0, 0] - values[0, :32])[np.abs(found[0, 0]) < 6.5 * scale].max() <= 0.501 * scale
    assert np.array_equal(calibrated.coded_for("w", values, np.zeros((96, 96))).decoded().reshape(5, 3, 32), found)


def test_zeros_and_wrong_shapes():
    assert not calibrated.coded_for("w", np.zeros((3, 32), np.float32), np.eye(32)).decoded().any()
    for values, second in ((np.zeros((3, 33), np.float32), np.eye(33)), (np.zeros((3, 32), np.float32), np.eye(64))):
        with pytest.raises(LengthError, match="values"):
            calibrated.coded_for("w", values, second)


def test_a_model(tmp_path):
    model = Model.load(str(tiny_model.write(tmp_path / "m.gguf", "F32", 1)))
    with pytest.raises(EmptyError, match="texts"):
        calibrated.moments(model, [])
    texts = [[1, 2, 3], [4, 5]]
    found = calibrated.moments(model, texts)
    seen: dict[str, list[np.ndarray]] = {}
    for text in texts:
        model.prefill(text, model.cache(8), "none", lambda name, x: seen.setdefault(name, []).append(x.copy()))
    layers = [name for name in model.weights if name.startswith("blk.")]
    assert sorted(found) == sorted(layers)
    for name in layers:
        x = np.concatenate(seen[name])
        assert np.allclose(found[name], x.T @ x, rtol=1e-3, atol=1e-4)
    made = calibrated.calibrated(model, texts)
    assert {made.weights[name].encoding for name in layers} == {"Q4_0"} and made.weights["token_embd.weight"] is model.weights["token_embd.weight"]
