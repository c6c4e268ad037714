prelude
import Gnosis.Core
/-! Positive multiples of integers: comparing them is comparing the numbers. -/
namespace Int

/-- Comparing multiples is comparing the numbers. -/
theorem mul_le_mul_left {a b c : Int} (h : 0 < a) : a * b ≤ a * c ↔ b ≤ c :=
  ⟨fun k => le_of_mul_le_mul_left k h, fun k => mul_le_mul_of_nonneg_left k (le_of_lt h)⟩
/-- Comparing multiples strictly is comparing the numbers strictly. -/
theorem mul_lt_mul_left {a b c : Int} (h : 0 < a) : a * b < a * c ↔ b < c :=
  ⟨fun k => lt_of_not_le fun g => not_le_of_lt k ((mul_le_mul_left h).mpr g),
   fun k => lt_of_not_le fun g => not_le_of_lt k ((mul_le_mul_left h).mp g)⟩
/-- A multiple is not negative when the number is not. -/
theorem mul_nonneg_iff_of_pos_left {a b : Int} (h : 0 < a) : 0 ≤ a * b ↔ 0 ≤ b := by
  have k := mul_le_mul_left (b := 0) (c := b) h
  rw [Int.mul_zero] at k
  exact k

end Int
