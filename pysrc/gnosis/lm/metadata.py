"""The metadata of a GGUF file, arrays included.

The whole header is checked by `gnosis.models.headers` first, so that no length below can lead past the end of the file.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from ..models.files import Model as File
from ..models.headers import GGUF_SCALARS, GGUF_STRING


def read(file: File) -> dict[str, Any]:
    """Every key of an open GGUF file: numbers, strings, lists of strings, numpy arrays of numbers; other arrays are None."""
    data = file.mapped()
    at = 8

    def number(form: str) -> Any:
        nonlocal at
        (value,) = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return value

    def string() -> str:
        nonlocal at
        length = number("<Q")
        at += length
        return bytes(data[at - length : at]).decode("utf-8", "replace")

    def value(kind: int) -> Any:
        nonlocal at
        if kind in GGUF_SCALARS:
            return number(GGUF_SCALARS[kind])
        if kind == GGUF_STRING:
            return string()
        inner, count = number("<I"), number("<Q")
        if inner == GGUF_STRING:
            return [string() for _ in range(count)]
        if inner in GGUF_SCALARS:
            dtype = np.dtype(GGUF_SCALARS[inner])
            at += count * dtype.itemsize
            return np.frombuffer(data, dtype, count, at - count * dtype.itemsize)
        for _ in range(count):
            value(inner)
        return None

    number("<Q")  # tensors
    return {string(): value(number("<I")) for _ in range(number("<Q"))}
