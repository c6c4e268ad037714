prelude
import Gnosis.Core.ListData
/-! # Linear search, for decisions that look for a least number -/
namespace Gnosis

/-- The least of the numbers `a, a + 1, …, a + fuel` that passes `test`; `a + fuel` if none before it does. -/
def leastFrom (test : Nat → Bool) (a : Nat) : Nat → Nat
  | 0 => a
  | fuel + 1 => bif test a then a else leastFrom test (a + 1) fuel
end Gnosis
