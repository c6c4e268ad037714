"""The oracle runs the Lean definitions themselves, answers in order, and never decides on anything malformed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnosis.conformance.oracle import protocol
from gnosis.conformance.oracle.decisions import BOOL_LISTS, BOOLS, DECISIONS, INT, INT_LISTS, INTS, NAT, NATS, PAIRS, TRIPLES, BadRequest, check
from gnosis.conformance.oracle.interpreter import CHUNK, LONGEST, Oracle, OracleError, Refusal
from gnosis.spine.build import OPTIONS
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import find

SOME = {
    INT: 2,
    NAT: 0,
    INTS: [2, 1],
    BOOLS: [True, False],
    INT_LISTS: [[2, 1], [0, 0]],
    BOOL_LISTS: [[True, False], [False, False]],
    NATS: [2, 0],
    PAIRS: [[2, 1], [0, 3]],
    TRIPLES: [[1, 1, 2], [0, 0, 0]],
}
# values that are close to each type and are none of it
UNFIT = {
    INT: [True, 1.5, "1", None, [1]],
    NAT: [-1, False, 0.5, [0]],
    INTS: [1, [True], [1.5], ["1"], [[1]]],
    BOOLS: [True, [1, 0], [[True]]],
    INT_LISTS: [[1], [[True]], 1],
    BOOL_LISTS: [[True], [[1]]],
    NATS: [1, [-1], [True], [[1]]],
    PAIRS: [[1, 2], [[1]], [[1, 2, 3]], [[1, -2]], [[1, True]], [[1, [2]]], [[1, 0.5]]],
    TRIPLES: [[1, 2, 3], [[1, 2]], [[1, 2, 3, 4]], [[1, [2, 3]]], [[-1, 2, 3]]],
}


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as one:
        yield one


def test_the_two_tables_of_decisions_are_the_same(oracle: Oracle) -> None:
    assert list(oracle.names) == list(DECISIONS)


def test_decides(oracle: Oracle) -> None:
    assert oracle.energyAdmit([3, 4], [3, 4], 50) is True
    assert oracle.energyAdmit([3, 4], [3, 4], 49) is False
    assert oracle.dot([2**100, -1], [3, 5]) == 3 * 2**100 - 5
    assert oracle.tukeyWeight(-3, 7) == 169
    assert oracle.argmax([1, 5, 5]) == 1
    assert oracle.candidates([5, 1, 3], [1, 1, 1]) == [0, 2]
    assert oracle.kthSmallest(2, [5, -3, 9]) == 5 and oracle.kthSmallest(4, [5, -3, 9]) is None and oracle.kthSmallest(0, []) is None
    assert oracle.basinControl(10, 0, [4, 6, 5]) == [True, False, True]
    assert oracle.e8Decode(1, [1] * 8) == [1] * 8 and oracle.e8Decode(1, [1] * 7) == []
    assert oracle.chargeRun(3, [(4, 2, 7), (3, 3, 7), (2, 2, 7)]) == [True, False, True]
    assert oracle.tiltPairs([(2, 3), (0, 1)]) == [[2, 18], [0, 0]]
    assert oracle.twoStageAdmit([[9, 5], [2, 4]], [True, False], [[True, False], [False, False]], 1) is True


@pytest.mark.parametrize("decision", DECISIONS)
def test_unfit_arguments_are_refused(oracle: Oracle, decision: str) -> None:
    kinds = [kind for _, kind in DECISIONS[decision]]
    good = [SOME[kind] for kind in kinds]
    cases = [good[:-1], [*good, 1], []]
    for i, kind in enumerate(kinds):
        cases += [[*good[:i], bad, *good[i + 1 :]] for bad in UNFIT[kind]]
    answers = oracle.many(decision, [good, *cases])
    assert not isinstance(answers[0], Refusal)
    assert all(isinstance(a, Refusal) for a in answers[1:]), [c for c, a in zip(cases, answers[1:]) if not isinstance(a, Refusal)]
    check(decision, good)
    for case in cases:
        with pytest.raises(BadRequest):
            check(decision, case)


def test_a_refusal_names_the_argument(oracle: Oracle) -> None:
    with pytest.raises(OracleError, match="argument 2: Natural number expected"):
        oracle.marginAdmit([1, 2], -1, 0)


def test_order_is_kept_over_many_requests(oracle: Oracle) -> None:
    n = 20 * CHUNK // 10
    assert oracle.many("energy", [([i],) for i in range(n)]) == [i * i for i in range(n)]


def test_the_longest_vectors_fit_the_stack(oracle: Oracle) -> None:
    n = (LONGEST - 40) // 2
    assert oracle.energy([1] * n) == n
    half = [1] * ((n - 20) // 2)
    assert oracle.candidates(half, half)[-1] == len(half) - 1
    assert oracle.energyAdmit(half, half, 2 * len(half) - 1) is False


def test_a_request_that_is_too_long(oracle: Oracle) -> None:
    with pytest.raises(OracleError, match="takes at most"):
        oracle.energy([1] * (LONGEST // 2))
    assert oracle.energy([3]) == 9


def test_arguments_that_cannot_be_sent(oracle: Oracle) -> None:
    with pytest.raises(OracleError, match="cannot be sent"):
        oracle.energy([float("nan")])
    with pytest.raises(OracleError, match="cannot be sent"):
        oracle.energy({1, 2})
    with pytest.raises(OracleError, match="no decision 'energyadmit'"):
        oracle.many("energyadmit", [])
    with pytest.raises(AttributeError):
        _ = oracle.nothing


def test_a_process_that_died() -> None:
    with Oracle() as one:
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(OracleError, match="signal 9"):
            one.energy([1])
        with pytest.raises(OracleError, match="not running"):
            one.energy([1])


def test_a_process_that_takes_too_long() -> None:
    with Oracle() as one:
        pid = one.pid
        os.kill(pid, signal.SIGSTOP)
        os.waitpid(pid, os.WUNTRACED)  # until it has stopped
        one.timeout = 0.2
        with pytest.raises(OracleError, match="no answer within 0.2 s"):
            one.energy([1])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_interrupted_request_leaves_no_answer_behind() -> None:
    with Oracle() as one:
        receive, one._receive = one._receive, lambda: (_ for _ in ()).throw(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            one.energy([1])
        one._receive = receive
        with pytest.raises(OracleError):
            one.energy([2])


# ---- the driver, by its own lines ----------------------------------------------------------------------------------


def driver(data: bytes) -> tuple[list[bytes], int]:
    """What the driver answers to these bytes, and its exit code."""
    lean = find()
    run = subprocess.run(
        [*lean.command, *OPTIONS, "-R", str(root()), "--run", str(root() / "Gnosis/Driver/Serve.lean")],
        input=data,
        env={**os.environ, "LEAN_PATH": str(build_dir())},
        capture_output=True,
        timeout=120,
        cwd=root(),
    )
    return run.stdout.splitlines(), run.returncode


def framed(*texts: bytes) -> bytes:
    return b"".join(b"%d\n%b\n" % (len(text) + 1, text) for text in texts)


BAD_NUMBERS = [
    b"--5",
    b"+5",
    b"",
    b"05",
    b"-0",
    b"-05",
    b"5.0",
    b"5e0",
    b"5E0",
    b" 5",
    b"5 ",
    b"5x",
    b"0x5",
    b"5_0",
    b"- 5",
    b"-",
    b"NaN",
    b"Infinity",
    b"true",
    b'"5"',
    b"null",
    "５".encode(),
    b"5\x00",
    b"5,",
    b"[5]",
]
BAD_REQUESTS = [
    b"",
    b"1",
    b"null",
    b"[]",
    b"{}",
    b'["energy",[[1]]]',
    b"[-1,[[1]]]",
    b"[1.0,[[1]]]",
    b"[99,[[1]]]",
    b"[2,[[1]]",
    b"[2,[[1]]]]",
    b"[2,[[1]]],",
    b"[2,[[1]]] ",
    b" [2,[[1]]]",
    b"[2, [[1]]]",
    b"[2,[[1,]]]",
    b"[02,[[1]]]",
    b"[0,1]",
    b"\xff\xfe",
    b"[2,[[1]]]\n[2,[[1]]]",
    b"[" * 100_000,
]


def test_malformed_requests_get_an_error_and_never_a_decision() -> None:
    number = list(DECISIONS).index("energy") + 1
    assert number == 2
    requests = [b"[2,[[%b]]]" % text for text in BAD_NUMBERS if text] + [b"[2,[[5,%b]]]" % text for text in BAD_NUMBERS] + BAD_REQUESTS
    lines, code = driver(framed(*requests, b"[2,[[5]]]"))
    assert code == 0 and len(lines) == len(requests) + 1
    for request, line in zip(requests, lines):
        answer = json.loads(line)
        assert isinstance(answer, dict) or (isinstance(answer[0], dict) and len(answer) == 1), (request, line)
    assert json.loads(lines[-1]) == [25]


def test_one_bad_request_of_a_batch_spoils_no_other() -> None:
    lines, _ = driver(framed(b"[2,[[5]],[[true]],[],7,[[-5]]]"))
    assert [isinstance(x, dict) for x in json.loads(lines[0])] == [False, True, True, True, False]


@pytest.mark.parametrize("header", [b"abc", b"+5", b"05", b"-3", b"", b" 5", b"5 ", b"5.0", b"9e9", b"2000000", b"9" * 40])
def test_the_driver_stops_when_it_cannot_know_where_the_next_request_begins(header: bytes) -> None:
    lines, code = driver(header + b"\n" + framed(b"[2,[[5]]]"))
    assert code == 1 and len(lines) == 1 and "error" in json.loads(lines[0])


def test_an_input_that_ends_early() -> None:
    lines, code = driver(b"50\n[2,[[5")
    assert code == 1 and json.loads(lines[0]) == {"error": "the input ended within a request"}


# ---- the definitions themselves ------------------------------------------------------------------------------------


def test_a_changed_definition_changes_the_answers(tmp_path: Path) -> None:
    for name in ("Gnosis", "build/lean"):
        shutil.copytree(root() / name, tmp_path / name)
    for name in ("lakefile.lean", "lean-toolchain"):
        shutil.copy(root() / name, tmp_path / name)
    file = tmp_path / "Gnosis/Decision/Energy.lean"
    text = file.read_text()
    changed = text.replace("4 * E * A ≤ γ * γ", "4 * E * A < γ * γ")
    assert changed != text
    file.write_text(changed)
    with Oracle(base=tmp_path) as other:
        assert other.energySidecarAdmit(4, 1, 4) is False
    with Oracle() as one:
        assert one.energySidecarAdmit(4, 1, 4) is True


# ---- newline-delimited JSON ----------------------------------------------------------------------------------------

GOOD = {"v": 1, "id": "a", "decision": "energySidecarAdmit", "args": [2, 8, 8]}


def line(**changes: object) -> str:
    return json.dumps({k: v for k, v in {**GOOD, **changes}.items() if v is not ...})


BAD_LINES = [
    ("", "not JSON"),
    ("nonsense", "not JSON"),
    ("[1]", "is an object"),
    ("3", "is an object"),
    ('{"v":1', "not JSON"),
    (line() + "x", "not JSON"),
    ("[" * 100_000, "nested too deeply"),
    (line(v=2), "v must be 1"),
    (line(v=True), "v must be 1"),
    (line(v=1.0), "v must be 1"),
    (line(v="1"), "v must be 1"),
    (line(v=...), "v must be 1"),
    (line(id=...), "id must be"),
    (line(id=None), "id must be"),
    (line(id=True), "id must be"),
    (line(id=1.5), "id must be"),
    (line(id=[1]), "id must be"),
    (line(args=...), "no field 'args'"),
    (line(decision=...), "no field 'decision'"),
    (line(extra=1), "unknown field 'extra'"),
    (line()[:-1] + ', "args": [2, 8, 7]}', "occurs twice"),
    (line()[:-1] + ', "id": "b"}', "occurs twice"),
    (line(decision="energySidecaradmit"), "unknown"),
    (line(decision="Gnosis.energyAdmit"), "unknown"),
    (line(decision=1), "unknown"),
    (line(decision=["dot"]), "unknown"),
    (line(args=[2, 8]), "takes 3"),
    (line(args=[2, 8, 8, 8]), "takes 3"),
    (line(args={"E": 2}), "not a list"),
    (line(args=[2, 8, 8.0]), "γ = 8.0: not an integer"),
    (line(args=[2, 8, 1e300]), "not an integer"),
    (line(args=[True, 8, 8]), "E = True: not an integer"),
    (line(args=[2, "8", 8]), "not an integer"),
    (line(args=[2, None, 8]), "not an integer"),
    (line().replace("8, 8", "8, NaN"), "not an integer"),
    (line().replace("8, 8", "8, -Infinity"), "not an integer"),
    (line().replace("8, 8", "8, 8e0"), "not an integer"),
    (line().replace("8, 8", "8, +8"), "not JSON"),
    (line().replace("8, 8", "8, 08"), "not JSON"),
    (line().replace("8, 8", "8, " + "9" * 5000), "not JSON: Exceeds the limit"),
    (line(decision="marginAdmit", args=[[1, 2], -1, 0]), "w = -1: must not be negative"),
    (line(decision="topkAdmit", args=[[1, 2], [1, 0], 0]), r"S\[0\] = 1: not true or false"),
    (line(decision="dot", args=[[1], [[1]]]), r"a\[0\] = \[1\]: not an integer"),
    (line(id="x" * (1 << 20)), "a line of"),
]


@pytest.mark.parametrize("text, why", BAD_LINES, ids=[str(i) for i in range(len(BAD_LINES))])
def test_bad_lines_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadRequest, match=why):
        protocol.read(text)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(BadRequest, match="not UTF-8"):
        protocol.read(b'{"v": 1, "id": "\xff"}')


def test_every_line_gets_its_own_answer(oracle: Oracle) -> None:
    lines = [
        line(id=1),
        "nonsense",
        line(id=2, args=[2, 8, 7]),
        line(id="τ", decision="candidates", args=[[1, 2, 3], [1, 1, 1]]),
        line(id=4, args=[1.5, 1, 1]),
        line(id="\ud800"),
    ]
    answers = [json.loads(text) for text in protocol.answer(oracle, lines)]
    assert [a["id"] for a in answers] == [1, None, 2, "τ", 4, "\ud800"]
    assert [a.get("result") for a in answers] == [True, None, False, [0, 1, 2], None, True]
    assert all(a["v"] == 1 and len(a) == 3 for a in answers) and "error" in answers[1] and "error" in answers[4]


def test_the_command_answers_a_person_at_once_and_a_pipe_in_order() -> None:
    with subprocess.Popen([sys.executable, "-m", "gnosis", "spine", "decide"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        run.stdin.write(line(id=1) + "\n")
        run.stdin.flush()
        assert json.loads(run.stdout.readline()) == {"v": 1, "id": 1, "result": True}
        long = '{"v": 1, "id": "' + "x" * (3 << 20)
        rest = "\n" + line(id=2, args=[2, 8, 7]) + "\n" + long + "\n" + "\n".join(line(id=i, args=[i, 1, 20]) for i in range(3, 5000)) + "\n" + line(id=5000)

        def write() -> None:
            run.stdin.write(rest)
            run.stdin.close()

        writer = threading.Thread(target=write)
        writer.start()
        answers = [json.loads(text) for text in run.stdout]
        writer.join()
        assert run.wait(60) == 0
    assert [a["id"] for a in answers] == [2, None, *range(3, 5001)]
    assert "a line of" in answers[1]["error"]
    assert [a["result"] for a in answers[2:-1]] == [4 * i <= 400 for i in range(3, 5000)]


def test_the_command_without_an_input_says_so() -> None:
    done = subprocess.run(["sh", "-c", f"exec {sys.executable} -m gnosis spine decide <&-"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and done.stderr.startswith("error: ") and "Traceback" not in done.stderr and not done.stdout


def test_a_warm_process_is_faster_than_it_has_to_be(oracle: Oracle) -> None:
    cases = [(i, 3, i) for i in range(20_000)]
    start = time.perf_counter()
    oracle.many("energySidecarAdmit", cases)
    assert len(cases) / (time.perf_counter() - start) > 2_000  # a tenth of what is promised, for busy machines
