prelude
import Gnosis.CumlossAdmission
import Gnosis.Foundation.Search
/-! # The cumulative-loss account in whole charges

The ledger of `Gnosis.CumlossAdmission` multiplies numbers of many digits.  Here every step is charged a whole number
of loss units instead, large enough that `1 + (u/N)·(θ^N − 1) ≤ θ^a`, and a reserve `r` with `θ^r ≥ 1/δ` pays for the
confidence.  The account is a sum of small whole numbers: exact, with no logarithm in it and nothing that could drift.
Charges come from a table indexed by the mean bound, computed once and checked exactly by `pays`. -/
universe u v

namespace Gnosis
open List

/-! ## Charges and reserves -/

/-- What `pays` says. -/
theorem pays_iff {N p q u a : Nat} : pays N p q u a = true ↔
    (0 < N ∧ 0 < q ∧ q ≤ p) ∧ stepFactor N p q u * q ^ a ≤ N * q ^ N * p ^ a := by
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨betOk_iff.mp h₁, Nat.le_of_ble_eq_true h₂⟩
  · intro ⟨h₁, h₂⟩
    exact Bool.and_eq_true_iff.mpr ⟨betOk_iff.mpr h₁, Nat.ble_eq_true_of_le h₂⟩

/-- What `reservePays` says. -/
theorem reservePays_iff {p q nδ dδ r : Nat} : reservePays p q nδ dδ r = true ↔
    0 < q ∧ q ≤ p ∧ 0 < dδ ∧ dδ * q ^ r ≤ nδ * p ^ r := by
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h₃
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, Nat.le_of_ble_eq_true h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Nat.ble_eq_true_of_le h₄⟩⟩⟩

/-- An exact step costs nothing. -/
theorem pays_exact {N p q : Nat} (bet : betOk N p q = true) : pays N p q 0 0 = true :=
  pays_iff.mpr ⟨betOk_iff.mp bet, by unfold stepFactor; rw [Nat.zero_mul]; exact Nat.le_refl _⟩

/-- What pays for a mean bound pays for every smaller one. -/
theorem pays_mono_mean {N p q u v a : Nat} (h : v ≤ u) (k : pays N p q u a = true) : pays N p q v a = true := by
  obtain ⟨ok, k⟩ := pays_iff.mp k
  exact pays_iff.mpr ⟨ok, Nat.le_trans
    (Nat.mul_le_mul_right _ (Nat.add_le_add_left (Nat.mul_le_mul_right _ h) _)) k⟩

/-- A larger charge pays for whatever a smaller one pays for. -/
theorem pays_mono_charge {N p q u a b : Nat} (h : a ≤ b) (k : pays N p q u a = true) : pays N p q u b = true := by
  obtain ⟨ok, k⟩ := pays_iff.mp k
  refine pays_iff.mpr ⟨ok, ?_⟩
  obtain ⟨x, rfl⟩ := Nat.exists_of_le h
  rw [Nat.pow_add, Nat.pow_add, ← Nat.mul_assoc, ← Nat.mul_assoc]
  exact Nat.mul_le_mul k (Nat.pow_le_pow_left ok.right.right x)

/-- The charge `N` pays for every mean bound on the grid. -/
theorem pays_full {N p q u : Nat} (bet : betOk N p q = true) (hu : u ≤ N) : pays N p q u N = true := by
  refine pays_mono_mean hu (pays_iff.mpr ⟨betOk_iff.mp bet, ?_⟩)
  unfold stepFactor
  rw [← Nat.left_distrib, Nat.add_sub_of_le (Nat.pow_le_pow_left (betOk_iff.mp bet).right.right N)]
  exact Nat.le_of_eq (by generalize p ^ N = x, q ^ N = y; nat_ring)

