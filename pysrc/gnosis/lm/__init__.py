"""Run llama-style language models from GGUF files, on numpy and this package's kernels."""
from .model import MATRICES, Cache, Config, Model, Step
from .tokenizer import Tokenizer
from .weights import Blas, Ordered, Product, Weight

__all__ = ["MATRICES", "Blas", "Cache", "Config", "Model", "Ordered", "Product", "Step", "Tokenizer", "Weight"]
