prelude
import Gnosis.Decision.Conformal
import Gnosis.Foundation.Lists
/-! # Conformal coverage: the counting core

No probability yet.  Among `n + 1` scores at most `n + 1 - k` have at least `k` scores strictly below them
(`conformal_count`); the integer rank is the right one (`conformal_rank_spec`); the threshold that the gate reads
off the sorted scores means the same as the rank (`lies_iff_threshold_lt`); and a served residual that leaves the
margin after admission is a lie of the threshold (`conformal_admit_sound`).  Shares over all orders are in
`Gnosis.ConformalCoverageProbability`. -/
open List
namespace Gnosis

/-! ## Counting -/

/-- **Conformal counting**, ties allowed: of the scores `s` at most `s.length - k` have at least `k` scores of `s`
strictly below them.  (With `n + 1` scores: at most `n + 1 - k`; none when `k > n`.) -/
theorem conformal_count (s : List Int) (k : Nat) :
    countP (fun x => decide (k ≤ rankLt s x)) s ≤ s.length - k := by
  -- take the smallest counted score: the scores below it are not counted, and there are at least `k` of them
  rcases countP_eq_zero_or_exists_best (r := fun a b : Int => a ≤ b) Int.le_total Int.le_trans
    (fun x => decide (k ≤ rankLt s x)) s with h | ⟨x, _, hx, least⟩
  · rw [h]; exact Nat.zero_le _
  · apply Nat.le_sub_of_add_le
    refine Nat.le_trans (Nat.add_le_add .refl (of_decide_eq_true hx)) (countP_add_le_length ?_)
    intro y hy py
    exact decide_eq_false (fun g => Int.not_le_of_lt g (least y hy py))

/-- **Sharp**: when all scores differ, exactly `s.length - k` of them have at least `k` scores below them. -/
theorem conformal_count_sharp (s : List Int) (k : Nat) (distinct : Nodup s) :
    countP (fun x => decide (k ≤ rankLt s x)) s = s.length - k := by
  refine Nat.le_antisymm (conformal_count s k) ?_
  -- at most `k` scores are not counted: the largest of them and those below it
  have few : countP (fun x => !decide (k ≤ rankLt s x)) s ≤ k := by
    rcases countP_eq_zero_or_exists_best (r := fun a b : Int => b ≤ a) (fun a b => Int.le_total b a)
      (fun h g => Int.le_trans g h) (fun x => !decide (k ≤ rankLt s x)) s with h | ⟨x, _, hx, most⟩
    · rw [h]; exact Nat.zero_le k
    · have low : rankLt s x < k := Nat.lt_of_not_le (fun g => by rw [decide_eq_true g] at hx; contradiction)
      refine Nat.le_trans (countP_le_add (q := fun y => decide (y < x)) (r := fun y => decide (y = x)) ?_)
        (Nat.le_trans (Nat.add_le_add .refl (countP_le_one distinct ?_)) low)
      · intro y hy py
        by_cases e : y = x
        · exact .inr (decide_eq_true e)
        · exact .inl (decide_eq_true (Int.lt_of_le_of_ne (most y hy py) e))
      · intro a b ha hb
        exact (of_decide_eq_true ha).trans (of_decide_eq_true hb).symm
  have all := countP_add_countP_not (fun x => decide (k ≤ rankLt s x)) s
  refine Nat.le_trans (Nat.sub_le_sub_left few s.length) (Nat.le_of_eq ?_)
  rw [← all, Nat.add_sub_cancel]

/-! ## The integer rank -/

/-- For a level `num / den` with `den > 0`, a rank `k` satisfies `k / (n + 1) ≥ num / den` exactly when it is at
least `conformalRank n num den`. -/
theorem conformalRank_le_iff (n num den k : Nat) (hden : 0 < den) :
    conformalRank n num den ≤ k ↔ (n + 1) * num ≤ k * den := by
  unfold conformalRank
  obtain ⟨d, rfl⟩ := Nat.exists_of_le hden
  rw [Nat.add_sub_cancel_left]
  generalize (n + 1) * num = a
  have e := Nat.div_add_mod (a + d) (1 + d)
  have r := Nat.mod_lt (a + d) hden
  generalize (a + d) / (1 + d) = q, (a + d) % (1 + d) = m at *
  constructor
  · intro h
    have h := Nat.mul_le_mul_left (1 + d) h
    nat_lin [h, Nat.le_of_eq e.symm, r]
  · intro h
    rcases Nat.lt_or_ge k q with g | g
    · have g := Nat.mul_le_mul_left (1 + d) g
      exfalso
      nat_lin [g, h, Nat.le_of_eq e, Nat.zero_le m]
    · exact g

