prelude
import Gnosis.Core.Notation
/-! # Integers: the type, its operations and decisions

Everything the decision modules compute with; no tactics and no laws, which are in `Gnosis.Core.Int`, `Order`, `Lin`
and `IntDiv`.

What the compiler hard-codes: the type `Int` with exactly these two constructors, represented in compiled code as a big
number; `Int.natAbs` and `Int.decLt`, through which a compiled `match` tells the constructors apart (therefore no
`ctorIdx` is generated); the names `lean_int_…` of the native operations.  The definitions below each `@[extern]` are
what proofs and the kernel see; the native code is what runs, and that they agree is part of the trust base.

Names, types and values follow Lean's own `Init`; `Int.isEven` has no counterpart there. -/

set_option genCtorIdx false in
/-- The integers: `ofNat n` is `n`, `negSucc n` is `-(n + 1)`. -/
inductive Int where
  | ofNat (n : Nat)
  | negSucc (n : Nat)

namespace Int
noncomputable def ctorIdx (a : Int) : Nat := a.rec (fun _ => 0) (fun _ => 1)
attribute [extern "lean_nat_to_int"] ofNat
attribute [extern "lean_int_neg_succ_of_nat"] negSucc
set_option bootstrap.genMatcherCode false
/-- The absolute value. -/
@[extern "lean_nat_abs"] def natAbs : (@& Int) → Nat
  | ofNat n => n
  | negSucc n => n + 1
@[default_instance 50] instance instOfNat : (n : Nat) → OfNat Int n := fun n => ⟨ofNat n⟩
instance : Coe Nat Int := ⟨ofNat⟩
attribute [coe] ofNat
instance : Inhabited Int := ⟨ofNat 0⟩

/-- The difference `m - n` of two natural numbers, as an integer. -/
def subNatNat (m n : Nat) : Int :=
  match n - m with
  | 0 => ofNat (m - n)
  | k + 1 => negSucc k
/-- The integer `-n`. -/
def negOfNat : Nat → Int
  | 0 => ofNat 0
  | k + 1 => negSucc k
@[extern "lean_int_neg"] protected def neg : (@& Int) → Int
  | ofNat n => negOfNat n
  | negSucc n => ofNat (n + 1)
@[extern "lean_int_add"] protected def add : (@& Int) → (@& Int) → Int
  | ofNat m, ofNat n => ofNat (m + n)
  | ofNat m, negSucc n => subNatNat m (n + 1)
  | negSucc m, ofNat n => subNatNat n (m + 1)
  | negSucc m, negSucc n => negSucc (m + n + 1)
@[extern "lean_int_mul"] protected def mul : (@& Int) → (@& Int) → Int
  | ofNat m, ofNat n => ofNat (m * n)
  | ofNat m, negSucc n => negOfNat (m * (n + 1))
  | negSucc m, ofNat n => negOfNat ((m + 1) * n)
  | negSucc m, negSucc n => ofNat ((m + 1) * (n + 1))
instance instNegInt : Neg Int := ⟨Int.neg⟩
instance : Add Int := ⟨Int.add⟩
instance : Mul Int := ⟨Int.mul⟩
@[extern "lean_int_sub"] protected def sub (a b : @& Int) : Int := a + -b
instance : Sub Int := ⟨Int.sub⟩
protected def pow (a : Int) : Nat → Int
  | 0 => 1
  | n + 1 => Int.pow a n * a
instance : NatPow Int := ⟨Int.pow⟩
/-- The quotient whose remainder is not negative; it rounds down for a positive divisor. -/
@[extern "lean_int_ediv"] protected def ediv : (@& Int) → (@& Int) → Int
  | ofNat m, ofNat n => ofNat (m / n)
  | ofNat m, negSucc n => -(ofNat (m / (n + 1)))
  | negSucc _, ofNat 0 => 0
  | negSucc m, ofNat (n + 1) => negSucc (m / (n + 1))
  | negSucc m, negSucc n => ofNat (m / (n + 1) + 1)
instance : Div Int := ⟨Int.ediv⟩

/-- An integer that is not negative.  The order is defined by it: `a ≤ b` says that `b - a` is not negative. -/
inductive NonNeg : Int → Prop where
  | mk (n : Nat) : NonNeg (ofNat n)
protected def le (a b : Int) : Prop := NonNeg (b - a)
instance instLEInt : LE Int := ⟨Int.le⟩
protected def lt (a b : Int) : Prop := a + 1 ≤ b
instance instLTInt : LT Int := ⟨Int.lt⟩
@[extern "lean_int_dec_eq"] instance decEq : (a b : @& Int) → Decidable (a = b)
  | ofNat m, ofNat n => match Nat.decEq m n with
    | isTrue h => isTrue (congrArg ofNat h)
    | isFalse h => isFalse (fun e => h (congrArg natAbs e))
  | negSucc m, negSucc n => match Nat.decEq m n with
    | isTrue h => isTrue (congrArg negSucc h)
    | isFalse h => isFalse (fun e => h (congrArg (fun a => (natAbs a).pred) e))
  | ofNat _, negSucc _ => isFalse (fun e => nomatch e)
  | negSucc _, ofNat _ => isFalse (fun e => nomatch e)
@[extern "lean_int_dec_nonneg"] def decNonNeg : (a : @& Int) → Decidable (NonNeg a)
  | ofNat n => isTrue ⟨n⟩
  | negSucc _ => isFalse (fun h => nomatch h)
@[extern "lean_int_dec_le"] instance decLe (a b : @& Int) : Decidable (a ≤ b) := decNonNeg (b - a)
@[extern "lean_int_dec_lt"] instance decLt (a b : @& Int) : Decidable (a < b) := decNonNeg (b - (a + 1))

/-- Decide whether an integer is even. -/
def isEven (z : Int) : Bool := decide (2 * (z / 2) = z)
end Int
