prelude
import Gnosis.Decision.Basin
import Gnosis.EnergyComposition
import Gnosis.Foundation.Abs
/-! # The coarse pass of the head, and why its bound holds

A row of the output matrix is cut into blocks.  In block `b` the weights are `d_b·(16·u + l − 128)` with the scale `d_b` and two
nibbles `u`, `l` from 0 to 15.  The coarse pass reads `u` and leaves `l` out, which stands for its mean `7.5`; at the split
columns, those of the largest activations, it reads both.  Codes are doubled here, so that they are whole: `32·u + 2·l − 256`
for the weight, `32·u − 241` for the coarse code; the scales are whole numbers on any common grid, and the activation is given
exactly (`a`) and as it was rounded for the integer products (`n`), on another one.

`head_within`: the score `z` differs from the exact product by at most `Σ_b |d_b|·(e_b·α_b + 256·r_b + f_b)`.  The three parts
have a hypothesis each: the residual of the nibbles outside the split columns has a root `e_b`, the activation outside them a
root `α_b`; over *every* column, split or not, the activation is rounded by `r_b` in all; and the floats add at most `f_b` for
each unit of the scale.  Another design of the coarse pass needs another theorem here and none of those about serving
(`Gnosis.HeadServing`), which start from scores and bounds. -/
namespace Gnosis
open List

/-- A block of a row, with what the coarse pass knows of it: scale, upper and lower nibbles, mask of the split columns, the exact
and the rounded activation; upper bounds of the root of the residual's energy, of the root of the activation's energy outside
the split columns, of what rounding moves the activation in all, and of the error of the floats for each unit of the scale. -/
structure HeadBlock where
  scale : Int
  upper : List Int
  lower : List Int
  split : List Bool
  exact : List Int
  rounded : List Int
  root : Int
  outer : Int
  moved : Int
  float : Int

/-- The doubled weights of a block in units of its scale: `32·u + 2·l − 256`. -/
def doubledWeights : List Int → List Int → List Int
  | u :: us, l :: ls => (32 * u + 2 * l - 256) :: doubledWeights us ls
  | _, _ => []

/-- The doubled coarse codes: the whole weight at the split columns, `32·u − 241` elsewhere. -/
def coarseCodes : List Int → List Int → List Bool → List Int
  | u :: us, l :: ls, s :: ss => (bif s then 32 * u + 2 * l - 256 else 32 * u - 241) :: coarseCodes us ls ss
  | _, _, _ => []

/-- What the coarse code leaves out where it leaves something out: `2·l − 15`. -/
def nibbleResidual : List Int → List Int
  | [] => []
  | l :: ls => (2 * l - 15) :: nibbleResidual ls

/-- Shapes fit, nibbles lie between 0 and 15, and the bounds are bounds. -/
structure HeadBlock.Valid (b : HeadBlock) : Prop where
  lower_length : b.lower.length = b.upper.length
  split_length : b.split.length = b.upper.length
  exact_length : b.exact.length = b.upper.length
  rounded_length : b.rounded.length = b.upper.length
  upper_range : ∀ u, u ∈ b.upper → 0 ≤ u ∧ u ≤ 15
  lower_range : ∀ l, l ∈ b.lower → 0 ≤ l ∧ l ≤ 15
  root_nonneg : 0 ≤ b.root
  outer_nonneg : 0 ≤ b.outer
  residual : energyOutside (nibbleResidual b.lower) b.split ≤ b.root * b.root
  activation : energyOutside b.exact b.split ≤ b.outer * b.outer
  rounding : sumAbs (addEntries b.exact (smul (-1) b.rounded)) ≤ b.moved

/-- Twice the exact product of a row with the activation. -/
def headExact : List HeadBlock → Int
  | [] => 0
  | b :: bs => b.scale * dot (doubledWeights b.upper b.lower) b.exact + headExact bs

/-- Twice the product of the coarse codes with the rounded activation, without any error of floats. -/
def headCoarse : List HeadBlock → Int
  | [] => 0
  | b :: bs => b.scale * dot (coarseCodes b.upper b.lower b.split) b.rounded + headCoarse bs

