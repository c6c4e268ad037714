"""Types of GGUF that a tensor can have, and coding in them by libgguf with importances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import NonFiniteError, RangeError
from ..lm.weights import Weight
from ..models.decode import decode_rows
from ..models.files import ModelError

# the types that are tried, where none are named; those that libgguf writes slowly are left out
TYPES = ("Q2_K", "Q3_K", "IQ4_XS", "MXFP4", "Q4_0", "IQ4_NL", "Q4_K", "Q4_1", "Q5_0", "Q5_K", "Q5_1", "Q6_K", "Q8_0")
SLOW = ("IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S")
KNOWN = (*TYPES, *SLOW, "NVFP4")


def library() -> Any:
    """ModelError where libgguf is not installed."""
    try:
        import libgguf
    except ImportError as error:
        raise ModelError(f"making a code needs libgguf ({error}); run: pip install 'gnosis-gates[codes]'") from None
    return libgguf


def checked(names: Sequence[str]) -> tuple[str, ...]:
    """Names of types, each once.  RangeError for one that is not known, and for none."""
    found = tuple(dict.fromkeys(name.strip().upper() for name in names))
    wrong = next((name for name in found if name not in KNOWN), None)
    if wrong is not None or not found:
        raise RangeError("types", wrong or ",".join(names), f"must be of {', '.join(KNOWN)}")
    return found


def row_bytes(code: str, columns: int) -> int | None:
    """Bytes of a row in a type; None where its blocks do not divide the row."""
    import gguf

    block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[code]]
    return None if columns % block else columns // block * size


def coded(name: str, values: np.ndarray, code: str, importance: np.ndarray | None) -> np.ndarray:
    """A matrix float32[rows, columns] in a type, uint8[rows, bytes of a row].

    importance: float32[columns] or float32[parts · columns], one for each of the parts of equal size that lie one below the other; None: all alike.
    NonFiniteError naming the tensor for weights that are not finite; ModelError where the type cannot hold it.
    """
    import gguf

    if not np.isfinite(values).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(values))[0])
        raise NonFiniteError(name, float(values[row, column]), (row, column), "a weight that is no finite number has no code")
    kind = gguf.GGMLQuantizationType[code]
    parts = 1 if importance is None else importance.size // values.shape[1]
    weighed = [None] if importance is None else list(_positive(importance).reshape(parts, -1))
    pieces = np.split(np.ascontiguousarray(values, np.float32), parts)
    raw = np.concatenate([library().quantize_rows(piece, kind, weights) for piece, weights in zip(pieces, weighed)])
    raw = np.ascontiguousarray(raw).view(np.uint8).reshape(len(values), -1)
    if not np.isfinite(decode_rows(raw[:1], code, values.shape[1])).all():
        raise ModelError(f"tensor {name!r}: {code} cannot hold its weights")
    return raw


def _positive(importance: np.ndarray) -> np.ndarray:
    """No importance of 0: a quantizer would lose what no text of the calibration has reached."""
    mean = float(importance.mean(dtype=np.float64))
    return np.maximum(importance, np.float32(1e-4 * mean)) if mean > 0 else np.ones_like(importance)


def weight(name: str, code: str, raw: np.ndarray, columns: int) -> Weight:
    """The matrix as the engine takes it: a type that has no kernel as the float32 numbers that it decodes to."""
    from ..core import blocks

    if code in blocks.ENCODINGS:
        return Weight(name, code, raw, columns)
    return Weight(name, "F32", np.ascontiguousarray(decode_rows(raw, code, columns)).view(np.uint8), columns)


def error(values: np.ndarray, raw: np.ndarray, code: str, importance: np.ndarray | None) -> float:
    """Σ importance (weight − decoded)² over the rows: what the outputs of the matrix lose on average, were its inputs uncorrelated."""
    apart = values - decode_rows(raw, code, values.shape[1])
    squares = (apart * apart).sum(axis=0, dtype=np.float64)
    return float(squares.sum() if importance is None else (squares * importance.reshape(-1, values.shape[1]).mean(axis=0, dtype=np.float64)).sum())
