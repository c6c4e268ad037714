"""The HTML report: its figures are those of the JSON, no text of a model becomes markup, nothing comes from outside, and a browser shows it."""
from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import browser
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError
from model_files import gaussian, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.models.files import open_model
from gnosis.probe import figures as rates
from gnosis.probe import frontier, html, plots, run
from gnosis.probe import part as parts
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings
from gnosis.probe.tensor import CONJUNCTS

HOSTILE = ["<script>alert(1)</script>.weight", "\"><img src=x onerror=alert(1)>", "</title></style></script><h1>", "{{ 7 * 7 }}{% raw %}", "&lt;b&gt; 'single'",
           "https://example.test/?a=1&b", "a\u202eb\x07.weight"]
TAME = [f"matrix number {i}" for i in range(len(HOSTILE))]
VOID = {"meta", "link", "br", "wbr", "img", "input", "hr"}
SVG_EMPTY = {"line", "rect", "circle", "polyline", "polygon", "path"}
DATA = Path(html.__file__).parent / "templates"


def made(folder: Path, names: list[str], file: str = "m.safetensors", rows: int = 24, columns: int = 40, **settings: object) -> Report:
    path = write_safetensors(folder / file, {name: gaussian(rows, columns, i) for i, name in enumerate(names)})
    return run.probe(open_model(str(path)), Settings(**settings))


@pytest.fixture(scope="module")
def real() -> Report:
    """Part of a real transformer, with real activations."""
    some = ["embeddings.word*", "*layer.[01].*query.weight", "*layer.1.output.dense.weight"]
    return run.probe(open_model("minilm"), Settings(rows=64, positions=32, q_values=["0.5", "0.9"], tensors=some))


@pytest.fixture(scope="module")
def page(real) -> str:
    return html.render(real)


# ---- reading a page ----


@dataclass
class Table:
    id: str | None
    classes: str
    caption: str = ""
    rows: list[list[tuple[str, dict[str, str], str]]] = field(default_factory=list)       # tag, attributes, text of each cell


