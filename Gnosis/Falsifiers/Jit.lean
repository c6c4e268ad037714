prelude
import Gnosis.Falsifiers.Listed
import Gnosis.JitDequantAdmissibility
import Gnosis.MarginScaleInvariance
/-! # Serving from coarse rows: one thing replaced

Each theorem denies a headline theorem of `Gnosis.JitDequantAdmissibility` or `Gnosis.MarginScaleInvariance` in which one
hypothesis, constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-! ## The coarse winner -/

/-- **The factor 4**: `E·A ≤ γ²` in the place of `4·E·A ≤ γ²` in the gate of `jit_dequant_sound`.  For both rows `4 ≤ 4`, row 1
leads by the margin 2, and the true logits are 2 and 0. -/
theorem energy_without_four_lies : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}, Sidecars Wh T a E A →
    w < (logits Wh a).length → leads (entry (logits Wh a) w) γ γ w 0 (logits Wh a) = true → 0 ≤ γ →
    (∀ e, e ∈ E → e * A ≤ γ * γ) → IsMaximiser (logits (addRows Wh T) a) w :=
  fun wrong => absurd ((wrong (Wh := [[0], [2]]) (T := [[2], [-2]]) (a := [1]) (E := [4, 4]) (A := 1) (γ := 2) (w := 1)
    ⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩ (by decide) rfl (by decide)
    (every (by decide))).2 0 (by decide)) (by decide)

/-- **The rivals' rows count**: the sidecar of the winner alone in the gate of `jit_dequant_sound`.  The winner's residual is 0, the
rival's row moves past it. -/
theorem gate_on_winner_only_lies : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}, Sidecars Wh T a E A →
    w < (logits Wh a).length → leads (entry (logits Wh a) w) γ γ w 0 (logits Wh a) = true →
    energySidecarAdmit (entry E w) A γ = true → IsMaximiser (logits (addRows Wh T) a) w :=
  fun wrong => absurd ((wrong (Wh := [[5], [1]]) (T := [[0], [9]]) (a := [1]) (E := [0, 81]) (A := 1) (γ := 4) (w := 0)
    ⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩ (by decide) rfl rfl).2 1 (by decide))
    (by decide)

/-- **A sidecar must bound its residual**: `jit_dequant_sound` without that, the numbers being of the right shape only.  Sidecars 0,
true energies 0 and 81. -/
theorem understated_sidecar_lies : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat},
    Forall₂ (fun r t => List.length r = List.length t) Wh T → energy a ≤ A → jitAdmit (logits Wh a) w E A γ = true →
    IsMaximiser (logits (addRows Wh T) a) w :=
  fun wrong => absurd ((wrong (Wh := [[5], [1]]) (T := [[0], [9]]) (a := [1]) (E := [0, 0]) (A := 1) (γ := 4) (w := 0)
    (.cons rfl (.cons rfl .nil)) (by decide) rfl).2 1 (by decide)) (by decide)

/-- **The weak gate allows ties**: `jitAdmit` in the place of `jitAdmitStrict` in `jit_dequant_sound_strict`. -/
theorem weak_gate_ties : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}, Sidecars Wh T a E A →
    jitAdmit (logits Wh a) w E A γ = true → IsOnlyMaximiser (logits (addRows Wh T) a) w :=
  fun wrong => absurd ((wrong (Wh := [[0], [2]]) (T := [[1], [-1]]) (a := [1]) (E := [1, 1]) (A := 1) (γ := 2) (w := 1)
    ⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩ rfl).2 0 (by decide) (by decide)) (by decide)

/-- **Two rows that move towards each other**: `E·A ≤ γ²` in the place of the gate on the left of `jit_sharp`. -/
theorem two_rows_without_four : ¬ ∀ {e γ : Int}, 0 ≤ e → 0 ≤ γ → (e * e * 1 ≤ γ * γ ↔
    IsMaximiser (logits (addRows [[0], [γ]] [[e], [-e]]) [1]) 1) :=
  fun wrong => absurd (((wrong (e := 2) (γ := 2) (by decide) (by decide)).mp (by decide)).2 0 (by decide)) (by decide)

/-! ## Bounds row by row

