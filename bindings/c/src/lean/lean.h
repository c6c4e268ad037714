/* What the C that `lean -c` (Lean 4.35) writes for the decisions includes, written anew: names and ownership are Lean's,
   everything else is free, because nothing of Lean is linked.  Two differences matter:

   - one form of numbers: Nat and Int are the same objects, a tagged signed word when it fits (63 bits, 31 on wasm32), else
     a big one, so that lean_nat_to_int is the identity; canonical, so equal small numbers are equal words;
   - no cells: a closed term is computed where it is used, and lives until the call ends.  The compiler folds those that are
     numbers.  So no static of the generated code is ever written, and there is nothing to initialise;
   - every function that may come back to itself begins with GNOSIS_STEP, which the generator puts there: a step of work is
     counted and the depth of the stack is looked at, so that no input runs or descends without end. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __wasm__
typedef int jmp_buf; /* a failure traps, and the host reads its code */
#else
#include <setjmp.h>
#endif

#define LEAN_EXPORT __attribute__((visibility("hidden")))
#define INLINE static inline __attribute__((unused))
#define LIKELY(x) __builtin_expect(!!(x), 1)

/* m_rc: references; 0 is never freed (static closures are in read-only memory).  m_cs_sz: class of the block.  m_other: fields
   of a constructor, sign of a number.  m_tag: number of the constructor, or one of the two below. */
typedef struct { int m_rc; unsigned m_cs_sz : 16, m_other : 8, m_tag : 8; } lean_object;
typedef struct { lean_object m_header; lean_object *m_objs[]; } lean_ctor_object;
typedef struct { lean_object m_header; void *m_fun; uint16_t m_arity, m_num_fixed; lean_object *m_objs[]; } lean_closure_object;
typedef struct { char unused; } lean_once_cell_t;
#define LEAN_ONCE_CELL_INITIALIZER {0}
enum { CLOSURE = 245, NUMBER = 250 };

/* ---- memory: one heap at a time in a thread, while a call runs ---- */

enum { CLASSES = 128, SMALL = 64 }; /* class c ≤ SMALL: 8·c bytes; above: 2^(c - SMALL + 9) */
enum { MESSAGE = 192 }; /* bytes of a message, with the last 0 */
struct gnosis_heap {
  char *at, *start, *end;        /* memory: the next free byte, the first, the one after the last */
  size_t live, kept, most;       /* objects of this call; those never freed; bytes of the hungriest call */
  uint64_t work, budget;         /* steps left to this call; those that a call has */
  uintptr_t floor;               /* addresses below this are too deep */
  size_t stack;                  /* bytes of stack that a call may take */
  int64_t code;                  /* of the last call */
  const char *where;             /* the argument that is read */
  const char *id, *id_end;       /* of the request that is answered, inside its text */
  jmp_buf *jump;
  char message[MESSAGE];
  void *spare[CLASSES];
};
#ifdef __wasm__
extern struct gnosis_heap *gnosis_heap_now;
#else
extern _Thread_local struct gnosis_heap *gnosis_heap_now;
#endif
_Noreturn void gnosis_fail(int64_t code);
void *gnosis_more(unsigned class);
void gnosis_drop(lean_object *);
_Noreturn void gnosis_stop(void);

INLINE void gnosis_work(size_t steps) { /* that many steps at once */
  struct gnosis_heap *h = gnosis_heap_now;
  h->work = h->work > steps ? h->work - steps : 0;
  if (!h->work) gnosis_stop();
}
#ifdef __wasm__ /* the host bounds the depth: too deep is a trap of its own */
INLINE void gnosis_step(void) { if (!--gnosis_heap_now->work) gnosis_stop(); }
#else
INLINE void gnosis_step(void) {
  struct gnosis_heap *h = gnosis_heap_now;
  if (!LIKELY(--h->work) || !LIKELY((uintptr_t)__builtin_frame_address(0) >= h->floor)) gnosis_stop();
}
#endif
#define GNOSIS_STEP gnosis_step()

