"""The tensors of a file that get a code: what each can have, its importances, its errors in every type."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..files.screen import Show
from ..lm.weights import Weight
from ..models.decode import can_decode
from ..models.files import Model as File
from ..models.roles import layer
from . import codes, importance
from .choose import Option
from .state import State

SAMPLE = 48  # rows of a tensor whose errors stand for all
PIECE = 1 << 22  # weights that are coded at a time
KEPT = 1 << 30  # bytes of coded tensors that are kept for the next trial
ROUTER = "ffn_gate_inp"  # chooses among experts; llama.cpp keeps it as it is


@dataclass(frozen=True)
class Tensor:
    """name; rows, columns; encoding, nbytes: as the file has it.  types: those that it can have, its own for None of them."""

    name: str
    rows: int
    columns: int
    encoding: str
    nbytes: int
    types: tuple[str, ...]

    def size(self, code: str) -> int:
        row = codes.row_bytes(code, self.columns)
        assert row is not None
        return self.nbytes if code == self.encoding else self.rows * row

    @property
    def role(self) -> str:
        """Its name without the number of its layer."""
        number = layer(self.name)
        return self.name.removesuffix(".weight") if number is None else self.name.removesuffix(".weight").split(f".{number}.", 1)[1]


def chosen(file: File, types: Sequence[str]) -> list[Tensor]:
    """The matrices of a file for which there is a choice."""
    found = []
    for name, info in file.tensors.items():
        if len(info.shape) < 2 or min(info.shape) < 2 or ROUTER in name or not can_decode(info.encoding):
            continue
        fitting = [code for code in types if (row := codes.row_bytes(code, info.columns)) is not None and info.rows * row < info.nbytes]
        if fitting:
            found.append(Tensor(name, info.rows, info.columns, info.encoding, info.nbytes, (*fitting, info.encoding)))
    return found


class Coder:
    """Tensors of a file in codes."""

    def __init__(self, file: File, weighed: dict[str, np.ndarray]) -> None:
        self.file, self.weighed = file, weighed
        self._kept: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()

    def importance(self, tensor: Tensor) -> np.ndarray | None:
        return importance.fitting(self.weighed, tensor.name, tensor.rows, tensor.columns)

    def raw(self, tensor: Tensor, code: str) -> np.ndarray:
        """uint8[rows, bytes of a row].  ModelError, NonFiniteError."""
        if code == tensor.encoding:
            return self.file.raw(tensor.name)
        key = (tensor.name, code)
        if key not in self._kept:
            weights = self.importance(tensor)
            parts = 1 if weights is None else weights.size // tensor.columns
            step = max(1, PIECE // tensor.columns) if parts == 1 else tensor.rows
            pieces = [
                codes.coded(tensor.name, self.file.rows(tensor.name, np.arange(at, min(at + step, tensor.rows))), code, weights)
                for at in range(0, tensor.rows, step)
            ]
            self.file.release(tensor.name)
            self._kept[key] = np.concatenate(pieces)
            while sum(raw.nbytes for raw in self._kept.values()) > KEPT and len(self._kept) > 1:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def weight(self, tensor: Tensor, code: str) -> Weight:
        return codes.weight(tensor.name, code, self.raw(tensor, code), tensor.columns)

    def errors(self, tensor: Tensor, state: State) -> dict[str, float]:
        """Of every type, Σ importance (weight − decoded)² over the tensor, from a sample of its rows, evenly spread."""
        name = f"errors {tensor.name}"
        known = state.get(name)
        if known is None:
            rows = np.unique(np.linspace(0, tensor.rows - 1, min(tensor.rows, SAMPLE)).astype(np.int64))
            values, weights = self.file.rows(tensor.name, rows), self.importance(tensor)
            if weights is not None:  # of experts: the mean of all
                weights = weights.reshape(-1, tensor.columns).mean(axis=0)
            share = tensor.rows / len(rows)
            known = {tensor.encoding: 0.0}
            for code in tensor.types[:-1]:
                known[code] = share * codes.error(values, codes.coded(tensor.name, values, code, weights), code, weights)
            state.put(name, known)
        return dict(known)

    def options(self, tensor: Tensor, errors: dict[str, float]) -> list[Option]:
        return [Option(code, tensor.size(code), errors[code]) for code in tensor.types]


def all_errors(coder: Coder, tensors: Sequence[Tensor], state: State, show: Show) -> dict[str, dict[str, float]]:
    found = {}
    for i, tensor in enumerate(tensors):
        show(f"errors of every type: {tensor.name}", i, len(tensors))
        found[tensor.name] = coder.errors(tensor, state)
    return found
