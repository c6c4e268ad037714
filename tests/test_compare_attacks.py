"""`gnosis compare` given what it cannot use or what tries it: one line that names the file or argument; intervals of simulated texts; progress in a pipe."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_model
import tiny_models
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.compare import sure
from gnosis.compare.outputs import Seen
from gnosis.compare.text import Draws, Passage
from gnosis.files import screen


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacks")
    every = tiny_models.tensors("llama")
    for kind in ("F32", "Q8_0", "Q4_0"):
        tiny_models.write(folder / f"{kind}.gguf", "llama", weights=every, kind=kind)
    rng = np.random.default_rng(0)
    (folder / "tokens.txt").write_text(" ".join(map(str, rng.integers(1, 259, 400))) + "\n")
    (folder / "low.txt").write_text("5 6 7 8 9\n")
    (folder / "single.txt").write_text("5\n6\n7\n")
    tiny_model.write(folder / "nan.gguf", "F32", poison="blk.1.ffn_up.weight")
    tiny_model.write(folder / "good.gguf", "F32")
    poisoned = {**every, "blk.1.ffn_norm.weight": np.full(64, np.nan, np.float32)}
    tiny_models.write(folder / "norm.gguf", "llama", weights=poisoned)
    large = {name: values * np.float32(1e30) if "ffn" in name else values for name, values in every.items()}
    tiny_models.write(folder / "large.gguf", "llama", weights=large)
    other = {**every, "token_embd.weight": every["token_embd.weight"][:258], "output.weight": every["output.weight"][:258]}
    tiny_models.write(folder / "fewer.gguf", "llama", {"vocab_size": 258}, weights=other)
    whole = (folder / "Q8_0.gguf").read_bytes()
    for name, size in (("half", len(whole) // 2), ("head", 100), ("none", 0)):
        (folder / f"{name}.gguf").write_bytes(whole[:size])
    return folder


def run(there: Path, *words: str) -> tuple[int, str, str]:
    named = [str(there / word) if re.search(r"\.(gguf|txt|html)$", word) else word for word in words]
    done = CliRunner().invoke(app, ["compare", *named])
    assert not isinstance(done.exception, Exception), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["F32.gguf", "half.gguf"], "half.gguf"),
        (["F32.gguf", "head.gguf"], "head.gguf"),
        (["none.gguf", "F32.gguf"], "none.gguf"),
        (["F32.gguf", "nowhere.gguf"], "nowhere.gguf"),
        (["F32.gguf", "fewer.gguf", "--tokens", "tokens.txt"], "fewer.gguf.*token_embd"),
        (["F32.gguf", "F32.gguf", "--tokens", "single.txt"], "single.txt.*no line has two tokens"),
        (["good.gguf", "nan.gguf", "--tokens", "tokens.txt"], "nan.gguf.*blk.1.ffn_up.weight"),
        (["good.gguf", "nan.gguf", "--only", "outputs", "--tokens", "low.txt"], "nan.gguf.*blk.1.ffn_up.weight"),
        (["nan.gguf", "good.gguf", "--only", "outputs", "--tokens", "low.txt"], "nan.gguf.*blk.1.ffn_up.weight"),
        (["F32.gguf", "norm.gguf", "--tokens", "tokens.txt"], "norm.gguf.*blk.1.ffn_norm.weight"),
        (["F32.gguf", "large.gguf", "--tokens", "tokens.txt", "--only", "outputs"], "large.gguf.*finite"),
        (["F32.gguf", "large.gguf", "--tokens", "tokens.txt"], "large.gguf.*finite"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "tokens.txt", "--activations", "-1"], "activations = -1"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "tokens.txt", "--json", "--format", "html"], "format"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "tokens.txt", "--output", "F32.gguf"], "--output"),
        (["F32.gguf", "Q8_0.gguf", "--tokens", "tokens.txt", "--output", "tokens.txt"], "--output"),
        (["F32.gguf", "Q8_0.gguf", "--text", "F32.gguf"], "F32.gguf"),
    ],
)
def test_what_cannot_be_used_is_named(there: Path, words: list[str], said: str) -> None:
    code, out, error = run(there, *words)
    assert code == 2 and out == "" and error.count("\n") == 1 and re.search(said, error), (code, error)


def test_a_quantized_file_may_stand_as_the_original(there: Path) -> None:
    """Nothing says which file was first: the figures are those of the other direction."""
    code, out, _ = run(there, "Q4_0.gguf", "F32.gguf", "--tokens", "tokens.txt", "--length", "20", "--json")
    assert code == 0 and '"original_code": "Q4_0"' in out


def test_passages_of_one_position(there: Path) -> None:
    code, out, _ = run(there, "F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--length", "2", "--require", "flips<=0.9 at 0.9")
    assert code == 0 and "PROVED" in out


# ---- intervals of simulated texts ------------------------------------------------------------------------------------


def seen_of(flips: np.ndarray) -> Seen:
    n = len(flips)
    zero = np.zeros(n)
    return Seen(zero, flips * 0.5, flips, flips, zero, zero, zero, zero, zero, zero)


def wrong_texts(draw_evenly: bool) -> int:
    """Of 60 texts of passages of unequal lengths, whose long passages change more: how many intervals leave the mean of the text out at some time."""
    rng, wrong = np.random.default_rng(3), 0
    for seed in range(60):
        lengths = np.where(rng.random(30) < 0.7, 2, 20)
        passages = [Passage("t", 0, tuple(range(n + 1))) for n in lengths.tolist()]
        seen = [seen_of(rng.random(n) < (0.8 if n > 2 else 0.1)) for n in lengths.tolist()]
        mean = Fraction(sum(int(one.flip.sum()) for one in seen), int(lengths.sum()))
        draws, interval = Draws(passages, seed), sure.Interval((Fraction(0), Fraction(1)), Fraction(1, 20), Fraction(1, 20), 256)
        for _ in range(60):
            interval.observe(sure.observations(seen[int(rng.integers(30)) if draw_evenly else draws.next()])["flips"])
            if not interval.low <= mean <= interval.high:
                wrong += 1
                break
    return wrong


def test_intervals_hold_the_mean_of_simulated_texts() -> None:
    """A risk of 0.1 together: more than 15 of 60 have a probability below 10^-3.  The probe: passages drawn evenly, whose mean is another one."""
    assert wrong_texts(False) <= 15 < wrong_texts(True)


# ---- progress --------------------------------------------------------------------------------------------------------


def test_progress_in_a_pipe_shows_the_interval_that_shrinks(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "PACE", 0.0)
    words = ["F32.gguf", "Q4_0.gguf", "--tokens", "tokens.txt", "--length", "20", "--require", "flips<=0.3 at 0.99", "--only", "outputs"]
    code, _, error = run(there, *words)
    ends = [(float(a), float(b)) for a, b in re.findall(r"flips (\S+) … (\S+), required", error)]
    assert code in (1, 3) and len(ends) > 2 and all(a[0] <= b[0] and a[1] >= b[1] for a, b in zip(ends, ends[1:])) and ends[-1] != ends[0]
    assert run(there, *words, "--quiet")[2] == ""
