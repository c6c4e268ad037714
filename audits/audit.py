"""All audits of the spine in one run.

The order matters.  First everything that the audit goes by is in memory: its code, its locks, the sources.  Then the sources are
looked at, and only when nothing is wrong with them are they compiled, each from the text that was read; every compiled file is
looked at before another one imports it.  Then the kernel checks everything again, in a process that loads nothing of
what was compiled, and the answers of all processes are compared here.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import accelerated, axioms, bundle, code, equations, language, lean, lock, page, printed, records, sources, tokens, units
from . import build as builder
from .environment import Environment, module_files
from .findings import Finding
from .olean import BadImage, Interner, Module, Name, show

VERSION = 1  # of the JSON
REPLAY = (3000, 64 << 30, 1 << 20)  # processor seconds, bytes of address space and of a file that the replay may take
WRITTEN = 100_000  # nodes of a statement that is written down
SHOWN = 20  # findings of one kind that are listed one by one
# No floor may be lower: the foundation alone has more.
LOWEST = {"modules": 20, "constants": 2000, "theorems": 400}


@dataclass
class Report:
    """What an audit found.  It is good exactly when `findings` is empty.

    `mode` is `clean` (compiled here, from the sources) or `cached` (the compiled files that were there, as far as the build recorded
    them), `trusted` the SHA-256 of what the audit goes by, `confined` what kept the compiling processes to their folder.
    `theorems` has a row for every theorem (name, module, statement, axioms), generated and private ones included.
    `hidden` counts the constants without a visible definition and the theorems that rest on one.
    """

    lean: str
    mode: str = ""
    trusted: dict[str, str] = field(default_factory=dict)
    confined: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    theorems: list[dict[str, Any]] = field(default_factory=list)
    modules: int = 0
    constants: dict[str, int] = field(default_factory=dict)
    replay: dict[str, Any] = field(default_factory=dict[str, Any])
    accelerated: list[dict[str, Any]] = field(default_factory=list)
    axioms_declared: list[dict[str, Any]] = field(default_factory=list)
    hidden: dict[str, int] = field(default_factory=dict)
    print_axioms: dict[str, int] = field(default_factory=dict)
    headline: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, dict[str, int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        return {"version": VERSION, "ok": self.ok, **self.__dict__, "findings": [f.to_dict() for f in self.findings]}


def load_exceptions(text: str, path: str = "audits/exceptions.yaml") -> dict[str, Any]:
    """exceptions.yaml: `floors`, `axioms` and `tokens`; every exception needs a reason, and one for a word exact numbers.

    Raises ValueError when something of that is missing or a floor is lower than the foundation alone.
    """
    data = records.read(text, path)
    if set(data) != {"floors", "axioms", "tokens"} or not isinstance(data["axioms"], list) or not isinstance(data["tokens"], list):
        raise ValueError(f"{path}: must hold floors, axioms and tokens, and nothing else")
    floors = data["floors"]
    if not isinstance(floors, dict) or set(floors) != set(LOWEST):
        raise ValueError(f"{path}: floors must be exactly {', '.join(LOWEST)}; found {floors!r}")
    for what, lowest in LOWEST.items():
        if type(floors[what]) is not int or floors[what] < lowest:
            raise ValueError(f"{path}: the floor of {what} must be a whole number from {lowest} on; found {floors[what]!r}")
    for entry in data["axioms"] + data["tokens"]:
        if not str(entry.get("reason", "")).strip():
            raise ValueError(f"{path}: an exception without a reason: {entry}")
    for entry in data["tokens"]:
        files = entry.get("files")
        if set(entry) != {"token", "files", "reason"} or not isinstance(files, dict) or not files or not all(type(n) is int and n > 0 for n in files.values()):
            raise ValueError(f"{path}: an exception needs token, reason and files, with the exact number of uses in each: {entry}")
    return data


def _read_replay(said: dict[str, Any], code: int) -> list[Finding]:
    if "error" in said:
        return [Finding("replay", "compiled files", said["error"])]
    rows = [Finding("replay", n, "the kernel rejects this declaration") for n in said["rejected"]]
    rows += [Finding("replay", d["name"], f"file and kernel differ in: {d['field']}") for d in said["differences"]]
    rows += [Finding("replay", row["name"], f"refers to {row['unsafe']}, which is unsafe") for row in said["borrowed"]]
    rows += [Finding("replay", row["module"], f"{row['what']} is {row['found']}; Lean makes {row['wanted']}") for row in said["falsified"]]
    if said["falsified_words"] > len(said["falsified"]):
        rows.append(Finding("replay", "compiled files", f"{said['falsified_words'] - len(said['falsified'])} more words that Lean would not have written"))
    rows += [Finding("replay", n, "the kernel rejects this declaration when the accelerated operations are renamed") for n in said["plain"]["rejected"]]
    rows += [Finding("replay", n, "a specification that is not in the compiled files") for n in said["plain"]["absent"]]
    if said["rejected_units"] > len(said["rejected"]):
        rows.append(Finding("replay", "compiled files", f"{said['rejected_units'] - len(said['rejected'])} declarations rest on rejected ones"))
    out = rows[:SHOWN]
    if len(rows) > SHOWN:
        out.append(Finding("replay", "compiled files", f"and {len(rows) - SHOWN} more"))
    if not said["control"]:
        out.append(Finding("replay", "kernel", "the kernel did not accept a true declaration and reject a false one"))
    if (code != 0 or not said["ok"]) and not out:
        out.append(Finding("replay", "kernel", f"the replay ended with code {code}"))
    return out


def _answer(process: bundle.Child) -> dict[str, Any]:
    """What the replay said, or that it said nothing."""
    try:
        return bundle.answer(process)
    except (OSError, ValueError) as error:
        return {"ok": False, "error": str(error)}


def _confirm(said: dict[str, Any], env: Environment, count: int, plain: Sequence[str]) -> list[Finding]:
    """The replay must have looked at what is here, and at all of it."""
    if "error" in said:
        return []
    safe = sum(not c.unsafe for c in env.constants.values())
    want = {"ok": True, "control": True, "modules": len(env.modules), "constants": len(env.constants), "units": count, "accepted": count, "compared": safe}
    found = {key: said.get(key) for key in want}
    checked = said.get("plain", {})
    if found != want or checked.get("theorems") != len(plain) or len(said.get("unsafe", ())) != len(env.constants) - safe:
        return [
            Finding(
                "replay",
                "kernel",
                f"the replay says {json.dumps({**found, 'specifications': checked.get('theorems')})}; "
                f"there are {json.dumps({**want, 'specifications': len(plain)})}",
            )
        ]
    return []


def objections(module: Module, source: sources.Source, version: str) -> list[str]:
    """What is wrong with one compiled module, before another one imports it."""
    said = []
    if module.is_module or len(module.parts) != 1:
        said.append("compiled with a module header, into several files")
    if module.imports != list(source.imports):
        said.append(f"the compiled file imports {', '.join(module.imports) or 'nothing'}, its source {', '.join(source.imports) or 'nothing'}")
    if any(part.version != version for part in module.parts):
        said.append(f"compiled by Lean {module.parts[0].version}, and this is {version}")
    return said


class _Locks:
    """The files of `audits/` that say what must be, read before anything else happens."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        text = {name: files[name].decode() for name in ("exceptions.yaml", "headline.yaml")}
        text |= {name: files.get(name, b"").decode() for name in ("definitions.lock", "code.lock")}
        self.exceptions = load_exceptions(text["exceptions.yaml"])
        self.entries = lock.parse(text["headline.yaml"])
        self.definitions = lock.read_definitions(text["definitions.lock"])
        self.code = code.read(text["code.lock"])


