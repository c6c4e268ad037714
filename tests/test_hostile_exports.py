"""Exports that must not pass: each is refused, rejected by the kernel, or told apart from what the kernel takes on trust, for the right reason.

They stand alone, as `replay --export` takes them: nothing is compared with the compiled spine.  The files are in `hostile.py` and `hostile_alone.py`.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from exports import Export
from hostile import BASE, CASES
from hostile_alone import GOOD

from gnosis.audits.environment import Environment
from gnosis.spine import build as b
from gnosis.spine import export
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import find, kernel_library

LOGIC = "Gnosis.Core.Logic"
# one process for all files; Lean's library starts once, and is read back as the command would
DRIVER = """
import functools, gc, json, os, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from gnosis.audits import reread
from gnosis.audits.olean import BadImage
reread.Lean = functools.cache(reread.Lean)
gc.disable()
library, *files = sys.argv[1:]
for file in files:
    try:
        said = reread.run(Path(file), Path(library))
    except BadImage as error:
        said = {"ok": False, "error": str(error)}
    print(json.dumps(said), flush=True)
os._exit(0)
"""


@pytest.fixture(scope="module")
def logic(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    assert b.build([LOGIC]).ok
    path, env = tmp_path_factory.mktemp("logic") / "logic.ndjson", Environment(build_dir(), [LOGIC])
    # what the cases speak of, and what that rests on
    wanted = {n for text in BASE for n in env.closure(tuple(text.split(".")))}
    wanted |= {n for n, c in env.constants.items() if c.kind == "recursor" and c.data["all"][0] in wanted}
    part = Environment.of(env.intern, {n: c for n, c in env.constants.items() if n in wanted})
    part.modules = env.modules  # for the first line
    export.write(part, path)
    return path.read_text().splitlines(keepends=True)


def driven(files: list[Path]) -> list[dict]:
    run = subprocess.run([sys.executable, "-c", DRIVER, str(kernel_library(find())), *map(str, files)], capture_output=True, text=True, cwd=root())
    said = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(said) == len(files), f"{files[len(said)].name}: {run.returncode} {run.stderr[-500:]}"
    return said


@pytest.fixture(scope="module")
def answers(logic: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder, base, files = tmp_path_factory.mktemp("hostile"), Export(logic), []
    for number, (make, _, _) in enumerate(CASES.values()):
        e = Export() if getattr(make, "alone", False) else copy.deepcopy(base)
        make(e)
        files.append(e.write(folder / f"{number}.ndjson"))
    return dict(zip(CASES, driven(files), strict=True))


def test_there_are_enough() -> None:
    assert len(CASES) >= 200


@pytest.mark.parametrize("name", CASES)
def test_it_does_not_pass_and_the_reason_is_named(name: str, answers: dict[str, dict]) -> None:
    _, where, said = CASES[name]
    answer = answers[name]
    assert answer["ok"] is False
    text = answer.get(where, "") if where else [answer.get(key) for key in ("error", "rejected", "differences", "unchecked")]
    assert text and said in json.dumps(text, ensure_ascii=False), {k: v for k, v in answer.items() if k in ("error", "rejected", "differences", "unchecked")}


def test_what_is_right_passes(logic: list[str], tmp_path: Path) -> None:
    base, files = Export(logic), []
    for number, make in enumerate(GOOD.values()):
        e = copy.deepcopy(base)
        make(e)
        files.append(e.write(tmp_path / f"{number}.ndjson"))
    for name, answer in zip(GOOD, driven(files), strict=True):
        assert answer["ok"], (name, {k: v for k, v in answer.items() if k in ("error", "rejected", "differences", "unchecked")})