`errorsWithin 1 E ε` asks `E_i ≤ ε_i²`: the energy of the activation is left out. -/

/-- Rows 2 and 1 with residuals −1 and 1, activation 3: the logits 6 and 3 become 3 and 6. -/
theorem moved_by_activation : Sidecars [[2], [1]] [[-1], [1]] [3] [1, 1] 9 :=
  ⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩

/-- **The activation moves the logits**: bounds on the residuals alone in the gate of `jit_row_sound`. -/
theorem row_bounds_without_activation_lie : ¬ ∀ {Wh T : List (List Int)} {a E ε : List Int} {A : Int} {w : Nat},
    Sidecars Wh T a E A → errorsWithin 1 E ε = true → rowAdmit (logits Wh a) ε w = true →
    IsOnlyMaximiser (logits (addRows Wh T) a) w :=
  fun wrong => absurd ((wrong (ε := [1, 1]) (w := 0) moved_by_activation rfl rfl).2 1 (by decide) (by decide)) (by decide)

/-- **Candidates need the activation too**: the same in `jit_candidates_exact`.  The true winner is no candidate. -/
theorem bounds_without_activation_lie : ¬ ∀ {Wh T : List (List Int)} {a E ε : List Int} {A : Int}, Sidecars Wh T a E A →
    errorsWithin 1 E ε = true → (∀ w, IsMaximiser (logits (addRows Wh T) a) w → w ∈ candidates (logits Wh a) ε) ∧
      servedArgmax (logits Wh a) (logits (addRows Wh T) a) ε = argmax (logits (addRows Wh T) a) :=
  fun wrong => absurd (show 0 = 1 from (wrong (ε := [1, 1]) moved_by_activation rfl).2) (by decide)

/-- **Without the activation nothing is bounded**: the same in `jit_within`. -/
theorem within_without_activation : ¬ ∀ {Wh T : List (List Int)} {a E ε : List Int} {A : Int}, Sidecars Wh T a E A →
    errorsWithin 1 E ε = true → Within (entry ε) (logits Wh a) (logits (addRows Wh T) a) :=
  fun wrong => absurd ((wrong (ε := [1, 1]) moved_by_activation rfl).upper 1 (by decide)) (by decide)

/-- **Every candidate is read**: one candidate `i` left out of the hypothesis of `served_reads_candidates`. -/
theorem served_reads_every_candidate : ¬ ∀ {coarse exact exact' ε : List Int} {i : Nat},
    (∀ j, j ∈ candidates coarse ε → j ≠ i → entry exact j = entry exact' j) →
    servedArgmax coarse exact ε = servedArgmax coarse exact' ε := by
  intro wrong
  refine absurd (show 1 = 0 from wrong (coarse := [10, 9, 2]) (exact := [9, 10, 1]) (exact' := [9, 9, 1]) (ε := [1, 1, 1]) (i := 1)
    fun j m n => ?_) (by decide)
  have m : j ∈ [0, 1] := m
  cases m with
  | head => rfl
  | tail _ m => cases m with
    | head => exact absurd rfl n
    | tail _ m => exact nomatch m

/-! ## Scaling -/

/-- **Energies scale with the square**: `c·E` in the place of `c²·E` in `jit_scale_invariant`. -/
theorem scaling_energies_linearly_changes_decision : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (E : List Int) (A γ : Int),
    jitAdmit (smul c z) w (smul c E) A (c * γ) = jitAdmit z w E A γ ∧
      jitAdmitStrict (smul c z) w (smul c E) A (c * γ) = jitAdmitStrict z w E A γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [3, 0] 0 [3, 3] 1 3).1 (by decide)

/-- **The activation's energy too**: `c·A` in the place of `c²·A` in `jit_activation_scale_invariant`. -/
theorem scaling_activation_energy_linearly_changes_decision : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (E : List Int)
    (A γ : Int), jitAdmit (smul c z) w E (c * A) (c * γ) = jitAdmit z w E A γ ∧
      jitAdmitStrict (smul c z) w E (c * A) (c * γ) = jitAdmitStrict z w E A γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [3, 0] 0 [3, 3] 1 3).1 (by decide)

end Gnosis.Falsifiers
