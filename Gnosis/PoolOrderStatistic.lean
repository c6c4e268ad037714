prelude
import Gnosis.ConformalCoverageProbability
/-! # What a calibration set that was drawn is worth: order statistics of a finite pool

`N` of the `M` members of a pool are drawn without replacement, and the threshold is the `k`-th smallest of them.  How many
members *outside the sample* lie above it?  `pool_order_statistic` counts the samples that leave more than `j` of them, for every
`k`; for `k = N` it is `pool_negative_hypergeometric`.  The next member that is drawn exceeds the threshold with probability `j /
(M - N)` at most for all other samples, and so intervals for what a calibration set is worth rest on this count. -/
open List
namespace Gnosis

/-- How many members of `rest` lie above the `k`-th smallest member of `S`; none if there is no such member. -/
def outsideAbove (k : Nat) (S rest : List Int) : Nat :=
  match kthSmallest k S with
  | none => 0
  | some t => rankGt rest t

/-- `f 0 + … + f (n - 1)`. -/
def sumUpTo (f : Nat → Nat) : Nat → Nat
  | 0 => 0
  | n + 1 => sumUpTo f n + f n

/-! ## Samples with a given number of members of one kind -/

/-- Of the samples of `i + m` members, `C(c, i)·C(c', m)` have exactly `i` of the `c` members with a property, and so `m` of the
`c'` others. -/
theorem countP_exactly {α : Type} (p : α → Bool) (l : List α) (i m : Nat) :
    countP (fun t => Nat.beq (countP p t) i) (subsets (i + m) l) = choose (countP p l) i * choose (countP (fun a => !p a) l) m := by
  induction l generalizing i m with
  | nil => cases i with
    | zero => cases m with
      | zero => rfl
      | succ m => rfl
    | succ i =>
      rw [Nat.succ_add]
      show 0 = 0 * _
      rw [Nat.zero_mul]
  | cons a l ih =>
    cases hs : i + m with
    | zero =>
      have hi : i = 0 := by cases i with
        | zero => rfl
        | succ i => rw [Nat.succ_add] at hs; exact nomatch hs
      have hm : m = 0 := by rw [hi, Nat.zero_add] at hs; exact hs
      rw [hi, hm, choose_zero, choose_zero]; rfl
    | succ s =>
      rw [subsets_cons, countP_append, countP_map]
      have rest : countP (fun t => Nat.beq (countP p t) i) (subsets (s + 1) l)
        = choose (countP p l) i * choose (countP (fun a => !p a) l) m := by rw [← hs]; exact ih i m
      rw [rest]
      cases h : p a with
      | true =>
        rw [countP_cons_of_pos l h, countP_cons_of_neg (p := fun a => !p a) l (by show (!p a) = false; rw [h]; rfl)]
        cases i with
        | zero =>
          rw [countP_congr (q := fun _ => false) (fun t _ => by
            show Nat.beq (countP p (a :: t)) 0 = false
            rw [countP_cons_of_pos t h]; rfl), countP_false, Nat.zero_add, choose_zero, choose_zero]
        | succ i =>
          have hs : i + m = s := Nat.add_right_cancel (by rw [← Nat.succ_add]; exact hs)
          rw [countP_congr (q := fun t => Nat.beq (countP p t) i) (fun t _ => by
            show Nat.beq (countP p (a :: t)) (i + 1) = _
            rw [countP_cons_of_pos t h]; rfl), ← hs, ih i m, choose_succ, Nat.right_distrib]
      | false =>
        rw [countP_cons_of_neg l h, countP_cons_of_pos (p := fun a => !p a) l (by show (!p a) = true; rw [h]; rfl),
          countP_congr (q := fun t => Nat.beq (countP p t) i) (fun t _ => by
            show Nat.beq (countP p (a :: t)) i = _
            rw [countP_cons_of_neg t h])]
        cases m with
        | zero =>
          have hs : i = s + 1 := hs
          have none : countP (fun t => Nat.beq (countP p t) i) (subsets s l) = 0 := by
            rw [countP_congr (q := fun _ => false) (fun t mt => ?_), countP_false]
            have len := ((mem_subsets_iff s l t).mp mt).1
            have le := countP_le_length p t
            rw [len] at le
            cases e : Nat.beq (countP p t) i with
            | false => rfl
            | true =>
              rw [Nat.beq_eq_true_iff.mp e, hs] at le
              exact absurd le (Nat.not_le_of_lt (Nat.le_refl _))
          rw [none, Nat.zero_add, choose_zero, choose_zero]
        | succ m =>
          have hs : i + m = s := Nat.add_right_cancel (show i + m + 1 = s + 1 from hs)
          rw [← hs, ih i m, choose_succ, Nat.left_distrib]

