"""The decisions of the Lean spine and the types of their arguments."""

from __future__ import annotations

from typing import Any

INT, NAT, INTS, BOOLS, INT_LISTS, BOOL_LISTS = "integer", "natural number", "integers", "booleans", "lists of integers", "lists of booleans"
# a pair is written as an array of two numbers, a triple as one of three
NATS, PAIRS, TRIPLES = "natural numbers", "pairs of natural numbers", "triples of natural numbers"
BOOL, MAYBE_INT = "boolean", "integer or none"  # of results only

# name in namespace Gnosis -> (argument name, type) in order; the driver's own table is checked against this one
DECISIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "dot": (("τ", INTS), ("a", INTS)),
    "energy": (("v", INTS),),
    "energyAdmit": (("τ", INTS), ("a", INTS), ("γ", INT)),
    "energySidecarAdmit": (("E", INT), ("A", INT), ("γ", INT)),
    "energySidecarAdmitStrict": (("E", INT), ("A", INT), ("γ", INT)),
    "energyBlockedAdmit": (("e", INTS), ("α", INTS), ("γ", INT)),
    "energyOutside": (("a", INTS), ("S", BOOLS)),
    "energySplitAdmit": (("E", INT), ("a", INTS), ("S", BOOLS), ("γ", INT)),
    "argmax": (("z", INTS),),
    "marginAdmit": (("z", INTS), ("w", NAT), ("τ", INT)),
    "marginAdmitStrict": (("z", INTS), ("w", NAT), ("τ", INT)),
    "marginAdmitLowest": (("z", INTS), ("w", NAT), ("τ", INT)),
    "rowAdmit": (("z", INTS), ("ε", INTS), ("w", NAT)),
    "candidates": (("z", INTS), ("ε", INTS)),
    "topkAdmit": (("z", INTS), ("S", BOOLS), ("ε", INT)),
    "topkGapAdmit": (("z", INTS), ("k", NAT), ("ε", INT)),
    "topTwo": (("z", INTS),),
    "twoStageAdmit": (("groups", INT_LISTS), ("gsel", BOOLS), ("esel", BOOL_LISTS), ("ε", INT)),
    "jitAdmit": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT), ("γ", INT)),
    "jitAdmitStrict": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT), ("γ", INT)),
    "jitAdmitLowest": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT), ("γ", INT)),
    "jitLeadAdmit": (("z", INTS), ("w", NAT), ("E", INTS), ("A", INT)),
    "jitRowAdmit": (("z", INTS), ("w", NAT), ("ε", INTS), ("E", INTS), ("A", INT)),
    "servedArgmax": (("coarse", INTS), ("exact", INTS), ("ε", INTS)),
    "headServed": (("z", INTS), ("ε", INTS), ("y", INTS), ("err", INTS), ("exact", INTS)),
    "topCandidates": (("k", NAT), ("z", INTS), ("ε", INTS), ("js", NATS)),
    "topAmong": (("z", INTS), ("k", NAT), ("js", NATS)),
    "headTopK": (("k", NAT), ("z", INTS), ("ε", INTS), ("y", INTS), ("err", INTS), ("exact", INTS)),
    "tukeyAdmit": (("r", INT), ("γ", INT)),
    "tukeyWeight": (("r", INT), ("γ", INT)),
    "sum": (("l", INTS),),
    "rankLt": (("s", INTS), ("x", INT)),
    "lies": (("k", NAT), ("x", INT), ("rest", INTS)),
    "liesOrder": (("k", NAT), ("order", INTS)),
    "conformalRank": (("n", NAT), ("num", NAT), ("den", NAT)),
    "insertUp": (("x", INT), ("l", INTS)),
    "sortUp": (("s", INTS),),
    "entryAt": (("l", INTS), ("i", NAT)),
    "kthSmallest": (("k", NAT), ("s", INTS)),
    "conformalThreshold": (("scores", INTS), ("num", NAT), ("den", NAT)),
    "conformalAdmit": (("scores", INTS), ("num", NAT), ("den", NAT), ("γ", INT)),
    "poolAbove": (("pool", INTS), ("S", INTS)),
    "conformalMarginAdmit": (("scores", INTS), ("num", NAT), ("den", NAT), ("γ", INT), ("z", INTS), ("w", NAT)),
    "conformalMarginAdmitLowest": (("scores", INTS), ("num", NAT), ("den", NAT), ("γ", INT), ("z", INTS), ("w", NAT)),
    "conformalJitAdmit": (("scores", INTS), ("num", NAT), ("den", NAT), ("z", INTS), ("w", NAT), ("A", INT), ("γ", INT)),
    "conformalJitAdmitLowest": (("scores", INTS), ("num", NAT), ("den", NAT), ("z", INTS), ("w", NAT), ("A", INT), ("γ", INT)),
    "conformalJitLeadAdmit": (("scores", INTS), ("num", NAT), ("den", NAT), ("z", INTS), ("w", NAT), ("A", INT)),
    "conformalServed": (("scores", INTS), ("num", NAT), ("den", NAT), ("coarse", INTS), ("exact", INTS)),
    "layersMax": (("c", INTS), ("s", INTS)),
    "cofactors": (("P", INT), ("c", INTS), ("γ", INTS)),
    "layersFail": (("γ", INTS), ("s", INTS)),
    "layersMaxAdmit": (("units", INT_LISTS), ("c", INTS), ("γ", INTS), ("P", INT), ("num", NAT), ("den", NAT)),
    "sumAbs": (("δ", INTS),),
    "basinAdmit": (("δ", INTS), ("R", INT)),
    "basinVectorAdmit": (("d", INTS), ("R", INT)),
    "basinControl": (("R", INT), ("spent", INT), ("d", INTS)),
    "flowAdmitFrom": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("ds", INTS)),
    "basinFlowAdmit": (("ps", INTS), ("qs", INTS), ("ds", INTS), ("R", INT)),
    "flowPathAdmitFrom": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("ds", INTS)),
    "basinFlowPathAdmit": (("ps", INTS), ("qs", INTS), ("ds", INTS), ("R", INT)),
    "flowSurvives": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS)),
    "flowControl": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("ds", INTS)),
    "basinFlowControl": (("ps", INTS), ("qs", INTS), ("ds", INTS), ("R", INT)),
    "roundedStep": (("N", INT), ("D", INT), ("p", INT), ("q", INT), ("r", INT), ("d", INT)),
    "roundedPathAdmitFrom": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("rs", INTS), ("ds", INTS)),
    "basinFlowRoundedAdmit": (("ps", INTS), ("qs", INTS), ("rs", INTS), ("ds", INTS), ("R", INT)),
    "roundedSurvives": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("rs", INTS)),
    "roundedControl": (("R", INT), ("N", INT), ("D", INT), ("ps", INTS), ("qs", INTS), ("rs", INTS), ("ds", INTS)),
    "basinFlowRoundedControl": (("ps", INTS), ("qs", INTS), ("rs", INTS), ("ds", INTS), ("R", INT)),
    "sqDist": (("m", INT), ("xs", INTS), ("zs", INTS)),
    "nearestInt": (("m", INT), ("x", INT)),
    "roundError": (("m", INT), ("x", INT)),
    "secondNearest": (("m", INT), ("x", INT)),
    "cubicDecode": (("m", INT), ("xs", INTS)),
    "dnDecode": (("m", INT), ("xs", INTS)),
    "dnPlusDecode": (("h", INT), ("xs", INTS)),
    "isD8": (("zs", INTS),),
    "isE8": (("ws", INTS),),
    "d8Decode": (("m", INT), ("xs", INTS)),
    "e8Decode": (("h", INT), ("xs", INTS)),
    "betOk": (("N", NAT), ("p", NAT), ("q", NAT)),
    "stepFactor": (("N", NAT), ("p", NAT), ("q", NAT), ("u", NAT)),
    "covered": (("N", NAT), ("p", NAT), ("q", NAT), ("nδ", NAT), ("dδ", NAT), ("t", NAT), ("L", NAT), ("b", NAT)),
    "cumlossAdmit": (("N", NAT), ("p", NAT), ("q", NAT), ("nδ", NAT), ("dδ", NAT), ("t", NAT), ("L", NAT), ("u", NAT), ("b", NAT)),
    "cumlossStep": (("N", NAT), ("p", NAT), ("q", NAT), ("nδ", NAT), ("dδ", NAT), ("t", NAT), ("L", NAT), ("u", NAT), ("b", NAT)),
    "pays": (("N", NAT), ("p", NAT), ("q", NAT), ("u", NAT), ("a", NAT)),
    "reservePays": (("p", NAT), ("q", NAT), ("nδ", NAT), ("dδ", NAT), ("r", NAT)),
    "leastCharge": (("N", NAT), ("p", NAT), ("q", NAT), ("u", NAT)),
    "leastReserve": (("p", NAT), ("q", NAT), ("nδ", NAT), ("dδ", NAT)),
    "chargeAdmit": (("account", NAT), ("offer", NAT), ("budget", NAT)),
    "chargeSettle": (("account", NAT), ("offer", NAT), ("charge", NAT), ("budget", NAT)),
    "chargeRun": (("account", NAT), ("steps", TRIPLES)),
    "unionAdmit": (("nδ", NAT), ("dδ", NAT), ("nπ", NAT), ("dπ", NAT), ("t", NAT)),
    "unionLife": (("nδ", NAT), ("dδ", NAT), ("nπ", NAT), ("dπ", NAT)),
    "stakeAdmit": (("N", NAT), ("m", NAT), ("b", NAT), ("a", NAT)),
    "bettingFactor": (("N", NAT), ("m", NAT), ("b", NAT), ("a", NAT), ("x", NAT)),
    "stepsOk": (("N", NAT), ("m", NAT), ("b", NAT), ("steps", PAIRS)),
    "bettingNum": (("N", NAT), ("m", NAT), ("b", NAT), ("steps", PAIRS)),
    "bettingDen": (("N", NAT), ("b", NAT), ("steps", PAIRS)),
    "bettingRejects": (("N", NAT), ("m", NAT), ("b", NAT), ("nδ", NAT), ("dδ", NAT), ("steps", PAIRS)),
    "bettingUpperFrom": (("N", NAT), ("b", NAT), ("nδ", NAT), ("dδ", NAT), ("steps", PAIRS), ("m", NAT)),
    "bettingUpper": (("N", NAT), ("b", NAT), ("nδ", NAT), ("dδ", NAT), ("steps", PAIRS)),
    "claimBound": (("G", NAT), ("rejected", BOOLS)),
    "mirrored": (("G", NAT), ("steps", PAIRS)),
    "bettingUpperBound": (("G", NAT), ("b", NAT), ("nδ", NAT), ("dδ", NAT), ("steps", PAIRS)),
    "bettingLowerBound": (("G", NAT), ("b", NAT), ("nδ", NAT), ("dδ", NAT), ("steps", PAIRS)),
    "leftMass": (("ps", PAIRS),),
    "rightMass": (("ps", PAIRS),),
    "excess": (("S", NAT), ("S'", NAT), ("ps", PAIRS)),
    "tvNum": (("ps", PAIRS),),
    "gridLoss": (("G", NAT), ("ps", PAIRS)),
    "ratioAdmit": (("P", NAT), ("Q", NAT), ("a", NAT), ("b", NAT), ("ps", PAIRS)),
    "spreadAdmit": (("P", NAT), ("Q", NAT), ("c", NAT), ("e", NAT), ("f", NAT), ("g", NAT), ("ps", PAIRS)),
    "servedAdmit": (("P", NAT), ("Q", NAT), ("n", NAT), ("d", NAT)),
    "total": (("s", NATS),),
    "rootsOk": (("S", NAT), ("S'", NAT), ("ps", PAIRS), ("s", NATS)),
    "hellingerAdmit": (("ps", PAIRS), ("s", NATS), ("n", NAT), ("d", NAT)),
    "weightedBudget": (("ps", PAIRS),),
    "topkBudget": (("N", NAT), ("Bmax", NAT), ("head", PAIRS)),
    "tiltPairs": (("ps", PAIRS),),
    "gaugeOk": (("B", NAT), ("ps", PAIRS)),
    "stepBudgetAdmit": (("G", NAT), ("zn", NAT), ("zd", NAT), ("u", NAT)),
    "flipAt": (("asked", BOOLS), ("tokens", NATS), ("says", NATS)),
    "refineText": (("τ", INT), ("coarse", PAIRS), ("fine", NATS), ("steps", TRIPLES), ("prompt", NATS)),
}

