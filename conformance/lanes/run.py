"""The lanes of the conformance run.

oracle: the exact Python reference and the Lean decision, run by the interpreter, give the same answer.
compiled: the Lean decision compiled from Lean's own C gives the same answer as both (`compiled.py`); a counted skip without gcc.
libgnosis: the C library that needs no Lean gives the exact answer, by words, JSON and typed calls (`libgnosis.py`); a counted skip without a C compiler.
kernels: the compiled kernels, under every instruction set that runs here, give the exact answer on whole numbers (`hot.py`).
floats: the float paths of the runtime never admit what exact arithmetic refuses, and leave a counted share to it (`paths/`).
formats: every block format is decoded as `gguf` decodes it, bit for bit (`formats.py`).
statistics: each statistic is that of its peer, where the peer is right (`statistics.py`).
atheris: coverage-guided bytes into every reader of files (`guided.py`).
libfuzzer: coverage-guided inputs into the C kernels under sanitizers (`sanitized.py`).
kernel: the Lean kernel accepts the answers of the Python reference as theorems (`kernel.py`).
"""

from __future__ import annotations

import json
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from ...core import cpu
from .. import floats as paths
from .. import targets
from ..oracle import compiled, kernel
from ..oracle.decisions import fits
from ..oracle.interpreter import Oracle, Refusal
from ..oracle.translation import Unavailable
from ..running import cases, checks, nearness
from ..running.checks import rounds
from ..running.report import Disagreement, Progress, Report, Row, shown
from ..running.shrink import shrink, size
from . import atheris as guided
from . import formats, libgnosis, statistics
from . import kernels as hot
from . import libfuzzer as sanitized

LANES = ("oracle", "compiled", "libgnosis", "kernels", "floats", "formats", "statistics", "atheris", "libfuzzer", "kernel")
# Of the time that is asked for; a lane that is asked for alone has all of it.
SHARES = {"oracle": 1.0, "compiled": 0.2, "libgnosis": 0.2, "kernels": 0.2, "floats": 0.4, "formats": 0.1, "statistics": 0.1, "atheris": 0.4, "libfuzzer": 0.4}
SEED = 20260101  # the seed of a run that names none
BATCH = 256


