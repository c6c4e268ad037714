prelude
import Gnosis.Core.Notation
/-! # Tactic grammar, and the lemmas that tactics refer to

Lean's binary contains the elaborators of all tactics and the grammar values; each line below makes one grammar value known to the
parser under the name that the elaborator listens to, with the macros that belong to it.  Left out are tactics that need a
library of lemmas (`omega`, `ac_rfl`) or propositional extensionality (`simp_all`, `simpa`); `simp only` is used through
`simp_only` of `Gnosis.Core.SimpLite`.

`split` refers to `ite_eq_left` and its relatives, `by_cases` (here for decidable propositions) to `dite`. -/
namespace Lean.Parser.Tactic
@[extern "b"] opaque caseArg : ParserDescr
@[extern "b"] opaque location : ParserDescr
@[extern "b"] opaque locationHyp : ParserDescr
@[extern "b"] opaque locationType : ParserDescr
@[extern "b"] opaque locationWildcard : ParserDescr
@[extern "b"] opaque optConfig : ParserDescr
@[extern "b"] opaque configItem : ParserDescr
@[extern "b"] opaque posConfigItem : ParserDescr
@[extern "b"] opaque negConfigItem : ParserDescr
@[extern "b"] opaque valConfigItem : ParserDescr
@[extern "b"] opaque rwRule : ParserDescr
@[extern "b"] opaque rwRuleSeq : ParserDescr
@[extern "b"] opaque simpArgs : ParserDescr
@[extern "b"] opaque simpArg : ParserDescr
@[extern "b"] opaque simpLemma : ParserDescr
@[extern "b"] opaque simpErase : ParserDescr
@[extern "b"] opaque simpStar : ParserDescr
@[extern "b"] opaque simpPre : ParserDescr
@[extern "b"] opaque simpPost : ParserDescr
@[extern "b"] opaque discharger : ParserDescr
@[extern "b"] opaque elimTarget : ParserDescr
@[extern "b"] opaque inductionAlt : ParserDescr
@[extern "b"] opaque inductionAltLHS : ParserDescr
@[extern "b"] opaque inductionAlts : ParserDescr
@[extern "b"] opaque generalizeArg : ParserDescr
@[extern "b"] opaque rcasesPatLo : ParserDescr
@[extern "b"] opaque rcasesPatMed : ParserDescr
@[extern "b"] opaque dsimpArgs : ParserDescr
@[extern "b"] opaque dsimpArg : ParserDescr
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
@[rcasesPat_parser, extern "b"] opaque rcasesPat.one : ParserDescr
@[rcasesPat_parser, extern "b"] opaque rcasesPat.ignore : ParserDescr
@[rcasesPat_parser, extern "b"] opaque rcasesPat.clear : ParserDescr
@[rcasesPat_parser, extern "b"] opaque rcasesPat.explicit : ParserDescr
@[rcasesPat_parser, extern "b"] opaque rcasesPat.tuple : ParserDescr
@[rcasesPat_parser, extern "b"] opaque rcasesPat.paren : ParserDescr
@[rintroPat_parser, extern "b"] opaque rintroPat.one : ParserDescr
@[rintroPat_parser, extern "b"] opaque rintroPat.binder : ParserDescr
@[tactic_parser, extern "b"] opaque intro : ParserDescr
@[tactic_parser, extern "b"] opaque intros : ParserDescr
@[tactic_parser, extern "b"] opaque exact : ParserDescr
@[tactic_parser, extern "b"] opaque apply : ParserDescr
@[tactic_parser, extern "b"] opaque refine : ParserDescr
@[tactic_parser, extern "b"] opaque constructor : ParserDescr
@[tactic_parser, extern "b"] opaque left : ParserDescr
@[tactic_parser, extern "b"] opaque right : ParserDescr
@[tactic_parser, extern "b"] opaque case : ParserDescr
@[tactic_parser, extern "b"] opaque allGoals : ParserDescr
@[tactic_parser, extern "b"] opaque anyGoals : ParserDescr
@[tactic_parser, extern "b"] opaque focus : ParserDescr
@[tactic_parser, extern "b"] opaque done : ParserDescr
@[tactic_parser, extern "b"] opaque skip : ParserDescr
@[tactic_parser, extern "b"] opaque fail : ParserDescr
@[tactic_parser, extern "b"] opaque assumption : ParserDescr
@[tactic_parser, extern "b"] opaque contradiction : ParserDescr
@[tactic_parser, extern "b"] opaque eqRefl : ParserDescr
@[tactic_parser, extern "b"] opaque first : ParserDescr
@[tactic_parser, extern "b"] opaque paren : ParserDescr
@[tactic_parser, extern "b"] opaque change : ParserDescr
@[tactic_parser, extern "b"] opaque «show» : ParserDescr
@[tactic_parser, extern "b"] opaque rewriteSeq : ParserDescr
@[tactic_parser, extern "b"] opaque rwSeq : ParserDescr
@[tactic_parser, extern "b"] opaque injection : ParserDescr
@[tactic_parser, extern "b"] opaque injections : ParserDescr
@[tactic_parser, extern "b"] opaque simp : ParserDescr
@[tactic_parser, extern "b"] opaque dsimp : ParserDescr
@[tactic_parser, extern "b"] opaque delta : ParserDescr
@[tactic_parser, extern "b"] opaque unfold : ParserDescr
@[tactic_parser, extern "b"] opaque «induction» : ParserDescr
@[tactic_parser, extern "b"] opaque cases : ParserDescr
@[tactic_parser, extern "b"] opaque generalize : ParserDescr
@[tactic_parser, extern "b"] opaque specialize : ParserDescr
@[tactic_parser, extern "b"] opaque split : ParserDescr
@[tactic_parser, extern "b"] opaque decide : ParserDescr
@[tactic_parser, extern "b"] opaque rcases : ParserDescr
@[tactic_parser, extern "b"] opaque obtain : ParserDescr
@[tactic_parser, extern "b"] opaque rintro : ParserDescr
@[tactic_parser, extern "b"] opaque congr : ParserDescr
@[tactic_parser, extern "b"] opaque clear : ParserDescr
@[tactic_parser, extern "b"] opaque revert : ParserDescr
@[tactic_parser, extern "b"] opaque subst : ParserDescr
@[tactic_parser, extern "b"] opaque substVars : ParserDescr
@[tactic_parser, extern "b"] opaque renameI : ParserDescr
@[tactic_parser, extern "b"] opaque traceState : ParserDescr
@[tactic_parser, extern "b"] opaque withReducible : ParserDescr
@[tactic_parser, extern "b"] opaque withReducibleAndInstances : ParserDescr
@[tactic_parser, extern "b"] opaque withUnfoldingAll : ParserDescr
@[tactic_parser, extern "b"] opaque rotateLeft : ParserDescr
@[tactic_parser, extern "b"] opaque rotateRight : ParserDescr
@[tactic_parser, extern "b"] opaque symm : ParserDescr
@[tactic_parser, extern "b"] opaque «repeat'» : ParserDescr
@[tactic_parser, extern "b"] opaque applyRfl : ParserDescr
@[tactic_parser, extern "b"] opaque tacticRfl : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticTry_» : ParserDescr
@[tactic_parser, extern "b"] opaque «tactic_<;>_» : TrailingParserDescr
@[tactic_parser, extern "b"] opaque tacticExfalso : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticExists_,,» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticHave__» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticLet__» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticRefine_lift_» : ParserDescr
@[tactic_parser, extern "b"] opaque tacticSorry : ParserDescr
@[tactic_parser, extern "b"] opaque tacticTrivial : ParserDescr
@[tactic_parser, extern "b"] opaque tacticNofun : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticNomatch_,,» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticNext_=>_» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticSuffices_» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticInfer_instance» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticAnd_intros» : ParserDescr
@[tactic_parser, extern "b"] opaque «tacticRepeat_» : ParserDescr
@[tactic_parser, extern "b"] opaque rwa : ParserDescr
@[macro Lean.Parser.Tactic.«tacticRfl», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1» : Macro
@[macro Lean.Parser.Tactic.«tacticRfl», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2» : Macro
@[macro Lean.Parser.Tactic.«tacticRfl», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3» : Macro
@[macro Lean.Parser.Tactic.«tacticTry_», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1» : Macro
@[macro Lean.Parser.Tactic.«tactic_<;>_», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Macro
@[macro Lean.Parser.Tactic.«tacticExfalso», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1» : Macro
@[macro Lean.Parser.Tactic.«tacticExists_,,», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Macro
@[macro Lean.Parser.Tactic.«tacticHave__», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1» : Macro
@[macro Lean.Parser.Tactic.«tacticLet__», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1» : Macro
@[macro Lean.Parser.Tactic.«tacticRefine_lift_», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1» : Macro
@[macro Lean.Parser.Tactic.«tacticSorry», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5» : Macro
@[macro Lean.Parser.Tactic.«tacticTrivial», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_6» : Macro
@[macro Lean.Parser.Tactic.«tacticNofun», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1» : Macro
@[macro Lean.Parser.Tactic.«tacticNomatch_,,», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Macro
@[macro Lean.Parser.Tactic.«tacticNext_=>_», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Macro
@[macro Lean.Parser.Tactic.«tacticSuffices_», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1» : Macro
@[macro Lean.Parser.Tactic.«tacticInfer_instance», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1» : Macro
@[macro Lean.Parser.Tactic.«tacticAnd_intros», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1» : Macro
@[macro Lean.Parser.Tactic.«rwSeq», extern "b"] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1» : Macro
end Lean.Parser.Tactic
namespace Lean
@[extern "b"] opaque cdotTk : ParserDescr
@[tactic_parser, extern "b"] opaque cdot : ParserDescr
@[extern "b"] opaque calcFirstStep : ParserDescr
@[extern "b"] opaque calcStep : ParserDescr
@[extern "b"] opaque calcSteps : ParserDescr
@[term_parser, extern "b"] opaque calc : ParserDescr
@[tactic_parser, extern "b"] opaque calcTactic : ParserDescr
end Lean

theorem Or.elim {a b c : Prop} (h : a ∨ b) (l : a → c) (r : b → c) : c := h.rec l r
theorem Decidable.byContradiction {p : Prop} [h : Decidable p] (f : ¬p → False) : p :=
  match h with
  | isTrue h => h
  | isFalse n => (f n).rec
universe u
theorem ite_eq_left {α : Sort u} {c : Prop} [h : Decidable c] {t e : α} (hc : c) : (if c then t else e) = t :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem ite_eq_right {α : Sort u} {c : Prop} [h : Decidable c] {t e : α} (hc : ¬c) : (if c then t else e) = e :=
  match h with
  | isTrue y => absurd y hc
  | isFalse _ => rfl
theorem dite_eq_left {α : Sort u} {c : Prop} [h : Decidable c] {t : c → α} {e : ¬c → α} (hc : c) : dite c t e = t hc :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem dite_eq_right {α : Sort u} {c : Prop} [h : Decidable c] {t : c → α} {e : ¬c → α} (hc : ¬c) : dite c t e = e hc :=
  match h with
  | isTrue y => absurd y hc
  | isFalse _ => rfl
theorem if_pos {α : Sort u} {c : Prop} {_ : Decidable c} {t e : α} (hc : c) : (if c then t else e) = t := ite_eq_left hc
theorem if_neg {α : Sort u} {c : Prop} {_ : Decidable c} {t e : α} (hc : ¬c) : (if c then t else e) = e := ite_eq_right hc
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun e => h e.symm
theorem Iff.rfl {a : Prop} : a ↔ a := ⟨id, id⟩
theorem Iff.symm {a b : Prop} (h : a ↔ b) : b ↔ a := ⟨h.mpr, h.mp⟩
theorem Iff.trans {a b c : Prop} (h : a ↔ b) (k : b ↔ c) : a ↔ c := ⟨fun x => k.mp (h.mp x), fun x => h.mpr (k.mpr x)⟩
/-- Case distinction on a decidable proposition. -/
macro "by_cases " h:ident " : " e:term : tactic =>
  `(tactic| refine dite $e ?pos ?neg <;> intro $h:ident)
