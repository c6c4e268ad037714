/* What SIMDe 0.7 lacks of AVX-512 for the kernels of the engine, lane by lane as Intel describes it.  Included before engine_kernels.c. */
#ifndef ENGINE_SIMDE_H
#define ENGINE_SIMDE_H
#include <math.h>
#include <simde/x86/avx512.h>
#include <string.h>

#define LACKING static inline __attribute__((unused))

/* 16 lanes of one kind become 16 of another: `made` of x, the lane. */
#define CONVERSION(name, into, to, outof, from, made) \
    LACKING into simde_mm512_##name(outof vector)     \
    {                                                 \
        from lanes[16];                               \
        to out[16];                                   \
        into result;                                  \
        memcpy(lanes, &vector, sizeof lanes);         \
        for (int i = 0; i < 16; i++) {                \
            const from x = lanes[i];                  \
            out[i] = made;                            \
        }                                             \
        memcpy(&result, out, sizeof result);          \
        return result;                                \
    }

LACKING float engine_widened(uint16_t h)
{
    const int e = h >> 10 & 31, m = h & 1023;
    const float size = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(m + 1024), e - 25) : ldexpf((float)m, -24);
    return h & 0x8000 ? -size : size;
}

CONVERSION(cvtph_ps, simde__m512, float, simde__m256i, uint16_t, engine_widened(x))
CONVERSION(cvtepu16_epi32, simde__m512i, int32_t, simde__m256i, uint16_t, x)
CONVERSION(cvtepu8_epi32, simde__m512i, int32_t, simde__m128i, uint8_t, x)
CONVERSION(cvtepi8_epi32, simde__m512i, int32_t, simde__m128i, int8_t, x)
CONVERSION(cvtps_epi32, simde__m512i, int32_t, simde__m512, float, x >= -0x1p31f && x < 0x1p31f ? (int32_t)lrintf(x) : INT32_MIN)
CONVERSION(cvtepi32_ps, simde__m512, float, simde__m512i, int32_t, (float)x)

/* SIMDe multiplies and adds with two roundings where the processor has no fma. */
LACKING simde__m512 engine_fmadd(simde__m512 x, simde__m512 y, simde__m512 z)
{
    float a[16], b[16], c[16];
    memcpy(a, &x, sizeof a), memcpy(b, &y, sizeof b), memcpy(c, &z, sizeof c);
    for (int i = 0; i < 16; i++)
        c[i] = fmaf(a[i], b[i], c[i]);
    memcpy(&z, c, sizeof c);
    return z;
}
#define simde_mm512_fmadd_ps engine_fmadd
#endif
