/* Q8_0: decoding, and decoding fused with a certified upper bound of the residual energy.
 *
 * Exactness of the decoded weight.  d has 11 significant bits and q 8, so d * q has at
 * most 19, and |d * q| is 0 or lies in [2^-24, 2^23]: the product is exact in float32
 * and in float64, whatever instruction forms it.
 *
 * The bound.  u = 2^-53; all arithmetic below is float64, rounding to nearest.
 *   r_i  = original_i - d q_i as a real number,
 *   r'_i = the computed difference = r_i (1 + a), |a| <= u (a sum or difference of two
 *          floats never underflows),
 *   s'   = the computed sum of r'_i^2, 32 squares and 31 additions.
 * No square underflows or overflows: r'_i is 0 or a multiple of 2^-149 and at most
 * 2^128 + 2^23 + 1 in size, so r'_i^2 is 0 or in [2^-298, 2^257], and so are the sums.
 * Each term of s' has passed through at most one squaring and 31 additions, whatever
 * their order, and all terms are non-negative:
 *   s' >= sum_i r_i^2 (1 - u)^2 (1 - u)^32 = E (1 - u)^34,   E the true energy.
 * Hence E <= s' / (1 - u)^34 <= s' (1 + gamma_34), gamma_k = k u / (1 - k u), and
 * gamma_34 < 35 u.  The result is s' * (1 + 2^-47) = s' (1 + 64 u), rounded once more:
 * at least s' (1 + 64 u)(1 - u) > s' (1 + 62 u) >= E.  It is at most E (1 + 100 u).  E = 0
 * gives 0.
 *
 * The order of the additions is the same on every machine (eight lanes, then pairs), with no
 * fused multiply-add, so the bound is the same number on every instruction set.
 *
 * A scale or an original that is not finite makes s' NaN or infinite, and nothing else
 * does; that one test per block finds both. */
#include "q8_0.h"

#define OUTWARD (1.0 + 0x1p-47)

/* Distance of the software prefetch, in blocks: the hardware prefetcher stops at
 * every page of 4 KiB (32 blocks of originals), this keeps the reads going across. */
#define AHEAD 24

GNOSIS_INLINE uint16_t scale_bits(const uint8_t *block)
{
    return (uint16_t)(block[0] | (uint16_t)block[1] << 8);
}

GNOSIS_INLINE int scale_finite(const uint8_t *block)
{
    return (scale_bits(block) & 0x7c00u) != 0x7c00u;
}

/* ---- plain C ------------------------------------------------------------- */

GNOSIS_INLINE double energy_plain(const uint8_t *block, const float *w)
{
    const int8_t *q = (const int8_t *)(block + 2);
    double d = gnosis_half(scale_bits(block));
    double lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};

    for (int g = 0; g < 32; g += 8)
        for (int k = 0; k < 8; k++) {
            double r = (double)w[g + k] - d * (double)q[g + k];
            lane[k] += r * r;
        }
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* Blocks from..n, also the tail of the vector versions. */
GNOSIS_INLINE ptrdiff_t residual_plain(const uint8_t *blocks, const float *w, double *out, ptrdiff_t from, ptrdiff_t n, int certified)
{
    for (ptrdiff_t b = from; b < n; b++) {
        double s = energy_plain(blocks + b * GNOSIS_Q8_0_BYTES, w + b * GNOSIS_Q8_0_WEIGHTS);
        if (certified && !(s <= DBL_MAX))
            return b;
        out[b] = certified ? s * OUTWARD : s;
    }
    return -1;
}

static ptrdiff_t dequantize_plain(const uint8_t *blocks, float *out, ptrdiff_t n)
{
    for (ptrdiff_t b = 0; b < n; b++) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        const int8_t *q = (const int8_t *)(block + 2);
        float *o = out + b * GNOSIS_Q8_0_WEIGHTS;
        if (!scale_finite(block))
            return b;
        float d = gnosis_half(scale_bits(block));
        for (int k = 0; k < GNOSIS_Q8_0_WEIGHTS; k++)
            o[k] = d * (float)q[k];
    }
    return -1;
}

#if GNOSIS_X86

