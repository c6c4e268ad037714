"""Every command that prints a table, on a terminal of 80 columns and of 40: no figure is cut."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from terminals import on_terminal
from typer.testing import CliRunner

from gnosis.cli import app

ROOT = Path(__file__).parents[1]
GNOSIS = [sys.executable, "-m", "gnosis"]

# What runs in seconds runs in whole; {model}, {report} and {frontier} are small files.
COMMANDS = {
    "basin": ["basin", "--paths", "20"],
    "layers": ["layers", "synthetic"],
    "speculators": ["speculators", "--synthetic-only"],
    "conform": ["conform", "--seconds", "0", "--lane", "kernels", "--lane", "floats"],
    "verify": ["verify", "--examples"],
    "probe": ["probe", "{model}"],
    "compare": ["compare", "{original}", "{quantized}", "{other}", "--tokens", "{tokens}", "--require", "flips<=0.01 at 0.99", "--length", "8", "--every"],
    "report": ["report", "{report}", "--format", "text"],
    "frontier": ["frontier", "{report}"],
    "aggregate": ["aggregate", "{report}", "{frontier}", "--format", "text"],
}

# Of the others what they print, with figures as long as they get.
PRINTED = {
    "bench": """
from gnosis.bench.harness import Row, Skipped
from gnosis.cli.bench import render
rows = [Row("a kernel with a long name, of a whole model", "a peer with a long name and a version 1.2.3", 1234.56, 1234.5, 0.987, "avx512", 0.000123456, 123.456, 0.0123456, 1234.56, 1.98, True)] * 3
render(rows, [Skipped("a kernel", "a peer", "it is not there")], {"cpu": "A processor of a long name @ 2.00 GHz", "threads": 128, "isa": "avx512", "q8_0_data_bytes": 1e12}, screen())
""",
    "oracle": """
from gnosis.cli.oracle import render
from gnosis.conformance.oracle.rates import Rate
render([Rate("a decision on vectors of 4,096 integers", 100, 12345678.9, 123456789.1, 1234567891.2)] * 2, screen())
""",
    "mutants": """
from gnosis.cli.mutants import _show
from gnosis.conformance.mutants.plan import Mutant
from gnosis.conformance.mutants.run import Outcome, Outcomes
from gnosis.conformance.lanes.run import LANES
_show(Outcomes(1, [Outcome(Mutant(stem, side, "a", "b", "c", "d"), lane) for stem in ("conformal", "lattice") for side in ("python", "lean") for lane in LANES for _ in range(123)], 1.0), False)
""",
    "head": """
from gnosis.cli.head import _show
from collections import defaultdict
share = {"mean": 0.1, "median": 0.1, "max": 0.1}
_show({"positions": 1, "equal": 1, "blas_differs": 0, "candidates": share, "error_over_bound": share, "per_position": {"candidate_share": share}, "shape": (49152, 576), "tightness": None, "bytes": {}, "bytes_vs_q8": 0.5, "decided": {},
       "timing": [], "tokens_per_second": {}, "table": [{"bits": 4, "bound": "Cauchy-Schwarz, by blocks of 32", "share": 0.12345, "share_p90": 0.12345, "tightness": 0.123, "argmax_kept": 12345, "positions": 12345}]}, screen())
""",
    "generate": """
from gnosis.cli.generate import render
row = {"name": "verify-all, window 64, the rest read again once", "tokens_per_s": 1234.5, "equal": 123, "prompts": 123, "agreement": 0.98765, "judge": 1.234, "bytes_per_token": 123456789,
       "check_ms_median": 12345.0, "rollbacks_per_token": 0.123, "deferral_rate": 0.98765}
render({"prompts": 8, "most": 64, "rows": [row] * 2, "noise_floor": {}, "auroc": None, "disagreement": 0.5, "registered": []}, screen(width=130))
""",
    "generate, drafts": """
from gnosis.cli.drafts import render
row = {"pair": "model-f16.gguf <- model-q4_0.gguf", "threads": 2, "speedup_vs_finer": 1.234, "speedup_worst": 0.987, "same_text": True, "accepted": 0.98765, "tokens_per_check": 12.34, "ms_per_token": 123.45,
       "ms_per_token_alone": 123.45, "says": "drafting pays", "busy": True, "load": 7.5}
