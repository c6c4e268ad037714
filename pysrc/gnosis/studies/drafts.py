"""How much sooner a finer model's text is there when a coarse one drafts, measured against the finer model alone on the same prompts, taking turns."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..core import engine as kernel
from ..engine import Engine
from ..errors import EmptyError, RangeError
from ..inference.deferred.draft import COARSE_BITS, Drafter, Written
from ..inference.deferred.pair import CODES, match
from ..inference.deferred.sampling import Sampling
from ..lm import Model
from ..lm.calibrated import calibrated
from ..lm.equivalent import coded, recoded, rotated
from ..models.files import ModelError

Progress = Callable[[str, float], None]


class Sides(NamedTuple):
    """What is measured: a finer model, one that drafts for it, and their names."""

    name: str
    fine: Model
    coarse: Model


# Codes of the finer model and of its drafter, and the code of the drafter's head.
PAIRS = (("F16", "Q4_0", "Q4_0"), ("Q8_0", "Q4_0", "Q4_0"))
OWN = 64  # tokens that the model writes itself after each prompt it is calibrated with
REAL = {"f16": "F16", "bf16": "BF16", "f32": "F32"}


def source(model: Model, seed: int = 0) -> tuple[Model, dict[str, Any]]:
    """The rotated model in F16, and what a code of the shipped file's own grid loses on either: relative root mean square error of Q4_1 on the first, middle and last layer."""
    turned = rotated(model, seed)
    layers = sorted({0, model.config.layers // 2, model.config.layers - 1})
    names = [f"blk.{layer}.{part}.weight" for layer in layers for part in ("attn_q", "attn_output", "ffn_up", "ffn_down")]
    return turned, {"seed": seed, "layers": layers, "q4_1_error": {"rotated": _error(turned, names), "as_shipped": _error(model, names)}}


def _error(model: Model, names: Sequence[str]) -> float:
    lost = size = 0.0
    for name in names:
        values = model.weights[name].decoded()
        lost += float(((coded(name, values, "Q4_1").decoded() - values).astype(np.float64) ** 2).sum())
        size += float((values.astype(np.float64) ** 2).sum())
    return (lost / size) ** 0.5


def own_texts(model: Model, prompts: Sequence[Sequence[int]], most: int = OWN) -> list[list[int]]:
    """Prompts and the answers of the model in Q4_0: what the inputs of its matrices are like, without any other text.  RangeError, EmptyError."""
    with Engine.of_model(recoded(model, "Q4_0"), 8) as engine:
        writer = Drafter(engine, engine)
        return [[*prompt, *writer.alone(prompt, min(most, model.config.context - len(prompt))).tokens] for prompt in prompts]


def coded_pairs(model: Model, codes: Sequence[tuple[str, str, str]] = PAIRS, prompts: Sequence[Sequence[int]] = ()) -> list[Sides]:
    """The pairs of codes of one model, each side made once.

    codes: of the finer model, of the drafter's layers, of the drafter's head.  prompts: drafters in Q4_0 are coded for what the model writes after these; where there are none,
    weights are rounded one by one.  RangeError, ModelError.
    """
    wanted = dict.fromkeys(
        [*((fine, fine, False) for fine, _, _ in codes), *((coarse, head, coarse == "Q4_0" and len(prompts) > 0) for _, coarse, head in codes)]
    )
    made = {key: recoded(model, *key[:2]) for key in wanted}
    for key in wanted:
        if key[2]:
            layers = calibrated(model, own_texts(model, prompts)).weights
            made[key] = made[key].with_weights({name: weight for name, weight in layers.items() if name.startswith("blk.")})
    return [Sides(f"{fine} <- {coarse}", made[fine, fine, False], made[coarse, head, coarse == "Q4_0" and len(prompts) > 0]) for fine, coarse, head in codes]


def chosen_pair(model: str, base: str, refine: str, prompts: Sequence[Sequence[int]] = ()) -> tuple[dict[str, Any] | None, list[Sides]]:
    """A pair that was asked for: two codes of the rotated model, with what is said of it, or two files as they are.  prompts: as for `coded_pairs`.  ModelError, RangeError, OSError."""
    if base.endswith(".gguf") != refine.endswith(".gguf"):
        raise ModelError(f"{base} and {refine}: either both are .gguf files, or both are codes that are made from one model")
    if base.endswith(".gguf"):
        coarse, fine = Model.load(base), Model.load(refine)
        match(coarse, fine, f"{base} and {refine}")
        if model != "smollm2":
            match(Model.load(model), fine, f"{model} and {refine}")
        return None, [Sides(f"{Path(refine).name} <- {Path(base).name}", fine, coarse)]
    known = CODES | REAL
    for code in (base, refine):
        if code not in known:
            raise ModelError(f"{code!r} is neither a .gguf file nor one of {', '.join(known)}")
    turned, about = source(Model.load(model))
    return about, coded_pairs(turned, [(known[refine], known[base], known[base])], prompts)


def compare(
    pairs: Sequence[Sides],
    prompts: Sequence[Sequence[int]],
    most: int = 64,
    threads: Sequence[int] = (1, 2),
    sampling: Sampling | None = None,
    progress: Progress | None = None,
    turns: int | None = None,
) -> dict[str, Any]:
    """Every pair with each number of threads; a finer model alone and with drafts take turns on each prompt.

    prompts: token numbers.  most: tokens of an answer.  sampling: None for the likeliest token, else with shared noise.  turns: of each side on each prompt, of which the
    quickest counts; None for two.  Time is that after the prompt was read: of the thread for one thread, wall time for more.
    Returns {"isa", "processors", "rows"}; a row: pair, threads, clock; speedup_vs_finer: the median over the prompts of (time of the finer model alone) / (time with drafts),
    speedup_worst: of the worst prompt, speedup_overall: of all together, speedup_cpu: the median in time of all threads, waiting ones included; same_text: whether every text is the one of the finer model alone; accepted: share of the drafted tokens;
    drafted_per_token, tokens_per_check, ms_per_token, ms_per_token_alone; says: whether drafting pays; load: of the machine at the end; busy: above the number of processors.
    EmptyError, RangeError, ModelError.
    """
    for name, given in (("pairs", pairs), ("prompts", prompts), ("threads", threads)):
        if not len(given):
            raise EmptyError(name)
    if turns is not None and turns < 1:
        raise RangeError("turns", turns, "must be at least 1")
    say = progress or (lambda what, share: None)
    rows, steps, done = [], len(threads) * len(prompts), 0
    for count in threads:
        with ExitStack() as stack:
            models = {(id(model), bits): model for pair in pairs for model, bits in ((pair.fine, 16), (pair.coarse, COARSE_BITS))}
            engines: dict[tuple[int, int], Engine] = {}
            for key, model in models.items():
                first = next(iter(engines.values()), None)
                engines[key] = stack.enter_context(Engine.of_model(model, key[1], count, first))
            drafters = [Drafter(engines[id(pair.fine), 16], engines[id(pair.coarse), COARSE_BITS]) for pair in pairs]
            found: list[list[tuple[list[Written], list[Written]]]] = [[] for _ in pairs]
            for prompt in prompts:
                say(f"{count} thread{'s' if count > 1 else ''}", done / steps)
                done += 1
                for drafter, sides in zip(drafters, found):
                    sides.append(([], []))
                    for turn in range(turns or 2):
                        for side in (0, 1) if (len(sides) + turn) % 2 else (1, 0):  # so that neither is always the first
                            sides[-1][side].append((drafter.alone, drafter.write)[side](prompt, most, sampling))
            rows += [_row(pair.name, count, drafter, sides) for pair, drafter, sides in zip(pairs, drafters, found)]
    return {"isa": kernel.isa(), "processors": os.cpu_count(), "rows": rows}


def _row(pair: str, threads: int, drafter: Drafter, sides: Sequence[tuple[list[Written], list[Written]]]) -> dict[str, Any]:
    alone, ours, cpu_alone, cpu_ours = (
        np.array([max(min(getattr(one, name) for one in side[i]), 1e-9) for side in sides]) for name in ("clock_seconds", "cpu_seconds") for i in (0, 1)
    )
    every = [one for side in sides for one in side[1]]
    drafted, accepted, passes = (sum(getattr(one, name) for one in every) for name in ("drafted", "accepted", "passes"))
    tokens, written = sum(len(one.tokens) - 1 for one in every), sum(len(side[1][0].tokens) - 1 for side in sides)
    load = os.getloadavg()[0]
    return {
        "pair": pair,
        "threads": threads,
        "clock": "thread" if threads == 1 else "wall",
        "speedup_vs_finer": float(np.median(alone / ours)),
        "speedup_worst": float((alone / ours).min()),
        "speedup_overall": float(alone.sum() / ours.sum()),
        "speedup_cpu": float(np.median(cpu_alone / cpu_ours)),
        "same_text": all(one.tokens == side[0][0].tokens for side in sides for one in side[0] + side[1]),
        "prompts": len(sides),
        "tokens": written,
        "accepted": accepted / drafted if drafted else None,
        "drafted_per_token": drafted / max(tokens, 1),
        "tokens_per_check": tokens / max(passes, 1),
        "ms_per_token": 1e3 * float(ours.sum()) / max(written, 1),
        "ms_per_token_alone": 1e3 * float(alone.sum()) / max(written, 1),
        "pays": drafter.worth.pays(),
        "says": drafter.worth.says(),
        "load": load,
        "busy": load > (os.cpu_count() or 1),
    }
