"""libgnosis: the C library of the decisions, called from C, C++ and Python, at its limits and with faults planted in it."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.conformance import targets
from gnosis.conformance.extraction import build, generate
from gnosis.conformance.extraction.client import Failed, Library, _Reader, words
from gnosis.conformance.lanes import libgnosis as lane
from gnosis.conformance.oracle.decisions import DECISIONS
from gnosis.conformance.running import checks
from gnosis.conformance.running.report import Report

HERE = generate.sources()
KNOWN = {t.decision: t for members in targets.load().values() for t in members}
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")


@pytest.fixture(scope="module")
def path() -> Path:
    return build.shared()


@pytest.fixture(scope="module")
def library(path: Path) -> Library:
    return Library(path)


# ---- what is written ----


def test_the_files_are_what_lean_writes() -> None:
    for name, text in generate.write().items():
        assert (HERE / name).read_text() == text, f"{name}: gnosis extract --write"


def test_every_decision_is_there_once() -> None:
    header, source = (HERE / "gnosis.h").read_text(), (HERE / "gnosis.c").read_text()
    for decision in DECISIONS:
        call = f"gnosis_{generate.snake(decision)}"
        assert len(re.findall(rf"\b{call}\(", header)) == 1 and len(re.findall(rf"API\({call}\)", source)) == 1, decision
    for decision in generate.DOUBLES:
        assert f"gnosis_{generate.snake(decision)}_double(" in header
    names = [generate.snake(d) for d in DECISIONS]
    assert len(set(names)) == len(names)


def test_scale_theorems_are_in_the_spine() -> None:
    spine = "\n".join(p.read_text() for p in (HERE.parents[1] / "Gnosis").glob("*.lean"))
    for decision, (_, theorem) in generate.DOUBLES.items():
        found = re.search(rf"^theorem {theorem} .*?:=", spine, re.M | re.S)
        assert found is not None, theorem
        assert re.search(rf"\b{decision}\b", found[0]), decision


def test_a_function_that_loops_has_a_step() -> None:
    text = "static int l_f(int x){\n_start:\n{\ngoto _start;\n}\n}\nstatic int l_g(int x){\n_start:\n{\nreturn l_h(x);\n}\n}\nstatic int l_h(int x){\n_start:\n{\nreturn l_g(x);\n}\n}\nstatic int l_k(int x){\n_start:\n{\nreturn 1;\n}\n}\n"
    edited, count = generate.stepped(text)
    assert count == 3 and edited.count("GNOSIS_STEP;") == 3 and "l_k(int x){\n_start:\n{\nreturn" in edited


# ---- from C and C++ ----


def _tool(*command: str, cwd: Path | None = None) -> str:
    run = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    assert run.returncode == 0, (command, run.stdout[-1500:], run.stderr[-1500:])
    return run.stdout


SAID = 'margin gate: admit\nwith a NaN: -2, z[1] = nan: not finite\nwhole numbers: 1\n{"v": 1, "id": 7, "result": true}\n'


def test_made_installed_and_found_by_pkg_config_and_cmake(tmp_path: Path) -> None:
    made, prefix = tmp_path / "made", tmp_path / "prefix"
    assert SAID in _tool("make", "-C", str(HERE), "check", "install", f"BUILD={made}", f"PREFIX={prefix}", "CC=gcc", "CFLAGS=-O1")
    env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}
    example = HERE / "examples" / "margin.c"
    if shutil.which("pkg-config"):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gnosis"], env=env, capture_output=True, text=True, check=True).stdout.split()
        _tool("gcc", str(example), *flags, "-o", str(tmp_path / "a"))
        assert subprocess.run([str(tmp_path / "a")], env=env, capture_output=True, text=True, check=True).stdout == SAID
    if shutil.which("cmake"):
        (tmp_path / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.16)\nproject(x C)\nfind_package(gnosis REQUIRED)\nadd_executable(x {example})\ntarget_link_libraries(x gnosis::gnosis)\n"
        )
        _tool("cmake", "-S", str(tmp_path), "-B", str(tmp_path / "b"), f"-DCMAKE_PREFIX_PATH={prefix}")
        _tool("cmake", "--build", str(tmp_path / "b"))
        assert subprocess.run([str(tmp_path / "b" / "x")], env=env, capture_output=True, text=True, check=True).stdout == SAID
    exported = _tool("nm", "-D", "--defined-only", "--format=posix", str(made / "libgnosis.so.1"))
    assert {line.split()[0] for line in exported.splitlines()} == set(re.findall(r"\b(gnosis_\w+)\(", (HERE / "gnosis.h").read_text()))
    needed = {line.split()[0].partition("@")[0] for line in _tool("nm", "-D", "--undefined-only", "--format=posix", str(made / "libgnosis.so.1")).splitlines()}
    assert needed <= {"_setjmp", "setjmp", "longjmp", "memset", "memcpy", "strlen", "__tls_get_addr", "__stack_chk_fail"} | {
        n for n in needed if n.startswith(("_ITM_", "__cxa_finalize", "__gmon_start__", "__longjmp_chk"))
    }


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_the_header_is_for_c_and_c_plus_plus(tmp_path: Path) -> None:
    for name, command in (("a.c", ["gcc", "-std=c99"]), ("a.cpp", ["g++", "-std=c++17"])):
        (tmp_path / name).write_text("#include <gnosis.h>\nint main(void) { return gnosis_version() != GNOSIS_VERSION_HEADER; }\n")
        _tool(*command, "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{HERE}", "-fsyntax-only", str(tmp_path / name))


# ---- the same answers ----


def test_the_lane_agrees(library: Library) -> None:
    report = Report(7)
    checks.sweep("libgnosis", lane.load(library), 7, 0.0, report, promote=False)
    assert not report.disagreements and len(report.rows) == len(DECISIONS)
    assert sum(row.refused for row in report.rows) > 100 and sum(row.admitted for row in report.rows) > 100


# an edit of the source that changes an answer, a refusal or a limit, and what has to notice it
FAULTS = {
    "a carry that is lost": ("carry = (limb)(sum >> BITS);", "carry = 0;", "numbers"),
    "a sum of words that overflows": (
        "!__builtin_add_overflow((intptr_t)a - 1, (intptr_t)b, &r)",
        "(r = (intptr_t)((uintptr_t)a - 1 + (uintptr_t)b), 1)",
        "numbers",
    ),
    "a borrow that is lost": ("borrow = (limb)(difference >> BITS) & 1;", "borrow = 0;", "numbers"),
    "the middle product": ("  take_from(middle, r, 2 * h);\n", "", "numbers"),
    "a piece of a long factor": ("add_to(r + at, scratch, m + piece);", "if (at < 2 * m) add_to(r + at, scratch, m + piece);", "numbers"),
    "a negative number where none may be": ("if (x < 0) not_natural(x, entry);", "", "refusals"),
    "truth values that are neither": ("if (x[n] > 1) {", "if (0) {", "refusals"),
    "a request with a field twice": ('if (twice) bad("a field occurs twice");', "", "refusals"),
    "a fraction": ('if (!is_number(whole) || after.at != after.end) bad_value(p, whole, "not an integer");', "", "lane"),
    "a list of two for three numbers": ("if (n != each || wrong_count)", "if (0)", "lane"),
    "a reference that is dropped twice": ("if (!own) lean_inc(to[i]);", "", "leaks"),
    "a reference that is kept": ("if (own) lean_free_object(f); else lean_dec(f);", "if (own) lean_free_object(f);", "leaks"),
    "work that is not counted": ("if (!LIKELY(--h->work) ||", "if (", "limits"),
    "a stack that is not looked at": ("(uintptr_t)__builtin_frame_address(0) >= h->floor", "1", "limits"),
    "memory behind the end": ("if ((size_t)(h->end - h->at) < bytes) gnosis_fail(GNOSIS_MEMORY);", "", "limits"),
    "digits of decimal text": ("for (int k = 0; k < PART && (left || rest); k++)", "for (int k = 0; k < PART && rest; k++)", "numbers"),
    "NaN": ("if (x[i] - x[i] != 0) {", "if (0) {", "doubles"),
    "the unit of a square": ("unit_v = e >> 1;", "unit_v = (e + 1) >> 1;", "doubles"),
}


def multiply(library: Library, a: int, b: int) -> int:
    """a · b by the decision `dot`, numbers of any size."""
    which, takes, gives = library.about["dot"]
    return int(_Reader(library.raw(which, words(takes, [[a], [b]]))).value(gives))


def numbers(library: Library) -> None:
    """Products, sums and differences of numbers of up to a thousand limbs, with runs of ones and zeros."""
    rng = Random(5)

    def long() -> int:
        bits = rng.choice((10, 62, 63, 64, 65, 128, 200, 2560, 2624, 5200, 9000, rng.randrange(1, 64_000)))
        x = rng.choice((rng.getrandbits(bits), (1 << bits) - 1, (1 << bits) - (1 << rng.randrange(bits))))
        return x * rng.choice((1, -1))

    for _ in range(400):
        a, b = long(), long()
        assert multiply(library, a, b) == a * b, (a.bit_length(), b.bit_length())
        which, takes, gives = library.about["sum"]
        for x, y in ((a, b), (a, -b), (a * b, a), (a, -a)):
            assert _Reader(library.raw(which, words(takes, [[x, y]]))).value(gives) == x + y

    for k in (16, 17, 18, 19, 35, 36, 40, 54, 300):
        for x in (10**k, 10**k + 5, -(10**k) - 10 ** (k // 2), 10**k - 1):
            assert library.by_json("sum", [[x, 1]]) == x + 1


def refusals(library: Library) -> None:
    """Typed calls, words and JSON that are malformed, each with the argument that is wrong."""
    c, context = library.c, ctypes.c_void_p(library.context)

    def said(code: int) -> str:
        assert code == -2, code
        return str(library.c.gnosis_message(library.context).decode())

    z = (ctypes.c_int64 * 3)(1, 2, 3)
    three = ctypes.c_size_t(3)
    assert said(c.gnosis_margin_admit(context, z, three, ctypes.c_int64(-1), ctypes.c_int64(0))) == "w = -1: must not be negative"
    assert said(c.gnosis_topk_admit(context, z, three, bytes([0, 2, 1]), three, ctypes.c_int64(0))) == "S[1]: not 0 or 1"
    assert said(c.gnosis_margin_admit(context, None, three, ctypes.c_int64(1), ctypes.c_int64(0))) == "z: is NULL"
    which = library.about["marginAdmit"][0]
    for sent, why in (
        ([], "z: the words end before it does"),
        ([9], "z: a count beyond the words that are there"),
        ([1, 2, 5], "z: a form that is not 0 or 1"),
        ([1, 1, 4, 1, 0, 0, 0, 0, 0], "z: limbs that are not there, or a highest limb of 0"),
        ([1, 0, 5, 0, 2**64 - 1, 0, 0], "w = -1: must not be negative"),
        ([1, 0, 5, 0, 0, 0, 0, 7], "words: 1 words behind the last argument"),
    ):
        with pytest.raises(Failed, match=re.escape(why)):
            library.raw(which, sent)
    for line, why in (
        (b"", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 70 + b"]" * 70, "nested too deeply"),
        (b'{"v":1,"id":1,"id":1}', "a field occurs twice"),
        (b'{"v":true,"id":1,"decision":"sum","args":[[1]]}', "v must be 1"),
        (b'{"v":1,"id":1.5,"decision":"sum","args":[[1]]}', "id must be a string or an integer"),
        (b'{"v":1,"id":1,"decision":"sum","args":[[1]],"x":1}', 'unknown field = "x"'),
        (b'{"v":1,"id":1,"decision":"nothing","args":[]}', 'decision = "nothing": unknown'),
        (b'{"v":1,"id":1,"decision":"sum","args":[[01]]}', "not JSON"),
        (b'{"v":1,"id":1,"decision":"sum","args":[[1,]]}', "not JSON"),
        (b'{"v":1,"id":1,"decision":"sum","args":[[%s]]}' % (b"9" * 4301), "more than 4300 digits"),
        (b'{"v":1,"id":1,"decision":"sum","args":[[1]]} 1', "something follows"),
        (b'{"v":1,"id":1,"decision":"sum"}', "no field 'args'"),
        (b" " * (1 << 20) + b"1", "a line of more than 1048576 bytes"),
    ):
        assert why in json.loads(library.json(line)).get("error", "answered"), line[:60]
    assert library.json(b'{"v":1,"id":-0,"\\u0061rgs":[[4,-5]],"decision":"su\\u006d"}') == b'{"v": 1, "id": 0, "result": -1}'
    assert json.loads(library.json('{"v":1,"id":"\\ud800é","decision":"sum","args":[[]]}'.encode()))["id"] == "\ud800é"


def limits(library: Library) -> None:
    """Memory, stack and work that end are codes, and the next call is as if nothing had been."""
    path = library.c._name
    for options, decision, args, code in (
        ({"memory": 1 << 14}, "sortUp", [list(range(2000))], "memory"),
        ({"memory": 1 << 20}, "cumlossAdmit", [3, 2, 1, 1, 2, 2**40, 1, 1, 2], "memory"),
        ({"memory": 1 << 22, "work": 20_000}, "sortUp", [list(range(300))[::-1]], "work"),
        ({"stack": 1 << 14}, "energy", [[1] * 1000], "stack"),
    ):
        one = Library(path, **options)  # type: ignore[arg-type]
        for _ in range(2):
            with pytest.raises(Failed, match=f"^{code}: "):
                one.call(str(decision), args)  # type: ignore[arg-type]
            assert one.call("sortUp", [[3, 1, 2]]) == [1, 2, 3]
    assert Library(path, memory=1 << 28, stack=6 << 20).call("energy", [[1] * 50_000]) == 50_000


def leaks(library: Library) -> None:
    """What a call leaves behind is counted, and is an error."""
    rng = Random(11)
    for target in KNOWN.values():
        for _ in range(6):
            library.call(target.decision, target.generate(rng))


def _random_double(rng: Random) -> float:
    kind = rng.randrange(5)
    if kind == 0:
        return float(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64) & 0xFFEFFFFFFFFFFFFF))[0])
    return rng.choice((0.0, float(rng.randrange(-3, 4)), rng.uniform(-4, 4), 5e-324, -(2.0**-1022), 1.7976931348623157e308, 0.5, 0.75))


def doubles(library: Library) -> None:
    """The decisions on doubles are those on the exact numbers, which are brought to whole ones here in one unit for all."""
    rng = Random(3)
    for _ in range(3000):
        decision = rng.choice(list(generate.DOUBLES))
        units, (takes, names, gives, _) = generate.DOUBLES[decision][0], generate.signature(decision)
        several = any(len(set(units.get(name, ""))) > 1 for name in names)
        length, given, whole = rng.randrange(5), [ctypes.c_void_p(library.context)], []
        near = [_random_double(rng) for _ in range(2)]

        def number() -> float:
            x = rng.choice(near) * rng.choice((1.0, 0.5, 2.0, -1.0))
            return x if abs(x) <= 1.7976931348623157e308 and rng.random() < 0.7 else _random_double(rng)

        for kind, name in zip(takes, names):
            grid = 2148 if several and len(units.get(name, "")) == 2 else 1074
            values = [number() for _ in range(length if kind == "I" else 1)]
            if name in units and kind == "I":
                given += [(ctypes.c_double * length)(*values), ctypes.c_size_t(length)]
                whole.append([int(Fraction(x) * 2**grid) for x in values])
            elif name in units:
                given.append(ctypes.c_double(values[0]))
                whole.append(int(Fraction(values[0]) * 2**grid))
            elif kind == "B":
                mask = [rng.random() < 0.5 for _ in range(length)]
                given += [bytes(mask), ctypes.c_size_t(length)]
                whole.append(mask)
            else:
                whole.append(rng.randrange(5))
                given.append(ctypes.c_int64(whole[-1]))
        out = (ctypes.c_int64 * 8)()
        call = getattr(library.c, f"gnosis_{generate.snake(decision)}_double")
        call.restype = ctypes.c_int64
        got = call(*given, *({"b": [], "n": [out]}.get(gives) or ([] if gives == "b" else [out, ctypes.c_size_t(8)])))
        exact = KNOWN[decision].reference(*whole)
        assert (bool(got) if gives == "b" else out[0] if gives == "n" else list(out[:got])) == exact and got >= 0, (decision, whole)
    z, call = (ctypes.c_double * 2)(1.0, 0.0), library.c.gnosis_margin_admit_double
    for bad, text in ((float("nan"), "nan"), (float("inf"), "inf"), (float("-inf"), "-inf")):
        z[1] = bad
        assert call(ctypes.c_void_p(library.context), z, ctypes.c_size_t(2), ctypes.c_int64(0), ctypes.c_double(0.1)) == -2
        assert library.c.gnosis_message(library.context).decode() == f"z[1] = {text}: not finite"


def agree(library: Library) -> None:
    report = Report(7)
    checks.sweep("libgnosis", lane.load(library), 7, 0.0, report, promote=False)
    assert not report.disagreements, report.disagreements[0]


CHECKS: dict[str, Callable[[Library], None]] = {"lane": agree, "numbers": numbers, "refusals": refusals, "limits": limits, "leaks": leaks, "doubles": doubles}


@pytest.mark.parametrize("name", [n for n in CHECKS if n != "lane"])
def test_holds(library: Library, name: str) -> None:
    library.c.gnosis_margin_admit_double.restype = ctypes.c_int64
    CHECKS[name](library)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(tmp_path: Path, fault: str) -> None:
    old, new, name = FAULTS[fault]
    text = (HERE / "gnosis.c").read_text()
    assert old in text, fault
    source = tmp_path / "gnosis.c"
    source.write_text(text.replace(old, new))
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import ctypes, test_libgnosis as t; t.CHECKS[{name!r}](t.Library(sys.argv[1]))"
    made = build.shared(source, flags=("-O0", *build.COMMON[1:]))
    try:  # what it does may be anything: it runs apart, and for a minute at most
        run = subprocess.run([sys.executable, "-c", code, str(made)], capture_output=True, text=True, timeout=60)
        noticed = run.returncode != 0
    except subprocess.TimeoutExpired:
        noticed = fault.startswith("work")
    finally:
        made.unlink()
    assert noticed, fault


def test_threads_have_a_context_each(path: Path) -> None:
    wrong: list[Any] = []

    def run(seed: int) -> None:
        mine, rng = Library(path, memory=1 << 20), Random(seed)
        for _ in range(40):
            for target in list(KNOWN.values())[:40]:
                args = target.generate(rng)
                if lane.plain(mine.call(target.decision, args)) != lane.plain(target.reference(*args)):
                    wrong.append(args)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_under_sanitizers() -> None:
    made = build.sanitized()
    preload = " ".join(_tool("gcc", f"-print-file-name={name}").strip() for name in ("libasan.so", "libubsan.so"))
    code = "import sys; sys.path.insert(0, sys.argv[2]); import test_libgnosis as t; L = t.Library(sys.argv[1]); [t.CHECKS[n](L) for n in ('numbers', 'refusals', 'leaks')]"
    env = {**os.environ, "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    run = subprocess.run([sys.executable, "-c", code, str(made), str(Path(__file__).parent)], capture_output=True, text=True, env=env)
    assert run.returncode == 0, run.stderr[-3000:]


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=80)
    | st.text(max_size=60).map(str.encode)
    | st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), lambda x: st.lists(x, max_size=3)).map(
        lambda x: json.dumps({"v": 1, "id": 0, "decision": "marginAdmit", "args": x}).encode()
    )
)
def test_any_line_gets_an_answer(line: bytes) -> None:
    answer = json.loads(Library(build.shared()).json(line))
    assert set(answer) in ({"v", "id", "result"}, {"v", "id", "error"})
