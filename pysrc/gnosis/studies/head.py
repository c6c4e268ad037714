"""Measurements of the exact head and of the certified head on real positions of a language model."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, quantize

from ..bench.harness import Effort, busy_seconds, clocked_turns, threads
from ..core import engine as kernel
from ..engine import Engine
from ..errors import EmptyError, RangeError
from ..inference.codes import NestedCode
from ..inference.exact import ExactHead
from ..inference.head import CertifiedHead, Token
from ..inference.linear import SPLIT, CertifiedLinear
from ..inference.reference import Reference
from ..lm import Model, Weight
from ..lm.corpus import Numbered, Text, passages

PASSAGE = 256  # tokens read together
TIMED = Effort(40, 4.0, 200)
GENERATED = 24  # tokens

Head = CertifiedHead | ExactHead
Progress = Callable[[str, int, int], None]


def as_q8_0(weight: Weight) -> Weight:
    """The matrix itself when it is Q8_0, else its decoded weights in Q8_0."""
    if weight.encoding == "Q8_0":
        return weight
    return Weight(weight.name, "Q8_0", quantize(weight.decoded(), GGMLQuantizationType.Q8_0), weight.columns)


def hidden_states(model: Model, text: Text | Numbered, seed: int, positions: int) -> Iterator[np.ndarray]:
    """What the head multiplies at `positions` places of the text, float32[≤ 256, width] at a time.

    RangeError when the text has fewer.
    """
    left = positions
    for passage in passages(text, model.tokenizer, PASSAGE, np.random.default_rng(seed)):
        hidden = model.prefill(passage, model.cache(len(passage)), "none").hidden[:left]
        left -= len(hidden)
        yield hidden
        if not left:
            return
    raise RangeError("positions", positions, f"the text has only {positions - left} tokens")


@dataclass
class Positions:
    """What was found at each position."""

    tokens: list[Token] = field(default_factory=list)
    equal: int = 0  # as the reference says
    blas: int = 0  # positions at which the float32 product has another argmax
    eight: int = 0  # positions at which a pass with 8-bit activations has another one, counted by the exact head
    hidden: list[np.ndarray] = field(default_factory=list)


def compare(head: Head, reference: Reference, states: Iterator[np.ndarray], total: int, progress: Progress) -> Positions:
    """Decide every position, and hold it against the reference and against the float32 product."""
    found = Positions()
    for hidden in states:
        tokens = [head.decide(a) for a in hidden]
        truth = reference.argmax(hidden)
        found.equal += int(np.sum(truth == [t.token for t in tokens]))
        if isinstance(head, ExactHead):
            found.eight += int(np.sum(unbounded(head, hidden) != truth))
        found.blas += int(np.sum((hidden @ reference.matrix.T).argmax(axis=1) != [t.token for t in tokens]))
        found.tokens += tokens
        found.hidden.append(hidden)
        progress("positions", len(found.tokens), total)
    return found


def unbounded(head: ExactHead, hidden: np.ndarray, bits: int = 8) -> np.ndarray:
    """The argmax of whole passes without a bound for any number of hidden states, int64[n]."""
    return np.concatenate([head.unbounded(hidden[i : i + kernel.TOKENS], bits) for i in range(0, len(hidden), kernel.TOKENS)])


def error_over_bound(head: Head, reference: Reference, hidden: np.ndarray) -> dict[str, float]:
    """Largest error of a score over its bound at each of some positions, over all rows: mean, median, p90, largest."""
    ratios = []
    for a in hidden:
        z, eps = head.bounds(a)
        ratios.append(float(np.max(np.abs(reference.wide @ a.astype(np.float64) - z) / eps)))
    return spread(ratios)


def spread(values: np.ndarray | list[float]) -> dict[str, float]:
    """Mean, median, 90th percentile and largest."""
    v = np.asarray(values, np.float64)
    return {"mean": float(v.mean()), "median": float(np.median(v)), "p90": float(np.quantile(v, 0.9)), "max": float(v.max())}


def summary(head: Head, found: Positions, reference: Reference) -> dict[str, Any]:
    """The figures that need no clock."""
    tokens, rows, whole = found.tokens, head.rows, head.weight.nbytes
    tight = [t.tightness for t in tokens if t.tightness is not None]
    return {
        "true_to": head.true_to,
        "positions": len(tokens),
        "equal": found.equal,
        "candidates": {"mean": float(np.mean([t.candidates for t in tokens])), "max": max(t.candidates for t in tokens)},
        "candidate_share": float(np.mean([t.candidates for t in tokens])) / rows,
        "tightness": float(np.mean(tight)) if tight else None,
        "bytes_vs_q8": float(np.mean([t.price.total for t in tokens])) / whole,
        "per_position": {
            "candidate_share": spread([t.candidates / rows for t in tokens]),
            "tightness": spread(tight) if tight else None,
            "bytes_vs_q8": spread([t.price.total / whole for t in tokens]),
            "coarse_margin": spread([t.coarse_margin for t in tokens]),
        },
        "bytes": {part: float(np.mean([getattr(t.price, part) for t in tokens])) for part in ("coarse", "sidecar", "split", "rows")},
        "decided": {
            "by the coarse pass": sum(t.candidates == 1 for t in tokens),
            "in float64": sum(t.candidates > 1 and t.contenders == 1 for t in tokens),
            "in whole numbers": sum(t.contenders > 1 for t in tokens),
        },
        "blas_differs": found.blas,
        "reference_undecided_in_float64": reference.undecided,
        "shape": [rows, head.columns],
        "split": head.split,
        "memory_bytes": head.nbytes,
        "isa": kernel.isa(),
    }


def blas_limit(n: int) -> AbstractContextManager[Any] | None:
    """A context in which numpy's BLAS uses n threads; None when that cannot be had."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext() if n == threads() else None
    limit: AbstractContextManager[Any] = threadpool_limits(n, user_api="blas")
    return limit


