prelude
import Gnosis.Core.Logic
/-! # Type classes, coercions, decidability, order of the natural numbers

What notation is translated to, and what `decide` computes with.

The elaborator refers by name to the classes of arithmetic (`HAdd` … `HPow`, `OfNat`, `Neg`, `LE`, `LT`), with `default_instance`
as here, so that `x + 1` finds its type; to the classes of coercion and their search order; to `Decidable` and its
instances, `decide`, `ite`, `dite`; to `Nat.decEq`, `Nat.decLe`, `Nat.decLt`, which must exist before the first type of three
constructors; to `noConfusion_of_Nat`; to `of_decide_eq_true` and `Trans`, whose six universes are needed by `calc`.

`Nat.div` and `Nat.mod` have the names by which the kernel evaluates literals.  `Init` defines them by another recursion; their
values are determined by `Nat.div_spec` and `Nat.mod_spec` in `Gnosis.Core.KernelNat`. -/
universe u v w

class Inhabited (α : Sort u) where
  default : α
export Inhabited (default)
class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α
abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)

class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ
class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Div (α : Type u) where
  div : α → α → α
class Mod (α : Type u) where
  mod : α → α → α
class Neg (α : Type u) where
  neg : α → α
class Pow (α : Type u) (β : Type v) where
  pow : α → β → α
class NatPow (α : Type u) where
  protected pow : α → Nat → α
class Append (α : Type u) where
  append : α → α → α
class Dvd (α : Type u) where
  dvd : α → α → Prop
class Membership (α : outParam (Type u)) (γ : Type v) where
  mem : γ → α → Prop
@[default_instance] instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨Add.add⟩
@[default_instance] instance instHSub {α : Type u} [Sub α] : HSub α α α := ⟨Sub.sub⟩
@[default_instance] instance instHMul {α : Type u} [Mul α] : HMul α α α := ⟨Mul.mul⟩
@[default_instance] instance instHDiv {α : Type u} [Div α] : HDiv α α α := ⟨Div.div⟩
@[default_instance] instance instHMod {α : Type u} [Mod α] : HMod α α α := ⟨Mod.mod⟩
@[default_instance] instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α := ⟨Pow.pow⟩
@[default_instance 10000] instance instPowNat {α : Type u} [NatPow α] : Pow α Nat := ⟨NatPow.pow⟩
@[default_instance] instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α := ⟨Append.append⟩

-- coercions
class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeOTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeHTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeDep (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β
attribute [coe_decl] Coe.coe CoeTC.coe CoeOut.coe CoeOTC.coe CoeHead.coe CoeHTC.coe CoeTail.coe
  CoeHTCT.coe CoeDep.coe CoeT.coe CoeFun.coe CoeSort.coe
-- search order: any number of `Coe`, before them any number of `CoeOut`, one `CoeHead`, one `CoeTail`
section
variable {α : Sort u} {β : Sort v} {γ : Sort w}
instance coeTcNext [Coe β γ] [CoeTC α β] : CoeTC α γ := ⟨fun a => Coe.coe (CoeTC.coe a : β)⟩
instance coeTcOne [Coe α β] : CoeTC α β := ⟨Coe.coe⟩
instance coeOtcNext [CoeOut α β] [CoeOTC β γ] : CoeOTC α γ := ⟨fun a => CoeOTC.coe (CoeOut.coe a : β)⟩
instance coeOtcOne [CoeOut α β] : CoeOTC α β := ⟨CoeOut.coe⟩
instance coeOtcTc [CoeTC α β] : CoeOTC α β := ⟨CoeTC.coe⟩
instance coeHtcHead [CoeHead α β] [CoeOTC β γ] : CoeHTC α γ := ⟨fun a => CoeOTC.coe (CoeHead.coe a : β)⟩
instance coeHtcHeadOne [CoeHead α β] : CoeHTC α β := ⟨CoeHead.coe⟩
instance coeHtcOtc [CoeOTC α β] : CoeHTC α β := ⟨CoeOTC.coe⟩
instance coeHtctTail [CoeTail β γ] [CoeHTC α β] : CoeHTCT α γ := ⟨fun a => CoeTail.coe (CoeHTC.coe a : β)⟩
instance coeHtctTailOne [CoeTail α β] : CoeHTCT α β := ⟨CoeTail.coe⟩
instance coeHtctHtc [CoeHTC α β] : CoeHTCT α β := ⟨CoeHTC.coe⟩
instance coeTHtct {a : α} [CoeHTCT α β] : CoeT α a β := ⟨CoeHTCT.coe a⟩
instance coeTDep {a : α} [CoeDep α a β] : CoeT α a β := ⟨CoeDep.coe a⟩
end
instance boolToProp : Coe Bool Prop := ⟨fun b => Eq b true⟩
instance boolToSort : CoeSort Bool Prop := ⟨fun b => Eq b true⟩

-- natural numbers
@[default_instance 100] instance instOfNatNat : (n : Nat) → OfNat Nat n := fun n => ⟨n⟩
instance instAddNat : Add Nat := ⟨Nat.add⟩
instance instSubNat : Sub Nat := ⟨Nat.sub⟩
instance instMulNat : Mul Nat := ⟨Nat.mul⟩
instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩
instance instLENat : LE Nat := ⟨Nat.le⟩
instance instLTNat : LT Nat := ⟨Nat.lt⟩

export Decidable (isTrue isFalse)
@[inline_if_reduce, nospecialize] def Decidable.decide (p : Prop) [h : Decidable p] : Bool :=
  match h with
  | isTrue _ => true
  | isFalse _ => false
export Decidable (decide)
@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α :=
  match h with
  | isTrue _ => t
  | isFalse _ => e
@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α :=
  match h with
  | isTrue hc => t hc
  | isFalse hc => e hc
theorem Nat.beq_refl (n : Nat) : Eq (Nat.beq n n) true :=
  n.rec (Eq.refl true) (fun _ ih => ih)
-- how the elaborator tells apart two constructors without fields, through their index
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) :
    (Nat.beq (f a) (f b)).rec (motive := fun _ => Prop) False True :=
  h.rec (motive := fun b _ => (Nat.beq (f a) (f b)).rec (motive := fun _ => Prop) False True)
    (Eq.rec (motive := fun c _ => Bool.rec (motive := fun _ => Prop) False True c) True.intro (Nat.beq_refl (f a)).symm)