GNOSIS_INLINE void prefetch_block(const uint8_t *block, const float *w)
{
    /* A prefetch of an address past the end is no fault. */
    const char *ahead_w = (const char *)((uintptr_t)w + AHEAD * GNOSIS_Q8_0_WEIGHTS * sizeof(float));
    _mm_prefetch(ahead_w, _MM_HINT_T0);
    _mm_prefetch(ahead_w + 64, _MM_HINT_T0);
    _mm_prefetch((const char *)((uintptr_t)block + AHEAD * GNOSIS_Q8_0_BYTES), _MM_HINT_T0);
}

/* ---- AVX-512: one register holds the eight lanes of a block ----------------- */

GNOSIS_AVX512 GNOSIS_INLINE __m512d lanes_avx512(const uint8_t *block, const float *w)
{
    const __m512d d = _mm512_set1_pd((double)_cvtsh_ss(scale_bits(block)));
    __m512d lane = _mm512_setzero_pd();

    for (int g = 0; g < 4; g++) {
        __m512d q = _mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(block + 2 + 8 * g))));
        /* d q is exact, so the fused form rounds exactly like the two separate steps */
        __m512d r = _mm512_fnmadd_pd(d, q, _mm512_cvtps_pd(_mm256_loadu_ps(w + 8 * g)));
        lane = g ? _mm512_add_pd(lane, _mm512_mul_pd(r, r)) : _mm512_mul_pd(r, r);
    }
    return lane;
}

GNOSIS_AVX512 GNOSIS_INLINE __m512d pair_avx512(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
}

GNOSIS_AVX512 GNOSIS_INLINE __m512d fold_avx512(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}

GNOSIS_AVX512 GNOSIS_INLINE ptrdiff_t residual_avx512(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n, int certified)
{
    const __m512d largest = _mm512_set1_pd(DBL_MAX), outward = _mm512_set1_pd(OUTWARD);
    ptrdiff_t b = 0;

    for (; b + 8 <= n; b += 8) {
        __m512d v[8];
        for (int k = 0; k < 8; k++) {
            const uint8_t *block = blocks + (b + k) * GNOSIS_Q8_0_BYTES;
            const float *weights = w + (b + k) * GNOSIS_Q8_0_WEIGHTS;
            prefetch_block(block, weights);
            v[k] = lanes_avx512(block, weights);
        }
        __m512d s = fold_avx512(fold_avx512(pair_avx512(v[0], v[1]), pair_avx512(v[2], v[3])),
                                fold_avx512(pair_avx512(v[4], v[5]), pair_avx512(v[6], v[7])));
        if (certified) {
            __mmask8 bad = _mm512_cmp_pd_mask(s, largest, _CMP_NLE_UQ);
            if (__builtin_expect(bad != 0, 0))
                return b + __builtin_ctz(bad);
            s = _mm512_mul_pd(s, outward);
        }
        _mm512_storeu_pd(out + b, s);
    }
    return residual_plain(blocks, w, out, b, n, certified);
}

GNOSIS_AVX512 static ptrdiff_t upper_avx512(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n)
{
    return residual_avx512(blocks, w, out, n, 1);
}

GNOSIS_AVX512 static ptrdiff_t nearest_avx512(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n)
{
    return residual_avx512(blocks, w, out, n, 0);
}

GNOSIS_AVX512 static ptrdiff_t dequantize_avx512(const uint8_t *blocks, float *out, ptrdiff_t n)
{
    for (ptrdiff_t b = 0; b < n; b++) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        float *o = out + b * GNOSIS_Q8_0_WEIGHTS;
        if (__builtin_expect(!scale_finite(block), 0))
            return b;
        const __m512 d = _mm512_set1_ps(_cvtsh_ss(scale_bits(block)));
        _mm512_storeu_ps(o, _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(block + 2))))));
        _mm512_storeu_ps(o + 16, _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(block + 18))))));
    }
    return -1;
}

/* ---- AVX2: the eight lanes in two registers --------------------------------- */

GNOSIS_AVX2 GNOSIS_INLINE void lanes_avx2(const uint8_t *block, const float *w, __m256d *low, __m256d *high)
{
    const __m256d d = _mm256_set1_pd((double)_cvtsh_ss(scale_bits(block)));

    for (int g = 0; g < 4; g++) {
        __m128i q = _mm_loadl_epi64((const __m128i *)(block + 2 + 8 * g));
        __m256d q0 = _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(q));
        __m256d q1 = _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(_mm_srli_si128(q, 4)));
        __m256d r0 = _mm256_fnmadd_pd(d, q0, _mm256_cvtps_pd(_mm_loadu_ps(w + 8 * g)));
        __m256d r1 = _mm256_fnmadd_pd(d, q1, _mm256_cvtps_pd(_mm_loadu_ps(w + 8 * g + 4)));
        *low = g ? _mm256_add_pd(*low, _mm256_mul_pd(r0, r0)) : _mm256_mul_pd(r0, r0);
        *high = g ? _mm256_add_pd(*high, _mm256_mul_pd(r1, r1)) : _mm256_mul_pd(r1, r1);
    }
}

