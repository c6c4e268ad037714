prelude
import Gnosis.EnergyMarginBridgeAdmissibility
/-! # The energy gate in a form that the kernel evaluates fast

A sample `theorem s : energyPacked … = true := by decide +kernel` (or `:= @Eq.refl Bool true`, which the elaborator
evaluates as well) makes the kernel itself evaluate the decision.  On lists of integers that is slow, because every entry
is a term and every operation on `Int` unfolds to a case distinction.  Here a vector is one natural number, and only operations that the kernel performs on literals, and
the recursors of `Nat`, `Int` and `Bool`, are used.  `energy_packed_eq` proves that the result is the same.

**Encoding.**  A vector of `n` entries `x₀, …, x_{n−1}` in `[−2^w, 2^w)` (so `w = 7` for 8-bit codes, `w = 31` for 32-bit ones)
is the number `Σ_i (x_i + 2^w) · 2^((w+1)·i)`: digits of `w + 1` bits, the first entry in the lowest digit, each digit the
entry plus the bias `2^w`.  Bits above the last digit are ignored.  Integers are written by their constructors:
`Int.ofNat k` for `k ≥ 0`, `Int.negSucc k` for `−(k + 1)`; numbers as bare literals, `nat_lit 12`.

These definitions are for the kernel, not for compiled code. -/
namespace Gnosis

/-- The vector that a number encodes: `n` digits of `w + 1` bits, lowest first, each less the bias `2^w`. -/
def unpack (w : Nat) : Nat → Nat → List Int
  | 0, _ => []
  | n + 1, p => (Int.ofNat (Nat.mod p (Nat.pow 2 (w + 1))) - Int.ofNat (Nat.pow 2 w))
      :: unpack w n (Nat.div p (Nat.pow 2 (w + 1)))

/-- `s + Σ d·(2^(w+1) − d)` over the `n` lowest digits `d` of `p`.  With `d = x + 2^w` a term is `4^w − x²`. -/
noncomputable def complementSum (w n : Nat) : Nat → Nat → Nat :=
  Nat.rec (motive := fun _ => Nat → Nat → Nat) (fun _ s => s)
    (fun _ next p s => next (Nat.div p (Nat.pow (nat_lit 2) (Nat.succ w)))
      (Nat.add s (Nat.mul (Nat.mod p (Nat.pow (nat_lit 2) (Nat.succ w)))
        (Nat.sub (Nat.pow (nat_lit 2) (Nat.succ w)) (Nat.mod p (Nat.pow (nat_lit 2) (Nat.succ w))))))) n

/-- The energy of the vector that `p` encodes: `n·4^w − Σ (4^w − x²)`. -/
noncomputable def packedEnergy (w n p : Nat) : Nat :=
  Nat.sub (Nat.mul n (Nat.mul (Nat.pow (nat_lit 2) w) (Nat.pow (nat_lit 2) w))) (complementSum w n p (nat_lit 0))

/-- The energy gate on packed vectors: `n` entries of the residual in `p` with bias `2^w`, `m` entries of the activation in
`q` with bias `2^v`, and the margin `γ`. -/
noncomputable def energyPacked (w n p v m q : Nat) (γ : Int) : Bool :=
  Bool.rec (motive := fun _ => Bool) false
    (Int.rec (motive := fun _ => Bool)
      (fun g => Nat.ble (Nat.mul (nat_lit 4) (Nat.mul (packedEnergy w n p) (packedEnergy v m q))) (Nat.mul g g))
      (fun _ => false) γ)
    (Nat.beq n m)

/-- The sidecar gate, by the constructors of its arguments. -/
noncomputable def energySidecarPacked (E A γ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool) (fun e => Int.rec (motive := fun _ => Bool) (fun a => Int.rec (motive := fun _ => Bool)
    (fun g => Nat.ble (Nat.mul (nat_lit 4) (Nat.mul e a)) (Nat.mul g g)) (fun _ => false) γ) (fun _ => false) A)
    (fun _ => false) E

/-- The strict sidecar gate, by the constructors of its arguments. -/
noncomputable def energySidecarPackedStrict (E A γ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool) (fun e => Int.rec (motive := fun _ => Bool) (fun a => Int.rec (motive := fun _ => Bool)
    (fun g => Nat.ble (Nat.succ (Nat.mul (nat_lit 4) (Nat.mul e a))) (Nat.mul g g)) (fun _ => false) γ) (fun _ => false) A)
    (fun _ => false) E

/-- The vector has as many entries as were asked for. -/
theorem length_unpack (w n p : Nat) : (unpack w n p).length = n := by
  induction n generalizing p with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ (ih _)

