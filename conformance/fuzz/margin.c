#include "common.h"
#include "margin.h"

/* The sum in 113 bits, and whether it is exact there. */
static quad sum(quad a, quad b, int *exact)
{
    quad s = a + b;
    *exact &= s - a == b && s - b == a;
    return s;
}

#define CHECK(type, name, some, number, finite)                                                              \
    static void check_##name(input in, int levels)                                                           \
    {                                                                                                        \
        ptrdiff_t n = 1 + count(&in, byte(&in) % 8 ? 60 : 5000), bad = -1, badz = -1;                         \
        FILL(type, z, n, some)                                                                               \
        FILL(type, e, n, some)                                                                               \
        int64_t *first = room((size_t)n * 8), *out = room((size_t)n * 8);                                    \
        if (byte(&in) % 4)                                                                                   \
            for (ptrdiff_t i = 0; i < n; i++)                                                                \
                e[i] = e[i] < 0 ? (e[i] == -e[i] ? 0 : -e[i]) : e[i];                                        \
        for (ptrdiff_t i = n - 1; i >= 0; i--) {                                                             \
            if (!finite(z[i]))                                                                               \
                badz = i;                                                                                    \
            if (!finite(z[i]) || !finite(e[i]) || e[i] < 0)                                                  \
                bad = i;                                                                                     \
        }                                                                                                    \
        ptrdiff_t found = 0;                                                                                 \
        for (int level = 0; level <= levels; level++) {                                                      \
            ptrdiff_t got = gnosis_candidates_##name(z, e, n, level ? out : first, level);                   \
            DEMAND(bad >= 0 ? got == -1 - bad : got >= 1 && got <= n);                                       \
            DEMAND(level == 0 || got == found);                                                              \
            found = got;                                                                                     \
            if (got > 0)                                                                                     \
                AGREE(first, out, (size_t)got * 8, level);                                                   \
            ptrdiff_t top = gnosis_argmax_##name(z, n, level);                                               \
            DEMAND(badz >= 0 ? top == -1 - badz : top >= 0 && top < n);                                      \
            for (ptrdiff_t i = 0; badz < 0 && i < n; i++)                                                    \
                DEMAND(i < top ? z[i] < z[top] : z[i] <= z[top]);                                            \
        }                                                                                                    \
        int exact = bad < 0;                                                                                 \
        number best = 0;                                                                                     \
        for (ptrdiff_t i = 0; exact && i < n; i++) {                                                         \
            number low = PLUS_##name(z[i], -(number)e[i], &exact);                                           \
            best = i == 0 || low > best ? low : best;                                                        \
        }                                                                                                    \
        for (ptrdiff_t i = 0, k = 0; exact && i < n; i++) {                                                  \
            int in_it = PLUS_##name(z[i], (number)e[i], &exact) >= best;                                     \
            if (!exact)                                                                                      \
                break;                                                                                       \
            DEMAND(in_it == (k < found && first[k] == i));                                                   \
            k += in_it;                                                                                      \
        }                                                                                                    \
        free(z), free(e), free(first), free(out);                                                            \
    }

#define PLUS_double(a, b, exact) sum(a, b, exact)
#define PLUS_float(a, b, exact) sum(a, b, exact)
#define PLUS_int64(a, b, exact) ((__int128)(a) + (b))
#define ALWAYS(x) 1
#define DROPS_SIGN(x) ((x) == INT64_MIN ? INT64_MAX : (x))

/* No bound is INT64_MIN, whose negative does not exist. */
static int64_t some_score(input *in)
{
    int64_t x = some_int(in);
    return DROPS_SIGN(x);
}

CHECK(double, double, some_double, quad, __builtin_isfinite)
CHECK(float, float, some_float, quad, __builtin_isfinite)
CHECK(int64_t, int64, some_score, __int128, ALWAYS)

TARGET_FUNCTION
{
    switch (byte(&in) % 3) {
    case 0: check_double(in, levels); break;
    case 1: check_float(in, levels); break;
    default: check_int64(in, levels);
    }
}
