/* Block codes and number formats of GGUF files.  A block holds 32 or 256 weights; of F16,
 * BF16 and F32, which have no blocks of their own, 32 weights are taken as one.
 * n counts blocks.  Functions that return ptrdiff_t give -1, or the index of the first block
 * that holds something that is not a finite number.  Where n is not above 0 nothing is read or written.
 * A kind that is not one of these: GNOSIS_NO_KIND, and nothing is read or written. */
#ifndef GNOSIS_BLOCKS_H
#define GNOSIS_BLOCKS_H
#include "arith.h"

enum {
    GNOSIS_Q8_0, GNOSIS_Q5_0, GNOSIS_Q5_1, GNOSIS_Q4_0, GNOSIS_Q4_1, GNOSIS_Q4_K, GNOSIS_Q5_K, GNOSIS_Q6_K,
    GNOSIS_F16, GNOSIS_BF16, GNOSIS_F32,
};
enum { GNOSIS_NO_KIND = -2 };

/* Bytes and weights of a block; 0 for a kind that is none. */
int gnosis_block_bytes(int kind);
int gnosis_block_weights(int kind);

/* out[n * weights] = decoded weights, rounded once to float32 where they do not fit. */
ptrdiff_t gnosis_blocks_dequantize(int kind, const uint8_t *blocks, float *out, ptrdiff_t n, int level);

/* out[n] >= sum over the block of (original - decoded)^2 as real numbers, decoded: what gnosis_blocks_dequantize gives. */
ptrdiff_t gnosis_blocks_residual_upper(int kind, const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level);

/* The same sum for Q8_0, rounded to nearest in float32, with no claim and no check; only the measurement of what
 * certification costs uses it.  Always returns -1. */
ptrdiff_t gnosis_q8_0_residual_nearest(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level);

/* The exact parts of a block code (of F16, BF16, F32, which have none, GNOSIS_NO_KIND): weight k of a block is
 * scales[k / 16] * codes[k] + offsets[k / 32], rounded to float32. */
ptrdiff_t gnosis_blocks_unpack(int kind, const uint8_t *blocks, int8_t *codes, float *scales, float *offsets, ptrdiff_t n);
#endif
