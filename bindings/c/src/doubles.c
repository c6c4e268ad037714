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
