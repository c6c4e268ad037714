"""`gnosis plan` on small models: the knapsack against all plans, importances read and made, effects, what is written, what is refused."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import struct
from pathlib import Path

import gguf
import live_llama
import numpy as np
import pytest
import tiny_models
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.compare import text
from gnosis.engine import Engine
from gnosis.errors import ArgumentError, EmptyError, NonFiniteError, RangeError
from gnosis.lm import Model, corpus
from gnosis.models.files import ModelError, open_model
from gnosis.plan import choose, codes, effects, importance
from gnosis.plan.choose import Option
from gnosis.plan.measure import grouped
from gnosis.plan.tensors import chosen

pytest.importorskip("libgguf", reason="libgguf is not installed (extra: codes)")
LENGTH = 20


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plan")
    every = tiny_models.tensors("llama")
    tiny_models.write(folder / "F16.gguf", "llama", weights=every, kind="F16")
    tiny_models.write(folder / "other.gguf", "llama", weights=tiny_models.tensors("llama", 1), kind="F16")
    tiny_models.write(folder / "experts.gguf", "experts", kind="F16")
    broken = {**every, "blk.1.ffn_up.weight": every["blk.1.ffn_up.weight"].copy()}
    broken["blk.1.ffn_up.weight"][5, 7] = np.nan
    tiny_models.write(folder / "nan.gguf", "llama", weights=broken, kind="F16")
    rng = np.random.default_rng(0)
    lines = [" ".join(map(str, rng.integers(1, 259, n))) for n in (300, 0, 37, 1, 500)]
    (folder / "tokens.txt").write_text("\n".join(lines) + "\n")
    (folder / "short.txt").write_text("1 2 3 4 5\n")
    return folder


def run(there: Path, *words: str, code: int = 0) -> str:
    named = [str(there / word) if word.endswith((".gguf", ".txt", ".safetensors", ".dat", ".json")) else word for word in words]
    done = CliRunner().invoke(app, ["plan", *named])
    assert done.exit_code == code, done.output
    return done.stderr if code == 2 else done.stdout


def found(there: Path, *words: str, code: int = 0) -> dict:
    return json.loads(run(there, *words, "--tokens", "tokens.txt", "--length", str(LENGTH), "--seconds", "600", "--json", code=code))


# ---- the choice ------------------------------------------------------------------------------------------------------


def some_options(seed: int) -> dict[str, list[Option]]:
    rng = np.random.default_rng(seed)
    return {f"t{i}": [Option(f"c{k}", int(rng.integers(10, 100)), float(rng.random())) for k in range(4)] for i in range(4)}


@pytest.mark.parametrize("seed", range(8))
def test_the_knapsack_is_exact_and_no_worse_than_one_price(seed: int) -> None:
    options = some_options(seed)
    budget = choose.least(options) + 60
    plans = [dict(zip(options, (o.code for o in every))) for every in itertools.product(*options.values())]
    best = min(choose.cost(options, plan) for plan in plans if choose.size(options, plan) <= budget)
    plan, anchor = choose.knapsack(options, budget), choose.lagrange(options, budget)
    assert choose.size(options, plan) <= budget and choose.cost(options, plan) == pytest.approx(best, rel=1e-6)
    assert choose.size(options, anchor) <= budget and choose.cost(options, anchor) >= best - 1e-12
    assert choose.cost(options, choose.knapsack(options, 10**9)) == pytest.approx(sum(min(o.cost for o in every) for every in options.values()))


def test_what_is_useful_and_its_hull() -> None:
    every = [Option("a", 10, 5.0), Option("b", 20, 4.5), Option("c", 20, 3.0), Option("d", 30, 3.0), Option("e", 40, 0.0), Option("f", 25, 2.9)]
    assert [o.code for o in choose.useful(every)] == ["a", "c", "f", "e"]
    assert [o.code for o in choose.hull(every)] == ["a", "c", "e"]
    with pytest.raises(RangeError, match="9.*the smallest types take 10"):
        choose.knapsack({"t": every}, 9)
    with pytest.raises(RangeError):
        choose.lagrange({"t": every}, 9)


def test_groups_are_as_many_as_allowed(there: Path) -> None:
    every = chosen(open_model(str(there / "F16.gguf")), codes.TYPES)
    assert len(grouped(every, 100)) == len(every) == 16 and len(grouped(every, 10)) == len(grouped(every, 0)) == 9
    assert sorted(t.name for group in grouped(every, 10) for t in group.tensors) == sorted(t.name for t in every)
    assert "attn_q 0–1" in {group.name for group in grouped(every, 10)}


def test_types_that_a_tensor_can_have(there: Path) -> None:
    every = {t.name: t for t in chosen(open_model(str(there / "F16.gguf")), codes.TYPES)}
    assert "blk.0.attn_norm.weight" not in every and not [code for t in every.values() for code in t.types if code.endswith("_K")]
    assert codes.row_bytes("Q4_K", 576) is None and codes.row_bytes("Q4_K", 1536) == 864 and codes.row_bytes("Q5_1", 576) == 432
    with pytest.raises(RangeError, match="Q9_9"):
        codes.checked(["Q9_9"])
    experts = {t.name for t in chosen(open_model(str(there / "experts.gguf")), codes.TYPES)}
    assert not [name for name in experts if "ffn_gate_inp" in name] and "blk.0.ffn_up_exps.weight" in experts


# ---- importances -----------------------------------------------------------------------------------------------------


def old_form(path: Path, entries: dict[str, np.ndarray], calls: int) -> Path:
    parts = [struct.pack("<i", len(entries))]
    for name, values in entries.items():
        parts.append(struct.pack("<i", len(name)) + name.encode() + struct.pack("<ii", calls, values.size) + (values * calls).astype("<f4").tobytes())
    path.write_bytes(b"".join(parts))
    return path


def gguf_form(path: Path, entries: dict[str, np.ndarray], counts: list[float]) -> Path:
    writer = gguf.GGUFWriter(path, "imatrix")
    writer.add_string("general.type", "imatrix")
    for name, values in entries.items():
        parts = values.reshape(len(counts), -1)
        writer.add_tensor(f"{name}.in_sum2", (parts * np.array(counts)[:, None]).astype(np.float32))
        writer.add_tensor(f"{name}.counts", np.array(counts, np.float32)[:, None])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_both_forms_of_an_imatrix_are_read(tmp_path: Path) -> None:
    values = {"blk.0.attn_q.weight": np.arange(1, 65, dtype=np.float32), "blk.0.ffn_down.weight": np.arange(1, 97, dtype=np.float32)}
    libgguf = pytest.importorskip("libgguf")
    for path in (old_form(tmp_path / "a.dat", values, 4), gguf_form(tmp_path / "a.gguf", values, [4.0])):
        read = importance.read(path)
        assert set(read) == set(values) and all(np.allclose(read[name], values[name]) for name in values)
        again = libgguf.load_imatrix(path)
        assert all(np.allclose(read[name], again[name]) for name in values)
    experts = importance.read(gguf_form(tmp_path / "e.gguf", {"e": np.arange(1, 9, dtype=np.float32)}, [2.0, 0.0]))["e"]
    assert experts.tolist() == [1, 2, 3, 4, 1, 1, 1, 1]  # an expert that nothing reached counts alike
    assert importance.fitting({"e": experts}, "e", 6, 4) is experts and importance.fitting({}, "e", 6, 4) is None
    with pytest.raises(ArgumentError, match="8 values, and the tensor 3 columns"):
        importance.fitting({"e": experts}, "e", 6, 3)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "cut off"),
        (b"\1\0\0\0\3\0\0\0abc\1\0\0\0\2\0\0\0\0\0\0\0", "cut off: 'abc' has 2 values"),
        (b"\xff\xff\xff\x7f", "not possible"),
        (b"\0\0\0\0", "holds no importances"),
        (struct.pack("<ii3siif", 1, 3, b"abc", 1, 1, float("nan")), "'abc': entry 0 is nan"),
        (struct.pack("<ii3siif", 1, 3, b"abc", 1, 1, -1.0), "'abc': entry 0 is -1"),
        (b"GGUF\3\0\0\0", "name that ends in .gguf"),
    ],
)
def test_a_bad_imatrix_is_named(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "i.dat").write_bytes(content)
    with pytest.raises(ArgumentError, match=problem) as error:
        importance.read(tmp_path / "i.dat")
    assert "i.dat" in str(error.value)


def test_importances_that_are_made_are_mean_squares(there: Path) -> None:
    model = Model.load(str(there / "F16.gguf"))
    passages = [text.Passage("d", 0, tuple(range(4, 14))), text.Passage("d", 9, tuple(range(20, 26)))]
    made = importance.made(model, passages)
    seen: dict[str, list[np.ndarray]] = {}
    for passage in passages:
        model.prefill(passage.tokens[:-1], model.cache(32), "all", lambda name, x: seen.setdefault(name, []).append(x.astype(np.float64)))
    assert set(made) == {name for name in model.weights if name != "token_embd.weight"}
    for name, values in made.items():
        assert np.allclose(values, np.concatenate(seen[name]).__pow__(2).mean(axis=0), rtol=1e-4)


def test_an_importance_moves_the_error_to_where_it_matters_less() -> None:
    rng = np.random.default_rng(0)
    values, weights = rng.standard_normal((64, 64)).astype(np.float32), np.where(np.arange(64) < 32, 100, 1).astype(np.float32)
    for code in ("Q4_0", "IQ4_NL"):
        plain, weighed = codes.coded("t", values, code, None), codes.coded("t", values, code, weights)
        assert codes.error(values, weighed, code, weights) < codes.error(values, plain, code, weights)
    parts = codes.coded("t", values, "Q4_0", np.concatenate([weights, weights[::-1]]))  # two parts, each with its own
    assert np.array_equal(parts[:32], codes.coded("t", values[:32], "Q4_0", weights))
    assert np.array_equal(parts[32:], codes.coded("t", values[32:], "Q4_0", np.ascontiguousarray(weights[::-1])))
    values[3, 4] = np.inf
    with pytest.raises(NonFiniteError, match=r"t\[3, 4\] = inf"):
        codes.coded("t", values, "Q4_0", None)
    assert np.isfinite(
        codes.error(np.ones((2, 64), np.float32), codes.coded("t", np.ones((2, 64), np.float32), "Q4_0", np.zeros(64, np.float32)), "Q4_0", None)
    )


# ---- effects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.0, 1e-4, 1e-2, 1.0, 30.0])
def test_the_divergence_is_that_of_long_floats(scale: float) -> None:
    rng = np.random.default_rng(1)
    z = (3 * rng.standard_normal((7, 500))).astype(np.float32)
    y = (z + scale * rng.standard_normal((7, 500))).astype(np.float32)
    a, b = (x.astype(np.longdouble) - np.log(np.exp(x.astype(np.longdouble)).sum(axis=1, keepdims=True)) for x in (z, y))
    exact = float((np.exp(a) * (a - b)).sum())
    assert effects.divergence(z, y) == pytest.approx(exact, rel=1e-3, abs=1e-9)


def test_halves_are_disjoint_and_reproducible() -> None:
    every = [text.Passage("d", i, (1, 2, 3)) for i in range(11)]
    one, two = text.half(every, 1, 5), text.half(every, 2, 5)
    assert sorted(p.at for p in one + two) == list(range(11)) and (len(one), len(two)) == (5, 6)
    assert one == text.half(every, 1, 5) != text.half(every, 1, 6) and [p.at for p in one] == sorted(p.at for p in one)
    with pytest.raises(EmptyError):
        text.half(every[:1], 1, 5)


# ---- the command -----------------------------------------------------------------------------------------------------


def test_a_plan_is_measured_written_and_better_than_the_anchor(there: Path) -> None:
    d = found(there, "F16.gguf", "--bpw", "5.2", "--write", "plan.gguf", "--certify")
    file, original = open_model(str(there / "plan.gguf")), open_model(str(there / "F16.gguf"))
    assert list(file.tensors) == list(original.tensors)
    assert d["bytes"] == sum(info.nbytes for info in file.tensors.values()) and d["bits_per_weight"] == 8 * d["bytes"] / d["weights"] <= 5.2
    assert {t["name"]: t["code"] for t in d["tensors"]} == {t["name"]: file.tensors[t["name"]].encoding for t in d["tensors"]}
    kept, changed = (gguf.GGUFReader(there / name).fields for name in ("F16.gguf", "plan.gguf"))
    for name, field in kept.items():
        if not name.startswith("GGUF.") and name != "general.file_type":
            assert changed[name].contents() == field.contents() and changed[name].types == field.types, name
    assert changed["general.quantization_version"].contents() == 2 and changed["general.file_type"].contents() in {8, 25, 2, 3, 9, 7, 38}
    # what it says of the outputs is what the file does, and the anchor, which knows the weights only, does worse at no fewer bytes
    assert d["kl"] < d["anchor"]["kl"] and d["flips"] < d["anchor"]["flips"] and d["anchor"]["size"] + d["fixed_bytes"] <= 5.2 * d["weights"] / 8
    assert d["additivity"]["measured"] == pytest.approx(d["additivity"]["sum_of_effects"], rel=0.5)
    assert d["certified"]["outputs"]["half"] == 2 and d["certified"]["outputs"]["candidates"][0]["figures"]["kl"]["mean"] < 2 * d["kl"]
    words = d["certify"].split()
    again = CliRunner().invoke(app, [*words[1:], "--json"])
    assert json.loads(again.stdout)["outputs"]["candidates"] == d["certified"]["outputs"]["candidates"]


def test_what_it_reports_is_what_the_file_does(there: Path) -> None:
    d = found(there, "F16.gguf", "--bpw", "5", "--types", "Q4_0,Q5_0,Q8_0", "--most", "100", "--write", "same.gguf")
    passages = text.half(text.of_numbers(there / "tokens.txt", corpus.numbers(there / "tokens.txt"), 260, LENGTH), 1, 0)
    order = np.random.default_rng([0, 1]).permutation(len(passages))
    one, two = Engine.load(str(there / "F16.gguf")), Engine.load(str(there / "same.gguf"))
    kl, flips, n = 0.0, 0, 0
    for i in order:
        tokens = passages[i].tokens
        if n and n + len(tokens) - 1 > 100:
            break
        z, y = (e.prefill(tokens[:-1], e.cache(LENGTH), "all").logits for e in (one, two))
        kl, flips, n = kl + effects.divergence(z, y), flips + int((z.argmax(axis=1) != y.argmax(axis=1)).sum()), n + len(tokens) - 1
    assert (n, flips / n) == (d["positions"], d["flips"]) and d["kl"] == pytest.approx(kl / n)
    assert {t["code"] for t in d["tensors"]} <= {"Q4_0", "Q5_0", "Q8_0", "F16"}


def test_a_run_goes_on_from_its_state(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(there, "F16.gguf", "--bpw", "5.4", "--state", "state.json")
    assert first["measured_before"] == 0
    content = json.loads((there / "state.json").read_text())
    assert len(content["measured"]) > 16
    # nothing is measured again: an engine for other weights than the original's is never made
    made = []
    real = Engine.of_model.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(Engine, "of_model", classmethod(lambda cls, model, **more: (made.append(model), real(cls, model, **more))[1]))
    again = found(there, "F16.gguf", "--bpw", "5.4", "--state", "state.json")
    assert again["tensors"] == first["tensors"] and again["measured_before"] == len(content["measured"]) and len(made) == 1
    # half of it: the rest is measured, and the plan is the same
    kept = dict(list(content["measured"].items())[:25])
    (there / "state.json").write_text(json.dumps({**content, "measured": kept}))
    assert found(there, "F16.gguf", "--bpw", "5.4", "--state", "state.json")["tensors"] == first["tensors"]
    assert "another model" in run(there, "other.gguf", "--bpw", "5.4", "--state", "state.json", "--tokens", "tokens.txt", "--length", str(LENGTH), code=2)
    (there / "state.json").write_text("{}")
    assert "holds no measurements" in run(there, "F16.gguf", "--bpw", "5.4", "--state", "state.json", "--tokens", "tokens.txt", "--length", "20", code=2)


def test_a_share_of_changed_tokens_is_a_target(there: Path) -> None:
    d = found(there, "F16.gguf", "--flips", "0.1", "--most", "200")
    tight = found(there, "F16.gguf", "--flips", "0.03", "--most", "200")
    assert d["flips"] <= 0.1 and tight["flips"] <= 0.03 and d["bytes"] < tight["bytes"]
    assert "--require 'flips<=0.1 at 0.99'" in d["certify"]
    said = run(there, "F16.gguf", "--flips", "0.0001", "--types", "Q4_0", "--tokens", "tokens.txt", "--length", "20", code=2)
    assert "flips = 0.0001" in said and "is not reached" in said


def test_errors_of_weights_alone(there: Path) -> None:
    d = found(there, "F16.gguf", "--bpw", "5.2", "--by", "weights", "--imatrix", str(imatrix(there)))
    assert d["by"] == "weights" and d["importances"] == "file" and not d["groups"] and d["kl"] > 0
    e = json.loads(run(there, "experts.gguf", "--bpw", "5", "--json", "--write", "experts-plan.gguf"))
    assert "experts" in e["no_outputs"] and e["kl"] is None and e["certify"] is None and e["importances"] == "none"
    assert open_model(str(there / "experts-plan.gguf")).tensors["blk.0.ffn_gate_inp.weight"].encoding == "F32"
    assert "engine runs no model with experts" in run(there, "experts.gguf", "--flips", "0.1", code=2)


def imatrix(there: Path) -> Path:
    rng = np.random.default_rng(3)
    model = open_model(str(there / "F16.gguf"))
    names = {name: rng.random(info.columns).astype(np.float32) for name, info in model.tensors.items() if name.startswith("blk.") and len(info.shape) > 1}
    return gguf_form(there / "imatrix.gguf", names, [7.0])


def test_parts_of_a_split_file_are_kept(there: Path) -> None:
    source = gguf.GGUFReader(there / "F16.gguf")
    halves = [source.tensors[:9], source.tensors[9:]]
    for number, own in enumerate(halves):
        writer = gguf.GGUFWriter(there / f"split-{number + 1:05}-of-00002.gguf", "llama")
        if number == 0:
            for field in source.fields.values():
                if not field.name.startswith("GGUF.") and field.name != "general.architecture":
                    array = field.types[0] == gguf.GGUFValueType.ARRAY
                    writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=field.types[-1] if array else None)
        else:
            writer.kv_data[0].pop("general.architecture")
        for key, value in (("split.no", number), ("split.count", 2)):
            writer.add_uint16(key, value)
        writer.add_int32("split.tensors.count", len(source.tensors))
        for tensor in own:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    whole = found(there, "F16.gguf", "--bpw", "5.2", "--write", "whole-plan.gguf")
    d = found(there, "split-00001-of-00002.gguf", "--bpw", "5.2", "--write", "parts.gguf")
    assert [Path(name).name for name in d["written"]] == ["parts-00001-of-00002.gguf", "parts-00002-of-00002.gguf"]
    assert {t["name"]: t["code"] for t in d["tensors"]} == {t["name"]: t["code"] for t in whole["tensors"]}
    assert [len(gguf.GGUFReader(name).tensors) for name in d["written"]] == [len(own) for own in halves]
    one, two = open_model(str(there / "whole-plan.gguf")), open_model(d["written"][0])
    assert all(np.array_equal(one.raw(name), two.raw(name)) for name in one.tensors)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["F16.gguf"], "target = 'none'"),
        (["F16.gguf", "--bpw", "4", "--flips", "0.1"], "target = 'bpw and flips'"),
        (["F16.gguf", "--bpw", "1"], r"bpw = 1\.0: is not possible: .* 4\.\d+ bits a weight"),
        (["F16.gguf", "--bytes", "10"], "bytes = 10: is not possible"),
        (["F16.gguf", "--bpw", "nan"], "bpw = nan"),
        (["F16.gguf", "--bpw", "-1"], "bpw = -1.0"),
        (["F16.gguf", "--flips", "2"], "flips = 2.0"),
        (["F16.gguf", "--bpw", "5", "--types", "Q5_0,Q9_9"], "types = 'Q9_9'"),
        (["F16.gguf", "--bpw", "5", "--by", "luck"], "by = 'luck'"),
        (["F16.gguf", "--bpw", "5", "--certify"], "certify"),
        (["F16.gguf", "--bpw", "5", "--seconds", "0"], "seconds"),
        (["F16.gguf", "--bpw", "5", "--write", "F16.gguf"], "--write .*F16.gguf: the file exists"),
        (["F16.gguf", "--bpw", "5", "--write", "a.txt"], "name that ends in .gguf"),
        (["F16.gguf", "--bpw", "5", "--tokens", "short.txt"], "one passage has no two halves"),
        (["nan.gguf", "--bpw", "5", "--tokens", "tokens.txt"], r"nan\.gguf.*'blk\.1\.ffn_up\.weight'.*row 5, column 7"),
        (["F16.gguf", "--flips", "0.1", "--by", "weights"], "by = 'weights'"),
    ],
)
def test_what_is_refused_and_how_it_is_said(there: Path, words: list[str], said: str) -> None:
    before = sorted(p.name for p in there.iterdir())
    assert re.search(said, run(there, *words, code=2)), run(there, *words, code=2)
    assert sorted(p.name for p in there.iterdir()) == before


def test_tables(there: Path) -> None:
    shown = run(there, "F16.gguf", "--bpw", "5.2", "--tokens", "tokens.txt", "--length", str(LENGTH), "--seconds", "5")
    for words in ("The plan:", "What measuring found", "anchor", "What other sizes would buy", "on the other half: gnosis compare"):
        assert words in shown
    assert "blk.1.ffn_down.weight" in run(there, "F16.gguf", "--bpw", "5.2", "--tokens", "tokens.txt", "--length", str(LENGTH), "--seconds", "1", "--every")


@pytest.mark.skipif(not live_llama.installed(), reason=f"llama-cpp-python {live_llama.VERSION} is not installed")
def test_llama_cpp_opens_the_file(there: Path, tmp_path: Path) -> None:
    shutil.copy(there / "F16.gguf", tmp_path / "F16.gguf")
    shutil.copy(there / "tokens.txt", tmp_path / "tokens.txt")
    d = found(tmp_path, "F16.gguf", "--bpw", "5", "--write", "plan.gguf")
    assert len({t["code"] for t in d["tensors"]}) > 1
    tokens = tiny_models.text("llama")
    theirs = live_llama.Llama(tmp_path / "plan.gguf").logits(tokens)
    engine = Engine.load(str(tmp_path / "plan.gguf"))
    ours = engine.prefill(tokens, engine.cache(64), "all").logits
    base = Engine.load(str(tmp_path / "F16.gguf"))
    lost = np.abs(base.prefill(tokens, base.cache(64), "all").logits - ours).max()
    assert np.abs(theirs - ours).max() < lost / 2


def test_a_file_that_is_no_language_model_is_planned_by_its_weights(there: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(there / "matrix.npy", rng.standard_normal((64, 256)).astype(np.float32))
    done = CliRunner().invoke(app, ["plan", str(there / "matrix.npy"), "--bpw", "4.5", "--json"])
    d = json.loads(done.stdout)
    assert d["tensors"][0]["code"] == "Q4_K" and "a language model is read from a .gguf file" in d["no_outputs"]
    assert (
        "written from a GGUF original" in CliRunner().invoke(app, ["plan", str(there / "matrix.npy"), "--bpw", "4.5", "--write", str(there / "m.gguf")]).stderr
    )
    with pytest.raises(ModelError, match="no matrix"):
        from gnosis.plan.run import Settings, planned

        np.save(there / "narrow.npy", rng.standard_normal((64, 20)).astype(np.float32))
        planned(str(there / "narrow.npy"), Settings(bpw=4.5), lambda *_: None)