def timing(weight: Weight, split: int, matrix: np.ndarray, hidden: np.ndarray) -> list[dict[str, Any]]:
    """Times with 1 thread each and with as many as there are processors; sides take turns, each time with another hidden state.

    First `ExactHead` and a whole Q8_0 pass with 8-bit activations and no bound, each with weights of its own, so that neither finds them in a cache because
    the other one has just read them.  Then `ExactHead`, the nested code and the float32 BLAS product.  ms: medians; cpu: of processor time, in all threads.
    """
    rows = []
    code = NestedCode(weight)
    for n in sorted({1, threads()}):
        limit = blas_limit(n)
        if limit is None:
            continue
        ours, peer, nested = ExactHead(weight, n), ExactHead(weight, n), CertifiedHead(code, split, n)
        since, mine, kept = time.perf_counter(), time.process_time(), busy_seconds()
        pair = clocked_turns((lambda i: ours.argmax(hidden[i]), lambda i: peer.unbounded(hidden[i : i + 1])), TIMED, len(hidden))
        with limit:
            three = clocked_turns((lambda i: ours.argmax(hidden[i]), lambda i: nested.argmax(hidden[i]), lambda i: matrix @ hidden[i]), TIMED, len(hidden))
        others = max(0.0, busy_seconds() - kept - (time.process_time() - mine)) / (time.perf_counter() - since)
        (ours_s, nested_s, blas_s), (_, nested_cpu, blas_cpu) = ([float(np.median(t)) for t in side] for side in three)
        (_, q8_s), (ours_cpu, q8_cpu) = ([float(np.median(t)) for t in side] for side in pair)
        rows.append(
            {
                "threads": n,
                "ours_ms": ours_s * 1e3,
                "ours_cpu_ms": ours_cpu * 1e3,
                "q8_pass_ms": q8_s * 1e3,
                "q8_pass_cpu_ms": q8_cpu * 1e3,
                "ratio_vs_q8_pass": ours_cpu / q8_cpu,
                "nested_ms": nested_s * 1e3,
                "nested_cpu_ms": nested_cpu * 1e3,
                "blas_ms": blas_s * 1e3,
                "blas_cpu_ms": blas_cpu * 1e3,
                "ratio": blas_s / ours_s,
                "rounds": len(pair[0][0]),
                "others": others,
            }
        )
    return rows


