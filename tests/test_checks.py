"""The lanes floats, formats and statistics hold, and find each fault that is planted in what they look at."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from gnosis import gates
from gnosis.bench import peers
from gnosis.conformance import floats as paths
from gnosis.conformance.lanes import formats, statistics
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.running import cases, checks, strategies
from gnosis.conformance.running import generators as gen
from gnosis.conformance.running.checks import Check, Result
from gnosis.conformance.running.shrink import shrink, size
from gnosis.core import blocks, cpu
from gnosis.numbers import bounds, outward
from gnosis.risk import extrapolation

NOWHERE = Path("/nonexistent")
PATHS = {check.name: check for check in paths.load()}


def lane(name: str, checks_: list[Check], batches: int = 1, corpus: Path = NOWHERE, promote: bool = False, seed: int = 0) -> lanes.Report:
    """A lane on some checks; ends when a fault was found."""
    report = lanes.Report(1)
    for number in range(batches):
        checks.sweep(name, checks_, seed + number, 0.0, report, corpus=corpus, promote=promote)
        if not report.ok:
            break
    return report


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No time for making faults small, where nothing looks at how small they are."""
    if "shrunk" not in request.node.name:
        monkeypatch.setattr("gnosis.conformance.running.shrink.SECONDS", 0.0)


# ---- the runner --------------------------------------------------------------------------------------------------------


def _sum_check(fault: Callable[[list[float]], bool]) -> Check:
    return Check("sum", lambda rng: (gen.reals(rng, 6), rng.randint(0, 9)), lambda v, k: Result(len(v), "too much" if fault(v) else None, 1))


def test_a_fault_is_shrunk_kept_and_replayed_first(tmp_path: Path) -> None:
    bad = _sum_check(lambda v: any(x > 1000 for x in v))
    report = lane("floats", [bad], 20, tmp_path, promote=True)
    (shown, *_) = report.disagreements
    assert len(shown.args[0]) == 1 and shown.args[1] == 0 and size(shown.args) < 30 and "too much" in str(shown)
    kept = cases.kept("floats", tmp_path)
    assert report.promoted == len(kept) >= 1 and kept[0].args == shown.args
    again = lane("floats", [Check("sum", lambda rng: ([], 0), bad.run)], 1, tmp_path)
    assert again.rows[0].name == "corpus" and again.rows[0].checked == len(kept) and again.disagreements[0].where == "corpus/floats.jsonl"
    assert not cases.keep("floats", kept[0], tmp_path)
    renamed = lane("floats", [Check("other", lambda rng: (), lambda: Result())], 1, tmp_path)
    assert renamed.ok and "sum is not among the checks" in renamed.skips[0]


@pytest.mark.parametrize(
    "run, what",
    [
        (lambda x: 1 // 0, "ZeroDivisionError"),
        (lambda x: warnings.warn("odd", RuntimeWarning, stacklevel=1), "RuntimeWarning"),
        (lambda x: np.float64(1e308) * 10 and Result(), "RuntimeWarning: overflow"),
    ],
)
def test_an_exception_and_a_warning_are_faults(run: Callable[..., Any], what: str) -> None:
    report = lane("floats", [Check("c", lambda rng: (1.0,), run)])
    assert what in report.disagreements[0].got


@pytest.mark.parametrize(
    "text",
    ["nonsense", "[]", '{"check": "a"}', '{"check": "a", "args": 1}', '{"check": 1, "args": []}', '{"check": "a", "args": [], "why": 1}', "\x00", "[" * 100000],
)
def test_a_bad_line_of_the_corpus_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "floats.jsonl").write_text('{"check": "a", "args": [1.5, "x"]}\n' + text + "\n")
    with pytest.raises(cases.BadCorpus, match="floats.jsonl:2"):
        cases.kept("floats", tmp_path)


def test_a_corpus_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    for name in ("floats", "tukey"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"\xf9\n")
        with pytest.raises(cases.BadCorpus, match=f"{name}.jsonl: not UTF-8"):
            (cases.kept if name == "floats" else cases.read)(name, tmp_path)


def test_floats_are_shrunk_within_their_type() -> None:
    x = float(np.float32(-1234.5678))
    (small,) = shrink((x,), lambda tries: [case[0] < -1000 for case in tries])
    assert small < -1000 and size(small) < size(x) and float(np.float32(small)) == small
    rows, vector = shrink(
        ([[1.0, 2.0, 90.0], [5.0, 6.0, 7.0]], [1.0, 2.0, 3.0]), lambda tries: [bool(r) and len(v) == len(r[0]) and max(r[0], default=0) > 80 for r, v in tries]
    )
    assert rows == [[90.0]] or (len(rows) == 1 and len(rows[0]) == len(vector) == 1)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64"])
