"""Timing by turns, and what a comparison reports."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..core import cpu
from . import peers


class BenchError(RuntimeError):
    """Two sides of a comparison do not agree on the result, so their times mean nothing."""


@dataclass(frozen=True)
class Row:
    """One comparison.

    work: what was done.  peer: against what.  ratio: median time of the peer over ours.  gb_per_s: bytes that the work has
    to move (read and written once) over our median time.  share_of_read: gb_per_s over the rate at which plain reading goes
    through the same data with as many threads, in the same run.  isa: instruction set of ours.  median_s, p90_s: our time; of
    one call where the work is a single call.  cpu_s, peer_cpu_s: median processor time of all threads of this process, ours and the peer's.
    others: processors that other programs kept busy meanwhile.  busy: whether that left fewer than the work uses: the figures then say little.
    """

    work: str
    peer: str
    ratio: float
    gb_per_s: float
    share_of_read: float
    isa: str
    median_s: float
    p90_s: float
    cpu_s: float
    peer_cpu_s: float
    others: float
    busy: bool


@dataclass(frozen=True)
class Case:
    """A comparison to be made: ours, the peer and plain reading of the data, on the same memory.

    The data may come in parts of one size; each call is told which part to work on.  moved: bytes that the work moves
    for a part; read: bytes that `reading` reads.  calls: how often the work is done in one run, where the time of one is
    asked for.  threads: that the work uses.
    """

    work: str
    peer: str
    moved: int
    read: int
    ours: Callable[[int], Any]
    theirs: Callable[[int], Any]
    reading: Callable[[int], Any]
    parts: int = 1
    calls: int = 1
    threads: int = 1


@dataclass(frozen=True)
class Skipped:
    """A comparison that cannot be made here, and why."""

    work: str
    peer: str
    reason: str


@dataclass(frozen=True)
class Effort:
    """How long to measure: at least `rounds` rounds, and on until `seconds` have passed or `most` rounds are done."""

    rounds: int
    seconds: float
    most: int = 400


QUICK, FULL = Effort(5, 1.0), Effort(15, 5.0)


def take_turns(contenders: Sequence[Callable[[int], Any]], effort: Effort, parts: int = 1) -> list[list[float]]:
    """Seconds of every run; see `clocked_turns`."""
    return clocked_turns(contenders, effort, parts)[0]


def clocked_turns(contenders: Sequence[Callable[[int], Any]], effort: Effort, parts: int = 1) -> tuple[list[list[float]], list[list[float]]]:
    """Seconds and processor seconds of every run: one run of each to warm up, then rounds, each starting with another contender.

    In one round every contender works on another part, so that none finds its data in the cache because the one before it
    has just read it.
    """
    for run in contenders:
        run(0)
    times: list[list[float]] = [[] for _ in contenders]
    spent: list[list[float]] = [[] for _ in contenders]
    end = time.perf_counter() + effort.seconds
    turn = 0
    while turn < effort.rounds or (turn < effort.most and time.perf_counter() < end):
        for k in range(len(contenders)):
            i = (turn + k) % len(contenders)
            part = (turn + i * max(1, parts // len(contenders))) % parts
            start, used = time.perf_counter(), time.process_time()
            contenders[i](part)
            times[i].append(time.perf_counter() - start)
            spent[i].append(time.process_time() - used)
        turn += 1
    return times, spent


def measure(case: Case, effort: Effort) -> Row:
    """Run a comparison."""
    started, mine, kept = time.perf_counter(), time.process_time(), busy_seconds()
    (ours, theirs, reading), (cpu_ours, cpu_theirs, _) = clocked_turns((case.ours, case.theirs, case.reading), effort, case.parts)
    others = max(0.0, busy_seconds() - kept - (time.process_time() - mine)) / (time.perf_counter() - started)
    median = float(np.median(ours))
    rate = case.moved / median
    return Row(
        work=case.work,
        peer=case.peer,
        ratio=float(np.median(theirs)) / median,
        gb_per_s=rate / 1e9,
        share_of_read=rate / (case.read / float(np.median(reading))),
        isa=cpu.isa(),
        median_s=median / case.calls,
        p90_s=float(np.quantile(ours, 0.9, method="higher")) / case.calls,
        cpu_s=float(np.median(cpu_ours)) / case.calls,
        peer_cpu_s=float(np.median(cpu_theirs)) / case.calls,
        others=round(others, 2),
        busy=others > threads() - case.threads + SLACK,
    )


SLACK = 0.1  # of a processor, for what a quiet system does by itself


def busy_seconds() -> float:
    """Seconds that all processors together were at work since the start of the system; 0 where it does not say."""
    try:
        first = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return 0.0
    user, nice, system, _, _, *interrupts = map(int, first[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def threads() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def last_level_cache() -> int:
    """Bytes of the largest cache, 0 where the system does not say."""
    sizes = [0]
    for entry in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = entry.read_text().strip()
        sizes.append(int(text[:-1]) * {"K": 1024, "M": 1024**2}[text[-1]] if text[-1] in "KM" else int(text))
    return max(sizes)


def available_memory() -> int:
    """Bytes that can be allocated now, 0 where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), 0)


def peak_memory() -> int:
    """Bytes that this process has had in memory at most, mapped files included; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def processor() -> str:
    """What the processor is called."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or platform.machine())


def machine(data_bytes: int) -> dict[str, Any]:
    """What the numbers were measured on."""
    return {
        "cpu": processor(),
        "architecture": platform.machine(),
        "threads": threads(),
        "isa": cpu.isa(),
        "last_level_cache_bytes": last_level_cache(),
        "q8_0_data_bytes": data_bytes,
        "load_before": round(os.getloadavg()[0], 2),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gguf": version("gguf"),
        "gnosis": version("gnosis-gates"),
        "peers": {library.name: library.version for library in peers.ALL if library.version},
    }


def report(rows: Sequence[Row], skipped: Sequence[Skipped], about: dict[str, Any], memory: Sequence[Any] = ()) -> dict[str, Any]:
    """The JSON document: {"machine": …, "rows": […], "memory": […], "skipped": […]}; about: of `machine`, from before the run; memory: of `memory.measure`."""
    found = {"machine": about, "rows": [asdict(row) for row in rows], "skipped": [asdict(one) for one in skipped]}
    return found | {"memory": [asdict(one) | {"copies": one.copies} for one in memory]}
