prelude
import Gnosis.BettingConfidence
/-! # Bounds from the betting test

`bettingUpper` is the largest claim that the observations do not reject, which is no upper bound of the mean: claims are
whole numbers of units, and the mean may lie above the largest of them that is not rejected, by less than a unit.  The
bound is that claim plus one unit, and at most the whole range.  Claims live on a grid `0 … G`; observations `x/N` are put
on it as `x·M` with `G = N·M`, so that `N = 1` (hit or miss) leaves claims finer than hit and miss.

The mean of the next observation, in units, is `Σ_d x(h, d)/|ds|`; below it is bracketed by whole claims, `m ≤ mean < m + 1`
for the upper bound and `m − 1 < mean ≤ m` for the lower one, at every history. -/
universe u

namespace Gnosis
open List
variable {D : Type u}

/-- The search of `bettingUpper` is the one for any test. -/
theorem bettingUpper_eq (G b nδ dδ : Nat) (steps : List (Nat × Nat)) :
    bettingUpper G b nδ dδ steps = claimUpperFrom (fun m => bettingRejects G m b nδ dδ steps) G := by
  have all : ∀ k, bettingUpperFrom G b nδ dδ steps k = claimUpperFrom (fun m => bettingRejects G m b nδ dδ steps) k := fun k => by
    induction k with
    | zero => rfl
    | succ k ih => rw [bettingUpperFrom, claimUpperFrom, ih]
  exact all G

/-- A claim above the largest one that is not rejected is rejected. -/
theorem claimUpperFrom_spec {rejects : Nat → Bool} {m k : Nat} (hm : m ≤ k) (h : claimUpperFrom rejects k < m) :
    rejects m = true := by
  induction k with
  | zero => exact absurd (Nat.le_trans h hm) (Nat.not_succ_le_zero _)
  | succ k ih =>
    cases e : rejects (k + 1) with
    | true =>
      rw [claimUpperFrom, e] at h
      rcases Nat.lt_or_ge k m with g | g
      · rw [Nat.le_antisymm hm g]; exact e
      · exact ih g h
    | false =>
      rw [claimUpperFrom, e] at h
      exact absurd hm (Nat.not_le_of_lt h)

/-- If the bound, in units, is below a mean between the claims `m` and `m + 1`, then the claim `m` is rejected. -/
theorem claimUpperBound_spec {rejects : Nat → Bool} {G m n s : Nat} (below : s < n * (m + 1)) (range : s ≤ n * G) (hm : m ≤ G)
    (h : claimUpperBound G rejects * n < s) : rejects m = true := by
  cases e : Nat.ble G (claimUpperFrom rejects G) with
  | true =>
    rw [claimUpperBound, e] at h
    exact absurd range (Nat.not_le_of_lt (by rw [Nat.mul_comm]; exact h))
  | false =>
    rw [claimUpperBound, e] at h
    have h : (claimUpperFrom rejects G + 1) * n < s := h
    refine claimUpperFrom_spec hm (Nat.lt_of_not_le fun g => ?_)
    have k := Nat.mul_le_mul_left n (Nat.succ_le_succ g)
    exact Nat.not_le_of_lt (Nat.lt_of_lt_of_le below k) (Nat.le_trans (Nat.le_succ _) (by rw [Nat.mul_comm]; exact h))

