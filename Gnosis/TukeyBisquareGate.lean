prelude
import Gnosis.Decision.Tukey
import Gnosis.QualityMarginCacheAdmissibility
import Gnosis.Foundation.Abs
import Gnosis.Foundation.Squares
/-! # The Tukey bisquare gate

A residual counts in full at zero, less and less towards the rim of the bowl `|r| ≤ c`, and not at all beyond it: an
estimate that leaves the bowl is a miss, never a wrong vote.  With `c = γ/2` the bowl holds exactly the residuals
that a margin of `γ` survives.  Everything is kept in doubled integers: `2·|r| ≤ γ` says `|r| ≤ c`. -/
namespace Gnosis
open List

/-- What the gate decides: the margin is not negative and the residual lies in its bowl. -/
theorem tukey_admit_iff {r γ : Int} : tukeyAdmit r γ = true ↔ 0 ≤ γ ∧ 2 * (r.natAbs : Int) ≤ γ := by
  refine Bool.and_eq_true_iff.trans ⟨fun ⟨h, k⟩ => ⟨of_decide_eq_true h, ?_⟩, fun ⟨h, k⟩ => ⟨decide_eq_true h, ?_⟩⟩
  · obtain ⟨k₁, k₂⟩ := Bool.and_eq_true_iff.mp k
    exact (Int.natAbs_mul_le (by decide)).mpr ⟨of_decide_eq_true k₁, of_decide_eq_true k₂⟩
  · obtain ⟨k₁, k₂⟩ := (Int.natAbs_mul_le (by decide)).mp k
    exact Bool.and_eq_true_iff.mpr ⟨decide_eq_true k₁, decide_eq_true k₂⟩

/-- Past the rim the gate refuses. -/
theorem tukey_refuses_past_rim {r γ : Int} (h : γ < 2 * (r.natAbs : Int)) : tukeyAdmit r γ = false :=
  Bool.eq_false_iff.mpr fun k => Int.not_le_of_lt h (tukey_admit_iff.mp k).2

/-- The weight inside the bowl. -/
theorem tukeyWeight_of_admit {r γ : Int} (h : tukeyAdmit r γ = true) :
    tukeyWeight r γ = (γ * γ - 4 * r * r) * (γ * γ - 4 * r * r) := by
  unfold tukeyWeight; rw [h]; rfl
/-- The weight outside the bowl. -/
theorem tukeyWeight_of_refuse {r γ : Int} (h : tukeyAdmit r γ = false) : tukeyWeight r γ = 0 := by
  unfold tukeyWeight; rw [h]; rfl

/-- In the bowl the base of the weight lies between 0 and `γ²`. -/
theorem base_range {r γ : Int} (h : tukeyAdmit r γ = true) :
    0 ≤ γ * γ - 4 * r * r ∧ γ * γ - 4 * r * r ≤ γ * γ := by
  obtain ⟨k₁, k₂⟩ := (Int.natAbs_mul_le (by decide)).mp (tukey_admit_iff.mp h).2
  have sq := Int.sq_le_sq_of_abs_le k₁ k₂
  have pos := Int.sq_nonneg (2 * r)
  exact ⟨by lin [sq], by lin [pos]⟩

/-- **The weight lies in `[0, γ⁴]`**, that is between 0 and 1 in the usual units. -/
theorem tukey_weight_range (r γ : Int) : 0 ≤ tukeyWeight r γ ∧ tukeyWeight r γ ≤ γ * γ * (γ * γ) := by
  cases h : tukeyAdmit r γ with
  | true =>
    rw [tukeyWeight_of_admit h]
    obtain ⟨h₁, h₂⟩ := base_range h
    exact ⟨Int.sq_nonneg _, Int.mul_le_mul h₂ h₂ h₁ (Int.le_trans h₁ h₂)⟩
  | false =>
    rw [tukeyWeight_of_refuse h]
    exact ⟨Int.le_refl 0, Int.sq_nonneg (γ * γ)⟩

/-- Both ends of the range are attained: full weight at residual 0. -/
theorem tukey_weight_zero {γ : Int} (h : 0 ≤ γ) : tukeyWeight 0 γ = γ * γ * (γ * γ) := by
  rw [tukeyWeight_of_admit ((tukey_admit_iff (r := 0)).mpr ⟨h, h⟩)]
  ring

