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
