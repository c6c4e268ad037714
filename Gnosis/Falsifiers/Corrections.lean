prelude
import Gnosis.ConformalJitAdmissibility
import Gnosis.CumlossAdmission
import Gnosis.E8MinimalVectors
import Gnosis.Falsifiers.Conformal
import Gnosis.Gauge
import Gnosis.RequestRisk
/-! # One thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open List

/-! ## Lattices -/

/-- **Eight coordinates are not enough to be in `D₈`**: `d8_decode_idem` for lists of length 8 in the place of points of `D₈`. -/
theorem eight_coordinates_move : ¬ ∀ {m : Int}, 0 < m → ∀ zs : List Int, zs.length = 8 → d8Decode m (zs.map (fun z => m * z)) = zs :=
  fun wrong => nomatch (show true = false from congrArg isD8 (wrong (m := 1) (by decide) [1, 0, 0, 0, 0, 0, 0, 0] rfl))

/-- **`E₈` can be worse than rounding**: `cubicDecode` in the place of `d8Decode` in `e8_decode_le_d8`.  The point
`(1, 0, …, 0)` is an integer point, and the nearest points of `E₈` are at distance 1. -/
theorem e8_worse_than_rounding : ¬ ∀ {h : Int}, 0 < h → ∀ xs : List Int, xs.length = 8 →
    sqDist h xs (e8Decode h xs) ≤ sqDist (2 * h) xs (cubicDecode (2 * h) xs) :=
  fun wrong => absurd (wrong (h := 1) (by decide) [2, 0, 0, 0, 0, 0, 0, 0] rfl) (by decide +kernel)

/-- **One coset is not all**: the vectors with entries −2, 0, 2 in the place of `e8Shell`. -/
theorem one_coset_is_not_the_shell : ¬ ∀ ws, ws ∈ accepted isE8 (vectorsOfEnergy [-2, 0, 2] 8 8) ↔
    isE8 ws = true ∧ energy ws = 8 := fun wrong => by
  have m := (wrong [1, 1, 1, 1, 1, 1, 1, 1]).mpr ⟨rfl, rfl⟩
  exact not_mem_even ((mem_vectorsOfEnergy_iff.mp (mem_accepted_iff.mp m).1).2.1 1 (.head _)) rfl

/-! ## Conformal coverage -/

/-- **With ties the count is another**: `pool_negative_hypergeometric` without different scores.  No member of the pool `0, 0` lies
above a sample of one. -/
theorem tied_pool_count : ¬ ∀ (pool : List Int) (N j : Nat), j ≤ pool.length →
    (subsets N pool).length = choose pool.length N
    ∧ countP (fun S => decide (j ≤ poolAbove pool S)) (subsets N pool) = choose (pool.length - j) N :=
  fun wrong => absurd (wrong [0, 0] 1 1 (by decide)).2 (by decide)

/-- **Ranks count from 1**: `kthSmallest (k + 1)` in the place of `kthSmallest k`. -/
theorem ranks_from_zero : ¬ ∀ {k : Nat} {s : List Int} {t : Int}, kthSmallest (k + 1) s = some t →
    rankLt s t < k ∧ k ≤ countP (fun y => decide (y ≤ t)) s :=
  fun wrong => absurd (wrong (k := 0) (s := [5]) (t := 5) rfl).1 (by decide)

/-- **Twice the threshold must fit**: the conformal gate asked with `2·γ` in the place of `γ`, so that the threshold alone fits
into the margin.  Errors 1 and 1, margin 1: the coarse logits 0 and 1 become 1 and 0, in every run. -/
theorem threshold_once_lies : ¬ ∀ {N : Nat} {Ω : List MarginRun} {num den : Nat} {γ : Int},
    Exchangeable (N + 1) (map MarginRun.scores Ω) → (∀ r, r ∈ Ω → r.Valid) → 0 < den →
    countP (fun r => (conformalAdmit (calibration r.scores) num den (2 * γ) && (decide (r.winner < r.coarse.length)
      && leads (entry r.coarse r.winner) γ γ r.winner 0 r.coarse)) && !maximises r.exact r.winner) Ω * den
      ≤ (den - num) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [⟨[1, 1], [0, 1], [1, 0], 1⟩, ⟨[1, 1], [0, 1], [1, 0], 1⟩]) (num := 1) (den := 2) (γ := 1)
    (exchangeable_perms [1, 1]) (fun r m => ?_) (by decide)) (by decide)
  cases m with
  | head => exact ⟨rfl, by decide, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide, by decide⟩
    | tail _ m => exact nomatch m