/-! ## The threshold -/

/-- Ascending order. -/
def Ascending (l : List Int) : Prop := Pairwise (fun a b => a ≤ b) l

/-- Inserting keeps the count of every property. -/
theorem countP_insertUp (q : Int → Bool) (x : Int) (l : List Int) : countP q (insertUp x l) = countP q (x :: l) := by
  induction l with
  | nil => rfl
  | cons y l ih =>
    unfold insertUp
    by_cases h : x ≤ y
    · rw [if_pos h]
    · rw [if_neg h, countP_cons, ih, countP_cons, countP_cons, countP_cons, Nat.add_right_comm]

/-- Sorting keeps the count of every property, so `sortUp s` is an order of `s`. -/
theorem countP_sortUp (q : Int → Bool) (s : List Int) : countP q (sortUp s) = countP q s := by
  induction s with
  | nil => rfl
  | cons x l ih =>
    show countP q (insertUp x (sortUp l)) = _
    rw [countP_insertUp, countP_cons, countP_cons, ih]

/-- Sorting keeps the number of entries. -/
theorem length_sortUp (s : List Int) : (sortUp s).length = s.length := by
  rw [← countP_true, ← countP_true s]; exact countP_sortUp _ s

/-- What is in the list after inserting. -/
theorem mem_insertUp {x y : Int} {l : List Int} (h : y ∈ insertUp x l) : y = x ∨ y ∈ l := by
  induction l with
  | nil => cases h with
    | head => exact .inl rfl
    | tail _ h => exact .inr h
  | cons z l ih =>
    unfold insertUp at h
    by_cases g : x ≤ z
    · rw [if_pos g] at h
      cases h with
      | head => exact .inl rfl
      | tail _ h => exact .inr h
    · rw [if_neg g] at h
      cases h with
      | head => exact .inr (.head l)
      | tail _ h => exact (ih h).elim .inl (fun m => .inr (.tail z m))

/-- Inserting into an ascending list leaves it ascending. -/
theorem ascending_insertUp (x : Int) {l : List Int} (h : Ascending l) : Ascending (insertUp x l) := by
  induction h with
  | nil => exact .cons (fun _ m => nomatch m) .nil
  | @cons y l n h ih =>
    unfold insertUp
    by_cases g : x ≤ y
    · rw [if_pos g]
      refine .cons (fun b m => ?_) (.cons n h)
      cases m with
      | head => exact g
      | tail _ m => exact Int.le_trans g (n b m)
    · rw [if_neg g]
      refine .cons (fun b m => ?_) ih
      rcases mem_insertUp m with rfl | m
      · exact (Int.le_total y b).elim id (fun k => absurd k g)
      · exact n b m

/-- `sortUp` sorts. -/
theorem ascending_sortUp (s : List Int) : Ascending (sortUp s) := by
  induction s with
  | nil => exact .nil
  | cons x l ih => exact ascending_insertUp x ih

/-- The entry at a position is an entry. -/
theorem mem_of_entryAt {l : List Int} {i : Nat} {t : Int} (h : entryAt l i = some t) : t ∈ l := by
  induction l generalizing i with
  | nil => exact nomatch h
  | cons x l ih => cases i with
    | zero => injection h with h; rw [h]; exact .head l
    | succ i => exact .tail x (ih h)

/-- There is no entry past the end, and only there. -/
theorem entryAt_eq_none_iff (l : List Int) (i : Nat) : entryAt l i = none ↔ l.length ≤ i := by
  induction l generalizing i with
  | nil => exact ⟨fun _ => Nat.zero_le i, fun _ => rfl⟩
  | cons x l ih => cases i with
    | zero => exact ⟨fun h => (nomatch h), fun h => (nomatch h)⟩
    | succ i => exact ⟨fun h => Nat.succ_le_succ ((ih i).mp h), fun h => (ih i).mpr (Nat.le_of_succ_le_succ h)⟩

