prelude
import Gnosis.ConformalJitAdmissibility
import Gnosis.Falsifiers.Listed
/-! # Conformal coverage: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it.
`off_by_one_rank` says more: with one rank less the level is missed at every level and for all different scores. -/
open List
namespace Gnosis.Falsifiers

/-- **Off by one**: with one rank less than `conformalRank` the level is missed, for every level `0 < num / den ≤ 1`
and every list of `n + 1` different scores.  So the rank is the least that works. -/
theorem off_by_one_rank (n num den : Nat) (hnum : 0 < num) (hden : num ≤ den) (s : List Int) (h : s.length = n + 1)
    (distinct : Nodup s) :
    (den - num) * factorial (n + 1) < countP (liesOrder (conformalRank n num den - 1)) (perms s) * den := by
  have pos : 0 < den := Nat.lt_of_lt_of_le hnum hden
  have up := (conformalRank_le_iff n num den (n + 1) pos).mpr (Nat.mul_le_mul_left _ hden)
  have rate := conformal_lie_rate_sharp n (conformalRank n num den - 1) s h distinct
  have low : ∀ j, conformalRank n num den = j + 1 → j * den < (n + 1) * num := fun j e =>
    Nat.lt_of_not_le (fun g => by
      have g := (conformalRank_le_iff n num den j pos).mpr g
      rw [e] at g; exact Nat.not_le_of_lt (Nat.le_refl _) g)
  have one : (n + 1) * num ≤ conformalRank n num den * den := (conformalRank_le_iff n num den _ pos).mp .refl
  generalize conformalRank n num den = k at *
  cases k with
  | zero =>
    rw [Nat.zero_mul] at one
    exact absurd (Nat.mul_pos (Nat.succ_le_succ (Nat.zero_le n)) hnum) (fun g => Nat.not_le_of_lt g one)
  | succ j =>
    have low := low j rfl
    have e : j + 1 - 1 = j := rfl
    rw [e] at rate ⊢
    obtain ⟨d, rfl⟩ := Nat.exists_of_le hden
    obtain ⟨m, hm⟩ := Nat.exists_of_le up
    have hm : n + 1 = j + (m + 1) := by rw [hm]; nat_ring
    rw [hm] at low
    rw [Nat.add_sub_cancel_left]
    have e : n + 1 - j = m + 1 := by rw [hm, Nat.add_sub_cancel_left]
    rw [e] at rate
    refine Nat.lt_of_not_le (fun g => ?_)
    have g := Nat.mul_le_mul_right (n + 1) g
    have r : countP (liesOrder j) (perms s) * (num + d) * (n + 1) = (m + 1) * factorial (n + 1) * (num + d) := by
      rw [← rate]; nat_ring
    rw [r] at g
    have F := factorial_pos (n + 1)
    generalize factorial (n + 1) = f at *
    have low := Nat.mul_le_mul_left f low
    rw [hm] at g
    nat_lin [low, g, F]

/-! ## Ranks -/

/-- **One rank less is too small**: `conformalRank − 1` in `conformal_rank_spec`. -/
theorem rank_one_less : ¬ ∀ (scores : List Int) (num den : Nat), 0 < den →
    (scores.length + 1) * num ≤ (conformalRank scores.length num den - 1) * den :=
  fun wrong => absurd (wrong [0] 1 2 (by decide)) (by decide)

/-- **The plus one belongs to the rank**: `⌈n·q⌉` in the place of `⌈(n + 1)·q⌉` in `conformal_rank_spec`. -/
theorem rank_of_n_alone : ¬ ∀ (scores : List Int) (num den : Nat), 0 < den →
    (scores.length + 1) * num ≤ (scores.length * num + (den - 1)) / den * den :=
  fun wrong => absurd (wrong [1, 2, 3] 2 3 (by decide)) (by decide)

