from typing import Any

import numpy as np
from numpy.typing import NDArray

def decide_many(E: Any, A: Any, gamma: Any, out: NDArray[np.int8] | None = None, *, strict: bool = False) -> NDArray[np.int8]: ...