def _reference(target: targets.Target, args: tuple[Any, ...]) -> Any:
    """The reference's answer; an exception is an answer that agrees with nothing."""
    try:
        return target.reference(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def same(a: Any, b: Any) -> bool:
    """Equal, and of one type: 1 is not True."""
    return type(a) is type(b) and a == b


def _compare(oracle: Oracle, target: targets.Target, batch: list[tuple[Any, ...]]) -> list[tuple[tuple[Any, ...], Any, Any]]:
    """(arguments, Lean's answer, Python's answer) for each case."""
    answers = oracle.many(target.decision, batch)
    return [(args, lean.why if isinstance(lean, Refusal) else lean, _reference(target, args)) for args, lean in zip(batch, answers)]


def oracle_lane(
    oracle: Oracle,
    by_stem: dict[str, list[targets.Target]],
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """Replay the corpus, then take the decisions in turn, a batch each, until the time is up (every decision at least once)."""
    rows = {t.decision: Row("oracle", t.decision) for ts in by_stem.values() for t in ts}
    replay = Row("oracle", "corpus")
    report.rows += [replay, *rows.values()]

    def run(stem: str, target: targets.Target, batch: list[tuple[Any, ...]], row: Row, where: str) -> None:
        start = time.perf_counter()
        results = _compare(oracle, target, batch)
        row.seconds += time.perf_counter() - start
        row.checked += len(batch)
        row.admitted += sum(lean is True for _, lean, _ in results)
        wrong = [r for r in results if not same(r[1], r[2])]
        row.disagreements += len(wrong)
        if wrong and sum(d.decision == target.decision for d in report.disagreements) < 2:
            record(stem, target, min((args for args, _, _ in wrong), key=size), where)

    def record(stem: str, target: targets.Target, args: tuple[Any, ...], where: str) -> None:
        args = shrink(args, lambda tries: [fits(target.decision, case) and not same(lean, python) for case, lean, python in _compare(oracle, target, tries)])
        ((_, lean, python),) = _compare(oracle, target, [args])
        report.disagreements.append(Disagreement("oracle", stem, target.decision, args, lean, python, where))
        if promote:
            report.promoted += cases.add(stem, cases.Case(target.decision, args, lean, f"Python said {shown(python)}"), corpus)

    for stem, ts in by_stem.items():
        known = {t.decision: t for t in ts}
        for case in cases.read(stem, corpus):
            if case.decision not in known:
                report.skips.append(f"corpus/{stem}.jsonl: {case.decision} is not among the targets")
                continue
            run(stem, known[case.decision], [case.args], replay, f"corpus/{stem}.jsonl")
            answer = oracle.many(case.decision, [case.args])[0]
            if not same(answer, case.expect):
                replay.disagreements += 1
                report.disagreements.append(
                    Disagreement("oracle", stem, case.decision, case.args, answer, f"{case.expect!r}, written down earlier", f"corpus/{stem}.jsonl")
                )
    order = [(stem, t) for stem, ts in by_stem.items() for t in ts]
    for (stem, target), number in rounds(order, seconds, progress, lambda one: f"oracle: {one[1].decision}"):
        rng = Random(f"{seed}/{target.decision}/{number}")
        run(stem, target, [target.generate(rng) for _ in range(BATCH)], rows[target.decision], f"seed {seed}, batch {number}")


def kernels_lane(
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    kernels: list[hot.Hot] | None = None,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """Each kernel under each instruction set: the cases of the corpus that it holds, then a batch in turn until the time is up (one each at least)."""
    kernels = hot.load_hot() if kernels is None else kernels
    known = {t.decision: (stem, t) for stem, ts in targets.load().items() for t in ts}
    rows = {k.name: Row("kernels", k.name) for k in kernels}
    report.rows += rows.values()

    def compare(k: hot.Hot, args: tuple[Any, ...]) -> tuple[Any, Any]:
        """The exact answer and the kernel's."""
        expected = _reference(known[k.decision][1], args) if k.takes(*args) else hot.REFUSED
        return expected, hot.answer(k, args)

    def agree(expected: Any, got: Any) -> bool:
        return got == hot.UNDECIDED or same(expected, got)

    def run(k: hot.Hot, isa: str, batch: list[tuple[Any, ...]], where: str) -> None:
        row, wrong = rows[k.name], []
        start = time.perf_counter()
        for args in batch:
            expected, got = compare(k, args)
            row.admitted += expected is True
            row.undecided += got == hot.UNDECIDED
            row.refused += expected == hot.REFUSED
            if not agree(expected, got):
                wrong.append(args)
        row.seconds += time.perf_counter() - start
        row.checked += len(batch)
        row.disagreements += len(wrong)
        if wrong and sum(d.where.startswith(f"{k.name},") for d in report.disagreements) < 2:
            args = shrink(
                min(wrong, key=lambda args: (not fits(k.decision, args), size(args))),
                lambda tries: [fits(k.decision, case) and k.holds(*case) and not agree(*compare(k, case)) for case in tries],
            )
            expected, got = compare(k, args)
            stem = known[k.decision][0]
            report.disagreements.append(Disagreement("kernels", stem, k.decision, args, expected, got, f"{k.name}, {isa}, {where}"))
            if promote and expected != hot.REFUSED:
                report.promoted += cases.add(stem, cases.Case(k.decision, args, expected, f"{k.name} said {shown(got)}"), corpus)

    try:
        for isa in cpu.available():
            cpu.force(isa)
            for k in kernels:
                old = [c.args for c in cases.read(known[k.decision][0], corpus) if c.decision == k.decision]
                run(k, isa, [args for args in old if k.holds(*args)], "corpus")
        for k, number in rounds(kernels, seconds, progress, lambda k: f"kernels: {k.name}"):
            rng = Random(f"{seed}/{k.name}/{number}")
            batch = [k.generate(rng) for _ in range(BATCH)]
            for isa in cpu.available():
                cpu.force(isa)
                run(k, isa, batch, f"seed {seed}, batch {number}")
    finally:
        cpu.force(None)


def kernel_lane(
    n: int,
    seed: int,
    report: Report,
    progress: Progress | None = None,
    folder: Path | None = None,
    samples: list[kernel.Sample] | None = None,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """n samples, or the given ones, through the kernel."""
    samples = kernel.draw(n, seed) if samples is None else samples
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress("kernel", done / max(1, len(samples)))

    refused = []
    for checked in kernel.check(samples, folder, progress=step):
        report.rows.append(
            Row(
                "kernel",
                checked.group,
                checked.samples,
                sum(s.expected is True for s in samples if s.group == checked.group),
                len(checked.refused),
                checked.seconds,
            )
        )
        refused += checked.refused
    if not refused:
        return
    stems = {t.decision: stem for stem, ts in targets.load().items() for t in ts}
    with Oracle() as oracle:  # what Lean's answer is, when it is not the one in the theorem
        for r in refused:
            sample, stem = r.sample, stems[r.sample.decision]
            lean = oracle.many(sample.decision, [sample.args])[0]
            if same(lean, sample.expected):
                lean = f"{lean!r} by the interpreter, something else by the kernel"
            elif promote:
                report.promoted += cases.add(stem, cases.Case(sample.decision, sample.args, lean, f"Python said {shown(sample.expected)}"), corpus)
            by = "refused by the kernel" if r.by_kernel else f"refused: {r.why[:200]}"
            report.disagreements.append(Disagreement("kernel", stem, sample.decision, sample.args, lean, sample.expected, f"{r.file}, {r.name}, {by}"))


def run(
    lanes: tuple[str, ...] = LANES,
    seconds: float = 10.0,
    seed: int | None = SEED,
    kernel_samples: int = 200,
    progress: Progress | None = None,
    by_stem: dict[str, list[targets.Target]] | None = None,
) -> Report:
    """A whole run.  seed None: a new one, named in the report.  Raises OracleError, KernelError, BadCorpus, LeanNotFound."""
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    report = Report(seed)
    asked = "" if set(lanes) == set(LANES) else "".join(f" --lane {name}" for name in LANES if name in lanes)
    report.reproduce = f"gnosis conform --seed {seed} --seconds {seconds:g} --kernel {kernel_samples}{asked}"
    start = time.perf_counter()
    share = {name: seconds * (SHARES[name] if len(set(lanes)) > 1 else 1.0) for name in SHARES}
    with ThreadPoolExecutor(2) as pool:  # the lanes whose work is done by other processes go on beside the rest
        try:
            fuzzed = sanitized.start(seed, 2 * share["libfuzzer"], report, pool) if "libfuzzer" in lanes else None
            searched = guided.start(seed, 2 * share["atheris"], report, pool) if "atheris" in lanes else None
            if "oracle" in lanes:
                with Oracle() as oracle:
                    oracle_lane(oracle, by_stem or targets.load(), seed, share["oracle"], report, progress)
            if "compiled" in lanes:
                try:
                    compiled.compiled_lane(seed, share["compiled"], report, progress, by_stem)
                except Unavailable as error:
                    if lanes == ("compiled",):
                        raise
                    report.skips.append(f"lane compiled: {error}")
            if "libgnosis" in lanes:
                try:
                    checks.sweep("libgnosis", libgnosis.load(by_stem=by_stem), seed, share["libgnosis"], report, progress)
                except Unavailable as error:
                    if lanes == ("libgnosis",):
                        raise
                    report.skips.append(f"lane libgnosis: {error}")
            if "kernels" in lanes:
                kernels_lane(seed, share["kernels"], report, progress)
            if "floats" in lanes:
                with nearness.collecting() as near:
                    checks.sweep("floats", paths.load(), seed, share["floats"], report, progress)
                report.nearness += near
            if "formats" in lanes:
                checks.sweep("formats", formats.load(report.skips), seed, share["formats"], report, progress)
            if "statistics" in lanes:
                checks.sweep("statistics", statistics.load(report.skips), seed, share["statistics"], report, progress)
            if "kernel" in lanes and kernel_samples:
                kernel_lane(kernel_samples, seed, report, progress)
            if searched:
                guided.finish(searched, report, progress)
            if fuzzed:
                sanitized.finish(fuzzed, report, progress)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    for lane_name in LANES:
        if lane_name not in lanes or (lane_name == "kernel" and not kernel_samples):
            report.skips.append(f"lane {lane_name}: not asked for")
    report.rows.sort(key=lambda row: LANES.index(row.lane))
    report.seconds = time.perf_counter() - start
    return report


def dump(report: Report) -> str:
    """The report as one line of JSON."""
    return json.dumps(report.to_dict(), ensure_ascii=False)