/-- The part of the bound that the floats take: `Σ |d_b|·f_b`. -/
def floatBound : List HeadBlock → Int
  | [] => 0
  | b :: bs => (b.scale.natAbs : Int) * b.float + floatBound bs

/-- The bound on the error of a score: `Σ |d_b|·(e_b·α_b + 256·r_b + f_b)`. -/
def headBound : List HeadBlock → Int
  | [] => 0
  | b :: bs => (b.scale.natAbs : Int) * (b.root * b.outer + 256 * b.moved + b.float) + headBound bs

/-- A product with a bounded factor, whatever the sign of the other one. -/
theorem mul_abs_bounds {d x c : Int} (lo : -c ≤ x) (up : x ≤ c) : -((d.natAbs : Int) * c) ≤ d * x ∧ d * x ≤ (d.natAbs : Int) * c := by
  rcases Int.natAbs_cases d with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
  · have h₁ := Int.mul_le_mul_of_nonneg_left lo h
    have h₂ := Int.mul_le_mul_of_nonneg_left up h
    exact ⟨by lin [h₁], h₂⟩
  · have h₁ := Int.mul_le_mul_of_nonneg_left lo (show 0 ≤ -d by lin [h])
    have h₂ := Int.mul_le_mul_of_nonneg_left up (show 0 ≤ -d by lin [h])
    exact ⟨by lin [h₂], by lin [h₁]⟩

/-- A scalar product with entries of at most `c` in absolute value. -/
theorem dot_abs_le {c : Int} {t v : List Int} (hc : 0 ≤ c) (ht : ∀ x, x ∈ t → -c ≤ x ∧ x ≤ c) :
    -(c * sumAbs v) ≤ dot t v ∧ dot t v ≤ c * sumAbs v := by
  induction t generalizing v with
  | nil =>
    have k : 0 ≤ c * sumAbs v := Int.mul_nonneg hc (by
      induction v with
      | nil => exact Int.le_refl 0
      | cons x v ih => exact Int.add_nonneg (Int.natAbs_nonneg x) ih)
    exact ⟨by show -(c * sumAbs v) ≤ 0; lin [k], k⟩
  | cons x t ih => cases v with
    | nil => exact ⟨by show -(c * 0) ≤ 0; rw [Int.mul_zero]; exact Int.le_refl 0, by show 0 ≤ c * 0; rw [Int.mul_zero]; exact Int.le_refl 0⟩
    | cons y v =>
      obtain ⟨⟨lo, up⟩, ht⟩ := forall_mem_cons ht
      obtain ⟨i₁, i₂⟩ := ih (v := v) ht
      obtain ⟨k₁, k₂⟩ := mul_abs_bounds (d := y) lo up
      show -(c * ((y.natAbs : Int) + sumAbs v)) ≤ x * y + dot t v ∧ x * y + dot t v ≤ c * ((y.natAbs : Int) + sumAbs v)
      exact ⟨by lin [i₁, k₁], by lin [i₂, k₂]⟩

/-- Coarse codes lie between −256 and 256. -/
theorem coarseCodes_range {us ls : List Int} {ss : List Bool} (hu : ∀ u, u ∈ us → 0 ≤ u ∧ u ≤ 15)
    (hl : ∀ l, l ∈ ls → 0 ≤ l ∧ l ≤ 15) : ∀ c, c ∈ coarseCodes us ls ss → -256 ≤ c ∧ c ≤ 256 := by
  induction us generalizing ls ss with
  | nil => exact fun _ m => nomatch m
  | cons u us ih => cases ls with
    | nil => exact fun _ m => nomatch m
    | cons l ls => cases ss with
      | nil => exact fun _ m => nomatch m
      | cons s ss =>
        obtain ⟨⟨u₀, u₁⟩, hu⟩ := forall_mem_cons hu
        obtain ⟨⟨l₀, l₁⟩, hl⟩ := forall_mem_cons hl
        intro c m
        have m : c ∈ (bif s then 32 * u + 2 * l - 256 else 32 * u - 241) :: coarseCodes us ls ss := m
        have v₀ := Int.mul_le_mul_of_nonneg_left u₀ (show (0 : Int) ≤ 32 by decide)
        have v₁ := Int.mul_le_mul_of_nonneg_left u₁ (show (0 : Int) ≤ 32 by decide)
        cases m with
        | tail _ m => exact ih hu hl c m
        | head => cases s with
          | true =>
            show -256 ≤ 32 * u + 2 * l - 256 ∧ 32 * u + 2 * l - 256 ≤ 256
            exact ⟨by lin [v₀, l₀, l₀], by lin [v₁, l₁, l₁]⟩
          | false =>
            show -256 ≤ 32 * u - 241 ∧ 32 * u - 241 ≤ 256
            exact ⟨by lin [v₀], by lin [v₁]⟩

