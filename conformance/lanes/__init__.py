"""The lanes of `gnosis conform`, one module each; `run` runs them."""
