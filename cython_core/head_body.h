/* Included by head.c once for each instruction set; see there. */

#define vi ISA(vi)
#define vf ISA(vf)

/* Distance of the software prefetch in the coarse plane, in bytes. */
#define AHEAD 4096

TARGET static void ISA(coarse)(const uint8_t *coarse, const uint8_t *rest, const uint16_t *scales, const uint8_t *roots,
                               ptrdiff_t blocks, const gnosis_head_plan_t *plan, ptrdiff_t from, ptrdiff_t to, float *z, float *eps)
{
    const float widen = 1.0f + (float)(blocks + 8) * 0x1p-23f; /* twice the roundings and more */

    for (ptrdiff_t g = from; g < to; g++) {
        const uint8_t *tile = rest + g / GNOSIS_TILE * blocks * GNOSIS_BLOCK * 64;
        if (g % GNOSIS_TILE == 0 || g == from) /* the lines of the next tile */
            for (int32_t j = 0; j < 4 * plan->quads[blocks]; j++)
                __builtin_prefetch((const void *)((uintptr_t)tile + (uintptr_t)((blocks * GNOSIS_BLOCK + plan->column[j]) * 64)));
        tile += g % GNOSIS_TILE * 8;
        for (int h = 0; h < GNOSIS_GROUP / W; h++) {
            vf sum = ISA(each)(0.0f), bound = ISA(each)(0.0f);
            for (ptrdiff_t b = 0; b < blocks; b++) {
                const ptrdiff_t at = (g * blocks + b) * GNOSIS_GROUP + h * W;
                const uint8_t *p = coarse + (g * blocks + b) * 256 + h * 4 * W;
                const int8_t *high = plan->high + b * GNOSIS_BLOCK, *low = plan->low + b * GNOSIS_BLOCK;
                vi h1 = ISA(zero)(), h0 = h1, l1 = h1, l0 = h1;
                for (int v = 0; v < 4; v++) {
                    vi x = ISA(bytes)(p + 64 * v), even = ISA(low)(x), odd = ISA(high)(x);
                    if (h == 0)
                        __builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)(64 * v + AHEAD)));
                    h1 = ISA(dot)(h1, even, word_at(high + 8 * v));
                    h0 = ISA(dot)(h0, even, word_at(low + 8 * v));
                    h1 = ISA(dot)(h1, odd, word_at(high + 8 * v + 4));
                    h0 = ISA(dot)(h0, odd, word_at(low + 8 * v + 4));
                }
                for (int32_t j = plan->quads[b]; j < plan->quads[b + 1]; j++) {
                    vi x = ISA(quad)(tile, plan->column + 4 * j, h);
                    l1 = ISA(dot)(l1, x, word_at(plan->quad_high + 4 * j));
                    l0 = ISA(dot)(l0, x, word_at(plan->quad_low + 4 * j));
                }
                vf t = ISA(join)(ISA(sums)(h1), ISA(sums)(h0), ISA(sums)(l1), ISA(sums)(l0), plan->base[b]);
                vf d = ISA(halves)(scales + at);
                sum = sum + d * ISA(each)(plan->half[b]) * t;
                bound = bound + ISA(size)(d) * (ISA(small)(roots + at) * ISA(each)(plan->energy[b]) + ISA(each)(plan->floor[b]));
            }
            bound = bound * ISA(each)(widen);
            memcpy(z + g * GNOSIS_GROUP + h * W, &sum, sizeof sum);
            memcpy(eps + g * GNOSIS_GROUP + h * W, &bound, sizeof bound);
        }
    }
}

TARGET static void ISA(rows)(const uint8_t *q8_0, ptrdiff_t blocks, const gnosis_head_plan_t *plan, const int64_t *index, ptrdiff_t n, double *y, double *err)
{
    const double widen = (double)(blocks + 16) * 0x1p-53 * (1.0 + 0x1p-20);

    for (ptrdiff_t i = 0; i < n; i++) {
        const uint8_t *row = q8_0 + index[i] * blocks * 34;
        d8 sum = {0};
        double size = 0;
        if (i + 1 < n)
            for (ptrdiff_t j = 0; j < blocks * 34; j += 64)
                __builtin_prefetch(q8_0 + index[i + 1] * blocks * 34 + j);
        for (ptrdiff_t b = 0; b < blocks; b++) {
            const uint8_t *block = row + b * 34;
            const double d = gnosis_half((uint16_t)(block[0] | (uint16_t)block[1] << 8));
            d8 part = {0};
            for (int k = 0; k < GNOSIS_BLOCK; k += 8) {
                d8 x;
                memcpy(&x, plan->exact + b * GNOSIS_BLOCK + k, sizeof x);
                part += ISA(eight)(block + 2 + k) * x;
            }
            sum += d * part;
            size += __builtin_fabs(d) * plan->size[b];
        }
        y[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
        err[i] = size * 128 * widen;
    }
}

#undef vi
#undef vf
#undef W
#undef AHEAD
#undef TARGET
#undef ISA