def test_generated_numbers_are_held_by_their_type(dtype: str) -> None:
    rng = Random(1)
    values = [x for _ in range(300) for x in (*gen.reals(rng, 4, dtype), gen.beside(rng, gen.real(rng, dtype), dtype))]
    assert all(np.array([x], dtype)[0] == x and math.isfinite(x) for x in values)
    assert len(set(values)) > 200 and (dtype == "int64" or any(x == 0 and math.copysign(1, x) < 0 for x in values))


# ---- float paths -------------------------------------------------------------------------------------------------------

# Decided with whole numbers only; the lanes oracle and kernels look at them.
WHOLE = {"ChargeGate"}


def test_every_gate_that_decides_arrays_of_floats_has_a_check() -> None:
    found = set()
    for info in pkgutil.iter_modules(gates.__path__):
        module = importlib.import_module(f"gnosis.gates.{info.name}")
        found |= {name for name, cls in inspect.getmembers(module, inspect.isclass) if hasattr(cls, "decide_many") and cls.__module__ == module.__name__}
    assert {name for name in found if not any(check.split()[0].split(".")[0] == name for check in PATHS)} == WHOLE
    assert {f"residual_energy_upper {encoding}" for encoding in blocks.ENCODINGS} <= set(PATHS)


@pytest.mark.parametrize("name", PATHS)
def test_the_float_paths_hold(name: str) -> None:
    before = cpu.level()
    report = lane("floats", [PATHS[name]], 2)
    assert report.ok, [str(d) for d in report.disagreements]
    assert report.rows[0].checked and cpu.level() == before


def same(x: Any) -> Any:
    return x


def naive_energy(E: np.ndarray, A: np.ndarray, g: np.ndarray, out: Any = None, *, strict: bool = False) -> np.ndarray:
    with np.errstate(all="ignore"):
        left, right = 4 * E * A, g * g
        return np.broadcast_to(left < right if strict else left <= right, max(map(np.shape, (E, A, g)))).astype(np.int8)


def nearest_only(exact: Fraction) -> tuple[float, float]:
    near = gen.held(exact)
    return near, near


def plain_dots(left: bounds.Bounds, right: bounds.Bounds) -> bounds.Bounds:
    with np.errstate(all="ignore"):
        total = (left[0] * right[0]).sum(axis=-1)
    return total, total


