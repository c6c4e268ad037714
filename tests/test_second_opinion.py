"""Bad environments of every kind, each refused by the kernel replay or the reader, and for the right reason.

One module is compiled, faults are planted in copies of its file, byte by byte, and one process replays all copies.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from second_opinion_support import MODULE, SOURCE, Image, planted_environment
from spines import Spine, copy

from gnosis.audits import audit
from gnosis.audits.environment import Environment
from gnosis.audits.olean import BVAR, CONST, SUCC
from gnosis.spine import build as b
from gnosis.spine.paths import root
from gnosis.spine.toolchain import find, kernel_library

# with nothing but Logic below it, so that a replay is quick
# every fault gets a verdict as the replay's own `main` would give it; Lean's library starts once a process
DRIVER = """
import argparse, functools, gc, json, os, sys
from pathlib import Path
from gnosis.audits import replay
from gnosis.audits.olean import BadImage
replay.Lean = functools.cache(replay.Lean)
gc.disable()
library, module, *roots = sys.argv[1:]
for root in roots:
    try:
        said = replay.run(argparse.Namespace(root=Path(root), modules=[module], library=Path(library), export=None, manifest=None, plain=[], equations=None))
    except (BadImage, OSError) as error:
        said = {"ok": False, "error": str(error)}
    print(json.dumps(said), flush=True)
