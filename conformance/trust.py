"""The trust page: for each link of the chain what is proved, checked or tested, by which command, and what the last recorded run counted.

Commands write JSON (or JUnit XML, for the tests) to `build/trust/`; `record` takes the figures out of these files and keeps them in
`docs/trust.json`, without dates, times and paths; `page` makes `docs/trust.md` of that file and of nothing else (the record of the
long lanes is added to it, see long.py).  A command that was never recorded is shown as not run, one that failed as failed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ..errors import ArgumentError
from ..files import grammar, inputs, output

PAGE, RECORD, RESULTS = "docs/trust.md", "docs/trust.json", "build/trust"
VERSION = 1
MOST_XML = 1 << 23  # bytes of a result of pytest; every element takes some hundred
NOT_RUN = "not run"

Figures = dict[str, int | str | bool]


class BadResult(ValueError):
    """A result that a command did not write, or that no figures can be taken from."""


@dataclass(frozen=True)
class Run:
    """A command whose result is recorded.

    name: of its file in `build/trust`, with the ending.  command: as shown, one or more joined by &&; what the last prints goes to the file, unless the command
    names the file itself; "" where no command writes it yet.
    figures: what is kept of the result; "ok" says whether it found nothing wrong.
    """

    name: str
    command: str
    figures: Callable[[Any], Figures]

    @property
    def key(self) -> str:
        return self.name.partition(".")[0]


def _audit(data: dict[str, Any]) -> Figures:
    replay, plain = data["replay"], data["replay"]["plain"]
    return {
        "ok": data["ok"],
        "modules": data["modules"],
        "theorems": len(data["theorems"]),
        "with axioms": sum(bool(t["axioms"]) for t in data["theorems"]),
        "declarations replayed": replay["accepted"],
        "declarations": replay["units"],
        "constants compared": replay["compared"],
        "constants that differ": len(replay["differences"]),
        "accelerated specifications": plain["theorems"] - len(plain["rejected"]) - len(plain["absent"]),
        "of": plain["theorems"],
        "#print axioms agrees": data["print_axioms"]["agree"],
        "asked": data["print_axioms"]["asked"],
        "headline theorems": data["headline"]["theorems"],
        "definitions locked": data["headline"]["definitions"],
        "findings": len(data["findings"]),
    }


def _conform(data: dict[str, Any]) -> Figures:
    out: Figures = {"ok": data["ok"], "seed": data["seed"]}
    for row in data["rows"]:
        for what in ("checked", "disagreements", "undecided", "refused"):
            key = f"{row['lane']}: {what}"
            out[key] = int(out.get(key, 0)) + row[what]
    return {**out, "skips": len(data["skips"])}


def _mutants(data: dict[str, Any]) -> Figures:
    out: Figures = {"ok": data["ok"], "seed": data["seed"], "mutants": len(data["mutants"]), "survivors": sum(not m["lane"] for m in data["mutants"])}
    for side in sorted({m["side"] for m in data["mutants"]}):
        out[f"{side}: mutants"] = sum(m["side"] == side for m in data["mutants"])
    for lane in sorted({m["lane"] for m in data["mutants"]} - {""}):
        out[f"killed by {lane}"] = sum(m["lane"] == lane for m in data["mutants"])
    return out


def _oracle(data: dict[str, Any]) -> Figures:
    return {"ok": True, "decisions": data["decisions"], "cases checked": data["checked"], "functions of Lean's runtime": len(data["symbols"])}


def _manifest(data: dict[str, Any]) -> Figures:
    return {
        "ok": data["ok"],
        **{what: data["counts"][what] for what in ("theorems", "decisions", "targets", "symbols", "kernels", "falsifiers")},
        "findings": len(data["findings"]),
    }


def _export(data: dict[str, Any]) -> Figures:
    counts = data["counts"]
    return {
        "ok": data["ok"],
        "constants": sum(n for kind, n in counts.items() if kind not in ("name", "level", "term")),
        "terms": counts.get("term", 0),
        "declarations accepted": (data["replay"] or {}).get("units", 0),
    }


def _verify(data: dict[str, Any]) -> Figures:
    return {
        "ok": data["code"] == 0,
        "certificates": data["certificates"],
        "hold": data["exact"],
        "inputs computed again": data["from_model"],
        "Lean's in whole": data["lean"]["whole"],
        "oracle": NOT_RUN if data["oracle"] is None else data["oracle"],
        "kernel": NOT_RUN if data["kernel"] is None else data["kernel"],
        "refusals": data["refusals"],
        "not replayed": sum(data["not_replayed"].values()),
    }


def _tests(root: ElementTree.Element) -> Figures:
    suites = [root] if root.tag == "testsuite" else list(root.iter("testsuite"))
    if not suites:
        raise KeyError("testsuite")
    count = {what: sum(int(s.attrib[what]) for s in suites) for what in ("tests", "failures", "errors", "skipped")}
    failed = count["failures"] + count["errors"]
    return {"ok": not failed, "tests": count["tests"], "passed": count["tests"] - failed - count["skipped"], "failed": failed, "skipped": count["skipped"]}


def _at(name: str) -> str:
    return f"{RESULTS}/{name}"


RUNS = (
    Run("audit.json", "gnosis spine audit --json", _audit),
    Run("export.json", f"gnosis spine export --output {_at('spine.ndjson')} && gnosis spine reread {_at('spine.ndjson')} --kernel --json", _export),
    Run("oracle.json", "gnosis spine oracle --json", _oracle),
    Run("conform.json", "gnosis conform --json", _conform),
    Run("manifest.json", "gnosis manifest --json", _manifest),
    Run("mutants.json", "gnosis mutants --json", _mutants),
    Run(
        "tiles.json",
        f"gnosis probe minilm --tensor '*layer.0*query*' --certificates {_at('tiles.jsonl')}"
        f" && gnosis verify {_at('tiles.jsonl')} --model minilm --oracle --json",
        _verify,
    ),
    Run("gates.json", "gnosis verify --examples --oracle --kernel --json", _verify),
    Run("tests.xml", f"python -m pytest --junitxml {_at('tests.xml')}", _tests),
)
BY_KEY = {run.key: run for run in RUNS}


@dataclass(frozen=True)
class Row:
    """A line of the page: "proved", "checked", "tested" or "trusted"; what; the run it was counted by (None: nothing counts it); the figures, as a template."""

    how: str
    what: str
    run: str | None = None
    shown: str = ""


@dataclass(frozen=True)
class Link:
    """A link of the chain.  lanes: of `gnosis conform`, whose counts are shown here."""

    name: str
    rows: tuple[Row, ...]
    lanes: tuple[str, ...] = ()


LINKS = (
    Link(
        "From Lean definitions to theorems",
        (
            Row(
                "proved",
                "Every theorem of the spine, without axioms; the kernel accepts every declaration again from an empty environment.",
                "audit",
                "{theorems} theorems, {with axioms} with axioms; {declarations replayed} of {declarations} declarations; "
                "{constants compared} constants compared, {constants that differ} differ",
            ),
            Row(
                "checked",
                "What the kernel computes by name has a specification, proved where it takes no shortcut.",
                "audit",
                "{accelerated specifications} of {of} specifications",
            ),
            Row("checked", "Lean itself finds the same axioms.", "audit", "{#print axioms agrees} of {asked}"),
            Row(
                "checked",
                "The headline statements, and all definitions that they unfold to, are the locked ones.",
                "audit",
                "{headline theorems} statements, {definitions locked} definitions; {findings} findings of the whole audit",
            ),
            Row(
                "checked",
                "The spine in the format of Lean's independent checkers, read back, equal to the compiled one, and accepted again from there.",
                "export",
                "{constants} constants; {declarations accepted} declarations accepted",
            ),
            Row("trusted", "One Lean kernel, its big numbers, and the reader of compiled files; and that a statement means what its sentence says."),
        ),
    ),
    Link(
        "From Lean definitions to what answers requests",
        (
            Row(
                "checked",
                "The decisions compiled from the C that Lean writes, against the interpreter and the exact reference.",
                "oracle",
                "{decisions} decisions, {cases checked} cases",
            ),
            Row("trusted", "Outside these samples: Lean's interpreter and code generator, and its big numbers."),
        ),
        ("kernel", "compiled", "libgnosis"),
    ),
    Link(
        "From Lean to the exact Python reference",
        (Row("trusted", "Outside these samples: that the reference mirrors the definitions; Python's integers."),),
        ("oracle",),
    ),
    Link(
        "From the exact reference to the compiled kernels and float paths",
        (Row("trusted", "Outside these samples: IEEE-754 double arithmetic rounded to nearest, and a compiler that keeps to it."),),
        ("kernels", "floats", "formats", "statistics"),
    ),
    Link(
        "Bad input",
        (
            Row(
                "tested",
                "An error that names the argument and the value, or a refusal; never an admission.",
                "tests",
                "{tests} tests of everything, {failed} failed, {skipped} skipped",
            ),
        ),
        ("atheris", "libfuzzer"),
    ),
    Link(
        "From a decision to its record",
        (
            Row(
                "checked",
                "Certificates of tiles of a real model: residual energies computed again from its file, every decision replayed by the exact gate and by Lean.",
                "tiles",
                "{hold} of {certificates} certificates hold; {inputs computed again} energies computed again; Lean agrees on {oracle}; "
                "{refusals} refused, {not replayed} not replayed",
            ),
            Row(
                "checked",
                "Certificates of every gate, each also as theorems that the kernel accepts.",
                "gates",
                "{hold} of {certificates} certificates hold; {kernel} theorems accepted; {refusals} refused, {not replayed} not replayed",
            ),
        ),
    ),
    Link(
        "The harness itself",
        (
            Row(
                "checked",
                "Every headline theorem has its decision, Python symbol, kernel, target and falsifier, and the other way round.",
                "manifest",
                "{theorems} theorems, {decisions} decisions, {targets} targets, {kernels} kernels, {falsifiers} falsifiers; {findings} findings",
            ),
            Row("tested", "Small faults put into Python, C and Lean: each is noticed by a lane.", "mutants", "{mutants} mutants, {survivors} survive"),
        ),
    ),
    Link(
        "From a verdict to the world",
        (
            Row(
                "trusted",
                "What a verdict assumes: bounds that are bounds, exchangeable scores, predictable stakes, a radius. "
                "Each verdict and each certificate names it; nothing checks it.",
            ),
        ),
    ),
)

HEAD = """# What holds, and how it is known

