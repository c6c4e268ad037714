prelude
import Gnosis.TukeyBisquareGate
/-! # What the bisquare gate would get wrong with another bowl

Each theorem changes one part of `Gnosis.Decision.Tukey` and shows numbers for which a statement of
`Gnosis.TukeyBisquareGate` is then false. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- A bowl of half-width `γ` instead of `γ/2` is not safe: both scores may move.  Margin 5, residuals -3 and 3. -/
theorem full_width_bowl_lies : ((3 : Int).natAbs : Int) ≤ 5 ∧ 5 ≤ entry [5, 0] 0 - entry [5, 0] 1
    ∧ ¬ IsMaximiser (addEntries [5, 0] [-3, 3]) 0 :=
  ⟨by decide, by decide, fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- Without the cut at the rim the polynomial weight grows again: margin 2, residual 3 weighs 1024, more than the 16 of
residual 0 and not zero. -/
theorem uncut_weight_grows : (2 : Int) * 2 * (2 * 2) < (2 * 2 - 4 * 3 * 3) * (2 * 2 - 4 * 3 * 3)
    ∧ tukeyWeight 0 2 = 2 * 2 * (2 * 2) ∧ tukeyWeight 3 2 = 0 :=
  ⟨by decide, rfl, rfl⟩

/-- A negative margin has no bowl: comparing squares instead, `4·r² ≤ γ²`, would admit residual 1 at margin -3. -/
theorem squares_admit_negative_margin : (4 : Int) * 1 * 1 ≤ -3 * -3 ∧ tukeyAdmit 1 (-3) = false :=
  ⟨by decide, rfl⟩

/-- A positive weight inside the bowl is not the same as being admitted: the rim is admitted with weight 0, and past it the
weight does not fall any more. -/
theorem rim_has_no_weight : tukeyAdmit 3 6 = true ∧ tukeyWeight 3 6 = 0 ∧ tukeyWeight 4 6 = 0 := ⟨rfl, rfl, rfl⟩

/-- Residual and margin must be scaled together: doubling the residual 2 alone leaves the bowl of margin 5. -/
theorem scaling_residual_alone_changes_decision : tukeyAdmit 2 5 = true ∧ tukeyAdmit 4 5 = false := ⟨rfl, rfl⟩

end Gnosis.Falsifiers
