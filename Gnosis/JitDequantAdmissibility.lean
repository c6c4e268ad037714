prelude
import Gnosis.Decision.Jit
import Gnosis.EnergyMarginBridgeAdmissibility
import Gnosis.QualityMarginCacheAdmissibility
import Gnosis.Foundation.Selection
import Gnosis.Foundation.Vectors
/-! # Just-in-time dequantization: serving from coarse rows

A layer has true rows `W_i = Ŵ_i + τ_i`.  At serve time only the decoded rows `Ŵ_i` are present, with the activation
`a` and, for each row, an upper bound `E_i` on the energy of its residual `τ_i` (the sidecar).  The theorems of this
module put together the energy gate (`Gnosis.EnergyMarginBridgeAdmissibility`) and the margin gates
(`Gnosis.QualityMarginCacheAdmissibility`): the winner of the coarse logits is the winner of the true ones; or the few
rows that can win are recomputed exactly, and then nothing is lost.

The margin is always measured on the coarse logits, the only ones that exist before a recomputation. -/
namespace Gnosis
open List

/-! ## The layer -/

/-- The logits of a layer with rows `W` at the activation `a`: one scalar product for each row. -/
def logits (W : List (List Int)) (a : List Int) : List Int := W.map fun r => dot r a

/-- The true rows: decoded row plus residual, row by row. -/
def addRows : List (List Int) → List (List Int) → List (List Int)
  | r :: rs, t :: ts => addEntries r t :: addRows rs ts
  | _, _ => []

/-- What the sidecars claim about a layer: there is a residual of the same width for each decoded row, `E_i` bounds
the energy of residual `i`, and `A` bounds the energy of the activation. -/
structure Sidecars (Wh T : List (List Int)) (a E : List Int) (A : Int) : Prop where
  /-- a residual for each decoded row, of the same width -/
  residuals : Forall₂ (fun r t => List.length r = List.length t) Wh T
  /-- each sidecar bounds the energy of its residual -/
  energies : Forall₂ (fun t e => energy t ≤ e) T E
  /-- the activation's energy is bounded too -/
  activation : energy a ≤ A

/-- The true logits are the coarse ones plus the scalar products with the residuals. -/
theorem logits_addRows {Wh T : List (List Int)} (fit : Forall₂ (fun r t => List.length r = List.length t) Wh T)
    (a : List Int) : logits (addRows Wh T) a = addEntries (logits Wh a) (logits T a) := by
  induction fit with
  | nil => rfl
  | cons h _ ih =>
    show dot (addEntries _ _) a :: logits (addRows _ _) a = _
    rw [dot_addEntries h, ih]; rfl

/-- What holds of each residual with its sidecar holds of each error of a logit with its sidecar. -/
theorem errors_of_sidecars {T : List (List Int)} {a E : List Int} {p : Int → Int → Prop}
    (energies : Forall₂ (fun t e => energy t ≤ e) T E)
    (h : ∀ t e, energy t ≤ e → e ∈ E → p (dot t a) e) :
    ∀ i, i < E.length → p (entry (logits T a) i) (entry E i) := by
  induction energies with
  | nil => exact fun i hi => absurd hi (Nat.not_succ_le_zero i)
  | cons k _ ih =>
    exact forall_index_cons.mpr ⟨h _ _ k (.head _), ih fun t e he m => h t e he (.tail _ m)⟩

/-- The layer read index by index: lengths, and each true logit as coarse logit plus error. -/
theorem Sidecars.true_logits {Wh T : List (List Int)} {a E : List Int} {A : Int} (side : Sidecars Wh T a E A) :
    E.length = (logits Wh a).length ∧ (logits (addRows Wh T) a).length = (logits Wh a).length
      ∧ ∀ i, i < (logits Wh a).length →
          entry (logits (addRows Wh T) a) i = entry (logits Wh a) i + entry (logits T a) i := by
  have hl : (logits Wh a).length = (logits T a).length :=
    (length_map _ Wh).trans (side.residuals.length_eq.trans (length_map _ T).symm)
  rw [logits_addRows side.residuals]
  exact ⟨side.energies.length_eq.symm.trans ((length_map _ T).symm.trans hl.symm), length_addEntries hl,
    fun i hi => entry_addEntries hl hi⟩

