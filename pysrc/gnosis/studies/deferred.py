"""What deferred refinement costs and what it keeps, measured against both models alone on the same prompts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from importlib.resources import files
from typing import Any

import numpy as np
from scipy.special import log_softmax
from scipy.stats import rankdata

from ..errors import EmptyError, RangeError
from ..gates.conformal import ConformalGate, calibrate
from ..inference.deferred.pair import Pair
from ..inference.deferred.run import Answer, Policy, generate, greedy, top
from ..lm import Model
from ..numbers.bounds import enclose
from ..numbers.levels import Level, level, whole
from ..risk.extrapolation import clopper_pearson_lower, clopper_pearson_upper

Progress = Callable[[str, float], None]
NEVER = -1.0  # the score of a prompt on which the models agree: below every margin, so it stands for −∞


def builtin_prompts() -> list[str]:
    """The prompts that come with the package, in a fixed order."""
    return files(__package__).joinpath("prompts.txt").read_text(encoding="utf-8").splitlines()


# ---- along the finer model's text ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Along:
    """Both models along the text that the finer one writes.

    fine: its tokens.  margins: float64, the coarse margin at each.  differs: bool, where the coarse model would have written another.
    fine_seconds, coarse_seconds: of both writing alone.  coarse: the coarse model's own text.
    """

    fine: list[int]
    margins: np.ndarray
    differs: np.ndarray
    coarse: list[int]
    fine_seconds: float
    coarse_seconds: float

    @property
    def score(self) -> float:
        """The largest margin at which they differ, −1 where they do not: with τ above it, mode "margin" writes exactly the finer model's text
        (`Gnosis.margin_eq_greedy`), up to as many tokens as `fine` has and no further; past them nothing is known.
        Promises: theorem `Gnosis.margin_eq_greedy`.
        """
        return float(self.margins[self.differs].max()) if self.differs.any() else NEVER


def along(pair: Pair, prompt: Sequence[int], most: int) -> Along:
    """Let both write alone, and ask the coarse model along the finer one's text."""
    start = time.perf_counter()
    fine, _ = greedy(pair.fine, prompt, most)
    middle = time.perf_counter()
    coarse, _ = greedy(pair.coarse, prompt, most)
    end = time.perf_counter()
    logits = _logits(pair.coarse, prompt, fine)
    answers = [top(row) for row in logits]
    return Along(fine, np.array([m for _, m in answers]), np.array([t for t, _ in answers]) != np.array(fine), coarse, middle - start, end - middle)


def _logits(model: Model, prompt: Sequence[int], answer: Sequence[int]) -> np.ndarray:
    """float32[len(answer), vocabulary]: before each token of an answer."""
    cache = model.cache(len(prompt) + len(answer))
    if len(prompt) > 1:
        model.prefill(prompt[:-1], cache, "none")
    logits = model.prefill([prompt[-1], *answer[:-1]], cache, "all").logits
    assert logits is not None
    return logits


def auroc(margins: np.ndarray, differs: np.ndarray) -> float | None:
    """How well a small margin tells where the models differ: the probability that a place where they do has the smaller margin, ties half.

    None when they differ nowhere or everywhere.
    Promises: tested `tests/test_deferred_records.py::test_auroc_counts_pairs`.
    """
    n, m = int(differs.sum()), int((~differs).sum())
    if not n or not m:
        return None
    return float((rankdata(-margins)[differs].sum() - n * (n + 1) / 2) / (n * m))


# ---- τ for a stated rate ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tau:
    """A margin below which tokens are deferred, calibrated.

    tau: defer margins below it.  gate: the conformal threshold that it comes from.  most: tokens of an answer, in the calibration and
    when serving; with probability at most 1 − level over exchangeable prompts the first `most` tokens are others than the finer
    model's: `Gnosis.deferred_lie_rate`.  A longer text was not calibrated, and the theorem says nothing about it.
    Promises: theorem `Gnosis.deferred_lie_rate`.
    """

    tau: float
    gate: ConformalGate
    most: int


def tau_for(scores: Sequence[float], q: Level, most: int) -> Tau:
    """τ from the scores (`Along.score`) of n calibration prompts, at a level strictly between 0 and 1, read as written.

    most ≥ 1: tokens to which both models were compared along each prompt; τ is for answers of no more than that.
    RangeError when n prompts are too few for a finite threshold, EmptyError, NonFiniteError.
    """
    if not len(scores):
        raise EmptyError("scores")
    gate = calibrate(np.asarray(scores, dtype=np.float64), q)
    if gate.threshold is None:
        need = math.ceil(1 / (1 - level(q, "level"))) - 1
        raise RangeError("level", q, f"{len(scores)} prompts have no finite threshold; it takes {need}")
    # a margin that equals the threshold must be deferred, so τ is the next float after it
    return Tau(max(0.0, math.nextafter(float(gate.threshold), math.inf)), gate, whole(most, "most", 1))