/-- The conformal gate that falls back on the largest score where there are too few for the level. -/
def clampedAdmit (scores : List Int) (num den : Nat) (γ : Int) : Bool :=
  match kthSmallest (lesserRank (conformalRank scores.length num den) scores.length) scores with
  | none => false
  | some t => decide (0 ≤ γ) && decide (2 * t ≤ γ)
where
  /-- The smaller rank. -/
  lesserRank (a b : Nat) : Nat := bif Nat.ble a b then a else b

/-- **Too few scores refuse**: `clampedAdmit` in the place of `conformalAdmit` in `conformal_rank_spec`.  One score, level 9/10. -/
theorem clamped_rank : ¬ ∀ (scores : List Int) (num den : Nat), 0 < den →
    scores.length < conformalRank scores.length num den → ∀ γ : Int, clampedAdmit scores num den γ = false :=
  fun wrong => nomatch (show true = false from wrong [0] 9 10 (by decide) (by decide) 0)

/-- **A refused margin may be one short**: `γ + 1 < 2·t` in the place of `γ < 2·t` in `conformal_admit_sharp`. -/
theorem refused_by_one : ¬ ∀ {scores : List Int} {num den : Nat} {γ t : Int}, conformalThreshold scores num den = some t → 0 ≤ γ →
    conformalAdmit scores num den γ = false → γ + 1 < 2 * t :=
  fun wrong => absurd (wrong (scores := [1]) (num := 1) (den := 2) (γ := 1) (t := 1) rfl (by decide) rfl) (by decide)

/-- **Ties count less**: `conformal_count_sharp` without different scores. -/
theorem tied_scores_count_less : ¬ ∀ (s : List Int) (k : Nat), countP (fun x => decide (k ≤ rankLt s x)) s = s.length - k :=
  fun wrong => absurd (wrong [5, 5] 1) (by decide)

/-! ## Rates -/

/-- **One rank less lies more**: `k − 1` in the place of `k` in the threshold of `conformal_lie_rate_certified`. -/
theorem lie_rate_one_rank_less : ¬ ∀ (n k : Nat) (s : List Int), s.length = n + 1 →
    countP (liesOrder (k - 1)) (perms s) * (n + 1) ≤ (n + 1 - k) * factorial (n + 1) :=
  fun wrong => absurd (wrong 1 2 [0, 1] rfl) (by decide)

/-- **Ties lie less**: `conformal_lie_rate_sharp` without different scores. -/
theorem tied_orders_lie_less : ¬ ∀ (n k : Nat) (s : List Int), s.length = n + 1 →
    countP (liesOrder k) (perms s) * (n + 1) = (n + 1 - k) * factorial (n + 1) :=
  fun wrong => absurd (wrong 1 1 [5, 5] rfl) (by decide)

/-- **The plus one keeps the level**: `⌈n·q⌉` in the place of `⌈(n + 1)·q⌉` in `conformal_lie_rate_level`.  For `n = 3` and `q = 2/3`
the rank is 2, and half of all orders lie. -/
theorem rank_without_plus_one : ¬ ∀ {n : Nat} {Ω : List (List Int)}, Exchangeable (n + 1) Ω → ∀ num den : Nat, 0 < den →
    countP (liesOrder ((n * num + (den - 1)) / den)) Ω * den ≤ (den - num) * Ω.length :=
  fun wrong => absurd (wrong (n := 3) (exchangeable_perms [0, 1, 2, 3]) 2 3 (by decide)) (by decide)

/-- The calibration scores of the outcome `t` are `c`, in this order. -/
def calibratedOn : List Int → List Int → Bool
  | [], [_] => true
  | y :: c, x :: z :: t => decide (y = z) && calibratedOn c (x :: t)
  | _, _ => false

/-- **A marginal bound is not a bound for the calibration set at hand**: `conformal_lie_rate_certified` among the orders with the
calibration scores `c`, in the place of all orders.  Given 1 and 2, the score 3 exceeds both with certainty. -/
theorem marginal_is_not_conditional : ¬ ∀ (n k : Nat) (s c : List Int), s.length = n + 1 →
    countP (fun t => calibratedOn c t && liesOrder k t) (perms s) * (n + 1) ≤ (n + 1 - k) * countP (calibratedOn c) (perms s) :=
  fun wrong => absurd (wrong 2 2 [1, 2, 3] [1, 2] rfl) (by decide)

