"""Samples that the Lean kernel checks: decisions that were made, as theorems.

A theorem takes a few samples together, one a line, in a file that a user can read and compile alone:

    theorem g0 : @Eq Bool
      (Bool.and (Gnosis.energyPacked (nat_lit 7) …)
      (Bool.and (Bool.not (Gnosis.energyPacked (nat_lit 7) …))
      (Bool.and (Nat.beq (Gnosis.argmaxPacked (nat_lit 7) …) (nat_lit 3))
      Bool.true))) Bool.true := by decide +kernel

A wrong answer is a file that does not compile.  `decide +kernel` gives the kernel the proof
`of_decide_eq_true (@Eq.refl Bool true)`, which it accepts only if the left side evaluates to the right side; nothing else
evaluates.  The samples of a theorem that was not accepted are put to the kernel again, each in a theorem of its own,

    theorem s7 : @Eq Bool (Gnosis.energyPacked (nat_lit 7) …) Bool.true := by decide +kernel

so that the wrong one is named.  (Lists and options have no equality test; such samples are alone from the start, their
proof is `@Eq.refl`, and Lean's elaborator evaluates too.)  A theorem counts as accepted when Lean says nothing about its
lines and the compiled file holds it with these samples and with exactly that proof.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ...audits.olean import APP, CONST, LIT, BadImage, Interner, Module
from ...spine import build
from ...spine.paths import build_dir, root
from ...spine.toolchain import Toolchain, find
from .. import targets as t
from .decisions import BOOL, INT, NAT, gives
from .terms import application, result

# one after the other is as fast for a file of this kind; what is left out is advice to people who write proofs
OPTIONS = ("-D", "Elab.async=false", "-D", "linter.all=false")
PER_FILE = 1000  # samples in a file; Lean takes as long to start as for 150 scalar ones
TOGETHER = 25  # samples in a theorem; the elaborator spends less on each than in a theorem of its own, and more than 100 are too deep for it
SHORT = "short vectors, every decision"
# share of the samples in each group, in percent
SHARES = {"vectors of 32, 8 bits": 60, "vectors of 32, 32 bits": 10, "scalar gates": 20, SHORT: 10}
_MODULES = (
    "Gnosis.Core.Tactics",
    *(f"Gnosis.Decision.{name}" for name in ("Energy", "Margin", "Jit", "Tukey", "ConformalJit", "Basin", "Cumloss", "Served", "Lattice", "Head", "Deferred")),
)


class KernelError(RuntimeError):
    """Samples could not be put to the kernel."""


@dataclass(frozen=True)
class Sample:
    """A decision with the answer that was given: the theorem `left = expected`."""

    group: str
    decision: str
    args: tuple[Any, ...]
    expected: Any
    left: str
    modules: tuple[str, ...]
    kind: str = BOOL  # of the left side

    @property
    def joins(self) -> bool:
        """May stand in a theorem with others."""
        return self.kind in (BOOL, NAT)

    @property
    def test(self) -> str:
        """A truth value that is true if the sample is right."""
        if self.kind == NAT:
            return f"Nat.beq ({self.left}) {self.right[1]}"
        return self.left if self.expected else f"Bool.not ({self.left})"

    def theorem(self, name: str) -> str:
        """A theorem of its own, on one line."""
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
        share = n * sum(list(SHARES.values())[: number + 1]) // 100 - len(out)
        if group == SHORT:
            out += [_plain(every[i % len(every)], f"{seed}/kernel/{group}/{i}") for i in range(share)]
        else:
            members = [p for p in packed if p.group == group]
            out += [_packed(members[i % len(members)], f"{seed}/kernel/{group}/{i}") for i in range(share)]
    return out


def _packed(target: t.PackedTarget, seed: str) -> Sample:
    args = target.generate(Random(seed))
    return Sample(
        target.group,
        target.decision,
        args,
        target.reference(*args),
        f"Gnosis.{target.form} {target.write(*args)}",
        (target.module,),
        NAT if target.natural else gives(target.decision),
    )


def _entries(x: Any) -> int:
    """How many numbers a term is made of."""
    return sum(map(_entries, x)) if isinstance(x, (list, tuple)) else 1


def _plain(target: t.Target, seed: str) -> Sample:
    rng = Random(seed)
    while True:
        args = target.generate(rng)
        if _entries(args) <= 12 and not any(isinstance(x, int) and x > 10**9 for x in args):
            return Sample(SHORT, target.decision, args, target.reference(*args), application(target.decision, args), _MODULES, gives(target.decision))


def check(
    samples: Sequence[Sample],
    folder: Path | None = None,
    base: Path | None = None,
    lean: Toolchain | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Checked]:
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
            places = {id(sample): i for i, sample in enumerate(members)}
            start = time.perf_counter()
            # files of equal size, as many as keep every core busy
            count = max(1, min(len(members), max(jobs, -(-len(members) // PER_FILE))))
            files = []
            for i in range(count):
                part = members[len(members) * i // count : len(members) * (i + 1) // count]
                number += 1
                files.append(pool.submit(_file, folder / f"Samples{number}.lean", part, base, lean))
            for future in as_completed(files):
                done.refused += future.result()[0]
                if progress:
                    progress(future.result()[1])
            done.seconds = time.perf_counter() - start
            done.refused.sort(key=lambda r: places[id(r.sample)])
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


def _theorems(samples: Sequence[Sample], together: int) -> list[list[Sample]]:
    """The samples of each theorem, in order: neighbours that may stand together, up to `together` of them."""
    out: list[list[Sample]] = []
    for sample in samples:
        if sample.joins and out and out[-1][0].joins and len(out[-1]) < together:
            out[-1].append(sample)
        else:
            out.append([sample])
    return out


def _text(number: int, samples: Sequence[Sample]) -> str:
    """One theorem: a sample alone on one line; several with a line above and below, and one for each of them."""
    if len(samples) == 1:
        return samples[0].theorem(f"s{number}")
    end = f"  Bool.true{')' * len(samples)} Bool.true := by decide +kernel"
    return "\n".join([f"theorem g{number} : @Eq Bool", *(f"  (Bool.and ({s.test})" for s in samples), end])


def _write(path: Path, theorems: Sequence[Sequence[Sample]]) -> list[range]:
    """Write the file; returns the lines of each theorem, counted from 1."""
    head = ["prelude", *(f"import {m}" for m in sorted({m for ss in theorems for s in ss for m in s.modules}))]
    texts, lines, at = [_text(i, ss) for i, ss in enumerate(theorems)], [], len(head) + 1
    for text in texts:
        lines.append(range(at, at + text.count("\n") + 1))
        at = lines[-1].stop
    path.write_text("\n".join([*head, *texts]) + "\n", encoding="utf-8")
    return lines


def _run(path: Path, base: Path, lean: Toolchain, *args: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and messages of Lean on a file."""
    done = build.run_lean(lean, [*OPTIONS, "--json", *args, str(path)], build_dir(base, lean), base)
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
    """Check samples; returns what was refused, and how many samples there were."""
    theorems = _theorems(samples, TOGETHER)
    why = _refused(path, theorems, base, lean)
    refused = [Refused(theorems[i][0], f"s{i}", path, text, _by_kernel(theorems[i][0], text)) for i, text in why.items() if len(theorems[i]) == 1]
    again = [[sample] for i in why if len(theorems[i]) > 1 for sample in theorems[i]]
    if again:
        path = path.with_name(f"{path.stem}Again.lean")
        refused += [Refused(again[i][0], f"s{i}", path, text, _by_kernel(again[i][0], text)) for i, text in _refused(path, again, base, lean).items()]
    return refused, len(samples)