class Page(HTMLParser):
    """A page as a strict reader sees it: every element is closed in order, or it is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.tables: list[Table] = []
        self.inside: dict[str, list[str]] = {}
        self.errors: list[str] = []
        self.feed(text)
        self.close()
        self.errors += [f"<{tag}> is not closed" for tag in self.stack]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if len({name for name, _ in attrs}) != len(attrs):
            self.errors.append(f"<{tag}> has an attribute twice")
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag == "table":
            self.tables.append(Table(found.get("id"), found.get("class", "")))
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("td", "th"):
            self.tables[-1].rows[-1].append((tag, found, ""))
        if tag not in VOID:
            self.stack.append(tag)
            self.inside.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in SVG_EMPTY | VOID:
            self.errors.append(f"<{tag}/> closes nothing in HTML")
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.errors.append(f"</{tag}> closes another element")

    def handle_data(self, data: str) -> None:
        for tag in set(self.stack):
            self.inside[tag][-1] += data
        if self.stack.count("caption"):
            self.tables[-1].caption += data
        elif self.stack.count("td") or self.stack.count("th"):
            tag, attrs, text = self.tables[-1].rows[-1][-1]
            self.tables[-1].rows[-1][-1] = (tag, attrs, text + data)

    def table(self, id_: str) -> Table:
        return next(t for t in self.tables if t.id == id_)

    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        """Every element in order with the names of its attributes; where names may be broken differs with the names."""
        return [(tag, tuple(attrs)) for tag, attrs in self.tags if tag != "wbr"]


def test_the_page_is_well_formed(page):
    found = Page(page)
    assert page.startswith("<!doctype html>") and found.errors == [] and len(found.inside["title"]) > 1
    assert found.inside["title"][0] == "minilm: probe report"


@pytest.mark.parametrize("text", ["<p><b></p></b>", "<p>", "<div/>", "<p class=a class=b></p>"])
def test_the_strict_reader_notices(text):
    assert Page(text).errors


# ---- nothing from outside, and nothing to run but its own script ----


def outside(text: str) -> list[str]:
    """Whatever in a page refers to something beyond it, or could run."""
    found, out = Page(text), []
    for tag, attrs in found.tags:
        for name, value in attrs.items():
            if name.startswith("on") or name in ("style", "srcset", "action", "formaction", "ping"):
                out.append(f"{tag} {name}")
            elif name in ("href", "src", "data", "poster", "xlink:href", "xmlns") and not (value.startswith("#") or value == "data:,"):
                out.append(f"{tag} {name}={value}")
        if tag in ("iframe", "object", "embed", "form", "base", "img", "foreignobject"):
            out.append(tag)
    for tag in ("script", "style"):
        if len(found.inside.get(tag, [])) != 1:
            out.append(f"{len(found.inside.get(tag, []))} of {tag}")
        out += re.findall(r"https?:|//[a-z]|url\(|@import|fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(", "".join(found.inside.get(tag, [])))
    return out


def test_nothing_comes_from_outside(page):
    assert outside(page) == [] and not re.search(r"https?://", page)


@pytest.mark.parametrize("planted", ["<img src=x.png>", "<p onclick=a()></p>", "<script src=a.js></script>", "<a href=http://a>a</a>", "<p style='a'></p>",
                                     "<iframe></iframe>"])
def test_what_comes_from_outside_is_noticed(page, planted):
    assert outside(page.replace("</main>", planted + "</main>"))


def test_the_policy_names_this_style_and_this_script(page):
    found = Page(page)
    policy = next(attrs["content"] for tag, attrs in found.tags if tag == "meta" and "http-equiv" in attrs)
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(found.inside[tag][0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy


# ---- names are hostile ----


def renamed(found: Report, names: dict[str, str]) -> Report:
    """The same report under other names, sealed again: what a hand may write into a file."""
    def walk(value: object) -> object:
        if isinstance(value, dict):
            return {key: walk(part) for key, part in value.items()}
        return [walk(part) for part in value] if isinstance(value, list) else names.get(value, value) if isinstance(value, str) else value

    data = walk(json.loads(parts.to_json(found)))
    assert isinstance(data, dict)
    del data["digest"]
    sealed = hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return Report.model_validate_json(json.dumps(data | {"digest": sealed}))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> tuple[Report, Report]:
    """The same report under hostile and under tame names; the file's name is hostile as well."""
    tame = made(tmp_path_factory.mktemp("tame"), TAME, gamma_multiplier=0.5)
    names = dict(zip(TAME, HOSTILE)) | {tame.model.name: "<img src=x onerror=alert(1)>\u202e", tame.model.files[0].file: "<img src=y onerror=alert(2)>"}
    return renamed(tame, names), tame


def same_structure(hostile: tuple[Report, Report], env: Environment | None = None) -> bool:
    bad, good = (Page(html.render(r, env)) for r in hostile)
    return bad.errors == good.errors == [] and bad.shape() == good.shape() and outside(html.render(hostile[0], env)) == []


def test_hostile_names_stay_text(hostile):
    assert same_structure(hostile)
    text = html.render(hostile[0])
    names = {attrs["data-value"] for row in Page(text).table("gates").rows[2:] for tag, attrs, _ in row[:1]}
    assert names == {html.visible(n) for n in HOSTILE} and "<script>alert" not in text and "<img src=x" not in text
    assert "a\\u202eb\\x07.weight" in names and not re.search("[\u202e\x07]", text) and "49" not in {row[0][2] for row in Page(text).table("gates").rows}


def test_a_template_that_forgets_escaping_is_noticed(hostile):
    assert not same_structure(hostile, html.environment(autoescape=False))


@pytest.mark.parametrize("place", ["<bdi>{{ report.model.name }}</bdi>", "<li><bdi>{{ name }}</bdi></li>", "<bdi>{{ f.file }}</bdi>"])
def test_one_place_that_forgets_escaping_is_noticed(hostile, place):
    env = html.environment()
    files = {p.name: p.read_text() for p in DATA.iterdir()}
    assert place in files["report.html"]
    files["report.html"] = files["report.html"].replace(place, place.replace(" }}", " | safe }}"))
    env.loader = DictLoader(files)
    assert not same_structure(hostile, env)


def test_a_figure_that_is_not_there_is_an_error(real):
    env = html.environment()
    env.loader = DictLoader({p.name: p.read_text().replace("report.digest", "report.digests") for p in DATA.iterdir()})
    with pytest.raises(UndefinedError, match="digests"):
        html.render(real, env)


