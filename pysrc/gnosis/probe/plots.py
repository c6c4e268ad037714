"""The plots of the HTML report as plain geometry: what is drawn where, for a template to write as SVG.

Nothing is measured here.  Coordinates are those of the plot's own box, `width` × `height`, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from ..risk.held_out import expected
from .figures import BIN, BINS, Conformal, Level
from .frontier import Frontier
from .tensor import Tensor

CODES = ("cubic", "d8", "e8")
CODE_NAMES = {"cubic": "cubic", "d8": "D8", "e8": "E8"}
WIDTH, HEIGHT = 460.0, 250.0
LEFT, RIGHT, BOTTOM, TOP = 62.0, 20.0, 46.0, 12.0
LETTER = 7.4  # about what a letter of a label takes
RULE_LINE = 15.0  # height of the label of a rule, above the plot
MOST_LABELS = 12  # on a horizontal axis
MOST_BARS = 14  # layers that are drawn as bars; more of them as lines
MOST_RULES = 2  # levels that get a line of their own
LOG_TICKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    kind: str
    tip: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points "x,y x,y …"; kind is its class, and so its colour and dashes."""

    points: str
    kind: str


@dataclass(frozen=True)
class Mark:
    x: float
    y: float
    kind: str
    tip: str = ""


@dataclass(frozen=True)
class Rule:
    """A vertical line at x with a label above the plot, in a row of its own.  drawn: False for what lies outside the axis."""

    x: float
    y: float
    label: str
    kind: str
    anchor: str
    drawn: bool


