/* The compiled decisions as a process: requests from descriptor 0, answers on descriptor 1, little-endian.

   request:  u32 number of the decision, u32 how many cases, u64 bytes of what follows; then the cases
   answer:   u32 0, u32 how many results, u64 nanoseconds, u64 bytes of what follows; then the results
             u32 1, … in the same places, then text: the request was malformed, and the process ends

   case:     all scalar arguments as one vector; then the others in order: vectors; bits; lists of vectors and of bits as
             a vector of lengths and one of all entries; pairs and triples as a vector of all numbers
   vector:   u32 count, u32 form; form 0: count × i64; form 1: count × number of 64-bit limbs
   number:   u32 limbs·2 + (1 if negative), limbs, lowest first, the highest not zero
   bits:     u32 count, count bytes that are 0 or 1
   result:   a byte for a truth value; a number of 32-bit limbs; a byte and, after 1, a number for an option;
             u32 count and the entries for a list

   `table` is written beside this file when the oracle is built, and calls the functions that Lean's code generator wrote. */
#include <lean/lean.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

typedef lean_object *O;
/* arguments: i n integer, natural number; I N B lists of them and of truth values; L M lists of I and B; P T pairs, triples */
struct decision { O (*run)(O *); const char *takes; char gives; };
extern const struct decision gnosis_table[];
extern const unsigned gnosis_decisions;
void lean_initialize_runtime_module(void);

enum { MOST = 1 << 30 }; /* bytes of a request */

/* ---- bytes in and out ---- */

static uint8_t *answer;
static size_t filled, room;

static void put(const void *bytes, size_t n) {
  if (filled + n > room) {
    room = 2 * (filled + n);
    if (!(answer = realloc(answer, room))) _exit(3);
  }
  memcpy(answer + filled, bytes, n);
  filled += n;
}
static void put32(uint32_t x) { put(&x, 4); }
static void put64(uint64_t x) { put(&x, 8); }

static void send(void) {
  for (size_t done = 0; done < filled;) {
    ssize_t n = write(1, answer + done, filled - done);
    if (n < 0 && errno != EINTR) _exit(0); /* nobody reads any more */
    if (n > 0) done += (size_t)n;
  }
}

static _Noreturn void refuse(const char *why) {
  filled = 0;
  put32(1); put32(0); put64(0); put64(strlen(why)); put(why, strlen(why));
  send();
  _exit(1);
}

/* n bytes; false at the end of the input */
static bool get(void *to, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t k = read(0, (char *)to + done, n - done);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) {
      if (done || k < 0) refuse("the input ended within a request");
      return false;
    }
    done += (size_t)k;
  }
  return true;
}

/* ---- values in ---- */

static const uint8_t *at, *end;
static O two_to_64;
static O *entries; /* of the vector that was read last */
static size_t space;

static const uint8_t *take(size_t n) {
  if ((size_t)(end - at) < n) refuse("a case is cut short");
  const uint8_t *start = at;
  at += n;
  return start;
}
static uint32_t take32(void) { uint32_t x; memcpy(&x, take(4), 4); return x; }
static uint64_t limb(const uint8_t *from, size_t i) { uint64_t x; memcpy(&x, from + 8 * i, 8); return x; }

static O big(uint32_t head, bool natural) {
  uint32_t limbs = head >> 1;
  const uint8_t *from = take((size_t)limbs * 8);
  if (limbs ? !limb(from, limbs - 1) : head & 1) refuse("a number that is not in canonical form");
  if (natural && head & 1) refuse("a negative natural number");
  O x = lean_box(0);
  for (uint32_t i = limbs; i--;) {
    O shifted = lean_nat_mul(x, two_to_64), low = lean_usize_to_nat(limb(from, i));
    lean_dec(x);
    x = lean_nat_add(shifted, low);
    lean_dec(shifted);
    lean_dec(low);
  }
  if (natural) return x;
  x = lean_nat_to_int(x);
  if (!(head & 1)) return x;
  O negative = lean_int_neg(x);
  lean_dec(x);
  return negative;
}

/* how many entries there are, now in `entries` */
static uint32_t vector(bool natural) {
  uint32_t n = take32(), form = take32();
  if (form > 1) refuse("an unknown form of vector");
  if ((size_t)(end - at) / (form ? 4 : 8) < n) refuse("a case is cut short");
  if (n > space) {
    space = 2 * (size_t)n;
    if (!(entries = realloc(entries, space * sizeof(O)))) _exit(3);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (form) {
      entries[i] = big(take32(), natural);
      continue;
    }
    int64_t x = (int64_t)limb(take(8), 0);
    if (natural && x < 0) refuse("a negative natural number");
    entries[i] = natural ? lean_usize_to_nat((size_t)x) : lean_int64_to_int(x);
  }
  return n;
}

