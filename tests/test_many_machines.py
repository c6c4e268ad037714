"""Work shared out to the processes of a cluster: the same figures bit for bit, also when a worker is killed, and work that grows no faster than what is asked."""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from model_files import gaussian, write_safetensors
from typer.testing import CliRunner

from gnosis import cluster
from gnosis.cli import app
from gnosis.compare import run as comparison
from gnosis.models.files import ModelError, open_model
from gnosis.models.tickets import redeemed, ticket
from gnosis.probe import run, shards
from gnosis.probe.sanity import SanityError
from gnosis.probe.settings import Settings

distributed: Any = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """Two processes with a watcher each, which starts a new one for one that ends."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, memory_limit=0, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
    ) as made:
        yield made


@pytest.fixture(scope="module")
def client(workers: Any) -> Iterator[Any]:
    with distributed.Client(workers, set_as_default=False) as made:
        yield made


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    every = tiny_models.tensors("llama")
    for kind in ("F32", "Q8_0", "Q4_0"):
        tiny_models.write(folder / f"{kind}.gguf", "llama", weights=every, kind=kind)
    rng = np.random.default_rng(0)
    (folder / "tokens.txt").write_text("\n".join(" ".join(map(str, rng.integers(1, 259, n))) for n in (300, 0, 37, 1, 500)) + "\n")
    write_safetensors(folder / "many.safetensors", {f"blk.{i}.w": gaussian(48, 64, i) for i in range(12)})
    return folder


def figures(report: Any) -> Any:
    return report.model_dump(exclude={"run", "digest"})


def kill_one(client: Any) -> int:
    """Ends one of the workers; its number."""
    (pid, *_) = client.run(os.getpid).values()
    os.kill(pid, signal.SIGKILL)
    return int(pid)


@pytest.mark.parametrize("words", [(), ("--require", "flips<=0.6 at 0.99"), ("--most", "100"), ("--only", "weights")], ids=" ".join)
def test_a_comparison_is_the_same(there: Path, workers: Any, words: tuple[str, ...]) -> None:
    """The whole document, every figure and interval, from a command that is given the address of a scheduler."""
    tokens = () if "weights" in words else ("--tokens", str(there / "tokens.txt"), "--length", "20")
    asked = ["compare", *(str(there / f"{kind}.gguf") for kind in ("F32", "Q8_0", "Q4_0")), *tokens, *words, "--json"]
    alone, shared = CliRunner().invoke(app, asked), CliRunner().invoke(app, [*asked, "--dask", workers.scheduler_address])
    assert alone.exit_code == shared.exit_code in (0, 1, 3), shared.output
    assert json.loads(alone.stdout) == json.loads(shared.stdout)


def test_a_comparison_goes_on_when_a_worker_is_killed(there: Path, client: Any) -> None:
    settings = comparison.Settings(tokens=there / "tokens.txt", length=20)
    names = str(there / "F32.gguf"), [str(there / "Q4_0.gguf")]
    alone = comparison.compare(*names, settings, lambda *_: None)
    assert alone["outputs"]["draws"] > 20
    ended = {"weights: ": 0, "flips ": 0}

    def show(what: str, done: float | None = None, total: float = 1.0) -> None:
        for begin, killed in ended.items():
            if what.startswith(begin) and done and not killed:
                ended[begin] = kill_one(client)

    assert comparison.compare(*names, settings, show, client) == alone
    assert len(set(ended.values())) == 2 and 0 not in ended.values()


def test_a_probe_goes_on_when_a_worker_is_killed(there: Path, client: Any) -> None:
    model, settings = open_model(str(there / "many.safetensors")), Settings(tensors=["*"], rows=32, positions=0)
    alone = run.probe(model, settings, workers=1)
    killed: list[int] = []

    def show(name: str, done: int, total: int) -> None:
        if 0 < done < total and not killed:
            killed.append(kill_one(client))

    shared = run.probe(model, settings, show, dask=client)
    assert killed[0] not in client.run(os.getpid).values()
    assert figures(shared) == figures(alone) and len(shared.tensors) == 12


def test_tasks_and_messages_grow_as_the_shards(there: Path, workers: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 empty shards; the scheduler and the client are in this process, so that all that they send is counted."""
    from distributed.batched import BatchedSend

    counts = {"messages": 0}
    send = BatchedSend.send

    def counted(self: Any, *messages: Any) -> None:
        counts["messages"] += len(messages)
        send(self, *messages)

    monkeypatch.setattr(BatchedSend, "send", counted)
    given = ticket(open_model(str(there / "many.safetensors")))
    found, most = {}, 0
    for many in (1000, 10_000):
        counts["messages"] = 0
        before = workers.scheduler.transition_counter
        total = shards.Calibration(3)
        for number, part in cluster.spread(client, shards.calibrated, ((given, "blk.0.w", "e8", 0.02, 0, 0, 3) for _ in range(many))):
            total = total.merge(part)
            if number % 100 == 0:
                most = max(most, len(workers.scheduler.tasks))
        assert total.count == 0
        found[many] = counts["messages"], workers.scheduler.transition_counter - before
    for few, much in zip(found[1000], found[10_000]):
        assert 10_000 <= much <= 7 * 10_000 and much / 10_000 <= 1.5 * few / 1000, found  # of each shard; what grows as the square would be ten times as much
    assert most <= 3 * cluster.LEAST, "the scheduler knows of few tasks at a time"


