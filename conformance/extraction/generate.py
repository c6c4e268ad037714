"""Write `bindings/c/gnosis.c` and `gnosis.h`: one C file with the decisions as Lean's code generator writes them, and its header.

Lean's C is taken as it is but for three things: the functions that initialise modules go (nothing has to be set up), functions that may come
back to themselves begin with a counted step, and a literal that a small number on 32 bits would not hold is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ...spine.paths import root
from ...spine.toolchain import Toolchain, find
from ..oracle.decisions import DECISIONS, gives
from ..oracle.interpreter import OracleError
from ..oracle.translation import LETTERS, translate, without_initialiser
from .header import header

FILES = ("gnosis.c", "gnosis.h")
VERSION = 1  # of the interface: of what gnosis.h declares
PARTS = ("runtime.c", "numbers.c")
BEHIND = ("values.c", "words.c", "json.c", "doubles.c")
LITERALS = 1 << 29  # a natural number that is written in the code has to be a tagged word where words have 32 bits

# WebAssembly is called by words, so a module is built without the calls of one decision each
TYPED = ("#ifndef GNOSIS_WORDS_ONLY",)

# Lean indents nothing: a function ends with the brace before the next one
_FUNCTION = re.compile(
    r"^(?:LEAN_EXPORT|static) [\w *]+?\b(\w+)\([^;{]*\)\{\n_start:\n(.*?)^\}\n(?=LEAN_EXPORT |static |lean_object\*|void |uint8_t //|#|\s|\Z)", re.M | re.S
)
_NAME = re.compile(r"\bl_\w+")
_PLAIN = {"τ": "tau", "γ": "gamma", "ε": "eps", "δ": "delta", "α": "alpha", "π": "pi"}


def sources(base: Path | None = None) -> Path:
    """The folder of the C files that are written by hand."""
    return (base or root()) / "bindings" / "c"


def plain(name: str) -> str:
    """The name of an argument in ASCII: `nδ` is n_delta, `S'` is S2."""
    out = name.replace("'", "2")
    for letter, word in _PLAIN.items():
        out = out.replace(letter, f"_{word}")
    return out.strip("_")


def snake(name: str) -> str:
    """The name of a decision as C writes names: energySidecarAdmit is energy_sidecar_admit."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def cyclic(calls: dict[str, set[str]]) -> set[str]:
    """The functions from which a chain of calls leads back to themselves."""
    back: set[str] = set()
    for start in calls:
        seen: set[str] = set()
        todo = list(calls[start])
        while todo:
            name = todo.pop()
            if name in calls and name not in seen:
                seen.add(name)
                todo += calls[name]
        if start in seen:
            back.add(start)
    return back


def stepped(text: str) -> tuple[str, int]:
    """The C with a counted step at the start of every function that loops or may be called again below itself, and how many those are.

    A function that calls closures is taken to call every function that is made into one.
    """
    bodies = {m[1]: m[2] for m in _FUNCTION.finditer(text)}
    if len(bodies) != text.count("\n_start:\n"):
        raise OracleError(f"{text.count(chr(10) + '_start:' + chr(10))} functions, of which {len(bodies)} are understood")
    closures = set(re.findall(r"\(void\*\)\(?(l_\w+)", text)) & bodies.keys()
    calls = {name: ({n for n in _NAME.findall(body) if n in bodies} | (closures if "lean_apply_" in body else set())) for name, body in bodies.items()}
    loops = {name for name, body in bodies.items() if "goto _start;" in body} | cyclic(calls)

    def edit(found: re.Match[str]) -> str:
        return found[0].replace("\n_start:\n{", "\n_start:\n{ GNOSIS_STEP;", 1) if found[1] in loops else found[0]

    edited = _FUNCTION.sub(edit, text)
    if edited.count("GNOSIS_STEP;") != len(loops):
        raise OracleError("a step that could not be written")
    return edited, len(loops)


