prelude
import Gnosis.Core
import Gnosis.Decision.Lattice
import Gnosis.Decision.Energy
/-! # The lattice decoders return a nearest lattice point

For every number of coordinates and every positive scale: the decoder of `ℤⁿ` rounds (`cubic_decode_nearest`), the
decoders of `Dₙ` and `Dₙ⁺` return a point of their lattice, no point of the lattice is nearer, and a point of the
lattice decodes to itself.  For eight coordinates these are the statements about `D₈` and `E₈` (`d8_decode_mem`,
`d8_decode_nearest`, `e8_decode_mem`, `e8_decode_nearest`, `e8_decode_idem`).  What a gate is given is not nearness
but the residual energy, which `sqDist_eq_energy` identifies. -/
open List
namespace Gnosis

/-! ## One coordinate -/

/-- A rounding error is at most one half: `-m ≤ 2·error ≤ m`. -/
theorem roundError_bounds {m : Int} (hm : 0 < m) (x : Int) : -m ≤ 2 * roundError m x ∧ 2 * roundError m x ≤ m := by
  obtain ⟨h₁, h₂⟩ := Int.ediv_spec (2 * x + m) (d := 2 * m) (by lin [hm, hm])
  unfold roundError nearestInt
  generalize (2 * x + m) / (2 * m) = q at *
  exact ⟨by lin [h₁], by lin [h₂]⟩

/-- Absolute error and second nearest integer, by the sign of the error. -/
theorem roundDeviation_cases (m x : Int) :
    (0 ≤ roundError m x ∧ roundDeviation m x = roundError m x ∧ secondNearest m x = nearestInt m x + 1)
    ∨ (roundError m x ≤ 0 ∧ roundDeviation m x = -roundError m x ∧ secondNearest m x = nearestInt m x - 1) := by
  rcases Int.lt_or_ge (roundError m x) 0 with h | h
  · have n : ¬ 0 ≤ roundError m x := fun k => Int.not_le_of_lt h k
    exact .inr ⟨Int.le_of_lt h, if_neg n, if_neg n⟩
  · exact .inl ⟨h, if_pos h, if_pos h⟩

/-- The absolute rounding error lies between 0 and one half. -/
theorem roundDeviation_bounds {m : Int} (hm : 0 < m) (x : Int) :
    0 ≤ roundDeviation m x ∧ 2 * roundDeviation m x ≤ m := by
  obtain ⟨h₁, h₂⟩ := roundError_bounds hm x
  rcases roundDeviation_cases m x with ⟨h, e, _⟩ | ⟨h, e, _⟩ <;> rw [e]
  · exact ⟨h, h₂⟩
  · exact ⟨by lin [h], by lin [h₁]⟩

/-- For `0 ≤ 2a ≤ m`: a step from `0` to another multiple of `m` costs at least `m² - 2ma`. -/
theorem step_cost {m a d : Int} (ha : 0 ≤ a) (h2 : 2 * a ≤ m) (hd : 0 < d ∨ d < 0) :
    a * a + (m * m - 2 * m * a) ≤ (a - m * d) * (a - m * d) := by
  have hm : 0 ≤ m := by lin [ha, ha, h2]
  rcases hd with hd | hd
  · have h₁ : 0 ≤ d - 1 := by lin [hd]
    have h₂ : 0 ≤ m * (d - 1) := Int.mul_nonneg hm h₁
    have h₃ : 0 ≤ m * (d + 1) - 2 * a := by lin [h₂, hm, h2]
    lin [Int.mul_nonneg h₂ h₃]
  · have h₁ : 0 ≤ -1 - d := by lin [hd]
    have h₂ : 0 ≤ m * (-1 - d) := Int.mul_nonneg hm h₁
    have h₃ : 0 ≤ m * (-1 - d) + 2 * a := by lin [h₂, ha, ha]
    have h₄ : 0 ≤ m * (1 - d) := Int.mul_nonneg hm (by lin [hd])
    lin [Int.mul_nonneg h₄ h₃]

/-- What the second nearest integer costs more than the nearest one. -/
theorem sq_secondNearest (m x : Int) : (x - m * secondNearest m x) * (x - m * secondNearest m x)
    = (x - m * nearestInt m x) * (x - m * nearestInt m x) + (m * m - 2 * m * roundDeviation m x) := by
  rcases roundDeviation_cases m x with ⟨_, e, s⟩ | ⟨_, e, s⟩ <;> rw [e, s] <;> unfold roundError <;> ring

