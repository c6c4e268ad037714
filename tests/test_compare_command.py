"""`gnosis compare` on small models: figures against ones worked out apart, exit codes, what is refused and how it is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from safetensors.numpy import save_file
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.cli.compare import _high, _low, _number
from gnosis.compare.figures import counted, threshold
from gnosis.engine import Engine

LENGTH = 20


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compare")
    every = tiny_models.tensors("llama")
    for kind in ("F32", "Q8_0", "Q4_0"):
        tiny_models.write(folder / f"{kind}.gguf", "llama", weights=every, kind=kind)
    rng = np.random.default_rng(0)
    lines = [" ".join(map(str, rng.integers(1, 259, n))) for n in (300, 0, 37, 1, 500)]
    (folder / "tokens.txt").write_text("\n".join(lines) + "\n")
    (folder / "short.txt").write_text("1 2 3 4 5\n")
    return folder


def run(there: Path, *words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["compare", *(str(there / word) if word.endswith((".gguf", ".txt", ".safetensors")) else word for word in words)])
    assert done.exit_code == code, done.output
    return done.stderr if code == 2 else done.stdout


def outputs(there: Path, *words: str, code: int = 0) -> dict:
    return json.loads(run(there, *words, "--json", "--length", str(LENGTH), code=code))["outputs"]


def test_figures_are_those_worked_out_apart(there: Path) -> None:
    found = outputs(there, "F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--top", "3")
    engines = [Engine.load(str(there / f"{kind}.gguf")) for kind in ("F32", "Q4_0")]
    kl, flips, sets, losses = [], 0, 0, []
    for line in (there / "tokens.txt").read_text().splitlines():
        ids = [int(word) for word in line.split()]
        for at in range(0, len(ids), LENGTH):
            piece = ids[at : at + LENGTH]
            if len(piece) < 2:
                continue
            p, q = (engine.prefill(piece[:-1], engine.cache(LENGTH), "all").logits.astype(np.longdouble) for engine in engines)
            for target, a, b in zip(piece[1:], p, q):
                a, b = a - np.log(np.exp(a).sum()), b - np.log(np.exp(b).sum())
                kl.append(float((np.exp(a) * (a - b)).sum()))
                flips += int(a.argmax() != b.argmax())
                sets += set(np.argsort(a)[-3:].tolist()) != set(np.argsort(b)[-3:].tolist())
                losses.append((float(-a[target]), float(-b[target])))
    for engine in engines:
        engine.close()
    figures = found["candidates"][0]["figures"]
    assert found["whole_text"] and figures["positions"] == len(kl) == found["positions"]
    assert figures["flips"]["changed"] == flips > 0 and figures["sets"]["changed"] == sets > 0
    assert np.isclose(figures["kl"]["mean"], np.mean(kl), rtol=1e-9) and np.isclose(figures["kl"]["99%"], np.quantile(kl, 0.99), rtol=1e-9)
    assert np.isclose(figures["perplexity"]["original"], np.exp(np.mean([a for a, _ in losses])), rtol=1e-9)
    assert np.isclose(figures["nll"]["mean"], np.mean([b - a for a, b in losses]), rtol=1e-7)
    assert sum(p["candidates"][0]["flips"] for p in found["by_passage"]) == flips
    share, interval = flips / len(kl), found["candidates"][0]["intervals"]["flips"]
    assert interval["low"] <= share <= interval["high"] < 1


def test_exit_codes(there: Path) -> None:
    pair = ("F32.gguf", "Q8_0.gguf", "--tokens", "tokens.txt")
    proved = outputs(there, *pair, "--require", "flips<=0.6 at 0.99")
    assert proved["verdict"] == "proved" and proved["draws"] < proved["draws_planned"]
    (one,) = proved["candidates"][0]["requirements"]
    assert one["high"] <= 0.6 and one["positions"] < one["positions_of_a_fixed_size_test"] * 10
    # what holds for a number of draws that was fixed beforehand is not said of a run that ended when it had seen enough
    assert proved["candidates"][0]["passages_with_a_change"] is None and proved["candidates"][0]["unchanged_above"] is None
    refuted = outputs(there, "F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--require", "flips<=0.01 at 0.99", code=1)
    assert refuted["verdict"] == "refuted" and refuted["candidates"][0]["requirements"][0]["low"] > 0.01
    assert outputs(there, *pair[:2], "--tokens", "short.txt", "--require", "flips<=0.02 at 0.99", code=3)["verdict"] == "open"
    assert outputs(there, *pair, "--most", "40", "--require", "flips<=0.02 at 0.99", code=3)["draws"] == 2
    both = outputs(there, "F32.gguf", "Q8_0.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--require", "flips<=0.3 at 0.9", "--require", "tv<=0.9", code=1)
    assert [[r["state"] for r in c["requirements"]] for c in both["candidates"]] == [["proved", "proved"], ["refuted", "proved"]]


def test_candidates_are_ranked_by_paired_differences(there: Path) -> None:
    found = outputs(there, "F32.gguf", "Q4_0.gguf", "Q8_0.gguf", "--tokens", "tokens.txt")
    assert found["ranking"] == [1, 0]
    (pair,) = found["pairs"]
    assert pair["nearer"].endswith("Q8_0.gguf") and 0 < pair["low"] < pair["high"]
    alone = outputs(there, "F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt")["candidates"][0]["intervals"]["tv"]
    shared = found["candidates"][0]["intervals"]["tv"]
    assert shared["high"] - shared["low"] > alone["high"] - alone["low"], "the error is divided"


def test_the_same_file_twice_and_the_same_seed(there: Path) -> None:
    document = json.loads(run(there, "F32.gguf", "F32.gguf", "--tokens", "tokens.txt", "--json"))
    figures = document["outputs"]["candidates"][0]["figures"]
    assert document["candidates"][0]["same_file"] and document["candidates"][0]["weights"]["energy_upper"] == 0
    assert figures["kl"]["largest"] == figures["tv"]["largest"] == figures["flips"]["changed"] == figures["sets"]["changed"] == 0
    words = ("F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--require", "flips<=0.1 at 0.9", "--only", "outputs")
    assert outputs(there, *words, code=1) == outputs(there, *words, code=1)
    assert outputs(there, *words, code=1)["by_passage"] != outputs(there, *words, "--seed", "1", code=1)["by_passage"]


def test_weights_alone_where_there_are_no_outputs(there: Path, tmp_path: Path) -> None:
    save_file(tiny_models.tensors("llama"), tmp_path / "model.safetensors")
    words = [str(tmp_path / "model.safetensors"), str(tmp_path / "model.safetensors")]
    document = json.loads(run(there, *words, "--json"))
    assert document["outputs"] is None and "model.safetensors" in document["no_outputs"] and len(document["candidates"][0]["weights"]["tensors"]) == 21
    assert "model.safetensors" in run(there, *words, "--require", "flips<=0.1", code=2)
    assert "no outputs" in run(there, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["F32.gguf", "Q8_0.gguf", "--require", "flips=<0.1"], r"'flips=<0.1'"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "bad.txt"], r"bad.txt.*line 2: 'x'"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "far.txt"], r"far.txt.*line 1: 999 is no token of a vocabulary of 260"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "empty.txt"], r"empty.txt.*no line has two tokens"),
        (["F32.gguf", "Q8_0.gguf", "--text", "empty.txt"], r"text"),
        (["F32.gguf", "Q8_0.gguf", "--text", "empty.txt", "--tokens", "far.txt"], r"instead of --text"),
        (["F32.gguf", "other.gguf", "--tokens", "tokens.txt"], r"other.gguf: token 5 is another one than in .*F32.gguf"),
        (["F32.gguf", "cut.gguf"], r"cut.gguf"),
        (["F32.gguf", "Q8_0.gguf", "--top", "260", "--tokens", "tokens.txt"], r"top"),
        (["F32.gguf", "Q8_0.gguf", "--most", "3", "--tokens", "tokens.txt"], r"most"),
        (["F32.gguf", "Q8_0.gguf", "--only", "weights", "--require", "flips<=0.1"], r"only"),
    ],
)
def test_what_is_refused_is_named(there: Path, words: list[str], said: str) -> None:
    (there / "bad.txt").write_text("1 2\n3 x\n")
    (there / "far.txt").write_text("1 999\n")
    (there / "empty.txt").write_text("")
    vocabulary = tiny_models.byte_level()
    vocabulary["tokenizer.ggml.tokens"] = [*vocabulary["tokenizer.ggml.tokens"][:5], "another", *vocabulary["tokenizer.ggml.tokens"][6:]]
    tiny_models.write(there / "other.gguf", "llama", tokenizer=vocabulary)
    (there / "cut.gguf").write_bytes((there / "Q8_0.gguf").read_bytes()[:-100])
    found = run(there, *words, code=2)
    assert re.search(said, found) and found.count("\n") == 1, found


def test_a_text_is_cut_into_passages(there: Path) -> None:
    (there / "text.txt").write_text("the thing that the other thinks " * 8)
    found = outputs(there, "F32.gguf", "Q8_0.gguf", "--text", "text.txt", "--only", "outputs")
    assert found["whole_text"] and found["by_passage"][0]["document"] == "text.txt" and found["positions"] == sum(p["positions"] for p in found["by_passage"])


def test_settings_that_differ_are_said(there: Path, tmp_path: Path) -> None:
    tiny_models.write(tmp_path / "turned.gguf", "llama", {"rope.freq_base": 500.0})
    found = outputs(there, "F32.gguf", str(tmp_path / "turned.gguf"), "--tokens", "tokens.txt")
    assert len(found["differing_settings"]) == 1 and "rope_base is 500.0, and 10000.0" in found["differing_settings"][0]


def test_the_threshold_says_what_its_calibration_leaves_open() -> None:
    found = threshold(list(range(1, 100)), "0.9")
    assert (found["rank"], found["threshold"]) == (90, 90.0) and 0.1 < found["given_calibration"] < 0.17
    assert threshold([1.0] * 5, "0.9")["threshold"] is None
    few = counted(0, 10, 0.1)
    assert few["low"] == 0 and 0.25 < few["high"] < 0.26  # 1 − 0.05^(1/10)


def test_a_threshold_keeps_its_word_on_new_passages() -> None:
    """Calibrations drawn anew: the rate of the next score above the threshold, and how often a calibration's own rate is above what is said of it."""
    rng, above, broken, runs = np.random.default_rng(0), 0.0, 0, 400
    for _ in range(runs):
        found = threshold(rng.random(40), "0.9")  # the rate of a threshold t is 1 − t
        above += 1 - found["threshold"]
        broken += 1 - found["threshold"] > found["given_calibration"]
    assert above / runs <= 0.1 + 0.01 and broken <= 40  # 5 % of 400 are 20
    assert above / runs > 0.08


def test_bounds_are_shown_rounded_outward() -> None:
    for x in (0.12345, -0.12345, 1e-7, 123456.5, 0.0, 1 / 3):
        assert float(_low(x)) <= x <= float(_high(x)) and abs(float(_number(x)) - x) <= 1e-3 * abs(x)


def test_help_has_two_examples() -> None:
    said = CliRunner().invoke(app, ["compare", "--help"]).stdout
    assert len(re.findall(r"^\s+gnosis compare ", said, re.M)) == 2
