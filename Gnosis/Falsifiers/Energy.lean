prelude
import Gnosis.EnergyMarginBridgeAdmissibility
import Gnosis.Falsifiers.Listed
/-! # The energy gates: one thing replaced

Each theorem denies a headline theorem of `Gnosis.EnergyMarginBridgeAdmissibility` in which one hypothesis, constant or
definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open Gnosis

/-- **The margin may not be negative**: `energy_bridge_sound` without the condition `0 ≤ γ` in the gate.  Residual and
activation 1, margin −2, whose square is positive; the shift `2·dot τ a` is 2. -/
theorem energy_without_nonneg_margin_lies : ¬ ∀ {τ a : List Int} {γ : Int}, τ.length = a.length →
    4 * energy τ * energy a ≤ γ * γ → -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ :=
  fun wrong => absurd (wrong (τ := [1]) (a := [1]) (γ := -2) rfl (by decide)) (by decide)

/-- **The factor 4**: `energy_bridge_sound` without it in the gate, which then bounds one shift and not two.  Residual and
activation 1, margin 1, shift 2. -/
theorem energy_without_factor_four_lies : ¬ ∀ {τ a : List Int} {γ : Int}, τ.length = a.length → 0 ≤ γ →
    energy τ * energy a ≤ γ * γ → -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ :=
  fun wrong => absurd (wrong (τ := [1]) (a := [1]) (γ := 1) rfl (by decide) (by decide)) (by decide)

/-- **No smaller bound on the shift**: `γ − 1` in the place of `γ` in the conclusion of `energy_bridge_sound`. -/
theorem energy_shift_one_less : ¬ ∀ {τ a : List Int} {γ : Int}, energyAdmit τ a γ = true →
    -(γ - 1) ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ - 1 :=
  fun wrong => absurd (wrong energy_bridge_sharp_instance.1) (by decide)

/-- **Along one line the gate is exact**: `γ + 1` in the place of `γ` on the right of `energy_bridge_sharp`.  Margin 9, shift 10. -/
theorem energy_line_one_more : ¬ ∀ (x y : Int) (v : List Int) (γ : Int), energyAdmit (smul x v) (smul y v) γ = true ↔
    -(γ + 1) ≤ 2 * dot (smul x v) (smul y v) ∧ 2 * dot (smul x v) (smul y v) ≤ γ + 1 :=
  fun wrong => nomatch (wrong 1 1 [1, -2] 9).mpr (by decide)

/-- **The sidecar is of the residual**: in `energy_sidecar_sound` a bound on the energy of the codes `c` in the place of one on
the energy of the residual.  Code 0, residual 3, margin 2. -/
theorem energy_of_code_lies : ¬ ∀ {c τ a : List Int} {E A γ : Int}, energy c ≤ E → energy a ≤ A →
    energySidecarAdmit E A γ = true → -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ :=
  fun wrong => absurd (wrong (c := [0]) (τ := [3]) (a := [1]) (E := 0) (A := 1) (γ := 2) (by decide) (by decide) rfl) (by decide)

/-- **No wider gate**: in `energy_sidecar_sound` the gate asked at the margin `γ + 1`.  Energies 1, margin 1, shift 2. -/
theorem energy_sidecar_one_more : ¬ ∀ {τ a : List Int} {E A γ : Int}, energy τ ≤ E → energy a ≤ A →
    energySidecarAdmit E A (γ + 1) = true → -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ :=
  fun wrong => absurd (wrong (τ := [1]) (a := [1]) (E := 1) (A := 1) (γ := 1) (by decide) (by decide) rfl) (by decide)

/-- **A strict bound needs the strict gate**: `energySidecarAdmit` in the place of `energySidecarAdmitStrict` in
`energy_sidecar_sound_strict`.  At `4·E·A = γ²` the shift is `γ`. -/
theorem energy_weak_gate_is_not_strict : ¬ ∀ {τ a : List Int} {E A γ : Int}, energy τ ≤ E → energy a ≤ A →
    energySidecarAdmit E A γ = true → -γ < 2 * dot τ a ∧ 2 * dot τ a < γ :=
  fun wrong => absurd (wrong (τ := [2]) (a := [3]) (E := 4) (A := 9) (γ := 12) (by decide) (by decide) rfl) (by decide)