/-! ## Losses and tilts -/

/-- **The mean of a loss above the grid**: `bet_mean` without the bound `N` on the loss. -/
theorem mean_off_grid : ¬ ∀ {D : Type} {ds : List D} {N p q u : Nat} {l : D → Nat}, q ≤ p → sumOver l ds ≤ ds.length * u →
    sumOver (fun d => bet N p q (l d)) ds ≤ ds.length * stepFactor N p q u :=
  fun wrong => absurd (wrong (ds := [()]) (N := 1) (p := 2) (q := 1) (u := 2) (l := fun _ => 2) (by decide) (by decide)) (by decide)

/-- **Without the product gauge there is nothing to round**: `gauge_exists` without the gauge.  One token of tilt `1/4`. -/
theorem no_gauge_no_roots : ¬ ∀ {D : Type} {ds : List D} {ts : D → List (Nat × Nat × Nat)},
    (∀ d, d ∈ ds → ∀ t, t ∈ ts d → 0 < t.2.2) →
    ∃ B, 0 < B ∧ ∃ ps : D → List (Nat × Nat), ∀ d, d ∈ ds → RootsBelow B (ts d) (ps d) ∧ gaugeOk B (ps d) = true := fun wrong => by
  obtain ⟨B, B₀, ps, h⟩ := wrong (ds := [()]) (ts := fun _ => [(1, 1, 4)]) (fun _ _ t m => by
    cases m with
    | head => exact (by decide : 0 < 4)
    | tail _ m => exact nomatch m)
  obtain ⟨roots, gauge⟩ := h () (.head _)
  generalize ps () = l at *
  cases l with
  | nil => exact roots
  | cons x l => cases l with
    | cons _ _ => exact roots.2.2
    | nil =>
      obtain ⟨n, a⟩ := x
      obtain ⟨rfl, le, _⟩ := roots
      have g : (1 + 0) * B ≤ 1 * a + 0 := Nat.le_of_ble_eq_true gauge
      have g : B ≤ a := by nat_lin [g]
      have sq := Nat.mul_le_mul g g
      have pos := Nat.mul_pos B₀ B₀
      nat_lin [le, sq, sq, sq, sq, pos, pos, pos]

