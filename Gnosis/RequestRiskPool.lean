prelude
import Gnosis.PoolOrderStatistic
import Gnosis.RequestRisk
/-! # The risk of a request, from a pool that was drawn from

`Gnosis.RequestRisk` for a finite pool of `M` requests: `N` of them, drawn without replacement, calibrate, and a further one is
served.  The mean bound is the largest estimate of the calibration.  If the pool's law of order statistics leaves more than `j`
members above the calibration with probability at most `a/d`, and the estimates of a share `α` of the pool fall below the true
scores, the request that is served overruns its budget with probability at most `δ + α + j/(M − N) + a/d`: for at least the
share `1 − a/d` of the calibrations, `j/(M − N)` bounds what the calibration at hand leaves. -/
universe u
open List
namespace Gnosis
variable {D : Type u}

/-- Every way to draw `N` entries to calibrate with and one further entry to serve. -/
def servedDraws {υ : Type} (N : Nat) (units : List υ) : List (List υ × υ) :=
  flatMap (fun p => map (fun x => (p.1, x)) p.2) (draws N units)

/-- There are `C(M, N)·(M - N)` of them. -/
theorem length_servedDraws {υ : Type} (N : Nat) (units : List υ) :
    (servedDraws N units).length = choose units.length N * (units.length - N) := by
  unfold servedDraws
  rw [length_flatMap_of_forall (n := units.length - N) (fun p m => by rw [length_map]; exact length_rest m), length_draws]