def test_no_more_is_begun_than_there_is_room_for(client: Any) -> None:
    """Pieces are asked for one after the other, and in order no result overtakes another one."""
    asked = []

    def pieces() -> Iterator[tuple[int]]:
        for i in range(60):
            asked.append(i)
            yield (i,)

    for number, result in cluster.spread(client, np.square, pieces(), ahead=5, ordered=True):
        assert result == number**2 and len(asked) <= number + 6
    assert len(asked) == 60
    left = cluster.spread(client, time.sleep, ((0.05,) for _ in range(1000)), ahead=8)
    next(left)
    left.close()
    deadline = time.monotonic() + 10
    while any(client.processing().values()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(client.processing().values()), "what nobody waits for is taken back"


def test_errors_of_workers_arrive_whole(there: Path, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SanityError, match="tensor 'a': b"):
        list(cluster.spread(client, _sanity, [()]))
    with pytest.raises(ModelError, match="no tensor named 'nothing'"):
        shards.calibrate_rows(str(there / "many.safetensors"), "nothing", 0.02, "0.9", 2, dask=client)
    path = there / "changed.safetensors"
    given = ticket(open_model(str(write_safetensors(path, {"w": gaussian(16, 64)}))))
    write_safetensors(path, {"w": gaussian(16, 72)})
    with pytest.raises(ModelError, match="changed.safetensors: what is read here is not the file"):
        list(cluster.spread(client, redeemed, [(given,)]))
    monkeypatch.setattr(cluster, "_version", lambda: "0.0.1")
    with pytest.raises(cluster.ClusterError, match=r"it has gnosis-gates \d.*, and the caller 0\.0\.1"):
        list(cluster.spread(client, np.square, [(1,)]))


def _sanity() -> None:
    raise SanityError("a", "b")


def test_a_task_that_ends_its_workers_ends_the_run(client: Any, workers: Any) -> None:
    with pytest.raises(cluster.ClusterError, match="given up when .* workers had ended"):
        list(cluster.spread(client, os._exit, [(1,)]))
    client.wait_for_workers(1, timeout=30)
    assert dict(cluster.spread(client, np.square, [(3,)])) == {0: 9}


def test_nothing_waits_for_ever(monkeypatch: pytest.MonkeyPatch, there: Path, workers: Any) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    monkeypatch.setattr(cluster, "NOBODY", 1.0)
    monkeypatch.setattr(cluster, "TICK", 0.1)
    done = CliRunner().invoke(app, ["probe", str(there / "many.safetensors"), "--dask", "tcp://127.0.0.1:1"])
    assert done.exit_code == 2 and "dask = 'tcp://127.0.0.1:1': no scheduler answers there" in done.stderr, done.output
    for wrong in ("tcp//nothing", "local:0", 7):
        with pytest.raises(cluster.ClusterError), cluster.connected(wrong):
            pass
    quiet = partial(distributed.LocalCluster, loop=workers.loop, processes=False, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL)
    with quiet(n_workers=0) as nobody, distributed.Client(nobody, set_as_default=False) as alone:
        with pytest.raises(cluster.ClusterError, match="no worker for 1 seconds"):
            list(cluster.spread(alone, np.square, [(1,)]))
