"""Every mutant put in and taken out again: the builds, the workers and the mutated Lean decisions, side by side."""

from __future__ import annotations

import fcntl
import json
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ...spine.paths import root
from .. import targets
from ..lanes.run import BATCH, SEED, same
from ..oracle.decisions import gives
from ..oracle.interpreter import Oracle, Refusal
from ..running import cases
from ..running.report import shown
from . import builds
from .plan import Mutant, MutationError, load

PATIENCE = 60  # seconds of processor time for one mutant; none takes more than a few


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

    def to_dict(self) -> dict[str, Any]:
        return {
            "v": 1,
            "ok": self.ok,
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "mutants": [{**asdict(o.mutant), "lane": o.lane, "by": o.by} for o in self.mutants],
        }


Progress = Callable[[str, float], None]


# ---- what Lean says, written down once -------------------------------------------------------------------------------

Recorded = dict[str, list[tuple[tuple[Any, ...], Any]]]  # decision → (arguments, Lean's answer)


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
    kernels = builds.kernels([m for m in mutants if m.side == "c"], where)
    base = builds.spine([m for m in mutants if m.side == "lean"], where)
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


def _workers(first: bool, mutants: list[Mutant], kernels: builds.Kernels, answers: Path, finish: Callable[[Outcome], None]) -> None:
    """A process that forks for every mutant; its lines are the outcomes, in order."""
    if not mutants:
        return
    command = [sys.executable, "-m", "gnosis.conformance.mutants.worker", str(kernels.folder), str(answers), *(["--clean"] if first else [])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root())
    to, out, err = process.stdin, process.stdout, process.stderr
    assert to is not None and out is not None and err is not None
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(err), daemon=True)
    reader.start()
    try:
        for mutant in mutants:
            try:
                to.write(json.dumps({**asdict(mutant), "number": kernels.numbers.get(mutant, 0)}) + "\n")
                to.flush()
                line = out.readline()
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
        for pipe in (to, out, err):
            try:
                pipe.close()
            except OSError:
                pass


def _lean(mutants: list[Mutant], base: Path | None, recorded: Recorded, finish: Callable[[Outcome], None]) -> None:
    """Mutated definitions against the answers of the real ones, on the cases of the oracle lane."""
    if not mutants or base is None:
        return
    with Oracle(base=base) as oracle:
        for k, mutant in enumerate(mutants):
            start = time.perf_counter()
            outcome = Outcome(mutant, "")
            for decision in builds.observed(mutant):
                batch = recorded[decision]
                for (args, expected), got in zip(batch, oracle.many(builds.lean_name(k, decision), [args for args, _ in batch])):
                    got = got.why if isinstance(got, Refusal) else got
                    if not same(expected, got):
                        outcome = Outcome(mutant, "oracle", f"{decision}{shown(args, 100)}: {shown(got, 40)} for {shown(expected, 40)} ({gives(decision)})")
                        break
                if outcome.lane:
                    break
            finish(Outcome(mutant, outcome.lane, outcome.by, time.perf_counter() - start))
