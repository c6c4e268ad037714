#include "common.h"
#include "conformal.h"

/* Bits of a float as an order of whole numbers, both zeros being one. */
static int64_t order(int64_t bits, int wide, int is_float)
{
    int64_t flip = wide ? INT64_MAX : INT32_MAX;
    if (!is_float)
        return bits;
    bits = bits < 0 ? bits ^ flip : bits;
    return bits == -1 ? 0 : bits;
}

static int rising(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t some_double_bits(input *in)
{
    double x = some_double(in);
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int32_t some_float_bits(input *in)
{
    float x = some_float(in);
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int64_t wide_score(input *in) { return byte(in) & 1 ? some_int(in) : some_double_bits(in); }
static int32_t narrow_score(input *in) { return byte(in) & 1 ? (int32_t)word(in, 4) : some_float_bits(in); }

#define CHECK(bits, type, one, infinite, wide)                                                                     \
    static void check_##bits(input in, int levels)                                                                 \
    {                                                                                                              \
        int is_float = byte(&in) & 1;                                                                              \
        ptrdiff_t n = 1 + count(&in, byte(&in) % 8 ? 100 : 6000), bad = -1;                                        \
        ptrdiff_t r = count(&in, 60000) % n, m = 1 + count(&in, 60000) % n;                                        \
        FILL(type, src, n, one)                                                                                    \
        int64_t *sorted = room((size_t)n * 8), *found = room((size_t)m * 8);                                       \
        type *largest = room((size_t)m * sizeof(type)), kth, digits;                                               \
        for (ptrdiff_t i = n - 1; i >= 0; i--) {                                                                   \
            sorted[i] = order(src[i], wide, is_float);                                                             \
            if (is_float && ((int64_t)src[i] & (wide ? INT64_MAX : INT32_MAX)) >= infinite)                        \
                bad = i;                                                                                           \
        }                                                                                                          \
        qsort(sorted, (size_t)n, 8, rising);                                                                       \
        ptrdiff_t beyond = (ptrdiff_t)(int64_t)word(&in, 8);                                                       \
        for (int level = 0; level <= levels; level++) {                                                            \
            if (beyond < 0 || beyond >= n) {                                                                       \
                DEMAND(gnosis_kth_##bits(src, n, is_float, beyond, &kth, level) == GNOSIS_NO_RANK);                \
                DEMAND(gnosis_digits_##bits(src, n, is_float, beyond, &digits, level) == GNOSIS_NO_RANK);          \
                DEMAND(beyond == n || gnosis_largest_##bits(src, n, is_float, beyond, largest, level) == GNOSIS_NO_RANK); \
            }                                                                                                      \
            DEMAND(gnosis_finite_##bits(src, n, is_float, level) == bad);                                          \
            DEMAND(gnosis_kth_##bits(src, n, is_float, r, &kth, level) == bad);                                    \
            DEMAND(gnosis_digits_##bits(src, n, is_float, r, &digits, level) == bad);                              \
            DEMAND(gnosis_largest_##bits(src, n, is_float, m, largest, level) == bad);                             \
            if (bad >= 0)                                                                                          \
                continue;                                                                                          \
            DEMAND(order(kth, wide, is_float) == sorted[r] && digits == kth);                                      \
            for (ptrdiff_t i = 0; i < m; i++)                                                                      \
                found[i] = order(largest[i], wide, is_float);                                                      \
            qsort(found, (size_t)m, 8, rising);                                                                    \
            DEMAND(memcmp(found, sorted + n - m, (size_t)m * 8) == 0);                                             \
            ptrdiff_t space = count(&in, 200), from = 0, used = 0, k = 0;                                          \
            type *dst = room((size_t)space * sizeof(type));                                                        \
            gnosis_above_##bits(src, n, is_float, kth, dst, space, &from, &used, level);                           \
            DEMAND(used <= space && from <= n && (from == n || used == space));                                    \
            for (ptrdiff_t i = 0; i < from; i++)                                                                   \
                if (order(src[i], wide, is_float) > sorted[r]) {                                                   \
                    DEMAND(k < used && order(dst[k], wide, is_float) == order(src[i], wide, is_float));            \
                    k++;                                                                                           \
                }                                                                                                  \
            DEMAND(k == used);                                                                                     \
            free(dst);                                                                                             \
        }                                                                                                          \
        free(src), free(sorted), free(found), free(largest);                                                       \
    }

CHECK(64, int64_t, wide_score, 0x7ff0000000000000, 1)
CHECK(32, int32_t, narrow_score, 0x7f800000, 0)

TARGET_FUNCTION
{
    if (byte(&in) & 1)
        check_64(in, levels);
    else
        check_32(in, levels);
}
