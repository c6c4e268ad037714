"""docs/performance.md: the last measurement as a page, with a plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..files import pages


@dataclass(frozen=True)
class Target:
    """What a comparison must reach.  peer: the beginning of its name, "" for every one; value: what of a row is compared with least or most."""

    work: str
    peer: str
    says: str
    value: Callable[[dict[str, Any]], float]
    least: float | None = None
    most: float | None = None

    def met(self, row: dict[str, Any]) -> bool:
        value = self.value(row)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def of(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [row for row in rows if row["work"] == self.work and row["peer"].startswith(self.peer)]


def ratio(row: dict[str, Any]) -> float:
    return row["ratio"]


def seconds(row: dict[str, Any]) -> float:
    return row["median_s"]


def share(row: dict[str, Any]) -> float:
    return row["share_of_read"]


NOISY = "baseline noisy"


def share_text(value: float) -> str:
    """A share of the read rate.  Nothing that has to read its data is faster than reading: above 1 the time of plain reading is off."""
    return f"{value:.0%}" if value <= 1 else f"{value:.0%} ({NOISY})"


def busy_text(others: float) -> str:
    return f"busy machine: {others:.1f} processors at other work"


TARGETS = (
    *(
        Target(f"{work}{many}", "llama.cpp", "at least 1.5 times as fast", ratio, least=1.5)
        for work in ("decode q8_0", "decode q4_0", "decode f16", "prompt 256 q8_0", "prompt 256 q4_0")
        for many in ("", ", two threads")
    ),
    *(Target(f"decode {code}", "today", "at least 60 percent of the rate of plain reading", share, least=0.6) for code in ("q8_0", "q4_0", "f16")),
    Target("a pass of 8 q8_0", "a pass of one", "at most 1.35 times as long", ratio, least=1 / 1.35),
    Target("q8_0 certified DRAM", "gguf", "at least 12 times as fast", ratio, least=12),
    Target("q8_0 certified DRAM", "gguf", "at least 75 percent of the rate of plain reading", share, least=0.75),
    Target("q8_0 certification overhead", "", "at most 10 percent slower than without certification", ratio, least=1 / 1.1),
    Target("e8 nearest", "numpy", "at least 15 times as fast", ratio, least=15),
    Target("threshold 1e6", "np.sort", "at least 8 times as fast", ratio, least=8),
    Target("threshold 1e6", "", "no slower than any other", ratio, least=1),
    Target("ledger batch", "plain Python", "at least 30 times as fast", ratio, least=30),
    Target("ledger step", "", "below one microsecond", seconds, most=1e-6),
)


# Of a model that is loaded and used once: its weights stand in memory once, and it is ready in a second.
COPIES, READY = 1.6, 1.0


def verdict(rows: list[dict[str, Any]], memory: Sequence[dict[str, Any]] = ()) -> int:
    """0: every target that was measured is met.  1: one is missed.  3: the machine was busy during a measurement that a target needs."""
    if any(one["copies"] > COPIES or one["ready_cpu_s"] > READY for one in memory):
        return 1
    measured = [(target, row) for target in TARGETS for row in target.of(rows)]
    if any(row["busy"] for _, row in measured):
        return 3
    return 0 if all(target.met(row) for target, row in measured) else 1


def time_text(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def _processor(row: dict[str, Any], name: str) -> str:
    """Processor time; runs of earlier versions did not take it."""
    return time_text(row[name]) if name in row else "–"


def _memory(found: list[dict[str, Any]]) -> list[str]:
    """Of runs that took it."""
    if not found:
        return []
    return [
        "",
        "## Memory and start",
        "",
        "SmolLM2 from its mapped file, in a process of its own: opened, packed for the engine, one token read.  Peak: the most that the process had in memory, mapped pages",
        "included, less what it had before (Python and libraries).  Over the weights: 1 is the weights once, 2 would be a second copy; beside them stand the file's words, the",
        "rows of one matrix while it is packed, and room for a pass;",
        f"at most {COPIES} is the target, and at most {time_text(READY)} of processor time until it is ready.",
        "",
        "| code | file | weights | peak | over the weights | ready after | CPU | first token | met |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
        *(
            f"| {one['code']} | {one['file_bytes'] / 1e6:.0f} MB | {one['weights_bytes'] / 1e6:.0f} MB | {(one['peak_bytes'] - one['before_bytes']) / 1e6:.0f} MB "
            f"| {one['copies']:.2f}× | {time_text(one['ready_s'])} | {time_text(one['ready_cpu_s'])} | {time_text(one['first_s'])} "
            f"| {'**no**' if verdict([], [one]) else 'yes'} |"
            for one in found
        ),
    ]


def markdown(document: dict[str, Any], plot: str) -> str:
    """The page of a document of `harness.report`; plot: path of the picture, as seen from the page."""
    about, rows = document["machine"], document["rows"]
    lines = [
        "# Performance",
        "",
        "Written by `gnosis bench --write docs/performance.md`; every number is from that run.",
        "",
        f"{about['cpu']}, {about['threads']} threads, {about['isa']}, last-level cache {about['last_level_cache_bytes'] / 1e6:.0f} MB, load {about['load_before']} before the run.  "
        f"{about['system']}, Python {about['python']}, numpy {about['numpy']}, gguf {about['gguf']}"
        + "".join(f", {name} {version}" for name, version in about["peers"].items())
        + ".",
        "",
        "Both sides of a comparison work on the same data in one run and take turns; before it is timed, their results are checked to agree.",
        f"The weights are the word embedding of all-MiniLM-L6-v2, repeated for the rows called DRAM until codes and originals have {about['q8_0_data_bytes'] / 1e6:.0f} MB.",
        "Ratio: median time of the other side over ours.  GB/s: bytes that the work has to move, over our median time; share of read: this rate over that of",
        f"plain reading of the same data with as many threads; above 100 percent, *{NOISY}*, that reading was disturbed and the share says nothing more.",
        "",
        f"![ratios]({plot})",
        "",
        "## Targets",
        "",
        "| work | against | target | measured | met |",
        "|---|---|---|---:|---|",
    ]
    for target in TARGETS:
        found = target.of(rows)
        for row in found:
            value = target.value(row)
            text = time_text(value) if target.value is seconds else share_text(value) if target.value is share else f"{value:.2f}×"
            met = busy_text(row["others"]) if row.get("busy") else "unclear" if target.value is share and value > 1 else "yes" if target.met(row) else "**no**"
            lines.append(f"| {target.work} | {row['peer']} | {target.says} | {text} | {met} |")
        if not found:
            lines.append(f"| {target.work} | {target.peer} | {target.says} | not measured | **no** |")
    lines += [
        "",
        "## All comparisons",
        "",
        "| work | against | ratio | GB/s | share of read | median | p90 | CPU | its CPU |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['work']} | {row['peer']} | {row['ratio']:.2f}× | {row['gb_per_s']:.1f} | {share_text(row['share_of_read'])} | {time_text(row['median_s'])} | {time_text(row['p90_s'])} | {_processor(row, 'cpu_s')} | {_processor(row, 'peer_cpu_s')} |"
        + (f" {busy_text(row['others'])}" if row.get("busy") else "")
        for row in rows
    ]
    lines += _memory(document.get("memory", []))
    lines += ["", f"Skipped: {len(document['skipped'])}."]
    lines += [f"- {one['work']} against {one['peer']}: {one['reason']}" for one in document["skipped"]]
    return "\n".join(lines) + "\n"


def draw(document: dict[str, Any], path: Path) -> None:
    """The ratios as bars on a logarithmic scale, as SVG.  ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    rows = document["rows"][::-1]
    with matplotlib.rc_context({"svg.hashsalt": "gnosis", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 1 + 0.3 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.barh([f"{row['work']}, against {row['peer']}" for row in rows], [row["ratio"] - 1 for row in rows], left=1, color="#4477aa")
        axes.bar_label(bars, [f" {row['ratio']:.1f}×" for row in rows], fontsize=8)
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_xscale("log")
        axes.set_xlabel("times as fast (logarithmic)")
        axes.tick_params(axis="y", labelsize=8)
        axes.margins(x=0.1, y=0.01)
        axes.spines[["top", "right"]].set_visible(False)
        pages.save_plot(figure, path)


def write(document: dict[str, Any], page: Path) -> list[Path]:
    """The page, and next to it the plot and the numbers, with the endings .svg and .json.  Returns what was written."""
    return pages.write_one(document, page, markdown, draw)
