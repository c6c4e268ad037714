"""The figures of a run of `gnosis head` in a page, between two marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..files import pages
from ..files.pages import PageError

__all__ = ["BEGIN", "END", "PageError", "fill", "markdown"]
BEGIN, END = "<!-- figures: gnosis head -->", "<!-- end of figures -->"


def fill(path: Path, result: dict[str, Any] | None) -> None:
    """Replace what stands between the marks; with None, only look that they are there.  PageError, OSError."""
    pages.fill(path, BEGIN, END, None if result is None else markdown(result))


def markdown(r: dict[str, Any]) -> str:
    """Tables of everything that was measured."""
    model, text, per = r["model"], r["text"], r["per_position"]
    lines = [
        f"Model `{model['name']}` (SHA-256 {model['sha256'][:16]}…), matrix `{model['matrix']}` {r['shape'][0]}×{r['shape'][1]}, {r['isa']}, seed {r['seed']}, "
        f"{text['documents']} documents (SHA-256 {text['sha256'][:16]}…), "
        + ("one pass of the engine." if r["split"] is None else f"nested code, split {r['split']}."),
        "",
        *_table("lllr", "", "target", "measured", "met"),
        _row(
            "positions with the token of the exact product",
            "all of at least 20,000",
            f"{r['equal']:,} of {r['positions']:,}",
            _met(r["equal"] == r["positions"] >= 20000),
        ),
        _row(
            "processor time over that of a Q8_0 pass with 8-bit activations and no bound, 1 thread each",
            "at most 1.1",
            f"{r['ratio_vs_q8_pass']:.3f}",
            _met(r["ratio_vs_q8_pass"] <= 1.1),
        ),
        *(
            _row(
                f"times as fast as float32 BLAS, {t['threads']} thread{'s' * (t['threads'] > 1)} each",
                "3",
                f"{t['ratio']:.2f} ({t['ours_ms']:.2f} ms against {t['blas_ms']:.2f} ms)",
                _met(t["ratio"] >= 3),
            )
            for t in r["timing"]
        ),
        "",
        *_table(
            "lrrrrr",
            "processor time of a decision, ms",
            "exact head",
            "8-bit pass, no bound",
            "nested code",
            "float32 BLAS, no argmax",
            "processors at other work",
        ),
        *(
            _row(
                f"{t['threads']} thread{'s' * (t['threads'] > 1)} each",
                *(f"{t[key]:.2f}" for key in ("ours_cpu_ms", "q8_pass_cpu_ms", "nested_cpu_ms", "blas_cpu_ms")),
                f"{t['others']:.1f}",
            )
            for t in r["timing"]
        ),
        "",
        *(
            [f"The 8-bit pass without a bound has another token at {r['q8_pass_wrong']:,} of {r['positions']:,} positions ({r['q8_pass_wrong_share']:.1%})."]
            if "q8_pass_wrong" in r
            else []
        ),
        f"Candidates: {r['candidates']['mean']:.3f} rows on average, {r['candidates']['max']:,} at most.  "
        f"Largest error over bound at a position, of all rows: {r['error_over_bound']['mean']:.3f} on average, {r['error_over_bound']['max']:.3f} at most.",
        "",
        *_table("lrrrr", "per position", "mean", "median", "p90", "largest"),
        *(
            _row(name, *(f"{per[key][q]:.4f}" for q in ("mean", "median", "p90", "max")))
            for name, key in (
                ("rows that are candidates, share", "candidate_share"),
                ("error over bound of recomputed rows", "tightness"),
                ("bytes over Q8_0's", "bytes_vs_q8"),
            )
            if per[key]
        ),
        "",
        "Bytes of a position on average: "
        + ", ".join(f"{name} {value / 1e6:.2f} MB" for name, value in r["bytes"].items() if value)
        + f"; in memory {r['memory_bytes'] / 1e6:.0f} MB.",
        "Decided: " + ", ".join(f"{count:,} {how}" for how, count in r["decided"].items()) + ".",
        f"The float32 BLAS product has another argmax at {r['blas_differs']} of {r['positions']:,} positions.  "
        f"The reference needed whole numbers at {r['reference_undecided_in_float64']}.",
        "",
        *_table("lr", "tokens a second, greedy", ""),
        *(_row(name, f"{value:.1f}") for name, value in r["tokens_per_second"].items()),
    ]
    if "linear" in r:
        lines += ["", *_linear(r["linear"])]
    if "table" in r:
        lines += ["", *_table("rlrrrr", "bits", "bound", "share, mean", "p90", "error/bound", "argmax kept")]
        lines += [
            _row(str(y["bits"]), y["bound"], f"{y['share']:.4f}", f"{y['share_p90']:.4f}", f"{y['tightness']:.3f}", f"{y['argmax_kept']} of {y['positions']}")
            for y in r["table"]
        ]
    return "\n".join(lines)


def _linear(x: dict[str, Any]) -> list[str]:
    return [
        f"Linear layers `{x['pattern']}`, split {x['split']}, γ = {x['gamma_over_rms']:g} times the root mean square of each product's outputs: "
        f"{x['admitted_share']:.1%} of {x['outputs']:,} outputs stayed coarse, {x['bytes_vs_q8']:.1%} of the bytes of a Q8_0 pass, "
        f"every output within its bound: {'yes' if x['every_output_within_its_bound'] else '**no**'}.  "
        f"Logits moved by {x['logits_largest_deviation']:.3g} at most, with the same token at {x['same_token']:.1%} of {x['tokens']} positions (measured; no bound).",
        "",
        *_table("lrrrrr", "product", "γ", "admitted", "bytes", "largest error", "largest bound"),
        *(
            _row(y["name"], f"{y['gamma']:.3g}", f"{y['admitted']:.1%}", f"{y['bytes_vs_q8']:.1%}", f"{y['largest_error']:.3g}", f"{y['largest_bound']:.3g}")
            for y in x["layers"]
        ),
    ]


def _table(sides: str, *names: str) -> list[str]:
    """The head of a table; a side for each column, l or r."""
    return [_row(*names), "|" + "|".join("---:" if side == "r" else "---" for side in sides) + "|"]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _met(met: bool) -> str:
    return "yes" if met else "**no**"
