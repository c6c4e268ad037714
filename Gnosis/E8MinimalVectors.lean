prelude
import Gnosis.Foundation.Accepted
import Gnosis.Foundation.Lists
import Gnosis.Foundation.Squares
import Gnosis.LatticeDecoders
import Gnosis.EnergyMarginBridgeAdmissibility
/-! # The 240 minimal vectors of `E₈`

A check of the decision `isE8` against the literature: the vectors of squared length 2 that it accepts are counted by
enumeration in the kernel, and the enumeration is proved complete; no shorter vector but 0 is accepted. -/
open List
namespace Gnosis

/-- Vectors of `n` entries out of `vs` whose squares add up to `e`. -/
def vectorsOfEnergy (vs : List Int) : Nat → Int → List (List Int)
  | 0, e => if e = 0 then [[]] else []
  | n + 1, e => if e < 0 then [] else
      flatMap (fun v => map (fun w => v :: w) (vectorsOfEnergy vs n (e - v * v))) vs

/-- The vectors of squared length 2 (in units of 1/2: 8) that the decision accepts: those with entries −2, 0, 2 and those with
entries −1, 1. -/
def e8Shell : List (List Int) :=
  accepted isE8 (vectorsOfEnergy [-2, 0, 2] 8 8) ++ accepted isE8 (vectorsOfEnergy [-1, 1] 8 8)

/-- A check of the decision `isE8` against the literature: of the vectors of squared length 2 (in units of 1/2: 8)
it accepts 112 with even and 128 with odd coordinates. -/
theorem e8_minimal_vectors :
    countP isE8 (vectorsOfEnergy [-2, 0, 2] 8 8) = 112 ∧ countP isE8 (vectorsOfEnergy [-1, 1] 8 8) = 128 := by
  decide +kernel

/-! ## The enumeration is complete -/

/-- `vectorsOfEnergy` lists the vectors of `n` entries out of `vs` with energy `e`. -/
theorem mem_vectorsOfEnergy_iff {vs : List Int} {n : Nat} {e : Int} {ws : List Int} : ws ∈ vectorsOfEnergy vs n e ↔
    ws.length = n ∧ (∀ w, w ∈ ws → w ∈ vs) ∧ energy ws = e := by
  induction n generalizing e ws with
  | zero =>
    by_cases z : e = 0
    · rw [show vectorsOfEnergy vs 0 e = [[]] from if_pos z]
      constructor
      · intro m
        cases m with
        | head => exact ⟨rfl, fun _ m => (nomatch m), z.symm⟩
        | tail _ m => exact nomatch m
      · intro ⟨l, _, _⟩
        cases ws with
        | nil => exact .head _
        | cons _ _ => exact nomatch l
    · rw [show vectorsOfEnergy vs 0 e = [] from if_neg z]
      refine ⟨fun m => (nomatch m), fun ⟨l, _, h⟩ => ?_⟩
      cases ws with
      | nil => exact absurd h.symm z
      | cons _ _ => exact nomatch l
  | succ n ih =>
    constructor
    · intro m
      by_cases neg : e < 0
      · rw [show vectorsOfEnergy vs (n + 1) e = [] from if_pos neg] at m; exact nomatch m
      · rw [show vectorsOfEnergy vs (n + 1) e = flatMap (fun v => map (fun w => v :: w) (vectorsOfEnergy vs n (e - v * v))) vs
          from if_neg neg] at m
        obtain ⟨v, mv, m⟩ := exists_of_mem_flatMap m
        obtain ⟨w, mw, rfl⟩ := exists_of_mem_map m
        obtain ⟨l, sub, h⟩ := ih.mp mw
        refine ⟨congrArg Nat.succ l, fun x mx => ?_, ?_⟩
        · cases mx with
          | head => exact mv
          | tail _ mx => exact sub x mx
        · show v * v + energy w = e
          rw [h]; ring
    · intro ⟨l, sub, h⟩
      cases ws with
      | nil => exact nomatch l
      | cons v ws =>
        have h : v * v + energy ws = e := h
        have nonneg : ¬ e < 0 := fun neg => Int.not_le_of_lt neg (by
          rw [← h]; exact Int.add_nonneg (Int.sq_nonneg v) (energy_nonneg ws))
        rw [show vectorsOfEnergy vs (n + 1) e = flatMap (fun v => map (fun w => v :: w) (vectorsOfEnergy vs n (e - v * v))) vs
          from if_neg nonneg]
        refine mem_flatMap_of_mem (sub v (.head _)) (mem_map_of_mem (fun w => v :: w) (ih.mpr ⟨Nat.add_right_cancel l,
          fun w m => sub w (.tail _ m), ?_⟩))
        rw [← h]; ring

