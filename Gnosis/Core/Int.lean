prelude
import Gnosis.Core.Ring
/-! Integers.  Every integer is a difference `a - b` of natural numbers, written `Int.diff a b`;
each law is reduced to an identity of natural numbers. -/
set_option linter.all false

-- compiled code represents integers as big numbers and tells the two constructors apart with
-- `Int.decLt`; so, as for `Nat`, the index is not generated and the operations are native
set_option genCtorIdx false in
inductive Int where
  | ofNat (n : Nat)
  | negSucc (n : Nat)

namespace Int
noncomputable def ctorIdx (a : Int) : Nat := a.rec (fun _ => 0) (fun _ => 1)
attribute [extern "lean_nat_to_int"] ofNat
attribute [extern "lean_int_neg_succ_of_nat"] negSucc
set_option bootstrap.genMatcherCode false
@[default_instance 50] instance instOfNat : (n : Nat) → OfNat Int n := fun n => ⟨ofNat n⟩
instance : Coe Nat Int := ⟨ofNat⟩
attribute [coe] ofNat
instance : Inhabited Int := ⟨ofNat 0⟩
noncomputable def diff (m n : Nat) : Int :=
  match n - m with
  | 0 => ofNat (m - n)
  | k + 1 => negSucc k
noncomputable def negOfNat : Nat → Int
  | 0 => ofNat 0
  | k + 1 => negSucc k
@[extern "lean_int_neg"] protected def neg : (@& Int) → Int
  | ofNat n => negOfNat n
  | negSucc n => ofNat (n + 1)
@[extern "lean_int_add"] protected def add : (@& Int) → (@& Int) → Int
  | ofNat m, ofNat n => ofNat (m + n)
  | ofNat m, negSucc n => diff m (n + 1)
  | negSucc m, ofNat n => diff n (m + 1)
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
protected noncomputable def pow (a : Int) : Nat → Int
  | 0 => 1
  | n + 1 => Int.pow a n * a
noncomputable instance : NatPow Int := ⟨Int.pow⟩
inductive NonNeg : Int → Prop where
  | mk (n : Nat) : NonNeg (ofNat n)
protected def le (a b : Int) : Prop := NonNeg (b - a)
instance instLEInt : LE Int := ⟨Int.le⟩
protected def lt (a b : Int) : Prop := a + 1 ≤ b
instance instLTInt : LT Int := ⟨Int.lt⟩
@[extern "lean_int_dec_eq"] instance decEq : (a b : @& Int) → Decidable (a = b)
  | ofNat m, ofNat n => match Nat.decEq m n with
    | isTrue h => isTrue (congrArg ofNat h)
    | isFalse h => isFalse (fun e => by injection e with e; exact h e)
  | negSucc m, negSucc n => match Nat.decEq m n with
    | isTrue h => isTrue (congrArg negSucc h)
    | isFalse h => isFalse (fun e => by injection e with e; exact h e)
  | ofNat _, negSucc _ => isFalse (fun e => nomatch e)
  | negSucc _, ofNat _ => isFalse (fun e => nomatch e)
@[extern "lean_int_dec_nonneg"] def decNonNeg : (a : @& Int) → Decidable (NonNeg a)
  | ofNat n => isTrue ⟨n⟩
  | negSucc _ => isFalse (fun h => nomatch h)
@[extern "lean_int_dec_le"] instance decLe (a b : @& Int) : Decidable (a ≤ b) := decNonNeg (b - a)
@[extern "lean_int_dec_lt"] instance decLt (a b : @& Int) : Decidable (a < b) := decNonNeg (b - (a + 1))

theorem _root_.Nat.succ_sub_succ (m n : Nat) : (m + 1) - (n + 1) = m - n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.pred ih
theorem _root_.Nat.sub_self (n : Nat) : n - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.succ_sub_succ, ih]
theorem _root_.Nat.zero_sub (n : Nat) : 0 - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.pred ih

theorem diff_succ (m n : Nat) : diff (m + 1) (n + 1) = diff m n := by
  unfold diff; rw [Nat.succ_sub_succ, Nat.succ_sub_succ]
theorem diff_add (m n k : Nat) : diff (m + k) (n + k) = diff m n := by
  induction k with
  | zero => rfl
  | succ k ih => exact (diff_succ (m + k) (n + k)).trans ih
theorem diff_zero (k : Nat) : diff k 0 = ofNat k := by
  unfold diff; rw [Nat.zero_sub]; rfl
