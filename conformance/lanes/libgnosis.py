"""The lane libgnosis: the decisions as the C library gives them, by words, by JSON and by typed calls, against the exact reference.

Malformed requests are among the cases: what the library refuses is what the checks of `gnosis spine decide` refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from .. import targets
from ..extraction.build import shared
from ..extraction.client import Failed, Library
from ..oracle.decisions import BadRequest, check
from ..oracle.interpreter import Refusal
from ..running.checks import Check, Result


def plain(value: Any) -> Any:
    """A result with lists in place of tuples."""
    return [plain(x) for x in value] if isinstance(value, (list, tuple)) else value


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and a == b


_WRONG: tuple[Any, ...] = (True, 1.5, -1, "1", None, [], [[1]], -0.0, 2**70)


def damaged(rng: Random, args: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments with one thing changed that most often no longer fits: a number, an entry, or how many there are."""
    out = [list(x) if isinstance(x, tuple) else x for x in plain(args)]
    if rng.random() < 0.1:
        return tuple(out[:-1] if rng.random() < 0.5 else [*out, 1])
    place, at = out, rng.randrange(len(out))
    while isinstance(place[at], list) and place[at] and rng.random() < 0.8:
        place, at = place[at], rng.randrange(len(place[at]))
    if rng.random() < 0.2 and place is not out:
        place.append(place[at])
    else:
        place[at] = rng.choice(_WRONG)
    return tuple(out)


def refusal(decision: str, args: Sequence[Any]) -> str | None:
    """Why the arguments do not fit, as Python says it; None if they do."""
    try:
        check(decision, args)
    except BadRequest as error:
        return str(error)
    return None


def reason(message: str) -> tuple[str, str]:
    """Which argument, and what is wrong with it, without the value, which each side cuts in its own way."""
    return message.split(" = ")[0], message.rsplit(": ", 1)[-1]


def ask(library: Library, decision: str, args: Sequence[Any]) -> dict[str, Any]:
    """The answers of the ways into the library; a typed call that cannot hold a number is left out."""
    found = {"words": plain(library.call(decision, args)), "JSON": library.by_json(decision, args)}
    try:
        found["typed"] = plain(library.typed(decision, args))
    except OverflowError:
        pass
    except Failed as error:
        if error.code != "wide":
            raise
    return found


def compare(library: Library, target: targets.Target, args: Sequence[Any]) -> Result:
    """One case: equal answers, or for arguments that do not fit the same refusal by JSON."""
    why = refusal(target.decision, args)
    if why is not None:
        answer = library.by_json(target.decision, args)
        fault = None if isinstance(answer, Refusal) and reason(answer.why) == reason(why) else f"said {answer!r} where Python says {why!r}"
        return Result(fault=fault, refused=1)
    exact = plain(target.reference(*args))
    found = ask(library, target.decision, args)
    wrong = [f"{way}: {got!r}" for way, got in found.items() if not same(got, exact)]
    return Result(len(found), f"{'; '.join(wrong)} where the exact answer is {exact!r}" if wrong else None, exact is True)


def load(library: Library | None = None, by_stem: dict[str, list[targets.Target]] | None = None) -> list[Check]:
    """A check for every decision.  Raises Unavailable without a C compiler."""
    library = library or Library(shared())

    def one(target: targets.Target) -> Check:
        def generate(rng: Random) -> tuple[Any, ...]:
            args = target.generate(rng)
            other = damaged(rng, args)
            # what still fits may ask for a search without end
            return other if rng.random() < 0.2 and refusal(target.decision, other) else args

        return Check(target.decision, generate, lambda *args: compare(library, target, args), batch=32)

    return [one(target) for members in (by_stem or targets.load()).values() for target in members]
