prelude
import Gnosis.ConformalLayers
import Gnosis.HeadAdmissibility
import Gnosis.HeadServing
import Gnosis.PoolOrderStatistic
/-! # What the runtime composes: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open List

/-! ## Bounds -/

/-- **The larger bound is not enough**: the maximum in the place of the sum in `within_add`. -/
theorem larger_bound_is_not_the_sum : ¬ ∀ {a b : Nat → Int} {x y z : List Int}, Within a x y → Within b y z →
    Within (fun i => larger (a i) (b i)) x z := fun wrong =>
  absurd ((wrong (a := fun _ => 1) (b := fun _ => 2) (x := [0]) (y := [1]) (z := [3]) ⟨rfl, by decide, by decide⟩
    ⟨rfl, by decide, by decide⟩).upper 0 (by decide)) (by decide)

/-- **The mask of the bound must be the mask of the exact coordinates**: another mask `Ts` in the place of `Ss` in the products.  The
first coordinate is left out of the bound, and the second one is computed exactly. -/
theorem split_blocks_with_wrong_mask : ¬ ∀ {τs as : List (List Int)} {Ss Ts : List (List Bool)} {e α : List Int},
    RootsOutside τs Ss e → RootsOutside as Ss α →
    dot τs.flatten as.flatten - dot τs.flatten (inside as.flatten Ts.flatten) ≤ dot e α := fun wrong =>
  absurd (wrong (τs := [[1, 2]]) (as := [[100, 3]]) (Ss := [[true, false]]) (Ts := [[false, true]]) (e := [2]) (α := [3])
    ⟨rfl, by decide, by decide, ⟨⟩⟩ ⟨rfl, by decide, by decide, ⟨⟩⟩) (by decide)

/-- The bound of the head without the rounding of the split columns: `256·r_b` counts only where the mask is `false`. -/
structure MovedOutside (b : HeadBlock) : Prop where
  lower_length : b.lower.length = b.upper.length
  split_length : b.split.length = b.upper.length
  exact_length : b.exact.length = b.upper.length
  rounded_length : b.rounded.length = b.upper.length
  upper_range : ∀ u, u ∈ b.upper → 0 ≤ u ∧ u ≤ 15
  lower_range : ∀ l, l ∈ b.lower → 0 ≤ l ∧ l ≤ 15
  root_nonneg : 0 ≤ b.root
  outer_nonneg : 0 ≤ b.outer
  residual : energyOutside (nibbleResidual b.lower) b.split ≤ b.root * b.root
  activation : energyOutside b.exact b.split ≤ b.outer * b.outer
  rounding : sumAbs (outside (addEntries b.exact (smul (-1) b.rounded)) b.split) ≤ b.moved

/-- **The activation of a split column is rounded too**: rounding bounded outside the split columns only.  One split column with the
weight 127 and an activation of 2 that is rounded to 1. -/
theorem split_columns_round : ¬ ∀ {row : List HeadBlock} {z : Int}, (∀ b, b ∈ row → MovedOutside b) →
    (-(floatBound row) ≤ z - headCoarse row ∧ z - headCoarse row ≤ floatBound row) →
    -(headBound row) ≤ headExact row - z ∧ headExact row - z ≤ headBound row := fun wrong => by
  refine absurd (wrong (row := [⟨1, [15], [15], [true], [2], [1], 0, 0, 0, 0⟩]) (z := 254) (fun b m => ?_) (by decide)).2 (by decide)
  cases m with
  | head => exact ⟨rfl, rfl, rfl, rfl, one_range (by decide), one_range (by decide), by decide, by decide, by decide, by decide, by decide⟩
  | tail _ m => exact nomatch m
where
  one_range {x : Int} (h : 0 ≤ x ∧ x ≤ 15) : ∀ y, y ∈ [x] → 0 ≤ y ∧ y ≤ 15 := fun y m => by
    cases m with
    | head => exact h
    | tail _ m => exact nomatch m

/-! ## Serving -/

/-- **The recomputed intervals must hold**: `head_serves_argmax` without them.  Two candidates, and a wrong product for the second. -/
theorem fine_bounds_needed : ¬ ∀ {z ε y err exact : List Int}, Within (entry ε) z exact → y.length = (candidates z ε).length →
    headServed z ε y err exact = argmax exact := fun wrong =>
  absurd (wrong (z := [10, 9]) (ε := [1, 1]) (y := [9, 0]) (err := [0, 0]) (exact := [9, 10]) ⟨rfl, by decide, by decide⟩ rfl)
    (by decide)