/-- Over all draws an entry is left `C(M - 1, N)` times. -/
theorem sumOver_rest {υ : Type} (q : υ → Bool) (N : Nat) (l : List υ) :
    sumOver (fun p => countP q p.2) (draws N l) = countP q l * choose (l.length - 1) N := by
  induction l generalizing N with
  | nil => cases N with
    | zero => rfl
    | succ N => exact (Nat.zero_mul _).symm
  | cons a l ih => cases N with
    | zero =>
      show countP q (a :: l) + 0 = countP q (a :: l) * choose _ 0
      rw [choose_zero, Nat.mul_one]; rfl
    | succ N =>
      have app : ∀ (f : List υ × List υ → Nat) (k k' : List (List υ × List υ)), sumOver f (k ++ k') = sumOver f k + sumOver f k' :=
        fun f k k' => by
          induction k with
          | nil => exact (Nat.zero_add _).symm
          | cons x k ih => show f x + sumOver f (k ++ k') = f x + sumOver f k + sumOver f k'; rw [ih, Nat.add_assoc]
      show sumOver (fun p : List υ × List υ => countP q p.2) (map _ (draws N l) ++ map _ (draws (N + 1) l)) = _
      rw [app, sumOver_map, sumOver_map, ih N]
      have second : sumOver (fun p : List υ × List υ => countP q (a :: p.2)) (draws (N + 1) l)
          = countP q l * choose (l.length - 1) (N + 1) + choose l.length (N + 1) * cond (q a) 1 0 := by
        rw [sumOver_congr (g := fun p : List υ × List υ => countP q p.2 + cond (q a) 1 0) (fun p _ => countP_cons q a p.2),
          sumOver_add, sumOver_const, length_draws, ih (N + 1)]
      rw [second, countP_cons]
      show _ = (countP q l + cond (q a) 1 0) * choose (l.length + 1 - 1) (N + 1)
      rw [Nat.add_sub_cancel]
      cases hl : l with
      | nil =>
        show 0 * _ + (0 * _ + choose 0 (N + 1) * cond (q a) 1 0) = (0 + cond (q a) 1 0) * choose 0 (N + 1)
        rw [choose_eq_zero (Nat.succ_le_succ (Nat.zero_le N)), Nat.zero_mul, Nat.zero_mul, Nat.zero_mul, Nat.mul_zero]
      | cons b k =>
        show countP q (b :: k) * choose k.length N + (countP q (b :: k) * choose k.length (N + 1)
            + (choose k.length N + choose k.length (N + 1)) * cond (q a) 1 0)
          = (countP q (b :: k) + cond (q a) 1 0) * (choose k.length N + choose k.length (N + 1))
        generalize countP q (b :: k) = x, choose k.length N = y, choose k.length (N + 1) = z, cond (q a) 1 0 = w
        nat_ring

/-- `C(M - 1, N)·M = C(M, N)·(M - N)`. -/
theorem choose_pred (M N : Nat) : choose (M - 1) N * M = choose M N * (M - N) := by
  rcases Nat.lt_or_ge N M with h | h
  · obtain ⟨m, rfl⟩ := Nat.exists_of_le h
    have e := choose_mul_rising N m 1
    have e : choose (N + m) N * (1 * (N + m + 1 + 0)) = choose (N + m + 1) N * (1 * (m + 1 + 0)) := e
    have s : N + 1 + m = N + m + 1 := Nat.add_right_comm N 1 m
    have d : N + 1 + m - N = m + 1 := by rw [Nat.add_assoc, Nat.add_sub_cancel_left, Nat.add_comm]
    have p : N + 1 + m - 1 = N + m := by rw [s, Nat.add_sub_cancel]
    show choose (N + 1 + m - 1) N * (N + 1 + m) = choose (N + 1 + m) N * (N + 1 + m - N)
    rw [d, p, s]
    rw [Nat.one_mul, Nat.one_mul] at e
    exact e
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    rw [Nat.sub_add_eq_zero, Nat.mul_zero]
    cases M with
    | zero => exact Nat.mul_zero _
    | succ M =>
      show choose (M + 1 - 1) (M + 1 + k) * _ = 0
      rw [Nat.add_sub_cancel, choose_eq_zero (Nat.le_add_right (M + 1) k), Nat.zero_mul]

/-- **The risk of a request from a pool**: `units` lists the requests of a pool, each with its estimate and its true score, which
bounds the mean loss of every step that is compressed.  `N ≥ 1` of them calibrate and a further one is served, all draws equally
likely; the mean bound is at least the largest estimate of the calibration, and the charges pay for it.  If estimates fall below
true scores for the share `a'/e` of the pool, and `C(M - (j + 1), N) / C(M, N) ≤ a / d`, the cumulative loss ever exceeds the
budget with probability at most `δ + a'/e + j/(M - N) + a/d`. -/
theorem total_risk_training_conditional {υ : Type} (units : List υ) (score : υ → Int) (truth : υ → Nat) (bound : List υ → Nat)
    (controller : List υ × υ → ChargeController D) {ds : List D} {N G p q j a d a' e : Nat} {δ : Frac} (hN : 0 < N)
    (hj : j + 1 ≤ units.length)
    (own : countP (fun x => decide (score x < (truth x : Int))) units * e ≤ a' * units.length)
    (confidence : choose (units.length - (j + 1)) N * d ≤ a * choose units.length N)
    (largest : ∀ s, s ∈ draws N units → ∀ y, y ∈ s.1 → score y ≤ (bound s.1 : Int))
    (hl : ∀ o h x, (controller o).loss h x ≤ G)
    (mean : ∀ s, s ∈ draws N units → ∀ x, x ∈ s.2 → ∀ h, (controller (s.1, x)).compresses h = true →
      sumOver ((controller (s.1, x)).loss h) ds ≤ ds.length * truth x)
    (reserve : ∀ o, reservePays p q δ.num δ.den (controller o).reserve = true)
    (charges : ∀ s, s ∈ draws N units → ∀ x, x ∈ s.2 → ∀ h, pays G p q (bound s.1) ((controller (s.1, x)).charge h) = true)
    (settle : ∀ o h, (controller o).charge h ≤ (controller o).offer h)
    (mono : ∀ o x h, (controller o).budget h ≤ (controller o).budget (x :: h)) (T : Nat) :
    (⟨sumOver (fun o => reachCount ds (controller o).overrun T []) (servedDraws N units),
      (servedDraws N units).length * ds.length ^ T⟩ : Frac) ≤ δ + ⟨a', e⟩ + ⟨j, units.length - N⟩ + ⟨a, d⟩ := by
  have sum := overruns_le (Ω := servedDraws N units) (controller := controller) (ds := ds) (δ := δ) (T := T)
    (fails := fun o => decide (bound o.1 < truth o.2)) (fun o m ok => by
      obtain ⟨s, ms, m⟩ := exists_of_mem_flatMap m
      obtain ⟨x, mx, rfl⟩ := exists_of_mem_map m
      refine overrun_le_of_mean (controller (s.1, x)) (m := bound s.1) (hl _) (fun h c => ?_) (reserve _) (charges s ms x mx) (settle _)
        (mono _) T
      refine Nat.le_trans (mean s ms x mx h c) (Nat.mul_le_mul_left _ ?_)
      exact (Nat.lt_or_ge (bound s.1) (truth x)).elim (fun g => nomatch (decide_eq_true g).symm.trans ok) id)
  -- failures: an estimate below the true score, or one above the whole calibration
  have fails : countP (fun o : List υ × υ => decide (bound o.1 < truth o.2)) (servedDraws N units)
      ≤ sumOver (fun s => countP (fun x => decide (score x < (truth x : Int))) s.2) (draws N units)
        + sumOver (fun s => poolAbove (map score s.2) (map score s.1)) (draws N units) := by
    unfold servedDraws
    rw [countP_flatMap, ← sumOver_add]
    refine sumOver_le fun s m => ?_
    rw [countP_map]
    unfold poolAbove
    rw [countP_map]
    refine countP_le_add fun x _ h => ?_
    rcases Int.lt_or_ge (score x) (truth x : Int) with g | g
    · exact .inl (decide_eq_true g)
    · refine .inr (all_eq_true.mpr fun y my => ?_)
      obtain ⟨z, mz, rfl⟩ := exists_of_mem_map my
      exact decide_eq_true (Int.lt_of_le_of_lt (largest s m z mz) (Int.lt_of_lt_of_le (Int.ofNat_le.mpr (of_decide_eq_true h)) g))
  rw [sumOver_rest] at fails
  have above : sumOver (fun s => poolAbove (map score s.2) (map score s.1)) (draws N units) * d
      ≤ choose units.length N * j * d + (units.length - N) * (a * choose units.length N) := by
    have each : ∀ s, s ∈ draws N units → poolAbove (map score s.2) (map score s.1)
        ≤ j + bif decide (j + 1 ≤ poolAbove (map score s.2) (map score s.1)) then units.length - N else 0 := fun s m => by
      rcases Nat.lt_or_ge j (poolAbove (map score s.2) (map score s.1)) with g | g
      · rw [decide_eq_true (p := j + 1 ≤ poolAbove (map score s.2) (map score s.1)) g]
        refine Nat.le_trans ?_ (Nat.le_add_left _ j)
        refine Nat.le_trans (countP_le_length _ _) (Nat.le_of_eq ?_)
        rw [length_map]; exact length_rest m
      · exact Nat.le_trans g (Nat.le_add_right _ _)
    have total := sumOver_le each
    rw [sumOver_add, sumOver_const, sumOver_cond, length_draws] at total
    have bad : countP (fun s => decide (j + 1 ≤ poolAbove (map score s.2) (map score s.1))) (draws N units)
        ≤ choose (units.length - (j + 1)) N := by
      have law := pool_negative_hypergeometric_ties (map score units) N (j + 1) (by rw [length_map]; exact hj)
      rw [length_map] at law
      refine Nat.le_trans ?_ law
      show _ ≤ countP _ (map _ (draws N (map score units)))
      rw [draws_map, map_map, countP_map]
      refine countP_le_countP fun s m h => ?_
      have mem : (map score s.1, map score s.2) ∈ draws N (map score units) := by
        rw [draws_map]; exact mem_map_of_mem (fun p : List υ × List υ => (map score p.1, map score p.2)) m
      have ne : map score s.1 ≠ [] := fun e => by
        have l := (mem_draws mem).1
        have e' : (map score s.1, map score s.2).1 = [] := e
        rw [e'] at l
        exact Nat.lt_irrefl 0 (Nat.lt_of_lt_of_le hN (Nat.le_of_eq l.symm))
      have same := (pool_next_draw mem).2 ne
      have h := of_decide_eq_true h
      rw [same] at h
      exact decide_eq_true h
    have bad := Nat.le_trans (Nat.mul_le_mul_right d bad) confidence
    generalize sumOver (fun s => poolAbove (map score s.2) (map score s.1)) (draws N units) = B,
      countP (fun s => decide (j + 1 ≤ poolAbove (map score s.2) (map score s.1))) (draws N units) = X, units.length - N = R,
      choose units.length N = C at *
    calc B * d ≤ (C * j + X * R) * d := Nat.mul_le_mul_right d total
      _ = C * j * d + R * (X * d) := by nat_ring
      _ ≤ C * j * d + R * (a * C) := Nat.add_le_add_left (Nat.mul_le_mul_left R bad) _
  have pred := choose_pred units.length N
  have len := length_servedDraws N units
  show sumOver _ (servedDraws N units) * (δ.den * e * (units.length - N) * d)
    ≤ (((δ.num * e + a' * δ.den) * (units.length - N) + j * (δ.den * e)) * d + a * (δ.den * e * (units.length - N)))
      * ((servedDraws N units).length * ds.length ^ T)
  rw [len] at sum ⊢
  generalize sumOver (fun o => reachCount ds (controller o).overrun T []) (servedDraws N units) = S,
    countP (fun o : List υ × υ => decide (bound o.1 < truth o.2)) (servedDraws N units) = K,
    sumOver (fun s => poolAbove (map score s.2) (map score s.1)) (draws N units) = B₂,
    countP (fun x => decide (score x < (truth x : Int))) units = b at *
  generalize choose (units.length - 1) N = C₁, choose units.length N = C, units.length - N = R at *
  generalize units.length = M, ds.length ^ T = P, δ.num = n, δ.den = f at *
  have first : b * C₁ * e ≤ a' * (C * R) := by
    calc b * C₁ * e = b * e * C₁ := by nat_ring
      _ ≤ a' * M * C₁ := Nat.mul_le_mul_right _ own
      _ = a' * (C₁ * M) := by nat_ring
      _ = a' * (C * R) := by rw [pred]
  calc S * (f * e * R * d) = S * f * (e * R * d) := by nat_ring
    _ ≤ (C * R * n + K * f) * P * (e * R * d) := Nat.mul_le_mul_right _ sum
    _ ≤ (C * R * n + (b * C₁ + B₂) * f) * P * (e * R * d) :=
        Nat.mul_le_mul_right _ (Nat.mul_le_mul_right _ (Nat.add_le_add_left (Nat.mul_le_mul_right f fails) _))
    _ = C * R * n * P * (e * R * d) + (b * C₁ * e) * (f * P * R * d) + (B₂ * d) * (f * P * e * R) := by nat_ring
    _ ≤ C * R * n * P * (e * R * d) + a' * (C * R) * (f * P * R * d) + (C * j * d + R * (a * C)) * (f * P * e * R) :=
        Nat.add_le_add (Nat.add_le_add_left (Nat.mul_le_mul_right _ first) _) (Nat.mul_le_mul_right _ above)
    _ = (((n * e + a' * f) * R + j * (f * e)) * d + a * (f * e * R)) * (C * R * P) := by nat_ring

/-- A request that loses `truth` units of the grid `0, 1` at every step that it compresses; budget and reserve `2`, and the charge of a
step is the mean bound. -/
def steadyRequest (bound truth : Nat) : ChargeController Unit where
  reserve := 2
  offer _ := bif Nat.beq bound 0 then 0 else 1
  charge _ := bif Nat.beq bound 0 then 0 else 1
  budget _ := 2
  loss _ _ := bif Nat.beq truth 0 then 0 else 1

/-- Not vacuous: a pool of a harmless and a lossy request, one of which calibrates.  All hypotheses hold with `δ = 1/4`, `α = 0`, `j = 0` and
the confidence 1/2.  Where the harmless one calibrates, the lossy one is not charged and overruns: one draw of two, which is
`C(1, 1)/C(2, 1)`, the confidence that is missing. -/
theorem total_risk_pool_sample :
    (⟨sumOver (fun o : List Nat × Nat => reachCount [()] (steadyRequest (sumOver (fun x => x) o.1) o.2).overrun 3 []) (servedDraws 1 [0, 1]),
      (servedDraws 1 [0, 1]).length * [()].length ^ 3⟩ : Frac) ≤ ⟨1, 4⟩ + ⟨0, 1⟩ + ⟨0, [0, 1].length - 1⟩ + ⟨1, 2⟩ ∧
    (servedDraws 1 [0, 1]).length = 2 ∧
    sumOver (fun o : List Nat × Nat => reachCount [()] (steadyRequest (sumOver (fun x => x) o.1) o.2).overrun 3 []) (servedDraws 1 [0, 1])
      = 1 := by
  refine ⟨?_, rfl, rfl⟩
  refine total_risk_training_conditional (D := Unit) (υ := Nat) [0, 1] (fun x => (x : Int)) (fun x => x) (fun s => sumOver (fun x => x) s)
    (fun o => steadyRequest (sumOver (fun x => x) o.1) o.2) (ds := [()]) (N := 1) (G := 1) (p := 2) (q := 1) (j := 0) (a := 1) (d := 2)
    (a' := 0) (e := 1) (δ := ⟨1, 4⟩) (Nat.le_refl 1) (by decide) (by decide) (by decide) (fun s ms y m => ?_) (fun o _ _ => ?_)
    (fun s _ x _ h _ => ?_) (fun o => rfl) (fun s ms x _ h => ?_) (fun o h => Nat.le_refl _) (fun o x h => Nat.le_refl _) 3
  · have ms : s ∈ draws 1 [0, 1] := ms
    cases ms with
    | head => cases m with
      | head => exact Int.le_refl _
      | tail _ m => exact nomatch m
    | tail _ ms => cases ms with
      | head => cases m with
        | head => exact Int.le_refl _
        | tail _ m => exact nomatch m
      | tail _ ms => exact nomatch ms
  · show (bif Nat.beq o.2 0 then 0 else 1) ≤ 1
    cases Nat.beq o.2 0 with
    | true => exact Nat.zero_le 1
    | false => exact Nat.le_refl 1
  · show (bif Nat.beq x 0 then 0 else 1) + 0 ≤ 1 * x
    cases x with
    | zero => exact Nat.le_refl 0
    | succ x => rw [Nat.one_mul]; exact Nat.succ_le_succ (Nat.zero_le x)
  · have ms : s ∈ draws 1 [0, 1] := ms
    cases ms with
    | head => rfl
    | tail _ ms => cases ms with
      | head => rfl
      | tail _ ms => exact nomatch ms
end Gnosis
