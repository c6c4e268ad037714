prelude
import Gnosis.Core.IntData
import Gnosis.Core.Ring
/-! # Integers: the laws of a commutative ring, and `ring`

Every integer is a difference `a - b` of natural numbers, `Int.subNatNat a b`; each law is reduced to an identity of natural
numbers.  Names follow `Init`. -/

namespace Int
theorem subNatNat_succ (m n : Nat) : subNatNat (m + 1) (n + 1) = subNatNat m n := by
  unfold subNatNat; rw [Nat.succ_sub_succ, Nat.succ_sub_succ]
theorem subNatNat_add (m n k : Nat) : subNatNat (m + k) (n + k) = subNatNat m n := by
  induction k with
  | zero => rfl
  | succ k ih => exact (subNatNat_succ (m + k) (n + k)).trans ih
theorem subNatNat_zero (k : Nat) : subNatNat k 0 = ofNat k := by
  unfold subNatNat; rw [Nat.zero_sub]; rfl
theorem zero_subNatNat (k : Nat) : subNatNat 0 (k + 1) = negSucc k := rfl
/-- Two differences are equal when the sums crosswise are. -/
theorem subNatNat_eq {a b c d : Nat} (h : a + d = c + b) : subNatNat a b = subNatNat c d := by
  rw [← subNatNat_add a b d, ← subNatNat_add c d b, h, Nat.add_comm b d]
theorem exists_subNatNat (x : Int) : ∃ a b, x = subNatNat a b := by
  cases x with
  | ofNat n => exact ⟨n, 0, (subNatNat_zero n).symm⟩
  | negSucc n => exact ⟨0, n + 1, rfl⟩
theorem subNatNat_cases (m n : Nat) :
    (∃ k, m = n + k ∧ subNatNat m n = ofNat k) ∨ (∃ k, n = m + (k + 1) ∧ subNatNat m n = negSucc k) := by
  rcases Nat.le_total n m with h | h
  · obtain ⟨k, hk⟩ := Nat.exists_of_le h
    left; exact ⟨k, hk, by rw [← subNatNat_zero, hk]; apply subNatNat_eq; nat_ring [n, k]⟩
  · obtain ⟨k, hk⟩ := Nat.exists_of_le h
    cases k with
    | zero => left; exact ⟨0, hk.symm, by rw [hk, ← subNatNat_zero]; apply subNatNat_eq; nat_ring [m]⟩
    | succ k => right; exact ⟨k, hk, by rw [hk, ← zero_subNatNat]; apply subNatNat_eq; nat_ring [m, k]⟩
theorem subNatNat_neg (a b : Nat) : -(subNatNat a b) = subNatNat b a := by
  rcases subNatNat_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩
  · rw [e, h]
    show negOfNat k = _
    cases k with
    | zero => rw [Nat.add_zero]; exact (subNatNat_zero 0).symm.trans (subNatNat_eq (by nat_ring [b]))
    | succ k => exact (zero_subNatNat k).symm.trans (subNatNat_eq (by nat_ring [b, k]))
  · rw [e, h]
    show ofNat (k + 1) = _
    rw [← subNatNat_zero]; apply subNatNat_eq; nat_ring [a, k]
theorem negOfNat_eq (k : Nat) : negOfNat k = subNatNat 0 k := by
  cases k with
  | zero => rfl
  | succ k => rfl
theorem subNatNat_add_subNatNat (a b c d : Nat) : subNatNat a b + subNatNat c d = subNatNat (a + c) (b + d) := by
  rcases subNatNat_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rcases subNatNat_cases c d with ⟨l, h', e'⟩ | ⟨l, h', e'⟩ <;>
    rw [e, e', h, h']
  · exact (subNatNat_zero (k + l)).symm.trans (subNatNat_eq (by nat_ring [k, l, b, d]))
  · exact subNatNat_eq (a := k) (b := l + 1) (by nat_ring [k, l, b, c])
  · exact subNatNat_eq (a := l) (b := k + 1) (by nat_ring [k, l, a, d])
  · exact (zero_subNatNat (k + l + 1)).symm.trans (subNatNat_eq (by nat_ring [k, l, a, c]))
theorem subNatNat_mul_subNatNat (a b c d : Nat) : subNatNat a b * subNatNat c d = subNatNat (a * c + b * d) (a * d + b * c) := by
  rcases subNatNat_cases a b with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rcases subNatNat_cases c d with ⟨l, h', e'⟩ | ⟨l, h', e'⟩ <;>
    rw [e, e', h, h']
  · exact (subNatNat_zero (k * l)).symm.trans (subNatNat_eq (by nat_ring [k, l, b, d]))
  · exact (negOfNat_eq (k * (l + 1))).trans (subNatNat_eq (by nat_ring [k, l, b, c]))
  · exact (negOfNat_eq ((k + 1) * l)).trans (subNatNat_eq (by nat_ring [k, l, a, d]))
  · exact (subNatNat_zero ((k + 1) * (l + 1))).symm.trans (subNatNat_eq (by nat_ring [k, l, a, c]))