def nearest_sum(raw: np.ndarray, original: np.ndarray, encoding: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return ((original.astype(np.float64) - blocks.dequantize(raw, encoding)) ** 2).sum(axis=1)


def naive_candidates(z: np.ndarray, e: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.flatnonzero(z + e >= (z - e).max())


def last_argmax(z: np.ndarray) -> int:
    return len(z) - 1 - int(np.argmax(z[::-1]))


def off_by_one(scores: np.ndarray, k: int) -> Any:
    return float(np.sort(scores)[k]) if 0 < k < len(scores) else None


FAULTS = [
    # rounding to nearest where it must be outward
    ("gnosis.gates.betting", "below", same, "BettingGate"),
    ("gnosis.gates.betting", "below", same, "UpperBound"),
    ("gnosis.gates.betting", "above", same, "BettingGate"),
    ("gnosis.gates.basin", "above", same, "BasinFlowGate path"),
    ("gnosis.gates.basin", "above", same, "BasinFlowGate end"),
    ("gnosis.gates.served", "above", same, "SpreadGate.decide_logits"),
    ("gnosis.numbers.bounds", "below above", same, "RowGate"),
    ("gnosis.numbers.bounds", "below above", same, "TwoStageGate"),
    ("gnosis.numbers.bounds", "enclose", nearest_only, "TopKGate"),
    ("gnosis.gates.tukey", "enclose", nearest_only, "TukeyGate"),
    ("gnosis.gates.served", "enclose", nearest_only, "ServedGate"),
    ("gnosis.gates.conformal", "enclose", nearest_only, "ConformalGate"),
    ("gnosis.numbers.bounds", "enclose", nearest_only, "enclose"),
    ("gnosis.numbers.bounds", "enclose", nearest_only, "MarginGate weak"),
    # sums without their error bounds
    ("gnosis.numbers.bounds", "dots", plain_dots, "EnergyGate"),
    ("gnosis.gates.energy", "dots", plain_dots, "BlockedGate"),
    ("gnosis.gates.served", "dots", plain_dots, "HellingerGate"),
    ("gnosis.numbers.bounds", "dots", plain_dots, "dots"),
    ("gnosis.codes.rows", "dots", plain_dots, "sum_up"),
    # a sidecar must fall below by more than the room in the bounds of its blocks before a whole matrix shows it; the sum itself is above
    ("gnosis.codes.lattice.matrix", "sum_up", lambda bounds: bounds.sum(-1) * (1 - 2.0**-18), "quantize e8"),
    # kernels that only compare floats
    ("gnosis.core.energy", "decide_many", naive_energy, "core.energy.decide_many"),
    ("gnosis.core.energy", "decide_many", naive_energy, "SidecarGate strict"),
    ("gnosis.core.energy", "decide_many", naive_energy, "SplitGate"),
    ("gnosis.core.energy", "decide_many", naive_energy, "ConformalJitGate"),
    ("gnosis.core.blocks", "residual_energy_upper", nearest_sum, "residual_energy_upper Q8_0"),
    ("gnosis.core.blocks", "residual_energy_upper", nearest_sum, "residual_energy_upper Q4_K"),
    ("gnosis.core.blocks", "residual_energy_upper", nearest_sum, "residual_energy_upper F16"),
    ("gnosis.core.blocks", "residual_energy_upper", nearest_sum, "residual_energy_upper Q4_1"),
    ("gnosis.core.margin", "candidates", naive_candidates, "core.margin.candidates"),
    ("gnosis.core.margin", "argmax", last_argmax, "core.margin.argmax"),
    ("gnosis.core.conformal", "kth_smallest", off_by_one, "core.conformal.kth_smallest"),
    ("gnosis.core.conformal", "kth_smallest", off_by_one, "ConformalGate"),
    ("gnosis.core.lattice", "nearest_e8", lambda x: np.floor(x + np.float32(0.5)), "core.lattice.nearest_e8"),
    # rates and charges as floats have them
    ("gnosis.gates.cumloss", "pays", lambda N, p, q, u, a: 1 + u / N * ((p / q) ** N - 1) <= (p / q) ** a * (1 + 1e-9), "Bet.charges"),
    (
        "gnosis.risk.extrapolation",
        "_upper",
        lambda k, n, β: Fraction(float(extrapolation.stats.beta(k + 1, n - k).isf(float(β)))) if k < n else Fraction(1),
        "clopper_pearson_upper",
    ),
    (
        "gnosis.risk.extrapolation",
        "pool_tail",
        lambda M, N, j: Fraction(math.comb(M - j, N) if j <= M - N else 0, math.comb(M, N)) if j != 1 else Fraction(0),
        "training_conditional",
    ),
    (
        "gnosis.risk.extrapolation",
        "pool_order_tail",
        lambda M, N, k, j: extrapolation.pool_tail(M, N, min(j + 1, M)),  # the maximum in the place of the rank
        "training_conditional",
    ),
    ("gnosis.numbers.outward", "sqrt", lambda x, bits=64: outward.Enclosure(*[Fraction(math.sqrt(gen.held(x)))] * 2), "row_bounds"),
    ("gnosis.numbers.outward", "sqrt", lambda x, bits=64: outward.Enclosure(*[Fraction(math.sqrt(gen.held(x)))] * 2), "lengths"),
    ("gnosis.numbers.outward", "_exp", lambda x, work: (lambda e: outward.Enclosure(e, e))(Fraction(math.exp(gen.held(x)))), "outward.exp"),
]


@pytest.mark.parametrize("module, name, fault, check", FAULTS, ids=[f"{m.removeprefix('gnosis.')}.{n}-{c}" for m, n, _, c in FAULTS])
def test_a_careless_float_path_is_caught(monkeypatch: pytest.MonkeyPatch, module: str, name: str, fault: Callable[..., Any], check: str) -> None:
    for one in name.split():
        monkeypatch.setattr(importlib.import_module(module), one, fault)
    gates.cumloss._charges.cache_clear()
    report = lane("floats", [PATHS[check]], 60, seed=100)
    gates.cumloss._charges.cache_clear()
    assert not report.ok


def test_an_unsafe_admission_is_told_from_one_too_few() -> None:
    assert "exact answer is to refuse" in checks.answers([True], [False]).fault
    assert "exact answer is to admit" in checks.answers([False], [True]).fault
    assert checks.answers([False], [True], equal=False).fault is None and checks.answers([True, False], [True, False]).fault is None
    assert "1 answers for 2" in checks.answers([True], [True, True]).fault


# ---- formats -----------------------------------------------------------------------------------------------------------


def test_the_formats_hold() -> None:
    skips: list[str] = []
    report = lane("formats", formats.load(skips), 1)
    assert report.ok, [str(d) for d in report.disagreements]
    assert {row.name for row in report.rows} >= set(blocks.ENCODINGS) and sum(row.refused for row in report.rows) > 0
    assert not any("not installed" not in skip for skip in skips)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x: np.roll(x, 1, axis=1),
        lambda x: np.nextafter(x, np.float32(np.inf)),
        lambda x: x + np.float32(0.0),
        lambda x: np.where(abs(x) < 2.0**-20, np.float32(0), x),
    ],
    ids=["off by one", "ulp", "sign of zero", "subnormal"],
)
def test_a_slightly_wrong_decoder_is_caught(monkeypatch: pytest.MonkeyPatch, spoil: Callable[[np.ndarray], np.ndarray]) -> None:
    right = blocks.dequantize

    def wrong(raw: np.ndarray, encoding: str) -> np.ndarray:
        return np.ascontiguousarray(spoil(right(raw, encoding)))

    check = Check(
        "Q8_0",
        next(c for c in formats.load([]) if c.name == "Q8_0").generate,
        lambda raws: formats.compare(np.frombuffer(bytes.fromhex("".join(raws)), np.uint8).reshape(-1, 34), "Q8_0", wrong),
    )
    assert not lane("formats", [check], 60).ok


