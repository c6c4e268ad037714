/* Products by the definition in docs/engine.md, from what blocks.c unpacks; and passes of a small model, all tokens at once and in pieces, by
 * one thread and several, on every instruction set. */
#include "common.h"
#include "engine.h"
#include "engine_types.h"

#include <math.h>

static uint64_t state;

/* The input's bytes, and when they are used up others, which they decide. */
static uint8_t any(input *in)
{
    state = (state + (in->left ? *in->at : 0)) * 6364136223846793005u + 1442695040888963407u;
    return in->left ? byte(in) : (uint8_t)(state >> 56);
}

static int same(float x, float y) { return x == y || (x != x && y != y); }

/* ---- weights and activations ---- */

/* A half, or the upper half of a float, of moderate size; wild: any. */
static void moderate(uint8_t *p, int kind, int wild)
{
    if (!wild)
        p[1] = kind == GNOSIS_BF16 || kind == GNOSIS_F32 ? (uint8_t)((p[1] & 0x81) | 0x3c) : (uint8_t)((p[1] & 0x8f) | 0x20);
}

static uint8_t *some_blocks(input *in, int kind, ptrdiff_t n)
{
    const int bytes = gnosis_block_bytes(kind), wild = any(in) % 16 == 0, minimum = engine_has_minimum(kind);
    uint8_t *raw = room((size_t)(n * bytes));
    for (ptrdiff_t i = 0; i < n * bytes; i++)
        raw[i] = any(in);
    for (ptrdiff_t b = 0; b < n; b++)
        for (int k = 0; k < bytes; k += 2)
            if (kind == GNOSIS_F32 ? k % 4 == 2 : engine_is_real(kind) || k == (kind == GNOSIS_Q6_K ? 208 : 0) || (minimum && k == 2))
                moderate(raw + b * bytes + k, kind, wild);
    return raw;
}

static float *some_floats(input *in, ptrdiff_t n, int wild)
{
    float *x = room((size_t)n * sizeof *x);
    for (ptrdiff_t i = 0; i < n; i++) {
        uint8_t few[6];
        for (int k = 0; k < 6; k++)
            few[k] = any(in);
        input one = {few, 6};
        x[i] = wild ? some_float(&one) : plain_float(&one);
    }
    return x;
}

/* The first row with a block that is not finite; -1 for none. */
static ptrdiff_t bad_row(int kind, const uint8_t *raw, ptrdiff_t rows, ptrdiff_t per_row)
{
    float *out = room((size_t)(per_row * gnosis_block_weights(kind)) * sizeof *out);
    ptrdiff_t bad = -1;
    for (ptrdiff_t r = rows - 1; r >= 0; r--)
        if (gnosis_blocks_dequantize(kind, raw + r * per_row * gnosis_block_bytes(kind), out, per_row, GNOSIS_PLAIN) >= 0)
            bad = r;
    free(out);
    return bad;
}

/* ---- one product ---- */

typedef struct {
    int32_t n[BLOCK];
    float unit;
} whole;

/* A block of activations as docs/engine.md has it. */
static whole made_whole(const float *x, int bits)
{
    whole w = {{0}, 0};
    float largest = 0, per;
    int e, finite = 1;
    for (int k = 0; k < BLOCK; k++) {
        finite &= !!__builtin_isfinite(x[k]);
        largest = fabsf(x[k]) > largest ? fabsf(x[k]) : largest;
    }
    if (!finite) {
        w.unit = NAN;
        return w;
    }
    if (bits == 8) {
        w.unit = largest / 127.0f, per = largest >= 0x1p-100f ? 127.0f / largest : 0;
        for (int k = 0; k < BLOCK; k++)
            w.n[k] = (int32_t)lrintf(x[k] * per);
        return w;
    }
    frexpf(largest, &e);
    e = largest == 0 || e < -85 ? -85 : e;
    w.unit = ldexpf(1, e - 15);
    for (int k = 0; k < BLOCK; k++) {
        w.n[k] = (int32_t)lrint(ldexp(x[k], 15 - e));
        w.n[k] = w.n[k] > 32767 ? 32767 : w.n[k];
    }
    return w;
}

