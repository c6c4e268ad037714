prelude
import Gnosis.Core.IntData
import Gnosis.Core.ListData
/-! # The sum of a list of integers, shared by several decisions. -/
namespace Gnosis

/-- The sum of the entries. -/
def sum : List Int → Int
  | [] => 0
  | x :: l => x + sum l

end Gnosis
