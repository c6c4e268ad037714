"""What may stand in a compiled module beside its constants.

Lean keeps about 200 tables for importing modules ("environment extensions"): attributes, grammar, generated code, notes of
the elaborator.  A table that is not listed here must be absent.  Each that is listed says what its entries look like
and why they change no answer:

* `names`, `keyed`: names of this module's own constants or generated functions, alone or with something else
* `locked`: entries that change what sources mean, or put code of the Lean binary in place of a definition; code.lock has
  their number and a hash for each module
* `code`: what the code generator wrote, read by `generated`
* `empty`: one entry without content
* `free`: read in full, of any form

A lie in one of the tables that the code generator believes (`BELIEVED`) would need a Lean that is not Lean, or meta
code, for which a source needs a line in the lock before it is compiled; projections are compared with the constant all the same.
"""

from __future__ import annotations

import hashlib

from .findings import Finding
from .objects import Made, Named, digest, value
from .olean import BVAR, LAM, PROJ, Module, Name, show

NAMES, KEYED, LOCKED, CODE, EMPTY, FREE = "names", "keyed", "locked", "code", "empty", "free"
EXTERN = "Lean.externAttr"
PROJECTIONS = "Lean.projectionFnInfoExt"
BELIEVED = "its entries are made by the command that declares the type or the match, never by an attribute"
MEMORY = "what the code generator remembers of its own work, to inline it in importing modules"
PRINTING = "for reading and printing of terms; what the kernel gets is the term"
LOOKUP = "for the search of instances and lemmas; what the kernel gets is the term that was found"

# table: (what its entries are, why they change no answer)
# repeats: rows of one table
ALLOWED: dict[str, tuple[str, str]] = {
    # code of the Lean binary, and grammar: macros run when a source is read
    EXTERN: (LOCKED, "code of the binary in place of a definition: the lock names constant and symbol"),
    "Lean.Parser.parserExtension": (LOCKED, "grammar: what a source means"),
    "Lean.Elab.macroAttribute": (LOCKED, "macros: what a source means"),
    "Lean.attributeExtension": (LOCKED, "attributes of new syntactic categories"),
    "Lean.PrettyPrinter.Delaborator.appUnexpanderAttribute": (LOCKED, "code that prints terms"),
    # generated code
    "Lean.IR.declMapExt": (CODE, "the code that runs"),
    "Lean.Compiler.LCNF.impureSigExt": (KEYED, MEMORY),
    "Lean.Compiler.LCNF.baseExt": (FREE, MEMORY),
    "Lean.Compiler.LCNF.monoExt": (FREE, MEMORY),
    "Lean.Compiler.LCNF.monoTypeExt": (KEYED, MEMORY),
    "Lean.Compiler.LCNF.specExtension": (KEYED, MEMORY),
    "Lean.Compiler.LCNF.UnreachableBranches.functionSummariesExt": (KEYED, MEMORY),
    "_private.Lean.Compiler.LCNF.MonoTypes.0.Lean.Compiler.LCNF.trivialStructureInfoExt": (KEYED, MEMORY),
    "_private.Lean.Compiler.LCNF.Specialize.0.Lean.Compiler.LCNF.Specialize.specCacheExt": (FREE, MEMORY),
    "_private.Lean.Compiler.LCNF.ToImpureType.0.Lean.Compiler.LCNF.ctorLayoutExt": (KEYED, MEMORY),
    "_private.Lean.Compiler.LCNF.ToImpureType.0.Lean.Compiler.LCNF.impureTrivialStructureInfoExt": (KEYED, MEMORY),
    "_private.Lean.Compiler.LCNF.ToImpureType.0.Lean.Compiler.LCNF.impureTypeExt": (KEYED, MEMORY),
    # what the code generator is told: where a definition is unfolded, and never by what
    "Lean.Compiler.inlineAttrs": (KEYED, "where the body of the definition itself is put"),
    "Lean.Compiler.nospecializeAttr": (NAMES, "where no copy of the definition for given arguments is made"),
    "Lean.noncomputableExt": (NAMES, "constants without code; code that needs one is not made"),
    "Lean.Meta.Match.Extension.extension": (KEYED, BELIEVED),
    "Lean.auxRecExt": (NAMES, BELIEVED),
    "Lean.noConfusionExt": (KEYED, BELIEVED),
    "_private.Lean.AuxRecursor.0.Lean.sparseCasesOnExt": (NAMES, BELIEVED),
    PROJECTIONS: (KEYED, "compared with the constant, which must be that projection"),
    "_private.Lean.Structure.0.Lean.structureExt": (KEYED, BELIEVED),
    "Lean.classExtension": (KEYED, "which structures are classes: where the code generator makes copies for instances"),
    "_private.Lean.Compiler.MetaAttr.0.Lean.metaExt": (NAMES, "which functions run while sources are read"),
    "recExt": (NAMES, "which definitions are recursive"),
    "reducibilityCore": (KEYED, "how willingly the elaborator unfolds"),
    # notes of the elaborator
    "Lean.Elab.Structural.eqnInfoExt": (KEYED, "from what equations are made, which the kernel checks"),
    "Lean.Elab.Term.elabAsElim": (NAMES, PRINTING),
    "Lean.Meta.instanceExtension": (FREE, LOOKUP),
    "Lean.Meta.defaultInstanceExtension": (FREE, LOOKUP),
    "Lean.Meta.coeExt": (FREE, PRINTING),
    "Lean.Meta.coeDeclAttr": (NAMES, PRINTING),
    "Lean.Meta.customEliminatorExt": (FREE, LOOKUP),
    "Lean.Meta.Symm.symmExt": (FREE, LOOKUP),
    "Lean.Meta.congrKindsExt": (KEYED, LOOKUP),
    "Lean.backwardDefeqAttr": (NAMES, LOOKUP),
    "Lean.defeqAttr": (NAMES, LOOKUP),
    "Lean.matchPatternAttr": (NAMES, PRINTING),
    "Lean.Meta.completionBlackListExt": (NAMES, "for editors"),
    "Lean.aliasExtension": (FREE, "short names in sources; what the kernel gets is the full one"),
    "Lean.protectedExt": (NAMES, "names that sources write in full"),
    "_private.Lean.Namespace.0.Lean.namespacesExt": (FREE, "names of namespaces"),
    "Lean.declRangeExt": (FREE, "places in the source"),
    "Lean.docStringExt": (KEYED, "texts"),
    "_private.Lean.DocString.Extension.0.Lean.moduleDocExt": (FREE, "texts"),
    "Lean.deprecatedModuleExt": (EMPTY, "one entry in every module"),
    "_private.Lean.Compiler.ModPkgExt.0.Lean.modPkgExt": (EMPTY, "the name of the package, which is none; with one, generated code gets other symbols"),
    "_private.Lean.ExtraModUses.0.Lean.extraModUses": (FREE, "which imports were needed"),
    "_private.Lean.Util.CollectAxioms.0.Lean.exportedAxiomsExt": (KEYED, "what `#print axioms` shows; the audit of axioms takes the terms instead"),
}


