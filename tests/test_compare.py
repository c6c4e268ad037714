"""What `gnosis compare` is made of: names, energies, distributions, draws, bounds that hold at all times."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_model
import tiny_models
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from gnosis.codes.rows import encode
from gnosis.compare import names, outputs, sure, text, weights
from gnosis.compare.outputs import CLIP, Laws
from gnosis.errors import ArgumentError
from gnosis.models.files import ModelError, open_model
from gnosis.numbers import outward
from gnosis.risk.extrapolation import clopper_pearson_lower, clopper_pearson_upper

floats = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-float(2**100), max_value=float(2**100))
matrices = st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.lists(st.lists(floats, min_size=n, max_size=n), min_size=1, max_size=3)] * 2))


def exact(one: np.ndarray, two: np.ndarray) -> Fraction:
    return sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(one.tolist(), two.tolist())), Fraction(0))


def enclosed(low: float, value: Fraction, high: float) -> bool:
    return Fraction(low) <= value <= (Fraction(high) if np.isfinite(high) else value)


@given(matrices)
@settings(deadline=None)
def test_energies_lie_between_their_bounds(pair) -> None:
    rows = min(map(len, pair))
    one, two = (np.array(matrix[:rows], np.float32) for matrix in pair)
    found = weights.lost(one, two)
    for i in range(rows):
        assert enclosed(found.low[i], exact(one[i], two[i]), found.high[i])
        assert Fraction(found.norm_low[i]) <= exact(one[i], 0 * one[i])
    assert not weights.lost(one, one).high.any()


def test_a_sum_to_nearest_is_no_bound() -> None:
    """The probe of the test above: with the plain sum in place of the bound it is red."""
    rng = np.random.default_rng(0)
    one, two = (rng.standard_normal((200, 5)).astype(np.float32) for _ in range(2))
    found = weights.lost(one, two)
    truth = [exact(a, b) for a, b in zip(one, two)]
    assert all(enclosed(*x) for x in zip(found.low, truth, found.high))
    assert not all(Fraction(x) >= y for x, y in zip(found.measured, truth)) and not all(Fraction(x) <= y for x, y in zip(found.measured, truth))
    assert Fraction(weights.total_up(found.high)) >= sum(truth)
    assert weights.relative_up(1.0, 0.0) is None and weights.relative_up(0.0, 0.0) == 0 and Fraction(weights.relative_up(2.0, 1.0)) ** 2 >= 2


def test_energies_of_a_code_are_those_of_its_sidecar() -> None:
    values = np.random.default_rng(0).standard_normal((8, 64)).astype(np.float32)
    coded = encode(values, "Q4_0")
    from gnosis.codes.rows import decode_rows

    found = weights.lost(values, decode_rows(coded.raw, "Q4_0", 64))
    assert (found.low <= coded.energy).all() and (found.high <= coded.energy * (1 + 1e-12)).all()


# ---- names -------------------------------------------------------------------------------------------------------------

PARTS = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
GEMMA = {"post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm", "post_ffw_norm": "post_feedforward_layernorm"}
WHOLE = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}


def as_published(name: str) -> dict[str, np.ndarray]:
    """The tensors of a small model under the names of Hugging Face, queries and keys of llama and norms of gemma as they are there."""
    architecture, keys = tiny_models.MODELS[name][0], tiny_models.keys(name)
    out = {}
    for own, values in tiny_models.tensors(name).items():
        if own in WHOLE:
            other = WHOLE[own]
        else:
            _, layer, part, kind = own.split(".")
            other = f"model.layers.{layer}.{(PARTS | (GEMMA if architecture == 'gemma3' else {}))[part]}.{kind}"
            if architecture == "llama" and part in ("attn_q", "attn_k"):
                heads = keys["attention.head_count" if part == "attn_q" else "attention.head_count_kv"]
                half = len(values) // heads // 2
                there = np.empty_like(values)
                for h in range(heads):  # row 2 i + j of a head stands in row j · half + i
                    for i in range(half):
                        for j in range(2):
                            there[h * 2 * half + j * half + i] = values[h * 2 * half + 2 * i + j]
                values = there
        out[other] = values - np.float32(1) if architecture == "gemma3" and other.endswith("norm.weight") else values
    return out


@pytest.mark.parametrize("name", ["llama", "llama-2", "qwen2", "qwen3", "gemma3"])
def test_names_and_orders_of_both_conventions(tmp_path: Path, name: str) -> None:
    published = as_published(name)
    save_file(published, tmp_path / "model.safetensors")
    tiny_models.write(tmp_path / "model.gguf", name)
    one, two = (open_model(str(tmp_path / f"model.{kind}")) for kind in ("safetensors", "gguf"))
    for first, second in ((one, two), (two, one)):
        pairs = names.paired(first, second)
        assert len(pairs.pairs) == len(published) and not pairs.left_out
        for pair in pairs.pairs:
            # a norm of gemma went through two roundings
            assert weights.measured(pair)["energy_upper"] <= (1e-10 if name == "gemma3" and "norm" in pair.name else 0), pair


def test_another_order_of_queries_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "PERMUTED", ())
    save_file(as_published("llama"), tmp_path / "model.safetensors")
    tiny_models.write(tmp_path / "model.gguf", "llama")
    found = {p.name: weights.measured(p) for p in names.paired(open_model(str(tmp_path / "model.gguf")), open_model(str(tmp_path / "model.safetensors"))).pairs}
    assert {name for name, t in found.items() if t["energy"]} == {f"blk.{i}.attn_{part}.weight" for i in range(2) for part in "qk"}


def test_a_tied_head_and_what_has_no_counterpart(tmp_path: Path) -> None:
    every = tiny_models.tensors("llama")
    tied = {**every, "output.weight": every["token_embd.weight"]}
    tiny_models.write(tmp_path / "a.gguf", "llama", weights=tied)
    tiny_models.write(tmp_path / "b.gguf", "llama", weights={k: v for k, v in every.items() if k != "output.weight"}, kind="Q8_0")
    a, b = (open_model(str(tmp_path / f"{n}.gguf")) for n in "ab")
    for first, second in ((a, b), (b, a)):
        pair = next(p for p in names.paired(first, second).pairs if p.name == "output.weight" or p.quantized.name == "output.weight")
        assert {pair.original.name, pair.quantized.name} == {"output.weight", "token_embd.weight"}
    tiny_models.write(tmp_path / "c.gguf", "llama", weights={k: v for k, v in every.items() if k != "blk.1.ffn_up.weight"})
    tiny_models.write(tmp_path / "d.gguf", "llama", weights={**every, "blk.1.ffn_up.weight": np.ones((64, 64), np.float32)})
    for other, said in (("c", "no counterpart"), ("d", "shape")):
        for pair_of in ((a, open_model(str(tmp_path / f"{other}.gguf"))), (open_model(str(tmp_path / f"{other}.gguf")), a)):
            with pytest.raises(ModelError, match=said) as error:
                names.paired(*pair_of)
            assert all(part in str(error.value) for part in ("a.gguf", f"{other}.gguf", "blk.1.ffn_up.weight"))
    np.save(tmp_path / "x.npy", np.ones((2, 2), np.float32))
    with pytest.raises(ModelError, match="x.npy"):
        names.paired(a, open_model(str(tmp_path / "x.npy")))
    extra = {**every, "rope_freqs.weight": np.ones(8, np.float32)}
    tiny_models.write(tmp_path / "e.gguf", "llama", weights=extra)
    assert [name for name, _ in names.paired(a, open_model(str(tmp_path / "e.gguf"))).left_out] == ["rope_freqs.weight"]


def test_weights_that_are_not_finite_are_named(tmp_path: Path) -> None:
    good, bad = tiny_model.write(tmp_path / "good.gguf", "F32"), tiny_model.write(tmp_path / "bad.gguf", "F32", poison="blk.1.ffn_up.weight")
    pairs = names.paired(open_model(str(good)), open_model(str(bad)))
    with pytest.raises(ModelError, match=r"bad.gguf: tensor 'blk.1.ffn_up.weight': non-finite .*row 0, column 0"):
        weights.compared(pairs, lambda *_: None)


# ---- distributions -----------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.floats(-40, 40, width=32)] * 2), min_size=3, max_size=6), st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_figures_of_a_position_lie_within_their_error(logits, target) -> None:
    one, two = (np.array([column], np.float32) for column in zip(*logits))
    seen = outputs.compared(Laws.of(one), Laws.of(two), np.array([target]), 2)

    def law(z: np.ndarray) -> list[tuple[Fraction, Fraction]]:
        powers = [outward.exp(Fraction(float(x)), 100).low for x in z[0]]
        return [(p / sum(powers), outward.log(p / sum(powers), 100).low) for p in powers]

    p, q = law(one), law(two)
    kl, tv = sum(a * (s - t) for (a, s), (_, t) in zip(p, q)), sum(abs(a - b) for (a, _), (b, _) in zip(p, q)) / 2
    tiny = Fraction(1, 2**80)
    assert abs(Fraction(seen.kl[0]) - kl) <= Fraction(seen.error[0]) + tiny < Fraction(1, 10**9)
    assert abs(Fraction(seen.tv[0]) - tv) <= Fraction(seen.tv_error[0]) + tiny
    assert abs(Fraction(seen.log_p[0]) - Fraction(seen.log_q[0]) - (p[target][1] - q[target][1])) <= Fraction(seen.error[0]) + tiny
    assert seen.flip[0] == (one[0].argmax() != two[0].argmax())
    around = sure.observations(seen)
    assert around["tv"][0] <= tv <= around["tv"][1] and around["kl"][0] - tiny <= min(kl, Fraction(CLIP)) <= around["kl"][1] + tiny


def test_sets_and_margins() -> None:
    z = np.array([[5, 4, 3, 0], [1, 2, 3, 4], [1, 1, 0, 0]], np.float32)
    w = np.array([[4, 5, 3, 0], [4, 3, 2, 1], [1, 1, 1, 0]], np.float32)
    seen = outputs.compared(Laws.of(z), Laws.of(w), np.zeros(3, int), 2)
    assert seen.flip.tolist() == [True, True, False] and seen.sets.tolist() == [False, True, False]
    assert seen.lead.tolist() == [1, 1, 0] and seen.margin.tolist() == [1, 1, 0]


# ---- draws, requirements, bounds ---------------------------------------------------------------------------------------


def test_passages_are_drawn_in_proportion_to_their_positions() -> None:
    passages = [p for name, n in (("a", 10), ("b", 7), ("c", 1)) for p in text.cut(name, list(range(n)), 5, [])]
    assert [(p.document, p.at, p.positions) for p in passages] == [("a", 0, 4), ("a", 5, 4), ("b", 0, 4), ("b", 5, 1)]
    draws = text.Draws(passages, 0)
    counts = np.bincount([draws.next() for _ in range(13_000)], minlength=4)
    assert (abs(counts - np.array([4000, 4000, 4000, 1000])) < 250).all()
    again = text.Draws(passages, 0)
    assert counts.tolist() == np.bincount([again.next() for _ in range(13_000)]).tolist()


@pytest.mark.parametrize(
    ("given_", "figure", "most", "level"),
    [("flips<=0.02 at 0.99", "flips", "1/50", "99/100"), (" kl <= 1e-1 at .9 ", "kl", "1/10", "9/10"), ("nll<=-1/3", "nll", "-1/3", "99/100")],
)
def test_requirements(given_: str, figure: str, most: str, level: str) -> None:
    found = sure.requirement(given_)
    assert (found.figure, found.most, found.level) == (figure, Fraction(most), Fraction(level))


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "flips",
        "flips<0.1",
        "flips>=0.1",
        "flops<=0.1",
        "flips<=x",
        "flips<=nan",
        "flips<=1",
        "flips<=-0.1",
        "flips<=0.1 at 1",
        "flips<=0.1 at",
        "flips<=0.1 at 0.9 x",
        "kl<=4",
        "nll<=-5",
    ],
)
def test_a_requirement_that_is_none_is_quoted(wrong: str) -> None:
    with pytest.raises(ArgumentError) as error:
        sure.requirement(wrong)
    assert repr(wrong) in str(error.value) and "require" in str(error.value)


class Peeking:
    """The probe: Clopper–Pearson bounds, good for one look, looked at after every observation."""

    def __init__(self, risk: float) -> None:
        self.level, self.k, self.n, self.low, self.high = 1 - risk, 0, 0, Fraction(0), Fraction(1)

    def observe(self, x: tuple[Fraction, Fraction]) -> None:
        self.k, self.n = self.k + int(x[0]), self.n + 1
        self.low = max(self.low, clopper_pearson_lower(self.k, self.n, self.level))
        self.high = min(self.high, clopper_pearson_upper(self.k, self.n, self.level).risk)


def wrong_at_some_time(make, runs: int, steps: int, mean: Fraction) -> int:
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(runs):
        interval = make()
        for _ in range(steps):
            x = Fraction(int(rng.random() < float(mean)))
            interval.observe((x, x))
            if not interval.low <= mean <= interval.high:
                wrong += 1
                break
    return wrong


def test_bounds_hold_at_all_times_and_one_look_bounds_do_not() -> None:
    """100 runs, a risk of 0.1 on either side: more than 38 wrong ones have a probability below 10^-4 at a rate of 0.2."""
    mean, risk = Fraction(3, 10), Fraction(1, 10)
    assert wrong_at_some_time(lambda: sure.Interval((Fraction(0), Fraction(1)), risk, risk, 256), 100, 100, mean) <= 38
    assert wrong_at_some_time(lambda: Peeking(float(risk)), 60, 100, mean) > 23  # as many in proportion


def test_trials_are_proved_refuted_or_open() -> None:
    trial = sure.Trial(sure.requirement("flips<=0.2 at 0.9"), 2)
    assert trial.risk == Fraction(1, 20) and trial.state == "open"
    for _ in range(60):
        trial.observe((Fraction(0), Fraction(0)))
    assert trial.state == "proved" and trial.count < 60 and trial.interval.high <= Fraction(1, 5)
    count = trial.count
    trial.observe((Fraction(1), Fraction(1)))
    assert (trial.state, trial.count) == ("proved", count)
    other = sure.Trial(sure.requirement("nll<=0.5 at 0.9"), 1)
    while other.observe((Fraction(3), Fraction(4))) == "open":
        assert other.count < 60
    assert other.state == "refuted" and other.interval.low > Fraction(1, 2)
    assert trial.fixed_size(0.2) is None and trial.fixed_size(0.1) == 150  # ln(20) / (2 · 0.1²) = 149.8


def test_the_wider_end_of_an_observation_is_taken() -> None:
    """A number known to ± e moves the upper bound by its upper end and the lower bound by its lower one."""
    wide, narrow = (sure.Interval((Fraction(0), Fraction(1)), Fraction(1, 20), Fraction(1, 20), 256) for _ in range(2))
    for _ in range(80):
        wide.observe((Fraction(1, 4), Fraction(3, 4)))
        narrow.observe((Fraction(1, 2), Fraction(1, 2)))
    assert wide.low < narrow.low < Fraction(1, 2) < narrow.high < wide.high
    assert wide.low <= Fraction(1, 4) and wide.high >= Fraction(3, 4)
