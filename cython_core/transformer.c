/* Sums run in 32 lanes (2 vectors of 16), which are added up in one fixed tree; what is left over when
 * the length is no multiple of 32 fills the lanes from the first on.  The vectors are those of the
 * compiler, which cuts them to what the instruction set has, and a * b + c is never contracted, so every
 * level computes the same bits.
 *
 * exp: n = the whole number nearest to x log2 e, r = x - n ln 2 in two parts, a polynomial of degree 7 in
 * r, |r| <= 0.3466, and the exponent raised by n.  Within 2 units in the last place; arguments are at
 * most 0 here, and below -87 the result is 0. */
#include "transformer.h"

enum { LANES = 32, HALF = 16, ROWS = 4, TOKENS = 2 };

typedef float v16 __attribute__((vector_size(64)));
typedef int32_t i16 __attribute__((vector_size(64)));
typedef float v8 __attribute__((vector_size(32)));
typedef float v4 __attribute__((vector_size(16)));

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define ISA(name) JOIN(name, SET)

#if GNOSIS_X86
#define SET avx512
#define TARGET GNOSIS_AVX512
#include "transformer_body.h"

#define SET avx2
#define TARGET GNOSIS_AVX2
#include "transformer_body.h"
#endif

#define SET plain
#define TARGET
#include "transformer_body.h"

void gnosis_linear(const float *x, const float *w, float *out, ptrdiff_t tokens, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t stride, int level)
{
    GNOSIS_AT(level, linear, x, w, out, tokens, rows, columns, stride);
}

ptrdiff_t gnosis_linear_blocks(const float *x, int kind, const uint8_t *blocks, float *out, float *room, ptrdiff_t tokens, ptrdiff_t rows,
                               ptrdiff_t columns, ptrdiff_t stride, int level)
{
    const int weights = gnosis_block_weights(kind);
    const ptrdiff_t per_row = weights ? columns / weights : 0;

    if (!weights || columns < 0 || columns % weights)
        return GNOSIS_NO_KIND;
    for (ptrdiff_t r = 0; r < rows; r += ROWS) {
        const ptrdiff_t some = rows - r < ROWS ? rows - r : ROWS;
        ptrdiff_t bad = gnosis_blocks_dequantize(kind, blocks + r * per_row * gnosis_block_bytes(kind), room, some * per_row, level);
        if (bad >= 0)
            return r + bad / per_row;
        GNOSIS_AT(level, linear, x, room, out + r, tokens, some, columns, stride);
    }
    return -1;
}

void gnosis_rms_norm(const float *x, const float *weight, float eps, float *out, ptrdiff_t tokens, ptrdiff_t columns, int level)
{
    GNOSIS_AT(level, rms_norm, x, weight, eps, out, tokens, columns);
}

void gnosis_rope(float *x, const float *cos, const float *sin, ptrdiff_t tokens, ptrdiff_t heads, ptrdiff_t width, int level)
{
    GNOSIS_AT(level, rope, x, cos, sin, tokens, heads, width);
}

int gnosis_attention(const float *q, const float *k, const float *v, float scale, float *out, float *scores, ptrdiff_t tokens, ptrdiff_t total,
                      ptrdiff_t heads, ptrdiff_t groups, ptrdiff_t width, int level)
{
    if (tokens < 1 || total < tokens || groups < 1 || heads < 1 || heads % groups || width < 1 || width % HALF)
        return 1;
    GNOSIS_AT(level, attention, q, k, v, scale, out, scores, tokens, total, heads, groups, width);
    return 0;
}

void gnosis_swiglu(const float *gate, const float *up, float *out, ptrdiff_t n, int level)
{
    GNOSIS_AT(level, swiglu, gate, up, out, n);
}

void gnosis_geglu(const float *gate, const float *up, float *out, ptrdiff_t n, int level)
{
    GNOSIS_AT(level, geglu, gate, up, out, n);
}

void gnosis_softmax(const float *x, float *out, ptrdiff_t rows, ptrdiff_t columns, int level)
{
    GNOSIS_AT(level, softmax, x, out, rows, columns);
}