/-- **The guarantee is not a share of the admitted**: `conformal_admitted_failure_rate` with the admitted outcomes in the place of
all.  The orders of 0 and 10 with level 1/2 and margin 0: the gate admits in one of the two, and in that one it fails. -/
theorem admitted_share : ¬ ∀ {n : Nat} {Ω : List (List Int)}, Exchangeable (n + 1) Ω → ∀ num den : Nat, 0 < den → ∀ γ : Int,
    countP (admittedFailure num den γ) Ω * den ≤ (den - num) * countP (fun t => conformalAdmit (calibration t) num den γ) Ω :=
  fun wrong => absurd (wrong (n := 1) (exchangeable_perms [0, 10]) 1 2 (by decide) 0) (by decide)

/-- **Nor in the example that attains it**: the same in `conformal_admitted_failure_sharp`. -/
theorem admitted_share_is_one : ¬ (countP (admittedFailure 1 2 0) (perms [0, 10]) * 2
    = (2 - 1) * countP (fun t => conformalAdmit (calibration t) 1 2 0) (perms [0, 10])) := by decide

/-- **A conformal admission is no certificate for the tile at hand**: `conformal_then_jit_sound` for one run in the place of a
share of runs. -/
theorem admitted_tile_lost : ¬ ∀ {r : JitRun} {num den : Nat}, r.Valid → 0 < den →
    conformalJitAdmit (calibration r.scores) num den r.coarse r.winner r.A r.γ = true → IsMaximiser r.exact r.winner :=
  fun wrong => absurd ((wrong (r := lostRun) (num := 1) (den := 2) conformal_then_jit_sharp.2.2.1 (by decide) rfl).2 0 (by decide))
    (by decide)

/-- **The rate is attained**: `<` in the place of `≤` in `conformal_then_jit_sound`, for a sample that is not empty and a level below 1. -/
theorem jit_rate_not_strict : ¬ ∀ {N : Nat} {Ω : List JitRun} {num den : Nat}, Exchangeable (N + 1) (map JitRun.scores Ω) →
    (∀ r, r ∈ Ω → r.Valid) → num < den → 0 < Ω.length → countP (JitRun.failed num den) Ω * den < (den - num) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [refusedRun, lostRun]) (num := 1) (den := 2) conformal_then_jit_sharp.1 (fun r m => ?_) (by decide)
    (by decide)) (by decide)
  cases m with
  | head => exact conformal_then_jit_sharp.2.1
  | tail _ m => cases m with
    | head => exact conformal_then_jit_sharp.2.2.1
    | tail _ m => exact nomatch m

/-- **Without the lost winner nothing is attained**: `refusedRun` in the place of `lostRun` in `conformal_then_jit_sharp`. -/
theorem refused_runs_attain_nothing : ¬ (countP (JitRun.failed 1 2) [refusedRun, refusedRun] * 2
    = (2 - 1) * [refusedRun, refusedRun].length) := by decide

/-! ## Exchangeability

One outcome whose scores grow with time: the newest, 4, exceeds the three earlier ones with certainty. -/

/-- **Lies without exchangeability**: outcomes of one length in the place of an exchangeable sample in
`conformal_lie_rate_exchangeable`. -/
theorem lies_of_growing_scores : ¬ ∀ {n : Nat} {Ω : List (List Int)}, (∀ t, t ∈ Ω → t.length = n + 1) → ∀ k : Nat,
    countP (liesOrder k) Ω * (n + 1) ≤ (n + 1 - k) * Ω.length :=
  fun wrong => absurd (wrong (n := 3) (Ω := [[4, 3, 2, 1]]) (every (by decide)) 3) (by decide)