def held_out(pair: Pair, prompts: Sequence[Sequence[int]], truths: Sequence[Sequence[int]], chosen: Tau, window: int) -> dict[str, Any]:
    """How often mode "margin" writes another text than the finer model, on prompts that τ was not calibrated with, as long as it is calibrated for."""
    policy = Policy("margin", chosen.tau, window)
    wrong = sum(generate(pair, prompt, policy, chosen.most).tokens != list(truth) for prompt, truth in zip(prompts, truths, strict=True))
    low, high = clopper_pearson_lower(wrong, len(prompts), "0.975"), clopper_pearson_upper(wrong, len(prompts), "0.975").risk
    return {"prompts": len(prompts), "differ": wrong, "interval95": [float(low), float(high)]}


# ---- configurations ------------------------------------------------------------------------------------------------------


def row(
    name: str,
    pair: Pair,
    judge: Model,
    prompts: Sequence[Sequence[int]],
    answers: Sequence[Sequence[int]],
    truths: Sequence[Sequence[int]],
    seconds: float,
    runs: Sequence[Answer] = (),
) -> dict[str, Any]:
    """One configuration: speed, what it read, and how near it comes to the finer model alone.

    equal: texts that are the finer model's.  sequence_ratio: of `difflib`, mean.  agreement: share of tokens that the finer model
    would have written after the same beginning.  judge: mean log-probability (nats a token) by the float model.
    Promises: tested `tests/test_deferred_records.py::test_comparison_and_its_page`.
    """
    tokens = sum(map(len, answers))
    checks = [c for run in runs for c in run.checks]
    agree = sum(top(line)[0] == token for prompt, answer in zip(prompts, answers) for line, token in zip(_logits(pair.fine, prompt, answer), answer))
    judged = 0.0
    for prompt, answer in zip(prompts, answers):
        judged += float(log_softmax(_logits(judge, prompt, answer).astype(np.float64), axis=1)[np.arange(len(answer)), list(answer)].sum())
    drafted = sum(r.drafted for r in runs)
    return {
        "name": name,
        "policy": None,
        "prompts": len(prompts),
        "tokens": tokens,
        "seconds": seconds,
        "tokens_per_s": tokens / seconds,
        "equal": sum(list(a) == list(b) for a, b in zip(answers, truths)),
        "sequence_ratio": float(np.mean([SequenceMatcher(None, list(a), list(b), autojunk=False).ratio() for a, b in zip(answers, truths)])),
        "agreement": agree / tokens,
        "judge": judged / tokens,
        "bytes_per_token": sum(r.read for r in runs) / tokens,
        "disk_bytes_per_token": sum(c.from_disk for c in checks) / tokens,
        "check_ms_median": 1e3 * float(np.median([c.seconds for c in checks])) if checks else None,
        "check_ms_p90": 1e3 * float(np.quantile([c.seconds for c in checks], 0.9)) if checks else None,
        "checks_per_token": len(checks) / tokens,
        "rollbacks_per_token": sum(r.flips for r in runs) / tokens,
        "deferral_rate": sum(r.deferred for r in runs) / drafted if drafted else None,
        "drafted_per_token": drafted / tokens,
    }


def noise_floor(pair: Pair, judge: Model, prompts: Sequence[Sequence[int]], truths: Sequence[Sequence[int]], most: int) -> dict[str, Any]:
    """Does a model reproduce itself?  Tokens written one by one against those of a single pass over the same text.

    ordered: the finer model in its fixed order of operations.  blas: the float model, with products by BLAS, on its own text.
    Promises: tested `tests/test_deferred_records.py::test_one_pass_and_step_by_step_give_the_same_bits`.
    """
    flips = {"ordered": 0, "blas": 0}
    places = {"ordered": 0, "blas": 0}
    for prompt, truth in zip(prompts, truths):
        for name, model, text in (("ordered", pair.fine, list(truth)), ("blas", judge, greedy(judge, prompt, most)[0])):
            flips[name] += sum(top(line)[0] != token for line, token in zip(_logits(model, prompt, text), text))
            places[name] += len(text)
    return {name: {"places": places[name], "flips": flips[name]} for name in flips}


