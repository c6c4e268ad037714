"""`gnosis demo`: the whole chain once, on the weights of a real transformer."""

from __future__ import annotations

import typer


def demo() -> None:
    """Build the spine, probe all-MiniLM-L6-v2, have the Lean kernel check decisions, and find exact tokens of SmolLM2.  A few minutes on two cores."""
    from .steps import Step, gnosis, run

    steps = (
        Step("the Lean spine builds", gnosis("spine", "build")),
        Step("every proof again, by the kernel, from an empty environment", gnosis("spine", "audit")),
        Step("certified decisions on the weights of all-MiniLM-L6-v2", gnosis("probe", "minilm")),
        Step(
            "decisions of the runtime against Lean, by interpreter and kernel",
            gnosis("conform", "--lane", "oracle", "--lane", "kernels", "--lane", "kernel", "--seconds", "5", "--kernel", "2000"),
        ),
        Step("the exact token of SmolLM2 from a 4-bit pass over its output matrix", gnosis("head", "--positions", "200")),
        Step("speed of the certified kernels", gnosis("bench", "--quick")),
    )
    raise typer.Exit(run("make demo", steps))
