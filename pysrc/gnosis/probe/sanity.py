"""The sanity gate: figures from a wrong decode are worse than none, so the probe stops before it reports any.

Three checks per tensor, any failure raises SanityError:
1. `redecode`: a sample of the bytes is read from the file again and decoded by a second decoder; every value must agree bit for bit.
2. `library`: the same rows through the library that owns the format (`safetensors`, or `gguf`'s reader and decoder), bit for bit.
   For a type that the first decoder leaves to that library this compares only the place of the bytes, and counts no value.
3. `statistics`: the decoded values must look like weights (limits below).  A decode that is off by a byte or takes
   exponents for mantissas passes no file check but scatters the block sizes over many powers of two.
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..codes.plain import redecode
from ..errors import ArgumentError
from ..files.inputs import opened, quoted
from ..files.remote import Place
from ..models.decode import decoded_by_library
from ..models.far import Far
from ..models.files import Model
from ..models.headers import ModelError, TensorInfo

SAMPLE_ROWS = 16
SAMPLE_VALUES = 128  # per row, at most, for plain numbers
SAMPLE_BLOCKS = 4  # per row, at most, for block codes

RMS_LIMITS = (2.0**-40, 2.0**20)
MAX_SPREAD = 6.0  # powers of two between the quartiles of the blocks' RMS
MAX_ZEROS = 0.99  # share of exact zeros
STATISTICS_BLOCK = 32


class SanityError(Exception):
    """The decode of a tensor looks wrong; nothing may be reported about it."""

    def __init__(self, tensor: str, problem: str) -> None:
        self.tensor, self.problem = tensor, problem
        super().__init__(f"tensor {quoted(tensor)}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:  # so that it crosses process borders whole
        return type(self), (self.tensor, self.problem)


@dataclass(frozen=True)
class Checked:
    """What was compared: values decoded a second time, values that the library decoded, and the library's name.

    by_library is 0 where the library was the first decoder as well: a tensor with 0 in both was decoded once.
    """

    redecoded: int
    by_library: int
    library: str | None


def check_statistics(tensor: str, values: np.ndarray) -> None:
    """Refuse float32[rows, columns] that no decode of weights would give.  Raises SanityError."""
    with np.errstate(over="ignore"):
        rms = float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))
    if not RMS_LIMITS[0] <= rms <= RMS_LIMITS[1]:
        raise SanityError(tensor, f"RMS of the decoded weights is {rms:.3g}, outside {RMS_LIMITS[0]:.3g} … {RMS_LIMITS[1]:.3g}")
    zeros = float(np.mean(values == 0))
    if zeros > MAX_ZEROS:
        raise SanityError(tensor, f"{zeros:.2%} of the decoded weights are zero, more than {MAX_ZEROS:.0%}")
    whole = values.size // STATISTICS_BLOCK * STATISTICS_BLOCK
    if whole:
        energy = np.square(values.ravel()[:whole].reshape(-1, STATISTICS_BLOCK), dtype=np.float64).sum(-1)
        low, high = np.quantile(np.log2(energy[energy > 0]) / 2, (0.25, 0.75)) if (energy > 0).any() else (0.0, 0.0)
        if high - low > MAX_SPREAD:
            raise SanityError(tensor, f"the quartiles of the blocks' RMS are {high - low:.1f} powers of two apart, more than {MAX_SPREAD}")


def _gguf_tensors(path: Path, left_out: frozenset[str]) -> list[Any]:
    """The tensors as gguf's reader sees them, without those that are left out: it knows no types but its own."""
    import gguf

    class Reader(gguf.GGUFReader):
        # Every slice of a numpy.memmap makes a new memmap, which takes most of the time that a long vocabulary needs;
        # as a plain array over the same mapping the header is read three times as fast.
        def _get(self, *args: Any, **options: Any) -> np.ndarray:
            self.data = np.asarray(self.data)  # type: ignore[assignment]  # declared as a memmap, and any array will do
            return super()._get(*args, **options)

        def _build_tensors(self, start: int, fields: list[Any]) -> None:
            super()._build_tensors(start, [f for f in fields if bytes(f.parts[1]).decode() not in left_out])

    return Reader(path).tensors


def _hollow(far: Far | None) -> Any:
    """A temporary file as long as one behind a URL, with the header of it; rows are put into it as they are asked for."""
    assert far is not None
    file = tempfile.NamedTemporaryFile(prefix="gnosis-")
    file.truncate(len(far))
    with memoryview(far) as header:
        file.write(header[: far.filled])
    file.flush()
    return file


