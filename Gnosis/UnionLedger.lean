prelude
import Gnosis.Decision.Cumloss
import Gnosis.Foundation.Search
import Gnosis.VilleDraws
/-! # The union-bound ledger

The older way to budget the risk of a request: event `t` may fail with probability at most `δ/((t+1)(t+2))`.  The shares
add up to `δ`, so the account is sound; but it pays for the horizon in advance: for every price there is an event from which
on no share is worth that price any more.  The cumulative-loss account has no such horizon. -/
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
happened before, then the probability that any event of the request ever fails is at most `δ`.  The draws may depend on the
history, as many at each time as any other history has: with one fixed list of draws a share below one draw would mean that
late events cannot fail at all. -/
theorem union_ledger_sound {ds : List D → List D} {n : Nat → Nat} {δ : Frac} (hd : 0 < δ.den) {fails : List D → D → Bool}
    (size : ∀ h, Possible ds h → (ds h).length = n h.length)
    (price : ∀ h, Possible ds h → (⟨countP (fails h) (ds h), (ds h).length⟩ : Frac) ≤ unionShare δ h.length) (T : Nat) :
    shareFrom ds (anyFailed fails) T [] ≤ δ := by
  have pos : ∀ h, 0 < (unionWealth δ fails h).den := fun h => by
    unfold unionWealth
    cases anyFailed fails h with
    | true => exact Nat.le_refl 1
    | false => exact Nat.mul_pos hd (Nat.succ_le_succ (Nat.zero_le _))
  have super : ∀ h, Possible ds h →
      Frac.sumOver (fun d => unionWealth δ fails (d :: h)) (ds h) ≤ ⟨(ds h).length, 1⟩ * unionWealth δ fails h := fun h ph => by
    cases e : anyFailed fails h with
    | true =>
      have one : ∀ d, unionWealth δ fails (d :: h) = ⟨1, 1⟩ := fun d => by
        rw [unionWealth, anyFailed, e]; cases fails h d with
        | true => rfl
        | false => rfl
      refine Frac.le_trans (y := Frac.sumOver (fun _ => ⟨1, 1⟩) (ds h)) (Frac.sumOver_den_pos fun _ _ => Nat.le_refl 1)
        (Frac.sumOver_le fun d _ => Frac.le_of_eq (one d)) ?_
      refine Frac.sumOver_same_den_le (n := fun _ => 1) (Nat.le_refl 1) ?_
      rw [sumOver_const, unionWealth, e]
      exact Frac.le_refl _
    | false =>
      have D₀ : 0 < δ.den * (h.length + 2) := Nat.mul_pos hd (Nat.succ_le_succ (Nat.zero_le _))
      refine Frac.le_trans
        (y := Frac.sumOver (fun d => ⟨(bif fails h d then δ.den * (h.length + 2) else 0) + δ.num, δ.den * (h.length + 2)⟩) (ds h))
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
        have price : countP (fails h) (ds h) * (δ.den * ((h.length + 1) * (h.length + 2))) ≤ δ.num * (ds h).length := price h ph
        show (countP (fails h) (ds h) * (δ.den * (h.length + 2)) + (ds h).length * δ.num) * (1 * (δ.den * (h.length + 1)))
          ≤ (ds h).length * δ.num * (δ.den * (h.length + 2))
        generalize countP (fails h) (ds h) = c, δ.den = d, δ.num = n, (ds h).length = m, h.length = t at *
        calc (c * (d * (t + 2)) + m * n) * (1 * (d * (t + 1)))
            = d * (c * (d * ((t + 1) * (t + 2)))) + m * n * d * (t + 1) := by nat_ring
          _ ≤ d * (n * m) + m * n * d * (t + 1) := Nat.add_le_add_right (Nat.mul_le_mul_left d price) _
          _ = m * n * (d * (t + 2)) := by nat_ring
  have v := ville_draws (δ := 1) (C := anyFailed fails) size (fun h _ => pos h) super (fun h _ hh => by
    rw [unionWealth, hh]; exact Frac.le_refl _) T .nil
  show countP (reach (anyFailed fails) []) (contsFrom ds T []) * δ.den ≤ δ.num * (contsFrom ds T []).length
  have v : countP (reach (anyFailed fails) []) (contsFrom ds T []) * (1 * (δ.den * 1)) ≤ 1 * δ.num * (contsFrom ds T []).length := v
  rw [Nat.mul_one, Nat.one_mul, Nat.one_mul] at v
  exact v