/-- **Roots of blocks, no wider gate**: in `energy_blocked_sound` the gate asked at the margin `γ + 1`. -/
theorem energy_blocked_one_more : ¬ ∀ {τs as : List (List Int)} {e α : List Int} {γ : Int},
    τs.map List.length = as.map List.length → RootBounds τs e → RootBounds as α → energyBlockedAdmit e α (γ + 1) = true →
    -γ ≤ 2 * dot τs.flatten as.flatten ∧ 2 * dot τs.flatten as.flatten ≤ γ :=
  fun wrong => absurd (wrong (τs := [[1]]) (as := [[1]]) (e := [1]) (α := [1]) (γ := 1) rfl
    ⟨by decide, ⟨⟩⟩ ⟨by decide, ⟨⟩⟩ rfl) (by decide)

/-- **Squared roots, not exact energies**: in `energy_blocked_complete` the gate on exact energies in the place of the one on the
squared roots.  Energies 1 and 1 against 3 and 3, margin 7: whatever the roots, the gate on blocks refuses. -/
theorem blocks_admit_less_than_energies : ¬ ∀ {E E' A A' γ : Int}, energySidecarAdmit (E + E') (A + A') γ = true →
    ∃ e e' α α' : Int, E ≤ e * e ∧ E' ≤ e' * e' ∧ A ≤ α * α ∧ A' ≤ α' * α' ∧ energyBlockedAdmit [e, e'] [α, α'] γ = true :=
  fun wrong => by
    obtain ⟨e, e', α, α', h₁, h₂, h₃, h₄, h⟩ := wrong energy_blocked_weaker_on_exact_energies.1
    exact nomatch h.symm.trans (energy_blocked_weaker_on_exact_energies.2 e e' α α' h₁ h₂ h₃ h₄)

/-- **The mask of the split is the one of the coordinates that were computed exactly**: in `energy_split_sound` another mask `T`
names them.  The first coordinate is masked, the second was computed; the shift that is left is 200. -/
theorem energy_split_with_wrong_mask_lies : ¬ ∀ {τ a : List Int} {S T : List Bool} {E γ : Int}, energyOutside τ S ≤ E →
    energySplitAdmit E a S γ = true → -γ ≤ 2 * (dot τ a - dot τ (inside a T)) ∧ 2 * (dot τ a - dot τ (inside a T)) ≤ γ :=
  fun wrong => absurd (wrong (τ := [1, 2]) (a := [100, 3]) (S := [true, false]) (T := [false, true]) (E := 4) (γ := 12)
    (by decide) rfl) (by decide)

/-- **A split, no wider gate**: in `energy_split_sound` the gate asked at the margin `γ + 1`. -/
theorem energy_split_one_more : ¬ ∀ {τ a : List Int} {S : List Bool} {E γ : Int}, energyOutside τ S ≤ E →
    energySplitAdmit E a S (γ + 1) = true →
    -γ ≤ 2 * (dot τ a - dot τ (inside a S)) ∧ 2 * (dot τ a - dot τ (inside a S)) ≤ γ :=
  fun wrong => absurd (wrong (τ := [1, 2]) (a := [100, 3]) (S := [true, false]) (E := 4) (γ := 11) (by decide) rfl) (by decide)

/-- **Lagrange's identity needs equal lengths**: `lagrange_identity` without that.  The left side of (1, 1) and (1) is 1, and
there are no minors. -/
theorem lagrange_needs_equal_lengths : ¬ ∀ {t a : List Int}, energy t * energy a - dot t a * dot t a = sumSqMinors t a :=
  fun wrong => absurd (wrong (t := [1, 1]) (a := [1])) (by decide)

/-- **Cauchy–Schwarz is not strict**: `<` in the place of `≤` in `dot_sq_le`.  Vectors along one line attain it. -/
theorem cauchy_schwarz_not_strict : ¬ ∀ t a : List Int, dot t a * dot t a < energy t * energy a :=
  fun wrong => absurd (wrong [1, -2] [2, -4]) (by decide)

/-! ## Scaling -/

