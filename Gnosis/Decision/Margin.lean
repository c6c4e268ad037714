prelude
import Gnosis.Decision.Conformal
/-! Decisions of the margin gates: which entry of a perturbed score list wins, and when the winner cannot
change.  No proofs here: the theorems are in `Gnosis.QualityMarginCacheAdmissibility`, those about top-k and
two-stage selection in `Gnosis.TopKSelectionAdmissibility` and `Gnosis.TopKGap`.

Scores (logits) are integers in one common unit, the unit of the bounds.  Over the integers `x < y` is
`x + 1 ≤ y`, so one scan serves the weak and the strict gates. -/
namespace Gnosis

/-- The entry at index `i`, counted from 0; 0 past the end. -/
def entry : List Int → Nat → Int
  | [], _ => 0
  | x :: _, 0 => x
  | _ :: xs, i + 1 => entry xs i

/-- Index of the largest of `best` (found at index `w`) and the entries of the list, which start at index
`i`; the first one on ties. -/
def argmaxFrom (best : Int) (w i : Nat) : List Int → Nat
  | [] => w
  | x :: xs => if best < x then argmaxFrom x i (i + 1) xs else argmaxFrom best w (i + 1) xs

/-- The lowest index of a largest entry; 0 for the empty list. -/
def argmax : List Int → Nat
  | [] => 0
  | x :: xs => argmaxFrom x 0 1 xs

/-- `top` leads every entry of the list except the one at index `w`: by at least `before` the entries in front
of `w`, by at least `after` those behind it.  The first entry of the list has index `i`. -/
def leads (top before after : Int) (w i : Nat) : List Int → Bool
  | [] => true
  | x :: xs => (decide (i = w) || decide (x + (if i < w then before else after) ≤ top))
      && leads top before after w (i + 1) xs

/-- `w` stays a maximiser when no score moves by more than `τ`: it leads every other entry by `2τ` or more. -/
def marginAdmit (z : List Int) (w : Nat) (τ : Int) : Bool :=
  decide (w < z.length) && decide (0 ≤ τ) && leads (entry z w) (2 * τ) (2 * τ) w 0 z

/-- `w` stays the only maximiser when no score moves by more than `τ`: it leads every other entry by more
than `2τ`. -/
def marginAdmitStrict (z : List Int) (w : Nat) (τ : Int) : Bool :=
  decide (w < z.length) && decide (0 ≤ τ) && leads (entry z w) (2 * τ + 1) (2 * τ + 1) w 0 z

/-- `w` stays the argmax, lowest index on ties, when no score moves by more than `τ`: it leads the entries in
front of it by more than `2τ` and those behind it by `2τ` or more. -/
def marginAdmitLowest (z : List Int) (w : Nat) (τ : Int) : Bool :=
  decide (w < z.length) && decide (0 ≤ τ) && leads (entry z w) (2 * τ + 1) (2 * τ) w 0 z

/-- The sum of two vectors, entry by entry; entries without a partner are dropped. -/
def addEntries : List Int → List Int → List Int
  | x :: xs, y :: ys => (x + y) :: addEntries xs ys
  | _, _ => []

/-- The bounds `ε` say something about the scores `z`: there is one for each score and none is negative. -/
def boundsFit (z ε : List Int) : Bool :=
  Nat.beq z.length ε.length && ε.all (fun e => decide (0 ≤ e))

/-- `w` stays the only maximiser when score `i` moves by at most `ε_i`: `ε_w + ε_j < z_w - z_j` for all
`j ≠ w`. -/
def rowAdmit (z ε : List Int) (w : Nat) : Bool :=
  boundsFit z ε && decide (w < z.length) && leads (entry z w - entry ε w) 1 1 w 0 (addEntries z ε)

/-- The indices, ascending, of the entries that reach `c`.  The first entry has index `i`. -/
def reaching (c : Int) (i : Nat) : List Int → List Nat
  | [] => []
  | x :: xs => if c ≤ x then i :: reaching c (i + 1) xs else reaching c (i + 1) xs

/-- The indices `i`, `i + 1`, … of the entries of the list. -/
def indices (i : Nat) : List Int → List Nat
  | [] => []
  | _ :: xs => i :: indices (i + 1) xs

