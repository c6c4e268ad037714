from typing import Any

import numpy as np
from numpy.typing import NDArray

GROUP: int
TILE: int
BLOCK: int
BLOCK_BYTES: int
MOST_BLOCKS: int

Planes = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint8]]

class Plan:
    exact: NDArray[np.float64]
    columns: NDArray[np.int32]
    blocks: int
    split: int
    @property
    def exponent(self) -> int: ...
    def __init__(self, activation: Any, split: int) -> None: ...

def isa() -> str: ...
def _without_vnni(narrow: bool) -> None: ...
def pack(blocks: Any, rows: int) -> Planes: ...
def coarse(plan: Plan, planes: Planes, first: int, last: int, z: NDArray[np.float32], eps: NDArray[np.float32]) -> None: ...
def rows(blocks: Any, plan: Plan, index: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
