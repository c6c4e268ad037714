"""Replaying certificates: every decision of a file is made again, and everything that the file says is compared.

By the exact reference always: the gate is built anew from its parameters, decides on the inputs, and theorem, statement hash, answer,
margin and assumptions are compared; then its Lean decision's Python mirror is asked on whole numbers found a second time
(`requests.py`).  On request also by the Lean decision itself, run by Lean's interpreter, and as theorems that the Lean kernel checks.
Inputs that come from a model are computed again from its file.  What was not done is counted, with the reason.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from ...certificates import tiles
from ...certificates.records import Certificate, CertificateError, End, Header, lock_hash, read, replay, statements
from ...models.files import Model
from .. import targets
from ..oracle import kernel as lean_kernel
from ..oracle.decisions import fits, gives
from ..oracle.interpreter import LONGEST, Oracle, Refusal
from ..oracle.terms import application
from .requests import Request, asked

BATCH = 1024
WEIGHTS = 1 << 20  # weights of a model that a batch may need
SHOWN = 10_000  # refusals that are kept; all are counted
ENTRIES = 4096  # numbers in a theorem for the kernel
BITS = 1 << 16  # and bits of each
MODULES = ("Gnosis.Core.Tactics", *(f"Gnosis.Decision.{name}" for name in ("Energy", "Margin", "Jit", "Tukey", "ConformalJit", "Basin", "Cumloss", "Served")))

WHOLE, PART, NONE = "whole", "part", "none"  # how much of a certificate is Lean's to decide


class NotCertificates(ValueError):
    """The file does not begin as a file of certificates does."""


@dataclass(frozen=True)
class Refused:
    """What does not hold: the line, what is at fault (`CertificateError.argument`, or "oracle" or "kernel"), and why."""

    line: int
    reason: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass
class Report:
    """What was replayed, and how.

    certificates: read.  complete: the closing line is there.  torn: number of a last line that was cut off.  gates: certificates of each kind.
    exact: certificates that hold by the exact reference.  lean: how many of these are Lean's to decide in whole, in part, not at all; left: what is not.
    oracle, kernel: requests that agree, None when not asked for.  from_model: inputs computed again from the model and equal.
    not_replayed: reason → how many.  refusals: all there were.  refused: the first of them.
    """

    path: str
    package: str = ""
    certificates: int = 0
    complete: bool = False
    torn: int | None = None
    gates: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    lean: Counter[str] = field(default_factory=lambda: Counter({WHOLE: 0, PART: 0, NONE: 0}))
    left: Counter[str] = field(default_factory=Counter)
    oracle: int | None = None
    kernel: int | None = None
    from_model: int = 0
    not_replayed: Counter[str] = field(default_factory=Counter)
    refusals: int = 0
    refused: list[Refused] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def code(self) -> int:
        """0 everything holds; 1 something was refused; 3 the file ends early; 4 something could not be replayed.  (2: not a file of certificates.)"""
        return 1 if self.refusals else 3 if not self.complete else 4 if self.not_replayed else 0

    def refuse(self, line: int, reason: str, message: str) -> None:
        """Count a refusal."""
        self.refusals += 1
        if len(self.refused) < SHOWN:
            self.refused.append(Refused(line, reason, message))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"v": 1, "code": self.code, **{k: v for k, v in vars(self).items() if k != "refused"}, "refused": [vars(r) for r in self.refused]}


def verify(
    path: str | os.PathLike[str],
    model: Model | None = None,
    oracle: bool = False,
    kernel: bool = False,
    any_lock: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Replay a file of certificates.

    model: that the inputs come from.  oracle, kernel: also ask Lean.  any_lock: take a file that was written under another statement lock, as long as
    each of its theorems says the same here.  progress: is told how many certificates are done.
    Raises NotCertificates, OSError; with `oracle` and `kernel` what these raise.
    """
    start = time.perf_counter()
    report = Report(os.fspath(path).encode(errors="backslashreplace").decode())
    references = {target.decision: target.reference for members in targets.load().values() for target in members}
    with ExitStack() as stack:
        warm = stack.enter_context(Oracle()) if oracle else None
        report.oracle, report.kernel = (0 if oracle else None), (0 if kernel else None)
        batch: list[tuple[int, Certificate]] = []
        weights = 0  # that the batch needs of the model
        header: Header | None = None

        def flush() -> None:
            _replay(batch, report, model, warm, kernel, references, header)
            progress(report.certificates)
            batch.clear()

        for line in read(path):
            if line.number == 1 and not isinstance(line.item, Header):
                raise NotCertificates(f"{path}: " + ("no whole line" if line.torn else str(line.problems[0])))
            if line.torn:
                report.torn = line.number
                continue
            for problem in line.problems:
                report.refuse(line.number, problem.argument, str(problem))
            if isinstance(line.item, Header) and line.number == 1:
                header = line.item
                report.package = header.package
                _check_header(header, report, model, any_lock)
            elif isinstance(line.item, Certificate):
                report.certificates += 1
                report.gates[line.item.kind.name] += 1
                batch.append((line.number, line.item))
                weights += sum(one.tile.columns[1] - one.tile.columns[0] for one in line.item.referred.values())
                if len(batch) == BATCH or weights > WEIGHTS:
                    flush()
                    weights = 0
            elif isinstance(line.item, End):
                report.complete = True
        if header is None:
            raise NotCertificates(f"{path}: empty")
        flush()
    report.seconds = time.perf_counter() - start
    return report