/-- The indices that can win, seen from `w`: ascending, all `j` with `z_j + ε_j ≥ z_w - ε_w`.  Every index if
the bounds do not fit (`boundsFit`). -/
def candidatesFrom (z ε : List Int) (w : Nat) : List Nat :=
  bif boundsFit z ε then reaching (entry z w - entry ε w) 0 (addEntries z ε) else indices 0 z

/-- The indices that can win: ascending, all `j` with `z_j + ε_j ≥ max_i (z_i - ε_i)`.  Every index if the
bounds do not fit (`boundsFit`). -/
def candidates (z ε : List Int) : List Nat :=
  candidatesFrom z ε (argmax (addEntries z (ε.map fun e => -e)))

/-- Every entry that is not selected is at most `c`. -/
def restAtMost (c : Int) : List Int → List Bool → Bool
  | x :: xs, s :: ss => (s || decide (x ≤ c)) && restAtMost c xs ss
  | _, _ => true

/-- Every selected entry of the first two lists leads every unselected entry of `z` (mask `S`) by at least
`m`. -/
def separates (z : List Int) (S : List Bool) (m : Int) : List Int → List Bool → Bool
  | x :: xs, s :: ss => (!s || restAtMost (x - m) z S) && separates z S m xs ss
  | _, _ => true

/-- The selection `S` stays the top set when no score moves by more than `ε`: every selected score leads
every unselected one by more than `2ε`.  For `k` selected entries this is the margin between the `k`-th and
the `(k+1)`-th score. -/
def topkAdmit (z : List Int) (S : List Bool) (ε : Int) : Bool :=
  Nat.beq z.length S.length && decide (0 ≤ ε) && separates z S (2 * ε + 1) z S

/-- The sum of the two largest of `a`, `b` and the entries of the list, where `b ≤ a`. -/
def topTwoFrom (a b : Int) : List Int → Int
  | [] => a + b
  | x :: xs => if a < x then topTwoFrom x a xs else if b < x then topTwoFrom a x xs else topTwoFrom a b xs

/-- The sum of the two largest entries (the score of a group of experts); 0 for fewer than two entries. -/
def topTwo : List Int → Int
  | x :: y :: zs => if x < y then topTwoFrom y x zs else topTwoFrom x y zs
  | _ => 0

/-- The scores of the experts of the selected groups, one group after the other. -/
def pickedScores : List (List Int) → List Bool → List Int
  | g :: gs, s :: ss => if s = true then g ++ pickedScores gs ss else pickedScores gs ss
  | _, _ => []

/-- The expert masks of the selected groups, one group after the other. -/
def pickedMasks : List (List Bool) → List Bool → List Bool
  | m :: ms, s :: ss => if s = true then m ++ pickedMasks ms ss else pickedMasks ms ss
  | _, _ => []

/-- A two-stage selection has a sensible shape: as many group bits and expert masks as groups, each group has
two experts or more and a mask of its own length, and no expert of an unselected group is selected. -/
def twoStageShape : List (List Int) → List Bool → List (List Bool) → Bool
  | [], [], [] => true
  | g :: gs, s :: ss, m :: ms => decide (2 ≤ g.length) && Nat.beq g.length m.length && (s || m.all (fun b => !b))
      && twoStageShape gs ss ms
  | _, _, _ => false

/-- Grouped selection (first groups by the sum of their two largest expert scores, then experts inside the
selected groups) stays the same when no expert score moves by more than `ε`: the selected groups lead the
others by more than `4ε`, and inside them the selected experts lead the others by more than `2ε`. -/
def twoStageAdmit (groups : List (List Int)) (gsel : List Bool) (esel : List (List Bool)) (ε : Int) : Bool :=
  twoStageShape groups gsel esel && topkAdmit (groups.map topTwo) gsel (2 * ε)
    && topkAdmit (pickedScores groups gsel) (pickedMasks esel gsel) ε

/-- The top-k gate as a gap: `0 ≤ ε`, `k ≤ n`, and for `0 < k < n` the `k`-th largest score leads the next one by more than `2ε`.
(The `k`-th largest of `n` is the `(n + 1 − k)`-th smallest.) -/
def topkGapAdmit (z : List Int) (k : Nat) (ε : Int) : Bool :=
  decide (0 ≤ ε) && (Nat.ble k z.length && (Nat.beq k 0 || (Nat.beq k z.length ||
    match kthSmallest (z.length + 1 - k) z, kthSmallest (z.length - k) z with
    | some hi, some lo => decide (2 * ε < hi - lo)
    | _, _ => false)))

end Gnosis
