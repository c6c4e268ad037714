prelude
import Gnosis.Decision.Cumloss
import Gnosis.Ville
/-! # The betting confidence sequence

Observations `x/N` in `[0, 1]` arrive one by one.  To test the claim that their mean is at least `m/N`, stake `λ = a/b`
against it at every step: the wealth is multiplied by `1 + λ·(m/N − x/N)`.  The stake may be chosen from the history.  If
the claim is true the wealth does not grow in the mean, so it reaches `1/δ` with probability at most `δ`, at any time.
The means that are not rejected form a confidence sequence.  If claims `m/M` and observations `x/N` are on different
grids, take the grid `N·M` for both. -/
universe u

namespace Gnosis
open List
variable {D : Type u}

/-- What `stakeAdmit` says. -/
theorem stakeAdmit_iff {N m b a : Nat} : stakeAdmit N m b a = true ↔ 0 < N ∧ 0 < b ∧ m ≤ N ∧ a * N ≤ b * N + a * m := by
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h₃
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, Nat.le_of_ble_eq_true h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Nat.ble_eq_true_of_le h₄⟩⟩⟩

/-- Stakes and observations along a history, the latest first. -/
def bets (a : List D → Nat) (x : List D → D → Nat) : List D → List (Nat × Nat)
  | [] => []
  | d :: h => (a h, x h d) :: bets a x h

/-- The wealth along a history of the bets against "the mean is at least `m/N`" with stakes `a h / b`. -/
def bettingWealth (N m b : Nat) (a : List D → Nat) (x : List D → D → Nat) (h : List D) : Frac :=
  ⟨bettingNum N m b (bets a x h), bettingDen N b (bets a x h)⟩

/-- The wealth is a product of factors. -/
theorem bettingWealth_eq (N m b : Nat) (a : List D → Nat) (x : List D → D → Nat) (h : List D) :
    bettingWealth N m b a x h = productWealth (fun h d => bettingFactor N m b (a h) (x h d)) (fun _ => b * N) h := by
  induction h with
  | nil => rfl
  | cons d h ih => rw [productWealth, ← ih]; rfl

/-- Within the cap and if the claim is true, the betting factors have mean at most one. -/
theorem bettingFactor_mean {ds : List D} {N m b a : Nat} {x : D → Nat} (hx : ∀ d, x d ≤ N)
    (stake : stakeAdmit N m b a = true) (claim : ds.length * m ≤ sumOver x ds) :
    sumOver (fun d => bettingFactor N m b a (x d)) ds ≤ ds.length * (b * N) := by
  obtain ⟨_, _, _, cap⟩ := stakeAdmit_iff.mp stake
  apply Nat.le_of_add_le_add_right (c := a * sumOver x ds)
  calc sumOver (fun d => bettingFactor N m b a (x d)) ds + a * sumOver x ds = sumOver (fun _ => b * N + a * m) ds := by
        rw [mul_sumOver, ← sumOver_add]
        apply sumOver_congr
        intro d _
        rw [Nat.add_comm]
        exact Nat.add_sub_of_le (Nat.le_trans (Nat.mul_le_mul_left a (hx d)) cap)
    _ = ds.length * (b * N) + a * (ds.length * m) := by
        rw [sumOver_const]; nat_ring [ds.length, b, N, a, m]
    _ ≤ ds.length * (b * N) + a * sumOver x ds := Nat.add_le_add_left (Nat.mul_le_mul_left _ claim) _

/-- **Betting is an e-process.**  If all observations are in `[0, 1]`, all stakes within the cap `1/(1 − m/N)`, and the
claim that the mean is at least `m/N` is true at every history, then the wealth starts at one, stays non-negative and is
a supermartingale. -/
theorem betting_eprocess {ds : List D} {N m b : Nat} {a : List D → Nat} {x : List D → D → Nat} (hx : ∀ h d, x h d ≤ N)
    (stake : ∀ h, stakeAdmit N m b (a h) = true) (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) :
    bettingWealth N m b a x [] = 1 ∧ (∀ h, 0 < (bettingWealth N m b a x h).den) ∧
      Supermartingale ds (bettingWealth N m b a x) := by
  obtain ⟨hN, hb, _, _⟩ := stakeAdmit_iff.mp (stake [])
  have pos : ∀ h : List D, 0 < b * N := fun _ => Nat.mul_pos hb hN
  refine ⟨rfl, fun h => ?_, fun h => ?_⟩
  · rw [bettingWealth_eq]; exact productWealth_den_pos pos h
  · have s := productWealth_super pos (fun h => bettingFactor_mean (hx h) (stake h) (claim h)) h
    rw [← Frac.sumOver_congr (f := fun d => bettingWealth N m b a x (d :: h)) fun d _ => bettingWealth_eq N m b a x (d :: h),
      ← bettingWealth_eq] at s
    exact s

