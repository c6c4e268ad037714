prelude
import Gnosis.ConformalCoverageAdmissibility
import Gnosis.Foundation.Exchangeable
/-! # Conformal coverage: probabilities

No measure theory: a probability is a share of equally likely outcomes.  The theorems come in two strengths.

* Over all orders of `n + 1` given scores, head first: `conformal_lie_rate_certified`, sharp without ties.
* For every exchangeable sample of `n + 1` scores (`Exchangeable`): `conformal_lie_rate_exchangeable`,
  `conformal_admitted_failure_rate`, `conformal_risk_union`.

What these bound is *marginal*: the average over the calibration draw as well as the new score.  What holds for the
calibration set that was actually drawn is another statement; for a finite pool it is
`pool_negative_hypergeometric` with its corollaries.  `Gnosis.Falsifiers.Conformal` shows that the two must not be
confused. -/
universe u
open List
namespace Gnosis

/-! ## All orders -/

/-- A score is not below itself. -/
theorem rankLt_cons_self (x : Int) (l : List Int) : rankLt (x :: l) x = rankLt l x :=
  countP_cons_of_neg (p := fun y => decide (y < x)) l (decide_eq_false (Int.lt_irrefl x))

/-- Exact count: of the orders of `n + 1` scores, the threshold lies in `n!` for each score that has at least `k`
scores strictly below it. -/
theorem countP_liesOrder_perms (n k : Nat) (s : List Int) (h : s.length = n + 1) :
    countP (liesOrder k) (perms s) = countP (fun x => decide (k ≤ rankLt s x)) s * factorial n := by
  unfold perms
  rw [h]
  show countP _ (flatMap _ (picks s)) = _
  rw [countP_flatMap, ← sumOver_cond]
  refine (sumOver_congr (fun p m => ?_)).trans (sumOver_picks _ s)
  have hl : p.2.length = n := length_of_mem_picks h m
  have rank : rankLt s p.1 = rankLt p.2 p.1 := ((mem_picks s p m).2 _).trans (rankLt_cons_self p.1 p.2)
  rw [countP_map, countP_congr (q := fun _ => decide (k ≤ rankLt s p.1))]
  · cases decide (k ≤ rankLt s p.1) with
    | true => exact (countP_true _).trans (length_permsOf n p.2 hl)
    | false => exact countP_false _
  · intro t mt
    show decide (k ≤ rankLt t p.1) = _
    have e : rankLt t p.1 = rankLt s p.1 := by
      rw [rank]; exact (countP_of_mem_permsOf n p.2 hl t mt).2 _
    rw [e]

/-- **Conformal lie rate**: over all `(n + 1)!` orders of `n + 1` scores, ties allowed, the share in which the
threshold of rank `k` taken from the tail lies about the head is at most `(n + 1 - k) / (n + 1)`. -/
theorem conformal_lie_rate_certified (n k : Nat) (s : List Int) (h : s.length = n + 1) :
    countP (liesOrder k) (perms s) * (n + 1) ≤ (n + 1 - k) * factorial (n + 1) := by
  rw [countP_liesOrder_perms n k s h, Nat.mul_assoc, Nat.mul_comm (factorial n), ← h]
  show _ * (s.length * factorial n) ≤ _
  rw [h]
  exact Nat.mul_le_mul_right _ (Nat.le_trans (conformal_count s k) (Nat.le_of_eq (congrArg (· - k) h)))

/-- **Sharp**: when all scores differ, the lie rate is exactly `(n + 1 - k) / (n + 1)`. -/
theorem conformal_lie_rate_sharp (n k : Nat) (s : List Int) (h : s.length = n + 1) (distinct : Nodup s) :
    countP (liesOrder k) (perms s) * (n + 1) = (n + 1 - k) * factorial (n + 1) := by
  rw [countP_liesOrder_perms n k s h, Nat.mul_assoc, Nat.mul_comm (factorial n), conformal_count_sharp s k distinct, h]
  rfl

/-- Four different scores, rank 3: in 6 of the 24 orders the threshold lies. -/
theorem conformal_lie_rate_instance :
    countP (liesOrder 3) (perms [3, -1, 4, 5]) = 6 ∧ (perms [(3 : Int), -1, 4, 5]).length = 24 := ⟨rfl, rfl⟩