/-- **The upper confidence bound holds at all times**, for stakes that may depend on the claim that they are bet against.
If at every history the mean is between the claims `m` and `m + 1`, and the stakes against the claim `m` are within its cap,
then the bound ever falls below the mean of the next observation with probability at most `δ`. -/
theorem betting_upper_claims {ds : List D} {G m b : Nat} {δ : Frac} {a : Nat → List D → Nat} {x : List D → D → Nat}
    (hx : ∀ h d, x h d ≤ G) (stake : ∀ h, stakeAdmit G m b (a m h) = true)
    (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) (below : ∀ h, sumOver (x h) ds < ds.length * (m + 1)) (T : Nat) :
    share ds (fun h => decide (claimUpperBound G (fun k => bettingRejects G k b δ.num δ.den (bets (a k) x h)) * ds.length
      < sumOver (x h) ds)) T [] ≤ δ := by
  refine share_le_of_imp (fun h hh => ?_) (betting_anytime hx stake claim T)
  have range : sumOver (x h) ds ≤ ds.length * G := by
    rw [← sumOver_const]; exact sumOver_le fun d _ => hx h d
  exact claimUpperBound_spec (rejects := fun k => bettingRejects G k b δ.num δ.den (bets (a k) x h)) (below h) range
    (stakeAdmit_iff.mp (stake [])).right.right.left (of_decide_eq_true hh)

/-- **The bound that is followed at run time holds at all times.**  Observations lie on a grid `0 … G·L`, claims `1 … G` on every
`L`-th of its points.  `rejected h` says of each claim whether it has been rejected by now: a claim that it calls rejected is
rejected by the test at `h`, whose stakes may depend on the claim, or was called rejected one draw before.  (It may leave out
rejections, and a claim once rejected stays so.)  If at every history the mean is between the claims `m` and `m + 1`, the bound
ever falls below the mean of the next observation with probability at most `δ`. -/
theorem betting_upper_followed {ds : List D} {G L m b : Nat} {δ : Frac} {a : Nat → List D → Nat} {x : List D → D → Nat}
    {rejected : List D → List Bool} (hx : ∀ h d, x h d ≤ G * L) (stake : ∀ h, stakeAdmit (G * L) (m * L) b (a m h) = true)
    (claim : ∀ h, ds.length * (m * L) ≤ sumOver (x h) ds) (below : ∀ h, sumOver (x h) ds < ds.length * ((m + 1) * L))
    (start : ∀ k, claimRejected (rejected []) k = true → bettingRejects (G * L) (k * L) b δ.num δ.den [] = true)
    (next : ∀ d h k, claimRejected (rejected (d :: h)) k = true →
      bettingRejects (G * L) (k * L) b δ.num δ.den (bets (a k) x (d :: h)) = true ∨ claimRejected (rejected h) k = true)
    (T : Nat) :
    share ds (fun h => decide (claimBound G (rejected h) * L * ds.length < sumOver (x h) ds)) T [] ≤ δ := by
  refine Nat.le_trans (Nat.mul_le_mul_right δ.den (countP_le_countP fun k _ r => ?_)) (betting_anytime hx stake claim T)
  obtain ⟨pos, _, fits, _⟩ := stakeAdmit_iff.mp (stake [])
  have hm : m ≤ G := by
    cases L with
    | zero => exact absurd pos (Nat.not_succ_le_zero _)
    | succ L => exact Nat.le_of_mul_le_mul_right fits (Nat.succ_le_succ (Nat.zero_le L))
  have called : reach (fun h => claimRejected (rejected h) m) [] k = true := by
    obtain ⟨k₁, k₂, e, hk⟩ := reach_iff.mp r
    have hk := of_decide_eq_true hk
    refine reach_iff.mpr ⟨k₁, k₂, e, claimUpperBound_spec (n := L * ds.length) (s := sumOver (x (after k₁ [])) ds) ?_ ?_ hm ?_⟩
    · have below := below (after k₁ [])
      rw [show L * ds.length * (m + 1) = ds.length * ((m + 1) * L) by nat_ring]; exact below
    · rw [show L * ds.length * G = ds.length * (G * L) by nat_ring, ← sumOver_const]
      exact sumOver_le fun d _ => hx _ d
    · rw [← Nat.mul_assoc]; exact hk
  have first : ∀ k h, (claimRejected (rejected h) m = true → bettingRejects (G * L) (m * L) b δ.num δ.den (bets (a m) x h) = true) →
      reach (fun h => claimRejected (rejected h) m) h k = true →
      reach (fun h => bettingRejects (G * L) (m * L) b δ.num δ.den (bets (a m) x h)) h k = true := by
    intro k
    induction k with
    | nil => exact fun h now r => now r
    | cons d k ih =>
      intro h now r
      cases e : claimRejected (rejected h) m with
      | true => exact reach_now (C := fun h => bettingRejects (G * L) (m * L) b δ.num δ.den (bets (a m) x h)) (now e) _
      | false =>
        rw [reach, e] at r
        rw [reach]
        refine Bool.or_eq_true_iff.mpr (.inr (ih (d :: h) (fun c => ?_) r))
        rcases next d h m c with g | g
        · exact g
        · rw [e] at g; exact nomatch g
  exact first k [] (start m) called