theorem zero_diff (k : Nat) : diff 0 (k + 1) = negSucc k := rfl
/-- Two differences are equal when the sums crosswise are. -/
theorem diff_eq {a b c d : Nat} (h : a + d = c + b) : diff a b = diff c d := by
  rw [← diff_add a b d, ← diff_add c d b, h, Nat.add_comm b d]
theorem exists_diff (x : Int) : ∃ a b, x = diff a b := by
  cases x with
  | ofNat n => exact ⟨n, 0, (diff_zero n).symm⟩
  | negSucc n => exact ⟨0, n + 1, rfl⟩
theorem diff_cases (m n : Nat) :
    (∃ k, m = n + k ∧ diff m n = ofNat k) ∨ (∃ k, n = m + (k + 1) ∧ diff m n = negSucc k) := by
  rcases Nat.le_total n m with h | h
  · obtain ⟨k, hk⟩ := Nat.exists_of_le h
    left; exact ⟨k, hk, by rw [← diff_zero, hk]; apply diff_eq; nat_ring [n, k]⟩
  · obtain ⟨k, hk⟩ := Nat.exists_of_le h
    cases k with
    | zero => left; exact ⟨0, hk.symm, by rw [hk, ← diff_zero]; apply diff_eq; nat_ring [m]⟩
    | succ k => right; exact ⟨k, hk, by rw [hk, ← zero_diff]; apply diff_eq; nat_ring [m, k]⟩
theorem diff_neg (a b : Nat) : -(diff a b) = diff b a := by
  rcases diff_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩
  · rw [e, h]
    show negOfNat k = _
    cases k with
    | zero => rw [Nat.add_zero]; exact (diff_zero 0).symm.trans (diff_eq (by nat_ring [b]))
    | succ k => exact (zero_diff k).symm.trans (diff_eq (by nat_ring [b, k]))
  · rw [e, h]
    show ofNat (k + 1) = _
    rw [← diff_zero]; apply diff_eq; nat_ring [a, k]
theorem negOfNat_eq (k : Nat) : negOfNat k = diff 0 k := by
  cases k with
  | zero => rfl
  | succ k => rfl
theorem diff_add_diff (a b c d : Nat) : diff a b + diff c d = diff (a + c) (b + d) := by
  rcases diff_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rcases diff_cases c d with ⟨l, h', e'⟩ | ⟨l, h', e'⟩ <;>
    rw [e, e', h, h']
  · exact (diff_zero (k + l)).symm.trans (diff_eq (by nat_ring [k, l, b, d]))
  · exact diff_eq (a := k) (b := l + 1) (by nat_ring [k, l, b, c])
  · exact diff_eq (a := l) (b := k + 1) (by nat_ring [k, l, a, d])
  · exact (zero_diff (k + l + 1)).symm.trans (diff_eq (by nat_ring [k, l, a, c]))
theorem diff_mul_diff (a b c d : Nat) : diff a b * diff c d = diff (a * c + b * d) (a * d + b * c) := by
  rcases diff_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rcases diff_cases c d with ⟨l, h', e'⟩ | ⟨l, h', e'⟩ <;>
    rw [e, e', h, h']
  · exact (diff_zero (k * l)).symm.trans (diff_eq (by nat_ring [k, l, b, d]))
  · exact (negOfNat_eq (k * (l + 1))).trans (diff_eq (by nat_ring [k, l, b, c]))
  · exact (negOfNat_eq ((k + 1) * l)).trans (diff_eq (by nat_ring [k, l, a, d]))
  · exact (diff_zero ((k + 1) * (l + 1))).symm.trans (diff_eq (by nat_ring [k, l, a, c]))
theorem nonneg_diff (m n : Nat) : NonNeg (diff m n) ↔ n ≤ m := by
  rcases diff_cases m n with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rw [e, h]
  · exact ⟨fun _ => Nat.le_add_right n k, fun _ => ⟨k⟩⟩
  · exact ⟨fun h => (nomatch h), fun h => absurd h (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.le_add_right m k)))⟩
theorem sub_def (a b : Int) : a - b = a + -b := rfl
theorem diff_le (a b c d : Nat) : diff a b ≤ diff c d ↔ a + d ≤ c + b := by
  show NonNeg (diff c d + -diff a b) ↔ _
  rw [diff_neg, diff_add_diff, Nat.add_comm a d]; exact nonneg_diff _ _

