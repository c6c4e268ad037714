/* Q8_0: blocks of 34 bytes, a half-precision scale d and 32 signed codes q_i; the
 * decoded weight is d * q_i.  n counts blocks.  Every function returns -1, or the
 * index of the first block that holds something that is not a finite number. */
#ifndef GNOSIS_Q8_0_H
#define GNOSIS_Q8_0_H
#include "arith.h"

#define GNOSIS_Q8_0_BYTES 34
#define GNOSIS_Q8_0_WEIGHTS 32

/* out[32 n] = decoded weights, exact. */
ptrdiff_t gnosis_q8_0_dequantize(const uint8_t *blocks, float *out, ptrdiff_t n, int level);

/* out[n] >= sum over the block of (original - decoded)^2, as real numbers. */
ptrdiff_t gnosis_q8_0_residual_upper(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level);

/* The same sum rounded to nearest, with no claim and no check; only the measurement
 * of what certification costs uses it.  Always returns -1. */
ptrdiff_t gnosis_q8_0_residual_nearest(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level);
#endif
