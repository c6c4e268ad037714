prelude
import Gnosis.QualityMarginCacheAdmissibility
import Gnosis.Foundation.Selection
/-! # Selection gates: when a top-k or a two-stage selection survives a perturbation

The companion of `Gnosis.QualityMarginCacheAdmissibility` for routers that keep several entries: the `k` largest
scores, or the largest scores inside the best groups.  Scores and bounds are integers in one common unit; a
selection is a mask.  Both gates are exact: they admit precisely when every perturbation within the bound
leaves the selection intact. -/
namespace Gnosis
open List

/-! ## Top-k selection -/

/-- `S` is the strict top set of `z`: every selected entry is larger than every other one.  With `k` selected
entries, these are the `k` largest, without a tie at the border. -/
def IsTopSet (z : List Int) (S : List Bool) : Prop :=
  z.length = S.length ∧ ∀ i j, i < z.length → j < z.length → selected S i = true → selected S j = false →
    entry z j < entry z i

/-- `S` is a possible result of a top-k selection from `z`, whatever the rule on ties: no selected entry is
smaller than another one. -/
def IsSelection (z : List Int) (S : List Bool) : Prop :=
  z.length = S.length ∧ ∀ i j, i < z.length → j < z.length → selected S i = true → selected S j = false →
    entry z j ≤ entry z i

/-- When there is a strict top set with `k` entries, every top-k selection returns it. -/
theorem IsTopSet.eq_of_isSelection {z : List Int} {S T : List Bool} (hS : IsTopSet z S) (hT : IsSelection z T)
    (count : selectedCount T = selectedCount S) : T = S := by
  rcases eq_or_exchange (hT.1.symm.trans hS.1) count with e | ⟨i, j, hi, hj, ti, si, sj, tj⟩
  · exact e
  · rw [← hT.1] at hi hj
    exact (Int.not_le_of_lt (hS.2 j i hj hi sj si) (hT.2 i j hi hj ti tj)).elim

/-- What the inner scan checks. -/
theorem restAtMost_iff {c : Int} {z : List Int} {S : List Bool} (hl : z.length = S.length) :
    restAtMost c z S = true ↔ ∀ j, j < z.length → selected S j = false → entry z j ≤ c := by
  induction z generalizing S with
  | nil => exact ⟨fun _ j h => absurd h (Nat.not_succ_le_zero j), fun _ => rfl⟩
  | cons x xs ih => cases S with
    | nil => exact nomatch hl
    | cons s ss =>
      refine Bool.and_eq_true_iff.trans (Iff.trans ?_ forall_index_cons.symm)
      have ih := ih (Nat.add_right_cancel hl)
      refine ⟨fun ⟨h, k⟩ => ⟨fun n => ?_, ih.mp k⟩, fun ⟨h, k⟩ => ⟨?_, ih.mpr k⟩⟩
      · rcases Bool.or_eq_true_iff.mp h with h | h
        · have n : s = false := n
          rw [n] at h; exact nomatch h
        · exact of_decide_eq_true h
      · cases s with
        | true => rfl
        | false => exact decide_eq_true (h rfl)
/-- What the outer scan checks. -/
theorem separates_iff {z : List Int} {S : List Bool} {m : Int} {xs : List Int} {ss : List Bool}
    (hl : xs.length = ss.length) : separates z S m xs ss = true ↔
      ∀ i, i < xs.length → selected ss i = true → restAtMost (entry xs i - m) z S = true := by
  induction xs generalizing ss with
  | nil => exact ⟨fun _ j h => absurd h (Nat.not_succ_le_zero j), fun _ => by cases ss with
    | nil => rfl
    | cons _ _ => exact nomatch hl⟩
  | cons x xs ih => cases ss with
    | nil => exact nomatch hl
    | cons s ss =>
      refine Bool.and_eq_true_iff.trans (Iff.trans ?_ forall_index_cons.symm)
      have ih := ih (Nat.add_right_cancel hl)
      refine ⟨fun ⟨h, k⟩ => ⟨fun n => ?_, ih.mp k⟩, fun ⟨h, k⟩ => ⟨?_, ih.mpr k⟩⟩
      · rcases Bool.or_eq_true_iff.mp h with h | h
        · have n : s = true := n
          rw [n] at h; exact nomatch h
        · exact h
      · cases s with
        | true => exact h rfl
        | false => rfl

