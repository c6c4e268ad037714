"""The document of `gnosis compare` as one HTML page: all figures, with plots, and nothing from outside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader
from markupsafe import Markup

from ..models.roles import layer
from ..probe import html, plots
from .rounded import high, low, number
from .rounded import percent as _percent

MOST_PASSAGES = 200  # rows of the table of passages
SHADES = 8  # of a heat map
_WITHOUT_LAYER = re.compile(r"^(?:model\.)?(?:layers?|blk|h)\.\d+\.|\.(?:weight|bias)$")
NAMES = {"flips": "changed top token", "tv": "total variation", "sets": "changed sets", "kl": "KL divergence, cut off", "nll": "loss, cut off"}


def percent(x: float | None, places: int = 2, towards: str = ROUND_HALF_EVEN) -> str:
    """With a space that does not break."""
    return _percent(x, places, towards).replace(" ", "\u00a0")


@dataclass(frozen=True)
class Square:
    """A cell of a heat map; shade: 0 to 1."""

    x: float
    y: float
    width: float
    shade: float
    tip: str


@dataclass(frozen=True)
class Heat:
    """A heat map, layer by role.  roles: (y, name); layers: (x, number); rule: what the shades stand for."""

    title: str
    alt: str
    note: str
    width: float
    height: float
    side: float
    squares: list[Square]
    roles: list[tuple[float, str]]
    layers: list[tuple[float, str]]


def role_of(name: str) -> str:
    """A tensor's name without its layer and ending."""
    return _WITHOUT_LAYER.sub("", _WITHOUT_LAYER.sub("", name)).replace("self_attn.", "").replace("mlp.", "")


def heat(entry: dict[str, Any]) -> Heat:
    """Relative errors of the matrices with a layer, those without one in a column of their own."""
    rows = [t for t in entry["weights"]["tensors"] if len(t["shape"]) > 1]
    roles = list(dict.fromkeys(role_of(t["name"]) for t in rows))
    every = sorted({-1 if (at := layer(t["name"])) is None else at for t in rows})
    left, top, line, most = 118.0, 6.0, 24.0, 460.0
    side = min(34.0, (most - left - 4) / max(1, len(every)))
    place = {number_: left + i * side for i, number_ in enumerate(every)}
    largest = max((t["relative_upper"] or 0.0 for t in rows), default=0.0) or 1.0
    squares = []
    for t in rows:
        at, error = layer(t["name"]), t["relative_upper"]
        shade = 1.0 if error is None else round(0.06 + 0.94 * error / largest, 3)
        squares.append(
            Square(
                round(place[-1 if at is None else at], 2),
                top + roles.index(role_of(t["name"])) * line,
                round(side * 0.94, 2),
                shade,
                f"{t['name']}, {t['code']}: {percent(error, 2, ROUND_CEILING)}",
            )
        )
    shown = plots.thinned([str(n) for n in every])
    return Heat(
        f"Relative error, layer by role: {Path(entry['name']).name}",
        f"Squares: the relative error of each matrix, the darker the larger; {percent(largest, 2, ROUND_CEILING)} at most.",
        f"Full colour: {percent(largest, 2, ROUND_CEILING)}, the largest. Each square says its figure; column –: matrices outside the layers.",
        most,
        top + line * len(roles) + 26,
        line - 2,
        squares,
        [(top + i * line + 15, name if len(name) < 16 else name[:15] + "…") for i, name in enumerate(roles)],
        [(round(place[every[i]] + side / 2, 2), "–" if every[i] < 0 else str(every[i])) for i in shown],
    )


def kl_histogram(candidate: dict[str, Any]) -> plots.Plot:
    """Positions by decades of KL divergence."""
    found = candidate["histograms"]["kl"]
    counts, starts = found["positions"], found["log10_from"]
    total, kl = sum(counts), candidate["figures"]["kl"]
    plot = plots.Plot(
        f"KL divergence by position: {Path(candidate['name']).name}", "", "KL divergence in nats, logarithmic", "share of positions", top=plots.TOP + 2
    )
    x = plots.Scale(starts[0], starts[-1] + 0.5, plot.left, plot.right)
    y = plots.Scale(0, max(counts) / total * 1.05, plot.bottom, plot.top)
    for start, count in zip(starts, counts):
        at, above = x(start), y(count / total)
        plot.bars.append(
            plots.Bar(
                at,
                above,
                round(x(start + 0.5) - at - 0.8, 2),
                round(plot.bottom - above, 2),
                "e8",
                f"from 10^{start:g} to 10^{start + 0.5:g}: {count:,} positions",
            )
        )
    plot.x_ticks = [(x(k), f"1e{k}" if k else "1") for k in range(-8, 2, 2)]
    plot.y_ticks = [(y(v), f"{v:.0%}" if y.high > 0.05 else f"{v:.1%}") for v in plots.ticks(0, y.high, 4)]
    said = f"mean {number(kl['mean'])}, median {number(kl['median'])}, 99 % {number(kl['99%'])}, largest {number(kl['largest'])}"
    plot.note, plot.alt = f"{total:,} positions: {said}. What lies outside counts in the first or last bar.", f"Bars: positions by KL divergence: {said}."
    plot.legend = [("e8", "square", "positions")]
    plot.table_head = ["from", "to", "positions"]
    plot.table = [[f"10^{start:g}", f"10^{start + 0.5:g}", f"{count:,}"] for start, count in zip(starts, counts)]
    return plot


