prelude
import Gnosis.Core
/-! # Power means of natural numbers -/

namespace Nat
/-- The power of a product. -/
theorem mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [pow_succ, pow_succ, pow_succ, ih]; generalize a ^ n = x, b ^ n = y; nat_ring
/-- Powers with a positive exponent are strictly increasing in the base. -/
theorem pow_lt_pow_left {a b n : Nat} (h : a < b) (hn : 0 < n) : a ^ n < b ^ n := by
  obtain ⟨k, rfl⟩ := exists_of_le hn
  rw [Nat.add_comm 1 k, pow_succ, pow_succ]
  have hb : 0 < b ^ k := pow_pos (Nat.le_trans (succ_le_succ (Nat.zero_le a)) h)
  calc a ^ k * a + 1 ≤ b ^ k * a + b ^ k := Nat.add_le_add (mul_le_mul_right a (pow_le_pow_left (Nat.le_trans (le_succ a) h) k)) hb
    _ = b ^ k * (a + 1) := rfl
    _ ≤ b ^ k * b := mul_le_mul_left _ h
/-- Compare powers with a positive exponent to compare the bases. -/
theorem le_of_pow_le_pow_left {a b n : Nat} (h : a ^ n ≤ b ^ n) (hn : 0 < n) : a ≤ b :=
  (lt_or_ge b a).elim (fun g => absurd h (not_le_of_lt (pow_lt_pow_left g hn))) id
end Nat

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

/-! ## The arithmetic and the geometric mean -/

/-- The product of a list. -/
def listProd : List Nat → Nat
  | [] => 1
  | x :: l => x * listProd l

/-- One more number: `(n+1)^{n+1}·s^n·x ≤ n^n·(s + x)^{n+1}`. -/
theorem mean_step (n s x : Nat) : (n + 1) ^ (n + 1) * (s ^ n * x) ≤ n ^ n * (s + x) ^ (n + 1) := by
  cases n with
  | zero => show 1 * (1 * x) ≤ 1 * (1 * (s + x)); nat_lin [Nat.zero_le s]
  | succ k =>
    generalize hn : k + 1 = n
    have pos : 0 < n := by rw [← hn]; exact Nat.succ_le_succ (Nat.zero_le k)
    clear hn
    -- Young's inequality for `a = (n+1)·s` and `y = n·(s + x)`
    have young : (n + 1) * (((n + 1) * s) ^ n * (n * (s + x))) ≤ n * ((n + 1) * s) ^ (n + 1) + (n * (s + x)) ^ (n + 1) := by
      rcases Nat.le_total (n * (s + x)) ((n + 1) * s) with h | h
      · have w := weighted_pow_le h n 1
        rw [Nat.pow_succ (n * (s + x)) 0, Nat.pow_zero, Nat.one_mul, Nat.one_mul] at w
        exact w
      · have w := weighted_pow_le h 1 n
        rw [Nat.add_comm 1 n, Nat.pow_succ (n * (s + x)) 0, Nat.pow_zero, Nat.one_mul, Nat.one_mul] at w
        rw [Nat.add_comm (n * _), Nat.mul_comm (((n + 1) * s) ^ n)]
        exact w
    rw [Nat.mul_pow, Nat.mul_pow, Nat.mul_pow] at young
    apply Nat.le_of_mul_le_mul_left (c := n) _ pos
    rw [Nat.pow_succ (n + 1), Nat.pow_succ s n, Nat.pow_succ n n] at young
    rw [Nat.pow_succ (n + 1)]
    generalize (n + 1) ^ n = A, s ^ n = B, n ^ n = C, (s + x) ^ (n + 1) = E at *
    apply Nat.le_of_add_le_add_left (a := n * (A * (n + 1) * (B * s)))
    refine Nat.le_trans (Nat.le_of_eq ?_) (Nat.le_trans young (Nat.le_of_eq ?_))
    · nat_ring
    · nat_ring

/-- **Arithmetic and geometric mean**: `n^n·Π x ≤ (Σ x)^n` for a list of `n` natural numbers. -/
theorem geometric_le_arithmetic (l : List Nat) : l.length ^ l.length * listProd l ≤ List.sumOver (fun x => x) l ^ l.length := by
  induction l with
  | nil => exact Nat.le_refl 1
  | cons x l ih =>
    show (l.length + 1) ^ (l.length + 1) * (x * listProd l) ≤ (x + List.sumOver (fun x => x) l) ^ (l.length + 1)
    have step := mean_step l.length (List.sumOver (fun x => x) l) x
    rw [Nat.add_comm x (List.sumOver (fun x => x) l)]
    generalize listProd l = p, List.sumOver (fun x => x) l = s, l.length = n at *
    cases n with
    | zero =>
      have p1 : p ≤ 1 := by
        have ih : 1 * p ≤ 1 := ih
        rw [Nat.one_mul] at ih; exact ih
      show 1 * (x * p) ≤ 1 * (s + x)
      rw [Nat.one_mul, Nat.one_mul]
      exact Nat.le_trans (Nat.mul_le_mul_left x p1) (by rw [Nat.mul_one]; exact Nat.le_add_left x s)
    | succ k =>
      have pos : 0 < (k + 1) ^ (k + 1) := Nat.pow_pos (Nat.succ_le_succ (Nat.zero_le k))
      apply Nat.le_of_mul_le_mul_left (c := (k + 1) ^ (k + 1)) _ pos
      generalize (k + 1) ^ (k + 1) = A, (k + 1 + 1) ^ (k + 1 + 1) = E, s ^ (k + 1) = S, (s + x) ^ (k + 1 + 1) = F at *
      calc A * (E * (x * p)) = E * x * (A * p) := by nat_ring
        _ ≤ E * x * S := Nat.mul_le_mul_left _ ih
        _ = E * (S * x) := by nat_ring
        _ ≤ A * F := step
end Gnosis