/-- Any integer but the nearest costs at least as much as the second nearest. -/
theorem sq_ne_nearestInt {m : Int} (hm : 0 < m) (x z : Int) (hz : z ≠ nearestInt m x) :
    (x - m * nearestInt m x) * (x - m * nearestInt m x) + (m * m - 2 * m * roundDeviation m x)
      ≤ (x - m * z) * (x - m * z) := by
  obtain ⟨h₁, h₂⟩ := roundDeviation_bounds hm x
  have hd : 0 < z - nearestInt m x ∨ z - nearestInt m x < 0 := by
    rcases Int.lt_or_ge (nearestInt m x) z with h | h
    · exact .inl (by lin [h])
    · exact .inr (by lin [Int.lt_of_le_of_ne h hz])
  rcases roundDeviation_cases m x with ⟨_, e, _⟩ | ⟨_, e, _⟩
  · have k := step_cost h₁ h₂ hd
    rw [e] at k ⊢
    unfold roundError at *
    lin [k]
  · have hd : 0 < nearestInt m x - z ∨ nearestInt m x - z < 0 := hd.elim
      (fun h => .inr (by lin [h])) (fun h => .inl (by lin [h]))
    have k := step_cost h₁ h₂ hd
    rw [e] at k ⊢
    unfold roundError at *
    lin [k]

/-- Rounding the other way never costs less. -/
theorem flip_cost_nonneg {m : Int} (hm : 0 < m) (x : Int) : 0 ≤ m * m - 2 * m * roundDeviation m x := by
  have h : 0 ≤ m - 2 * roundDeviation m x := Int.sub_nonneg_of_le (roundDeviation_bounds hm x).2
  lin [Int.mul_nonneg (Int.le_of_lt hm) h]

/-- No integer is nearer than the nearest one. -/
theorem sq_nearestInt_le {m : Int} (hm : 0 < m) (x z : Int) :
    (x - m * nearestInt m x) * (x - m * nearestInt m x) ≤ (x - m * z) * (x - m * z) := by
  by_cases h : z = nearestInt m x
  · rw [h]; exact Int.le_refl _
  · refine Int.le_trans ?_ (sq_ne_nearestInt hm x z h)
    lin [flip_cost_nonneg hm x]

/-! ## Lists -/

/-- The larger of two integers is one of them. -/
theorem larger_cases (a b : Int) : (a ≤ b ∧ larger a b = b) ∨ (b < a ∧ larger a b = a) := by
  by_cases h : a ≤ b
  · exact .inl ⟨h, if_pos h⟩
  · exact .inr ⟨Int.lt_of_not_le h, if_neg h⟩

/-- No coordinate has a larger absolute error than the worst one. -/
theorem le_worstDeviation (m : Int) (xs : List Int) : ∀ x, x ∈ xs → roundDeviation m x ≤ worstDeviation m xs := by
  induction xs with
  | nil => exact fun _ h => nomatch h
  | cons y ys ih =>
    intro x hx
    show _ ≤ larger (roundDeviation m y) (worstDeviation m ys)
    rcases larger_cases (roundDeviation m y) (worstDeviation m ys) with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
    · cases hx with
      | head => exact h
      | tail _ hx => exact ih x hx
    · cases hx with
      | head => exact Int.le_refl _
      | tail _ hx => exact Int.le_trans (ih x hx) (Int.le_of_lt h)

/-- Some coordinate has the worst error. -/
theorem worstDeviation_attained {m : Int} (hm : 0 < m) (xs : List Int) (h : xs ≠ []) :
    ∃ x, x ∈ xs ∧ roundDeviation m x = worstDeviation m xs := by
  induction xs with
  | nil => contradiction
  | cons y ys ih =>
    show ∃ x, x ∈ y :: ys ∧ roundDeviation m x = larger (roundDeviation m y) (worstDeviation m ys)
    rcases larger_cases (roundDeviation m y) (worstDeviation m ys) with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
    · cases ys with
      | nil => exact ⟨y, .head _, Int.le_antisymm h (roundDeviation_bounds hm y).1⟩
      | cons z zs => obtain ⟨x, hx, k⟩ := ih (fun e => nomatch e); exact ⟨x, .tail y hx, k⟩
    · exact ⟨y, .head ys, rfl⟩

/-- Rounding gives a nearest integer point. -/
theorem sqDist_cubic_le {m : Int} (hm : 0 < m) (xs zs : List Int) (hl : zs.length = xs.length) :
    sqDist m xs (map (nearestInt m) xs) ≤ sqDist m xs zs := by
  induction xs generalizing zs with
  | nil => cases zs with
    | nil => exact Int.le_refl 0
    | cons z zs => exact nomatch hl
  | cons x xs ih => cases zs with
    | nil => exact nomatch hl
    | cons z zs => exact Int.add_le_add (sq_nearestInt_le hm x z) (ih zs (Nat.add_right_cancel hl))

