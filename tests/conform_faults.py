"""Planted faults of the decisions that compose others: heads, tops, deferral, rounded flows, lowest-index and turned-over forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gnosis.gates import basin, betting, conformal, conformal_jit, conformal_layers, deferred, head, jit, margin


def _below(R: int, N: int, D: int, ps: list[int], qs: list[int], rs: list[int], ds: list[int]) -> bool:
    """The end is looked at, not the steps before it."""
    if not len(ps) == len(qs) == len(rs) == len(ds) or not all(p >= 0 and q > 0 and r >= 0 and d >= 0 for p, q, r, d in zip(ps, qs, rs, ds)):
        return False
    for p, q, r, d in zip(ps, qs, rs, ds):
        N, D = basin.rounded_step(N, D, p, q, r, d), q * D
    return N < R * D


def run_all_charged(account: int, steps: list[tuple[int, int, int]]) -> list[bool]:
    decisions = []
    for offer, charge, budget in steps:
        decisions.append(account + offer <= budget)
        account += charge
    return decisions


def run_offers_charged(account: int, steps: list[tuple[int, int, int]]) -> list[bool]:
    decisions = []
    for offer, _, budget in steps:
        decisions.append(account + offer <= budget)
        account += offer if decisions[-1] else 0
    return decisions


FAULTS: list[tuple[str, str, Callable[..., Any]]] = [
    (
        "topkGapAdmit",
        "a lead of twice the bound is enough",
        lambda z, k, ε: 0 <= ε and k <= len(z) and (k in (0, len(z)) or 2 * ε <= sorted(z)[-k] - sorted(z)[-k - 1]),
    ),
    ("topkGapAdmit", "once the bound", lambda z, k, ε: 0 <= ε and k <= len(z) and (k in (0, len(z)) or ε < sorted(z)[-k] - sorted(z)[-k - 1])),
    ("mirrored", "below 0 as well", lambda G, steps: [[a, G - x] for a, x in steps]),
    ("mirrored", "the bet turned over too", lambda G, steps: [[-a, max(0, G - x)] for a, x in steps]),
    (
        "bettingLowerBound",
        "not turned over",
        lambda G, b, n, d, steps: betting.betting_upper_bound(G, b, n, d, [(a, x) for a, x in betting.mirrored(G, steps)]),
    ),
    ("bettingLowerBound", "the claim itself", lambda G, b, n, d, steps: G - betting.betting_upper(G, b, n, d, [(a, x) for a, x in betting.mirrored(G, steps)])),
    ("bettingUpperBound", "the last claim that is not rejected", betting.betting_upper),
    ("claimBound", "no unit more", lambda G, rejected: max(0, betting.claim_bound(G, rejected) - 1)),
    ("claimBound", "the first claim that is rejected", lambda G, rejected: next((i for i, r in enumerate(rejected[:G]) if r), G)),
    (
        "flipAt",
        "places that were not asked as well",
        lambda asked, tokens, says: next(
            (i for i in range(min(map(len, (asked, tokens, says)))) if says[i] != tokens[i]), min(map(len, (asked, tokens, says)))
        ),
    ),
    ("flipAt", "the next place", lambda asked, tokens, says: deferred.flip_at(asked, tokens, says) + 1),
    ("refineText", "every place is asked", lambda τ, coarse, fine, steps, prompt: deferred.refine_text(1 << 40, coarse, fine, steps, prompt)),
    ("refineText", "the text the other way round", lambda τ, coarse, fine, steps, prompt: deferred.refine_text(τ, coarse, fine, steps, prompt)[::-1]),
    ("roundedStep", "rounding left out", lambda N, D, p, q, r, d: p * N + d * q * D),
    ("roundedStep", "rounded before the first displacement", lambda N, D, p, q, r, d: p * N + (r + d) * q * D),
    ("roundedPathAdmitFrom", "only the end is looked at", _below),
    ("roundedSurvives", "no rounding of exact steps", lambda R, N, D, ps, qs, rs: basin.rounded_survives(R, N, D, ps, qs, [0 for _ in rs])),
    (
        "roundedControl",
        "one step ahead, not along the path",
        lambda R, N, D, ps, qs, rs, ds: [
            basin.rounded_control(R, N, D, ps[: i + 1], qs[: i + 1], rs[: i + 1], ds[: i + 1])[i] for i in range(min(map(len, (ps, qs, rs, ds))))
        ],
    ),
    ("basinFlowRoundedAdmit", "rounding left out", lambda ps, qs, rs, ds, R: basin.basin_flow_rounded_admit(ps, qs, [min(r, 0) for r in rs], ds, R)),
    ("basinFlowRoundedControl", "rounding left out", lambda ps, qs, rs, ds, R: basin.basin_flow_rounded_control(ps, qs, [0 for _ in rs], ds, R)),
    (
        "jitAdmitLowest",
        "a tie in front is enough",
        lambda z, w, E, A, γ: len(z) == len(E) and w < len(z) and jit.leads(jit.entry(z, w), γ, γ, w, z) and all(jit.energy_sidecar_admit(e, A, γ) for e in E),
    ),
    (
        "conformalJitAdmitLowest",
        "without a threshold the margin alone",
        lambda scores, num, den, z, w, A, γ: jit.jit_admit_lowest(z, w, [conformal.conformal_threshold(scores, num, den) or 0] * len(z), A, γ),
    ),
    (
        "jitLeadAdmit",
        "a tie in front is enough",
        lambda z, w, E, A: len(z) == len(E) and w < len(z) and jit.leads_sidecars(E, A, jit.entry(z, w), 0, 0, [jit.entry(z, w), *z]),
    ),
    (
        "conformalJitLeadAdmit",
        "without a threshold the lead alone",
        lambda scores, num, den, z, w, A: (
            w < len(z) and jit.leads_sidecars([conformal.conformal_threshold(scores, num, den) or 0], A, jit.entry(z, w), w, 0, z)
        ),
    ),
    ("layersMax", "the scores themselves", lambda c, s: max([0, *s])),
    ("cofactors", "positive ones are enough", lambda P, c, γ: len(c) == len(γ) and all(x > 0 for x in c)),
    ("layersFail", "the score itself beyond the margin", lambda γ, s: any(g < x for g, x in zip(γ, s))),
    (
        "layersMaxAdmit",
        "the cofactors are not looked at",
        lambda units, c, γ, P, num, den: conformal.conformal_admit([conformal_layers.layers_max(c, u) for u in units], num, den, P),
    ),
    (
        "conformalMarginAdmitLowest",
        "a tie in front is enough",
        lambda scores, num, den, γ, z, w: conformal.conformal_admit(scores, num, den, γ) and w < len(z) and jit.leads(jit.entry(z, w), γ, γ, w, z),
    ),
    (
        "conformalServed",
        "the coarse row where there is no threshold",
        lambda scores, num, den, coarse, exact: (
            margin.argmax(coarse)
            if conformal.conformal_threshold(scores, num, den) is None
            else conformal_jit.conformal_served(scores, num, den, coarse, exact)
        ),
    ),
    (
        "topCandidates",
        "ties are out",
        lambda k, z, ε, js: [j for j in js if sum(head.entry(z, j) + head.entry(ε, j) <= head.entry(z, i) - head.entry(ε, i) for i in js) < k],
    ),
    ("topCandidates", "one more above is let in", lambda k, z, ε, js: head.top_candidates(k + 1, z, ε, js)),
    ("topAmong", "the last on ties", lambda z, k, js: head.top_among(z, k, js[::-1])),
    ("headTopK", "candidates of the first pass are trusted", lambda k, z, ε, y, err, exact: head.top_among(y, k, head.top_candidates(k, z, ε, range(len(z))))),
    ("headServed", "the best of the second pass", lambda z, ε, y, err, exact: head.entry(head.candidates(z, ε), margin.argmax(y))),
]