# letter -> parameters of the typed call, and the value in Lean; @ is the name of the argument
_TAKES = {
    "i": ("int64_t @", "integer(@)"),
    "n": ("int64_t @", "natural(@, NO_ENTRY)"),
    "I": ("const int64_t *@, size_t @_length", "ints(there(@, @_length), @_length)"),
    "N": ("const int64_t *@, size_t @_length", "nats(there(@, @_length), @_length)"),
    "B": ("const uint8_t *@, size_t @_length", "bools(there(@, @_length), @_length)"),
    "L": ("const int64_t *@, const size_t *@_lengths, size_t @_length", "int_lists(@, there(@_lengths, @_length), @_length)"),
    "M": ("const uint8_t *@, const size_t *@_lengths, size_t @_length", "bool_lists(@, there(@_lengths, @_length), @_length)"),
    "P": ("const int64_t *@, size_t @_length", "tuples(there(@, @_length), @_length, 2)"),
    "T": ("const int64_t *@, size_t @_length", "tuples(there(@, @_length), @_length, 3)"),
}
_GIVES = {"b": ("", "gives_bool({})"), **dict.fromkeys("in", ("int64_t *out", "gives_number({}, out)")), "o": ("int64_t *out", "gives_option({}, out)")}
_GIVES |= {k: ("int64_t *out, size_t room", f"gives_list({{}}, out, room, '{k}')") for k in "INBP"}


def signature(decision: str) -> tuple[str, list[str], str, str]:
    """Letters of the arguments, their names in ASCII, letter of the result, parameters of the typed call in C."""
    takes = "".join(LETTERS[kind] for _, kind in DECISIONS[decision])
    names = [plain(name) for name, _ in DECISIONS[decision]]
    result = LETTERS[gives(decision)]
    parameters = ["gnosis_context *context", *(_TAKES[k][0].replace("@", name) for k, name in zip(takes, names)), *filter(None, [_GIVES[result][0]])]
    return takes, names, result, ", ".join(parameters)


# decisions that do not change when their arguments are taken in other units: argument -> letters of its unit, "uv" being the product of the units u and v,
# and the theorem that says so
_SAME = {"z": "u", "eps": "u", "tau": "u", "gamma": "u", "scores": "u", "r": "u", "delta": "u", "R": "u", "d": "u"}
_ENERGY = {"E": "vv", "A": "ww", "gamma": "vw", "z": "vw"}
DOUBLES: dict[str, tuple[dict[str, str], str]] = {
    "energyAdmit": ({"tau": "v", "a": "w", "gamma": "vw"}, "energy_units_invariant"),
    "energySidecarAdmit": (_ENERGY, "energy_sidecar_scale_invariant"),
    "energySidecarAdmitStrict": (_ENERGY, "energy_sidecar_strict_scale_invariant"),
    **dict.fromkeys(("jitAdmit", "jitAdmitStrict"), (_ENERGY, "jit_scale_invariant")),
    "jitLeadAdmit": (_ENERGY, "jit_lead_scale_invariant"),
    **dict.fromkeys(("marginAdmit", "marginAdmitStrict", "marginAdmitLowest"), (_SAME, "margin_scale_invariant")),
    "rowAdmit": (_SAME, "row_scale_invariant"),
    "candidates": (_SAME, "candidates_list_scale_invariant"),
    "topkAdmit": (_SAME, "topk_scale_invariant"),
    "topkGapAdmit": (_SAME, "top_k_gap_scale_invariant"),
    "tukeyAdmit": (_SAME, "tukey_scale_invariant"),
    "conformalAdmit": (_SAME, "conformal_scale_invariant"),
    "conformalMarginAdmit": (_SAME, "conformal_margin_scale_invariant"),
    "conformalMarginAdmitLowest": (_SAME, "conformal_lowest_scale_invariant"),
    "basinAdmit": (_SAME, "basin_scale_invariant"),
    "basinVectorAdmit": (_SAME, "basin_scale_invariant"),
}


