prelude
import Gnosis.Foundation.Lists
/-! # All orders of a list

`perms l` lists the orders of `l`, one for each of the `n!` ways to arrange its `n` positions.  Exchangeability
of a sample says that every order is equally likely, so a probability is a share of the members of `perms`.
Four facts make the word *all* precise: the list has `n!` members (`length_perms`), its members are exactly the
rearrangements of `l` (`mem_perms_iff`), none occurs twice unless `l` repeats an entry (`nodup_perms`), and
`perms` commutes with relabelling (`perms_map`). -/
universe u v
open List
namespace Gnosis
variable {α : Type u} {β : Type v}

/-- The factorial `n! = 1·2·…·n`. -/
def factorial : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * factorial n

/-- Every way to take one entry out of a list: the entry and what is left. -/
def picks : List α → List (α × List α)
  | [] => []
  | a :: l => (a, l) :: map (fun p => (p.1, a :: p.2)) (picks l)

/-- The orders of `n` entries of a list: pick the first, then order `n - 1` entries of what is left. -/
def permsOf : Nat → List α → List (List α)
  | 0, _ => [[]]
  | n + 1, l => flatMap (fun p => map (fun t => p.1 :: t) (permsOf n p.2)) (picks l)

/-- All orders of a list.  Positions count, not values: a list with repeated entries still has `n!` orders. -/
def perms (l : List α) : List (List α) := permsOf l.length l

/-! ## Picks -/

/-- There is one pick for each entry. -/
theorem length_picks (l : List α) : (picks l).length = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih => show (map _ (picks l)).length + 1 = _; rw [length_map, ih]; rfl

/-- A sum over the picks of a quantity of the picked entry is a sum over the list. -/
theorem sumOver_picks (f : α → Nat) (l : List α) : sumOver (fun p => f p.1) (picks l) = sumOver f l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    show f a + sumOver _ (map _ (picks l)) = f a + _
    rw [sumOver_map]; exact congrArg (f a + ·) ih

/-- A pick and its rest have, together, the counts of the list; the rest is one entry shorter. -/
theorem mem_picks (l : List α) : ∀ p, p ∈ picks l →
    l.length = p.2.length + 1 ∧ ∀ q : α → Bool, countP q l = countP q (p.1 :: p.2) := by
  induction l with
  | nil => exact fun _ h => nomatch h
  | cons a l ih =>
    intro p h
    cases h with
    | head => exact ⟨rfl, fun _ => rfl⟩
    | tail _ h =>
      obtain ⟨p', m, rfl⟩ := exists_of_mem_map h
      obtain ⟨hl, hc⟩ := ih p' m
      refine ⟨congrArg Nat.succ hl, fun q => ?_⟩
      show countP q (a :: l) = countP q (p'.1 :: a :: p'.2)
      rw [countP_cons, hc q, countP_cons, countP_cons, countP_cons, Nat.add_right_comm]

/-- Every entry can be picked. -/
theorem mem_picks_of_mem {a : α} {l : List α} (h : a ∈ l) : ∃ p, p ∈ picks l ∧ p.1 = a := by
  induction h with
  | head l => exact ⟨_, .head _, rfl⟩
  | tail b _ ih =>
    obtain ⟨p, m, rfl⟩ := ih
    exact ⟨_, .tail _ (mem_map_of_mem (fun p : α × List α => (p.1, b :: p.2)) m), rfl⟩

/-- The picked entries, in order, are the list. -/
theorem map_fst_picks (l : List α) : map (fun p => p.1) (picks l) = l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    show a :: map _ (map _ (picks l)) = _
    rw [map_map]; exact congrArg (a :: ·) ih

