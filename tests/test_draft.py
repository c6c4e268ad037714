"""Drafting on the engine: the finer model's text whatever is drafted, how long drafts are, and what is measured."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tiny_model
import tiny_models
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.engine import Cache, Engine
from gnosis.errors import ArgumentError, EmptyError, RangeError
from gnosis.inference.deferred import draft
from gnosis.inference.deferred import worth as draft_worth
from gnosis.inference.deferred.draft import Drafter
from gnosis.inference.deferred.sampling import Sampling
from gnosis.inference.deferred.worth import MOST_LENGTH, Worth
from gnosis.lm import Model
from gnosis.lm.equivalent import Rotation, coded, recoded, rotated
from gnosis.models.files import ModelError
from gnosis.studies import drafts, drafts_page

MOST = 24
prompts = st.lists(st.integers(0, tiny_model.END - 1), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def engines(tmp_path_factory):
    """A finer model, and drafters of it: another code, other weights altogether, itself."""
    folder = tmp_path_factory.mktemp("draft")
    fine = Model.load(str(tiny_model.write(folder / "fine.gguf", "F32", 1)))
    coarse = [recoded(fine, "Q4_0"), Model.load(str(tiny_model.write(folder / "other.gguf", "F32", 2))), fine]
    made = [Engine.of_model(model) for model in (fine, *coarse)]
    yield made
    for engine in made:
        engine.close()


def greedily(engine: Engine, prompt: list[int], most: int) -> list[int]:
    """Token after token, written apart from what is tested."""
    cache, tokens = engine.cache(len(prompt) + most), []
    feed = prompt
    while len(tokens) < most and (not tokens or tokens[-1] != tiny_model.END):
        feed = [int(engine.prefill(feed, cache).logits[0].argmax())]
        tokens += feed
    return tokens


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_the_text_is_the_finer_models(engines, data):
    fine, *coarse = engines
    drafter = Drafter(fine, data.draw(st.sampled_from(coarse)), data.draw(st.sampled_from([None, 1, 2, 5, 12])))
    for prompt in data.draw(st.lists(prompts, min_size=1, max_size=3)):
        most, told = data.draw(st.integers(1, MOST)), []
        found = drafter.write(prompt, most, heard=told.extend)
        assert found.tokens == told == greedily(fine, prompt, most) == drafter.alone(prompt, most).tokens
        assert found.ended == (found.tokens[-1] == tiny_model.END) and found.accepted <= found.drafted


samplings = st.builds(
    Sampling,
    temperature=st.sampled_from([0.1, 0.7, 1.0, 3.0]),
    top_k=st.sampled_from([None, 1, 5, 64]),
    top_p=st.sampled_from([None, 0.3, 0.9, 1.0]),
    min_p=st.sampled_from([None, 0.05, 1.0]),
    seed=st.integers(0, 2**64 - 1),
)


@given(st.data(), samplings)
@settings(max_examples=40, deadline=None)
def test_shared_noise_writes_what_the_finer_model_alone_writes_with_that_seed(engines, data, sampling):
    fine, *coarse = engines
    prompt, most = data.draw(prompts), data.draw(st.integers(1, MOST))
    alone = Drafter(fine, fine).alone(prompt, most, sampling).tokens
    for one in coarse:
        assert Drafter(fine, one, data.draw(st.sampled_from([None, 1, 4, 12]))).write(prompt, most, sampling).tokens == alone


# ---- how long drafts are ---------------------------------------------------------------------------------------------------


def rounds(worth: Worth, check, draft: float, share: float, tokens: int, seed: int = 0, noise: float = 0.0) -> tuple[float, float, int]:
    """Rounds with costs that are given; leads say nothing.  Time of the finer model alone over time, the same with the best length, and what was drafted.

    noise: share of the times that a clock tells which are up to five times too long.
    """
    rng, spent, written, drafted = np.random.default_rng(seed), 0.0, 0, 0

    def clock(seconds: float) -> float:
        return seconds * (1 + (rng.random() < noise) * 4 * rng.random())

    worth.begin()
    while written < tokens:
        plan, n, survival = worth.plan(tokens - written - 1), 0, 1.0
        while worth.goes_on(n, survival, plan):
            worth.drafted(clock(draft))
            n, survival = n + 1, survival * worth.chance(1.5)
        kept = next((i for i in range(n) if rng.random() >= share), n)
        for i in range(min(kept + 1, n)):
            worth.judged(1.5, i < kept)
        worth.checked(n + 1, clock(check(n + 1)), kept + 1)
        spent, written, drafted = spent + check(n + 1) + n * draft, written + kept + 1, drafted + n
    best = max(sum(share**i for i in range(n + 1)) * check(1) / (check(n + 1) + n * draft) for n in range(MOST_LENGTH + 1))
    return written * check(1) / spent, best, drafted


@pytest.mark.parametrize("draft, more, share", [(0.1, 0.02, 0.95), (0.4, 0.1, 0.9), (0.3, 0.05, 0.6), (0.7, 0.2, 0.9), (0.9, 0.5, 0.5), (1.5, 0.1, 1.0)])
def test_drafts_are_as_long_as_pays_and_hardly_any_where_none_does(draft, more, share):
    gain, best, drafted = rounds(Worth(), lambda n: 1 + more * (n - 1), draft, share, 1280)
    assert gain >= 0.97 and gain >= 0.9 * best
    if best <= 1.0:
        assert drafted < 60


def test_a_pair_that_begins_to_pay_is_found_again():
    worth = Worth()
    assert rounds(worth, lambda n: 1 + 0.5 * (n - 1), 0.9, 0.3, 400)[0] >= 0.98
    assert not worth.pays() and "does not pay" in worth.says()
    gain, _, drafted = rounds(worth, lambda n: 1 + 0.02 * (n - 1), 0.1, 0.98, 6000)
    assert worth.pays() and worth.says().startswith("drafting pays: a draft costs 0.10 of a pass") and drafted > 1000 and gain > 1.5


def test_drafts_end_where_the_lead_is_small():
    worth = Worth()
    worth.drafted(0.3)
    for n in (1, 1, 1, 1, 1, 5, 3, 8):
        worth.checked(n, 1 + 0.1 * n, n)
    worth.drafted(0.3)
    for _ in range(200):
        worth.judged(0.1, False)
        worth.judged(5.0, True)
    for _ in draft_worth.TRIALS:
        worth.plan(64)
    plan = worth.plan(64)
    assert plan == (MOST_LENGTH, False) and worth.goes_on(2, worth.chance(5.0) ** 2, plan) and not worth.goes_on(2, worth.chance(5.0) * worth.chance(0.1), plan)
    assert not worth.goes_on(MOST_LENGTH, 1.0, plan) and worth.plan(3).most == 3


def test_costs_lie_on_lines():
    worth = Worth()
    assert worth.check(3) == 0.0 and worth.plan(9) == (0, True) and "too little" in worth.says()
    worth.checked(1, 2.0, 1)
    assert worth.check(1) == worth.check(9) == worth.draft() == 2.0
    worth.checked(5, 4.0, 1)
    worth.checked(9, 4.4, 1)
    assert [worth.check(n) for n in (1, 3, 5, 7, 9, 13)] == pytest.approx([2.0, 3.0, 4.0, 4.2, 4.4, 4.8])
    worth.checked(7, 40.0, 1)  # no pass costs more than one over more tokens
    assert worth.check(7) == 4.4
    for seconds in (9.0, 1.0, 1.0, 9.0):
        worth.checked(1, seconds, 1)
    assert worth.check(1) == 1.0  # slow passes do not count


@pytest.mark.parametrize("seed", range(5))
def test_a_clock_that_says_too_much_at_times_changes_little(seed):
    """A third of the times is up to five times too long, as on a busy machine."""
    gain, best, _ = rounds(Worth(), lambda n: 1 + 0.05 * (n - 1), 0.33, 0.92, 1280, seed, 0.33)
    assert gain >= 0.8 * best
    gain, best, _ = rounds(Worth(), lambda n: 1 + 0.3 * (n - 1), 0.6, 0.7, 1280, seed, 0.33)
    assert best <= 1 and gain >= 0.95


def texts(worth: Worth, shares, seed: int) -> float:
    """The least gain over texts of 64 tokens, with a share of accepted tokens for each."""
    return min(rounds(worth, lambda n: 1 + 0.25 * (n - 1), 0.5, share, 64, seed + i)[0] for i, share in enumerate(shares))


@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_no_text_loses_much_where_drafts_hardly_pay(seed, monkeypatch):
    shares = np.random.default_rng(seed).permutation([0.95, 0.95, 0.9, 0.9, 0.85, 0.6, 0.3, 0.0]).tolist()
    assert texts(Worth(), shares, seed) >= 0.96
    monkeypatch.setattr(draft_worth, "AT_ONCE", 64.0)  # a probe: nothing limits what a text loses
    assert seed or min(texts(Worth(), [0.95] * 8 + [0.0], i) for i in range(5)) < 0.96


def test_a_pair_of_little_hope_is_tried_late_in_a_text_only():
    for hopeful, least, most in ((True, draft_worth.ALONE, draft_worth.ALONE), (False, draft_worth.LATER, draft_worth.LATER)):
        worth, alone = Worth(None, hopeful), 0
        worth.begin()
        while worth.plan(64).most == 0:
            worth.checked(1, 1.0, 1)
            alone += 1
        assert least <= alone <= most


@pytest.mark.parametrize("length", [0, 13, -1, 1.5, True, "4"])
def test_lengths_that_cannot_be(length):
    with pytest.raises(RangeError, match="length"):
        Worth(length)


# ---- what cannot be, and what is seen --------------------------------------------------------------------------------------


def test_engines_that_do_not_fit(engines, tmp_path):
    with Engine.of_model(Model.load(str(tiny_model.write(tmp_path / "wide.gguf", "F32", width=64)))) as wide:
        with pytest.raises(ModelError, match="width is 64 in one and 32 in the other"):
            Drafter(engines[0], wide)
    for prompt, most, words in (([], 4, "tokens"), ([1, 99], 4, r"tokens\[1\] = 99"), ([1], 0, "most = 0"), ([1, 2], 127, "most = 127.*context of 128")):
        with pytest.raises(ArgumentError, match=words):
            Drafter(*engines[:2]).write(prompt, most)


@pytest.mark.parametrize("fault", ["the cache keeps the draft", "every draft stands", "the check reads too little"])
def test_faults_are_seen(engines, monkeypatch, fault):
    """The equality above fails when a part of the bookkeeping is wrong."""
    fine, coarse = engines[0], engines[2]
    if fault == "the cache keeps the draft":
        monkeypatch.setattr(Cache, "truncate", lambda self, length: None)
    elif fault == "every draft stands":
        monkeypatch.setattr(draft, "flip_at", lambda asked, tokens, says: len(tokens))
    else:
        read = draft._Text.read
        monkeypatch.setattr(draft._Text, "read", lambda self, tokens, want: read(self, tokens[-1:] * len(tokens) if len(self.written.tokens) else tokens, want))

    def right(prompt: list[int]) -> bool:
        try:
            return Drafter(fine, coarse, 4).write(prompt, MOST).tokens == greedily(fine, prompt, MOST)
        except ArgumentError:
            return False

    assert not all(right([i]) for i in range(6))


# ---- the same function with other weights ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["llama", "llama-3", "qwen2", "qwen3"])
def test_a_rotation_keeps_the_function(tmp_path, name):
    model = Model.load(str(tiny_models.write(tmp_path / "m.gguf", name)))
    ids = np.random.default_rng(0).integers(0, model.config.vocabulary, 20)
    logits = model.prefill(ids, model.cache(32), "all").logits
    turned = rotated(model, 3, "F32")
    found = turned.prefill(ids, turned.cache(32), "all").logits
    assert np.abs(found - logits).max() < 1e-4 * np.abs(logits).max()
    assert all((values == 1).all() for key, values in turned.norms.items() if key.endswith(("attn_norm.weight", "ffn_norm.weight", "output_norm.weight")))
    near = np.abs(turned.weights["blk.0.ffn_up.weight"].decoded() - model.weights["blk.0.ffn_up.weight"].decoded()).max()
    assert near > 1e-2 and not np.array_equal(rotated(model, 4, "F32").weights["output.weight"].raw, turned.weights["output.weight"].raw)
    turned.weights["blk.0.ffn_up.weight"].raw[:8] = 0  # a probe
    assert (
        np.abs(Model(turned.config, turned.weights, turned.norms, turned.metadata).prefill(ids, turned.cache(32), "all").logits - logits).max()
        > 1e-4 * np.abs(logits).max()
    )


def test_a_grid_that_a_code_reproduces_is_left(tmp_path):
    model = Model.load(str(tiny_model.write(tmp_path / "m.gguf", "Q4_1")))
    _, about = drafts.source(model)
    assert about["q4_1_error"]["as_shipped"] < 1e-3 < 0.03 < about["q4_1_error"]["rotated"] < 0.2


def test_what_is_not_turned(tmp_path):
    for name in ("gemma3", "experts"):
        with pytest.raises(ModelError, match="no rotation is known"):
            rotated(Model.load(str(tiny_models.write(tmp_path / f"{name}.gguf", name))))
    model = Model.load(str(tiny_model.write(tmp_path / "m.gguf", "F32")))
    with pytest.raises(RangeError, match="encoding = 'Q9_9'"):
        rotated(model, 0, "Q9_9")
    with pytest.raises(RangeError, match="seed = -1"):
        rotated(model, -1)
    with pytest.raises(ModelError, match="tensor 'x': a weight is too large for F16"):
        coded("x", np.full((1, 32), 1e6, np.float32), "F16")


@pytest.mark.parametrize("width", [1, 7, 32, 60])
def test_rotations_are_orthogonal(width):
    turn = Rotation(width, 5)(np.eye(width))
    assert np.abs(turn @ turn.T - np.eye(width)).max() < 1e-5 and np.array_equal(turn, Rotation(width, 5)(np.eye(width)))


# ---- what is measured, and the command -------------------------------------------------------------------------------------


def test_the_measurement(tmp_path):
    model = Model.load(str(tiny_model.write(tmp_path / "m.gguf", "F32", 1)))
    turned, _ = drafts.source(model)
    found = drafts.compare(drafts.coded_pairs(turned), [[1, 2, 3], [4], [5, 6]], 12, (1, 2))
    assert [(r["pair"], r["threads"], r["clock"]) for r in found["rows"]] == [
        (pair, n, clock) for n, clock in ((1, "thread"), (2, "wall")) for pair in ("F16 <- Q4_0", "Q8_0 <- Q4_0")
    ]
    for row in found["rows"]:
        assert row["same_text"] and row["prompts"] == 3 and 0 < row["speedup_worst"] <= row["speedup_vs_finer"] and row["says"]
    with pytest.raises(EmptyError, match="prompts"):
        drafts.compare(drafts.coded_pairs(turned), [])
    with pytest.raises(RangeError, match="turns = 0"):
        drafts.compare(drafts.coded_pairs(turned), [[1]], turns=0)


def test_another_text_is_noticed(tmp_path, monkeypatch):
    models = [Model.load(str(tiny_model.write(tmp_path / f"{seed}.gguf", "F32", seed))) for seed in (1, 2)]
    monkeypatch.setattr(draft, "flip_at", lambda asked, tokens, says: len(tokens))
    monkeypatch.setattr(draft, "SMALL", 2.0)  # so that drafts are tried at once
    (row,) = drafts.compare([drafts.Sides("a <- b", *models)], [[1], [2], [3]], 16, (1,))["rows"]
    assert not row["same_text"]


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed, code in ((1, "Q8_0"), (1, "Q4_0")):
        tiny_model.write(Path(f"{code}.gguf"), code, seed)
    codes = ["--base", "Q4_0.gguf", "--refine", "Q8_0.gguf"]

    def run(*words: str, code: int = 0):
        result = CliRunner().invoke(app, ["generate", *words, *codes])
        assert result.exit_code == code and "Traceback" not in result.output, result.output
        return result

    with Engine.load("Q8_0.gguf") as engine:
        ids = engine.model.tokenizer.encode("abc")
        expected = greedily(engine, ids, 20)
        drawn = Drafter(engine, engine).alone(ids, 20, Sampling(0.8, 5, 0.9, 0.01, 7)).tokens
    found = json.loads(run("abc", "--raw", "--most", "20", "--json").stdout)
    assert found["mode"] == "draft" and found["tokens"] == expected and found["sampling"] is None
    assert run("abc", "--raw", "--most", "20").stdout == found["text"] + "\n"
    numbers = ",".join(map(str, ids))
    assert json.loads(run("--tokens", numbers, "--most", "20", "--length", "3", "--json").stdout)["tokens"] == expected
    options = ["--temperature", "0.8", "--top-k", "5", "--top-p", "0.9", "--min-p", "0.01", "--seed", "7"]
    found = json.loads(run("abc", "--raw", "--most", "20", "--json", *options).stdout)
    assert found["tokens"] == drawn and found["sampling"]["top_k"] == 5 and found["sampling"]["noise"] == "shared"
    assert json.loads(run("abc", "--raw", "--most", "5", "--noise", "resample", "--json").stdout)["sampling"]["noise"] == "resample"
    found = json.loads(run("--compare", "--raw", "--take", "2", "--most", "8", "--threads", "1", "--json").stdout)
    assert [(r["pair"], r["threads"], r["same_text"]) for r in found["rows"]] == [("Q8_0.gguf <- Q4_0.gguf", 1, True)]
    page = Path("page.md")
    page.write_text("before\n<!-- figures: gnosis generate --compare -->\nold\n<!-- end of figures -->\nafter\n")
    run("--compare", "--mode", "draft", "--raw", "--take", "2", "--most", "8", "--threads", "1", "--write", "page.md")
    text = page.read_text()
    assert (
        text.startswith("before\n<!--") and text.endswith("-->\nafter\n") and "old" not in text and "| Q8_0.gguf ← Q4_0.gguf | 1 |" in text and "load" in text
    )
    page.write_text("no marks")
    assert "needs the marks" in run("--compare", "--mode", "draft", "--take", "2", "--write", "page.md", code=2).stderr and page.read_text() == "no marks"
    for wrong, words in (
        (["--temperature", "nan"], "temperature = nan"),
        (["--temperature", "inf"], "temperature = inf"),
        (["--temperature", "0"], "temperature = 0.0"),
        (["--temperature", "-1"], "temperature = -1.0"),
        (["--top-k", "0"], "top_k = 0"),
        (["--top-k", "65"], "top_k = 65: the vocabulary has 64 tokens"),
        (["--top-p", "0"], "top_p = 0.0"),
        (["--top-p", "1.1"], "top_p = 1.1"),
        (["--min-p", "-0.5"], "min_p = -0.5"),
        (["--seed", "-1"], "seed = -1"),
        (["--noise", "white"], "noise = 'white'"),
        (["--length", "0"], "length = 0"),
        (["--mode", "draft", "--tau", "1"], "tau = 1.0: goes with the modes"),
        (["--mode", "margin", "--seed", "1"], "seed = 1: goes with mode draft"),
        (["--tau", "1", "--seed", "1"], "tau = 1.0"),
        (["--mode", "both"], "mode = 'both'"),
    ):
        assert words in run("abc", "--raw", *wrong, code=2).stderr, wrong
    assert "noise" in run("--compare", "--raw", "--noise", "resample", code=2).stderr and "take = 0" in run("--compare", "--take", "0", code=2).stderr


@pytest.mark.parametrize(
    "gain, words",
    [
        (1.5, "1.50 times as fast as F16 alone, 1.10 times"),
        (1.0, "as fast as F16 alone (1.00), on the worst prompt 1.10"),
        (0.95, "0.95 times as fast as F16 alone"),
    ],
)
def test_figures_become_sentences(gain, words):
    assert words in drafts_page.words({"pair": "F16 <- Q4_0", "speedup_vs_finer": gain, "speedup_worst": 1.1})


def test_what_is_compared_must_be_codes_of_one_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tiny_model.write(Path("a.gguf"))
    for base, refine, words in (("a.gguf", "q8", "either both"), ("q3", "q8", "'q3' is neither"), ("shipped", "q8", "'shipped' is neither")):
        with pytest.raises(ModelError, match=words):
            drafts.chosen_pair("a.gguf", base, refine)
    about, (sides,) = drafts.chosen_pair("a.gguf", "q4", "f16")
    assert about is not None and sides.name == "F16 <- Q4_0" and {w.encoding for w in sides.coarse.weights.values()} == {"Q4_0"}


def test_a_coarse_head_is_made_sharper_where_it_is_in_doubt(tmp_path):
    model = Model.load(str(tiny_model.write(tmp_path / "m.gguf", "F32", 1)))
    with Engine.of_model(model) as fine, Engine.of_model(recoded(model, "Q8_0", "Q4_0")) as coarse:
        drafter, seen = Drafter(fine, coarse), set()
        for token in range(60):
            step = coarse.prefill([token], coarse.cache(1))
            rough, exact = step.logits[0].copy(), model.weights[model.head_name].decoded() @ step.hidden[0]
            near = rough >= rough.max() - draft.NEAR
            row = drafter.sharpened(step.logits[0], step.hidden[0])
            some = np.flatnonzero(near) if 1 < near.sum() <= draft.SHARP else []
            seen.add(len(some) > 0)
            assert np.allclose(row[some], exact[some], rtol=1e-4, atol=1e-4)
            if near.sum() <= draft.SHARP:
                assert np.array_equal(np.delete(row, some), np.delete(rough, some))
        assert True in seen
        row = np.ones(64, np.float32)
        assert Drafter(fine, fine).sharpened(row, step.hidden[0]) is row and (row == 1).all()