/-- It lists no vector twice, when `vs` lists no number twice. -/
theorem nodup_vectorsOfEnergy {vs : List Int} (d : Nodup vs) (n : Nat) (e : Int) : Nodup (vectorsOfEnergy vs n e) := by
  induction n generalizing e with
  | zero =>
    by_cases z : e = 0
    · rw [show vectorsOfEnergy vs 0 e = [[]] from if_pos z]; exact .cons (fun _ m => nomatch m) .nil
    · rw [show vectorsOfEnergy vs 0 e = [] from if_neg z]; exact .nil
  | succ n ih =>
    by_cases neg : e < 0
    · rw [show vectorsOfEnergy vs (n + 1) e = [] from if_pos neg]; exact .nil
    · rw [show vectorsOfEnergy vs (n + 1) e = flatMap (fun v => map (fun w => v :: w) (vectorsOfEnergy vs n (e - v * v))) vs
        from if_neg neg]
      refine nodup_flatMap (fun v _ => nodup_map (fun a b k => by injection k) (ih _)) (Pairwise.imp ?_ d)
      intro v v' ne x m m'
      obtain ⟨_, _, rfl⟩ := exists_of_mem_map m
      obtain ⟨_, _, k⟩ := exists_of_mem_map m'
      injection k with k
      exact ne k.symm

/-- The square of an entry is at most the energy. -/
theorem sq_le_energy {w : Int} {ws : List Int} (m : w ∈ ws) : w * w ≤ energy ws := by
  induction m with
  | @head l => show w * w ≤ w * w + energy l; lin [energy_nonneg l]
  | @tail b l _ ih => show w * w ≤ b * b + energy l; lin [ih, Int.sq_nonneg b]

/-- A vector of energy 0 is the zero vector. -/
theorem eq_zero_of_energy {ws : List Int} (h : energy ws ≤ 0) : ws = replicate ws.length 0 := by
  induction ws with
  | nil => rfl
  | cons w ws ih =>
    have h : w * w + energy ws ≤ 0 := h
    have k := energy_nonneg ws
    obtain ⟨lo, up⟩ := Int.abs_le_of_sq_le_sq (x := w) (y := 0) (by lin [h, k]) (Int.le_refl 0)
    have e : w = 0 := Int.le_antisymm up lo
    show w :: ws = 0 :: replicate ws.length 0
    rw [e, ← ih (by lin [h, Int.sq_nonneg w])]

/-- Twice a vector has four times the energy. -/
theorem energy_two_mul (zs : List Int) : energy (map (fun z => 2 * z) zs) = 4 * energy zs := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show 2 * z * (2 * z) + energy (map (fun z => 2 * z) zs) = 4 * (z * z + energy zs)
    rw [ih]; ring

/-- The sum of the squares and the sum have the same parity. -/
theorem energy_parity (zs : List Int) : ∃ k, energy zs = sum zs + 2 * k := by
  induction zs with
  | nil => exact ⟨0, rfl⟩
  | cons z zs ih =>
    obtain ⟨k, hk⟩ := ih
    rcases Int.even_or_odd z with ⟨j, rfl⟩ | ⟨j, rfl⟩
    · refine ⟨k + 2 * j * j - j, ?_⟩
      show 2 * j * (2 * j) + energy zs = 2 * j + sum zs + _
      rw [hk]; ring
    · refine ⟨k + 2 * j * j + j, ?_⟩
      show (2 * j + 1) * (2 * j + 1) + energy zs = 2 * j + 1 + sum zs + _
      rw [hk]; ring

