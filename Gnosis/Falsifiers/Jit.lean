prelude
import Gnosis.JitDequantAdmissibility
/-! # What serving from coarse rows would get wrong if it asked for less

Each theorem changes one condition of `Gnosis.JitDequantAdmissibility` and shows a layer for which the changed
statement is false. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- Without the factor 4 the energy comparison lies: `E·A = 4 ≤ γ² = 4` for both rows, the coarse winner is row 1 with
margin 2, and the true logits are 2 and 0. -/
theorem energy_without_four_lies : Sidecars [[0], [2]] [[2], [-2]] [1] [4, 4] 1
    ∧ logits [[0], [2]] [1] = [0, 2] ∧ (4 : Int) * 1 ≤ 2 * 2
    ∧ ¬ IsMaximiser (logits (addRows [[0], [2]] [[2], [-2]]) [1]) 1 :=
  ⟨⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩, rfl, by decide,
    fun h => absurd (h.2 0 (by decide)) (by decide)⟩

/-- A gate on the winner's row alone lies: the winner's residual is 0, the rival's row moves past it. -/
theorem gate_on_winner_only_lies : Sidecars [[5], [1]] [[0], [9]] [1] [0, 81] 1
    ∧ logits [[5], [1]] [1] = [5, 1] ∧ energySidecarAdmitStrict 0 1 4 = true
    ∧ ¬ IsMaximiser (logits (addRows [[5], [1]] [[0], [9]]) [1]) 0 :=
  ⟨⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩, rfl, rfl,
    fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- A sidecar that understates the energy lies: the gate admits on energies 0, the true energy of row 1 is 81. -/
theorem understated_sidecar_lies : jitAdmitStrict (logits [[5], [1]] [1]) 0 [0, 0] 1 4 = true ∧ energy [9] = 81
    ∧ ¬ IsMaximiser (logits (addRows [[5], [1]] [[0], [9]]) [1]) 0 :=
  ⟨rfl, rfl, fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- Bounds on the residuals that leave out the activation lie: `E = 1 ≤ ε² = 1`, but at the activation 3 the logit
moves by 3, and the row left out of the candidates wins. -/
theorem bounds_without_activation_lie : Sidecars [[2], [1]] [[-1], [1]] [3] [1, 1] 9
    ∧ logits [[2], [1]] [3] = [6, 3] ∧ candidates [6, 3] [1, 1] = [0]
    ∧ argmax (logits (addRows [[2], [1]] [[-1], [1]]) [3]) = 1 :=
  ⟨⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩, rfl, rfl, rfl⟩

/-- The weak gate does not make the winner the only maximiser: the layer of `Gnosis.jit_tie`. -/
theorem weak_gate_ties : jitAdmit (logits [[0], [2]] [1]) 1 [1, 1] 1 2 = true
    ∧ ¬ IsOnlyMaximiser (logits (addRows [[0], [2]] [[1], [-1]]) [1]) 1 :=
  ⟨rfl, fun h => absurd (h.2 0 (by decide) (by decide)) (by decide)⟩

/-- No candidate may be left out of the recomputation: with the coarse value 9 of row 1 in place of the exact 10 the
served row is 0, not 1. -/
theorem served_reads_every_candidate : candidates [10, 9, 2] [1, 1, 1] = [0, 1]
    ∧ servedArgmax [10, 9, 2] [9, 10, 1] [1, 1, 1] = 1 ∧ servedArgmax [10, 9, 2] [9, 9, 1] [1, 1, 1] = 0 :=
  ⟨rfl, rfl, rfl⟩

/-- Energies scale with the square: weights twice as fine, with energies multiplied by 2 instead of 4, turn a refusal
into an admission. -/
theorem scaling_energies_linearly_changes_decision :
    jitAdmit [3, 0] 0 [3, 3] 1 3 = false ∧ jitAdmit [6, 0] 0 [2 * 2 * 3, 2 * 2 * 3] 1 6 = false
    ∧ jitAdmit [6, 0] 0 [2 * 3, 2 * 3] 1 6 = true := ⟨rfl, rfl, rfl⟩

/-- The same for the activation: twice as fine, with its energy multiplied by 2 instead of 4, a refusal becomes an
admission. -/
theorem scaling_activation_energy_linearly_changes_decision :
    jitAdmit [3, 0] 0 [3, 3] 1 3 = false ∧ jitAdmit [6, 0] 0 [3, 3] (2 * 2 * 1) 6 = false
    ∧ jitAdmit [6, 0] 0 [3, 3] (2 * 1) 6 = true := ⟨rfl, rfl, rfl⟩

end Gnosis.Falsifiers