/-- What is left after a pick was there before. -/
theorem mem_of_mem_picks (l : List α) : ∀ p, p ∈ picks l → ∀ b, b ∈ p.2 → b ∈ l := by
  induction l with
  | nil => exact fun _ h => nomatch h
  | cons a l ih =>
    intro p h b hb
    cases h with
    | head => exact .tail a hb
    | tail _ h =>
      obtain ⟨p', m, rfl⟩ := exists_of_mem_map h
      cases hb with
      | head => exact .head l
      | tail _ hb => exact .tail a (ih p' m b hb)

/-- What is left of a list without repetition has none. -/
theorem nodup_of_mem_picks {l : List α} (d : Nodup l) : ∀ p, p ∈ picks l → Nodup p.2 := by
  induction d with
  | nil => exact fun _ h => nomatch h
  | cons n d ih =>
    intro p h
    cases h with
    | head => exact d
    | tail _ h =>
      obtain ⟨p', m, rfl⟩ := exists_of_mem_map h
      exact .cons (fun b hb => n b (mem_of_mem_picks _ p' m b hb)) (ih p' m)

/-- Relabelling the entries relabels the picks. -/
theorem picks_map (f : α → β) (l : List α) : picks (map f l) = map (fun p => (f p.1, map f p.2)) (picks l) := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    show (f a, map f l) :: map _ (picks (map f l)) = (f a, map f l) :: map _ (map _ (picks l))
    rw [ih, map_map, map_map]
    rfl

/-! ## Orders -/

/-- A pick leaves one entry less. -/
theorem length_of_mem_picks {n : Nat} {l : List α} (h : l.length = n + 1) {p : α × List α} (m : p ∈ picks l) :
    p.2.length = n := Nat.add_right_cancel ((mem_picks l p m).1.symm.trans h)

/-- `permsOf n l` has `n!` members when `l` has length `n`. -/
theorem length_permsOf (n : Nat) (l : List α) (h : l.length = n) : (permsOf n l).length = factorial n := by
  induction n generalizing l with
  | zero => rfl
  | succ n ih =>
    show (flatMap _ (picks l)).length = _
    rw [length_flatMap, sumOver_congr (g := fun _ => factorial n), sumOver_const, length_picks, h]
    · rfl
    · intro p m
      rw [length_map]
      exact ih p.2 (length_of_mem_picks h m)

/-- A list of length `n` has `n!` orders. -/
theorem length_perms (l : List α) : (perms l).length = factorial l.length := length_permsOf _ l rfl

/-- The members of `permsOf n l` have length `n` and the counts of `l`, when `l` has length `n`. -/
theorem countP_of_mem_permsOf (n : Nat) (l : List α) (h : l.length = n) :
    ∀ t, t ∈ permsOf n l → t.length = n ∧ ∀ q : α → Bool, countP q t = countP q l := by
  induction n generalizing l with
  | zero =>
    intro t m
    cases l with
    | cons a l => exact nomatch h
    | nil =>
      cases m with
      | head => exact ⟨rfl, fun _ => rfl⟩
      | tail _ m => exact nomatch m
  | succ n ih =>
    intro t m
    obtain ⟨p, mp, m⟩ := exists_of_mem_flatMap m
    obtain ⟨t', m', rfl⟩ := exists_of_mem_map m
    obtain ⟨il, ic⟩ := ih p.2 (length_of_mem_picks h mp) t' m'
    refine ⟨congrArg Nat.succ il, fun q => ?_⟩
    rw [(mem_picks l p mp).2 q, countP_cons, countP_cons, ic q]

/-- An order of a list has its length and, for every property, its count. -/
theorem countP_of_mem_perms {l t : List α} (h : t ∈ perms l) :
    t.length = l.length ∧ ∀ q : α → Bool, countP q t = countP q l := countP_of_mem_permsOf _ l rfl t h

/-- A list with the counts of `l` is a member of `permsOf n l`, when `l` has length `n`. -/
theorem mem_permsOf [DecidableEq α] (n : Nat) (l t : List α) (h : l.length = n)
    (c : ∀ q : α → Bool, countP q t = countP q l) : t ∈ permsOf n l := by
  induction n generalizing l t with
  | zero => cases t with
    | nil => exact .head _
    | cons a t => cases l with
      | nil => exact absurd (c (fun _ => true)) (fun e => nomatch e)
      | cons b l => exact nomatch h
  | succ n ih => cases t with
    | nil =>
      have e := c (fun _ => true)
      rw [countP_true l, h] at e
      exact nomatch e
    | cons a t =>
      -- `a` occurs in `l`, since its count there is not zero
      have one : countP (fun b => decide (b = a)) l ≠ 0 := by
        rw [← c, countP_cons_of_pos (p := fun b => decide (b = a)) t (decide_eq_true rfl)]; exact fun e => nomatch e
      obtain ⟨b, mb, e⟩ := exists_mem_of_countP_ne_zero one
      obtain ⟨p, m, e'⟩ := mem_picks_of_mem mb
      have e : a = p.1 := (e'.trans (of_decide_eq_true e)).symm
      subst e
      refine mem_flatMap_of_mem m (mem_map_of_mem _ (ih p.2 t (length_of_mem_picks h m) (fun q => ?_)))
      have k := (c q).trans ((mem_picks l p m).2 q)
      rw [countP_cons, countP_cons] at k
      exact Nat.add_right_cancel k

/-- `perms l` holds each order of `l` and nothing else: `t` is a member exactly when every property holds of as
many entries of `t` as of `l`. -/
theorem mem_perms_iff [DecidableEq α] (l t : List α) :
    t ∈ perms l ↔ ∀ q : α → Bool, countP q t = countP q l :=
  ⟨fun h => (countP_of_mem_perms h).2, mem_permsOf _ l t rfl⟩

/-- `permsOf n l` repeats no order when `l` repeats no entry. -/
theorem nodup_permsOf (n : Nat) (l : List α) (h : l.length = n) (d : Nodup l) : Nodup (permsOf n l) := by
  induction n generalizing l with
  | zero => exact .cons (fun _ m => nomatch m) .nil
  | succ n ih =>
    refine nodup_flatMap (fun p m => ?_) ?_
    · exact nodup_map (fun a b e => by injection e) (ih p.2 (length_of_mem_picks h m) (nodup_of_mem_picks d p m))
    · have heads : Pairwise (fun p q : α × List α => p.1 ≠ q.1) (picks l) :=
        pairwise_of_map (by rw [map_fst_picks]; exact d)
      refine Pairwise.imp ?_ heads
      intro p q ne x mp mq
      obtain ⟨_, _, rfl⟩ := exists_of_mem_map mp
      obtain ⟨_, _, e⟩ := exists_of_mem_map mq
      injection e with e
      exact ne e.symm

/-- Without repeated entries every order occurs once. -/
theorem nodup_perms {l : List α} (d : Nodup l) : Nodup (perms l) := nodup_permsOf _ l rfl d

/-- Relabelling the entries relabels the members of `permsOf`. -/
theorem permsOf_map (f : α → β) (n : Nat) (l : List α) : permsOf n (map f l) = map (map f) (permsOf n l) := by
  induction n generalizing l with
  | zero => rfl
  | succ n ih =>
    show flatMap _ (picks (map f l)) = map (map f) (flatMap _ (picks l))
    rw [picks_map, flatMap_map, map_flatMap]
    exact flatMap_congr (fun p _ => by rw [ih, map_map, map_map]; rfl)

/-- Relabelling the entries relabels the orders. -/
theorem perms_map (f : α → β) (l : List α) : perms (map f l) = map (map f) (perms l) := by
  unfold perms
  rw [length_map]
  exact permsOf_map f _ l
end Gnosis
