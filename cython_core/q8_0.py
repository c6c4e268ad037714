"""Q8_0, the code that most files use: `gnosis.core.blocks` with the encoding filled in.

A block is 34 bytes: a half-precision scale d (little endian), then 32 signed codes q;
it stands for the 32 weights d * q, which float32 holds exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import blocks as kernel

BLOCK_BYTES = 34
BLOCK_WEIGHTS = 32


def dequantize(blocks: Any, out: np.ndarray | None = None) -> np.ndarray:
    """The weights of Q8_0 blocks, exactly.

    blocks: uint8[n, 34].  out: None or float32[n, 32] apart from `blocks`.
    Returns float32[n, 32], in the unit of the scale.  Raises as `gnosis.core.blocks.dequantize`.
    """
    return kernel.dequantize(blocks, "Q8_0", out)


def residual_energy_upper(blocks: Any, original: Any, out: np.ndarray | None = None) -> np.ndarray:
    """Per block, a certified upper bound of the energy of what quantization lost.

    blocks: uint8[n, 34]; original: float32[n, 32], the weights that the blocks stand for.  out: None or float64[n] apart from
    the inputs.  Returns float64[n], each at least sum_i (original_i - d q_i)^2 as real numbers, in the squared unit of the
    weights: the E of `Gnosis.energy_sidecar_sound`.  At most E (1 + 26 * 2^-24), and 0 when E = 0.
    Raises as `gnosis.core.blocks.residual_energy_upper`, which also says why it is a bound.
    """
    return kernel.residual_energy_upper(blocks, original, "Q8_0", out)
