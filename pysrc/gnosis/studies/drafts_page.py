"""The figures of a run of `gnosis generate --compare` in a page, between two marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..files import pages

BEGIN, END = "<!-- figures: gnosis generate --compare -->", "<!-- end of figures -->"


def fill(path: Path, document: dict[str, Any] | None) -> None:
    """Replace what stands between the marks; with None, only look that they are there.  PageError, OSError."""
    pages.fill(path, BEGIN, END, None if document is None else markdown(document))


def markdown(document: dict[str, Any]) -> str:
    """A table of the rows, what drafting is worth in words, and the machine with its load."""
    rows = document["rows"]
    lines = [
        "| finer model, drafter | threads | gain, median | worst prompt | all prompts together | time of all threads | same text | accepted | tokens a check | ms a token | alone |",
        "|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|",
    ]
    for r in rows:
        accepted = "–" if r["accepted"] is None else f"{r['accepted']:.0%}"
        gains = (f"{r[name]:.2f}" for name in ("speedup_vs_finer", "speedup_worst", "speedup_overall", "speedup_cpu"))
        times = (f"{r[name]:.2f}" for name in ("tokens_per_check", "ms_per_token", "ms_per_token_alone"))
        lines.append(f"| {' | '.join([r['pair'].replace('<-', '←'), str(r['threads']), *gains, 'yes' if r['same_text'] else 'NO', accepted, *times])} |")
    loads = sorted(r["load"] for r in rows)
    lines += [
        "",
        f"{document['prompts']} prompts, at most {document['most']} tokens each; {document['isa']}, {document['cpu']}, {document['processors']} processors, load {loads[0]:.1f} to {loads[-1]:.1f}"
        + (": the machine was busy, and wall times of several threads say little." if any(r["busy"] for r in rows) else "."),
        "",
        *(f"- {r['pair'].replace('<-', '←')}, {r['threads']} thread{'s' * (r['threads'] > 1)}: {words(r)}; {r['says']}." for r in rows),
    ]
    errors = (document["source"] or {}).get("q4_1_error")
    if errors is not None:
        lines += ["", f"Error of Q4_1: {errors['rotated']:.2%} of the weights that are measured, {errors['as_shipped']:.2%} of those of the file."]
    return "\n".join(lines)


def words(row: dict[str, Any]) -> str:
    """What is faster than what."""
    gain, fine = row["speedup_vs_finer"], row["pair"].split(" <- ")[0]
    if gain >= 1.02:
        return f"with drafts {gain:.2f} times as fast as {fine} alone, {row['speedup_worst']:.2f} times on the worst prompt"
    if gain < 0.98:
        return f"with the drafter {gain:.2f} times as fast as {fine} alone, on the worst prompt {row['speedup_worst']:.2f}"
    return f"as fast as {fine} alone ({gain:.2f}), on the worst prompt {row['speedup_worst']:.2f}"