@given(st.text())
def test_whatever_the_text_it_is_shown_escaped(text):
    shown = str(html.broken(text))
    assert Counter(tag for tag, _ in Page(shown).tags).keys() <= {"wbr"} and html.visible(text).isprintable()
    if text.isprintable():
        assert "".join(re.split("<wbr>", shown)).replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&") == text


# ---- the figures are those of the JSON ----


def rows_level(t: dict, family: str) -> dict:
    return next(c for c in t[family]["conformal"] if (c["of"], c["code"]) == ("row", "e8"))["levels"][-1]


def gate(t: dict, family: str, norm: str, code: str) -> float:
    return next(g for g in t[family]["gates"] if (g["norm"], g["activation"]) == (norm, "unit"))[code]["share_admitted"]


def least(t: dict, family: str) -> float | None:
    every = [x["least_multiplier"] for c in t[family]["conformal"] if c["code"] == "e8" and c["of"] != "decision" for x in c["levels"]]
    return None if None in every else max(every)


GATES = [lambda t: t["name"],
         *(lambda t, c=c, n=n: gate(t, "lattice", n, c) for n in ("energy", "sup") for c in ("cubic", "d8", "e8")),
         lambda t: next(g for g in t["lattice"]["gates"] if (g["norm"], g["activation"]) == ("energy", "unit"))["e8"]["truth"]["vacuity"]["median"],
         lambda t: least(t, "lattice"), lambda t: rows_level(t, "lattice")["exceed"]["share"], lambda t: rows_level(t, "lattice")["lies"]["share"],
         lambda t: t["admission"]["admitted"],
         *(lambda t, c=c: gate(t, "bounded", "energy", c) for c in ("cubic", "d8", "e8")),
         lambda t: least(t, "bounded"), lambda t: rows_level(t, "bounded")["exceed"]["share"], lambda t: t["bounded_admission"]["admitted"]]
WEIGHTS = [lambda t: t["name"], lambda t: t["layer"], lambda t: t["encoding"], lambda t: t["rows_total"], lambda t: t["columns"], lambda t: t["rows_read"],
           lambda t: t["effective_dimension"], lambda t: t["effective_dimension_white"], lambda t: t["mean_abs_correlation"],
           lambda t: t["weights"]["kurtosis"], lambda t: t["activations"]["kurtosis"] if t["activations"] else None,
           *(lambda t, f=f, c=c: t[f][f"{c}_edge"] for f in ("lattice", "bounded") for c in ("d8", "e8"))]


def shown_as(text: str, value: object, up: bool = False) -> bool:
    """Whether a cell's text is its figure, rounded to the digits that are shown; up: upwards, so that what is shown suffices."""
    if value is None:
        return text == "–"
    if isinstance(value, str):
        return text == value
    if isinstance(value, bool):
        return text == ("yes" if value else "no")
    first = text.split(" ")[0].replace(",", "")
    share, number = first.endswith("%"), first.rstrip("%").lstrip("<>")
    digits = len(number.partition(".")[2])
    if first[0] in "<>":
        return 0 < value < 10 ** -(digits + 2) if first[0] == "<" else 1 - 10 ** -(digits + 2) < value < 1
    if share and digits == 0:
        return value in (0, 1) and float(number) == 100 * value
    if up:
        return Fraction(value) <= Fraction(number) < Fraction(value) + Fraction(1, 10 ** digits)
    return abs(float(number) - value * (100 if share else 1)) <= 0.5000001 * 10 ** -digits


def wrong_figures(text: str, data: dict) -> list[str]:
    out = []
    for id_, figures in (("gates", GATES), ("weights", WEIGHTS)):
        table = Page(text).table(id_)
        body = table.rows[2:]
        if len(body) != len(data["tensors"]) or any(len(row) != len(figures) for row in body):
            return [f"{id_}: {len(body)} rows"]
        for row, t in zip(body, data["tensors"]):
            for (_, attrs, cell), figure, (_, _, title) in zip(row, figures, table.rows[1]):
                value = figure(t)
                written = "" if value is None else value if isinstance(value, str) else json.dumps(value)
                if attrs["data-value"] != written or not shown_as(cell, value, up=title.strip() == "least multiplier"):
                    out.append(f"{id_}, {t['name']}: {attrs['data-value']} {cell}, not {written}")
    return out


