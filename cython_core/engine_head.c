/* One pass of the engine over an output matrix, and why its bound holds.
 *
 * An activation is scaled by a power of two so that its largest entry lies in [1/2, 1).  x are its entries as real numbers, exact in float64; what
 * the kernels multiply with is v: unit * n of engine_types.h for coded weights, the float32 nearest to x for F16, BF16 and F32.  w are the weights as
 * gnosis_blocks_dequantize decodes them, y = sum w x, u = 2^-24.  The score z is the engine's: a sum over T terms by fma.
 *
 * Activation.  sum w x - sum w v = sum w (x - v), at most |w| |x - v| in euclidean norms (`Gnosis.energy_sidecar_sound`).  x - v is exact in float64:
 * where n is not 0, x has 24 bits and is at least half a unit, so that 40 bits hold the difference.
 *
 * Weights.  A block's weight is scale q + minimum, and the kernels use scale and minimum as they are.  Decoding rounds the sum once, where there is
 * a minimum: by at most u m with m = |scale q| + |minimum|.  Without one, m = |w|.
 *
 * Floats.  For coded weights: scale unit is exact (18 bits; unit >= 2^-100, scale a multiple of 2^-24, and not above 2^23); (sum of n) unit too
 * (2^20 at most); sum q n is a whole number of at most 2^27 (`Gnosis.dot_no_overflow`) and rounds once, to float32.  A term meets at most T fma after
 * that: gamma_(T+1) of the sum of their sizes, which is at most sum m |v| <= |m| |v|.  T is the number of blocks, or twice that for codes with a minimum
 * or with two scales in a block.  For F16, BF16 and F32, T is the number of columns and nothing rounds before.
 * No float is near the largest: |w| <= 2^100.  A sum of coded terms that is subnormal is exact; of others, 2^-150 for each fma, which is below
 * 2^-130 in all, as columns are at most 2^17.
 *
 * Together |z - y| <= |w| E + |m| G + C with E >= |x - v|, G >= gamma_(T+2) |v|, C = 2^-120.  E and G are formed in float64 (at most 2^17 + 4 roundings of
 * 2^-53) and widened by 1 + 2^-30; |w|, |m| likewise; all are rounded up to float32.  Three roundings of float32 follow, for which E, G and C have been
 * widened by 1 + 2^-20; a product that is subnormal loses 2^-150, which is nothing beside C.
 *
 * The rows in float64: w x is exact (24 + 24 bits, and not below 2^-500).  Each of 8 lanes adds columns / 8 of them, and the lanes are added up (3):
 * gamma_(columns / 8 + 2) of the sum of sizes, which is formed in the same way and itself errs by that much.
 *
 * Every sum has one order and fma stands only where it is written, so z, eps, y and err have the same bits on every instruction set. */
#include "engine_head.h"

#include "engine_types.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LARGEST_NORM 0x1p100
#define WIDEN (1.0 + 0x1p-30)
#define WIDEN_FLOAT (1.0 + 0x1p-20)
#define LEAST_BOUND 0x1p-120

enum { MOST_COLUMNS = 1 << 17, DECODED = 256 };

struct gnosis_engine_head {
    matrix m;
    pool *threads;
    region weights, scratch;
    int borrowed;
    float *norms, *sizes; /* [16 groups]; the same where there is no minimum */
    float *x;             /* [TOKENS][columns] scaled */
    activations a;
};

static float up_to_float(double x) /* x >= 0 */
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

/* ---- the norms of the rows ---- */

typedef struct {
    gnosis_engine_head *h;
    const uint8_t *blocks;
    int level;
    _Atomic ptrdiff_t bad, large;
} norming;

static void remember(_Atomic ptrdiff_t *first, ptrdiff_t row)
{
    ptrdiff_t known = atomic_load(first);
    while ((known < 0 || row < known) && !atomic_compare_exchange_weak(first, &known, row))
        ;
}

