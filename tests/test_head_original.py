"""Certified products that are true to the weights before they were coded: every bound held against fractions of the original."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gnosis.errors import ArgumentError, DtypeError, LengthError, RangeError
from gnosis.inference import CertifiedHead, CertifiedLinear, NestedCode, record
from gnosis.inference.original import Original
from gnosis.lm.weights import Weight

CASES = [(rows, columns, scale, seed) for seed, (rows, columns, scale) in enumerate([(40, 64, 1.0), (70, 96, 1e-3), (12, 32, 300.0), (33, 64, 1e-4)])]


def case(rows: int, columns: int, scale: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights whose rows come in near pairs, so that the code's error decides between them, and an activation."""
    rng = np.random.default_rng(seed)
    w = (rng.standard_normal((rows, columns)) * scale).astype(np.float32)
    w[1::2] = w[: rows // 2 * 2 : 2] * (1 + 1e-3 * rng.standard_normal((rows // 2, 1)).astype(np.float32))
    return w, rng.standard_normal(columns).astype(np.float32)


def exact(w: np.ndarray, a: np.ndarray) -> list[Fraction]:
    x = [Fraction(float(v)) for v in a]
    return [sum((Fraction(float(p)) * q for p, q in zip(row, x)), Fraction(0)) for row in w]


def misses(z: np.ndarray, eps: np.ndarray, truth: list[Fraction]) -> int:
    return sum(abs(Fraction(float(a)) - t) > Fraction(float(e)) for a, e, t in zip(z, eps, truth))


@pytest.mark.parametrize("shape", CASES)
def test_bounds_hold_for_the_original_exactly(shape):
    w, a = case(*shape)
    truth = exact(w, a)
    head = CertifiedHead(w, split=4)
    assert head.true_to == "original weights" and misses(*head.bounds(a), truth) == 0
    y, err = head.original.products(a, np.arange(len(w)))
    assert misses(y, err, truth) == 0 and head.original.exact(a, np.arange(len(w))) == truth
    stored = exact(head.code.weight.decoded(), a)
    assert all(abs(t - s) <= Fraction(float(c)) for t, s, c in zip(truth, stored, head.original.code_error(a)))
    product = CertifiedLinear(w, 0.5, 4)
    out = product(np.stack([a, -a]))
    assert misses(out[0], product.last_bounds[0], truth) == 0 and misses(out[1], product.last_bounds[1], [-t for t in truth]) == 0


def test_without_the_code_error_the_bounds_are_missed():
    """Red: bounds of the stored code, and energies of nothing, do not hold for the original."""
    w, a = case(*CASES[0])
    truth = exact(w, a)
    head = CertifiedHead(w)
    stored = CertifiedHead(head.code)
    assert stored.true_to == "stored code"
    product, true = CertifiedLinear(head.code, 0.0), CertifiedLinear(w, 0.0)
    assert misses(product(a[None])[0], product.last_bounds[0], truth) > len(w) // 2 and misses(true(a[None])[0], true.last_bounds[0], truth) == 0
    true._original = Original(w, np.zeros(len(w)))
    assert misses(true(a[None])[0], true.last_bounds[0], truth) > len(w) // 2


@pytest.mark.parametrize("shape", CASES)
def test_the_answers_are_those_of_the_original(shape):
    w, _ = case(*shape)
    head, other = CertifiedHead(w), 0
    stored = CertifiedHead(head.code)
    for seed in range(40):
        a = np.random.default_rng([seed, 7]).standard_normal(w.shape[1]).astype(np.float32)
        truth = exact(w, a)
        found = head.decide(a)
        best = sorted(range(len(w)), key=lambda i: (-truth[i], i))
        assert found.token == truth.index(max(truth)) and found.true_to == "original weights" and found.candidates >= found.contenders >= 1
        assert Fraction(found.coarse_margin) <= truth[best[0]] - truth[best[1]]
        assert head.top_k(a, 3) == [(i, truth[i]) for i in best[:3]] and head.certified_margin(a) == truth[best[0]] - truth[best[1]]
        other += stored.decide(a).token != found.token
        assert stored.decide(a).true_to == "stored code"
    # the code alone decides otherwise at some places: the two statements are not the same
    assert other > 0


def test_an_original_beside_a_code_and_ties():
    w, a = case(*CASES[1])
    code = CertifiedHead(w).code
    for beside in (code, code.weight):
        head = CertifiedHead(beside, original=w)
        assert head.true_to == "original weights" and head.decide(a) == CertifiedHead(w).decide(a)
    w[5] = w[9] = 4 * w[5]
    head = CertifiedHead(w)
    a = w[5].copy()
    assert head.argmax(a) == 5 and head.certified_margin(a) == 0 and head.decide(np.zeros_like(a)).true_to == "original weights"
    half = w.astype(np.float16)
    assert CertifiedHead(half).argmax(a) == exact(half, a).index(max(exact(half, a)))


@pytest.mark.parametrize("make", [CertifiedHead, lambda *w, **k: CertifiedLinear(*w, gamma=1.0, **k)])
def test_what_cannot_be_used_is_named(make):
    w, _ = case(*CASES[0])
    code = NestedCode(CertifiedHead(w).code.weight)
    for value, kind, name in (
        (w.astype(np.float64), DtypeError, "weight"),
        (w.tolist(), DtypeError, "weight"),
        (w[:, :33], LengthError, "weight"),
        (w[0], LengthError, "weight"),
        (w * np.float32(1e-7), RangeError, "weight"),  # scales of half precision underflow
        (np.where(np.arange(64) == 3, np.nan, w).astype(np.float32), ArgumentError, "weight"),
    ):
        with pytest.raises(kind) as found:
            make(value)
        assert found.value.argument == name
    for value, kind in ((w[:-1], LengthError), (w.astype(np.int32), DtypeError)):
        with pytest.raises(kind) as found:
            make(code, original=value)
        assert found.value.argument == "original"
    with pytest.raises(DtypeError) as found:
        make(w, original=w)
    assert found.value.argument == "weight"


def test_records_are_about_stored_codes(tmp_path):
    w, a = case(*CASES[0])
    head = CertifiedHead(w)
    with pytest.raises(ArgumentError, match="a record is about the stored code"):
        record.write(tmp_path / "r", head, "x", "0" * 64, [(head.decide(a), a)])
    stored = CertifiedHead(Weight("w", "Q8_0", head.code.weight.raw, 64))
    assert record.write(tmp_path / "r", stored, "x", "0" * 64, [(stored.decide(a), a)]) == 1
