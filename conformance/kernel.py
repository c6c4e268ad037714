"""Samples that the Lean kernel checks: one theorem for each decision that was made.

A sample is a line

    theorem s7 : @Eq Bool (Gnosis.energyPacked (nat_lit 7) …) Bool.true := by decide +kernel

in a file that a user can read and compile alone; a wrong answer is a file that does not compile.  `decide +kernel` gives
the kernel the proof `of_decide_eq_true (@Eq.refl Bool true)`, which it accepts only if the left side evaluates to the
right side; nothing else evaluates.  (Lists and options have no equality test; there the proof is `@Eq.refl`, and Lean's elaborator
evaluates too.)  A sample counts as accepted when Lean says nothing about its line and the compiled file holds the
theorem with exactly that proof.
"""
from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ..audits.olean import APP, CONST, BadImage, Interner, Module
from ..spine import build
from ..spine.paths import build_dir, root
from ..spine.toolchain import Toolchain, find
from . import targets as t
from .decisions import BOOL, INT, NAT, gives
from .terms import application, result

# one after the other is as fast for a file of this kind; what is left out is advice to people who write proofs
OPTIONS = ("-D", "Elab.async=false", "-D", "linter.all=false")
PER_FILE = 250
SHORT = "short vectors, every decision"
# share of the samples in each group, in percent
SHARES = {"vectors of 32, 8 bits": 60, "vectors of 32, 32 bits": 10, "scalar gates": 20, SHORT: 10}
_MODULES = ("Gnosis.Core.Tactics", *(f"Gnosis.Decision.{name}" for name in ("Energy", "Margin", "Jit", "Tukey", "ConformalJit", "Basin", "Cumloss", "Served", "Lattice")))


class KernelError(RuntimeError):
    """Samples could not be put to the kernel."""


@dataclass(frozen=True)
class Sample:
    """A decision with the answer that was given: the theorem `left = expected`."""

    group: str
    decision: str
    args: tuple
    expected: Any
    left: str
    modules: tuple[str, ...]
    kind: str = BOOL  # of the left side

    def theorem(self, name: str) -> str:
        """The line of the file."""
        type_, term = self.right
        return f"theorem {name} : @Eq {type_} ({self.left}) {term} := {'by decide +kernel' if self.decidable else f'@Eq.refl {type_} {term}'}"

    @property
    def right(self) -> tuple[str, str]:
        """Type and term of the expected result."""
        return result(self.expected, self.kind)

    @property
    def decidable(self) -> bool:
        """The kernel alone decides; otherwise the elaborator evaluates as well."""
        return self.kind in (BOOL, INT, NAT)


@dataclass(frozen=True)
class Refused:
    """A sample that was not accepted: line `name` of `file`.  by_kernel: it was the kernel that refused."""

    sample: Sample
    name: str
    file: Path
    why: str
    by_kernel: bool