class SecondReader:
    """The files, opened once more: plain reads, and the library that owns the format.  May be used from several threads.

    Of a file behind a URL the rows that are compared are asked for once more, and lie at their places in a temporary file that is empty elsewhere.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.library = {"gguf": "gguf", "safetensors": "safetensors"}.get(model.format, "numpy")
        self._lock = threading.Lock()
        self._left_out = frozenset(t.name for t in model.left_out)
        self._strange = model.format == "safetensors" and any(t.reason.startswith("unsupported type") for t in model.left_out)
        self._files: dict[Place, Any] = {}
        self._opened: dict[Place, Any] = {}
        self._copied: set[tuple[str, int]] = set()
        for path, far in dict(zip(model.places, model.fars)).items():
            try:
                self._files[path] = opened(path, "model") if isinstance(path, Path) else _hollow(far)
                self._opened[path] = self._open(path if isinstance(path, Path) else Path(self._files[path].name))
            except (OSError, ArgumentError) as error:
                self.close()
                raise ModelError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
            except Exception as error:  # whatever the library raises: it does not accept a file that we accepted
                self.close()
                raise ModelError(f"{path}: the library of the format refuses the file: {error}") from None

    def _open(self, path: Path) -> Any:
        if self.model.format == "gguf":
            return {t.name: t for t in _gguf_tensors(path, self._left_out)}
        if self.model.format == "safetensors":
            from safetensors import safe_open

            try:
                return safe_open(str(path), framework="numpy")
            except Exception:
                if self._strange:  # a type that the library does not know either: then it reads nothing of the file
                    return None
                raise
        return np.load(path, mmap_mode="r", allow_pickle=False)  # members of an .npz file are read when asked for

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        for there in self._opened.values():
            if hasattr(there, "close"):
                there.close()

    def __enter__(self) -> SecondReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def bytes(self, info: TensorInfo, row: int, first: int, count: int) -> bytes | None:
        """The bytes of `count` blocks of a row, from block `first` on; None for what was unpacked and lies in no file."""
        file = self._files[self.model.place(info)].fileno()
        if self.model.format == "npz" and info.file:
            return None
        if info.column_major:
            return b"".join(os.pread(file, info.block_bytes, self.model.offset(info, row, c)) for c in range(first, first + count))
        return os.pread(file, count * info.block_bytes, info.offset + row * info.row_bytes + first * info.block_bytes)

    def ask(self, info: TensorInfo, rows: np.ndarray) -> None:
        """Have these rows where they are to be read; int[n].  ModelError."""
        if self.model.far(info) is None:
            return
        with self._lock:
            wanted = np.array([row for row in rows.tolist() if (info.name, row) not in self._copied], np.int64)
            if len(wanted):
                file = self._files[self.model.place(info)].fileno()
                for row, data in zip(wanted.tolist(), self.model.raw_rows_anew(info, wanted)):
                    os.pwrite(file, data.tobytes(), info.offset + row * info.row_bytes)
                    self._copied.add((info.name, row))

    def library_rows(self, info: TensorInfo, rows: np.ndarray) -> np.ndarray | None:
        """The rows as the library gives them, float32[n, columns]; None for a type that it cannot give to numpy."""
        with self._lock:
            return self._library_rows(info, rows)

    def _library_rows(self, info: TensorInfo, rows: np.ndarray) -> np.ndarray | None:
        there = self._opened[self.model.place(info)]
        if there is None:
            return None
        if self.model.format == "gguf":
            import gguf

            tensor = there[info.name]
            data = tensor.data.reshape(info.rows, -1)[rows]
            if info.encoding == "F64":  # which the reader gives as numbers, and the decoder does not know
                with np.errstate(over="ignore"):
                    return np.array(data, np.float32)
            return np.asarray(gguf.dequantize(data, tensor.tensor_type), np.float32).reshape(len(rows), info.columns)
        if self.model.format in ("npy", "npz"):
            array = there if self.model.format == "npy" else there[info.name]
            with np.errstate(over="ignore"):
                return np.array(array.reshape(info.rows, info.columns)[rows] if array.ndim > 2 else np.atleast_2d(array)[rows], np.float32)
        if info.encoding not in ("F32", "F16", "F64"):
            return None
        part = there.get_slice(info.name)
        lead = info.shape[:-1]
        out = [part[(*(slice(i, i + 1) for i in np.unravel_index(row, lead)), slice(None))] if lead else part[:] for row in rows.tolist()]
        return np.concatenate([np.asarray(row).astype(np.float32).reshape(1, -1) for row in out])


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.astype("<f4").view("<u4") == b.astype("<f4").view("<u4")


def check_tensor(reader: SecondReader, info: TensorInfo, rows: np.ndarray, values: np.ndarray, rng: np.random.Generator) -> Checked:
    """Run the three checks on decoded rows: rows int[n], values float32[n, columns].  Raises SanityError."""
    if values.shape != (len(rows), info.columns) or values.dtype != np.float32:
        raise SanityError(info.name, f"decoded to {values.dtype}{list(values.shape)}, expected float32[{len(rows)}, {info.columns}]")
    picked = np.sort(rng.choice(len(rows), min(SAMPLE_ROWS, len(rows)), replace=False))
    reader.ask(info, rows[picked])
    blocks = info.columns // info.block
    span = min(blocks, SAMPLE_VALUES if info.block == 1 else SAMPLE_BLOCKS)
    redecoded = 0
    for i in picked.tolist():
        first = int(rng.integers(blocks - span + 1))
        raw = reader.bytes(info, int(rows[i]), first, span)
        second = None if raw is None else redecode(raw, info.encoding, info.block_bytes)
        if second is None:
            break
        offset = reader.model.offset(info, int(rows[i]), first * info.block)
        ours = values[i, first * info.block : (first + span) * info.block]
        if len(second) != len(ours) or not _same(ours, second).all():
            at = int(np.flatnonzero(~_same(ours, second))[0]) if len(second) == len(ours) else 0
            raise SanityError(
                info.name,
                f"decoded twice with different results: row {int(rows[i])}, column {first * info.block + at}, "
                f"{info.encoding} at offset {offset}: {ours[at]!r} and {second[at] if len(second) else 'nothing'!r}",
            )
        redecoded += len(second)
    through = reader.library_rows(info, rows[picked])
    if through is not None and not _same(values[picked], through).all():
        i, column = (int(v) for v in np.argwhere(~_same(values[picked], through))[0])
        raise SanityError(
            info.name,
            f"the library {reader.library} reads another value: row {int(rows[picked[i]])}, column {column}: "
            f"{values[picked[i], column]!r} and {through[i, column]!r}",
        )
    if not redecoded and through is None:
        raise SanityError(info.name, f"no second reader for the type {info.encoding}")
    check_statistics(info.name, values)
    apart = through is not None and not (reader.library == "gguf" and decoded_by_library(info.encoding))
    return Checked(redecoded, through.size if through is not None and apart else 0, None if through is None else reader.library)
