"""Deferred refinement: a coarse model generates, a finer one checks the doubtful tokens later."""

from .pair import CODES, SHIPPED, Pair, open_pair
from .run import Answer, Check, Policy, generate, greedy

__all__ = ["CODES", "SHIPPED", "Answer", "Check", "Pair", "Policy", "generate", "greedy", "open_pair"]