static float by_definition(int kind, const uint8_t *row, ptrdiff_t columns, const float *x, int bits)
{
    const int weights = gnosis_block_weights(kind);
    float f = 0, real[BLOCK], scales[16], offsets[8];
    int8_t codes[256];
    for (ptrdiff_t b = 0; b < columns / weights; b++, row += gnosis_block_bytes(kind)) {
        if (engine_is_real(kind)) {
            gnosis_blocks_dequantize(kind, row, real, 1, GNOSIS_PLAIN);
            for (int k = 0; k < BLOCK; k++)
                f = fmaf(real[k], x[b * BLOCK + k], f);
            continue;
        }
        DEMAND(gnosis_blocks_unpack(kind, row, codes, scales, offsets, 1) == -1);
        for (int j = 0; j < weights / BLOCK; j++) {
            const whole w = made_whole(x + b * weights + j * BLOCK, bits);
            int64_t low = 0, high = 0, sum = 0;
            for (int k = 0; k < BLOCK; k++) {
                *(k < 16 ? &low : &high) += codes[BLOCK * j + k] * (int64_t)w.n[k];
                sum += w.n[k];
            }
            if (kind == GNOSIS_Q6_K) {
                f = fmaf((float)low, scales[2 * j] * w.unit, f);
                f = fmaf((float)high, scales[2 * j + 1] * w.unit, f);
            } else {
                f = fmaf((float)(low + high), scales[2 * j] * w.unit, f);
            }
            if (engine_has_minimum(kind))
                f = fmaf(offsets[j], (float)sum * w.unit, f);
        }
    }
    return f;
}

static void one_product(input in, int levels)
{
    const int kind = any(&in) % (GNOSIS_F32 + 1), bits = any(&in) % 4 ? 16 : 8, weights = gnosis_block_weights(kind);
    const ptrdiff_t rows = 1 + count(&in, 50), per_row = 1 + count(&in, weights == 32 ? 3 : 0), columns = per_row * weights, blocks = columns / BLOCK;
    const ptrdiff_t tokens = 1 + count(&in, 18), groups = (rows + GROUP - 1) / GROUP, split = count(&in, groups), stride = GROUP * groups;
    uint8_t *raw = some_blocks(&in, kind, rows * per_row);
    float *x = some_floats(&in, tokens * columns, any(&in) % 8 == 0), *out = room((size_t)(tokens * stride) * 4), *first = room((size_t)(tokens * stride) * 4);
    const size_t n = (size_t)(blocks * tokens);
    activations a = {.whole = room(n * 64), .bytes = bits == 8 ? room(n * 32) : NULL, .unit = room(n * 4), .sums = room(n * 4), .real = room(n * 128), .sum = room(n * 4), .tokens = tokens};
    pool *threads = engine_pool_new(1 + any(&in) % 2);
    region r = {0};
    matrix m;

    DEMAND(threads && engine_region_new(&r, gnosis_engine_matrix_bytes(kind, rows, columns)));
    const ptrdiff_t bad = bad_row(kind, raw, rows, per_row);
    DEMAND(engine_pack(&m, &r, threads, kind, raw, rows, columns) == bad && m.groups == groups && m.blocks == blocks);
    uint8_t *packed = room((size_t)groups * m.group_bytes); /* no byte more */
    memcpy(packed, m.at, (size_t)groups * m.group_bytes);
    m.at = packed;
    for (int level = 0; level <= gnosis_engine_level(levels) && bad < 0; level++) {
        const kernels *k = engine_table(level);
        for (ptrdiff_t t = 0; t < tokens; t++)
            k->take(&a, t, x + t * columns, blocks, bits, engine_is_real(kind) ? WANT_REAL : WANT_WHOLE);
        memset(out, 0x7f, (size_t)(tokens * stride) * 4);
        k->product(&m, &a, 0, split, out, stride);
        k->product(&m, &a, split, groups, out, stride);
        for (ptrdiff_t t = 0; t < tokens; t++)
            for (ptrdiff_t i = 0; i < stride; i++) {
                const float want = i < rows ? level ? first[t * stride + i] : by_definition(kind, raw + i * per_row * gnosis_block_bytes(kind), columns, x + t * columns, bits) : out[t * stride + i];
                DEMAND(same(out[t * stride + i], want));
            }
        memcpy(first, out, (size_t)(tokens * stride) * 4);
    }
    engine_pool_free(threads), engine_region_free(&r);
    free(raw), free(x), free(out), free(first), free(packed), free(a.whole), free(a.bytes), free(a.unit), free(a.sums), free(a.real), free(a.sum);
}

