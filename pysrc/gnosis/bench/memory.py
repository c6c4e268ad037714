"""What a model takes in memory and how soon it writes, each in a process of its own: `python -m gnosis.bench.memory MODEL.gguf`.

A process that has done other things has a peak of its own, and gives no memory back for certain.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ..engine import Engine
from . import harness

WORK = "load, one pass"


@dataclass(frozen=True)
class Memory:
    """One model, opened and used once, by one thread.

    work: what was done.  code: of its matrices.  file_bytes: of the file, which is mapped.  weights_bytes: of the matrices as passes read them.
    before_bytes: most memory of the process before the file is opened, Python and libraries; peak_bytes: most at the end, mapped pages included.
    ready_s: from there until the engine is ready, ready_cpu_s: processor time of it; first_s: of the first pass, one token.
    """

    work: str
    code: str
    file_bytes: int
    weights_bytes: int
    before_bytes: int
    peak_bytes: int
    ready_s: float
    ready_cpu_s: float
    first_s: float

    @property
    def copies(self) -> float:
        """What the model added to the peak over its weights: 1 and what stays beside them, 2 for a second copy."""
        return (self.peak_bytes - self.before_bytes) / self.weights_bytes


def once(code: str, path: Path) -> Memory:
    """Open a model's file in the engine and read one token.  Meant for a process that has done nothing before."""
    before, began, spent = harness.peak_memory(), time.perf_counter(), time.process_time()
    with Engine.load(str(path)) as engine:
        cache = engine.cache(64)
        ready, used = time.perf_counter() - began, time.process_time() - spent
        began = time.perf_counter()
        engine.decode(0, cache)
        first = time.perf_counter() - began
        return Memory(WORK, code, path.stat().st_size, engine.nbytes, before, harness.peak_memory(), ready, used, first)


def measure(code: str, path: Path | str) -> Memory | harness.Skipped:
    """`once` in a fresh process.  path: a .gguf file, or why there is none.  BenchError where that process fails."""
    if isinstance(path, str):
        return harness.Skipped(f"{WORK} {code.lower()}", "its weights", path)
    if not harness.peak_memory():
        return harness.Skipped(f"{WORK} {code.lower()}", "its weights", "the system does not say what a process takes at most")
    done = subprocess.run([sys.executable, "-m", "gnosis.bench.memory", code, str(path)], capture_output=True, text=True)
    if done.returncode:
        raise harness.BenchError(f"{path}: the process that opens it ends with {done.returncode}: {done.stderr.strip()[-500:]}")
    return Memory(**json.loads(done.stdout))


if __name__ == "__main__":
    print(json.dumps(asdict(once(sys.argv[1], Path(sys.argv[2])))))
