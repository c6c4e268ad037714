prelude
import Gnosis.Core.Pow
import Gnosis.Core.Auto
import Gnosis.Core.Conv
import Gnosis.Core.IntDiv
import Gnosis.Core.List
import Gnosis.Core.SimpLite
import Gnosis.Core.WF
/-! The whole foundation, for theorem modules.  Decision modules import only the modules whose
definitions they compute with. -/