theorem Nat.eq_of_beq_eq_true : (n m : Nat) → Eq (Nat.beq n m) true → Eq n m
  | .zero, .zero, _ => rfl
  | .succ n, .succ m, h => congrArg Nat.succ (eq_of_beq_eq_true n m h)
theorem Nat.ne_of_beq_eq_false (n m : Nat) (h : Eq (Nat.beq n m) false) : Not (Eq n m) :=
  fun e => nomatch (Eq.trans h.symm (Eq.subst (motive := fun k => Eq (Nat.beq n k) true) e (Nat.beq_refl n)))
set_option bootstrap.genMatcherCode false in
@[reducible, extern "lean_nat_dec_eq"] protected def Nat.decEq (n m : @& Nat) : Decidable (Eq n m) :=
  match h : Nat.beq n m with
  | true => isTrue (eq_of_beq_eq_true n m h)
  | false => isFalse (ne_of_beq_eq_false n m h)
instance instDecidableEqNat : DecidableEq Nat := Nat.decEq
@[macro_inline] def Bool.or (a b : Bool) : Bool := match a with
  | true => true
  | false => b
@[macro_inline] def Bool.and (a b : Bool) : Bool := match a with
  | true => b
  | false => false
@[inline] def Bool.not (a : Bool) : Bool := match a with
  | true => false
  | false => true
attribute [match_pattern] Add.add HAdd.hAdd Neg.neg

-- division by repeated subtraction, with the dividend as fuel (the kernel computes literals itself)
def Nat.divFuel (m : Nat) : Nat → Nat → Nat
  | .zero, _ => .zero
  | .succ f, n => match Nat.ble m n with
    | true => .succ (divFuel m f (Nat.sub n m))
    | false => .zero
def Nat.modFuel (m : Nat) : Nat → Nat → Nat
  | .zero, n => n
  | .succ f, n => match Nat.ble m n with
    | true => modFuel m f (Nat.sub n m)
    | false => n
@[extern "lean_nat_div"] protected def Nat.div (n m : @& Nat) : Nat :=
  match m with
  | .zero => .zero
  | .succ k => divFuel (.succ k) n n
@[extern "lean_nat_mod"] protected def Nat.mod (n m : @& Nat) : Nat :=
  match m with
  | .zero => n
  | .succ k => modFuel (.succ k) n n
instance Nat.instDivNat : Div Nat := ⟨Nat.div⟩
instance Nat.instModNat : Mod Nat := ⟨Nat.mod⟩
instance Nat.instDvdNat : Dvd Nat := ⟨fun a b => Exists (fun c => Eq b (HMul.hMul a c))⟩

-- decidability
set_option bootstrap.genMatcherCode false in
@[reducible] protected def Bool.decEq (a b : Bool) : Decidable (Eq a b) :=
  match a, b with
  | false, false => isTrue rfl
  | false, true => isFalse (fun h => nomatch h)
  | true, false => isFalse (fun h => nomatch h)
  | true, true => isTrue rfl
instance instDecidableEqBool : DecidableEq Bool := Bool.decEq
instance decPropToBool (p : Prop) [Decidable p] : CoeDep Prop p Bool := ⟨decide p⟩
instance instDecidableTrue : Decidable True := isTrue .intro
instance instDecidableFalse : Decidable False := isFalse id
section
variable {p q : Prop}
@[macro_inline] instance instDecidableNot [h : Decidable p] : Decidable (Not p) :=
  match h with
  | isTrue hp => isFalse (fun n => n hp)
  | isFalse hp => isTrue hp
@[macro_inline] instance instDecidableAnd [h : Decidable p] [k : Decidable q] : Decidable (And p q) :=
  match h with
  | isFalse hp => isFalse (fun a => hp a.left)
  | isTrue hp => match k with
    | isFalse hq => isFalse (fun a => hq a.right)
    | isTrue hq => isTrue ⟨hp, hq⟩
