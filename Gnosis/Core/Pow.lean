prelude
import Gnosis.Core.Lin
/-! # Powers of natural numbers -/
namespace Nat
theorem pow_zero (b : Nat) : b ^ 0 = 1 := rfl
theorem pow_succ (b n : Nat) : b ^ (n + 1) = b ^ n * b := rfl
theorem pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => exact (Nat.mul_one _).symm
  | succ n ih => rw [← Nat.add_assoc, pow_succ, ih, pow_succ, Nat.mul_assoc]
theorem pow_pos {b : Nat} (h : 0 < b) {n : Nat} : 0 < b ^ n := by
  induction n with
  | zero => exact .refl
  | succ n ih => exact mul_pos ih h
theorem pow_le_pow_left {m n : Nat} (h : m ≤ n) (i : Nat) : m ^ i ≤ n ^ i := by
  induction i with
  | zero => exact .refl
  | succ i ih => exact mul_le_mul ih h
end Nat
