"""What stands under "Examples" in the help of each command.  A command may have them in its docstring instead; tests/test_examples.py parses all of them."""

from __future__ import annotations

import typer

EXAMPLES: dict[str, tuple[str, ...]] = {
    "basin": ("gnosis basin --paths 1000 --seed 7", "gnosis basin --code 0.25 --plot paths.svg"),
    "bench": ("gnosis bench --quick", "gnosis bench --check --json"),
    "cache": ("gnosis cache --list", "GNOSIS_CACHE=/data/gnosis gnosis cache --clear"),
    "conform": ("gnosis conform --seconds 60 --seed random", "gnosis conform --lane kernels --lane formats"),
    "demo": ("gnosis demo", "gnosis demo > demo.txt"),
    "extract": ("gnosis extract --copy vendor", "gnosis extract --check"),
    "generate": (
        "gnosis generate 'Why is the sky blue?' --threads 2",
        "gnosis generate model.gguf 'Name three rivers.' --base q4 --refine q8 --most 128",
        "gnosis generate --compare --take 5 --json",
    ),
    "head": ("gnosis head --positions 500", "gnosis head --model model.gguf --record tokens.jsonl --json"),
    "manifest": ("gnosis manifest", "gnosis manifest --write"),
    "models": ("gnosis models --install --also gemma3", "gnosis models --write smollm2-q4_0.gguf --code Q4_0"),
    "mutants": ("gnosis mutants --stem energy --side python", "gnosis mutants --all --json"),
    "layers": ("gnosis layers synthetic", "gnosis layers smollm2 --bits 5 --plot layers.svg"),
    "speculators": ("gnosis speculators --synthetic-only", "gnosis speculators --rho 0.5 --plot race.svg"),
    "studies": ("gnosis studies --write studies.md", "gnosis studies --write studies.md --text book.txt --seed 7"),
    "probe": (
        "gnosis probe model-q4_0.gguf --original model-f16.gguf",
        "gnosis probe model-f16.gguf --code q8_0,q6_k,q4_0 --tensor 'blk.0.*'",
        "gnosis probe minilm --format html --output report.html",
        "gnosis probe minilm --certificates tiles.jsonl",
    ),
    "frontier": ("gnosis frontier report.json", "gnosis frontier model.gguf --grid 1.8:2.2:0.05 --format json --output frontier.json"),
    "report": ("gnosis report report.json --output report.html", "gnosis report report.json --format text"),
    "aggregate": ("gnosis aggregate report.json frontier.json --output sidecar.json", "gnosis aggregate report.json --format text"),
    "validate": ("gnosis validate report.json --model model.gguf", "gnosis validate sidecar.json --complete --json"),
    "verify": ("gnosis verify tiles.jsonl --model minilm", "gnosis verify --examples --kernel"),
    "trust": ("gnosis trust", "gnosis trust --run audit --write trust.md"),
    "spine audit": ("gnosis spine audit", "gnosis spine audit --clean --json"),
    "spine lock": ("gnosis spine lock", "gnosis spine lock --quiet"),
    "spine decide": ("""echo '{"v":1,"id":7,"decision":"energySidecarAdmit","args":[4,9,12]}' | gnosis spine decide""", "gnosis spine decide < requests.jsonl"),
    "spine export": ("gnosis spine export --output spine.ndjson", "gnosis spine export --module Gnosis.Ville --check 'nanoda_bin {}'"),
    "spine reread": ("gnosis spine reread spine.ndjson", "gnosis spine reread spine.ndjson --kernel --json"),
    "spine dojo": ("gnosis spine dojo", "gnosis spine dojo --json"),
    "spine lake": ("gnosis spine lake", "gnosis spine lake --check --jobs 2"),
    "spine oracle": ("gnosis spine oracle", "gnosis spine oracle --symbols"),
    "spine build": ("gnosis spine build", "gnosis spine build --clean --jobs 2"),
}


def add(app: typer.Typer, group: str = "") -> None:
    """Put the examples at the end of each command's help."""
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        lines = EXAMPLES.get(f"{group}{name}")
        if lines:
            command.epilog = "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
    for inner in app.registered_groups:
        if inner.typer_instance is not None:
            add(inner.typer_instance, f"{group}{inner.name} ")
