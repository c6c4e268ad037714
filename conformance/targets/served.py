"""The served output: weights at the ends of their ratio bounds, roots that are just low enough, budgets that are just enough, masses of zero."""

from __future__ import annotations

import functools
from math import gcd, isqrt
from random import Random
from typing import Any

from ...gates import served as g
from ..running import generators as gen
from . import Target

Pairs = list[tuple[int, int]]


def _weights(rng: Random) -> Pairs:
    """Weights before and after: any, the same up to a factor, or none at all on one side."""
    n, bits = min(gen.length(rng), 16), gen.width(rng)
    left = [gen.natural(rng, bits) if rng.random() < 0.8 else 0 for _ in range(n)]
    kind = rng.random()
    if kind < 0.2:
        c = rng.choice((1, 1, 2, 1000))
        right = [c * x for x in left]
    elif kind < 0.25:
        right = [0] * n
    else:
        right = [max(0, gen.near(rng, x)) if rng.random() < 0.3 else gen.natural(rng, bits) for x in left]
    ps = list(zip(left, right))
    return [(y, x) for x, y in ps] if rng.random() < 0.5 else ps


def weights(rng: Random) -> tuple[Any, ...]:
    return (_weights(rng),)


def excess(rng: Random) -> tuple[Any, ...]:
    ps = _weights(rng)
    S, S2 = g.left_mass(ps), g.right_mass(ps)
    return rng.choice((S, S, 0, 1)), rng.choice((S2, S2, gen.natural(rng, 8))), ps


def grid(rng: Random) -> tuple[Any, ...]:
    """A grid on which the total variation is a whole number of units, or next to one."""
    ps = _weights(rng)
    mass, tv = g.left_mass(ps) * g.right_mass(ps), g.tv_num(ps)
    unit = mass // gcd(mass, tv) if tv and mass else gen.natural(rng, 8)
    return max(0, unit * rng.choice((0, 1, 1, 2)) + rng.choice((0, 0, 1, -1))), ps


def _ratio(rng: Random) -> tuple[int, int]:
    """P ≥ Q ≥ 1, sometimes not."""
    Q = 1 + gen.natural(rng, rng.choice((1, 2, 4, 8, 31)))
    P = Q + rng.choice((0, 1, 1, 2, Q, gen.natural(rng, 8)))
    kind = rng.random()
    return (P, Q) if kind < 0.92 else (P, 0) if kind < 0.95 else (Q - 1, Q)


def _spoil_one(rng: Random, ps: Pairs, chance: float) -> Pairs:
    """One weight one unit off, or a zero weight that comes or goes."""
    if ps and rng.random() < chance:
        i = rng.randrange(len(ps))
        w, v = ps[i]
        ps[i] = rng.choice(((w, v + 1), (w, max(0, v - 1)), (w + 1, v), (w, 0), (0, v), (0, 0)))
    return ps


