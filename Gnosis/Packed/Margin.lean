prelude
import Gnosis.Packed.Energy
import Gnosis.QualityMarginCacheAdmissibility
/-! # Argmax and margin gates in a form that the kernel evaluates fast

Vectors are numbers in the encoding of `Gnosis.Packed.Energy` (`n` digits of `w + 1` bits, each an entry plus the bias
`2^w`); only operations that the kernel performs on literals and recursors are used.  A margin compares two entries, so the
bias cancels and the scans compare digits.  Each form is proved equal to its decision.

These definitions are for the kernel, not for compiled code. -/
namespace Gnosis

/-- The lowest digit of `p`. -/
noncomputable def lowDigit (w p : Nat) : Nat := Nat.mod p (Nat.pow (nat_lit 2) (Nat.succ w))

/-- `p` without its lowest digit. -/
noncomputable def dropDigit (w p : Nat) : Nat := Nat.div p (Nat.pow (nat_lit 2) (Nat.succ w))

/-- `p` without its `i` lowest digits. -/
noncomputable def dropDigits (w i : Nat) : Nat → Nat :=
  Nat.rec (motive := fun _ => Nat → Nat) (fun p => p) (fun _ next p => next (dropDigit w p)) i

/-- The scan of `argmaxFrom` over `n` digits of `p`: `best` is the largest digit so far, found at index `b`; the lowest
digit of `p` has index `i`. -/
noncomputable def argmaxScan (w n : Nat) : Nat → Nat → Nat → Nat → Nat :=
  Nat.rec (motive := fun _ => Nat → Nat → Nat → Nat → Nat) (fun _ _ b _ => b)
    (fun _ next p best b i => Bool.rec (motive := fun _ => Nat)
      (next (dropDigit w p) best b (Nat.succ i))
      (next (dropDigit w p) (lowDigit w p) i (Nat.succ i))
      (Nat.ble (Nat.succ best) (lowDigit w p))) n

/-- The argmax of the vector that `p` encodes. -/
noncomputable def argmaxPacked (w n p : Nat) : Nat :=
  Nat.rec (motive := fun _ => Nat) (nat_lit 0)
    (fun k _ => argmaxScan w k (dropDigit w p) (lowDigit w p) (nat_lit 0) (nat_lit 1)) n

/-- The scan of `leads` over `n` digits of `p`, the lowest of which has index `i`: the digit `top` leads every digit
except the one at index `j`, by at least `before` in front of `j` and by at least `after` behind it. -/
noncomputable def leadsScan (w top before after j n : Nat) : Nat → Nat → Bool :=
  Nat.rec (motive := fun _ => Nat → Nat → Bool) (fun _ _ => true)
    (fun _ next p i => Bool.rec (motive := fun _ => Bool) false (next (dropDigit w p) (Nat.succ i))
      (Bool.rec (motive := fun _ => Bool)
        (Bool.rec (motive := fun _ => Bool)
          (Nat.ble (Nat.add (lowDigit w p) after) top)
          (Nat.ble (Nat.add (lowDigit w p) before) top)
          (Nat.ble (Nat.succ i) j))
        true (Nat.beq i j))) n

/-- The digit at index `j` leads the others by at least `before` and `after`, for an index `j` of the vector. -/
noncomputable def leadsPacked (w n p j before after : Nat) : Bool :=
  Bool.rec (motive := fun _ => Bool) false
    (leadsScan w (lowDigit w (dropDigits w j p)) before after j n p (nat_lit 0)) (Nat.ble (Nat.succ j) n)

/-- The weak margin gate on a packed vector. -/
noncomputable def marginPacked (w n p j : Nat) (τ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool)
    (fun t => leadsPacked w n p j (Nat.mul (nat_lit 2) t) (Nat.mul (nat_lit 2) t)) (fun _ => false) τ

/-- The strict margin gate on a packed vector. -/
noncomputable def marginPackedStrict (w n p j : Nat) (τ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool)
    (fun t => leadsPacked w n p j (Nat.succ (Nat.mul (nat_lit 2) t)) (Nat.succ (Nat.mul (nat_lit 2) t)))
    (fun _ => false) τ

/-- The lowest-index margin gate on a packed vector. -/
noncomputable def marginPackedLowest (w n p j : Nat) (τ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool)
    (fun t => leadsPacked w n p j (Nat.succ (Nat.mul (nat_lit 2) t)) (Nat.mul (nat_lit 2) t)) (fun _ => false) τ

