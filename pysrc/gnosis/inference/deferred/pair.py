"""Two codes of one model: a coarse one that generates and a finer one that checks it.

Either both are files, or a code is made from the model's own weights with `libgguf` and kept as a file: the finer one is
read from its file for every check, layer by layer, and need not fit into memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from ...files.cache import cache_folder
from ...files.inputs import opened
from ...lm import EXPERT_MATRICES, MATRICES, Model, Product, written
from ...models.files import Model as File
from ...models.files import ModelError, at_hand, open_model, sha256

# What a code is called at the shell, and its name in files.  "shipped" is the model's file itself.
CODES = {"q4": "Q4_0", "q4_0": "Q4_0", "q4_1": "Q4_1", "q4_k": "Q4_K", "q5_0": "Q5_0", "q6_k": "Q6_K", "q8": "Q8_0", "q8_0": "Q8_0"}
NARROW = {"Q4_K": "Q4_0", "Q6_K": "Q8_0"}  # instead, for rows that do not divide into blocks of 256
SHIPPED = "shipped"


class Streamed:
    """A product whose weights are read from their file for each call; their pages are given back afterwards."""

    def __init__(self, product: Product, file: File, name: str, meter: Meter) -> None:
        self.product, self.file, self.name, self.meter = product, file, name, meter
        self.nbytes, self.roundings = product.nbytes, getattr(product, "roundings", None)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        out = self.product(x)
        self.meter.logical += self.nbytes
        self.file.release(self.name)
        return out


@dataclass
class Meter:
    """Bytes of refinement weights that products went through, whether they came from the disk or not."""

    logical: int = 0


@dataclass(frozen=True)
class Pair:
    """A model in two codes, ready to run.

    coarse, fine: with the same sizes and the same vocabulary, and arithmetic in one fixed order.  files: of coarse and fine.
    meter: counts what the finer one reads.  named: model, base and refine, as `open_pair` was given them.
    Promises: tested `tests/test_deferred.py::test_pairs_that_are_no_pair`.
    """

    coarse: Model
    fine: Model
    files: tuple[Path, Path]
    meter: Meter
    named: tuple[str, str, str]

    @property
    def fine_bytes(self) -> int:
        """Bytes of all matrices of the finer model, those that a full pass reads; of experts, all."""
        return sum(p.nbytes for p in self.fine.products.values()) + sum(p.nbytes for each in self.fine.experts.values() for p in each) + self.fine.head.nbytes

    def forget(self) -> None:
        """Ask the system to drop the finer model's file from its cache, so that the next pass reads the disk."""
        with opened(self.files[1], "refine") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def open_pair(model: str = "smollm2", base: str = "q4", refine: str = "q8", threads: int = 1, folder: Path | None = None) -> Pair:
    """The two codes of a model.

    model: `smollm2` or a .gguf file, from whose weights codes are made.  base, refine: a key of CODES, "shipped" for the model's file as
    it is, or the path of another .gguf file of the same model.  folder: where codes are kept (default: the user's cache).
    Raises ModelError naming what is missing or does not fit, OSError where nothing can be written.
    Promises: tested `tests/test_deferred.py::test_pairs_that_are_no_pair`.
    """
    paths = tuple(file_of(model, code, folder) for code in (base, refine))
    file = open_model(str(paths[1]))
    coarse, fine = Model.load(str(paths[0]), "ordered", threads), Model.of_file(file, "ordered", threads)
    match(coarse, fine, f"{paths[0]} and {paths[1]}")
    meter = Meter()
    fine.products = {name: Streamed(product, file, name, meter) for name, product in fine.products.items()}
    fine.experts = {name: [Streamed(product, file, name, meter) for product in each] for name, each in fine.experts.items()}
    fine.head = Streamed(fine.head, file, fine.head_name, meter)
    return Pair(coarse, fine, (paths[0], paths[1]), meter, (model, base, refine))


