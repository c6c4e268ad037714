"""Mutants: small faults put into the Python, the C kernels and the Lean decisions, each of which some lane must notice.

`conformance/mutants/<stem>.yaml` lists them: side, file, the function or definition they stand in, and pairs of texts, what is
there and what stands there instead.  A text that does not occur exactly once in its function is stale, and stops the run.

No file of the product knows of this.  C: one copy of the kernels is built in `build/mutants/`, where every mutated place
asks a global number which mutant is on (`mutant_builds`).  Lean: the mutated definitions, each with what uses it, are one
generated module there.  Python: the code of one function is replaced in a process that ends with the mutant (`mutant_worker`).
A mutant that is equivalent to the original is not listed: it would survive, and a survivor fails the run.
"""
from __future__ import annotations

import ast
import fcntl
import json
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import yaml

from ...spine.paths import root
from .. import targets
from ..running import cases
from ..oracle.decisions import gives
from ..lanes.run import BATCH, SEED, same
from ..oracle.interpreter import Oracle, Refusal
from ..running.report import shown

SIDES = {"python": ".py", "c": (".c", ".h"), "lean": ".lean"}
PATIENCE = 60  # seconds of processor time for one mutant; none takes more than a few


class BadMutants(ValueError):
    """A list of mutants that cannot be used: malformed, stale, or overlapping."""


class MutationError(RuntimeError):
    """The run itself failed: a build, a worker, or a lane that fails without any mutant."""


@dataclass(frozen=True)
class Mutant:
    """One fault.  file: from the root of the checkout.  within: function, definition, or the text at which a C function starts."""

    stem: str
    side: str
    file: str
    within: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.file} {self.within}: {self.was} → {self.now}"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.  lane: the one that noticed it, "" when it survived.  by: the check, and the case."""

    mutant: Mutant
    lane: str
    by: str = ""
    seconds: float = 0.0


@dataclass
class Outcomes:
    """What a run did."""

    seed: int
    mutants: list[Outcome] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def survivors(self) -> list[Outcome]:
        return [o for o in self.mutants if not o.lane]

    @property
    def ok(self) -> bool:
        return bool(self.mutants) and not self.survivors

    def to_dict(self) -> dict:
        return {"v": 1, "ok": self.ok, "seed": self.seed, "seconds": round(self.seconds, 1),
                "mutants": [{**asdict(o.mutant), "lane": o.lane, "by": o.by} for o in self.mutants]}


Progress = Callable[[str, float], None]


# ---- the lists -------------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where the lists are, in a checkout."""
    return root() / "conformance" / "mutants"


def load(where: Path | None = None, base: Path | None = None) -> list[Mutant]:
    """All mutants, in the order of the files.  Raises BadMutants for a malformed list, a repeated or a stale mutant."""
    base, found, sources = base or root(), [], {}
    for path in sorted((where or folder()).glob("*.yaml")):
        try:
            sides = yaml.safe_load(path.read_text(encoding="utf-8"))
            for side, files in sides.items():
                if side not in SIDES:
                    raise BadMutants(f"{path.name}: no side {side!r}; sides are {', '.join(SIDES)}")
                for file, places in files.items():
                    if not file.endswith(SIDES[side]):
                        raise BadMutants(f"{path.name}: {file} is no file of the side {side}")
                    for within, pairs in places.items():
                        found += [Mutant(path.stem, side, file, within, was, now) for was, now in pairs]
        except (yaml.YAMLError, AttributeError, TypeError, ValueError) as error:
            raise error if isinstance(error, BadMutants) else BadMutants(f"{path.name}: {error}") from None
    seen = set()
    for mutant in found:
        if mutant in seen:
            raise BadMutants(f"{mutant} stands twice")
        seen.add(mutant)
        if mutant.file not in sources:
            try:
                sources[mutant.file] = (base / mutant.file).read_text(encoding="utf-8")
            except OSError as error:
                raise BadMutants(f"{mutant.stem}.yaml: {error}") from None
        span(sources[mutant.file], mutant)
    return found


