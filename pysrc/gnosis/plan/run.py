"""A plan from beginning to end: importances, errors, effects on the outputs, the knapsack, exchange, and what each step cost and bought."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..compare import run as comparing
from ..compare import sure, text
from ..errors import ArgumentError, NonFiniteError, RangeError
from ..files.screen import Show
from ..lm import Model, corpus
from ..models.files import Model as File
from ..models.files import ModelError, open_model
from . import choose, codes, exchange, importance, measure, tensors
from .choose import Options, Plan
from .effects import Outputs
from .exchange import Trial
from .state import State, key
from .write import places, written

FEW = 4  # groups are measured on one in so many of the passages, and plans on all of them
READ = 1024  # positions of the importances that are made here
HALVINGS = 9  # of the size, in the search for a share of changed tokens
BUDGET = 1 << 30  # bytes of the original's logits that are kept
ABOUT = 4.5  # bits a weight from which that search begins


@dataclass(frozen=True)
class Settings:
    """What is asked.

    bpw, size, flips: one of them, the target: bits a weight of all tensors, bytes of all tensors, or the share of positions with another top token.
    imatrix: importances of llama.cpp; None: made here.  texts, tokens, length, seed: as in compare; seed also divides the text into halves.
    types: that are tried.  by: "outputs", or "weights" for the errors of weights alone.  most: positions on which plans are measured.
    seconds: for measuring groups and for exchange, each half.  state: file of measurements.  threads: of the engine.
    """

    bpw: float | None = None
    size: int | None = None
    flips: float | None = None
    imatrix: Path | None = None
    texts: tuple[Path, ...] = ()
    tokens: Path | None = None
    length: int = 64
    most: int = 1536
    seed: int = 0
    types: tuple[str, ...] = codes.TYPES
    by: str = "outputs"
    seconds: float = 900
    state: Path | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        given = [name for name in ("bpw", "size", "flips") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ArgumentError("target", " and ".join(given) or "none", "must be one of --bpw, --bytes and --flips")
        for name, low, high in (("bpw", 0.0, 32.0), ("flips", 0.0, 1.0), ("size", 0, 1 << 62), ("seconds", 0, 1e9)):
            value = getattr(self, name)
            if value is not None and not low < value < high:
                raise RangeError({"size": "bytes"}.get(name, name), value, f"must lie between {low:g} and {high:g}")
        if self.by not in ("outputs", "weights"):
            raise RangeError("by", self.by, "must be outputs or weights")
        if self.by == "weights" and self.flips is not None:
            raise ArgumentError("by", self.by, "knows nothing of changed tokens, which --flips is about")
        codes.checked(self.types)

    def comparison(self, half: int) -> comparing.Settings:
        """As compare takes it: half 1 is what is chosen on, 2 is new to the plan."""
        required = () if half == 1 or self.flips is None else (sure.requirement(f"flips<={self.flips:g} at 0.99"),)
        return comparing.Settings(
            required, self.texts, self.tokens, self.length, max(4096, self.length), self.seed, threads=self.threads, half=half, half_seed=self.seed
        )


class Planned:
    """A plan and all that is needed to write it.  document: for JSON."""

    def __init__(self, file: File, known: dict[str, tensors.Tensor], plan: Plan, coder: tensors.Coder, document: dict[str, Any]) -> None:
        self.file, self.known, self.plan, self.coder, self.document = file, known, plan, coder, document

    def write(self, out: Path, show: Show) -> list[Path]:
        return written(self.file, self.known, self.plan, self.coder, out, show)


def planned(original: str, settings: Settings, show: Show, out: Path | None = None) -> Planned:
    """Choose.  out: where the plan will be written, looked at before any work.  ModelError, ArgumentError, OSError, NonFiniteError."""
    codes.library()
    start = time.monotonic()
    weighed = None if settings.imatrix is None else importance.read(settings.imatrix)
    given = None if settings.tokens is None else corpus.numbers(settings.tokens)
    body = corpus.files(list(settings.texts)) if settings.texts else None
    file = open_model(original)
    if out is not None:
        places(file, out)
    every = tensors.chosen(file, codes.checked(settings.types))
    if not every:
        raise ModelError(f"{file.path}: no matrix has rows that divide into blocks of {', '.join(settings.types)} and would get smaller")
    for tensor in every:
        _finite(file, tensor)
    model, passages, problem = _language_model(file, settings, body, given)
    if model is None and settings.flips is not None:
        raise ModelError(f"{file.path}: changed tokens cannot be counted: {problem}")
    return _Run(file, every, model, passages, problem, weighed, settings, start).planned(show)


def _finite(file: File, tensor: tensors.Tensor) -> None:
    """ModelError naming the place of a weight that is no finite number, before anything is measured."""
    step = max(1, tensors.PIECE // tensor.columns)
    for at in range(0, tensor.rows, step):
        file.rows(tensor.name, np.arange(at, min(at + step, tensor.rows)))
    file.release(tensor.name)


def _language_model(
    file: File, settings: Settings, body: corpus.Text | None, given: list[list[int]] | None
) -> tuple[Model | None, list[text.Passage], str | None]:
    """The model and the passages of half 1; None and why where the engine does not run it."""
    try:
        model = Model.of_file(file, threads=settings.threads)
        if model.config.experts:
            raise ModelError(f"{file.path}: the engine runs no model with experts")
        return model, comparing.passages_of(model, settings.comparison(1), body, given), None
    except ModelError as error:
        if settings.texts or settings.tokens is not None:
            raise
        return None, [], str(error)


class _Run:
    """One plan being made."""

    def __init__(
        self,
        file: File,
        every: list[tensors.Tensor],
        model: Model | None,
        passages: list[text.Passage],
        problem: str | None,
        weighed: dict[str, np.ndarray] | None,
        settings: Settings,
        start: float,
    ) -> None:
        self.file, self.every, self.model, self.problem, self.settings, self.start = file, every, model, problem, settings, start
        self.known = {tensor.name: tensor for tensor in every}
        self.fixed = sum(info.nbytes for info in file.tensors.values() if info.name not in self.known)
        self.weights = sum(info.weights for info in file.tensors.values())
        order = np.random.default_rng([settings.seed, 1]).permutation(len(passages))
        self.passages, self.read = _taken(passages, order, self._most()), _taken(passages, order[::-1], READ)
        self.state = State(settings.state, key(self._about(weighed)))
        self.weighed = weighed
        self.seconds: dict[str, float] = {}

    def _most(self) -> int:
        vocabulary = 1 if self.model is None else self.model.config.vocabulary
        return max(1, min(self.settings.most, BUDGET // (4 * vocabulary)))

    def _about(self, weighed: dict[str, np.ndarray] | None) -> Any:
        """What measurements depend on."""
        given = None if weighed is None else {name: values.astype(float).sum().item() for name, values in sorted(weighed.items())}
        return [self.file.sha256(), [p.name for p in self.file.places], self.file.size, self.settings.types, given, [p.tokens for p in self.passages]]

    def planned(self, show: Show) -> Planned:
        weighed = self.weighed if self.weighed is not None else self._importances(show)
        coder = tensors.Coder(self.file, weighed)
        start = time.monotonic()
        errors = tensors.all_errors(coder, self.every, self.state, show)
        self.seconds["errors of weights"] = time.monotonic() - start
        by_weights: Options = {tensor.name: coder.options(tensor, errors[tensor.name]) for tensor in self.every}
        found: dict[str, Any] = {"groups": [], "trials": [], "additivity": None, "anchor": None}
        if self.model is None:
            options = by_weights
            plan = choose.knapsack(options, self._budget(options))
        else:
            show("the original's outputs")
            outputs = Outputs(self.model, self.passages, self.settings.threads)
            measures = measure.Measures(outputs, coder, self.every, self.state, max(1, len(self.passages) // FEW))
            plan, options, found = self._measured(measures, errors, by_weights, show)
        return Planned(self.file, self.known, plan, coder, self._document(plan, options, by_weights, found, weighed))

    def _importances(self, show: Show) -> dict[str, np.ndarray]:
        if self.model is None:
            return {}
        known = self.state.get("importances")
        if known is None:
            start = time.monotonic()
            show("importances: the activations of the original")
            known = {name: values.tolist() for name, values in importance.made(self.model, self.read).items()}
            self.state.put("importances", known)
            self.seconds["importances"] = time.monotonic() - start
        return {name: np.array(values, np.float32) for name, values in known.items()}

    def _budget(self, options: Options) -> int:
        """Bytes for the tensors with a choice.  RangeError where the smallest types take more."""
        s = self.settings
        whole = s.size if s.size is not None else math.floor((s.bpw or ABOUT) * self.weights / 8)
        if self.fixed + choose.least(options) > whole and s.flips is None:
            low = 8 * (self.fixed + choose.least(options)) / self.weights
            name, value = ("bytes", s.size) if s.size is not None else ("bpw", s.bpw)
            raise RangeError(
                name,
                value,
                f"is not possible: the smallest types of {', '.join(s.types)} make {self.fixed + choose.least(options)} bytes, {low:.3f} bits a weight",
            )
        return max(whole - self.fixed, choose.least(options))

    def _measured(
        self, measures: measure.Measures, errors: dict[str, dict[str, float]], by_weights: Options, show: Show
    ) -> tuple[Plan, Options, dict[str, Any]]:
        budget = self._budget(by_weights)
        if self.settings.by == "weights":
            trial = exchange.tried("errors of weights", choose.lagrange(by_weights, budget), by_weights, measures)
            trial.kept = True
            return trial.plan, by_weights, {"groups": [], "trials": [trial], "additivity": None, "anchor": None}
        groups, first = self._groups(measures, errors, show)
        below = min(measure.PROBED, 8 * budget / sum(t.rows * t.columns for t in self.every))
        start = time.monotonic()
        every = list(measure.groups_measured(measures, groups, errors, max(below, measure.PROBED - 1), show))
        self.seconds["effects of groups"] = time.monotonic() - start + first
        options = measure.costs(measures.coder, every, errors)
        start = time.monotonic()
        if self.settings.flips is not None:
            budget = self._small_enough(options, measures, show)
        show("anchor: errors of weights alone")
        anchor = exchange.tried("anchor: errors of weights, one price for a byte", choose.lagrange(by_weights, budget), by_weights, measures)
        anchor.predicted = choose.cost(options, anchor.plan)
        best = exchange.tried("knapsack of measured effects", choose.knapsack(options, budget), options, measures)
        additivity = {"sum_of_effects": best.predicted, "measured": best.kl}
        # whatever is nearer to the original goes on: the anchor as well, where groups were too coarse
        best = anchor if exchange.better(anchor, best) else best
        best.kept = True
        until = exchange.clock(self.settings.seconds / 2)
        trials = [best, *exchange.exchanged(best, options, self.every, budget, measures, until, show, self.settings.flips)]
        self.seconds["exchange"] = time.monotonic() - start
        last = [trial for trial in trials if trial.kept][-1]
        return last.plan, options, {"groups": every, "trials": trials, "additivity": additivity, "anchor": anchor}

    def _groups(self, measures: measure.Measures, errors: dict[str, dict[str, float]], show: Show) -> tuple[list[measure.Group], float]:
        """As fine as the time allows: what one measurement takes is seen on the largest tensor first."""
        fewest = measure.grouped(self.every, 0)
        known = self.state.get("groups")
        if known is None:
            show("how long a measurement takes")
            start = time.monotonic()
            measures.outputs.effect({}, measures.few)
            first = time.monotonic() - start
            known = max(len(fewest), int(self.settings.seconds / 2 / max(first, 1e-3)))
            self.state.put("groups", known)
        else:
            first = 0.0
        return measure.grouped(self.every, known), first

    def _small_enough(self, options: Options, measures: measure.Measures, show: Show) -> int:
        """The fewest bytes at which the measured share of changed tokens is at most the target, by halving.  RangeError where no plan reaches it."""
        wanted = self.settings.flips
        assert wanted is not None
        low, high = (
            choose.least(options),
            sum(max(option.size for option in found if option.code != self.known[name].encoding) for name, found in options.items()),
        )

        def flips(budget: int) -> float:
            show(f"changed tokens at {8 * (budget + self.fixed) / self.weights:.2f} bits a weight")
            return exchange.tried("size", choose.knapsack(options, budget), options, measures).flips

        if (least := flips(high)) > wanted:
            raise RangeError(
                "flips", wanted, f"is not reached: with the largest types of {', '.join(self.settings.types)} the share is {least:.4g} on these passages"
            )
        for _ in range(HALVINGS):
            middle = (low + high) // 2
            low, high = (low, middle) if flips(middle) <= wanted else (middle, high)
        return high

    def _document(self, plan: Plan, options: Options, by_weights: Options, found: dict[str, Any], weighed: dict[str, np.ndarray]) -> dict[str, Any]:
        size = self.fixed + choose.size(options, plan)
        s = self.settings
        trials: list[Trial] = found["trials"]
        kept = [trial for trial in trials if trial.kept]
        return {
            "v": 1,
            "original": {"name": self.file.name, "path": str(self.file.path), "format": self.file.format, "bytes": self.file.size},
            "target": {"bpw": s.bpw, "bytes": s.size, "flips": s.flips},
            "types": list(s.types),
            "by": s.by if self.model is not None else "weights",
            "no_outputs": self.problem,
            "importances": "file" if s.imatrix is not None else "text" if weighed else "none",
            "half": 1,
            "seed": s.seed,
            "length": s.length,
            "positions": sum(p.positions for p in self.passages),
            "passages": len(self.passages),
            "bytes": size,
            "weights": self.weights,
            "bits_per_weight": 8 * size / self.weights,
            "fixed_bytes": self.fixed,
            "kl": kept[-1].kl if kept else None,
            "flips": kept[-1].flips if kept else None,
            "anchor": None if found["anchor"] is None else found["anchor"].shown(),
            "additivity": found["additivity"],
            "tensors": [self._tensor(tensor, plan, options, by_weights) for tensor in self.every],
            "groups": [measure.shown(one) for one in found["groups"]],
            "trials": [trial.shown() for trial in trials],
            "neighbours": _neighbours(options, plan) if s.by == "outputs" and self.model is not None else [],
            "measured_before": self.state.taken,
            "seconds": {**self.seconds, "in all": time.monotonic() - self.start},
        }

    def _tensor(self, tensor: tensors.Tensor, plan: Plan, options: Options, by_weights: Options) -> dict[str, Any]:
        code = plan[tensor.name]
        option, error = (next(o for o in found[tensor.name] if o.code == code) for found in (options, by_weights))
        return {
            "name": tensor.name,
            "role": tensor.role,
            "original_code": tensor.encoding,
            "code": code,
            "bytes": option.size,
            "bits_per_weight": 8 * option.size / (tensor.rows * tensor.columns),
            "cost": option.cost,
            "error": error.cost,
        }


def _taken(passages: Sequence[text.Passage], order: np.ndarray, most: int) -> list[text.Passage]:
    """Passages in an order until there are so many positions; one at the least."""
    found: list[text.Passage] = []
    for i in order:
        if found and sum(p.positions for p in found) + passages[i].positions > most:
            break
        found.append(passages[i])
    return found


def _neighbours(options: Options, plan: Plan) -> list[dict[str, Any]]:
    """What the next bytes would buy: the sum of costs at other sizes, each chosen anew."""
    size, now = choose.size(options, plan), choose.cost(options, plan)
    found = []
    for share in (0.9, 0.95, 1.0, 1.05, 1.1, 1.25):
        budget = int(size * share)
        if budget >= choose.least(options):
            other = choose.knapsack(options, budget)
            found.append(
                {
                    "bytes": choose.size(options, other),
                    "predicted": choose.cost(options, other),
                    "of_this_plan": choose.cost(options, other) / now if now else None,
                }
            )
    return found


__all__ = ["NonFiniteError", "Planned", "Settings", "planned"]