/-- Any other integer point costs at least a flip of a coordinate with the largest error. -/
theorem sqDist_ne_cubic {m e : Int} (hm : 0 < m) (xs zs : List Int) (hl : zs.length = xs.length)
    (he : ∀ x, x ∈ xs → roundDeviation m x ≤ e) (hz : zs ≠ map (nearestInt m) xs) :
    sqDist m xs (map (nearestInt m) xs) + (m * m - 2 * m * e) ≤ sqDist m xs zs := by
  induction xs generalizing zs with
  | nil => cases zs with
    | nil => contradiction
    | cons z zs => exact nomatch hl
  | cons x xs ih => cases zs with
    | nil => exact nomatch hl
    | cons z zs =>
      obtain ⟨he₁, he₂⟩ := forall_mem_cons he
      have hl : zs.length = xs.length := Nat.add_right_cancel hl
      show (x - m * nearestInt m x) * (x - m * nearestInt m x) + sqDist m xs (map (nearestInt m) xs) + _
        ≤ (x - m * z) * (x - m * z) + sqDist m xs zs
      by_cases h : z = nearestInt m x
      · have k := ih zs hl he₂ (fun g => hz (by rw [h, g]; rfl))
        rw [h]
        lin [k]
      · have k : m * roundDeviation m x ≤ m * e := Int.mul_le_mul_of_nonneg_left he₁ (Int.le_of_lt hm)
        lin [sq_ne_nearestInt hm x z h, sqDist_cubic_le hm xs zs hl, k, k]

/-- What a flip costs and what it does to the sum. -/
theorem roundButOne_spec (m e : Int) (xs : List Int) (h : ∃ x, x ∈ xs ∧ roundDeviation m x = e) :
    sqDist m xs (roundButOne m e xs) = sqDist m xs (map (nearestInt m) xs) + (m * m - 2 * m * e)
      ∧ (sum (roundButOne m e xs) = sum (map (nearestInt m) xs) + 1
        ∨ sum (roundButOne m e xs) = sum (map (nearestInt m) xs) - 1) := by
  induction xs with
  | nil => obtain ⟨_, h, _⟩ := h; exact nomatch h
  | cons x xs ih =>
    unfold roundButOne
    by_cases hx : roundDeviation m x = e
    · rw [if_pos hx]
      constructor
      · show (x - m * secondNearest m x) * (x - m * secondNearest m x) + _
          = (x - m * nearestInt m x) * (x - m * nearestInt m x) + _ + _
        rw [sq_secondNearest, hx]
        ring
      · show secondNearest m x + _ = nearestInt m x + _ + 1 ∨ secondNearest m x + _ = nearestInt m x + _ - 1
        rcases roundDeviation_cases m x with ⟨_, _, s⟩ | ⟨_, _, s⟩ <;> rw [s]
        · left; ring
        · right; ring
    · rw [if_neg hx]
      have h : ∃ x, x ∈ xs ∧ roundDeviation m x = e := by
        obtain ⟨y, hy, k⟩ := h
        cases hy with
        | head => exact absurd k hx
        | tail _ hy => exact ⟨y, hy, k⟩
      obtain ⟨d, s⟩ := ih h
      constructor
      · show _ + sqDist m xs (roundButOne m e xs) = _ + sqDist m xs (map (nearestInt m) xs) + _
        rw [d, Int.add_assoc]
      · show nearestInt m x + sum (roundButOne m e xs) = nearestInt m x + _ + 1
          ∨ nearestInt m x + sum (roundButOne m e xs) = nearestInt m x + _ - 1
        rcases s with s | s <;> rw [s]
        · left; ring
        · right; ring

/-- Rounding keeps the number of coordinates. -/
theorem length_roundButOne (m e : Int) (xs : List Int) : (roundButOne m e xs).length = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    unfold roundButOne
    by_cases hx : roundDeviation m x = e
    · rw [if_pos hx]; exact congrArg Nat.succ (length_map _ xs)
    · rw [if_neg hx]; exact congrArg Nat.succ ih

/-! ## The decoder of `Dₙ` -/

/-- What the decoder of `Dₙ` returns, by the parity of the rounded sum. -/
theorem dnDecode_cases (m : Int) (xs : List Int) :
    (Int.isEven (sum (map (nearestInt m) xs)) = true ∧ dnDecode m xs = map (nearestInt m) xs)
    ∨ (Int.isEven (sum (map (nearestInt m) xs)) = false ∧ xs ≠ []
      ∧ dnDecode m xs = roundButOne m (worstDeviation m xs) xs) := by
  unfold dnDecode
  show (_ ∧ cond (Int.isEven (sum (map (nearestInt m) xs))) (map (nearestInt m) xs) _ = _)
    ∨ (_ ∧ _ ∧ cond (Int.isEven (sum (map (nearestInt m) xs))) (map (nearestInt m) xs) _ = _)
  cases h : Int.isEven (sum (map (nearestInt m) xs)) with
  | true => exact .inl ⟨rfl, rfl⟩
  | false =>
    have n : xs ≠ [] := fun e => by rw [e] at h; exact nomatch (show true = false from h)
    exact .inr ⟨rfl, n, rfl⟩