def test_the_tables_say_what_the_json_says(real, page, hostile, tmp_path):
    assert wrong_figures(page, json.loads(parts.to_json(real))) == []
    tame = hostile[1]
    assert wrong_figures(html.render(tame), json.loads(parts.to_json(tame))) == []


def test_a_wrong_figure_is_noticed(real, page):
    data = json.loads(parts.to_json(real))
    cells = re.findall(r'<td data-value="([^"]+)"[^>]*>([^<]+)</td>', page[page.index('id="gates"'):])
    value, shown = next(c for c in cells if "%" in c[1] and c[1][0] not in "<>0" and c[0] != "1.0")
    assert wrong_figures(page.replace(f'data-value="{value}">{shown}<', f'data-value="{value}">1{shown}<'), data)
    assert wrong_figures(page.replace(f'data-value="{value}"', f'data-value="{value}1"'), data)


def test_every_conjunct_is_shown_with_what_it_rests_on(real, page):
    table = next(t for t in Page(page).tables if t.classes == "predicate")
    rows = {re.sub(r"\s.*", "", row[0][2].strip(), flags=re.S): [c[2] for c in row[1:]] for row in table.rows[1:]}
    n = len(real.tensors)
    for name in CONJUNCTS:
        cells = next(cells for key, cells in rows.items() if key.startswith(name))
        held = [sum(getattr(a, name) for a in (t.admission, t.bounded_admission)[i:i + 1]) for i in (0, 1) for t in real.tensors]
        assert [c.split(" ", 1)[1] for c in cells[:2]] == [f"{sum(held[:n])} of {n}", f"{sum(held[n:])} of {n}"]
        theorem = next((m for m in real.spine if m.theorem in cells[2]), None)
        assert (theorem is None) == (cells[2] == "measured") and (theorem is None or theorem.module in cells[2])
    assert "Gnosis.energy_sidecar_sound" in rows["e8_energy_accept_ge_cubicthe"][2]
    assert "Gnosis.conformal_admitted_failure_rate" in rows["all_conformal_admittwice"][2]
    text = " ".join(Page(page).inside["table"])
    assert all(m.module in text and m.theorem in text and m.says in text for m in real.spine)


def test_a_rejection_is_shown_as_a_result(hostile):
    tame = hostile[1]
    found = Page(html.render(tame))
    assert not tame.verdict.admitted and not tame.verdict.bounded_admitted
    assert [t.strip() for t in found.inside["p"] if "rejected" in t] == ["– rejected"] * 2
    listed = Counter(text for text in found.inside["li"] if text in TAME)
    assert listed == Counter({name: 2 for name in TAME})
    assert not re.search(r"\b(error|fail(ed|ure)?|wrong!)\b", " ".join(found.inside["header"]), re.I)


@pytest.mark.parametrize("rows, columns, settings", [(8, 8, {}), (8, 9, {"q_values": ["0.5"]}), (40, 64, {"tile": 4, "q_values": ["0.1", "0.5", "0.9", "0.999"]}),
                                                      (24, 40, {"gamma_multiplier": 1e-3}), (24, 40, {"gamma_multiplier": 1e6}),
                                                      (24, 40, {"grid": {"start": "2.00", "stop": "2.00", "step": "0.05"}})])
def test_one_small_matrix(tmp_path, rows, columns, settings):
    found = made(tmp_path, ["w"], rows=rows, columns=columns, **settings)
    text = html.render(found)
    assert Page(text).errors == [] and outside(text) == [] and wrong_figures(text, json.loads(parts.to_json(found))) == []
    assert all(inside_box(p) for p in every_plot(found)) and not re.search(r"\b(nan|inf|None|Undefined)\b", text.partition("<body>")[2].partition("<script>")[0])


def test_a_row_that_is_not_finite_and_a_tensor_that_is_left_out(tmp_path):
    weights = gaussian(24, 40)
    weights[3, 5] = np.nan
    path = write_safetensors(tmp_path / "m.safetensors", {"a": weights, "b": gaussian(4, 40)})
    found = run.probe(open_model(str(path)), Settings())
    text = html.render(found)
    assert found.skipped and "Not probed" in Page(text).inside["h2"] and found.skipped[0].reason in text
    assert "finite" in {t for names in Page(text).inside["summary"] for t in names.replace(",", " ").split()}


