"""Which files make up a model, and whether they are all there."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..errors import ArgumentError
from ..files.grammar import json_object
from ..files.inputs import quoted, read_text, shown
from ..files.remote import Address, Place, exists, told
from .headers import Header, ModelError

INDEX = ".safetensors.index.json"
PART = re.compile(r"(.*)-(\d{1,6})-of-(\d{1,6})(\.gguf|\.safetensors)", re.IGNORECASE | re.DOTALL)
MOST_PARTS = 4096
MOST_NAMED = 151_000  # tensors in an index


@dataclass(frozen=True)
class Parts:
    """places: the files with tensors, in order.  index: the index file, where there is one.  expected: where it says that each tensor lies."""

    places: list[Place]
    index: list[Place] = field(default_factory=list)
    expected: dict[str, Place] = field(default_factory=dict)


def _beside(path: Place, tensor: str, file: str) -> Place:
    """The file that an index names.  ModelError for one outside of its folder.

    A part may be a link only to where the index's own folder may reach: in a cache of the Hugging Face Hub the files of a snapshot are
    links into `blobs` beside `snapshots`.
    """
    relative = PurePosixPath(file)
    what = f"{path}: tensor {quoted(tensor)}: {quoted(file)} is not the name of a .safetensors file beside the index or below it"
    if relative.is_absolute() or ".." in relative.parts or not file.endswith(".safetensors") or not file.isprintable() or "\\" in file or len(file) > 1024:
        raise ModelError(what)
    if isinstance(path, Address):
        if any(letter in file for letter in "?#%:"):
            raise ModelError(what)
        return path.with_name(file)
    home = path.parent.resolve()
    roots = [home, *(above.parent / "blobs" for above in (path.parent.absolute(), *path.parent.absolute().parents) if above.name == "snapshots")]
    try:
        real = (path.parent / relative).resolve()
    except (OSError, RuntimeError) as error:  # a link to itself
        raise ModelError(f"{path}: tensor {quoted(tensor)}: {quoted(file)}: {shown(error)}") from None
    if not any(real.is_relative_to(root) or real.is_relative_to(root.resolve()) for root in roots):
        raise ModelError(f"{what}: it leads to {quoted(str(real))}")
    return path.parent / relative


def _is_there(path: Place) -> bool:
    """ModelError where that cannot be told."""
    try:
        return exists(path) if isinstance(path, Address) else path.is_file()
    except OSError as error:
        raise ModelError(told(path, error)) from None


def _indexed(path: Place) -> Parts:
    """What an index file says.  Raises ModelError."""
    try:
        fields = json_object(read_text(path, "index"), "index", None, MOST_NAMED, own=False)
    except OSError as error:
        raise ModelError(told(path, error)) from None
    except ArgumentError as error:
        raise ModelError(f"{path}: {error.problem}") from None
    names = fields.get("weight_map")
    if not isinstance(names, dict) or not names or not all(isinstance(file, str) for file in names.values()):
        raise ModelError(f"{path}: weight_map is not an object of file names")
    places: dict[str, Place] = {}
    for tensor, file in names.items():
        if file not in places:
            places[file] = _beside(path, tensor, file)
            if len(places) > MOST_PARTS:
                raise ModelError(f"{path}: more than {MOST_PARTS} files")
    return Parts([places[file] for file in sorted(places)], [path], {tensor: places[file] for tensor, file in names.items()})


def files_of(path: Place) -> Parts:
    """The files of the model that a path stands for.  Raises ModelError for an index and for a part whose other parts are not there."""
    if path.name.endswith(INDEX):
        return _indexed(path)
    split = PART.fullmatch(path.name)
    if split is None:
        return Parts([path])
    stem, number, count, suffix = split[1], int(split[2]), int(split[3]), split[4]
    if not 1 <= number <= count <= MOST_PARTS:
        raise ModelError(f"{path}: part {number} of {count} is not possible")
    index = path.with_name(stem + INDEX)
    if suffix.lower() == ".safetensors" and _is_there(index):
        found = _indexed(index)
        if path.name not in {place.name for place in found.places}:
            raise ModelError(f"{path}: {index.name} beside it does not name this part")
        return found
    digits = len(split[2]), len(split[3])
    places = [path.with_name(f"{stem}-{i:0{digits[0]}}-of-{split[3]}{suffix}") for i in range(1, count + 1)]
    missing = [place for place in places if isinstance(place, Path) and not os.path.lexists(place)]  # of others it is noticed when they are opened
    if missing and path not in missing:
        raise ModelError(f"{missing[0]}: No such file; {path.name} is part {number} of {count} of a model, and {len(missing)} of its parts are missing")
    return Parts(places)


def folder(path: Path) -> Path:
    """The model in a folder.  Raises ModelError."""
    for name in ("model.safetensors.index.json", "model.safetensors"):
        if (path / name).is_file():
            return path / name
    found = sorted(path.glob("*.gguf"))
    first = {(part[1], part[3], part[4]): file for file in reversed(found) if (part := PART.fullmatch(file.name))}
    if len(found) == 1 or (len(first) == 1 and all(PART.fullmatch(file.name) for file in found)):
        return found[0]
    raise ModelError(f"{path}: a directory without model.safetensors.index.json, without model.safetensors, and with {len(found)} .gguf files; name a file")


def far_folder(path: Address) -> Address:
    """The same of a URL that ends in a slash; what else lies there cannot be known."""
    for name in ("model.safetensors.index.json", "model.safetensors"):
        if _is_there(path.with_name(name)):
            return path.with_name(name)
    raise ModelError(f"{path}: neither model.safetensors.index.json nor model.safetensors lies there; name a file")


def complete(path: Place, parts: Parts, headers: list[Header], lies_in: dict[str, Place]) -> None:
    """ModelError unless the files are all of the model: what an index, a split GGUF file and a file's name say of the others holds.

    headers: of the parts, in order.  lies_in: the file of every tensor, those that are left out included.
    """
    for tensor, place in parts.expected.items():
        if lies_in.get(tensor) != place:
            raise ModelError(f"{path}: tensor {quoted(tensor)}: the index says that it lies in {place.name}, and it does not")
    for tensor, place in lies_in.items() if parts.index else ():
        if tensor not in parts.expected:
            raise ModelError(f"{path}: tensor {quoted(tensor)} of {place.name} is not in the index")
    for number, (place, header) in enumerate(zip(parts.places, headers)):
        if header.split is None:
            if any(other.split for other in headers):
                raise ModelError(f"{place}: it does not say which part of the model it is, and others do")
            continue
        no, count, tensors = header.split
        if count > 1 and len(parts.places) == 1:
            raise ModelError(
                f"{place}: part {no + 1} of {count} of a model (split.count); its parts are read together when they are named x-00001-of-{count:05}.gguf"
            )
        if (no, count) != (number, len(parts.places)):
            raise ModelError(
                f"{place}: it says that it is part {no + 1} of {count} (split.no, split.count), and is named as part {number + 1} of {len(parts.places)}"
            )
        if tensors is not None and tensors != len(lies_in):
            raise ModelError(f"{place}: the model has {tensors} tensors (split.tensors.count), in its {count} parts there are {len(lies_in)}")
