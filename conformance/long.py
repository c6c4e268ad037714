"""The long lanes: what `make test-long` runs, and the record of its last run.

`make test` has everything that fits into its time, with a fixed seed.  Here the same commands run for longer, with new seeds and in
whole.  The record, `docs/long.json`, keeps the machine, and of each command the day, its exit code, its time and its counts; the
trust page shows it.  A lane can be run alone: the others keep the day of their last run.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..files import grammar, inputs, output
from .trust import BY_KEY, RESULTS, BadResult, Figures, Run, _conform, _number, take

RECORD = "docs/long.json"
VERSION = 2


def _lake(data: dict[str, Any]) -> Figures:
    return {"ok": data["ok"], "modules": data["modules"], "byte for byte the same": data["same"]}


def _wheel(data: dict[str, Any]) -> Figures:
    return {"ok": data["ok"], "commands of an installed wheel": data["commands"], "passed": data["passed"]}


def _debian(data: dict[str, Any]) -> Figures:
    if "reason" in data:
        return {"ok": data["ok"], "skipped": data["reason"]}
    return {key: data[key] for key in ("ok", "debian", "python", "passed", "failed", "skipped")}


LONG = (
    Run("long-tests.xml", f"python -m pytest -q -n 2 --dist loadfile --junitxml {RESULTS}/long-tests.xml", BY_KEY["tests"].figures),
    Run("long-audit.json", "gnosis spine audit --clean --json", BY_KEY["audit"].figures),
    Run("long-lake.json", "gnosis spine lake --check --json", _lake),
    Run(
        "long-export.json",
        f"gnosis spine export --output {RESULTS}/spine.ndjson && gnosis spine reread {RESULTS}/spine.ndjson --kernel --json",
        BY_KEY["export"].figures,
    ),
    Run("long-oracle.json", "gnosis spine oracle --json", BY_KEY["oracle"].figures),
    Run("long-conform.json", "gnosis conform --seconds 300 --seed random --kernel 4000 --json", _conform),
    Run("long-mutants.json", "gnosis mutants --json", BY_KEY["mutants"].figures),
    Run("long-gates.json", "gnosis verify --examples --oracle --kernel --json", BY_KEY["gates"].figures),
    Run("long-wheel.json", "python tests/wheel_long.py --json", _wheel),
    Run("long-debian.json", "python tests/debian.py --json", _debian),
)


@dataclass(frozen=True)
class Step:
    """One command of a long run.  date: the day it began (ISO 8601).  seconds: wall time.  figures: its counts; "ok" says whether it found nothing wrong."""

    name: str
    date: str
    command: str
    code: int
    seconds: float
    figures: Figures


@dataclass(frozen=True)
class LongRun:
    """The last run of each lane, and the machine of the last of all, in a line."""

    machine: str
    steps: tuple[Step, ...]

    @property
    def ok(self) -> bool:
        return all(step.code == 0 and step.figures["ok"] is True for step in self.steps)


def machine() -> str:
    """Processor, number of cores and Python, in a line."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores, {model}, {platform.system()}, Python {platform.python_version()}"


def names() -> list[str]:
    """Of the lanes, in their order."""
    return [one.key.removeprefix("long-") for one in LONG]


def run(results: Path, command: Callable[[Run], int], say: Callable[[str], None], record: Path, only: Collection[str] = ()) -> LongRun:
    """Run every command, also after one that failed, or only those named.  After each the record is written.

    command: runs one, leaves its result in `results`, returns the exit code.  Returns what the record then holds.
    """
    before = load(record)
    steps = {step.name: step for step in (before.steps if before else ())}
    for name, one in zip(names(), LONG):
        if only and name not in only:
            continue
        date, start = datetime.date.today().isoformat(), time.monotonic()
        code = command(one)
        seconds = round(time.monotonic() - start, 1)
        try:
            figures = take(one, results / one.name)
        except (BadResult, OSError) as error:
            say(f"error: {error}")
            figures = {"ok": False}
        steps[name] = Step(name, date, one.command, code, seconds, figures)
        save(LongRun(machine(), tuple(steps[n] for n in names() if n in steps)), record)
    return LongRun(machine(), tuple(steps[n] for n in names() if n in steps))


def save(done: LongRun, path: Path) -> None:
    """Write the record."""
    output.write(path, json.dumps({"version": VERSION, **asdict(done)}, indent=1, ensure_ascii=False) + "\n")


def load(path: Path) -> LongRun | None:
    """The recorded run, or None when there is none.  Raises BadResult."""
    try:
        data = grammar.json_object(inputs.read_text(path, "record"), "record", {"version", "machine", "steps"})
        steps = tuple(Step(**step) for step in data["steps"])
        for step in steps:
            datetime.date.fromisoformat(step.date)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise BadResult(f"{path}: {error}") from None
    if (
        data["version"] != VERSION
        or type(data["machine"]) is not str
        or not {s.name for s in steps} <= set(names())
        or not all(type(s.code) is int and type(s.seconds) in (int, float) and isinstance(s.figures, dict) and type(s.figures.get("ok")) is bool for s in steps)
    ):
        raise BadResult(f"{path}: not a record of a long run, version {VERSION}")
    return LongRun(data["machine"], steps)


def section(done: LongRun | None) -> str:
    """The part of the trust page about it."""
    head = "## The long lanes\n\n`make test-long` runs for longer, with a new seed, what `make test` runs for a short time. "
    if done is None:
        return head + "It has not been recorded.\n"
    minutes = sum(step.seconds for step in done.steps) / 60
    rows = []
    for step in done.steps:
        counts = ", ".join(f"{key}: {_number(value)}" for key, value in step.figures.items() if key != "ok")
        good = step.code == 0 and step.figures["ok"] is True
        skipped = isinstance(step.figures.get("skipped"), str)  # the reason; a count of tests is a number
        rows.append(
            f"| `{step.command}` | {step.date} | {'**not run**' if good and skipped else 'passed' if good else f'**failed**, exit code {step.code}'} | {step.seconds:,.0f} s | {counts} |\n"
        )
    missing = [name for name in names() if name not in {step.name for step in done.steps}]
    return (
        f"{head}The last runs that were recorded took {minutes:,.0f} minutes together ({done.machine})"
        f"{'; not recorded: ' + ', '.join(missing) if missing else ''}.\n\n"
        f"| command | day | result | time | counts |\n| --- | --- | --- | --- | --- |\n{''.join(rows)}"
    )