/-- What the coarse codes leave out of a block: the residual of the nibbles outside the split columns. -/
theorem dot_coarseCodes {us ls a : List Int} {ss : List Bool} (hl : ls.length = us.length) (hs : ss.length = us.length)
    (ha : a.length = us.length) : dot (doubledWeights us ls) a - dot (coarseCodes us ls ss) a
      = dot (nibbleResidual ls) a - dot (nibbleResidual ls) (inside a ss) := by
  induction us generalizing ls a ss with
  | nil => cases ls with
    | nil => rfl
    | cons _ _ => exact nomatch hl
  | cons u us ih => cases ls with
    | nil => exact nomatch hl
    | cons l ls => cases ss with
      | nil => exact nomatch hs
      | cons s ss => cases a with
        | nil => exact nomatch ha
        | cons a as =>
          have i := ih (Nat.add_right_cancel hl) (Nat.add_right_cancel hs) (Nat.add_right_cancel ha)
          show (32 * u + 2 * l - 256) * a + dot (doubledWeights us ls) as
              - ((bif s then 32 * u + 2 * l - 256 else 32 * u - 241) * a + dot (coarseCodes us ls ss) as)
            = (2 * l - 15) * a + dot (nibbleResidual ls) as
              - ((2 * l - 15) * (bif s then a else 0) + dot (nibbleResidual ls) (inside as ss))
          generalize dot (doubledWeights us ls) as = A, dot (coarseCodes us ls ss) as = B, dot (nibbleResidual ls) as = C,
            dot (nibbleResidual ls) (inside as ss) = E at *
          have e : A = C - E + B := by rw [← i]; ring
          cases s with
          | true =>
            show (32 * u + 2 * l - 256) * a + A - ((32 * u + 2 * l - 256) * a + B) = (2 * l - 15) * a + C - ((2 * l - 15) * a + E)
            rw [e]; ring
          | false =>
            show (32 * u + 2 * l - 256) * a + A - ((32 * u - 241) * a + B) = (2 * l - 15) * a + C - ((2 * l - 15) * 0 + E)
            rw [e]; ring

/-- As many residuals as nibbles. -/
theorem length_nibbleResidual (ls : List Int) : (nibbleResidual ls).length = ls.length := by
  induction ls with
  | nil => rfl
  | cons l ls ih => exact congrArg Nat.succ ih

