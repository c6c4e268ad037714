"""Small model files for the tests of the probe, written by the libraries that own the formats."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

GGUF_QUANTIZED = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1")
GGUF_K = ("Q4_K", "Q5_K", "Q6_K")


def gaussian(rows: int, columns: int, seed: int = 0, scale: float = 0.05) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal((rows, columns)) * scale).astype(np.float32)


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> Path:
    save_file(tensors, path)
    return path


def write_raw_safetensors(path: Path, header: object, data: bytes, length: int | None = None) -> Path:
    """A safetensors file from any header, true or not."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)
    return path


def k_blocks(kind: str, blocks: int, seed: int = 0) -> np.ndarray:
    """Random bytes of K-quant blocks with small scales, uint8[blocks, block bytes]."""
    rng = np.random.default_rng(seed)
    raw = rng.integers(0, 256, (blocks, gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]][1]), dtype=np.uint8)
    scale = np.float16(0.001)
    if kind == "Q6_K":
        raw[:, 208:210] = np.frombuffer(scale.tobytes(), np.uint8)
    else:
        raw[:, 0:2] = raw[:, 2:4] = np.frombuffer(scale.tobytes(), np.uint8)
    return raw


def write_gguf(path: Path, tensors: dict[str, tuple[np.ndarray, str]], strings: int = 0) -> Path:
    """tensors: name → (float32 weights, or uint8 rows of blocks, ggml type)."""
    writer = gguf.GGUFWriter(path, "llama")
    if strings:
        writer.add_array("tokenizer.ggml.tokens", [f"t{i}" for i in range(strings)])
    for name, (values, kind) in tensors.items():
        qtype = gguf.GGMLQuantizationType[kind]
        data = values if values.dtype == np.uint8 else gguf.quantize(values, qtype)
        writer.add_tensor(name, data, raw_dtype=None if kind in ("F32", "F16") else qtype)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _text(text: str | bytes) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def raw_gguf(
    entries: list[bytes],
    pairs: Sequence[bytes] = (),
    data: bytes = b"",
    version: int = 3,
    tensors: int | None = None,
    keys: int | None = None,
    magic: bytes = b"GGUF",
) -> bytes:
    """A GGUF file from any entries, true or not, padded to the alignment of 32 before the data."""
    head = magic + struct.pack("<IQQ", version, len(entries) if tensors is None else tensors, len(pairs) if keys is None else keys)
    head += b"".join(pairs) + b"".join(entries)
    return head + b"\0" * (-len(head) % 32) + data


def entry(name: str | bytes = "w", dims: tuple[int, ...] = (32, 4), kind: int = 0, offset: int = 0, count: int | None = None) -> bytes:
    """One tensor entry; dims innermost first, as the file has them."""
    return (
        _text(name) + struct.pack("<I", len(dims) if count is None else count) + b"".join(struct.pack("<Q", d) for d in dims) + struct.pack("<IQ", kind, offset)
    )


def pair(key: str, kind: int, value: bytes) -> bytes:
    return _text(key) + struct.pack("<I", kind) + value


def text_value(text: str) -> bytes:
    return _text(text)