/-- What the top-k gate decides: every selected score leads every other one by more than `2ε`. -/
theorem topkAdmit_iff {z : List Int} {S : List Bool} {ε : Int} : topkAdmit z S ε = true ↔
    z.length = S.length ∧ 0 ≤ ε ∧ ∀ i j, i < z.length → j < z.length → selected S i = true →
      selected S j = false → 2 * ε < entry z i - entry z j := by
  constructor
  · intro h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    have hl := Nat.beq_eq_true_iff.mp h₁
    exact ⟨hl, of_decide_eq_true h₂, fun i j hi hj si sj => by
      lin [(restAtMost_iff hl).mp ((separates_iff hl).mp h₃ i hi si) j hj sj]⟩
  · intro ⟨hl, h₂, h₃⟩
    refine Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨Nat.beq_eq_true_iff.mpr hl, decide_eq_true h₂⟩,
      (separates_iff hl).mpr fun i hi si => (restAtMost_iff hl).mpr fun j hj sj => ?_⟩
    lin [h₃ i j hi hj si sj]

/-- **The top set stays the same.**  If the gate admits the selection `S`, then `S` is the strict top set of all
true scores within `ε` of the known ones. -/
theorem topk_preserved {z z' : List Int} {S : List Bool} {ε : Int} (admitted : topkAdmit z S ε = true)
    (near : Within (fun _ => ε) z z') : IsTopSet z' S := by
  obtain ⟨hl, _, gap⟩ := topkAdmit_iff.mp admitted
  refine ⟨near.length_eq.trans hl, fun i j hi hj si sj => ?_⟩
  rw [near.length_eq] at hi hj
  lin [gap i j hi hj si sj, near.gap hi hj]

/-- The same, said of what a selection returns: every top-k selection from the true scores, whatever its rule on
ties, returns `S`. -/
theorem topk_selection_preserved {z z' : List Int} {S T : List Bool} {ε : Int} (admitted : topkAdmit z S ε = true)
    (near : Within (fun _ => ε) z z') (hT : IsSelection z' T) (count : selectedCount T = selectedCount S) : T = S :=
  (topk_preserved admitted near).eq_of_isSelection hT count

/-- The perturbation by `ε` that hurts the selection `S` most: selected scores fall, the others rise. -/
def favourRest (ε : Int) : List Int → List Bool → List Int
  | x :: xs, s :: ss => (if s = true then x - ε else x + ε) :: favourRest ε xs ss
  | _, _ => []

/-- The perturbed list is as long as the scores. -/
theorem length_favourRest {ε : Int} {z : List Int} {S : List Bool} (hl : z.length = S.length) :
    (favourRest ε z S).length = z.length := by
  induction z generalizing S with
  | nil => rfl
  | cons x xs ih => cases S with
    | nil => exact nomatch hl
    | cons s ss => exact congrArg Nat.succ (ih (Nat.add_right_cancel hl))
/-- Selected scores fall by `ε`, the others rise by it. -/
theorem entry_favourRest {ε : Int} {z : List Int} {S : List Bool} (hl : z.length = S.length) {i : Nat}
    (hi : i < z.length) :
    entry (favourRest ε z S) i = if selected S i = true then entry z i - ε else entry z i + ε := by
  induction z generalizing S i with
  | nil => exact absurd hi (Nat.not_succ_le_zero i)
  | cons x xs ih => cases S with
    | nil => exact nomatch hl
    | cons s ss => cases i with
      | zero => rfl
      | succ i => exact ih (Nat.add_right_cancel hl) (Nat.le_of_succ_le_succ hi)
/-- The perturbation stays within `ε`. -/
theorem favourRest_within {ε : Int} {z : List Int} {S : List Bool} (hl : z.length = S.length) (hε : 0 ≤ ε) :
    Within (fun _ => ε) z (favourRest ε z S) where
  length_eq := length_favourRest hl
  lower i hi := by
    rw [entry_favourRest hl hi]
    cases selected S i with
    | true => exact Int.le_refl _
    | false => show _ ≤ entry z i + ε; lin [hε, hε]
  upper i hi := by
    rw [entry_favourRest hl hi]
    cases selected S i with
    | true => show entry z i - ε ≤ _; lin [hε, hε]
    | false => exact Int.le_refl _

/-- If `S` survives the worst perturbation by `ε`, every selected score leads every other one by more
than `2ε`. -/
theorem gap_of_worst {z : List Int} {S : List Bool} {ε : Int} (h : IsTopSet (favourRest ε z S) S)
    (hl : z.length = S.length) {i j : Nat} (hi : i < z.length) (hj : j < z.length) (si : selected S i = true)
    (sj : selected S j = false) : 2 * ε < entry z i - entry z j := by
  have k := h.2 i j (by rw [length_favourRest hl]; exact hi) (by rw [length_favourRest hl]; exact hj) si sj
  rw [entry_favourRest hl hi, entry_favourRest hl hj, si, sj] at k
  have k : entry z j + ε < entry z i - ε := k
  lin [k]

/-- **The top-k gate is exact** (sharp): it admits precisely when `S` is the strict top set of all true scores
within `ε`.  So a margin of `2ε` between the last selected and the first other score is not enough. -/
theorem topk_sharp {z : List Int} {S : List Bool} {ε : Int} (hl : z.length = S.length) (hε : 0 ≤ ε) :
    topkAdmit z S ε = true ↔ ∀ z', Within (fun _ => ε) z z' → IsTopSet z' S :=
  ⟨fun h _ near => topk_preserved h near, fun h => topkAdmit_iff.mpr ⟨hl, hε, fun _ _ hi hj si sj =>
    gap_of_worst (h _ (favourRest_within hl hε)) hl hi hj si sj⟩⟩

/-- Not vacuous: the two largest of 9, 1, 8, 3 keep their places under a perturbation by 2, say to 7, 3, 6, 5; the
margin 5 does not carry a perturbation by 3. -/
theorem topkAdmit_nonvacuous : topkAdmit [9, 1, 8, 3] [true, false, true, false] 2 = true
    ∧ Within (fun _ => 2) [9, 1, 8, 3] [7, 3, 6, 5]
    ∧ topkAdmit [9, 1, 8, 3] [true, false, true, false] 3 = false := ⟨rfl, ⟨rfl, by decide, by decide⟩, rfl⟩

/-! ## Two-stage selection

Experts stand in groups; the score of a group is the sum of its two largest expert scores.  First the groups
with the largest scores are selected, then the experts with the largest scores inside these groups. -/

/-- `gsel`, `esel` is the strict result of the two-stage selection from `groups`: the selected groups have the
largest group scores, and inside them the selected experts have the largest scores, without a tie at the border. -/
def IsTwoStage (groups : List (List Int)) (gsel : List Bool) (esel : List (List Bool)) : Prop :=
  IsTopSet (groups.map topTwo) gsel ∧ IsTopSet (pickedScores groups gsel) (pickedMasks esel gsel)

/-- `gsel`, `esel` is a possible result of the two-stage selection from `groups`, whatever the rule on ties. -/
def IsTwoStageSelection (groups : List (List Int)) (gsel : List Bool) (esel : List (List Bool)) : Prop :=
  twoStageShape groups gsel esel = true ∧ IsSelection (groups.map topTwo) gsel
    ∧ IsSelection (pickedScores groups gsel) (pickedMasks esel gsel)

/-- The true expert scores lie within `ε` of the known ones, group by group. -/
def WithinGroups (ε : Int) (groups groups' : List (List Int)) : Prop :=
  Forall₂ (Within fun _ => ε) groups groups'

/-- The sum of the two largest of the scores moves by at most twice what each of them moves. -/
theorem topTwo_le {ε : Int} {z z' : List Int} (hl : 2 ≤ z.length) (near : Within (fun _ => ε) z z') :
    topTwo z - 2 * ε ≤ topTwo z' ∧ topTwo z' ≤ topTwo z + 2 * ε := by
  have hl' : 2 ≤ z'.length := by rw [near.length_eq]; exact hl
  constructor
  · obtain ⟨i, j, hij, hj, e⟩ := (topTwo_spec hl).1
    have top := (topTwo_spec hl').2 i j hij (by rw [near.length_eq]; exact hj)
    rw [e]
    lin [top, near.lower i (Nat.le_trans hij (Nat.le_trans (Nat.le_succ j) hj)), near.lower j hj]
  · obtain ⟨i, j, hij, hj, e⟩ := (topTwo_spec hl').1
    rw [near.length_eq] at hj
    have top := (topTwo_spec hl).2 i j hij hj
    rw [e]
    lin [top, near.upper i (Nat.le_trans hij (Nat.le_trans (Nat.le_succ j) hj)), near.upper j hj]

/-- A common bound on all scores, entry by entry. -/
theorem within_iff_forall₂ {ε : Int} {z z' : List Int} :
    Within (fun _ => ε) z z' ↔ Forall₂ (fun x y => x - ε ≤ y ∧ y ≤ x + ε) z z' := by
  constructor
  · intro ⟨hl, lo, up⟩
    induction z generalizing z' with
    | nil => cases z' with
      | nil => exact .nil
      | cons _ _ => exact nomatch hl
    | cons x xs ih => cases z' with
      | nil => exact nomatch hl
      | cons y ys =>
        obtain ⟨lo₁, lo⟩ := forall_index_cons.mp lo
        obtain ⟨up₁, up⟩ := forall_index_cons.mp up
        exact .cons ⟨lo₁, up₁⟩ (ih (Nat.add_right_cancel hl) lo up)
  · intro h
    induction h with
    | nil => exact ⟨rfl, fun i h => absurd h (Nat.not_succ_le_zero i), fun i h => absurd h (Nat.not_succ_le_zero i)⟩
    | cons h _ ih =>
      exact ⟨congrArg Nat.succ ih.length_eq, forall_index_cons.mpr ⟨h.1, ih.lower⟩,
        forall_index_cons.mpr ⟨h.2, ih.upper⟩⟩

/-- What the shape demands of the first group, and of the rest. -/
theorem twoStageShape_cons {g : List Int} {gs : List (List Int)} {s : Bool} {ss : List Bool} {m : List Bool}
    {ms : List (List Bool)} : twoStageShape (g :: gs) (s :: ss) (m :: ms) = true ↔
      (2 ≤ g.length ∧ g.length = m.length ∧ (s = true ∨ ∀ b, b ∈ m → b = false))
        ∧ twoStageShape gs ss ms = true := by
  constructor
  · intro h
    obtain ⟨h, h₄⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    refine ⟨⟨of_decide_eq_true h₁, Nat.beq_eq_true_iff.mp h₂, ?_⟩, h₄⟩
    exact (Bool.or_eq_true_iff.mp h₃).elim .inl fun k =>
      .inr fun b hb => Bool.not_eq_true_iff.mp (all_eq_true.mp k b hb)
  · intro ⟨⟨h₁, h₂, h₃⟩, h₄⟩
    refine Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr
      ⟨decide_eq_true h₁, Nat.beq_eq_true_iff.mpr h₂⟩, ?_⟩, h₄⟩
    exact Bool.or_eq_true_iff.mpr (h₃.elim .inl fun k =>
      .inr (all_eq_true.mpr fun b hb => Bool.not_eq_true_iff.mpr (k b hb)))

/-- Induction over groups, group bits and expert masks of a sensible shape. -/
theorem twoStageShape_induction {motive : List (List Int) → List Bool → List (List Bool) → Prop}
    (nil : motive [] [] [])
    (cons : ∀ g gs s ss m ms, 2 ≤ g.length → g.length = m.length → (s = true ∨ ∀ b, b ∈ m → b = false) →
      twoStageShape gs ss ms = true → motive gs ss ms → motive (g :: gs) (s :: ss) (m :: ms))
    {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)}
    (h : twoStageShape groups gsel esel = true) : motive groups gsel esel := by
  induction groups generalizing gsel esel with
  | nil => cases gsel with
    | nil => cases esel with
      | nil => exact nil
      | cons _ _ => exact nomatch h
    | cons _ _ => exact nomatch h
  | cons g gs ih => cases gsel with
    | nil => exact nomatch h
    | cons s ss => cases esel with
      | nil => exact nomatch h
      | cons m ms =>
        obtain ⟨⟨h₁, h₂, h₃⟩, h₄⟩ := twoStageShape_cons.mp h
        exact cons g gs s ss m ms h₁ h₂ h₃ h₄ (ih h₄)

/-- The shape is about lengths and masks only, so perturbed scores have it too. -/
theorem shape_of_within {ε : Int} {groups groups' : List (List Int)} {gsel : List Bool} {esel : List (List Bool)}
    (h : twoStageShape groups gsel esel = true) (near : WithinGroups ε groups groups') :
    twoStageShape groups' gsel esel = true := by
  refine twoStageShape_induction (motive := fun groups gsel esel => ∀ groups', WithinGroups ε groups groups' →
    twoStageShape groups' gsel esel = true) ?_ ?_ h groups' near
  · intro _ near; cases near with
    | nil => rfl
  · intro g gs s ss m ms h₁ h₂ h₃ _ ih _ near
    cases near with
    | cons n near =>
      have hl := n.length_eq
      exact twoStageShape_cons.mpr ⟨⟨by rw [hl]; exact h₁, hl.trans h₂, h₃⟩, ih _ near⟩

/-- Group scores move by at most `2ε`. -/
theorem groupScores_within {ε : Int} {groups groups' : List (List Int)} {gsel : List Bool}
    {esel : List (List Bool)} (h : twoStageShape groups gsel esel = true) (near : WithinGroups ε groups groups') :
    Within (fun _ => 2 * ε) (groups.map topTwo) (groups'.map topTwo) := by
  refine within_iff_forall₂.mpr ?_
  refine twoStageShape_induction (motive := fun groups _ _ => ∀ groups', WithinGroups ε groups groups' →
    Forall₂ (fun x y => x - 2 * ε ≤ y ∧ y ≤ x + 2 * ε) (groups.map topTwo) (groups'.map topTwo)) ?_ ?_ h groups' near
  · intro _ near; cases near with
    | nil => exact .nil
  · intro g gs s ss m ms h₁ _ _ _ ih _ near
    cases near with
    | cons n near => exact .cons (topTwo_le h₁ n) (ih _ near)

/-- The scores inside the selected groups move by at most `ε`. -/
theorem pickedScores_within {ε : Int} {groups groups' : List (List Int)} (near : WithinGroups ε groups groups')
    (gsel : List Bool) : Within (fun _ => ε) (pickedScores groups gsel) (pickedScores groups' gsel) := by
  refine within_iff_forall₂.mpr ?_
  induction near generalizing gsel with
  | nil => exact .nil
  | cons n _ ih => cases gsel with
    | nil => exact .nil
    | cons s ss => cases s with
      | true => exact (within_iff_forall₂.mp n).append (ih ss)
      | false => exact ih ss

/-- Inside the selected groups there is one bit for each score. -/
theorem pickedScores_length {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)}
    (h : twoStageShape groups gsel esel = true) :
    (pickedScores groups gsel).length = (pickedMasks esel gsel).length := by
  refine twoStageShape_induction (motive := fun groups gsel esel =>
    (pickedScores groups gsel).length = (pickedMasks esel gsel).length) rfl ?_ h
  intro g gs s ss m ms _ hm _ _ ih
  cases s with
  | true =>
    show (g ++ pickedScores gs ss).length = (m ++ pickedMasks ms ss).length
    rw [length_append, length_append, hm, ih]
  | false => exact ih
/-- There is one bit for each group. -/
theorem groupScores_length {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)}
    (h : twoStageShape groups gsel esel = true) : (groups.map topTwo).length = gsel.length :=
  twoStageShape_induction (motive := fun groups gsel _ => (groups.map topTwo).length = gsel.length) rfl
    (fun _ _ _ _ _ _ _ _ _ _ ih => congrArg Nat.succ ih) h

/-- What the two-stage gate decides: a sensible shape, a group margin of more than `4ε` and an expert margin of
more than `2ε`. -/
theorem twoStageAdmit_iff {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)} {ε : Int} :
    twoStageAdmit groups gsel esel ε = true ↔ twoStageShape groups gsel esel = true
      ∧ topkAdmit (groups.map topTwo) gsel (2 * ε) = true
      ∧ topkAdmit (pickedScores groups gsel) (pickedMasks esel gsel) ε = true := by
  constructor
  · intro h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨h₁, h₂, h₃⟩
  · intro ⟨h₁, h₂, h₃⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨h₁, h₂⟩, h₃⟩

/-- **The two-stage selection stays the same.**  If the gate admits it, then for all true expert scores within `ε`
of the known ones the same groups and the same experts have the largest scores, without a tie. -/
theorem two_stage_preserved {groups groups' : List (List Int)} {gsel : List Bool} {esel : List (List Bool)} {ε : Int}
    (admitted : twoStageAdmit groups gsel esel ε = true) (near : WithinGroups ε groups groups') :
    IsTwoStage groups' gsel esel := by
  obtain ⟨shape, h₁, h₂⟩ := twoStageAdmit_iff.mp admitted
  exact ⟨topk_preserved h₁ (groupScores_within shape near), topk_preserved h₂ (pickedScores_within near gsel)⟩

/-- Masks of the same shape that agree on the selected groups agree everywhere. -/
theorem masks_eq_of_picked {groups : List (List Int)} {gsel : List Bool} {esel esel' : List (List Bool)}
    (h : twoStageShape groups gsel esel = true) (h' : twoStageShape groups gsel esel' = true)
    (e : pickedMasks esel' gsel = pickedMasks esel gsel) : esel' = esel := by
  refine twoStageShape_induction (motive := fun groups gsel esel => ∀ esel', twoStageShape groups gsel esel' = true →
    pickedMasks esel' gsel = pickedMasks esel gsel → esel' = esel) ?_ ?_ h esel' h' e
  · intro esel' h' _
    cases esel' with
    | nil => rfl
    | cons _ _ => exact nomatch h'
  · intro g gs s ss m ms _ hm none _ ih esel' h' e
    cases esel' with
    | nil => exact nomatch h'
    | cons m' ms' =>
      obtain ⟨⟨_, hm', none'⟩, rest⟩ := twoStageShape_cons.mp h'
      have hl : m'.length = m.length := hm'.symm.trans hm
      cases s with
      | true =>
        have e : m' ++ pickedMasks ms' ss = m ++ pickedMasks ms ss := e
        obtain ⟨e₁, e₂⟩ := append_inj hl e
        rw [e₁, ih ms' rest e₂]
      | false =>
        have n := none.elim (fun k => nomatch k) id
        have n' := none'.elim (fun k => nomatch k) id
        rw [ih ms' rest e, all_false_eq hl n' n]
where
  append_inj {k k' l l' : List Bool} (hl : k.length = k'.length) (e : k ++ l = k' ++ l') : k = k' ∧ l = l' := by
    induction k generalizing k' with
    | nil => cases k' with
      | nil => exact ⟨rfl, e⟩
      | cons _ _ => exact nomatch hl
    | cons b k ih => cases k' with
      | nil => exact nomatch hl
      | cons b' k' =>
        injection (show b :: (k ++ l) = b' :: (k' ++ l') from e) with e₁ e₂
        obtain ⟨h₁, h₂⟩ := ih (Nat.add_right_cancel hl) e₂
        exact ⟨by rw [e₁, h₁], h₂⟩
  all_false_eq {k l : List Bool} (hl : k.length = l.length) (hk : ∀ b, b ∈ k → b = false)
      (h : ∀ b, b ∈ l → b = false) : k = l := by
    induction k generalizing l with
    | nil => cases l with
      | nil => rfl
      | cons _ _ => exact nomatch hl
    | cons b k ih => cases l with
      | nil => exact nomatch hl
      | cons c l =>
        obtain ⟨h₁, h₂⟩ := forall_mem_cons h
        obtain ⟨k₁, k₂⟩ := forall_mem_cons hk
        rw [h₁, k₁, ih (Nat.add_right_cancel hl) k₂ h₂]

/-- The same, said of what a selection returns: every two-stage selection from the true scores with as many groups
and experts, whatever its rule on ties, returns the same groups and experts. -/
theorem two_stage_selection_preserved {groups groups' : List (List Int)} {gsel gsel' : List Bool}
    {esel esel' : List (List Bool)} {ε : Int} (admitted : twoStageAdmit groups gsel esel ε = true)
    (near : WithinGroups ε groups groups') (h : IsTwoStageSelection groups' gsel' esel')
    (groupCount : selectedCount gsel' = selectedCount gsel)
    (expertCount : selectedCount (pickedMasks esel' gsel') = selectedCount (pickedMasks esel gsel)) :
    gsel' = gsel ∧ esel' = esel := by
  obtain ⟨top, topExperts⟩ := two_stage_preserved admitted near
  obtain ⟨shape', sel, selExperts⟩ := h
  have e : gsel' = gsel := top.eq_of_isSelection sel groupCount
  rw [e] at shape' selExperts expertCount
  have shape := shape_of_within (twoStageAdmit_iff.mp admitted).1 near
  exact ⟨e, masks_eq_of_picked shape shape' (topExperts.eq_of_isSelection selExperts expertCount)⟩

/-! ### Sharpness of the two-stage gate -/

/-- The perturbation by `ε` that hurts the selection of groups most. -/
def favourRestGroups (ε : Int) : List (List Int) → List Bool → List (List Int)
  | g :: gs, s :: ss => g.map (fun x => if s = true then x - ε else x + ε) :: favourRestGroups ε gs ss
  | _, _ => []

/-- The perturbation by `ε` that hurts the selection of experts most. -/
def favourRestExperts (ε : Int) : List (List Int) → List (List Bool) → List (List Int)
  | g :: gs, m :: ms => favourRest ε g m :: favourRestExperts ε gs ms
  | _, _ => []

/-- When all scores move by `c`, the sum of the two largest moves by `2c`. -/
theorem topTwo_map_add (c : Int) {z : List Int} (hl : 2 ≤ z.length) :
    topTwo (z.map fun x => x + c) = topTwo z + 2 * c := by
  have hl' : 2 ≤ (z.map fun x => x + c).length := by rw [length_map]; exact hl
  apply Int.le_antisymm
  · obtain ⟨i, j, hij, hj, e⟩ := (topTwo_spec hl').1
    rw [length_map] at hj
    have hi := Nat.le_trans hij (Nat.le_trans (Nat.le_succ j) hj)
    rw [e, entry_map _ hi, entry_map _ hj]
    lin [(topTwo_spec hl).2 i j hij hj]
  · obtain ⟨i, j, hij, hj, e⟩ := (topTwo_spec hl).1
    have hi := Nat.le_trans hij (Nat.le_trans (Nat.le_succ j) hj)
    have top := (topTwo_spec hl').2 i j hij (by rw [length_map]; exact hj)
    rw [entry_map _ hi, entry_map _ hj] at top
    rw [e]
    lin [top]

/-- A common shift of at most `ε` stays within `ε`. -/
theorem map_shift_within {ε c : Int} (lo : -ε ≤ c) (up : c ≤ ε) (z : List Int) :
    Within (fun _ => ε) z (z.map fun x => x + c) where
  length_eq := length_map _ z
  lower i hi := by rw [entry_map _ hi]; lin [lo]
  upper i hi := by rw [entry_map _ hi]; lin [up]

/-- The worst perturbation for the groups stays within `ε` and moves each group score by `2ε` in the bad direction. -/
theorem favourRestGroups_spec {ε : Int} (hε : 0 ≤ ε) {groups : List (List Int)} {gsel : List Bool}
    {esel : List (List Bool)} (h : twoStageShape groups gsel esel = true) :
    WithinGroups ε groups (favourRestGroups ε groups gsel)
      ∧ (favourRestGroups ε groups gsel).map topTwo = favourRest (2 * ε) (groups.map topTwo) gsel := by
  refine twoStageShape_induction (motive := fun groups gsel _ => WithinGroups ε groups (favourRestGroups ε groups gsel)
      ∧ (favourRestGroups ε groups gsel).map topTwo = favourRest (2 * ε) (groups.map topTwo) gsel) ?_ ?_ h
  · exact ⟨.nil, rfl⟩
  · intro g gs s ss m ms h₁ _ _ _ ⟨near, e⟩
    cases s with
    | true =>
      refine ⟨.cons (map_shift_within (c := -ε) (Int.le_refl _) (by lin [hε, hε]) g) near, ?_⟩
      show topTwo (g.map fun x => x + -ε) :: _ = (topTwo g - 2 * ε) :: _
      have k : topTwo g + 2 * -ε = topTwo g - 2 * ε := by ring
      rw [topTwo_map_add (-ε) h₁, k, e]
    | false =>
      refine ⟨.cons (map_shift_within (c := ε) (by lin [hε, hε]) (Int.le_refl _) g) near, ?_⟩
      show topTwo (g.map fun x => x + ε) :: _ = (topTwo g + 2 * ε) :: _
      rw [topTwo_map_add ε h₁, e]

/-- The worst perturbation of two selections, one after the other. -/
theorem favourRest_append {ε : Int} {y z : List Int} {S T : List Bool} (hl : y.length = S.length) :
    favourRest ε (y ++ z) (S ++ T) = favourRest ε y S ++ favourRest ε z T := by
  induction y generalizing S with
  | nil => cases S with
    | nil => rfl
    | cons _ _ => exact nomatch hl
  | cons x xs ih => cases S with
    | nil => exact nomatch hl
    | cons s ss =>
      show _ :: favourRest ε (xs ++ z) (ss ++ T) = _ :: (favourRest ε xs ss ++ favourRest ε z T)
      rw [ih (Nat.add_right_cancel hl)]

/-- The worst perturbation for the experts stays within `ε` and is the worst one for the scores inside the selected groups. -/
theorem favourRestExperts_spec {ε : Int} (hε : 0 ≤ ε) {groups : List (List Int)} {gsel : List Bool}
    {esel : List (List Bool)} (h : twoStageShape groups gsel esel = true) :
    WithinGroups ε groups (favourRestExperts ε groups esel)
      ∧ pickedScores (favourRestExperts ε groups esel) gsel
        = favourRest ε (pickedScores groups gsel) (pickedMasks esel gsel) := by
  refine twoStageShape_induction (motive := fun groups gsel esel =>
      WithinGroups ε groups (favourRestExperts ε groups esel)
      ∧ pickedScores (favourRestExperts ε groups esel) gsel
        = favourRest ε (pickedScores groups gsel) (pickedMasks esel gsel)) ?_ ?_ h
  · exact ⟨.nil, rfl⟩
  · intro g gs s ss m ms _ hm _ _ ⟨near, e⟩
    refine ⟨.cons (favourRest_within hm hε) near, ?_⟩
    cases s with
    | true =>
      show favourRest ε g m ++ pickedScores (favourRestExperts ε gs ms) ss
        = favourRest ε (g ++ pickedScores gs ss) (m ++ pickedMasks ms ss)
      rw [favourRest_append hm, e]
    | false => exact e

/-- **The two-stage gate is exact** (sharp): for a sensible shape it admits precisely when groups and experts are the
strict result of the selection for all true expert scores within `ε`.  So neither a group margin of `4ε` nor an
expert margin of `2ε` is enough. -/
theorem two_stage_sharp {groups : List (List Int)} {gsel : List Bool} {esel : List (List Bool)} {ε : Int}
    (shape : twoStageShape groups gsel esel = true) (hε : 0 ≤ ε) : twoStageAdmit groups gsel esel ε = true ↔
      ∀ groups', WithinGroups ε groups groups' → IsTwoStage groups' gsel esel := by
  refine ⟨fun h _ near => two_stage_preserved h near, fun h => twoStageAdmit_iff.mpr ⟨shape, ?_, ?_⟩⟩
  · obtain ⟨near, e⟩ := favourRestGroups_spec hε shape
    have worst := (h _ near).1
    rw [e] at worst
    have hl := groupScores_length shape
    exact topkAdmit_iff.mpr ⟨hl, by lin [hε, hε], fun i j hi hj si sj => gap_of_worst worst hl hi hj si sj⟩
  · obtain ⟨near, e⟩ := favourRestExperts_spec hε shape
    have worst := (h _ near).2
    rw [e] at worst
    have hl := pickedScores_length shape
    exact topkAdmit_iff.mpr ⟨hl, hε, fun i j hi hj si sj => gap_of_worst worst hl hi hj si sj⟩

/-- Not vacuous: groups (9, 8, 0) and (5, 1, 4), scores 17 and 9, margin 8; inside the first group 9 and 8 lead 0.
A perturbation by 1 is carried, say to (8, 7, 1) and (6, 2, 5); one by 2 is not (the group margin 8 is not more than
4·2). -/
theorem twoStageAdmit_nonvacuous :
    twoStageAdmit [[9, 8, 0], [5, 1, 4]] [true, false] [[true, true, false], [false, false, false]] 1 = true
    ∧ WithinGroups 1 [[9, 8, 0], [5, 1, 4]] [[8, 7, 1], [6, 2, 5]]
    ∧ twoStageAdmit [[9, 8, 0], [5, 1, 4]] [true, false] [[true, true, false], [false, false, false]] 2 = false :=
  ⟨rfl, .cons ⟨rfl, by decide, by decide⟩ (.cons ⟨rfl, by decide, by decide⟩ .nil), rfl⟩

end Gnosis
