"""Work shared out to the workers of `dask.distributed`: one task for each piece, a bounded number of them on the way at any time.

A task gets names of files and opens them itself: nothing large goes through the scheduler.  A task whose worker ends is done again by another one, so
a task must give the same result each time.  The package comes with the extra `dask`; nothing else of gnosis imports it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import queue
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .errors import ArgumentError

LOCAL = re.compile(r"local(:[1-9][0-9]{0,3})?")
CONNECT = 20.0  # seconds in which a scheduler must answer
NOBODY = 60.0  # seconds without any worker after which a run ends
TICK = 2.0  # seconds between looks at whether there are workers
AHEAD = 4  # tasks on the way for each thread of the workers, at least LEAST
LEAST = 512


class ClusterError(ArgumentError):
    """The cluster cannot do the work: not reachable, without workers, another version, or a task that ends its workers."""

    def __init__(self, where: Any, problem: str) -> None:
        super().__init__("dask", where, problem)

    @classmethod
    def _restore(cls, argument: str, value: Any, problem: str, index: Any) -> ClusterError:
        return cls(value, problem)


def _version() -> str:
    return importlib.metadata.version("gnosis-gates")


@contextmanager
def connected(where: Any) -> Iterator[Any]:
    """A client of the workers.

    where: a running `distributed.Client`, which stays open; the address of a scheduler (`tcp://host:8786`); or `local` or `local:N` for N processes of
    this machine that end with the block (as many as it has processors when no number is given).
    ClusterError where the package is missing, and for what cannot be reached.
    """
    try:
        distributed: Any = importlib.import_module("distributed")  # parts of it have no types
    except ImportError:
        raise ClusterError(where, "the package 'distributed' is not installed; run: pip install 'gnosis-gates[dask]'") from None
    if isinstance(where, distributed.Client):
        yield where
    elif not isinstance(where, str):
        raise ClusterError(where, "neither the address of a scheduler nor a distributed.Client")
    elif LOCAL.fullmatch(where):
        _, _, count = where.partition(":")
        with (
            distributed.LocalCluster(
                n_workers=int(count) if count else None,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
    else:
        try:
            client = distributed.Client(where, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(where, f"no scheduler answers there: {error}") from None
        with client:
            yield client


def _task(function: Callable[..., Any], version: str, piece: tuple[Any, ...]) -> Any:
    """What a worker runs."""
    if _version() != version:
        raise ClusterError("worker", f"it has gnosis-gates {_version()}, and the caller {version}")
    return function(*piece)


def threads(client: Any) -> int:
    """Threads of all workers, now."""
    return sum(client.nthreads().values())


def spread(client: Any, function: Callable[..., Any], pieces: Iterable[tuple[Any, ...]], ahead: int | None = None, ordered: bool = False) -> Iterator[Any]:
    """(number, function(*piece)) of every piece, as they are done, or in the order of the pieces.

    function: of a module that workers have.  pieces: are asked for when there is room.  ahead: how many may be on the way, and with `ordered` done and not
    yet handed out, at a time.  Tasks, and messages about them, are as many as pieces, whatever the number of workers.
    What the function raises is raised here; ClusterError.  Leaving the iterator takes back what was not begun.
    """
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    most = ahead if ahead is not None else max(LEAST, AHEAD * threads(client))
    version, supply = _version(), enumerate(pieces)
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    waiting: dict[Any, int] = {}
    done: dict[int, Any] = {}
    following, more = 0, True
    try:
        while True:
            batch: list[tuple[int, tuple[Any, ...]]] = []
            room = most - len(waiting) - len(done)
            while more and len(batch) < room and (2 * room > most or not waiting):  # many together, as each hand-over is a message
                try:
                    batch.append(next(supply))
                except StopIteration:
                    more = False
            if batch:
                futures = client.map(
                    _task, [function] * len(batch), [version] * len(batch), [piece for _, piece in batch], pure=False, batch_size=None, key="gnosis"
                )
                for (number, _), future in zip(batch, futures):
                    waiting[future] = number
                    future.add_done_callback(ready.put)
            if not waiting:
                return
            found = _next(client, ready)
            for future, result in zip(found, client.gather(found)):
                number = waiting.pop(future)
                if ordered:
                    done[number] = result
                else:
                    yield number, result
            while following in done:
                yield following, done.pop(following)
                following += 1
    except KilledWorker as error:
        raise ClusterError(
            _address(client), f"a task was given up when {error.allowed_failures + 1} workers had ended in the middle of it (out of memory?)"
        ) from None
    except (FutureCancelledError, TimeoutError) as error:
        raise ClusterError(_address(client), f"the scheduler has lost the work: {error}") from None
    except ModuleNotFoundError as error:
        raise ClusterError(_address(client), f"a worker lacks a package: {error}") from None
    finally:
        if waiting and client.status == "running":
            client.cancel(list(waiting))


def _next(client: Any, ready: queue.SimpleQueue[Any]) -> list[Any]:
    """Those that are done by now, at least one.  ClusterError when there has been no worker for a while, and for a scheduler that has gone."""
    since = time.monotonic()
    while True:
        try:
            found = [ready.get(timeout=TICK)]
            break
        except queue.Empty:
            if client.status != "running":
                raise ClusterError(_address(client), "the connection to the scheduler is lost") from None
            if threads(client):
                since = time.monotonic()
            elif time.monotonic() - since >= NOBODY:
                raise ClusterError(_address(client), f"no worker for {NOBODY:.0f} seconds") from None
    while True:
        try:
            found.append(ready.get_nowait())
        except queue.Empty:
            return found


def _address(client: Any) -> str:
    return str(client.scheduler.address if client.scheduler is not None else "the cluster")
