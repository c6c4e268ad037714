"""Without a compiler the plain modules take the place of the kernels: same names, same answers bit for bit, same errors."""

from __future__ import annotations

import importlib
import inspect
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gnosis.core
from gnosis.core import blocks as compiled_blocks

ROOT = Path(__file__).parents[1]
STEMS = ("blocks", "conformal", "cumloss", "energy", "lattice", "margin")
PAIRS = {stem: (importlib.import_module(f"gnosis.core.{stem}"), importlib.import_module(f"gnosis.core.plain.{stem}")) for stem in STEMS}


def outcome(call: Any, *args: Any, **more: Any) -> Any:
    """What a call gives, with types and bits; an error as its type and message."""
    try:
        found = call(*args, **more)
    except Exception as error:
        return type(error).__name__, str(error)
    parts = found if isinstance(found, tuple) else (found,)
    return [(p.dtype.str, p.shape, p.tobytes()) if isinstance(p, np.ndarray) else (type(p).__name__, repr(p)) for p in parts]


def same(stem: str, name: str, *args: Any, **more: Any) -> None:
    fast, slow = (outcome(getattr(module, name), *args, **more) for module in PAIRS[stem])
    assert fast == slow, (stem, name)


@pytest.mark.parametrize("stem", STEMS)
def test_the_same_public_names(stem: str) -> None:
    fast, slow = (
        {n for n, thing in vars(m).items() if not n.startswith("_") and getattr(thing, "__module__", m.__name__) == m.__name__ and callable(thing)}
        for m in PAIRS[stem]
    )
    assert fast == slow
    for name in fast:
        mine, theirs = (getattr(m, name) for m in reversed(PAIRS[stem]))
        if inspect.isfunction(mine):
            assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters), name


@pytest.mark.parametrize("encoding", compiled_blocks.ENCODINGS)
def test_blocks(encoding: str) -> None:
    rng = np.random.default_rng(5)
    weights, size = compiled_blocks.sizes(encoding)
    assert PAIRS["blocks"][1].sizes(encoding) == (weights, size)
    for trial in range(40):
        raw = rng.integers(0, 256, (rng.integers(0, 21), size), dtype=np.uint8)
        same("blocks", "dequantize", raw, encoding)
        same("blocks", "unpack", raw, encoding)
        for i in range(len(raw)):  # most random blocks have finite scales when looked at alone
            one = raw[i : i + 1]
            served = outcome(compiled_blocks.dequantize, one, encoding)
            same("blocks", "dequantize", one, encoding)
            same("blocks", "unpack", one, encoding)
            if served[0] != "NonFiniteError":
                near = np.frombuffer(served[0][2], np.float32).reshape(1, -1).copy()
                for scale in (0.0, 2.0**-60, 1e-3, 1.0, 1e19, 1e30):
                    with np.errstate(all="ignore"):
                        original = (near + rng.standard_normal(near.shape) * scale).astype(np.float32)
                    same("blocks", "residual_energy_upper", one, original, encoding)
                original[0, trial % weights] = [np.nan, np.inf, -np.inf][trial % 3]
                same("blocks", "residual_energy_upper", one, original, encoding)


def test_many_blocks_and_the_uncertified_sum() -> None:
    rng = np.random.default_rng(6)
    raw = rng.integers(0, 60, (37, 34), dtype=np.uint8)
    original = rng.standard_normal((37, 32)).astype(np.float32)
    same("blocks", "residual_energy_upper", raw, original, "Q8_0")
    same("blocks", "_q8_0_residual_nearest", raw, original)
    same("blocks", "residual_energy_upper", raw, original[:5], "Q8_0")
    same("blocks", "dequantize", raw, "Q7")
    same("blocks", "unpack", raw, "F16")


@pytest.mark.parametrize("name", ["nearest_cubic", "nearest_d8", "nearest_e8"])
def test_lattices(name: str) -> None:
    rng = np.random.default_rng(7)
    for scale in (0.3, 3.0, 1e3, 2.0**20):
        same("lattice", name, (rng.uniform(-1, 1, (300, 8)) * scale).astype(np.float32))
        same("lattice", name, (rng.integers(-9, 9, (300, 8)) / rng.choice([1, 2, 4])).astype(np.float32))
    for bad in (np.nan, np.inf, 2.0**21 + 1, -(2.0**22)):
        x = np.zeros((20, 8), np.float32)
        x[17, 3] = bad
        same("lattice", name, x)
    same("lattice", name, np.zeros((3, 7), np.float32))
    same("lattice", name, np.zeros((3, 8)))


NUMBERS = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([0.0, -0.0, 1.0, 5e-324, 2.0**-480, 2.0**480, 1e308, 1.0 + 2.0**-50]))


@settings(max_examples=300)
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=9), st.booleans())
def test_energy(rows: list[tuple[float, float, float]], strict: bool) -> None:
    e, a, g = (np.array(column) for column in zip(*rows))
    same("energy", "decide_many", e, a, g, strict=strict)
    with np.errstate(all="ignore"):
        edge = np.sqrt(np.abs(4 * e * a))
    same("energy", "decide_many", e, a[:1], edge, strict=strict)
    same("energy", "decide_many", e, a, np.zeros(3), strict=strict)