/-- One block without the floats. -/
theorem HeadBlock.Valid.bounds {b : HeadBlock} (v : b.Valid) :
    -(b.root * b.outer + 256 * b.moved)
        ≤ dot (doubledWeights b.upper b.lower) b.exact - dot (coarseCodes b.upper b.lower b.split) b.rounded ∧
      dot (doubledWeights b.upper b.lower) b.exact - dot (coarseCodes b.upper b.lower b.split) b.rounded
        ≤ b.root * b.outer + 256 * b.moved := by
  obtain ⟨s₁, s₂⟩ := energy_split_blocked_sound (τs := [nibbleResidual b.lower]) (as := [b.exact]) (Ss := [b.split])
    (e := [b.root]) (α := [b.outer])
    ⟨(length_nibbleResidual _).trans (v.lower_length.trans v.split_length.symm), v.root_nonneg, v.residual, ⟨⟩⟩
    ⟨v.exact_length.trans v.split_length.symm, v.outer_nonneg, v.activation, ⟨⟩⟩
  have one : ∀ {α : Type} (l : List α), ([l] : List (List α)).flatten = l := fun l => append_nil' l
  rw [one, one, one, ← dot_coarseCodes v.lower_length v.split_length v.exact_length] at s₁ s₂
  obtain ⟨r₁, r₂⟩ := dot_abs_le (v := addEntries b.exact (smul (-1) b.rounded)) (show (0 : Int) ≤ 256 by decide)
    (coarseCodes_range (ss := b.split) v.upper_range v.lower_range)
  have move := Int.mul_le_mul_of_nonneg_left v.rounding (show (0 : Int) ≤ 256 by decide)
  have split : dot (coarseCodes b.upper b.lower b.split) (addEntries b.exact (smul (-1) b.rounded))
      = dot (coarseCodes b.upper b.lower b.split) b.exact - dot (coarseCodes b.upper b.lower b.split) b.rounded := by
    rw [dot_comm, dot_add (by rw [length_smul]; exact v.exact_length.trans v.rounded_length.symm), dot_smul_left,
      dot_comm b.exact, dot_comm b.rounded]
    ring
  rw [split] at r₁ r₂
  have d : dot [b.root] [b.outer] = b.root * b.outer := Int.add_zero _
  rw [d] at s₁ s₂
  generalize dot (doubledWeights b.upper b.lower) b.exact = W, dot (coarseCodes b.upper b.lower b.split) b.exact = C,
    dot (coarseCodes b.upper b.lower b.split) b.rounded = Z, b.root * b.outer = R at *
  exact ⟨by lin [s₁, r₁, move], by lin [s₂, r₂, move]⟩
where
  append_nil' {α : Type} (l : List α) : l ++ [] = l := by
    induction l with
    | nil => rfl
    | cons a l ih => exact congrArg (a :: ·) ih
  dot_add {r t : List Int} (hl : r.length = t.length) {a : List Int} : dot (addEntries r t) a = dot r a + dot t a := by
    induction r generalizing t a with
    | nil => cases t with
      | nil => rfl
      | cons _ _ => exact nomatch hl
    | cons x r ih => cases t with
      | nil => exact nomatch hl
      | cons y t => cases a with
        | nil => rfl
        | cons b a =>
          show (x + y) * b + dot (addEntries r t) a = x * b + dot r a + (y * b + dot t a)
          rw [ih (Nat.add_right_cancel hl)]
          generalize dot r a = D, dot t a = D'
          ring

/-- **The coarse pass stays within its bound**: if every block is valid and the score `z` differs from the products of the coarse
codes with the rounded activation by at most `Σ |d_b|·f_b`, it differs from the exact product by at most
`Σ |d_b|·(e_b·α_b + 256·r_b + f_b)`. -/
theorem head_within {row : List HeadBlock} {z : Int} (valid : ∀ b, b ∈ row → b.Valid)
    (float : -(floatBound row) ≤ z - headCoarse row ∧ z - headCoarse row ≤ floatBound row) :
    -(headBound row) ≤ headExact row - z ∧ headExact row - z ≤ headBound row := by
  have main : ∀ row : List HeadBlock, (∀ b, b ∈ row → b.Valid) →
      -(headBound row - floatBound row) ≤ headExact row - headCoarse row ∧
        headExact row - headCoarse row ≤ headBound row - floatBound row := by
    intro row valid
    induction row with
    | nil => exact ⟨by decide, by decide⟩
    | cons b bs ih =>
      obtain ⟨v, valid⟩ := forall_mem_cons valid
      obtain ⟨i₁, i₂⟩ := ih valid
      obtain ⟨lo, up⟩ := v.bounds
      obtain ⟨k₁, k₂⟩ := mul_abs_bounds (d := b.scale) lo up
      show -((b.scale.natAbs : Int) * (b.root * b.outer + 256 * b.moved + b.float) + headBound bs
            - ((b.scale.natAbs : Int) * b.float + floatBound bs))
          ≤ b.scale * dot (doubledWeights b.upper b.lower) b.exact + headExact bs
            - (b.scale * dot (coarseCodes b.upper b.lower b.split) b.rounded + headCoarse bs) ∧
        b.scale * dot (doubledWeights b.upper b.lower) b.exact + headExact bs
            - (b.scale * dot (coarseCodes b.upper b.lower b.split) b.rounded + headCoarse bs)
          ≤ (b.scale.natAbs : Int) * (b.root * b.outer + 256 * b.moved + b.float) + headBound bs
            - ((b.scale.natAbs : Int) * b.float + floatBound bs)
      generalize headBound bs = H, floatBound bs = F, headExact bs = X, headCoarse bs = Z, (b.scale.natAbs : Int) = D,
        dot (doubledWeights b.upper b.lower) b.exact = W, dot (coarseCodes b.upper b.lower b.split) b.rounded = C,
        b.root * b.outer = R at *
      exact ⟨by lin [i₁, k₁], by lin [i₂, k₂]⟩
  obtain ⟨m₁, m₂⟩ := main row valid
  exact ⟨by lin [m₁, float.2], by lin [m₂, float.1]⟩