# ---- plots ----


def every_plot(found: Report) -> list[plots.Plot]:
    shown = html.context(found)
    return [*shown["acceptance"], *shown["frontiers"], *shown["coverage"], *shown["residuals"]]


def points(line: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (p.split(",") for p in line.split())]


def inside_box(p: plots.Plot) -> bool:
    at = [point for line in (*p.lines, *p.areas) for point in points(line.points)] + [(m.x, m.y) for m in p.marks] + [(x, y) for x, *ys in p.whiskers for y in ys]
    at += [(b.x, b.y) for b in p.bars] + [(b.x + b.width, b.y + b.height) for b in p.bars] + [(x, p.bottom) for x, _ in p.x_ticks] + [(p.left, y) for y, _ in p.y_ticks]
    slack = 0.011       # coordinates have two digits
    return bool(at) and bool(p.alt) and all(p.left - slack <= x <= p.right + slack and p.top - slack <= y <= p.bottom + slack for x, y in at)


def test_every_plot_is_there_and_within_its_box(real, hostile):
    assert [len(html.context(real)[part]) for part in ("acceptance", "frontiers", "coverage", "residuals")] == [6, 2, 4, 4]
    assert [len(html.context(hostile[1])[part]) for part in ("acceptance", "frontiers", "coverage", "residuals")] == [4, 2, 2, 2]
    assert all(inside_box(p) for r in (real, hostile[0]) for p in every_plot(r))


def test_bars_are_the_shares(real):
    plot = plots.acceptance(real.tensors, "bounded", "energy", "unit", "")
    assert plot is not None and len(plot.bars) == 3 * 3
    for bar, (layer, code) in zip(plot.bars, [(n, c) for c in plots.CODES for n in (None, 0, 1)]):
        gates = [(t.bounded.gate("energy"), t.tiles) for t in real.tensors if t.layer == layer]
        expected = sum(getattr(g, code).admitted for g, _ in gates) / sum(n for _, n in gates)
        assert bar.height / (plot.bottom - plot.top) == pytest.approx(expected, abs=1e-4) and bar.y + bar.height == pytest.approx(plot.bottom)


def test_many_layers_are_lines(real, monkeypatch):
    bars = plots.acceptance(real.tensors, "bounded", "energy", "unit", "")
    monkeypatch.setattr(plots, "MOST_BARS", 2)
    lines = plots.acceptance(real.tensors, "bounded", "energy", "unit", "")
    assert bars is not None and lines is not None and not lines.bars and bars.table == lines.table
    assert [(m.kind, m.y) for m in lines.marks] == [(b.kind, b.y) for b in bars.bars]
    # the matrices outside the layers are no neighbours of the first layer
    assert [points(line.points) for line in lines.lines] == [[(m.x, m.y) for m in lines.marks if m.kind == code][1:] for code in plots.CODES]
    assert inside_box(lines) and Page(html.render(real)).errors == []


def test_the_frontier_curve_is_the_frontier(real):
    drawn = frontier.frontier(real, "lattice")
    plot = plots.frontier_curve(drawn, "")
    low, high = float(plot.table[0][0]), float(plot.table[-1][0])
    shown = [p for p in drawn.points if low <= float(p.multiplier) <= high]
    e8 = points(next(line.points for line in plot.lines if line.kind == "e8"))
    assert len(e8) == len(shown)
    for (x, y), p in zip(e8, shown):
        assert (x - plot.left) / (plot.right - plot.left) == pytest.approx((float(p.multiplier) - low) / (high - low), abs=1e-4)
        assert (plot.bottom - y) / (plot.bottom - plot.top) == pytest.approx(p.e8, abs=1e-4)
    assert drawn.least is not None and f"least: {plots.up(drawn.least, 4)}" in {r.label for r in plot.rules}
    rises = points(next(line.points for line in plot.lines if line.kind == "all"))
    last_rise = max(x for (x, y), (_, after) in zip(rises, rises[1:]) if after < y)
    assert rises[-1][1] == plot.top and last_rise == pytest.approx(next(r.x for r in plot.rules if r.kind == "least"), abs=0.011)


