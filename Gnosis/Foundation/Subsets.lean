prelude
import Gnosis.Foundation.Permutations
/-! # Binomial coefficients and draws without replacement

`draws k l` lists every way to draw `k` entries of a list without replacement, as the drawn entries and the ones
that are left; `subsets k l` keeps the drawn ones.  There are `choose l.length k` of them (`length_subsets`), they
are exactly the sublists of length `k` (`mem_subsets_iff`), and none occurs twice unless `l` repeats an entry
(`nodup_subsets`). -/
universe u
open List
namespace Gnosis
variable {α : Type u}

/-- The binomial coefficient, by Pascal's rule. -/
def choose : Nat → Nat → Nat
  | _, 0 => 1
  | 0, _ + 1 => 0
  | n + 1, k + 1 => choose n k + choose n (k + 1)

/-- Every way to draw `k` entries without replacement: the drawn entries and the rest, both in the order of the
list. -/
def draws : Nat → List α → List (List α × List α)
  | 0, l => [([], l)]
  | _ + 1, [] => []
  | k + 1, a :: l => map (fun p => (a :: p.1, p.2)) (draws k l) ++ map (fun p => (p.1, a :: p.2)) (draws (k + 1) l)

/-- Every set of `k` positions of the list, as the entries at these positions. -/
def subsets (k : Nat) (l : List α) : List (List α) := map (fun p => p.1) (draws k l)

/-- `Sublist t l`: `t` is `l` with some entries left out, the order kept. -/
inductive Sublist : List α → List α → Prop where
  | nil : Sublist [] []
  | skip (a : α) {t l : List α} : Sublist t l → Sublist t (a :: l)
  | keep (a : α) {t l : List α} : Sublist t l → Sublist (a :: t) (a :: l)

/-! ## Binomial coefficients -/

/-- There is one way to choose nothing. -/
theorem choose_zero (n : Nat) : choose n 0 = 1 := by
  cases n with
  | zero => rfl
  | succ n => rfl

/-- Pascal's rule. -/
theorem choose_succ (n k : Nat) : choose (n + 1) (k + 1) = choose n k + choose n (k + 1) := rfl

/-- More than there is cannot be chosen. -/
theorem choose_eq_zero {n k : Nat} (h : n < k) : choose n k = 0 := by
  induction n generalizing k with
  | zero => cases k with
    | zero => exact absurd h (Nat.lt_irrefl 0)
    | succ k => rfl
  | succ n ih => cases k with
    | zero => exact absurd h (Nat.not_succ_le_zero _)
    | succ k =>
      rw [choose_succ, ih (Nat.le_of_succ_le_succ h), ih (.step (Nat.le_of_succ_le_succ h))]

/-- There is one way to choose everything. -/
theorem choose_self (n : Nat) : choose n n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [choose_succ, ih, choose_eq_zero (Nat.le_refl _)]

/-- From a larger set there are at least as many ways to choose. -/
theorem choose_le_choose {m n : Nat} (k : Nat) (h : m ≤ n) : choose m k ≤ choose n k := by
  induction h with
  | refl => exact .refl
  | step _ ih =>
    refine Nat.le_trans ih ?_
    cases k with
    | zero => rw [choose_zero]; exact Nat.le_of_eq (choose_zero _).symm
    | succ k => rw [choose_succ]; exact Nat.le_add_left _ _

/-- A factorial is positive. -/
theorem factorial_pos (n : Nat) : 0 < factorial n := by
  induction n with
  | zero => exact .refl
  | succ n ih => exact Nat.mul_pos (Nat.succ_le_succ (Nat.zero_le n)) ih