theorem nonneg_subNatNat (m n : Nat) : NonNeg (subNatNat m n) ↔ n ≤ m := by
  rcases subNatNat_cases m n with ⟨k, h, e⟩ | ⟨k, h, e⟩ <;> rw [e, h]
  · exact ⟨fun _ => Nat.le_add_right n k, fun _ => ⟨k⟩⟩
  · exact ⟨fun h => (nomatch h), fun h => absurd h (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.le_add_right m k)))⟩
theorem sub_def (a b : Int) : a - b = a + -b := rfl
theorem subNatNat_le (a b c d : Nat) : subNatNat a b ≤ subNatNat c d ↔ a + d ≤ c + b := by
  show NonNeg (subNatNat c d + -subNatNat a b) ↔ _
  rw [subNatNat_neg, subNatNat_add_subNatNat, Nat.add_comm a d]; exact nonneg_subNatNat _ _

-- the ring laws
section
variable (x y z : Int)
protected theorem add_comm : x + y = y + x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  rw [subNatNat_add_subNatNat, subNatNat_add_subNatNat]; apply subNatNat_eq; nat_ring [a, b, c, d]
protected theorem add_assoc : x + y + z = x + (y + z) := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  obtain ⟨e, f, rfl⟩ := exists_subNatNat z
  rw [subNatNat_add_subNatNat, subNatNat_add_subNatNat, subNatNat_add_subNatNat, subNatNat_add_subNatNat]; apply subNatNat_eq; nat_ring [a, b, c, d, e, f]
protected theorem add_left_comm : x + (y + z) = y + (x + z) := by
  rw [← Int.add_assoc, Int.add_comm x y, Int.add_assoc]
protected theorem zero_add : 0 + x = x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  show subNatNat 0 0 + _ = _
  rw [subNatNat_add_subNatNat]; apply subNatNat_eq; nat_ring [a, b]
protected theorem add_zero : x + 0 = x := by rw [Int.add_comm, Int.zero_add]
protected theorem mul_comm : x * y = y * x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  rw [subNatNat_mul_subNatNat, subNatNat_mul_subNatNat]; apply subNatNat_eq; nat_ring [a, b, c, d]
protected theorem mul_assoc : x * y * z = x * (y * z) := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  obtain ⟨e, f, rfl⟩ := exists_subNatNat z
  rw [subNatNat_mul_subNatNat, subNatNat_mul_subNatNat, subNatNat_mul_subNatNat, subNatNat_mul_subNatNat]; apply subNatNat_eq; nat_ring [a, b, c, d, e, f]
protected theorem one_mul : 1 * x = x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  show subNatNat 1 0 * _ = _
  rw [subNatNat_mul_subNatNat]; apply subNatNat_eq; nat_ring [a, b]
protected theorem mul_one : x * 1 = x := by rw [Int.mul_comm, Int.one_mul]
protected theorem zero_mul : 0 * x = 0 := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  show subNatNat 0 0 * _ = subNatNat 0 0
  rw [subNatNat_mul_subNatNat]; apply subNatNat_eq; nat_ring [a, b]
protected theorem mul_zero : x * 0 = 0 := by rw [Int.mul_comm, Int.zero_mul]
protected theorem mul_add : x * (y + z) = x * y + x * z := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  obtain ⟨e, f, rfl⟩ := exists_subNatNat z
  rw [subNatNat_add_subNatNat, subNatNat_mul_subNatNat, subNatNat_mul_subNatNat, subNatNat_mul_subNatNat, subNatNat_add_subNatNat]
  apply subNatNat_eq; nat_ring [a, b, c, d, e, f]
protected theorem add_mul : (x + y) * z = x * z + y * z := by
  rw [Int.mul_comm, Int.mul_add, Int.mul_comm z x, Int.mul_comm z y]
protected theorem add_neg : x + -x = 0 := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  show _ = subNatNat 0 0
  rw [subNatNat_neg, subNatNat_add_subNatNat]; apply subNatNat_eq; nat_ring [a, b]
protected theorem neg_neg : - -x = x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  rw [subNatNat_neg, subNatNat_neg]
protected theorem neg_add : -(x + y) = -x + -y := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  rw [subNatNat_add_subNatNat, subNatNat_neg, subNatNat_neg, subNatNat_neg, subNatNat_add_subNatNat]
protected theorem neg_mul : -x * y = -(x * y) := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  rw [subNatNat_neg, subNatNat_mul_subNatNat, subNatNat_mul_subNatNat, subNatNat_neg]; apply subNatNat_eq; nat_ring [a, b, c, d]
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
  obtain ⟨a, b, rfl⟩ := exists_subNatNat p
  obtain ⟨c, d, rfl⟩ := exists_subNatNat q
  obtain ⟨e, f, rfl⟩ := exists_subNatNat n
  obtain ⟨g, h, rfl⟩ := exists_subNatNat m
  repeat rw [subNatNat_neg]
  repeat first | rw [subNatNat_add_subNatNat] | rw [subNatNat_mul_subNatNat] | rw [subNatNat_neg]
  apply subNatNat_eq; nat_ring [a, b, c, d, e, f, g, h]⟩
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
macro "ring" " [" ρ:term,* "]" : tactic => `(tactic| (set_option synthInstance.maxSize 100000 in refine Int.by_ring [$ρ,*] _ _ _ _ ?_; first | decide +kernel | fail "ring: the two sides differ as polynomials in the atoms"))
