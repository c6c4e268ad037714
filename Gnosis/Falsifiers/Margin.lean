prelude
import Gnosis.MarginScaleInvariance
import Gnosis.TopKSelectionAdmissibility
/-! # The margin gates: one thing replaced

Each theorem denies a headline theorem of `Gnosis.QualityMarginCacheAdmissibility`, `Gnosis.TopKSelectionAdmissibility` or
`Gnosis.MarginScaleInvariance` in which one hypothesis, constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- Scores 3 and 0 move by 2 to 1 and 2. -/
theorem crossing : Within (fun _ => 2) [3, 0] [1, 2] ∧ ¬ IsMaximiser [1, 2] 0 :=
  ⟨⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- Scores 4 and 0 move by 2 and meet. -/
theorem meeting : Within (fun _ => 2) [4, 0] [2, 2] ∧ ¬ IsOnlyMaximiser [2, 2] 0 :=
  ⟨⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide) (by decide)) (by decide)⟩

/-! ## The argmax -/

/-- **The argmax is the lowest index**: any index of a largest entry in the place of `argmax z` in `argmax_spec`. -/
theorem highest_maximiser_is_not_argmax : ¬ ∀ {z : List Int} {w : Nat}, IsMaximiser z w → IsArgmax z w :=
  fun wrong => absurd ((wrong (z := [1, 1]) (w := 1) ⟨by decide, by decide⟩).2 0 (by decide)) (by decide)

