"""Every Lean name that the Python side and the kernels cite exists, and each verdict rests on a theorem."""

import re
from pathlib import Path

import numpy as np
import pytest

from gnosis.audits import lock
from gnosis.gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate
from gnosis.gates.jit import JitGate, serve
from gnosis.gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from gnosis.gates.tukey import TukeyGate

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("pysrc/gnosis", "cython_core")


def lean_names(kinds):
    """Names declared in Gnosis/ by one of the keywords, without the namespace."""
    pattern = re.compile(rf"^(?:@\[[^\]]*\] *)?(?:{'|'.join(kinds)}) ([\w.]+)", re.M)
    return {name for path in (ROOT / "Gnosis").rglob("*.lean") for name in pattern.findall(path.read_text())}


def cited(text):
    """Names cited as Gnosis.name in single backquotes or as a string; files and modules are not names of declarations."""
    return set(re.findall(r"[`\"]Gnosis\.([a-z]\w*)[`\"]", text))


def missing(texts):
    known = lean_names(("theorem", "def", "structure"))
    return {name for text in texts for name in cited(text)} - known


def sources():
    return [path.read_text() for room in ROOMS for pattern in ("*.py", "*.pyx", "*.c", "*.h") for path in (ROOT / room).rglob(pattern)]


def test_every_cited_name_exists():
    assert sum(len(cited(text)) for text in sources()) > 40
    assert missing(sources()) == set()


def test_an_unknown_name_is_caught():
    assert missing(['rests on `Gnosis.energy_bridge_sound` and "Gnosis.energy_bridge_unsound"']) == {"energy_bridge_unsound"}


def unlocked(texts):
    """Theorems that are cited, with or without backquotes, and whose statement nothing locks."""
    headline = {entry["name"].removeprefix("Gnosis.") for entry in lock.load(ROOT / "audits" / "headline.yaml")}
    named = {name for text in texts for name in re.findall(r"\bGnosis\.((?:\w+\.)*\w+)", text)}
    return (named & lean_names(("theorem",))) - headline


def test_every_cited_theorem_is_locked():
    assert unlocked(sources() + [path.read_text() for path in (ROOT / "conformance").rglob("*.py")]) == set()


def test_a_cited_theorem_without_lock_is_caught():
    assert unlocked(["`Gnosis.kthSmallest_spec`, Gnosis.kthSmallest_mem. And `Gnosis.kthSmallest`"]) == {"kthSmallest_mem"}


Z = np.array([[3.0, 1.0, 0.0]])


@pytest.mark.parametrize(
    "verdict",
    [
        EnergyGate(1).decide([1], [1]),
        SidecarGate(1).decide(1, 1),
        SidecarGate(1, strict=True).decide(1, 1),
        BlockedGate(1).decide([1], [1]),
        SplitGate(1).decide(1, [1], [True]),
        *(MarginGate(0, mode).decide(Z[0]) for mode in ("weak", "strict", "lowest")),
        RowGate([1, 1, 1]).decide(Z[0]),
        TopKGate(1, 0).decide(Z[0]),
        TwoStageGate(1, 1, 0).decide([[1, 2], [3, 4]]),
        JitGate().decide(Z[0], [1, 1, 1], 1),
        JitGate(strict=False).decide(Z[0], [1, 1, 1], 1),
        TukeyGate(1).decide(0),
        serve(Z[0], [1, 1, 1], lambda rows: Z[0][rows]),
    ],
    ids=lambda verdict: verdict.theorem,
)
def test_verdicts_rest_on_theorems(verdict):
    assert verdict.theorem.removeprefix("Gnosis.") in lean_names(("theorem",))