/-- **The upper confidence bound holds at all times.**  If at every history the mean is between the claims `m` and `m + 1`,
the probability that the bound ever falls below the mean of the next observation is at most `δ`. -/
theorem betting_upper_sound {ds : List D} {G m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat}
    (hx : ∀ h d, x h d ≤ G) (stake : ∀ h, stakeAdmit G m b (a h) = true)
    (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) (below : ∀ h, sumOver (x h) ds < ds.length * (m + 1)) (T : Nat) :
    share ds (fun h => decide (bettingUpperBound G b δ.num δ.den (bets a x h) * ds.length < sumOver (x h) ds)) T [] ≤ δ := by
  refine share_le_of_imp (fun h hh => decide_eq_true ?_) (betting_upper_claims (a := fun _ => a) hx stake claim below T)
  have hh := of_decide_eq_true hh
  unfold bettingUpperBound at hh
  rw [bettingUpper_eq] at hh
  exact hh

/-- Mirrored steps are the steps of mirrored observations. -/
theorem mirrored_bets (G : Nat) (a : List D → Nat) (x : List D → D → Nat) (h : List D) :
    mirrored G (bets a x h) = bets a (fun h d => G - x h d) h := by
  induction h with
  | nil => rfl
  | cons d h ih => show (a h, G - x h d) :: mirrored G (bets a x h) = _; rw [ih]; rfl

/-- The mean of mirrored observations is the mirrored mean. -/
theorem sumOver_mirrored {G : Nat} {x : D → Nat} (hx : ∀ d, x d ≤ G) (ds : List D) :
    sumOver (fun d => G - x d) ds + sumOver x ds = ds.length * G := by
  rw [← sumOver_add, ← sumOver_const]
  exact sumOver_congr fun d _ => by rw [Nat.add_comm]; exact Nat.add_sub_of_le (hx d)

/-- **The lower confidence bound holds at all times.**  If at every history the mean is above the claim `m − 1` and at most
`m`, the probability that the bound ever exceeds the mean of the next observation is at most `δ`.  The stakes are those
against the mirrored claim `G − m`. -/
theorem betting_lower_sound {ds : List D} {G m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat} (hm : m ≤ G)
    (hx : ∀ h d, x h d ≤ G) (stake : ∀ h, stakeAdmit G (G - m) b (a h) = true)
    (claim : ∀ h, sumOver (x h) ds ≤ ds.length * m) (above : ∀ h, ds.length * m < sumOver (x h) ds + ds.length) (T : Nat) :
    share ds (fun h => decide (sumOver (x h) ds < bettingLowerBound G b δ.num δ.den (bets a x h) * ds.length)) T [] ≤ δ := by
  obtain ⟨k, rfl⟩ := Nat.exists_of_le hm
  rw [Nat.add_sub_cancel_left] at stake
  have mirror := fun h => sumOver_mirrored (hx h) ds
  refine share_le_of_imp (fun h hh => decide_eq_true ?_)
    (betting_upper_sound (G := m + k) (x := fun h d => m + k - x h d) (fun h d => Nat.sub_le_sub_left (Nat.zero_le (x h d)) (m + k)) stake (fun h => ?_) (fun h => ?_) T)
  · have hh := of_decide_eq_true hh
    unfold bettingLowerBound at hh
    rw [mirrored_bets] at hh
    have mir := mirror h
    generalize bettingUpperBound (m + k) b δ.num δ.den (bets a (fun h d => m + k - x h d) h) = U at *
    rcases Nat.le_total (m + k) U with g | g
    · obtain ⟨j, e⟩ := Nat.exists_of_le g
      rw [e, Nat.sub_add_eq_zero, Nat.zero_mul] at hh
      exact absurd hh (Nat.not_succ_le_zero _)
    · have e := Nat.add_sub_of_le g
      generalize m + k - U = L, sumOver (x h) ds = s, sumOver (fun d => m + k - x h d) ds = s' at *
      rw [← e] at mir
      exact Nat.lt_of_not_le fun n => by nat_lin [hh, n, Nat.le_of_eq mir.symm]
  · have mir := mirror h
    have claim := claim h
    generalize sumOver (x h) ds = s, sumOver (fun d => m + k - x h d) ds = s' at *
    nat_lin [claim, Nat.le_of_eq mir.symm]
  · have mir := mirror h
    have above := above h
    generalize sumOver (x h) ds = s, sumOver (fun d => m + k - x h d) ds = s' at *
    nat_lin [above, Nat.le_of_eq mir]

