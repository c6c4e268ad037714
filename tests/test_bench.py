"""The benchmark: what it reports, and that it refuses to time results that disagree."""

import json
import time
from pathlib import Path

import gguf
import numpy as np
import pytest
from typer.testing import CliRunner

from gnosis.bench import conformal, cumloss, harness, margin, page, peers, work
from gnosis.cli import app

ROOT = Path(__file__).resolve().parent.parent
SCORES = np.random.default_rng(0).random(conformal.COUNT)
KEYS = {"work", "peer", "ratio", "gb_per_s", "share_of_read", "isa", "median_s", "p90_s", "cpu_s", "peer_cpu_s", "others", "busy"}


@pytest.fixture(scope="module")
def tensor():
    whole = work.real_tensor(1)
    return work.Tensor(np.ascontiguousarray(whole.weights[:1500]), np.ascontiguousarray(whole.codes[:1500]))


WORKS = {
    "q8_0 certified DRAM",
    "q8_0 certification overhead",
    "q8_0 dequantize",
    "e8 nearest",
    "energy gate batch",
    "threshold 1e6",
    "largest 2e4 of 100 shards",
    "ledger batch",
    "ledger batch, budget always near",
    "ledger step",
    "candidates",
}


@pytest.fixture(scope="module")
def document(tensor):
    rows, skipped = [], []
    for case in work.cases(tensor, quick=True):
        if isinstance(case, harness.Skipped):
            skipped.append(case)
        else:
            rows.append(harness.measure(case, harness.Effort(2, 0.0)))
    return json.loads(json.dumps(harness.report(rows, skipped, harness.machine(tensor.nbytes))))


def test_every_comparison_runs_and_reports(tensor, document):
    assert set(document) == {"machine", "rows", "memory", "skipped"} and all(set(row) == KEYS for row in document["rows"])
    names = [(row["work"], row["peer"]) for row in document["rows"]]
    assert len(set(names)) == len(names) and {work for work, _ in names} >= WORKS
    assert all(row[key] > 0 for row in document["rows"] for key in ("ratio", "gb_per_s", "share_of_read", "median_s"))
    assert all(row["p90_s"] >= row["median_s"] for row in document["rows"])
    assert document["machine"]["q8_0_data_bytes"] == tensor.weights.nbytes + tensor.codes.nbytes


def test_no_peer_is_silently_missing(document):
    """Every library is either timed or named with a reason, for each work that it is a peer of."""
    wanted = {("threshold 1e6", name) for name in ("MAPIE", "crepes", "puncc")} | {("q8_0 dequantize", "libgguf")}
    wanted |= {(name, "numba") for name in ("q8_0 certified DRAM", "e8 nearest", "ledger batch", "ledger batch, budget always near", "candidates")}
    for name, peer in wanted:
        timed = [row for row in document["rows"] if row["work"] == name and row["peer"].startswith(peer)]
        skipped = [one for one in document["skipped"] if one["work"] == name and one["peer"] == peer]
        assert len(timed) + len(skipped) == 1 and all(one["reason"] for one in skipped)