/-- In an ascending list at most `i` entries are below the entry at position `i`, at least `i + 1` not above it. -/
theorem countP_entryAt {l : List Int} (h : Ascending l) {i : Nat} {t : Int} (e : entryAt l i = some t) :
    rankLt l t ≤ i ∧ i + 1 ≤ countP (fun y => decide (y ≤ t)) l := by
  induction h generalizing i with
  | nil => exact nomatch e
  | @cons x l n _ ih => cases i with
    | zero =>
      injection e with e
      subst e
      unfold rankLt
      constructor
      · rw [countP_cons_of_neg (p := fun y => decide (y < x)) _ (decide_eq_false (Int.lt_irrefl x)),
          countP_congr (q := fun _ => false) (fun y m => decide_eq_false (fun g => Int.not_le_of_lt g (n y m))),
          countP_false]
        exact .refl
      · rw [countP_cons_of_pos (p := fun y => decide (y ≤ x)) _ (decide_eq_true (Int.le_refl x))]
        exact Nat.le_add_left 1 _
    | succ i =>
      obtain ⟨h₁, h₂⟩ := ih e
      constructor
      · show rankLt (x :: l) t ≤ _
        unfold rankLt at h₁ ⊢
        rw [countP_cons]
        cases decide (x < t) with
        | true => exact Nat.succ_le_succ h₁
        | false => exact .step h₁
      · rw [countP_cons_of_pos (p := fun y => decide (y ≤ t)) _ (decide_eq_true (n t (mem_of_entryAt e)))]
        exact Nat.succ_le_succ h₂

/-- What the `k`-th smallest entry is: fewer than `k` entries are below it and at least `k` are not above it. -/
theorem kthSmallest_spec {k : Nat} {s : List Int} {t : Int} (h : kthSmallest k s = some t) :
    rankLt s t < k ∧ k ≤ countP (fun y => decide (y ≤ t)) s := by
  cases k with
  | zero => exact nomatch h
  | succ k =>
    obtain ⟨h₁, h₂⟩ := countP_entryAt (ascending_sortUp s) h
    unfold rankLt at h₁ ⊢
    rw [countP_sortUp] at h₁ h₂
    exact ⟨Nat.succ_le_succ h₁, h₂⟩

/-- The `k`-th smallest entry is an entry. -/
theorem kthSmallest_mem {k : Nat} {s : List Int} {t : Int} (h : kthSmallest k s = some t) : t ∈ s := by
  cases k with
  | zero => exact nomatch h
  | succ k =>
    have m := mem_of_entryAt h
    obtain ⟨y, my, e⟩ := exists_mem_of_countP_ne_zero (p := fun y => decide (y = t)) (l := s) (fun z => by
      rw [← countP_sortUp] at z
      exact countP_eq_zero_or_exists_best.countP_ne_zero (p := fun y => decide (y = t)) m (decide_eq_true rfl) z)
    rw [← of_decide_eq_true e]; exact my

/-- There is a `k`-th smallest entry exactly for `1 ≤ k ≤ s.length`. -/
theorem kthSmallest_eq_none_iff (k : Nat) (s : List Int) : kthSmallest k s = none ↔ k = 0 ∨ s.length < k := by
  cases k with
  | zero => exact ⟨fun _ => .inl rfl, fun _ => rfl⟩
  | succ k =>
    refine (entryAt_eq_none_iff _ k).trans ?_
    rw [length_sortUp]
    exact ⟨fun h => .inr (Nat.succ_le_succ h), fun h => h.elim (fun e => nomatch e) Nat.le_of_succ_le_succ⟩

/-- **The threshold and the rank say the same**: the threshold of rank `k` lies about `x` exactly when `x` exceeds the
`k`-th smallest score. -/
theorem lies_iff_threshold_lt {k : Nat} {s : List Int} {t : Int} (h : kthSmallest k s = some t) (x : Int) :
    lies k x s = true ↔ t < x := by
  obtain ⟨h₁, h₂⟩ := kthSmallest_spec h
  constructor
  · intro g
    apply Int.lt_of_not_le
    intro c
    have up : rankLt s x ≤ rankLt s t := countP_le_countP (fun y _ hy =>
      decide_eq_true (Int.lt_of_lt_of_le (of_decide_eq_true hy) c))
    exact Nat.not_le_of_lt h₁ (Nat.le_trans (of_decide_eq_true g) up)
  · intro g
    refine decide_eq_true (Nat.le_trans h₂ (countP_le_countP (fun y _ hy => ?_)))
    exact decide_eq_true (Int.lt_of_le_of_lt (of_decide_eq_true hy) g)

/-- A rank above the number of scores has the threshold `+∞`: it never lies. -/
theorem not_lies_of_length_lt {k : Nat} {s : List Int} (h : s.length < k) (x : Int) : lies k x s = false :=
  decide_eq_false (fun g => Nat.not_le_of_lt h (Nat.le_trans g (countP_le_length _ s)))

