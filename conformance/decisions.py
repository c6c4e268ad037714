"""The decisions of the Lean spine and the types of their arguments."""
from __future__ import annotations

from typing import Any

INT, NAT, INTS, BOOLS, INT_LISTS, BOOL_LISTS = "integer", "natural number", "integers", "booleans", "lists of integers", "lists of booleans"

# name in namespace Gnosis -> (argument name, type) in order; the driver's own table is checked against this one
DECISIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "dot": (("τ", INTS), ("a", INTS)),
    "energy": (("v", INTS),),
    "energyAdmit": (("τ", INTS), ("a", INTS), ("γ", INT)),
    "energySidecarAdmit": (("E", INT), ("A", INT), ("γ", INT)),
    "energySidecarAdmitStrict": (("E", INT), ("A", INT), ("γ", INT)),
    "energyBlockedAdmit": (("e", INTS), ("α", INTS), ("γ", INT)),
    "energyOutside": (("a", INTS), ("S", BOOLS)),
    "energySplitAdmit": (("E", INT), ("a", INTS), ("S", BOOLS), ("γ", INT)),
    "argmax": (("z", INTS),),
    "marginAdmit": (("z", INTS), ("w", NAT), ("τ", INT)),
    "marginAdmitStrict": (("z", INTS), ("w", NAT), ("τ", INT)),
    "marginAdmitLowest": (("z", INTS), ("w", NAT), ("τ", INT)),
    "rowAdmit": (("z", INTS), ("ε", INTS), ("w", NAT)),
    "candidates": (("z", INTS), ("ε", INTS)),
    "topkAdmit": (("z", INTS), ("S", BOOLS), ("ε", INT)),
    "topTwo": (("z", INTS),),
    "twoStageAdmit": (("groups", INT_LISTS), ("gsel", BOOLS), ("esel", BOOL_LISTS), ("ε", INT)),
    "jitAdmit": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT), ("γ", INT)),
    "jitAdmitStrict": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT), ("γ", INT)),
    "jitRowAdmit": (("z", INTS), ("w", NAT), ("ε", INTS), ("E", INTS), ("A", INT)),
    "servedArgmax": (("coarse", INTS), ("exact", INTS), ("ε", INTS)),
    "tukeyAdmit": (("r", INT), ("γ", INT)),
    "tukeyWeight": (("r", INT), ("γ", INT)),
}

# the decisions whose result is a natural number
NATURAL = frozenset({"argmax", "servedArgmax"})

_DIGITS = 4300  # Python itself refuses to write or read longer decimals
_LIMIT = 10**_DIGITS


class BadRequest(ValueError):
    """Arguments that a decision is not defined for; the message names the argument and the value.

    id: the id of the request, where there is one.
    """

    id: Any = None


def _short(value: Any) -> str:
    """The value in at most 60 characters."""
    text = f"an integer of {value.bit_length()} bits" if isinstance(value, int) and value.bit_length() > 200 else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _integer(value: Any, where: str) -> None:
    if type(value) is not int:
        raise BadRequest(f"{where} = {_short(value)}: not an integer")
    if not -_LIMIT < value < _LIMIT:
        raise BadRequest(f"{where} = {_short(value)}: more than {_DIGITS} digits")


def _natural(value: Any, where: str) -> None:
    _integer(value, where)
    if value < 0:
        raise BadRequest(f"{where} = {_short(value)}: must not be negative")


def _boolean(value: Any, where: str) -> None:
    if type(value) is not bool:
        raise BadRequest(f"{where} = {_short(value)}: not true or false")


def _each(check: Any) -> Any:
    def run(value: Any, where: str) -> None:
        if type(value) not in (list, tuple):
            raise BadRequest(f"{where} = {_short(value)}: not a list")
        for i, x in enumerate(value):
            check(x, f"{where}[{i}]")
    return run


_CHECKS = {INT: _integer, NAT: _natural, INTS: _each(_integer), BOOLS: _each(_boolean),
           INT_LISTS: _each(_each(_integer)), BOOL_LISTS: _each(_each(_boolean))}


def check(decision: Any, args: Any) -> None:
    """Raise BadRequest unless `decision` is a name of DECISIONS and `args` has the number and types of its arguments.

    Types are exact: `True` is no integer, a float never is one, a numpy integer is none either.
    """
    if type(decision) is not str or decision not in DECISIONS:
        raise BadRequest(f"decision = {_short(decision)}: unknown")
    if type(args) not in (list, tuple):
        raise BadRequest(f"args = {_short(args)}: not a list")
    signature = DECISIONS[decision]
    if len(args) != len(signature):
        raise BadRequest(f"args: {decision} takes {len(signature)} ({', '.join(name for name, _ in signature)}), not {len(args)}")
    for value, (name, kind) in zip(args, signature):
        _CHECKS[kind](value, name)
