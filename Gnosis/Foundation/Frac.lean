prelude
import Gnosis.Core
/-! # Non-negative fractions

A fraction is a pair of natural numbers.  Comparisons are cross-multiplied, so that every statement about fractions
is one about whole numbers.  A fraction with denominator `0` means nothing; lemmas that need a positive denominator
say so. -/
universe u
namespace Gnosis

/-- The fraction `num / den`, meaningful when `0 < den`. -/
structure Frac where
  num : Nat
  den : Nat

/-- Division undoes multiplication. -/
theorem _root_.Nat.mul_div_cancel_left (q : Nat) {d : Nat} (h : 0 < d) : d * q / d = q := by
  have e := Nat.div_add_mod (d * q) d
  have lt := Nat.mod_lt (d * q) h
  generalize d * q / d = x, d * q % d = r at *
  rcases Nat.lt_or_ge x q with g | g
  · have k := Nat.mul_le_mul_left d g
    exact (by nat_lin [k, lt, Nat.le_of_eq e.symm] : False).elim
  · rcases Nat.lt_or_ge q x with g' | g'
    · have k := Nat.mul_le_mul_left d g'
      exact (by nat_lin [k, h, Nat.le_of_eq e, Nat.zero_le r] : False).elim
    · exact Nat.le_antisymm g' g

namespace Frac
variable {α : Type u}

instance (n : Nat) : OfNat Frac n := ⟨⟨n, 1⟩⟩
/-- `x ≤ y` for fractions, cross-multiplied. -/
protected def le (x y : Frac) : Prop := x.num * y.den ≤ y.num * x.den
/-- `x < y` for fractions, cross-multiplied. -/
protected def lt (x y : Frac) : Prop := x.num * y.den < y.num * x.den
instance : LE Frac := ⟨Frac.le⟩
instance : LT Frac := ⟨Frac.lt⟩
instance (x y : Frac) : Decidable (x ≤ y) := Nat.decLe _ _
instance (x y : Frac) : Decidable (x < y) := Nat.decLt _ _
/-- The sum over the product of the denominators. -/
protected def add (x y : Frac) : Frac := ⟨x.num * y.den + y.num * x.den, x.den * y.den⟩
/-- The product, numerators and denominators apart. -/
protected def mul (x y : Frac) : Frac := ⟨x.num * y.num, x.den * y.den⟩
instance : Add Frac := ⟨Frac.add⟩
instance : Mul Frac := ⟨Frac.mul⟩
/-- `Σ_{a ∈ l} f a`, with repetitions. -/
def sumOver (f : α → Frac) : List α → Frac
  | [] => 0
  | a :: l => f a + sumOver f l

/-- A fraction is at most itself. -/
theorem le_refl (x : Frac) : x ≤ x := Nat.le_refl (x.num * x.den)
/-- Equal fractions are at most each other. -/
theorem le_of_eq {x y : Frac} (h : x = y) : x ≤ y := by rw [h]; exact le_refl y
/-- A smaller fraction is not at least the larger one. -/
theorem not_le_of_lt {x y : Frac} (h : x < y) : ¬ y ≤ x := Nat.not_le_of_lt h

/-- From `x ≤ y ≤ z`, if `y` is a proper fraction. -/
theorem le_trans {x y z : Frac} (hy : 0 < y.den) (h : x ≤ y) (k : y ≤ z) : x ≤ z := by
  have h : x.num * y.den ≤ y.num * x.den := h
  have k : y.num * z.den ≤ z.num * y.den := k
  apply Nat.le_of_mul_le_mul_right (c := y.den) _ hy
  generalize x.num = a, x.den = b, y.num = c, y.den = d, z.num = e, z.den = f at *
  calc a * f * d = a * d * f := by nat_ring
    _ ≤ c * b * f := Nat.mul_le_mul_right f h
    _ = c * f * b := by nat_ring
    _ ≤ e * d * b := Nat.mul_le_mul_right b k
    _ = e * b * d := by nat_ring

/-- Add two inequalities. -/
theorem add_le_add {x y z w : Frac} (h : x ≤ y) (k : z ≤ w) : x + z ≤ y + w := by
  have h : x.num * y.den ≤ y.num * x.den := h
  have k : z.num * w.den ≤ w.num * z.den := k
  show (x.num * z.den + z.num * x.den) * (y.den * w.den) ≤ (y.num * w.den + w.num * y.den) * (x.den * z.den)
  generalize x.num = a, x.den = b, y.num = c, y.den = d, z.num = e, z.den = f, w.num = g, w.den = i at *
  calc (a * f + e * b) * (d * i) = a * d * (f * i) + e * i * (b * d) := by nat_ring
    _ ≤ c * b * (f * i) + g * f * (b * d) := Nat.add_le_add (Nat.mul_le_mul_right _ h) (Nat.mul_le_mul_right _ k)
    _ = (c * i + g * d) * (b * f) := by nat_ring

/-- A sum of proper fractions is a proper fraction. -/
theorem sumOver_den_pos {f : α → Frac} {l : List α} (h : ∀ a, a ∈ l → 0 < (f a).den) : 0 < (sumOver f l).den := by
  induction l with
  | nil => exact Nat.le_refl 1
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
    exact Nat.mul_pos h₁ (ih h₂)

/-- Equal terms have equal sums. -/
theorem sumOver_congr {f g : α → Frac} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : sumOver f l = sumOver g l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
    rw [sumOver, sumOver, h₁, ih h₂]