/* ---- passes ---- */

enum { MOST_TOKENS = 24, CAPACITY = 32, LAYERS = 2 };

typedef struct {
    gnosis_engine_config c;
    int kind[LAYERS][GNOSIS_SLOTS], table[LAYERS];
    uint8_t *raw[LAYERS][GNOSIS_SLOTS], *embedding;
    float *vectors[LAYERS][GNOSIS_VECTORS], *cos[2], *sin[2];
    ptrdiff_t window[LAYERS], tokens;
    int64_t ids[MOST_TOKENS];
} model;

static void shape(const gnosis_engine_config *c, int slot, ptrdiff_t *rows, ptrdiff_t *columns)
{
    const ptrdiff_t q = c->heads * c->head, kv = c->groups * c->head;
    const ptrdiff_t shapes[GNOSIS_SLOTS][2] = {{q, c->width}, {kv, c->width}, {kv, c->width}, {c->width, q}, {c->inner, c->width}, {c->inner, c->width}, {c->width, c->inner}, {c->vocabulary, c->width}};
    *rows = shapes[slot][0], *columns = shapes[slot][1];
}

static ptrdiff_t length(const gnosis_engine_config *c, int vector)
{
    const ptrdiff_t q = c->heads * c->head, kv = c->groups * c->head;
    const ptrdiff_t lengths[GNOSIS_VECTORS] = {c->width, c->width, c->head, c->head, c->width, c->width, q, kv, kv, c->width};
    return lengths[vector];
}

static int some_kind(input *in)
{
    const int kinds[] = {GNOSIS_Q8_0, GNOSIS_Q5_0, GNOSIS_Q5_1, GNOSIS_Q4_0, GNOSIS_Q4_1, GNOSIS_F16, GNOSIS_BF16, GNOSIS_F32};
    return kinds[any(in) % 8];
}

/* NULL where a matrix has a row that is not finite. */
static gnosis_engine *made(const model *m, int threads)
{
    gnosis_engine_config c = m->c;
    size_t bytes = 0;
    ptrdiff_t rows, columns;
    c.threads = threads;
    for (int pass = 0; pass < 2; pass++) { /* what all takes, then all of it */
        gnosis_engine *e = pass ? gnosis_engine_new(&c, bytes) : NULL;
        DEMAND(!pass || e);
        for (ptrdiff_t l = 0; l < c.layers; l++) {
            for (int s = 0; s < GNOSIS_SLOTS; s++) {
                shape(&c, s, &rows, &columns);
                if (!m->raw[l][s])
                    continue;
                if (!pass) {
                    bytes += gnosis_engine_matrix_bytes(m->kind[l][s], rows, columns);
                    continue;
                }
                const ptrdiff_t per_row = columns / gnosis_block_weights(m->kind[l][s]), bad = bad_row(m->kind[l][s], m->raw[l][s], rows, per_row);
                DEMAND(!gnosis_engine_ready(e) && gnosis_engine_put(e, l, s, m->kind[l][s], m->raw[l][s], rows, columns) == bad);
                if (bad >= 0) {
                    gnosis_engine_free(e);
                    return NULL;
                }
            }
            for (int v = 0; v < GNOSIS_VECTORS; v++) {
                if (m->vectors[l][v] && !pass)
                    bytes += gnosis_engine_vector_bytes(length(&c, v));
                else if (m->vectors[l][v])
                    DEMAND(gnosis_engine_vector(e, l, v, m->vectors[l][v], length(&c, v)) == GNOSIS_ENGINE_OK);
            }
            DEMAND(!pass || gnosis_engine_layer(e, l, m->window[l], m->table[l]) == GNOSIS_ENGINE_OK);
        }
        if (pass) {
            DEMAND(gnosis_engine_embedding(e, GNOSIS_Q8_0, m->embedding) == GNOSIS_ENGINE_OK && gnosis_engine_ready(e));
            return e;
        }
    }
    return NULL;
}