render({"prompts": 20, "most": 64, "rows": [row] * 2, "source": {"q4_1_error": {"rotated": 0.0789, "as_shipped": 0.0}}, "processors": 2}, screen(width=130))
""",
    "steps": """
import sys
from gnosis.cli.steps import Step, run
run("make test", [Step("both sides against each other, with samples that the kernel checks", [sys.executable, "-c", code]) for code in ("", "raise SystemExit(123)")])
""",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("files")
    found = {"model": str(folder / "model.npy"), "report": str(folder / "report.json"), "frontier": str(folder / "frontier.json")}
    for name, kind in (("original", "F32"), ("quantized", "Q8_0"), ("other", "Q4_0")):
        found[name] = str(tiny_models.write(folder / f"{name}-of-a-long-name-{kind}.gguf", "llama", weights=tiny_models.tensors("llama"), kind=kind))
    found["tokens"] = str(folder / "tokens.txt")
    Path(found["tokens"]).write_text(" ".join(map(str, range(4, 250))))
    np.save(found["model"], np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32))
    for words in (
        ["probe", found["model"], "--format", "json", "--quiet", "--output", found["report"]],
        ["frontier", found["report"], "--format", "json", "--output", found["frontier"]],
    ):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
    return found


@pytest.mark.parametrize(("name", "columns"), [*((name, 80) for name in COMMANDS), ("report", 40)])
def test_no_figure_of_a_command_is_cut(files: dict[str, str], name: str, columns: int) -> None:
    code, text = on_terminal([*GNOSIS, *(word.format(**files) for word in COMMANDS[name])], columns)
    assert code == (1 if name == "compare" else 0) and "─" in text and "…" not in text, text


@pytest.mark.parametrize("columns", [80, 40])
def test_no_figure_that_is_printed_is_cut(columns: int) -> None:
    program = "\n".join(["from gnosis.files.screen import screen", *(f"print('{name}', flush=True)\n{text}" for name, text in PRINTED.items())])
    code, text = on_terminal([sys.executable, "-c", program], columns)
    assert code == 0 and "…" not in text, text
    for name in PRINTED:
        assert "─" in text.split(f"{name}\n", 1)[1], name


def test_a_table_that_is_cut_is_seen() -> None:
    text = "from rich.console import Console\nfrom rich.table import Table\nt = Table(*'abcde')\nt.add_row(*['12345678901234567890'] * 5)\nConsole().print(t)"
    for column in ("t.columns[0].no_wrap = True\n", "for c in t.columns: c.no_wrap = True\n"):
        assert "…" in on_terminal([sys.executable, "-c", text.replace("Console().print", f"{column}Console().print")], 80)[1]


# ---- one printer, one progress -----------------------------------------------------------------------

ONLY = {
    "rich.table": "pysrc/gnosis/files/tables.py",
    "rich.progress": "pysrc/gnosis/files/screen.py",
    "rich.status": "pysrc/gnosis/files/screen.py",
    "rich.box": "pysrc/gnosis/files/tables.py",
    "rich.live": "pysrc/gnosis/files/screen.py",
}


def others(file: str, text: str) -> list[str]:
    """What a file imports that is for one file alone, or does in another way."""
    found = []
    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "status":
            found.append(f"{file}, line {node.lineno}: a progress of its own")
        found += [f"{file}, line {node.lineno}: {name} is for {ONLY[name]}" for name in names if name in ONLY and file != ONLY[name]]
    return found


def test_tables_and_progress_are_made_in_one_place() -> None:
    files = [f for folder in ("pysrc", "conformance", "audits") for f in sorted((ROOT / folder).rglob("*.py"))]
    assert not [said for f in files for said in others(f.relative_to(ROOT).as_posix(), f.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "text",
    [
        "import rich.table",
        "from rich.table import Table",
        "from rich import table",
        "def f():\n    from rich.progress import Progress",
        "from rich import box",
        "with console.status('x'): pass",
    ],
)
def test_another_printer_is_noticed(text: str) -> None:
    assert others("pysrc/gnosis/cli/x.py", text)
