"""A weight matrix as its blocks or as float32, and its product with activations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..core import blocks, transformer
from ..errors import DtypeError, LengthError, NonFiniteError, RangeError
from ..models.decode import can_decode, decode_rows, decoded_by_library
from ..models.files import Model as File
from ..models.files import ModelError

WORTH_SHARING = 1 << 23  # products; below, starting threads takes longer than they save


@dataclass(frozen=True)
class Weight:
    """A matrix as it is stored.

    name: of the tensor.  encoding: of `gnosis.core.blocks.ENCODINGS`.  raw: uint8[rows, bytes of a row], perhaps a view of the
    mapped file.  columns: length of a row.
    """

    name: str
    encoding: str
    raw: np.ndarray
    columns: int

    def __post_init__(self) -> None:
        if self.encoding not in blocks.ENCODINGS:
            raise RangeError("encoding", self.encoding, f"not one of {', '.join(blocks.ENCODINGS)}")
        if self.raw.dtype != np.uint8:
            raise DtypeError("raw", str(self.raw.dtype), "must be uint8")
        weights, size = blocks.sizes(self.encoding)
        if self.raw.ndim != 2 or self.columns % weights or self.raw.shape[1] != self.columns // weights * size:
            raise LengthError(
                "raw", self.raw.shape, f"rows of {self.columns} {self.encoding} weights take {-(-self.columns // weights) * size} bytes in whole blocks"
            )

    @property
    def rows(self) -> int:
        return self.raw.shape[0]

    @property
    def nbytes(self) -> int:
        return self.raw.shape[0] * self.raw.shape[1]

    def part(self, number: int, of: int) -> Weight:
        """One of `of` matrices that lie one below the other."""
        rows = self.rows // of
        return Weight(f"{self.name}[{number}]", self.encoding, self.raw[number * rows : (number + 1) * rows], self.columns)

    @property
    def blocks(self) -> np.ndarray:
        """uint8[n, bytes of a block]: all blocks, row after row."""
        return self.raw.reshape(-1, blocks.sizes(self.encoding)[1])

    def decoded(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Rows first … last − 1 as float32[n, columns].  ModelError for a scale or value that is not finite."""
        return self._decoded(self.raw[first:last], first)

    def taken(self, rows: np.ndarray) -> np.ndarray:
        """Chosen rows as float32[n, columns]."""
        return self._decoded(self.raw[rows])

    def _decoded(self, raw: np.ndarray, first: int = 0) -> np.ndarray:
        values = decode_rows(raw, self.encoding, self.columns)
        if not np.isfinite(values).all():
            row, column = (int(i) for i in np.argwhere(~np.isfinite(values))[0])
            raise ModelError(f"tensor {self.name!r}: {values[row, column]} at row {first + row}, column {column}")
        return values

    @classmethod
    def of_file(cls, file: File, name: str) -> Weight:
        """The tensor of an open file, not copied; a block code that has no kernel as the float32 numbers that it decodes to.

        ModelError where it is missing or its encoding is not known.
        """
        info = file.info(name)
        if decoded_by_library(info.encoding) and can_decode(info.encoding):
            return cls(name, "F32", np.ascontiguousarray(file.decoded(name, np.arange(info.rows))).view(np.uint8), info.columns)
        if info.encoding not in blocks.ENCODINGS:
            raise ModelError(f"{file.path}: tensor {name!r} at offset {info.offset}: unsupported type {info.encoding}")
        return cls(name, info.encoding, file.raw(name), info.columns)


class Product(Protocol):
    """Something that multiplies: float32[t, columns] to float32[t, rows], and says what it reads for one call."""

    nbytes: int

    def __call__(self, x: np.ndarray) -> np.ndarray: ...


def roundings(columns: int) -> int:
    """How many roundings a product of two numbers goes through, at most, in a sum of that many: its own, one of 32 lanes, and a tree.

    Promises: tested `floats: experts logits`.
    """
    return -(-columns // 32) + 6


class Ordered:
    """x @ W.T from the blocks, in a fixed order of operations: the same bits for a token alone and among others.

    threads: rows are shared out over that many, where there is enough to do.
    Promises: tested `tests/test_lm.py::test_prefill_and_decode_agree_bit_for_bit`, `tests/test_architectures.py::test_a_token_alone_and_among_others`.
    """

    def __init__(self, weight: Weight, threads: int = 1) -> None:
        self.weight, self.threads, self.nbytes = weight, threads, weight.nbytes
        self.roundings = roundings(weight.columns)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        w = self.weight
        out = np.empty((len(x), w.rows), np.float32)
        parts = self.threads if len(x) * w.rows * w.columns >= WORTH_SHARING else 1
        cuts = [w.rows * i // parts for i in range(parts + 1)]
        with ExitStack() as stack:
            # map hands nothing over before it is asked, so a single part runs in this thread
            run = map if parts == 1 else stack.enter_context(ThreadPoolExecutor(parts)).map
            list(run(lambda a, b: self._part(x, out, a, b), cuts[:-1], cuts[1:]))
        return out

    def _part(self, x: np.ndarray, out: np.ndarray, first: int, last: int) -> None:
        w = self.weight
        try:
            transformer.linear_blocks(x, w.raw[first:last], w.encoding, out, first)
        except NonFiniteError as error:
            row = first + error.index if isinstance(error.index, int) else first
            raise ModelError(f"tensor {w.name!r}: a scale or weight of row {row} is not a finite number") from None


class Blas:
    """x @ W.T by the BLAS of numpy on decoded weights: fast for many tokens, and its last bits depend on how many there are."""

    def __init__(self, weight: Weight) -> None:
        self.matrix = weight.decoded()
        self.nbytes, self.roundings = self.matrix.nbytes, weight.columns

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return x @ self.matrix.T
