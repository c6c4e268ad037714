"""The exact head of the engine: the exact argmax, whatever the numbers, for every code, in batches, with threads; and what it refuses."""

from __future__ import annotations

import os
import re
import threading
from dataclasses import astuple
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import tiny_llama
from test_engine import k_blocks

from gnosis.conformance.floats import exact_head as lane
from gnosis.conformance.running import nearness
from gnosis.core import blocks, cpu
from gnosis.core import engine as kernel
from gnosis.engine import Engine
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError
from gnosis.gates import head as gate
from gnosis.inference import CertifiedHead, ExactHead, record
from gnosis.inference.exact import products
from gnosis.inference.reference import Reference
from gnosis.lm import Model, Weight
from gnosis.studies import head as study


@pytest.fixture(params=cpu.available())
def isa(request):
    cpu.force(request.param)
    yield request.param
    cpu.force(None)


def floats(rows: np.ndarray) -> Weight:
    rows = np.ascontiguousarray(rows, np.float32)
    return Weight("w", "F32", rows.view(np.uint8).reshape(len(rows), -1), rows.shape[1])


def coded(encoding: str, rows: int, seed: int = 0) -> Weight:
    rng, columns = np.random.default_rng(seed), 256
    if encoding in ("F16", "BF16", "F32"):
        values = rng.standard_normal((rows, columns), dtype=np.float32)
        raw = values if encoding == "F32" else values.astype(np.float16) if encoding == "F16" else (values.view(np.uint32) >> 16).astype(np.uint16)
        return Weight("w", encoding, np.ascontiguousarray(raw).view(np.uint8).reshape(rows, -1), columns)
    return Weight("w", encoding, k_blocks(rng, encoding, rows, columns), columns)


def activations(n: int, columns: int = 256, seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, columns), dtype=np.float32)


def test_constructed_errors_come_near_to_their_bounds(isa) -> None:
    rng = Random(1)
    with nearness.collecting() as near:
        for make in (lane._half_way, lane._lost, lane._wild, lane._collinear):
            for _ in range(12):
                assert lane._run_scores(*make(rng)).fault is None
        for _ in range(6):
            assert lane._run_products(*lane._sums(rng)).fault is None
            assert lane._run_head(*lane._head_case(rng)).fault is None
    found = {n.name: n.ratio for n in near}
    assert len(found) == 5
    for name, ratio in found.items():
        assert 0.9 <= ratio <= 1, (name, ratio)


@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_every_bound_holds_exactly(isa, encoding) -> None:
    """Also across a tile, with rows that do not fill a group; and products() gives the exact numbers."""
    weight, (a,) = coded(encoding, 133), activations(1)
    truth = [sum((Fraction(float(w)) * Fraction(float(x)) for w, x in zip(row, a)), Fraction(0)) for row in weight.decoded()]
    head = ExactHead(weight)
    z, eps = head.bounds(a)
    assert len(z) == 133 and all(abs(Fraction(x) - y) <= Fraction(e) for x, e, y in zip(z.tolist(), eps.tolist(), truth))
    assert products(weight, a, np.arange(133)) == truth
    order = sorted(range(133), key=lambda i: (-truth[i], i))
    assert head.argmax(a) == order[0] and head.top_k(a, 5) == [(i, truth[i]) for i in order[:5]]
    assert head.certified_margin(a) == truth[order[0]] - truth[order[1]] >= head.decide(a).coarse_margin


@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_batches_threads_and_instruction_sets_have_the_same_bits(encoding) -> None:
    weight, a = coded(encoding, 300), activations(70)
    first = None
    try:
        for name in cpu.available():
            cpu.force(name)
            for threads in (1, 3):
                head = kernel.Head(encoding, weight.raw, 256, threads=threads)
                z, eps = np.empty((2, 64, head.stride), np.float32)
                some = [head.scores(a[:64], z, eps), z.copy(), eps.copy()]
                one, bound = np.empty((2, 1, head.stride), np.float32)
                for t in (0, 13, 63):
                    exponent, low, high = head.scores(a[t : t + 1], one, bound)
                    assert (exponent[0], low.tobytes(), high.tobytes()) == (some[0][0][t], some[0][1][t].tobytes(), some[0][2][t].tobytes())
                    assert one.tobytes() == z[t].tobytes() and bound.tobytes() == eps[t].tobytes()
                bits = b"".join(x.tobytes() for x in (*some[0], *some[1:]))
                first = first or bits
                assert bits == first
        tokens = ExactHead(weight).decide_many(a)
        alone = ExactHead(weight, threads=3)
        assert [alone.decide(x) for x in a] == tokens and alone.argmax_many(a).tolist() == [t.token for t in tokens]
        assert np.array_equal(alone.argmax_many(a), Reference(weight).argmax(a))
    finally:
        cpu.force(None)


