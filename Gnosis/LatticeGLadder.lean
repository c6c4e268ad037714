prelude
import Gnosis.Core
/-! # Second moments: cubic against `E₈`

The normalised second moment `G` of a lattice is the mean squared error per coordinate of its nearest-point
quantizer, at unit cell volume.  The literature gives `G(ℤ) = 1/12` and `G(E₈) = 929/12960` (Conway and Sloane,
"Voronoi regions of lattices, second moments of polytopes, and quantization", IEEE Transactions on Information
Theory 28, 1982).  Both numbers are typed in here; nothing below computes a second moment. -/
namespace Gnosis

/-- **Arithmetic with two numbers from the literature**, not a property proved of the lattices:
`929/12960 < 1/12`; the relative gain `1 - 12·929/12960` is exactly `151/1080`, which lies between 13.95 and 14.05
percent.  Fractions are compared crosswise. -/
theorem lattice_g_ladder :
    929 * 12 < 1 * 12960
    ∧ (12960 - 12 * 929) * 1080 = 151 * 12960
    ∧ 1395 * 1080 < 151 * 10000 ∧ 151 * 10000 < 1405 * 1080 := by decide
end Gnosis
