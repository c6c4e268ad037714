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
