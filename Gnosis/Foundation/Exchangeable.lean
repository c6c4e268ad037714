prelude
import Gnosis.Foundation.Subsets
import Gnosis.Decision.Search
import Gnosis.Decision.Margin
/-! # Exchangeable samples, finitely

A random sample of `n` scores is given by the list of its equally likely outcomes (an outcome that is twice as
likely is listed twice).  It is *exchangeable* when rearranging the positions by any fixed permutation changes the
probability of no event (`Exchangeable`).  Two samples that are exchangeable: all orders of a fixed list
(`exchangeable_perms`), and draws without replacement from a pool in random order (`exchangeable_pool`).  The one
thing that exchangeability is used for is `exchangeable_share`: the probability of an event is its average share
among the orders of the outcomes. -/
open List
namespace Gnosis

/-- The positions `0, 1, …, n - 1`. -/
def positions : Nat → List Nat
  | 0 => []
  | n + 1 => 0 :: map (fun i => i + 1) (positions n)

/-- The list `t` rearranged: its entries at the positions `σ`, in this order. -/
def arrange (σ : List Nat) (t : List Int) : List Int := map (entry t) σ

/-- The sample with the equally likely outcomes `Ω`, all of length `n`, is exchangeable: for every permutation `σ`
of the positions and every event `P`, rearranging by `σ` does not change how many outcomes satisfy `P`. -/
def Exchangeable (n : Nat) (Ω : List (List Int)) : Prop :=
  (∀ t, t ∈ Ω → t.length = n) ∧
  ∀ σ, σ ∈ perms (positions n) → ∀ P : List Int → Bool, countP (fun t => P (arrange σ t)) Ω = countP P Ω

/-- There are `n` positions. -/
theorem length_positions (n : Nat) : (positions n).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => show (map _ _).length + 1 = _; rw [length_map, ih]

/-- The positions are the numbers below `n`. -/
theorem mem_positions_iff (n i : Nat) : i ∈ positions n ↔ i < n := by
  induction n generalizing i with
  | zero => exact ⟨fun h => (nomatch h), fun h => absurd h (Nat.not_succ_le_zero i)⟩
  | succ n ih =>
    constructor
    · intro h
      cases h with
      | head => exact Nat.succ_le_succ (Nat.zero_le n)
      | tail _ h => obtain ⟨j, m, rfl⟩ := exists_of_mem_map h; exact Nat.succ_le_succ ((ih j).mp m)
    · intro h
      cases i with
      | zero => exact .head _
      | succ i => exact .tail _ (mem_map_of_mem (fun i => i + 1) ((ih i).mpr (Nat.le_of_succ_le_succ h)))

/-- No position occurs twice. -/
theorem nodup_positions (n : Nat) : Nodup (positions n) := by
  induction n with
  | zero => exact .nil
  | succ n ih =>
    refine .cons (fun b m e => ?_) (nodup_map (fun a b e => Nat.add_right_cancel e) ih)
    obtain ⟨j, _, rfl⟩ := exists_of_mem_map m
    exact nomatch e

/-- Rearranging by the positions in their order changes nothing. -/
theorem arrange_positions (t : List Int) : arrange (positions t.length) t = t := by
  induction t with
  | nil => rfl
  | cons x l ih =>
    show x :: map _ (map _ (positions l.length)) = _
    rw [map_map]; exact congrArg (x :: ·) ih

/-- All orders of a list are its rearrangements by all permutations of the positions. -/
theorem perms_eq_arrange (t : List Int) : perms t = map (fun σ => arrange σ t) (perms (positions t.length)) := by
  conv => lhs; rw [← arrange_positions t]
  exact perms_map (entry t) (positions t.length)

/-- In an exchangeable sample the probability of an event is its average share among all orders of the outcomes. -/
theorem exchangeable_share {n : Nat} {Ω : List (List Int)} (ex : Exchangeable n Ω) (P : List Int → Bool) :
    countP P Ω * factorial n = sumOver (fun t => countP P (perms t)) Ω := by
  rw [sumOver_congr (g := fun t => countP (fun σ => P (arrange σ t)) (perms (positions n))) (fun t m => by
      rw [perms_eq_arrange, countP_map, ex.1 t m]),
    sumOver_countP_comm (fun t σ => P (arrange σ t)), sumOver_congr (fun σ m => ex.2 σ m P), sumOver_const,
    length_perms, length_positions, Nat.mul_comm]

/-! ## Samples that are exchangeable -/

/-- The entry at index `i` after rearranging by `τ` is the entry at position `τ_i` before. -/
theorem entry_arrange (t : List Int) (τ : List Nat) {i : Nat} (h : i < τ.length) :
    entry (arrange τ t) i = entry t (positionAt τ i) := by
  induction τ generalizing i with
  | nil => exact absurd h (Nat.not_succ_le_zero i)
  | cons s τ ih => cases i with
    | zero => rfl
    | succ i => exact ih (Nat.le_of_succ_le_succ h)

