"""Tiles to draft, and a split of them that does not leak: what is fitted sees neither the heads nor the text that it is tried on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, DtypeError, LengthError, NonFiniteError, RangeError
from ..numbers.levels import whole

if TYPE_CHECKING:
    from ..lm import Model
    from ..lm.corpus import Text

WINDOW = 24  # tokens
WIDTH = 64  # of a synthetic tile
PASSAGE = 8 * WINDOW  # tokens of a passage of text


@dataclass(frozen=True)
class Split:
    """Tiles to fit on, and tiles held out: float32[sequences, whole windows of tokens, width] each, width a multiple of 8.

    about: what they are, for the report.
    Raises DtypeError, LengthError, NonFiniteError; ArgumentError when a held-out tile is, bit for bit, also one to fit on.
    """

    train: np.ndarray
    held: np.ndarray
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, tiles in (("train", self.train), ("held", self.held)):
            if not isinstance(tiles, np.ndarray) or tiles.dtype != np.float32:
                raise DtypeError(name, getattr(tiles, "dtype", tiles), "must be an array of float32")
            if tiles.ndim != 3 or 0 in tiles.shape or tiles.shape[1] % WINDOW or tiles.shape[2] % 8:
                raise LengthError(name, tiles.shape, f"must be [sequences, a multiple of {WINDOW}, a multiple of 8]")
            if not np.isfinite(tiles).all():
                where = tuple(int(i) for i in np.argwhere(~np.isfinite(tiles))[0])
                raise NonFiniteError(name, float(tiles[where]), where)
        if self.train.shape[2] != self.held.shape[2]:
            raise LengthError("held", self.held.shape, f"the tiles to fit on have a width of {self.train.shape[2]}")
        if shared := leaked(self.train, self.held):
            raise ArgumentError("held", shared, "so many of the held-out tiles are also among those to fit on")


def leaked(train: np.ndarray, held: np.ndarray) -> int:
    """How many held-out tiles occur, bit for bit, among those to fit on."""
    width = train.shape[-1]
    seen = {tile.tobytes() for tile in train.reshape(-1, width)}
    return sum(tile.tobytes() in seen for tile in held.reshape(-1, width))


def autoregressive(sequences: int, windows: int, rho: float, seed: int) -> Split:
    """Gaussian tiles of variance 1, correlated by rho from token to token; the first half of the sequences is to fit on.

    sequences: 2 or more; windows: of each; rho: between −1 and 1.  RangeError, DtypeError.
    """
    whole(sequences, "sequences", 2), whole(windows, "windows", 1), whole(seed, "seed")
    if not -1 < rho < 1:
        raise RangeError("rho", rho, "must lie between −1 and 1")
    x = np.random.default_rng(seed).standard_normal((sequences, windows * WINDOW, WIDTH))
    for t in range(1, x.shape[1]):
        x[:, t] = rho * x[:, t - 1] + (1 - rho * rho) ** 0.5 * x[:, t]
    x = x.astype(np.float32)
    return Split(x[: sequences // 2], x[sequences // 2 :], {"of": f"independent Gaussian sequences, AR(1) along the tokens with ρ = {rho:g}", "rho": rho})


def runs(tokens: list[int]) -> set[tuple[int, ...]]:
    """Every run of WINDOW tokens."""
    return {tuple(tokens[i : i + WINDOW]) for i in range(len(tokens) - WINDOW + 1)}


def apart(documents: list[list[int]], count: int, rng: np.random.Generator) -> tuple[list[list[int]], list[list[int]], int]:
    """Passages to fit on, as many held-out ones of other documents, and how many were passed over.

    documents: tokens of each.  count: passages of PASSAGE tokens wanted on each side.  Passed over is a held-out passage
    that shares a run of WINDOW tokens with one to fit on: documents quote one another.  RangeError when the text is too short.
    """
    order = rng.permutation(len(documents))
    sides = []
    for half in (order[::2], order[1::2]):
        cuts = [documents[i][at : at + PASSAGE] for i in half for at in range(0, len(documents[i]) - PASSAGE + 1, PASSAGE)]
        sides.append([cuts[i] for i in rng.permutation(len(cuts))])
    train = sides[0][:count]
    seen = set().union(*map(runs, train))
    held: list[list[int]] = []
    passed = 0
    for cut in sides[1]:
        if len(held) == count:
            break
        if seen.isdisjoint(runs(cut)):
            held.append(cut)
        else:
            passed += 1
    if len(train) < count or len(held) < count:
        raise RangeError("tokens", count * PASSAGE, f"the text gives {len(train) * PASSAGE} tokens to fit on and {len(held) * PASSAGE} held out")
    return train, held, passed


def of_cache(keys: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """The tiles of some heads of a filled cache: float32[layers, tokens, heads of a layer, width] to float32[len(heads), tokens, width].

    heads: numbers counted through all layers.
    """
    layers, tokens, groups, width = keys.shape
    return np.ascontiguousarray(keys.transpose(0, 2, 1, 3).reshape(layers * groups, tokens, width)[heads])


def of_model(model: Model, text: Text, tokens: int, seed: int) -> dict[str, Split]:
    """Keys and values of a language model reading a text, as they stand in the cache (keys rotated): {"keys": …, "values": …}.

    tokens: on each side, rounded down to passages.  Half of the heads, drawn with the seed, are to fit on, reading half of the
    documents; the other heads are held out, reading the other documents.
    RangeError for fewer tokens than a passage, for more than the text has, and for a model with a single head; DtypeError.
    """
    count = whole(tokens, "tokens", PASSAGE) // PASSAGE
    c = model.config
    every = c.layers * c.groups
    if every < 2 or c.context < PASSAGE:
        raise RangeError("model", (every, c.context), f"needs two heads and a context of {PASSAGE}")
    rng = np.random.default_rng(whole(seed, "seed"))
    mixed = rng.permutation(every)
    train, held, passed = apart([model.tokenizer.encode(body) for _, body in text.documents], count, rng)
    about = {
        "of": "cached heads of a model reading real text",
        "heads": {"train": every // 2, "held": every - every // 2},
        "passages": count,
        "passage": PASSAGE,
        "documents": len(text.documents),
        "passages_passed_over": passed,
        "text_sha256": text.sha256,
    }
    parts: dict[str, list[list[np.ndarray]]] = {"keys": [[], []], "values": [[], []]}
    for side, (passages, heads) in enumerate(((train, mixed[: every // 2]), (held, mixed[every // 2 :]))):
        for ids in passages:
            cache = model.cache(len(ids))
            model.prefill(ids, cache, "none")
            for name, kept in (("keys", cache.keys), ("values", cache.values)):
                parts[name][side].append(of_cache(kept, heads))
    return {name: Split(np.concatenate(sides[0]), np.concatenate(sides[1]), about) for name, sides in parts.items()}
