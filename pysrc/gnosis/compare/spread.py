"""A comparison's tensors and passages on the workers of a cluster: each worker opens the files itself, and sends back figures."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ..cluster import spread, threads
from ..lm import Model
from ..lm import metadata as gguf_metadata
from ..lm.config import Config, read_config
from ..lm.tokenizer import Numbers, Tokenizer, tokenizer_of
from ..models.files import Model as File
from ..models.tickets import Ticket, redeemed, ticket
from . import names, weights
from .outputs import Runner, Seen, read
from .runners import opened, runner

AHEAD = 3  # passages on the way for each thread of the workers: what is read in vain when a decision falls

_one_at_a_time = threading.Lock()


@lru_cache(maxsize=4)
def _pairs(original: Ticket, quantized: Ticket) -> names.Pairs:
    return names.paired(redeemed(original), redeemed(quantized))


def _tensor(original: Ticket, quantized: Ticket, number: int) -> dict[str, Any]:
    return weights.measured(_pairs(original, quantized).pairs[number])


def tensors(client: Any, original: File, quantized: File, count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, `weights.measured`) of every pair of tensors, as they are done.  ModelError, ClusterError."""
    one, two = ticket(original), ticket(quantized)
    return spread(client, _tensor, ((one, two, number) for number in range(count)))


@lru_cache(maxsize=1)  # those of one comparison at a time: their memory is that of the models
def _runners(tickets: tuple[Ticket, ...], count: int) -> tuple[ExitStack, list[Runner]]:
    stack = ExitStack()
    return stack, [stack.enter_context(runner(file, opened(file, count), count)) for file in map(redeemed, tickets)]


def _run(tickets: tuple[Ticket, ...], count: int) -> list[Runner]:
    with _one_at_a_time:  # so that two threads of a worker do not both make them
        return _runners(tickets, count)[1]


def _ready(tickets: tuple[Ticket, ...], count: int) -> None:
    _run(tickets, count)


def ready(client: Any, files: Sequence[File], count: int) -> None:
    """Have one worker make the engines.  ModelError for a model that cannot be run, ClusterError."""
    list(spread(client, _ready, [(tuple(map(ticket, files)), count)]))


def _passage(tickets: tuple[Ticket, ...], tokens: tuple[int, ...], top: int, count: int) -> list[Seen]:
    return read(_run(tickets, count), tokens, top)


def passages(client: Any, files: Sequence[File], every: Iterator[tuple[int, ...]], top: int, count: int) -> Iterator[tuple[int, list[Seen]]]:
    """(number, `outputs.read`) of passages in their order.  count: threads of each engine.  Errors of `read`; ModelError, ClusterError."""
    tickets = tuple(map(ticket, files))
    return spread(client, _passage, ((tickets, tokens, top, count) for tokens in every), AHEAD * max(1, threads(client)), ordered=True)


@dataclass(frozen=True)
class Described:
    """What a file says of a language model that runs elsewhere; its weights are not read."""

    config: Config
    metadata: dict[str, Any]

    @cached_property
    def tokenizer(self) -> Tokenizer | Numbers:
        return tokenizer_of(self.metadata)


def described(file: File) -> Model | Described:
    """The model of a file without its weights where that is a GGUF file.  ModelError for one that is no language model."""
    if file.format != "gguf":
        return opened(file, 1)
    metadata = gguf_metadata.read(file)
    return Described(read_config(str(file.path), metadata, file.tensors), metadata)
