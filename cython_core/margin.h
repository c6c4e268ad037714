/* Which scores can win, and which one does: float64, float32 and int64.
 *
 * candidates: out[0 .. count) = ascending, the indices j with z_j + e_j >= max_i (z_i - e_i) as real
 *             numbers; out has room for n.  Returns count, or -1 - i where i is the first index with a
 *             score or bound that is not finite, or a bound below zero.  No scores have no candidates: 0.
 * argmax:     the lowest index of a largest score, or -1 - i where score i is not finite.  No scores have no largest:
 *             -1, as if entry 0 were not finite.
 * Where n is not above 0 there are no scores, and nothing is read. */
#ifndef GNOSIS_MARGIN_H
#define GNOSIS_MARGIN_H
#include "arith.h"

ptrdiff_t gnosis_candidates_double(const double *z, const double *e, ptrdiff_t n, int64_t *out, int level);
ptrdiff_t gnosis_candidates_float(const float *z, const float *e, ptrdiff_t n, int64_t *out, int level);
ptrdiff_t gnosis_candidates_int64(const int64_t *z, const int64_t *e, ptrdiff_t n, int64_t *out, int level);
ptrdiff_t gnosis_argmax_double(const double *z, ptrdiff_t n, int level);
ptrdiff_t gnosis_argmax_float(const float *z, ptrdiff_t n, int level);
ptrdiff_t gnosis_argmax_int64(const int64_t *z, ptrdiff_t n, int level);
#endif
