prelude
import Gnosis.Decision.Cumloss
import Gnosis.Foundation.Means
import Gnosis.Ville
/-! # Admission on the cumulative loss

Losses lie on the grid `0 … N` (a loss of `k` units stands for `k/N`).  The bet is `θ = p/q ≥ 1`; in the notation of
the field `e^λ = θ^N`.  A bound `u h` on the mean loss of the next step, known before its draw, is all that is asked of
a step.  Everything adapts: mean bounds, losses and budgets are functions of the history.  The loss `loss h d` is
revealed by the draw `d`, while a decision at `h` is a function of `h` alone, so that no policy can see the loss that it
decides about.  The decisions are in `Gnosis.Decision.Cumloss`. -/
universe u

namespace Gnosis
open List

/-- What `betOk` says. -/
theorem betOk_iff {N p q : Nat} : betOk N p q = true ↔ 0 < N ∧ 0 < q ∧ q ≤ p := by
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃⟩
  · intro ⟨h₁, h₂, h₃⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂, Nat.ble_eq_true_of_le h₃⟩⟩

/-- What `covered` says. -/
theorem covered_iff {N p q nδ dδ t L b : Nat} : covered N p q nδ dδ t L b = true ↔
    (0 < N ∧ 0 < q ∧ q ≤ p) ∧ 0 < dδ ∧ dδ * (L * q ^ b) ≤ nδ * (N ^ t * q ^ (t * N) * p ^ b) := by
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    exact ⟨betOk_iff.mp h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃⟩
  · intro ⟨h₁, h₂, h₃⟩
    exact Bool.and_eq_true_iff.mpr ⟨betOk_iff.mpr h₁,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂, Nat.ble_eq_true_of_le h₃⟩⟩

/-! ## The chord inequality -/

/-- **Bernoulli domination.**  On the grid `0 … N` the exponential `k ↦ θ^k`, `θ = p/q ≥ 1`, lies below its chord:
`N·p^k·q^{N−k} ≤ N·q^N + k·(p^N − q^N)`.  What follows for the mean of a random loss is `bet_mean`. -/
theorem bernoulli_chord {p q N k : Nat} (hqp : q ≤ p) (hk : k ≤ N) :
    N * (p ^ k * q ^ (N - k)) ≤ N * q ^ N + k * (p ^ N - q ^ N) := by
  obtain ⟨j, rfl⟩ := Nat.exists_of_le hk
  rw [Nat.add_sub_cancel_left]
  have h := weighted_pow_le hqp k j
  have s := Nat.add_sub_of_le (Nat.pow_le_pow_left hqp (k + j))
  rw [← s] at h
  generalize p ^ (k + j) - q ^ (k + j) = x at *
  generalize q ^ (k + j) = y at *
  exact Nat.le_trans h (Nat.le_of_eq (by nat_ring [k, j, x, y]))

/-- Sharp: the chord meets the exponential at both ends, at loss `0` and at loss `N`. -/
theorem bernoulli_chord_sharp (p q N : Nat) (hqp : q ≤ p) :
    N * (p ^ 0 * q ^ (N - 0)) = N * q ^ N + 0 * (p ^ N - q ^ N) ∧
      N * (p ^ N * q ^ (N - N)) = N * q ^ N + N * (p ^ N - q ^ N) := by
  constructor
  · rw [Nat.zero_mul, Nat.pow_zero, Nat.one_mul, Nat.add_zero]; rfl
  · rw [Nat.sub_self, Nat.pow_zero, Nat.mul_one, ← Nat.left_distrib, Nat.add_sub_of_le (Nat.pow_le_pow_left hqp N)]

/-! ## The ledger along a history -/
section
variable {D : Type u}

/-- The ledger value along a history: the product of the factors of its steps. -/
def ledger (N p q : Nat) (u : List D → Nat) : List D → Nat
  | [] => 1
  | _ :: h => ledger N p q u h * stepFactor N p q (u h)

/-- The realised cumulative loss along a history. -/
def cumLoss (loss : List D → D → Nat) : List D → Nat
  | [] => 0
  | d :: h => cumLoss loss h + loss h d