static const uint8_t *bits(uint32_t *n) {
  *n = take32();
  const uint8_t *from = take(*n);
  for (uint32_t i = 0; i < *n; i++) if (from[i] > 1) refuse("a truth value that is neither 0 nor 1");
  return from;
}

static O pair(O a, O b) { O o = lean_alloc_ctor(0, 2, 0); lean_ctor_set(o, 0, a); lean_ctor_set(o, 1, b); return o; }
static O cons(O a, O l) { O o = lean_alloc_ctor(1, 2, 0); lean_ctor_set(o, 0, a); lean_ctor_set(o, 1, l); return o; }
static O list(O *x, size_t n) { O l = lean_box(0); while (n--) l = cons(x[n], l); return l; }
static O list_bits(const uint8_t *x, size_t n) { O l = lean_box(0); while (n--) l = cons(lean_box(x[n]), l); return l; }

/* lists of lists: the lengths, then all entries */
static O nested(bool of_bits) {
  uint32_t n = vector(true), all = 0;
  uint64_t total = 0;
  size_t *length = malloc((n + 1) * sizeof *length);
  if (!length) _exit(3);
  for (uint32_t i = 0; i < n; i++) {
    if (!lean_is_scalar(entries[i]) || lean_unbox(entries[i]) > MOST) refuse("lengths that do not add up");
    total += length[i] = lean_unbox(entries[i]);
  }
  const uint8_t *flat = of_bits ? bits(&all) : NULL;
  if (!of_bits) all = vector(false);
  if (total != all) refuse("lengths that do not add up");
  O l = lean_box(0);
  for (size_t i = n, stop = all; i--; stop -= length[i])
    l = cons(of_bits ? list_bits(flat + stop - length[i], length[i]) : list(entries + stop - length[i], length[i]), l);
  free(length);
  return l;
}

static O argument(char kind) {
  uint32_t n;
  switch (kind) {
    case 'I': n = vector(false); return list(entries, n);
    case 'N': n = vector(true); return list(entries, n);
    case 'B': { const uint8_t *from = bits(&n); return list_bits(from, n); }
    case 'L': return nested(false);
    case 'M': return nested(true);
  }
  uint32_t each = kind == 'P' ? 2 : 3; /* P, T */
  n = vector(true);
  if (n % each) refuse("lengths that do not add up");
  O l = lean_box(0);
  for (O *x = entries + n; x != entries;) {
    x -= each;
    l = cons(each == 2 ? pair(x[0], x[1]) : pair(x[0], pair(x[1], x[2])), l);
  }
  return l;
}

static bool scalar(char kind) { return kind == 'i' || kind == 'n'; }

/* ---- values out ---- */

static void put_number(O x, bool natural) {
  bool negative = !natural && lean_int_dec_lt(x, lean_box(0));
  O m = x, base = lean_box((size_t)1 << 32);
  if (natural) lean_inc(m);
  else m = lean_nat_abs(x);
  size_t head = filled;
  uint32_t limbs = 0;
  put32(0);
  for (; !lean_is_scalar(m); limbs++) {
    O rest = lean_nat_div(m, base), low = lean_nat_mod(m, base);
    put32((uint32_t)lean_unbox(low));
    lean_dec(m);
    m = rest;
  }
  for (size_t v = lean_unbox(m); v; v >>= 32, limbs++) put32((uint32_t)v);
  limbs = limbs << 1 | negative;
  memcpy(answer + head, &limbs, 4);
}

static void put_value(O x, char kind) {
  uint8_t bit = (uint8_t)lean_unbox(x);
  switch (kind) {
    case 'b': put(&bit, 1); return;
    case 'i': put_number(x, false); return;
    case 'n': put_number(x, true); return;
    case 'o':
      bit = !lean_is_scalar(x);
      put(&bit, 1);
      if (bit) put_number(lean_ctor_get(x, 0), false);
      return;
    case 'p': put_number(lean_ctor_get(x, 0), true); put_number(lean_ctor_get(x, 1), true); return;
  }
  size_t head = filled;
  uint32_t n = 0;
  put32(0);
  for (; !lean_is_scalar(x); x = lean_ctor_get(x, 1), n++)
    put_value(lean_ctor_get(x, 0), kind == 'I' ? 'i' : kind == 'N' ? 'n' : kind == 'B' ? 'b' : 'p');
  memcpy(answer + head, &n, 4);
}

/* ---- memory of big numbers ---- */

/* GMP, inside Lean's library, takes a few bytes from malloc for every number and gives them back soon; keeping them here
   doubles the rate.  Pieces of class c hold 16·c + 8 bytes, as many as malloc gives for that size, so that those from
   before may be kept as well.  A library that does not show these names is used as it is. */
