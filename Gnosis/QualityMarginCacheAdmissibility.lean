prelude
import Gnosis.Foundation.Entry
/-! # Margin gates: when the winner survives a perturbation

Scores `z` (logits, in one common integer unit) are known; the true scores `z'` differ from them by a bounded
amount in each entry.  The gates of `Gnosis.Decision.Margin` decide from `z` and the bounds alone whether
the winner is the same.  Each of them is proved exact: it admits precisely when *every* perturbation
within the bounds leaves the property intact, so none can be relaxed without becoming false.

The bounds on the perturbation are hypotheses about the world; section by section they are supplied by the
energy gate (`Gnosis.EnergyMarginBridgeAdmissibility`) or by measurement. -/
namespace Gnosis
open List

/-! ## The vocabulary of the statements -/

/-- The true scores `z'` lie within `b i` of the known score `z_i`, for each index `i`. -/
structure Within (b : Nat → Int) (z z' : List Int) : Prop where
  /-- there are as many true scores as known ones -/
  length_eq : z'.length = z.length
  /-- no score falls by more than its bound -/
  lower : ∀ i, i < z.length → entry z i - b i ≤ entry z' i
  /-- no score rises by more than its bound -/
  upper : ∀ i, i < z.length → entry z' i ≤ entry z i + b i

/-- No entry is larger than the one at `w`. -/
def IsMaximiser (z : List Int) (w : Nat) : Prop :=
  w < z.length ∧ ∀ j, j < z.length → entry z j ≤ entry z w

/-- All other entries are smaller than the one at `w`. -/
def IsOnlyMaximiser (z : List Int) (w : Nat) : Prop :=
  w < z.length ∧ ∀ j, j < z.length → j ≠ w → entry z j < entry z w

/-- `w` is the lowest index of a largest entry. -/
def IsArgmax (z : List Int) (w : Nat) : Prop :=
  IsMaximiser z w ∧ ∀ j, j < w → entry z j < entry z w

/-! ## The argmax -/

/-- What the scan returns: the start when nothing in the list is larger, else the first place of the largest entry. -/
theorem argmaxFrom_spec (best : Int) (w i : Nat) (xs : List Int) (hw : w < i) :
    (argmaxFrom best w i xs = w ∧ ∀ j, j < xs.length → entry xs j ≤ best)
    ∨ (∃ k, k < xs.length ∧ argmaxFrom best w i xs = i + k ∧ best < entry xs k
        ∧ (∀ j, j < xs.length → entry xs j ≤ entry xs k) ∧ ∀ j, j < k → entry xs j < entry xs k) := by
  induction xs generalizing best w i with
  | nil => exact .inl ⟨rfl, fun j h => absurd h (Nat.not_succ_le_zero j)⟩
  | cons x xs ih =>
    by_cases hx : best < x
    · have e : argmaxFrom best w i (x :: xs) = argmaxFrom x i (i + 1) xs := if_pos hx
      rw [e]
      rcases ih x i (i + 1) .refl with ⟨r, h⟩ | ⟨k, hk, r, hb, hm, hf⟩
      · exact .inr ⟨0, Nat.succ_le_succ (Nat.zero_le _), r, hx,
          forall_index_cons.mpr ⟨Int.le_refl x, h⟩, fun j hj => absurd hj (Nat.not_succ_le_zero j)⟩
      · refine .inr ⟨k + 1, Nat.succ_le_succ hk, ?_, Int.le_trans hx (Int.le_of_lt hb),
          forall_index_cons.mpr ⟨Int.le_of_lt hb, hm⟩, ?_⟩
        · rw [r, Nat.add_right_comm]; rfl
        · intro j hj
          cases j with
          | zero => exact hb
          | succ j => exact hf j (Nat.le_of_succ_le_succ hj)
    · have e : argmaxFrom best w i (x :: xs) = argmaxFrom best w (i + 1) xs := if_neg hx
      rw [e]
      have hx : x ≤ best := (Int.lt_or_ge best x).elim (fun h => absurd h hx) id
      rcases ih best w (i + 1) (.step hw) with ⟨r, h⟩ | ⟨k, hk, r, hb, hm, hf⟩
      · exact .inl ⟨r, forall_index_cons.mpr ⟨hx, h⟩⟩
      · refine .inr ⟨k + 1, Nat.succ_le_succ hk, ?_, hb,
          forall_index_cons.mpr ⟨Int.le_trans hx (Int.le_of_lt hb), hm⟩, ?_⟩
        · rw [r, Nat.add_right_comm]; rfl
        · intro j hj
          cases j with
          | zero => exact Int.lt_of_le_of_lt hx hb
          | succ j => exact hf j (Nat.le_of_succ_le_succ hj)

/-- `argmax` returns the lowest index of a largest entry of a non-empty list. -/
theorem argmax_spec {z : List Int} (h : z ≠ []) : IsArgmax z (argmax z) := by
  cases z with
  | nil => contradiction
  | cons x xs =>
    show IsArgmax (x :: xs) (argmaxFrom x 0 1 xs)
    rcases argmaxFrom_spec x 0 1 xs .refl with ⟨r, h⟩ | ⟨k, hk, r, hb, hm, hf⟩ <;> rw [r]
    · exact ⟨⟨Nat.succ_le_succ (Nat.zero_le _), forall_index_cons.mpr ⟨Int.le_refl x, h⟩⟩,
        fun j hj => absurd hj (Nat.not_succ_le_zero j)⟩
    · rw [Nat.add_comm]
      refine ⟨⟨Nat.succ_le_succ hk, forall_index_cons.mpr ⟨Int.le_of_lt hb, hm⟩⟩, fun j hj => ?_⟩
      cases j with
      | zero => exact hb
      | succ j => exact hf j (Nat.le_of_succ_le_succ hj)

/-- There is only one lowest index of a largest entry. -/
theorem IsArgmax.unique {z : List Int} {v w : Nat} (hv : IsArgmax z v) (hw : IsArgmax z w) : v = w := by
  rcases Nat.lt_or_ge v w with h | h
  · exact (Int.not_le_of_lt (hw.2 v h) (hv.1.2 w hw.1.1)).elim
  · rcases Nat.lt_or_ge w v with k | k
    · exact (Int.not_le_of_lt (hv.2 w k) (hw.1.2 v hv.1.1)).elim
    · exact Nat.le_antisymm k h

/-- To be the lowest index of a largest entry is to be what `argmax` returns. -/
theorem isArgmax_iff {z : List Int} {w : Nat} : IsArgmax z w ↔ z ≠ [] ∧ argmax z = w := by
  constructor
  · intro h
    have n := ne_nil_of_lt_length h.1.1
    exact ⟨n, (argmax_spec n).unique h⟩
  · intro ⟨n, e⟩; rw [← e]; exact argmax_spec n

/-- The only maximiser is what every selection of a maximiser returns, whatever its rule on ties. -/
theorem IsOnlyMaximiser.eq_of_isMaximiser {z : List Int} {v w : Nat} (h : IsOnlyMaximiser z w)
    (k : IsMaximiser z v) : v = w := by
  by_cases e : v = w
  · exact e
  · exact (Int.not_le_of_lt (h.2 v k.1 e) (k.2 w h.1)).elim

/-! ## The scan behind the three margin gates -/

/-- What the scan checks, with the list starting at index `i`. -/
theorem leads_iff (top before after : Int) (w i : Nat) (z : List Int) :
    leads top before after w i z = true ↔
      ∀ j, j < z.length → i + j ≠ w → entry z j + (if i + j < w then before else after) ≤ top := by
  induction z generalizing i with
  | nil => exact ⟨fun _ j h => absurd h (Nat.not_succ_le_zero j), fun _ => rfl⟩
  | cons x xs ih =>
    refine Bool.and_eq_true_iff.trans (Iff.trans ?_ forall_index_cons.symm)
    have e : ∀ j, i + 1 + j = i + (j + 1) := fun j => Nat.add_right_comm i 1 j
    constructor
    · intro ⟨h, k⟩
      refine ⟨fun n => ?_, fun j hj n => ?_⟩
      · rcases Bool.or_eq_true_iff.mp h with h | h
        · exact absurd (of_decide_eq_true h) n
        · exact of_decide_eq_true h
      · have := (ih (i + 1)).mp k j hj
        rw [e j] at this
        exact this n
    · intro ⟨h, k⟩
      refine ⟨?_, (ih (i + 1)).mpr fun j hj n => ?_⟩
      · by_cases n : i = w
        · exact Bool.or_eq_true_iff.mpr (.inl (decide_eq_true n))
        · exact Bool.or_eq_true_iff.mpr (.inr (decide_eq_true (h n)))
      · rw [e j] at n ⊢
        exact k j hj n

/-- What the scan of a whole list checks, for the scores in front of `w` and behind it. -/
theorem leads_zero_iff {top before after : Int} {w : Nat} {z : List Int} (hw : w < z.length) :
    leads top before after w 0 z = true ↔
      (∀ j, j < w → entry z j + before ≤ top) ∧ ∀ j, w < j → j < z.length → entry z j + after ≤ top := by
  refine (leads_iff top before after w 0 z).trans ⟨fun h => ⟨fun j hj => ?_, fun j hj hl => ?_⟩, fun ⟨h, k⟩ j hl n => ?_⟩
  · have := h j (Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw))
    rw [Nat.zero_add, if_pos hj] at this
    exact this (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e.symm))
  · have := h j hl
    rw [Nat.zero_add, if_neg (fun g => Nat.not_le_of_lt g (Nat.le_trans (Nat.le_succ w) hj))] at this
    exact this (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e))
  · rw [Nat.zero_add] at n ⊢
    rcases Nat.lt_or_ge j w with g | g
    · rw [if_pos g]; exact h j g
    · have g : w < j := (Nat.lt_or_ge w j).elim id fun k => absurd (Nat.le_antisymm k g) n
      rw [if_neg (fun k => Nat.not_le_of_lt k (Nat.le_trans (Nat.le_succ w) g))]
      exact k j g hl

