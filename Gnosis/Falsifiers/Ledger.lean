prelude
import Gnosis.BettingConfidence
import Gnosis.CumlossGating
import Gnosis.UnionLedger
/-! # Readings of the ledgers that are wrong -/
namespace Gnosis.Falsifiers
open List

/-- **Off the grid the chord is no bound**: for a loss `k` above `N` the chord lies below the exponential. -/
theorem chord_off_grid : ¬ (1 * (2 ^ 2 * 1 ^ (1 - 2)) ≤ 1 * 1 ^ 1 + 2 * (2 ^ 1 - 1 ^ 1)) := by decide

/-- Was the first draw of the history a `true`? -/
def firstTrue : List Bool → Bool
  | [] => false
  | [d] => d
  | _ :: d :: h => firstTrue (d :: h)
/-- The first draw decides about all that follow: after a `true` every step loses all `6` units of the grid, after a
`false` none does. -/
def regimeLoss (h : List Bool) (_ : Bool) : Nat := bif firstTrue h then 6 else 0

/-- **A mean over all histories is not a mean at each history.**  At each of the first six steps the mean loss over all
histories is at most `3` units.  A charge of `4` pays for that, a reserve of `5` for the level `1/3`.  But the bound does
not hold at each history, and the loss reaches reserve and charges with probability `1/2`. -/
theorem marginal_mean_overruns :
    (∀ t, t < 6 → sumOver (fun k => sumOver (regimeLoss (after k [])) [false, true]) (conts [false, true] t)
      ≤ [false, true].length ^ (t + 1) * 3) ∧
      pays 6 5 4 3 4 = true ∧ reservePays 5 4 1 3 5 = true ∧
      ¬ sumOver (regimeLoss [true]) [false, true] ≤ [false, true].length * 3 ∧
      (⟨1, 3⟩ : Frac) < share [false, true] (fun h => decide (spent 5 (fun _ => 4) h ≤ cumLoss regimeLoss h)) 6 [] := by
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩

/-- **A charge for the mean is no bound on the loss.**  The sample controller is sound, but when a loss does happen it is
larger than its charge, and reserve and loss together exceed the account. -/
theorem mean_charge_not_within : sampleCharges.compresses [] = true ∧
    sampleCharges.account [0] < sampleCharges.reserve + cumLoss sampleCharges.realised [0] := by decide

/-- **Shares that fall more slowly do not add up**: with the share `δ/(t+1)` the first two events already get more than
`δ = 1/2`. -/
theorem harmonic_shares_exceed : (⟨1, 2⟩ : Frac) < ⟨1, 2 * (0 + 1)⟩ + ⟨1, 2 * (1 + 1)⟩ := by decide

/-- **Only free events never exhaust the union-bound ledger**: at price zero every event is within its share. -/
theorem free_events_never_exhaust {nδ dδ dπ : Nat} (hδ : 0 < dδ) (hπ : 0 < dπ) (t : Nat) : unionAdmit nδ dδ 0 dπ t = true := by
  refine Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le hδ, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le hπ,
    Nat.ble_eq_true_of_le ?_⟩⟩
  rw [Nat.zero_mul, Nat.zero_mul]
  exact Nat.zero_le _

/-- **A claim that is false is rejected**: if every observation is `0`, the claim that the mean is at least `1/2` does not
survive three bets of stake `2`, on any path, and the upper bound falls below `1/2`. -/
theorem false_claim_rejected :
    share [()] (fun h => bettingRejects 2 1 1 1 8 (bets (fun _ => 2) (fun _ _ => 0) h)) 3 [] = ⟨1, 1⟩ ∧
      share [()] (fun h => decide (bettingUpper 2 1 1 8 (bets (fun _ => 2) (fun _ _ => 0) h) < 1)) 3 [] = ⟨1, 1⟩ :=
  ⟨rfl, rfl⟩
end Gnosis.Falsifiers