/-- **New maxima without exchangeability**: the same in `conformal_new_maximum`. -/
theorem not_exchangeable : ¬ ∀ {N : Nat} {Ω : List (List Int)}, (∀ t, t ∈ Ω → t.length = N + 1) →
    countP (fun t => exceedsAll (newScore t) (calibration t)) Ω * (N + 1) ≤ Ω.length :=
  fun wrong => absurd (wrong (N := 3) (Ω := [[4, 3, 2, 1]]) (every (by decide))) (by decide)

/-- **Two risks without exchangeability**: the same in `conformal_risk_union`. -/
theorem risk_union_of_growing_scores : ¬ ∀ {ω : Type} (Ω : List ω) (scores : ω → List Int) (truth : ω → Int) (N a d : Nat),
    (∀ t, t ∈ map scores Ω → t.length = N + 1) →
    countP (fun o => decide (newScore (scores o) < truth o)) Ω * d ≤ a * Ω.length →
    countP (fun o => exceedsAll (truth o) (calibration (scores o))) Ω * ((N + 1) * d) ≤ (d + a * (N + 1)) * Ω.length :=
  fun wrong => absurd (wrong [[4, 3, 2, 1]] (fun t => t) newScore 3 0 1 (every (by decide)) (by decide)) (by decide)

/-- **The unit's own risk must be paid for**: `d` in the place of `d + a·(N + 1)` in `conformal_risk_union`. -/
theorem own_risk_for_free : ¬ ∀ {ω : Type} (Ω : List ω) (scores : ω → List Int) (truth : ω → Int) (N a d : Nat),
    Exchangeable (N + 1) (map scores Ω) → countP (fun o => decide (newScore (scores o) < truth o)) Ω * d ≤ a * Ω.length →
    countP (fun o => exceedsAll (truth o) (calibration (scores o))) Ω * ((N + 1) * d) ≤ d * Ω.length :=
  fun wrong => absurd (wrong (perms [0, 10]) (fun t => t) (fun t => bif decide (newScore t = 0) then 11 else newScore t) 1 1 2
    conformal_risk_union_sharp.1 conformal_risk_union_sharp.2.1) (by decide)

/-- **One order is not exchangeable**: the list itself in the place of all its orders in `exchangeable_perms`. -/
theorem one_order_is_not_exchangeable : ¬ ∀ s : List Int, Exchangeable s.length [s] :=
  fun wrong => absurd (conformal_new_maximum (N := 3) (wrong [4, 3, 2, 1])) (by decide)

/-- **Samples in the order of the pool are not exchangeable**: without the orders in `exchangeable_pool`. -/
theorem pool_in_order_is_not_exchangeable : ¬ ∀ (n : Nat) (pool : List Int), Exchangeable n (subsets n pool) :=
  fun wrong => absurd (conformal_new_maximum (N := 3) (wrong 4 [4, 3, 2, 1])) (by decide)

/-! ## Finite pools -/

/-- **No smaller number above the sample**: `< j` in the place of `≤ j` in `pool_training_conditional`. -/
theorem one_above_less : ¬ ∀ (pool : List Int) (N j a d : Nat), 0 < N → j + 1 ≤ pool.length →
    choose (pool.length - (j + 1)) N * d ≤ a * choose pool.length N →
    (d - a) * (draws N pool).length ≤ countP (fun p => decide (poolAbove p.2 p.1 < j)) (draws N pool) * d :=
  fun wrong => absurd (wrong [1, 2] 1 0 1 2 (by decide) (by decide) (by decide)) (by decide)

