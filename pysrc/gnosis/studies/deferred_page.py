"""docs/generate.md: a comparison as a page, with plots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..files import pages
from ..numbers.bounds import shown_up
from ..risk.held_out import expected


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _asked(row: dict[str, Any]) -> str:
    """A threshold and its measurement as a sentence."""
    found, needed = row["measured"], row["needed"]
    if "bytes" in row["threshold"]:
        return (
            "It reads no finer weights."
            if found is None
            else f"It reads one {found:.1f}th of the finer model's bytes a token; at most one {needed:.0f}th was asked for."
        )
    what = "The sequence ratio" if "ratio" in row["threshold"] else "The share of the coarse model's speed"
    return f"{what} is {found:.2f}; at least {needed:.2f} was asked for."


def markdown(document: dict[str, Any], plot: str) -> str:
    """The page of a document of `gnosis generate --compare`; plot: path of the picture, as seen from the page."""
    d = document
    lines = [
        "# Deferred refinement in windows",
        "",
        "The mode for a finer model that does not fit into memory and is read from the disk.  Where both codes fit, drafts on the engine are faster",
        "([deferred.md](deferred.md)).",
        "",
        f"Written by `{d['command']}`; every number is from that run.",
        "",
        f"A coarse code writes ({d['files'][0]}), a finer one checks ({d['files'][1]}).  {d['prompts']} prompts, at most {d['most']} tokens each.",
        "",
        "- same text: answers that are, token for token, those of the finer model alone.  sequence ratio: of Python's `difflib`.",
        "- agreement: tokens that the finer model would have written after the same beginning.",
        "- judge: mean log-probability of a token, in nats, by the model with decoded float32 weights.",
        "- MB/token: bytes of the finer weights that products went through; disk: those that the system had to fetch meanwhile.",
        "",
        f"![quality against bytes, and windows]({plot})",
        "",
        "| configuration | tokens/s | same text | sequence ratio | agreement | judge | MB/token | disk MB/token | check, median and p90 | rollbacks/token | deferred | drafted/token |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for r in d["rows"]:
        check = "–" if r["check_ms_median"] is None else f"{r['check_ms_median']:.0f}, {r['check_ms_p90']:.0f} ms"
        lines.append(
            f"| {r['name']} | {r['tokens_per_s']:.1f} | {r['equal']} of {r['prompts']} | {r['sequence_ratio']:.3f} | {_share(r['agreement'])} | {r['judge']:.4f} | "
            f"{r['bytes_per_token'] / 1e6:.1f} | {r['disk_bytes_per_token'] / 1e6:.1f} | {check} | {r['rollbacks_per_token']:.3f} | {_share(r['deferral_rate'])} | {r['drafted_per_token']:.2f} |"
        )
    alone, checked = d["rows"][1]["tokens_per_s"], [r["tokens_per_s"] for r in d["rows"] if r["policy"] and r["policy"]["tau"] is None]
    if checked:
        lines += [
            "",
            f"Checking every token takes {alone / max(checked):.1f} to {alone / min(checked):.1f} times as long as the finer model alone, where all of it is in memory.",
        ]
    floor, area = d["noise_floor"], d["auroc"]
    lines += [
        "",
        "## Does a model reproduce itself?",
        "",
        f"Tokens written one by one, against one pass over the same text: with one fixed order of operations {floor['ordered']['flips']} of {floor['ordered']['places']} differ, "
        f"with BLAS {floor['blas']['flips']} of {floor['blas']['places']}.",
        "",
        f"Along the finer model's text the coarse one differs at {_share(d['disagreement'])} of the places.  Its margin as a sign of that: AUROC "
        + ("–" if area is None else f"{area:.3f}")
        + ".",
        "",
        "## Thresholds that were set beforehand",
        "",
        "| configuration | what was asked for, and what it is | met |",
        "|---|---|---|",
    ]
    lines += [f"| {r['name']} | {_asked(r)} | {'yes' if r['met'] else '**no**'} |" for r in d["registered"]]
    c = d.get("calibration")
    if c is not None:
        held = c["held_out"]
        most = expected([(c["calibrated"], c["rank"], held["prompts"])])[1]
        lines += [
            "",
            "## τ for a stated rate",
            "",
            "A prompt is the unit; its score is the largest coarse margin at which the models differ along the finer model's text, −∞ where they do not.  With τ above it the text is",
            f"the finer model's.  At level {c['level']} the {c['rank']}-th of {c['calibrated']} scores gives τ = {c['tau']:.4g}, which defers {_share(c['deferred'])} of the places: with probability at most",
            f"{shown_up(c['stated'], 3)} a new prompt's text is another within its first {d['most']} tokens (`Gnosis.deferred_lie_rate`, for exchangeable prompts and answers no longer than the calibrated ones).  On {held['prompts']} prompts that were held out it was another",
            f"{held['differ']} times; when τ and these prompts are both drawn, more than {most} come out in 2.5 percent of draws at most (beta-binomial), and the rate of this τ alone has the 95 percent interval {held['interval95'][0]:.3f} to {held['interval95'][1]:.3f}.  Over all {c['calibrated'] + held['prompts']} prompts the AUROC of the margin is "
            + ("–" if c["auroc"] is None else f"{c['auroc']:.3f}")
            + ".",
        ]
    return "\n".join(lines) + "\n"


def draw(document: dict[str, Any], path: Path) -> None:
    """Judge against bytes a token; and bytes and checks a token against the window.  ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    rows = document["rows"]
    plain = [r for r in rows if r["policy"] is None or not (r["policy"]["overlap"] or r["policy"]["again"])]
    windows = sorted((r for r in plain if r["policy"] and r["policy"]["mode"] == "verify-all"), key=lambda r: r["policy"]["window"])
    with matplotlib.rc_context({"svg.hashsalt": "gnosis", "svg.fonttype": "none"}):
        figure = Figure(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for r in plain:
            left.plot(r["bytes_per_token"] / 1e6, r["judge"], "o", color="#4477aa" if r["policy"] else "#aa3377")
            left.annotate(r["name"], (r["bytes_per_token"] / 1e6, r["judge"]), fontsize=7, xytext=(4, 3), textcoords="offset points")
        left.set_xlabel("finer weights read, MB a token")
        left.set_ylabel("judge, nats a token")
        left.margins(x=0.2, y=0.1)
        xs = [r["policy"]["window"] for r in windows]
        right.plot(xs, [r["bytes_per_token"] / 1e6 for r in windows], "o-", color="#4477aa", label="measured")
        if windows:
            first = windows[0]
            right.plot(xs, [first["bytes_per_token"] / 1e6 * first["policy"]["window"] / x for x in xs], "--", color="#999999", label="if it fell as 1/W")
        right.set_xscale("log", base=2)
        right.set_xlabel("window W, tokens")
        right.set_ylabel("finer weights read, MB a token")
        right.set_ylim(bottom=0)
        right.legend(frameon=False)
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
        pages.save_plot(figure, path)


def write(document: dict[str, Any], page: Path) -> list[Path]:
    """The page, and next to it the plot and the numbers, with the endings .svg and .json.  Returns what was written."""
    return pages.write_one(document, page, markdown, draw)
