"""The benchmark: what it reports, and that it refuses to time results that disagree."""
import json

import gguf
import numpy as np
import pytest
from typer.testing import CliRunner

from gnosis.bench import harness, work
from gnosis.cli import app

KEYS = {"work", "peer", "ratio", "gb_per_s", "share_of_read", "isa", "median_s", "p90_s"}


@pytest.fixture(scope="module")
def tensor():
    whole = work.real_tensor(1)
    return work.Tensor(np.ascontiguousarray(whole.weights[:1500]), np.ascontiguousarray(whole.codes[:1500]))


def test_every_comparison_runs_and_reports(tensor):
    rows = [harness.measure(case, harness.Effort(2, 0.0)) for case in work.cases(tensor, quick=True)]
    document = json.loads(json.dumps(harness.report(rows, tensor.nbytes)))
    assert set(document) == {"machine", "rows"} and all(set(row) == KEYS for row in document["rows"])
    names = [row["work"] for row in document["rows"]]
    assert len(set(names)) == len(names) and {"q8_0 certified DRAM", "q8_0 certification overhead", "e8 nearest", "energy gate batch"} <= set(names)
    assert all(row[key] > 0 for row in document["rows"] for key in ("ratio", "gb_per_s", "share_of_read", "median_s"))
    assert all(row["p90_s"] >= row["median_s"] for row in document["rows"])
    assert document["machine"]["q8_0_data_bytes"] == tensor.weights.nbytes + tensor.codes.nbytes


def test_data_is_as_large_as_asked():
    assert work.real_tensor(64_000_000).nbytes >= work.LEAST_BYTES == 64_000_000 <= work.wanted_bytes()


@pytest.mark.parametrize("spoil", [
    lambda decoded: decoded * np.float32(1.01),
    lambda decoded: np.where(np.arange(decoded.shape[1]) == 5, np.nextafter(decoded, np.float32(9)), decoded),
], ids=["one percent", "one bit"])
def test_disagreement_is_not_timed(tensor, monkeypatch, spoil):
    honest = gguf.dequantize
    monkeypatch.setattr(work.gguf, "dequantize", lambda codes, kind: spoil(honest(codes, kind)))
    with pytest.raises(harness.BenchError):
        next(work.cases(tensor, quick=True))


def test_a_wrong_peer_lattice_is_not_timed(tensor, monkeypatch):
    monkeypatch.setattr(work, "numpy_e8", np.rint)
    with pytest.raises(harness.BenchError, match="E8"):
        work.e8_case(tensor, 1000)


def test_turns_are_taken():
    order = []
    times = harness.take_turns([lambda part, k=k: order.append((k, part)) for k in range(3)], harness.Effort(3, 0.0), parts=6)
    assert [k for k, _ in order] == [0, 1, 2] + [0, 1, 2] + [1, 2, 0] + [2, 0, 1] and [len(t) for t in times] == [3, 3, 3]
    for turn in range(1, 4):        # in one round nobody works on what another has just read
        assert len({part for _, part in order[3 * turn : 3 * turn + 3]}) == 3


def test_parts_cover_the_data(tensor):
    assert len(work.in_parts(tensor)) == 1
    whole = work.real_tensor(200_000_000)
    parts = work.in_parts(whole)
    assert len(parts) == 3 and all(part.nbytes >= 64_000_000 for part in parts)


def test_command_reports_an_error(monkeypatch):
    def refuse(tensor, quick):
        raise harness.BenchError("sides differ")

    monkeypatch.setattr(work, "wanted_bytes", lambda: 1)
    monkeypatch.setattr(work, "cases", refuse)
    result = CliRunner().invoke(app, ["bench", "--json"])
    assert result.exit_code == 1 and "sides differ" in result.output
