prelude
import Gnosis.BettingBounds
import Gnosis.BettingPool
import Gnosis.UnionLedger
/-! # Bets and draws: what is false

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced. -/
namespace Gnosis.Falsifiers
open List

/-- **The largest claim that is not rejected is no upper bound**: `bettingUpper` in the place of `bettingUpperBound`.  Hit or
miss with the mean `1/2`, stake `1`: after two misses the claim `1` is rejected at level `1/4`, and the largest claim left
is `0`, below the mean; within three draws that has probability `1/2`. -/
theorem largest_claim_is_no_bound : ¬ ∀ {D : Type} {ds : List D} {G m b : Nat} {δ : Frac} {a : List D → Nat}
    {x : List D → D → Nat}, (∀ h d, x h d ≤ G) → (∀ h, stakeAdmit G m b (a h) = true) →
    (∀ h, ds.length * m ≤ sumOver (x h) ds) → (∀ h, sumOver (x h) ds < ds.length * (m + 1)) → ∀ T : Nat,
    share ds (fun h => decide (bettingUpper G b δ.num δ.den (bets a x h) * ds.length < sumOver (x h) ds)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 1) (m := 0) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ => 1)
    (x := fun _ d => bif d then 1 else 0) (fun _ d => ?_) (fun _ => rfl) (fun _ => Nat.zero_le _) (fun _ => by decide) 3) (by decide +kernel)
  cases d with
  | true => exact Nat.le_refl 1
  | false => exact Nat.zero_le 1

/-- **The lower bound needs its unit too**: the mirrored largest claim in the place of the mirrored bound. -/
theorem mirrored_claim_is_no_bound : ¬ ∀ {D : Type} {ds : List D} {G m b : Nat} {δ : Frac} {a : List D → Nat}
    {x : List D → D → Nat}, m ≤ G → (∀ h d, x h d ≤ G) → (∀ h, stakeAdmit G (G - m) b (a h) = true) →
    (∀ h, sumOver (x h) ds ≤ ds.length * m) → (∀ h, ds.length * m < sumOver (x h) ds + ds.length) → ∀ T : Nat,
    share ds (fun h => decide (sumOver (x h) ds
      < (G - bettingUpper G b δ.num δ.den (mirrored G (bets a x h))) * ds.length)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 1) (m := 1) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ => 1)
    (x := fun _ d => bif d then 1 else 0) (Nat.le_refl 1) (fun _ d => ?_) (fun _ => rfl) (fun _ => by decide) (fun _ => by decide) 3)
    (by decide +kernel)
  cases d with
  | true => exact Nat.le_refl 1
  | false => exact Nat.zero_le 1

