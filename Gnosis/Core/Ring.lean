prelude
import Gnosis.Core.Arith
/-! # A reflective normaliser for commutative semirings

A structure `Csr α` carries the laws.  A term is read as an expression by instance search (`Quote`, one instance for each
operation; atoms are found by `Csr.Atom`); expressions have a normal form, a sorted list of monomials, and two
expressions with the same normal form have the same value (`Csr.sound`).  The kernel compares the normal forms. -/

structure Csr (α : Type) where
  add : α → α → α
  mul : α → α → α
  cast : Nat → α
  add_comm : ∀ a b, add a b = add b a
  add_assoc : ∀ a b c, add (add a b) c = add a (add b c)
  zero_add : ∀ a, add (cast 0) a = a
  mul_comm : ∀ a b, mul a b = mul b a
  mul_assoc : ∀ a b c, mul (mul a b) c = mul a (mul b c)
  one_mul : ∀ a, mul (cast 1) a = a
  zero_mul : ∀ a, mul (cast 0) a = cast 0
  distrib : ∀ a b c, mul a (add b c) = add (mul a b) (mul a c)
  cast_add : ∀ m n, cast (m + n) = add (cast m) (cast n)
  cast_mul : ∀ m n, cast (m * n) = mul (cast m) (cast n)

namespace Csr
inductive Expr where
  | var (i : Nat)
  | num (n : Nat)
  | add (a b : Expr)
  | mul (a b : Expr)

/-- A monomial is a list of variables in ascending order; a polynomial a list of weighted monomials. -/
abbrev Mono := List Nat
abbrev Poly := List (Nat × Mono)

def get {α : Type} (d : α) : List α → Nat → α
  | [], _ => d
  | x :: _, 0 => x
  | _ :: xs, n + 1 => get d xs n

def Mono.beq : Mono → Mono → Bool
  | [], [] => true
  | i :: a, j :: b => Nat.beq i j && Mono.beq a b
  | _, _ => false
def Mono.ble : Mono → Mono → Bool
  | [], _ => true
  | _ :: _, [] => false
  | i :: a, j :: b => cond (Nat.beq i j) (Mono.ble a b) (Nat.ble i j)
def Poly.beq : Poly → Poly → Bool
  | [], [] => true
  | (c, a) :: p, (d, b) :: q => Nat.beq c d && (Mono.beq a b && Poly.beq p q)
  | _, _ => false
def Mono.ins (i : Nat) : Mono → Mono
  | [] => [i]
  | j :: a => cond (Nat.ble i j) (i :: j :: a) (j :: ins i a)
def Mono.mul : Mono → Mono → Mono
  | [], b => b
  | i :: a, b => ins i (mul a b)
def Poly.ins (c : Nat) (m : Mono) : Poly → Poly
  | [] => [(c, m)]
  | (d, n) :: p =>
    cond (Mono.beq m n) ((c + d, n) :: p) (cond (Mono.ble m n) ((c, m) :: (d, n) :: p) ((d, n) :: ins c m p))
def Poly.add : Poly → Poly → Poly
  | [], q => q
  | (c, m) :: p, q => ins c m (add p q)
def Poly.scale (c : Nat) (m : Mono) : Poly → Poly
  | [] => []
  | (d, n) :: p => ins (c * d) (m.mul n) (scale c m p)
def Poly.mul : Poly → Poly → Poly
  | [], _ => []
  | (c, m) :: p, q => (scale c m q).add (mul p q)
def Expr.norm : Expr → Poly
  | var i => [(1, [i])]
  | num 0 => []
  | num (n + 1) => [(n + 1, [])]
  | add a b => a.norm.add b.norm
  | mul a b => a.norm.mul b.norm

section
variable {α : Type} (S : Csr α) (ρ : List α)
def Expr.eval : Expr → α
  | var i => get (S.cast 0) ρ i
  | num n => S.cast n
  | add a b => S.add a.eval b.eval
  | mul a b => S.mul a.eval b.eval
def mono : Mono → α
  | [] => S.cast 1
  | i :: m => S.mul (get (S.cast 0) ρ i) (mono m)
def poly : Poly → α
  | [] => S.cast 0
  | (c, m) :: p => S.add (S.mul (S.cast c) (mono S ρ m)) (poly p)

theorem add_left_comm (a b c : α) : S.add a (S.add b c) = S.add b (S.add a c) := by
  rw [← S.add_assoc, S.add_comm a b, S.add_assoc]
theorem mul_left_comm (a b c : α) : S.mul a (S.mul b c) = S.mul b (S.mul a c) := by
  rw [← S.mul_assoc, S.mul_comm a b, S.mul_assoc]