def _root_files(base: Path, version: str) -> tuple[dict[str, str], list[Finding]]:
    """The texts of the Lean files beside `Gnosis/`, and what is wrong with them or with `lean-toolchain`."""
    texts, found = {}, []
    for path in [*sorted(base.glob("*.lean")), base / "lean-toolchain"]:
        try:
            text = sources.content(path).decode()
        except (OSError, ValueError) as error:
            found.append(Finding("sources", path.name, str(error)))
            continue
        if path.suffix == ".lean":
            texts[path.name] = text
        elif text.strip() not in (f"leanprover/lean4:v{version}", version):
            found.append(Finding("sources", path.name, f"says {text.strip()[:60]!r}, and this is Lean {version}"))
    return texts, found


def run(
    base: Path,
    out: Path | None = None,
    toolchain: lean.Toolchain | None = None,
    *,
    clean: bool = False,
    build: bool = True,
    update_lock: bool = False,
    files: Mapping[str, bytes] | None = None,
    library: Path | None = None,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Audit the spine below `base`.

    With `clean` it is compiled in a folder of its own, from the texts that were read; else into `out`, where what the
    build recorded is believed, and with `build=False` the compiled files in `out` are taken as they are.  `toolchain` defaults to a private
    copy of a library that libraries.lock lists, looked for at `library` or where the wheel may lie.  `files` are those of
    `audits/`, by default of `base`.  `update_lock` writes the locks anew, after the other audits, instead of comparing with them.
    `progress` is called with the name of each step.

    Raises `lean.LeanNotFound` and `sources.BuildError`.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(bundle.held())
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gnosis-audit-", dir=builder.scratch())))
        files = bundle.read(base / "audits") if files is None else files
        if toolchain is None:
            toolchain = lean.pinned([library] if library else lean.candidates(base), work)
        report = Report(str(toolchain), "clean" if clean else "cached")
        report.trusted = {"audits": bundle.digest(dict(files)), "library": toolchain.digest}
        (work / "empty").mkdir()
        audit = _Audit(base, work, (work / "out") if clean or out is None else out, toolchain, report, update_lock, jobs, progress)
        audit.run(files, build or clean)
        if toolchain.library is not None and lean.copied(toolchain.library, None) != toolchain.digest:
            report.findings.append(Finding("build", "library", f"{toolchain.library} changed while it was used"))
    return report


class _Audit:
    """The steps of one audit; each appends to the report."""

    def __init__(
        self, base: Path, work: Path, out: Path, toolchain: lean.Toolchain, report: Report, update_lock: bool, jobs: int | None, progress: Callable[[str], None]
    ) -> None:
        self.base, self.work, self.out, self.lean, self.report = base, work, out, toolchain, report
        self.update_lock, self.jobs, self.progress = update_lock, jobs, progress
        self.clock = time.perf_counter()
        self.intern = Interner()
        self.loaded: dict[str, Module] = {}

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.progress(name)
        yield
        now = time.perf_counter()
        self.report.seconds[name] = round(now - self.clock, 2)
        self.clock = now

    def say(self, audit: str, where: str, text: str, line: int = 0) -> None:
        self.report.findings.append(Finding(audit, where, text, line))

    def run(self, files: Mapping[str, bytes], build: bool) -> None:
        report = self.report
        try:
            self.locks = _Locks(files)
        except (lock.BadHeadline, ValueError, KeyError, TypeError) as error:
            self.say("lock", "audits", f"{type(error).__name__}: {error}")
            return
        with self.step("sources"):
            self.read_sources()
        # nothing is compiled that is refused: compiling can run code
        if build and report.findings:
            return
        with self.step("build"):
            report.findings += builder.strays(self.out, self.sources)
            if build and (report.findings or not self.compile()):
                return
            self.manifest, stale = builder.manifest(self.sources, self.out, self.lean)
            for name in stale:
                self.say("build", name, "the compiled file is not the one that the build made of this source")
            if build:
                report.findings += builder.strays(self.out, self.sources)
        with self.step("read"):
            try:
                self.env = Environment(self.out, list(self.manifest), self.intern, self.loaded)
            except BadImage as error:
                self.say("reader", "compiled files", str(error))
                return
        specified = lock.specified(self.locks.entries)
        plain = sorted({t for ts in specified.values() for t in ts})
        replay = self.start_replay(plain)
        try:
            self.look(specified)
        finally:
            with self.step("kernel replay"):
                report.replay = _answer(replay)
                report.findings += _read_replay(report.replay, 0) + code.shown(self.env, report.replay.get("equations"))
                report.findings += _confirm(report.replay, self.env, len(units.units(self.env, self.env.constants)), plain)

    def read_sources(self) -> None:
        report, locks = self.report, self.locks
        self.sources, said = sources.read(self.base)
        beside, wrong = _root_files(self.base, self.lean.version)
        report.findings += said + wrong
        report.trusted["sources"] = sources.digest(self.sources.values())
        texts = {s.file: s.text for s in self.sources.values()} | beside
        said, report.tokens = tokens.audit(texts, locks.exceptions["tokens"])
        report.findings += said + ([] if self.update_lock else language.audit(texts, code.locked_sources(locks.code)))
        self.texts = texts

    def compile(self) -> bool:
        """Build, looking at every compiled module before another one imports it."""
        if self.lean.library is not None:
            probe = bundle.child("confine:probe", {"folders": []}, self.work / "empty", ("confine",))
            self.report.confined = bundle.answer(probe)["confined"]
        locked = None if self.update_lock else self.locks.code

        def check(name: str) -> list[str]:
            try:
                module = Module(name, module_files(self.out, name), self.intern)
            except BadImage as error:
                return [str(error)]
            self.loaded[name] = module
            return objections(module, self.sources[name], self.lean.version) + [f"{f.where}: {f.text}" for f in code.module(name, module, locked)]

        result = builder.build(self.sources, self.out, self.lean, self.jobs, lambda name, _, done, total: self.progress(f"build {done}/{total}"), check)
        for m in result.messages:
            self.say("build", m.file, f"{m.severity}: {m.text}", m.line)
        for name in result.failed:
            self.say("build", name, "does not compile, or not into what it should")
        return result.ok

    def equations(self) -> Path:
        """Have Lean make the equations of all recursive functions.  Returns the compiled file, which is absent when Lean made none."""
        folder = self.work / "equations"
        folder.mkdir()
        text, made = folder / f"{equations.MODULE}.lean", folder / f"{equations.MODULE}.olean"
        lines = equations.source(self.env).splitlines(keepends=True)
        for _ in range(2):
            text.write_text("".join(lines), encoding="utf-8")
            done = lean.run(self.lean, ["--json", "-R", str(folder), "-o", str(made), str(text)], self.out, folder, [folder])
            if done.returncode == 0:
                break
            # Lean writes no file when a line has an error; once more, without those
            lines = equations.without_errors(lines, done.stdout)
        return made

    def start_replay(self, plain: Sequence[str]) -> bundle.Child:
        path = self.lean.library or lean.kernel_library(self.lean)
        request = {
            "library": str(path) if path else None,
            "root": str(self.out),
            "modules": list(self.manifest),
            "manifest": self.manifest,
            "plain": plain,
            "equations": str(self.equations()),
            "limits": REPLAY,
        }
        return bundle.child("replay:served", request, self.work / "empty", deep=True)

    def look(self, specified: dict[str, list[str]]) -> None:
        """What this process finds in the compiled files, while another one replays them."""
        env, report, locks = self.env, self.report, self.locks
        found = report.findings
        for name, module in env.modules.items():
            if module.parts[0].sha256 != self.manifest.get(name):
                self.say("reader", name, "the compiled file changed while it was audited")
            if name in self.sources:  # without a build nobody has looked yet
                found += [Finding("reader", name, text) for text in objections(module, self.sources[name], self.lean.version)]
        report.modules = len(env.modules)
        report.constants = dict(Counter(c.kind for c in env.constants.values()))
        with ThreadPoolExecutor(1) as pool:
            writable = [n for n, c in env.constants.items() if printed.writable(n) and not c.unsafe]
            theorems = [n for n in writable if env.constants[n].kind == "theorem"]
            proved = [n for n in writable if env.constants[n].kind in ("theorem", "definition")]
            asked = pool.submit(printed.ask, self.lean, self.out, list(self.manifest), printed.statements(theorems) + printed.axioms(proved))
            with self.step("axioms"):
                deps = axioms.dependencies(env)
                found += axioms.audit(env, deps, locks.exceptions["axioms"], report.tokens, locks.exceptions["floors"])
                report.axioms_declared = [{"name": show(n), "module": c.module, "unsafe": c.unsafe} for n, c in env.constants.items() if c.kind == "axiom"]
                report.hidden = {
                    "opaque": report.constants.get("opaque", 0),
                    "unsafe": sum(c.unsafe for c in env.constants.values()),
                    "theorems": sum(c.kind == "theorem" and bool(deps.hidden[n]) for n, c in env.constants.items()),
                }
                found += [Finding("accelerated", show(n), text) for n, text in accelerated.check(env, specified)]
                report.accelerated = [
                    {"name": show(n), "module": env.constants[n].module, "specified_by": specified.get(show(n), [])} for n in accelerated.declared(env)
                ]
            with self.step("statements"):
                try:
                    answers = asked.result()
                except BadImage as error:
                    self.say("printed", "Lean", str(error))
                    return
                statements = dict(zip(theorems, answers, strict=False))
                found += _unprinted(statements)
                found += _cross_check(deps, proved, answers[len(theorems) :], report)
                report.theorems = sorted(
                    (
                        {"name": show(n), "module": c.module, "statement": statements.get(n) or _explicit(env, n), "axioms": deps.axioms[n]}
                        for n, c in env.constants.items()
                        if c.kind == "theorem"
                    ),
                    key=lambda row: (row["module"], row["name"]),
                )
        with self.step("locks"):
            self.compare_locks({show(n): s for n, s in statements.items()})

    def compare_locks(self, texts: dict[str, str]) -> None:
        env, report, locks, base = self.env, self.report, self.locks, self.base
        text = page.render(env, locks.entries, texts, {row["name"]: row["axioms"] for row in report.theorems}, base)
        if self.update_lock:
            headline, definitions, symbols = (base / "audits" / f for f in ("headline.yaml", "definitions.lock", "code.lock"))
            try:
                report.headline["changed"] = lock.update(env, locks.entries, texts, headline, definitions)
                code.write(env, self.texts, symbols)
                page.write(text, base)
            except lock.BadHeadline as error:
                self.say("lock", "audits/headline.yaml", str(error))
        else:
            report.findings += lock.audit(env, locks.entries, texts, locks.definitions)
            report.findings += code.audit(env, self.texts, locks.code, locks.definitions) + page.audit(text, base)
        report.headline["theorems"] = len(locks.entries)
        report.headline["definitions"] = len(lock.definitions(env, locks.entries))


def _unprinted(statements: dict[Name, str]) -> list[Finding]:
    """Statements in which Lean's printer gave up: grammar that it needs is not declared."""
    return [Finding("printed", show(n), f"Lean cannot print this statement: {s[:200]}") for n, s in statements.items() if printed.FAILED in s]


def _explicit(env: Environment, name: Name) -> str:
    """The statement without notation, for a name that no source can mention.  Terms can be nested deeply, and share so much that they
    cannot be written."""
    if env.size(env.constants[name].type, WRITTEN) > WRITTEN:
        return f"{show(name)} : (more than {WRITTEN} nodes)"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        return f"{show(name)} : {env.text(env.constants[name].type)}"
    finally:
        sys.setrecursionlimit(limit)


def _cross_check(deps: axioms.Dependencies, names: list[Name], answers: list[str], report: Report) -> list[Finding]:
    """Compare the reader's closure with the table that `#print axioms` shows."""
    out: list[Finding] = []
    for name, answer in zip(names, answers, strict=True):
        try:
            said = printed.parse_axioms(name, answer)
        except BadImage as error:
            out.append(Finding("printed", show(name), str(error)))
            continue
        if said != deps.axioms[name]:
            out.append(Finding("printed", show(name), f"`#print axioms` says {said}, the closure {deps.axioms[name]}"))
    report.print_axioms = {"asked": len(names), "agree": len(names) - len(out)}
    return out[:SHOWN]