@pytest.mark.parametrize(
    "module, reason",
    [("gnosis_has_no_such_peer", "not installed; pip install it"), ("os.path.nothing", "not installed"), ("broken_peer", "does not load: ZeroDivisionError")],
)
def test_a_peer_that_does_not_load_is_skipped(monkeypatch, tmp_path, module, reason):
    (tmp_path / "broken_peer.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(peers, "NUMBA", peers.Library("numba", module, "no-such-distribution", "pip install it"))
    assert peers.NUMBA.version is None
    cases = list(cumloss.batch_cases("ledger batch", np.arange(5), np.full(5, 100)))
    assert [type(case) for case in cases] == [harness.Case, harness.Skipped] and cases[1].peer == "numba" and cases[1].reason.startswith(reason)


def test_data_is_as_large_as_asked():
    assert work.real_tensor(64_000_000).nbytes >= work.LEAST_BYTES == 64_000_000 <= work.wanted_bytes()


@pytest.mark.parametrize(
    "spoil",
    [lambda decoded: decoded * np.float32(1.01), lambda decoded: np.where(np.arange(decoded.shape[1]) == 5, np.nextafter(decoded, np.float32(9)), decoded)],
    ids=["one percent", "one bit"],
)
def test_disagreement_is_not_timed(tensor, monkeypatch, spoil):
    honest = gguf.dequantize
    monkeypatch.setattr(work.gguf, "dequantize", lambda codes, kind: spoil(honest(codes, kind)))
    with pytest.raises(harness.BenchError):
        next(work.cases(tensor, quick=True))


def test_a_wrong_peer_lattice_is_not_timed(tensor, monkeypatch):
    monkeypatch.setattr(work, "numpy_e8", np.rint)
    with pytest.raises(harness.BenchError, match="E8"):
        next(work.e8_cases(tensor, 1000))


@pytest.mark.parametrize(
    "module, name, wrong, cases",
    [
        (conformal, "numpy_sort", lambda scores: np.sort(scores)[-1], lambda: conformal.threshold_cases(SCORES)),
        (conformal, "numpy_partition", lambda scores: np.quantile(scores, 0.99), lambda: list(conformal.threshold_cases(SCORES))),
        (cumloss, "plain_run", lambda account, offers, budgets: ([True] * len(offers), account + sum(offers)), cumloss.ledger_cases),
        (
            cumloss,
            "PlainAccount",
            type("Generous", (cumloss.PlainAccount,), {"step": lambda self, offer: setattr(self, "units", self.units + offer)}),
            lambda: [cumloss.step_case(np.arange(100))],
        ),
        (margin, "numpy_candidates", lambda z, eps: np.flatnonzero(z + eps >= (z - eps).max())[1:], None),
    ],
    ids=["another rank", "interpolated", "everything admitted", "budget ignored", "too few candidates"],
)
def test_disagreement_about_a_decision_is_not_timed(tensor, monkeypatch, module, name, wrong, cases):
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(harness.BenchError):
        next(iter(cases() if cases else margin.candidates_cases(tensor.weights, tensor.blocks)))


def test_the_time_of_a_call():
    case = harness.Case("w", "p", 8, 8, lambda _: time.sleep(0.002), lambda _: time.sleep(0.002), lambda _: time.sleep(0.002), calls=1000)
    row = harness.measure(case, harness.Effort(3, 0.0))
    assert 2e-6 <= row.median_s < 1e-3 and row.gb_per_s < 1e-5 and 0.01 < row.ratio < 100


# ---- the page ----

ROW = {
    "work": "ledger step",
    "peer": "plain Python",
    "ratio": 3.0,
    "gb_per_s": 0.1,
    "share_of_read": 0.5,
    "isa": "avx2",
    "median_s": 6e-8,
    "p90_s": 7e-8,
    "cpu_s": 5e-8,
    "peer_cpu_s": 4e-8,
    "others": 0.0,
    "busy": False,
}
PAGE = {
    "machine": {
        "cpu": "A",
        "threads": 2,
        "isa": "avx2",
        "last_level_cache_bytes": 10**6,
        "load_before": 0.5,
        "system": "S",
        "python": "3",
        "numpy": "2",
        "gguf": "0",
        "peers": {"crepes": "1.2"},
        "q8_0_data_bytes": 10**8,
    },
    "rows": [ROW],
    "skipped": [{"work": "threshold 1e6", "peer": "MAPIE", "reason": "not installed"}],
}


def rows_of(text, first):
    return [line for line in text.splitlines() if line.startswith(f"| {first}")]


def test_the_page_says_what_was_measured_and_what_was_not():
    text = page.markdown(PAGE, "p.svg")
    assert "![ratios](p.svg)" in text and "crepes 1.2" in text
    assert "| ledger step | plain Python | below one microsecond | 60 ns | yes |" in text
    assert "| ledger step | plain Python | 3.00× | 0.1 | 50% | 60 ns | 70 ns | 50 ns | 40 ns |" in text
    assert "Skipped: 1.\n- threshold 1e6 against MAPIE: not installed\n" in text
    assert "Memory and start" not in text
    one = {"code": "Q8_0", "file_bytes": 10**8, "weights_bytes": 10**8, "peak_bytes": 13 * 10**7, "before_bytes": 10**7, "copies": 1.2, "first_s": 0.01}
    text_of = page.markdown({**PAGE, "memory": [one | {"ready_s": 0.5, "ready_cpu_s": 0.25}, one | {"ready_s": 2, "ready_cpu_s": 1.5}]}, "p.svg")
    assert "| Q8_0 | 100 MB | 100 MB | 120 MB | 1.20× | 500 ms | 250 ms | 10 ms | yes |" in text_of and "| 2 s | 1.5 s | 10 ms | **no** |" in text_of
    assert all("not measured | **no** |" in line for line in rows_of(text, "q8_0")) and len(rows_of(text, "q8_0")) == 3


@pytest.mark.parametrize("share, text", [(0.834, "83%"), (1.0, "100%"), (1.21, "121% (baseline noisy)")])
def test_a_share_above_reading_itself_is_marked(share, text):
    row = {**ROW, "share_of_read": share}
    assert page.share_text(share) == text
    assert f"| {text} | 60 ns | 70 ns | 50 ns | 40 ns |" in page.markdown({**PAGE, "rows": [row]}, "p.svg")
    assert row["share_of_read"] == share  # the raw figure stays
    (line,) = [
        line for line in page.markdown({**PAGE, "rows": [{**row, "work": "q8_0 certified DRAM", "peer": "gguf"}]}, "p.svg").splitlines() if "75 percent" in line
    ]
    assert line.endswith(f"| {text} | {'unclear' if share > 1 else 'yes'} |")  # a disturbed baseline shows nothing


@pytest.mark.parametrize("change, met", [({}, True), ({"median_s": 1.1e-6}, False)])
def test_a_missed_target_shows(change, met):
    (line,) = [line for line in page.markdown({**PAGE, "rows": [{**ROW, **change}]}, "p.svg").splitlines() if "below one microsecond" in line]
    assert line.endswith("| yes |") == met and line.endswith("| **no** |") != met


def test_a_busy_machine_is_said_and_decides_the_exit_code():
    busy = {**ROW, "busy": True, "others": 1.5}
    text = page.markdown({**PAGE, "rows": [busy]}, "p.svg")
    assert text.count("busy machine: 1.5 processors at other work") == 2
    assert page.verdict([ROW]) == 0 and page.verdict([busy]) == 3 and page.verdict([{**ROW, "median_s": 1.0}]) == 1
    assert page.verdict([{**busy, "work": "no target"}, ROW]) == 0


def test_other_programs_are_counted(monkeypatch):
    """A clock of all processors that runs two seconds a second: one processor is at other work at least."""
    case = harness.Case("w", "p", 8, 8, *[lambda _: time.sleep(0.01)] * 3, threads=harness.threads())
    monkeypatch.setattr(harness, "busy_seconds", lambda: 2 * time.perf_counter())
    assert (row := harness.measure(case, harness.Effort(3, 0.0))).busy and 1 < row.others < 3
    monkeypatch.setattr(harness, "busy_seconds", lambda: 0.0)
    assert not harness.measure(case, harness.Effort(3, 0.0)).busy


@pytest.mark.parametrize("target", page.TARGETS, ids=lambda target: f"{target.work}: {target.says}")
def test_every_target_names_a_comparison_and_can_be_missed(document, target):
    passes = {f"decode {code}" for code in ("q8_0", "q4_0", "f16")} | {"prompt 256 q8_0", "prompt 256 q4_0", "a pass of 8 q8_0"}  # tests/test_bench_passes.py
    found = target.of(document["rows"] if target.work.removesuffix(", two threads") not in passes else [{**ROW, "work": target.work, "peer": target.peer}])
    assert found
    good, bad = {"ratio": 1e6, "share_of_read": 1.0, "median_s": 1e-9}, {"ratio": 0.5, "share_of_read": 0.1, "median_s": 1.0}
    assert target.met({**found[0], **good}) and not target.met({**found[0], **bad})


@pytest.mark.parametrize("seconds, text", [(2.5, "2.5 s"), (0.0125, "12.5 ms"), (1e-3, "1 ms"), (3.14e-5, "31.4 µs"), (6e-8, "60 ns")])
def test_times_are_readable(seconds, text):
    assert page.time_text(seconds) == text


def test_the_page_in_docs_is_that_of_its_numbers():
    stored = ROOT / "docs/performance.json"
    if not stored.exists():
        pytest.skip("docs/performance.json is not there")
    assert (ROOT / "docs/performance.md").read_text(encoding="utf-8") == page.markdown(json.loads(stored.read_text(encoding="utf-8")), "performance.svg")


def test_the_plot(tmp_path):
    written = page.write(PAGE, tmp_path / "performance.md")
    assert [path.name for path in written] == ["performance.md", "performance.svg", "performance.json"]
    first = written[1].read_text()
    assert "ledger step, against plain Python" in first and "<svg" in first
    assert json.loads(written[2].read_text()) == PAGE
    page.draw(PAGE, written[1])
    assert written[1].read_text() == first


def test_the_command_refuses_to_write_elsewhere():
    result = CliRunner().invoke(app, ["bench", "--write", "page.txt"])
    assert result.exit_code == 2 and "must end in .md" in result.output


def test_turns_are_taken():
    order = []
    times = harness.take_turns([lambda part, k=k: order.append((k, part)) for k in range(3)], harness.Effort(3, 0.0), parts=6)
    assert [k for k, _ in order] == [0, 1, 2] + [0, 1, 2] + [1, 2, 0] + [2, 0, 1] and [len(t) for t in times] == [3, 3, 3]
    for turn in range(1, 4):  # in one round nobody works on what another has just read
        assert len({part for _, part in order[3 * turn : 3 * turn + 3]}) == 3


def test_parts_cover_the_data(tensor):
    assert len(work.in_parts(tensor)) == 1
    whole = work.real_tensor(200_000_000)
    parts = work.in_parts(whole)
    assert len(parts) == 3 and all(part.nbytes >= 64_000_000 for part in parts)


def test_command_reports_an_error(monkeypatch):
    def refuse(tensor, quick, made=None):
        raise harness.BenchError("sides differ")

    monkeypatch.setattr(work, "wanted_bytes", lambda: 1)
    monkeypatch.setattr(work, "cases", refuse)
    result = CliRunner().invoke(app, ["bench", "--json"])
    assert result.exit_code == 1 and "sides differ" in result.output