/-- Compare sums term by term. -/
theorem sumOver_le {f g : α → Frac} {l : List α} (h : ∀ a, a ∈ l → f a ≤ g a) : sumOver f l ≤ sumOver g l := by
  induction l with
  | nil => exact le_refl 0
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
    exact add_le_add h₁ (ih h₂)

/-- Term by term `c a · K / M ≤ f a` gives the same for the sums. -/
theorem sumOver_lower {f : α → Frac} {c : α → Nat} {K M : Nat} {l : List α}
    (h : ∀ a, a ∈ l → c a * K * (f a).den ≤ M * (f a).num) :
    List.sumOver c l * K * (sumOver f l).den ≤ M * (sumOver f l).num := by
  induction l with
  | nil => rw [List.sumOver, Nat.zero_mul, Nat.zero_mul]; exact Nat.zero_le _
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
    have ih := ih h₂
    show (c a + List.sumOver c l) * K * ((f a).den * (sumOver f l).den)
      ≤ M * ((f a).num * (sumOver f l).den + (sumOver f l).num * (f a).den)
    generalize (f a).num = x, (f a).den = y, (sumOver f l).num = z, (sumOver f l).den = w, List.sumOver c l = S, c a = C at *
    calc (C + S) * K * (y * w) = C * K * y * w + S * K * w * y := by nat_ring
      _ ≤ M * x * w + M * z * y := Nat.add_le_add (Nat.mul_le_mul_right w h₁) (Nat.mul_le_mul_right y ih)
      _ = M * (x * w + z * y) := by nat_ring

/-- Fractions over one denominator add by their numerators. -/
theorem sumOver_same_den (n : α → Nat) (D : Nat) (l : List α) :
    (sumOver (fun a => ⟨n a, D⟩) l).num * D = List.sumOver n l * (sumOver (fun a => ⟨n a, D⟩) l).den := by
  induction l with
  | nil => show 0 * D = 0 * 1; rw [Nat.zero_mul]
  | cons a l ih =>
    show (n a * (sumOver (fun a => (⟨n a, D⟩ : Frac)) l).den + (sumOver (fun a => (⟨n a, D⟩ : Frac)) l).num * D) * D
      = (n a + List.sumOver n l) * (D * (sumOver (fun a => (⟨n a, D⟩ : Frac)) l).den)
    rw [ih]
    generalize (sumOver (fun a => (⟨n a, D⟩ : Frac)) l).den = w, List.sumOver n l = S, n a = x
    nat_ring

/-- A sum of fractions over one denominator `D` is at most `z` when the sum of the numerators over `D` is. -/
theorem sumOver_same_den_le {n : α → Nat} {D : Nat} {l : List α} {z : Frac} (hD : 0 < D)
    (h : (⟨List.sumOver n l, D⟩ : Frac) ≤ z) : sumOver (fun a => ⟨n a, D⟩) l ≤ z := by
  refine le_trans (y := ⟨List.sumOver n l, D⟩) hD ?_ h
  exact Nat.le_of_eq (sumOver_same_den n D l)
/-- A list of fractions has a common denominator `L`: there are numerators `g` with `f = g/L`, and `g` sums up as `f`. -/
theorem exists_common_den {f : α → Frac} {l : List α} (h : ∀ a, a ∈ l → 0 < (f a).den) :
    ∃ (L : Nat) (g : α → Nat), 0 < L ∧ (∀ a, a ∈ l → g a * (f a).den = (f a).num * L) ∧
      List.sumOver g l * (sumOver f l).den = (sumOver f l).num * L := by
  -- every denominator divides their product
  have dvd : ∃ L, 0 < L ∧ ∀ a, a ∈ l → ∃ q, L = (f a).den * q := by
    induction l with
    | nil => exact ⟨1, Nat.le_refl 1, fun a m => nomatch m⟩
    | cons a l ih =>
      obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
      obtain ⟨L, pos, all⟩ := ih h₂
      refine ⟨(f a).den * L, Nat.mul_pos h₁ pos, fun b m => ?_⟩
      cases m with
      | head => exact ⟨L, rfl⟩
      | tail _ m =>
        obtain ⟨q, e⟩ := all b m
        exact ⟨(f a).den * q, by rw [e, Nat.mul_left_comm]⟩
  obtain ⟨L, pos, all⟩ := dvd
  have each : ∀ a, a ∈ l → (f a).num * (L / (f a).den) * (f a).den = (f a).num * L := fun a m => by
    obtain ⟨q, e⟩ := all a m
    rw [Nat.mul_assoc, Nat.mul_comm (L / (f a).den), e, Nat.mul_div_cancel_left q (h a m)]
  refine ⟨L, fun a => (f a).num * (L / (f a).den), pos, each, ?_⟩
  clear all pos
  induction l with
  | nil => exact (Nat.zero_mul L).symm
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := List.forall_mem_cons h
    obtain ⟨e₁, e₂⟩ := List.forall_mem_cons each
    have ih := ih h₂ e₂
    have add : ∀ x s n d N D : Nat, x * d = n * L → s * D = N * L → (x + s) * (d * D) = (n * D + N * d) * L :=
      fun x s n d N D h k => by
        calc (x + s) * (d * D) = x * d * D + s * D * d := by nat_ring
          _ = n * L * D + N * L * d := by rw [h, k]
          _ = (n * D + N * d) * L := by nat_ring
    exact add _ _ _ _ _ _ e₁ ih
end Frac

end Gnosis
