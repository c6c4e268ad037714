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