INLINE unsigned block_class(size_t bytes) {
  return bytes <= 8 * SMALL ? (unsigned)((bytes + 7) / 8) : SMALL - 9 + (8 * sizeof(long long) - (unsigned)__builtin_clzll(bytes - 1));
}
#ifdef GNOSIS_MALLOC /* every object by malloc, for a sanitizer to watch */
#include <stdlib.h>
INLINE void *block(size_t bytes) {
  lean_object *p = malloc(bytes);
  if (!p) gnosis_fail(-1);
  gnosis_heap_now->live++;
  p->m_rc = 1;
  return p;
}
INLINE void lean_free_object(lean_object *o) { gnosis_heap_now->live--; free(o); }
#else
INLINE void *block(size_t bytes) {
  unsigned class = block_class(bytes);
  struct gnosis_heap *h = gnosis_heap_now;
  void *p = h->spare[class];
  if (LIKELY(p)) h->spare[class] = *(void **)p;
  else p = gnosis_more(class);
  h->live++;
  ((lean_object *)p)->m_rc = 1;
  ((lean_object *)p)->m_cs_sz = class;
  return p;
}
INLINE void lean_free_object(lean_object *o) {
  struct gnosis_heap *h = gnosis_heap_now;
  unsigned class = o->m_cs_sz;
  *(void **)o = h->spare[class];
  h->spare[class] = o;
  h->live--;
}
#endif

/* ---- references ---- */

INLINE bool lean_is_scalar(lean_object *o) { return (uintptr_t)o & 1; }
INLINE lean_object *lean_box(size_t n) { return (lean_object *)(n << 1 | 1); }
INLINE size_t lean_unbox(lean_object *o) { return (size_t)o >> 1; }
INLINE void lean_inc_ref_n(lean_object *o, size_t n) { if (o->m_rc) o->m_rc += (int)n; }
INLINE void lean_inc_ref(lean_object *o) { lean_inc_ref_n(o, 1); }
INLINE void lean_inc_n(lean_object *o, size_t n) { if (!lean_is_scalar(o)) lean_inc_ref_n(o, n); }
INLINE void lean_inc(lean_object *o) { lean_inc_n(o, 1); }
#ifdef __wasm__ /* a call, so that the module stays small */
static __attribute__((noinline, unused))
#else
INLINE
#endif
void lean_dec_ref(lean_object *o) {
  if (o->m_rc > 1) o->m_rc--;
  else if (LIKELY(o->m_tag == NUMBER) && o->m_rc) lean_free_object(o);
  else if (o->m_rc) gnosis_drop(o);
}
INLINE void lean_dec(lean_object *o) { if (!lean_is_scalar(o)) lean_dec_ref(o); }
#define lean_dec_ref_known(o, fields) lean_dec_ref(o)
INLINE bool lean_is_exclusive(lean_object *o) { return o->m_rc == 1; }
INLINE void lean_del_object(lean_object *o) { if (!lean_is_scalar(o)) lean_free_object(o); }
_Noreturn INLINE void lean_internal_panic_unreachable(void) { __builtin_trap(); }

/* ---- constructors and closures ---- */

INLINE unsigned lean_obj_tag(lean_object *o) { return lean_is_scalar(o) ? (unsigned)lean_unbox(o) : o->m_tag; }
INLINE lean_object *lean_alloc_ctor(unsigned tag, unsigned fields, unsigned unboxed) {
  lean_object *o = block(sizeof(lean_object) + sizeof(void *) * fields + unboxed);
  o->m_tag = tag; o->m_other = fields;
  return o;
}
INLINE lean_object *lean_ctor_get(lean_object *o, unsigned i) { return ((lean_ctor_object *)o)->m_objs[i]; }
INLINE void lean_ctor_set(lean_object *o, unsigned i, lean_object *v) { ((lean_ctor_object *)o)->m_objs[i] = v; }
INLINE lean_object *lean_alloc_closure(void *fun, unsigned arity, unsigned fixed) {
  lean_closure_object *o = block(sizeof(lean_closure_object) + sizeof(void *) * fixed);
  o->m_header.m_tag = CLOSURE; o->m_header.m_other = 0;
  o->m_fun = fun; o->m_arity = arity; o->m_num_fixed = fixed;
  return &o->m_header;
}
INLINE void lean_closure_set(lean_object *o, unsigned i, lean_object *v) { ((lean_closure_object *)o)->m_objs[i] = v; }
lean_object *lean_apply_1(lean_object *, lean_object *);

/* The code that is written takes a closed term for one that is never freed, so it may be used and returned without counting. */
INLINE lean_object *gnosis_closed(lean_object *o) {
  if (!lean_is_scalar(o) && o->m_rc) { o->m_rc = 0; gnosis_heap_now->kept++; }
  return o;
}
#define lean_obj_once(at, cell, init) gnosis_closed(init())

