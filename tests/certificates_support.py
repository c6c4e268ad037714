"""What the tests of certificates have in common."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gnosis.certificates import records as certificates
from gnosis.conformance.verify import examples
from gnosis.conformance.verify.again import verify
from gnosis.conformance.verify.examples import EXAMPLES

ROOT = Path(__file__).parents[1]


def write(path: Path, samples: list = EXAMPLES) -> Path:
    examples.write(path, samples)
    return path


def chained(lines: list[dict | bytes]) -> bytes:
    """Lines with hashes that fit, whatever they say: what somebody writes who edits a certificate and knows how hashes are made."""
    out, previous = b"", certificates.START
    for line in lines:
        body = (
            line
            if isinstance(line, bytes)
            else json.dumps({k: x for k, x in line.items() if k != "chain"}, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        )
        previous = hashlib.sha256(previous.encode() + body).hexdigest()
        out += body + b',"chain":"' + previous.encode() + b'"}\n'
    return out


def reasons(content: bytes, folder: Path, **options: Any) -> set[tuple[int, str]]:
    path = folder / "edited.jsonl"
    path.write_bytes(content)
    return {(r.line, r.reason) for r in verify(path, **options).refused}