/-- **The candidates of the argmax are too few for two rows**: `topCandidates 1` in the place of `topCandidates k`. -/
theorem argmax_candidates_miss_second : ¬ ∀ {k : Nat} {z ε y err exact : List Int}, Within (entry ε) z exact →
    (∀ j, j ∈ topCandidates 1 z ε (indices 0 z) →
      entry y j - entry err j ≤ entry exact j ∧ entry exact j ≤ entry y j + entry err j) →
    topAmong exact k (topCandidates k y err (topCandidates 1 z ε (indices 0 z))) = topAmong exact k (indices 0 exact) := fun wrong => by
  have e := wrong (k := 2) (z := [10, 5]) (ε := [1, 1]) (y := [10, 5]) (err := [0, 0]) (exact := [10, 5])
    ⟨rfl, by decide, by decide⟩ (fun j m => by
      cases m with
      | head => decide
      | tail _ m => exact nomatch m)
  exact absurd (congrArg List.length e) (by decide)

/-- **The candidates for `k − 1` miss a top-k set**: `topCandidates (k − 1)` in the place of `topCandidates k`. -/
theorem one_candidate_short : ¬ ∀ {k : Nat} {z ε exact : List Int} {T : List Bool}, Within (entry ε) z exact →
    IsSelection exact T → selectedCount T = k → ∀ {i : Nat}, i < exact.length → selected T i = true →
    i ∈ topCandidates (k - 1) z ε (indices 0 z) := fun wrong => by
  have m := wrong (k := 1) (z := [1]) (ε := [0]) (exact := [1]) (T := [true]) ⟨rfl, by decide, by decide⟩
    ⟨rfl, fun i j _ hj si sj => by
      cases j with
      | zero => exact nomatch sj
      | succ j => exact absurd hj (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.succ_le_succ (Nat.zero_le j))))⟩ rfl (i := 0) (by decide) rfl
  exact nomatch m

/-- **The lead of the coarse scores is no lead of the exact ones**: the scores in the place of the ends of the intervals. -/
theorem coarse_lead_is_not_exact : ¬ ∀ {z ε exact : List Int} {w : Nat} {m : Int}, Within (entry ε) z exact → w < z.length →
    (∀ j, j < z.length → j ≠ w → entry z j + m ≤ entry z w) →
    (∀ j, j < exact.length → j ≠ w → m ≤ entry exact w - entry exact j) ∧ (0 < m → argmax exact = w) := fun wrong => by
  refine absurd ((wrong (z := [10, 4]) (ε := [1, 2]) (exact := [9, 6]) (w := 0) (m := 6) ⟨rfl, by decide, by decide⟩ (by decide)
    (fun j hj n => ?_)).1 1 (by decide) (by decide)) (by decide)
  cases j with
  | zero => exact absurd rfl n
  | succ j => cases j with
    | zero => decide
    | succ j => exact absurd hj (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.succ_le_succ (Nat.succ_le_succ (Nat.zero_le j)))))

/-- **The leading coarse score is not the token**: `argmax z` in the place of a single candidate. -/
theorem coarse_argmax_is_not_the_token : ¬ ∀ {z ε exact : List Int} {w : Nat}, Within (entry ε) z exact → argmax z = w →
    argmax exact = w :=
  fun wrong => absurd (wrong (z := [10, 9]) (ε := [1, 1]) (exact := [9, 10]) ⟨rfl, by decide, by decide⟩ rfl) (by decide)

/-- **The floats need their bound**: `head_rows_within` without it. -/
theorem floats_without_bound : ¬ ∀ {rows : List (List HeadBlock)} {z : List Int}, z.length = rows.length →
    (∀ row, row ∈ rows → ∀ b, b ∈ row → b.Valid) → Within (entry (rows.map headBound)) z (rows.map headExact) := fun wrong =>
  absurd ((wrong (rows := [[]]) (z := [1]) rfl (fun row m b mb => by
    cases m with
    | head => exact nomatch mb
    | tail _ m => exact nomatch m)).lower 0 (by decide)) (by decide)

/-- **The second row is not the token**: the first two rows in the other order in `head_certified_margin`. -/
theorem second_row_is_not_the_token : ¬ ∀ {exact : List Int} {w v : Nat}, topAmong exact 2 (indices 0 exact) = [v, w] →
    argmax exact = w ∧ v ≠ w ∧ 0 ≤ entry exact w - entry exact v ∧
      ∀ j, j < exact.length → j ≠ w → entry exact w - entry exact v ≤ entry exact w - entry exact j :=
  fun wrong => absurd (wrong (exact := [5, 3]) (w := 1) (v := 0) rfl).1 (by decide)

