"""4-bit codes that follow what a model's matrices are multiplied with: errors are put where activations hardly reach.

Rounding every weight to the nearest code is best for activations of which nothing is known.  Where their second moments H = Σ x xᵀ are known, column after column
is rounded and what that loses is made up for by the columns that are still to come, so that Σ |(W − Q) x|² stays small (the method known as GPTQ, of
Frantar and others, 2022).  The file and a pass cost what they cost without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg.lapack import dtrtri

from ..errors import EmptyError, LengthError
from .config import MATRICES
from .model import Model
from .weights import Weight

BLOCK, NIBBLES = 32, 18  # columns of a block of Q4_0, and its bytes
DAMPING = 0.01  # share of the mean moment that is added to every one
WIDTHS = tuple(np.arange(0.8, 1.06, 0.05).astype(np.float32).tolist())  # of the scale, to that with which the largest weight is met
SAME = {"attn_k": "attn_q", "attn_v": "attn_q", "ffn_up": "ffn_gate"}  # matrices that read what another one reads


def moments(model: Model, texts: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    """Σ x xᵀ over the tokens of texts, of the input x of each matrix of the layers, by tensor name: float32[columns, columns].

    texts: token numbers, each read from the start.  EmptyError, RangeError, NonFiniteError.
    """
    if not len(texts):
        raise EmptyError("texts")
    reader = Model(model.config, model.weights, model.norms, model.metadata, "blas", model.threads)
    found: dict[str, np.ndarray] = {}

    def hook(name: str, x: np.ndarray) -> None:
        part = name.split(".")[-2] if name.endswith(".weight") else ""
        if part in MATRICES and part not in SAME and name != model.head_name:
            found[name] = found[name] + x.T @ x if name in found else x.T @ x

    for text in texts:
        reader.prefill(text, reader.cache(len(text)), "none", hook)
    for layer in range(model.config.layers):
        for part, other in SAME.items():
            found[f"blk.{layer}.{part}.weight"] = found[f"blk.{layer}.{other}.weight"]
    return found


def calibrated(model: Model, texts: Sequence[Sequence[int]]) -> Model:
    """The model with the matrices of its layers in Q4_0, coded for what they are multiplied with in these texts.

    The embedding, the head and the norms stay as they are.  The errors of `moments`; ModelError for rows that are no whole blocks.
    """
    found = moments(model, texts)
    return model.with_weights({name: coded_for(name, model.weights[name].decoded(), second) for name, second in found.items()})


def coded_for(name: str, values: np.ndarray, second: np.ndarray) -> Weight:
    """A matrix in Q4_0 for inputs with these second moments.

    values: float32[rows, columns], columns a multiple of 32.  second: float[columns, columns], symmetric, no negative eigenvalue.  LengthError.
    """
    rows, columns = values.shape
    if columns % BLOCK or second.shape != (columns, columns):
        raise LengthError("values", values.shape, f"columns must be a multiple of {BLOCK}, and the moments {second.shape} of as many")
    left, reach = np.array(values, np.float32), _reach(second)
    weights = 1 / np.diag(reach) ** 2  # what an error in a column costs that the columns behind it make up for
    raw = np.empty((rows, columns // BLOCK, NIBBLES), np.uint8)
    for block, start in enumerate(range(0, columns, BLOCK)):
        end = start + BLOCK
        here, inside = np.ascontiguousarray(left[:, start:end].T), reach[start:end, start:end]
        scale = _scale(here, weights[start:end])
        per = np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
        codes, lost = np.empty(here.shape, np.uint8), np.empty_like(here)
        for i in range(BLOCK):
            codes[i] = np.clip(np.floor(here[i] * per + 8.5), 0, 15)
            lost[i] = (here[i] - (codes[i].astype(np.float32) - 8) * scale) / inside[i, i]
            here[i + 1 :] -= inside[i, i + 1 :, None] * lost[i]
        left[:, end:] -= lost.T @ reach[start:end, end:]
        raw[:, block, :2] = scale.astype("<f2").view(np.uint8).reshape(rows, 2)
        raw[:, block, 2:] = (codes[: BLOCK // 2] | codes[BLOCK // 2 :] << 4).T
    return Weight(name, "Q4_0", raw.reshape(rows, -1), columns)


def _reach(second: np.ndarray) -> np.ndarray:
    """float32[n, n], the upper triangle U with Uᵀ U = H⁻¹, H damped: row i says what an error in column i asks of the columns behind it, over what it costs."""
    damped = second.astype(np.float64)
    mean = np.trace(damped) / len(damped)
    damped[np.diag_indices(len(damped))] += DAMPING * mean if mean > 0 else 1.0
    lower = np.linalg.cholesky(damped[::-1, ::-1])  # from the last column on: the inverse of its factor, turned round, is U
    inverse, _ = dtrtri(lower, lower=1)
    return np.asarray(inverse[::-1, ::-1], np.float32)


def _scale(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """float32[rows] that a half holds: of the scales near that of the largest weight, the one with the least weighted error.  columns: float32[32, rows]."""
    largest = columns[np.abs(columns).argmax(0), np.arange(columns.shape[1])]
    best, least = np.zeros_like(largest), np.full(len(largest), np.inf, np.float32)
    for width in WIDTHS:
        scale = (largest * (width / -8)).astype(np.float16).astype(np.float32)
        per = np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
        error = weights @ ((np.clip(np.floor(columns * per + 8.5), 0, 15) - 8) * scale - columns) ** 2
        best, least = np.where(error < least, scale, best), np.minimum(error, least)
    return best