/-! ## One margin for all rows -/

/-- What the weak decision checks. -/
theorem jitAdmit_iff {z : List Int} {w : Nat} {E : List Int} {A γ : Int} : jitAdmit z w E A γ = true ↔
    z.length = E.length ∧ w < z.length ∧ (∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j)
      ∧ ∀ e, e ∈ E → energySidecarAdmit e A γ = true := by
  constructor
  · intro h
    obtain ⟨h, h₄⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.beq_eq_true_iff.mp h₁, of_decide_eq_true h₂,
      fun j hj n => by lin [(leads_same_iff _ _ _ _).mp h₃ j hj n], all_eq_true.mp h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr
      ⟨Nat.beq_eq_true_iff.mpr h₁, decide_eq_true h₂⟩,
      (leads_same_iff _ _ _ _).mpr fun j hj n => by lin [h₃ j hj n]⟩, all_eq_true.mpr h₄⟩

/-- What the strict decision checks. -/
theorem jitAdmitStrict_iff {z : List Int} {w : Nat} {E : List Int} {A γ : Int} : jitAdmitStrict z w E A γ = true ↔
    z.length = E.length ∧ w < z.length ∧ (∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j)
      ∧ ∀ e, e ∈ E → energySidecarAdmitStrict e A γ = true := by
  constructor
  · intro h
    obtain ⟨h, h₄⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h, h₃⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.beq_eq_true_iff.mp h₁, of_decide_eq_true h₂,
      fun j hj n => by lin [(leads_same_iff _ _ _ _).mp h₃ j hj n], all_eq_true.mp h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    exact Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr
      ⟨Nat.beq_eq_true_iff.mpr h₁, decide_eq_true h₂⟩,
      (leads_same_iff _ _ _ _).mpr fun j hj n => by lin [h₃ j hj n]⟩, all_eq_true.mpr h₄⟩

/-- **Serving from coarse rows is sound.**  If the sidecars are true and the gate admits the winner `w` of the coarse
logits at the margin `γ` measured on them, then `w` is a maximiser of the true logits.  Another row may tie
with it (`jit_tie`). -/
theorem jit_dequant_sound {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}
    (side : Sidecars Wh T a E A) (admitted : jitAdmit (logits Wh a) w E A γ = true) :
    IsMaximiser (logits (addRows Wh T) a) w := by
  obtain ⟨hE, hw, gap, gate⟩ := jitAdmit_iff.mp admitted
  obtain ⟨_, len, eq⟩ := side.true_logits
  have err := errors_of_sidecars (a := a) (p := fun x _ => -γ ≤ 2 * x ∧ 2 * x ≤ γ) side.energies
    fun t e he m => energy_sidecar_sound he side.activation (gate e m)
  refine ⟨by rw [len]; exact hw, fun j hj => ?_⟩
  rw [len] at hj
  by_cases n : j = w
  · rw [n]; exact Int.le_refl _
  · rw [eq j hj, eq w hw]
    refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
    have g := gap j hj n
    lin [g, g, (err j (by rw [← hE]; exact hj)).2, (err w (by rw [← hE]; exact hw)).1]

/-- **Serving from coarse rows is sound, strict form.**  If the sidecars are true and the strict gate admits, then `w`
is the only maximiser of the true logits: every rule on ties returns it. -/
theorem jit_dequant_sound_strict {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat}
    (side : Sidecars Wh T a E A) (admitted : jitAdmitStrict (logits Wh a) w E A γ = true) :
    IsOnlyMaximiser (logits (addRows Wh T) a) w := by
  obtain ⟨hE, hw, gap, gate⟩ := jitAdmitStrict_iff.mp admitted
  obtain ⟨_, len, eq⟩ := side.true_logits
  have err := errors_of_sidecars (a := a) (p := fun x _ => -γ < 2 * x ∧ 2 * x < γ) side.energies
    fun t e he m => energy_sidecar_sound_strict he side.activation (gate e m)
  refine ⟨by rw [len]; exact hw, fun j hj n => ?_⟩
  rw [len] at hj
  rw [eq j hj, eq w hw]
  have g := gap j hj n
  have k₁ := (err j (by rw [← hE]; exact hj)).2
  have k₂ := (err w (by rw [← hE]; exact hw)).1
  rcases Int.lt_or_ge (entry (logits Wh a) j + entry (logits T a) j) (entry (logits Wh a) w + entry (logits T a) w)
    with h | h
  · exact h
  · exact (by lin [g, g, k₁, k₂, h, h] : False).elim

