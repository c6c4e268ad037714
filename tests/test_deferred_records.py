"""Deferred refinement: its records, and what is measured about it."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_model
from deferred_support import MOST
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import ArgumentError, EmptyError, RangeError
from gnosis.inference.deferred import Pair, Policy, greedy, open_pair, record, run
from gnosis.studies import deferred as study
from gnosis.studies import deferred_page as page


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


# ---- records ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def written(pair, tmp_path) -> Path:
    path = tmp_path / "record.jsonl"
    answer = record.write(path, pair, [1, 2, 3], Policy("margin", 0.5, 5), MOST)
    assert record.replay(record.read(path), pair) == len(answer.tokens)
    return path


def _rewrite(path: Path, change) -> None:
    """Change the lines and link them anew, as a forger would."""
    from gnosis.files.chain import START, linked

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    last, out = START, b""
    for fields in lines:
        fields.pop("chain", None)
        body = json.dumps(fields, separators=(",", ":")).encode()[:-1]
        last = linked(last, body)
        out += body + b',"chain":"' + last.encode() + b'"}\n'
    path.write_bytes(out)


@pytest.mark.parametrize(
    "argument, change",
    [
        ("files", lambda lines: lines[0]["files"][1].update(sha256="0" * 64)),
        ("files", lambda lines: lines[0]["files"].pop()),
        ("files", lambda lines: lines[0].update(files=3)),
        ("files", lambda lines: lines[0].update(files=None)),
        ("files", lambda lines: lines[0]["files"][0].update(bytes=1)),
        ("files", lambda lines: lines[0]["files"][0].update(more=1)),
        ("files", lambda lines: lines[0]["files"][0].update(file=1)),
        ("line", lambda lines: lines[0]["codes"].__setitem__(1, "a\0.gguf")),
        ("check", lambda lines: next(w for w in lines[1:] if w.get("check"))["check"].update(passes=True)),
        ("policy", lambda lines: lines[0]["policy"].update(overlap=1)),
        ("policy", lambda lines: lines[0]["policy"].update(tau=-1.0)),
        ("policy", lambda lines: lines[0]["policy"].update(more=1)),
        ("policy", lambda lines: lines[0].update(policy=[])),
        ("prompt", lambda lines: lines[0].update(prompt=[])),
        ("prompt", lambda lines: lines[0].update(prompt=["a"])),
        ("prompt", lambda lines: lines[0].update(prompt=[10**6])),
        ("most", lambda lines: lines[0].update(most=10**6)),
        ("most", lambda lines: lines[0].update(most="many")),
        ("line", lambda lines: lines[0].update(version=2)),
        ("line", lambda lines: lines[0].update(version=True)),
        ("line", lambda lines: lines[0].update(package=1)),
        ("line", lambda lines: lines[0].update(codes=3)),
        ("line", lambda lines: lines[1].pop("check")),
        ("line", lambda lines: lines[1].update(tokens=[-1])),
        ("end", lambda lines: lines[-1].update(end=5)),
        ("end", lambda lines: lines[-1].update(end=float(lines[-1]["end"]))),
        ("end", lambda lines: lines.append(lines[1])),
        ("tokens", lambda lines: lines[1]["tokens"].__setitem__(0, (lines[1]["tokens"][0] + 1) % 60)),
        ("check", lambda lines: next(w for w in lines[1:] if w.get("check"))["check"].update(read=1)),
    ],
)
def test_a_forged_record_is_refused_for_the_right_reason(written, pair, argument, change):
    _rewrite(written, change)
    with pytest.raises(record.RecordError) as caught:
        record.replay(record.read(written), pair)
    assert caught.value.argument == argument


def test_an_edited_line_breaks_the_chain_and_a_lost_one_too(written):
    lines = written.read_bytes().splitlines(keepends=True)
    for changed in (lines[:1] + [lines[1].replace(b"[", b"[1,", 1)] + lines[2:], lines[:1] + lines[2:], [lines[0], lines[2], lines[1], *lines[3:]]):
        written.write_bytes(b"".join(changed))
        with pytest.raises(record.RecordError, match="chain"):
            record.read(written)


def test_an_interrupted_record_is_a_readable_beginning(pair, tmp_path):
    path = tmp_path / "cut.jsonl"
    seen = []

    def stop(tokens, check):
        seen.extend(tokens)
        if len(seen) > 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record.write(path, pair, [1, 2, 3], Policy("margin", 0.5, 3), MOST, stop)
    found = record.read(path)
    assert not found.complete and not found.torn and record.replay(found, pair) == len(seen)
    with open(path, "ab") as file:
        file.write(b'{"tokens":[1')
    found = record.read(path)
    assert found.torn and not found.complete and record.replay(found, pair) == len(seen)
    with pytest.raises(FileExistsError):
        record.write(path, pair, [1], Policy(), MOST)
    for text in (b"", b'{"format":', b"\xff\xfe\n", b"{}\n", b"[" * 100_000 + b"\n"):
        path.write_bytes(text)
        with pytest.raises(record.RecordError):
            record.read(path)


def test_what_cannot_be_generated_leaves_no_record(pair, tmp_path):
    for prompt, most in (([], MOST), ([1] * 120, MOST), ([999], MOST), ([1], 0)):
        with pytest.raises(ArgumentError):
            record.write(tmp_path / "none.jsonl", pair, prompt, Policy(), most)
        assert not (tmp_path / "none.jsonl").exists()
    policy = Policy("margin", 0.5, np.int64(5), np.int32(0))
    record.write(tmp_path / "numpy.jsonl", pair, np.array([1, 2]), policy, np.int64(MOST))
    assert record.replay(record.read(tmp_path / "numpy.jsonl"), pair) > 0


# ---- measuring -----------------------------------------------------------------------------------------------------------


def test_one_pass_and_step_by_step_give_the_same_bits(pairs):
    for one in pairs:
        tokens, margins = greedy(one.fine, [1, 2], MOST)
        assert [run.top(row) for row in study._logits(one.fine, [1, 2], tokens)] == list(zip(tokens, margins))


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=12))
def test_auroc_counts_pairs(places):
    margins, differs = np.array([float(m) for m, _ in places]), np.array([d for _, d in places])
    yes, no = margins[differs], margins[~differs]
    expected = None if not len(yes) or not len(no) else float(np.mean([[(a < b) + 0.5 * (a == b) for b in no] for a in yes]))
    found = study.auroc(margins, differs)
    assert found == expected if expected is None else found == pytest.approx(expected)


def test_tau_is_the_next_float_after_the_conformal_rank():
    scores = [float(i) for i in range(19)]
    assert study.tau_for(scores, "0.95", 7).tau == math.nextafter(18.0, math.inf)
    assert study.tau_for(scores, "0.5", 7).tau == math.nextafter(9.0, math.inf)
    assert study.tau_for([study.NEVER] * 19, "0.95", 7).tau == 0.0
    assert study.tau_for(scores, "0.95", 7).gate.rate == Fraction(1, 20) and study.tau_for(scores, "0.95", 7).most == 7
    with pytest.raises(RangeError, match="^most = 0"):
        study.tau_for(scores, "0.95", 0)
    with pytest.raises(RangeError, match="18 prompts have no finite threshold; it takes 19"):
        study.tau_for(scores[:18], "0.95", 7)
    with pytest.raises(EmptyError):
        study.tau_for([], "0.5", 7)


def test_comparison_and_its_page(pair, tmp_path):
    judge = pair.fine
    prompts = [[1, 2, 3], [4, 5]]
    document = study.compare(pair, judge, prompts, [Policy("verify-all", None, 6), Policy("margin", 0.0, 6)], MOST)
    coarse, fine, verified, unchecked = document["rows"]
    assert verified["equal"] == 2 and verified["sequence_ratio"] == 1 and verified["agreement"] == fine["agreement"] == 1
    assert unchecked["bytes_per_token"] == 0 and unchecked["agreement"] == coarse["agreement"] < 1
    assert verified["judge"] == fine["judge"]
    assert document["noise_floor"]["ordered"]["flips"] == 0
    met = {(r["name"], r["threshold"]): r["met"] for r in document["registered"]}
    assert met["verify all, W=6", "sequence ratio of at least 1.00"]
    # the bytes of a text that is checked every few tokens are no tenth of the finer model's
    assert (
        not met["verify all, W=6", "a tenth of the finer model's bytes a token, or less"]
        and met["margin τ=0, W=6", "a tenth of the finer model's bytes a token, or less"]
    )
    document |= {"prompts": 2, "most": MOST, "files": ["a", "b"], "command": "gnosis generate --compare"}
    document["calibration"] = study.calibration(pair, [[i, i + 1] for i in range(1, 13)], "0.8", 6, MOST)
    written = page.write(document, tmp_path / "page.md")
    assert f"within its first {MOST} tokens (`Gnosis.deferred_lie_rate`, for exchangeable prompts and answers no longer" in written[0].read_text()
    assert [p.suffix for p in written] == [".md", ".svg", ".json"] and "| verify all, W=6 |" in written[0].read_text()


def test_calibration_holds_prompts_out(pair):
    prompts = [[i, i + 1] for i in range(1, 31)]
    found = study.calibration(pair, prompts, "0.9", 6, MOST)
    assert found["calibrated"] == 20 and found["held_out"]["prompts"] == 10 and found["rank"] == 19
    truths = [greedy(pair.fine, prompts[i], MOST)[0] for i in range(2, 30, 3)]
    assert (
        study.held_out(pair, [prompts[i] for i in range(2, 30, 3)], truths, study.Tau(0.0, study.tau_for([0.0] * 19, "0.9", MOST).gate, MOST), 6)["differ"]
        > found["held_out"]["differ"]
    )
    with pytest.raises(RangeError, match="it takes 99"):
        study.calibration(pair, prompts, "0.99", 6, MOST)
