"""A GGUF model with other codes: metadata, tokenizer and the parts of a split file stay as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..files import output
from ..files.screen import Show
from ..models.files import Model as File
from ..models.files import ModelError
from .choose import Plan
from .tensors import Coder, Tensor

QUANTIZATION_VERSION = 2  # of ggml's block codes
FILE_TYPE, VERSION = "general.file_type", "general.quantization_version"
# what llama.cpp calls a file in which most weights have this type
FILE_TYPES = {"F32": 0, "F16": 1, "BF16": 32, "Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "Q5_0": 8, "Q5_1": 9, "Q2_K": 10, "Q3_K": 12, "Q4_K": 15, "Q5_K": 17}
FILE_TYPES |= {"Q6_K": 18, "IQ2_XXS": 19, "IQ2_XS": 20, "IQ3_XXS": 23, "IQ4_NL": 25, "IQ3_S": 26, "IQ2_S": 28, "IQ4_XS": 30, "MXFP4": 38}
_PART = re.compile(r"(.*)-\d{5}-of-(\d{5})")


def places(file: File, out: Path) -> list[Path]:
    """The files that `out` stands for: itself, or as many parts as the original has.  ModelError where the original is no GGUF file."""
    if file.format != "gguf":
        raise ModelError(f"{file.path}: a file is written from a GGUF original, which has the settings and the tokenizer that llama.cpp needs")
    _local(file)
    if out.suffix.lower() != ".gguf":
        raise ModelError(f"{out}: a GGUF file needs a name that ends in .gguf")
    count = len(file.places)
    if count == 1:
        return [out]
    stem = match[1] if (match := _PART.fullmatch(out.stem)) else out.stem
    return [out.with_name(f"{stem}-{i:05}-of-{count:05}.gguf") for i in range(1, count + 1)]


def _local(file: File) -> list[Path]:
    """The original's files, which the package `gguf` reads keys from.  ModelError for a URL."""
    found = [place for place in file.places if isinstance(place, Path)]
    if len(found) != len(file.places):
        raise ModelError(f"{file.path}: a file is written from an original on this machine")
    return found


def written(file: File, tensors: Mapping[str, Tensor], plan: Plan, coder: Coder, out: Path, show: Show) -> list[Path]:
    """Write the plan; tensors that it does not name stay as they are, and so do all keys but the two that name the type.

    Parts are written one after the other; each takes its name when it is whole.  ModelError, OSError.
    """
    targets = places(file, out)
    kinds: dict[str, int] = {}
    for name, info in file.tensors.items():
        code = plan.get(name, info.encoding)
        if len(info.shape) > 1:
            kinds[code] = kinds.get(code, 0) + info.weights
    most = max(kinds, key=lambda code: kinds[code]) if kinds else "F32"
    for number, target in enumerate(targets):
        with output.staged(target) as part:
            _one(file, number, part, FILE_TYPES.get(most, 0), tensors, plan, coder, show)
    return targets


def _one(file: File, number: int, part: Path, file_type: int, tensors: Mapping[str, Tensor], plan: Plan, coder: Coder, show: Show) -> None:
    import gguf

    reader = gguf.GGUFReader(_local(file)[number])
    known = reader.get_field("general.architecture")
    writer: Any = gguf.GGUFWriter(part, "" if known is None else str(known.contents()))
    writer.data_alignment = reader.alignment
    changed = {FILE_TYPE: file_type, VERSION: QUANTIZATION_VERSION}
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name not in ("general.architecture", *changed):
            array = field.types[0] == gguf.GGUFValueType.ARRAY
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=field.types[-1] if array else None)
    if number == 0:
        for key, value in changed.items():
            writer.add_uint32(key, value)
    if known is None:
        writer.kv_data[0].pop("general.architecture", None)
    own = [info for info in file.tensors.values() if info.file == number]
    for info in own:
        code = plan.get(info.name, info.encoding)
        kind = gguf.GGMLQuantizationType[code]
        size = tensors[info.name].size(code) if info.name in plan else info.nbytes
        writer.add_tensor_info(info.name, info.shape, np.dtype(np.float32), size, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for i, info in enumerate(own):
        show(f"writing {info.name}", i, len(own))
        raw = coder.raw(tensors[info.name], plan[info.name]) if info.name in plan else file.raw(info.name)
        writer.write_tensor_data(np.ascontiguousarray(raw))
        file.release(info.name)
    writer.close()
