from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMENSION: int
LIMIT: float

def nearest_cubic(x: Any, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]: ...
def nearest_d8(x: Any, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]: ...
def nearest_e8(x: Any, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]: ...
