prelude
import Gnosis.Decision.Served
import Gnosis.Foundation.Frac
import Gnosis.Foundation.Lists
/-! # Total variation of the served distribution

A step is a list of pairs `(w, w')` of weights before and after.  Its total variation is the sum of the positive parts of
`w'/S' − w/S`.  It bounds the change of the probability of every event, and one event attains it. -/
namespace Gnosis
open List

/-- The total variation distance of the distributions before and after. -/
def tv (ps : List (Nat × Nat)) : Frac := ⟨tvNum ps, leftMass ps * rightMass ps⟩

/-! ## Total variation and events -/

/-- The weight before of an event, given as a mask; tokens without a mask are outside. -/
def leftOn : List Bool → List (Nat × Nat) → Nat
  | A :: As, (w, _) :: ps => (bif A then w else 0) + leftOn As ps
  | _, _ => 0
/-- The weight after of an event. -/
def rightOn : List Bool → List (Nat × Nat) → Nat
  | A :: As, (_, w') :: ps => (bif A then w' else 0) + rightOn As ps
  | _, _ => 0
/-- The sum of the smaller of `w·S'` and `w'·S`, the overlap of the two distributions times `S·S'`. -/
def overlap (S S' : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (w, w') :: ps => (w' * S - (w' * S - w * S')) + overlap S S' ps
/-- The sum of the larger of `w·S'` and `w'·S`. -/
def hull (S S' : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (w, w') :: ps => (w * S' + (w' * S - w * S')) + hull S S' ps
/-- The sum of the positive parts of `w·S' − w'·S`. -/
def deficit (S S' : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (w, w') :: ps => (w * S' - w' * S) + deficit S S' ps

/-- A number is at most another plus what it exceeds it by. -/
theorem le_add_sub (a b : Nat) : a ≤ b + (a - b) := by
  rcases Nat.le_total b a with h | h
  · exact Nat.le_of_eq (Nat.add_sub_of_le h).symm
  · exact Nat.le_trans h (Nat.le_add_right b _)

/-- The two differences and the smaller of two numbers: `(a − b) + min = a` and `(b − a) + min = b`. -/
theorem sub_add_min (a b : Nat) : (a - b) + (a - (a - b)) = a ∧ (b - a) + (a - (a - b)) = b := by
  rcases Nat.le_total b a with h | h
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    rw [Nat.add_sub_cancel_left, Nat.add_sub_cancel, Nat.sub_add_eq_zero]
    exact ⟨Nat.add_comm k b, Nat.zero_add b⟩
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    rw [Nat.add_sub_cancel_left, Nat.sub_add_eq_zero]
    exact ⟨Nat.zero_add a, Nat.add_comm k a⟩

/-- The smaller times the larger of two numbers is their product. -/
theorem min_mul_max (a b : Nat) : (a - (a - b)) * (b + (a - b)) = b * a := by
  rcases Nat.le_total b a with h | h
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    rw [Nat.add_sub_cancel_left, Nat.add_sub_cancel]
  · obtain ⟨k, rfl⟩ := Nat.exists_of_le h
    rw [Nat.sub_add_eq_zero]
    exact Nat.mul_comm a (a + k)

/-- Two sums, added in the other order. -/
theorem add_regroup {a b c d z : Nat} (h : a + b = z) : a + c + (b + d) = z + (c + d) := by
  rw [← h]; nat_ring

/-- Excess, deficit, overlap and hull of two lists of weights. -/
theorem excess_add_overlap (S S' : Nat) (ps : List (Nat × Nat)) :
    excess S S' ps + overlap S S' ps = rightMass ps * S ∧ deficit S S' ps + overlap S S' ps = leftMass ps * S' ∧
      hull S S' ps = excess S S' ps + leftMass ps * S' := by
  induction ps with
  | nil => exact ⟨(Nat.zero_mul S).symm, (Nat.zero_mul S').symm, (by show 0 = 0 + 0 * S'; rw [Nat.zero_mul])⟩
  | cons p ps ih =>
    obtain ⟨w, w'⟩ := p
    obtain ⟨ih₁, ih₂, ih₃⟩ := ih
    obtain ⟨e₁, e₂⟩ := sub_add_min (w' * S) (w * S')
    refine ⟨?_, ?_, ?_⟩
    · show (w' * S - w * S') + excess S S' ps + ((w' * S - (w' * S - w * S')) + overlap S S' ps) = (w' + rightMass ps) * S
      rw [Nat.right_distrib, ← ih₁]
      exact add_regroup e₁
    · show (w * S' - w' * S) + deficit S S' ps + ((w' * S - (w' * S - w * S')) + overlap S S' ps) = (w + leftMass ps) * S'
      rw [Nat.right_distrib, ← ih₂]
      exact add_regroup e₂
    · show w * S' + (w' * S - w * S') + hull S S' ps = (w' * S - w * S') + excess S S' ps + (w + leftMass ps) * S'
      rw [ih₃, Nat.right_distrib]
      generalize w' * S - w * S' = x, w * S' = z, excess S S' ps = s, leftMass ps * S' = t
      nat_ring

