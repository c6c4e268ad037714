prelude
import Gnosis.Foundation.Subsets
/-! # The minimal vectors of the Leech lattice, by shape

In the usual coordinates (scaled by `√8`) the minimal vectors have three shapes: `(±2⁸, 0¹⁶)` on the 759 octads of
the Golay code with an even number of minus signs, `(±4², 0²²)` on any two coordinates, and `(∓3, ±1²³)` with the
place of the 3 free and the signs given by one of the 2¹² words of the Golay code (Conway and Sloane, "Sphere
Packings, Lattices and Groups", chapter 4). -/
namespace Gnosis

/-- **Arithmetic with numbers from the literature**, not a count of lattice vectors: the three shapes have `2⁷·759 =
97152`, `4·C(24, 2) = 1104` and `2¹²·24 = 98304` members, and together these are 196560. -/
theorem leech_shell_count :
    2 ^ 7 * 759 = 97152 ∧ 4 * choose 24 2 = 1104 ∧ 2 ^ 12 * 24 = 98304 ∧ 97152 + 1104 + 98304 = 196560 :=
  ⟨rfl, rfl, rfl, rfl⟩
end Gnosis
