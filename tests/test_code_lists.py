"""The lists of the audit: they know all of Lean's words and tables, and nothing that is not needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gnosis.audits import code, entries, generated, language, tokens
from gnosis.audits.environment import Environment
from gnosis.audits.objects import Made, Named, value
from gnosis.audits.olean import BadImage, identifier_start, show
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import Toolchain, find


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    return find()


BINARY = """
import ctypes as C, json, sys
from pathlib import Path
from gnosis.audits.kernel import Lean, Live
from gnosis.audits.olean import Interner
Lean(Path(sys.argv[1]))
library, live = C.CDLL(sys.argv[1]), Live(Interner())
word = lambda at: C.c_uint64.from_address(at).value
def held(symbol):
    return word(C.c_void_p.in_dll(library, symbol).value + 8)
def below(at):
    tag, count = word(at) >> 56, word(at) >> 48 & 255
    return [word(at + 24 + 8 * i) for i in range(word(at + 8))] if tag == 246 else [word(at + 8 + 8 * i) for i in range(count)] if tag <= 244 else []
tokens, stack, seen = set(), [held("l_Lean_Parser_builtinTokenTable")], set()
while stack:
    at = stack.pop()
    if not at & 1 and at not in seen:
        seen.add(at)
        if word(at) >> 56 == 249:
            tokens.add(live.string(at))
        else:
            stack += below(at)
tables = [".".join(map(str, live.read_name(word(at + 16)))) for at in below(held("l_Lean_persistentEnvExtensionsRef"))]
print(json.dumps([sorted(tokens), tables]))
"""


def test_the_lists_know_all_words_and_tables_of_the_binary(lean: Toolchain) -> None:
    run = subprocess.run([sys.executable, "-c", BINARY, str(lean.library)], capture_output=True, text=True, cwd=root())
    assert run.stdout, run.stderr
    known, tables = json.loads(run.stdout)
    words = {t for t in known if identifier_start(t[0])}
    assert len(words) > 150 and words == language.ORDINARY | language.REFUSED
    assert all(t.startswith("@[") or set(t) & language.SYMBOLS.keys() or t in ("@", "@&") for t in known if t[0] in "@#`$")
    assert len(tables) > 190 and set(entries.ALLOWED) <= set(tables)


@pytest.fixture(scope="module")
def whole() -> Environment:
    result = b.build()
    assert result.ok
    return Environment(build_dir(), b.scan())


def test_every_entry_of_the_lists_is_needed(whole: Environment) -> None:
    assert {t for m in whole.modules.values() for t, e in m.extensions.items() if e} == set(entries.ALLOWED)
    files = tokens.texts(root())
    ordinary = {t.text for text in files.values() if not language.foreign(text) for t in tokens.lex(text) if t.kind == "name"}
    assert ordinary & language.ORDINARY == language.ORDINARY
    assert {t.text for text in files.values() for t in tokens.lex(text) if t.kind == "symbol" and not t.text.isdigit()} == tokens.SYMBOLS
    assert not language.ORDINARY & language.REFUSED
    assert code.ALLOWED == {n for n in whole.constants if n[-1] == "_override"}


def test_the_executed_code_of_every_decision_is_in_the_lock(whole: Environment) -> None:
    locked = code.read((root() / "audits" / "code.lock").read_text())
    functions, again = generated.functions(whole)
    assert again == [] and locked.items() >= code.runs(whole, functions)[0].items()
    asked = {n for n in whole.constants if n[:1] == ("Gnosis",) and whole.constants[n].module.startswith("Gnosis.Decision.") and n in functions}
    assert len(asked) > 100 and all(f"runs {show(n)}" in locked for n in asked)


def test_objects_that_are_no_names_are_not_taken_for_such(whole: Environment) -> None:
    one = whole.modules["Gnosis.Decision.Energy"]
    kinds = {type(value(one, p)) for pointers in one.extensions.values() for p in pointers}
    assert kinds >= {Made, Named}
    part = one.parts[0]
    with pytest.raises(BadImage):
        value(one, part.base + part.size)


def test_an_entry_of_the_driver_under_another_name_is_found() -> None:
    env = Environment(build_dir(), ["Gnosis.Driver.Table"])
    assert code.table(env) == []
    at = env.constants[code.TABLE]
    dot, energy = (env.intern.numbers["term", 4, ("Gnosis", n), ()] for n in ("dot", "energy"))
    node = next(i for i, n in enumerate(env.nodes) if n[:2] == ("term", 5) and n[3] == dot and code.ENTRY in env.used(i))
    memo = {node: env.intern("term", 5, env.nodes[node][2], energy)}

    def make(i: int) -> int:
        n = env.nodes[i]
        return env.intern("term", 5, memo[n[2]], memo[n[3]]) if n[1] == 5 else i

    at.value = env.fold(at.value, memo, make)
    assert [str(f) for f in code.table(env)] == ["code: Gnosis.Driver.table: the entry 'dot' is Gnosis.energy"]
    at.value = dot
    assert [f.text for f in code.table(env)] == ["no entry could be read"]
