/* Order statistics by one pass between two pivots.
 *
 * Scores are compared as whole numbers, their keys.  Of an integer that is itself.  Of a float it
 * is its bits, with the bits under the sign flipped when the sign is set: this keeps the order of
 * all finite floats (and puts -0 just below +0), so no arithmetic of the floating-point unit is
 * involved.  A float is not finite when its bits without the sign reach those of infinity.
 *
 * Selection after Floyd and Rivest.  A sample is taken from n keys, and from it (by the same function) two
 * pivots lo <= hi, whose ranks in the sample lie on both sides of the place where the wanted rank should
 * be, some standard deviations away.  One pass over all keys counts those below lo and copies those from lo to
 * hi.  If the wanted rank falls among the copied ones, they are few, and the same function goes on with
 * them.  If it falls outside, the next pass looks there.  If there is no room for them all, many are equal to a
 * pivot: these are counted, and either the pivot is the answer or the next pass leaves it out.  After a few
 * passes without success, counting digit by digit (radix selection) finds the key in a fixed number of
 * them.  So the result never depends on the sample, and the time is linear at worst.
 *
 * conformal_body.h is the one body of all instruction sets and widths. */
#include "conformal.h"

#include <math.h>
#include <stdlib.h>

enum {
    SMALL = 64,     /* up to here each key is compared with each */
    MIDDLE = 4096,  /* from here on a miss of the pivots costs more than pivots far apart; most keys of a sample */
    RUN = 8,        /* keys of a sample that are neighbours: a cache line is read whole anyway */
    ATTEMPTS = 4,   /* passes between pivots */
    DEPTH = 24      /* calls of select inside each other */
};

/* Distance of the software prefetch, in bytes: the hardware prefetcher stops at every page of 4 KiB, this keeps the
 * reads going across. */
#define AHEAD 8192

/* Keys of a sample from n: about the two thirds power of n. */
static ptrdiff_t sample_size(ptrdiff_t n)
{
    ptrdiff_t s = (ptrdiff_t)cbrt((double)n * (double)n);
    s = s > MIDDLE ? MIDDLE : s;
    return s - s % RUN;
}

/* A scrambled counter, so that no period of the data can fall in with the places that are looked at. */
GNOSIS_INLINE uint64_t scramble(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 27;
}

/* A mask as a number.  Left to itself, gcc 12 may put a mask of 8 bits on the stack as one byte and read four back. */
#if GNOSIS_X86
GNOSIS_AVX512 GNOSIS_INLINE unsigned mask_8(__mmask8 mask)
{
    unsigned bits;
    __asm__("kmovb %1, %0" : "=r"(bits) : "k"(mask));
    return bits;
}
GNOSIS_AVX512 GNOSIS_INLINE unsigned mask_16(__mmask16 mask)
{
    unsigned bits;
    __asm__("kmovw %1, %0" : "=r"(bits) : "k"(mask));
    return bits;
}
#endif

/* Where the set bits of four are, for the instruction set that cannot move lanes together by a mask. */
#if GNOSIS_X86
static const uint8_t PLACES[16][4] = {{0},    {0},    {1},       {0, 1}, {2},    {0, 2},    {1, 2},    {0, 1, 2},
                                      {3},    {0, 3}, {1, 3},    {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
#endif

#define JOIN_(a, b, c) a##_##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define ISA(name) JOIN(name, SET, WIDTH)

/* ---- primitives of each instruction set, and the body -----------------------------
 *
 * v: L keys; mask: a truth value for each.
 *   load, fill    from memory, the same key in every lane
 *   count         how many are true
 *   less          mask of the lanes in which a < b
 *   reaching      those in which x >= lo;  upto  those of a mask in which x <= hi
 *   magnitude     the bits under the sign for floats, 0 for integers
 *   order         bits to keys and back, see above; flip = 0 leaves them as they are
 *   larger        lane by lane
 *   append        store the lanes of the mask one after another; L places may be overwritten */

#define WIDTH 64
typedef int64_t key_64;
typedef uint64_t word_64;
#define KEY key_64
#define WORD word_64
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#define INFINITE 0x7ff0000000000000

#if GNOSIS_X86
#define SET avx512
#define TARGET GNOSIS_AVX512
#define L 8
typedef __m512i ISA(v);
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm512_loadu_si512(p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return _mm512_set1_epi64(k); }
typedef __mmask8 ISA(mask);
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(mask_8(mask)); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return _mm512_cmplt_epi64_mask(a, b); }
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return _mm512_cmpge_epi64_mask(x, lo); }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return _mm512_mask_cmple_epi64_mask(mask, x, hi); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm512_and_si512(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return _mm512_ternarylogic_epi64(x, _mm512_srai_epi64(x, 63), flip, 0x78); /* x ^ (sign & flip) */
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return _mm512_max_epi64(a, b); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    _mm512_storeu_si512(dst, _mm512_maskz_compress_epi64(mask, x));
}
#include "conformal_body.h"

#define SET avx2
#define TARGET GNOSIS_AVX2
#define L 4
typedef __m256i ISA(v);
typedef unsigned ISA(mask);
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(mask); }
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm256_loadu_si256((const __m256i *)p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return _mm256_set1_epi64x(k); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b)
{
    return (ISA(mask))_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(b, a)));
}
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return ISA(less)(x, lo) ^ 15; }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return mask & ~ISA(less)(hi, x); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm256_and_si256(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return _mm256_xor_si256(x, _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), x), flip));
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a)); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    int32_t row;
    memcpy(&row, PLACES[mask], sizeof row);
    const __m256i place = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(row)), one = _mm256_set1_epi64x((int64_t)1 << 32);
    const __m256i halves = _mm256_or_si256(_mm256_slli_epi64(place, 1), _mm256_or_si256(_mm256_slli_epi64(place, 33), one));
    _mm256_storeu_si256((__m256i *)dst, _mm256_permutevar8x32_epi32(x, halves));
}
#include "conformal_body.h"
#endif