/-- `Σ_{i = k}^{k + d} C(R, i)·C(m, k + d - i)`: the samples of `k + d` members with at least `k` of `R` members of one kind and the
others of `m` members. -/
def atLeast (R m k : Nat) : Nat → Nat
  | 0 => choose R k * choose m 0
  | d + 1 => choose R k * choose m (d + 1) + atLeast R m (k + 1) d

/-- Samples with at least `k` members with a property. -/
theorem countP_atLeast {α : Type} (p : α → Bool) (l : List α) (k d : Nat) :
    countP (fun t => Nat.ble k (countP p t)) (subsets (k + d) l) = atLeast (countP p l) (countP (fun a => !p a) l) k d := by
  induction d generalizing k with
  | zero =>
    rw [countP_congr (q := fun t => Nat.beq (countP p t) k) (fun t mt => ?_)]
    · exact countP_exactly p l k 0
    · have len := ((mem_subsets_iff (k + 0) l t).mp mt).1
      have le : countP p t ≤ k := by
        have h := countP_le_length p t
        rw [len] at h; exact h
      cases e : Nat.beq (countP p t) k with
      | true => rw [Nat.beq_eq_true_iff.mp e]; exact Nat.ble_eq_true_of_le (Nat.le_refl k)
      | false =>
        cases e' : Nat.ble k (countP p t) with
        | false => rfl
        | true => rw [Nat.beq_eq_true_iff.mpr (Nat.le_antisymm le (Nat.le_of_ble_eq_true e'))] at e; exact nomatch e
  | succ d ih =>
    have split : ∀ L : List (List α), countP (fun t => Nat.ble k (countP p t)) L
        = countP (fun t => Nat.beq (countP p t) k) L + countP (fun t => Nat.ble (k + 1) (countP p t)) L := fun L => by
      induction L with
      | nil => rfl
      | cons t L ihL =>
        rw [countP_cons, countP_cons, countP_cons, ihL]
        have one : cond (Nat.ble k (countP p t)) 1 0 = cond (Nat.beq (countP p t) k) 1 0 + cond (Nat.ble (k + 1) (countP p t)) 1 0 := by
          generalize countP p t = x
          rcases Nat.lt_or_ge k x with g | g
          · have e₁ : Nat.beq x k = false := by
              cases e : Nat.beq x k with
              | false => rfl
              | true => rw [Nat.beq_eq_true_iff.mp e] at g; exact absurd g (Nat.lt_irrefl k)
            rw [Nat.ble_eq_true_of_le (Nat.le_trans (Nat.le_succ k) g), e₁, Nat.ble_eq_true_of_le g]; rfl
          · have e₂ : Nat.ble (k + 1) x = false := by
              cases e : Nat.ble (k + 1) x with
              | false => rfl
              | true => exact absurd g (Nat.not_le_of_lt (Nat.le_of_ble_eq_true e))
            rw [e₂]
            cases e : Nat.beq x k with
            | true => rw [Nat.beq_eq_true_iff.mp e, Nat.ble_eq_true_of_le (Nat.le_refl k)]; rfl
            | false =>
              cases e' : Nat.ble k x with
              | false => rfl
              | true => rw [Nat.beq_eq_true_iff.mpr (Nat.le_antisymm g (Nat.le_of_ble_eq_true e'))] at e; exact nomatch e
        rw [one]; nat_ring
    have next := ih (k + 1)
    rw [show k + 1 + d = k + (d + 1) from Nat.add_right_comm k 1 d] at next
    rw [split, countP_exactly p l k (d + 1), next]
    rfl

/-- One more member of the one kind, one less of the other. -/
theorem atLeast_step (R m k d : Nat) : atLeast (R + 1) m (k + 1) d = atLeast R (m + 1) (k + 1) d + choose R k * choose m d := by
  induction d generalizing k with
  | zero =>
    show choose (R + 1) (k + 1) * choose m 0 = choose R (k + 1) * choose (m + 1) 0 + choose R k * choose m 0
    rw [choose_succ, choose_zero, choose_zero]; nat_ring
  | succ d ih =>
    show choose (R + 1) (k + 1) * choose m (d + 1) + atLeast (R + 1) m (k + 1 + 1) d
      = choose R (k + 1) * choose (m + 1) (d + 1) + atLeast R (m + 1) (k + 1 + 1) d + choose R k * choose m (d + 1)
    rw [ih (k + 1), choose_succ, choose_succ m d]; nat_ring

/-- The same sum by the rank `r + 1` of the `k + 1`-st member: `Σ_{r < R} C(r, k)·C(R + m - r - 1, d)`. -/
theorem atLeast_eq_sumUpTo (R m k d : Nat) :
    atLeast R m (k + 1) d = sumUpTo (fun r => choose r k * choose (R + m - (r + 1)) d) R := by
  induction R generalizing m with
  | zero =>
    show atLeast 0 m (k + 1) d = 0
    induction d generalizing k with
    | zero => show 0 * _ = 0; rw [Nat.zero_mul]
    | succ d ih => show 0 * _ + atLeast 0 m (k + 1 + 1) d = 0; rw [Nat.zero_mul, ih (k + 1)]
  | succ R ih =>
    rw [atLeast_step, ih (m + 1)]
    show sumUpTo (fun r => choose r k * choose (R + (m + 1) - (r + 1)) d) R + choose R k * choose m d
      = sumUpTo (fun r => choose r k * choose (R + 1 + m - (r + 1)) d) R + choose R k * choose (R + 1 + m - (R + 1)) d
    rw [Nat.add_sub_cancel_left, show R + (m + 1) = R + 1 + m by nat_ring]

/-! ## The threshold of a sample -/

/-- The `k`-th smallest entry is determined by its ranks. -/
theorem kthSmallest_unique {k : Nat} {s : List Int} {t u : Int} (h : kthSmallest k s = some t) (lt : rankLt s u < k)
    (le : k ≤ countP (fun y => decide (y ≤ u)) s) : t = u := by
  obtain ⟨lt', le'⟩ := kthSmallest_spec h
  have cross : ∀ {a b : Int}, a < b → countP (fun y => decide (y ≤ a)) s ≤ rankLt s b := fun {a b} hab =>
    countP_le_countP fun y _ hy => decide_eq_true (Int.lt_of_le_of_lt (of_decide_eq_true hy) hab)
  rcases Int.lt_or_ge t u with g | g
  · exact absurd (Nat.le_trans le' (cross g)) (Nat.not_le_of_lt lt)
  · rcases Int.lt_or_ge u t with g' | g'
    · exact absurd (Nat.le_trans le (cross g')) (Nat.not_le_of_lt lt')
    · exact Int.le_antisymm g' g

/-- Ranks from below, from above and equal entries make up the list. -/
theorem rank_split (s : List Int) (t : Int) : countP (fun y => decide (y ≤ t)) s + rankGt s t = s.length := by
  rw [← countP_add_countP_not (fun y => decide (y ≤ t)) s]
  unfold rankGt
  refine congrArg _ (countP_congr fun y _ => ?_)
  by_cases h : y ≤ t
  · rw [decide_eq_true h, decide_eq_false (fun g => Int.not_le_of_lt g h)]; rfl
  · rw [decide_eq_false h, decide_eq_true (Int.lt_of_not_le h)]; rfl

/-- Of different entries exactly `n - k` lie above the `k`-th smallest; of any entries at most as many. -/
theorem rankGt_kthSmallest {k : Nat} {s : List Int} {t : Int} (h : kthSmallest k s = some t) (distinct : Nodup s) :
    rankGt s t + k = s.length := by
  obtain ⟨lt, le⟩ := kthSmallest_spec h
  have split : countP (fun y => decide (y ≤ t)) s ≤ rankLt s t + countP (fun y => decide (y = t)) s := by
    refine countP_le_add fun y _ hy => ?_
    rcases Int.lt_or_ge y t with g | g
    · exact .inl (decide_eq_true g)
    · exact .inr (decide_eq_true (Int.le_antisymm (of_decide_eq_true hy) g))
  have one := countP_le_one (p := fun y => decide (y = t)) distinct
    (fun a b ha hb => (of_decide_eq_true ha).trans (of_decide_eq_true hb).symm)
  have all := rank_split s t
  have e : countP (fun y => decide (y ≤ t)) s = k := by
    refine Nat.le_antisymm (Nat.le_trans split (Nat.le_trans (Nat.add_le_add_left one _) lt)) le
  rw [← all, e, Nat.add_comm]

/-- A sample of different members has different members. -/
theorem nodup_draw {α : Type} [DecidableEq α] {N : Nat} {l : List α} (d : Nodup l) {p : List α × List α} (m : p ∈ draws N l) : Nodup p.1 := by
  have sub := ((mem_subsets_iff N l p.1).mp (show p.1 ∈ subsets N l from mem_map_of_mem (fun p : List α × List α => p.1) m)).2
  clear m
  generalize p.1 = t at *
  induction sub with
  | nil => exact .nil
  | skip a _ ih => cases d with
    | cons _ d => exact ih d
  | keep a s ih => cases d with
    | cons n d => exact .cons (fun b mb => n b (mem_of_sublist s mb)) (ih d)

/-- **Order statistics of a finite pool**: draw `N` of the `M` members of a pool of different scores without replacement, `1 ≤ k ≤ N`.
Exactly `Σ_r C(r - 1, k - 1)·C(M - r, N - k)` of the `C(M, N)` samples, over the ranks `r` with `M - r - (N - k) > j`, leave more
than `j` members outside the sample above their `k`-th smallest member.  (Here `r` counts from 0, and the condition is
`r < M - (N - k + j + 1)`.) -/
theorem pool_order_statistic (pool : List Int) (k d j : Nat) (distinct : Nodup pool) :
    countP (fun p => decide (j < outsideAbove (k + 1) p.1 p.2)) (draws (k + 1 + d) pool)
      = sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) := by
  -- the samples with at least `k + 1` members below the rank in question
  have event : ∀ p, p ∈ draws (k + 1 + d) pool → decide (j < outsideAbove (k + 1) p.1 p.2)
      = Nat.ble (k + 1) (countP (fun x => decide (d + j + 1 ≤ rankGt pool x)) p.1) := fun p m => by
    obtain ⟨len, counts⟩ := mem_draws m
    obtain ⟨t, ht⟩ : ∃ t, kthSmallest (k + 1) p.1 = some t := by
      cases e : kthSmallest (k + 1) p.1 with
      | some t => exact ⟨t, rfl⟩
      | none =>
        rcases (kthSmallest_eq_none_iff _ _).mp e with h | h
        · exact nomatch h
        · rw [len] at h; exact absurd (Nat.le_add_right (k + 1) d) (Nat.not_le_of_lt h)
    have inside := rankGt_kthSmallest ht (nodup_draw distinct m)
    rw [len, Nat.add_comm (k + 1) d] at inside
    have inside : rankGt p.1 t = d := Nat.add_right_cancel inside
    have total : rankGt pool t = d + rankGt p.2 t := by
      rw [← inside]; exact counts (fun y => decide (t < y))
    have out : outsideAbove (k + 1) p.1 p.2 = rankGt p.2 t := by unfold outsideAbove; rw [ht]
    rw [out]
    obtain ⟨lt, le⟩ := kthSmallest_spec ht
    have down : ∀ {y u : Int}, y ≤ u → rankGt pool u ≤ rankGt pool y := fun {y u} h =>
      countP_le_countP fun x _ hx => decide_eq_true (Int.lt_of_le_of_lt h (of_decide_eq_true hx))
    rcases Nat.lt_or_ge j (rankGt p.2 t) with g | g
    · rw [decide_eq_true g]
      refine (Nat.ble_eq_true_of_le (Nat.le_trans le (countP_le_countP fun y _ hy => decide_eq_true ?_))).symm
      refine Nat.le_trans ?_ (down (of_decide_eq_true hy))
      rw [total]; exact Nat.add_le_add_left g d
    · rw [decide_eq_false (p := j < rankGt p.2 t) (fun h => Nat.not_le_of_lt h g)]
      cases e : Nat.ble (k + 1) (countP (fun x => decide (d + j + 1 ≤ rankGt pool x)) p.1) with
      | false => rfl
      | true =>
        refine absurd lt (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.le_trans (Nat.le_of_ble_eq_true e) (countP_le_countP fun y _ hy => ?_))))
        refine decide_eq_true (Int.lt_of_not_le fun h => ?_)
        have hy := Nat.le_trans (of_decide_eq_true hy) (down h)
        rw [total] at hy
        exact absurd (Nat.add_le_add_left g d) (Nat.not_le_of_lt hy)
  rw [countP_congr event]
  have subs : countP (fun p : List Int × List Int => Nat.ble (k + 1) (countP (fun x => decide (d + j + 1 ≤ rankGt pool x)) p.1))
      (draws (k + 1 + d) pool)
      = countP (fun t => Nat.ble (k + 1) (countP (fun x => decide (d + j + 1 ≤ rankGt pool x)) t)) (subsets (k + 1 + d) pool) := by
    show _ = countP _ (map _ (draws _ _))
    rw [countP_map]
  rw [subs, countP_atLeast, atLeast_eq_sumUpTo]
  have low : countP (fun x => decide (d + j + 1 ≤ rankGt pool x)) pool = pool.length - (d + j + 1) := by
    rw [countP_rankGt, conformal_count_sharp, length_map]
    exact nodup_map (fun a b e => by
      have e : -a = -b := e
      have k : - -a = - -b := congrArg (fun z => -z) e
      rw [Int.neg_neg, Int.neg_neg] at k; exact k) distinct
  have both := countP_add_countP_not (fun x => decide (d + j + 1 ≤ rankGt pool x)) pool
  rw [both, low]

/-! ## Ties -/

/-- Relabelling the members relabels the draws. -/
theorem draws_map {α β : Type} (f : α → β) (k : Nat) (l : List α) :
    draws k (map f l) = map (fun p => (map f p.1, map f p.2)) (draws k l) := by
  induction l generalizing k with
  | nil => cases k with
    | zero => rfl
    | succ k => rfl
  | cons a l ih => cases k with
    | zero => rfl
    | succ k =>
      show map _ (draws k (map f l)) ++ map _ (draws (k + 1) (map f l)) = map _ (map _ (draws k l) ++ map _ (draws (k + 1) l))
      rw [map_append, ih, ih, map_map, map_map, map_map, map_map]
      rfl

/-- The scores `x` as `x·m + i`, with the numbers `i` of their places from `i` on: different numbers in the same order. -/
def numbered (m : Int) (i : Int) : List Int → List Int
  | [] => []
  | x :: l => (x * m + i) :: numbered m (i + 1) l

/-- Division by `m` forgets the numbers. -/
theorem map_div_numbered {m i : Int} {l : List Int} (hi : 0 ≤ i) (hm : i + (l.length : Int) ≤ m) (pos : 0 < m) :
    map (fun y => y / m) (numbered m i l) = l := by
  induction l generalizing i with
  | nil => rfl
  | cons x l ih =>
    have hm : i + ((l.length : Int) + 1) ≤ m := hm
    have e : (x * m + i) / m = x := by
      obtain ⟨lo, up⟩ := Int.ediv_spec (x * m + i) pos
      have n := Int.ofNat_nonneg l.length
      generalize (x * m + i) / m = q at *
      rcases Int.lt_or_ge q x with g | g
      · have k := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt pos)
        exact (by lin [k, up, hi] : False).elim
      · rcases Int.lt_or_ge x q with g' | g'
        · have k := Int.mul_le_mul_of_nonneg_left g' (Int.le_of_lt pos)
          have n : 0 ≤ (l.length : Int) := n
          exact (by lin [k, lo, hm, n] : False).elim
        · exact Int.le_antisymm g' g
    show (x * m + i) / m :: map _ (numbered m (i + 1) l) = x :: l
    rw [e, ih (by lin [hi]) (by lin [hm])]

/-- No number occurs twice. -/
theorem nodup_numbered {m i : Int} {l : List Int} (hi : 0 ≤ i) (hm : i + (l.length : Int) ≤ m) : Nodup (numbered m i l) := by
  have above : ∀ {i : Int} {l : List Int}, i + (l.length : Int) ≤ m → ∀ y, y ∈ numbered m i l → ∃ x r, y = x * m + r ∧ i ≤ r ∧ r < m := by
    intro i l
    induction l generalizing i with
    | nil => exact fun _ _ h => nomatch h
    | cons x l ih =>
      intro hm y my
      have hm : i + ((l.length : Int) + 1) ≤ m := hm
      have n := Int.ofNat_nonneg l.length
      cases my with
      | head => exact ⟨x, i, rfl, Int.le_refl i, by lin [hm, n]⟩
      | tail _ my =>
        obtain ⟨z, r, e, h₁, h₂⟩ := ih (i := i + 1) (by lin [hm]) y my
        exact ⟨z, r, e, by lin [h₁], h₂⟩
  induction l generalizing i with
  | nil => exact .nil
  | cons x l ih =>
    have hm : i + ((l.length : Int) + 1) ≤ m := hm
    refine .cons (fun y my e => ?_) (ih (by lin [hi]) (by lin [hm]))
    obtain ⟨z, r, e', h₁, h₂⟩ := above (i := i + 1) (by lin [hm]) y my
    have e : x * m + i = z * m + r := e.trans e'
    rcases Int.lt_or_ge x z with g | g
    · have k := Int.mul_le_mul_of_nonneg_left g (show 0 ≤ m by lin [h₁, h₂, hi])
      lin [k, Int.le_of_eq e.symm, h₁, h₁, h₂, hi]
    · rcases Int.lt_or_ge z x with g' | g'
      · have k := Int.mul_le_mul_of_nonneg_left g' (show 0 ≤ m by lin [h₁, h₂, hi])
        lin [k, Int.le_of_eq e, h₂, hi]
      · rw [Int.le_antisymm g' g] at e
        lin [Int.le_of_eq e.symm, h₁]

/-- Division by a positive number keeps the order. -/
theorem div_mono {m a b : Int} (pos : 0 < m) (h : a ≤ b) : a / m ≤ b / m := by
  obtain ⟨lo, _⟩ := Int.ediv_spec a pos
  obtain ⟨_, up⟩ := Int.ediv_spec b pos
  generalize a / m = x, b / m = y at *
  rcases Int.lt_or_ge y x with g | g
  · have k := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt pos)
    exact (by lin [k, lo, up, h] : False).elim
  · exact g

/-- A map that keeps the order takes no member above the threshold that was not above it before. -/
theorem outsideAbove_map_le {f : Int → Int} (mono : ∀ {a b}, a ≤ b → f a ≤ f b) (k : Nat) (S rest : List Int) :
    outsideAbove k (map f S) (map f rest) ≤ outsideAbove k S rest := by
  unfold outsideAbove
  have back : ∀ {a b}, f a < f b → a < b := fun {a b} h => Int.lt_of_not_le fun g => Int.not_le_of_lt h (mono g)
  cases e : kthSmallest k (map f S) with
  | none => exact Nat.zero_le _
  | some t =>
    cases e' : kthSmallest k S with
    | none =>
      rcases (kthSmallest_eq_none_iff _ _).mp e' with h | h
      · rw [h] at e; exact nomatch e
      · rw [(kthSmallest_eq_none_iff k (map f S)).mpr (.inr (by rw [length_map]; exact h))] at e; exact nomatch e
    | some u =>
      obtain ⟨lt, le⟩ := kthSmallest_spec e'
      have same : t = f u := by
        refine kthSmallest_unique e (Nat.lt_of_le_of_lt ?_ lt) (Nat.le_trans le ?_)
        · unfold rankLt
          rw [countP_map]
          exact countP_le_countP fun y _ hy => decide_eq_true (back (of_decide_eq_true hy))
        · rw [countP_map]
          exact countP_le_countP fun y _ hy => decide_eq_true (mono (of_decide_eq_true hy))
      show rankGt (map f rest) t ≤ rankGt rest u
      unfold rankGt
      rw [same, countP_map]
      exact countP_le_countP fun y _ hy => decide_eq_true (back (of_decide_eq_true hy))

/-- **With ties** at most as many samples leave more than `j` members outside the sample strictly above their threshold. -/
theorem pool_order_statistic_ties (pool : List Int) (k d j : Nat) :
    countP (fun p => decide (j < outsideAbove (k + 1) p.1 p.2)) (draws (k + 1 + d) pool)
      ≤ sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) := by
  have pos : (0 : Int) < (pool.length : Int) + 1 := by lin [Int.ofNat_nonneg pool.length]
  have fits : (0 : Int) + (pool.length : Int) ≤ (pool.length : Int) + 1 := by lin [Int.le_refl (0 : Int)]
  have len : ∀ (i : Int) (l : List Int), (numbered ((pool.length : Int) + 1) i l).length = l.length := fun i l => by
    induction l generalizing i with
    | nil => rfl
    | cons x l ih => exact congrArg Nat.succ (ih (i + 1))
  have exact' := pool_order_statistic (numbered ((pool.length : Int) + 1) 0 pool) k d j (nodup_numbered (Int.le_refl 0) fits)
  rw [len] at exact'
  rw [← exact']
  have back := map_div_numbered (Int.le_refl 0) fits pos
  have split : draws (k + 1 + d) pool = map (fun p => (map (fun y => y / ((pool.length : Int) + 1)) p.1,
      map (fun y => y / ((pool.length : Int) + 1)) p.2)) (draws (k + 1 + d) (numbered ((pool.length : Int) + 1) 0 pool)) := by
    rw [← draws_map, back]
  conv => lhs; rw [split]
  rw [countP_map]
  refine countP_le_countP fun p _ h => decide_eq_true (Nat.lt_of_lt_of_le (of_decide_eq_true h) ?_)
  exact outsideAbove_map_le (fun h => div_mono pos h) (k + 1) p.1 p.2

/-! ## What the threshold of a sample is worth -/

/-- **Training-conditional coverage of an order statistic**: if the sum is at most `a / e` of the samples, then for at least the share
`1 - a / e` of the samples of `N` members at most `j` of the `M - N` members that are left exceed the `k`-th smallest: the next
draw exceeds the threshold with probability at most `j / (M - N)`.  Ties allowed. -/
theorem pool_order_training_conditional (pool : List Int) (k d j a e : Nat)
    (h : sumUpTo (fun r => choose r k * choose (pool.length - (r + 1)) d) (pool.length - (d + j + 1)) * e
      ≤ a * choose pool.length (k + 1 + d)) :
    (e - a) * (draws (k + 1 + d) pool).length
      ≤ countP (fun p => decide (outsideAbove (k + 1) p.1 p.2 ≤ j)) (draws (k + 1 + d) pool) * e := by
  have bad := Nat.le_trans (Nat.mul_le_mul_right e (pool_order_statistic_ties pool k d j)) h
  have all := countP_add_countP_not (fun p : List Int × List Int => decide (outsideAbove (k + 1) p.1 p.2 ≤ j)) (draws (k + 1 + d) pool)
  have flip : countP (fun p : List Int × List Int => !decide (outsideAbove (k + 1) p.1 p.2 ≤ j)) (draws (k + 1 + d) pool)
      = countP (fun p => decide (j < outsideAbove (k + 1) p.1 p.2)) (draws (k + 1 + d) pool) := countP_congr fun p _ => by
    rcases Nat.lt_or_ge j (outsideAbove (k + 1) p.1 p.2) with g | g
    · rw [decide_eq_true g, decide_eq_false (Nat.not_le_of_lt g)]; rfl
    · rw [decide_eq_true g, decide_eq_false (p := j < outsideAbove (k + 1) p.1 p.2) (fun h => Nat.not_le_of_lt h g)]; rfl
  rw [flip] at all
  rw [← length_draws (k + 1 + d) pool] at bad
  generalize countP (fun p : List Int × List Int => decide (outsideAbove (k + 1) p.1 p.2 ≤ j)) (draws (k + 1 + d) pool) = x,
    countP (fun p : List Int × List Int => decide (j < outsideAbove (k + 1) p.1 p.2)) (draws (k + 1 + d) pool) = y,
    (draws (k + 1 + d) pool).length = D at *
  rcases Nat.le_total a e with g | g
  · obtain ⟨c, rfl⟩ := Nat.exists_of_le g
    rw [Nat.add_sub_cancel_left, ← all]
    rw [← all] at bad
    nat_lin [bad]
  · obtain ⟨c, rfl⟩ := Nat.exists_of_le g
    rw [Nat.sub_add_eq_zero, Nat.zero_mul]
    exact Nat.zero_le _

/-- Not vacuous: 2 of 5 different scores, the smaller one as threshold.  Of the 10 samples 4 leave more than 2 of the other 3 above
it, those with the smallest score, and 3 more leave more than 1. -/
theorem pool_order_sample :
    countP (fun p => decide (2 < outsideAbove 1 p.1 p.2)) (draws 2 [3, 1, 4, 9, 5]) = 4 ∧
      sumUpTo (fun r => choose r 0 * choose (5 - (r + 1)) 1) (5 - (1 + 2 + 1)) = 4 ∧
      countP (fun p => decide (1 < outsideAbove 1 p.1 p.2)) (draws 2 [3, 1, 4, 9, 5]) = 7 ∧
      sumUpTo (fun r => choose r 0 * choose (5 - (r + 1)) 1) (5 - (1 + 1 + 1)) = 7 := ⟨rfl, rfl, rfl, rfl⟩
end Gnosis
