"""Lean, Python and C, held against each other."""
