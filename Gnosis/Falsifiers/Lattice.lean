prelude
import Gnosis.LatticeDecoders
import Gnosis.LeechTurboStrideCert
import Gnosis.Foundation.Subsets
/-! # Lattice decoders: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
open List
namespace Gnosis.Falsifiers

/-- **Rounding alone leaves `D₈`**: `cubicDecode` in the place of `d8Decode` in `d8_decode_mem`.  One coordinate rounds up, the sum
is odd. -/
theorem rounding_leaves_d8 : ¬ ∀ {m : Int}, 0 < m → ∀ xs : List Int, xs.length = 8 → isD8 (cubicDecode m xs) = true :=
  fun wrong => nomatch (show false = true from wrong (m := 10) (by decide) [6, 0, 0, 0, 0, 0, 0, 0] rfl)

/-- Round every coordinate; if the sum is odd, round the first one the other way. -/
def flipFirst (m : Int) (xs : List Int) : List Int :=
  bif (sum (cubicDecode m xs)).isEven then cubicDecode m xs else
    match xs with
    | [] => []
    | x :: xs => secondNearest m x :: cubicDecode m xs

/-- **The parity is repaired where the error is largest**: `flipFirst` in the place of `d8Decode` in `d8_decode_nearest`. -/
theorem flip_first_coordinate : ¬ ∀ {m : Int}, 0 < m → ∀ xs zs : List Int, xs.length = 8 → isD8 zs = true →
    sqDist m xs (flipFirst m xs) ≤ sqDist m xs zs :=
  fun wrong => absurd (wrong (m := 10) (by decide) [1, 6, 0, 0, 0, 0, 0, 0] [0, 0, 0, 0, 0, 0, 0, 0] rfl rfl) (by decide)

/-- **One coset is not enough for `E₈`**: the even coset alone in `e8_decode_nearest`.  Half an integer in every coordinate is a
point of `E₈`, at squared distance 8 (in units of 1/2) from the nearest point of `D₈`. -/
theorem d8_is_not_e8 : ¬ ∀ {h : Int}, 0 < h → ∀ xs ws : List Int, xs.length = 8 → isE8 ws = true →
    sqDist h xs ((d8Decode (2 * h) xs).map (fun z => 2 * z)) ≤ sqDist h xs ws :=
  fun wrong => absurd (wrong (h := 1) (by decide) [1, 1, 1, 1, 1, 1, 1, 1] [1, 1, 1, 1, 1, 1, 1, 1] rfl rfl) (by decide)

/-- **Points of the other coset move**: the same in `e8_decode_idem`. -/
theorem even_coset_moves_e8 : ¬ ∀ {h : Int}, 0 < h → ∀ ws : List Int, isE8 ws = true →
    (d8Decode (2 * h) (ws.map (fun w => h * w))).map (fun z => 2 * z) = ws :=
  fun wrong => absurd (congrArg (fun ws => entry ws 0) (wrong (h := 1) (by decide) [1, 1, 1, 1, 1, 1, 1, 1] rfl)) (by decide)

/-- **The scale is positive**: `0 ≤ h` in the place of `0 < h` in `e8_decode_mem`.  At scale 0 there is no nearest point. -/
theorem scale_zero : ¬ ∀ {h : Int}, 0 ≤ h → ∀ xs : List Int, xs.length = 8 → isE8 (e8Decode h xs) = true :=
  fun wrong => nomatch (show false = true from wrong (h := 0) (by decide) [1, 6, 0, 0, 0, 0, 0, 0] rfl)

/-- **Rounding down is not nearest**: `x / m`, rounded down, in the place of `cubicDecode` in `cubic_decode_nearest`.  6/10 is nearer
to 1 than to 0. -/
theorem round_down : ¬ ∀ {m : Int}, 0 < m → ∀ xs zs : List Int, zs.length = xs.length →
    sqDist m xs (xs.map (fun x => x / m)) ≤ sqDist m xs zs :=
  fun wrong => absurd (wrong (m := 10) (by decide) [6] [1] rfl) (by decide)

/-- **A stride with a common divisor permutes nothing**: stride 10 in the place of 11 in `stride11_permutation`. -/
theorem stride10_is_no_permutation : ¬ map (strideStep 10 24) (positions 24) ∈ perms (positions 24) := fun wrong =>
  absurd ((mem_perms_iff _ _).mp wrong (fun i => decide (i = 1))) (by decide +kernel)

/-- **It misses positions**: the same in `stride11_visits_once`.  Position 1 is never visited. -/
theorem stride10_misses : ¬ ∀ j, j < 24 → countP (fun i => decide (strideStep 10 24 i = j)) (positions 24) = 1 :=
  fun wrong => absurd (wrong 1 (by decide)) (by decide +kernel)

/-- **The gain of `E₈` over the cubic lattice is below 14 percent**: 1400 in the place of 1395 in `lattice_g_ladder` (arithmetic). -/
theorem gain_is_below_14_percent : ¬ 1400 * 1080 < 151 * 10000 := by decide

/-- **The number of minus signs is even**: without that rule, 2⁸ in the place of 2⁷ for each octad, the sum of `leech_shell_count` is
another (arithmetic). -/
theorem leech_without_even_signs : ¬ 2 ^ 8 * 759 + 4 * choose 24 2 + 2 ^ 12 * 24 = 196560 := by decide +kernel

end Gnosis.Falsifiers
