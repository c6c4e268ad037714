prelude
import Gnosis.Core.NatDiv
/-! # What the kernel computes by name

Lean's kernel evaluates these operations on number literals by big-number arithmetic, and recognises them by their *name*
alone, in whatever module they are declared:

`Nat.add`, `Nat.sub`, `Nat.mul`, `Nat.pow`, `Nat.div`, `Nat.mod`, `Nat.gcd`, `Nat.beq`, `Nat.ble`, `Nat.land`, `Nat.lor`,
`Nat.xor`, `Nat.shiftLeft`, `Nat.shiftRight`, `Nat.log2`.

A definition under one of these names that means something else would make the logic inconsistent.  The spine declares
eight of them, `add`, `sub`, `mul`, `pow`, `beq`, `ble` in `Gnosis.Core.Logic` and `div`, `mod` in `Gnosis.Core.Data`; it
must not declare any other without a theorem here.  Each theorem below determines the values of one operation completely,
and is proved by ordinary induction on the definition, without evaluating a literal:

`Nat.add_spec`, `Nat.sub_spec`, `Nat.mul_spec`, `Nat.pow_spec`, `Nat.div_spec`, `Nat.mod_spec`, `Nat.beq_spec`,
`Nat.ble_spec`. -/
namespace Nat

/-- Addition counts up: `n + 0 = n` and `n + (m + 1) = (n + m) + 1`. -/
theorem add_spec : (∀ n, Nat.add n .zero = n) ∧ ∀ n m, Nat.add n (.succ m) = .succ (Nat.add n m) :=
  ⟨fun _ => rfl, fun _ _ => rfl⟩

/-- Multiplication adds up: `n·0 = 0` and `n·(m + 1) = n·m + n`. -/
theorem mul_spec : (∀ n, Nat.mul n .zero = .zero) ∧ ∀ n m, Nat.mul n (.succ m) = Nat.add (Nat.mul n m) n :=
  ⟨fun _ => rfl, fun _ _ => rfl⟩

/-- Powers multiply up: `n⁰ = 1` and `n^(m + 1) = n^m · n`. -/
theorem pow_spec : (∀ n, Nat.pow n .zero = .succ .zero) ∧ ∀ n m, Nat.pow n (.succ m) = Nat.mul (Nat.pow n m) n :=
  ⟨fun _ => rfl, fun _ _ => rfl⟩

/-- Subtraction undoes addition, and stops at zero. -/
theorem sub_spec : (∀ n m, Nat.sub (Nat.add n m) n = m) ∧ ∀ n m, Nat.sub n (Nat.add n m) = .zero := by
  constructor
  · exact add_sub_cancel_left
  · intro n m
    show n - (n + m) = 0
    induction m with
    | zero => exact Nat.sub_self n
    | succ m ih => exact congrArg Nat.pred ih

/-- The quotient by a positive `m` is the number of times that `m` goes into `n`; the quotient by zero is zero. -/
theorem div_spec : (∀ n, Nat.div n .zero = .zero) ∧
    ∀ n m, 0 < m → Nat.mul m (Nat.div n m) ≤ n ∧ n < Nat.mul m (Nat.succ (Nat.div n m)) := by
  refine ⟨fun _ => rfl, fun n m h => ?_⟩
  have e := div_add_mod n m
  have l := mod_lt n h
  constructor
  · show m * (n / m) ≤ n
    exact Nat.le_trans (le_add_right _ (n % m)) (le_of_eq e)
  · show n < m * (n / m + 1)
    have l := add_le_add_left l (m * (n / m))
    rw [add_succ, e] at l
    exact l

/-- The remainder by a positive `m` is what is left when a multiple of `m` is taken away, and less than `m`; the remainder
by zero is the number itself. -/
theorem mod_spec : (∀ n, Nat.mod n .zero = n) ∧
    ∀ n m, 0 < m → Nat.mod n m < m ∧ ∃ q, n = Nat.add (Nat.mul m q) (Nat.mod n m) :=
  ⟨fun _ => rfl, fun n m h => ⟨mod_lt n h, n / m, (div_add_mod n m).symm⟩⟩

/-- The test for equality answers `true` exactly for equal numbers. -/
theorem beq_spec : ∀ n m, Nat.beq n m = true ↔ n = m := fun _ _ => beq_eq_true_iff

/-- The test for order answers `true` exactly when some number can be added to the first to give the second. -/
theorem ble_spec : ∀ n m, Nat.ble n m = true ↔ ∃ k, m = Nat.add n k :=
  fun _ _ => ⟨fun h => exists_of_le (le_of_ble_eq_true h), fun ⟨_, e⟩ => ble_eq_true_of_le (le_of_add e)⟩

end Nat