def module(name: str, one: Module) -> list[Finding]:
    """Findings about the tables of one module."""
    found = []
    for table, pointers in sorted(one.extensions.items()):
        if not pointers:
            continue
        if table not in ALLOWED:
            found += [Finding("code", name, f"an entry in the table {table}, which may have none: {shown(one, pointer)}") for pointer in pointers]
            continue
        kind = ALLOWED[table][0]
        if kind == EMPTY and list(pointers) != [1]:
            found.append(Finding("code", name, f"the table {table} must be one empty entry: {shown(one, pointers[0])}"))
        for pointer in pointers:
            what = value(one, pointer)
            subject = what.name if isinstance(what, Named) else None
            if kind == KEYED and isinstance(what, Made) and what.tag == 0 and what.fields and isinstance(what.fields[0], Named):
                subject = what.fields[0].name
            if kind in (NAMES, KEYED) and (subject is None or (kind == NAMES) != isinstance(what, Named)):
                found.append(Finding("code", name, f"an entry of {table} that has not the form of one: {shown(one, pointer)}"))
            elif kind in (NAMES, KEYED) and subject not in one.constants and subject not in one.coded:
                found.append(Finding("code", f"{name}: {show(subject or ())}", f"an entry of {table} about a name that this module does not declare"))
            elif table == PROJECTIONS and not _projection(one, subject, what):
                found.append(Finding("code", f"{name}: {show(subject or ())}", "is entered as a projection, and is another function"))
    return found


def _projection(one: Module, subject: Name | None, entry: object) -> bool:
    """Whether the constant takes parameters and an object and gives the field that the entry says."""
    info = entry.fields[1] if isinstance(entry, Made) and len(entry.fields) == 2 else None
    if subject not in one.constants or not isinstance(info, Made) or len(info.fields) != 3 or not isinstance(info.fields[0], Named):
        return False
    constructor, (parameters, index), term = info.fields[0].name, info.fields[1:], one.constants[subject].value
    nodes, lambdas = one.intern.nodes, 0
    while term is not None and nodes[term][1] == LAM:
        term, lambdas = nodes[term][4], lambdas + 1
    if term is None or nodes[term][1] != PROJ:
        return False
    made = one.constants.get(constructor)
    return (
        made is not None
        and made.kind == "constructor"
        and nodes[term][2] == made.data["inductive"]
        and nodes[term][3] == index
        and nodes[nodes[term][4]][1:] == (BVAR, 0)
        and lambdas == parameters + 1
        and parameters == made.data["params"]
    )


def shown(one: Module, pointer: int) -> str:
    """What an entry is about: the first names and texts in it."""
    words: list[str] = []
    stack, seen = [value(one, pointer)], 0
    while stack and len(words) < 4 and seen < 1000:
        at, seen = stack.pop(), seen + 1
        if isinstance(at, Named):
            words.append(show(at.name))
        elif isinstance(at, str):
            words.append(repr(at[:40]))
        elif isinstance(at, Made):
            stack += reversed(at.fields)
        elif isinstance(at, tuple):
            stack += reversed(at)
    return ", ".join(words) or "an entry without names"


def locks(name: str, one: Module) -> dict[str, str]:
    """The lines of the lock about the tables of a module: `table MODULE TABLE` to number and hash.  (Code of the binary has a line for each constant.)"""
    out = {}
    for table, pointers in one.extensions.items():
        if ALLOWED.get(table, ("",))[0] == LOCKED and table != EXTERN and pointers:
            whole = hashlib.sha256(b"".join(sorted(digest(one, p) for p in pointers)))
            out[f"table {name} {table}"] = f"{len(pointers)} {whole.hexdigest()[:32]}"
    return out
