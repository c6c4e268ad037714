"""What runs the language model of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..engine import Engine
from ..files.screen import Show
from ..lm import Model, published
from ..models.files import Model as File
from ..models.files import ModelError
from .outputs import Runner


def opened(file: File, threads: int, show: Show = lambda *_: None) -> Model:
    """The language model of a file, or of a folder of safetensors with its config.json.  ModelError, naming the file, for one that is none."""
    show(f"opening {file.name}")
    try:
        return published.model_of(file, threads=threads) if file.format == "safetensors" else Model.of_file(file, threads=threads)
    except ModelError as error:
        raise error if str(file.path) in str(error) else ModelError(f"{file.path}: {error}") from None


@contextmanager
def runner(file: File, model: Model, threads: int) -> Iterator[Runner]:
    """The engine, or the model itself on the reference path where it has experts.  ModelError for what neither runs."""
    if model.config.experts:
        yield model
        return
    try:
        engine = Engine.of_model(model, threads=threads)
    except ModelError as error:
        raise ModelError(f"{file.path}: {error}") from None
    with engine:
        yield engine
