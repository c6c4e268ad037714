"""The race of drafters: nothing leaks into what is held out, the gate is the exact one, and the estimates do not see the truth."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import tiny_llama
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.core.lattice import nearest_cubic
from gnosis.errors import ArgumentError, NonFiniteError
from gnosis.gates.conformal import ConformalGate
from gnosis.lm import Model
from gnosis.lm.corpus import Text
from gnosis.studies import speculators as s
from gnosis.studies import tiles


@pytest.fixture(scope="module")
def split() -> tiles.Split:
    return tiles.autoregressive(16, 8, 0.9, 0)


@pytest.fixture(scope="module")
def rows(split) -> dict[tuple[float, str], dict]:
    return {(r["step"], r["drafter"]): r for r in s.race(split)}


def words(seed: int, n: int = 700) -> str:
    return "".join(np.random.default_rng(seed).choice(list("abcdefgh \n"), n))


# ---- the split ----


def test_a_planted_leak_is_refused(split):
    held = split.held.copy()
    held[3, 5] = split.train[0, 7]
    assert tiles.leaked(split.train, held) == 1 and tiles.leaked(split.train, split.held) == 0
    with pytest.raises(ArgumentError, match="held = 1: "):
        replace(split, held=held)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x.astype(np.float64),
        lambda x: x[:, :25],
        lambda x: x[..., :12],
        lambda x: x[:0],
        lambda x: np.where(x == x[0, 0, 0], np.float32("nan"), x),
        lambda x: x[..., :8],
    ],
)
def test_tiles_that_cannot_be_used(split, wrong):
    with pytest.raises(ArgumentError):
        replace(split, held=wrong(split.held))


def test_passages_are_of_other_documents_and_quote_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    documents = [rng.integers(0, 1000, 2 * tiles.PASSAGE).tolist() for _ in range(8)]
    quote = documents[0][10 : 10 + tiles.WINDOW]
    for d in documents[1:]:
        d[30 : 30 + tiles.WINDOW] = quote  # first passages quote one another, second ones do not
    owner = {tuple(d[at : at + tiles.PASSAGE]): i for i, d in enumerate(documents) for at in (0, tiles.PASSAGE)}

    def run() -> tuple[set[int], set[int], bool]:
        train, held, _ = tiles.apart(documents, 4, np.random.default_rng(1))
        shared = any(not tiles_runs(a).isdisjoint(tiles_runs(b)) for a in train for b in held)
        return {owner[tuple(p)] for p in train}, {owner[tuple(p)] for p in held}, shared

    tiles_runs = tiles.runs
    train, held, shared = run()
    assert not train & held and not shared
    monkeypatch.setattr(tiles, "runs", lambda tokens: set())  # the check above can fail
    assert run()[2]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Model:
    path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    return Model.load(str(tiny_llama.write(path, tiny_llama.tensors(), {"context_length": 256})), "blas")


def test_tiles_of_a_model_are_what_its_cache_holds(tiny):
    text = Text.of([(f"{i}", words(i)) for i in range(6)])
    found = tiles.of_model(tiny, text, 400, 3)
    assert {name: (x.train.shape, x.held.shape) for name, x in found.items()} == dict.fromkeys(("keys", "values"), ((4, 192, 16), (4, 192, 16)))
    rng = np.random.default_rng(3)
    mixed = rng.permutation(4)
    train, held, _ = tiles.apart([tiny.tokenizer.encode(body) for _, body in text.documents], 2, rng)
    for passages, heads, side in ((train, mixed[:2], "train"), (held, mixed[2:], "held")):
        for i, ids in enumerate(passages):
            cache = tiny.cache(192)
            tiny.prefill(ids, cache, "none")
            for j, head in enumerate(heads):
                for name, kept in (("keys", cache.keys), ("values", cache.values)):
                    assert np.array_equal(getattr(found[name], side)[2 * i + j], kept[head // 2, :, head % 2])
    for wrong in (100, 100_000, 2.5):
        with pytest.raises(ArgumentError, match="tokens"):
            tiles.of_model(tiny, text, wrong, 0)


# ---- the race ----


def test_who_wins_where(rows):
    assert rows[0.25, "e8"]["accept"] > 0.95 > 0.6 > rows[0.25, "centroid"]["accept"]
    assert rows[2.0, "head"]["shipped_rmse"] < min(rows[2.0, d]["shipped_rmse"] for d in ("cubic", "e8", "centroid"))
    own = [rows[step, "head"]["beta"][0] for step in s.STEPS]
    beside = [rows[step, "head"]["beta"][1] for step in s.STEPS]
    assert own == sorted(own, reverse=True) and beside == sorted(beside)


def test_a_drafter_that_recomputes_is_exposed(split):
    for r in s.race(split, 1e-3, steps=(0.5,)):
        assert r["effective_rmse"] == 0 and r["accept"] == 0 and r["shipped_rmse"] is None and r["rmse"] > 0


def test_admissions_are_exact(split):
    x, guess = split.held[:1, :24], s.coded(split.held[:1, :24], np.float32(0.5), nearest_cubic)
    gamma = 2 * float(np.sqrt(np.square(x.astype(np.float64) - guess).sum(-1).mean()))
    admit, _ = s.admitted(x, guess, gamma)
    exact = [sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(p, q)) for p, q in zip(x[0], guess[0])]
    assert admit.tolist() == [4 * e <= Fraction(gamma) ** 2 for e in exact] and 0 < admit.sum() < 24


def test_held_out_tiles_set_nothing(split):
    """γ, the step and the head come from the training tiles alone."""
    other = replace(split, held=split.held * np.float32(3))
    for a, b in zip(s.race(split, steps=(0.5, 2.0)), s.race(other, steps=(0.5, 2.0)), strict=True):
        assert a["gamma"] == b["gamma"] and a["beta"] == b["beta"]


def test_steps_of_eleven_visit_every_token():
    assert sorted(s.order(True)) == s.order(False) == list(range(24)) and s.order(True)[1] == 11


def test_the_head_knows_a_refused_neighbour_exactly(split):
    x = split.held[:1, :24]
    cells = s.coded(x, np.float32(2), nearest_cubic)
    beta = np.array([0.0, 1.0, 0.0, 0.0])  # guess: the left neighbour
    guess = s.drafted_by_head(x, cells, beta, 1e-6, False)  # nothing is admitted
    assert np.array_equal(guess[0, 1:], x[0, :-1]) and np.array_equal(guess[0, 0], cells[0, 0])
    assert np.array_equal(s.drafted_by_head(x, cells, beta, 1e6, False)[0, 1:], cells[0, :-1])


# ---- estimates ----


def blind(fit, split) -> bool:
    """Whether estimates stay the same when the truth moves inside its cells.  fit: train, step, truth → estimates of cells."""
    step = np.float32(1)
    cells = s.coded(split.held, step, nearest_cubic)
    moved = (cells + (split.held - cells) * np.float32(0.5)).astype(np.float32)
    assert np.array_equal(s.coded(moved, step, nearest_cubic), cells) and not np.array_equal(moved, split.held)
    a, b = (fit(split.train, step, truth)(cells) for truth in (split.held, moved))
    return all(np.array_equal(a[name], b[name]) for name in a)


def test_estimates_do_not_see_the_truth(split, monkeypatch):
    assert blind(lambda train, step, truth: s.Estimates(train, step), split)
    assert not blind(lambda train, step, truth: lambda cells: {"cheat": np.linalg.norm(truth - cells, axis=-1)}, split)
    seen = []

    class Watched(s.Estimates):
        def __init__(self, train, step):
            seen.append(train)
            super().__init__(train, step)

        def __call__(self, cells):
            seen.append(cells)
            return super().__call__(cells)

    monkeypatch.setattr(s, "Estimates", Watched)
    s.estimators(split, 1.0)
    assert seen[0] is split.train and len(seen) == 2 and np.array_equal(seen[1], s.coded(split.held, np.float32(s.scale_of(split)), nearest_cubic))


def test_an_estimate_that_saw_the_truth_would_show(split, monkeypatch):
    class Cheat(s.Estimates):
        def __call__(self, cells):
            return dict.fromkeys(("jackknife", "committee"), np.linalg.norm(split.held - cells, axis=-1).astype(np.float64))

    honest = s.estimators(split, 1.0)
    monkeypatch.setattr(s, "Estimates", Cheat)
    assert s.estimators(split, 1.0)["jackknife"] > 0.999 > 0.5 > abs(honest["jackknife"])


def test_a_constant_estimate_has_no_correlation():
    assert s.correlation(np.ones(4), np.arange(4.0)) is None and s.correlation(np.arange(4.0), np.arange(4.0)) == pytest.approx(1)


# ---- thresholds ----


def above_independently(calibration, fresh, q: str) -> int | None:
    k = math.ceil((len(calibration) + 1) * Fraction(q))
    return None if k > len(calibration) else sum(x > sorted(calibration)[k - 1] for x in fresh.tolist())


@settings(max_examples=20, deadline=None)
@given(st.integers(5, 120), st.sampled_from(["0.5", "0.9", "0.95", "0.99"]), st.integers(0, 99))
def test_conformal_counts(n, q, seed):
    a, b = s.heavy(n, seed), s.heavy(50, seed + 1000)
    (row,) = s.transfer(a, b, (q,))
    assert (row["conformal"] and row["conformal"]["count"]) == above_independently(a, b, q)


def test_a_threshold_off_by_one_rank_is_seen(monkeypatch):
    true = s.calibrate

    def off(scores, q):
        gate = true(scores, q)
        return ConformalGate(gate.level, gate.count, Fraction(sorted(scores)[gate.rank - 2]))

    a = np.arange(1.0, 101)
    assert s.transfer(a, a + 0.5, ("0.9",))[0]["conformal"]["count"] == above_independently(a, a + 0.5, "0.9")
    monkeypatch.setattr(s, "calibrate", off)
    assert s.transfer(a, a + 0.5, ("0.9",))[0]["conformal"]["count"] != above_independently(a, a + 0.5, "0.9")


def test_heavy_tails():
    last = s.transfer(s.heavy(20_000, 0), s.heavy(20_000, 1))[-1]
    assert last["conformal"]["low"] <= 0.01 <= last["conformal"]["high"]
    assert 2.5 < last["gaussian_factor"] < 4 and last["gaussian"]["low"] > 0.02


def test_nan_is_refused():
    with pytest.raises(NonFiniteError):
        s.transfer(np.array([1.0, math.nan]), np.ones(3))


# ---- the command ----


def test_the_command(tmp_path):
    plot = tmp_path / "race.svg"
    result = CliRunner().invoke(app, ["speculators", "--synthetic-only", "--stride", "--json", "--plot", str(plot)])
    found = json.loads(result.stdout)
    assert result.exit_code == 0 and found["stride"] and set(found["sets"]) == {"AR(1)"} and plot.read_text().startswith("<?xml")


def test_bad_input(tmp_path, monkeypatch):
    text = tmp_path / "text"
    text.write_text(words(0, 3000))
    for wrong in (
        ["--rho", "1"],
        ["--rho", "nan"],
        ["--multiplier", "0"],
        ["--multiplier", "nan"],
        ["--multiplier", "inf"],
        ["--seed", "-1"],
        ["--plot", str(tmp_path / "no" / "x.svg")],
    ):
        result = CliRunner().invoke(app, ["speculators", "--synthetic-only", *wrong])
        assert result.exit_code == 2 and result.stderr.startswith("error: ") and not result.stdout, wrong
    # one document: none is left to hold out
    for wrong, said in ((["--text", str(text)], "tokens = 192: "), (["--text", str(tmp_path / "none")], "none")):
        result = CliRunner().invoke(app, ["speculators", "--tokens", "192", *wrong])
        assert result.exit_code == 2 and said in result.stderr and not result.stdout


def test_real_keys_and_values():
    """A small run on the built-in language model; the command reads the same text."""
    model = Model.load("smollm2", "blas")
    found = tiles.of_model(model, Text.of([(f"{i}", words(i, 400)) for i in range(2)]), 192, 0)
    assert set(found) == {"keys", "values"}
    for split in found.values():
        accept = {r["drafter"]: r["accept"] for r in s.race(split, steps=(0.25,))}
        assert split.held.shape == (45, 192, 64) and accept["e8"] > max(accept["cubic"], accept["centroid"])