/-- A vector of odd entries has at least its length as energy. -/
theorem length_le_energy_odd (zs : List Int) : (zs.length : Int) ≤ energy (map (fun z => 2 * z + 1) zs) := by
  induction zs with
  | nil => exact Int.le_refl 0
  | cons z zs ih =>
    show (zs.length : Int) + 1 ≤ (2 * z + 1) * (2 * z + 1) + energy (map (fun z => 2 * z + 1) zs)
    have k : 0 ≤ z * (z + 1) := by
      rcases Int.lt_or_ge z 0 with g | g
      · have h := Int.mul_nonneg (show 0 ≤ -z by lin [g]) (show 0 ≤ -(z + 1) by lin [g])
        lin [h]
      · exact Int.mul_nonneg g (by lin [g])
    lin [ih, k, k, k, k]

/-- An integer whose square is at most 2 is −1, 0 or 1. -/
theorem mem_of_sq_le_two {z : Int} (h : z * z ≤ 2) : z = -1 ∨ z = 0 ∨ z = 1 := by
  obtain ⟨lo, up⟩ := Int.abs_lt_of_sq_lt_sq (x := z) (y := 2) (by lin [h]) (by decide)
  rcases Int.lt_or_ge z 0 with g | g
  · exact .inl (Int.le_antisymm (by lin [g]) (by lin [lo]))
  · rcases Int.lt_or_ge 0 z with k | k
    · exact .inr (.inr (Int.le_antisymm (by lin [up]) (by lin [k])))
    · exact .inr (.inl (Int.le_antisymm k g))

/-- The numbers −2, 0 and 2 are even. -/
theorem not_mem_even {w : Int} {p : Prop} (m : w ∈ [(-2 : Int), 0, 2]) (odd : Int.isEven w = false) : p := by
  cases m with
  | head => exact nomatch odd
  | tail _ m => cases m with
    | head => exact nomatch odd
    | tail _ m => cases m with
      | head => exact nomatch odd
      | tail _ m => exact nomatch m