-- the ring laws
section
variable (x y z : Int)
protected theorem add_comm : x + y = y + x := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  rw [diff_add_diff, diff_add_diff]; apply diff_eq; nat_ring [a, b, c, d]
protected theorem add_assoc : x + y + z = x + (y + z) := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  obtain ⟨e, f, rfl⟩ := exists_diff z
  rw [diff_add_diff, diff_add_diff, diff_add_diff, diff_add_diff]; apply diff_eq; nat_ring [a, b, c, d, e, f]
protected theorem add_left_comm : x + (y + z) = y + (x + z) := by
  rw [← Int.add_assoc, Int.add_comm x y, Int.add_assoc]
protected theorem zero_add : 0 + x = x := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  show diff 0 0 + _ = _
  rw [diff_add_diff]; apply diff_eq; nat_ring [a, b]
protected theorem add_zero : x + 0 = x := by rw [Int.add_comm, Int.zero_add]
protected theorem mul_comm : x * y = y * x := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  rw [diff_mul_diff, diff_mul_diff]; apply diff_eq; nat_ring [a, b, c, d]
protected theorem mul_assoc : x * y * z = x * (y * z) := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  obtain ⟨e, f, rfl⟩ := exists_diff z
  rw [diff_mul_diff, diff_mul_diff, diff_mul_diff, diff_mul_diff]; apply diff_eq; nat_ring [a, b, c, d, e, f]
protected theorem one_mul : 1 * x = x := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  show diff 1 0 * _ = _
  rw [diff_mul_diff]; apply diff_eq; nat_ring [a, b]
protected theorem mul_one : x * 1 = x := by rw [Int.mul_comm, Int.one_mul]
protected theorem zero_mul : 0 * x = 0 := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  show diff 0 0 * _ = diff 0 0
  rw [diff_mul_diff]; apply diff_eq; nat_ring [a, b]
protected theorem mul_zero : x * 0 = 0 := by rw [Int.mul_comm, Int.zero_mul]
protected theorem mul_add : x * (y + z) = x * y + x * z := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  obtain ⟨e, f, rfl⟩ := exists_diff z
  rw [diff_add_diff, diff_mul_diff, diff_mul_diff, diff_mul_diff, diff_add_diff]
  apply diff_eq; nat_ring [a, b, c, d, e, f]
protected theorem add_mul : (x + y) * z = x * z + y * z := by
  rw [Int.mul_comm, Int.mul_add, Int.mul_comm z x, Int.mul_comm z y]
protected theorem add_neg : x + -x = 0 := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  show _ = diff 0 0
  rw [diff_neg, diff_add_diff]; apply diff_eq; nat_ring [a, b]
protected theorem neg_neg : - -x = x := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  rw [diff_neg, diff_neg]
protected theorem neg_add : -(x + y) = -x + -y := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  rw [diff_add_diff, diff_neg, diff_neg, diff_neg, diff_add_diff]
protected theorem neg_mul : -x * y = -(x * y) := by
  obtain ⟨a, b, rfl⟩ := exists_diff x
  obtain ⟨c, d, rfl⟩ := exists_diff y
  rw [diff_neg, diff_mul_diff, diff_mul_diff, diff_neg]; apply diff_eq; nat_ring [a, b, c, d]
protected theorem mul_neg : x * -y = -(x * y) := by rw [Int.mul_comm, Int.neg_mul, Int.mul_comm]
end
theorem ofNat_add (m n : Nat) : ofNat (m + n) = ofNat m + ofNat n := rfl
theorem ofNat_mul (m n : Nat) : ofNat (m * n) = ofNat m * ofNat n := rfl

noncomputable def csr : Csr Int where
  add a b := a + b
  mul a b := a * b
  cast := ofNat
  add_comm := Int.add_comm
  add_assoc := Int.add_assoc
  zero_add := Int.zero_add
  mul_comm := Int.mul_comm
  mul_assoc := Int.mul_assoc
  one_mul := Int.one_mul
  zero_mul := Int.zero_mul
  distrib := Int.mul_add
  cast_add := ofNat_add
  cast_mul := ofNat_mul

/-- Reading a term over `Int` as a difference of two semiring expressions. -/
class Quote (x : Int) (ρ : List Int) (p n : outParam Csr.Expr) : Prop where
  eq : x = p.eval csr ρ + -(n.eval csr ρ)
