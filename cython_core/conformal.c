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
 * conformal_body.h is the one body of all instruction sets and widths, conformal_types.h has their primitives. */
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
typedef __mmask8 lanes_8;
typedef __mmask16 lanes_16;
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
#define PAIR_(a, b) a##_##b
#define PAIR(a, b) PAIR_(a, b)
#define ISA(name) JOIN(name, WIDTH, SET)

#define WIDTH 64
#define EPI epi64
typedef int64_t key_64;
typedef uint64_t word_64;
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#define INFINITE 0x7ff0000000000000
#include "conformal_types.h"

#define WIDTH 32
#define EPI epi32
typedef int32_t key_32;
typedef uint32_t word_32;
#define LOWEST INT32_MIN
#define HIGHEST INT32_MAX
#define INFINITE 0x7f800000
#include "conformal_types.h"

/* ---- dispatch ---------------------------------------------------------------------- */

ptrdiff_t gnosis_kth_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level) { return GNOSIS_AT(level, kth_64, src, n, is_float, r, out); }
ptrdiff_t gnosis_kth_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level) { return GNOSIS_AT(level, kth_32, src, n, is_float, r, out); }
ptrdiff_t gnosis_digits_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level) { return GNOSIS_AT(level, digits_64, src, n, is_float, r, out); }
ptrdiff_t gnosis_largest_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int64_t *out, int level) { return GNOSIS_AT(level, largest_64, src, n, is_float, m, out); }
ptrdiff_t gnosis_digits_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level) { return GNOSIS_AT(level, digits_32, src, n, is_float, r, out); }
ptrdiff_t gnosis_largest_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int32_t *out, int level) { return GNOSIS_AT(level, largest_32, src, n, is_float, m, out); }
void gnosis_above_64(const int64_t *src, ptrdiff_t n, int is_float, int64_t t, int64_t *dst, ptrdiff_t room, ptrdiff_t *from,
                     ptrdiff_t *used, int level)
{
    GNOSIS_AT(level, above_64, src, n, is_float, t, dst, room, from, used);
}
void gnosis_above_32(const int32_t *src, ptrdiff_t n, int is_float, int32_t t, int32_t *dst, ptrdiff_t room, ptrdiff_t *from,
                     ptrdiff_t *used, int level)
{
    GNOSIS_AT(level, above_32, src, n, is_float, t, dst, room, from, used);
}
ptrdiff_t gnosis_finite_64(const int64_t *src, ptrdiff_t n, int is_float, int level) { return GNOSIS_AT(level, finite_64, src, n, is_float); }
ptrdiff_t gnosis_finite_32(const int32_t *src, ptrdiff_t n, int is_float, int level) { return GNOSIS_AT(level, finite_32, src, n, is_float); }
