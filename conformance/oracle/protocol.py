"""Decisions over newline-delimited JSON, version 1: what `gnosis spine decide` speaks.

Request   {"v": 1, "id": …, "decision": "energyAdmit", "args": [[1, -2], [3, 4], 23]}
Answer    {"v": 1, "id": …, "result": true}   or   {"v": 1, "id": …, "error": "…"}

One request per line, one answer per line, in order.  `id` is a string or an integer of the caller's and comes back
unchanged (null when the line could not be read).  Arguments are exact: integers of up to 4300 digits, masks as arrays of
true and false, pairs and triples as arrays of two or three numbers.  A result that is none is null.  Refused, each with an error that says why: numbers with a fraction or an exponent, NaN and Infinity,
true or false for an integer, unknown or missing or repeated fields, unknown decisions, a wrong number of arguments,
lines of more than a mebibyte, bytes that are not UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .decisions import BadRequest, check
from .interpreter import Oracle, Refusal

VERSION = 1
LONGEST_LINE = 1 << 20
FIELDS = frozenset({"v", "id", "decision", "args"})


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadRequest("a field occurs twice")
    return fields


class Inexact:
    """A number that is not written as an integer, kept as its text: no check of an integer accepts it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def parse(line: str) -> Any:
    """JSON without repeated fields; fractions, exponents, NaN and Infinity become `Inexact`.  Raises BadRequest."""
    try:
        return json.loads(line, object_pairs_hook=_no_repeats, parse_float=Inexact, parse_constant=Inexact)
    except BadRequest:
        raise
    except RecursionError:
        raise BadRequest("nested too deeply") from None
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}") from None


def _answer(id_: Any, **fields: Any) -> str:
    return json.dumps({"v": VERSION, "id": id_, **fields})


def read(line: bytes | str) -> tuple[Any, str, list[Any]]:
    """The id, decision and arguments of a request.  Raises BadRequest; its `id` attribute is the request's id if it has one."""
    id_ = None
    try:
        if len(line) > LONGEST_LINE:
            raise BadRequest(f"a line of {len(line)} bytes; at most {LONGEST_LINE}")
        if isinstance(line, bytes):
            try:
                line = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise BadRequest(f"not UTF-8: {error}") from None
        request = parse(line)
        if type(request) is not dict:
            raise BadRequest("a request is an object")
        given = request.get("id")
        if type(given) is str or type(given) is int:
            id_ = given
        if type(request.get("v")) is not int or request["v"] != VERSION:
            raise BadRequest(f"v must be {VERSION}")
        if id_ is None:
            raise BadRequest("id must be a string or an integer")
        for name in sorted(set(request) - FIELDS):
            raise BadRequest(f"unknown field {name!r}")
        for name in sorted(FIELDS - set(request)):
            raise BadRequest(f"no field {name!r}")
        check(request["decision"], request["args"])
        return id_, request["decision"], request["args"]
    except BadRequest as error:
        error.id = id_
        raise


def answer(oracle: Oracle, lines: Sequence[bytes | str]) -> list[str]:
    """The answers to some lines.  Requests for the same decision that stand together are decided together.

    Raises OracleError when the process behind the oracle fails.
    """
    out: list[str] = []
    waiting: list[tuple[Any, str, list[Any]]] = []

    def decide() -> None:
        if waiting:
            results = oracle.many(waiting[0][1], [args for _, _, args in waiting])
            out.extend(_answer(id_, error=r.why) if isinstance(r, Refusal) else _answer(id_, result=r) for (id_, _, _), r in zip(waiting, results))
            waiting.clear()

    for line in lines:
        try:
            request = read(line)
        except BadRequest as error:
            decide()
            out.append(_answer(error.id, error=str(error)))
            continue
        if waiting and waiting[0][1] != request[1]:
            decide()
        waiting.append(request)
    decide()
    return out