extern void *(*__gmp_allocate_func)(size_t) __attribute__((weak));
extern void *(*__gmp_reallocate_func)(void *, size_t, size_t) __attribute__((weak));
extern void (*__gmp_free_func)(void *, size_t) __attribute__((weak));
enum { CLASSES = 9 };
static void *spare[CLASSES];

static size_t class(size_t n) { return n <= 24 ? 1 : (n + 7) / 16; }
static void *digits(size_t n) {
  size_t c = class(n);
  void *p = c < CLASSES ? spare[c] : NULL;
  if (p) memcpy(&spare[c], p, sizeof p);
  else if (!(p = malloc(16 * c + 8))) _exit(3);
  return p;
}
static void no_digits(void *p, size_t n) {
  size_t c = class(n);
  if (c >= CLASSES) { free(p); return; }
  memcpy(p, &spare[c], sizeof p);
  spare[c] = p;
}
static void *more_digits(void *p, size_t before, size_t n) {
  if (class(before) == class(n)) return p;
  void *q;
  if (class(before) >= CLASSES && class(n) >= CLASSES) {
    if (!(q = realloc(p, 16 * class(n) + 8))) _exit(3);
    return q;
  }
  q = digits(n);
  memcpy(q, p, before < n ? before : n);
  no_digits(p, before);
  return q;
}
static void keep_digits(void) {
  if (!&__gmp_allocate_func || !&__gmp_reallocate_func || !&__gmp_free_func) return;
  __gmp_allocate_func = digits;
  __gmp_reallocate_func = more_digits;
  __gmp_free_func = no_digits;
}

/* ---- the process ---- */

static void one(const struct decision *d) {
  O args[16];
  unsigned scalars = 0;
  bool natural = true;
  for (const char *k = d->takes; *k; k++) if (scalar(*k)) { scalars++; natural = natural && *k == 'n'; }
  if (scalars) {
    /* mixed scalars are read as integers; whether a natural number is negative is looked at below */
    if (vector(natural) != scalars) refuse("the wrong number of arguments");
    unsigned next = 0;
    for (unsigned i = 0; d->takes[i]; i++) {
      if (!scalar(d->takes[i])) continue;
      O x = entries[next++];
      if (d->takes[i] == 'n' && !natural) {
        if (lean_int_dec_lt(x, lean_box(0))) refuse("a negative natural number");
        O n = lean_nat_abs(x);
        lean_dec(x);
        x = n;
      }
      args[i] = x;
    }
  }
  for (unsigned i = 0; d->takes[i]; i++) if (!scalar(d->takes[i])) args[i] = argument(d->takes[i]);
  O result = d->run(args);
  put_value(result, d->gives);
  lean_dec(result);
}

static void serve(void) {
  keep_digits();
  lean_initialize_runtime_module(); /* in the thread that calls */
  two_to_64 = lean_nat_mul(lean_box((size_t)1 << 32), lean_box((size_t)1 << 32));
  uint8_t *request = NULL;
  size_t held = 0;
  struct { uint32_t decision, cases; uint64_t bytes; } head;
  while (get(&head, sizeof head)) {
    if (head.decision >= gnosis_decisions) refuse("unknown decision");
    if (head.bytes > MOST) refuse("a request that is too long");
    if (head.bytes > held && !(request = realloc(request, held = head.bytes))) _exit(3);
    if (head.bytes && !get(request, head.bytes)) refuse("the input ended within a request");
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    at = request;
    end = request + head.bytes;
    filled = 0;
    put32(0); put32(head.cases); put64(0); put64(0);
    size_t start = filled;
    for (uint32_t i = 0; i < head.cases; i++) one(&gnosis_table[head.decision]);
    if (at != end) refuse("more bytes than cases");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    uint64_t about[2] = {(uint64_t)(after.tv_sec - before.tv_sec) * 1000000000u + (uint64_t)after.tv_nsec - (uint64_t)before.tv_nsec, filled - start};
    memcpy(answer + 8, about, 16);
    send();
  }
}

/* Answer until the input ends; returns 0, or 3 when there is no room for a stack.  Decisions recurse over their lists, so
   they run on a deep stack of their own, of which only what is used takes memory; a second thread would make malloc slower. */
__attribute__((visibility("default"))) int gnosis_oracle_serve(void) {
  static ucontext_t here, there;
  void *stack = MAP_FAILED;
  size_t size = (size_t)1 << 32;
  for (; stack == MAP_FAILED && size >= (size_t)1 << 26; size >>= 1)
    stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || getcontext(&there)) return 3;
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = 2 * size; /* halved once more than it was tried */
  there.uc_link = &here;
  makecontext(&there, serve, 0);
  return swapcontext(&here, &there) ? 3 : 0;
}
