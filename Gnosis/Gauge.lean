prelude
import Gnosis.StepBudgetInputs
/-! # The gauge of the field, and the coefficient it bounds

The field tilts the served distribution by `m_v = e^{δ_v}` and fixes the mass-weighted sum of the `δ_v` to zero, that is
`∏ m_v^{n_v} = 1`.  `gauge_exists`: for tilts that are fractions `p_v/q_v` with `∏ p_v^{n_v} ≥ ∏ q_v^{n_v}` there are rational
lower bounds `a_v/B` of their roots whose mass-weighted mean is at least one; so the hypothesis `gaugeOk` of the step budget
can be met, on one denominator `B` for all draws.  `massweighted_bhattacharyya`: under that hypothesis the Bhattacharyya
coefficient of the distributions before and after the step is at least `1/√Z`. -/
universe u

namespace Gnosis
open List

/-! ## Roots -/

/-- The largest of the numbers `0 … n` that passes the test; `0` if none does. -/
def largestFrom (test : Nat → Bool) : Nat → Nat
  | 0 => 0
  | n + 1 => bif test (n + 1) then n + 1 else largestFrom test n

/-- The root of `p/q` in units of `1/B`, rounded down: the largest `a` with `q·a² ≤ p·B²`, for `0 < q`. -/
def rootBelow (B p q : Nat) : Nat := largestFrom (fun a => Nat.ble (q * (a * a)) (p * (B * B))) (p * B)

/-- The result passes the test if `0` does. -/
theorem largestFrom_spec {test : Nat → Bool} (h : test 0 = true) (n : Nat) : test (largestFrom test n) = true := by
  induction n with
  | zero => exact h
  | succ n ih =>
    cases e : test (n + 1) with
    | true => rw [largestFrom, e]; exact e
    | false => rw [largestFrom, e]; exact ih

/-- No number up to `n` that passes is larger. -/
theorem largestFrom_max {test : Nat → Bool} {n k : Nat} (hk : k ≤ n) (h : test k = true) : k ≤ largestFrom test n := by
  induction n with
  | zero => exact hk
  | succ n ih =>
    cases e : test (n + 1) with
    | true => rw [largestFrom, e]; exact hk
    | false =>
      rw [largestFrom, e]
      rcases Nat.lt_or_ge n k with g | g
      · rw [Nat.le_antisymm hk g, e] at h; exact nomatch h
      · exact ih g

/-- The root rounded down is below the root. -/
theorem rootBelow_le (B p q : Nat) : q * (rootBelow B p q * rootBelow B p q) ≤ p * (B * B) :=
  Nat.le_of_ble_eq_true (largestFrom_spec (test := fun a => Nat.ble (q * (a * a)) (p * (B * B)))
    (Nat.ble_eq_true_of_le (Nat.zero_le _)) _)

/-- Whatever is below the root is at most the root rounded down. -/
theorem le_rootBelow {B p q a : Nat} (hq : 0 < q) (h : q * (a * a) ≤ p * (B * B)) : a ≤ rootBelow B p q := by
  refine largestFrom_max (test := fun a => Nat.ble (q * (a * a)) (p * (B * B))) ?_ (Nat.ble_eq_true_of_le h)
  cases p with
  | zero =>
    cases a with
    | zero => exact Nat.zero_le _
    | succ a =>
      rw [Nat.zero_mul] at h
      exact absurd h (Nat.not_le_of_lt (Nat.mul_pos hq (Nat.mul_pos (Nat.succ_le_succ (Nat.zero_le a)) (Nat.succ_le_succ (Nat.zero_le a)))))
  | succ p =>
    apply Nat.le_of_sq_le_sq
    have h₁ : 1 * (a * a) ≤ q * (a * a) := Nat.mul_le_mul_right _ hq
    have h₂ : 1 * ((p + 1) * (B * B)) ≤ (p + 1) * ((p + 1) * (B * B)) := Nat.mul_le_mul_right _ (Nat.succ_le_succ (Nat.zero_le p))
    calc a * a = 1 * (a * a) := (Nat.one_mul _).symm
      _ ≤ 1 * ((p + 1) * (B * B)) := by rw [Nat.one_mul ((p + 1) * (B * B))]; exact Nat.le_trans h₁ h
      _ ≤ (p + 1) * ((p + 1) * (B * B)) := h₂
      _ = (p + 1) * B * ((p + 1) * B) := by nat_ring