def _python_region(text: str, within: str) -> tuple[int, int]:
    """The body of a function or method, without its docstring."""
    node: Any = ast.parse(text)
    for name in within.split("."):
        node = next((n for n in node.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name), None)
        if node is None:
            raise LookupError
    if not isinstance(node, ast.FunctionDef):
        raise LookupError
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[:body[0].lineno - 1]))
    return start, sum(map(len, lines[:body[-1].end_lineno]))


def _c_region(text: str, within: str) -> tuple[int, int]:
    """From the one place where the text `within` stands to the end of the function or macro that starts there."""
    start = text.find(within)
    if start < 0 or text.find(within, start + 1) >= 0:
        raise LookupError
    end = re.compile(r"[^\\\n]\n" if within.startswith("#") else r"\n}\n|}\n(?=\n|TARGET|GNOSIS)").search(text, start)
    return start, end.end() if end else len(text)


def lean_blocks(text: str) -> dict[str, tuple[int, int]]:
    """Where each definition of a file starts and ends, without the comment in front of it."""
    starts = [(m.start(), m[1]) for m in re.finditer(r"^def ([\w'.]+)", text, re.M)]
    ends = [m.start() for m in re.finditer(r"^(?:/-|def |end |@\[)", text, re.M)] + [len(text)]
    return {name: (start, min(e for e in ends if e > start)) for start, name in starts}


def span(text: str, mutant: Mutant) -> tuple[int, int]:
    """Where in the text of its file a mutant stands.  Raises BadMutants when that is not exactly one place."""
    try:
        region = {"python": _python_region, "c": _c_region}.get(mutant.side, lambda t, w: lean_blocks(t)[w])
        start, end = region(text, mutant.within)
    except LookupError:
        raise BadMutants(f"stale: {mutant.file} has no {mutant.within}, or several") from None
    count = text.count(mutant.was, start, end) if mutant.was else 0
    if count != 1 or mutant.was == mutant.now:
        raise BadMutants(f"stale: {mutant}: " + (f"the text occurs {count} times there" if count != 1 else "nothing changes"))
    at = text.index(mutant.was, start, end)
    return at, at + len(mutant.was)


def applied(text: str, mutant: Mutant) -> str:
    """The file with the fault in it."""
    start, end = span(text, mutant)
    return text[:start] + mutant.now + text[end:]


# ---- what Lean says, written down once -------------------------------------------------------------------------------

Recorded = dict[str, list[tuple[tuple, Any]]]  # decision → (arguments, Lean's answer)


def record(oracle: Oracle, seed: int) -> Recorded:
    """The cases of one round of the oracle lane (corpus, and a batch for each decision) with Lean's answers.

    Raises MutationError when the exact Python does not give the same answers.
    """
    out: Recorded = {}
    for stem, ts in targets.load().items():
        old = cases.read(stem)
        for target in ts:
            rng = Random(f"{seed}/{target.decision}/0")
            batch = [c.args for c in old if c.decision == target.decision] + [target.generate(rng) for _ in range(BATCH)]
            answers = [a.why if isinstance(a, Refusal) else a for a in oracle.many(target.decision, batch)]
            out[target.decision] = list(zip(batch, answers))
            for args, lean in out[target.decision]:
                if not same(lean, target.reference(*args)):
                    raise MutationError(f"without any mutant: {target.decision}{shown(args)}: Lean and Python disagree; run `gnosis conform`")
    return out


# ---- the run ---------------------------------------------------------------------------------------------------------


