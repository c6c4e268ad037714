"""What a generation did, as a file that anybody can check by doing it again.

JSON lines, chained by hashes: what was asked and of which files, then each window with the tokens that became final, and a
closing line.  Every line is on the disk before the next window starts, so an interrupted run leaves a readable beginning.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from ...errors import ArgumentError
from ...files import chain, grammar, output
from ...files.chain import START
from ...files.inputs import opened
from ...models.files import sha256
from .pair import Pair
from .run import Answer, Check, Policy, generate

FORMAT, VERSION = "gnosis.generation", 1
LONGEST_LINE = 1 << 24
MOST_TOKENS = 1 << 22
_HEAD = {"format", "version", "package", "codes", "files", "policy", "prompt", "most"}
_WINDOW = {"tokens", "check"}
_CHECK = ("upto", "fed", "asked", "flip", "gained", "passes", "read")  # what does not depend on the clock or the disk
_END = {"end"}


class RecordError(ArgumentError):
    """Something in a record does not hold; argument: "line", "chain", "files", "policy", "prompt", "most", "tokens", "check" or "end"."""


@dataclass(frozen=True)
class Record:
    """A record as it was read.  head: its first line; windows: the others; complete: it has its closing line; torn: a last line was cut off."""

    head: dict[str, Any]
    windows: list[dict[str, Any]]
    complete: bool
    torn: bool


def identity(pair: Pair) -> list[dict[str, Any]]:
    """The files of both codes: name, bytes, SHA-256."""
    return [{"file": grammar.encodable(path.name), "bytes": path.stat().st_size, "sha256": sha256(path)} for path in pair.files]


def write(
    path: str | os.PathLike[str], pair: Pair, prompt: Sequence[int], policy: Policy, most: int, heard: Callable[[list[int], Check | None], None] | None = None
) -> Answer:
    """`generate`, written down in a new file while it runs.  Raises FileExistsError, OSError, and what `generate` raises."""
    out = output.create(path)
    with out.file as file:
        last, told = START, False

        def line(fields: dict[str, Any]) -> None:
            nonlocal last
            text, last = chain.write(last, fields)
            file.write(text)
            out.sync()

        def window(tokens: list[int], check: Check | None) -> None:
            nonlocal told
            line(_window(tokens, check))
            told = True
            if heard is not None:
                heard(tokens, check)

        line(
            {
                "format": FORMAT,
                "version": VERSION,
                "package": version("gnosis-gates"),
                "codes": list(pair.named),
                "files": identity(pair),
                "policy": asdict(policy),
                "prompt": [int(t) for t in prompt],
                "most": int(most),
            }
        )
        try:
            answer = generate(pair, prompt, policy, most, window)
        except ArgumentError:
            if not told:  # nothing was generated, and nothing is to be checked
                out.remove()
            raise
        line({"end": len(answer.tokens)})
    return answer


def _window(tokens: list[int], check: Check | None) -> dict[str, Any]:
    return {"tokens": tokens, "check": None if check is None else {name: getattr(check, name) for name in _CHECK}}


def read(path: str | os.PathLike[str]) -> Record:
    """A record, its form and its chain checked.  Raises RecordError naming the line, OSError."""
    head: dict[str, Any] | None = None
    windows: list[dict[str, Any]] = []
    last, complete, torn, number = START, False, False, 0
    total = 0
    with opened(path, "record") as file:
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) > LONGEST_LINE:
                    raise RecordError("line", number, f"more than {LONGEST_LINE} bytes")
                torn = True
                break
            try:
                fields, last = chain.read(last, line[:-1], "line")
            except ArgumentError as error:
                raise RecordError("chain" if error.problem.startswith(("chain", "no hash")) else "line", number, error.problem) from None
            if complete:
                raise RecordError("end", number, "a line behind the closing line")
            if head is None:
                if (
                    set(fields) != _HEAD
                    or fields["format"] != FORMAT
                    or not grammar.same(fields["version"], VERSION)
                    or not isinstance(fields["package"], str)
                    or not _names(fields["codes"])
                ):
                    raise RecordError("line", number, f"not the first line of a record of {FORMAT} version {VERSION}")
                head = fields
            elif set(fields) == _END:
                complete = True
                if not grammar.same(fields["end"], total):
                    raise RecordError("end", fields["end"], f"tokens are said to be there; there are {total}")
            elif set(fields) == _WINDOW and _tokens(fields["tokens"]) and (fields["check"] is None or isinstance(fields["check"], dict)):
                windows.append(fields)
                total += len(fields["tokens"])
                if max(total, len(windows)) > MOST_TOKENS:
                    raise RecordError("line", number, f"more than {MOST_TOKENS} tokens")
            else:
                raise RecordError("line", number, "neither a window nor the closing line")
    if head is None:
        raise RecordError("line", 1, "the file is empty" if not torn else "the first line was cut off")
    return Record(head, windows, complete, torn)


def _tokens(value: Any) -> bool:
    return isinstance(value, list) and all(type(t) is int and t >= 0 for t in value)


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(one, str) and "\0" not in one for one in value)


class _Enough(Exception):
    """Everything that the record holds was done again."""


def replay(record: Record, pair: Pair) -> int:
    """Generate again with the same pair and compare window by window.  Returns how many tokens were compared.

    Raises RecordError naming the field that differs.
    Promises: tested `tests/test_deferred_records.py::test_a_forged_record_is_refused_for_the_right_reason`.
    """
    files, named = identity(pair), record.head["files"]
    if not isinstance(named, list) or len(named) != len(files):
        raise RecordError("files", named, "a record names the coarse file and the finer one")
    for mine, theirs in zip(files, named):
        # a file may have been moved, so its name is not compared
        if not isinstance(theirs, dict) or not isinstance(theirs.get("file"), str) or not grammar.same({**theirs, "file": mine["file"]}, mine):
            raise RecordError("files", theirs, f"another file than {mine['file']} of {mine['bytes']} bytes and SHA-256 {mine['sha256']}")
    try:
        policy = Policy(**record.head["policy"])
    except (TypeError, ArgumentError) as error:
        raise RecordError("policy", record.head["policy"], str(error)) from None
    if not grammar.same(asdict(policy), record.head["policy"]):
        raise RecordError("policy", record.head["policy"], "a field is missing, or of another type")
    if not _tokens(record.head["prompt"]):
        raise RecordError("prompt", record.head["prompt"], "not a list of tokens")
    compared = at = 0

    def window(tokens: list[int], check: Check | None) -> None:
        nonlocal at, compared
        if at == len(record.windows):
            if record.complete:
                raise RecordError("end", at, "the generation goes on")
            raise _Enough
        mine, theirs = _window(tokens, check), record.windows[at]
        for name in ("tokens", "check"):
            if not grammar.same(mine[name], theirs[name]):
                raise RecordError(name, theirs[name], f"window {at + 1} gives {mine[name]}")
        at, compared = at + 1, compared + len(tokens)

    try:
        generate(pair, record.head["prompt"], policy, record.head["most"], window)
    except _Enough:
        return compared
    except RecordError:
        raise
    except ArgumentError as error:
        raise RecordError("most" if error.argument == "most" else "prompt", error.value, error.problem) from None
    if at != len(record.windows):
        raise RecordError("tokens", record.windows[at]["tokens"], f"the generation ends after {at} windows")
    return compared