/-- The step factor is positive. -/
theorem stepFactor_pos {N p q : Nat} (hN : 0 < N) (hq : 0 < q) (u : Nat) : 0 < stepFactor N p q u :=
  Nat.add_pos_left (Nat.mul_pos hN (Nat.pow_pos hq)) _

/-- The bet on a loss `l`: `N·p^l·q^{N−l} = N·q^N·θ^l`. -/
def bet (N p q l : Nat) : Nat := N * (p ^ l * q ^ (N - l))

/-- **Bernoulli domination in the mean**: a loss of `l d ≤ N` units on equally likely draws with mean at most `u` has
`Σ_d N·p^{l d}·q^{N − l d} ≤ |ds|·(N·q^N + u·(p^N − q^N))`; in the notation of the field, a loss `L` in `[0, 1]` of mean at most
`μ` satisfies `E e^{λL} ≤ 1 + μ·(e^λ − 1)`. -/
theorem bet_mean {ds : List D} {N p q u : Nat} {l : D → Nat} (hqp : q ≤ p) (hl : ∀ d, l d ≤ N)
    (mean : sumOver l ds ≤ ds.length * u) :
    sumOver (fun d => bet N p q (l d)) ds ≤ ds.length * stepFactor N p q u := by
  unfold stepFactor bet
  generalize hx : p ^ N - q ^ N = x
  calc sumOver (fun d => N * (p ^ l d * q ^ (N - l d))) ds
      ≤ sumOver (fun d => N * q ^ N + l d * x) ds := sumOver_le fun d _ => by rw [← hx]; exact bernoulli_chord hqp (hl d)
    _ = ds.length * (N * q ^ N) + sumOver l ds * x := by rw [sumOver_add, sumOver_const, sumOver_mul]
    _ ≤ ds.length * (N * q ^ N) + ds.length * u * x := Nat.add_le_add_left (Nat.mul_le_mul_right x mean) _
    _ = ds.length * (N * q ^ N + u * x) := by rw [Nat.left_distrib, Nat.mul_assoc]

/-- The wealth of the bets along a history: numerator `N^t·q^{tN}·θ^L` with `L` the cumulative loss, denominator the
ledger. -/
theorem bet_wealth {N p q : Nat} {u : List D → Nat} {loss : List D → D → Nat} (hl : ∀ h d, loss h d ≤ N) (h : List D) :
    (productWealth (fun h d => bet N p q (loss h d)) (fun h => stepFactor N p q (u h)) h).den = ledger N p q u h ∧
    (productWealth (fun h d => bet N p q (loss h d)) (fun h => stepFactor N p q (u h)) h).num * q ^ cumLoss loss h
      = N ^ h.length * q ^ (h.length * N) * p ^ cumLoss loss h := by
  induction h with
  | nil => exact ⟨rfl, by show 1 * q ^ 0 = 1 * q ^ (0 * N) * 1; rw [Nat.zero_mul, Nat.one_mul, Nat.mul_one]⟩
  | cons d h ih =>
    obtain ⟨den, ih⟩ := ih
    constructor
    · show _ * stepFactor N p q (u h) = ledger N p q u h * stepFactor N p q (u h)
      rw [den]
    · show _ * bet N p q (loss h d) * q ^ (cumLoss loss h + loss h d)
        = N ^ (h.length + 1) * q ^ ((h.length + 1) * N) * p ^ (cumLoss loss h + loss h d)
      have split : q ^ loss h d * q ^ (N - loss h d) = q ^ N := by
        rw [← Nat.pow_add, Nat.add_sub_of_le (hl h d)]
      rw [show bet N p q (loss h d) = N * (p ^ loss h d * q ^ (N - loss h d)) from rfl,
        Nat.succ_mul, Nat.pow_add q (cumLoss loss h), Nat.pow_add p (cumLoss loss h), Nat.pow_add q (h.length * N),
        Nat.pow_succ N, ← split]
      clear den split hl
      generalize (productWealth (fun h d => bet N p q (loss h d)) (fun h => stepFactor N p q (u h)) h).num = F,
        q ^ cumLoss loss h = Q, p ^ cumLoss loss h = P, p ^ loss h d = a, q ^ loss h d = b, q ^ (N - loss h d) = c,
        N ^ h.length = M, q ^ (h.length * N) = R at *
      calc F * (N * (a * c)) * (Q * b) = F * Q * (N * a * b * c) := by nat_ring [F, N, a, c, Q, b]
        _ = M * R * P * (N * a * b * c) := by rw [ih]
        _ = M * N * (R * (b * c)) * (P * a) := by nat_ring [M, N, R, b, c, P, a]

