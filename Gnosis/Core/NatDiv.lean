prelude
import Gnosis.Core.Arith
/-! # Division of natural numbers with remainder

`Nat.div` and `Nat.mod` are defined in `Gnosis.Core.Data` by repeated subtraction with the dividend as fuel, which is
not the definition in Lean's own `Init`; what is proved here determines their values. -/

namespace Nat
theorem fuel_spec (m : Nat) : (f n : Nat) → m * divFuel m f n + modFuel m f n = n
  | 0, n => Nat.zero_add n
  | f + 1, n => by
    show m * (match Nat.ble m n with | true => Nat.succ (divFuel m f (n - m)) | false => 0)
      + (match Nat.ble m n with | true => modFuel m f (n - m) | false => n) = n
    cases h : Nat.ble m n with
    | true =>
      obtain ⟨k, rfl⟩ := exists_of_le (le_of_ble_eq_true h)
      have ih := fuel_spec m f (m + k - m)
      rw [add_sub_cancel_left] at ih
      show m * Nat.succ (divFuel m f (m + k - m)) + modFuel m f (m + k - m) = m + k
      rw [add_sub_cancel_left, Nat.mul_succ, Nat.add_right_comm, ih, Nat.add_comm]
    | false => exact Nat.zero_add n
theorem div_add_mod (n m : Nat) : m * (n / m) + n % m = n := by
  cases m with
  | zero => rw [Nat.zero_mul]; exact Nat.zero_add n
  | succ m => exact fuel_spec (m + 1) n n
theorem modFuel_lt (m : Nat) : (f n : Nat) → n ≤ f → modFuel (m + 1) f n < m + 1
  | 0, n, h => Nat.lt_of_le_of_lt h (succ_le_succ (Nat.zero_le m))
  | f + 1, n, h => by
    show (match Nat.ble (m + 1) n with | true => modFuel (m + 1) f (n - (m + 1)) | false => n) < m + 1
    cases e : Nat.ble (m + 1) n with
    | true =>
      obtain ⟨k, rfl⟩ := exists_of_le (le_of_ble_eq_true e)
      refine modFuel_lt m f _ ?_
      rw [add_sub_cancel_left]
      exact Nat.le_trans (le_add_left k m) (le_of_succ_le_succ (by rw [succ_add] at h; exact h))
    | false => exact lt_of_not_le (fun k => nomatch (ble_eq_true_of_le k).symm.trans e)
theorem mod_lt (n : Nat) {m : Nat} (h : 0 < m) : n % m < m := by
  cases m with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ m => exact modFuel_lt m n n .refl
end Nat
