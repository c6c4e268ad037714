"""Certificates: decisions written down so that anybody can make them again.

A file of JSON lines.  The first line says what wrote it and under which statement lock, each further line is one decision with
its exact inputs, and the last line says that the file is complete:

    with Writer("decisions.jsonl") as out:
        verdict = out.decide(SidecarGate(gamma=0.25), E, A)

`gnosis verify FILE` makes every decision again (`gnosis.conformance.verify`).  That is what a certificate is worth: the
chain of hashes shows a line that was changed, moved or lost by accident or by a plain edit, and whoever changes a line may
just as well write the hashes anew.

Numbers are exact and have one way of being written: "n", "n/d" in lowest terms, and "n/2^k" where the denominator is a power
of two; n and d in decimal below 10^18 and in hexadecimal from there on.
"""
from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from . import audits, files, output
from .chain import START, linked, split
from .errors import ArgumentError, DtypeError, LengthError, RangeError
from .kinds import BY_NAME, EITHER, FLAG, GIVEN, LEVEL, MASK, NUMBER, OPTIONAL, VECTOR, VECTORS, WHOLE, Kind, exact, kind_of
from .verdict import Verdict

FORMAT, VERSION = "gnosis.certificates", 1
LONGEST_LINE = 1 << 22   # bytes of a line, without its end
MOST_BITS = 1 << 18      # of one number, and of the common denominator of a vector
MOST_TOGETHER = 1 << 26  # bits of a vector, written with its common denominator; and of all denominators 2^k of a line
DECIMAL = 10**18         # whole numbers from here on are hexadecimal

_WORD = r"(?:0|[1-9][0-9]{0,17}|0x[1-9a-f][0-9a-f]*)"
_NUMBER = re.compile(rf"(-?{_WORD})(?:/(?:2\^([1-9][0-9]{{0,5}})|({_WORD})))?", re.ASCII)
_POWERS = re.compile(rb"/2\^([0-9]{1,6})")
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TEXT = 500  # characters of a name, and of an assumption


class CertificateError(ArgumentError):
    """Something in a file of certificates does not hold.

    argument: what is at fault: "line" (cannot be read), "chain", "n" (a line is missing, stands twice or elsewhere), "version", "package", "lock",
    "model", "gate", "parameters", "theorem", "statement", "decision", "inputs", "admit", "margin", "assumes", "end".
    """


# ---- numbers and values ----------------------------------------------------------------------------------------------


