"""The same function with other weights: norms folded into the matrices behind them, the residual stream turned by a seeded rotation.

A file of 4-bit codes decodes to numbers on its own grid, and a second coding on that grid loses nothing.  What a code loses must therefore be measured
on other weights of the same function; these are such weights.
"""

from __future__ import annotations

import numpy as np
from gguf import GGMLQuantizationType, quantize

from ..errors import RangeError
from ..models.files import ModelError
from ..numbers.exact import is_integer
from .config import MATRICES
from .model import Model
from .weights import Weight

INTO = ("attn_q", "attn_k", "attn_v", "ffn_gate", "ffn_up")  # matrices that read the residual stream, after a norm
MOST_SEED = 2**64 - 1
_LARGEST = {"F16": 65520.0}  # from there on, numbers round to infinity


class Rotation:
    """An orthogonal map of vectors of a width, from a seed: random signs, then one random rotation over each of the two sides of a rectangle of width = a · b.

    a is the largest factor up to the root of the width, so that a vector costs width · (a + b) products in place of width².  RangeError.
    """

    def __init__(self, width: int, seed: int = 0) -> None:
        if not is_integer(width) or width < 1:
            raise RangeError("width", width, "must be a whole number, at least 1")
        if not is_integer(seed) or not 0 <= seed <= MOST_SEED:
            raise RangeError("seed", seed, f"must be a whole number from 0 to {MOST_SEED}")
        a = max(n for n in range(1, int(width**0.5) + 1) if width % n == 0)
        rng = np.random.default_rng(int(seed))
        self.signs = rng.choice(np.array([-1.0, 1.0]), width)
        self.sides = _orthogonal(rng, a), _orthogonal(rng, width // a)

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """float32[n, width]: every row of float[n, width] turned, x Q."""
        (a, b), n = self.sides, len(rows)
        x = (rows * self.signs).astype(np.float32).reshape(n, len(a), len(b)) @ b.astype(np.float32)
        return np.ascontiguousarray(np.einsum("nij,ik->nkj", x, a.astype(np.float32), optimize=True)).reshape(n, -1)


def _orthogonal(rng: np.random.Generator, n: int) -> np.ndarray:
    """float64[n, n]: of every rotation equally likely (the first factor of a matrix of normal numbers, its signs fixed)."""
    q, r = np.linalg.qr(rng.standard_normal((n, n)))
    return np.asarray(q * np.where(np.diag(r) < 0, -1.0, 1.0))


def rotated(model: Model, seed: int = 0, encoding: str = "F16") -> Model:
    """A model of the same function, but for rounding: its norms are ones, its residual stream is turned, and every matrix is stored in `encoding`.

    The norm of a turned vector is the turned norm, so with x' = x Q the matrices that read the stream become W diag(weight of the norm) Q, those that add to it
    Qᵀ W, the embedding E Q.  The head takes in the last norm and is a matrix of its own.
    encoding: one that `gguf` writes, F16, BF16, F32, Q8_0, Q4_0 ….  RangeError; ModelError for models with experts, norms behind the matrices, or weights that
    the encoding cannot hold.
    Promises: tested `tests/test_draft.py::test_a_rotation_keeps_the_function`.
    """
    c = model.config
    if c.experts or c.post_norms:
        raise ModelError(
            f"no rotation is known to keep the function of a {c.architecture} model with {'experts' if c.experts else 'norms behind its matrices'}"
        )
    turn = Rotation(c.width, seed)
    weights: dict[str, Weight] = {}
    norms = dict(model.norms)

    def put(name: str, values: np.ndarray) -> None:
        weights[name] = coded(name, values, encoding)

    put("token_embd.weight", turn(model.weights["token_embd.weight"].decoded()))
    put("output.weight", turn(model.weights[model.head_name].decoded() * model.norms["output_norm.weight"]))
    for layer in range(c.layers):
        at = f"blk.{layer}."
        for name in MATRICES:
            values = model.weights[f"{at}{name}.weight"].decoded()
            if name in INTO:
                put(f"{at}{name}.weight", turn(values * model.norms[at + ("attn_norm" if name.startswith("attn") else "ffn_norm") + ".weight"]))
            else:  # they add to the stream
                put(f"{at}{name}.weight", np.ascontiguousarray(turn(values.T).T))
        norms |= {f"{at}{name}.weight": np.ones(c.width, np.float32) for name in ("attn_norm", "ffn_norm")}
    norms["output_norm.weight"] = np.ones(c.width, np.float32)
    return Model(c, weights, norms, model.metadata, model.arithmetic, model.threads)


def recoded(model: Model, encoding: str, head: str | None = None) -> Model:
    """The model with its matrices in another code; head: the code of the head (None: as the others).  RangeError, ModelError."""
    weights = {}
    for name, weight in model.weights.items():
        code = (head or encoding) if name == model.head_name else encoding
        weights[name] = weight if code == weight.encoding else coded(name, weight.decoded(), code)
    return model.with_weights(weights)


def coded(name: str, values: np.ndarray, encoding: str) -> Weight:
    """A matrix, float32[rows, columns], in a code that `gguf` writes.  ModelError naming the tensor, RangeError."""
    if not np.abs(values).max(initial=0.0) < _LARGEST.get(encoding, np.inf):
        raise ModelError(f"tensor {name!r}: a weight is too large for {encoding}")
    try:
        raw = quantize(values, GGMLQuantizationType[encoding])
    except (KeyError, NotImplementedError) as error:
        raise RangeError("encoding", encoding, "gguf writes no such code") from error
    return Weight(name, encoding, np.ascontiguousarray(raw).view(np.uint8).reshape(len(values), -1), values.shape[1])