/-! ## Admission -/

/-- The tail of the cumulative loss, for an event `C` of histories that happens only where the cumulative loss has
reached some `b h` that covers the ledger. -/
theorem cumloss_tail {ds : List D} {N p q : Nat} {δ : Frac} {u b : List D → Nat} {loss : List D → D → Nat}
    {C : List D → Bool} (bet : betOk N p q = true) (hl : ∀ h d, loss h d ≤ N)
    (mean : ∀ h, sumOver (loss h) ds ≤ ds.length * u h)
    (hC : ∀ h, C h = true → b h ≤ cumLoss loss h ∧
      covered N p q δ.num δ.den h.length (ledger N p q u h) (b h) = true) (T : Nat) :
    share ds C T [] ≤ δ := by
  obtain ⟨hN, hq, hqp⟩ := betOk_iff.mp bet
  refine ville_product (f := fun h d => Gnosis.bet N p q (loss h d)) (g := fun h => stepFactor N p q (u h))
    (fun h => stepFactor_pos hN hq _) (fun h => bet_mean hqp (hl h) (mean h)) ?_ T
  intro h hh
  obtain ⟨hb, cov⟩ := hC h hh
  obtain ⟨_, _, cov⟩ := covered_iff.mp cov
  obtain ⟨den, prod⟩ := bet_wealth (p := p) (q := q) (u := u) hl h
  show 1 * (δ.den * _) ≤ δ.num * _ * 1
  rw [den]
  obtain ⟨x, hx⟩ := Nat.exists_of_le hb
  rw [hx, Nat.pow_add, Nat.pow_add] at prod
  have qp : q ^ x ≤ p ^ x := Nat.pow_le_pow_left hqp x
  have hqb := Nat.pow_pos (n := b h) hq
  have hqx := Nat.pow_pos (n := x) hq
  apply Nat.le_of_mul_le_mul_right (c := q ^ b h * q ^ x) _ (Nat.mul_pos hqb hqx)
  generalize (productWealth (fun h d => Gnosis.bet N p q (loss h d)) (fun h => stepFactor N p q (u h)) h).num = W,
    ledger N p q u h = L, q ^ b h = B, p ^ b h = P, q ^ x = y, p ^ x = z,
    N ^ h.length * q ^ (h.length * N) = M, δ.num = n, δ.den = e at *
  calc 1 * (e * L) * (B * y) = e * (L * B) * y := by nat_ring [L, e, B, y]
    _ ≤ n * (M * P) * z := Nat.mul_le_mul cov qp
    _ = n * (M * (P * z)) := by nat_ring [n, M, P, z]
    _ = n * (W * (B * y)) := by rw [prod]
    _ = n * W * 1 * (B * y) := by nat_ring [n, W, B, y]

/-- **Admission on the cumulative loss.**  If the mean bounds `u` are true, `Σ_d loss(h, d) ≤ |ds|·u(h)`, and after
every step the budget covers the ledger, then with probability at least `1 − δ` the cumulative loss never exceeds its
budget, however long the request. -/
theorem cumloss_admission {ds : List D} {N p q : Nat} {δ : Frac} {u budget : List D → Nat} {loss : List D → D → Nat}
    (bet : betOk N p q = true) (hl : ∀ h d, loss h d ≤ N) (mean : ∀ h, sumOver (loss h) ds ≤ ds.length * u h)
    (inv : ∀ d h, covered N p q δ.num δ.den (h.length + 1) (ledger N p q u (d :: h)) (budget (d :: h)) = true)
    (T : Nat) : share ds (fun h => decide (budget h < cumLoss loss h)) T [] ≤ δ :=
  cumloss_tail (b := budget) bet hl mean (fun h hh => by
    have hh := of_decide_eq_true hh
    cases h with
    | nil => exact absurd hh (Nat.not_succ_le_zero _)
    | cons d h => exact ⟨Nat.le_trans (Nat.le_succ _) hh, inv d h⟩) T