/-- **The integer rank**: for a level `num / den` with `den > 0` and `n` scores, `conformalRank n num den` is the
least `k` with `k / (n + 1) ≥ num / den`; and if it exceeds `n`, there is no finite threshold and the gate admits
nothing, whatever the margin. -/
theorem conformal_rank_spec (scores : List Int) (num den : Nat) (hden : 0 < den) :
    (scores.length + 1) * num ≤ conformalRank scores.length num den * den
    ∧ (∀ k, (scores.length + 1) * num ≤ k * den → conformalRank scores.length num den ≤ k)
    ∧ (scores.length < conformalRank scores.length num den →
        conformalThreshold scores num den = none ∧ ∀ γ, conformalAdmit scores num den γ = false) := by
  refine ⟨(conformalRank_le_iff _ _ _ _ hden).mp .refl, fun k => (conformalRank_le_iff _ _ _ k hden).mpr, fun h => ?_⟩
  have none : conformalThreshold scores num den = none := (kthSmallest_eq_none_iff _ _).mpr (.inr h)
  refine ⟨none, fun γ => ?_⟩
  unfold conformalAdmit
  rw [none]

/-! ## The gate -/

/-- What admission says: a finite threshold, a margin that is not negative and at least twice the threshold. -/
theorem conformalAdmit_iff (scores : List Int) (num den : Nat) (γ : Int) :
    conformalAdmit scores num den γ = true
      ↔ ∃ t, conformalThreshold scores num den = some t ∧ 0 ≤ γ ∧ 2 * t ≤ γ := by
  unfold conformalAdmit
  cases conformalThreshold scores num den with
  | none => exact ⟨fun h => (nomatch h), fun ⟨_, h, _⟩ => (nomatch h)⟩
  | some t =>
    constructor
    · intro h
      obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp (show (decide (0 ≤ γ) && decide (2 * t ≤ γ)) = true from h)
      exact ⟨t, rfl, of_decide_eq_true h₁, of_decide_eq_true h₂⟩
    · rintro ⟨t', e, h₁, h₂⟩
      injection e with e
      subst e
      show (decide (0 ≤ γ) && decide (2 * t ≤ γ)) = true
      rw [decide_eq_true h₁, decide_eq_true h₂]; rfl

/-- **Sound**: if the gate admits and yet the new residual `x` does not fit into the margin (`2·x > γ`), then the
threshold lied about `x`.  So the admitted failures are among the lies that `conformal_lie_rate_certified` counts. -/
theorem conformal_admit_sound {scores : List Int} {num den : Nat} {γ x : Int}
    (admitted : conformalAdmit scores num den γ = true) (outside : γ < 2 * x) :
    lies (conformalRank scores.length num den) x scores = true := by
  obtain ⟨t, h, _, le⟩ := (conformalAdmit_iff _ _ _ _).mp admitted
  refine (lies_iff_threshold_lt h x).mpr (Int.lt_of_not_le (fun g => ?_))
  lin [outside, le, g, g]

/-- **Not vacuous**: five scores, none of them zero, level 2/3; the fourth smallest is 4 and fits the margin 8. -/
theorem conformal_admit_instance :
    conformalRank 5 2 3 = 4 ∧ conformalThreshold [3, 1, 4, 1, 5] 2 3 = some 4
    ∧ conformalAdmit [3, 1, 4, 1, 5] 2 3 8 = true := ⟨rfl, rfl, rfl⟩

/-- **Sharp**: when the gate refuses a margin `γ ≥ 0` although the threshold is finite, the residual equal to the
threshold, one of the scores, is not a lie and does not fit into the margin; no gate that counts lies the same way
could admit it. -/
theorem conformal_admit_sharp {scores : List Int} {num den : Nat} {γ t : Int}
    (finite : conformalThreshold scores num den = some t) (hγ : 0 ≤ γ)
    (refused : conformalAdmit scores num den γ = false) :
    t ∈ scores ∧ γ < 2 * t ∧ lies (conformalRank scores.length num den) t scores = false := by
  refine ⟨kthSmallest_mem finite, Int.lt_of_not_le (fun g => ?_), ?_⟩
  · rw [(conformalAdmit_iff _ _ _ _).mpr ⟨t, finite, hγ, g⟩] at refused; contradiction
  · cases h : lies (conformalRank scores.length num den) t scores with
    | false => rfl
    | true => exact absurd ((lies_iff_threshold_lt finite t).mp h) (Int.lt_irrefl t)

/-- The refusals are real: with level 99/100 five scores have no finite threshold, and a margin one short of twice the
threshold is refused. -/
theorem conformal_admit_refusals :
    conformalAdmit [3, 1, 4, 1, 5] 99 100 1000 = false ∧ conformalAdmit [3, 1, 4, 1, 5] 2 3 7 = false := ⟨rfl, rfl⟩
end Gnosis