/-- The result has as many coordinates as the input. -/
theorem length_dnDecode (m : Int) (xs : List Int) : (dnDecode m xs).length = xs.length := by
  rcases dnDecode_cases m xs with ⟨_, e⟩ | ⟨_, _, e⟩ <;> rw [e]
  · exact length_map _ xs
  · exact length_roundButOne m _ xs

/-- The result lies in `Dₙ`: its sum is even. -/
theorem dnDecode_even {m : Int} (hm : 0 < m) (xs : List Int) : Int.isEven (sum (dnDecode m xs)) = true := by
  rcases dnDecode_cases m xs with ⟨h, e⟩ | ⟨h, n, e⟩ <;> rw [e]
  · exact h
  · obtain ⟨k, hk⟩ := (Int.isEven_eq_false_iff _).mp h
    rcases (roundButOne_spec m (worstDeviation m xs) xs (worstDeviation_attained hm xs n)).2 with s | s <;> rw [s, hk]
    · exact (Int.isEven_iff _).mpr ⟨k + 1, by ring⟩
    · exact (Int.isEven_iff _).mpr ⟨k, by ring⟩

/-- The result is a point of `Dₙ` nearest to `x / m`. -/
theorem dnDecode_nearest {m : Int} (hm : 0 < m) (xs zs : List Int) (hl : zs.length = xs.length)
    (hz : Int.isEven (sum zs) = true) : sqDist m xs (dnDecode m xs) ≤ sqDist m xs zs := by
  rcases dnDecode_cases m xs with ⟨_, e⟩ | ⟨h, n, e⟩ <;> rw [e]
  · exact sqDist_cubic_le hm xs zs hl
  · rw [(roundButOne_spec m (worstDeviation m xs) xs (worstDeviation_attained hm xs n)).1]
    exact sqDist_ne_cubic hm xs zs hl (le_worstDeviation m xs) (fun g => by rw [g, h] at hz; contradiction)

/-- A multiple of the scale rounds to itself. -/
theorem nearestInt_mul {m : Int} (hm : 0 < m) (z : Int) : nearestInt m (m * z) = z := by
  obtain ⟨h₁, h₂⟩ := roundError_bounds hm (m * z)
  unfold roundError at h₁ h₂
  generalize nearestInt m (m * z) = q at *
  rcases Int.lt_or_ge q z with h | h
  · have k : m * (q + 1) ≤ m * z := Int.mul_le_mul_of_nonneg_left h (Int.le_of_lt hm)
    exfalso; lin [k, k, h₂, hm]
  · rcases Int.lt_or_ge z q with g | g
    · have k : m * (z + 1) ≤ m * q := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt hm)
      exfalso; lin [k, k, h₁, hm]
    · exact Int.le_antisymm g h

/-- An integer point rounds to itself. -/
theorem map_nearestInt_mul {m : Int} (hm : 0 < m) (zs : List Int) :
    map (nearestInt m) (map (fun z => m * z) zs) = zs := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show nearestInt m (m * z) :: map (nearestInt m) (map (fun z => m * z) zs) = z :: zs
    rw [nearestInt_mul hm, ih]

/-- Decoding a point of `Dₙ` returns it. -/
theorem dnDecode_of_mem {m : Int} (hm : 0 < m) (zs : List Int) (hz : Int.isEven (sum zs) = true) :
    dnDecode m (map (fun z => m * z) zs) = zs := by
  show cond (Int.isEven (sum (map (nearestInt m) (map (fun z => m * z) zs)))) (map (nearestInt m) _) _ = zs
  rw [map_nearestInt_mul hm, hz]; rfl

/-! ## The decoder of `Dₙ⁺`, with `n = 8` that of `E₈` -/

/-- The points of `Dₙ⁺ = Dₙ ∪ (Dₙ + (½, …, ½))`, in units of `1/2`. -/
def DnPlus (ws : List Int) : Prop :=
  ∃ zs, Int.isEven (sum zs) = true ∧ (ws = map (fun z => 2 * z) zs ∨ ws = map (fun z => 2 * z + 1) zs)

/-- The distance from a point with even coordinates in units of 1/2. -/
theorem sqDist_even (h : Int) (xs zs : List Int) : sqDist h xs (map (fun z => 2 * z) zs) = sqDist (2 * h) xs zs := by
  induction xs generalizing zs with
  | nil => rfl
  | cons x xs ih => cases zs with
    | nil => rfl
    | cons z zs =>
      show (x - h * (2 * z)) * (x - h * (2 * z)) + sqDist h xs (map (fun z => 2 * z) zs)
        = (x - 2 * h * z) * (x - 2 * h * z) + sqDist (2 * h) xs zs
      rw [ih]; ring