def speed(model: Model, head: ExactHead, matrix: np.ndarray, prompt: list[int]) -> dict[str, float]:
    """Tokens per second of greedy decoding with several heads over one set of layers of the engine, by one thread, and of the layers without any.

    Empty for a model with experts, which the engine does not run.
    """
    if model.config.experts:
        return {}
    heads: dict[str, Callable[[np.ndarray], int]] = {
        "exact head": head.argmax,
        "16-bit pass, no bound": lambda a: int(head.unbounded(a[None], 16)[0]),
        "8-bit pass, no bound": lambda a: int(head.unbounded(a[None])[0]),
        "float32 BLAS head": lambda a: int((matrix @ a).argmax()),
        "no head": lambda a: 0,
    }
    spent = dict.fromkeys(heads, 0.0)
    caches, last = {}, {}
    with Engine.of_model(model) as engine:
        for name in heads:
            caches[name] = engine.cache(len(prompt) + GENERATED)
            last[name] = engine.prefill(prompt, caches[name], "none").hidden[-1]
        for _ in range(GENERATED):  # in turns, so that all meet the same machine
            for name, head_of in heads.items():
                start = time.perf_counter()
                token = head_of(last[name])
                last[name] = engine.decode(token, caches[name], "none").hidden[-1]
                spent[name] += time.perf_counter() - start
    return {name: GENERATED / seconds for name, seconds in spent.items()}


# ---- the trial table and the levers ------------------------------------------------------------------------------------

SETTINGS = (
    ("whole-row bound", 0, "row"),
    ("blocks of 32", 0, "block"),
    ("16 split", 16, "row"),
    ("split 16 + blocks", 16, "block"),
    ("split 64 + blocks", 64, "block"),
)
LEVERS = (
    ("split 64, blocks of 16", 64, "half"),
    ("split 64, blocks of 8", 64, "quarter"),
    ("split 64, largest block of the row", 64, "largest"),
    ("split 64, largest residual × sum of sizes", 64, "sup"),
    ("split 32 + blocks", 32, "block"),
    ("split 96 + blocks", 96, "block"),
    ("split 128 + blocks", 128, "block"),
    ("norms alone, nothing read", 0, "norm"),
)


def table(weight: Weight, hidden: np.ndarray, bits: tuple[int, ...] = (4, 5, 6), progress: Progress = lambda *_: None) -> list[dict[str, Any]]:
    """Share of rows that stay candidates, for coarse planes of the top bits and several bounds.

    A measurement in float32 and float64 without outward rounding: it says which bound to build, and decides nothing.
    """
    codes = weight.blocks[:, 2:].view(np.int8).reshape(weight.rows, -1).astype(np.int16)
    scales = weight.blocks[:, :2].copy().view("<f2").astype(np.float32).reshape(weight.rows, -1)
    truth = hidden.astype(np.float64) @ weight.decoded().astype(np.float64).T
    cases = [(bit, *setting) for bit in bits for setting in SETTINGS] + [(4, *lever) for lever in LEVERS]
    found: list[dict[str, Any]] = []
    for bit in sorted({case[0] for case in cases}):
        step = 1 << (8 - bit)
        residual = (codes - np.floor_divide(codes, step) * step - (step - 1) / 2).astype(np.float32)
        whole = (codes.reshape(weight.rows, -1, 32) * scales[:, :, None]).reshape(weight.rows, -1)
        lost = (residual.reshape(weight.rows, -1, 32) * scales[:, :, None]).reshape(weight.rows, -1)
        for case in (case for case in cases if case[0] == bit):
            found.append(
                {"bits": bit, "bound": case[1], **_share(whole if case[3] == "norm" else lost, scales, truth, hidden, case[2], case[3], (step - 1) / 2)}
            )
            progress("table", len(found), len(cases))
    return found


def _share(lost: np.ndarray, scales: np.ndarray, truth: np.ndarray, hidden: np.ndarray, split: int, bound: str, most: float) -> dict[str, float]:
    size = {"row": lost.shape[1], "half": 16, "quarter": 8}.get(bound, 32)
    roots = np.sqrt(np.square(lost).reshape(len(lost), -1, size).sum(axis=2))
    if bound == "largest":
        roots = (roots / np.where(scales > 0, scales, 1)).max(axis=1, keepdims=True) * scales
    if bound == "sup":
        roots = most * np.abs(scales)
    share, kept, tight = [], 0, []
    for a, y in zip(hidden, truth):
        rest = a.copy()
        if split:
            rest[np.argpartition(np.abs(a), -split)[-split:]] = 0
        pieces = rest.reshape(-1, size)
        parts = np.abs(pieces).sum(axis=1) if bound == "sup" else np.sqrt(np.square(pieces).sum(axis=1))
        z, eps = y - lost @ rest, roots @ parts
        candidates = z + eps >= np.max(z - eps) if bound != "norm" else z + eps >= y.max()
        share.append(candidates.mean())
        kept += int(candidates[y.argmax()])
        tight.append(float(np.max(np.abs(y - z) / np.maximum(eps, 1e-30))))
    return {
        "share": float(np.mean(share)),
        "share_p90": float(np.quantile(share, 0.9)),
        "tightness": float(np.mean(tight)),
        "argmax_kept": kept,
        "positions": len(hidden),
    }