/-- The same for all rows at once: scores and bounds as the theorems about serving take them. -/
theorem head_rows_within {rows : List (List HeadBlock)} {z : List Int} (len : z.length = rows.length)
    (valid : ∀ row, row ∈ rows → ∀ b, b ∈ row → b.Valid)
    (float : ∀ i, i < z.length → -(entry (rows.map floatBound) i) ≤ entry z i - entry (rows.map headCoarse) i ∧
      entry z i - entry (rows.map headCoarse) i ≤ entry (rows.map floatBound) i) :
    Within (entry (rows.map headBound)) z (rows.map headExact) := by
  have main : ∀ i, i < z.length → -(entry (rows.map headBound) i) ≤ entry (rows.map headExact) i - entry z i ∧
      entry (rows.map headExact) i - entry z i ≤ entry (rows.map headBound) i := by
    induction rows generalizing z with
    | nil => cases z with
      | nil => exact fun i hi => absurd hi (Nat.not_succ_le_zero i)
      | cons _ _ => exact nomatch len
    | cons row rows ih => cases z with
      | nil => exact nomatch len
      | cons x z =>
        obtain ⟨v, valid⟩ := forall_mem_cons valid
        obtain ⟨f, float⟩ := forall_index_cons.mp float
        exact forall_index_cons.mpr ⟨head_within v f, ih (Nat.add_right_cancel len) valid float⟩
  refine ⟨by rw [length_map]; exact len.symm, fun i hi => ?_, fun i hi => ?_⟩
  · lin [(main i hi).1]
  · lin [(main i hi).2]

/-- A block of three columns with scale −3, the middle one split; rounding moves the activation by 1 in all. -/
def sampleBlock : HeadBlock := ⟨-3, [9, 0, 15], [15, 3, 8], [false, true, false], [2, 100, 1], [2, 99, 1], 16, 3, 1, 0⟩

/-- Not vacuous: a valid block.  Score 73251, exact product 73908, and the bound is 912. -/
theorem head_within_sample : sampleBlock.Valid ∧ headCoarse [sampleBlock] = 73251 ∧ headExact [sampleBlock] = 73908 ∧
    headBound [sampleBlock] = 912 :=
  ⟨⟨rfl, rfl, rfl, rfl, all_range rfl, all_range rfl, by decide, by decide, by decide, by decide, by decide⟩, rfl, rfl, rfl⟩
where
  all_range {l : List Int} (h : l.all (fun x => decide (0 ≤ x ∧ x ≤ 15)) = true) : ∀ x, x ∈ l → 0 ≤ x ∧ x ≤ 15 :=
    fun x m => of_decide_eq_true (all_eq_true.mp h x m)
end Gnosis
