"""The report as one HTML file: figures, plots and tables, without anything from outside it.

Every text from a model is hostile: the template escapes all of it, characters that do not print are written as escapes, and a
content security policy forbids everything but the one style and the one script that the page comes with.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from . import plots
from .figures import Conformal, Rate
from .frontier import Frontier, frontier
from .report import Report
from .tensor import CONJUNCTS, Admission, Tensor
from .text import number, second

FAMILIES = {"bounded": "4.5-bit code", "lattice": "Unbounded lattice"}  # the one that has a size first

# What each conjunct means, in words.
MEANINGS = {
    "finite": "no NaN and no infinity among the weights that were read",
    "cell_filling": "cubic residuals fill their cell evenly",
    "e8_mse_le_cubic": "the mean squared error of E8 is at most that of the cubic code",
    "e8_energy_accept_ge_cubic": "the energy gate admits at least as many tiles of E8 as of the cubic code",
    "all_conformal_admit": "twice the threshold of every level fits into the margin γ",
}


def broken(name: str) -> Markup:
    """A name that may be broken after its dots and underlines."""
    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[._/])", visible(name)))


@dataclass(frozen=True)
class Cell:
    """value: the figure in full, as JSON writes it, and what the table is sorted by; "" where there is none."""

    text: str
    value: str


@dataclass(frozen=True)
class Column:
    group: str
    title: str
    cell: Callable[[Tensor], Cell]
    numeric: bool = True


@dataclass(frozen=True)
class Sheet:
    """A sortable table of matrices, one row each."""

    id: str
    caption: str
    note: str
    groups: list[tuple[str, int]]
    columns: list[Column]
    rows: list[list[Cell]]


def visible(value: Any) -> Any:
    """A text as it can be shown: what does not print (controls, marks that turn the direction of writing) as an escape."""
    if type(value) is not str or value.isprintable():
        return value
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in value)


def figure(value: float | None, shown: str) -> Cell:
    return Cell("–", "") if value is None else Cell(shown, repr(value))


def word(text: str) -> Cell:
    return Cell(text, text)


def flag(value: bool) -> Cell:
    return Cell("yes" if value else "no", "true" if value else "false")


def _share(value: float | None) -> Cell:
    return figure(value, plots.share(value))


def _with(value: float | None, form: str) -> Cell:
    return figure(value, number(value, form))


def rate(found: Rate) -> str:
    """A rate with its interval."""
    return "–" if found.share is None else f"{plots.share(found.share)} ({plots.share(found.low)} to {plots.share(found.high)})"


def _rate(found: Rate) -> Cell:
    return figure(found.share, rate(found))


def _accepted(family: str, norm: str, code: str) -> Callable[[Tensor], Cell]:
    def cell(t: Tensor) -> Cell:
        gate = getattr(t, family).gate(norm)
        return _share(None if gate is None else getattr(gate, code).share_admitted)

    return cell


def _rows_of(t: Tensor, family: str) -> Conformal | None:
    return next((c for c in getattr(t, family).calibrated() if c.of == "row"), None)


def _least(family: str) -> Callable[[Tensor], Cell]:
    def cell(t: Tensor) -> Cell:
        value = plots.needed([found for c in getattr(t, family).calibrated() for found in c.levels])
        return figure(value, plots.up(value))

    return cell


def _last_level(family: str, what: str) -> Callable[[Tensor], Cell]:
    def cell(t: Tensor) -> Cell:
        rows = _rows_of(t, family)
        return Cell("–", "") if rows is None else _rate(getattr(rows.levels[-1], what))

    return cell


def _vacuity(t: Tensor) -> Cell:
    gate = t.lattice.gate("energy")
    return Cell("–", "") if gate is None or gate.e8.truth is None else _with(gate.e8.truth.vacuity.median, ".1f")


NAME = Column("Matrix", "tensor", lambda t: word(t.name), numeric=False)
WEIGHTS = [
    NAME,
    Column("Matrix", "layer", lambda t: _with(t.layer, "d")),
    Column("Matrix", "type", lambda t: word(t.encoding), numeric=False),
    Column("Matrix", "rows", lambda t: figure(t.shape[0] if len(t.shape) == 2 else t.rows_total, f"{t.rows_total:,}")),
    Column("Matrix", "columns", lambda t: figure(t.columns, f"{t.columns:,}")),
    Column("Matrix", "rows read", lambda t: figure(t.rows_read, f"{t.rows_read:,}")),
    Column("Spread", "eff. dim.", lambda t: _with(t.effective_dimension, ".0f")),
    Column("Spread", "if white", lambda t: _with(t.effective_dimension_white, ".0f")),
    Column("Spread", "mean |r|", lambda t: _with(t.mean_abs_correlation, ".3f")),
    Column("Kurtosis", "weights", lambda t: _with(t.weights.kurtosis, ".1f")),
    Column("Kurtosis", "activations", lambda t: _with(t.activations.kurtosis if t.activations else None, ".1f")),
    Column("Edge over cubic, lattice", "D8", lambda t: _share(t.lattice.d8_edge)),
    Column("Edge over cubic, lattice", "E8", lambda t: _share(t.lattice.e8_edge)),
    Column("4.5 bit", "D8", lambda t: _share(t.bounded.d8_edge)),
    Column("4.5 bit", "E8", lambda t: _share(t.bounded.e8_edge)),
]


def _gate_columns(q: str) -> list[Column]:
    def of(group: str, family: str, norm: str) -> list[Column]:
        return [Column(group, plots.CODE_NAMES[code], _accepted(family, norm, code)) for code in plots.CODES]

    return [
        NAME,
        *of("Energy gate, lattice", "lattice", "energy"),
        *of("Sup-norm gate, lattice", "lattice", "sup"),
        Column("Bound / truth", "median", _vacuity),
        Column("Conformal, lattice, E8", "least multiplier", _least("lattice")),
        Column("Conformal, lattice, E8", f"above threshold, q = {q}", _last_level("lattice", "exceed")),
        Column("Conformal, lattice, E8", "wrong and admitted", _last_level("lattice", "lies")),
        Column("Conformal, lattice, E8", "admitted", lambda t: flag(t.admission.admitted)),
        *of("Energy gate, 4.5 bit", "bounded", "energy"),
        Column("Conformal, 4.5 bit, E8", "least multiplier", _least("bounded")),
        Column("Conformal, 4.5 bit, E8", f"above threshold, q = {q}", _last_level("bounded", "exceed")),
        Column("Conformal, 4.5 bit, E8", "admitted", lambda t: flag(t.bounded_admission.admitted)),
    ]


def sheet(id_: str, caption: str, note: str, columns: list[Column], tensors: list[Tensor]) -> Sheet:
    groups: list[tuple[str, int]] = []
    for c in columns:
        groups = [*groups[:-1], (c.group, groups[-1][1] + 1)] if groups and groups[-1][0] == c.group else [*groups, (c.group, 1)]
    return Sheet(id_, caption, note, groups, columns, [[c.cell(t) for c in columns] for t in tensors])


@dataclass(frozen=True)
class Conjunct:
    """One part of the predicate: how many matrices hold it in each family, and the theorem that it rests on; None: it is measured."""

    name: str
    meaning: str
    held: list[tuple[int, bool]]
    module: str | None
    theorem: str | None


def conjuncts(report: Report) -> list[Conjunct]:
    rests = {m.says.partition(":")[0]: m for m in reversed(report.spine)}
    out = []
    for name in CONJUNCTS:
        held = [sum(getattr(a, name) for a in _admissions(report, family)) for family in FAMILIES]
        # the conformal conjunct is what the failure rate is proved for; the rank alone is its definition
        rest = next((m for m in report.spine if m.theorem.endswith("failure_rate") and m.says.startswith(f"{name}:")), rests.get(name))
        out.append(Conjunct(name, MEANINGS[name], [(h, h == len(report.tensors)) for h in held], rest.module if rest else None, rest.theorem if rest else None))
    return out


def _admissions(report: Report, family: str) -> list[Admission]:
    return [t.admission if family == "lattice" else t.bounded_admission for t in report.tensors]


@dataclass(frozen=True)
class Outcome:
    """What the predicate says about one family: the sentence at the head of the page.  refused: matrices by what they fail."""

    family: str
    admitted: bool
    passed: int
    tensors: int
    refused: list[tuple[str, list[str]]]
    least: str
    accepted: list[tuple[str, str]]


def outcome(report: Report, family: str, drawn: Frontier) -> Outcome:
    v = report.verdict
    admitted, passed, rejected = (
        (v.lattice_admitted, v.lattice_tensors_admitted, v.lattice_rejected)
        if family == "lattice"
        else (v.bounded_admitted, v.bounded_tensors_admitted, v.bounded_rejected)
    )
    refused: dict[str, list[str]] = {}
    for r in rejected:
        refused.setdefault(", ".join(r.failed), []).append(r.tensor)
    gates = [g for t in report.tensors if (g := getattr(t, family).gate("energy")) is not None]
    tiles = sum(g.cubic.tiles for g in gates)
    accepted = [(plots.CODE_NAMES[c], plots.share(sum(getattr(g, c).admitted for g in gates) / tiles if tiles else None)) for c in plots.CODES]
    return Outcome(FAMILIES[family], admitted, passed, v.tensors, list(refused.items()), plots.up(drawn.least, 4), accepted)


def _accept_plots(report: Report) -> list[plots.Plot]:
    wanted = [
        ("lattice", "energy", "unit", "Energy gate, lattice"),
        ("lattice", "sup", "unit", "Sup-norm gate, lattice"),
        ("bounded", "energy", "unit", "Energy gate, 4.5-bit code"),
        ("bounded", "sup", "unit", "Sup-norm gate, 4.5-bit code"),
        ("lattice", "energy", "real", "Energy gate, lattice, real activations"),
        ("bounded", "energy", "real", "Energy gate, 4.5-bit code, real activations"),
    ]
    return [p for w in wanted if (p := plots.acceptance(report.tensors, *w)) is not None]


def _pairs(make: Callable[[str, str, str], plots.Plot | None]) -> list[plots.Plot]:
    wanted = [(family, of, f"{FAMILIES[family]}, {of}s") for of in ("row", "position") for family in FAMILIES]
    return [p for w in wanted if (p := make(*w)) is not None]


def _decisions(report: Report) -> list[list[str]]:
    out = []
    for t in report.tensors:
        for family, name in FAMILIES.items():
            for c in getattr(t, family).conformal:
                if c.of == "decision":
                    out += [
                        [
                            t.name,
                            f"{plots.CODE_NAMES[c.code]}, {name.lower()}",
                            x.q,
                            f"{c.held_out:,}",
                            f"{x.lies_of_admitted.of:,}",
                            rate(x.lies),
                            rate(x.lies_of_admitted),
                            str(x.flips),
                            str(c.flips),
                        ]
                        for x in c.levels
                    ]
    return out


def environment(autoescape: bool = True) -> Environment:
    """The environment of the templates.  autoescape: False only to show that the tests notice."""
    made = Environment(
        loader=PackageLoader("gnosis.probe", "templates"),
        autoescape=autoescape,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["share"] = plots.share
    made.filters["up"] = plots.up
    made.filters["number"] = number
    made.filters["broken"] = broken
    return made


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def context(report: Report) -> dict[str, Any]:
    """What the template shows."""
    drawn = {family: frontier(report, family) for family in ("lattice", "bounded")}
    s, q = report.settings, report.settings.q_values[-1]
    gates = [x for t in report.tensors for f in (t.lattice, t.bounded) for g in f.gates for x in (g.cubic, g.d8, g.e8)]
    return {
        "report": report,
        "second": second(report),
        "outcomes": [outcome(report, family, drawn[family]) for family in FAMILIES],
        "predicate": conjuncts(report),
        "families": list(FAMILIES.values()),
        "acceptance": _accept_plots(report),
        "frontiers": [plots.frontier_curve(drawn[family], FAMILIES[family]) for family in FAMILIES],
        "coverage": _pairs(lambda family, of, title: plots.coverage(report.tensors, family, of, title)),
        "residuals": _pairs(lambda family, of, title: plots.residuals(report.tensors, family, of, s.gamma_multiplier, title)),
        "sheets": [
            sheet(
                "gates",
                "Gates and thresholds, one row per matrix",
                f"Intervals: exact, 95 %. Above threshold: of the held-out rows, at q = {q}; wanted: at most {plots.share(1 - float(q))}. "
                "Wrong and admitted: above half of γ although the level admits it, of all held-out rows.",
                _gate_columns(q),
                report.tensors,
            ),
            sheet(
                "weights",
                "Weights and codes, one row per matrix",
                "Eff. dim.: participation ratio of the spectrum; if white: what independent Gaussian weights would give. Kurtosis of Gaussian numbers: 3. "
                f"In theory, at equal determinant and a small step, the edge is {plots.share(report.tensors[0].lattice.e8_edge_theory)} for E8 "
                f"and {plots.share(report.tensors[0].lattice.d8_edge_theory)} for D8.",
                WEIGHTS,
                report.tensors,
            ),
        ],
        "decisions": _decisions(report),
        "decided": sum(x.tiles for x in gates),
        "by_exact": sum(x.by_exact for x in gates),
        "weights_read": sum(t.rows_read * t.columns for t in report.tensors),
    }


def render(report: Report, env: Environment | None = None) -> str:
    """The report as an HTML page.  env: another environment, for tests."""
    env = env or environment()
    loader = env.loader
    assert loader is not None
    style, script = (loader.get_source(env, name)[0] for name in ("report.css", "report.js"))
    return env.get_template("report.html").render(context(report), style=Markup(style), script=Markup(script), policy=Markup(policy(style, script)))


def policy(style: str, script: str) -> str:
    """The content security policy of a page with one style and one script of its own, and nothing else."""
    return f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; base-uri 'none'; form-action 'none'"
