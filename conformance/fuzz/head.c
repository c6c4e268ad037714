#include "common.h"
#include "head.h"

static void *lines(size_t bytes) /* begins at a cache line, as the planes do */
{
    void *p = NULL;
    DEMAND(posix_memalign(&p, 64, bytes) == 0);
    return p;
}

/* What is within the bound of z, with the rounding of a sum in 113 bits to spare. */
static void within(quad y, quad most, double z, double bound)
{
    quad off = z > y ? z - y : y - z;
    DEMAND(off <= bound + most * (quad)0x1p-100);
}

TARGET_FUNCTION
{
    ptrdiff_t rows = 1 + count(&in, 40), blocks = 1 + count(&in, 4), n = 32 * blocks, groups = (rows + 15) / 16, tiles = (groups + 7) / 8;
    int split = (int)count(&in, n), raw = byte(&in) & 1, empty = 1;
    uint8_t *q8_0 = room((size_t)(rows * blocks * 34));
    uint8_t *coarse = lines((size_t)(groups * blocks * 256)), *rest = lines((size_t)(tiles * n * 64)), *roots = room((size_t)(groups * blocks * 16));
    uint16_t *scales = room((size_t)(groups * blocks * 32));
    float *a = room((size_t)n * 4);
    gnosis_head_plan_t plan = {0, 0, room((size_t)n * 4), room((size_t)n * 8), room((size_t)blocks * 8), room((size_t)n), room((size_t)n), room((size_t)blocks * 4),
                               room((size_t)blocks * 4), room((size_t)blocks * 4), room((size_t)blocks * 4), room((size_t)(blocks + 1) * 4), room((size_t)n * 4),
                               room((size_t)n), room((size_t)n)};
    ptrdiff_t bad = -1, odd = -1;

    for (ptrdiff_t i = 0; i < rows * blocks * 34; i++)
        q8_0[i] = byte(&in);
    for (ptrdiff_t b = rows * blocks - 1; b >= 0; b--)
        if ((q8_0[34 * b + 1] & 0x7c) == 0x7c)
            bad = b;
    for (ptrdiff_t i = 0; i < n; i++) {
        a[i] = raw ? some_float(&in) : plain_float(&in);
        odd = odd < 0 && !__builtin_isfinite(a[i]) ? i : odd;
        empty &= a[i] == 0;
    }
    ptrdiff_t made = gnosis_head_plan(a, blocks, split, &plan);
    DEMAND(made == (odd >= 0 ? odd : empty ? GNOSIS_HEAD_SIZE : -1) && plan.blocks == (made == -1 ? blocks : 0));
    DEMAND(gnosis_head_pack(q8_0, rows, blocks, coarse, rest, scales, roots) == bad);
    if (bad < 0 && made == -1) {
        size_t bytes = (size_t)groups * 16 * 4;
        float *z = room(bytes), *eps = room(bytes), *z2 = room(bytes), *eps2 = room(bytes);
        int64_t *index = room((size_t)rows * 8);
        double *y = room((size_t)rows * 8), *err = room((size_t)rows * 8), *y2 = room((size_t)rows * 8), *err2 = room((size_t)rows * 8);

        for (ptrdiff_t r = 0; r < rows; r++)
            index[r] = r * 7 % rows;
        for (int level = 0; level <= levels; level++) {
            gnosis_head_coarse(coarse, rest, scales, roots, blocks, &plan, 0, groups, level ? z2 : z, level ? eps2 : eps, level);
            gnosis_head_rows(q8_0, blocks, &plan, index, rows, level ? y2 : y, level ? err2 : err, level);
            AGREE(z, z2, bytes, level);
            AGREE(eps, eps2, bytes, level);
            AGREE(y, y2, (size_t)rows * 8, level);
            AGREE(err, err2, (size_t)rows * 8, level);
        }
        DEMAND(!gnosis_head_vnni(GNOSIS_PLAIN));
        if (gnosis_head_vnni(levels)) { /* the same without it */
            gnosis_head_coarse(coarse, rest, scales, roots, blocks, &plan, 0, groups, z2, eps2, -levels);
            AGREE(z, z2, bytes, 1);
            AGREE(eps, eps2, bytes, 1);
        }
        for (ptrdiff_t i = 0; i < n; i++)
            DEMAND(plan.exact[i] == __builtin_ldexp(a[i], -plan.exponent));
        for (ptrdiff_t i = 0; i < rows; i++) {
            ptrdiff_t r = index[i];
            quad sum = 0, most = 0;
            for (ptrdiff_t k = 0; k < n; k++) {
                const uint8_t *block = q8_0 + 34 * (r * blocks + k / 32);
                quad d = gnosis_half((uint16_t)(block[0] | block[1] << 8)), term = d * (int8_t)block[2 + k % 32] * plan.exact[k];
                sum += term, most += term < 0 ? -term : term;
            }
            within(sum, most, z[r], eps[r]);
            within(sum, most, y[i], err[i]);
        }
        free(z), free(eps), free(z2), free(eps2), free(index), free(y), free(err), free(y2), free(err2);
    }
    free(q8_0), free(coarse), free(rest), free(roots), free(scales), free(a);
    free(plan.room), free(plan.exact), free(plan.size), free(plan.high), free(plan.low), free(plan.half), free(plan.energy), free(plan.floor);
    free(plan.base), free(plan.quads), free(plan.column), free(plan.quad_high), free(plan.quad_low);
}
