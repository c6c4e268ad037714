prelude
import Gnosis.UnionLedger
/-! # Wealth gating is no guarantee for actions

A tempting rule: run a test of the risk model beside the request, and admit every action while the wealth of the test
stays below `1/δ`.  Ville's inequality then bounds how often an honest model ever looks wrong.  How often an
admitted action fails it does not bound. -/
namespace Gnosis
open List

/-- `n` times `false`. -/
def falses : Nat → List Bool
  | 0 => []
  | n + 1 => false :: falses n
/-- `n + 1` equally likely draws, of which one is a failure. -/
def oneFailure (n : Nat) : List Bool := true :: falses n

/-- The wealth, in units of `1/10000`, of a fair game against the risk model.  It stakes one unit on a failure of the next
action, which pays `9999` units if the action fails, as long as it can lose a unit and a win would leave it below the
limit of a million units. -/
def gateUnits : List Bool → Nat
  | [] => 10000
  | d :: h => bif Nat.ble 1 (gateUnits h) && Nat.ble (gateUnits h + 10000) 1000000
      then (bif d then gateUnits h + 9999 else gateUnits h - 1) else gateUnits h
/-- The wealth of the test; it starts at one. -/
def gateWealth (h : List Bool) : Frac := ⟨gateUnits h, 10000⟩

/-- The length of `falses n`. -/
theorem falses_length (n : Nat) : (falses n).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih

/-- There are `n + 1` draws. -/
theorem oneFailure_length (n : Nat) : (oneFailure n).length = n + 1 := congrArg Nat.succ (falses_length n)

/-- A sum over `falses n`. -/
theorem sumOver_falses (f : Bool → Nat) (n : Nat) : sumOver f (falses n) = n * f false := by
  induction n with
  | zero => exact (Nat.zero_mul _).symm
  | succ n ih => show f false + sumOver f (falses n) = (n + 1) * f false; rw [ih, Nat.succ_mul, Nat.add_comm]

/-- None of them is a failure. -/
theorem countP_falses (n : Nat) : countP (fun d => d) (falses n) = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih

/-- The game is fair. -/
theorem gateUnits_fair (h : List Bool) (n : Nat) (hn : n = 9999) :
    sumOver (fun d => gateUnits (d :: h)) (oneFailure n) = (n + 1) * gateUnits h := by
  show gateUnits (true :: h) + sumOver _ (falses n) = _
  rw [sumOver_falses, gateUnits, gateUnits]
  cases e : Nat.ble 1 (gateUnits h) && Nat.ble (gateUnits h + 10000) 1000000 with
  | false => show gateUnits h + n * gateUnits h = _; rw [Nat.succ_mul, Nat.add_comm]
  | true =>
    have pos := Nat.le_of_ble_eq_true (Bool.and_eq_true_iff.mp e).left
    show gateUnits h + 9999 + n * (gateUnits h - 1) = _
    rw [← hn]
    obtain ⟨k, hk⟩ := Nat.exists_of_le pos
    rw [hk, Nat.add_sub_cancel_left]
    nat_ring

/-- The first bet, won. -/
theorem gateUnits_win : gateUnits [true] = 19999 := by decide +kernel

/-- The wealth stays below the limit: by construction, since it does not bet where a win would reach it. -/
theorem gateUnits_lt (h : List Bool) : gateUnits h < 1000000 := by
  induction h with
  | nil => decide
  | cons d h ih =>
    rw [gateUnits]
    cases e : Nat.ble 1 (gateUnits h) && Nat.ble (gateUnits h + 10000) 1000000 with
    | false => exact ih
    | true =>
      have room := Nat.le_of_ble_eq_true (Bool.and_eq_true_iff.mp e).right
      cases d with
      | true => exact room
      | false =>
        obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.le_of_ble_eq_true (Bool.and_eq_true_iff.mp e).left)
        show gateUnits h - 1 < 1000000
        rw [hk, Nat.add_sub_cancel_left]
        rw [hk, Nat.add_comm] at ih
        exact Nat.le_trans (Nat.le_succ _) ih

/-- From a history without a failure, exactly `(n+1)^T − n^T` of the `(n+1)^T` continuations contain one. -/
theorem anyFailed_count (n T : Nat) {h : List Bool} (ok : anyFailed (fun _ d => d) h = false) :
    reachCount (oneFailure n) (anyFailed fun _ d => d) T h + n ^ T = (n + 1) ^ T := by
  induction T generalizing h with
  | zero => rw [reachCount_zero ok]; rfl
  | succ T ih =>
    rw [reachCount_succ ok]
    show reachCount _ _ T (true :: h) + sumOver _ (falses n) + n ^ (T + 1) = _
    have failed : anyFailed (fun _ d => d) (true :: h) = true := rfl
    have go := ih (h := false :: h) ok
    rw [sumOver_falses, reachCount_now failed]
    rw [oneFailure_length, Nat.pow_succ, Nat.pow_succ, ← go]
    generalize reachCount (oneFailure n) (anyFailed fun _ d => d) T (false :: h) = c
    nat_ring [c, n, n ^ T]