#define SET plain
#define TARGET
#define L 1
#define PLAIN_PRIMITIVES                                                                              \
    typedef KEY ISA(v);                                                                               \
    typedef unsigned ISA(mask);                                                                       \
    GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return mask; }                               \
    GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return *p; }                                       \
    GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return k; }                                               \
    GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return a < b; }                            \
    GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return x >= lo; }                     \
    GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return mask & (x <= hi); } \
    GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return x & flip; }                   \
    GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip) { return x ^ (-(KEY)(x < 0) & flip); }     \
    GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return a < b ? b : a; }                    \
    GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask) { (void)mask; *dst = x; }
PLAIN_PRIMITIVES
#include "conformal_body.h"

#undef WIDTH
#undef KEY
#undef WORD
#undef LOWEST
#undef HIGHEST
#undef INFINITE

#define WIDTH 32
typedef int32_t key_32;
typedef uint32_t word_32;
#define KEY key_32
#define WORD word_32
#define LOWEST INT32_MIN
#define HIGHEST INT32_MAX
#define INFINITE 0x7f800000

#if GNOSIS_X86
#define SET avx512
#define TARGET GNOSIS_AVX512
#define L 16
typedef __m512i ISA(v);
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm512_loadu_si512(p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return _mm512_set1_epi32(k); }
typedef __mmask16 ISA(mask);
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(mask_16(mask)); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return _mm512_cmplt_epi32_mask(a, b); }
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return _mm512_cmpge_epi32_mask(x, lo); }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return _mm512_mask_cmple_epi32_mask(mask, x, hi); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm512_and_si512(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return _mm512_ternarylogic_epi32(x, _mm512_srai_epi32(x, 31), flip, 0x78);
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return _mm512_max_epi32(a, b); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    _mm512_storeu_si512(dst, _mm512_maskz_compress_epi32(mask, x));
}
#include "conformal_body.h"

#define SET avx2
#define TARGET GNOSIS_AVX2
#define L 8
typedef __m256i ISA(v);
typedef unsigned ISA(mask);
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(mask); }
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm256_loadu_si256((const __m256i *)p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return _mm256_set1_epi32(k); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b)
{
    return (ISA(mask))_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)));
}
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return ISA(less)(x, lo) ^ 255; }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return mask & ~ISA(less)(hi, x); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm256_and_si256(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return _mm256_xor_si256(x, _mm256_and_si256(_mm256_srai_epi32(x, 31), flip));
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return _mm256_max_epi32(a, b); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    int32_t low, high;
    memcpy(&low, PLACES[mask & 15], sizeof low);
    memcpy(&high, PLACES[mask >> 4], sizeof high);
    const __m256i place = _mm256_cvtepu8_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(low), high, 1));
    x = _mm256_permutevar8x32_epi32(x, _mm256_or_si256(place, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4)));
    _mm_storeu_si128((__m128i *)dst, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(dst + __builtin_popcount(mask & 15)), _mm256_extracti128_si256(x, 1));
}
#include "conformal_body.h"
#endif

#define SET plain
#define TARGET
#define L 1
PLAIN_PRIMITIVES
#include "conformal_body.h"

/* ---- dispatch ---------------------------------------------------------------------- */

#if GNOSIS_X86
#define DISPATCH(call, width)                       \
    if (level >= GNOSIS_LEVEL_AVX512)               \
        return call(avx512, width);                 \
    if (level >= GNOSIS_LEVEL_AVX2)                 \
        return call(avx2, width);                   \
    return call(plain, width);
#else
#define DISPATCH(call, width)                       \
    (void)level;                                    \
    return call(plain, width);
#endif

#define KTH(set, width) JOIN(kth, set, width)(src, n, is_float, r, out)
#define DIGITS(set, width) JOIN(digits, set, width)(src, n, is_float, r, out)
#define LARGEST(set, width) JOIN(largest, set, width)(src, n, is_float, m, out)
#define ABOVE(set, width) JOIN(above, set, width)(src, n, is_float, t, dst, room, from, used)
#define FINITE(set, width) JOIN(finite, set, width)(src, n, is_float)

ptrdiff_t gnosis_kth_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level) { DISPATCH(KTH, 64) }
ptrdiff_t gnosis_kth_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level) { DISPATCH(KTH, 32) }
ptrdiff_t gnosis_digits_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level) { DISPATCH(DIGITS, 64) }
ptrdiff_t gnosis_largest_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int64_t *out, int level) { DISPATCH(LARGEST, 64) }
ptrdiff_t gnosis_digits_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level) { DISPATCH(DIGITS, 32) }
ptrdiff_t gnosis_largest_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int32_t *out, int level) { DISPATCH(LARGEST, 32) }
void gnosis_above_64(const int64_t *src, ptrdiff_t n, int is_float, int64_t t, int64_t *dst, ptrdiff_t room, ptrdiff_t *from,
                     ptrdiff_t *used, int level)
{
    DISPATCH(ABOVE, 64)
}
void gnosis_above_32(const int32_t *src, ptrdiff_t n, int is_float, int32_t t, int32_t *dst, ptrdiff_t room, ptrdiff_t *from,
                     ptrdiff_t *used, int level)
{
    DISPATCH(ABOVE, 32)
}
ptrdiff_t gnosis_finite_64(const int64_t *src, ptrdiff_t n, int is_float, int level) { DISPATCH(FINITE, 64) }
ptrdiff_t gnosis_finite_32(const int32_t *src, ptrdiff_t n, int is_float, int level) { DISPATCH(FINITE, 32) }