Generated by `gnosis trust --write`. For each link of the chain: what is **proved** (for all inputs, by the Lean kernel),
what is **checked** (for the cases that were looked at, against something that is proved or exact), what is **tested**, and
what is **trusted**. Counts are those of the last run that was recorded; *not run* means that none was.
[audits/TRUST.md](../audits/TRUST.md) is the list, written by hand, of everything that has to be trusted.

"""


def take(run: Run, path: Path) -> Figures:
    """The figures of a result file.  Raises BadResult, OSError."""
    try:
        if path.suffix == ".xml":
            text = inputs.read_text(path, "result", MOST_XML)
            if "<!DOCTYPE" in text:  # entities that stand for ever more of themselves need one; pytest writes none
                raise ValueError("it declares a document type")
            return run.figures(ElementTree.fromstring(text))
        return run.figures(grammar.json_object(inputs.read_text(path, "result"), "result", None))
    except (KeyError, TypeError, AttributeError, ValueError, ElementTree.ParseError) as error:
        raise BadResult(f"{path}: not a result of `{run.command}`: {type(error).__name__}: {str(error)[:200]}") from None


def load(path: Path) -> dict[str, Figures]:
    """The recorded figures, by run.  A file that is not there holds none.  Raises BadResult."""
    try:
        data = grammar.json_object(inputs.read_text(path, "record"), "record", {"version", "runs"})
    except FileNotFoundError:
        return {}
    except ArgumentError as error:
        raise BadResult(f"{path}: {error}") from None
    runs = data["runs"]
    if (
        data["version"] != VERSION
        or not isinstance(runs, dict)
        or not runs.keys() <= BY_KEY.keys()
        or not all(isinstance(f, dict) and type(f.get("ok")) is bool and all(type(x) in (int, float, bool, str) for x in f.values()) for f in runs.values())
        or any(
            type(f.get(f"{lane}: {what}")) is not int
            for f in runs.values()
            for lane in _lanes(f)
            for what in ("checked", "disagreements", "undecided", "refused")
        )
    ):
        raise BadResult(f"{path}: not a record of version {VERSION} with runs among {', '.join(BY_KEY)}")
    return runs


def record(results: Path, path: Path) -> list[str]:
    """Take the figures of every result that is there into the record; the others stay as they are.  Returns the runs taken.  Raises BadResult, OSError."""
    runs, taken = load(path), []
    for run in RUNS:
        if (results / run.name).is_file():
            runs[run.key] = take(run, results / run.name)
            taken.append(run.key)
    ordered = {run.key: runs[run.key] for run in RUNS if run.key in runs}
    output.write(path, json.dumps({"version": VERSION, "runs": ordered}, indent=1, ensure_ascii=False) + "\n")
    return taken


def _lanes(figures: Figures) -> list[str]:
    return [key.removesuffix(": checked") for key in figures if key.endswith(": checked")]


def _number(x: Any) -> str:
    return f"{x:,}" if type(x) is int else str(x)


def _cell(run: str | None, template: str, runs: dict[str, Figures]) -> str:
    if run is None:
        return "—"
    if run not in runs:
        return f"*{NOT_RUN}*"
    figures = runs[run]
    text = template
    for key, value in figures.items():
        text = text.replace("{" + key + "}", _number(value))
    return text if figures["ok"] else f"**the run failed**; {text}"


def _lane(lane: str, runs: dict[str, Figures]) -> str:
    figures = runs.get("conform", {})
    if f"{lane}: checked" not in figures:
        return f"*{NOT_RUN}*"
    text = f"{_number(figures[f'{lane}: checked'])} decisions or cases, {_number(figures[f'{lane}: disagreements'])} disagreements"
    apart = ("undecided", figures[f"{lane}: undecided"]), ("refused as they must be", figures[f"{lane}: refused"])
    text += "".join(f", {_number(n)} {what}" for what, n in apart if n)
    return f"**failed**; {text}" if figures[f"{lane}: disagreements"] else text


LANES = {
    "oracle": "Exact Python and the Lean decisions, run by Lean's interpreter, give the same answer.",
    "compiled": "The Lean decisions, compiled from Lean's own C, give the same answer.",
    "libgnosis": "The C library, which needs no Lean, gives the exact answer and refuses what Python refuses.",
    "kernel": "Sampled answers of the reference, as theorems that the Lean kernel accepts, up to 25 answers in one.",
    "kernels": "Compiled kernels, under every instruction set here, give the exact answer.",
    "floats": "Float paths never admit what exact arithmetic refuses.",
    "formats": "Block formats decode as `gguf` decodes them, bit for bit.",
    "statistics": "Statistics are those of their peers, where the peers are right.",
    "atheris": "Readers of files refuse damaged bytes by an error; inputs guided by coverage.",
    "libfuzzer": "C kernels under sanitizers; inputs guided by coverage.",
}


def page(runs: dict[str, Figures], known_lanes: Sequence[str]) -> str:
    """The page of some recorded figures.  known_lanes: all lanes of `gnosis conform`, so that one that no link speaks of is shown as well."""
    out = [HEAD]
    placed = {lane for link in LINKS for lane in link.lanes}
    others = [lane for lane in dict.fromkeys([*known_lanes, *_lanes(runs.get("conform", {}))]) if lane not in placed]
    links = [*LINKS, *([Link("Other lanes", (), tuple(others))] if others else [])]
    for number, link in enumerate(links, 1):
        out.append(f"## {number} {link.name}\n\n| | what | by which command | last recorded run |\n| --- | --- | --- | --- |\n")
        there = [lane for lane in link.lanes if lane in known_lanes or lane in _lanes(runs.get("conform", {}))]
        rows = [
            (r.how, r.what, f"`{BY_KEY[r.run].command}`" if r.run is not None and BY_KEY[r.run].command else "—", _cell(r.run, r.shown, runs))
            for r in link.rows
            if r.how != "trusted"
        ]
        rows += [("checked", LANES.get(lane, "As the command says."), f"`gnosis conform --lane {lane}`", _lane(lane, runs)) for lane in there]
        rows += [(r.how, r.what, "—", "—") for r in link.rows if r.how == "trusted"]
        out += [f"| **{how}** | {what} | {command} | {shown} |\n" for how, what, command, shown in rows]
        out.append("\n")
    conform = runs.get("conform", {})
    if "skips" in conform:
        out.append(f"The recorded run of `gnosis conform` had seed {conform['seed']} and skipped {_number(conform['skips'])} things, which it names.\n")
    return "".join(out).rstrip() + "\n"
