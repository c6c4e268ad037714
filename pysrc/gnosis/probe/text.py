"""The report as tables for a terminal."""
from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .report import Gate, Report, Tensor
from .roles import short_name


WIDE = 96      # columns; narrower terminals get fewer columns


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _table(title: str, left: list[str], right: list[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _weights(report: Report, wide: bool) -> Table:
    table = _table("Weights: residual energy of E8 against cubic", ["tensor", "shape"],
                   ["rows", "eff.\ndim", "\nwhite", "mean\n|r|", "\nindep.", *(["\ncell"] if wide else []), "E8 edge\nlattice", "E8 edge\n4.5 bit"])
    for t in report.tensors:
        table.add_row(Text(short_name(t.name)), "×".join(map(str, t.shape)), f"{t.rows_read}" + ("*" if t.sampled else ""),
                      _number(t.effective_dimension, ".0f"), f"{t.effective_dimension_white:.0f}",
                      _number(t.mean_abs_correlation, ".3f"), f"{t.mean_abs_correlation_independent:.3f}",
                      *([f"{t.unbounded.cell_filling:.3f}"] if wide else []), _percent(t.unbounded.edge), _percent(t.bounded.edge))
    return table


def _gate_cells(gate: Gate, wide: bool) -> list[str]:
    cells = [f"{gate.gamma:.3g}", _percent(gate.cubic.share_admitted), _percent(gate.e8.share_admitted), _number(gate.e8.vacuity.median, ".1f")]
    return cells + [_percent(gate.e8.share_truth_within)] if wide else cells


def _gates(report: Report, activation: str, wide: bool) -> Table | None:
    def pick(t: Tensor) -> list[Gate]:
        return [g for family in (t.unbounded, t.bounded) for g in family.gates if g.activation == activation]

    rows = [(t, pick(t)) for t in report.tensors]
    if not any(gates for _, gates in rows):
        return None
    what = "any activation of energy ≤ 1 (truth: random unit directions)" if activation == "unit" else "real activations"
    columns = ["cubic", "E8", "bound/\ntruth"] + (["truth\nwithin γ"] if wide else [])
    table = _table(f"Share of tiles that the gate certifies: {what}", ["tensor"], ["lattice\nγ", *columns, "4.5 bit\nγ", *columns])
    for t, gates in rows:
        if gates:
            table.add_row(Text(short_name(t.name)), *(cell for gate in gates for cell in _gate_cells(gate, wide)))
    return table


def render(report: Report, console: Console) -> None:
    """Print the report."""
    m, s = report.model, report.settings
    console.print(f"{m.name}: {m.file}, {m.format}, {m.bytes / 1e6:.1f} MB, {len(report.tensors)} of {m.tensors} tensors", markup=False, highlight=False, style="bold")
    if m.sha256:
        console.print(f"sha256 {m.sha256}", markup=False, highlight=False)
    weights = sum(t.rows_read * t.columns for t in report.tensors)
    console.print(f"seed {s.seed}; a tile is {8 * s.tile} consecutive weights of a row; lattice step {s.step_over_rms:g} × RMS of the tensor", highlight=False)
    console.print(f"γ = {s.gamma_multiplier:g} × cubic RMS tile residual × RMS tile activation: set by us, not by a decision", highlight=False)
    a = report.activations
    console.print(f"activations: {a.source}" + (f" ({a.sentences} sentences, {a.tokens} tokens); unit energy beside them" if a.real else f": {a.reason}"), markup=False, highlight=False)
    wide = console.width >= WIDE
    console.print(_weights(report, wide))
    for activation in ("unit", "real"):
        table = _gates(report, activation, wide)
        if table is not None:
            console.print(table)
    if any(t.sampled for t in report.tensors):
        console.print(f"* a sample of {s.rows} rows, drawn with the seed", highlight=False)
    console.print("white, indep.: the same figure for independent Gaussian weights of that shape." + ("  cell: cubic error over step²/12." if wide else ""), highlight=False)
    console.print(f"E8 edge: 1 − E8/cubic mean squared error; {report.tensors[0].unbounded.edge_theory:.1%} in theory at equal determinant and a small step.", highlight=False)
    console.print("bound/truth: median of 2√(E·A) / |2⟨τ, a⟩| for E8, how far the certified bound lies above the true error." + ("  truth within γ: for E8." if wide else ""), highlight=False)
    reasons: dict[str, list[str]] = {}
    for skipped in report.skipped:
        reasons.setdefault(skipped.reason, []).append(skipped.name)
    for reason, names in reasons.items():
        console.print(f"not probed: {reason}: {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else ""), markup=False, highlight=False)
    every = [x for t in report.tensors for g in (*t.unbounded.gates, *t.bounded.gates) for x in (g.cubic, g.e8)]
    console.print(f"{sum(x.tiles for x in every):,} decisions, {sum(x.by_exact for x in every):,} of them by exact arithmetic; "
                  f"{sum(t.sanity.values_redecoded + t.sanity.values_by_library for t in report.tensors):,} values decoded a second time, all equal; "
                  f"{weights:,} weights in {report.run.seconds:.1f} s", highlight=False)