/-- The table entry is right: `leastCharge` pays, and no smaller charge does. -/
theorem leastCharge_spec {N p q u : Nat} (bet : betOk N p q = true) (hu : u ≤ N) :
    pays N p q u (leastCharge N p q u) = true ∧ ∀ a, a < leastCharge N p q u → pays N p q u a = false :=
  ⟨leastFrom_spec (by rw [Nat.zero_add]; exact pays_full bet hu), fun a ha => leastFrom_least (Nat.zero_le a) ha⟩

/-- A larger mean bound costs at least as much. -/
theorem leastCharge_mono {N p q u v : Nat} (bet : betOk N p q = true) (h : v ≤ u) (hu : u ≤ N) :
    leastCharge N p q v ≤ leastCharge N p q u := by
  rcases Nat.lt_or_ge (leastCharge N p q u) (leastCharge N p q v) with g | g
  · have no := (leastCharge_spec bet (Nat.le_trans h hu)).right _ g
    rw [pays_mono_mean h (leastCharge_spec bet hu).left] at no
    contradiction
  · exact g

/-- Bernoulli's inequality: `q^r + r·q^(r−1)·e ≤ (q + e)^r`, multiplied by `q`. -/
theorem bernoulli_le (q e r : Nat) : q ^ r * (q + r * e) ≤ (q + e) ^ r * q := by
  induction r with
  | zero => rw [Nat.zero_mul, Nat.add_zero]; exact Nat.le_refl _
  | succ r ih =>
    rw [Nat.pow_succ, Nat.pow_succ]
    generalize q ^ r = A, (q + e) ^ r = B at *
    calc A * q * (q + (r + 1) * e) ≤ A * (q + r * e) * (q + e) := by nat_lin [Nat.zero_le (A * (r * e * e))]
      _ ≤ B * q * (q + e) := Nat.mul_le_mul_right _ ih
      _ = B * (q + e) * q := by nat_ring

/-- `leastReserve` pays for its level, and no smaller reserve does. -/
theorem leastReserve_spec {p q nδ dδ : Nat} (hq : 0 < q) (hqp : q < p) (hn : 0 < nδ) (hd : 0 < dδ) :
    reservePays p q nδ dδ (leastReserve p q nδ dδ) = true ∧
      ∀ r, r < leastReserve p q nδ dδ → reservePays p q nδ dδ r = false := by
  refine ⟨leastFrom_spec ?_, fun r hr => leastFrom_least (Nat.zero_le r) hr⟩
  rw [Nat.zero_add]
  refine reservePays_iff.mpr ⟨hq, Nat.le_trans (Nat.le_succ q) hqp, hd, ?_⟩
  obtain ⟨e, rfl⟩ := Nat.exists_of_le hqp
  apply Nat.le_of_mul_le_mul_right (c := q) _ hq
  have b := bernoulli_le q (1 + e) (q * dδ)
  rw [show q + 1 + e = q + (1 + e) from Nat.add_assoc q 1 e]
  generalize q ^ (q * dδ) = A, (q + (1 + e)) ^ (q * dδ) = B at *
  calc dδ * A * q = A * (q * dδ) := by nat_ring
    _ ≤ A * (q + q * dδ * (1 + e)) := Nat.mul_le_mul_left A (by nat_lin [Nat.zero_le (q + q * dδ * e)])
    _ ≤ B * q := b
    _ = 1 * (B * q) := (Nat.one_mul _).symm
    _ ≤ nδ * (B * q) := Nat.mul_le_mul_right _ hn
    _ = nδ * B * q := (Nat.mul_assoc _ _ _).symm

/-! ## The bound at all times -/
section
variable {D : Type u}

/-- Reserve and charges so far. -/
def spent (r : Nat) (a : List D → Nat) : List D → Nat
  | [] => r
  | _ :: h => spent r a h + a h