/-- **Both bounds cost both levels**: `δ` in the place of `δ + ε`.  Hit or miss with the mean `1/2`, that is `6` of the grid
`0 … 12`, stakes `12/7`, both levels `1/5`: three misses push the upper bound to `5`, three hits the lower one to `7`, together
with probability `1/4`. -/
theorem two_bounds_for_one_level : ¬ ∀ {D : Type} {ds : List D} {G m k b c : Nat} {δ ε : Frac} {a a' : List D → Nat}
    {x : List D → D → Nat}, k ≤ G → (∀ h d, x h d ≤ G) → (∀ h, stakeAdmit G m b (a h) = true) →
    (∀ h, stakeAdmit G (G - k) c (a' h) = true) → (∀ h, ds.length * m ≤ sumOver (x h) ds) →
    (∀ h, sumOver (x h) ds < ds.length * (m + 1)) → (∀ h, sumOver (x h) ds ≤ ds.length * k) →
    (∀ h, ds.length * k < sumOver (x h) ds + ds.length) → ∀ T : Nat,
    share ds (fun h => decide (bettingUpperBound G b δ.num δ.den (bets a x h) * ds.length < sumOver (x h) ds)
      || decide (sumOver (x h) ds < bettingLowerBound G c ε.num ε.den (bets a' x h) * ds.length)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 12) (m := 6) (k := 6) (b := 7) (c := 7) (δ := ⟨1, 5⟩) (ε := ⟨1, 5⟩)
    (a := fun _ => 12) (a' := fun _ => 12) (x := fun _ d => bif d then 12 else 0) (by decide) (fun _ d => ?_) (fun _ => rfl)
    (fun _ => rfl) (fun _ => by decide) (fun _ => by decide) (fun _ => by decide) (fun _ => by decide) 3) (by decide +kernel)
  cases d with
  | true => exact Nat.le_refl 12
  | false => exact Nat.zero_le 12

/-- The stakes `2/3` and then `2`, in thirds. -/
def afterOne : List Nat → Nat
  | [] => 2
  | _ => 6

/-- **Without replacement the mean moves**: the bet against the mean of the whole pool at every draw.  Pool `0, 1`, the true
claim that it adds up to `1`, stakes `2/3` and then `2`, both within the cap for the mean `1/2`: in both orders the wealth
reaches `4/3`, which may happen with probability `3/4`. -/
theorem fixed_mean_without_replacement : ¬ ∀ {pool : List Nat} {N K b : Nat} {δ : Frac} {a : List Nat → Nat},
    (∀ x, x ∈ pool → x ≤ N) → K ≤ sumOver (fun x => x) pool →
    (∀ h, Possible (leftOver pool) h → h.length < pool.length → stakeAdmit (N * pool.length) K b (a h) = true) → ∀ T : Nat,
    shareFrom (leftOver pool) (fun h => decide (1 ≤ δ * productWealth
      (fun h x => bettingFactor (N * pool.length) K b (a h) (x * pool.length)) (fun _ => b * (N * pool.length)) h)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (pool := [0, 1]) (N := 1) (K := 1) (b := 3) (δ := ⟨3, 4⟩) (a := afterOne) (fun x m => ?_) (by decide)
    (fun h _ _ => ?_) 2) (by decide +kernel)
  · cases m with
    | head => exact Nat.zero_le 1
    | tail _ m => cases m with
      | head => exact Nat.le_refl 1
      | tail _ m => exact nomatch m
  · cases h with
    | nil => rfl
    | cons _ _ => rfl

/-- Two draws, then one after a `1` and three after a `0`. -/
def unevenDraws : List Nat → List Nat
  | [] => [0, 1]
  | d :: _ => bif Nat.beq d 0 then [0, 1, 2] else [0]
/-- The wealth doubles or is lost at the first draw. -/
def firstDraw : List Nat → Frac
  | [] => 1
  | [d] => bif Nat.beq d 0 then 2 else 0
  | _ :: d :: h => firstDraw (d :: h)

/-- **Continuations are equally likely only when there are as many draws after every history**: `ville_draws` without the
condition on the sizes.  The first draw doubles the wealth or loses it; three draws follow the one, one draw follows the
other, and three of four continuations are rich. -/
theorem uneven_draws : ¬ ∀ {D : Type} {ds : List D → List D} {W : List D → Frac} {C : List D → Bool} {δ : Frac},
    (∀ h, Possible ds h → 0 < (W h).den) →
    (∀ h, Possible ds h → Frac.sumOver (fun d => W (d :: h)) (ds h) ≤ ⟨(ds h).length, 1⟩ * W h) →
    (∀ h, Possible ds h → C h = true → 1 ≤ δ * W h) → ∀ (T : Nat) {h : List D}, Possible ds h → shareFrom ds C T h ≤ δ * W h := by
  intro wrong
  have cases₂ : ∀ d h, firstDraw (d :: h) = 2 ∨ firstDraw (d :: h) = 0 := fun d h => by
    induction h generalizing d with
    | nil => cases e : Nat.beq d 0 with
      | true => left; show (bif Nat.beq d 0 then (2 : Frac) else 0) = 2; rw [e]; rfl
      | false => right; show (bif Nat.beq d 0 then (2 : Frac) else 0) = 0; rw [e]; rfl
    | cons d' h ih => exact ih d'
  refine absurd (wrong (ds := unevenDraws) (W := firstDraw) (C := fun h => decide (1 ≤ (⟨1, 2⟩ : Frac) * firstDraw h))
    (δ := ⟨1, 2⟩) (fun h _ => ?_) (fun h _ => ?_) (fun h _ hh => of_decide_eq_true hh) 2 .nil) (by decide +kernel)
  · cases h with
    | nil => exact Nat.le_refl 1
    | cons d h => rcases cases₂ d h with e | e <;> rw [e] <;> exact Nat.le_refl 1
  · cases h with
    | nil => decide
    | cons d h =>
      have same : ∀ d', firstDraw (d' :: d :: h) = firstDraw (d :: h) := fun _ => rfl
      cases e : Nat.beq d 0 with
      | true =>
        have draws : unevenDraws (d :: h) = [0, 1, 2] := by rw [unevenDraws, e]; rfl
        rw [draws]
        rcases cases₂ d h with k | k
        · show Frac.sumOver (fun d' => firstDraw (d :: h)) [0, 1, 2] ≤ _
          rw [k]; decide
        · show Frac.sumOver (fun d' => firstDraw (d :: h)) [0, 1, 2] ≤ _
          rw [k]; decide
      | false =>
        have draws : unevenDraws (d :: h) = [0] := by rw [unevenDraws, e]; rfl
        rw [draws]
        rcases cases₂ d h with k | k
        · show Frac.sumOver (fun d' => firstDraw (d :: h)) [0] ≤ _
          rw [k]; decide
        · show Frac.sumOver (fun d' => firstDraw (d :: h)) [0] ≤ _
          rw [k]; decide

/-- **Shares of `δ/(t + 1)` are too much**: `1/(t + 1)` in the place of `1/((t + 1)·(t + 2))`.  With `δ = 1/2` each of two
events fails on half of its draws and then on a quarter: `5/8` in all. -/
theorem harmonic_shares_overrun : ¬ ∀ {D : Type} {ds : List D → List D} {n : Nat → Nat} {δ : Frac}, 0 < δ.den →
    ∀ {fails : List D → D → Bool}, (∀ h, Possible ds h → (ds h).length = n h.length) →
    (∀ h, Possible ds h → (⟨countP (fails h) (ds h), (ds h).length⟩ : Frac) ≤ ⟨δ.num, δ.den * (h.length + 1)⟩) → ∀ T : Nat,
    shareFrom ds (anyFailed fails) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := fun _ => [0, 1, 2, 3]) (n := fun _ => 4) (δ := ⟨1, 2⟩) (by decide)
    (fails := fun h d => match h with
      | [] => Nat.ble d 1
      | [_] => Nat.beq d 0
      | _ => false) (fun _ _ => rfl) (fun h _ => ?_) 2) (by decide +kernel)
  cases h with
  | nil => decide
  | cons d h => cases h with
    | nil => exact (show 1 * (2 * 2) ≤ 1 * 4 by decide)
    | cons d' h => exact Nat.le_trans (Nat.le_of_eq (Nat.zero_mul _)) (Nat.zero_le _)
/-- **The same for stakes that depend on the claim**: `claimUpperFrom` in the place of `claimUpperBound`. -/
theorem largest_claim_of_any_stakes : ¬ ∀ {D : Type} {ds : List D} {G m b : Nat} {δ : Frac} {a : Nat → List D → Nat}
    {x : List D → D → Nat}, (∀ h d, x h d ≤ G) → (∀ h, stakeAdmit G m b (a m h) = true) →
    (∀ h, ds.length * m ≤ sumOver (x h) ds) → (∀ h, sumOver (x h) ds < ds.length * (m + 1)) → ∀ T : Nat,
    share ds (fun h => decide (claimUpperFrom (fun k => bettingRejects G k b δ.num δ.den (bets (a k) x h)) G * ds.length
      < sumOver (x h) ds)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 1) (m := 0) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ _ => 1)
    (x := fun _ d => bif d then 1 else 0) (fun _ d => ?_) (fun _ => rfl) (fun _ => Nat.zero_le _) (fun _ => by decide) 3) (by decide +kernel)
  cases d with
  | true => exact Nat.le_refl 1
  | false => exact Nat.zero_le 1

/-- Every rejection of the test of the claim 1 of `0, 1` is called, and none is kept. -/
def called (b n d : Nat) (x : List Bool → Bool → Nat) (h : List Bool) : List Bool :=
  [bettingRejects 1 1 b n d (bets (fun _ => 1) x h)]
/-- Hit or miss. -/
def hit (_ : List Bool) (d : Bool) : Nat := bif d then 1 else 0

/-- A list with one entry calls claim 1 only. -/
theorem called_one {r : Bool} {k : Nat} {P : Nat → Prop} (one : r = true → P 1) (c : claimRejected [r] k = true) : P k := by
  cases k with
  | zero => exact nomatch c
  | succ k => cases k with
    | zero => exact one c
    | succ k => exact nomatch c

/-- **The claim that is left is no bound**: the largest claim that is not called rejected in the place of the bound above it.  The
example is that of `largest_claim_is_no_bound`, every rejection of the test being called. -/
theorem followed_claim_is_no_bound : ¬ ∀ {D : Type} {ds : List D} {G L m b : Nat} {δ : Frac} {a : Nat → List D → Nat}
    {x : List D → D → Nat} {rejected : List D → List Bool}, (∀ h d, x h d ≤ G * L) →
    (∀ h, stakeAdmit (G * L) (m * L) b (a m h) = true) → (∀ h, ds.length * (m * L) ≤ sumOver (x h) ds) →
    (∀ h, sumOver (x h) ds < ds.length * ((m + 1) * L)) →
    (∀ k, claimRejected (rejected []) k = true → bettingRejects (G * L) (k * L) b δ.num δ.den [] = true) →
    (∀ d h k, claimRejected (rejected (d :: h)) k = true →
      bettingRejects (G * L) (k * L) b δ.num δ.den (bets (a k) x (d :: h)) = true ∨ claimRejected (rejected h) k = true) →
    ∀ T : Nat,
    share ds (fun h => decide (claimUpperFrom (claimRejected (rejected h)) G * L * ds.length < sumOver (x h) ds)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 1) (L := 1) (m := 0) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ _ => 1) (x := hit)
    (rejected := called 1 1 4 hit) (fun _ d => ?_) (fun _ => rfl) (fun _ => Nat.zero_le _) (fun _ => Nat.le_refl 2)
    (fun k c => ?_) (fun d h k c => .inl ?_) 3) (by decide +kernel)
  · cases d with
    | true => exact Nat.le_refl 1
    | false => exact Nat.zero_le 1
  · exact called_one (P := fun k => bettingRejects 1 (k * 1) 1 1 4 [] = true) (fun r => r) c
  · exact called_one (P := fun k => bettingRejects 1 (k * 1) 1 1 4 (bets (fun _ => 1) hit (d :: h)) = true) (fun r => r) c

/-- Two observations of `0`, and `3` ever after. -/
def jumps (h : List Bool) (_ : Bool) : Nat :=
  match h with
  | _ :: _ :: _ => 3
  | _ => 0

/-- **The mean stays between the same two claims**: a bracket two claims wide in the place of one.  Grid `0 … 4` with the claims 2 and 4:
a mean that is 0 twice and 3 afterwards.  Stakes `1` reject both claims while they are false, so that the bound is 2, and the
next mean is 3. -/
theorem mean_two_claims_above : ¬ ∀ {D : Type} {ds : List D} {G L m b : Nat} {δ : Frac} {a : Nat → List D → Nat}
    {x : List D → D → Nat} {rejected : List D → List Bool}, (∀ h d, x h d ≤ G * L) →
    (∀ h, stakeAdmit (G * L) (m * L) b (a m h) = true) → (∀ h, ds.length * (m * L) ≤ sumOver (x h) ds) →
    (∀ h, sumOver (x h) ds < ds.length * ((m + 2) * L)) →
    (∀ k, claimRejected (rejected []) k = true → bettingRejects (G * L) (k * L) b δ.num δ.den [] = true) →
    (∀ d h k, claimRejected (rejected (d :: h)) k = true →
      bettingRejects (G * L) (k * L) b δ.num δ.den (bets (a k) x (d :: h)) = true ∨ claimRejected (rejected h) k = true) →
    ∀ T : Nat,
    share ds (fun h => decide (claimBound G (rejected h) * L * ds.length < sumOver (x h) ds)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false]) (G := 2) (L := 2) (m := 0) (b := 1) (δ := ⟨1, 2⟩) (a := fun _ _ => 1) (x := jumps)
    (rejected := fun h => [bettingRejects 4 2 1 1 2 (bets (fun _ => 1) jumps h), bettingRejects 4 4 1 1 2 (bets (fun _ => 1) jumps h)])
    (fun h _ => ?_) (fun _ => rfl) (fun _ => Nat.zero_le _) (fun h => ?_) (fun k c => ?_) (fun d h k c => .inl ?_) 2)
    (by decide +kernel)
  · match h with
    | _ :: _ :: _ => exact (show 3 ≤ 4 by decide)
    | [_] => exact Nat.zero_le _
    | [] => exact Nat.zero_le _
  · match h with
    | _ :: _ :: _ => exact (show 3 < 4 by decide)
    | [_] => exact (show 0 < 4 by decide)
    | [] => exact (show 0 < 4 by decide)
  · match k with
    | 0 => exact nomatch c
    | 1 => exact c
    | 2 => exact c
    | k + 3 => cases k with
      | zero => exact nomatch c
      | succ k => exact nomatch c
  · match k with
    | 0 => exact nomatch c
    | 1 => exact c
    | 2 => exact c
    | k + 3 => cases k with
      | zero => exact nomatch c
      | succ k => exact nomatch c

/-- **The lower bound that is followed needs its unit too**: the mirrored claim that is left in the place of the mirrored bound. -/
theorem mirrored_followed_claim_is_no_bound : ¬ ∀ {D : Type} {ds : List D} {G L m b : Nat} {δ : Frac} {a : Nat → List D → Nat}
    {x : List D → D → Nat} {rejected : List D → List Bool}, m ≤ G → (∀ h d, x h d ≤ G * L) →
    (∀ h, stakeAdmit (G * L) ((G - m) * L) b (a (G - m) h) = true) → (∀ h, sumOver (x h) ds ≤ ds.length * (m * L)) →
    (∀ h, ds.length * (m * L) < sumOver (x h) ds + ds.length * L) →
    (∀ k, claimRejected (rejected []) k = true → bettingRejects (G * L) (k * L) b δ.num δ.den [] = true) →
    (∀ d h k, claimRejected (rejected (d :: h)) k = true →
      bettingRejects (G * L) (k * L) b δ.num δ.den (bets (a k) (fun h d => G * L - x h d) (d :: h)) = true
        ∨ claimRejected (rejected h) k = true) → ∀ T : Nat,
    share ds (fun h => decide (sumOver (x h) ds < (G - claimUpperFrom (claimRejected (rejected h)) G) * L * ds.length)) T []
      ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 1) (L := 1) (m := 1) (b := 1) (δ := ⟨1, 4⟩) (a := fun _ _ => 1) (x := hit)
    (rejected := called 1 1 4 (fun h d => 1 - hit h d)) (Nat.le_refl 1) (fun _ d => ?_) (fun _ => rfl)
    (fun _ => Nat.le_of_ble_eq_true rfl) (fun _ => Nat.le_of_ble_eq_true rfl) (fun k c => ?_) (fun d h k c => .inl ?_) 3) (by decide +kernel)
  · cases d with
    | true => exact Nat.le_refl 1
    | false => exact Nat.zero_le 1
  · exact called_one (P := fun k => bettingRejects 1 (k * 1) 1 1 4 [] = true) (fun r => r) c
  · exact called_one (P := fun k => bettingRejects 1 (k * 1) 1 1 4 (bets (fun _ => 1) (fun h d => 1 - hit h d) (d :: h)) = true)
      (fun r => r) c

