"""Every command on terminals of 80 columns and of 40, and in a pipe: no figure is cut, a pipe gets no colours, progress there is lines."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from command_lines import commands
from terminals import on_terminal
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.files import screen

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
    "probe, original": ["probe", "{quantized}", "--original", "{original}"],
    "probe, codes": ["probe", "{model}", "--code", "q8_0,q4_0"],
    "compare": [
        "compare",
        "{original}",
        "{quantized}",
        "{other}",
        "--tokens",
        "{tokens}",
        "--require",
        "flips<=0.01 at 0.99",
        "--length",
        "8",
        "--every",
        "--activations",
        "20",
    ],
    "plan": ["plan", "{original}", "--bpw", "5.4", "--tokens", "{tokens}", "--length", "8", "--seconds", "1"],
    "plan, every": ["plan", "{original}", "--bpw", "5.4", "--tokens", "{tokens}", "--length", "8", "--seconds", "1", "--by", "weights", "--every"],
    "report": ["report", "{report}", "--format", "text"],
    "frontier": ["frontier", "{report}"],
    "aggregate": ["aggregate", "{report}", "{frontier}", "--format", "text"],
    "cache": ["cache", "--list"],
}
# What prints lines alone: how it is run here, or nothing where that needs a compiled spine, minutes or a git checkout.
LINES: dict[str, list[str]] = {
    "models": ["models"],
    "validate": ["validate", "{report}"],
    "trust": ["trust"],
    "spine lake": ["spine", "lake"],
    "demo": [],
    "extract": [],
    "manifest": [],
    "studies": [],
    "spine audit": [],
    "spine build": [],
    "spine decide": [],
    "spine dojo": [],
    "spine export": [],
    "spine lock": [],
    "spine reread": [],
}

# Of the others what they print, with figures as long as they get.
PRINTED = {
    "bench": """
from gnosis.bench.harness import Row, Skipped
from gnosis.cli.bench import render
rows = [Row("a kernel with a long name, of a whole model", "a peer with a long name and a version 1.2.3", 1234.56, 1234.5, 0.987, "avx512", 0.000123456, 123.456, 0.0123456, 1234.56, 1.98, True)] * 3
render(rows, [Skipped("a kernel", "a peer", "it is not there")], {"cpu": "A processor of a long name @ 2.00 GHz", "threads": 128, "isa": "avx512", "q8_0_data_bytes": 1e12}, screen())
""",
    "spine oracle": """
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


def words_of(files: dict[str, str], name: str) -> list[str]:
    return [*GNOSIS, *(word.format(**files) for word in COMMANDS.get(name) or LINES[name])]


@pytest.fixture(scope="module", autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache with something in it."""
    folder = tmp_path_factory.mktemp("cache")
    (folder / "a-model-of-a-long-name-0123456789abcdef-Q4_0-libgguf0.2.2.gguf").write_bytes(b"GGUF" + bytes(123_456))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNOSIS_CACHE", str(folder))
        yield


def test_every_command_is_looked_at() -> None:
    printed = {name.partition(",")[0] for name in [*PRINTED, *COMMANDS]} - {"steps"}
    found = dict(commands())
    assert set(found) == set(LINES) | printed
    for name in LINES:  # what prints a table shall have it looked at
        module = inspect.getsourcefile(inspect.unwrap(found[name].callback))
        assert module is not None and (name in ("manifest", "models") or "Sheet(" not in Path(module).read_text(encoding="utf-8")), name


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_figure_of_a_command_is_cut(files: dict[str, str], name: str, columns: int) -> None:
    words = words_of(files, name)
    code, text = on_terminal(words[:-2] if name == "conform" and columns == 40 else words, columns)
    assert code == (1 if name == "compare" else 0) and "─" in text and "…" not in text, text


@pytest.mark.parametrize("name", [*(name for name in COMMANDS if name != "conform"), *(name for name in LINES if LINES[name])])
def test_in_a_pipe(files: dict[str, str], name: str) -> None:
    done = subprocess.run(words_of(files, name), capture_output=True, text=True)
    assert done.returncode == (1 if name == "compare" else 0), done.stderr
    assert "\x1b" not in done.stdout + done.stderr and "…" not in done.stdout.replace("spine …", ""), done.stdout
    assert name in LINES or "─" in done.stdout


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", [name for name in LINES if LINES[name]])
def test_lines_stay_whole(files: dict[str, str], name: str, columns: int) -> None:
    """A terminal breaks a long line by itself; what is broken before, between words, has no figure apart from its unit lost: the words are those of a pipe."""
    code, text = on_terminal(words_of(files, name), columns)
    piped = subprocess.run(words_of(files, name), capture_output=True, text=True)
    assert code == piped.returncode == 0 and re.sub(r"\s+", "", text) == re.sub(r"\s+", "", piped.stdout)


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


# ---- progress where there is no terminal ---------------------------------------------------------------


def test_progress_in_a_pipe_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    monkeypatch.setattr(screen.time, "monotonic", lambda: now)
    with screen.progress("start") as show:
        for step in range(31):
            now = float(step)
            show("reading", step, 31) if step < 25 else show("closing")
    assert capsys.readouterr() == ("", "reading: 32%\nreading: 65%\nclosing\n")
    now = 0.0
    with screen.progress("start", True) as show:
        now = 100.0
        show("reading", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_short_command_says_nothing_of_progress(files: dict[str, str]) -> None:
    done = subprocess.run(words_of(files, "basin"), capture_output=True, text=True)
    assert done.stderr == ""


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
