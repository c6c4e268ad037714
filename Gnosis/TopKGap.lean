prelude
import Gnosis.ConformalCoverageAdmissibility
import Gnosis.TopKSelectionAdmissibility
/-! # The top-k gate as a gap

The runtime does not look for a mask: it compares the `k`-th largest score with the next one.  `top_k_gap_iff` says that this is
the gate for the mask of any `k` largest scores.  With nothing selected (`k = 0`) or everything (`k = n`) there is no gap and
nothing to exchange, and the gate admits. -/
namespace Gnosis
open List

/-- How many entries a mask leaves out. -/
def unselectedCount (S : List Bool) : Nat := countP (fun s => !s) S

/-- What is selected and what is not adds up. -/
theorem selectedCount_add (S : List Bool) : selectedCount S + unselectedCount S = S.length :=
  countP_add_countP_not (fun s => s) S

/-- If every unselected entry has a property, it holds of as many entries at least; of one more, if it holds of a selected one. -/
theorem unselectedCount_le_countP {z : List Int} {S : List Bool} {p : Int → Bool} (hl : z.length = S.length)
    (h : ∀ i, i < z.length → selected S i = false → p (entry z i) = true) : unselectedCount S ≤ countP p z
      ∧ ∀ i, i < z.length → selected S i = true → p (entry z i) = true → unselectedCount S + 1 ≤ countP p z := by
  induction z generalizing S with
  | nil => cases S with
    | nil => exact ⟨Nat.le_refl 0, fun i hi => absurd hi (Nat.not_succ_le_zero i)⟩
    | cons _ _ => exact nomatch hl
  | cons x z ih => cases S with
    | nil => exact nomatch hl
    | cons s S =>
      obtain ⟨h₀, h⟩ := forall_index_cons.mp h
      obtain ⟨i₁, i₂⟩ := ih (Nat.add_right_cancel hl) h
      unfold unselectedCount at *
      rw [countP_cons, countP_cons]
      cases s with
      | false =>
        rw [show p x = true from h₀ rfl]
        refine ⟨Nat.add_le_add_right i₁ 1, fun i hi si pi => ?_⟩
        cases i with
        | zero => exact nomatch si
        | succ i => exact Nat.add_le_add_right (i₂ i (Nat.le_of_succ_le_succ hi) si pi) 1
      | true =>
        refine ⟨Nat.le_trans i₁ (Nat.le_add_right _ _), fun i hi si pi => ?_⟩
        cases i with
        | zero =>
          rw [show p x = true from pi]
          exact Nat.add_le_add_right i₁ 1
        | succ i => exact Nat.le_trans (i₂ i (Nat.le_of_succ_le_succ hi) si pi) (Nat.le_add_right _ _)

/-- If no selected entry has a property, it holds of at most as many entries as are left out; of one less, if it does not hold of
an unselected one. -/
theorem countP_le_unselectedCount {z : List Int} {S : List Bool} {p : Int → Bool} (hl : z.length = S.length)
    (h : ∀ i, i < z.length → selected S i = true → p (entry z i) = false) : countP p z ≤ unselectedCount S
      ∧ ∀ i, i < z.length → selected S i = false → p (entry z i) = false → countP p z + 1 ≤ unselectedCount S := by
  induction z generalizing S with
  | nil => cases S with
    | nil => exact ⟨Nat.le_refl 0, fun i hi => absurd hi (Nat.not_succ_le_zero i)⟩
    | cons _ _ => exact nomatch hl
  | cons x z ih => cases S with
    | nil => exact nomatch hl
    | cons s S =>
      obtain ⟨h₀, h⟩ := forall_index_cons.mp h
      obtain ⟨i₁, i₂⟩ := ih (Nat.add_right_cancel hl) h
      unfold unselectedCount at *
      rw [countP_cons, countP_cons]
      cases s with
      | true =>
        rw [show p x = false from h₀ rfl]
        refine ⟨i₁, fun i hi si pi => ?_⟩
        cases i with
        | zero => exact nomatch si
        | succ i => exact i₂ i (Nat.le_of_succ_le_succ hi) si pi
      | false =>
        have one : cond (p x) 1 0 ≤ 1 := by
          cases p x with
          | true => exact Nat.le_refl 1
          | false => exact Nat.zero_le 1
        refine ⟨Nat.add_le_add i₁ one, fun i hi si pi => ?_⟩
        cases i with
        | zero =>
          rw [show p x = false from pi]
          exact Nat.succ_le_succ i₁
        | succ i =>
          rw [Nat.add_right_comm]
          exact Nat.add_le_add (i₂ i (Nat.le_of_succ_le_succ hi) si pi) one