/-- Whatever has been spent covers the ledger. -/
theorem covered_spent {N p q nδ dδ r : Nat} {u a : List D → Nat} (reserve : reservePays p q nδ dδ r = true)
    (charges : ∀ h, pays N p q (u h) (a h) = true) (h : List D) :
    covered N p q nδ dδ h.length (ledger N p q u h) (spent r a h) = true := by
  obtain ⟨_, _, hδ, res⟩ := reservePays_iff.mp reserve
  refine covered_iff.mpr ⟨(pays_iff.mp (charges h)).left, hδ, ?_⟩
  induction h with
  | nil =>
    show dδ * (1 * q ^ r) ≤ nδ * (1 * q ^ (0 * N) * p ^ r)
    rw [Nat.one_mul, Nat.one_mul, Nat.zero_mul, Nat.pow_zero, Nat.one_mul]; exact res
  | cons d h ih =>
    have step := (pays_iff.mp (charges h)).right
    show dδ * (ledger N p q u h * stepFactor N p q (u h) * q ^ (spent r a h + a h))
      ≤ nδ * (N ^ h.length * N * q ^ ((h.length + 1) * N) * p ^ (spent r a h + a h))
    rw [Nat.pow_add q (spent r a h), Nat.pow_add p (spent r a h), Nat.succ_mul h.length, Nat.pow_add q (h.length * N)]
    generalize ledger N p q u h = L, stepFactor N p q (u h) = F, q ^ spent r a h = B, p ^ spent r a h = P,
      q ^ a h = y, p ^ a h = z, N ^ h.length = M, q ^ (h.length * N) = R, q ^ N = s at *
    calc dδ * (L * F * (B * y)) = dδ * (L * B) * (F * y) := by nat_ring [dδ, L, F, B, y]
      _ ≤ nδ * (M * R * P) * (N * s * z) := Nat.mul_le_mul ih step
      _ = nδ * (M * N * (R * s) * (P * z)) := by nat_ring [nδ, M, R, P, N, s, z]

/-- **A bound on the cumulative loss that holds at all times.**  With mean bounds `u h` known before the draw, charges
that pay for them and a reserve that pays for `δ`, the probability that the cumulative loss ever reaches what has been
spent is at most `δ`.  There is no horizon and no budget in this statement. -/
theorem cumloss_charge {ds : List D} {N p q r : Nat} {δ : Frac} {u a : List D → Nat} {loss : List D → D → Nat}
    (hl : ∀ h d, loss h d ≤ N) (mean : ∀ h, sumOver (loss h) ds ≤ ds.length * u h)
    (reserve : reservePays p q δ.num δ.den r = true) (charges : ∀ h, pays N p q (u h) (a h) = true) (T : Nat) :
    share ds (fun h => decide (spent r a h ≤ cumLoss loss h)) T [] ≤ δ :=
  cumloss_tail (b := spent r a) (betOk_iff.mpr (pays_iff.mp (charges [])).left) hl mean
    (fun h hh => ⟨of_decide_eq_true hh, covered_spent reserve charges h⟩) T

/-! ## The controller that adds charges -/

/-- What the controller is given, all in loss units: the reserve, and, as functions of the history `h`, the charge
`offer h` of everything that is proposed, the charge `charge h` of what of it is compressed if the proposal is admitted
(less than `offer h` when some of the proposal drops out), the budget for the cumulative loss after the step, and the
loss `loss h d` that an admitted step then turns out to have. -/
structure ChargeController (D : Type u) where
  reserve : Nat
  offer : List D → Nat
  charge : List D → Nat
  budget : List D → Nat
  loss : List D → D → Nat

namespace ChargeController
variable (c : ChargeController D)
/-- Reserve and charges of the admitted steps so far. -/
def account : List D → Nat
  | [] => c.reserve
  | _ :: h => chargeSettle (account h) (c.offer h) (c.charge h) (c.budget h)
/-- Does the controller compress at `h`?  Otherwise the step is done exactly and loses nothing. -/
def compresses (h : List D) : Bool := chargeAdmit (c.account h) (c.offer h) (c.budget h)
/-- The loss of the step that is taken. -/
def realised (h : List D) (d : D) : Nat := bif c.compresses h then c.loss h d else 0
/-- The cumulative loss exceeds the budget that held for the last step. -/
def overrun : List D → Bool
  | [] => false
  | d :: h => decide (c.budget h < cumLoss c.realised (d :: h))