/-! ## Selection -/

/-- **The gap is that of the `k` largest**: any mask of `k` entries in the place of a selection. -/
theorem gap_is_not_any_mask : ¬ ∀ {z : List Int} {S : List Bool} {k : Nat} {ε : Int}, z.length = S.length → selectedCount S = k →
    (topkGapAdmit z k ε = true ↔ topkAdmit z S ε = true) := fun wrong =>
  nomatch (wrong (z := [1, 3]) (S := [true, false]) (k := 1) (ε := 0) rfl rfl).mp rfl

/-! ## Conformal gates -/

/-- **A lead of the margin is not enough for the same token**: `conformalMarginAdmit` in the place of `conformalMarginAdmitLowest`.
Scores 1 and 1, level 1/2, margin 2, coarse logits 0 and 2, true logits 1 and 1: the argmax is the other row, in every run. -/
theorem weak_conformal_margin_moves_token : ¬ ∀ {N : Nat} {Ω : List MarginRun} {num den : Nat} {γ : Int},
    Exchangeable (N + 1) (map MarginRun.scores Ω) → (∀ r, r ∈ Ω → r.Valid) → 0 < den →
    countP (fun r => conformalMarginAdmit (calibration r.scores) num den γ r.coarse r.winner && !Nat.beq (argmax r.exact) r.winner) Ω * den
      ≤ (den - num) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [⟨[1, 1], [0, 2], [1, 1], 1⟩, ⟨[1, 1], [0, 2], [1, 1], 1⟩]) (num := 1) (den := 2) (γ := 2)
    (exchangeable_perms [1, 1]) (fun r m => ?_) (by decide)) (by decide)
  cases m with
  | head => exact ⟨rfl, by decide, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide, by decide⟩
    | tail _ m => exact nomatch m

/-- Decoded rows 0 and 2, residuals 1 and −1, activation 1: the coarse lead is 2 and the true logits tie. -/
def tiedRun : JitRun := ⟨[1, 1], [[0], [2]], [[1], [-1]], [1], 1, 1, 2⟩
/-- It is valid. -/
theorem tiedRun_valid : tiedRun.Valid := ⟨.cons rfl (.cons rfl .nil), energies_of_check rfl, by decide⟩

/-- **The same of serving from coarse rows**: `conformalJitAdmit` in the place of `conformalJitAdmitLowest`. -/
theorem weak_conformal_jit_moves_token : ¬ ∀ {N : Nat} {Ω : List JitRun} {num den : Nat},
    Exchangeable (N + 1) (map JitRun.scores Ω) → (∀ r, r ∈ Ω → r.Valid) → 0 < den →
    countP (fun r => conformalJitAdmit (calibration r.scores) num den r.coarse r.winner r.A r.γ && !Nat.beq (argmax r.exact) r.winner) Ω
      * den ≤ (den - num) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [tiedRun, tiedRun]) (num := 1) (den := 2) (exchangeable_perms [1, 1]) (fun r m => ?_)
    (by decide)) (by decide)
  cases m with
  | head => exact tiedRun_valid
  | tail _ m => cases m with
    | head => exact tiedRun_valid
    | tail _ m => exact nomatch m

/-- **The weak gate does not keep the token**: `jitAdmit` in the place of `jitAdmitLowest` in `jit_dequant_lowest`. -/
theorem weak_jit_moves_token : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}, Sidecars Wh T a E A →
    jitAdmit (logits Wh a) w E A γ = true → argmax (logits (addRows Wh T) a) = w := fun wrong =>
  absurd (wrong jit_tie.1 jit_tie.2.1) (by decide)

/-- The leads with the weak gate in front of `w` too. -/
def weakLeads (E : List Int) (A x : Int) (w i : Nat) : List Int → Bool
  | [] => true
  | y :: ys => (decide (i = w) || E.all (fun e => energySidecarAdmit e A (x - y))) && weakLeads E A x w (i + 1) ys

