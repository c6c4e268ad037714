prelude
import Gnosis.ServedOutputLaw
/-! # Older bounds for the served output

If no logit moves by more than `ε`, an older bound says `TV ≤ (e^{2ε} − 1)/2`, and a better one `TV ≤ tanh ε`.  With
`P/Q = e^ε` they are `(P² − Q²)/(2·Q²)` and `(P² − Q²)/(P² + Q²)`.  Both are valid.  The first is above one, and so says
nothing, long before the tight law stops speaking; the tight law never does. -/
namespace Gnosis.Falsifiers

/-- The bound `(e^{2ε} − 1)/2`. -/
def exponentialTilt (P Q : Nat) : Frac := ⟨P * P - Q * Q, 2 * (Q * Q)⟩
/-- The bound `tanh ε`. -/
def tanhBound (P Q : Nat) : Frac := ⟨P * P - Q * Q, P * P + Q * Q⟩
/-- The tight bound `tanh(ε/2)`. -/
def tightBound (P Q : Nat) : Frac := ⟨P - Q, P + Q⟩

/-- **The exponential-tilt bound says nothing where the tight law does.**  For all `P ≥ Q > 0` the tight bound is at most
`tanh ε`, that is at most the exponential-tilt bound, and the tight bound is below one; but as soon as `P² > 3·Q²`
(`ε > 0.55`) the exponential-tilt bound is above one. -/
theorem exponential_tilt_vacuous {P Q : Nat} (hQ : 0 < Q) (hQP : Q ≤ P) :
    tightBound P Q ≤ tanhBound P Q ∧ tanhBound P Q ≤ exponentialTilt P Q ∧ tightBound P Q < 1 ∧
      (3 * (Q * Q) < P * P → 1 < exponentialTilt P Q) := by
  obtain ⟨k, rfl⟩ := Nat.exists_of_le hQP
  have sq : (Q + k) * (Q + k) - Q * Q = 2 * (Q * k) + k * k := by
    rw [show (Q + k) * (Q + k) = Q * Q + (2 * (Q * k) + k * k) by nat_ring, Nat.add_sub_cancel_left]
  refine ⟨?_, ?_, ?_, fun h => ?_⟩
  · show (Q + k - Q) * ((Q + k) * (Q + k) + Q * Q) ≤ ((Q + k) * (Q + k) - Q * Q) * (Q + k + Q)
    rw [sq, Nat.add_sub_cancel_left]
    nat_lin [Nat.zero_le (2 * (Q * Q * k) + 2 * (Q * k * k))]
  · show ((Q + k) * (Q + k) - Q * Q) * (2 * (Q * Q)) ≤ ((Q + k) * (Q + k) - Q * Q) * ((Q + k) * (Q + k) + Q * Q)
    refine Nat.mul_le_mul_left _ ?_
    nat_lin [Nat.zero_le (2 * (Q * k) + k * k)]
  · show (Q + k - Q) * 1 < 1 * (Q + k + Q)
    rw [Nat.add_sub_cancel_left]
    nat_lin [hQ, Nat.zero_le Q]
  · show 1 * (2 * (Q * Q)) < ((Q + k) * (Q + k) - Q * Q) * 1
    rw [sq]
    nat_lin [h]

/-- An instance: at `P/Q = 2`, that is `ε = 0.69`, the bounds are `3/2`, `3/5` and `1/3`, and weights within the ratio bound
attain the last. -/
theorem exponential_tilt_sample : (1 : Frac) < exponentialTilt 2 1 ∧ tanhBound 2 1 = ⟨3, 5⟩ ∧ tightBound 2 1 = ⟨1, 3⟩ ∧
    ratioAdmit 2 1 1 1 [(1, 2), (2, 1)] = true ∧ tv [(1, 2), (2, 1)] = ⟨3, 9⟩ :=
  ⟨by decide, rfl, rfl, rfl, rfl⟩

/-- **Three is the constant**: `P² > 2·Q²` in the place of `P² > 3·Q²` in `exponential_tilt_vacuous`.  At `P/Q = 3/2` the bound is `5/8`. -/
theorem exponential_tilt_speaks : ¬ ∀ {P Q : Nat}, 0 < Q → Q ≤ P → 2 * (Q * Q) < P * P → 1 < exponentialTilt P Q :=
  fun wrong => absurd (wrong (P := 3) (Q := 2) (by decide) (by decide) (by decide)) (by decide)
end Gnosis.Falsifiers