def _by_kernel(sample: Sample, why: str) -> bool:
    return sample.decidable and why.startswith("Tactic `decide`")


def _refused(path: Path, theorems: Sequence[Sequence[Sample]], base: Path, lean: Toolchain) -> dict[int, str]:
    """Have Lean compile a file with these theorems, and read it back; the numbers of those that are not accepted, with the reason."""
    lines = _write(path, theorems)
    compiled = path.with_suffix(".olean")
    compiled.unlink(missing_ok=True)
    code, said = _run(path, base, lean, "-R", str(path.parent), "-o", str(compiled))
    why: dict[int, str] = {}
    for message in said:
        i = bisect_right(lines, message["pos"]["line"], key=lambda r: r.start) - 1
        if i < 0 or message["pos"]["line"] not in lines[i]:
            raise KernelError(f"{path}: {message['data'][:500]}")
        why.setdefault(i, message["data"])
    if code and not why:
        raise KernelError(f"{path}: lean ended with code {code} and said nothing")
    if not code:
        for i in _missing(compiled, theorems):
            why.setdefault(i, "the compiled file does not hold the theorem with this proof")
    return dict(sorted(why.items()))


def _missing(compiled: Path, theorems: Sequence[Sequence[Sample]]) -> Iterable[int]:
    """The theorems that are not in the compiled file about these functions and results, with the proof that the kernel was to check."""
    intern = Interner()
    try:
        module = Module(compiled.stem, [compiled], intern)
    except (OSError, BadImage) as error:
        raise KernelError(f"{compiled}: {error}") from None

    def spine(term: int | None) -> list[Any]:
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

    def by_kernel(constant: Any) -> bool:
        """It stands on a lemma of the same statement, by `of_decide_eq_true (id (@Eq.refl Bool true))`."""
        lemma = module.constants.get(spine(constant.value)[0])
        proof = spine(lemma.value) if lemma is not None and lemma.kind == "theorem" and lemma.type == constant.type else [None]
        if proof[0] != ("of_decide_eq_true",) or len(proof) != 4 or proof[1] != constant.type:
            return False
        identity = spine(proof[3])
        return identity[0] == ("id",) and len(identity) == 3 and reflexive(identity[2], boolean, true)

    def about(term: int, sample: Sample) -> bool:
        return spine(term)[0] == tuple(sample.left.split()[0].split("."))

    def tests(term: int, sample: Sample) -> bool:
        """The term is `sample.test`."""
        applied = spine(term)
        if sample.kind == NAT:
            return applied[0] == ("Nat", "beq") and len(applied) == 3 and about(applied[1], sample) and applied[2] == intern("term", LIT, sample.expected)
        if sample.expected:
            return about(term, sample)
        return applied[0] == ("Bool", "not") and len(applied) == 2 and about(applied[1], sample)

    def all_tests(term: int, samples: Sequence[Sample]) -> bool:
        for sample in samples:
            both = spine(term)
            if both[0] != ("Bool", "and") or len(both) != 3 or not tests(both[1], sample):
                return False
            term = both[2]
        return term == true

    boolean, true = intern("term", CONST, ("Bool",), ()), intern("term", CONST, ("Bool", "true"), ())
    for i, samples in enumerate(theorems):
        alone = samples[0] if len(samples) == 1 else None
        constant = module.constants.get((f"s{i}" if alone else f"g{i}",))
        equation: list[Any] = spine(constant.type) if constant is not None and constant.kind == "theorem" else [None]
        good = equation[0] == ("Eq",) and len(equation) == 4
        if not good or constant is None:
            good = False
        elif alone:
            good = about(equation[2], alone) and (by_kernel(constant) if alone.decidable else reflexive(constant.value, equation[1], equation[3]))
        else:
            good = equation[1] == boolean and equation[3] == true and all_tests(equation[2], samples) and by_kernel(constant)
        if not good:
            yield i