@[macro_inline] instance instDecidableOr [h : Decidable p] [k : Decidable q] : Decidable (Or p q) :=
  match h with
  | isTrue hp => isTrue (.inl hp)
  | isFalse hp => match k with
    | isTrue hq => isTrue (.inr hq)
    | isFalse hq => isFalse (fun o => o.rec hp hq)
instance instDecidableForall [h : Decidable p] [k : Decidable q] : Decidable (p → q) :=
  match h with
  | isFalse hp => isTrue (fun x => absurd x hp)
  | isTrue hp => match k with
    | isTrue hq => isTrue (fun _ => hq)
    | isFalse hq => isFalse (fun f => hq (f hp))
instance instDecidableIff [h : Decidable p] [k : Decidable q] : Decidable (Iff p q) :=
  match h, k with
  | isTrue hp, isTrue hq => isTrue ⟨fun _ => hq, fun _ => hp⟩
  | isFalse hp, isFalse hq => isTrue ⟨fun x => absurd x hp, fun x => absurd x hq⟩
  | isTrue hp, isFalse hq => isFalse (fun e => hq (e.mp hp))
  | isFalse hp, isTrue hq => isFalse (fun e => hp (e.mpr hq))
end
theorem decide_eq_true {p : Prop} : [Decidable p] → p → Eq (decide p) true
  | isTrue _, _ => rfl
  | isFalse n, hp => absurd hp n
theorem decide_eq_false {p : Prop} : [Decidable p] → Not p → Eq (decide p) false
  | isTrue hp, n => absurd hp n
  | isFalse _, _ => rfl
theorem of_decide_eq_true {p : Prop} : [Decidable p] → Eq (decide p) true → p
  | isTrue hp, _ => hp
  | isFalse _, e => nomatch e
theorem of_decide_eq_false {p : Prop} : [Decidable p] → Eq (decide p) false → Not p
  | isTrue _, e => nomatch e
  | isFalse n, _ => n

theorem Nat.zero_le : (n : Nat) → LE.le 0 n
  | .zero => Nat.le.refl
  | .succ n => Nat.le.step (zero_le n)
theorem Nat.succ_le_succ {n m : Nat} : LE.le n m → LE.le n.succ m.succ
  | .refl => Nat.le.refl
  | .step h => Nat.le.step (succ_le_succ h)
theorem Nat.le_trans {n m k : Nat} (h : LE.le n m) : LE.le m k → LE.le n k
  | .refl => h
  | .step e => Nat.le.step (Nat.le_trans h e)
theorem Nat.pred_le : (n : Nat) → LE.le n.pred n
  | .zero => Nat.le.refl
  | .succ _ => Nat.le.step .refl
theorem Nat.pred_le_pred {n m : Nat} : LE.le n m → LE.le n.pred m.pred
  | .refl => Nat.le.refl
  | .step h => Nat.le_trans (pred_le n) h
theorem Nat.le_of_succ_le_succ {n m : Nat} (h : LE.le n.succ m.succ) : LE.le n m := pred_le_pred h
theorem Nat.not_succ_le_zero (n : Nat) (h : LE.le n.succ 0) : False := nomatch h
theorem Nat.le_of_ble_eq_true : {n m : Nat} → Eq (Nat.ble n m) true → LE.le n m
  | .zero, _, _ => Nat.zero_le _
  | .succ _, .succ _, h => Nat.succ_le_succ (le_of_ble_eq_true h)
theorem Nat.ble_eq_true_of_le : {n m : Nat} → LE.le n m → Eq (Nat.ble n m) true
  | .zero, _, _ => rfl
  | .succ _, .zero, h => (not_succ_le_zero _ h).rec
  | .succ n, .succ m, h => @ble_eq_true_of_le n m (le_of_succ_le_succ h)
instance Nat.decLe (n m : @& Nat) : Decidable (LE.le n m) :=
  match h : Nat.ble n m with
  | true => isTrue (le_of_ble_eq_true h)
  | false => isFalse (fun k => nomatch (Eq.trans h.symm (ble_eq_true_of_le k)))
instance Nat.decLt (n m : @& Nat) : Decidable (LT.lt n m) := Nat.decLe n.succ m
attribute [extern "lean_nat_dec_le"] Nat.decLe
attribute [extern "lean_nat_dec_lt"] Nat.decLt

-- chaining of relations in `calc`
class Trans.{x, y, z, a, b, c} {α : Sort a} {β : Sort b} {γ : Sort c}
    (r : α → β → Sort x) (s : β → γ → Sort y) (t : outParam (α → γ → Sort z)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c
instance {α : Sort u} {γ : Sort w} (r : α → γ → Prop) : Trans Eq r r := ⟨fun {_ _ c} e h => Eq.subst (motive := fun x => r x c) e.symm h⟩
instance {α : Sort u} {β : Sort v} (r : α → β → Prop) : Trans r Eq r := ⟨fun {a _ _} h e => Eq.subst (motive := fun x => r a x) e h⟩
