prelude
import Gnosis.Falsifiers.ExponentialTilt
import Gnosis.RequestTail
import Gnosis.ServedHellinger
import Gnosis.ServedLayers
/-! # Readings of the served-output law that are wrong -/
namespace Gnosis.Falsifiers
open List

/-- **The upper bound on the ratios is not enough**: no weight grows, and yet almost all of the mass moves, because the
other weight may fall as far as it likes. -/
theorem upper_ratio_alone_lies : (∀ x, x ∈ [(1, 1), (99, 0)] → x.2 ≤ x.1) ∧ tv [(1, 1), (99, 0)] = ⟨99, 100⟩ := by
  refine ⟨fun x hx => ?_, rfl⟩
  cases hx with
  | head => exact Nat.le_refl 1
  | tail _ hx => cases hx with
    | head => exact Nat.zero_le 99
    | tail _ hx => cases hx

/-- **The better of the older bounds, `tanh ε`, is never attained** either: for `P > Q` the total variation is below it. -/
theorem tanh_not_attained {P Q a b : Nat} {ps : List (Nat × Nat)} (h : Q < P) (adm : ratioAdmit P Q a b ps = true) :
    tv ps < tanhBound P Q := by
  obtain ⟨hQ, hQP, _⟩ := ratioAdmit_iff.mp adm
  have law : tvNum ps * (P + Q) ≤ (P - Q) * (leftMass ps * rightMass ps) := served_tv_tight adm
  have mass : 0 < leftMass ps * rightMass ps := Nat.mul_pos (ratioAdmit_mass adm).left (ratioAdmit_mass adm).right
  show tvNum ps * (P * P + Q * Q) < (P * P - Q * Q) * (leftMass ps * rightMass ps)
  obtain ⟨k, rfl⟩ := Nat.exists_of_le h
  have sq : (Q + 1 + k) * (Q + 1 + k) - Q * Q = (1 + k) * (Q + 1 + k + Q) := by
    rw [show (Q + 1 + k) * (Q + 1 + k) = Q * Q + (1 + k) * (Q + 1 + k + Q) by nat_ring, Nat.add_sub_cancel_left]
  rw [show Q + 1 + k = Q + (1 + k) from Nat.add_assoc Q 1 k, Nat.add_sub_cancel_left] at law
  rw [sq, show Q + 1 + k = Q + (1 + k) from Nat.add_assoc Q 1 k]
  generalize tvNum ps = t, leftMass ps * rightMass ps = M, hx : 1 + k = x at *
  have x₀ : 0 < x := by rw [← hx]; exact Nat.add_pos_left (Nat.le_refl 1) k
  -- `t·(P + Q) ≤ x·M` and `P² + Q² < (P + Q)²`
  apply Nat.lt_of_not_le
  intro back
  have h₁ := Nat.mul_le_mul_left (Q + x + Q) law
  have pos : 0 < x * M := Nat.mul_pos x₀ mass
  have qq : 0 < Q * (Q + x) := Nat.mul_pos hQ (Nat.add_pos_left hQ x)
  rcases Nat.lt_or_ge 0 t with g | g
  · have strict : 0 < 2 * (t * (Q * (Q + x))) := Nat.mul_pos (by decide) (Nat.mul_pos g qq)
    exact (by nat_lin [back, h₁, strict] : False).elim
  · rw [Nat.le_antisymm g (Nat.zero_le _), Nat.zero_mul] at back
    exact absurd back (Nat.not_le_of_lt (by
      rw [Nat.mul_comm x, Nat.mul_assoc]
      exact Nat.mul_pos (Nat.add_pos_left (Nat.add_pos_left hQ x) Q) pos))

