/* What SIMDe 0.7 lacks of AVX-512 for the kernels of the engine, lane by lane as Intel describes it.  Included before engine_kernels.c. */
#ifndef ENGINE_SIMDE_H
#define ENGINE_SIMDE_H
#include <math.h>
#include <simde/x86/avx512.h>
#include <string.h>

#define LACKING static inline __attribute__((unused))

LACKING simde__m512 simde_mm512_cvtph_ps(simde__m256i x)
{
    uint16_t h[16];
    float f[16];
    simde__m512 y;
    memcpy(h, &x, sizeof h);
    for (int i = 0; i < 16; i++) {
        int e = h[i] >> 10 & 31, m = h[i] & 1023;
        float size = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(m + 1024), e - 25) : ldexpf((float)m, -24);
        f[i] = h[i] & 0x8000 ? -size : size;
    }
    memcpy(&y, f, sizeof y);
    return y;
}

LACKING simde__m512i simde_mm512_cvtepu16_epi32(simde__m256i x)
{
    uint16_t h[16];
    int32_t w[16];
    simde__m512i y;
    memcpy(h, &x, sizeof h);
    for (int i = 0; i < 16; i++)
        w[i] = h[i];
    memcpy(&y, w, sizeof y);
    return y;
}

LACKING simde__m512i simde_mm512_cvtepu8_epi32(simde__m128i x)
{
    uint8_t b[16];
    int32_t w[16];
    simde__m512i y;
    memcpy(b, &x, sizeof b);
    for (int i = 0; i < 16; i++)
        w[i] = b[i];
    memcpy(&y, w, sizeof y);
    return y;
}

LACKING simde__m512i simde_mm512_cvtps_epi32(simde__m512 x)
{
    float f[16];
    int32_t w[16];
    simde__m512i y;
    memcpy(f, &x, sizeof f);
    for (int i = 0; i < 16; i++)
        w[i] = f[i] >= -0x1p31f && f[i] < 0x1p31f ? (int32_t)lrintf(f[i]) : INT32_MIN;
    memcpy(&y, w, sizeof y);
    return y;
}

LACKING simde__m512 simde_mm512_cvtepi32_ps(simde__m512i x)
{
    int32_t w[16];
    float f[16];
    simde__m512 y;
    memcpy(w, &x, sizeof w);
    for (int i = 0; i < 16; i++)
        f[i] = (float)w[i];
    memcpy(&y, f, sizeof y);
    return y;
}

LACKING simde__m512i simde_mm512_cvtepi8_epi32(simde__m128i x)
{
    int8_t b[16];
    int32_t w[16];
    simde__m512i y;
    memcpy(b, &x, sizeof b);
    for (int i = 0; i < 16; i++)
        w[i] = b[i];
    memcpy(&y, w, sizeof y);
    return y;
}

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
