"""The report as tables for a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from ..files.tables import Sheet
from ..models.roles import short_name
from ..risk.held_out import expected
from .figures import Conformal, Level, Rate
from .reasons import reasons as why
from .report import Report
from .tensor import CONJUNCTS, Tensor

MOST_TENSORS = 64  # with more of them the tables are by layer


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}%}"


def number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def rate(found: Rate | None) -> str:
    """A rate with its interval."""
    return "–" if found is None or found.share is None else f"{found.share:.1%} ({found.low:.1%}–{found.high:.1%})"


def drawn(found: Conformal, at: Level) -> str:
    """From how many to how many held-out scores lie above the threshold in 95 % of draws of it and of them; – without a threshold."""
    return "–" if at.threshold is None else "–".join(map(str, expected([(found.calibration, at.rank, found.held_out)])))


def _yes(value: bool) -> Text:
    return Text("yes", "green") if value else Text("no", "red")


def _verdict(report: Report) -> Sheet:
    v = report.verdict
    out = Sheet("Admission", ["conjunct"], ["4.5 bit", "lattice", "rests on"])
    spine = {m.says.split(":")[0]: m.theorem for m in report.spine}
    for name in CONJUNCTS:
        held = [sum(getattr(getattr(t, a), name) for t in report.tensors) for a in ("bounded_admission", "admission")]
        out.add_row(name, *(Text(f"{h} of {v.tensors}", "green" if h == v.tensors else "red") for h in held), spine.get(name, "measured"))
    out.add_row(
        "all of them",
        *(Text(f"{n} of {v.tensors}", "bold green" if n == v.tensors else "bold red") for n in (v.bounded_tensors_admitted, v.lattice_tensors_admitted)),
        "",
    )
    return out


def _weights(report: Report) -> Sheet:
    out = Sheet(
        "Weights and codes",
        ["tensor", "shape"],
        ["rows", "eff.\ndim", "\nwhite", "mean\n|r|", "\nindep.", "cell\nmoment", "\ndistance", "edge over cubic\nD8", "\nE8", "4.5 bit\nD8", "\nE8"],
    )
    for t in report.tensors:
        out.add_row(
            Text(short_name(t.name)),
            "×".join(map(str, t.shape)),
            f"{t.rows_read}" + ("*" if t.sampled else ""),
            number(t.effective_dimension, ".0f"),
            f"{t.effective_dimension_white:.0f}",
            number(t.mean_abs_correlation, ".3f"),
            f"{t.mean_abs_correlation_independent:.3f}",
            f"{t.lattice.cell_moment:.3f}",
            f"{t.lattice.cell_distance:.3f}",
            percent(t.lattice.d8_edge),
            percent(t.lattice.e8_edge),
            percent(t.bounded.d8_edge),
            percent(t.bounded.e8_edge),
        )
    return out


def _norms(report: Report) -> Sheet:
    out = Sheet(
        "Which norm: share of tiles that a gate admits at the same multiplier",
        ["tensor"],
        ["energy, lattice\ncubic", "\nD8", "\nE8", "sup-norm, lattice\ncubic", "\nD8", "\nE8", "energy, 4.5 bit\ncubic", "\nD8", "\nE8", "bound/\ntruth"],
    )
    for t in report.tensors:
        gates = (t.lattice.gate("energy"), t.lattice.gate("sup"), t.bounded.gate("energy"))
        truth = gates[2].e8.truth if gates[2] is not None else None
        out.add_row(
            Text(short_name(t.name)),
            *(percent(x.share_admitted) for g in gates if g is not None for x in (g.cubic, g.d8, g.e8)),
            number(truth.vacuity.median if truth else None, ".1f"),
        )
    return out


def _of(t: Tensor, family: str, of: str) -> Conformal | None:
    return next((c for c in getattr(t, family).calibrated() if c.of == of), None)


def _conformal(report: Report) -> Sheet:
    qs = report.settings.q_values
    out = Sheet(
        f"Conformal, E8: least multiplier of each level (γ has {report.settings.gamma_multiplier:g}), and held-out rows at q = {qs[-1]}",
        ["tensor"],
        [
            *(f"rows\n{q}" for q in qs),
            "above\nthreshold",
            "95 % of\ndraws",
            "wrong and admitted\n(95 %)",
            "\nadmitted",
            *(f"4.5 bit\n{q}" for q in qs),
            "\nadmitted",
            f"positions\n{qs[-1]}",
        ],
    )
    for t in report.tensors:
        rows, bounded, positions = _of(t, "lattice", "row"), _of(t, "bounded", "row"), _of(t, "lattice", "position")
        assert rows is not None and bounded is not None
        out.add_row(
            Text(short_name(t.name)),
            *(number(x.least_multiplier, ".3f") for x in rows.levels),
            f"{rows.levels[-1].exceed.count} of {rows.held_out}",
            drawn(rows, rows.levels[-1]),
            rate(rows.levels[-1].lies),
            _yes(t.admission.admitted),
            *(number(x.least_multiplier, ".3f") for x in bounded.levels),
            _yes(t.bounded_admission.admitted),
            number(positions.levels[-1].least_multiplier if positions else None, ".3f"),
        )
    return out


def _decisions(report: Report) -> Sheet | None:
    rows = [(t, family, c) for t in report.tensors for family in ("lattice", "bounded") for c in getattr(t, family).conformal if c.of == "decision"]
    if not rows:
        return None
    out = Sheet(
        "Real decisions: the largest logit, each position admitted when twice the threshold fits into its own margin",
        ["tensor", "code", "q"],
        ["held out", "admitted", "wrong and admitted\nof all", "\nof the admitted", "another argmax\nadmitted", "\nin all"],
    )
    for t, family, c in rows:
        for found in c.levels:
            out.add_row(
                Text(short_name(t.name)),
                f"{c.code.replace('e8', 'E8')}, {'lattice' if family == 'lattice' else '4.5 bit'}",
                found.q,
                str(c.held_out),
                str(found.lies_of_admitted.of),
                rate(found.lies),
                rate(found.lies_of_admitted),
                str(found.flips),
                str(c.flips),
            )
    return out


def _real(report: Report) -> Sheet | None:
    rows = [(t, [g for f in (t.lattice, t.bounded) if (g := f.gate("energy", "real")) is not None]) for t in report.tensors]
    if not any(gates for _, gates in rows):
        return None
    columns = ["cubic", "\nE8", "bound/\ntruth", "truth\nwithin γ"]
    out = Sheet(
        "Energy gate with real activations (bound/truth and truth: E8)",
        ["tensor"],
        [f"lattice\n{columns[0]}", *columns[1:], f"4.5 bit\n{columns[0]}", *columns[1:]],
        (0, 4),
    )
    for t, gates in rows:
        if gates:
            out.add_row(
                Text(short_name(t.name)),
                *(
                    cell
                    for g in gates
                    if g.e8.truth is not None
                    for cell in (
                        percent(g.cubic.share_admitted),
                        percent(g.e8.share_admitted),
                        number(g.e8.truth.vacuity.median, ".1f"),
                        percent(g.e8.truth.share_within),
                    )
                ),
            )
    return out


def _layers(report: Report) -> Sheet:
    out = Sheet(
        "By layer (E8; all tiles of a layer together)",
        ["layer"],
        ["weights\nin millions", "\nadmitted", "lattice\nedge", "tiles\ncubic", "\nE8", "least\nmultiplier", "4.5 bit\nedge", "least\nmultiplier", "refused"],
        (0, 2, 6),
    )
    for x in report.layers:
        out.add_row(
            "outside" if x.layer is None else str(x.layer),
            f"{x.weights / 1e6:.2f}",
            percent(x.share_admitted),
            percent(x.e8_edge),
            percent(x.cubic_accepted),
            percent(x.e8_accepted),
            number(x.least_multiplier, ".3f"),
            percent(x.bounded_e8_edge),
            number(x.bounded_least_multiplier, ".3f"),
            f"{len(x.refused)} of {x.tensors}",
        )
    return out


def _outliers(report: Report) -> Sheet:
    out = Sheet(
        "Where outliers live: medians over the matrices of a role (kurtosis of Gaussian numbers: 3)",
        ["role"],
        ["weights\nkurtosis", "\nmax/rms", "top 1 %\nof columns", "activations\nkurtosis", "\nmax/rms", "top 1 %\nof columns", "heavier in\nactivations"],
        (0, 3, 6),
    )
    for x in report.outliers:
        out.add_row(
            x.role,
            number(x.weights_kurtosis, ".1f"),
            number(x.weights_largest_over_rms, ".1f"),
            percent(x.weights_top_columns_share),
            number(x.activations_kurtosis, ".1f"),
            number(x.activations_largest_over_rms, ".1f"),
            percent(x.activations_top_columns_share),
            f"{x.activations_heavier} of {x.both}" if x.both else "–",
        )
    return out


def render(report: Report, console: Console) -> None:
    """Print the report."""

    def say(text: str, style: str = "") -> None:
        console.print(text, markup=False, highlight=False, style=style)

    m, s, a = report.model, report.settings, report.activations
    say(
        f"{m.name}: {m.format}, {m.bytes / 1e6:.1f} MB in {len(m.files)} file{'s' if len(m.files) > 1 else ''}, {len(report.tensors)} of {m.tensors} tensors",
        "bold",
    )
    for f in m.files[:4]:
        say(f"sha256 {f.sha256}  {f.file}")
    if len(m.files) > 4:
        say(f"and {len(m.files) - 4} more files")
    tile = "all of a row" if s.tile == "row" else f"{8 * s.tile} consecutive weights of a row"
    say(f"profile {s.profile}; seed {s.seed}; a tile is {tile}; lattice step {s.step_over_rms:g} × RMS of the tensor")
    say(f"γ = {s.gamma_multiplier:g} × cubic RMS tile residual × RMS tile activation: set by us, not by a decision")
    say(f"activations: {a.source}" + (f" ({a.positions} of {a.tokens} tokens, {a.passages} passages); unit energy beside them" if a.real else f": {a.reason}"))
    if second(report):
        say(second(report), "bold yellow")
    console.print(_verdict(report))
    tables: list[Callable[[], Sheet | None]] = [lambda: _layers(report), lambda: _outliers(report), lambda: _decisions(report)]
    many = len(report.tensors) > MOST_TENSORS
    if not many:
        tables = [lambda: _weights(report), lambda: _norms(report), lambda: _real(report), lambda: _conformal(report), *tables]
    for make in tables:
        made = make()
        if made is not None:
            console.print(made)
    if many:
        say(f"by layer, since there are {len(report.tensors)} tensors: --tensor picks some of them, --format json holds every figure")
    if any(t.sampled for t in report.tensors):
        say(f"* a sample of {s.rows} rows, drawn with the seed")
    first = report.tensors[0].lattice
    say("white, indep.: the same figure for independent Gaussian weights of that shape.  cell: cubic error over step²/12, and distance from an even spread.")
    say(
        f"edge: 1 − E8 (or D8) / cubic mean squared error; in theory, at equal determinant and a small step, {first.e8_edge_theory:.1%} for E8, {first.d8_edge_theory:.1%} for D8."
    )
    say(
        "bound/truth: median of 2√(E·A) / |2⟨τ, a⟩| for E8, how far the certified bound lies above the true error; along random directions where no activation is real."
    )
    say(
        "95 % of draws: how many held-out rows lie above a threshold when the calibration is drawn as well (beta-binomial); 95 %, elsewhere: the exact binomial interval "
        "for the margin or the threshold at hand, which may lie above 1 − q, as that holds on average over calibrations."
    )
    _reasons(report, say)
    gates = [x for t in report.tensors for f in (t.lattice, t.bounded) for g in f.gates for x in (g.cubic, g.d8, g.e8)]
    say(
        f"{sum(x.tiles for x in gates):,} decisions, {sum(x.by_exact for x in gates):,} of them by exact arithmetic; "
        f"{sum(t.sanity.values_redecoded for t in report.tensors):,} values decoded by a second decoder and "
        f"{sum(t.sanity.values_by_library for t in report.tensors):,} read by a library of the format, all equal"
    )
    once = sorted({t.encoding for t in report.tensors if not t.sanity.values_redecoded + t.sanity.values_by_library})
    if once:
        say(f"decoded once, with nothing to compare: {', '.join(once)}", "yellow")
    weights = sum(t.rows_read * t.columns for t in report.tensors)
    say(
        f"{weights:,} weights in {report.run.seconds:.1f} s; work on {report.run.workers} tensors at once, at most {report.run.work_bytes / 2**20:.0f} of "
        f"{report.run.budget_bytes / 2**20:.0f} MiB; peak memory of the process {report.run.peak_rss_bytes / 2**20:.0f} MiB"
    )
    _verdicts(report, say)


def second(report: Report) -> str:
    """What stands above and below the figures of a file that was quantized before; empty for a file of plain numbers."""
    codes = ", ".join(report.verdict.second_of)
    return codes and (
        f"second quantization: the weights are {codes} already. These figures are of quantizing them once more, and say nothing about {codes}; "
        "for the file's own code give what it was made from: --original FILE"
    )


def _verdicts(report: Report, say: Callable[[str, str], None]) -> None:
    """The last lines: each names its code, the one with a size first.  A second quantization has no verdict about the file."""
    v = report.verdict
    for code, held, rejected in (
        (v.code, v.bounded_admitted, v.bounded_rejected),
        ("unbounded lattices, which have no size and which no file holds", v.lattice_admitted, v.lattice_rejected),
    ):
        count = f"all {v.tensors} tensors pass" if held else f"{len(rejected)} of {v.tensors} tensors fail"
        if v.second_of:
            say(f"{code}, second quantization: {count}", "yellow")
        else:
            say(f"{'admitted' if held else 'rejected'}: {code}: {count} {v.predicate}", ("bold " if code == v.code else "") + ("green" if held else "red"))
    if v.second_of:
        say(f"no verdict about {', '.join(v.second_of)}: {second(report)}", "bold yellow")


MOST_REASONS = 6  # of one family, on a screen


def _reasons(report: Report, say: Callable[[str], None]) -> None:
    """Tensors that were refused or left out, grouped by the reason."""
    reasons: dict[str, list[str]] = {}
    for family, rejected in (("4.5 bit", report.verdict.bounded_rejected), ("lattice", report.verdict.lattice_rejected)):
        refused = {r.tensor: r for r in rejected}
        own: dict[str, list[str]] = {}
        for t in report.tensors:
            if t.name in refused:
                for reason in why(t, t.bounded if family == "4.5 bit" else t.lattice):
                    own.setdefault(f"{family} refused: {reason}", []).append(t.name)
        if len(own) > MOST_REASONS:  # by what fails, and the figures of one tensor as an example
            own = {}
            for r in rejected:
                own.setdefault(f"{family} refused by " + ", ".join(r.failed), []).append(r.tensor)
            first = next(t for t in report.tensors if t.name in refused)
            own[f"{family}, for example: " + "; ".join(why(first, first.bounded if family == "4.5 bit" else first.lattice))] = [first.name]
        reasons |= own
    for skipped in report.skipped:
        reasons.setdefault(f"not probed: {skipped.reason}", []).append(skipped.name)
    for t in report.tensors:
        if t.non_finite.rows:
            reasons.setdefault(f"{t.non_finite.rows} rows left out: {t.non_finite.first}", []).append(t.name)
    for reason, names in reasons.items():
        say(f"{reason}: {_some(names)}")


def _some(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:3]) + (f" and {len(every) - 3} more" if len(every) > 3 else "")


def as_text(report: Report, width: int) -> str:
    """The report as plain text."""
    file = io.StringIO()
    render(report, Console(file=file, width=width))
    return file.getvalue()