os._exit(0)
"""


FAULTS: dict[str, tuple[Callable[[Image], object], tuple[str, ...]]] = {}
REJECTS = "the kernel rejects this declaration"


def differ(name: str, *fields: str) -> tuple[str, ...]:
    return tuple(f"replay: {name}: file and kernel differ in: {field}" for field in fields)


def rejects(*names: str) -> tuple[str, ...]:
    return tuple(f"replay: {name}: {REJECTS}" for name in names)


def fault(name: str, edit: Callable[[Image], object], *texts: str) -> None:
    assert name not in FAULTS
    FAULTS[name] = edit, texts


# proofs, bodies, types
fault("the proof of another statement", lambda i: i.copy(i.field("plain", 1), i.field("good", 1)), *rejects("plain"))
fault("another statement for a proof", lambda i: i.copy(i.head("plain", 2), i.head("lie", 2)), *rejects("plain"))
fault("another body", lambda i: i.copy(i.field("k", 1), i.field("l", 1)), *rejects("good"))
fault("another type of a definition", lambda i: i.copy(i.head("k", 2), i.head("plain", 2)), *rejects("k"))
fault("another type of a constructor", lambda i: i.copy(i.head("V.a", 2), i.head("plain", 2)), *rejects("V"))
fault("another type of an inductive type", lambda i: i.copy(i.head("V", 2), i.head("W", 2)), *rejects("V"))
fault("another type of a recursor", lambda i: i.copy(i.head("V.rec", 2), i.head("W.rec", 2)), *differ("V.rec", "type"))
fault("the body of an opaque constant proves something else", lambda i: i.copy(i.head("hidden", 2), i.head("lie", 2)), *rejects("hidden"))


# universe parameters
fault("no universe parameters of a definition", lambda i: i.put(i.head("poly", 1), 1), *rejects("poly"))
fault("no universe parameters of a theorem", lambda i: i.put(i.head("uses", 1), 1), *rejects("uses"))
fault("no universe parameters of a recursor", lambda i: i.put(i.head("V.rec", 1), 1), *differ("V.rec", "levels"))
fault("universe parameters of an inductive type", lambda i: i.copy(i.head("V", 1), i.head("uses", 1)), *rejects("V"))
fault("universe parameters of a constructor", lambda i: i.copy(i.head("V.a", 1), i.head("uses", 1)), *differ("V.a", "levels"))


# recursors
fault("k of a recursor is off", lambda i: i.flip("W.rec", 0), *differ("W.rec", "k"))
fault("k of a recursor is on", lambda i: i.flip("V.rec", 0), *differ("V.rec", "k"))
fault("a recursor is unsafe", lambda i: i.flip("V.rec", 1), *differ("V.rec", "unsafe"))
for what, index in (("params", 2), ("indices", 3), ("motives", 4), ("minors", 5)):
    fault(f"{what} of a recursor", lambda i, at=index: i.more("T.rec", at), *differ("T.rec", what))
fault("the right-hand side of another rule", lambda i: i.copy(i.rule("V.rec", 1, 2), i.rule("V.rec", 0, 2)), *differ("V.rec", "rules"))
fault("fields of a rule", lambda i: i.put(i.rule("V.rec", 1, 1), 2 * 5 + 1), *differ("V.rec", "rules"))
fault("the constructor of another rule", lambda i: i.copy(i.rule("V.rec", 1, 0), i.rule("V.rec", 0, 0)), *differ("V.rec", "rules"))
fault("no rules", lambda i: i.put(i.field("V.rec", 6), 1), *differ("V.rec", "rules"))
fault("a recursor of another family", lambda i: i.copy(i.field("V.rec", 1), i.field("R.rec", 1)), "reader: V: its family has 0 recursors, none")
fault("a recursor of no family", lambda i: i.put(i.field("V.rec", 1), 1), "reader: V.rec names nothing as its family")


# inductive types
fault("params of an inductive type", lambda i: i.more("T", 1, -1), *rejects("T"))
fault("too many params of an inductive type", lambda i: i.more("T", 1), *rejects("T"))
fault("indices of an inductive type", lambda i: i.more("W", 2), *differ("W", "indices"))
fault(
    "nested of an inductive type",
    lambda i: i.more("F", 5, -1),
    "reader: F: its family has 2 recursors, F.rec, F.rec_1; wanted one for each of 1 types and 0 nested ones",
)
fault("an inductive type is recursive", lambda i: i.flip("V", 0), *differ("V", "recursive"))
fault("an inductive type is not recursive", lambda i: i.flip("T", 0), *differ("T", "recursive"))
fault("an inductive type is unsafe", lambda i: i.flip("V", 1), *differ("V", "unsafe"))
fault("an inductive type is reflexive", lambda i: i.flip("T", 2), *differ("T", "reflexive"))
fault("an inductive type is not reflexive", lambda i: i.flip("R", 2), *differ("R", "reflexive"))
fault(
    "a family that another type does not name",
    lambda i: i.copy(i.field("V", 3), i.field("R", 3)),
    "reader: V names R as its family of types, and they do not agree",
)
fault("constructors of another type", lambda i: i.copy(i.field("V", 4), i.field("R", 4)), "as a constructor, which is none of its own")
fault("no constructors", lambda i: i.put(i.field("V", 4), 1), "as its type, which does not list it")


# constructors
fault("index of a constructor", lambda i: i.more("V.a", 2), *differ("V.a", "index"))
fault("params of a constructor", lambda i: i.more("V.a", 3), *differ("V.a", "params"))
fault("fields of a constructor", lambda i: i.more("V.a", 4, 6), *differ("V.a", "fields"))
fault("a constructor of another type", lambda i: i.put(i.field("V.a", 1), i.pointer("R")), "reader: V names V.a as a constructor, which is none of its own")
fault("a constructor is unsafe", lambda i: i.flip("V.a", 0), *differ("V.a", "unsafe"))


# what a declaration is
fault("a definition in use is unsafe", lambda i: i.d.__setitem__(i.scalar("k", 0), 0), *rejects("good"), "replay: good: refers to k, which is unsafe")
fault("a definition in use is partial", lambda i: i.d.__setitem__(i.scalar("k", 0), 2), *rejects("good"), "replay: good: refers to k, which is unsafe")
fault("a definition is none of the three", lambda i: i.d.__setitem__(i.scalar("k", 0), 7), "reader: Gnosis.Bad: 7 where a number below 3 must stand")
fault("an unsafe definition is safe", lambda i: i.d.__setitem__(i.scalar("danger", 0), 1), *rejects("danger"))
fault("an axiom in use is unsafe", lambda i: i.flip("assumed", 0), *rejects("trusting"), "replay: trusting: refers to assumed, which is unsafe")
fault(
    "an opaque constant is unsafe, and a proof is none", lambda i: (i.flip("hidden", 0), i.copy(i.field("plain", 1), i.field("trusting", 1))), *rejects("plain")
)
fault("an axiom hidden as a part of the quotient", lambda i: i.kind("assumed", 4), *rejects("trusting"), *differ("assumed", "absent from the kernel"))
fault("an axiom called a theorem", lambda i: i.kind("assumed", 2), "tag 0 and 1 fields; wanted (0,), 3")
fault("an axiom called an opaque constant", lambda i: i.kind("assumed", 3), "tag 0 and 1 fields; wanted (0,), 3")
fault("a theorem called a definition", lambda i: i.kind("plain", 1), "tag 0 and 3 fields; wanted (0,), 4")
fault("a theorem called an opaque constant", lambda i: i.kind("plain", 3), "IndexError")
fault("a recursor called a constructor", lambda i: i.kind("V.rec", 6), "tag 0 and 7 fields; wanted (0,), 5")
fault("a kind that there is not", lambda i: i.kind("plain", 9), "tag 9 and 1 fields; wanted")
fault("the name of another constant", lambda i: i.put(i.head("plain", 0), i.pointer("good")), "constant good is listed as plain")
fault("the same constant twice", lambda i: _list_twice(i), "good is listed twice")


# what Lean caches with names, levels and terms
fault(
    "a falsified number of loose variables",
    lambda i: i.put(i.cached(i.term(6)), i.word(i.cached(i.term(6))) ^ 1 << 44),
    "replay: Gnosis.Bad: cached word of a term at",
)
fault("a falsified depth", lambda i: i.put(i.cached(i.term(5)), i.word(i.cached(i.term(5))) ^ 1 << 32), "replay: Gnosis.Bad: cached word of a term at")
fault(
    "a falsified mark of free variables",
    lambda i: i.put(i.cached(i.term(5)), i.word(i.cached(i.term(5))) ^ 1 << 40),
    "replay: Gnosis.Bad: cached word of a term at",
)
fault(
    "a falsified hash of a term", lambda i: i.put(i.cached(i.term(CONST)), i.word(i.cached(i.term(CONST))) ^ 1), "replay: Gnosis.Bad: cached word of a term at"
)
fault("a falsified hash of a name", lambda i: i.put(i.cached(i.pointer("plain")), 7), "replay: Gnosis.Bad: cached word of a name at")
fault("a falsified hash of a level", lambda i: i.put(i.cached(_level(i)), 7), "replay: Gnosis.Bad: cached word of a level at")


# the file
fault("the image of another module", lambda i: i.moved(1 << 16), "replay: Gnosis.Bad: base address is 0x")
fault("another base address", lambda i: i.put(80, i.base + (1 << 20)), "is outside the image")
fault("no base address", lambda i: i.put(80, i.base + 4), "is no base address")
fault("no compiled file", lambda i: i.d.__setitem__(0, ord("O")), "not an olean of format 2")
fault("another format", lambda i: i.d.__setitem__(5, 3), "not an olean of format 2")
fault("other flags", lambda i: i.d.__setitem__(6, 0), "flags 0x0 in the header; this reader knows 0x1")
fault("another version", lambda i: i.d.__setitem__(slice(7, 13), b"4.34.0"), "reader: modules were compiled by different Leans: Gnosis.Bad by Lean 4.34.0")
fault("no version", lambda i: i.d.__setitem__(slice(7, 13), b"4.x.0\0"), "in the header is no version of Lean")
fault("more after the version", lambda i: i.d.__setitem__(30, 1), "in the header is no version of Lean")
fault("another commit", lambda i: i.d.__setitem__(40, ord("0")), "reader: modules were compiled by different Leans")
fault("no commit", lambda i: i.d.__setitem__(40, ord("G")), "in the header is no commit hash")
fault("a pointer past the end", lambda i: i.put(i.field("plain", 1), i.base + len(i.d)), "is outside the image")
fault("a pointer before the image", lambda i: i.put(i.field("plain", 1), i.base - 8), "is outside the image")
fault("a pointer into the header", lambda i: i.put(i.field("plain", 1), i.base + 40), "is outside the image")
fault("a pointer between words", lambda i: i.put(i.field("plain", 1), i.word(i.field("plain", 1)) + 4), "is outside the image")
fault("a null pointer", lambda i: i.put(i.field("plain", 1), 0), "is outside the image")
fault("a number for a term", lambda i: i.put(i.field("plain", 1), 5), "is outside the image")
fault("a name for a term", lambda i: i.put(i.field("plain", 1), i.pointer("V.a")), "node with tag 1 has 2 fields")
fault("a cyclic term", lambda i: i.put(i.at(i.term(5)) + 8, i.term(5)), "cyclic term at")
fault("a cyclic level", lambda i: i.put(i.at(_level(i)) + 8, _level(i)), "cyclic term at")
fault("a cyclic name", lambda i: i.put(i.at(i.pointer("V.a")) + 8, i.pointer("V.a")), "name without end")
fault("a cyclic list", lambda i: i.put(i.at(i.word(i.field("V", 4))) + 16, i.word(i.field("V", 4))), "list without end")
fault("a theorem that proves itself", lambda i: i.put(i.field("trusting", 1), _constant(i, "assumed", "trusting")), *rejects("trusting"))
fault("a count of references", lambda i: i.put(i.at(i.m.at["plain"]), i.word(i.at(i.m.at["plain"])) | 1), "bad object header")
fault("a size past the end", lambda i: i.put(i.at(i.term(5)), i.word(i.at(i.term(5))) & ~(0xFFFF << 32) | 8 << 32), "bad object header")
fault("a tag that no term has", lambda i: i.d.__setitem__(i.at(i.term(5)) + 7, 12), "has tag 12")
fault("a free variable", lambda i: i.d.__setitem__(i.at(i.term(BVAR)) + 7, 1), "free variable or metavariable in a declaration")
fault("a kind of binder that there is not", lambda i: i.d.__setitem__(i.cached(i.term(6)) + 8, 4), "4 where a number below 4 must stand")
fault("a loose variable", lambda i: i.put(i.field("plain", 1), i.term(BVAR)), *rejects("plain"))
fault("a flag that is neither", lambda i: i.d.__setitem__(i.scalar("V.rec", 0), 2), "2 where a number below 2 must stand")
for length in (0, 87, 95, 4096, -8, -3):
    fault(f"cut off at {length}", lambda i, n=length: i.d.__delitem__(slice(n, None)), "is not the length of an olean" if length % 8 or length == 0 else "")


def _level(i: Image) -> int:
    return next(p for p in i.m.levels if not p & 1 and i.word(i.at(p)) >> 56 == SUCC)


def _constant(i: Image, name: str, other: str) -> int:
    """The term of the constant `name`, made one of `other`; its hash is then wrong too."""
    at = next(p for p, n in i.m.terms.items() if i.m.intern.nodes[n][1:3] == (CONST, (name,)))
    i.put(i.at(at) + 8, i.pointer(other))
    return at


RANDOM = 25


def damage(i: Image, name: str) -> None:
    """A word of the file in place of another one, somewhere."""
    random = Random(name)
    to, of = (88 + 8 * random.randrange((len(i.d) - 96) // 8) for _ in range(2))
    i.put(to, i.word(of))


def _list_twice(i: Image) -> None:
    """The entry of `plain` in the lists of names and constants becomes that of `good`."""
    spots = {"names": {i.pointer("plain"): i.pointer("good")}, "infos": {i.m.info["plain"]: i.m.info["good"]}}
    root_object = i.word(88)
    for index, swap in ((1, spots["names"]), (2, spots["infos"])):
        array = i.at(i.word(i.at(root_object) + 8 * (index + 1)))
        for n in range(i.word(array + 8)):
            offset = array + 24 + 8 * n
            i.put(offset, swap.get(i.word(offset), i.word(offset)))


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Spine:
    """The module as it was compiled."""
    lean = find()
    result = b.build(["Gnosis.Core.Logic"], lean=lean)
    assert result.ok, result.messages
    spine = copy(tmp_path_factory.mktemp("second") / "spine", lean, ["Gnosis.Core.Logic"])
    spine.write(MODULE, SOURCE)
    spine.compile(MODULE)
    return spine


def planted(bad: Spine, folder: Path, name: str) -> bytes:
    image = Image(b.olean_path(bad.out, MODULE))
    before = bytes(image.d)
    if name in FAULTS:
        FAULTS[name][0](image)
        assert image.d != before
    elif name:
        damage(image, name)
    folder.joinpath("Gnosis/Core").mkdir(parents=True)
    os.link(b.olean_path(bad.out, "Gnosis.Core.Logic"), folder / "Gnosis/Core/Logic.olean")
    b.olean_path(folder, MODULE).write_bytes(image.d)
    return bytes(image.d)


@pytest.fixture(scope="module")
def verdicts(bad: Spine, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the audit says of every planted fault; "" is the file without one."""
    base, folders = tmp_path_factory.mktemp("faults"), {}
    for number, name in enumerate(["", *FAULTS, *(f"random {n}" for n in range(RANDOM))]):
        folders[name] = base / str(number)
        planted(bad, folders[name], name)
    run = subprocess.run(
        [sys.executable, "-c", DRIVER, str(kernel_library(bad.lean)), MODULE, *map(str, folders.values())], capture_output=True, text=True, cwd=root()
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(folders), run.stderr[-2000:]
    out = {}
    for name, said in zip(folders, answers, strict=True):
        findings = [str(f) for f in audit._read_replay(said, 0 if said["ok"] else 2 if "error" in said else 1)]
        assert said["ok"] == (not findings)
        out[name] = [f.replace("replay: compiled files: ", "reader: ") for f in findings]
    return out


def test_whatever_is_accepted_after_random_damage_is_what_was_compiled(bad: Spine, verdicts: dict[str, list[str]], tmp_path: Path) -> None:
    random = {name: said for name, said in verdicts.items() if name.startswith("random ")}
    accepted = [name for name, said in random.items() if not said]
    assert len(random) == RANDOM and 0 < len(accepted) < RANDOM
    wanted = Environment(bad.out, [MODULE])
    for name in accepted:
        env = planted_environment(bad, tmp_path / name, lambda i, n=name: damage(i, n))
        assert env.constants.keys() == wanted.constants.keys()
        assert all(env.fields(c) == wanted.fields(wanted.constants[n]) for n, c in env.constants.items())


def test_the_file_without_a_fault_is_accepted(verdicts: dict[str, list[str]]) -> None:
    assert verdicts[""] == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_refused_for_the_right_reason(verdicts: dict[str, list[str]], name: str) -> None:
    said, wanted = verdicts[name], FAULTS[name][1]
    assert said, "accepted"
    for text in wanted:
        assert any(text in line for line in said), said