/-- **A row in front asks for the strict gate**: `weakLeads` in the place of `leadsSidecars` in `jit_dequant_lowest_of_lead`. -/
theorem weak_leads_move_token : ¬ ∀ {Wh T : List (List Int)} {a E : List Int} {A : Int} {w : Nat}, Sidecars Wh T a E A →
    (Nat.beq (logits Wh a).length E.length && decide (w < (logits Wh a).length)
      && weakLeads E A (entry (logits Wh a) w) w 0 (logits Wh a)) = true →
    argmax (logits (addRows Wh T) a) = w := fun wrong =>
  absurd (wrong (Wh := [[0], [2]]) (T := [[1], [-1]]) (a := [1]) (E := [1, 1]) (A := 1) (w := 1)
    ⟨tiedRun_valid.shapes, .cons (Int.le_refl 1) (.cons (Int.le_refl 1) .nil), by decide⟩ rfl) (by decide)

/-- **And so does the calibrated one**: `weakLeads` in the place of `leadsSidecars` in `conformal_jit_lead`. -/
theorem weak_conformal_leads_move_token : ¬ ∀ {N : Nat} {Ω : List JitRun} {num den : Nat},
    Exchangeable (N + 1) (map JitRun.scores Ω) → (∀ r, r ∈ Ω → r.Valid) →
    countP (fun r => (match conformalThreshold (calibration r.scores) num den with
        | none => false
        | some t => decide (r.winner < r.coarse.length) && weakLeads [t] r.A (entry r.coarse r.winner) r.winner 0 r.coarse)
      && !Nat.beq (argmax r.exact) r.winner) Ω * (N + 1) ≤ (N + 1 - conformalRank N num den) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [tiedRun, tiedRun]) (num := 1) (den := 2) (exchangeable_perms [1, 1]) (fun r m => ?_))
    (by decide)
  cases m with
  | head => exact tiedRun_valid
  | tail _ m => cases m with
    | head => exact tiedRun_valid
    | tail _ m => exact nomatch m

/-- **The candidates must bound the error with the threshold, not half of it**: bounds `⌊t/2⌋` in the place of `t`.  All errors are 2,
and the row that wins is no candidate of the bound 1. -/
theorem half_threshold_misserves : ¬ ∀ {N : Nat} {Ω : List MarginRun} {num den : Nat},
    Exchangeable (N + 1) (map MarginRun.scores Ω) → (∀ r, r ∈ Ω → r.Valid) → 0 < den →
    countP (fun r => !Nat.beq (match conformalThreshold (calibration r.scores) num den with
      | none => argmax r.exact
      | some t => servedArgmax r.coarse r.exact (r.coarse.map (fun _ => t / 2))) (argmax r.exact)) Ω * den
      ≤ (den - num) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [⟨[2, 2], [0, 3], [2, 1], 1⟩, ⟨[2, 2], [0, 3], [2, 1], 1⟩]) (num := 1) (den := 2)
    (exchangeable_perms [2, 2]) (fun r m => ?_) (by decide)) (by decide)
  cases m with
  | head => exact ⟨rfl, by decide, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide, by decide⟩
    | tail _ m => exact nomatch m

/-- **It is no rate among the admitted**: their number in the place of the number of all outcomes.  Of the orders of 0 and 10, level
1/2 and margin 0, one is admitted, and it fails. -/
theorem no_rate_among_admitted : ¬ ∀ {ω : Type} {Ω : List ω} {scores : ω → List Int} {n : Nat},
    Exchangeable (n + 1) (map scores Ω) → ∀ num den : Nat, ∀ γ : ω → Int,
    countP (fun o => admittedFailure num den (γ o) (scores o)) Ω * (n + 1)
      ≤ (n + 1 - conformalRank n num den) * countP (fun o => conformalAdmit (calibration (scores o)) num den (γ o)) Ω := fun wrong =>
  absurd (wrong (ω := List Int) (Ω := [[0, 10], [10, 0]]) (scores := fun t => t) (n := 1) (exchangeable_perms [0, 10]) 1 2
    (fun _ => 0)) (by decide)

/-- **Layers may not be chosen on the calibration scores**: a layer that depends on the outcome in the place of a fixed set.  Units
with the scores (0, 1) and (1, 0) in two layers take turns as the new one; the layer with the smaller calibration score is
admitted at the margin 0 and fails, in both orders. -/
theorem layer_chosen_on_calibration : ¬ ∀ {ω L : Type} {Ω : List ω} {layers : List L} {scores : L → ω → List Int} {n : Nat},
    (∀ ℓ, ℓ ∈ layers → Exchangeable (n + 1) (map (scores ℓ) Ω)) → ∀ num den : Nat, ∀ γ : L → ω → Int, ∀ chosen : ω → L,
    (∀ o, o ∈ Ω → chosen o ∈ layers) →
    countP (fun o => someLayer (fun ℓ => admittedFailure num den (γ ℓ o) (scores ℓ o)) [chosen o]) Ω * (n + 1)
      ≤ 1 * ((n + 1 - conformalRank n num den) * Ω.length) := fun wrong => by
  refine absurd (wrong (ω := Bool) (L := Bool) (Ω := [true, false]) (layers := [true, false])
    (scores := fun ℓ o => bif ℓ then (bif o then [0, 1] else [1, 0]) else (bif o then [1, 0] else [0, 1])) (n := 1) (fun ℓ _ => ?_)
    1 2 (fun _ _ => 0) (fun o => !o) (fun o _ => ?_)) (by decide)
  · cases ℓ with
    | true => exact exchangeable_perms [0, 1]
    | false => exact exchangeable_perms [1, 0]
  · cases o with
    | true => exact .tail _ (.head _)
    | false => exact .head _

