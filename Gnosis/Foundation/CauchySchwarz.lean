prelude
import Gnosis.Core
/-! # Cauchy–Schwarz for sums of natural numbers, without roots -/
namespace Nat

/-- Compare squares to compare numbers. -/
theorem le_of_sq_le_sq {x y : Nat} (h : x * x ≤ y * y) : x ≤ y := by
  rcases Nat.lt_or_ge y x with g | g
  · exact absurd h (Nat.not_le_of_lt (by nat_lin [Nat.mul_le_mul g g, Nat.zero_le y, Nat.zero_le y]))
  · exact g

/-- The arithmetic and the geometric mean: `4·x·y ≤ (x + y)²`. -/
theorem four_mul_le_sq (x y : Nat) : 4 * (x * y) ≤ (x + y) * (x + y) := by
  rcases Nat.le_total x y with h | h
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    nat_lin [Nat.zero_le (k * k)]
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    nat_lin [Nat.zero_le (k * k)]

/-- The step of Cauchy–Schwarz: bounds `c·s² ≤ a·b` and `c·S² ≤ A·B` on squares give one for the sums. -/
theorem cauchy_schwarz_add {c s S a b A B : Nat} (h : c * (s * s) ≤ a * b) (k : c * (S * S) ≤ A * B) :
    c * ((s + S) * (s + S)) ≤ (a + A) * (b + B) := by
  have mixed : 2 * (c * (s * S)) ≤ a * B + A * b := by
    apply le_of_sq_le_sq
    calc 2 * (c * (s * S)) * (2 * (c * (s * S))) = 4 * (c * (s * s) * (c * (S * S))) := by nat_ring
      _ ≤ 4 * (a * b * (A * B)) := Nat.mul_le_mul_left 4 (Nat.mul_le_mul h k)
      _ = 4 * (a * B * (A * b)) := by nat_ring
      _ ≤ (a * B + A * b) * (a * B + A * b) := four_mul_le_sq _ _
  nat_lin [h, k, mixed]
end Nat

namespace List
universe u
variable {α : Type u}

/-- **Cauchy–Schwarz**: `c·f(x)² ≤ g(x)·h(x)` for every entry gives `c·(Σ f)² ≤ (Σ g)·(Σ h)`. -/
theorem cauchy_schwarz {c : Nat} {f g h : α → Nat} {l : List α} (le : ∀ x, x ∈ l → c * (f x * f x) ≤ g x * h x) :
    c * (sumOver f l * sumOver f l) ≤ sumOver g l * sumOver h l := by
  induction l with
  | nil => exact Nat.le_of_eq (Nat.mul_zero c)
  | cons x l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons le
    exact Nat.cauchy_schwarz_add h₁ (ih h₂)
end List