/-- The distributions overlap in what total variation leaves: `TV + overlap = 1`, with everything times `S·S'`. -/
theorem tvNum_add_overlap (ps : List (Nat × Nat)) :
    tvNum ps + overlap (leftMass ps) (rightMass ps) ps = leftMass ps * rightMass ps ∧
      deficit (leftMass ps) (rightMass ps) ps = tvNum ps ∧
      hull (leftMass ps) (rightMass ps) ps = tvNum ps + leftMass ps * rightMass ps := by
  obtain ⟨e₁, e₂, e₃⟩ := excess_add_overlap (leftMass ps) (rightMass ps) ps
  refine ⟨e₁.trans (Nat.mul_comm _ _), ?_, e₃⟩
  exact Nat.add_right_cancel (e₂.trans ((Nat.mul_comm _ _).trans e₁.symm))

/-- Total variation is at most one. -/
theorem tv_le_one (ps : List (Nat × Nat)) : tv ps ≤ 1 := by
  show tvNum ps * 1 ≤ 1 * (leftMass ps * rightMass ps)
  rw [Nat.mul_one, Nat.one_mul]
  exact Nat.le_of_add (tvNum_add_overlap ps).left.symm

/-- No event gains more than the excess or loses more than the deficit. -/
theorem rightOn_le (S S' : Nat) (A : List Bool) (ps : List (Nat × Nat)) :
    rightOn A ps * S ≤ leftOn A ps * S' + excess S S' ps ∧ leftOn A ps * S' ≤ rightOn A ps * S + deficit S S' ps := by
  have zero : ∀ x y z : Nat, 0 * x ≤ 0 * y + z := fun x y z => by rw [Nat.zero_mul]; exact Nat.zero_le _
  induction ps generalizing A with
  | nil => cases A with
    | nil => exact ⟨zero _ _ _, zero _ _ _⟩
    | cons A As => exact ⟨zero _ _ _, zero _ _ _⟩
  | cons p ps ih =>
    obtain ⟨w, w'⟩ := p
    cases A with
    | nil => exact ⟨zero _ _ _, zero _ _ _⟩
    | cons A As =>
      obtain ⟨ih₁, ih₂⟩ := ih As
      cases A with
      | true =>
        constructor
        · show (w' + rightOn As ps) * S ≤ (w + leftOn As ps) * S' + ((w' * S - w * S') + excess S S' ps)
          rw [Nat.right_distrib, Nat.right_distrib]
          refine Nat.le_trans (Nat.add_le_add (le_add_sub (w' * S) (w * S')) ih₁) (Nat.le_of_eq ?_)
          generalize w' * S - w * S' = x, w * S' = y, leftOn As ps * S' = z, excess S S' ps = t
          nat_ring
        · show (w + leftOn As ps) * S' ≤ (w' + rightOn As ps) * S + ((w * S' - w' * S) + deficit S S' ps)
          rw [Nat.right_distrib, Nat.right_distrib]
          refine Nat.le_trans (Nat.add_le_add (le_add_sub (w * S') (w' * S)) ih₂) (Nat.le_of_eq ?_)
          generalize w * S' - w' * S = x, w' * S = y, rightOn As ps * S = z, deficit S S' ps = t
          nat_ring
      | false =>
        constructor
        · show (0 + rightOn As ps) * S ≤ (0 + leftOn As ps) * S' + ((w' * S - w * S') + excess S S' ps)
          rw [Nat.zero_add, Nat.zero_add]
          exact Nat.le_trans ih₁ (Nat.add_le_add_left (Nat.le_add_left _ _) _)
        · show (0 + leftOn As ps) * S' ≤ (0 + rightOn As ps) * S + ((w * S' - w' * S) + deficit S S' ps)
          rw [Nat.zero_add, Nat.zero_add]
          exact Nat.le_trans ih₂ (Nat.add_le_add_left (Nat.le_add_left _ _) _)

/-- **Total variation bounds every event**: no event `A` changes its probability by more than `TV`, in either
direction. -/
theorem tv_event (ps : List (Nat × Nat)) (A : List Bool) :
    (⟨rightOn A ps, rightMass ps⟩ : Frac) ≤ ⟨leftOn A ps, leftMass ps⟩ + tv ps ∧
      (⟨leftOn A ps, leftMass ps⟩ : Frac) ≤ ⟨rightOn A ps, rightMass ps⟩ + tv ps := by
  obtain ⟨h₁, h₂⟩ := rightOn_le (leftMass ps) (rightMass ps) A ps
  rw [(tvNum_add_overlap ps).right.left] at h₂
  rw [show excess (leftMass ps) (rightMass ps) ps = tvNum ps from rfl] at h₁
  constructor
  · show rightOn A ps * (leftMass ps * (leftMass ps * rightMass ps))
      ≤ (leftOn A ps * (leftMass ps * rightMass ps) + tvNum ps * leftMass ps) * rightMass ps
    generalize rightOn A ps = x, leftOn A ps = y, leftMass ps = S, rightMass ps = S', tvNum ps = t at *
    calc x * (S * (S * S')) = x * S * (S * S') := by nat_ring
      _ ≤ (y * S' + t) * (S * S') := Nat.mul_le_mul_right _ h₁
      _ = (y * (S * S') + t * S) * S' := by nat_ring
  · show leftOn A ps * (rightMass ps * (leftMass ps * rightMass ps))
      ≤ (rightOn A ps * (leftMass ps * rightMass ps) + tvNum ps * rightMass ps) * leftMass ps
    generalize rightOn A ps = x, leftOn A ps = y, leftMass ps = S, rightMass ps = S', tvNum ps = t at *
    calc y * (S' * (S * S')) = y * S' * (S * S') := by nat_ring
      _ ≤ (x * S + t) * (S * S') := Nat.mul_le_mul_right _ h₂
      _ = (x * (S * S') + t * S') * S := by nat_ring

/-- The event on which the distribution after exceeds the one before. -/
def gains (S S' : Nat) : List (Nat × Nat) → List Bool
  | [] => []
  | (w, w') :: ps => Nat.ble (w * S') (w' * S) :: gains S S' ps

/-- The weights outside an event. -/
theorem on_add_off (S S' : Nat) (ps : List (Nat × Nat)) :
    leftOn (gains S S' ps) ps + leftOn (map (fun A => !A) (gains S S' ps)) ps = leftMass ps ∧
      rightOn (gains S S' ps) ps + rightOn (map (fun A => !A) (gains S S' ps)) ps = rightMass ps ∧
      rightOn (gains S S' ps) ps * S = leftOn (gains S S' ps) ps * S' + excess S S' ps := by
  induction ps with
  | nil => exact ⟨rfl, rfl, (Nat.zero_mul S).trans (by show 0 = 0 * S' + 0; rw [Nat.zero_mul])⟩
  | cons p ps ih =>
    obtain ⟨w, w'⟩ := p
    obtain ⟨ih₁, ih₂, ih₃⟩ := ih
    generalize hA : gains S S' ps = As at *
    generalize hB : map (fun A => !A) As = Bs at *
    have hg : gains S S' ((w, w') :: ps) = Nat.ble (w * S') (w' * S) :: As := congrArg _ hA
    have hm : map (fun A => !A) (Nat.ble (w * S') (w' * S) :: As) = (!(Nat.ble (w * S') (w' * S))) :: Bs := congrArg _ hB
    rw [hg, hm]
    cases e : Nat.ble (w * S') (w' * S) with
    | true =>
      have le := Nat.le_of_ble_eq_true e
      refine ⟨?_, ?_, ?_⟩
      · show w + leftOn As ps + (0 + leftOn Bs ps) = w + leftMass ps
        rw [← ih₁, Nat.zero_add, Nat.add_assoc]
      · show w' + rightOn As ps + (0 + rightOn Bs ps) = w' + rightMass ps
        rw [← ih₂, Nat.zero_add, Nat.add_assoc]
      · show (w' + rightOn As ps) * S = (w + leftOn As ps) * S' + ((w' * S - w * S') + excess S S' ps)
        have s := Nat.add_sub_of_le le
        rw [Nat.right_distrib, Nat.right_distrib, ih₃]
        exact (add_regroup s).symm
    | false =>
      have le : w' * S ≤ w * S' := by
        rcases Nat.le_total (w' * S) (w * S') with h | h
        · exact h
        · rw [Nat.ble_eq_true_of_le h] at e; contradiction
      refine ⟨?_, ?_, ?_⟩
      · show 0 + leftOn As ps + (w + leftOn Bs ps) = w + leftMass ps
        rw [← ih₁, Nat.zero_add, Nat.add_left_comm]
      · show 0 + rightOn As ps + (w' + rightOn Bs ps) = w' + rightMass ps
        rw [← ih₂, Nat.zero_add, Nat.add_left_comm]
      · show (0 + rightOn As ps) * S = (0 + leftOn As ps) * S' + ((w' * S - w * S') + excess S S' ps)
        obtain ⟨k, hk⟩ := Nat.exists_of_le le
        rw [hk, Nat.sub_add_eq_zero, Nat.zero_add, Nat.zero_add, Nat.zero_add, ih₃]

/-- Total variation is attained: on the event `gains` the probability grows by exactly `TV`. -/
theorem tv_attained (ps : List (Nat × Nat)) : rightOn (gains (leftMass ps) (rightMass ps) ps) ps * leftMass ps
    = leftOn (gains (leftMass ps) (rightMass ps) ps) ps * rightMass ps + tvNum ps :=
  (on_add_off (leftMass ps) (rightMass ps) ps).right.right

/-! ## The loss on a grid -/

/-- Rounding up costs less than one unit: `⌈G·TV⌉ ≤ G·TV + 1`, times `S·S'`. -/
theorem gridLoss_mul_le (G : Nat) (ps : List (Nat × Nat)) :
    gridLoss G ps * (leftMass ps * rightMass ps) ≤ G * tvNum ps + leftMass ps * rightMass ps := by
  have d := Nat.div_add_mod (G * tvNum ps + (leftMass ps * rightMass ps - 1)) (leftMass ps * rightMass ps)
  unfold gridLoss
  rw [Nat.mul_comm]
  refine Nat.le_trans (Nat.le_of_add d.symm) (Nat.add_le_add_left ?_ _)
  generalize leftMass ps * rightMass ps = e
  cases e with
  | zero => exact Nat.zero_le _
  | succ e => exact Nat.le_succ e

/-- The loss on the grid is at least the total variation: `TV ≤ ⌈G·TV⌉/G`. -/
theorem tv_le_gridLoss {G : Nat} {ps : List (Nat × Nat)} (l : 0 < leftMass ps) (r : 0 < rightMass ps) :
    tv ps ≤ ⟨gridLoss G ps, G⟩ := by
  have pos := Nat.mul_pos l r
  have d := Nat.div_add_mod (G * tvNum ps + (leftMass ps * rightMass ps - 1)) (leftMass ps * rightMass ps)
  have m := Nat.mod_lt (G * tvNum ps + (leftMass ps * rightMass ps - 1)) pos
  show tvNum ps * G ≤ gridLoss G ps * (leftMass ps * rightMass ps)
  unfold gridLoss
  obtain ⟨k, hk⟩ := Nat.exists_of_le pos
  rw [hk, Nat.add_sub_cancel_left] at d m ⊢
  generalize (G * tvNum ps + k) / (0 + 1 + k) = q, (G * tvNum ps + k) % (0 + 1 + k) = x, tvNum ps = t at *
  nat_lin [Nat.le_of_eq d.symm, m]

/-- The loss is on the grid `0 … G`. -/
theorem gridLoss_le (G : Nat) (ps : List (Nat × Nat)) : gridLoss G ps ≤ G := by
  have d := Nat.div_add_mod (G * tvNum ps + (leftMass ps * rightMass ps - 1)) (leftMass ps * rightMass ps)
  have le : tvNum ps ≤ leftMass ps * rightMass ps := Nat.le_of_add (tvNum_add_overlap ps).left.symm
  unfold gridLoss
  generalize leftMass ps * rightMass ps = e, tvNum ps = t at *
  cases e with
  | zero => exact Nat.zero_le G
  | succ e =>
    rw [Nat.add_sub_cancel] at d ⊢
    have k := Nat.mul_le_mul_left G le
    generalize (G * t + e) / (e + 1) = q, (G * t + e) % (e + 1) = r at *
    rcases Nat.lt_or_ge G q with g | g
    · exact (by nat_lin [Nat.mul_le_mul_left (e + 1) g, k, Nat.le_of_eq d, Nat.zero_le r] : False).elim
    · exact g

/-- A step that changes nothing loses nothing. -/
theorem gridLoss_same (G : Nat) : gridLoss G [(1, 1)] = 0 := by
  show (G * 0 + 0) / 1 = 0
  rw [Nat.mul_zero]
  rfl
end Gnosis
