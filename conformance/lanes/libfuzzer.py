"""The libFuzzer lane: the C kernels with address and undefined-behaviour sanitizers, under coverage-guided inputs.

For each kernel there is a target in fuzz/, which also holds the instruction sets against each other bit for bit, and the results
against exact references where those are cheap.  Needs clang with its libFuzzer runtime and the sources of a checkout; what is missing
is said and counted as skipped.  What is built is kept in build/conform/fuzz by the hash of what it is built from.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ...spine.paths import SpineNotFound, root
from ..running import cases
from ..running.report import Disagreement, Progress, Report, Row

LANE = "libfuzzer"
TARGETS = Path(__file__).parents[1] / "fuzz"
# The slowest to build comes first.  blocks: the transformer's products read its blocks, and the engine packs them.
SOURCES = {
    "engine": ("engine", "engine_kernels", "engine_pack", "engine_pool", "blocks"),
    "transformer": ("transformer", "blocks"),
    "blocks": ("blocks",),
    "head": ("head",),
    "lattice": ("lattice",),
    "margin": ("margin",),
    "conformal": ("conformal",),
    "cumloss": ("cumloss",),
    "energy": ("energy",),
    "stream": ("stream",),
}
# As the kernels are built for use, but for the level of optimisation.  Checks of addresses by calls, and none of pointers that the
# address sanitizer covers, make the build twice as fast.
FLAGS = (
    "-O1",
    "-gline-tables-only",
    "-std=gnu11",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-w",
    "-fsanitize=fuzzer,address,undefined",
    "-fno-sanitize=null,object-size,pointer-overflow",
    "-fno-sanitize-recover=all",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=0",
)
TIMEOUT, MEMORY, LONGEST = 10, 2048, 4096
SHRINK = 4  # seconds for making a finding small
_NO_PTRACE = "LeakSanitizer has encountered a fatal error"


def absent(kernels: Path | None = None) -> str | None:
    """Why the lane cannot run here; None if it can.  kernels: the folder of the C sources, None for that of the checkout."""
    if kernels is None:
        try:
            kernels = root() / "cython_core"
        except SpineNotFound:
            return "the C sources of the kernels are in a checkout only"
    if not (kernels / "energy.c").is_file() or not TARGETS.is_dir():
        return "the C sources of the kernels are in a checkout only"
    if shutil.which("clang") is None:
        return "clang is not installed"
    folder = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True).stdout.strip()
    if not folder or not any(Path(folder).glob("lib/**/libclang_rt.fuzzer*")):
        version = re.search(r"version (\d+)", subprocess.run(["clang", "--version"], capture_output=True, text=True).stdout)
        package = f"libclang-rt-{version[1]}-dev" if version else "compiler-rt"
        return f"clang has no libFuzzer runtime here (Debian and Ubuntu: apt-get install {package})"
    return None


class BuildFailed(Exception):
    """clang refused a target; the message is its own."""


def build(stem: str, kernels: Path | None = None, where: Path | None = None) -> Path:
    """The program of a target, built unless it is there already.  Raises BuildFailed."""
    kernels = root() / "cython_core" if kernels is None else kernels
    where = root() / "build" / "conform" / "fuzz" if where is None else where
    sources = [TARGETS / f"{stem}.c", *(kernels / f"{name}.c" for name in (*SOURCES[stem], "cpu"))]
    digest = hashlib.sha256(repr(FLAGS).encode())
    for path in (*sources, TARGETS / "common.h", *sorted(kernels.glob("*.h"))):
        digest.update(path.read_bytes())
    program = where / f"{stem}-{digest.hexdigest()[:16]}"
    if program.exists():
        return program
    where.mkdir(parents=True, exist_ok=True)
    for old in where.glob(f"{stem}-*"):
        if time.time() - old.stat().st_mtime > 24 * 3600:  # another run may be using a younger one
            old.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=where) as folder:
        made = Path(folder) / stem
        done = subprocess.run(["clang", *FLAGS, f"-I{kernels}", f"-I{TARGETS}", *map(str, sources), "-lm", "-o", str(made)], capture_output=True, text=True)
        if done.returncode:
            raise BuildFailed(done.stderr.strip()[-2000:])
        made.replace(program)
    return program


@dataclass(frozen=True)
class Found:
    """What one target did.  faults: what was found, with its bytes; a fault of the corpus is marked as such."""

    replayed: int
    runs: int
    faults: Sequence[tuple[str, bytes | None, bool]]


def _call(program: Path, *arguments: str, leaks: int = 1) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "ASAN_OPTIONS": f"detect_leaks={leaks}:allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=1"},
    )
    if leaks and _NO_PTRACE in done.stderr:  # where a process may not look at itself; everything else is still checked
        return _call(program, *arguments, leaks=0)
    return done


def _why(done: subprocess.CompletedProcess[str]) -> str:
    """The line that says what was wrong."""
    for pattern in (r"^gnosis: .*", r".*runtime error: .*", r"^SUMMARY: .*", r"^.*ERROR: .*"):
        found = re.search(pattern, done.stderr, re.M)
        if found:
            return re.sub(r"\S*/(?=[^/ ]+:\d+)", "", found[0])
    return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"


def search(program: Path, inputs: Sequence[bytes], seed: int, seconds: float) -> Found:
    """Replay the inputs, then look for new ones."""
    faults: list[tuple[str, bytes | None, bool]] = []
    with tempfile.TemporaryDirectory(prefix="gnosis-libfuzzer-") as name:
        folder = Path(name)
        corpus, artifacts, rng = folder / "corpus", folder / "artifacts", Random(seed)
        corpus.mkdir()
        artifacts.mkdir()
        for i, data in enumerate(inputs):
            (folder / f"old-{i}").write_bytes(data)
            done = _call(program, str(folder / f"old-{i}"))
            if done.returncode:
                faults.append((_why(done), data, True))
        for i in range(16):
            (corpus / str(i)).write_bytes(rng.randbytes(rng.choice((64, 300, 1000, LONGEST))))
        done = _call(
            program,
            str(corpus),
            f"-max_total_time={max(1, round(seconds))}",
            f"-seed={seed % (1 << 31) + 1}",
            f"-artifact_prefix={artifacts}/",
            "-len_control=0",
            f"-timeout={TIMEOUT}",
            f"-rss_limit_mb={MEMORY}",
            f"-max_len={LONGEST}",
            "-print_final_stats=1",
        )
        runs = [int(n) for n in re.findall(r"^(?:#|stat::number_of_executed_units: )(\d+)", done.stderr, re.M)]
        found = sorted(path for path in artifacts.iterdir() if not path.name.startswith("slow-unit"))
        if found:
            smaller = folder / "smaller"
            _call(program, "-minimize_crash=1", f"-max_total_time={SHRINK}", f"-exact_artifact_path={smaller}", str(found[0]))
            data = (smaller if smaller.exists() else found[0]).read_bytes()
            faults.append((_why(done), data, False))
        elif done.returncode:
            faults.append((_why(done), None, False))
    return Found(len(inputs), max(runs, default=0), faults)


@dataclass(frozen=True)
class Running:
    """Targets that are being built and run."""

    seed: int
    stems: Sequence[str]
    futures: Sequence[Future[tuple[Found, float]]]


def start(
    seed: int,
    seconds: float,
    report: Report,
    pool: Executor,
    stems: Sequence[str] = tuple(SOURCES),
    kernels: Path | None = None,
    where: Path | None = None,
    corpus: Path | None = None,
) -> Running:
    """Hand the targets to the pool: build, replay of corpus/libfuzzer.jsonl, search."""
    why = absent(kernels)
    if why:
        report.skips.append(f"lane {LANE}: {why}")
        return Running(seed, (), ())
    old = cases.kept(LANE, corpus)

    def one(stem: str) -> tuple[Found, float]:
        program = build(stem, kernels, where)
        began = time.perf_counter()
        found = search(program, [bytes.fromhex(case.args[0]) for case in old if case.check == stem], seed, seconds / len(stems))
        return found, time.perf_counter() - began

    return Running(seed, stems, [pool.submit(one, stem) for stem in stems])


def finish(running: Running, report: Report, progress: Progress | None = None, corpus: Path | None = None, promote: bool = True) -> None:
    """Wait for the targets; show and keep what they found."""
    for number, (stem, future) in enumerate(zip(running.stems, running.futures)):
        if progress:
            progress(f"{LANE}: {stem}", number / len(running.stems))
        try:
            found, spent = future.result()
        except BuildFailed as error:
            report.rows.append(Row(LANE, stem, disagreements=1))
            report.disagreements.append(Disagreement(LANE, LANE, stem, (), None, f"does not build: {error}", f"conformance/fuzz/{stem}.c"))
            continue
        report.rows.append(Row(LANE, stem, found.replayed + found.runs, 0, len(found.faults), spent))
        for fault, data, old in found.faults:
            args = () if data is None else (data.hex(),)
            report.disagreements.append(Disagreement(LANE, LANE, stem, args, None, fault, f"corpus/{LANE}.jsonl" if old else f"seed {running.seed}"))
            if promote and args and not old:
                report.promoted += cases.keep(LANE, cases.Kept(stem, args, fault[:120]), corpus)


def lane(
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    stems: Sequence[str] = tuple(SOURCES),
    kernels: Path | None = None,
    where: Path | None = None,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """The whole lane, two targets at a time."""
    with ThreadPoolExecutor(2) as pool:
        finish(start(seed, 2 * seconds, report, pool, stems, kernels, where, corpus), report, progress, corpus, promote)