/-- There is a `k`-th smallest entry for every `k` from 1 to the length. -/
theorem exists_kthSmallest {k : Nat} {s : List Int} (hk : 0 < k) (hl : k ≤ s.length) : ∃ t, kthSmallest k s = some t := by
  cases e : kthSmallest k s with
  | some t => exact ⟨t, rfl⟩
  | none =>
    rcases (kthSmallest_eq_none_iff k s).mp e with h | h
    · rw [h] at hk; exact absurd hk (Nat.lt_irrefl 0)
    · exact absurd hl (Nat.not_le_of_lt h)

/-- What the gap form checks. -/
theorem topkGapAdmit_iff {z : List Int} {k : Nat} {ε : Int} : topkGapAdmit z k ε = true ↔ 0 ≤ ε ∧ k ≤ z.length ∧
    (k = 0 ∨ k = z.length ∨ ∃ hi lo, kthSmallest (z.length + 1 - k) z = some hi ∧ kthSmallest (z.length - k) z = some lo
      ∧ 2 * ε < hi - lo) := by
  unfold topkGapAdmit
  refine Bool.and_eq_true_iff.trans ⟨fun ⟨h, r⟩ => ?_, fun ⟨h, hk, r⟩ => ⟨decide_eq_true h, Bool.and_eq_true_iff.mpr
    ⟨Nat.ble_eq_true_of_le hk, Bool.or_eq_true_iff.mpr ?_⟩⟩⟩
  · obtain ⟨hk, r⟩ := Bool.and_eq_true_iff.mp r
    refine ⟨of_decide_eq_true h, Nat.le_of_ble_eq_true hk, ?_⟩
    rcases Bool.or_eq_true_iff.mp r with r | r
    · exact .inl (Nat.beq_eq_true_iff.mp r)
    · rcases Bool.or_eq_true_iff.mp r with r | r
      · exact .inr (.inl (Nat.beq_eq_true_iff.mp r))
      · cases e₁ : kthSmallest (z.length + 1 - k) z with
        | none => rw [e₁] at r; exact nomatch r
        | some hi => cases e₂ : kthSmallest (z.length - k) z with
          | none => rw [e₁, e₂] at r; exact nomatch r
          | some lo => rw [e₁, e₂] at r; exact .inr (.inr ⟨hi, lo, rfl, rfl, of_decide_eq_true r⟩)
  · rcases r with r | r | ⟨hi, lo, e₁, e₂, r⟩
    · exact .inl (Nat.beq_eq_true_iff.mpr r)
    · exact .inr (Bool.or_eq_true_iff.mpr (.inl (Nat.beq_eq_true_iff.mpr r)))
    · refine .inr (Bool.or_eq_true_iff.mpr (.inr ?_))
      rw [e₁, e₂]; exact decide_eq_true r

