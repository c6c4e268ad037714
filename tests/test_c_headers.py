"""Every function of every header, called from C at the edges of what it may be given, under sanitizers; and planted faults that this must find."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "cython_core"
PROGRAM = ROOT / "tests" / "c_headers.c"
# as the kernels are built, but for the level of optimisation; pointers that are formed and not followed are no fault here
FLAGS = [
    "-O1",
    "-g",
    "-std=gnu11",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-Wno-psabi",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=null,pointer-overflow",
    f"-I{KERNELS}",
]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

PLANTED = [
    ("cumloss.c", "if (!inside(sum))", "if (0)"),
    ("cumloss.c", "if (!inside(gone))", "if (0)"),
    ("cumloss.c", "sB = sB != 0;", ""),
    ("cumloss.c", "#define EASY (LIMIT / (2 * BLOCK))", "#define EASY (LIMIT / (2 * BLOCK) * 8)"),
    ("cumloss.c", "gone + loss < LIMIT", "1"),
    ("cumloss.c", "(offer < LIMIT / 2) && ", ""),
    ("cumloss.c", "if (gone >= LIMIT)", "if (gone > LIMIT)"),
    ("energy.c", "negative ? 0 : zero ? at_zero", "zero ? at_zero"),
    ("energy.c", "plain &= (e > 0.0)", "plain &= 1"),
    ("conformal_body.h", "if ((t & flip) > INFINITE)", "if (0)"),
    ("conformal_body.h", "if (m < 1 || m > n)", "if (m < 1)"),
    ("conformal_body.h", "if (*from < 0 || had < 0 || had > room)", "if (*from < 0)"),
    ("conformal_body.h", "ISA(order_one)(t, flip), dst", "t, dst"),
    ("margin_body.h", "if (n < 1)", "if (0)"),
    ("head.c", "if (!(fabsf(a[k]) <= FLT_MAX))", "if (fabsf(a[k]) > FLT_MAX)"),
    ("head.c", "blocks < 1 || blocks != plan->blocks || from < 0", "blocks < 1 || from < 0"),
    ("head.c", "if (index[i] < 0)", "if (0)"),
    ("head.c", "if (most == 0)", "if (0)"),
    ("transformer.c", "heads % groups || ", ""),
    ("transformer.c", "total < tokens || ", ""),
    ("transformer.c", "columns < 0 || columns % weights", "0"),
    ("engine.c", "p->start > p->capacity - p->tokens || ", ""),
    ("engine.c", "rows != shapes[slot][0] || ", ""),
    ("engine.c", "p->want > p->tokens", "0"),
    ("engine_pack.c", "bytes > (size_t)(r->end - r->at)", "0"),
    ("engine_pack.c", "finite &= half_finite(b);", ""),
    ("engine.c", "if (to > whole)", "if (to > whole + 1)"),
    ("engine_head.c", "tokens > TOKENS || ", ""),
    ("engine_head.c", "columns <= MOST_COLUMNS", "1"),
    ("engine_head.c", "r < h->m.rows; r++, n++", "1; r++, n++"),
    ("stream.c", "bytes - i < 8 ? (size_t)(bytes - i) : 8", "8"),
]


def built(source: Path, to: Path, include: Path | None = None) -> Path:
    # the bodies of the engine have so many variables that -g takes minutes
    flags = [flag for flag in FLAGS if flag != "-g" or source.stem != "engine_kernels"]
    done = subprocess.run(["gcc", *([f"-I{include}"] if include else []), *flags, "-c", str(source), "-o", str(to)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return to


def ran(objects: list[Path], to: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["gcc", *FLAGS, *map(str, objects), "-lm", "-o", str(to)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return subprocess.run([str(to)], capture_output=True, text=True, errors="replace", timeout=120)


@pytest.fixture(scope="module")
def objects(tmp_path_factory) -> dict[str, Path]:
    """The kernels and the program, compiled once."""
    folder = tmp_path_factory.mktemp("objects")
    return {path.stem: built(path, folder / f"{path.stem}.o") for path in [PROGRAM, *sorted(KERNELS.glob("*.c"))]}


def test_every_function_of_every_header_is_called() -> None:
    text = "".join(part.read_text(encoding="utf-8") for part in (PROGRAM, PROGRAM.with_name("c_engine.h"))).replace("##bits", "64").replace("##name", "double")
    for header in KERNELS.glob("*.h"):
        declared = re.findall(r"^[a-z]\w*\s.*?\b(gnosis_\w+)\([^;{]*\);", header.read_text(encoding="utf-8"), re.M | re.S)
        assert declared or header.stem.endswith(("_body", "_types", "_avx512")), header
        for name in declared:
            same = re.sub(r"_32$", "_64", re.sub(r"_(float|int64)$", "_double", name))
            assert same in text, name


def test_the_edges(objects, tmp_path: Path) -> None:
    run = ran(list(objects.values()), tmp_path / "edges")
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stderr[-3000:]


@pytest.mark.parametrize("file, was, now", PLANTED)
def test_a_planted_fault_is_found(objects, tmp_path: Path, file: str, was: str, now: str) -> None:
    text = (KERNELS / file).read_text(encoding="utf-8")
    assert text.count(was) >= 1
    copy = tmp_path / "kernels"
    shutil.copytree(KERNELS, copy, ignore=lambda _, names: [n for n in names if not n.endswith((".c", ".h"))])
    (copy / file).write_text(text.replace(was, now), encoding="utf-8")
    stem = file.removesuffix("_body.h").removesuffix(".c")
    changed = {**objects, stem: built(copy / f"{stem}.c", tmp_path / "changed.o", copy)}
    run = ran(list(changed.values()), tmp_path / "edges")
    assert run.returncode != 0 and ("not so" in run.stderr or "Sanitizer" in run.stderr or "runtime error" in run.stderr), run.stderr
