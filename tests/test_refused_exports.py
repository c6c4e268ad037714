"""Files that are no export: refused with the number of the line and the reason, at once and in little memory; nothing in a
damaged file is ever taken for something else."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from exports import META, Export
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.audits import interchange
from gnosis.audits.environment import Environment
from gnosis.audits.olean import BadImage
from gnosis.cli.spine import app
from gnosis.spine import build as b
from gnosis.spine import export
from gnosis.spine.paths import build_dir, root

LOGIC = "Gnosis.Core.Logic"
SECONDS, MEMORY = 2, 256 << 20
HEAD = json.dumps(META) + "\n"
# reads a file in a process that may take no more, and says what it took
READER = """
import json, resource, sys
from pathlib import Path
from gnosis.audits import interchange
from gnosis.audits.olean import BadImage
def taken():
    use = resource.getrusage(resource.RUSAGE_SELF)
    held = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))     # ru_maxrss is inherited
    return use.ru_utime + use.ru_stime, held
seconds, memory = taken()
try:
    interchange.read(Path(sys.argv[1]))
    said = None
except BadImage as error:
    said = str(error)
after = taken()
print(json.dumps([said, after[0] - seconds, (after[1] - memory) * 1024]))
"""


def names(count: int) -> str:
    return "".join(f'{{"in":{n},"str":{{"pre":{n - 1},"str":"a"}}}}\n' for n in range(1, count + 1))


def levels(count: int, kind: str) -> str:
    part = {"succ": "%d", "max": "[%d,0]", "imax": "[0,%d]"}[kind]
    return "".join(f'{{"il":{n},"{kind}":{part % (n - 1)}}}\n' for n in range(1, count + 1))


def doubled(count: int) -> str:
    """A level that is small as it is shared, and huge as it is written."""
    return '{"in":1,"str":{"pre":0,"str":"u"}}\n{"il":1,"param":1}\n' + "".join(f'{{"il":{n},"max":[{n - 1},{n - 1}]}}\n' for n in range(2, count))


def terms(count: int, shape: str) -> str:
    rows = ['{"ie":0,"bvar":0}\n']
    for n in range(1, count):
        rows.append(
            {
                "app": f'{{"ie":{n},"app":{{"fn":{n - 1},"arg":0}}}}\n',
                "arg": f'{{"ie":{n},"app":{{"fn":0,"arg":{n - 1}}}}}\n',
                "lam": f'{{"ie":{n},"lam":{{"name":0,"type":0,"body":{n - 1},"binderInfo":"default"}}}}\n',
                "forallE": f'{{"ie":{n},"forallE":{{"name":0,"type":{n - 1},"body":0,"binderInfo":"default"}}}}\n',
                "letE": f'{{"ie":{n},"letE":{{"name":0,"type":0,"value":{n - 1},"body":0,"nondep":false}}}}\n',
                "proj": f'{{"ie":{n},"proj":{{"typeName":0,"idx":0,"struct":{n - 1}}}}}\n',
            }[shape]
        )
    return "".join(rows)


def row(text: str) -> str:
    return HEAD + text + "\n"


def definition(**more: object) -> str:
    e = Export()
    e.definition("d", e.sort(1), e.sort(0), **more)
    return "".join(json.dumps(r) + "\n" for r in sorted(e.rows, key=lambda r: "def" in r))


FILES: dict[str, tuple[str | bytes, str]] = {
    # the file
    "nothing": ("", "empty"),
    "a line end": ("\n", "line 1: is no JSON"),
    "no meta": ('{"in":1,"str":{"pre":0,"str":"a"}}\n', "line 1: wanted an object with the keys ['meta']"),
    "meta twice": (HEAD + HEAD, "line 2: an object with the keys ['meta'] is none of this format"),
    "another version": (HEAD.replace("3.1.0", "3.2.0"), "line 1: format '3.2.0'"),
    "a version of a million characters": (HEAD.replace("3.1.0", "3" * 1_000_000), "line 1: format"),
    "no line end at the end": (HEAD + '{"in":1,"str":{"pre":0,"str":"a"}}', "line 2: the line has no end"),
    "cut in the middle": (HEAD + '{"in":1,"str":{"pre":0', "line 2: the line has no end"),
    "something behind": (HEAD + names(1) + "and more\n", "line 3: is no JSON"),
    "two objects a line": (row('{"in":1,"str":{"pre":0,"str":"a"}}{"in":2,"str":{"pre":0,"str":"b"}}'), "line 2: is no JSON: Extra data"),
    "an empty line": (HEAD + "\n", "line 2: is no JSON"),
    "zeros": (HEAD.encode() + b"\0" * 1000 + b"\n", "line 2: is no JSON"),
    "a byte order mark": (b"\xef\xbb\xbf" + HEAD.encode(), "line 1: begins with a byte order mark"),
    "UTF-16": (HEAD.encode("utf-16"), "line 1: is no UTF-8"),
    "Latin-1": (HEAD.encode() + b'{"in":1,"str":{"pre":0,"str":"\xe9"}}\n', "line 2: is no UTF-8: invalid continuation byte at byte 30"),
    "overlong UTF-8": (HEAD.encode() + b'{"in":1,"str":{"pre":0,"str":"\xc0\xaf"}}\n', "line 2: is no UTF-8"),
    "half a character": (HEAD.encode() + b'{"in":1,"str":{"pre":0,"str":"\xed\xa0\x80"}}\n', "line 2: is no UTF-8"),
    "half a character, escaped": (row('{"in":1,"str":{"pre":0,"str":"\\ud800"}}'), "line 2: '\\ud800' is no Unicode text"),
    "carriage returns": (HEAD.replace("\n", "\r\n"), "line 1: a carriage return"),
    "a control character in a text": (row('{"in":1,"str":{"pre":0,"str":"\x01"}}'), "line 2: is no JSON: Invalid control character"),
    # JSON
    "a list": (row("[]"), "line 2: a list of 0 is no object"),
    "a number": (row("1"), "line 2: 1 is no object"),
    "no value": (row("null"), "line 2: None is no object"),
    "the same key twice": (row('{"in":1,"in":1,"str":{"pre":0,"str":"a"}}'), "line 2: the same key twice"),
    "the same key twice inside": (row('{"in":1,"str":{"pre":0,"pre":0,"str":"a"}}'), "line 2: the same key twice"),
    "an unknown key": (row('{"in":1,"str":{"pre":0,"str":"a","more":1}}'), "wanted an object with the keys ['pre', 'str'], found ['more', 'pre', 'str']"),
    "an unknown key beside": (
        row('{"in":1,"str":{"pre":0,"str":"a"},"more":1}'),
        "line 2: an object with the keys ['in', 'more', 'str'] is none of this format",
    ),
    "an unknown kind": (row('{"in":1,"symbol":{"pre":0,"str":"a"}}'), "'symbol' is no kind of name"),
    "nothing in it": (row("{}"), "line 2: an object with the keys [] is none of this format"),
    "100,000 keys": (row("{" + ",".join(f'"{n}":1' for n in range(90_000)) + "}"), "line 2: an object with the keys (90000 of them)"),
    "300,000 lists": (row('{"in":[' + "[]," * 300_000 + "[]]}"), "line 2: a list of 300001 where a natural number must stand"),
    "100,000 levels of lists": (row("[" * 100_000), "line 2: nested too deep"),
    "100,000 levels of objects": (row('{"a":' * 100_000), "line 2: nested too deep"),
    "a key of a million characters": (row('{"' + "k" * 1_000_000 + '":1}'), "line 2: an object with the keys (1 of them)"),
    "a text of a million characters": (row('{"in":"' + "k" * 1_000_000 + '"}'), "(1000000 characters) where a natural number must stand"),
    "a line of a gigabyte": (b"", "line 1: longer than 1048576 bytes"),
    "a second line of a gigabyte": (HEAD.encode(), "line 2: longer than 1048576 bytes"),
    # numbers
    "false for 0": (row('{"ie":false,"bvar":0}'), "line 2: False where a natural number must stand"),
    "true for 1": (row('{"in":true,"str":{"pre":0,"str":"a"}}'), "line 2: True where a natural number must stand"),
    "1.0 for 1": (row('{"in":1.0,"str":{"pre":0,"str":"a"}}'), "line 2: 1.0 where a natural number must stand"),
    "1e0 for 1": (row('{"in":1e0,"str":{"pre":0,"str":"a"}}'), "line 2: 1e0 where a natural number must stand"),
    "a text for 1": (row('{"in":"1","str":{"pre":0,"str":"a"}}'), "line 2: '1' where a natural number must stand"),
    "-1": (row('{"in":1,"str":{"pre":-1,"str":"a"}}'), "line 2: -1 where a natural number must stand"),
    "-0": (row('{"ie":0,"bvar":-0}') + '{"ie":2,"bvar":1}\n', "line 3: ie is 2, and the next one is 1"),
    "NaN": (row('{"in":NaN,"str":{"pre":0,"str":"a"}}'), "line 2: NaN is no number"),
    "Infinity": (row('{"ie":0,"bvar":-Infinity}'), "line 2: -Infinity is no number"),
    "a number with a leading zero": (row('{"in":01,"str":{"pre":0,"str":"a"}}'), "line 2: is no JSON"),
    "2^63": (row('{"in":1,"num":{"pre":0,"i":9223372036854775808}}'), "line 2: 9223372036854775808 where a number below 9223372036854775808"),
    "2^63 as an index": (row('{"in":9223372036854775808,"num":{"pre":0,"i":1}}'), "line 2: 9223372036854775808 where"),
    "a number of 100,000 digits": (row('{"in":' + "9" * 100_000 + "}"), "line 2: a number of 100000 digits"),
    "a huge line number": (row('{"in":4294967297,"str":{"pre":0,"str":"a"}}'), "line 2: in is 4294967297, and the next one is 1"),
    "an index that is not there": (row('{"ie":0,"sort":7}'), "line 2: level 7 is not defined yet"),
    "a hint of 2^32": (definition(hints={"regular": 1 << 32}), "4294967296 where a number below 4294967296 must stand"),
    "a hint that is true": (definition(hints={"regular": True}), "True where a natural number must stand"),
    # parts
    "a name of 3,000 components": (HEAD + names(3000), "line 130: a name with more than 128 components"),
    "60,000 nested names": (HEAD + names(60_000), "line 130: a name with more than 128 components"),
    "1,000 levels": (HEAD + levels(1000, "succ"), "line 257: a level of more than 256 nodes"),
    "a maximum of 1,000 levels": (HEAD + levels(1000, "max"), "line 129: a level of more than 256 nodes"),
    "an imax of 1,000 levels": (HEAD + levels(1000, "imax"), "line 129: a level of more than 256 nodes"),
    "a level of 2^100 nodes": (HEAD + doubled(100), "a level of more than 256 nodes"),
    **{
        f"100,000 nested {shape}": (HEAD + terms(100_000, shape), "line 4098: a term that is more than 4096 deep")
        for shape in ("app", "arg", "lam", "forallE", "letE", "proj")
    },
    "a literal of 3 million digits": (row('{"ie":0,"natVal":"' + "9" * 3_000_000 + '"}'), "line 2: longer than 1048576 bytes"),
    "a literal of a million digits": (row('{"ie":0,"natVal":"' + "9" * 1_000_000 + '"}'), "line 2: a literal of more than 65536 digits"),
    "a literal with a sign": (row('{"ie":0,"natVal":"+1"}'), "where the digits of a natural number must stand"),
    "a literal with a leading zero": (row('{"ie":0,"natVal":"01"}'), "where the digits of a natural number must stand"),
    "a literal with other digits": (row('{"ie":0,"natVal":"\u0663"}'), "where the digits of a natural number must stand"),
    "a literal that ends with a line": (row('{"ie":0,"natVal":"1\\n"}'), "where the digits of a natural number must stand"),
    "a literal that is a number": (row('{"ie":0,"natVal":1}'), "line 2: 1 where a text must stand"),
    "a variable far out": (row('{"ie":0,"bvar":1048576}'), "line 2: 1048576 where a number below 4096 must stand"),
    "a name twice": (HEAD + names(1) + '{"in":2,"str":{"pre":0,"str":"a"}}\n', "line 3: in 2 is there already"),
    "zero twice": (row('{"il":1,"max":[0,0]}') + '{"il":2,"max":[0,0]}\n', "line 3: il 2 is there already"),
}


def written(name: str, folder: Path) -> Path:
    path, (data, _) = folder / "file", FILES[name]
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if "gigabyte" in name:
        os.truncate(path, 1 << 30)
    return path


def measured(path: Path | str) -> tuple[str | None, float, int]:
    run = subprocess.run([sys.executable, "-c", READER, str(path)], capture_output=True, text=True, cwd=root(), timeout=120)
    assert run.returncode == 0 and not run.stderr, run.stderr[-500:]
    said, seconds, memory = json.loads(run.stdout)
    return said, seconds, memory


@pytest.mark.parametrize("name", FILES)
def test_it_is_refused_with_line_and_reason(name: str, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    with pytest.raises(BadImage) as error:
        interchange.read(path)
    said = str(error.value)
    assert FILES[name][1] in said and said.startswith(f"{path}: ") and len(said) < 500, said


LARGE = [name for name, (data, _) in FILES.items() if len(data) > 50_000 or "gigabyte" in name]


@pytest.mark.parametrize("name", LARGE)
def test_a_large_one_costs_little(name: str, tmp_path: Path) -> None:
    said, seconds, memory = measured(written(name, tmp_path))
    assert said and FILES[name][1] in said and seconds < SECONDS and memory < MEMORY, (seconds, memory)


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path, kind in ((tmp_path / "fifo", "a FIFO"), (tmp_path, "a directory"), (Path("/dev/zero"), "a device"), (Path("/dev/null"), "a device")):
        said, seconds, memory = measured(path)
        assert said == f"{path}: not a regular file but {kind}" and seconds < SECONDS and memory < MEMORY
        link = tmp_path / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        assert f"not a regular file but {kind}" in (measured(link)[0] or "")
    assert "No such file" in (measured(tmp_path / "nothing")[0] or "")


def test_many_names_and_constants_cost_what_their_lines_cost(tmp_path: Path) -> None:
    # names that are as long as names may be, none of them used: prefixes are shared and not copied
    path = tmp_path / "names"
    path.write_text(HEAD + names(127) + "".join(f'{{"in":{n},"str":{{"pre":127,"str":"{n}"}}}}\n' for n in range(128, 60_000)))
    said, seconds, memory = measured(path)
    assert said is None and memory < 64 << 20
    # a sum of 20,000 constants, each a definition of its own: what a term refers to is not collected at every node
    e = Export()
    nat = e.sort(1)
    total = e.sort(0)
    for n in range(20_000):
        e.definition(f"c{n}", nat, e.sort(0))
        total = e.app(e.const(f"c{n}"), total) if n % 4000 else e.sort(0)
    e.definition("all", nat, total)
    said, seconds, memory = measured(e.write(tmp_path / "sum"))
    assert said is None and memory < MEMORY, (said, seconds, memory)


def test_the_commands_end_with_code_2_and_a_line(tmp_path: Path) -> None:
    for name in ("1,000 levels", "a hint of 2^32", "a name of 3,000 components", "a line of a gigabyte", "false for 0", "nothing"):
        path = written(name, tmp_path)
        run = subprocess.run([sys.executable, "-m", "gnosis.audits.replay", "--export", str(path)], capture_output=True, text=True, cwd=root())
        assert run.returncode == 2 and FILES[name][1] in json.loads(run.stdout)["error"] and "Traceback" not in run.stderr
        said = CliRunner().invoke(app, ["reread", str(path)])
        assert said.exit_code == 2 and FILES[name][1][:60] in said.output.replace("\n", " "), said.output


# Damage at random: a valid export is changed in its structure and in its bytes


@pytest.fixture(scope="module")
def env() -> Environment:
    assert b.build([LOGIC]).ok
    full = Environment(build_dir(), [LOGIC])
    wanted = {n for text in ("Nat.add", "Quot.ind", "Quot.lift", "Or.rec", "Exists.rec") for n in full.closure(tuple(text.split(".")))}
    wanted |= {n for n, c in full.constants.items() if c.kind == "recursor" and c.data["all"][0] in wanted}
    small = Environment.of(full.intern, {n: c for n, c in full.constants.items() if n in wanted})
    small.modules = full.modules  # for the first line
    return small


@pytest.fixture(scope="module")
def rows(env: Environment, tmp_path_factory: pytest.TempPathFactory) -> list:
    path = tmp_path_factory.mktemp("small") / "small.ndjson"
    export.write(env, path)
    return [json.loads(line) for line in path.read_text().splitlines()]


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 70),
    st.sampled_from([1 << 31, 1 << 32, 1 << 63, 1 << 64, -1, 1.0, 0.0, 1e400, "", "a", "0", "1", [], {}, [0], {"regular": 1}]),
    st.text(max_size=3),
)


def spots(value: object) -> list[tuple[object, object]]:
    """Every place in a row that holds something: the container, and the key or index."""
    found: list = []
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += [(value, key), *spots(part)]
    return found


PLACES = {
    **dict.fromkeys(("name", "pre", "levelParams", "all", "ctors", "induct", "ctor", "typeName", "param"), "in"),
    **dict.fromkeys(("us", "sort", "succ", "max", "imax"), "il"),
    **dict.fromkeys(("fn", "arg", "type", "body", "value", "struct", "rhs"), "ie"),
}


def resolved(rows: list) -> list:
    """The declarations with every number replaced by a hash of what it stands for: a second, simple reading of the format."""
    tables: dict[str, list[str]] = {"in": [""], "il": ["0"], "ie": []}

    def meant(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            return {k: meant(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [meant(v, key) for v in value]
        return tables[PLACES[key]][value] if key in PLACES and type(value) is int else value

    out = []
    for row in rows[1:]:
        index = next((k for k in tables if k in row), None)
        text = json.dumps(meant({k: v for k, v in row.items() if k != index}), sort_keys=True)
        if index:
            tables[index].append(hashlib.sha256(text.encode()).hexdigest())
        else:
            out.append(text)
    return sorted(out)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_changed_structure_is_refused_or_says_the_same(env: Environment, rows: list, tmp_path: Path, data: st.DataObject) -> None:
    after = json.loads(json.dumps(rows))
    for _ in range(data.draw(st.integers(1, 2))):
        how = data.draw(st.sampled_from(["value", "value", "value", "key", "drop", "double", "swap", "whole"]))
        at = data.draw(st.integers(0, len(after) - 1))
        if how in ("value", "key"):
            found = spots(after[at])
            where, key = found[data.draw(st.integers(0, 1 << 10)) % len(found)] if found else (None, None)
            if how == "value" and found:
                where[key] = deepcopy(data.draw(VALUES))
            elif isinstance(where, dict):
                where[data.draw(st.sampled_from(["in", "il", "ie", "str", "app", "def", "thm", "axiom", "kind", "all", "x"]))] = where.pop(key)  # type: ignore[index]
        elif how == "drop":
            del after[at]
        elif how == "double":
            after.insert(data.draw(st.integers(0, len(after))), json.loads(json.dumps(after[at])))
        elif how == "swap":
            other = data.draw(st.integers(0, len(after) - 1))
            after[at], after[other] = after[other], after[at]
        else:
            after[at] = deepcopy(data.draw(VALUES))
        if not after:
            return
    path = tmp_path / "changed.ndjson"
    path.write_text("".join(json.dumps(row) + "\n" for row in after))
    try:
        export.check(env, path)
    except BadImage:
        return
    assert resolved(after) == resolved(rows)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(at=st.integers(0, 1 << 20), junk=st.binary(min_size=1, max_size=6), cut=st.booleans(), insert=st.booleans())
@example(at=0, junk=b"\xff", cut=False, insert=True)
def test_changed_bytes_are_refused_or_say_the_same(env: Environment, rows: list, tmp_path: Path, at: int, junk: bytes, cut: bool, insert: bool) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    at %= len(text)
    data = text[:at] + (b"" if cut else junk) + text[at if insert else at + len(junk) :]
    path = tmp_path / "changed.ndjson"
    path.write_bytes(data)
    try:
        export.check(env, path)
    except BadImage:
        return
    after = [json.loads(line) for line in path.read_text().splitlines()]
    assert after[1:] == rows[1:] and after[0]["meta"]["lean"] == rows[0]["meta"]["lean"]
