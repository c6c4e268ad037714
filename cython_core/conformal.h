/* Order statistics of scores, exactly: no floating-point operation is used.
 *
 * Scores are int64, or float64 given by its bits (the 64-bit functions), or float32 by its bits (the
 * 32-bit ones).  The results are scores of the same kind; a negative zero comes out as zero.
 * Ranks count from 0.
 *
 * kth:     out[0] = the score of rank r, 0 <= r < n.
 * digits:  the same by radix selection, to which kth turns when its pivots fail.
 * largest: out[0 .. m) = the m largest, 1 <= m <= n, in no particular order.
 * above:   the scores above t, from src[*from] on, in their order, to dst[*used ...]; stops when
 *          dst, which has room for `room`, is full, or at n.  Moves *from and *used on.
 *          Nothing is above a NaN.  Does nothing where *from or *used is below 0, or *used above room.
 * finite:  only the check.
 * kth, digits, largest and finite return the index of the first score that is not finite, or -1; above
 * takes no notice of them.  kth, digits and largest return GNOSIS_NO_RANK, and read and write nothing, when r
 * or m is not as said: so whenever n is not above 0. */
#ifndef GNOSIS_CONFORMAL_H
#define GNOSIS_CONFORMAL_H
#include "arith.h"

enum { GNOSIS_NO_RANK = -2 };

ptrdiff_t gnosis_kth_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level);
ptrdiff_t gnosis_kth_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level);
ptrdiff_t gnosis_digits_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int64_t *out, int level);
ptrdiff_t gnosis_largest_64(const int64_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int64_t *out, int level);
ptrdiff_t gnosis_digits_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t r, int32_t *out, int level);
ptrdiff_t gnosis_largest_32(const int32_t *src, ptrdiff_t n, int is_float, ptrdiff_t m, int32_t *out, int level);
void gnosis_above_64(const int64_t *src, ptrdiff_t n, int is_float, int64_t t, int64_t *dst, ptrdiff_t room,
                     ptrdiff_t *from, ptrdiff_t *used, int level);
void gnosis_above_32(const int32_t *src, ptrdiff_t n, int is_float, int32_t t, int32_t *dst, ptrdiff_t room,
                     ptrdiff_t *from, ptrdiff_t *used, int level);
ptrdiff_t gnosis_finite_64(const int64_t *src, ptrdiff_t n, int is_float, int level);
ptrdiff_t gnosis_finite_32(const int32_t *src, ptrdiff_t n, int is_float, int level);
#endif
