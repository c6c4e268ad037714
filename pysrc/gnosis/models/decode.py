"""From the bytes of a tensor's rows to float32 weights."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core import blocks
from ..errors import NonFiniteError

# safetensors' names of numbers of 8 bits, and ml_dtypes' for them
FLOATS_8 = {
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
}
FLOATS = ("F32", "F16", "BF16", "F64", *FLOATS_8)


@cache
def can_decode(encoding: str) -> bool:
    """Whether weights of this encoding can be read (integers that are not a block code cannot)."""
    if encoding in FLOATS:
        return True
    import gguf

    try:
        kind = gguf.GGMLQuantizationType[encoding]
        block_bytes = gguf.GGML_QUANT_SIZES[kind][1]
        gguf.dequantize(np.zeros((1, block_bytes), np.uint8), kind)
    except (KeyError, RuntimeError):  # RuntimeError: no decoder in the package
        return False
    return True


def decoded_by_library(encoding: str) -> bool:
    """Whether the first decoder of this encoding is the one of the package `gguf`."""
    return encoding not in FLOATS and encoding not in blocks.ENCODINGS


def decode_rows(raw: np.ndarray, encoding: str, columns: int) -> np.ndarray:
    """Decoded weights, float32[n, columns], of n rows given as uint8[n, row_bytes].

    F32, F16, BF16 and the floats of 8 bits are widened, which is exact; F64 is rounded to float32, the one encoding that is not read exactly.  Block codes go through the compiled kernels, those that the kernels do not know through the `gguf` package.
    Non-finite values come out as they are, and a scale that is NaN in its format gives NaN: the caller checks, and can say where.
    """
    raw = np.ascontiguousarray(raw)
    if encoding == "F32":
        return raw.view("<f4").astype(np.float32, copy=False)
    if encoding == "F16":
        return raw.view("<f2").astype(np.float32)
    if encoding == "F64":
        with np.errstate(over="ignore"):  # an overflow becomes an infinity, which the caller sees
            return raw.view("<f8").astype(np.float32)
    if encoding == "BF16":
        return (raw.view("<u2").astype(np.uint32) << 16).view(np.float32)
    if encoding in FLOATS_8:
        import ml_dtypes

        return raw.view(getattr(ml_dtypes, FLOATS_8[encoding])).astype(np.float32)
    if encoding in blocks.ENCODINGS:
        try:
            return blocks.dequantize(raw.reshape(-1, blocks.sizes(encoding)[1]), encoding).reshape(len(raw), columns)
        except NonFiniteError:
            pass  # the decoder below gives the value itself, and the caller its place
    import gguf

    with np.errstate(invalid="ignore", over="ignore"):  # a bad scale is reported by the caller, with its place
        values = np.ascontiguousarray(gguf.dequantize(raw, gguf.GGMLQuantizationType[encoding]))
    return without_number(raw, encoding, values).reshape(len(raw), columns)


def without_number(raw: np.ndarray, encoding: str, values: np.ndarray) -> np.ndarray:
    """The values, NaN where a scale is NaN in its format, which the package `gguf` decodes as a number.

    MXFP4: a scale of 255 (E8M0).  NVFP4: 0x7F (E4M3 without a sign), and bytes with the bit of a sign set, which are no scale.
    """
    if encoding == "MXFP4":
        values.reshape(-1, 32)[raw.reshape(-1, 17)[:, 0] == 255] = np.nan
    if encoding == "NVFP4":
        values.reshape(-1, 4, 16)[raw.reshape(-1, 36)[:, :4] >= 0x7F] = np.nan
    return values
