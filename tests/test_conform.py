"""The conformance run finds what is wrong: each planted fault in a Python reference is caught, shrunk and kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

import conform_faults
import pytest
from conform_support import BY_NAME, lane

from gnosis.conformance import targets
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle.decisions import DECISIONS, check
from gnosis.conformance.oracle.interpreter import Oracle
from gnosis.gates import basin, betting, conformal, cumloss, energy, jit, lattice, margin, served, tukey, union


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as one:
        yield one


def test_every_decision_has_a_target() -> None:
    assert set(BY_NAME) == set(DECISIONS)


@pytest.mark.parametrize("decision", DECISIONS)
def test_the_references_agree_with_lean(oracle: Oracle, decision: str) -> None:
    report = lane(oracle, decision, BY_NAME[decision][1].reference)
    assert report.ok and sum(r.checked for r in report.rows) == 4 * lanes.BATCH


def _float_gate(E: int, A: int, γ: int) -> bool:
    return 0 <= E and 0 <= A and 0 <= γ and 4.0 * float(E) * float(A) <= float(γ) * float(γ)


def _wrapping(x: int) -> int:
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


def _last_argmax(z: list[int]) -> int:
    return max(range(len(z)), key=lambda i: (z[i], i), default=0)


def _leads(z: list[int], w: int, need: int) -> bool:
    return all(z[w] - x >= need for j, x in enumerate(z) if j != w)


def _flow_without_factors(ps: list[int], qs: list[int], ds: list[int], R: int) -> bool:
    return len(ps) == len(qs) == len(ds) and all(p >= 0 and q > 0 and d >= 0 for p, q, d in zip(ps, qs, ds)) and sum(ds) < R


def _flow_factor_too_soon(R: int, N: int, D: int, ps: list[int], qs: list[int], ds: list[int]) -> bool:
    """Each bound multiplied by the factor of its own step too."""
    if not len(ps) == len(qs) == len(ds) or not all(p >= 0 and q > 0 and d >= 0 for p, q, d in zip(ps, qs, ds)):
        return False
    for p, q, d in zip(ps, qs, ds):
        N, D = p * (N + d * D), q * D
    return N < R * D


def _flow_control_blind(ps: list[int], qs: list[int], ds: list[int], R: int) -> list[bool]:
    """Looks one step ahead, not along the path."""
    N, D, masks = 0, 1, []
    for p, q, d in zip(ps, qs, ds):
        after = p * N + d * q * D, q * D
        masks.append(d >= 0 and after[0] < R * after[1])
        N, D = after if masks[-1] else (p * N, q * D)
    return masks


def _flow_control_forgetful(R: int, N: int, D: int, ps: list[int], qs: list[int], ds: list[int]) -> list[bool]:
    """A step that is recomputed leaves the bound as it is."""
    masks = []
    for t, (p, q, d) in enumerate(zip(ps, qs, ds)):
        after = p * N + d * q * D, q * D
        masks.append(d >= 0 and basin.flow_survives(R, *after, ps[t + 1 :], qs[t + 1 :]))
        N, D = after if masks[-1] else (N, D)
    return masks


def _control_charges_all(R: int, spent: int, ds: list[int]) -> list[bool]:
    masks = []
    for d in ds:
        masks.append(0 <= d and spent + d < R)
        spent += max(0, d)
    return masks


def _dn_last_worst(m: int, xs: list[int]) -> list[int]:
    """Of several coordinates with the largest error the last one goes the other way."""
    zs = lattice.cubic_decode(m, xs)
    if sum(zs) % 2:
        errors = [abs(lattice.round_error(m, x)) for x in xs]
        i = len(xs) - 1 - errors[::-1].index(max(errors))
        zs[i] = lattice.second_nearest(m, xs[i])
    return zs


def _dn_plus(h: int, xs: list[int], half_wins: bool = False, shift: int = -1) -> list[int]:
    a = [2 * z for z in lattice.dn_decode(2 * h, xs)]
    b = [2 * z + 1 for z in lattice.dn_decode(2 * h, [x + shift * h for x in xs])]
    d, e = lattice.sq_dist(h, xs, a), lattice.sq_dist(h, xs, b)
    return a if d < e or (d == e and not half_wins) else b


def _wrapping_charge(N: int, p: int, q: int, u: int, a: int) -> bool:
    return cumloss.bet_ok(N, p, q) and _wrapping(cumloss.step_factor(N, p, q, u) * q**a) <= _wrapping(N * q**N * p**a)


def _float_threshold(scores: list[int], num: int, den: int) -> int | None:
    return conformal.kth_smallest(-int(-((len(scores) + 1) * (num / den)) // 1) if den else 0, scores)


MUTANTS: list[tuple[str, str, Callable[..., Any]]] = [
    ("energyAdmit", "strict for weak", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 4 * energy.energy(τ) * energy.energy(a) < γ * γ),
    ("energyAdmit", "off by one", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and energy.energy(τ) * energy.energy(a) <= γ * γ // 4 + 1),
    ("energyAdmit", "lengths not compared", lambda τ, a, γ: 0 <= γ and 4 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "sign of the margin not looked at", lambda τ, a, γ: len(τ) == len(a) and 4 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "a factor left out", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 2 * energy.energy(τ) * energy.energy(a) <= γ * γ),
    ("energyAdmit", "the true product instead of the bound", lambda τ, a, γ: len(τ) == len(a) and 0 <= γ and 2 * abs(energy.dot(τ, a)) <= γ),
    ("energySidecarAdmit", "floats", _float_gate),
    ("energySidecarAdmit", "64-bit overflow", lambda E, A, γ: 0 <= E and 0 <= A and 0 <= γ and _wrapping(4 * E * A) <= _wrapping(γ * γ)),
    ("energySidecarAdmit", "sign of the first energy not looked at", lambda E, A, γ: 0 <= A and 0 <= γ and 4 * E * A <= γ * γ),
    ("energySidecarAdmit", "sign of the second energy not looked at", lambda E, A, γ: 0 <= E and 0 <= γ and 4 * E * A <= γ * γ),
    ("energySidecarAdmitStrict", "weak for strict", energy.energy_sidecar_admit),
    ("energyBlockedAdmit", "strict for weak", lambda e, α, γ: len(e) == len(α) and all(x >= 0 for x in e + α) and 0 <= γ and 2 * energy.dot(e, α) < γ),
    ("energyBlockedAdmit", "negative roots", lambda e, α, γ: len(e) == len(α) and 0 <= γ and 2 * energy.dot(e, α) <= γ),
    (
        "energyBlockedAdmit",
        "one bound for all blocks",
        lambda e, α, γ: len(e) == len(α) and all(x >= 0 for x in e + α) and 0 <= γ and 4 * energy.energy(e) * energy.energy(α) <= γ * γ,
    ),
    ("energyOutside", "inside", lambda a, S: sum(x * x for i, x in enumerate(a) if i < len(S) and S[i])),
    ("energyOutside", "shorter masks cut", lambda a, S: sum(x * x for x, s in zip(a, S) if not s)),
    ("energySplitAdmit", "the mask ignored", lambda E, a, S, γ: len(a) == len(S) and energy.energy_sidecar_admit(E, energy.energy(a), γ)),
    ("energySplitAdmit", "lengths not compared", lambda E, a, S, γ: energy.energy_sidecar_admit(E, energy.energy_outside(a, S), γ)),
    ("argmax", "the last index on ties", _last_argmax),
    ("marginAdmit", "strict for weak", margin.margin_admit_strict),
    ("marginAdmit", "τ for 2τ", lambda z, w, τ: w < len(z) and 0 <= τ and _leads(z, w, τ)),
    ("marginAdmit", "index not checked", lambda z, w, τ: 0 <= τ and margin.leads(margin.entry(z, w), 2 * τ, 2 * τ, w, z)),
    ("marginAdmit", "a negative bound let through", lambda z, w, τ: w < len(z) and _leads(z, w, 2 * τ)),
    ("marginAdmitStrict", "off by one", lambda z, w, τ: w < len(z) and 0 <= τ and _leads(z, w, 2 * τ + 2)),
    ("marginAdmitLowest", "sides swapped", lambda z, w, τ: w < len(z) and 0 <= τ and margin.leads(z[w], 2 * τ, 2 * τ + 1, w, z)),
    (
        "rowAdmit",
        "weak for strict",
        lambda z, ε, w: margin.bounds_fit(z, ε) and w < len(z) and all(ε[w] + ε[j] <= z[w] - z[j] for j in range(len(z)) if j != w),
    ),
    (
        "rowAdmit",
        "the winner's own bound left out",
        lambda z, ε, w: margin.bounds_fit(z, ε) and w < len(z) and all(ε[j] < z[w] - z[j] for j in range(len(z)) if j != w),
    ),
    ("rowAdmit", "negative bounds", lambda z, ε, w: len(z) == len(ε) and w < len(z) and all(ε[w] + ε[j] < z[w] - z[j] for j in range(len(z)) if j != w)),
    (
        "candidates",
        "an entry that just reaches left out",
        lambda z, ε: [j for j in range(len(z)) if z[j] + ε[j] > max(z[i] - ε[i] for i in range(len(z)))] if margin.bounds_fit(z, ε) else list(range(len(z))),
    ),
    (
        "candidates",
        "against the winner, not the best lower bound",
        lambda z, ε: [j for j in range(len(z)) if z[j] + ε[j] >= z[margin.argmax(z)] - ε[margin.argmax(z)]] if margin.bounds_fit(z, ε) else list(range(len(z))),
    ),
    ("candidates", "none when the bounds do not fit", lambda z, ε: margin.candidates(z, ε) if margin.bounds_fit(z, ε) else []),
    (
        "topkAdmit",
        "weak for strict",
        lambda z, S, ε: len(z) == len(S) and 0 <= ε and all(x - y >= 2 * ε for x, s in zip(z, S) if s for y, t in zip(z, S) if not t),
    ),
    ("topkAdmit", "ε for 2ε", lambda z, S, ε: len(z) == len(S) and 0 <= ε and all(x - y > ε for x, s in zip(z, S) if s for y, t in zip(z, S) if not t)),
    ("topTwo", "the largest twice", lambda z: 2 * max(z) if len(z) > 1 else 0),
    ("topTwo", "a group of one counts", lambda z: sum(sorted(z)[-2:])),
    (
        "twoStageAdmit",
        "2ε for the groups",
        lambda groups, gsel, esel, ε: (
            margin.two_stage_shape(groups, gsel, esel)
            and margin.topk_admit([margin.top_two(g) for g in groups], gsel, ε)
            and margin.topk_admit([x for g, s in zip(groups, gsel) if s for x in g], [m for e, s in zip(esel, gsel) if s for m in e], ε)
        ),
    ),
    (
        "twoStageAdmit",
        "only the groups",
        lambda groups, gsel, esel, ε: margin.two_stage_shape(groups, gsel, esel) and margin.topk_admit([margin.top_two(g) for g in groups], gsel, 2 * ε),
    ),
    (
        "twoStageAdmit",
        "shape not checked",
        lambda groups, gsel, esel, ε: (
            margin.topk_admit([margin.top_two(g) for g in groups], gsel, 2 * ε)
            and margin.topk_admit([x for g, s in zip(groups, gsel) if s for x in g], [m for e, s in zip(esel, gsel) if s for m in e], ε)
        ),
    ),
    ("jitAdmit", "strict rows", jit.jit_admit_strict),
    ("jitAdmitStrict", "weak rows", jit.jit_admit),
    ("jitAdmit", "the margin not measured", lambda z, w, E, A, γ: len(z) == len(E) and w < len(z) and all(energy.energy_sidecar_admit(e, A, γ) for e in E)),
    (
        "jitAdmit",
        "only the winner's row",
        lambda z, w, E, A, γ: len(z) == len(E) and w < len(z) and _leads(z, w, γ) and energy.energy_sidecar_admit(E[w], A, γ),
    ),
    ("jitRowAdmit", "bounds believed", lambda z, w, ε, E, A: len(E) == len(ε) and margin.row_admit(z, ε, w)),
    ("servedArgmax", "the coarse argmax", lambda coarse, exact, ε: margin.argmax(coarse)),
    ("servedArgmax", "the last one on ties", lambda coarse, exact, ε: max(margin.candidates(coarse, ε), key=lambda j: (margin.entry(exact, j), j), default=0)),
    (
        "servedArgmax",
        "only rows with wide bounds recomputed",
        lambda coarse, exact, ε: margin.argmax([margin.entry(exact, j) if j < len(ε) and ε[j] > 1 else x for j, x in enumerate(coarse)]),
    ),
    ("tukeyAdmit", "the rim refused", lambda r, γ: 0 <= γ and 2 * abs(r) < γ),
    ("tukeyAdmit", "|r| for 2|r|", lambda r, γ: 0 <= γ and abs(r) <= γ),
    ("tukeyAdmit", "a half rounded", lambda r, γ: 0 <= γ and abs(r) <= (γ + 1) // 2),
    ("tukeyWeight", "does not redescend", lambda r, γ: (γ * γ - 4 * r * r) ** 2),
    ("tukeyWeight", "not squared", lambda r, γ: γ * γ - 4 * r * r if tukey.tukey_admit(r, γ) else 0),
    ("dot", "a dropped entry", lambda τ, a: sum(x * y for x, y in list(zip(τ, a))[:-1])),
    ("energy", "absolute values", lambda v: sum(map(abs, v))),
    ("energySidecarAdmit", "an integer for a truth value", lambda E, A, γ: int(energy.energy_sidecar_admit(E, A, γ))),
    ("energySidecarAdmit", "an exception for a refusal", lambda E, A, γ: 4 * E * A <= γ * γ if min(E, A, γ) >= 0 else 1 // 0),
    ("energySidecarAdmit", "integer root", lambda E, A, γ: 0 <= E and 0 <= A and 0 <= γ and 2 * isqrt(E * A) <= γ),
    ("sum", "one too many", lambda l: sum(l) + (len(l) > 3)),
    ("rankLt", "ties counted", lambda s, x: sum(y <= x for y in s)),
    ("lies", "strict", lambda k, x, rest: k < conformal.rank_lt(rest, x)),
    ("lies", "ties counted", lambda k, x, rest: k <= sum(y <= x for y in rest)),
    ("liesOrder", "the new score last", lambda k, order: bool(order) and conformal.lies(k, order[-1], order[:-1])),
    ("liesOrder", "no scores lie", lambda k, order: conformal.lies(k, order[0], order[1:]) if order else k == 0),
    ("conformalRank", "n for n + 1", lambda n, num, den: (n * num + den - 1) // den if den else 0),
    ("conformalRank", "rounded down", lambda n, num, den: (n + 1) * num // den if den else 0),
    ("conformalRank", "floats", lambda n, num, den: -int(-((n + 1) * (num / den)) // 1) if den else 0),
    ("conformalRank", "no denominator is an error", lambda n, num, den: ((n + 1) * num + den - 1) // den),
    ("insertUp", "at the end", lambda x, l: [*l, x]),
    ("sortUp", "descending", lambda s: sorted(s, reverse=True)),
    ("sortUp", "ties once", lambda s: sorted(set(s))),
    ("entryAt", "from the end", lambda l, i: l[-1 - i] if i < len(l) else None),
    ("entryAt", "the last one past the end", lambda l, i: l[min(i, len(l) - 1)] if l else None),
    ("kthSmallest", "counted from 0", lambda k, s: conformal.entry_at(sorted(s), k)),
    ("kthSmallest", "rank 0 is the largest", lambda k, s: sorted(s)[k - 1] if k <= len(s) and s else None),
    ("kthSmallest", "the largest above n", lambda k, s: sorted(s)[min(k, len(s)) - 1] if k and s else None),
    ("conformalThreshold", "n for n + 1", lambda scores, num, den: conformal.kth_smallest(conformal.conformal_rank(len(scores) - 1, num, den), scores)),
    ("conformalThreshold", "floats", _float_threshold),
    (
        "conformalAdmit",
        "strict for weak",
        lambda scores, num, den, γ: (t := conformal.conformal_threshold(scores, num, den)) is not None and 0 <= γ and 2 * t < γ,
    ),
    ("conformalAdmit", "t for 2t", lambda scores, num, den, γ: (t := conformal.conformal_threshold(scores, num, den)) is not None and 0 <= γ and t <= γ),
    (
        "conformalAdmit",
        "no threshold admits",
        lambda scores, num, den, γ: 0 <= γ and ((t := conformal.conformal_threshold(scores, num, den)) is None or 2 * t <= γ),
    ),
    (
        "conformalAdmit",
        "sign of the margin not looked at",
        lambda scores, num, den, γ: (t := conformal.conformal_threshold(scores, num, den)) is not None and 2 * t <= γ,
    ),
    ("poolAbove", "ties count", lambda pool, S: sum(all(y <= x for y in S) for x in pool)),
    ("poolAbove", "above one", lambda pool, S: sum(any(y < x for y in S) for x in pool)),
    ("conformalMarginAdmit", "the lead not measured", lambda scores, num, den, γ, z, w: conformal.conformal_admit(scores, num, den, γ) and w < len(z)),
    (
        "conformalMarginAdmit",
        "strict lead",
        lambda scores, num, den, γ, z, w: conformal.conformal_admit(scores, num, den, γ) and w < len(z) and _leads(z, w, γ + 1),
    ),
    ("conformalMarginAdmit", "the calibration not looked at", lambda scores, num, den, γ, z, w: w < len(z) and _leads(z, w, γ)),
    (
        "conformalJitAdmit",
        "the largest score for the threshold",
        lambda scores, num, den, z, w, A, γ: conformal.conformal_threshold(scores, num, den) is not None and jit.jit_admit(z, w, [max(scores)] * len(z), A, γ),
    ),
    (
        "conformalJitAdmit",
        "strict rows",
        lambda scores, num, den, z, w, A, γ: (
            (t := conformal.conformal_threshold(scores, num, den)) is not None and jit.jit_admit_strict(z, w, [t] * len(z), A, γ)
        ),
    ),
    ("sumAbs", "signs kept", lambda δ: abs(sum(δ))),
    ("basinAdmit", "the radius itself admitted", lambda δ, R: basin.sum_abs(δ) <= R),
    ("basinAdmit", "signs kept", lambda δ, R: abs(sum(δ)) < R),
    ("basinVectorAdmit", "the radius itself admitted", lambda d, R: all(x >= 0 for x in d) and sum(d) <= R),
    ("basinVectorAdmit", "negative bounds", lambda d, R: sum(d) < R),
    ("basinControl", "the radius itself reached", lambda R, spent, d: basin.basin_control(R + 1, spent, d)),
    ("basinControl", "exact steps charged", _control_charges_all),
    ("basinControl", "the start not counted", lambda R, spent, d: basin.basin_control(R, 0, d)),
    ("flowAdmitFrom", "the radius itself admitted", lambda R, N, D, ps, qs, ds: basin.flow_admit_from(R, N - 1, D, ps, qs, ds)),
    ("flowAdmitFrom", "the factor one step too soon", _flow_factor_too_soon),
    ("basinFlowAdmit", "factors left out", _flow_without_factors),
    ("basinFlowAdmit", "the factor one step too soon", lambda ps, qs, ds, R: _flow_factor_too_soon(R, 0, 1, ps, qs, ds)),
    ("basinFlowAdmit", "lengths not compared", lambda ps, qs, ds, R: basin.basin_flow_admit(*zip(*zip(ps, qs, ds)), R) if ps and qs and ds else 0 < R),
    ("flowPathAdmitFrom", "only the end", basin.flow_admit_from),
    ("basinFlowPathAdmit", "only the end", basin.basin_flow_admit),
    ("flowSurvives", "only the end", lambda R, N, D, ps, qs: basin.flow_admit_from(R, N, D, ps, qs, [0] * len(ps))),
    ("flowControl", "an exact step does not stretch", _flow_control_forgetful),
    ("flowControl", "the start not counted", lambda R, N, D, ps, qs, ds: basin.basin_flow_control(ps, qs, ds, R)),
    ("basinFlowControl", "one step ahead", _flow_control_blind),
    ("sqDist", "not scaled", lambda m, xs, zs: sum((x - z) ** 2 for x, z in zip(xs, zs))),
    ("sqDist", "absolute values", lambda m, xs, zs: sum(abs(x - m * z) for x, z in zip(xs, zs))),
    ("nearestInt", "halves down", lambda m, x: lattice._div(2 * x + m - 1, 2 * m)),
    ("nearestInt", "towards zero", lambda m, x: int((2 * x + m) / (2 * m)) if m else 0),
    ("nearestInt", "division without a remainder of the right sign", lambda m, x: (2 * x + m) // (2 * m) if m else 0),
    ("roundError", "absolute", lambda m, x: abs(lattice.round_error(m, x))),
    ("secondNearest", "always up", lambda m, x: lattice.nearest_int(m, x) + 1),
    ("secondNearest", "no error goes down", lambda m, x: lattice.nearest_int(m, x) + (1 if lattice.round_error(m, x) > 0 else -1)),
    ("cubicDecode", "halves to even", lambda m, xs: [round(Fraction(x, m)) if m else 0 for x in xs]),
    ("dnDecode", "the last one on ties", _dn_last_worst),
    ("dnDecode", "parity not looked at", lattice.cubic_decode),
    ("dnPlusDecode", "the half coset on ties", lambda h, xs: _dn_plus(h, xs, half_wins=True)),
    ("dnPlusDecode", "integers only", lambda h, xs: [2 * z for z in lattice.dn_decode(2 * h, xs)]),
    ("isD8", "any dimension", lambda zs: sum(zs) % 2 == 0),
    ("isD8", "any sum", lambda zs: len(zs) == 8),
    ("isE8", "mixed cosets", lambda ws: len(ws) == 8 and sum(ws) // 2 % 2 == 0),
    ("isE8", "any even sum", lambda ws: len(ws) == 8 and len({w % 2 for w in ws}) == 1 and sum(ws) % 2 == 0),
    ("d8Decode", "the last one on ties", lambda m, xs: _dn_last_worst(m, xs) if 0 < m and len(xs) == 8 else []),
    ("d8Decode", "any dimension", lambda m, xs: lattice.dn_decode(m, xs) if 0 < m else []),
    ("e8Decode", "the half coset on ties", lambda h, xs: _dn_plus(h, xs, half_wins=True) if 0 < h and len(xs) == 8 else []),
    ("e8Decode", "scale not checked", lambda h, xs: lattice.dn_plus_decode(h, xs) if len(xs) == 8 else []),
    ("betOk", "an even bet refused", lambda N, p, q: 1 <= N and 1 <= q < p),
    ("betOk", "the grid not looked at", lambda N, p, q: 1 <= q <= p),
    ("stepFactor", "p below q", lambda N, p, q, u: N * q**N + u * (p**N - q**N)),
    ("stepFactor", "q below p only once", lambda N, p, q, u: N * q**N + u * max(0, p - q) ** N),
    (
        "covered",
        "strict for weak",
        lambda N, p, q, nδ, dδ, t, L, b: cumloss.bet_ok(N, p, q) and 1 <= dδ and dδ * (L * q**b) < nδ * (N**t * q ** (t * N) * p**b),
    ),
    ("covered", "the grid left out", lambda N, p, q, nδ, dδ, t, L, b: cumloss.bet_ok(N, p, q) and 1 <= dδ and dδ * (L * q**b) <= nδ * (q ** (t * N) * p**b)),
    ("covered", "no denominator covered", lambda N, p, q, nδ, dδ, t, L, b: cumloss.bet_ok(N, p, q) and dδ * (L * q**b) <= nδ * (N**t * q ** (t * N) * p**b)),
    ("cumlossAdmit", "the ledger before the step", lambda N, p, q, nδ, dδ, t, L, u, b: cumloss.covered(N, p, q, nδ, dδ, t, L, b)),
    ("cumlossAdmit", "one step short", lambda N, p, q, nδ, dδ, t, L, u, b: cumloss.covered(N, p, q, nδ, dδ, t, L * cumloss.step_factor(N, p, q, u), b)),
    ("cumlossAdmit", "one unit more", lambda N, p, q, nδ, dδ, t, L, u, b: cumloss.cumloss_admit(N, p, q, nδ, dδ, t, L, u, b + 1)),
    ("cumlossStep", "refused steps counted", lambda N, p, q, nδ, dδ, t, L, u, b: L * cumloss.step_factor(N, p, q, u)),
    (
        "cumlossStep",
        "refused steps left out",
        lambda N, p, q, nδ, dδ, t, L, u, b: L * cumloss.step_factor(N, p, q, u) if cumloss.cumloss_admit(N, p, q, nδ, dδ, t, L, u, b) else L,
    ),
    ("pays", "strict for weak", lambda N, p, q, u, a: cumloss.bet_ok(N, p, q) and cumloss.step_factor(N, p, q, u) * q**a < N * q**N * p**a),
    ("pays", "64-bit overflow", _wrapping_charge),
    ("pays", "a unit short", lambda N, p, q, u, a: cumloss.pays(N, p, q, u, a + 1)),
    ("reservePays", "strict for weak", lambda p, q, nδ, dδ, r: 1 <= q <= p and 1 <= dδ and dδ * q**r < nδ * p**r),
    ("reservePays", "any bet", lambda p, q, nδ, dδ, r: 1 <= dδ and dδ * q**r <= nδ * p**r),
    ("leastCharge", "in proportion", lambda N, p, q, u: min(u, N)),
    ("leastCharge", "one more", lambda N, p, q, u: min(N, cumloss.least_charge(N, p, q, u) + 1)),
    ("leastReserve", "never none", lambda p, q, nδ, dδ: cumloss.least_from(lambda r: cumloss.reserve_pays(p, q, nδ, dδ, r), 1, q * dδ)),
    ("leastReserve", "the search ends early", lambda p, q, nδ, dδ: cumloss.least_from(lambda r: cumloss.reserve_pays(p, q, nδ, dδ, r), 0, dδ)),
    ("chargeAdmit", "strict for weak", lambda account, offer, budget: account + offer < budget),
    ("chargeAdmit", "64-bit overflow", lambda account, offer, budget: _wrapping(account + offer) <= _wrapping(budget)),
    ("chargeAdmit", "floats", lambda account, offer, budget: float(account) + float(offer) <= float(budget)),
    ("chargeSettle", "the offer charged", lambda account, offer, charge, budget: account + offer if account + offer <= budget else account),
    ("chargeSettle", "refused steps charged", lambda account, offer, charge, budget: account + charge),
    ("chargeRun", "refused steps charged", conform_faults.run_all_charged),
    ("chargeRun", "offers charged", conform_faults.run_offers_charged),
    ("unionAdmit", "strict for weak", lambda nδ, dδ, nπ, dπ, t: 1 <= dδ and 1 <= dπ and nπ * dδ * ((t + 1) * (t + 2)) < nδ * dπ),
    ("unionAdmit", "shares from one event on", lambda nδ, dδ, nπ, dπ, t: 1 <= dδ and 1 <= dπ and nπ * dδ * (t * (t + 1)) <= nδ * dπ),
    ("unionAdmit", "no denominator of the price", lambda nδ, dδ, nπ, dπ, t: 1 <= dδ and nπ * dδ * ((t + 1) * (t + 2)) <= nδ * dπ),
    ("unionLife", "the last admitted event", lambda nδ, dδ, nπ, dπ: max(0, union.union_life(nδ, dδ, nπ, dπ) - 1)),
    ("unionLife", "equal shares", lambda nδ, dδ, nπ, dπ: nδ * dπ // (nπ * dδ) if nπ and dδ else 0),
    ("stakeAdmit", "strict for weak", lambda N, m, b, a: 1 <= N and 1 <= b and m <= N and a * N < b * N + a * m),
    ("stakeAdmit", "cap of one", lambda N, m, b, a: 1 <= N and 1 <= b and m <= N and a <= b),
    ("stakeAdmit", "claims above one", lambda N, m, b, a: 1 <= N and 1 <= b and a * N <= b * N + a * m),
    ("bettingFactor", "below zero", lambda N, m, b, a, x: b * N + a * m - a * x),
    ("bettingFactor", "against the smaller mean", lambda N, m, b, a, x: max(0, b * N + a * x - a * m)),
    ("stepsOk", "observations off the grid", lambda N, m, b, steps: all(betting.stake_admit(N, m, b, a) for a, _ in steps)),
    ("stepsOk", "stakes above the cap", lambda N, m, b, steps: all(x <= N for _, x in steps)),
    ("stepsOk", "one sound step is enough", lambda N, m, b, steps: not steps or any(betting.steps_ok(N, m, b, [s]) for s in steps)),
    ("bettingNum", "one step left out", lambda N, m, b, steps: betting.betting_num(N, m, b, steps[1:])),
    ("bettingDen", "the grid left out", lambda N, b, steps: b ** len(steps)),
    (
        "bettingRejects",
        "strict for weak",
        lambda N, m, b, nδ, dδ, steps: (
            1 <= dδ and betting.steps_ok(N, m, b, steps) and dδ * betting.betting_den(N, b, steps) < nδ * betting.betting_num(N, m, b, steps)
        ),
    ),
    (
        "bettingRejects",
        "unsound steps count",
        lambda N, m, b, nδ, dδ, steps: 1 <= dδ and dδ * betting.betting_den(N, b, steps) <= nδ * betting.betting_num(N, m, b, steps),
    ),
    (
        "bettingRejects",
        "no denominator",
        lambda N, m, b, nδ, dδ, steps: betting.steps_ok(N, m, b, steps) and dδ * betting.betting_den(N, b, steps) <= nδ * betting.betting_num(N, m, b, steps),
    ),
    ("bettingUpperFrom", "the first that is rejected", lambda N, b, nδ, dδ, steps, m: min(m, betting.betting_upper_from(N, b, nδ, dδ, steps, m) + 1)),
    ("bettingUpper", "the first that is rejected", lambda N, b, nδ, dδ, steps: min(N, betting.betting_upper(N, b, nδ, dδ, steps) + 1)),
    ("bettingUpper", "a mean of one never kept", lambda N, b, nδ, dδ, steps: betting.betting_upper_from(N, b, nδ, dδ, steps, max(0, N - 1))),
    ("leftMass", "the other side", served.right_mass),
    ("rightMass", "the other side", served.left_mass),
    ("excess", "negative parts too", lambda S, S2, ps: sum(abs(w2 * S - w * S2) for w, w2 in ps)),
    ("excess", "masses swapped", lambda S, S2, ps: served.excess(S2, S, ps)),
    ("tvNum", "twice", lambda ps: sum(abs(w2 * served.left_mass(ps) - w * served.right_mass(ps)) for w, w2 in ps)),
    (
        "gridLoss",
        "rounded down",
        lambda G, ps: G * served.tv_num(ps) // (served.left_mass(ps) * served.right_mass(ps)) if served.left_mass(ps) * served.right_mass(ps) else 0,
    ),
    ("gridLoss", "one more", lambda G, ps: served.grid_loss(G, ps) + (G > 0 and served.tv_num(ps) > 0)),
    ("gridLoss", "no mass is an error", lambda G, ps: -(-G * served.tv_num(ps) // (served.left_mass(ps) * served.right_mass(ps)))),
    ("ratioAdmit", "strict above", lambda P, Q, a, b, ps: served.ratio_admit(P, Q, a, b, ps) and all(Q * b * w2 < P * a * w for w, w2 in ps if w)),
    (
        "ratioAdmit",
        "one side",
        lambda P, Q, a, b, ps: 1 <= Q <= P and 1 <= a and 1 <= b and 1 <= served.left_mass(ps) and all(Q * b * w2 <= P * a * w for w, w2 in ps),
    ),
    ("ratioAdmit", "weights that vanish", lambda P, Q, a, b, ps: served.ratio_admit(P, Q, a, b, [(w, w2) for w, w2 in ps if w2])),
    (
        "ratioAdmit",
        "no weight at all",
        lambda P, Q, a, b, ps: 1 <= Q <= P and 1 <= a and 1 <= b and all(Q * b * w2 <= P * a * w and Q * a * w <= P * b * w2 for w, w2 in ps),
    ),
    ("spreadAdmit", "the ratio not squared", lambda P, Q, c, e, f, g, ps: served.spread_admit(P, Q, c, e, f, g, ps) and Q * (f * e) <= P * (c * g)),
    (
        "spreadAdmit",
        "the width not looked at",
        lambda P, Q, c, e, f, g, ps: (
            1 <= Q <= P and 1 <= c and 1 <= g and 1 <= served.left_mass(ps) and all(c * w <= e * w2 and g * w2 <= f * w for w, w2 in ps)
        ),
    ),
    (
        "spreadAdmit",
        "the lower end not looked at",
        lambda P, Q, c, e, f, g, ps: (
            1 <= Q <= P and 1 <= c and 1 <= g and 1 <= served.left_mass(ps) and Q * Q * (f * e) <= P * P * (c * g) and all(g * w2 <= f * w for w, w2 in ps)
        ),
    ),
    ("servedAdmit", "strict for weak", lambda P, Q, n, d: 1 <= Q <= P and 1 <= d and P * max(0, d - n) < Q * (d + n)),
    ("servedAdmit", "τ for (1 + τ)/(1 − τ)", lambda P, Q, n, d: 1 <= Q <= P and 1 <= d and P * d <= Q * (d + n)),
    ("servedAdmit", "floats", lambda P, Q, n, d: 1 <= Q <= P and 1 <= d and (n >= d or P / Q <= (1 + n / d) / (1 - n / d))),
    ("total", "the first entry left out", lambda s: sum(s[1:])),
    ("rootsOk", "strict for weak", lambda S, S2, ps, s: len(ps) == len(s) and all(r * r < w * S2 * (w2 * S) for (w, w2), r in zip(ps, s))),
    ("rootsOk", "lengths not compared", lambda S, S2, ps, s: all(r * r <= w * S2 * (w2 * S) for (w, w2), r in zip(ps, s))),
    (
        "hellingerAdmit",
        "strict for weak",
        lambda ps, s, n, d: (
            served.hellinger_admit(ps, s, n, d) and max(0, (M := served.left_mass(ps) * served.right_mass(ps)) ** 2 - sum(s) ** 2) * d * d < M * M * n * n
        ),
    ),
    (
        "hellingerAdmit",
        "not squared",
        lambda ps, s, n, d: (
            1 <= d
            and 1 <= (M := served.left_mass(ps) * served.right_mass(ps))
            and served.roots_ok(served.left_mass(ps), served.right_mass(ps), ps, s)
            and (M - sum(s)) * d <= M * n
        ),
    ),
    (
        "hellingerAdmit",
        "the roots believed",
        lambda ps, s, n, d: 1 <= d and 1 <= (M := served.left_mass(ps) * served.right_mass(ps)) and max(0, M * M - sum(s) ** 2) * d * d <= M * M * n * n,
    ),
    ("weightedBudget", "not weighted", lambda ps: sum(B for _, B in ps)),
    ("topkBudget", "the rest left out", lambda N, Bmax, head: served.weighted_budget(head)),
    ("topkBudget", "a rest below zero", lambda N, Bmax, head: served.weighted_budget(head) + (N - served.left_mass(head)) * Bmax),
    ("tiltPairs", "not squared", lambda ps: [[n, n * a] for n, a in ps]),
    ("tiltPairs", "pairs of another type", served.tilt_pairs),
    ("gaugeOk", "strict for weak", lambda B, ps: served.left_mass(ps) * B < served.weighted_budget(ps)),
    ("gaugeOk", "the plain mean", lambda B, ps: len(ps) * B <= sum(a for _, a in ps)),
    ("stepBudgetAdmit", "strict for weak", lambda G, zn, zd, u: 1 <= zd <= zn and 1 <= u and G * G * (zn - zd) < (u - 1) ** 2 * zn),
    ("stepBudgetAdmit", "rounding not paid for", lambda G, zn, zd, u: 1 <= zd <= zn and 1 <= u and G * G * (zn - zd) <= u * u * zn),
    *conform_faults.FAULTS,
]


@pytest.mark.parametrize("decision, reference", [(d, f) for d, _, f in MUTANTS], ids=[f"{d}: {name}" for d, name, _ in MUTANTS])
def test_planted_faults_are_caught(oracle: Oracle, decision: str, reference: Callable[..., Any]) -> None:
    report = lane(oracle, decision, reference)
    assert not report.ok and report.disagreements[0].decision == decision
    args = report.disagreements[0].args
    check(decision, args)
    # the case that is kept still tells the two apart, and is small
    assert not lanes.same(oracle.many(decision, [args])[0], lanes._reference(targets.Target(decision, reference, BY_NAME[decision][1].generate), args))
    assert len(json.dumps(args)) < 120


def test_every_decision_has_a_planted_fault() -> None:
    assert {d for d, _, _ in MUTANTS} == set(DECISIONS)
