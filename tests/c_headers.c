/* Every function of every header at the edges of what it may be given: no entries, counts below zero, the ends of int64, sums that
 * would wrap, infinities and NaNs of both signs.  Each buffer has exactly the size that the header asks for, so that the sanitizers see
 * any step past it.  Prints "ok", or says which demand was not met. */
#include "blocks.h"
#include "conformal.h"
#include "cumloss.h"
#include "energy.h"
#include "engine_head.h"
#include "head.h"
#include "lattice.h"
#include "margin.h"
#include "stream.h"
#include "transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEMAND(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "level %d, line %d: not so: %s\n", level, __LINE__, #condition); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)
#define LIMIT ((int64_t)1 << 62)
#define COUNT(array) ((ptrdiff_t)(sizeof(array) / sizeof *(array)))

static const ptrdiff_t NO_COUNT[] = {0, -1, -16, -128, INT32_MIN, PTRDIFF_MIN + 1, PTRDIFF_MIN};
static const double NOT_FINITE[] = {INFINITY, -INFINITY, NAN, -NAN};

/* ---- accounts ------------------------------------------------------------------------------------------------------------- */

/* n equal steps from this start; the fault, and that nothing changed if there is one. */
static int ledger(ptrdiff_t n, int64_t offer, int64_t charge, int64_t budget, int64_t loss, int64_t account, int64_t lost, ptrdiff_t *at, int level)
{
    size_t bytes = (size_t)(n > 0 ? n : 0) * sizeof(int64_t);
    int64_t *o = calloc(bytes + 1, 1), *c = calloc(bytes + 1, 1), *l = calloc(bytes + 1, 1), a = account, g = lost;
    uint8_t *out = malloc(bytes / 8 + 1);

    for (ptrdiff_t i = 0; i < n; i++)
        o[i] = offer, c[i] = charge, l[i] = loss;
    int fault = gnosis_ledger_run(o, c, &budget, 0, l, out, n, &a, &g, at, level);
    DEMAND(!fault || (a == account && g == lost));
    for (ptrdiff_t i = 0; !fault && i < n; i++) { /* step by step, in 128 bits */
        __int128 sum = (__int128)account + offer;
        DEMAND(out[i] == (sum <= budget));
        account += out[i] ? charge : 0;
        lost += out[i] ? loss : 0;
    }
    DEMAND(fault || (a == account && g == lost));
    free(o), free(c), free(l), free(out);
    return fault;
}