def test_ties_one_ulp_and_large_cancellations(isa) -> None:
    rng = np.random.default_rng(2)
    row = rng.standard_normal(64, dtype=np.float32)
    near = row.copy()
    near[7] = np.nextafter(near[7], np.float32(np.inf))
    rows = np.stack([row, row, near, near, -row, row])
    for scale in (2.0**-149, 1e-30, 1.0, 1e30):
        a = (rng.standard_normal(64) * scale).astype(np.float32)
        a[7] = np.float32(scale)
        a[63] = -(rows[0, :63].astype(np.float64) @ a[:63]) / rows[0, 63]  # the products nearly cancel
        head = ExactHead(floats(rows))
        truth = [sum((Fraction(float(w)) * Fraction(float(x)) for w, x in zip(r, a)), Fraction(0)) for r in rows]
        order = sorted(range(6), key=lambda i: (-truth[i], i))
        found = head.decide(a)
        assert found.token == order[0] and found.candidates >= 2 and head.top_k(a, 6) == [(i, truth[i]) for i in order]
        assert head.certified_margin(a) == truth[order[0]] - truth[order[1]]
        assert ExactHead(floats(rows[[0, 1, 5]])).decide(a).contenders == 3  # whole numbers, and the first of three that are equal


def test_zeros_subnormals_and_the_ends_of_the_range(isa) -> None:
    rows = np.zeros((5, 32), np.float32)
    rows[1, 0], rows[3, 0], rows[4, 31] = 2.0**-149, 2.0**-140, -1.0
    head = ExactHead(floats(rows))
    assert head.argmax(np.zeros(32, np.float32)) == 0 and head.certified_margin(np.zeros(32, np.float32)) == 0
    assert head.top_k(np.zeros(32, np.float32), 2) == [(0, Fraction(0)), (1, Fraction(0))]
    for x in (2.0**-149, 1.0, 3.4e38):
        a = np.zeros(32, np.float32)
        a[0] = x
        assert head.argmax(a) == 3 and head.certified_margin(a) == Fraction(float(np.float32(x))) * (Fraction(2) ** -140 - Fraction(2) ** -149)
        a[31] = 3.4e38
        assert head.argmax(a) == 3 and head.decide(a).candidates >= 3


def test_the_order_of_work_is_that_of_the_gate() -> None:
    """On whole numbers with whole bounds, `head_served` and `head_top_k` serve what the head serves."""
    weight, a = coded("Q8_0", 40, 3), activations(20)
    head = ExactHead(weight)
    for x in a:
        z, eps = (v.tolist() for v in head.bounds(x))
        truth = products(weight, x, np.arange(40))
        unit = Fraction(2) ** 120
        whole = [[int(Fraction(v) * unit) for v in side] for side in (z, eps, truth)]
        assert all(Fraction(v) * unit == w for v, w in zip(truth, whole[2]))
        served = gate.head_top_k(3, whole[0], whole[1], whole[2], [0] * 40, whole[2])
        assert [i for i, _ in head.top_k(x, 3)] == served and head.argmax(x) == served[0]


def test_an_engine_lends_its_head(tmp_path) -> None:
    model = Model.load(str(tiny_llama.write(tmp_path / "m.gguf", tiny_llama.tensors(kind="Q8_0"))))
    weight = model.weights[model.head_name]
    with Engine.of_model(model, 8, 2) as engine:
        lent, own = ExactHead(engine), ExactHead(weight)
        assert lent.nbytes == 4 * lent._kernel.stride < own.nbytes
        hidden = engine.prefill([1, 2, 3], engine.cache(8), "none").hidden
        assert lent.decide_many(hidden) == own.decide_many(hidden)
        assert np.array_equal(lent.argmax_many(hidden), Reference(weight).argmax(hidden))
        logits = engine.prefill([1, 2, 3], engine.cache(8), "all").logits
        assert np.array_equal(lent.unbounded(hidden, 8), logits.argmax(axis=1))
        with pytest.raises(LengthError, match="the engine's head is"):
            kernel.Head("Q8_0", weight.raw[:-1], weight.columns, engine._kernel)
    with pytest.raises(RangeError, match="closed"):
        lent.decide(hidden[0])
    with pytest.raises(RangeError, match="closed"):
        ExactHead(engine)


