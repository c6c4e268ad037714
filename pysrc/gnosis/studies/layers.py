"""Which matrices of a transformer may run from a coarse code: a conformal admission for each, on real activations.

A score is what the code does to a matrix's output at one position of a text: the largest |coarse − exact| over all rows.  The
threshold of a matrix is a conformal one, and the matrix is admitted when twice the threshold is at most γ.  Then, at a new
position, the matrix is admitted and yet errs by more than γ/2 with probability at most (n + 1 − k)/(n + 1) ≤ 1 − q, stated rounded up, though γ comes
from the calibration positions (`Gnosis.conformal_admitted_failure_rate_any_margin`).  That some matrix does so has at most the sum of
these probabilities over *all* matrices, the refused ones too (`Gnosis.conformal_layers_union`).

Neighbouring positions of a text are alike, not exchangeable.  So the unit is the passage: passages of equal length are cut from all
documents, the split into calibration and held-out passages is random, and one position is drawn at random from each.  Those
positions are exchangeable.  They speak about a random position of a random passage of this text and length, and no other text.

γ is a multiplier times the RMS of the matrix's exact outputs at the calibration positions.  Both are set by us; no decision of
the model gives them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..codes.lattice import Code, quantize
from ..codes.lattice.rounding import BLOCK
from ..errors import ArgumentError, NonFiniteError, RangeError
from ..files import pages
from ..gates.conformal import calibrate
from ..lm.activations import encode, token_ids
from ..lm.corpus import Numbered, Text, numbered, numbers
from ..lm.corpus import passages as cut_passages
from ..lm.model import Model as Language
from ..models.files import Model as File
from ..models.files import open_model
from ..models.roles import role
from ..numbers.bounds import above, enclose
from ..numbers.levels import Level, level, whole, written
from ..probe.figures import Rate, margin_down
from ..probe.gate import energy, relative_error

E8 = Code("e8", 4)
LENGTH = 32  # tokens of a passage
CHUNK = 1 << 22  # products of weights and positions that are worked on at once, in numbers of the residual
TOGETHER = 64  # passages in one pass of MiniLM
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Drawn:
    """One position of each passage.

    passages: its tokens, all different.  positions: int[n].  calibration, held: numbers of passages.  about: for the report.
    ArgumentError when a passage is on both sides, or twice among all.
    """

    passages: list[list[int]]
    positions: np.ndarray
    calibration: np.ndarray
    held: np.ndarray
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sides = [{tuple(self.passages[i]) for i in side} for side in (self.calibration, self.held)]
        if shared := len(sides[0] & sides[1]):
            raise ArgumentError("held", shared, "so many passages calibrate and are held out as well")
        if len(sides[0]) != len(self.calibration) or len(sides[1]) != len(self.held):
            raise ArgumentError("passages", len(self.passages), "a passage occurs twice")


def draw_passages(source: Iterator[list[int]], tokens: int, seed: int, text: Text | Numbered) -> Drawn:
    """Passages of LENGTH tokens and a position of each.

    source: passages in random order; those of another length and those met before are passed over.  tokens: to take, in whole passages.  A random half
    calibrates.  RangeError for less than two passages, or when the source holds fewer.
    """
    count = whole(tokens, "tokens", 2 * LENGTH) // LENGTH
    kept: dict[tuple[int, ...], None] = {}
    again = 0
    for ids in source:
        if len(kept) == count:
            break
        if len(ids) == LENGTH:
            again += tuple(ids) in kept
            kept[tuple(ids)] = None
    if len(kept) < count:
        raise RangeError("tokens", tokens, f"the text gives {len(kept)} different passages of {LENGTH} tokens")
    positions = np.random.default_rng([seed, 1]).integers(0, LENGTH, count)
    about = {
        "unit": f"one random position of each passage of {LENGTH} tokens",
        "passages": count,
        "passed_over": again,
        "documents": len(text.documents),
        "text_sha256": text.sha256,
    }
    # of a passage that occurs more than once the first is kept, which comes earlier than others do: then the order is drawn anew
    order = np.random.default_rng([seed, 2]).permutation(count) if again else np.arange(count)
    return Drawn([list(ids) for ids in kept], positions, order[: count // 2], order[count // 2 :], about)


# ---- what reaches each matrix ------------------------------------------------------------------------------------------------------


def language_inputs(language: Language, drawn: Drawn, progress: Progress | None = None) -> dict[str, np.ndarray]:
    """Inputs of every matrix at the drawn positions, float32[passages, columns] by tensor name; a passage is read up to its position."""
    found: dict[str, list[np.ndarray]] = {}

    def hook(name: str, x: np.ndarray) -> None:
        if name.endswith(".weight"):
            found.setdefault(name, []).append(x[-1].copy())

    for i, (ids, at) in enumerate(zip(drawn.passages, drawn.positions, strict=True)):
        step = language.prefill(ids[: at + 1], language.cache(int(at) + 1), "none", hook)
        found.setdefault(language.head_name, []).append(step.hidden[-1])
        if progress is not None:
            progress("reading", i + 1, len(drawn.passages))
    return {name: np.stack(rows) for name, rows in found.items()}


def minilm_inputs(model: File, drawn: Drawn, progress: Progress | None = None) -> dict[str, np.ndarray]:
    """As `language_inputs`, for MiniLM, which reads every passage whole."""
    found: dict[str, list[np.ndarray]] = {}
    for start in range(0, len(drawn.passages), TOGETHER):
        record: dict[str, np.ndarray] = {}
        part = drawn.passages[start : start + TOGETHER]
        encode(model, part, record)
        places = np.arange(len(part)) * LENGTH + drawn.positions[start : start + len(part)]
        for name, x in record.items():
            found.setdefault(name, []).append(x[places])
        if progress is not None:
            progress("reading", start + len(part), len(drawn.passages))
    return {name: np.concatenate(rows) for name, rows in found.items()}


def minilm_passages(text: Text, rng: np.random.Generator) -> Iterator[list[int]]:
    """Passages of at most LENGTH tokens with MiniLM's marks around them, in random order.

    Promises: tested `tests/test_layers.py::test_inputs_of_minilm`.
    """
    letters = 8 * LENGTH  # holds LENGTH tokens nearly always; what follows in the piece is left out
    pieces = [body[at : at + letters] for _, body in text.documents for at in range(0, len(body), letters)]
    order = rng.permutation(len(pieces))
    for start in range(0, len(order), 256):
        for first, *body, last in token_ids(tuple(pieces[i] for i in order[start : start + 256])):
            yield [first, *body[: LENGTH - 2], last]


# ---- scores -------------------------------------------------------------------------------------------------------------------------


def scores(weights: np.ndarray, coarse: np.ndarray, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest error over all rows at each position, rounded up, and the sum of all squared exact outputs by position.

    weights, coarse: float32[rows, columns]; inputs: float32[n, columns].  Returns float64[n], float64[n].
    Promises: tested `tests/test_layers.py::test_scores_bound_the_exact_error_closely`.
    """
    x = inputs.astype(np.float64)
    columns = weights.shape[1]
    worst, longest, squares = np.zeros(len(x)), 0.0, np.zeros(len(x))
    for start in range(0, len(weights), rows := max(1, CHUNK // columns)):
        exact = weights[start : start + rows].astype(np.float64)
        residual = coarse[start : start + rows] - exact
        np.maximum(worst, np.abs(x @ residual.T).max(-1, initial=0), out=worst)
        longest = max(longest, float(energy(residual).max()))
        squares += energy(inputs @ weights[start : start + rows].T)
    # a float64 sum errs by at most this share of ‖residual row‖·‖input‖, the difference of two float32 being rounded once
    slack = relative_error(columns) * above(np.sqrt(longest)) * above(np.sqrt(energy(x)))
    return above(worst + 2 * slack), squares


def admission(name: str, weights: int, calibration: np.ndarray, held: np.ndarray, scale: float, multiplier: float, q: Level) -> dict[str, Any]:
    """One matrix of the result.

    weights: how many it has.  calibration, held: float64[n] scores.  scale: what γ is a multiple of; γ is rounded down.
    above_half: held-out scores beyond γ/2, admitted or not; lies: those of an admitted matrix.
    least_multiplier: the least that admits, None when none does.
    """
    gate = calibrate(calibration, q)
    if not np.isfinite(held).all():
        where = int(np.argmin(np.isfinite(held)))
        raise NonFiniteError("held", float(held[where]), where)
    gamma = margin_down(multiplier, scale)
    admit = gate.decide(gamma).admit
    over = int((2 * held > gamma).sum())
    least = gate.least_margin
    return {
        "name": name,
        "role": role(name),
        "weights": weights,
        "scale": scale,
        "gamma": gamma,
        "calibration": gate.count,
        "rank": gate.rank,
        "rate": enclose(gate.rate)[1],
        "threshold": None if gate.threshold is None else float(gate.threshold),
        "least_multiplier": None if least is None or not scale else float(least) / scale,
        "admitted": admit,
        "above_half": over,
        "lies": Rate.make(count=over if admit else 0, of=len(held)).model_dump(),
    }


def summary(rows: list[dict[str, Any]], any_lie: np.ndarray | None = None) -> dict[str, Any]:
    """Compute is counted as weights times positions, and all matrices have the same positions.

    any_lie: bool[n], held-out positions at which at least one admitted matrix lies.
    Promises: tested `tests/test_layers.py::test_the_made_up_transformer`, `tests/test_layers.py::test_a_refused_layer_counted_as_admitted_is_seen`.
    """

    def share(part: list[dict[str, Any]]) -> float | None:
        every = sum(r["weights"] for r in part)
        return sum(r["weights"] for r in part if r["admitted"]) / every if every else None

    inside = [r for r in rows if r["role"] not in ("embedding", "head")]
    return {
        "matrices": len(rows),
        "admitted": sum(r["admitted"] for r in rows),
        "compute_admitted": share(rows),
        "compute_admitted_in_layers": share(inside),
        "refused": [r["name"] for r in rows if not r["admitted"]],
        "rate": max((r["rate"] for r in rows if r["admitted"]), default=0.0),
        "rate_of_all": min(1.0, math.nextafter(math.fsum(r["rate"] for r in rows), math.inf)),
        "most_lies": max((r["lies"]["share"] for r in rows), default=0.0),
        "any_lie": None if any_lie is None else Rate.make(count=int(any_lie.sum()), of=len(any_lie)).model_dump(),
    }


def _checked(q: Level, multiplier: float, seed: int) -> None:
    level(q, "q")
    if not written(multiplier, "gamma_multiplier") > 0:
        raise RangeError("gamma_multiplier", multiplier, "must be above 0")
    whole(seed, "seed")


def study(
    name: str,
    text: Text | Path,
    q: Level = "0.99",
    multiplier: float = 1.6,
    code: Code = E8,
    tokens: int = 12_800,
    seed: int = 0,
    workers: int = 2,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Every matrix of a model: `minilm`, `smollm2`, or the path of a .gguf file of the llama architecture.

    text: where passages are cut from, or a file of token numbers, a document a line (`gnosis.lm.corpus.numbers`), of language models.  q: level.  multiplier: of γ.  code: of the weights, with a float16 scale per 32.
    above_half_at_ends of a row: how many of `above_half` are first or last positions of a passage.
    ModelError, ActivationsUnavailable, RangeError, DtypeError, NonFiniteError.
    """
    _checked(q, multiplier, seed)
    given = numbers(text) if isinstance(text, Path) else None
    rng = np.random.default_rng(seed)
    file = open_model(name)
    if name == "minilm":
        if isinstance(text, Path):
            raise ArgumentError("tokens", text, "are for language models; minilm reads text")
        drawn = draw_passages(minilm_passages(text, rng), tokens, seed, text)
        inputs = minilm_inputs(file, drawn, progress)
        matrix = file.all_rows
    else:
        language = Language.of_file(file, "blas")
        body = numbered(text, given or [], language.config.vocabulary) if isinstance(text, Path) else text
        drawn = draw_passages(cut_passages(body, language.tokenizer, LENGTH, rng), tokens, seed, body)
        inputs = language_inputs(language, drawn, progress)
        weights = language.weights
        del language  # its decoded matrices take four bytes a weight

        def matrix(name: str) -> np.ndarray:
            return weights[name].decoded()

    def one(tensor: str) -> tuple[dict[str, Any], np.ndarray]:
        exact = matrix(tensor)
        found, squares = scores(exact, quantize(exact, code).decode(), inputs[tensor])
        scale = float(np.sqrt(squares[drawn.calibration].sum() / len(drawn.calibration) / len(exact)))
        row = admission(tensor, exact.size, found[drawn.calibration], found[drawn.held], scale, multiplier, q)
        over = 2 * found[drawn.held] > row["gamma"]
        row["above_half_at_ends"] = int((over & np.isin(drawn.positions[drawn.held], (0, LENGTH - 1))).sum())
        return row, row["admitted"] & over

    rows, any_lie = [], np.zeros(len(drawn.held), dtype=bool)
    with ThreadPoolExecutor(workers) as pool:
        for i, (row, lies) in enumerate(pool.map(one, inputs)):
            rows.append(row)
            any_lie |= lies
            if progress is not None:
                progress("matrices", i + 1, len(inputs))
    return {
        **_head(name, q, multiplier, seed),
        "code": {"lattice": code.lattice, "bits": code.bits, "bits_per_weight": code.bits + 16 / BLOCK},
        "about": drawn.about,
        "rows": rows,
        "summary": summary(rows, any_lie),
    }


def _head(name: str, q: Level, multiplier: float, seed: int) -> dict[str, Any]:
    return {
        "v": 1,
        "model": name,
        "q": str(q),
        "gamma_multiplier": multiplier,
        "seed": seed,
        "theorem": "Gnosis.conformal_admitted_failure_rate_any_margin",
        "theorem_of_all": "Gnosis.conformal_layers_union",
    }


# ---- a set of which it is known what is in it -----------------------------------------------------------------------------------------

LAYERS, HIDDEN, VOCABULARY = 12, 768, 32_000
SHAPES: Mapping[str, int] = {"attn_qkv": 3 * HIDDEN * HIDDEN, "attn_output": HIDDEN * HIDDEN, "ffn_up": 4 * HIDDEN * HIDDEN, "ffn_down": 4 * HIDDEN * HIDDEN}
OUTLIERS, LOUDER = 0.03, 8.0  # of the scores of an outlier-heavy matrix: how many, and by what factor


def synthetic(n: int, seed: int) -> dict[str, tuple[int, np.ndarray, np.ndarray]]:
    """Weights, calibration and held-out scores of a made-up transformer: `ffn_down` and the embedding are heavy with outliers.

    Scores are sizes of Gaussian numbers with a deviation between 0.15 and 0.28 for each matrix, and some of an outlier-heavy
    matrix's are LOUDER.  Independent, so exchangeable.  n: scores on each side.
    """
    whole(n, "n", 1)
    rng = np.random.default_rng(seed)
    names = {f"blk.{layer}.{part}.weight": size for layer in range(LAYERS) for part, size in SHAPES.items()}
    out = {}
    for name, size in {**names, "token_embd.weight": VOCABULARY * HIDDEN}.items():
        found = np.abs(rng.normal(0, rng.uniform(0.15, 0.28), 2 * n))
        if "ffn_down" in name or "token_embd" in name:
            found = np.where(rng.random(2 * n) < OUTLIERS, LOUDER, 1.0) * found
        out[name] = (size, found[:n], found[n:])
    return out


def synthetic_study(q: Level = "0.99", multiplier: float = 1.6, n: int = 2000, seed: int = 0) -> dict[str, Any]:
    """That admission on the made-up set; γ is the multiplier itself, in the unit of the scores.  RangeError, DtypeError."""
    _checked(q, multiplier, seed)
    rows, any_lie = [], np.zeros(n, dtype=bool)
    for name, (size, calibration, held) in synthetic(n, seed).items():
        rows.append(admission(name, size, calibration, held, 1.0, multiplier, q))
        any_lie |= rows[-1]["admitted"] & (2 * held > rows[-1]["gamma"])
    about = {"unit": "independent scores", "scores": n, "outlier_share": OUTLIERS, "outlier_factor": LOUDER}
    return {**_head("synthetic", q, multiplier, seed), "code": None, "about": about, "rows": rows, "summary": summary(rows, any_lie)}


def draw(documents: list[dict[str, Any]], path: Path) -> None:
    """The least multiplier of every matrix beside the one set, as SVG, a panel for each study.  ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "gnosis", "svg.fonttype": "none"}):
        figure = Figure(figsize=(11, 2.6 * len(documents)), layout="constrained")
        for document, axes in zip(documents, figure.subplots(len(documents), 1, squeeze=False)[:, 0], strict=True):
            for admitted, colour in ((True, "#4477aa"), (False, "#cc3311")):
                points = [(i, r["least_multiplier"]) for i, r in enumerate(document["rows"]) if r["admitted"] == admitted and r["least_multiplier"] is not None]
                axes.plot([p[0] for p in points], [p[1] for p in points], "o", markersize=3, color=colour, label="admitted" if admitted else "refused")
            axes.axhline(document["gamma_multiplier"], color="black", linewidth=0.6, linestyle=":")
            axes.set_yscale("log")
            axes.set_ylabel("least multiplier")
            share = document["summary"]["compute_admitted"]
            axes.set_title(
                f"{document['model']}: {share:.1%} of compute admitted at q = {document['q']}, γ = {document['gamma_multiplier']:g} × scale", fontsize=9
            )
            axes.set_xlabel("matrix, in the order in which the model uses them")
            axes.legend(frameon=False, fontsize=7)
            axes.spines[["top", "right"]].set_visible(False)
        pages.save_plot(figure, path)