@dataclass
class Plot:
    """One plot.  alt: what it shows, in a sentence.  legend: (kind, shape, text).  table: the figures that it draws."""

    title: str
    alt: str
    x_label: str
    y_label: str
    note: str = ""
    top: float = TOP
    x_ticks: list[tuple[float, str]] = field(default_factory=list)
    y_ticks: list[tuple[float, str]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    areas: list[Line] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    whiskers: list[tuple[float, float, float]] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    legend: list[tuple[str, str, str]] = field(default_factory=list)
    table_head: list[str] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    bottom: float = HEIGHT - BOTTOM


class Scale:
    """Maps low … high to first … last, linearly or by the logarithm; what lies outside is drawn at the edge."""

    def __init__(self, low: float, high: float, first: float, last: float, log: bool = False) -> None:
        self.low, self.high, self.first, self.last, self.log = low, high, first, last, log

    def __call__(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        if self.high == self.low:
            part = 0.5
        elif self.log:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return round(self.first + part * (self.last - self.first), 2)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """About `most` round numbers from low to high."""
    if not high > low:
        return [low]
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(m * unit for m in (1, 2, 2.5, 5, 10) if m * unit >= rough * (1 - 1e-9))
    return [round(i * step, 12) for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def share(value: float | None, digits: int = 1) -> str:
    """A share in percent.  "0%" and "100%" are said only where that is exact; what would be rounded to them is said to be below or above.

    Promises: tested `tests/test_html_plots.py::test_a_share_is_called_none_or_all_only_where_it_is`.
    """
    if value is None:
        return "–"
    if value in (0, 1):
        return f"{value:.0%}"
    least = 10.0**-digits
    if not 0 < value < 1:
        return f"{value:.{digits}%}"
    shown = f"{value:.{digits}%}"
    return f"<{least:.{digits}f}%" if float(shown[:-1]) == 0 else f">{100 - least:.{digits}f}%" if float(shown[:-1]) == 100 else shown


def up(value: float | None, digits: int = 3) -> str:
    """A least multiplier, rounded up: with what is shown, the levels admit."""
    return "–" if value is None else str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_CEILING))


def thinned(labels: Sequence[str]) -> list[int]:
    """Which of many labels are written: every n-th."""
    every = max(1, math.ceil(len(labels) / MOST_LABELS))
    return list(range(0, len(labels), every))


def _shares(plot: Plot) -> Scale:
    """A vertical axis from 0 to 100 %."""
    y = Scale(0, 1, plot.bottom, plot.top)
    plot.y_ticks = [(y(v), f"{v:.0%}") for v in (0, 0.25, 0.5, 0.75, 1)]
    return y


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _rules(plot: Plot, x: Scale, wanted: Sequence[tuple[float, str, str]]) -> None:
    """Vertical lines (value, label, kind).  The room for their labels was left above the plot.

    Labels go to the right where all fit, the leftmost on top: then no line runs through one.  Else to the left, or each to where there is room.
    """
    wide = [LETTER * len(label) for _, label, _ in wanted]
    right = all(x(value) + w <= plot.width for (value, *_), w in zip(wanted, wide))
    left = all(x(value) - w >= 0 for (value, *_), w in zip(wanted, wide))
    for i, (value, label, kind) in enumerate(sorted(wanted, key=lambda r: r[0], reverse=not right)):
        place = x(value)
        anchor = "start" if right or (not left and place < (plot.left + plot.right) / 2) else "end"
        drawn = x.low <= value <= x.high
        plot.rules.append(Rule(place, round(TOP + i * RULE_LINE, 2), label if drawn else f"{label} →" if value > x.high else f"← {label}", kind, anchor, drawn))


def _multiplier_ticks(plot: Plot, x: Scale) -> None:
    values = ticks(x.low, x.high)
    digits = 1 if all(abs(v * 10 - round(v * 10)) < 1e-9 for v in values) else 2
    plot.x_ticks = [(x(v), f"{v:.{digits}f}") for v in values]


# ---- the four kinds ----


def acceptance(tensors: Sequence[Tensor], family: str, norm: str, activation: str, title: str) -> Plot | None:
    """Share of tiles that one gate admits, by layer, for the three codes; None when no matrix has that gate."""
    counts: dict[int | None, list[int]] = {}
    for t in tensors:
        gate = getattr(t, family).gate(norm, activation)
        if gate is not None:
            own = counts.setdefault(t.layer, [0, 0, 0, 0])
            for i, code in enumerate(CODES):
                own[i] += getattr(gate, code).admitted
            own[3] += t.tiles
    if not counts:
        return None
    order = sorted(counts, key=lambda n: -1 if n is None else n)
    totals = [sum(own[i] for own in counts.values()) for i in range(4)]
    said = ", ".join(f"{CODE_NAMES[code]} {share(totals[i] / totals[3])}" for i, code in enumerate(CODES))
    bars = len(order) <= MOST_BARS
    plot = Plot(
        title,
        f"{'Bars' if bars else 'Lines'}: share of tiles admitted, by layer. All together: {said}.",
        "layer",
        "tiles admitted",
        note=f"All together: {said}.",
    )
    y = _shares(plot)
    names = ["–" if n is None else str(n) for n in order]
    room = (plot.right - plot.left) / len(order)
    wide = room * 0.8 / 3
    for j, code in enumerate(CODES):
        middles = []
        for i, number in enumerate(order):
            own = counts[number]
            top = y(own[j] / own[3])
            tip = f"layer {names[i]}, {CODE_NAMES[code]}: {share(own[j] / own[3])}, {own[j]:,} of {own[3]:,} tiles"
            if bars:
                plot.bars.append(
                    Bar(round(plot.left + i * room + room * 0.1 + j * wide, 2), top, round(wide * 0.92, 2), round(plot.bottom - top, 2), code, tip)
                )
                continue
            middles.append((round(plot.left + (i + 0.5) * room, 2), top))
            plot.marks.append(Mark(*middles[-1], code, tip))
        if not bars:  # what lies outside the layers is no neighbour of the first one
            plot.lines.append(Line(_path(middles[1 if order[0] is None else 0 :]), code))
    plot.x_ticks = [(round(plot.left + (i + 0.5) * room, 2), names[i]) for i in thinned(names)]
    if None in counts:
        plot.x_label = "layer (–: matrices outside the layers)"
    plot.legend = [(code, "square" if bars else "line", CODE_NAMES[code]) for code in CODES]
    plot.table_head = ["layer", *(CODE_NAMES[c] for c in CODES), "tiles"]
    plot.table = [[names[i], *(share(counts[n][j] / counts[n][3], 2) for j in range(3)), f"{counts[n][3]:,}"] for i, n in enumerate(order)]
    return plot


def frontier_curve(found: Frontier, title: str) -> Plot:
    """Tiles that the energy gate admits, and matrices that admit at every level, by multiplier: the part of the grid where something changes."""
    points = found.points
    shares = [(p.tensors_admitted / len(found.tensors), p.cubic, p.d8, p.e8) for p in points]
    begun = [i for i, s in enumerate(shares) if max(s) > 0.005]
    open_ = [i for i, s in enumerate(shares) if min(s) < 0.995]
    low = max(0, (begun[0] if begun else 0) - 2)
    high = min(len(points) - 1, (open_[-1] if open_ else len(points) - 1) + 2)
    if high <= low:
        low, high = 0, len(points) - 1
    grid = [float(p.multiplier) for p in points]
    needs = sorted(t.least for t in found.tensors if t.least is not None)
    first, last = grid[low], grid[high]
    rules = [(found.source.multiplier, f"set: {found.source.multiplier:g}", "gamma")]
    if found.least is not None:
        rules.append((found.least, f"least: {up(found.least, 4)}", "least"))
    plot = Plot(title, "", "multiplier of the margin", "share", top=TOP + RULE_LINE * len(rules) + 4)
    x, y = Scale(first, last, plot.left, plot.right), _shares(plot)
    for i, code in enumerate(CODES):
        plot.lines.append(Line(_path([(x(grid[k]), y(shares[k][i + 1])) for k in range(low, high + 1)]), code))
    # how many matrices admit rises at each one's own least multiplier, which is known exactly and not only on the grid
    steps = [(x(first), y(sum(m <= first for m in needs) / len(found.tensors)))]
    for i, m in enumerate(needs):
        if first < m <= last:
            steps += [(x(m), y(i / len(found.tensors))), (x(m), y((i + 1) / len(found.tensors)))]
    plot.lines.append(Line(_path([*steps, (x(last), steps[-1][1])]), "all"))
    _multiplier_ticks(plot, x)
    _rules(plot, x, rules)
    if found.least is None:
        plot.note = f"No multiplier admits every matrix: {found.binding} has a level that never admits."
    else:
        plot.note = f"Every matrix admits from {up(found.least, 4)} on; {found.binding} needs that much."
        if not first <= found.least <= last:
            plot.note += " That is outside the grid."
    plot.alt = f"Lines: share of tiles admitted by the energy gate and share of matrices that admit, for multipliers from {first:g} to {last:g}. {plot.note}"
    plot.legend = [*((code, "line", f"tiles, {CODE_NAMES[code]}") for code in CODES), ("all", "line", "matrices that admit (E8)")]
    plot.table_head = ["multiplier", "matrices that admit", *(CODE_NAMES[c] for c in CODES)]
    plot.table = [
        [points[k].multiplier, f"{points[k].tensors_admitted} of {len(found.tensors)}", *(share(v, 2) for v in shares[k][1:])] for k in range(low, high + 1)
    ]
    return plot


def _calibrated(tensors: Sequence[Tensor], family: str, of: str, code: str = "e8") -> list[Conformal]:
    return [c for t in tensors for c in getattr(t, family).conformal if (c.of, c.code) == (of, code)]


@dataclass(frozen=True)
class Drawn:
    """Held-out scores above a threshold that was drawn: how many, and from least to most in 95 percent of draws."""

    count: int
    of: int
    least: int
    most: int

    @property
    def share(self) -> float:
        return self.count / self.of

    @property
    def low(self) -> float:
        return self.least / self.of

    @property
    def high(self) -> float:
        return self.most / self.of


def coverage(tensors: Sequence[Tensor], family: str, of: str, title: str) -> Plot | None:
    """Stated level against the rate of held-out scores above the threshold, with the range that draws of both halves give.

    The threshold was drawn as well: an interval around the measured share alone would be one about that threshold (`gnosis.risk.held_out`).

    Rows of different matrices are different rows, so their counts are added.  Positions are the same ones for every matrix, so
    nothing is added: the matrix in the middle stands for them, with its own range.
    Promises: tested `tests/test_html_plots.py::test_coverage_ranges_are_those_of_both_draws`.
    """
    found = _calibrated(tensors, family, of)
    rates: dict[str, list[tuple[int, int]]] = {}
    groups: dict[str, list[tuple[int, int, int]]] = {}
    for c in found:
        for part in c.coverage:
            rates.setdefault(part.q, []).append((part.exceed, c.held_out))
            groups.setdefault(part.q, []).append((c.calibration, part.rank, c.held_out))
    if not rates:
        return None
    added = of == "row"
    rows: list[tuple[str, float, Drawn, list[tuple[int, int]]]] = []
    for q in sorted(rates, key=Fraction):
        counts = sorted(rates[q], key=lambda pair: Fraction(*pair))
        count, held_out = (sum(c for c, _ in counts), sum(n for _, n in counts)) if added else counts[(len(counts) - 1) // 2]
        least, most = expected(groups[q] if added else groups[q][:1])
        rows.append((q, float(1 - Fraction(q)), Drawn(count, held_out, least, most), counts))
    low, high = min(row[1] for row in rows) / 4, 1.0
    below, above = sum(r.count < r.least for _, _, r, _ in rows), sum(r.count > r.most for _, _, r, _ in rows)
    who = "all matrices" if added else "the middle matrix"
    plot = Plot(
        title,
        "",
        "stated: at most 1 − q",
        "measured rate above it",
        note=f"{len(rows) - below - above} of {len(rows)} counts lie within their range, {below} below it, {above} above. "
        f"Dot: {who}. Bar: where 95 % of draws of calibration and held-out scores together put it (beta-binomial). Pale dots: single matrices.",
    )
    x, y = Scale(low, high, plot.left, plot.right, log=True), Scale(low, high, plot.bottom, plot.top, log=True)
    plot.x_ticks = [(x(v), f"{100 * v:g}%") for v in LOG_TICKS if low < v <= high]
    plot.y_ticks = [(y(low), "0%"), *((y(v), f"{100 * v:g}%") for v in LOG_TICKS if low * 2.5 < v <= high)]
    plot.lines.append(Line(_path([(x(low), y(low)), (x(high), y(high))]), "ideal"))
    pale: set[tuple[float, float]] = set()
    for q, stated, r, counts in rows:
        pale |= {(x(stated), y(c / n)) for c, n in counts if len(counts) > 1}
        plot.whiskers.append((x(stated), y(r.low), y(r.high)))
        plot.marks.append(Mark(x(stated), y(r.share), "e8", f"q = {q}: {r.count:,} of {r.of:,}, {share(r.share, 2)}; expected {r.least:,} to {r.most:,}"))
    plot.marks = [*(Mark(px, py, "pale") for px, py in sorted(pale)), *plot.marks]
    plot.alt = (
        "Dots with expected ranges beside a diagonal, where measured and stated rate are the same: "
        + "; ".join(f"stated {share(stated)}, measured {share(r.share)}" for _, stated, r, _ in rows)
        + "."
    )
    plot.legend = [("e8", "dot", f"{who}, E8"), ("pale", "dot", "single matrices"), ("ideal", "line", "measured = stated")]
    plot.table_head = ["q", "stated", "measured", "95 % of draws", "count"]
    plot.table = [[q, share(stated, 1), share(r.share, 2), f"{r.least:,} to {r.most:,}", f"{r.count:,} of {r.of:,}"] for q, stated, r, _ in rows]
    return plot


def needed(levels: Sequence[Level]) -> float | None:
    """The largest least multiplier of some levels; None when one of them never admits.

    Promises: tested `tests/test_html_plots.py::test_a_least_multiplier_is_shown_rounded_up`.
    """
    every = [found.least_multiplier for found in levels]
    return None if None in every else max(m for m in every if m is not None)


def residuals(tensors: Sequence[Tensor], family: str, of: str, multiplier: float, title: str) -> Plot | None:
    """How the scores are spread, in multiples of half the unit: the multiplier that each of them needs.  Lines: thresholds and γ."""
    found = {code: _calibrated(tensors, family, of, code) for code in ("cubic", "e8")}
    if not found["e8"]:
        return None
    bins = {code: [sum(c.histogram[i] for c in every) for i in range(BINS)] for code, every in found.items() if every}
    levels = [[c.levels[i] for c in found["e8"]] for i in range(len(found["e8"][0].levels))]
    shown = levels if len(levels) <= MOST_RULES else [levels[0], levels[-1]]
    rules: list[tuple[float, str, str]] = []
    for own in shown:
        most = needed(own)
        if most is not None:
            rules.append((most, f"threshold, q = {own[0].q}: {up(most)}", "threshold"))
    rules.append((multiplier, f"γ: {multiplier:g}", "gamma"))
    end = float(BINS * BIN)
    used = [i for counts in bins.values() for i, c in enumerate(counts) if c]
    low = max(0.0, min(float(min(used) * BIN), *(r[0] for r in rules)) - 0.1)
    high = min(end, max(float((max(used) + 1) * BIN), *(r[0] for r in rules)) + 0.1)
    plot = Plot(title, "", "2 · score / unit: the multiplier that a score needs", "share of scores", top=TOP + RULE_LINE * len(rules) + 4)
    total = {code: sum(counts) for code, counts in bins.items()}
    peak = max(c / total[code] for code, counts in bins.items() for c in counts)
    x, y = Scale(low, high, plot.left, plot.right), Scale(0, peak * 1.04, plot.bottom, plot.top)
    digits = 0 if peak > 0.05 else 1
    plot.y_ticks = [(y(v), f"{v:.{digits}%}") for v in ticks(0, peak * 1.04, 4)]
    edges = [float(i * BIN) for i in range(BINS + 1)]
    inside = [i for i in range(BINS) if edges[i + 1] > low and edges[i] < high]
    for code, counts in bins.items():
        outline = [(x(low), plot.bottom)]
        for i in inside:
            outline += [(x(edges[i]), y(counts[i] / total[code])), (x(edges[i + 1]), y(counts[i] / total[code]))]
        plot.areas.append(Line(_path([*outline, (x(high), plot.bottom)]), code))
    _multiplier_ticks(plot, x)
    _rules(plot, x, rules)
    said = "; ".join(f"q = {own[0].q}: " + ("a level that never admits" if (most := needed(own)) is None else up(most)) for own in shown)
    over = sum(c.above_half for c in found["e8"])
    held = sum(c.held_out for c in found["e8"])
    plot.note = f"{over:,} of {held:,} held-out E8 scores lie above γ. Each threshold is that of the matrix that needs most."
    if any(counts[-1] for counts in bins.values()):
        plot.note += f" The last bin holds all from {end - float(BIN):g} on."
    plot.alt = f"Histogram of the scores of the cubic and the E8 code. Largest threshold by level: {said}; γ at {multiplier:g}. {plot.note}"
    plot.legend = [(code, "square", CODE_NAMES[code]) for code in bins]
    plot.table_head = ["from", "to", *(CODE_NAMES[c] for c in bins)]
    plot.table = [
        [f"{edges[i]:.2f}", f"{edges[i + 1]:.2f}" if i < BINS - 1 else "–", *(f"{counts[i]:,}" for counts in bins.values())]
        for i in inside
        if any(counts[i] for counts in bins.values())
    ]
    return plot