/-- **The denominator cannot be chosen beforehand**: every `B > 0` in the place of some `B`.  The tilts `2` and `1/2` have the
product 1; on the denominator 1 their roots round down to 1 and 0. -/
theorem fixed_denominator : ¬ ∀ {D : Type} {ds : List D} {ts : D → List (Nat × Nat × Nat)},
    (∀ d, d ∈ ds → ∀ t, t ∈ ts d → 0 < t.2.2) → (∀ d, d ∈ ds → denominators (ts d) ≤ numerators (ts d)) →
    ∀ B, 0 < B → ∃ ps : D → List (Nat × Nat), ∀ d, d ∈ ds → RootsBelow B (ts d) (ps d) ∧ gaugeOk B (ps d) = true := fun wrong => by
  obtain ⟨ps, h⟩ := wrong (ds := [()]) (ts := fun _ => [(1, 2, 1), (1, 1, 2)]) (fun _ _ t m => by
    cases m with
    | head => exact (by decide : 0 < 1)
    | tail _ m => cases m with
      | head => exact (by decide : 0 < 2)
      | tail _ m => exact nomatch m) (fun _ _ => by decide) 1 (by decide)
  obtain ⟨roots, gauge⟩ := h () (.head _)
  generalize ps () = l at *
  cases l with
  | nil => exact roots
  | cons x l => cases l with
    | nil => exact roots.2.2
    | cons y l => cases l with
      | cons _ _ => exact roots.2.2.2.2
      | nil =>
        obtain ⟨n, a⟩ := x
        obtain ⟨m, b⟩ := y
        obtain ⟨rfl, le, rfl, le', _⟩ := roots
        have g : (1 + (1 + 0)) * 1 ≤ 1 * a + (1 * b + 0) := Nat.le_of_ble_eq_true gauge
        have a₁ : a ≤ 1 := (Nat.lt_or_ge 1 a).elim (fun k => (by nat_lin [le, Nat.mul_le_mul k k] : False).elim) id
        have b₀ : b ≤ 0 := (Nat.lt_or_ge 0 b).elim (fun k => (by nat_lin [le', Nat.mul_le_mul k k, Nat.mul_le_mul k k] : False).elim) id
        nat_lin [g, a₁, b₀]

/-- Numbers whose squares are at most `w·w'`, in the place of `RootsAbove`. -/
def RootsUnder : List (Nat × Nat) → List Nat → Prop
  | [], [] => True
  | (w, w') :: ws, r :: rs => r * r ≤ w * w' ∧ RootsUnder ws rs
  | _, _ => False

/-- **Lower bounds of the roots prove nothing about the coefficient from below**: masses 1 and 1, weights 0 and 4, lower bounds
0 and 1 of the roots 0 and 2. -/
theorem roots_from_below : ¬ ∀ {B : Nat} {ps ws : List (Nat × Nat)} {rs : List Nat}, gaugeOk B ps = true → Tilted ps ws →
    RootsUnder ws rs → leftMass ps * B ≤ total rs :=
  fun wrong => absurd (wrong (B := 1) (ps := [(1, 0), (1, 2)]) (ws := [(1, 0), (1, 4)]) (rs := [0, 1]) rfl
    ⟨rfl, by decide, rfl, by decide, ⟨⟩⟩ ⟨by decide, by decide, ⟨⟩⟩) (by decide)

/-- **Nor do the best roots that `hellingerAdmit` accepts**: on its scale the roots of the same step are 0 and √32, rounded down 0
and 5 (6 is refused), and `(Σ s/(S·S'))² = 25/64` is below `1/Z = 1/2`. -/
theorem floor_roots_below_coefficient : gaugeOk 1 [(1, 0), (1, 2)] = true ∧ rootsOk 2 4 [(1, 0), (1, 4)] [0, 5] = true ∧
    rootsOk 2 4 [(1, 0), (1, 4)] [0, 6] = false ∧
    (⟨total [0, 5] * total [0, 5], 2 * 4 * (2 * 4)⟩ : Frac) < ⟨2 * (1 * 1), rightMass [(1, 0), (1, 4)]⟩ :=
  ⟨rfl, rfl, rfl, by decide⟩

/-! ## The request as the unit -/

/-- A request that is harmless at its first step only: budget 2, reserve 2, charges 0; every later step loses all. -/
def lateLosses : ChargeController Unit where
  reserve := 2
  offer _ := 0
  charge _ := 0
  budget _ := 2
  loss h _ := match h with
    | [] => 0
    | _ => 1

/-- **A bound for one step is not a bound for the request**: the true score bounds the mean loss at the first step, in the place of
every step.  All requests have the score 0 and no mean loss at the first step; each overruns surely, where `δ = 1/4` and
`1/(N + 1) = 1/2` are allowed. -/
theorem first_step_is_not_the_request : ¬ ∀ {D ω : Type} (Ω : List ω) (scores : ω → List Int) (truth units : ω → Nat)
    (controller : ω → ChargeController D) {ds : List D} {N G p q a e : Nat} {δ : Frac},
    Exchangeable (N + 1) (map scores Ω) →
    countP (fun o => decide (newScore (scores o) < (truth o : Int))) Ω * e ≤ a * Ω.length →
    (∀ o, o ∈ Ω → ∀ y, y ∈ calibration (scores o) → y ≤ (units o : Int)) → (∀ o h d, (controller o).loss h d ≤ G) →
    (∀ o, o ∈ Ω → sumOver ((controller o).loss []) ds ≤ ds.length * truth o) →
    (∀ o, o ∈ Ω → reservePays p q δ.num δ.den (controller o).reserve = true) →
    (∀ o, o ∈ Ω → ∀ h, pays G p q (units o) ((controller o).charge h) = true) →
    (∀ o h, (controller o).charge h ≤ (controller o).offer h) →
    (∀ o d h, (controller o).budget h ≤ (controller o).budget (d :: h)) → ∀ T : Nat,
    (⟨sumOver (fun o => reachCount ds (controller o).overrun T []) Ω, Ω.length * ds.length ^ T⟩ : Frac)
      ≤ δ + ⟨a, e⟩ + ⟨1, N + 1⟩ := fun wrong => by
  refine absurd (wrong (D := Unit) (ω := Unit) [(), ()] (fun _ => [0, 0]) (fun _ => 0) (fun _ => 0) (fun _ => lateLosses)
    (ds := [()]) (N := 1) (G := 1) (p := 2) (q := 1) (a := 0) (e := 1) (δ := ⟨1, 4⟩) (exchangeable_perms [0, 0]) (by decide)
    (fun _ _ y m => ?_) (fun _ h _ => ?_) (fun _ _ => by decide) (fun _ _ => rfl) (fun _ _ _ => rfl) (fun _ _ => Nat.le_refl 0)
    (fun _ _ _ => Nat.le_refl 2) 4) (by decide +kernel)
  · cases m with
    | head => decide
    | tail _ m => exact nomatch m
  · cases h with
    | nil => exact Nat.zero_le 1
    | cons _ _ => exact Nat.le_refl 1
/-! ## Counting and thresholds -/

/-- **Entries at or below count too much**: `y ≤ x` in the place of `y < x` in `conformal_count`. -/
theorem weak_rank_count : ¬ ∀ (s : List Int) (k : Nat),
    countP (fun x => decide (k ≤ countP (fun y => decide (y ≤ x)) s)) s ≤ s.length - k :=
  fun wrong => absurd (wrong [5, 5, 5] 3) (by decide)

/-- **A value at the threshold is no lie**: `t ≤ x` in the place of `t < x` in `lies_iff_threshold_lt`. -/
theorem value_at_the_threshold : ¬ ∀ {k : Nat} {s : List Int} {t : Int}, kthSmallest k s = some t → ∀ x : Int,
    (lies k x s = true ↔ t ≤ x) :=
  fun wrong => nomatch (wrong (k := 1) (s := [5]) (t := 5) rfl 5).mpr (Int.le_refl 5)

/-- **Too few scores refuse**: `clampedAdmit` in the place of `conformalAdmit` in `conformal_admit_sound`.  One score, level 9/10. -/
theorem clamped_gate_is_not_sound : ¬ ∀ {scores : List Int} {num den : Nat} {γ x : Int}, clampedAdmit scores num den γ = true →
    γ < 2 * x → lies (conformalRank scores.length num den) x scores = true :=
  fun wrong => nomatch wrong (scores := [0]) (num := 9) (den := 10) (γ := 0) (x := 1) rfl (by decide)

/-- **The same for what the gate checks**: `clampedAdmit` in the place of `conformalAdmit` in `conformalAdmit_iff`. -/
theorem clamped_gate_has_no_threshold : ¬ ∀ (scores : List Int) (num den : Nat) (γ : Int),
    (clampedAdmit scores num den γ = true ↔ ∃ t, conformalThreshold scores num den = some t ∧ 0 ≤ γ ∧ 2 * t ≤ γ) := fun wrong => by
  obtain ⟨_, h, _⟩ := (wrong [0] 9 10 0).mp rfl
  exact nomatch h
end Gnosis.Falsifiers
