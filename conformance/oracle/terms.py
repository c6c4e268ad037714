"""Values as Lean terms in the form that is read and evaluated fastest: constructors and bare literals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .decisions import BOOL, BOOL_LISTS, BOOLS, DECISIONS, INT, INT_LISTS, INTS, MAYBE_INT, NAT, NATS, PAIRS, TRIPLES


def nat(x: int) -> str:
    """A natural number; long ones in hexadecimal, which Lean reads faster."""
    return f"(nat_lit {x if x < 10**6 else hex(x)})"


def integer(x: int) -> str:
    """An integer, by its constructor."""
    return f"(Int.ofNat {nat(x)})" if x >= 0 else f"(Int.negSucc {nat(-x - 1)})"


def boolean(x: bool) -> str:
    """A truth value."""
    return "Bool.true" if x else "Bool.false"


def listed(type_: str, write: Callable[[Any], str]) -> Callable[[Sequence[Any]], str]:
    """How a list with entries of this type is written."""

    def run(xs: Sequence[Any]) -> str:
        text = f"(@List.nil {type_})"
        for x in reversed(xs):
            text = f"(@List.cons {type_} {write(x)} {text})"
        return text

    return run


def maybe(x: int | None) -> str:
    """An integer, or none."""
    return "(@Option.none Int)" if x is None else f"(@Option.some Int {integer(x)})"


_PAIR, _TRIPLE = "(Prod Nat Nat)", "(Prod Nat (Prod Nat Nat))"


def pair(x: Sequence[int]) -> str:
    """Two natural numbers."""
    return f"(@Prod.mk Nat Nat {nat(x[0])} {nat(x[1])})"


def triple(x: Sequence[int]) -> str:
    """Three natural numbers: the first one with the pair of the others."""
    return f"(@Prod.mk Nat (Prod Nat Nat) {nat(x[0])} {pair(x[1:])})"


# type of an argument or result -> how Lean writes the type, and the value
TERMS: dict[str, tuple[str, Callable[[Any], str]]] = {
    BOOL: ("Bool", boolean),
    INT: ("Int", integer),
    NAT: ("Nat", nat),
    MAYBE_INT: ("(Option Int)", maybe),
    INTS: ("(List Int)", listed("Int", integer)),
    NATS: ("(List Nat)", listed("Nat", nat)),
    BOOLS: ("(List Bool)", listed("Bool", boolean)),
    INT_LISTS: ("(List (List Int))", listed("(List Int)", listed("Int", integer))),
    BOOL_LISTS: ("(List (List Bool))", listed("(List Bool)", listed("Bool", boolean))),
    PAIRS: (f"(List {_PAIR})", listed(_PAIR, pair)),
    TRIPLES: (f"(List {_TRIPLE})", listed(_TRIPLE, triple)),
}
WRITE: dict[str, Callable[[Any], str]] = {kind: write for kind, (_, write) in TERMS.items()}


def application(decision: str, args: Sequence[Any]) -> str:
    """The decision applied to arguments of its own types."""
    return f"Gnosis.{decision} " + " ".join(WRITE[kind](value) for (_, kind), value in zip(DECISIONS[decision], args))


def result(value: Any, kind: str) -> tuple[str, str]:
    """Type and term of a result."""
    type_, write = TERMS[kind]
    return type_, write(value)


def packed_vector(v: Sequence[int], w: int) -> int:
    """The number that stands for a vector with entries in [−2^w, 2^w): digits of w + 1 bits, first entry lowest, each plus 2^w.

    Raises ValueError when an entry is out of range.
    """
    p = 0
    for x in reversed(v):
        if not -(1 << w) <= x < 1 << w:
            raise ValueError(f"{x} does not fit {w + 1} bits")
        p = p << (w + 1) | (x + (1 << w))
    return p


def packed(v: Sequence[int], w: int) -> str:
    """The arguments of a packed form for one vector: width, number of entries, number."""
    return f"{nat(w)} {nat(len(v))} {nat(packed_vector(v, w))}"
