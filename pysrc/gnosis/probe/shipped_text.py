"""The codes of files beside an original as tables for a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from ..files.tables import Sheet
from ..models.roles import short_name
from ..numbers.bounds import shown_up
from .shipped import Candidate, Coded, Shipped
from .text import percent

MOST_TENSORS = 24


def up(value: float | None, places: int = 3) -> str:
    return "–" if value is None else shown_up(value, places)


def up_percent(value: float | None) -> str:
    return "–" if value is None else shown_up(value, 4, percent=True)


def codes_of(candidate: Candidate) -> str:
    """The codes that a candidate is in, the most frequent first."""
    return ", ".join(f"{code} ({count})" if len(candidate.codes) > 1 else code for code, count in sorted(candidate.codes.items(), key=lambda x: -x[1]))


def _ranking(report: Shipped) -> Sheet:
    out = Sheet(
        f"Real codes against the original, the smallest error first (γ has the multiplier {report.settings.gamma_multiplier:g})",
        ["candidate", "codes"],
        ["bits a\nweight", "relative error\n≤", "\nmeasured", "largest\nerror", "tiles\nadmitted", "least\nmultiplier", "tensors\nadmitted"],
        (0, 1, 3, 4),
    )
    by_name = {c.name: c for c in report.candidates}
    for name in report.ranking:
        c = by_name[name]
        out.add_row(
            Text(name),
            codes_of(c),
            f"{c.bits_per_weight:.3f}",
            up_percent(c.relative_upper),
            percent(c.relative, 2),
            f"{max(t.largest for t in c.tensors):.3g}",
            percent(c.tiles_admitted / c.tiles),
            up(c.least_multiplier),
            Text(f"{c.tensors_admitted} of {len(c.tensors)}", "green" if c.admitted else "red"),
        )
    return out


def _tensors(report: Shipped, candidate: Candidate) -> Sheet:
    qs = report.settings.q_values
    shown = sorted(candidate.tensors, key=lambda t: -(t.relative or 0.0))[:MOST_TENSORS]
    more = "" if len(shown) == len(candidate.tensors) else f", the {len(shown)} with the largest errors of {len(candidate.tensors)}"
    out = Sheet(
        f"{candidate.name}, tensor by tensor{more}",
        ["tensor", "code"],
        [
            "rows",
            "relative error\n≤",
            "\nmeasured",
            "worst\nrow",
            "\nerror ≤",
            "tiles\nadmitted",
            *(f"least multiplier\n{q}" if i == 0 else f"\n{q}" for i, q in enumerate(qs)),
        ],
    )
    for t in shown:
        out.add_row(
            Text(short_name(t.name)),
            t.code,
            f"{t.rows_read}" + ("*" if t.rows_read < t.rows_total else ""),
            up_percent(t.relative_upper),
            percent(t.relative, 2),
            "–" if t.worst_row is None else str(t.worst_row),
            up_percent(t.worst_row_upper),
            percent(t.gate.share_admitted),
            *(up(found.least_multiplier) for found in t.conformal.levels),
        )
    return out


def verdict_line(report: Shipped, candidate: Candidate) -> str:
    """What the levels say about one candidate, with its code."""
    made = "" if candidate.quantizer is None else f" by {candidate.quantizer}"
    what = f"{candidate.name}: {codes_of(candidate)}{made} at γ = {report.settings.gamma_multiplier:g} × cubic 4.5-bit RMS residual"
    if candidate.admitted:
        return f"admitted: {what}: all {len(candidate.tensors)} tensors, every level of rows"
    need = "" if candidate.least_multiplier is None else f", the multiplier {up(candidate.least_multiplier)} would do"
    return f"rejected: {what}: {len(candidate.rejected)} of {len(candidate.tensors)} tensors{need}"


def refusals(tensors: Iterable[Coded]) -> dict[str, list[str]]:
    """Tensors by the reasons that refuse them; needs of one level are drawn together when their figures differ."""
    out: dict[str, list[str]] = {}
    for t in tensors:
        for reason in t.refused:
            out.setdefault(reason, []).append(t.name)
    return out


def render(report: Shipped, console: Console) -> None:
    """Print the report."""

    def say(text: str, style: str = "") -> None:
        console.print(text, markup=False, highlight=False, style=style)

    s, o = report.settings, report.original
    say(f"original: {o.name}: {o.format}, {o.bytes / 1e6:.1f} MB, {', '.join(report.original_encodings)}", "bold")
    for f in o.files[:4]:
        say(f"sha256 {f.sha256}  {f.file}")
    for c in report.candidates:
        for f in c.file.files[:4] if c.file is not None else []:
            say(f"sha256 {f.sha256}  {f.file}")
    quantized = [e for e in report.original_encodings if e not in ("F32", "F16", "BF16", "F64")]
    if quantized:
        say(f"the original holds {', '.join(quantized)} itself: errors are relative to that, not to what it was made from", "yellow")
    say(f"profile {s.profile}; seed {s.seed}; errors are of the numbers that both sides decode to, over the rows that were read")
    console.print(_ranking(report))
    for c in report.candidates:
        if len(c.tensors) > 1 or len(report.candidates) == 1:
            console.print(_tensors(report, c))
    if any(t.rows_read < t.rows_total for c in report.candidates for t in c.tensors):
        say(f"* a sample of {s.rows} rows, drawn with the seed")
    say(
        "tiles admitted: by the energy gate for any activation of norm at most 1.  least multiplier: with which every level of rows fits twice into γ; "
        "in units of what the cubic 4.5-bit code of the original loses, the same unit for all codes."
    )
    left: dict[str, list[str]] = {}
    for c in report.candidates:
        for skipped in c.skipped:
            left.setdefault(f"{c.name}: not probed: {skipped.reason}", []).append(skipped.name)
        if not c.admitted:
            for reason, names in list(refusals(c.tensors).items())[:4]:
                left.setdefault(f"{c.name}: {reason}", []).extend(names)
    for reason, names in left.items():
        say(f"{reason}: {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else ""))
    for c in report.candidates:
        say(verdict_line(report, c), "bold green" if c.admitted else "bold red")


def as_text(report: Shipped, width: int) -> str:
    """The report as plain text."""
    file = io.StringIO()
    render(report, Console(file=file, width=width))
    return file.getvalue()
