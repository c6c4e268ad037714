"""The Lean spine from Python: find Lean, build `Gnosis/`, and know where its files are."""