/* (p0 + p1 of block a, the same of block b) from the pair sums p0 p1 in the halves of hadd. */
GNOSIS_AVX2 GNOSIS_INLINE __m128d halves_avx2(__m256d a, __m256d b)
{
    __m256d h = _mm256_hadd_pd(a, b);
    return _mm_add_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
}

GNOSIS_AVX2 GNOSIS_INLINE ptrdiff_t residual_avx2(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n, int certified)
{
    const __m128d largest = _mm_set1_pd(DBL_MAX), outward = _mm_set1_pd(OUTWARD);
    ptrdiff_t b = 0;

    for (; b + 2 <= n; b += 2) {
        __m256d low[2], high[2];
        for (int k = 0; k < 2; k++) {
            const uint8_t *block = blocks + (b + k) * GNOSIS_Q8_0_BYTES;
            const float *weights = w + (b + k) * GNOSIS_Q8_0_WEIGHTS;
            prefetch_block(block, weights);
            lanes_avx2(block, weights, &low[k], &high[k]);
        }
        __m128d s = _mm_add_pd(halves_avx2(low[0], low[1]), halves_avx2(high[0], high[1]));
        if (certified) {
            int bad = _mm_movemask_pd(_mm_cmp_pd(s, largest, _CMP_NLE_UQ));
            if (__builtin_expect(bad != 0, 0))
                return b + __builtin_ctz((unsigned)bad);
            s = _mm_mul_pd(s, outward);
        }
        _mm_storeu_pd(out + b, s);
    }
    return residual_plain(blocks, w, out, b, n, certified);
}

GNOSIS_AVX2 static ptrdiff_t upper_avx2(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n)
{
    return residual_avx2(blocks, w, out, n, 1);
}

GNOSIS_AVX2 static ptrdiff_t nearest_avx2(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n)
{
    return residual_avx2(blocks, w, out, n, 0);
}

GNOSIS_AVX2 static ptrdiff_t dequantize_avx2(const uint8_t *blocks, float *out, ptrdiff_t n)
{
    for (ptrdiff_t b = 0; b < n; b++) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        float *o = out + b * GNOSIS_Q8_0_WEIGHTS;
        if (__builtin_expect(!scale_finite(block), 0))
            return b;
        const __m256 d = _mm256_set1_ps(_cvtsh_ss(scale_bits(block)));
        for (int g = 0; g < 4; g++) {
            __m256i q = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(block + 2 + 8 * g)));
            _mm256_storeu_ps(o + 8 * g, _mm256_mul_ps(d, _mm256_cvtepi32_ps(q)));
        }
    }
    return -1;
}

#endif

/* ---- dispatch --------------------------------------------------------------- */

ptrdiff_t gnosis_q8_0_dequantize(const uint8_t *blocks, float *out, ptrdiff_t n, int level)
{
#if GNOSIS_X86
    if (level >= GNOSIS_LEVEL_AVX512)
        return dequantize_avx512(blocks, out, n);
    if (level >= GNOSIS_LEVEL_AVX2)
        return dequantize_avx2(blocks, out, n);
#endif
    (void)level;
    return dequantize_plain(blocks, out, n);
}

ptrdiff_t gnosis_q8_0_residual_upper(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level)
{
#if GNOSIS_X86
    if (level >= GNOSIS_LEVEL_AVX512)
        return upper_avx512(blocks, original, out, n);
    if (level >= GNOSIS_LEVEL_AVX2)
        return upper_avx2(blocks, original, out, n);
#endif
    (void)level;
    return residual_plain(blocks, original, out, 0, n, 1);
}

ptrdiff_t gnosis_q8_0_residual_nearest(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level)
{
#if GNOSIS_X86
    if (level >= GNOSIS_LEVEL_AVX512)
        return nearest_avx512(blocks, original, out, n);
    if (level >= GNOSIS_LEVEL_AVX2)
        return nearest_avx2(blocks, original, out, n);
#endif
    (void)level;
    return residual_plain(blocks, original, out, 0, n, 0);
}