/-- What a test says of the claims `j, …, j + n − 1`. -/
def calls (test : Nat → Bool) : Nat → Nat → List Bool
  | _, 0 => []
  | j, n + 1 => test j :: calls test (j + 1) n

/-- A claim is called rejected only where the test rejects it. -/
theorem calls_spec {test : Nat → Bool} {n j k : Nat} (c : claimRejected (calls test j n) (k + 1) = true) : test (j + k) = true := by
  induction n generalizing j k with
  | zero => cases k <;> exact nomatch c
  | succ n ih => cases k with
    | zero => exact c
    | succ k =>
      have r := ih (j := j + 1) (k := k) c
      rw [Nat.add_right_comm] at r
      exact r

/-- The test of the twelve claims with the stake 12/7 at level 1/5. -/
def twelve (x : List Bool → Bool → Nat) (h : List Bool) : List Bool :=
  calls (fun k => bettingRejects 12 k 7 1 5 (bets (fun _ => 12) x h)) 1 12
/-- Hit or miss, on the grid `0 … 12`. -/
def hitOfTwelve (_ : List Bool) (d : Bool) : Nat := bif d then 12 else 0

/-- What `twelve` calls rejected is rejected. -/
theorem twelve_spec {x : List Bool → Bool → Nat} {h : List Bool} {k : Nat} (c : claimRejected (twelve x h) k = true) :
    bettingRejects 12 (k * 1) 7 1 5 (bets (fun _ => 12) x h) = true := by
  cases k with
  | zero => exact nomatch c
  | succ k =>
    have r := calls_spec c
    rw [Nat.mul_one, Nat.add_comm k 1]
    exact r

