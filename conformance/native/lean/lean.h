/* What the C that `lean -c` (Lean 4.35.0) writes for the decisions needs of Lean's runtime, for machines without Lean's
   own header.  64-bit little-endian; layouts and calling conventions are those of the pinned library.  Only what the
   decision modules and four modules below them use; everything that is not inline is exported by the library. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != 0xFFFFFFFFFFFFFFFFu || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "64-bit little-endian only"
#endif

#define LEAN_EXPORT
#define INLINE static inline __attribute__((unused, always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)

/* m_rc counts references: > 0 within one thread, < 0 shared between threads, 0 never freed. */
typedef struct { int m_rc; unsigned m_cs_sz : 16, m_other : 8, m_tag : 8; } lean_object;
typedef struct { lean_object m_header; lean_object *m_objs[]; } lean_ctor_object;
typedef struct { lean_object m_header; void *m_fun; uint16_t m_arity, m_num_fixed; lean_object *m_objs[]; } lean_closure_object;
typedef struct { _Atomic(int) state, lock; } lean_once_cell_t;
#define LEAN_ONCE_CELL_INITIALIZER {0, 0}
_Static_assert(sizeof(lean_object) == 8 && offsetof(lean_ctor_object, m_objs) == 8, "layout of a constructor");
_Static_assert(offsetof(lean_closure_object, m_objs) == 24, "layout of a closure");
enum { CLOSURE = 245 }; /* m_tag of a closure; a constructor has its number there */

/* ---- the library's part ---- */

lean_object *lean_alloc_small_object_core(unsigned);
void lean_free_object(lean_object *);
void lean_dec_ref_cold(lean_object *);
lean_object *lean_obj_once_cold(lean_object **, lean_once_cell_t *, lean_object *(*)(void));
void lean_internal_panic_unreachable(void) __attribute__((noreturn));
lean_object *lean_apply_1(lean_object *, lean_object *);
lean_object *lean_big_usize_to_nat(size_t);
lean_object *lean_big_size_t_to_int(size_t);
lean_object *lean_big_int64_to_int(int64_t);
lean_object *lean_big_int_to_nat(lean_object *);
lean_object *lean_nat_big_add(lean_object *, lean_object *);
lean_object *lean_nat_big_sub(lean_object *, lean_object *);
lean_object *lean_nat_big_mul(lean_object *, lean_object *);
lean_object *lean_nat_overflow_mul(size_t, size_t);
lean_object *lean_nat_big_div(lean_object *, lean_object *);
lean_object *lean_nat_big_mod(lean_object *, lean_object *);
lean_object *lean_nat_pow(lean_object *, lean_object *);
bool lean_nat_big_eq(lean_object *, lean_object *);
bool lean_nat_big_le(lean_object *, lean_object *);
bool lean_nat_big_lt(lean_object *, lean_object *);
lean_object *lean_int_big_add(lean_object *, lean_object *);
lean_object *lean_int_big_sub(lean_object *, lean_object *);
lean_object *lean_int_big_mul(lean_object *, lean_object *);
lean_object *lean_int_big_ediv(lean_object *, lean_object *);
lean_object *lean_int_big_neg(lean_object *);
bool lean_int_big_eq(lean_object *, lean_object *);
bool lean_int_big_le(lean_object *, lean_object *);
bool lean_int_big_lt(lean_object *, lean_object *);
bool lean_int_big_nonneg(lean_object *);

/* ---- references ---- */

INLINE bool lean_is_scalar(lean_object *o) { return (uintptr_t)o & 1; }
INLINE lean_object *lean_box(size_t n) { return (lean_object *)(n << 1 | 1); }
INLINE size_t lean_unbox(lean_object *o) { return (size_t)o >> 1; }
INLINE bool both_scalar(lean_object *a, lean_object *b) { return LIKELY((uintptr_t)a & (uintptr_t)b & 1); }