static void norm_rows(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    norming *p = job;
    const matrix *m = &p->h->m;
    const int kind = engine_stored(m->kind), weights = gnosis_block_weights(kind), bytes = gnosis_block_bytes(kind), with = engine_has_minimum(kind);
    const ptrdiff_t blocks = m->columns / weights;
    float w[DECODED], scales[DECODED / 16], offsets[DECODED / 32];
    int8_t codes[DECODED];

    (void)worker;
    for (ptrdiff_t r = from; r < to; r++) {
        double norm = 0, size = 0;
        int finite = 1;
        for (ptrdiff_t b = 0; b < blocks; b++) {
            const uint8_t *block = p->blocks + (r * blocks + b) * bytes;
            finite &= gnosis_blocks_dequantize(kind, block, w, 1, p->level) < 0;
            for (int k = 0; k < weights; k++)
                norm += (double)w[k] * w[k];
            if (!with)
                continue;
            gnosis_blocks_unpack(kind, block, codes, scales, offsets, 1);
            for (int k = 0; k < weights; k++) {
                const double both = fabs((double)scales[k / 16] * codes[k]) + fabs((double)offsets[k / 32]);
                size += both * both;
            }
        }
        norm = sqrt(norm) * WIDEN, size = sqrt(size) * WIDEN;
        if (!finite)
            remember(&p->bad, r);
        else if (!(norm <= LARGEST_NORM && size <= LARGEST_NORM))
            remember(&p->large, r);
        p->h->norms[r] = up_to_float(norm);
        if (with)
            p->h->sizes[r] = up_to_float(size);
    }
}

/* ---- making one ---- */

/* Norms of a head whose matrix is there, and room for activations.  -1, or a reason. */
static ptrdiff_t finish(gnosis_engine_head *h, const uint8_t *blocks, int level)
{
    const size_t columns = (size_t)h->m.columns, rows = (size_t)h->m.groups * GROUP, with = engine_has_minimum(h->m.kind) ? 2 : 1;
    activations *a = &h->a;
    if (h->m.columns > MOST_COLUMNS)
        return GNOSIS_ENGINE_REFUSED;
    if (!engine_region_new(&h->scratch, columns * TOKENS * (4 + 2 + 4) + columns / BLOCK * TOKENS * 12 + with * rows * sizeof(float)))
        return GNOSIS_ENGINE_MEMORY;
    h->x = engine_region_take(&h->scratch, columns * TOKENS * 4);
    a->whole = engine_region_take(&h->scratch, columns * TOKENS * 2);
    a->real = engine_region_take(&h->scratch, columns * TOKENS * 4);
    a->unit = engine_region_take(&h->scratch, columns / BLOCK * TOKENS * 4);
    a->sums = engine_region_take(&h->scratch, columns / BLOCK * TOKENS * 4);
    a->sum = engine_region_take(&h->scratch, columns / BLOCK * TOKENS * 4);
    h->norms = h->sizes = engine_region_take(&h->scratch, rows * sizeof(float));
    if (with == 2)
        h->sizes = engine_region_take(&h->scratch, rows * sizeof(float));
    norming p = {h, blocks, engine_blocks_level(level), -1, -1};
    engine_pool_begin(h->threads, 0);
    engine_pool_run(h->threads, norm_rows, &p, h->m.rows, 64);
    engine_pool_end(h->threads);
    const ptrdiff_t bad = atomic_load(&p.bad);
    return bad >= 0 ? bad : atomic_load(&p.large) >= 0 ? GNOSIS_HEAD_LARGE : -1;
}

static gnosis_engine_head *finished(gnosis_engine_head *h, ptrdiff_t found, ptrdiff_t *why)
{
    *why = found;
    if (found == -1)
        return h;
    gnosis_engine_head_free(h);
    return NULL;
}

gnosis_engine_head *gnosis_engine_head_new(int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns, int threads, int level, ptrdiff_t *why)
{
    const size_t bytes = columns <= MOST_COLUMNS ? gnosis_engine_matrix_bytes(kind, rows, columns) : 0;
    gnosis_engine_head *h = bytes ? calloc(1, sizeof *h) : NULL;
    *why = bytes ? GNOSIS_ENGINE_MEMORY : GNOSIS_ENGINE_REFUSED;
    if (!h)
        return NULL;
    h->threads = engine_pool_new(threads);
    if (!h->threads || !engine_region_new(&h->weights, bytes))
        return finished(h, GNOSIS_ENGINE_MEMORY, why);
    const ptrdiff_t bad = engine_pack(&h->m, &h->weights, h->threads, kind, blocks, rows, columns);
    return finished(h, bad == -1 ? finish(h, blocks, level) : bad, why);
}