section
variable (x y : Int) (ρ : List Int) (p q n m : Csr.Expr)
instance (priority := 5) (k : Nat) : Quote (no_index (OfNat.ofNat k)) ρ (.num k) (.num 0) := ⟨(Int.add_zero _).symm⟩
instance (priority := 10) (i : Nat) [h : Csr.Atom x ρ i] : Quote x ρ (.var i) (.num 0) :=
  ⟨((Int.add_zero _).trans (h.pos 0)).symm⟩
instance [h : Quote x ρ p n] : Quote (-x) ρ n p := ⟨by
  rw [h.eq, Int.neg_add, Int.neg_neg, Int.add_comm]⟩
instance [h : Quote x ρ p n] [k : Quote y ρ q m] : Quote (x + y) ρ (.add p q) (.add n m) := ⟨by
  show _ = p.eval csr ρ + q.eval csr ρ + -(n.eval csr ρ + m.eval csr ρ)
  rw [h.eq, k.eq, Int.neg_add, Int.add_assoc, Int.add_assoc, ← Int.add_assoc (-_), Int.add_comm (-_), Int.add_assoc]⟩
instance [h : Quote x ρ p n] [k : Quote y ρ q m] : Quote (x - y) ρ (.add p m) (.add n q) := ⟨by
  rw [sub_def]; exact (inferInstance : Quote (x + -y) ρ (.add p m) (.add n q)).eq⟩
instance [h : Quote x ρ p n] [k : Quote y ρ q m] :
    Quote (x * y) ρ (.add (.mul p q) (.mul n m)) (.add (.mul p m) (.mul n q)) := ⟨by
  show _ = p.eval csr ρ * q.eval csr ρ + n.eval csr ρ * m.eval csr ρ
    + -(p.eval csr ρ * m.eval csr ρ + n.eval csr ρ * q.eval csr ρ)
  rw [h.eq, k.eq]
  generalize p.eval csr ρ = p, q.eval csr ρ = q, n.eval csr ρ = n, m.eval csr ρ = m
  obtain ⟨a, b, rfl⟩ := exists_diff p
  obtain ⟨c, d, rfl⟩ := exists_diff q
  obtain ⟨e, f, rfl⟩ := exists_diff n
  obtain ⟨g, h, rfl⟩ := exists_diff m
  repeat rw [diff_neg]
  repeat first | rw [diff_add_diff] | rw [diff_mul_diff] | rw [diff_neg]
  apply diff_eq; nat_ring [a, b, c, d, e, f, g, h]⟩
instance : Quote (x ^ (no_index 0)) ρ (.num 1) (.num 0) := ⟨(Int.add_zero _).symm⟩
instance (k : Nat) [h : Quote x ρ p n] [g : Quote (x ^ k) ρ q m] :
    Quote (x ^ (no_index (k + 1))) ρ (.add (.mul q p) (.mul m n)) (.add (.mul q n) (.mul m p)) := ⟨by
  show x ^ k * x = _
  exact (inferInstance : Quote (x ^ k * x) ρ (.add (.mul q p) (.mul m n)) (.add (.mul q n) (.mul m p))).eq⟩
theorem by_ring {x y : Int} (ρ : List Int) (p q n m : Csr.Expr) [h : Quote x ρ p n] [k : Quote y ρ q m]
    (e : Csr.Poly.beq (Csr.Expr.add p m).norm (Csr.Expr.add q n).norm = true) : x = y := by
  have e : p.eval csr ρ + m.eval csr ρ = q.eval csr ρ + n.eval csr ρ := Csr.sound csr ρ _ _ e
  have hx := h.eq
  have ky := k.eq
  rw [hx, ky]
  generalize p.eval csr ρ = p, q.eval csr ρ = q, n.eval csr ρ = n, m.eval csr ρ = m at *
  calc p + -n = p + m + -m + -n := by rw [Int.add_assoc p, Int.add_neg, Int.add_zero]
    _ = q + n + -m + -n := by rw [e]
    _ = q + -m := by
      rw [Int.add_assoc, Int.add_assoc, Int.add_comm (-m), ← Int.add_assoc n, Int.add_neg, Int.zero_add]
end
end Int
/-- `ring [a, b]` proves an equation of integers that holds in every commutative ring,
where `a`, `b` are the atoms that occur. -/
macro "ring" " [" ρ:term,* "]" : tactic => `(tactic| (set_option synthInstance.maxSize 100000 in refine Int.by_ring [$ρ,*] _ _ _ _ ?_; decide +kernel))
