/* libgnosis: the decisions of the Lean library Gnosis as C.  Written by `gnosis extract --write`; not to be edited.
   The parts: what stands for Lean's runtime, then the C that Lean writes for each module, then the calls.  License: Apache-2.0. */
#define GNOSIS_VERSION 1u
/* What the C that `lean -c` (Lean 4.35) writes for the decisions includes, written anew: names and ownership are Lean's,
   everything else is free, because nothing of Lean is linked.  Two differences matter:

   - one form of numbers: Nat and Int are the same objects, a tagged signed word when it fits (63 bits, 31 on wasm32), else
     a big one, so that lean_nat_to_int is the identity; canonical, so equal small numbers are equal words;
   - no cells: a closed term is computed where it is used, and lives until the call ends.  The compiler folds those that are
     numbers.  So no static of the generated code is ever written, and there is nothing to initialise;
   - every function that may come back to itself begins with GNOSIS_STEP, which the generator puts there: a step of work is
     counted and the depth of the stack is looked at, so that no input runs or descends without end. */
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

/* Memory, failures and closures.  Of the C library only setjmp: memory is the block that the caller lends. */

typedef lean_object *O;
enum { GNOSIS_MEMORY = -1, GNOSIS_MALFORMED = -2, GNOSIS_WIDE = -3, GNOSIS_ROOM = -4, GNOSIS_STACK = -5, GNOSIS_WORK = -6, GNOSIS_LEAK = -7 };

#ifdef __wasm__
struct gnosis_heap *gnosis_heap_now;
#else
_Thread_local struct gnosis_heap *gnosis_heap_now;
#endif

/* ---- failures ---- */

/* Back to where the call began, which answers the code. */
_Noreturn void gnosis_fail(int64_t code) {
  gnosis_heap_now->code = code;
#ifdef __wasm__
  __builtin_trap();
#else
  longjmp(*gnosis_heap_now->jump, 1);
#endif
}
_Noreturn void gnosis_stop(void) { gnosis_fail(gnosis_heap_now->work ? GNOSIS_STACK : GNOSIS_WORK); }

static void say(struct gnosis_heap *h, const char *text) { /* added to the message, cut where it is full */
  size_t n = 0;
  while (h->message[n]) n++;
  while (*text && n < MESSAGE - 1) h->message[n++] = *text++;
  h->message[n] = 0;
}
static void say_number(struct gnosis_heap *h, uint64_t x, bool negative) {
  char digits[24], *at = digits + 23;
  *at = 0;
  do *--at = (char)('0' + x % 10); while (x /= 10);
  if (negative) *--at = '-';
  say(h, at);
}
/* `where` = value: why, with [entry] behind the name unless entry is (size_t)-1 */
static void blame(size_t entry) {
  struct gnosis_heap *h = gnosis_heap_now;
  h->message[0] = 0;
  say(h, h->where ? h->where : "argument");
  if (entry != (size_t)-1) { say(h, "["); say_number(h, entry, false); say(h, "]"); }
}
static _Noreturn void malformed(const char *why) {
  struct gnosis_heap *h = gnosis_heap_now;
  if (h->message[0]) say(h, ": ");
  say(h, why);
  gnosis_fail(GNOSIS_MALFORMED);
}

/* ---- memory ---- */

__attribute__((noinline)) void *gnosis_more(unsigned class) {
  struct gnosis_heap *h = gnosis_heap_now;
  if (class >= CLASSES || (class > SMALL && class - SMALL + 9 >= 8 * sizeof(size_t) - 1)) gnosis_fail(GNOSIS_MEMORY);
  size_t bytes = class <= SMALL ? 8 * (size_t)class : (size_t)1 << (class - SMALL + 9);
  if ((size_t)(h->end - h->at) < bytes) gnosis_fail(GNOSIS_MEMORY);
  void *p = h->at;
  h->at += bytes;
  return p;
}

/* Free o, whose last reference is gone: a loop along last fields, so that long lists need no stack. */
void gnosis_drop(O o) {
  for (;;) {
    O *fields = ((lean_ctor_object *)o)->m_objs;
    unsigned n = o->m_tag == NUMBER ? 0 : o->m_other;
    if (o->m_tag == CLOSURE) {
      fields = ((lean_closure_object *)o)->m_objs;
      n = ((lean_closure_object *)o)->m_num_fixed;
    }
    for (unsigned i = 0; i + 1 < n; i++) lean_dec(fields[i]);
    O last = n ? fields[n - 1] : lean_box(0);
    lean_free_object(o); /* fields are read before: the block is written over */
    if (lean_is_scalar(last) || !last->m_rc) return;
    if (last->m_rc > 1) { last->m_rc--; return; }
    o = last;
  }
}

/* ---- closures ---- */

/* owns f and x; all closures hold functions of boxed, owned arguments */
O lean_apply_1(O f, O x) {
  lean_closure_object *c = (lean_closure_object *)f;
  unsigned n = c->m_num_fixed;
  O a[8], *to = a, more = NULL;
  if (n + 1 < c->m_arity) {
    more = lean_alloc_closure(c->m_fun, c->m_arity, n + 1);
    to = ((lean_closure_object *)more)->m_objs;
  } else if (n >= 8) __builtin_trap();
  bool own = lean_is_exclusive(f);
  for (unsigned i = 0; i < n; i++) {
    to[i] = c->m_objs[i];
    if (!own) lean_inc(to[i]);
  }
  to[n] = x;
  void *g = c->m_fun;
  if (own) lean_free_object(f); else lean_dec(f);
  if (more) return more;
  switch (n) {
    case 0: return ((O (*)(O))g)(a[0]);
    case 1: return ((O (*)(O, O))g)(a[0], a[1]);
    case 2: return ((O (*)(O, O, O))g)(a[0], a[1], a[2]);
    case 3: return ((O (*)(O, O, O, O))g)(a[0], a[1], a[2], a[3]);
    case 4: return ((O (*)(O, O, O, O, O))g)(a[0], a[1], a[2], a[3], a[4]);
    case 5: return ((O (*)(O, O, O, O, O, O))g)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 6: return ((O (*)(O, O, O, O, O, O, O))g)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    default: return ((O (*)(O, O, O, O, O, O, O, O))g)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  }
}

/* Numbers that no word holds.  Included after runtime.c. */

/* ---- big numbers: sign in m_other, limbs lowest first, the highest not 0; only for what no word holds ---- */

#if UINTPTR_MAX > 0xFFFFFFFFu
typedef uint64_t limb;
typedef unsigned __int128 wide;
#else /* 64-bit limbs are a third slower on wasm32, and need compiler-rt */
typedef uint32_t limb;
typedef uint64_t wide;
#endif
enum { BITS = 8 * sizeof(limb) };
#define SMALLEST ((limb)1 << (8 * sizeof(void *) - 2)) /* tagged words hold -SMALLEST … SMALLEST - 1 */
typedef struct { lean_object head; uint32_t n; limb d[]; } big;
typedef struct { const limb *d; size_t n; bool negative; } view;

static inline big *new_big(size_t n, bool negative) {
  if (n >= (size_t)1 << 26) gnosis_fail(GNOSIS_MEMORY);
  big *r = block(sizeof(big) + n * sizeof(limb));
  r->head.m_tag = NUMBER;
  r->head.m_other = negative;
  r->n = (uint32_t)n;
  return r;
}
static inline O canonical(big *r) {
  size_t n = r->n;
  while (n && !r->d[n - 1]) n--;
  r->n = (uint32_t)n;
  if (n > 1) return &r->head;
  limb x = n ? r->d[0] : 0;
  bool minus = r->head.m_other;
  if (x >= SMALLEST + minus) return &r->head;
  lean_free_object(&r->head);
  return lean_box((size_t)(minus ? -x : x));
}
static inline view look(O o, limb *own) {
  if (!lean_is_scalar(o)) return (view){((big *)o)->d, ((big *)o)->n, o->m_other};
  intptr_t x = small(o);
  *own = x < 0 ? -(limb)x : (limb)x;
  return (view){own, x != 0, x < 0};
}
static int compare(const limb *a, size_t n, const limb *b, size_t m) {
  if (n != m) return n < m ? -1 : 1;
  while (n--) if (a[n] != b[n]) return a[n] < b[n] ? -1 : 1;
  return 0;
}

int big_cmp(O a, O b) {
  limb s, t;
  view x = look(a, &s), y = look(b, &t);
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  int c = compare(x.d, x.n, y.d, y.n);
  return x.negative ? -c : c;
}

/* |x| from two limbs */
static inline O from_wide(wide x, bool negative) {
  limb low = (limb)x, high = (limb)(x >> BITS);
  if (!high && low < SMALLEST + negative) return lean_box((size_t)(negative ? -low : low));
  big *r = new_big(high ? 2 : 1, negative);
  r->d[0] = low;
  if (high) r->d[1] = high;
  return &r->head;
}

O big_add(O a, O b, bool negate) {
  limb s, t;
  view x = look(a, &s), y = look(b, &t);
  y.negative ^= negate;
  if (LIKELY(x.n <= 2 && y.n <= 2)) { /* most sums of products of words */
    wide m = x.n ? x.d[0] : 0, n = y.n ? y.d[0] : 0, sum;
    if (x.n > 1) m |= (wide)x.d[1] << BITS;
    if (y.n > 1) n |= (wide)y.d[1] << BITS;
    if (x.negative != y.negative) return m >= n ? from_wide(m - n, x.negative) : from_wide(n - m, y.negative);
    if (!__builtin_add_overflow(m, n, &sum)) return from_wide(sum, x.negative);
  }
  if (x.negative == y.negative) {
    if (x.n < y.n) { view z = x; x = y; y = z; }
    big *r = new_big(x.n + 1, x.negative);
    limb carry = 0;
    for (size_t i = 0; i < x.n; i++) {
      wide sum = (wide)x.d[i] + (i < y.n ? y.d[i] : 0) + carry;
      r->d[i] = (limb)sum;
      carry = (limb)(sum >> BITS);
    }
    r->d[x.n] = carry;
    return canonical(r);
  }
  if (compare(x.d, x.n, y.d, y.n) < 0) { view z = x; x = y; y = z; }
  big *r = new_big(x.n, x.negative);
  limb borrow = 0;
  for (size_t i = 0; i < x.n; i++) {
    wide difference = (wide)x.d[i] - (i < y.n ? y.d[i] : 0) - borrow;
    r->d[i] = (limb)difference;
    borrow = (limb)(difference >> BITS) & 1;
  }
  return canonical(r);
}

/* ---- products of limbs ---- */

enum { KARATSUBA = 40 }; /* limbs of the shorter factor from which three products of halves are quicker than four */

/* r = x · y, n + m limbs; r overlaps neither.  One step of work for four products of limbs. */
static void schoolbook(limb *r, const limb *x, size_t n, const limb *y, size_t m) {
  if (n + m > 8) gnosis_work(n * m / 4);
  for (size_t i = 0; i < n + m; i++) r[i] = 0;
  for (size_t i = 0; i < n; i++) {
    limb carry = 0;
    for (size_t j = 0; j < m; j++) {
      wide p = (wide)x[i] * y[j] + r[i + j] + carry;
      r[i + j] = (limb)p;
      carry = (limb)(p >> BITS);
    }
    r[i + m] = carry;
  }
}
/* r += x, n limbs; the carry goes on into r, which has room for it */
static void add_to(limb *r, const limb *x, size_t n) {
  limb carry = 0;
  size_t i = 0;
  for (; i < n; i++) {
    wide sum = (wide)r[i] + x[i] + carry;
    r[i] = (limb)sum;
    carry = (limb)(sum >> BITS);
  }
  for (; carry; i++) carry = !++r[i];
}
static void take_from(limb *r, const limb *x, size_t n) { /* r -= x, which is not more than r */
  limb borrow = 0;
  size_t i = 0;
  for (; i < n; i++) {
    wide d = (wide)r[i] - x[i] - borrow;
    r[i] = (limb)d;
    borrow = (limb)(d >> BITS) & 1;
  }
  for (; borrow; i++) borrow = !r[i]--;
}
/* s = x[0, h) + x[h, n), h + 1 limbs; n - h is not more than h */
static void halves(limb *s, const limb *x, size_t h, size_t n) {
  for (size_t i = 0; i < h; i++) s[i] = x[i];
  s[h] = 0;
  add_to(s, x + h, n - h);
}
/* r = x · y, n ≥ m limbs.  scratch: 9m + 16·BITS limbs are enough: 2m + 6 of them here, half as many below; 2m more for pieces, twice. */
static void multiply(limb *r, const limb *x, size_t n, const limb *y, size_t m, limb *scratch) {
  if (m < KARATSUBA) { schoolbook(r, x, n, y, m); return; }
  if (n > m) { /* pieces of x as long as y; a piece and its product are added where they belong */
    for (size_t i = 0; i < n + m; i++) r[i] = 0;
    for (size_t at = 0; at < n; at += m) {
      size_t piece = n - at < m ? n - at : m;
      if (piece < m) multiply(scratch, y, m, x + at, piece, scratch + 2 * m);
      else multiply(scratch, x + at, m, y, m, scratch + 2 * m);
      add_to(r + at, scratch, m + piece);
    }
    return;
  }
  size_t h = (n + 1) / 2; /* x = x1·B^h + x0, y = y1·B^h + y0 */
  limb *sx = scratch, *sy = sx + h + 1, *middle = sy + h + 1, *below = middle + 2 * h + 2;
  multiply(r, x, h, y, h, below);
  multiply(r + 2 * h, x + h, n - h, y + h, n - h, below);
  halves(sx, x, h, n);
  halves(sy, y, h, n);
  multiply(middle, sx, h + 1, sy, h + 1, below); /* (x0 + x1)(y0 + y1) */
  take_from(middle, r, 2 * h);
  take_from(middle, r + 2 * h, 2 * (n - h));
  size_t most = 2 * h + 2; /* the middle has fewer limbs than that where r ends sooner */
  while (most && !middle[most - 1]) most--;
  add_to(r + h, middle, most);
}

O big_mul(O a, O b) {
  limb s, t;
  view x = look(a, &s), y = look(b, &t);
  if (LIKELY(x.n == 1 && y.n == 1)) return from_wide((wide)x.d[0] * y.d[0], x.negative != y.negative);
  if (x.n < y.n) { view z = x; x = y; y = z; }
  big *r = new_big(x.n + y.n, x.negative != y.negative);
  if (y.n < KARATSUBA) schoolbook(r->d, x.d, x.n, y.d, y.n);
  else {
    big *scratch = new_big(9 * y.n + 16 * BITS, false);
    multiply(r->d, x.d, x.n, y.d, y.n, scratch->d);
    lean_free_object(&scratch->head);
  }
  return canonical(r);
}

/* q and r with |x| = |y|·q + r, by schoolbook division; both may be kept */
static void divide(view x, view y, big **quotient, big **remainder) {
  if (compare(x.d, x.n, y.d, y.n) < 0) {
    big *q = new_big(0, false), *r = new_big(x.n, false);
    for (size_t i = 0; i < x.n; i++) r->d[i] = x.d[i];
    *quotient = q;
    *remainder = r;
    return;
  }
  size_t n = y.n, m = x.n - n;
  gnosis_work(n * (m + 1) / 4 + 1);
  big *q = new_big(m + 1, false), *u = new_big(x.n + 1, false);
  if (n == 1) {
    limb rest = 0;
    for (size_t i = x.n; i--;) {
      wide w = (wide)rest << BITS | x.d[i];
      q->d[i] = (limb)(w / y.d[0]);
      rest = (limb)(w % y.d[0]);
    }
    for (size_t i = 0; i <= x.n; i++) u->d[i] = 0;
    u->d[0] = rest;
  } else {
    big *v = new_big(n, false);
    unsigned shift = 0;
    for (limb top = y.d[n - 1]; !(top >> (BITS - 1)); top <<= 1) shift++;
    u->d[x.n] = shift ? x.d[x.n - 1] >> (BITS - shift) : 0;
    for (size_t i = x.n; i--;) u->d[i] = x.d[i] << shift | (shift && i ? x.d[i - 1] >> (BITS - shift) : 0);
    for (size_t i = n; i--;) v->d[i] = y.d[i] << shift | (shift && i ? y.d[i - 1] >> (BITS - shift) : 0);
    for (size_t j = m + 1; j--;) {
      wide top = (wide)u->d[j + n] << BITS | u->d[j + n - 1];
      wide guess = top / v->d[n - 1], rest = top % v->d[n - 1];
      while (guess >> BITS || guess * v->d[n - 2] > (rest << BITS | u->d[j + n - 2])) {
        guess--;
        rest += v->d[n - 1];
        if (rest >> BITS) break;
      }
      limb borrow = 0, carry = 0;
      for (size_t i = 0; i < n; i++) {
        wide p = guess * v->d[i] + carry;
        carry = (limb)(p >> BITS);
        wide d = (wide)u->d[i + j] - (limb)p - borrow;
        u->d[i + j] = (limb)d;
        borrow = (limb)(d >> BITS) & 1;
      }
      wide d = (wide)u->d[j + n] - carry - borrow;
      u->d[j + n] = (limb)d;
      if ((limb)(d >> BITS) & 1) { /* one too many */
        guess--;
        carry = 0;
        for (size_t i = 0; i < n; i++) {
          wide sum = (wide)u->d[i + j] + v->d[i] + carry;
          u->d[i + j] = (limb)sum;
          carry = (limb)(sum >> BITS);
        }
        u->d[j + n] += carry;
      }
      q->d[j] = (limb)guess;
    }
    if (shift) for (size_t i = 0; i < x.n + 1; i++) u->d[i] = u->d[i] >> shift | (i < x.n ? u->d[i + 1] << (BITS - shift) : 0);
    lean_free_object(&v->head);
  }
  *quotient = q;
  *remainder = u;
}

O big_div(O a, O b) {
  if (b == lean_box(0)) return lean_box(0);
  if (small2(a, b)) {
    intptr_t n = small(a), d = small(b), q = n / d;
    if (n % d < 0) q += d > 0 ? -1 : 1;
    if (LIKELY(b != lean_box((size_t)-1))) return lean_box((size_t)q);
    return lean_int_neg(a);
  }
  limb s, t;
  view x = look(a, &s), y = look(b, &t);
  big *q, *r;
  divide(x, y, &q, &r);
  bool minus = x.negative != y.negative;
  O rest = canonical(r);
  O value = canonical(q);
  if (x.negative && rest != lean_box(0)) {
    O next = lean_int_add(value, lean_box(1));
    lean_dec(value);
    value = next;
  }
  lean_dec(rest);
  if (!minus) return value;
  O negated = lean_int_neg(value);
  lean_dec(value);
  return negated;
}

O big_mod(O a, O b) { /* of natural numbers */
  if (b == lean_box(0)) { lean_inc(a); return a; }
  if (small2(a, b)) return lean_box((size_t)(small(a) % small(b)));
  limb s, t;
  big *q, *r;
  divide(look(a, &s), look(b, &t), &q, &r);
  lean_free_object(&q->head);
  return canonical(r);
}

O lean_nat_pow(O a, O b) {
  if (!lean_is_scalar(b)) {
    if (a == lean_box(0) || a == lean_box(1)) return a;
    gnosis_fail(GNOSIS_MEMORY);
  }
  O result = lean_box(1), square = a;
  lean_inc(a);
  for (intptr_t e = small(b); e; e >>= 1) {
    if (e & 1) {
      O next = lean_nat_mul(result, square);
      lean_dec(result);
      result = next;
    }
    if (e > 1) {
      O next = lean_nat_mul(square, square);
      lean_dec(square);
      square = next;
    }
  }
  lean_dec(square);
  return result;
}

/* ---- numbers in and out, as words of 64 bits ---- */

enum { PER = 64 / BITS };

/* |x| from `n` words, the highest not 0 */
static O from_words(const uint64_t *w, size_t n, bool negative) {
  big *r = new_big(n * PER, negative);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < PER; k++) r->d[i * PER + k] = (limb)(w[i] >> (k * (BITS % 64)));
  return canonical(r);
}
static __attribute__((noinline)) O long_integer(int64_t x) { return from_wide(x < 0 ? -(uint64_t)x : (uint64_t)x, x < 0); }
static inline O integer(int64_t x) {
  if (x == (int64_t)(intptr_t)x && x >= -(int64_t)SMALLEST && x < (int64_t)SMALLEST) return lean_box((size_t)x);
  return long_integer(x);
}
static size_t words(O x) {
  limb own;
  return (look(x, &own).n + PER - 1) / PER;
}
static uint64_t word(O x, size_t i) {
  limb own;
  view v = look(x, &own);
  uint64_t w = 0;
  for (size_t k = 0; k < PER && i * PER + k < v.n; k++) w |= (uint64_t)v.d[i * PER + k] << (k * (BITS % 64));
  return w;
}
static bool to_int64(O x, int64_t *out) {
  if (lean_is_scalar(x)) { *out = small(x); return true; }
  if (words(x) > 1) return false;
  uint64_t w = word(x, 0);
  if (w > (uint64_t)INT64_MAX + negative(x)) return false;
  *out = (int64_t)(negative(x) ? -w : w);
  return true;
}

/* ---- decimal text ---- */

enum { PART = BITS == 64 ? 18 : 9 }; /* digits that a limb holds for certain */
#define TEN_TO_PART ((limb)(BITS == 64 ? 1000000000000000000u : 1000000000u))

/* |x| from n digits; quadratic in n, which the caller bounds, and counted as work */
static O from_digits(const char *text, size_t n, bool negative) {
  big *r = new_big(n / PART + 2, negative);
  size_t used = 0;
  gnosis_work(n * n / (4 * PART * PART) + 1);
  for (size_t i = 0; i < n;) {
    limb part = 0, scale = 1;
    do part = 10 * part + (limb)(text[i++] - '0'), scale *= 10; while (i < n && i % PART);
    limb carry = part;
    for (size_t k = 0; k < used; k++) {
      wide p = (wide)r->d[k] * scale + carry;
      r->d[k] = (limb)p;
      carry = (limb)(p >> BITS);
    }
    if (carry) r->d[used++] = carry;
  }
  for (size_t k = used; k < r->n; k++) r->d[k] = 0;
  return canonical(r);
}
/* The decimal text of x, without a 0 behind it: how long it is; written when that is not more than room. */
static size_t to_digits(O x, char *out, size_t room) {
  limb own;
  view v = look(x, &own);
  size_t most = v.n * (BITS == 64 ? 20 : 10) + 2, n = 0, left = v.n;
  gnosis_work(v.n * v.n / 2 + 1);
  big *copy = new_big(v.n + 1, false), *text = new_big(most / sizeof(limb) + 2, false);
  char *end = (char *)text->d + most, *at = end;
  for (size_t i = 0; i < v.n; i++) copy->d[i] = v.d[i];
  while (left) {
    limb rest = 0;
    for (size_t i = left; i--;) {
      wide w = (wide)rest << BITS | copy->d[i];
      copy->d[i] = (limb)(w / TEN_TO_PART);
      rest = (limb)(w % TEN_TO_PART);
    }
    while (left && !copy->d[left - 1]) left--;
    for (int k = 0; k < PART && (left || rest); k++) *--at = (char)('0' + rest % 10), rest /= 10;
  }
  if (at == end) *--at = '0';
  if (v.negative) *--at = '-';
  n = (size_t)(end - at);
  if (n <= room) for (size_t i = 0; i < n; i++) out[i] = at[i];
  lean_free_object(&text->head);
  lean_free_object(&copy->head);
  return n;
}

/* ---- what Lean writes ---- */
// Lean compiler output
// Module: Gnosis.Core.Data
// Imports: public import Gnosis.Core.Logic
lean_object* l_Nat_mul___boxed(lean_object*, lean_object*);
lean_object* l_Nat_add___boxed(lean_object*, lean_object*);
lean_object* l_Nat_sub___boxed(lean_object*, lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* l_Nat_pow___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHAdd___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHAdd___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHAdd(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHAdd___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHSub___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHSub___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHSub(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHSub___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHMul___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHMul___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHMul(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHMul___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHDiv___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHDiv___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHDiv(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHDiv___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHMod___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHMod___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHMod(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHMod___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHPow___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHPow___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHPow(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHPow___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instPowNat___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instPowNat___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instPowNat(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instPowNat___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHAppendOfAppend___redArg(lean_object*);
LEAN_EXPORT lean_object* l_instHAppendOfAppend___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instHAppendOfAppend(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHAppendOfAppend___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTcNext___redArg___lam__0(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTcNext___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTcNext(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTcOne___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeTcOne___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeTcOne(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTcOne___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcNext___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcNext(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcOne___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeOtcOne___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeOtcOne(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcOne___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcTc___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeOtcTc___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeOtcTc(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeOtcTc___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHead___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHead(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHeadOne___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHeadOne___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHeadOne(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcHeadOne___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcOtc___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeHtcOtc___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeHtcOtc(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtcOtc___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTail___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTail(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTailOne___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTailOne___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTailOne(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctTailOne___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctHtc___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeHtctHtc___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeHtctHtc(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeHtctHtc___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTHtct___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTHtct(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTDep___redArg(lean_object*);
LEAN_EXPORT lean_object* l_coeTDep___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_coeTDep(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_coeTDep___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_boolToProp;
LEAN_EXPORT lean_object* l_boolToSort;
LEAN_EXPORT lean_object* l_instOfNatNat(lean_object*);
LEAN_EXPORT lean_object* l_instOfNatNat___boxed(lean_object*);
static const lean_closure_object l_instAddNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_add___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_instAddNat___closed__0 = (const lean_object*)&l_instAddNat___closed__0_value;
LEAN_EXPORT const lean_object* l_instAddNat = (const lean_object*)&l_instAddNat___closed__0_value;
static const lean_closure_object l_instSubNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_sub___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_instSubNat___closed__0 = (const lean_object*)&l_instSubNat___closed__0_value;
LEAN_EXPORT const lean_object* l_instSubNat = (const lean_object*)&l_instSubNat___closed__0_value;
static const lean_closure_object l_instMulNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_mul___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_instMulNat___closed__0 = (const lean_object*)&l_instMulNat___closed__0_value;
LEAN_EXPORT const lean_object* l_instMulNat = (const lean_object*)&l_instMulNat___closed__0_value;
static const lean_closure_object l_instNatPowNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_pow___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_instNatPowNat___closed__0 = (const lean_object*)&l_instNatPowNat___closed__0_value;
LEAN_EXPORT const lean_object* l_instNatPowNat = (const lean_object*)&l_instNatPowNat___closed__0_value;
LEAN_EXPORT lean_object* l_instLENat;
LEAN_EXPORT lean_object* l_instLTNat;
LEAN_EXPORT uint8_t l_Decidable_decide___redArg(uint8_t);
LEAN_EXPORT lean_object* l_Decidable_decide___redArg___boxed(lean_object*);
LEAN_EXPORT uint8_t l_Decidable_decide(lean_object*, uint8_t);
LEAN_EXPORT lean_object* l_Decidable_decide___boxed(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_decEq___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableEqNat(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instDecidableEqNat___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Bool_not(uint8_t);
LEAN_EXPORT lean_object* l_Bool_not___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Nat_divFuel(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_divFuel___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_modFuel(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_modFuel___boxed(lean_object*, lean_object*, lean_object*);
lean_object* lean_nat_div(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_div___boxed(lean_object*, lean_object*);
lean_object* lean_nat_mod(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_mod___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Nat_instDivNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_div___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Nat_instDivNat___closed__0 = (const lean_object*)&l_Nat_instDivNat___closed__0_value;
LEAN_EXPORT const lean_object* l_Nat_instDivNat = (const lean_object*)&l_Nat_instDivNat___closed__0_value;
static const lean_closure_object l_Nat_instModNat___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Nat_mod___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Nat_instModNat___closed__0 = (const lean_object*)&l_Nat_instModNat___closed__0_value;
LEAN_EXPORT const lean_object* l_Nat_instModNat = (const lean_object*)&l_Nat_instModNat___closed__0_value;
LEAN_EXPORT lean_object* l_Nat_instDvdNat;
LEAN_EXPORT uint8_t l_Bool_decEq(uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_Bool_decEq___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableEqBool(uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_instDecidableEqBool___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_decPropToBool___redArg(uint8_t);
LEAN_EXPORT lean_object* l_decPropToBool___redArg___boxed(lean_object*);
LEAN_EXPORT uint8_t l_decPropToBool(lean_object*, uint8_t);
LEAN_EXPORT lean_object* l_decPropToBool___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableTrue;
LEAN_EXPORT uint8_t l_instDecidableFalse;
LEAN_EXPORT uint8_t l_instDecidableForall___redArg(uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_instDecidableForall___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableForall(lean_object*, lean_object*, uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_instDecidableForall___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableIff___redArg(uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_instDecidableIff___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_instDecidableIff(lean_object*, lean_object*, uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_instDecidableIff___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_decLe___boxed(lean_object*, lean_object*);
uint8_t lean_nat_dec_lt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_decLt___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instTransEq___redArg();
LEAN_EXPORT lean_object* l_instTransEq___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instTransEq(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instTransEq__1___redArg();
LEAN_EXPORT lean_object* l_instTransEq__1___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_instTransEq__1(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_instHAdd___redArg(lean_object* v_inst_1_){
_start:
{
lean_inc(v_inst_1_);
return v_inst_1_;
}
}
LEAN_EXPORT lean_object* l_instHAdd___redArg___boxed(lean_object* v_inst_2_){
_start:
{
lean_object* v_res_3_; 
v_res_3_ = l_instHAdd___redArg(v_inst_2_);
lean_dec(v_inst_2_);
return v_res_3_;
}
}
LEAN_EXPORT lean_object* l_instHAdd(lean_object* v_00_u03b1_4_, lean_object* v_inst_5_){
_start:
{
lean_inc(v_inst_5_);
return v_inst_5_;
}
}
LEAN_EXPORT lean_object* l_instHAdd___boxed(lean_object* v_00_u03b1_6_, lean_object* v_inst_7_){
_start:
{
lean_object* v_res_8_; 
v_res_8_ = l_instHAdd(v_00_u03b1_6_, v_inst_7_);
lean_dec(v_inst_7_);
return v_res_8_;
}
}
LEAN_EXPORT lean_object* l_instHSub___redArg(lean_object* v_inst_9_){
_start:
{
lean_inc(v_inst_9_);
return v_inst_9_;
}
}
LEAN_EXPORT lean_object* l_instHSub___redArg___boxed(lean_object* v_inst_10_){
_start:
{
lean_object* v_res_11_; 
v_res_11_ = l_instHSub___redArg(v_inst_10_);
lean_dec(v_inst_10_);
return v_res_11_;
}
}
LEAN_EXPORT lean_object* l_instHSub(lean_object* v_00_u03b1_12_, lean_object* v_inst_13_){
_start:
{
lean_inc(v_inst_13_);
return v_inst_13_;
}
}
LEAN_EXPORT lean_object* l_instHSub___boxed(lean_object* v_00_u03b1_14_, lean_object* v_inst_15_){
_start:
{
lean_object* v_res_16_; 
v_res_16_ = l_instHSub(v_00_u03b1_14_, v_inst_15_);
lean_dec(v_inst_15_);
return v_res_16_;
}
}
LEAN_EXPORT lean_object* l_instHMul___redArg(lean_object* v_inst_17_){
_start:
{
lean_inc(v_inst_17_);
return v_inst_17_;
}
}
LEAN_EXPORT lean_object* l_instHMul___redArg___boxed(lean_object* v_inst_18_){
_start:
{
lean_object* v_res_19_; 
v_res_19_ = l_instHMul___redArg(v_inst_18_);
lean_dec(v_inst_18_);
return v_res_19_;
}
}
LEAN_EXPORT lean_object* l_instHMul(lean_object* v_00_u03b1_20_, lean_object* v_inst_21_){
_start:
{
lean_inc(v_inst_21_);
return v_inst_21_;
}
}
LEAN_EXPORT lean_object* l_instHMul___boxed(lean_object* v_00_u03b1_22_, lean_object* v_inst_23_){
_start:
{
lean_object* v_res_24_; 
v_res_24_ = l_instHMul(v_00_u03b1_22_, v_inst_23_);
lean_dec(v_inst_23_);
return v_res_24_;
}
}
LEAN_EXPORT lean_object* l_instHDiv___redArg(lean_object* v_inst_25_){
_start:
{
lean_inc(v_inst_25_);
return v_inst_25_;
}
}
LEAN_EXPORT lean_object* l_instHDiv___redArg___boxed(lean_object* v_inst_26_){
_start:
{
lean_object* v_res_27_; 
v_res_27_ = l_instHDiv___redArg(v_inst_26_);
lean_dec(v_inst_26_);
return v_res_27_;
}
}
LEAN_EXPORT lean_object* l_instHDiv(lean_object* v_00_u03b1_28_, lean_object* v_inst_29_){
_start:
{
lean_inc(v_inst_29_);
return v_inst_29_;
}
}
LEAN_EXPORT lean_object* l_instHDiv___boxed(lean_object* v_00_u03b1_30_, lean_object* v_inst_31_){
_start:
{
lean_object* v_res_32_; 
v_res_32_ = l_instHDiv(v_00_u03b1_30_, v_inst_31_);
lean_dec(v_inst_31_);
return v_res_32_;
}
}
LEAN_EXPORT lean_object* l_instHMod___redArg(lean_object* v_inst_33_){
_start:
{
lean_inc(v_inst_33_);
return v_inst_33_;
}
}
LEAN_EXPORT lean_object* l_instHMod___redArg___boxed(lean_object* v_inst_34_){
_start:
{
lean_object* v_res_35_; 
v_res_35_ = l_instHMod___redArg(v_inst_34_);
lean_dec(v_inst_34_);
return v_res_35_;
}
}
LEAN_EXPORT lean_object* l_instHMod(lean_object* v_00_u03b1_36_, lean_object* v_inst_37_){
_start:
{
lean_inc(v_inst_37_);
return v_inst_37_;
}
}
LEAN_EXPORT lean_object* l_instHMod___boxed(lean_object* v_00_u03b1_38_, lean_object* v_inst_39_){
_start:
{
lean_object* v_res_40_; 
v_res_40_ = l_instHMod(v_00_u03b1_38_, v_inst_39_);
lean_dec(v_inst_39_);
return v_res_40_;
}
}
LEAN_EXPORT lean_object* l_instHPow___redArg(lean_object* v_inst_41_){
_start:
{
lean_inc(v_inst_41_);
return v_inst_41_;
}
}
LEAN_EXPORT lean_object* l_instHPow___redArg___boxed(lean_object* v_inst_42_){
_start:
{
lean_object* v_res_43_; 
v_res_43_ = l_instHPow___redArg(v_inst_42_);
lean_dec(v_inst_42_);
return v_res_43_;
}
}
LEAN_EXPORT lean_object* l_instHPow(lean_object* v_00_u03b1_44_, lean_object* v_00_u03b2_45_, lean_object* v_inst_46_){
_start:
{
lean_inc(v_inst_46_);
return v_inst_46_;
}
}
LEAN_EXPORT lean_object* l_instHPow___boxed(lean_object* v_00_u03b1_47_, lean_object* v_00_u03b2_48_, lean_object* v_inst_49_){
_start:
{
lean_object* v_res_50_; 
v_res_50_ = l_instHPow(v_00_u03b1_47_, v_00_u03b2_48_, v_inst_49_);
lean_dec(v_inst_49_);
return v_res_50_;
}
}
LEAN_EXPORT lean_object* l_instPowNat___redArg(lean_object* v_inst_51_){
_start:
{
lean_inc(v_inst_51_);
return v_inst_51_;
}
}
LEAN_EXPORT lean_object* l_instPowNat___redArg___boxed(lean_object* v_inst_52_){
_start:
{
lean_object* v_res_53_; 
v_res_53_ = l_instPowNat___redArg(v_inst_52_);
lean_dec(v_inst_52_);
return v_res_53_;
}
}
LEAN_EXPORT lean_object* l_instPowNat(lean_object* v_00_u03b1_54_, lean_object* v_inst_55_){
_start:
{
lean_inc(v_inst_55_);
return v_inst_55_;
}
}
LEAN_EXPORT lean_object* l_instPowNat___boxed(lean_object* v_00_u03b1_56_, lean_object* v_inst_57_){
_start:
{
lean_object* v_res_58_; 
v_res_58_ = l_instPowNat(v_00_u03b1_56_, v_inst_57_);
lean_dec(v_inst_57_);
return v_res_58_;
}
}
LEAN_EXPORT lean_object* l_instHAppendOfAppend___redArg(lean_object* v_inst_59_){
_start:
{
lean_inc(v_inst_59_);
return v_inst_59_;
}
}
LEAN_EXPORT lean_object* l_instHAppendOfAppend___redArg___boxed(lean_object* v_inst_60_){
_start:
{
lean_object* v_res_61_; 
v_res_61_ = l_instHAppendOfAppend___redArg(v_inst_60_);
lean_dec(v_inst_60_);
return v_res_61_;
}
}
LEAN_EXPORT lean_object* l_instHAppendOfAppend(lean_object* v_00_u03b1_62_, lean_object* v_inst_63_){
_start:
{
lean_inc(v_inst_63_);
return v_inst_63_;
}
}
LEAN_EXPORT lean_object* l_instHAppendOfAppend___boxed(lean_object* v_00_u03b1_64_, lean_object* v_inst_65_){
_start:
{
lean_object* v_res_66_; 
v_res_66_ = l_instHAppendOfAppend(v_00_u03b1_64_, v_inst_65_);
lean_dec(v_inst_65_);
return v_res_66_;
}
}
LEAN_EXPORT lean_object* l_coeTcNext___redArg___lam__0(lean_object* v_inst_67_, lean_object* v_inst_68_, lean_object* v_a_69_){
_start:
{ GNOSIS_STEP;
lean_object* v___x_70_; lean_object* v___x_71_; 
v___x_70_ = lean_apply_1(v_inst_67_, v_a_69_);
v___x_71_ = lean_apply_1(v_inst_68_, v___x_70_);
return v___x_71_;
}
}
LEAN_EXPORT lean_object* l_coeTcNext___redArg(lean_object* v_inst_72_, lean_object* v_inst_73_){
_start:
{
lean_object* v___f_74_; 
v___f_74_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_74_, 0, v_inst_73_);
lean_closure_set(v___f_74_, 1, v_inst_72_);
return v___f_74_;
}
}
LEAN_EXPORT lean_object* l_coeTcNext(lean_object* v_00_u03b1_75_, lean_object* v_00_u03b2_76_, lean_object* v_00_u03b3_77_, lean_object* v_inst_78_, lean_object* v_inst_79_){
_start:
{
lean_object* v___f_80_; 
v___f_80_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_80_, 0, v_inst_79_);
lean_closure_set(v___f_80_, 1, v_inst_78_);
return v___f_80_;
}
}
LEAN_EXPORT lean_object* l_coeTcOne___redArg(lean_object* v_inst_81_){
_start:
{
lean_inc(v_inst_81_);
return v_inst_81_;
}
}
LEAN_EXPORT lean_object* l_coeTcOne___redArg___boxed(lean_object* v_inst_82_){
_start:
{
lean_object* v_res_83_; 
v_res_83_ = l_coeTcOne___redArg(v_inst_82_);
lean_dec(v_inst_82_);
return v_res_83_;
}
}
LEAN_EXPORT lean_object* l_coeTcOne(lean_object* v_00_u03b1_84_, lean_object* v_00_u03b2_85_, lean_object* v_inst_86_){
_start:
{
lean_inc(v_inst_86_);
return v_inst_86_;
}
}
LEAN_EXPORT lean_object* l_coeTcOne___boxed(lean_object* v_00_u03b1_87_, lean_object* v_00_u03b2_88_, lean_object* v_inst_89_){
_start:
{
lean_object* v_res_90_; 
v_res_90_ = l_coeTcOne(v_00_u03b1_87_, v_00_u03b2_88_, v_inst_89_);
lean_dec(v_inst_89_);
return v_res_90_;
}
}
LEAN_EXPORT lean_object* l_coeOtcNext___redArg(lean_object* v_inst_91_, lean_object* v_inst_92_){
_start:
{
lean_object* v___f_93_; 
v___f_93_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_93_, 0, v_inst_91_);
lean_closure_set(v___f_93_, 1, v_inst_92_);
return v___f_93_;
}
}
LEAN_EXPORT lean_object* l_coeOtcNext(lean_object* v_00_u03b1_94_, lean_object* v_00_u03b2_95_, lean_object* v_00_u03b3_96_, lean_object* v_inst_97_, lean_object* v_inst_98_){
_start:
{
lean_object* v___f_99_; 
v___f_99_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_99_, 0, v_inst_97_);
lean_closure_set(v___f_99_, 1, v_inst_98_);
return v___f_99_;
}
}
LEAN_EXPORT lean_object* l_coeOtcOne___redArg(lean_object* v_inst_100_){
_start:
{
lean_inc(v_inst_100_);
return v_inst_100_;
}
}
LEAN_EXPORT lean_object* l_coeOtcOne___redArg___boxed(lean_object* v_inst_101_){
_start:
{
lean_object* v_res_102_; 
v_res_102_ = l_coeOtcOne___redArg(v_inst_101_);
lean_dec(v_inst_101_);
return v_res_102_;
}
}
LEAN_EXPORT lean_object* l_coeOtcOne(lean_object* v_00_u03b1_103_, lean_object* v_00_u03b2_104_, lean_object* v_inst_105_){
_start:
{
lean_inc(v_inst_105_);
return v_inst_105_;
}
}
LEAN_EXPORT lean_object* l_coeOtcOne___boxed(lean_object* v_00_u03b1_106_, lean_object* v_00_u03b2_107_, lean_object* v_inst_108_){
_start:
{
lean_object* v_res_109_; 
v_res_109_ = l_coeOtcOne(v_00_u03b1_106_, v_00_u03b2_107_, v_inst_108_);
lean_dec(v_inst_108_);
return v_res_109_;
}
}
LEAN_EXPORT lean_object* l_coeOtcTc___redArg(lean_object* v_inst_110_){
_start:
{
lean_inc(v_inst_110_);
return v_inst_110_;
}
}
LEAN_EXPORT lean_object* l_coeOtcTc___redArg___boxed(lean_object* v_inst_111_){
_start:
{
lean_object* v_res_112_; 
v_res_112_ = l_coeOtcTc___redArg(v_inst_111_);
lean_dec(v_inst_111_);
return v_res_112_;
}
}
LEAN_EXPORT lean_object* l_coeOtcTc(lean_object* v_00_u03b1_113_, lean_object* v_00_u03b2_114_, lean_object* v_inst_115_){
_start:
{
lean_inc(v_inst_115_);
return v_inst_115_;
}
}
LEAN_EXPORT lean_object* l_coeOtcTc___boxed(lean_object* v_00_u03b1_116_, lean_object* v_00_u03b2_117_, lean_object* v_inst_118_){
_start:
{
lean_object* v_res_119_; 
v_res_119_ = l_coeOtcTc(v_00_u03b1_116_, v_00_u03b2_117_, v_inst_118_);
lean_dec(v_inst_118_);
return v_res_119_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHead___redArg(lean_object* v_inst_120_, lean_object* v_inst_121_){
_start:
{
lean_object* v___f_122_; 
v___f_122_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_122_, 0, v_inst_120_);
lean_closure_set(v___f_122_, 1, v_inst_121_);
return v___f_122_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHead(lean_object* v_00_u03b1_123_, lean_object* v_00_u03b2_124_, lean_object* v_00_u03b3_125_, lean_object* v_inst_126_, lean_object* v_inst_127_){
_start:
{
lean_object* v___f_128_; 
v___f_128_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_128_, 0, v_inst_126_);
lean_closure_set(v___f_128_, 1, v_inst_127_);
return v___f_128_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHeadOne___redArg(lean_object* v_inst_129_){
_start:
{
lean_inc(v_inst_129_);
return v_inst_129_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHeadOne___redArg___boxed(lean_object* v_inst_130_){
_start:
{
lean_object* v_res_131_; 
v_res_131_ = l_coeHtcHeadOne___redArg(v_inst_130_);
lean_dec(v_inst_130_);
return v_res_131_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHeadOne(lean_object* v_00_u03b1_132_, lean_object* v_00_u03b2_133_, lean_object* v_inst_134_){
_start:
{
lean_inc(v_inst_134_);
return v_inst_134_;
}
}
LEAN_EXPORT lean_object* l_coeHtcHeadOne___boxed(lean_object* v_00_u03b1_135_, lean_object* v_00_u03b2_136_, lean_object* v_inst_137_){
_start:
{
lean_object* v_res_138_; 
v_res_138_ = l_coeHtcHeadOne(v_00_u03b1_135_, v_00_u03b2_136_, v_inst_137_);
lean_dec(v_inst_137_);
return v_res_138_;
}
}
LEAN_EXPORT lean_object* l_coeHtcOtc___redArg(lean_object* v_inst_139_){
_start:
{
lean_inc(v_inst_139_);
return v_inst_139_;
}
}
LEAN_EXPORT lean_object* l_coeHtcOtc___redArg___boxed(lean_object* v_inst_140_){
_start:
{
lean_object* v_res_141_; 
v_res_141_ = l_coeHtcOtc___redArg(v_inst_140_);
lean_dec(v_inst_140_);
return v_res_141_;
}
}
LEAN_EXPORT lean_object* l_coeHtcOtc(lean_object* v_00_u03b1_142_, lean_object* v_00_u03b2_143_, lean_object* v_inst_144_){
_start:
{
lean_inc(v_inst_144_);
return v_inst_144_;
}
}
LEAN_EXPORT lean_object* l_coeHtcOtc___boxed(lean_object* v_00_u03b1_145_, lean_object* v_00_u03b2_146_, lean_object* v_inst_147_){
_start:
{
lean_object* v_res_148_; 
v_res_148_ = l_coeHtcOtc(v_00_u03b1_145_, v_00_u03b2_146_, v_inst_147_);
lean_dec(v_inst_147_);
return v_res_148_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTail___redArg(lean_object* v_inst_149_, lean_object* v_inst_150_){
_start:
{
lean_object* v___f_151_; 
v___f_151_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_151_, 0, v_inst_150_);
lean_closure_set(v___f_151_, 1, v_inst_149_);
return v___f_151_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTail(lean_object* v_00_u03b1_152_, lean_object* v_00_u03b2_153_, lean_object* v_00_u03b3_154_, lean_object* v_inst_155_, lean_object* v_inst_156_){
_start:
{
lean_object* v___f_157_; 
v___f_157_ = lean_alloc_closure((void*)(l_coeTcNext___redArg___lam__0), 3, 2);
lean_closure_set(v___f_157_, 0, v_inst_156_);
lean_closure_set(v___f_157_, 1, v_inst_155_);
return v___f_157_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTailOne___redArg(lean_object* v_inst_158_){
_start:
{
lean_inc(v_inst_158_);
return v_inst_158_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTailOne___redArg___boxed(lean_object* v_inst_159_){
_start:
{
lean_object* v_res_160_; 
v_res_160_ = l_coeHtctTailOne___redArg(v_inst_159_);
lean_dec(v_inst_159_);
return v_res_160_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTailOne(lean_object* v_00_u03b1_161_, lean_object* v_00_u03b2_162_, lean_object* v_inst_163_){
_start:
{
lean_inc(v_inst_163_);
return v_inst_163_;
}
}
LEAN_EXPORT lean_object* l_coeHtctTailOne___boxed(lean_object* v_00_u03b1_164_, lean_object* v_00_u03b2_165_, lean_object* v_inst_166_){
_start:
{
lean_object* v_res_167_; 
v_res_167_ = l_coeHtctTailOne(v_00_u03b1_164_, v_00_u03b2_165_, v_inst_166_);
lean_dec(v_inst_166_);
return v_res_167_;
}
}
LEAN_EXPORT lean_object* l_coeHtctHtc___redArg(lean_object* v_inst_168_){
_start:
{
lean_inc(v_inst_168_);
return v_inst_168_;
}
}
LEAN_EXPORT lean_object* l_coeHtctHtc___redArg___boxed(lean_object* v_inst_169_){
_start:
{
lean_object* v_res_170_; 
v_res_170_ = l_coeHtctHtc___redArg(v_inst_169_);
lean_dec(v_inst_169_);
return v_res_170_;
}
}
LEAN_EXPORT lean_object* l_coeHtctHtc(lean_object* v_00_u03b1_171_, lean_object* v_00_u03b2_172_, lean_object* v_inst_173_){
_start:
{
lean_inc(v_inst_173_);
return v_inst_173_;
}
}
LEAN_EXPORT lean_object* l_coeHtctHtc___boxed(lean_object* v_00_u03b1_174_, lean_object* v_00_u03b2_175_, lean_object* v_inst_176_){
_start:
{
lean_object* v_res_177_; 
v_res_177_ = l_coeHtctHtc(v_00_u03b1_174_, v_00_u03b2_175_, v_inst_176_);
lean_dec(v_inst_176_);
return v_res_177_;
}
}
LEAN_EXPORT lean_object* l_coeTHtct___redArg(lean_object* v_a_178_, lean_object* v_inst_179_){
_start:
{
lean_object* v___x_180_; 
v___x_180_ = lean_apply_1(v_inst_179_, v_a_178_);
return v___x_180_;
}
}
LEAN_EXPORT lean_object* l_coeTHtct(lean_object* v_00_u03b1_181_, lean_object* v_00_u03b2_182_, lean_object* v_a_183_, lean_object* v_inst_184_){
_start:
{
lean_object* v___x_185_; 
v___x_185_ = lean_apply_1(v_inst_184_, v_a_183_);
return v___x_185_;
}
}
LEAN_EXPORT lean_object* l_coeTDep___redArg(lean_object* v_inst_186_){
_start:
{
lean_inc(v_inst_186_);
return v_inst_186_;
}
}
LEAN_EXPORT lean_object* l_coeTDep___redArg___boxed(lean_object* v_inst_187_){
_start:
{
lean_object* v_res_188_; 
v_res_188_ = l_coeTDep___redArg(v_inst_187_);
lean_dec(v_inst_187_);
return v_res_188_;
}
}
LEAN_EXPORT lean_object* l_coeTDep(lean_object* v_00_u03b1_189_, lean_object* v_00_u03b2_190_, lean_object* v_a_191_, lean_object* v_inst_192_){
_start:
{
lean_inc(v_inst_192_);
return v_inst_192_;
}
}
LEAN_EXPORT lean_object* l_coeTDep___boxed(lean_object* v_00_u03b1_193_, lean_object* v_00_u03b2_194_, lean_object* v_a_195_, lean_object* v_inst_196_){
_start:
{
lean_object* v_res_197_; 
v_res_197_ = l_coeTDep(v_00_u03b1_193_, v_00_u03b2_194_, v_a_195_, v_inst_196_);
lean_dec(v_inst_196_);
lean_dec(v_a_195_);
return v_res_197_;
}
}
static lean_object* _init_l_boolToProp(void){
_start:
{
lean_object* v___x_198_; 
v___x_198_ = lean_box(0);
return v___x_198_;
}
}
static lean_object* _init_l_boolToSort(void){
_start:
{
lean_object* v___x_199_; 
v___x_199_ = lean_box(0);
return v___x_199_;
}
}
LEAN_EXPORT lean_object* l_instOfNatNat(lean_object* v_n_200_){
_start:
{
lean_inc(v_n_200_);
return v_n_200_;
}
}
LEAN_EXPORT lean_object* l_instOfNatNat___boxed(lean_object* v_n_201_){
_start:
{
lean_object* v_res_202_; 
v_res_202_ = l_instOfNatNat(v_n_201_);
lean_dec(v_n_201_);
return v_res_202_;
}
}
static lean_object* _init_l_instLENat(void){
_start:
{
lean_object* v___x_211_; 
v___x_211_ = lean_box(0);
return v___x_211_;
}
}
static lean_object* _init_l_instLTNat(void){
_start:
{
lean_object* v___x_212_; 
v___x_212_ = lean_box(0);
return v___x_212_;
}
}
LEAN_EXPORT uint8_t l_Decidable_decide___redArg(uint8_t v_h_213_){
_start:
{
if (v_h_213_ == 0)
{
uint8_t v___x_214_; 
v___x_214_ = 0;
return v___x_214_;
}
else
{
uint8_t v___x_215_; 
v___x_215_ = 1;
return v___x_215_;
}
}
}
LEAN_EXPORT lean_object* l_Decidable_decide___redArg___boxed(lean_object* v_h_216_){
_start:
{
uint8_t v_h_boxed_217_; uint8_t v_res_218_; lean_object* v_r_219_; 
v_h_boxed_217_ = lean_unbox(v_h_216_);
v_res_218_ = l_Decidable_decide___redArg(v_h_boxed_217_);
v_r_219_ = lean_box(v_res_218_);
return v_r_219_;
}
}
LEAN_EXPORT uint8_t l_Decidable_decide(lean_object* v_p_220_, uint8_t v_h_221_){
_start:
{
uint8_t v___x_222_; 
v___x_222_ = l_Decidable_decide___redArg(v_h_221_);
return v___x_222_;
}
}
LEAN_EXPORT lean_object* l_Decidable_decide___boxed(lean_object* v_p_223_, lean_object* v_h_224_){
_start:
{
uint8_t v_h_boxed_225_; uint8_t v_res_226_; lean_object* v_r_227_; 
v_h_boxed_225_ = lean_unbox(v_h_224_);
v_res_226_ = l_Decidable_decide(v_p_223_, v_h_boxed_225_);
v_r_227_ = lean_box(v_res_226_);
return v_r_227_;
}
}
LEAN_EXPORT lean_object* l_Nat_decEq___boxed(lean_object* v_n_230_, lean_object* v_m_231_){
_start:
{
uint8_t v_res_232_; lean_object* v_r_233_; 
v_res_232_ = lean_nat_dec_eq(v_n_230_, v_m_231_);
lean_dec(v_m_231_);
lean_dec(v_n_230_);
v_r_233_ = lean_box(v_res_232_);
return v_r_233_;
}
}
LEAN_EXPORT uint8_t l_instDecidableEqNat(lean_object* v_n_234_, lean_object* v_m_235_){
_start:
{
uint8_t v___x_236_; 
v___x_236_ = lean_nat_dec_eq(v_n_234_, v_m_235_);
return v___x_236_;
}
}
LEAN_EXPORT lean_object* l_instDecidableEqNat___boxed(lean_object* v_n_237_, lean_object* v_m_238_){
_start:
{
uint8_t v_res_239_; lean_object* v_r_240_; 
v_res_239_ = l_instDecidableEqNat(v_n_237_, v_m_238_);
lean_dec(v_m_238_);
lean_dec(v_n_237_);
v_r_240_ = lean_box(v_res_239_);
return v_r_240_;
}
}
LEAN_EXPORT uint8_t l_Bool_not(uint8_t v_a_241_){
_start:
{
if (v_a_241_ == 0)
{
uint8_t v___x_242_; 
v___x_242_ = 1;
return v___x_242_;
}
else
{
uint8_t v___x_243_; 
v___x_243_ = 0;
return v___x_243_;
}
}
}
LEAN_EXPORT lean_object* l_Bool_not___boxed(lean_object* v_a_244_){
_start:
{
uint8_t v_a_boxed_245_; uint8_t v_res_246_; lean_object* v_r_247_; 
v_a_boxed_245_ = lean_unbox(v_a_244_);
v_res_246_ = l_Bool_not(v_a_boxed_245_);
v_r_247_ = lean_box(v_res_246_);
return v_r_247_;
}
}
LEAN_EXPORT lean_object* l_Nat_divFuel(lean_object* v_m_248_, lean_object* v_x_249_, lean_object* v_x_250_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_251_; uint8_t v_isZero_252_; 
v_zero_251_ = lean_unsigned_to_nat(0u);
v_isZero_252_ = lean_nat_dec_eq(v_x_249_, v_zero_251_);
if (v_isZero_252_ == 1)
{
lean_inc(v_x_249_);
return v_x_249_;
}
else
{
uint8_t v___x_253_; 
v___x_253_ = lean_nat_dec_le(v_m_248_, v_x_250_);
if (v___x_253_ == 0)
{
return v_zero_251_;
}
else
{
lean_object* v_one_254_; lean_object* v_n_255_; lean_object* v___x_256_; lean_object* v___x_257_; lean_object* v___x_258_; 
v_one_254_ = lean_unsigned_to_nat(1u);
v_n_255_ = lean_nat_sub(v_x_249_, v_one_254_);
v___x_256_ = lean_nat_sub(v_x_250_, v_m_248_);
v___x_257_ = l_Nat_divFuel(v_m_248_, v_n_255_, v___x_256_);
lean_dec(v___x_256_);
lean_dec(v_n_255_);
v___x_258_ = lean_nat_add(v___x_257_, v_one_254_);
lean_dec(v___x_257_);
return v___x_258_;
}
}
}
}
LEAN_EXPORT lean_object* l_Nat_divFuel___boxed(lean_object* v_m_259_, lean_object* v_x_260_, lean_object* v_x_261_){
_start:
{
lean_object* v_res_262_; 
v_res_262_ = l_Nat_divFuel(v_m_259_, v_x_260_, v_x_261_);
lean_dec(v_x_261_);
lean_dec(v_x_260_);
lean_dec(v_m_259_);
return v_res_262_;
}
}
LEAN_EXPORT lean_object* l_Nat_modFuel(lean_object* v_m_263_, lean_object* v_x_264_, lean_object* v_x_265_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_266_; uint8_t v_isZero_267_; 
v_zero_266_ = lean_unsigned_to_nat(0u);
v_isZero_267_ = lean_nat_dec_eq(v_x_264_, v_zero_266_);
if (v_isZero_267_ == 1)
{
lean_dec(v_x_264_);
return v_x_265_;
}
else
{
uint8_t v___x_268_; 
v___x_268_ = lean_nat_dec_le(v_m_263_, v_x_265_);
if (v___x_268_ == 0)
{
lean_dec(v_x_264_);
return v_x_265_;
}
else
{
lean_object* v_one_269_; lean_object* v_n_270_; lean_object* v___x_271_; 
v_one_269_ = lean_unsigned_to_nat(1u);
v_n_270_ = lean_nat_sub(v_x_264_, v_one_269_);
lean_dec(v_x_264_);
v___x_271_ = lean_nat_sub(v_x_265_, v_m_263_);
lean_dec(v_x_265_);
v_x_264_ = v_n_270_;
v_x_265_ = v___x_271_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Nat_modFuel___boxed(lean_object* v_m_273_, lean_object* v_x_274_, lean_object* v_x_275_){
_start:
{
lean_object* v_res_276_; 
v_res_276_ = l_Nat_modFuel(v_m_273_, v_x_274_, v_x_275_);
lean_dec(v_m_273_);
return v_res_276_;
}
}
LEAN_EXPORT lean_object* l_Nat_div___boxed(lean_object* v_n_279_, lean_object* v_m_280_){
_start:
{
lean_object* v_res_281_; 
v_res_281_ = lean_nat_div(v_n_279_, v_m_280_);
lean_dec(v_m_280_);
lean_dec(v_n_279_);
return v_res_281_;
}
}
LEAN_EXPORT lean_object* l_Nat_mod___boxed(lean_object* v_n_284_, lean_object* v_m_285_){
_start:
{
lean_object* v_res_286_; 
v_res_286_ = lean_nat_mod(v_n_284_, v_m_285_);
lean_dec(v_m_285_);
lean_dec(v_n_284_);
return v_res_286_;
}
}
static lean_object* _init_l_Nat_instDvdNat(void){
_start:
{
lean_object* v___x_291_; 
v___x_291_ = lean_box(0);
return v___x_291_;
}
}
LEAN_EXPORT uint8_t l_Bool_decEq(uint8_t v_a_292_, uint8_t v_b_293_){
_start:
{
if (v_a_292_ == 0)
{
if (v_b_293_ == 0)
{
uint8_t v___x_294_; 
v___x_294_ = 1;
return v___x_294_;
}
else
{
uint8_t v___x_295_; 
v___x_295_ = 0;
return v___x_295_;
}
}
else
{
if (v_b_293_ == 0)
{
uint8_t v___x_296_; 
v___x_296_ = 0;
return v___x_296_;
}
else
{
uint8_t v___x_297_; 
v___x_297_ = 1;
return v___x_297_;
}
}
}
}
LEAN_EXPORT lean_object* l_Bool_decEq___boxed(lean_object* v_a_298_, lean_object* v_b_299_){
_start:
{
uint8_t v_a_boxed_300_; uint8_t v_b_boxed_301_; uint8_t v_res_302_; lean_object* v_r_303_; 
v_a_boxed_300_ = lean_unbox(v_a_298_);
v_b_boxed_301_ = lean_unbox(v_b_299_);
v_res_302_ = l_Bool_decEq(v_a_boxed_300_, v_b_boxed_301_);
v_r_303_ = lean_box(v_res_302_);
return v_r_303_;
}
}
LEAN_EXPORT uint8_t l_instDecidableEqBool(uint8_t v_a_304_, uint8_t v_b_305_){
_start:
{
uint8_t v___x_306_; 
v___x_306_ = l_Bool_decEq(v_a_304_, v_b_305_);
return v___x_306_;
}
}
LEAN_EXPORT lean_object* l_instDecidableEqBool___boxed(lean_object* v_a_307_, lean_object* v_b_308_){
_start:
{
uint8_t v_a_boxed_309_; uint8_t v_b_boxed_310_; uint8_t v_res_311_; lean_object* v_r_312_; 
v_a_boxed_309_ = lean_unbox(v_a_307_);
v_b_boxed_310_ = lean_unbox(v_b_308_);
v_res_311_ = l_instDecidableEqBool(v_a_boxed_309_, v_b_boxed_310_);
v_r_312_ = lean_box(v_res_311_);
return v_r_312_;
}
}
LEAN_EXPORT uint8_t l_decPropToBool___redArg(uint8_t v_inst_313_){
_start:
{
uint8_t v___x_314_; 
v___x_314_ = l_Decidable_decide___redArg(v_inst_313_);
return v___x_314_;
}
}
LEAN_EXPORT lean_object* l_decPropToBool___redArg___boxed(lean_object* v_inst_315_){
_start:
{
uint8_t v_inst_9__boxed_316_; uint8_t v_res_317_; lean_object* v_r_318_; 
v_inst_9__boxed_316_ = lean_unbox(v_inst_315_);
v_res_317_ = l_decPropToBool___redArg(v_inst_9__boxed_316_);
v_r_318_ = lean_box(v_res_317_);
return v_r_318_;
}
}
LEAN_EXPORT uint8_t l_decPropToBool(lean_object* v_p_319_, uint8_t v_inst_320_){
_start:
{
uint8_t v___x_321_; 
v___x_321_ = l_Decidable_decide___redArg(v_inst_320_);
return v___x_321_;
}
}
LEAN_EXPORT lean_object* l_decPropToBool___boxed(lean_object* v_p_322_, lean_object* v_inst_323_){
_start:
{
uint8_t v_inst_14__boxed_324_; uint8_t v_res_325_; lean_object* v_r_326_; 
v_inst_14__boxed_324_ = lean_unbox(v_inst_323_);
v_res_325_ = l_decPropToBool(v_p_322_, v_inst_14__boxed_324_);
v_r_326_ = lean_box(v_res_325_);
return v_r_326_;
}
}
static uint8_t _init_l_instDecidableTrue(void){
_start:
{
uint8_t v___x_327_; 
v___x_327_ = 1;
return v___x_327_;
}
}
static uint8_t _init_l_instDecidableFalse(void){
_start:
{
uint8_t v___x_328_; 
v___x_328_ = 0;
return v___x_328_;
}
}
LEAN_EXPORT uint8_t l_instDecidableForall___redArg(uint8_t v_h_329_, uint8_t v_k_330_){
_start:
{
if (v_h_329_ == 0)
{
uint8_t v___x_331_; 
v___x_331_ = 1;
return v___x_331_;
}
else
{
if (v_k_330_ == 0)
{
uint8_t v___x_332_; 
v___x_332_ = 0;
return v___x_332_;
}
else
{
uint8_t v___x_333_; 
v___x_333_ = 1;
return v___x_333_;
}
}
}
}
LEAN_EXPORT lean_object* l_instDecidableForall___redArg___boxed(lean_object* v_h_334_, lean_object* v_k_335_){
_start:
{
uint8_t v_h_boxed_336_; uint8_t v_k_boxed_337_; uint8_t v_res_338_; lean_object* v_r_339_; 
v_h_boxed_336_ = lean_unbox(v_h_334_);
v_k_boxed_337_ = lean_unbox(v_k_335_);
v_res_338_ = l_instDecidableForall___redArg(v_h_boxed_336_, v_k_boxed_337_);
v_r_339_ = lean_box(v_res_338_);
return v_r_339_;
}
}
LEAN_EXPORT uint8_t l_instDecidableForall(lean_object* v_p_340_, lean_object* v_q_341_, uint8_t v_h_342_, uint8_t v_k_343_){
_start:
{
uint8_t v___x_344_; 
v___x_344_ = l_instDecidableForall___redArg(v_h_342_, v_k_343_);
return v___x_344_;
}
}
LEAN_EXPORT lean_object* l_instDecidableForall___boxed(lean_object* v_p_345_, lean_object* v_q_346_, lean_object* v_h_347_, lean_object* v_k_348_){
_start:
{
uint8_t v_h_boxed_349_; uint8_t v_k_boxed_350_; uint8_t v_res_351_; lean_object* v_r_352_; 
v_h_boxed_349_ = lean_unbox(v_h_347_);
v_k_boxed_350_ = lean_unbox(v_k_348_);
v_res_351_ = l_instDecidableForall(v_p_345_, v_q_346_, v_h_boxed_349_, v_k_boxed_350_);
v_r_352_ = lean_box(v_res_351_);
return v_r_352_;
}
}
LEAN_EXPORT uint8_t l_instDecidableIff___redArg(uint8_t v_h_353_, uint8_t v_k_354_){
_start:
{
if (v_h_353_ == 0)
{
if (v_k_354_ == 0)
{
uint8_t v___x_355_; 
v___x_355_ = 1;
return v___x_355_;
}
else
{
uint8_t v___x_356_; 
v___x_356_ = 0;
return v___x_356_;
}
}
else
{
if (v_k_354_ == 0)
{
uint8_t v___x_357_; 
v___x_357_ = 0;
return v___x_357_;
}
else
{
uint8_t v___x_358_; 
v___x_358_ = 1;
return v___x_358_;
}
}
}
}
LEAN_EXPORT lean_object* l_instDecidableIff___redArg___boxed(lean_object* v_h_359_, lean_object* v_k_360_){
_start:
{
uint8_t v_h_boxed_361_; uint8_t v_k_boxed_362_; uint8_t v_res_363_; lean_object* v_r_364_; 
v_h_boxed_361_ = lean_unbox(v_h_359_);
v_k_boxed_362_ = lean_unbox(v_k_360_);
v_res_363_ = l_instDecidableIff___redArg(v_h_boxed_361_, v_k_boxed_362_);
v_r_364_ = lean_box(v_res_363_);
return v_r_364_;
}
}
LEAN_EXPORT uint8_t l_instDecidableIff(lean_object* v_p_365_, lean_object* v_q_366_, uint8_t v_h_367_, uint8_t v_k_368_){
_start:
{
uint8_t v___x_369_; 
v___x_369_ = l_instDecidableIff___redArg(v_h_367_, v_k_368_);
return v___x_369_;
}
}
LEAN_EXPORT lean_object* l_instDecidableIff___boxed(lean_object* v_p_370_, lean_object* v_q_371_, lean_object* v_h_372_, lean_object* v_k_373_){
_start:
{
uint8_t v_h_boxed_374_; uint8_t v_k_boxed_375_; uint8_t v_res_376_; lean_object* v_r_377_; 
v_h_boxed_374_ = lean_unbox(v_h_372_);
v_k_boxed_375_ = lean_unbox(v_k_373_);
v_res_376_ = l_instDecidableIff(v_p_370_, v_q_371_, v_h_boxed_374_, v_k_boxed_375_);
v_r_377_ = lean_box(v_res_376_);
return v_r_377_;
}
}
LEAN_EXPORT uint8_t l_Nat_decLe(lean_object* v_n_378_, lean_object* v_m_379_){
_start:
{
uint8_t v___x_380_; 
v___x_380_ = lean_nat_dec_le(v_n_378_, v_m_379_);
if (v___x_380_ == 0)
{
uint8_t v___x_381_; 
v___x_381_ = 0;
return v___x_381_;
}
else
{
uint8_t v___x_382_; 
v___x_382_ = 1;
return v___x_382_;
}
}
}
LEAN_EXPORT lean_object* l_Nat_decLe___boxed(lean_object* v_n_383_, lean_object* v_m_384_){
_start:
{
uint8_t v_res_385_; lean_object* v_r_386_; 
v_res_385_ = lean_nat_dec_le(v_n_383_, v_m_384_);
lean_dec(v_m_384_);
lean_dec(v_n_383_);
v_r_386_ = lean_box(v_res_385_);
return v_r_386_;
}
}
LEAN_EXPORT uint8_t l_Nat_decLt(lean_object* v_n_387_, lean_object* v_m_388_){
_start:
{
lean_object* v___x_389_; lean_object* v___x_390_; uint8_t v___x_391_; 
v___x_389_ = lean_unsigned_to_nat(1u);
v___x_390_ = lean_nat_add(v_n_387_, v___x_389_);
v___x_391_ = lean_nat_dec_le(v___x_390_, v_m_388_);
lean_dec(v___x_390_);
return v___x_391_;
}
}
LEAN_EXPORT lean_object* l_Nat_decLt___boxed(lean_object* v_n_392_, lean_object* v_m_393_){
_start:
{
uint8_t v_res_394_; lean_object* v_r_395_; 
v_res_394_ = lean_nat_dec_lt(v_n_392_, v_m_393_);
lean_dec(v_m_393_);
lean_dec(v_n_392_);
v_r_395_ = lean_box(v_res_394_);
return v_r_395_;
}
}
LEAN_EXPORT lean_object* l_instTransEq___redArg(){
_start:
{
lean_object* v___x_397_; 
v___x_397_ = lean_box(0);
return v___x_397_;
}
}
LEAN_EXPORT lean_object* l_instTransEq___redArg___boxed(lean_object* v___dummy_398_){
_start:
{
lean_object* v_res_399_; 
v_res_399_ = l_instTransEq___redArg();
return v_res_399_;
}
}
LEAN_EXPORT lean_object* l_instTransEq(lean_object* v_00_u03b1_400_, lean_object* v_00_u03b3_401_, lean_object* v_r_402_){
_start:
{
lean_object* v___x_403_; 
v___x_403_ = lean_box(0);
return v___x_403_;
}
}
LEAN_EXPORT lean_object* l_instTransEq__1___redArg(){
_start:
{
lean_object* v___x_405_; 
v___x_405_ = lean_box(0);
return v___x_405_;
}
}
LEAN_EXPORT lean_object* l_instTransEq__1___redArg___boxed(lean_object* v___dummy_406_){
_start:
{
lean_object* v_res_407_; 
v_res_407_ = l_instTransEq__1___redArg();
return v_res_407_;
}
}
LEAN_EXPORT lean_object* l_instTransEq__1(lean_object* v_00_u03b1_408_, lean_object* v_00_u03b2_409_, lean_object* v_r_410_){
_start:
{
lean_object* v___x_411_; 
v___x_411_ = lean_box(0);
return v___x_411_;
}
}
lean_object* initialize_Gnosis_Core_Logic(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Core.IntData
// Imports: public import Gnosis.Core.Notation
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* lean_nat_to_int(lean_object*);
LEAN_EXPORT lean_object* l_Int_ofNat___boxed(lean_object*);
lean_object* lean_int_neg_succ_of_nat(lean_object*);
LEAN_EXPORT lean_object* l_Int_negSucc___boxed(lean_object*);
lean_object* lean_nat_abs(lean_object*);
LEAN_EXPORT lean_object* l_Int_natAbs___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Int_instOfNat(lean_object*);
static const lean_closure_object l_Int_instCoeNat_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_ofNat___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
LEAN_EXPORT const lean_object* l_Int_instCoeNat = (const lean_object*)&l_Int_instCoeNat_value;
static lean_once_cell_t l_Int_instInhabited___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Int_instInhabited___closed__0;
LEAN_EXPORT lean_object* l_Int_instInhabited;
LEAN_EXPORT lean_object* l_Int_subNatNat(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_subNatNat___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_negOfNat(lean_object*);
LEAN_EXPORT lean_object* l_Int_negOfNat___boxed(lean_object*);
lean_object* lean_int_neg(lean_object*);
LEAN_EXPORT lean_object* l_Int_neg___boxed(lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_add___boxed(lean_object*, lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_mul___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Int_instNegInt___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_neg___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instNegInt___closed__0 = (const lean_object*)&l_Int_instNegInt___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instNegInt = (const lean_object*)&l_Int_instNegInt___closed__0_value;
static const lean_closure_object l_Int_instAdd___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_add___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instAdd___closed__0 = (const lean_object*)&l_Int_instAdd___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instAdd = (const lean_object*)&l_Int_instAdd___closed__0_value;
static const lean_closure_object l_Int_instMul___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_mul___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instMul___closed__0 = (const lean_object*)&l_Int_instMul___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instMul = (const lean_object*)&l_Int_instMul___closed__0_value;
lean_object* lean_int_sub(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_sub___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Int_instSub___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_sub___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instSub___closed__0 = (const lean_object*)&l_Int_instSub___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instSub = (const lean_object*)&l_Int_instSub___closed__0_value;
static lean_once_cell_t l_Int_pow___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Int_pow___closed__0;
LEAN_EXPORT lean_object* l_Int_pow(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_pow___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Int_instNatPow___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_pow___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instNatPow___closed__0 = (const lean_object*)&l_Int_instNatPow___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instNatPow = (const lean_object*)&l_Int_instNatPow___closed__0_value;
lean_object* lean_int_ediv(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_ediv___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Int_instDiv___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_ediv___boxed, .m_arity = 2, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Int_instDiv___closed__0 = (const lean_object*)&l_Int_instDiv___closed__0_value;
LEAN_EXPORT const lean_object* l_Int_instDiv = (const lean_object*)&l_Int_instDiv___closed__0_value;
LEAN_EXPORT lean_object* l_Int_instLEInt;
LEAN_EXPORT lean_object* l_Int_instLTInt;
uint8_t lean_int_dec_eq(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_decEq___boxed(lean_object*, lean_object*);
uint8_t lean_int_dec_nonneg(lean_object*);
LEAN_EXPORT lean_object* l_Int_decNonNeg___boxed(lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_decLe___boxed(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Int_decLt___boxed(lean_object*, lean_object*);
static lean_once_cell_t l_Int_isEven___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Int_isEven___closed__0;
LEAN_EXPORT uint8_t l_Int_isEven(lean_object*);
LEAN_EXPORT lean_object* l_Int_isEven___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Int_ofNat___boxed(lean_object* v_n_2_){
_start:
{
lean_object* v_res_3_; 
v_res_3_ = lean_nat_to_int(v_n_2_);
return v_res_3_;
}
}
LEAN_EXPORT lean_object* l_Int_negSucc___boxed(lean_object* v_n_5_){
_start:
{
lean_object* v_res_6_; 
v_res_6_ = lean_int_neg_succ_of_nat(v_n_5_);
return v_res_6_;
}
}
LEAN_EXPORT lean_object* l_Int_natAbs___boxed(lean_object* v_a_00___x40___internal___hyg_8_){
_start:
{
lean_object* v_res_9_; 
v_res_9_ = lean_nat_abs(v_a_00___x40___internal___hyg_8_);
lean_dec(v_a_00___x40___internal___hyg_8_);
return v_res_9_;
}
}
LEAN_EXPORT lean_object* l_Int_instOfNat(lean_object* v_n_10_){
_start:
{
lean_object* v___x_11_; 
v___x_11_ = lean_nat_to_int(v_n_10_);
return v___x_11_;
}
}
static lean_object* _init_l_Int_instInhabited___closed__0(void){
_start:
{
lean_object* v___x_13_; lean_object* v___x_14_; 
v___x_13_ = lean_unsigned_to_nat(0u);
v___x_14_ = lean_nat_to_int(v___x_13_);
return v___x_14_;
}
}
static lean_object* _init_l_Int_instInhabited(void){
_start:
{
lean_object* v___x_15_; 
v___x_15_ = lean_obj_once(&l_Int_instInhabited___closed__0, &l_Int_instInhabited___closed__0_once, _init_l_Int_instInhabited___closed__0);
return v___x_15_;
}
}
LEAN_EXPORT lean_object* l_Int_subNatNat(lean_object* v_m_16_, lean_object* v_n_17_){
_start:
{
lean_object* v___x_18_; lean_object* v_zero_19_; uint8_t v_isZero_20_; 
v___x_18_ = lean_nat_sub(v_n_17_, v_m_16_);
v_zero_19_ = lean_unsigned_to_nat(0u);
v_isZero_20_ = lean_nat_dec_eq(v___x_18_, v_zero_19_);
if (v_isZero_20_ == 1)
{
lean_object* v___x_21_; lean_object* v___x_22_; 
lean_dec(v___x_18_);
v___x_21_ = lean_nat_sub(v_m_16_, v_n_17_);
v___x_22_ = lean_nat_to_int(v___x_21_);
return v___x_22_;
}
else
{
lean_object* v_one_23_; lean_object* v_n_24_; lean_object* v___x_25_; 
v_one_23_ = lean_unsigned_to_nat(1u);
v_n_24_ = lean_nat_sub(v___x_18_, v_one_23_);
lean_dec(v___x_18_);
v___x_25_ = lean_int_neg_succ_of_nat(v_n_24_);
return v___x_25_;
}
}
}
LEAN_EXPORT lean_object* l_Int_subNatNat___boxed(lean_object* v_m_26_, lean_object* v_n_27_){
_start:
{
lean_object* v_res_28_; 
v_res_28_ = l_Int_subNatNat(v_m_26_, v_n_27_);
lean_dec(v_n_27_);
lean_dec(v_m_26_);
return v_res_28_;
}
}
LEAN_EXPORT lean_object* l_Int_negOfNat(lean_object* v_x_29_){
_start:
{
lean_object* v_zero_30_; uint8_t v_isZero_31_; 
v_zero_30_ = lean_unsigned_to_nat(0u);
v_isZero_31_ = lean_nat_dec_eq(v_x_29_, v_zero_30_);
if (v_isZero_31_ == 1)
{
lean_object* v___x_32_; 
v___x_32_ = lean_obj_once(&l_Int_instInhabited___closed__0, &l_Int_instInhabited___closed__0_once, _init_l_Int_instInhabited___closed__0);
return v___x_32_;
}
else
{
lean_object* v_one_33_; lean_object* v_n_34_; lean_object* v___x_35_; 
v_one_33_ = lean_unsigned_to_nat(1u);
v_n_34_ = lean_nat_sub(v_x_29_, v_one_33_);
v___x_35_ = lean_int_neg_succ_of_nat(v_n_34_);
return v___x_35_;
}
}
}
LEAN_EXPORT lean_object* l_Int_negOfNat___boxed(lean_object* v_x_36_){
_start:
{
lean_object* v_res_37_; 
v_res_37_ = l_Int_negOfNat(v_x_36_);
lean_dec(v_x_36_);
return v_res_37_;
}
}
LEAN_EXPORT lean_object* l_Int_neg___boxed(lean_object* v_a_00___x40___internal___hyg_39_){
_start:
{
lean_object* v_res_40_; 
v_res_40_ = lean_int_neg(v_a_00___x40___internal___hyg_39_);
lean_dec(v_a_00___x40___internal___hyg_39_);
return v_res_40_;
}
}
LEAN_EXPORT lean_object* l_Int_add___boxed(lean_object* v_a_00___x40___internal___hyg_43_, lean_object* v_a_00___x40___internal___hyg_44_){
_start:
{
lean_object* v_res_45_; 
v_res_45_ = lean_int_add(v_a_00___x40___internal___hyg_43_, v_a_00___x40___internal___hyg_44_);
lean_dec(v_a_00___x40___internal___hyg_44_);
lean_dec(v_a_00___x40___internal___hyg_43_);
return v_res_45_;
}
}
LEAN_EXPORT lean_object* l_Int_mul___boxed(lean_object* v_a_00___x40___internal___hyg_48_, lean_object* v_a_00___x40___internal___hyg_49_){
_start:
{
lean_object* v_res_50_; 
v_res_50_ = lean_int_mul(v_a_00___x40___internal___hyg_48_, v_a_00___x40___internal___hyg_49_);
lean_dec(v_a_00___x40___internal___hyg_49_);
lean_dec(v_a_00___x40___internal___hyg_48_);
return v_res_50_;
}
}
LEAN_EXPORT lean_object* l_Int_sub___boxed(lean_object* v_a_59_, lean_object* v_b_60_){
_start:
{
lean_object* v_res_61_; 
v_res_61_ = lean_int_sub(v_a_59_, v_b_60_);
lean_dec(v_b_60_);
lean_dec(v_a_59_);
return v_res_61_;
}
}
static lean_object* _init_l_Int_pow___closed__0(void){
_start:
{
lean_object* v___x_64_; lean_object* v___x_65_; 
v___x_64_ = lean_unsigned_to_nat(1u);
v___x_65_ = lean_nat_to_int(v___x_64_);
return v___x_65_;
}
}
LEAN_EXPORT lean_object* l_Int_pow(lean_object* v_a_66_, lean_object* v_x_67_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_68_; uint8_t v_isZero_69_; 
v_zero_68_ = lean_unsigned_to_nat(0u);
v_isZero_69_ = lean_nat_dec_eq(v_x_67_, v_zero_68_);
if (v_isZero_69_ == 1)
{
lean_object* v___x_70_; 
v___x_70_ = lean_obj_once(&l_Int_pow___closed__0, &l_Int_pow___closed__0_once, _init_l_Int_pow___closed__0);
return v___x_70_;
}
else
{
lean_object* v_one_71_; lean_object* v_n_72_; lean_object* v___x_73_; lean_object* v___x_74_; 
v_one_71_ = lean_unsigned_to_nat(1u);
v_n_72_ = lean_nat_sub(v_x_67_, v_one_71_);
v___x_73_ = l_Int_pow(v_a_66_, v_n_72_);
lean_dec(v_n_72_);
v___x_74_ = lean_int_mul(v___x_73_, v_a_66_);
lean_dec(v___x_73_);
return v___x_74_;
}
}
}
LEAN_EXPORT lean_object* l_Int_pow___boxed(lean_object* v_a_75_, lean_object* v_x_76_){
_start:
{
lean_object* v_res_77_; 
v_res_77_ = l_Int_pow(v_a_75_, v_x_76_);
lean_dec(v_x_76_);
lean_dec(v_a_75_);
return v_res_77_;
}
}
LEAN_EXPORT lean_object* l_Int_ediv___boxed(lean_object* v_a_00___x40___internal___hyg_82_, lean_object* v_a_00___x40___internal___hyg_83_){
_start:
{
lean_object* v_res_84_; 
v_res_84_ = lean_int_ediv(v_a_00___x40___internal___hyg_82_, v_a_00___x40___internal___hyg_83_);
lean_dec(v_a_00___x40___internal___hyg_83_);
lean_dec(v_a_00___x40___internal___hyg_82_);
return v_res_84_;
}
}
static lean_object* _init_l_Int_instLEInt(void){
_start:
{
lean_object* v___x_87_; 
v___x_87_ = lean_box(0);
return v___x_87_;
}
}
static lean_object* _init_l_Int_instLTInt(void){
_start:
{
lean_object* v___x_88_; 
v___x_88_ = lean_box(0);
return v___x_88_;
}
}
LEAN_EXPORT lean_object* l_Int_decEq___boxed(lean_object* v_a_91_, lean_object* v_b_92_){
_start:
{
uint8_t v_res_93_; lean_object* v_r_94_; 
v_res_93_ = lean_int_dec_eq(v_a_91_, v_b_92_);
lean_dec(v_b_92_);
lean_dec(v_a_91_);
v_r_94_ = lean_box(v_res_93_);
return v_r_94_;
}
}
LEAN_EXPORT lean_object* l_Int_decNonNeg___boxed(lean_object* v_a_96_){
_start:
{
uint8_t v_res_97_; lean_object* v_r_98_; 
v_res_97_ = lean_int_dec_nonneg(v_a_96_);
lean_dec(v_a_96_);
v_r_98_ = lean_box(v_res_97_);
return v_r_98_;
}
}
LEAN_EXPORT lean_object* l_Int_decLe___boxed(lean_object* v_a_101_, lean_object* v_b_102_){
_start:
{
uint8_t v_res_103_; lean_object* v_r_104_; 
v_res_103_ = lean_int_dec_le(v_a_101_, v_b_102_);
lean_dec(v_b_102_);
lean_dec(v_a_101_);
v_r_104_ = lean_box(v_res_103_);
return v_r_104_;
}
}
LEAN_EXPORT lean_object* l_Int_decLt___boxed(lean_object* v_a_107_, lean_object* v_b_108_){
_start:
{
uint8_t v_res_109_; lean_object* v_r_110_; 
v_res_109_ = lean_int_dec_lt(v_a_107_, v_b_108_);
lean_dec(v_b_108_);
lean_dec(v_a_107_);
v_r_110_ = lean_box(v_res_109_);
return v_r_110_;
}
}
static lean_object* _init_l_Int_isEven___closed__0(void){
_start:
{
lean_object* v___x_111_; lean_object* v___x_112_; 
v___x_111_ = lean_unsigned_to_nat(2u);
v___x_112_ = lean_nat_to_int(v___x_111_);
return v___x_112_;
}
}
LEAN_EXPORT uint8_t l_Int_isEven(lean_object* v_z_113_){
_start:
{
lean_object* v___x_114_; lean_object* v___x_115_; lean_object* v___x_116_; uint8_t v___x_117_; uint8_t v___x_118_; 
v___x_114_ = lean_obj_once(&l_Int_isEven___closed__0, &l_Int_isEven___closed__0_once, _init_l_Int_isEven___closed__0);
v___x_115_ = lean_int_ediv(v_z_113_, v___x_114_);
v___x_116_ = lean_int_mul(v___x_114_, v___x_115_);
lean_dec(v___x_115_);
v___x_117_ = lean_int_dec_eq(v___x_116_, v_z_113_);
lean_dec(v___x_116_);
v___x_118_ = l_Decidable_decide___redArg(v___x_117_);
return v___x_118_;
}
}
LEAN_EXPORT lean_object* l_Int_isEven___boxed(lean_object* v_z_119_){
_start:
{
uint8_t v_res_120_; lean_object* v_r_121_; 
v_res_120_ = l_Int_isEven(v_z_119_);
lean_dec(v_z_119_);
v_r_121_ = lean_box(v_res_120_);
return v_r_121_;
}
}
lean_object* initialize_Gnosis_Core_Notation(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Core.ListData
// Imports: public import Gnosis.Core.Notation
lean_object* lean_nat_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_length___redArg(lean_object*);
LEAN_EXPORT lean_object* l_List_length___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_List_length(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_length___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_append___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_append___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_append(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_append___boxed(lean_object*, lean_object*, lean_object*);
static const lean_closure_object l_List_instAppend___redArg___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*1, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_List_append___boxed, .m_arity = 3, .m_num_fixed = 1, .m_objs = {((lean_object*)(((size_t)(0) << 1) | 1))} };
static const lean_object* l_List_instAppend___redArg___closed__0 = (const lean_object*)&l_List_instAppend___redArg___closed__0_value;
LEAN_EXPORT lean_object* l_List_instAppend___redArg();
LEAN_EXPORT lean_object* l_List_instAppend___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_List_instAppend(lean_object*);
LEAN_EXPORT lean_object* l_List_map___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_map(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_flatten___redArg(lean_object*);
LEAN_EXPORT lean_object* l_List_flatten(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_flatMap___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_flatMap(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_replicate___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_replicate___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_replicate(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_replicate___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_List_all___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_all___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_List_all(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_all___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_countP___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_countP(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_sumOver___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_sumOver(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_List_instMembership___redArg();
LEAN_EXPORT lean_object* l_List_instMembership___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_List_instMembership(lean_object*);
LEAN_EXPORT lean_object* l_List_length___redArg(lean_object* v_x_1_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_1_) == 0)
{
lean_object* v___x_2_; 
v___x_2_ = lean_unsigned_to_nat(0u);
return v___x_2_;
}
else
{
lean_object* v_tail_3_; lean_object* v___x_4_; lean_object* v___x_5_; lean_object* v___x_6_; 
v_tail_3_ = lean_ctor_get(v_x_1_, 1);
v___x_4_ = l_List_length___redArg(v_tail_3_);
v___x_5_ = lean_unsigned_to_nat(1u);
v___x_6_ = lean_nat_add(v___x_4_, v___x_5_);
lean_dec(v___x_4_);
return v___x_6_;
}
}
}
LEAN_EXPORT lean_object* l_List_length___redArg___boxed(lean_object* v_x_7_){
_start:
{
lean_object* v_res_8_; 
v_res_8_ = l_List_length___redArg(v_x_7_);
lean_dec(v_x_7_);
return v_res_8_;
}
}
LEAN_EXPORT lean_object* l_List_length(lean_object* v_00_u03b1_9_, lean_object* v_x_10_){
_start:
{
lean_object* v___x_11_; 
v___x_11_ = l_List_length___redArg(v_x_10_);
return v___x_11_;
}
}
LEAN_EXPORT lean_object* l_List_length___boxed(lean_object* v_00_u03b1_12_, lean_object* v_x_13_){
_start:
{
lean_object* v_res_14_; 
v_res_14_ = l_List_length(v_00_u03b1_12_, v_x_13_);
lean_dec(v_x_13_);
return v_res_14_;
}
}
LEAN_EXPORT lean_object* l_List_append___redArg(lean_object* v_x_15_, lean_object* v_x_16_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_15_) == 0)
{
lean_inc(v_x_16_);
return v_x_16_;
}
else
{
lean_object* v_head_17_; lean_object* v_tail_18_; lean_object* v___x_20_; uint8_t v_isShared_21_; uint8_t v_isSharedCheck_26_; 
v_head_17_ = lean_ctor_get(v_x_15_, 0);
v_tail_18_ = lean_ctor_get(v_x_15_, 1);
v_isSharedCheck_26_ = !lean_is_exclusive(v_x_15_);
if (v_isSharedCheck_26_ == 0)
{
v___x_20_ = v_x_15_;
v_isShared_21_ = v_isSharedCheck_26_;
goto v_resetjp_19_;
}
else
{
lean_inc(v_tail_18_);
lean_inc(v_head_17_);
lean_dec(v_x_15_);
v___x_20_ = lean_box(0);
v_isShared_21_ = v_isSharedCheck_26_;
goto v_resetjp_19_;
}
v_resetjp_19_:
{
lean_object* v___x_22_; lean_object* v___x_24_; 
v___x_22_ = l_List_append___redArg(v_tail_18_, v_x_16_);
if (v_isShared_21_ == 0)
{
lean_ctor_set(v___x_20_, 1, v___x_22_);
v___x_24_ = v___x_20_;
goto v_reusejp_23_;
}
else
{
lean_object* v_reuseFailAlloc_25_; 
v_reuseFailAlloc_25_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_25_, 0, v_head_17_);
lean_ctor_set(v_reuseFailAlloc_25_, 1, v___x_22_);
v___x_24_ = v_reuseFailAlloc_25_;
goto v_reusejp_23_;
}
v_reusejp_23_:
{
return v___x_24_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_List_append___redArg___boxed(lean_object* v_x_27_, lean_object* v_x_28_){
_start:
{
lean_object* v_res_29_; 
v_res_29_ = l_List_append___redArg(v_x_27_, v_x_28_);
lean_dec(v_x_28_);
return v_res_29_;
}
}
LEAN_EXPORT lean_object* l_List_append(lean_object* v_00_u03b1_30_, lean_object* v_x_31_, lean_object* v_x_32_){
_start:
{
lean_object* v___x_33_; 
v___x_33_ = l_List_append___redArg(v_x_31_, v_x_32_);
return v___x_33_;
}
}
LEAN_EXPORT lean_object* l_List_append___boxed(lean_object* v_00_u03b1_34_, lean_object* v_x_35_, lean_object* v_x_36_){
_start:
{
lean_object* v_res_37_; 
v_res_37_ = l_List_append(v_00_u03b1_34_, v_x_35_, v_x_36_);
lean_dec(v_x_36_);
return v_res_37_;
}
}
LEAN_EXPORT lean_object* l_List_instAppend___redArg(){
_start:
{
lean_object* v___x_40_; 
v___x_40_ = ((lean_object*)(l_List_instAppend___redArg___closed__0));
return v___x_40_;
}
}
LEAN_EXPORT lean_object* l_List_instAppend___redArg___boxed(lean_object* v___dummy_41_){
_start:
{
lean_object* v_res_42_; 
v_res_42_ = l_List_instAppend___redArg();
return v_res_42_;
}
}
LEAN_EXPORT lean_object* l_List_instAppend(lean_object* v_00_u03b1_43_){
_start:
{
lean_object* v___x_44_; 
v___x_44_ = ((lean_object*)(l_List_instAppend___redArg___closed__0));
return v___x_44_;
}
}
LEAN_EXPORT lean_object* l_List_map___redArg(lean_object* v_f_45_, lean_object* v_x_46_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_46_) == 0)
{
lean_object* v___x_47_; 
lean_dec(v_f_45_);
v___x_47_ = lean_box(0);
return v___x_47_;
}
else
{
lean_object* v_head_48_; lean_object* v_tail_49_; lean_object* v___x_51_; uint8_t v_isShared_52_; uint8_t v_isSharedCheck_58_; 
v_head_48_ = lean_ctor_get(v_x_46_, 0);
v_tail_49_ = lean_ctor_get(v_x_46_, 1);
v_isSharedCheck_58_ = !lean_is_exclusive(v_x_46_);
if (v_isSharedCheck_58_ == 0)
{
v___x_51_ = v_x_46_;
v_isShared_52_ = v_isSharedCheck_58_;
goto v_resetjp_50_;
}
else
{
lean_inc(v_tail_49_);
lean_inc(v_head_48_);
lean_dec(v_x_46_);
v___x_51_ = lean_box(0);
v_isShared_52_ = v_isSharedCheck_58_;
goto v_resetjp_50_;
}
v_resetjp_50_:
{
lean_object* v___x_53_; lean_object* v___x_54_; lean_object* v___x_56_; 
lean_inc(v_f_45_);
v___x_53_ = lean_apply_1(v_f_45_, v_head_48_);
v___x_54_ = l_List_map___redArg(v_f_45_, v_tail_49_);
if (v_isShared_52_ == 0)
{
lean_ctor_set(v___x_51_, 1, v___x_54_);
lean_ctor_set(v___x_51_, 0, v___x_53_);
v___x_56_ = v___x_51_;
goto v_reusejp_55_;
}
else
{
lean_object* v_reuseFailAlloc_57_; 
v_reuseFailAlloc_57_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_57_, 0, v___x_53_);
lean_ctor_set(v_reuseFailAlloc_57_, 1, v___x_54_);
v___x_56_ = v_reuseFailAlloc_57_;
goto v_reusejp_55_;
}
v_reusejp_55_:
{
return v___x_56_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_List_map(lean_object* v_00_u03b1_59_, lean_object* v_00_u03b2_60_, lean_object* v_f_61_, lean_object* v_x_62_){
_start:
{
lean_object* v___x_63_; 
v___x_63_ = l_List_map___redArg(v_f_61_, v_x_62_);
return v___x_63_;
}
}
LEAN_EXPORT lean_object* l_List_flatten___redArg(lean_object* v_x_64_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_64_) == 0)
{
lean_object* v___x_65_; 
v___x_65_ = lean_box(0);
return v___x_65_;
}
else
{
lean_object* v_head_66_; lean_object* v_tail_67_; lean_object* v___x_68_; lean_object* v___x_69_; 
v_head_66_ = lean_ctor_get(v_x_64_, 0);
lean_inc(v_head_66_);
v_tail_67_ = lean_ctor_get(v_x_64_, 1);
lean_inc(v_tail_67_);
lean_dec_ref_known(v_x_64_, 2);
v___x_68_ = l_List_flatten___redArg(v_tail_67_);
v___x_69_ = l_List_append___redArg(v_head_66_, v___x_68_);
lean_dec(v___x_68_);
return v___x_69_;
}
}
}
LEAN_EXPORT lean_object* l_List_flatten(lean_object* v_00_u03b1_70_, lean_object* v_x_71_){
_start:
{
lean_object* v___x_72_; 
v___x_72_ = l_List_flatten___redArg(v_x_71_);
return v___x_72_;
}
}
LEAN_EXPORT lean_object* l_List_flatMap___redArg(lean_object* v_f_73_, lean_object* v_x_74_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_74_) == 0)
{
lean_object* v___x_75_; 
lean_dec_ref(v_f_73_);
v___x_75_ = lean_box(0);
return v___x_75_;
}
else
{
lean_object* v_head_76_; lean_object* v_tail_77_; lean_object* v___x_78_; lean_object* v___x_79_; lean_object* v___x_80_; 
v_head_76_ = lean_ctor_get(v_x_74_, 0);
lean_inc(v_head_76_);
v_tail_77_ = lean_ctor_get(v_x_74_, 1);
lean_inc(v_tail_77_);
lean_dec_ref_known(v_x_74_, 2);
lean_inc_ref(v_f_73_);
v___x_78_ = lean_apply_1(v_f_73_, v_head_76_);
v___x_79_ = l_List_flatMap___redArg(v_f_73_, v_tail_77_);
v___x_80_ = l_List_append___redArg(v___x_78_, v___x_79_);
lean_dec(v___x_79_);
return v___x_80_;
}
}
}
LEAN_EXPORT lean_object* l_List_flatMap(lean_object* v_00_u03b1_81_, lean_object* v_00_u03b2_82_, lean_object* v_f_83_, lean_object* v_x_84_){
_start:
{
lean_object* v___x_85_; 
v___x_85_ = l_List_flatMap___redArg(v_f_83_, v_x_84_);
return v___x_85_;
}
}
LEAN_EXPORT lean_object* l_List_replicate___redArg(lean_object* v_x_86_, lean_object* v_x_87_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_88_; uint8_t v_isZero_89_; 
v_zero_88_ = lean_unsigned_to_nat(0u);
v_isZero_89_ = lean_nat_dec_eq(v_x_86_, v_zero_88_);
if (v_isZero_89_ == 1)
{
lean_object* v___x_90_; 
lean_dec(v_x_87_);
v___x_90_ = lean_box(0);
return v___x_90_;
}
else
{
lean_object* v_one_91_; lean_object* v_n_92_; lean_object* v___x_93_; lean_object* v___x_94_; 
v_one_91_ = lean_unsigned_to_nat(1u);
v_n_92_ = lean_nat_sub(v_x_86_, v_one_91_);
lean_inc(v_x_87_);
v___x_93_ = l_List_replicate___redArg(v_n_92_, v_x_87_);
lean_dec(v_n_92_);
v___x_94_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_94_, 0, v_x_87_);
lean_ctor_set(v___x_94_, 1, v___x_93_);
return v___x_94_;
}
}
}
LEAN_EXPORT lean_object* l_List_replicate___redArg___boxed(lean_object* v_x_95_, lean_object* v_x_96_){
_start:
{
lean_object* v_res_97_; 
v_res_97_ = l_List_replicate___redArg(v_x_95_, v_x_96_);
lean_dec(v_x_95_);
return v_res_97_;
}
}
LEAN_EXPORT lean_object* l_List_replicate(lean_object* v_00_u03b1_98_, lean_object* v_x_99_, lean_object* v_x_100_){
_start:
{
lean_object* v___x_101_; 
v___x_101_ = l_List_replicate___redArg(v_x_99_, v_x_100_);
return v___x_101_;
}
}
LEAN_EXPORT lean_object* l_List_replicate___boxed(lean_object* v_00_u03b1_102_, lean_object* v_x_103_, lean_object* v_x_104_){
_start:
{
lean_object* v_res_105_; 
v_res_105_ = l_List_replicate(v_00_u03b1_102_, v_x_103_, v_x_104_);
lean_dec(v_x_103_);
return v_res_105_;
}
}
LEAN_EXPORT uint8_t l_List_all___redArg(lean_object* v_x_106_, lean_object* v_x_107_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_106_) == 0)
{
uint8_t v___x_108_; 
lean_dec_ref(v_x_107_);
v___x_108_ = 1;
return v___x_108_;
}
else
{
lean_object* v_head_109_; lean_object* v_tail_110_; lean_object* v___x_111_; uint8_t v___x_112_; 
v_head_109_ = lean_ctor_get(v_x_106_, 0);
lean_inc(v_head_109_);
v_tail_110_ = lean_ctor_get(v_x_106_, 1);
lean_inc(v_tail_110_);
lean_dec_ref_known(v_x_106_, 2);
lean_inc_ref(v_x_107_);
v___x_111_ = lean_apply_1(v_x_107_, v_head_109_);
v___x_112_ = lean_unbox(v___x_111_);
if (v___x_112_ == 0)
{
uint8_t v___x_113_; 
lean_dec(v_tail_110_);
lean_dec_ref(v_x_107_);
v___x_113_ = lean_unbox(v___x_111_);
return v___x_113_;
}
else
{
v_x_106_ = v_tail_110_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_List_all___redArg___boxed(lean_object* v_x_115_, lean_object* v_x_116_){
_start:
{
uint8_t v_res_117_; lean_object* v_r_118_; 
v_res_117_ = l_List_all___redArg(v_x_115_, v_x_116_);
v_r_118_ = lean_box(v_res_117_);
return v_r_118_;
}
}
LEAN_EXPORT uint8_t l_List_all(lean_object* v_00_u03b1_119_, lean_object* v_x_120_, lean_object* v_x_121_){
_start:
{
uint8_t v___x_122_; 
v___x_122_ = l_List_all___redArg(v_x_120_, v_x_121_);
return v___x_122_;
}
}
LEAN_EXPORT lean_object* l_List_all___boxed(lean_object* v_00_u03b1_123_, lean_object* v_x_124_, lean_object* v_x_125_){
_start:
{
uint8_t v_res_126_; lean_object* v_r_127_; 
v_res_126_ = l_List_all(v_00_u03b1_123_, v_x_124_, v_x_125_);
v_r_127_ = lean_box(v_res_126_);
return v_r_127_;
}
}
LEAN_EXPORT lean_object* l_List_countP___redArg(lean_object* v_p_128_, lean_object* v_x_129_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_129_) == 0)
{
lean_object* v___x_130_; 
lean_dec_ref(v_p_128_);
v___x_130_ = lean_unsigned_to_nat(0u);
return v___x_130_;
}
else
{
lean_object* v_head_131_; lean_object* v_tail_132_; lean_object* v___x_133_; uint8_t v___x_134_; 
v_head_131_ = lean_ctor_get(v_x_129_, 0);
lean_inc(v_head_131_);
v_tail_132_ = lean_ctor_get(v_x_129_, 1);
lean_inc(v_tail_132_);
lean_dec_ref_known(v_x_129_, 2);
lean_inc_ref(v_p_128_);
v___x_133_ = lean_apply_1(v_p_128_, v_head_131_);
v___x_134_ = lean_unbox(v___x_133_);
if (v___x_134_ == 0)
{
v_x_129_ = v_tail_132_;
goto _start;
}
else
{
lean_object* v___x_136_; lean_object* v___x_137_; lean_object* v___x_138_; 
v___x_136_ = l_List_countP___redArg(v_p_128_, v_tail_132_);
v___x_137_ = lean_unsigned_to_nat(1u);
v___x_138_ = lean_nat_add(v___x_136_, v___x_137_);
lean_dec(v___x_136_);
return v___x_138_;
}
}
}
}
LEAN_EXPORT lean_object* l_List_countP(lean_object* v_00_u03b1_139_, lean_object* v_p_140_, lean_object* v_x_141_){
_start:
{
lean_object* v___x_142_; 
v___x_142_ = l_List_countP___redArg(v_p_140_, v_x_141_);
return v___x_142_;
}
}
LEAN_EXPORT lean_object* l_List_sumOver___redArg(lean_object* v_f_143_, lean_object* v_x_144_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_144_) == 0)
{
lean_object* v___x_145_; 
lean_dec_ref(v_f_143_);
v___x_145_ = lean_unsigned_to_nat(0u);
return v___x_145_;
}
else
{
lean_object* v_head_146_; lean_object* v_tail_147_; lean_object* v___x_148_; lean_object* v___x_149_; lean_object* v___x_150_; 
v_head_146_ = lean_ctor_get(v_x_144_, 0);
lean_inc(v_head_146_);
v_tail_147_ = lean_ctor_get(v_x_144_, 1);
lean_inc(v_tail_147_);
lean_dec_ref_known(v_x_144_, 2);
lean_inc_ref(v_f_143_);
v___x_148_ = lean_apply_1(v_f_143_, v_head_146_);
v___x_149_ = l_List_sumOver___redArg(v_f_143_, v_tail_147_);
v___x_150_ = lean_nat_add(v___x_148_, v___x_149_);
lean_dec(v___x_149_);
lean_dec(v___x_148_);
return v___x_150_;
}
}
}
LEAN_EXPORT lean_object* l_List_sumOver(lean_object* v_00_u03b1_151_, lean_object* v_f_152_, lean_object* v_x_153_){
_start:
{
lean_object* v___x_154_; 
v___x_154_ = l_List_sumOver___redArg(v_f_152_, v_x_153_);
return v___x_154_;
}
}
LEAN_EXPORT lean_object* l_List_instMembership___redArg(){
_start:
{
lean_object* v___x_156_; 
v___x_156_ = lean_box(0);
return v___x_156_;
}
}
LEAN_EXPORT lean_object* l_List_instMembership___redArg___boxed(lean_object* v___dummy_157_){
_start:
{
lean_object* v_res_158_; 
v_res_158_ = l_List_instMembership___redArg();
return v_res_158_;
}
}
LEAN_EXPORT lean_object* l_List_instMembership(lean_object* v_00_u03b1_159_){
_start:
{
lean_object* v___x_160_; 
v___x_160_ = lean_box(0);
return v___x_160_;
}
}
lean_object* initialize_Gnosis_Core_Notation(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Core.Logic
// Imports:
LEAN_EXPORT lean_object* l_Unit_unit;
LEAN_EXPORT lean_object* l_id___redArg(lean_object*);
LEAN_EXPORT lean_object* l_id___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_id(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_id___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_inferInstance___redArg(lean_object*);
LEAN_EXPORT lean_object* l_inferInstance___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_inferInstance(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_inferInstance___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_False_elim___redArg();
LEAN_EXPORT lean_object* l_False_elim___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_False_elim(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_absurd___redArg();
LEAN_EXPORT lean_object* l_absurd___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_absurd(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_ndrec___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Eq_ndrec___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Eq_ndrec(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_ndrec___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_mp___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Eq_mp___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Eq_mp(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_mp___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_mpr___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Eq_mpr___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Eq_mpr(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Eq_mpr___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_namedPattern___redArg(lean_object*);
LEAN_EXPORT lean_object* l_namedPattern___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_namedPattern(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_namedPattern___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
lean_object* lean_nat_pred(lean_object*);
LEAN_EXPORT lean_object* l_Nat_pred___boxed(lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_add___boxed(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_sub___boxed(lean_object*, lean_object*);
lean_object* lean_nat_mul(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_mul___boxed(lean_object*, lean_object*);
lean_object* lean_nat_pow(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_pow___boxed(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_beq___boxed(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Nat_ble___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___redArg(uint8_t);
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___redArg___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Decidable_ctorIdx(lean_object*, uint8_t);
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_ctorElim___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Decidable_ctorElim(lean_object*, lean_object*, lean_object*, uint8_t, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_ctorElim___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim(lean_object*, lean_object*, uint8_t, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim___redArg(lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim(lean_object*, lean_object*, uint8_t, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_object* _init_l_Unit_unit(void){
_start:
{
lean_object* v___x_1_; 
v___x_1_ = lean_box(0);
return v___x_1_;
}
}
LEAN_EXPORT lean_object* l_id___redArg(lean_object* v_a_2_){
_start:
{
lean_inc(v_a_2_);
return v_a_2_;
}
}
LEAN_EXPORT lean_object* l_id___redArg___boxed(lean_object* v_a_3_){
_start:
{
lean_object* v_res_4_; 
v_res_4_ = l_id___redArg(v_a_3_);
lean_dec(v_a_3_);
return v_res_4_;
}
}
LEAN_EXPORT lean_object* l_id(lean_object* v_00_u03b1_5_, lean_object* v_a_6_){
_start:
{
lean_inc(v_a_6_);
return v_a_6_;
}
}
LEAN_EXPORT lean_object* l_id___boxed(lean_object* v_00_u03b1_7_, lean_object* v_a_8_){
_start:
{
lean_object* v_res_9_; 
v_res_9_ = l_id(v_00_u03b1_7_, v_a_8_);
lean_dec(v_a_8_);
return v_res_9_;
}
}
LEAN_EXPORT lean_object* l_inferInstance___redArg(lean_object* v_i_10_){
_start:
{
lean_inc(v_i_10_);
return v_i_10_;
}
}
LEAN_EXPORT lean_object* l_inferInstance___redArg___boxed(lean_object* v_i_11_){
_start:
{
lean_object* v_res_12_; 
v_res_12_ = l_inferInstance___redArg(v_i_11_);
lean_dec(v_i_11_);
return v_res_12_;
}
}
LEAN_EXPORT lean_object* l_inferInstance(lean_object* v_00_u03b1_13_, lean_object* v_i_14_){
_start:
{
lean_inc(v_i_14_);
return v_i_14_;
}
}
LEAN_EXPORT lean_object* l_inferInstance___boxed(lean_object* v_00_u03b1_15_, lean_object* v_i_16_){
_start:
{
lean_object* v_res_17_; 
v_res_17_ = l_inferInstance(v_00_u03b1_15_, v_i_16_);
lean_dec(v_i_16_);
return v_res_17_;
}
}
LEAN_EXPORT lean_object* l_False_elim___redArg(){
_start:
{
lean_internal_panic_unreachable();
}
}
LEAN_EXPORT lean_object* l_False_elim___redArg___boxed(lean_object* v___dummy_19_){
_start:
{
lean_object* v_res_20_; 
v_res_20_ = l_False_elim___redArg();
return v_res_20_;
}
}
LEAN_EXPORT lean_object* l_False_elim(lean_object* v_C_21_, lean_object* v_h_22_){
_start:
{
lean_internal_panic_unreachable();
}
}
LEAN_EXPORT lean_object* l_absurd___redArg(){
_start:
{
lean_internal_panic_unreachable();
}
}
LEAN_EXPORT lean_object* l_absurd___redArg___boxed(lean_object* v___dummy_24_){
_start:
{
lean_object* v_res_25_; 
v_res_25_ = l_absurd___redArg();
return v_res_25_;
}
}
LEAN_EXPORT lean_object* l_absurd(lean_object* v_a_26_, lean_object* v_b_27_, lean_object* v_h_28_, lean_object* v_k_29_){
_start:
{
lean_internal_panic_unreachable();
}
}
LEAN_EXPORT lean_object* l_Eq_ndrec___redArg(lean_object* v_m_30_){
_start:
{
lean_inc(v_m_30_);
return v_m_30_;
}
}
LEAN_EXPORT lean_object* l_Eq_ndrec___redArg___boxed(lean_object* v_m_31_){
_start:
{
lean_object* v_res_32_; 
v_res_32_ = l_Eq_ndrec___redArg(v_m_31_);
lean_dec(v_m_31_);
return v_res_32_;
}
}
LEAN_EXPORT lean_object* l_Eq_ndrec(lean_object* v_00_u03b1_33_, lean_object* v_a_34_, lean_object* v_motive_35_, lean_object* v_m_36_, lean_object* v_b_37_, lean_object* v_h_38_){
_start:
{
lean_inc(v_m_36_);
return v_m_36_;
}
}
LEAN_EXPORT lean_object* l_Eq_ndrec___boxed(lean_object* v_00_u03b1_39_, lean_object* v_a_40_, lean_object* v_motive_41_, lean_object* v_m_42_, lean_object* v_b_43_, lean_object* v_h_44_){
_start:
{
lean_object* v_res_45_; 
v_res_45_ = l_Eq_ndrec(v_00_u03b1_39_, v_a_40_, v_motive_41_, v_m_42_, v_b_43_, v_h_44_);
lean_dec(v_b_43_);
lean_dec(v_m_42_);
lean_dec(v_a_40_);
return v_res_45_;
}
}
LEAN_EXPORT lean_object* l_Eq_mp___redArg(lean_object* v_a_46_){
_start:
{
lean_inc(v_a_46_);
return v_a_46_;
}
}
LEAN_EXPORT lean_object* l_Eq_mp___redArg___boxed(lean_object* v_a_47_){
_start:
{
lean_object* v_res_48_; 
v_res_48_ = l_Eq_mp___redArg(v_a_47_);
lean_dec(v_a_47_);
return v_res_48_;
}
}
LEAN_EXPORT lean_object* l_Eq_mp(lean_object* v_00_u03b1_49_, lean_object* v_00_u03b2_50_, lean_object* v_h_51_, lean_object* v_a_52_){
_start:
{
lean_inc(v_a_52_);
return v_a_52_;
}
}
LEAN_EXPORT lean_object* l_Eq_mp___boxed(lean_object* v_00_u03b1_53_, lean_object* v_00_u03b2_54_, lean_object* v_h_55_, lean_object* v_a_56_){
_start:
{
lean_object* v_res_57_; 
v_res_57_ = l_Eq_mp(v_00_u03b1_53_, v_00_u03b2_54_, v_h_55_, v_a_56_);
lean_dec(v_a_56_);
return v_res_57_;
}
}
LEAN_EXPORT lean_object* l_Eq_mpr___redArg(lean_object* v_b_58_){
_start:
{
lean_inc(v_b_58_);
return v_b_58_;
}
}
LEAN_EXPORT lean_object* l_Eq_mpr___redArg___boxed(lean_object* v_b_59_){
_start:
{
lean_object* v_res_60_; 
v_res_60_ = l_Eq_mpr___redArg(v_b_59_);
lean_dec(v_b_59_);
return v_res_60_;
}
}
LEAN_EXPORT lean_object* l_Eq_mpr(lean_object* v_00_u03b1_61_, lean_object* v_00_u03b2_62_, lean_object* v_h_63_, lean_object* v_b_64_){
_start:
{
lean_inc(v_b_64_);
return v_b_64_;
}
}
LEAN_EXPORT lean_object* l_Eq_mpr___boxed(lean_object* v_00_u03b1_65_, lean_object* v_00_u03b2_66_, lean_object* v_h_67_, lean_object* v_b_68_){
_start:
{
lean_object* v_res_69_; 
v_res_69_ = l_Eq_mpr(v_00_u03b1_65_, v_00_u03b2_66_, v_h_67_, v_b_68_);
lean_dec(v_b_68_);
return v_res_69_;
}
}
LEAN_EXPORT lean_object* l_namedPattern___redArg(lean_object* v_a_70_){
_start:
{
lean_inc(v_a_70_);
return v_a_70_;
}
}
LEAN_EXPORT lean_object* l_namedPattern___redArg___boxed(lean_object* v_a_71_){
_start:
{
lean_object* v_res_72_; 
v_res_72_ = l_namedPattern___redArg(v_a_71_);
lean_dec(v_a_71_);
return v_res_72_;
}
}
LEAN_EXPORT lean_object* l_namedPattern(lean_object* v_00_u03b1_73_, lean_object* v_x_74_, lean_object* v_a_75_, lean_object* v_x_76_){
_start:
{
lean_inc(v_a_75_);
return v_a_75_;
}
}
LEAN_EXPORT lean_object* l_namedPattern___boxed(lean_object* v_00_u03b1_77_, lean_object* v_x_78_, lean_object* v_a_79_, lean_object* v_x_80_){
_start:
{
lean_object* v_res_81_; 
v_res_81_ = l_namedPattern(v_00_u03b1_77_, v_x_78_, v_a_79_, v_x_80_);
lean_dec(v_a_79_);
lean_dec(v_x_78_);
return v_res_81_;
}
}
LEAN_EXPORT lean_object* l_Nat_pred___boxed(lean_object* v_a_00___x40___internal___hyg_83_){
_start:
{
lean_object* v_res_84_; 
v_res_84_ = lean_nat_pred(v_a_00___x40___internal___hyg_83_);
lean_dec(v_a_00___x40___internal___hyg_83_);
return v_res_84_;
}
}
LEAN_EXPORT lean_object* l_Nat_add___boxed(lean_object* v_a_00___x40___internal___hyg_87_, lean_object* v_a_00___x40___internal___hyg_88_){
_start:
{
lean_object* v_res_89_; 
v_res_89_ = lean_nat_add(v_a_00___x40___internal___hyg_87_, v_a_00___x40___internal___hyg_88_);
lean_dec(v_a_00___x40___internal___hyg_88_);
lean_dec(v_a_00___x40___internal___hyg_87_);
return v_res_89_;
}
}
LEAN_EXPORT lean_object* l_Nat_sub___boxed(lean_object* v_a_00___x40___internal___hyg_92_, lean_object* v_a_00___x40___internal___hyg_93_){
_start:
{
lean_object* v_res_94_; 
v_res_94_ = lean_nat_sub(v_a_00___x40___internal___hyg_92_, v_a_00___x40___internal___hyg_93_);
lean_dec(v_a_00___x40___internal___hyg_93_);
lean_dec(v_a_00___x40___internal___hyg_92_);
return v_res_94_;
}
}
LEAN_EXPORT lean_object* l_Nat_mul___boxed(lean_object* v_a_00___x40___internal___hyg_97_, lean_object* v_a_00___x40___internal___hyg_98_){
_start:
{
lean_object* v_res_99_; 
v_res_99_ = lean_nat_mul(v_a_00___x40___internal___hyg_97_, v_a_00___x40___internal___hyg_98_);
lean_dec(v_a_00___x40___internal___hyg_98_);
lean_dec(v_a_00___x40___internal___hyg_97_);
return v_res_99_;
}
}
LEAN_EXPORT lean_object* l_Nat_pow___boxed(lean_object* v_a_00___x40___internal___hyg_102_, lean_object* v_a_00___x40___internal___hyg_103_){
_start:
{
lean_object* v_res_104_; 
v_res_104_ = lean_nat_pow(v_a_00___x40___internal___hyg_102_, v_a_00___x40___internal___hyg_103_);
lean_dec(v_a_00___x40___internal___hyg_103_);
lean_dec(v_a_00___x40___internal___hyg_102_);
return v_res_104_;
}
}
LEAN_EXPORT lean_object* l_Nat_beq___boxed(lean_object* v_a_00___x40___internal___hyg_107_, lean_object* v_a_00___x40___internal___hyg_108_){
_start:
{
uint8_t v_res_109_; lean_object* v_r_110_; 
v_res_109_ = lean_nat_dec_eq(v_a_00___x40___internal___hyg_107_, v_a_00___x40___internal___hyg_108_);
lean_dec(v_a_00___x40___internal___hyg_108_);
lean_dec(v_a_00___x40___internal___hyg_107_);
v_r_110_ = lean_box(v_res_109_);
return v_r_110_;
}
}
LEAN_EXPORT lean_object* l_Nat_ble___boxed(lean_object* v_a_00___x40___internal___hyg_113_, lean_object* v_a_00___x40___internal___hyg_114_){
_start:
{
uint8_t v_res_115_; lean_object* v_r_116_; 
v_res_115_ = lean_nat_dec_le(v_a_00___x40___internal___hyg_113_, v_a_00___x40___internal___hyg_114_);
lean_dec(v_a_00___x40___internal___hyg_114_);
lean_dec(v_a_00___x40___internal___hyg_113_);
v_r_116_ = lean_box(v_res_115_);
return v_r_116_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___redArg(uint8_t v_x_117_){
_start:
{
if (v_x_117_ == 0)
{
lean_object* v___x_118_; 
v___x_118_ = lean_unsigned_to_nat(0u);
return v___x_118_;
}
else
{
lean_object* v___x_119_; 
v___x_119_ = lean_unsigned_to_nat(1u);
return v___x_119_;
}
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___redArg___boxed(lean_object* v_x_120_){
_start:
{
uint8_t v_x_boxed_121_; lean_object* v_res_122_; 
v_x_boxed_121_ = lean_unbox(v_x_120_);
v_res_122_ = l_Decidable_ctorIdx___redArg(v_x_boxed_121_);
return v_res_122_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorIdx(lean_object* v_p_123_, uint8_t v_x_124_){
_start:
{
lean_object* v___x_125_; 
v___x_125_ = l_Decidable_ctorIdx___redArg(v_x_124_);
return v___x_125_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorIdx___boxed(lean_object* v_p_126_, lean_object* v_x_127_){
_start:
{
uint8_t v_x_boxed_128_; lean_object* v_res_129_; 
v_x_boxed_128_ = lean_unbox(v_x_127_);
v_res_129_ = l_Decidable_ctorIdx(v_p_126_, v_x_boxed_128_);
return v_res_129_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorElim___redArg(lean_object* v_k_130_){
_start:
{
lean_object* v___x_131_; 
v___x_131_ = lean_apply_1(v_k_130_, lean_box(0));
return v___x_131_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorElim(lean_object* v_p_132_, lean_object* v_motive_133_, lean_object* v_ctorIdx_134_, uint8_t v_t_135_, lean_object* v_h_136_, lean_object* v_k_137_){
_start:
{
lean_object* v___x_138_; 
v___x_138_ = lean_apply_1(v_k_137_, lean_box(0));
return v___x_138_;
}
}
LEAN_EXPORT lean_object* l_Decidable_ctorElim___boxed(lean_object* v_p_139_, lean_object* v_motive_140_, lean_object* v_ctorIdx_141_, lean_object* v_t_142_, lean_object* v_h_143_, lean_object* v_k_144_){
_start:
{
uint8_t v_t_boxed_145_; lean_object* v_res_146_; 
v_t_boxed_145_ = lean_unbox(v_t_142_);
v_res_146_ = l_Decidable_ctorElim(v_p_139_, v_motive_140_, v_ctorIdx_141_, v_t_boxed_145_, v_h_143_, v_k_144_);
lean_dec(v_ctorIdx_141_);
return v_res_146_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim___redArg(lean_object* v_isFalse_147_){
_start:
{
lean_object* v___x_148_; 
v___x_148_ = lean_apply_1(v_isFalse_147_, lean_box(0));
return v___x_148_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim(lean_object* v_p_149_, lean_object* v_motive_150_, uint8_t v_t_151_, lean_object* v_h_152_, lean_object* v_isFalse_153_){
_start:
{
lean_object* v___x_154_; 
v___x_154_ = lean_apply_1(v_isFalse_153_, lean_box(0));
return v___x_154_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isFalse_elim___boxed(lean_object* v_p_155_, lean_object* v_motive_156_, lean_object* v_t_157_, lean_object* v_h_158_, lean_object* v_isFalse_159_){
_start:
{
uint8_t v_t_boxed_160_; lean_object* v_res_161_; 
v_t_boxed_160_ = lean_unbox(v_t_157_);
v_res_161_ = l_Decidable_isFalse_elim(v_p_155_, v_motive_156_, v_t_boxed_160_, v_h_158_, v_isFalse_159_);
return v_res_161_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim___redArg(lean_object* v_isTrue_162_){
_start:
{
lean_object* v___x_163_; 
v___x_163_ = lean_apply_1(v_isTrue_162_, lean_box(0));
return v___x_163_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim(lean_object* v_p_164_, lean_object* v_motive_165_, uint8_t v_t_166_, lean_object* v_h_167_, lean_object* v_isTrue_168_){
_start:
{
lean_object* v___x_169_; 
v___x_169_ = lean_apply_1(v_isTrue_168_, lean_box(0));
return v___x_169_;
}
}
LEAN_EXPORT lean_object* l_Decidable_isTrue_elim___boxed(lean_object* v_p_170_, lean_object* v_motive_171_, lean_object* v_t_172_, lean_object* v_h_173_, lean_object* v_isTrue_174_){
_start:
{
uint8_t v_t_boxed_175_; lean_object* v_res_176_; 
v_t_boxed_175_ = lean_unbox(v_t_172_);
v_res_176_ = l_Decidable_isTrue_elim(v_p_170_, v_motive_171_, v_t_boxed_175_, v_h_173_, v_isTrue_174_);
return v_res_176_;
}
}
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Basin
// Imports: public import Gnosis.Decision.Sum
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* lean_int_add(lean_object*, lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
uint8_t l_Bool_decEq(uint8_t, uint8_t);
lean_object* lean_nat_abs(lean_object*);
uint8_t lean_int_dec_eq(lean_object*, lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
lean_object* l_Gnosis_sum(lean_object*);
static lean_once_cell_t l_Gnosis_sumAbs___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_sumAbs___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_sumAbs(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_sumAbs___boxed(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_basinAdmit(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinAdmit___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_basinVectorAdmit___lam__0(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinVectorAdmit___lam__0___boxed(lean_object*);
static const lean_closure_object l_Gnosis_basinVectorAdmit___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Gnosis_basinVectorAdmit___lam__0___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_basinVectorAdmit___closed__0 = (const lean_object*)&l_Gnosis_basinVectorAdmit___closed__0_value;
LEAN_EXPORT uint8_t l_Gnosis_basinVectorAdmit(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinVectorAdmit___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinControl(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinControl___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_flowAdmitFrom(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flowAdmitFrom___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_basinFlowAdmit___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_basinFlowAdmit___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_basinFlowAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_flowPathAdmitFrom(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flowPathAdmitFrom___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_basinFlowPathAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowPathAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_flowSurvives(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flowSurvives___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flowControl(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flowControl___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowControl(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowControl___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedStep(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedStep___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_roundedPathAdmitFrom(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedPathAdmitFrom___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_basinFlowRoundedAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_roundedSurvives(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedSurvives___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedControl(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundedControl___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedControl(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedControl___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_object* _init_l_Gnosis_sumAbs___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_sumAbs(lean_object* v_x_3_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_3_) == 0)
{
lean_object* v___x_4_; 
v___x_4_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
return v___x_4_;
}
else
{
lean_object* v_head_5_; lean_object* v_tail_6_; lean_object* v___x_7_; lean_object* v___x_8_; lean_object* v___x_9_; lean_object* v___x_10_; 
v_head_5_ = lean_ctor_get(v_x_3_, 0);
v_tail_6_ = lean_ctor_get(v_x_3_, 1);
v___x_7_ = lean_nat_abs(v_head_5_);
v___x_8_ = lean_nat_to_int(v___x_7_);
v___x_9_ = l_Gnosis_sumAbs(v_tail_6_);
v___x_10_ = lean_int_add(v___x_8_, v___x_9_);
lean_dec(v___x_9_);
lean_dec(v___x_8_);
return v___x_10_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_sumAbs___boxed(lean_object* v_x_11_){
_start:
{
lean_object* v_res_12_; 
v_res_12_ = l_Gnosis_sumAbs(v_x_11_);
lean_dec(v_x_11_);
return v_res_12_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinAdmit(lean_object* v_00_u03b4_13_, lean_object* v_R_14_){
_start:
{
lean_object* v___x_15_; uint8_t v___x_16_; uint8_t v___x_17_; 
v___x_15_ = l_Gnosis_sumAbs(v_00_u03b4_13_);
v___x_16_ = lean_int_dec_lt(v___x_15_, v_R_14_);
lean_dec(v___x_15_);
v___x_17_ = l_Decidable_decide___redArg(v___x_16_);
return v___x_17_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinAdmit___boxed(lean_object* v_00_u03b4_18_, lean_object* v_R_19_){
_start:
{
uint8_t v_res_20_; lean_object* v_r_21_; 
v_res_20_ = l_Gnosis_basinAdmit(v_00_u03b4_18_, v_R_19_);
lean_dec(v_R_19_);
lean_dec(v_00_u03b4_18_);
v_r_21_ = lean_box(v_res_20_);
return v_r_21_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinVectorAdmit___lam__0(lean_object* v_x_22_){
_start:
{
lean_object* v___x_23_; uint8_t v___x_24_; uint8_t v___x_25_; 
v___x_23_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_24_ = lean_int_dec_le(v___x_23_, v_x_22_);
v___x_25_ = l_Decidable_decide___redArg(v___x_24_);
return v___x_25_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinVectorAdmit___lam__0___boxed(lean_object* v_x_26_){
_start:
{
uint8_t v_res_27_; lean_object* v_r_28_; 
v_res_27_ = l_Gnosis_basinVectorAdmit___lam__0(v_x_26_);
lean_dec(v_x_26_);
v_r_28_ = lean_box(v_res_27_);
return v_r_28_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinVectorAdmit(lean_object* v_d_30_, lean_object* v_R_31_){
_start:
{
lean_object* v___f_32_; uint8_t v___x_33_; 
v___f_32_ = ((lean_object*)(l_Gnosis_basinVectorAdmit___closed__0));
lean_inc(v_d_30_);
v___x_33_ = l_List_all___redArg(v_d_30_, v___f_32_);
if (v___x_33_ == 0)
{
lean_dec(v_d_30_);
return v___x_33_;
}
else
{
lean_object* v___x_34_; uint8_t v___x_35_; uint8_t v___x_36_; 
v___x_34_ = l_Gnosis_sum(v_d_30_);
lean_dec(v_d_30_);
v___x_35_ = lean_int_dec_lt(v___x_34_, v_R_31_);
lean_dec(v___x_34_);
v___x_36_ = l_Decidable_decide___redArg(v___x_35_);
return v___x_36_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinVectorAdmit___boxed(lean_object* v_d_37_, lean_object* v_R_38_){
_start:
{
uint8_t v_res_39_; lean_object* v_r_40_; 
v_res_39_ = l_Gnosis_basinVectorAdmit(v_d_37_, v_R_38_);
lean_dec(v_R_38_);
v_r_40_ = lean_box(v_res_39_);
return v_r_40_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinControl(lean_object* v_R_41_, lean_object* v_spent_42_, lean_object* v_x_43_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_43_) == 0)
{
lean_object* v___x_44_; 
v___x_44_ = lean_box(0);
return v___x_44_;
}
else
{
lean_object* v_head_45_; lean_object* v_tail_46_; lean_object* v___x_48_; uint8_t v_isShared_49_; uint8_t v_isSharedCheck_65_; 
v_head_45_ = lean_ctor_get(v_x_43_, 0);
v_tail_46_ = lean_ctor_get(v_x_43_, 1);
v_isSharedCheck_65_ = !lean_is_exclusive(v_x_43_);
if (v_isSharedCheck_65_ == 0)
{
v___x_48_ = v_x_43_;
v_isShared_49_ = v_isSharedCheck_65_;
goto v_resetjp_47_;
}
else
{
lean_inc(v_tail_46_);
lean_inc(v_head_45_);
lean_dec(v_x_43_);
v___x_48_ = lean_box(0);
v_isShared_49_ = v_isSharedCheck_65_;
goto v_resetjp_47_;
}
v_resetjp_47_:
{
lean_object* v___x_57_; uint8_t v___x_58_; 
v___x_57_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_58_ = lean_int_dec_le(v___x_57_, v_head_45_);
if (v___x_58_ == 0)
{
lean_dec(v_head_45_);
goto v___jp_50_;
}
else
{
lean_object* v___x_59_; uint8_t v___x_60_; 
v___x_59_ = lean_int_add(v_spent_42_, v_head_45_);
lean_dec(v_head_45_);
v___x_60_ = lean_int_dec_lt(v___x_59_, v_R_41_);
if (v___x_60_ == 0)
{
lean_dec(v___x_59_);
goto v___jp_50_;
}
else
{
uint8_t v___x_61_; lean_object* v___x_62_; lean_object* v___x_63_; lean_object* v___x_64_; 
lean_del_object(v___x_48_);
v___x_61_ = 1;
v___x_62_ = l_Gnosis_basinControl(v_R_41_, v___x_59_, v_tail_46_);
lean_dec(v___x_59_);
v___x_63_ = lean_box(v___x_61_);
v___x_64_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_64_, 0, v___x_63_);
lean_ctor_set(v___x_64_, 1, v___x_62_);
return v___x_64_;
}
}
v___jp_50_:
{
uint8_t v___x_51_; lean_object* v___x_52_; lean_object* v___x_53_; lean_object* v___x_55_; 
v___x_51_ = 0;
v___x_52_ = l_Gnosis_basinControl(v_R_41_, v_spent_42_, v_tail_46_);
v___x_53_ = lean_box(v___x_51_);
if (v_isShared_49_ == 0)
{
lean_ctor_set(v___x_48_, 1, v___x_52_);
lean_ctor_set(v___x_48_, 0, v___x_53_);
v___x_55_ = v___x_48_;
goto v_reusejp_54_;
}
else
{
lean_object* v_reuseFailAlloc_56_; 
v_reuseFailAlloc_56_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_56_, 0, v___x_53_);
lean_ctor_set(v_reuseFailAlloc_56_, 1, v___x_52_);
v___x_55_ = v_reuseFailAlloc_56_;
goto v_reusejp_54_;
}
v_reusejp_54_:
{
return v___x_55_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinControl___boxed(lean_object* v_R_66_, lean_object* v_spent_67_, lean_object* v_x_68_){
_start:
{
lean_object* v_res_69_; 
v_res_69_ = l_Gnosis_basinControl(v_R_66_, v_spent_67_, v_x_68_);
lean_dec(v_spent_67_);
lean_dec(v_R_66_);
return v_res_69_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_flowAdmitFrom(lean_object* v_R_70_, lean_object* v_N_71_, lean_object* v_D_72_, lean_object* v_x_73_, lean_object* v_x_74_, lean_object* v_x_75_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_73_) == 0)
{
if (lean_obj_tag(v_x_74_) == 0)
{
if (lean_obj_tag(v_x_75_) == 0)
{
lean_object* v___x_76_; uint8_t v___x_77_; uint8_t v___x_78_; 
v___x_76_ = lean_int_mul(v_R_70_, v_D_72_);
lean_dec(v_D_72_);
v___x_77_ = lean_int_dec_lt(v_N_71_, v___x_76_);
lean_dec(v___x_76_);
lean_dec(v_N_71_);
v___x_78_ = l_Decidable_decide___redArg(v___x_77_);
return v___x_78_;
}
else
{
uint8_t v___x_79_; 
lean_dec(v_D_72_);
lean_dec(v_N_71_);
v___x_79_ = 0;
return v___x_79_;
}
}
else
{
uint8_t v___x_80_; 
lean_dec(v_D_72_);
lean_dec(v_N_71_);
v___x_80_ = 0;
return v___x_80_;
}
}
else
{
if (lean_obj_tag(v_x_74_) == 0)
{
uint8_t v___x_81_; 
lean_dec(v_D_72_);
lean_dec(v_N_71_);
v___x_81_ = 0;
return v___x_81_;
}
else
{
if (lean_obj_tag(v_x_75_) == 0)
{
uint8_t v___x_82_; 
lean_dec(v_D_72_);
lean_dec(v_N_71_);
v___x_82_ = 0;
return v___x_82_;
}
else
{
lean_object* v_head_83_; lean_object* v_tail_84_; lean_object* v_head_85_; lean_object* v_tail_86_; lean_object* v_head_87_; lean_object* v_tail_88_; uint8_t v___y_90_; lean_object* v___x_98_; uint8_t v___x_99_; 
v_head_83_ = lean_ctor_get(v_x_73_, 0);
v_tail_84_ = lean_ctor_get(v_x_73_, 1);
v_head_85_ = lean_ctor_get(v_x_74_, 0);
v_tail_86_ = lean_ctor_get(v_x_74_, 1);
v_head_87_ = lean_ctor_get(v_x_75_, 0);
v_tail_88_ = lean_ctor_get(v_x_75_, 1);
v___x_98_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_99_ = lean_int_dec_le(v___x_98_, v_head_83_);
if (v___x_99_ == 0)
{
uint8_t v___x_100_; 
v___x_100_ = 0;
v___y_90_ = v___x_100_;
goto v___jp_89_;
}
else
{
uint8_t v___x_101_; 
v___x_101_ = lean_int_dec_lt(v___x_98_, v_head_85_);
if (v___x_101_ == 0)
{
uint8_t v___x_102_; 
v___x_102_ = 0;
v___y_90_ = v___x_102_;
goto v___jp_89_;
}
else
{
uint8_t v___x_103_; 
v___x_103_ = lean_int_dec_le(v___x_98_, v_head_87_);
if (v___x_103_ == 0)
{
uint8_t v___x_104_; 
v___x_104_ = 0;
v___y_90_ = v___x_104_;
goto v___jp_89_;
}
else
{
uint8_t v___x_105_; 
v___x_105_ = 1;
v___y_90_ = v___x_105_;
goto v___jp_89_;
}
}
}
v___jp_89_:
{
uint8_t v___x_91_; 
v___x_91_ = l_Decidable_decide___redArg(v___y_90_);
if (v___x_91_ == 0)
{
lean_dec(v_D_72_);
lean_dec(v_N_71_);
return v___x_91_;
}
else
{
lean_object* v___x_92_; lean_object* v___x_93_; lean_object* v___x_94_; lean_object* v___x_95_; lean_object* v___x_96_; 
v___x_92_ = lean_int_mul(v_head_83_, v_N_71_);
lean_dec(v_N_71_);
v___x_93_ = lean_int_mul(v_head_87_, v_head_85_);
v___x_94_ = lean_int_mul(v___x_93_, v_D_72_);
lean_dec(v___x_93_);
v___x_95_ = lean_int_add(v___x_92_, v___x_94_);
lean_dec(v___x_94_);
lean_dec(v___x_92_);
v___x_96_ = lean_int_mul(v_head_85_, v_D_72_);
lean_dec(v_D_72_);
v_N_71_ = v___x_95_;
v_D_72_ = v___x_96_;
v_x_73_ = v_tail_84_;
v_x_74_ = v_tail_86_;
v_x_75_ = v_tail_88_;
goto _start;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_flowAdmitFrom___boxed(lean_object* v_R_106_, lean_object* v_N_107_, lean_object* v_D_108_, lean_object* v_x_109_, lean_object* v_x_110_, lean_object* v_x_111_){
_start:
{
uint8_t v_res_112_; lean_object* v_r_113_; 
v_res_112_ = l_Gnosis_flowAdmitFrom(v_R_106_, v_N_107_, v_D_108_, v_x_109_, v_x_110_, v_x_111_);
lean_dec(v_x_111_);
lean_dec(v_x_110_);
lean_dec(v_x_109_);
lean_dec(v_R_106_);
v_r_113_ = lean_box(v_res_112_);
return v_r_113_;
}
}
static lean_object* _init_l_Gnosis_basinFlowAdmit___closed__0(void){
_start:
{
lean_object* v___x_114_; lean_object* v___x_115_; 
v___x_114_ = lean_unsigned_to_nat(1u);
v___x_115_ = lean_nat_to_int(v___x_114_);
return v___x_115_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinFlowAdmit(lean_object* v_ps_116_, lean_object* v_qs_117_, lean_object* v_ds_118_, lean_object* v_R_119_){
_start:
{
lean_object* v___x_120_; lean_object* v___x_121_; uint8_t v___x_122_; 
v___x_120_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_121_ = lean_obj_once(&l_Gnosis_basinFlowAdmit___closed__0, &l_Gnosis_basinFlowAdmit___closed__0_once, _init_l_Gnosis_basinFlowAdmit___closed__0);
v___x_122_ = l_Gnosis_flowAdmitFrom(v_R_119_, v___x_120_, v___x_121_, v_ps_116_, v_qs_117_, v_ds_118_);
return v___x_122_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowAdmit___boxed(lean_object* v_ps_123_, lean_object* v_qs_124_, lean_object* v_ds_125_, lean_object* v_R_126_){
_start:
{
uint8_t v_res_127_; lean_object* v_r_128_; 
v_res_127_ = l_Gnosis_basinFlowAdmit(v_ps_123_, v_qs_124_, v_ds_125_, v_R_126_);
lean_dec(v_R_126_);
lean_dec(v_ds_125_);
lean_dec(v_qs_124_);
lean_dec(v_ps_123_);
v_r_128_ = lean_box(v_res_127_);
return v_r_128_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_flowPathAdmitFrom(lean_object* v_R_129_, lean_object* v_N_130_, lean_object* v_D_131_, lean_object* v_x_132_, lean_object* v_x_133_, lean_object* v_x_134_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_132_) == 0)
{
if (lean_obj_tag(v_x_133_) == 0)
{
if (lean_obj_tag(v_x_134_) == 0)
{
lean_object* v___x_135_; uint8_t v___x_136_; uint8_t v___x_137_; 
v___x_135_ = lean_int_mul(v_R_129_, v_D_131_);
lean_dec(v_D_131_);
v___x_136_ = lean_int_dec_lt(v_N_130_, v___x_135_);
lean_dec(v___x_135_);
lean_dec(v_N_130_);
v___x_137_ = l_Decidable_decide___redArg(v___x_136_);
return v___x_137_;
}
else
{
uint8_t v___x_138_; 
lean_dec(v_D_131_);
lean_dec(v_N_130_);
v___x_138_ = 0;
return v___x_138_;
}
}
else
{
uint8_t v___x_139_; 
lean_dec(v_D_131_);
lean_dec(v_N_130_);
v___x_139_ = 0;
return v___x_139_;
}
}
else
{
if (lean_obj_tag(v_x_133_) == 0)
{
uint8_t v___x_140_; 
lean_dec(v_D_131_);
lean_dec(v_N_130_);
v___x_140_ = 0;
return v___x_140_;
}
else
{
if (lean_obj_tag(v_x_134_) == 0)
{
uint8_t v___x_141_; 
lean_dec(v_D_131_);
lean_dec(v_N_130_);
v___x_141_ = 0;
return v___x_141_;
}
else
{
lean_object* v_head_142_; lean_object* v_tail_143_; lean_object* v_head_144_; lean_object* v_tail_145_; lean_object* v_head_146_; lean_object* v_tail_147_; uint8_t v___y_149_; lean_object* v___x_157_; uint8_t v___x_158_; uint8_t v___x_159_; 
v_head_142_ = lean_ctor_get(v_x_132_, 0);
v_tail_143_ = lean_ctor_get(v_x_132_, 1);
v_head_144_ = lean_ctor_get(v_x_133_, 0);
v_tail_145_ = lean_ctor_get(v_x_133_, 1);
v_head_146_ = lean_ctor_get(v_x_134_, 0);
v_tail_147_ = lean_ctor_get(v_x_134_, 1);
v___x_157_ = lean_int_mul(v_R_129_, v_D_131_);
v___x_158_ = lean_int_dec_lt(v_N_130_, v___x_157_);
lean_dec(v___x_157_);
v___x_159_ = l_Decidable_decide___redArg(v___x_158_);
if (v___x_159_ == 0)
{
lean_dec(v_D_131_);
lean_dec(v_N_130_);
return v___x_159_;
}
else
{
lean_object* v___x_160_; uint8_t v___x_161_; 
v___x_160_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_161_ = lean_int_dec_le(v___x_160_, v_head_142_);
if (v___x_161_ == 0)
{
uint8_t v___x_162_; 
v___x_162_ = 0;
v___y_149_ = v___x_162_;
goto v___jp_148_;
}
else
{
uint8_t v___x_163_; 
v___x_163_ = lean_int_dec_lt(v___x_160_, v_head_144_);
if (v___x_163_ == 0)
{
uint8_t v___x_164_; 
v___x_164_ = 0;
v___y_149_ = v___x_164_;
goto v___jp_148_;
}
else
{
uint8_t v___x_165_; 
v___x_165_ = lean_int_dec_le(v___x_160_, v_head_146_);
if (v___x_165_ == 0)
{
uint8_t v___x_166_; 
v___x_166_ = 0;
v___y_149_ = v___x_166_;
goto v___jp_148_;
}
else
{
uint8_t v___x_167_; 
v___x_167_ = 1;
v___y_149_ = v___x_167_;
goto v___jp_148_;
}
}
}
}
v___jp_148_:
{
uint8_t v___x_150_; 
v___x_150_ = l_Decidable_decide___redArg(v___y_149_);
if (v___x_150_ == 0)
{
lean_dec(v_D_131_);
lean_dec(v_N_130_);
return v___x_150_;
}
else
{
lean_object* v___x_151_; lean_object* v___x_152_; lean_object* v___x_153_; lean_object* v___x_154_; lean_object* v___x_155_; 
v___x_151_ = lean_int_mul(v_head_142_, v_N_130_);
lean_dec(v_N_130_);
v___x_152_ = lean_int_mul(v_head_146_, v_head_144_);
v___x_153_ = lean_int_mul(v___x_152_, v_D_131_);
lean_dec(v___x_152_);
v___x_154_ = lean_int_add(v___x_151_, v___x_153_);
lean_dec(v___x_153_);
lean_dec(v___x_151_);
v___x_155_ = lean_int_mul(v_head_144_, v_D_131_);
lean_dec(v_D_131_);
v_N_130_ = v___x_154_;
v_D_131_ = v___x_155_;
v_x_132_ = v_tail_143_;
v_x_133_ = v_tail_145_;
v_x_134_ = v_tail_147_;
goto _start;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_flowPathAdmitFrom___boxed(lean_object* v_R_168_, lean_object* v_N_169_, lean_object* v_D_170_, lean_object* v_x_171_, lean_object* v_x_172_, lean_object* v_x_173_){
_start:
{
uint8_t v_res_174_; lean_object* v_r_175_; 
v_res_174_ = l_Gnosis_flowPathAdmitFrom(v_R_168_, v_N_169_, v_D_170_, v_x_171_, v_x_172_, v_x_173_);
lean_dec(v_x_173_);
lean_dec(v_x_172_);
lean_dec(v_x_171_);
lean_dec(v_R_168_);
v_r_175_ = lean_box(v_res_174_);
return v_r_175_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinFlowPathAdmit(lean_object* v_ps_176_, lean_object* v_qs_177_, lean_object* v_ds_178_, lean_object* v_R_179_){
_start:
{
lean_object* v___x_180_; lean_object* v___x_181_; uint8_t v___x_182_; 
v___x_180_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_181_ = lean_obj_once(&l_Gnosis_basinFlowAdmit___closed__0, &l_Gnosis_basinFlowAdmit___closed__0_once, _init_l_Gnosis_basinFlowAdmit___closed__0);
v___x_182_ = l_Gnosis_flowPathAdmitFrom(v_R_179_, v___x_180_, v___x_181_, v_ps_176_, v_qs_177_, v_ds_178_);
return v___x_182_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowPathAdmit___boxed(lean_object* v_ps_183_, lean_object* v_qs_184_, lean_object* v_ds_185_, lean_object* v_R_186_){
_start:
{
uint8_t v_res_187_; lean_object* v_r_188_; 
v_res_187_ = l_Gnosis_basinFlowPathAdmit(v_ps_183_, v_qs_184_, v_ds_185_, v_R_186_);
lean_dec(v_R_186_);
lean_dec(v_ds_185_);
lean_dec(v_qs_184_);
lean_dec(v_ps_183_);
v_r_188_ = lean_box(v_res_187_);
return v_r_188_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_flowSurvives(lean_object* v_R_189_, lean_object* v_N_190_, lean_object* v_D_191_, lean_object* v_x_192_, lean_object* v_x_193_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_192_) == 0)
{
if (lean_obj_tag(v_x_193_) == 0)
{
lean_object* v___x_194_; uint8_t v___x_195_; uint8_t v___x_196_; 
v___x_194_ = lean_int_mul(v_R_189_, v_D_191_);
lean_dec(v_D_191_);
v___x_195_ = lean_int_dec_lt(v_N_190_, v___x_194_);
lean_dec(v___x_194_);
lean_dec(v_N_190_);
v___x_196_ = l_Decidable_decide___redArg(v___x_195_);
return v___x_196_;
}
else
{
uint8_t v___x_197_; 
lean_dec(v_D_191_);
lean_dec(v_N_190_);
v___x_197_ = 0;
return v___x_197_;
}
}
else
{
if (lean_obj_tag(v_x_193_) == 0)
{
uint8_t v___x_198_; 
lean_dec(v_D_191_);
lean_dec(v_N_190_);
v___x_198_ = 0;
return v___x_198_;
}
else
{
lean_object* v_head_199_; lean_object* v_tail_200_; lean_object* v_head_201_; lean_object* v_tail_202_; uint8_t v___y_204_; lean_object* v___x_209_; uint8_t v___x_210_; uint8_t v___x_211_; 
v_head_199_ = lean_ctor_get(v_x_192_, 0);
v_tail_200_ = lean_ctor_get(v_x_192_, 1);
v_head_201_ = lean_ctor_get(v_x_193_, 0);
v_tail_202_ = lean_ctor_get(v_x_193_, 1);
v___x_209_ = lean_int_mul(v_R_189_, v_D_191_);
v___x_210_ = lean_int_dec_lt(v_N_190_, v___x_209_);
lean_dec(v___x_209_);
v___x_211_ = l_Decidable_decide___redArg(v___x_210_);
if (v___x_211_ == 0)
{
lean_dec(v_D_191_);
lean_dec(v_N_190_);
return v___x_211_;
}
else
{
lean_object* v___x_212_; uint8_t v___x_213_; 
v___x_212_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_213_ = lean_int_dec_le(v___x_212_, v_head_199_);
if (v___x_213_ == 0)
{
uint8_t v___x_214_; 
v___x_214_ = 0;
v___y_204_ = v___x_214_;
goto v___jp_203_;
}
else
{
uint8_t v___x_215_; 
v___x_215_ = lean_int_dec_lt(v___x_212_, v_head_201_);
if (v___x_215_ == 0)
{
uint8_t v___x_216_; 
v___x_216_ = 0;
v___y_204_ = v___x_216_;
goto v___jp_203_;
}
else
{
uint8_t v___x_217_; 
v___x_217_ = 1;
v___y_204_ = v___x_217_;
goto v___jp_203_;
}
}
}
v___jp_203_:
{
uint8_t v___x_205_; 
v___x_205_ = l_Decidable_decide___redArg(v___y_204_);
if (v___x_205_ == 0)
{
lean_dec(v_D_191_);
lean_dec(v_N_190_);
return v___x_205_;
}
else
{
lean_object* v___x_206_; lean_object* v___x_207_; 
v___x_206_ = lean_int_mul(v_head_199_, v_N_190_);
lean_dec(v_N_190_);
v___x_207_ = lean_int_mul(v_head_201_, v_D_191_);
lean_dec(v_D_191_);
v_N_190_ = v___x_206_;
v_D_191_ = v___x_207_;
v_x_192_ = v_tail_200_;
v_x_193_ = v_tail_202_;
goto _start;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_flowSurvives___boxed(lean_object* v_R_218_, lean_object* v_N_219_, lean_object* v_D_220_, lean_object* v_x_221_, lean_object* v_x_222_){
_start:
{
uint8_t v_res_223_; lean_object* v_r_224_; 
v_res_223_ = l_Gnosis_flowSurvives(v_R_218_, v_N_219_, v_D_220_, v_x_221_, v_x_222_);
lean_dec(v_x_222_);
lean_dec(v_x_221_);
lean_dec(v_R_218_);
v_r_224_ = lean_box(v_res_223_);
return v_r_224_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_flowControl(lean_object* v_R_225_, lean_object* v_N_226_, lean_object* v_D_227_, lean_object* v_x_228_, lean_object* v_x_229_, lean_object* v_x_230_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_228_) == 0)
{
lean_object* v___x_231_; 
lean_dec(v_x_230_);
lean_dec(v_x_229_);
v___x_231_ = lean_box(0);
return v___x_231_;
}
else
{
if (lean_obj_tag(v_x_229_) == 0)
{
lean_object* v___x_232_; 
lean_dec(v_x_230_);
v___x_232_ = lean_box(0);
return v___x_232_;
}
else
{
if (lean_obj_tag(v_x_230_) == 0)
{
lean_object* v___x_233_; 
lean_dec_ref_known(v_x_229_, 2);
v___x_233_ = lean_box(0);
return v___x_233_;
}
else
{
lean_object* v_head_234_; lean_object* v_tail_235_; lean_object* v_head_236_; lean_object* v_tail_237_; lean_object* v___x_239_; uint8_t v_isShared_240_; uint8_t v_isSharedCheck_271_; 
v_head_234_ = lean_ctor_get(v_x_228_, 0);
v_tail_235_ = lean_ctor_get(v_x_228_, 1);
v_head_236_ = lean_ctor_get(v_x_229_, 0);
v_tail_237_ = lean_ctor_get(v_x_229_, 1);
v_isSharedCheck_271_ = !lean_is_exclusive(v_x_229_);
if (v_isSharedCheck_271_ == 0)
{
v___x_239_ = v_x_229_;
v_isShared_240_ = v_isSharedCheck_271_;
goto v_resetjp_238_;
}
else
{
lean_inc(v_tail_237_);
lean_inc(v_head_236_);
lean_dec(v_x_229_);
v___x_239_ = lean_box(0);
v_isShared_240_ = v_isSharedCheck_271_;
goto v_resetjp_238_;
}
v_resetjp_238_:
{
lean_object* v_head_241_; lean_object* v_tail_242_; lean_object* v___x_244_; uint8_t v_isShared_245_; uint8_t v_isSharedCheck_270_; 
v_head_241_ = lean_ctor_get(v_x_230_, 0);
v_tail_242_ = lean_ctor_get(v_x_230_, 1);
v_isSharedCheck_270_ = !lean_is_exclusive(v_x_230_);
if (v_isSharedCheck_270_ == 0)
{
v___x_244_ = v_x_230_;
v_isShared_245_ = v_isSharedCheck_270_;
goto v_resetjp_243_;
}
else
{
lean_inc(v_tail_242_);
lean_inc(v_head_241_);
lean_dec(v_x_230_);
v___x_244_ = lean_box(0);
v_isShared_245_ = v_isSharedCheck_270_;
goto v_resetjp_243_;
}
v_resetjp_243_:
{
lean_object* v___x_255_; uint8_t v___x_256_; 
v___x_255_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_256_ = lean_int_dec_le(v___x_255_, v_head_241_);
if (v___x_256_ == 0)
{
lean_dec(v_head_241_);
lean_del_object(v___x_239_);
goto v___jp_246_;
}
else
{
lean_object* v___x_257_; lean_object* v___x_258_; lean_object* v___x_259_; lean_object* v___x_260_; lean_object* v___x_261_; uint8_t v___x_262_; uint8_t v___x_263_; uint8_t v___x_264_; 
v___x_257_ = lean_int_mul(v_head_234_, v_N_226_);
v___x_258_ = lean_int_mul(v_head_241_, v_head_236_);
lean_dec(v_head_241_);
v___x_259_ = lean_int_mul(v___x_258_, v_D_227_);
lean_dec(v___x_258_);
v___x_260_ = lean_int_add(v___x_257_, v___x_259_);
lean_dec(v___x_259_);
lean_dec(v___x_257_);
v___x_261_ = lean_int_mul(v_head_236_, v_D_227_);
lean_inc(v___x_261_);
lean_inc(v___x_260_);
v___x_262_ = l_Gnosis_flowSurvives(v_R_225_, v___x_260_, v___x_261_, v_tail_235_, v_tail_237_);
v___x_263_ = 1;
v___x_264_ = l_Bool_decEq(v___x_262_, v___x_263_);
if (v___x_264_ == 0)
{
lean_dec(v___x_261_);
lean_dec(v___x_260_);
lean_del_object(v___x_239_);
goto v___jp_246_;
}
else
{
lean_object* v___x_265_; lean_object* v___x_266_; lean_object* v___x_268_; 
lean_del_object(v___x_244_);
lean_dec(v_head_236_);
v___x_265_ = l_Gnosis_flowControl(v_R_225_, v___x_260_, v___x_261_, v_tail_235_, v_tail_237_, v_tail_242_);
lean_dec(v___x_261_);
lean_dec(v___x_260_);
v___x_266_ = lean_box(v___x_263_);
if (v_isShared_240_ == 0)
{
lean_ctor_set(v___x_239_, 1, v___x_265_);
lean_ctor_set(v___x_239_, 0, v___x_266_);
v___x_268_ = v___x_239_;
goto v_reusejp_267_;
}
else
{
lean_object* v_reuseFailAlloc_269_; 
v_reuseFailAlloc_269_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_269_, 0, v___x_266_);
lean_ctor_set(v_reuseFailAlloc_269_, 1, v___x_265_);
v___x_268_ = v_reuseFailAlloc_269_;
goto v_reusejp_267_;
}
v_reusejp_267_:
{
return v___x_268_;
}
}
}
v___jp_246_:
{
uint8_t v___x_247_; lean_object* v___x_248_; lean_object* v___x_249_; lean_object* v___x_250_; lean_object* v___x_251_; lean_object* v___x_253_; 
v___x_247_ = 0;
v___x_248_ = lean_int_mul(v_head_234_, v_N_226_);
v___x_249_ = lean_int_mul(v_head_236_, v_D_227_);
lean_dec(v_head_236_);
v___x_250_ = l_Gnosis_flowControl(v_R_225_, v___x_248_, v___x_249_, v_tail_235_, v_tail_237_, v_tail_242_);
lean_dec(v___x_249_);
lean_dec(v___x_248_);
v___x_251_ = lean_box(v___x_247_);
if (v_isShared_245_ == 0)
{
lean_ctor_set(v___x_244_, 1, v___x_250_);
lean_ctor_set(v___x_244_, 0, v___x_251_);
v___x_253_ = v___x_244_;
goto v_reusejp_252_;
}
else
{
lean_object* v_reuseFailAlloc_254_; 
v_reuseFailAlloc_254_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_254_, 0, v___x_251_);
lean_ctor_set(v_reuseFailAlloc_254_, 1, v___x_250_);
v___x_253_ = v_reuseFailAlloc_254_;
goto v_reusejp_252_;
}
v_reusejp_252_:
{
return v___x_253_;
}
}
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_flowControl___boxed(lean_object* v_R_272_, lean_object* v_N_273_, lean_object* v_D_274_, lean_object* v_x_275_, lean_object* v_x_276_, lean_object* v_x_277_){
_start:
{
lean_object* v_res_278_; 
v_res_278_ = l_Gnosis_flowControl(v_R_272_, v_N_273_, v_D_274_, v_x_275_, v_x_276_, v_x_277_);
lean_dec(v_x_275_);
lean_dec(v_D_274_);
lean_dec(v_N_273_);
lean_dec(v_R_272_);
return v_res_278_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowControl(lean_object* v_ps_279_, lean_object* v_qs_280_, lean_object* v_ds_281_, lean_object* v_R_282_){
_start:
{
lean_object* v___x_283_; lean_object* v___x_284_; lean_object* v___x_285_; 
v___x_283_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_284_ = lean_obj_once(&l_Gnosis_basinFlowAdmit___closed__0, &l_Gnosis_basinFlowAdmit___closed__0_once, _init_l_Gnosis_basinFlowAdmit___closed__0);
v___x_285_ = l_Gnosis_flowControl(v_R_282_, v___x_283_, v___x_284_, v_ps_279_, v_qs_280_, v_ds_281_);
return v___x_285_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowControl___boxed(lean_object* v_ps_286_, lean_object* v_qs_287_, lean_object* v_ds_288_, lean_object* v_R_289_){
_start:
{
lean_object* v_res_290_; 
v_res_290_ = l_Gnosis_basinFlowControl(v_ps_286_, v_qs_287_, v_ds_288_, v_R_289_);
lean_dec(v_R_289_);
lean_dec(v_ps_286_);
return v_res_290_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedStep(lean_object* v_N_291_, lean_object* v_D_292_, lean_object* v_p_293_, lean_object* v_q_294_, lean_object* v_r_295_, lean_object* v_d_296_){
_start:
{
lean_object* v___x_297_; uint8_t v___x_298_; 
v___x_297_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_298_ = lean_int_dec_eq(v_N_291_, v___x_297_);
if (v___x_298_ == 0)
{
lean_object* v___x_299_; lean_object* v___x_300_; lean_object* v___x_301_; lean_object* v___x_302_; lean_object* v___x_303_; 
v___x_299_ = lean_int_mul(v_p_293_, v_N_291_);
v___x_300_ = lean_int_add(v_r_295_, v_d_296_);
v___x_301_ = lean_int_mul(v___x_300_, v_q_294_);
lean_dec(v___x_300_);
v___x_302_ = lean_int_mul(v___x_301_, v_D_292_);
lean_dec(v___x_301_);
v___x_303_ = lean_int_add(v___x_299_, v___x_302_);
lean_dec(v___x_302_);
lean_dec(v___x_299_);
return v___x_303_;
}
else
{
lean_object* v___x_304_; lean_object* v___x_305_; 
v___x_304_ = lean_int_mul(v_d_296_, v_q_294_);
v___x_305_ = lean_int_mul(v___x_304_, v_D_292_);
lean_dec(v___x_304_);
return v___x_305_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedStep___boxed(lean_object* v_N_306_, lean_object* v_D_307_, lean_object* v_p_308_, lean_object* v_q_309_, lean_object* v_r_310_, lean_object* v_d_311_){
_start:
{
lean_object* v_res_312_; 
v_res_312_ = l_Gnosis_roundedStep(v_N_306_, v_D_307_, v_p_308_, v_q_309_, v_r_310_, v_d_311_);
lean_dec(v_d_311_);
lean_dec(v_r_310_);
lean_dec(v_q_309_);
lean_dec(v_p_308_);
lean_dec(v_D_307_);
lean_dec(v_N_306_);
return v_res_312_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_roundedPathAdmitFrom(lean_object* v_R_313_, lean_object* v_N_314_, lean_object* v_D_315_, lean_object* v_x_316_, lean_object* v_x_317_, lean_object* v_x_318_, lean_object* v_x_319_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_316_) == 0)
{
if (lean_obj_tag(v_x_317_) == 0)
{
if (lean_obj_tag(v_x_318_) == 0)
{
if (lean_obj_tag(v_x_319_) == 0)
{
lean_object* v___x_320_; uint8_t v___x_321_; uint8_t v___x_322_; 
v___x_320_ = lean_int_mul(v_R_313_, v_D_315_);
lean_dec(v_D_315_);
v___x_321_ = lean_int_dec_lt(v_N_314_, v___x_320_);
lean_dec(v___x_320_);
lean_dec(v_N_314_);
v___x_322_ = l_Decidable_decide___redArg(v___x_321_);
return v___x_322_;
}
else
{
uint8_t v___x_323_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_323_ = 0;
return v___x_323_;
}
}
else
{
uint8_t v___x_324_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_324_ = 0;
return v___x_324_;
}
}
else
{
uint8_t v___x_325_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_325_ = 0;
return v___x_325_;
}
}
else
{
if (lean_obj_tag(v_x_317_) == 0)
{
uint8_t v___x_326_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_326_ = 0;
return v___x_326_;
}
else
{
if (lean_obj_tag(v_x_318_) == 0)
{
uint8_t v___x_327_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_327_ = 0;
return v___x_327_;
}
else
{
if (lean_obj_tag(v_x_319_) == 0)
{
uint8_t v___x_328_; 
lean_dec(v_D_315_);
lean_dec(v_N_314_);
v___x_328_ = 0;
return v___x_328_;
}
else
{
lean_object* v_head_329_; lean_object* v_tail_330_; lean_object* v_head_331_; lean_object* v_tail_332_; lean_object* v_head_333_; lean_object* v_tail_334_; lean_object* v_head_335_; lean_object* v_tail_336_; uint8_t v___y_338_; lean_object* v___x_345_; uint8_t v___x_346_; uint8_t v___x_347_; 
v_head_329_ = lean_ctor_get(v_x_316_, 0);
v_tail_330_ = lean_ctor_get(v_x_316_, 1);
v_head_331_ = lean_ctor_get(v_x_317_, 0);
v_tail_332_ = lean_ctor_get(v_x_317_, 1);
v_head_333_ = lean_ctor_get(v_x_318_, 0);
v_tail_334_ = lean_ctor_get(v_x_318_, 1);
v_head_335_ = lean_ctor_get(v_x_319_, 0);
v_tail_336_ = lean_ctor_get(v_x_319_, 1);
v___x_345_ = lean_int_mul(v_R_313_, v_D_315_);
v___x_346_ = lean_int_dec_lt(v_N_314_, v___x_345_);
lean_dec(v___x_345_);
v___x_347_ = l_Decidable_decide___redArg(v___x_346_);
if (v___x_347_ == 0)
{
lean_dec(v_D_315_);
lean_dec(v_N_314_);
return v___x_347_;
}
else
{
lean_object* v___x_348_; uint8_t v___x_349_; 
v___x_348_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_349_ = lean_int_dec_le(v___x_348_, v_head_329_);
if (v___x_349_ == 0)
{
uint8_t v___x_350_; 
v___x_350_ = 0;
v___y_338_ = v___x_350_;
goto v___jp_337_;
}
else
{
uint8_t v___x_351_; 
v___x_351_ = lean_int_dec_lt(v___x_348_, v_head_331_);
if (v___x_351_ == 0)
{
uint8_t v___x_352_; 
v___x_352_ = 0;
v___y_338_ = v___x_352_;
goto v___jp_337_;
}
else
{
uint8_t v___x_353_; 
v___x_353_ = lean_int_dec_le(v___x_348_, v_head_333_);
if (v___x_353_ == 0)
{
goto v___jp_343_;
}
else
{
uint8_t v___x_354_; 
v___x_354_ = lean_int_dec_le(v___x_348_, v_head_335_);
if (v___x_354_ == 0)
{
goto v___jp_343_;
}
else
{
uint8_t v___x_355_; 
v___x_355_ = 1;
v___y_338_ = v___x_355_;
goto v___jp_337_;
}
}
}
}
}
v___jp_337_:
{
uint8_t v___x_339_; 
v___x_339_ = l_Decidable_decide___redArg(v___y_338_);
if (v___x_339_ == 0)
{
lean_dec(v_D_315_);
lean_dec(v_N_314_);
return v___x_339_;
}
else
{
lean_object* v___x_340_; lean_object* v___x_341_; 
v___x_340_ = l_Gnosis_roundedStep(v_N_314_, v_D_315_, v_head_329_, v_head_331_, v_head_333_, v_head_335_);
lean_dec(v_N_314_);
v___x_341_ = lean_int_mul(v_head_331_, v_D_315_);
lean_dec(v_D_315_);
v_N_314_ = v___x_340_;
v_D_315_ = v___x_341_;
v_x_316_ = v_tail_330_;
v_x_317_ = v_tail_332_;
v_x_318_ = v_tail_334_;
v_x_319_ = v_tail_336_;
goto _start;
}
}
v___jp_343_:
{
uint8_t v___x_344_; 
v___x_344_ = 0;
v___y_338_ = v___x_344_;
goto v___jp_337_;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedPathAdmitFrom___boxed(lean_object* v_R_356_, lean_object* v_N_357_, lean_object* v_D_358_, lean_object* v_x_359_, lean_object* v_x_360_, lean_object* v_x_361_, lean_object* v_x_362_){
_start:
{
uint8_t v_res_363_; lean_object* v_r_364_; 
v_res_363_ = l_Gnosis_roundedPathAdmitFrom(v_R_356_, v_N_357_, v_D_358_, v_x_359_, v_x_360_, v_x_361_, v_x_362_);
lean_dec(v_x_362_);
lean_dec(v_x_361_);
lean_dec(v_x_360_);
lean_dec(v_x_359_);
lean_dec(v_R_356_);
v_r_364_ = lean_box(v_res_363_);
return v_r_364_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_basinFlowRoundedAdmit(lean_object* v_ps_365_, lean_object* v_qs_366_, lean_object* v_rs_367_, lean_object* v_ds_368_, lean_object* v_R_369_){
_start:
{
lean_object* v___x_370_; lean_object* v___x_371_; uint8_t v___x_372_; 
v___x_370_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_371_ = lean_obj_once(&l_Gnosis_basinFlowAdmit___closed__0, &l_Gnosis_basinFlowAdmit___closed__0_once, _init_l_Gnosis_basinFlowAdmit___closed__0);
v___x_372_ = l_Gnosis_roundedPathAdmitFrom(v_R_369_, v___x_370_, v___x_371_, v_ps_365_, v_qs_366_, v_rs_367_, v_ds_368_);
return v___x_372_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedAdmit___boxed(lean_object* v_ps_373_, lean_object* v_qs_374_, lean_object* v_rs_375_, lean_object* v_ds_376_, lean_object* v_R_377_){
_start:
{
uint8_t v_res_378_; lean_object* v_r_379_; 
v_res_378_ = l_Gnosis_basinFlowRoundedAdmit(v_ps_373_, v_qs_374_, v_rs_375_, v_ds_376_, v_R_377_);
lean_dec(v_R_377_);
lean_dec(v_ds_376_);
lean_dec(v_rs_375_);
lean_dec(v_qs_374_);
lean_dec(v_ps_373_);
v_r_379_ = lean_box(v_res_378_);
return v_r_379_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_roundedSurvives(lean_object* v_R_380_, lean_object* v_N_381_, lean_object* v_D_382_, lean_object* v_x_383_, lean_object* v_x_384_, lean_object* v_x_385_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_383_) == 0)
{
if (lean_obj_tag(v_x_384_) == 0)
{
if (lean_obj_tag(v_x_385_) == 0)
{
lean_object* v___x_386_; uint8_t v___x_387_; uint8_t v___x_388_; 
v___x_386_ = lean_int_mul(v_R_380_, v_D_382_);
lean_dec(v_D_382_);
v___x_387_ = lean_int_dec_lt(v_N_381_, v___x_386_);
lean_dec(v___x_386_);
lean_dec(v_N_381_);
v___x_388_ = l_Decidable_decide___redArg(v___x_387_);
return v___x_388_;
}
else
{
uint8_t v___x_389_; 
lean_dec(v_D_382_);
lean_dec(v_N_381_);
v___x_389_ = 0;
return v___x_389_;
}
}
else
{
uint8_t v___x_390_; 
lean_dec(v_D_382_);
lean_dec(v_N_381_);
v___x_390_ = 0;
return v___x_390_;
}
}
else
{
if (lean_obj_tag(v_x_384_) == 0)
{
uint8_t v___x_391_; 
lean_dec(v_D_382_);
lean_dec(v_N_381_);
v___x_391_ = 0;
return v___x_391_;
}
else
{
if (lean_obj_tag(v_x_385_) == 0)
{
uint8_t v___x_392_; 
lean_dec(v_D_382_);
lean_dec(v_N_381_);
v___x_392_ = 0;
return v___x_392_;
}
else
{
lean_object* v_head_393_; lean_object* v_tail_394_; lean_object* v_head_395_; lean_object* v_tail_396_; lean_object* v_head_397_; lean_object* v_tail_398_; uint8_t v___y_400_; lean_object* v___x_406_; uint8_t v___x_407_; uint8_t v___x_408_; 
v_head_393_ = lean_ctor_get(v_x_383_, 0);
v_tail_394_ = lean_ctor_get(v_x_383_, 1);
v_head_395_ = lean_ctor_get(v_x_384_, 0);
v_tail_396_ = lean_ctor_get(v_x_384_, 1);
v_head_397_ = lean_ctor_get(v_x_385_, 0);
v_tail_398_ = lean_ctor_get(v_x_385_, 1);
v___x_406_ = lean_int_mul(v_R_380_, v_D_382_);
v___x_407_ = lean_int_dec_lt(v_N_381_, v___x_406_);
lean_dec(v___x_406_);
v___x_408_ = l_Decidable_decide___redArg(v___x_407_);
if (v___x_408_ == 0)
{
lean_dec(v_D_382_);
lean_dec(v_N_381_);
return v___x_408_;
}
else
{
lean_object* v___x_409_; uint8_t v___x_410_; 
v___x_409_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_410_ = lean_int_dec_le(v___x_409_, v_head_393_);
if (v___x_410_ == 0)
{
uint8_t v___x_411_; 
v___x_411_ = 0;
v___y_400_ = v___x_411_;
goto v___jp_399_;
}
else
{
uint8_t v___x_412_; 
v___x_412_ = lean_int_dec_lt(v___x_409_, v_head_395_);
if (v___x_412_ == 0)
{
uint8_t v___x_413_; 
v___x_413_ = 0;
v___y_400_ = v___x_413_;
goto v___jp_399_;
}
else
{
uint8_t v___x_414_; 
v___x_414_ = lean_int_dec_le(v___x_409_, v_head_397_);
if (v___x_414_ == 0)
{
uint8_t v___x_415_; 
v___x_415_ = 0;
v___y_400_ = v___x_415_;
goto v___jp_399_;
}
else
{
uint8_t v___x_416_; 
v___x_416_ = 1;
v___y_400_ = v___x_416_;
goto v___jp_399_;
}
}
}
}
v___jp_399_:
{
uint8_t v___x_401_; 
v___x_401_ = l_Decidable_decide___redArg(v___y_400_);
if (v___x_401_ == 0)
{
lean_dec(v_D_382_);
lean_dec(v_N_381_);
return v___x_401_;
}
else
{
lean_object* v___x_402_; lean_object* v___x_403_; lean_object* v___x_404_; 
v___x_402_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_403_ = l_Gnosis_roundedStep(v_N_381_, v_D_382_, v_head_393_, v_head_395_, v_head_397_, v___x_402_);
lean_dec(v_N_381_);
v___x_404_ = lean_int_mul(v_head_395_, v_D_382_);
lean_dec(v_D_382_);
v_N_381_ = v___x_403_;
v_D_382_ = v___x_404_;
v_x_383_ = v_tail_394_;
v_x_384_ = v_tail_396_;
v_x_385_ = v_tail_398_;
goto _start;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedSurvives___boxed(lean_object* v_R_417_, lean_object* v_N_418_, lean_object* v_D_419_, lean_object* v_x_420_, lean_object* v_x_421_, lean_object* v_x_422_){
_start:
{
uint8_t v_res_423_; lean_object* v_r_424_; 
v_res_423_ = l_Gnosis_roundedSurvives(v_R_417_, v_N_418_, v_D_419_, v_x_420_, v_x_421_, v_x_422_);
lean_dec(v_x_422_);
lean_dec(v_x_421_);
lean_dec(v_x_420_);
lean_dec(v_R_417_);
v_r_424_ = lean_box(v_res_423_);
return v_r_424_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedControl(lean_object* v_R_425_, lean_object* v_N_426_, lean_object* v_D_427_, lean_object* v_x_428_, lean_object* v_x_429_, lean_object* v_x_430_, lean_object* v_x_431_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_428_) == 0)
{
lean_object* v___x_432_; 
lean_dec(v_x_431_);
lean_dec(v_x_430_);
v___x_432_ = lean_box(0);
return v___x_432_;
}
else
{
if (lean_obj_tag(v_x_429_) == 0)
{
lean_object* v___x_433_; 
lean_dec(v_x_431_);
lean_dec(v_x_430_);
v___x_433_ = lean_box(0);
return v___x_433_;
}
else
{
if (lean_obj_tag(v_x_430_) == 0)
{
lean_object* v___x_434_; 
lean_dec(v_x_431_);
v___x_434_ = lean_box(0);
return v___x_434_;
}
else
{
if (lean_obj_tag(v_x_431_) == 0)
{
lean_object* v___x_435_; 
lean_dec_ref_known(v_x_430_, 2);
v___x_435_ = lean_box(0);
return v___x_435_;
}
else
{
lean_object* v_head_436_; lean_object* v_tail_437_; lean_object* v_head_438_; lean_object* v_tail_439_; lean_object* v_head_440_; lean_object* v_tail_441_; lean_object* v___x_443_; uint8_t v_isShared_444_; uint8_t v_isSharedCheck_473_; 
v_head_436_ = lean_ctor_get(v_x_428_, 0);
v_tail_437_ = lean_ctor_get(v_x_428_, 1);
v_head_438_ = lean_ctor_get(v_x_429_, 0);
v_tail_439_ = lean_ctor_get(v_x_429_, 1);
v_head_440_ = lean_ctor_get(v_x_430_, 0);
v_tail_441_ = lean_ctor_get(v_x_430_, 1);
v_isSharedCheck_473_ = !lean_is_exclusive(v_x_430_);
if (v_isSharedCheck_473_ == 0)
{
v___x_443_ = v_x_430_;
v_isShared_444_ = v_isSharedCheck_473_;
goto v_resetjp_442_;
}
else
{
lean_inc(v_tail_441_);
lean_inc(v_head_440_);
lean_dec(v_x_430_);
v___x_443_ = lean_box(0);
v_isShared_444_ = v_isSharedCheck_473_;
goto v_resetjp_442_;
}
v_resetjp_442_:
{
lean_object* v_head_445_; lean_object* v_tail_446_; lean_object* v___x_448_; uint8_t v_isShared_449_; uint8_t v_isSharedCheck_472_; 
v_head_445_ = lean_ctor_get(v_x_431_, 0);
v_tail_446_ = lean_ctor_get(v_x_431_, 1);
v_isSharedCheck_472_ = !lean_is_exclusive(v_x_431_);
if (v_isSharedCheck_472_ == 0)
{
v___x_448_ = v_x_431_;
v_isShared_449_ = v_isSharedCheck_472_;
goto v_resetjp_447_;
}
else
{
lean_inc(v_tail_446_);
lean_inc(v_head_445_);
lean_dec(v_x_431_);
v___x_448_ = lean_box(0);
v_isShared_449_ = v_isSharedCheck_472_;
goto v_resetjp_447_;
}
v_resetjp_447_:
{
lean_object* v___x_460_; uint8_t v___x_461_; 
v___x_460_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_461_ = lean_int_dec_le(v___x_460_, v_head_445_);
if (v___x_461_ == 0)
{
lean_dec(v_head_445_);
lean_del_object(v___x_443_);
goto v___jp_450_;
}
else
{
lean_object* v___x_462_; lean_object* v___x_463_; uint8_t v___x_464_; uint8_t v___x_465_; uint8_t v___x_466_; 
v___x_462_ = l_Gnosis_roundedStep(v_N_426_, v_D_427_, v_head_436_, v_head_438_, v_head_440_, v_head_445_);
lean_dec(v_head_445_);
v___x_463_ = lean_int_mul(v_head_438_, v_D_427_);
lean_inc(v___x_463_);
lean_inc(v___x_462_);
v___x_464_ = l_Gnosis_roundedSurvives(v_R_425_, v___x_462_, v___x_463_, v_tail_437_, v_tail_439_, v_tail_441_);
v___x_465_ = 1;
v___x_466_ = l_Bool_decEq(v___x_464_, v___x_465_);
if (v___x_466_ == 0)
{
lean_dec(v___x_463_);
lean_dec(v___x_462_);
lean_del_object(v___x_443_);
goto v___jp_450_;
}
else
{
lean_object* v___x_467_; lean_object* v___x_468_; lean_object* v___x_470_; 
lean_del_object(v___x_448_);
lean_dec(v_head_440_);
v___x_467_ = l_Gnosis_roundedControl(v_R_425_, v___x_462_, v___x_463_, v_tail_437_, v_tail_439_, v_tail_441_, v_tail_446_);
lean_dec(v___x_463_);
lean_dec(v___x_462_);
v___x_468_ = lean_box(v___x_465_);
if (v_isShared_444_ == 0)
{
lean_ctor_set(v___x_443_, 1, v___x_467_);
lean_ctor_set(v___x_443_, 0, v___x_468_);
v___x_470_ = v___x_443_;
goto v_reusejp_469_;
}
else
{
lean_object* v_reuseFailAlloc_471_; 
v_reuseFailAlloc_471_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_471_, 0, v___x_468_);
lean_ctor_set(v_reuseFailAlloc_471_, 1, v___x_467_);
v___x_470_ = v_reuseFailAlloc_471_;
goto v_reusejp_469_;
}
v_reusejp_469_:
{
return v___x_470_;
}
}
}
v___jp_450_:
{
uint8_t v___x_451_; lean_object* v___x_452_; lean_object* v___x_453_; lean_object* v___x_454_; lean_object* v___x_455_; lean_object* v___x_456_; lean_object* v___x_458_; 
v___x_451_ = 0;
v___x_452_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_453_ = l_Gnosis_roundedStep(v_N_426_, v_D_427_, v_head_436_, v_head_438_, v_head_440_, v___x_452_);
lean_dec(v_head_440_);
v___x_454_ = lean_int_mul(v_head_438_, v_D_427_);
v___x_455_ = l_Gnosis_roundedControl(v_R_425_, v___x_453_, v___x_454_, v_tail_437_, v_tail_439_, v_tail_441_, v_tail_446_);
lean_dec(v___x_454_);
lean_dec(v___x_453_);
v___x_456_ = lean_box(v___x_451_);
if (v_isShared_449_ == 0)
{
lean_ctor_set(v___x_448_, 1, v___x_455_);
lean_ctor_set(v___x_448_, 0, v___x_456_);
v___x_458_ = v___x_448_;
goto v_reusejp_457_;
}
else
{
lean_object* v_reuseFailAlloc_459_; 
v_reuseFailAlloc_459_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_459_, 0, v___x_456_);
lean_ctor_set(v_reuseFailAlloc_459_, 1, v___x_455_);
v___x_458_ = v_reuseFailAlloc_459_;
goto v_reusejp_457_;
}
v_reusejp_457_:
{
return v___x_458_;
}
}
}
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundedControl___boxed(lean_object* v_R_474_, lean_object* v_N_475_, lean_object* v_D_476_, lean_object* v_x_477_, lean_object* v_x_478_, lean_object* v_x_479_, lean_object* v_x_480_){
_start:
{
lean_object* v_res_481_; 
v_res_481_ = l_Gnosis_roundedControl(v_R_474_, v_N_475_, v_D_476_, v_x_477_, v_x_478_, v_x_479_, v_x_480_);
lean_dec(v_x_478_);
lean_dec(v_x_477_);
lean_dec(v_D_476_);
lean_dec(v_N_475_);
lean_dec(v_R_474_);
return v_res_481_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedControl(lean_object* v_ps_482_, lean_object* v_qs_483_, lean_object* v_rs_484_, lean_object* v_ds_485_, lean_object* v_R_486_){
_start:
{
lean_object* v___x_487_; lean_object* v___x_488_; lean_object* v___x_489_; 
v___x_487_ = lean_obj_once(&l_Gnosis_sumAbs___closed__0, &l_Gnosis_sumAbs___closed__0_once, _init_l_Gnosis_sumAbs___closed__0);
v___x_488_ = lean_obj_once(&l_Gnosis_basinFlowAdmit___closed__0, &l_Gnosis_basinFlowAdmit___closed__0_once, _init_l_Gnosis_basinFlowAdmit___closed__0);
v___x_489_ = l_Gnosis_roundedControl(v_R_486_, v___x_487_, v___x_488_, v_ps_482_, v_qs_483_, v_rs_484_, v_ds_485_);
return v___x_489_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_basinFlowRoundedControl___boxed(lean_object* v_ps_490_, lean_object* v_qs_491_, lean_object* v_rs_492_, lean_object* v_ds_493_, lean_object* v_R_494_){
_start:
{
lean_object* v_res_495_; 
v_res_495_ = l_Gnosis_basinFlowRoundedControl(v_ps_490_, v_qs_491_, v_rs_492_, v_ds_493_, v_R_494_);
lean_dec(v_R_494_);
lean_dec(v_qs_491_);
lean_dec(v_ps_490_);
return v_res_495_;
}
}
lean_object* initialize_Gnosis_Decision_Sum(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Conformal
// Imports: public import Gnosis.Core.IntData public import Gnosis.Core.ListData public import Gnosis.Decision.Lattice
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
lean_object* l_List_countP___redArg(lean_object*, lean_object*);
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
uint8_t lean_int_dec_eq(lean_object*, lean_object*);
lean_object* l_Gnosis_larger(lean_object*, lean_object*);
lean_object* l_List_map___redArg(lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
lean_object* lean_nat_mul(lean_object*, lean_object*);
lean_object* lean_nat_div(lean_object*, lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_rankLt___lam__0(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rankLt___lam__0___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rankLt(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_lies(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_lies___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_liesOrder(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_liesOrder___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalRank(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalRank___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_insertUp(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_sortUp(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_entryAt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_entryAt___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_kthSmallest(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_kthSmallest___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalThreshold(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalThreshold___boxed(lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_conformalAdmit___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_conformalAdmit___closed__0;
static lean_once_cell_t l_Gnosis_conformalAdmit___closed__1_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_conformalAdmit___closed__1;
LEAN_EXPORT uint8_t l_Gnosis_conformalAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_poolAbove___lam__1(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_poolAbove___lam__1___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_poolAbove(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_layersMax(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_layersMax___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_cofactors(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_cofactors___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_layersFail(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_layersFail___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_layersMaxAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_layersMaxAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_rankLt___lam__0(lean_object* v_x_1_, lean_object* v_y_2_){
_start:
{
uint8_t v___x_3_; uint8_t v___x_4_; 
v___x_3_ = lean_int_dec_lt(v_y_2_, v_x_1_);
v___x_4_ = l_Decidable_decide___redArg(v___x_3_);
return v___x_4_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_rankLt___lam__0___boxed(lean_object* v_x_5_, lean_object* v_y_6_){
_start:
{
uint8_t v_res_7_; lean_object* v_r_8_; 
v_res_7_ = l_Gnosis_rankLt___lam__0(v_x_5_, v_y_6_);
lean_dec(v_y_6_);
lean_dec(v_x_5_);
v_r_8_ = lean_box(v_res_7_);
return v_r_8_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_rankLt(lean_object* v_s_9_, lean_object* v_x_10_){
_start:
{
lean_object* v___f_11_; lean_object* v___x_12_; 
v___f_11_ = lean_alloc_closure((void*)(l_Gnosis_rankLt___lam__0___boxed), 2, 1);
lean_closure_set(v___f_11_, 0, v_x_10_);
v___x_12_ = l_List_countP___redArg(v___f_11_, v_s_9_);
return v___x_12_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_lies(lean_object* v_k_13_, lean_object* v_x_14_, lean_object* v_rest_15_){
_start:
{
lean_object* v___x_16_; uint8_t v___x_17_; uint8_t v___x_18_; 
v___x_16_ = l_Gnosis_rankLt(v_rest_15_, v_x_14_);
v___x_17_ = lean_nat_dec_le(v_k_13_, v___x_16_);
lean_dec(v___x_16_);
v___x_18_ = l_Decidable_decide___redArg(v___x_17_);
return v___x_18_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_lies___boxed(lean_object* v_k_19_, lean_object* v_x_20_, lean_object* v_rest_21_){
_start:
{
uint8_t v_res_22_; lean_object* v_r_23_; 
v_res_22_ = l_Gnosis_lies(v_k_19_, v_x_20_, v_rest_21_);
lean_dec(v_k_19_);
v_r_23_ = lean_box(v_res_22_);
return v_r_23_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_liesOrder(lean_object* v_k_24_, lean_object* v_x_25_){
_start:
{
if (lean_obj_tag(v_x_25_) == 0)
{
uint8_t v___x_26_; 
v___x_26_ = 0;
return v___x_26_;
}
else
{
lean_object* v_head_27_; lean_object* v_tail_28_; uint8_t v___x_29_; 
v_head_27_ = lean_ctor_get(v_x_25_, 0);
lean_inc(v_head_27_);
v_tail_28_ = lean_ctor_get(v_x_25_, 1);
lean_inc(v_tail_28_);
lean_dec_ref_known(v_x_25_, 2);
v___x_29_ = l_Gnosis_lies(v_k_24_, v_head_27_, v_tail_28_);
return v___x_29_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_liesOrder___boxed(lean_object* v_k_30_, lean_object* v_x_31_){
_start:
{
uint8_t v_res_32_; lean_object* v_r_33_; 
v_res_32_ = l_Gnosis_liesOrder(v_k_30_, v_x_31_);
lean_dec(v_k_30_);
v_r_33_ = lean_box(v_res_32_);
return v_r_33_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalRank(lean_object* v_n_34_, lean_object* v_num_35_, lean_object* v_den_36_){
_start:
{
lean_object* v___x_37_; lean_object* v___x_38_; lean_object* v___x_39_; lean_object* v___x_40_; lean_object* v___x_41_; lean_object* v___x_42_; 
v___x_37_ = lean_unsigned_to_nat(1u);
v___x_38_ = lean_nat_add(v_n_34_, v___x_37_);
v___x_39_ = lean_nat_mul(v___x_38_, v_num_35_);
lean_dec(v___x_38_);
v___x_40_ = lean_nat_sub(v_den_36_, v___x_37_);
v___x_41_ = lean_nat_add(v___x_39_, v___x_40_);
lean_dec(v___x_40_);
lean_dec(v___x_39_);
v___x_42_ = lean_nat_div(v___x_41_, v_den_36_);
lean_dec(v___x_41_);
return v___x_42_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalRank___boxed(lean_object* v_n_43_, lean_object* v_num_44_, lean_object* v_den_45_){
_start:
{
lean_object* v_res_46_; 
v_res_46_ = l_Gnosis_conformalRank(v_n_43_, v_num_44_, v_den_45_);
lean_dec(v_den_45_);
lean_dec(v_num_44_);
lean_dec(v_n_43_);
return v_res_46_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_insertUp(lean_object* v_x_47_, lean_object* v_x_48_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_48_) == 0)
{
lean_object* v___x_49_; 
v___x_49_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_49_, 0, v_x_47_);
lean_ctor_set(v___x_49_, 1, v_x_48_);
return v___x_49_;
}
else
{
lean_object* v_head_50_; lean_object* v_tail_51_; uint8_t v___x_52_; 
v_head_50_ = lean_ctor_get(v_x_48_, 0);
v_tail_51_ = lean_ctor_get(v_x_48_, 1);
v___x_52_ = lean_int_dec_le(v_x_47_, v_head_50_);
if (v___x_52_ == 0)
{
lean_object* v___x_54_; uint8_t v_isShared_55_; uint8_t v_isSharedCheck_60_; 
lean_inc(v_tail_51_);
lean_inc(v_head_50_);
v_isSharedCheck_60_ = !lean_is_exclusive(v_x_48_);
if (v_isSharedCheck_60_ == 0)
{
lean_object* v_unused_61_; lean_object* v_unused_62_; 
v_unused_61_ = lean_ctor_get(v_x_48_, 1);
lean_dec(v_unused_61_);
v_unused_62_ = lean_ctor_get(v_x_48_, 0);
lean_dec(v_unused_62_);
v___x_54_ = v_x_48_;
v_isShared_55_ = v_isSharedCheck_60_;
goto v_resetjp_53_;
}
else
{
lean_dec(v_x_48_);
v___x_54_ = lean_box(0);
v_isShared_55_ = v_isSharedCheck_60_;
goto v_resetjp_53_;
}
v_resetjp_53_:
{
lean_object* v___x_56_; lean_object* v___x_58_; 
v___x_56_ = l_Gnosis_insertUp(v_x_47_, v_tail_51_);
if (v_isShared_55_ == 0)
{
lean_ctor_set(v___x_54_, 1, v___x_56_);
v___x_58_ = v___x_54_;
goto v_reusejp_57_;
}
else
{
lean_object* v_reuseFailAlloc_59_; 
v_reuseFailAlloc_59_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_59_, 0, v_head_50_);
lean_ctor_set(v_reuseFailAlloc_59_, 1, v___x_56_);
v___x_58_ = v_reuseFailAlloc_59_;
goto v_reusejp_57_;
}
v_reusejp_57_:
{
return v___x_58_;
}
}
}
else
{
lean_object* v___x_63_; 
v___x_63_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_63_, 0, v_x_47_);
lean_ctor_set(v___x_63_, 1, v_x_48_);
return v___x_63_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_sortUp(lean_object* v_x_64_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_64_) == 0)
{
return v_x_64_;
}
else
{
lean_object* v_head_65_; lean_object* v_tail_66_; lean_object* v___x_67_; lean_object* v___x_68_; 
v_head_65_ = lean_ctor_get(v_x_64_, 0);
lean_inc(v_head_65_);
v_tail_66_ = lean_ctor_get(v_x_64_, 1);
lean_inc(v_tail_66_);
lean_dec_ref_known(v_x_64_, 2);
v___x_67_ = l_Gnosis_sortUp(v_tail_66_);
v___x_68_ = l_Gnosis_insertUp(v_head_65_, v___x_67_);
return v___x_68_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_entryAt(lean_object* v_x_69_, lean_object* v_x_70_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_69_) == 0)
{
lean_object* v___x_71_; 
lean_dec(v_x_70_);
v___x_71_ = lean_box(0);
return v___x_71_;
}
else
{
lean_object* v_head_72_; lean_object* v_tail_73_; lean_object* v_zero_74_; uint8_t v_isZero_75_; 
v_head_72_ = lean_ctor_get(v_x_69_, 0);
v_tail_73_ = lean_ctor_get(v_x_69_, 1);
v_zero_74_ = lean_unsigned_to_nat(0u);
v_isZero_75_ = lean_nat_dec_eq(v_x_70_, v_zero_74_);
if (v_isZero_75_ == 1)
{
lean_object* v___x_76_; 
lean_dec(v_x_70_);
lean_inc(v_head_72_);
v___x_76_ = lean_alloc_ctor(1, 1, 0);
lean_ctor_set(v___x_76_, 0, v_head_72_);
return v___x_76_;
}
else
{
lean_object* v_one_77_; lean_object* v_n_78_; 
v_one_77_ = lean_unsigned_to_nat(1u);
v_n_78_ = lean_nat_sub(v_x_70_, v_one_77_);
lean_dec(v_x_70_);
v_x_69_ = v_tail_73_;
v_x_70_ = v_n_78_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_entryAt___boxed(lean_object* v_x_80_, lean_object* v_x_81_){
_start:
{
lean_object* v_res_82_; 
v_res_82_ = l_Gnosis_entryAt(v_x_80_, v_x_81_);
lean_dec(v_x_80_);
return v_res_82_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_kthSmallest(lean_object* v_x_83_, lean_object* v_x_84_){
_start:
{
lean_object* v_zero_85_; uint8_t v_isZero_86_; 
v_zero_85_ = lean_unsigned_to_nat(0u);
v_isZero_86_ = lean_nat_dec_eq(v_x_83_, v_zero_85_);
if (v_isZero_86_ == 1)
{
lean_object* v___x_87_; 
lean_dec(v_x_84_);
v___x_87_ = lean_box(0);
return v___x_87_;
}
else
{
lean_object* v_one_88_; lean_object* v_n_89_; lean_object* v___x_90_; lean_object* v___x_91_; 
v_one_88_ = lean_unsigned_to_nat(1u);
v_n_89_ = lean_nat_sub(v_x_83_, v_one_88_);
v___x_90_ = l_Gnosis_sortUp(v_x_84_);
v___x_91_ = l_Gnosis_entryAt(v___x_90_, v_n_89_);
lean_dec(v___x_90_);
return v___x_91_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_kthSmallest___boxed(lean_object* v_x_92_, lean_object* v_x_93_){
_start:
{
lean_object* v_res_94_; 
v_res_94_ = l_Gnosis_kthSmallest(v_x_92_, v_x_93_);
lean_dec(v_x_92_);
return v_res_94_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalThreshold(lean_object* v_scores_95_, lean_object* v_num_96_, lean_object* v_den_97_){
_start:
{
lean_object* v___x_98_; lean_object* v___x_99_; lean_object* v___x_100_; 
v___x_98_ = l_List_length___redArg(v_scores_95_);
v___x_99_ = l_Gnosis_conformalRank(v___x_98_, v_num_96_, v_den_97_);
lean_dec(v___x_98_);
v___x_100_ = l_Gnosis_kthSmallest(v___x_99_, v_scores_95_);
lean_dec(v___x_99_);
return v___x_100_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalThreshold___boxed(lean_object* v_scores_101_, lean_object* v_num_102_, lean_object* v_den_103_){
_start:
{
lean_object* v_res_104_; 
v_res_104_ = l_Gnosis_conformalThreshold(v_scores_101_, v_num_102_, v_den_103_);
lean_dec(v_den_103_);
lean_dec(v_num_102_);
return v_res_104_;
}
}
static lean_object* _init_l_Gnosis_conformalAdmit___closed__0(void){
_start:
{
lean_object* v___x_105_; lean_object* v___x_106_; 
v___x_105_ = lean_unsigned_to_nat(0u);
v___x_106_ = lean_nat_to_int(v___x_105_);
return v___x_106_;
}
}
static lean_object* _init_l_Gnosis_conformalAdmit___closed__1(void){
_start:
{
lean_object* v___x_107_; lean_object* v___x_108_; 
v___x_107_ = lean_unsigned_to_nat(2u);
v___x_108_ = lean_nat_to_int(v___x_107_);
return v___x_108_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_conformalAdmit(lean_object* v_scores_109_, lean_object* v_num_110_, lean_object* v_den_111_, lean_object* v_00_u03b3_112_){
_start:
{
lean_object* v___x_113_; 
v___x_113_ = l_Gnosis_conformalThreshold(v_scores_109_, v_num_110_, v_den_111_);
if (lean_obj_tag(v___x_113_) == 0)
{
uint8_t v___x_114_; 
v___x_114_ = 0;
return v___x_114_;
}
else
{
lean_object* v_val_115_; lean_object* v___x_116_; uint8_t v___x_117_; uint8_t v___x_118_; 
v_val_115_ = lean_ctor_get(v___x_113_, 0);
lean_inc(v_val_115_);
lean_dec_ref_known(v___x_113_, 1);
v___x_116_ = lean_obj_once(&l_Gnosis_conformalAdmit___closed__0, &l_Gnosis_conformalAdmit___closed__0_once, _init_l_Gnosis_conformalAdmit___closed__0);
v___x_117_ = lean_int_dec_le(v___x_116_, v_00_u03b3_112_);
v___x_118_ = l_Decidable_decide___redArg(v___x_117_);
if (v___x_118_ == 0)
{
lean_dec(v_val_115_);
return v___x_118_;
}
else
{
lean_object* v___x_119_; lean_object* v___x_120_; uint8_t v___x_121_; uint8_t v___x_122_; 
v___x_119_ = lean_obj_once(&l_Gnosis_conformalAdmit___closed__1, &l_Gnosis_conformalAdmit___closed__1_once, _init_l_Gnosis_conformalAdmit___closed__1);
v___x_120_ = lean_int_mul(v___x_119_, v_val_115_);
lean_dec(v_val_115_);
v___x_121_ = lean_int_dec_le(v___x_120_, v_00_u03b3_112_);
lean_dec(v___x_120_);
v___x_122_ = l_Decidable_decide___redArg(v___x_121_);
return v___x_122_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalAdmit___boxed(lean_object* v_scores_123_, lean_object* v_num_124_, lean_object* v_den_125_, lean_object* v_00_u03b3_126_){
_start:
{
uint8_t v_res_127_; lean_object* v_r_128_; 
v_res_127_ = l_Gnosis_conformalAdmit(v_scores_123_, v_num_124_, v_den_125_, v_00_u03b3_126_);
lean_dec(v_00_u03b3_126_);
lean_dec(v_den_125_);
lean_dec(v_num_124_);
v_r_128_ = lean_box(v_res_127_);
return v_r_128_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_poolAbove___lam__1(lean_object* v_S_129_, lean_object* v_x_130_){
_start:
{ GNOSIS_STEP;
lean_object* v___f_131_; uint8_t v___x_132_; 
v___f_131_ = lean_alloc_closure((void*)(l_Gnosis_rankLt___lam__0___boxed), 2, 1);
lean_closure_set(v___f_131_, 0, v_x_130_);
v___x_132_ = l_List_all___redArg(v_S_129_, v___f_131_);
return v___x_132_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_poolAbove___lam__1___boxed(lean_object* v_S_133_, lean_object* v_x_134_){
_start:
{ GNOSIS_STEP;
uint8_t v_res_135_; lean_object* v_r_136_; 
v_res_135_ = l_Gnosis_poolAbove___lam__1(v_S_133_, v_x_134_);
v_r_136_ = lean_box(v_res_135_);
return v_r_136_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_poolAbove(lean_object* v_pool_137_, lean_object* v_S_138_){
_start:
{
lean_object* v___f_139_; lean_object* v___x_140_; 
v___f_139_ = lean_alloc_closure((void*)(l_Gnosis_poolAbove___lam__1___boxed), 2, 1);
lean_closure_set(v___f_139_, 0, v_S_138_);
v___x_140_ = l_List_countP___redArg(v___f_139_, v_pool_137_);
return v___x_140_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_layersMax(lean_object* v_x_141_, lean_object* v_x_142_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_141_) == 0)
{
goto v___jp_143_;
}
else
{
if (lean_obj_tag(v_x_142_) == 0)
{
goto v___jp_143_;
}
else
{
lean_object* v_head_145_; lean_object* v_tail_146_; lean_object* v_head_147_; lean_object* v_tail_148_; lean_object* v___x_149_; lean_object* v___x_150_; lean_object* v___x_151_; 
v_head_145_ = lean_ctor_get(v_x_141_, 0);
v_tail_146_ = lean_ctor_get(v_x_141_, 1);
v_head_147_ = lean_ctor_get(v_x_142_, 0);
v_tail_148_ = lean_ctor_get(v_x_142_, 1);
v___x_149_ = lean_int_mul(v_head_145_, v_head_147_);
v___x_150_ = l_Gnosis_layersMax(v_tail_146_, v_tail_148_);
v___x_151_ = l_Gnosis_larger(v___x_149_, v___x_150_);
lean_dec(v___x_150_);
lean_dec(v___x_149_);
return v___x_151_;
}
}
v___jp_143_:
{
lean_object* v___x_144_; 
v___x_144_ = lean_obj_once(&l_Gnosis_conformalAdmit___closed__0, &l_Gnosis_conformalAdmit___closed__0_once, _init_l_Gnosis_conformalAdmit___closed__0);
return v___x_144_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_layersMax___boxed(lean_object* v_x_152_, lean_object* v_x_153_){
_start:
{
lean_object* v_res_154_; 
v_res_154_ = l_Gnosis_layersMax(v_x_152_, v_x_153_);
lean_dec(v_x_153_);
lean_dec(v_x_152_);
return v_res_154_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_cofactors(lean_object* v_P_155_, lean_object* v_x_156_, lean_object* v_x_157_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_156_) == 0)
{
if (lean_obj_tag(v_x_157_) == 0)
{
uint8_t v___x_158_; 
v___x_158_ = 1;
return v___x_158_;
}
else
{
uint8_t v___x_159_; 
v___x_159_ = 0;
return v___x_159_;
}
}
else
{
if (lean_obj_tag(v_x_157_) == 0)
{
uint8_t v___x_160_; 
v___x_160_ = 0;
return v___x_160_;
}
else
{
lean_object* v_head_161_; lean_object* v_tail_162_; lean_object* v_head_163_; lean_object* v_tail_164_; lean_object* v___x_165_; uint8_t v___x_166_; uint8_t v___x_167_; 
v_head_161_ = lean_ctor_get(v_x_156_, 0);
v_tail_162_ = lean_ctor_get(v_x_156_, 1);
v_head_163_ = lean_ctor_get(v_x_157_, 0);
v_tail_164_ = lean_ctor_get(v_x_157_, 1);
v___x_165_ = lean_obj_once(&l_Gnosis_conformalAdmit___closed__0, &l_Gnosis_conformalAdmit___closed__0_once, _init_l_Gnosis_conformalAdmit___closed__0);
v___x_166_ = lean_int_dec_lt(v___x_165_, v_head_161_);
v___x_167_ = l_Decidable_decide___redArg(v___x_166_);
if (v___x_167_ == 0)
{
return v___x_167_;
}
else
{
lean_object* v___x_168_; uint8_t v___x_169_; uint8_t v___x_170_; 
v___x_168_ = lean_int_mul(v_head_161_, v_head_163_);
v___x_169_ = lean_int_dec_eq(v___x_168_, v_P_155_);
lean_dec(v___x_168_);
v___x_170_ = l_Decidable_decide___redArg(v___x_169_);
if (v___x_170_ == 0)
{
return v___x_170_;
}
else
{
v_x_156_ = v_tail_162_;
v_x_157_ = v_tail_164_;
goto _start;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_cofactors___boxed(lean_object* v_P_172_, lean_object* v_x_173_, lean_object* v_x_174_){
_start:
{
uint8_t v_res_175_; lean_object* v_r_176_; 
v_res_175_ = l_Gnosis_cofactors(v_P_172_, v_x_173_, v_x_174_);
lean_dec(v_x_174_);
lean_dec(v_x_173_);
lean_dec(v_P_172_);
v_r_176_ = lean_box(v_res_175_);
return v_r_176_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_layersFail(lean_object* v_x_177_, lean_object* v_x_178_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_177_) == 0)
{
uint8_t v___x_179_; 
v___x_179_ = 0;
return v___x_179_;
}
else
{
if (lean_obj_tag(v_x_178_) == 0)
{
uint8_t v___x_180_; 
v___x_180_ = 0;
return v___x_180_;
}
else
{
lean_object* v_head_181_; lean_object* v_tail_182_; lean_object* v_head_183_; lean_object* v_tail_184_; lean_object* v___x_185_; lean_object* v___x_186_; uint8_t v___x_187_; uint8_t v___x_188_; 
v_head_181_ = lean_ctor_get(v_x_177_, 0);
v_tail_182_ = lean_ctor_get(v_x_177_, 1);
v_head_183_ = lean_ctor_get(v_x_178_, 0);
v_tail_184_ = lean_ctor_get(v_x_178_, 1);
v___x_185_ = lean_obj_once(&l_Gnosis_conformalAdmit___closed__1, &l_Gnosis_conformalAdmit___closed__1_once, _init_l_Gnosis_conformalAdmit___closed__1);
v___x_186_ = lean_int_mul(v___x_185_, v_head_183_);
v___x_187_ = lean_int_dec_lt(v_head_181_, v___x_186_);
lean_dec(v___x_186_);
v___x_188_ = l_Decidable_decide___redArg(v___x_187_);
if (v___x_188_ == 0)
{
v_x_177_ = v_tail_182_;
v_x_178_ = v_tail_184_;
goto _start;
}
else
{
return v___x_188_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_layersFail___boxed(lean_object* v_x_190_, lean_object* v_x_191_){
_start:
{
uint8_t v_res_192_; lean_object* v_r_193_; 
v_res_192_ = l_Gnosis_layersFail(v_x_190_, v_x_191_);
lean_dec(v_x_191_);
lean_dec(v_x_190_);
v_r_193_ = lean_box(v_res_192_);
return v_r_193_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_layersMaxAdmit(lean_object* v_units_194_, lean_object* v_c_195_, lean_object* v_00_u03b3_196_, lean_object* v_P_197_, lean_object* v_num_198_, lean_object* v_den_199_){
_start:
{
uint8_t v___x_200_; 
v___x_200_ = l_Gnosis_cofactors(v_P_197_, v_c_195_, v_00_u03b3_196_);
if (v___x_200_ == 0)
{
lean_dec(v_c_195_);
lean_dec(v_units_194_);
return v___x_200_;
}
else
{
lean_object* v___x_201_; lean_object* v___x_202_; uint8_t v___x_203_; 
v___x_201_ = lean_alloc_closure((void*)(l_Gnosis_layersMax___boxed), 2, 1);
lean_closure_set(v___x_201_, 0, v_c_195_);
v___x_202_ = l_List_map___redArg(v___x_201_, v_units_194_);
v___x_203_ = l_Gnosis_conformalAdmit(v___x_202_, v_num_198_, v_den_199_, v_P_197_);
return v___x_203_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_layersMaxAdmit___boxed(lean_object* v_units_204_, lean_object* v_c_205_, lean_object* v_00_u03b3_206_, lean_object* v_P_207_, lean_object* v_num_208_, lean_object* v_den_209_){
_start:
{
uint8_t v_res_210_; lean_object* v_r_211_; 
v_res_210_ = l_Gnosis_layersMaxAdmit(v_units_204_, v_c_205_, v_00_u03b3_206_, v_P_207_, v_num_208_, v_den_209_);
lean_dec(v_den_209_);
lean_dec(v_num_208_);
lean_dec(v_P_207_);
lean_dec(v_00_u03b3_206_);
v_r_211_ = lean_box(v_res_210_);
return v_r_211_;
}
}
lean_object* initialize_Gnosis_Core_IntData(uint8_t builtin);
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Lattice(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.ConformalJit
// Imports: public import Gnosis.Decision.Conformal public import Gnosis.Decision.Jit
lean_object* l_Gnosis_conformalThreshold(lean_object*, lean_object*, lean_object*);
lean_object* l_Gnosis_argmax(lean_object*);
lean_object* l_List_map___redArg(lean_object*, lean_object*);
lean_object* l_Gnosis_servedArgmax(lean_object*, lean_object*, lean_object*);
uint8_t l_Gnosis_jitAdmitLowest(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
uint8_t l_Gnosis_jitAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
uint8_t l_Gnosis_conformalAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
uint8_t lean_nat_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* l_Gnosis_entry(lean_object*, lean_object*);
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
uint8_t l_Gnosis_leads(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
uint8_t l_Gnosis_leadsSidecars(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_conformalMarginAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalMarginAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___lam__0(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___lam__0___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_conformalJitAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_conformalMarginAdmitLowest___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_conformalMarginAdmitLowest___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_conformalMarginAdmitLowest(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalMarginAdmitLowest___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_conformalJitAdmitLowest(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmitLowest___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_conformalJitLeadAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalJitLeadAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalServed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_conformalServed___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_conformalMarginAdmit(lean_object* v_scores_1_, lean_object* v_num_2_, lean_object* v_den_3_, lean_object* v_00_u03b3_4_, lean_object* v_z_5_, lean_object* v_w_6_){
_start:
{
uint8_t v___x_7_; 
v___x_7_ = l_Gnosis_conformalAdmit(v_scores_1_, v_num_2_, v_den_3_, v_00_u03b3_4_);
if (v___x_7_ == 0)
{
lean_dec(v_w_6_);
return v___x_7_;
}
else
{
lean_object* v___x_8_; uint8_t v___x_9_; uint8_t v___x_10_; 
v___x_8_ = l_List_length___redArg(v_z_5_);
v___x_9_ = lean_nat_dec_lt(v_w_6_, v___x_8_);
lean_dec(v___x_8_);
v___x_10_ = l_Decidable_decide___redArg(v___x_9_);
if (v___x_10_ == 0)
{
lean_dec(v_w_6_);
return v___x_10_;
}
else
{
lean_object* v___x_11_; lean_object* v___x_12_; uint8_t v___x_13_; 
lean_inc(v_w_6_);
v___x_11_ = l_Gnosis_entry(v_z_5_, v_w_6_);
v___x_12_ = lean_unsigned_to_nat(0u);
v___x_13_ = l_Gnosis_leads(v___x_11_, v_00_u03b3_4_, v_00_u03b3_4_, v_w_6_, v___x_12_, v_z_5_);
lean_dec(v_w_6_);
lean_dec(v___x_11_);
return v___x_13_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalMarginAdmit___boxed(lean_object* v_scores_14_, lean_object* v_num_15_, lean_object* v_den_16_, lean_object* v_00_u03b3_17_, lean_object* v_z_18_, lean_object* v_w_19_){
_start:
{
uint8_t v_res_20_; lean_object* v_r_21_; 
v_res_20_ = l_Gnosis_conformalMarginAdmit(v_scores_14_, v_num_15_, v_den_16_, v_00_u03b3_17_, v_z_18_, v_w_19_);
lean_dec(v_z_18_);
lean_dec(v_00_u03b3_17_);
lean_dec(v_den_16_);
lean_dec(v_num_15_);
v_r_21_ = lean_box(v_res_20_);
return v_r_21_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___lam__0(lean_object* v_val_22_, lean_object* v_x_23_){
_start:
{
lean_inc(v_val_22_);
return v_val_22_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___lam__0___boxed(lean_object* v_val_24_, lean_object* v_x_25_){
_start:
{
lean_object* v_res_26_; 
v_res_26_ = l_Gnosis_conformalJitAdmit___lam__0(v_val_24_, v_x_25_);
lean_dec(v_x_25_);
lean_dec(v_val_24_);
return v_res_26_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_conformalJitAdmit(lean_object* v_scores_27_, lean_object* v_num_28_, lean_object* v_den_29_, lean_object* v_z_30_, lean_object* v_w_31_, lean_object* v_A_32_, lean_object* v_00_u03b3_33_){
_start:
{
lean_object* v___x_34_; 
v___x_34_ = l_Gnosis_conformalThreshold(v_scores_27_, v_num_28_, v_den_29_);
if (lean_obj_tag(v___x_34_) == 0)
{
uint8_t v___x_35_; 
lean_dec(v_00_u03b3_33_);
lean_dec(v_A_32_);
lean_dec(v_w_31_);
lean_dec(v_z_30_);
v___x_35_ = 0;
return v___x_35_;
}
else
{
lean_object* v_val_36_; lean_object* v___f_37_; lean_object* v___x_38_; uint8_t v___x_39_; 
v_val_36_ = lean_ctor_get(v___x_34_, 0);
lean_inc(v_val_36_);
lean_dec_ref_known(v___x_34_, 1);
v___f_37_ = lean_alloc_closure((void*)(l_Gnosis_conformalJitAdmit___lam__0___boxed), 2, 1);
lean_closure_set(v___f_37_, 0, v_val_36_);
lean_inc(v_z_30_);
v___x_38_ = l_List_map___redArg(v___f_37_, v_z_30_);
v___x_39_ = l_Gnosis_jitAdmit(v_z_30_, v_w_31_, v___x_38_, v_A_32_, v_00_u03b3_33_);
lean_dec(v_z_30_);
return v___x_39_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmit___boxed(lean_object* v_scores_40_, lean_object* v_num_41_, lean_object* v_den_42_, lean_object* v_z_43_, lean_object* v_w_44_, lean_object* v_A_45_, lean_object* v_00_u03b3_46_){
_start:
{
uint8_t v_res_47_; lean_object* v_r_48_; 
v_res_47_ = l_Gnosis_conformalJitAdmit(v_scores_40_, v_num_41_, v_den_42_, v_z_43_, v_w_44_, v_A_45_, v_00_u03b3_46_);
lean_dec(v_den_42_);
lean_dec(v_num_41_);
v_r_48_ = lean_box(v_res_47_);
return v_r_48_;
}
}
static lean_object* _init_l_Gnosis_conformalMarginAdmitLowest___closed__0(void){
_start:
{
lean_object* v___x_49_; lean_object* v___x_50_; 
v___x_49_ = lean_unsigned_to_nat(1u);
v___x_50_ = lean_nat_to_int(v___x_49_);
return v___x_50_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_conformalMarginAdmitLowest(lean_object* v_scores_51_, lean_object* v_num_52_, lean_object* v_den_53_, lean_object* v_00_u03b3_54_, lean_object* v_z_55_, lean_object* v_w_56_){
_start:
{
uint8_t v___x_57_; 
v___x_57_ = l_Gnosis_conformalAdmit(v_scores_51_, v_num_52_, v_den_53_, v_00_u03b3_54_);
if (v___x_57_ == 0)
{
lean_dec(v_w_56_);
return v___x_57_;
}
else
{
lean_object* v___x_58_; uint8_t v___x_59_; uint8_t v___x_60_; 
v___x_58_ = l_List_length___redArg(v_z_55_);
v___x_59_ = lean_nat_dec_lt(v_w_56_, v___x_58_);
lean_dec(v___x_58_);
v___x_60_ = l_Decidable_decide___redArg(v___x_59_);
if (v___x_60_ == 0)
{
lean_dec(v_w_56_);
return v___x_60_;
}
else
{
lean_object* v___x_61_; lean_object* v___x_62_; lean_object* v___x_63_; lean_object* v___x_64_; uint8_t v___x_65_; 
lean_inc(v_w_56_);
v___x_61_ = l_Gnosis_entry(v_z_55_, v_w_56_);
v___x_62_ = lean_obj_once(&l_Gnosis_conformalMarginAdmitLowest___closed__0, &l_Gnosis_conformalMarginAdmitLowest___closed__0_once, _init_l_Gnosis_conformalMarginAdmitLowest___closed__0);
v___x_63_ = lean_int_add(v_00_u03b3_54_, v___x_62_);
v___x_64_ = lean_unsigned_to_nat(0u);
v___x_65_ = l_Gnosis_leads(v___x_61_, v___x_63_, v_00_u03b3_54_, v_w_56_, v___x_64_, v_z_55_);
lean_dec(v_w_56_);
lean_dec(v___x_63_);
lean_dec(v___x_61_);
return v___x_65_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalMarginAdmitLowest___boxed(lean_object* v_scores_66_, lean_object* v_num_67_, lean_object* v_den_68_, lean_object* v_00_u03b3_69_, lean_object* v_z_70_, lean_object* v_w_71_){
_start:
{
uint8_t v_res_72_; lean_object* v_r_73_; 
v_res_72_ = l_Gnosis_conformalMarginAdmitLowest(v_scores_66_, v_num_67_, v_den_68_, v_00_u03b3_69_, v_z_70_, v_w_71_);
lean_dec(v_z_70_);
lean_dec(v_00_u03b3_69_);
lean_dec(v_den_68_);
lean_dec(v_num_67_);
v_r_73_ = lean_box(v_res_72_);
return v_r_73_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_conformalJitAdmitLowest(lean_object* v_scores_74_, lean_object* v_num_75_, lean_object* v_den_76_, lean_object* v_z_77_, lean_object* v_w_78_, lean_object* v_A_79_, lean_object* v_00_u03b3_80_){
_start:
{
lean_object* v___x_81_; 
v___x_81_ = l_Gnosis_conformalThreshold(v_scores_74_, v_num_75_, v_den_76_);
if (lean_obj_tag(v___x_81_) == 0)
{
uint8_t v___x_82_; 
lean_dec(v_00_u03b3_80_);
lean_dec(v_A_79_);
lean_dec(v_w_78_);
lean_dec(v_z_77_);
v___x_82_ = 0;
return v___x_82_;
}
else
{
lean_object* v_val_83_; lean_object* v___f_84_; lean_object* v___x_85_; uint8_t v___x_86_; 
v_val_83_ = lean_ctor_get(v___x_81_, 0);
lean_inc(v_val_83_);
lean_dec_ref_known(v___x_81_, 1);
v___f_84_ = lean_alloc_closure((void*)(l_Gnosis_conformalJitAdmit___lam__0___boxed), 2, 1);
lean_closure_set(v___f_84_, 0, v_val_83_);
lean_inc(v_z_77_);
v___x_85_ = l_List_map___redArg(v___f_84_, v_z_77_);
v___x_86_ = l_Gnosis_jitAdmitLowest(v_z_77_, v_w_78_, v___x_85_, v_A_79_, v_00_u03b3_80_);
lean_dec(v_z_77_);
return v___x_86_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalJitAdmitLowest___boxed(lean_object* v_scores_87_, lean_object* v_num_88_, lean_object* v_den_89_, lean_object* v_z_90_, lean_object* v_w_91_, lean_object* v_A_92_, lean_object* v_00_u03b3_93_){
_start:
{
uint8_t v_res_94_; lean_object* v_r_95_; 
v_res_94_ = l_Gnosis_conformalJitAdmitLowest(v_scores_87_, v_num_88_, v_den_89_, v_z_90_, v_w_91_, v_A_92_, v_00_u03b3_93_);
lean_dec(v_den_89_);
lean_dec(v_num_88_);
v_r_95_ = lean_box(v_res_94_);
return v_r_95_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_conformalJitLeadAdmit(lean_object* v_scores_96_, lean_object* v_num_97_, lean_object* v_den_98_, lean_object* v_z_99_, lean_object* v_w_100_, lean_object* v_A_101_){
_start:
{
lean_object* v___x_102_; 
v___x_102_ = l_Gnosis_conformalThreshold(v_scores_96_, v_num_97_, v_den_98_);
if (lean_obj_tag(v___x_102_) == 0)
{
uint8_t v___x_103_; 
lean_dec(v_A_101_);
lean_dec(v_w_100_);
lean_dec(v_z_99_);
v___x_103_ = 0;
return v___x_103_;
}
else
{
lean_object* v_val_104_; lean_object* v___x_105_; uint8_t v___x_106_; uint8_t v___x_107_; 
v_val_104_ = lean_ctor_get(v___x_102_, 0);
lean_inc(v_val_104_);
lean_dec_ref_known(v___x_102_, 1);
v___x_105_ = l_List_length___redArg(v_z_99_);
v___x_106_ = lean_nat_dec_lt(v_w_100_, v___x_105_);
lean_dec(v___x_105_);
v___x_107_ = l_Decidable_decide___redArg(v___x_106_);
if (v___x_107_ == 0)
{
lean_dec(v_val_104_);
lean_dec(v_A_101_);
lean_dec(v_w_100_);
lean_dec(v_z_99_);
return v___x_107_;
}
else
{
lean_object* v___x_108_; lean_object* v___x_109_; lean_object* v___x_110_; lean_object* v___x_111_; uint8_t v___x_112_; 
v___x_108_ = lean_box(0);
v___x_109_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_109_, 0, v_val_104_);
lean_ctor_set(v___x_109_, 1, v___x_108_);
lean_inc(v_w_100_);
v___x_110_ = l_Gnosis_entry(v_z_99_, v_w_100_);
v___x_111_ = lean_unsigned_to_nat(0u);
v___x_112_ = l_Gnosis_leadsSidecars(v___x_109_, v_A_101_, v___x_110_, v_w_100_, v___x_111_, v_z_99_);
lean_dec(v_w_100_);
return v___x_112_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalJitLeadAdmit___boxed(lean_object* v_scores_113_, lean_object* v_num_114_, lean_object* v_den_115_, lean_object* v_z_116_, lean_object* v_w_117_, lean_object* v_A_118_){
_start:
{
uint8_t v_res_119_; lean_object* v_r_120_; 
v_res_119_ = l_Gnosis_conformalJitLeadAdmit(v_scores_113_, v_num_114_, v_den_115_, v_z_116_, v_w_117_, v_A_118_);
lean_dec(v_den_115_);
lean_dec(v_num_114_);
v_r_120_ = lean_box(v_res_119_);
return v_r_120_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalServed(lean_object* v_scores_121_, lean_object* v_num_122_, lean_object* v_den_123_, lean_object* v_coarse_124_, lean_object* v_exact_125_){
_start:
{
lean_object* v___x_126_; 
v___x_126_ = l_Gnosis_conformalThreshold(v_scores_121_, v_num_122_, v_den_123_);
if (lean_obj_tag(v___x_126_) == 0)
{
lean_object* v___x_127_; 
lean_dec(v_coarse_124_);
v___x_127_ = l_Gnosis_argmax(v_exact_125_);
return v___x_127_;
}
else
{
lean_object* v_val_128_; lean_object* v___f_129_; lean_object* v___x_130_; lean_object* v___x_131_; 
v_val_128_ = lean_ctor_get(v___x_126_, 0);
lean_inc(v_val_128_);
lean_dec_ref_known(v___x_126_, 1);
v___f_129_ = lean_alloc_closure((void*)(l_Gnosis_conformalJitAdmit___lam__0___boxed), 2, 1);
lean_closure_set(v___f_129_, 0, v_val_128_);
lean_inc(v_coarse_124_);
v___x_130_ = l_List_map___redArg(v___f_129_, v_coarse_124_);
v___x_131_ = l_Gnosis_servedArgmax(v_coarse_124_, v_exact_125_, v___x_130_);
return v___x_131_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_conformalServed___boxed(lean_object* v_scores_132_, lean_object* v_num_133_, lean_object* v_den_134_, lean_object* v_coarse_135_, lean_object* v_exact_136_){
_start:
{
lean_object* v_res_137_; 
v_res_137_ = l_Gnosis_conformalServed(v_scores_132_, v_num_133_, v_den_134_, v_coarse_135_, v_exact_136_);
lean_dec(v_exact_136_);
lean_dec(v_den_134_);
lean_dec(v_num_133_);
return v_res_137_;
}
}
lean_object* initialize_Gnosis_Decision_Conformal(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Jit(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Cumloss
// Imports: public import Gnosis.Core.ListData public import Gnosis.Decision.Search
lean_object* lean_nat_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* lean_nat_mul(lean_object*, lean_object*);
lean_object* lean_nat_pow(lean_object*, lean_object*);
lean_object* l_Gnosis_leastFrom(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_betOk(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_betOk___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_stepFactor(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_stepFactor___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_covered(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_covered___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_cumlossAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_cumlossAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_cumlossStep(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_cumlossStep___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_pays(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_pays___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_reservePays(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_reservePays___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leastCharge(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leastReserve(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_chargeAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_chargeAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_chargeSettle(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_chargeSettle___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_chargeRun(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_chargeRun___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_unionAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_unionAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_unionLife___lam__0(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_unionLife___lam__0___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_unionLife(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_stakeAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_stakeAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingFactor(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingFactor___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_stepsOk(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_stepsOk___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingNum(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingNum___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingDen(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingDen___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_bettingRejects(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingRejects___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperFrom(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperFrom___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpper(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpper___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_claimUpperFrom(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_claimUpperBound(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_claimRejected(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_claimRejected___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_claimBound(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperBound(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperBound___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_mirrored(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_mirrored___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingLowerBound(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_bettingLowerBound___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_betOk(lean_object* v_N_1_, lean_object* v_p_2_, lean_object* v_q_3_){
_start:
{
lean_object* v___x_4_; uint8_t v___x_5_; 
v___x_4_ = lean_unsigned_to_nat(1u);
v___x_5_ = lean_nat_dec_le(v___x_4_, v_N_1_);
if (v___x_5_ == 0)
{
return v___x_5_;
}
else
{
uint8_t v___x_6_; 
v___x_6_ = lean_nat_dec_le(v___x_4_, v_q_3_);
if (v___x_6_ == 0)
{
return v___x_6_;
}
else
{
uint8_t v___x_7_; 
v___x_7_ = lean_nat_dec_le(v_q_3_, v_p_2_);
return v___x_7_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_betOk___boxed(lean_object* v_N_8_, lean_object* v_p_9_, lean_object* v_q_10_){
_start:
{
uint8_t v_res_11_; lean_object* v_r_12_; 
v_res_11_ = l_Gnosis_betOk(v_N_8_, v_p_9_, v_q_10_);
lean_dec(v_q_10_);
lean_dec(v_p_9_);
lean_dec(v_N_8_);
v_r_12_ = lean_box(v_res_11_);
return v_r_12_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_stepFactor(lean_object* v_N_13_, lean_object* v_p_14_, lean_object* v_q_15_, lean_object* v_u_16_){
_start:
{
lean_object* v___x_17_; lean_object* v___x_18_; lean_object* v___x_19_; lean_object* v___x_20_; lean_object* v___x_21_; lean_object* v___x_22_; 
v___x_17_ = lean_nat_pow(v_q_15_, v_N_13_);
v___x_18_ = lean_nat_mul(v_N_13_, v___x_17_);
v___x_19_ = lean_nat_pow(v_p_14_, v_N_13_);
v___x_20_ = lean_nat_sub(v___x_19_, v___x_17_);
lean_dec(v___x_17_);
lean_dec(v___x_19_);
v___x_21_ = lean_nat_mul(v_u_16_, v___x_20_);
lean_dec(v___x_20_);
v___x_22_ = lean_nat_add(v___x_18_, v___x_21_);
lean_dec(v___x_21_);
lean_dec(v___x_18_);
return v___x_22_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_stepFactor___boxed(lean_object* v_N_23_, lean_object* v_p_24_, lean_object* v_q_25_, lean_object* v_u_26_){
_start:
{
lean_object* v_res_27_; 
v_res_27_ = l_Gnosis_stepFactor(v_N_23_, v_p_24_, v_q_25_, v_u_26_);
lean_dec(v_u_26_);
lean_dec(v_q_25_);
lean_dec(v_p_24_);
lean_dec(v_N_23_);
return v_res_27_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_covered(lean_object* v_N_28_, lean_object* v_p_29_, lean_object* v_q_30_, lean_object* v_n_u03b4_31_, lean_object* v_d_u03b4_32_, lean_object* v_t_33_, lean_object* v_L_34_, lean_object* v_b_35_){
_start:
{
uint8_t v___x_36_; 
v___x_36_ = l_Gnosis_betOk(v_N_28_, v_p_29_, v_q_30_);
if (v___x_36_ == 0)
{
return v___x_36_;
}
else
{
lean_object* v___x_37_; uint8_t v___x_38_; 
v___x_37_ = lean_unsigned_to_nat(1u);
v___x_38_ = lean_nat_dec_le(v___x_37_, v_d_u03b4_32_);
if (v___x_38_ == 0)
{
return v___x_38_;
}
else
{
lean_object* v___x_39_; lean_object* v___x_40_; lean_object* v___x_41_; lean_object* v___x_42_; lean_object* v___x_43_; lean_object* v___x_44_; lean_object* v___x_45_; lean_object* v___x_46_; lean_object* v___x_47_; lean_object* v___x_48_; uint8_t v___x_49_; 
v___x_39_ = lean_nat_pow(v_q_30_, v_b_35_);
v___x_40_ = lean_nat_mul(v_L_34_, v___x_39_);
lean_dec(v___x_39_);
v___x_41_ = lean_nat_mul(v_d_u03b4_32_, v___x_40_);
lean_dec(v___x_40_);
v___x_42_ = lean_nat_pow(v_N_28_, v_t_33_);
v___x_43_ = lean_nat_mul(v_t_33_, v_N_28_);
v___x_44_ = lean_nat_pow(v_q_30_, v___x_43_);
lean_dec(v___x_43_);
v___x_45_ = lean_nat_mul(v___x_42_, v___x_44_);
lean_dec(v___x_44_);
lean_dec(v___x_42_);
v___x_46_ = lean_nat_pow(v_p_29_, v_b_35_);
v___x_47_ = lean_nat_mul(v___x_45_, v___x_46_);
lean_dec(v___x_46_);
lean_dec(v___x_45_);
v___x_48_ = lean_nat_mul(v_n_u03b4_31_, v___x_47_);
lean_dec(v___x_47_);
v___x_49_ = lean_nat_dec_le(v___x_41_, v___x_48_);
lean_dec(v___x_48_);
lean_dec(v___x_41_);
return v___x_49_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_covered___boxed(lean_object* v_N_50_, lean_object* v_p_51_, lean_object* v_q_52_, lean_object* v_n_u03b4_53_, lean_object* v_d_u03b4_54_, lean_object* v_t_55_, lean_object* v_L_56_, lean_object* v_b_57_){
_start:
{
uint8_t v_res_58_; lean_object* v_r_59_; 
v_res_58_ = l_Gnosis_covered(v_N_50_, v_p_51_, v_q_52_, v_n_u03b4_53_, v_d_u03b4_54_, v_t_55_, v_L_56_, v_b_57_);
lean_dec(v_b_57_);
lean_dec(v_L_56_);
lean_dec(v_t_55_);
lean_dec(v_d_u03b4_54_);
lean_dec(v_n_u03b4_53_);
lean_dec(v_q_52_);
lean_dec(v_p_51_);
lean_dec(v_N_50_);
v_r_59_ = lean_box(v_res_58_);
return v_r_59_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_cumlossAdmit(lean_object* v_N_60_, lean_object* v_p_61_, lean_object* v_q_62_, lean_object* v_n_u03b4_63_, lean_object* v_d_u03b4_64_, lean_object* v_t_65_, lean_object* v_L_66_, lean_object* v_u_67_, lean_object* v_b_68_){
_start:
{
lean_object* v___x_69_; lean_object* v___x_70_; lean_object* v___x_71_; lean_object* v___x_72_; uint8_t v___x_73_; 
v___x_69_ = lean_unsigned_to_nat(1u);
v___x_70_ = lean_nat_add(v_t_65_, v___x_69_);
v___x_71_ = l_Gnosis_stepFactor(v_N_60_, v_p_61_, v_q_62_, v_u_67_);
v___x_72_ = lean_nat_mul(v_L_66_, v___x_71_);
lean_dec(v___x_71_);
v___x_73_ = l_Gnosis_covered(v_N_60_, v_p_61_, v_q_62_, v_n_u03b4_63_, v_d_u03b4_64_, v___x_70_, v___x_72_, v_b_68_);
lean_dec(v___x_72_);
lean_dec(v___x_70_);
return v___x_73_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_cumlossAdmit___boxed(lean_object* v_N_74_, lean_object* v_p_75_, lean_object* v_q_76_, lean_object* v_n_u03b4_77_, lean_object* v_d_u03b4_78_, lean_object* v_t_79_, lean_object* v_L_80_, lean_object* v_u_81_, lean_object* v_b_82_){
_start:
{
uint8_t v_res_83_; lean_object* v_r_84_; 
v_res_83_ = l_Gnosis_cumlossAdmit(v_N_74_, v_p_75_, v_q_76_, v_n_u03b4_77_, v_d_u03b4_78_, v_t_79_, v_L_80_, v_u_81_, v_b_82_);
lean_dec(v_b_82_);
lean_dec(v_u_81_);
lean_dec(v_L_80_);
lean_dec(v_t_79_);
lean_dec(v_d_u03b4_78_);
lean_dec(v_n_u03b4_77_);
lean_dec(v_q_76_);
lean_dec(v_p_75_);
lean_dec(v_N_74_);
v_r_84_ = lean_box(v_res_83_);
return v_r_84_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_cumlossStep(lean_object* v_N_85_, lean_object* v_p_86_, lean_object* v_q_87_, lean_object* v_n_u03b4_88_, lean_object* v_d_u03b4_89_, lean_object* v_t_90_, lean_object* v_L_91_, lean_object* v_u_92_, lean_object* v_b_93_){
_start:
{
lean_object* v___y_95_; uint8_t v___x_98_; 
v___x_98_ = l_Gnosis_cumlossAdmit(v_N_85_, v_p_86_, v_q_87_, v_n_u03b4_88_, v_d_u03b4_89_, v_t_90_, v_L_91_, v_u_92_, v_b_93_);
if (v___x_98_ == 0)
{
lean_object* v___x_99_; 
v___x_99_ = lean_unsigned_to_nat(0u);
v___y_95_ = v___x_99_;
goto v___jp_94_;
}
else
{
v___y_95_ = v_u_92_;
goto v___jp_94_;
}
v___jp_94_:
{
lean_object* v___x_96_; lean_object* v___x_97_; 
v___x_96_ = l_Gnosis_stepFactor(v_N_85_, v_p_86_, v_q_87_, v___y_95_);
v___x_97_ = lean_nat_mul(v_L_91_, v___x_96_);
lean_dec(v___x_96_);
return v___x_97_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_cumlossStep___boxed(lean_object* v_N_100_, lean_object* v_p_101_, lean_object* v_q_102_, lean_object* v_n_u03b4_103_, lean_object* v_d_u03b4_104_, lean_object* v_t_105_, lean_object* v_L_106_, lean_object* v_u_107_, lean_object* v_b_108_){
_start:
{
lean_object* v_res_109_; 
v_res_109_ = l_Gnosis_cumlossStep(v_N_100_, v_p_101_, v_q_102_, v_n_u03b4_103_, v_d_u03b4_104_, v_t_105_, v_L_106_, v_u_107_, v_b_108_);
lean_dec(v_b_108_);
lean_dec(v_u_107_);
lean_dec(v_L_106_);
lean_dec(v_t_105_);
lean_dec(v_d_u03b4_104_);
lean_dec(v_n_u03b4_103_);
lean_dec(v_q_102_);
lean_dec(v_p_101_);
lean_dec(v_N_100_);
return v_res_109_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_pays(lean_object* v_N_110_, lean_object* v_p_111_, lean_object* v_q_112_, lean_object* v_u_113_, lean_object* v_a_114_){
_start:
{
uint8_t v___x_115_; 
v___x_115_ = l_Gnosis_betOk(v_N_110_, v_p_111_, v_q_112_);
if (v___x_115_ == 0)
{
return v___x_115_;
}
else
{
lean_object* v___x_116_; lean_object* v___x_117_; lean_object* v___x_118_; lean_object* v___x_119_; lean_object* v___x_120_; lean_object* v___x_121_; lean_object* v___x_122_; uint8_t v___x_123_; 
v___x_116_ = l_Gnosis_stepFactor(v_N_110_, v_p_111_, v_q_112_, v_u_113_);
v___x_117_ = lean_nat_pow(v_q_112_, v_a_114_);
v___x_118_ = lean_nat_mul(v___x_116_, v___x_117_);
lean_dec(v___x_117_);
lean_dec(v___x_116_);
v___x_119_ = lean_nat_pow(v_q_112_, v_N_110_);
v___x_120_ = lean_nat_mul(v_N_110_, v___x_119_);
lean_dec(v___x_119_);
v___x_121_ = lean_nat_pow(v_p_111_, v_a_114_);
v___x_122_ = lean_nat_mul(v___x_120_, v___x_121_);
lean_dec(v___x_121_);
lean_dec(v___x_120_);
v___x_123_ = lean_nat_dec_le(v___x_118_, v___x_122_);
lean_dec(v___x_122_);
lean_dec(v___x_118_);
return v___x_123_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_pays___boxed(lean_object* v_N_124_, lean_object* v_p_125_, lean_object* v_q_126_, lean_object* v_u_127_, lean_object* v_a_128_){
_start:
{
uint8_t v_res_129_; lean_object* v_r_130_; 
v_res_129_ = l_Gnosis_pays(v_N_124_, v_p_125_, v_q_126_, v_u_127_, v_a_128_);
lean_dec(v_a_128_);
lean_dec(v_u_127_);
lean_dec(v_q_126_);
lean_dec(v_p_125_);
lean_dec(v_N_124_);
v_r_130_ = lean_box(v_res_129_);
return v_r_130_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_reservePays(lean_object* v_p_131_, lean_object* v_q_132_, lean_object* v_n_u03b4_133_, lean_object* v_d_u03b4_134_, lean_object* v_r_135_){
_start:
{
lean_object* v___x_136_; uint8_t v___x_137_; 
v___x_136_ = lean_unsigned_to_nat(1u);
v___x_137_ = lean_nat_dec_le(v___x_136_, v_q_132_);
if (v___x_137_ == 0)
{
return v___x_137_;
}
else
{
uint8_t v___x_138_; 
v___x_138_ = lean_nat_dec_le(v_q_132_, v_p_131_);
if (v___x_138_ == 0)
{
return v___x_138_;
}
else
{
uint8_t v___x_139_; 
v___x_139_ = lean_nat_dec_le(v___x_136_, v_d_u03b4_134_);
if (v___x_139_ == 0)
{
return v___x_139_;
}
else
{
lean_object* v___x_140_; lean_object* v___x_141_; lean_object* v___x_142_; lean_object* v___x_143_; uint8_t v___x_144_; 
v___x_140_ = lean_nat_pow(v_q_132_, v_r_135_);
v___x_141_ = lean_nat_mul(v_d_u03b4_134_, v___x_140_);
lean_dec(v___x_140_);
v___x_142_ = lean_nat_pow(v_p_131_, v_r_135_);
v___x_143_ = lean_nat_mul(v_n_u03b4_133_, v___x_142_);
lean_dec(v___x_142_);
v___x_144_ = lean_nat_dec_le(v___x_141_, v___x_143_);
lean_dec(v___x_143_);
lean_dec(v___x_141_);
return v___x_144_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_reservePays___boxed(lean_object* v_p_145_, lean_object* v_q_146_, lean_object* v_n_u03b4_147_, lean_object* v_d_u03b4_148_, lean_object* v_r_149_){
_start:
{
uint8_t v_res_150_; lean_object* v_r_151_; 
v_res_150_ = l_Gnosis_reservePays(v_p_145_, v_q_146_, v_n_u03b4_147_, v_d_u03b4_148_, v_r_149_);
lean_dec(v_r_149_);
lean_dec(v_d_u03b4_148_);
lean_dec(v_n_u03b4_147_);
lean_dec(v_q_146_);
lean_dec(v_p_145_);
v_r_151_ = lean_box(v_res_150_);
return v_r_151_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_leastCharge(lean_object* v_N_152_, lean_object* v_p_153_, lean_object* v_q_154_, lean_object* v_u_155_){
_start:
{
lean_object* v___x_156_; lean_object* v___x_157_; lean_object* v___x_158_; 
lean_inc(v_N_152_);
v___x_156_ = lean_alloc_closure((void*)(l_Gnosis_pays___boxed), 5, 4);
lean_closure_set(v___x_156_, 0, v_N_152_);
lean_closure_set(v___x_156_, 1, v_p_153_);
lean_closure_set(v___x_156_, 2, v_q_154_);
lean_closure_set(v___x_156_, 3, v_u_155_);
v___x_157_ = lean_unsigned_to_nat(0u);
v___x_158_ = l_Gnosis_leastFrom(v___x_156_, v___x_157_, v_N_152_);
return v___x_158_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_leastReserve(lean_object* v_p_159_, lean_object* v_q_160_, lean_object* v_n_u03b4_161_, lean_object* v_d_u03b4_162_){
_start:
{
lean_object* v___x_163_; lean_object* v___x_164_; lean_object* v___x_165_; lean_object* v___x_166_; 
lean_inc(v_d_u03b4_162_);
lean_inc(v_q_160_);
v___x_163_ = lean_alloc_closure((void*)(l_Gnosis_reservePays___boxed), 5, 4);
lean_closure_set(v___x_163_, 0, v_p_159_);
lean_closure_set(v___x_163_, 1, v_q_160_);
lean_closure_set(v___x_163_, 2, v_n_u03b4_161_);
lean_closure_set(v___x_163_, 3, v_d_u03b4_162_);
v___x_164_ = lean_unsigned_to_nat(0u);
v___x_165_ = lean_nat_mul(v_q_160_, v_d_u03b4_162_);
lean_dec(v_d_u03b4_162_);
lean_dec(v_q_160_);
v___x_166_ = l_Gnosis_leastFrom(v___x_163_, v___x_164_, v___x_165_);
return v___x_166_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_chargeAdmit(lean_object* v_account_167_, lean_object* v_offer_168_, lean_object* v_budget_169_){
_start:
{
lean_object* v___x_170_; uint8_t v___x_171_; 
v___x_170_ = lean_nat_add(v_account_167_, v_offer_168_);
v___x_171_ = lean_nat_dec_le(v___x_170_, v_budget_169_);
lean_dec(v___x_170_);
return v___x_171_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_chargeAdmit___boxed(lean_object* v_account_172_, lean_object* v_offer_173_, lean_object* v_budget_174_){
_start:
{
uint8_t v_res_175_; lean_object* v_r_176_; 
v_res_175_ = l_Gnosis_chargeAdmit(v_account_172_, v_offer_173_, v_budget_174_);
lean_dec(v_budget_174_);
lean_dec(v_offer_173_);
lean_dec(v_account_172_);
v_r_176_ = lean_box(v_res_175_);
return v_r_176_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_chargeSettle(lean_object* v_account_177_, lean_object* v_offer_178_, lean_object* v_charge_179_, lean_object* v_budget_180_){
_start:
{
uint8_t v___x_181_; 
v___x_181_ = l_Gnosis_chargeAdmit(v_account_177_, v_offer_178_, v_budget_180_);
if (v___x_181_ == 0)
{
lean_inc(v_account_177_);
return v_account_177_;
}
else
{
lean_object* v___x_182_; 
v___x_182_ = lean_nat_add(v_account_177_, v_charge_179_);
return v___x_182_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_chargeSettle___boxed(lean_object* v_account_183_, lean_object* v_offer_184_, lean_object* v_charge_185_, lean_object* v_budget_186_){
_start:
{
lean_object* v_res_187_; 
v_res_187_ = l_Gnosis_chargeSettle(v_account_183_, v_offer_184_, v_charge_185_, v_budget_186_);
lean_dec(v_budget_186_);
lean_dec(v_charge_185_);
lean_dec(v_offer_184_);
lean_dec(v_account_183_);
return v_res_187_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_chargeRun(lean_object* v_account_188_, lean_object* v_x_189_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_189_) == 0)
{
lean_object* v___x_190_; 
v___x_190_ = lean_box(0);
return v___x_190_;
}
else
{
lean_object* v_head_191_; lean_object* v_snd_192_; lean_object* v_tail_193_; lean_object* v___x_195_; uint8_t v_isShared_196_; uint8_t v_isSharedCheck_207_; 
v_head_191_ = lean_ctor_get(v_x_189_, 0);
lean_inc(v_head_191_);
v_snd_192_ = lean_ctor_get(v_head_191_, 1);
lean_inc(v_snd_192_);
v_tail_193_ = lean_ctor_get(v_x_189_, 1);
v_isSharedCheck_207_ = !lean_is_exclusive(v_x_189_);
if (v_isSharedCheck_207_ == 0)
{
lean_object* v_unused_208_; 
v_unused_208_ = lean_ctor_get(v_x_189_, 0);
lean_dec(v_unused_208_);
v___x_195_ = v_x_189_;
v_isShared_196_ = v_isSharedCheck_207_;
goto v_resetjp_194_;
}
else
{
lean_inc(v_tail_193_);
lean_dec(v_x_189_);
v___x_195_ = lean_box(0);
v_isShared_196_ = v_isSharedCheck_207_;
goto v_resetjp_194_;
}
v_resetjp_194_:
{
lean_object* v_fst_197_; lean_object* v_fst_198_; lean_object* v_snd_199_; uint8_t v___x_200_; lean_object* v___x_201_; lean_object* v___x_202_; lean_object* v___x_203_; lean_object* v___x_205_; 
v_fst_197_ = lean_ctor_get(v_head_191_, 0);
lean_inc(v_fst_197_);
lean_dec(v_head_191_);
v_fst_198_ = lean_ctor_get(v_snd_192_, 0);
lean_inc(v_fst_198_);
v_snd_199_ = lean_ctor_get(v_snd_192_, 1);
lean_inc(v_snd_199_);
lean_dec(v_snd_192_);
v___x_200_ = l_Gnosis_chargeAdmit(v_account_188_, v_fst_197_, v_snd_199_);
v___x_201_ = l_Gnosis_chargeSettle(v_account_188_, v_fst_197_, v_fst_198_, v_snd_199_);
lean_dec(v_snd_199_);
lean_dec(v_fst_198_);
lean_dec(v_fst_197_);
v___x_202_ = l_Gnosis_chargeRun(v___x_201_, v_tail_193_);
lean_dec(v___x_201_);
v___x_203_ = lean_box(v___x_200_);
if (v_isShared_196_ == 0)
{
lean_ctor_set(v___x_195_, 1, v___x_202_);
lean_ctor_set(v___x_195_, 0, v___x_203_);
v___x_205_ = v___x_195_;
goto v_reusejp_204_;
}
else
{
lean_object* v_reuseFailAlloc_206_; 
v_reuseFailAlloc_206_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_206_, 0, v___x_203_);
lean_ctor_set(v_reuseFailAlloc_206_, 1, v___x_202_);
v___x_205_ = v_reuseFailAlloc_206_;
goto v_reusejp_204_;
}
v_reusejp_204_:
{
return v___x_205_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_chargeRun___boxed(lean_object* v_account_209_, lean_object* v_x_210_){
_start:
{
lean_object* v_res_211_; 
v_res_211_ = l_Gnosis_chargeRun(v_account_209_, v_x_210_);
lean_dec(v_account_209_);
return v_res_211_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_unionAdmit(lean_object* v_n_u03b4_212_, lean_object* v_d_u03b4_213_, lean_object* v_n_u03c0_214_, lean_object* v_d_u03c0_215_, lean_object* v_t_216_){
_start:
{
lean_object* v___x_217_; uint8_t v___x_218_; 
v___x_217_ = lean_unsigned_to_nat(1u);
v___x_218_ = lean_nat_dec_le(v___x_217_, v_d_u03b4_213_);
if (v___x_218_ == 0)
{
return v___x_218_;
}
else
{
uint8_t v___x_219_; 
v___x_219_ = lean_nat_dec_le(v___x_217_, v_d_u03c0_215_);
if (v___x_219_ == 0)
{
return v___x_219_;
}
else
{
lean_object* v___x_220_; lean_object* v___x_221_; lean_object* v___x_222_; lean_object* v___x_223_; lean_object* v___x_224_; lean_object* v___x_225_; lean_object* v___x_226_; uint8_t v___x_227_; 
v___x_220_ = lean_nat_mul(v_n_u03c0_214_, v_d_u03b4_213_);
v___x_221_ = lean_nat_add(v_t_216_, v___x_217_);
v___x_222_ = lean_unsigned_to_nat(2u);
v___x_223_ = lean_nat_add(v_t_216_, v___x_222_);
v___x_224_ = lean_nat_mul(v___x_221_, v___x_223_);
lean_dec(v___x_223_);
lean_dec(v___x_221_);
v___x_225_ = lean_nat_mul(v___x_220_, v___x_224_);
lean_dec(v___x_224_);
lean_dec(v___x_220_);
v___x_226_ = lean_nat_mul(v_n_u03b4_212_, v_d_u03c0_215_);
v___x_227_ = lean_nat_dec_le(v___x_225_, v___x_226_);
lean_dec(v___x_226_);
lean_dec(v___x_225_);
return v___x_227_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_unionAdmit___boxed(lean_object* v_n_u03b4_228_, lean_object* v_d_u03b4_229_, lean_object* v_n_u03c0_230_, lean_object* v_d_u03c0_231_, lean_object* v_t_232_){
_start:
{
uint8_t v_res_233_; lean_object* v_r_234_; 
v_res_233_ = l_Gnosis_unionAdmit(v_n_u03b4_228_, v_d_u03b4_229_, v_n_u03c0_230_, v_d_u03c0_231_, v_t_232_);
lean_dec(v_t_232_);
lean_dec(v_d_u03c0_231_);
lean_dec(v_n_u03c0_230_);
lean_dec(v_d_u03b4_229_);
lean_dec(v_n_u03b4_228_);
v_r_234_ = lean_box(v_res_233_);
return v_r_234_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_unionLife___lam__0(lean_object* v_n_u03b4_235_, lean_object* v_d_u03b4_236_, lean_object* v_n_u03c0_237_, lean_object* v_d_u03c0_238_, lean_object* v_t_239_){
_start:
{
uint8_t v___x_240_; 
v___x_240_ = l_Gnosis_unionAdmit(v_n_u03b4_235_, v_d_u03b4_236_, v_n_u03c0_237_, v_d_u03c0_238_, v_t_239_);
if (v___x_240_ == 0)
{
uint8_t v___x_241_; 
v___x_241_ = 1;
return v___x_241_;
}
else
{
uint8_t v___x_242_; 
v___x_242_ = 0;
return v___x_242_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_unionLife___lam__0___boxed(lean_object* v_n_u03b4_243_, lean_object* v_d_u03b4_244_, lean_object* v_n_u03c0_245_, lean_object* v_d_u03c0_246_, lean_object* v_t_247_){
_start:
{
uint8_t v_res_248_; lean_object* v_r_249_; 
v_res_248_ = l_Gnosis_unionLife___lam__0(v_n_u03b4_243_, v_d_u03b4_244_, v_n_u03c0_245_, v_d_u03c0_246_, v_t_247_);
lean_dec(v_t_247_);
lean_dec(v_d_u03c0_246_);
lean_dec(v_n_u03c0_245_);
lean_dec(v_d_u03b4_244_);
lean_dec(v_n_u03b4_243_);
v_r_249_ = lean_box(v_res_248_);
return v_r_249_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_unionLife(lean_object* v_n_u03b4_250_, lean_object* v_d_u03b4_251_, lean_object* v_n_u03c0_252_, lean_object* v_d_u03c0_253_){
_start:
{
lean_object* v___f_254_; lean_object* v___x_255_; lean_object* v___x_256_; lean_object* v___x_257_; 
lean_inc(v_d_u03c0_253_);
lean_inc(v_n_u03b4_250_);
v___f_254_ = lean_alloc_closure((void*)(l_Gnosis_unionLife___lam__0___boxed), 5, 4);
lean_closure_set(v___f_254_, 0, v_n_u03b4_250_);
lean_closure_set(v___f_254_, 1, v_d_u03b4_251_);
lean_closure_set(v___f_254_, 2, v_n_u03c0_252_);
lean_closure_set(v___f_254_, 3, v_d_u03c0_253_);
v___x_255_ = lean_unsigned_to_nat(0u);
v___x_256_ = lean_nat_mul(v_n_u03b4_250_, v_d_u03c0_253_);
lean_dec(v_d_u03c0_253_);
lean_dec(v_n_u03b4_250_);
v___x_257_ = l_Gnosis_leastFrom(v___f_254_, v___x_255_, v___x_256_);
return v___x_257_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_stakeAdmit(lean_object* v_N_258_, lean_object* v_m_259_, lean_object* v_b_260_, lean_object* v_a_261_){
_start:
{
lean_object* v___x_262_; uint8_t v___x_263_; 
v___x_262_ = lean_unsigned_to_nat(1u);
v___x_263_ = lean_nat_dec_le(v___x_262_, v_N_258_);
if (v___x_263_ == 0)
{
return v___x_263_;
}
else
{
uint8_t v___x_264_; 
v___x_264_ = lean_nat_dec_le(v___x_262_, v_b_260_);
if (v___x_264_ == 0)
{
return v___x_264_;
}
else
{
uint8_t v___x_265_; 
v___x_265_ = lean_nat_dec_le(v_m_259_, v_N_258_);
if (v___x_265_ == 0)
{
return v___x_265_;
}
else
{
lean_object* v___x_266_; lean_object* v___x_267_; lean_object* v___x_268_; lean_object* v___x_269_; uint8_t v___x_270_; 
v___x_266_ = lean_nat_mul(v_a_261_, v_N_258_);
v___x_267_ = lean_nat_mul(v_b_260_, v_N_258_);
v___x_268_ = lean_nat_mul(v_a_261_, v_m_259_);
v___x_269_ = lean_nat_add(v___x_267_, v___x_268_);
lean_dec(v___x_268_);
lean_dec(v___x_267_);
v___x_270_ = lean_nat_dec_le(v___x_266_, v___x_269_);
lean_dec(v___x_269_);
lean_dec(v___x_266_);
return v___x_270_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_stakeAdmit___boxed(lean_object* v_N_271_, lean_object* v_m_272_, lean_object* v_b_273_, lean_object* v_a_274_){
_start:
{
uint8_t v_res_275_; lean_object* v_r_276_; 
v_res_275_ = l_Gnosis_stakeAdmit(v_N_271_, v_m_272_, v_b_273_, v_a_274_);
lean_dec(v_a_274_);
lean_dec(v_b_273_);
lean_dec(v_m_272_);
lean_dec(v_N_271_);
v_r_276_ = lean_box(v_res_275_);
return v_r_276_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingFactor(lean_object* v_N_277_, lean_object* v_m_278_, lean_object* v_b_279_, lean_object* v_a_280_, lean_object* v_x_281_){
_start:
{
lean_object* v___x_282_; lean_object* v___x_283_; lean_object* v___x_284_; lean_object* v___x_285_; lean_object* v___x_286_; 
v___x_282_ = lean_nat_mul(v_b_279_, v_N_277_);
v___x_283_ = lean_nat_mul(v_a_280_, v_m_278_);
v___x_284_ = lean_nat_add(v___x_282_, v___x_283_);
lean_dec(v___x_283_);
lean_dec(v___x_282_);
v___x_285_ = lean_nat_mul(v_a_280_, v_x_281_);
v___x_286_ = lean_nat_sub(v___x_284_, v___x_285_);
lean_dec(v___x_285_);
lean_dec(v___x_284_);
return v___x_286_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingFactor___boxed(lean_object* v_N_287_, lean_object* v_m_288_, lean_object* v_b_289_, lean_object* v_a_290_, lean_object* v_x_291_){
_start:
{
lean_object* v_res_292_; 
v_res_292_ = l_Gnosis_bettingFactor(v_N_287_, v_m_288_, v_b_289_, v_a_290_, v_x_291_);
lean_dec(v_x_291_);
lean_dec(v_a_290_);
lean_dec(v_b_289_);
lean_dec(v_m_288_);
lean_dec(v_N_287_);
return v_res_292_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_stepsOk(lean_object* v_N_293_, lean_object* v_m_294_, lean_object* v_b_295_, lean_object* v_x_296_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_296_) == 0)
{
uint8_t v___x_297_; 
v___x_297_ = 1;
return v___x_297_;
}
else
{
lean_object* v_head_298_; lean_object* v_tail_299_; lean_object* v_fst_300_; lean_object* v_snd_301_; uint8_t v___x_302_; 
v_head_298_ = lean_ctor_get(v_x_296_, 0);
v_tail_299_ = lean_ctor_get(v_x_296_, 1);
v_fst_300_ = lean_ctor_get(v_head_298_, 0);
v_snd_301_ = lean_ctor_get(v_head_298_, 1);
v___x_302_ = l_Gnosis_stakeAdmit(v_N_293_, v_m_294_, v_b_295_, v_fst_300_);
if (v___x_302_ == 0)
{
return v___x_302_;
}
else
{
uint8_t v___x_303_; 
v___x_303_ = lean_nat_dec_le(v_snd_301_, v_N_293_);
if (v___x_303_ == 0)
{
return v___x_303_;
}
else
{
v_x_296_ = v_tail_299_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_stepsOk___boxed(lean_object* v_N_305_, lean_object* v_m_306_, lean_object* v_b_307_, lean_object* v_x_308_){
_start:
{
uint8_t v_res_309_; lean_object* v_r_310_; 
v_res_309_ = l_Gnosis_stepsOk(v_N_305_, v_m_306_, v_b_307_, v_x_308_);
lean_dec(v_x_308_);
lean_dec(v_b_307_);
lean_dec(v_m_306_);
lean_dec(v_N_305_);
v_r_310_ = lean_box(v_res_309_);
return v_r_310_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingNum(lean_object* v_N_311_, lean_object* v_m_312_, lean_object* v_b_313_, lean_object* v_x_314_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_314_) == 0)
{
lean_object* v___x_315_; 
v___x_315_ = lean_unsigned_to_nat(1u);
return v___x_315_;
}
else
{
lean_object* v_head_316_; lean_object* v_tail_317_; lean_object* v_fst_318_; lean_object* v_snd_319_; lean_object* v___x_320_; lean_object* v___x_321_; lean_object* v___x_322_; 
v_head_316_ = lean_ctor_get(v_x_314_, 0);
v_tail_317_ = lean_ctor_get(v_x_314_, 1);
v_fst_318_ = lean_ctor_get(v_head_316_, 0);
v_snd_319_ = lean_ctor_get(v_head_316_, 1);
v___x_320_ = l_Gnosis_bettingNum(v_N_311_, v_m_312_, v_b_313_, v_tail_317_);
v___x_321_ = l_Gnosis_bettingFactor(v_N_311_, v_m_312_, v_b_313_, v_fst_318_, v_snd_319_);
v___x_322_ = lean_nat_mul(v___x_320_, v___x_321_);
lean_dec(v___x_321_);
lean_dec(v___x_320_);
return v___x_322_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingNum___boxed(lean_object* v_N_323_, lean_object* v_m_324_, lean_object* v_b_325_, lean_object* v_x_326_){
_start:
{
lean_object* v_res_327_; 
v_res_327_ = l_Gnosis_bettingNum(v_N_323_, v_m_324_, v_b_325_, v_x_326_);
lean_dec(v_x_326_);
lean_dec(v_b_325_);
lean_dec(v_m_324_);
lean_dec(v_N_323_);
return v_res_327_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingDen(lean_object* v_N_328_, lean_object* v_b_329_, lean_object* v_x_330_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_330_) == 0)
{
lean_object* v___x_331_; 
v___x_331_ = lean_unsigned_to_nat(1u);
return v___x_331_;
}
else
{
lean_object* v_tail_332_; lean_object* v___x_333_; lean_object* v___x_334_; lean_object* v___x_335_; 
v_tail_332_ = lean_ctor_get(v_x_330_, 1);
v___x_333_ = l_Gnosis_bettingDen(v_N_328_, v_b_329_, v_tail_332_);
v___x_334_ = lean_nat_mul(v_b_329_, v_N_328_);
v___x_335_ = lean_nat_mul(v___x_333_, v___x_334_);
lean_dec(v___x_334_);
lean_dec(v___x_333_);
return v___x_335_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingDen___boxed(lean_object* v_N_336_, lean_object* v_b_337_, lean_object* v_x_338_){
_start:
{
lean_object* v_res_339_; 
v_res_339_ = l_Gnosis_bettingDen(v_N_336_, v_b_337_, v_x_338_);
lean_dec(v_x_338_);
lean_dec(v_b_337_);
lean_dec(v_N_336_);
return v_res_339_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_bettingRejects(lean_object* v_N_340_, lean_object* v_m_341_, lean_object* v_b_342_, lean_object* v_n_u03b4_343_, lean_object* v_d_u03b4_344_, lean_object* v_steps_345_){
_start:
{
lean_object* v___x_346_; uint8_t v___x_347_; 
v___x_346_ = lean_unsigned_to_nat(1u);
v___x_347_ = lean_nat_dec_le(v___x_346_, v_d_u03b4_344_);
if (v___x_347_ == 0)
{
return v___x_347_;
}
else
{
uint8_t v___x_348_; 
v___x_348_ = l_Gnosis_stepsOk(v_N_340_, v_m_341_, v_b_342_, v_steps_345_);
if (v___x_348_ == 0)
{
return v___x_348_;
}
else
{
lean_object* v___x_349_; lean_object* v___x_350_; lean_object* v___x_351_; lean_object* v___x_352_; uint8_t v___x_353_; 
v___x_349_ = l_Gnosis_bettingDen(v_N_340_, v_b_342_, v_steps_345_);
v___x_350_ = lean_nat_mul(v_d_u03b4_344_, v___x_349_);
lean_dec(v___x_349_);
v___x_351_ = l_Gnosis_bettingNum(v_N_340_, v_m_341_, v_b_342_, v_steps_345_);
v___x_352_ = lean_nat_mul(v_n_u03b4_343_, v___x_351_);
lean_dec(v___x_351_);
v___x_353_ = lean_nat_dec_le(v___x_350_, v___x_352_);
lean_dec(v___x_352_);
lean_dec(v___x_350_);
return v___x_353_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingRejects___boxed(lean_object* v_N_354_, lean_object* v_m_355_, lean_object* v_b_356_, lean_object* v_n_u03b4_357_, lean_object* v_d_u03b4_358_, lean_object* v_steps_359_){
_start:
{
uint8_t v_res_360_; lean_object* v_r_361_; 
v_res_360_ = l_Gnosis_bettingRejects(v_N_354_, v_m_355_, v_b_356_, v_n_u03b4_357_, v_d_u03b4_358_, v_steps_359_);
lean_dec(v_steps_359_);
lean_dec(v_d_u03b4_358_);
lean_dec(v_n_u03b4_357_);
lean_dec(v_b_356_);
lean_dec(v_m_355_);
lean_dec(v_N_354_);
v_r_361_ = lean_box(v_res_360_);
return v_r_361_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperFrom(lean_object* v_N_362_, lean_object* v_b_363_, lean_object* v_n_u03b4_364_, lean_object* v_d_u03b4_365_, lean_object* v_steps_366_, lean_object* v_x_367_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_368_; uint8_t v_isZero_369_; 
v_zero_368_ = lean_unsigned_to_nat(0u);
v_isZero_369_ = lean_nat_dec_eq(v_x_367_, v_zero_368_);
if (v_isZero_369_ == 1)
{
lean_dec(v_x_367_);
return v_zero_368_;
}
else
{
lean_object* v_one_370_; lean_object* v_n_371_; lean_object* v___x_372_; uint8_t v___x_373_; 
v_one_370_ = lean_unsigned_to_nat(1u);
v_n_371_ = lean_nat_sub(v_x_367_, v_one_370_);
lean_dec(v_x_367_);
v___x_372_ = lean_nat_add(v_n_371_, v_one_370_);
v___x_373_ = l_Gnosis_bettingRejects(v_N_362_, v___x_372_, v_b_363_, v_n_u03b4_364_, v_d_u03b4_365_, v_steps_366_);
if (v___x_373_ == 0)
{
lean_dec(v_n_371_);
return v___x_372_;
}
else
{
lean_dec(v___x_372_);
v_x_367_ = v_n_371_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperFrom___boxed(lean_object* v_N_375_, lean_object* v_b_376_, lean_object* v_n_u03b4_377_, lean_object* v_d_u03b4_378_, lean_object* v_steps_379_, lean_object* v_x_380_){
_start:
{
lean_object* v_res_381_; 
v_res_381_ = l_Gnosis_bettingUpperFrom(v_N_375_, v_b_376_, v_n_u03b4_377_, v_d_u03b4_378_, v_steps_379_, v_x_380_);
lean_dec(v_steps_379_);
lean_dec(v_d_u03b4_378_);
lean_dec(v_n_u03b4_377_);
lean_dec(v_b_376_);
lean_dec(v_N_375_);
return v_res_381_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpper(lean_object* v_N_382_, lean_object* v_b_383_, lean_object* v_n_u03b4_384_, lean_object* v_d_u03b4_385_, lean_object* v_steps_386_){
_start:
{
lean_object* v___x_387_; 
lean_inc(v_N_382_);
v___x_387_ = l_Gnosis_bettingUpperFrom(v_N_382_, v_b_383_, v_n_u03b4_384_, v_d_u03b4_385_, v_steps_386_, v_N_382_);
lean_dec(v_N_382_);
return v___x_387_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpper___boxed(lean_object* v_N_388_, lean_object* v_b_389_, lean_object* v_n_u03b4_390_, lean_object* v_d_u03b4_391_, lean_object* v_steps_392_){
_start:
{
lean_object* v_res_393_; 
v_res_393_ = l_Gnosis_bettingUpper(v_N_388_, v_b_389_, v_n_u03b4_390_, v_d_u03b4_391_, v_steps_392_);
lean_dec(v_steps_392_);
lean_dec(v_d_u03b4_391_);
lean_dec(v_n_u03b4_390_);
lean_dec(v_b_389_);
return v_res_393_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_claimUpperFrom(lean_object* v_rejects_394_, lean_object* v_x_395_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_396_; uint8_t v_isZero_397_; 
v_zero_396_ = lean_unsigned_to_nat(0u);
v_isZero_397_ = lean_nat_dec_eq(v_x_395_, v_zero_396_);
if (v_isZero_397_ == 1)
{
lean_dec(v_x_395_);
lean_dec_ref(v_rejects_394_);
return v_zero_396_;
}
else
{
lean_object* v_one_398_; lean_object* v_n_399_; lean_object* v___x_400_; lean_object* v___x_401_; uint8_t v___x_402_; 
v_one_398_ = lean_unsigned_to_nat(1u);
v_n_399_ = lean_nat_sub(v_x_395_, v_one_398_);
lean_dec(v_x_395_);
v___x_400_ = lean_nat_add(v_n_399_, v_one_398_);
lean_inc_ref(v_rejects_394_);
lean_inc(v___x_400_);
v___x_401_ = lean_apply_1(v_rejects_394_, v___x_400_);
v___x_402_ = lean_unbox(v___x_401_);
if (v___x_402_ == 0)
{
lean_dec(v_n_399_);
lean_dec_ref(v_rejects_394_);
return v___x_400_;
}
else
{
lean_dec(v___x_400_);
v_x_395_ = v_n_399_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_claimUpperBound(lean_object* v_G_404_, lean_object* v_rejects_405_){
_start:
{
lean_object* v___x_406_; uint8_t v___x_407_; 
lean_inc(v_G_404_);
v___x_406_ = l_Gnosis_claimUpperFrom(v_rejects_405_, v_G_404_);
v___x_407_ = lean_nat_dec_le(v_G_404_, v___x_406_);
if (v___x_407_ == 0)
{
lean_object* v___x_408_; lean_object* v___x_409_; 
lean_dec(v_G_404_);
v___x_408_ = lean_unsigned_to_nat(1u);
v___x_409_ = lean_nat_add(v___x_406_, v___x_408_);
lean_dec(v___x_406_);
return v___x_409_;
}
else
{
lean_dec(v___x_406_);
return v_G_404_;
}
}
}
LEAN_EXPORT uint8_t l_Gnosis_claimRejected(lean_object* v_x_410_, lean_object* v_x_411_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_410_) == 0)
{
uint8_t v___x_412_; 
lean_dec(v_x_411_);
v___x_412_ = 0;
return v___x_412_;
}
else
{
lean_object* v_head_413_; lean_object* v_tail_414_; lean_object* v_zero_415_; uint8_t v_isZero_416_; 
v_head_413_ = lean_ctor_get(v_x_410_, 0);
v_tail_414_ = lean_ctor_get(v_x_410_, 1);
v_zero_415_ = lean_unsigned_to_nat(0u);
v_isZero_416_ = lean_nat_dec_eq(v_x_411_, v_zero_415_);
if (v_isZero_416_ == 1)
{
uint8_t v___x_417_; 
lean_dec(v_x_411_);
v___x_417_ = 0;
return v___x_417_;
}
else
{
lean_object* v_one_418_; lean_object* v_n_419_; uint8_t v_isZero_420_; 
v_one_418_ = lean_unsigned_to_nat(1u);
v_n_419_ = lean_nat_sub(v_x_411_, v_one_418_);
lean_dec(v_x_411_);
v_isZero_420_ = lean_nat_dec_eq(v_n_419_, v_zero_415_);
if (v_isZero_420_ == 1)
{
uint8_t v___x_421_; 
lean_dec(v_n_419_);
v___x_421_ = lean_unbox(v_head_413_);
return v___x_421_;
}
else
{
lean_object* v_n_422_; lean_object* v___x_423_; 
v_n_422_ = lean_nat_sub(v_n_419_, v_one_418_);
lean_dec(v_n_419_);
v___x_423_ = lean_nat_add(v_n_422_, v_one_418_);
lean_dec(v_n_422_);
v_x_410_ = v_tail_414_;
v_x_411_ = v___x_423_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_claimRejected___boxed(lean_object* v_x_425_, lean_object* v_x_426_){
_start:
{
uint8_t v_res_427_; lean_object* v_r_428_; 
v_res_427_ = l_Gnosis_claimRejected(v_x_425_, v_x_426_);
lean_dec(v_x_425_);
v_r_428_ = lean_box(v_res_427_);
return v_r_428_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_claimBound(lean_object* v_G_429_, lean_object* v_rejected_430_){
_start:
{
lean_object* v___x_431_; lean_object* v___x_432_; 
v___x_431_ = lean_alloc_closure((void*)(l_Gnosis_claimRejected___boxed), 2, 1);
lean_closure_set(v___x_431_, 0, v_rejected_430_);
v___x_432_ = l_Gnosis_claimUpperBound(v_G_429_, v___x_431_);
return v___x_432_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperBound(lean_object* v_G_433_, lean_object* v_b_434_, lean_object* v_n_u03b4_435_, lean_object* v_d_u03b4_436_, lean_object* v_steps_437_){
_start:
{
lean_object* v___x_438_; uint8_t v___x_439_; 
lean_inc(v_G_433_);
v___x_438_ = l_Gnosis_bettingUpperFrom(v_G_433_, v_b_434_, v_n_u03b4_435_, v_d_u03b4_436_, v_steps_437_, v_G_433_);
v___x_439_ = lean_nat_dec_le(v_G_433_, v___x_438_);
if (v___x_439_ == 0)
{
lean_object* v___x_440_; lean_object* v___x_441_; 
lean_dec(v_G_433_);
v___x_440_ = lean_unsigned_to_nat(1u);
v___x_441_ = lean_nat_add(v___x_438_, v___x_440_);
lean_dec(v___x_438_);
return v___x_441_;
}
else
{
lean_dec(v___x_438_);
return v_G_433_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingUpperBound___boxed(lean_object* v_G_442_, lean_object* v_b_443_, lean_object* v_n_u03b4_444_, lean_object* v_d_u03b4_445_, lean_object* v_steps_446_){
_start:
{
lean_object* v_res_447_; 
v_res_447_ = l_Gnosis_bettingUpperBound(v_G_442_, v_b_443_, v_n_u03b4_444_, v_d_u03b4_445_, v_steps_446_);
lean_dec(v_steps_446_);
lean_dec(v_d_u03b4_445_);
lean_dec(v_n_u03b4_444_);
lean_dec(v_b_443_);
return v_res_447_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_mirrored(lean_object* v_G_448_, lean_object* v_x_449_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_449_) == 0)
{
return v_x_449_;
}
else
{
lean_object* v_head_450_; lean_object* v_tail_451_; lean_object* v___x_453_; uint8_t v_isShared_454_; uint8_t v_isSharedCheck_469_; 
v_head_450_ = lean_ctor_get(v_x_449_, 0);
v_tail_451_ = lean_ctor_get(v_x_449_, 1);
v_isSharedCheck_469_ = !lean_is_exclusive(v_x_449_);
if (v_isSharedCheck_469_ == 0)
{
v___x_453_ = v_x_449_;
v_isShared_454_ = v_isSharedCheck_469_;
goto v_resetjp_452_;
}
else
{
lean_inc(v_tail_451_);
lean_inc(v_head_450_);
lean_dec(v_x_449_);
v___x_453_ = lean_box(0);
v_isShared_454_ = v_isSharedCheck_469_;
goto v_resetjp_452_;
}
v_resetjp_452_:
{
lean_object* v_fst_455_; lean_object* v_snd_456_; lean_object* v___x_458_; uint8_t v_isShared_459_; uint8_t v_isSharedCheck_468_; 
v_fst_455_ = lean_ctor_get(v_head_450_, 0);
v_snd_456_ = lean_ctor_get(v_head_450_, 1);
v_isSharedCheck_468_ = !lean_is_exclusive(v_head_450_);
if (v_isSharedCheck_468_ == 0)
{
v___x_458_ = v_head_450_;
v_isShared_459_ = v_isSharedCheck_468_;
goto v_resetjp_457_;
}
else
{
lean_inc(v_snd_456_);
lean_inc(v_fst_455_);
lean_dec(v_head_450_);
v___x_458_ = lean_box(0);
v_isShared_459_ = v_isSharedCheck_468_;
goto v_resetjp_457_;
}
v_resetjp_457_:
{
lean_object* v___x_460_; lean_object* v___x_462_; 
v___x_460_ = lean_nat_sub(v_G_448_, v_snd_456_);
lean_dec(v_snd_456_);
if (v_isShared_459_ == 0)
{
lean_ctor_set(v___x_458_, 1, v___x_460_);
v___x_462_ = v___x_458_;
goto v_reusejp_461_;
}
else
{
lean_object* v_reuseFailAlloc_467_; 
v_reuseFailAlloc_467_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_467_, 0, v_fst_455_);
lean_ctor_set(v_reuseFailAlloc_467_, 1, v___x_460_);
v___x_462_ = v_reuseFailAlloc_467_;
goto v_reusejp_461_;
}
v_reusejp_461_:
{
lean_object* v___x_463_; lean_object* v___x_465_; 
v___x_463_ = l_Gnosis_mirrored(v_G_448_, v_tail_451_);
if (v_isShared_454_ == 0)
{
lean_ctor_set(v___x_453_, 1, v___x_463_);
lean_ctor_set(v___x_453_, 0, v___x_462_);
v___x_465_ = v___x_453_;
goto v_reusejp_464_;
}
else
{
lean_object* v_reuseFailAlloc_466_; 
v_reuseFailAlloc_466_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_466_, 0, v___x_462_);
lean_ctor_set(v_reuseFailAlloc_466_, 1, v___x_463_);
v___x_465_ = v_reuseFailAlloc_466_;
goto v_reusejp_464_;
}
v_reusejp_464_:
{
return v___x_465_;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_mirrored___boxed(lean_object* v_G_470_, lean_object* v_x_471_){
_start:
{
lean_object* v_res_472_; 
v_res_472_ = l_Gnosis_mirrored(v_G_470_, v_x_471_);
lean_dec(v_G_470_);
return v_res_472_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingLowerBound(lean_object* v_G_473_, lean_object* v_b_474_, lean_object* v_n_u03b4_475_, lean_object* v_d_u03b4_476_, lean_object* v_steps_477_){
_start:
{
lean_object* v___x_478_; lean_object* v___x_479_; lean_object* v___x_480_; 
v___x_478_ = l_Gnosis_mirrored(v_G_473_, v_steps_477_);
lean_inc(v_G_473_);
v___x_479_ = l_Gnosis_bettingUpperBound(v_G_473_, v_b_474_, v_n_u03b4_475_, v_d_u03b4_476_, v___x_478_);
lean_dec(v___x_478_);
v___x_480_ = lean_nat_sub(v_G_473_, v___x_479_);
lean_dec(v___x_479_);
lean_dec(v_G_473_);
return v___x_480_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_bettingLowerBound___boxed(lean_object* v_G_481_, lean_object* v_b_482_, lean_object* v_n_u03b4_483_, lean_object* v_d_u03b4_484_, lean_object* v_steps_485_){
_start:
{
lean_object* v_res_486_; 
v_res_486_ = l_Gnosis_bettingLowerBound(v_G_481_, v_b_482_, v_n_u03b4_483_, v_d_u03b4_484_, v_steps_485_);
lean_dec(v_d_u03b4_484_);
lean_dec(v_n_u03b4_483_);
lean_dec(v_b_482_);
return v_res_486_;
}
}
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Search(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Deferred
// Imports: public import Gnosis.Core.IntData public import Gnosis.Decision.Search
lean_object* lean_nat_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* lean_nat_mul(lean_object*, lean_object*);
lean_object* lean_nat_to_int(lean_object*);
lean_object* l_List_length___redArg(lean_object*);
lean_object* lean_nat_mod(lean_object*, lean_object*);
lean_object* l_Gnosis_positionAt(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* l_List_append___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flipAt(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flipAt___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_takeFirst(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___redArg___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dropFirst(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_greedyText(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_draftFrom(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_draftFrom___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_withDraft(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_checkWindow(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_refineStep(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_refineRun(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_textNumber(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_textNumber___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tableToken(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tableToken___boxed(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_draftAt___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_draftAt___closed__0;
static lean_once_cell_t l_Gnosis_draftAt___closed__1_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_draftAt___closed__1;
LEAN_EXPORT lean_object* l_Gnosis_draftAt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tableDraft(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tableDraft___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_choicesOf(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_refineText___lam__0(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_refineText___lam__0___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_refineText(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_flipAt(lean_object* v_x_1_, lean_object* v_x_2_, lean_object* v_x_3_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_1_) == 0)
{
lean_object* v___x_4_; 
v___x_4_ = lean_unsigned_to_nat(0u);
return v___x_4_;
}
else
{
if (lean_obj_tag(v_x_2_) == 0)
{
lean_object* v___x_5_; 
v___x_5_ = lean_unsigned_to_nat(0u);
return v___x_5_;
}
else
{
if (lean_obj_tag(v_x_3_) == 0)
{
lean_object* v___x_6_; 
v___x_6_ = lean_unsigned_to_nat(0u);
return v___x_6_;
}
else
{
lean_object* v_head_7_; lean_object* v_tail_8_; lean_object* v_head_9_; lean_object* v_tail_10_; lean_object* v_head_11_; lean_object* v_tail_12_; uint8_t v___x_17_; 
v_head_7_ = lean_ctor_get(v_x_1_, 0);
v_tail_8_ = lean_ctor_get(v_x_1_, 1);
v_head_9_ = lean_ctor_get(v_x_2_, 0);
v_tail_10_ = lean_ctor_get(v_x_2_, 1);
v_head_11_ = lean_ctor_get(v_x_3_, 0);
v_tail_12_ = lean_ctor_get(v_x_3_, 1);
v___x_17_ = lean_unbox(v_head_7_);
if (v___x_17_ == 0)
{
goto v___jp_13_;
}
else
{
uint8_t v___x_18_; 
v___x_18_ = lean_nat_dec_eq(v_head_11_, v_head_9_);
if (v___x_18_ == 0)
{
lean_object* v___x_19_; 
v___x_19_ = lean_unsigned_to_nat(0u);
return v___x_19_;
}
else
{
goto v___jp_13_;
}
}
v___jp_13_:
{
lean_object* v___x_14_; lean_object* v___x_15_; lean_object* v___x_16_; 
v___x_14_ = l_Gnosis_flipAt(v_tail_8_, v_tail_10_, v_tail_12_);
v___x_15_ = lean_unsigned_to_nat(1u);
v___x_16_ = lean_nat_add(v___x_14_, v___x_15_);
lean_dec(v___x_14_);
return v___x_16_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_flipAt___boxed(lean_object* v_x_20_, lean_object* v_x_21_, lean_object* v_x_22_){
_start:
{
lean_object* v_res_23_; 
v_res_23_ = l_Gnosis_flipAt(v_x_20_, v_x_21_, v_x_22_);
lean_dec(v_x_22_);
lean_dec(v_x_21_);
lean_dec(v_x_20_);
return v_res_23_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___redArg(lean_object* v_x_24_, lean_object* v_x_25_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_26_; uint8_t v_isZero_27_; 
v_zero_26_ = lean_unsigned_to_nat(0u);
v_isZero_27_ = lean_nat_dec_eq(v_x_24_, v_zero_26_);
if (v_isZero_27_ == 1)
{
lean_object* v___x_28_; 
lean_dec(v_x_25_);
v___x_28_ = lean_box(0);
return v___x_28_;
}
else
{
if (lean_obj_tag(v_x_25_) == 0)
{
return v_x_25_;
}
else
{
lean_object* v_head_29_; lean_object* v_tail_30_; lean_object* v___x_32_; uint8_t v_isShared_33_; uint8_t v_isSharedCheck_40_; 
v_head_29_ = lean_ctor_get(v_x_25_, 0);
v_tail_30_ = lean_ctor_get(v_x_25_, 1);
v_isSharedCheck_40_ = !lean_is_exclusive(v_x_25_);
if (v_isSharedCheck_40_ == 0)
{
v___x_32_ = v_x_25_;
v_isShared_33_ = v_isSharedCheck_40_;
goto v_resetjp_31_;
}
else
{
lean_inc(v_tail_30_);
lean_inc(v_head_29_);
lean_dec(v_x_25_);
v___x_32_ = lean_box(0);
v_isShared_33_ = v_isSharedCheck_40_;
goto v_resetjp_31_;
}
v_resetjp_31_:
{
lean_object* v_one_34_; lean_object* v_n_35_; lean_object* v___x_36_; lean_object* v___x_38_; 
v_one_34_ = lean_unsigned_to_nat(1u);
v_n_35_ = lean_nat_sub(v_x_24_, v_one_34_);
v___x_36_ = l_Gnosis_takeFirst___redArg(v_n_35_, v_tail_30_);
lean_dec(v_n_35_);
if (v_isShared_33_ == 0)
{
lean_ctor_set(v___x_32_, 1, v___x_36_);
v___x_38_ = v___x_32_;
goto v_reusejp_37_;
}
else
{
lean_object* v_reuseFailAlloc_39_; 
v_reuseFailAlloc_39_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_39_, 0, v_head_29_);
lean_ctor_set(v_reuseFailAlloc_39_, 1, v___x_36_);
v___x_38_ = v_reuseFailAlloc_39_;
goto v_reusejp_37_;
}
v_reusejp_37_:
{
return v___x_38_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___redArg___boxed(lean_object* v_x_41_, lean_object* v_x_42_){
_start:
{
lean_object* v_res_43_; 
v_res_43_ = l_Gnosis_takeFirst___redArg(v_x_41_, v_x_42_);
lean_dec(v_x_41_);
return v_res_43_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_takeFirst(lean_object* v_00_u03b1_44_, lean_object* v_x_45_, lean_object* v_x_46_){
_start:
{
lean_object* v___x_47_; 
v___x_47_ = l_Gnosis_takeFirst___redArg(v_x_45_, v_x_46_);
return v___x_47_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_takeFirst___boxed(lean_object* v_00_u03b1_48_, lean_object* v_x_49_, lean_object* v_x_50_){
_start:
{
lean_object* v_res_51_; 
v_res_51_ = l_Gnosis_takeFirst(v_00_u03b1_48_, v_x_49_, v_x_50_);
lean_dec(v_x_49_);
return v_res_51_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___redArg(lean_object* v_x_52_, lean_object* v_x_53_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_54_; uint8_t v_isZero_55_; 
v_zero_54_ = lean_unsigned_to_nat(0u);
v_isZero_55_ = lean_nat_dec_eq(v_x_52_, v_zero_54_);
if (v_isZero_55_ == 1)
{
lean_dec(v_x_52_);
lean_inc(v_x_53_);
return v_x_53_;
}
else
{
if (lean_obj_tag(v_x_53_) == 0)
{
lean_dec(v_x_52_);
return v_x_53_;
}
else
{
lean_object* v_tail_56_; lean_object* v_one_57_; lean_object* v_n_58_; 
v_tail_56_ = lean_ctor_get(v_x_53_, 1);
v_one_57_ = lean_unsigned_to_nat(1u);
v_n_58_ = lean_nat_sub(v_x_52_, v_one_57_);
lean_dec(v_x_52_);
v_x_52_ = v_n_58_;
v_x_53_ = v_tail_56_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___redArg___boxed(lean_object* v_x_60_, lean_object* v_x_61_){
_start:
{
lean_object* v_res_62_; 
v_res_62_ = l_Gnosis_dropFirst___redArg(v_x_60_, v_x_61_);
lean_dec(v_x_61_);
return v_res_62_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dropFirst(lean_object* v_00_u03b1_63_, lean_object* v_x_64_, lean_object* v_x_65_){
_start:
{
lean_object* v___x_66_; 
v___x_66_ = l_Gnosis_dropFirst___redArg(v_x_64_, v_x_65_);
return v___x_66_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dropFirst___boxed(lean_object* v_00_u03b1_67_, lean_object* v_x_68_, lean_object* v_x_69_){
_start:
{
lean_object* v_res_70_; 
v_res_70_ = l_Gnosis_dropFirst(v_00_u03b1_67_, v_x_68_, v_x_69_);
lean_dec(v_x_69_);
return v_res_70_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_greedyText(lean_object* v_fine_71_, lean_object* v_x_72_, lean_object* v_x_73_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_74_; uint8_t v_isZero_75_; 
v_zero_74_ = lean_unsigned_to_nat(0u);
v_isZero_75_ = lean_nat_dec_eq(v_x_72_, v_zero_74_);
if (v_isZero_75_ == 1)
{
lean_dec(v_x_72_);
lean_dec_ref(v_fine_71_);
return v_x_73_;
}
else
{
lean_object* v_one_76_; lean_object* v_n_77_; lean_object* v___x_78_; lean_object* v___x_79_; 
v_one_76_ = lean_unsigned_to_nat(1u);
v_n_77_ = lean_nat_sub(v_x_72_, v_one_76_);
lean_dec(v_x_72_);
lean_inc_ref(v_fine_71_);
lean_inc(v_x_73_);
v___x_78_ = lean_apply_1(v_fine_71_, v_x_73_);
v___x_79_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_79_, 0, v___x_78_);
lean_ctor_set(v___x_79_, 1, v_x_73_);
v_x_72_ = v_n_77_;
v_x_73_ = v___x_79_;
goto _start;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_draftFrom(lean_object* v_coarse_81_, lean_object* v_x_82_, lean_object* v_x_83_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_84_; uint8_t v_isZero_85_; 
v_zero_84_ = lean_unsigned_to_nat(0u);
v_isZero_85_ = lean_nat_dec_eq(v_x_82_, v_zero_84_);
if (v_isZero_85_ == 1)
{
lean_object* v___x_86_; 
lean_dec(v_x_83_);
lean_dec_ref(v_coarse_81_);
v___x_86_ = lean_box(0);
return v___x_86_;
}
else
{
lean_object* v___x_87_; lean_object* v_fst_88_; lean_object* v_one_89_; lean_object* v_n_90_; lean_object* v___x_91_; lean_object* v___x_92_; lean_object* v___x_93_; 
lean_inc_ref(v_coarse_81_);
lean_inc(v_x_83_);
v___x_87_ = lean_apply_1(v_coarse_81_, v_x_83_);
v_fst_88_ = lean_ctor_get(v___x_87_, 0);
lean_inc(v_fst_88_);
v_one_89_ = lean_unsigned_to_nat(1u);
v_n_90_ = lean_nat_sub(v_x_82_, v_one_89_);
v___x_91_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_91_, 0, v_fst_88_);
lean_ctor_set(v___x_91_, 1, v_x_83_);
v___x_92_ = l_Gnosis_draftFrom(v_coarse_81_, v_n_90_, v___x_91_);
lean_dec(v_n_90_);
v___x_93_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_93_, 0, v___x_87_);
lean_ctor_set(v___x_93_, 1, v___x_92_);
return v___x_93_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_draftFrom___boxed(lean_object* v_coarse_94_, lean_object* v_x_95_, lean_object* v_x_96_){
_start:
{
lean_object* v_res_97_; 
v_res_97_ = l_Gnosis_draftFrom(v_coarse_94_, v_x_95_, v_x_96_);
lean_dec(v_x_95_);
return v_res_97_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_withDraft(lean_object* v_x_98_, lean_object* v_x_99_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_99_) == 0)
{
return v_x_98_;
}
else
{
lean_object* v_head_100_; lean_object* v_tail_101_; lean_object* v___x_103_; uint8_t v_isShared_104_; uint8_t v_isSharedCheck_110_; 
v_head_100_ = lean_ctor_get(v_x_99_, 0);
v_tail_101_ = lean_ctor_get(v_x_99_, 1);
v_isSharedCheck_110_ = !lean_is_exclusive(v_x_99_);
if (v_isSharedCheck_110_ == 0)
{
v___x_103_ = v_x_99_;
v_isShared_104_ = v_isSharedCheck_110_;
goto v_resetjp_102_;
}
else
{
lean_inc(v_tail_101_);
lean_inc(v_head_100_);
lean_dec(v_x_99_);
v___x_103_ = lean_box(0);
v_isShared_104_ = v_isSharedCheck_110_;
goto v_resetjp_102_;
}
v_resetjp_102_:
{
lean_object* v_fst_105_; lean_object* v___x_107_; 
v_fst_105_ = lean_ctor_get(v_head_100_, 0);
lean_inc(v_fst_105_);
lean_dec(v_head_100_);
if (v_isShared_104_ == 0)
{
lean_ctor_set(v___x_103_, 1, v_x_98_);
lean_ctor_set(v___x_103_, 0, v_fst_105_);
v___x_107_ = v___x_103_;
goto v_reusejp_106_;
}
else
{
lean_object* v_reuseFailAlloc_109_; 
v_reuseFailAlloc_109_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_109_, 0, v_fst_105_);
lean_ctor_set(v_reuseFailAlloc_109_, 1, v_x_98_);
v___x_107_ = v_reuseFailAlloc_109_;
goto v_reusejp_106_;
}
v_reusejp_106_:
{
v_x_98_ = v___x_107_;
v_x_99_ = v_tail_101_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_checkWindow(lean_object* v_defer_111_, lean_object* v_fine_112_, lean_object* v_x_113_, lean_object* v_x_114_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_114_) == 0)
{
uint8_t v___x_115_; lean_object* v___x_116_; lean_object* v___x_117_; 
lean_dec_ref(v_fine_112_);
lean_dec_ref(v_defer_111_);
v___x_115_ = 0;
v___x_116_ = lean_box(v___x_115_);
v___x_117_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v___x_117_, 0, v_x_113_);
lean_ctor_set(v___x_117_, 1, v___x_116_);
return v___x_117_;
}
else
{
lean_object* v_head_118_; lean_object* v_tail_119_; lean_object* v___x_121_; uint8_t v_isShared_122_; uint8_t v_isSharedCheck_142_; 
v_head_118_ = lean_ctor_get(v_x_114_, 0);
v_tail_119_ = lean_ctor_get(v_x_114_, 1);
v_isSharedCheck_142_ = !lean_is_exclusive(v_x_114_);
if (v_isSharedCheck_142_ == 0)
{
v___x_121_ = v_x_114_;
v_isShared_122_ = v_isSharedCheck_142_;
goto v_resetjp_120_;
}
else
{
lean_inc(v_tail_119_);
lean_inc(v_head_118_);
lean_dec(v_x_114_);
v___x_121_ = lean_box(0);
v_isShared_122_ = v_isSharedCheck_142_;
goto v_resetjp_120_;
}
v_resetjp_120_:
{
lean_object* v_fst_123_; lean_object* v_snd_124_; lean_object* v___x_126_; uint8_t v_isShared_127_; uint8_t v_isSharedCheck_141_; 
v_fst_123_ = lean_ctor_get(v_head_118_, 0);
v_snd_124_ = lean_ctor_get(v_head_118_, 1);
v_isSharedCheck_141_ = !lean_is_exclusive(v_head_118_);
if (v_isSharedCheck_141_ == 0)
{
v___x_126_ = v_head_118_;
v_isShared_127_ = v_isSharedCheck_141_;
goto v_resetjp_125_;
}
else
{
lean_inc(v_snd_124_);
lean_inc(v_fst_123_);
lean_dec(v_head_118_);
v___x_126_ = lean_box(0);
v_isShared_127_ = v_isSharedCheck_141_;
goto v_resetjp_125_;
}
v_resetjp_125_:
{
lean_object* v___x_133_; uint8_t v___x_134_; 
lean_inc_ref(v_defer_111_);
v___x_133_ = lean_apply_1(v_defer_111_, v_snd_124_);
v___x_134_ = lean_unbox(v___x_133_);
if (v___x_134_ == 0)
{
lean_del_object(v___x_126_);
goto v___jp_128_;
}
else
{
lean_object* v___x_135_; uint8_t v___x_136_; 
lean_inc_ref(v_fine_112_);
lean_inc(v_x_113_);
v___x_135_ = lean_apply_1(v_fine_112_, v_x_113_);
v___x_136_ = lean_nat_dec_eq(v___x_135_, v_fst_123_);
if (v___x_136_ == 0)
{
lean_object* v___x_137_; lean_object* v___x_139_; 
lean_dec(v_fst_123_);
lean_del_object(v___x_121_);
lean_dec(v_tail_119_);
lean_dec_ref(v_fine_112_);
lean_dec_ref(v_defer_111_);
v___x_137_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_137_, 0, v___x_135_);
lean_ctor_set(v___x_137_, 1, v_x_113_);
if (v_isShared_127_ == 0)
{
lean_ctor_set(v___x_126_, 1, v___x_133_);
lean_ctor_set(v___x_126_, 0, v___x_137_);
v___x_139_ = v___x_126_;
goto v_reusejp_138_;
}
else
{
lean_object* v_reuseFailAlloc_140_; 
v_reuseFailAlloc_140_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_140_, 0, v___x_137_);
lean_ctor_set(v_reuseFailAlloc_140_, 1, v___x_133_);
v___x_139_ = v_reuseFailAlloc_140_;
goto v_reusejp_138_;
}
v_reusejp_138_:
{
return v___x_139_;
}
}
else
{
lean_dec(v___x_135_);
lean_del_object(v___x_126_);
goto v___jp_128_;
}
}
v___jp_128_:
{
lean_object* v___x_130_; 
if (v_isShared_122_ == 0)
{
lean_ctor_set(v___x_121_, 1, v_x_113_);
lean_ctor_set(v___x_121_, 0, v_fst_123_);
v___x_130_ = v___x_121_;
goto v_reusejp_129_;
}
else
{
lean_object* v_reuseFailAlloc_132_; 
v_reuseFailAlloc_132_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_132_, 0, v_fst_123_);
lean_ctor_set(v_reuseFailAlloc_132_, 1, v_x_113_);
v___x_130_ = v_reuseFailAlloc_132_;
goto v_reusejp_129_;
}
v_reusejp_129_:
{
v_x_113_ = v___x_130_;
v_x_114_ = v_tail_119_;
goto _start;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_refineStep(lean_object* v_defer_143_, lean_object* v_coarse_144_, lean_object* v_fine_145_, lean_object* v_s_146_, lean_object* v_c_147_){
_start:
{
lean_object* v_settled_148_; lean_object* v_pending_149_; lean_object* v___x_151_; uint8_t v_isShared_152_; uint8_t v_isSharedCheck_178_; 
v_settled_148_ = lean_ctor_get(v_s_146_, 0);
v_pending_149_ = lean_ctor_get(v_s_146_, 1);
v_isSharedCheck_178_ = !lean_is_exclusive(v_s_146_);
if (v_isSharedCheck_178_ == 0)
{
v___x_151_ = v_s_146_;
v_isShared_152_ = v_isSharedCheck_178_;
goto v_resetjp_150_;
}
else
{
lean_inc(v_pending_149_);
lean_inc(v_settled_148_);
lean_dec(v_s_146_);
v___x_151_ = lean_box(0);
v_isShared_152_ = v_isSharedCheck_178_;
goto v_resetjp_150_;
}
v_resetjp_150_:
{
lean_object* v_drafted_153_; lean_object* v_checked_154_; lean_object* v_written_155_; lean_object* v___x_156_; lean_object* v___x_157_; lean_object* v___x_158_; lean_object* v___x_159_; lean_object* v___x_160_; lean_object* v_snd_161_; uint8_t v___x_162_; 
v_drafted_153_ = lean_ctor_get(v_c_147_, 0);
lean_inc(v_drafted_153_);
v_checked_154_ = lean_ctor_get(v_c_147_, 1);
lean_inc(v_checked_154_);
v_written_155_ = lean_ctor_get(v_c_147_, 2);
lean_inc(v_written_155_);
lean_dec_ref(v_c_147_);
lean_inc(v_pending_149_);
lean_inc(v_settled_148_);
v___x_156_ = l_Gnosis_withDraft(v_settled_148_, v_pending_149_);
v___x_157_ = l_Gnosis_draftFrom(v_coarse_144_, v_drafted_153_, v___x_156_);
lean_dec(v_drafted_153_);
v___x_158_ = l_List_append___redArg(v_pending_149_, v___x_157_);
lean_dec(v___x_157_);
lean_inc(v___x_158_);
v___x_159_ = l_Gnosis_takeFirst___redArg(v_checked_154_, v___x_158_);
lean_inc_ref(v_fine_145_);
v___x_160_ = l_Gnosis_checkWindow(v_defer_143_, v_fine_145_, v_settled_148_, v___x_159_);
v_snd_161_ = lean_ctor_get(v___x_160_, 1);
lean_inc(v_snd_161_);
v___x_162_ = lean_unbox(v_snd_161_);
lean_dec(v_snd_161_);
if (v___x_162_ == 0)
{
lean_object* v_fst_163_; lean_object* v___x_164_; 
v_fst_163_ = lean_ctor_get(v___x_160_, 0);
lean_inc(v_fst_163_);
lean_dec_ref(v___x_160_);
v___x_164_ = l_Gnosis_dropFirst___redArg(v_checked_154_, v___x_158_);
lean_dec(v___x_158_);
if (lean_obj_tag(v___x_164_) == 0)
{
lean_object* v___x_165_; lean_object* v___x_167_; 
v___x_165_ = l_Gnosis_greedyText(v_fine_145_, v_written_155_, v_fst_163_);
if (v_isShared_152_ == 0)
{
lean_ctor_set(v___x_151_, 1, v___x_164_);
lean_ctor_set(v___x_151_, 0, v___x_165_);
v___x_167_ = v___x_151_;
goto v_reusejp_166_;
}
else
{
lean_object* v_reuseFailAlloc_168_; 
v_reuseFailAlloc_168_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_168_, 0, v___x_165_);
lean_ctor_set(v_reuseFailAlloc_168_, 1, v___x_164_);
v___x_167_ = v_reuseFailAlloc_168_;
goto v_reusejp_166_;
}
v_reusejp_166_:
{
return v___x_167_;
}
}
else
{
lean_object* v___x_170_; 
lean_dec(v_written_155_);
lean_dec_ref(v_fine_145_);
if (v_isShared_152_ == 0)
{
lean_ctor_set(v___x_151_, 1, v___x_164_);
lean_ctor_set(v___x_151_, 0, v_fst_163_);
v___x_170_ = v___x_151_;
goto v_reusejp_169_;
}
else
{
lean_object* v_reuseFailAlloc_171_; 
v_reuseFailAlloc_171_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_171_, 0, v_fst_163_);
lean_ctor_set(v_reuseFailAlloc_171_, 1, v___x_164_);
v___x_170_ = v_reuseFailAlloc_171_;
goto v_reusejp_169_;
}
v_reusejp_169_:
{
return v___x_170_;
}
}
}
else
{
lean_object* v_fst_172_; lean_object* v___x_173_; lean_object* v___x_174_; lean_object* v___x_176_; 
lean_dec(v___x_158_);
lean_dec(v_checked_154_);
v_fst_172_ = lean_ctor_get(v___x_160_, 0);
lean_inc(v_fst_172_);
lean_dec_ref(v___x_160_);
v___x_173_ = l_Gnosis_greedyText(v_fine_145_, v_written_155_, v_fst_172_);
v___x_174_ = lean_box(0);
if (v_isShared_152_ == 0)
{
lean_ctor_set(v___x_151_, 1, v___x_174_);
lean_ctor_set(v___x_151_, 0, v___x_173_);
v___x_176_ = v___x_151_;
goto v_reusejp_175_;
}
else
{
lean_object* v_reuseFailAlloc_177_; 
v_reuseFailAlloc_177_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_177_, 0, v___x_173_);
lean_ctor_set(v_reuseFailAlloc_177_, 1, v___x_174_);
v___x_176_ = v_reuseFailAlloc_177_;
goto v_reusejp_175_;
}
v_reusejp_175_:
{
return v___x_176_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_refineRun(lean_object* v_defer_179_, lean_object* v_coarse_180_, lean_object* v_fine_181_, lean_object* v_x_182_, lean_object* v_x_183_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_182_) == 0)
{
lean_dec_ref(v_fine_181_);
lean_dec_ref(v_coarse_180_);
lean_dec_ref(v_defer_179_);
return v_x_183_;
}
else
{
lean_object* v_head_184_; lean_object* v_tail_185_; lean_object* v___x_186_; 
v_head_184_ = lean_ctor_get(v_x_182_, 0);
lean_inc(v_head_184_);
v_tail_185_ = lean_ctor_get(v_x_182_, 1);
lean_inc(v_tail_185_);
lean_dec_ref_known(v_x_182_, 2);
lean_inc_ref(v_fine_181_);
lean_inc_ref(v_coarse_180_);
lean_inc_ref(v_defer_179_);
v___x_186_ = l_Gnosis_refineStep(v_defer_179_, v_coarse_180_, v_fine_181_, v_x_183_, v_head_184_);
v_x_182_ = v_tail_185_;
v_x_183_ = v___x_186_;
goto _start;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_textNumber(lean_object* v_x_188_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_188_) == 0)
{
lean_object* v___x_189_; 
v___x_189_ = lean_unsigned_to_nat(1u);
return v___x_189_;
}
else
{
lean_object* v_head_190_; lean_object* v_tail_191_; lean_object* v___x_192_; lean_object* v___x_193_; lean_object* v___x_194_; lean_object* v___x_195_; 
v_head_190_ = lean_ctor_get(v_x_188_, 0);
v_tail_191_ = lean_ctor_get(v_x_188_, 1);
v___x_192_ = lean_unsigned_to_nat(3u);
v___x_193_ = l_Gnosis_textNumber(v_tail_191_);
v___x_194_ = lean_nat_mul(v___x_192_, v___x_193_);
lean_dec(v___x_193_);
v___x_195_ = lean_nat_add(v___x_194_, v_head_190_);
lean_dec(v___x_194_);
return v___x_195_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_textNumber___boxed(lean_object* v_x_196_){
_start:
{
lean_object* v_res_197_; 
v_res_197_ = l_Gnosis_textNumber(v_x_196_);
lean_dec(v_x_196_);
return v_res_197_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tableToken(lean_object* v_table_198_, lean_object* v_h_199_){
_start:
{
lean_object* v___x_200_; lean_object* v___x_201_; lean_object* v___x_202_; lean_object* v___x_203_; 
v___x_200_ = l_Gnosis_textNumber(v_h_199_);
v___x_201_ = l_List_length___redArg(v_table_198_);
v___x_202_ = lean_nat_mod(v___x_200_, v___x_201_);
lean_dec(v___x_201_);
lean_dec(v___x_200_);
v___x_203_ = l_Gnosis_positionAt(v_table_198_, v___x_202_);
return v___x_203_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tableToken___boxed(lean_object* v_table_204_, lean_object* v_h_205_){
_start:
{
lean_object* v_res_206_; 
v_res_206_ = l_Gnosis_tableToken(v_table_204_, v_h_205_);
lean_dec(v_h_205_);
lean_dec(v_table_204_);
return v_res_206_;
}
}
static lean_object* _init_l_Gnosis_draftAt___closed__0(void){
_start:
{
lean_object* v___x_207_; lean_object* v___x_208_; 
v___x_207_ = lean_unsigned_to_nat(0u);
v___x_208_ = lean_nat_to_int(v___x_207_);
return v___x_208_;
}
}
static lean_object* _init_l_Gnosis_draftAt___closed__1(void){
_start:
{
lean_object* v___x_209_; lean_object* v___x_210_; lean_object* v___x_211_; 
v___x_209_ = lean_obj_once(&l_Gnosis_draftAt___closed__0, &l_Gnosis_draftAt___closed__0_once, _init_l_Gnosis_draftAt___closed__0);
v___x_210_ = lean_unsigned_to_nat(0u);
v___x_211_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v___x_211_, 0, v___x_210_);
lean_ctor_set(v___x_211_, 1, v___x_209_);
return v___x_211_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_draftAt(lean_object* v_x_212_, lean_object* v_x_213_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_212_) == 0)
{
lean_object* v___x_214_; 
lean_dec(v_x_213_);
v___x_214_ = lean_obj_once(&l_Gnosis_draftAt___closed__1, &l_Gnosis_draftAt___closed__1_once, _init_l_Gnosis_draftAt___closed__1);
return v___x_214_;
}
else
{
lean_object* v_head_215_; lean_object* v_tail_216_; lean_object* v_zero_217_; uint8_t v_isZero_218_; 
v_head_215_ = lean_ctor_get(v_x_212_, 0);
lean_inc(v_head_215_);
v_tail_216_ = lean_ctor_get(v_x_212_, 1);
lean_inc(v_tail_216_);
lean_dec_ref_known(v_x_212_, 2);
v_zero_217_ = lean_unsigned_to_nat(0u);
v_isZero_218_ = lean_nat_dec_eq(v_x_213_, v_zero_217_);
if (v_isZero_218_ == 1)
{
lean_object* v_fst_219_; lean_object* v_snd_220_; lean_object* v___x_222_; uint8_t v_isShared_223_; uint8_t v_isSharedCheck_228_; 
lean_dec(v_tail_216_);
lean_dec(v_x_213_);
v_fst_219_ = lean_ctor_get(v_head_215_, 0);
v_snd_220_ = lean_ctor_get(v_head_215_, 1);
v_isSharedCheck_228_ = !lean_is_exclusive(v_head_215_);
if (v_isSharedCheck_228_ == 0)
{
v___x_222_ = v_head_215_;
v_isShared_223_ = v_isSharedCheck_228_;
goto v_resetjp_221_;
}
else
{
lean_inc(v_snd_220_);
lean_inc(v_fst_219_);
lean_dec(v_head_215_);
v___x_222_ = lean_box(0);
v_isShared_223_ = v_isSharedCheck_228_;
goto v_resetjp_221_;
}
v_resetjp_221_:
{
lean_object* v___x_224_; lean_object* v___x_226_; 
v___x_224_ = lean_nat_to_int(v_snd_220_);
if (v_isShared_223_ == 0)
{
lean_ctor_set(v___x_222_, 1, v___x_224_);
v___x_226_ = v___x_222_;
goto v_reusejp_225_;
}
else
{
lean_object* v_reuseFailAlloc_227_; 
v_reuseFailAlloc_227_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_227_, 0, v_fst_219_);
lean_ctor_set(v_reuseFailAlloc_227_, 1, v___x_224_);
v___x_226_ = v_reuseFailAlloc_227_;
goto v_reusejp_225_;
}
v_reusejp_225_:
{
return v___x_226_;
}
}
}
else
{
lean_object* v_one_229_; lean_object* v_n_230_; 
lean_dec(v_head_215_);
v_one_229_ = lean_unsigned_to_nat(1u);
v_n_230_ = lean_nat_sub(v_x_213_, v_one_229_);
lean_dec(v_x_213_);
v_x_212_ = v_tail_216_;
v_x_213_ = v_n_230_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_tableDraft(lean_object* v_table_232_, lean_object* v_h_233_){
_start:
{
lean_object* v___x_234_; lean_object* v___x_235_; lean_object* v___x_236_; lean_object* v___x_237_; 
v___x_234_ = l_Gnosis_textNumber(v_h_233_);
v___x_235_ = l_List_length___redArg(v_table_232_);
v___x_236_ = lean_nat_mod(v___x_234_, v___x_235_);
lean_dec(v___x_235_);
lean_dec(v___x_234_);
v___x_237_ = l_Gnosis_draftAt(v_table_232_, v___x_236_);
return v___x_237_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tableDraft___boxed(lean_object* v_table_238_, lean_object* v_h_239_){
_start:
{
lean_object* v_res_240_; 
v_res_240_ = l_Gnosis_tableDraft(v_table_238_, v_h_239_);
lean_dec(v_h_239_);
return v_res_240_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_choicesOf(lean_object* v_x_241_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_241_) == 0)
{
lean_object* v___x_242_; 
v___x_242_ = lean_box(0);
return v___x_242_;
}
else
{
lean_object* v_head_243_; lean_object* v_snd_244_; lean_object* v_tail_245_; lean_object* v___x_247_; uint8_t v_isShared_248_; uint8_t v_isSharedCheck_257_; 
v_head_243_ = lean_ctor_get(v_x_241_, 0);
lean_inc(v_head_243_);
v_snd_244_ = lean_ctor_get(v_head_243_, 1);
lean_inc(v_snd_244_);
v_tail_245_ = lean_ctor_get(v_x_241_, 1);
v_isSharedCheck_257_ = !lean_is_exclusive(v_x_241_);
if (v_isSharedCheck_257_ == 0)
{
lean_object* v_unused_258_; 
v_unused_258_ = lean_ctor_get(v_x_241_, 0);
lean_dec(v_unused_258_);
v___x_247_ = v_x_241_;
v_isShared_248_ = v_isSharedCheck_257_;
goto v_resetjp_246_;
}
else
{
lean_inc(v_tail_245_);
lean_dec(v_x_241_);
v___x_247_ = lean_box(0);
v_isShared_248_ = v_isSharedCheck_257_;
goto v_resetjp_246_;
}
v_resetjp_246_:
{
lean_object* v_fst_249_; lean_object* v_fst_250_; lean_object* v_snd_251_; lean_object* v___x_252_; lean_object* v___x_253_; lean_object* v___x_255_; 
v_fst_249_ = lean_ctor_get(v_head_243_, 0);
lean_inc(v_fst_249_);
lean_dec(v_head_243_);
v_fst_250_ = lean_ctor_get(v_snd_244_, 0);
lean_inc(v_fst_250_);
v_snd_251_ = lean_ctor_get(v_snd_244_, 1);
lean_inc(v_snd_251_);
lean_dec(v_snd_244_);
v___x_252_ = lean_alloc_ctor(0, 3, 0);
lean_ctor_set(v___x_252_, 0, v_fst_249_);
lean_ctor_set(v___x_252_, 1, v_fst_250_);
lean_ctor_set(v___x_252_, 2, v_snd_251_);
v___x_253_ = l_Gnosis_choicesOf(v_tail_245_);
if (v_isShared_248_ == 0)
{
lean_ctor_set(v___x_247_, 1, v___x_253_);
lean_ctor_set(v___x_247_, 0, v___x_252_);
v___x_255_ = v___x_247_;
goto v_reusejp_254_;
}
else
{
lean_object* v_reuseFailAlloc_256_; 
v_reuseFailAlloc_256_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_256_, 0, v___x_252_);
lean_ctor_set(v_reuseFailAlloc_256_, 1, v___x_253_);
v___x_255_ = v_reuseFailAlloc_256_;
goto v_reusejp_254_;
}
v_reusejp_254_:
{
return v___x_255_;
}
}
}
}
}
LEAN_EXPORT uint8_t l_Gnosis_refineText___lam__0(lean_object* v_00_u03c4_259_, lean_object* v_m_260_){
_start:
{
uint8_t v___x_261_; uint8_t v___x_262_; 
v___x_261_ = lean_int_dec_lt(v_m_260_, v_00_u03c4_259_);
v___x_262_ = l_Decidable_decide___redArg(v___x_261_);
return v___x_262_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_refineText___lam__0___boxed(lean_object* v_00_u03c4_263_, lean_object* v_m_264_){
_start:
{
uint8_t v_res_265_; lean_object* v_r_266_; 
v_res_265_ = l_Gnosis_refineText___lam__0(v_00_u03c4_263_, v_m_264_);
lean_dec(v_m_264_);
lean_dec(v_00_u03c4_263_);
v_r_266_ = lean_box(v_res_265_);
return v_r_266_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_refineText(lean_object* v_00_u03c4_267_, lean_object* v_coarse_268_, lean_object* v_fine_269_, lean_object* v_steps_270_, lean_object* v_prompt_271_){
_start:
{
lean_object* v___f_272_; lean_object* v___x_273_; lean_object* v___x_274_; lean_object* v___x_275_; lean_object* v___x_276_; lean_object* v___x_277_; lean_object* v___x_278_; lean_object* v_settled_279_; 
v___f_272_ = lean_alloc_closure((void*)(l_Gnosis_refineText___lam__0___boxed), 2, 1);
lean_closure_set(v___f_272_, 0, v_00_u03c4_267_);
v___x_273_ = lean_alloc_closure((void*)(l_Gnosis_tableDraft___boxed), 2, 1);
lean_closure_set(v___x_273_, 0, v_coarse_268_);
v___x_274_ = lean_alloc_closure((void*)(l_Gnosis_tableToken___boxed), 2, 1);
lean_closure_set(v___x_274_, 0, v_fine_269_);
v___x_275_ = l_Gnosis_choicesOf(v_steps_270_);
v___x_276_ = lean_box(0);
v___x_277_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v___x_277_, 0, v_prompt_271_);
lean_ctor_set(v___x_277_, 1, v___x_276_);
v___x_278_ = l_Gnosis_refineRun(v___f_272_, v___x_273_, v___x_274_, v___x_275_, v___x_277_);
v_settled_279_ = lean_ctor_get(v___x_278_, 0);
lean_inc(v_settled_279_);
lean_dec_ref(v___x_278_);
return v_settled_279_;
}
}
lean_object* initialize_Gnosis_Core_IntData(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Search(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Energy
// Imports: public import Gnosis.Core.IntData public import Gnosis.Core.ListData
lean_object* lean_nat_to_int(lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* lean_int_mul(lean_object*, lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_dot___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_dot___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_dot(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dot___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energy(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energy___boxed(lean_object*);
static lean_once_cell_t l_Gnosis_energyAdmit___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_energyAdmit___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_energyAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energyAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_energySidecarAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energySidecarAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_energySidecarAdmitStrict(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energySidecarAdmitStrict___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_energyBlockedAdmit___lam__0(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energyBlockedAdmit___lam__0___boxed(lean_object*);
static const lean_closure_object l_Gnosis_energyBlockedAdmit___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Gnosis_energyBlockedAdmit___lam__0___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_energyBlockedAdmit___closed__0 = (const lean_object*)&l_Gnosis_energyBlockedAdmit___closed__0_value;
static lean_once_cell_t l_Gnosis_energyBlockedAdmit___closed__1_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_energyBlockedAdmit___closed__1;
LEAN_EXPORT uint8_t l_Gnosis_energyBlockedAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energyBlockedAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energyOutside(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energyOutside___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_energySplitAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_energySplitAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
static lean_object* _init_l_Gnosis_dot___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dot(lean_object* v_x_3_, lean_object* v_x_4_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_3_) == 0)
{
goto v___jp_5_;
}
else
{
if (lean_obj_tag(v_x_4_) == 0)
{
goto v___jp_5_;
}
else
{
lean_object* v_head_7_; lean_object* v_tail_8_; lean_object* v_head_9_; lean_object* v_tail_10_; lean_object* v___x_11_; lean_object* v___x_12_; lean_object* v___x_13_; 
v_head_7_ = lean_ctor_get(v_x_3_, 0);
v_tail_8_ = lean_ctor_get(v_x_3_, 1);
v_head_9_ = lean_ctor_get(v_x_4_, 0);
v_tail_10_ = lean_ctor_get(v_x_4_, 1);
v___x_11_ = lean_int_mul(v_head_7_, v_head_9_);
v___x_12_ = l_Gnosis_dot(v_tail_8_, v_tail_10_);
v___x_13_ = lean_int_add(v___x_11_, v___x_12_);
lean_dec(v___x_12_);
lean_dec(v___x_11_);
return v___x_13_;
}
}
v___jp_5_:
{
lean_object* v___x_6_; 
v___x_6_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
return v___x_6_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_dot___boxed(lean_object* v_x_14_, lean_object* v_x_15_){
_start:
{
lean_object* v_res_16_; 
v_res_16_ = l_Gnosis_dot(v_x_14_, v_x_15_);
lean_dec(v_x_15_);
lean_dec(v_x_14_);
return v_res_16_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_energy(lean_object* v_v_17_){
_start:
{
lean_object* v___x_18_; 
v___x_18_ = l_Gnosis_dot(v_v_17_, v_v_17_);
return v___x_18_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_energy___boxed(lean_object* v_v_19_){
_start:
{
lean_object* v_res_20_; 
v_res_20_ = l_Gnosis_energy(v_v_19_);
lean_dec(v_v_19_);
return v_res_20_;
}
}
static lean_object* _init_l_Gnosis_energyAdmit___closed__0(void){
_start:
{
lean_object* v___x_21_; lean_object* v___x_22_; 
v___x_21_ = lean_unsigned_to_nat(4u);
v___x_22_ = lean_nat_to_int(v___x_21_);
return v___x_22_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energyAdmit(lean_object* v_00_u03c4_23_, lean_object* v_a_24_, lean_object* v_00_u03b3_25_){
_start:
{
lean_object* v___x_26_; lean_object* v___x_27_; uint8_t v___x_28_; 
v___x_26_ = l_List_length___redArg(v_00_u03c4_23_);
v___x_27_ = l_List_length___redArg(v_a_24_);
v___x_28_ = lean_nat_dec_eq(v___x_26_, v___x_27_);
lean_dec(v___x_27_);
lean_dec(v___x_26_);
if (v___x_28_ == 0)
{
return v___x_28_;
}
else
{
lean_object* v___x_29_; uint8_t v___x_30_; uint8_t v___x_31_; 
v___x_29_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___x_30_ = lean_int_dec_le(v___x_29_, v_00_u03b3_25_);
v___x_31_ = l_Decidable_decide___redArg(v___x_30_);
if (v___x_31_ == 0)
{
return v___x_31_;
}
else
{
lean_object* v___x_32_; lean_object* v___x_33_; lean_object* v___x_34_; lean_object* v___x_35_; lean_object* v___x_36_; lean_object* v___x_37_; uint8_t v___x_38_; uint8_t v___x_39_; 
v___x_32_ = lean_obj_once(&l_Gnosis_energyAdmit___closed__0, &l_Gnosis_energyAdmit___closed__0_once, _init_l_Gnosis_energyAdmit___closed__0);
v___x_33_ = l_Gnosis_dot(v_00_u03c4_23_, v_00_u03c4_23_);
v___x_34_ = lean_int_mul(v___x_32_, v___x_33_);
lean_dec(v___x_33_);
v___x_35_ = l_Gnosis_dot(v_a_24_, v_a_24_);
v___x_36_ = lean_int_mul(v___x_34_, v___x_35_);
lean_dec(v___x_35_);
lean_dec(v___x_34_);
v___x_37_ = lean_int_mul(v_00_u03b3_25_, v_00_u03b3_25_);
v___x_38_ = lean_int_dec_le(v___x_36_, v___x_37_);
lean_dec(v___x_37_);
lean_dec(v___x_36_);
v___x_39_ = l_Decidable_decide___redArg(v___x_38_);
return v___x_39_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energyAdmit___boxed(lean_object* v_00_u03c4_40_, lean_object* v_a_41_, lean_object* v_00_u03b3_42_){
_start:
{
uint8_t v_res_43_; lean_object* v_r_44_; 
v_res_43_ = l_Gnosis_energyAdmit(v_00_u03c4_40_, v_a_41_, v_00_u03b3_42_);
lean_dec(v_00_u03b3_42_);
lean_dec(v_a_41_);
lean_dec(v_00_u03c4_40_);
v_r_44_ = lean_box(v_res_43_);
return v_r_44_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energySidecarAdmit(lean_object* v_E_45_, lean_object* v_A_46_, lean_object* v_00_u03b3_47_){
_start:
{
lean_object* v___x_48_; uint8_t v___x_49_; uint8_t v___x_50_; 
v___x_48_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___x_49_ = lean_int_dec_le(v___x_48_, v_E_45_);
v___x_50_ = l_Decidable_decide___redArg(v___x_49_);
if (v___x_50_ == 0)
{
return v___x_50_;
}
else
{
uint8_t v___x_51_; uint8_t v___x_52_; 
v___x_51_ = lean_int_dec_le(v___x_48_, v_A_46_);
v___x_52_ = l_Decidable_decide___redArg(v___x_51_);
if (v___x_52_ == 0)
{
return v___x_52_;
}
else
{
uint8_t v___x_53_; uint8_t v___x_54_; 
v___x_53_ = lean_int_dec_le(v___x_48_, v_00_u03b3_47_);
v___x_54_ = l_Decidable_decide___redArg(v___x_53_);
if (v___x_54_ == 0)
{
return v___x_54_;
}
else
{
lean_object* v___x_55_; lean_object* v___x_56_; lean_object* v___x_57_; lean_object* v___x_58_; uint8_t v___x_59_; uint8_t v___x_60_; 
v___x_55_ = lean_obj_once(&l_Gnosis_energyAdmit___closed__0, &l_Gnosis_energyAdmit___closed__0_once, _init_l_Gnosis_energyAdmit___closed__0);
v___x_56_ = lean_int_mul(v___x_55_, v_E_45_);
v___x_57_ = lean_int_mul(v___x_56_, v_A_46_);
lean_dec(v___x_56_);
v___x_58_ = lean_int_mul(v_00_u03b3_47_, v_00_u03b3_47_);
v___x_59_ = lean_int_dec_le(v___x_57_, v___x_58_);
lean_dec(v___x_58_);
lean_dec(v___x_57_);
v___x_60_ = l_Decidable_decide___redArg(v___x_59_);
return v___x_60_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energySidecarAdmit___boxed(lean_object* v_E_61_, lean_object* v_A_62_, lean_object* v_00_u03b3_63_){
_start:
{
uint8_t v_res_64_; lean_object* v_r_65_; 
v_res_64_ = l_Gnosis_energySidecarAdmit(v_E_61_, v_A_62_, v_00_u03b3_63_);
lean_dec(v_00_u03b3_63_);
lean_dec(v_A_62_);
lean_dec(v_E_61_);
v_r_65_ = lean_box(v_res_64_);
return v_r_65_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energySidecarAdmitStrict(lean_object* v_E_66_, lean_object* v_A_67_, lean_object* v_00_u03b3_68_){
_start:
{
lean_object* v___x_69_; uint8_t v___x_70_; uint8_t v___x_71_; 
v___x_69_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___x_70_ = lean_int_dec_le(v___x_69_, v_E_66_);
v___x_71_ = l_Decidable_decide___redArg(v___x_70_);
if (v___x_71_ == 0)
{
return v___x_71_;
}
else
{
uint8_t v___x_72_; uint8_t v___x_73_; 
v___x_72_ = lean_int_dec_le(v___x_69_, v_A_67_);
v___x_73_ = l_Decidable_decide___redArg(v___x_72_);
if (v___x_73_ == 0)
{
return v___x_73_;
}
else
{
uint8_t v___x_74_; uint8_t v___x_75_; 
v___x_74_ = lean_int_dec_le(v___x_69_, v_00_u03b3_68_);
v___x_75_ = l_Decidable_decide___redArg(v___x_74_);
if (v___x_75_ == 0)
{
return v___x_75_;
}
else
{
lean_object* v___x_76_; lean_object* v___x_77_; lean_object* v___x_78_; lean_object* v___x_79_; uint8_t v___x_80_; uint8_t v___x_81_; 
v___x_76_ = lean_obj_once(&l_Gnosis_energyAdmit___closed__0, &l_Gnosis_energyAdmit___closed__0_once, _init_l_Gnosis_energyAdmit___closed__0);
v___x_77_ = lean_int_mul(v___x_76_, v_E_66_);
v___x_78_ = lean_int_mul(v___x_77_, v_A_67_);
lean_dec(v___x_77_);
v___x_79_ = lean_int_mul(v_00_u03b3_68_, v_00_u03b3_68_);
v___x_80_ = lean_int_dec_lt(v___x_78_, v___x_79_);
lean_dec(v___x_79_);
lean_dec(v___x_78_);
v___x_81_ = l_Decidable_decide___redArg(v___x_80_);
return v___x_81_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energySidecarAdmitStrict___boxed(lean_object* v_E_82_, lean_object* v_A_83_, lean_object* v_00_u03b3_84_){
_start:
{
uint8_t v_res_85_; lean_object* v_r_86_; 
v_res_85_ = l_Gnosis_energySidecarAdmitStrict(v_E_82_, v_A_83_, v_00_u03b3_84_);
lean_dec(v_00_u03b3_84_);
lean_dec(v_A_83_);
lean_dec(v_E_82_);
v_r_86_ = lean_box(v_res_85_);
return v_r_86_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energyBlockedAdmit___lam__0(lean_object* v_x_87_){
_start:
{
lean_object* v___x_88_; uint8_t v___x_89_; uint8_t v___x_90_; 
v___x_88_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___x_89_ = lean_int_dec_le(v___x_88_, v_x_87_);
v___x_90_ = l_Decidable_decide___redArg(v___x_89_);
return v___x_90_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_energyBlockedAdmit___lam__0___boxed(lean_object* v_x_91_){
_start:
{
uint8_t v_res_92_; lean_object* v_r_93_; 
v_res_92_ = l_Gnosis_energyBlockedAdmit___lam__0(v_x_91_);
lean_dec(v_x_91_);
v_r_93_ = lean_box(v_res_92_);
return v_r_93_;
}
}
static lean_object* _init_l_Gnosis_energyBlockedAdmit___closed__1(void){
_start:
{
lean_object* v___x_95_; lean_object* v___x_96_; 
v___x_95_ = lean_unsigned_to_nat(2u);
v___x_96_ = lean_nat_to_int(v___x_95_);
return v___x_96_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energyBlockedAdmit(lean_object* v_e_97_, lean_object* v_00_u03b1_98_, lean_object* v_00_u03b3_99_){
_start:
{
lean_object* v___x_100_; lean_object* v___x_101_; uint8_t v___x_102_; 
v___x_100_ = l_List_length___redArg(v_e_97_);
v___x_101_ = l_List_length___redArg(v_00_u03b1_98_);
v___x_102_ = lean_nat_dec_eq(v___x_100_, v___x_101_);
lean_dec(v___x_101_);
lean_dec(v___x_100_);
if (v___x_102_ == 0)
{
lean_dec(v_00_u03b1_98_);
lean_dec(v_e_97_);
return v___x_102_;
}
else
{
lean_object* v___f_103_; uint8_t v___x_104_; 
v___f_103_ = ((lean_object*)(l_Gnosis_energyBlockedAdmit___closed__0));
lean_inc(v_e_97_);
v___x_104_ = l_List_all___redArg(v_e_97_, v___f_103_);
if (v___x_104_ == 0)
{
lean_dec(v_00_u03b1_98_);
lean_dec(v_e_97_);
return v___x_104_;
}
else
{
uint8_t v___x_105_; 
lean_inc(v_00_u03b1_98_);
v___x_105_ = l_List_all___redArg(v_00_u03b1_98_, v___f_103_);
if (v___x_105_ == 0)
{
lean_dec(v_00_u03b1_98_);
lean_dec(v_e_97_);
return v___x_105_;
}
else
{
lean_object* v___x_106_; uint8_t v___x_107_; uint8_t v___x_108_; 
v___x_106_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___x_107_ = lean_int_dec_le(v___x_106_, v_00_u03b3_99_);
v___x_108_ = l_Decidable_decide___redArg(v___x_107_);
if (v___x_108_ == 0)
{
lean_dec(v_00_u03b1_98_);
lean_dec(v_e_97_);
return v___x_108_;
}
else
{
lean_object* v___x_109_; lean_object* v___x_110_; lean_object* v___x_111_; uint8_t v___x_112_; uint8_t v___x_113_; 
v___x_109_ = lean_obj_once(&l_Gnosis_energyBlockedAdmit___closed__1, &l_Gnosis_energyBlockedAdmit___closed__1_once, _init_l_Gnosis_energyBlockedAdmit___closed__1);
v___x_110_ = l_Gnosis_dot(v_e_97_, v_00_u03b1_98_);
lean_dec(v_00_u03b1_98_);
lean_dec(v_e_97_);
v___x_111_ = lean_int_mul(v___x_109_, v___x_110_);
lean_dec(v___x_110_);
v___x_112_ = lean_int_dec_le(v___x_111_, v_00_u03b3_99_);
lean_dec(v___x_111_);
v___x_113_ = l_Decidable_decide___redArg(v___x_112_);
return v___x_113_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energyBlockedAdmit___boxed(lean_object* v_e_114_, lean_object* v_00_u03b1_115_, lean_object* v_00_u03b3_116_){
_start:
{
uint8_t v_res_117_; lean_object* v_r_118_; 
v_res_117_ = l_Gnosis_energyBlockedAdmit(v_e_114_, v_00_u03b1_115_, v_00_u03b3_116_);
lean_dec(v_00_u03b3_116_);
v_r_118_ = lean_box(v_res_117_);
return v_r_118_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_energyOutside(lean_object* v_x_119_, lean_object* v_x_120_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_119_) == 0)
{
lean_object* v___x_121_; 
v___x_121_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
return v___x_121_;
}
else
{
if (lean_obj_tag(v_x_120_) == 0)
{
lean_object* v_head_122_; lean_object* v_tail_123_; lean_object* v___x_124_; lean_object* v___x_125_; lean_object* v___x_126_; 
v_head_122_ = lean_ctor_get(v_x_119_, 0);
v_tail_123_ = lean_ctor_get(v_x_119_, 1);
v___x_124_ = lean_int_mul(v_head_122_, v_head_122_);
v___x_125_ = l_Gnosis_energyOutside(v_tail_123_, v_x_120_);
v___x_126_ = lean_int_add(v___x_124_, v___x_125_);
lean_dec(v___x_125_);
lean_dec(v___x_124_);
return v___x_126_;
}
else
{
lean_object* v_head_127_; lean_object* v_tail_128_; lean_object* v_head_129_; lean_object* v_tail_130_; lean_object* v___y_132_; uint8_t v___x_135_; 
v_head_127_ = lean_ctor_get(v_x_119_, 0);
v_tail_128_ = lean_ctor_get(v_x_119_, 1);
v_head_129_ = lean_ctor_get(v_x_120_, 0);
v_tail_130_ = lean_ctor_get(v_x_120_, 1);
v___x_135_ = lean_unbox(v_head_129_);
if (v___x_135_ == 0)
{
lean_object* v___x_136_; 
v___x_136_ = lean_int_mul(v_head_127_, v_head_127_);
v___y_132_ = v___x_136_;
goto v___jp_131_;
}
else
{
lean_object* v___x_137_; 
v___x_137_ = lean_obj_once(&l_Gnosis_dot___closed__0, &l_Gnosis_dot___closed__0_once, _init_l_Gnosis_dot___closed__0);
v___y_132_ = v___x_137_;
goto v___jp_131_;
}
v___jp_131_:
{
lean_object* v___x_133_; lean_object* v___x_134_; 
v___x_133_ = l_Gnosis_energyOutside(v_tail_128_, v_tail_130_);
v___x_134_ = lean_int_add(v___y_132_, v___x_133_);
lean_dec(v___x_133_);
lean_dec(v___y_132_);
return v___x_134_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energyOutside___boxed(lean_object* v_x_138_, lean_object* v_x_139_){
_start:
{
lean_object* v_res_140_; 
v_res_140_ = l_Gnosis_energyOutside(v_x_138_, v_x_139_);
lean_dec(v_x_139_);
lean_dec(v_x_138_);
return v_res_140_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_energySplitAdmit(lean_object* v_E_141_, lean_object* v_a_142_, lean_object* v_S_143_, lean_object* v_00_u03b3_144_){
_start:
{
lean_object* v___x_145_; lean_object* v___x_146_; uint8_t v___x_147_; 
v___x_145_ = l_List_length___redArg(v_a_142_);
v___x_146_ = l_List_length___redArg(v_S_143_);
v___x_147_ = lean_nat_dec_eq(v___x_145_, v___x_146_);
lean_dec(v___x_146_);
lean_dec(v___x_145_);
if (v___x_147_ == 0)
{
return v___x_147_;
}
else
{
lean_object* v___x_148_; uint8_t v___x_149_; 
v___x_148_ = l_Gnosis_energyOutside(v_a_142_, v_S_143_);
v___x_149_ = l_Gnosis_energySidecarAdmit(v_E_141_, v___x_148_, v_00_u03b3_144_);
lean_dec(v___x_148_);
return v___x_149_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_energySplitAdmit___boxed(lean_object* v_E_150_, lean_object* v_a_151_, lean_object* v_S_152_, lean_object* v_00_u03b3_153_){
_start:
{
uint8_t v_res_154_; lean_object* v_r_155_; 
v_res_154_ = l_Gnosis_energySplitAdmit(v_E_150_, v_a_151_, v_S_152_, v_00_u03b3_153_);
lean_dec(v_00_u03b3_153_);
lean_dec(v_S_152_);
lean_dec(v_a_151_);
lean_dec(v_E_150_);
v_r_155_ = lean_box(v_res_154_);
return v_r_155_;
}
}
lean_object* initialize_Gnosis_Core_IntData(uint8_t builtin);
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Head
// Imports: public import Gnosis.Decision.Jit public import Gnosis.Decision.Search
lean_object* l_Gnosis_entry(lean_object*, lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
lean_object* lean_int_sub(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* l_Gnosis_argmaxAmong(lean_object*, lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* l_Gnosis_accepted___redArg(lean_object*, lean_object*);
lean_object* l_Gnosis_indices(lean_object*, lean_object*);
lean_object* l_List_countP___redArg(lean_object*, lean_object*);
uint8_t lean_nat_dec_lt(lean_object*, lean_object*);
lean_object* l_Gnosis_candidates(lean_object*, lean_object*);
lean_object* l_Gnosis_entry___boxed(lean_object*, lean_object*);
lean_object* l_List_map___redArg(lean_object*, lean_object*);
lean_object* l_Gnosis_servedArgmax(lean_object*, lean_object*, lean_object*);
lean_object* l_Gnosis_positionAt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_headServed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_topCandidates___lam__0(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topCandidates___lam__0___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_topCandidates___lam__1(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topCandidates___lam__1___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topCandidates(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_topAmong___lam__0(lean_object*, uint8_t, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topAmong___lam__0___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topAmong(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topAmong___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_headTopK(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_headTopK___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_headServed(lean_object* v_z_1_, lean_object* v_00_u03b5_2_, lean_object* v_y_3_, lean_object* v_err_4_, lean_object* v_exact_5_){
_start:
{
lean_object* v___x_6_; lean_object* v___x_7_; lean_object* v___x_8_; lean_object* v___x_9_; lean_object* v___x_10_; 
v___x_6_ = l_Gnosis_candidates(v_z_1_, v_00_u03b5_2_);
v___x_7_ = lean_alloc_closure((void*)(l_Gnosis_entry___boxed), 2, 1);
lean_closure_set(v___x_7_, 0, v_exact_5_);
lean_inc(v___x_6_);
v___x_8_ = l_List_map___redArg(v___x_7_, v___x_6_);
v___x_9_ = l_Gnosis_servedArgmax(v_y_3_, v___x_8_, v_err_4_);
lean_dec(v___x_8_);
v___x_10_ = l_Gnosis_positionAt(v___x_6_, v___x_9_);
lean_dec(v___x_6_);
return v___x_10_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_topCandidates___lam__0(lean_object* v_z_11_, lean_object* v_j_12_, lean_object* v_00_u03b5_13_, lean_object* v_i_14_){
_start:
{
lean_object* v___x_15_; lean_object* v___x_16_; lean_object* v___x_17_; lean_object* v___x_18_; lean_object* v___x_19_; lean_object* v___x_20_; uint8_t v___x_21_; uint8_t v___x_22_; 
lean_inc(v_j_12_);
v___x_15_ = l_Gnosis_entry(v_z_11_, v_j_12_);
v___x_16_ = l_Gnosis_entry(v_00_u03b5_13_, v_j_12_);
v___x_17_ = lean_int_add(v___x_15_, v___x_16_);
lean_dec(v___x_16_);
lean_dec(v___x_15_);
lean_inc(v_i_14_);
v___x_18_ = l_Gnosis_entry(v_z_11_, v_i_14_);
v___x_19_ = l_Gnosis_entry(v_00_u03b5_13_, v_i_14_);
v___x_20_ = lean_int_sub(v___x_18_, v___x_19_);
lean_dec(v___x_19_);
lean_dec(v___x_18_);
v___x_21_ = lean_int_dec_lt(v___x_17_, v___x_20_);
lean_dec(v___x_20_);
lean_dec(v___x_17_);
v___x_22_ = l_Decidable_decide___redArg(v___x_21_);
return v___x_22_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topCandidates___lam__0___boxed(lean_object* v_z_23_, lean_object* v_j_24_, lean_object* v_00_u03b5_25_, lean_object* v_i_26_){
_start:
{
uint8_t v_res_27_; lean_object* v_r_28_; 
v_res_27_ = l_Gnosis_topCandidates___lam__0(v_z_23_, v_j_24_, v_00_u03b5_25_, v_i_26_);
lean_dec(v_00_u03b5_25_);
lean_dec(v_z_23_);
v_r_28_ = lean_box(v_res_27_);
return v_r_28_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_topCandidates___lam__1(lean_object* v_z_29_, lean_object* v_00_u03b5_30_, lean_object* v_js_31_, lean_object* v_k_32_, lean_object* v_j_33_){
_start:
{ GNOSIS_STEP;
lean_object* v___f_34_; lean_object* v___x_35_; uint8_t v___x_36_; uint8_t v___x_37_; 
v___f_34_ = lean_alloc_closure((void*)(l_Gnosis_topCandidates___lam__0___boxed), 4, 3);
lean_closure_set(v___f_34_, 0, v_z_29_);
lean_closure_set(v___f_34_, 1, v_j_33_);
lean_closure_set(v___f_34_, 2, v_00_u03b5_30_);
v___x_35_ = l_List_countP___redArg(v___f_34_, v_js_31_);
v___x_36_ = lean_nat_dec_lt(v___x_35_, v_k_32_);
lean_dec(v___x_35_);
v___x_37_ = l_Decidable_decide___redArg(v___x_36_);
return v___x_37_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topCandidates___lam__1___boxed(lean_object* v_z_38_, lean_object* v_00_u03b5_39_, lean_object* v_js_40_, lean_object* v_k_41_, lean_object* v_j_42_){
_start:
{ GNOSIS_STEP;
uint8_t v_res_43_; lean_object* v_r_44_; 
v_res_43_ = l_Gnosis_topCandidates___lam__1(v_z_38_, v_00_u03b5_39_, v_js_40_, v_k_41_, v_j_42_);
lean_dec(v_k_41_);
v_r_44_ = lean_box(v_res_43_);
return v_r_44_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topCandidates(lean_object* v_k_45_, lean_object* v_z_46_, lean_object* v_00_u03b5_47_, lean_object* v_js_48_){
_start:
{
lean_object* v___f_49_; lean_object* v___x_50_; 
lean_inc(v_js_48_);
v___f_49_ = lean_alloc_closure((void*)(l_Gnosis_topCandidates___lam__1___boxed), 5, 4);
lean_closure_set(v___f_49_, 0, v_z_46_);
lean_closure_set(v___f_49_, 1, v_00_u03b5_47_);
lean_closure_set(v___f_49_, 2, v_js_48_);
lean_closure_set(v___f_49_, 3, v_k_45_);
v___x_50_ = l_Gnosis_accepted___redArg(v___f_49_, v_js_48_);
return v___x_50_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_topAmong___lam__0(lean_object* v___x_51_, uint8_t v_isZero_52_, lean_object* v_i_53_){
_start:
{
uint8_t v___x_54_; 
v___x_54_ = lean_nat_dec_eq(v_i_53_, v___x_51_);
if (v___x_54_ == 0)
{
uint8_t v___x_55_; 
v___x_55_ = 1;
return v___x_55_;
}
else
{
return v_isZero_52_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topAmong___lam__0___boxed(lean_object* v___x_56_, lean_object* v_isZero_57_, lean_object* v_i_58_){
_start:
{
uint8_t v_isZero_boxed_59_; uint8_t v_res_60_; lean_object* v_r_61_; 
v_isZero_boxed_59_ = lean_unbox(v_isZero_57_);
v_res_60_ = l_Gnosis_topAmong___lam__0(v___x_56_, v_isZero_boxed_59_, v_i_58_);
lean_dec(v_i_58_);
lean_dec(v___x_56_);
v_r_61_ = lean_box(v_res_60_);
return v_r_61_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topAmong(lean_object* v_z_62_, lean_object* v_x_63_, lean_object* v_x_64_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_65_; uint8_t v_isZero_66_; 
v_zero_65_ = lean_unsigned_to_nat(0u);
v_isZero_66_ = lean_nat_dec_eq(v_x_63_, v_zero_65_);
if (v_isZero_66_ == 1)
{
lean_object* v___x_67_; 
lean_dec(v_x_64_);
v___x_67_ = lean_box(0);
return v___x_67_;
}
else
{
if (lean_obj_tag(v_x_64_) == 0)
{
return v_x_64_;
}
else
{
lean_object* v_head_68_; lean_object* v_tail_69_; lean_object* v_one_70_; lean_object* v_n_71_; lean_object* v___x_72_; lean_object* v___x_73_; lean_object* v___f_74_; lean_object* v___x_75_; lean_object* v___x_76_; lean_object* v___x_77_; 
v_head_68_ = lean_ctor_get(v_x_64_, 0);
v_tail_69_ = lean_ctor_get(v_x_64_, 1);
v_one_70_ = lean_unsigned_to_nat(1u);
v_n_71_ = lean_nat_sub(v_x_63_, v_one_70_);
lean_inc(v_tail_69_);
lean_inc(v_head_68_);
v___x_72_ = l_Gnosis_argmaxAmong(v_z_62_, v_head_68_, v_tail_69_);
v___x_73_ = lean_box(v_isZero_66_);
lean_inc(v___x_72_);
v___f_74_ = lean_alloc_closure((void*)(l_Gnosis_topAmong___lam__0___boxed), 3, 2);
lean_closure_set(v___f_74_, 0, v___x_72_);
lean_closure_set(v___f_74_, 1, v___x_73_);
v___x_75_ = l_Gnosis_accepted___redArg(v___f_74_, v_x_64_);
v___x_76_ = l_Gnosis_topAmong(v_z_62_, v_n_71_, v___x_75_);
lean_dec(v_n_71_);
v___x_77_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v___x_77_, 0, v___x_72_);
lean_ctor_set(v___x_77_, 1, v___x_76_);
return v___x_77_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topAmong___boxed(lean_object* v_z_78_, lean_object* v_x_79_, lean_object* v_x_80_){
_start:
{
lean_object* v_res_81_; 
v_res_81_ = l_Gnosis_topAmong(v_z_78_, v_x_79_, v_x_80_);
lean_dec(v_x_79_);
lean_dec(v_z_78_);
return v_res_81_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_headTopK(lean_object* v_k_82_, lean_object* v_z_83_, lean_object* v_00_u03b5_84_, lean_object* v_y_85_, lean_object* v_err_86_, lean_object* v_exact_87_){
_start:
{
lean_object* v___x_88_; lean_object* v___x_89_; lean_object* v___x_90_; lean_object* v___x_91_; lean_object* v___x_92_; 
v___x_88_ = lean_unsigned_to_nat(0u);
lean_inc(v_z_83_);
v___x_89_ = l_Gnosis_indices(v___x_88_, v_z_83_);
lean_inc_n(v_k_82_, 2);
v___x_90_ = l_Gnosis_topCandidates(v_k_82_, v_z_83_, v_00_u03b5_84_, v___x_89_);
v___x_91_ = l_Gnosis_topCandidates(v_k_82_, v_y_85_, v_err_86_, v___x_90_);
v___x_92_ = l_Gnosis_topAmong(v_exact_87_, v_k_82_, v___x_91_);
lean_dec(v_k_82_);
return v___x_92_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_headTopK___boxed(lean_object* v_k_93_, lean_object* v_z_94_, lean_object* v_00_u03b5_95_, lean_object* v_y_96_, lean_object* v_err_97_, lean_object* v_exact_98_){
_start:
{
lean_object* v_res_99_; 
v_res_99_ = l_Gnosis_headTopK(v_k_93_, v_z_94_, v_00_u03b5_95_, v_y_96_, v_err_97_, v_exact_98_);
lean_dec(v_exact_98_);
return v_res_99_;
}
}
lean_object* initialize_Gnosis_Decision_Jit(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Search(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Jit
// Imports: public import Gnosis.Decision.Energy public import Gnosis.Decision.Margin
lean_object* l_Gnosis_entry(lean_object*, lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
uint8_t lean_nat_dec_lt(lean_object*, lean_object*);
lean_object* lean_int_sub(lean_object*, lean_object*);
uint8_t l_Gnosis_energySidecarAdmit(lean_object*, lean_object*, lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
uint8_t l_Gnosis_energySidecarAdmitStrict(lean_object*, lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
uint8_t l_Gnosis_leads(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
lean_object* l_Gnosis_candidates(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
uint8_t l_Gnosis_rowAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitAdmit___lam__0(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitAdmit___lam__0___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitStrict___lam__0(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitStrict___lam__0___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitStrict(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitStrict___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_errorsWithin___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_errorsWithin___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_errorsWithin(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_errorsWithin___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitRowAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitRowAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmaxAmong(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmaxAmong___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_servedArgmax(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_servedArgmax___boxed(lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_jitAdmitLowest___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_jitAdmitLowest___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitLowest(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitLowest___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars___lam__0(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___lam__0___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars___lam__1(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___lam__1___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitLeadAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_jitLeadAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_jitAdmit___lam__0(lean_object* v_A_1_, lean_object* v_00_u03b3_2_, lean_object* v_e_3_){
_start:
{
uint8_t v___x_4_; 
v___x_4_ = l_Gnosis_energySidecarAdmit(v_e_3_, v_A_1_, v_00_u03b3_2_);
return v___x_4_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitAdmit___lam__0___boxed(lean_object* v_A_5_, lean_object* v_00_u03b3_6_, lean_object* v_e_7_){
_start:
{
uint8_t v_res_8_; lean_object* v_r_9_; 
v_res_8_ = l_Gnosis_jitAdmit___lam__0(v_A_5_, v_00_u03b3_6_, v_e_7_);
lean_dec(v_e_7_);
lean_dec(v_00_u03b3_6_);
lean_dec(v_A_5_);
v_r_9_ = lean_box(v_res_8_);
return v_r_9_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitAdmit(lean_object* v_z_10_, lean_object* v_w_11_, lean_object* v_E_12_, lean_object* v_A_13_, lean_object* v_00_u03b3_14_){
_start:
{
lean_object* v___f_15_; uint8_t v___y_17_; lean_object* v___x_22_; lean_object* v___x_23_; uint8_t v___x_24_; 
lean_inc(v_00_u03b3_14_);
v___f_15_ = lean_alloc_closure((void*)(l_Gnosis_jitAdmit___lam__0___boxed), 3, 2);
lean_closure_set(v___f_15_, 0, v_A_13_);
lean_closure_set(v___f_15_, 1, v_00_u03b3_14_);
v___x_22_ = l_List_length___redArg(v_z_10_);
v___x_23_ = l_List_length___redArg(v_E_12_);
v___x_24_ = lean_nat_dec_eq(v___x_22_, v___x_23_);
lean_dec(v___x_23_);
if (v___x_24_ == 0)
{
lean_dec(v___x_22_);
v___y_17_ = v___x_24_;
goto v___jp_16_;
}
else
{
uint8_t v___x_25_; uint8_t v___x_26_; 
v___x_25_ = lean_nat_dec_lt(v_w_11_, v___x_22_);
lean_dec(v___x_22_);
v___x_26_ = l_Decidable_decide___redArg(v___x_25_);
v___y_17_ = v___x_26_;
goto v___jp_16_;
}
v___jp_16_:
{
if (v___y_17_ == 0)
{
lean_dec_ref(v___f_15_);
lean_dec(v_00_u03b3_14_);
lean_dec(v_E_12_);
lean_dec(v_w_11_);
return v___y_17_;
}
else
{
lean_object* v___x_18_; lean_object* v___x_19_; uint8_t v___x_20_; 
lean_inc(v_w_11_);
v___x_18_ = l_Gnosis_entry(v_z_10_, v_w_11_);
v___x_19_ = lean_unsigned_to_nat(0u);
v___x_20_ = l_Gnosis_leads(v___x_18_, v_00_u03b3_14_, v_00_u03b3_14_, v_w_11_, v___x_19_, v_z_10_);
lean_dec(v_w_11_);
lean_dec(v_00_u03b3_14_);
lean_dec(v___x_18_);
if (v___x_20_ == 0)
{
lean_dec_ref(v___f_15_);
lean_dec(v_E_12_);
return v___x_20_;
}
else
{
uint8_t v___x_21_; 
v___x_21_ = l_List_all___redArg(v_E_12_, v___f_15_);
return v___x_21_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitAdmit___boxed(lean_object* v_z_27_, lean_object* v_w_28_, lean_object* v_E_29_, lean_object* v_A_30_, lean_object* v_00_u03b3_31_){
_start:
{
uint8_t v_res_32_; lean_object* v_r_33_; 
v_res_32_ = l_Gnosis_jitAdmit(v_z_27_, v_w_28_, v_E_29_, v_A_30_, v_00_u03b3_31_);
lean_dec(v_z_27_);
v_r_33_ = lean_box(v_res_32_);
return v_r_33_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitStrict___lam__0(lean_object* v_A_34_, lean_object* v_00_u03b3_35_, lean_object* v_e_36_){
_start:
{
uint8_t v___x_37_; 
v___x_37_ = l_Gnosis_energySidecarAdmitStrict(v_e_36_, v_A_34_, v_00_u03b3_35_);
return v___x_37_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitStrict___lam__0___boxed(lean_object* v_A_38_, lean_object* v_00_u03b3_39_, lean_object* v_e_40_){
_start:
{
uint8_t v_res_41_; lean_object* v_r_42_; 
v_res_41_ = l_Gnosis_jitAdmitStrict___lam__0(v_A_38_, v_00_u03b3_39_, v_e_40_);
lean_dec(v_e_40_);
lean_dec(v_00_u03b3_39_);
lean_dec(v_A_38_);
v_r_42_ = lean_box(v_res_41_);
return v_r_42_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitStrict(lean_object* v_z_43_, lean_object* v_w_44_, lean_object* v_E_45_, lean_object* v_A_46_, lean_object* v_00_u03b3_47_){
_start:
{
lean_object* v___f_48_; uint8_t v___y_50_; lean_object* v___x_55_; lean_object* v___x_56_; uint8_t v___x_57_; 
lean_inc(v_00_u03b3_47_);
v___f_48_ = lean_alloc_closure((void*)(l_Gnosis_jitAdmitStrict___lam__0___boxed), 3, 2);
lean_closure_set(v___f_48_, 0, v_A_46_);
lean_closure_set(v___f_48_, 1, v_00_u03b3_47_);
v___x_55_ = l_List_length___redArg(v_z_43_);
v___x_56_ = l_List_length___redArg(v_E_45_);
v___x_57_ = lean_nat_dec_eq(v___x_55_, v___x_56_);
lean_dec(v___x_56_);
if (v___x_57_ == 0)
{
lean_dec(v___x_55_);
v___y_50_ = v___x_57_;
goto v___jp_49_;
}
else
{
uint8_t v___x_58_; uint8_t v___x_59_; 
v___x_58_ = lean_nat_dec_lt(v_w_44_, v___x_55_);
lean_dec(v___x_55_);
v___x_59_ = l_Decidable_decide___redArg(v___x_58_);
v___y_50_ = v___x_59_;
goto v___jp_49_;
}
v___jp_49_:
{
if (v___y_50_ == 0)
{
lean_dec_ref(v___f_48_);
lean_dec(v_00_u03b3_47_);
lean_dec(v_E_45_);
lean_dec(v_w_44_);
return v___y_50_;
}
else
{
lean_object* v___x_51_; lean_object* v___x_52_; uint8_t v___x_53_; 
lean_inc(v_w_44_);
v___x_51_ = l_Gnosis_entry(v_z_43_, v_w_44_);
v___x_52_ = lean_unsigned_to_nat(0u);
v___x_53_ = l_Gnosis_leads(v___x_51_, v_00_u03b3_47_, v_00_u03b3_47_, v_w_44_, v___x_52_, v_z_43_);
lean_dec(v_w_44_);
lean_dec(v_00_u03b3_47_);
lean_dec(v___x_51_);
if (v___x_53_ == 0)
{
lean_dec_ref(v___f_48_);
lean_dec(v_E_45_);
return v___x_53_;
}
else
{
uint8_t v___x_54_; 
v___x_54_ = l_List_all___redArg(v_E_45_, v___f_48_);
return v___x_54_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitStrict___boxed(lean_object* v_z_60_, lean_object* v_w_61_, lean_object* v_E_62_, lean_object* v_A_63_, lean_object* v_00_u03b3_64_){
_start:
{
uint8_t v_res_65_; lean_object* v_r_66_; 
v_res_65_ = l_Gnosis_jitAdmitStrict(v_z_60_, v_w_61_, v_E_62_, v_A_63_, v_00_u03b3_64_);
lean_dec(v_z_60_);
v_r_66_ = lean_box(v_res_65_);
return v_r_66_;
}
}
static lean_object* _init_l_Gnosis_errorsWithin___closed__0(void){
_start:
{
lean_object* v___x_67_; lean_object* v___x_68_; 
v___x_67_ = lean_unsigned_to_nat(2u);
v___x_68_ = lean_nat_to_int(v___x_67_);
return v___x_68_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_errorsWithin(lean_object* v_A_69_, lean_object* v_x_70_, lean_object* v_x_71_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_70_) == 0)
{
if (lean_obj_tag(v_x_71_) == 0)
{
uint8_t v___x_72_; 
v___x_72_ = 1;
return v___x_72_;
}
else
{
uint8_t v___x_73_; 
v___x_73_ = 0;
return v___x_73_;
}
}
else
{
if (lean_obj_tag(v_x_71_) == 0)
{
uint8_t v___x_74_; 
v___x_74_ = 0;
return v___x_74_;
}
else
{
lean_object* v_head_75_; lean_object* v_tail_76_; lean_object* v_head_77_; lean_object* v_tail_78_; lean_object* v___x_79_; lean_object* v___x_80_; uint8_t v___x_81_; 
v_head_75_ = lean_ctor_get(v_x_70_, 0);
v_tail_76_ = lean_ctor_get(v_x_70_, 1);
v_head_77_ = lean_ctor_get(v_x_71_, 0);
v_tail_78_ = lean_ctor_get(v_x_71_, 1);
v___x_79_ = lean_obj_once(&l_Gnosis_errorsWithin___closed__0, &l_Gnosis_errorsWithin___closed__0_once, _init_l_Gnosis_errorsWithin___closed__0);
v___x_80_ = lean_int_mul(v___x_79_, v_head_77_);
v___x_81_ = l_Gnosis_energySidecarAdmit(v_head_75_, v_A_69_, v___x_80_);
lean_dec(v___x_80_);
if (v___x_81_ == 0)
{
return v___x_81_;
}
else
{
v_x_70_ = v_tail_76_;
v_x_71_ = v_tail_78_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_errorsWithin___boxed(lean_object* v_A_83_, lean_object* v_x_84_, lean_object* v_x_85_){
_start:
{
uint8_t v_res_86_; lean_object* v_r_87_; 
v_res_86_ = l_Gnosis_errorsWithin(v_A_83_, v_x_84_, v_x_85_);
lean_dec(v_x_85_);
lean_dec(v_x_84_);
lean_dec(v_A_83_);
v_r_87_ = lean_box(v_res_86_);
return v_r_87_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitRowAdmit(lean_object* v_z_88_, lean_object* v_w_89_, lean_object* v_00_u03b5_90_, lean_object* v_E_91_, lean_object* v_A_92_){
_start:
{
uint8_t v___x_93_; 
v___x_93_ = l_Gnosis_errorsWithin(v_A_92_, v_E_91_, v_00_u03b5_90_);
if (v___x_93_ == 0)
{
lean_dec(v_00_u03b5_90_);
lean_dec(v_w_89_);
return v___x_93_;
}
else
{
uint8_t v___x_94_; 
v___x_94_ = l_Gnosis_rowAdmit(v_z_88_, v_00_u03b5_90_, v_w_89_);
return v___x_94_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitRowAdmit___boxed(lean_object* v_z_95_, lean_object* v_w_96_, lean_object* v_00_u03b5_97_, lean_object* v_E_98_, lean_object* v_A_99_){
_start:
{
uint8_t v_res_100_; lean_object* v_r_101_; 
v_res_100_ = l_Gnosis_jitRowAdmit(v_z_95_, v_w_96_, v_00_u03b5_97_, v_E_98_, v_A_99_);
lean_dec(v_A_99_);
lean_dec(v_E_98_);
lean_dec(v_z_95_);
v_r_101_ = lean_box(v_res_100_);
return v_r_101_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmaxAmong(lean_object* v_z_102_, lean_object* v_best_103_, lean_object* v_x_104_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_104_) == 0)
{
return v_best_103_;
}
else
{
lean_object* v_head_105_; lean_object* v_tail_106_; lean_object* v___x_107_; lean_object* v___x_108_; uint8_t v___x_109_; 
v_head_105_ = lean_ctor_get(v_x_104_, 0);
lean_inc_n(v_head_105_, 2);
v_tail_106_ = lean_ctor_get(v_x_104_, 1);
lean_inc(v_tail_106_);
lean_dec_ref_known(v_x_104_, 2);
lean_inc(v_best_103_);
v___x_107_ = l_Gnosis_entry(v_z_102_, v_best_103_);
v___x_108_ = l_Gnosis_entry(v_z_102_, v_head_105_);
v___x_109_ = lean_int_dec_lt(v___x_107_, v___x_108_);
lean_dec(v___x_108_);
lean_dec(v___x_107_);
if (v___x_109_ == 0)
{
lean_dec(v_head_105_);
v_x_104_ = v_tail_106_;
goto _start;
}
else
{
lean_dec(v_best_103_);
v_best_103_ = v_head_105_;
v_x_104_ = v_tail_106_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmaxAmong___boxed(lean_object* v_z_112_, lean_object* v_best_113_, lean_object* v_x_114_){
_start:
{
lean_object* v_res_115_; 
v_res_115_ = l_Gnosis_argmaxAmong(v_z_112_, v_best_113_, v_x_114_);
lean_dec(v_z_112_);
return v_res_115_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_servedArgmax(lean_object* v_coarse_116_, lean_object* v_exact_117_, lean_object* v_00_u03b5_118_){
_start:
{
lean_object* v___x_119_; 
v___x_119_ = l_Gnosis_candidates(v_coarse_116_, v_00_u03b5_118_);
if (lean_obj_tag(v___x_119_) == 0)
{
lean_object* v___x_120_; 
v___x_120_ = lean_unsigned_to_nat(0u);
return v___x_120_;
}
else
{
lean_object* v_head_121_; lean_object* v_tail_122_; lean_object* v___x_123_; 
v_head_121_ = lean_ctor_get(v___x_119_, 0);
lean_inc(v_head_121_);
v_tail_122_ = lean_ctor_get(v___x_119_, 1);
lean_inc(v_tail_122_);
lean_dec_ref_known(v___x_119_, 2);
v___x_123_ = l_Gnosis_argmaxAmong(v_exact_117_, v_head_121_, v_tail_122_);
return v___x_123_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_servedArgmax___boxed(lean_object* v_coarse_124_, lean_object* v_exact_125_, lean_object* v_00_u03b5_126_){
_start:
{
lean_object* v_res_127_; 
v_res_127_ = l_Gnosis_servedArgmax(v_coarse_124_, v_exact_125_, v_00_u03b5_126_);
lean_dec(v_exact_125_);
return v_res_127_;
}
}
static lean_object* _init_l_Gnosis_jitAdmitLowest___closed__0(void){
_start:
{
lean_object* v___x_128_; lean_object* v___x_129_; 
v___x_128_ = lean_unsigned_to_nat(1u);
v___x_129_ = lean_nat_to_int(v___x_128_);
return v___x_129_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitAdmitLowest(lean_object* v_z_130_, lean_object* v_w_131_, lean_object* v_E_132_, lean_object* v_A_133_, lean_object* v_00_u03b3_134_){
_start:
{
lean_object* v___f_135_; uint8_t v___y_137_; lean_object* v___x_144_; lean_object* v___x_145_; uint8_t v___x_146_; 
lean_inc(v_00_u03b3_134_);
v___f_135_ = lean_alloc_closure((void*)(l_Gnosis_jitAdmit___lam__0___boxed), 3, 2);
lean_closure_set(v___f_135_, 0, v_A_133_);
lean_closure_set(v___f_135_, 1, v_00_u03b3_134_);
v___x_144_ = l_List_length___redArg(v_z_130_);
v___x_145_ = l_List_length___redArg(v_E_132_);
v___x_146_ = lean_nat_dec_eq(v___x_144_, v___x_145_);
lean_dec(v___x_145_);
if (v___x_146_ == 0)
{
lean_dec(v___x_144_);
v___y_137_ = v___x_146_;
goto v___jp_136_;
}
else
{
uint8_t v___x_147_; uint8_t v___x_148_; 
v___x_147_ = lean_nat_dec_lt(v_w_131_, v___x_144_);
lean_dec(v___x_144_);
v___x_148_ = l_Decidable_decide___redArg(v___x_147_);
v___y_137_ = v___x_148_;
goto v___jp_136_;
}
v___jp_136_:
{
if (v___y_137_ == 0)
{
lean_dec_ref(v___f_135_);
lean_dec(v_00_u03b3_134_);
lean_dec(v_E_132_);
lean_dec(v_w_131_);
return v___y_137_;
}
else
{
lean_object* v___x_138_; lean_object* v___x_139_; lean_object* v___x_140_; lean_object* v___x_141_; uint8_t v___x_142_; 
lean_inc(v_w_131_);
v___x_138_ = l_Gnosis_entry(v_z_130_, v_w_131_);
v___x_139_ = lean_obj_once(&l_Gnosis_jitAdmitLowest___closed__0, &l_Gnosis_jitAdmitLowest___closed__0_once, _init_l_Gnosis_jitAdmitLowest___closed__0);
v___x_140_ = lean_int_add(v_00_u03b3_134_, v___x_139_);
v___x_141_ = lean_unsigned_to_nat(0u);
v___x_142_ = l_Gnosis_leads(v___x_138_, v___x_140_, v_00_u03b3_134_, v_w_131_, v___x_141_, v_z_130_);
lean_dec(v_w_131_);
lean_dec(v_00_u03b3_134_);
lean_dec(v___x_140_);
lean_dec(v___x_138_);
if (v___x_142_ == 0)
{
lean_dec_ref(v___f_135_);
lean_dec(v_E_132_);
return v___x_142_;
}
else
{
uint8_t v___x_143_; 
v___x_143_ = l_List_all___redArg(v_E_132_, v___f_135_);
return v___x_143_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitAdmitLowest___boxed(lean_object* v_z_149_, lean_object* v_w_150_, lean_object* v_E_151_, lean_object* v_A_152_, lean_object* v_00_u03b3_153_){
_start:
{
uint8_t v_res_154_; lean_object* v_r_155_; 
v_res_154_ = l_Gnosis_jitAdmitLowest(v_z_149_, v_w_150_, v_E_151_, v_A_152_, v_00_u03b3_153_);
lean_dec(v_z_149_);
v_r_155_ = lean_box(v_res_154_);
return v_r_155_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars___lam__0(lean_object* v_x_156_, lean_object* v_head_157_, lean_object* v_A_158_, lean_object* v_e_159_){
_start:
{
lean_object* v___x_160_; uint8_t v___x_161_; 
v___x_160_ = lean_int_sub(v_x_156_, v_head_157_);
v___x_161_ = l_Gnosis_energySidecarAdmit(v_e_159_, v_A_158_, v___x_160_);
lean_dec(v___x_160_);
return v___x_161_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___lam__0___boxed(lean_object* v_x_162_, lean_object* v_head_163_, lean_object* v_A_164_, lean_object* v_e_165_){
_start:
{
uint8_t v_res_166_; lean_object* v_r_167_; 
v_res_166_ = l_Gnosis_leadsSidecars___lam__0(v_x_162_, v_head_163_, v_A_164_, v_e_165_);
lean_dec(v_e_165_);
lean_dec(v_A_164_);
lean_dec(v_head_163_);
lean_dec(v_x_162_);
v_r_167_ = lean_box(v_res_166_);
return v_r_167_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars___lam__1(lean_object* v_x_168_, lean_object* v_head_169_, lean_object* v_A_170_, lean_object* v_e_171_){
_start:
{
lean_object* v___x_172_; uint8_t v___x_173_; 
v___x_172_ = lean_int_sub(v_x_168_, v_head_169_);
v___x_173_ = l_Gnosis_energySidecarAdmitStrict(v_e_171_, v_A_170_, v___x_172_);
lean_dec(v___x_172_);
return v___x_173_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___lam__1___boxed(lean_object* v_x_174_, lean_object* v_head_175_, lean_object* v_A_176_, lean_object* v_e_177_){
_start:
{
uint8_t v_res_178_; lean_object* v_r_179_; 
v_res_178_ = l_Gnosis_leadsSidecars___lam__1(v_x_174_, v_head_175_, v_A_176_, v_e_177_);
lean_dec(v_e_177_);
lean_dec(v_A_176_);
lean_dec(v_head_175_);
lean_dec(v_x_174_);
v_r_179_ = lean_box(v_res_178_);
return v_r_179_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_leadsSidecars(lean_object* v_E_180_, lean_object* v_A_181_, lean_object* v_x_182_, lean_object* v_w_183_, lean_object* v_i_184_, lean_object* v_x_185_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_185_) == 0)
{
uint8_t v___x_186_; 
lean_dec(v_i_184_);
lean_dec(v_x_182_);
lean_dec(v_A_181_);
lean_dec(v_E_180_);
v___x_186_ = 1;
return v___x_186_;
}
else
{
lean_object* v_head_187_; lean_object* v_tail_188_; uint8_t v___y_190_; uint8_t v___x_194_; uint8_t v___x_195_; 
v_head_187_ = lean_ctor_get(v_x_185_, 0);
lean_inc(v_head_187_);
v_tail_188_ = lean_ctor_get(v_x_185_, 1);
lean_inc(v_tail_188_);
lean_dec_ref_known(v_x_185_, 2);
v___x_194_ = lean_nat_dec_eq(v_i_184_, v_w_183_);
v___x_195_ = l_Decidable_decide___redArg(v___x_194_);
if (v___x_195_ == 0)
{
uint8_t v___x_196_; 
v___x_196_ = lean_nat_dec_lt(v_i_184_, v_w_183_);
if (v___x_196_ == 0)
{
lean_object* v___f_197_; uint8_t v___x_198_; 
lean_inc(v_A_181_);
lean_inc(v_x_182_);
v___f_197_ = lean_alloc_closure((void*)(l_Gnosis_leadsSidecars___lam__0___boxed), 4, 3);
lean_closure_set(v___f_197_, 0, v_x_182_);
lean_closure_set(v___f_197_, 1, v_head_187_);
lean_closure_set(v___f_197_, 2, v_A_181_);
lean_inc(v_E_180_);
v___x_198_ = l_List_all___redArg(v_E_180_, v___f_197_);
v___y_190_ = v___x_198_;
goto v___jp_189_;
}
else
{
lean_object* v___f_199_; uint8_t v___x_200_; 
lean_inc(v_A_181_);
lean_inc(v_x_182_);
v___f_199_ = lean_alloc_closure((void*)(l_Gnosis_leadsSidecars___lam__1___boxed), 4, 3);
lean_closure_set(v___f_199_, 0, v_x_182_);
lean_closure_set(v___f_199_, 1, v_head_187_);
lean_closure_set(v___f_199_, 2, v_A_181_);
lean_inc(v_E_180_);
v___x_200_ = l_List_all___redArg(v_E_180_, v___f_199_);
v___y_190_ = v___x_200_;
goto v___jp_189_;
}
}
else
{
lean_dec(v_head_187_);
v___y_190_ = v___x_195_;
goto v___jp_189_;
}
v___jp_189_:
{
if (v___y_190_ == 0)
{
lean_dec(v_tail_188_);
lean_dec(v_i_184_);
lean_dec(v_x_182_);
lean_dec(v_A_181_);
lean_dec(v_E_180_);
return v___y_190_;
}
else
{
lean_object* v___x_191_; lean_object* v___x_192_; 
v___x_191_ = lean_unsigned_to_nat(1u);
v___x_192_ = lean_nat_add(v_i_184_, v___x_191_);
lean_dec(v_i_184_);
v_i_184_ = v___x_192_;
v_x_185_ = v_tail_188_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_leadsSidecars___boxed(lean_object* v_E_201_, lean_object* v_A_202_, lean_object* v_x_203_, lean_object* v_w_204_, lean_object* v_i_205_, lean_object* v_x_206_){
_start:
{
uint8_t v_res_207_; lean_object* v_r_208_; 
v_res_207_ = l_Gnosis_leadsSidecars(v_E_201_, v_A_202_, v_x_203_, v_w_204_, v_i_205_, v_x_206_);
lean_dec(v_w_204_);
v_r_208_ = lean_box(v_res_207_);
return v_r_208_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_jitLeadAdmit(lean_object* v_z_209_, lean_object* v_w_210_, lean_object* v_E_211_, lean_object* v_A_212_){
_start:
{
uint8_t v___y_214_; lean_object* v___x_218_; lean_object* v___x_219_; uint8_t v___x_220_; 
v___x_218_ = l_List_length___redArg(v_z_209_);
v___x_219_ = l_List_length___redArg(v_E_211_);
v___x_220_ = lean_nat_dec_eq(v___x_218_, v___x_219_);
lean_dec(v___x_219_);
if (v___x_220_ == 0)
{
lean_dec(v___x_218_);
v___y_214_ = v___x_220_;
goto v___jp_213_;
}
else
{
uint8_t v___x_221_; uint8_t v___x_222_; 
v___x_221_ = lean_nat_dec_lt(v_w_210_, v___x_218_);
lean_dec(v___x_218_);
v___x_222_ = l_Decidable_decide___redArg(v___x_221_);
v___y_214_ = v___x_222_;
goto v___jp_213_;
}
v___jp_213_:
{
if (v___y_214_ == 0)
{
lean_dec(v_A_212_);
lean_dec(v_E_211_);
lean_dec(v_w_210_);
lean_dec(v_z_209_);
return v___y_214_;
}
else
{
lean_object* v___x_215_; lean_object* v___x_216_; uint8_t v___x_217_; 
lean_inc(v_w_210_);
v___x_215_ = l_Gnosis_entry(v_z_209_, v_w_210_);
v___x_216_ = lean_unsigned_to_nat(0u);
v___x_217_ = l_Gnosis_leadsSidecars(v_E_211_, v_A_212_, v___x_215_, v_w_210_, v___x_216_, v_z_209_);
lean_dec(v_w_210_);
return v___x_217_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_jitLeadAdmit___boxed(lean_object* v_z_223_, lean_object* v_w_224_, lean_object* v_E_225_, lean_object* v_A_226_){
_start:
{
uint8_t v_res_227_; lean_object* v_r_228_; 
v_res_227_ = l_Gnosis_jitLeadAdmit(v_z_223_, v_w_224_, v_E_225_, v_A_226_);
v_r_228_ = lean_box(v_res_227_);
return v_r_228_;
}
}
lean_object* initialize_Gnosis_Decision_Energy(uint8_t builtin);
lean_object* initialize_Gnosis_Decision_Margin(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Lattice
// Imports: public import Gnosis.Decision.Sum
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
lean_object* lean_int_ediv(lean_object*, lean_object*);
lean_object* lean_int_sub(lean_object*, lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
lean_object* lean_int_neg(lean_object*);
lean_object* l_List_map___redArg(lean_object*, lean_object*);
lean_object* l_Gnosis_sum(lean_object*);
uint8_t l_Int_isEven(lean_object*);
uint8_t lean_int_dec_eq(lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* l_Int_isEven___boxed(lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
static lean_once_cell_t l_Gnosis_sqDist___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_sqDist___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_sqDist(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_sqDist___boxed(lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_nearestInt___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_nearestInt___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_nearestInt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_nearestInt___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundError(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundError___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundDeviation(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundDeviation___boxed(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_secondNearest___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_secondNearest___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_secondNearest(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_secondNearest___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_larger(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_larger___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_worstDeviation(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_worstDeviation___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundButOne(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_roundButOne___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_cubicDecode(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnDecode(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__0(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__0___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__1(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__1___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__2(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__2___boxed(lean_object*, lean_object*);
static const lean_closure_object l_Gnosis_dnPlusDecode___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Gnosis_dnPlusDecode___lam__0___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_dnPlusDecode___closed__0 = (const lean_object*)&l_Gnosis_dnPlusDecode___closed__0_value;
static lean_once_cell_t l_Gnosis_dnPlusDecode___closed__1_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_dnPlusDecode___closed__1;
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_isD8(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_isD8___boxed(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_isE8___lam__0(uint8_t, uint8_t, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_isE8___lam__0___boxed(lean_object*, lean_object*, lean_object*);
static const lean_closure_object l_Gnosis_isE8___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_isEven___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_isE8___closed__0 = (const lean_object*)&l_Gnosis_isE8___closed__0_value;
LEAN_EXPORT uint8_t l_Gnosis_isE8(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_isE8___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_d8Decode(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_e8Decode(lean_object*, lean_object*);
static lean_object* _init_l_Gnosis_sqDist___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_sqDist(lean_object* v_m_3_, lean_object* v_x_4_, lean_object* v_x_5_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_4_) == 0)
{
goto v___jp_6_;
}
else
{
if (lean_obj_tag(v_x_5_) == 0)
{
goto v___jp_6_;
}
else
{
lean_object* v_head_8_; lean_object* v_tail_9_; lean_object* v_head_10_; lean_object* v_tail_11_; lean_object* v___x_12_; lean_object* v___x_13_; lean_object* v___x_14_; lean_object* v___x_15_; lean_object* v___x_16_; 
v_head_8_ = lean_ctor_get(v_x_4_, 0);
v_tail_9_ = lean_ctor_get(v_x_4_, 1);
v_head_10_ = lean_ctor_get(v_x_5_, 0);
v_tail_11_ = lean_ctor_get(v_x_5_, 1);
v___x_12_ = lean_int_mul(v_m_3_, v_head_10_);
v___x_13_ = lean_int_sub(v_head_8_, v___x_12_);
lean_dec(v___x_12_);
v___x_14_ = lean_int_mul(v___x_13_, v___x_13_);
lean_dec(v___x_13_);
v___x_15_ = l_Gnosis_sqDist(v_m_3_, v_tail_9_, v_tail_11_);
v___x_16_ = lean_int_add(v___x_14_, v___x_15_);
lean_dec(v___x_15_);
lean_dec(v___x_14_);
return v___x_16_;
}
}
v___jp_6_:
{
lean_object* v___x_7_; 
v___x_7_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
return v___x_7_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_sqDist___boxed(lean_object* v_m_17_, lean_object* v_x_18_, lean_object* v_x_19_){
_start:
{
lean_object* v_res_20_; 
v_res_20_ = l_Gnosis_sqDist(v_m_17_, v_x_18_, v_x_19_);
lean_dec(v_x_19_);
lean_dec(v_x_18_);
lean_dec(v_m_17_);
return v_res_20_;
}
}
static lean_object* _init_l_Gnosis_nearestInt___closed__0(void){
_start:
{
lean_object* v___x_21_; lean_object* v___x_22_; 
v___x_21_ = lean_unsigned_to_nat(2u);
v___x_22_ = lean_nat_to_int(v___x_21_);
return v___x_22_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_nearestInt(lean_object* v_m_23_, lean_object* v_x_24_){
_start:
{
lean_object* v___x_25_; lean_object* v___x_26_; lean_object* v___x_27_; lean_object* v___x_28_; lean_object* v___x_29_; 
v___x_25_ = lean_obj_once(&l_Gnosis_nearestInt___closed__0, &l_Gnosis_nearestInt___closed__0_once, _init_l_Gnosis_nearestInt___closed__0);
v___x_26_ = lean_int_mul(v___x_25_, v_x_24_);
v___x_27_ = lean_int_add(v___x_26_, v_m_23_);
lean_dec(v___x_26_);
v___x_28_ = lean_int_mul(v___x_25_, v_m_23_);
v___x_29_ = lean_int_ediv(v___x_27_, v___x_28_);
lean_dec(v___x_28_);
lean_dec(v___x_27_);
return v___x_29_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_nearestInt___boxed(lean_object* v_m_30_, lean_object* v_x_31_){
_start:
{
lean_object* v_res_32_; 
v_res_32_ = l_Gnosis_nearestInt(v_m_30_, v_x_31_);
lean_dec(v_x_31_);
lean_dec(v_m_30_);
return v_res_32_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundError(lean_object* v_m_33_, lean_object* v_x_34_){
_start:
{
lean_object* v___x_35_; lean_object* v___x_36_; lean_object* v___x_37_; 
v___x_35_ = l_Gnosis_nearestInt(v_m_33_, v_x_34_);
v___x_36_ = lean_int_mul(v_m_33_, v___x_35_);
lean_dec(v___x_35_);
v___x_37_ = lean_int_sub(v_x_34_, v___x_36_);
lean_dec(v___x_36_);
return v___x_37_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundError___boxed(lean_object* v_m_38_, lean_object* v_x_39_){
_start:
{
lean_object* v_res_40_; 
v_res_40_ = l_Gnosis_roundError(v_m_38_, v_x_39_);
lean_dec(v_x_39_);
lean_dec(v_m_38_);
return v_res_40_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundDeviation(lean_object* v_m_41_, lean_object* v_x_42_){
_start:
{
lean_object* v___x_43_; lean_object* v___x_44_; uint8_t v___x_45_; 
v___x_43_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
v___x_44_ = l_Gnosis_roundError(v_m_41_, v_x_42_);
v___x_45_ = lean_int_dec_le(v___x_43_, v___x_44_);
if (v___x_45_ == 0)
{
lean_object* v___x_46_; 
v___x_46_ = lean_int_neg(v___x_44_);
lean_dec(v___x_44_);
return v___x_46_;
}
else
{
return v___x_44_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundDeviation___boxed(lean_object* v_m_47_, lean_object* v_x_48_){
_start:
{
lean_object* v_res_49_; 
v_res_49_ = l_Gnosis_roundDeviation(v_m_47_, v_x_48_);
lean_dec(v_x_48_);
lean_dec(v_m_47_);
return v_res_49_;
}
}
static lean_object* _init_l_Gnosis_secondNearest___closed__0(void){
_start:
{
lean_object* v___x_50_; lean_object* v___x_51_; 
v___x_50_ = lean_unsigned_to_nat(1u);
v___x_51_ = lean_nat_to_int(v___x_50_);
return v___x_51_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_secondNearest(lean_object* v_m_52_, lean_object* v_x_53_){
_start:
{
lean_object* v___x_54_; lean_object* v___x_55_; uint8_t v___x_56_; 
v___x_54_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
v___x_55_ = l_Gnosis_roundError(v_m_52_, v_x_53_);
v___x_56_ = lean_int_dec_le(v___x_54_, v___x_55_);
lean_dec(v___x_55_);
if (v___x_56_ == 0)
{
lean_object* v___x_57_; lean_object* v___x_58_; lean_object* v___x_59_; 
v___x_57_ = l_Gnosis_nearestInt(v_m_52_, v_x_53_);
v___x_58_ = lean_obj_once(&l_Gnosis_secondNearest___closed__0, &l_Gnosis_secondNearest___closed__0_once, _init_l_Gnosis_secondNearest___closed__0);
v___x_59_ = lean_int_sub(v___x_57_, v___x_58_);
lean_dec(v___x_57_);
return v___x_59_;
}
else
{
lean_object* v___x_60_; lean_object* v___x_61_; lean_object* v___x_62_; 
v___x_60_ = l_Gnosis_nearestInt(v_m_52_, v_x_53_);
v___x_61_ = lean_obj_once(&l_Gnosis_secondNearest___closed__0, &l_Gnosis_secondNearest___closed__0_once, _init_l_Gnosis_secondNearest___closed__0);
v___x_62_ = lean_int_add(v___x_60_, v___x_61_);
lean_dec(v___x_60_);
return v___x_62_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_secondNearest___boxed(lean_object* v_m_63_, lean_object* v_x_64_){
_start:
{
lean_object* v_res_65_; 
v_res_65_ = l_Gnosis_secondNearest(v_m_63_, v_x_64_);
lean_dec(v_x_64_);
lean_dec(v_m_63_);
return v_res_65_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_larger(lean_object* v_a_66_, lean_object* v_b_67_){
_start:
{
uint8_t v___x_68_; 
v___x_68_ = lean_int_dec_le(v_a_66_, v_b_67_);
if (v___x_68_ == 0)
{
lean_inc(v_a_66_);
return v_a_66_;
}
else
{
lean_inc(v_b_67_);
return v_b_67_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_larger___boxed(lean_object* v_a_69_, lean_object* v_b_70_){
_start:
{
lean_object* v_res_71_; 
v_res_71_ = l_Gnosis_larger(v_a_69_, v_b_70_);
lean_dec(v_b_70_);
lean_dec(v_a_69_);
return v_res_71_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_worstDeviation(lean_object* v_m_72_, lean_object* v_x_73_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_73_) == 0)
{
lean_object* v___x_74_; 
v___x_74_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
return v___x_74_;
}
else
{
lean_object* v_head_75_; lean_object* v_tail_76_; lean_object* v___x_77_; lean_object* v___x_78_; lean_object* v___x_79_; 
v_head_75_ = lean_ctor_get(v_x_73_, 0);
v_tail_76_ = lean_ctor_get(v_x_73_, 1);
v___x_77_ = l_Gnosis_roundDeviation(v_m_72_, v_head_75_);
v___x_78_ = l_Gnosis_worstDeviation(v_m_72_, v_tail_76_);
v___x_79_ = l_Gnosis_larger(v___x_77_, v___x_78_);
lean_dec(v___x_78_);
lean_dec(v___x_77_);
return v___x_79_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_worstDeviation___boxed(lean_object* v_m_80_, lean_object* v_x_81_){
_start:
{
lean_object* v_res_82_; 
v_res_82_ = l_Gnosis_worstDeviation(v_m_80_, v_x_81_);
lean_dec(v_x_81_);
lean_dec(v_m_80_);
return v_res_82_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundButOne(lean_object* v_m_83_, lean_object* v_e_84_, lean_object* v_x_85_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_85_) == 0)
{
lean_dec(v_m_83_);
return v_x_85_;
}
else
{
lean_object* v_head_86_; lean_object* v_tail_87_; lean_object* v___x_89_; uint8_t v_isShared_90_; uint8_t v_isSharedCheck_104_; 
v_head_86_ = lean_ctor_get(v_x_85_, 0);
v_tail_87_ = lean_ctor_get(v_x_85_, 1);
v_isSharedCheck_104_ = !lean_is_exclusive(v_x_85_);
if (v_isSharedCheck_104_ == 0)
{
v___x_89_ = v_x_85_;
v_isShared_90_ = v_isSharedCheck_104_;
goto v_resetjp_88_;
}
else
{
lean_inc(v_tail_87_);
lean_inc(v_head_86_);
lean_dec(v_x_85_);
v___x_89_ = lean_box(0);
v_isShared_90_ = v_isSharedCheck_104_;
goto v_resetjp_88_;
}
v_resetjp_88_:
{
lean_object* v___x_91_; uint8_t v___x_92_; 
v___x_91_ = l_Gnosis_roundDeviation(v_m_83_, v_head_86_);
v___x_92_ = lean_int_dec_eq(v___x_91_, v_e_84_);
lean_dec(v___x_91_);
if (v___x_92_ == 0)
{
lean_object* v___x_93_; lean_object* v___x_94_; lean_object* v___x_96_; 
v___x_93_ = l_Gnosis_nearestInt(v_m_83_, v_head_86_);
lean_dec(v_head_86_);
v___x_94_ = l_Gnosis_roundButOne(v_m_83_, v_e_84_, v_tail_87_);
if (v_isShared_90_ == 0)
{
lean_ctor_set(v___x_89_, 1, v___x_94_);
lean_ctor_set(v___x_89_, 0, v___x_93_);
v___x_96_ = v___x_89_;
goto v_reusejp_95_;
}
else
{
lean_object* v_reuseFailAlloc_97_; 
v_reuseFailAlloc_97_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_97_, 0, v___x_93_);
lean_ctor_set(v_reuseFailAlloc_97_, 1, v___x_94_);
v___x_96_ = v_reuseFailAlloc_97_;
goto v_reusejp_95_;
}
v_reusejp_95_:
{
return v___x_96_;
}
}
else
{
lean_object* v___x_98_; lean_object* v___x_99_; lean_object* v___x_100_; lean_object* v___x_102_; 
v___x_98_ = l_Gnosis_secondNearest(v_m_83_, v_head_86_);
lean_dec(v_head_86_);
v___x_99_ = lean_alloc_closure((void*)(l_Gnosis_nearestInt___boxed), 2, 1);
lean_closure_set(v___x_99_, 0, v_m_83_);
v___x_100_ = l_List_map___redArg(v___x_99_, v_tail_87_);
if (v_isShared_90_ == 0)
{
lean_ctor_set(v___x_89_, 1, v___x_100_);
lean_ctor_set(v___x_89_, 0, v___x_98_);
v___x_102_ = v___x_89_;
goto v_reusejp_101_;
}
else
{
lean_object* v_reuseFailAlloc_103_; 
v_reuseFailAlloc_103_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_103_, 0, v___x_98_);
lean_ctor_set(v_reuseFailAlloc_103_, 1, v___x_100_);
v___x_102_ = v_reuseFailAlloc_103_;
goto v_reusejp_101_;
}
v_reusejp_101_:
{
return v___x_102_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_roundButOne___boxed(lean_object* v_m_105_, lean_object* v_e_106_, lean_object* v_x_107_){
_start:
{
lean_object* v_res_108_; 
v_res_108_ = l_Gnosis_roundButOne(v_m_105_, v_e_106_, v_x_107_);
lean_dec(v_e_106_);
return v_res_108_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_cubicDecode(lean_object* v_m_109_, lean_object* v_xs_110_){
_start:
{
lean_object* v___x_111_; lean_object* v___x_112_; 
v___x_111_ = lean_alloc_closure((void*)(l_Gnosis_nearestInt___boxed), 2, 1);
lean_closure_set(v___x_111_, 0, v_m_109_);
v___x_112_ = l_List_map___redArg(v___x_111_, v_xs_110_);
return v___x_112_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnDecode(lean_object* v_m_113_, lean_object* v_xs_114_){
_start:
{
lean_object* v___x_115_; lean_object* v___x_116_; uint8_t v___x_117_; 
lean_inc(v_xs_114_);
lean_inc(v_m_113_);
v___x_115_ = l_Gnosis_cubicDecode(v_m_113_, v_xs_114_);
v___x_116_ = l_Gnosis_sum(v___x_115_);
v___x_117_ = l_Int_isEven(v___x_116_);
lean_dec(v___x_116_);
if (v___x_117_ == 0)
{
lean_object* v___x_118_; lean_object* v___x_119_; 
lean_dec(v___x_115_);
v___x_118_ = l_Gnosis_worstDeviation(v_m_113_, v_xs_114_);
v___x_119_ = l_Gnosis_roundButOne(v_m_113_, v___x_118_, v_xs_114_);
lean_dec(v___x_118_);
return v___x_119_;
}
else
{
lean_dec(v_xs_114_);
lean_dec(v_m_113_);
return v___x_115_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__0(lean_object* v_z_120_){
_start:
{
lean_object* v___x_121_; lean_object* v___x_122_; 
v___x_121_ = lean_obj_once(&l_Gnosis_nearestInt___closed__0, &l_Gnosis_nearestInt___closed__0_once, _init_l_Gnosis_nearestInt___closed__0);
v___x_122_ = lean_int_mul(v___x_121_, v_z_120_);
return v___x_122_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__0___boxed(lean_object* v_z_123_){
_start:
{
lean_object* v_res_124_; 
v_res_124_ = l_Gnosis_dnPlusDecode___lam__0(v_z_123_);
lean_dec(v_z_123_);
return v_res_124_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__1(lean_object* v_h_125_, lean_object* v_x_126_){
_start:
{
lean_object* v___x_127_; 
v___x_127_ = lean_int_sub(v_x_126_, v_h_125_);
return v___x_127_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__1___boxed(lean_object* v_h_128_, lean_object* v_x_129_){
_start:
{
lean_object* v_res_130_; 
v_res_130_ = l_Gnosis_dnPlusDecode___lam__1(v_h_128_, v_x_129_);
lean_dec(v_x_129_);
lean_dec(v_h_128_);
return v_res_130_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__2(lean_object* v___x_131_, lean_object* v_z_132_){
_start:
{
lean_object* v___x_133_; lean_object* v___x_134_; lean_object* v___x_135_; 
v___x_133_ = lean_int_mul(v___x_131_, v_z_132_);
v___x_134_ = lean_obj_once(&l_Gnosis_secondNearest___closed__0, &l_Gnosis_secondNearest___closed__0_once, _init_l_Gnosis_secondNearest___closed__0);
v___x_135_ = lean_int_add(v___x_133_, v___x_134_);
lean_dec(v___x_133_);
return v___x_135_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode___lam__2___boxed(lean_object* v___x_136_, lean_object* v_z_137_){
_start:
{
lean_object* v_res_138_; 
v_res_138_ = l_Gnosis_dnPlusDecode___lam__2(v___x_136_, v_z_137_);
lean_dec(v_z_137_);
lean_dec(v___x_136_);
return v_res_138_;
}
}
static lean_object* _init_l_Gnosis_dnPlusDecode___closed__1(void){
_start:
{
lean_object* v___x_140_; lean_object* v___f_141_; 
v___x_140_ = lean_obj_once(&l_Gnosis_nearestInt___closed__0, &l_Gnosis_nearestInt___closed__0_once, _init_l_Gnosis_nearestInt___closed__0);
v___f_141_ = lean_alloc_closure((void*)(l_Gnosis_dnPlusDecode___lam__2___boxed), 2, 1);
lean_closure_set(v___f_141_, 0, v___x_140_);
return v___f_141_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_dnPlusDecode(lean_object* v_h_142_, lean_object* v_xs_143_){
_start:
{
lean_object* v___f_144_; lean_object* v___f_145_; lean_object* v___x_146_; lean_object* v___f_147_; lean_object* v___x_148_; lean_object* v___x_149_; lean_object* v_a_150_; lean_object* v___x_151_; lean_object* v___x_152_; lean_object* v_b_153_; lean_object* v___x_154_; lean_object* v___x_155_; uint8_t v___x_156_; 
v___f_144_ = ((lean_object*)(l_Gnosis_dnPlusDecode___closed__0));
lean_inc(v_h_142_);
v___f_145_ = lean_alloc_closure((void*)(l_Gnosis_dnPlusDecode___lam__1___boxed), 2, 1);
lean_closure_set(v___f_145_, 0, v_h_142_);
v___x_146_ = lean_obj_once(&l_Gnosis_nearestInt___closed__0, &l_Gnosis_nearestInt___closed__0_once, _init_l_Gnosis_nearestInt___closed__0);
v___f_147_ = lean_obj_once(&l_Gnosis_dnPlusDecode___closed__1, &l_Gnosis_dnPlusDecode___closed__1_once, _init_l_Gnosis_dnPlusDecode___closed__1);
v___x_148_ = lean_int_mul(v___x_146_, v_h_142_);
lean_inc_n(v_xs_143_, 2);
lean_inc(v___x_148_);
v___x_149_ = l_Gnosis_dnDecode(v___x_148_, v_xs_143_);
v_a_150_ = l_List_map___redArg(v___f_144_, v___x_149_);
v___x_151_ = l_List_map___redArg(v___f_145_, v_xs_143_);
v___x_152_ = l_Gnosis_dnDecode(v___x_148_, v___x_151_);
v_b_153_ = l_List_map___redArg(v___f_147_, v___x_152_);
v___x_154_ = l_Gnosis_sqDist(v_h_142_, v_xs_143_, v_a_150_);
v___x_155_ = l_Gnosis_sqDist(v_h_142_, v_xs_143_, v_b_153_);
lean_dec(v_xs_143_);
lean_dec(v_h_142_);
v___x_156_ = lean_int_dec_le(v___x_154_, v___x_155_);
lean_dec(v___x_155_);
lean_dec(v___x_154_);
if (v___x_156_ == 0)
{
lean_dec(v_a_150_);
return v_b_153_;
}
else
{
lean_dec(v_b_153_);
return v_a_150_;
}
}
}
LEAN_EXPORT uint8_t l_Gnosis_isD8(lean_object* v_zs_157_){
_start:
{
lean_object* v___x_158_; lean_object* v___x_159_; uint8_t v___x_160_; 
v___x_158_ = l_List_length___redArg(v_zs_157_);
v___x_159_ = lean_unsigned_to_nat(8u);
v___x_160_ = lean_nat_dec_eq(v___x_158_, v___x_159_);
lean_dec(v___x_158_);
if (v___x_160_ == 0)
{
return v___x_160_;
}
else
{
lean_object* v___x_161_; uint8_t v___x_162_; 
v___x_161_ = l_Gnosis_sum(v_zs_157_);
v___x_162_ = l_Int_isEven(v___x_161_);
lean_dec(v___x_161_);
return v___x_162_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_isD8___boxed(lean_object* v_zs_163_){
_start:
{
uint8_t v_res_164_; lean_object* v_r_165_; 
v_res_164_ = l_Gnosis_isD8(v_zs_163_);
lean_dec(v_zs_163_);
v_r_165_ = lean_box(v_res_164_);
return v_r_165_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_isE8___lam__0(uint8_t v___x_166_, uint8_t v___x_167_, lean_object* v_w_168_){
_start:
{
uint8_t v___x_169_; 
v___x_169_ = l_Int_isEven(v_w_168_);
if (v___x_169_ == 0)
{
return v___x_166_;
}
else
{
return v___x_167_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_isE8___lam__0___boxed(lean_object* v___x_170_, lean_object* v___x_171_, lean_object* v_w_172_){
_start:
{
uint8_t v___x_119__boxed_173_; uint8_t v___x_120__boxed_174_; uint8_t v_res_175_; lean_object* v_r_176_; 
v___x_119__boxed_173_ = lean_unbox(v___x_170_);
v___x_120__boxed_174_ = lean_unbox(v___x_171_);
v_res_175_ = l_Gnosis_isE8___lam__0(v___x_119__boxed_173_, v___x_120__boxed_174_, v_w_172_);
lean_dec(v_w_172_);
v_r_176_ = lean_box(v_res_175_);
return v_r_176_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_isE8(lean_object* v_ws_178_){
_start:
{
uint8_t v___y_180_; lean_object* v___x_185_; lean_object* v___x_186_; uint8_t v___x_187_; 
v___x_185_ = l_List_length___redArg(v_ws_178_);
v___x_186_ = lean_unsigned_to_nat(8u);
v___x_187_ = lean_nat_dec_eq(v___x_185_, v___x_186_);
lean_dec(v___x_185_);
if (v___x_187_ == 0)
{
lean_dec(v_ws_178_);
return v___x_187_;
}
else
{
lean_object* v___x_188_; uint8_t v___x_189_; 
v___x_188_ = ((lean_object*)(l_Gnosis_isE8___closed__0));
lean_inc(v_ws_178_);
v___x_189_ = l_List_all___redArg(v_ws_178_, v___x_188_);
if (v___x_189_ == 0)
{
lean_object* v___x_190_; lean_object* v___x_191_; lean_object* v___f_192_; uint8_t v___x_193_; 
v___x_190_ = lean_box(v___x_187_);
v___x_191_ = lean_box(v___x_189_);
v___f_192_ = lean_alloc_closure((void*)(l_Gnosis_isE8___lam__0___boxed), 3, 2);
lean_closure_set(v___f_192_, 0, v___x_190_);
lean_closure_set(v___f_192_, 1, v___x_191_);
lean_inc(v_ws_178_);
v___x_193_ = l_List_all___redArg(v_ws_178_, v___f_192_);
v___y_180_ = v___x_193_;
goto v___jp_179_;
}
else
{
v___y_180_ = v___x_189_;
goto v___jp_179_;
}
}
v___jp_179_:
{
if (v___y_180_ == 0)
{
lean_dec(v_ws_178_);
return v___y_180_;
}
else
{
lean_object* v___x_181_; lean_object* v___x_182_; lean_object* v___x_183_; uint8_t v___x_184_; 
v___x_181_ = l_Gnosis_sum(v_ws_178_);
lean_dec(v_ws_178_);
v___x_182_ = lean_obj_once(&l_Gnosis_nearestInt___closed__0, &l_Gnosis_nearestInt___closed__0_once, _init_l_Gnosis_nearestInt___closed__0);
v___x_183_ = lean_int_ediv(v___x_181_, v___x_182_);
lean_dec(v___x_181_);
v___x_184_ = l_Int_isEven(v___x_183_);
lean_dec(v___x_183_);
return v___x_184_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_isE8___boxed(lean_object* v_ws_194_){
_start:
{
uint8_t v_res_195_; lean_object* v_r_196_; 
v_res_195_ = l_Gnosis_isE8(v_ws_194_);
v_r_196_ = lean_box(v_res_195_);
return v_r_196_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_d8Decode(lean_object* v_m_197_, lean_object* v_xs_198_){
_start:
{
uint8_t v___y_200_; lean_object* v___x_203_; uint8_t v___x_204_; uint8_t v___x_205_; 
v___x_203_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
v___x_204_ = lean_int_dec_lt(v___x_203_, v_m_197_);
v___x_205_ = l_Decidable_decide___redArg(v___x_204_);
if (v___x_205_ == 0)
{
v___y_200_ = v___x_205_;
goto v___jp_199_;
}
else
{
lean_object* v___x_206_; lean_object* v___x_207_; uint8_t v___x_208_; 
v___x_206_ = l_List_length___redArg(v_xs_198_);
v___x_207_ = lean_unsigned_to_nat(8u);
v___x_208_ = lean_nat_dec_eq(v___x_206_, v___x_207_);
lean_dec(v___x_206_);
v___y_200_ = v___x_208_;
goto v___jp_199_;
}
v___jp_199_:
{
if (v___y_200_ == 0)
{
lean_object* v___x_201_; 
lean_dec(v_xs_198_);
lean_dec(v_m_197_);
v___x_201_ = lean_box(0);
return v___x_201_;
}
else
{
lean_object* v___x_202_; 
v___x_202_ = l_Gnosis_dnDecode(v_m_197_, v_xs_198_);
return v___x_202_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_e8Decode(lean_object* v_h_209_, lean_object* v_xs_210_){
_start:
{
uint8_t v___y_212_; lean_object* v___x_215_; uint8_t v___x_216_; uint8_t v___x_217_; 
v___x_215_ = lean_obj_once(&l_Gnosis_sqDist___closed__0, &l_Gnosis_sqDist___closed__0_once, _init_l_Gnosis_sqDist___closed__0);
v___x_216_ = lean_int_dec_lt(v___x_215_, v_h_209_);
v___x_217_ = l_Decidable_decide___redArg(v___x_216_);
if (v___x_217_ == 0)
{
v___y_212_ = v___x_217_;
goto v___jp_211_;
}
else
{
lean_object* v___x_218_; lean_object* v___x_219_; uint8_t v___x_220_; 
v___x_218_ = l_List_length___redArg(v_xs_210_);
v___x_219_ = lean_unsigned_to_nat(8u);
v___x_220_ = lean_nat_dec_eq(v___x_218_, v___x_219_);
lean_dec(v___x_218_);
v___y_212_ = v___x_220_;
goto v___jp_211_;
}
v___jp_211_:
{
if (v___y_212_ == 0)
{
lean_object* v___x_213_; 
lean_dec(v_xs_210_);
lean_dec(v_h_209_);
v___x_213_ = lean_box(0);
return v___x_213_;
}
else
{
lean_object* v___x_214_; 
v___x_214_ = l_Gnosis_dnPlusDecode(v_h_209_, v_xs_210_);
return v___x_214_;
}
}
}
}
lean_object* initialize_Gnosis_Decision_Sum(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Margin
// Imports: public import Gnosis.Decision.Conformal
uint8_t lean_int_dec_lt(lean_object*, lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
uint8_t lean_nat_dec_lt(lean_object*, lean_object*);
lean_object* l_List_length___redArg(lean_object*);
uint8_t l_Bool_decEq(uint8_t, uint8_t);
lean_object* l_List_append___redArg(lean_object*, lean_object*);
lean_object* l_Int_neg___boxed(lean_object*);
lean_object* lean_int_sub(lean_object*, lean_object*);
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
lean_object* l_List_map___redArg(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
lean_object* l_Gnosis_kthSmallest(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_entry___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_entry___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_entry(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_entry___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmaxFrom(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmaxFrom___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmax(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_argmax___boxed(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_leads(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leads___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_marginAdmit___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_marginAdmit___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_marginAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_marginAdmit___boxed(lean_object*, lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_marginAdmitStrict___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_marginAdmitStrict___closed__0;
LEAN_EXPORT uint8_t l_Gnosis_marginAdmitStrict(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_marginAdmitStrict___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_marginAdmitLowest(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_marginAdmitLowest___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_addEntries(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_addEntries___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_boundsFit___lam__0(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_boundsFit___lam__0___boxed(lean_object*);
static const lean_closure_object l_Gnosis_boundsFit___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Gnosis_boundsFit___lam__0___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_boundsFit___closed__0 = (const lean_object*)&l_Gnosis_boundsFit___closed__0_value;
LEAN_EXPORT uint8_t l_Gnosis_boundsFit(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_boundsFit___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_rowAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rowAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_reaching(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_reaching___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_indices(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_candidatesFrom(lean_object*, lean_object*, lean_object*);
static const lean_closure_object l_Gnosis_candidates___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Int_neg___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_candidates___closed__0 = (const lean_object*)&l_Gnosis_candidates___closed__0_value;
LEAN_EXPORT lean_object* l_Gnosis_candidates(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_restAtMost(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_restAtMost___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_separates(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_separates___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_topkAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topkAdmit___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topTwoFrom(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topTwoFrom___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topTwo(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topTwo___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_pickedScores(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_pickedScores___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_pickedMasks(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_pickedMasks___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_twoStageShape___lam__0(uint8_t, uint8_t, uint8_t);
LEAN_EXPORT lean_object* l_Gnosis_twoStageShape___lam__0___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_twoStageShape(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_twoStageShape___boxed(lean_object*, lean_object*, lean_object*);
static const lean_closure_object l_Gnosis_twoStageAdmit___closed__0_value = {.m_header = {.m_rc = 0, .m_cs_sz = sizeof(lean_closure_object) + sizeof(void*)*0, .m_other = 0, .m_tag = 245}, .m_fun = (void*)l_Gnosis_topTwo___boxed, .m_arity = 1, .m_num_fixed = 0, .m_objs = {} };
static const lean_object* l_Gnosis_twoStageAdmit___closed__0 = (const lean_object*)&l_Gnosis_twoStageAdmit___closed__0_value;
LEAN_EXPORT uint8_t l_Gnosis_twoStageAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_twoStageAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_topkGapAdmit(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topkGapAdmit___boxed(lean_object*, lean_object*, lean_object*);
static lean_object* _init_l_Gnosis_entry___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_entry(lean_object* v_x_3_, lean_object* v_x_4_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_3_) == 0)
{
lean_object* v___x_5_; 
lean_dec(v_x_4_);
v___x_5_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
return v___x_5_;
}
else
{
lean_object* v_head_6_; lean_object* v_tail_7_; lean_object* v_zero_8_; uint8_t v_isZero_9_; 
v_head_6_ = lean_ctor_get(v_x_3_, 0);
v_tail_7_ = lean_ctor_get(v_x_3_, 1);
v_zero_8_ = lean_unsigned_to_nat(0u);
v_isZero_9_ = lean_nat_dec_eq(v_x_4_, v_zero_8_);
if (v_isZero_9_ == 1)
{
lean_dec(v_x_4_);
lean_inc(v_head_6_);
return v_head_6_;
}
else
{
lean_object* v_one_10_; lean_object* v_n_11_; 
v_one_10_ = lean_unsigned_to_nat(1u);
v_n_11_ = lean_nat_sub(v_x_4_, v_one_10_);
lean_dec(v_x_4_);
v_x_3_ = v_tail_7_;
v_x_4_ = v_n_11_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_entry___boxed(lean_object* v_x_13_, lean_object* v_x_14_){
_start:
{
lean_object* v_res_15_; 
v_res_15_ = l_Gnosis_entry(v_x_13_, v_x_14_);
lean_dec(v_x_13_);
return v_res_15_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmaxFrom(lean_object* v_best_16_, lean_object* v_w_17_, lean_object* v_i_18_, lean_object* v_x_19_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_19_) == 0)
{
lean_dec(v_i_18_);
return v_w_17_;
}
else
{
lean_object* v_head_20_; lean_object* v_tail_21_; uint8_t v___x_22_; 
v_head_20_ = lean_ctor_get(v_x_19_, 0);
v_tail_21_ = lean_ctor_get(v_x_19_, 1);
v___x_22_ = lean_int_dec_lt(v_best_16_, v_head_20_);
if (v___x_22_ == 0)
{
lean_object* v___x_23_; lean_object* v___x_24_; 
v___x_23_ = lean_unsigned_to_nat(1u);
v___x_24_ = lean_nat_add(v_i_18_, v___x_23_);
lean_dec(v_i_18_);
v_i_18_ = v___x_24_;
v_x_19_ = v_tail_21_;
goto _start;
}
else
{
lean_object* v___x_26_; lean_object* v___x_27_; 
lean_dec(v_w_17_);
v___x_26_ = lean_unsigned_to_nat(1u);
v___x_27_ = lean_nat_add(v_i_18_, v___x_26_);
v_best_16_ = v_head_20_;
v_w_17_ = v_i_18_;
v_i_18_ = v___x_27_;
v_x_19_ = v_tail_21_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmaxFrom___boxed(lean_object* v_best_29_, lean_object* v_w_30_, lean_object* v_i_31_, lean_object* v_x_32_){
_start:
{
lean_object* v_res_33_; 
v_res_33_ = l_Gnosis_argmaxFrom(v_best_29_, v_w_30_, v_i_31_, v_x_32_);
lean_dec(v_x_32_);
lean_dec(v_best_29_);
return v_res_33_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmax(lean_object* v_x_34_){
_start:
{
if (lean_obj_tag(v_x_34_) == 0)
{
lean_object* v___x_35_; 
v___x_35_ = lean_unsigned_to_nat(0u);
return v___x_35_;
}
else
{
lean_object* v_head_36_; lean_object* v_tail_37_; lean_object* v___x_38_; lean_object* v___x_39_; lean_object* v___x_40_; 
v_head_36_ = lean_ctor_get(v_x_34_, 0);
v_tail_37_ = lean_ctor_get(v_x_34_, 1);
v___x_38_ = lean_unsigned_to_nat(0u);
v___x_39_ = lean_unsigned_to_nat(1u);
v___x_40_ = l_Gnosis_argmaxFrom(v_head_36_, v___x_38_, v___x_39_, v_tail_37_);
return v___x_40_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_argmax___boxed(lean_object* v_x_41_){
_start:
{
lean_object* v_res_42_; 
v_res_42_ = l_Gnosis_argmax(v_x_41_);
lean_dec(v_x_41_);
return v_res_42_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_leads(lean_object* v_top_43_, lean_object* v_before_44_, lean_object* v_after_45_, lean_object* v_w_46_, lean_object* v_i_47_, lean_object* v_x_48_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_48_) == 0)
{
uint8_t v___x_49_; 
lean_dec(v_i_47_);
v___x_49_ = 1;
return v___x_49_;
}
else
{
lean_object* v_head_50_; lean_object* v_tail_51_; uint8_t v___y_53_; lean_object* v___y_58_; uint8_t v___x_62_; uint8_t v___x_63_; 
v_head_50_ = lean_ctor_get(v_x_48_, 0);
v_tail_51_ = lean_ctor_get(v_x_48_, 1);
v___x_62_ = lean_nat_dec_eq(v_i_47_, v_w_46_);
v___x_63_ = l_Decidable_decide___redArg(v___x_62_);
if (v___x_63_ == 0)
{
uint8_t v___x_64_; 
v___x_64_ = lean_nat_dec_lt(v_i_47_, v_w_46_);
if (v___x_64_ == 0)
{
v___y_58_ = v_after_45_;
goto v___jp_57_;
}
else
{
v___y_58_ = v_before_44_;
goto v___jp_57_;
}
}
else
{
v___y_53_ = v___x_63_;
goto v___jp_52_;
}
v___jp_52_:
{
if (v___y_53_ == 0)
{
lean_dec(v_i_47_);
return v___y_53_;
}
else
{
lean_object* v___x_54_; lean_object* v___x_55_; 
v___x_54_ = lean_unsigned_to_nat(1u);
v___x_55_ = lean_nat_add(v_i_47_, v___x_54_);
lean_dec(v_i_47_);
v_i_47_ = v___x_55_;
v_x_48_ = v_tail_51_;
goto _start;
}
}
v___jp_57_:
{
lean_object* v___x_59_; uint8_t v___x_60_; uint8_t v___x_61_; 
v___x_59_ = lean_int_add(v_head_50_, v___y_58_);
v___x_60_ = lean_int_dec_le(v___x_59_, v_top_43_);
lean_dec(v___x_59_);
v___x_61_ = l_Decidable_decide___redArg(v___x_60_);
v___y_53_ = v___x_61_;
goto v___jp_52_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_leads___boxed(lean_object* v_top_65_, lean_object* v_before_66_, lean_object* v_after_67_, lean_object* v_w_68_, lean_object* v_i_69_, lean_object* v_x_70_){
_start:
{
uint8_t v_res_71_; lean_object* v_r_72_; 
v_res_71_ = l_Gnosis_leads(v_top_65_, v_before_66_, v_after_67_, v_w_68_, v_i_69_, v_x_70_);
lean_dec(v_x_70_);
lean_dec(v_w_68_);
lean_dec(v_after_67_);
lean_dec(v_before_66_);
lean_dec(v_top_65_);
v_r_72_ = lean_box(v_res_71_);
return v_r_72_;
}
}
static lean_object* _init_l_Gnosis_marginAdmit___closed__0(void){
_start:
{
lean_object* v___x_73_; lean_object* v___x_74_; 
v___x_73_ = lean_unsigned_to_nat(2u);
v___x_74_ = lean_nat_to_int(v___x_73_);
return v___x_74_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_marginAdmit(lean_object* v_z_75_, lean_object* v_w_76_, lean_object* v_00_u03c4_77_){
_start:
{
uint8_t v___y_79_; lean_object* v___x_85_; uint8_t v___x_86_; uint8_t v___x_87_; 
v___x_85_ = l_List_length___redArg(v_z_75_);
v___x_86_ = lean_nat_dec_lt(v_w_76_, v___x_85_);
lean_dec(v___x_85_);
v___x_87_ = l_Decidable_decide___redArg(v___x_86_);
if (v___x_87_ == 0)
{
v___y_79_ = v___x_87_;
goto v___jp_78_;
}
else
{
lean_object* v___x_88_; uint8_t v___x_89_; uint8_t v___x_90_; 
v___x_88_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_89_ = lean_int_dec_le(v___x_88_, v_00_u03c4_77_);
v___x_90_ = l_Decidable_decide___redArg(v___x_89_);
v___y_79_ = v___x_90_;
goto v___jp_78_;
}
v___jp_78_:
{
if (v___y_79_ == 0)
{
lean_dec(v_w_76_);
return v___y_79_;
}
else
{
lean_object* v___x_80_; lean_object* v___x_81_; lean_object* v___x_82_; lean_object* v___x_83_; uint8_t v___x_84_; 
lean_inc(v_w_76_);
v___x_80_ = l_Gnosis_entry(v_z_75_, v_w_76_);
v___x_81_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_82_ = lean_int_mul(v___x_81_, v_00_u03c4_77_);
v___x_83_ = lean_unsigned_to_nat(0u);
v___x_84_ = l_Gnosis_leads(v___x_80_, v___x_82_, v___x_82_, v_w_76_, v___x_83_, v_z_75_);
lean_dec(v_w_76_);
lean_dec(v___x_82_);
lean_dec(v___x_80_);
return v___x_84_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_marginAdmit___boxed(lean_object* v_z_91_, lean_object* v_w_92_, lean_object* v_00_u03c4_93_){
_start:
{
uint8_t v_res_94_; lean_object* v_r_95_; 
v_res_94_ = l_Gnosis_marginAdmit(v_z_91_, v_w_92_, v_00_u03c4_93_);
lean_dec(v_00_u03c4_93_);
lean_dec(v_z_91_);
v_r_95_ = lean_box(v_res_94_);
return v_r_95_;
}
}
static lean_object* _init_l_Gnosis_marginAdmitStrict___closed__0(void){
_start:
{
lean_object* v___x_96_; lean_object* v___x_97_; 
v___x_96_ = lean_unsigned_to_nat(1u);
v___x_97_ = lean_nat_to_int(v___x_96_);
return v___x_97_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_marginAdmitStrict(lean_object* v_z_98_, lean_object* v_w_99_, lean_object* v_00_u03c4_100_){
_start:
{
uint8_t v___y_102_; lean_object* v___x_110_; uint8_t v___x_111_; uint8_t v___x_112_; 
v___x_110_ = l_List_length___redArg(v_z_98_);
v___x_111_ = lean_nat_dec_lt(v_w_99_, v___x_110_);
lean_dec(v___x_110_);
v___x_112_ = l_Decidable_decide___redArg(v___x_111_);
if (v___x_112_ == 0)
{
v___y_102_ = v___x_112_;
goto v___jp_101_;
}
else
{
lean_object* v___x_113_; uint8_t v___x_114_; uint8_t v___x_115_; 
v___x_113_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_114_ = lean_int_dec_le(v___x_113_, v_00_u03c4_100_);
v___x_115_ = l_Decidable_decide___redArg(v___x_114_);
v___y_102_ = v___x_115_;
goto v___jp_101_;
}
v___jp_101_:
{
if (v___y_102_ == 0)
{
lean_dec(v_w_99_);
return v___y_102_;
}
else
{
lean_object* v___x_103_; lean_object* v___x_104_; lean_object* v___x_105_; lean_object* v___x_106_; lean_object* v___x_107_; lean_object* v___x_108_; uint8_t v___x_109_; 
lean_inc(v_w_99_);
v___x_103_ = l_Gnosis_entry(v_z_98_, v_w_99_);
v___x_104_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_105_ = lean_int_mul(v___x_104_, v_00_u03c4_100_);
v___x_106_ = lean_obj_once(&l_Gnosis_marginAdmitStrict___closed__0, &l_Gnosis_marginAdmitStrict___closed__0_once, _init_l_Gnosis_marginAdmitStrict___closed__0);
v___x_107_ = lean_int_add(v___x_105_, v___x_106_);
lean_dec(v___x_105_);
v___x_108_ = lean_unsigned_to_nat(0u);
v___x_109_ = l_Gnosis_leads(v___x_103_, v___x_107_, v___x_107_, v_w_99_, v___x_108_, v_z_98_);
lean_dec(v_w_99_);
lean_dec(v___x_107_);
lean_dec(v___x_103_);
return v___x_109_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_marginAdmitStrict___boxed(lean_object* v_z_116_, lean_object* v_w_117_, lean_object* v_00_u03c4_118_){
_start:
{
uint8_t v_res_119_; lean_object* v_r_120_; 
v_res_119_ = l_Gnosis_marginAdmitStrict(v_z_116_, v_w_117_, v_00_u03c4_118_);
lean_dec(v_00_u03c4_118_);
lean_dec(v_z_116_);
v_r_120_ = lean_box(v_res_119_);
return v_r_120_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_marginAdmitLowest(lean_object* v_z_121_, lean_object* v_w_122_, lean_object* v_00_u03c4_123_){
_start:
{
uint8_t v___y_125_; lean_object* v___x_133_; uint8_t v___x_134_; uint8_t v___x_135_; 
v___x_133_ = l_List_length___redArg(v_z_121_);
v___x_134_ = lean_nat_dec_lt(v_w_122_, v___x_133_);
lean_dec(v___x_133_);
v___x_135_ = l_Decidable_decide___redArg(v___x_134_);
if (v___x_135_ == 0)
{
v___y_125_ = v___x_135_;
goto v___jp_124_;
}
else
{
lean_object* v___x_136_; uint8_t v___x_137_; uint8_t v___x_138_; 
v___x_136_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_137_ = lean_int_dec_le(v___x_136_, v_00_u03c4_123_);
v___x_138_ = l_Decidable_decide___redArg(v___x_137_);
v___y_125_ = v___x_138_;
goto v___jp_124_;
}
v___jp_124_:
{
if (v___y_125_ == 0)
{
lean_dec(v_w_122_);
return v___y_125_;
}
else
{
lean_object* v___x_126_; lean_object* v___x_127_; lean_object* v___x_128_; lean_object* v___x_129_; lean_object* v___x_130_; lean_object* v___x_131_; uint8_t v___x_132_; 
lean_inc(v_w_122_);
v___x_126_ = l_Gnosis_entry(v_z_121_, v_w_122_);
v___x_127_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_128_ = lean_int_mul(v___x_127_, v_00_u03c4_123_);
v___x_129_ = lean_obj_once(&l_Gnosis_marginAdmitStrict___closed__0, &l_Gnosis_marginAdmitStrict___closed__0_once, _init_l_Gnosis_marginAdmitStrict___closed__0);
v___x_130_ = lean_int_add(v___x_128_, v___x_129_);
v___x_131_ = lean_unsigned_to_nat(0u);
v___x_132_ = l_Gnosis_leads(v___x_126_, v___x_130_, v___x_128_, v_w_122_, v___x_131_, v_z_121_);
lean_dec(v_w_122_);
lean_dec(v___x_128_);
lean_dec(v___x_130_);
lean_dec(v___x_126_);
return v___x_132_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_marginAdmitLowest___boxed(lean_object* v_z_139_, lean_object* v_w_140_, lean_object* v_00_u03c4_141_){
_start:
{
uint8_t v_res_142_; lean_object* v_r_143_; 
v_res_142_ = l_Gnosis_marginAdmitLowest(v_z_139_, v_w_140_, v_00_u03c4_141_);
lean_dec(v_00_u03c4_141_);
lean_dec(v_z_139_);
v_r_143_ = lean_box(v_res_142_);
return v_r_143_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_addEntries(lean_object* v_x_144_, lean_object* v_x_145_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_144_) == 0)
{
lean_dec(v_x_145_);
return v_x_144_;
}
else
{
if (lean_obj_tag(v_x_145_) == 0)
{
return v_x_145_;
}
else
{
lean_object* v_head_146_; lean_object* v_tail_147_; lean_object* v_head_148_; lean_object* v_tail_149_; lean_object* v___x_151_; uint8_t v_isShared_152_; uint8_t v_isSharedCheck_158_; 
v_head_146_ = lean_ctor_get(v_x_144_, 0);
v_tail_147_ = lean_ctor_get(v_x_144_, 1);
v_head_148_ = lean_ctor_get(v_x_145_, 0);
v_tail_149_ = lean_ctor_get(v_x_145_, 1);
v_isSharedCheck_158_ = !lean_is_exclusive(v_x_145_);
if (v_isSharedCheck_158_ == 0)
{
v___x_151_ = v_x_145_;
v_isShared_152_ = v_isSharedCheck_158_;
goto v_resetjp_150_;
}
else
{
lean_inc(v_tail_149_);
lean_inc(v_head_148_);
lean_dec(v_x_145_);
v___x_151_ = lean_box(0);
v_isShared_152_ = v_isSharedCheck_158_;
goto v_resetjp_150_;
}
v_resetjp_150_:
{
lean_object* v___x_153_; lean_object* v___x_154_; lean_object* v___x_156_; 
v___x_153_ = lean_int_add(v_head_146_, v_head_148_);
lean_dec(v_head_148_);
v___x_154_ = l_Gnosis_addEntries(v_tail_147_, v_tail_149_);
if (v_isShared_152_ == 0)
{
lean_ctor_set(v___x_151_, 1, v___x_154_);
lean_ctor_set(v___x_151_, 0, v___x_153_);
v___x_156_ = v___x_151_;
goto v_reusejp_155_;
}
else
{
lean_object* v_reuseFailAlloc_157_; 
v_reuseFailAlloc_157_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_157_, 0, v___x_153_);
lean_ctor_set(v_reuseFailAlloc_157_, 1, v___x_154_);
v___x_156_ = v_reuseFailAlloc_157_;
goto v_reusejp_155_;
}
v_reusejp_155_:
{
return v___x_156_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_addEntries___boxed(lean_object* v_x_159_, lean_object* v_x_160_){
_start:
{
lean_object* v_res_161_; 
v_res_161_ = l_Gnosis_addEntries(v_x_159_, v_x_160_);
lean_dec(v_x_159_);
return v_res_161_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_boundsFit___lam__0(lean_object* v_e_162_){
_start:
{
lean_object* v___x_163_; uint8_t v___x_164_; uint8_t v___x_165_; 
v___x_163_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_164_ = lean_int_dec_le(v___x_163_, v_e_162_);
v___x_165_ = l_Decidable_decide___redArg(v___x_164_);
return v___x_165_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_boundsFit___lam__0___boxed(lean_object* v_e_166_){
_start:
{
uint8_t v_res_167_; lean_object* v_r_168_; 
v_res_167_ = l_Gnosis_boundsFit___lam__0(v_e_166_);
lean_dec(v_e_166_);
v_r_168_ = lean_box(v_res_167_);
return v_r_168_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_boundsFit(lean_object* v_z_170_, lean_object* v_00_u03b5_171_){
_start:
{
lean_object* v___x_172_; lean_object* v___x_173_; uint8_t v___x_174_; 
v___x_172_ = l_List_length___redArg(v_z_170_);
v___x_173_ = l_List_length___redArg(v_00_u03b5_171_);
v___x_174_ = lean_nat_dec_eq(v___x_172_, v___x_173_);
lean_dec(v___x_173_);
lean_dec(v___x_172_);
if (v___x_174_ == 0)
{
lean_dec(v_00_u03b5_171_);
return v___x_174_;
}
else
{
lean_object* v___f_175_; uint8_t v___x_176_; 
v___f_175_ = ((lean_object*)(l_Gnosis_boundsFit___closed__0));
v___x_176_ = l_List_all___redArg(v_00_u03b5_171_, v___f_175_);
return v___x_176_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_boundsFit___boxed(lean_object* v_z_177_, lean_object* v_00_u03b5_178_){
_start:
{
uint8_t v_res_179_; lean_object* v_r_180_; 
v_res_179_ = l_Gnosis_boundsFit(v_z_177_, v_00_u03b5_178_);
lean_dec(v_z_177_);
v_r_180_ = lean_box(v_res_179_);
return v_r_180_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_rowAdmit(lean_object* v_z_181_, lean_object* v_00_u03b5_182_, lean_object* v_w_183_){
_start:
{
uint8_t v___y_185_; uint8_t v___x_193_; 
lean_inc(v_00_u03b5_182_);
v___x_193_ = l_Gnosis_boundsFit(v_z_181_, v_00_u03b5_182_);
if (v___x_193_ == 0)
{
v___y_185_ = v___x_193_;
goto v___jp_184_;
}
else
{
lean_object* v___x_194_; uint8_t v___x_195_; uint8_t v___x_196_; 
v___x_194_ = l_List_length___redArg(v_z_181_);
v___x_195_ = lean_nat_dec_lt(v_w_183_, v___x_194_);
lean_dec(v___x_194_);
v___x_196_ = l_Decidable_decide___redArg(v___x_195_);
v___y_185_ = v___x_196_;
goto v___jp_184_;
}
v___jp_184_:
{
if (v___y_185_ == 0)
{
lean_dec(v_w_183_);
lean_dec(v_00_u03b5_182_);
return v___y_185_;
}
else
{
lean_object* v___x_186_; lean_object* v___x_187_; lean_object* v___x_188_; lean_object* v___x_189_; lean_object* v___x_190_; lean_object* v___x_191_; uint8_t v___x_192_; 
lean_inc_n(v_w_183_, 2);
v___x_186_ = l_Gnosis_entry(v_z_181_, v_w_183_);
v___x_187_ = l_Gnosis_entry(v_00_u03b5_182_, v_w_183_);
v___x_188_ = lean_int_sub(v___x_186_, v___x_187_);
lean_dec(v___x_187_);
lean_dec(v___x_186_);
v___x_189_ = lean_obj_once(&l_Gnosis_marginAdmitStrict___closed__0, &l_Gnosis_marginAdmitStrict___closed__0_once, _init_l_Gnosis_marginAdmitStrict___closed__0);
v___x_190_ = lean_unsigned_to_nat(0u);
v___x_191_ = l_Gnosis_addEntries(v_z_181_, v_00_u03b5_182_);
v___x_192_ = l_Gnosis_leads(v___x_188_, v___x_189_, v___x_189_, v_w_183_, v___x_190_, v___x_191_);
lean_dec(v___x_191_);
lean_dec(v_w_183_);
lean_dec(v___x_188_);
return v___x_192_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_rowAdmit___boxed(lean_object* v_z_197_, lean_object* v_00_u03b5_198_, lean_object* v_w_199_){
_start:
{
uint8_t v_res_200_; lean_object* v_r_201_; 
v_res_200_ = l_Gnosis_rowAdmit(v_z_197_, v_00_u03b5_198_, v_w_199_);
lean_dec(v_z_197_);
v_r_201_ = lean_box(v_res_200_);
return v_r_201_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_reaching(lean_object* v_c_202_, lean_object* v_i_203_, lean_object* v_x_204_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_204_) == 0)
{
lean_object* v___x_205_; 
lean_dec(v_i_203_);
v___x_205_ = lean_box(0);
return v___x_205_;
}
else
{
lean_object* v_head_206_; lean_object* v_tail_207_; lean_object* v___x_209_; uint8_t v_isShared_210_; uint8_t v_isSharedCheck_221_; 
v_head_206_ = lean_ctor_get(v_x_204_, 0);
v_tail_207_ = lean_ctor_get(v_x_204_, 1);
v_isSharedCheck_221_ = !lean_is_exclusive(v_x_204_);
if (v_isSharedCheck_221_ == 0)
{
v___x_209_ = v_x_204_;
v_isShared_210_ = v_isSharedCheck_221_;
goto v_resetjp_208_;
}
else
{
lean_inc(v_tail_207_);
lean_inc(v_head_206_);
lean_dec(v_x_204_);
v___x_209_ = lean_box(0);
v_isShared_210_ = v_isSharedCheck_221_;
goto v_resetjp_208_;
}
v_resetjp_208_:
{
uint8_t v___x_211_; 
v___x_211_ = lean_int_dec_le(v_c_202_, v_head_206_);
lean_dec(v_head_206_);
if (v___x_211_ == 0)
{
lean_object* v___x_212_; lean_object* v___x_213_; 
lean_del_object(v___x_209_);
v___x_212_ = lean_unsigned_to_nat(1u);
v___x_213_ = lean_nat_add(v_i_203_, v___x_212_);
lean_dec(v_i_203_);
v_i_203_ = v___x_213_;
v_x_204_ = v_tail_207_;
goto _start;
}
else
{
lean_object* v___x_215_; lean_object* v___x_216_; lean_object* v___x_217_; lean_object* v___x_219_; 
v___x_215_ = lean_unsigned_to_nat(1u);
v___x_216_ = lean_nat_add(v_i_203_, v___x_215_);
v___x_217_ = l_Gnosis_reaching(v_c_202_, v___x_216_, v_tail_207_);
if (v_isShared_210_ == 0)
{
lean_ctor_set(v___x_209_, 1, v___x_217_);
lean_ctor_set(v___x_209_, 0, v_i_203_);
v___x_219_ = v___x_209_;
goto v_reusejp_218_;
}
else
{
lean_object* v_reuseFailAlloc_220_; 
v_reuseFailAlloc_220_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_220_, 0, v_i_203_);
lean_ctor_set(v_reuseFailAlloc_220_, 1, v___x_217_);
v___x_219_ = v_reuseFailAlloc_220_;
goto v_reusejp_218_;
}
v_reusejp_218_:
{
return v___x_219_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_reaching___boxed(lean_object* v_c_222_, lean_object* v_i_223_, lean_object* v_x_224_){
_start:
{
lean_object* v_res_225_; 
v_res_225_ = l_Gnosis_reaching(v_c_222_, v_i_223_, v_x_224_);
lean_dec(v_c_222_);
return v_res_225_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_indices(lean_object* v_i_226_, lean_object* v_x_227_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_227_) == 0)
{
lean_object* v___x_228_; 
lean_dec(v_i_226_);
v___x_228_ = lean_box(0);
return v___x_228_;
}
else
{
lean_object* v_tail_229_; lean_object* v___x_231_; uint8_t v_isShared_232_; uint8_t v_isSharedCheck_239_; 
v_tail_229_ = lean_ctor_get(v_x_227_, 1);
v_isSharedCheck_239_ = !lean_is_exclusive(v_x_227_);
if (v_isSharedCheck_239_ == 0)
{
lean_object* v_unused_240_; 
v_unused_240_ = lean_ctor_get(v_x_227_, 0);
lean_dec(v_unused_240_);
v___x_231_ = v_x_227_;
v_isShared_232_ = v_isSharedCheck_239_;
goto v_resetjp_230_;
}
else
{
lean_inc(v_tail_229_);
lean_dec(v_x_227_);
v___x_231_ = lean_box(0);
v_isShared_232_ = v_isSharedCheck_239_;
goto v_resetjp_230_;
}
v_resetjp_230_:
{
lean_object* v___x_233_; lean_object* v___x_234_; lean_object* v___x_235_; lean_object* v___x_237_; 
v___x_233_ = lean_unsigned_to_nat(1u);
v___x_234_ = lean_nat_add(v_i_226_, v___x_233_);
v___x_235_ = l_Gnosis_indices(v___x_234_, v_tail_229_);
if (v_isShared_232_ == 0)
{
lean_ctor_set(v___x_231_, 1, v___x_235_);
lean_ctor_set(v___x_231_, 0, v_i_226_);
v___x_237_ = v___x_231_;
goto v_reusejp_236_;
}
else
{
lean_object* v_reuseFailAlloc_238_; 
v_reuseFailAlloc_238_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_238_, 0, v_i_226_);
lean_ctor_set(v_reuseFailAlloc_238_, 1, v___x_235_);
v___x_237_ = v_reuseFailAlloc_238_;
goto v_reusejp_236_;
}
v_reusejp_236_:
{
return v___x_237_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_candidatesFrom(lean_object* v_z_241_, lean_object* v_00_u03b5_242_, lean_object* v_w_243_){
_start:
{
uint8_t v___x_244_; 
lean_inc(v_00_u03b5_242_);
v___x_244_ = l_Gnosis_boundsFit(v_z_241_, v_00_u03b5_242_);
if (v___x_244_ == 0)
{
lean_object* v___x_245_; lean_object* v___x_246_; 
lean_dec(v_w_243_);
lean_dec(v_00_u03b5_242_);
v___x_245_ = lean_unsigned_to_nat(0u);
v___x_246_ = l_Gnosis_indices(v___x_245_, v_z_241_);
return v___x_246_;
}
else
{
lean_object* v___x_247_; lean_object* v___x_248_; lean_object* v___x_249_; lean_object* v___x_250_; lean_object* v___x_251_; lean_object* v___x_252_; 
lean_inc(v_w_243_);
v___x_247_ = l_Gnosis_entry(v_z_241_, v_w_243_);
v___x_248_ = l_Gnosis_entry(v_00_u03b5_242_, v_w_243_);
v___x_249_ = lean_int_sub(v___x_247_, v___x_248_);
lean_dec(v___x_248_);
lean_dec(v___x_247_);
v___x_250_ = lean_unsigned_to_nat(0u);
v___x_251_ = l_Gnosis_addEntries(v_z_241_, v_00_u03b5_242_);
lean_dec(v_z_241_);
v___x_252_ = l_Gnosis_reaching(v___x_249_, v___x_250_, v___x_251_);
lean_dec(v___x_249_);
return v___x_252_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_candidates(lean_object* v_z_254_, lean_object* v_00_u03b5_255_){
_start:
{
lean_object* v___f_256_; lean_object* v___x_257_; lean_object* v___x_258_; lean_object* v___x_259_; lean_object* v___x_260_; 
v___f_256_ = ((lean_object*)(l_Gnosis_candidates___closed__0));
lean_inc(v_00_u03b5_255_);
v___x_257_ = l_List_map___redArg(v___f_256_, v_00_u03b5_255_);
v___x_258_ = l_Gnosis_addEntries(v_z_254_, v___x_257_);
v___x_259_ = l_Gnosis_argmax(v___x_258_);
lean_dec(v___x_258_);
v___x_260_ = l_Gnosis_candidatesFrom(v_z_254_, v_00_u03b5_255_, v___x_259_);
return v___x_260_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_restAtMost(lean_object* v_c_261_, lean_object* v_x_262_, lean_object* v_x_263_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_262_) == 0)
{
uint8_t v___x_264_; 
v___x_264_ = 1;
return v___x_264_;
}
else
{
if (lean_obj_tag(v_x_263_) == 0)
{
uint8_t v___x_265_; 
v___x_265_ = 1;
return v___x_265_;
}
else
{
lean_object* v_head_266_; uint8_t v___x_267_; 
v_head_266_ = lean_ctor_get(v_x_263_, 0);
v___x_267_ = lean_unbox(v_head_266_);
if (v___x_267_ == 0)
{
lean_object* v_head_268_; lean_object* v_tail_269_; lean_object* v_tail_270_; uint8_t v___x_271_; uint8_t v___x_272_; 
v_head_268_ = lean_ctor_get(v_x_262_, 0);
v_tail_269_ = lean_ctor_get(v_x_262_, 1);
v_tail_270_ = lean_ctor_get(v_x_263_, 1);
v___x_271_ = lean_int_dec_le(v_head_268_, v_c_261_);
v___x_272_ = l_Decidable_decide___redArg(v___x_271_);
if (v___x_272_ == 0)
{
return v___x_272_;
}
else
{
v_x_262_ = v_tail_269_;
v_x_263_ = v_tail_270_;
goto _start;
}
}
else
{
lean_object* v_tail_274_; lean_object* v_tail_275_; 
v_tail_274_ = lean_ctor_get(v_x_262_, 1);
v_tail_275_ = lean_ctor_get(v_x_263_, 1);
v_x_262_ = v_tail_274_;
v_x_263_ = v_tail_275_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_restAtMost___boxed(lean_object* v_c_277_, lean_object* v_x_278_, lean_object* v_x_279_){
_start:
{
uint8_t v_res_280_; lean_object* v_r_281_; 
v_res_280_ = l_Gnosis_restAtMost(v_c_277_, v_x_278_, v_x_279_);
lean_dec(v_x_279_);
lean_dec(v_x_278_);
lean_dec(v_c_277_);
v_r_281_ = lean_box(v_res_280_);
return v_r_281_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_separates(lean_object* v_z_282_, lean_object* v_S_283_, lean_object* v_m_284_, lean_object* v_x_285_, lean_object* v_x_286_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_285_) == 0)
{
uint8_t v___x_287_; 
v___x_287_ = 1;
return v___x_287_;
}
else
{
if (lean_obj_tag(v_x_286_) == 0)
{
uint8_t v___x_288_; 
v___x_288_ = 1;
return v___x_288_;
}
else
{
lean_object* v_head_289_; uint8_t v___x_290_; 
v_head_289_ = lean_ctor_get(v_x_286_, 0);
v___x_290_ = lean_unbox(v_head_289_);
if (v___x_290_ == 0)
{
lean_object* v_tail_291_; lean_object* v_tail_292_; 
v_tail_291_ = lean_ctor_get(v_x_285_, 1);
v_tail_292_ = lean_ctor_get(v_x_286_, 1);
v_x_285_ = v_tail_291_;
v_x_286_ = v_tail_292_;
goto _start;
}
else
{
lean_object* v_head_294_; lean_object* v_tail_295_; lean_object* v_tail_296_; lean_object* v___x_297_; uint8_t v___x_298_; 
v_head_294_ = lean_ctor_get(v_x_285_, 0);
v_tail_295_ = lean_ctor_get(v_x_285_, 1);
v_tail_296_ = lean_ctor_get(v_x_286_, 1);
v___x_297_ = lean_int_sub(v_head_294_, v_m_284_);
v___x_298_ = l_Gnosis_restAtMost(v___x_297_, v_z_282_, v_S_283_);
lean_dec(v___x_297_);
if (v___x_298_ == 0)
{
return v___x_298_;
}
else
{
v_x_285_ = v_tail_295_;
v_x_286_ = v_tail_296_;
goto _start;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_separates___boxed(lean_object* v_z_300_, lean_object* v_S_301_, lean_object* v_m_302_, lean_object* v_x_303_, lean_object* v_x_304_){
_start:
{
uint8_t v_res_305_; lean_object* v_r_306_; 
v_res_305_ = l_Gnosis_separates(v_z_300_, v_S_301_, v_m_302_, v_x_303_, v_x_304_);
lean_dec(v_x_304_);
lean_dec(v_x_303_);
lean_dec(v_m_302_);
lean_dec(v_S_301_);
lean_dec(v_z_300_);
v_r_306_ = lean_box(v_res_305_);
return v_r_306_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_topkAdmit(lean_object* v_z_307_, lean_object* v_S_308_, lean_object* v_00_u03b5_309_){
_start:
{
uint8_t v___y_311_; lean_object* v___x_317_; lean_object* v___x_318_; uint8_t v___x_319_; 
v___x_317_ = l_List_length___redArg(v_z_307_);
v___x_318_ = l_List_length___redArg(v_S_308_);
v___x_319_ = lean_nat_dec_eq(v___x_317_, v___x_318_);
lean_dec(v___x_318_);
lean_dec(v___x_317_);
if (v___x_319_ == 0)
{
v___y_311_ = v___x_319_;
goto v___jp_310_;
}
else
{
lean_object* v___x_320_; uint8_t v___x_321_; uint8_t v___x_322_; 
v___x_320_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_321_ = lean_int_dec_le(v___x_320_, v_00_u03b5_309_);
v___x_322_ = l_Decidable_decide___redArg(v___x_321_);
v___y_311_ = v___x_322_;
goto v___jp_310_;
}
v___jp_310_:
{
if (v___y_311_ == 0)
{
return v___y_311_;
}
else
{
lean_object* v___x_312_; lean_object* v___x_313_; lean_object* v___x_314_; lean_object* v___x_315_; uint8_t v___x_316_; 
v___x_312_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_313_ = lean_int_mul(v___x_312_, v_00_u03b5_309_);
v___x_314_ = lean_obj_once(&l_Gnosis_marginAdmitStrict___closed__0, &l_Gnosis_marginAdmitStrict___closed__0_once, _init_l_Gnosis_marginAdmitStrict___closed__0);
v___x_315_ = lean_int_add(v___x_313_, v___x_314_);
lean_dec(v___x_313_);
v___x_316_ = l_Gnosis_separates(v_z_307_, v_S_308_, v___x_315_, v_z_307_, v_S_308_);
lean_dec(v___x_315_);
return v___x_316_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topkAdmit___boxed(lean_object* v_z_323_, lean_object* v_S_324_, lean_object* v_00_u03b5_325_){
_start:
{
uint8_t v_res_326_; lean_object* v_r_327_; 
v_res_326_ = l_Gnosis_topkAdmit(v_z_323_, v_S_324_, v_00_u03b5_325_);
lean_dec(v_00_u03b5_325_);
lean_dec(v_S_324_);
lean_dec(v_z_323_);
v_r_327_ = lean_box(v_res_326_);
return v_r_327_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topTwoFrom(lean_object* v_a_328_, lean_object* v_b_329_, lean_object* v_x_330_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_330_) == 0)
{
lean_object* v___x_331_; 
v___x_331_ = lean_int_add(v_a_328_, v_b_329_);
return v___x_331_;
}
else
{
lean_object* v_head_332_; lean_object* v_tail_333_; uint8_t v___x_334_; 
v_head_332_ = lean_ctor_get(v_x_330_, 0);
v_tail_333_ = lean_ctor_get(v_x_330_, 1);
v___x_334_ = lean_int_dec_lt(v_a_328_, v_head_332_);
if (v___x_334_ == 0)
{
uint8_t v___x_335_; 
v___x_335_ = lean_int_dec_lt(v_b_329_, v_head_332_);
if (v___x_335_ == 0)
{
v_x_330_ = v_tail_333_;
goto _start;
}
else
{
v_b_329_ = v_head_332_;
v_x_330_ = v_tail_333_;
goto _start;
}
}
else
{
{
lean_object* _tmp_0 = v_head_332_;
lean_object* _tmp_1 = v_a_328_;
lean_object* _tmp_2 = v_tail_333_;
v_a_328_ = _tmp_0;
v_b_329_ = _tmp_1;
v_x_330_ = _tmp_2;
}
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topTwoFrom___boxed(lean_object* v_a_339_, lean_object* v_b_340_, lean_object* v_x_341_){
_start:
{
lean_object* v_res_342_; 
v_res_342_ = l_Gnosis_topTwoFrom(v_a_339_, v_b_340_, v_x_341_);
lean_dec(v_x_341_);
lean_dec(v_b_340_);
lean_dec(v_a_339_);
return v_res_342_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topTwo(lean_object* v_x_343_){
_start:
{
if (lean_obj_tag(v_x_343_) == 0)
{
goto v___jp_344_;
}
else
{
lean_object* v_tail_346_; 
v_tail_346_ = lean_ctor_get(v_x_343_, 1);
if (lean_obj_tag(v_tail_346_) == 0)
{
goto v___jp_344_;
}
else
{
lean_object* v_head_347_; lean_object* v_head_348_; lean_object* v_tail_349_; uint8_t v___x_350_; 
v_head_347_ = lean_ctor_get(v_x_343_, 0);
v_head_348_ = lean_ctor_get(v_tail_346_, 0);
v_tail_349_ = lean_ctor_get(v_tail_346_, 1);
v___x_350_ = lean_int_dec_lt(v_head_347_, v_head_348_);
if (v___x_350_ == 0)
{
lean_object* v___x_351_; 
v___x_351_ = l_Gnosis_topTwoFrom(v_head_347_, v_head_348_, v_tail_349_);
return v___x_351_;
}
else
{
lean_object* v___x_352_; 
v___x_352_ = l_Gnosis_topTwoFrom(v_head_348_, v_head_347_, v_tail_349_);
return v___x_352_;
}
}
}
v___jp_344_:
{
lean_object* v___x_345_; 
v___x_345_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
return v___x_345_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topTwo___boxed(lean_object* v_x_353_){
_start:
{
lean_object* v_res_354_; 
v_res_354_ = l_Gnosis_topTwo(v_x_353_);
lean_dec(v_x_353_);
return v_res_354_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_pickedScores(lean_object* v_x_355_, lean_object* v_x_356_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_355_) == 0)
{
lean_object* v___x_357_; 
v___x_357_ = lean_box(0);
return v___x_357_;
}
else
{
if (lean_obj_tag(v_x_356_) == 0)
{
lean_object* v___x_358_; 
lean_dec_ref_known(v_x_355_, 2);
v___x_358_ = lean_box(0);
return v___x_358_;
}
else
{
lean_object* v_head_359_; lean_object* v_tail_360_; lean_object* v_head_361_; lean_object* v_tail_362_; uint8_t v___x_363_; uint8_t v___x_364_; uint8_t v___x_365_; 
v_head_359_ = lean_ctor_get(v_x_355_, 0);
lean_inc(v_head_359_);
v_tail_360_ = lean_ctor_get(v_x_355_, 1);
lean_inc(v_tail_360_);
lean_dec_ref_known(v_x_355_, 2);
v_head_361_ = lean_ctor_get(v_x_356_, 0);
v_tail_362_ = lean_ctor_get(v_x_356_, 1);
v___x_363_ = 1;
v___x_364_ = lean_unbox(v_head_361_);
v___x_365_ = l_Bool_decEq(v___x_364_, v___x_363_);
if (v___x_365_ == 0)
{
lean_dec(v_head_359_);
v_x_355_ = v_tail_360_;
v_x_356_ = v_tail_362_;
goto _start;
}
else
{
lean_object* v___x_367_; lean_object* v___x_368_; 
v___x_367_ = l_Gnosis_pickedScores(v_tail_360_, v_tail_362_);
v___x_368_ = l_List_append___redArg(v_head_359_, v___x_367_);
lean_dec(v___x_367_);
return v___x_368_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_pickedScores___boxed(lean_object* v_x_369_, lean_object* v_x_370_){
_start:
{
lean_object* v_res_371_; 
v_res_371_ = l_Gnosis_pickedScores(v_x_369_, v_x_370_);
lean_dec(v_x_370_);
return v_res_371_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_pickedMasks(lean_object* v_x_372_, lean_object* v_x_373_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_372_) == 0)
{
lean_object* v___x_374_; 
v___x_374_ = lean_box(0);
return v___x_374_;
}
else
{
if (lean_obj_tag(v_x_373_) == 0)
{
lean_dec_ref_known(v_x_372_, 2);
return v_x_373_;
}
else
{
lean_object* v_head_375_; lean_object* v_tail_376_; lean_object* v_head_377_; lean_object* v_tail_378_; uint8_t v___x_379_; uint8_t v___x_380_; uint8_t v___x_381_; 
v_head_375_ = lean_ctor_get(v_x_372_, 0);
lean_inc(v_head_375_);
v_tail_376_ = lean_ctor_get(v_x_372_, 1);
lean_inc(v_tail_376_);
lean_dec_ref_known(v_x_372_, 2);
v_head_377_ = lean_ctor_get(v_x_373_, 0);
v_tail_378_ = lean_ctor_get(v_x_373_, 1);
v___x_379_ = 1;
v___x_380_ = lean_unbox(v_head_377_);
v___x_381_ = l_Bool_decEq(v___x_380_, v___x_379_);
if (v___x_381_ == 0)
{
lean_dec(v_head_375_);
v_x_372_ = v_tail_376_;
v_x_373_ = v_tail_378_;
goto _start;
}
else
{
lean_object* v___x_383_; lean_object* v___x_384_; 
v___x_383_ = l_Gnosis_pickedMasks(v_tail_376_, v_tail_378_);
v___x_384_ = l_List_append___redArg(v_head_375_, v___x_383_);
lean_dec(v___x_383_);
return v___x_384_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_pickedMasks___boxed(lean_object* v_x_385_, lean_object* v_x_386_){
_start:
{
lean_object* v_res_387_; 
v_res_387_ = l_Gnosis_pickedMasks(v_x_385_, v_x_386_);
lean_dec(v_x_386_);
return v_res_387_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_twoStageShape___lam__0(uint8_t v___y_388_, uint8_t v_head_389_, uint8_t v_b_390_){
_start:
{
if (v_b_390_ == 0)
{
return v___y_388_;
}
else
{
return v_head_389_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_twoStageShape___lam__0___boxed(lean_object* v___y_391_, lean_object* v_head_392_, lean_object* v_b_393_){
_start:
{
uint8_t v___y_199__boxed_394_; uint8_t v_head_200__boxed_395_; uint8_t v_b_boxed_396_; uint8_t v_res_397_; lean_object* v_r_398_; 
v___y_199__boxed_394_ = lean_unbox(v___y_391_);
v_head_200__boxed_395_ = lean_unbox(v_head_392_);
v_b_boxed_396_ = lean_unbox(v_b_393_);
v_res_397_ = l_Gnosis_twoStageShape___lam__0(v___y_199__boxed_394_, v_head_200__boxed_395_, v_b_boxed_396_);
v_r_398_ = lean_box(v_res_397_);
return v_r_398_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_twoStageShape(lean_object* v_x_399_, lean_object* v_x_400_, lean_object* v_x_401_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_399_) == 0)
{
if (lean_obj_tag(v_x_400_) == 0)
{
if (lean_obj_tag(v_x_401_) == 0)
{
uint8_t v___x_402_; 
v___x_402_ = 1;
return v___x_402_;
}
else
{
uint8_t v___x_403_; 
lean_dec_ref_known(v_x_401_, 2);
v___x_403_ = 0;
return v___x_403_;
}
}
else
{
uint8_t v___x_404_; 
lean_dec_ref_known(v_x_400_, 2);
lean_dec(v_x_401_);
v___x_404_ = 0;
return v___x_404_;
}
}
else
{
if (lean_obj_tag(v_x_400_) == 0)
{
uint8_t v___x_405_; 
lean_dec(v_x_401_);
v___x_405_ = 0;
return v___x_405_;
}
else
{
if (lean_obj_tag(v_x_401_) == 0)
{
uint8_t v___x_406_; 
lean_dec_ref_known(v_x_400_, 2);
v___x_406_ = 0;
return v___x_406_;
}
else
{
lean_object* v_head_407_; lean_object* v_tail_408_; lean_object* v_head_409_; lean_object* v_tail_410_; lean_object* v_head_411_; lean_object* v_tail_412_; uint8_t v___y_414_; lean_object* v___x_421_; lean_object* v___x_422_; uint8_t v___x_423_; uint8_t v___x_424_; 
v_head_407_ = lean_ctor_get(v_x_399_, 0);
v_tail_408_ = lean_ctor_get(v_x_399_, 1);
v_head_409_ = lean_ctor_get(v_x_400_, 0);
lean_inc(v_head_409_);
v_tail_410_ = lean_ctor_get(v_x_400_, 1);
lean_inc(v_tail_410_);
lean_dec_ref_known(v_x_400_, 2);
v_head_411_ = lean_ctor_get(v_x_401_, 0);
lean_inc(v_head_411_);
v_tail_412_ = lean_ctor_get(v_x_401_, 1);
lean_inc(v_tail_412_);
lean_dec_ref_known(v_x_401_, 2);
v___x_421_ = lean_unsigned_to_nat(2u);
v___x_422_ = l_List_length___redArg(v_head_407_);
v___x_423_ = lean_nat_dec_le(v___x_421_, v___x_422_);
v___x_424_ = l_Decidable_decide___redArg(v___x_423_);
if (v___x_424_ == 0)
{
lean_dec(v___x_422_);
v___y_414_ = v___x_424_;
goto v___jp_413_;
}
else
{
lean_object* v___x_425_; uint8_t v___x_426_; 
v___x_425_ = l_List_length___redArg(v_head_411_);
v___x_426_ = lean_nat_dec_eq(v___x_422_, v___x_425_);
lean_dec(v___x_425_);
lean_dec(v___x_422_);
v___y_414_ = v___x_426_;
goto v___jp_413_;
}
v___jp_413_:
{
if (v___y_414_ == 0)
{
lean_dec(v_tail_412_);
lean_dec(v_head_411_);
lean_dec(v_tail_410_);
lean_dec(v_head_409_);
return v___y_414_;
}
else
{
uint8_t v___x_415_; 
v___x_415_ = lean_unbox(v_head_409_);
if (v___x_415_ == 0)
{
lean_object* v___x_416_; lean_object* v___f_417_; uint8_t v___x_418_; 
v___x_416_ = lean_box(v___y_414_);
v___f_417_ = lean_alloc_closure((void*)(l_Gnosis_twoStageShape___lam__0___boxed), 3, 2);
lean_closure_set(v___f_417_, 0, v___x_416_);
lean_closure_set(v___f_417_, 1, v_head_409_);
v___x_418_ = l_List_all___redArg(v_head_411_, v___f_417_);
if (v___x_418_ == 0)
{
lean_dec(v_tail_412_);
lean_dec(v_tail_410_);
return v___x_418_;
}
else
{
v_x_399_ = v_tail_408_;
v_x_400_ = v_tail_410_;
v_x_401_ = v_tail_412_;
goto _start;
}
}
else
{
lean_dec(v_head_411_);
lean_dec(v_head_409_);
v_x_399_ = v_tail_408_;
v_x_400_ = v_tail_410_;
v_x_401_ = v_tail_412_;
goto _start;
}
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_twoStageShape___boxed(lean_object* v_x_427_, lean_object* v_x_428_, lean_object* v_x_429_){
_start:
{
uint8_t v_res_430_; lean_object* v_r_431_; 
v_res_430_ = l_Gnosis_twoStageShape(v_x_427_, v_x_428_, v_x_429_);
lean_dec(v_x_427_);
v_r_431_ = lean_box(v_res_430_);
return v_r_431_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_twoStageAdmit(lean_object* v_groups_433_, lean_object* v_gsel_434_, lean_object* v_esel_435_, lean_object* v_00_u03b5_436_){
_start:
{
uint8_t v___y_438_; uint8_t v___x_442_; 
lean_inc(v_esel_435_);
lean_inc(v_gsel_434_);
v___x_442_ = l_Gnosis_twoStageShape(v_groups_433_, v_gsel_434_, v_esel_435_);
if (v___x_442_ == 0)
{
v___y_438_ = v___x_442_;
goto v___jp_437_;
}
else
{
lean_object* v___x_443_; lean_object* v___x_444_; lean_object* v___x_445_; lean_object* v___x_446_; uint8_t v___x_447_; 
v___x_443_ = ((lean_object*)(l_Gnosis_twoStageAdmit___closed__0));
lean_inc(v_groups_433_);
v___x_444_ = l_List_map___redArg(v___x_443_, v_groups_433_);
v___x_445_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_446_ = lean_int_mul(v___x_445_, v_00_u03b5_436_);
v___x_447_ = l_Gnosis_topkAdmit(v___x_444_, v_gsel_434_, v___x_446_);
lean_dec(v___x_446_);
lean_dec(v___x_444_);
v___y_438_ = v___x_447_;
goto v___jp_437_;
}
v___jp_437_:
{
if (v___y_438_ == 0)
{
lean_dec(v_esel_435_);
lean_dec(v_gsel_434_);
lean_dec(v_groups_433_);
return v___y_438_;
}
else
{
lean_object* v___x_439_; lean_object* v___x_440_; uint8_t v___x_441_; 
v___x_439_ = l_Gnosis_pickedScores(v_groups_433_, v_gsel_434_);
v___x_440_ = l_Gnosis_pickedMasks(v_esel_435_, v_gsel_434_);
lean_dec(v_gsel_434_);
v___x_441_ = l_Gnosis_topkAdmit(v___x_439_, v___x_440_, v_00_u03b5_436_);
lean_dec(v___x_440_);
lean_dec(v___x_439_);
return v___x_441_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_twoStageAdmit___boxed(lean_object* v_groups_448_, lean_object* v_gsel_449_, lean_object* v_esel_450_, lean_object* v_00_u03b5_451_){
_start:
{
uint8_t v_res_452_; lean_object* v_r_453_; 
v_res_452_ = l_Gnosis_twoStageAdmit(v_groups_448_, v_gsel_449_, v_esel_450_, v_00_u03b5_451_);
lean_dec(v_00_u03b5_451_);
v_r_453_ = lean_box(v_res_452_);
return v_r_453_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_topkGapAdmit(lean_object* v_z_454_, lean_object* v_k_455_, lean_object* v_00_u03b5_456_){
_start:
{
lean_object* v___x_457_; lean_object* v___x_458_; uint8_t v___x_459_; uint8_t v___x_460_; 
v___x_457_ = lean_unsigned_to_nat(0u);
v___x_458_ = lean_obj_once(&l_Gnosis_entry___closed__0, &l_Gnosis_entry___closed__0_once, _init_l_Gnosis_entry___closed__0);
v___x_459_ = lean_int_dec_le(v___x_458_, v_00_u03b5_456_);
v___x_460_ = l_Decidable_decide___redArg(v___x_459_);
if (v___x_460_ == 0)
{
lean_dec(v_z_454_);
return v___x_460_;
}
else
{
lean_object* v___x_461_; uint8_t v___x_462_; 
v___x_461_ = l_List_length___redArg(v_z_454_);
v___x_462_ = lean_nat_dec_le(v_k_455_, v___x_461_);
if (v___x_462_ == 0)
{
lean_dec(v___x_461_);
lean_dec(v_z_454_);
return v___x_462_;
}
else
{
uint8_t v___x_463_; 
v___x_463_ = lean_nat_dec_eq(v_k_455_, v___x_457_);
if (v___x_463_ == 0)
{
uint8_t v___x_464_; 
v___x_464_ = lean_nat_dec_eq(v_k_455_, v___x_461_);
if (v___x_464_ == 0)
{
lean_object* v___x_465_; lean_object* v___x_466_; lean_object* v___x_467_; lean_object* v___x_468_; 
v___x_465_ = lean_unsigned_to_nat(1u);
v___x_466_ = lean_nat_add(v___x_461_, v___x_465_);
v___x_467_ = lean_nat_sub(v___x_466_, v_k_455_);
lean_dec(v___x_466_);
lean_inc(v_z_454_);
v___x_468_ = l_Gnosis_kthSmallest(v___x_467_, v_z_454_);
lean_dec(v___x_467_);
if (lean_obj_tag(v___x_468_) == 0)
{
lean_dec(v___x_461_);
lean_dec(v_z_454_);
return v___x_464_;
}
else
{
lean_object* v_val_469_; lean_object* v___x_470_; lean_object* v___x_471_; 
v_val_469_ = lean_ctor_get(v___x_468_, 0);
lean_inc(v_val_469_);
lean_dec_ref_known(v___x_468_, 1);
v___x_470_ = lean_nat_sub(v___x_461_, v_k_455_);
lean_dec(v___x_461_);
v___x_471_ = l_Gnosis_kthSmallest(v___x_470_, v_z_454_);
lean_dec(v___x_470_);
if (lean_obj_tag(v___x_471_) == 0)
{
lean_dec(v_val_469_);
return v___x_464_;
}
else
{
lean_object* v_val_472_; lean_object* v___x_473_; lean_object* v___x_474_; lean_object* v___x_475_; uint8_t v___x_476_; uint8_t v___x_477_; 
v_val_472_ = lean_ctor_get(v___x_471_, 0);
lean_inc(v_val_472_);
lean_dec_ref_known(v___x_471_, 1);
v___x_473_ = lean_obj_once(&l_Gnosis_marginAdmit___closed__0, &l_Gnosis_marginAdmit___closed__0_once, _init_l_Gnosis_marginAdmit___closed__0);
v___x_474_ = lean_int_mul(v___x_473_, v_00_u03b5_456_);
v___x_475_ = lean_int_sub(v_val_469_, v_val_472_);
lean_dec(v_val_472_);
lean_dec(v_val_469_);
v___x_476_ = lean_int_dec_lt(v___x_474_, v___x_475_);
lean_dec(v___x_475_);
lean_dec(v___x_474_);
v___x_477_ = l_Decidable_decide___redArg(v___x_476_);
return v___x_477_;
}
}
}
else
{
lean_dec(v___x_461_);
lean_dec(v_z_454_);
return v___x_464_;
}
}
else
{
lean_dec(v___x_461_);
lean_dec(v_z_454_);
return v___x_463_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_topkGapAdmit___boxed(lean_object* v_z_478_, lean_object* v_k_479_, lean_object* v_00_u03b5_480_){
_start:
{
uint8_t v_res_481_; lean_object* v_r_482_; 
v_res_481_ = l_Gnosis_topkGapAdmit(v_z_478_, v_k_479_, v_00_u03b5_480_);
lean_dec(v_00_u03b5_480_);
lean_dec(v_k_479_);
v_r_482_ = lean_box(v_res_481_);
return v_r_482_;
}
}
lean_object* initialize_Gnosis_Decision_Conformal(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Search
// Imports: public import Gnosis.Core.ListData
uint8_t lean_nat_dec_eq(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* lean_nat_add(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leastFrom(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_accepted___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_accepted(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_positionAt(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_positionAt___boxed(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leastFrom(lean_object* v_test_1_, lean_object* v_a_2_, lean_object* v_x_3_){
_start:
{ GNOSIS_STEP;
lean_object* v_zero_4_; uint8_t v_isZero_5_; 
v_zero_4_ = lean_unsigned_to_nat(0u);
v_isZero_5_ = lean_nat_dec_eq(v_x_3_, v_zero_4_);
if (v_isZero_5_ == 1)
{
lean_dec(v_x_3_);
lean_dec_ref(v_test_1_);
return v_a_2_;
}
else
{
lean_object* v___x_6_; uint8_t v___x_7_; 
lean_inc_ref(v_test_1_);
lean_inc(v_a_2_);
v___x_6_ = lean_apply_1(v_test_1_, v_a_2_);
v___x_7_ = lean_unbox(v___x_6_);
if (v___x_7_ == 0)
{
lean_object* v_one_8_; lean_object* v_n_9_; lean_object* v___x_10_; 
v_one_8_ = lean_unsigned_to_nat(1u);
v_n_9_ = lean_nat_sub(v_x_3_, v_one_8_);
lean_dec(v_x_3_);
v___x_10_ = lean_nat_add(v_a_2_, v_one_8_);
lean_dec(v_a_2_);
v_a_2_ = v___x_10_;
v_x_3_ = v_n_9_;
goto _start;
}
else
{
lean_dec(v_x_3_);
lean_dec_ref(v_test_1_);
return v_a_2_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_accepted___redArg(lean_object* v_p_12_, lean_object* v_x_13_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_13_) == 0)
{
lean_dec_ref(v_p_12_);
return v_x_13_;
}
else
{
lean_object* v_head_14_; lean_object* v_tail_15_; lean_object* v___x_17_; uint8_t v_isShared_18_; uint8_t v_isSharedCheck_26_; 
v_head_14_ = lean_ctor_get(v_x_13_, 0);
v_tail_15_ = lean_ctor_get(v_x_13_, 1);
v_isSharedCheck_26_ = !lean_is_exclusive(v_x_13_);
if (v_isSharedCheck_26_ == 0)
{
v___x_17_ = v_x_13_;
v_isShared_18_ = v_isSharedCheck_26_;
goto v_resetjp_16_;
}
else
{
lean_inc(v_tail_15_);
lean_inc(v_head_14_);
lean_dec(v_x_13_);
v___x_17_ = lean_box(0);
v_isShared_18_ = v_isSharedCheck_26_;
goto v_resetjp_16_;
}
v_resetjp_16_:
{
lean_object* v___x_19_; uint8_t v___x_20_; 
lean_inc_ref(v_p_12_);
lean_inc(v_head_14_);
v___x_19_ = lean_apply_1(v_p_12_, v_head_14_);
v___x_20_ = lean_unbox(v___x_19_);
if (v___x_20_ == 0)
{
lean_del_object(v___x_17_);
lean_dec(v_head_14_);
v_x_13_ = v_tail_15_;
goto _start;
}
else
{
lean_object* v___x_22_; lean_object* v___x_24_; 
v___x_22_ = l_Gnosis_accepted___redArg(v_p_12_, v_tail_15_);
if (v_isShared_18_ == 0)
{
lean_ctor_set(v___x_17_, 1, v___x_22_);
v___x_24_ = v___x_17_;
goto v_reusejp_23_;
}
else
{
lean_object* v_reuseFailAlloc_25_; 
v_reuseFailAlloc_25_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_25_, 0, v_head_14_);
lean_ctor_set(v_reuseFailAlloc_25_, 1, v___x_22_);
v___x_24_ = v_reuseFailAlloc_25_;
goto v_reusejp_23_;
}
v_reusejp_23_:
{
return v___x_24_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_accepted(lean_object* v_00_u03b1_27_, lean_object* v_p_28_, lean_object* v_x_29_){
_start:
{
lean_object* v___x_30_; 
v___x_30_ = l_Gnosis_accepted___redArg(v_p_28_, v_x_29_);
return v___x_30_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_positionAt(lean_object* v_x_31_, lean_object* v_x_32_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_31_) == 0)
{
lean_object* v___x_33_; 
lean_dec(v_x_32_);
v___x_33_ = lean_unsigned_to_nat(0u);
return v___x_33_;
}
else
{
lean_object* v_head_34_; lean_object* v_tail_35_; lean_object* v_zero_36_; uint8_t v_isZero_37_; 
v_head_34_ = lean_ctor_get(v_x_31_, 0);
v_tail_35_ = lean_ctor_get(v_x_31_, 1);
v_zero_36_ = lean_unsigned_to_nat(0u);
v_isZero_37_ = lean_nat_dec_eq(v_x_32_, v_zero_36_);
if (v_isZero_37_ == 1)
{
lean_dec(v_x_32_);
lean_inc(v_head_34_);
return v_head_34_;
}
else
{
lean_object* v_one_38_; lean_object* v_n_39_; 
v_one_38_ = lean_unsigned_to_nat(1u);
v_n_39_ = lean_nat_sub(v_x_32_, v_one_38_);
lean_dec(v_x_32_);
v_x_31_ = v_tail_35_;
v_x_32_ = v_n_39_;
goto _start;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_positionAt___boxed(lean_object* v_x_41_, lean_object* v_x_42_){
_start:
{
lean_object* v_res_43_; 
v_res_43_ = l_Gnosis_positionAt(v_x_41_, v_x_42_);
lean_dec(v_x_41_);
return v_res_43_;
}
}
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Served
// Imports: public import Gnosis.Core.ListData
lean_object* lean_nat_add(lean_object*, lean_object*);
lean_object* lean_nat_mul(lean_object*, lean_object*);
lean_object* lean_nat_sub(lean_object*, lean_object*);
lean_object* lean_nat_div(lean_object*, lean_object*);
uint8_t lean_nat_dec_le(lean_object*, lean_object*);
uint8_t l_List_all___redArg(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leftMass(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leftMass___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rightMass(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rightMass___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_excess(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_excess___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tvNum(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tvNum___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_gridLoss(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_gridLoss___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_ratioAdmit___lam__0(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_ratioAdmit___lam__0___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_ratioAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_ratioAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_spreadAdmit___lam__0(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_spreadAdmit___lam__0___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_spreadAdmit(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_spreadAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_servedAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_servedAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_total(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_total___boxed(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_rootsOk(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_rootsOk___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_hellingerAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_hellingerAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_weightedBudget(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_weightedBudget___boxed(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topkBudget(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_topkBudget___boxed(lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tiltPairs(lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_gaugeOk(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_gaugeOk___boxed(lean_object*, lean_object*);
LEAN_EXPORT uint8_t l_Gnosis_stepBudgetAdmit(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_stepBudgetAdmit___boxed(lean_object*, lean_object*, lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_leftMass(lean_object* v_x_1_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_1_) == 0)
{
lean_object* v___x_2_; 
v___x_2_ = lean_unsigned_to_nat(0u);
return v___x_2_;
}
else
{
lean_object* v_head_3_; lean_object* v_tail_4_; lean_object* v_fst_5_; lean_object* v___x_6_; lean_object* v___x_7_; 
v_head_3_ = lean_ctor_get(v_x_1_, 0);
v_tail_4_ = lean_ctor_get(v_x_1_, 1);
v_fst_5_ = lean_ctor_get(v_head_3_, 0);
v___x_6_ = l_Gnosis_leftMass(v_tail_4_);
v___x_7_ = lean_nat_add(v_fst_5_, v___x_6_);
lean_dec(v___x_6_);
return v___x_7_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_leftMass___boxed(lean_object* v_x_8_){
_start:
{
lean_object* v_res_9_; 
v_res_9_ = l_Gnosis_leftMass(v_x_8_);
lean_dec(v_x_8_);
return v_res_9_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_rightMass(lean_object* v_x_10_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_10_) == 0)
{
lean_object* v___x_11_; 
v___x_11_ = lean_unsigned_to_nat(0u);
return v___x_11_;
}
else
{
lean_object* v_head_12_; lean_object* v_tail_13_; lean_object* v_snd_14_; lean_object* v___x_15_; lean_object* v___x_16_; 
v_head_12_ = lean_ctor_get(v_x_10_, 0);
v_tail_13_ = lean_ctor_get(v_x_10_, 1);
v_snd_14_ = lean_ctor_get(v_head_12_, 1);
v___x_15_ = l_Gnosis_rightMass(v_tail_13_);
v___x_16_ = lean_nat_add(v_snd_14_, v___x_15_);
lean_dec(v___x_15_);
return v___x_16_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_rightMass___boxed(lean_object* v_x_17_){
_start:
{
lean_object* v_res_18_; 
v_res_18_ = l_Gnosis_rightMass(v_x_17_);
lean_dec(v_x_17_);
return v_res_18_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_excess(lean_object* v_S_19_, lean_object* v_S_x27_20_, lean_object* v_x_21_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_21_) == 0)
{
lean_object* v___x_22_; 
v___x_22_ = lean_unsigned_to_nat(0u);
return v___x_22_;
}
else
{
lean_object* v_head_23_; lean_object* v_tail_24_; lean_object* v_fst_25_; lean_object* v_snd_26_; lean_object* v___x_27_; lean_object* v___x_28_; lean_object* v___x_29_; lean_object* v___x_30_; lean_object* v___x_31_; 
v_head_23_ = lean_ctor_get(v_x_21_, 0);
v_tail_24_ = lean_ctor_get(v_x_21_, 1);
v_fst_25_ = lean_ctor_get(v_head_23_, 0);
v_snd_26_ = lean_ctor_get(v_head_23_, 1);
v___x_27_ = lean_nat_mul(v_snd_26_, v_S_19_);
v___x_28_ = lean_nat_mul(v_fst_25_, v_S_x27_20_);
v___x_29_ = lean_nat_sub(v___x_27_, v___x_28_);
lean_dec(v___x_28_);
lean_dec(v___x_27_);
v___x_30_ = l_Gnosis_excess(v_S_19_, v_S_x27_20_, v_tail_24_);
v___x_31_ = lean_nat_add(v___x_29_, v___x_30_);
lean_dec(v___x_30_);
lean_dec(v___x_29_);
return v___x_31_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_excess___boxed(lean_object* v_S_32_, lean_object* v_S_x27_33_, lean_object* v_x_34_){
_start:
{
lean_object* v_res_35_; 
v_res_35_ = l_Gnosis_excess(v_S_32_, v_S_x27_33_, v_x_34_);
lean_dec(v_x_34_);
lean_dec(v_S_x27_33_);
lean_dec(v_S_32_);
return v_res_35_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tvNum(lean_object* v_ps_36_){
_start:
{
lean_object* v___x_37_; lean_object* v___x_38_; lean_object* v___x_39_; 
v___x_37_ = l_Gnosis_leftMass(v_ps_36_);
v___x_38_ = l_Gnosis_rightMass(v_ps_36_);
v___x_39_ = l_Gnosis_excess(v___x_37_, v___x_38_, v_ps_36_);
lean_dec(v___x_38_);
lean_dec(v___x_37_);
return v___x_39_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tvNum___boxed(lean_object* v_ps_40_){
_start:
{
lean_object* v_res_41_; 
v_res_41_ = l_Gnosis_tvNum(v_ps_40_);
lean_dec(v_ps_40_);
return v_res_41_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_gridLoss(lean_object* v_G_42_, lean_object* v_ps_43_){
_start:
{
lean_object* v___x_44_; lean_object* v___x_45_; lean_object* v___x_46_; lean_object* v___x_47_; lean_object* v___x_48_; lean_object* v___x_49_; lean_object* v___x_50_; lean_object* v___x_51_; lean_object* v___x_52_; 
v___x_44_ = l_Gnosis_tvNum(v_ps_43_);
v___x_45_ = lean_nat_mul(v_G_42_, v___x_44_);
lean_dec(v___x_44_);
v___x_46_ = l_Gnosis_leftMass(v_ps_43_);
v___x_47_ = l_Gnosis_rightMass(v_ps_43_);
v___x_48_ = lean_nat_mul(v___x_46_, v___x_47_);
lean_dec(v___x_47_);
lean_dec(v___x_46_);
v___x_49_ = lean_unsigned_to_nat(1u);
v___x_50_ = lean_nat_sub(v___x_48_, v___x_49_);
v___x_51_ = lean_nat_add(v___x_45_, v___x_50_);
lean_dec(v___x_50_);
lean_dec(v___x_45_);
v___x_52_ = lean_nat_div(v___x_51_, v___x_48_);
lean_dec(v___x_48_);
lean_dec(v___x_51_);
return v___x_52_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_gridLoss___boxed(lean_object* v_G_53_, lean_object* v_ps_54_){
_start:
{
lean_object* v_res_55_; 
v_res_55_ = l_Gnosis_gridLoss(v_G_53_, v_ps_54_);
lean_dec(v_ps_54_);
lean_dec(v_G_53_);
return v_res_55_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_ratioAdmit___lam__0(lean_object* v_Q_56_, lean_object* v_b_57_, lean_object* v_P_58_, lean_object* v_a_59_, lean_object* v_x_60_){
_start:
{
lean_object* v_fst_61_; lean_object* v_snd_62_; lean_object* v___x_63_; lean_object* v___x_64_; lean_object* v___x_65_; lean_object* v___x_66_; uint8_t v___x_67_; 
v_fst_61_ = lean_ctor_get(v_x_60_, 0);
v_snd_62_ = lean_ctor_get(v_x_60_, 1);
v___x_63_ = lean_nat_mul(v_Q_56_, v_b_57_);
v___x_64_ = lean_nat_mul(v___x_63_, v_snd_62_);
lean_dec(v___x_63_);
v___x_65_ = lean_nat_mul(v_P_58_, v_a_59_);
v___x_66_ = lean_nat_mul(v___x_65_, v_fst_61_);
lean_dec(v___x_65_);
v___x_67_ = lean_nat_dec_le(v___x_64_, v___x_66_);
lean_dec(v___x_66_);
lean_dec(v___x_64_);
if (v___x_67_ == 0)
{
return v___x_67_;
}
else
{
lean_object* v___x_68_; lean_object* v___x_69_; lean_object* v___x_70_; lean_object* v___x_71_; uint8_t v___x_72_; 
v___x_68_ = lean_nat_mul(v_Q_56_, v_a_59_);
v___x_69_ = lean_nat_mul(v___x_68_, v_fst_61_);
lean_dec(v___x_68_);
v___x_70_ = lean_nat_mul(v_P_58_, v_b_57_);
v___x_71_ = lean_nat_mul(v___x_70_, v_snd_62_);
lean_dec(v___x_70_);
v___x_72_ = lean_nat_dec_le(v___x_69_, v___x_71_);
lean_dec(v___x_71_);
lean_dec(v___x_69_);
return v___x_72_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_ratioAdmit___lam__0___boxed(lean_object* v_Q_73_, lean_object* v_b_74_, lean_object* v_P_75_, lean_object* v_a_76_, lean_object* v_x_77_){
_start:
{
uint8_t v_res_78_; lean_object* v_r_79_; 
v_res_78_ = l_Gnosis_ratioAdmit___lam__0(v_Q_73_, v_b_74_, v_P_75_, v_a_76_, v_x_77_);
lean_dec_ref(v_x_77_);
lean_dec(v_a_76_);
lean_dec(v_P_75_);
lean_dec(v_b_74_);
lean_dec(v_Q_73_);
v_r_79_ = lean_box(v_res_78_);
return v_r_79_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_ratioAdmit(lean_object* v_P_80_, lean_object* v_Q_81_, lean_object* v_a_82_, lean_object* v_b_83_, lean_object* v_ps_84_){
_start:
{
lean_object* v___x_85_; uint8_t v___x_86_; 
v___x_85_ = lean_unsigned_to_nat(1u);
v___x_86_ = lean_nat_dec_le(v___x_85_, v_Q_81_);
if (v___x_86_ == 0)
{
lean_dec(v_ps_84_);
lean_dec(v_b_83_);
lean_dec(v_a_82_);
lean_dec(v_Q_81_);
lean_dec(v_P_80_);
return v___x_86_;
}
else
{
uint8_t v___x_87_; 
v___x_87_ = lean_nat_dec_le(v_Q_81_, v_P_80_);
if (v___x_87_ == 0)
{
lean_dec(v_ps_84_);
lean_dec(v_b_83_);
lean_dec(v_a_82_);
lean_dec(v_Q_81_);
lean_dec(v_P_80_);
return v___x_87_;
}
else
{
uint8_t v___x_88_; 
v___x_88_ = lean_nat_dec_le(v___x_85_, v_a_82_);
if (v___x_88_ == 0)
{
lean_dec(v_ps_84_);
lean_dec(v_b_83_);
lean_dec(v_a_82_);
lean_dec(v_Q_81_);
lean_dec(v_P_80_);
return v___x_88_;
}
else
{
uint8_t v___x_89_; 
v___x_89_ = lean_nat_dec_le(v___x_85_, v_b_83_);
if (v___x_89_ == 0)
{
lean_dec(v_ps_84_);
lean_dec(v_b_83_);
lean_dec(v_a_82_);
lean_dec(v_Q_81_);
lean_dec(v_P_80_);
return v___x_89_;
}
else
{
lean_object* v___x_90_; uint8_t v___x_91_; 
v___x_90_ = l_Gnosis_leftMass(v_ps_84_);
v___x_91_ = lean_nat_dec_le(v___x_85_, v___x_90_);
lean_dec(v___x_90_);
if (v___x_91_ == 0)
{
lean_dec(v_ps_84_);
lean_dec(v_b_83_);
lean_dec(v_a_82_);
lean_dec(v_Q_81_);
lean_dec(v_P_80_);
return v___x_91_;
}
else
{
lean_object* v___f_92_; uint8_t v___x_93_; 
v___f_92_ = lean_alloc_closure((void*)(l_Gnosis_ratioAdmit___lam__0___boxed), 5, 4);
lean_closure_set(v___f_92_, 0, v_Q_81_);
lean_closure_set(v___f_92_, 1, v_b_83_);
lean_closure_set(v___f_92_, 2, v_P_80_);
lean_closure_set(v___f_92_, 3, v_a_82_);
v___x_93_ = l_List_all___redArg(v_ps_84_, v___f_92_);
return v___x_93_;
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_ratioAdmit___boxed(lean_object* v_P_94_, lean_object* v_Q_95_, lean_object* v_a_96_, lean_object* v_b_97_, lean_object* v_ps_98_){
_start:
{
uint8_t v_res_99_; lean_object* v_r_100_; 
v_res_99_ = l_Gnosis_ratioAdmit(v_P_94_, v_Q_95_, v_a_96_, v_b_97_, v_ps_98_);
v_r_100_ = lean_box(v_res_99_);
return v_r_100_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_spreadAdmit___lam__0(lean_object* v_c_101_, lean_object* v_e_102_, lean_object* v_g_103_, lean_object* v_f_104_, lean_object* v_x_105_){
_start:
{
lean_object* v_fst_106_; lean_object* v_snd_107_; lean_object* v___x_108_; lean_object* v___x_109_; uint8_t v___x_110_; 
v_fst_106_ = lean_ctor_get(v_x_105_, 0);
v_snd_107_ = lean_ctor_get(v_x_105_, 1);
v___x_108_ = lean_nat_mul(v_c_101_, v_fst_106_);
v___x_109_ = lean_nat_mul(v_e_102_, v_snd_107_);
v___x_110_ = lean_nat_dec_le(v___x_108_, v___x_109_);
lean_dec(v___x_109_);
lean_dec(v___x_108_);
if (v___x_110_ == 0)
{
return v___x_110_;
}
else
{
lean_object* v___x_111_; lean_object* v___x_112_; uint8_t v___x_113_; 
v___x_111_ = lean_nat_mul(v_g_103_, v_snd_107_);
v___x_112_ = lean_nat_mul(v_f_104_, v_fst_106_);
v___x_113_ = lean_nat_dec_le(v___x_111_, v___x_112_);
lean_dec(v___x_112_);
lean_dec(v___x_111_);
return v___x_113_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_spreadAdmit___lam__0___boxed(lean_object* v_c_114_, lean_object* v_e_115_, lean_object* v_g_116_, lean_object* v_f_117_, lean_object* v_x_118_){
_start:
{
uint8_t v_res_119_; lean_object* v_r_120_; 
v_res_119_ = l_Gnosis_spreadAdmit___lam__0(v_c_114_, v_e_115_, v_g_116_, v_f_117_, v_x_118_);
lean_dec_ref(v_x_118_);
lean_dec(v_f_117_);
lean_dec(v_g_116_);
lean_dec(v_e_115_);
lean_dec(v_c_114_);
v_r_120_ = lean_box(v_res_119_);
return v_r_120_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_spreadAdmit(lean_object* v_P_121_, lean_object* v_Q_122_, lean_object* v_c_123_, lean_object* v_e_124_, lean_object* v_f_125_, lean_object* v_g_126_, lean_object* v_ps_127_){
_start:
{
lean_object* v___x_128_; uint8_t v___x_129_; 
v___x_128_ = lean_unsigned_to_nat(1u);
v___x_129_ = lean_nat_dec_le(v___x_128_, v_Q_122_);
if (v___x_129_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_129_;
}
else
{
uint8_t v___x_130_; 
v___x_130_ = lean_nat_dec_le(v_Q_122_, v_P_121_);
if (v___x_130_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_130_;
}
else
{
uint8_t v___x_131_; 
v___x_131_ = lean_nat_dec_le(v___x_128_, v_c_123_);
if (v___x_131_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_131_;
}
else
{
uint8_t v___x_132_; 
v___x_132_ = lean_nat_dec_le(v___x_128_, v_g_126_);
if (v___x_132_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_132_;
}
else
{
lean_object* v___x_133_; uint8_t v___x_134_; 
v___x_133_ = l_Gnosis_leftMass(v_ps_127_);
v___x_134_ = lean_nat_dec_le(v___x_128_, v___x_133_);
lean_dec(v___x_133_);
if (v___x_134_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_134_;
}
else
{
lean_object* v___x_135_; lean_object* v___x_136_; lean_object* v___x_137_; lean_object* v___x_138_; lean_object* v___x_139_; lean_object* v___x_140_; uint8_t v___x_141_; 
v___x_135_ = lean_nat_mul(v_Q_122_, v_Q_122_);
v___x_136_ = lean_nat_mul(v_f_125_, v_e_124_);
v___x_137_ = lean_nat_mul(v___x_135_, v___x_136_);
lean_dec(v___x_136_);
lean_dec(v___x_135_);
v___x_138_ = lean_nat_mul(v_P_121_, v_P_121_);
v___x_139_ = lean_nat_mul(v_c_123_, v_g_126_);
v___x_140_ = lean_nat_mul(v___x_138_, v___x_139_);
lean_dec(v___x_139_);
lean_dec(v___x_138_);
v___x_141_ = lean_nat_dec_le(v___x_137_, v___x_140_);
lean_dec(v___x_140_);
lean_dec(v___x_137_);
if (v___x_141_ == 0)
{
lean_dec(v_ps_127_);
lean_dec(v_g_126_);
lean_dec(v_f_125_);
lean_dec(v_e_124_);
lean_dec(v_c_123_);
return v___x_141_;
}
else
{
lean_object* v___f_142_; uint8_t v___x_143_; 
v___f_142_ = lean_alloc_closure((void*)(l_Gnosis_spreadAdmit___lam__0___boxed), 5, 4);
lean_closure_set(v___f_142_, 0, v_c_123_);
lean_closure_set(v___f_142_, 1, v_e_124_);
lean_closure_set(v___f_142_, 2, v_g_126_);
lean_closure_set(v___f_142_, 3, v_f_125_);
v___x_143_ = l_List_all___redArg(v_ps_127_, v___f_142_);
return v___x_143_;
}
}
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_spreadAdmit___boxed(lean_object* v_P_144_, lean_object* v_Q_145_, lean_object* v_c_146_, lean_object* v_e_147_, lean_object* v_f_148_, lean_object* v_g_149_, lean_object* v_ps_150_){
_start:
{
uint8_t v_res_151_; lean_object* v_r_152_; 
v_res_151_ = l_Gnosis_spreadAdmit(v_P_144_, v_Q_145_, v_c_146_, v_e_147_, v_f_148_, v_g_149_, v_ps_150_);
lean_dec(v_Q_145_);
lean_dec(v_P_144_);
v_r_152_ = lean_box(v_res_151_);
return v_r_152_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_servedAdmit(lean_object* v_P_153_, lean_object* v_Q_154_, lean_object* v_n_155_, lean_object* v_d_156_){
_start:
{
lean_object* v___x_157_; uint8_t v___x_158_; 
v___x_157_ = lean_unsigned_to_nat(1u);
v___x_158_ = lean_nat_dec_le(v___x_157_, v_Q_154_);
if (v___x_158_ == 0)
{
return v___x_158_;
}
else
{
uint8_t v___x_159_; 
v___x_159_ = lean_nat_dec_le(v_Q_154_, v_P_153_);
if (v___x_159_ == 0)
{
return v___x_159_;
}
else
{
uint8_t v___x_160_; 
v___x_160_ = lean_nat_dec_le(v___x_157_, v_d_156_);
if (v___x_160_ == 0)
{
return v___x_160_;
}
else
{
lean_object* v___x_161_; lean_object* v___x_162_; lean_object* v___x_163_; lean_object* v___x_164_; uint8_t v___x_165_; 
v___x_161_ = lean_nat_sub(v_d_156_, v_n_155_);
v___x_162_ = lean_nat_mul(v_P_153_, v___x_161_);
lean_dec(v___x_161_);
v___x_163_ = lean_nat_add(v_d_156_, v_n_155_);
v___x_164_ = lean_nat_mul(v_Q_154_, v___x_163_);
lean_dec(v___x_163_);
v___x_165_ = lean_nat_dec_le(v___x_162_, v___x_164_);
lean_dec(v___x_164_);
lean_dec(v___x_162_);
return v___x_165_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_servedAdmit___boxed(lean_object* v_P_166_, lean_object* v_Q_167_, lean_object* v_n_168_, lean_object* v_d_169_){
_start:
{
uint8_t v_res_170_; lean_object* v_r_171_; 
v_res_170_ = l_Gnosis_servedAdmit(v_P_166_, v_Q_167_, v_n_168_, v_d_169_);
lean_dec(v_d_169_);
lean_dec(v_n_168_);
lean_dec(v_Q_167_);
lean_dec(v_P_166_);
v_r_171_ = lean_box(v_res_170_);
return v_r_171_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_total(lean_object* v_x_172_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_172_) == 0)
{
lean_object* v___x_173_; 
v___x_173_ = lean_unsigned_to_nat(0u);
return v___x_173_;
}
else
{
lean_object* v_head_174_; lean_object* v_tail_175_; lean_object* v___x_176_; lean_object* v___x_177_; 
v_head_174_ = lean_ctor_get(v_x_172_, 0);
v_tail_175_ = lean_ctor_get(v_x_172_, 1);
v___x_176_ = l_Gnosis_total(v_tail_175_);
v___x_177_ = lean_nat_add(v_head_174_, v___x_176_);
lean_dec(v___x_176_);
return v___x_177_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_total___boxed(lean_object* v_x_178_){
_start:
{
lean_object* v_res_179_; 
v_res_179_ = l_Gnosis_total(v_x_178_);
lean_dec(v_x_178_);
return v_res_179_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_rootsOk(lean_object* v_S_180_, lean_object* v_S_x27_181_, lean_object* v_x_182_, lean_object* v_x_183_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_182_) == 0)
{
if (lean_obj_tag(v_x_183_) == 0)
{
uint8_t v___x_184_; 
v___x_184_ = 1;
return v___x_184_;
}
else
{
uint8_t v___x_185_; 
v___x_185_ = 0;
return v___x_185_;
}
}
else
{
if (lean_obj_tag(v_x_183_) == 0)
{
uint8_t v___x_186_; 
v___x_186_ = 0;
return v___x_186_;
}
else
{
lean_object* v_head_187_; lean_object* v_tail_188_; lean_object* v_fst_189_; lean_object* v_snd_190_; lean_object* v_head_191_; lean_object* v_tail_192_; lean_object* v___x_193_; lean_object* v___x_194_; lean_object* v___x_195_; lean_object* v___x_196_; uint8_t v___x_197_; 
v_head_187_ = lean_ctor_get(v_x_182_, 0);
v_tail_188_ = lean_ctor_get(v_x_182_, 1);
v_fst_189_ = lean_ctor_get(v_head_187_, 0);
v_snd_190_ = lean_ctor_get(v_head_187_, 1);
v_head_191_ = lean_ctor_get(v_x_183_, 0);
v_tail_192_ = lean_ctor_get(v_x_183_, 1);
v___x_193_ = lean_nat_mul(v_head_191_, v_head_191_);
v___x_194_ = lean_nat_mul(v_fst_189_, v_S_x27_181_);
v___x_195_ = lean_nat_mul(v_snd_190_, v_S_180_);
v___x_196_ = lean_nat_mul(v___x_194_, v___x_195_);
lean_dec(v___x_195_);
lean_dec(v___x_194_);
v___x_197_ = lean_nat_dec_le(v___x_193_, v___x_196_);
lean_dec(v___x_196_);
lean_dec(v___x_193_);
if (v___x_197_ == 0)
{
return v___x_197_;
}
else
{
v_x_182_ = v_tail_188_;
v_x_183_ = v_tail_192_;
goto _start;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_rootsOk___boxed(lean_object* v_S_199_, lean_object* v_S_x27_200_, lean_object* v_x_201_, lean_object* v_x_202_){
_start:
{
uint8_t v_res_203_; lean_object* v_r_204_; 
v_res_203_ = l_Gnosis_rootsOk(v_S_199_, v_S_x27_200_, v_x_201_, v_x_202_);
lean_dec(v_x_202_);
lean_dec(v_x_201_);
lean_dec(v_S_x27_200_);
lean_dec(v_S_199_);
v_r_204_ = lean_box(v_res_203_);
return v_r_204_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_hellingerAdmit(lean_object* v_ps_205_, lean_object* v_s_206_, lean_object* v_n_207_, lean_object* v_d_208_){
_start:
{
lean_object* v___x_209_; uint8_t v___x_210_; 
v___x_209_ = lean_unsigned_to_nat(1u);
v___x_210_ = lean_nat_dec_le(v___x_209_, v_d_208_);
if (v___x_210_ == 0)
{
return v___x_210_;
}
else
{
lean_object* v___x_211_; uint8_t v___x_212_; 
v___x_211_ = l_Gnosis_leftMass(v_ps_205_);
v___x_212_ = lean_nat_dec_le(v___x_209_, v___x_211_);
if (v___x_212_ == 0)
{
lean_dec(v___x_211_);
return v___x_212_;
}
else
{
lean_object* v___x_213_; uint8_t v___x_214_; 
v___x_213_ = l_Gnosis_rightMass(v_ps_205_);
v___x_214_ = lean_nat_dec_le(v___x_209_, v___x_213_);
if (v___x_214_ == 0)
{
lean_dec(v___x_213_);
lean_dec(v___x_211_);
return v___x_214_;
}
else
{
uint8_t v___x_215_; 
v___x_215_ = l_Gnosis_rootsOk(v___x_211_, v___x_213_, v_ps_205_, v_s_206_);
if (v___x_215_ == 0)
{
lean_dec(v___x_213_);
lean_dec(v___x_211_);
return v___x_215_;
}
else
{
lean_object* v___x_216_; lean_object* v___x_217_; lean_object* v___x_218_; lean_object* v___x_219_; lean_object* v___x_220_; lean_object* v___x_221_; lean_object* v___x_222_; lean_object* v___x_223_; lean_object* v___x_224_; uint8_t v___x_225_; 
v___x_216_ = lean_nat_mul(v___x_211_, v___x_213_);
lean_dec(v___x_213_);
lean_dec(v___x_211_);
v___x_217_ = lean_nat_mul(v___x_216_, v___x_216_);
lean_dec(v___x_216_);
v___x_218_ = l_Gnosis_total(v_s_206_);
v___x_219_ = lean_nat_mul(v___x_218_, v___x_218_);
lean_dec(v___x_218_);
v___x_220_ = lean_nat_sub(v___x_217_, v___x_219_);
lean_dec(v___x_219_);
v___x_221_ = lean_nat_mul(v_d_208_, v_d_208_);
v___x_222_ = lean_nat_mul(v___x_220_, v___x_221_);
lean_dec(v___x_221_);
lean_dec(v___x_220_);
v___x_223_ = lean_nat_mul(v_n_207_, v_n_207_);
v___x_224_ = lean_nat_mul(v___x_217_, v___x_223_);
lean_dec(v___x_223_);
lean_dec(v___x_217_);
v___x_225_ = lean_nat_dec_le(v___x_222_, v___x_224_);
lean_dec(v___x_224_);
lean_dec(v___x_222_);
return v___x_225_;
}
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_hellingerAdmit___boxed(lean_object* v_ps_226_, lean_object* v_s_227_, lean_object* v_n_228_, lean_object* v_d_229_){
_start:
{
uint8_t v_res_230_; lean_object* v_r_231_; 
v_res_230_ = l_Gnosis_hellingerAdmit(v_ps_226_, v_s_227_, v_n_228_, v_d_229_);
lean_dec(v_d_229_);
lean_dec(v_n_228_);
lean_dec(v_s_227_);
lean_dec(v_ps_226_);
v_r_231_ = lean_box(v_res_230_);
return v_r_231_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_weightedBudget(lean_object* v_x_232_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_232_) == 0)
{
lean_object* v___x_233_; 
v___x_233_ = lean_unsigned_to_nat(0u);
return v___x_233_;
}
else
{
lean_object* v_head_234_; lean_object* v_tail_235_; lean_object* v_fst_236_; lean_object* v_snd_237_; lean_object* v___x_238_; lean_object* v___x_239_; lean_object* v___x_240_; 
v_head_234_ = lean_ctor_get(v_x_232_, 0);
v_tail_235_ = lean_ctor_get(v_x_232_, 1);
v_fst_236_ = lean_ctor_get(v_head_234_, 0);
v_snd_237_ = lean_ctor_get(v_head_234_, 1);
v___x_238_ = lean_nat_mul(v_fst_236_, v_snd_237_);
v___x_239_ = l_Gnosis_weightedBudget(v_tail_235_);
v___x_240_ = lean_nat_add(v___x_238_, v___x_239_);
lean_dec(v___x_239_);
lean_dec(v___x_238_);
return v___x_240_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_weightedBudget___boxed(lean_object* v_x_241_){
_start:
{
lean_object* v_res_242_; 
v_res_242_ = l_Gnosis_weightedBudget(v_x_241_);
lean_dec(v_x_241_);
return v_res_242_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topkBudget(lean_object* v_N_243_, lean_object* v_Bmax_244_, lean_object* v_head_245_){
_start:
{
lean_object* v___x_246_; lean_object* v___x_247_; lean_object* v___x_248_; lean_object* v___x_249_; lean_object* v___x_250_; 
v___x_246_ = l_Gnosis_weightedBudget(v_head_245_);
v___x_247_ = l_Gnosis_leftMass(v_head_245_);
v___x_248_ = lean_nat_sub(v_N_243_, v___x_247_);
lean_dec(v___x_247_);
v___x_249_ = lean_nat_mul(v___x_248_, v_Bmax_244_);
lean_dec(v___x_248_);
v___x_250_ = lean_nat_add(v___x_246_, v___x_249_);
lean_dec(v___x_249_);
lean_dec(v___x_246_);
return v___x_250_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_topkBudget___boxed(lean_object* v_N_251_, lean_object* v_Bmax_252_, lean_object* v_head_253_){
_start:
{
lean_object* v_res_254_; 
v_res_254_ = l_Gnosis_topkBudget(v_N_251_, v_Bmax_252_, v_head_253_);
lean_dec(v_head_253_);
lean_dec(v_Bmax_252_);
lean_dec(v_N_251_);
return v_res_254_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tiltPairs(lean_object* v_x_255_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_255_) == 0)
{
return v_x_255_;
}
else
{
lean_object* v_head_256_; lean_object* v_tail_257_; lean_object* v___x_259_; uint8_t v_isShared_260_; uint8_t v_isSharedCheck_276_; 
v_head_256_ = lean_ctor_get(v_x_255_, 0);
v_tail_257_ = lean_ctor_get(v_x_255_, 1);
v_isSharedCheck_276_ = !lean_is_exclusive(v_x_255_);
if (v_isSharedCheck_276_ == 0)
{
v___x_259_ = v_x_255_;
v_isShared_260_ = v_isSharedCheck_276_;
goto v_resetjp_258_;
}
else
{
lean_inc(v_tail_257_);
lean_inc(v_head_256_);
lean_dec(v_x_255_);
v___x_259_ = lean_box(0);
v_isShared_260_ = v_isSharedCheck_276_;
goto v_resetjp_258_;
}
v_resetjp_258_:
{
lean_object* v_fst_261_; lean_object* v_snd_262_; lean_object* v___x_264_; uint8_t v_isShared_265_; uint8_t v_isSharedCheck_275_; 
v_fst_261_ = lean_ctor_get(v_head_256_, 0);
v_snd_262_ = lean_ctor_get(v_head_256_, 1);
v_isSharedCheck_275_ = !lean_is_exclusive(v_head_256_);
if (v_isSharedCheck_275_ == 0)
{
v___x_264_ = v_head_256_;
v_isShared_265_ = v_isSharedCheck_275_;
goto v_resetjp_263_;
}
else
{
lean_inc(v_snd_262_);
lean_inc(v_fst_261_);
lean_dec(v_head_256_);
v___x_264_ = lean_box(0);
v_isShared_265_ = v_isSharedCheck_275_;
goto v_resetjp_263_;
}
v_resetjp_263_:
{
lean_object* v___x_266_; lean_object* v___x_267_; lean_object* v___x_269_; 
v___x_266_ = lean_nat_mul(v_snd_262_, v_snd_262_);
lean_dec(v_snd_262_);
v___x_267_ = lean_nat_mul(v_fst_261_, v___x_266_);
lean_dec(v___x_266_);
if (v_isShared_265_ == 0)
{
lean_ctor_set(v___x_264_, 1, v___x_267_);
v___x_269_ = v___x_264_;
goto v_reusejp_268_;
}
else
{
lean_object* v_reuseFailAlloc_274_; 
v_reuseFailAlloc_274_ = lean_alloc_ctor(0, 2, 0);
lean_ctor_set(v_reuseFailAlloc_274_, 0, v_fst_261_);
lean_ctor_set(v_reuseFailAlloc_274_, 1, v___x_267_);
v___x_269_ = v_reuseFailAlloc_274_;
goto v_reusejp_268_;
}
v_reusejp_268_:
{
lean_object* v___x_270_; lean_object* v___x_272_; 
v___x_270_ = l_Gnosis_tiltPairs(v_tail_257_);
if (v_isShared_260_ == 0)
{
lean_ctor_set(v___x_259_, 1, v___x_270_);
lean_ctor_set(v___x_259_, 0, v___x_269_);
v___x_272_ = v___x_259_;
goto v_reusejp_271_;
}
else
{
lean_object* v_reuseFailAlloc_273_; 
v_reuseFailAlloc_273_ = lean_alloc_ctor(1, 2, 0);
lean_ctor_set(v_reuseFailAlloc_273_, 0, v___x_269_);
lean_ctor_set(v_reuseFailAlloc_273_, 1, v___x_270_);
v___x_272_ = v_reuseFailAlloc_273_;
goto v_reusejp_271_;
}
v_reusejp_271_:
{
return v___x_272_;
}
}
}
}
}
}
}
LEAN_EXPORT uint8_t l_Gnosis_gaugeOk(lean_object* v_B_277_, lean_object* v_ps_278_){
_start:
{
lean_object* v___x_279_; lean_object* v___x_280_; lean_object* v___x_281_; uint8_t v___x_282_; 
v___x_279_ = l_Gnosis_leftMass(v_ps_278_);
v___x_280_ = lean_nat_mul(v___x_279_, v_B_277_);
lean_dec(v___x_279_);
v___x_281_ = l_Gnosis_weightedBudget(v_ps_278_);
v___x_282_ = lean_nat_dec_le(v___x_280_, v___x_281_);
lean_dec(v___x_281_);
lean_dec(v___x_280_);
return v___x_282_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_gaugeOk___boxed(lean_object* v_B_283_, lean_object* v_ps_284_){
_start:
{
uint8_t v_res_285_; lean_object* v_r_286_; 
v_res_285_ = l_Gnosis_gaugeOk(v_B_283_, v_ps_284_);
lean_dec(v_ps_284_);
lean_dec(v_B_283_);
v_r_286_ = lean_box(v_res_285_);
return v_r_286_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_stepBudgetAdmit(lean_object* v_G_287_, lean_object* v_zn_288_, lean_object* v_zd_289_, lean_object* v_u_290_){
_start:
{
lean_object* v___x_291_; uint8_t v___x_292_; 
v___x_291_ = lean_unsigned_to_nat(1u);
v___x_292_ = lean_nat_dec_le(v___x_291_, v_zd_289_);
if (v___x_292_ == 0)
{
return v___x_292_;
}
else
{
uint8_t v___x_293_; 
v___x_293_ = lean_nat_dec_le(v_zd_289_, v_zn_288_);
if (v___x_293_ == 0)
{
return v___x_293_;
}
else
{
uint8_t v___x_294_; 
v___x_294_ = lean_nat_dec_le(v___x_291_, v_u_290_);
if (v___x_294_ == 0)
{
return v___x_294_;
}
else
{
lean_object* v___x_295_; lean_object* v___x_296_; lean_object* v___x_297_; lean_object* v___x_298_; lean_object* v___x_299_; lean_object* v___x_300_; uint8_t v___x_301_; 
v___x_295_ = lean_nat_mul(v_G_287_, v_G_287_);
v___x_296_ = lean_nat_sub(v_zn_288_, v_zd_289_);
v___x_297_ = lean_nat_mul(v___x_295_, v___x_296_);
lean_dec(v___x_296_);
lean_dec(v___x_295_);
v___x_298_ = lean_nat_sub(v_u_290_, v___x_291_);
v___x_299_ = lean_nat_mul(v___x_298_, v___x_298_);
lean_dec(v___x_298_);
v___x_300_ = lean_nat_mul(v___x_299_, v_zn_288_);
lean_dec(v___x_299_);
v___x_301_ = lean_nat_dec_le(v___x_297_, v___x_300_);
lean_dec(v___x_300_);
lean_dec(v___x_297_);
return v___x_301_;
}
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_stepBudgetAdmit___boxed(lean_object* v_G_302_, lean_object* v_zn_303_, lean_object* v_zd_304_, lean_object* v_u_305_){
_start:
{
uint8_t v_res_306_; lean_object* v_r_307_; 
v_res_306_ = l_Gnosis_stepBudgetAdmit(v_G_302_, v_zn_303_, v_zd_304_, v_u_305_);
lean_dec(v_u_305_);
lean_dec(v_zd_304_);
lean_dec(v_zn_303_);
lean_dec(v_G_302_);
v_r_307_ = lean_box(v_res_306_);
return v_r_307_;
}
}
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Sum
// Imports: public import Gnosis.Core.IntData public import Gnosis.Core.ListData
lean_object* lean_nat_to_int(lean_object*);
lean_object* lean_int_add(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_sum___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_sum___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_sum(lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_sum___boxed(lean_object*);
static lean_object* _init_l_Gnosis_sum___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_sum(lean_object* v_x_3_){
_start:
{ GNOSIS_STEP;
if (lean_obj_tag(v_x_3_) == 0)
{
lean_object* v___x_4_; 
v___x_4_ = lean_obj_once(&l_Gnosis_sum___closed__0, &l_Gnosis_sum___closed__0_once, _init_l_Gnosis_sum___closed__0);
return v___x_4_;
}
else
{
lean_object* v_head_5_; lean_object* v_tail_6_; lean_object* v___x_7_; lean_object* v___x_8_; 
v_head_5_ = lean_ctor_get(v_x_3_, 0);
v_tail_6_ = lean_ctor_get(v_x_3_, 1);
v___x_7_ = l_Gnosis_sum(v_tail_6_);
v___x_8_ = lean_int_add(v_head_5_, v___x_7_);
lean_dec(v___x_7_);
return v___x_8_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_sum___boxed(lean_object* v_x_9_){
_start:
{
lean_object* v_res_10_; 
v_res_10_ = l_Gnosis_sum(v_x_9_);
lean_dec(v_x_9_);
return v_res_10_;
}
}
lean_object* initialize_Gnosis_Core_IntData(uint8_t builtin);
lean_object* initialize_Gnosis_Core_ListData(uint8_t builtin);
void lean_initialize_runtime_module();

// Lean compiler output
// Module: Gnosis.Decision.Tukey
// Imports: public import Gnosis.Core.IntData
lean_object* lean_nat_to_int(lean_object*);
uint8_t lean_int_dec_le(lean_object*, lean_object*);
uint8_t l_Decidable_decide___redArg(uint8_t);
lean_object* lean_int_neg(lean_object*);
lean_object* lean_int_mul(lean_object*, lean_object*);
lean_object* lean_int_sub(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_tukeyAdmit___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_tukeyAdmit___closed__0;
static lean_once_cell_t l_Gnosis_tukeyAdmit___closed__1_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_tukeyAdmit___closed__1;
LEAN_EXPORT uint8_t l_Gnosis_tukeyAdmit(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tukeyAdmit___boxed(lean_object*, lean_object*);
static lean_once_cell_t l_Gnosis_tukeyWeight___closed__0_once = LEAN_ONCE_CELL_INITIALIZER;
static lean_object* l_Gnosis_tukeyWeight___closed__0;
LEAN_EXPORT lean_object* l_Gnosis_tukeyWeight(lean_object*, lean_object*);
LEAN_EXPORT lean_object* l_Gnosis_tukeyWeight___boxed(lean_object*, lean_object*);
static lean_object* _init_l_Gnosis_tukeyAdmit___closed__0(void){
_start:
{
lean_object* v___x_1_; lean_object* v___x_2_; 
v___x_1_ = lean_unsigned_to_nat(0u);
v___x_2_ = lean_nat_to_int(v___x_1_);
return v___x_2_;
}
}
static lean_object* _init_l_Gnosis_tukeyAdmit___closed__1(void){
_start:
{
lean_object* v___x_3_; lean_object* v___x_4_; 
v___x_3_ = lean_unsigned_to_nat(2u);
v___x_4_ = lean_nat_to_int(v___x_3_);
return v___x_4_;
}
}
LEAN_EXPORT uint8_t l_Gnosis_tukeyAdmit(lean_object* v_r_5_, lean_object* v_00_u03b3_6_){
_start:
{
lean_object* v___x_7_; uint8_t v___x_8_; uint8_t v___x_9_; 
v___x_7_ = lean_obj_once(&l_Gnosis_tukeyAdmit___closed__0, &l_Gnosis_tukeyAdmit___closed__0_once, _init_l_Gnosis_tukeyAdmit___closed__0);
v___x_8_ = lean_int_dec_le(v___x_7_, v_00_u03b3_6_);
v___x_9_ = l_Decidable_decide___redArg(v___x_8_);
if (v___x_9_ == 0)
{
return v___x_9_;
}
else
{
lean_object* v___x_10_; lean_object* v___x_11_; lean_object* v___x_12_; uint8_t v___x_13_; uint8_t v___x_14_; 
v___x_10_ = lean_int_neg(v_00_u03b3_6_);
v___x_11_ = lean_obj_once(&l_Gnosis_tukeyAdmit___closed__1, &l_Gnosis_tukeyAdmit___closed__1_once, _init_l_Gnosis_tukeyAdmit___closed__1);
v___x_12_ = lean_int_mul(v___x_11_, v_r_5_);
v___x_13_ = lean_int_dec_le(v___x_10_, v___x_12_);
lean_dec(v___x_10_);
v___x_14_ = l_Decidable_decide___redArg(v___x_13_);
if (v___x_14_ == 0)
{
lean_dec(v___x_12_);
return v___x_14_;
}
else
{
uint8_t v___x_15_; uint8_t v___x_16_; 
v___x_15_ = lean_int_dec_le(v___x_12_, v_00_u03b3_6_);
lean_dec(v___x_12_);
v___x_16_ = l_Decidable_decide___redArg(v___x_15_);
return v___x_16_;
}
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_tukeyAdmit___boxed(lean_object* v_r_17_, lean_object* v_00_u03b3_18_){
_start:
{
uint8_t v_res_19_; lean_object* v_r_20_; 
v_res_19_ = l_Gnosis_tukeyAdmit(v_r_17_, v_00_u03b3_18_);
lean_dec(v_00_u03b3_18_);
lean_dec(v_r_17_);
v_r_20_ = lean_box(v_res_19_);
return v_r_20_;
}
}
static lean_object* _init_l_Gnosis_tukeyWeight___closed__0(void){
_start:
{
lean_object* v___x_21_; lean_object* v___x_22_; 
v___x_21_ = lean_unsigned_to_nat(4u);
v___x_22_ = lean_nat_to_int(v___x_21_);
return v___x_22_;
}
}
LEAN_EXPORT lean_object* l_Gnosis_tukeyWeight(lean_object* v_r_23_, lean_object* v_00_u03b3_24_){
_start:
{
uint8_t v___x_25_; 
v___x_25_ = l_Gnosis_tukeyAdmit(v_r_23_, v_00_u03b3_24_);
if (v___x_25_ == 0)
{
lean_object* v___x_26_; 
v___x_26_ = lean_obj_once(&l_Gnosis_tukeyAdmit___closed__0, &l_Gnosis_tukeyAdmit___closed__0_once, _init_l_Gnosis_tukeyAdmit___closed__0);
return v___x_26_;
}
else
{
lean_object* v___x_27_; lean_object* v___x_28_; lean_object* v___x_29_; lean_object* v___x_30_; lean_object* v___x_31_; lean_object* v___x_32_; 
v___x_27_ = lean_int_mul(v_00_u03b3_24_, v_00_u03b3_24_);
v___x_28_ = lean_obj_once(&l_Gnosis_tukeyWeight___closed__0, &l_Gnosis_tukeyWeight___closed__0_once, _init_l_Gnosis_tukeyWeight___closed__0);
v___x_29_ = lean_int_mul(v___x_28_, v_r_23_);
v___x_30_ = lean_int_mul(v___x_29_, v_r_23_);
lean_dec(v___x_29_);
v___x_31_ = lean_int_sub(v___x_27_, v___x_30_);
lean_dec(v___x_30_);
lean_dec(v___x_27_);
v___x_32_ = lean_int_mul(v___x_31_, v___x_31_);
lean_dec(v___x_31_);
return v___x_32_;
}
}
}
LEAN_EXPORT lean_object* l_Gnosis_tukeyWeight___boxed(lean_object* v_r_33_, lean_object* v_00_u03b3_34_){
_start:
{
lean_object* v_res_35_; 
v_res_35_ = l_Gnosis_tukeyWeight(v_r_33_, v_00_u03b3_34_);
lean_dec(v_00_u03b3_34_);
lean_dec(v_r_33_);
return v_res_35_;
}
}
lean_object* initialize_Gnosis_Core_IntData(uint8_t builtin);
void lean_initialize_runtime_module();

/* From C to Lean's values and back.  Included after numbers.c, in front of what the generator writes. */

#if defined __wasm__
#define API(name) __attribute__((export_name(#name), visibility("default")))
#elif defined _WIN32
#define API(name) __declspec(dllexport)
#else
#define API(name) __attribute__((visibility("default")))
#endif
#ifdef __wasm__
#define BEGIN(h) begin(h)
#else
#define BEGIN(h) jmp_buf back; begin(h); (h)->jump = &back; if (setjmp(back)) return failed(h)
#endif

typedef struct gnosis_heap gnosis_context;

API(gnosis_version) uint32_t gnosis_version(void) { return GNOSIS_VERSION; }

API(gnosis_open) gnosis_context *gnosis_open(void *memory, size_t bytes) {
  uintptr_t from = ((uintptr_t)memory + 15) & ~(uintptr_t)15, to = (uintptr_t)memory + bytes;
  if (!memory || to < from || to - from < sizeof(gnosis_context) + 4096) return NULL;
  gnosis_context *h = (gnosis_context *)from;
  h->start = (char *)from + ((sizeof(gnosis_context) + 15) & ~(size_t)15);
  h->end = (char *)to;
  h->most = 0;
  h->code = 0;
  h->message[0] = 0;
  h->stack = (size_t)256 << 10;
  h->budget = (uint64_t)1 << 30;
  return h;
}
API(gnosis_limits) void gnosis_limits(gnosis_context *h, size_t stack, uint64_t work) { h->stack = stack; h->budget = work ? work : 1; }
API(gnosis_code) int64_t gnosis_code(const gnosis_context *h) { return h->code; }
API(gnosis_peak) uint64_t gnosis_peak(const gnosis_context *h) { return h->most; }
API(gnosis_message) const char *gnosis_message(gnosis_context *h) {
  if (!h->message[0]) say(h, h->code == GNOSIS_MEMORY ? "the memory that gnosis_open was lent is too little for this call" :
    h->code == GNOSIS_MALFORMED ? "malformed" : h->code == GNOSIS_WIDE ? "the result is no int64_t: use gnosis_call or gnosis_decide" :
    h->code == GNOSIS_ROOM ? "the result is longer than the room for it" : h->code == GNOSIS_STACK ? "the list is too long for the stack that gnosis_limits allows" :
    h->code == GNOSIS_WORK ? "more steps than gnosis_limits allows" : h->code == GNOSIS_LEAK ? "internal error: an object is left over" : "");
  return h->message;
}

static void begin(gnosis_context *h) {
  h->at = h->start;
  h->live = h->kept = 0;
  h->code = 0;
  h->work = h->budget;
  h->message[0] = 0;
  h->where = h->id = h->id_end = NULL;
#ifndef __wasm__
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  h->floor = here > h->stack ? here - h->stack : 0;
#endif
  for (int i = 0; i < CLASSES; i++) h->spare[i] = NULL;
  gnosis_heap_now = h;
}
static int64_t end(gnosis_context *h, int64_t result) {
  gnosis_heap_now = NULL;
  size_t used = (size_t)(h->at - h->start);
  if (used > h->most) h->most = used;
  if (h->live != h->kept) result = GNOSIS_LEAK;
  if (result < 0) h->code = result;
  return result;
}
static __attribute__((unused)) int64_t failed(gnosis_context *h) {
  gnosis_heap_now = NULL;
  size_t used = (size_t)(h->at - h->start);
  if (used > h->most) h->most = used;
  return h->code;
}

/* ---- values of Lean ---- */

static O pair(O a, O b) { O o = lean_alloc_ctor(0, 2, 0); lean_ctor_set(o, 0, a); lean_ctor_set(o, 1, b); return o; }
static O cons(O a, O l) { O o = lean_alloc_ctor(1, 2, 0); lean_ctor_set(o, 0, a); lean_ctor_set(o, 1, l); return o; }
#define NO_ENTRY ((size_t)-1)

static __attribute__((noinline)) _Noreturn void not_natural(int64_t x, size_t entry) {
  blame(entry);
  say(gnosis_heap_now, " = ");
  say_number(gnosis_heap_now, -(uint64_t)x, true);
  malformed("must not be negative");
}
static O natural(int64_t x, size_t entry) { if (x < 0) not_natural(x, entry); return integer(x); }
static void *there(const void *x, size_t n) { /* an array of n entries */
  if (n && !x) { blame(NO_ENTRY); malformed("is NULL"); }
  return (void *)x;
}
static O ints(const int64_t *x, size_t n) { O l = lean_box(0); while (n--) l = cons(integer(x[n]), l); return l; }
static O nats(const int64_t *x, size_t n) { O l = lean_box(0); while (n--) l = cons(natural(x[n], n), l); return l; }
static O bools(const uint8_t *x, size_t n) {
  O l = lean_box(0);
  while (n--) {
    if (x[n] > 1) { blame(n); malformed("not 0 or 1"); }
    l = cons(lean_box(x[n]), l);
  }
  return l;
}
static size_t all(const size_t *lengths, size_t n) { size_t sum = 0; while (n--) sum += lengths[n]; return sum; }
static O int_lists(const int64_t *x, const size_t *lengths, size_t n) {
  O l = lean_box(0);
  for (x += all(lengths, n); n--;) { x -= lengths[n]; l = cons(ints(x, lengths[n]), l); }
  return l;
}
static O bool_lists(const uint8_t *x, const size_t *lengths, size_t n) {
  O l = lean_box(0);
  for (x += all(lengths, n); n--;) { x -= lengths[n]; l = cons(bools(x, lengths[n]), l); }
  return l;
}
static O tuple(const int64_t *x, unsigned each, size_t entry) {
  O last = natural(x[each - 1], entry);
  while (--each) last = pair(natural(x[each - 1], entry), last);
  return last;
}
static O tuples(const int64_t *x, size_t n, unsigned each) { O l = lean_box(0); while (n--) l = cons(tuple(x + n * each, each, n), l); return l; }

/* ---- results of the typed calls; each owns x ---- */

static int64_t gives_bool(O x) { return (int64_t)lean_unbox(x); }
static int64_t gives_number(O x, int64_t *out) {
  int64_t code = to_int64(x, out) ? 0 : GNOSIS_WIDE;
  lean_dec(x);
  return code;
}
static int64_t gives_option(O x, int64_t *out) { /* 1 with a number, 0 without */
  int64_t code = 0;
  if (!lean_is_scalar(x)) code = to_int64(lean_ctor_get(x, 0), out) ? 1 : GNOSIS_WIDE;
  lean_dec(x);
  return code;
}
/* how many there are */
static int64_t gives_list(O list, int64_t *out, size_t room, char kind) {
  size_t n = 0, step = kind == 'P' ? 2 : 1;
  int64_t code = 0;
  for (O l = list; !lean_is_scalar(l); l = lean_ctor_get(l, 1), n += step) {
    O x = lean_ctor_get(l, 0);
    if (n + step > room) code = GNOSIS_ROOM;
    else if (kind == 'B') out[n] = (int64_t)lean_unbox(x);
    else if (kind != 'P') code = !code && !to_int64(x, out + n) ? GNOSIS_WIDE : code;
    else code = !code && !(to_int64(lean_ctor_get(x, 0), out + n) && to_int64(lean_ctor_get(x, 1), out + n + 1)) ? GNOSIS_WIDE : code;
  }
  lean_dec(list);
  return code ? code : (int64_t)(n / step);
}

enum { MOST_ARGUMENTS = 9 };
/* ---- any decision, numbers of any size, as words of 64 bits ----
   number   0 i64 | 1 head limbs…      head: limbs·2 + (1 if negative); limbs lowest first, the highest not 0
   vector   count, 0 i64… | count, 1 (head limbs…)…
   bits     count, 0 or 1 each
   lists    count, lengths; then a vector or bits of all entries;   pairs, triples: a vector of all numbers
   results  a truth value: 0 or 1; a number; an option: 0 | 1 number; a list: count, then each entry as such a result */

typedef struct { const uint64_t *at, *end; } reader;
typedef struct { uint64_t *at; size_t n, room; } writer;

static _Noreturn void wrong(const char *why) { blame(NO_ENTRY); malformed(why); }
static _Noreturn void too_many(ptrdiff_t n) {
  blame(NO_ENTRY);
  say(gnosis_heap_now, ": ");
  say_number(gnosis_heap_now, (uint64_t)n, false);
  say(gnosis_heap_now, " words behind the last argument");
  gnosis_fail(GNOSIS_MALFORMED);
}
static uint64_t take(reader *r) {
  if (r->at == r->end) wrong("the words end before it does");
  return *r->at++;
}
static O take_number(reader *r, uint64_t form, bool nat) {
  uint64_t x = take(r);
  if (form > 1) wrong("a form that is not 0 or 1");
  if (!form) return nat ? natural((int64_t)x, NO_ENTRY) : integer((int64_t)x);
  uint64_t n = x >> 1;
  if (n > (uint64_t)(r->end - r->at) || (n ? !r->at[n - 1] : x) || (nat && x & 1)) wrong(nat && x & 1 ? "must not be negative" : "limbs that are not there, or a highest limb of 0");
  const uint64_t *from = r->at;
  r->at += n;
  return from_words(from, (size_t)n, x & 1);
}
static size_t take_count(reader *r) {
  uint64_t n = take(r);
  if (n > (uint64_t)(r->end - r->at)) wrong("a count beyond the words that are there");
  return (size_t)n;
}
/* a list in order: `last` is where the next cell goes */
typedef struct { O head, last; } building;
static void push(building *b, O x) {
  O c = cons(x, lean_box(0));
  if (b->last) lean_ctor_set(b->last, 1, c); else b->head = c;
  b->last = c;
}
static O take_entries(reader *r, size_t n, uint64_t form, bool nat) {
  building b = {lean_box(0), NULL};
  for (size_t i = 0; i < n; i++) push(&b, take_number(r, form, nat));
  return b.head;
}
static O take_bits(reader *r, size_t n) {
  building b = {lean_box(0), NULL};
  for (size_t i = 0; i < n; i++) {
    uint64_t x = take(r);
    if (x > 1) wrong("not 0 or 1");
    push(&b, lean_box((size_t)x));
  }
  return b.head;
}
static O take_argument(reader *r, char kind) {
  size_t n;
  uint64_t form;
  building b = {lean_box(0), NULL};
  switch (kind) {
    case 'i': case 'n': form = take(r); return take_number(r, form, kind == 'n');
    case 'I': case 'N': n = take_count(r); form = take(r); return take_entries(r, n, form, kind == 'N');
    case 'B': n = take_count(r); return take_bits(r, n);
    case 'L': case 'M': {
      n = take_count(r);
      const uint64_t *lengths = r->at;
      r->at += n;
      uint64_t sum = 0, flat = take_count(r);
      for (size_t i = 0; i < n; i++) {
        if (lengths[i] > flat) wrong("lengths that are not those of the entries");
        sum += lengths[i];
      }
      if (sum != flat) wrong("lengths that are not those of the entries");
      form = kind == 'L' ? take(r) : 0;
      for (size_t i = 0; i < n; i++) push(&b, kind == 'L' ? take_entries(r, (size_t)lengths[i], form, false) : take_bits(r, (size_t)lengths[i]));
      return b.head;
    }
  }
  size_t each = kind == 'P' ? 2 : 3;
  n = take_count(r);
  form = take(r);
  if (n % each) wrong("no whole number of pairs or triples");
  for (size_t i = 0; i < n; i += each) {
    O x = take_number(r, form, true), y = take_number(r, form, true);
    push(&b, pair(x, each == 2 ? y : pair(y, take_number(r, form, true))));
  }
  return b.head;
}

static void put(writer *w, uint64_t x) { if (w->n < w->room) w->at[w->n] = x; w->n++; }
static void put_number(writer *w, O x) {
  int64_t s;
  if (to_int64(x, &s)) { put(w, 0); put(w, (uint64_t)s); return; }
  size_t n = words(x);
  put(w, 1);
  put(w, (uint64_t)n << 1 | negative(x));
  for (size_t i = 0; i < n; i++) put(w, word(x, i));
}
static void put_value(writer *w, O x, char kind) {
  switch (kind) {
    case 'b': put(w, lean_unbox(x)); return;
    case 'i': case 'n': put_number(w, x); return;
    case 'o':
      put(w, !lean_is_scalar(x));
      if (!lean_is_scalar(x)) put_number(w, lean_ctor_get(x, 0));
      return;
    case 'p': put_number(w, lean_ctor_get(x, 0)); put_number(w, lean_ctor_get(x, 1)); return;
  }
  uint64_t n = 0;
  for (O l = x; !lean_is_scalar(l); l = lean_ctor_get(l, 1)) n++;
  put(w, n);
  for (O l = x; !lean_is_scalar(l); l = lean_ctor_get(l, 1)) put_value(w, lean_ctor_get(l, 0), kind == 'I' ? 'i' : kind == 'N' ? 'n' : kind == 'B' ? 'b' : 'p');
}

struct decision {
  const char *name, *takes;
  char gives;
  O (*run)(O *);
  const char *const *names, *const *plain; /* of the arguments: Lean's, and in ASCII */
};
static const struct decision table[];
static const unsigned decisions;

static size_t length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }

API(gnosis_find) int32_t gnosis_find(const char *name) {
  for (unsigned i = 0; i < decisions; i++) {
    const char *a = name, *b = table[i].name;
    while (*a && *a == *b) a++, b++;
    if (*a == *b) return (int32_t)i;
  }
  return -1;
}
API(gnosis_count) uint32_t gnosis_count(void) { return decisions; }
API(gnosis_name) const char *gnosis_name(uint32_t which) { return which < decisions ? table[which].name : NULL; }
API(gnosis_argument) const char *gnosis_argument(uint32_t which, uint32_t argument) {
  return which < decisions && argument < length(table[which].takes) ? table[which].names[argument] : NULL;
}
API(gnosis_takes) const char *gnosis_takes(uint32_t which) { return which < decisions ? table[which].takes : NULL; }
API(gnosis_gives) char gnosis_gives(uint32_t which) { return which < decisions ? table[which].gives : 0; }

/* Words of the result, which is complete when they are not more than `room`; or a negative code. */
API(gnosis_call) int64_t gnosis_call(gnosis_context *h, uint32_t which, const uint64_t *in, size_t n, uint64_t *out, size_t room) {
  BEGIN(h);
  if (which >= decisions) malformed("no such decision");
  h->where = "words";
  reader r = {there(in, n), in + n};
  writer w = {there(out, room), 0, room};
  O args[MOST_ARGUMENTS];
  const struct decision *d = &table[which];
  unsigned i = 0;
  for (; d->takes[i]; i++) {
    h->where = d->plain[i];
    args[i] = take_argument(&r, d->takes[i]);
  }
  h->where = "words";
  if (r.at != r.end) too_many(r.end - r.at);
  O result = d->run(args);
  put_value(&w, result, d->gives);
  lean_dec(result);
  return end(h, (int64_t)w.n);
}

/* Decisions over JSON, one request a line, as `gnosis spine decide` speaks it (version 1).  Included after words.c. */

enum { LONGEST_LINE = 1 << 20, MOST_DIGITS = 4300, DEEPEST = 64 };
typedef struct { const char *at, *end; } text;

/* ---- what is JSON at all ---- */

static bool utf8(text t) {
  const unsigned char *p = (const unsigned char *)t.at, *end = (const unsigned char *)t.end;
  while (p < end) {
    unsigned c = *p++, more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 9;
    if (more == 9 || more > (size_t)(end - p)) return false;
    if (more && ((c == 0xE0 && *p < 0xA0) || (c == 0xED && *p > 0x9F) || (c == 0xF0 && *p < 0x90) || (c == 0xF4 && *p > 0x8F))) return false;
    for (; more; more--, p++) if ((*p & 0xC0) != 0x80) return false;
  }
  return true;
}
static void blanks(text *t) { while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) t->at++; }
static bool one_of(text *t, char c) {
  if (t->at == t->end || *t->at != c) return false;
  t->at++;
  return true;
}
static bool digit(const text *t) { return t->at < t->end && *t->at >= '0' && *t->at <= '9'; }
static int hex(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }
static bool skip_string(text *t) {
  if (!one_of(t, '"')) return false;
  while (t->at < t->end) {
    unsigned char c = (unsigned char)*t->at++;
    if (c == '"') return true;
    if (c < 0x20) return false;
    if (c != '\\') continue;
    if (t->at == t->end) return false;
    c = (unsigned char)*t->at++;
    if (c == 'u') {
      for (int i = 0; i < 4; i++) if (t->at == t->end || hex(*t->at++) < 0) return false;
    } else if (c != '"' && c != '\\' && c != '/' && c != 'b' && c != 'f' && c != 'n' && c != 'r' && c != 't') return false;
  }
  return false;
}
static bool skip_number(text *t) {
  one_of(t, '-');
  if (!digit(t)) return false;
  if (!one_of(t, '0')) while (digit(t)) t->at++;
  if (one_of(t, '.')) {
    if (!digit(t)) return false;
    while (digit(t)) t->at++;
  }
  if (t->at < t->end && (*t->at | 32) == 'e') {
    t->at++;
    if (t->at < t->end && (*t->at == '+' || *t->at == '-')) t->at++;
    if (!digit(t)) return false;
    while (digit(t)) t->at++;
  }
  return true;
}
static bool skip_word(text *t, const char *word) {
  size_t n = length(word);
  if ((size_t)(t->end - t->at) < n) return false;
  for (size_t i = 0; i < n; i++) if (t->at[i] != word[i]) return false;
  t->at += n;
  return true;
}
/* One value of any kind.  No recursion: which of the open brackets are of objects is kept in bits. */
static bool skip_value(text *t) {
  uint64_t objects = 0;
  for (int depth = 0;;) {
    blanks(t);
    if (t->at == t->end) return false;
    bool opened = false;
    char c = *t->at;
    if (c == '[' || c == '{') {
      if (++depth > DEEPEST) return false;
      objects = objects << 1 | (c == '{');
      t->at++;
      opened = true;
    } else if (c == '"' ? !skip_string(t) : c == 't' ? !skip_word(t, "true") : c == 'f' ? !skip_word(t, "false") : c == 'n' ? !skip_word(t, "null") : !skip_number(t)) return false;
    for (;;) { /* what may follow a value, or an opened bracket */
      blanks(t);
      if (!depth) return true;
      bool object = objects & 1;
      if (one_of(t, object ? '}' : ']')) { depth--; objects >>= 1; opened = false; continue; }
      if (!opened && !one_of(t, ',')) return false;
      if (object) {
        blanks(t);
        if (!skip_string(t)) return false;
        blanks(t);
        if (!one_of(t, ':')) return false;
      }
      break;
    }
  }
}

/* ---- what a request is ---- */

static _Noreturn void bad(const char *why) { gnosis_heap_now->message[0] = 0; malformed(why); }
/* name = value: why, with the places of entries behind the name; the value as it stands, cut after 40 bytes */
typedef struct { const char *name; size_t at[2]; int deep; } place;
static _Noreturn void bad_value(place p, text value, const char *why) {
  struct gnosis_heap *h = gnosis_heap_now;
  char shown[48];
  size_t n = 0;
  h->message[0] = 0;
  say(h, p.name);
  for (int i = 0; i < p.deep; i++) { say(h, "["); say_number(h, p.at[i], false); say(h, "]"); }
  while (value.end > value.at && (unsigned char)value.end[-1] <= ' ') value.end--;
  while (n < 40 && value.at + n < value.end) shown[n] = value.at[n], n++;
  while (n && value.at + n < value.end && (value.at[n] & 0xC0) == 0x80) n--; /* no half of a letter */
  shown[n] = 0;
  say(h, " = ");
  say(h, shown);
  if (value.at + n < value.end) say(h, "…");
  malformed(why);
}
static bool is_number(text t) { return t.at < t.end && (*t.at == '-' || digit(&t)); }
static O json_number(text *t, bool nat, place p) {
  text whole = *t;
  if (!skip_value(t)) bad("not JSON");
  whole.end = t->at;
  text rest = whole;
  bool minus = one_of(&rest, '-');
  const char *from = rest.at;
  while (digit(&rest)) rest.at++;
  text after = rest;
  blanks(&after);
  if (!is_number(whole) || after.at != after.end) bad_value(p, whole, "not an integer");
  size_t n = (size_t)(rest.at - from);
  if (n > MOST_DIGITS) bad_value(p, whole, "more than 4300 digits");
  minus = minus && !(n == 1 && *from == '0');
  if (nat && minus) bad_value(p, whole, "must not be negative");
  if (n < 18) {
    int64_t x = 0;
    for (size_t i = 0; i < n; i++) x = 10 * x + (from[i] - '0');
    return integer(minus ? -x : x);
  }
  return from_digits(from, n, minus);
}
static O json_bool(text *t, place p) {
  text whole = *t;
  if (skip_word(t, "true")) return lean_box(1);
  if (skip_word(t, "false")) return lean_box(0);
  if (!skip_value(t)) bad("not JSON");
  whole.end = t->at;
  bad_value(p, whole, "not true or false");
}
static O json_list(text *t, char kind, place p);
static O json_entry(text *t, char kind, place p) {
  if (kind == 'I' || kind == 'N') return json_number(t, kind == 'N', p);
  if (kind == 'B') return json_bool(t, p);
  if (kind == 'L' || kind == 'M') return json_list(t, kind == 'L' ? 'I' : 'B', p);
  unsigned each = kind == 'P' ? 2 : 3, n = 0; /* pairs and triples of natural numbers */
  text whole = *t;
  O x[3];
  bool wrong_count = false;
  if (!one_of(t, '[')) { skip_value(t); whole.end = t->at; bad_value(p, whole, "not a list"); }
  for (blanks(t); !one_of(t, ']'); blanks(t)) {
    place q = p;
    q.at[q.deep++] = n;
    if (n && !one_of(t, ',')) bad("not JSON");
    blanks(t);
    O y = json_number(t, true, q);
    if (n < each) x[n] = y; else { lean_dec(y); wrong_count = true; }
    n++;
  }
  whole.end = t->at;
  if (n != each || wrong_count) bad_value(p, whole, each == 2 ? "not 2 numbers" : "not 3 numbers");
  return pair(x[0], each == 2 ? x[1] : pair(x[1], x[2]));
}
static O json_list(text *t, char kind, place p) {
  text whole = *t;
  building b = {lean_box(0), NULL};
  if (!one_of(t, '[')) { skip_value(t); whole.end = t->at; bad_value(p, whole, "not a list"); }
  place q = p;
  size_t i = 0;
  q.deep++;
  for (blanks(t); !one_of(t, ']'); blanks(t), i++) {
    if (i && !one_of(t, ',')) bad("not JSON");
    blanks(t);
    q.at[p.deep] = i;
    push(&b, json_entry(t, kind, q));
  }
  return b.head;
}

/* Whether the string at t, which was skipped before, is `word`; escapes are undone. */
static bool spells(text t, const char *word) {
  t.at++;
  t.end--;
  for (; t.at < t.end; word++) {
    int c = (unsigned char)*t.at++;
    if (c == '\\') {
      c = (unsigned char)*t.at++;
      if (c == 'u') {
        c = 0;
        for (int i = 0; i < 4; i++) c = c << 4 | hex(*t.at++);
      } else c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'b' ? '\b' : c == 'f' ? '\f' : c == 'r' ? '\r' : c;
    }
    if (!*word || c != (unsigned char)*word) return false;
  }
  return !*word;
}

enum { V, ID, DECISION, ARGS, FIELDS };
static const char *const FIELD[FIELDS] = {"v", "id", "decision", "args"};
typedef struct { text field[FIELDS]; } request;

static void read_request(text t, request *r) {
  text whole = t, known = {NULL, NULL}, unknown = {NULL, NULL};
  if (t.end - t.at > LONGEST_LINE) bad("a line of more than 1048576 bytes");
  if (!utf8(t)) bad("not UTF-8");
  blanks(&t);
  if (!skip_value(&t)) bad("not JSON, or nested too deeply");
  blanks(&t);
  if (t.at != t.end) bad("not JSON: something follows the request");
  t = whole;
  blanks(&t);
  if (!one_of(&t, '{')) bad("a request is an object");
  bool twice = false;
  for (blanks(&t); !one_of(&t, '}'); blanks(&t)) {
    one_of(&t, ',');
    blanks(&t);
    text name = t;
    skip_string(&t);
    name.end = t.at;
    blanks(&t);
    one_of(&t, ':');
    blanks(&t);
    text value = t;
    skip_value(&t);
    value.end = t.at;
    while (value.end > value.at && (unsigned char)value.end[-1] <= ' ') value.end--;
    int k = 0;
    while (k < FIELDS && !spells(name, FIELD[k])) k++;
    if (k == FIELDS) unknown = unknown.at ? unknown : name;
    else if (r->field[k].at) twice = true;
    else r->field[k] = value;
  }
  if (twice) bad("a field occurs twice");
  text id = r->field[ID];
  if (id.at && *id.at == '"') known = id;
  if (id.at && is_number(id)) {
    text rest = id;
    one_of(&rest, '-');
    while (digit(&rest)) rest.at++;
    if (rest.at == id.end && id.end - id.at <= MOST_DIGITS) known = id;
    if (known.at && id.end - id.at == 2 && id.at[0] == '-' && id.at[1] == '0') known.at++;
  }
  gnosis_heap_now->id = known.at;
  gnosis_heap_now->id_end = known.end;
  text v = r->field[V];
  if (!v.at || v.end - v.at != 1 || *v.at != '1') bad("v must be 1");
  if (!known.at) bad("id must be a string or an integer");
  if (unknown.at) bad_value((place){"unknown field", {0}, 0}, unknown, "a request has v, id, decision and args");
  for (int k = 0; k < FIELDS; k++) if (!r->field[k].at) bad(k == DECISION ? "no field 'decision'" : "no field 'args'");
}

/* ---- answers ---- */

typedef struct { char *at; size_t n, room; } out;
static void put_char(out *o, char c) { if (o->n < o->room) o->at[o->n] = c; o->n++; }
static void put_text(out *o, const char *s) { while (*s) put_char(o, *s++); }
static void json_integer(out *o, O x) {
  size_t left = o->n < o->room ? o->room - o->n : 0;
  o->n += to_digits(x, o->at + (left ? o->n : 0), left);
}
static void json_value(out *o, O x, char kind) {
  if (kind == 'b') { put_text(o, lean_unbox(x) ? "true" : "false"); return; }
  if (kind == 'i' || kind == 'n') { json_integer(o, x); return; }
  if (kind == 'o') {
    if (lean_is_scalar(x)) put_text(o, "null"); else json_integer(o, lean_ctor_get(x, 0));
    return;
  }
  put_char(o, '[');
  if (kind == 'p') {
    json_integer(o, lean_ctor_get(x, 0));
    put_text(o, ", ");
    json_integer(o, lean_ctor_get(x, 1));
  } else for (O l = x; !lean_is_scalar(l); l = lean_ctor_get(l, 1)) {
    if (l != x) put_text(o, ", ");
    json_value(o, lean_ctor_get(l, 0), kind == 'I' ? 'i' : kind == 'N' ? 'n' : kind == 'B' ? 'b' : 'p');
  }
  put_char(o, ']');
}
static void put_head(out *o, text id) {
  put_text(o, "{\"v\": 1, \"id\": ");
  if (!id.at) put_text(o, "null");
  for (const char *p = id.at; p < id.end; p++) put_char(o, *p);
}
/* The answer that says why the last call failed. */
static int64_t put_failure(gnosis_context *h, out *o) {
  static const char digits[] = "0123456789abcdef";
  put_head(o, (text){h->id, h->id_end});
  put_text(o, ", \"error\": \"");
  for (const char *p = gnosis_message(h); *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') put_char(o, '\\');
    if (c < 0x20) { put_text(o, "\\u00"); put_char(o, digits[c >> 4]); put_char(o, digits[c & 15]); }
    else put_char(o, (char)c);
  }
  put_text(o, "\"}");
  return (int64_t)o->n;
}

static void decide(gnosis_context *h, text line, request *r, out *o) {
  read_request(line, r);
  text name = r->field[DECISION];
  unsigned which = 0;
  place nowhere = {"decision", {0}, 0};
  while (which < decisions && !(*name.at == '"' && spells(name, table[which].name))) which++;
  if (which == decisions) bad_value(nowhere, name, "unknown");
  const struct decision *d = &table[which];
  text t = r->field[ARGS];
  nowhere.name = "args";
  if (!one_of(&t, '[')) bad_value(nowhere, r->field[ARGS], "not a list");
  O args[MOST_ARGUMENTS];
  unsigned n = 0;
  for (text count = t;; n++) { /* how many there are is said before what is wrong with one */
    blanks(&count);
    if (one_of(&count, ']')) break;
    if (n) one_of(&count, ',');
    skip_value(&count);
  }
  if (n != length(d->takes)) {
    h->message[0] = 0;
    say(h, "args: ");
    say(h, d->name);
    say(h, " takes ");
    say_number(h, length(d->takes), false);
    say(h, " (");
    for (unsigned i = 0; d->takes[i]; i++) { if (i) say(h, ", "); say(h, d->names[i]); }
    say(h, "), not ");
    say_number(h, n, false);
    gnosis_fail(GNOSIS_MALFORMED);
  }
  for (unsigned i = 0; d->takes[i]; i++) {
    place p = {d->names[i], {0}, 0};
    blanks(&t);
    if (i) one_of(&t, ',');
    blanks(&t);
    args[i] = d->takes[i] == 'i' || d->takes[i] == 'n' ? json_number(&t, d->takes[i] == 'n', p) : json_list(&t, d->takes[i], p);
  }
  O result = d->run(args);
  put_head(o, (text){h->id, h->id_end});
  put_text(o, ", \"result\": ");
  json_value(o, result, d->gives);
  put_char(o, '}');
  lean_dec(result);
}

/* The answer to one request: how many bytes it has, which are complete when they are not more than `room`. */
API(gnosis_decide) int64_t gnosis_decide(gnosis_context *h, const char *line, size_t n, char *answer, size_t room) {
  text t = {line, line + n};
  out o = {answer, 0, room};
#ifdef __wasm__ /* after a trap the host asks gnosis_decide_failure */
  begin(h);
  request r = {0};
  decide(h, t, &r, &o);
  return end(h, (int64_t)o.n);
#else
  jmp_buf back;
  request r = {0};
  begin(h);
  h->jump = &back;
  if (!setjmp(back)) {
    decide(h, t, &r, &o);
    if (end(h, 0) == 0) return (int64_t)o.n;
  }
  failed(h);
  return put_failure(h, &(out){answer, 0, room});
#endif
}
#ifdef __wasm__
API(gnosis_decide_failure) int64_t gnosis_decide_failure(gnosis_context *h, char *answer, size_t room) {
  return put_failure(h, &(out){answer, 0, room});
}
#endif

/* Doubles as the exact numbers that they are: whole numbers of a common unit, a power of two.  Included after words.c. */

enum { NO_UNIT = 1 << 20 };

/* the mantissa of a double that is finite, and the exponent of its unit; 0 for 0 */
static uint64_t mantissa(double x, int *unit) {
  union { double x; uint64_t bits; } u = {x};
  uint64_t m = u.bits & (((uint64_t)1 << 52) - 1);
  int e = (int)(u.bits >> 52 & 2047);
  if (e) m |= (uint64_t)1 << 52; else e = 1;
  if (!m) return 0;
  int zeros = __builtin_ctzll(m);
  *unit = e - 1075 + zeros;
  return m >> zeros;
}
/* The exponent of the largest unit of which every entry is a whole number, and not above `unit`. */
static int unit_of(const double *x, size_t n, int unit, bool one) {
  there(x, n);
  for (size_t i = 0; i < n; i++) {
    int e = NO_UNIT;
    if (x[i] - x[i] != 0) {
      blame(one ? NO_ENTRY : i);
      say(gnosis_heap_now, x[i] != x[i] ? " = nan" : x[i] > 0 ? " = inf" : " = -inf");
      malformed("not finite");
    }
    mantissa(x[i], &e);
    if (e < unit) unit = e;
  }
  return unit;
}
/* x as a number of units 2^unit */
static O exact(double x, int unit) {
  int e = unit;
  uint64_t m = mantissa(x, &e);
  unsigned shift = (unsigned)(e - unit);
  if (!m) return lean_box(0);
  if (shift < 10) return integer(x < 0 ? -(int64_t)(m << shift) : (int64_t)(m << shift));
  uint64_t w[96];
  size_t n = shift / 64 + 2;
  if (n > 96) gnosis_fail(GNOSIS_MEMORY); /* units lie above 2^-4200, doubles below 2^1024 */
  for (size_t i = 0; i < n; i++) w[i] = 0;
  w[shift / 64] = m << shift % 64;
  if (shift % 64) w[shift / 64 + 1] = m >> (64 - shift % 64);
  while (n && !w[n - 1]) n--;
  return from_words(w, n, x < 0);
}
static O exacts(const double *x, size_t n, int unit) { O l = lean_box(0); while (n--) l = cons(exact(x[n], unit), l); return l; }

API(gnosis_whole) int64_t gnosis_whole(gnosis_context *h, const double *x, size_t n, int32_t *exponent, int64_t *out) {
  BEGIN(h);
  h->where = "x";
  int unit = unit_of(x, n, NO_UNIT, false);
  if (unit == NO_UNIT) unit = 0;
  there(out, n);
  for (size_t i = 0; i < n; i++) {
    O whole = exact(x[i], unit);
    if (!to_int64(whole, out + i)) {
      blame(i);
      say(h, ": no int64_t in the unit that the entries have in common");
      gnosis_fail(GNOSIS_WIDE);
    }
    lean_dec(whole);
  }
  *exponent = unit;
  return end(h, 0);
}

static const char *const names_dot[] = {"τ", "a"}, *const plain_dot[] = {"tau", "a"};
static const char *const names_energy[] = {"v"}, *const plain_energy[] = {"v"};
static const char *const names_energyAdmit[] = {"τ", "a", "γ"}, *const plain_energyAdmit[] = {"tau", "a", "gamma"};
static const char *const names_energySidecarAdmit[] = {"E", "A", "γ"}, *const plain_energySidecarAdmit[] = {"E", "A", "gamma"};
static const char *const names_energySidecarAdmitStrict[] = {"E", "A", "γ"}, *const plain_energySidecarAdmitStrict[] = {"E", "A", "gamma"};
static const char *const names_energyBlockedAdmit[] = {"e", "α", "γ"}, *const plain_energyBlockedAdmit[] = {"e", "alpha", "gamma"};
static const char *const names_energyOutside[] = {"a", "S"}, *const plain_energyOutside[] = {"a", "S"};
static const char *const names_energySplitAdmit[] = {"E", "a", "S", "γ"}, *const plain_energySplitAdmit[] = {"E", "a", "S", "gamma"};
static const char *const names_argmax[] = {"z"}, *const plain_argmax[] = {"z"};
static const char *const names_marginAdmit[] = {"z", "w", "τ"}, *const plain_marginAdmit[] = {"z", "w", "tau"};
static const char *const names_marginAdmitStrict[] = {"z", "w", "τ"}, *const plain_marginAdmitStrict[] = {"z", "w", "tau"};
static const char *const names_marginAdmitLowest[] = {"z", "w", "τ"}, *const plain_marginAdmitLowest[] = {"z", "w", "tau"};
static const char *const names_rowAdmit[] = {"z", "ε", "w"}, *const plain_rowAdmit[] = {"z", "eps", "w"};
static const char *const names_candidates[] = {"z", "ε"}, *const plain_candidates[] = {"z", "eps"};
static const char *const names_topkAdmit[] = {"z", "S", "ε"}, *const plain_topkAdmit[] = {"z", "S", "eps"};
static const char *const names_topkGapAdmit[] = {"z", "k", "ε"}, *const plain_topkGapAdmit[] = {"z", "k", "eps"};
static const char *const names_topTwo[] = {"z"}, *const plain_topTwo[] = {"z"};
static const char *const names_twoStageAdmit[] = {"groups", "gsel", "esel", "ε"}, *const plain_twoStageAdmit[] = {"groups", "gsel", "esel", "eps"};
static const char *const names_jitAdmit[] = {"z", "w", "E", "A", "γ"}, *const plain_jitAdmit[] = {"z", "w", "E", "A", "gamma"};
static const char *const names_jitAdmitStrict[] = {"z", "w", "E", "A", "γ"}, *const plain_jitAdmitStrict[] = {"z", "w", "E", "A", "gamma"};
static const char *const names_jitAdmitLowest[] = {"z", "w", "E", "A", "γ"}, *const plain_jitAdmitLowest[] = {"z", "w", "E", "A", "gamma"};
static const char *const names_jitLeadAdmit[] = {"z", "w", "E", "A"}, *const plain_jitLeadAdmit[] = {"z", "w", "E", "A"};
static const char *const names_jitRowAdmit[] = {"z", "w", "ε", "E", "A"}, *const plain_jitRowAdmit[] = {"z", "w", "eps", "E", "A"};
static const char *const names_servedArgmax[] = {"coarse", "exact", "ε"}, *const plain_servedArgmax[] = {"coarse", "exact", "eps"};
static const char *const names_headServed[] = {"z", "ε", "y", "err", "exact"}, *const plain_headServed[] = {"z", "eps", "y", "err", "exact"};
static const char *const names_topCandidates[] = {"k", "z", "ε", "js"}, *const plain_topCandidates[] = {"k", "z", "eps", "js"};
static const char *const names_topAmong[] = {"z", "k", "js"}, *const plain_topAmong[] = {"z", "k", "js"};
static const char *const names_headTopK[] = {"k", "z", "ε", "y", "err", "exact"}, *const plain_headTopK[] = {"k", "z", "eps", "y", "err", "exact"};
static const char *const names_tukeyAdmit[] = {"r", "γ"}, *const plain_tukeyAdmit[] = {"r", "gamma"};
static const char *const names_tukeyWeight[] = {"r", "γ"}, *const plain_tukeyWeight[] = {"r", "gamma"};
static const char *const names_sum[] = {"l"}, *const plain_sum[] = {"l"};
static const char *const names_rankLt[] = {"s", "x"}, *const plain_rankLt[] = {"s", "x"};
static const char *const names_lies[] = {"k", "x", "rest"}, *const plain_lies[] = {"k", "x", "rest"};
static const char *const names_liesOrder[] = {"k", "order"}, *const plain_liesOrder[] = {"k", "order"};
static const char *const names_conformalRank[] = {"n", "num", "den"}, *const plain_conformalRank[] = {"n", "num", "den"};
static const char *const names_insertUp[] = {"x", "l"}, *const plain_insertUp[] = {"x", "l"};
static const char *const names_sortUp[] = {"s"}, *const plain_sortUp[] = {"s"};
static const char *const names_entryAt[] = {"l", "i"}, *const plain_entryAt[] = {"l", "i"};
static const char *const names_kthSmallest[] = {"k", "s"}, *const plain_kthSmallest[] = {"k", "s"};
static const char *const names_conformalThreshold[] = {"scores", "num", "den"}, *const plain_conformalThreshold[] = {"scores", "num", "den"};
static const char *const names_conformalAdmit[] = {"scores", "num", "den", "γ"}, *const plain_conformalAdmit[] = {"scores", "num", "den", "gamma"};
static const char *const names_poolAbove[] = {"pool", "S"}, *const plain_poolAbove[] = {"pool", "S"};
static const char *const names_conformalMarginAdmit[] = {"scores", "num", "den", "γ", "z", "w"}, *const plain_conformalMarginAdmit[] = {"scores", "num", "den", "gamma", "z", "w"};
static const char *const names_conformalMarginAdmitLowest[] = {"scores", "num", "den", "γ", "z", "w"}, *const plain_conformalMarginAdmitLowest[] = {"scores", "num", "den", "gamma", "z", "w"};
static const char *const names_conformalJitAdmit[] = {"scores", "num", "den", "z", "w", "A", "γ"}, *const plain_conformalJitAdmit[] = {"scores", "num", "den", "z", "w", "A", "gamma"};
static const char *const names_conformalJitAdmitLowest[] = {"scores", "num", "den", "z", "w", "A", "γ"}, *const plain_conformalJitAdmitLowest[] = {"scores", "num", "den", "z", "w", "A", "gamma"};
static const char *const names_conformalJitLeadAdmit[] = {"scores", "num", "den", "z", "w", "A"}, *const plain_conformalJitLeadAdmit[] = {"scores", "num", "den", "z", "w", "A"};
static const char *const names_conformalServed[] = {"scores", "num", "den", "coarse", "exact"}, *const plain_conformalServed[] = {"scores", "num", "den", "coarse", "exact"};
static const char *const names_layersMax[] = {"c", "s"}, *const plain_layersMax[] = {"c", "s"};
static const char *const names_cofactors[] = {"P", "c", "γ"}, *const plain_cofactors[] = {"P", "c", "gamma"};
static const char *const names_layersFail[] = {"γ", "s"}, *const plain_layersFail[] = {"gamma", "s"};
static const char *const names_layersMaxAdmit[] = {"units", "c", "γ", "P", "num", "den"}, *const plain_layersMaxAdmit[] = {"units", "c", "gamma", "P", "num", "den"};
static const char *const names_sumAbs[] = {"δ"}, *const plain_sumAbs[] = {"delta"};
static const char *const names_basinAdmit[] = {"δ", "R"}, *const plain_basinAdmit[] = {"delta", "R"};
static const char *const names_basinVectorAdmit[] = {"d", "R"}, *const plain_basinVectorAdmit[] = {"d", "R"};
static const char *const names_basinControl[] = {"R", "spent", "d"}, *const plain_basinControl[] = {"R", "spent", "d"};
static const char *const names_flowAdmitFrom[] = {"R", "N", "D", "ps", "qs", "ds"}, *const plain_flowAdmitFrom[] = {"R", "N", "D", "ps", "qs", "ds"};
static const char *const names_basinFlowAdmit[] = {"ps", "qs", "ds", "R"}, *const plain_basinFlowAdmit[] = {"ps", "qs", "ds", "R"};
static const char *const names_flowPathAdmitFrom[] = {"R", "N", "D", "ps", "qs", "ds"}, *const plain_flowPathAdmitFrom[] = {"R", "N", "D", "ps", "qs", "ds"};
static const char *const names_basinFlowPathAdmit[] = {"ps", "qs", "ds", "R"}, *const plain_basinFlowPathAdmit[] = {"ps", "qs", "ds", "R"};
static const char *const names_flowSurvives[] = {"R", "N", "D", "ps", "qs"}, *const plain_flowSurvives[] = {"R", "N", "D", "ps", "qs"};
static const char *const names_flowControl[] = {"R", "N", "D", "ps", "qs", "ds"}, *const plain_flowControl[] = {"R", "N", "D", "ps", "qs", "ds"};
static const char *const names_basinFlowControl[] = {"ps", "qs", "ds", "R"}, *const plain_basinFlowControl[] = {"ps", "qs", "ds", "R"};
static const char *const names_roundedStep[] = {"N", "D", "p", "q", "r", "d"}, *const plain_roundedStep[] = {"N", "D", "p", "q", "r", "d"};
static const char *const names_roundedPathAdmitFrom[] = {"R", "N", "D", "ps", "qs", "rs", "ds"}, *const plain_roundedPathAdmitFrom[] = {"R", "N", "D", "ps", "qs", "rs", "ds"};
static const char *const names_basinFlowRoundedAdmit[] = {"ps", "qs", "rs", "ds", "R"}, *const plain_basinFlowRoundedAdmit[] = {"ps", "qs", "rs", "ds", "R"};
static const char *const names_roundedSurvives[] = {"R", "N", "D", "ps", "qs", "rs"}, *const plain_roundedSurvives[] = {"R", "N", "D", "ps", "qs", "rs"};
static const char *const names_roundedControl[] = {"R", "N", "D", "ps", "qs", "rs", "ds"}, *const plain_roundedControl[] = {"R", "N", "D", "ps", "qs", "rs", "ds"};
static const char *const names_basinFlowRoundedControl[] = {"ps", "qs", "rs", "ds", "R"}, *const plain_basinFlowRoundedControl[] = {"ps", "qs", "rs", "ds", "R"};
static const char *const names_sqDist[] = {"m", "xs", "zs"}, *const plain_sqDist[] = {"m", "xs", "zs"};
static const char *const names_nearestInt[] = {"m", "x"}, *const plain_nearestInt[] = {"m", "x"};
static const char *const names_roundError[] = {"m", "x"}, *const plain_roundError[] = {"m", "x"};
static const char *const names_secondNearest[] = {"m", "x"}, *const plain_secondNearest[] = {"m", "x"};
static const char *const names_cubicDecode[] = {"m", "xs"}, *const plain_cubicDecode[] = {"m", "xs"};
static const char *const names_dnDecode[] = {"m", "xs"}, *const plain_dnDecode[] = {"m", "xs"};
static const char *const names_dnPlusDecode[] = {"h", "xs"}, *const plain_dnPlusDecode[] = {"h", "xs"};
static const char *const names_isD8[] = {"zs"}, *const plain_isD8[] = {"zs"};
static const char *const names_isE8[] = {"ws"}, *const plain_isE8[] = {"ws"};
static const char *const names_d8Decode[] = {"m", "xs"}, *const plain_d8Decode[] = {"m", "xs"};
static const char *const names_e8Decode[] = {"h", "xs"}, *const plain_e8Decode[] = {"h", "xs"};
static const char *const names_betOk[] = {"N", "p", "q"}, *const plain_betOk[] = {"N", "p", "q"};
static const char *const names_stepFactor[] = {"N", "p", "q", "u"}, *const plain_stepFactor[] = {"N", "p", "q", "u"};
static const char *const names_covered[] = {"N", "p", "q", "nδ", "dδ", "t", "L", "b"}, *const plain_covered[] = {"N", "p", "q", "n_delta", "d_delta", "t", "L", "b"};
static const char *const names_cumlossAdmit[] = {"N", "p", "q", "nδ", "dδ", "t", "L", "u", "b"}, *const plain_cumlossAdmit[] = {"N", "p", "q", "n_delta", "d_delta", "t", "L", "u", "b"};
static const char *const names_cumlossStep[] = {"N", "p", "q", "nδ", "dδ", "t", "L", "u", "b"}, *const plain_cumlossStep[] = {"N", "p", "q", "n_delta", "d_delta", "t", "L", "u", "b"};
static const char *const names_pays[] = {"N", "p", "q", "u", "a"}, *const plain_pays[] = {"N", "p", "q", "u", "a"};
static const char *const names_reservePays[] = {"p", "q", "nδ", "dδ", "r"}, *const plain_reservePays[] = {"p", "q", "n_delta", "d_delta", "r"};
static const char *const names_leastCharge[] = {"N", "p", "q", "u"}, *const plain_leastCharge[] = {"N", "p", "q", "u"};
static const char *const names_leastReserve[] = {"p", "q", "nδ", "dδ"}, *const plain_leastReserve[] = {"p", "q", "n_delta", "d_delta"};
static const char *const names_chargeAdmit[] = {"account", "offer", "budget"}, *const plain_chargeAdmit[] = {"account", "offer", "budget"};
static const char *const names_chargeSettle[] = {"account", "offer", "charge", "budget"}, *const plain_chargeSettle[] = {"account", "offer", "charge", "budget"};
static const char *const names_chargeRun[] = {"account", "steps"}, *const plain_chargeRun[] = {"account", "steps"};
static const char *const names_unionAdmit[] = {"nδ", "dδ", "nπ", "dπ", "t"}, *const plain_unionAdmit[] = {"n_delta", "d_delta", "n_pi", "d_pi", "t"};
static const char *const names_unionLife[] = {"nδ", "dδ", "nπ", "dπ"}, *const plain_unionLife[] = {"n_delta", "d_delta", "n_pi", "d_pi"};
static const char *const names_stakeAdmit[] = {"N", "m", "b", "a"}, *const plain_stakeAdmit[] = {"N", "m", "b", "a"};
static const char *const names_bettingFactor[] = {"N", "m", "b", "a", "x"}, *const plain_bettingFactor[] = {"N", "m", "b", "a", "x"};
static const char *const names_stepsOk[] = {"N", "m", "b", "steps"}, *const plain_stepsOk[] = {"N", "m", "b", "steps"};
static const char *const names_bettingNum[] = {"N", "m", "b", "steps"}, *const plain_bettingNum[] = {"N", "m", "b", "steps"};
static const char *const names_bettingDen[] = {"N", "b", "steps"}, *const plain_bettingDen[] = {"N", "b", "steps"};
static const char *const names_bettingRejects[] = {"N", "m", "b", "nδ", "dδ", "steps"}, *const plain_bettingRejects[] = {"N", "m", "b", "n_delta", "d_delta", "steps"};
static const char *const names_bettingUpperFrom[] = {"N", "b", "nδ", "dδ", "steps", "m"}, *const plain_bettingUpperFrom[] = {"N", "b", "n_delta", "d_delta", "steps", "m"};
static const char *const names_bettingUpper[] = {"N", "b", "nδ", "dδ", "steps"}, *const plain_bettingUpper[] = {"N", "b", "n_delta", "d_delta", "steps"};
static const char *const names_claimBound[] = {"G", "rejected"}, *const plain_claimBound[] = {"G", "rejected"};
static const char *const names_mirrored[] = {"G", "steps"}, *const plain_mirrored[] = {"G", "steps"};
static const char *const names_bettingUpperBound[] = {"G", "b", "nδ", "dδ", "steps"}, *const plain_bettingUpperBound[] = {"G", "b", "n_delta", "d_delta", "steps"};
static const char *const names_bettingLowerBound[] = {"G", "b", "nδ", "dδ", "steps"}, *const plain_bettingLowerBound[] = {"G", "b", "n_delta", "d_delta", "steps"};
static const char *const names_leftMass[] = {"ps"}, *const plain_leftMass[] = {"ps"};
static const char *const names_rightMass[] = {"ps"}, *const plain_rightMass[] = {"ps"};
static const char *const names_excess[] = {"S", "S'", "ps"}, *const plain_excess[] = {"S", "S2", "ps"};
static const char *const names_tvNum[] = {"ps"}, *const plain_tvNum[] = {"ps"};
static const char *const names_gridLoss[] = {"G", "ps"}, *const plain_gridLoss[] = {"G", "ps"};
static const char *const names_ratioAdmit[] = {"P", "Q", "a", "b", "ps"}, *const plain_ratioAdmit[] = {"P", "Q", "a", "b", "ps"};
static const char *const names_spreadAdmit[] = {"P", "Q", "c", "e", "f", "g", "ps"}, *const plain_spreadAdmit[] = {"P", "Q", "c", "e", "f", "g", "ps"};
static const char *const names_servedAdmit[] = {"P", "Q", "n", "d"}, *const plain_servedAdmit[] = {"P", "Q", "n", "d"};
static const char *const names_total[] = {"s"}, *const plain_total[] = {"s"};
static const char *const names_rootsOk[] = {"S", "S'", "ps", "s"}, *const plain_rootsOk[] = {"S", "S2", "ps", "s"};
static const char *const names_hellingerAdmit[] = {"ps", "s", "n", "d"}, *const plain_hellingerAdmit[] = {"ps", "s", "n", "d"};
static const char *const names_weightedBudget[] = {"ps"}, *const plain_weightedBudget[] = {"ps"};
static const char *const names_topkBudget[] = {"N", "Bmax", "head"}, *const plain_topkBudget[] = {"N", "Bmax", "head"};
static const char *const names_tiltPairs[] = {"ps"}, *const plain_tiltPairs[] = {"ps"};
static const char *const names_gaugeOk[] = {"B", "ps"}, *const plain_gaugeOk[] = {"B", "ps"};
static const char *const names_stepBudgetAdmit[] = {"G", "zn", "zd", "u"}, *const plain_stepBudgetAdmit[] = {"G", "zn", "zd", "u"};
static const char *const names_flipAt[] = {"asked", "tokens", "says"}, *const plain_flipAt[] = {"asked", "tokens", "says"};
static const char *const names_refineText[] = {"τ", "coarse", "fine", "steps", "prompt"}, *const plain_refineText[] = {"tau", "coarse", "fine", "steps", "prompt"};
static O run_dot(O *a) { return l_Gnosis_dot___boxed(a[0], a[1]); }
static O run_energy(O *a) { return l_Gnosis_energy___boxed(a[0]); }
static O run_energyAdmit(O *a) { return l_Gnosis_energyAdmit___boxed(a[0], a[1], a[2]); }
static O run_energySidecarAdmit(O *a) { return l_Gnosis_energySidecarAdmit___boxed(a[0], a[1], a[2]); }
static O run_energySidecarAdmitStrict(O *a) { return l_Gnosis_energySidecarAdmitStrict___boxed(a[0], a[1], a[2]); }
static O run_energyBlockedAdmit(O *a) { return l_Gnosis_energyBlockedAdmit___boxed(a[0], a[1], a[2]); }
static O run_energyOutside(O *a) { return l_Gnosis_energyOutside___boxed(a[0], a[1]); }
static O run_energySplitAdmit(O *a) { return l_Gnosis_energySplitAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_argmax(O *a) { return l_Gnosis_argmax___boxed(a[0]); }
static O run_marginAdmit(O *a) { return l_Gnosis_marginAdmit___boxed(a[0], a[1], a[2]); }
static O run_marginAdmitStrict(O *a) { return l_Gnosis_marginAdmitStrict___boxed(a[0], a[1], a[2]); }
static O run_marginAdmitLowest(O *a) { return l_Gnosis_marginAdmitLowest___boxed(a[0], a[1], a[2]); }
static O run_rowAdmit(O *a) { return l_Gnosis_rowAdmit___boxed(a[0], a[1], a[2]); }
static O run_candidates(O *a) { return l_Gnosis_candidates(a[0], a[1]); }
static O run_topkAdmit(O *a) { return l_Gnosis_topkAdmit___boxed(a[0], a[1], a[2]); }
static O run_topkGapAdmit(O *a) { return l_Gnosis_topkGapAdmit___boxed(a[0], a[1], a[2]); }
static O run_topTwo(O *a) { return l_Gnosis_topTwo___boxed(a[0]); }
static O run_twoStageAdmit(O *a) { return l_Gnosis_twoStageAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_jitAdmit(O *a) { return l_Gnosis_jitAdmit___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_jitAdmitStrict(O *a) { return l_Gnosis_jitAdmitStrict___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_jitAdmitLowest(O *a) { return l_Gnosis_jitAdmitLowest___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_jitLeadAdmit(O *a) { return l_Gnosis_jitLeadAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_jitRowAdmit(O *a) { return l_Gnosis_jitRowAdmit___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_servedArgmax(O *a) { return l_Gnosis_servedArgmax___boxed(a[0], a[1], a[2]); }
static O run_headServed(O *a) { return l_Gnosis_headServed(a[0], a[1], a[2], a[3], a[4]); }
static O run_topCandidates(O *a) { return l_Gnosis_topCandidates(a[0], a[1], a[2], a[3]); }
static O run_topAmong(O *a) { return l_Gnosis_topAmong___boxed(a[0], a[1], a[2]); }
static O run_headTopK(O *a) { return l_Gnosis_headTopK___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_tukeyAdmit(O *a) { return l_Gnosis_tukeyAdmit___boxed(a[0], a[1]); }
static O run_tukeyWeight(O *a) { return l_Gnosis_tukeyWeight___boxed(a[0], a[1]); }
static O run_sum(O *a) { return l_Gnosis_sum___boxed(a[0]); }
static O run_rankLt(O *a) { return l_Gnosis_rankLt(a[0], a[1]); }
static O run_lies(O *a) { return l_Gnosis_lies___boxed(a[0], a[1], a[2]); }
static O run_liesOrder(O *a) { return l_Gnosis_liesOrder___boxed(a[0], a[1]); }
static O run_conformalRank(O *a) { return l_Gnosis_conformalRank___boxed(a[0], a[1], a[2]); }
static O run_insertUp(O *a) { return l_Gnosis_insertUp(a[0], a[1]); }
static O run_sortUp(O *a) { return l_Gnosis_sortUp(a[0]); }
static O run_entryAt(O *a) { return l_Gnosis_entryAt___boxed(a[0], a[1]); }
static O run_kthSmallest(O *a) { return l_Gnosis_kthSmallest___boxed(a[0], a[1]); }
static O run_conformalThreshold(O *a) { return l_Gnosis_conformalThreshold___boxed(a[0], a[1], a[2]); }
static O run_conformalAdmit(O *a) { return l_Gnosis_conformalAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_poolAbove(O *a) { return l_Gnosis_poolAbove(a[0], a[1]); }
static O run_conformalMarginAdmit(O *a) { return l_Gnosis_conformalMarginAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_conformalMarginAdmitLowest(O *a) { return l_Gnosis_conformalMarginAdmitLowest___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_conformalJitAdmit(O *a) { return l_Gnosis_conformalJitAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }
static O run_conformalJitAdmitLowest(O *a) { return l_Gnosis_conformalJitAdmitLowest___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }
static O run_conformalJitLeadAdmit(O *a) { return l_Gnosis_conformalJitLeadAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_conformalServed(O *a) { return l_Gnosis_conformalServed___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_layersMax(O *a) { return l_Gnosis_layersMax___boxed(a[0], a[1]); }
static O run_cofactors(O *a) { return l_Gnosis_cofactors___boxed(a[0], a[1], a[2]); }
static O run_layersFail(O *a) { return l_Gnosis_layersFail___boxed(a[0], a[1]); }
static O run_layersMaxAdmit(O *a) { return l_Gnosis_layersMaxAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_sumAbs(O *a) { return l_Gnosis_sumAbs___boxed(a[0]); }
static O run_basinAdmit(O *a) { return l_Gnosis_basinAdmit___boxed(a[0], a[1]); }
static O run_basinVectorAdmit(O *a) { return l_Gnosis_basinVectorAdmit___boxed(a[0], a[1]); }
static O run_basinControl(O *a) { return l_Gnosis_basinControl___boxed(a[0], a[1], a[2]); }
static O run_flowAdmitFrom(O *a) { return l_Gnosis_flowAdmitFrom___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_basinFlowAdmit(O *a) { return l_Gnosis_basinFlowAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_flowPathAdmitFrom(O *a) { return l_Gnosis_flowPathAdmitFrom___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_basinFlowPathAdmit(O *a) { return l_Gnosis_basinFlowPathAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_flowSurvives(O *a) { return l_Gnosis_flowSurvives___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_flowControl(O *a) { return l_Gnosis_flowControl___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_basinFlowControl(O *a) { return l_Gnosis_basinFlowControl___boxed(a[0], a[1], a[2], a[3]); }
static O run_roundedStep(O *a) { return l_Gnosis_roundedStep___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_roundedPathAdmitFrom(O *a) { return l_Gnosis_roundedPathAdmitFrom___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }
static O run_basinFlowRoundedAdmit(O *a) { return l_Gnosis_basinFlowRoundedAdmit___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_roundedSurvives(O *a) { return l_Gnosis_roundedSurvives___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_roundedControl(O *a) { return l_Gnosis_roundedControl___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }
static O run_basinFlowRoundedControl(O *a) { return l_Gnosis_basinFlowRoundedControl___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_sqDist(O *a) { return l_Gnosis_sqDist___boxed(a[0], a[1], a[2]); }
static O run_nearestInt(O *a) { return l_Gnosis_nearestInt___boxed(a[0], a[1]); }
static O run_roundError(O *a) { return l_Gnosis_roundError___boxed(a[0], a[1]); }
static O run_secondNearest(O *a) { return l_Gnosis_secondNearest___boxed(a[0], a[1]); }
static O run_cubicDecode(O *a) { return l_Gnosis_cubicDecode(a[0], a[1]); }
static O run_dnDecode(O *a) { return l_Gnosis_dnDecode(a[0], a[1]); }
static O run_dnPlusDecode(O *a) { return l_Gnosis_dnPlusDecode(a[0], a[1]); }
static O run_isD8(O *a) { return l_Gnosis_isD8___boxed(a[0]); }
static O run_isE8(O *a) { return l_Gnosis_isE8___boxed(a[0]); }
static O run_d8Decode(O *a) { return l_Gnosis_d8Decode(a[0], a[1]); }
static O run_e8Decode(O *a) { return l_Gnosis_e8Decode(a[0], a[1]); }
static O run_betOk(O *a) { return l_Gnosis_betOk___boxed(a[0], a[1], a[2]); }
static O run_stepFactor(O *a) { return l_Gnosis_stepFactor___boxed(a[0], a[1], a[2], a[3]); }
static O run_covered(O *a) { return l_Gnosis_covered___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]); }
static O run_cumlossAdmit(O *a) { return l_Gnosis_cumlossAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]); }
static O run_cumlossStep(O *a) { return l_Gnosis_cumlossStep___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]); }
static O run_pays(O *a) { return l_Gnosis_pays___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_reservePays(O *a) { return l_Gnosis_reservePays___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_leastCharge(O *a) { return l_Gnosis_leastCharge(a[0], a[1], a[2], a[3]); }
static O run_leastReserve(O *a) { return l_Gnosis_leastReserve(a[0], a[1], a[2], a[3]); }
static O run_chargeAdmit(O *a) { return l_Gnosis_chargeAdmit___boxed(a[0], a[1], a[2]); }
static O run_chargeSettle(O *a) { return l_Gnosis_chargeSettle___boxed(a[0], a[1], a[2], a[3]); }
static O run_chargeRun(O *a) { return l_Gnosis_chargeRun___boxed(a[0], a[1]); }
static O run_unionAdmit(O *a) { return l_Gnosis_unionAdmit___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_unionLife(O *a) { return l_Gnosis_unionLife(a[0], a[1], a[2], a[3]); }
static O run_stakeAdmit(O *a) { return l_Gnosis_stakeAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_bettingFactor(O *a) { return l_Gnosis_bettingFactor___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_stepsOk(O *a) { return l_Gnosis_stepsOk___boxed(a[0], a[1], a[2], a[3]); }
static O run_bettingNum(O *a) { return l_Gnosis_bettingNum___boxed(a[0], a[1], a[2], a[3]); }
static O run_bettingDen(O *a) { return l_Gnosis_bettingDen___boxed(a[0], a[1], a[2]); }
static O run_bettingRejects(O *a) { return l_Gnosis_bettingRejects___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_bettingUpperFrom(O *a) { return l_Gnosis_bettingUpperFrom___boxed(a[0], a[1], a[2], a[3], a[4], a[5]); }
static O run_bettingUpper(O *a) { return l_Gnosis_bettingUpper___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_claimBound(O *a) { return l_Gnosis_claimBound(a[0], a[1]); }
static O run_mirrored(O *a) { return l_Gnosis_mirrored___boxed(a[0], a[1]); }
static O run_bettingUpperBound(O *a) { return l_Gnosis_bettingUpperBound___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_bettingLowerBound(O *a) { return l_Gnosis_bettingLowerBound___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_leftMass(O *a) { return l_Gnosis_leftMass___boxed(a[0]); }
static O run_rightMass(O *a) { return l_Gnosis_rightMass___boxed(a[0]); }
static O run_excess(O *a) { return l_Gnosis_excess___boxed(a[0], a[1], a[2]); }
static O run_tvNum(O *a) { return l_Gnosis_tvNum___boxed(a[0]); }
static O run_gridLoss(O *a) { return l_Gnosis_gridLoss___boxed(a[0], a[1]); }
static O run_ratioAdmit(O *a) { return l_Gnosis_ratioAdmit___boxed(a[0], a[1], a[2], a[3], a[4]); }
static O run_spreadAdmit(O *a) { return l_Gnosis_spreadAdmit___boxed(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }
static O run_servedAdmit(O *a) { return l_Gnosis_servedAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_total(O *a) { return l_Gnosis_total___boxed(a[0]); }
static O run_rootsOk(O *a) { return l_Gnosis_rootsOk___boxed(a[0], a[1], a[2], a[3]); }
static O run_hellingerAdmit(O *a) { return l_Gnosis_hellingerAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_weightedBudget(O *a) { return l_Gnosis_weightedBudget___boxed(a[0]); }
static O run_topkBudget(O *a) { return l_Gnosis_topkBudget___boxed(a[0], a[1], a[2]); }
static O run_tiltPairs(O *a) { return l_Gnosis_tiltPairs(a[0]); }
static O run_gaugeOk(O *a) { return l_Gnosis_gaugeOk___boxed(a[0], a[1]); }
static O run_stepBudgetAdmit(O *a) { return l_Gnosis_stepBudgetAdmit___boxed(a[0], a[1], a[2], a[3]); }
static O run_flipAt(O *a) { return l_Gnosis_flipAt___boxed(a[0], a[1], a[2]); }
static O run_refineText(O *a) { return l_Gnosis_refineText(a[0], a[1], a[2], a[3], a[4]); }
static const struct decision table[] = {
  {"dot", "II", 'i', run_dot, names_dot, plain_dot},
  {"energy", "I", 'i', run_energy, names_energy, plain_energy},
  {"energyAdmit", "IIi", 'b', run_energyAdmit, names_energyAdmit, plain_energyAdmit},
  {"energySidecarAdmit", "iii", 'b', run_energySidecarAdmit, names_energySidecarAdmit, plain_energySidecarAdmit},
  {"energySidecarAdmitStrict", "iii", 'b', run_energySidecarAdmitStrict, names_energySidecarAdmitStrict, plain_energySidecarAdmitStrict},
  {"energyBlockedAdmit", "IIi", 'b', run_energyBlockedAdmit, names_energyBlockedAdmit, plain_energyBlockedAdmit},
  {"energyOutside", "IB", 'i', run_energyOutside, names_energyOutside, plain_energyOutside},
  {"energySplitAdmit", "iIBi", 'b', run_energySplitAdmit, names_energySplitAdmit, plain_energySplitAdmit},
  {"argmax", "I", 'n', run_argmax, names_argmax, plain_argmax},
  {"marginAdmit", "Ini", 'b', run_marginAdmit, names_marginAdmit, plain_marginAdmit},
  {"marginAdmitStrict", "Ini", 'b', run_marginAdmitStrict, names_marginAdmitStrict, plain_marginAdmitStrict},
  {"marginAdmitLowest", "Ini", 'b', run_marginAdmitLowest, names_marginAdmitLowest, plain_marginAdmitLowest},
  {"rowAdmit", "IIn", 'b', run_rowAdmit, names_rowAdmit, plain_rowAdmit},
  {"candidates", "II", 'N', run_candidates, names_candidates, plain_candidates},
  {"topkAdmit", "IBi", 'b', run_topkAdmit, names_topkAdmit, plain_topkAdmit},
  {"topkGapAdmit", "Ini", 'b', run_topkGapAdmit, names_topkGapAdmit, plain_topkGapAdmit},
  {"topTwo", "I", 'i', run_topTwo, names_topTwo, plain_topTwo},
  {"twoStageAdmit", "LBMi", 'b', run_twoStageAdmit, names_twoStageAdmit, plain_twoStageAdmit},
  {"jitAdmit", "InIii", 'b', run_jitAdmit, names_jitAdmit, plain_jitAdmit},
  {"jitAdmitStrict", "InIii", 'b', run_jitAdmitStrict, names_jitAdmitStrict, plain_jitAdmitStrict},
  {"jitAdmitLowest", "InIii", 'b', run_jitAdmitLowest, names_jitAdmitLowest, plain_jitAdmitLowest},
  {"jitLeadAdmit", "InIi", 'b', run_jitLeadAdmit, names_jitLeadAdmit, plain_jitLeadAdmit},
  {"jitRowAdmit", "InIIi", 'b', run_jitRowAdmit, names_jitRowAdmit, plain_jitRowAdmit},
  {"servedArgmax", "III", 'n', run_servedArgmax, names_servedArgmax, plain_servedArgmax},
  {"headServed", "IIIII", 'n', run_headServed, names_headServed, plain_headServed},
  {"topCandidates", "nIIN", 'N', run_topCandidates, names_topCandidates, plain_topCandidates},
  {"topAmong", "InN", 'N', run_topAmong, names_topAmong, plain_topAmong},
  {"headTopK", "nIIIII", 'N', run_headTopK, names_headTopK, plain_headTopK},
  {"tukeyAdmit", "ii", 'b', run_tukeyAdmit, names_tukeyAdmit, plain_tukeyAdmit},
  {"tukeyWeight", "ii", 'i', run_tukeyWeight, names_tukeyWeight, plain_tukeyWeight},
  {"sum", "I", 'i', run_sum, names_sum, plain_sum},
  {"rankLt", "Ii", 'n', run_rankLt, names_rankLt, plain_rankLt},
  {"lies", "niI", 'b', run_lies, names_lies, plain_lies},
  {"liesOrder", "nI", 'b', run_liesOrder, names_liesOrder, plain_liesOrder},
  {"conformalRank", "nnn", 'n', run_conformalRank, names_conformalRank, plain_conformalRank},
  {"insertUp", "iI", 'I', run_insertUp, names_insertUp, plain_insertUp},
  {"sortUp", "I", 'I', run_sortUp, names_sortUp, plain_sortUp},
  {"entryAt", "In", 'o', run_entryAt, names_entryAt, plain_entryAt},
  {"kthSmallest", "nI", 'o', run_kthSmallest, names_kthSmallest, plain_kthSmallest},
  {"conformalThreshold", "Inn", 'o', run_conformalThreshold, names_conformalThreshold, plain_conformalThreshold},
  {"conformalAdmit", "Inni", 'b', run_conformalAdmit, names_conformalAdmit, plain_conformalAdmit},
  {"poolAbove", "II", 'n', run_poolAbove, names_poolAbove, plain_poolAbove},
  {"conformalMarginAdmit", "InniIn", 'b', run_conformalMarginAdmit, names_conformalMarginAdmit, plain_conformalMarginAdmit},
  {"conformalMarginAdmitLowest", "InniIn", 'b', run_conformalMarginAdmitLowest, names_conformalMarginAdmitLowest, plain_conformalMarginAdmitLowest},
  {"conformalJitAdmit", "InnInii", 'b', run_conformalJitAdmit, names_conformalJitAdmit, plain_conformalJitAdmit},
  {"conformalJitAdmitLowest", "InnInii", 'b', run_conformalJitAdmitLowest, names_conformalJitAdmitLowest, plain_conformalJitAdmitLowest},
  {"conformalJitLeadAdmit", "InnIni", 'b', run_conformalJitLeadAdmit, names_conformalJitLeadAdmit, plain_conformalJitLeadAdmit},
  {"conformalServed", "InnII", 'n', run_conformalServed, names_conformalServed, plain_conformalServed},
  {"layersMax", "II", 'i', run_layersMax, names_layersMax, plain_layersMax},
  {"cofactors", "iII", 'b', run_cofactors, names_cofactors, plain_cofactors},
  {"layersFail", "II", 'b', run_layersFail, names_layersFail, plain_layersFail},
  {"layersMaxAdmit", "LIIinn", 'b', run_layersMaxAdmit, names_layersMaxAdmit, plain_layersMaxAdmit},
  {"sumAbs", "I", 'i', run_sumAbs, names_sumAbs, plain_sumAbs},
  {"basinAdmit", "Ii", 'b', run_basinAdmit, names_basinAdmit, plain_basinAdmit},
  {"basinVectorAdmit", "Ii", 'b', run_basinVectorAdmit, names_basinVectorAdmit, plain_basinVectorAdmit},
  {"basinControl", "iiI", 'B', run_basinControl, names_basinControl, plain_basinControl},
  {"flowAdmitFrom", "iiiIII", 'b', run_flowAdmitFrom, names_flowAdmitFrom, plain_flowAdmitFrom},
  {"basinFlowAdmit", "IIIi", 'b', run_basinFlowAdmit, names_basinFlowAdmit, plain_basinFlowAdmit},
  {"flowPathAdmitFrom", "iiiIII", 'b', run_flowPathAdmitFrom, names_flowPathAdmitFrom, plain_flowPathAdmitFrom},
  {"basinFlowPathAdmit", "IIIi", 'b', run_basinFlowPathAdmit, names_basinFlowPathAdmit, plain_basinFlowPathAdmit},
  {"flowSurvives", "iiiII", 'b', run_flowSurvives, names_flowSurvives, plain_flowSurvives},
  {"flowControl", "iiiIII", 'B', run_flowControl, names_flowControl, plain_flowControl},
  {"basinFlowControl", "IIIi", 'B', run_basinFlowControl, names_basinFlowControl, plain_basinFlowControl},
  {"roundedStep", "iiiiii", 'i', run_roundedStep, names_roundedStep, plain_roundedStep},
  {"roundedPathAdmitFrom", "iiiIIII", 'b', run_roundedPathAdmitFrom, names_roundedPathAdmitFrom, plain_roundedPathAdmitFrom},
  {"basinFlowRoundedAdmit", "IIIIi", 'b', run_basinFlowRoundedAdmit, names_basinFlowRoundedAdmit, plain_basinFlowRoundedAdmit},
  {"roundedSurvives", "iiiIII", 'b', run_roundedSurvives, names_roundedSurvives, plain_roundedSurvives},
  {"roundedControl", "iiiIIII", 'B', run_roundedControl, names_roundedControl, plain_roundedControl},
  {"basinFlowRoundedControl", "IIIIi", 'B', run_basinFlowRoundedControl, names_basinFlowRoundedControl, plain_basinFlowRoundedControl},
  {"sqDist", "iII", 'i', run_sqDist, names_sqDist, plain_sqDist},
  {"nearestInt", "ii", 'i', run_nearestInt, names_nearestInt, plain_nearestInt},
  {"roundError", "ii", 'i', run_roundError, names_roundError, plain_roundError},
  {"secondNearest", "ii", 'i', run_secondNearest, names_secondNearest, plain_secondNearest},
  {"cubicDecode", "iI", 'I', run_cubicDecode, names_cubicDecode, plain_cubicDecode},
  {"dnDecode", "iI", 'I', run_dnDecode, names_dnDecode, plain_dnDecode},
  {"dnPlusDecode", "iI", 'I', run_dnPlusDecode, names_dnPlusDecode, plain_dnPlusDecode},
  {"isD8", "I", 'b', run_isD8, names_isD8, plain_isD8},
  {"isE8", "I", 'b', run_isE8, names_isE8, plain_isE8},
  {"d8Decode", "iI", 'I', run_d8Decode, names_d8Decode, plain_d8Decode},
  {"e8Decode", "iI", 'I', run_e8Decode, names_e8Decode, plain_e8Decode},
  {"betOk", "nnn", 'b', run_betOk, names_betOk, plain_betOk},
  {"stepFactor", "nnnn", 'n', run_stepFactor, names_stepFactor, plain_stepFactor},
  {"covered", "nnnnnnnn", 'b', run_covered, names_covered, plain_covered},
  {"cumlossAdmit", "nnnnnnnnn", 'b', run_cumlossAdmit, names_cumlossAdmit, plain_cumlossAdmit},
  {"cumlossStep", "nnnnnnnnn", 'n', run_cumlossStep, names_cumlossStep, plain_cumlossStep},
  {"pays", "nnnnn", 'b', run_pays, names_pays, plain_pays},
  {"reservePays", "nnnnn", 'b', run_reservePays, names_reservePays, plain_reservePays},
  {"leastCharge", "nnnn", 'n', run_leastCharge, names_leastCharge, plain_leastCharge},
  {"leastReserve", "nnnn", 'n', run_leastReserve, names_leastReserve, plain_leastReserve},
  {"chargeAdmit", "nnn", 'b', run_chargeAdmit, names_chargeAdmit, plain_chargeAdmit},
  {"chargeSettle", "nnnn", 'n', run_chargeSettle, names_chargeSettle, plain_chargeSettle},
  {"chargeRun", "nT", 'B', run_chargeRun, names_chargeRun, plain_chargeRun},
  {"unionAdmit", "nnnnn", 'b', run_unionAdmit, names_unionAdmit, plain_unionAdmit},
  {"unionLife", "nnnn", 'n', run_unionLife, names_unionLife, plain_unionLife},
  {"stakeAdmit", "nnnn", 'b', run_stakeAdmit, names_stakeAdmit, plain_stakeAdmit},
  {"bettingFactor", "nnnnn", 'n', run_bettingFactor, names_bettingFactor, plain_bettingFactor},
  {"stepsOk", "nnnP", 'b', run_stepsOk, names_stepsOk, plain_stepsOk},
  {"bettingNum", "nnnP", 'n', run_bettingNum, names_bettingNum, plain_bettingNum},
  {"bettingDen", "nnP", 'n', run_bettingDen, names_bettingDen, plain_bettingDen},
  {"bettingRejects", "nnnnnP", 'b', run_bettingRejects, names_bettingRejects, plain_bettingRejects},
  {"bettingUpperFrom", "nnnnPn", 'n', run_bettingUpperFrom, names_bettingUpperFrom, plain_bettingUpperFrom},
  {"bettingUpper", "nnnnP", 'n', run_bettingUpper, names_bettingUpper, plain_bettingUpper},
  {"claimBound", "nB", 'n', run_claimBound, names_claimBound, plain_claimBound},
  {"mirrored", "nP", 'P', run_mirrored, names_mirrored, plain_mirrored},
  {"bettingUpperBound", "nnnnP", 'n', run_bettingUpperBound, names_bettingUpperBound, plain_bettingUpperBound},
  {"bettingLowerBound", "nnnnP", 'n', run_bettingLowerBound, names_bettingLowerBound, plain_bettingLowerBound},
  {"leftMass", "P", 'n', run_leftMass, names_leftMass, plain_leftMass},
  {"rightMass", "P", 'n', run_rightMass, names_rightMass, plain_rightMass},
  {"excess", "nnP", 'n', run_excess, names_excess, plain_excess},
  {"tvNum", "P", 'n', run_tvNum, names_tvNum, plain_tvNum},
  {"gridLoss", "nP", 'n', run_gridLoss, names_gridLoss, plain_gridLoss},
  {"ratioAdmit", "nnnnP", 'b', run_ratioAdmit, names_ratioAdmit, plain_ratioAdmit},
  {"spreadAdmit", "nnnnnnP", 'b', run_spreadAdmit, names_spreadAdmit, plain_spreadAdmit},
  {"servedAdmit", "nnnn", 'b', run_servedAdmit, names_servedAdmit, plain_servedAdmit},
  {"total", "N", 'n', run_total, names_total, plain_total},
  {"rootsOk", "nnPN", 'b', run_rootsOk, names_rootsOk, plain_rootsOk},
  {"hellingerAdmit", "PNnn", 'b', run_hellingerAdmit, names_hellingerAdmit, plain_hellingerAdmit},
  {"weightedBudget", "P", 'n', run_weightedBudget, names_weightedBudget, plain_weightedBudget},
  {"topkBudget", "nnP", 'n', run_topkBudget, names_topkBudget, plain_topkBudget},
  {"tiltPairs", "P", 'P', run_tiltPairs, names_tiltPairs, plain_tiltPairs},
  {"gaugeOk", "nP", 'b', run_gaugeOk, names_gaugeOk, plain_gaugeOk},
  {"stepBudgetAdmit", "nnnn", 'b', run_stepBudgetAdmit, names_stepBudgetAdmit, plain_stepBudgetAdmit},
  {"flipAt", "BNN", 'n', run_flipAt, names_flipAt, plain_flipAt},
  {"refineText", "iPNTN", 'N', run_refineText, names_refineText, plain_refineText},
};
static const unsigned decisions = 124;
#ifndef GNOSIS_WORDS_ONLY
API(gnosis_dot) int64_t gnosis_dot(gnosis_context *context, const int64_t *tau, size_t tau_length, const int64_t *a, size_t a_length, int64_t *out) {
  BEGIN(context);
  context->where = "tau"; O v0 = ints(there(tau, tau_length), tau_length);
  context->where = "a"; O v1 = ints(there(a, a_length), a_length);
  return end(context, gives_number(l_Gnosis_dot___boxed(v0, v1), out));
}
API(gnosis_energy) int64_t gnosis_energy(gnosis_context *context, const int64_t *v, size_t v_length, int64_t *out) {
  BEGIN(context);
  context->where = "v"; O v0 = ints(there(v, v_length), v_length);
  return end(context, gives_number(l_Gnosis_energy___boxed(v0), out));
}
API(gnosis_energy_admit) int64_t gnosis_energy_admit(gnosis_context *context, const int64_t *tau, size_t tau_length, const int64_t *a, size_t a_length, int64_t gamma) {
  BEGIN(context);
  context->where = "tau"; O v0 = ints(there(tau, tau_length), tau_length);
  context->where = "a"; O v1 = ints(there(a, a_length), a_length);
  context->where = "gamma"; O v2 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_energyAdmit___boxed(v0, v1, v2)));
}
API(gnosis_energy_sidecar_admit) int64_t gnosis_energy_sidecar_admit(gnosis_context *context, int64_t E, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "E"; O v0 = integer(E);
  context->where = "A"; O v1 = integer(A);
  context->where = "gamma"; O v2 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_energySidecarAdmit___boxed(v0, v1, v2)));
}
API(gnosis_energy_sidecar_admit_strict) int64_t gnosis_energy_sidecar_admit_strict(gnosis_context *context, int64_t E, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "E"; O v0 = integer(E);
  context->where = "A"; O v1 = integer(A);
  context->where = "gamma"; O v2 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_energySidecarAdmitStrict___boxed(v0, v1, v2)));
}
API(gnosis_energy_blocked_admit) int64_t gnosis_energy_blocked_admit(gnosis_context *context, const int64_t *e, size_t e_length, const int64_t *alpha, size_t alpha_length, int64_t gamma) {
  BEGIN(context);
  context->where = "e"; O v0 = ints(there(e, e_length), e_length);
  context->where = "alpha"; O v1 = ints(there(alpha, alpha_length), alpha_length);
  context->where = "gamma"; O v2 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_energyBlockedAdmit___boxed(v0, v1, v2)));
}
API(gnosis_energy_outside) int64_t gnosis_energy_outside(gnosis_context *context, const int64_t *a, size_t a_length, const uint8_t *S, size_t S_length, int64_t *out) {
  BEGIN(context);
  context->where = "a"; O v0 = ints(there(a, a_length), a_length);
  context->where = "S"; O v1 = bools(there(S, S_length), S_length);
  return end(context, gives_number(l_Gnosis_energyOutside___boxed(v0, v1), out));
}
API(gnosis_energy_split_admit) int64_t gnosis_energy_split_admit(gnosis_context *context, int64_t E, const int64_t *a, size_t a_length, const uint8_t *S, size_t S_length, int64_t gamma) {
  BEGIN(context);
  context->where = "E"; O v0 = integer(E);
  context->where = "a"; O v1 = ints(there(a, a_length), a_length);
  context->where = "S"; O v2 = bools(there(S, S_length), S_length);
  context->where = "gamma"; O v3 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_energySplitAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_argmax) int64_t gnosis_argmax(gnosis_context *context, const int64_t *z, size_t z_length, int64_t *out) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  return end(context, gives_number(l_Gnosis_argmax___boxed(v0), out));
}
API(gnosis_margin_admit) int64_t gnosis_margin_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = integer(tau);
  return end(context, gives_bool(l_Gnosis_marginAdmit___boxed(v0, v1, v2)));
}
API(gnosis_margin_admit_strict) int64_t gnosis_margin_admit_strict(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = integer(tau);
  return end(context, gives_bool(l_Gnosis_marginAdmitStrict___boxed(v0, v1, v2)));
}
API(gnosis_margin_admit_lowest) int64_t gnosis_margin_admit_lowest(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = integer(tau);
  return end(context, gives_bool(l_Gnosis_marginAdmitLowest___boxed(v0, v1, v2)));
}
API(gnosis_row_admit) int64_t gnosis_row_admit(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, int64_t w) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "eps"; O v1 = ints(there(eps, eps_length), eps_length);
  context->where = "w"; O v2 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_rowAdmit___boxed(v0, v1, v2)));
}
API(gnosis_candidates) int64_t gnosis_candidates(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "eps"; O v1 = ints(there(eps, eps_length), eps_length);
  return end(context, gives_list(l_Gnosis_candidates(v0, v1), out, room, 'N'));
}
API(gnosis_topk_admit) int64_t gnosis_topk_admit(gnosis_context *context, const int64_t *z, size_t z_length, const uint8_t *S, size_t S_length, int64_t eps) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "S"; O v1 = bools(there(S, S_length), S_length);
  context->where = "eps"; O v2 = integer(eps);
  return end(context, gives_bool(l_Gnosis_topkAdmit___boxed(v0, v1, v2)));
}
API(gnosis_topk_gap_admit) int64_t gnosis_topk_gap_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t k, int64_t eps) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "k"; O v1 = natural(k, NO_ENTRY);
  context->where = "eps"; O v2 = integer(eps);
  return end(context, gives_bool(l_Gnosis_topkGapAdmit___boxed(v0, v1, v2)));
}
API(gnosis_top_two) int64_t gnosis_top_two(gnosis_context *context, const int64_t *z, size_t z_length, int64_t *out) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  return end(context, gives_number(l_Gnosis_topTwo___boxed(v0), out));
}
API(gnosis_two_stage_admit) int64_t gnosis_two_stage_admit(gnosis_context *context, const int64_t *groups, const size_t *groups_lengths, size_t groups_length, const uint8_t *gsel, size_t gsel_length, const uint8_t *esel, const size_t *esel_lengths, size_t esel_length, int64_t eps) {
  BEGIN(context);
  context->where = "groups"; O v0 = int_lists(groups, there(groups_lengths, groups_length), groups_length);
  context->where = "gsel"; O v1 = bools(there(gsel, gsel_length), gsel_length);
  context->where = "esel"; O v2 = bool_lists(esel, there(esel_lengths, esel_length), esel_length);
  context->where = "eps"; O v3 = integer(eps);
  return end(context, gives_bool(l_Gnosis_twoStageAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_jit_admit) int64_t gnosis_jit_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = ints(there(E, E_length), E_length);
  context->where = "A"; O v3 = integer(A);
  context->where = "gamma"; O v4 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_jitAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_jit_admit_strict) int64_t gnosis_jit_admit_strict(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = ints(there(E, E_length), E_length);
  context->where = "A"; O v3 = integer(A);
  context->where = "gamma"; O v4 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_jitAdmitStrict___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_jit_admit_lowest) int64_t gnosis_jit_admit_lowest(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = ints(there(E, E_length), E_length);
  context->where = "A"; O v3 = integer(A);
  context->where = "gamma"; O v4 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_jitAdmitLowest___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_jit_lead_admit) int64_t gnosis_jit_lead_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = ints(there(E, E_length), E_length);
  context->where = "A"; O v3 = integer(A);
  return end(context, gives_bool(l_Gnosis_jitLeadAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_jit_row_admit) int64_t gnosis_jit_row_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *eps, size_t eps_length, const int64_t *E, size_t E_length, int64_t A) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "eps"; O v2 = ints(there(eps, eps_length), eps_length);
  context->where = "E"; O v3 = ints(there(E, E_length), E_length);
  context->where = "A"; O v4 = integer(A);
  return end(context, gives_bool(l_Gnosis_jitRowAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_served_argmax) int64_t gnosis_served_argmax(gnosis_context *context, const int64_t *coarse, size_t coarse_length, const int64_t *exact, size_t exact_length, const int64_t *eps, size_t eps_length, int64_t *out) {
  BEGIN(context);
  context->where = "coarse"; O v0 = ints(there(coarse, coarse_length), coarse_length);
  context->where = "exact"; O v1 = ints(there(exact, exact_length), exact_length);
  context->where = "eps"; O v2 = ints(there(eps, eps_length), eps_length);
  return end(context, gives_number(l_Gnosis_servedArgmax___boxed(v0, v1, v2), out));
}
API(gnosis_head_served) int64_t gnosis_head_served(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *y, size_t y_length, const int64_t *err, size_t err_length, const int64_t *exact, size_t exact_length, int64_t *out) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "eps"; O v1 = ints(there(eps, eps_length), eps_length);
  context->where = "y"; O v2 = ints(there(y, y_length), y_length);
  context->where = "err"; O v3 = ints(there(err, err_length), err_length);
  context->where = "exact"; O v4 = ints(there(exact, exact_length), exact_length);
  return end(context, gives_number(l_Gnosis_headServed(v0, v1, v2, v3, v4), out));
}
API(gnosis_top_candidates) int64_t gnosis_top_candidates(gnosis_context *context, int64_t k, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *js, size_t js_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "k"; O v0 = natural(k, NO_ENTRY);
  context->where = "z"; O v1 = ints(there(z, z_length), z_length);
  context->where = "eps"; O v2 = ints(there(eps, eps_length), eps_length);
  context->where = "js"; O v3 = nats(there(js, js_length), js_length);
  return end(context, gives_list(l_Gnosis_topCandidates(v0, v1, v2, v3), out, room, 'N'));
}
API(gnosis_top_among) int64_t gnosis_top_among(gnosis_context *context, const int64_t *z, size_t z_length, int64_t k, const int64_t *js, size_t js_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "z"; O v0 = ints(there(z, z_length), z_length);
  context->where = "k"; O v1 = natural(k, NO_ENTRY);
  context->where = "js"; O v2 = nats(there(js, js_length), js_length);
  return end(context, gives_list(l_Gnosis_topAmong___boxed(v0, v1, v2), out, room, 'N'));
}
API(gnosis_head_top_k) int64_t gnosis_head_top_k(gnosis_context *context, int64_t k, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *y, size_t y_length, const int64_t *err, size_t err_length, const int64_t *exact, size_t exact_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "k"; O v0 = natural(k, NO_ENTRY);
  context->where = "z"; O v1 = ints(there(z, z_length), z_length);
  context->where = "eps"; O v2 = ints(there(eps, eps_length), eps_length);
  context->where = "y"; O v3 = ints(there(y, y_length), y_length);
  context->where = "err"; O v4 = ints(there(err, err_length), err_length);
  context->where = "exact"; O v5 = ints(there(exact, exact_length), exact_length);
  return end(context, gives_list(l_Gnosis_headTopK___boxed(v0, v1, v2, v3, v4, v5), out, room, 'N'));
}
API(gnosis_tukey_admit) int64_t gnosis_tukey_admit(gnosis_context *context, int64_t r, int64_t gamma) {
  BEGIN(context);
  context->where = "r"; O v0 = integer(r);
  context->where = "gamma"; O v1 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_tukeyAdmit___boxed(v0, v1)));
}
API(gnosis_tukey_weight) int64_t gnosis_tukey_weight(gnosis_context *context, int64_t r, int64_t gamma, int64_t *out) {
  BEGIN(context);
  context->where = "r"; O v0 = integer(r);
  context->where = "gamma"; O v1 = integer(gamma);
  return end(context, gives_number(l_Gnosis_tukeyWeight___boxed(v0, v1), out));
}
API(gnosis_sum) int64_t gnosis_sum(gnosis_context *context, const int64_t *l, size_t l_length, int64_t *out) {
  BEGIN(context);
  context->where = "l"; O v0 = ints(there(l, l_length), l_length);
  return end(context, gives_number(l_Gnosis_sum___boxed(v0), out));
}
API(gnosis_rank_lt) int64_t gnosis_rank_lt(gnosis_context *context, const int64_t *s, size_t s_length, int64_t x, int64_t *out) {
  BEGIN(context);
  context->where = "s"; O v0 = ints(there(s, s_length), s_length);
  context->where = "x"; O v1 = integer(x);
  return end(context, gives_number(l_Gnosis_rankLt(v0, v1), out));
}
API(gnosis_lies) int64_t gnosis_lies(gnosis_context *context, int64_t k, int64_t x, const int64_t *rest, size_t rest_length) {
  BEGIN(context);
  context->where = "k"; O v0 = natural(k, NO_ENTRY);
  context->where = "x"; O v1 = integer(x);
  context->where = "rest"; O v2 = ints(there(rest, rest_length), rest_length);
  return end(context, gives_bool(l_Gnosis_lies___boxed(v0, v1, v2)));
}
API(gnosis_lies_order) int64_t gnosis_lies_order(gnosis_context *context, int64_t k, const int64_t *order, size_t order_length) {
  BEGIN(context);
  context->where = "k"; O v0 = natural(k, NO_ENTRY);
  context->where = "order"; O v1 = ints(there(order, order_length), order_length);
  return end(context, gives_bool(l_Gnosis_liesOrder___boxed(v0, v1)));
}
API(gnosis_conformal_rank) int64_t gnosis_conformal_rank(gnosis_context *context, int64_t n, int64_t num, int64_t den, int64_t *out) {
  BEGIN(context);
  context->where = "n"; O v0 = natural(n, NO_ENTRY);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_conformalRank___boxed(v0, v1, v2), out));
}
API(gnosis_insert_up) int64_t gnosis_insert_up(gnosis_context *context, int64_t x, const int64_t *l, size_t l_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "x"; O v0 = integer(x);
  context->where = "l"; O v1 = ints(there(l, l_length), l_length);
  return end(context, gives_list(l_Gnosis_insertUp(v0, v1), out, room, 'I'));
}
API(gnosis_sort_up) int64_t gnosis_sort_up(gnosis_context *context, const int64_t *s, size_t s_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "s"; O v0 = ints(there(s, s_length), s_length);
  return end(context, gives_list(l_Gnosis_sortUp(v0), out, room, 'I'));
}
API(gnosis_entry_at) int64_t gnosis_entry_at(gnosis_context *context, const int64_t *l, size_t l_length, int64_t i, int64_t *out) {
  BEGIN(context);
  context->where = "l"; O v0 = ints(there(l, l_length), l_length);
  context->where = "i"; O v1 = natural(i, NO_ENTRY);
  return end(context, gives_option(l_Gnosis_entryAt___boxed(v0, v1), out));
}
API(gnosis_kth_smallest) int64_t gnosis_kth_smallest(gnosis_context *context, int64_t k, const int64_t *s, size_t s_length, int64_t *out) {
  BEGIN(context);
  context->where = "k"; O v0 = natural(k, NO_ENTRY);
  context->where = "s"; O v1 = ints(there(s, s_length), s_length);
  return end(context, gives_option(l_Gnosis_kthSmallest___boxed(v0, v1), out));
}
API(gnosis_conformal_threshold) int64_t gnosis_conformal_threshold(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t *out) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  return end(context, gives_option(l_Gnosis_conformalThreshold___boxed(v0, v1, v2), out));
}
API(gnosis_conformal_admit) int64_t gnosis_conformal_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_conformalAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_pool_above) int64_t gnosis_pool_above(gnosis_context *context, const int64_t *pool, size_t pool_length, const int64_t *S, size_t S_length, int64_t *out) {
  BEGIN(context);
  context->where = "pool"; O v0 = ints(there(pool, pool_length), pool_length);
  context->where = "S"; O v1 = ints(there(S, S_length), S_length);
  return end(context, gives_number(l_Gnosis_poolAbove(v0, v1), out));
}
API(gnosis_conformal_margin_admit) int64_t gnosis_conformal_margin_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma, const int64_t *z, size_t z_length, int64_t w) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = integer(gamma);
  context->where = "z"; O v4 = ints(there(z, z_length), z_length);
  context->where = "w"; O v5 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_conformalMarginAdmit___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_conformal_margin_admit_lowest) int64_t gnosis_conformal_margin_admit_lowest(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma, const int64_t *z, size_t z_length, int64_t w) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = integer(gamma);
  context->where = "z"; O v4 = ints(there(z, z_length), z_length);
  context->where = "w"; O v5 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_conformalMarginAdmitLowest___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_conformal_jit_admit) int64_t gnosis_conformal_jit_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "z"; O v3 = ints(there(z, z_length), z_length);
  context->where = "w"; O v4 = natural(w, NO_ENTRY);
  context->where = "A"; O v5 = integer(A);
  context->where = "gamma"; O v6 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_conformalJitAdmit___boxed(v0, v1, v2, v3, v4, v5, v6)));
}
API(gnosis_conformal_jit_admit_lowest) int64_t gnosis_conformal_jit_admit_lowest(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A, int64_t gamma) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "z"; O v3 = ints(there(z, z_length), z_length);
  context->where = "w"; O v4 = natural(w, NO_ENTRY);
  context->where = "A"; O v5 = integer(A);
  context->where = "gamma"; O v6 = integer(gamma);
  return end(context, gives_bool(l_Gnosis_conformalJitAdmitLowest___boxed(v0, v1, v2, v3, v4, v5, v6)));
}
API(gnosis_conformal_jit_lead_admit) int64_t gnosis_conformal_jit_lead_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "z"; O v3 = ints(there(z, z_length), z_length);
  context->where = "w"; O v4 = natural(w, NO_ENTRY);
  context->where = "A"; O v5 = integer(A);
  return end(context, gives_bool(l_Gnosis_conformalJitLeadAdmit___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_conformal_served) int64_t gnosis_conformal_served(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *coarse, size_t coarse_length, const int64_t *exact, size_t exact_length, int64_t *out) {
  BEGIN(context);
  context->where = "scores"; O v0 = ints(there(scores, scores_length), scores_length);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "coarse"; O v3 = ints(there(coarse, coarse_length), coarse_length);
  context->where = "exact"; O v4 = ints(there(exact, exact_length), exact_length);
  return end(context, gives_number(l_Gnosis_conformalServed___boxed(v0, v1, v2, v3, v4), out));
}
API(gnosis_layers_max) int64_t gnosis_layers_max(gnosis_context *context, const int64_t *c, size_t c_length, const int64_t *s, size_t s_length, int64_t *out) {
  BEGIN(context);
  context->where = "c"; O v0 = ints(there(c, c_length), c_length);
  context->where = "s"; O v1 = ints(there(s, s_length), s_length);
  return end(context, gives_number(l_Gnosis_layersMax___boxed(v0, v1), out));
}
API(gnosis_cofactors) int64_t gnosis_cofactors(gnosis_context *context, int64_t P, const int64_t *c, size_t c_length, const int64_t *gamma, size_t gamma_length) {
  BEGIN(context);
  context->where = "P"; O v0 = integer(P);
  context->where = "c"; O v1 = ints(there(c, c_length), c_length);
  context->where = "gamma"; O v2 = ints(there(gamma, gamma_length), gamma_length);
  return end(context, gives_bool(l_Gnosis_cofactors___boxed(v0, v1, v2)));
}
API(gnosis_layers_fail) int64_t gnosis_layers_fail(gnosis_context *context, const int64_t *gamma, size_t gamma_length, const int64_t *s, size_t s_length) {
  BEGIN(context);
  context->where = "gamma"; O v0 = ints(there(gamma, gamma_length), gamma_length);
  context->where = "s"; O v1 = ints(there(s, s_length), s_length);
  return end(context, gives_bool(l_Gnosis_layersFail___boxed(v0, v1)));
}
API(gnosis_layers_max_admit) int64_t gnosis_layers_max_admit(gnosis_context *context, const int64_t *units, const size_t *units_lengths, size_t units_length, const int64_t *c, size_t c_length, const int64_t *gamma, size_t gamma_length, int64_t P, int64_t num, int64_t den) {
  BEGIN(context);
  context->where = "units"; O v0 = int_lists(units, there(units_lengths, units_length), units_length);
  context->where = "c"; O v1 = ints(there(c, c_length), c_length);
  context->where = "gamma"; O v2 = ints(there(gamma, gamma_length), gamma_length);
  context->where = "P"; O v3 = integer(P);
  context->where = "num"; O v4 = natural(num, NO_ENTRY);
  context->where = "den"; O v5 = natural(den, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_layersMaxAdmit___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_sum_abs) int64_t gnosis_sum_abs(gnosis_context *context, const int64_t *delta, size_t delta_length, int64_t *out) {
  BEGIN(context);
  context->where = "delta"; O v0 = ints(there(delta, delta_length), delta_length);
  return end(context, gives_number(l_Gnosis_sumAbs___boxed(v0), out));
}
API(gnosis_basin_admit) int64_t gnosis_basin_admit(gnosis_context *context, const int64_t *delta, size_t delta_length, int64_t R) {
  BEGIN(context);
  context->where = "delta"; O v0 = ints(there(delta, delta_length), delta_length);
  context->where = "R"; O v1 = integer(R);
  return end(context, gives_bool(l_Gnosis_basinAdmit___boxed(v0, v1)));
}
API(gnosis_basin_vector_admit) int64_t gnosis_basin_vector_admit(gnosis_context *context, const int64_t *d, size_t d_length, int64_t R) {
  BEGIN(context);
  context->where = "d"; O v0 = ints(there(d, d_length), d_length);
  context->where = "R"; O v1 = integer(R);
  return end(context, gives_bool(l_Gnosis_basinVectorAdmit___boxed(v0, v1)));
}
API(gnosis_basin_control) int64_t gnosis_basin_control(gnosis_context *context, int64_t R, int64_t spent, const int64_t *d, size_t d_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "spent"; O v1 = integer(spent);
  context->where = "d"; O v2 = ints(there(d, d_length), d_length);
  return end(context, gives_list(l_Gnosis_basinControl___boxed(v0, v1, v2), out, room, 'B'));
}
API(gnosis_flow_admit_from) int64_t gnosis_flow_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v5 = ints(there(ds, ds_length), ds_length);
  return end(context, gives_bool(l_Gnosis_flowAdmitFrom___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_basin_flow_admit) int64_t gnosis_basin_flow_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R) {
  BEGIN(context);
  context->where = "ps"; O v0 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v1 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v2 = ints(there(ds, ds_length), ds_length);
  context->where = "R"; O v3 = integer(R);
  return end(context, gives_bool(l_Gnosis_basinFlowAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_flow_path_admit_from) int64_t gnosis_flow_path_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v5 = ints(there(ds, ds_length), ds_length);
  return end(context, gives_bool(l_Gnosis_flowPathAdmitFrom___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_basin_flow_path_admit) int64_t gnosis_basin_flow_path_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R) {
  BEGIN(context);
  context->where = "ps"; O v0 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v1 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v2 = ints(there(ds, ds_length), ds_length);
  context->where = "R"; O v3 = integer(R);
  return end(context, gives_bool(l_Gnosis_basinFlowPathAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_flow_survives) int64_t gnosis_flow_survives(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  return end(context, gives_bool(l_Gnosis_flowSurvives___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_flow_control) int64_t gnosis_flow_control(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v5 = ints(there(ds, ds_length), ds_length);
  return end(context, gives_list(l_Gnosis_flowControl___boxed(v0, v1, v2, v3, v4, v5), out, room, 'B'));
}
API(gnosis_basin_flow_control) int64_t gnosis_basin_flow_control(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "ps"; O v0 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v1 = ints(there(qs, qs_length), qs_length);
  context->where = "ds"; O v2 = ints(there(ds, ds_length), ds_length);
  context->where = "R"; O v3 = integer(R);
  return end(context, gives_list(l_Gnosis_basinFlowControl___boxed(v0, v1, v2, v3), out, room, 'B'));
}
API(gnosis_rounded_step) int64_t gnosis_rounded_step(gnosis_context *context, int64_t N, int64_t D, int64_t p, int64_t q, int64_t r, int64_t d, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = integer(N);
  context->where = "D"; O v1 = integer(D);
  context->where = "p"; O v2 = integer(p);
  context->where = "q"; O v3 = integer(q);
  context->where = "r"; O v4 = integer(r);
  context->where = "d"; O v5 = integer(d);
  return end(context, gives_number(l_Gnosis_roundedStep___boxed(v0, v1, v2, v3, v4, v5), out));
}
API(gnosis_rounded_path_admit_from) int64_t gnosis_rounded_path_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "rs"; O v5 = ints(there(rs, rs_length), rs_length);
  context->where = "ds"; O v6 = ints(there(ds, ds_length), ds_length);
  return end(context, gives_bool(l_Gnosis_roundedPathAdmitFrom___boxed(v0, v1, v2, v3, v4, v5, v6)));
}
API(gnosis_basin_flow_rounded_admit) int64_t gnosis_basin_flow_rounded_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t R) {
  BEGIN(context);
  context->where = "ps"; O v0 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v1 = ints(there(qs, qs_length), qs_length);
  context->where = "rs"; O v2 = ints(there(rs, rs_length), rs_length);
  context->where = "ds"; O v3 = ints(there(ds, ds_length), ds_length);
  context->where = "R"; O v4 = integer(R);
  return end(context, gives_bool(l_Gnosis_basinFlowRoundedAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_rounded_survives) int64_t gnosis_rounded_survives(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "rs"; O v5 = ints(there(rs, rs_length), rs_length);
  return end(context, gives_bool(l_Gnosis_roundedSurvives___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_rounded_control) int64_t gnosis_rounded_control(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "R"; O v0 = integer(R);
  context->where = "N"; O v1 = integer(N);
  context->where = "D"; O v2 = integer(D);
  context->where = "ps"; O v3 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v4 = ints(there(qs, qs_length), qs_length);
  context->where = "rs"; O v5 = ints(there(rs, rs_length), rs_length);
  context->where = "ds"; O v6 = ints(there(ds, ds_length), ds_length);
  return end(context, gives_list(l_Gnosis_roundedControl___boxed(v0, v1, v2, v3, v4, v5, v6), out, room, 'B'));
}
API(gnosis_basin_flow_rounded_control) int64_t gnosis_basin_flow_rounded_control(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t R, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "ps"; O v0 = ints(there(ps, ps_length), ps_length);
  context->where = "qs"; O v1 = ints(there(qs, qs_length), qs_length);
  context->where = "rs"; O v2 = ints(there(rs, rs_length), rs_length);
  context->where = "ds"; O v3 = ints(there(ds, ds_length), ds_length);
  context->where = "R"; O v4 = integer(R);
  return end(context, gives_list(l_Gnosis_basinFlowRoundedControl___boxed(v0, v1, v2, v3, v4), out, room, 'B'));
}
API(gnosis_sq_dist) int64_t gnosis_sq_dist(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, const int64_t *zs, size_t zs_length, int64_t *out) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  context->where = "zs"; O v2 = ints(there(zs, zs_length), zs_length);
  return end(context, gives_number(l_Gnosis_sqDist___boxed(v0, v1, v2), out));
}
API(gnosis_nearest_int) int64_t gnosis_nearest_int(gnosis_context *context, int64_t m, int64_t x, int64_t *out) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "x"; O v1 = integer(x);
  return end(context, gives_number(l_Gnosis_nearestInt___boxed(v0, v1), out));
}
API(gnosis_round_error) int64_t gnosis_round_error(gnosis_context *context, int64_t m, int64_t x, int64_t *out) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "x"; O v1 = integer(x);
  return end(context, gives_number(l_Gnosis_roundError___boxed(v0, v1), out));
}
API(gnosis_second_nearest) int64_t gnosis_second_nearest(gnosis_context *context, int64_t m, int64_t x, int64_t *out) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "x"; O v1 = integer(x);
  return end(context, gives_number(l_Gnosis_secondNearest___boxed(v0, v1), out));
}
API(gnosis_cubic_decode) int64_t gnosis_cubic_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  return end(context, gives_list(l_Gnosis_cubicDecode(v0, v1), out, room, 'I'));
}
API(gnosis_dn_decode) int64_t gnosis_dn_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  return end(context, gives_list(l_Gnosis_dnDecode(v0, v1), out, room, 'I'));
}
API(gnosis_dn_plus_decode) int64_t gnosis_dn_plus_decode(gnosis_context *context, int64_t h, const int64_t *xs, size_t xs_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "h"; O v0 = integer(h);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  return end(context, gives_list(l_Gnosis_dnPlusDecode(v0, v1), out, room, 'I'));
}
API(gnosis_is_d8) int64_t gnosis_is_d8(gnosis_context *context, const int64_t *zs, size_t zs_length) {
  BEGIN(context);
  context->where = "zs"; O v0 = ints(there(zs, zs_length), zs_length);
  return end(context, gives_bool(l_Gnosis_isD8___boxed(v0)));
}
API(gnosis_is_e8) int64_t gnosis_is_e8(gnosis_context *context, const int64_t *ws, size_t ws_length) {
  BEGIN(context);
  context->where = "ws"; O v0 = ints(there(ws, ws_length), ws_length);
  return end(context, gives_bool(l_Gnosis_isE8___boxed(v0)));
}
API(gnosis_d8_decode) int64_t gnosis_d8_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "m"; O v0 = integer(m);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  return end(context, gives_list(l_Gnosis_d8Decode(v0, v1), out, room, 'I'));
}
API(gnosis_e8_decode) int64_t gnosis_e8_decode(gnosis_context *context, int64_t h, const int64_t *xs, size_t xs_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "h"; O v0 = integer(h);
  context->where = "xs"; O v1 = ints(there(xs, xs_length), xs_length);
  return end(context, gives_list(l_Gnosis_e8Decode(v0, v1), out, room, 'I'));
}
API(gnosis_bet_ok) int64_t gnosis_bet_ok(gnosis_context *context, int64_t N, int64_t p, int64_t q) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_betOk___boxed(v0, v1, v2)));
}
API(gnosis_step_factor) int64_t gnosis_step_factor(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "u"; O v3 = natural(u, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_stepFactor___boxed(v0, v1, v2, v3), out));
}
API(gnosis_covered) int64_t gnosis_covered(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t b) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "n_delta"; O v3 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v4 = natural(d_delta, NO_ENTRY);
  context->where = "t"; O v5 = natural(t, NO_ENTRY);
  context->where = "L"; O v6 = natural(L, NO_ENTRY);
  context->where = "b"; O v7 = natural(b, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_covered___boxed(v0, v1, v2, v3, v4, v5, v6, v7)));
}
API(gnosis_cumloss_admit) int64_t gnosis_cumloss_admit(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t u, int64_t b) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "n_delta"; O v3 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v4 = natural(d_delta, NO_ENTRY);
  context->where = "t"; O v5 = natural(t, NO_ENTRY);
  context->where = "L"; O v6 = natural(L, NO_ENTRY);
  context->where = "u"; O v7 = natural(u, NO_ENTRY);
  context->where = "b"; O v8 = natural(b, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_cumlossAdmit___boxed(v0, v1, v2, v3, v4, v5, v6, v7, v8)));
}
API(gnosis_cumloss_step) int64_t gnosis_cumloss_step(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t u, int64_t b, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "n_delta"; O v3 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v4 = natural(d_delta, NO_ENTRY);
  context->where = "t"; O v5 = natural(t, NO_ENTRY);
  context->where = "L"; O v6 = natural(L, NO_ENTRY);
  context->where = "u"; O v7 = natural(u, NO_ENTRY);
  context->where = "b"; O v8 = natural(b, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_cumlossStep___boxed(v0, v1, v2, v3, v4, v5, v6, v7, v8), out));
}
API(gnosis_pays) int64_t gnosis_pays(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t a) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "u"; O v3 = natural(u, NO_ENTRY);
  context->where = "a"; O v4 = natural(a, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_pays___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_reserve_pays) int64_t gnosis_reserve_pays(gnosis_context *context, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t r) {
  BEGIN(context);
  context->where = "p"; O v0 = natural(p, NO_ENTRY);
  context->where = "q"; O v1 = natural(q, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  context->where = "r"; O v4 = natural(r, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_reservePays___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_least_charge) int64_t gnosis_least_charge(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "p"; O v1 = natural(p, NO_ENTRY);
  context->where = "q"; O v2 = natural(q, NO_ENTRY);
  context->where = "u"; O v3 = natural(u, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_leastCharge(v0, v1, v2, v3), out));
}
API(gnosis_least_reserve) int64_t gnosis_least_reserve(gnosis_context *context, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t *out) {
  BEGIN(context);
  context->where = "p"; O v0 = natural(p, NO_ENTRY);
  context->where = "q"; O v1 = natural(q, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_leastReserve(v0, v1, v2, v3), out));
}
API(gnosis_charge_admit) int64_t gnosis_charge_admit(gnosis_context *context, int64_t account, int64_t offer, int64_t budget) {
  BEGIN(context);
  context->where = "account"; O v0 = natural(account, NO_ENTRY);
  context->where = "offer"; O v1 = natural(offer, NO_ENTRY);
  context->where = "budget"; O v2 = natural(budget, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_chargeAdmit___boxed(v0, v1, v2)));
}
API(gnosis_charge_settle) int64_t gnosis_charge_settle(gnosis_context *context, int64_t account, int64_t offer, int64_t charge, int64_t budget, int64_t *out) {
  BEGIN(context);
  context->where = "account"; O v0 = natural(account, NO_ENTRY);
  context->where = "offer"; O v1 = natural(offer, NO_ENTRY);
  context->where = "charge"; O v2 = natural(charge, NO_ENTRY);
  context->where = "budget"; O v3 = natural(budget, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_chargeSettle___boxed(v0, v1, v2, v3), out));
}
API(gnosis_charge_run) int64_t gnosis_charge_run(gnosis_context *context, int64_t account, const int64_t *steps, size_t steps_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "account"; O v0 = natural(account, NO_ENTRY);
  context->where = "steps"; O v1 = tuples(there(steps, steps_length), steps_length, 3);
  return end(context, gives_list(l_Gnosis_chargeRun___boxed(v0, v1), out, room, 'B'));
}
API(gnosis_union_admit) int64_t gnosis_union_admit(gnosis_context *context, int64_t n_delta, int64_t d_delta, int64_t n_pi, int64_t d_pi, int64_t t) {
  BEGIN(context);
  context->where = "n_delta"; O v0 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v1 = natural(d_delta, NO_ENTRY);
  context->where = "n_pi"; O v2 = natural(n_pi, NO_ENTRY);
  context->where = "d_pi"; O v3 = natural(d_pi, NO_ENTRY);
  context->where = "t"; O v4 = natural(t, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_unionAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_union_life) int64_t gnosis_union_life(gnosis_context *context, int64_t n_delta, int64_t d_delta, int64_t n_pi, int64_t d_pi, int64_t *out) {
  BEGIN(context);
  context->where = "n_delta"; O v0 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v1 = natural(d_delta, NO_ENTRY);
  context->where = "n_pi"; O v2 = natural(n_pi, NO_ENTRY);
  context->where = "d_pi"; O v3 = natural(d_pi, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_unionLife(v0, v1, v2, v3), out));
}
API(gnosis_stake_admit) int64_t gnosis_stake_admit(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t a) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "m"; O v1 = natural(m, NO_ENTRY);
  context->where = "b"; O v2 = natural(b, NO_ENTRY);
  context->where = "a"; O v3 = natural(a, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_stakeAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_betting_factor) int64_t gnosis_betting_factor(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t a, int64_t x, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "m"; O v1 = natural(m, NO_ENTRY);
  context->where = "b"; O v2 = natural(b, NO_ENTRY);
  context->where = "a"; O v3 = natural(a, NO_ENTRY);
  context->where = "x"; O v4 = natural(x, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_bettingFactor___boxed(v0, v1, v2, v3, v4), out));
}
API(gnosis_steps_ok) int64_t gnosis_steps_ok(gnosis_context *context, int64_t N, int64_t m, int64_t b, const int64_t *steps, size_t steps_length) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "m"; O v1 = natural(m, NO_ENTRY);
  context->where = "b"; O v2 = natural(b, NO_ENTRY);
  context->where = "steps"; O v3 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_bool(l_Gnosis_stepsOk___boxed(v0, v1, v2, v3)));
}
API(gnosis_betting_num) int64_t gnosis_betting_num(gnosis_context *context, int64_t N, int64_t m, int64_t b, const int64_t *steps, size_t steps_length, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "m"; O v1 = natural(m, NO_ENTRY);
  context->where = "b"; O v2 = natural(b, NO_ENTRY);
  context->where = "steps"; O v3 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_number(l_Gnosis_bettingNum___boxed(v0, v1, v2, v3), out));
}
API(gnosis_betting_den) int64_t gnosis_betting_den(gnosis_context *context, int64_t N, int64_t b, const int64_t *steps, size_t steps_length, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "b"; O v1 = natural(b, NO_ENTRY);
  context->where = "steps"; O v2 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_number(l_Gnosis_bettingDen___boxed(v0, v1, v2), out));
}
API(gnosis_betting_rejects) int64_t gnosis_betting_rejects(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "m"; O v1 = natural(m, NO_ENTRY);
  context->where = "b"; O v2 = natural(b, NO_ENTRY);
  context->where = "n_delta"; O v3 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v4 = natural(d_delta, NO_ENTRY);
  context->where = "steps"; O v5 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_bool(l_Gnosis_bettingRejects___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_betting_upper_from) int64_t gnosis_betting_upper_from(gnosis_context *context, int64_t N, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t m, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "b"; O v1 = natural(b, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  context->where = "steps"; O v4 = tuples(there(steps, steps_length), steps_length, 2);
  context->where = "m"; O v5 = natural(m, NO_ENTRY);
  return end(context, gives_number(l_Gnosis_bettingUpperFrom___boxed(v0, v1, v2, v3, v4, v5), out));
}
API(gnosis_betting_upper) int64_t gnosis_betting_upper(gnosis_context *context, int64_t N, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "b"; O v1 = natural(b, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  context->where = "steps"; O v4 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_number(l_Gnosis_bettingUpper___boxed(v0, v1, v2, v3, v4), out));
}
API(gnosis_claim_bound) int64_t gnosis_claim_bound(gnosis_context *context, int64_t G, const uint8_t *rejected, size_t rejected_length, int64_t *out) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "rejected"; O v1 = bools(there(rejected, rejected_length), rejected_length);
  return end(context, gives_number(l_Gnosis_claimBound(v0, v1), out));
}
API(gnosis_mirrored) int64_t gnosis_mirrored(gnosis_context *context, int64_t G, const int64_t *steps, size_t steps_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "steps"; O v1 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_list(l_Gnosis_mirrored___boxed(v0, v1), out, room, 'P'));
}
API(gnosis_betting_upper_bound) int64_t gnosis_betting_upper_bound(gnosis_context *context, int64_t G, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "b"; O v1 = natural(b, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  context->where = "steps"; O v4 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_number(l_Gnosis_bettingUpperBound___boxed(v0, v1, v2, v3, v4), out));
}
API(gnosis_betting_lower_bound) int64_t gnosis_betting_lower_bound(gnosis_context *context, int64_t G, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "b"; O v1 = natural(b, NO_ENTRY);
  context->where = "n_delta"; O v2 = natural(n_delta, NO_ENTRY);
  context->where = "d_delta"; O v3 = natural(d_delta, NO_ENTRY);
  context->where = "steps"; O v4 = tuples(there(steps, steps_length), steps_length, 2);
  return end(context, gives_number(l_Gnosis_bettingLowerBound___boxed(v0, v1, v2, v3, v4), out));
}
API(gnosis_left_mass) int64_t gnosis_left_mass(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_leftMass___boxed(v0), out));
}
API(gnosis_right_mass) int64_t gnosis_right_mass(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_rightMass___boxed(v0), out));
}
API(gnosis_excess) int64_t gnosis_excess(gnosis_context *context, int64_t S, int64_t S2, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "S"; O v0 = natural(S, NO_ENTRY);
  context->where = "S2"; O v1 = natural(S2, NO_ENTRY);
  context->where = "ps"; O v2 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_excess___boxed(v0, v1, v2), out));
}
API(gnosis_tv_num) int64_t gnosis_tv_num(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_tvNum___boxed(v0), out));
}
API(gnosis_grid_loss) int64_t gnosis_grid_loss(gnosis_context *context, int64_t G, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "ps"; O v1 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_gridLoss___boxed(v0, v1), out));
}
API(gnosis_ratio_admit) int64_t gnosis_ratio_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t a, int64_t b, const int64_t *ps, size_t ps_length) {
  BEGIN(context);
  context->where = "P"; O v0 = natural(P, NO_ENTRY);
  context->where = "Q"; O v1 = natural(Q, NO_ENTRY);
  context->where = "a"; O v2 = natural(a, NO_ENTRY);
  context->where = "b"; O v3 = natural(b, NO_ENTRY);
  context->where = "ps"; O v4 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_bool(l_Gnosis_ratioAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_spread_admit) int64_t gnosis_spread_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t c, int64_t e, int64_t f, int64_t g, const int64_t *ps, size_t ps_length) {
  BEGIN(context);
  context->where = "P"; O v0 = natural(P, NO_ENTRY);
  context->where = "Q"; O v1 = natural(Q, NO_ENTRY);
  context->where = "c"; O v2 = natural(c, NO_ENTRY);
  context->where = "e"; O v3 = natural(e, NO_ENTRY);
  context->where = "f"; O v4 = natural(f, NO_ENTRY);
  context->where = "g"; O v5 = natural(g, NO_ENTRY);
  context->where = "ps"; O v6 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_bool(l_Gnosis_spreadAdmit___boxed(v0, v1, v2, v3, v4, v5, v6)));
}
API(gnosis_served_admit) int64_t gnosis_served_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t n, int64_t d) {
  BEGIN(context);
  context->where = "P"; O v0 = natural(P, NO_ENTRY);
  context->where = "Q"; O v1 = natural(Q, NO_ENTRY);
  context->where = "n"; O v2 = natural(n, NO_ENTRY);
  context->where = "d"; O v3 = natural(d, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_servedAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_total) int64_t gnosis_total(gnosis_context *context, const int64_t *s, size_t s_length, int64_t *out) {
  BEGIN(context);
  context->where = "s"; O v0 = nats(there(s, s_length), s_length);
  return end(context, gives_number(l_Gnosis_total___boxed(v0), out));
}
API(gnosis_roots_ok) int64_t gnosis_roots_ok(gnosis_context *context, int64_t S, int64_t S2, const int64_t *ps, size_t ps_length, const int64_t *s, size_t s_length) {
  BEGIN(context);
  context->where = "S"; O v0 = natural(S, NO_ENTRY);
  context->where = "S2"; O v1 = natural(S2, NO_ENTRY);
  context->where = "ps"; O v2 = tuples(there(ps, ps_length), ps_length, 2);
  context->where = "s"; O v3 = nats(there(s, s_length), s_length);
  return end(context, gives_bool(l_Gnosis_rootsOk___boxed(v0, v1, v2, v3)));
}
API(gnosis_hellinger_admit) int64_t gnosis_hellinger_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *s, size_t s_length, int64_t n, int64_t d) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  context->where = "s"; O v1 = nats(there(s, s_length), s_length);
  context->where = "n"; O v2 = natural(n, NO_ENTRY);
  context->where = "d"; O v3 = natural(d, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_hellingerAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_weighted_budget) int64_t gnosis_weighted_budget(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_number(l_Gnosis_weightedBudget___boxed(v0), out));
}
API(gnosis_topk_budget) int64_t gnosis_topk_budget(gnosis_context *context, int64_t N, int64_t Bmax, const int64_t *head, size_t head_length, int64_t *out) {
  BEGIN(context);
  context->where = "N"; O v0 = natural(N, NO_ENTRY);
  context->where = "Bmax"; O v1 = natural(Bmax, NO_ENTRY);
  context->where = "head"; O v2 = tuples(there(head, head_length), head_length, 2);
  return end(context, gives_number(l_Gnosis_topkBudget___boxed(v0, v1, v2), out));
}
API(gnosis_tilt_pairs) int64_t gnosis_tilt_pairs(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "ps"; O v0 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_list(l_Gnosis_tiltPairs(v0), out, room, 'P'));
}
API(gnosis_gauge_ok) int64_t gnosis_gauge_ok(gnosis_context *context, int64_t B, const int64_t *ps, size_t ps_length) {
  BEGIN(context);
  context->where = "B"; O v0 = natural(B, NO_ENTRY);
  context->where = "ps"; O v1 = tuples(there(ps, ps_length), ps_length, 2);
  return end(context, gives_bool(l_Gnosis_gaugeOk___boxed(v0, v1)));
}
API(gnosis_step_budget_admit) int64_t gnosis_step_budget_admit(gnosis_context *context, int64_t G, int64_t zn, int64_t zd, int64_t u) {
  BEGIN(context);
  context->where = "G"; O v0 = natural(G, NO_ENTRY);
  context->where = "zn"; O v1 = natural(zn, NO_ENTRY);
  context->where = "zd"; O v2 = natural(zd, NO_ENTRY);
  context->where = "u"; O v3 = natural(u, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_stepBudgetAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_flip_at) int64_t gnosis_flip_at(gnosis_context *context, const uint8_t *asked, size_t asked_length, const int64_t *tokens, size_t tokens_length, const int64_t *says, size_t says_length, int64_t *out) {
  BEGIN(context);
  context->where = "asked"; O v0 = bools(there(asked, asked_length), asked_length);
  context->where = "tokens"; O v1 = nats(there(tokens, tokens_length), tokens_length);
  context->where = "says"; O v2 = nats(there(says, says_length), says_length);
  return end(context, gives_number(l_Gnosis_flipAt___boxed(v0, v1, v2), out));
}
API(gnosis_refine_text) int64_t gnosis_refine_text(gnosis_context *context, int64_t tau, const int64_t *coarse, size_t coarse_length, const int64_t *fine, size_t fine_length, const int64_t *steps, size_t steps_length, const int64_t *prompt, size_t prompt_length, int64_t *out, size_t room) {
  BEGIN(context);
  context->where = "tau"; O v0 = integer(tau);
  context->where = "coarse"; O v1 = tuples(there(coarse, coarse_length), coarse_length, 2);
  context->where = "fine"; O v2 = nats(there(fine, fine_length), fine_length);
  context->where = "steps"; O v3 = tuples(there(steps, steps_length), steps_length, 3);
  context->where = "prompt"; O v4 = nats(there(prompt, prompt_length), prompt_length);
  return end(context, gives_list(l_Gnosis_refineText(v0, v1, v2, v3, v4), out, room, 'N'));
}
API(gnosis_energy_admit_double) int64_t gnosis_energy_admit_double(gnosis_context *context, const double *tau, size_t tau_length, const double *a, size_t a_length, double gamma) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "tau"; e = unit_of(tau, tau_length, NO_UNIT, false); if (e < unit_v) unit_v = e;
  context->where = "a"; e = unit_of(a, a_length, NO_UNIT, false); if (e < unit_w) unit_w = e;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "tau"; O v0 = exacts(tau, tau_length, unit_v);
  context->where = "a"; O v1 = exacts(a, a_length, unit_w);
  context->where = "gamma"; O v2 = exact(gamma, unit_v + unit_w);
  return end(context, gives_bool(l_Gnosis_energyAdmit___boxed(v0, v1, v2)));
}
API(gnosis_energy_sidecar_admit_double) int64_t gnosis_energy_sidecar_admit_double(gnosis_context *context, double E, double A, double gamma) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "E"; e = unit_of(&E, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_v) unit_v = e >> 1;
  context->where = "A"; e = unit_of(&A, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_w) unit_w = e >> 1;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "E"; O v0 = exact(E, unit_v + unit_v);
  context->where = "A"; O v1 = exact(A, unit_w + unit_w);
  context->where = "gamma"; O v2 = exact(gamma, unit_v + unit_w);
  return end(context, gives_bool(l_Gnosis_energySidecarAdmit___boxed(v0, v1, v2)));
}
API(gnosis_energy_sidecar_admit_strict_double) int64_t gnosis_energy_sidecar_admit_strict_double(gnosis_context *context, double E, double A, double gamma) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "E"; e = unit_of(&E, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_v) unit_v = e >> 1;
  context->where = "A"; e = unit_of(&A, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_w) unit_w = e >> 1;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "E"; O v0 = exact(E, unit_v + unit_v);
  context->where = "A"; O v1 = exact(A, unit_w + unit_w);
  context->where = "gamma"; O v2 = exact(gamma, unit_v + unit_w);
  return end(context, gives_bool(l_Gnosis_energySidecarAdmitStrict___boxed(v0, v1, v2)));
}
API(gnosis_margin_admit_double) int64_t gnosis_margin_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "tau"; e = unit_of(&tau, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = exact(tau, unit_u);
  return end(context, gives_bool(l_Gnosis_marginAdmit___boxed(v0, v1, v2)));
}
API(gnosis_margin_admit_strict_double) int64_t gnosis_margin_admit_strict_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "tau"; e = unit_of(&tau, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = exact(tau, unit_u);
  return end(context, gives_bool(l_Gnosis_marginAdmitStrict___boxed(v0, v1, v2)));
}
API(gnosis_margin_admit_lowest_double) int64_t gnosis_margin_admit_lowest_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "tau"; e = unit_of(&tau, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "tau"; O v2 = exact(tau, unit_u);
  return end(context, gives_bool(l_Gnosis_marginAdmitLowest___boxed(v0, v1, v2)));
}
API(gnosis_row_admit_double) int64_t gnosis_row_admit_double(gnosis_context *context, const double *z, size_t z_length, const double *eps, size_t eps_length, int64_t w) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "eps"; e = unit_of(eps, eps_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "eps"; O v1 = exacts(eps, eps_length, unit_u);
  context->where = "w"; O v2 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_rowAdmit___boxed(v0, v1, v2)));
}
API(gnosis_candidates_double) int64_t gnosis_candidates_double(gnosis_context *context, const double *z, size_t z_length, const double *eps, size_t eps_length, int64_t *out, size_t room) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "eps"; e = unit_of(eps, eps_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "eps"; O v1 = exacts(eps, eps_length, unit_u);
  return end(context, gives_list(l_Gnosis_candidates(v0, v1), out, room, 'N'));
}
API(gnosis_topk_admit_double) int64_t gnosis_topk_admit_double(gnosis_context *context, const double *z, size_t z_length, const uint8_t *S, size_t S_length, double eps) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "eps"; e = unit_of(&eps, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "S"; O v1 = bools(there(S, S_length), S_length);
  context->where = "eps"; O v2 = exact(eps, unit_u);
  return end(context, gives_bool(l_Gnosis_topkAdmit___boxed(v0, v1, v2)));
}
API(gnosis_topk_gap_admit_double) int64_t gnosis_topk_gap_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t k, double eps) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "eps"; e = unit_of(&eps, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_u);
  context->where = "k"; O v1 = natural(k, NO_ENTRY);
  context->where = "eps"; O v2 = exact(eps, unit_u);
  return end(context, gives_bool(l_Gnosis_topkGapAdmit___boxed(v0, v1, v2)));
}
API(gnosis_jit_admit_double) int64_t gnosis_jit_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A, double gamma) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "E"; e = unit_of(E, E_length, NO_UNIT, false); if (e != NO_UNIT && (e >> 1) < unit_v) unit_v = e >> 1;
  context->where = "A"; e = unit_of(&A, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_w) unit_w = e >> 1;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_v + unit_w);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = exacts(E, E_length, unit_v + unit_v);
  context->where = "A"; O v3 = exact(A, unit_w + unit_w);
  context->where = "gamma"; O v4 = exact(gamma, unit_v + unit_w);
  return end(context, gives_bool(l_Gnosis_jitAdmit___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_jit_admit_strict_double) int64_t gnosis_jit_admit_strict_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A, double gamma) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "E"; e = unit_of(E, E_length, NO_UNIT, false); if (e != NO_UNIT && (e >> 1) < unit_v) unit_v = e >> 1;
  context->where = "A"; e = unit_of(&A, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_w) unit_w = e >> 1;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_v + unit_w);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = exacts(E, E_length, unit_v + unit_v);
  context->where = "A"; O v3 = exact(A, unit_w + unit_w);
  context->where = "gamma"; O v4 = exact(gamma, unit_v + unit_w);
  return end(context, gives_bool(l_Gnosis_jitAdmitStrict___boxed(v0, v1, v2, v3, v4)));
}
API(gnosis_jit_lead_admit_double) int64_t gnosis_jit_lead_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A) {
  BEGIN(context);
  int unit_v = NO_UNIT, unit_w = NO_UNIT, e;
  context->where = "E"; e = unit_of(E, E_length, NO_UNIT, false); if (e != NO_UNIT && (e >> 1) < unit_v) unit_v = e >> 1;
  context->where = "A"; e = unit_of(&A, 1, NO_UNIT, true); if (e != NO_UNIT && (e >> 1) < unit_w) unit_w = e >> 1;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_v + unit_w) unit_v = e - unit_w;
  if (unit_v == NO_UNIT) unit_v = 0;
  if (unit_w == NO_UNIT) unit_w = 0;
  context->where = "z"; O v0 = exacts(z, z_length, unit_v + unit_w);
  context->where = "w"; O v1 = natural(w, NO_ENTRY);
  context->where = "E"; O v2 = exacts(E, E_length, unit_v + unit_v);
  context->where = "A"; O v3 = exact(A, unit_w + unit_w);
  return end(context, gives_bool(l_Gnosis_jitLeadAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_tukey_admit_double) int64_t gnosis_tukey_admit_double(gnosis_context *context, double r, double gamma) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "r"; e = unit_of(&r, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "r"; O v0 = exact(r, unit_u);
  context->where = "gamma"; O v1 = exact(gamma, unit_u);
  return end(context, gives_bool(l_Gnosis_tukeyAdmit___boxed(v0, v1)));
}
API(gnosis_conformal_admit_double) int64_t gnosis_conformal_admit_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "scores"; e = unit_of(scores, scores_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "scores"; O v0 = exacts(scores, scores_length, unit_u);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = exact(gamma, unit_u);
  return end(context, gives_bool(l_Gnosis_conformalAdmit___boxed(v0, v1, v2, v3)));
}
API(gnosis_conformal_margin_admit_double) int64_t gnosis_conformal_margin_admit_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma, const double *z, size_t z_length, int64_t w) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "scores"; e = unit_of(scores, scores_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "scores"; O v0 = exacts(scores, scores_length, unit_u);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = exact(gamma, unit_u);
  context->where = "z"; O v4 = exacts(z, z_length, unit_u);
  context->where = "w"; O v5 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_conformalMarginAdmit___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_conformal_margin_admit_lowest_double) int64_t gnosis_conformal_margin_admit_lowest_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma, const double *z, size_t z_length, int64_t w) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "scores"; e = unit_of(scores, scores_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "gamma"; e = unit_of(&gamma, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  context->where = "z"; e = unit_of(z, z_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "scores"; O v0 = exacts(scores, scores_length, unit_u);
  context->where = "num"; O v1 = natural(num, NO_ENTRY);
  context->where = "den"; O v2 = natural(den, NO_ENTRY);
  context->where = "gamma"; O v3 = exact(gamma, unit_u);
  context->where = "z"; O v4 = exacts(z, z_length, unit_u);
  context->where = "w"; O v5 = natural(w, NO_ENTRY);
  return end(context, gives_bool(l_Gnosis_conformalMarginAdmitLowest___boxed(v0, v1, v2, v3, v4, v5)));
}
API(gnosis_basin_admit_double) int64_t gnosis_basin_admit_double(gnosis_context *context, const double *delta, size_t delta_length, double R) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "delta"; e = unit_of(delta, delta_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "R"; e = unit_of(&R, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "delta"; O v0 = exacts(delta, delta_length, unit_u);
  context->where = "R"; O v1 = exact(R, unit_u);
  return end(context, gives_bool(l_Gnosis_basinAdmit___boxed(v0, v1)));
}
API(gnosis_basin_vector_admit_double) int64_t gnosis_basin_vector_admit_double(gnosis_context *context, const double *d, size_t d_length, double R) {
  BEGIN(context);
  int unit_u = NO_UNIT, e;
  context->where = "d"; e = unit_of(d, d_length, NO_UNIT, false); if (e < unit_u) unit_u = e;
  context->where = "R"; e = unit_of(&R, 1, NO_UNIT, true); if (e < unit_u) unit_u = e;
  if (unit_u == NO_UNIT) unit_u = 0;
  context->where = "d"; O v0 = exacts(d, d_length, unit_u);
  context->where = "R"; O v1 = exact(R, unit_u);
  return end(context, gives_bool(l_Gnosis_basinVectorAdmit___boxed(v0, v1)));
}
#endif