/-- The same bound in front and behind: a statement about all other entries. -/
theorem leads_same_iff (top m : Int) (w : Nat) (z : List Int) :
    leads top m m w 0 z = true ↔ ∀ j, j < z.length → j ≠ w → entry z j + m ≤ top := by
  refine (leads_iff top m m w 0 z).trans ⟨fun h j hl n => ?_, fun h j hl n => ?_⟩
  · have := h j hl; rw [Nat.zero_add] at this
    have := this n
    by_cases g : j < w
    · rw [if_pos g] at this; exact this
    · rw [if_neg g] at this; exact this
  · rw [Nat.zero_add] at n ⊢
    by_cases g : j < w
    · rw [if_pos g]; exact h j hl n
    · rw [if_neg g]; exact h j hl n

/-! ## The worst perturbation -/

/-- The perturbation within the bounds `b` that helps `j` most: `z_j` rises, every other score falls. -/
def favour (b : Nat → Int) (z : List Int) (j : Nat) : List Int :=
  tabulate z.length (fun i => if i = j then entry z i + b i else entry z i - b i)

/-- The favoured score rises by its bound. -/
theorem entry_favour_self {b : Nat → Int} {z : List Int} {j : Nat} (h : j < z.length) :
    entry (favour b z j) j = entry z j + b j := (entry_tabulate _ h).trans (if_pos rfl)