INLINE void lean_inc_ref_n(lean_object *o, size_t n) {
  if (LIKELY(o->m_rc > 0)) o->m_rc += (int)n;
  else if (o->m_rc) atomic_fetch_sub_explicit((_Atomic(int) *)&o->m_rc, (int)n, memory_order_relaxed);
}
INLINE void lean_inc_ref(lean_object *o) { lean_inc_ref_n(o, 1); }
INLINE void lean_inc_n(lean_object *o, size_t n) { if (!lean_is_scalar(o)) lean_inc_ref_n(o, n); }
INLINE void lean_inc(lean_object *o) { lean_inc_n(o, 1); }
INLINE void lean_dec_ref(lean_object *o) {
  if (LIKELY(o->m_rc > 1)) o->m_rc--;
  else if (o->m_rc) lean_dec_ref_cold(o);
}
INLINE void lean_dec(lean_object *o) { if (!lean_is_scalar(o)) lean_dec_ref(o); }
#define lean_dec_ref_known(o, fields) lean_dec_ref(o) /* Lean's own only saves a look at the object */
INLINE bool lean_is_exclusive(lean_object *o) { return o->m_rc == 1; }
INLINE void lean_del_object(lean_object *o) { if (!lean_is_scalar(o)) lean_free_object(o); }

/* ---- constructors and closures ---- */

INLINE unsigned lean_obj_tag(lean_object *o) { return lean_is_scalar(o) ? (unsigned)lean_unbox(o) : o->m_tag; }
INLINE lean_object *fresh(unsigned size, unsigned tag, unsigned other) {
  lean_object *o = lean_alloc_small_object_core(size);
  o->m_rc = 1; o->m_tag = tag; o->m_other = other;
  return o;
}
/* no decision has a constructor with unboxed fields */
INLINE lean_object *lean_alloc_ctor(unsigned tag, unsigned fields, unsigned unboxed) { return fresh(8 + 8 * fields + 0 * unboxed, tag, fields); }
INLINE lean_object *lean_ctor_get(lean_object *o, unsigned i) { return ((lean_ctor_object *)o)->m_objs[i]; }
INLINE void lean_ctor_set(lean_object *o, unsigned i, lean_object *v) { ((lean_ctor_object *)o)->m_objs[i] = v; }
INLINE lean_object *lean_alloc_closure(void *fun, unsigned arity, unsigned fixed) {
  lean_closure_object *o = (lean_closure_object *)fresh(24 + 8 * fixed, CLOSURE, 0);
  o->m_fun = fun; o->m_arity = arity; o->m_num_fixed = fixed;
  return (lean_object *)o;
}
INLINE void lean_closure_set(lean_object *o, unsigned i, lean_object *v) { ((lean_closure_object *)o)->m_objs[i] = v; }

/* closed terms, computed on first use */
INLINE lean_object *lean_obj_once(lean_object **at, lean_once_cell_t *cell, lean_object *(*init)(void)) {
  return LIKELY(cell->state == 1) ? *at : lean_obj_once_cold(at, cell, init);
}

/* ---- natural numbers: boxed below 2^63, else big ---- */

#define LEAN_MAX_SMALL_NAT (SIZE_MAX >> 1)
INLINE lean_object *lean_usize_to_nat(size_t n) { return LIKELY(n <= LEAN_MAX_SMALL_NAT) ? lean_box(n) : lean_big_usize_to_nat(n); }
INLINE lean_object *lean_unsigned_to_nat(unsigned n) { return lean_box(n); }
INLINE lean_object *lean_nat_add(lean_object *a, lean_object *b) {
  return both_scalar(a, b) ? lean_usize_to_nat(lean_unbox(a) + lean_unbox(b)) : lean_nat_big_add(a, b);
}
INLINE lean_object *lean_nat_sub(lean_object *a, lean_object *b) {
  if (!both_scalar(a, b)) return lean_nat_big_sub(a, b);
  return lean_unbox(a) < lean_unbox(b) ? lean_box(0) : lean_box(lean_unbox(a) - lean_unbox(b));
}
INLINE lean_object *lean_nat_pred(lean_object *a) { return lean_nat_sub(a, lean_box(1)); }
INLINE lean_object *lean_nat_mul(lean_object *a, lean_object *b) {
  size_t r;
  if (!both_scalar(a, b)) return lean_nat_big_mul(a, b);
  bool over = __builtin_mul_overflow(lean_unbox(a), lean_unbox(b), &r);
  return LIKELY(!over && r <= LEAN_MAX_SMALL_NAT) ? lean_box(r) : lean_nat_overflow_mul(lean_unbox(a), lean_unbox(b));
}
INLINE lean_object *lean_nat_div(lean_object *a, lean_object *b) {
  if (!both_scalar(a, b)) return lean_nat_big_div(a, b);
  return lean_box(lean_unbox(b) ? lean_unbox(a) / lean_unbox(b) : 0);
}
INLINE lean_object *lean_nat_mod(lean_object *a, lean_object *b) {
  if (!both_scalar(a, b)) return lean_nat_big_mod(a, b);
  return lean_box(lean_unbox(b) ? lean_unbox(a) % lean_unbox(b) : lean_unbox(a));
}
INLINE uint8_t lean_nat_dec_eq(lean_object *a, lean_object *b) { return both_scalar(a, b) ? a == b : lean_nat_big_eq(a, b); }
INLINE uint8_t lean_nat_dec_le(lean_object *a, lean_object *b) { return both_scalar(a, b) ? lean_unbox(a) <= lean_unbox(b) : lean_nat_big_le(a, b); }
INLINE uint8_t lean_nat_dec_lt(lean_object *a, lean_object *b) { return both_scalar(a, b) ? lean_unbox(a) < lean_unbox(b) : lean_nat_big_lt(a, b); }

