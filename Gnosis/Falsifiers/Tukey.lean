prelude
import Gnosis.Falsifiers.Listed
import Gnosis.MarginScaleInvariance
import Gnosis.TukeyBisquareGate
/-! # The bisquare gate: one thing replaced

Each theorem denies a headline theorem of `Gnosis.TukeyBisquareGate` or `Gnosis.MarginScaleInvariance` in which one hypothesis,
constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- The polynomial weight without the cut at the rim. -/
def uncutWeight (r γ : Int) : Int := (γ * γ - 4 * r * r) * (γ * γ - 4 * r * r)

/-- **A negative margin has no bowl**: squares, `4·r² ≤ γ²`, on the right of `tukey_admit_iff`. -/
theorem squares_admit_negative_margin : ¬ ∀ {r γ : Int}, tukeyAdmit r γ = true ↔ 4 * r * r ≤ γ * γ :=
  fun wrong => nomatch (wrong (r := 1) (γ := -3)).mpr (by decide)

/-- **The bowl has the half-width `γ/2`**: half-width `γ` in `tukey_sound`.  Margin 5, residuals −3 and 3. -/
theorem full_width_bowl_lies : ¬ ∀ {z r : List Int} {w : Nat} {γ : Int}, z.length = r.length → w < z.length →
    (∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j) → (∀ i, i < z.length → Int.ofNat (entry r i).natAbs ≤ γ) →
    IsMaximiser (addEntries z r) w :=
  fun wrong => absurd ((wrong (z := [5, 0]) (r := [-3, 3]) (w := 0) (γ := 5) rfl (by decide) (by decide) (by decide)).2 1 (by decide))
    (by decide)

/-- **No wider bowl**: half-width `γ` on the left of `tukey_sharp`. -/
theorem full_width_bowl_moves : ¬ ∀ {r γ : Int}, 0 ≤ γ → (Int.ofNat r.natAbs ≤ γ ↔
    IsMaximiser (addEntries [γ, 0] [-(Int.ofNat r.natAbs), Int.ofNat r.natAbs]) 0) :=
  fun wrong => absurd (((wrong (r := 3) (γ := 5) (by decide)).mp (by decide)).2 1 (by decide)) (by decide)

/-- **Uncut, the weight has no bound**: `uncutWeight` in the place of `tukeyWeight` in `tukey_weight_range`. -/
theorem uncut_weight_leaves_range : ¬ ∀ r γ : Int, 0 ≤ uncutWeight r γ ∧ uncutWeight r γ ≤ γ * γ * (γ * γ) :=
  fun wrong => absurd (wrong 3 2).2 (by decide)

/-- **Uncut, the weight grows again**: the same in `tukey_weight_antitone`. -/
theorem uncut_weight_grows : ¬ ∀ {r s γ : Int}, Int.ofNat r.natAbs ≤ Int.ofNat s.natAbs → uncutWeight s γ ≤ uncutWeight r γ :=
  fun wrong => absurd (wrong (r := 0) (s := 3) (γ := 2) (by decide)) (by decide)

/-- **Uncut, the weight does not redescend**: the same in `tukey_redescends`. -/
theorem uncut_weight_stays : ¬ ∀ {r γ : Int}, γ ≤ 2 * Int.ofNat r.natAbs → uncutWeight r γ = 0 :=
  fun wrong => absurd (wrong (r := 3) (γ := 2) (by decide)) (by decide)

/-- **An admitted residual may weigh nothing**: a positive weight in the conclusion of `tukey_rim`. -/
theorem rim_has_no_weight : ¬ ∀ {r γ : Int}, 2 * Int.ofNat r.natAbs = γ → tukeyAdmit r γ = true ∧ 0 < tukeyWeight r γ :=
  fun wrong => absurd (wrong (r := 3) (γ := 6) rfl).2 (by decide)

/-- **Past the rim nothing falls any more**: `tukey_weight_strict_antitone` for residuals that are not admitted. -/
theorem weight_past_the_rim : ¬ ∀ {r s γ : Int}, Int.ofNat r.natAbs < Int.ofNat s.natAbs → tukeyWeight s γ < tukeyWeight r γ :=
  fun wrong => absurd (wrong (r := 3) (s := 4) (γ := 6) (by decide)) (by decide)

/-- **The residual without the margin**: `γ` in the place of `c·γ` in `tukey_scale_invariant`. -/
theorem scaling_residual_alone_changes_decision : ¬ ∀ {c : Int}, 0 < c → ∀ r γ : Int, tukeyAdmit (c * r) γ = tukeyAdmit r γ ∧
    tukeyWeight (c * r) γ = c * c * (c * c) * tukeyWeight r γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) 2 5).1 (by decide)

end Gnosis.Falsifiers
