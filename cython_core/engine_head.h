/* An output matrix, one pass over it with whole activations, and a bound on how far each score is from the exact product. */
#ifndef GNOSIS_ENGINE_HEAD_H
#define GNOSIS_ENGINE_HEAD_H
#include "engine.h"

typedef struct gnosis_engine_head gnosis_engine_head;

/* Why there is no head, beside those of engine.h: a row whose norm is above 2^100, which could leave float32. */
enum { GNOSIS_HEAD_LARGE = -4, GNOSIS_HEAD_TILE = 128 };

/* A matrix of blocks, rows * columns weights, packed; or the head of an engine, whose weights and threads it borrows: free it first.  blocks: the
 * same ones, looked at once.  NULL: *why is the first row with a scale or weight that is not finite, or one of the reasons. */
gnosis_engine_head *gnosis_engine_head_new(int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns, int threads, int level, ptrdiff_t *why);
gnosis_engine_head *gnosis_engine_head_of(gnosis_engine *e, const uint8_t *blocks, int level, ptrdiff_t *why);
void gnosis_engine_head_free(gnosis_engine_head *h);
/* Bytes of the weights and of the norms; of a borrowed head, of the norms. */
size_t gnosis_engine_head_bytes(const gnosis_engine_head *h);

/* a: [tokens][columns], 1 .. 64 tokens.  z, eps: [tokens][rows rounded up to 16].  exponent: [tokens].
 * |z - y| <= eps for the exact product y of a row's decoded weights with a times 2^-exponent; all are finite.  Of rows past the last z is -infinity.
 * low, high: [tokens][rows / 128, rounded up]: the largest z - eps and z + eps of each 128 rows, as float32 rounds them.
 * bits: of the activations.  eps, low and high are NULL for 8, of which no bound is known, and may be for 16.
 * -1 done; the first entry of a that is not finite; REFUSED. */
ptrdiff_t gnosis_engine_head_pass(gnosis_engine_head *h, const float *a, ptrdiff_t tokens, int bits, float *z, float *eps, float *low, float *high,
                                  int *exponent, int level);

/* The rows of the tiles that can have a candidate under one token's bounds, ascending: index, left_z and left_eps [rows]; their number.  They have the candidates that
 * all rows have.  *lead: a row's z - eps less the largest z + eps of any other, for the row whose z - eps is largest; in float64, and from below. */
ptrdiff_t gnosis_engine_head_left(const gnosis_engine_head *h, const float *z, const float *eps, const float *low, const float *high, int64_t *index, float *left_z,
                                  float *left_eps, double *lead);

/* Chosen rows in float64: |y - exact product of row index[i] with x| <= err.  x: [columns], each a float32 times a power of two that is the same for
 * all, and at most 1 in size.  The indices are the caller's to check.  -1 done; REFUSED: a kind or a number that is none. */
ptrdiff_t gnosis_engine_head_rows(int kind, const uint8_t *blocks, ptrdiff_t columns, const double *x, const int64_t *index, ptrdiff_t n, double *y, double *err,
                                  int level);
#endif
