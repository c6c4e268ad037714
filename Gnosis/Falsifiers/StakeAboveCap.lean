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

/-- **Above the cap the wealth is no evidence**: the stake `6`, whose factors are whole numbers of any sign, in `betting_anytime`.  If
every observation is `1`, the claim that the mean is at least `1/2` is true, and yet the wealth is `16` after four observations, on
every path. -/
theorem stake_above_cap : ¬ ∀ T : Nat,
    share [()] (fun h => decide (16 * 2 ^ h.length ≤ recklessWealth h.length)) T [] ≤ ⟨1, 16⟩ :=
  fun wrong => absurd (wrong 4) (by decide +kernel)

/-- The coin's values are 0 and 2. -/
theorem coin_le (h : List Bool) (d : Bool) : coin h d ≤ 2 := by
  cases d with
  | true => exact Nat.le_refl 2
  | false => exact Nat.zero_le 2

/-- **The stakes must be within the cap**: `betting_eprocess` without that, negative factors being cut off at zero.  For a fair coin
with values `0` and `1` and the stake `6` the factors are `4` and `0`, with mean `2`. -/
theorem uncapped_wealth_is_no_eprocess : ¬ ∀ {D : Type} {ds : List D} {N m b : Nat} {a : List D → Nat} {x : List D → D → Nat},
    0 < N → 0 < b → m ≤ N → (∀ h d, x h d ≤ N) → (∀ h, ds.length * m ≤ sumOver (x h) ds) →
    bettingWealth N m b a x [] = 1 ∧ (∀ h, 0 < (bettingWealth N m b a x h).den) ∧ Supermartingale ds (bettingWealth N m b a x) :=
  fun wrong => absurd ((wrong (ds := [false, true]) (N := 2) (m := 1) (b := 1) (a := fun _ => 6) (x := coin) (by decide) (by decide)
    (by decide) coin_le (fun _ => Nat.le_refl 2)).2.2 []) (by decide)

/-- **Above the cap the level is lost**: the same in `betting_anytime`, whose rejections are those of a wealth of `1/δ`.  The wealth
reaches `4` with probability `1/2`. -/
theorem uncapped_bets_reject_too_often : ¬ ∀ {D : Type} {ds : List D} {N m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat},
    0 < N → 0 < b → m ≤ N → (∀ h d, x h d ≤ N) → (∀ h, ds.length * m ≤ sumOver (x h) ds) → ∀ T : Nat,
    share ds (fun h => decide (1 ≤ δ * bettingWealth N m b a x h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [false, true]) (N := 2) (m := 1) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ => 6) (x := coin) (by decide)
    (by decide) (by decide) coin_le (fun _ => Nat.le_refl 2) 1) (by decide)

/-- **The wealth must not grow on average**: `ville` without the supermartingale. -/
theorem ville_of_growing_wealth : ¬ ∀ {D : Type} {ds : List D} {W : List D → Frac}, (∀ h, 0 < (W h).den) → ∀ (δ : Frac) (T : Nat)
    (h : List D), share ds (fun h => decide (1 ≤ δ * W h)) T h ≤ δ * W h :=
  fun wrong => absurd (wrong (ds := [()]) (W := fun h => ⟨2 ^ h.length, 1⟩) (fun _ => Nat.le_refl 1) ⟨1, 4⟩ 2 []) (by decide)

/-- **The claim must be true**: `betting_anytime` without that.  Every observation is `0`; three bets of stake `2` reject the claim that
the mean is at least `1/2`, on every path. -/
theorem false_claim_rejected : ¬ ∀ {D : Type} {ds : List D} {N m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat},
    (∀ h d, x h d ≤ N) → (∀ h, stakeAdmit N m b (a h) = true) → ∀ T : Nat,
    share ds (fun h => bettingRejects N m b δ.num δ.den (bets a x h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [()]) (N := 2) (m := 1) (b := 1) (δ := ⟨1, 8⟩) (a := fun _ => 2) (x := fun _ _ => 0)
    (fun _ _ => by decide) (fun _ => rfl) 3) (by decide)

/-- **Then the upper bound falls below it**: the same in `betting_upper_anytime`. -/
theorem false_claim_above_bound : ¬ ∀ {D : Type} {ds : List D} {N m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat},
    (∀ h d, x h d ≤ N) → (∀ h, stakeAdmit N m b (a h) = true) → ∀ T : Nat,
    share ds (fun h => decide (bettingUpper N b δ.num δ.den (bets a x h) < m)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [()]) (N := 2) (m := 1) (b := 1) (δ := ⟨1, 8⟩) (a := fun _ => 2) (x := fun _ _ => 0)
    (fun _ _ => by decide) (fun _ => rfl) 3) (by decide)
end Gnosis.Falsifiers
