"""A language model in compiled code: one call a pass, whole-number products, threads that stay."""

from .engine import Cache, Engine, Greedy

__all__ = ["Cache", "Engine", "Greedy"]
