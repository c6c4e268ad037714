#include "common.h"
#include "blocks.h"

/* The exact weights of a block code as quads, from its parts; the parts must be those of the float32 weights. */
static void weights_of(int kind, const uint8_t *block, const float *decoded, quad *x)
{
    int weights = gnosis_block_weights(kind);
    int8_t *codes = room((size_t)weights);
    float *scales = room((size_t)weights / 16 * 4), *offsets = room((size_t)weights / 32 * 4);

    if (kind < GNOSIS_F16)
        DEMAND(gnosis_blocks_unpack(kind, block, codes, scales, offsets, 1) == -1);
    for (int k = 0; k < weights; k++) {
        x[k] = kind < GNOSIS_F16 ? (quad)scales[k / 16] * codes[k] + offsets[k / 32] : decoded[k];
        DEMAND((float)x[k] == decoded[k]);
    }
    free(codes), free(scales), free(offsets);
}

TARGET_FUNCTION
{
    int kind = byte(&in) % (GNOSIS_F32 + 1), near = byte(&in) & 1;
    int weights = gnosis_block_weights(kind), bytes = gnosis_block_bytes(kind);
    ptrdiff_t n = count(&in, weights > 32 ? 3 : 20), bad = -1, bad_bound = -1;
    uint8_t *blocks = room((size_t)(n * bytes));
    float *original = room((size_t)(n * weights) * 4), *first = room((size_t)(n * weights) * 4), *out = room((size_t)(n * weights) * 4);
    double *bound = room((size_t)n * 8), *other = room((size_t)n * 8);

    for (ptrdiff_t i = 0; i < n * bytes; i++)
        blocks[i] = byte(&in);
    for (int level = 0; level <= levels; level++) {
        ptrdiff_t got = gnosis_blocks_dequantize(kind, blocks, level ? out : first, n, level);
        DEMAND(level == 0 || got == bad);
        bad = got;
        if (bad < 0)
            AGREE(first, out, (size_t)(n * weights) * 4, level);
    }
    for (ptrdiff_t i = 0; i < n * weights; i++) {
        original[i] = near && bad < 0 ? first[i] * (1 + (byte(&in) % 5 - 2) * 0x1p-23f) : some_float(&in);
        if (!__builtin_isfinite(original[i]))
            original[i] = 1;
    }
    for (int level = 0; level <= levels; level++) {
        ptrdiff_t got = gnosis_blocks_residual_upper(kind, blocks, original, level ? other : bound, n, level);
        DEMAND(level == 0 || got == bad_bound);
        bad_bound = got;
        if (got < 0)
            AGREE(bound, other, (size_t)n * 8, level);
    }
    DEMAND(bad_bound == bad);
    for (ptrdiff_t b = 0; bad < 0 && b < n; b++) {
        quad x[256], sum = 0;
        weights_of(kind, blocks + b * bytes, first + b * weights, x);
        for (int k = 0; k < weights; k++)
            /* against the float that is served; that it is the nearest to x is checked by weights_of */
            sum += ((quad)original[b * weights + k] - first[b * weights + k]) * ((quad)original[b * weights + k] - first[b * weights + k]);
        /* the sum itself errs by less than 2^-100 of it */
        DEMAND(bound[b] * (1 + (quad)0x1p-100) >= sum && bound[b] * (1 - (quad)0x1p-100) <= sum * (1 + 28 * (quad)0x1p-24));
    }
    free(blocks), free(original), free(first), free(out), free(bound), free(other);
}
