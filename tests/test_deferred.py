"""Deferred refinement: what it writes, what it counts, its records, its calibrated margin."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tiny_model
from deferred_support import MOST, prompts
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.errors import ArgumentError, DtypeError, EmptyError, NonFiniteError, RangeError
from gnosis.inference.deferred import Pair, Policy, generate, greedy, open_pair, record, run
from gnosis.models.files import ModelError
from gnosis.studies import deferred as study


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("codes")


@pytest.fixture(scope="module")
def pairs(folder) -> list[Pair]:
    """The same random weights in two codes, several times."""
    return [
        open_pair("", str(tiny_model.write(folder / f"coarse{s}.gguf", "Q4_0", s)), str(tiny_model.write(folder / f"fine{s}.gguf", "Q8_0", s)))
        for s in range(4)
    ]


@pytest.fixture(scope="module")
def pair(pairs) -> Pair:
    """One on which the two codes differ, and not only where the margin is smallest."""
    return next(p for p in pairs if study.along(p, [1, 2, 3], MOST).differs.sum() >= 2)


# ---- what is written -------------------------------------------------------------------------------------------------------

policies = st.builds(lambda w, a, o: Policy("verify-all", None, w, a, o), st.integers(1, 30), st.integers(0, 3), st.booleans())


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_verify_all_writes_what_the_finer_model_writes(pairs, data):
    one, prompt, policy = data.draw(st.sampled_from(pairs)), data.draw(prompts), data.draw(policies)
    answer = generate(one, prompt, policy, MOST)
    assert answer.tokens == greedy(one.fine, prompt, MOST)[0]
    assert all(c.read == c.passes * one.fine_bytes for c in answer.checks)
    assert answer.ended == (answer.tokens[-1] == tiny_model.END)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_a_margin_above_every_disagreement_gives_the_finer_text_and_the_next_below_does_not(pairs, data):
    one, prompt, window = data.draw(st.sampled_from(pairs)), data.draw(prompts), data.draw(st.integers(1, 30))
    known = study.along(one, prompt, MOST)
    tau = max(0.0, math.nextafter(known.score, math.inf))
    assert generate(one, prompt, Policy("margin", tau, window, overlap=data.draw(st.booleans())), MOST).tokens == known.fine
    if known.differs.any() and known.score > 0:
        # τ at the largest margin of a disagreement leaves that token unchecked, unless the finer model happened to write it for free
        answer = generate(one, prompt, Policy("margin", known.score, MOST), MOST)
        place = int(np.flatnonzero(known.differs & (known.margins == known.score))[0])
        assert answer.tokens != known.fine or answer.margins[place] is None


def _by_the_book(pair: Pair, prompt: list[int], policy: Policy, most: int) -> tuple[list[int], list[dict], int, int, int]:
    """The rules of `gnosis.inference.deferred.run` without caches: every model reads everything for each token.

    Returns the answer, its windows as a record has them, and without overlap what was drafted, deferred, and the windows that passed.
    """
    start, last = len(prompt), len(prompt) + most
    tokens, margins = list(prompt), [None] * start
    settled = told = start
    seen = 0  # tokens that the finer model has read
    windows, drafted, deferred, passed = [], 0, 0, 0

    def says(model, before):
        return run.top(model.prefill(before, model.cache()).logits[0])

    def finished():
        return len(tokens) > start and tokens[-1] == tiny_model.END or len(tokens) == last

    def draft(until):
        nonlocal drafted, deferred
        while len(tokens) < until and not finished():
            token, margin = says(pair.coarse, tokens)
            tokens.append(token)
            margins.append(margin)
            drafted, deferred = drafted + 1, deferred + doubtful(margin)

    def doubtful(margin):
        return margin is not None and (policy.mode == "verify-all" or margin < policy.tau)

    def put(token):
        nonlocal settled
        tokens.append(token)
        margins.append(None)
        settled = len(tokens)

    while not (finished() and settled == len(tokens)):
        draft(settled + policy.window)
        upto = len(tokens)
        asked = [i for i in range(settled, upto) if doubtful(margins[i])]
        if not asked:
            settled, passed, check = upto, passed + 1, None
        else:
            fed, passes, gained = upto - seen, 1, 0
            seen = upto
            flip = next((i for i in asked if says(pair.fine, tokens[:i])[0] != tokens[i]), None)
            tail = [] if flip is None else tokens[flip + 1 :]
            if flip is None and policy.overlap:
                draft(upto + policy.window)
            free = says(pair.fine, tokens[:upto])[0]
            if flip is None and len(tokens) > upto and doubtful(margins[upto]) and tokens[upto] != free:
                flip = upto
            if flip is not None:
                del tokens[flip:], margins[flip:]
                put(says(pair.fine, tokens)[0])
                gained, seen = 1, flip
                for _ in range(policy.again):
                    if not tail or finished():
                        break
                    passes, fed, agrees = passes + 1, fed + len(tokens) + len(tail) - seen, True
                    while agrees and not finished():
                        token = says(pair.fine, tokens)[0]
                        agrees = bool(tail) and token == tail[0]
                        tail = tail[1:]
                        put(token)
                        gained += 1
                    seen = len(tokens) - 1
            else:
                settled = min(len(tokens), upto + 1)
                if len(tokens) == upto and not finished():
                    put(free)
                    gained = 1
            check = {
                "upto": upto - start,
                "fed": fed,
                "asked": len(asked),
                "flip": None if flip is None else flip - start,
                "gained": gained,
                "passes": passes,
                "read": passes * pair.fine_bytes,
            }
        windows.append({"tokens": tokens[told:settled], "check": check})
        told = settled
    return tokens[start:], windows, drafted, deferred, passed


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_every_window_is_as_the_rules_have_it(pairs, data):
    one, prompt = data.draw(st.sampled_from(pairs)), data.draw(prompts)
    tau = data.draw(st.sampled_from([None, 0.05, 0.3, 1.0]))
    policy = Policy("verify-all" if tau is None else "margin", tau, data.draw(st.integers(1, 12)), data.draw(st.integers(0, 3)), data.draw(st.booleans()))
    most = data.draw(st.integers(1, MOST))
    windows: list[dict] = []
    answer = generate(one, prompt, policy, most, lambda tokens, check: windows.append(record._window(tokens, check)))
    tokens, expected, drafted, deferred, passed = _by_the_book(one, prompt, policy, most)
    assert answer.tokens == tokens and windows == expected and answer.windows_passed == passed
    if not policy.overlap:  # how far it gets meanwhile depends on the clock
        assert (answer.drafted, answer.deferred) == (drafted, deferred)


def test_the_head_is_asked_about_open_places_alone(pair, monkeypatch):
    """After a long prompt, or windows that passed: its product costs as much as many layers."""
    rows: list[int] = []
    monkeypatch.setattr(pair.fine, "head", lambda x, head=pair.fine.head: (rows.append(len(x)), head(x))[1])
    answer = generate(pair, [1, 2, 3] * 20, Policy("verify-all", None, 4), MOST)
    assert len(rows) == len(answer.checks) and max(rows) == 5


def test_the_first_of_equals_is_taken():
    assert run.top(np.array([1.0, 3.0, 3.0, 2.0], np.float32)) == (1, 0.0) and run.top(np.array([1.0, 2.5], np.float32)) == (1, 1.5)
    for wrong in (math.nan, math.inf, -math.inf):
        with pytest.raises(NonFiniteError):
            run.top(np.array([1.0, wrong], np.float32))


def test_a_margin_of_exactly_tau_is_not_deferred():
    assert (
        not Policy("margin", 1.0).deferred(1.0) and Policy("margin", 1.0).deferred(math.nextafter(1.0, 0.0)) and Policy("verify-all", None).deferred(math.inf)
    )


def test_no_margin_is_below_zero_so_nothing_is_checked(pair):
    answer = generate(pair, [1, 2, 3], Policy("margin", 0.0, 4), MOST)
    assert answer.tokens == greedy(pair.coarse, [1, 2, 3], MOST)[0]
    assert not answer.checks and answer.read == 0 and answer.windows_passed > 0


def test_overlapping_changes_no_token(pairs):
    for one in pairs:
        for tau in (0.05, 0.5):
            texts = [generate(one, [5, 6], Policy("margin", tau, 5, overlap=o), MOST).tokens for o in (False, True, True)]
            assert texts[1] == texts[2]


@pytest.mark.parametrize("fault", ["a cache that is not cut back", "the wrong place", "tokens that stay"])
def test_faults_are_seen(pairs, monkeypatch, fault):
    """The equality above fails when a part of the bookkeeping is wrong."""
    if fault == "a cache that is not cut back":

        def back(self, place):
            del self.tokens[place:], self.margins[place:]
            self.coarse.truncate(min(self.coarse.length, place))

        monkeypatch.setattr(run._Run, "back", back)
    elif fault == "the wrong place":
        visit = run._Run.visit
        monkeypatch.setattr(run._Run, "visit", lambda self, tokens: (lambda v: replace(v, says=v.says[1:] + v.says[:1]))(visit(self, tokens)))
    else:
        asked = run._Run.asked
        monkeypatch.setattr(run._Run, "asked", lambda self, upto: asked(self, upto)[1:])

    def right(one: Pair) -> bool:
        try:
            return generate(one, [1, 2, 3], Policy("verify-all", None, 6), MOST).tokens == greedy(one.fine, [1, 2, 3], MOST)[0]
        except (ArgumentError, IndexError):
            return False

    assert not all(right(one) for one in pairs)


def test_what_became_final_is_told_once_and_in_order(pair):
    told: list[int] = []
    answer = generate(pair, [1, 2, 3], Policy("margin", 0.3, 5), MOST, lambda tokens, check: told.extend(tokens))
    assert told == answer.tokens


# ---- bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, error",
    [
        ({"mode": "both"}, RangeError),
        ({"tau": None}, RangeError),
        ({"mode": "verify-all"}, RangeError),
        ({"tau": math.nan}, NonFiniteError),
        ({"tau": math.inf}, NonFiniteError),
        ({"tau": -1.0}, RangeError),
        ({"tau": True}, DtypeError),
        ({"tau": "1"}, DtypeError),
        ({"window": 0}, RangeError),
        ({"window": 2.5}, RangeError),
        ({"again": -1}, RangeError),
        ({"overlap": "yes"}, DtypeError),
        ({"overlap": 1}, DtypeError),
    ],
)
def test_policies_that_cannot_be(fields, error):
    with pytest.raises(error, match=next(iter(fields)) if fields != {"mode": "verify-all"} else "tau"):
        Policy(**fields)


def test_prompts_and_lengths_that_cannot_be(pair):
    policy = Policy("verify-all", None, 4)
    with pytest.raises(EmptyError, match="tokens"):
        generate(pair, [], policy, MOST)
    with pytest.raises(RangeError, match=r"tokens\[1\] = 999"):
        generate(pair, [1, 999], policy, MOST)
    with pytest.raises(RangeError, match="most = 127.*context of 128"):
        generate(pair, [1, 2], policy, 127)
    with pytest.raises(RangeError, match="most = 0"):
        generate(pair, [1, 2], policy, 0)


def test_pairs_that_are_no_pair(folder):
    fine = str(tiny_model.write(folder / "a.gguf"))
    other = [*tiny_model.TOKENS]
    other[2] = "~"
    for name, path, words in (
        ("vocabulary", tiny_model.write(folder / "b.gguf", tokens=other), "token 2 is '~' in one and 'c' in the other"),
        (
            "size",
            tiny_model.write(folder / "c.gguf", tokens=[*tiny_model.TOKENS[:5], *tiny_model.TOKENS[6:]], end=tiny_model.END - 1),
            "vocabulary is 63 in one and 64 in the other",
        ),
        ("width", tiny_model.write(folder / "d.gguf", width=64), "width is 64 in one and 32 in the other"),
        ("end", tiny_model.write(folder / "e.gguf", end=3), "the text ends with token 3 in one and 63 in the other"),
        ("no end", tiny_model.write(folder / "h.gguf", end=64), "eos_token_id = 64 is none of the 64 tokens"),
        ("parts", tiny_model.write(folder / "i-00001-of-00001.gguf"), None),
        ("missing", tiny_model.write(folder / "f.gguf", leave_out="blk.1.ffn_up.weight"), "no tensor named 'blk.1.ffn_up.weight'"),
        ("damaged", tiny_model.write(folder / "g.gguf", poison="blk.0.attn_norm.weight"), "non-finite"),
    ):
        if words is None:
            open_pair("", str(path), fine)
            continue
        with pytest.raises(ModelError, match=words):
            open_pair("", str(path), fine)
            pytest.fail(name)
    with pytest.raises(RangeError, match="threads = 0"):
        open_pair("", fine, fine, threads=0)


def test_a_model_in_several_files_is_no_code(folder, monkeypatch):
    from gnosis.inference.deferred import pair as module

    real = module.open_model

    def in_two(name):
        file = real(name)
        file.paths = [*file.paths, *file.paths]
        return file

    fine = str(tiny_model.write(folder / "whole.gguf"))
    monkeypatch.setattr(module, "open_model", in_two)
    with pytest.raises(ModelError, match="lies in 2 files"):
        open_pair("", fine, fine)


def test_no_code_is_made_of_a_model_that_cannot_run(folder):
    model = str(tiny_model.write(folder / "lacking.gguf", leave_out="blk.0.attn_q.weight"))
    with pytest.raises(ModelError, match="no tensor named 'blk.0.attn_q.weight'"):
        open_pair(model, "q4", "shipped", folder=folder / "unmade")
    assert not (folder / "unmade").exists()
    (folder / "file").write_bytes(b"")
    with pytest.raises(OSError):
        open_pair(str(tiny_model.write(folder / "whole.gguf")), "q4", "shipped", folder=folder / "file")


def test_a_damaged_matrix_is_an_error_and_no_text(folder):
    good, bad = str(tiny_model.write(folder / "good.gguf", "F32")), str(tiny_model.write(folder / "bad.gguf", "F32", poison="blk.1.ffn_down.weight"))
    with pytest.raises(ModelError, match="tensor 'blk.1.ffn_down.weight': a scale or weight of row 0 is not a finite number"):
        generate(open_pair("", good, bad), [1, 2], Policy("verify-all", None, 4), MOST)


def test_codes_are_made_once_and_named_by_their_source(folder):
    model = str(tiny_model.write(folder / "source.gguf", "Q8_0", 7))
    pair = open_pair(model, "q4", "shipped", folder=folder / "made")
    (made,) = (folder / "made").iterdir()
    assert pair.files == (made, Path(model)) and "Q4_0" in made.name
    before = made.stat().st_mtime_ns
    assert open_pair(model, "q4", "q4", folder=folder / "made").files == (made, made) and made.stat().st_mtime_ns == before
    weights = pair.coarse.weights
    assert {w.encoding for n, w in weights.items() if n.startswith("blk.")} == {"Q4_0"} and weights["token_embd.weight"].encoding == "Q8_0"
    narrow = open_pair(model, "q4_k", "q6_k", folder=folder / "made")  # rows of 32 and 64 are too short for blocks of 256
    assert {w.encoding for n, w in narrow.coarse.weights.items() if n.startswith("blk.")} == {"Q4_0"}
    assert {w.encoding for n, w in narrow.fine.weights.items() if n.startswith("blk.")} == {"Q8_0"}
    with pytest.raises(ModelError, match="'q3' is neither"):
        open_pair(model, "q3", "q8")


@pytest.fixture
def written(pair, tmp_path) -> Path:
    path = tmp_path / "record.jsonl"
    answer = record.write(path, pair, [1, 2, 3], Policy("margin", 0.5, 5), MOST)
    assert record.replay(record.read(path), pair) == len(answer.tokens)
    return path


# ---- the command -----------------------------------------------------------------------------------------------------------


def test_the_command(pair, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = ["--base", str(pair.files[0]), "--refine", str(pair.files[1]), "--raw", "--most", "12"]
    runner = CliRunner()
    result = runner.invoke(app, ["generate", "abc", *codes, "--mode", "verify-all", "--window", "4", "--record", "r.jsonl", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["tokens"] == greedy(pair.fine, pair.fine.tokenizer.encode("abc"), 12)[0]
    result = runner.invoke(app, ["verify", "r.jsonl", "--json"])
    assert result.exit_code == 0 and json.loads(result.stdout)["tokens"] == len(found["tokens"])
    lines = Path("r.jsonl").read_bytes().splitlines(keepends=True)
    Path("r.jsonl").write_bytes(b"".join(lines[:-1]))
    assert runner.invoke(app, ["verify", "r.jsonl"]).exit_code == 3
    Path("r.jsonl").write_bytes(lines[0] + lines[2])
    assert runner.invoke(app, ["verify", "r.jsonl"]).exit_code == 1
    tiny_model.write(Path("other.gguf"), tokens=[*tiny_model.TOKENS[:2], "~", *tiny_model.TOKENS[3:]])
    for wrong in (
        ["abc", "--tau", "nan"],
        ["abc", "--mode", "all"],
        ["abc", "--mode", "verify-all", "--tau", "2"],
        [],
        ["abc", "--compare"],
        ["abc", "--window", "0"],
        ["--compare", "--write", "page.txt"],
        ["--compare", "--record", "c.jsonl"],
        ["abc", "--prompts", "r.jsonl"],
        ["--calibrate", "1.5"],
        [""],
        ["é"],
        ["\udcff"],
        ["abc", "--threads", "0"],
        ["abc", "--threads", "-3"],
        ["abc", "--record", "r.jsonl"],
        ["--compare", "--model", "other.gguf"],
        ["abc", "--base", "nothing.gguf"],
        ["--compare", "--take", "0"],
        ["--compare", "--prompts", "none.txt"],
        ["abc", "--compare"],
    ):
        result = runner.invoke(app, ["generate", *wrong, *([] if "--base" in wrong else codes)])
        assert result.exit_code == 2 and result.stderr.startswith("error: ") and "Traceback" not in result.output, wrong


def test_nothing_but_the_answer_is_printed(pair, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = ["--base", str(pair.files[0]), "--refine", str(pair.files[1]), "--raw", "--mode", "verify-all", "--most", "100"]
    runner = CliRunner()
    ended = 0
    for prompt in ("abc", "xyz", "q", "A1", "77b"):
        plain, data = (runner.invoke(app, ["generate", prompt, *codes, *more]) for more in ([], ["--json"]))
        found = json.loads(data.stdout)
        assert plain.stdout == found["text"] + "\n"
        assert found["text"] == "".join(tiny_model.TOKENS[t] for t in found["tokens"] if t != tiny_model.END)
        ended += found["ended"]
    assert ended  # so that the mark of the end is among the tokens of one


def test_an_answer_that_stops_within_a_character_is_printed_whole(pair, monkeypatch):
    """The bytes of half a character stand for themselves at the end."""
    tokenizer = type(
        "T",
        (),
        {
            "end": tiny_model.END,
            "ends": frozenset({tiny_model.END}),
            "opening": lambda self: [],
            "encode": lambda self, text: [1],
            "decode": lambda self, tokens, start=True: "é" * (len(tokens) // 2) + "�" * (len(tokens) % 2),
        },
    )()
    monkeypatch.setattr("gnosis.inference.deferred.open_pair", lambda *a: replace(pair, coarse=_Renamed(pair.coarse, tokenizer)))
    for most in ("1", "2", "3"):
        result = CliRunner().invoke(app, ["generate", "abc", "--raw", "--most", most, "--window", "1"])
        assert result.exit_code == 0 and result.stdout == {"1": "�", "2": "é", "3": "é�"}[most] + "\n"


class _Renamed:
    """A model with another tokenizer."""

    def __init__(self, model, tokenizer):
        self.model, self.tokenizer = model, tokenizer

    def __getattr__(self, name):
        return getattr(self.model, name)


def test_verify_says_what_does_not_go_with_a_record(written, pair):
    runner = CliRunner()
    for options, words in (
        (["--oracle"], "--oracle"),
        (["--kernel"], "--kernel"),
        (["--any-lock"], "--any-lock"),
        (["--model", str(pair.files[0])], "files of their own"),
    ):
        result = runner.invoke(app, ["verify", str(written), *options])
        assert result.exit_code == 2 and words in result.stderr and not result.stdout, options


def test_two_runs_may_make_the_same_code_at_once(folder):
    from concurrent.futures import ThreadPoolExecutor

    model = str(tiny_model.write(folder / "both.gguf", "Q8_0", 9))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: open_pair(model, "q4", "shipped", folder=folder / "at once").files[0].read_bytes(), range(8)))
    assert len(set(found)) == 1 and len(list((folder / "at once").iterdir())) == 1
