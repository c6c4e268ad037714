prelude
import Gnosis.Core
/-! # Power means of natural numbers -/
namespace Gnosis

/-- `p^{k+1}·q^j + j·q^{k+j}·(p − q) ≤ p^{k+1}·p^j` for `p = q + e`. -/
theorem pow_mul_add_le (q e k j : Nat) :
    (q + e) ^ (k + 1) * q ^ j + j * (q ^ (k + j) * e) ≤ (q + e) ^ (k + 1) * (q + e) ^ j := by
  induction j with
  | zero => rw [Nat.zero_mul]; exact Nat.le_refl _
  | succ j ih =>
    have mono : q ^ (k + j) * e ≤ (q + e) ^ k * q ^ j * e := by
      rw [Nat.pow_add]
      exact Nat.mul_le_mul_right e (Nat.mul_le_mul_right _ (Nat.pow_le_pow_left (Nat.le_add_right q e) k))
    rw [← Nat.add_assoc, Nat.pow_succ q (k + j), Nat.pow_succ (q + e) j, Nat.pow_succ q j]
    rw [Nat.pow_succ] at ih
    rw [Nat.pow_succ]
    generalize (q + e) ^ k = A, q ^ j = B, q ^ (k + j) = G, (q + e) ^ j = H at *
    calc A * (q + e) * (B * q) + (j + 1) * (G * q * e)
        = A * (q + e) * (B * q) + j * (G * e) * q + q * (G * e) := by nat_ring [A, q, e, B, j, G]
      _ ≤ A * (q + e) * (B * q) + j * (G * e) * (q + e) + (q + e) * (A * B * e) :=
          Nat.add_le_add (Nat.add_le_add_left (Nat.mul_le_mul_left _ (Nat.le_add_right q e)) _)
            (Nat.mul_le_mul (Nat.le_add_right q e) mono)
      _ = (A * (q + e) * B + j * (G * e)) * (q + e) := by nat_ring [A, q, e, B, j, G]
      _ ≤ A * (q + e) * H * (q + e) := Nat.mul_le_mul_right _ ih
      _ = A * (q + e) * (H * (q + e)) := Nat.mul_assoc _ _ _

/-- A weighted mean inequality, for `q ≤ p`: `(k + j)·p^k·q^j ≤ k·p^{k+j} + j·q^{k+j}`. -/
theorem weighted_pow_le {p q : Nat} (hqp : q ≤ p) (k j : Nat) :
    (k + j) * (p ^ k * q ^ j) ≤ k * p ^ (k + j) + j * q ^ (k + j) := by
  obtain ⟨e, rfl⟩ := Nat.exists_of_le hqp
  induction k with
  | zero => rw [Nat.zero_add, Nat.zero_mul, Nat.zero_add, Nat.pow_zero, Nat.one_mul]; exact Nat.le_refl _
  | succ k ih =>
    have lem := pow_mul_add_le q e k j
    rw [Nat.succ_add, Nat.pow_succ (q + e) (k + j), Nat.pow_succ q (k + j)]
    rw [Nat.pow_add (q + e) k j] at ih ⊢
    rw [Nat.pow_succ] at lem ⊢
    generalize (q + e) ^ k = A, q ^ j = B, q ^ (k + j) = G, (q + e) ^ j = H at *
    calc (k + j + 1) * (A * (q + e) * B) = (k + j) * (A * B) * (q + e) + A * (q + e) * B := by
          nat_ring [k, j, A, q, e, B]
      _ ≤ (k * (A * H) + j * G) * (q + e) + A * (q + e) * B :=
          Nat.add_le_add_right (Nat.mul_le_mul_right _ ih) _
      _ = k * (A * H * (q + e)) + j * (G * q) + (A * (q + e) * B + j * (G * e)) := by
          nat_ring [k, j, A, q, e, B, G, H]
      _ ≤ k * (A * H * (q + e)) + j * (G * q) + A * (q + e) * H := Nat.add_le_add_left lem _
      _ = (k + 1) * (A * H * (q + e)) + j * (G * q) := by nat_ring [k, j, A, q, e, B, G, H]
end Gnosis
