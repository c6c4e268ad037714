prelude
import Gnosis.Core.Lin
/-! # `ring`, `nat_ring`, `lin`, `nat_lin`

They find their atoms themselves: a first instance search only collects the atoms of the goal; its result is the list over which
the second search, `Quote`, reads the goal.

* `ring`, `nat_ring` prove an equation that holds in every commutative ring (semiring).
* `lin [h₁, h₂, …]`, `nat_lin [h₁, h₂, …]` prove `≤`, `<` or `False` as the sum of the given inequalities and a constant, up to the
  laws of rings.  An inequality that is needed twice is given twice; products of inequalities are given as terms
  (`Int.mul_nonneg h k`). -/

/-- Collecting atoms of a term over `Int`: those in `ρ` are known, `σ` has the new ones in front. -/
class Int.Atoms (x : Int) (ρ : List Int) (σ : outParam (List Int)) : Prop where
namespace Int
section
variable (x y : Int) (ρ σ τ : List Int)
instance (priority := 1) : Atoms x ρ (x :: ρ) := ⟨⟩
instance (priority := 5) (i : Nat) [Csr.Atom x ρ i] : Atoms x ρ ρ := ⟨⟩
instance (priority := 10) (k : Nat) : Atoms (no_index (OfNat.ofNat k)) ρ ρ := ⟨⟩
-- a cast is an atom; it must be tried before literals, since `2` unfolds to `ofNat 2`
instance (priority := 20) (n : Nat) : Atoms (ofNat n) ρ (ofNat n :: ρ) := ⟨⟩
instance (priority := 21) (n i : Nat) [Csr.Atom (ofNat n) ρ i] : Atoms (ofNat n) ρ ρ := ⟨⟩
instance [Atoms x ρ σ] : Atoms (-x) ρ σ := ⟨⟩
instance [Atoms x ρ σ] [Atoms y σ τ] : Atoms (x + y) ρ τ := ⟨⟩
instance [Atoms x ρ σ] [Atoms y σ τ] : Atoms (x - y) ρ τ := ⟨⟩
instance [Atoms x ρ σ] [Atoms y σ τ] : Atoms (x * y) ρ τ := ⟨⟩
instance (k : Nat) [Atoms x ρ σ] : Atoms (x ^ (no_index (OfNat.ofNat k))) ρ σ := ⟨⟩
end
theorem by_ring_auto {x y : Int} {ρ σ : List Int} [Atoms x [] ρ] [Atoms y ρ σ] (p q n m : Csr.Expr)
    [h : Quote x σ p n] [k : Quote y σ q m]
    (e : Csr.Poly.beq (Csr.Expr.add p m).norm (Csr.Expr.add q n).norm = true) : x = y :=
  by_ring σ p q n m e
