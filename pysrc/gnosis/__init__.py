"""Exact decisions about compressed neural networks, each resting on a Lean theorem."""
