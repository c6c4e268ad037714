/* Which instructions this processor has, and whether its floating-point
 * environment is the one that the kernels' error bounds are proved for. */
#include "arith.h"

#if GNOSIS_X86
#include <cpuid.h>

/* Not every compiler knows "f16c" by name. */
static int has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

int gnosis_detect(void)
{
#if GNOSIS_X86
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return GNOSIS_LEVEL_AVX512;
    if (avx2)
        return GNOSIS_LEVEL_AVX2;
#endif
    return GNOSIS_PLAIN;
}

/* The environment is found out by what it does, not by reading control words, so the
 * same lines serve every processor.  `volatile` keeps the compiler from folding the
 * sums.  A library built with -Ofast sets FTZ and DAZ for the whole process when it
 * is loaded; the flags belong to the thread, so each call checks its own. */
int gnosis_environment(void)
{
    volatile double one = 1.0, tiny = 0x1p-53, next = 1.0 + 0x1p-52;
    volatile double smallest_normal = 0x1p-1022, half = 0.5, subnormal = 0x1p-1074, up = 0x1p1000;
    volatile float one_f = 1.0f, tiny_f = 0x1p-24f, next_f = 1.0f + 0x1p-23f;
    volatile float smallest_normal_f = 0x1p-126f, half_f = 0.5f, subnormal_f = 0x1p-149f, up_f = 0x1p100f;
    volatile double d;
    volatile float f;

    d = one + tiny; /* a tie: to even is down */
    if (d != 1.0)
        return GNOSIS_ENV_ROUNDING;
    d = next + tiny; /* a tie: to even is up */
    if (d != 1.0 + 0x1p-51)
        return GNOSIS_ENV_ROUNDING;
    d = -one - tiny; /* rounding towards minus infinity would leave -1 */
    if (d != -1.0)
        return GNOSIS_ENV_ROUNDING;
    f = one_f + tiny_f;
    if (f != 1.0f)
        return GNOSIS_ENV_ROUNDING;
    f = next_f + tiny_f;
    if (f != 1.0f + 0x1p-22f)
        return GNOSIS_ENV_ROUNDING;
    f = -one_f - tiny_f;
    if (f != -1.0f)
        return GNOSIS_ENV_ROUNDING;

    /* The results are normal numbers, so only the subnormal operand can be lost. */
    d = subnormal * up;
    f = subnormal_f * up_f;
    if (d != 0x1p-74 || f != 0x1p-49f)
        return GNOSIS_ENV_DAZ;

    /* The bits are looked at as integers: under DAZ a subnormal also compares equal to zero. */
    uint64_t bits;
    uint32_t bits_f;
    double result = smallest_normal * half;
    float result_f = smallest_normal_f * half_f;
    memcpy(&bits, &result, sizeof bits);
    memcpy(&bits_f, &result_f, sizeof bits_f);
    if (!bits || !bits_f)
        return GNOSIS_ENV_FTZ;
    return GNOSIS_ENV_OK;
}