def test_several_python_threads_and_a_fork() -> None:
    weight, a = coded("Q8_0", 500), activations(40)
    head = ExactHead(weight, 2)
    want, found = head.argmax_many(a).tolist(), []
    workers = [threading.Thread(target=lambda: found.append([head.argmax(x) for x in a])) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [want] * 4
    child = os.fork()
    if not child:
        os._exit(0 if head.argmax_many(a).tolist() == want else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_what_is_refused() -> None:
    weight = coded("Q8_0", 20)
    head = ExactHead(weight)
    for bad, error in (
        (np.zeros(256), DtypeError),
        (np.zeros(255, np.float32), LengthError),
        (np.zeros((1, 256), np.float32), LengthError),
        ([0.0] * 256, DtypeError),
    ):
        with pytest.raises(error, match="activation"):
            head.decide(bad)
    for bad, error in ((np.zeros((2, 256)), DtypeError), (np.zeros((2, 255), np.float32), LengthError), (np.zeros(256, np.float32), LengthError)):
        with pytest.raises(error, match="activations"):
            head.decide_many(bad)
    for x in (np.nan, np.inf, -np.inf):
        a = activations(3)
        a[1, 17] = x
        for call in (
            head.decide_many,
            head.argmax_many,
            head.unbounded,
            lambda v: head.top_k(v[1], 1),
            lambda v: head.bounds(v[1]),
            lambda v: head.decide(v[1]),
        ):
            with pytest.raises(NonFiniteError, match=re.escape(", 17]") if call in (head.decide_many, head.argmax_many) else "17"):
                call(a)
    for k in (0, 21, 1.5):
        with pytest.raises(RangeError, match="k = "):
            head.top_k(activations(1)[0], k)
    for threads in (0, 257):
        with pytest.raises(RangeError, match="threads"):
            ExactHead(weight, threads)
    with pytest.raises(LengthError, match="at least two rows"):
        ExactHead(coded("Q8_0", 1))
    with pytest.raises(RangeError, match=r"2\^100"):
        ExactHead(floats(np.full((2, 32), 1e30)))
    with pytest.raises(RangeError, match="bits"):
        head.unbounded(activations(1), 12)
    with pytest.raises(LengthError, match="1 to 64"):
        head.unbounded(activations(65))
    with pytest.raises(RangeError, match=re.escape("index[1] = 20")):
        head._kernel.products(np.zeros(256), np.array([0, 20]))
    with pytest.raises(RangeError, match="x = 2"):
        head._kernel.products(np.full(256, 2.0), np.array([0]))


# ---- real positions ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    from gnosis.lm import corpus

    model = Model.load("smollm2")
    weight = model.weights["token_embd.weight"]
    hidden = np.concatenate(list(study.hidden_states(model, corpus.installed(), 3, 48)))
    return weight, hidden, Reference(weight)


def test_real_positions_are_decided_exactly(real, tmp_path) -> None:
    weight, hidden, reference = real
    head = ExactHead(weight)
    found = study.compare(head, reference, iter([hidden]), len(hidden), lambda *_: None)
    summary = study.summary(head, found, reference)
    assert summary["equal"] == summary["positions"] == 48 and summary["candidates"]["max"] <= 4 and summary["split"] is None
    assert found.tokens == head.decide_many(hidden) and 1 < summary["bytes_vs_q8"] < 1.01
    assert 0.05 < study.error_over_bound(head, reference, hidden[:8])["max"] < 1
    nested = CertifiedHead(weight)
    assert [t.token for t in found.tokens[:8]] == nested.argmax_many(hidden[:8]).tolist()
    path = tmp_path / "tokens.jsonl"
    assert record.write(path, head, "smollm2", "ab", zip(found.tokens, hidden)) == 48
    assert isinstance(record.head_of(weight, record.opening(path)), ExactHead)
    assert record.replay(path, ExactHead(weight, threads=2), "ab", reference) == 48


def test_the_check_notices_bounds_that_are_too_small(real, monkeypatch) -> None:
    """With a tenth of the bound, and with scores of 8 bits under it, some row is outside; and a wrong token is counted."""
    weight, hidden, reference = real
    head = ExactHead(weight)
    bounds = head.bounds
    monkeypatch.setattr(head, "bounds", lambda a: (bounds(a)[0], bounds(a)[1] / 10))
    assert study.error_over_bound(head, reference, hidden[:8])["max"] > 1
    decide, calls = head.decide, []

    def sometimes(a):
        calls.append(decide(a))
        return calls[-1] if len(calls) != 7 else type(calls[-1])(*((calls[-1].token + 1) % 49152, *astuple(calls[-1])[1:6], calls[-1].price))

    monkeypatch.setattr(head, "decide", sometimes)
    assert study.compare(head, reference, iter([hidden[:12]]), 12, lambda *_: None).equal == 11