theorem mul_one (a : α) : S.mul a (S.cast 1) = a := by rw [S.mul_comm, S.one_mul]
theorem mul_zero (a : α) : S.mul a (S.cast 0) = S.cast 0 := by rw [S.mul_comm, S.zero_mul]
theorem right_distrib (a b c : α) : S.mul (S.add a b) c = S.add (S.mul a c) (S.mul b c) := by
  rw [S.mul_comm, S.distrib, S.mul_comm c a, S.mul_comm c b]
end

theorem Mono.eq_of_beq : (a b : Mono) → Mono.beq a b = true → a = b
  | [], [], _ => rfl
  | i :: a, j :: b, h => by
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    rw [Nat.eq_of_beq_eq_true _ _ h₁, eq_of_beq a b h₂]
theorem Poly.eq_of_beq : (p q : Poly) → Poly.beq p q = true → p = q
  | [], [], _ => rfl
  | (c, a) :: p, (d, b) :: q, h => by
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h₂
    rw [Nat.eq_of_beq_eq_true _ _ h₁, Mono.eq_of_beq a b h₂, eq_of_beq p q h₃]

section
variable {α : Type} (S : Csr α) (ρ : List α)
theorem mono_ins (i : Nat) (m : Mono) : mono S ρ (Mono.ins i m) = S.mul (get (S.cast 0) ρ i) (mono S ρ m) := by
  induction m with
  | nil => rfl
  | cons j a ih =>
    show mono S ρ (cond (Nat.ble i j) (i :: j :: a) (j :: Mono.ins i a)) = _
    cases Nat.ble i j with
    | true => rfl
    | false =>
      show S.mul _ (mono S ρ (Mono.ins i a)) = S.mul _ (S.mul _ (mono S ρ a))
      rw [ih, mul_left_comm]
theorem mono_mul (a b : Mono) : mono S ρ (Mono.mul a b) = S.mul (mono S ρ a) (mono S ρ b) := by
  induction a with
  | nil => exact (S.one_mul _).symm
  | cons i a ih =>
    show mono S ρ (Mono.ins i (Mono.mul a b)) = S.mul (S.mul _ (mono S ρ a)) _
    rw [mono_ins, ih, S.mul_assoc]
theorem poly_ins (c : Nat) (m : Mono) (p : Poly) :
    poly S ρ (Poly.ins c m p) = S.add (S.mul (S.cast c) (mono S ρ m)) (poly S ρ p) := by
  induction p with
  | nil => rfl
  | cons dn p ih =>
    obtain ⟨d, n⟩ := dn
    show poly S ρ (cond (Mono.beq m n) ((c + d, n) :: p)
      (cond (Mono.ble m n) ((c, m) :: (d, n) :: p) ((d, n) :: Poly.ins c m p))) = _
    cases h : Mono.beq m n with
    | true =>
      rw [Mono.eq_of_beq m n h]
      show S.add (S.mul (S.cast (c + d)) _) _ = S.add _ (S.add (S.mul (S.cast d) _) _)
      rw [S.cast_add, right_distrib, S.add_assoc]
    | false =>
      cases Mono.ble m n with
      | true => rfl
      | false =>
        show S.add _ (poly S ρ (Poly.ins c m p)) = S.add _ (S.add _ (poly S ρ p))
        rw [ih, add_left_comm]
theorem poly_add (p q : Poly) : poly S ρ (Poly.add p q) = S.add (poly S ρ p) (poly S ρ q) := by
  induction p with
  | nil => exact (S.zero_add _).symm
  | cons cm p ih =>
    obtain ⟨c, m⟩ := cm
    show poly S ρ (Poly.ins c m (Poly.add p q)) = S.add (S.add _ (poly S ρ p)) _
    rw [poly_ins, ih, S.add_assoc]
theorem poly_scale (c : Nat) (m : Mono) (p : Poly) :
    poly S ρ (Poly.scale c m p) = S.mul (S.mul (S.cast c) (mono S ρ m)) (poly S ρ p) := by
  induction p with
  | nil => exact (mul_zero S _).symm
  | cons dn p ih =>
    obtain ⟨d, n⟩ := dn
    show poly S ρ (Poly.ins (c * d) (Mono.mul m n) (Poly.scale c m p)) = S.mul _ (S.add (S.mul (S.cast d) (mono S ρ n)) (poly S ρ p))
    rw [poly_ins, ih, mono_mul, S.cast_mul, S.distrib, S.mul_assoc, S.mul_assoc, S.mul_assoc,
      mul_left_comm S (S.cast d)]
theorem poly_mul (p q : Poly) : poly S ρ (Poly.mul p q) = S.mul (poly S ρ p) (poly S ρ q) := by
  induction p with
  | nil => exact (S.zero_mul _).symm
  | cons cm p ih =>
    obtain ⟨c, m⟩ := cm
    show poly S ρ (Poly.add (Poly.scale c m q) (Poly.mul p q)) = S.mul (S.add _ (poly S ρ p)) _
    rw [poly_add, poly_scale, ih, right_distrib]