/-- The weak gate allows a tie: decoded rows 0 and 2, residuals 1 and -1, activation 1, margin 2.  It admits row 1
with true sidecars, the strict gate does not, and the true logits are 1 and 1. -/
theorem jit_tie : Sidecars [[0], [2]] [[1], [-1]] [1] [1, 1] 1
    ∧ jitAdmit (logits [[0], [2]] [1]) 1 [1, 1] 1 2 = true
    ∧ jitAdmitStrict (logits [[0], [2]] [1]) 1 [1, 1] 1 2 = false
    ∧ logits (addRows [[0], [2]] [[1], [-1]]) [1] = [1, 1] :=
  ⟨⟨.cons rfl (.cons rfl .nil), .cons (by decide) (.cons (by decide) .nil), by decide⟩, rfl, rfl, rfl⟩

/-- **The gate is sharp**: on the layer with decoded rows 0 and `γ`, residuals `e` and `-e` and activation 1, with
exact sidecars, the weak gate admits row 1 precisely when row 1 is a maximiser of the true logits.  So no
comparison weaker than `4·E·A ≤ γ²` would be sound. -/
theorem jit_sharp {e γ : Int} (he : 0 ≤ e) (hγ : 0 ≤ γ) :
    jitAdmit (logits [[0], [γ]] [1]) 1 [e * e, e * e] 1 γ = true
      ↔ IsMaximiser (logits (addRows [[0], [γ]] [[e], [-e]]) [1]) 1 := by
  have side : Sidecars [[0], [γ]] [[e], [-e]] [1] [e * e, e * e] 1 :=
    ⟨.cons rfl (.cons rfl .nil), .cons (Int.le_of_eq (by show e * e + 0 = _; ring))
      (.cons (Int.le_of_eq (by show -e * -e + 0 = _; ring)) .nil), by decide⟩
  refine ⟨jit_dequant_sound side, fun h => jitAdmit_iff.mpr ⟨rfl, .refl, ?_, ?_⟩⟩
  · refine forall_index_cons.mpr ⟨fun _ => ?_, forall_index_cons.mpr ⟨fun n => absurd rfl n,
      fun i hi => absurd hi (Nat.not_succ_le_zero i)⟩⟩
    show γ ≤ γ * 1 + 0 - (0 * 1 + 0)
    exact Int.le_of_eq (by ring)
  · have k : (0 + e) * 1 + 0 ≤ (γ + -e) * 1 + 0 := h.2 0 (Nat.succ_le_succ (Nat.zero_le _))
    have k : 2 * e ≤ γ := by lin [k]
    have gate : energySidecarAdmit (e * e) 1 γ = true :=
      energySidecarAdmit_iff.mpr ⟨Int.sq_nonneg e, by decide, hγ,
        by lin [Int.sq_le_sq_of_abs_le (x := 2 * e) (y := γ) (by lin [he, he, hγ]) k]⟩
    intro x m
    cases m with
    | head => exact gate
    | tail _ m => cases m with
      | head => exact gate
      | tail _ m => exact nomatch m

