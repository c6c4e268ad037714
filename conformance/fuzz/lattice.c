#include "common.h"
#include "lattice.h"

/* Next to the middle of two points, or anything. */
static float coordinate(input *in)
{
    uint8_t kind = byte(in);
    if (kind < 64)
        return some_float(in);
    float x = 0.25f * (int8_t)byte(in);
    return kind < 128 ? x : x * (1 + (kind % 5 - 2) * 0x1p-23f);
}

TARGET_FUNCTION
{
    ptrdiff_t rows = count(&in, 40), n = 8 * rows, bad = -1;
    int kind = byte(&in) % 3, e8 = kind == 2, in_place = byte(&in) & 1;
    FILL(float, x, n, coordinate)
    float *first = room((size_t)n * 4), *out = room((size_t)n * 4);

    for (ptrdiff_t i = n - 1; i >= 0; i--)
        if (!(__builtin_fabsf(x[i]) <= GNOSIS_LATTICE_LIMIT))
            bad = i;
    for (int level = 0; level <= levels; level++) {
        float *to = level ? out : first;
        const float *from = x;
        if (in_place && n) {
            memcpy(to, x, (size_t)n * 4);
            from = to;
        }
        DEMAND((e8 ? gnosis_nearest_e8 : kind ? gnosis_nearest_d8 : gnosis_nearest_cubic)(from, to, rows, level) == bad);
        if (bad < 0)
            AGREE(first, out, (size_t)n * 4, level);
    }
    for (ptrdiff_t r = 0; bad < 0 && r < rows; r++) {
        int64_t all = 0, parity = (int64_t)(2 * first[8 * r]) & 1;
        for (int k = 0; k < 8; k++) {
            double twice = 2.0 * first[8 * r + k];
            DEMAND(twice == (double)(int64_t)twice && ((int64_t)twice & 1) == parity); /* whole numbers, or halves of odd ones */
            DEMAND(__builtin_fabs((double)first[8 * r + k] - x[8 * r + k]) <= (e8 ? 1.5 : kind ? 1 : 0.5));
            all += (int64_t)twice;
        }
        DEMAND(e8 ? all % 4 == 0 : !parity && (kind == 0 || all % 4 == 0));
    }
    free(x), free(first), free(out);
}