/* All tokens, `step` at a time.  The first entry of a hidden state that is not finite, -1 for none. */
static ptrdiff_t passes(gnosis_engine *e, const model *m, int threads, ptrdiff_t step, int level, float *hidden, float *logits)
{
    const gnosis_engine_config *c = &m->c;
    const size_t plane = (size_t)(c->layers * c->groups * CAPACITY * c->head);
    float *keys = calloc(plane, 4), *values = calloc(plane, 4), *scores = room((size_t)(threads * HEADS * CAPACITY) * 4);
    ptrdiff_t bad = -1;
    for (ptrdiff_t at = 0; at < m->tokens && bad < 0; at += step) {
        const ptrdiff_t n = m->tokens - at < step ? m->tokens - at : step;
        const gnosis_engine_pass p = {keys, values, scores, hidden + at * c->width, logits + at * c->vocabulary, {m->cos[0], m->cos[1]}, {m->sin[0], m->sin[1]},
                                      m->ids + at, CAPACITY, at, n, n};
        bad = gnosis_engine_run(e, &p, level);
        DEMAND(bad >= -1);
        bad = bad < 0 ? bad : bad + at * c->width;
    }
    free(keys), free(values), free(scores);
    return bad;
}

static void some_passes(input in, int levels)
{
    const ptrdiff_t groups = 1 + any(&in) % 2, head = any(&in) % 2 ? 16 : 32;
    model m = {.c = {1 + any(&in) % LAYERS, 32, groups * (1 + any(&in) % 6), groups, head, 32 * (1 + any(&in) % 2), 1 + any(&in) % 40, 1e-5f, 0.25f, 1, any(&in) & 1,
                     any(&in) & 1, any(&in) % 4 ? 16 : 8, 1}};
    gnosis_engine_config *c = &m.c;
    const int wild = any(&in) % 8 == 0, threads = 2 + any(&in) % 2;
    ptrdiff_t rows, columns;

    if (c->heads * head % BLOCK)
        c->heads *= 2;
    c->embedding_scale = any(&in) % 4 ? 1 : 5.5f;
    m.tokens = 1 + any(&in) % MOST_TOKENS;
    for (ptrdiff_t t = 0; t < m.tokens; t++)
        m.ids[t] = any(&in) % c->vocabulary;
    for (ptrdiff_t l = 0; l < c->layers; l++) {
        for (int s = 0; s < GNOSIS_SLOTS; s++)
            if (s != GNOSIS_SLOT_HEAD || l == 0) {
                shape(c, s, &rows, &columns);
                m.kind[l][s] = some_kind(&in);
                m.raw[l][s] = some_blocks(&in, m.kind[l][s], rows * columns / gnosis_block_weights(m.kind[l][s]));
            }
        for (int v = 0; v < GNOSIS_VECTORS; v++)
            if (v <= GNOSIS_FFN_NORM || (v == GNOSIS_LAST_NORM ? l == 0 : any(&in) % 3 == 0))
                m.vectors[l][v] = some_floats(&in, length(c, v), wild);
        m.window[l] = any(&in) % 2 ? 0 : 1 + any(&in) % CAPACITY, m.table[l] = any(&in) & 1;
    }
    m.embedding = some_blocks(&in, GNOSIS_Q8_0, c->vocabulary * c->width / 32);
    for (int i = 0; i < 2; i++)
        m.cos[i] = some_floats(&in, CAPACITY * head / 2, 0), m.sin[i] = some_floats(&in, CAPACITY * head / 2, 0);

    const size_t states = (size_t)(m.tokens * c->width), all = (size_t)(m.tokens * c->vocabulary);
    float *hidden[2] = {room(states * 4), room(states * 4)}, *logits[2] = {room(all * 4), room(all * 4)};
    gnosis_engine *alone = made(&m, 1), *together = alone ? made(&m, threads) : NULL, *beside = alone ? made(&m, threads) : NULL;
    DEMAND(!beside || (gnosis_engine_share(beside, together) == GNOSIS_ENGINE_OK && gnosis_engine_share(alone, together) == GNOSIS_ENGINE_REFUSED));
    const ptrdiff_t steps[] = {m.tokens, 1, 1 + any(&in) % 9}, first = alone ? passes(alone, &m, 1, m.tokens, GNOSIS_PLAIN, hidden[0], logits[0]) : -1;
    for (int level = 0; level <= gnosis_engine_level(levels) && alone; level++)
        for (int i = 0; i < 3; i++)
            for (int many = 0; many < 3; many++) {
                const ptrdiff_t bad = passes(many == 2 ? beside : many ? together : alone, &m, many ? threads : 1, steps[i], level, hidden[1], logits[1]);
                DEMAND(bad == first);
                for (ptrdiff_t k = 0; k < (first < 0 ? (ptrdiff_t)states : first); k++)
                    DEMAND(hidden[1][k] == hidden[0][k]);
                for (ptrdiff_t k = 0; k < (ptrdiff_t)all && first < 0; k++)
                    DEMAND(same(logits[1][k], logits[0][k]));
            }
    for (ptrdiff_t t = 0; t < m.tokens && alone && first < 0; t++) {
        const float *z = logits[0] + t * c->vocabulary;
        ptrdiff_t most = 0, number = 0;
        float next = -INFINITY, lead;
        for (ptrdiff_t k = 0; k < c->vocabulary; k++)
            most = z[k] > z[most] ? k : most, number += z[k] == z[k];
        for (ptrdiff_t k = 0; k < c->vocabulary; k++)
            next = k != most && z[k] > next ? z[k] : next;
        for (int level = 0; level <= gnosis_engine_level(levels) && number == c->vocabulary; level++)
            DEMAND(gnosis_engine_largest(z, c->vocabulary, &lead, level) == most && same(lead, z[most] - next));
    }
    gnosis_engine_free(alone), gnosis_engine_free(together);
    if (beside && first < 0) /* threads stay as long as one of those that share them */
        DEMAND(passes(beside, &m, threads, m.tokens, GNOSIS_PLAIN, hidden[1], logits[1]) == -1);
    gnosis_engine_free(beside);
    for (int i = 0; i < 2; i++)
        free(hidden[i]), free(logits[i]), free(m.cos[i]), free(m.sin[i]);
    for (int l = 0; l < LAYERS; l++) {
        for (int s = 0; s < GNOSIS_SLOTS; s++)
            free(m.raw[l][s]);
        for (int v = 0; v < GNOSIS_VECTORS; v++)
            free(m.vectors[l][v]);
    }
    free(m.embedding);
}

TARGET_FUNCTION
{
    state = 0;
    if (byte(&in) % 4)
        one_product(in, levels);
    else
        some_passes(in, levels);
}