def _double_types(decision: str) -> list[str]:
    """The parameters of the call for doubles: those of the typed call with double for the numbers that have a unit."""
    takes, names, _, _ = signature(decision)
    units = DOUBLES[decision][0]
    return [_TAKES[k][0].replace("@", n).replace("int64_t", "double" if n in units else "int64_t") for k, n in zip(takes, names)]


def double_parameters(decision: str) -> str:
    """The parameters in C of the call that takes doubles."""
    result = _GIVES[signature(decision)[2]][0]
    return ", ".join(["gnosis_context *context", *_double_types(decision), *filter(None, [result])])


def _double_call(decision: str, code: str) -> str:
    """The call that takes doubles: a unit for every letter, such that all arguments are whole, then the decision on whole numbers.

    First the arguments that have a unit of their own (or its square) say how large it may be; where a product of two is too large still, the first becomes smaller.
    """
    takes, names, result, _ = signature(decision)
    units = DOUBLES[decision][0]
    mine = [(k, n, [f"unit_{letter}" for letter in units[n]]) for k, n in zip(takes, names) if n in units]
    letters = sorted({letter for *_, u in mine for letter in u})
    lines = ["  int " + ", ".join(f"{x} = NO_UNIT" for x in letters) + ", e;"]
    for k, n, u in sorted(mine, key=lambda row: len(set(row[2]))):
        at, count = (n, f"{n}_length") if k == "I" else (f"&{n}", "1")
        found = f'  context->where = "{n}"; e = unit_of({at}, {count}, NO_UNIT, {str(k != "I").lower()});'
        x, y = u[0], u[-1]
        if len(u) == 1:
            lines.append(f"{found} if (e < {x}) {x} = e;")
        elif x == y:
            lines.append(f"{found} if (e != NO_UNIT && (e >> 1) < {x}) {x} = e >> 1;")
        else:
            lines += [f"  if ({letter} == NO_UNIT) {letter} = 0;" for letter in (x, y)]
            lines.append(f"{found} if (e < {x} + {y}) {x} = e - {y};")
    lines += [f"  if ({x} == NO_UNIT) {x} = 0;" for x in letters]
    for i, (k, n) in enumerate(zip(takes, names)):
        unit = " + ".join(f"unit_{letter}" for letter in units[n]) if n in units else ""
        value = _TAKES[k][1].replace("@", n) if not unit else f"exacts({n}, {n}_length, {unit})" if k == "I" else f"exact({n}, {unit})"
        lines.append(f'  context->where = "{n}"; O v{i} = {value};')
    body = _GIVES[result][1].format(f"{code}({', '.join(f'v{i}' for i in range(len(takes)))})")
    name = f"gnosis_{snake(decision)}_double"
    return f"API({name}) int64_t {name}({double_parameters(decision)}) {{\n  BEGIN(context);\n" + "\n".join(lines) + f"\n  return end(context, {body});\n}}"


