"""Decisions written down with their exact inputs: the file, its values, the kinds of decisions, tiles of a model."""
