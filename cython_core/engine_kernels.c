/* The engine's kernels for plain C, AVX2, AVX-512 and AVX-512 with VNNI: one body, and the primitives in which they differ.  Every level
 * computes the same bits: whole numbers have no rounding, and floats have one order of operations, in which fma is fused (in plain C fmaf).
 *
 * GNOSIS_SIMDE: the AVX-512 bodies in the emulation of SIMDe, for processors without them (tests/test_engine_levels.py). */
#ifdef GNOSIS_SIMDE
#include <simde/x86/avx512.h>
#endif
#include "engine_types.h"

#include <math.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define ISA(name) JOIN(name, SET)

/* Prefetch: the outer caches far ahead, the first one shortly before. */
enum { NEAR = 2048, FAR = 16384 };

enum { PAIR = 2, MANY = 12 };

GNOSIS_INLINE float engine_half(uint16_t h) { return gnosis_half(h); }

/* 2^e for -126 <= e <= 127. */
GNOSIS_INLINE float engine_power(int e)
{
    const int32_t bits = (e + 127) << 23;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* CHAINS: independent sums of a product with one token, so that the next instruction need not wait for the one before.  STEP,
 * FLOAT_STEP: tokens whose sums fit into the registers beside the weights. */
#if GNOSIS_X86
#ifdef GNOSIS_SIMDE
#define I(name) simde##name
#define M512 simde__m512
#define M512I simde__m512i
#define M256I simde__m256i
#define M128I simde__m128i
#undef _CMP_LE_OQ
#define _CMP_LE_OQ SIMDE_CMP_LE_OQ
#define GNOSIS_WIDE
#define GNOSIS_VNNI
#else
#define I(name) name
#define M512 __m512
#define M512I __m512i
#define M256I __m256i
#define M128I __m128i
#define GNOSIS_WIDE GNOSIS_AVX512
#ifdef __clang__
#define GNOSIS_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")))
#else
#define GNOSIS_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c,prefer-vector-width=512")))
#endif
#endif

#define SET vnni
#define TARGET GNOSIS_VNNI
#define WIDTH 512
#define VNNI 1
#define CHAINS 4
#define STEP 8
#define FLOAT_STEP 8
#include "engine_simd_body.h"
#include "engine_body.h"

#define SET avx512
#define TARGET GNOSIS_WIDE
#define WIDTH 512
#define VNNI 0
#define CHAINS 2
#define STEP 8
#define FLOAT_STEP 8
#include "engine_simd_body.h"
#include "engine_body.h"

#ifndef GNOSIS_SIMDE
#define SET avx2
#define TARGET GNOSIS_AVX2
#define WIDTH 256
#define VNNI 0
#define CHAINS 1
#define STEP 4
#define FLOAT_STEP 6
#include "engine_simd_body.h"
#include "engine_body.h"
#endif
#endif

#define SET plain
#define TARGET
#define WIDTH 0
#define VNNI 0
#define CHAINS 1
#define STEP 4
#define FLOAT_STEP 4
#include "engine_simd_body.h"
#include "engine_body.h"

const kernels *engine_table(int level)
{
#if defined(GNOSIS_SIMDE)
    return level >= ENGINE_VNNI ? &table_vnni : level >= GNOSIS_LEVEL_AVX512 ? &table_avx512 : &table_plain;
#elif GNOSIS_X86
    if (level >= GNOSIS_LEVEL_AVX512)
        return level >= ENGINE_VNNI ? &table_vnni : &table_avx512;
    if (level >= GNOSIS_LEVEL_AVX2)
        return &table_avx2;
#endif
    (void)level;
    return &table_plain;
}

int gnosis_engine_level(int level)
{
#if GNOSIS_X86 && !defined(GNOSIS_SIMDE)
    __builtin_cpu_init();
    if (level >= GNOSIS_LEVEL_AVX512 && __builtin_cpu_supports("avx512vnni"))
        return ENGINE_VNNI;
#endif
    return level;
}
