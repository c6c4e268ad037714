prelude
import Gnosis.Decision.Cumloss
import Gnosis.Foundation.Search
import Gnosis.Ville
/-! # The union-bound ledger

The older way to budget the risk of a request: event `t` may fail with probability at most `δ/((t+1)(t+2))`.  The shares
add up to `δ`, so the account is sound; but it pays for the horizon in advance, and from some event on no share is worth
the price of a single event any more.  The cumulative-loss account has no such horizon. -/
universe u

namespace Gnosis
open List
variable {D : Type u}

/-- The share of event `t`: `δ/((t+1)(t+2))`. -/
def unionShare (δ : Frac) (t : Nat) : Frac := ⟨δ.num, δ.den * ((t + 1) * (t + 2))⟩

/-- The shares of the events before `T`, added up. -/
def unionSpent (δ : Frac) : Nat → Frac
  | 0 => 0
  | T + 1 => unionSpent δ T + unionShare δ T

/-- What `unionAdmit` says: the price is within the share. -/
theorem unionAdmit_iff {δ π : Frac} {t : Nat} : unionAdmit δ.num δ.den π.num π.den t = true ↔
    0 < δ.den ∧ 0 < π.den ∧ π ≤ unionShare δ t := by
  have e : π.num * δ.den * ((t + 1) * (t + 2)) = π.num * (δ.den * ((t + 1) * (t + 2))) := Nat.mul_assoc _ _ _
  constructor
  · intro h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    have h₃ := Nat.le_of_ble_eq_true h₃
    rw [e] at h₃
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, h₃⟩
  · intro ⟨h₁, h₂, h₃⟩
    have h₃ : π.num * (δ.den * ((t + 1) * (t + 2))) ≤ δ.num * π.den := h₃
    rw [← e] at h₃
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂, Nat.ble_eq_true_of_le h₃⟩⟩

/-- **The shares telescope.**  The first `T` events together get `δ·T/(T+1)`, that is `δ − δ/(T+1)`: exactly, and so less
than `δ` whatever the horizon. -/
theorem union_ledger_telescopes (δ : Frac) (T : Nat) :
    (unionSpent δ T).num * (δ.den * (T + 1)) = δ.num * T * (unionSpent δ T).den := by
  induction T with
  | zero => show 0 * _ = _ * 0 * 1; rw [Nat.zero_mul]; rfl
  | succ T ih =>
    show ((unionSpent δ T).num * (δ.den * ((T + 1) * (T + 2))) + δ.num * (unionSpent δ T).den) * (δ.den * (T + 1 + 1))
      = δ.num * (T + 1) * ((unionSpent δ T).den * (δ.den * ((T + 1) * (T + 2))))
    generalize (unionSpent δ T).num = x, (unionSpent δ T).den = y, δ.num = n, δ.den = d at *
    calc (x * (d * ((T + 1) * (T + 2))) + n * y) * (d * (T + 1 + 1))
        = (x * (d * (T + 1))) * (d * (T + 2) * (T + 2)) + n * y * d * (T + 2) := by nat_ring
      _ = (n * T * y) * (d * (T + 2) * (T + 2)) + n * y * d * (T + 2) := by rw [ih]
      _ = n * (T + 1) * (y * (d * ((T + 1) * (T + 2)))) := by nat_ring

/-- The whole of `δ` is never given away: for `0 < δ` the first `T` events together get strictly less. -/
theorem unionSpent_lt {δ : Frac} (hn : 0 < δ.num) (hd : 0 < δ.den) (T : Nat) : unionSpent δ T < δ := by
  have t := union_ledger_telescopes δ T
  have pos : 0 < (unionSpent δ T).den := by
    clear t
    induction T with
    | zero => exact Nat.le_refl 1
    | succ T ih =>
      have pos : ∀ n : Nat, 0 < n + 1 := fun n => Nat.succ_le_succ (Nat.zero_le n)
      exact Nat.mul_pos ih (Nat.mul_pos hd (Nat.mul_pos (pos T) (pos (T + 1))))
  show (unionSpent δ T).num * δ.den < δ.num * (unionSpent δ T).den
  apply Nat.lt_of_not_le
  intro h
  generalize (unionSpent δ T).num = x, (unionSpent δ T).den = y, δ.num = n, δ.den = d at *
  have h₁ : n * y * (T + 1) ≤ n * T * y := Nat.le_trans (Nat.mul_le_mul_right (T + 1) h)
    (Nat.le_of_eq ((Nat.mul_assoc x d (T + 1)).trans t))
  have p := Nat.mul_pos hn pos
  exact absurd h₁ (Nat.not_le_of_lt (by nat_lin [p]))

/-- Did any event of the history fail?  Event `t` is decided at the history of length `t`, by the draw after it. -/
def anyFailed (fails : List D → D → Bool) : List D → Bool
  | [] => false
  | d :: h => fails h d || anyFailed fails h