def test_coverage_intervals_are_exact(real):
    plot = plots.coverage(real.tensors, "lattice", "row", "")
    assert plot is not None
    counts: dict[str, list[int]] = {}
    for t in real.tensors:
        c = next(c for c in t.lattice.conformal if (c.of, c.code) == ("row", "e8"))
        for part in c.coverage:
            own = counts.setdefault(part.q, [0, 0])
            own[0], own[1] = own[0] + part.exceed, own[1] + c.held_out
    assert len(plot.table) == len(counts)
    for q, _, _, shown, count in plot.table:
        low, high = rates.interval(*counts[q])
        assert count == f"{counts[q][0]:,} of {counts[q][1]:,}" and shown == f"{plots.share(low, 2)} to {plots.share(high, 2)}"
    positions = plots.coverage(real.tensors, "lattice", "position", "")
    held = next(c.held_out for t in real.tensors for c in t.lattice.conformal if c.of == "position")
    assert positions is not None and all(row[4].endswith(f"of {held}") for row in positions.table)


def test_the_histogram_counts_every_score(real):
    for family in ("lattice", "bounded"):
        for of in ("row", "position"):
            plot = plots.residuals(real.tensors, family, of, 2.0, "")
            assert plot is not None
            for i, code in enumerate(("cubic", "e8")):
                scores = sum(c.calibration + c.held_out for t in real.tensors for c in getattr(t, family).conformal if (c.of, c.code) == (of, code))
                assert sum(int(row[2 + i].replace(",", "")) for row in plot.table) == scores


@given(st.integers(0, 10 ** 6), st.integers(1, 10 ** 6), st.integers(0, 3))
def test_a_share_is_called_none_or_all_only_where_it_is(count, of, digits):
    value = min(count, of) / of
    shown = plots.share(value, digits)
    assert (shown == "0%") == (value == 0) and (shown == "100%") == (value == 1)
    if shown[0] == "<":
        assert 0 < value <= 10.0 ** -(digits + 2)
    elif shown[0] == ">":
        assert 1 - 10.0 ** -(digits + 2) <= value < 1
    else:
        assert float(shown[:-1]) == pytest.approx(100 * value, abs=0.5000001 * 10 ** -digits)


@given(st.floats(0, 1e6), st.integers(0, 6))
def test_a_least_multiplier_is_shown_rounded_up(value, digits):
    assert shown_as(plots.up(value, digits), value, up=True) and plots.up(None) == "–"


@given(st.floats(0, 1e3), st.floats(1e-3, 1e6))
def test_ticks_are_few_and_inside(low, width):
    found = plots.ticks(low, low + width)
    assert 1 <= len(found) <= 8 and all(low - 1e-6 * width <= v <= low + width * (1 + 1e-6) for v in found) and found == sorted(set(found))


# ---- for everyone ----


def inaccessible(text: str) -> list[str]:
    """What a reader with other means would miss."""
    found, out = Page(text), []
    ids = [attrs["id"] for _, attrs in found.tags if "id" in attrs]
    out += [f"id {name} twice" for name, n in Counter(ids).items() if n > 1]
    for tag, attrs in found.tags:
        out += [f"{tag} points to {name}" for key in ("aria-labelledby", "aria-describedby") for name in attrs.get(key, "").split() if name not in ids]
        if tag == "html" and attrs.get("lang") != "en":
            out.append("no language")
        if tag == "svg" and attrs.get("aria-hidden") != "true" and not (attrs.get("role") == "img" and attrs.get("aria-labelledby")):
            out.append("a plot without a name")
        if attrs.get("tabindex") == "0" and not attrs.get("aria-label"):
            out.append("a region without a name")
    out += [f"table {t.id} without a caption" for t in found.tables if not t.caption.strip()]
    out += ["a heading of a table without a scope" for t in found.tables for row in t.rows for tag, attrs, _ in row if tag == "th" and "scope" not in attrs]
    levels = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    out += [f"h{b} after h{a}" for a, b in zip(levels, levels[1:]) if b > a + 1]
    return out + (["not one h1"] if levels.count(1) != 1 else []) + ([] if found.inside.get("title", [""])[0].strip() else ["no title"])


def test_the_page_is_accessible(page, hostile):
    assert inaccessible(page) == [] and inaccessible(html.render(hostile[0])) == []