/-- **The lower bound that is followed at run time holds at all times**: the bound of `betting_upper_followed` for the mirrored
observations `G·L − x`, turned over.  `rejected h` is about claims on the mirrored mean.  If at every history the mean is above
the claim `m − 1` and at most `m`, the bound ever exceeds the mean of the next observation with probability at most `δ`.  The
stakes that must be within their cap are those against the mirrored claim `G − m`. -/
theorem betting_lower_followed {ds : List D} {G L m b : Nat} {δ : Frac} {a : Nat → List D → Nat} {x : List D → D → Nat}
    {rejected : List D → List Bool} (hm : m ≤ G) (hx : ∀ h d, x h d ≤ G * L)
    (stake : ∀ h, stakeAdmit (G * L) ((G - m) * L) b (a (G - m) h) = true)
    (claim : ∀ h, sumOver (x h) ds ≤ ds.length * (m * L))
    (above : ∀ h, ds.length * (m * L) < sumOver (x h) ds + ds.length * L)
    (start : ∀ k, claimRejected (rejected []) k = true → bettingRejects (G * L) (k * L) b δ.num δ.den [] = true)
    (next : ∀ d h k, claimRejected (rejected (d :: h)) k = true →
      bettingRejects (G * L) (k * L) b δ.num δ.den (bets (a k) (fun h d => G * L - x h d) (d :: h)) = true
        ∨ claimRejected (rejected h) k = true) (T : Nat) :
    share ds (fun h => decide (sumOver (x h) ds < (G - claimBound G (rejected h)) * L * ds.length)) T [] ≤ δ := by
  obtain ⟨k, rfl⟩ := Nat.exists_of_le hm
  rw [Nat.add_sub_cancel_left] at stake
  have mirror := fun h => sumOver_mirrored (hx h) ds
  refine share_le_of_imp (fun h hh => decide_eq_true ?_)
    (betting_upper_followed (G := m + k) (L := L) (m := k) (x := fun h d => (m + k) * L - x h d) (rejected := rejected)
      (fun h d => Nat.sub_le_sub_left (Nat.zero_le (x h d)) ((m + k) * L)) stake (fun h => ?_) (fun h => ?_) start next T)
  · have hh := of_decide_eq_true hh
    have mir := mirror h
    generalize claimBound (m + k) (rejected h) = U at *
    rcases Nat.le_total (m + k) U with g | g
    · obtain ⟨j, e⟩ := Nat.exists_of_le g
      rw [e, Nat.sub_add_eq_zero, Nat.zero_mul, Nat.zero_mul] at hh
      exact absurd hh (Nat.not_succ_le_zero _)
    · have e := Nat.add_sub_of_le g
      generalize m + k - U = V, sumOver (x h) ds = s, sumOver (fun d => (m + k) * L - x h d) ds = s' at *
      rw [← e] at mir
      exact Nat.lt_of_not_le fun n => by nat_lin [hh, n, Nat.le_of_eq mir.symm]
  · have mir := mirror h
    have claim := claim h
    generalize sumOver (x h) ds = s, sumOver (fun d => (m + k) * L - x h d) ds = s' at *
    nat_lin [claim, Nat.le_of_eq mir.symm]
  · have mir := mirror h
    have above := above h
    generalize sumOver (x h) ds = s, sumOver (fun d => (m + k) * L - x h d) ds = s' at *
    nat_lin [above, Nat.le_of_eq mir]