def run(mutants: Iterable[Mutant] | None = None, seed: int = SEED, progress: Progress | None = None, jobs: int = 2) -> Outcomes:
    """Try every mutant until a lane notices it.  Raises BadMutants, MutationError, OracleError, BuildError, LeanNotFound, SpineNotFound.

    The lanes run one round each, with the seed: the oracle's cases, and one batch of every other lane.
    """
    start = time.perf_counter()
    mutants = load() if mutants is None else list(mutants)
    report, done, lock = Outcomes(seed), {}, threading.Lock()

    def finish(outcome: Outcome) -> None:
        with lock:
            done[outcome.mutant] = outcome
            if progress:
                progress(f"{outcome.mutant.stem} {outcome.mutant.side}", len(done) / len(mutants))

    if progress:
        progress("builds", 0.0)
    where = root() / "build" / "mutants"
    where.mkdir(parents=True, exist_ok=True)
    with (where / "lock").open("w") as file:  # one run at a time: they share the builds
        fcntl.flock(file, fcntl.LOCK_EX)
        _run(mutants, seed, where, jobs, finish)
    report.mutants = [done[m] for m in mutants]
    report.seconds = time.perf_counter() - start
    return report


def _run(mutants: list[Mutant], seed: int, where: Path, jobs: int, finish: Callable[[Outcome], None]) -> None:
    from . import builds as mutant_builds

    kernels = mutant_builds.kernels([m for m in mutants if m.side == "c"], where)
    base = mutant_builds.spine([m for m in mutants if m.side == "lean"], where)
    with Oracle() as oracle:
        recorded = record(oracle, seed)
    answers = where / "answers.pickle"
    answers.write_bytes(pickle.dumps((seed, recorded)))
    # shares of about the same size, neighbours apart: those of one file take about as long as each other
    some = [m for m in mutants if m.side != "lean"]
    failures: list[BaseException] = []

    def guarded(call: Callable[..., None], *args: Any) -> None:
        try:
            call(*args)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(_workers, k == 0, some[k::jobs], kernels, answers, finish), daemon=True) for k in range(jobs)]
    threads.append(threading.Thread(target=guarded, args=(_lean, [m for m in mutants if m.side == "lean"], base, recorded, finish), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _workers(first: bool, mutants: list[Mutant], kernels: Any, answers: Path, finish: Callable[[Outcome], None]) -> None:
    """A process that forks for every mutant; its lines are the outcomes, in order."""
    if not mutants:
        return
    command = [sys.executable, "-m", "gnosis.conformance.mutants.worker", str(kernels.folder), str(answers), *(["--clean"] if first else [])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root())
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
    reader.start()
    try:
        for mutant in mutants:
            try:
                process.stdin.write(json.dumps({**asdict(mutant), "number": kernels.numbers.get(mutant, 0)}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
                answer = json.loads(line)
            except (OSError, ValueError):
                reader.join(5)
                raise MutationError(f"the worker ended at {mutant}: {''.join(said)[-1000:]}") from None
            if "error" in answer:
                raise MutationError(f"{mutant}: {answer['error']}")
            finish(Outcome(mutant, answer["lane"], answer["by"], answer["seconds"]))
    finally:
        process.kill()  # it has nothing to lose
        process.wait()
        reader.join(5)
        for pipe in (process.stdin, process.stdout, process.stderr):
            try:
                pipe.close()
            except OSError:
                pass


def _lean(mutants: list[Mutant], base: Path | None, recorded: Recorded, finish: Callable[[Outcome], None]) -> None:
    """Mutated definitions against the answers of the real ones, on the cases of the oracle lane."""
    if not mutants or base is None:
        return
    from .builds import lean_name, observed

    with Oracle(base=base) as oracle:
        for k, mutant in enumerate(mutants):
            start = time.perf_counter()
            outcome = Outcome(mutant, "")
            for decision in observed(mutant):
                batch = recorded[decision]
                for (args, expected), got in zip(batch, oracle.many(lean_name(k, decision), [args for args, _ in batch])):
                    got = got.why if isinstance(got, Refusal) else got
                    if not same(expected, got):
                        outcome = Outcome(mutant, "oracle", f"{decision}{shown(args, 100)}: {shown(got, 40)} for {shown(expected, 40)} ({gives(decision)})")
                        break
                if outcome.lane:
                    break
            finish(Outcome(mutant, outcome.lane, outcome.by, time.perf_counter() - start))