/-- **The betting test holds at all times.**  If the mean is at least `m/N` at every history, the probability that this
claim is ever rejected at level `δ` is at most `δ`, however many observations are made and whenever one stops. -/
theorem betting_anytime {ds : List D} {N m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat}
    (hx : ∀ h d, x h d ≤ N) (stake : ∀ h, stakeAdmit N m b (a h) = true)
    (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) (T : Nat) :
    share ds (fun h => bettingRejects N m b δ.num δ.den (bets a x h)) T [] ≤ δ := by
  obtain ⟨start, pos, super⟩ := betting_eprocess hx stake claim
  have v := ville_event (δ := δ) (C := fun h => bettingRejects N m b δ.num δ.den (bets a x h)) pos super (fun h hh => by
    obtain ⟨_, hh⟩ := Bool.and_eq_true_iff.mp hh
    have rich := Nat.le_of_ble_eq_true (Bool.and_eq_true_iff.mp hh).right
    show 1 * (δ.den * bettingDen N b (bets a x h)) ≤ δ.num * bettingNum N m b (bets a x h) * 1
    rw [Nat.one_mul, Nat.mul_one]; exact rich) T []
  rw [start] at v
  have v : reachCount ds _ T [] * (δ.den * 1) ≤ δ.num * 1 * ds.length ^ T := v
  rw [Nat.mul_one, Nat.mul_one] at v
  exact v

/-- Every claim above the largest one that is not rejected is rejected. -/
theorem bettingUpper_spec {N m b nδ dδ : Nat} {steps : List (Nat × Nat)} (hm : m ≤ N)
    (h : bettingUpper N b nδ dδ steps < m) : bettingRejects N m b nδ dδ steps = true := by
  have all : ∀ k, m ≤ k → bettingUpperFrom N b nδ dδ steps k < m → bettingRejects N m b nδ dδ steps = true := fun k => by
    induction k with
    | zero => exact fun hm h => absurd (Nat.le_trans h hm) (Nat.not_succ_le_zero _)
    | succ k ih =>
      intro hm h
      cases e : bettingRejects N (k + 1) b nδ dδ steps with
      | true =>
        rw [bettingUpperFrom, e] at h
        rcases Nat.lt_or_ge k m with g | g
        · rw [Nat.le_antisymm hm g]; exact e
        · exact ih g h
      | false =>
        rw [bettingUpperFrom, e] at h
        exact absurd hm (Nat.not_le_of_lt h)
  exact all N hm h

/-- **The largest claim that is not rejected, at all times.**  If the mean is at least `m/N` at every history, the probability
that this claim ever falls below `m/N` is at most `δ`.  An upper bound of the mean itself is one unit more
(`betting_upper_sound`). -/
theorem betting_upper_anytime {ds : List D} {N m b : Nat} {δ : Frac} {a : List D → Nat} {x : List D → D → Nat}
    (hx : ∀ h d, x h d ≤ N) (stake : ∀ h, stakeAdmit N m b (a h) = true)
    (claim : ∀ h, ds.length * m ≤ sumOver (x h) ds) (T : Nat) :
    share ds (fun h => decide (bettingUpper N b δ.num δ.den (bets a x h) < m)) T [] ≤ δ :=
  share_le_of_imp (fun _ hh => bettingUpper_spec (stakeAdmit_iff.mp (stake [])).right.right.left (of_decide_eq_true hh))
    (betting_anytime hx stake claim T)

/-- `t` observations of `0`, each with the stake `1`. -/
def zeroSteps : Nat → List (Nat × Nat)
  | 0 => []
  | t + 1 => (1, 0) :: zeroSteps t
/-- Not vacuous: after `64` observations of `0` with the stake `1` the largest claim that is not rejected at level `1/100` is `7/100`. -/
theorem bettingUpper_sample : bettingUpper 100 1 1 100 (zeroSteps 64) = 7 := by decide +kernel

/-- A fair coin with values `0` and `1`, in units of `1/2`. -/
def coin (_ : List Bool) (d : Bool) : Nat := bif d then 2 else 0
/-- A stake that adapts: twice as much just after an observation of `0`. -/
def adaptiveStake : List Bool → Nat
  | [] => 1
  | d :: _ => bif d then 1 else 2
/-- Every hypothesis of `betting_anytime` can be met by stakes that depend on the history. -/
theorem betting_sample (T : Nat) :
    share [false, true] (fun h => bettingRejects 2 1 1 1 8 (bets adaptiveStake coin h)) T [] ≤ ⟨1, 8⟩ := by
  refine betting_anytime (ds := [false, true]) (N := 2) (m := 1) (b := 1) (δ := ⟨1, 8⟩) (a := adaptiveStake) (x := coin)
    (fun h d => ?_) (fun h => ?_) (fun h => Nat.le_refl 2) T
  · cases d with
    | true => exact Nat.le_refl 2
    | false => exact Nat.zero_le 2
  · cases h with
    | nil => rfl
    | cons d h => cases d with
      | true => rfl
      | false => rfl

/-- Sharp: a fair coin with values `0` and `1` and the stake `2`, the cap for the mean `1/2`, is rejected at level `1/8`
within three observations with probability `1/8` exactly. -/
theorem betting_sharp :
    stakeAdmit 2 1 1 2 = true ∧ stakeAdmit 2 1 1 3 = false ∧ sumOver (coin []) [false, true] = [false, true].length * 1 ∧
      share [false, true] (fun h => bettingRejects 2 1 1 1 8 (bets (fun _ => 2) coin h)) 3 [] = ⟨1, 8⟩ :=
  ⟨rfl, rfl, rfl, rfl⟩
end Gnosis
