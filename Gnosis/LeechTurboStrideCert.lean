prelude
import Gnosis.Foundation.Exchangeable
/-! # Stride 11 over 24 positions

A walk over the 24 coordinates of a Leech-lattice block in steps of 11, modulo 24, visits every position exactly once,
because 11 and 24 have no common divisor. -/
open List
namespace Gnosis

/-- The position after `i` steps of length `s` around `n` positions, from position 0. -/
def strideStep (s n i : Nat) : Nat := s * i % n

/-- Stride 11 is its own inverse modulo 24 (checked for each of the 24 positions). -/
theorem stride11_involution (i : Nat) (h : i < 24) :
    strideStep 11 24 i < 24 ∧ strideStep 11 24 (strideStep 11 24 i) = i := by
  have all : ∀ i, i < 24 → strideStep 11 24 i < 24 ∧ strideStep 11 24 (strideStep 11 24 i) = i := by decide +kernel
  exact all i h

/-- **Stride 11 is a permutation of the 24 positions**: the 24 positions in the order of the walk are one of the
orders of `0, 1, …, 23`. -/
theorem stride11_permutation : map (strideStep 11 24) (positions 24) ∈ perms (positions 24) := by
  refine (mem_perms_iff _ _).mpr (fun q => ?_)
  rw [countP_map]
  refine countP_comp_of_injective (nodup_positions 24) (fun i m => ?_) (fun i m j m' e => ?_) q
  · exact (mem_positions_iff 24 _).mpr (stride11_involution i ((mem_positions_iff 24 i).mp m)).1
  · have hi := (stride11_involution i ((mem_positions_iff 24 i).mp m)).2
    have hj := (stride11_involution j ((mem_positions_iff 24 j).mp m')).2
    rw [← hi, ← hj, e]

/-- The walk visits each position exactly once. -/
theorem stride11_visits_once (j : Nat) (h : j < 24) :
    countP (fun i => decide (strideStep 11 24 i = j)) (positions 24) = 1 := by
  have all : ∀ j, j < 24 → countP (fun i => decide (strideStep 11 24 i = j)) (positions 24) = 1 := by decide +kernel
  exact all j h

/-- 11 and 24 are coprime: their only common divisor is 1. -/
theorem stride11_coprime (d : Nat) (h₁ : d ∣ 11) (h₂ : d ∣ 24) : d = 1 := by
  obtain ⟨a, ha⟩ := h₁
  obtain ⟨b, hb⟩ := h₂
  -- 11·11 = 5·24 + 1
  have e : d * (11 * a) = d * (5 * b) + 1 := by
    calc d * (11 * a) = 11 * (d * a) := by nat_ring
      _ = 5 * 24 + 1 := by rw [← ha]
      _ = 5 * (d * b) + 1 := by rw [← hb]
      _ = d * (5 * b) + 1 := by nat_ring
  rcases Nat.lt_or_ge (5 * b) (11 * a) with h | h
  · have h := Nat.mul_le_mul_left d h
    have up : d ≤ 1 := by nat_lin [h, Nat.le_of_eq e]
    cases d with
    | zero => rw [Nat.zero_mul] at ha; exact nomatch ha
    | succ d => exact Nat.le_antisymm up (Nat.succ_le_succ (Nat.zero_le d))
  · have h := Nat.mul_le_mul_left d h
    exact absurd (Nat.le_trans (Nat.le_of_eq e.symm) h) (Nat.not_le_of_lt .refl)
end Gnosis
