/* Candidates and argmax, exactly.
 *
 * Floats.  Let x = z - e or z + e as real numbers and s = fl(x), rounded to nearest.  If s is finite, the
 * error r = x - s is a float, and with |a| >= |b| for the two operands it is found without any rounding:
 * r = b - (s - a).  Rounding is monotone, so for two such numbers
 *   s < s' implies x < x',  s > s' implies x > x',  s = s' implies (x <= x' if and only if r <= r').
 * So the largest z_i - e_i is known exactly by its s, called top, and the largest r among those with this s,
 * and comparing z_j + e_j with it is exact as well.
 * Overflow, given e >= 0 and finite z, e: z + e can only reach +infinity, and then exceeds every z_i, hence
 * every z_i - e_i; top is finite or -infinity then, so the comparison says the same.  If top is -infinity,
 * every z_i - e_i is below the least finite float and so below every z_j + e_j >= z_j: all are
 * candidates, which is what the comparison with -infinity says.
 *
 * int64.  Sums that leave the range are replaced by its end.  z + e does so only upwards, where it exceeds
 * every z_i - e_i <= z_i.  z - e does so only downwards; if the largest is the lower end, then it is at
 * most that, and every z_j + e_j is at least that.  In both cases the comparison stays right.
 *
 * One pass finds the largest z - e and z + e of each block; only blocks that can hold a candidate are
 * looked at again.
 *
 * margin_body.h is the one body of all types and instruction sets, margin_types.h names the types. */
#include "margin.h"

enum { BLOCKS = 1024, LEAST_BLOCK = 2048 };

#define JOIN_(a, b, c) a##_##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define ISA(name) JOIN(name, NAME, SET)

#if GNOSIS_X86
#define SET avx512
#define TARGET GNOSIS_AVX512
#define BYTES 64
#define LARGER_DOUBLE(a, b) _mm512_max_pd((__m512d)(a), (__m512d)(b))
#define LARGER_FLOAT(a, b) _mm512_max_ps((__m512)(a), (__m512)(b))
#include "margin_types.h"

#define SET avx2
#define TARGET GNOSIS_AVX2
#define BYTES 32
#define LARGER_DOUBLE(a, b) _mm256_max_pd((__m256d)(a), (__m256d)(b))
#define LARGER_FLOAT(a, b) _mm256_max_ps((__m256)(a), (__m256)(b))
#include "margin_types.h"
#endif

#define SET plain
#define TARGET
#define BYTES 16
#if GNOSIS_X86
#define LARGER_DOUBLE(a, b) _mm_max_pd((__m128d)(a), (__m128d)(b))
#define LARGER_FLOAT(a, b) _mm_max_ps((__m128)(a), (__m128)(b))
#endif
#include "margin_types.h"

#define KERNELS(type, name)                                                                                \
    ptrdiff_t gnosis_candidates_##name(const type *z, const type *e, ptrdiff_t n, int64_t *out, int level) \
    {                                                                                                      \
        return GNOSIS_AT(level, candidates_##name, z, e, n, out);                                          \
    }                                                                                                      \
    ptrdiff_t gnosis_argmax_##name(const type *z, ptrdiff_t n, int level) { return GNOSIS_AT(level, argmax_##name, z, n); }
KERNELS(double, double)
KERNELS(float, float)
KERNELS(int64_t, int64)