/-- The distance from a point with odd coordinates in units of 1/2. -/
theorem sqDist_odd (h : Int) (xs zs : List Int) :
    sqDist h xs (map (fun z => 2 * z + 1) zs) = sqDist (2 * h) (map (fun x => x - h) xs) zs := by
  induction xs generalizing zs with
  | nil => rfl
  | cons x xs ih => cases zs with
    | nil => rfl
    | cons z zs =>
      show (x - h * (2 * z + 1)) * (x - h * (2 * z + 1)) + sqDist h xs (map (fun z => 2 * z + 1) zs)
        = (x - h - 2 * h * z) * (x - h - 2 * h * z) + sqDist (2 * h) (map (fun x => x - h) xs) zs
      rw [ih]; ring

/-- The decoder of `Dₙ⁺` returns the point of one of the cosets, and the nearer one. -/
theorem dnPlusDecode_cases (h : Int) (xs : List Int) :
    let a := map (fun z => 2 * z) (dnDecode (2 * h) xs)
    let b := map (fun z => 2 * z + 1) (dnDecode (2 * h) (map (fun x => x - h) xs))
    sqDist h xs (dnPlusDecode h xs) ≤ sqDist h xs a ∧ sqDist h xs (dnPlusDecode h xs) ≤ sqDist h xs b
      ∧ (dnPlusDecode h xs = a ∨ dnPlusDecode h xs = b) := by
  intro a b
  by_cases k : sqDist h xs a ≤ sqDist h xs b
  · have e : dnPlusDecode h xs = a := if_pos k
    rw [e]; exact ⟨Int.le_refl _, k, .inl rfl⟩
  · have e : dnPlusDecode h xs = b := if_neg k
    rw [e]; exact ⟨Int.le_of_lt (Int.lt_of_not_le k), Int.le_refl _, .inr rfl⟩
/-- The result has as many coordinates as the input. -/
theorem length_dnPlusDecode (h : Int) (xs : List Int) : (dnPlusDecode h xs).length = xs.length := by
  rcases (dnPlusDecode_cases h xs).2.2 with e | e <;> rw [e, length_map, length_dnDecode]
  rw [length_map]

/-- Twice a positive number is positive. -/
theorem two_mul_pos {h : Int} (hh : 0 < h) : 0 < 2 * h := by lin [hh, hh]

/-- The result lies in `Dₙ⁺`. -/
theorem dnPlusDecode_mem {h : Int} (hh : 0 < h) (xs : List Int) : DnPlus (dnPlusDecode h xs) := by
  rcases (dnPlusDecode_cases h xs).2.2 with e | e <;> rw [e]
  · exact ⟨_, dnDecode_even (two_mul_pos hh) _, .inl rfl⟩
  · exact ⟨_, dnDecode_even (two_mul_pos hh) _, .inr rfl⟩

/-- The result is a point of `Dₙ⁺` nearest to `x / (2h)`. -/
theorem dnPlusDecode_nearest {h : Int} (hh : 0 < h) (xs ws : List Int) (hl : ws.length = xs.length)
    (hw : DnPlus ws) : sqDist h xs (dnPlusDecode h xs) ≤ sqDist h xs ws := by
  obtain ⟨ha, hb, _⟩ := dnPlusDecode_cases h xs
  obtain ⟨zs, hz, rfl | rfl⟩ := hw
  · refine Int.le_trans ha ?_
    rw [length_map] at hl
    rw [sqDist_even, sqDist_even]
    exact dnDecode_nearest (two_mul_pos hh) xs zs hl hz
  · refine Int.le_trans hb ?_
    rw [length_map] at hl
    rw [sqDist_odd, sqDist_odd]
    exact dnDecode_nearest (two_mul_pos hh) _ zs (by rw [length_map]; exact hl) hz

