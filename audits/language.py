"""What may stand in a source, before it is compiled.

Compiling runs what a source declares: macros, and through `extern` any function of the Lean binary.  So sources are
of two sorts.  Those that declare grammar, attributes or code of the binary are few, and `code.lock` has a hash of
each: they are read by a person whenever they change.  All others are written in the ordinary language: of the words
that Lean's own grammar knows those in `ORDINARY`, what the foundation declares, and no attribute, option or quotation.

That a file keeps to it is seen in its words, as `tokens.lex` reads them; it refuses what it cannot read with
certainty.  What these words would have done is looked for again in the compiled files (`entries`, `code`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from .findings import Finding
from .tokens import lex

# Words with a meaning in Lean's own grammar: those that ordinary sources use, and all others, which they may not.
# (A test holds both against the table of the binary.)
ORDINARY = frozenset(
    """
Prop Type _ by class def else end from fun have if import inductive instance let match namespace nomatch noncomputable open protected
section show structure then theorem universe variable where with
""".split()
)
REFUSED = frozenset(
    """
Sort StateRefT abbrev add_decl_doc assert! assert_not_exists assert_not_imported attribute axiom binder_predicate binop% binop_lazy% binrel%
binrel_no_prop% break builtin_initialize catch clear% coinductive coinductive_fixpoint continue dbg_trace debug_assert! decl_name%
declare_syntax_cat decreasing_by default_or_ofNonempty% deprecated_module deprecated_syntax deriving do docs_to_verso elab elabToSyntax%
elab_rules ensure_expected_type% ensure_type_of% example export extends finally for for_in% for_in'% forall gen_injective_theorems%
grind_pattern haveI hiding idbg in include inductive_fixpoint inferInstanceAs infix infixl infixr init_grind_norm init_quot initialize
leading_parser leftact% letI let_delayed let_expr let_fun let_mvar% let_tmp let_λ local logNamedError logNamedErrorAt logNamedWarning
logNamedWarningAt macro macro_rules match_expr meta monotonicity_by mut mutual no_error_if_unused% no_implicit_lambda% no_index nofun nonrec
notation omit opaque panic! partial partial_fixpoint postfix prefix private private_decl% public recall recall? recommended_spelling
register_error_explanation register_tactic_tag renaming repeat return rightact% scoped sepBy( sepBy1( set_option show_term_elab sorry
struct_inst_default% suffices syntax tactic_alt tactic_extension tactic_name tactic_tag termination_by termination_by? throwNamedError
throwNamedErrorAt trailing_parser try type_of% unicode( unless unlock_limits unop% unreachable! unsafe until value_of%
wait_for_expected_type% wait_if_contains_mvar% wait_if_type_contains_mvar% wait_if_type_mvar% while with_decl_name% with_weak_namespace
""".split()
)
# symbols of quotations, of attributes (with the bracket after it) and of commands that ask Lean something
SYMBOLS = {"`": "a quotation or a quoted name", "$": "a part of a quotation", "#": "a command that asks Lean something"}


SHOWN = 5  # of one file


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def foreign(text: str) -> list[tuple[int, str]]:
    """Where a source leaves the ordinary language: lines, and what stands there."""
    out = []
    last = ""
    for token in lex(text):
        if token.kind == "bad":
            out.append((token.line, token.text))
        elif token.kind == "name" and token.text in REFUSED:
            out.append((token.line, f"`{token.text}`"))
        elif token.kind == "symbol" and last + token.text in REFUSED:
            out.append((token.line, f"`{last}{token.text}`"))
        elif token.kind == "symbol" and token.text in SYMBOLS:
            out.append((token.line, f"`{token.text}`, {SYMBOLS[token.text]}"))
        elif token.kind == "symbol" and last + token.text == "@[":
            out.append((token.line, "an attribute"))
        last = token.text
    return out


def audit(texts: Mapping[str, str], locked: Mapping[str, str]) -> list[Finding]:
    """Findings about the sources `texts` (file to text); `locked` are the hashes of those that may hold more than the ordinary language."""
    found = []
    for file, text in texts.items():
        here = foreign(text)
        if file in locked:
            if digest(text) != locked[file]:
                found.append(Finding("language", file, "declares grammar or code of the binary, and is not the file that audits/code.lock names"))
            elif not here:
                found.append(Finding("language", file, "stale line in audits/code.lock: the file keeps to the ordinary language"))
        else:
            found += [
                Finding("language", file, f"{what}: not of the ordinary language, and audits/code.lock has no line for this file", line)
                for line, what in here[:SHOWN]
            ]
    found += [Finding("language", file, "stale line in audits/code.lock: there is no such file") for file in locked if file not in texts]
    return found


def special(texts: Mapping[str, str]) -> dict[str, str]:
    """The files that need a line in the lock, with their hashes."""
    return {file: digest(text) for file, text in texts.items() if foreign(text)}