# what the decisions give that do not give a truth value
RESULTS: dict[str, str] = {
    **dict.fromkeys(
        (
            "dot",
            "energy",
            "energyOutside",
            "topTwo",
            "tukeyWeight",
            "sum",
            "sumAbs",
            "sqDist",
            "nearestInt",
            "roundError",
            "secondNearest",
            "roundedStep",
            "layersMax",
        ),
        INT,
    ),
    **dict.fromkeys(("argmax", "servedArgmax", "headServed", "conformalServed", "rankLt", "conformalRank", "poolAbove", "flipAt"), NAT),
    **dict.fromkeys(("entryAt", "kthSmallest", "conformalThreshold"), MAYBE_INT),
    **dict.fromkeys(("insertUp", "sortUp", "cubicDecode", "dnDecode", "dnPlusDecode", "d8Decode", "e8Decode"), INTS),
    **dict.fromkeys(("basinControl", "flowControl", "basinFlowControl", "roundedControl", "basinFlowRoundedControl"), BOOLS),
    **dict.fromkeys(("candidates", "topCandidates", "topAmong", "headTopK", "refineText"), NATS),
    **dict.fromkeys(
        (
            "stepFactor",
            "cumlossStep",
            "leastCharge",
            "leastReserve",
            "chargeSettle",
            "unionLife",
            "bettingFactor",
            "bettingNum",
            "bettingDen",
            "bettingUpperFrom",
            "bettingUpper",
            "claimBound",
            "bettingUpperBound",
            "bettingLowerBound",
            "leftMass",
            "rightMass",
            "excess",
            "tvNum",
            "gridLoss",
            "total",
            "weightedBudget",
            "topkBudget",
        ),
        NAT,
    ),
    "chargeRun": BOOLS,
    **dict.fromkeys(("tiltPairs", "mirrored"), PAIRS),
}


