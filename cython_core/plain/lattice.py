"""Nearest points of Z^8, D8 and E8; `gnosis.core.lattice` without a compiler.  The operations of lattice.c, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import NonFiniteError, RangeError

DIMENSION = 8
LIMIT = 2.0**21
_F = np.float32
_MAGIC = _F(12582912.0)  # 1.5 * 2^23: see lattice.c


def _round_up_halves(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """t rounded to an integer, halves up, plus MAGIC; and the integer minus t, never -0."""
    m = t + _MAGIC
    d = (m - _MAGIC) - t
    up = np.where(d == _F(-0.5), _F(1), _F(0))
    return m + up, d + up


def _coset(x: np.ndarray, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """The candidate of every row in D8 + shift, and its squared distance."""
    m, d = _round_up_halves(x - _F(shift))
    odd = (m.view(np.int32) & 1).sum(axis=1) % 2 == 1
    a = np.abs(d)
    worst, s = np.zeros(len(x), _F), np.zeros(len(x), _F)
    for k in range(DIMENSION):
        worst = np.maximum(worst, a[:, k])
        s = s + a[:, k] * a[:, k]
    s = s + np.where(odd, _F(1) - _F(2) * worst, _F(0))
    y = (m - _MAGIC) + _F(shift)
    rows = np.flatnonzero(odd)
    column = np.argmax(a[rows] == worst[rows, None], axis=1)
    y[rows, column] += np.where(d[rows, column] > 0, _F(-1), _F(1))
    return y, s


def nearest_cubic(x: Any, out: np.ndarray | None = None) -> np.ndarray:
    """Every coordinate rounded to an integer, halves up.  x: float32[n, 8], entries at most 2^21 in size.  Returns float32[n, 8]."""
    return _nearest(x, out, lambda rows: _round_up_halves(rows)[0] - _MAGIC)


def nearest_d8(x: Any, out: np.ndarray | None = None) -> np.ndarray:
    """A nearest point of D8 for every row.  x: float32[n, 8], entries at most 2^21 in size.  Returns float32[n, 8]."""
    return _nearest(x, out, lambda rows: _coset(rows, 0.0)[0])


def nearest_e8(x: Any, out: np.ndarray | None = None) -> np.ndarray:
    """A nearest point of E8 for every row.  x: float32[n, 8], entries at most 2^21 in size.  Returns float32[n, 8]."""

    def points(rows: np.ndarray) -> np.ndarray:
        whole, near = _coset(rows, 0.0)
        halves, far = _coset(rows, 0.5)
        return np.where((near <= far)[:, None], whole, halves)

    return _nearest(x, out, points)


def _nearest(x: Any, out: np.ndarray | None, points: Any) -> np.ndarray:
    """Raises NonFiniteError or RangeError naming the first entry at fault, DtypeError, LengthError, FloatEnvironmentError."""
    x = given("x", x, np.float32, (None, DIMENSION))
    out = result(out, np.float32, x.shape, (x,), in_place=True)
    _cpu.check_environment()
    bad = ~(np.abs(x) <= _F(LIMIT))
    if bad.any():
        index = divmod(int(np.argmax(bad)), DIMENSION)
        value = float(x[index])
        if not np.isfinite(value):
            raise NonFiniteError("x", value, index)
        raise RangeError("x", value, "larger than 2^21, where halves are no longer safe in float32", index)
    out[:] = points(x)
    return out
