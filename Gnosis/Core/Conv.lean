prelude
import Gnosis.Core.Tactics
/-! # The `conv` mode, from the grammar values in the binary; see `Gnosis.Core.Tactics`. -/
namespace Lean.Parser.Tactic.Conv
declare_syntax_cat conv (behavior := both)
@[extern "b"] opaque convSeq1Indented : ParserDescr
@[extern "b"] opaque convSeqBracketed : ParserDescr
@[extern "b"] opaque convSeq : ParserDescr
@[extern "b"] opaque enterArg : ParserDescr
@[tactic_parser, extern "b"] opaque conv : ParserDescr
@[conv_parser, extern "b"] opaque skip : ParserDescr
@[conv_parser, extern "b"] opaque lhs : ParserDescr
@[conv_parser, extern "b"] opaque rhs : ParserDescr
@[conv_parser, extern "b"] opaque arg : ParserDescr
@[conv_parser, extern "b"] opaque congr : ParserDescr
@[conv_parser, extern "b"] opaque enter : ParserDescr
@[conv_parser, extern "b"] opaque ext : ParserDescr
@[conv_parser, extern "b"] opaque change : ParserDescr
@[conv_parser, extern "b"] opaque delta : ParserDescr
@[conv_parser, extern "b"] opaque unfold : ParserDescr
@[conv_parser, extern "b"] opaque pattern : ParserDescr
@[conv_parser, extern "b"] opaque rewrite : ParserDescr
@[conv_parser, extern "b"] opaque simp : ParserDescr
@[conv_parser, extern "b"] opaque paren : ParserDescr
@[conv_parser, extern "b"] opaque first : ParserDescr
@[conv_parser, extern "b"] opaque nestedConv : ParserDescr
@[conv_parser, extern "b"] opaque nestedTactic : ParserDescr
@[conv_parser, extern "b"] opaque convRw__ : ParserDescr
@[conv_parser, extern "b"] opaque convRfl : ParserDescr
@[conv_parser, extern "b"] opaque convTry_ : ParserDescr
@[conv_parser, extern "b"] opaque convRepeat_ : ParserDescr
@[conv_parser, extern "b"] opaque convLeft : ParserDescr
@[conv_parser, extern "b"] opaque convRight : ParserDescr
@[macro Lean.Parser.Tactic.Conv.«convRw__», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRw___1» : Macro
@[macro Lean.Parser.Tactic.Conv.«convRfl», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRfl_1» : Macro
@[macro Lean.Parser.Tactic.Conv.«convTry_», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTry__1» : Macro
@[macro Lean.Parser.Tactic.Conv.«convRepeat_», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRepeat__1» : Macro
@[macro Lean.Parser.Tactic.Conv.«convLeft», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convLeft_1» : Macro
@[macro Lean.Parser.Tactic.Conv.«convRight», extern "b"] opaque «_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRight_1» : Macro
end Lean.Parser.Tactic.Conv
