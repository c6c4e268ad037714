"""Run language models from GGUF files, on numpy and this package's kernels."""

from .config import ARCHITECTURES, EXPERT_MATRICES, MATRICES, Config
from .experts import Routing
from .model import Cache, Model, Step
from .tokenizer import Numbers, Tokenizer
from .weights import Blas, Ordered, Product, Weight

__all__ = [
    "ARCHITECTURES",
    "EXPERT_MATRICES",
    "MATRICES",
    "Blas",
    "Cache",
    "Config",
    "Model",
    "Numbers",
    "Ordered",
    "Product",
    "Routing",
    "Step",
    "Tokenizer",
    "Weight",
]
