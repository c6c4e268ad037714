"""All audits of the spine in one run."""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from ..spine import build as b
from ..spine.paths import build_dir, root
from ..spine.toolchain import Toolchain, find, kernel_library
from . import accelerated, axioms, externs, lock, page, printed, tokens
from .environment import Environment
from .findings import Finding
from .olean import BadImage, Name, show

VERSION = 1  # of the JSON
SHOWN = 20   # findings of one kind that are listed one by one
# No floor may be lower: the foundation alone has more.
LOWEST = {"modules": 20, "constants": 2000, "theorems": 400}


@dataclass
class Report:
    """What an audit found.  It is good exactly when `findings` is empty.

    `theorems` has a row for every theorem (name, module, statement, axioms), generated and private ones included.
    `hidden` counts the constants without a visible definition and the theorems that rest on one.
    """

    lean: str
    findings: list[Finding] = field(default_factory=list)
    theorems: list[dict] = field(default_factory=list)
    modules: int = 0
    constants: dict[str, int] = field(default_factory=dict)
    replay: dict = field(default_factory=dict)
    accelerated: list[dict] = field(default_factory=list)
    axioms_declared: list[dict] = field(default_factory=list)
    hidden: dict[str, int] = field(default_factory=dict)
    print_axioms: dict[str, int] = field(default_factory=dict)
    headline: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, dict[str, int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not self.findings

    def to_dict(self) -> dict:
        return {"version": VERSION, "ok": self.ok, **self.__dict__, "findings": [f.to_dict() for f in self.findings]}


def load_exceptions(path: Path) -> dict:
    """exceptions.yaml: `floors`, `axioms` and `tokens`; every exception needs a reason, and one for a word exact numbers.

    Raises ValueError when something of that is missing or a floor is lower than the foundation alone.
    """
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
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
        if set(entry) != {"token", "files", "reason"} or not isinstance(files, dict) or not files \
                or not all(type(n) is int and n > 0 for n in files.values()):
            raise ValueError(f"{path}: an exception needs token, reason and files, with the exact number of uses in each: {entry}")
    return data


class _Replay:
    """The kernel replay in its own process, started at once and asked later."""

    def __init__(self, base: Path, out: Path, lean: Toolchain, modules: list[str], manifest: dict[str, str], plain: list[str]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name, "manifest.json")
        file.write_text(json.dumps(manifest))
        path = kernel_library(lean)
        command = [sys.executable, "-m", "gnosis.audits.replay", *(["--library", str(path)] if path else []), "--manifest", str(file),
                   *(["--plain", *plain] if plain else []), "--", str(out), *modules]
        self.process = subprocess.Popen(command, cwd=base, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def result(self) -> tuple[dict, list[Finding]]:
        out, err = self.process.communicate()
        self.folder.cleanup()
        try:
            said = json.loads(out)
        except ValueError:
            said = {"ok": False, "error": f"the process ended with code {self.process.returncode}: {(err or out)[-500:]}"}
        return said, list(_read_replay(said, self.process.returncode))


def _read_replay(said: dict, code: int) -> list[Finding]:
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


def run(base: Path | None = None, out: Path | None = None, lean: Toolchain | None = None, *, build: bool = True,
        update_lock: bool = False, progress: Callable[[str], None] = lambda _: None) -> Report:
    """Audit the spine below `base`.

    It is built first; with `build=False` the compiled files in `out` are taken as they are, and one that is not
    what the build made of its source is a finding.  `update_lock` writes the statement lock anew, after the other
    audits, instead of comparing with it.  `progress` is called with the name of each step.
    """
    clock = time.perf_counter()
    base = base or root()
    out = out or build_dir(base)
    lean = lean or find()
    report = Report(str(lean))
    found, seconds = report.findings, report.seconds

    def lap(name: str) -> None:
        nonlocal clock
        now = time.perf_counter()
        seconds[name] = round(now - clock, 2)
        clock = now

    headline, definitions, symbols = (base / "audits" / file for file in ("headline.yaml", "definitions.lock", "externs.lock"))
    try:
        exceptions = load_exceptions(base / "audits" / "exceptions.yaml")
        entries = lock.load(headline)
    except (lock.BadHeadline, OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        found.append(Finding("lock", "audits", f"{type(error).__name__}: {error}"))
        return report

    progress("sources")
    said, report.tokens = tokens.audit(base, exceptions["tokens"])
    found += said
    lap("tokens")

    progress("build")
    if build:
        result = b.build(base=base, out=out, lean=lean)
        found += [Finding("build", m.file, f"{m.severity}: {m.text}", m.line) for m in result.messages]
        if not result.ok:
            found += [Finding("build", name, "does not compile") for name in result.failed]
            return report
    manifest, stale = b.manifest(base, out, lean)
    found += [Finding("build", name, "the compiled file is not the one that the build made of this source") for name in stale]
    modules = list(manifest)
    lap("build")

    progress("kernel replay and reader")
    specified = lock.specified(entries)
    replay = _Replay(base, out, lean, modules, manifest, sorted({t for ts in specified.values() for t in ts}))
    try:
        try:
            env = Environment(out, modules)
        except BadImage as error:
            found.append(Finding("reader", "compiled files", str(error)))
            return report
        for name, module in env.modules.items():
            if module.parts[0].sha256 != manifest.get(name):
                found.append(Finding("reader", name, "the compiled file changed while it was audited"))
            if any(p.version != lean.version for p in module.parts):
                found.append(Finding("reader", name, f"compiled by Lean {module.parts[0].version}, and this is {lean.version}"))
        report.modules = len(env.modules)
        report.constants = dict(Counter(c.kind for c in env.constants.values()))
        lap("read")
        with ThreadPoolExecutor(1) as pool:
            writable = [n for n, c in env.constants.items() if printed.writable(n) and not c.unsafe]
            theorems = [n for n in writable if env.constants[n].kind == "theorem"]
            proved = [n for n in writable if env.constants[n].kind in ("theorem", "definition")]
            asked = pool.submit(printed.ask, lean, base, out, modules, printed.statements(theorems) + printed.axioms(proved))
            progress("axioms")
            deps = axioms.dependencies(env)
            found += axioms.audit(env, deps, exceptions["axioms"], report.tokens, exceptions["floors"])
            report.axioms_declared = [{"name": show(n), "module": c.module, "unsafe": c.unsafe} for n, c in env.constants.items() if c.kind == "axiom"]
            report.hidden = {"opaque": report.constants.get("opaque", 0), "unsafe": sum(c.unsafe for c in env.constants.values()),
                             "theorems": sum(c.kind == "theorem" and bool(deps.hidden[n]) for n, c in env.constants.items())}
            found += [Finding("accelerated", show(n), text) for n, text in accelerated.check(env, specified)]
            report.accelerated = [{"name": show(n), "module": env.constants[n].module, "specified_by": specified.get(show(n), [])}
                                  for n in accelerated.declared(env)]
            lap("axioms")
            progress("statements")
            try:
                answers = asked.result()
            except BadImage as error:
                found.append(Finding("printed", "Lean", str(error)))
                return report
        statements = dict(zip(theorems, answers, strict=False))
        found += _unprinted(statements)
        found += _cross_check(deps, proved, answers[len(theorems):], report)
        report.theorems = sorted(
            ({"name": show(n), "module": c.module, "statement": statements.get(n) or _explicit(env, n), "axioms": deps.axioms[n]}
             for n, c in env.constants.items() if c.kind == "theorem"), key=lambda row: (row["module"], row["name"]))
        lap("statements")

        progress("statement lock")
        texts = {show(n): s for n, s in statements.items()}
        text = page.render(env, entries, texts, {row["name"]: row["axioms"] for row in report.theorems}, base)
        if update_lock:
            try:
                report.headline["changed"] = lock.update(env, entries, texts, headline, definitions)
                externs.write(env, symbols)
                page.write(text, base)
            except lock.BadHeadline as error:
                found.append(Finding("lock", "audits/headline.yaml", str(error)))
        else:
            found += lock.audit(env, entries, texts, definitions) + externs.audit(env, symbols) + page.audit(text, base)
        report.headline["theorems"] = len(entries)
        report.headline["definitions"] = len(lock.definitions(env, entries))
        lap("lock")
        progress("kernel replay")
    finally:
        report.replay, said = replay.result()
        found += said
        lap("waiting for the replay")
    return report


def _unprinted(statements: dict[Name, str]) -> list[Finding]:
    """Statements in which Lean's printer gave up: grammar that it needs is not declared."""
    return [Finding("printed", show(n), f"Lean cannot print this statement: {s[:200]}") for n, s in statements.items() if printed.FAILED in s]


def _explicit(env: Environment, name: Name) -> str:
    """The statement without notation, for a name that no source can mention.  Terms can be nested deeply."""
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
