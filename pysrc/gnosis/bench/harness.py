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


class BenchError(RuntimeError):
    """Two sides of a comparison do not agree on the result, so their times mean nothing."""


@dataclass(frozen=True)
class Row:
    """One comparison.

    work: what was done.  peer: against what.  ratio: median time of the peer over ours.  gb_per_s: bytes that the work has
    to move (read and written once) over our median time.  share_of_read: gb_per_s over the rate at which plain reading goes
    through the same data with as many threads, in the same run.  isa: instruction set of ours.  median_s, p90_s: our time.
    """

    work: str
    peer: str
    ratio: float
    gb_per_s: float
    share_of_read: float
    isa: str
    median_s: float
    p90_s: float


@dataclass(frozen=True)
class Case:
    """A comparison to be made: ours, the peer and plain reading of the data, on the same memory.

    moved: bytes that the work moves; read: bytes that `reading` reads.
    """

    work: str
    peer: str
    moved: int
    read: int
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    reading: Callable[[], Any]


def take_turns(contenders: Sequence[Callable[[], Any]], rounds: int) -> list[list[float]]:
    """Seconds of every run: one run of each to warm up, then `rounds` rounds, each starting with another contender."""
    for run in contenders:
        run()
    times: list[list[float]] = [[] for _ in contenders]
    for turn in range(rounds):
        for k in range(len(contenders)):
            i = (turn + k) % len(contenders)
            start = time.perf_counter()
            contenders[i]()
            times[i].append(time.perf_counter() - start)
    return times


def measure(case: Case, rounds: int) -> Row:
    """Run a comparison."""
    ours, theirs, reading = take_turns((case.ours, case.theirs, case.reading), rounds)
    median = float(np.median(ours))
    rate = case.moved / median
    return Row(work=case.work, peer=case.peer, ratio=float(np.median(theirs)) / median, gb_per_s=rate / 1e9,
               share_of_read=rate / (case.read / float(np.median(reading))), isa=cpu.isa(), median_s=median,
               p90_s=float(np.quantile(ours, 0.9, method="higher")))


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


def machine(data_bytes: int) -> dict[str, Any]:
    """What the numbers were measured on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or platform.machine())
    return {"cpu": name, "architecture": platform.machine(), "threads": threads(), "isa": cpu.isa(), "last_level_cache_bytes": last_level_cache(),
            "q8_0_data_bytes": data_bytes, "load_before": round(os.getloadavg()[0], 2), "system": platform.platform(),
            "python": platform.python_version(), "numpy": np.__version__, "gguf": version("gguf"), "gnosis": version("gnosis-gates")}


def report(rows: Sequence[Row], data_bytes: int) -> dict[str, Any]:
    """The JSON document: {"machine": …, "rows": […]}."""
    return {"machine": machine(data_bytes), "rows": [asdict(row) for row in rows]}
