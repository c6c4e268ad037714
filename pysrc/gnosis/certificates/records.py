"""Certificates: decisions written down so that anybody can make them again.

A file of JSON lines.  The first line says what wrote it and under which statement lock, each further line is one decision with
its exact inputs, and the last line says that the file is complete:

    with Writer("decisions.jsonl") as out:
        verdict = out.decide(SidecarGate(gamma=0.25), E, A)

`gnosis verify FILE` makes every decision again (`gnosis.conformance.verify.again`).  That is what a certificate is worth: the
chain of hashes shows a line that was changed, moved or lost by accident or by a plain edit, and whoever changes a line may
just as well write the hashes anew.

Numbers are exact and have one way of being written, see `gnosis.files.grammar`.
"""

from __future__ import annotations

import functools
import hashlib
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

from .. import audits
from ..errors import ArgumentError, DtypeError, LengthError, RangeError
from ..files import grammar, output
from ..files.chain import START, linked, split, write
from ..files.grammar import MOST_BITS, TEXT, number_of, number_text
from ..files.inputs import opened
from ..verdict import Verdict
from . import values
from .kinds import BY_NAME, EITHER, GIVEN, MASK, OPTIONAL, VECTOR, VECTORS, Kind, exact, kind_of
from .values import MOST_NUMBERS, MOST_TOGETHER, FromModel

FORMAT, VERSION = "gnosis.certificates", 1
LONGEST_LINE = 1 << 22  # bytes of a line, without its end

_POWERS = re.compile(rb"/2\^([0-9]{1,6})")


class CertificateError(ArgumentError):
    """Something in a file of certificates does not hold.

    argument: what is at fault: "line" (cannot be read), "chain", "n" (a line is missing, stands twice or elsewhere), "version", "package", "lock",
    "model", "gate", "parameters", "theorem", "statement", "decision", "inputs", "admit", "margin", "assumes", "end".
    """


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
    Promises: tested `tests/test_certificates.py::test_replay_by_the_exact_reference`.
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
        data = grammar.json_object(line.decode(), "line", None)
    except UnicodeDecodeError as error:
        raise CertificateError("line", line[:40], f"not UTF-8 ({error.reason} at byte {error.start})") from None
    except ArgumentError as error:
        raise CertificateError("line", error.value, error.problem) from None
    name = "line"
    try:
        if "format" in data:
            grammar.fields(data, {"format", "version", "package", "lock", "model", "chain"}, "line")
            return _header(data)
        if "end" in data:
            grammar.fields(data, {"end", "chain"}, "line")
            name = "end"
            return End(grammar.count(data["end"], "end"))
        grammar.fields(data, {"n", "gate", "parameters", "theorem", "statement", "decision", "inputs", "admit", "margin", "assumes", "chain"}, "line")
        name = "n"
        n = grammar.count(data["n"], "n")
        name = "gate"
        kind = BY_NAME.get(grammar.text(data["gate"], "gate"))
        if kind is None:
            raise RangeError("gate", data["gate"], "no gate of this name")
        parts: dict[str, dict[str, Any]] = {}
        for name, types in (("parameters", kind.parameters), ("inputs", kind.inputs)):
            if type(data[name]) is not dict:
                raise DtypeError(name, data[name], "not an object")
            grammar.fields(data[name], set(types), name)
            parts[name] = {key: values.read(data[name][key], of, key) for key, of in types.items()}
        if sum(values.size(x) for part in parts.values() for x in part.values()) > MOST_NUMBERS:
            raise RangeError("inputs", n, f"a certificate of more than {MOST_NUMBERS} numbers")
        kind.check_work(parts["parameters"], parts["inputs"])
        name = "theorem"
        theorem = grammar.text(data[name], name)
        name = "statement"
        statement = grammar.sha256(data[name], name)
        name = "decision"
        decision = None if data[name] is None else grammar.text(data[name], name)
        name = "admit"
        if type(data[name]) is not bool:
            raise DtypeError(name, data[name], "not a truth value")
        name = "margin"
        margin = None if data[name] is None else number_of(data[name], name)
        name = "assumes"
        if type(data[name]) is not list:
            raise DtypeError(name, data[name], "not a list")
        return Certificate(
            n, kind, parts["parameters"], theorem, statement, decision, parts["inputs"], data["admit"], margin, tuple(grammar.text(x, name) for x in data[name])
        )
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
    if type(data["package"]) is not str or not re.fullmatch(r"[0-9]+(\.[0-9a-z+]+)*", data["package"], re.ASCII) or len(data["package"]) > TEXT:
        raise CertificateError("package", data["package"], "not a version")
    model = data["model"]
    try:
        lock = grammar.sha256(data["lock"], "lock")
    except ArgumentError as error:
        raise CertificateError("lock", error.value, error.problem) from None
    try:
        return Header(data["package"], lock, None if model is None else _model(model))
    except ArgumentError as error:
        raise CertificateError("model", error.value, error.problem) from None


