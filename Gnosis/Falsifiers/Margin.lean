prelude
import Gnosis.TopKSelectionAdmissibility
/-! # What the margin gates would get wrong if they asked for less

Each theorem is a counterexample: it changes one condition of a gate or of a theorem of
`Gnosis.QualityMarginCacheAdmissibility` or `Gnosis.TopKSelectionAdmissibility`, and shows numbers for which the
changed statement is false. -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- `argmax` is the *lowest* index of a largest entry; the highest one is another index when two entries tie. -/
theorem highest_maximiser_is_not_argmax : IsMaximiser [1, 1] 1 ∧ argmax [1, 1] = 0 :=
  ⟨⟨by decide, by decide⟩, rfl⟩

/-- A margin of `τ` instead of `2τ` is not enough: both scores may move.  Scores 3 and 0, bound 2, true scores 1 and 2. -/
theorem single_margin_lies : 2 ≤ entry [3, 0] 0 - entry [3, 0] 1 ∧ Within (fun _ => 2) [3, 0] [1, 2]
    ∧ ¬ IsMaximiser [1, 2] 0 :=
  ⟨by decide, ⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- The weak gate does not keep the winner the *only* one: at equality another score ties. -/
theorem weak_margin_ties : marginAdmit [4, 0] 0 2 = true ∧ Within (fun _ => 2) [4, 0] [2, 2]
    ∧ ¬ IsOnlyMaximiser [2, 2] 0 :=
  ⟨rfl, ⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide) (by decide)) (by decide)⟩

/-- The weak gate does not keep the lowest-index argmax: a tie in front of the winner takes its place. -/
theorem weak_margin_moves_argmax : marginAdmit [0, 4] 1 2 = true ∧ Within (fun _ => 2) [0, 4] [2, 2]
    ∧ argmax [0, 4] = 1 ∧ argmax [2, 2] = 0 :=
  ⟨rfl, ⟨rfl, by decide, by decide⟩, rfl, rfl⟩

/-- Nor is a weak margin in front of the winner enough when the margin behind it is as large as one likes. -/
theorem weak_margin_in_front_moves_argmax : Within (fun _ => 2) [0, 4, -96] [2, 2, -96]
    ∧ entry [0, 4, -96] 1 - entry [0, 4, -96] 0 = 2 * 2 ∧ argmax [2, 2, -96] = 0 :=
  ⟨⟨rfl, by decide, by decide⟩, by decide, rfl⟩

/-- Row-wise, the bound of the winner alone is not enough: the rival moves too.  Scores 5 and 4, bounds 0 and 2. -/
theorem own_bound_only_lies : entry [0, 2] 0 < entry [5, 4] 0 - entry [5, 4] 1 ∧ Within (entry [0, 2]) [5, 4] [5, 6]
    ∧ ¬ IsMaximiser [5, 6] 0 :=
  ⟨by decide, ⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide)) (by decide)⟩

/-- Row-wise, equality of margin and bounds is not enough for an only maximiser: `3 + 2 = 9 - 4`, and both reach 6. -/
theorem row_equality_ties : entry [3, 2] 0 + entry [3, 2] 1 = entry [9, 4] 0 - entry [9, 4] 1
    ∧ Within (entry [3, 2]) [9, 4] [6, 6] ∧ ¬ IsOnlyMaximiser [6, 6] 0 :=
  ⟨by decide, ⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 1 (by decide) (by decide)) (by decide)⟩

/-- Candidates need their own bound: `{j : z_j ≥ max_i (z_i - ε_i)}` leaves out row 1 of the scores 5 and 4 with bounds
0 and 2, which may win with 6. -/
theorem candidates_without_own_bound_miss : entry [5, 4] 1 < entry [5, 4] 0 - entry [0, 2] 0
    ∧ Within (entry [0, 2]) [5, 4] [5, 6] ∧ IsMaximiser [5, 6] 1 :=
  ⟨by decide, ⟨rfl, by decide, by decide⟩, ⟨by decide, by decide⟩⟩

/-- Seen from a weak row the candidates are too many: row 3 of the scores 9, 7, 1, 3 with bounds 1, 2, 0, 1 is one of
its own candidates and can never win. -/
theorem candidatesFrom_is_not_exact : 3 ∈ candidatesFrom [9, 7, 1, 3] [1, 2, 0, 1] 3
    ∧ ¬ ∃ z', Within (entry [1, 2, 0, 1]) [9, 7, 1, 3] z' ∧ IsMaximiser z' 3 := by
  refine ⟨.tail _ (.tail _ (.head _)), fun h => ?_⟩
  have m : 3 ∈ [0, 1] := (candidates_exact (z := [9, 7, 1, 3]) (ε := [1, 2, 0, 1]) rfl).mpr h
  cases m with
  | tail _ m => cases m with
    | tail _ m => exact nomatch m