# ---- certified linear layers -------------------------------------------------------------------------------------------


def linear(model: Model, pattern: str, gamma: float, prompt: list[int], split: int = SPLIT) -> dict[str, Any]:
    """Run a passage with the matrices whose names match `pattern` replaced by certified products.

    The fine weights are the Q8_0 of what the file holds.  gamma: in units of the root mean square of each product's output in the run
    without replacement.  Every bound is one of a single product for the input that it got; nothing follows for the whole model, and the
    logits beside it are a measurement.
    Promises: tested `floats: head.CertifiedLinear`, `tests/test_head.py::test_a_model_runs_with_certified_layers`.
    """
    names = [name for name in model.products if fnmatch.fnmatch(name, pattern)]
    if not names:
        raise EmptyError("linear", 0, f"no matrix of the model has a name like {pattern!r}")
    fine = model.with_weights({name: as_q8_0(model.weights[name]) for name in names})
    plain: dict[str, np.ndarray] = {}

    def keep(name: str, product: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
        def run(x: np.ndarray) -> np.ndarray:
            plain[name] = product(x)
            return plain[name]

        return run

    originals = {name: fine.products[name] for name in names}
    for name in names:
        fine.products[name] = keep(name, originals[name])  # type: ignore[assignment]  # nbytes is not read here
    before = fine.prefill(prompt, fine.cache(len(prompt)), "all")
    certified, layers = {}, []
    for name in names:
        rms = float(np.sqrt(np.mean(np.square(plain[name].astype(np.float64)))))
        certified[name] = CertifiedLinear(fine.weights[name], gamma * rms, split)
        layers.append({"name": name, "gamma": gamma * rms})

    def measure(at: int, name: str) -> Callable[[np.ndarray], np.ndarray]:
        wide = fine.weights[name].decoded().astype(np.float64)
        product = certified[name]

        def run(x: np.ndarray) -> np.ndarray:
            y = product(x)
            error = np.abs(y - x.astype(np.float64) @ wide.T)
            layers[at] |= {
                "largest_error": float(error.max()),
                "largest_bound": float(product.last_bounds.max()),
                "within": bool(np.all(error <= product.last_bounds * (1 + 1e-9) + 1e-9 * np.abs(y))),
            }
            return y

        return run

    for at, name in enumerate(names):
        fine.products[name] = measure(at, name)  # type: ignore[assignment]  # nbytes is not read here
    after = fine.prefill(prompt, fine.cache(len(prompt)), "all")
    for layer in layers:
        total = certified[str(layer["name"])].total
        layer |= {"admitted": total.admitted / total.outputs, "bytes_vs_q8": total.bytes_read / total.bytes_whole}
    outputs, admitted = (sum(getattr(c.total, part) for c in certified.values()) for part in ("outputs", "admitted"))
    read, whole = (sum(getattr(c.total, part) for c in certified.values()) for part in ("bytes_read", "bytes_whole"))
    assert before.logits is not None and after.logits is not None
    return {
        "pattern": pattern,
        "gamma_over_rms": gamma,
        "split": split,
        "tokens": len(prompt),
        "products": len(names),
        "outputs": outputs,
        "admitted_share": admitted / outputs,
        "bytes_vs_q8": read / whole,
        "every_output_within_its_bound": all(layer["within"] for layer in layers),
        "logits_largest_deviation": float(np.abs(after.logits - before.logits).max()),
        "same_token": float(np.mean(after.logits.argmax(axis=1) == before.logits.argmax(axis=1))),
        "layers": layers,
    }
