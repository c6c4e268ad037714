"""Checks that bring both sides along, and the one runner of the lanes that are made of them.

A check is run on a case: plain JSON (numbers, strings, lists), so that a case that fails can be shrunk, kept in
corpus/<lane>.jsonl and replayed first.  An exception is a fault like a wrong answer.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np

from ...core import cpu
from . import cases
from .report import Disagreement, Progress, Report, Row, shown
from .shrink import shrink

MOST = 2  # disagreements of a check that are shrunk and shown

T = TypeVar("T")


def rounds(items: Sequence[T], seconds: float, progress: Progress | None, said: Callable[[T], str]) -> Iterator[tuple[T, int]]:
    """The items in turn, each with the number of its round: all of them once, then until the time is up."""
    start, number = time.perf_counter(), 0
    while items:
        for item in items:
            spent = time.perf_counter() - start
            if number and spent >= seconds:
                return
            yield item, number
            if progress:
                progress(said(item), min(1.0, spent / seconds) if seconds else 1.0)
        number += 1


@dataclass(frozen=True)
class Result:
    """What a check found on one case.

    items: answers that were compared.  fault: what is wrong with them, None if nothing is.  admitted, undecided, refused: as in `Row`.
    """

    items: int = 1
    fault: str | None = None
    admitted: int = 0
    undecided: int = 0
    refused: int = 0


@dataclass(frozen=True)
class Check:
    """Something that must hold on every case.

    run: on the arguments that `generate` makes.  every_isa: whether the answer may depend on the instruction set.  batch: cases at a time.
    """

    name: str
    generate: Callable[[Random], tuple[Any, ...]]
    run: Callable[..., Result]
    every_isa: bool = False
    batch: int = 8


def answers(got: Sequence[Any] | np.ndarray, exact: Sequence[Any], undecided: int = 0, equal: bool = True) -> Result:
    """Compare lists of truth values.  An admission that the exact side refuses is a fault; with `equal` so is a refusal that it admits."""
    fault = None
    if len(got) != len(exact):
        fault = f"{len(got)} answers for {len(exact)} questions"
    for i, (g, e) in enumerate(zip(got, exact)):
        if bool(g) and not e:
            fault = f"entry {i} is admitted, the exact answer is to refuse"
        elif equal and bool(g) != bool(e):
            fault = f"entry {i} is refused, the exact answer is to admit"
    return Result(len(exact), fault, sum(map(bool, got)), undecided)


@contextmanager
def calls(owner: Any, name: str) -> Iterator[list[int]]:
    """How often a function is called while the block runs: what a fast path left to the exact one."""
    original = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    count = [0]

    def counted(*args: Any, **more: Any) -> Any:
        count[0] += 1
        return original(*args, **more)

    setattr(owner, name, counted)
    try:
        yield count
    finally:
        setattr(owner, name, original)


def _run(check: Check, args: tuple[Any, ...]) -> tuple[Result, str]:
    """The result and what kind of fault it has: a wrong answer, or the name of an exception or of a warning."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = check.run(*args)
    except Exception as error:
        return Result(fault=f"{type(error).__name__}: {error}"), type(error).__name__
    return result, "answer" if result.fault else ""


def sweep(
    lane: str,
    checks: Sequence[Check],
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    corpus: Path | None = None,
    promote: bool = True,
) -> None:
    """Replay the corpus of the lane, then take the checks in turn, a batch each, until the time is up (each at least once)."""
    known = {check.name: check for check in checks}
    rows = {check.name: Row(lane, check.name) for check in checks}
    replay = Row(lane, "corpus")
    report.rows += [replay, *rows.values()] if cases.kept(lane, corpus) else rows.values()

    def run(check: Check, args: tuple[Any, ...], row: Row, where: str) -> None:
        start = time.perf_counter()
        result, kind = _run(check, args)
        row.seconds += time.perf_counter() - start
        row.checked += result.items
        row.admitted += result.admitted
        row.undecided += result.undecided
        row.refused += result.refused
        if not kind:
            return
        row.disagreements += 1
        if sum(d.lane == lane and d.decision == check.name for d in report.disagreements) >= MOST:
            return
        small = shrink(args, lambda tries: [_run(check, case)[1] == kind for case in tries])
        fault = _run(check, small)[0].fault
        report.disagreements.append(Disagreement(lane, lane, check.name, small, None, fault, where))
        if promote:
            report.promoted += cases.keep(lane, cases.Kept(check.name, small, shown(fault, 120)), corpus)

    def on(check: Check, batch: list[tuple[Any, ...]], row: Row, where: str) -> None:
        for isa in cpu.available() if check.every_isa else (None,):
            cpu.force(isa)
            for args in batch:
                run(check, args, row, f"{isa}, {where}" if isa else where)

    try:
        for case in cases.kept(lane, corpus):
            if case.check in known:
                on(known[case.check], [case.args], replay, f"corpus/{lane}.jsonl")
            else:
                report.skips.append(f"corpus/{lane}.jsonl: {case.check} is not among the checks")
        for check, number in rounds(checks, seconds, progress, lambda check: f"{lane}: {check.name}"):
            rng = Random(f"{seed}/{lane}/{check.name}/{number}")
            on(check, [check.generate(rng) for _ in range(check.batch)], rows[check.name], f"seed {seed}, batch {number}")
    finally:
        cpu.force(None)
