"""A model file behind a URL: the header in memory as if it were mapped, tensors by ranges."""

from __future__ import annotations

import mmap
import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from ..files.remote import PIECE, Remote

FIRST = 1 << 20  # bytes of a header that are asked for at once; each time twice as many
KEPT = 1 << 26  # bytes of tensors that stay in memory until others come, of a file
GAP = 1 << 16  # bytes between two rows that are rather read than asked for twice
_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)


class Far(mmap.mmap):
    """As long as the file, and memory only where something was read: bytes 0 … filled − 1.  What lies behind them reads as zeros, so `fill` comes first.

    remote: the file.  Tensors never lie in it; they come from `read`.
    """

    remote: Remote
    filled: int

    def __new__(cls, remote: Remote) -> Far:
        made = super().__new__(cls, -1, remote.size, flags=_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        made.remote, made.filled = remote, 0
        made._kept, made._lock = OrderedDict(), threading.Lock()
        return made

    _kept: OrderedDict[tuple[int, int], bytes]
    _lock: threading.Lock

    def size(self) -> int:
        return self.remote.size

    def madvise(self, *_: Any) -> None:
        """Nothing can be given back here: it would read as zeros afterwards."""

    def fill(self, end: int) -> None:
        """Have the first `end` bytes.  RemoteError."""
        while self.filled < min(end, len(self)):
            ask = max(end, 2 * self.filled, FIRST)
            for data in self.remote.pieces(self.filled, min(ask, len(self))):
                self[self.filled : self.filled + len(data)] = data
                self.filled += len(data)

    def read(self, start: int, end: int, anew: bool = False) -> bytes:  # type: ignore[override]  # of a file, and this is none
        """Bytes of a tensor.  anew: asked for again, also when they are here.  RemoteError."""
        with self._lock:
            if not anew and (start, end) in self._kept:
                self._kept.move_to_end((start, end))
                return self._kept[start, end]
        data = self.remote.read(start, end)
        if len(data) <= KEPT // 4:
            with self._lock:
                self._kept[start, end] = data
                while sum(map(len, self._kept.values())) > KEPT:
                    self._kept.popitem(last=False)
        return data

    def rows(self, offset: int, row_bytes: int, rows: np.ndarray, anew: bool = False) -> np.ndarray:
        """Rows of a matrix that begins at offset, uint8[n, row_bytes]; rows: int[n].  Neighbours come together.  RemoteError."""
        out = np.empty((len(rows), row_bytes), np.uint8)
        order = np.argsort(rows, kind="stable")
        wanted = np.asarray(rows, np.int64)[order]
        most = max(1, PIECE // row_bytes)
        first = 0
        while first < len(wanted):
            last = first + 1
            while last < len(wanted) and (wanted[last] - wanted[last - 1] - 1) * row_bytes <= GAP and wanted[last] - wanted[first] < most:
                last += 1
            low, high = int(wanted[first]), int(wanted[last - 1]) + 1
            block = np.frombuffer(self.read(offset + low * row_bytes, offset + high * row_bytes, anew), np.uint8).reshape(-1, row_bytes)
            out[order[first:last]] = block[wanted[first:last] - low]
            first = last
        return out

    def release(self) -> None:
        """Forget the tensors that were kept."""
        with self._lock:
            self._kept.clear()


def fill(data: Any, end: int) -> None:
    """Have the first `end` bytes of a file that may lie far away."""
    if isinstance(data, Far):
        data.fill(end)