/-- `C(k + m, k) · k! · m! = (k + m)!`. -/
theorem choose_mul_factorial (k m : Nat) : choose (k + m) k * (factorial k * factorial m) = factorial (k + m) := by
  have main : ∀ n k m, k + m = n → choose n k * (factorial k * factorial m) = factorial n := by
    intro n
    induction n with
    | zero =>
      intro k m h
      cases k with
      | succ k => rw [Nat.succ_add] at h; exact nomatch h
      | zero => cases m with
        | succ m => exact nomatch h
        | zero => rfl
    | succ n ih =>
      intro k m h
      cases k with
      | zero =>
        rw [Nat.zero_add] at h
        subst h
        rw [choose_zero]
        show 1 * (1 * _) = _
        rw [Nat.one_mul, Nat.one_mul]
      | succ k => cases m with
        | zero =>
          have h : k + 1 = n + 1 := h
          rw [h, choose_self]
          show 1 * (_ * 1) = _
          rw [Nat.mul_one, Nat.one_mul]
        | succ m =>
          have h₁ : k + (m + 1) = n := by rw [Nat.succ_add] at h; exact Nat.add_right_cancel h
          have h₂ : k + 1 + m = n := Nat.add_right_cancel (show k + 1 + m + 1 = n + 1 from h)
          have a := ih k (m + 1) h₁
          have b := ih (k + 1) m h₂
          rw [choose_succ]
          show (choose n k + choose n (k + 1)) * ((k + 1) * factorial k * ((m + 1) * factorial m))
            = (n + 1) * factorial n
          have a : choose n k * (factorial k * ((m + 1) * factorial m)) = factorial n := a
          have b : choose n (k + 1) * ((k + 1) * factorial k * factorial m) = factorial n := b
          rw [← h, Nat.right_distrib (k + 1)]
          conv => rhs; lhs; rw [← a]
          conv => rhs; rhs; rw [← b]
          nat_ring
  exact main _ k m rfl

/-- A binomial coefficient `C(n, k)` with `k ≤ n` is positive. -/
theorem choose_pos {n k : Nat} (h : k ≤ n) : 0 < choose n k := by
  obtain ⟨m, rfl⟩ := Nat.exists_of_le h
  have e := choose_mul_factorial k m
  cases c : choose (k + m) k with
  | zero =>
    rw [c, Nat.zero_mul] at e
    exact absurd (factorial_pos (k + m)) (by rw [← e]; exact Nat.lt_irrefl 0)
  | succ _ => exact Nat.succ_le_succ (Nat.zero_le _)

/-- `a·(a + 1)·…·(a + j - 1)`: `j` factors. -/
def risingProduct (a : Nat) : Nat → Nat
  | 0 => 1
  | j + 1 => risingProduct a j * (a + j)

/-- How a binomial coefficient grows with its upper entry:
`C(k + m, k)·(k + m + 1)·…·(k + m + j) = C(k + m + j, k)·(m + 1)·…·(m + j)`. -/
theorem choose_mul_rising (k m j : Nat) :
    choose (k + m) k * risingProduct (k + m + 1) j = choose (k + m + j) k * risingProduct (m + 1) j := by
  induction j with
  | zero => rfl
  | succ j ih =>
    have a : choose (k + m + j) k * (factorial k * factorial (m + j)) = factorial (k + m + j) := by
      rw [Nat.add_assoc]; exact choose_mul_factorial k (m + j)
    have b : choose (k + m + (j + 1)) k * (factorial k * ((m + j + 1) * factorial (m + j)))
        = (k + m + j + 1) * factorial (k + m + j) := by
      have b := choose_mul_factorial k (m + (j + 1))
      rw [← Nat.add_assoc k m] at b; exact b
    rw [← a] at b
    have pos : 0 < factorial k * factorial (m + j) := Nat.mul_pos (factorial_pos k) (factorial_pos (m + j))
    have step : choose (k + m + (j + 1)) k * (m + j + 1) = (k + m + j + 1) * choose (k + m + j) k := by
      have c : choose (k + m + (j + 1)) k * (m + j + 1) * (factorial k * factorial (m + j))
          = (k + m + j + 1) * choose (k + m + j) k * (factorial k * factorial (m + j)) := by
        refine Eq.trans ?_ (b.trans ?_)
        · nat_ring
        · nat_ring
      exact Nat.le_antisymm (Nat.le_of_mul_le_mul_right (Nat.le_of_eq c) pos)
        (Nat.le_of_mul_le_mul_right (Nat.le_of_eq c.symm) pos)
    show choose (k + m) k * (risingProduct (k + m + 1) j * (k + m + 1 + j))
      = choose (k + m + (j + 1)) k * (risingProduct (m + 1) j * (m + 1 + j))
    generalize choose (k + m + (j + 1)) k = x, choose (k + m + j) k = y, choose (k + m) k = z,
      risingProduct (k + m + 1) j = p, risingProduct (m + 1) j = q at *
    calc z * (p * (k + m + 1 + j)) = z * p * (k + m + j + 1) := by nat_ring
      _ = y * q * (k + m + j + 1) := by rw [ih]
      _ = (k + m + j + 1) * y * q := by nat_ring
      _ = x * (m + j + 1) * q := by rw [step]
      _ = x * (q * (m + 1 + j)) := by nat_ring

