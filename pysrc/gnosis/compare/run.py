"""A comparison from beginning to end: weights, then passages until everything that was asked is decided or the text has run out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from ..cluster import connected
from ..errors import NonFiniteError, RangeError
from ..files.inputs import quoted
from ..files.remote import Place
from ..files.screen import Show
from ..lm import Model, corpus, published
from ..models.files import Model as File
from ..models.files import ModelError, open_model
from ..numbers.levels import Level
from ..numbers.levels import level as read_level
from . import figures, gates, names, spread, sure, text, weights
from .outputs import Seen, read
from .runners import opened, runner

RECORDED = 128  # positions whose activations are held against the gates
FOLLOWED = ("flips", "tv", "kl")  # whose intervals are kept after every draw
RANKED = "tv"  # figure by whose paired differences candidates are ranked
PROVED, REFUTED, OPEN = 0, 1, 3  # exit codes


@dataclass(frozen=True)
class Settings:
    """What is asked.

    require: requirements.  texts, tokens: files to read, the descriptions of installed packages where there are none.  length: most tokens of a passage.
    most: positions that are read.  seed: of the draws.  confidence: of all intervals together.  level: of the conformal threshold.  top: size of the
    sets.  threads: of the engine.  which: "both", "weights" or "outputs".  activations: positions at which the gates of every matrix are asked; None for
    RECORDED where weights and outputs are compared and nothing is required, else 0.  half: 1 or 2, of the passages
    as `text.half` divides them with half_seed; 0 for all.
    """

    require: tuple[sure.Requirement, ...] = ()
    texts: tuple[Place, ...] = ()
    tokens: Place | None = None
    length: int = 64
    most: int = 4096
    seed: int = 0
    confidence: Level = "0.99"
    level: Level = "0.9"
    top: int = 5
    threads: int = 1
    which: str = "both"
    activations: int | None = None
    half: int = 0
    half_seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("length", 2), ("most", 1), ("seed", 0), ("top", 1), ("threads", 1), ("activations", 0), ("half_seed", 0)):
            if getattr(self, name) is not None and getattr(self, name) < least:
                raise RangeError(name, getattr(self, name), f"must be at least {least}")
        if self.half not in (0, 1, 2):
            raise RangeError("half", self.half, "must be 1 or 2, or 0 for the whole text")
        read_level(self.confidence, "confidence")
        read_level(self.level, "level")

    @property
    def asked(self) -> bool:
        """Whether outputs were asked for in so many words."""
        return bool(self.require or self.texts or self.tokens is not None or self.which == "outputs")

    @property
    def recorded(self) -> int:
        """Positions whose activations are held against the gates."""
        if self.activations is not None:
            return self.activations
        return RECORDED if self.which == "both" and not self.require else 0


def compare(original: str, candidates: Sequence[str], settings: Settings, show: Show, dask: Any = None) -> dict[str, Any]:
    """The whole document.  dask: workers that read the files, as for `gnosis.cluster.connected`.  ModelError, ArgumentError, OSError."""
    with ExitStack() as stack:
        return _compare(original, candidates, settings, show, None if dask is None else stack.enter_context(connected(dask)))


def _compare(original: str, candidates: Sequence[str], settings: Settings, show: Show, client: Any) -> dict[str, Any]:
    given = None if settings.tokens is None else corpus.numbers(settings.tokens)
    body = corpus.files(list(settings.texts)) if settings.texts else None
    first, others = open_model(original), [open_model(name) for name in candidates]
    pairs = [names.paired(first, other) for other in others]
    document: dict[str, Any] = {"v": 1, "original": _file(first), "candidates": [{**_file(other), "same_file": _same(first, other)} for other in others]}
    if settings.which != "outputs":
        for entry, found, other in zip(document["candidates"], pairs, others):
            entry["weights"] = weights.compared(found, show, None if client is None else spread.tensors(client, first, other, len(found.pairs)))
    document["outputs"], document["no_outputs"] = None, None
    if settings.which == "weights":
        document["no_outputs"] = "not asked for"
        return document
    with ExitStack() as stack:
        try:
            files, asked = [first, *others], settings.recorded and settings.which == "both"
            models = [spread.described(file) if client is not None and not asked else opened(file, settings.threads, show) for file in files]
            _same_tokens(files, models)
            passages = passages_of(models[0], settings, body, given)
            if client is None:
                engines: list[Any] = [
                    stack.enter_context(runner(file, model, settings.threads)) for file, model in zip(files, models) if isinstance(model, Model)
                ]
            else:
                engines = models
                spread.ready(client, files, settings.threads)
        except ModelError as error:
            if settings.asked:
                raise
            document["no_outputs"] = str(error)
            return document
        if asked:
            for entry, found, model in zip(document["candidates"], pairs, models[1:]):
                assert isinstance(model, Model)
                _gates(entry["weights"], found, model, passages, settings.recorded, show)
        document["outputs"] = _Run(engines, [first, *others], passages, settings, client).document(show)
    return document


def _gates(weighed: dict[str, Any], pairs: names.Pairs, model: Model, passages: list[text.Passage], most: int, show: Show) -> None:
    """Beside each tensor's energies what the gates make of the activations that enter it in the quantized file."""
    show("activations")
    mapped = published.name_map(model.config.architecture, model.config.layers)
    own = {p.quantized.name: mapped.get_name(p.quantized.name, try_suffixes=(".weight", ".bias")) or p.quantized.name for p in pairs.pairs} if mapped else {}
    try:
        asked = gates.compared(pairs, gates.activations(model, passages, most), own, show)
    except NonFiniteError as error:
        raise ModelError(f"{pairs.pairs[0].quantized.file.path}: {error}") from None
    for tensor in weighed["tensors"]:
        tensor["gates"] = asked.get(tensor["name"])