/-- The share falls from event to event. -/
theorem unionAdmit_anti {δ π : Frac} {s t : Nat} (h : s ≤ t) (k : unionAdmit δ.num δ.den π.num π.den t = true) :
    unionAdmit δ.num δ.den π.num π.den s = true := by
  obtain ⟨h₁, h₂, h₃⟩ := unionAdmit_iff.mp k
  refine unionAdmit_iff.mpr ⟨h₁, h₂, Nat.le_trans (Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ ?_)) h₃⟩
  exact Nat.mul_le_mul (Nat.succ_le_succ h) (Nat.succ_le_succ (Nat.succ_le_succ h))

/-- **The union-bound ledger exhausts.**  For every price `π > 0` there is a first event, `unionLife`, whose share is below
the price: the price is within the share of an event exactly if the event comes before that one.  From then on this
price is refused, and every higher one; a lower price has its own, later, first event (`unionLife_cheaper`).  That event is
no later than event `δ.num·π.den`. -/
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

/-- Refused is the price, not the event: event `99` refuses one in a million and admits nine in ten millions. -/
theorem unionLife_cheaper : unionAdmit 1 100 1 1000000 99 = false ∧ unionAdmit 1 100 9 10000000 99 = true := by decide +kernel

/-- The numbers from `n` on, `k` of them. -/
def numbersFrom (n : Nat) : Nat → List Nat
  | 0 => []
  | k + 1 => n :: numbersFrom (n + 1) k
/-- There are `k` of them. -/
theorem length_numbersFrom (n k : Nat) : (numbersFrom n k).length = k := by
  induction k generalizing n with
  | zero => rfl
  | succ k ih => exact congrArg Nat.succ (ih (n + 1))

/-- After `t` draws, `2·(t + 1)·(t + 2)` of them: `4`, `12`, `24`, … -/
def growingDraws (h : List Nat) : List Nat := numbersFrom 0 (2 * ((h.length + 1) * (h.length + 2)))
/-- Every event fails on one draw, the number `0`. -/
def failsOnZero (_ : List Nat) (d : Nat) : Bool := Nat.beq d 0

/-- Attained at every event, and not vacuous late: with `δ = 1/2` every event fails on one draw of `2·(t + 1)·(t + 2)`, its
whole share.  The hypotheses of `union_ledger_sound` hold at every time; the first event fails with probability `1/4`, all
that was spent, and one of the first two with probability `15/48`. -/
theorem union_ledger_sharp :
    (∀ h, (growingDraws h).length = 2 * ((h.length + 1) * (h.length + 2))) ∧
      (∀ h, (⟨countP (failsOnZero h) (growingDraws h), (growingDraws h).length⟩ : Frac) ≤ unionShare ⟨1, 2⟩ h.length) ∧
      shareFrom growingDraws (anyFailed failsOnZero) 1 [] = ⟨1, 4⟩ ∧ unionSpent ⟨1, 2⟩ 1 = ⟨1, 4⟩ ∧
      shareFrom growingDraws (anyFailed failsOnZero) 2 [] = ⟨15, 48⟩ := by
  refine ⟨fun h => length_numbersFrom _ _, fun h => ?_, rfl, rfl, rfl⟩
  have later : ∀ n k, countP (failsOnZero h) (numbersFrom (n + 1) k) = 0 := fun n k => by
    induction k generalizing n with
    | zero => rfl
    | succ k ih =>
      exact (countP_cons_of_neg (p := failsOnZero h) (a := n + 1) (numbersFrom (n + 1 + 1) k) rfl).trans (ih (n + 1))
  have one : countP (failsOnZero h) (growingDraws h) ≤ 1 := by
    show countP (failsOnZero h) (numbersFrom 0 _) ≤ 1
    cases 2 * ((h.length + 1) * (h.length + 2)) with
    | zero => exact Nat.zero_le 1
    | succ k =>
      exact Nat.le_of_eq ((countP_cons_of_pos (p := failsOnZero h) (a := 0) (numbersFrom (0 + 1) k) rfl).trans
        (congrArg Nat.succ (later 0 k)))
  show countP (failsOnZero h) (growingDraws h) * (2 * ((h.length + 1) * (h.length + 2))) ≤ 1 * (growingDraws h).length
  rw [show (growingDraws h).length = 2 * ((h.length + 1) * (h.length + 2)) from length_numbersFrom _ _]
  exact Nat.mul_le_mul_right _ one
end Gnosis
