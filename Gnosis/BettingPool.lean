prelude
import Gnosis.BettingConfidence
import Gnosis.Foundation.Permutations
import Gnosis.VilleDraws
/-! # Betting on a finite corpus that is drawn without replacement

After some draws the mean of what is left is another than that of the corpus: whoever bets against the old mean can win
surely on a true claim (`Gnosis.Falsifiers.fixed_mean_without_replacement`).  If `M` observations, in random order, add up
to `K` at least, then after `t` draws the `M − t` that are left add up to `K − Σ seen` at least, and the bet is against
their mean.  One may as well draw with replacement, to which `Gnosis.BettingConfidence` applies as it stands. -/

namespace Gnosis
open List

/-- The list with one `x` taken out, if it has one. -/
def takeOut (x : Nat) : List Nat → List Nat
  | [] => []
  | y :: l => bif Nat.beq x y then l else y :: takeOut x l

/-- What is left of the pool after the draws `h`, the latest first. -/
def leftOver (pool : List Nat) : List Nat → List Nat
  | [] => pool
  | x :: h => takeOut x (leftOver pool h)

/-- The sum of the draws. -/
def seen (h : List Nat) : Nat := sumOver (fun x => x) h

/-- The step `(a, x)` of a bet with the stake `a/b` at the history `h` against the claim that the `M` observations add up to
`K` at least: the numbers for `bettingFactor`.  What is left has the mean `(K − Σ seen)/(M − t)` at least. -/
def poolFactor (N M K b : Nat) (a : List Nat → Nat) (h : List Nat) (x : Nat) : Nat :=
  bettingFactor (N * (M - h.length)) (K - seen h) b (a h) (x * (M - h.length))

/-- The wealth of these bets along a history. -/
def poolWealth (N M K b : Nat) (a : List Nat → Nat) : List Nat → Frac :=
  productWealth (poolFactor N M K b a) (fun h => b * (N * (M - h.length)))