/-! ## The controller -/

/-- What the controller is given: the grid `N`, the bet `p/q`, the level `δ`, and, as functions of the history `h`,
the bound `mean h` on the mean loss of the step if it is compressed, the loss `loss h d` that this step then turns out
to have, and the budget `budget h` that the cumulative loss must keep after the step. -/
structure Controller (D : Type u) where
  N : Nat
  p : Nat
  q : Nat
  δ : Frac
  mean : List D → Nat
  loss : List D → D → Nat
  budget : List D → Nat

namespace Controller
variable (c : Controller D)
/-- The ledger value that the controller carries. -/
def state : List D → Nat
  | [] => 1
  | _ :: h => cumlossStep c.N c.p c.q c.δ.num c.δ.den h.length (state h) (c.mean h) (c.budget h)
/-- Does the controller compress the step at `h`?  Otherwise the step is done exactly and loses nothing. -/
def compresses (h : List D) : Bool :=
  cumlossAdmit c.N c.p c.q c.δ.num c.δ.den h.length (c.state h) (c.mean h) (c.budget h)
/-- The mean bound of the step that is taken. -/
def taken (h : List D) : Nat := bif c.compresses h then c.mean h else 0
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

/-- The state is the ledger of the steps taken. -/
theorem state_eq (h : List D) : c.state h = ledger c.N c.p c.q c.taken h := by
  induction h with
  | nil => rfl
  | cons d h ih =>
    show c.state h * stepFactor c.N c.p c.q (c.taken h) = ledger c.N c.p c.q c.taken h * _
    rw [ih]