/-! ## Exchangeable samples -/

/-- `(n + 1 - k) / (n + 1) ≤ 1 - q` for the rank `k` of level `q = num / den`. -/
theorem sub_conformalRank_mul_le (n num den : Nat) (hden : 0 < den) :
    (n + 1 - conformalRank n num den) * den ≤ (n + 1) * (den - num) := by
  have h := (conformalRank_le_iff n num den _ hden).mp .refl
  generalize conformalRank n num den = k at *
  rcases Nat.le_total k (n + 1) with g | g
  · rcases Nat.le_total num den with f | f
    · have e₁ := Nat.add_sub_of_le g
      have e₂ := Nat.add_sub_of_le f
      generalize n + 1 - k = x, den - num = y at *
      rw [← e₁, ← e₂] at h ⊢
      nat_lin [h]
    · -- a level of at least 1 has a rank above `n`
      have : (n + 1) * den ≤ k * den := Nat.le_trans (Nat.mul_le_mul_left _ f) h
      rw [Nat.le_antisymm g (Nat.le_of_mul_le_mul_right this hden), Nat.sub_self, Nat.zero_mul]
      exact Nat.zero_le _
  · obtain ⟨d, e⟩ := Nat.exists_of_le g
    rw [e, Nat.sub_add_eq_zero, Nat.zero_mul]
    exact Nat.zero_le _

/-- **Exchangeability gives the lie rate**: in every exchangeable sample of `n + 1` scores, ties allowed, the
threshold of rank `k` taken from the `n` calibration scores lies about the new score with probability at most `(n +
1 - k) / (n + 1)`. -/
theorem conformal_lie_rate_exchangeable {n : Nat} {Ω : List (List Int)} (exchangeable : Exchangeable (n + 1) Ω)
    (k : Nat) : countP (liesOrder k) Ω * (n + 1) ≤ (n + 1 - k) * Ω.length := by
  have share := exchangeable_share exchangeable (liesOrder k)
  have each : sumOver (fun t => countP (liesOrder k) (perms t) * (n + 1)) Ω
      ≤ sumOver (fun _ => (n + 1 - k) * factorial (n + 1)) Ω :=
    sumOver_le (fun t m => conformal_lie_rate_certified n k t (exchangeable.1 t m))
  rw [sumOver_const, ← sumOver_mul, ← share] at each
  refine Nat.le_of_mul_le_mul_right (c := factorial (n + 1)) ?_ (factorial_pos (n + 1))
  nat_lin [each]

/-- A share of at most `(n + 1 - k)/(n + 1)`, with the rank `k` of level `q`, is a share of at most `1 - q`. -/
theorem level_of_rank {c m n num den : Nat} (hden : 0 < den) (h : c * (n + 1) ≤ (n + 1 - conformalRank n num den) * m) :
    c * den ≤ (den - num) * m := by
  have r := sub_conformalRank_mul_le n num den hden
  refine Nat.le_of_mul_le_mul_right (c := n + 1) ?_ (Nat.succ_le_succ (Nat.zero_le n))
  have h := Nat.mul_le_mul_left den h
  have r := Nat.mul_le_mul_left m r
  generalize n + 1 - conformalRank n num den = x, den - num = y at *
  nat_lin [h, r]

/-- **The level is kept**: with the rank of level `q = num / den` the lie rate of an exchangeable sample is at most
`1 - q`. -/
theorem conformal_lie_rate_level {n : Nat} {Ω : List (List Int)} (exchangeable : Exchangeable (n + 1) Ω)
    (num den : Nat) (hden : 0 < den) :
    countP (liesOrder (conformalRank n num den)) Ω * den ≤ (den - num) * Ω.length :=
  level_of_rank hden (conformal_lie_rate_exchangeable exchangeable (conformalRank n num den))

/-- Admitted, and yet the new residual does not fit into the margin: head of the list the new score, tail the
calibration scores on which the gate decides. -/
def admittedFailure (num den : Nat) (γ : Int) : List Int → Bool
  | [] => false
  | x :: rest => conformalAdmit rest num den γ && decide (γ < 2 * x)