@pytest.mark.parametrize("old, new", [('lang="en"', ""), ("<caption>", "<caption hidden></caption><p>"), ('role="img"', ""), ('scope="row"', ""),
                                      ("<h3>", "<h5>"), ('id="f1-t"', 'id="a1-t"'), ("<title>minilm: probe report</title>", "<title></title>")])
def test_what_is_not_accessible_is_noticed(page, old, new):
    assert old in page
    worse = page.replace(old, new)
    worse = worse.replace("</h3>", "</h5>") if new == "<h5>" else worse.replace("</caption>", "</p>") if "hidden" in new else worse
    assert inaccessible(worse)


def themes(css: str) -> list[dict[str, str]]:
    """The colours of each block that sets them: light, dark by the system, dark by the button."""
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in re.findall(r"\{[^{}]*--page:[^{}]*\}", css)]


def contrast(a: str, b: str) -> float:
    """The contrast of WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances."""
    def luminance(colour: str) -> float:
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def pale(css: str) -> list[str]:
    out = []
    for theme in themes(css):
        for ground in ("page", "card"):
            out += [f"{name} on {ground}" for name in ("ink", "quiet", "pass", "refused") if contrast(theme[name], theme[ground]) < 4.5]
        out += [f"{name} in plots" for name in ("e8", "d8", "cubic", "all", "threshold") if contrast(theme[name], theme["page"]) < 3]
        out += ["gamma"] if contrast(theme["gamma"], theme["page"]) < 4.5 else []
    return out


def test_both_themes_are_readable():
    css = (DATA / "report.css").read_text()
    light, system, pressed = themes(css)
    assert system == pressed and light.keys() == system.keys() and light != system and pale(css) == []
    assert pale(css.replace(light["quiet"], "#b0b6bd")) and pale(css.replace(light["e8"], "#aaccee")) and contrast("#000000", "#ffffff") == pytest.approx(21)


# ---- the commands ----


def command(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(a) for a in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_the_commands(tmp_path, hostile):
    model = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(24, 40)})
    code, out, err = command("probe", model, "--format", "html", "--output", tmp_path / "probe.html", "--gamma-multiplier", 0.5)
    assert (code, out) == (0, "") and "0 of 1 tensors admitted" in " ".join(err.split()) and Page((tmp_path / "probe.html").read_text()).errors == []
    saved = tmp_path / "report.json"
    parts.write(hostile[0], saved)
    code, out, err = command("report", saved)
    assert (code, err) == (0, "") and out == html.render(hostile[0])
    code, out, _ = command("report", saved, "--output", tmp_path / "report.html", "--quiet")
    assert (code, out) == (0, "") and (tmp_path / "report.html").read_text() == html.render(hostile[0])
    assert command("report", saved, "--format", "json")[1] == saved.read_text()
    assert "rejected" in command("report", saved, "--format", "text")[1]


def test_what_the_command_refuses(tmp_path, hostile):
    saved = tmp_path / "report.json"
    parts.write(hostile[1], saved)
    drawn = tmp_path / "frontier.json"
    parts.write(frontier.frontier(hostile[1]), drawn)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(saved.read_text().replace(TAME[0], "another name"))
    for args, wanted, text in [((damaged,), 1, "damaged: "), ((drawn,), 2, "not a report of the probe"), ((tmp_path / "none.json",), 2, "No such file"),
                               ((saved, "--output", tmp_path / "none" / "a.html"), 2, "does not exist")]:
        code, out, err = command("report", *args)
        assert (code, out) == (wanted, "") and text in " ".join(err.split()) and len(err.splitlines()) == 1


# ---- in a browser ----

needs_chromium = pytest.mark.skipif(browser.CHROMIUM is None, reason="no chromium")

