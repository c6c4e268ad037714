prelude
import Gnosis.Core.Meta
/-! # Term notation

By ordinary declaration commands, as in `Init`: the same symbols, precedences and macros.  `opaque` constants are grammar and
printers whose code is in Lean's binary (see `Gnosis.Core.Meta`). -/

-- the extensible parts of the grammar of `syntax` itself: precedences and combinators
syntax "max" : prec
syntax "min" : prec
syntax "lead" : prec
syntax "arg" : prec
macro_rules
  | `(prec| max) => `(prec| 1024)
  | `(prec| arg) => `(prec| 1023)
  | `(prec| lead) => `(prec| 1022)
  | `(prec| min) => `(prec| 10)
syntax:1023 stx:max "*" : stx
syntax:1023 stx:max "+" : stx
syntax:1023 stx:max "?" : stx
syntax:1023 stx:max ",*" : stx
syntax:1023 stx:max ",+" : stx
syntax:1023 stx:2 " <|> " stx:1 : stx
macro_rules
  | `(stx| $x *) => `(stx| many($x))
  | `(stx| $x +) => `(stx| many1($x))
  | `(stx| $x ?) => `(stx| optional($x))
  | `(stx| $x ,*) => `(stx| sepBy($x, ",", ", "))
  | `(stx| $x ,+) => `(stx| sepBy1($x, ",", ", "))
  | `(stx| $x <|> $y) => `(stx| orelse($x, $y))

namespace Lean
-- grammar values that the binary already contains
@[extern "b"] opaque binderIdent : ParserDescr
@[extern "b"] opaque unbracketedExplicitBinders : ParserDescr
@[extern "b"] opaque bracketedExplicitBinders : ParserDescr
@[extern "b"] opaque explicitBinders : ParserDescr
@[extern "b"] opaque expandExplicitBinders (comb : Name) (binders body : Syntax) : MacroM Syntax
end Lean

infix:50 " = " => Eq
infix:50 " ≠ " => Ne
infix:50 " ≤ " => LE.le
infix:50 " < " => LT.lt
infix:50 " ≥ " => GE.ge
infix:50 " > " => GT.gt
infix:50 " ∣ " => Dvd.dvd
infixl:65 " + " => HAdd.hAdd
infixl:65 " - " => HSub.hSub
infixl:70 " * " => HMul.hMul
infixl:70 " / " => HDiv.hDiv
infixl:70 " % " => HMod.hMod
infixr:75 " ^ " => HPow.hPow
infixl:65 " ++ " => HAppend.hAppend
prefix:75 "-" => Neg.neg
infixr:67 " :: " => List.cons
infixr:35 " ∧ " => And
infixr:30 " ∨ " => Or
infix:20 " ↔ " => Iff
notation:max "¬" p:40 => Not p
infixl:35 " && " => Bool.and
infixl:30 " || " => Bool.or
notation:max "!" b:40 => Bool.not b
infixr:35 " × " => Prod
notation:50 a:50 " ∈ " s:50 => Membership.mem s a
notation:50 a:50 " ∉ " s:50 => ¬ (a ∈ s)

-- operators whose two sides are elaborated together, so that coercions go to the leaves
macro_rules | `($x = $y) => `(binrel% Eq $x $y)
macro_rules | `($x ≠ $y) => `(binrel% Ne $x $y)
macro_rules | `($x ≤ $y) => `(binrel% LE.le $x $y)
macro_rules | `($x < $y) => `(binrel% LT.lt $x $y)
macro_rules | `($x ≥ $y) => `(binrel% GE.ge $x $y)
macro_rules | `($x > $y) => `(binrel% GT.gt $x $y)
macro_rules | `($x + $y) => `(binop% HAdd.hAdd $x $y)
macro_rules | `($x - $y) => `(binop% HSub.hSub $x $y)
macro_rules | `($x * $y) => `(binop% HMul.hMul $x $y)
macro_rules | `($x / $y) => `(binop% HDiv.hDiv $x $y)
macro_rules | `($x % $y) => `(binop% HMod.hMod $x $y)
macro_rules | `($x ^ $y) => `(rightact% HPow.hPow $x $y)
macro_rules | `($x ++ $y) => `(binop% HAppend.hAppend $x $y)
macro_rules | `(-$x) => `(unop% Neg.neg $x)

syntax (name := termIfThenElse) "if " term " then" ppSpace term ppSpace "else" ppSpace term : term
syntax (name := termDepIfThenElse) "if " Lean.binderIdent " : " term " then" ppSpace term ppSpace "else" ppSpace term : term
-- without this grammar the printer fails on every term that contains `cond`
syntax (name := boolIfThenElse) "bif " term " then" ppSpace term ppSpace "else" ppSpace term : term
macro_rules | `(bif $c then $t else $e) => `(cond $c $t $e)
macro_rules
  | `(if $c then $t else $e) => `(ite $c $t $e)
  | `(if $h:ident : $c then $t else $e) => `(dite $c (fun $h:ident => $t) (fun $h:ident => $e))
-- a bare number, without the class `OfNat` around it
syntax:max (name := rawNatLit) "nat_lit " num : term
syntax:min term " <| " term:min : term
macro_rules | `($f <| $a) => `($f $a)
syntax "[" term,* "]" : term
macro_rules
  | `([]) => `(List.nil)
  | `([$x]) => `(List.cons $x List.nil)
  | `([$x, $xs,*]) => `(List.cons $x [$xs,*])
syntax "∃ " Lean.explicitBinders ", " term : term
macro_rules | `(∃ $xs, $b) => Lean.expandExplicitBinders `Exists xs b
@[app_unexpander Exists, extern "b"] opaque unexpandExists : Lean.PrettyPrinter.Unexpander
@[app_unexpander ite, extern "b"] opaque unexpandIte : Lean.PrettyPrinter.Unexpander
@[app_unexpander List.nil, extern "b"] opaque unexpandListNil : Lean.PrettyPrinter.Unexpander
@[app_unexpander List.cons, extern "b"] opaque unexpandListCons : Lean.PrettyPrinter.Unexpander
-- without the grammar of `↑` the printer fails on every term that contains a coercion
@[term_parser, extern "b"] opaque coeNotation : Lean.ParserDescr
