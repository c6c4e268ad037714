"""The plots of the HTML report: what is drawn is what the JSON says."""

from __future__ import annotations

import pytest
from html_support import HOSTILE, TAME, Page, every_plot, inside_box, made, points, renamed, shown_as
from hypothesis import given
from hypothesis import strategies as st

from gnosis.models.files import open_model
from gnosis.probe import frontier, html, plots, run
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings
from gnosis.risk.held_out import expected


@pytest.fixture(scope="module")
def real() -> Report:
    """Part of a real transformer, with real activations."""
    some = ["embeddings.word*", "*layer.[01].*query.weight", "*layer.1.output.dense.weight"]
    return run.probe(open_model("minilm"), Settings(rows=64, positions=32, q_values=["0.5", "0.9"], tensors=some))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> tuple[Report, Report]:
    """The same report under hostile and under tame names; the file's name is hostile as well."""
    tame = made(tmp_path_factory.mktemp("tame"), TAME, gamma_multiplier=0.5)
    names = dict(zip(TAME, HOSTILE)) | {tame.model.name: "<img src=x onerror=alert(1)>\u202e", tame.model.files[0].file: "<img src=y onerror=alert(2)>"}
    return renamed(tame, names), tame


# ---- plots ----


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


def test_coverage_ranges_are_those_of_both_draws(real):
    plot = plots.coverage(real.tensors, "lattice", "row", "")
    assert plot is not None
    counts: dict[str, list[int]] = {}
    groups: dict[str, list[tuple[int, int, int]]] = {}
    for t in real.tensors:
        c = next(c for c in t.lattice.conformal if (c.of, c.code) == ("row", "e8"))
        for part in c.coverage:
            own = counts.setdefault(part.q, [0, 0])
            own[0], own[1] = own[0] + part.exceed, own[1] + c.held_out
            groups.setdefault(part.q, []).append((c.calibration, part.rank, c.held_out))
    assert len(plot.table) == len(counts)
    for q, _, _, shown, count in plot.table:
        low, high = expected(groups[q])
        assert count == f"{counts[q][0]:,} of {counts[q][1]:,}" and shown == f"{low:,} to {high:,}"
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


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 3))
def test_a_share_is_called_none_or_all_only_where_it_is(count, of, digits):
    value = min(count, of) / of
    shown = plots.share(value, digits)
    assert (shown == "0%") == (value == 0) and (shown == "100%") == (value == 1)
    if shown[0] == "<":
        assert 0 < value <= 10.0 ** -(digits + 2)
    elif shown[0] == ">":
        assert 1 - 10.0 ** -(digits + 2) <= value < 1
    else:
        assert float(shown[:-1]) == pytest.approx(100 * value, abs=0.5000001 * 10**-digits)


@given(st.floats(0, 1e6), st.integers(0, 6))
def test_a_least_multiplier_is_shown_rounded_up(value, digits):
    assert shown_as(plots.up(value, digits), value, up=True) and plots.up(None) == "–"


@given(st.floats(0, 1e3), st.floats(1e-3, 1e6))
def test_ticks_are_few_and_inside(low, width):
    found = plots.ticks(low, low + width)
    assert 1 <= len(found) <= 8 and all(low - 1e-6 * width <= v <= low + width * (1 + 1e-6) for v in found) and found == sorted(set(found))