/-- **7 cannot be improved to 6**: in `pool_148_64`. -/
theorem six_of_148 : ¬ ∀ pool : List Int, pool.length = 148 →
    99 * (draws 64 pool).length ≤ countP (fun p => decide (poolAbove p.2 p.1 ≤ 6)) (draws 64 pool) * 100 := by
  intro wrong
  have exists_pool : ∃ pool : List Int, pool.length = 148 ∧ Nodup pool := ⟨_, pool_148_exists⟩
  obtain ⟨pool, len, distinct⟩ := exists_pool
  have most := wrong pool len
  have sharp := pool_148_64_sharp pool len distinct
  have same : countP (fun S => decide (7 ≤ poolAbove pool S)) (subsets 64 pool)
      ≤ countP (fun p => !decide (poolAbove p.2 p.1 ≤ 6)) (draws 64 pool) := by
    show countP _ (map _ (draws 64 pool)) ≤ _
    rw [countP_map]
    refine countP_le_countP (fun p m g => ?_)
    have ne : p.1 ≠ [] := fun e => by
      have l := (mem_draws m).1
      rw [e] at l
      exact absurd (show 0 = 64 from l) (by decide)
    have g : 7 ≤ poolAbove pool p.1 := of_decide_eq_true g
    rw [← (pool_next_draw m).2 ne] at g
    cases e : decide (poolAbove p.2 p.1 ≤ 6) with
    | false => rfl
    | true => exact absurd (of_decide_eq_true e) (Nat.not_le_of_lt g)
  have all := Nat.le_of_eq (countP_add_countP_not (fun p : List Int × List Int => decide (poolAbove p.2 p.1 ≤ 6)) (draws 64 pool))
  have size : (subsets 64 pool).length = (draws 64 pool).length := length_map _ _
  rw [size] at sharp
  generalize countP (fun p : List Int × List Int => decide (poolAbove p.2 p.1 ≤ 6)) (draws 64 pool) = x,
    countP (fun p : List Int × List Int => !decide (poolAbove p.2 p.1 ≤ 6)) (draws 64 pool) = y,
    countP (fun S => decide (7 ≤ poolAbove pool S)) (subsets 64 pool) = z, (draws 64 pool).length = D at *
  have most : 99 * D ≤ x * 100 := most
  have hundred : 100 * (x + y) ≤ 100 * D := Nat.mul_le_mul_left 100 all
  have parts : z * 100 ≤ y * 100 := Nat.mul_le_mul_right 100 same
  nat_lin [most, sharp, hundred, parts]

/-! ## Orders and samples -/

/-- The list without what stands in it twice. -/
def once : List (List Int) → List (List Int)
  | [] => []
  | l :: ls => bif Nat.beq (countP (sameEntries l) ls) 0 then l :: once ls else once ls
where
  /-- The same entries in the same order. -/
  sameEntries : List Int → List Int → Bool
    | [], [] => true
    | x :: k, y :: l => decide (x = y) && sameEntries k l
    | _, _ => false

/-- **Positions count, not values**: the different orders alone in the place of all in `length_perms`.  Three equal entries have one
order that is different from the others, and six positions. -/
theorem different_orders_are_fewer : ¬ ∀ l : List Int, (once (perms l)).length = factorial l.length :=
  fun wrong => absurd (wrong [5, 5, 5]) (by decide)

/-- **Equal entries have equal orders**: `nodup_perms` without different entries. -/
theorem equal_entries_keep_orders : ¬ ∀ {l : List Int}, Nodup (perms l) := fun wrong => by
  have twice := wrong (l := [5, 5])
  rw [show perms [(5 : Int), 5] = [[5, 5], [5, 5]] from rfl] at twice
  cases twice with
  | cons ne _ => exact ne _ (.head _) rfl

/-- **The same length does not make an order**: 0, 0 is none of 0, 1. -/
theorem same_length_is_no_order : ¬ [(0 : Nat), 0] ∈ perms [0, 1] := fun h =>
  absurd ((mem_perms_iff _ _).mp h (fun i => decide (i = 0))) (by decide)

/-- **Samples are drawn without replacement**: 1, 1 is no sample of the pool 1, 2. -/
theorem no_replacement : ¬ [(1 : Int), 1] ∈ subsets 2 [1, 2] := by
  intro h
  have e : subsets 2 [(1 : Int), 2] = [[1, 2]] := rfl
  rw [e] at h
  cases h with
  | tail _ h => exact nomatch h

end Gnosis.Falsifiers