/-- The sum of the complements and the energy make up `n·4^w`. -/
theorem complementSum_eq (w n p s : Nat) :
    Int.ofNat (complementSum w n p s) + energy (unpack w n p) = Int.ofNat (s + n * (2 ^ w * 2 ^ w)) := by
  induction n generalizing p s with
  | zero => rw [Nat.zero_mul]; exact Int.add_zero _
  | succ n ih =>
    have digit : p % 2 ^ (w + 1) < 2 ^ (w + 1) := Nat.mod_lt p (Nat.pow_pos (by decide))
    have base : 2 ^ (w + 1) = 2 ^ w + 2 ^ w := (Nat.mul_comm _ 2).trans (by nat_ring)
    obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.le_trans (Nat.le_succ _) digit)
    show Int.ofNat (complementSum w n (p / 2 ^ (w + 1)) (s + p % 2 ^ (w + 1) * (2 ^ (w + 1) - p % 2 ^ (w + 1))))
      + ((Int.ofNat (p % 2 ^ (w + 1)) - Int.ofNat (2 ^ w)) * (Int.ofNat (p % 2 ^ (w + 1)) - Int.ofNat (2 ^ w))
        + energy (unpack w n (p / 2 ^ (w + 1)))) = _
    rw [Int.add_left_comm, ih]
    generalize p % 2 ^ (w + 1) = d at *
    have e : 2 ^ (w + 1) - d = k := by rw [hk, Nat.add_sub_cancel_left]
    rw [e]
    have b : Int.ofNat (2 ^ w) + Int.ofNat (2 ^ w) = Int.ofNat d + Int.ofNat k := congrArg Int.ofNat (base.symm.trans hk)
    generalize 2 ^ w = B at *
    show (Int.ofNat d - Int.ofNat B) * (Int.ofNat d - Int.ofNat B)
      + (Int.ofNat s + Int.ofNat d * Int.ofNat k + Int.ofNat n * (Int.ofNat B * Int.ofNat B))
      = Int.ofNat s + (Int.ofNat n + 1) * (Int.ofNat B * Int.ofNat B)
    have hk : Int.ofNat k = Int.ofNat B + Int.ofNat B - Int.ofNat d := by rw [b]; ring
    rw [hk]; ring

/-- `packedEnergy` is the energy of the encoded vector. -/
theorem packedEnergy_eq (w n p : Nat) : Int.ofNat (packedEnergy w n p) = energy (unpack w n p) := by
  obtain ⟨e, he⟩ := (Int.nonneg_iff _).mp (energy_nonneg (unpack w n p))
  have h := complementSum_eq w n p 0
  rw [he] at h ⊢
  rw [Nat.zero_add] at h
  injection h with h
  show Int.ofNat (n * (2 ^ w * 2 ^ w) - complementSum w n p 0) = Int.ofNat e
  rw [← h, Nat.add_sub_cancel_left]

/-- **The packed gate is the energy gate** on the encoded vectors, for every number that is written as an encoding. -/
theorem energy_packed_eq (w n p v m q : Nat) (γ : Int) :
    energyPacked w n p v m q γ = energyAdmit (unpack w n p) (unpack v m q) γ := by
  unfold energyPacked energyAdmit
  rw [length_unpack, length_unpack]
  cases Nat.beq n m with
  | false => rfl
  | true => cases γ with
    | negSucc g => rfl
    | ofNat g =>
      show Nat.ble (4 * (packedEnergy w n p * packedEnergy v m q)) (g * g)
        = (decide ((0 : Int) ≤ Int.ofNat g) && decide (4 * energy (unpack w n p) * energy (unpack v m q) ≤ _))
      rw [decide_eq_true (Int.ofNat_nonneg g), ← packedEnergy_eq, ← packedEnergy_eq, Int.mul_assoc]
      exact (Int.decide_ofNat_le _ _).symm

/-- **The packed sidecar gate is the sidecar gate.** -/
theorem energy_sidecar_packed_eq (E A γ : Int) : energySidecarPacked E A γ = energySidecarAdmit E A γ := by
  unfold energySidecarAdmit
  cases E with
  | negSucc e => rfl
  | ofNat e => cases A with
    | negSucc a => rw [decide_eq_true (Int.ofNat_nonneg e)]; rfl
    | ofNat a => cases γ with
      | negSucc g => rw [decide_eq_true (Int.ofNat_nonneg e), decide_eq_true (Int.ofNat_nonneg a)]; rfl
      | ofNat g =>
        rw [decide_eq_true (Int.ofNat_nonneg e), decide_eq_true (Int.ofNat_nonneg a), decide_eq_true (Int.ofNat_nonneg g),
          Int.mul_assoc]
        exact (Int.decide_ofNat_le _ _).symm

/-- **The strict packed sidecar gate is the strict sidecar gate.** -/
theorem energy_sidecar_packed_strict_eq (E A γ : Int) :
    energySidecarPackedStrict E A γ = energySidecarAdmitStrict E A γ := by
  unfold energySidecarAdmitStrict
  cases E with
  | negSucc e => rfl
  | ofNat e => cases A with
    | negSucc a => rw [decide_eq_true (Int.ofNat_nonneg e)]; rfl
    | ofNat a => cases γ with
      | negSucc g => rw [decide_eq_true (Int.ofNat_nonneg e), decide_eq_true (Int.ofNat_nonneg a)]; rfl
      | ofNat g =>
        rw [decide_eq_true (Int.ofNat_nonneg e), decide_eq_true (Int.ofNat_nonneg a), decide_eq_true (Int.ofNat_nonneg g),
          Int.mul_assoc]
        exact (Int.decide_ofNat_le _ _).symm

/-- The encoding by example. -/
theorem unpack_instance : unpack 7 3 (129 + 126 * 2 ^ 8 + 131 * 2 ^ 16) = [1, -2, 3] := rfl

end Gnosis
