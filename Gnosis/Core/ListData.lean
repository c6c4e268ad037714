prelude
import Gnosis.Core.Notation
/-! # Lists: the functions of the spine

What the decision modules compute with; the laws are in `Gnosis.Core.List`.  The type `List` itself is in
`Gnosis.Core.Meta`, because syntax trees contain lists.

Functions and equations follow Lean's own `Init`, except `countP` (there by an accumulator; only its laws are used)
and `sumOver`, which has no counterpart there. -/
universe u v

namespace List
variable {α : Type u} {β : Type v}

def length : List α → Nat
  | [] => 0
  | _ :: l => length l + 1
def append : List α → List α → List α
  | [], l => l
  | a :: k, l => a :: append k l
instance : Append (List α) := ⟨append⟩
def map (f : α → β) : List α → List β
  | [] => []
  | a :: l => f a :: map f l
def flatten : List (List α) → List α
  | [] => []
  | l :: L => l ++ flatten L
def flatMap (f : α → List β) : List α → List β
  | [] => []
  | a :: l => f a ++ flatMap f l
def replicate : Nat → α → List α
  | 0, _ => []
  | n + 1, a => a :: replicate n a
def all : List α → (α → Bool) → Bool
  | [], _ => true
  | a :: l, p => p a && all l p
/-- How many entries satisfy `p`. -/
def countP (p : α → Bool) : List α → Nat
  | [] => 0
  | a :: l => cond (p a) (countP p l + 1) (countP p l)
/-- The sum of `f` over the entries. -/
def sumOver (f : α → Nat) : List α → Nat
  | [] => 0
  | a :: l => f a + sumOver f l
/-- `a` occurs in the list. -/
inductive Mem (a : α) : List α → Prop where
  | head (l : List α) : Mem a (a :: l)
  | tail (b : α) {l : List α} : Mem a l → Mem a (b :: l)
instance : Membership α (List α) := ⟨fun l a => Mem a l⟩
/-- `r a b` holds whenever `a` stands before `b`. -/
inductive Pairwise (r : α → α → Prop) : List α → Prop where
  | nil : Pairwise r []
  | cons {a : α} {l : List α} : (∀ b, b ∈ l → r a b) → Pairwise r l → Pairwise r (a :: l)
/-- No entry occurs twice. -/
def Nodup (l : List α) : Prop := Pairwise (fun a b => a ≠ b) l
end List