def test_a_block_that_is_no_number_and_not_named_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "dequantize", lambda raw, encoding: np.zeros((len(raw), 32), np.float32))
    (check,) = [c for c in formats.load([]) if c.name == "Q4_0 no numbers"]
    assert "none is named" in lane("formats", [check]).disagreements[0].got


def test_a_quantizer_that_rounds_another_way_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [c for c in formats.load([]) if c.name == "quantizer Q4_0"]
    if not found:
        pytest.skip("libgguf is not installed (extra: peers)")

    def down(encoding: str) -> Callable[[np.ndarray], np.ndarray]:
        return lambda weights: formats.gguf.quantize(weights * np.float32(0.9), formats.gguf.GGMLQuantizationType[encoding])

    monkeypatch.setattr(formats, "_by_libgguf", down)
    assert not lane("formats", found, 4).ok


# ---- statistics --------------------------------------------------------------------------------------------------------


def test_the_statistics_hold() -> None:
    skips: list[str] = []
    report = lane("statistics", statistics.load(skips), 2)
    assert report.ok, [str(d) for d in report.disagreements]
    assert not [skip for skip in skips if "no longer" in skip]


def test_a_rank_by_floats_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates.conformal, "rank", lambda count, level: math.ceil((count + 1) * float(gates.conformal.read_level(level, "level"))))
    found = {d.decision for d in lane("statistics", statistics.load([]), 8).disagreements}
    assert found & {"where numpy is not right", "where crepes is not right", "where MAPIE is not right"}


def test_a_rank_of_n_is_caught_by_the_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates.conformal, "rank", lambda count, level: math.ceil(count * Fraction(gates.conformal.read_level(level, "level"))))
    (check,) = [c for c in statistics.load([]) if c.name == "threshold = numpy.sort"]
    assert not lane("statistics", [check], 4).ok


def test_a_peer_that_is_not_there_is_a_counted_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "CREPES", peers.Library("crepes", "no_such_module", "crepes"))
    skips: list[str] = []
    names = {check.name for check in statistics.load(skips)}
    assert any(skip.startswith("statistics against crepes: not installed") for skip in skips)
    assert "threshold = crepes" not in names and "where crepes is not right" not in names and "where numpy is not right" in names


def test_a_peer_whose_answer_changed_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    d = statistics.Deviation("numpy", "one", lambda: 1, 1, lambda: 2, 3)
    monkeypatch.setattr(statistics, "DEVIATIONS", (d,))
    skips: list[str] = []
    report = lane("statistics", [statistics._deviations("numpy", skips)])
    assert report.ok and skips == ["statistics: numpy on one says 2, no longer 3"]
    monkeypatch.setattr(statistics, "DEVIATIONS", (statistics.Deviation("numpy", "one", lambda: 5, 1, lambda: 2, 2),))
    assert "the right value is 1" in lane("statistics", [statistics._deviations("numpy", [])]).disagreements[0].got


# ---- the strategies ----------------------------------------------------------------------------------------------------


@given(strategies.path("TukeyGate"), strategies.case("tukeyAdmit"), strategies.vectors("float16", 1))
def test_strategies_draw_from_the_generators(path: tuple, case: tuple, vector: list[float]) -> None:
    assert PATHS["TukeyGate"].run(*path).fault is None
    assert all(isinstance(x, int) for x in case)
    assert all(float(np.float16(x)) == x for x in vector)


@pytest.mark.parametrize("name", ["quantize cubic", "quantize e8"])
def test_weights_above_the_range_of_a_lattice_code_are_a_counted_refusal(name, monkeypatch) -> None:
    from gnosis.conformance.floats import residuals

    check = next(c for c in residuals.CHECKS if c.name == name)
    assert check.run([[1.0, 2.0**121]], 4, None).refused == 1
    assert check.run([[1.0, 2.0**120]], 4, None).refused == 0
    true = residuals.quantize
    monkeypatch.setattr(residuals, "quantize", lambda w, code, seed: true(np.clip(w, -1, 1), code, seed=seed))
    assert "is not refused" in str(check.run([[1.0, 2.0**121]], 4, None).fault)