/-- No digit of the `n` lowest of `q` is below the bias `2^v`: no entry is negative. -/
noncomputable def nonnegScan (v n : Nat) : Nat → Bool :=
  Nat.rec (motive := fun _ => Nat → Bool) (fun _ => true)
    (fun _ next q => Bool.rec (motive := fun _ => Bool) false (next (dropDigit v q))
      (Nat.ble (Nat.pow (nat_lit 2) v) (lowDigit v q))) n

/-- The scan of the row-wise gate: every digit except the one at index `j`, with its bound and the bound `own` of `j`,
stays below `top`, which is the digit at `j` plus twice the bias of the bounds. -/
noncomputable def rowScan (w v top own j n : Nat) : Nat → Nat → Nat → Bool :=
  Nat.rec (motive := fun _ => Nat → Nat → Nat → Bool) (fun _ _ _ => true)
    (fun _ next p q i => Bool.rec (motive := fun _ => Bool) false (next (dropDigit w p) (dropDigit v q) (Nat.succ i))
      (Bool.rec (motive := fun _ => Bool)
        (Nat.ble (Nat.succ (Nat.add (Nat.add (lowDigit w p) (lowDigit v q)) own)) top) true (Nat.beq i j))) n

/-- The row-wise gate on packed vectors: `n` scores in `p` with bias `2^w`, `m` bounds in `q` with bias `2^v`. -/
noncomputable def rowPacked (w n p v m q j : Nat) : Bool :=
  Bool.rec (motive := fun _ => Bool) false
    (Bool.rec (motive := fun _ => Bool) false
      (Bool.rec (motive := fun _ => Bool) false
        (rowScan w v (Nat.add (lowDigit w (dropDigits w j p)) (Nat.mul (nat_lit 2) (Nat.pow (nat_lit 2) v)))
          (lowDigit v (dropDigits v j q)) j n p q (nat_lit 0))
        (Nat.ble (Nat.succ j) n))
      (nonnegScan v m q))
    (Nat.beq n m)

/-! ## Equality with the decisions -/

/-- The bias of an entry: the digit is the entry plus `2^w`. -/
theorem unpack_succ (w n p : Nat) :
    unpack w (n + 1) p = (Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w)) :: unpack w n (dropDigit w p) := rfl

/-- The digit at index `j` is the entry at index `j` plus the bias. -/
theorem entry_unpack {w n j : Nat} (p : Nat) (h : j < n) :
    entry (unpack w n p) j = Int.ofNat (lowDigit w (dropDigits w j p)) - Int.ofNat (2 ^ w) := by
  induction j generalizing n p with
  | zero => cases n with
    | zero => exact absurd h (Nat.not_succ_le_zero 0)
    | succ n => rfl
  | succ j ih => cases n with
    | zero => exact absurd h (Nat.not_succ_le_zero _)
    | succ n => exact ih (dropDigit w p) (Nat.le_of_succ_le_succ h)

/-- Comparing entries strictly is comparing digits strictly. -/
theorem lt_iff_digit_lt (a b B : Nat) :
    (Int.ofNat a - Int.ofNat B < Int.ofNat b - Int.ofNat B) ↔ Nat.ble (Nat.succ a) b = true := by
  constructor
  · intro h
    exact Nat.ble_eq_true_of_le (Int.ofNat_le.mp (by show Int.ofNat a + 1 ≤ _; lin [h]))
  · intro h
    have h : Int.ofNat a + 1 ≤ Int.ofNat b := Int.ofNat_le.mpr (Nat.le_of_ble_eq_true h)
    lin [h]

/-- The argmax scan over digits is the scan of the decision. -/
theorem argmaxScan_eq (w n p best b i : Nat) : argmaxScan w n p best b i
    = argmaxFrom (Int.ofNat best - Int.ofNat (2 ^ w)) b i (unpack w n p) := by
  induction n generalizing p best b i with
  | zero => rfl
  | succ n ih =>
    have e : argmaxScan w (n + 1) p best b i = Bool.rec (motive := fun _ => Nat)
      (argmaxScan w n (dropDigit w p) best b (i + 1)) (argmaxScan w n (dropDigit w p) (lowDigit w p) i (i + 1))
      (Nat.ble (Nat.succ best) (lowDigit w p)) := rfl
    rw [e, unpack_succ, ih, ih]
    show _ = if Int.ofNat best - Int.ofNat (2 ^ w) < Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w)
      then argmaxFrom _ i (i + 1) _ else argmaxFrom _ b (i + 1) _
    cases h : Nat.ble (Nat.succ best) (lowDigit w p) with
    | true => exact (if_pos ((lt_iff_digit_lt _ _ _).mpr h)).symm
    | false =>
      refine (if_neg (fun k => ?_)).symm
      rw [(lt_iff_digit_lt _ _ _).mp k] at h
      exact nomatch h