def gives(decision: str) -> str:
    """The type of a decision's result."""
    return RESULTS.get(decision, BOOL)


_DIGITS = 4300  # Python itself refuses to write or read longer decimals
_LIMIT = 10**_DIGITS


class BadRequest(ValueError):
    """Arguments that a decision is not defined for; the message names the argument and the value.

    id: the id of the request, where there is one.
    """

    id: Any = None


def _short(value: Any) -> str:
    """The value in at most 60 characters."""
    text = f"an integer of {value.bit_length()} bits" if isinstance(value, int) and value.bit_length() > 200 else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _integer(value: Any, where: str) -> None:
    if type(value) is not int:
        raise BadRequest(f"{where} = {_short(value)}: not an integer")
    if not -_LIMIT < value < _LIMIT:
        raise BadRequest(f"{where} = {_short(value)}: more than {_DIGITS} digits")


def _natural(value: Any, where: str) -> None:
    _integer(value, where)
    if value < 0:
        raise BadRequest(f"{where} = {_short(value)}: must not be negative")


def _boolean(value: Any, where: str) -> None:
    if type(value) is not bool:
        raise BadRequest(f"{where} = {_short(value)}: not true or false")


def _each(check: Any) -> Any:
    def run(value: Any, where: str) -> None:
        if type(value) not in (list, tuple):
            raise BadRequest(f"{where} = {_short(value)}: not a list")
        for i, x in enumerate(value):
            check(x, f"{where}[{i}]")

    return run