def registered(rows: Sequence[dict[str, Any]], fine_bytes: int) -> list[dict[str, Any]]:
    """The thresholds that were set before the first measurement, against each configuration: speed, fidelity, bytes."""
    pure = next(r for r in rows if r["name"] == "coarse alone")
    out = []
    for r in rows:
        if r["policy"] is None:
            continue
        checks = [("at least a third of the coarse model's speed", r["tokens_per_s"] / pure["tokens_per_s"], 1 / 3)]
        least = 1.0 if r["policy"]["mode"] == "verify-all" else 0.95
        checks += [("sequence ratio of at least .90", r["sequence_ratio"], 0.90), (f"sequence ratio of at least {least:.2f}", r["sequence_ratio"], least)]
        checks += [("a tenth of the finer model's bytes a token, or less", fine_bytes / r["bytes_per_token"] if r["bytes_per_token"] else math.inf, 10.0)]
        out += [
            {"name": r["name"], "threshold": what, "measured": None if math.isinf(value) else value, "needed": need, "met": value >= need}
            for what, value, need in checks
        ]
    return out


def named(policy: Policy) -> str:
    """A short name of a configuration."""
    what = "verify all" if policy.tau is None else f"margin τ={policy.tau:g}"
    return f"{what}, W={policy.window}" + (f", again {policy.again}" if policy.again else "") + (", overlapped" if policy.overlap else "")


def compare(
    pair: Pair,
    judge: Model,
    prompts: Sequence[Sequence[int]],
    policies: Sequence[Policy],
    most: int,
    known: Sequence[Along] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Every policy, and both models alone, on the same prompts.  known: `along` of each prompt, when it is there already.

    Promises: tested `tests/test_deferred_records.py::test_comparison_and_its_page`.
    """
    if not prompts:
        raise EmptyError("prompts")
    say = progress or (lambda what, share: None)
    steps = (0 if known else len(prompts)) + len(policies) + 3
    done = 0

    def step(what: str) -> None:
        nonlocal done
        say(what, done / steps)
        done += 1

    if known is None:
        known = []
        for i, prompt in enumerate(prompts):
            step(f"both models alone, prompt {i + 1}")
            known = [*known, along(pair, prompt, most)]
    truths = [k.fine for k in known]
    rows = []
    for name, answers, seconds in (
        ("coarse alone", [k.coarse for k in known], sum(k.coarse_seconds for k in known)),
        ("finer alone", truths, sum(k.fine_seconds for k in known)),
    ):
        step(name)
        rows.append(row(name, pair, judge, prompts, answers, truths, seconds))
    rows[1]["bytes_per_token"] = float(pair.fine_bytes)  # it reads all of its weights for each token
    for policy in policies:
        step(named(policy))
        runs = [generate(pair, prompt, policy, most) for prompt in prompts]
        rows.append(
            {**row(named(policy), pair, judge, prompts, [r.tokens for r in runs], truths, sum(r.seconds for r in runs), runs), "policy": asdict(policy)}
        )
    step("noise floor")
    margins, differs = np.concatenate([k.margins for k in known]), np.concatenate([k.differs for k in known])
    return {
        "rows": rows,
        "noise_floor": noise_floor(pair, judge, prompts, truths, most),
        "auroc": auroc(margins, differs),
        "disagreement": float(differs.mean()),
        "fine_bytes": pair.fine_bytes,
        "registered": registered(rows, pair.fine_bytes),
    }


def calibration(pair: Pair, prompts: Sequence[Sequence[int]], q: Level, window: int, most: int, progress: Progress | None = None) -> dict[str, Any]:
    """Choose τ on two of three prompts and count on every third how often the text is another.

    The guarantee is for a new prompt that is exchangeable with those of the calibration, and for an answer of at most `most` tokens.
    RangeError when they are too few for the level.
    Promises: theorem `Gnosis.deferred_lie_rate`.
    """
    say = progress or (lambda what, share: None)
    if len(prompts) < 3:
        raise RangeError("prompts", len(prompts), "at least 3 are needed: every third is held out")
    need, calibrated = math.ceil(1 / (1 - level(q, "level"))) - 1, len(prompts) - len(prompts) // 3
    if calibrated < need:
        raise RangeError("level", q, f"{calibrated} prompts for calibration have no finite threshold; it takes {need}")
    known = []
    for i, prompt in enumerate(prompts):
        say(f"both models on prompt {i + 1} of {len(prompts)}", 0.6 * i / len(prompts))
        known.append(along(pair, prompt, most))
    held = range(2, len(prompts), 3)
    kept = [i for i in range(len(prompts)) if i not in held]
    chosen = tau_for([known[i].score for i in kept], q, most)
    say("other prompts with this τ", 0.6)
    margins, differs = np.concatenate([k.margins for k in known]), np.concatenate([k.differs for k in known])
    return {
        "level": str(level(q, "level")),
        "tau": chosen.tau,
        "rank": chosen.gate.rank,
        "calibrated": len(kept),
        "stated": enclose(chosen.gate.rate)[1],
        "scores": [known[i].score for i in kept],
        "deferred": float((margins < chosen.tau).mean()),
        "auroc": auroc(margins, differs),
        "disagreement": float(differs.mean()),
        "held_out": held_out(pair, [prompts[i] for i in held], [known[i].fine for i in held], chosen, window),
    }