/-- Every other score falls by its bound. -/
theorem entry_favour_ne {b : Nat → Int} {z : List Int} {i j : Nat} (h : i < z.length) (n : i ≠ j) :
    entry (favour b z j) i = entry z i - b i := (entry_tabulate _ h).trans (if_neg n)
/-- The perturbation stays within the bounds. -/
theorem favour_within {b : Nat → Int} {z : List Int} (hb : ∀ i, i < z.length → 0 ≤ b i) (j : Nat) :
    Within b z (favour b z j) where
  length_eq := length_tabulate _ _
  lower i hi := by
    by_cases e : i = j
    · rw [e] at hi ⊢; rw [entry_favour_self hi]; lin [hb j hi, hb j hi]
    · rw [entry_favour_ne hi e]; exact Int.le_refl _
  upper i hi := by
    by_cases e : i = j
    · rw [e] at hi ⊢; rw [entry_favour_self hi]; exact Int.le_refl _
    · rw [entry_favour_ne hi e]; lin [hb i hi, hb i hi]

/-- The true scores keep the distance of two known ones up to the two bounds. -/
theorem Within.gap {b : Nat → Int} {z z' : List Int} (h : Within b z z') {w j : Nat} (hw : w < z.length)
    (hj : j < z.length) : entry z w - entry z j - (b w + b j) ≤ entry z' w - entry z' j := by
  lin [h.lower w hw, h.upper j hj]

/-! ## One bound for all scores -/

/-- What the weak gate decides: `w` is an index and leads every other score by `2τ` or more. -/
theorem marginAdmit_iff {z : List Int} {w : Nat} {τ : Int} : marginAdmit z w τ = true ↔
    w < z.length ∧ 0 ≤ τ ∧ ∀ j, j < z.length → j ≠ w → 2 * τ ≤ entry z w - entry z j := by
  constructor
  · intro h
    obtain ⟨h, k⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨of_decide_eq_true h₁, of_decide_eq_true h₂,
      fun j hj n => by lin [(leads_same_iff _ _ _ _).mp k j hj n]⟩
  · intro ⟨h₁, h₂, h₃⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨decide_eq_true h₁, decide_eq_true h₂⟩,
      (leads_same_iff _ _ _ _).mpr fun j hj n => by lin [h₃ j hj n]⟩

/-- What the strict gate decides: `w` is an index and leads every other score by more than `2τ`. -/
theorem marginAdmitStrict_iff {z : List Int} {w : Nat} {τ : Int} : marginAdmitStrict z w τ = true ↔
    w < z.length ∧ 0 ≤ τ ∧ ∀ j, j < z.length → j ≠ w → 2 * τ < entry z w - entry z j := by
  constructor
  · intro h
    obtain ⟨h, k⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨of_decide_eq_true h₁, of_decide_eq_true h₂,
      fun j hj n => by lin [(leads_same_iff _ _ _ _).mp k j hj n]⟩
  · intro ⟨h₁, h₂, h₃⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨decide_eq_true h₁, decide_eq_true h₂⟩,
      (leads_same_iff _ _ _ _).mpr fun j hj n => by lin [h₃ j hj n]⟩

/-- What the lowest-index gate decides: `w` is an index, leads the scores in front of it by more than `2τ` and
those behind it by `2τ` or more. -/
theorem marginAdmitLowest_iff {z : List Int} {w : Nat} {τ : Int} : marginAdmitLowest z w τ = true ↔
    w < z.length ∧ 0 ≤ τ ∧ (∀ j, j < w → 2 * τ < entry z w - entry z j)
      ∧ ∀ j, w < j → j < z.length → 2 * τ ≤ entry z w - entry z j := by
  constructor
  · intro h
    obtain ⟨h, k⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    have h₁ := of_decide_eq_true h₁
    obtain ⟨k₁, k₂⟩ := (leads_zero_iff h₁).mp k
    exact ⟨h₁, of_decide_eq_true h₂, fun j hj => by lin [k₁ j hj], fun j hj hl => by lin [k₂ j hj hl]⟩
  · intro ⟨h₁, h₂, k₁, k₂⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨decide_eq_true h₁, decide_eq_true h₂⟩,
      (leads_zero_iff h₁).mpr ⟨fun j hj => by lin [k₁ j hj], fun j hj hl => by lin [k₂ j hj hl]⟩⟩

