"""The readers of files and lines from outside, for the coverage-guided lane.

Each may refuse any bytes by an error that it documents, and may do nothing else: no other exception, no end of the process, no
endless loop, no memory without bound.  Seeds are small valid files; what they import is imported late, so that it can be instrumented.
"""

from __future__ import annotations

import atexit
import io
import json
import resource
import shutil
import struct
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

Read = Callable[[bytes], Any]

SECONDS, MIB = 2.0, 256  # CPU time and memory that an input may take


@dataclass(frozen=True)
class Reader:
    """modules: whose branches guide the search.  open: gives the reader and the errors by which it may refuse.  seeds: bytes that it accepts.

    program: what starts its child process, for a reader that is not in READERS.
    """

    name: str
    modules: tuple[str, ...]
    open: Callable[[], tuple[Read, tuple[type[Exception], ...]]]
    seeds: Callable[[], list[bytes]]
    program: tuple[str, ...] = ()


class _File:
    """Bytes that are read like a file."""

    def __init__(self, data: bytes) -> None:
        self.read_bytes = lambda: data

    def __str__(self) -> str:
        return "file"


def _in_file(read: Callable[[Path], Any], name: str) -> Read:
    """A reader of paths as a reader of bytes: the file lies in a folder that lives as long as the process."""
    folder = tempfile.mkdtemp(prefix="gnosis-readers-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / name

    def run(data: bytes) -> Any:
        path.write_bytes(data)
        return read(path)

    return run


def _text(read: Callable[[str], Any]) -> Read:
    """A reader of text: what is not UTF-8 is refused when the file is read."""

    def run(data: bytes) -> Any:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        return read(text)

    return run


# ---- model files -------------------------------------------------------------------------------------------------------


def _safetensors() -> tuple[Read, tuple[Any, ...]]:
    from ...models.headers import ModelError, read_safetensors

    return lambda data: read_safetensors("file", data), (ModelError,)


def _safetensors_seeds() -> list[bytes]:
    seeds = []
    for header, data in (
        ({"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}, 16),
        (
            {
                "__metadata__": {"a": "b"},
                "a": {"dtype": "BF16", "shape": [3], "data_offsets": [0, 6]},
                "b": {"dtype": "I8", "shape": [1], "data_offsets": [6, 7]},
            },
            7,
        ),
    ):
        text = json.dumps(header).encode()
        seeds.append(struct.pack("<Q", len(text)) + text + bytes(data))
    return seeds


def _gguf() -> tuple[Read, tuple[Any, ...]]:
    from ...models.headers import ModelError, read_gguf

    return lambda data: read_gguf("file", data), (ModelError,)


def _gguf_seeds() -> list[bytes]:
    def text(s: bytes) -> bytes:
        return struct.pack("<Q", len(s)) + s

    entry = text(b"w") + struct.pack("<IQQIQ", 2, 32, 1, 8, 0)  # Q8_0, one block
    plain = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + entry
    pairs = [
        text(b"general.alignment") + struct.pack("<II", 4, 64),
        text(b"k") + struct.pack("<I", 8) + text(b"value"),
        text(b"tokens") + struct.pack("<IIQ", 9, 8, 2) + text(b"a") + text(b"b"),
        text(b"numbers") + struct.pack("<IIQIQ", 9, 9, 1, 6, 1) + struct.pack("<f", 1.0),
    ]
    rich = b"GGUF" + struct.pack("<IQQ", 2, 1, len(pairs)) + b"".join(pairs) + text(b"w") + struct.pack("<IQIQ", 1, 4, 0, 0)
    return [plain + bytes(-len(plain) % 32) + bytes(34), rich + bytes(-len(rich) % 64) + bytes(16)]


def _opened(path: Path) -> None:
    """Open a model file, and decode the first row of each of its tensors."""
    from ...lm import metadata
    from ...models.files import open_model
    from ...models.headers import ModelError

    model = open_model(str(path))
    for name in model.tensors:
        try:
            model.rows(name, np.arange(1))
        except ModelError:
            continue
    if model.format == "gguf":
        metadata.read(model)


def _model() -> tuple[Read, tuple[Any, ...]]:
    from ...models.headers import ModelError

    return _in_file(_opened, "m.gguf"), (ModelError,)


def _npz() -> tuple[Read, tuple[Any, ...]]:
    from ...models.headers import ModelError

    return _in_file(_opened, "a.npz"), (ModelError,)


def _npz_seeds() -> list[bytes]:
    seeds = []
    for save in (np.savez, np.savez_compressed):
        out = io.BytesIO()
        save(out, a=np.ones((2, 3), np.float32), b=np.arange(4, dtype=np.float16))
        seeds.append(out.getvalue())
    return seeds


def _npy() -> tuple[Read, tuple[Any, ...]]:
    from ...models.arrays import read_npy
    from ...models.headers import ModelError

    return lambda data: read_npy("file", data, "w"), (ModelError,)


def _npy_seeds() -> list[bytes]:
    seeds = []
    for array in (np.ones((2, 3), np.float32), np.zeros(4, np.float64), np.asfortranarray(np.ones((2, 1), np.float16))):
        out = io.BytesIO()
        np.save(out, array)
        seeds.append(out.getvalue())
    return seeds


def _quantized() -> tuple[Read, tuple[Any, ...]]:
    from ...codes.lattice import Quantized
    from ...errors import ArgumentError

    return _in_file(lambda path: Quantized.load(path).decode(), "q.safetensors"), (ArgumentError,)


def _quantized_seeds() -> list[bytes]:
    from ...codes.lattice import Code, quantize

    seeds = []
    with tempfile.TemporaryDirectory() as folder:
        for lattice, bits in (("cubic", 4), ("e8", 2)):
            quantize(np.linspace(-1, 1, 64, dtype=np.float32).reshape(2, 32), Code(lattice, bits)).save(Path(folder) / "q.safetensors")
            seeds.append((Path(folder) / "q.safetensors").read_bytes())
    return seeds


# ---- accounts, calibrations, plain JSON --------------------------------------------------------------------------------


def _account() -> tuple[Read, tuple[Any, ...]]:
    from ...errors import ArgumentError
    from ...risk.accounts import replay

    return replay, (ArgumentError,)


def _account_seeds() -> list[bytes]:
    from ...gates.cumloss import Bet, ChargeGate
    from ...risk.accounts import DurableAccount

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "account"
        with DurableAccount.create(path, ChargeGate(Bet(10, 3, 2), "0.1"), 4) as account:
            account.propose(Fraction(1, 5))
            account.settle(Fraction(1, 10))
            account.report(Fraction(1, 3))
            account.propose(1, 5)
        whole = path.read_bytes()
    return [whole, whole[:-7], whole[: whole.index(b"\n") + 1]]


def _calibration() -> tuple[Read, tuple[Any, ...]]:
    from ...errors import ArgumentError
    from ...gates.conformal import Calibration

    def run(text: str) -> Any:
        found = Calibration.loads(text)
        found.add(0.5)
        return Calibration.loads(found.dumps()).gate("0.99")

    return _text(run), (ArgumentError,)


def _calibration_seeds() -> list[bytes]:
    from ...gates.conformal import Calibration

    whole, part = Calibration(), Calibration(2)
    for one in (whole, part):
        one.add([1.5, 2.0, -0.25, 7.0])
    whole.add(Fraction(1, 3))
    return [whole.dumps().encode(), part.dumps().encode(), Calibration().dumps().encode()]


def _certificate() -> tuple[Read, tuple[Any, ...]]:
    """A line of a file of certificates, and the decision that it holds made again."""
    from ...certificates import records as certificates

    locked = certificates.statements()

    def run(line: bytes) -> Any:
        found = certificates.parse_line(line)
        if isinstance(found, certificates.Certificate) and not found.referred:
            certificates.replay(found, found.inputs, locked)
        return found

    return run, (certificates.CertificateError,)


def _certificate_seeds() -> list[bytes]:
    from ...certificates.records import Writer
    from ...gates.energy import EnergyGate, SidecarGate
    from ...gates.margin import TopKGate
    from ...gates.served import ServedGate

    with tempfile.TemporaryDirectory() as folder:
        with Writer(Path(folder) / "c.jsonl") as out:
            out.decide(SidecarGate(0.25), 0.5, Fraction(1, 3))
            out.decide(EnergyGate(3), [1, -2], [0.5, 4])
            out.decide(TopKGate(1, 1), [5, 1, 2])
            out.decide(ServedGate("0.1"), Fraction(6, 5))
        return (Path(folder) / "c.jsonl").read_bytes().splitlines()


def _json() -> tuple[Read, tuple[Any, ...]]:
    from ...errors import ArgumentError
    from ...files.grammar import json_object

    return _text(lambda text: json_object(text, "text", None)), (ArgumentError,)


# ---- the harness's own lines -------------------------------------------------------------------------------------------


def _request() -> tuple[Read, tuple[Any, ...]]:
    from ..oracle.decisions import BadRequest
    from ..oracle.protocol import read

    return read, (BadRequest,)


def _corpus() -> tuple[Read, tuple[Any, ...]]:
    from ..running import cases

    def run(path: Path) -> None:
        for line in cases.read("stem", path.parent):
            assert isinstance(line.args, tuple)

    return _in_file(run, "stem.jsonl"), (cases.BadCorpus,)


def _kept() -> tuple[Read, tuple[Any, ...]]:
    from ..running import cases

    return _in_file(lambda path: cases.kept("stem", path.parent), "stem.jsonl"), (cases.BadCorpus,)


# ---- compiled modules of Lean ------------------------------------------------------------------------------------------


def _olean() -> tuple[Read, tuple[Any, ...]]:
    from ...audits.olean import BadImage, Interner, Module

    return lambda data: Module("M", [_File(data)], Interner()), (BadImage,)  # type: ignore[list-item]  # a path, as far as it is used


def _olean_seeds() -> list[bytes]:
    """The three smallest modules of the spine, where it is built; none elsewhere."""
    from ...spine.paths import SpineNotFound, build_dir

    try:
        files = sorted(build_dir().rglob("*.olean"), key=lambda p: (p.stat().st_size, p))
    except (SpineNotFound, OSError):
        return []
    return [path.read_bytes() for path in files[:3]]


_REQUEST = b'{"v": 1, "id": "a", "decision": "energyAdmit", "args": [[1, -2], [3, 4], 23]}'
_CASE = b'{"decision": "energySplitAdmit", "args": [1, [2, 3], [true, false], 4], "expect": false, "note": "n"}\n'

READERS = (
    Reader("safetensors", ("gnosis.models.headers",), _safetensors, _safetensors_seeds),
    Reader("gguf", ("gnosis.models.headers",), _gguf, _gguf_seeds),
    Reader("model", ("gnosis.models.files", "gnosis.models.headers", "gnosis.lm.metadata"), _model, _gguf_seeds),
    Reader("npy", ("gnosis.models.arrays", "gnosis.models.headers"), _npy, _npy_seeds),
    Reader("npz", ("gnosis.models.arrays", "gnosis.models.files"), _npz, _npz_seeds),
    Reader("quantized", ("gnosis.codes.lattice.matrix", "gnosis.codes.lattice.codes"), _quantized, _quantized_seeds),
    Reader("account", ("gnosis.risk.accounts", "gnosis.files", "gnosis.numbers.levels", "gnosis.gates.cumloss"), _account, _account_seeds),
    Reader("calibration", ("gnosis.gates.conformal", "gnosis.files", "gnosis.numbers.levels"), _calibration, _calibration_seeds),
    Reader("certificate", ("gnosis.certificates.records", "gnosis.certificates.kinds", "gnosis.files"), _certificate, _certificate_seeds),
    Reader("json", ("gnosis.files",), _json, lambda: [b'{"a": [1, 2.5, null, "x"], "b": {"c": true}}']),
    Reader("request", ("gnosis.conformance.oracle.protocol", "gnosis.conformance.oracle.decisions"), _request, lambda: [_REQUEST]),
    Reader(
        "corpus",
        ("gnosis.conformance.running.cases", "gnosis.conformance.oracle.decisions", "gnosis.conformance.oracle.protocol"),
        _corpus,
        lambda: [_CASE, _CASE * 2],
    ),
    Reader("corpus of a lane", ("gnosis.conformance.running.cases",), _kept, lambda: [b'{"check": "c", "args": [1, "a"], "note": "n"}\n']),
    Reader("olean", ("gnosis.audits.olean",), _olean, _olean_seeds),
)


class TookTooMuch(Exception):
    """An input that took more than SECONDS of CPU time or MIB of memory, whether it was read or refused."""


def within(read: Read, data: bytes, reset: bool = True) -> Any:
    """What a reader makes of the bytes, or the error by which it refuses them.  TookTooMuch if that took too much.

    reset: count from the memory that is in use now; without it (which is faster) from the most that this process ever held, so that
    only the first of several inputs that take the same shows.
    """
    before = _in_use() if reset else _peak()
    began = time.process_time()
    try:
        return read(data)
    finally:
        seconds, mib = time.process_time() - began, (_held() if reset else _peak()) - before
        if seconds > SECONDS or mib > MIB:
            raise TookTooMuch(f"{seconds:.1f} s of CPU time, {mib:.0f} MiB; {SECONDS:.0f} s and {MIB} MiB are allowed") from None


def _peak() -> float:
    """MiB that were in use at most.  Not ru_maxrss where it can be helped: a new process inherits it from the one that started it."""
    try:
        return _held()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_use() -> float:
    """MiB in use; from here on the system counts the peak anew."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return _peak()
    return _held()


def _held() -> float:
    """MiB that were in use at most since the count began."""
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")) / 1024


def outcome(read: Read, errors: tuple[type[Exception], ...], data: bytes) -> str | None:
    """What is wrong with how the bytes are read: an exception that is not documented, too much time or memory; None for an answer or a refusal."""
    try:
        within(read, data)
    except errors:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None