/-- The next number is above the root. -/
theorem lt_rootBelow_succ {B p q : Nat} (hq : 0 < q) :
    p * (B * B) < q * ((rootBelow B p q + 1) * (rootBelow B p q + 1)) :=
  Nat.lt_of_not_le fun h => Nat.lt_irrefl _ (le_rootBelow hq h)

/-- On a finer denominator nothing is lost. -/
theorem mul_rootBelow_le {B p q : Nat} (c : Nat) (hq : 0 < q) : c * rootBelow B p q ≤ rootBelow (c * B) p q := by
  refine le_rootBelow hq ?_
  have h := Nat.mul_le_mul_left (c * c) (rootBelow_le B p q)
  generalize rootBelow B p q = a at *
  calc q * (c * a * (c * a)) = c * c * (q * (a * a)) := by nat_ring
    _ ≤ c * c * (p * (B * B)) := h
    _ = p * (c * B * (c * B)) := by nat_ring

/-! ## Lists of tilts -/

/-- One entry of a list, and what is left: sums and products over the list split. -/
theorem split_off {α : Type} {x : α} {l : List α} (m : x ∈ l) : ∃ r : List α, l.length = r.length + 1 ∧
    (∀ f : α → Nat, sumOver f l = f x + sumOver f r) ∧ (∀ f : α → Nat, listProd (map f l) = f x * listProd (map f r)) ∧
    (∀ y, y ∈ r → y ∈ l) ∧ ∀ y, y ∈ l → y = x ∨ y ∈ r := by
  induction m with
  | head l =>
    refine ⟨l, rfl, fun _ => rfl, fun _ => rfl, fun y h => .tail x h, fun y h => ?_⟩
    cases h with
    | head => exact .inl rfl
    | tail _ h => exact .inr h
  | tail b _ ih =>
    obtain ⟨r, h₁, h₂, h₃, h₄, h₅⟩ := ih
    refine ⟨b :: r, congrArg Nat.succ h₁, fun f => ?_, fun f => ?_, fun y h => ?_, fun y h => ?_⟩
    · show f b + sumOver f _ = f x + (f b + sumOver f r)
      rw [h₂ f, Nat.add_left_comm]
    · show f b * listProd (map f _) = f x * (f b * listProd (map f r))
      rw [h₃ f, Nat.mul_left_comm]
    · cases h with
      | head => exact .head _
      | tail _ h => exact .tail b (h₄ y h)
    · cases h with
      | head => exact .inr (.head _)
      | tail _ h => exact (h₅ y h).elim .inl fun h => .inr (.tail b h)

/-- Compare products factor by factor. -/
theorem listProd_map_le {α : Type} {f g : α → Nat} {l : List α} (h : ∀ x, x ∈ l → f x ≤ g x) :
    listProd (map f l) ≤ listProd (map g l) := by
  induction l with
  | nil => exact Nat.le_refl 1
  | cons x l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    exact Nat.mul_le_mul h₁ (ih h₂)
/-- A product of positive numbers is positive. -/
theorem listProd_map_pos {α : Type} {f : α → Nat} {l : List α} (h : ∀ x, x ∈ l → 0 < f x) : 0 < listProd (map f l) := by
  induction l with
  | nil => exact Nat.le_refl 1
  | cons x l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    exact Nat.mul_pos h₁ (ih h₂)
/-- The product of products. -/
theorem listProd_map_mul {α : Type} (f g : α → Nat) (l : List α) :
    listProd (map (fun x => f x * g x) l) = listProd (map f l) * listProd (map g l) := by
  induction l with
  | nil => rfl
  | cons x l ih =>
    show f x * g x * listProd (map (fun x => f x * g x) l) = f x * listProd (map f l) * (g x * listProd (map g l))
    rw [ih]; nat_ring
/-- A constant factor. -/
theorem listProd_map_const {α : Type} (c : Nat) (l : List α) : listProd (map (fun _ => c) l) = c ^ l.length := by
  induction l with
  | nil => rfl
  | cons x l ih =>
    show c * listProd (map (fun _ => c) l) = c ^ l.length * c
    rw [ih, Nat.mul_comm]

