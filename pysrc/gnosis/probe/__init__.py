"""Measure a model's weights: what a coarse code loses, and what the gates make of it."""
