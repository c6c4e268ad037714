prelude
import Gnosis.ConformalJitAdmissibility
/-! # Conformal coverage: what is false

Each theorem refutes a change of the rule or a tempting reading of the guarantee. -/
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

/-- The plus one belongs to the rank: with `⌈n·q⌉` in place of `⌈(n + 1)·q⌉` for `n = 3`, `q = 2/3` the rank is 2
and half of all orders lie, more than `1 - q = 1/3`. -/
theorem rank_without_plus_one :
    (3 * 2 + (3 - 1)) / 3 = 2 ∧ conformalRank 3 2 3 = 3
    ∧ (3 - 2) * (perms [(0 : Int), 1, 2, 3]).length < countP (liesOrder 2) (perms [0, 1, 2, 3]) * 3 :=
  ⟨rfl, rfl, Nat.le_of_ble_eq_true rfl⟩

/-- Too few scores must refuse: to fall back on the largest score when the rank exceeds `n` misses the level.  One
calibration score, level 9/10: the rank is 2; the maximum (rank 1) lies in one of two orders. -/
theorem clamped_rank :
    conformalRank 1 9 10 = 2
    ∧ (10 - 9) * (perms [(0 : Int), 1]).length < countP (liesOrder 1) (perms [0, 1]) * 10 :=
  ⟨rfl, Nat.le_of_ble_eq_true rfl⟩

/-- Strictness matters with ties: if a score equal to the `k`-th smallest counted as a lie, three equal scores would
lie in every order, above the bound `(3 - 2) / 3`. -/
theorem weak_lie :
    (3 - 2) * (perms [(5 : Int), 5, 5]).length
      < countP (fun t => decide (2 ≤ (calibration t).countP (fun y => decide (y ≤ newScore t))))
        (perms [5, 5, 5]) * 3 :=
  Nat.le_of_ble_eq_true rfl

/-- Positions count, not values: three equal entries have six orders, all the same.  A list of the different orders alone
would have one member. -/
theorem equal_entries_keep_orders : perms [(5 : Int), 5, 5] = replicate 6 [5, 5, 5] := rfl

/-- The same length does not make an order: 0, 0 is none of 0, 1. -/
theorem same_length_is_no_order : ¬ [(0 : Nat), 0] ∈ perms [0, 1] := fun h =>
  absurd ((mem_perms_iff _ _).mp h (fun i => decide (i = 0))) (by decide)

/-- Samples are drawn without replacement: 1, 1 is no sample of the pool 1, 2. -/
theorem no_replacement : ¬ [(1 : Int), 1] ∈ subsets 2 [1, 2] := by
  intro h
  have e : subsets 2 [(1 : Int), 2] = [[1, 2]] := rfl
  rw [e] at h
  cases h with
  | tail _ h => exact nomatch h

/-- The calibration scores of the outcome `t` are `c`, in this order. -/
def calibratedOn : List Int → List Int → Bool
  | [], [_] => true
  | y :: c, x :: z :: t => decide (y = z) && calibratedOn c (x :: t)
  | _, _ => false

/-- **A marginal bound is not a bound for the calibration set at hand**: two of the pool 1, 2, 3, 4 calibrate, a
third is new; the sample is exchangeable, and over everything the new score exceeds both with probability 1/3.  But
given that the calibration scores are 1 and 2, it exceeds them with certainty. -/
theorem marginal_is_not_conditional :
    Exchangeable 3 (flatMap perms (subsets 3 [1, 2, 3, 4]))
    ∧ countP (fun t => exceedsAll (newScore t) (calibration t)) (flatMap perms (subsets 3 [1, 2, 3, 4])) * 3
        = (flatMap perms (subsets 3 [(1 : Int), 2, 3, 4])).length
    ∧ countP (calibratedOn [1, 2]) (flatMap perms (subsets 3 [1, 2, 3, 4])) = 2
    ∧ countP (fun t => calibratedOn [1, 2] t && exceedsAll (newScore t) (calibration t))
        (flatMap perms (subsets 3 [1, 2, 3, 4])) = 2 :=
  ⟨exchangeable_pool 3 [1, 2, 3, 4], rfl, rfl, rfl⟩

/-- **The guarantee is not a share of the admitted**: the orders of 0 and 10 with level 1/2 and margin 0.  The gate
admits in one of the two orders, and in that one it fails: given admission the share of failures is 1, not `1 - q`. -/
theorem admitted_share :
    countP (fun t => conformalAdmit (calibration t) 1 2 0) (perms [0, 10]) = 1
    ∧ countP (admittedFailure 1 2 0) (perms [0, 10]) = 1 := ⟨rfl, rfl⟩

/-- **A conformal admission is no certificate for the tile at hand**: this tile satisfies every hypothesis, it is
admitted, and its winner is lost.  (A sidecar would have refused it.) -/
theorem admitted_tile_lost :
    lostRun.Valid
    ∧ conformalJitAdmit (calibration lostRun.scores) 1 2 lostRun.coarse lostRun.winner lostRun.A lostRun.γ = true
    ∧ ¬ IsMaximiser lostRun.exact lostRun.winner
    ∧ jitAdmit lostRun.coarse lostRun.winner [4, 4] lostRun.A lostRun.γ = false :=
  ⟨conformal_then_jit_sharp.2.2.1, rfl, fun h => absurd (h.2 0 (by decide)) (by decide), rfl⟩

/-- **Without exchangeability nothing holds**: scores that grow with time.  The newest exceeds all three earlier
ones with certainty, not with probability at most 1/4. -/
theorem not_exchangeable :
    [[(4 : Int), 3, 2, 1]].length < countP (fun t => exceedsAll (newScore t) (calibration t)) [[4, 3, 2, 1]] * (3 + 1)
    ∧ ¬ Exchangeable (3 + 1) [[4, 3, 2, 1]] := by
  have more : [[(4 : Int), 3, 2, 1]].length
      < countP (fun t => exceedsAll (newScore t) (calibration t)) [[4, 3, 2, 1]] * (3 + 1) := Nat.le_of_ble_eq_true rfl
  exact ⟨more, fun ex => Nat.not_le_of_lt more (conformal_new_maximum ex)⟩
end Gnosis.Falsifiers
