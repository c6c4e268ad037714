"""Errors that name the argument and the value.

Bad input is never turned into an admission or a default: it raises one of these.
All of them but FloatEnvironmentError are ValueErrors and carry `argument`, `value`
and, where one entry of an array is at fault, its `index`.
"""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

_SHOWN = 80  # characters of a value in a message
_PATH = 1024  # of the name of a file, whose end matters most


def _show(value: Any) -> str:
    """Short repr, whole for the name of a file; a number too long for Python's own decimal conversion becomes its bit length."""
    if isinstance(value, os.PathLike):
        name = repr(os.fspath(value))
        return name if len(name) <= _PATH else f"{name[: _PATH // 2]}…{name[-_PATH // 2 :]}"
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > 256:
        return f"a {'negative ' if value < 0 else ''}fraction of {value.numerator.bit_length()} over {value.denominator.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:  # a number that long inside of something else
        return f"a {type(value).__name__} with a number too long to show"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


class ArgumentError(ValueError):
    """An argument that no decision can be made about.

    argument: its name; value: what was given (one entry of it when index is not
    None); index: position of that entry, an int or a tuple of ints.
    """

    _verb = "="

    def __init__(self, argument: str, value: Any, problem: str, index: int | tuple[int, ...] | None = None) -> None:
        self.argument = argument
        self.value = value
        self.problem = problem
        self.index = index
        where = argument if index is None else f"{argument}[{', '.join(map(str, index)) if isinstance(index, tuple) else index}]"
        super().__init__(f"{where} {self._verb} {_show(value)}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:  # so that the error crosses process borders whole
        return type(self)._restore, (self.argument, self.value, self.problem, self.index)

    @classmethod
    def _restore(cls, argument: str, value: Any, problem: str, index: Any) -> ArgumentError:
        error = cls.__new__(cls)
        ArgumentError.__init__(error, argument, value, problem, index)
        return error


class NonFiniteError(ArgumentError):
    """NaN or an infinity where a number is needed."""

    def __init__(self, argument: str, value: Any, index: int | tuple[int, ...] | None = None, problem: str = "not a finite number") -> None:
        super().__init__(argument, value, problem, index)


class NegativeError(ArgumentError):
    """A negative number where the quantity cannot be negative."""

    def __init__(self, argument: str, value: Any, index: int | tuple[int, ...] | None = None) -> None:
        super().__init__(argument, value, "must not be negative", index)


class RangeError(ArgumentError):
    """A number or a choice outside the range in which the operation is defined."""


class LengthError(ArgumentError):
    """A shape, a length or a number of dimensions that does not fit; `value` is the one that was found."""

    _verb = "has shape"


class EmptyError(LengthError):
    """An empty input where at least one entry is needed."""

    def __init__(self, argument: str, value: Any = 0, problem: str = "must not be empty") -> None:
        super().__init__(argument, value, problem)


class DtypeError(ArgumentError):
    """Entries of a type that cannot be converted exactly, or not the one a kernel takes."""


class FloatEnvironmentError(RuntimeError):
    """This thread's floating-point arithmetic is not the one that the error bounds are stated for."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        super().__init__(f"the floating-point environment of this thread {fault}; certified kernels refuse to run in it")


class KernelsNotCompiled(ImportError):
    """A part of gnosis that exists only as a compiled kernel, in an installation without a compiler."""
