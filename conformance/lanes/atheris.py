"""The coverage-guided lane: atheris, which is libFuzzer for Python, over the readers, each in a process of its own.

Anything but an answer or a documented refusal is a finding: another exception, more CPU time or memory than `readers.SECONDS` and
`readers.MIB`, a process that ends, more than TIMEOUT seconds, more than MEMORY MiB.  Bytes that were found are shrunk, kept in corpus/atheris.jsonl and replayed first.

This module is also the program of the child process: `python -m gnosis.conformance.lanes.atheris NAME COUNTS [options of libFuzzer]`.
"""

from __future__ import annotations

import importlib.util
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..running import cases
from ..running.report import Disagreement, Progress, Report, Row
from .readers import READERS, Reader, outcome, within

LANE, MODULE = "atheris", "gnosis.conformance.lanes.atheris"
TIMEOUT, MEMORY, LONGEST = 10, 2048, 4096
SHRINK = 2.0  # seconds
ABSENT = "lane atheris: atheris is not installed (extra: test)"
ENDS = "ends the process: "  # how the note of a case begins that cannot be replayed in this one
_COUNTS = struct.Struct("<QQ")  # runs, refusals


@dataclass(frozen=True)
class Found:
    """What a child process reports.

    problem: None, or what ended it.  data: the bytes that did, if they are known.  exception: it was one of Python's, so that the bytes can be read
    again in this process.
    """

    runs: int
    refused: int
    problem: str | None
    data: bytes | None
    exception: bool = False


def available() -> bool:
    return importlib.util.find_spec("atheris") is not None


def search(reader: Reader, seeds: Sequence[bytes], seed: int, seconds: float) -> Found:
    """Run one reader under atheris."""
    with tempfile.TemporaryDirectory(prefix="gnosis-atheris-") as folder:
        inputs, artifacts, counts = Path(folder) / "inputs", Path(folder) / "artifacts", Path(folder) / "counts"
        inputs.mkdir()
        artifacts.mkdir()
        counts.write_bytes(bytes(_COUNTS.size))
        for i, data in enumerate(seeds):
            (inputs / f"seed-{i}").write_bytes(data)
        longest = max([LONGEST, *(2 * len(data) for data in seeds)])
        command = [
            *(reader.program or (sys.executable, "-m", MODULE)),
            reader.name,
            str(counts),
            str(inputs),
            f"-max_total_time={max(1, round(seconds))}",
            f"-seed={seed % (1 << 31) + 1}",
            f"-artifact_prefix={artifacts}/",
            f"-timeout={TIMEOUT}",
            f"-rss_limit_mb={MEMORY}",
            f"-max_len={longest}",
            "-print_final_stats=1",
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=seconds + 6 * TIMEOUT, env={**os.environ, "PYTHONHASHSEED": "0"}
            )
        except subprocess.TimeoutExpired:
            runs, refused = _COUNTS.unpack(counts.read_bytes())
            return Found(runs, refused, f"did not end {6 * TIMEOUT} seconds after its time", None)
        runs, refused = _COUNTS.unpack(counts.read_bytes())
        found = sorted(path for path in artifacts.iterdir() if not path.name.startswith("slow-unit"))
        if done.returncode == 0 and not found:
            return Found(runs, refused, None, None)
        kind = found[0].name.split("-")[0] if found else f"exit code {done.returncode}"
        problem = f"{kind}: {done.stderr.strip()[-300:]}"
        return Found(runs, refused, problem, found[0].read_bytes() if found else None, "Uncaught Python exception" in done.stdout + done.stderr)


def smaller(reader: Reader, data: bytes) -> bytes:
    """Fewer bytes that fail with the same exception: runs of bytes left out, found within SHRINK seconds."""
    read, errors = reader.open()
    kind = (outcome(read, errors, data) or "").split(":")[0]
    end, length = time.monotonic() + SHRINK, len(data) // 2
    while kind and length and time.monotonic() < end:
        at = 0
        while at < len(data) and time.monotonic() < end:
            shorter = data[:at] + data[at + length :]
            if (outcome(read, errors, shorter) or "").split(":")[0] == kind:
                data = shorter
            else:
                at += length
        length //= 2
    return data