/-- Two events of probability at most `δ` and `ε`: the probability that one of them ever happens is at most `δ + ε`. -/
theorem share_or_le {ds : List D} {C E : List D → Bool} {δ ε : Frac} {T : Nat} {h : List D} (hδ : share ds C T h ≤ δ)
    (hε : share ds E T h ≤ ε) : share ds (fun h => C h || E h) T h ≤ δ + ε := by
  have hδ : reachCount ds C T h * δ.den ≤ δ.num * ds.length ^ T := hδ
  have hε : reachCount ds E T h * ε.den ≤ ε.num * ds.length ^ T := hε
  have cover : reachCount ds (fun h => C h || E h) T h ≤ reachCount ds C T h + reachCount ds E T h :=
    countP_le_add fun k _ r => by
      obtain ⟨k₁, k₂, e, hk⟩ := reach_iff.mp r
      rcases Bool.or_eq_true_iff.mp hk with g | g
      · exact .inl (reach_iff.mpr ⟨k₁, k₂, e, g⟩)
      · exact .inr (reach_iff.mpr ⟨k₁, k₂, e, g⟩)
  show reachCount ds (fun h => C h || E h) T h * (δ.den * ε.den) ≤ (δ.num * ε.den + ε.num * δ.den) * ds.length ^ T
  generalize reachCount ds (fun h => C h || E h) T h = c, reachCount ds C T h = c₁, reachCount ds E T h = c₂,
    ds.length ^ T = P, δ.den = d, δ.num = n, ε.den = f, ε.num = e at *
  calc c * (d * f) ≤ (c₁ + c₂) * (d * f) := Nat.mul_le_mul_right _ cover
    _ = c₁ * d * f + c₂ * f * d := by nat_ring
    _ ≤ n * P * f + e * P * d := Nat.add_le_add (Nat.mul_le_mul_right f hδ) (Nat.mul_le_mul_right d hε)
    _ = (n * f + e * d) * P := by nat_ring