def number_text(x: Fraction, name: str = "number") -> str:
    """The one way of writing an exact number.  RangeError for one of more than 2^18 bits."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MOST_BITS:
        raise RangeError(name, x, f"a certificate holds numbers of at most {MOST_BITS} bits")
    n, d = _word(x.numerator), x.denominator
    return n if d == 1 else f"{n}/{_word(d)}" if d & (d - 1) else f"{n}/2^{d.bit_length() - 1}"


def _word(n: int) -> str:
    return str(n) if -DECIMAL < n < DECIMAL else hex(n)


def number_of(text: Any, name: str = "number") -> Fraction:
    """The number that `number_text` wrote so.  Raises ArgumentError for anything else, other ways of writing the same number included."""
    if type(text) is not str:
        raise DtypeError(name, text, "not a number as text")
    found = _NUMBER.fullmatch(text) if len(text) <= MOST_BITS else None
    if found is None:
        raise DtypeError(name, text, "not an exact number as certificates write it")
    n, power, d = found.groups()
    if max(4 * len(n), 4 * len(d or ""), int(power or 0)) > MOST_BITS:
        raise RangeError(name, text, f"more than {MOST_BITS} bits")
    below = 1 << int(power) if power else int(d, 0) if d else 1
    if not below:
        raise RangeError(name, text, "the denominator must not be zero")
    x = Fraction(int(n, 0), below)
    if number_text(x) != text:
        raise DtypeError(name, text, "another way of writing this number than that of certificates")
    return x


@dataclass(frozen=True)
class Tile:
    """Where a residual comes from: some consecutive weights of a row of a tensor, and the code that stands for them.

    columns: first, and one past the last.  family, code, step: as `gnosis.tiles.decoded` takes them; the exact step of a lattice without
    bounds, None for a code of blocks.  weights: SHA-256 of the decoded weights as little-endian float32.
    """

    tensor: str
    row: int
    columns: tuple[int, int]
    family: str
    code: str
    step: Fraction | None
    weights: str


@dataclass(frozen=True)
class FromModel:
    """An input that can be computed again from a model file: the residual of a tile (a vector), or its energy (a number).

    value: the number, or the numbers.  A certificate holds the number; of a vector it holds length and hash alone, so `value` is None when it
    was read.  count, sha256: of a vector, `vector_hash`.
    """

    tile: Tile
    value: Any = None
    count: int | None = None
    sha256: str | None = None

    def to_json(self, name: str) -> dict[str, Any]:
        """As it stands in a certificate."""
        tile = self.tile
        place = {"tensor": tile.tensor, "row": tile.row, "columns": list(tile.columns), "family": tile.family, "code": tile.code,
                 "step": None if tile.step is None else number_text(tile.step, name), "weights": tile.weights}
        if isinstance(self.value, Fraction):
            return {"residual energy of": place, "value": number_text(self.value, name)}
        return {"residual of": place, "count": len(self.value), "sha256": vector_hash(self.value)}

    @classmethod
    def of_json(cls, data: dict[str, Any], kind: str, name: str) -> FromModel:
        """Read what `to_json` wrote."""
        what = "residual energy of" if kind == NUMBER else "residual of"
        _fields(data, {what, "value"} if kind == NUMBER else {what, "count", "sha256"}, name)
        place = data[what]
        if type(place) is not dict:
            raise DtypeError(name, place, "not an object")
        _fields(place, {"tensor", "row", "columns", "family", "code", "step", "weights"}, name)
        columns = place["columns"]
        if type(columns) is not list or len(columns) != 2:
            raise DtypeError(name, columns, "columns must be two whole numbers")
        tile = Tile(_text(place["tensor"], name), _count(place["row"], name), (_count(columns[0], name), _count(columns[1], name)), _text(place["family"], name),
                    _text(place["code"], name), None if place["step"] is None else number_of(place["step"], name), _hash(place["weights"], name))
        if not tile.columns[0] < tile.columns[1]:
            raise RangeError(name, columns, "no columns")
        return cls(tile, number_of(data["value"], name)) if kind == NUMBER else cls(tile, None, _count(data["count"], name), _hash(data["sha256"], name))


def vector_hash(numbers: list[Fraction]) -> str:
    """SHA-256 of the numbers, each as `number_text` writes it and followed by a line end."""
    return hashlib.sha256("".join(f"{number_text(x)}\n" for x in numbers).encode()).hexdigest()


def _written(value: Any, name: str) -> Any:
    """An exact value (`gnosis.kinds.exact`) as JSON."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, Fraction)):
        return number_text(Fraction(value), name)
    return value.to_json(name) if isinstance(value, FromModel) else [_written(x, name) for x in value]


def _read(value: Any, kind: str, name: str) -> Any:
    """The exact value of a type from its JSON.  Raises ArgumentError."""
    if kind.endswith(OPTIONAL):
        if value is None:
            return None
        kind = kind[: -len(OPTIONAL)]
    if kind == EITHER:
        kind = VECTOR if isinstance(value, list) else NUMBER
    elif isinstance(value, dict) and kind in (NUMBER, VECTOR):
        return FromModel.of_json(value, kind, name)
    if kind in (NUMBER, LEVEL):
        return number_of(value, name)
    if kind == WHOLE:
        x = number_of(value, name)
        if x.denominator != 1:
            raise DtypeError(name, value, "not a whole number")
        return x.numerator
    if kind in (VECTOR, VECTORS, MASK):
        if type(value) is not list:
            raise DtypeError(name, value, "not a list")
        found = [_read(x, {VECTOR: NUMBER, VECTORS: VECTOR, MASK: FLAG}[kind], name) for x in value]
        if kind == VECTOR:
            _check_size(found, name)
        return found
    if type(value) is not (bool if kind == FLAG else str):
        raise DtypeError(name, value, f"not a {kind}")
    return value


def _check_size(numbers: list[Fraction], name: str) -> None:
    """RangeError for numbers that take too much room once they have a common denominator, as every decision gives them."""
    common, largest = 1, 0
    for x in numbers:
        common = math.lcm(common, x.denominator)
        largest = max(largest, x.numerator.bit_length())
        if common.bit_length() > MOST_BITS:
            break
    if common.bit_length() > MOST_BITS or len(numbers) * (common.bit_length() + largest) > MOST_TOGETHER:
        raise RangeError(name, len(numbers), f"numbers of more than {MOST_TOGETHER} bits together, or a common denominator of more than {MOST_BITS}")