/-- Not vacuous: three rows of width 2 with non-zero residuals; the coarse logits are 11, 4 and 3, the margin is 7, and
`4·2·5 = 40 < 49`. -/
theorem jit_nonvacuous : Sidecars [[5, 1], [1, 2], [0, 3]] [[1, 0], [0, 1], [-1, 1]] [2, 1] [1, 1, 2] 5
    ∧ logits [[5, 1], [1, 2], [0, 3]] [2, 1] = [11, 4, 3]
    ∧ jitAdmit (logits [[5, 1], [1, 2], [0, 3]] [2, 1]) 0 [1, 1, 2] 5 7 = true
    ∧ jitAdmitStrict (logits [[5, 1], [1, 2], [0, 3]] [2, 1]) 0 [1, 1, 2] 5 7 = true :=
  ⟨⟨.cons rfl (.cons rfl (.cons rfl .nil)),
    .cons (by decide) (.cons (by decide) (.cons (by decide) .nil)), by decide⟩, rfl, rfl, rfl⟩

/-! ## One bound for each row -/

/-- What `errorsWithin` checks: one bound for each sidecar, and the sidecar gate at twice the bound. -/
theorem errorsWithin_iff {A : Int} {E ε : List Int} : errorsWithin A E ε = true ↔
    E.length = ε.length ∧ ∀ i, i < E.length → energySidecarAdmit (entry E i) A (2 * entry ε i) = true := by
  induction E generalizing ε with
  | nil => cases ε with
    | nil => exact ⟨fun _ => ⟨rfl, fun i hi => absurd hi (Nat.not_succ_le_zero i)⟩, fun _ => rfl⟩
    | cons _ _ => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
  | cons e es ih => cases ε with
    | nil => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
    | cons b bs =>
      refine Bool.and_eq_true_iff.trans ⟨fun ⟨h, k⟩ => ?_, fun ⟨hl, h⟩ => ?_⟩
      · obtain ⟨hl, k⟩ := ih.mp k
        exact ⟨congrArg Nat.succ hl, forall_index_cons.mpr ⟨h, k⟩⟩
      · obtain ⟨h, k⟩ := forall_index_cons.mp h
        exact ⟨h, ih.mpr ⟨Nat.add_right_cancel hl, k⟩⟩

/-- **Sidecars bound the errors of the logits.**  If the sidecars are true and `E_i·A ≤ ε_i²` for each row, then the true
logit of row `i` lies within `ε_i` of the coarse one. -/
theorem jit_within {Wh T : List (List Int)} {a E ε : List Int} {A : Int} (side : Sidecars Wh T a E A)
    (errors : errorsWithin A E ε = true) : Within (entry ε) (logits Wh a) (logits (addRows Wh T) a) := by
  obtain ⟨hE, len, eq⟩ := side.true_logits
  obtain ⟨_, gate⟩ := errorsWithin_iff.mp errors
  have err : ∀ i, i < E.length → -(entry ε i) ≤ entry (logits T a) i ∧ entry (logits T a) i ≤ entry ε i :=
    fun i hi => by
      have k := errors_of_sidecars (a := a) (p := fun x e => ∀ γ, energySidecarAdmit e A γ = true →
        -γ ≤ 2 * x ∧ 2 * x ≤ γ) side.energies (fun t e he _ γ g => energy_sidecar_sound he side.activation g)
        i hi _ (gate i hi)
      exact ⟨Int.le_of_mul_le_mul_left (a := 2) (by lin [k.1]) (by decide),
        Int.le_of_mul_le_mul_left (a := 2) k.2 (by decide)⟩
  refine ⟨len, fun i hi => ?_, fun i hi => ?_⟩
  · rw [eq i hi]; lin [(err i (by rw [hE]; exact hi)).1]
  · rw [eq i hi]; lin [(err i (by rw [hE]; exact hi)).2]

/-- **Row-wise form.**  If the sidecars are true and the row-wise gate admits `w`, then `w` is the only maximiser of the
true logits. -/
theorem jit_row_sound {Wh T : List (List Int)} {a E ε : List Int} {A : Int} {w : Nat} (side : Sidecars Wh T a E A)
    (admitted : jitRowAdmit (logits Wh a) w ε E A = true) : IsOnlyMaximiser (logits (addRows Wh T) a) w := by
  obtain ⟨errors, admitted⟩ := Bool.and_eq_true_iff.mp admitted
  exact row_admit_sound admitted (jit_within side errors)