/-- The probability that is still accounted for: `1` once an event has failed, `δ/(t+1)` after `t` events without. -/
def unionWealth (δ : Frac) (fails : List D → D → Bool) (h : List D) : Frac :=
  bif anyFailed fails h then 1 else ⟨δ.num, δ.den * (h.length + 1)⟩

/-- **Sound.**  If at every history of length `t` the next event fails with probability at most `δ/((t+1)(t+2))`, whatever
happened before, then the probability that any event of the request ever fails is at most `δ`. -/
theorem union_ledger_sound {ds : List D} {δ : Frac} (hd : 0 < δ.den) {fails : List D → D → Bool}
    (price : ∀ h, (⟨countP (fails h) ds, ds.length⟩ : Frac) ≤ unionShare δ h.length) (T : Nat) :
    share ds (anyFailed fails) T [] ≤ δ := by
  have pos : ∀ h, 0 < (unionWealth δ fails h).den := fun h => by
    unfold unionWealth
    cases anyFailed fails h with
    | true => exact Nat.le_refl 1
    | false => exact Nat.mul_pos hd (Nat.succ_le_succ (Nat.zero_le _))
  have super : Supermartingale ds (unionWealth δ fails) := fun h => by
    cases e : anyFailed fails h with
    | true =>
      have one : ∀ d, unionWealth δ fails (d :: h) = ⟨1, 1⟩ := fun d => by
        rw [unionWealth, anyFailed, e]; cases fails h d with
        | true => rfl
        | false => rfl
      refine Frac.le_trans (y := Frac.sumOver (fun _ => ⟨1, 1⟩) ds) (Frac.sumOver_den_pos fun _ _ => Nat.le_refl 1)
        (Frac.sumOver_le fun d _ => Frac.le_of_eq (one d)) ?_
      refine Frac.sumOver_same_den_le (n := fun _ => 1) (Nat.le_refl 1) ?_
      rw [sumOver_const, unionWealth, e]
      exact Frac.le_refl _
    | false =>
      have D₀ : 0 < δ.den * (h.length + 2) := Nat.mul_pos hd (Nat.succ_le_succ (Nat.zero_le _))
      refine Frac.le_trans
        (y := Frac.sumOver (fun d => ⟨(bif fails h d then δ.den * (h.length + 2) else 0) + δ.num, δ.den * (h.length + 2)⟩) ds)
        (Frac.sumOver_den_pos fun _ _ => D₀) (Frac.sumOver_le fun d _ => ?_) (Frac.sumOver_same_den_le D₀ ?_)
      · rw [unionWealth, anyFailed, e]
        cases fails h d with
        | true =>
          show 1 * (δ.den * (h.length + 2)) ≤ (δ.den * (h.length + 2) + δ.num) * 1
          rw [Nat.one_mul, Nat.mul_one]; exact Nat.le_add_right _ _
        | false =>
          show δ.num * (δ.den * (h.length + 2)) ≤ (0 + δ.num) * (δ.den * (h.length + 1 + 1))
          rw [Nat.zero_add]; exact Nat.le_refl _
      · rw [sumOver_add, sumOver_cond, sumOver_const, unionWealth, e]
        have price : countP (fails h) ds * (δ.den * ((h.length + 1) * (h.length + 2))) ≤ δ.num * ds.length := price h
        show (countP (fails h) ds * (δ.den * (h.length + 2)) + ds.length * δ.num) * (1 * (δ.den * (h.length + 1)))
          ≤ ds.length * δ.num * (δ.den * (h.length + 2))
        generalize countP (fails h) ds = c, δ.den = d, δ.num = n, ds.length = m, h.length = t at *
        calc (c * (d * (t + 2)) + m * n) * (1 * (d * (t + 1)))
            = d * (c * (d * ((t + 1) * (t + 2)))) + m * n * d * (t + 1) := by nat_ring
          _ ≤ d * (n * m) + m * n * d * (t + 1) := Nat.add_le_add_right (Nat.mul_le_mul_left d price) _
          _ = m * n * (d * (t + 2)) := by nat_ring
  have v := ville_event (δ := 1) pos super (C := anyFailed fails) (fun h hh => by
    rw [unionWealth, hh]; exact Frac.le_refl _) T []
  show reachCount ds (anyFailed fails) T [] * δ.den ≤ δ.num * ds.length ^ T
  have v : reachCount ds (anyFailed fails) T [] * (1 * (δ.den * 1)) ≤ 1 * δ.num * ds.length ^ T := v
  rw [Nat.mul_one, Nat.one_mul, Nat.one_mul] at v
  exact v

