"""An open model by name, so that other processes can open the same one: the files themselves stay where they are."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from typing import NamedTuple

from ..files.remote import Address
from .files import BUILTIN, Model, ModelError, open_model

KEPT = 4  # models that a process holds open


class Ticket(NamedTuple):
    """name: what `open_model` takes, a whole path or URL.  shown: as the user gave it.  digest: of what the header says, of names and sizes."""

    name: str
    shown: str
    digest: str


def ticket(model: Model) -> Ticket:
    """What another process needs to open the same model."""
    first = model.paths[0]
    name = model.url or (model.name if model.name in BUILTIN else first.url if isinstance(first, Address) else os.path.abspath(first))
    return Ticket(name, model.name, _digest(model))


def _digest(model: Model) -> str:
    """SHA-256 of names, sizes and versions of the files, and of all that their headers say about tensors."""
    digest = hashlib.sha256()
    for path in model.places:
        digest.update(f"{path.name} {model.size} {model.version(path)}\n".encode("utf-8", "surrogatepass"))
    for info in model.tensors.values():
        digest.update(repr((info.name, info.shape, info.encoding, info.offset, info.file, info.column_major)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@lru_cache(maxsize=KEPT)
def redeemed(given: Ticket) -> Model:
    """The model of a ticket, opened once in a process.  ModelError for one that is not the same as where the ticket was made."""
    model = open_model(given.name)
    if _digest(model) != given.digest:
        raise ModelError(f"{model.path}: what is read here is not the file that the work was given out for (another file, or changed meanwhile)")
    model.name = given.shown
    return model