/-- Only the point itself is at distance 0. -/
theorem eq_of_sqDist_le_zero {h : Int} (hh : 0 < h) (ws vs : List Int) (hl : vs.length = ws.length)
    (hd : sqDist h (map (fun w => h * w) ws) vs ≤ 0) : vs = ws := by
  induction ws generalizing vs with
  | nil => cases vs with
    | nil => rfl
    | cons v vs => exact nomatch hl
  | cons w ws ih => cases vs with
    | nil => exact nomatch hl
    | cons v vs =>
      have hd : (h * w - h * v) * (h * w - h * v) + sqDist h (map (fun w => h * w) ws) vs ≤ 0 := hd
      have rest := sqDist_nonneg h (map (fun w => h * w) ws) vs
      have e : v = w := by
        rcases Int.lt_or_ge v w with k | k
        · have t : 0 < h * (w - v) := Int.mul_pos hh (by lin [k])
          exfalso; lin [Int.mul_pos t t, rest, hd]
        · rcases Int.lt_or_ge w v with k' | k'
          · have t : 0 < h * (v - w) := Int.mul_pos hh (by lin [k'])
            exfalso; lin [Int.mul_pos t t, rest, hd]
          · exact Int.le_antisymm k' k
      rw [e, ih vs (Nat.add_right_cancel hl)
        (by lin [Int.sq_nonneg (h * w - h * v), hd])]
where
  sqDist_nonneg (h : Int) (xs zs : List Int) : 0 ≤ sqDist h xs zs := by
    induction xs generalizing zs with
    | nil => exact Int.le_refl 0
    | cons x xs ih => cases zs with
      | nil => exact Int.le_refl 0
      | cons z zs => exact Int.add_nonneg (Int.sq_nonneg _) (ih zs)

/-- A point is at distance 0 from itself. -/
theorem sqDist_self (h : Int) (ws : List Int) : sqDist h (map (fun w => h * w) ws) ws = 0 := by
  induction ws with
  | nil => rfl
  | cons w ws ih =>
    show (h * w - h * w) * (h * w - h * w) + sqDist h (map (fun w => h * w) ws) ws = 0
    rw [ih]; ring

/-- Decoding a point of `Dₙ⁺` returns it. -/
theorem dnPlusDecode_of_mem {h : Int} (hh : 0 < h) (ws : List Int) (hw : DnPlus ws) :
    dnPlusDecode h (map (fun w => h * w) ws) = ws := by
  have k := dnPlusDecode_nearest hh (map (fun w => h * w) ws) ws (length_map _ ws).symm hw
  rw [sqDist_self] at k
  exact eq_of_sqDist_le_zero hh ws _ ((length_dnPlusDecode h _).trans (length_map _ ws)) k

/-! ## Membership in `E₈` is decidable -/

/-- A list of even numbers is twice a list. -/
theorem exists_even (ws : List Int) (h : all ws Int.isEven = true) : ∃ zs, ws = map (fun z => 2 * z) zs := by
  induction ws with
  | nil => exact ⟨[], rfl⟩
  | cons w ws ih =>
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨z, rfl⟩ := (Int.isEven_iff w).mp h₁
    obtain ⟨zs, rfl⟩ := ih h₂
    exact ⟨z :: zs, rfl⟩

/-- A list of odd numbers is twice a list, plus 1 everywhere. -/
theorem exists_odd (ws : List Int) (h : all ws (fun w => !Int.isEven w) = true) :
    ∃ zs, ws = map (fun z => 2 * z + 1) zs := by
  induction ws with
  | nil => exact ⟨[], rfl⟩
  | cons w ws ih =>
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    rcases Int.even_or_odd w with e | ⟨z, rfl⟩
    · have h₁ : (!Int.isEven w) = true := h₁
      rw [(Int.isEven_iff w).mpr e] at h₁; contradiction
    obtain ⟨zs, rfl⟩ := ih h₂
    exact ⟨z :: zs, rfl⟩

/-- Twice a list is even. -/
theorem all_even (zs : List Int) : all (map (fun z => 2 * z) zs) Int.isEven = true := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show (Int.isEven (2 * z) && all (map (fun z => 2 * z) zs) Int.isEven) = true
    rw [(Int.isEven_iff _).mpr ⟨z, rfl⟩, ih]; rfl

/-- Twice a list, plus 1 everywhere, is odd. -/
theorem all_odd (zs : List Int) : all (map (fun z => 2 * z + 1) zs) (fun w => !Int.isEven w) = true := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show (!Int.isEven (2 * z + 1) && all (map (fun z => 2 * z + 1) zs) (fun w => !Int.isEven w)) = true
    rw [(Int.isEven_eq_false_iff _).mpr ⟨z, rfl⟩, ih]; rfl

/-- The sum of twice a list. -/
theorem sum_even (zs : List Int) : sum (map (fun z => 2 * z) zs) = 2 * sum zs := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show 2 * z + sum (map (fun z => 2 * z) zs) = 2 * (z + sum zs)
    rw [ih]; ring

/-- The sum of twice a list, plus 1 everywhere. -/
theorem sum_odd (zs : List Int) : sum (map (fun z => 2 * z + 1) zs) = 2 * sum zs + zs.length := by
  induction zs with
  | nil => rfl
  | cons z zs ih =>
    show 2 * z + 1 + sum (map (fun z => 2 * z + 1) zs) = 2 * (z + sum zs) + ((zs.length : Int) + 1)
    rw [ih]; ring

/-- The decision is right: `isE8` holds of the eight-coordinate points of `D₈⁺`, which is `E₈`. -/
theorem isE8_iff (ws : List Int) : isE8 ws = true ↔ ws.length = 8 ∧ DnPlus ws := by
  have eight : ∀ s : Int, 2 * s + ((8 : Nat) : Int) = 2 * (s + 4) := fun s => by show 2 * s + 8 = _; ring
  have shift : ∀ s : Int, Int.isEven (s + 4) = true ↔ Int.isEven s = true := fun s =>
    ⟨fun h => by
      obtain ⟨k, hk⟩ := (Int.isEven_iff _).mp h
      have e : s = (s + 4) - 4 := by ring
      rw [hk] at e
      exact (Int.isEven_iff s).mpr ⟨k - 2, e.trans (by ring)⟩,
    fun h => by
      obtain ⟨k, rfl⟩ := (Int.isEven_iff _).mp h
      exact (Int.isEven_iff _).mpr ⟨k + 2, by ring⟩⟩
  unfold isE8
  constructor
  · intro h
    obtain ⟨hl, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨hp, hs⟩ := Bool.and_eq_true_iff.mp h
    have hl := Nat.beq_eq_true_iff.mp hl
    refine ⟨hl, ?_⟩
    cases he : all ws Int.isEven with
    | true =>
      obtain ⟨zs, rfl⟩ := exists_even ws he
      rw [sum_even, Int.two_mul_ediv] at hs
      exact ⟨zs, hs, .inl rfl⟩
    | false =>
      rw [he] at hp
      obtain ⟨zs, rfl⟩ := exists_odd ws hp
      rw [length_map] at hl
      rw [sum_odd, hl, eight, Int.two_mul_ediv] at hs
      exact ⟨zs, (shift _).mp hs, .inr rfl⟩
  · rintro ⟨hl, zs, hz, rfl | rfl⟩
    · rw [hl, sum_even, Int.two_mul_ediv, hz, all_even]; rfl
    · rw [hl, sum_odd, all_odd]
      rw [length_map] at hl
      rw [hl, eight, Int.two_mul_ediv, (shift _).mpr hz]
      cases all (map (fun z => 2 * z + 1) zs) Int.isEven with
      | true => rfl
      | false => rfl

/-! ## The statements for `ℤⁿ`, `D₈` and `E₈` -/

/-- No integer point is nearer to `xs / m` than the rounded one. -/
theorem cubic_decode_nearest {m : Int} (hm : 0 < m) (xs zs : List Int) (hl : zs.length = xs.length) :
    sqDist m xs (cubicDecode m xs) ≤ sqDist m xs zs := sqDist_cubic_le hm xs zs hl

/-- An integer point rounds to itself. -/
theorem cubic_decode_idem {m : Int} (hm : 0 < m) (zs : List Int) : cubicDecode m (zs.map (fun z => m * z)) = zs :=
  map_nearestInt_mul hm zs

/-- What `isD8` checks. -/
theorem isD8_iff (zs : List Int) : isD8 zs = true ↔ zs.length = 8 ∧ Int.isEven (sum zs) = true :=
  Iff.trans Bool.and_eq_true_iff
    ⟨fun h => ⟨Nat.beq_eq_true_iff.mp h.1, h.2⟩, fun h => ⟨Nat.beq_eq_true_iff.mpr h.1, h.2⟩⟩

/-- On proper input `d8Decode` is `dnDecode`. -/
theorem d8Decode_eq {m : Int} (hm : 0 < m) {xs : List Int} (hl : xs.length = 8) : d8Decode m xs = dnDecode m xs := by
  unfold d8Decode
  rw [decide_eq_true hm, Nat.beq_eq_true_iff.mpr hl]; rfl

/-- On proper input `e8Decode` is `dnPlusDecode`. -/
theorem e8Decode_eq {h : Int} (hh : 0 < h) {xs : List Int} (hl : xs.length = 8) :
    e8Decode h xs = dnPlusDecode h xs := by
  unfold e8Decode
  rw [decide_eq_true hh, Nat.beq_eq_true_iff.mpr hl]; rfl

/-- **The `D₈` decoder returns a point of `D₈`**, for every input of eight coordinates and every scale `m > 0`. -/
theorem d8_decode_mem {m : Int} (hm : 0 < m) (xs : List Int) (hl : xs.length = 8) : isD8 (d8Decode m xs) = true := by
  rw [d8Decode_eq hm hl]
  exact (isD8_iff _).mpr ⟨(length_dnDecode m xs).trans hl, dnDecode_even hm xs⟩

/-- **No point of `D₈` is nearer** to `xs / m` than the one that the decoder returns. -/
theorem d8_decode_nearest {m : Int} (hm : 0 < m) (xs zs : List Int) (hl : xs.length = 8) (hz : isD8 zs = true) :
    sqDist m xs (d8Decode m xs) ≤ sqDist m xs zs := by
  obtain ⟨l, e⟩ := (isD8_iff zs).mp hz
  rw [d8Decode_eq hm hl]
  exact dnDecode_nearest hm xs zs (l.trans hl.symm) e

/-- **A point of `D₈` decodes to itself.** -/
theorem d8_decode_idem {m : Int} (hm : 0 < m) (zs : List Int) (hz : isD8 zs = true) :
    d8Decode m (zs.map (fun z => m * z)) = zs := by
  obtain ⟨l, e⟩ := (isD8_iff zs).mp hz
  rw [d8Decode_eq hm ((length_map _ zs).trans l)]
  exact dnDecode_of_mem hm zs e

/-- **The `E₈` decoder returns a point of `E₈`**, for every input of eight coordinates and every scale `h > 0`. -/
theorem e8_decode_mem {h : Int} (hh : 0 < h) (xs : List Int) (hl : xs.length = 8) : isE8 (e8Decode h xs) = true := by
  rw [e8Decode_eq hh hl]
  exact (isE8_iff _).mpr ⟨(length_dnPlusDecode h xs).trans hl, dnPlusDecode_mem hh xs⟩

/-- **No point of `E₈` is nearer** to `xs / (2h)` than the one that the decoder returns. -/
theorem e8_decode_nearest {h : Int} (hh : 0 < h) (xs ws : List Int) (hl : xs.length = 8) (hw : isE8 ws = true) :
    sqDist h xs (e8Decode h xs) ≤ sqDist h xs ws := by
  obtain ⟨l, m⟩ := (isE8_iff ws).mp hw
  rw [e8Decode_eq hh hl]
  exact dnPlusDecode_nearest hh xs ws (l.trans hl.symm) m

/-- **A point of `E₈` decodes to itself.** -/
theorem e8_decode_idem {h : Int} (hh : 0 < h) (ws : List Int) (hw : isE8 ws = true) :
    e8Decode h (ws.map (fun w => h * w)) = ws := by
  obtain ⟨l, m⟩ := (isE8_iff ws).mp hw
  rw [e8Decode_eq hh ((length_map _ ws).trans l)]
  exact dnPlusDecode_of_mem hh ws m

/-- The residual energy of the `E₈` decoder is at most that of the `D₈` decoder on the same input (both in units of
`1/(2h)`), and so is that of the cubic decoder.  Between the first and the last there is no order, input by input: an integer
point may lie far from `E₈` (`Gnosis.Falsifiers.e8_worse_than_rounding`). -/
theorem e8_decode_le_d8 {h : Int} (hh : 0 < h) (xs : List Int) (hl : xs.length = 8) :
    sqDist h xs (e8Decode h xs) ≤ sqDist (2 * h) xs (d8Decode (2 * h) xs)
    ∧ sqDist (2 * h) xs (cubicDecode (2 * h) xs) ≤ sqDist (2 * h) xs (d8Decode (2 * h) xs) := by
  constructor
  · rw [e8Decode_eq hh hl, d8Decode_eq (two_mul_pos hh) hl, ← sqDist_even]
    exact (dnPlusDecode_cases h xs).1
  · rw [d8Decode_eq (two_mul_pos hh) hl]
    exact cubic_decode_nearest (two_mul_pos hh) xs _ (length_dnDecode _ xs)

/-! ## What the gates use: the residual energy -/

/-- The residual `xs - m·zs`, in the units of `xs`. -/
def latticeResidual (m : Int) : List Int → List Int → List Int
  | x :: xs, z :: zs => (x - m * z) :: latticeResidual m xs zs
  | _, _ => []

/-- `sqDist` is the energy of the residual, whatever integer point `zs` was chosen: the number that the energy gate
takes as its sidecar, exact and independent of any claim of nearness. -/
theorem sqDist_eq_energy (m : Int) (xs zs : List Int) : sqDist m xs zs = energy (latticeResidual m xs zs) := by
  induction xs generalizing zs with
  | nil => rfl
  | cons x xs ih => cases zs with
    | nil => rfl
    | cons z zs => exact congrArg ((x - m * z) * (x - m * z) + ·) (ih zs)

/-! ## Instances -/

/-- Not vacuous: an odd rounding that the `D₈` decoder repairs, and inputs with a non-zero residual that `E₈`
decodes in either coset. -/
theorem lattice_decode_instances :
    d8Decode 10 [4, 6, 5, 5, 7, 3, 5, -5] = [0, 1, 0, 1, 1, 0, 1, 0]
    ∧ e8Decode 5 [4, 6, 5, 5, 7, 3, 5, -5] = [1, 1, 1, 1, 3, 1, 1, -1]
    ∧ e8Decode 5 [-7, 3, 2, 9, 14, -1, 0, 6] = [-2, 0, 0, 2, 2, 0, 0, 2] := ⟨rfl, rfl, rfl⟩

/-- Sharp: at the deep hole `(1, 0, …, 0)` of `E₈` the decoder leaves a residual of length 1 (energy 4 in units of
1/2), and nearness cannot give less. -/
theorem e8_deep_hole :
    sqDist 1 [2, 0, 0, 0, 0, 0, 0, 0] (e8Decode 1 [2, 0, 0, 0, 0, 0, 0, 0]) = 4
    ∧ ∀ ws, isE8 ws = true → 4 ≤ sqDist 1 [2, 0, 0, 0, 0, 0, 0, 0] ws :=
  ⟨rfl, fun ws hw => e8_decode_nearest (h := 1) (by decide) [2, 0, 0, 0, 0, 0, 0, 0] ws rfl hw⟩

end Gnosis
