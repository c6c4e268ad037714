prelude
import Gnosis.Core.ListData
/-! # Searching and reading lists, for several decisions -/
namespace Gnosis

/-- The least of the numbers `a, a + 1, …, a + fuel` that passes `test`; `a + fuel` if none before it does. -/
def leastFrom (test : Nat → Bool) (a : Nat) : Nat → Nat
  | 0 => a
  | fuel + 1 => bif test a then a else leastFrom test (a + 1) fuel

/-- The entries that satisfy the decision, in their order. -/
def accepted {α : Type} (p : α → Bool) : List α → List α
  | [] => []
  | a :: l => bif p a then a :: accepted p l else accepted p l

/-- The entry of a list of positions at index `i`, counted from 0; `0` past the end (`entry` is that for scores). -/
def positionAt : List Nat → Nat → Nat
  | [], _ => 0
  | x :: _, 0 => x
  | _ :: l, i + 1 => positionAt l i

end Gnosis