/-- A list of positions is the list of its entries. -/
theorem map_positionAt_positions (τ : List Nat) : map (positionAt τ) (positions τ.length) = τ := by
  induction τ with
  | nil => rfl
  | cons x l ih =>
    show x :: map _ (map _ (positions l.length)) = _
    rw [map_map]; exact congrArg (x :: ·) ih

/-- All orders of a list form an exchangeable sample. -/
theorem exchangeable_perms (s : List Int) : Exchangeable s.length (perms s) := by
  refine ⟨fun t m => (countP_of_mem_perms m).1, fun σ hσ P => ?_⟩
  rw [perms_eq_arrange, countP_map, countP_map]
  generalize s.length = n at hσ ⊢
  have lσ : σ.length = n := (countP_of_mem_perms hσ).1.trans (length_positions n)
  have mσ : ∀ i, i ∈ σ ↔ i < n := fun i => by
    refine Iff.trans ?_ (mem_positions_iff n i)
    constructor
    · exact fun m => mem_of_countP_eq (countP_of_mem_perms hσ).2 m
    · exact fun m => mem_of_countP_eq (fun q => ((countP_of_mem_perms hσ).2 q).symm) m
  -- rearranging an arrangement composes the permutations
  have comp : ∀ τ, τ ∈ perms (positions n) →
      arrange σ (arrange τ s) = arrange (map (positionAt τ) σ) s := fun τ hτ => by
    have lτ : τ.length = n := (countP_of_mem_perms hτ).1.trans (length_positions n)
    show map _ σ = map _ (map _ σ)
    rw [map_map]
    exact map_congr (fun i m => entry_arrange s τ (by rw [lτ]; exact (mσ i).mp m))
  rw [countP_congr (q := fun τ => P (arrange (map (positionAt τ) σ) s)) (fun τ m => by rw [comp τ m])]
  -- and composing with `σ` permutes the permutations
  refine countP_comp_of_injective (f := fun τ => map (positionAt τ) σ) (nodup_perms (nodup_positions n)) ?_ ?_
    (fun τ => P (arrange τ s))
  · intro τ hτ
    obtain ⟨lτ, cτ⟩ := countP_of_mem_perms hτ
    refine (mem_perms_iff _ _).mpr (fun q => ?_)
    rw [countP_map, (countP_of_mem_perms hσ).2, ← countP_map, ← cτ q]
    rw [length_positions] at lτ
    conv => lhs; rw [← lτ]
    rw [map_positionAt_positions]
  · intro τ hτ τ' hτ' e
    have lτ : τ.length = n := (countP_of_mem_perms hτ).1.trans (length_positions n)
    have lτ' : τ'.length = n := (countP_of_mem_perms hτ').1.trans (length_positions n)
    rw [← map_positionAt_positions τ, ← map_positionAt_positions τ', lτ, lτ']
    exact map_congr (fun i m => eq_of_map_eq e ((mσ i).mpr ((mem_positions_iff n i).mp m)))
where
  mem_of_countP_eq {k l : List Nat} (c : ∀ q : Nat → Bool, countP q k = countP q l) {i : Nat} (m : i ∈ k) : i ∈ l := by
    obtain ⟨j, mj, e⟩ := exists_mem_of_countP_ne_zero (p := fun j => decide (j = i)) (l := l) (fun z => by
      rw [← c] at z
      exact countP_eq_zero_or_exists_best.countP_ne_zero (p := fun j => decide (j = i)) m (decide_eq_true rfl) z)
    rw [← of_decide_eq_true e]; exact mj
  eq_of_map_eq {f g : Nat → Nat} {l : List Nat} (e : map f l = map g l) {i : Nat} (m : i ∈ l) : f i = g i := by
    induction m with
    | head l => injection e
    | tail b _ ih => injection e with _ e; exact ih e

/-- Draws without replacement from a pool, in random order, form an exchangeable sample. -/
theorem exchangeable_pool (n : Nat) (pool : List Int) : Exchangeable n (flatMap perms (subsets n pool)) := by
  have len : ∀ S, S ∈ subsets n pool → S.length = n := fun S m => ((mem_subsets_iff _ _ _).mp m).1
  refine ⟨fun t m => ?_, fun σ hσ P => ?_⟩
  · obtain ⟨S, mS, m⟩ := exists_of_mem_flatMap m
    rw [(countP_of_mem_perms m).1, len S mS]
  · rw [countP_flatMap, countP_flatMap]
    refine sumOver_congr (fun S m => (exchangeable_perms S).2 σ ?_ P)
    rw [len S m]; exact hσ
end Gnosis