@dataclass
class Checked:
    """What became of the samples of one group."""

    group: str
    samples: int = 0
    seconds: float = 0.0
    refused: list[Refused] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Samples per second of wall-clock time, on the cores that were used."""
        return self.samples / self.seconds if self.seconds else 0.0


def draw(n: int, seed: int | str) -> list[Sample]:
    """n samples with the answers of the Python reference, in the shares of SHARES; the same for the same seed."""
    packed = t.packed()
    every = [target for targets in t.load().values() for target in targets]
    Random(f"{seed}/kernel/order").shuffle(every)  # a short run must not see the same decisions each time
    out: list[Sample] = []
    for number, group in enumerate(SHARES):
        share = n * sum(list(SHARES.values())[:number + 1]) // 100 - len(out)
        if group == SHORT:
            out += [_plain(every[i % len(every)], f"{seed}/kernel/{group}/{i}") for i in range(share)]
        else:
            members = [p for p in packed if p.group == group]
            out += [_packed(members[i % len(members)], f"{seed}/kernel/{group}/{i}") for i in range(share)]
    return out


def _packed(target: t.PackedTarget, seed: str) -> Sample:
    args = target.generate(Random(seed))
    return Sample(target.group, target.decision, args, target.reference(*args), f"Gnosis.{target.form} {target.write(*args)}", (target.module,), NAT if target.natural else gives(target.decision))


def _entries(x: Any) -> int:
    """How many numbers a term is made of."""
    return sum(map(_entries, x)) if isinstance(x, (list, tuple)) else 1


def _plain(target: t.Target, seed: str) -> Sample:
    rng = Random(seed)
    while True:
        args = target.generate(rng)
        if _entries(args) <= 12 and not any(isinstance(x, int) and x > 10**9 for x in args):
            return Sample(SHORT, target.decision, args, target.reference(*args), application(target.decision, args), _MODULES, gives(target.decision))


def check(samples: Sequence[Sample], folder: Path | None = None, base: Path | None = None, lean: Toolchain | None = None,
          jobs: int | None = None, progress: Callable[[int], None] | None = None) -> list[Checked]:
    """Have the kernel accept or refuse every sample; one result per group, in the order of first appearance.

    The files stay in `folder` (build/conform/kernel/ and the number of this process).  `progress` is called with the number of samples of each file
    that is done.  Raises KernelError when Lean cannot be run on them, LeanNotFound.
    """
    base, lean = base or root(), lean or find()
    folder = folder or _own_folder(base / "build" / "conform" / "kernel")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("Samples*"):
        old.unlink()
    needed = sorted({m for s in samples for m in s.modules})
    built = build.build(only=needed, base=base, lean=lean)
    if not built.ok:
        raise KernelError("the spine does not compile: " + "; ".join(map(str, built.messages[:3])))
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.group, []).append(sample)
    jobs = jobs or len(os.sched_getaffinity(0))
    results, number = [], 0
    with ThreadPoolExecutor(jobs) as pool:
        for group, members in groups.items():
            done = Checked(group, len(members))
            start = time.perf_counter()
            # files of equal size, as many as keep every core busy
            count = max(1, min(len(members), max(jobs, -(-len(members) // PER_FILE))))
            files = []
            for i in range(count):
                part = members[len(members) * i // count:len(members) * (i + 1) // count]
                number += 1
                files.append(pool.submit(_file, folder / f"Samples{number}.lean", part, base, lean))
            for future in as_completed(files):
                done.refused += future.result()[0]
                if progress:
                    progress(future.result()[1])
            done.seconds = time.perf_counter() - start
            done.refused.sort(key=lambda r: (r.file.name, int(r.name[1:])))
            results.append(done)
    return results


def _own_folder(parent: Path) -> Path:
    """A folder that no other run writes to; those of runs that have ended are removed."""
    for other in parent.glob("*"):
        if other.name.isdecimal() and other.name != str(os.getpid()):
            try:
                os.kill(int(other.name), 0)
            except ProcessLookupError:
                shutil.rmtree(other, ignore_errors=True)
            except OSError:
                pass
    return parent / str(os.getpid())


def _write(path: Path, samples: Sequence[Sample]) -> int:
    """Write the file; returns how many lines stand above the first theorem."""
    head = ["prelude", *(f"import {m}" for m in sorted({m for s in samples for m in s.modules}))]
    path.write_text("\n".join([*head, *(s.theorem(f"s{i}") for i, s in enumerate(samples))]) + "\n", encoding="utf-8")
    return len(head)


def _run(path: Path, base: Path, lean: Toolchain, *args: str) -> tuple[int, list[dict]]:
    """Exit code and messages of Lean on a file."""
    done = build.run_lean(lean, [*OPTIONS, "--json", *args, str(path)], build_dir(base), base)
    said = []
    for line in done.stdout.splitlines():
        try:
            said.append(json.loads(line))
        except ValueError:
            said.append({"pos": {"line": 0}, "data": line})
    if done.stderr.strip():
        said.append({"pos": {"line": 0}, "data": done.stderr.strip()})
    return done.returncode, said


def _file(path: Path, samples: Sequence[Sample], base: Path, lean: Toolchain) -> tuple[list[Refused], int]:
    """Check one file; returns what was refused, and how many samples it holds."""
    above = _write(path, samples)
    compiled = path.with_suffix(".olean")
    code, said = _run(path, base, lean, "-R", str(path.parent), "-o", str(compiled))
    why: dict[int, str] = {}
    for message in said:
        i = message["pos"]["line"] - above - 1
        if not 0 <= i < len(samples):
            raise KernelError(f"{path}: {message['data'][:500]}")
        why.setdefault(i, message["data"])
    if code and not why:
        raise KernelError(f"{path}: lean ended with code {code} and said nothing")
    if not code:
        for i in _missing(compiled, samples):
            why.setdefault(i, "the compiled file does not hold the theorem with this proof")
    return [Refused(samples[i], f"s{i}", path, text, samples[i].decidable and text.startswith("Tactic `decide`")) for i, text in sorted(why.items())], len(samples)


def _missing(compiled: Path, samples: Sequence[Sample]) -> Iterable[int]:
    """The samples that are not in the compiled file as theorems about this function, with the proof that the kernel was to check."""
    intern = Interner()
    try:
        module = Module(compiled.stem, [compiled], intern)
    except (OSError, BadImage) as error:
        raise KernelError(f"{compiled}: {error}") from None

    def spine(term: int | None) -> list:
        """Function (its name, if it is a constant) and arguments of an application."""
        if term is None:
            return [None]
        args = []
        while intern.nodes[term][1] == APP:
            args.append(intern.nodes[term][3])
            term = intern.nodes[term][2]
        node = intern.nodes[term]
        return [node[2] if node[1] == CONST else None, *reversed(args)]

    def reflexive(proof: int | None, type_: int, value: int) -> bool:
        return spine(proof) == [("Eq", "refl"), type_, value]

    boolean_true = intern("term", CONST, ("Bool",), ()), intern("term", CONST, ("Bool", "true"), ())
    for i, sample in enumerate(samples):
        constant = module.constants.get((f"s{i}",))
        if constant is None or constant.kind != "theorem":
            yield i
            continue
        equation = spine(constant.type)
        good = equation[0] == ("Eq",) and len(equation) == 4 and spine(equation[2])[0] == tuple(sample.left.split()[0].split("."))
        if good and sample.decidable:
            # it stands on a lemma of the same statement, by `of_decide_eq_true (id (@Eq.refl Bool true))`
            lemma = module.constants.get(spine(constant.value)[0])
            proof = spine(lemma.value) if lemma is not None and lemma.kind == "theorem" and lemma.type == constant.type else [None]
            good = proof[0] == ("of_decide_eq_true",) and len(proof) == 4 and proof[1] == constant.type
            identity = spine(proof[3]) if good else [None]
            good = identity[0] == ("id",) and len(identity) == 3 and reflexive(identity[2], *boolean_true)
        elif good:
            good = reflexive(constant.value, equation[1], equation[3])
        if not good:
            yield i