/-- What the code maintains: after a step, either nothing has been lost yet or the budget covers the ledger. -/
theorem state_covered (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (d : D) (h : List D) :
    cumLoss c.realised (d :: h) = 0 ∨
      covered c.N c.p c.q c.δ.num c.δ.den (h.length + 1) (c.state (d :: h)) (c.budget h) = true := by
  have fresh : ∀ {h : List D} d, c.compresses h = true →
      covered c.N c.p c.q c.δ.num c.δ.den (h.length + 1) (c.state (d :: h)) (c.budget h) = true := fun {h} d e => by
    have e' : covered _ _ _ _ _ (h.length + 1) (c.state h * stepFactor c.N c.p c.q (c.mean h)) (c.budget h) = true := e
    have s : c.state (d :: h) = c.state h * stepFactor c.N c.p c.q (bif c.compresses h then c.mean h else 0) := rfl
    rw [s, e]; exact e'
  induction h generalizing d with
  | nil =>
    cases e : c.compresses [] with
    | true => right; exact fresh d e
    | false => left; rw [cumLoss, realised, e]; rfl
  | cons d' h ih =>
    cases e : c.compresses (d' :: h) with
    | true => right; exact fresh d e
    | false =>
      rcases ih d' with z | cov
      · left; rw [cumLoss, realised, e, z]; rfl
      · right
        obtain ⟨ok, hδ, cov⟩ := covered_iff.mp cov
        refine covered_iff.mpr ⟨ok, hδ, ?_⟩
        have s : c.state (d :: d' :: h)
          = c.state (d' :: h) * stepFactor c.N c.p c.q (bif c.compresses (d' :: h) then c.mean (d' :: h) else 0) := rfl
        rw [s, e]
        show c.δ.den * (c.state (d' :: h) * (c.N * c.q ^ c.N + 0 * _) * c.q ^ c.budget (d' :: h))
          ≤ c.δ.num * (c.N ^ (h.length + 1) * c.N * c.q ^ ((h.length + 1 + 1) * c.N) * c.p ^ c.budget (d' :: h))
        obtain ⟨x, hx⟩ := Nat.exists_of_le (mono d' h)
        have qp : c.q ^ x ≤ c.p ^ x := Nat.pow_le_pow_left ok.right.right x
        clear fresh s ok
        generalize c.state (d' :: h) = L, c.budget h = β, c.N = N, c.p = p, c.q = q, c.δ.num = nδ, c.δ.den = dδ at *
        rw [hx, Nat.pow_add q β, Nat.pow_add p β, Nat.succ_mul (h.length + 1), Nat.pow_add q (_ * N), Nat.zero_mul, Nat.add_zero]
        generalize q ^ β = B, p ^ β = P, q ^ x = y, p ^ x = z, N ^ (h.length + 1) = M, q ^ ((h.length + 1) * N) = R,
          q ^ N = s at *
        calc dδ * (L * (N * s) * (B * y)) = dδ * (L * B) * y * (N * s) := by nat_ring [dδ, L, N, s, B, y]
          _ ≤ nδ * (M * R * P) * z * (N * s) := Nat.mul_le_mul_right _ (Nat.mul_le_mul cov qp)
          _ = nδ * (M * N * (R * s) * (P * z)) := by nat_ring [nδ, M, R, P, z, N, s]
end Controller

/-- The controller, in its sharp form: with probability at least `1 − δ` the cumulative loss, once there is any, never
even reaches the budget. -/
theorem cumloss_controller_reach (c : Controller D) {ds : List D} (bet : betOk c.N c.p c.q = true)
    (hl : ∀ h d, c.loss h d ≤ c.N) (mean : ∀ h, sumOver (c.loss h) ds ≤ ds.length * c.mean h)
    (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) : share ds c.reached T [] ≤ c.δ := by
  refine cumloss_tail (u := c.taken) (loss := c.realised)
    (b := fun h => match h with | [] => 0 | _ :: h => c.budget h) bet ?_ ?_ ?_ T
  · intro h d
    show (bif c.compresses h then c.loss h d else 0) ≤ c.N
    cases c.compresses h with
    | true => exact hl h d
    | false => exact Nat.zero_le _
  · intro h
    show sumOver (fun d => bif c.compresses h then c.loss h d else 0) ds
      ≤ ds.length * (bif c.compresses h then c.mean h else 0)
    cases c.compresses h with
    | true => exact mean h
    | false => exact Nat.le_of_eq (sumOver_const 0 ds)
  · intro h hh
    cases h with
    | nil => cases hh
    | cons d h =>
      obtain ⟨pos, le⟩ := of_decide_eq_true (p := 0 < _ ∧ _ ≤ _) hh
      rcases c.state_covered mono d h with z | cov
      · rw [z] at pos; exact absurd pos (Nat.not_succ_le_zero _)
      · rw [c.state_eq] at cov
        exact ⟨le, cov⟩

/-- **The controller is sound.**  It decides by its own ledger, so nothing is assumed about admission: if the mean
bounds are true and the budget never falls, then with probability at least `1 − δ` the cumulative loss never exceeds
the budget, however long the request. -/
theorem cumloss_controller_sound (c : Controller D) {ds : List D} (bet : betOk c.N c.p c.q = true)
    (hl : ∀ h d, c.loss h d ≤ c.N) (mean : ∀ h, sumOver (c.loss h) ds ≤ ds.length * c.mean h)
    (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) : share ds c.overrun T [] ≤ c.δ := by
  refine share_le_of_imp (fun h hh => ?_) (cumloss_controller_reach c bet hl mean mono T)
  cases h with
  | nil => cases hh
  | cons d h =>
    have over : c.budget h < cumLoss c.realised (d :: h) := of_decide_eq_true hh
    exact decide_eq_true ⟨Nat.le_trans (Nat.succ_le_succ (Nat.zero_le _)) over, Nat.le_trans (Nat.le_succ _) over⟩
end

/-! ## Not empty, and sharp -/

/-- Ten equally likely draws. -/
def tenDraws : List Nat := [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
/-- Was the last draw a `0`? -/
def justLost : List Nat → Bool
  | [] => false
  | d :: _ => Nat.beq d 0
/-- A process that adapts: draw `0` loses all of the `20` units of the grid, but only half of them just after another
loss. -/
def adaptiveLoss (h : List Nat) (d : Nat) : Nat := bif Nat.beq d 0 then (bif justLost h then 10 else 20) else 0
/-- Its mean, known from the history: `2` units, or `1` unit just after a loss. -/
def adaptiveMean (h : List Nat) : Nat := bif justLost h then 1 else 2
/-- The bet `θ = 11/10` at level `δ = 1/10` on the process that adapts, with a budget that grows with the request. -/
def sampleController : Controller Nat where
  N := 20
  p := 11
  q := 10
  δ := ⟨1, 10⟩
  mean := adaptiveMean
  loss := adaptiveLoss
  budget h := 50 + h.length

/-- The losses of the process that adapts are on the grid `0 … 20`. -/
theorem adaptiveLoss_le (h : List Nat) (d : Nat) : adaptiveLoss h d ≤ 20 := by
  unfold adaptiveLoss
  cases Nat.beq d 0 with
  | false => exact Nat.zero_le 20
  | true =>
    cases justLost h with
    | true => exact (by decide : 10 ≤ 20)
    | false => exact Nat.le_refl 20

/-- Its mean bounds are true. -/
theorem adaptiveMean_true (h : List Nat) : sumOver (adaptiveLoss h) tenDraws ≤ tenDraws.length * adaptiveMean h := by
  show (bif justLost h then 10 else 20) + 0 ≤ 10 * (bif justLost h then 1 else 2)
  cases justLost h with
  | true => exact Nat.le_refl 10
  | false => exact Nat.le_refl 20

/-- The sample controller compresses, refuses, has losses, and meets every hypothesis of `cumloss_controller_sound`. -/
theorem sampleController_sound :
    sampleController.compresses [1, 1, 1] = true ∧ sampleController.compresses [1, 1, 1, 1, 1, 1] = false ∧
      cumLoss sampleController.realised [0, 1, 0] = 40 ∧ cumLoss sampleController.realised [1, 0, 0] = 30 ∧
      ∀ T, share tenDraws sampleController.overrun T [] ≤ ⟨1, 10⟩ := by
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel, ?_⟩
  exact cumloss_controller_sound sampleController (by decide) adaptiveLoss_le adaptiveMean_true
    (fun _ h => Nat.le_succ _)

/-- One draw of three loses three units. -/
def oneInThree (_ : List Nat) (d : Nat) : Nat := bif Nat.beq d 0 then 3 else 0

/-- Sharp at the threshold.  One draw of three loses all `N = 3` units, the bet is `θ = 2`, the level `δ = 3/10`.  The
controller compresses under a budget of `4` and refuses under a budget of `3`; had it compressed, the loss would have
reached `3` with probability `1/3`, more than `δ`. -/
theorem cumlossAdmit_sharp :
    cumlossAdmit 3 2 1 3 10 0 1 1 4 = true ∧ cumlossAdmit 3 2 1 3 10 0 1 1 3 = false ∧
      sumOver (oneInThree []) [0, 1, 2] = [0, 1, 2].length * 1 ∧
      (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide (3 ≤ cumLoss oneInThree h)) 1 [] := by
  refine ⟨by decide +kernel, by decide +kernel, rfl, by decide +kernel⟩

/-- Sharp in the limit.  A fair coin loses both units of the grid `N = 2` or none, so the loss reaches `2` with
probability `1/2`.  With the bet `θ = p` a budget of `2` units covers the level `δ = 1/2 + 1/(2p²)`: the level that has
to be granted comes as close to the truth as one likes. -/
theorem cumloss_admission_sharp {p : Nat} (hp : 0 < p) :
    covered 2 p 1 (p ^ 2 + 1) (2 * p ^ 2) 1 (ledger 2 p 1 (fun _ => 1) [true]) 2 = true ∧
      share [true, false] (fun h => decide (2 ≤ cumLoss (fun _ d => bif d then 2 else 0) h)) 1 [] = ⟨1, 2⟩ := by
  refine ⟨covered_iff.mpr ⟨⟨by decide, by decide, hp⟩, Nat.mul_pos (by decide) (Nat.pow_pos hp), ?_⟩, rfl⟩
  show 2 * p ^ 2 * (1 * (2 * 1 + 1 * (p ^ 2 - 1)) * 1) ≤ (p ^ 2 + 1) * (2 * 1 * p ^ 2)
  have s := Nat.add_sub_of_le (show 1 ≤ p ^ 2 from Nat.pow_pos hp)
  generalize p ^ 2 - 1 = x at *
  rw [← s]
  exact Nat.le_of_eq (by nat_ring [x])
end Gnosis