theorem eval_norm (e : Expr) : poly S ρ e.norm = e.eval S ρ := by
  induction e with
  | var i =>
    show S.add (S.mul (S.cast 1) (S.mul _ (S.cast 1))) (S.cast 0) = _
    rw [S.one_mul, mul_one, S.add_comm, S.zero_add]; rfl
  | num n =>
    cases n with
    | zero => rfl
    | succ n =>
      show S.add (S.mul (S.cast n.succ) (S.cast 1)) (S.cast 0) = _
      rw [mul_one, S.add_comm, S.zero_add]; rfl
  | add a b iha ihb =>
    show poly S ρ (Poly.add a.norm b.norm) = S.add _ _
    rw [poly_add, iha, ihb]
  | mul a b iha ihb =>
    show poly S ρ (Poly.mul a.norm b.norm) = S.mul _ _
    rw [poly_mul, iha, ihb]
/-- Expressions with the same normal form are equal. -/
theorem sound (a b : Expr) (h : Poly.beq a.norm b.norm = true) : a.eval S ρ = b.eval S ρ := by
  rw [← eval_norm, ← eval_norm, Poly.eq_of_beq _ _ h]
end
end Csr

def Nat.csr : Csr Nat where
  add a b := a + b
  mul a b := a * b
  cast n := n
  add_comm := Nat.add_comm
  add_assoc := Nat.add_assoc
  zero_add := Nat.zero_add
  mul_comm := Nat.mul_comm
  mul_assoc := Nat.mul_assoc
  one_mul := Nat.one_mul
  zero_mul := Nat.zero_mul
  distrib := Nat.left_distrib
  cast_add _ _ := rfl
  cast_mul _ _ := rfl

/-- Position of an atom in the list of atoms, found by instance search. -/
class Csr.Atom {α : Type} (x : α) (ρ : List α) (i : outParam Nat) : Prop where
  pos : ∀ d, Csr.get d ρ i = x
instance {α : Type} (x : α) (ρ : List α) : Csr.Atom x (x :: ρ) 0 := ⟨fun _ => rfl⟩
instance {α : Type} (x y : α) (ρ : List α) (i : Nat) [h : Csr.Atom x ρ i] : Csr.Atom x (y :: ρ) (i + 1) := ⟨h.pos⟩

/-- Reading a term over `Nat` as an expression, by instance search. -/
class Nat.Quote (x : Nat) (ρ : List Nat) (e : outParam Csr.Expr) : Prop where
  eq : e.eval Nat.csr ρ = x
instance (priority := 10) (x : Nat) (ρ : List Nat) (i : Nat) [h : Csr.Atom x ρ i] : Nat.Quote x ρ (.var i) := ⟨h.pos 0⟩
instance (priority := 5) (n : Nat) (ρ : List Nat) : Nat.Quote (no_index (OfNat.ofNat n)) ρ (.num n) := ⟨rfl⟩
instance (x y : Nat) (ρ : List Nat) (a b : Csr.Expr) [h : Nat.Quote x ρ a] [k : Nat.Quote y ρ b] :
    Nat.Quote (x + y) ρ (.add a b) := ⟨by show a.eval Nat.csr ρ + b.eval Nat.csr ρ = _; rw [h.eq, k.eq]⟩
instance (x y : Nat) (ρ : List Nat) (a b : Csr.Expr) [h : Nat.Quote x ρ a] [k : Nat.Quote y ρ b] :
    Nat.Quote (x * y) ρ (.mul a b) := ⟨by show a.eval Nat.csr ρ * b.eval Nat.csr ρ = _; rw [h.eq, k.eq]⟩
instance (x : Nat) (ρ : List Nat) (a : Csr.Expr) [h : Nat.Quote x ρ a] : Nat.Quote (Nat.succ x) ρ (.add a (.num 1)) :=
  ⟨by show a.eval Nat.csr ρ + 1 = _; rw [h.eq]⟩
theorem Nat.by_ring {x y : Nat} (ρ : List Nat) (a b : Csr.Expr) [h : Nat.Quote x ρ a] [k : Nat.Quote y ρ b]
    (e : Csr.Poly.beq a.norm b.norm = true) : x = y := by
  rw [← h.eq, ← k.eq]; exact Csr.sound Nat.csr ρ a b e
/-- `nat_ring [a, b]` proves an equation of natural numbers that holds in every commutative semiring,
where `a`, `b` are the atoms that occur. -/
macro "nat_ring" " [" ρ:term,* "]" : tactic => `(tactic| (set_option synthInstance.maxSize 100000 in refine Nat.by_ring [$ρ,*] _ _ ?_; first | decide +kernel | fail "ring: the two sides differ as polynomials in the atoms"))