/-- **`P/Q` is the square root of the spread ratio, not its fourth root**: ratios between `1/4` and `4` have the spread ratio
`16 = 2⁴`; the bound for `P/Q = 2` would be `1/3`, and the total variation is `3/5`. -/
theorem spread_needs_square : (∀ x, x ∈ [(1, 4), (4, 1)] → 1 * x.1 ≤ 4 * x.2 ∧ 1 * x.2 ≤ 4 * x.1) ∧
    1 ^ 4 * (4 * 4) ≤ 2 ^ 4 * (1 * 1) ∧ spreadAdmit 2 1 1 4 4 1 [(1, 4), (4, 1)] = false ∧
    (⟨2 - 1, 2 + 1⟩ : Frac) < tv [(1, 4), (4, 1)] := by
  refine ⟨fun x hx => ?_, by decide, by decide, by decide⟩
  cases hx with
  | head => exact ⟨by decide, by decide⟩
  | tail _ hx => cases hx with
    | head => exact ⟨by decide, by decide⟩
    | tail _ hx => cases hx

/-- **Layers do not take the maximum**: two layers, each within the ratio bound `2` and so with total variation at most
`1/3`, move the output by `3/5`. -/
theorem layers_do_not_take_maximum :
    ratioAdmit 2 1 2 1 (pairUp [4, 1] [4, 4]) = true ∧ ratioAdmit 2 1 2 1 (pairUp [4, 4] [4, 16]) = true ∧
      (⟨2 - 1, 2 + 1⟩ : Frac) < tv (pairUp [4, 1] [4, 16]) := by decide

/-- **A looser threshold breaks the level**: the ratio bound `22/19` is refused for the level `5` percent, and the weights
that it would let through move the output by more. -/
theorem loose_threshold_breaks_level : servedAdmit 22 19 5 100 = false ∧ ratioAdmit 22 19 1 1 [(19, 22), (22, 19)] = true ∧
    (⟨5, 100⟩ : Frac) < tv [(19, 22), (22, 19)] := by decide

/-- **One minus the coefficient is no bound**: for weights `(1, 4)` and `(4, 1)` the Bhattacharyya coefficient is `20/25`
exactly, and the total variation is `15/25`, more than `1 − 20/25`. -/
theorem one_minus_coefficient_lies : rootsOk 5 5 [(1, 4), (4, 1)] [10, 10] = true ∧
    5 * 5 - total [10, 10] < tvNum [(1, 4), (4, 1)] := by decide

/-- **Without the gauge a step may have `Z = 1` and still move the output**: masses `(1, 1)` and tilts `(7, 1)/5`. -/
theorem gauge_needed : gaugeOk 5 [(1, 7), (1, 1)] = false ∧
    rightMass (tiltPairs [(1, 7), (1, 1)]) = leftMass [(1, 7), (1, 1)] * (5 * 5) ∧
    (⟨9, 20⟩ : Frac) < tv (tiltPairs [(1, 7), (1, 1)]) := by decide

/-- **The roots of the tilts must be bounded from below**: the same step, weights `(49, 1)` on masses `(1, 1)` in units of
`1/5²`.  With `(8, 2)` in the place of the roots `(7, 1)` the gauge holds and `Z = 1` would leave no room for any change. -/
theorem roots_too_large : gaugeOk 5 [(1, 8), (1, 2)] = true ∧ rightMass [(1, 49), (1, 1)] = leftMass [(1, 49), (1, 1)] * (5 * 5) ∧
    (⟨9, 20⟩ : Frac) < tv [(1, 49), (1, 1)] ∧ ¬ Tilted [(1, 8), (1, 2)] [(1, 49), (1, 1)] :=
  ⟨rfl, rfl, by decide, fun h => absurd h.2.1 (by decide)⟩

/-- **A step whose mean bound is wrong breaks the request**: the step of `allOrNothing` loses all of the output on one
draw of three; charged as if its mean loss were `0`, it reaches the whole budget of a request with probability `1/3`, more
than `δ = 3/10`. -/
theorem wrong_mean_breaks_request : pays 3 2 1 0 0 = true ∧ reservePays 2 1 3 10 2 = true ∧
    (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide ((⟨spent 2 (fun _ => 0) h, 3⟩ : Frac) ≤ cumTV allOrNothing h)) 1 [] := by
  refine ⟨by decide, by decide, by decide +kernel⟩
end Gnosis.Falsifiers
