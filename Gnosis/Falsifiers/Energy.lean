prelude
import Gnosis.EnergyMarginBridgeAdmissibility
/-! # What the energy gates would get wrong if they asked for less

Each theorem changes one condition of a gate of `Gnosis.EnergyMarginBridgeAdmissibility`, or feeds it something else than
the theorem asks for, and shows numbers that it would admit and that break the margin. -/
namespace Gnosis.Falsifiers
open Gnosis

/-- Without the condition `0 ≤ γ` a negative margin passes, because its square is positive: residual and activation 1,
margin −2, shift `2·dot τ a = 2`. -/
theorem energy_without_nonneg_margin_lies :
    4 * energy [1] * energy [1] ≤ (-2 : Int) * -2 ∧ -2 < 2 * dot [1] [1] ∧ energyAdmit [1] [1] (-2) = false := by decide

/-- Without the factor 4 the comparison bounds one shift, not two: residual and activation 1, margin 1, shift
`2·dot τ a = 2`. -/
theorem energy_without_factor_four_lies :
    energy [1] * energy [1] ≤ (1 : Int) * 1 ∧ 1 < 2 * dot [1] [1] ∧ energyAdmit [1] [1] 1 = false := by decide

/-- The energy of the codes in place of the energy of the residuals says nothing: coarse row 0, exact row 3, so the
residual is 3, and margin 2 is broken although the code's energy is 0. -/
theorem energy_of_code_lies :
    energySidecarAdmit (energy [0]) (energy [1]) 2 = true ∧ 2 < 2 * dot [3] [1] ∧
      energySidecarAdmit (energy [3]) (energy [1]) 2 = false := by decide

/-- A strict bound cannot be had from the weak gate: at `4·E·A = γ²` it admits and the shift is `γ` exactly. -/
theorem energy_weak_gate_is_not_strict :
    energySidecarAdmit (energy [2]) (energy [3]) 12 = true ∧ ¬ 2 * dot [2] [3] < 12 := by decide

/-- The mask of the split must be the one of the coordinates that were computed exactly.  Here the mask names the first
coordinate, the second one was computed, and the shift that is left is 200. -/
theorem energy_split_with_wrong_mask_lies :
    energySplitAdmit 4 [100, 3] [true, false] 12 = true ∧
      12 < 2 * (dot [1, 2] [100, 3] - dot [1, 2] [0, 3]) ∧ 2 * (dot [1, 2] [100, 3] - dot [1, 2] [0, 3]) = 200 := by decide

/-- Lagrange's identity needs equal lengths: the left side of (1, 1) and (1) is 1, and there are no minors. -/
theorem lagrange_needs_equal_lengths :
    energy [1, 1] * energy [1] - dot [1, 1] [1] * dot [1, 1] [1] = 1 ∧ sumSqMinors [1, 1] [1] = 0 := by decide

/-- Cauchy–Schwarz is not strict: vectors along one line attain it. -/
theorem cauchy_schwarz_attained : dot [1, -2] [2, -4] * dot [1, -2] [2, -4] = energy [1, -2] * energy [2, -4] := by decide

/-- Residual and margin must be scaled together: a residual twice as large under the same margin is refused. -/
theorem scaling_residual_without_margin_changes_decision :
    energyAdmit [1] [1] 2 = true ∧ energyAdmit [2] [1] 2 = false := ⟨rfl, rfl⟩

/-- Energies scale with the square: twice the energy under twice the margin turns a refusal into an admission. -/
theorem scaling_energy_linearly_changes_decision :
    energySidecarAdmit 3 1 3 = false ∧ energySidecarAdmit (2 * 3) 1 (2 * 3) = true := ⟨rfl, rfl⟩

/-- The box of an accumulator is exact: four entries of 128 have energy 65536, one more than 16 bits hold. -/
theorem box_one_short : ¬ energy [128, 128, 128, 128] ≤ 2 ^ 16 - 1 ∧ (4 : Int) * (128 * 128) = 2 ^ 16 := by decide

/-- A scalar product attains its box too. -/
theorem dot_box_attained : dot [-3, -3] [5, 5] = -(2 * (3 * 5)) := by decide

end Gnosis.Falsifiers
