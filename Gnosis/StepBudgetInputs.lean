prelude
import Gnosis.Foundation.Means
import Gnosis.Foundation.Sums
import Gnosis.StepBudget
/-! # What the step budget is computed from

Before the draw the mean normaliser of a step is bounded by moments of single tokens, weighted by their masses; and that
sum by the head of the vocabulary.  The linear gauge follows from the product gauge of the field. -/
universe u

namespace Gnosis
open List

/-! ## The mean normaliser -/
section
variable {D : Type u}

/-- The mean normaliser from moments of single tokens: if the weight `w_v(d)` of each token `v` after the draw `d` has the
mean `n_v·β_v` at most, then `Σ_d S'(d) ≤ |ds|·Σ_v n_v·β_v`.  A large tilt of a token of small mass costs little. -/
theorem mean_normaliser_le {V : Type} {ds : List D} {vs : List V} {n β : V → Nat} {w : D → V → Nat}
    (moment : ∀ v, v ∈ vs → sumOver (fun d => w d v) ds ≤ ds.length * (n v * β v)) :
    sumOver (fun d => rightMass (map (fun v => (n v, w d v)) vs)) ds
      ≤ ds.length * weightedBudget (map (fun v => (n v, β v)) vs) := by
  have mass : ∀ (b : V → Nat) (vs : List V), rightMass (map (fun v => (n v, b v)) vs) = sumOver b vs := fun b vs => by
    induction vs with
    | nil => rfl
    | cons v vs ih => exact congrArg (fun s => b v + s) ih
  have budget : ∀ vs : List V, weightedBudget (map (fun v => (n v, β v)) vs) = sumOver (fun v => n v * β v) vs := fun vs => by
    induction vs with
    | nil => rfl
    | cons v vs ih => exact congrArg (fun s => n v * β v + s) ih
  rw [sumOver_congr fun d _ => mass (w d) vs, budget, sumOver_comm, mul_sumOver]
  exact sumOver_le moment
end

/-! ## The head of the vocabulary -/

/-- The entries whose mask is `true`. -/
def chosen {α : Type} : List Bool → List α → List α
  | S :: Ss, p :: ps => bif S then p :: chosen Ss ps else chosen Ss ps
  | _, _ => []
/-- The entries whose mask is `false`, and those without a mask. -/
def others {α : Type} : List Bool → List α → List α
  | S :: Ss, p :: ps => bif S then others Ss ps else p :: others Ss ps
  | _, ps => ps

/-- Masses and budgets of a set of tokens and of the others add up. -/
theorem chosen_add_others (S : List Bool) (ps : List (Nat × Nat)) :
    leftMass (chosen S ps) + leftMass (others S ps) = leftMass ps ∧
      weightedBudget (chosen S ps) + weightedBudget (others S ps) = weightedBudget ps := by
  induction ps generalizing S with
  | nil => cases S with
    | nil => exact ⟨rfl, rfl⟩
    | cons s S => exact ⟨rfl, rfl⟩
  | cons p ps ih => cases S with
    | nil => exact ⟨Nat.zero_add _, Nat.zero_add _⟩
    | cons s S =>
      obtain ⟨h₁, h₂⟩ := ih S
      obtain ⟨n, b⟩ := p
      cases s with
      | true =>
        constructor
        · show n + leftMass (chosen S ps) + leftMass (others S ps) = n + leftMass ps
          rw [Nat.add_assoc, h₁]
        · show n * b + weightedBudget (chosen S ps) + weightedBudget (others S ps) = n * b + weightedBudget ps
          rw [Nat.add_assoc, h₂]
      | false =>
        constructor
        · show leftMass (chosen S ps) + (n + leftMass (others S ps)) = n + leftMass ps
          rw [Nat.add_left_comm, h₁]
        · show weightedBudget (chosen S ps) + (n * b + weightedBudget (others S ps)) = n * b + weightedBudget ps
          rw [Nat.add_left_comm, h₂]

/-- A budget of at most `Bmax` for every token costs at most the mass times `Bmax`. -/
theorem budget_le_mass {Bmax : Nat} {ps : List (Nat × Nat)} (tail : ∀ x, x ∈ ps → x.2 ≤ Bmax) :
    weightedBudget ps ≤ leftMass ps * Bmax := by
  induction ps with
  | nil => exact Nat.zero_le _
  | cons p ps ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons tail
    show p.1 * p.2 + weightedBudget ps ≤ (p.1 + leftMass ps) * Bmax
    rw [Nat.right_distrib]
    exact Nat.add_le_add (Nat.mul_le_mul_left _ h₁) (ih h₂)

/-- **The budget from the head of the vocabulary.**  For any set `S` of tokens, if every other token has a budget of at
most `Bmax`, then `Σ p·B ≤ Σ_{v ∈ S} p·B + (N − p(S))·Bmax`, `N` the mass of the whole vocabulary.  The right-hand side
needs the tokens of `S` only. -/
theorem massweighted_topk_bound {Bmax : Nat} {ps : List (Nat × Nat)} {S : List Bool}
    (tail : ∀ x, x ∈ others S ps → x.2 ≤ Bmax) :
    weightedBudget ps ≤ topkBudget (leftMass ps) Bmax (chosen S ps) := by
  obtain ⟨h₁, h₂⟩ := chosen_add_others S ps
  unfold topkBudget
  rw [← h₂, ← h₁, Nat.add_sub_cancel_left]
  exact Nat.add_le_add_left (budget_le_mass tail) _

