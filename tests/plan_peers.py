"""Plans of the rotated SmolLM2 beside llama.cpp's own recipes of the same size, Q4_K_M and Q5_K_M, with and without importances, and beside the Lagrange anchor.

Run: .venv/bin/python tests/plan_peers.py FOLDER [SECONDS [POSITIONS [COMPARED [RECIPE …]]]]
The folder holds f16.gguf, the original (`gnosis models --write`), and keeps files and measurements, so that a second run goes on.  SECONDS, POSITIONS: of
`gnosis plan`.  All files of one size are compared in one run of `gnosis compare`, at COMPARED positions of the half of the text that no plan was chosen on.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gnosis.models.files import open_model

RECIPES = {"Q4_K_M": 15, "Q5_K_M": 17}
CHILD = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # a busy machine is slower with more


def gnosis(*words: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-m", "gnosis", *words, "--json"], stdout=subprocess.PIPE, text=True, check=False, env=CHILD)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"gnosis {' '.join(words)} ended with {done.returncode}")
    return json.loads(done.stdout)


def by_llama(original: Path, out: Path, kind: int, weighed: dict[str, np.ndarray] | None) -> None:
    """llama.cpp's recipe; weighed: importances, as an imatrix file would bring them."""
    import llama_cpp

    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.nthread = kind, 1
    if weighed:
        entries = (llama_cpp.llama_cpp.llama_model_imatrix_data * (len(weighed) + 1))()
        for entry, (name, values) in zip(entries, weighed.items()):
            entry.name = name.encode()
            entry.data = values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
            entry.size = values.size
        params.imatrix = ctypes.cast(entries, type(params.imatrix))
    if llama_cpp.llama_model_quantize(str(original).encode(), str(out).encode(), ctypes.byref(params)):
        raise SystemExit(f"llama.cpp did not write {out}")


def tensor_bytes(path: Path) -> int:
    return sum(info.nbytes for info in open_model(str(path)).tensors.values())


def main(folder: Path, seconds: str, positions: str, compared_at: str, recipes: list[str]) -> None:
    original, state = folder / "f16.gguf", folder / "state.json"
    for recipe in recipes:
        kind = RECIPES[recipe]
        plain, weighed = folder / f"{recipe}.gguf", folder / f"{recipe}-imatrix.gguf"
        if not plain.exists():
            by_llama(original, plain, kind, None)
        size = str(tensor_bytes(plain))
        ours, anchor = folder / f"plan-{recipe}.gguf", folder / f"anchor-{recipe}.gguf"
        for path, by in ((ours, "outputs"), (anchor, "weights")):
            if not path.exists():
                found = gnosis(
                    "plan",
                    str(original),
                    "--bytes",
                    size,
                    "--state",
                    str(state),
                    "--seconds",
                    seconds,
                    "--most",
                    positions,
                    "--by",
                    by,
                    "--threads",
                    "2",
                    "--write",
                    str(path),
                )
                path.with_suffix(".json").write_text(json.dumps(found))
        if not weighed.exists():
            known = json.loads(state.read_text())["measured"]["importances"]
            by_llama(original, weighed, kind, {name: np.array(values, np.float32) for name, values in known.items()})
        files = [plain, weighed, anchor, ours]
        compared = gnosis("compare", str(original), *map(str, files), "--half", "2", "--only", "outputs", "--most", compared_at, "--threads", "2")
        (folder / f"compared-{recipe}.json").write_text(json.dumps(compared))
        for path, c in zip(files, compared["outputs"]["candidates"]):
            f = c["figures"]
            print(
                f"{path.stem:<18} {tensor_bytes(path):>10}  KL {f['kl']['mean']:.5f}  flips {100 * f['flips']['share']:.2f} %  TV {f['tv']['mean']:.5f}"
                f"  perplexity {f['perplexity']['quantized']:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    given = sys.argv[2:]
    main(Path(sys.argv[1]), *(given[:3] + ["900", "1536", "4096"][len(given) :]), given[3:] or list(RECIPES))
