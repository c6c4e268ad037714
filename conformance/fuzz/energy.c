#include "common.h"
#include "energy.h"

/* 4 E A against gamma^2, exactly: products of two doubles fit 113 bits. */
static int admits(double E, double A, double g, int strict)
{
    quad left = (quad)4 * E * A, right = (quad)g * g;
    return E >= 0 && A >= 0 && g >= 0 && (strict ? left < right : left <= right);
}

TARGET_FUNCTION
{
    ptrdiff_t n = 1 + count(&in, 40);
    int steps = byte(&in), strict = steps >> 3 & 1;
    int sE = steps & 1, sA = steps >> 1 & 1, sg = steps >> 2 & 1;
    FILL(double, E, sE ? n : 1, some_double)
    FILL(double, A, sA ? n : 1, some_double)
    FILL(double, g, sg ? n : 1, some_double)
    int8_t *first = room((size_t)n), *out = room((size_t)n);
    ptrdiff_t bad = -1;

    if (byte(&in) & 1) /* next to the root */
        for (ptrdiff_t i = 0; i < (sg ? n : 1); i++) {
            g[i] = 2 * __builtin_sqrt(__builtin_fabs(E[sE ? i : 0])) * __builtin_sqrt(__builtin_fabs(A[sA ? i : 0]));
            g[i] *= 1 + (byte(&in) % 5 - 2) * 0x1p-52;
        }
    for (ptrdiff_t i = n - 1; i >= 0; i--)
        if (!(__builtin_isfinite(E[i * sE]) && __builtin_isfinite(A[i * sA]) && __builtin_isfinite(g[i * sg])))
            bad = i;
    for (int level = 0; level <= levels; level++) {
        DEMAND(gnosis_energy_decide(E, sE, A, sA, g, sg, strict, level ? out : first, n, level) == bad);
        if (bad < 0)
            AGREE(first, out, (size_t)n, level);
    }
    for (ptrdiff_t i = 0; bad < 0 && i < n; i++)
        DEMAND(first[i] == -1 || first[i] == admits(E[i * sE], A[i * sA], g[i * sg], strict));
    free(E), free(A), free(g), free(first), free(out);
}
