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

/* Calls the body of a level: name_avx512, name_avx2 or name_plain.  An expression, of whatever type they return. */
#if GNOSIS_X86
#define GNOSIS_AT(level, name, ...)                                  \
    ((level) >= GNOSIS_LEVEL_AVX512 ? name##_avx512(__VA_ARGS__)     \
     : (level) >= GNOSIS_LEVEL_AVX2 ? name##_avx2(__VA_ARGS__)       \
                                    : name##_plain(__VA_ARGS__))
#else
#define GNOSIS_AT(level, name, ...) ((void)(level), name##_plain(__VA_ARGS__))
#endif

/* The highest level that this processor and its operating system support. */
int gnosis_detect(void);

/* 0 when the calling thread rounds to nearest (ties to even) and keeps subnormal
 * numbers; otherwise the first fault found. */
enum { GNOSIS_ENV_OK = 0, GNOSIS_ENV_ROUNDING = 1, GNOSIS_ENV_FTZ = 2, GNOSIS_ENV_DAZ = 3 };
int gnosis_environment(void);

/* A half-precision number as float32.  Exact for every finite input, subnormals
 * included; infinities and NaN stay what they are, a NaN becomes quiet, as the hardware
 * conversion makes it.  No branch, so that loops over it become vector loops, and no
 * subnormal float32 occurs on the way, so flushing them could not change it. */
GNOSIS_INLINE float gnosis_half(uint16_t h)
{
    uint32_t magnitude = h & 0x7fffu, bits = magnitude << 13, out_bits;
    float subnormal = (float)(int32_t)magnitude * 0x1p-24f, out;

    memcpy(&out_bits, &subnormal, sizeof out_bits);
    bits += magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u; /* the exponents' offsets differ by 112, or by 224 at the top */
    bits |= magnitude > 0x7c00u ? 0x00400000u : 0u;
    out_bits = (magnitude >= 0x0400u ? bits : out_bits) | (uint32_t)(h & 0x8000u) << 16;
    memcpy(&out, &out_bits, sizeof out);
    return out;
}

#endif