/-- **The weight falls with `|r|`**, inside the bowl and across its rim. -/
theorem tukey_weight_antitone {r s γ : Int} (h : (r.natAbs : Int) ≤ s.natAbs) : tukeyWeight s γ ≤ tukeyWeight r γ := by
  cases hs : tukeyAdmit s γ with
  | false => rw [tukeyWeight_of_refuse hs]; exact (tukey_weight_range r γ).1
  | true =>
    obtain ⟨hγ, ks⟩ := tukey_admit_iff.mp hs
    have hr : tukeyAdmit r γ = true := tukey_admit_iff.mpr ⟨hγ, by lin [h, h, ks]⟩
    rw [tukeyWeight_of_admit hs, tukeyWeight_of_admit hr]
    have sq := Int.mul_le_mul h h (Int.natAbs_nonneg r) (Int.natAbs_nonneg s)
    rw [Int.natAbs_mul_self, Int.natAbs_mul_self] at sq
    have le : γ * γ - 4 * s * s ≤ γ * γ - 4 * r * r := by lin [sq, sq, sq, sq]
    obtain ⟨h₁, _⟩ := base_range hs
    exact Int.mul_le_mul le le h₁ (Int.le_trans h₁ le)

/-- Inside the bowl the weight falls strictly. -/
theorem tukey_weight_strict_antitone {r s γ : Int} (h : (r.natAbs : Int) < s.natAbs) (hs : tukeyAdmit s γ = true) :
    tukeyWeight s γ < tukeyWeight r γ := by
  obtain ⟨hγ, ks⟩ := tukey_admit_iff.mp hs
  have hr : tukeyAdmit r γ = true := tukey_admit_iff.mpr ⟨hγ, by lin [h, h, ks]⟩
  rw [tukeyWeight_of_admit hs, tukeyWeight_of_admit hr]
  -- the squares differ by at least one
  have r₀ := Int.natAbs_nonneg r
  have sq := Int.mul_le_mul h h (by lin [r₀]) (Int.natAbs_nonneg s)
  have er := Int.natAbs_mul_self r
  have es := Int.natAbs_mul_self s
  have lt : γ * γ - 4 * s * s < γ * γ - 4 * r * r := by
    lin [sq, sq, sq, sq, Int.le_of_eq er.symm, Int.le_of_eq er.symm, Int.le_of_eq er.symm, Int.le_of_eq er.symm,
      Int.le_of_eq es, Int.le_of_eq es, Int.le_of_eq es, Int.le_of_eq es, r₀, r₀, r₀, r₀, r₀, r₀, r₀, r₀]
  obtain ⟨h₁, _⟩ := base_range hs
  generalize γ * γ - 4 * s * s = x, γ * γ - 4 * r * r = y at *
  have step : 0 < y - x := by lin [lt]
  have pos : 0 < y := by lin [h₁, lt]
  lin [Int.mul_nonneg h₁ (Int.le_of_lt step), Int.mul_pos pos step]

/-- **The weight redescends**: it is zero at the rim and everywhere past it.  A residual that is too large is a miss,
not a lie. -/
theorem tukey_redescends {r γ : Int} (h : γ ≤ 2 * (r.natAbs : Int)) : tukeyWeight r γ = 0 := by
  cases a : tukeyAdmit r γ with
  | false => exact tukeyWeight_of_refuse a
  | true =>
    have e : 2 * (r.natAbs : Int) = γ := Int.le_antisymm (tukey_admit_iff.mp a).2 h
    have sq : 4 * r * r = γ * γ := by
      rw [← e, Int.mul_assoc, ← Int.natAbs_mul_self]; ring
    rw [tukeyWeight_of_admit a, sq]; ring

/-- The rim itself is admitted, with weight zero. -/
theorem tukey_rim {r γ : Int} (h : 2 * (r.natAbs : Int) = γ) : tukeyAdmit r γ = true ∧ tukeyWeight r γ = 0 := by
  refine ⟨tukey_admit_iff.mpr ⟨?_, Int.le_of_eq h⟩, tukey_redescends (Int.le_of_eq h.symm)⟩
  rw [← h]; lin [Int.natAbs_nonneg r, Int.natAbs_nonneg r]