def match(coarse: Model, fine: Model, which: str) -> None:
    """ModelError unless both are codes of models of one shape and one vocabulary; which: what it calls them."""
    where = f"{which} are not codes of one model"
    for one in fields(coarse.config):
        a, b = getattr(coarse.config, one.name), getattr(fine.config, one.name)
        if a != b:
            raise ModelError(f"{where}: {one.name} is {a} in one and {b} in the other")
    a, b = coarse.tokenizer.tokens, fine.tokenizer.tokens
    if len(a) != len(b):
        raise ModelError(f"{where}: {len(a)} tokens in one and {len(b)} in the other")
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x != y:
            raise ModelError(f"{where}: token {i} is {x!r} in one and {y!r} in the other")
    if coarse.tokenizer.ends != fine.tokenizer.ends:
        mine, theirs = (" or ".join(map(str, sorted(m.tokenizer.ends))) or "none" for m in (coarse, fine))
        raise ModelError(f"{where}: the text ends with token {mine} in one and {theirs} in the other")


# ---- making a code -----------------------------------------------------------------------------------------------------


def file_of(model: str, code: str, folder: Path | None = None) -> Path:
    """The file of a code, made when it is not there.  The arguments and errors of `open_pair`."""
    if code.endswith(".gguf"):
        return _single(open_model(code)).here
    source = _single(open_model(model))
    if code == SHIPPED:
        return source.here
    if code not in CODES:
        raise ModelError(f"{code!r} is neither a .gguf file nor one of {', '.join([*CODES, SHIPPED])}")
    if source.format != "gguf":
        raise ModelError(f"{source.path}: codes are made from .gguf files")
    Model.of_file(source)  # so that no code is made of what cannot run
    return recode(source, CODES[code], folder or cache_folder())


def _single(file: File) -> File:
    """ModelError for a model in several files: a code and its hash are of one."""
    if len(file.paths) != 1:
        raise ModelError(f"{file.path}: the model lies in {len(file.paths)} files; a code is one file")
    return at_hand(file)


def recode(source: File, encoding: str, folder: Path) -> Path:
    """The model with the matrices of its layers in another code, as a file; the embedding, the head and the norms stay as they are.

    The name carries the source's hash and the version of the library that makes the code, so that nothing old is taken for
    it.  Where rows do not divide into the blocks of a K code, NARROW says what is taken.  Raises ModelError when `libgguf` is not installed or rows do not divide into blocks, OSError.
    """
    try:
        import libgguf  # noqa: F401  # said before anything is read
    except ImportError as error:
        raise ModelError(f"making a code needs libgguf ({error}); run: pip install 'gnosis-gates[codes]'") from None
    from importlib.metadata import version

    target = folder / f"{source.path.stem}-{sha256(source.path)[:16]}-{encoding}-libgguf{version('libgguf')}.gguf"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    written.write(target, source.here, _recoded(source, encoding))
    return target


def _recoded(source: File, encoding: str) -> Iterator[written.Tensor]:
    import gguf
    import libgguf

    for name, info in source.tensors.items():
        if name.split(".")[-2] in (*MATRICES, *EXPERT_MATRICES) and len(info.shape) > 1:
            kind = next(
                (
                    k
                    for k in (gguf.GGMLQuantizationType[e] for e in (encoding, NARROW.get(encoding, encoding)))
                    if info.columns % gguf.GGML_QUANT_SIZES[k][0] == 0
                ),
                None,
            )
            if kind is None:
                raise ModelError(f"{source.path}: tensor {name!r} has rows of {info.columns}, which do not divide into blocks of {encoding}")
            yield written.Tensor(name, kind.name, libgguf.quantize_rows(source.all_rows(name), kind).reshape(*info.shape[:-1], -1))
        else:
            values = source.all_rows(name).reshape(info.shape) if info.encoding == "F32" else source.raw(name)
            yield written.Tensor(name, info.encoding, values)
