"""The conformal gate, its calibration, and what calibration says about the unseen."""

import itertools
import json
import math
import random
from fractions import Fraction
from pathlib import Path

import floats
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import ArgumentError, DtypeError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import conformal as gates
from gnosis.gates.conformal import Calibration, ConformalGate, calibrate, kept_for, rank

PEERS = json.loads(Path(__file__).with_name("recorded_peers.json").read_text())
small = st.lists(st.integers(-4, 4), max_size=7)
levels = st.integers(2, 40).flatmap(lambda d: st.tuples(st.integers(1, d - 1), st.just(d)))
finite = st.floats(allow_nan=False, allow_infinity=False)


# ---- the decisions on integers ----


def excess_lies(threshold):
    """Over all orders of small score sets, ties included: how often the threshold lies more than the level allows."""
    wrong = 0
    for n in range(1, 5):
        for scores in itertools.combinations_with_replacement(range(3), n + 1):
            orders = list(itertools.permutations(scores))
            for num, den in ((1, 2), (2, 3), (3, 4), (9, 10), (1, 5)):
                thresholds = [(x, threshold(rest, num, den)) for x, *rest in orders]
                wrong += sum(t is not None and x > t for x, t in thresholds) * den > (den - num) * len(orders)
    return wrong


def test_the_lie_rate_over_all_orders():
    assert excess_lies(gates.conformal_threshold) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda s, num, den: gates.kth_smallest(gates.conformal_rank(len(s), num, den) - 1, s) if s else None,  # one rank less
        lambda s, num, den: gates.kth_smallest(-(-len(s) * num // den), s),  # the plus one lost
        lambda s, num, den: gates.kth_smallest(min(len(s), gates.conformal_rank(len(s), num, den)), s),  # clamped instead of infinite
        lambda s, num, den: gates.sort_up(s)[-max(1, int(len(s) * (den - num) / den))],  # scores[-int(n·α)]
    ],
    ids=["off by one", "no plus one", "clamped", "negative index"],
)
def test_a_wrong_rank_is_caught(wrong):
    assert excess_lies(wrong) > 0


def test_the_rank_is_the_least():
    for n in range(40):
        for den in range(1, 25):
            for num in range(den + 1):
                k = gates.conformal_rank(n, num, den)
                assert k * den >= (n + 1) * num and (k == 0 or (k - 1) * den < (n + 1) * num)
    assert gates.conformal_rank(5, 2, 3) == 4 and gates.conformal_threshold([3, 1, 4, 1, 5], 2, 3) == 4
    assert gates.conformal_admit([3, 1, 4, 1, 5], 2, 3, 8) and not gates.conformal_admit([3, 1, 4, 1, 5], 2, 3, 7)
    assert not gates.conformal_admit([3, 1, 4, 1, 5], 99, 100, 1000) and not gates.conformal_admit([-3], 1, 2, -1)
    assert gates.conformal_rank(3, 1, 0) == 0 and gates.conformal_threshold([1], 1, 0) is None


@given(small, st.integers(0, 9), st.integers(-5, 5))
def test_ranks_and_thresholds_say_the_same(s, k, x):
    t = gates.kth_smallest(k, s)
    assert (t is None) == (not 1 <= k <= len(s))
    if t is not None:
        assert gates.lies(k, x, s) == (t < x) == gates.lies_order(k, [x, *s])
        assert gates.sort_up([x, *s]) == gates.insert_up(x, gates.sort_up(s)) == sorted([x, *s])
    assert gates.insert_up(x, s).count(x) == s.count(x) + 1
    assert gates.pool_above(s, [x]) == sum(y > x for y in s) and gates.pool_above(s, []) == len(s)


# ---- the gate ----


@given(st.lists(finite, max_size=12), levels, finite.map(abs))
def test_gate_is_the_exact_predicate(scores, q, γ):
    gate = calibrate(scores, q)
    unit = math.lcm(1, *(Fraction(x).denominator for x in (*scores, γ)))
    ints = [int(Fraction(x) * unit) for x in scores]
    verdict = gate.decide(γ)
    assert verdict.admit == gates.conformal_admit(ints, *q, int(Fraction(γ) * unit))
    threshold = gates.conformal_threshold(ints, *q)
    assert gate.threshold == (None if threshold is None else Fraction(threshold, unit))
    assert verdict.margin == (None if threshold is None else Fraction(γ) - 2 * gate.threshold)
    assert gate.rate <= 1 - gate.level and (gate.threshold is None) == (gate.least_margin is None)
    assert gate.decide_many([γ]).tolist() == [verdict.admit] == gate.decide_many(np.array([γ])).tolist()


