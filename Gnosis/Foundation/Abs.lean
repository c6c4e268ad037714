prelude
import Gnosis.Core
/-! The absolute value of an integer. -/
namespace Int

/-- The absolute value is the number or its negative, whichever is not negative. -/
theorem natAbs_cases (x : Int) : (0 ≤ x ∧ (x.natAbs : Int) = x) ∨ (x ≤ 0 ∧ (x.natAbs : Int) = -x) := by
  cases x with
  | ofNat n => exact .inl ⟨ofNat_nonneg n, rfl⟩
  | negSucc n =>
    refine .inr ⟨?_, rfl⟩
    have e : negSucc n = -(ofNat n + 1) := rfl
    rw [e]; lin [ofNat_nonneg n]

/-- A bound on the absolute value is a bound from both sides. -/
theorem natAbs_mul_le {c x y : Int} (hc : 0 ≤ c) : c * (x.natAbs : Int) ≤ y ↔ -y ≤ c * x ∧ c * x ≤ y := by
  rcases natAbs_cases x with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
  · have k := mul_nonneg hc h
    exact ⟨fun g => ⟨by lin [g, k, k], g⟩, fun g => g.2⟩
  · have k : 0 ≤ c * -x := mul_nonneg hc (by lin [h])
    exact ⟨fun g => ⟨by lin [g], by lin [g, k, k]⟩, fun g => by lin [g.1]⟩

/-- The square does not see the sign. -/
theorem natAbs_mul_self (x : Int) : (x.natAbs : Int) * (x.natAbs : Int) = x * x := by
  rcases natAbs_cases x with ⟨_, e⟩ | ⟨_, e⟩ <;> rw [e]
  ring

/-- The absolute value is not negative. -/
theorem natAbs_nonneg (x : Int) : 0 ≤ (x.natAbs : Int) := ofNat_nonneg _

end Int