def _several(count: int) -> Any:
    """A pair or triple of natural numbers."""
    numbers = _each(_natural)

    def run(value: Any, where: str) -> None:
        numbers(value, where)
        if len(value) != count:
            raise BadRequest(f"{where} = {_short(value)}: not {count} numbers")

    return run


_CHECKS = {
    INT: _integer,
    NAT: _natural,
    INTS: _each(_integer),
    BOOLS: _each(_boolean),
    INT_LISTS: _each(_each(_integer)),
    BOOL_LISTS: _each(_each(_boolean)),
    NATS: _each(_natural),
    PAIRS: _each(_several(2)),
    TRIPLES: _each(_several(3)),
}


def check(decision: Any, args: Any) -> None:
    """Raise BadRequest unless `decision` is a name of DECISIONS and `args` has the number and types of its arguments.

    Types are exact: `True` is no integer, a float never is one, a numpy integer is none either.
    """
    if type(decision) is not str or decision not in DECISIONS:
        raise BadRequest(f"decision = {_short(decision)}: unknown")
    if type(args) not in (list, tuple):
        raise BadRequest(f"args = {_short(args)}: not a list")
    signature = DECISIONS[decision]
    if len(args) != len(signature):
        raise BadRequest(f"args: {decision} takes {len(signature)} ({', '.join(name for name, _ in signature)}), not {len(args)}")
    for value, (name, kind) in zip(args, signature):
        _CHECKS[kind](value, name)


def fits(decision: str, args: Any) -> bool:
    """Whether `check` has nothing against the arguments."""
    try:
        check(decision, args)
    except BadRequest:
        return False
    return True