def disagreements(decide_many):
    wrong = 0
    for q in (0.1, 1.0, Fraction(1, 3), 5e-324, Fraction(1, 2**1080), floats.MOST, -1, 0, 10**400):
        gate = calibrate([q] * 3, "0.5")
        centre = 2 * Fraction(q)
        near = [v for v in floats.near(float(centre)) if v >= 0] if abs(centre) < Fraction(floats.MOST) else []
        γ = np.array([*near, 0.0, floats.MOST, floats.LEAST])
        truth = [Fraction(v) >= centre for v in γ.tolist()]
        wrong += sum(a != b for a, b in zip(decide_many(gate, γ), truth, strict=True))
        wrong += sum(
            a != b
            for a, b in zip(
                decide_many(gate, [Fraction(v) + d for v in γ.tolist() for d in (0, Fraction(1, 10**400))]),
                [Fraction(v) + d >= centre for v in γ.tolist() for d in (0, Fraction(1, 10**400))],
                strict=True,
            )
        )
    return wrong


def test_decide_many_at_the_threshold():
    assert disagreements(ConformalGate.decide_many) == 0
    rng = np.random.default_rng(3)
    threshold = 0.3
    γ = np.concatenate([np.nextafter(2 * threshold, side, dtype=float) * np.ones(250_000) for side in (0, 9)] + [2 * threshold + rng.normal(0, 1e-16, 500_000)])
    assert np.array_equal(calibrate([threshold] * 9, 0.5).decide_many(γ), γ >= 2 * threshold)  # a million: doubling is exact


@pytest.mark.parametrize(
    "wrong",
    [
        lambda gate, γ: np.asarray(γ, dtype=float) >= 2 * np.float64(float(min(gate.threshold, Fraction(floats.MOST)))),
        lambda gate, γ: np.asarray([float(x) / 2 for x in γ]) >= float(min(gate.threshold, Fraction(floats.MOST))),
    ],
    ids=["rounded threshold", "halved margin"],
)
def test_a_rounded_comparison_is_caught(wrong):
    with np.errstate(over="ignore"):
        assert disagreements(wrong) > 0


@pytest.mark.parametrize(
    "n, level, k, finite",
    [(74, 0.68, 51, True), (9, 0.9, 9, True), (19, 0.95, 19, True), (18, 0.95, 19, False), (48, 0.99, 49, False), (4, 0.9, 5, False), (0, 0.5, 1, False)],
)
def test_known_ranks(n, level, k, finite):
    gate = calibrate(np.arange(1.0, n + 1), level)
    assert gate.rank == k and gate.threshold == (k if finite else None)
    assert gate.decide(10**9).admit == finite  # too few scores admit nothing, whatever the margin
    assert (gate.decide(10**9).margin is None) == (not finite) and gate.decide_many(np.full(3, floats.MOST)).tolist() == [finite] * 3
    if finite:
        assert gate.decide(2 * k).margin == 0 and not gate.decide(math.nextafter(2 * k, 0)).admit


@pytest.mark.parametrize("row", PEERS["away"], ids=lambda row: f"{row['n']} at {row['level']}")
def test_peers_agree_away_from_the_boundary(row):
    ours = calibrate(np.arange(1.0, row["n"] + 1), row["level"]).threshold
    assert (row["n"] + 1) * Fraction(row["level"]) % 1 != 0
    assert [row[peer] for peer in ("crepes", "puncc", "mapie")] == [ours] * 3