/-- The numbers just above the roots have a product of at least `B^N`. -/
theorem root_product {B : Nat} {l : List (Nat × Nat)} (pos : ∀ t, t ∈ l → 0 < t.2)
    (gauge : listProd (map (fun t => t.2) l) ≤ listProd (map (fun t => t.1) l)) :
    B ^ l.length ≤ listProd (map (fun t => rootBelow B t.1 t.2 + 1) l) := by
  apply Nat.le_of_sq_le_sq
  have each := listProd_map_le (f := fun t : Nat × Nat => t.1 * (B * B))
    (g := fun t : Nat × Nat => t.2 * ((rootBelow B t.1 t.2 + 1) * (rootBelow B t.1 t.2 + 1))) (l := l)
    (fun t m => Nat.le_trans (Nat.le_succ _) (lt_rootBelow_succ (pos t m)))
  rw [listProd_map_mul (fun t : Nat × Nat => t.1) (fun _ => B * B) l, listProd_map_const, Nat.mul_pow,
    listProd_map_mul (fun t : Nat × Nat => t.2) (fun t => (rootBelow B t.1 t.2 + 1) * (rootBelow B t.1 t.2 + 1)) l,
    listProd_map_mul (fun t : Nat × Nat => rootBelow B t.1 t.2 + 1) (fun t => rootBelow B t.1 t.2 + 1) l] at each
  apply Nat.le_of_mul_le_mul_left (c := listProd (map (fun t : Nat × Nat => t.2) l)) _ (listProd_map_pos (f := fun t : Nat × Nat => t.2) pos)
  exact Nat.le_trans (Nat.mul_le_mul_right _ gauge) each

/-- A tilt `p/q` below one: on the denominator `B = 2·q·K` its root is below `B` by `K` at least. -/
theorem clear_below {p q a B K : Nat} (hpq : p < q) (hB : 2 * q * K = B) (below : q * (a * a) ≤ p * (B * B)) : a + K ≤ B := by
  obtain ⟨e, rfl⟩ := Nat.exists_of_le hpq
  have hB : B = K + (1 + 2 * (p + e)) * K := by rw [← hB]; nat_ring
  have hj : ∃ j, j = (1 + 2 * (p + e)) * K := ⟨_, rfl⟩
  obtain ⟨j, hj⟩ := hj
  rw [← hj] at hB
  rw [hB, Nat.add_comm K]
  refine Nat.add_le_add_right ?_ K
  rcases Nat.lt_or_ge j a with g | g
  · have h₁ := Nat.mul_le_mul_left (p + 1 + e) (Nat.mul_le_mul g g)
    have h₂ := Nat.mul_le_mul_right (B * B) (Nat.le_add_right (p + 1) e)
    have h₃ : (p + 1 + e) * (2 * (j * K) + K * K) ≤ B * B := by
      have e₃ : B * B = 2 * (p + 1 + e) * K * B := by rw [hB, hj]; nat_ring
      rw [e₃, hB]
      nat_lin [Nat.zero_le ((p + 1 + e) * (K * K))]
    have e₁ : (p + 1 + e) * (B * B) = (p + 1 + e) * (j * j) + (p + 1 + e) * (2 * (j * K) + K * K) := by rw [hB]; nat_ring
    have h₄ : (p + 1) * (B * B) = p * (B * B) + B * B := Nat.succ_mul _ _
    generalize B * B = X, a * a = A at *
    exact (by nat_lin [h₁, h₂, h₃, below, Nat.le_of_eq e₁, Nat.zero_le (p * j), Nat.zero_le (p * j), Nat.zero_le (e * j),
      Nat.zero_le (e * j), Nat.zero_le j, Nat.zero_le j, Nat.zero_le p, Nat.zero_le e] : False).elim
  · exact g

/-- A tilt `p/q` above one: the number `c + 1` above its root exceeds `B` by a third of `B/q` at least. -/
theorem clear_above {p q c B : Nat} (hq : 0 < q) (hqp : q < p) (above : p * (B * B) < q * ((c + 1) * (c + 1))) :
    (3 * q + 1) * B ≤ 3 * q * (c + 1) := by
  apply Nat.le_of_sq_le_sq
  have h₁ := Nat.mul_le_mul_left (9 * q) (Nat.le_trans (Nat.mul_le_mul_right (B * B) hqp) (Nat.le_trans (Nat.le_succ _) above))
  have h₂ := Nat.mul_le_mul_right (B * B) hq
  nat_lin [h₁, h₂, h₂, h₂, Nat.zero_le (B * B), Nat.zero_le (B * B)]