/-! ## Draws -/

/-- There are `C(n, k)` ways to draw `k` of `n` entries. -/
theorem length_draws (k : Nat) (l : List α) : (draws k l).length = choose l.length k := by
  induction l generalizing k with
  | nil => cases k with
    | zero => rfl
    | succ k => rfl
  | cons a l ih => cases k with
    | zero => rfl
    | succ k =>
      show (map _ (draws k l) ++ map _ (draws (k + 1) l)).length = choose l.length k + choose l.length (k + 1)
      rw [length_append, length_map, length_map, ih, ih]

/-- There are `C(n, k)` subsets of size `k` of `n` positions. -/
theorem length_subsets (k : Nat) (l : List α) : (subsets k l).length = choose l.length k :=
  (length_map _ _).trans (length_draws k l)

/-- What is drawn has `k` entries, and with the rest it has the counts of the list. -/
theorem mem_draws {k : Nat} {l : List α} {p : List α × List α} (h : p ∈ draws k l) :
    p.1.length = k ∧ ∀ q : α → Bool, countP q l = countP q p.1 + countP q p.2 := by
  induction l generalizing k p with
  | nil => cases k with
    | zero =>
      cases h with
      | head => exact ⟨rfl, fun _ => rfl⟩
      | tail _ h => exact nomatch h
    | succ k => exact nomatch h
  | cons a l ih => cases k with
    | zero =>
      cases h with
      | head => exact ⟨rfl, fun q => (Nat.zero_add _).symm⟩
      | tail _ h => exact nomatch h
    | succ k =>
      rcases or_of_mem_append (k := map (fun p => (a :: p.1, p.2)) (draws k l))
        (l := map (fun p => (p.1, a :: p.2)) (draws (k + 1) l)) h with h | h
      · obtain ⟨p', m, rfl⟩ := exists_of_mem_map h
        obtain ⟨i, c⟩ := ih m
        refine ⟨congrArg Nat.succ i, fun q => ?_⟩
        show countP q (a :: l) = countP q (a :: p'.1) + countP q p'.2
        rw [countP_cons, countP_cons, c q, Nat.add_right_comm]
      · obtain ⟨p', m, rfl⟩ := exists_of_mem_map h
        obtain ⟨i, c⟩ := ih m
        refine ⟨i, fun q => ?_⟩
        show countP q (a :: l) = countP q p'.1 + countP q (a :: p'.2)
        rw [countP_cons, countP_cons, c q, Nat.add_assoc]

/-- A draw of `k` entries leaves all but `k`. -/
theorem length_rest {k : Nat} {l : List α} {p : List α × List α} (h : p ∈ draws k l) : p.2.length = l.length - k := by
  obtain ⟨e, c⟩ := mem_draws h
  have c := c (fun _ => true)
  rw [countP_true, countP_true, countP_true, e] at c
  rw [c, Nat.add_sub_cancel_left]

/-- The subsets of `a :: l`: those with `a`, then those without. -/
theorem subsets_cons (k : Nat) (a : α) (l : List α) :
    subsets (k + 1) (a :: l) = map (fun t => a :: t) (subsets k l) ++ subsets (k + 1) l := by
  show map _ (map _ (draws k l) ++ map _ (draws (k + 1) l)) = map _ (map _ (draws k l)) ++ map _ (draws (k + 1) l)
  rw [map_append, map_map, map_map, map_map]