@settings(max_examples=300)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=0, max_size=9), st.sampled_from([np.float64, np.float32]))
def test_margin(rows: list[tuple[float, float]], dtype: type) -> None:
    with np.errstate(all="ignore"):
        z, eps = np.array([r[0] for r in rows], dtype), np.abs(np.array([r[1] for r in rows], dtype))
    same("margin", "candidates", z, eps)
    same("margin", "candidates", z, -eps)
    same("margin", "argmax", z)


INTEGERS = st.one_of(st.integers(-5, 5), st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**63 - 1, -(2**63), 2**62]))


@settings(max_examples=200)
@given(st.lists(st.tuples(INTEGERS, INTEGERS), min_size=0, max_size=9))
def test_margin_of_integers(rows: list[tuple[int, int]]) -> None:
    z = np.array([r[0] for r in rows], np.int64)
    eps = np.array([abs(r[1]) if r[1] > -(2**63) else 0 for r in rows], np.int64)
    same("margin", "candidates", z, eps)
    same("margin", "candidates", z, z)
    same("margin", "argmax", z)


@settings(max_examples=200)
@given(st.lists(NUMBERS, max_size=12), st.integers(-1, 14), st.sampled_from([np.float64, np.float32]))
def test_order_statistics(values: list[float], k: int, dtype: type) -> None:
    with np.errstate(all="ignore"):
        scores = np.array(values, dtype)
    same("conformal", "kth_smallest", scores, k)
    same("conformal", "largest", scores, k)
    fast, slow = (module.Largest(3, dtype) for module in PAIRS["conformal"])
    for part in (scores[:4], scores[4:], -scores):
        assert outcome(fast.add, part) == outcome(slow.add, part)
        assert outcome(fast.top) == outcome(slow.top) and fast.count == slow.count and repr(fast) == repr(slow)
        for rank in (0, 1, k, fast.count - 1, fast.count):
            assert outcome(fast.kth_smallest, rank) == outcome(slow.kth_smallest, rank)
    assert outcome(lambda: fast.merge(fast).top()) == outcome(lambda: slow.merge(slow).top())
    again = [module.Largest.of(3, one.count, one.top()) for module, one in zip(PAIRS["conformal"], (fast, slow))]
    assert outcome(again[0].top) == outcome(again[1].top)


UNITS = st.one_of(st.integers(0, 9), st.integers(-2, 2), st.sampled_from([2**62 - 1, 2**62, 2**63 - 1, 2**61]))


@settings(max_examples=300)
@given(UNITS, UNITS, st.lists(st.tuples(UNITS, UNITS, UNITS, UNITS), max_size=8))
def test_ledger(account: int, budget: int, rows: list[tuple[int, int, int, int]]) -> None:
    columns = [np.array([r[i] for r in rows], np.int64) for i in range(4)]
    same("cumloss", "run", account, columns[0], budget)
    same("cumloss", "run", account, columns[0], columns[1], charges=columns[2], losses=columns[3])
    same("cumloss", "run", account, columns[0], np.sort(np.abs(columns[1])), charges=np.minimum(columns[0], columns[2]), losses=columns[3])
    same("cumloss", "admit_many", columns[0], columns[1], columns[2])
    same("cumloss", "admit_many", columns[0], columns[1][:1], columns[2])
    made = [outcome(module.Account, account, budget) for module in PAIRS["cumloss"]]
    assert made[0] == made[1]
    if made[0][0] == "RangeError":
        return
    fast, slow = (module.Account(account, budget) for module in PAIRS["cumloss"])
    for offer, charge, loss, more in rows:
        for name, value in (
            ("admits", offer),
            ("step", offer),
            ("settle", charge),
            ("report", loss),
            ("report", loss),
            ("settle", charge),
            ("raise_budget", more),
        ):
            assert outcome(getattr(fast, name), value) == outcome(getattr(slow, name), value), name
            assert repr(fast) == repr(slow) and fast.overrun == slow.overrun


def test_without_kernels_gates_answer_and_it_is_said_once(tmp_path: Path) -> None:
    """A copy without extension modules: gates, formats and accounts work, the language model says what is missing."""
    package = tmp_path / "gnosis"
    shutil.copytree(ROOT / "pysrc" / "gnosis", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "cython_core", package / "core", ignore=shutil.ignore_patterns("*.so", "__pycache__", "_cython"))
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import gnosis.gates.energy as e, gnosis.gates.margin as m, gnosis.gates.conformal as c\n"
        "import gnosis.core, numpy as np\n"
        "from gnosis.core import q8_0, blocks\n"
        "assert gnosis.core.compiled is False and e.__file__.startswith(sys.argv[1])\n"
        "print(e.EnergyGate(gamma=10).decide([1, -2], [1, -2]).admit, q8_0.dequantize(np.zeros((1, 34), np.uint8)).shape)\n"
        "try:\n    import gnosis.core.head\nexcept ImportError as error: print(type(error).__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {[p for p in sys.path if p]!r}\n{code}", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True (1, 32)\nKernelsNotCompiled\n"
    assert done.stderr.count("installed without its compiled kernels") == 1


def test_with_kernels_they_are_used() -> None:
    assert gnosis.core.compiled and all(PAIRS[stem][0].__file__.endswith(".so") for stem in STEMS)