static void accounts(int level)
{
    const int64_t outside[] = {-1, LIMIT, INT64_MAX - 5, INT64_MAX, INT64_MIN, INT64_MIN + 5, -LIMIT}, most = LIMIT - 1;
    ptrdiff_t at;

    for (ptrdiff_t i = 0; i < COUNT(outside); i++)
        for (ptrdiff_t n = 0; n < 300; n += 149) {
            DEMAND(ledger(n, 100, 100, 1000, 0, outside[i], 0, &at, level) == GNOSIS_LEDGER_ACCOUNT && at == -1);
            DEMAND(ledger(n, 100, 100, 1000, 0, 0, outside[i], &at, level) == GNOSIS_LEDGER_LOST && at == -1);
            if (n == 0)
                continue;
            DEMAND(ledger(n, outside[i], 100, 1000, 0, 0, 0, &at, level) == GNOSIS_LEDGER_OFFER && at == 0);
            DEMAND(ledger(n, 100, outside[i], 1000, 0, 0, 0, &at, level) == GNOSIS_LEDGER_CHARGE && at == 0);
            DEMAND(ledger(n, 100, 100, outside[i], 0, 0, 0, &at, level) == GNOSIS_LEDGER_BUDGET && at == 0);
            DEMAND(ledger(n, 100, 100, 1000, outside[i], 0, 0, &at, level) == GNOSIS_LEDGER_LOSS && at == 0);
            DEMAND(ledger(n, 100, 101, 1000, 0, 0, 0, &at, level) == GNOSIS_LEDGER_OVERCHARGE && at == 0);
            int64_t budget = 0, o = 100;
            uint8_t out;
            DEMAND(gnosis_ledger_admit(&outside[i], 0, &o, 0, &budget, 0, &out, 1, &at, level) == GNOSIS_LEDGER_ACCOUNT && at == 0);
            DEMAND(gnosis_ledger_admit(&budget, 0, &outside[i], 0, &budget, 0, &out, 1, &at, level) == GNOSIS_LEDGER_OFFER && at == 0);
            DEMAND(gnosis_ledger_admit(&budget, 0, &o, 0, &outside[i], 0, &out, 1, &at, level) == GNOSIS_LEDGER_BUDGET && at == 0);
        }
    /* all powers of two, and what is just below: whatever the sums of 128 of them are in 64 bits */
    for (int e = 40; e < 62; e++)
        for (int64_t off = -1; off <= 1; off++) {
            int64_t x = ((int64_t)1 << e) + off;
            for (int64_t budget = 1000; budget > 0; budget = budget < most ? most : 0) {
                DEMAND(ledger(300, x, x, budget, 0, 0, 0, &at, level) == GNOSIS_LEDGER_FINE);
                DEMAND(ledger(300, x, 0, budget, 0, 999, 0, &at, level) == GNOSIS_LEDGER_FINE);
                int fault = ledger(300, 1, 1, budget, x, 0, 0, &at, level); /* only the losses are large */
                __int128 all = (__int128)x * 300;
                DEMAND(fault == (all >= LIMIT ? GNOSIS_LEDGER_LOST : GNOSIS_LEDGER_FINE) && (!fault || at == (LIMIT + x - 1) / x - 1));
            }
        }
    DEMAND(ledger(1, most, most, most, most, 0, 0, &at, level) == GNOSIS_LEDGER_FINE);
    DEMAND(ledger(1, most, most, most, 0, most, 0, &at, level) == GNOSIS_LEDGER_FINE);
    DEMAND(ledger(1, 0, 0, most, 1, 0, most, &at, level) == GNOSIS_LEDGER_LOST && at == 0);
    for (int e = 50; e < 62; e++) /* account, charges and offer each in range, and together not */
        DEMAND(ledger(256, most, ((int64_t)1 << e) - 1, most, 0, most, 0, &at, level) == GNOSIS_LEDGER_FINE);
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {
        DEMAND(ledger(NO_COUNT[i], 1, 1, 1, 1, 7, 9, &at, level) == GNOSIS_LEDGER_FINE);
        DEMAND(gnosis_ledger_admit(0, 1, 0, 1, 0, 1, 0, NO_COUNT[i], &at, level) == GNOSIS_LEDGER_FINE);
    }
    int64_t offers[2] = {5, 5}, rising[2] = {5, 10}, falling[2] = {10, 5}, account = 0, lost = 0;
    uint8_t out[2];
    for (int step = -2; step <= 7; step++) /* any step but 0 is a step of 1 */
        if (step) {
            account = 0;
            DEMAND(gnosis_ledger_run(offers, 0, rising, step, 0, out, 2, &account, &lost, &at, level) == GNOSIS_LEDGER_FINE && account == 10);
            DEMAND(gnosis_ledger_run(offers, 0, falling, step, 0, out, 2, &account, &lost, &at, level) == GNOSIS_LEDGER_FALL && at == 1);
            DEMAND(gnosis_ledger_admit(offers, step, offers, step, rising, step, out, 2, &at, level) == GNOSIS_LEDGER_FINE && !out[0] && out[1]);
        }
}

/* ---- energies ------------------------------------------------------------------------------------------------------------- */

