#include "common.h"
#include "transformer.h"

/* Every output is the same on every instruction set, and the same whether a row is computed alone. */

static void check_linear(input in, int levels)
{
    ptrdiff_t tokens = count(&in, 9), rows = count(&in, 9), columns = count(&in, 70), stride = rows + count(&in, 3);
    FILL(float, x, tokens * columns, plain_float)
    FILL(float, w, rows * columns, plain_float)
    size_t bytes = (size_t)(tokens * stride) * 4;
    float *first = room(bytes), *out = room(bytes), *one = room((size_t)rows * 4);

    for (int level = 0; level <= levels; level++) {
        float *to = level ? out : first;
        for (ptrdiff_t i = 0; i < tokens * stride; i++)
            to[i] = 0;
        gnosis_linear(x, w, to, tokens, rows, columns, stride, level);
        AGREE(first, out, bytes, level);
        for (ptrdiff_t t = 0; t < tokens; t++) {
            gnosis_linear(x + t * columns, w, one, 1, rows, columns, rows, level);
            DEMAND(rows == 0 || memcmp(one, first + t * stride, (size_t)rows * 4) == 0);
        }
    }
    free(x), free(w), free(first), free(out), free(one);
}

static void check_blocks(input in, int levels)
{
    int kind = byte(&in) % (GNOSIS_F32 + 1), weights = gnosis_block_weights(kind), bytes = gnosis_block_bytes(kind);
    ptrdiff_t tokens = 1 + count(&in, 5), rows = 1 + count(&in, 5), many = 1 + count(&in, weights > 32 ? 1 : 4), columns = many * weights, bad = -1;
    FILL(float, x, tokens * columns, plain_float)
    uint8_t *blocks = room((size_t)(rows * many * bytes));
    float *w = room((size_t)(rows * columns) * 4), *space = room((size_t)columns * 16), *expected = room((size_t)(tokens * rows) * 4);
    float *out = room((size_t)(tokens * rows) * 4);

    for (ptrdiff_t i = 0; i < rows * many * bytes; i++)
        blocks[i] = byte(&in);
    bad = gnosis_blocks_dequantize(kind, blocks, w, rows * many, 0);
    if (bad < 0)
        gnosis_linear(x, w, expected, tokens, rows, columns, rows, 0);
    for (int level = 0; level <= levels; level++) {
        DEMAND(gnosis_linear_blocks(x, kind, blocks, out, space, tokens, rows, columns, rows, level) == (bad < 0 ? -1 : bad / many));
        if (bad < 0) /* infinite products may end as any NaN */
            for (ptrdiff_t i = 0; i < tokens * rows; i++)
                DEMAND(memcmp(&out[i], &expected[i], 4) == 0 || (out[i] != out[i] && expected[i] != expected[i]));
    }
    free(x), free(blocks), free(w), free(space), free(expected), free(out);
}

static void check_rows(input in, int levels)
{
    ptrdiff_t tokens = 1 + count(&in, 4), heads = 1 + count(&in, 3), width = 16 * (1 + count(&in, 2)), n = tokens * heads * width;
    FILL(float, x, n, plain_float)
    FILL(float, weight, heads * width, plain_float)
    FILL(float, angle, tokens * width, plain_float)
    float *first = room((size_t)n * 20), *out = room((size_t)n * 20);

    for (int level = 0; level <= levels; level++) {
        float *to = level ? out : first;
        gnosis_rms_norm(x, weight, 1e-5f, to, tokens, heads * width, level);
        memcpy(to + n, x, (size_t)n * 4);
        gnosis_rope(to + n, angle, angle + tokens * width / 2, tokens, heads, width, level);
        gnosis_swiglu(x, to, to + 2 * n, n, level);
        gnosis_geglu(x, to, to + 3 * n, n, level);
        gnosis_softmax(x, to + 4 * n, tokens, heads * width, level);
        AGREE(first, out, (size_t)n * 20, level);
    }
    free(x), free(weight), free(angle), free(first), free(out);
}

static void check_attention(input in, int levels)
{
    ptrdiff_t tokens = 1 + count(&in, 3), total = tokens + count(&in, 20), groups = 1 + count(&in, 1), heads = groups * (1 + count(&in, 1)), width = 16 * (1 + count(&in, 1));
    FILL(float, q, tokens * heads * width, plain_float)
    FILL(float, k, total * groups * width, plain_float)
    FILL(float, v, total * groups * width, plain_float)
    size_t bytes = (size_t)(tokens * heads * width) * 4;
    float *first = room(bytes), *out = room(bytes), *scores = room((size_t)((total + 15) / 16 * 16) * 4);

    for (int level = 0; level <= levels; level++) {
        DEMAND(gnosis_attention(q, k, v, 0.125f, level ? out : first, scores, tokens, total, heads, groups, width, level) == 0);
        AGREE(first, out, bytes, level);
    }
    free(q), free(k), free(v), free(first), free(out), free(scores);
}

TARGET_FUNCTION
{
    switch (byte(&in) % 4) {
    case 0: check_linear(in, levels); break;
    case 1: check_blocks(in, levels); break;
    case 2: check_rows(in, levels); break;
    default: check_attention(in, levels);
    }
}