/-- The empty list is a sublist of every list. -/
theorem nil_sublist (l : List α) : Sublist [] l := by
  induction l with
  | nil => exact .nil
  | cons a l ih => exact .skip a ih

/-- `subsets k l` holds exactly the sublists of `l` with `k` entries. -/
theorem mem_subsets_iff (k : Nat) (l t : List α) : t ∈ subsets k l ↔ t.length = k ∧ Sublist t l := by
  constructor
  · intro h
    induction l generalizing k t with
    | nil => cases k with
      | zero =>
        cases h with
        | head => exact ⟨rfl, .nil⟩
        | tail _ h => exact nomatch h
      | succ k => exact nomatch h
    | cons a l ih => cases k with
      | zero =>
        cases h with
        | head => exact ⟨rfl, nil_sublist _⟩
        | tail _ h => exact nomatch h
      | succ k =>
        rw [subsets_cons] at h
        rcases or_of_mem_append h with h | h
        · obtain ⟨t, m, rfl⟩ := exists_of_mem_map h
          obtain ⟨e, s⟩ := ih k t m
          exact ⟨congrArg Nat.succ e, .keep a s⟩
        · obtain ⟨e, s⟩ := ih (k + 1) t h
          exact ⟨e, .skip a s⟩
  · rintro ⟨rfl, h⟩
    induction h with
    | nil => exact .head _
    | @skip a t l h ih => cases t with
      | nil => exact .head _
      | cons b t =>
        show _ ∈ subsets (t.length + 1) (a :: l)
        rw [subsets_cons]
        exact mem_append_right _ ih
    | @keep a t l h ih =>
      show _ ∈ subsets (t.length + 1) (a :: l)
      rw [subsets_cons]
      exact mem_append_left _ (mem_map_of_mem (fun t => a :: t) ih)

/-- The entries of a sublist are entries of the list. -/
theorem mem_of_sublist {t l : List α} (h : Sublist t l) {a : α} (m : a ∈ t) : a ∈ l := by
  induction h with
  | nil => exact m
  | skip b _ ih => exact .tail b (ih m)
  | keep b _ ih =>
    cases m with
    | head => exact .head _
    | tail _ m => exact .tail b (ih m)

/-- Without repeated entries every subset occurs once. -/
theorem nodup_subsets (k : Nat) {l : List α} (d : Nodup l) : Nodup (subsets k l) := by
  induction d generalizing k with
  | nil => cases k with
    | zero => exact .cons (fun _ m => nomatch m) .nil
    | succ k => exact .nil
  | cons n d ih => cases k with
    | zero => exact .cons (fun _ m => nomatch m) .nil
    | succ k =>
      rename_i a l
      rw [subsets_cons]
      refine nodup_append (nodup_map (fun s t e => by injection e) (ih k)) (ih (k + 1)) (fun t m m' => ?_)
      obtain ⟨s, _, rfl⟩ := exists_of_mem_map m
      exact n a (mem_of_sublist ((mem_subsets_iff _ _ _).mp m').2 (.head s)) rfl

/-- Draws that stay within a property: of the `k`-subsets, `C(c, k)` consist of entries with the property, where `c`
is the number of entries that have it. -/
theorem countP_all_subsets (p : α → Bool) (k : Nat) (l : List α) :
    countP (fun t => all t p) (subsets k l) = choose (countP p l) k := by
  induction l generalizing k with
  | nil => cases k with
    | zero => rfl
    | succ k => rfl
  | cons a l ih => cases k with
    | zero => rw [choose_zero]; rfl
    | succ k =>
      rw [subsets_cons, countP_append, countP_map, ih (k + 1)]
      show countP (fun t => p a && all t p) _ + _ = _
      cases h : p a with
      | true =>
        rw [countP_cons_of_pos l h, choose_succ, ← ih k]
        rfl
      | false =>
        rw [countP_cons_of_neg l h]
        show countP (fun _ => false) _ + _ = _
        rw [countP_false, Nat.zero_add]
end Gnosis
