"""The argmax of exact products by another path, to hold the certified head against.

Nothing here knows the nested code: weights decoded to float32, products by the float64 BLAS with the bound of any summation order,
and whole numbers for the rows that this leaves undecided.
"""

from __future__ import annotations

import numpy as np

from ..lm.weights import Weight
from ..numbers.exact import integers


class Reference:
    """weight: any matrix of finite weights that float32 holds exactly.

    Promises: tested `tests/test_head.py::test_the_reference_decides_ties_in_whole_numbers`, `floats: reference near ties`.
    """

    def __init__(self, weight: Weight) -> None:
        self.matrix = weight.decoded()
        self.wide = self.matrix.astype(np.float64)
        self.largest = float(np.sqrt(np.max(np.einsum("rk,rk->r", self.wide, self.wide)))) * (1 + 2.0**-40)
        self.undecided = 0

    def argmax(self, a: np.ndarray) -> np.ndarray:
        """The row of the largest exact product with each row of a float32[n, columns], lowest on ties; int64[n].

        A sum of n products in any order, fused or not, errs by at most gamma_n times the sum of their sizes, which is at most the
        product of the norms (Cauchy–Schwarz); n + 8 and the widened norms cover the roundings of the bound itself
        and of what it is compared with.
        Promises: tested `tests/test_head.py::test_the_reference_decides_ties_in_whole_numbers`, `floats: reference near ties`.
        """
        wide = a.astype(np.float64)
        products = wide @ self.wide.T
        n = a.shape[1]
        bound = (n + 8) * 2.0**-53 * 1.001 * self.largest * np.sqrt(np.einsum("nk,nk->n", wide, wide)) * (1 + 2.0**-40) + 2.0**-1000
        out = products.argmax(axis=1)
        for i, (row, b) in enumerate(zip(products, bound)):
            near = np.flatnonzero(row >= row[out[i]] - 2 * b)  # each of two products errs by b at most
            if len(near) > 1:
                self.undecided += 1
                x, _ = integers(a[i], "activation")
                scores = [_whole(self.matrix[r], x) for r in near]
                out[i] = near[scores.index(max(scores))]
        return out


def _whole(row: np.ndarray, x: list[int]) -> int:
    """The product in units of 2^-149 times that of x: a float32 is a multiple of 2^-149, and Python's integers hold any."""
    return sum(_times(w) * v for w, v in zip(row.tolist(), x))


def _times(w: float) -> int:
    """w · 2^149 of a float32, exactly."""
    n, d = w.as_integer_ratio()
    return n * ((1 << 149) // d)