/-- **Both bounds that are followed cost both levels**: `δ` in the place of `δ + ε`.  The example is that of `two_bounds_for_one_level`,
every rejection being called. -/
theorem two_followed_bounds_for_one_level : ¬ ∀ {D : Type} {ds : List D} {G L m k b c : Nat} {δ ε : Frac} {a a' : Nat → List D → Nat}
    {x : List D → D → Nat} {rejected rejected' : List D → List Bool}, k ≤ G → (∀ h d, x h d ≤ G * L) →
    (∀ h, stakeAdmit (G * L) (m * L) b (a m h) = true) → (∀ h, stakeAdmit (G * L) ((G - k) * L) c (a' (G - k) h) = true) →
    (∀ h, ds.length * (m * L) ≤ sumOver (x h) ds) → (∀ h, sumOver (x h) ds < ds.length * ((m + 1) * L)) →
    (∀ h, sumOver (x h) ds ≤ ds.length * (k * L)) → (∀ h, ds.length * (k * L) < sumOver (x h) ds + ds.length * L) →
    (∀ j, claimRejected (rejected []) j = true → bettingRejects (G * L) (j * L) b δ.num δ.den [] = true) →
    (∀ d h j, claimRejected (rejected (d :: h)) j = true →
      bettingRejects (G * L) (j * L) b δ.num δ.den (bets (a j) x (d :: h)) = true ∨ claimRejected (rejected h) j = true) →
    (∀ j, claimRejected (rejected' []) j = true → bettingRejects (G * L) (j * L) c ε.num ε.den [] = true) →
    (∀ d h j, claimRejected (rejected' (d :: h)) j = true →
      bettingRejects (G * L) (j * L) c ε.num ε.den (bets (a' j) (fun h d => G * L - x h d) (d :: h)) = true
        ∨ claimRejected (rejected' h) j = true) → ∀ T : Nat,
    share ds (fun h => decide (claimBound G (rejected h) * L * ds.length < sumOver (x h) ds)
      || decide (sumOver (x h) ds < (G - claimBound G (rejected' h)) * L * ds.length)) T [] ≤ δ := by
  intro wrong
  refine absurd (wrong (ds := [false, true]) (G := 12) (L := 1) (m := 6) (k := 6) (b := 7) (c := 7) (δ := ⟨1, 5⟩) (ε := ⟨1, 5⟩)
    (a := fun _ _ => 12) (a' := fun _ _ => 12) (x := hitOfTwelve) (rejected := twelve hitOfTwelve)
    (rejected' := twelve (fun h d => 12 - hitOfTwelve h d)) (by decide) (fun _ d => ?_) (fun _ => rfl) (fun _ => rfl)
    (fun _ => Nat.le_of_ble_eq_true rfl) (fun _ => Nat.le_of_ble_eq_true rfl) (fun _ => Nat.le_of_ble_eq_true rfl)
    (fun _ => Nat.le_of_ble_eq_true rfl) (fun _ c => twelve_spec c) (fun _ _ _ c => .inl (twelve_spec c)) (fun _ c => twelve_spec c)
    (fun _ _ _ c => .inl (twelve_spec c)) 3) (by decide +kernel)
  cases d with
  | true => exact Nat.le_refl 12
  | false => exact Nat.zero_le 12
end Gnosis.Falsifiers