def test_at_the_boundary_every_peer_is_off_somewhere_and_this_gate_is_not():
    for peer in ("crepes", "puncc", "mapie"):
        right = [row[peer] == (rank(row["n"], row["level"]) if rank(row["n"], row["level"]) <= row["n"] else "inf") for row in PEERS["boundary"]]
        assert not all(right) and any(right)
    for row in PEERS["boundary"]:
        k = -(-(row["n"] + 1) * Fraction(row["level"]) // 1)
        assert calibrate(np.arange(1.0, row["n"] + 1), float(row["level"])).threshold == (k if k <= row["n"] else None)


def test_exchangeable_scores_lie_as_often_as_said():
    rng = np.random.default_rng(8)
    draws = np.exp(rng.normal(0, 0.8, (20_000, 20)))  # heavy tails
    lied = np.mean([calibrate(row[1:], 0.9).threshold < Fraction(row[0]) for row in draws[:4000]])
    assert abs(lied - 2 / 20) < 0.02 and calibrate(draws[0, 1:], 0.9).rate == Fraction(2, 20)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: calibrate([1, math.nan], 0.5), NonFiniteError, r"scores\[1\]"),
        (lambda: calibrate(np.array([1, 2, math.inf]), 0.5), NonFiniteError, r"scores\[2\]"),
        (lambda: calibrate(np.ones((2, 2)), 0.5), LengthError, "scores"),
        (lambda: calibrate(["1"], 0.5), DtypeError, r"scores\[0\]"),
        (lambda: calibrate("12", 0.5), LengthError, "scores"),
        (lambda: calibrate([1], 0), RangeError, "level = 0"),
        (lambda: calibrate([1], 1), RangeError, "level = 1"),
        (lambda: calibrate([1], -0.1), RangeError, "level"),
        (lambda: calibrate([1], math.nan), NonFiniteError, "level"),
        (lambda: ConformalGate(0.9, 18, 5), None, ""),
        (lambda: ConformalGate(0.95, 18, 5), RangeError, "threshold = 5"),
        (lambda: ConformalGate(0.9, 18, None), RangeError, "threshold = None"),
        (lambda: ConformalGate(0.9, 18, math.inf), NonFiniteError, "threshold"),
        (lambda: ConformalGate(0.9, 18.0, 5), DtypeError, "count"),
        (lambda: ConformalGate(0.9, -1, None), RangeError, "count"),
        (lambda: calibrate([1], 0.5).decide(-1), NegativeError, "gamma"),
        (lambda: calibrate([1], 0.5).decide(math.nan), NonFiniteError, "gamma"),
        (lambda: calibrate([1], 0.5).decide_many([1, -1]), NegativeError, r"gamma\[1\]"),
        (lambda: calibrate([1], 0.5).decide_many(np.array([1, math.nan])), NonFiniteError, r"gamma\[1\]"),
        (lambda: calibrate([1], 0.9).decide_many(np.array([math.nan])), NonFiniteError, r"gamma\[0\]"),
        (lambda: calibrate([1], 0.5).decide_many(np.ones((1, 1))), LengthError, "gamma"),
    ],
)
def test_bad_input_is_named(call, error, name):
    if error is None:
        call()
        return
    with pytest.raises(error, match=f"^{name}"):
        call()


# ---- calibration that grows and is merged ----

shards = st.lists(st.lists(st.integers(-5, 5).map(lambda n: n / 4) | st.fractions(max_denominator=9) | st.integers(-3, 3), max_size=8), min_size=1, max_size=5)


@given(shards, levels, st.data())
def test_merging_is_exact(parts, q, data):
    everything = [x for part in parts for x in part]
    needed = kept_for(q, len(everything))
    calibrations = []
    for part in parts:
        one = Calibration(data.draw(st.none() | st.integers(needed, needed + 3)))
        cut = data.draw(st.integers(0, len(part)))
        one.add(part[:cut])
        for x in part[cut:]:
            one.add(x)
        calibrations.append(one)
    data.draw(st.randoms()).shuffle(calibrations)
    while len(calibrations) > 1:
        a, b = calibrations.pop(), calibrations.pop(0)
        calibrations.append(a.merge(b))
    merged = calibrations[0]
    assert merged.count == len(everything)
    expected = calibrate(everything, q)
    assert merged.gate(q) == expected
    again = Calibration.loads(merged.dumps())
    assert again.gate(q) == expected and again.dumps() == merged.dumps()


@given(shards, st.lists(st.integers(1, 4) | st.none(), min_size=5, max_size=5), levels)
def test_what_was_not_kept_is_never_guessed(parts, keeps, q):
    merged = Calibration(1)
    for part, keep in zip(parts, keeps):
        one = Calibration(keep)
        one.add(part)
        merged = one.merge(merged)
        merged.add(part[:2])
    everything = [x for part in parts for x in (*part, *part[:2])]
    try:
        gate = merged.gate(q)
    except RangeError as error:
        assert error.argument == "level" and "are kept" in str(error)
    else:
        assert gate == calibrate(everything, q)


def faulty_merges(merge):
    rng, wrong = random.Random(2), 0
    for _ in range(300):
        parts = [[rng.randrange(20) for _ in range(rng.randrange(1, 12))] for _ in range(2)]
        both = []
        for part in parts:
            one = Calibration(rng.randrange(1, 4))
            one.add(part)
            both.append(one)
        merged = merge(*both)
        for q in ((1, 2), (3, 4), (9, 10)):
            try:
                wrong += merged.gate(q) != calibrate(parts[0] + parts[1], q)
            except RangeError:
                pass
    return wrong


