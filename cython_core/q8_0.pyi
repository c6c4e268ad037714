from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES: int
BLOCK_WEIGHTS: int

def dequantize(blocks: Any, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]: ...
def residual_energy_upper(blocks: Any, original: Any, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
def _residual_energy_nearest(blocks: Any, original: Any, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]: ...