/-- The row-wise form admits where one margin for all rows does not: one row with a large residual far behind the winner
spoils the common gate (`4·100·1 > 10²`), not the row-wise one (`1 + 10 < 20`). -/
theorem jit_row_nonvacuous : Sidecars [[20], [0], [10]] [[1], [10], [1]] [1] [1, 100, 1] 1
    ∧ jitRowAdmit (logits [[20], [0], [10]] [1]) 0 [1, 10, 1] [1, 100, 1] 1 = true
    ∧ jitAdmit (logits [[20], [0], [10]] [1]) 0 [1, 100, 1] 1 10 = false :=
  ⟨⟨.cons rfl (.cons rfl (.cons rfl .nil)),
    .cons (by decide) (.cons (by decide) (.cons (by decide) .nil)), by decide⟩, rfl, rfl⟩

/-! ## Recomputing the candidates -/

/-- What the scan returns: the first of the largest entries, in the order of the list. -/
theorem argmaxAmong_spec (z : List Int) (j : Nat) (js : List Nat) (asc : Pairwise (fun a b => a < b) (j :: js)) :
    argmaxAmong z j js ∈ j :: js ∧ (∀ k, k ∈ j :: js → entry z k ≤ entry z (argmaxAmong z j js))
      ∧ ∀ k, k ∈ j :: js → k < argmaxAmong z j js → entry z k < entry z (argmaxAmong z j js) := by
  induction js generalizing j with
  | nil =>
    refine ⟨.head _, fun k m => ?_, fun k m h => ?_⟩
    · cases m with
      | head => exact Int.le_refl _
      | tail _ m => exact nomatch m
    · cases m with
      | head => exact absurd .refl (Nat.not_le_of_lt h)
      | tail _ m => exact nomatch m
  | cons i js ih =>
    have hji : j < i := by
      cases asc with
      | cons h _ => exact h i (.head _)
    by_cases h : entry z j < entry z i
    · have e : argmaxAmong z j (i :: js) = argmaxAmong z i js := if_pos h
      rw [e]
      obtain ⟨m, top, first⟩ := ih i (pairwise_tail asc)
      have hj := Int.lt_of_lt_of_le h (top i (.head _))
      refine ⟨.tail j m, fun k mk => ?_, fun k mk hk => ?_⟩
      · cases mk with
        | head => exact Int.le_of_lt hj
        | tail _ mk => exact top k mk
      · cases mk with
        | head => exact hj
        | tail _ mk => exact first k mk hk
    · have e : argmaxAmong z j (i :: js) = argmaxAmong z j js := if_neg h
      rw [e]
      have h : entry z i ≤ entry z j := (Int.lt_or_ge (entry z j) (entry z i)).elim (fun k => absurd k h) id
      obtain ⟨m, top, first⟩ := ih j (pairwise_drop_second asc)
      have hi := Int.le_trans h (top j (.head _))
      refine ⟨?_, fun k mk => ?_, fun k mk hk => ?_⟩
      · generalize argmaxAmong z j js = r at m
        cases m with
        | head => exact .head _
        | tail _ m => exact .tail _ (.tail _ m)
      · cases mk with
        | head => exact top j (.head _)
        | tail _ mk => cases mk with
          | head => exact hi
          | tail _ mk => exact top k (.tail _ mk)
      · cases mk with
        | head => exact first j (.head _) hk
        | tail _ mk => cases mk with
          | head => exact Int.lt_of_le_of_lt h (first j (.head _) (Nat.lt_of_le_of_lt (Nat.le_trans (Nat.le_succ j) hji) hk))
          | tail _ mk => exact first k (.tail _ mk) hk