/-- **The gate's guarantee**: in every exchangeable sample the probability that the gate of level `q = num / den`
admits and the new residual nevertheless exceeds half the margin is at most `1 - q`.  (This is the probability of
both together; given admission the share of failures can be larger, see `Gnosis.Falsifiers.Conformal`.) -/
theorem conformal_admitted_failure_rate {n : Nat} {Ω : List (List Int)} (exchangeable : Exchangeable (n + 1) Ω)
    (num den : Nat) (hden : 0 < den) (γ : Int) :
    countP (admittedFailure num den γ) Ω * den ≤ (den - num) * Ω.length := by
  refine Nat.le_trans (Nat.mul_le_mul_right den (countP_le_countP (fun t m h => ?_)))
    (conformal_lie_rate_level exchangeable num den hden)
  have len := exchangeable.1 t m
  cases t with
  | nil => exact nomatch len
  | cons x rest =>
    have len : rest.length = n := Nat.add_right_cancel len
    have h : (conformalAdmit rest num den γ && decide (γ < 2 * x)) = true := h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    rw [← len]
    exact conformal_admit_sound h₁ (of_decide_eq_true h₂)

/-- **Attained**: two scores 0 and 10, level 1/2, margin 0: in one of the two orders the gate admits and fails. -/
theorem conformal_admitted_failure_sharp :
    Exchangeable 2 (perms [0, 10])
    ∧ countP (admittedFailure 1 2 0) (perms [0, 10]) * 2 = (2 - 1) * (perms [(0 : Int), 10]).length :=
  ⟨exchangeable_perms [0, 10], rfl⟩

/-! ## Above the maximum of the calibration scores -/

/-- The new score of a sample. -/
def newScore : List Int → Int
  | [] => 0
  | x :: _ => x

/-- The calibration scores of a sample. -/
def calibration : List Int → List Int
  | [] => []
  | _ :: rest => rest

/-- The value `x` exceeds every calibration score, that is, it exceeds their maximum. -/
def exceedsAll (x : Int) (rest : List Int) : Bool := rest.all (fun y => decide (y < x))

/-- To exceed all `N` scores is the lie of rank `N`. -/
theorem lies_length_iff (x : Int) (rest : List Int) : lies rest.length x rest = true ↔ exceedsAll x rest = true := by
  refine Iff.trans ?_ all_eq_true.symm
  have e := countP_add_countP_not (fun y => decide (y < x)) rest
  constructor
  · intro h y m
    have h : rest.length ≤ countP (fun y => decide (y < x)) rest := of_decide_eq_true h
    cases c : decide (y < x) with
    | true => rfl
    | false =>
      refine absurd (Nat.le_antisymm ?_ (Nat.zero_le _))
        (countP_eq_zero_or_exists_best.countP_ne_zero (p := fun y => !decide (y < x)) m
          (by show (!decide (y < x)) = true; rw [c]; rfl))
      nat_lin [h, Nat.le_of_eq e]
  · intro h
    exact decide_eq_true (Nat.le_of_eq (countP_eq_length_of_forall h).symm)

/-- A new score above the maximum of `N` calibration scores has probability at most `1 / (N + 1)` in an exchangeable
sample. -/
theorem conformal_new_maximum {N : Nat} {Ω : List (List Int)} (exchangeable : Exchangeable (N + 1) Ω) :
    countP (fun t => exceedsAll (newScore t) (calibration t)) Ω * (N + 1) ≤ Ω.length := by
  refine Nat.le_trans (Nat.mul_le_mul_right _ (countP_le_countP (q := liesOrder N) (fun t m h => ?_)))
    (Nat.le_trans (conformal_lie_rate_exchangeable exchangeable N) (Nat.le_of_eq ?_))
  · have len := exchangeable.1 t m
    cases t with
    | nil => exact nomatch len
    | cons x rest =>
      show lies N x rest = true
      rw [← Nat.add_right_cancel len]
      exact (lies_length_iff x rest).mpr h
  · rw [Nat.add_comm N 1, Nat.add_sub_cancel, Nat.one_mul]