def _fields(data: dict[str, Any], fields: set[str], name: str) -> None:
    for other in sorted(fields ^ set(data)):
        raise ArgumentError(name, other, "unknown field" if other in data else "missing field")


def _text(value: Any, name: str) -> str:
    if type(value) is not str or not 0 < len(value) <= _TEXT:
        raise DtypeError(name, value, f"not a text of 1 to {_TEXT} characters")
    return value


def _hash(value: Any, name: str) -> str:
    if type(value) is not str or not _HASH.fullmatch(value):
        raise DtypeError(name, value, "not a SHA-256 in hexadecimal")
    return value


def _count(value: Any, name: str) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise DtypeError(name, value, "not a whole number from 0 on, below 2^63")
    return value


# ---- the statement lock ----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def _locked(folder: Path) -> tuple[dict[str, str], str]:
    entries = yaml.load((folder / "headline.yaml").read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["theorems"]
    hashes = {e["name"]: hashlib.sha256("\n".join((e["name"], e["statement"], e["meaning_sha256"])).encode()).hexdigest() for e in entries}
    whole = hashlib.sha256((folder / "definitions.lock").read_bytes())
    for name in sorted(hashes):
        whole.update(f"{name} {hashes[name]}\n".encode())
    return hashes, whole.hexdigest()


def statements(folder: Path | None = None) -> dict[str, str]:
    """Headline theorem → hash of what it says: its name, its locked statement and the hash of all definitions that this unfolds to.

    folder: holds headline.yaml and definitions.lock; None for those of this installation.
    """
    return _locked(folder or Path(audits.__file__).parent)[0]


def lock_hash(folder: Path | None = None) -> str:
    """The hash of the whole statement lock: definitions.lock and every statement."""
    return _locked(folder or Path(audits.__file__).parent)[1]


# ---- lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Header:
    """The first line.  package: version that wrote the file.  lock: `lock_hash`.  model: name, and file, bytes and SHA-256 of each file, of the model that
    inputs come from; None without one."""

    package: str
    lock: str
    model: dict[str, Any] | None


@dataclass(frozen=True)
class Certificate:
    """One decision.

    n: number in the file, from 1.  kind, parameters: of the gate.  theorem, statement: what the verdict rests on, and its hash in the lock.
    decision: the Lean decision, None where there is none.  inputs: exact values, or `FromModel`.  admit, margin, assumes: the verdict.
    """

    n: int
    kind: Kind
    parameters: dict[str, Any]
    theorem: str
    statement: str
    decision: str | None
    inputs: dict[str, Any]
    admit: bool
    margin: Fraction | None
    assumes: tuple[str, ...]

    @property
    def referred(self) -> dict[str, FromModel]:
        """The inputs that can be computed again from a model file."""
        return {name: value for name, value in self.inputs.items() if isinstance(value, FromModel)}


@dataclass(frozen=True)
class End:
    """The closing line.  count: certificates in the file."""

    count: int


def parse_line(line: bytes) -> Header | Certificate | End:
    """What a line says, without its line end.  The hash at its end is not checked here.

    Raises CertificateError for anything that no `Writer` writes; nothing else, whatever the bytes.
    """
    if len(line) > LONGEST_LINE:
        raise CertificateError("line", line[:40], f"more than {LONGEST_LINE} bytes")
    if sum(map(int, _POWERS.findall(line))) > MOST_TOGETHER:
        raise CertificateError("line", line[:40], f"denominators of more than {MOST_TOGETHER} bits")
    if split(line)[1] is None:
        raise CertificateError("chain", line[-40:], "no hash at the end of the line")
    try:
        data = files.json_object(line.decode(), "line", None)
    except UnicodeDecodeError as error:
        raise CertificateError("line", line[:40], f"not UTF-8 ({error.reason} at byte {error.start})") from None
    except ArgumentError as error:
        raise CertificateError("line", error.value, error.problem) from None
    name = "line"
    try:
        if "format" in data:
            _fields(data, {"format", "version", "package", "lock", "model", "chain"}, "line")
            return _header(data)
        if "end" in data:
            _fields(data, {"end", "chain"}, "line")
            name = "end"
            return End(_count(data["end"], "end"))
        _fields(data, {"n", "gate", "parameters", "theorem", "statement", "decision", "inputs", "admit", "margin", "assumes", "chain"}, "line")
        name = "n"
        n = _count(data["n"], "n")
        name = "gate"
        kind = BY_NAME.get(_text(data["gate"], "gate"))
        if kind is None:
            raise RangeError("gate", data["gate"], "no gate of this name")
        parts: dict[str, dict[str, Any]] = {}
        for name, types in (("parameters", kind.parameters), ("inputs", kind.inputs)):
            if type(data[name]) is not dict:
                raise DtypeError(name, data[name], "not an object")
            _fields(data[name], set(types), name)
            parts[name] = {key: _read(data[name][key], of, key) for key, of in types.items()}
        kind.check_work(parts["parameters"], parts["inputs"])
        name = "theorem"
        theorem = _text(data[name], name)
        name = "statement"
        statement = _hash(data[name], name)
        name = "decision"
        decision = None if data[name] is None else _text(data[name], name)
        name = "admit"
        if type(data[name]) is not bool:
            raise DtypeError(name, data[name], "not a truth value")
        name = "margin"
        margin = None if data[name] is None else number_of(data[name], name)
        name = "assumes"
        if type(data[name]) is not list:
            raise DtypeError(name, data[name], "not a list")
        return Certificate(n, kind, parts["parameters"], theorem, statement, decision, parts["inputs"], data["admit"], margin,
                           tuple(_text(x, name) for x in data[name]))
    except CertificateError:
        raise
    except ArgumentError as error:
        where = "" if error.argument == name else f"{error.argument}: "
        raise CertificateError(name, error.value, where + error.problem) from None


def _header(data: dict[str, Any]) -> Header:
    if data["format"] != FORMAT:
        raise CertificateError("line", data["format"], f"not certificates of format {FORMAT!r}")
    if type(data["version"]) is not int or data["version"] != VERSION:
        raise CertificateError("version", data["version"], f"this reads version {VERSION}")
    if type(data["package"]) is not str or not re.fullmatch(r"[0-9]+(\.[0-9a-z+]+)*", data["package"], re.ASCII) or len(data["package"]) > _TEXT:
        raise CertificateError("package", data["package"], "not a version")
    model = data["model"]
    if type(data["lock"]) is not str or not _HASH.fullmatch(data["lock"]):
        raise CertificateError("lock", data["lock"], "not a SHA-256 in hexadecimal")
    try:
        return Header(data["package"], data["lock"], None if model is None else _model(model))
    except ArgumentError as error:
        raise CertificateError("model", error.value, error.problem) from None


def _model(data: Any) -> dict[str, Any]:
    if type(data) is not dict or type(data.get("files")) is not list or not data["files"]:
        raise DtypeError("model", data, "not an object with a list of files")
    _fields(data, {"name", "files"}, "model")
    _text(data["name"], "model")
    for one in data["files"]:
        if type(one) is not dict:
            raise DtypeError("model", one, "not an object")
        _fields(one, {"file", "bytes", "sha256"}, "model")
        _text(one["file"], "model"), _count(one["bytes"], "model"), _hash(one["sha256"], "model")
    return data


@dataclass(frozen=True)
class Line:
    """A line of a file: its number from 1, what it says (None when it cannot be read), what is wrong with it, and whether it was cut off."""

    number: int
    item: Header | Certificate | End | None
    problems: tuple[CertificateError, ...] = ()
    torn: bool = False


def read(path: str | os.PathLike[str]) -> Iterator[Line]:
    """The lines of a file, one after the other; each is checked against those before it, and none is replayed.

    A last line without its end was cut off while it was written: it comes last, with `torn`, and is not read.  Memory stays bounded by the longest line.
    Raises OSError.
    """
    previous: str | None = START
    expected, ended = 1, False
    with open(path, "rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 2):
            number += 1
            if not line.endswith(b"\n"):
                long = len(line) > LONGEST_LINE
                while line and not line.endswith(b"\n"):
                    line = file.readline(1 << 16)
                if not line:
                    yield Line(number, None, torn=True)
                    return
                if long:
                    previous = None
                    yield Line(number, None, (CertificateError("line", number, f"more than {LONGEST_LINE} bytes"),))
                    continue
            body, problems, item = line[:-1], [], None
            unlinked, link = split(body)
            if link is not None and previous is not None and linked(previous, unlinked) != link:
                problems.append(CertificateError("chain", link, "this line, or the one before it, is not the one that was written"))
            previous = link
            try:
                item = parse_line(body)
            except CertificateError as error:
                problems.append(error)
            if (number == 1) != isinstance(item, Header) and item is not None:
                problems.append(CertificateError("line", number, "the first line, and no other, says what the file is"))
            if ended:
                problems.append(CertificateError("end", number, "a line behind the closing line"))
            if isinstance(item, Certificate):
                if item.n > expected:
                    problems.append(CertificateError("n", item.n, f"certificate {expected} is missing"))
                elif item.n < expected:
                    problems.append(CertificateError("n", item.n, f"stands a second time or out of order; certificate {expected} was to come"))
                expected = item.n + 1
            elif isinstance(item, End):
                ended = True
                if item.count != expected - 1:
                    problems.append(CertificateError("end", item.count, f"certificates are said to be there; the last one is {expected - 1}"))
            yield Line(number, item, tuple(problems))


# ---- writing ---------------------------------------------------------------------------------------------------------

_DIMENSIONS = {VECTOR: 1, MASK: 1, EITHER: 1, VECTORS: 2}  # of one input; 0 for the others


class Writer:
    """Writes certificates to a new file, in a `with` statement.

    path: must not exist, unless it is no regular file.  model: that `FromModel` inputs come from, `gnosis.tiles.identity`.
    Left by an exception the file has no closing line, and is seen to be incomplete.  Not safe to use from several threads at once.
    count: certificates so far.  Raises FileExistsError, OSError.
    """

    def __init__(self, path: str | os.PathLike[str], model: dict[str, Any] | None = None) -> None:
        self.path = Path(path)
        self.count = 0
        self._chain = START
        self._statements = statements()
        self._out = output.create(path)
        self._line({"format": FORMAT, "version": VERSION, "package": version("gnosis-gates"), "lock": lock_hash(), "model": model})

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self._out.file.close()

    def close(self) -> None:
        """Write the closing line and have the file on the disk."""
        if not self._out.file.closed:
            self._line({"end": self.count})
            self._out.close()

    def remove(self) -> None:
        """Close without a closing line, and take the file away if it is a new one.  Raises OSError."""
        self._out.remove()

    def _line(self, fields: dict[str, Any]) -> None:
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        if len(body) > LONGEST_LINE - 100:
            raise RangeError("inputs", len(body), f"bytes; a certificate has at most {LONGEST_LINE}")
        self._chain = linked(self._chain, body)
        self._out.file.write(b'%b,"chain":"%b"}\n' % (body, self._chain.encode()))

    def add(self, gate: Any, verdict: Verdict, *arguments: Any, method: str = "decide", **named: Any) -> None:
        """Write a verdict that the gate gave, with the arguments that it was given.

        arguments, named: those of the gate's `decide` (or of `method`); for gates that rest on calibration also scores=, without which the certificate
        says that the threshold is assumed.  Nothing is decided again here.  Raises ArgumentError, and RangeError for a certificate that is too long.
        """
        kind = kind_of(gate, method)
        self._add(kind, gate, verdict, self._inputs(kind, gate, arguments, named))

    def decide(self, gate: Any, *arguments: Any, method: str = "decide", **named: Any) -> Verdict:
        """The gate's verdict, written down.  Arguments and errors as `add`, and those of the gate."""
        kind = kind_of(gate, method)
        inputs = self._inputs(kind, gate, arguments, named)
        kind.check_work(kind.parameters_of(gate), inputs)
        verdict = kind.verdict(gate, {name: value.value if isinstance(value, FromModel) else value for name, value in inputs.items()})
        self._add(kind, gate, verdict, inputs)
        if method == "step":  # the controller itself takes the step as well
            gate.step(inputs["bound"])
        return verdict

    def decide_many(self, gate: Any, *arguments: Any) -> np.ndarray:
        """The gate's answers to a batch, bool[n], each written down with the exact verdict of its entry.

        arguments: those of the gate's `decide_many`, in its order.  Each entry is decided a second time, exactly.
        """
        kind = kind_of(gate)
        names = list(kind.inputs)[: len(arguments)]
        if len(arguments) > len(kind.inputs):
            raise LengthError("arguments", len(arguments), f"{kind.name} decides on {len(kind.inputs)}")
        answers = gate.decide_many(*arguments)
        for i, answer in enumerate(answers):
            row = {}
            for name, value in zip(names, arguments):
                if name == "t" and not np.ndim(value):  # a number of events stands for all of them
                    row[name] = i
                elif np.ndim(value) > _DIMENSIONS.get(kind.inputs[name].removesuffix(OPTIONAL), 0):
                    row[name] = value[i if len(value) > 1 else 0]
                else:
                    row[name] = value
            if self.decide(gate, **row).admit != bool(answer):
                raise AssertionError(f"{kind.name}: the batch and the exact gate differ at entry {i}")
        return answers

    def _inputs(self, kind: Kind, gate: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        names = list(kind.inputs)
        if len(arguments) > len(names):
            raise LengthError("arguments", len(arguments), f"{kind.name} decides on {', '.join(names)}")
        given = dict(zip(names, arguments))
        for name, value in named.items():
            if name not in kind.inputs or name in given:
                raise DtypeError(name, value, f"{kind.name} decides on {', '.join(names)}")
            given[name] = value
        for name, of in kind.inputs.items():
            if name not in given and not of.endswith(OPTIONAL):
                if not hasattr(gate, name):
                    raise DtypeError(name, None, f"{kind.name} decides on {', '.join(names)}")
                given[name] = getattr(gate, name)
        return {name: given[name] if isinstance(given.get(name), FromModel) else exact(given.get(name), of, name) for name, of in kind.inputs.items()}

    def _add(self, kind: Kind, gate: Any, verdict: Verdict, inputs: dict[str, Any]) -> None:
        if verdict.theorem not in self._statements:
            raise RangeError("theorem", verdict.theorem, "not among the locked statements")
        parameters = kind.parameters_of(gate)
        kind.check_work(parameters, inputs)
        assumes = [*verdict.assumes, *([GIVEN] if "scores" in inputs and inputs["scores"] is None and GIVEN not in verdict.assumes else [])]
        for name, value in (*parameters.items(), *inputs.items()):
            if isinstance(value, list) and value and isinstance(value[0], Fraction):
                _check_size(value, name)
        self._line({"n": self.count + 1, "gate": kind.name, "parameters": {k: _written(v, k) for k, v in parameters.items()},
                    "theorem": verdict.theorem, "statement": self._statements[verdict.theorem], "decision": kind.decided_by(parameters),
                    "inputs": {k: _written(v, k) for k, v in inputs.items()}, "admit": verdict.admit,
                    "margin": None if verdict.margin is None else number_text(verdict.margin, "margin"), "assumes": assumes})
        self.count += 1


# ---- replaying -------------------------------------------------------------------------------------------------------


def replay(certificate: Certificate, inputs: dict[str, Any], locked: dict[str, str] | None = None) -> Any:
    """Make the decision of a certificate again, exactly, and compare all that it says.  Returns the gate.

    inputs: the certificate's, with vectors of `FromModel` in place.  locked: `statements()`.
    Raises CertificateError naming the field that does not hold.
    """
    c, locked = certificate, statements() if locked is None else locked
    try:
        gate = c.kind.gate_of(c.parameters)
    except ArgumentError as error:
        raise CertificateError("parameters", error.value, f"{error.argument}: {error.problem}") from None
    try:
        verdict = c.kind.verdict(gate, inputs)
    except ArgumentError as error:
        raise CertificateError("inputs", error.value, f"{error.argument}: {error.problem}") from None
    except ValueError as error:  # a message about a number that Python does not write in decimal
        raise CertificateError("inputs", None, str(error)) from None
    decision = c.kind.decided_by(c.parameters)
    if c.theorem != verdict.theorem:
        raise CertificateError("theorem", c.theorem, f"the verdict rests on {verdict.theorem}")
    if c.theorem not in locked:
        raise CertificateError("theorem", c.theorem, "not among the locked statements")
    if c.statement != locked[c.theorem]:
        raise CertificateError("statement", c.statement, f"{c.theorem} says something else here; its locked statement has the hash {locked[c.theorem]}")
    if c.decision != decision:
        raise CertificateError("decision", c.decision, f"this gate's decision is {decision}")
    if c.admit is not verdict.admit:
        raise CertificateError("admit", c.admit, f"the gate {'admits' if verdict.admit else 'refuses'}")
    if c.margin != verdict.margin:
        raise CertificateError("margin", _short(c.margin), f"the margin is {_short(verdict.margin)}")
    if c.assumes != verdict.assumes:
        raise CertificateError("assumes", list(c.assumes), f"the verdict assumes {list(verdict.assumes)}")
    return gate


def _short(x: Fraction | None) -> str | None:
    """A number in at most 60 characters."""
    text = None if x is None else number_text(x) if max(x.numerator.bit_length(), x.denominator.bit_length()) <= MOST_BITS else "too long to write"
    return text if text is None or len(text) <= 60 else text[:59] + "…"