@dataclass(frozen=True)
class Running:
    """Searches that have been started."""

    seed: int
    readers: Sequence[Reader]
    futures: Sequence[Future[tuple[Found, float]]]


def start(seed: int, seconds: float, report: Report, pool: Executor, readers: Sequence[Reader] = READERS, corpus: Path | None = None) -> Running:
    """Replay the corpus in this process, and hand a search by every reader, in a process of its own, to the pool."""
    known = {reader.name: reader for reader in readers}
    replay = Row(LANE, "corpus")
    for case in cases.kept(LANE, corpus):
        if case.check not in known:
            report.skips.append(f"corpus/{LANE}.jsonl: {case.check} is not among the readers")
            continue
        if case.note.startswith(ENDS):
            continue  # it is among the seeds of the child instead
        if not replay.checked:
            report.rows.append(replay)
        began = time.perf_counter()
        problem = outcome(*known[case.check].open(), bytes.fromhex(case.args[0]))
        replay.seconds += time.perf_counter() - began
        replay.checked += 1
        if problem:
            replay.disagreements += 1
            report.disagreements.append(Disagreement(LANE, LANE, case.check, case.args, None, problem, f"corpus/{LANE}.jsonl"))
    if not available():
        report.skips.append(ABSENT)
        return Running(seed, (), ())

    def one(reader: Reader, seeds: list[bytes]) -> tuple[Found, float]:
        began = time.perf_counter()
        return search(reader, seeds, seed, seconds / len(readers)), time.perf_counter() - began

    kept = cases.kept(LANE, corpus)
    return Running(
        seed,
        readers,
        [pool.submit(one, reader, reader.seeds() + [bytes.fromhex(case.args[0]) for case in kept if case.check == reader.name]) for reader in readers],
    )


def finish(running: Running, report: Report, progress: Progress | None = None, corpus: Path | None = None, promote: bool = True) -> None:
    """Wait for the searches; shrink, show and keep what they found."""
    for number, (reader, future) in enumerate(zip(running.readers, running.futures)):
        if progress:
            progress(f"{LANE}: {reader.name}", number / len(running.readers))
        found, spent = future.result()
        row = Row(LANE, reader.name, found.runs, found.runs - found.refused, int(found.problem is not None), spent, 0, found.refused)
        report.rows.append(row)
        if found.problem is None:
            continue
        problem = found.problem
        args: tuple[str, ...] = ()
        if found.data is not None:
            data = smaller(reader, found.data) if found.exception else found.data
            args = (data.hex(),)
            problem = (outcome(*reader.open(), data) if found.exception else ENDS + problem) or problem
        report.disagreements.append(Disagreement(LANE, LANE, reader.name, args, None, problem, f"seed {running.seed}"))
        if promote and args:
            report.promoted += cases.keep(LANE, cases.Kept(reader.name, args, problem[:120]), corpus)


def lane(
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    readers: Sequence[Reader] = READERS,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """The whole lane, two searches at a time."""
    with ThreadPoolExecutor(2) as pool:
        finish(start(seed, 2 * seconds, report, pool, readers, corpus), report, progress, corpus, promote)


def fuzz(reader: Reader, counts: str, arguments: Sequence[str]) -> None:
    """The child: never returns."""
    import atheris

    with atheris.instrument_imports(include=list(reader.modules)):
        read, errors = reader.open()
    with open(counts, "r+b") as file:
        shared = mmap.mmap(file.fileno(), _COUNTS.size)

    def one(data: bytes) -> None:
        runs, refused = _COUNTS.unpack(shared)
        _COUNTS.pack_into(shared, 0, runs + 1, refused)
        try:
            within(read, data, reset=False)
        except errors:
            _COUNTS.pack_into(shared, 0, runs + 1, refused + 1)

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


if __name__ == "__main__":
    fuzz(next(reader for reader in READERS if reader.name == sys.argv[1]), sys.argv[2], sys.argv[3:])
