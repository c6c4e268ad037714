from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES: tuple[type, ...]

def candidates(z: Any, eps: Any, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]: ...
def argmax(z: Any) -> int: ...
