/* Three-valued energy gate.
 *
 * u = 2^-53.  Let l = fl(4 fl(E A)), the factor 4 being exact, and g = fl(gamma^2).  When
 * l and g lie in [2^-960, 2^960] nothing has under- or overflowed, and
 *   l = 4 E A (1 + a),  g = gamma^2 (1 + b),  |a|, |b| <= u.
 * Let l+ = fl(l (1 + 2^-50)) = fl(l (1 + 8u)) >= l (1 + 6u), and g+ likewise.
 *   l+ <= g  implies  4 E A <= l / (1 - u) < l+ / (1 + u) <= g / (1 + u) <= gamma^2, even strictly;
 *   l > g+   implies  4 E A >= l / (1 + u) > g+ / (1 + u) > g / (1 - u) >= gamma^2.
 * (Both middle steps are (1 + u) / (1 - u) < 1 + 6u.)  Anything else is undecided: the
 * caller decides it with exact integers.  Zeros are told apart before any product is
 * formed, so an energy that is tiny but not zero is never mistaken for zero. */
#include "energy.h"

#define CHUNK 128
#define BAND (1.0 + 0x1p-50)
#define LOWEST 0x1p-960
#define HIGHEST 0x1p960

GNOSIS_INLINE int8_t one(double E, double A, double g, int strict)
{
    double left = 4.0 * (E * A), right = g * g;
    int negative = (E < 0.0) | (A < 0.0) | (g < 0.0);
    int zero = (E == 0.0) | (A == 0.0);
    int safe = (left >= LOWEST) & (left <= HIGHEST) & (right >= LOWEST) & (right <= HIGHEST);
    int admit = safe & (left * BAND <= right);
    int refuse = (safe & (left > right * BAND)) | (g == 0.0);
    int at_zero = strict ? g > 0.0 : 1; /* the answer when 4 E A is exactly zero */
    int decided = admit ? 1 : refuse ? 0 : -1;

    return (int8_t)(negative ? 0 : zero ? at_zero : decided);
}

/* Entries from..to, each with every case told apart. */
GNOSIS_INLINE ptrdiff_t careful(const double *E, int sE, const double *A, int sA, const double *g, int sg, int strict, int8_t *out,
                                ptrdiff_t from, ptrdiff_t to)
{
    int bad = 0;

    for (ptrdiff_t i = from; i < to; i++) {
        double e = E[i * sE], a = A[i * sA], c = g[i * sg];
        bad |= !((__builtin_fabs(e) <= DBL_MAX) & (__builtin_fabs(a) <= DBL_MAX) & (__builtin_fabs(c) <= DBL_MAX));
        out[i] = one(e, a, c, strict);
    }
    if (bad)
        for (ptrdiff_t i = from;; i++)
            if (!(__builtin_fabs(E[i * sE]) <= DBL_MAX && __builtin_fabs(A[i * sA]) <= DBL_MAX && __builtin_fabs(g[i * sg]) <= DBL_MAX))
                return i;
    return -1;
}

/* A chunk whose products are all in range and whose numbers are all above zero, hence finite, needs two comparisons an
 * entry; any other is looked at with care. */
GNOSIS_INLINE ptrdiff_t run(const double *E, int sE, const double *A, int sA, const double *g, int sg, int strict, int8_t *out,
                            ptrdiff_t n)
{
    for (ptrdiff_t from = 0; from < n; from += CHUNK) {
        const ptrdiff_t to = n - from < CHUNK ? n : from + CHUNK;
        int64_t answers[CHUNK], plain = 1;
        for (ptrdiff_t i = from; i < to; i++) {
            double e = E[i * sE], c = g[i * sg], left = 4.0 * (e * A[i * sA]), right = c * c;
            plain &= (e > 0.0) & (c > 0.0) & (left >= LOWEST) & (left <= HIGHEST) & (right >= LOWEST) & (right <= HIGHEST);
            answers[i - from] = 2 * (left * BAND <= right) + (left > right * BAND) - 1;
        }
        for (ptrdiff_t i = 0; i < to - from; i++)
            out[from + i] = (int8_t)answers[i];
        if (!plain) {
            ptrdiff_t bad = careful(E, sE, A, sA, g, sg, strict, out, from, to);
            if (bad >= 0)
                return bad;
        }
    }
    return -1;
}

/* Constant steps, so that each combination becomes a loop of its own. */
GNOSIS_INLINE ptrdiff_t steps(const double *E, int sE, const double *A, int sA, const double *g, int sg, int strict, int8_t *out,
                              ptrdiff_t n)
{
    switch ((sE ? 4 : 0) | (sA ? 2 : 0) | (sg ? 1 : 0)) {
    case 0: return run(E, 0, A, 0, g, 0, strict, out, n);
    case 1: return run(E, 0, A, 0, g, 1, strict, out, n);
    case 2: return run(E, 0, A, 1, g, 0, strict, out, n);
    case 3: return run(E, 0, A, 1, g, 1, strict, out, n);
    case 4: return run(E, 1, A, 0, g, 0, strict, out, n);
    case 5: return run(E, 1, A, 0, g, 1, strict, out, n);
    case 6: return run(E, 1, A, 1, g, 0, strict, out, n);
    default: return run(E, 1, A, 1, g, 1, strict, out, n);
    }
}

#define ARGUMENTS const double *E, int sE, const double *A, int sA, const double *g, int sg, int strict, int8_t *out, ptrdiff_t n
#define PASS E, sE, A, sA, g, sg, strict, out, n

#if GNOSIS_X86
GNOSIS_AVX512 static ptrdiff_t decide_avx512(ARGUMENTS) { return steps(PASS); }
GNOSIS_AVX2 static ptrdiff_t decide_avx2(ARGUMENTS) { return steps(PASS); }
#endif
static ptrdiff_t decide_plain(ARGUMENTS) { return steps(PASS); }

ptrdiff_t gnosis_energy_decide(const double *E, int sE, const double *A, int sA, const double *g, int sg, int strict, int8_t *out,
                               ptrdiff_t n, int level)
{
    return GNOSIS_AT(level, decide, PASS);
}