/-- **The packed argmax is the argmax** of the encoded vector. -/
theorem argmax_packed_eq (w n p : Nat) : argmaxPacked w n p = argmax (unpack w n p) := by
  cases n with
  | zero => rfl
  | succ n => exact argmaxScan_eq w n (dropDigit w p) (lowDigit w p) 0 1

/-- The margin scan over digits is the scan of the decision. -/
theorem leadsScan_eq (w top before after j n p i : Nat) : leadsScan w top before after j n p i
    = leads (Int.ofNat top - Int.ofNat (2 ^ w)) (Int.ofNat before) (Int.ofNat after) j i (unpack w n p) := by
  induction n generalizing p i with
  | zero => rfl
  | succ n ih =>
    have e : leadsScan w top before after j (n + 1) p i = Bool.rec (motive := fun _ => Bool) false
      (leadsScan w top before after j n (dropDigit w p) (i + 1))
      (Bool.rec (motive := fun _ => Bool)
        (Bool.rec (motive := fun _ => Bool) (Nat.ble (lowDigit w p + after) top) (Nat.ble (lowDigit w p + before) top)
          (Nat.ble (Nat.succ i) j))
        true (Nat.beq i j)) := rfl
    rw [e, unpack_succ, ih]
    have reach : ∀ m : Nat, Nat.ble (lowDigit w p + m) top
        = decide (Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w) + Int.ofNat m ≤ Int.ofNat top - Int.ofNat (2 ^ w)) :=
      fun m => by
        refine (Int.decide_ofNat_le _ _).symm.trans (decide_eq_decide.mpr ⟨fun h => ?_, fun h => ?_⟩)
        · have h : Int.ofNat (lowDigit w p) + Int.ofNat m ≤ Int.ofNat top := h
          lin [h]
        · show Int.ofNat (lowDigit w p) + Int.ofNat m ≤ Int.ofNat top
          lin [h]
    rw [reach, reach]
    generalize Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w) = x, Int.ofNat top - Int.ofNat (2 ^ w) = t,
      dropDigit w p = q
    show _ = ((decide (i = j) || decide (x + (if i < j then Int.ofNat before else Int.ofNat after) ≤ t))
      && leads t (Int.ofNat before) (Int.ofNat after) j (i + 1) (unpack w n q))
    by_cases hij : i = j
    · rw [hij, Nat.beq_refl, decide_eq_true (show j = j from rfl)]; rfl
    · rw [decide_eq_false hij, Bool.eq_false_iff.mpr (fun h => hij (Nat.eq_of_beq_eq_true _ _ h))]
      by_cases hlt : i < j
      · rw [if_pos hlt, Nat.ble_eq_true_of_le hlt]
        cases decide (x + Int.ofNat before ≤ t) with
        | true => rfl
        | false => rfl
      · rw [if_neg hlt, Bool.eq_false_iff.mpr (fun h => hlt (Nat.le_of_ble_eq_true h))]
        cases decide (x + Int.ofNat after ≤ t) with
        | true => rfl
        | false => rfl

/-- The margin check over digits is the check of the decision. -/
theorem leadsPacked_eq (w n p j before after : Nat) : leadsPacked w n p j before after
    = (decide (j < (unpack w n p).length)
      && leads (entry (unpack w n p) j) (Int.ofNat before) (Int.ofNat after) j 0 (unpack w n p)) := by
  rw [length_unpack]
  unfold leadsPacked
  by_cases h : j < n
  · rw [decide_eq_true h, Nat.ble_eq_true_of_le h, entry_unpack p h]
    exact leadsScan_eq _ _ _ _ _ _ _ _
  · rw [decide_eq_false h, Bool.eq_false_iff.mpr (fun k => h (Nat.le_of_ble_eq_true k))]; rfl

