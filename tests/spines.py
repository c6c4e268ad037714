"""Copies of the foundation for tests that plant faults, and a reader that knows where in a file they can be planted."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from gnosis.audits import audit
from gnosis.audits.lean import foreign
from gnosis.audits.olean import Interner, Module, show
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import Toolchain


@dataclass
class Spine:
    """A copy of the foundation with more modules beside it."""

    base: Path
    out: Path
    lean: Toolchain

    def write(self, name: str, text: str) -> None:
        path = self.base.joinpath(*name.split(".")).with_suffix(".lean")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def compile(self, name: str) -> None:
        """Compile as somebody would who does not care about warnings."""
        target, source = b.olean_path(self.out, name), self.base.joinpath(*name.split(".")).with_suffix(".lean")
        target.parent.mkdir(parents=True, exist_ok=True)
        run = subprocess.run(
            [*self.lean.command, "-D", "interpreter.prefer_native=false", "-R", str(self.base), "-o", str(target), str(source)],
            env=foreign(LEAN_PATH=str(self.out)),
            capture_output=True,
            text=True,
            cwd=self.base,
        )
        assert run.returncode == 0, run.stdout + run.stderr

    def run(self, **kwargs) -> audit.Report:
        return audit.run(self.base, self.out, self.lean, **kwargs)

    def replay(self, *arguments: str) -> tuple[int, dict]:
        run = subprocess.run([sys.executable, "-m", "gnosis.audits.replay", str(self.out), *arguments], capture_output=True, text=True, cwd=root())
        assert run.stdout, run.stderr
        return run.returncode, json.loads(run.stdout)


def copy(where: Path, lean: Toolchain, modules: list[str]) -> Spine:
    here = root()
    spine = Spine(where, build_dir(where), lean)
    where.mkdir(exist_ok=True)
    for file in ("lakefile.lean", "lean-toolchain"):
        shutil.copy(here / file, where)
    for name in modules:
        source = Path(*name.split(".")).with_suffix(".lean")
        (where / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(here / source, where / source)
        old, new = b.olean_path(build_dir(here), name), b.olean_path(spine.out, name)
        new.parent.mkdir(parents=True, exist_ok=True)
        for suffix in (".olean", ".trace"):
            os.link(old.with_suffix(suffix), new.with_suffix(suffix))
    return spine


class Where(Module):
    """The reader, remembering where each constant is."""

    def __init__(self, path: Path, name: str = "Gnosis.Compiled") -> None:
        self.at: dict[str, int] = {}  # the value object of each constant
        self.info: dict[str, int] = {}  # the object that tells its kind
        super().__init__(name, [path], Interner())

    def constant(self, pointer: int):  # noqa: ANN201
        c = super().constant(pointer)
        self.info[show(c.name)] = pointer
        self.at[show(c.name)] = self.object(pointer, range(8), 1)[1][0]
        return c

    def field(self, name: str, index: int) -> int:
        """Offset in the file of a pointer field of the value object of a constant."""
        return self.at[name] - self.parts[0].base + 8 * (index + 1)

    def type_field(self, name: str) -> int:
        head = self.object(self.at[name], (0,), None)[1][0]
        return head - self.parts[0].base + 8 * 3


def word(data: bytes, offset: int) -> int:
    return struct.unpack_from("<Q", data, offset)[0]