def _file(file: File) -> dict[str, Any]:
    return {"name": file.name, "path": str(file.path), "format": file.format, "bytes": file.size}


def _same(one: File, two: File) -> bool:
    if isinstance(one.path, Path) and isinstance(two.path, Path):
        return os.path.samefile(one.path, two.path)
    return one.path == two.path


def _same_tokens(files: list[File], models: Sequence[Model | spread.Described]) -> None:
    """ModelError for a file whose tokens are others than the original's."""
    known = [model.metadata.get("tokenizer.ggml.tokens") for model in models]
    sizes = [model.config.vocabulary for model in models]
    for file, tokens, size in zip(files, known, sizes):
        if size != sizes[0]:
            raise ModelError(f"{file.path}: a vocabulary of {size} tokens, and {sizes[0]} in {files[0].path}")
        if tokens is not None and known[0] is not None and tokens != known[0]:
            at = next((i for i, (one, two) in enumerate(zip(tokens, known[0])) if one != two), min(len(tokens), len(known[0])))
            raise ModelError(f"{file.path}: token {at} is another one than in {files[0].path}, so that the outputs are about different things")


def passages_of(model: Model | spread.Described, settings: Settings, body: corpus.Text | None, given: list[list[int]] | None) -> list[text.Passage]:
    """The passages that are asked for: all of the text's, or one half.  Errors of the tokenizer, RangeError, EmptyError."""
    found = _whole(model, settings, body, given)
    return text.half(found, settings.half, settings.half_seed) if settings.half else found


def _whole(model: Model | spread.Described, settings: Settings, body: corpus.Text | None, given: list[list[int]] | None) -> list[text.Passage]:
    length = min(settings.length, model.config.context)
    if settings.tokens is not None and given is not None:
        return text.of_numbers(settings.tokens, given, model.config.vocabulary, length)
    tokenizer = model.tokenizer
    if length <= len(tokenizer.opening()):
        raise RangeError("length", length, "leaves no room beside the mark that a text opens with")
    return text.of_text(body or corpus.installed(), tokenizer, length)