def ratio(rng: Random) -> tuple[Any, ...]:
    """Weights that change by exactly P/Q or Q/P and the common factor a/b, or less."""
    P, Q = _ratio(rng)
    a, b = (rng.choice((1, 1, 2, 3, 1 + gen.natural(rng, 8))) for _ in range(2))
    ps = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 8))):
        k = rng.choice((0, 1, 1, 2, gen.natural(rng, 31)))
        ps.append((b * P * Q * k, a * k * rng.choice((P * P, Q * Q, P * Q, (P * P + Q * Q) // 2))))
    ps = _spoil_one(rng, ps, 0.35)
    return P, Q, a if rng.random() < 0.96 else 0, b if rng.random() < 0.96 else 0, ps


def spread(rng: Random) -> tuple[Any, ...]:
    """Ratios at both ends of an interval c/e … f/g that is exactly as wide as allowed, or a little wider."""
    P, Q = _ratio(rng)
    c, e, s = (rng.choice((1, 1, 2, 3, 1 + gen.natural(rng, 6))) for _ in range(3))
    f, h = P * P * c * s, Q * Q * e * s
    ps = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))):
        k = rng.choice((0, 1, 1, 2, gen.natural(rng, 16)))
        ps.append((e * h * k, k * rng.choice((c * h, f * e, (c * h + f * e) // 2))))
    f = max(0, f + rng.choice((0, 0, 0, 0, 0, 1, -1)))
    return P, Q, c if rng.random() < 0.96 else 0, e, f, h if rng.random() < 0.96 else 0, _spoil_one(rng, ps, 0.3)


def service(rng: Random) -> tuple[Any, ...]:
    """P/Q at (d + n)/(d − n), or next to it."""
    d = 1 + gen.natural(rng, gen.width(rng))
    n = gen.natural(rng, gen.width(rng)) if rng.random() < 0.2 else rng.randint(0, d)
    c = rng.choice((1, 1, 2, 1000))
    P, Q = c * (d + n), c * max(0, d - n)
    return max(0, P + rng.choice((0, 0, 0, 1, -1))), max(0, Q + rng.choice((0, 0, 0, 1, -1))), n, d if rng.random() < 0.95 else 0


def one(rng: Random) -> tuple[Any, ...]:
    return ([gen.natural(rng, gen.width(rng)) for _ in range(gen.length(rng))],)


def _roots(rng: Random, S: int, S2: int, ps: Pairs, chance: float) -> list[int]:
    """The largest whole roots that are allowed; sometimes one that is not, or too many or too few."""
    s = [isqrt(w * S2 * v * S) for w, v in ps]
    if s and rng.random() < chance:
        i = rng.randrange(len(s))
        s[i] = max(0, s[i] + rng.choice((1, 1, -1)))
    return (s + [0] * 3)[: gen.other_length(rng, len(s))]


def roots(rng: Random) -> tuple[Any, ...]:
    S, S2, ps = excess(rng)
    return S, S2, ps, _roots(rng, S, S2, ps, 0.6)


def hellinger(rng: Random) -> tuple[Any, ...]:
    """A level n/d that the roots just show, or just do not."""
    ps = _weights(rng)
    S, S2 = g.left_mass(ps), g.right_mass(ps)
    s = _roots(rng, S, S2, ps, 0.2)
    d = rng.choice((1, 2, 100, 1 + gen.natural(rng, 40)))
    square = (S * S2) ** 2
    short = max(0, square - sum(s) ** 2) * d * d
    n = isqrt(short // square) if square else 0
    return ps, s, max(0, n + rng.choice((-1, 0, 0, 1, 1))), d if rng.random() < 0.95 else 0


def head(rng: Random) -> tuple[Any, ...]:
    ps = _weights(rng)
    return max(0, gen.near(rng, g.left_mass(ps))), gen.natural(rng, gen.width(rng)), ps


def gauge(rng: Random) -> tuple[Any, ...]:
    """Tilts whose mean is exactly one, or just not."""
    ps = _weights(rng)
    if rng.random() < 0.4:
        a = gen.natural(rng, gen.width(rng))
        ps = [(n, a) for n, _ in ps]
    mass = g.left_mass(ps)
    return max(0, (g.weighted_budget(ps) // mass if mass else gen.natural(rng, 8)) + rng.choice((-1, 0, 0, 1, 1))), ps


def step_budget(rng: Random) -> tuple[Any, ...]:
    """As many units as are just enough, or one less; some of the normalisers make the bound a whole number."""
    k, y = 1 + gen.natural(rng, 8), 1 + gen.natural(rng, rng.choice((2, 4, 8)))
    x = rng.randint(0, y)
    zn = k * y * y
    zd = zn - k * x * x if rng.random() < 0.6 else rng.randint(0, zn + 1)
    G = rng.choice((1, y, 10 * y, gen.natural(rng, gen.width(rng))))
    need = G * G * max(0, zn - zd)
    u = isqrt(need // zn) + 1
    return G, zn, zd, max(0, u + rng.choice((-1, 0, 0, 0, 1)))


@functools.wraps(g.tilt_pairs)
def tilt_pairs(ps: Pairs) -> list[list[int]]:
    """Pairs as the oracle writes them."""
    return [list(p) for p in g.tilt_pairs(ps)]


# repeats: the table of a gate, a row for each decision
TARGETS = (
    Target("leftMass", g.left_mass, weights),
    Target("rightMass", g.right_mass, weights),
    Target("excess", g.excess, excess),
    Target("tvNum", g.tv_num, weights),
    Target("gridLoss", g.grid_loss, grid),
    Target("ratioAdmit", g.ratio_admit, ratio),
    Target("spreadAdmit", g.spread_admit, spread),
    Target("servedAdmit", g.served_admit, service),
    Target("total", g.total, one),
    Target("rootsOk", g.roots_ok, roots),
    Target("hellingerAdmit", g.hellinger_admit, hellinger),
    Target("weightedBudget", g.weighted_budget, weights),
    Target("topkBudget", g.topk_budget, head),
    Target("tiltPairs", tilt_pairs, weights),
    Target("gaugeOk", g.gauge_ok, gauge),
    Target("stepBudgetAdmit", g.step_budget_admit, step_budget),
)
