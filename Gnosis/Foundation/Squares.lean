prelude
import Gnosis.Core.Auto
/-! Integers and their squares: comparing squares instead of taking roots. -/
namespace Int

/-- A number whose square is at most the square of `y ≥ 0` lies between `-y` and `y`. -/
theorem abs_le_of_sq_le_sq {x y : Int} (h : x * x ≤ y * y) (hy : 0 ≤ y) : -y ≤ x ∧ x ≤ y := by
  constructor
  · rcases lt_or_ge x (-y) with k | k
    · have p : 0 < -x - y := by lin [k]
      have q : 0 < y - x := by lin [k, hy, hy]
      exact (by lin [h, mul_pos p q] : False).elim
    · exact k
  · rcases lt_or_ge y x with k | k
    · have p : 0 < x - y := by lin [k]
      have q : 0 < x + y := by lin [k, hy, hy]
      exact (by lin [h, mul_pos p q] : False).elim
    · exact k

/-- A number whose square is less than the square of `y ≥ 0` lies strictly between `-y` and `y`. -/
theorem abs_lt_of_sq_lt_sq {x y : Int} (h : x * x < y * y) (hy : 0 ≤ y) : -y < x ∧ x < y := by
  obtain ⟨h₁, h₂⟩ := abs_le_of_sq_le_sq (le_of_lt h) hy
  constructor
  · refine lt_of_le_of_ne h₁ fun e => lt_irrefl _ (lt_of_lt_of_le h (le_of_eq ?_))
    rw [← e]; ring
  · exact lt_of_le_of_ne h₂ fun e => lt_irrefl _ (lt_of_lt_of_le h (le_of_eq (by rw [e])))

/-- Numbers between `-y` and `y` have squares at most that of `y`. -/
theorem sq_le_sq_of_abs_le {x y : Int} (h₁ : -y ≤ x) (h₂ : x ≤ y) : x * x ≤ y * y := by
  have h := mul_nonneg (show 0 ≤ y + x by lin [h₁]) (sub_nonneg_of_le h₂)
  lin [h]

end Int
