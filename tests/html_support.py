"""What the tests of html have in common."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import browser
from model_files import gaussian, write_safetensors

from gnosis.models.files import open_model
from gnosis.probe import html, plots, run
from gnosis.probe import part as parts
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings

HOSTILE = [
    "<script>alert(1)</script>.weight",
    '"><img src=x onerror=alert(1)>',
    "</title></style></script><h1>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; 'single'",
    "https://example.test/?a=1&b",
    "a\u202eb\x07.weight",
]

TAME = [f"matrix number {i}" for i in range(len(HOSTILE))]

VOID = {"meta", "link", "br", "wbr", "img", "input", "hr"}

SVG_EMPTY = {"line", "rect", "circle", "polyline", "polygon", "path"}

DATA = Path(html.__file__).parent / "templates"


def made(folder: Path, names: list[str], file: str = "m.safetensors", rows: int = 24, columns: int = 40, **settings: object) -> Report:
    path = write_safetensors(folder / file, {name: gaussian(rows, columns, i) for i, name in enumerate(names)})
    return run.probe(open_model(str(path)), Settings(**settings))


@dataclass
class Table:
    id: str | None
    classes: str
    caption: str = ""
    rows: list[list[tuple[str, dict[str, str], str]]] = field(default_factory=list)  # tag, attributes, text of each cell


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


def least(t: dict, family: str) -> float | None:
    every = [x["least_multiplier"] for c in t[family]["conformal"] if c["code"] == "e8" and c["of"] != "decision" for x in c["levels"]]
    return None if None in every else max(every)


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
        return Fraction(value) <= Fraction(number) < Fraction(value) + Fraction(1, 10**digits)
    return abs(float(number) - value * (100 if share else 1)) <= 0.5000001 * 10**-digits


def every_plot(found: Report) -> list[plots.Plot]:
    shown = html.context(found)
    return [*shown["acceptance"], *shown["frontiers"], *shown["coverage"], *shown["residuals"]]


def points(line: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (p.split(",") for p in line.split())]


def inside_box(p: plots.Plot) -> bool:
    at = (
        [point for line in (*p.lines, *p.areas) for point in points(line.points)]
        + [(m.x, m.y) for m in p.marks]
        + [(x, y) for x, *ys in p.whiskers for y in ys]
    )
    at += (
        [(b.x, b.y) for b in p.bars]
        + [(b.x + b.width, b.y + b.height) for b in p.bars]
        + [(x, p.bottom) for x, _ in p.x_ticks]
        + [(p.left, y) for y, _ in p.y_ticks]
    )
    slack = 0.011  # coordinates have two digits
    return bool(at) and bool(p.alt) and all(p.left - slack <= x <= p.right + slack and p.top - slack <= y <= p.bottom + slack for x, y in at)


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


def measured(page: str, folder: Path, width: int, columns: str = "[0, 9, 10]", theme: str = browser.LIGHT) -> dict:
    """What the script above finds in a page; the page's own policy would not let it run."""
    file = folder / f"measured-{width}.html"
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    file.write_text(text.replace("</body>", f"<script>{MEASURE.replace('[0, 9, 10]', columns)}</script></body>"))
    visit = browser.visit(file, folder / f"profile-{width}", f"--window-size={width},900", theme)
    assert visit.console == []
    return json.loads(next(attrs["data-measured"] for tag, attrs in Page(visit.dom).tags if tag == "html"))