/-- Taking out an entry leaves one less, the sum of the others, and entries of the list. -/
theorem takeOut_spec {x : Nat} {l : List Nat} (m : x ∈ l) : (takeOut x l).length + 1 = l.length
    ∧ sumOver (fun y => y) (takeOut x l) + x = sumOver (fun y => y) l ∧ ∀ y, y ∈ takeOut x l → y ∈ l := by
  induction l with
  | nil => exact nomatch m
  | cons y l ih =>
    cases e : Nat.beq x y with
    | true =>
      have e' := Nat.beq_eq_true_iff.mp e
      rw [takeOut, e]
      exact ⟨rfl, by rw [e']; exact Nat.add_comm _ _, fun z mz => .tail y mz⟩
    | false =>
      have m : x ∈ l := by
        cases m with
        | head => rw [Nat.beq_eq_true_iff.mpr rfl] at e; exact nomatch e
        | tail _ m => exact m
      obtain ⟨h₁, h₂, h₃⟩ := ih m
      rw [takeOut, e]
      refine ⟨congrArg Nat.succ h₁, ?_, fun z mz => ?_⟩
      · show y + sumOver (fun y => y) (takeOut x l) + x = y + sumOver (fun y => y) l
        rw [Nat.add_assoc, h₂]
      · cases mz with
        | head => exact .head l
        | tail _ mz => exact .tail y (h₃ z mz)

/-- What is left after draws that can happen. -/
theorem leftOver_spec {pool h : List Nat} (ph : Possible (leftOver pool) h) : (leftOver pool h).length + h.length = pool.length
    ∧ sumOver (fun y => y) (leftOver pool h) + seen h = sumOver (fun y => y) pool ∧ ∀ y, y ∈ leftOver pool h → y ∈ pool := by
  induction ph with
  | nil => exact ⟨rfl, rfl, fun _ m => m⟩
  | @cons d h _ m ih =>
    obtain ⟨h₁, h₂, h₃⟩ := ih
    obtain ⟨k₁, k₂, k₃⟩ := takeOut_spec m
    refine ⟨?_, ?_, fun y my => h₃ y (k₃ y my)⟩
    · show (takeOut d (leftOver pool h)).length + (h.length + 1) = _
      rw [← Nat.add_assoc, Nat.add_right_comm, k₁, h₁]
    · show sumOver (fun y => y) (takeOut d (leftOver pool h)) + (d + seen h) = _
      rw [← Nat.add_assoc, k₂, h₂]

/-- **Betting without replacement holds at all times.**  The pool of `M` observations `x ≤ N` is drawn in random order; the
claim that they add up to `K` at least is true; every stake `a/b` is within the cap for the mean of what is left.  Then the
wealth of the bets against `(K − Σ seen)/(M − t)` ever reaches `1/δ` with probability at most `δ`. -/
theorem betting_pool_anytime {pool : List Nat} {N K b : Nat} {δ : Frac} {a : List Nat → Nat} (hx : ∀ x, x ∈ pool → x ≤ N)
    (claim : K ≤ sumOver (fun x => x) pool)
    (stake : ∀ h, Possible (leftOver pool) h → h.length < pool.length →
      stakeAdmit (N * (pool.length - h.length)) (K - seen h) b (a h) = true) (T : Nat) :
    shareFrom (leftOver pool) (fun h => decide (1 ≤ δ * poolWealth N pool.length K b a h)) T [] ≤ δ := by
  have room : ∀ {h d}, Possible (leftOver pool) h → d ∈ leftOver pool h → h.length < pool.length := fun {h d} ph m => by
    obtain ⟨l, _, _⟩ := leftOver_spec ph
    cases e : leftOver pool h with
    | nil => rw [e] at m; exact nomatch m
    | cons y rest =>
      rw [e] at l
      have l : rest.length + 1 + h.length = pool.length := l
      exact Nat.le_trans (Nat.le_add_left _ rest.length) (Nat.le_of_eq (by rw [← l]; nat_ring))
  refine ville_draws_product (n := fun t => pool.length - t) (fun h ph => ?_) (fun h d ph m => ?_) (fun h ph => ?_)
    (fun h _ hh => of_decide_eq_true hh) T
  · rw [← (leftOver_spec ph).1, Nat.add_sub_cancel]
  · obtain ⟨hN, hb, _, _⟩ := stakeAdmit_iff.mp (stake h ph (room ph m))
    exact Nat.mul_pos hb hN
  · obtain ⟨l, s, sub⟩ := leftOver_spec ph
    have len : (leftOver pool h).length = pool.length - h.length := by rw [← l, Nat.add_sub_cancel]
    cases e : leftOver pool h with
    | nil => exact Nat.zero_le _
    | cons y rest =>
      have m : y ∈ leftOver pool h := by rw [e]; exact .head _
      rw [← e]
      have total : sumOver (fun d => d * (pool.length - h.length)) (leftOver pool h)
          = sumOver (fun d => d) (leftOver pool h) * (pool.length - h.length) := (sumOver_mul _ _ _).symm
      have mean := bettingFactor_mean (ds := leftOver pool h) (N := N * (pool.length - h.length)) (m := K - seen h) (b := b)
        (a := a h) (x := fun d => bif Nat.ble d N then d * (pool.length - h.length) else 0) (fun d => by
          cases c : Nat.ble d N with
          | true => exact Nat.mul_le_mul_right _ (Nat.le_of_ble_eq_true c)
          | false => exact Nat.zero_le _) (stake h ph (room ph m)) (by
          rw [sumOver_congr (g := fun d => d * (pool.length - h.length)) (fun d md => by
            rw [Nat.ble_eq_true_of_le (hx d (sub d md))]; rfl), total, len, Nat.mul_comm]
          refine Nat.mul_le_mul_right _ ?_
          rcases Nat.le_total K (seen h) with g | g
          · obtain ⟨k, ek⟩ := Nat.exists_of_le g
            rw [ek, Nat.sub_add_eq_zero]; exact Nat.zero_le _
          · refine Nat.le_of_add_le_add_right (c := seen h) ?_
            rw [s, Nat.add_comm, Nat.add_sub_of_le g]; exact claim)
      refine Nat.le_trans (Nat.le_of_eq (sumOver_congr fun d md => ?_)) mean
      show bettingFactor _ _ _ _ _ = bettingFactor _ _ _ _ (bif Nat.ble d N then _ else 0)
      rw [Nat.ble_eq_true_of_le (hx d (sub d md))]; rfl

/-- Not vacuous: the pool `0, 0, 1, 1`, the true claim that it adds up to `2`, the stake `1`.  The first stake is within the
cap, and all `24` orders are counted. -/
theorem betting_pool_sample : stakeAdmit (1 * 4) 2 1 1 = true ∧ (contsFrom (leftOver [0, 0, 1, 1]) 4 []).length = factorial 4 ∧
    shareFrom (leftOver [0, 0, 1, 1]) (fun h => decide ((1 : Frac) ≤ ⟨2, 3⟩ * poolWealth 1 4 2 1 (fun _ => 1) h)) 4 [] = ⟨12, 24⟩ :=
  ⟨rfl, rfl, rfl⟩
end Gnosis