/* ---- numbers ---- */

lean_object *big_add(lean_object *, lean_object *, bool negate);
lean_object *big_mul(lean_object *, lean_object *);
lean_object *big_div(lean_object *, lean_object *);
lean_object *big_mod(lean_object *, lean_object *);
int big_cmp(lean_object *, lean_object *);
lean_object *lean_nat_pow(lean_object *, lean_object *);

INLINE bool small2(lean_object *a, lean_object *b) { return LIKELY((uintptr_t)a & (uintptr_t)b & 1); }
INLINE intptr_t small(lean_object *o) { return (intptr_t)o >> 1; }
INLINE lean_object *lean_unsigned_to_nat(unsigned n) { return lean_box(n); } /* literals; build.py refuses one of 2^29 or more */
INLINE lean_object *lean_int_add(lean_object *a, lean_object *b) {
  intptr_t r;
  return small2(a, b) && LIKELY(!__builtin_add_overflow((intptr_t)a - 1, (intptr_t)b, &r)) ? (lean_object *)r : big_add(a, b, false);
}
INLINE lean_object *lean_int_sub(lean_object *a, lean_object *b) {
  intptr_t r;
  return small2(a, b) && LIKELY(!__builtin_sub_overflow((intptr_t)a, (intptr_t)b - 1, &r)) ? (lean_object *)r : big_add(a, b, true);
}
INLINE lean_object *lean_int_mul(lean_object *a, lean_object *b) {
  intptr_t r;
  return small2(a, b) && LIKELY(!__builtin_mul_overflow((intptr_t)a - 1, small(b), &r)) ? (lean_object *)(r + 1) : big_mul(a, b);
}
INLINE uint8_t lean_int_dec_eq(lean_object *a, lean_object *b) { return small2(a, b) ? a == b : !big_cmp(a, b); }
INLINE uint8_t lean_int_dec_le(lean_object *a, lean_object *b) { return small2(a, b) ? (intptr_t)a <= (intptr_t)b : big_cmp(a, b) <= 0; }
INLINE uint8_t lean_int_dec_lt(lean_object *a, lean_object *b) { return small2(a, b) ? (intptr_t)a < (intptr_t)b : big_cmp(a, b) < 0; }
INLINE bool negative(lean_object *a) { return lean_is_scalar(a) ? (intptr_t)a < 0 : a->m_other; }
INLINE uint8_t lean_int_dec_nonneg(lean_object *a) { return !negative(a); }
INLINE lean_object *lean_int_neg(lean_object *a) { return lean_int_sub(lean_box(0), a); }
/* the quotient whose remainder is not negative; 0 for the divisor 0 */
INLINE lean_object *lean_int_ediv(lean_object *a, lean_object *b) { return big_div(a, b); }

INLINE lean_object *lean_nat_to_int(lean_object *a) { return a; }
INLINE lean_object *lean_nat_abs(lean_object *a) {
  if (negative(a)) return lean_int_neg(a);
  lean_inc(a);
  return a;
}
INLINE lean_object *lean_nat_add(lean_object *a, lean_object *b) { return lean_int_add(a, b); }
INLINE lean_object *lean_nat_mul(lean_object *a, lean_object *b) { return lean_int_mul(a, b); }
INLINE lean_object *lean_nat_sub(lean_object *a, lean_object *b) {
  return lean_int_dec_le(a, b) ? lean_box(0) : lean_int_sub(a, b);
}
INLINE lean_object *lean_nat_pred(lean_object *a) { return lean_nat_sub(a, lean_box(1)); }
INLINE lean_object *lean_nat_div(lean_object *a, lean_object *b) { return big_div(a, b); }
INLINE lean_object *lean_nat_mod(lean_object *a, lean_object *b) { return big_mod(a, b); }
INLINE uint8_t lean_nat_dec_eq(lean_object *a, lean_object *b) { return lean_int_dec_eq(a, b); }
INLINE uint8_t lean_nat_dec_le(lean_object *a, lean_object *b) { return lean_int_dec_le(a, b); }
INLINE uint8_t lean_nat_dec_lt(lean_object *a, lean_object *b) { return lean_int_dec_lt(a, b); }
INLINE lean_object *lean_int_neg_succ_of_nat(lean_object *a) { /* owns a */
  lean_object *next = lean_int_add(a, lean_box(1)), *r = lean_int_neg(next);
  lean_dec(a);
  lean_dec(next);
  return r;
}
