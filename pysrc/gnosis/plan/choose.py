"""Which code for which tensor: an exact knapsack, and the Lagrange multiplier that is the anchor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..errors import RangeError

Plan = dict[str, str]  # tensor → code


class Option(NamedTuple):
    """code: name of the type.  size: bytes of the tensor in it.  cost: what the outputs lose, in the unit of the figure that is held small."""

    code: str
    size: int
    cost: float


Options = Mapping[str, Sequence[Option]]


def least(options: Options) -> int:
    return sum(min(option.size for option in found) for found in options.values())


def size(options: Options, plan: Plan) -> int:
    return sum(_of(options, name, code).size for name, code in plan.items())


def cost(options: Options, plan: Plan) -> float:
    return sum(_of(options, name, code).cost for name, code in plan.items())


def _of(options: Options, name: str, code: str) -> Option:
    return next(option for option in options[name] if option.code == code)


def useful(found: Sequence[Option]) -> list[Option]:
    """Options that no other one of their size or a smaller one is as good as, the smallest first."""
    kept: list[Option] = []
    for option in sorted(found, key=lambda o: (o.size, o.cost, o.code)):
        if not kept or option.cost < kept[-1].cost:
            kept.append(option)
    return kept


def hull(found: Sequence[Option]) -> list[Option]:
    """Of `useful` the lower convex hull: what some price of a byte chooses."""
    kept: list[Option] = []
    for option in useful(found):
        while len(kept) > 1 and (kept[-1].cost - kept[-2].cost) * (option.size - kept[-2].size) >= (option.cost - kept[-2].cost) * (
            kept[-1].size - kept[-2].size
        ):
            kept.pop()
        kept.append(option)
    return kept


def _affordable(options: Options, budget: int) -> None:
    if least(options) > budget:
        raise RangeError("target", budget, f"bytes, and the smallest types take {least(options)}")


def lagrange(options: Options, budget: int) -> Plan:
    """The plan of one price for a byte, the lowest at which the plan fits, and then what still fits, the best for its bytes first.

    That is how llama.cpp's open proposal for a target of bits per weight chooses (pull request 15550), with its importance-weighted errors as costs.
    RangeError for a budget that nothing fits into.
    """
    _affordable(options, budget)
    hulls = {name: hull(found) for name, found in options.items()}
    steps = sorted(((a.cost - b.cost) / (b.size - a.size), name, i) for name, found in hulls.items() for i, (a, b) in enumerate(zip(found, found[1:]), 1))
    at = dict.fromkeys(hulls, 0)
    used = sum(found[0].size for found in hulls.values())
    for _, name, i in reversed(steps):  # on a hull gains for a byte fall, so that a tensor's steps come in order
        more = hulls[name][i].size - hulls[name][at[name]].size
        if at[name] == i - 1 and used + more <= budget:
            at[name], used = i, used + more
    return {name: found[at[name]].code for name, found in hulls.items()}


def knapsack(options: Options, budget: int) -> Plan:
    """The plan of the least sum of costs within so many bytes, up to one part in a million where 30 s are enough for that; never worse than that of `lagrange`.

    RangeError as `lagrange`.

    Promises: tested `tests/test_plan.py::test_the_knapsack_is_exact_and_no_worse_than_one_price`.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    _affordable(options, budget)
    kept = {name: useful(found) for name, found in options.items()}
    every = [(i, option) for i, found in enumerate(kept.values()) for option in found]
    costs, sizes = np.array([o.cost for _, o in every]), np.array([float(o.size) for _, o in every])
    belongs = np.zeros((len(kept), len(every)))
    belongs[[i for i, _ in every], np.arange(len(every))] = 1
    unit = max(float(np.abs(costs).max()), 1e-300)
    found = milp(
        costs / unit,
        integrality=np.ones(len(every)),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(belongs, 1, 1), LinearConstraint(sizes[None] / budget, 0, 1)],
        options={"mip_rel_gap": 1e-6, "time_limit": 30},
    )
    anchor = lagrange(options, budget)
    if found.x is None:
        return anchor
    plan = {name: max(zip(found.x[belongs[i] == 1], kept[name]), key=lambda pair: pair[0])[1].code for i, name in enumerate(kept)}
    # the solver counts in floats: what it returns is taken where it fits, and is no worse than the anchor's choice
    return plan if size(options, plan) <= budget and cost(options, plan) <= cost(options, anchor) else anchor
