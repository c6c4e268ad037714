prelude
import Gnosis.Core.Arith
/-! Well-founded recursion and the size measure it uses by default. -/
universe u v
inductive Acc {α : Sort u} (r : α → α → Prop) : α → Prop where
  | intro (x : α) (h : (y : α) → r y x → Acc r y) : Acc r x
theorem Acc.inv {α : Sort u} {r : α → α → Prop} {x y : α} (h : Acc r x) (k : r y x) : Acc r y := by
  cases h with
  | intro _ h => exact h y k
inductive WellFounded {α : Sort u} (r : α → α → Prop) : Prop where
  | intro (h : ∀ a, Acc r a) : WellFounded r
theorem WellFounded.apply {α : Sort u} {r : α → α → Prop} (w : WellFounded r) (a : α) : Acc r a := by
  cases w with
  | intro h => exact h a
class WellFoundedRelation (α : Sort u) where
  rel : α → α → Prop
  wf : WellFounded rel
namespace WellFounded
variable {α : Sort u} {C : α → Sort v} {r : α → α → Prop}
noncomputable def fixF (F : (x : α) → ((y : α) → r y x → C y) → C x) (x : α) (a : Acc r x) : C x :=
  a.rec (fun x _ ih => F x ih)
theorem fixF_eq (F : (x : α) → ((y : α) → r y x → C y) → C x) (x : α) (a : Acc r x) :
    fixF F x a = F x (fun y h => fixF F y (a.inv h)) := by
  cases a with
  | intro _ h => rfl
noncomputable def fix (w : WellFounded r) (F : (x : α) → ((y : α) → r y x → C y) → C x) (x : α) : C x :=
  fixF F x (w.apply x)
theorem fix_eq (w : WellFounded r) (F : (x : α) → ((y : α) → r y x → C y) → C x) (x : α) :
    fix w F x = F x (fun y _ => fix w F y) := fixF_eq F x (w.apply x)
end WellFounded
theorem InvImage.accessible {α : Sort u} {β : Sort v} {r : β → β → Prop} (f : α → β) (b : β) (h : Acc r b) :
    ∀ a, f a = b → Acc (fun x y => r (f x) (f y)) a := by
  induction h with
  | intro b _ ih =>
    intro a e
    subst e
    exact ⟨_, fun y k => ih (f y) k y rfl⟩
def InvImage {α : Sort u} {β : Sort v} (r : β → β → Prop) (f : α → β) : α → α → Prop := fun a b => r (f a) (f b)
theorem InvImage.wf {α : Sort u} {β : Sort v} {r : β → β → Prop} (f : α → β) (h : WellFounded r) :
    WellFounded (InvImage r f) := ⟨fun a => InvImage.accessible f (f a) (h.apply (f a)) a rfl⟩
@[reducible] def invImage {α : Sort u} {β : Sort v} (f : α → β) (h : WellFoundedRelation β) : WellFoundedRelation α where
  rel := InvImage h.rel f
  wf := InvImage.wf f h.wf
theorem Nat.lt_wf : WellFounded (fun a b : Nat => a < b) := ⟨fun n => by
  have aux : ∀ m, m ≤ n → Acc (fun a b : Nat => a < b) m := by
    induction n with
    | zero =>
      intro m h
      exact ⟨m, fun y k => absurd (Nat.le_trans k h) (Nat.not_succ_le_zero y)⟩
    | succ n ih =>
      intro m h
      exact ⟨m, fun y k => ih y (Nat.le_of_succ_le_succ (Nat.le_trans k h))⟩
  exact aux n .refl⟩
class SizeOf (α : Sort u) where
  sizeOf : α → Nat
export SizeOf (sizeOf)
instance instSizeOfDefault (α : Sort u) : SizeOf α := ⟨fun _ => 0⟩
instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩
@[reducible] def measure {α : Sort u} (f : α → Nat) : WellFoundedRelation α := invImage f ⟨fun a b => a < b, Nat.lt_wf⟩
@[reducible] def sizeOfWFRel {α : Sort u} [SizeOf α] : WellFoundedRelation α := measure sizeOf
instance (priority := 10) {α : Sort u} [SizeOf α] : WellFoundedRelation α := sizeOfWFRel
instance Nat.lt_wfRel : WellFoundedRelation Nat := ⟨fun a b => a < b, Nat.lt_wf⟩
def wfParam {α : Sort u} (a : α) : α := a
namespace WellFounded
/-- Recursion along a measure into the natural numbers: the form the elaborator uses. -/
noncomputable def Nat.fix {α : Sort u} {motive : α → Sort v} (h : α → Nat)
    (F : (x : α) → ((y : α) → InvImage (fun a b : Nat => a < b) h y x → motive y) → motive x) : (x : α) → motive x :=
  WellFounded.fix (measure h).wf F
theorem Nat.fix_eq {α : Sort u} {motive : α → Sort v} (h : α → Nat)
    (F : (x : α) → ((y : α) → InvImage (fun a b : Nat => a < b) h y x → motive y) → motive x) (x : α) :
    Nat.fix h F x = F x (fun y _ => Nat.fix h F y) := WellFounded.fix_eq _ F x
end WellFounded
/-- Run by the elaborator on each termination goal before the user's tactic. -/
macro "clean_wf" : tactic => `(tactic| try (dsimp only [InvImage, invImage, measure, sizeOfWFRel, SizeOf.sizeOf]))
macro "decreasing_with " ts:tacticSeq : tactic => `(tactic| (clean_wf; ($ts:tacticSeq)))
macro "decreasing_tactic" : tactic => `(tactic| (clean_wf; first | assumption | decide))