static void energies(int level)
{
    const double edges[] = {0.0, -0.0, 0x1p-1074, -0x1p-1074, DBL_MIN, 1.0, -1.0, 0x1p511, DBL_MAX, -DBL_MAX};
    double *x = malloc(200 * sizeof *x), one = 1.0;
    int8_t *out = malloc(200);

    for (int i = 0; i < 200; i++)
        x[i] = 1.0;
    for (int i = 0; i < 200; i += 13)
        for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++) {
            x[i] = NOT_FINITE[k];
            for (int step = -3; step <= 3; step++)
                if (step) {
                    DEMAND(gnosis_energy_decide(x, step, &one, 0, &one, 0, 0, out, 200, level) == i);
                    DEMAND(gnosis_energy_decide(&one, 0, x, step, &one, 0, 1, out, 200, level) == i);
                    DEMAND(gnosis_energy_decide(&one, 0, &one, 0, x, step, 0, out, 200, level) == i);
                }
            DEMAND(gnosis_energy_decide(x + i, 0, &one, 0, &one, 0, 0, out, 200, level) == 0);
            x[i] = 1.0;
        }
    for (int strict = 0; strict < 2; strict++) /* nothing below zero is admitted, and no threshold of zero but for an energy of zero */
        for (ptrdiff_t i = 0; i < COUNT(edges); i++)
            for (ptrdiff_t j = 0; j < COUNT(edges); j++)
                for (ptrdiff_t k = 0; k < COUNT(edges); k++) {
                    double E = edges[i], A = edges[j], g = edges[k];
                    DEMAND(gnosis_energy_decide(&E, 1, &A, 1, &g, 1, strict, out, 1, level) == -1);
                    if (E < 0 || A < 0 || g < 0)
                        DEMAND(out[0] == 0);
                    else if (E == 0 || A == 0)
                        DEMAND(out[0] == (strict ? g > 0 : 1));
                    else if (g == 0)
                        DEMAND(out[0] == 0);
                    else if (E == DBL_MAX && A == DBL_MAX)
                        DEMAND(out[0] != 1);
                    else
                        DEMAND(out[0] >= -1 && out[0] <= 1);
                }
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++)
        DEMAND(gnosis_energy_decide(0, 1, 0, 1, 0, 1, 0, 0, NO_COUNT[i], level) == -1);
    free(x), free(out);
}

/* ---- scores --------------------------------------------------------------------------------------------------------------- */

