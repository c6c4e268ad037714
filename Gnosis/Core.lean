prelude
import Gnosis.Core.Auto
import Gnosis.Core.Conv
import Gnosis.Core.IntDiv
import Gnosis.Core.KernelNat
import Gnosis.Core.List
import Gnosis.Core.Pow
import Gnosis.Core.SimpLite
/-! # The foundation, whole

For theorem modules.  Decision modules name only the modules whose definitions they compute with:
`Gnosis.Core.IntData`, `Gnosis.Core.ListData`. -/