/-- Three tokens with their masses and budgets, in hundredths. -/
def threeTokens : List (Nat × Nat) := [(90, 101), (8, 120), (2, 120)]

/-- Sharp: with equal budgets of `120` outside the head the bound is attained; and a `Bmax` of `119`, one less than these
budgets, makes the right-hand side too small. -/
theorem massweighted_topk_sharp :
    weightedBudget threeTokens = topkBudget 100 120 (chosen [true, false, false] threeTokens) ∧
      topkBudget 100 119 (chosen [true, false, false] threeTokens) < weightedBudget threeTokens :=
  ⟨rfl, by decide⟩

/-! ## The product gauge -/

/-- `Π a^n` over masses and tilts: `B^N` times the exponential of the mass-weighted sum of `log u`. -/
def tiltProduct : List (Nat × Nat) → Nat
  | [] => 1
  | (n, a) :: ps => a ^ n * tiltProduct ps

/-- The list with `n` copies of `a` in front. -/
def pushCopies (a : Nat) (l : List Nat) : Nat → List Nat
  | 0 => l
  | n + 1 => a :: pushCopies a l n
/-- Each tilt as often as its mass says. -/
def spell : List (Nat × Nat) → List Nat
  | [] => []
  | (n, a) :: ps => pushCopies a (spell ps) n

/-- Length, sum and product with `n` copies of `a` in front. -/
theorem pushCopies_spec (a : Nat) (l : List Nat) (n : Nat) : (pushCopies a l n).length = n + l.length ∧
    sumOver (fun x => x) (pushCopies a l n) = n * a + sumOver (fun x => x) l ∧ listProd (pushCopies a l n) = a ^ n * listProd l := by
  induction n with
  | zero => exact ⟨(Nat.zero_add _).symm, by rw [Nat.zero_mul, Nat.zero_add]; rfl, (Nat.one_mul _).symm⟩
  | succ n ih =>
    obtain ⟨h₁, h₂, h₃⟩ := ih
    refine ⟨?_, ?_, ?_⟩
    · show (pushCopies a l n).length + 1 = _
      rw [h₁]; exact Nat.add_right_comm n l.length 1
    · show a + sumOver (fun x => x) (pushCopies a l n) = _
      rw [h₂, Nat.succ_mul]; nat_ring
    · show a * listProd (pushCopies a l n) = _
      rw [h₃, Nat.pow_succ]
      generalize a ^ n = x
      nat_ring

/-- Length, sum and product of the tilts, each as often as its mass says. -/
theorem spell_spec (ps : List (Nat × Nat)) : (spell ps).length = leftMass ps ∧
    sumOver (fun x => x) (spell ps) = weightedBudget ps ∧ listProd (spell ps) = tiltProduct ps := by
  induction ps with
  | nil => exact ⟨rfl, rfl, rfl⟩
  | cons p ps ih =>
    obtain ⟨n, a⟩ := p
    obtain ⟨h₁, h₂, h₃⟩ := ih
    obtain ⟨k₁, k₂, k₃⟩ := pushCopies_spec a (spell ps) n
    exact ⟨k₁.trans (congrArg _ h₁), k₂.trans (congrArg _ h₂), k₃.trans (congrArg _ h₃)⟩

/-- **The product gauge implies the linear one.**  If the mass-weighted sum of the logit changes is not negative,
`Π a^n ≥ B^N`, then the mean tilt is at least one.  (The gauge of the field fixes that sum to zero.) -/
theorem gauge_of_product {B : Nat} {ps : List (Nat × Nat)} (h : B ^ leftMass ps ≤ tiltProduct ps) : gaugeOk B ps = true := by
  refine Nat.ble_eq_true_of_le ?_
  obtain ⟨h₁, h₂, h₃⟩ := spell_spec ps
  have am := geometric_le_arithmetic (spell ps)
  rw [h₁, h₂, h₃] at am
  rcases Nat.lt_or_ge 0 (leftMass ps) with pos | zero
  · apply Nat.le_of_pow_le_pow_left (n := leftMass ps) _ pos
    rw [Nat.mul_pow]
    exact Nat.le_trans (Nat.mul_le_mul_left _ h) am
  · rw [Nat.le_antisymm zero (Nat.zero_le _), Nat.zero_mul]; exact Nat.zero_le _

/-- The linear gauge asks for less: tilts `3/2` and `3/4` on equal masses have mean `9/8` and product `9/8`; tilts `2` and
`1/4` have mean `9/8`, but product `1/2`. -/
theorem gauge_weaker : gaugeOk 4 [(1, 8), (1, 1)] = true ∧ tiltProduct [(1, 8), (1, 1)] < 4 ^ leftMass [(1, 8), (1, 1)] ∧
    4 ^ leftMass [(1, 6), (1, 3)] ≤ tiltProduct [(1, 6), (1, 3)] := by decide
end Gnosis