/-- **Risk of the next history**: outcomes `Ω`, equally likely, each with the scores of `N + 1` histories (the new
one first, `scores`) and the true value for the new history (`truth`).  If the scores are exchangeable and the new
history's own score falls below its true value with probability at most `a / d`, then the true value exceeds the
maximum of the `N` calibration scores with probability at most `1 / (N + 1) + a / d`. -/
theorem conformal_risk_union {ω : Type} (Ω : List ω) (scores : ω → List Int) (truth : ω → Int) (N a d : Nat)
    (exchangeable : Exchangeable (N + 1) (map scores Ω))
    (own : countP (fun o => decide (newScore (scores o) < truth o)) Ω * d ≤ a * Ω.length) :
    countP (fun o => exceedsAll (truth o) (calibration (scores o))) Ω * ((N + 1) * d)
      ≤ (d + a * (N + 1)) * Ω.length := by
  have new := conformal_new_maximum exchangeable
  rw [countP_map, length_map] at new
  have cover : countP (fun o => exceedsAll (truth o) (calibration (scores o))) Ω
      ≤ countP (fun o => exceedsAll (newScore (scores o)) (calibration (scores o))) Ω
        + countP (fun o => decide (newScore (scores o) < truth o)) Ω := by
    refine countP_le_add (fun o _ h => ?_)
    rcases Int.lt_or_ge (newScore (scores o)) (truth o) with g | g
    · exact .inr (decide_eq_true g)
    · refine .inl (all_eq_true.mpr (fun y m => decide_eq_true (Int.lt_of_lt_of_le ?_ g)))
      exact of_decide_eq_true (all_eq_true.mp h y m)
  have cover := Nat.mul_le_mul_right ((N + 1) * d) cover
  have new := Nat.mul_le_mul_left d new
  have own := Nat.mul_le_mul_left (N + 1) own
  generalize countP (fun o => exceedsAll (truth o) (calibration (scores o))) Ω = x,
    countP (fun o => exceedsAll (newScore (scores o)) (calibration (scores o))) Ω = y,
    countP (fun o => decide (newScore (scores o) < truth o)) Ω = z at *
  nat_lin [cover, new, own]

/-- The bound of `conformal_risk_union` is attained, with one calibration history (`N = 1`) and `a / d = 1/2`:
scores 0 and 10 in either order; the true value of the history with score 0 is 11, that of the other one is its
score.  In both outcomes the true value exceeds the calibration score, and `1/(1 + 1) + 1/2 = 1`. -/
theorem conformal_risk_union_sharp :
    let truth : List Int → Int := fun t => bif decide (newScore t = 0) then 11 else newScore t
    Exchangeable 2 (map (fun t => t) (perms [0, 10]))
    ∧ countP (fun t => decide (newScore t < truth t)) (perms [0, 10]) * 2 ≤ 1 * (perms [(0 : Int), 10]).length
    ∧ countP (fun t => exceedsAll (truth t) (calibration t)) (perms [0, 10]) * ((1 + 1) * 2)
        = (2 + 1 * (1 + 1)) * (perms [(0 : Int), 10]).length :=
  ⟨exchangeable_perms [0, 10], Nat.le_of_ble_eq_true rfl, rfl⟩

/-! ## A finite pool, drawn without replacement -/

/-- How many entries of `s` lie strictly above `x`. -/
def rankGt (s : List Int) (x : Int) : Nat := countP (fun y => decide (x < y)) s

/-- Ranks from above are ranks from below of the negatives. -/
theorem rankGt_eq (s : List Int) (x : Int) : rankGt s x = rankLt (map (fun y => -y) s) (-x) := by
  unfold rankGt rankLt
  rw [countP_map]
  refine countP_congr (fun y _ => ?_)
  by_cases h : x < y
  · rw [decide_eq_true h, decide_eq_true (by lin [h])]
  · have g : ¬ -y < -x := fun g => h (by lin [g])
    rw [decide_eq_false h, decide_eq_false g]