def _check_header(header: Header, report: Report, model: Model | None, any_lock: bool) -> None:
    here = lock_hash()
    if header.lock != here:
        text = f"the file was written under another statement lock than this one, {here}"
        if any_lock:
            report.notes.append(text)
        else:
            report.refuse(1, "lock", str(CertificateError("lock", header.lock, text)))
    if model is not None and header.model is not None:
        there, found = header.model["files"], tiles.identity(model)["files"]
        if len(there) != len(found):
            report.refuse(1, "model", str(CertificateError("model", len(there), f"files; the one that is given has {len(found)}")))
        for one, other in zip(there, found):
            for what in ("bytes", "sha256"):
                if one[what] != other[what]:
                    report.refuse(
                        1, "model", str(CertificateError("model", one[what], f"is the {what} of {one['file']!r} here; {other['file']!r} has {other[what]}"))
                    )


def _replay(
    batch: list[tuple[int, Certificate]],
    report: Report,
    model: Model | None,
    warm: Oracle | None,
    kernel: bool,
    references: dict[str, Callable[..., Any]],
    header: Header | None,
) -> None:
    locked = statements()
    referred = [(k, name, value) for k, (_, c) in enumerate(batch) for name, value in c.referred.items()]
    found = tiles.recompute(model, [value for _, _, value in referred]) if model is not None else [None] * len(referred)
    inputs: list[dict[str, Any] | None] = [dict(c.inputs) for _, c in batch]
    for (k, name, value), computed in zip(referred, found):
        number = batch[k][0]
        if header is None or header.model is None:
            report.refuse(number, "model", str(CertificateError("model", None, "an input comes from a model, and the first line names none")))
            inputs[k] = None
        elif isinstance(computed, CertificateError):
            report.refuse(number, computed.argument, str(computed))
            inputs[k] = None
        elif computed is None:
            report.not_replayed[
                f"{'a residual' if value.value is None else 'a residual energy'} that comes from {header.model['name']!r}: give it as --model"
            ] += 1
            computed = value.value
            if computed is None:
                inputs[k] = None
        else:
            report.from_model += 1
        if (given := inputs[k]) is not None:
            given[name] = computed
    requests: list[tuple[int, Request]] = []
    for (number, c), given in zip(batch, inputs):
        if given is None:
            continue
        try:
            gate = replay(c, given, locked)
        except CertificateError as error:
            report.refuse(number, error.argument, str(error))
            continue
        to_ask = asked(c, gate, given)
        wrong = [r for r in to_ask.requests if (answer := references[r.decision](*r.args)) != r.expected or type(answer) is not type(r.expected)]
        for r in wrong:
            report.refuse(number, "decision", f"the mirror of {r.decision} does not give {r.expected!r}")
        if wrong:
            continue
        report.exact += 1
        report.lean[NONE if not to_ask.requests else WHOLE if to_ask.left is None else PART] += 1
        if to_ask.left is not None:
            report.left[to_ask.left] += 1
        requests += [(number, r) for r in to_ask.requests]
    if warm is not None:
        _by_oracle(requests, warm, report)
    if kernel:
        _by_kernel(requests, report)


def _by_oracle(requests: list[tuple[int, Request]], warm: Oracle, report: Report) -> None:
    """Ask the Lean decisions, those of one name together."""
    by_name: dict[str, list[tuple[int, Request]]] = {}
    for number, r in requests:
        if not fits(r.decision, r.args) or len(json.dumps(r.args)) + 64 > LONGEST:
            report.not_replayed["a request that is too large for Lean's interpreter"] += 1
        else:
            by_name.setdefault(r.decision, []).append((number, r))
    for decision, members in by_name.items():
        for (number, r), answer in zip(members, warm.many(decision, [r.args for _, r in members])):
            if isinstance(answer, Refusal) or type(answer) is not type(r.expected) or answer != r.expected:
                said = answer.why if isinstance(answer, Refusal) else repr(answer)
                report.refuse(number, "oracle", f"Lean's {decision} gives {said}, and the certificate needs {r.expected!r}")
            else:
                report.oracle = (report.oracle or 0) + 1


def _entries(x: Any) -> tuple[int, int]:
    """How many numbers a term is made of, and the bits of the largest."""
    if isinstance(x, (list, tuple)):
        inner = [_entries(y) for y in x]
        return sum(n for n, _ in inner), max((b for _, b in inner), default=0)
    return 1, int(x).bit_length()


def _by_kernel(requests: list[tuple[int, Request]], report: Report) -> None:
    """Have the kernel check every answer as a theorem."""
    samples: list[lean_kernel.Sample] = []
    numbers: dict[int, int] = {}
    for number, r in requests:
        entries, bits = _entries(r.args)
        if entries > ENTRIES or bits > BITS:
            report.not_replayed["a theorem that is too large for the kernel"] += 1
            continue
        samples.append(lean_kernel.Sample("certificates", r.decision, r.args, r.expected, application(r.decision, r.args), MODULES, gives(r.decision)))
        numbers[id(samples[-1])] = number
    if not samples:
        return
    refused = [one for part in lean_kernel.check(samples) for one in part.refused]
    for one in refused:
        report.refuse(numbers[id(one.sample)], "kernel", f"the theorem {one.sample.decision} … = {one.sample.expected!r} is not accepted: {one.why[:200]}")
    report.kernel = (report.kernel or 0) + len(samples) - len(refused)