def margins(candidate: dict[str, Any]) -> plots.Plot:
    """Share of positions with a changed token, by the candidate's margin."""
    found = candidate["histograms"]["margins"]
    starts, every, changed = found["from"], found["positions"], found["changed"]
    names = [f"{a:g}–{b:g}" for a, b in zip(starts, starts[1:])] + [f"≥ {starts[-1]:g}"]
    shares = [c / n if n else 0.0 for c, n in zip(changed, every)]
    plot = plots.Plot(f"Changed tokens by margin: {Path(candidate['name']).name}", "", "lead of the quantized model's first token, in logits", "changed")
    y = plots.Scale(0, max(max(shares) * 1.05, 0.01), plot.bottom, plot.top)
    room = (plot.right - plot.left) / len(names)
    for i, (name, value) in enumerate(zip(names, shares)):
        at = y(value)
        plot.bars.append(
            plots.Bar(
                round(plot.left + i * room + 2, 2),
                at,
                round(room - 4, 2),
                round(plot.bottom - at, 2),
                "d8",
                f"margin {name}: {changed[i]:,} of {every[i]:,} positions changed",
            )
        )
    plot.x_ticks = [(round(plot.left + i * room, 2), f"{start:g}") for i, start in enumerate(starts) if i != 1]
    plot.y_ticks = [(y(v), f"{v:.0%}" if y.high > 0.05 else f"{v:.1%}") for v in plots.ticks(0, y.high, 4)]
    threshold = candidate["unchanged_above"]
    plot.note = f"{sum(changed):,} of {sum(every):,} positions changed."
    if threshold is not None and threshold["threshold"] is not None:
        plot.note += f" A margin above {high(threshold['threshold'], 4)} means an unchanged token in all of a passage, but for {percent(1 - threshold['level'], 1)} of passages."
    plot.alt = "Bars: share of positions whose top token changed, by the lead of the quantized model's first token. " + plot.note
    plot.legend = [("d8", "square", "share of positions with another top token")]
    plot.table_head = ["margin", "positions", "changed", "share"]
    plot.table = [[name, f"{n:,}", f"{c:,}", plots.share(c / n if n else None)] for name, n, c in zip(names, every, changed)]
    return plot