/-- **A miss never lies.**  Recompute exactly every row of `{j : ẑ_j + ε_j ≥ max_i (ẑ_i - ε_i)}`: the argmax among
them, lowest index on ties, is the argmax of all true logits, as long as each true logit lies within its bound. -/
theorem miss_never_lies {coarse exact ε : List Int} (near : Within (entry ε) coarse exact) :
    servedArgmax coarse exact ε = argmax exact := by
  cases coarse with
  | nil => cases exact with
    | nil =>
      unfold servedArgmax candidates candidatesFrom
      cases boundsFit [] ε with
      | true => rfl
      | false => rfl
    | cons _ _ => exact nomatch near.length_eq
  | cons x xs =>
    have best : IsArgmax exact (argmax exact) :=
      argmax_spec (ne_nil_of_lt_length (n := 0) (by rw [near.length_eq]; exact Nat.succ_le_succ (Nat.zero_le _)))
    have mem := candidates_contain_argmax near best.1
    have asc := candidates_ascending (x :: xs) ε
    have lt : ∀ j, j ∈ candidates (x :: xs) ε → j < exact.length := fun j m => by
      rw [near.length_eq]; exact lt_of_mem_candidates m
    unfold servedArgmax
    generalize candidates (x :: xs) ε = js at *
    cases js with
    | nil => exact nomatch mem
    | cons j js =>
      show argmaxAmong exact j js = _
      obtain ⟨m, top, first⟩ := argmaxAmong_spec exact j js asc
      generalize argmaxAmong exact j js = r at *
      refine (IsArgmax.unique best ⟨⟨lt r m, fun k hk => Int.le_trans (best.1.2 k hk) (top _ mem)⟩, fun k hk => ?_⟩).symm
      rcases Nat.lt_or_ge (argmax exact) r with h | h
      · exact (Int.not_le_of_lt (first _ mem h) (best.1.2 r (lt r m))).elim
      · exact Int.lt_of_lt_of_le (best.2 k (Nat.lt_of_lt_of_le hk h)) (top _ mem)

/-- Only the candidates need to be recomputed: what is served depends on no other entry of the exact logits. -/
theorem served_reads_candidates {coarse exact exact' ε : List Int}
    (h : ∀ j, j ∈ candidates coarse ε → entry exact j = entry exact' j) :
    servedArgmax coarse exact ε = servedArgmax coarse exact' ε := by
  unfold servedArgmax
  generalize candidates coarse ε = js at h
  cases js with
  | nil => rfl
  | cons j js => exact go j js h
where
  go {z z' : List Int} (j : Nat) (js : List Nat) (h : ∀ k, k ∈ j :: js → entry z k = entry z' k) :
      argmaxAmong z j js = argmaxAmong z' j js := by
    induction js generalizing j with
    | nil => rfl
    | cons i js ih =>
      unfold argmaxAmong
      obtain ⟨hj, h⟩ := forall_mem_cons h
      obtain ⟨hi, h⟩ := forall_mem_cons h
      rw [hj, hi, ih i (fun k m => by cases m with
        | head => exact hi
        | tail _ m => exact h k m), ih j (fun k m => by cases m with
        | head => exact hj
        | tail _ m => exact h k m)]

/-- **Candidates from sidecars.**  If the sidecars are true and the bounds `ε` follow from them, then every maximiser of
the true logits is a candidate, and recomputing the candidates alone returns the true argmax. -/
theorem jit_candidates_exact {Wh T : List (List Int)} {a E ε : List Int} {A : Int} (side : Sidecars Wh T a E A)
    (errors : errorsWithin A E ε = true) :
    (∀ w, IsMaximiser (logits (addRows Wh T) a) w → w ∈ candidates (logits Wh a) ε)
      ∧ servedArgmax (logits Wh a) (logits (addRows Wh T) a) ε = argmax (logits (addRows Wh T) a) :=
  ⟨fun _ h => candidates_contain_argmax (jit_within side errors) h, miss_never_lies (jit_within side errors)⟩

/-- Not vacuous: coarse logits 10, 9, 2 with bounds 1, 1, 1.  Two of three rows are recomputed, and the winner
changes from row 0 to row 1. -/
theorem miss_never_lies_nonvacuous : Within (entry [1, 1, 1]) [10, 9, 2] [9, 10, 1]
    ∧ candidates [10, 9, 2] [1, 1, 1] = [0, 1] ∧ argmax [10, 9, 2] = 0
    ∧ servedArgmax [10, 9, 2] [9, 10, 1] [1, 1, 1] = 1 ∧ argmax [9, 10, 1] = 1 :=
  ⟨⟨rfl, by decide, by decide⟩, rfl, rfl, rfl, rfl⟩

end Gnosis