def test_a_careless_merge_is_caught():
    def careless(a, b):
        result = Calibration(8)
        result.add(np.concatenate([a._largest(), b._largest()]))
        result.count = result._folded = a.count + b.count
        result._top, result._new = result._new[0], []
        return result

    assert faulty_merges(Calibration.merge) == 0
    assert faulty_merges(careless) > 0


def test_scores_one_by_one():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=12_000)
    one = Calibration(kept_for("0.9", len(scores)))
    for i, x in enumerate(scores.tolist()):
        one.add(x)
        if i % 3000 == 50:
            assert one.gate("0.99") == calibrate(scores[: i + 1], "0.99")
    scores_then = scores.copy()
    one.add(scores)
    scores[:] = 1e9  # what was added is not shared
    assert one.gate("0.99") == calibrate(np.concatenate([scores_then, scores_then]), "0.99")


def test_floats_and_fractions_mix_exactly(tmp_path):
    one, two = Calibration(), Calibration()
    one.add(np.array([0.1, 0.5], dtype=np.float32))
    two.add([Fraction(1, 10), 2**70 + 1, 0.1])
    merged = one.merge(two)
    assert merged.gate("0.5").threshold == Fraction(float(np.float32(0.1))) and merged.gate("0.8").threshold == 2**70 + 1
    merged.save(tmp_path / "c.json")
    assert Calibration.load(tmp_path / "c.json").gate("0.8") == merged.gate("0.8")
    assert list(tmp_path.iterdir()) == [tmp_path / "c.json"]


def test_an_error_changes_nothing():
    one = Calibration(3)
    one.add([1, 2])
    before = one.dumps()
    for bad in ([3, math.nan], np.array([math.inf]), ["4"], np.ones((2, 2)), math.nan, True):
        with pytest.raises(ArgumentError, match="^scores"):
            one.add(bad)
    with pytest.raises(DtypeError, match="^other"):
        one.merge(calibrate([1], 0.5))
    assert one.dumps() == before


HALVES = "0x1.8000000000000p+0"
SAVED = '{"format": "gnosis.calibration", "version": 1, "count": 5, "keep": 2, "top": ["0x1.8000000000000p+0", "1/3"]}'


@pytest.mark.parametrize(
    "old, new, named",
    [
        ("", "", None),
        ('"count": 5', '"count": 1', "top"),
        ('"count": 5', '"count": "5"', "count"),
        ('"count": 5', '"count": 5.0', "count"),
        ('"count": 5', '"count": -5', "count"),
        ('"count": 5', '"count": true', "count"),
        ('"count": 5', '"count": 5, "count": 6', "calibration"),
        ('"keep": 2', '"keep": 1', "top"),
        ('"keep": 2', '"keep": 0', "keep"),
        *(
            (HALVES, new, "top")
            for new in (
                "nan",
                "inf",
                "0x1p+9999",
                "0x1.0000000000000p+9999",
                "0x1.8p+0",
                "1.5",
                "0X1.8000000000000P+0",
                "0x1.8000000000000p0",
                "+0x1.8000000000000p+0",
            )
        ),
        ("1/3", "1/0", "top"),
        *(
            ("1/3", new, "top")
            for new in (
                "1.5x",
                "٣/٤",
                "1_0/3",
                "1/-2",
                "2/4",
                " 1/3",
                "1/3 ",
                "+1/3",
                "1/1",
                "01/3",
                "1/03",
                "-0/3",
                "-0",
                "1e3",
                "1/3/5",
                "/3",
                "1/",
                "",
                "9" * 5000,
            )
        ),
        ('"1/3"', "NaN", "calibration"),
        ('"1/3"', "0.5", "top"),
        ('"top"', '"tops"', "calibration"),
        ('"version": 1', '"version": 2', "calibration"),
        ('"version": 1', '"version": true', "calibration"),
        ("gnosis.calibration", "gnosis.account", "calibration"),
        ("}", "", "calibration"),
        ("}", "} {}", "calibration"),
        (f'["{HALVES}", "1/3"]', "[]", "top"),
        (f'["{HALVES}", "1/3"]', "{}", "top"),
    ],
)
def test_a_file_that_lies_is_refused(old, new, named):
    assert old in SAVED
    text = SAVED.replace(old, new) if old else SAVED
    if named is None:
        assert Calibration.loads(text).gate("0.8").threshold == Fraction(3, 2)
        return
    with pytest.raises(ArgumentError, match=f"^{named}"):
        Calibration.loads(text)


def test_a_file_of_other_bytes_is_refused(tmp_path):
    (tmp_path / "c").write_bytes(b"\xff\xfe")
    with pytest.raises(ArgumentError, match="^calibration"):
        Calibration.load(tmp_path / "c")