/-- What the two clearances are worth: the sum `S` of the roots rounded down still has the mean `B`. -/
theorem room_for_rounding {a c q B N S S' : Nat} (B₀ : 0 < B) (below : a + (3 * q * N + 1) ≤ B)
    (above : (3 * q + 1) * B ≤ 3 * q * (c + 1)) (mean : N * (B * B) ≤ B * B + ((a + 1) * (c + 1) + B * S'))
    (total : S + N = a + 1 + (c + 1 + S')) : N * B ≤ S := by
  obtain ⟨t, ht⟩ := Nat.exists_of_le below
  obtain ⟨g, hg⟩ : ∃ g, c + 1 = B + g := by
    rcases Nat.lt_or_ge c B with h | h
    · rcases Nat.lt_or_ge (c + 1) B with h' | h'
      · have k := Nat.mul_le_mul_left (3 * q) (Nat.le_trans (Nat.le_succ _) h')
        exact (by nat_lin [above, k, B₀] : False).elim
      · exact Nat.exists_of_le h'
    · exact Nat.exists_of_le (Nat.le_trans h (Nat.le_succ c))
  rw [hg] at above mean total
  have third : B ≤ 3 * q * g := by
    refine Nat.le_of_add_le_add_left (a := 3 * q * B) ?_
    nat_lin [above]
  apply Nat.le_of_add_le_add_right (c := N)
  rw [total]
  apply Nat.le_of_mul_le_mul_left (c := B) _ B₀
  have k := Nat.mul_le_mul_left N third
  have e₁ : B * (a + 1) + g * (3 * q * N + t) = (a + 1) * (a + 1) + (a + 1) * (3 * q * N + t) + g * (3 * q * N + t) := by
    rw [show B = a + 1 + (3 * q * N + t) by rw [ht]; nat_ring]; nat_ring
  have e₂ : B * g = (a + 1) * g + (3 * q * N + t) * g := by
    conv => lhs; rw [show B = a + 1 + (3 * q * N + t) by rw [ht]; nat_ring]
    nat_ring
  nat_lin [mean, k, Nat.le_of_eq e₂.symm, Nat.zero_le (t * g)]

/-- The core of `gauge_exists`, for tilts `p/q` each of mass 1: some denominator leaves room for rounding down. -/
theorem exists_denominator {l : List (Nat × Nat)} (pos : ∀ t, t ∈ l → 0 < t.2)
    (gauge : listProd (map (fun t => t.2) l) ≤ listProd (map (fun t => t.1) l)) :
    ∃ B, 0 < B ∧ l.length * B ≤ sumOver (fun t => rootBelow B t.1 t.2) l := by
  cases falls : countP (fun t : Nat × Nat => !Nat.ble t.2 t.1) l with
  | zero =>
    -- no tilt is below one, and the denominator 1 will do
    have all : ∀ t, t ∈ l → t.2 ≤ t.1 := fun t m => by
      cases e : Nat.ble t.2 t.1 with
      | true => exact Nat.le_of_ble_eq_true e
      | false => exact absurd falls (countP_eq_zero_or_exists_best.countP_ne_zero (p := fun t : Nat × Nat => !Nat.ble t.2 t.1) m
          (by show (!Nat.ble t.2 t.1) = true; rw [e]; rfl))
    refine ⟨1, Nat.le_refl 1, ?_⟩
    rw [← sumOver_const]
    exact sumOver_le fun t m => le_rootBelow (pos t m) (by rw [Nat.mul_one, Nat.mul_one]; exact all t m)
  | succ k =>
    obtain ⟨u, mu, hu⟩ := exists_mem_of_countP_ne_zero (p := fun t : Nat × Nat => !Nat.ble t.2 t.1) (l := l) (by rw [falls]; exact fun e => nomatch e)
    have hu : u.1 < u.2 := Nat.lt_of_not_le fun g => by rw [Nat.ble_eq_true_of_le g] at hu; exact nomatch hu
    obtain ⟨r, len, sums, prods, sub, mem⟩ := split_off mu
    -- some tilt is above one, else the product would be below one
    have rises : ∃ w, w ∈ r ∧ w.2 < w.1 := by
      cases e : countP (fun t : Nat × Nat => !Nat.ble t.1 t.2) r with
      | succ k =>
        obtain ⟨w, mw, hw⟩ := exists_mem_of_countP_ne_zero (p := fun t : Nat × Nat => !Nat.ble t.1 t.2) (l := r) (by rw [e]; exact fun e => nomatch e)
        exact ⟨w, mw, Nat.lt_of_not_le fun g => by rw [Nat.ble_eq_true_of_le g] at hw; exact nomatch hw⟩
      | zero =>
        have all : ∀ t, t ∈ r → t.1 ≤ t.2 := fun t m => by
          cases c : Nat.ble t.1 t.2 with
          | true => exact Nat.le_of_ble_eq_true c
          | false => exact absurd e (countP_eq_zero_or_exists_best.countP_ne_zero (p := fun t : Nat × Nat => !Nat.ble t.1 t.2) m
              (by show (!Nat.ble t.1 t.2) = true; rw [c]; rfl))
        have le := listProd_map_le all
        have rpos := listProd_map_pos (f := fun t : Nat × Nat => t.2) (l := r) fun t m => pos t (sub t m)
        rw [prods, prods] at gauge
        generalize listProd (map (fun t => t.1) r) = P, listProd (map (fun t => t.2) r) = Q at *
        have h₁ := Nat.mul_le_mul_left u.1 le
        have h₂ := Nat.mul_le_mul_right Q hu
        exact (by nat_lin [h₁, h₂, gauge, rpos] : False).elim
    obtain ⟨w, mw, hw⟩ := rises
    obtain ⟨r', len', sums', prods', _, _⟩ := split_off mw
    have qu := pos u mu
    have qw := pos w (sub w mw)
    have N₀ : 0 < l.length := by rw [len]; exact Nat.succ_le_succ (Nat.zero_le _)
    -- the denominator
    refine ⟨2 * u.2 * (3 * w.2 * l.length + 1), Nat.mul_pos (Nat.mul_pos (by decide) qu) (Nat.succ_le_succ (Nat.zero_le _)), ?_⟩
    have product := root_product (B := 2 * u.2 * (3 * w.2 * l.length + 1)) pos gauge
    have below := rootBelow_le (2 * u.2 * (3 * w.2 * l.length + 1)) u.1 u.2
    have above := lt_rootBelow_succ (B := 2 * u.2 * (3 * w.2 * l.length + 1)) (p := w.1) qw
    generalize hB : 2 * u.2 * (3 * w.2 * l.length + 1) = B at *
    have B₀ : 0 < B := by rw [← hB]; exact Nat.mul_pos (Nat.mul_pos (by decide) qu) (Nat.succ_le_succ (Nat.zero_le _))
    -- the mean of the product in which the roots of `u` and `w` are replaced by `B` and their product over `B`
    have am := geometric_le_arithmetic
      (B * B :: (rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1) :: map (fun t => B * (rootBelow B t.1 t.2 + 1)) r')
    have N' : (B * B :: (rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
        :: map (fun t => B * (rootBelow B t.1 t.2 + 1)) r').length = l.length := by
      show (map _ r').length + 1 + 1 = _
      rw [length_map, len, len']
    rw [N'] at am
    have prodL : listProd (B * B :: (rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
        :: map (fun t => B * (rootBelow B t.1 t.2 + 1)) r') = B ^ l.length * listProd (map (fun t => rootBelow B t.1 t.2 + 1) l) := by
      rw [prods (fun t => rootBelow B t.1 t.2 + 1), prods' (fun t => rootBelow B t.1 t.2 + 1), len, len']
      show B * B * ((rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1) * listProd (map (fun t => B * (rootBelow B t.1 t.2 + 1)) r')) = _
      rw [listProd_map_mul (fun _ => B) (fun t => rootBelow B t.1 t.2 + 1) r', listProd_map_const, Nat.pow_succ, Nat.pow_succ]
      generalize rootBelow B u.1 u.2 + 1 = x, rootBelow B w.1 w.2 + 1 = y, B ^ r'.length = z,
        listProd (map (fun t => rootBelow B t.1 t.2 + 1) r') = v
      nat_ring
    have sumL : sumOver (fun x => x) (B * B :: (rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
        :: map (fun t => B * (rootBelow B t.1 t.2 + 1)) r') = B * B + ((rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
          + B * sumOver (fun t => rootBelow B t.1 t.2 + 1) r') := by
      show B * B + ((rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
        + sumOver (fun x => x) (map (fun t => B * (rootBelow B t.1 t.2 + 1)) r')) = _
      rw [sumOver_map, mul_sumOver]
    rw [prodL, sumL] at am
    have mean : l.length * (B * B) ≤ B * B + ((rootBelow B u.1 u.2 + 1) * (rootBelow B w.1 w.2 + 1)
        + B * sumOver (fun t => rootBelow B t.1 t.2 + 1) r') := by
      apply Nat.le_of_pow_le_pow_left (n := l.length) _ N₀
      rw [Nat.mul_pow, Nat.mul_pow]
      exact Nat.le_trans (Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ product)) am
    -- the sum over the whole list
    have total : sumOver (fun t => rootBelow B t.1 t.2 + 1) l = rootBelow B u.1 u.2 + 1
        + (rootBelow B w.1 w.2 + 1 + sumOver (fun t => rootBelow B t.1 t.2 + 1) r') := by
      rw [sums, sums']
    have plain : sumOver (fun t => rootBelow B t.1 t.2 + 1) l = sumOver (fun t => rootBelow B t.1 t.2) l + l.length := by
      rw [sumOver_add, sumOver_const, Nat.mul_one]
    clear am sumL prodL N' product
    rw [plain] at total
    generalize sumOver (fun t => rootBelow B t.1 t.2) l = S, sumOver (fun t => rootBelow B t.1 t.2 + 1) r' = S',
      rootBelow B u.1 u.2 = a, rootBelow B w.1 w.2 = c, l.length = N at *
    exact room_for_rounding B₀ (clear_below hu hB below) (clear_above qw hw above) mean total
/-! ## The gauge -/

/-- `∏ p^n` over tokens `(n, p, q)` of mass `n` and tilt `p/q`. -/
def numerators : List (Nat × Nat × Nat) → Nat
  | [] => 1
  | (n, p, _) :: ts => p ^ n * numerators ts
/-- `∏ q^n` over the same. -/
def denominators : List (Nat × Nat × Nat) → Nat
  | [] => 1
  | (n, _, q) :: ts => q ^ n * denominators ts

/-- `RootsBelow B ts ps`: for each token `(n, p, q)` a pair `(n, a)` with `a/B` a lower bound of the root of its tilt,
`q·a² ≤ p·B²`. -/
def RootsBelow (B : Nat) : List (Nat × Nat × Nat) → List (Nat × Nat) → Prop
  | [], [] => True
  | (n, p, q) :: ts, (m, a) :: ps => m = n ∧ q * (a * a) ≤ p * (B * B) ∧ RootsBelow B ts ps
  | _, _ => False

/-- The roots rounded down. -/
def floorRoots (B : Nat) : List (Nat × Nat × Nat) → List (Nat × Nat)
  | [] => []
  | (n, p, q) :: ts => (n, rootBelow B p q) :: floorRoots B ts

/-- The roots rounded down are below the roots. -/
theorem rootsBelow_floorRoots (B : Nat) (ts : List (Nat × Nat × Nat)) : RootsBelow B ts (floorRoots B ts) := by
  induction ts with
  | nil => trivial
  | cons t ts ih => exact ⟨rfl, rootBelow_le B t.2.1 t.2.2, ih⟩

/-- Each tilt as often as its mass says. -/
def copies : List (Nat × Nat × Nat) → List (Nat × Nat)
  | [] => []
  | (n, t) :: ts => replicate n t ++ copies ts

/-- Sums and products over the copies. -/
theorem copies_spec (ts : List (Nat × Nat × Nat)) (B : Nat) : (copies ts).length = leftMass (floorRoots B ts)
    ∧ sumOver (fun t => rootBelow B t.1 t.2) (copies ts) = weightedBudget (floorRoots B ts)
    ∧ listProd (map (fun t => t.1) (copies ts)) = numerators ts ∧ listProd (map (fun t => t.2) (copies ts)) = denominators ts := by
  induction ts with
  | nil => exact ⟨rfl, rfl, rfl, rfl⟩
  | cons t ts ih =>
    obtain ⟨n, p, q⟩ := t
    obtain ⟨h₁, h₂, h₃, h₄⟩ := ih
    have reps : (replicate n (p, q) ++ copies ts).length = n + leftMass (floorRoots B ts)
        ∧ sumOver (fun t => rootBelow B t.1 t.2) (replicate n (p, q) ++ copies ts)
          = n * rootBelow B p q + weightedBudget (floorRoots B ts)
        ∧ listProd (map (fun t => t.1) (replicate n (p, q) ++ copies ts)) = p ^ n * numerators ts
        ∧ listProd (map (fun t => t.2) (replicate n (p, q) ++ copies ts)) = q ^ n * denominators ts := by
      induction n with
      | zero =>
        refine ⟨?_, ?_, ?_, ?_⟩
        · rw [Nat.zero_add]; exact h₁
        · rw [Nat.zero_mul, Nat.zero_add]; exact h₂
        · rw [Nat.pow_zero, Nat.one_mul]; exact h₃
        · rw [Nat.pow_zero, Nat.one_mul]; exact h₄
      | succ n ih =>
        obtain ⟨k₁, k₂, k₃, k₄⟩ := ih
        refine ⟨?_, ?_, ?_, ?_⟩
        · show (replicate n (p, q) ++ copies ts).length + 1 = _
          rw [k₁, Nat.succ_add]
        · show rootBelow B p q + sumOver _ (replicate n (p, q) ++ copies ts) = _
          rw [k₂, Nat.succ_mul]; nat_ring
        · show p * listProd (map _ (replicate n (p, q) ++ copies ts)) = _
          rw [k₃, Nat.pow_succ]; generalize p ^ n = x; nat_ring
        · show q * listProd (map _ (replicate n (p, q) ++ copies ts)) = _
          rw [k₄, Nat.pow_succ]; generalize q ^ n = x; nat_ring
    exact reps

/-- On a finer denominator the gauge holds again. -/
theorem gaugeOk_mul {B : Nat} (c : Nat) {ts : List (Nat × Nat × Nat)} (pos : ∀ t, t ∈ ts → 0 < t.2.2)
    (gauge : gaugeOk B (floorRoots B ts) = true) : gaugeOk (c * B) (floorRoots (c * B) ts) = true := by
  have mass : leftMass (floorRoots (c * B) ts) = leftMass (floorRoots B ts) := by
    rw [← (copies_spec ts (c * B)).1, (copies_spec ts B).1]
  have mean : leftMass (floorRoots B ts) * B ≤ weightedBudget (floorRoots B ts) := Nat.le_of_ble_eq_true gauge
  refine Nat.ble_eq_true_of_le ?_
  rw [mass, ← Nat.mul_left_comm]
  refine Nat.le_trans (Nat.mul_le_mul_left c mean) ?_
  clear mass mean gauge
  induction ts with
  | nil => exact Nat.le_refl _
  | cons t ts ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons pos
    show c * (t.1 * rootBelow B t.2.1 t.2.2 + weightedBudget (floorRoots B ts))
      ≤ t.1 * rootBelow (c * B) t.2.1 t.2.2 + weightedBudget (floorRoots (c * B) ts)
    have k := Nat.mul_le_mul_left t.1 (mul_rootBelow_le (B := B) (p := t.2.1) c h₁)
    nat_lin [ih h₂, k]

/-- **The gauge of the field gives the linear one.**  At every draw `d` of a finite list the tokens have masses `n` and tilts
`p/q`, `0 < q`, and the mass-weighted product of the tilts is at least one, `∏ q^n ≤ ∏ p^n`.  Then there are a
denominator `B > 0`, one for all draws, and for each token a lower bound `a/B` of the root of its tilt, `q·a² ≤ p·B²`, such
that the mass-weighted mean of these bounds is at least one at every draw, `Σ n·a ≥ N·B`. -/
theorem gauge_exists {D : Type u} {ds : List D} {ts : D → List (Nat × Nat × Nat)}
    (pos : ∀ d, d ∈ ds → ∀ t, t ∈ ts d → 0 < t.2.2) (gauge : ∀ d, d ∈ ds → denominators (ts d) ≤ numerators (ts d)) :
    ∃ B, 0 < B ∧ ∃ ps : D → List (Nat × Nat), ∀ d, d ∈ ds → RootsBelow B (ts d) (ps d) ∧ gaugeOk B (ps d) = true := by
  have main : ∃ B, 0 < B ∧ ∀ d, d ∈ ds → gaugeOk B (floorRoots B (ts d)) = true := by
    induction ds with
    | nil => exact ⟨1, Nat.le_refl 1, fun _ m => nomatch m⟩
    | cons d ds ih =>
      obtain ⟨pos₁, pos₂⟩ := forall_mem_cons pos
      obtain ⟨gauge₁, gauge₂⟩ := forall_mem_cons gauge
      obtain ⟨C, C₀, rest⟩ := ih pos₂ gauge₂
      have here : ∃ B, 0 < B ∧ gaugeOk B (floorRoots B (ts d)) = true := by
        have cpos : ∀ t, t ∈ copies (ts d) → 0 < t.2 := by
          clear gauge gauge₁ gauge₂ pos pos₂ rest ih
          generalize ts d = l at *
          induction l with
          | nil => exact fun _ m => nomatch m
          | cons t l ih =>
            obtain ⟨h₁, h₂⟩ := forall_mem_cons pos₁
            intro x m
            rcases or_of_mem_append (k := replicate t.1 t.2) (l := copies l) m with m | m
            · rw [eq_of_mem_replicate m]; exact h₁
            · exact ih h₂ x m
        obtain ⟨_, _, e₃, e₄⟩ := copies_spec (ts d) 0
        obtain ⟨B, B₀, mean⟩ := exists_denominator cpos (by rw [e₃, e₄]; exact gauge₁)
        obtain ⟨e₁, e₂, _, _⟩ := copies_spec (ts d) B
        rw [e₁, e₂] at mean
        exact ⟨B, B₀, Nat.ble_eq_true_of_le mean⟩
      obtain ⟨B, B₀, ok⟩ := here
      refine ⟨C * B, Nat.mul_pos C₀ B₀, fun e m => ?_⟩
      cases m with
      | head => exact gaugeOk_mul C pos₁ ok
      | tail _ m =>
        rw [Nat.mul_comm C B]
        exact gaugeOk_mul B (pos₂ e m) (rest e m)
  obtain ⟨B, B₀, ok⟩ := main
  exact ⟨B, B₀, fun d => floorRoots B (ts d), fun d m => ⟨rootsBelow_floorRoots B (ts d), ok d m⟩⟩

/-- Not vacuous: masses `1, 1` and tilts `2/1, 1/2`, whose product is one; the roots are irrational.  On the denominator `100`
the roots rounded down are `141` and `70`, with the mean `211/200 > 1`. -/
theorem gauge_exists_sample : denominators [(1, 2, 1), (1, 1, 2)] ≤ numerators [(1, 2, 1), (1, 1, 2)] ∧
    floorRoots 100 [(1, 2, 1), (1, 1, 2)] = [(1, 141), (1, 70)] ∧ gaugeOk 100 [(1, 141), (1, 70)] = true ∧
    gaugeOk 1 (floorRoots 1 [(1, 2, 1), (1, 1, 2)]) = false := ⟨by decide, rfl, rfl, rfl⟩

/-! ## The Bhattacharyya coefficient -/

/-- `RootsAbove ws rs`: for each pair `(w, w')` of weights a number `r` that is at least the root of `w·w'`. -/
def RootsAbove : List (Nat × Nat) → List Nat → Prop
  | [], [] => True
  | (w, w') :: ws, r :: rs => w * w' ≤ r * r ∧ RootsAbove ws rs
  | _, _ => False

/-- **The Bhattacharyya coefficient of a step**: under the gauge, `N·B ≤ Σ r` for all upper bounds `r` of the roots of `w·w'`,
the products of the weights before and after.  In the notation of the field the coefficient `Σ √(w·w') / √(N·S')` is at least
`√(N·B²/S') = 1/√Z`.  The roots are bounded from above, token by token, so that the sum is whatever bound of `Σ √(w·w')` one
has; the masses and the weights need not be squares. -/
theorem massweighted_bhattacharyya {B : Nat} {ps ws : List (Nat × Nat)} {rs : List Nat} (gauge : gaugeOk B ps = true)
    (tilted : Tilted ps ws) (roots : RootsAbove ws rs) : leftMass ps * B ≤ total rs := by
  refine Nat.le_trans (Nat.le_of_ble_eq_true gauge) ?_
  clear gauge
  induction ps generalizing ws rs with
  | nil => exact Nat.zero_le _
  | cons p ps ih => cases ws with
    | nil => exact tilted.elim
    | cons w ws => cases rs with
      | nil => exact roots.elim
      | cons r rs =>
        obtain ⟨n, a⟩ := p
        obtain ⟨w, w'⟩ := w
        obtain ⟨rfl, le, rest⟩ := tilted
        obtain ⟨root, roots⟩ := roots
        refine Nat.add_le_add (Nat.le_of_sq_le_sq ?_) (ih rest roots)
        calc w * a * (w * a) = w * (w * (a * a)) := by nat_ring
          _ ≤ w * w' := Nat.mul_le_mul_left w le
          _ ≤ r * r := root

/-- Sharp: masses `(1, 3)` and tilts `(12, 4)/6`, weights `144` and `48`: the roots are `12` and `12`, and `4·6 = 12 + 12`. -/
theorem massweighted_bhattacharyya_sharp : gaugeOk 6 [(1, 12), (3, 4)] = true ∧ tiltPairs [(1, 12), (3, 4)] = [(1, 144), (3, 48)] ∧
    RootsAbove [(1, 144), (3, 48)] [12, 12] ∧ leftMass [(1, 12), (3, 4)] * 6 = total [12, 12] :=
  ⟨rfl, rfl, ⟨by decide, by decide, ⟨⟩⟩, rfl⟩
end Gnosis
