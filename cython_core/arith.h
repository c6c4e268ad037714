/* Shared by the kernels: the instruction-set levels, half precision, and the check
 * of the floating-point environment that every error analysis here assumes. */
#ifndef GNOSIS_ARITH_H
#define GNOSIS_ARITH_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define GNOSIS_X86 1
#include <immintrin.h>
#define GNOSIS_AVX2 __attribute__((target("avx2,fma,f16c")))
#ifdef __clang__ /* does not know the width option */
#define GNOSIS_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")))
#else
#define GNOSIS_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,prefer-vector-width=512")))
#endif
#else
#define GNOSIS_X86 0
#endif

#if FLT_EVAL_METHOD != 0
#error "the error bounds need every operation rounded to its own type (no x87 arithmetic)"
#endif

#define GNOSIS_INLINE static inline __attribute__((always_inline))

enum { GNOSIS_PLAIN = 0, GNOSIS_LEVEL_AVX2 = 1, GNOSIS_LEVEL_AVX512 = 2 };

/* The highest level that this processor and its operating system support. */
int gnosis_detect(void);

/* 0 when the calling thread rounds to nearest (ties to even) and keeps subnormal
 * numbers; otherwise the first fault found. */
enum { GNOSIS_ENV_OK = 0, GNOSIS_ENV_ROUNDING = 1, GNOSIS_ENV_FTZ = 2, GNOSIS_ENV_DAZ = 3 };
int gnosis_environment(void);

/* A half-precision number as float32.  Exact for every finite input, subnormals
 * included; infinities and NaN stay what they are.  Integer arithmetic only, so the
 * floating-point environment cannot touch it. */
GNOSIS_INLINE float gnosis_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t exponent = (h >> 10) & 0x1fu;
    uint32_t fraction = h & 0x3ffu;
    uint32_t bits;
    float out;

    if (exponent == 0x1fu) {
        bits = sign | 0x7f800000u | (fraction << 13);
        if (fraction)
            bits |= 0x00400000u; /* a NaN becomes quiet, as the hardware conversion makes it */
    } else if (exponent) {
        bits = sign | ((exponent + 112u) << 23) | (fraction << 13);
    } else if (fraction) {
        uint32_t shift = (uint32_t)__builtin_clz(fraction) - 21u; /* brings the leading one to bit 10 */
        bits = sign | ((113u - shift) << 23) | (((fraction << shift) & 0x3ffu) << 13);
    } else {
        bits = sign;
    }
    memcpy(&out, &bits, sizeof out);
    return out;
}

#endif