/-- The share falls from event to event. -/
theorem unionAdmit_anti {δ π : Frac} {s t : Nat} (h : s ≤ t) (k : unionAdmit δ.num δ.den π.num π.den t = true) :
    unionAdmit δ.num δ.den π.num π.den s = true := by
  obtain ⟨h₁, h₂, h₃⟩ := unionAdmit_iff.mp k
  refine unionAdmit_iff.mpr ⟨h₁, h₂, Nat.le_trans (Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ ?_)) h₃⟩
  exact Nat.mul_le_mul (Nat.succ_le_succ h) (Nat.succ_le_succ (Nat.succ_le_succ h))

/-- **The union-bound ledger exhausts.**  For every price `π > 0` there is a first event, `unionLife`, whose share is below
the price: the price is within the share of an event exactly if the event comes before that one.  From then on
everything is refused, however safe it is.  That event is no later than event `δ.num·π.den`. -/
theorem union_ledger_exhausts {δ π : Frac} (hδ : 0 < δ.den) (hπ : 0 < π.num) (hd : 0 < π.den) (t : Nat) :
    (π ≤ unionShare δ t ↔ t < unionLife δ.num δ.den π.num π.den) ∧
      unionLife δ.num δ.den π.num π.den ≤ δ.num * π.den := by
  have adm : ∀ {t}, π ≤ unionShare δ t → unionAdmit δ.num δ.den π.num π.den t = true :=
    fun h => unionAdmit_iff.mpr ⟨hδ, hd, h⟩
  have test : ∀ {t}, (!(unionAdmit δ.num δ.den π.num π.den t)) = true → ¬ π ≤ unionShare δ t := fun {t} h k => by
    rw [adm k] at h; contradiction
  refine ⟨⟨fun within => ?_, fun lt => ?_⟩, Nat.le_trans (leastFrom_le _ _ _) (Nat.le_of_eq (Nat.zero_add _))⟩
  · apply Nat.lt_of_not_le
    intro h
    have later := unionAdmit_iff.mp (unionAdmit_anti h (adm within))
    refine test (leastFrom_spec (test := fun t => !(unionAdmit δ.num δ.den π.num π.den t)) ?_) later.right.right
    show (!(unionAdmit δ.num δ.den π.num π.den (0 + δ.num * π.den))) = true
    rw [Nat.zero_add]
    cases e : unionAdmit δ.num δ.den π.num π.den (δ.num * π.den) with
    | false => rfl
    | true =>
      have le : π.num * (δ.den * ((δ.num * π.den + 1) * (δ.num * π.den + 2))) ≤ δ.num * π.den :=
        (unionAdmit_iff.mp e).right.right
      generalize δ.num * π.den = x at *
      have one : 1 * ((x + 1) * (x + 2)) ≤ π.num * δ.den * ((x + 1) * (x + 2)) := Nat.mul_le_mul_right _ (Nat.mul_pos hπ hδ)
      rw [Nat.mul_assoc] at one
      exact absurd (Nat.le_trans one le) (Nat.not_le_of_lt (by nat_lin [Nat.zero_le (x * x + 2 * x)]))
  · have no := leastFrom_least (test := fun t => !(unionAdmit δ.num δ.den π.num π.den t)) (Nat.zero_le t) lt
    cases e : unionAdmit δ.num δ.den π.num π.den t with
    | true => exact (unionAdmit_iff.mp e).right.right
    | false =>
      have no : (!(unionAdmit δ.num δ.den π.num π.den t)) = false := no
      rw [e] at no
      contradiction

/-- The gate at work: with `δ = 1/100` and a price of one in a million for each event, event `98` is still within its
share and event `99` is the first that is not. -/
theorem unionLife_sample : unionLife 1 100 1 1000000 = 99 ∧ unionAdmit 1 100 1 1000000 98 = true ∧
    unionAdmit 1 100 1 1000000 99 = false := by decide +kernel

/-- The first event fails on one draw of four, and no later event fails. -/
def failsAtFirst (h : List Nat) (d : Nat) : Bool := Nat.beq h.length 0 && Nat.beq d 0

/-- Attained: with `δ = 1/2` the first event gets the share `1/4`.  Let it fail on one draw of four and no later event
fail; the hypothesis of `union_ledger_sound` holds, and the probability of a failure is `1/4`, all that was spent. -/
theorem union_ledger_sharp :
    (∀ h, (⟨countP (failsAtFirst h) [0, 1, 2, 3], 4⟩ : Frac) ≤ unionShare ⟨1, 2⟩ h.length) ∧
      share [0, 1, 2, 3] (anyFailed failsAtFirst) 1 [] = ⟨1, 4⟩ ∧
      unionSpent ⟨1, 2⟩ 1 = ⟨1, 4⟩ := by
  refine ⟨fun h => ?_, rfl, rfl⟩
  cases h with
  | nil => decide
  | cons d h => exact Nat.le_trans (Nat.le_of_eq (Nat.zero_mul _)) (Nat.zero_le _)
end Gnosis