/-- **Both bounds at once**: if at every history the mean is between the claims `m` and `m + 1`, the probability that the
mean of the next observation ever leaves the interval from the lower bound of level `ε` to the upper bound of level `δ` is
at most `δ + ε`.  Where the mean is the claim `m` itself, the stakes of the lower bound are against `G − m`, and against
`G − (m + 1)` otherwise: `k` is the least claim that is not below the mean. -/
theorem betting_two_sided {ds : List D} {G m k b c : Nat} {δ ε : Frac} {a a' : List D → Nat} {x : List D → D → Nat}
    (hk : k ≤ G) (hx : ∀ h d, x h d ≤ G) (stake : ∀ h, stakeAdmit G m b (a h) = true)
    (stake' : ∀ h, stakeAdmit G (G - k) c (a' h) = true)
    (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) (below : ∀ h, sumOver (x h) ds < ds.length * (m + 1))
    (claim' : ∀ h, sumOver (x h) ds ≤ ds.length * k) (above : ∀ h, ds.length * k < sumOver (x h) ds + ds.length) (T : Nat) :
    share ds (fun h => decide (bettingUpperBound G b δ.num δ.den (bets a x h) * ds.length < sumOver (x h) ds)
      || decide (sumOver (x h) ds < bettingLowerBound G c ε.num ε.den (bets a' x h) * ds.length)) T [] ≤ δ + ε :=
  share_or_le (betting_upper_sound hx stake claim below T) (betting_lower_sound hk hx stake' claim' above T)

/-- **Both bounds that are followed at run time, at once**: if at every history the mean is between the claims `m` and `m + 1`, and
`k` is the least claim that is not below it, the probability that the mean of the next observation ever leaves the interval from
the lower bound of level `ε` to the upper bound of level `δ` is at most `δ + ε`. -/
theorem betting_two_sided_followed {ds : List D} {G L m k b c : Nat} {δ ε : Frac} {a a' : Nat → List D → Nat}
    {x : List D → D → Nat} {rejected rejected' : List D → List Bool} (hk : k ≤ G) (hx : ∀ h d, x h d ≤ G * L)
    (stake : ∀ h, stakeAdmit (G * L) (m * L) b (a m h) = true)
    (stake' : ∀ h, stakeAdmit (G * L) ((G - k) * L) c (a' (G - k) h) = true)
    (claim : ∀ h, ds.length * (m * L) ≤ sumOver (x h) ds) (below : ∀ h, sumOver (x h) ds < ds.length * ((m + 1) * L))
    (claim' : ∀ h, sumOver (x h) ds ≤ ds.length * (k * L))
    (above : ∀ h, ds.length * (k * L) < sumOver (x h) ds + ds.length * L)
    (start : ∀ j, claimRejected (rejected []) j = true → bettingRejects (G * L) (j * L) b δ.num δ.den [] = true)
    (next : ∀ d h j, claimRejected (rejected (d :: h)) j = true →
      bettingRejects (G * L) (j * L) b δ.num δ.den (bets (a j) x (d :: h)) = true ∨ claimRejected (rejected h) j = true)
    (start' : ∀ j, claimRejected (rejected' []) j = true → bettingRejects (G * L) (j * L) c ε.num ε.den [] = true)
    (next' : ∀ d h j, claimRejected (rejected' (d :: h)) j = true →
      bettingRejects (G * L) (j * L) c ε.num ε.den (bets (a' j) (fun h d => G * L - x h d) (d :: h)) = true
        ∨ claimRejected (rejected' h) j = true) (T : Nat) :
    share ds (fun h => decide (claimBound G (rejected h) * L * ds.length < sumOver (x h) ds)
      || decide (sumOver (x h) ds < (G - claimBound G (rejected' h)) * L * ds.length)) T [] ≤ δ + ε :=
  share_or_le (betting_upper_followed hx stake claim below start next T)
    (betting_lower_followed hk hx stake' claim' above start' next' T)

/-- What is followed is more than the bound of a fixed moment: claims `1/4 … 4/4`, level `1/3`, stakes `1`; after four misses the
claims 2 to 4 are rejected, and they stay so when a hit comes, where `bettingUpperBound` takes claim 2 back. -/
theorem betting_followed_sample :
    claimBound 4 (map (fun k => bettingRejects 4 k 1 1 3 (zeroSteps 4)) [1, 2, 3, 4]) = 2 ∧
      bettingUpperBound 4 1 1 3 (zeroSteps 4) = 2 ∧ bettingUpperBound 4 1 1 3 ((1, 4) :: zeroSteps 4) = 3 := by decide +kernel

/-- Not vacuous: after `64` observations of `0` with the stake `1` the upper bound at level `1/100` is `8/100`; after `64`
observations of `1` the lower bound is `92/100`. -/
theorem bettingBounds_sample : bettingUpperBound 100 1 1 100 (zeroSteps 64) = 8 ∧
    bettingLowerBound 100 1 1 100 (mirrored 100 (zeroSteps 64)) = 92 := by decide +kernel
end Gnosis