gnosis_engine_head *gnosis_engine_head_of(gnosis_engine *e, const uint8_t *blocks, int level, ptrdiff_t *why)
{
    pool *threads;
    const matrix *m = engine_head_of(e, &threads);
    gnosis_engine_head *h = m->at ? calloc(1, sizeof *h) : NULL;
    *why = m->at ? GNOSIS_ENGINE_MEMORY : GNOSIS_ENGINE_REFUSED;
    if (!h)
        return NULL;
    h->m = *m, h->threads = threads, h->borrowed = 1;
    return finished(h, finish(h, blocks, level), why);
}

void gnosis_engine_head_free(gnosis_engine_head *h)
{
    if (!h)
        return;
    if (!h->borrowed)
        engine_pool_free(h->threads);
    engine_region_free(&h->weights);
    engine_region_free(&h->scratch);
    free(h);
}

size_t gnosis_engine_head_bytes(const gnosis_engine_head *h)
{
    const size_t norms = (size_t)h->m.groups * GROUP * sizeof(float) * (h->sizes == h->norms ? 1 : 2);
    return norms + (h->borrowed ? 0 : gnosis_engine_matrix_bytes(h->m.kind, h->m.rows, h->m.columns));
}

/* ---- the pass ---- */

typedef struct {
    gnosis_engine_head *h;
    const kernels *k;
    const float *a;
    float *z, *eps, *low, *high;
    int *exponent;
    int bits, fast;
    float moved[TOKENS], floats[TOKENS]; /* E and G */
} head_pass;

/* Scaled, made whole, and how far that is from the activation. */
static void prepare(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    head_pass *p = job;
    const gnosis_engine_head *h = p->h;
    const activations *a = &h->a;
    const ptrdiff_t columns = h->m.columns, blocks = h->m.blocks;
    const int real = engine_is_real(h->m.kind), twice = engine_has_minimum(h->m.kind) || h->m.kind == GNOSIS_Q6_K;
    const double roundings = (double)((real ? columns : (twice ? 2 : 1) * blocks) + 2) * 0x1p-24, gamma = roundings / (1 - roundings);

    (void)worker;
    for (ptrdiff_t t = from; t < to; t++) {
        const float *given = p->a + t * columns;
        float *x = h->x + t * columns, top = 0;
        for (ptrdiff_t k = 0; k < columns; k++)
            top = fabsf(given[k]) > top ? fabsf(given[k]) : top;
        frexpf(top, &p->exponent[t]); /* 0 for 0 */
        const double scale = ldexp(1.0, -p->exponent[t]);
        for (ptrdiff_t k = 0; k < columns; k++)
            x[k] = (float)(given[k] * scale);
        p->k->take(a, t, x, blocks, p->bits, real ? WANT_REAL : WANT_WHOLE);
        if (!p->eps)
            continue;
        double moved = 0, size = 0;
        for (ptrdiff_t b = 0; b < blocks; b++) {
            const ptrdiff_t at = b * a->tokens + t;
            const double unit = real ? 0 : (double)a->unit[at];
            for (int k = 0; k < BLOCK; k++) {
                const double v = real ? (double)x[b * BLOCK + k] : unit * a->whole[at * BLOCK + k], e = given[b * BLOCK + k] * scale - v;
                moved += e * e, size += v * v;
            }
        }
        moved = sqrt(moved) * WIDEN * WIDEN_FLOAT, size = gamma * sqrt(size) * WIDEN * WIDEN_FLOAT;
        if (h->sizes == h->norms) /* one product less for every row */
            moved += size, size = 0;
        p->moved[t] = up_to_float(moved), p->floats[t] = up_to_float(size);
    }
}