/-- `wealth_gate_counterexample` for variables `n` and `T`, so that no large number is unfolded. -/
theorem wealth_gate_for {n T : Nat} (hn : n = 9999) (rare : 100 * n ^ T < 82 * (n + 1) ^ T) :
    countP (fun d => d) (oneFailure n) * 10000 = (oneFailure n).length ∧ Supermartingale (oneFailure n) gateWealth ∧
      (⟨18, 100⟩ : Frac) < share (oneFailure n) (anyFailed fun _ d => d) T [] := by
  refine ⟨?_, fun h => ?_, ?_⟩
  · rw [oneFailure_length, hn, oneFailure, countP_cons, countP_falses]; rfl
  · refine Frac.sumOver_same_den_le (n := fun d => gateUnits (d :: h)) (D := 10000) (by decide) ?_
    rw [gateUnits_fair h n hn, oneFailure_length]
    show (n + 1) * gateUnits h * (1 * 10000) ≤ (n + 1) * gateUnits h * 10000
    exact Nat.le_refl _
  · show 18 * (oneFailure n).length ^ T < reachCount (oneFailure n) (anyFailed fun _ d => d) T [] * 100
    have count := anyFailed_count n T (h := []) rfl
    rw [oneFailure_length]
    rw [← count] at rare ⊢
    clear count hn
    generalize reachCount (oneFailure n) (anyFailed fun _ d => d) T [] = c, n ^ T = s at *
    apply Nat.lt_of_not_le
    intro le
    exact absurd (Nat.add_le_add le rare) (Nat.not_le_of_lt (Nat.le_of_eq (by nat_ring [c, s])))

/-- **Wealth gating is no guarantee for actions.**  Every action fails with probability `1/10000`.  The wealth of the test
is a fair game that starts at one, bets on failures and gains when they happen; it never reaches `100`, because by construction
it stops betting before a win could take it there.  So for `δ = 1/100` the gate stays open on every path.  Yet more than `18` percent of the requests of `2000` actions contain a
failed action. -/
theorem wealth_gate_counterexample :
    countP (fun d => d) (oneFailure 9999) * 10000 = (oneFailure 9999).length ∧
      Supermartingale (oneFailure 9999) gateWealth ∧ gateWealth [] = ⟨10000, 10000⟩ ∧ gateWealth [true] = ⟨19999, 10000⟩ ∧
      (∀ h, gateWealth h < 100) ∧
      (⟨18, 100⟩ : Frac) < share (oneFailure 9999) (anyFailed fun _ d => d) 2000 [] := by
  obtain ⟨risk, fair, fail⟩ := wealth_gate_for (n := 9999) (T := 2000) rfl (by decide +kernel)
  refine ⟨risk, fair, rfl, congrArg (fun n => Frac.mk n 10000) gateUnits_win, fun h => ?_, fail⟩
  show gateUnits h * 1 < 100 * 10000
  rw [Nat.mul_one]; exact gateUnits_lt h

/-- The share of requests with a failed action, for variables `n` and `T`. -/
theorem anyFailed_rare {n T : Nat} (rare : 82 * (n + 1) ^ T < 100 * n ^ T) :
    share (oneFailure n) (anyFailed fun _ d => d) T [] < ⟨18, 100⟩ := by
  show reachCount (oneFailure n) (anyFailed fun _ d => d) T [] * 100 < 18 * (oneFailure n).length ^ T
  have count := anyFailed_count n T (h := []) rfl
  rw [oneFailure_length]
  rw [← count] at rare ⊢
  clear count
  generalize reachCount (oneFailure n) (anyFailed fun _ d => d) T [] = c, n ^ T = s at *
  apply Nat.lt_of_not_le
  intro le
  exact absurd (Nat.add_le_add le rare) (Nat.not_le_of_lt (Nat.le_of_eq (by nat_ring [c, s])))

/-- The same as a negation. -/
theorem anyFailed_not_more {n T : Nat} (rare : 82 * (n + 1) ^ T < 100 * n ^ T) :
    ¬ (⟨18, 100⟩ : Frac) < share (oneFailure n) (anyFailed fun _ d => d) T [] := fun more =>
  Nat.not_le_of_lt (anyFailed_rare rare) (Nat.le_trans (Nat.le_succ _) more)

/-- The number of actions is what matters: `1000` in the place of `2000` in `wealth_gate_counterexample`.  Of the requests of `1000`
such actions fewer than `18` percent contain a failed one. -/
theorem wealth_gate_short_request : ¬ (⟨18, 100⟩ : Frac) < share (oneFailure 9999) (anyFailed fun _ d => d) 1000 [] :=
  anyFailed_not_more (n := 9999) (T := 1000) (by decide +kernel)
end Gnosis
