prelude
import Gnosis.Core
/-! # Sums over lists -/
universe u v
namespace List
variable {α : Type u} {β : Type v}

/-- Sums in either order. -/
theorem sumOver_comm (f : α → β → Nat) (k : List α) (l : List β) :
    sumOver (fun d => sumOver (f d) l) k = sumOver (fun i => sumOver (fun d => f d i) k) l := by
  induction k with
  | nil => exact (sumOver_const 0 l).symm
  | cons a k ih =>
    show sumOver (f a) l + _ = sumOver (fun i => f a i + sumOver (fun d => f d i) k) l
    rw [ih, sumOver_add]
end List
