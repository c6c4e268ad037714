"""What the tests of second opinion have in common."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path

from spines import Spine, Where, word

from gnosis.audits.environment import Environment
from gnosis.spine import build as b

# with nothing but Logic below it, so that a replay is quick
SOURCE = """prelude
import Gnosis.Core.Logic
def k (n : Nat) : Nat := Nat.add n (.succ .zero)
def l (n : Nat) : Nat := n
theorem good : Eq (k .zero) (.succ .zero) := rfl
theorem plain : Eq Nat.zero Nat.zero := rfl
theorem twin : Eq Nat.zero Nat.zero := sorryAx _ Bool.false
theorem lie : Eq Nat.zero (.succ .zero) := sorryAx _ Bool.false
inductive V : Type where
  | a (n : Nat)
  | b (n : Nat)
inductive W : Nat → Prop where
  | w : W .zero
inductive T (α : Type) : Type where
  | leaf : T α
  | node (l r : T α) (x : α) : T α
inductive R : Type where
  | z : R
  | mk (f : Nat → R) : R
inductive F : Type where
  | mk (xs : T F) : F
def poly.{u} (α : Sort u) (a : α) : α := a
theorem uses.{u} (α : Sort u) (a : α) : Eq (poly α a) a := rfl
opaque hidden : Eq Nat.zero Nat.zero := rfl
axiom assumed : Eq Nat.zero (.succ .zero)
theorem trusting : Eq Nat.zero (.succ .zero) := assumed
unsafe def danger (n : Nat) : Nat := danger n
def withLet (n : Nat) : Nat := let m := Nat.succ n; Nat.add m m
"""

MODULE = "Gnosis.Bad"


@cache
def _where(path: Path) -> Where:
    return Where(path, MODULE)


class Image:
    """A compiled file that is being tampered with.  Offsets are in the file, pointers are as the file has them."""

    def __init__(self, path: Path) -> None:
        self.m, self.d = _where(path), bytearray(path.read_bytes())
        self.base = self.m.parts[0].base

    def word(self, offset: int) -> int:
        return word(self.d, offset)

    def put(self, offset: int, value: int) -> None:
        struct.pack_into("<Q", self.d, offset, value)

    def copy(self, to: int, of: int) -> None:
        assert self.word(to) != self.word(of)
        self.put(to, self.word(of))

    def at(self, pointer: int) -> int:
        return pointer - self.base

    def fields(self, pointer: int) -> int:
        """How many pointer fields the object has."""
        return self.word(self.at(pointer)) >> 48 & 255

    def field(self, name: str, index: int) -> int:
        """Offset of a pointer field of the value object of a constant."""
        return self.at(self.m.at[name]) + 8 * (index + 1)

    def head(self, name: str, index: int) -> int:
        """Offset of the name (0), the universe parameters (1) or the type (2) of a constant."""
        return self.at(self.word(self.field(name, 0))) + 8 * (index + 1)

    def scalar(self, name: str, index: int) -> int:
        """Offset of a byte after the pointer fields."""
        return self.field(name, self.fields(self.m.at[name])) + index

    def flip(self, name: str, index: int) -> None:
        self.d[self.scalar(name, index)] ^= 1

    def more(self, name: str, index: int, by: int = 1) -> None:
        """Change a small number."""
        offset = self.field(name, index)
        assert self.word(offset) & 1
        self.put(offset, self.word(offset) + 2 * by)

    def rule(self, name: str, number: int, index: int) -> int:
        """Offset of the constructor (0), the number of fields (1) or the right-hand side (2) of a rule of a recursor."""
        return self.at(self.m.list(self.word(self.field(name, 6)))[number]) + 8 * (index + 1)

    def pointer(self, name: str) -> int:
        """The object of a name."""
        return self.word(self.head(name, 0))

    def term(self, tag: int, after: Callable[[int], bool] = lambda _: True) -> int:
        """A term of the file with this tag."""
        return next(p for p in self.m.terms if self.word(self.at(p)) >> 56 == tag and after(p))

    def kind(self, name: str, number: int) -> None:
        """Make another kind of constant of it."""
        self.d[self.at(self.m.info[name]) + 7] = number

    def cached(self, pointer: int) -> int:
        """Offset of the word that Lean caches with a name, level or term."""
        return self.at(pointer) + 8 * (self.fields(pointer) + 1)

    def moved(self, by: int) -> None:
        """The same image at another base address."""
        old = self.base
        for offset in range(88, len(self.d), 8):
            value = self.word(offset)
            if old + 88 <= value < old + len(self.d) and not value & 7:
                self.put(offset, value + by)
        self.put(80, old + by)


def planted_environment(bad: Spine, folder: Path, edit: Callable[[Image], object]) -> Environment:
    """What the reader finds after an edit that is no fault for the kernel."""
    image = Image(b.olean_path(bad.out, MODULE))
    edit(image)
    folder.joinpath("Gnosis/Core").mkdir(parents=True)
    os.link(b.olean_path(bad.out, "Gnosis.Core.Logic"), folder / "Gnosis/Core/Logic.olean")
    b.olean_path(folder, MODULE).write_bytes(image.d)
    return Environment(folder, [MODULE])
