"""A language model as a GGUF file: its tensors as they are now, with the metadata of the file that it came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files import output
from ..models.files import Model as File
from ..models.files import ModelError
from .equivalent import recoded, rotated
from .model import Model

CODED = ("general.file_type", "general.quantization_version")  # keys about the code that the source is in


class Tensor(NamedTuple):
    """values: float32 of the tensor's shape for F32, else uint8[…, bytes of a row]."""

    name: str
    encoding: str
    values: np.ndarray


def write(path: Path, source: Path, tensors: Iterable[Tensor], without: Collection[str] = ()) -> None:
    """A file with these tensors and the keys of the source.

    source: a .gguf file, whose metadata are copied with their types.  without: keys that are not.  ModelError for metadata that are no text; OSError, also for a path that cannot
    be written; what was there is then as it was.
    """
    import gguf

    try:
        reader = gguf.GGUFReader(source)
        with output.staged(path) as part:
            writer = gguf.GGUFWriter(part, str(reader.fields["general.architecture"].contents()))
            _keys(reader, writer, without)
            for name, encoding, values in tensors:
                if encoding == "F32":
                    writer.add_tensor(name, np.ascontiguousarray(values, np.float32))
                else:
                    writer.add_tensor(name, np.ascontiguousarray(values), raw_dtype=gguf.GGMLQuantizationType[encoding])
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
            writer.close()
    except UnicodeDecodeError as error:
        raise ModelError(f"{source}: the metadata are not UTF-8 text ({error})") from None


def _keys(reader: Any, writer: Any, without: Collection[str]) -> None:
    import gguf

    for field in reader.fields.values():
        if field.name == "general.architecture" or field.name in without or field.name.startswith("GGUF."):
            continue
        array = field.types[0] == gguf.GGUFValueType.ARRAY
        writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=field.types[-1] if array else None)


def tensors_of(model: Model) -> Iterator[Tensor]:
    """Every tensor of a model without experts, matrices as they are stored, vectors in float32."""
    for name, weight in model.weights.items():
        yield Tensor(name, weight.encoding, weight.raw.view("<f4") if weight.encoding == "F32" else weight.raw)
    for name, values in model.norms.items():
        yield Tensor(name, "F32", values)


def rewritten(source: File, path: Path, encoding: str, seed: int = 0) -> None:
    """A model of one function with other weights (`equivalent.rotated`), its matrices in one code, as a file; float16 numbers are what is coded.

    encoding: one that `gguf` writes.  Files of one seed are codes of one set of weights.  ModelError, RangeError, OSError.
    """
    model = Model.of_file(source)
    turned = rotated(model, seed)
    if encoding != "F16":
        turned = recoded(turned, encoding)
    write(path, source.here, tensors_of(turned), CODED)
