"""`python -m gnosis`."""

from .cli import main

main()