def _calls(texts: Iterable[str]) -> list[str]:
    """The table of decisions and the typed calls."""
    have: dict[str, str] = {}
    for text in texts:
        for returns, name, takes in re.findall(r"^LEAN_EXPORT (\w+\*?) (l_Gnosis_[A-Za-z0-9]+(?:___boxed)?)\(([^)]*)\);", text, re.M):
            have[name] = f"{returns}({takes})"
    names_of, runs, rows, typed, doubles = [], [], [], [], []
    for decision, arguments in DECISIONS.items():
        takes, names, result, parameters = signature(decision)
        boxed = f"lean_object*({', '.join(['lean_object*'] * len(takes))})"  # all boxed and owned: the convention of closures
        code = next((x for x in (f"l_Gnosis_{decision}___boxed", f"l_Gnosis_{decision}") if have.get(x) == boxed), None)
        if code is None or not decision.isalnum():
            raise OracleError(f"{decision}: the C has no function of {len(takes)} boxed arguments for it")
        lean = ", ".join(f'"{name}"' for name, _ in arguments)
        names_of.append(
            f"static const char *const names_{decision}[] = {{{lean}}}, *const plain_{decision}[] = {{{', '.join(f'{chr(34)}{n}{chr(34)}' for n in names)}}};"
        )
        runs.append(f"static O run_{decision}(O *a) {{ return {code}({', '.join(f'a[{i}]' for i in range(len(takes)))}); }}")
        rows.append(f'  {{"{decision}", "{takes}", \'{result}\', run_{decision}, names_{decision}, plain_{decision}}},')
        steps = [f'  context->where = "{n}"; O v{i} = {_TAKES[k][1].replace("@", n)};' for i, (k, n) in enumerate(zip(takes, names))]
        body = _GIVES[result][1].format(f"{code}({', '.join(f'v{i}' for i in range(len(takes)))})")
        if decision in DOUBLES:
            doubles.append(_double_call(decision, code))
        typed.append(
            f"API(gnosis_{snake(decision)}) int64_t gnosis_{snake(decision)}({parameters}) {{\n  BEGIN(context);\n"
            + "\n".join(steps)
            + f"\n  return end(context, {body});\n}}"
        )
    most = max(len(arguments) for arguments in DECISIONS.values())
    return [
        f"enum {{ MOST_ARGUMENTS = {most} }};",
        "@words",
        *names_of,
        *runs,
        "static const struct decision table[] = {",
        *rows,
        "};",
        f"static const unsigned decisions = {len(rows)};",
        *TYPED,
        *typed,
        *doubles,
        "#endif",
    ]


def _stripped(text: str) -> str:
    return re.sub(r'^#(?:include "lean/lean.h"|include <lean/lean.h>|pragma once)\n', "", text, flags=re.M)


def write(base: Path | None = None, lean: Toolchain | None = None) -> dict[str, str]:
    """Name → text of the files: gnosis.c and gnosis.h.  Raises OracleError, LeanNotFound, BuildError."""
    base, lean = base or root(), lean or find()
    hand = sources(base) / "src"
    texts = translate(base, lean)
    parts = [without_initialiser(name, text)[0] for name, text in texts.items()]
    together = "\n".join(_without_guards(_stripped(text)) for text in parts)
    if any(int(n) >= LITERALS for n in re.findall(r"lean_unsigned_to_nat\((\d+)u\)", together)):
        raise OracleError("a literal that is no small number where words have 32 bits")
    body, _ = stepped(together)
    calls = _calls(parts)
    at = calls.index("@words")
    whole = [
        "/* libgnosis: the decisions of the Lean library Gnosis as C.  Written by `gnosis extract --write`; not to be edited.",
        "   The parts: what stands for Lean's runtime, then the C that Lean writes for each module, then the calls.  License: Apache-2.0. */",
        f"#define GNOSIS_VERSION {VERSION}u",
        _stripped((hand / "lean" / "lean.h").read_text()),
        *(_stripped((hand / name).read_text()) for name in PARTS),
        "/* ---- what Lean writes ---- */",
        body,
        *(_stripped((hand / name).read_text()) for name in BEHIND[:1]),
        *calls[:at],
        *(_stripped((hand / name).read_text()) for name in BEHIND[1:]),
        *calls[at + 1 :],
        "",
    ]
    declared = [(snake(d), signature(d)[3], d) for d in DECISIONS]
    return {"gnosis.c": "\n".join(whole), "gnosis.h": header(VERSION, declared, [(snake(d), double_parameters(d), DOUBLES[d][1]) for d in DOUBLES])}


def _without_guards(text: str) -> str:
    """Without Lean's extern "C", attributes for other compilers and comments, which say the same in each module."""
    text = re.sub(r"^#if defined\(__clang__\)\n.*?^#endif\n", "", text, count=1, flags=re.M | re.S)
    return re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.M | re.S)