class _Run:
    """One comparison of outputs."""

    def __init__(self, engines: Sequence[Any], files: list[File], passages: list[text.Passage], settings: Settings, client: Any = None) -> None:
        self.engines, self.files, self.passages, self.settings = engines, files, passages, settings
        if settings.top >= engines[0].config.vocabulary:
            raise RangeError("top", settings.top, f"must be below the vocabulary of {engines[0].config.vocabulary} tokens")
        longest = max(passage.positions for passage in passages)
        if settings.most < longest:
            raise RangeError("most", settings.most, f"a passage has up to {longest} positions")
        # fixed before anything is seen, so that what holds for a fixed number of draws may be said when all were made
        self.planned = min(len(passages), settings.most // longest)
        self.seen: dict[int, list[Seen]] = {}
        self.drawn: list[int] = []
        self.positions = 0
        count = len(files) - 1
        risk = 1 - read_level(settings.confidence, "confidence")
        for_pairs = risk / 2 if count > 1 else Fraction(0)
        each = (risk - for_pairs) / (2 * count * len(sure.RANGES))
        self.risk = risk / count
        self.intervals = [{name: sure.Interval(span, each, each) for name, span in sure.RANGES.items()} for _ in range(count)]
        self.history: list[dict[str, list[dict[str, float]]]] = [{name: [] for name in FOLLOWED} for _ in range(count)]
        every = list(combinations(range(count), 2))
        for_pair = for_pairs / (2 * max(1, len(every)))
        self.pairs = {pair: sure.Interval((Fraction(-1), Fraction(1)), for_pair, for_pair) for pair in every}
        self.trials = [[sure.Trial(required, count) for required in settings.require] for _ in range(count)]
        self.read = self._read if client is None else self._taken
        self._elsewhere = None if client is None else spread.passages(client, files, self._coming(), settings.top, settings.threads)

    def _read(self, number: int) -> list[Seen]:
        return read(self.engines, self.passages[number].tokens, self.settings.top)

    def _taken(self, number: int) -> list[Seen]:
        """The next of `_coming`, which is this one."""
        assert self._elsewhere is not None
        return next(self._elsewhere)[1]

    def _coming(self) -> Iterator[tuple[int, ...]]:
        """Tokens of the passages in the order in which they will be read, should nothing be decided before."""
        draws, coming = text.Draws(self.passages, self.settings.seed), dict.fromkeys(range(0))
        for _ in range(self.planned):
            number = draws.next()
            if number not in coming:
                coming[number] = None
                yield self.passages[number].tokens
        for number in self._rest(list(coming)) if not self.settings.require else ():
            yield self.passages[number].tokens

    def _rest(self, known: Sequence[int]) -> Iterator[int]:
        """Passages that were not drawn, as many as there is room for."""
        positions = sum(self.passages[number].positions for number in known)
        there = set(known)
        for number, passage in enumerate(self.passages):
            if number not in there:
                positions += passage.positions
                if positions > self.settings.most:
                    break
                yield number

    def passage(self, number: int) -> list[Seen]:
        """Read once, however often it is drawn."""
        if number not in self.seen:
            try:
                self.seen[number] = self.read(number)
            except NonFiniteError as error:
                which = error.index if error.argument == "logits" and isinstance(error.index, int) else 0
                raise ModelError(f"{self.files[which].path}: {error}") from None
            self.positions += self.passages[number].positions
        return self.seen[number]

    def draw(self, number: int) -> None:
        """One more observation."""
        self.drawn.append(number)
        found = [sure.observations(seen) for seen in self.passage(number)]
        for one, intervals, trials, history in zip(found, self.intervals, self.trials, self.history):
            for name, interval in intervals.items():
                interval.observe(one[name])
            for name, ends in history.items():
                ends.append(sure.shown(intervals[name]))
            for trial in trials:
                trial.observe(one[trial.required.figure])
        for (a, b), interval in self.pairs.items():
            interval.observe((found[a][RANKED][0] - found[b][RANKED][1], found[a][RANKED][1] - found[b][RANKED][0]))

    @property
    def decided(self) -> bool:
        return bool(self.settings.require) and all(trial.state != "open" for trials in self.trials for trial in trials)

    def document(self, show: Show) -> dict[str, Any]:
        draws = text.Draws(self.passages, self.settings.seed)
        while len(self.drawn) < self.planned and not self.decided:
            show(self._said(), len(self.drawn), self.planned)
            self.draw(draws.next())
        if not self.settings.require:  # the rest of the text, for the figures alone
            for number in self._rest(list(self.seen)):
                show("the rest of the text", self.positions, min(self.settings.most, draws.positions))
                self.passage(number)
        candidates = [self._candidate(i) for i in range(len(self.files) - 1)]
        states = {trial.state for trials in self.trials for trial in trials}
        return {
            "unit": "passage",
            "drawing": "with replacement, in proportion to positions",
            "statement": "figures of this text under these engines' arithmetic (activations of 16 bits)",
            "run_by": ["reference path" if engine.config.experts else "engine" for engine in self.engines],
            "seed": self.settings.seed,
            "confidence": str(self.settings.confidence),
            "length": self.settings.length,
            "half": self.settings.half or None,
            "half_seed": self.settings.half_seed if self.settings.half else None,
            "top": self.settings.top,
            "passages": len(self.passages),
            "positions": draws.positions,
            "passages_read": len(self.seen),
            "positions_read": self.positions,
            "draws_planned": self.planned,
            "draws": len(self.drawn),
            "whole_text": len(self.seen) == len(self.passages),
            "differing_settings": self._settings(),
            "words": sure.WORDS,
            "candidates": candidates,
            "pairs": [self._pair(a, b) for a, b in self.pairs],
            "ranking": sorted(range(len(candidates)), key=lambda i: candidates[i]["figures"][RANKED]["mean"]),
            "verdict": None if not states else "refuted" if "refuted" in states else "open" if "open" in states else "proved",
            "by_passage": [
                {
                    "document": self.passages[number].document,
                    "at": self.passages[number].at,
                    "positions": self.passages[number].positions,
                    "drawn": self.drawn.count(number),
                    "candidates": [{"flips": int(one.flip.sum()), "tv": float(one.tv.mean()), "kl": float(one.kl.mean())} for one in seen],
                }
                for number, seen in self.seen.items()
            ],
        }

    def _said(self) -> str:
        """What progress shows: the interval that shrinks."""
        for i, trials in enumerate(self.trials):
            for trial in trials:
                if trial.state == "open":
                    return f"{Path(self.files[i + 1].name).name}: {trial.required.figure} {float(trial.interval.low):.3g} … {float(trial.interval.high):.3g}, required ≤ {float(trial.required.most):g}"
        interval = self.intervals[0]["flips"]
        return f"flips {float(interval.low):.3g} … {float(interval.high):.3g}"

    def _candidate(self, i: int) -> dict[str, Any]:
        every = figures.joined([seen[i] for seen in self.seen.values()])
        found = figures.of_positions(every)
        scores = [figures.score(self.seen[number][i]) for number in self.drawn]
        whole = len(self.drawn) == self.planned
        return {
            "name": self.files[i + 1].name,
            "figures": found,
            "histograms": figures.histograms(every),
            "history": self.history[i],
            "intervals": {name: sure.shown(interval) for name, interval in self.intervals[i].items()},
            "requirements": [self._trial(trial, i) for trial in self.trials[i]],
            # these hold for a number of draws that was fixed beforehand, and not where drawing ended because something was decided
            "passages_with_a_change": figures.counted(sum(bool(self.seen[n][i].flip.any()) for n in self.drawn), len(self.drawn), self.risk) if whole else None,
            "unchanged_above": figures.threshold(scores, self.settings.level) if whole else None,
        }

    def _trial(self, trial: sure.Trial, i: int) -> dict[str, Any]:
        mean = self._mean(trial.required.figure, i)
        size = trial.fixed_size(mean)
        each = sum(self.passages[number].positions for number in self.drawn) / len(self.drawn)
        return {
            "text": trial.required.text,
            "figure": trial.required.figure,
            "most": float(trial.required.most),
            "level": str(trial.required.level),
            "state": trial.state,
            **sure.shown(trial.interval),
            "mean_of_draws": mean,
            "draws": trial.count,
            "positions": sum(self.passages[number].positions for number in self.drawn[: trial.count]),
            "positions_of_a_fixed_size_test": None if size is None else round(size * each),
        }

    def _mean(self, name: str, i: int) -> float:
        """Of the observations."""
        found = [sum(sure.observations(self.seen[number][i])[name]) / 2 for number in self.drawn]
        return float(sum(found) / len(found))

    def _pair(self, a: int, b: int) -> dict[str, Any]:
        """low, high: of the difference of both means; nearer: the candidate that is nearer to the original at the confidence, None where that is open."""
        interval = self.pairs[a, b]
        nearer = b if interval.low > 0 else a if interval.high <= 0 and interval.low < 0 else None
        return {"candidates": [a, b], "figure": RANKED, **sure.shown(interval), "nearer": None if nearer is None else self.files[nearer + 1].name}

    def _settings(self) -> list[str]:
        """Settings beside weights in which a candidate's file differs from the original's."""
        one, found = self.engines[0].config, []
        for file, engine in zip(self.files[1:], self.engines[1:]):
            found += [
                f"{quoted(file.name)}: {field.name} is {getattr(engine.config, field.name)}, and {getattr(one, field.name)} in the original"
                for field in fields(one)
                if getattr(engine.config, field.name) != getattr(one, field.name)
            ]
        return found