/-- **One score for all layers needs the margins**: the largest score itself, all cofactors 1, in the place of the scaled one.  Layers
with the margins 2 and 20; all units have the scores (10, 0), and the largest fits into the larger margin. -/
theorem unscaled_layers : ¬ ∀ {Ω : List (List (List Int))} {n : Nat} {P : Int} {c γ : List Int},
    Exchangeable (n + 1) (map (fun o => map (layersMax (map (fun _ => 1) c)) o) Ω) → ∀ num den : Nat,
    countP (fun o => cofactors P c γ && conformalAdmit (map (layersMax (map (fun _ => 1) c)) (calibrationUnits o)) num den P
      && layersFail γ (newUnit o)) Ω * (n + 1) ≤ (n + 1 - conformalRank n num den) * Ω.length := fun wrong =>
  absurd (wrong (Ω := [[[10, 0], [10, 0]], [[10, 0], [10, 0]]]) (n := 1) (P := 20) (c := [10, 1]) (γ := [2, 20])
    (exchangeable_perms [10, 10]) 1 2) (by decide)

/-- **The common multiple must be one**: positive cofactors that do not look at the margins in the place of `cofactors`.  One layer
with the margin 1 and the cofactor 1, and 20 as the multiple: all scores are 10, admitted, and they fail. -/
theorem multiple_of_other_margins : ¬ ∀ {Ω : List (List (List Int))} {n : Nat} {P : Int} {c γ : List Int},
    Exchangeable (n + 1) (map (fun o => map (layersMax c) o) Ω) → ∀ num den : Nat,
    countP (fun o => c.all (fun x => decide (0 < x)) && conformalAdmit (map (layersMax c) (calibrationUnits o)) num den P
      && layersFail γ (newUnit o)) Ω * (n + 1) ≤ (n + 1 - conformalRank n num den) * Ω.length := fun wrong =>
  absurd (wrong (Ω := [[[10], [10]], [[10], [10]]]) (n := 1) (P := 20) (c := [1]) (γ := [1]) (exchangeable_perms [10, 10]) 1 2)
    (by decide)

/-! ## Order statistics of a pool -/

/-- **With ties the count is another**: `pool_order_statistic` without different scores. -/
theorem tied_order_statistic : ¬ ∀ (pool : List Int) (k d j : Nat),
    countP (fun p => decide (j < outsideAbove (k + 1) p.1 p.2)) (draws (k + 1 + d) pool)
      = sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) :=
  fun wrong => absurd (wrong [0, 0] 0 0 0) (by decide)

/-- **Outside the sample, not in the whole pool**: members of the sample above its threshold counted too.  Both of a pool of two are
drawn, and the larger one lies above the smaller. -/
theorem whole_pool_above : ¬ ∀ (pool : List Int) (k d j : Nat),
    countP (fun p => decide (j < outsideAbove (k + 1) p.1 pool)) (draws (k + 1 + d) pool)
      ≤ sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) :=
  fun wrong => absurd (wrong [1, 2] 0 1 0) (by decide)

/-- **One member less is too few**: `j − 1` in the place of `j` in the conclusion.  The smaller of two of three scores: no sample
leaves more than one member above it, and all but one leave one. -/
theorem one_member_less : ¬ ∀ (pool : List Int) (k d j a e : Nat),
    sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) * e ≤ a * choose pool.length (k + 1 + d) →
    (e - a) * (draws (k + 1 + d) pool).length
      ≤ countP (fun p => decide (outsideAbove (k + 1) p.1 p.2 ≤ j - 1)) (draws (k + 1 + d) pool) * e :=
  fun wrong => absurd (wrong [1, 2, 3] 0 1 1 0 1 (by decide)) (by decide)
end Gnosis.Falsifiers
