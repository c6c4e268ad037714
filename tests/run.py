"""What `make test` runs: rules and types, the spine from its sources, its audit, both sides against each other, every test."""

import sys
from pathlib import Path

from gnosis.cli.steps import Step, gnosis, run

STEPS = (
    Step("rules and types (make check)", [sys.executable, str(Path(__file__).with_name("check.py"))]),
    Step("the Lean spine builds", gnosis("spine", "build")),
    Step("kernel replay, axioms, tokens, statement lock", gnosis("spine", "audit", "--clean")),
    Step("Python against Lean, with kernel-checked samples", gnosis("conform", "--seconds", "20", "--kernel", "400")),
    Step("tests", [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile"]),
)

if __name__ == "__main__":
    sys.exit(run("make test", STEPS))