/-- **Both scores move**: the gate of `argmax_preserved` asks for a margin of `τ` in the place of `2τ`. -/
theorem single_margin_lies : ¬ ∀ {z z' : List Int} {w : Nat} {τ : Int}, w < z.length → 0 ≤ τ →
    leads (entry z w) τ τ w 0 z = true → Within (fun _ => τ) z z' → IsMaximiser z' w :=
  fun wrong => crossing.2 (wrong (z := [3, 0]) (w := 0) (τ := 2) (by decide) (by decide) rfl crossing.1)

/-- **The margin counts twice**: `τ` in the place of `2τ` in `argmax_preserved_of_margin`. -/
theorem margin_counted_once : ¬ ∀ {z z' : List Int} {w : Nat} {τ γ : Int}, w < z.length → 0 ≤ τ →
    (∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j) → Within (fun _ => τ) z z' →
    (τ ≤ γ → IsMaximiser z' w) ∧ (τ < γ → IsOnlyMaximiser z' w) :=
  fun wrong => crossing.2 ((wrong (γ := 3) (by decide) (by decide) (by decide) crossing.1).1 (by decide))

/-- **The gate admits no more**: `τ` in the place of `2τ` in the gate of `marginAdmit_exact`. -/
theorem single_margin_admits_more : ¬ ∀ {z : List Int} {w : Nat} {τ : Int}, w < z.length → 0 ≤ τ →
    (leads (entry z w) τ τ w 0 z = true ↔ ∀ z', Within (fun _ => τ) z z' → IsMaximiser z' w) :=
  fun wrong => crossing.2 ((wrong (z := [3, 0]) (w := 0) (τ := 2) (by decide) (by decide)).mp rfl _ crossing.1)

/-- **A weak margin allows ties**: `marginAdmit` in the place of `marginAdmitStrict` in `argmax_preserved_strict`. -/
theorem weak_margin_ties : ¬ ∀ {z z' : List Int} {w : Nat} {τ : Int}, marginAdmit z w τ = true →
    Within (fun _ => τ) z z' → IsOnlyMaximiser z' w :=
  fun wrong => meeting.2 (wrong (z := [4, 0]) (w := 0) (τ := 2) rfl meeting.1)

/-- **The strict gate is not the weak one**: the same in `marginAdmitStrict_exact`. -/
theorem weak_margin_admits_ties : ¬ ∀ {z : List Int} {w : Nat} {τ : Int}, w < z.length → 0 ≤ τ →
    (marginAdmit z w τ = true ↔ ∀ z', Within (fun _ => τ) z z' → IsOnlyMaximiser z' w) :=
  fun wrong => meeting.2 ((wrong (z := [4, 0]) (w := 0) (τ := 2) (by decide) (by decide)).mp rfl _ meeting.1)

/-- **A tie in front of the winner takes its place**: `marginAdmit` in the place of `marginAdmitLowest` in
`argmax_preserved_lowest`. -/
theorem weak_margin_moves_argmax : ¬ ∀ {z z' : List Int} {w : Nat} {τ : Int}, marginAdmit z w τ = true →
    Within (fun _ => τ) z z' → argmax z' = w :=
  fun wrong => absurd (show 0 = 1 from wrong (z := [0, 4]) (z' := [2, 2]) (w := 1) (τ := 2) rfl ⟨rfl, by decide, by decide⟩) (by decide)

/-- **In front a weak margin is not enough**, however large the one behind is: `marginAdmitLowest_exact` with `2τ` in the place of
more than `2τ` in front of the winner. -/
theorem weak_margin_in_front_moves_argmax : ¬ ∀ {z : List Int} {w : Nat} {τ : Int}, w < z.length → 0 ≤ τ →
    (leads (entry z w) (2 * τ) (2 * τ) w 0 z = true ↔ ∀ z', Within (fun _ => τ) z z' → argmax z' = w) :=
  fun wrong => absurd (show 0 = 1 from (wrong (z := [0, 4, -96]) (w := 1) (τ := 2) (by decide) (by decide)).mp (by decide)
    [2, 2, -96] ⟨rfl, by decide, by decide⟩) (by decide)

/-- **A lead shrinks by no more than `2τ`**: `2τ + 1` in the place of `2τ` in `argmax_sharp`.  Two equal scores that do not move. -/
theorem lead_shrinks_no_further : ¬ ∀ {z : List Int} {w j : Nat} {τ : Int}, 0 ≤ τ → w < z.length → j < z.length → j ≠ w →
    ∃ z', Within (fun _ => τ) z z' ∧ entry z' w - entry z' j = entry z w - entry z j - (2 * τ + 1) := fun wrong => by
  obtain ⟨z', near, e⟩ := wrong (z := [0, 0]) (w := 0) (j := 1) (τ := 0) (by decide) (by decide) (by decide) (by decide)
  have low : (0 : Int) ≤ entry z' 0 := near.lower 0 (by decide)
  have high : entry z' 1 ≤ 0 := near.upper 1 (by decide)
  have e : entry z' 0 - entry z' 1 = -1 := e
  lin [low, high, Int.le_of_eq e]

/-! ## Bounds row by row -/

/-- **The rival moves too**: the winner's bound alone in the gate of `row_admit_sound`.  Scores 5 and 4, bounds 0 and 2. -/
theorem own_bound_only_lies : ¬ ∀ {z ε z' : List Int} {w : Nat}, boundsFit z ε = true → w < z.length →
    (∀ j, j < z.length → j ≠ w → entry ε w < entry z w - entry z j) → Within (entry ε) z z' → IsOnlyMaximiser z' w :=
  fun wrong => absurd ((wrong (z := [5, 4]) (ε := [0, 2]) (z' := [5, 6]) (w := 0) rfl (by decide) (by decide)
    ⟨rfl, by decide, by decide⟩).2 1 (by decide) (by decide)) (by decide)

/-- **At equality both scores meet**: `≤` in the place of `<` in the gate of `rowAdmit_exact`.  `3 + 2 = 9 − 4`, and both reach 6. -/
theorem row_equality_ties : ¬ ∀ {z ε : List Int} {w : Nat}, boundsFit z ε = true → w < z.length →
    ((∀ j, j < z.length → j ≠ w → entry ε w + entry ε j ≤ entry z w - entry z j) ↔
      ∀ z', Within (entry ε) z z' → IsOnlyMaximiser z' w) :=
  fun wrong => absurd (((wrong (z := [9, 4]) (ε := [3, 2]) (w := 0) rfl (by decide)).mp (by decide) [6, 6]
    ⟨rfl, by decide, by decide⟩).2 1 (by decide) (by decide)) (by decide)

/-- **A candidate needs its own bound**: `z` in the place of `z + ε` in the rule of `candidates_contain_argmax`.  Row 1 of the scores
5 and 4 with bounds 0 and 2 may win with 6. -/
theorem candidates_without_own_bound_miss : ¬ ∀ {z ε z' : List Int} {j : Nat}, Within (entry ε) z z' → IsMaximiser z' j →
    j ∈ reaching (entry z (argmax (addEntries z (ε.map fun e => -e))) - entry ε (argmax (addEntries z (ε.map fun e => -e)))) 0 z :=
  fun wrong => nomatch (show (1 : Nat) ∈ [0] from wrong (z := [5, 4]) (ε := [0, 2]) (z' := [5, 6]) (j := 1)
    ⟨rfl, by decide, by decide⟩ ⟨by decide, by decide⟩)

/-- **Nor seen from another row**: the same in `candidatesFrom_contain_argmax`. -/
theorem candidatesFrom_without_own_bound_miss : ¬ ∀ {z ε z' : List Int} {w j : Nat}, w < z.length → Within (entry ε) z z' →
    IsMaximiser z' j → j ∈ reaching (entry z w - entry ε w) 0 z :=
  fun wrong => nomatch (show (1 : Nat) ∈ [0] from wrong (z := [5, 4]) (ε := [0, 2]) (z' := [5, 6]) (w := 0) (j := 1) (by decide)
    ⟨rfl, by decide, by decide⟩ ⟨by decide, by decide⟩)

/-- **Seen from a weak row the candidates are too many**: `candidatesFrom` in the place of `candidates` in `candidates_exact`.  Row 3
of the scores 9, 7, 1, 3 with bounds 1, 2, 0, 1 is one of its own candidates and can never win. -/
theorem candidatesFrom_is_not_exact : ¬ ∀ {z ε : List Int} {w : Nat}, boundsFit z ε = true → w < z.length → ∀ {j : Nat},
    (j ∈ candidatesFrom z ε w ↔ ∃ z', Within (entry ε) z z' ∧ IsMaximiser z' j) := fun wrong => by
  have m : 3 ∈ [0, 1] := (candidates_exact (z := [9, 7, 1, 3]) (ε := [1, 2, 0, 1]) rfl).mpr
    ((wrong (z := [9, 7, 1, 3]) (ε := [1, 2, 0, 1]) (w := 3) rfl (by decide)).mp (.tail _ (.tail _ (.head _))))
  cases m with
  | tail _ m => cases m with
    | tail _ m => exact nomatch m

/-! ## Selections -/

/-- **Both borders move**: a margin of more than `ε` in the place of `2ε` in the gate of `topk_preserved`. -/
theorem topk_single_margin_lies : ¬ ∀ {z z' : List Int} {S : List Bool} {ε : Int}, z.length = S.length → 0 ≤ ε →
    separates z S (ε + 1) z S = true → Within (fun _ => ε) z z' → IsTopSet z' S :=
  fun wrong => absurd ((wrong (z := [3, 0]) (S := [true, false]) (ε := 2) rfl (by decide) rfl crossing.1).2 0 1 (by decide) (by decide) rfl rfl) (by decide)

/-- **At `2ε` the rule on ties decides**: a margin of `2ε` in the place of more in the gate of `topk_selection_preserved`. -/
theorem topk_at_equality_ties : ¬ ∀ {z z' : List Int} {S T : List Bool} {ε : Int}, z.length = S.length → 0 ≤ ε →
    separates z S (2 * ε) z S = true → Within (fun _ => ε) z z' → IsSelection z' T → selectedCount T = selectedCount S → T = S := by
  intro wrong
  refine nomatch congrArg (fun T => selected T 0) (wrong (z := [4, 0]) (S := [true, false]) (T := [false, true]) (ε := 2) rfl (by decide)
    rfl meeting.1 ⟨rfl, fun i j hi hj => ?_⟩ rfl)
  revert j
  revert i
  decide

/-- **The top-k gate admits no tie**: the same in `topk_sharp`. -/
theorem topk_gate_admits_ties : ¬ ∀ {z : List Int} {S : List Bool} {ε : Int}, z.length = S.length → 0 ≤ ε →
    (separates z S (2 * ε) z S = true ↔ ∀ z', Within (fun _ => ε) z z' → IsTopSet z' S) :=
  fun wrong => absurd (((wrong (z := [4, 0]) (S := [true, false]) (ε := 2) rfl (by decide)).mp rfl _ meeting.1).2 0 1 (by decide)
    (by decide) rfl rfl) (by decide)

/-- **A group score is a sum of two**: a group margin of more than `2ε` in the place of `4ε` in the gate of `two_stage_preserved`.
Groups (5, 5) and (4, 3) have the scores 10 and 7; a perturbation by 1 makes them 8 and 9. -/
theorem group_margin_of_two_lies : ¬ ∀ {groups groups' : List (List Int)} {gsel : List Bool} {esel : List (List Bool)} {ε : Int},
    twoStageShape groups gsel esel = true → topkAdmit (groups.map topTwo) gsel ε = true →
    topkAdmit (pickedScores groups gsel) (pickedMasks esel gsel) ε = true → WithinGroups ε groups groups' →
    IsTwoStage groups' gsel esel :=
  fun wrong => absurd ((wrong (groups := [[5, 5], [4, 3]]) (groups' := [[4, 4], [5, 4]]) (gsel := [true, false])
    (esel := [[true, true], [false, false]]) (ε := 1) rfl rfl rfl (.cons ⟨rfl, by decide, by decide⟩ (.cons ⟨rfl, by decide, by decide⟩
    .nil))).1.2 0 1 (by decide) (by decide) rfl rfl) (by decide)

/-- Groups (3, 3) and (1, 1), perturbed by 1, have equal scores. -/
theorem groups_meeting : WithinGroups 1 [[3, 3], [1, 1]] [[2, 2], [2, 2]] :=
  .cons ⟨rfl, by decide, by decide⟩ (.cons ⟨rfl, by decide, by decide⟩ .nil)

/-- **At `4ε` two groups tie**: a group margin of `4ε` in the place of more in the gate of `two_stage_selection_preserved`. -/
theorem group_margin_at_equality_ties : ¬ ∀ {groups groups' : List (List Int)} {gsel gsel' : List Bool} {esel esel' : List (List Bool)}
    {ε : Int}, twoStageShape groups gsel esel = true → 0 ≤ ε →
    separates (groups.map topTwo) gsel (4 * ε) (groups.map topTwo) gsel = true →
    topkAdmit (pickedScores groups gsel) (pickedMasks esel gsel) ε = true → WithinGroups ε groups groups' →
    IsTwoStageSelection groups' gsel' esel' → selectedCount gsel' = selectedCount gsel →
    selectedCount (pickedMasks esel' gsel') = selectedCount (pickedMasks esel gsel) → gsel' = gsel ∧ esel' = esel := by
  intro wrong
  refine nomatch congrArg (fun T => selected T 0) (wrong (groups := [[3, 3], [1, 1]]) (ε := 1) (gsel := [true, false]) (gsel' := [false, true]) (esel := [[true, true], [false, false]])
    (esel' := [[false, false], [true, true]]) rfl (by decide) rfl rfl groups_meeting ⟨rfl, ⟨rfl, fun i j hi hj => ?_⟩,
      ⟨rfl, fun i j hi hj => ?_⟩⟩ rfl rfl).1
  · revert j
    revert i
    decide
  · revert j
    revert i
    decide

/-- **The two-stage gate admits no tie**: the same in `two_stage_sharp`. -/
theorem group_gate_admits_ties : ¬ ∀ {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)} {ε : Int},
    twoStageShape groups gsel esel = true → 0 ≤ ε →
    ((separates (groups.map topTwo) gsel (4 * ε) (groups.map topTwo) gsel = true ∧
        topkAdmit (pickedScores groups gsel) (pickedMasks esel gsel) ε = true) ↔
      ∀ groups', WithinGroups ε groups groups' → IsTwoStage groups' gsel esel) :=
  fun wrong => absurd (((wrong (groups := [[3, 3], [1, 1]]) (gsel := [true, false]) (esel := [[true, true], [false, false]]) (ε := 1)
    rfl (by decide)).mp ⟨rfl, rfl⟩ _ groups_meeting).1.2 0 1 (by decide) (by decide) rfl rfl) (by decide)

/-! ## Scaling -/

/-- **Scores without their bound**: `τ` in the place of `c·τ` in `margin_scale_invariant`. -/
theorem margin_scaled_without_bound : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (τ : Int),
    marginAdmit (smul c z) w τ = marginAdmit z w τ ∧ marginAdmitStrict (smul c z) w τ = marginAdmitStrict z w τ ∧
      marginAdmitLowest (smul c z) w τ = marginAdmitLowest z w τ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [4, 0] 0 3).1 (by decide)

/-- **Scores without their bounds, row by row**: `ε` in the place of `c·ε` in `row_scale_invariant`. -/
theorem row_scaled_without_bounds : ¬ ∀ {c : Int}, 0 < c → ∀ (z ε : List Int) (w : Nat), rowAdmit (smul c z) ε w = rowAdmit z ε w :=
  fun wrong => absurd (wrong (c := 2) (by decide) [4, 0] [2, 2] 0) (by decide)

/-- **Candidates without their bounds**: `ε` in the place of `c·ε` in `candidates_scale_invariant`. -/
theorem candidates_scaled_without_bounds : ¬ ∀ {c : Int}, 0 < c → ∀ (z ε : List Int) (j : Nat),
    j ∈ candidates (smul c z) ε ↔ j ∈ candidates z ε :=
  fun wrong => nomatch (show (1 : Nat) ∈ [0] from (wrong (c := 2) (by decide) [4, 0] [2, 2] 1).mpr (.tail _ (.head _)))

/-- **A selection without its bound**: `ε` in the place of `c·ε` in `topk_scale_invariant`. -/
theorem topk_scaled_without_bound : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (S : List Bool) (ε : Int),
    topkAdmit (smul c z) S ε = topkAdmit z S ε :=
  fun wrong => absurd (wrong (c := 2) (by decide) [4, 0] [true, false] 2) (by decide)

/-- **Groups without their bound**: `ε` in the place of `c·ε` in `two_stage_scale_invariant`. -/
theorem groups_scaled_without_bound : ¬ ∀ {c : Int}, 0 < c → ∀ (groups : List (List Int)) (gsel : List Bool) (esel : List (List Bool))
    (ε : Int), twoStageAdmit (groups.map (smul c)) gsel esel ε = twoStageAdmit groups gsel esel ε :=
  fun wrong => absurd (wrong (c := 2) (by decide) [[3, 3], [1, 1]] [true, false] [[true, true], [false, false]] 1) (by decide)

end Gnosis.Falsifiers
