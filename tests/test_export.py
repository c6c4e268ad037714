"""The export for independent checkers: written, read back, compared; tampered files refused, by line or by the kernel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.audits import interchange
from gnosis.audits.environment import Environment
from gnosis.audits.olean import BVAR, CONST, LAM, LET, LIT, PARAM, PI, PROJ, SORT, SUCC, ZERO, BadImage, Constant, Interner, show
from gnosis.cli.spine import app
from gnosis.spine import build as b
from gnosis.spine import export
from gnosis.spine.paths import build_dir, root

LOGIC = "Gnosis.Core.Logic"


@pytest.fixture(scope="module")
def env() -> Environment:
    result = b.build([LOGIC])
    assert result.ok, result.messages
    return Environment(build_dir(), [LOGIC])


@pytest.fixture(scope="module")
def written(env: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "logic.ndjson"
    result = export.write(env, path)
    assert result.bytes == path.stat().st_size and result.left_out == sum(c.unsafe for c in env.constants.values())
    return path


@pytest.fixture(scope="module")
def lines(written: Path) -> list[str]:
    return written.read_text().splitlines(keepends=True)


def first(lines: list[str], key: str) -> int:
    return next(n for n, line in enumerate(lines) if f'"{key}":' in line)


# The file as it should be


def test_every_kind_of_line_is_there_and_as_the_format_says(lines: list[str]) -> None:
    rows = [json.loads(line) for line in lines]
    assert rows[0]["meta"]["format"] == {"version": "3.1.0"} and rows[0]["meta"]["lean"]["version"] == "4.35.0"
    kinds = {key for row in rows[1:] for key in row if key not in ("in", "il", "ie")}
    assert kinds >= {"str", "succ", "param", "bvar", "sort", "const", "app", "lam", "forallE", "def", "thm", "inductive", "quot"}
    for index, start in (("in", 1), ("il", 1), ("ie", 0)):  # numbered without gaps
        numbers = [row[index] for row in rows if index in row]
        assert numbers == list(range(start, start + len(numbers)))
    assert [row["quot"]["kind"] for row in rows if "quot" in row] == ["type", "ctor", "lift", "ind"]
    nat = next(row["inductive"] for row in rows if "inductive" in row and row["inductive"]["types"][0]["isRec"])
    assert set(nat) == {"types", "ctors", "recs"} and {"numMotives", "numMinors", "rules", "k"} <= set(nat["recs"][0])
    assert all(line == json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n" for line, row in zip(lines, rows, strict=True))


def test_what_is_read_back_is_what_was_compiled(env: Environment, written: Path) -> None:
    found = interchange.read(written, env.intern)
    safe = [n for n, c in env.constants.items() if not c.unsafe and c.kind != "axiom"]
    assert set(found.environment.constants) == set(safe)
    assert interchange.compare(env, found.environment, safe, interchange.plain(env)) == []
    # and in a table of its own the canonical hashes are the same
    alone = interchange.read(written).environment
    assert all(alone.definition_hash(n) == env.definition_hash(n) for n in safe)


def test_unsafe_constants_are_written_on_request(env: Environment, tmp_path: Path) -> None:
    path = tmp_path / "all.ndjson"
    assert export.write(env, path, unsafe=True).left_out == 0
    assert set(interchange.read(path).environment.constants) == set(env.constants)
    assert export.check(env, path)["axiom"] > 1
    for change, text in (
        (swap("axiom", '"isUnsafe":false', '"isUnsafe":true'), "unsafe differs"),
        (swap("axiom", '"isUnsafe":false', '"isUnsafe":0'), "0 where true or false must stand"),
    ):
        with pytest.raises(BadImage, match=text):
            export.check(env, changed(path.read_text().splitlines(keepends=True), tmp_path, change))
    assert '"safety":"partial"' in path.read_text() and '"isUnsafe":true' in path.read_text()


def test_axioms_are_left_out_and_what_rests_on_one_is_not_written(env: Environment, written: Path, lines: list[str], tmp_path: Path) -> None:
    assert not any(c.kind == "axiom" for c in interchange.read(written).environment.constants.values())
    assert export.write(env, tmp_path / "again").axioms_left_out == ["sorryAx"]
    theorem = next(n for n, c in env.constants.items() if c.kind == "theorem")
    sorry = env.intern("term", CONST, ("sorryAx",), ())
    resting = Environment.of(env.intern, {**env.constants, theorem: replace(env.constants[theorem], value=sorry)})
    with pytest.raises(BadImage, match=f"{re.escape(show(theorem))} rests on the axiom sorryAx, which nothing permits"):
        export.write(with_meta(env, resting), tmp_path / "resting")
    # in a file from elsewhere an axiom is named before any other difference
    rows = [json.loads(line) for line in lines]
    theorem_row = next(row["thm"] for row in rows if "thm" in row)
    axiom = {key: theorem_row[key] for key in ("name", "levelParams", "type")} | {"isUnsafe": False}
    path = changed(
        lines, tmp_path, lambda x: [json.dumps({"axiom": axiom}) + "\n" if row.get("thm") == theorem_row else line for row, line in zip(rows, x, strict=True)]
    )
    with pytest.raises(BadImage, match=f"declares the axiom {re.escape(show(theorem))}, which nothing permits"):
        export.check(env, path)


def handmade() -> Environment:
    """Constants with what the spine has seldom or never: big numbers, odd texts and names, let, projections, universes."""
    i = Interner()
    zero = i("level", ZERO)
    u, v = (i("level", PARAM, (n,)) for n in ("u", "v"))
    type_ = i("term", SORT, i("level", SUCC, zero))
    nat, string = (i("term", CONST, (n,), ()) for n in ("Nat", "String"))
    out = {}

    def add(name: tuple, kind: str, typ: int, value: int | None, levels: tuple = (), unsafe: bool = False, **data: object) -> None:
        out[name] = Constant(name, kind, levels, typ, value, unsafe, "", dict(data) if kind == "axiom" else {"all": (name,), **data})

    add(("Nat",), "opaque", type_, i("term", SORT, zero))
    add(("String",), "opaque", type_, i("term", SORT, zero))
    add(("big",), "definition", nat, i("term", LIT, 10**9001 + 7), hints=1, safety="safe")
    add(("zero",), "definition", nat, i("term", LIT, 0), hints="abbrev", safety="safe")
    add(("text",), "opaque", string, i("term", LIT, 'a"\\\n\r\t\x00\x7f\u2028∀𝔾'))
    add(("odd name", 7, "«»", "\n"), "definition", nat, i("term", LIT, 1 << 64), hints="opaque", safety="safe")
    level = i("level", 2, i("level", 3, u, v), i("level", SUCC, u))
    add(("levels",), "axiom", i("term", SORT, level), None, (("u",), ("v",)))
    x, body = ("x",), i("term", BVAR, 0)
    add(
        ("lets",),
        "definition",
        i("term", PI, x, nat, nat, 1),
        i("term", LAM, x, nat, i("term", LET, ("y",), nat, body, body, 1), 2),
        hints=4_000_000_000,
        safety="safe",
    )
    add(("proj",), "definition", i("term", PI, x, nat, nat, 3), i("term", LAM, x, nat, i("term", PROJ, ("Nat",), 3, body), 0), hints=0, safety="safe")
    add(("loop",), "definition", nat, i("term", CONST, ("loop",), ()), unsafe=True, hints="opaque", safety="unsafe")
    return Environment.of(i, out)


def with_meta(env: Environment, other: Environment) -> Environment:
    other.modules = env.modules  # for the first line only
    return other


def test_big_numbers_texts_names_let_projections_and_universes_survive(env: Environment, tmp_path: Path) -> None:
    odd, path = with_meta(env, handmade()), tmp_path / "odd.ndjson"
    export.write(odd, path, unsafe=True)
    found = interchange.read(path).environment
    plain = interchange.plain(odd)
    for name, c in odd.constants.items():
        if name != ("big",):  # too many digits for Python to print
            assert odd.fields(c, lambda t: odd.text(plain(t))) == found.fields(found.constants[name], found.text)
    value = found.nodes[found.constants["big",].value]
    assert value[2] == 10**9001 + 7
    assert found.nodes[found.constants["text",].value][2] == 'a"\\\n\r\t\x00\x7f\u2028∀𝔾'


@given(st.integers(0) | st.integers(0, 10**4200) | st.integers(13000, 16000).map(lambda n: 10**n + 3))
def test_numbers_of_any_size_are_written_and_read(number: int) -> None:
    text = interchange.digits(number)
    assert interchange.natural(text) == number and re.fullmatch("0|[1-9][0-9]*", text)


def test_the_mark_of_a_let_does_not_make_two_terms(env: Environment, tmp_path: Path) -> None:
    odd = with_meta(env, handmade())
    lets = odd.constants["lets",]
    node = odd.nodes[odd.nodes[lets.value][4]]
    other = odd.intern("term", LAM, ("x",), odd.constants["zero",].type, odd.intern("term", *node[1:6], 0), 2)
    assert other != lets.value
    odd.constants["twin",] = replace(lets, name=("twin",), value=other, data={**lets.data, "all": (("twin",),)})
    export.write(odd, tmp_path / "x", unsafe=True)
    rows = [json.loads(line) for line in (tmp_path / "x").read_text().split("\n")[:-1]]
    assert sum("letE" in row for row in rows) == 1 and all(row["letE"]["nondep"] is False for row in rows if "letE" in row)
    assert len({row["def"]["value"] for row in rows if "def" in row and row["def"]["hints"] == {"regular": 4_000_000_000}}) == 1


# The file as it should not be


def changed(lines: list[str], tmp_path: Path, change: Callable[[list[str]], list[str]]) -> Path:
    path = tmp_path / "changed.ndjson"
    out = change(list(lines))
    assert out != lines
    path.write_text("".join(out))
    return path


def swap(key: str, old: str, new: str) -> Callable[[list[str]], list[str]]:
    """Replace in the first line with this key; `old` is a regular expression."""

    def change(lines: list[str]) -> list[str]:
        at = next(n for n, line in enumerate(lines) if f'"{key}":' in line and re.search(old, line))
        lines[at] = re.sub(old, new, lines[at], count=1)
        return lines

    return change


def insert(line: str, before: str = "def") -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        at = first(lines, before)
        return [*lines[:at], line + "\n", *lines[at:]]

    return change


@pytest.mark.parametrize(
    ("change", "text"),
    [
        # the frame
        (lambda x: [], "empty"),
        (lambda x: x[1:], "line 1: wanted an object with the keys ['meta']"),
        (lambda x: [*x[:-1], x[-1][:-1]], "the line has no end"),
        (lambda x: [*x[:-1], x[-1][:40]], "the line has no end"),
        (lambda x: [*x, "\n"], "is no JSON"),
        (lambda x: [*x, "[]\n"], "is no object"),
        (lambda x: [*x, x[0]], "is none of this format"),
        (lambda x: [*x[:3], x[3].replace("}", "}}", 1), *x[4:]], "is no JSON"),
        (swap("meta", r'"3\.1\.0"', '"2.0.0"'), "format '2.0.0'; this reader knows 3.1.0"),
        (swap("meta", r'"4\.35\.0"', '"4.34.0"'), "says it is of Lean"),
        (swap("meta", r'"githash":"[0-9a-f]{4}', '"githash":"0000'), "says it is of Lean"),
        (swap("meta", '"exporter"', '"writer"'), "wanted an object with the keys"),
        # names, levels, terms
        (swap("str", r'"in":\d+', '"in":0'), "in is 0, and the next one is 1"),
        (swap("succ", r'"il":\d+', '"il":true'), "True where a natural number must stand"),
        (swap("app", r'"arg":\d+', '"arg":999999'), "term 999999 is not defined yet"),
        (swap("app", r'"arg":\d+', '"arg":-1'), "-1 where a natural number must stand"),
        (swap("app", r'"arg":\d+', '"arg":1.0'), "1.0 where a natural number must stand"),
        (swap("app", r'"arg":\d+', '"arg":NaN'), "NaN is no number"),
        (swap("app", r'"arg":(\d+)', r'"arg":\1,"arg":\1'), "the same key twice"),
        (swap("app", '"arg"', '"argument"'), "wanted an object with the keys ['arg', 'fn']"),
        (swap("forallE", '"(default|implicit)"', '"auxDecl"'), "'auxDecl' where one of default"),
        (insert('{"ie":0,"bvar":0}'), "ie is 0, and the next one is"),
        (lambda x: [*x[:2], x[1].replace('"in":1', '"in":2'), *x[2:]], "in 2 is there already"),
        # declarations
        (lambda x: [*x, x[first(x, "def")]], "is declared twice"),
        (lambda x: x[: first(x, "inductive")] + x[first(x, "inductive") + 1 :], "not declared before it"),
        (lambda x: x[:-1], "in the compiled files and not in the export"),
        (swap("thm", '"value":', '"proof":'), "wanted an object with the keys"),
        (swap("def", '"safe"', '"partial"'), "is safe and refers to something that is unsafe"),
        (swap("def", '"hints":"abbrev"', '"hints":{"regular":1}'), "hints differs"),
        (swap("def", '"hints":"abbrev"', '"hints":"regular"'), "'regular' where one of opaque, abbrev"),
        (swap("thm", r'"value":\d+', '"value":0'), "value differs"),
        (swap("def", r'"type":\d+', '"type":0'), "type differs"),
        (swap("inductive", '"isRec":false', '"isRec":true'), "recursive differs"),
        (swap("inductive", '"isReflexive":false', '"isReflexive":true'), "reflexive differs"),
        (swap("inductive", '"numParams":0', '"numParams":1'), "params differs"),
        (swap("inductive", '"numMotives":1', '"numMotives":2'), "motives differs"),
        (swap("inductive", '"k":false', '"k":true'), "k differs"),
        (swap("inductive", '"nfields":0', '"nfields":3'), "rules differs"),
        (swap("inductive", '"cidx":0', '"cidx":4'), "index differs"),
        (swap("inductive", '"recs":', '"recursors":'), "wanted an object with the keys"),
        (swap("inductive", r'"induct":\d+', '"induct":0'), "which is not in its family"),
        (swap("quot", '"kind":"lift"', '"kind":"ind"'), "quot differs"),
        (swap("thm", r'"levelParams":\[(\d+)\]', r'"levelParams":[\1,\1]'), "has a universe parameter twice"),
        (swap("thm", r'"levelParams":\[\d+\]', '"levelParams":[1]'), "is no level yet"),
    ],
)
def test_a_tampered_export_is_refused(env: Environment, lines: list[str], tmp_path: Path, change: Callable, text: str) -> None:
    with pytest.raises(BadImage) as error:
        export.check(env, changed(lines, tmp_path, change))
    assert text in str(error.value)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_number_of_the_file_can_be_another_one(env: Environment, lines: list[str], tmp_path: Path, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(lines) - 1))
    found = list(re.finditer(r"(?<=[:\[,])\d+", lines[at]))
    if not found:
        return
    spot = data.draw(st.sampled_from(found))
    number = data.draw(st.integers(0, 2 * int(spot[0]) + 3).filter(lambda n: n != int(spot[0])))
    path = tmp_path / "damaged.ndjson"
    path.write_text("".join([*lines[:at], lines[at][: spot.start()] + str(number) + lines[at][spot.end() :], *lines[at + 1 :]]))
    with pytest.raises(BadImage):
        export.check(env, path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(at=st.integers(0, 1 << 20), junk=st.binary(min_size=1, max_size=4), cut=st.booleans())
def test_damaged_bytes_are_refused_or_mean_the_same(env: Environment, written: Path, tmp_path: Path, at: int, junk: bytes, cut: bool) -> None:
    data, path = bytearray(written.read_bytes()), tmp_path / "damaged.ndjson"
    at %= len(data)
    data[at : at + len(junk)] = b"" if cut else junk
    path.write_bytes(data)
    try:
        export.check(env, path)
    except BadImage:
        return
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    after = [json.loads(line) for line in path.read_text().splitlines()]
    assert after[1:] == lines[1:] and after[0]["meta"]["lean"] == lines[0]["meta"]["lean"]  # nothing but the exporter's own name or white space


def test_annotations_are_read_and_mean_nothing(env: Environment, lines: list[str], tmp_path: Path) -> None:
    last = max(n for n, line in enumerate(lines) if '"ie":' in line)
    number = json.loads(lines[last])["ie"]
    path = changed(
        lines,
        tmp_path,
        lambda x: [
            *x[: last + 1],
            f'{{"ie":{number + 1},"mdata":{{"data":{{"a":"b"}},"expr":{number}}}}}\n',
            *(line.replace(f'"value":{number}}}', f'"value":{number + 1}}}') for line in x[last + 1 :]),
        ],
    )
    assert export.check(env, path)["term"] == number + 2


def test_a_term_with_a_loose_variable_is_refused(env: Environment, lines: list[str], tmp_path: Path) -> None:
    loose = json.loads(lines[first(lines, "bvar")])["ie"]
    with pytest.raises(BadImage, match="a term with loose variables"):
        interchange.read(changed(lines, tmp_path, swap("thm", r'"value":\d+', f'"value":{loose}')))


def test_nothing_is_written_when_what_is_read_back_differs(env: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = interchange.digits
    monkeypatch.setattr(interchange, "digits", lambda n: digits(n + 1))
    with pytest.raises(BadImage, match="big: value differs"):
        export.write(with_meta(env, handmade()), tmp_path / "x", unsafe=True)
    assert list(tmp_path.iterdir()) == []


# The kernel on an export


def kernel(path: Path) -> tuple[int, dict]:
    run = subprocess.run([sys.executable, "-m", "gnosis.audits.replay", "--export", str(path)], capture_output=True, text=True, cwd=root())
    assert run.stdout, run.stderr
    return run.returncode, json.loads(run.stdout)


def test_the_kernel_accepts_the_export_and_rejects_one_with_another_proof(env: Environment, written: Path, lines: list[str], tmp_path: Path) -> None:
    code, said = kernel(written)
    assert (code, said["ok"], said["control"]) == (0, True, True)
    assert (
        said["unchecked"] == []
        and said["constants"] == sum(not c.unsafe and c.kind != "axiom" for c in env.constants.values())
        and said["accepted"] == said["units"] > 50
    )
    # well-formed, and not what was compiled: a proof of another theorem
    rows = [json.loads(line) for line in lines]
    theorems = [row["thm"] for row in rows if "thm" in row]
    other = next(t for t in reversed(theorems) if t["type"] != theorems[-1]["type"] and not t["levelParams"])
    path = changed(
        lines,
        tmp_path,
        lambda x: [
            re.sub(r'"value":\d+', f'"value":{other["value"]}', line) if line.startswith('{"thm"') and f'"name":{theorems[-1]["name"]},' in line else line
            for line in x
        ],
    )
    code, said = kernel(path)
    name = next(
        show(n)
        for n, c in interchange.read(path).environment.constants.items()
        if c.kind == "theorem" and n == list(m for m, k in interchange.read(path).environment.constants.items() if k.kind == "theorem")[-1]
    )
    assert code == 1 and said["rejected"] == [name]


# The commands


def run(*arguments: str) -> tuple[int, str, str]:
    out = subprocess.run([sys.executable, "-m", "gnosis", "spine", *arguments], capture_output=True, text=True, cwd=root(), env={**os.environ, "NO_COLOR": "1"})
    return out.returncode, out.stdout, out.stderr


def test_the_whole_spine_is_exported_and_read_back(tmp_path: Path) -> None:
    code, out, err = run("export", "--output", str(tmp_path / "spine.ndjson"), "--json")
    said = json.loads(out)
    assert code == 0, err
    assert said["constants"]["theorem"] >= 1700 and said["modules"] == len(b.scan()) and said["checker"] is None
    assert said["bytes"] == (tmp_path / "spine.ndjson").stat().st_size and "no independent checker was run" in err


def test_the_export_goes_to_standard_output_and_to_a_checker(lines: list[str], tmp_path: Path) -> None:
    code, out, err = run("export", "--module", LOGIC)
    assert code == 0 and out == "".join(lines) and "read back and equal" in err
    counter = tmp_path / "checker.py"
    counter.write_text(
        "import sys\nhere, file = sys.stdin.read(), open(sys.argv[1]).read()\nprint(here == file, here.count('\\n'))\nsys.exit(int(sys.argv[2]))\n"
    )
    for code in (0, 7):
        got, out, err = run("export", "--module", LOGIC, "--check", f"{sys.executable} {counter} {{}} {code}", "--json")
        assert got == (1 if code else 0) and json.loads(out)["checker"]["code"] == code
        assert f"True {len(lines)}" in err and f"ended with code {code}" in err


def test_reread_says_whether_a_file_is_the_compiled_spine(written: Path, lines: list[str], tmp_path: Path) -> None:
    code, out, _ = run("reread", str(written), "--module", LOGIC, "--json", "--kernel")
    said = json.loads(out)
    assert code == 0 and said["ok"] and said["replay"]["accepted"] == said["replay"]["units"]
    code, out, err = run("reread", str(changed(lines, tmp_path, swap("inductive", '"k":false', '"k":true'))), "--module", LOGIC, "--json")
    assert code == 1 and "k differs" in json.loads(out)["error"] and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["export", "--json"], "needs --output FILE"),
        (["export", "--module", "Gnosis.Nothing"], "--module Gnosis.Nothing: no such module"),
        (["export", "--output", "/nowhere/x"], "does not exist"),
        (["export", "--output", "/"], "is a folder"),
        (["export", "--check", "no-such-checker {}"], "no such command"),
        (["export", "--check", "'"], "--check"),
        (["reread", "/nowhere/x"], "No such file"),
    ],
)
def test_bad_input_is_refused_in_a_line(arguments: list[str], text: str) -> None:
    said = CliRunner().invoke(app, arguments)
    assert said.exit_code == 2 and text in said.output.replace("\n", " ")
    assert said.exception is None or isinstance(said.exception, SystemExit)