def intervals(candidate: dict[str, Any], name: str) -> plots.Plot | None:
    """Both ends of an interval after every drawn passage; None where none was drawn."""
    history = candidate["history"][name]
    if not history:
        return None
    required = [r for r in candidate["requirements"] if r["figure"] == name]
    plot = plots.Plot(
        f"{NAMES[name][0].upper()}{NAMES[name][1:]}, passage by passage: {Path(candidate['name']).name}", "", "passages drawn", NAMES[name], top=plots.TOP + 4
    )
    n = len(history)
    x = plots.Scale(1, max(2, n), plot.left, plot.right)
    y = plots.Scale(0, max(h["high"] for h in history[min(n - 1, n // 8) :]) * 1.02, plot.bottom, plot.top)
    path = [(x(i + 1), y(h["high"])) for i, h in enumerate(history)] + [(x(i + 1), y(history[i]["low"])) for i in range(n - 1, -1, -1)]
    plot.areas = [plots.Line(" ".join(f"{a:g},{b:g}" for a, b in path), "e8")]
    for r in required:
        plot.lines.append(plots.Line(f"{plot.left:g},{y(r['most']):g} {plot.right:g},{y(r['most']):g}", "d8"))
    plot.x_ticks = [(x(v), f"{v:g}") for v in plots.ticks(1, max(2, n)) if v == int(v)]
    plot.y_ticks = [(y(v), f"{v:g}") for v in plots.ticks(0, y.high, 5)]
    last = history[-1]
    plot.note = f"After {n} passages: {low(last['low'])} to {high(last['high'])}." + "".join(f" {r['text'].strip()}: {r['state']}." for r in required)
    plot.alt = f"Area between both ends of the interval after every passage. {plot.note}"
    plot.legend = [("e8", "square", "interval that holds at all times"), *([("d8", "line", "required")] if required else [])]
    plot.table_head = ["passages", "from", "to"]
    plot.table = [[str(i + 1), low(h["low"]), high(h["high"])] for i, h in enumerate(history)]
    return plot


# ---- tables ------------------------------------------------------------------------------------------------------------


def _cell(value: Any, shown: str | None = None) -> html.Cell:
    if value is None:
        return html.Cell("–", "")
    return html.word(str(value)) if shown is None else html.figure(value, shown)


def _sheet(id_: str, caption: str, note: str, columns: list[tuple[str, str, bool]], rows: list[list[html.Cell]]) -> html.Sheet:
    groups: list[tuple[str, int]] = []
    for group, _, _ in columns:
        groups = [*groups[:-1], (group, groups[-1][1] + 1)] if groups and groups[-1][0] == group else [*groups, (group, 1)]
    return html.Sheet(id_, caption, note, groups, [html.Column(group, title, lambda _: html.Cell("", ""), numeric) for group, title, numeric in columns], rows)


def weights(entry: dict[str, Any], id_: str) -> html.Sheet:
    """Every tensor of a candidate."""
    rows = []
    for t in entry["weights"]["tensors"]:
        worst = t["worst_rows"][0] if t["worst_rows"] else None
        rows.append(
            [
                html.word(t["name"]),
                html.word(t["original_code"]),
                html.word(t["code"]),
                _cell(t["bits_per_weight"], f"{t['bits_per_weight']:.2f}"),
                _cell(t["relative_upper"], percent(t["relative_upper"], 2, ROUND_CEILING)),
                _cell(t["energy"], number(t["energy"])),
                _cell(t["energy_upper"], high(t["energy_upper"], 4)),
                _cell(worst and worst["row"], str(worst and worst["row"])),
                _cell(worst and worst["relative_upper"], percent(worst and worst["relative_upper"], 2, ROUND_CEILING)),
            ]
        )
    columns = [("Tensor", "name", False), ("Code", "original", False), ("Code", "here", False), ("Code", "bits", True), ("Relative", "error ≤", True)]
    columns += [
        ("Energy of the difference", "measured", True),
        ("Energy of the difference", "≤", True),
        ("Worst row", "row", True),
        ("Worst row", "error ≤", True),
    ]
    name, bits = Path(entry["name"]).name, entry["weights"]["bits_per_weight"]
    left = "".join(f" Left out: {x['name']}: {x['reason']}." for x in entry["weights"]["left_out"])
    return _sheet(id_, f"Weights of {name}: {len(rows)} tensors, {bits:.2f} bits a weight", "Bounds are rounded upwards." + left, columns, rows)


def gates(entry: dict[str, Any], id_: str) -> html.Sheet | None:
    """Every matrix whose activations were recorded; None where there is none."""
    found = [t for t in entry["weights"]["tensors"] if t.get("gates")]
    if not found:
        return None
    columns = [("Tensor", "name", False)]
    for name in ("By row", "By blocks of 32", "Sup-norm"):
        columns += [(name, "least margin", True), (name, "99 %", True), (name, "admitted", True), (name, "bound / truth", True)]
    columns += [("Margin", "needed, 99 %", True), ("Margin", "asked", True)]
    rows = []
    for t in found:
        g, row = t["gates"], [html.word(t["name"])]
        for form in ("row", "tile", "sup"):
            f = g[form]
            row += [_cell(f[key], high(f[key], 4)) for key in ("least_all", "least_share")]
            row += [_cell(f["admitted_pairs"], plots.share(f["admitted_pairs"])), _cell(f["vacuity"], number(f["vacuity"], 3))]
        rows.append([*row, _cell(g["measured"]["share"], number(g["measured"]["share"])), _cell(g["margin"], low(g["margin"], 4))])
    asked = "; ".join(dict.fromkeys(t["gates"]["margin_is"] for t in found))
    return _sheet(
        id_,
        f"Gates of {Path(entry['name']).name} at its own activations, {found[0]['gates']['activations']} positions",
        "Least margin: every row is certified for all, or 99 %, of the activations. Admitted: pairs of a row and an activation at the margin asked, which is: "
        + asked
        + ".",
        columns,
        rows,
    )


def outputs(o: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Tables of outputs: (caption, headings, rows)."""
    figures, ends = [], []
    for c in o["candidates"]:
        f, name = c["figures"], Path(c["name"]).name
        p = f["perplexity"]
        figures.append(
            [
                name,
                percent(f["flips"]["same_top"]),
                *(number(f["kl"][k]) for k in ("mean", "median", "99%", "largest")),
                number(f["tv"]["mean"]),
                percent(1 - f["sets"]["share"]),
                number(p["original"], 5),
                number(p["quantized"], 5),
                number(f["nll"]["mean"]),
                percent(f["delta_p"]["mean"]),
                percent(f["delta_p"]["rms"]),
            ]
        )
        ends += [[name, NAMES[key], low(i["low"], 4), high(i["high"], 4)] for key, i in c["intervals"].items()]
    head = ["candidate", "same top token", "KL mean", "median", "99 %", "largest", "total variation", f"same top {o['top']}", "perplexity, original", "here"]
    head += ["loss", "Δp mean", "Δp RMS"]
    found = [
        (f"Figures at {o['positions_read']:,} positions of {o['passages_read']:,} passages", head, figures),
        (f"Intervals that hold together and at all times at {o['confidence']}, after {o['draws']} draws", ["candidate", "figure", "from", "to"], ends),
    ]
    asked = [
        [
            Path(c["name"]).name,
            r["text"].strip(),
            r["state"],
            f"{low(r['low'], 4)} to {high(r['high'], 4)}",
            f"{r['draws']:,}",
            f"{r['positions']:,}",
            "–" if r["positions_of_a_fixed_size_test"] is None else f"{r['positions_of_a_fixed_size_test']:,}",
        ]
        for c in o["candidates"]
        for r in c["requirements"]
    ]
    if asked:
        found.append(("Requirements", ["candidate", "required", "state", "interval", "passages", "positions", "fixed-size test"], asked))
    pairs = [
        [
            " and ".join(Path(o["candidates"][i]["name"]).name for i in p["candidates"]),
            "open" if p["nearer"] is None else Path(p["nearer"]).name,
            f"{low(p['low'], 4)} to {high(p['high'], 4)}",
        ]
        for p in o["pairs"]
    ]
    if pairs:
        found.append(("Which candidate is nearer to the original", ["pair", "nearer", "difference of total variation"], pairs))
    return found


def passages(o: dict[str, Any]) -> tuple[str, list[str], list[list[str]]]:
    """The passages that were read, the first of them where there are many."""
    rows = [
        [
            f"{p['document']}, token {p['at']}",
            f"{p['positions']}",
            f"{p['drawn']}",
            *(x for c in p["candidates"] for x in (f"{c['flips']}", number(c["tv"], 3), number(c["kl"], 3))),
        ]
        for p in o["by_passage"][:MOST_PASSAGES]
    ]
    names = [Path(c["name"]).name for c in o["candidates"]]
    more = len(o["by_passage"]) - len(rows)
    return (
        "Passages" + (f", the first {len(rows)}; --json has {more} more" if more else ""),
        ["passage", "positions", "drawn", *(f"{name}: {what}" for name in names for what in ("changed", "total variation", "KL"))],
        rows,
    )


def context(document: dict[str, Any]) -> dict[str, Any]:
    """What the template shows."""
    o = document["outputs"]
    entries = document["candidates"]
    weighed = [entry for entry in entries if "weights" in entry]
    states = [(c, [r["state"] for r in c["requirements"]]) for c in o["candidates"]] if o else []
    cards = []
    for i, entry in enumerate(entries):
        own = states[i][1] if states else []
        cards.append(
            {
                "name": Path(entry["name"]).name,
                "state": "" if not own else "refuted" if "refuted" in own else "open" if "open" in own else "proved",
                "bits": f"{entry['weights']['bits_per_weight']:.2f}" if "weights" in entry else "–",
                "figures": o["candidates"][i]["figures"] if o else None,
                "flips": o["candidates"][i]["intervals"]["flips"] if o else None,
            }
        )
    return {
        "document": document,
        "o": o,
        "cards": cards,
        "heats": [heat(entry) for entry in weighed],
        "curves": [p for c in (o["candidates"] if o else []) for name in ("flips", "tv", "kl") if (p := intervals(c, name)) is not None],
        "bars": [p for c in (o["candidates"] if o else []) for p in (margins(c), kl_histogram(c))],
        "tables": outputs(o) if o else [],
        "passages": passages(o) if o else None,
        "sheets": [s for i, entry in enumerate(weighed) for s in (weights(entry, f"weights{i or ''}"), gates(entry, f"gates{i or ''}")) if s is not None],
        "low": low,
        "high": high,
        "figure": number,
        "percent": percent,
    }


def render(document: dict[str, Any]) -> str:
    """The document as an HTML page."""
    env = html.environment()
    shared = env.loader
    assert shared is not None
    env.loader = ChoiceLoader([PackageLoader("gnosis.cli", "templates"), shared])
    style, script = (shared.get_source(env, name)[0] for name in ("report.css", "report.js"))
    style += env.loader.get_source(env, "compare.css")[0]
    return env.get_template("compare.html").render(context(document), style=Markup(style), script=Markup(script), policy=Markup(html.policy(style, script)))