# Measured in the browser: texts of plots that leave their box or lie on one another, sideways scrolling of the page, and what sorting does.
MEASURE = """
const out = {clipped: [], overlapping: [], wide: document.documentElement.scrollWidth - innerWidth, theme: [], sorted: []};
for (const plot of document.querySelectorAll("figure > svg")) {
  const box = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  for (const [name, r] of texts) if (r.left < box.left - .5 || r.right > box.right + .5 || r.top < box.top - .5 || r.bottom > box.bottom + .5) out.clipped.push(name);
  texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, s]) => {
    if (Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 3) out.overlapping.push(a + " | " + b); }));
}
const button = document.getElementById("theme"), ground = () => getComputedStyle(document.body).backgroundColor;
out.theme.push(ground()); button.click(); out.theme.push(ground()); button.click(); out.theme.push(ground());
const table = document.getElementById("weights"), heads = table.tHead.rows[1].cells;
const column = n => [...table.tBodies[0].rows].map(r => r.cells[n].dataset.value);
for (const n of [0, 9, 10]) { heads[n].querySelector("button").click(); out.sorted.push([n, heads[n].getAttribute("aria-sort"), column(n)]);
  heads[n].querySelector("button").click(); out.sorted.push([n, heads[n].getAttribute("aria-sort"), column(n)]); }
document.documentElement.setAttribute("data-measured", JSON.stringify(out));
"""


def measured(page: str, folder: Path, width: int) -> dict:
    """What the script above finds in a page; the page's own policy would not let it run."""
    file = folder / f"measured-{width}.html"
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    file.write_text(text.replace("</body>", f"<script>{MEASURE}</script></body>"))
    visit = browser.visit(file, folder / f"profile-{width}", f"--window-size={width},900", browser.LIGHT)
    assert visit.console == []
    return json.loads(next(attrs["data-measured"] for tag, attrs in Page(visit.dom).tags if tag == "html"))


def blank(image: Path) -> bool:
    """Whether a picture shows next to nothing: few colours, or nearly all of it in one."""
    from matplotlib.image import imread

    pixels = (imread(image)[:, :, :3] * 255).astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    counts = np.unique(pixels, return_counts=True)[1]
    return len(counts) < 50 or counts.max() > 0.97 * counts.sum()


@needs_chromium
def test_a_browser_shows_it_in_both_themes(page, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(page)
    shots = {}
    for name, theme in (("light", browser.LIGHT), ("dark", browser.DARK)):
        shots[name] = tmp_path / f"{name}.png"
        assert browser.screenshot(file, shots[name], tmp_path / "profile", 1180, 1200, theme) == []
        assert not blank(shots[name])
    from matplotlib.image import imread
    corner = {name: imread(shot)[0, 0, :3].mean() for name, shot in shots.items()}
    assert corner["light"] > 0.95 and corner["dark"] < 0.2


@needs_chromium
def test_a_page_with_errors_and_a_blank_one_are_noticed(page, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text(page.replace("button.hidden = false;", "button.hidden = nothing_of_that_name;"))      # the policy refuses a changed script
    assert any("Content Security Policy" in line for line in browser.visit(broken, tmp_path / "profile").console)
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html><title>a</title><script>nothing_of_that_name</script>")
    found = browser.screenshot(empty, tmp_path / "empty.png", tmp_path / "profile", 400, 300)
    assert any("ReferenceError" in line for line in found) and blank(tmp_path / "empty.png")


@needs_chromium
@pytest.mark.parametrize("width", [760, 400])
def test_nothing_is_clipped_and_tables_sort(real, page, tmp_path, width):
    found = measured(page, tmp_path, width)
    assert (found["clipped"], found["overlapping"]) == ([], []) and found["wide"] <= 0
    light, dark, again = found["theme"]
    assert light == again == "rgb(255, 255, 255)" and dark == "rgb(18, 23, 29)"
    names = [t.name for t in real.tensors]
    heavy = [t.weights.kurtosis for t in real.tensors]
    reached = [t.activations.kurtosis for t in real.tensors if t.activations]
    for column, way, values in found["sorted"]:
        if column == 0:
            assert values == sorted(names, reverse=way == "descending")
        else:
            expected = [repr(v) for v in sorted(heavy if column == 9 else reached, reverse=way == "descending")]
            assert values == expected + [""] * (len(names) - len(expected))
    assert [way for _, way, _ in found["sorted"]] == ["ascending", "descending"] * 3 and len(reached) < len(names)


@needs_chromium
def test_clipped_and_overlapping_texts_are_noticed(page, tmp_path):
    worse = page.replace('text-anchor="middle">0</text>', 'text-anchor="middle">a label much longer than the room that there is for it</text>')
    assert worse != page
    found = measured(worse.replace('<text class="label" x="', '<text class="label" x="4', 1), tmp_path, 1180)
    assert found["overlapping"] and found["clipped"]