/-- **The residual without the margin**: `γ` in the place of `c·γ` in `energy_scale_invariant`. -/
theorem scaling_residual_without_margin_changes_decision : ¬ ∀ {c : Int}, 0 < c → ∀ (τ a : List Int) (γ : Int),
    energyAdmit (smul c τ) a γ = energyAdmit τ a γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1] [1] 2) (by decide)

/-- **Units without the margin**: `γ` in the place of `b·c·γ` in `energy_units_invariant`. -/
theorem units_without_margin : ¬ ∀ {b c : Int}, 0 < b → 0 < c → ∀ (τ a : List Int) (γ : Int),
    energyAdmit (smul b τ) (smul c a) γ = energyAdmit τ a γ ∧
      ∀ E A : Int, energySidecarAdmit (b * b * E) (c * c * A) γ = energySidecarAdmit E A γ :=
  fun wrong => absurd (wrong (b := 2) (c := 1) (by decide) (by decide) [1] [1] 2).1 (by decide)

/-- **Energies scale with the square**: `c·E` in the place of `c²·E` in `energy_sidecar_scale_invariant`. -/
theorem scaling_energy_linearly_changes_decision : ¬ ∀ {c : Int}, 0 < c → ∀ E A γ : Int,
    energySidecarAdmit (c * E) A (c * γ) = energySidecarAdmit E A γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) 3 1 3) (by decide)

/-! ## Accumulators -/

/-- **No smaller box**: one less than `n·M²` in `energy_no_overflow`. -/
theorem energy_box_one_short : ¬ ∀ {v p q : List Int} {M : Int}, (∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) → v = p ++ q →
    0 ≤ energy p ∧ energy p ≤ Int.ofNat v.length * (M * M) - 1 :=
  fun wrong => absurd (wrong (v := [128, 128, 128, 128]) (p := [128, 128, 128, 128]) (q := []) (M := 128) (every (by decide)) rfl) (by decide)

/-- **A scalar product fills its box too**: one less than `n·M·K` in `dot_no_overflow`. -/
theorem dot_box_one_short : ¬ ∀ {t a p q b c : List Int} {M K : Int}, (∀ x, x ∈ t → -M ≤ x ∧ x ≤ M) →
    (∀ x, x ∈ a → -K ≤ x ∧ x ≤ K) → t = p ++ q → a = b ++ c → 0 ≤ M → 0 ≤ K →
    -(Int.ofNat t.length * (M * K) - 1) ≤ dot p b ∧ dot p b ≤ Int.ofNat t.length * (M * K) - 1 :=
  fun wrong => absurd (wrong (t := [-3, -3]) (a := [5, 5]) (p := [-3, -3]) (q := []) (b := [5, 5]) (c := []) (M := 3) (K := 5)
    (every (by decide)) (every (by decide)) rfl rfl (by decide) (by decide)) (by decide)

/-- **One less than `n·M²` overflows**: `L + 1` in the place of `L` in the hypothesis of `energy_fits`.  Four entries of 128
have energy 65536, one more than 16 bits hold. -/
theorem box_one_short : ¬ ∀ {v p q : List Int} {M L : Int}, (∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) → v = p ++ q →
    Int.ofNat v.length * (M * M) ≤ L + 1 → 0 ≤ energy p ∧ energy p ≤ L :=
  fun wrong => absurd (wrong (v := [128, 128, 128, 128]) (p := [128, 128, 128, 128]) (q := []) (M := 128) (L := 2 ^ 16 - 1)
    (every (by decide)) rfl (by decide)) (by decide)

/-- **The box is exact**: `C + 1` in the place of `C` on the right of `energy_box_exact`. -/
theorem exact_box_one_short : ¬ ∀ (n : Nat) {M C : Int}, 0 ≤ M → ((∀ v : List Int, v.length = n →
    (∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) → ∀ p q, v = p ++ q → energy p ≤ C) ↔ Int.ofNat n * (M * M) ≤ C + 1) :=
  fun wrong => absurd ((wrong 4 (M := 128) (C := 2 ^ 16 - 1) (by decide)).mpr (by decide) [128, 128, 128, 128] rfl (every (by decide))
    [128, 128, 128, 128] [] rfl) (by decide)

end Gnosis.Falsifiers