/-- A residual has positive weight precisely when it lies strictly inside the bowl. -/
theorem tukey_weight_pos_iff {r γ : Int} : 0 < tukeyWeight r γ ↔ 2 * (r.natAbs : Int) < γ := by
  constructor
  · intro h
    rcases Int.lt_or_ge (2 * (r.natAbs : Int)) γ with k | k
    · exact k
    · rw [tukey_redescends k] at h; exact (Int.lt_irrefl 0 h).elim
  · intro h
    have r₀ := Int.natAbs_nonneg r
    have a : tukeyAdmit r γ = true := tukey_admit_iff.mpr ⟨by lin [h, r₀, r₀], Int.le_of_lt h⟩
    have e : 4 * r * r = 2 * (r.natAbs : Int) * (2 * (r.natAbs : Int)) := by
      rw [Int.mul_assoc, ← Int.natAbs_mul_self]; ring
    rw [tukeyWeight_of_admit a, e]
    generalize (r.natAbs : Int) = x at *
    have p : 0 < γ - 2 * x := by lin [h]
    have q : 0 < γ + 2 * x := by lin [h, r₀, r₀, r₀, r₀]
    have b := Int.mul_pos p q
    have e : γ * γ - 2 * x * (2 * x) = (γ - 2 * x) * (γ + 2 * x) := by ring
    rw [e]; exact Int.mul_pos b b

/-- **The bowl is safe**: if `w` leads every other score by `γ` or more and the gate admits the residual of every score,
then `w` is a maximiser of the scores with their residuals. -/
theorem tukey_sound {z r : List Int} {w : Nat} {γ : Int} (hl : z.length = r.length) (hw : w < z.length)
    (gap : ∀ j, j < z.length → j ≠ w → γ ≤ entry z w - entry z j)
    (admitted : ∀ i, i < z.length → tukeyAdmit (entry r i) γ = true) : IsMaximiser (addEntries z r) w := by
  have len := length_addEntries hl
  refine ⟨by rw [len]; exact hw, fun j hj => ?_⟩
  rw [len] at hj
  by_cases n : j = w
  · rw [n]; exact Int.le_refl _
  · have kj := ((Int.natAbs_mul_le (by decide)).mp (tukey_admit_iff.mp (admitted j hj)).2).2
    have kw := ((Int.natAbs_mul_le (by decide)).mp (tukey_admit_iff.mp (admitted w hw)).2).1
    rw [entry_addEntries hl hj, entry_addEntries hl hw]
    refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
    lin [gap j hj n, gap j hj n, kj, kw]

/-- **The bowl is the exact safe set** (sharp): with scores `γ` and 0 and residuals `-|r|` and `|r|`, the gate admits
`r` precisely when the first score stays a maximiser. -/
theorem tukey_sharp {r γ : Int} (hγ : 0 ≤ γ) :
    tukeyAdmit r γ = true ↔ IsMaximiser (addEntries [γ, 0] [-(r.natAbs : Int), r.natAbs]) 0 := by
  constructor
  · intro h
    obtain ⟨_, h⟩ := tukey_admit_iff.mp h
    refine ⟨Nat.succ_le_succ (Nat.zero_le _), forall_index_cons.mpr ⟨Int.le_refl _, forall_index_cons.mpr
      ⟨?_, fun i hi => absurd hi (Nat.not_succ_le_zero i)⟩⟩⟩
    show 0 + (r.natAbs : Int) ≤ γ + -(r.natAbs : Int)
    lin [h]
  · intro h
    have k : 0 + (r.natAbs : Int) ≤ γ + -(r.natAbs : Int) := h.2 1 .refl
    exact tukey_admit_iff.mpr ⟨hγ, by lin [k]⟩

/-- Not vacuous: margin 5 has a bowl of half-width 2.5.  Residual -2 is admitted with weight 81 of 625, residual 3 is a
miss; a negative margin admits nothing. -/
theorem tukey_nonvacuous : tukeyAdmit (-2) 5 = true ∧ tukeyWeight (-2) 5 = 81 ∧ tukeyWeight 0 5 = 625
    ∧ tukeyAdmit 3 5 = false ∧ tukeyWeight 3 5 = 0 ∧ tukeyAdmit 0 (-1) = false := ⟨rfl, rfl, rfl, rfl, rfl, rfl⟩

end Gnosis