/-- A negative bound is refused, whatever else is asked. -/
theorem and_decide_nonneg_negSucc (b c : Bool) (t : Nat) : (b && decide ((0 : Int) ≤ Int.negSucc t) && c) = false := by
  cases b with
  | true => rfl
  | false => rfl
/-- A bound that is written as a natural number is not negative. -/
theorem and_decide_nonneg_ofNat (b c : Bool) (t : Nat) : (b && decide ((0 : Int) ≤ Int.ofNat t) && c) = (b && c) := by
  rw [decide_eq_true (Int.ofNat_nonneg t)]
  cases b with
  | true => rfl
  | false => rfl

/-- **The packed weak margin gate is the weak margin gate.** -/
theorem margin_packed_eq (w n p j : Nat) (τ : Int) : marginPacked w n p j τ = marginAdmit (unpack w n p) j τ := by
  unfold marginAdmit
  cases τ with
  | negSucc t => exact (and_decide_nonneg_negSucc _ _ t).symm
  | ofNat t => exact (leadsPacked_eq w n p j (2 * t) (2 * t)).trans (and_decide_nonneg_ofNat _ _ t).symm

/-- **The packed strict margin gate is the strict margin gate.** -/
theorem margin_packed_strict_eq (w n p j : Nat) (τ : Int) :
    marginPackedStrict w n p j τ = marginAdmitStrict (unpack w n p) j τ := by
  unfold marginAdmitStrict
  cases τ with
  | negSucc t => exact (and_decide_nonneg_negSucc _ _ t).symm
  | ofNat t => exact (leadsPacked_eq w n p j (2 * t + 1) (2 * t + 1)).trans (and_decide_nonneg_ofNat _ _ t).symm

/-- **The packed lowest-index margin gate is the lowest-index margin gate.** -/
theorem margin_packed_lowest_eq (w n p j : Nat) (τ : Int) :
    marginPackedLowest w n p j τ = marginAdmitLowest (unpack w n p) j τ := by
  unfold marginAdmitLowest
  cases τ with
  | negSucc t => exact (and_decide_nonneg_negSucc _ _ t).symm
  | ofNat t => exact (leadsPacked_eq w n p j (2 * t + 1) (2 * t)).trans (and_decide_nonneg_ofNat _ _ t).symm

/-- The scan for negative bounds is the check of all entries. -/
theorem nonnegScan_eq (v n q : Nat) : nonnegScan v n q = (unpack v n q).all (fun e => decide (0 ≤ e)) := by
  induction n generalizing q with
  | zero => rfl
  | succ n ih =>
    have e : nonnegScan v (n + 1) q = Bool.rec (motive := fun _ => Bool) false (nonnegScan v n (dropDigit v q))
      (Nat.ble (2 ^ v) (lowDigit v q)) := rfl
    have d : Nat.ble (2 ^ v) (lowDigit v q) = decide (0 ≤ Int.ofNat (lowDigit v q) - Int.ofNat (2 ^ v)) :=
      (Int.decide_ofNat_le _ _).symm.trans (decide_eq_decide.mpr ⟨Int.sub_nonneg_of_le, Int.le_of_sub_nonneg⟩)
    rw [e, unpack_succ, ih, d]
    show _ = (decide (0 ≤ Int.ofNat (lowDigit v q) - Int.ofNat (2 ^ v)) && _)
    cases decide (0 ≤ Int.ofNat (lowDigit v q) - Int.ofNat (2 ^ v)) with
    | true => rfl
    | false => rfl