/-- Something has been lost, and the cumulative loss has reached the budget that held for the last step. -/
def reached : List D → Bool
  | [] => false
  | d :: h => decide (0 < cumLoss c.realised (d :: h) ∧ c.budget h ≤ cumLoss c.realised (d :: h))

/-- The account after one more step. -/
theorem account_cons (d : D) (h : List D) :
    c.account (d :: h) = bif c.compresses h then c.account h + c.charge h else c.account h := rfl

/-- The account is reserve and charges of the steps taken. -/
theorem account_eq (h : List D) : c.account h = spent c.reserve (fun h => bif c.compresses h then c.charge h else 0) h := by
  induction h with
  | nil => rfl
  | cons d h ih =>
    rw [account_cons, spent, ← ih]
    cases c.compresses h with
    | true => rfl
    | false => rfl

/-- An admitted step leaves the account within the budget. -/
theorem account_le_budget (settle : ∀ h, c.charge h ≤ c.offer h) (d : D) {h : List D} (adm : c.compresses h = true) :
    c.account (d :: h) ≤ c.budget h := by
  rw [account_cons, adm]
  exact Nat.le_trans (Nat.add_le_add_left (settle h) _) (Nat.le_of_ble_eq_true adm)

/-- After a step, either nothing has been lost yet or the account is within the budget. -/
theorem account_le (settle : ∀ h, c.charge h ≤ c.offer h) (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (d : D)
    (h : List D) : cumLoss c.realised (d :: h) = 0 ∨ c.account (d :: h) ≤ c.budget h := by
  induction h generalizing d with
  | nil =>
    cases e : c.compresses [] with
    | true => right; exact c.account_le_budget settle d e
    | false => left; rw [cumLoss, realised, e]; rfl
  | cons d' h ih =>
    cases e : c.compresses (d' :: h) with
    | true => right; exact c.account_le_budget settle d e
    | false =>
      rcases ih d' with z | le
      · left; rw [cumLoss, realised, e, z]; rfl
      · right; rw [account_cons, e]; exact Nat.le_trans le (mono d' h)
/-- The proposals `(offer, charge, budget)` that the controller gets at `h` and after each of the draws `k`, next draw
first; the last draw only ends the last step. -/
def proposals : List D → List D → List (Nat × Nat × Nat)
  | _, [] => []
  | h, d :: k => (c.offer h, c.charge h, c.budget h) :: proposals (d :: h) k
/-- What the controller decides at `h` and after each of the draws `k` but the last. -/
def decisions : List D → List D → List Bool
  | _, [] => []
  | h, d :: k => c.compresses h :: decisions (d :: h) k
/-- **What runs is what is proved about**: the running sum `chargeRun`, which sees nothing but the proposals, takes the
decisions of the controller, along every path. -/
theorem chargeRun_eq (h k : List D) : chargeRun (c.account h) (c.proposals h k) = c.decisions h k := by
  induction k generalizing h with
  | nil => rfl
  | cons d k ih => exact congrArg (c.compresses h :: ·) (ih (d :: h))
end ChargeController

/-- The controller that adds charges, in its sharp form: with probability at least `1 − δ` the cumulative loss, once
there is any, never even reaches the budget. -/
theorem charge_controller_reach (c : ChargeController D) {ds : List D} {N p q : Nat} {δ : Frac} {u : List D → Nat}
    (hl : ∀ h d, c.loss h d ≤ N) (mean : ∀ h, sumOver (c.loss h) ds ≤ ds.length * u h)
    (reserve : reservePays p q δ.num δ.den c.reserve = true) (charges : ∀ h, pays N p q (u h) (c.charge h) = true)
    (settle : ∀ h, c.charge h ≤ c.offer h) (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) :
    share ds c.reached T [] ≤ δ := by
  have bet : betOk N p q = true := betOk_iff.mpr (pays_iff.mp (charges [])).left
  refine cumloss_tail (N := N) (p := p) (q := q) (u := fun h => bif c.compresses h then u h else 0) (loss := c.realised)
    (b := c.account) bet ?_ ?_ ?_ T
  · intro h d
    show (bif c.compresses h then c.loss h d else 0) ≤ N
    cases c.compresses h with
    | true => exact hl h d
    | false => exact Nat.zero_le _
  · intro h
    show sumOver (fun d => bif c.compresses h then c.loss h d else 0) ds
      ≤ ds.length * (bif c.compresses h then u h else 0)
    cases c.compresses h with
    | true => exact mean h
    | false => exact Nat.le_of_eq (sumOver_const 0 ds)
  · intro h hh
    cases h with
    | nil => cases hh
    | cons d h =>
      obtain ⟨pos, le⟩ := of_decide_eq_true (p := 0 < _ ∧ _ ≤ _) hh
      rcases c.account_le settle mono d h with z | le'
      · rw [z] at pos; exact absurd pos (Nat.not_succ_le_zero _)
      · refine ⟨Nat.le_trans le' le, ?_⟩
        rw [c.account_eq]
        apply covered_spent reserve
        intro h
        show pays N p q (bif c.compresses h then u h else 0) (bif c.compresses h then c.charge h else 0) = true
        cases c.compresses h with
        | true => exact charges h
        | false => exact pays_exact bet

/-- **The controller that adds charges is sound.**  Nothing is assumed about admission.  If the mean bounds `u h` are
true, the charges pay for them, the reserve pays for `δ`, nothing is charged beyond what was offered, and the budget
never falls, then with probability at least `1 − δ` the cumulative loss never exceeds the budget, however long the
request. -/
theorem charge_controller_sound (c : ChargeController D) {ds : List D} {N p q : Nat} {δ : Frac} {u : List D → Nat}
    (hl : ∀ h d, c.loss h d ≤ N) (mean : ∀ h, sumOver (c.loss h) ds ≤ ds.length * u h)
    (reserve : reservePays p q δ.num δ.den c.reserve = true) (charges : ∀ h, pays N p q (u h) (c.charge h) = true)
    (settle : ∀ h, c.charge h ≤ c.offer h) (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) :
    share ds c.overrun T [] ≤ δ := by
  refine share_le_of_imp (fun h hh => ?_) (charge_controller_reach c hl mean reserve charges settle mono T)
  cases h with
  | nil => cases hh
  | cons d h =>
    have over : c.budget h < cumLoss c.realised (d :: h) := of_decide_eq_true hh
    exact decide_eq_true ⟨Nat.le_trans (Nat.succ_le_succ (Nat.zero_le _)) over, Nat.le_trans (Nat.le_succ _) over⟩

/-- **Admitted means within the budget, on every path.**  If the charge is a bound on the loss itself and not only on
its mean (a certified witness), then after every admitted step reserve and cumulative loss together are at most the
account, and the account is at most the budget.  No probability is involved. -/
theorem admit_implies_realized_within (c : ChargeController D) (settle : ∀ h, c.charge h ≤ c.offer h)
    (within : ∀ h d, c.loss h d ≤ c.charge h) (d : D) (h : List D) (adm : c.compresses h = true) :
    c.reserve + cumLoss c.realised (d :: h) ≤ c.account (d :: h) ∧ c.account (d :: h) ≤ c.budget h := by
  refine ⟨?_, c.account_le_budget settle d adm⟩
  clear adm
  have all : ∀ h, c.reserve + cumLoss c.realised h ≤ c.account h := fun h => by
    induction h with
    | nil => exact Nat.le_refl _
    | cons d h ih =>
      rw [c.account_cons, cumLoss, ChargeController.realised, ← Nat.add_assoc]
      cases c.compresses h with
      | true => exact Nat.add_le_add ih (within h d)
      | false => exact ih
  exact all (d :: h)

end
end Gnosis
