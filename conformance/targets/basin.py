"""The basin gates: cases in which the displacements add up to exactly the radius, along the path or at its end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ...gates import basin as g
from ..running import generators as gen
from . import Target


def _radius(rng: Random, reached: int) -> int:
    """A radius that is just reached, just not reached, or by one."""
    return reached + rng.choice((-1, 0, 0, 1, 1, 1, 2)) if rng.random() < 0.9 else gen.integer(rng, gen.width(rng))


def displacements(rng: Random) -> list[int]:
    return gen.vector(rng, gen.length(rng), gen.width(rng))


def one(rng: Random) -> tuple[Any, ...]:
    return (displacements(rng),)


def scalar(rng: Random) -> tuple[Any, ...]:
    δ = displacements(rng)
    return δ, _radius(rng, g.sum_abs(δ) if rng.random() < 0.9 else sum(δ))


def vector(rng: Random) -> tuple[Any, ...]:
    d = gen.naturals(rng, gen.length(rng), gen.width(rng))
    return d, _radius(rng, sum(d))


def control(rng: Random) -> tuple[Any, ...]:
    d = gen.naturals(rng, gen.length(rng), gen.width(rng))
    spent = gen.sign_flip(rng, gen.natural(rng, gen.width(rng)))
    return _radius(rng, spent + sum(d[: rng.randint(0, len(d))])), spent, d


def _lists(rng: Random) -> tuple[list[int], list[int], list[int]]:
    """Lipschitz factors p/q and bounds d; half of the factors are whole, so that the radius can be reached exactly."""
    n = min(gen.length(rng), 16)
    bits = gen.width(rng) if n < 5 else rng.choice((1, 2, 3, 8, 16))
    qs = [1] * n if rng.random() < 0.5 else [1 + gen.natural(rng, bits) for _ in range(n)]
    ps = [rng.choice((0, q, q, 2 * q, q - 1, q + 1, gen.natural(rng, bits))) for q in qs]
    ds = gen.naturals(rng, n, gen.width(rng)) if rng.random() < 0.9 else [0] * n
    spoil = rng.random()
    if n and spoil < 0.10:
        which, bad = rng.choice(((ps, -1), (qs, 0), (qs, -1), (ds, -1)))
        which[rng.randrange(n)] = bad
    elif spoil < 0.18:
        which = rng.choice((ps, qs, ds))
        which[:] = (which + [1] * 3)[: gen.other_length(rng, n) if rng.random() < 0.5 else n + 1]
    return ps, qs, ds


def _bounds(N: int, D: int, ps: Sequence[int], qs: Sequence[int], ds: Sequence[int]) -> list[int]:
    """The bound N/D after every step, rounded down."""
    out = [N // D if D else 0]
    for p, q, d in zip(ps, qs, ds):
        N, D = p * N + d * q * D, q * D
        out.append(N // D if D else 0)
    return out


def _start(rng: Random) -> tuple[int, int]:
    N, D = (0, 1) if rng.random() < 0.4 else (gen.natural(rng, gen.width(rng)), rng.choice((1, 1, 2, 3, 1 << gen.width(rng))))
    return gen.sign_flip(rng, N), D if rng.random() < 0.95 else rng.choice((0, -1, -D))


def flow_from(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    N, D = _start(rng)
    reached = _bounds(N, D, ps, qs, ds)
    return _radius(rng, rng.choice((reached[-1], reached[-1], max(reached)))), N, D, ps, qs, ds


def flow(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    reached = _bounds(0, 1, ps, qs, ds)
    return ps, qs, ds, _radius(rng, rng.choice((reached[-1], reached[-1], max(reached))))


def path_from(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    N, D = _start(rng)
    reached = _bounds(N, D, ps, qs, ds)
    return _radius(rng, rng.choice((max(reached), max(reached), reached[-1]))), N, D, ps, qs, ds


def path(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    reached = _bounds(0, 1, ps, qs, ds)
    return ps, qs, ds, _radius(rng, rng.choice((max(reached), max(reached), reached[-1])))


def survives(rng: Random) -> tuple[Any, ...]:
    ps, qs, _ = _lists(rng)
    N, D = _start(rng)
    return _radius(rng, max(_bounds(N, D, ps, qs, [0] * len(ps)))), N, D, ps, qs


def flow_control_from(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    N, D = _start(rng)
    return _radius(rng, rng.choice(_bounds(N, D, ps, qs, ds))), N, D, ps, qs, ds


def flow_control(rng: Random) -> tuple[Any, ...]:
    ps, qs, ds = _lists(rng)
    return ps, qs, ds, _radius(rng, rng.choice(_bounds(0, 1, ps, qs, ds)))


def _rounding(rng: Random, n: int) -> list[int]:
    """Rounding bounds: none at all, small ones, or any."""
    rs = [0] * n if rng.random() < 0.2 else [rng.choice((0, 1, 1, 2)) for _ in range(n)] if rng.random() < 0.5 else gen.naturals(rng, n, gen.width(rng))
    return rs if rng.random() < 0.95 else (rs + [1])[: gen.other_length(rng, n + 1)]


def _rounded_bounds(N: int, D: int, ps: Sequence[int], qs: Sequence[int], rs: Sequence[int], ds: Sequence[int]) -> list[int]:
    """The bound N/D after every step with rounding, rounded down."""
    out = [N // D if D else 0]
    for p, q, r, d in zip(ps, qs, rs, ds):
        N, D = g.rounded_step(N, D, p, q, r, d), q * D
        out.append(N // D if D else 0)
    return out


def _rounded(rng: Random) -> tuple[list[int], list[int], list[int], list[int]]:
    ps, qs, ds = _lists(rng)
    for i in range(len(ds)):  # steps in front of the first displacement, which round nothing
        if rng.random() < 0.6:
            break
        ds[i] = 0
    return ps, qs, _rounding(rng, len(ps)), ds


def rounded_step(rng: Random) -> tuple[Any, ...]:
    N, D = _start(rng)
    return rng.choice((0, N, N)), D, *(gen.sign_flip(rng, gen.natural(rng, gen.width(rng))) for _ in range(4))


def rounded_from(rng: Random) -> tuple[Any, ...]:
    ps, qs, rs, ds = _rounded(rng)
    N, D = _start(rng)
    reached = _rounded_bounds(N, D, ps, qs, rs, ds)
    return _radius(rng, rng.choice((max(reached), max(reached), reached[-1]))), N, D, ps, qs, rs, ds


def rounded(rng: Random) -> tuple[Any, ...]:
    ps, qs, rs, ds = _rounded(rng)
    reached = _rounded_bounds(0, 1, ps, qs, rs, ds)
    return ps, qs, rs, ds, _radius(rng, rng.choice((max(reached), max(reached), reached[-1])))


def rounded_survives(rng: Random) -> tuple[Any, ...]:
    ps, qs, rs, _ = _rounded(rng)
    N, D = _start(rng)
    return _radius(rng, max(_rounded_bounds(N, D, ps, qs, rs, [0] * len(ps)))), N, D, ps, qs, rs


def rounded_control_from(rng: Random) -> tuple[Any, ...]:
    ps, qs, rs, ds = _rounded(rng)
    N, D = _start(rng)
    return _radius(rng, rng.choice(_rounded_bounds(N, D, ps, qs, rs, ds))), N, D, ps, qs, rs, ds


def rounded_control(rng: Random) -> tuple[Any, ...]:
    """Half of the time the radius is what one masked step and the rounding of the rest just reach."""
    ps, qs, rs, ds = _rounded(rng)
    alone = [d if i == 0 else 0 for i, d in enumerate(ds)]
    reached = _rounded_bounds(0, 1, ps, qs, rs, alone if rng.random() < 0.5 else ds)
    return ps, qs, rs, ds, _radius(rng, rng.choice((max(reached), rng.choice(reached))))


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("sum", sum, one),
    Target("sumAbs", g.sum_abs, one),
    Target("basinAdmit", g.basin_admit, scalar),
    Target("basinVectorAdmit", g.basin_vector_admit, vector),
    Target("basinControl", g.basin_control, control),
    Target("flowAdmitFrom", g.flow_admit_from, flow_from),
    Target("basinFlowAdmit", g.basin_flow_admit, flow),
    Target("flowPathAdmitFrom", g.flow_path_admit_from, path_from),
    Target("basinFlowPathAdmit", g.basin_flow_path_admit, path),
    Target("flowSurvives", g.flow_survives, survives),
    Target("flowControl", g.flow_control, flow_control_from),
    Target("basinFlowControl", g.basin_flow_control, flow_control),
    Target("roundedStep", g.rounded_step, rounded_step),
    Target("roundedPathAdmitFrom", g.rounded_path_admit_from, rounded_from),
    Target("basinFlowRoundedAdmit", g.basin_flow_rounded_admit, rounded),
    Target("roundedSurvives", g.rounded_survives, rounded_survives),
    Target("roundedControl", g.rounded_control, rounded_control_from),
    Target("basinFlowRoundedControl", g.basin_flow_rounded_control, rounded_control),
)