/* ---- integers: boxed when they fit 32 bits, else big ---- */

INLINE int64_t small(lean_object *o) { return (int32_t)(uint32_t)lean_unbox(o); }
INLINE lean_object *lean_int64_to_int(int64_t n) { return LIKELY(n == (int32_t)n) ? lean_box((uint32_t)n) : lean_big_int64_to_int(n); }
INLINE lean_object *lean_nat_to_int(lean_object *a) {
  return lean_is_scalar(a) && lean_unbox(a) > INT32_MAX ? lean_big_size_t_to_int(lean_unbox(a)) : a;
}
INLINE lean_object *lean_int_neg(lean_object *a) { return lean_is_scalar(a) ? lean_int64_to_int(-small(a)) : lean_int_big_neg(a); }
INLINE lean_object *lean_int_neg_succ_of_nat(lean_object *a) {
  lean_object *next = lean_nat_add(a, lean_box(1));
  lean_dec(a);
  lean_object *positive = lean_nat_to_int(next), *result = lean_int_neg(positive);
  lean_dec(positive);
  return result;
}
INLINE lean_object *lean_int_add(lean_object *a, lean_object *b) { return both_scalar(a, b) ? lean_int64_to_int(small(a) + small(b)) : lean_int_big_add(a, b); }
INLINE lean_object *lean_int_sub(lean_object *a, lean_object *b) { return both_scalar(a, b) ? lean_int64_to_int(small(a) - small(b)) : lean_int_big_sub(a, b); }
INLINE lean_object *lean_int_mul(lean_object *a, lean_object *b) { return both_scalar(a, b) ? lean_int64_to_int(small(a) * small(b)) : lean_int_big_mul(a, b); }
/* the quotient whose remainder is not negative; 0 for the divisor 0 */
INLINE lean_object *lean_int_ediv(lean_object *a, lean_object *b) {
  if (!both_scalar(a, b)) return lean_int_big_ediv(a, b);
  int64_t n = small(a), d = small(b);
  if (!d) return lean_box(0);
  return lean_int64_to_int(n % d < 0 ? (d > 0 ? n / d - 1 : n / d + 1) : n / d);
}
INLINE uint8_t lean_int_dec_eq(lean_object *a, lean_object *b) { return both_scalar(a, b) ? small(a) == small(b) : lean_int_big_eq(a, b); }
INLINE uint8_t lean_int_dec_le(lean_object *a, lean_object *b) { return both_scalar(a, b) ? small(a) <= small(b) : lean_int_big_le(a, b); }
INLINE uint8_t lean_int_dec_lt(lean_object *a, lean_object *b) { return both_scalar(a, b) ? small(a) < small(b) : lean_int_big_lt(a, b); }
INLINE uint8_t lean_int_dec_nonneg(lean_object *a) { return lean_is_scalar(a) ? small(a) >= 0 : lean_int_big_nonneg(a); }
INLINE lean_object *lean_nat_abs(lean_object *a) {
  if (lean_is_scalar(a)) return lean_box(small(a) < 0 ? (size_t)-small(a) : (size_t)small(a));
  if (lean_int_big_nonneg(a)) { lean_inc_ref(a); return lean_big_int_to_nat(a); }
  lean_object *positive = lean_int_big_neg(a);
  return lean_is_scalar(positive) ? positive : lean_big_int_to_nat(positive);
}
