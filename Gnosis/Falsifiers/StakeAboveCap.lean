prelude
import Gnosis.BettingConfidence
/-! # A stake above the cap

With a stake `λ > 1/(1 − m)` the betting factor `1 + λ·(m − x)` is negative for `x = 1`.  Then two losing bets make a
gain, and cutting the factor off at zero does not help either.  Here `m = 1/2` and `λ = 6`, while the cap is `2`. -/
namespace Gnosis.Falsifiers
open List

/-- The factor `1 + 6·(1/2 − x/2)` for observations `x/2`, as a whole number of halves. -/
def recklessFactor (x : Nat) : Int := 2 + 6 * 1 - 6 * x
/-- The wealth after `t` observations of `1`, in units of `1/2^t`. -/
def recklessWealth : Nat → Int
  | 0 => 1
  | t + 1 => recklessWealth t * recklessFactor 2

/-- **Above the cap the wealth is no evidence.**  The stake `6` is refused for the mean `1/2`.  If every observation is
`1`, the claim that the mean is at least `1/2` is true, and yet the wealth is `16` after four observations, on every
path. -/
theorem stake_above_cap : stakeAdmit 2 1 1 6 = false ∧ [()].length * 1 ≤ sumOver (fun _ => 2) [()] ∧
    recklessFactor 2 = -4 ∧ recklessWealth 4 = 16 * 2 ^ 4 := by
  refine ⟨rfl, by decide, by decide +kernel, by decide +kernel⟩

/-- **Cutting negative factors off at zero does not help.**  For a fair coin with values `0` and `1` the claim that the
mean is at least `1/2` is true; the factors, cut off, are `4` and `0`, with mean `2`; and the wealth reaches `4` with
probability `1/2`, more than `δ = 1/4`. -/
theorem stake_above_cap_clipped :
    [false, true].length * 1 ≤ sumOver (coin []) [false, true] ∧
      bettingFactor 2 1 1 6 0 = 4 * (1 * 2) ∧ bettingFactor 2 1 1 6 2 = 0 ∧
      share [false, true] (fun h => decide ((4 : Frac) ≤ bettingWealth 2 1 1 (fun _ => 6) coin h)) 1 [] = ⟨1, 2⟩ ∧ (⟨1, 4⟩ : Frac) < ⟨1, 2⟩ := by
  refine ⟨by decide, rfl, rfl, rfl, by decide⟩
end Gnosis.Falsifiers