/-- **The gap is the gate**: for `0 ≤ ε` and any selection `S` of `k` largest scores, whatever its rule on ties, the gap form admits
exactly when the mask form admits `S`; for `k = 0` and for `k = n` both do. -/
theorem top_k_gap_iff {z : List Int} {S : List Bool} {k : Nat} {ε : Int} (sel : IsSelection z S) (count : selectedCount S = k) :
    topkGapAdmit z k ε = true ↔ topkAdmit z S ε = true := by
  obtain ⟨hl, sel⟩ := sel
  have sum := selectedCount_add S
  rw [count, ← hl] at sum
  -- a selected entry means `0 < k`, one that is left out `k < n`
  have some_in : ∀ i, i < z.length → selected S i = true → 0 < k := fun i hi si => by
    have h := (unselectedCount_le_countP (p := fun _ => true) hl (fun _ _ _ => rfl)).2 i hi si rfl
    rw [countP_true, ← sum] at h
    exact Nat.le_of_add_le_add_right (c := unselectedCount S) (by rw [Nat.add_comm 1]; exact h)
  have some_out : ∀ j, j < z.length → selected S j = false → k < z.length := fun j hj sj => by
    have h := (countP_le_unselectedCount (p := fun _ => false) hl (fun _ _ _ => rfl)).2 j hj sj rfl
    rw [countP_false] at h
    rw [← sum]; exact Nat.add_le_add_left h k
  have kn : k ≤ z.length := by rw [← sum]; exact Nat.le_add_right _ _
  refine topkGapAdmit_iff.trans (Iff.trans ?_ topkAdmit_iff.symm)
  have rank_hi : z.length + 1 - k = unselectedCount S + 1 := by
    rw [← sum, Nat.add_assoc, Nat.add_sub_cancel_left]
  have rank_lo : z.length - k = unselectedCount S := by rw [← sum, Nat.add_sub_cancel_left]
  rw [rank_hi, rank_lo]
  constructor
  · rintro ⟨hε, _, gap⟩
    refine ⟨hl, hε, fun i j hi hj si sj => ?_⟩
    rcases gap with e | e | ⟨hi', lo, e₁, e₂, gap⟩
    · exact absurd (some_in i hi si) (by rw [e]; exact Nat.lt_irrefl 0)
    · exact absurd (some_out j hj sj) (by rw [e]; exact Nat.lt_irrefl _)
    · -- the least selected score is the `k`-th largest, the largest one left out the next
      have up : hi' ≤ entry z i := by
        rcases Int.lt_or_ge (entry z i) hi' with g | g
        · have low := (unselectedCount_le_countP (p := fun y => decide (y < hi')) hl (fun j hj sj =>
            decide_eq_true (Int.lt_of_le_of_lt (sel i j hi hj si sj) g))).2 i hi si (decide_eq_true g)
          exact absurd (kthSmallest_spec e₁).1 (Nat.not_le_of_lt (Nat.succ_le_succ low))
        · exact g
      have down : entry z j ≤ lo := by
        rcases Int.lt_or_ge lo (entry z j) with g | g
        · have high := (countP_le_unselectedCount (p := fun y => decide (y ≤ lo)) hl (fun i hi si =>
            decide_eq_false (fun h => Int.not_le_of_lt (Int.lt_of_lt_of_le g (sel i j hi hj si sj)) h))).2 j hj sj
            (decide_eq_false (fun h => Int.not_le_of_lt g h))
          exact absurd (Nat.le_trans high (Nat.le_refl _)) (Nat.not_le_of_lt (Nat.succ_le_succ (kthSmallest_spec e₂).2))
        · exact g
      lin [up, down, gap]
  · rintro ⟨_, hε, gap⟩
    refine ⟨hε, kn, ?_⟩
    rcases Nat.lt_or_ge 0 k with k₀ | k₀
    · rcases Nat.lt_or_ge k z.length with k₁ | k₁
      · have u₀ : 0 < unselectedCount S := by
          refine Nat.le_of_add_le_add_left (a := k) ?_
          rw [sum]; exact k₁
        have un : unselectedCount S + 1 ≤ z.length := by rw [← sum, Nat.add_comm]; exact Nat.add_le_add_right k₀ _
        obtain ⟨hi', e₁⟩ := exists_kthSmallest (s := z) (Nat.succ_le_succ (Nat.zero_le _)) un
        obtain ⟨lo, e₂⟩ := exists_kthSmallest (s := z) u₀ (Nat.le_trans (Nat.le_succ _) un)
        refine .inr (.inr ⟨hi', lo, e₁, e₂, ?_⟩)
        -- some selected score is at most the `k`-th largest, some score left out at least the next one
        have one : ∃ i, i < z.length ∧ selected S i = true ∧ entry z i ≤ hi' := by
          rcases exists_or_all (z := z) (S := S) (p := fun y => decide (y ≤ hi')) true hl with ⟨i, hi, si, h⟩ | all
          · exact ⟨i, hi, si, of_decide_eq_true h⟩
          · exact absurd (countP_le_unselectedCount (p := fun y => decide (y ≤ hi')) hl all).1 (Nat.not_le_of_lt (kthSmallest_spec e₁).2)
        have other : ∃ j, j < z.length ∧ selected S j = false ∧ lo ≤ entry z j := by
          rcases exists_or_all (z := z) (S := S) (p := fun y => decide (lo ≤ y)) false hl with ⟨j, hj, sj, h⟩ | all
          · exact ⟨j, hj, sj, of_decide_eq_true h⟩
          · have low := (unselectedCount_le_countP (p := fun y => decide (y < lo)) hl (fun j hj sj =>
              decide_eq_true (Int.lt_of_not_le fun h => nomatch (decide_eq_true h).symm.trans (all j hj sj)))).1
            exact absurd (kthSmallest_spec e₂).1 (Nat.not_le_of_lt (Nat.succ_le_succ low))
        obtain ⟨i, hi, si, h⟩ := one
        obtain ⟨j, hj, sj, h'⟩ := other
        lin [gap i j hi hj si sj, h, h']
      · exact .inr (.inl (Nat.le_antisymm kn k₁))
    · exact .inl (Nat.le_antisymm k₀ (Nat.zero_le k))
where
  exists_or_all {z : List Int} {S : List Bool} {p : Int → Bool} (b : Bool) (hl : z.length = S.length) :
      (∃ i, i < z.length ∧ selected S i = b ∧ p (entry z i) = true)
      ∨ ∀ i, i < z.length → selected S i = b → p (entry z i) = false := by
    induction z generalizing S with
    | nil => exact .inr fun i hi => absurd hi (Nat.not_succ_le_zero i)
    | cons x z ih => cases S with
      | nil => exact nomatch hl
      | cons s S =>
        rcases ih (Nat.add_right_cancel hl) with ⟨i, hi, si, h⟩ | all
        · exact .inl ⟨i + 1, Nat.succ_le_succ hi, si, h⟩
        · cases e : p x with
          | false => exact .inr (forall_index_cons.mpr ⟨fun _ => e, all⟩)
          | true =>
            by_cases c : s = b
            · exact .inl ⟨0, Nat.succ_le_succ (Nat.zero_le _), c, e⟩
            · exact .inr (forall_index_cons.mpr ⟨fun k => absurd k c, all⟩)

/-- Not vacuous: the scores 7, 1, 7, 3 and `k = 2`, where gap and mask agree at the bounds 1 and 2; nothing and everything pass at
any bound. -/
theorem top_k_gap_instance : IsSelection [7, 1, 7, 3] [true, false, true, false] ∧ topkGapAdmit [7, 1, 7, 3] 2 1 = true ∧
    topkAdmit [7, 1, 7, 3] [true, false, true, false] 1 = true ∧ topkGapAdmit [7, 1, 7, 3] 2 2 = false ∧
    topkAdmit [7, 1, 7, 3] [true, false, true, false] 2 = false ∧ topkGapAdmit [7, 1, 7, 3] 0 5 = true ∧
    topkGapAdmit [7, 1, 7, 3] 4 5 = true := by
  refine ⟨⟨rfl, ?_⟩, rfl, rfl, rfl, rfl, rfl, rfl⟩
  intro i j hi hj
  revert j
  revert i
  decide
end Gnosis