#define MARGINS(type, name, least, most)                                                                       \
    static void margins_##name(int level)                                                                      \
    {                                                                                                          \
        const type edges[] = {least, least, 0, most, most};                                                    \
        for (ptrdiff_t n = 1; n < 6000; n = n * 3 + 1) {                                                       \
            type *z = malloc((size_t)n * sizeof *z), *e = malloc((size_t)n * sizeof *e);                       \
            int64_t *out = malloc((size_t)n * sizeof *out);                                                    \
            for (ptrdiff_t k = 0; k < COUNT(edges); k++)                                                       \
                for (ptrdiff_t m = 2; m < COUNT(edges); m++) { /* all equal: all can win, the first does */    \
                    for (ptrdiff_t i = 0; i < n; i++)                                                          \
                        z[i] = edges[k], e[i] = edges[m];                                                      \
                    DEMAND(gnosis_candidates_##name(z, e, n, out, level) == n && out[n - 1] == n - 1);         \
                    DEMAND(gnosis_argmax_##name(z, n, level) == 0);                                            \
                    z[n - 1] = most, e[n - 1] = 0; /* what reaches it can win */ \
                    int reach = edges[k] == most || (edges[k] == 0 && edges[m] == most);                       \
                    ptrdiff_t got = gnosis_candidates_##name(z, e, n, out, level);                             \
                    DEMAND(got == (reach ? n : 1) && out[got - 1] == n - 1);                                   \
                    DEMAND(gnosis_argmax_##name(z, n, level) == (edges[k] == most ? 0 : n - 1));               \
                    e[n - 1] = least; /* below zero */                                                         \
                    DEMAND(gnosis_candidates_##name(z, e, n, out, level) == -n);                               \
                }                                                                                              \
            free(z), free(e), free(out);                                                                       \
        }                                                                                                      \
        for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {                                                      \
            DEMAND(gnosis_candidates_##name(0, 0, NO_COUNT[i], 0, level) == 0);                                \
            DEMAND(gnosis_argmax_##name(0, NO_COUNT[i], level) == -1);                                         \
        }                                                                                                      \
    }
#define NOT_FINITE_SCORES(type, name)                                                                          \
    static void not_finite_##name(int level)                                                                   \
    {                                                                                                          \
        for (ptrdiff_t n = 1; n < 6000; n = n * 3 + 1)                                                         \
            for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++)                                                  \
                for (ptrdiff_t i = 0; i < n; i += n / 7 + 1) {                                                 \
                    type *z = calloc((size_t)n, sizeof *z), *e = calloc((size_t)n, sizeof *e);                 \
                    int64_t *out = malloc((size_t)n * sizeof *out);                                            \
                    z[i] = (type)NOT_FINITE[k];                                                                \
                    DEMAND(gnosis_candidates_##name(z, e, n, out, level) == -1 - i);                           \
                    DEMAND(gnosis_candidates_##name(e, z, n, out, level) == -1 - i);                           \
                    DEMAND(gnosis_argmax_##name(z, n, level) == -1 - i);                                       \
                    free(z), free(e), free(out);                                                               \
                }                                                                                              \
    }
MARGINS(double, double, -DBL_MAX, DBL_MAX)
MARGINS(float, float, -FLT_MAX, FLT_MAX)
MARGINS(int64_t, int64, INT64_MIN, INT64_MAX)
NOT_FINITE_SCORES(double, double)
NOT_FINITE_SCORES(float, float)

#define RANKS(bits, type, number)                                                                              \
    static void ranks_##bits(int level)                                                                        \
    {                                                                                                          \
        const ptrdiff_t n = 700, wrong[] = {-1, n, n + 1, PTRDIFF_MIN, PTRDIFF_MAX, INT32_MIN};                \
        number *scores = malloc((size_t)n * sizeof *scores);                                                   \
        type *src = malloc((size_t)n * sizeof *src), *dst = malloc((size_t)n * sizeof *dst), key = 7;          \
        for (ptrdiff_t i = 0; i < n; i++)                                                                      \
            scores[i] = (number)((i * 37 % n) - 650) / 8; /* most below -2: their bits fall as they rise */    \
        memcpy(src, scores, (size_t)n * sizeof *src);                                                          \
        for (ptrdiff_t i = 0; i < COUNT(wrong); i++) {                                                         \
            DEMAND(gnosis_kth_##bits(src, n, 1, wrong[i], &key, level) == GNOSIS_NO_RANK && key == 7);         \
            DEMAND(gnosis_digits_##bits(src, n, 1, wrong[i], &key, level) == GNOSIS_NO_RANK && key == 7);      \
            if (wrong[i] != n)                                                                                 \
                DEMAND(gnosis_largest_##bits(src, n, 1, wrong[i], dst, level) == GNOSIS_NO_RANK);              \
        }                                                                                                      \
        DEMAND(gnosis_largest_##bits(src, n, 1, 0, dst, level) == GNOSIS_NO_RANK);                             \
        for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {                                                      \
            DEMAND(gnosis_kth_##bits(0, NO_COUNT[i], 1, 0, &key, level) == GNOSIS_NO_RANK);                    \
            DEMAND(gnosis_digits_##bits(0, NO_COUNT[i], 1, 0, &key, level) == GNOSIS_NO_RANK);                 \
            DEMAND(gnosis_largest_##bits(0, NO_COUNT[i], 1, 1, &key, level) == GNOSIS_NO_RANK);                \
            DEMAND(gnosis_finite_##bits(0, NO_COUNT[i], 1, level) == -1);                                      \
            ptrdiff_t from = 0, used = 0;                                                                      \
            gnosis_above_##bits(0, NO_COUNT[i], 1, 0, 0, 0, &from, &used, level);                              \
            DEMAND(from == 0 && used == 0);                                                                    \
        }                                                                                                      \
        for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++) {                                                    \
            number t = (number)NOT_FINITE[k];                                                                  \
            type bits_of_t;                                                                                    \
            ptrdiff_t from = 0, used = 0;                                                                      \
            memcpy(&bits_of_t, &t, sizeof t);                                                                  \
            gnosis_above_##bits(src, n, 1, bits_of_t, dst, n, &from, &used, level);                            \
            DEMAND(from == n && used == (t < 0 ? n : 0)); /* all are above -inf, none above a NaN */           \
            type kept = src[333];                                                                              \
            src[333] = bits_of_t;                                                                              \
            DEMAND(gnosis_kth_##bits(src, n, 1, 5, &key, level) == 333);                                       \
            DEMAND(gnosis_digits_##bits(src, n, 1, 5, &key, level) == 333);                                    \
            DEMAND(gnosis_largest_##bits(src, n, 1, 5, dst, level) == 333);                                    \
            DEMAND(gnosis_finite_##bits(src, n, 1, level) == 333 && gnosis_finite_##bits(src, n, 0, level) == -1); \
            src[333] = kept;                                                                                   \
        }                                                                                                      \
        for (ptrdiff_t i = 0; i < n; i += 41) { /* thresholds of either sign, as numbers */                    \
            ptrdiff_t from = 0, used = 0, more = 0;                                                            \
            gnosis_above_##bits(src, n, 1, src[i], dst, n, &from, &used, level);                               \
            for (ptrdiff_t j = 0; j < n; j++)                                                                  \
                if (scores[j] > scores[i])                                                                     \
                    { DEMAND(more < used && dst[more] == src[j]); more++; }                                      \
            DEMAND(from == n && used == more);                                                                 \
        }                                                                                                      \
        for (ptrdiff_t i = 0; i < COUNT(wrong); i++) /* places that are none: nothing moves */                 \
            if (wrong[i] != n && wrong[i] != n + 1 && wrong[i] != PTRDIFF_MAX) {                               \
                ptrdiff_t from = wrong[i], used = 0;                                                           \
                gnosis_above_##bits(src, n, 1, 0, dst, n, &from, &used, level);                                \
                DEMAND(from == wrong[i] && used == 0);                                                         \
                from = 0, used = wrong[i];                                                                     \
                gnosis_above_##bits(src, n, 1, 0, dst, n, &from, &used, level);                                \
                DEMAND(from == 0 && used == wrong[i]);                                                         \
                used = 0;                                                                                      \
                gnosis_above_##bits(src, n, 1, 0, dst, wrong[i], &from, &used, level); /* no room */           \
                DEMAND(from == 0 && used == 0);                                                                \
            }                                                                                                  \
        ptrdiff_t past = n + 3, none = 0;                                                                      \
        gnosis_above_##bits(src, n, 1, 0, dst, n, &past, &none, level);                                        \
        DEMAND(past == n + 3 && none == 0);                                                                    \
        free(scores), free(src), free(dst);                                                                    \
    }
RANKS(64, int64_t, double)
RANKS(32, int32_t, float)

/* ---- lattices, memory ----------------------------------------------------------------------------------------------------- */

static void lattices(int level)
{
    const float beyond[] = {INFINITY, -INFINITY, NAN, -NAN, FLT_MAX, -FLT_MAX, 2097152.25f, -2097152.25f};
    ptrdiff_t (*const nearest[])(const float *, float *, ptrdiff_t, int) = {gnosis_nearest_cubic, gnosis_nearest_d8, gnosis_nearest_e8};

    for (int which = 0; which < 3; which++) {
        for (ptrdiff_t rows = 1; rows < 40; rows += 6)
            for (ptrdiff_t i = 0; i < rows * 8; i += 5)
                for (ptrdiff_t k = 0; k < COUNT(beyond); k++) {
                    float *x = calloc((size_t)rows * 8, sizeof *x), *out = malloc((size_t)rows * 8 * sizeof *out);
                    DEMAND(nearest[which](x, out, rows, level) == -1);
                    x[i] = k % 2 ? GNOSIS_LATTICE_LIMIT : -GNOSIS_LATTICE_LIMIT;
                    DEMAND(nearest[which](x, out, rows, level) == -1);
                    x[i] = beyond[k];
                    DEMAND(nearest[which](x, out, rows, level) == i);
                    free(x), free(out);
                }
        for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++)
            DEMAND(nearest[which](0, 0, NO_COUNT[i], level) == -1);
    }
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++)
        DEMAND(gnosis_stream_read(0, NO_COUNT[i], level) == 0);
    for (ptrdiff_t n = 1; n < 600; n += 7) {
        uint8_t *p = calloc((size_t)n, 1);
        p[n - 1] = 1;
        DEMAND(gnosis_stream_read(p, n, level) == (uint64_t)1 << (n - 1) % 8 * 8);
        free(p);
    }
}

/* ---- block codes ---------------------------------------------------------------------------------------------------------- */

static void codes(int level)
{
    const int none[] = {-1, GNOSIS_F32 + 1, INT32_MIN, INT32_MAX};

    for (ptrdiff_t i = 0; i < COUNT(none); i++) {
        DEMAND(gnosis_block_bytes(none[i]) == 0 && gnosis_block_weights(none[i]) == 0);
        DEMAND(gnosis_blocks_dequantize(none[i], 0, 0, 1, level) == GNOSIS_NO_KIND);
        DEMAND(gnosis_blocks_residual_upper(none[i], 0, 0, 0, 1, level) == GNOSIS_NO_KIND);
        DEMAND(gnosis_blocks_unpack(none[i], 0, 0, 0, 0, 1) == GNOSIS_NO_KIND);
        DEMAND(gnosis_linear_blocks(0, none[i], 0, 0, 0, 1, 1, 32, 1, level) == GNOSIS_NO_KIND);
    }
    for (int kind = 0; kind <= GNOSIS_F32; kind++) {
        const ptrdiff_t bytes = gnosis_block_bytes(kind), weights = gnosis_block_weights(kind), n = 19;
        uint8_t *blocks = malloc((size_t)(n * bytes)), zero[256] = {0};
        float *w = calloc((size_t)(n * weights), sizeof *w), *x = calloc((size_t)(n * weights), sizeof *x);
        float *space = malloc((size_t)(4 * weights) * sizeof *space), *y = malloc((size_t)n * sizeof *y);
        double *bound = malloc((size_t)n * sizeof *bound);
        int8_t *q = malloc((size_t)(n * weights));
        float *scales = malloc((size_t)(n * weights / 16) * sizeof *scales), *offsets = malloc((size_t)(n * weights / 32) * sizeof *offsets);

        for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {
            DEMAND(gnosis_blocks_dequantize(kind, 0, 0, NO_COUNT[i], level) == -1);
            DEMAND(gnosis_blocks_residual_upper(kind, 0, 0, 0, NO_COUNT[i], level) == -1);
            DEMAND(gnosis_q8_0_residual_nearest(0, 0, 0, NO_COUNT[i], level) == -1);
            DEMAND(gnosis_blocks_unpack(kind, 0, 0, 0, 0, NO_COUNT[i]) == (kind >= GNOSIS_F16 ? GNOSIS_NO_KIND : -1));
            DEMAND(gnosis_linear_blocks(x, kind, blocks, y, space, 1, NO_COUNT[i], weights, n, level) == -1);
        }
        DEMAND(gnosis_linear_blocks(x, kind, blocks, y, space, 1, 1, weights - 1, 1, level) == GNOSIS_NO_KIND);
        DEMAND(gnosis_linear_blocks(x, kind, blocks, y, space, 1, 1, -weights, 1, level) == GNOSIS_NO_KIND);
        DEMAND(gnosis_linear_blocks(x, kind, blocks, y, space, 1, 1, 0, 1, level) == -1 && y[0] == 0);
        for (ptrdiff_t b = 0; b < n; b++) { /* every bit set: an exponent at the end of its range, wherever it is kept */
            for (ptrdiff_t i = 0; i < n * bytes; i++)
                blocks[i] = i / bytes == b ? 255 : 0;
            ptrdiff_t odd = gnosis_blocks_dequantize(kind, blocks, x, n, level);
            DEMAND(odd == b);
            DEMAND(gnosis_blocks_residual_upper(kind, blocks, w, bound, n, level) == b);
            if (kind < GNOSIS_F16)
                DEMAND(gnosis_blocks_unpack(kind, blocks, q, scales, offsets, n) == b);
            DEMAND(gnosis_linear_blocks(w, kind, blocks, y, space, 1, n, weights, n, level) == b);
        }
        for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++) /* a weight that is not finite has no residual */
            for (ptrdiff_t i = 0; i < n * weights; i += 37) {
                for (ptrdiff_t j = 0; j < n; j++)
                    memcpy(blocks + j * bytes, zero, (size_t)bytes);
                w[i] = (float)NOT_FINITE[k];
                DEMAND(gnosis_blocks_residual_upper(kind, blocks, w, bound, n, level) == i / weights);
                w[i] = 0;
            }
        free(blocks), free(w), free(x), free(space), free(y), free(bound), free(q), free(scales), free(offsets);
    }
}

/* ---- the head ------------------------------------------------------------------------------------------------------------- */

static void head(int level)
{
    enum { ROWS = 20, BLOCKS = 3, N = 32 * BLOCKS, GROUPS = 2 };
    uint8_t *q8_0 = calloc(ROWS * BLOCKS, 34), *coarse = malloc(GROUPS * BLOCKS * 256), *roots = malloc(GROUPS * BLOCKS * 16), *rest = malloc(N * 64);
    uint16_t *scales = malloc(GROUPS * BLOCKS * 32);
    float *a = calloc(N, sizeof *a), *z = malloc(16 * GROUPS * sizeof *z), *eps = malloc(16 * GROUPS * sizeof *eps);
    double y[2], err[2];
    gnosis_head_plan_t plan = {0, 0, malloc(N * 4), malloc(N * 8), malloc(BLOCKS * 8), malloc(N), malloc(N), malloc(BLOCKS * 4), malloc(BLOCKS * 4), malloc(BLOCKS * 4),
                               malloc(BLOCKS * 4), malloc((BLOCKS + 1) * 4), malloc(N * 4), malloc(N), malloc(N)};
    const ptrdiff_t wrong[] = {0, -1, GNOSIS_MOST_BLOCKS + 1, PTRDIFF_MAX, PTRDIFF_MIN};
    const int64_t index[2] = {0, ROWS - 1}, negative[2] = {0, -1}, least[2] = {INT64_MIN, 0};

    DEMAND(gnosis_head_coarse(coarse, rest, scales, roots, BLOCKS, &plan, 0, GROUPS, z, eps, level) == GNOSIS_HEAD_SIZE); /* no plan yet */
    for (ptrdiff_t i = 0; i < COUNT(wrong); i++) {
        DEMAND(gnosis_head_pack(0, ROWS, wrong[i], 0, 0, 0, 0) == GNOSIS_HEAD_SIZE);
        DEMAND(gnosis_head_plan(a, wrong[i], 4, &plan) == GNOSIS_HEAD_SIZE && plan.blocks == 0);
        if (wrong[i] < 1 || wrong[i] == PTRDIFF_MAX)
            DEMAND(gnosis_head_pack(0, wrong[i], BLOCKS, 0, 0, 0, 0) == GNOSIS_HEAD_SIZE);
    }
    for (int i = 0; i < ROWS * BLOCKS; i++)
        for (int sign = 0; sign < 2; sign++) { /* a scale that is not finite */
            q8_0[34 * i + 1] = sign ? 0xfc : 0x7c;
            DEMAND(gnosis_head_pack(q8_0, ROWS, BLOCKS, coarse, rest, scales, roots) == i);
            q8_0[34 * i] = 1;
            DEMAND(gnosis_head_pack(q8_0, ROWS, BLOCKS, coarse, rest, scales, roots) == i);
            q8_0[34 * i] = q8_0[34 * i + 1] = 0;
        }
    DEMAND(gnosis_head_pack(q8_0, ROWS, BLOCKS, coarse, rest, scales, roots) == -1);
    DEMAND(gnosis_head_plan(a, BLOCKS, 4, &plan) == GNOSIS_HEAD_SIZE); /* all zero */
    for (int i = 0; i < N; i++)
        for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++) {
            a[i] = (float)NOT_FINITE[k];
            DEMAND(gnosis_head_plan(a, BLOCKS, 4, &plan) == i && plan.blocks == 0);
            a[i] = 0;
        }
    a[5] = FLT_MAX, a[6] = 0x1p-149f;
    DEMAND(gnosis_head_plan(a, BLOCKS, -1, &plan) == GNOSIS_HEAD_SIZE && gnosis_head_plan(a, BLOCKS, INT32_MIN, &plan) == GNOSIS_HEAD_SIZE);
    DEMAND(gnosis_head_plan(a, BLOCKS, INT32_MAX, &plan) == -1 && plan.quads[BLOCKS] == N / 4);
    DEMAND(gnosis_head_plan(a, BLOCKS, 0, &plan) == -1 && plan.blocks == BLOCKS && plan.quads[BLOCKS] == 0);
    DEMAND(gnosis_head_coarse(coarse, rest, scales, roots, BLOCKS, &plan, -1, GROUPS, z, eps, level) == GNOSIS_HEAD_SIZE);
    DEMAND(gnosis_head_coarse(coarse, rest, scales, roots, BLOCKS - 1, &plan, 0, GROUPS, z, eps, level) == GNOSIS_HEAD_SIZE);
    DEMAND(gnosis_head_coarse(coarse, rest, scales, roots, BLOCKS, &plan, GROUPS, 0, z, eps, level) == -1); /* no groups */
    DEMAND(gnosis_head_coarse(coarse, rest, scales, roots, BLOCKS, &plan, 0, GROUPS, z, eps, level) == -1 && z[0] == 0);
    DEMAND(gnosis_head_rows(q8_0, BLOCKS, &plan, index, 2, y, err, level) == -1 && y[1] == 0);
    DEMAND(gnosis_head_rows(q8_0, BLOCKS, &plan, negative, 2, y, err, level) == 1 && gnosis_head_rows(q8_0, BLOCKS, &plan, least, 2, y, err, level) == 0);
    for (ptrdiff_t i = 0; i < COUNT(wrong); i++)
        DEMAND(gnosis_head_rows(q8_0, wrong[i], &plan, index, 2, y, err, level) == GNOSIS_HEAD_SIZE);
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++)
        DEMAND(gnosis_head_rows(q8_0, BLOCKS, &plan, 0, NO_COUNT[i], 0, 0, level) == -1);
    DEMAND(!gnosis_head_vnni(GNOSIS_PLAIN) && !gnosis_head_vnni(-GNOSIS_LEVEL_AVX512) && !gnosis_head_vnni(INT32_MIN));
    free(q8_0), free(coarse), free(roots), free(rest), free(scales), free(a), free(z), free(eps);
    free(plan.room), free(plan.exact), free(plan.size), free(plan.high), free(plan.low), free(plan.half), free(plan.energy), free(plan.floor);
    free(plan.base), free(plan.quads), free(plan.column), free(plan.quad_high), free(plan.quad_low);
}

/* ---- the transformer ------------------------------------------------------------------------------------------------------ */

static void transformer(int level)
{
    enum { TOKENS = 2, TOTAL = 3, HEADS = 4, GROUPS = 2, WIDTH = 16 };
    float q[TOKENS * HEADS * WIDTH] = {0}, kv[TOTAL * GROUPS * WIDTH] = {0}, out[TOKENS * HEADS * WIDTH], *scores = malloc(16 * sizeof *scores), mark = 7;
    const struct { ptrdiff_t tokens, total, heads, groups, width; } wrong[] = {
        {3, 2, 4, 2, 16}, {2, 3, 3, 2, 16}, {2, 3, 2, 4, 16}, {2, 3, 4, 0, 16}, {2, 3, 4, -2, 16}, {2, 3, 0, 2, 16}, {2, 3, -4, 2, 16}, {2, 3, 4, 2, 8},
        {2, 3, 4, 2, 0}, {2, 3, 4, 2, -16}, {2, 0, 4, 2, 16}, {2, -1, 4, 2, 16}, {0, 3, 4, 2, 16}, {-1, 3, 4, 2, 16}, {PTRDIFF_MIN, PTRDIFF_MIN, 4, 2, 16}};

    out[0] = mark;
    for (ptrdiff_t i = 0; i < COUNT(wrong); i++)
        DEMAND(gnosis_attention(q, kv, kv, 1, out, scores, wrong[i].tokens, wrong[i].total, wrong[i].heads, wrong[i].groups, wrong[i].width, level) == 1 && out[0] == mark);
    DEMAND(gnosis_attention(q, kv, kv, 1, out, scores, TOKENS, TOTAL, HEADS, GROUPS, WIDTH, level) == 0 && out[0] == 0);
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {
        const ptrdiff_t none = NO_COUNT[i];
        out[0] = mark;
        gnosis_linear(q, kv, out, none, 4, 16, 4, level);
        gnosis_linear(q, kv, out, 4, none, 16, 4, level);
        gnosis_rms_norm(q, kv, 1, out, none, 16, level);
        gnosis_rms_norm(q, kv, 1, out, 1, none, level);
        gnosis_rope(out, kv, kv, none, 1, 16, level);
        gnosis_rope(out, kv, kv, 1, none, 16, level);
        gnosis_rope(out, kv, kv, 1, 1, none, level);
        gnosis_swiglu(q, kv, out, none, level);
        gnosis_geglu(q, kv, out, none, level);
        gnosis_softmax(q, out, none, 16, level);
        gnosis_softmax(q, out, 1, none, level);
        DEMAND(out[0] == mark);
        gnosis_linear(q, kv, out, 1, 1, none, 1, level);
        DEMAND(out[0] == 0);
    }
    for (ptrdiff_t k = 0; k < COUNT(NOT_FINITE); k++) { /* comes out as such */
        q[3] = (float)NOT_FINITE[k], kv[3] = 1;
        gnosis_linear(q, kv, out, 1, 1, 16, 1, level);
        DEMAND(!isfinite(out[0]));
        q[3] = kv[3] = 0;
    }
    free(scores);
}

#include "c_engine.h"

int main(void)
{
    int level = 0;
    DEMAND(gnosis_environment() == GNOSIS_ENV_OK);
    for (; level <= gnosis_detect(); level++) {
        accounts(level);
        energies(level);
        margins_double(level), margins_float(level), margins_int64(level), not_finite_double(level), not_finite_float(level);
        ranks_64(level), ranks_32(level);
        lattices(level);
        codes(level);
        head(level);
        transformer(level);
        engine(level);
    }
    puts("ok");
    return 0;
}