/-- The same for how many entries have a rank from above of at least `j`. -/
theorem countP_rankGt (s : List Int) (j : Nat) : countP (fun x => decide (j ≤ rankGt s x)) s
    = countP (fun x => decide (j ≤ rankLt (map (fun y => -y) s) x)) (map (fun y => -y) s) := by
  rw [countP_map]
  exact countP_congr (fun x _ => by rw [rankGt_eq])

/-- At least `j` members of the pool lie above the maximum of the sample `S` exactly when every member of `S` has at
least `j` members of the pool strictly above it: `S` avoids the top `j`. -/
theorem le_poolAbove_iff {pool S : List Int} {j : Nat} (hj : j ≤ pool.length) :
    j ≤ poolAbove pool S ↔ ∀ y, y ∈ S → j ≤ rankGt pool y := by
  constructor
  · exact fun h y m => Nat.le_trans h (countP_le_countP (fun x _ hx => all_eq_true.mp hx y m))
  · intro h
    rcases countP_eq_zero_or_exists_best (r := fun a b : Int => b ≤ a) (fun a b => Int.le_total b a)
      (fun h g => Int.le_trans g h) (fun _ => true) S with e | ⟨y, m, _, top⟩
    · rw [countP_true] at e
      cases S with
      | nil => exact Nat.le_trans hj (Nat.le_of_eq (countP_true pool).symm)
      | cons y S => exact nomatch e
    · refine Nat.le_trans (h y m) (countP_le_countP (fun x _ hx => all_eq_true.mpr (fun z mz => ?_)))
      exact decide_eq_true (Int.lt_of_le_of_lt (top z mz rfl) (of_decide_eq_true hx))

/-- Samples that avoid the top `j` are the subsets of the members that are not among them. -/
theorem countP_le_poolAbove (pool : List Int) (N j : Nat) (hj : j ≤ pool.length) :
    countP (fun S => decide (j ≤ poolAbove pool S)) (subsets N pool)
      = choose (countP (fun x => decide (j ≤ rankGt pool x)) pool) N := by
  rw [← countP_all_subsets]
  refine countP_congr (fun S _ => ?_)
  by_cases h : j ≤ poolAbove pool S
  · rw [decide_eq_true h]
    exact (all_eq_true.mpr (fun y m => decide_eq_true ((le_poolAbove_iff hj).mp h y m))).symm
  · rw [decide_eq_false h]
    cases c : all S (fun x => decide (j ≤ rankGt pool x)) with
    | false => rfl
    | true => exact absurd ((le_poolAbove_iff hj).mpr (fun y m => of_decide_eq_true (all_eq_true.mp c y m))) h

/-- **Negative hypergeometric law**: draw `N` of the `M` members of a pool of different scores without replacement.
Of the `C(M, N)` samples exactly `C(M - j, N)` leave at least `j` members of the pool above the sample's maximum. -/
theorem pool_negative_hypergeometric (pool : List Int) (N j : Nat) (hj : j ≤ pool.length) (distinct : Nodup pool) :
    (subsets N pool).length = choose pool.length N
    ∧ countP (fun S => decide (j ≤ poolAbove pool S)) (subsets N pool) = choose (pool.length - j) N := by
  refine ⟨length_subsets N pool, ?_⟩
  rw [countP_le_poolAbove pool N j hj, countP_rankGt, conformal_count_sharp, length_map]
  exact nodup_map (fun a b e => by
    have e : -a = -b := e
    have k : - -a = - -b := congrArg (fun z => -z) e
    rw [Int.neg_neg, Int.neg_neg] at k; exact k) distinct

/-- With ties at most `C(M - j, N)` of the samples leave at least `j` members of the pool strictly above their
maximum. -/
theorem pool_negative_hypergeometric_ties (pool : List Int) (N j : Nat) (hj : j ≤ pool.length) :
    countP (fun S => decide (j ≤ poolAbove pool S)) (subsets N pool) ≤ choose (pool.length - j) N := by
  rw [countP_le_poolAbove pool N j hj, countP_rankGt]
  refine choose_le_choose N (Nat.le_trans (conformal_count _ j) (Nat.le_of_eq ?_))
  rw [length_map]

