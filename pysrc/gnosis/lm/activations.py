"""Real activations: what reaches each matrix of all-MiniLM-L6-v2 when it reads a text.

The forward pass is the BERT encoder in float32 numpy.  A test compares its pooled output with the published
embedding of a reference sentence.
"""

from __future__ import annotations

import numpy as np

from ..models.files import Model, ModelError, builtin_file

HEADS = 12
LAYERS = 6
LAYER_NORM_EPSILON = np.float32(1e-12)

# Text of several kinds, so that the activations are not those of one topic.
PASSAGES = (
    "The library opens at nine and closes at six, except on Sundays.",
    "Water boils at a lower temperature on a high mountain, because the air there is thinner.",
    "She asked whether the train to Lyon would still leave from platform four.",
    "A matrix is symmetric when it equals its own transpose.",
    "Mix the flour with two eggs, add a pinch of salt and let the dough rest for half an hour.",
    "The court found that the contract had never been signed by both parties.",
    "def area(width, height): return width * height",
    "In 1969 two people walked on the Moon while a third stayed in orbit.",
    "My phone's battery dies by noon; is there a setting that would help?",
    "Interest rates rose by a quarter of a percentage point, and share prices fell.",
    "Bats are mammals, but they fly; whales are mammals, but they swim.",
    "No, thank you, I have already eaten.",
    "The bridge was closed to lorries after engineers found cracks in two of its piers.",
    "To sort a list of a million names, split it in halves, sort each half and merge the results.",
    "Rain fell for eleven days; on the twelfth the river came over the wall and into the cellars.",
    "An octave is divided into twelve semitones, each higher than the last by the same ratio.",
    "SELECT name, price FROM items WHERE price < 20 ORDER BY price;",
    "The patient reports no fever, but a dry cough that is worse at night.",
    "He kept every ticket stub from every match he had ever seen, in a shoebox under the bed.",
    "Please find the signed forms attached. I will call on Thursday if anything is missing.",
    "The fox in the fable calls the grapes sour because they hang too high for it.",
    "Light from the Sun takes about eight minutes and twenty seconds to reach the Earth.",
    "Warning: do not open the housing while the fan is running.",
    "The treaty of 1648 ended thirty years of war and redrew the borders of half a continent.",
    "Q: How many sides has a hexagon? A: Six.",
    "Her second novel sold fewer copies than the first, yet it is the one that people remember.",
    "If you double the radius of a circle, its area becomes four times as large.",
    "Tickets cost 12.50 euros, or 9.00 euros for students and for anyone older than 65.",
)


class ActivationsUnavailable(Exception):
    """The tokenizer's library or files are not installed; the probe then uses unit energy and says so."""


def _layer_norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    variance = np.mean(centred * centred, -1, keepdims=True)
    return centred / np.sqrt(variance + LAYER_NORM_EPSILON) * weight + bias


def _gelu(x: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return np.float32(0.5) * x * (np.float32(1) + erf(x * np.float32(2**-0.5)))


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def token_ids(sentences: tuple[str, ...] = PASSAGES) -> list[list[int]]:
    """WordPiece token numbers of each sentence, with the start and end marks, from the wheel's own tokenizer."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ActivationsUnavailable("the package 'tokenizers' is not installed; run: pip install 'gnosis-gates[models]'") from None
    try:
        tokenizer = Tokenizer.from_file(str(builtin_file("minilm", "tokenizer.json")))
    except ModelError as error:
        raise ActivationsUnavailable(str(error)) from None
    tokenizer.no_padding()
    return [tokenizer.encode(text).ids for text in sentences]


def encode(model: Model, sentences: list[list[int]], record: dict[str, np.ndarray] | None = None) -> list[np.ndarray]:
    """Last hidden states of each sentence, float32[tokens, 384].

    sentences: token numbers of each.
    record: if given, the input of every matrix is stored under the matrix's tensor name, float32[all tokens, columns].
    """

    def matrix(name: str) -> np.ndarray:
        return model.all_rows(name)

    def vector(name: str) -> np.ndarray:
        return model.all_rows(name)[0]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        if record is not None:
            record[name + ".weight"] = x
        return x @ matrix(name + ".weight").T + vector(name + ".bias")

    def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Attention within one sentence; each argument float32[tokens, 384]."""
        q, k, v = (part.reshape(len(part), HEADS, -1).transpose(1, 0, 2) for part in (q, k, v))
        weights = _softmax(q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(q.shape[-1])))
        return (weights @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)

    # Every matrix is read once: sentences lie one after the other, only attention keeps them apart.
    cuts = np.cumsum([len(ids) for ids in sentences])[:-1]
    places = np.concatenate([np.arange(len(ids)) for ids in sentences])
    x = (
        model.rows("embeddings.word_embeddings.weight", np.concatenate(sentences))
        + matrix("embeddings.position_embeddings.weight")[places]
        + matrix("embeddings.token_type_embeddings.weight")[0]
    )
    x = _layer_norm(x, vector("embeddings.LayerNorm.weight"), vector("embeddings.LayerNorm.bias"))
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        parts = [np.split(linear(x, f"{at}attention.self.{part}"), cuts) for part in ("query", "key", "value")]
        context = np.concatenate([attend(q, k, v) for q, k, v in zip(*parts)])
        x = _layer_norm(
            x + linear(context, at + "attention.output.dense"), vector(at + "attention.output.LayerNorm.weight"), vector(at + "attention.output.LayerNorm.bias")
        )
        inner = _gelu(linear(x, at + "intermediate.dense"))
        x = _layer_norm(x + linear(inner, at + "output.dense"), vector(at + "output.LayerNorm.weight"), vector(at + "output.LayerNorm.bias"))
    return np.split(x, cuts)


def minilm_activations(model: Model, tokens: list[list[int]]) -> dict[str, np.ndarray]:
    """The input of every attention and FFN matrix, float32[all tokens, columns], by tensor name; tokens: those of each passage."""
    record: dict[str, np.ndarray] = {}
    encode(model, tokens, record)
    return record
