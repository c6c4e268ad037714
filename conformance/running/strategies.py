"""The generators of the lanes as hypothesis strategies, for the unit tests.  Needs hypothesis (extra: test)."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st

from .. import floats as paths
from .. import targets
from . import generators as gen


def numbers(dtype: str = "float64") -> st.SearchStrategy[float]:
    """Finite numbers that the type holds: any of them, small whole ones, and those of `generators.edges`."""
    widths: dict[str, Literal[16, 32, 64]] = {"float64": 64, "float32": 32, "float16": 16}
    signed = [x for edge in gen.edges(dtype) for x in (edge, -edge)]
    return st.one_of(st.sampled_from(signed), st.integers(-64, 64).map(float), st.floats(width=widths[dtype], allow_nan=False, allow_infinity=False))


def sizes(dtype: str = "float64") -> st.SearchStrategy[float]:
    """Finite numbers ≥ 0 that the type holds; the negative zero among them."""
    return st.one_of(numbers(dtype).map(abs), st.just(-0.0))


def vectors(dtype: str = "float64", least: int = 0, most: int = 8) -> st.SearchStrategy[list[float]]:
    """Lists of such numbers, in one list of three with many equal entries."""
    some = st.lists(numbers(dtype), min_size=least, max_size=most)
    ties = st.lists(numbers(dtype), min_size=1, max_size=2).flatmap(lambda few: st.lists(st.sampled_from(few), min_size=least, max_size=most))
    return st.one_of(some, some, ties)


def case(decision: str) -> st.SearchStrategy[tuple[Any, ...]]:
    """Arguments of a decision as the oracle lane makes them."""
    generate = next(t.generate for ts in targets.load().values() for t in ts if t.decision == decision)
    return st.randoms(use_true_random=False).map(generate)


def path(name: str) -> st.SearchStrategy[tuple[Any, ...]]:
    """Arguments of a check of the floats lane."""
    generate = next(check.generate for check in paths.load() if check.name == name)
    return st.randoms(use_true_random=False).map(generate)
