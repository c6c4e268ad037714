"""Drawing tokens: what the cuts keep, noise by position, and the finer model's distribution by accepting or drawing again."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import tiny_model
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from gnosis.engine import Engine
from gnosis.errors import ArgumentError, DtypeError, NonFiniteError, RangeError
from gnosis.inference.deferred import draft
from gnosis.inference.deferred.draft import Drafter
from gnosis.inference.deferred.sampling import Gumbel, Sampling, Uniform, accept, chances, lead_of, pick
from gnosis.lm import Model

MANY = 4000
SURE = 1e-6  # chance of a false alarm


def by_the_book(logits: list[float], how: Sampling) -> list[float]:
    """The cuts one after the other on a sorted list, written apart."""
    weight = [math.exp((x - max(logits)) / how.temperature) for x in logits]
    left = sorted(range(len(logits)), key=lambda i: (-weight[i], i))
    if how.top_k is not None:
        left = left[: how.top_k]
    if how.top_p is not None and how.top_p < 1:
        total, some = sum(weight[i] for i in left), []
        for i in left:
            some.append(i)
            if sum(weight[j] for j in some) >= how.top_p * total:
                break
        left = some
    if how.min_p is not None:
        left = [i for i in left if weight[i] >= how.min_p * weight[left[0]]]
    total = sum(weight[i] for i in left)
    return [weight[i] / total if i in left else 0.0 for i in range(len(logits))]


hows = st.builds(
    Sampling,
    temperature=st.sampled_from([0.3, 1.0, 2.5]),
    top_k=st.sampled_from([None, 1, 2, 3, 50]),
    top_p=st.sampled_from([None, 0.01, 0.45, 0.8, 1.0]),
    min_p=st.sampled_from([None, 0.1, 0.5, 1.0]),
)


@given(st.lists(st.sampled_from([-3.0, -1.0, 0.0, 0.5, 1.25, 2.0]), min_size=1, max_size=9), hows)
@settings(max_examples=300, deadline=None)
def test_the_cuts_are_those_of_the_book(logits, how):
    found = chances(np.array(logits, np.float32), how)
    assert np.allclose(found, by_the_book(logits, how), rtol=1e-12, atol=0) and abs(found.sum() - 1) < 1e-12


def test_cuts_by_hand():
    logits = np.log(np.array([1, 4, 2, 2, 1], np.float32))
    assert np.allclose(chances(logits, Sampling()), [0.1, 0.4, 0.2, 0.2, 0.1])
    assert np.allclose(chances(logits, Sampling(top_k=2)), [0, 2 / 3, 1 / 3, 0, 0])  # of equals the lower number
    assert np.allclose(chances(logits, Sampling(top_p=0.75)), [0, 0.5, 0.25, 0.25, 0])
    assert np.allclose(chances(logits, Sampling(min_p=0.4)), [0, 0.5, 0.25, 0.25, 0])
    assert np.allclose(chances(logits, Sampling(temperature=0.5)), np.array([1, 16, 4, 4, 1]) / 26)
    assert chances(logits, Sampling(temperature=1e-300)).tolist() == [0, 1, 0, 0, 0]
    for wrong in (math.nan, math.inf, -math.inf):
        with pytest.raises(NonFiniteError, match=r"logits\[1\]"):
            chances(np.array([0, wrong], np.float32), Sampling())


@pytest.mark.parametrize(
    "name, value, error",
    [
        *(
            ("temperature", v, e)
            for v, e in (
                (math.nan, NonFiniteError),
                (math.inf, NonFiniteError),
                (-1.0, RangeError),
                (0, RangeError),
                (0.0, RangeError),
                ("1", DtypeError),
                (True, DtypeError),
            )
        ),
        *(
            (n, v, e)
            for n in ("top_p", "min_p")
            for v, e in ((math.nan, NonFiniteError), (-math.inf, NonFiniteError), (-0.1, RangeError), (0.0, RangeError), (1.5, RangeError), ("x", DtypeError))
        ),
        *(("top_k", v, RangeError) for v in (0, -1, 2.5, math.nan, math.inf, True)),
        *(("seed", v, RangeError) for v in (-1, 2**64, 0.5, math.nan, True)),
        ("noise", "both", RangeError),
    ],
)
def test_what_cannot_be_drawn_from_names_argument_and_value(name, value, error):
    with pytest.raises(error) as found:
        Sampling(**{name: value})
    assert found.value.argument == name and found.value.value is value and name in str(found.value) and repr(value) in str(found.value)


def test_top_k_beyond_the_vocabulary():
    Sampling(top_k=8).check(8)
    with pytest.raises(RangeError, match="top_k = 9: the vocabulary has 8 tokens"):
        Sampling(top_k=9).check(8)


# ---- noise ----


def test_noise_depends_on_seed_and_position_alone():
    one, again = Gumbel(7), Gumbel(7)
    late = [again.at(p, 100).tolist() for p in range(60, 0, -1)][::-1]
    early = [one.at(p, 30).tolist() for p in range(1, 61)]
    assert [row[:30] for row in late] == early and one.at(5, 100).tolist() == late[4]
    rows = [Gumbel(s).at(p, 50) for s in (0, 1, 2**64 - 1) for p in (0, 1, 2**32)]
    assert len({row.tobytes() for row in rows}) == 9 and all((row > 0).all() and (row < 1).all() for row in rows)


def test_the_largest_sum_is_a_draw():
    p = np.array([0.5, 0.0, 0.3, 0.15, 0.05])
    found = Counter(Gumbel(3).draw(p, i)[0] for i in range(MANY))
    assert found[1] == 0 and chisquare([found[i] for i in (0, 2, 3, 4)], MANY * p[[0, 2, 3, 4]]).pvalue > SURE
    token, lead = Gumbel(3).draw(p, 4)
    score = np.log(p[p > 0]) - np.log(-np.log(Gumbel(3).at(4, 5)[p > 0]))
    assert np.flatnonzero(p)[score.argmax()] == token and lead == np.sort(score)[-1] - np.sort(score)[-2]
    assert Gumbel(0).draw(np.array([0.0, 1.0]), 0) == (1, math.inf)


def test_picking_goes_by_the_weights():
    p = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    assert [pick(p, u) for u in (1e-300, 0.2499, 0.25, 0.9999, 1.0 - 2.0**-53)] == [1, 1, 3, 3, 3]
    u = Uniform(1)
    numbers = [u() for _ in range(MANY)]
    assert 0 < min(numbers) < max(numbers) < 1 and chisquare(np.histogram(numbers, 16, (0, 1))[0]).pvalue > SURE
    assert lead_of(p, 3) == math.log(3) and lead_of(p, 1) == -math.log(3) and lead_of(np.array([0.0, 1.0]), 1) == math.inf


# ---- accept or draw again ----

P, Q = np.array([0.1, 0.4, 0.3, 0.0, 0.2]), np.array([0.5, 0.2, 0.1, 0.2, 0.0])


def drawn(rule, seed: int) -> list[int]:
    uniform = Uniform(seed)
    return [rule(pick(Q, uniform()), P, Q, uniform)[0] for _ in range(MANY)]


def fits(tokens: list[int], p: np.ndarray) -> bool:
    counts = Counter(tokens)
    possible = np.flatnonzero(p)
    return not set(counts) - set(possible.tolist()) and bool(chisquare([counts[i] for i in possible], len(tokens) * p[possible]).pvalue > SURE)


def test_accepting_or_drawing_again_is_a_draw_of_the_finer_model():
    assert fits(drawn(accept, 5), P)


@pytest.mark.parametrize("fault", ["always accepted", "drawn again from p", "drawn again from the coarse model"])
def test_faults_of_acceptance_are_seen(fault):
    def wrong(token, p, q, uniform):
        if fault == "always accepted" or uniform() * q[token] < p[token]:
            return token, True
        return pick(p if fault == "drawn again from p" else q, uniform()), False

    assert not fits(drawn(wrong, 5), P)


def test_a_drafted_token_of_the_same_law_is_kept():
    uniform = Uniform(0)
    assert all(accept(pick(P, uniform()), P, P, uniform)[1] for _ in range(200))


@pytest.fixture(scope="module")
def engines(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sampling")
    made = [Engine.of_model(Model.load(str(tiny_model.write(folder / f"{seed}.gguf", "F32", seed)))) for seed in (1, 2)]
    yield made
    for engine in made:
        engine.close()


def law_of_two(engine: Engine, how: Sampling, prompt: list[int]) -> dict[tuple[int, ...], float]:
    """The probability of each text of at most two tokens after the first one, which is drawn too."""
    cache, law = engine.cache(32), {}
    first = chances(engine.prefill(prompt, cache).logits[0], how)
    for a in np.flatnonzero(first).tolist():
        if a == tiny_model.END:
            law[(a,)] = float(first[a])
            continue
        cache.truncate(len(prompt))
        second = chances(engine.decode(a, cache).logits[0], how)
        for b in np.flatnonzero(second).tolist():
            law[(a, b)] = float(first[a] * second[b])
    return law


def texts(engines, how: Sampling, prompt: list[int], most: int, keep: int) -> Counter:
    drafter = Drafter(*engines, length=2)
    return Counter(tuple(drafter.write(prompt, most, Sampling(**{**vars(how), "seed": seed})).tokens[:keep]) for seed in range(MANY // 4))


def goes(counts: Counter, law: dict[tuple[int, ...], float]) -> bool:
    seen = np.array([counts[text] for text in law], float)
    expected = np.array(list(law.values())) * counts.total()
    rare = expected < 5
    if rare.any():
        seen, expected = np.append(seen[~rare], seen[rare].sum()), np.append(expected[~rare], expected[rare].sum())
    return not set(counts) - set(law) and bool(chisquare(seen, expected).pvalue > SURE)


@pytest.mark.parametrize("noise", ["shared", "resample"])
def test_the_texts_have_the_finer_models_distribution(engines, noise, monkeypatch):
    how, prompt = Sampling(temperature=2.0, top_k=4, noise=noise), [1, 2, 3]
    law = law_of_two(engines[0], how, prompt)
    assert goes(texts(engines, how, prompt, 4, 2), law) and not goes(texts(engines[::-1], how, prompt, 4, 2), law)
    if noise == "resample":
        monkeypatch.setattr(draft, "accept", lambda token, p, q, uniform: (token, True))
        assert not goes(texts(engines, how, prompt, 4, 2), law)


def test_a_fixed_length_and_a_seed_fix_the_text(engines):
    for noise in ("shared", "resample"):
        how = Sampling(1.5, seed=9, noise=noise)
        found = [Drafter(*engines, length=3).write([5, 6], 20, how).tokens for _ in range(2)]
        assert found[0] == found[1]
        assert Drafter(*engines, length=3).write([5, 6], 20, Sampling(1.5, seed=10, noise=noise)).tokens != found[0]


def test_top_k_is_checked_against_the_vocabulary(engines):
    with pytest.raises(ArgumentError, match="top_k = 65: the vocabulary has 64 tokens"):
        Drafter(*engines).write([1], 4, Sampling(top_k=65))


def test_a_nucleus_wider_than_what_is_sorted_first():
    rng = np.random.default_rng(0)
    for n, top_p in ((300, 0.99), (1000, 0.9), (1000, 0.2), (256, 0.999)):
        logits = rng.choice([0.0, 0.25, 0.5], n).astype(np.float32)
        assert np.allclose(chances(logits, Sampling(top_p=top_p)), by_the_book(logits.tolist(), Sampling(top_p=top_p)), rtol=1e-12)
