prelude
import Gnosis.Core
import Gnosis.Decision.Search
/-! # Linear search -/
namespace Gnosis

/-- The result of `leastFrom` passes the test if the last candidate does. -/
theorem leastFrom_spec {test : Nat → Bool} {fuel a : Nat} (h : test (a + fuel) = true) : test (leastFrom test a fuel) = true := by
  induction fuel generalizing a with
  | zero => exact h
  | succ fuel ih =>
    cases e : test a with
    | true => rw [leastFrom, e]; exact e
    | false =>
      rw [leastFrom, e]
      exact ih (by rw [Nat.add_right_comm]; exact h)

/-- Nothing before the result of `leastFrom` passes the test. -/
theorem leastFrom_least {test : Nat → Bool} {fuel a k : Nat} (ha : a ≤ k) (hk : k < leastFrom test a fuel) : test k = false := by
  induction fuel generalizing a with
  | zero => exact absurd hk (fun n => Nat.not_le_of_lt n ha)
  | succ fuel ih =>
    cases e : test a with
    | true => rw [leastFrom, e] at hk; exact absurd hk (fun n => Nat.not_le_of_lt n ha)
    | false =>
      rw [leastFrom, e] at hk
      rcases Nat.lt_or_ge a k with g | g
      · exact ih g hk
      · rw [Nat.le_antisymm g ha]; exact e

/-- The search ends at `a + fuel` at the latest. -/
theorem leastFrom_le (test : Nat → Bool) (a fuel : Nat) : leastFrom test a fuel ≤ a + fuel := by
  induction fuel generalizing a with
  | zero => exact Nat.le_refl a
  | succ fuel ih =>
    rw [leastFrom]
    cases test a with
    | true => exact Nat.le_add_right a _
    | false => exact Nat.le_trans (ih (a + 1)) (Nat.le_of_eq (Nat.add_right_comm a 1 fuel))
end Gnosis
