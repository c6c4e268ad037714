/* Memory, failures and closures.  Of the C library only setjmp: memory is the block that the caller lends. */
#include <lean/lean.h>

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