/-- The row scan is the scan of the decision over the largest values of the scores. -/
theorem rowScan_eq (w v dj own j n p q i : Nat) : rowScan w v (dj + 2 * 2 ^ v) own j n p q i
    = leads (Int.ofNat dj - Int.ofNat (2 ^ w) - (Int.ofNat own - Int.ofNat (2 ^ v))) 1 1 j i
        (addEntries (unpack w n p) (unpack v n q)) := by
  induction n generalizing p q i with
  | zero => rfl
  | succ n ih =>
    have e : rowScan w v (dj + 2 * 2 ^ v) own j (n + 1) p q i = Bool.rec (motive := fun _ => Bool) false
      (rowScan w v (dj + 2 * 2 ^ v) own j n (dropDigit w p) (dropDigit v q) (i + 1))
      (Bool.rec (motive := fun _ => Bool) (Nat.ble (lowDigit w p + lowDigit v q + own + 1) (dj + 2 * 2 ^ v)) true
        (Nat.beq i j)) := rfl
    have d : Nat.ble (lowDigit w p + lowDigit v q + own + 1) (dj + 2 * 2 ^ v)
        = decide (Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w) + (Int.ofNat (lowDigit v q) - Int.ofNat (2 ^ v)) + 1
          ≤ Int.ofNat dj - Int.ofNat (2 ^ w) - (Int.ofNat own - Int.ofNat (2 ^ v))) := by
      refine (Int.decide_ofNat_le _ _).symm.trans (decide_eq_decide.mpr ⟨fun h => ?_, fun h => ?_⟩)
      · have h : Int.ofNat (lowDigit w p) + Int.ofNat (lowDigit v q) + Int.ofNat own + 1
          ≤ Int.ofNat dj + 2 * Int.ofNat (2 ^ v) := h
        lin [h]
      · show Int.ofNat (lowDigit w p) + Int.ofNat (lowDigit v q) + Int.ofNat own + 1
          ≤ Int.ofNat dj + 2 * Int.ofNat (2 ^ v)
        lin [h]
    rw [e, ih, d, unpack_succ, unpack_succ]
    generalize Int.ofNat (lowDigit w p) - Int.ofNat (2 ^ w) = x, Int.ofNat (lowDigit v q) - Int.ofNat (2 ^ v) = y,
      Int.ofNat dj - Int.ofNat (2 ^ w) - (Int.ofNat own - Int.ofNat (2 ^ v)) = t
    show _ = ((decide (i = j) || decide (x + y + (if i < j then 1 else 1) ≤ t)) && leads t 1 1 j (i + 1) _)
    have one : (if i < j then (1 : Int) else 1) = 1 := by
      by_cases h : i < j
      · exact if_pos h
      · exact if_neg h
    rw [one]
    by_cases hij : i = j
    · rw [hij, Nat.beq_refl, decide_eq_true (show j = j from rfl)]; rfl
    · rw [decide_eq_false hij, Bool.eq_false_iff.mpr (fun h => hij (Nat.eq_of_beq_eq_true _ _ h))]
      cases decide (x + y + 1 ≤ t) with
      | true => rfl
      | false => rfl

/-- **The packed row-wise gate is the row-wise gate.** -/
theorem row_packed_eq (w n p v m q j : Nat) :
    rowPacked w n p v m q j = rowAdmit (unpack w n p) (unpack v m q) j := by
  unfold rowPacked rowAdmit boundsFit
  rw [length_unpack, length_unpack, ← nonnegScan_eq]
  cases h : Nat.beq n m with
  | false => rfl
  | true =>
    have e := Nat.eq_of_beq_eq_true _ _ h
    subst e
    cases nonnegScan v n q with
    | false => rfl
    | true =>
      by_cases hj : j < n
      · rw [decide_eq_true hj, Nat.ble_eq_true_of_le hj, entry_unpack p hj, entry_unpack q hj]
        exact rowScan_eq w v (lowDigit w (dropDigits w j p)) (lowDigit v (dropDigits v j q)) j n p q 0
      · rw [decide_eq_false hj, Bool.eq_false_iff.mpr (fun k => hj (Nat.le_of_ble_eq_true k))]; rfl

/-- The forms by example: the scores 9, 4, 1 with bias 128. -/
theorem margin_packed_instance : unpack 7 3 (137 + 132 * 2 ^ 8 + 129 * 2 ^ 16) = [9, 4, 1]
    ∧ argmaxPacked 7 3 (137 + 132 * 2 ^ 8 + 129 * 2 ^ 16) = 0
    ∧ marginPacked 7 3 (137 + 132 * 2 ^ 8 + 129 * 2 ^ 16) 0 2 = true
    ∧ marginPacked 7 3 (137 + 132 * 2 ^ 8 + 129 * 2 ^ 16) 0 3 = false
    ∧ rowPacked 7 3 (137 + 132 * 2 ^ 8 + 129 * 2 ^ 16) 7 3 (129 + 130 * 2 ^ 8 + 128 * 2 ^ 16) 0 = true :=
  ⟨rfl, rfl, rfl, rfl, rfl⟩

end Gnosis