/-- What the next draw risks: no member of the sample exceeds the sample's maximum, so of the `M - N` members that
are left exactly `poolAbove pool S` do. -/
theorem pool_next_draw {pool : List Int} {N : Nat} {p : List Int × List Int} (h : p ∈ draws N pool) :
    p.2.length = pool.length - N ∧ (p.1 ≠ [] → poolAbove p.2 p.1 = poolAbove pool p.1) := by
  refine ⟨length_rest h, fun ne => ?_⟩
  unfold poolAbove
  rw [(mem_draws h).2 (fun x => all p.1 (fun y => decide (y < x)))]
  have zero : countP (fun x => all p.1 (fun y => decide (y < x))) p.1 = 0 := by
    rw [countP_congr (q := fun _ => false), countP_false]
    intro x m
    cases c : all p.1 (fun y => decide (y < x)) with
    | false => rfl
    | true => exact absurd (of_decide_eq_true (all_eq_true.mp c x m)) (Int.lt_irrefl x)
  rw [zero, Nat.zero_add]

/-- **Training-conditional coverage of a finite pool**: if `C(M - (j + 1), N) / C(M, N) ≤ a / d`, then for at least
the share `1 - a / d` of the samples of `N ≥ 1` members, at most `j` of the `M - N` members that are left exceed the
sample's maximum: the next draw misses with probability at most `j / (M - N)`. -/
theorem pool_training_conditional (pool : List Int) (N j a d : Nat) (hN : 0 < N) (hj : j + 1 ≤ pool.length)
    (h : choose (pool.length - (j + 1)) N * d ≤ a * choose pool.length N) :
    (d - a) * (draws N pool).length ≤ countP (fun p => decide (poolAbove p.2 p.1 ≤ j)) (draws N pool) * d := by
  have bad : countP (fun p => !decide (poolAbove p.2 p.1 ≤ j)) (draws N pool) ≤ choose (pool.length - (j + 1)) N := by
    refine Nat.le_trans ?_ (pool_negative_hypergeometric_ties pool N (j + 1) hj)
    show _ ≤ countP _ (map _ (draws N pool))
    rw [countP_map]
    refine countP_le_countP (fun p m g => ?_)
    have ne : p.1 ≠ [] := fun e => by
      have l := (mem_draws m).1
      rw [e] at l
      exact Nat.lt_irrefl 0 (Nat.lt_of_lt_of_le hN (Nat.le_of_eq l.symm))
    rw [← (pool_next_draw m).2 ne]
    refine decide_eq_true (Nat.lt_of_not_le (fun g' => ?_))
    rw [decide_eq_true g'] at g; exact nomatch g
  have all := countP_add_countP_not (fun p : List Int × List Int => decide (poolAbove p.2 p.1 ≤ j)) (draws N pool)
  have bad := Nat.le_trans (Nat.mul_le_mul_right d bad) h
  rw [← length_draws N pool] at bad
  generalize countP (fun p : List Int × List Int => decide (poolAbove p.2 p.1 ≤ j)) (draws N pool) = x,
    countP (fun p : List Int × List Int => !decide (poolAbove p.2 p.1 ≤ j)) (draws N pool) = y,
    (draws N pool).length = D at *
  rcases Nat.le_total a d with g | g
  · obtain ⟨c, rfl⟩ := Nat.exists_of_le g
    rw [Nat.add_sub_cancel_left, ← all]
    rw [← all] at bad
    nat_lin [bad]
  · obtain ⟨c, rfl⟩ := Nat.exists_of_le g
    rw [Nat.sub_add_eq_zero, Nat.zero_mul]
    exact Nat.zero_le _

/-- `C(140, 64) / C(148, 64) ≤ 1/100 < C(141, 64) / C(148, 64)`: arithmetic.  (The number 76 is a variable `m` with a
hypothesis, for the sake of the kernel, which would evaluate closed binomial coefficients by Pascal's rule.) -/
theorem choose_148_64 {m : Nat} (h : m = 76) :
    choose (64 + m) 64 * 100 ≤ choose (64 + m + 8) 64 ∧ choose (64 + m + 8) 64 < choose (64 + m + 1) 64 * 100 := by
  have e₁ := choose_mul_rising 64 m 8
  have e₂ := choose_mul_rising 64 (m + 1) 7
  rw [← Nat.add_assoc, Nat.add_assoc (64 + m) 1 7] at e₂
  have pos : 0 < choose (64 + m + 8) 64 := choose_pos (by rw [Nat.add_assoc]; exact Nat.le_add_right _ _)
  generalize choose (64 + m) 64 = x, choose (64 + m + 1) 64 = y at *
  have e₂ : y * risingProduct (64 + m + 1 + 1) 7 = choose (64 + m + 8) 64 * risingProduct (m + 1 + 1) 7 := e₂
  generalize choose (64 + m + 8) 64 = z at *
  subst h
  constructor
  · refine Nat.le_of_mul_le_mul_right (c := risingProduct 141 8) ?_ (by decide +kernel)
    have c : 100 * risingProduct 77 8 ≤ risingProduct 141 8 := by decide +kernel
    have c := Nat.mul_le_mul_left z c
    have e₁ : x * risingProduct 141 8 = z * risingProduct 77 8 := e₁
    generalize risingProduct 77 8 = p, risingProduct 141 8 = q at *
    nat_lin [c, Nat.le_of_eq (congrArg (· * 100) e₁)]
  · refine Nat.lt_of_not_le (fun n => ?_)
    have c : risingProduct 142 7 < 100 * risingProduct 78 7 := by decide +kernel
    have c := Nat.mul_le_mul_left z c
    have e₂ : y * risingProduct 142 7 = z * risingProduct 78 7 := e₂
    have n := Nat.mul_le_mul_right (risingProduct 142 7) n
    generalize risingProduct 142 7 = p, risingProduct 78 7 = q at *
    have e₂ := Nat.le_of_eq (congrArg (· * 100) e₂.symm)
    have : z * q * 100 ≤ z * p := by nat_lin [e₂, n]
    nat_lin [this, c, pos]

/-- **The figures M = 148, N = 64, j = 8**: draw 64 of a pool of 148 scores, ties allowed.  For at least 99 of 100
samples at most 7 of the 84 members that are left exceed the sample's maximum, so the next draw misses with
probability at most 7/84. -/
theorem pool_148_64 (pool : List Int) (h : pool.length = 148) :
    99 * (draws 64 pool).length ≤ countP (fun p => decide (poolAbove p.2 p.1 ≤ 7)) (draws 64 pool) * 100
    ∧ ∀ p, p ∈ draws 64 pool → p.2.length = 84 := by
  constructor
  · obtain ⟨m, hm⟩ : ∃ m : Nat, m = 76 := ⟨76, rfl⟩
    have h' : pool.length = 64 + m + 8 := by rw [h, hm]
    refine pool_training_conditional pool 64 7 1 100 (by decide) (by rw [h]; decide +kernel) ?_
    rw [h', Nat.add_sub_cancel, Nat.one_mul]
    exact (choose_148_64 hm).1
  · intro p m
    rw [(pool_next_draw m).1, h]

/-- 7 cannot be improved to 6 at this confidence: with different scores, more than one of 100 samples leaves at
least 7 members above its maximum. -/
theorem pool_148_64_sharp (pool : List Int) (h : pool.length = 148) (distinct : Nodup pool) :
    (subsets 64 pool).length < countP (fun S => decide (7 ≤ poolAbove pool S)) (subsets 64 pool) * 100 := by
  obtain ⟨m, hm⟩ : ∃ m : Nat, m = 76 := ⟨76, rfl⟩
  have h' : pool.length = 64 + m + 1 + 7 := by rw [h, hm]
  obtain ⟨e₁, e₂⟩ := pool_negative_hypergeometric pool 64 7 (by rw [h]; decide +kernel) distinct
  rw [e₁, e₂, h', Nat.add_sub_cancel]
  exact (choose_148_64 hm).2

/-- There is such a pool: the numbers 0 to 147. -/
theorem pool_148_exists : (map Int.ofNat (positions 148)).length = 148 ∧ Nodup (map Int.ofNat (positions 148)) :=
  ⟨(length_map _ _).trans (length_positions 148), nodup_map (fun _ _ e => by injection e) (nodup_positions 148)⟩

end Gnosis