typedef float f8 __attribute__((vector_size(32), aligned(4)));
typedef int32_t i8 __attribute__((vector_size(32)));

GNOSIS_INLINE f8 larger(f8 a, f8 b)
{
    const i8 m = a > b;
    return (f8)(((i8)a & m) | ((i8)b & ~m));
}

GNOSIS_INLINE f8 eight(const float *p)
{
    f8 x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Bounds of n rows, a multiple of 16, and their largest lower and upper end. */
GNOSIS_INLINE void bounds(const float *norms, const float *sizes, float moved, float floats, const float *z, float *eps, ptrdiff_t n, float *low, float *high)
{
    const f8 none = {0};
    f8 lows = none - INFINITY, highs = none - INFINITY;

    for (ptrdiff_t r = 0; r < n; r += 8) {
        f8 e = eight(norms + r) * moved, y = eight(z + r);
        if (sizes != norms)
            e = e + eight(sizes + r) * floats;
        e = e + (float)(LEAST_BOUND * WIDEN_FLOAT);
        memcpy(eps + r, &e, sizeof e);
        lows = larger(lows, y - e), highs = larger(highs, y + e);
    }
    *low = *high = -INFINITY;
    for (int l = 0; l < 8; l++) {
        *low = lows[l] > *low ? lows[l] : *low;
        *high = highs[l] > *high ? highs[l] : *high;
    }
}

#define BODY(name, target, norms, sizes)                                                                                                            \
    target static void name(const gnosis_engine_head *h, float moved, float floats, const float *z, float *eps, ptrdiff_t r, ptrdiff_t n, float *low, \
                            float *high)                                                                                                            \
    {                                                                                                                                               \
        bounds(norms + r, sizes + r, moved, floats, z + r, eps + r, n, low, high);                                                                  \
    }
#if GNOSIS_X86
BODY(one_avx2, GNOSIS_AVX2, h->norms, h->norms)
BODY(two_avx2, GNOSIS_AVX2, h->norms, h->sizes)
#endif
BODY(one_plain, , h->norms, h->norms)
BODY(two_plain, , h->norms, h->sizes)
#undef BODY

/* Tiles from .. to - 1. */
static void score(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    head_pass *p = job;
    const gnosis_engine_head *h = p->h;
    const ptrdiff_t groups = h->m.groups, stride = groups * GROUP, tile = GNOSIS_HEAD_TILE / GROUP, tiles = (groups + tile - 1) / tile;
    const ptrdiff_t first = from * tile, end = to * tile < groups ? to * tile : groups;

    (void)worker;
    p->k->product(&h->m, &h->a, first, end, p->z, stride);
    for (ptrdiff_t t = 0; t < h->a.tokens; t++) {
        float *z = p->z + t * stride;
        for (ptrdiff_t r = h->m.rows; end == groups && r < stride; r++)
            z[r] = -INFINITY;
        for (ptrdiff_t i = from; p->eps && i < to; i++) {
            const ptrdiff_t r = i * GNOSIS_HEAD_TILE, n = (stride - r < GNOSIS_HEAD_TILE ? stride - r : GNOSIS_HEAD_TILE);
            float *eps = p->eps + t * stride, *low = p->low + t * tiles + i, *high = p->high + t * tiles + i;
#if GNOSIS_X86
            if (p->fast) {
                (h->sizes == h->norms ? one_avx2 : two_avx2)(h, p->moved[t], p->floats[t], z, eps, r, n, low, high);
                continue;
            }
#endif
            (h->sizes == h->norms ? one_plain : two_plain)(h, p->moved[t], p->floats[t], z, eps, r, n, low, high);
        }
    }
}

ptrdiff_t gnosis_engine_head_pass(gnosis_engine_head *h, const float *a, ptrdiff_t tokens, int bits, float *z, float *eps, float *low, float *high, int *exponent,
                                  int level)
{
    const ptrdiff_t tile = GNOSIS_HEAD_TILE / GROUP;
    if (tokens < 1 || tokens > TOKENS || (bits != 16 && (bits != 8 || eps)) || (eps && (!low || !high)))
        return GNOSIS_ENGINE_REFUSED;
    for (ptrdiff_t i = 0; i < tokens * h->m.columns; i++)
        if (!(fabsf(a[i]) <= FLT_MAX))
            return i;
    head_pass p = {.h = h, .k = engine_table(level), .a = a, .z = z, .eps = eps, .low = low, .high = high, .exponent = exponent, .bits = bits};
    p.fast = engine_blocks_level(level) >= GNOSIS_LEVEL_AVX2;
    h->a.tokens = tokens;
    engine_pool_begin(h->threads, tokens);
    engine_pool_run(h->threads, prepare, &p, tokens, 2);
    engine_pool_run(h->threads, score, &p, (h->m.groups + tile - 1) / tile, 1);
    engine_pool_end(h->threads);
    return -1;
}

/* ---- what is left ---- */

/* A tile whose largest upper end is below the largest lower end has no candidate, and the row of the largest lower end is in one that is left: rounding to float32
 * is monotone. */
ptrdiff_t gnosis_engine_head_left(const gnosis_engine_head *h, const float *z, const float *eps, const float *low, const float *high, int64_t *index, float *left_z,
                                  float *left_eps, double *lead)
{
    const ptrdiff_t tiles = (h->m.rows + GNOSIS_HEAD_TILE - 1) / GNOSIS_HEAD_TILE;
    float best = -INFINITY, rival = -INFINITY;
    double first = -INFINITY, second;
    ptrdiff_t n = 0, leader = 0;

    for (ptrdiff_t i = 0; i < tiles; i++)
        best = low[i] > best ? low[i] : best;
    for (ptrdiff_t i = 0; i < tiles; i++)
        if (high[i] < best)
            rival = high[i] > rival ? high[i] : rival;
        else
            for (ptrdiff_t r = i * GNOSIS_HEAD_TILE; r < (i + 1) * GNOSIS_HEAD_TILE && r < h->m.rows; r++, n++)
                index[n] = r, left_z[n] = z[r], left_eps[n] = eps[r];
    for (ptrdiff_t j = 0; j < n; j++)
        if ((double)left_z[j] - left_eps[j] > first)
            first = (double)left_z[j] - left_eps[j], leader = j;
    second = nextafterf(rival, INFINITY); /* it was rounded */
    for (ptrdiff_t j = 0; j < n; j++) {
        const double upper = (double)left_z[j] + left_eps[j];
        second = j != leader && upper > second ? upper : second;
    }
    *lead = nextafter(nextafter(first, -INFINITY) - nextafter(second, INFINITY), -INFINITY); /* each was rounded once */
    return n;
}

/* ---- rows in float64 ---- */

typedef double d8 __attribute__((vector_size(64)));

ptrdiff_t gnosis_engine_head_rows(int kind, const uint8_t *blocks, ptrdiff_t columns, const double *x, const int64_t *index, ptrdiff_t n, double *y, double *err,
                                  int level)
{
    const int weights = gnosis_block_weights(kind), bytes = gnosis_block_bytes(kind);
    if (!weights || columns < 1 || columns % weights || columns > MOST_COLUMNS)
        return GNOSIS_ENGINE_REFUSED;
    const double gamma = (double)(columns / 8 + 8) * 0x1p-53 * WIDEN_FLOAT;
    for (ptrdiff_t i = 0; i < n; i++) {
        const uint8_t *row = blocks + index[i] * (columns / weights) * bytes;
        d8 sum = {0}, size = {0};
        for (ptrdiff_t k = 0; k < columns; k += weights, row += bytes) {
            float w[DECODED];
            if (gnosis_blocks_dequantize(kind, row, w, 1, engine_blocks_level(level)) >= 0)
                return GNOSIS_ENGINE_REFUSED;
            for (int j = 0; j < weights; j += 8)
                for (int l = 0; l < 8; l++) {
                    const double term = (double)w[j + l] * x[k + j + l];
                    sum[l] += term, size[l] += fabs(term);
                }
        }
        y[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
        err[i] = (((size[0] + size[4]) + (size[2] + size[6])) + ((size[1] + size[5]) + (size[3] + size[7]))) * gamma;
    }
    return -1;
}