def _model(data: Any) -> dict[str, Any]:
    if type(data) is not dict or type(data.get("files")) is not list or not data["files"]:
        raise DtypeError("model", data, "not an object with a list of files")
    grammar.fields(data, {"name", "files"}, "model")
    grammar.text(data["name"], "model")
    for one in data["files"]:
        if type(one) is not dict:
            raise DtypeError("model", one, "not an object")
        grammar.fields(one, {"file", "bytes", "sha256"}, "model")
        grammar.text(one["file"], "model"), grammar.count(one["bytes"], "model"), grammar.sha256(one["sha256"], "model")
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

    A last line without its end was cut off while it was written: it comes last, with `torn`, and is not read.  A line that is too long comes last as
    well, with that problem: time and memory stay bounded by LONGEST_LINE, whatever the size of the file.
    Raises OSError; ArgumentError for what is no regular file.
    """
    previous: str | None = START
    expected, ended = 1, False
    with opened(path, "file") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 2):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) > LONGEST_LINE:  # the writer makes none; its end may be a terabyte away
                    yield Line(number, None, (CertificateError("line", number, f"more than {LONGEST_LINE} bytes; nothing behind it is read"),))
                else:
                    yield Line(number, None, torn=True)
                return
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

    path: must not exist, unless it is no regular file.  model: that `FromModel` inputs come from, `gnosis.certificates.tiles.identity`.
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
        line, link = write(self._chain, fields)
        if len(line) > LONGEST_LINE:
            raise RangeError("inputs", len(line), f"bytes; a certificate has at most {LONGEST_LINE}")
        self._out.file.write(line)
        self._chain = link

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
        Promises: tested `tests/test_certificates.py::test_batches_are_written_row_by_row`.
        """
        kind = kind_of(gate)
        names = list(kind.inputs)[: len(arguments)]
        if len(arguments) > len(kind.inputs):
            raise LengthError("arguments", len(arguments), f"{kind.name} decides on {len(kind.inputs)}")
        answers = gate.decide_many(*arguments)
        for i, answer in enumerate(answers):
            row: dict[str, Any] = {}
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
        if sum(map(values.size, (*parameters.values(), *inputs.values()))) > MOST_NUMBERS:
            raise RangeError("inputs", kind.name, f"a certificate of more than {MOST_NUMBERS} numbers")
        kind.check_work(parameters, inputs)
        assumes = [*verdict.assumes, *([GIVEN] if "scores" in inputs and inputs["scores"] is None and GIVEN not in verdict.assumes else [])]
        for name, value in (*parameters.items(), *inputs.items()):
            if isinstance(value, list) and value and isinstance(value[0], Fraction):
                values.check_size(value, name)
        self._line(
            {
                "n": self.count + 1,
                "gate": kind.name,
                "parameters": {k: values.written(v, k) for k, v in parameters.items()},
                "theorem": verdict.theorem,
                "statement": self._statements[verdict.theorem],
                "decision": kind.decided_by(parameters),
                "inputs": {k: values.written(v, k) for k, v in inputs.items()},
                "admit": verdict.admit,
                "margin": None if verdict.margin is None else number_text(verdict.margin, "margin"),
                "assumes": assumes,
            }
        )
        self.count += 1


# ---- replaying -------------------------------------------------------------------------------------------------------


def replay(certificate: Certificate, inputs: dict[str, Any], locked: dict[str, str] | None = None) -> Any:
    """Make the decision of a certificate again, exactly, and compare all that it says.  Returns the gate.

    inputs: the certificate's, with vectors of `FromModel` in place.  locked: `statements()`.
    Raises CertificateError naming the field that does not hold.
    Promises: tested `tests/test_certificates.py::test_replay_by_the_exact_reference`.
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