/-- A top-k margin of exactly `2ε` is not enough: scores 4 and 0 meet at 2, and the top set is gone. -/
theorem topk_at_equality_ties : 2 * 2 ≤ entry [4, 0] 0 - entry [4, 0] 1 ∧ Within (fun _ => 2) [4, 0] [2, 2]
    ∧ ¬ IsTopSet [2, 2] [true, false] :=
  ⟨by decide, ⟨rfl, by decide, by decide⟩, fun h => absurd (h.2 0 1 (by decide) (by decide) rfl rfl) (by decide)⟩

/-- A top-k margin of more than `ε` is not enough: the selection changes to the other score. -/
theorem topk_single_margin_lies : 2 < entry [3, 0] 0 - entry [3, 0] 1 ∧ Within (fun _ => 2) [3, 0] [1, 2]
    ∧ IsTopSet [3, 0] [true, false] ∧ IsTopSet [1, 2] [false, true] := by
  refine ⟨by decide, ⟨rfl, by decide, by decide⟩, ⟨rfl, ?_⟩, ⟨rfl, ?_⟩⟩
  · intro i j hi hj
    revert j
    revert i
    decide
  · intro i j hi hj
    revert j
    revert i
    decide

/-- A group margin of more than `2ε` is not enough, because a group score is a sum of two scores: groups (5, 5) and
(4, 3) have scores 10 and 7 and the margin 3 exceeds 2·1; a perturbation by 1 makes them 8 and 9. -/
theorem group_margin_of_two_lies :
    topkAdmit ([[5, 5], [4, 3]].map topTwo) [true, false] 1 = true
    ∧ WithinGroups 1 [[5, 5], [4, 3]] [[4, 4], [5, 4]]
    ∧ ¬ IsTwoStage [[4, 4], [5, 4]] [true, false] [[true, false], [false, false]] :=
  ⟨rfl, .cons ⟨rfl, by decide, by decide⟩ (.cons ⟨rfl, by decide, by decide⟩ .nil),
    fun h => absurd (h.1.2 0 1 (by decide) (by decide) rfl rfl) (by decide)⟩

/-- A group margin of exactly `4ε` is not enough: groups (3, 3) and (1, 1), perturbed by 1, have equal scores. -/
theorem group_margin_at_equality_ties : topTwo [3, 3] - topTwo [1, 1] = 4 * 1
    ∧ WithinGroups 1 [[3, 3], [1, 1]] [[2, 2], [2, 2]]
    ∧ ¬ IsTwoStage [[2, 2], [2, 2]] [true, false] [[true, true], [false, false]] :=
  ⟨rfl, .cons ⟨rfl, by decide, by decide⟩ (.cons ⟨rfl, by decide, by decide⟩ .nil),
    fun h => absurd (h.1.2 0 1 (by decide) (by decide) rfl rfl) (by decide)⟩

/-- Scores and bound must be scaled together: doubling the scores 4 and 0 alone turns a refusal at bound 3 into an
admission; the same of the row-wise gate, the candidates, the top-k gate and the two-stage gate. -/
theorem scaling_scores_alone_changes_decision : (marginAdmit [4, 0] 0 3 = false ∧ marginAdmit [8, 0] 0 3 = true)
    ∧ (rowAdmit [4, 0] [2, 2] 0 = false ∧ rowAdmit [8, 0] [2, 2] 0 = true)
    ∧ (candidates [4, 0] [2, 2] = [0, 1] ∧ candidates [8, 0] [2, 2] = [0])
    ∧ (topkAdmit [4, 0] [true, false] 2 = false ∧ topkAdmit [8, 0] [true, false] 2 = true)
    ∧ (twoStageAdmit [[3, 3], [1, 1]] [true, false] [[true, true], [false, false]] 1 = false
      ∧ twoStageAdmit [[6, 6], [2, 2]] [true, false] [[true, true], [false, false]] 1 = true) :=
  ⟨⟨rfl, rfl⟩, ⟨rfl, rfl⟩, ⟨rfl, rfl⟩, ⟨rfl, rfl⟩, ⟨rfl, rfl⟩⟩

end Gnosis.Falsifiers
