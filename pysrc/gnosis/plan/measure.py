"""From measured effects of groups of tensors to what each tensor costs in each type."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..files.screen import Show
from ..models.roles import layer
from .choose import Option, Options, Plan
from .effects import Effect, Outputs
from .state import State
from .tensors import Coder, Tensor

SPANS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 1 << 20)  # layers whose tensors of one role are measured together
PROBED = 4.6  # bits a weight of the type that is measured, at most: what it does is well above rounding, and small


@dataclass(frozen=True)
class Group:
    """name; tensors that are coded together when they are measured."""

    name: str
    tensors: tuple[Tensor, ...]


def grouped(tensors: Sequence[Tensor], most: int) -> list[Group]:
    """Tensors of one role in neighbouring layers, in as many groups as `most` allows; one for each role at the least."""
    found: dict[tuple[str, int], list[Tensor]] = {}
    for span in SPANS:
        found = {}
        for tensor in tensors:
            number = layer(tensor.name)
            found.setdefault((tensor.role, -1 if number is None else number // span), []).append(tensor)
        if len(found) <= most:
            break
    return [Group(_named(role, list(of)), tuple(of)) for (role, _), of in found.items()]


def _named(role: str, tensors: list[Tensor]) -> str:
    numbers = [number for tensor in tensors if (number := layer(tensor.name)) is not None]
    if not numbers:
        return role
    return f"{role} {min(numbers)}" + (f"–{max(numbers)}" if len(numbers) > 1 else "")


def probe(tensor: Tensor, errors: dict[str, float], below: float) -> str:
    """The type that a tensor is measured in: of those within so many bits a weight the one that loses least, else its smallest."""
    weights = tensor.rows * tensor.columns
    fitting = [code for code in tensor.types[:-1] if 8 * tensor.size(code) <= below * weights]
    return min(fitting, key=lambda code: errors[code]) if fitting else min(tensor.types[:-1], key=tensor.size)


@dataclass
class Measured:
    """A group in the types of its probe: kl, nats a position in the mean; error: Σ of its tensors' errors; seconds that it took."""

    group: Group
    codes: Plan
    kl: float
    flips: float
    error: float
    size: int
    seconds: float


class Measures:
    """Effects on the outputs, remembered in the state.  few: passages that groups are measured on; plans are measured on all."""

    def __init__(self, outputs: Outputs, coder: Coder, tensors: Sequence[Tensor], state: State, few: int) -> None:
        self.outputs, self.coder, self.state, self.few = outputs, coder, state, few
        self.tensors = {tensor.name: tensor for tensor in tensors}

    def of(self, plan: Plan, name: str, few: bool) -> tuple[Effect, float]:
        """The effect of some tensors' types and the seconds that it took, now or before."""
        known = self.state.get(name)
        if known is None:
            start = time.monotonic()
            weights = {tensor: self.coder.weight(self.tensors[tensor], code) for tensor, code in plan.items() if code != self.tensors[tensor].encoding}
            found = self.outputs.effect(weights, self.few if few else None)
            known = {"kl": found.kl.tolist(), "flips": found.flips.tolist(), "seconds": time.monotonic() - start}
            self.state.put(name, known)
        return Effect(np.array(known["kl"]), np.array(known["flips"], dtype=np.int64)), known["seconds"]

    def group(self, group: Group, plan: Plan, errors: dict[str, dict[str, float]]) -> Measured:
        effect, seconds = self.of(plan, f"effect {group.name}: {' '.join(sorted(set(plan.values())))}", True)
        positions = int(self.outputs.positions[: self.few].sum())
        return Measured(
            group,
            plan,
            float(effect.kl.sum()) / positions,
            int(effect.flips.sum()) / positions,
            sum(errors[name][code] for name, code in plan.items()),
            sum(self.tensors[name].nbytes - self.tensors[name].size(code) for name, code in plan.items()),
            seconds,
        )


def groups_measured(measures: Measures, groups: Sequence[Group], errors: dict[str, dict[str, float]], below: float, show: Show) -> Iterator[Measured]:
    for i, group in enumerate(groups):
        show(f"effect on the outputs: {group.name}", i, len(groups))
        yield measures.group(group, {tensor.name: probe(tensor, errors[tensor.name], below) for tensor in group.tensors}, errors)


def costs(coder: Coder, measured: Sequence[Measured], errors: dict[str, dict[str, float]]) -> Options:
    """What each tensor costs in each type, nats a position: its group's measured effect, in proportion to errors.

    The divergence is quadratic in what a matrix's outputs lose, and so are the errors, so that from one type to another, and among the tensors of a group, the one
    goes with the other.  Of several measurements of a group that in the nearest error is taken.
    """
    by_group: dict[str, list[Measured]] = {}
    for one in measured:
        by_group.setdefault(one.group.name, []).append(one)
    found: dict[str, list[Option]] = {}
    for every in by_group.values():
        for tensor in every[0].group.tensors:
            own = errors[tensor.name]
            found[tensor.name] = []
            for option in coder.options(tensor, own):
                nearest = min(every, key=lambda m: abs(np.log((option.cost + 1e-300) / (own[m.codes[tensor.name]] + 1e-300))))
                found[tensor.name].append(option._replace(cost=option.cost * nearest.kl / nearest.error if nearest.error else 0.0))
    return found


def shown(one: Measured) -> dict[str, Any]:
    """What a measurement cost, and what the step that it measured costs and buys."""
    return {
        "group": one.group.name,
        "tensors": [tensor.name for tensor in one.group.tensors],
        "codes": sorted(set(one.codes.values())),
        "kl": one.kl,
        "flips": one.flips,
        "bytes_saved": one.size,
        "seconds": one.seconds,
    }