/-- **The winner stays a maximiser.**  If the weak gate admits `w`, then `w` is a maximiser of all true
scores within `τ` of the known ones.  Another entry may tie with it. -/
theorem argmax_preserved {z z' : List Int} {w : Nat} {τ : Int} (admitted : marginAdmit z w τ = true)
    (near : Within (fun _ => τ) z z') : IsMaximiser z' w := by
  obtain ⟨hw, hτ, gap⟩ := marginAdmit_iff.mp admitted
  refine ⟨by rw [near.length_eq]; exact hw, fun j hj => ?_⟩
  rw [near.length_eq] at hj
  by_cases e : j = w
  · rw [e]; exact Int.le_refl _
  · lin [gap j hj e, near.gap hw hj]

/-- **The winner stays the only maximiser.**  If the strict gate admits `w`, then `w` is the only maximiser of
all true scores within `τ` of the known ones. -/
theorem argmax_preserved_strict {z z' : List Int} {w : Nat} {τ : Int} (admitted : marginAdmitStrict z w τ = true)
    (near : Within (fun _ => τ) z z') : IsOnlyMaximiser z' w := by
  obtain ⟨hw, hτ, gap⟩ := marginAdmitStrict_iff.mp admitted
  refine ⟨by rw [near.length_eq]; exact hw, fun j hj e => ?_⟩
  rw [near.length_eq] at hj
  lin [gap j hj e, near.gap hw hj]

/-- The same in terms of a margin `γ` by which `w` leads: `2τ ≤ γ` keeps it a maximiser, `2τ < γ` the only one. -/
theorem argmax_preserved_of_margin {z z' : List Int} {w : Nat} {τ γ : Int} (hw : w < z.length) (hτ : 0 ≤ τ)
    (margin : ∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j) (near : Within (fun _ => τ) z z') :
    (2 * τ ≤ γ → IsMaximiser z' w) ∧ (2 * τ < γ → IsOnlyMaximiser z' w) :=
  ⟨fun h => argmax_preserved (marginAdmit_iff.mpr ⟨hw, hτ, fun j hj n => Int.le_trans h (margin j hj n)⟩) near,
   fun h => argmax_preserved_strict
    (marginAdmitStrict_iff.mpr ⟨hw, hτ, fun j hj n => Int.lt_of_lt_of_le h (margin j hj n)⟩) near⟩

/-- **The argmax stays the same under the lowest-index rule.**  If the lowest-index gate admits `w`, then
`argmax` returns `w` for all true scores within `τ` of the known ones. -/
theorem argmax_preserved_lowest {z z' : List Int} {w : Nat} {τ : Int} (admitted : marginAdmitLowest z w τ = true)
    (near : Within (fun _ => τ) z z') : argmax z' = w := by
  obtain ⟨hw, hτ, front, behind⟩ := marginAdmitLowest_iff.mp admitted
  have front : ∀ j, j < w → entry z' j < entry z' w := fun j hj => by
    lin [front j hj, near.gap hw (Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw))]
  refine (isArgmax_iff.mp ⟨⟨by rw [near.length_eq]; exact hw, fun j hj => ?_⟩, front⟩).2
  rw [near.length_eq] at hj
  rcases Nat.lt_or_ge j w with g | g
  · exact Int.le_of_lt (front j g)
  · by_cases e : j = w
    · rw [e]; exact Int.le_refl _
    · have g : w < j := (Nat.lt_or_ge w j).elim id fun k => absurd (Nat.le_antisymm k g) e
      lin [behind j g hj, near.gap hw hj]

/-- **The margin `2τ` is sharp**, for all scores: for each rival `j` of `w` there are true scores within `τ` that
move the distance of `w` and `j` by exactly `2τ`.  So `j` ties with `w` when it is `2τ` behind, and beats
it when it is closer. -/
theorem argmax_sharp {z : List Int} {w j : Nat} {τ : Int} (hτ : 0 ≤ τ) (hw : w < z.length) (hj : j < z.length)
    (n : j ≠ w) : ∃ z', Within (fun _ => τ) z z'
      ∧ entry z' w - entry z' j = entry z w - entry z j - 2 * τ
      ∧ (entry z w - entry z j = 2 * τ → entry z' j = entry z' w)
      ∧ (entry z w - entry z j < 2 * τ → entry z' w < entry z' j) := by
  refine ⟨favour (fun _ => τ) z j, favour_within (fun _ _ => hτ) j, ?_⟩
  rw [entry_favour_self hj, entry_favour_ne hw (Ne.symm n)]
  refine ⟨by ring, fun h => ?_, fun h => by lin [h]⟩
  have e : entry z w = entry z j + 2 * τ := by rw [← h]; ring
  rw [e]; ring

/-- **The weak gate is exact**: it admits precisely when `w` is a maximiser of all true scores within `τ`. -/
theorem marginAdmit_exact {z : List Int} {w : Nat} {τ : Int} (hw : w < z.length) (hτ : 0 ≤ τ) :
    marginAdmit z w τ = true ↔ ∀ z', Within (fun _ => τ) z z' → IsMaximiser z' w := by
  refine ⟨fun h z' near => argmax_preserved h near, fun h => marginAdmit_iff.mpr ⟨hw, hτ, fun j hj n => ?_⟩⟩
  obtain ⟨z', near, gap, _⟩ := argmax_sharp hτ hw hj n
  lin [(h z' near).2 j (by rw [near.length_eq]; exact hj), Int.le_of_eq gap]

/-- **The strict gate is exact**: it admits precisely when `w` is the only maximiser of all true scores
within `τ`. -/
theorem marginAdmitStrict_exact {z : List Int} {w : Nat} {τ : Int} (hw : w < z.length) (hτ : 0 ≤ τ) :
    marginAdmitStrict z w τ = true ↔ ∀ z', Within (fun _ => τ) z z' → IsOnlyMaximiser z' w := by
  refine ⟨fun h z' near => argmax_preserved_strict h near,
    fun h => marginAdmitStrict_iff.mpr ⟨hw, hτ, fun j hj n => ?_⟩⟩
  obtain ⟨z', near, gap, _⟩ := argmax_sharp hτ hw hj n
  lin [(h z' near).2 j (by rw [near.length_eq]; exact hj) n, Int.le_of_eq gap]

/-- **The lowest-index gate is exact**: it admits precisely when `argmax` returns `w` for all true scores
within `τ`. -/
theorem marginAdmitLowest_exact {z : List Int} {w : Nat} {τ : Int} (hw : w < z.length) (hτ : 0 ≤ τ) :
    marginAdmitLowest z w τ = true ↔ ∀ z', Within (fun _ => τ) z z' → argmax z' = w := by
  refine ⟨fun h z' near => argmax_preserved_lowest h near,
    fun h => marginAdmitLowest_iff.mpr ⟨hw, hτ, fun j hj => ?_, fun j hj hl => ?_⟩⟩
  · have hl := Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw)
    obtain ⟨z', near, gap, _⟩ := argmax_sharp hτ hw hl (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e.symm))
    lin [(isArgmax_of h near hw).2 j hj, Int.le_of_eq gap]
  · obtain ⟨z', near, gap, _⟩ := argmax_sharp hτ hw hl (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e))
    lin [(isArgmax_of h near hw).1.2 j (by rw [near.length_eq]; exact hl), Int.le_of_eq gap]
where
  isArgmax_of {z z' : List Int} {w : Nat} {τ : Int} (h : ∀ z', Within (fun _ => τ) z z' → argmax z' = w)
      (near : Within (fun _ => τ) z z') (hw : w < z.length) : IsArgmax z' w :=
    isArgmax_iff.mpr ⟨ne_nil_of_lt_length (by rw [near.length_eq]; exact hw), h z' near⟩

/-- Not vacuous: with scores 9, 4, 1 and bound 2 each of the three gates admits index 0, and the true scores may be
7, 6, 1. -/
theorem marginAdmit_nonvacuous : marginAdmit [9, 4, 1] 0 2 = true ∧ marginAdmitStrict [9, 4, 1] 0 2 = true
    ∧ marginAdmitLowest [9, 4, 1] 0 2 = true ∧ Within (fun _ => 2) [9, 4, 1] [7, 6, 1] :=
  ⟨rfl, rfl, rfl, ⟨rfl, by decide, by decide⟩⟩

/-- The three gates differ exactly at equality: with scores 0, 4, 0 and bound 2 index 1 stays a maximiser, not
the only one, and not the lowest; the middle gate asks for more in front than behind. -/
theorem marginAdmit_at_equality : marginAdmit [0, 4, 0] 1 2 = true ∧ marginAdmitStrict [0, 4, 0] 1 2 = false
    ∧ marginAdmitLowest [0, 4, 0] 1 2 = false ∧ marginAdmitLowest [4, 0, 0] 0 2 = true
    ∧ marginAdmit [0, 4, 0] 1 3 = false := ⟨rfl, rfl, rfl, rfl, rfl⟩

/-! ## One bound for each score -/

/-- No bound is negative, read index by index. -/
theorem all_nonneg_iff {ε : List Int} : ε.all (fun e => decide (0 ≤ e)) = true ↔ ∀ i, i < ε.length → 0 ≤ entry ε i :=
  all_iff_entry.trans ⟨fun h i hi => of_decide_eq_true (h i hi), fun h i hi => decide_eq_true (h i hi)⟩

/-- What it means that the bounds fit. -/
theorem boundsFit_iff {z ε : List Int} :
    boundsFit z ε = true ↔ z.length = ε.length ∧ ∀ i, i < z.length → 0 ≤ entry ε i := by
  refine Bool.and_eq_true_iff.trans ⟨fun ⟨h, k⟩ => ?_, fun ⟨h, k⟩ => ⟨Nat.beq_eq_true_iff.mpr h, ?_⟩⟩
  · have h := Nat.beq_eq_true_iff.mp h
    exact ⟨h, by rw [h]; exact all_nonneg_iff.mp k⟩
  · exact all_nonneg_iff.mpr (by rw [← h]; exact k)

/-- What the row-wise gate decides: `w` leads every other score by more than the two bounds together. -/
theorem rowAdmit_iff {z ε : List Int} {w : Nat} : rowAdmit z ε w = true ↔
    boundsFit z ε = true ∧ w < z.length
      ∧ ∀ j, j < z.length → j ≠ w → entry ε w + entry ε j < entry z w - entry z j := by
  constructor
  · intro h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨fit, h₂⟩ := Bool.and_eq_true_iff.mp h
    have hl := (boundsFit_iff.mp fit).1
    refine ⟨fit, of_decide_eq_true h₂, fun j hj n => ?_⟩
    have := (leads_same_iff _ _ _ _).mp h₃ j (by rw [length_addEntries hl]; exact hj) n
    rw [entry_addEntries hl hj] at this
    lin [this]
  · intro ⟨fit, h₂, h₃⟩
    have hl := (boundsFit_iff.mp fit).1
    refine Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨fit, decide_eq_true h₂⟩,
      (leads_same_iff _ _ _ _).mpr fun j hj n => ?_⟩
    rw [length_addEntries hl] at hj
    rw [entry_addEntries hl hj]
    lin [h₃ j hj n]

/-- **Row-wise gate.**  If it admits `w`, then `w` is the only maximiser of all true scores whose entry `i` lies
within `ε_i` of the known one. -/
theorem row_admit_sound {z ε z' : List Int} {w : Nat} (admitted : rowAdmit z ε w = true)
    (near : Within (entry ε) z z') : IsOnlyMaximiser z' w := by
  obtain ⟨_, hw, gap⟩ := rowAdmit_iff.mp admitted
  refine ⟨by rw [near.length_eq]; exact hw, fun j hj n => ?_⟩
  rw [near.length_eq] at hj
  lin [gap j hj n, near.gap hw hj]

/-- **The row-wise gate is exact** (sharp): it admits precisely when `w` is the only maximiser of all true
scores within the bounds. -/
theorem rowAdmit_exact {z ε : List Int} {w : Nat} (fit : boundsFit z ε = true) (hw : w < z.length) :
    rowAdmit z ε w = true ↔ ∀ z', Within (entry ε) z z' → IsOnlyMaximiser z' w := by
  refine ⟨fun h z' near => row_admit_sound h near, fun h => rowAdmit_iff.mpr ⟨fit, hw, fun j hj n => ?_⟩⟩
  have near := favour_within (boundsFit_iff.mp fit).2 j
  have k := (h _ near).2 j (by rw [near.length_eq]; exact hj) n
  rw [entry_favour_self hj, entry_favour_ne hw (Ne.symm n)] at k
  lin [k]

/-- Not vacuous: bounds 1, 2, 0 leave index 0 of the scores 9, 4, 1 the winner, also when the true scores are 8, 6, 1; with
bounds 3, 2, 0 it can be tied (9 - 3 = 4 + 2) and the gate refuses. -/
theorem rowAdmit_nonvacuous : rowAdmit [9, 4, 1] [1, 2, 0] 0 = true ∧ Within (entry [1, 2, 0]) [9, 4, 1] [8, 6, 1]
    ∧ rowAdmit [9, 4, 1] [3, 2, 0] 0 = false :=
  ⟨rfl, ⟨rfl, by decide, by decide⟩, rfl⟩

/-! ## The candidates -/

/-- An index is listed when its entry reaches `c`. -/
theorem mem_reaching {c : Int} {i j : Nat} {z : List Int} :
    j ∈ reaching c i z ↔ ∃ k, k < z.length ∧ j = i + k ∧ c ≤ entry z k := by
  induction z generalizing i with
  | nil => exact ⟨fun h => (nomatch h), fun ⟨k, h, _⟩ => absurd h (Nat.not_succ_le_zero k)⟩
  | cons x xs ih =>
    have rest : j ∈ reaching c (i + 1) xs ↔ ∃ k, k < xs.length ∧ j = i + (k + 1) ∧ c ≤ entry xs k :=
      ih.trans ⟨fun ⟨k, h, e, l⟩ => ⟨k, h, e.trans (Nat.add_right_comm i 1 k), l⟩,
        fun ⟨k, h, e, l⟩ => ⟨k, h, e.trans (Nat.add_right_comm i k 1), l⟩⟩
    have later : (∃ k, k < xs.length ∧ j = i + (k + 1) ∧ c ≤ entry xs k) →
        ∃ k, k < (x :: xs).length ∧ j = i + k ∧ c ≤ entry (x :: xs) k :=
      fun ⟨k, h, e, l⟩ => ⟨k + 1, Nat.succ_le_succ h, e, l⟩
    by_cases hx : c ≤ x
    · have e : reaching c i (x :: xs) = i :: reaching c (i + 1) xs := if_pos hx
      rw [e]
      constructor
      · intro h
        cases h with
        | head => exact ⟨0, Nat.succ_le_succ (Nat.zero_le _), rfl, hx⟩
        | tail _ h => exact later (rest.mp h)
      · intro ⟨k, h, e, l⟩
        cases k with
        | zero => rw [e]; exact .head _
        | succ k => exact .tail i (rest.mpr ⟨k, Nat.le_of_succ_le_succ h, e, l⟩)
    · have e : reaching c i (x :: xs) = reaching c (i + 1) xs := if_neg hx
      rw [e]
      refine rest.trans ⟨later, fun ⟨k, h, e, l⟩ => ?_⟩
      cases k with
      | zero => exact absurd l hx
      | succ k => exact ⟨k, Nat.le_of_succ_le_succ h, e, l⟩
/-- The indices are listed in ascending order. -/
theorem reaching_ascending (c : Int) (i : Nat) (z : List Int) : Pairwise (fun a b => a < b) (reaching c i z) := by
  induction z generalizing i with
  | nil => exact .nil
  | cons x xs ih =>
    by_cases hx : c ≤ x
    · have e : reaching c i (x :: xs) = i :: reaching c (i + 1) xs := if_pos hx
      rw [e]
      refine .cons (fun b m => ?_) (ih (i + 1))
      obtain ⟨k, _, e, _⟩ := mem_reaching.mp m
      rw [e]; exact Nat.le_add_right (i + 1) k
    · have e : reaching c i (x :: xs) = reaching c (i + 1) xs := if_neg hx
      rw [e]; exact ih (i + 1)
/-- All indices are listed. -/
theorem mem_indices {i j : Nat} {z : List Int} : j ∈ indices i z ↔ ∃ k, k < z.length ∧ j = i + k := by
  induction z generalizing i with
  | nil => exact ⟨fun h => (nomatch h), fun ⟨k, h, _⟩ => absurd h (Nat.not_succ_le_zero k)⟩
  | cons x xs ih =>
    constructor
    · intro h
      cases h with
      | head => exact ⟨0, Nat.succ_le_succ (Nat.zero_le _), rfl⟩
      | tail _ h =>
        obtain ⟨k, h, e⟩ := ih.mp h
        exact ⟨k + 1, Nat.succ_le_succ h, e.trans (Nat.add_right_comm i 1 k)⟩
    · intro ⟨k, h, e⟩
      cases k with
      | zero => rw [e]; exact .head _
      | succ k => exact .tail i (ih.mpr ⟨k, Nat.le_of_succ_le_succ h, e.trans (Nat.add_right_comm i k 1)⟩)
/-- The indices are listed in ascending order. -/
theorem indices_ascending (i : Nat) (z : List Int) : Pairwise (fun a b => a < b) (indices i z) := by
  induction z generalizing i with
  | nil => exact .nil
  | cons x xs ih =>
    refine .cons (fun b m => ?_) (ih (i + 1))
    obtain ⟨k, _, e⟩ := mem_indices.mp m
    rw [e]; exact Nat.le_add_right (i + 1) k

/-- Membership in the candidates seen from `w`, for bounds that fit. -/
theorem mem_candidatesFrom {z ε : List Int} (fit : boundsFit z ε = true) {w j : Nat} :
    j ∈ candidatesFrom z ε w ↔ j < z.length ∧ entry z w - entry ε w ≤ entry z j + entry ε j := by
  have hl := (boundsFit_iff.mp fit).1
  have e : candidatesFrom z ε w = reaching (entry z w - entry ε w) 0 (addEntries z ε) := by unfold candidatesFrom; rw [fit]; rfl
  rw [e]
  refine mem_reaching.trans ⟨fun ⟨k, h, e, l⟩ => ?_, fun ⟨h, l⟩ => ⟨j, ?_, (Nat.zero_add j).symm, ?_⟩⟩
  · rw [Nat.zero_add] at e
    rw [length_addEntries hl] at h
    rw [entry_addEntries hl h] at l
    rw [e]; exact ⟨h, l⟩
  · rw [length_addEntries hl]; exact h
  · rw [entry_addEntries hl h]; exact l

/-- Bounds that do not fit leave every index a candidate. -/
theorem mem_candidatesFrom_of_not_fit {z ε : List Int} (n : boundsFit z ε = false) {w j : Nat} :
    j ∈ candidatesFrom z ε w ↔ j < z.length := by
  have e : candidatesFrom z ε w = indices 0 z := by unfold candidatesFrom; rw [n]; rfl
  rw [e]
  refine mem_indices.trans ⟨fun ⟨k, h, e⟩ => ?_, fun h => ⟨j, h, (Nat.zero_add j).symm⟩⟩
  rw [e, Nat.zero_add]; exact h

/-- Membership in the candidates, for bounds that fit: `z_j + ε_j ≥ z_i - ε_i` for all `i`. -/
theorem mem_candidates {z ε : List Int} (fit : boundsFit z ε = true) {j : Nat} :
    j ∈ candidates z ε ↔ j < z.length ∧ ∀ i, i < z.length → entry z i - entry ε i ≤ entry z j + entry ε j := by
  -- the best lower end belongs to the index from which `candidates` looks
  have best : ∀ {j}, j < z.length → argmax (addEntries z (ε.map fun e => -e)) < z.length
      ∧ ∀ i, i < z.length → entry z i - entry ε i ≤ entry z (argmax (addEntries z (ε.map fun e => -e)))
          - entry ε (argmax (addEntries z (ε.map fun e => -e))) := fun h => by
    have hl := (boundsFit_iff.mp fit).1
    have hn : z.length = (ε.map fun e => -e).length := by rw [length_map]; exact hl
    have len := length_addEntries hn
    have low : ∀ i, i < z.length → entry (addEntries z (ε.map fun e => -e)) i = entry z i - entry ε i :=
      fun i hi => by rw [entry_addEntries hn hi, entry_map _ (by rw [← hl]; exact hi)]; rfl
    obtain ⟨ha, top⟩ := (argmax_spec (ne_nil_of_lt_length (by rw [len]; exact h))).1
    rw [len] at ha top
    exact ⟨ha, fun i hi => by rw [← low i hi, ← low _ ha]; exact top i hi⟩
  exact (mem_candidatesFrom fit).trans ⟨fun ⟨h, l⟩ => ⟨h, fun i hi => Int.le_trans ((best h).2 i hi) l⟩,
    fun ⟨h, l⟩ => ⟨h, l _ (best h).1⟩⟩

/-- A candidate is an index of the scores. -/
theorem lt_of_mem_candidates {z ε : List Int} {j : Nat} (h : j ∈ candidates z ε) : j < z.length := by
  cases fit : boundsFit z ε with
  | true => exact ((mem_candidatesFrom fit).mp h).1
  | false => exact (mem_candidatesFrom_of_not_fit fit).mp h

/-- The candidates come in ascending order, so the first one wins a tie. -/
theorem candidates_ascending (z ε : List Int) : Pairwise (fun a b => a < b) (candidates z ε) := by
  unfold candidates candidatesFrom
  cases boundsFit z ε with
  | true => exact reaching_ascending _ 0 _
  | false => exact indices_ascending 0 z

/-- **The candidates contain every true argmax.**  Whatever the true scores within the bounds are, and whatever
the rule on ties: each of their maximisers is a candidate. -/
theorem candidates_contain_argmax {z ε z' : List Int} {j : Nat} (near : Within (entry ε) z z')
    (hj : IsMaximiser z' j) : j ∈ candidates z ε := by
  obtain ⟨h, top⟩ := hj
  rw [near.length_eq] at h
  cases fit : boundsFit z ε with
  | true =>
    refine (mem_candidates fit).mpr ⟨h, fun i hi => ?_⟩
    lin [near.lower i hi, top i (by rw [near.length_eq]; exact hi), near.upper j h]
  | false => exact (mem_candidatesFrom_of_not_fit fit).mpr h

/-- The candidates are among the candidates seen from any index `w`. -/
theorem candidates_subset {z ε : List Int} {w j : Nat} (hw : w < z.length) (h : j ∈ candidates z ε) :
    j ∈ candidatesFrom z ε w := by
  cases fit : boundsFit z ε with
  | true =>
    obtain ⟨hj, top⟩ := (mem_candidates fit).mp h
    exact (mem_candidatesFrom fit).mpr ⟨hj, top w hw⟩
  | false => exact (mem_candidatesFrom_of_not_fit fit).mpr ((mem_candidatesFrom_of_not_fit fit).mp h)

/-- Seen from any index `w` the candidates contain every true argmax too. -/
theorem candidatesFrom_contain_argmax {z ε z' : List Int} {w j : Nat} (hw : w < z.length)
    (near : Within (entry ε) z z') (hj : IsMaximiser z' j) : j ∈ candidatesFrom z ε w :=
  candidates_subset hw (candidates_contain_argmax near hj)

/-- **The candidates are exact** (sharp): an index is a candidate precisely when some true scores within the
bounds make it a maximiser.  So no smaller set would do. -/
theorem candidates_exact {z ε : List Int} (fit : boundsFit z ε = true) {j : Nat} :
    j ∈ candidates z ε ↔ ∃ z', Within (entry ε) z z' ∧ IsMaximiser z' j := by
  refine ⟨fun h => ?_, fun ⟨z', near, k⟩ => candidates_contain_argmax near k⟩
  obtain ⟨hj, top⟩ := (mem_candidates fit).mp h
  have near := favour_within (boundsFit_iff.mp fit).2 j
  refine ⟨favour (entry ε) z j, near, by rw [near.length_eq]; exact hj, fun i hi => ?_⟩
  rw [near.length_eq] at hi
  rw [entry_favour_self hj]
  by_cases e : i = j
  · rw [e, entry_favour_self hj]; exact Int.le_refl _
  · rw [entry_favour_ne hi e]; exact top i hi

/-- Not vacuous: of four scores with bounds 1, 2, 0, 1 only the first two can win, and the second one does when the true
scores are 8, 9, 1, 3; seen from the weak index 3 all but the third remain; a negative bound says nothing and leaves
every index. -/
theorem candidates_nonvacuous : candidates [9, 7, 1, 3] [1, 2, 0, 1] = [0, 1]
    ∧ Within (entry [1, 2, 0, 1]) [9, 7, 1, 3] [8, 9, 1, 3] ∧ argmax [8, 9, 1, 3] = 1
    ∧ candidatesFrom [9, 7, 1, 3] [1, 2, 0, 1] 3 = [0, 1, 3]
    ∧ candidates [9, 7, 1, 3] [1, 2, 0, -1] = [0, 1, 2, 3] := ⟨rfl, ⟨rfl, by decide, by decide⟩, rfl, rfl, rfl⟩

end Gnosis
