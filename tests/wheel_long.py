"""The slow commands, from a wheel that pip installs into a fresh environment: `python tests/wheel_long.py [--json]`.

pip fetches what the wheel requires, and what each line that a command prints asks for.  Where pip reaches no index, nothing runs and that is
said: `"skipped"` is the reason, and the run is not counted as passed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import wheels

EXTRAS = ("lean", "models", "build", "plots", "dask", "peers")
# arguments, and the exit code; in this order: later ones read what earlier ones wrote
COMMANDS: tuple[tuple[list[str], int], ...] = tuple(
    (line.split() if isinstance(line, str) else line, code)
    for line, code in (
        ("spine build", 0),
        ("spine audit", 0),
        ("spine lake --check", 0),
        ("spine oracle", 0),
        ("spine export --output spine.ndjson", 0),
        ("spine reread spine.ndjson --kernel", 0),
        ("spine decide", 0),
        ("spine lock", 2),  # it writes into a checkout
        ("spine dojo", 3),  # its extra is 430 MB, and nothing needs it
        ("verify --examples --oracle --kernel", 0),
        ("manifest", 0),
        ("conform --seconds 10", 0),
        ("mutants --stem jit --side python", 0),
        ("mutants --stem margin --side c", 0),
        ("probe minilm --tensor *layer.0* --format json --output report.json --certificates tiles.jsonl", 0),
        ("validate report.json", 0),
        ("frontier minilm --tensor *layer.0* --output least.md", 0),
        ("verify tiles.jsonl --model minilm --oracle", 0),
        (["generate", "Why is the sky blue?", "--most", "24", "--record", "said.jsonl"], 0),
        ("verify said.jsonl", 0),
        ("generate --compare --take 1 --most 16 --write compared.md", 0),
        ("generate --calibrate 0.9 --most 8", 0),
        ("head --positions 200 --record head.record", 0),
        ("verify head.record", 0),
        ("layers minilm --tokens 3200", 0),
        ("layers smollm2 --tokens 3200", 0),
        ("speculators --tokens 240 --plot race.svg", 0),
        ("bench --quick --write bench.md", 0),
        ("trust --write trust.md", 0),
        ("demo", 0),
        ("studies --tokens 240 --layer-tokens 3200 --write studies.md", 0),
    )
)
REQUEST = '{"v": 1, "id": "a", "decision": "energySidecarAdmit", "args": [2, 8, 8]}\n'


def pip(env: wheels.Environment, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(env.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *args], cwd=env.folder, capture_output=True, text=True
    )


def run(env: wheels.Environment, seconds: float = 3000) -> list[dict[str, object]]:
    rows = []
    for arguments, code in COMMANDS:
        start = time.monotonic()
        try:
            done = env.run(*arguments, seconds=seconds, input=REQUEST if arguments[-1] == "decide" else None)
            good, said = done.returncode == code and "Traceback" not in done.stderr, done.stderr[-500:]
        except subprocess.TimeoutExpired:
            good, said = False, f"not done after {seconds:.0f} s"
        rows.append({"command": " ".join(arguments), "ok": good, "seconds": round(time.monotonic() - start, 1), **({} if good else {"said": said})})
        print(
            f"{'ok' if good else 'FAILED':<7}{rows[-1]['seconds']:>7} s  gnosis {rows[-1]['command']}{'' if good else chr(10) + said}",
            file=sys.stderr,
            flush=True,
        )
    return rows


def main(as_json: bool) -> int:
    result: dict[str, object]
    with tempfile.TemporaryDirectory() as folder:
        wheel = wheels.built().wheel
        env = wheels.Environment(Path(folder), wheel, requires=False)
        subprocess.run([str(env.python), "-m", "ensurepip", "--default-pip"], check=True, capture_output=True)
        fetched = pip(env, str(wheel))
        if fetched.returncode == 0:
            fetched = pip(env, *(f"gnosis-gates[{extra}]" for extra in EXTRAS))
        if fetched.returncode:
            result = {
                "ok": False,
                "commands": len(COMMANDS),
                "passed": 0,
                "skipped": f"pip cannot fetch what the wheel requires: {fetched.stderr.strip()[-300:]}",
            }
        else:
            done = env.run("models", "--install", seconds=1200, **{k: v for k, v in os.environ.items() if k.startswith("PIP_")})
            rows = run(env) if done.returncode == 0 else [{"command": "models --install", "ok": False, "said": done.stderr[-500:]}]
            result = {"ok": all(row["ok"] for row in rows), "commands": len(rows), "passed": sum(bool(row["ok"]) for row in rows), "rows": rows}
    if as_json:
        print(json.dumps(result))
    else:
        print(result.get("skipped") or f"{result['passed']} of {result['commands']} commands did what they should")
    return 0 if result["ok"] else 1


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv[1:]))
