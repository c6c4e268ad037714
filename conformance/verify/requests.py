"""What Lean is asked about a certificate: its decision on whole numbers, found here a second time.

A gate brings its numbers to whole ones in its own way.  Here it is done in one plain way for all: everything is multiplied by a
common denominator c, what has the unit of a product or a square by c².  A common unit changes no decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...certificates.records import Certificate
from ...gates import betting, conformal, margin, served
from ...gates.cumloss import ChargeGate
from ...numbers.outward import LARGEST

Inputs = dict[str, Any]
MOST_POWER = 1 << 22  # bits of a power that is asked for


@dataclass(frozen=True)
class Request:
    """A Lean decision, its arguments, and the answer that the certificate needs."""

    decision: str
    args: tuple[Any, ...]
    expected: Any


@dataclass(frozen=True)
class Asked:
    """What Lean is asked about a certificate, and the part that is not its to decide (None: nothing)."""

    requests: tuple[Request, ...]
    left: str | None = None


def _scale(*values: Any) -> int:
    """The least common denominator of numbers and vectors of numbers."""
    c = 1
    for value in values:
        c = math.lcm(c, *(x.denominator for x in value)) if isinstance(value, (list, tuple)) else math.lcm(c, value.denominator)
    return c


def _times(value: Any, factor: int) -> Any:
    return [int(x * factor) for x in value] if isinstance(value, (list, tuple)) else int(value * factor)


def asked(certificate: Certificate, gate: Any, inputs: Inputs) -> Asked:
    """The requests of a certificate whose exact replay holds."""
    return _ASKED[certificate.kind.name](gate, inputs, certificate)


def _lean(certificate: Certificate) -> str:
    """The Lean decision of a certificate; only those that have one come here."""
    assert certificate.decision is not None
    return certificate.decision


def _one(args: tuple[Any, ...], certificate: Certificate, left: str | None = None) -> Asked:
    return Asked((Request(_lean(certificate), args, certificate.admit),), left)


def _energy(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["residual"], i["activation"], gate.gamma)
    return _one((_times(i["residual"], d), _times(i["activation"], d), _times(gate.gamma, d * d)), c)


def _sidecar(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["E"], i["A"], gate.gamma) ** 2
    return _one((_times(i["E"], d), _times(i["A"], d), _times(gate.gamma, d)), c)


def _blocked(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["e"], i["alpha"], gate.gamma)
    return _one((_times(i["e"], d), _times(i["alpha"], d), _times(gate.gamma, d * d)), c)


def _split(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["E"], i["activation"], gate.gamma)
    return _one((_times(i["E"], d * d), _times(i["activation"], d), i["exact"], _times(gate.gamma, d * d)), c)


def _margin(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["scores"], gate.bound)
    z = _times(i["scores"], d)
    return _one((z, margin.argmax(z) if i["winner"] is None else i["winner"], _times(gate.bound, d)), c)


def _row(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["scores"], gate.bounds)
    z = _times(i["scores"], d)
    return _one((z, _times(gate.bounds, d), margin.argmax(z) if i["winner"] is None else i["winner"]), c)


def _largest(z: list[int], k: int) -> list[bool]:
    """Mask of the k largest, the first ones on ties."""
    order = sorted(range(len(z)), key=lambda j: -z[j])[:k]
    return [j in set(order) for j in range(len(z))]


def _topk(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["scores"], gate.bound)
    z = _times(i["scores"], d)
    return _one((z, _largest(z, gate.k) if i["selected"] is None else i["selected"], _times(gate.bound, d)), c)


def _two_stage(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(*i["scores"], gate.bound)
    groups = [_times(g, d) for g in i["scores"]]
    chosen = _largest([margin.top_two(g) for g in groups], gate.groups)
    rest = iter(_largest([x for g, s in zip(groups, chosen) if s for x in g], gate.experts))
    experts = [[next(rest) if s else False for _ in g] for g, s in zip(groups, chosen)]
    return _one((groups, chosen, experts, _times(gate.bound, d)), c)


def _lead(z: list[int]) -> tuple[int, int]:
    """The winner and its lead over the others."""
    w = margin.argmax(z)
    return w, z[w] - max(x for j, x in enumerate(z) if j != w)


def _jit(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["coarse"], i["energies"], i["activation_energy"]) ** 2
    z = _times(i["coarse"], d)
    w, lead = _lead(z)
    return _one((z, w, _times(i["energies"], d), _times(i["activation_energy"], d), lead), c)


def _tukey(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["r"], gate.gamma)
    return _one((_times(i["r"], d), _times(gate.gamma, d)), c)


def _conformal(rest: Callable[[Any, Inputs, list[Fraction]], tuple[int, tuple[Any, ...]]]) -> Callable[[Any, Inputs, Certificate], Asked]:
    """A decision on scores: on all of them where the certificate lists them; else on the threshold alone, with the rank apart."""

    def run(gate: Any, i: Inputs, c: Certificate) -> Asked:
        used = gate if isinstance(gate, conformal.ConformalGate) else getattr(gate, "errors", None) or gate.energies
        num, den = used.level.numerator, used.level.denominator
        if i["scores"] is not None:
            d, args = rest(gate, i, i["scores"])
            return _one((_times(i["scores"], d), num, den, *args), c)
        rank = Request("conformalRank", (used.count, num, den), used.rank)
        if used.threshold is None:  # no score has this rank, and nothing is admitted
            return Asked((rank,))
        d, args = rest(gate, i, [used.threshold])
        # the one score of rank ⌈2·1/2⌉
        return Asked((rank, Request(_lean(c), (_times([used.threshold], d), 1, 2, *args), c.admit)), "that the threshold is the score of that rank")

    return run


def _gamma(gate: Any, i: Inputs, scores: list[Fraction]) -> tuple[int, tuple[Any, ...]]:
    d = _scale(scores, i["gamma"])
    return d, (_times(i["gamma"], d),)


def _conformal_margin(gate: Any, i: Inputs, scores: list[Fraction]) -> tuple[int, tuple[Any, ...]]:
    d = _scale(scores, i["coarse"], gate.gamma)
    z = _times(i["coarse"], d)
    return d, (_times(gate.gamma, d), z, margin.argmax(z))


def _conformal_jit(gate: Any, i: Inputs, scores: list[Fraction]) -> tuple[int, tuple[Any, ...]]:
    d = _scale(scores, i["coarse"], i["activation_energy"]) ** 2
    z = _times(i["coarse"], d)
    w, lead = _lead(z)
    A = _times(i["activation_energy"], d)
    return d, (z, w, A) if gate.lowest else (z, w, A, lead)


def _layers(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(*i["scores"], gate.margins)
    γ = _times(list(gate.margins), d)
    P = math.prod(γ)
    return _one(([_times(u, d) for u in i["scores"]], [P // x for x in γ], γ, P, gate.level.numerator, gate.level.denominator), c)


def _basin(gate: Any, i: Inputs, c: Certificate) -> Asked:
    (steps,) = i.values()
    d = _scale(steps, gate.radius)
    return _one((_times(steps, d), _times(gate.radius, d)), c)


def _flow(gate: Any, i: Inputs, c: Certificate) -> Asked:
    rounding = i["rounding"] if isinstance(i["rounding"], list) else [i["rounding"]] * len(i["bounds"])
    d = _scale(i["bounds"], rounding, gate.radius)
    rounded = (_times(rounding, d),) if gate.path else ()
    return _one(([x.numerator for x in i["factors"]], [x.denominator for x in i["factors"]], *rounded, _times(i["bounds"], d), _times(gate.radius, d)), c)


def _controller(gate: Any, i: Inputs, c: Certificate) -> Asked:
    d = _scale(i["bound"], i["spent"], gate.radius)
    return Asked((Request(_lean(c), (_times(gate.radius, d), _times(i["spent"], d), [_times(i["bound"], d)]), [c.admit]),))


def _charge(gate: ChargeGate, i: Inputs, c: Certificate) -> Asked:
    """The sum, that the charge pays and the next smaller one does not, and that the reserve pays."""
    bet, δ, charge = gate.bet, gate.delta, gate.charge(i["units"])
    requests = [Request(_lean(c), (i["account"], charge, i["budget"]), c.admit), Request("pays", (bet.N, bet.p, bet.q, i["units"], charge), True)]
    if charge:
        requests.append(Request("pays", (bet.N, bet.p, bet.q, i["units"], charge - 1), False))
    if gate.reserve * bet.p.bit_length() > MOST_POWER:
        return Asked(tuple(requests), "that the reserve pays for the risk: its power is too large to be asked for")
    return Asked((*requests, Request("reservePays", (bet.p, bet.q, δ.numerator, δ.denominator, gate.reserve), True)))


def _union(gate: Any, i: Inputs, c: Certificate) -> Asked:
    return _one((gate.delta.numerator, gate.delta.denominator, i["price"].numerator, i["price"].denominator, i["t"]), c)


def _served(ratio: Callable[[Inputs], Fraction]) -> Callable[[Any, Inputs, Certificate], Asked]:
    def run(gate: Any, i: Inputs, c: Certificate) -> Asked:
        r, τ = ratio(i), gate.service
        return _one((r.numerator, r.denominator, τ.numerator, τ.denominator), c)

    return run


def _spread(spread: Callable[[Inputs], Fraction]) -> Callable[[Any, Inputs, Certificate], Asked]:
    def run(gate: Any, i: Inputs, c: Certificate) -> Asked:
        s, τ = spread(i), gate.service
        if s > 2 * LARGEST:
            return Asked((), f"anything: the spread is above {2 * LARGEST}, where no ratio is computed and nothing is admitted")
        r = served._ratio_of_spread(s)
        return _one(
            (r.numerator, r.denominator, τ.numerator, τ.denominator),
            c,
            "that the ratio bound is at least e^(spread/2): it is rounded outward in exact arithmetic",
        )

    return run


def _hellinger(gate: Any, i: Inputs, c: Certificate) -> Asked:
    sides = [_times(x, _scale(x)) for x in (i["before"], i["after"])]
    sides = [[w // math.gcd(*side) for w in side] for side in sides]
    # a finer scale for both sides; roots rounded down
    x, y = ([w << max(0, 80 - sum(side).bit_length()) for w in side] for side in sides)
    S, S2 = sum(x), sum(y)
    τ = gate.service
    return _one(([[a, b] for a, b in zip(x, y)], [math.isqrt(a * S2 * (b * S)) for a, b in zip(x, y)], τ.numerator, τ.denominator), c)


def _betting(gate: betting.BettingGate, i: Inputs, c: Certificate) -> Asked:
    x = i["observations"]
    stakes = i["stakes"] if isinstance(i["stakes"], list) else [i["stakes"]] * len(x)
    N, b = _scale(x, gate.mean), _scale(stakes)
    steps = [[_times(s, b), _times(o, N)] for s, o in zip(stakes, x)]
    return _one((N, _times(gate.mean, N), b, gate.delta.numerator, gate.delta.denominator, steps), c)


_ASKED: dict[str, Callable[[Any, Inputs, Certificate], Asked]] = {
    "EnergyGate": _energy,
    "SidecarGate": _sidecar,
    "BlockedGate": _blocked,
    "SplitGate": _split,
    "MarginGate": _margin,
    "RowGate": _row,
    "TopKGate": _topk,
    "TwoStageGate": _two_stage,
    "JitGate": _jit,
    "TukeyGate": _tukey,
    "ConformalGate": _conformal(_gamma),
    "ConformalMarginGate": _conformal(_conformal_margin),
    "ConformalJitGate": _conformal(_conformal_jit),
    "MaxLayersGate": _layers,
    "BasinGate": _basin,
    "BasinVectorGate": _basin,
    "BasinFlowGate": _flow,
    "BasinController.step": _controller,
    "ChargeGate": _charge,
    "UnionGate": _union,
    "ServedGate": _served(lambda i: i["ratio"]),
    "ServedGate.decide_layers": _served(lambda i: math.prod(i["ratios"], start=Fraction(1))),
    "SpreadGate": _spread(lambda i: i["spread"]),
    "SpreadGate.decide_layers": _spread(lambda i: sum(i["spreads"], Fraction(0))),
    "SpreadGate.decide_logits": _spread(lambda i: served.spread_of(i["before"], i["after"])),
    "HellingerGate": _hellinger,
    "BettingGate": _betting,
    "RiskGate": lambda gate, i, c: Asked((), "anything: the sum of risks is compared with the budget in exact arithmetic, and no Lean decision is asked"),
}