/-- **The minimal vectors of `E₈`, all of them**: `e8Shell` lists 240 vectors, none twice; they are exactly the vectors of
squared length 2 (in units of 1/2: 8) that the decision `isE8` accepts; and of the shorter ones it accepts 0 alone. -/
theorem e8_minimal_vectors_complete : e8Shell.length = 240 ∧ Nodup e8Shell ∧
    (∀ ws, ws ∈ e8Shell ↔ isE8 ws = true ∧ energy ws = 8) ∧ ∀ ws, isE8 ws = true → energy ws < 8 → ws = replicate 8 0 := by
  refine ⟨?_, ?_, fun ws => ⟨fun m => ?_, fun ⟨h, e⟩ => ?_⟩, fun ws h lt => ?_⟩
  · show (accepted isE8 _ ++ accepted isE8 _).length = 240
    rw [length_append, length_accepted, length_accepted, e8_minimal_vectors.1, e8_minimal_vectors.2]
  · refine nodup_append (nodup_accepted (nodup_vectorsOfEnergy ?_ 8 8)) (nodup_accepted (nodup_vectorsOfEnergy ?_ 8 8))
      (fun ws m m' => ?_)
    · exact .cons (fun b m => by
        cases m with
        | head => decide
        | tail _ m => cases m with
          | head => decide
          | tail _ m => exact nomatch m) (.cons (fun b m => by
            cases m with
            | head => decide
            | tail _ m => exact nomatch m) (.cons (fun b m => nomatch m) .nil))
    · exact .cons (fun b m => by
        cases m with
        | head => decide
        | tail _ m => exact nomatch m) (.cons (fun b m => nomatch m) .nil)
    · obtain ⟨l, even, _⟩ := mem_vectorsOfEnergy_iff.mp (mem_accepted_iff.mp m).1
      obtain ⟨_, odd, _⟩ := mem_vectorsOfEnergy_iff.mp (mem_accepted_iff.mp m').1
      cases ws with
      | nil => exact nomatch l
      | cons w ws =>
        have m := even w (.head _)
        have m' := odd w (.head _)
        cases m' with
        | head => exact not_mem_even m (by decide)
        | tail _ m' => cases m' with
          | head => exact not_mem_even m (by decide)
          | tail _ m' => exact nomatch m'
  · rcases or_of_mem_append m with m | m
    · exact ⟨(mem_accepted_iff.mp m).2, (mem_vectorsOfEnergy_iff.mp (mem_accepted_iff.mp m).1).2.2⟩
    · exact ⟨(mem_accepted_iff.mp m).2, (mem_vectorsOfEnergy_iff.mp (mem_accepted_iff.mp m).1).2.2⟩
  · obtain ⟨l, zs, _, rfl | rfl⟩ := (isE8_iff ws).mp h
    · refine mem_append_left _ (mem_accepted_iff.mpr ⟨mem_vectorsOfEnergy_iff.mpr ⟨l, fun w m => ?_, e⟩, h⟩)
      have k := sq_le_energy m
      obtain ⟨z, _, rfl⟩ := exists_of_mem_map m
      rw [e] at k
      rcases mem_of_sq_le_two (z := z) (Int.le_of_mul_le_mul_left (a := 4) (by lin [k]) (by decide)) with rfl | rfl | rfl
      · exact .head _
      · exact .tail _ (.head _)
      · exact .tail _ (.tail _ (.head _))
    · refine mem_append_right _ (mem_accepted_iff.mpr ⟨mem_vectorsOfEnergy_iff.mpr ⟨l, fun w m => ?_, e⟩, h⟩)
      have k := sq_le_energy m
      obtain ⟨z, _, rfl⟩ := exists_of_mem_map m
      rw [e] at k
      obtain ⟨lo, up⟩ := Int.abs_lt_of_sq_lt_sq (x := 2 * z + 1) (y := 3) (by lin [k]) (by decide)
      rcases Int.lt_or_ge z 0 with g | g
      · have e : z = -1 := by
          refine Int.le_antisymm (by lin [g]) ?_
          rcases Int.lt_or_ge z (-1) with k' | k'
          · exact (by lin [k', k', lo] : False).elim
          · exact k'
        rw [e]; exact .head _
      · have e : z = 0 := by
          refine Int.le_antisymm ?_ g
          rcases Int.lt_or_ge 0 z with k' | k'
          · exact (by lin [k', k', up] : False).elim
          · exact k'
        rw [e]; exact .tail _ (.head _)
  · obtain ⟨l, zs, even, rfl | rfl⟩ := (isE8_iff ws).mp h
    · rw [energy_two_mul] at lt
      obtain ⟨k, hk⟩ := energy_parity zs
      obtain ⟨j, hj⟩ := (Int.isEven_iff _).mp even
      rw [hj] at hk
      have nonneg := energy_nonneg zs
      have z : energy zs ≤ 0 := by
        rcases Int.lt_or_ge 0 (j + k) with g | g
        · exact (by lin [lt, g, g, g, g, g, g, g, g, Int.le_of_eq hk.symm, Int.le_of_eq hk.symm, Int.le_of_eq hk.symm,
            Int.le_of_eq hk.symm] : False).elim
        · lin [Int.le_of_eq hk, g, g]
      rw [length_map] at l
      rw [eq_zero_of_energy z, l]; rfl
    · rw [length_map] at l
      have k := length_le_energy_odd zs
      rw [l] at k
      exact absurd k (fun k => Int.not_le_of_lt lt k)
end Gnosis