end Int
/-- `ring` proves an equation of integers that holds in every commutative ring. -/
macro "ring" : tactic => `(tactic| (set_option synthInstance.maxSize 100000 in refine Int.by_ring_auto _ _ _ _ ?_; first | decide +kernel | fail "ring: the two sides differ as polynomials in the atoms"))

example (x y : Int) : (x - y) ^ 3 = x ^ 3 - 3 * x ^ 2 * y + 3 * x * y ^ 2 - y ^ 3 := by ring
example (x y : Int) (f : Int → Int) : (f x - f y) * (f x + f y) = f x * f x - f y * f y := by ring
example (n : Nat) (x : Int) : (n : Int) + x = x + n := by ring

-- linear arithmetic
namespace Csr
/-- The constant term of a polynomial in normal form, and the rest. -/
def Poly.const : Poly → Nat
  | (c, []) :: _ => c
  | _ => 0
def Poly.rest : Poly → Poly
  | (_, []) :: p => p
  | p => p
theorem poly_split {α : Type} (S : Csr α) (ρ : List α) (p : Poly) :
    poly S ρ p = S.add (S.cast p.const) (poly S ρ p.rest) := by
  match p with
  | [] => exact (S.zero_add _).symm
  | (c, []) :: p => show S.add (S.mul (S.cast c) (S.cast 1)) _ = _; rw [mul_one]; rfl
  | (c, i :: m) :: p => exact (S.zero_add _).symm
/-- Decides `a ≤ b` for polynomials that differ in the constant term only. -/
def Expr.ble (a b : Expr) : Bool := Poly.beq a.norm.rest b.norm.rest && Nat.ble a.norm.const b.norm.const
end Csr
theorem Int.eval_le (ρ : List Int) (a b : Csr.Expr) (h : Csr.Expr.ble a b = true) :
    a.eval Int.csr ρ ≤ b.eval Int.csr ρ := by
  obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
  rw [← Csr.eval_norm, ← Csr.eval_norm, Csr.poly_split, Csr.poly_split Int.csr ρ b.norm, Csr.Poly.eq_of_beq _ _ h₁]
  obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.le_of_ble_eq_true h₂)
  refine Int.add_le_add ((Int.le_iff _ _).mpr ⟨k, ?_⟩) (Int.le_refl _)
  rw [hk]; rfl
theorem Int.by_lin {a b x y : Int} {ρ₁ ρ₂ ρ₃ ρ : List Int} (h : x ≤ y)
    [Atoms a [] ρ₁] [Atoms b ρ₁ ρ₂] [Atoms x ρ₂ ρ₃] [Atoms y ρ₃ ρ] (ap an bp bn xp xn yp yn : Csr.Expr)
    [ha : Quote a ρ ap an] [hb : Quote b ρ bp bn] [hx : Quote x ρ xp xn] [hy : Quote y ρ yp yn]
    (e : Csr.Expr.ble ((ap.add yp).add (bn.add xn)) ((bp.add xp).add (an.add yn)) = true) : a ≤ b := by
  have e : (ap.eval csr ρ + yp.eval csr ρ) + (bn.eval csr ρ + xn.eval csr ρ)
    ≤ (bp.eval csr ρ + xp.eval csr ρ) + (an.eval csr ρ + yn.eval csr ρ) := Int.eval_le ρ _ _ e
  have ha := ha.eq
  have hb := hb.eq
  have hx := hx.eq
  have hy := hy.eq
  generalize ap.eval csr ρ = ap, an.eval csr ρ = an, bp.eval csr ρ = bp, bn.eval csr ρ = bn,
    xp.eval csr ρ = xp, xn.eval csr ρ = xn, yp.eval csr ρ = yp, yn.eval csr ρ = yn at *
  refine le_of_lin (Int.add_le_add h e) ?_
  rw [ha, hb, hx, hy]
  ring
/-- From an inequality that is plainly false: its left side exceeds the right by a constant. -/
theorem Int.false_of_one_le_zero (h : (1 : Int) ≤ 0) : False := nomatch (show Int.NonNeg (negSucc 0) from h)
syntax "lin" " [" term,+ "]" : tactic
/-- `lin [h₁, h₂]`: a goal `x ≤ y` or `x < y` of integers, or `False`, follows from the sum of the inequalities
`h₁`, `h₂` (`≤` or `<`, repeated as often as needed) and a constant, by the laws of commutative rings. -/
macro_rules
  | `(tactic| lin [$h]) => `(tactic| (set_option synthInstance.maxSize 100000 in
      first | refine Int.by_lin $h _ _ _ _ _ _ _ _ ?_ | refine Int.false_of_one_le_zero (Int.by_lin $h _ _ _ _ _ _ _ _ ?_));
      first | decide +kernel | fail "lin: the goal is not the sum of the given inequalities and a constant")
  | `(tactic| lin [$h, $k]) => `(tactic| lin [Int.add_le_add $h $k])
  | `(tactic| lin [$h, $k, $hs,*]) => `(tactic| lin [Int.add_le_add $h $k, $hs,*])

example (x y z : Int) (h : x ≤ y) (k : y < z) : x < z := by lin [h, k]
example (x y z : Int) (h : x ≤ y) (k : y < z) : x ≤ z := by lin [h, k]
example (x y z : Int) (h : x < y) (k : y < z) (l : z ≤ x + 1) : False := by lin [h, k, l]
example (x y z : Int) (h : 2 * x ≤ y) (k : 3 * y < z + 5) : 6 * x ≤ z + 7 := by lin [h, h, h, k]

-- the same for natural numbers
/-- A numeral, not a term that merely has a value. -/
class Nat.IsLit (n : Nat) : Prop where
instance : Nat.IsLit 0 := ⟨⟩
instance (n : Nat) [Nat.IsLit n] : Nat.IsLit (n + 1) := ⟨⟩
class Nat.Atoms (x : Nat) (ρ : List Nat) (σ : outParam (List Nat)) : Prop where
namespace Nat
section
variable (x y : Nat) (ρ σ τ : List Nat)
instance (priority := 1) : Atoms x ρ (x :: ρ) := ⟨⟩
instance (priority := 5) (i : Nat) [Csr.Atom x ρ i] : Atoms x ρ ρ := ⟨⟩
instance (priority := 10) [IsLit x] : Atoms x ρ ρ := ⟨⟩
instance [Atoms x ρ σ] : Atoms (Nat.succ x) ρ σ := ⟨⟩
instance [Atoms x ρ σ] [Atoms y σ τ] : Atoms (x + y) ρ τ := ⟨⟩
instance [Atoms x ρ σ] [Atoms y σ τ] : Atoms (x * y) ρ τ := ⟨⟩
end
theorem by_ring_auto {x y : Nat} {ρ σ : List Nat} [Atoms x [] ρ] [Atoms y ρ σ] (a b : Csr.Expr)
    [h : Quote x σ a] [k : Quote y σ b] (e : Csr.Poly.beq a.norm b.norm = true) : x = y := by_ring σ a b e
theorem eval_le (ρ : List Nat) (a b : Csr.Expr) (h : Csr.Expr.ble a b = true) : a.eval Nat.csr ρ ≤ b.eval Nat.csr ρ := by
  obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
  rw [← Csr.eval_norm, ← Csr.eval_norm, Csr.poly_split, Csr.poly_split Nat.csr ρ b.norm, Csr.Poly.eq_of_beq _ _ h₁]
  exact Nat.add_le_add (Nat.le_of_ble_eq_true h₂) .refl
theorem by_lin {a b x y : Nat} {ρ₁ ρ₂ ρ₃ ρ : List Nat} (h : x ≤ y)
    [Atoms a [] ρ₁] [Atoms b ρ₁ ρ₂] [Atoms x ρ₂ ρ₃] [Atoms y ρ₃ ρ] (A B X Y : Csr.Expr)
    [ha : Quote a ρ A] [hb : Quote b ρ B] [hx : Quote x ρ X] [hy : Quote y ρ Y]
    (e : Csr.Expr.ble (A.add Y) (B.add X) = true) : a ≤ b := by
  have e : A.eval Nat.csr ρ + Y.eval Nat.csr ρ ≤ B.eval Nat.csr ρ + X.eval Nat.csr ρ := Nat.eval_le ρ _ _ e
  rw [ha.eq, hb.eq, hx.eq, hy.eq] at e
  exact Nat.le_of_add_le_add_right (Nat.le_trans e (Nat.add_le_add .refl h))
end Nat
/-- `nat_ring` proves an equation of natural numbers that holds in every commutative semiring. -/
macro "nat_ring" : tactic => `(tactic| (set_option synthInstance.maxSize 100000 in refine Nat.by_ring_auto _ _ ?_; first | decide +kernel | fail "ring: the two sides differ as polynomials in the atoms"))
syntax "nat_lin" " [" term,+ "]" : tactic
/-- `nat_lin [h₁, h₂]`: as `lin`, for natural numbers. -/
macro_rules
  | `(tactic| nat_lin [$h]) => `(tactic| (set_option synthInstance.maxSize 100000 in
      first | refine Nat.by_lin $h _ _ _ _ ?_ | refine absurd (Nat.by_lin $h _ _ _ _ ?_) (Nat.not_succ_le_zero 0));
      first | decide +kernel | fail "nat_lin: the goal is not the sum of the given inequalities and a constant")
  | `(tactic| nat_lin [$h, $k]) => `(tactic| nat_lin [Nat.add_le_add $h $k])
  | `(tactic| nat_lin [$h, $k, $hs,*]) => `(tactic| nat_lin [Nat.add_le_add $h $k, $hs,*])

example (a b c : Nat) (f : Nat → Nat) : 2 * (a + f b) + c = f b + a + (c + a) + f b := by nat_ring
example (x y z : Nat) (h : x ≤ y) (k : y < z) : x < z := by nat_lin [h, k]
example (x y z : Nat) (h : 2 * x ≤ y) (k : 3 * y < z + 5) : 6 * x ≤ z + 7 := by nat_lin [h, h, h, k]
example (x y z : Nat) (h : x < y) (k : y < z) (l : z ≤ x + 1) : False := by nat_lin [h, k, l]

theorem Int.mul_pos {a b : Int} (ha : 0 < a) (hb : 0 < b) : 0 < a * b := by
  have k : 0 ≤ a * (b - 1) := Int.mul_nonneg (Int.le_of_lt ha) (by lin [hb])
  lin [k, ha]
theorem Int.mul_le_mul {a b c d : Int} (hac : a ≤ c) (hbd : b ≤ d) (hb : 0 ≤ b) (hc : 0 ≤ c) : a * b ≤ c * d := by
  have h₁ := Int.mul_nonneg hc (Int.sub_nonneg_of_le hbd)
  have h₂ := Int.mul_nonneg (Int.sub_nonneg_of_le hac) hb
  lin [h₁, h₂]
