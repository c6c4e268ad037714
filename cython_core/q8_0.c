/* Q8_0: decoding, and decoding fused with a certified upper bound of the residual energy.
 *
 * Exactness of the decoded weight.  d has 11 significant bits and q 8, so d * q has at
 * most 19, and |d * q| is 0 or lies in [2^-24, 2^23]: the product is exact in float32
 * and in float64, whatever instruction forms it.
 *
 * The bound, in float32.  u = 2^-24, rounding to nearest.
 *   r_i  = original_i - d q_i as a real number, E = sum of r_i^2 over the block,
 *   r'_i = the computed difference = r_i (1 + a), |a| <= u: a difference of two floats
 *          never underflows,
 *   s    = the computed sum of r'_i^2.
 * The sum is taken only when s lies in [2^-80, 2^120].  All terms are non-negative and
 * rounding is monotone, so no partial result was larger than s: nothing overflowed.  A
 * square below 2^-126 is off by at most 2^-150, all 32 together by 2^-145, which is less
 * than s 2^-65.  The additions form a tree of depth 5, so each term has passed through one
 * squaring and 5 additions:
 *   s (1 + 2^-65) >= sum of r_i^2 (1 - u)^2 (1 - u)^6 = E (1 - u)^8.
 * Hence E <= s (1 + 2^-65) / (1 - u)^8 <= s (1 + 2^-65) (1 + gamma_8) < s (1 + 9u), where
 * gamma_k = k u / (1 - k u).  The result is s (1 + 2^-20) = s (1 + 16u) in float64, whose one
 * rounding (2^-53) is far smaller than the 7u to spare.  It is at most E (1 + 26u).
 *
 * The bound, in float64, for every other block: zero, tiny and huge energies.  u = 2^-53,
 * everything else as above, except that nothing can under- or overflow: r'_i is 0 or a multiple of 2^-149
 * and at most 2^128 + 2^24 in size, so squares and sums are 0 or in [2^-298, 2^262].  With 32
 * squares and 31 additions in any order, s >= E (1 - u)^34, so E <= s (1 + gamma_34) < s (1 + 35u),
 * and the result is s (1 + 2^-47) = s (1 + 64u) rounded once, at least s (1 + 62u).  E = 0
 * gives 0.  A scale or an original that is not finite makes s NaN or infinite here, and
 * nothing else does.
 *
 * The order of the operations is the same on every machine (eight lanes, then pairs; no
 * fused multiply-add but for d q, which is exact), so the bound is the same number on every
 * instruction set. */
#include "q8_0.h"

#define OUTWARD_FLOAT (1.0 + 0x1p-20)
#define OUTWARD_DOUBLE (1.0 + 0x1p-47)
#define LEAST 0x1p-80f
#define MOST 0x1p120f

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

#define PAIRS(lane) (((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7])))

GNOSIS_INLINE float energy_float(const uint8_t *block, const float *w)
{
    const int8_t *q = (const int8_t *)(block + 2);
    float d = gnosis_half(scale_bits(block));
    float square[32], lane[8];

    for (int k = 0; k < 32; k++) {
        float r = w[k] - d * (float)q[k];
        square[k] = r * r;
    }
    for (int k = 0; k < 8; k++)
        lane[k] = (square[k] + square[k + 16]) + (square[k + 8] + square[k + 24]);
    return PAIRS(lane);
}

GNOSIS_INLINE double energy_double(const uint8_t *block, const float *w)
{
    const int8_t *q = (const int8_t *)(block + 2);
    double d = gnosis_half(scale_bits(block));
    double square[32], lane[8];

    for (int k = 0; k < 32; k++) {
        double r = (double)w[k] - d * (double)q[k];
        square[k] = r * r;
    }
    for (int k = 0; k < 8; k++)
        lane[k] = (square[k] + square[k + 16]) + (square[k + 8] + square[k + 24]);
    return PAIRS(lane);
}

/* The bound of one block whose float32 sum is s; 0 when something is not finite. */
GNOSIS_INLINE int bound_one(float s, const uint8_t *block, const float *w, double *out)
{
    if (s >= LEAST && s <= MOST) {
        *out = (double)s * OUTWARD_FLOAT;
        return 1;
    }
    double careful = energy_double(block, w);
    *out = careful * OUTWARD_DOUBLE;
    return careful <= DBL_MAX;
}

/* Blocks from..n, also the tail of the vector versions. */
GNOSIS_INLINE ptrdiff_t residual_plain(const uint8_t *blocks, const float *w, double *out, ptrdiff_t from, ptrdiff_t n, int certified)
{
    for (ptrdiff_t b = from; b < n; b++) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        const float *weights = w + b * GNOSIS_Q8_0_WEIGHTS;
        float s = energy_float(block, weights);
        if (!certified)
            out[b] = s;
        else if (!bound_one(s, block, weights, out + b))
            return b;
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

/* Eight blocks at a time.  `lanes` holds the eight lanes of each; the pairs of all of
 * them are added up at once, in the order of PAIRS. */
GNOSIS_AVX2 GNOSIS_INLINE __m256 pairs_avx2(const __m256 lanes[8])
{
    __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(lanes[0], lanes[1]), _mm256_hadd_ps(lanes[2], lanes[3]));
    __m256 high = _mm256_hadd_ps(_mm256_hadd_ps(lanes[4], lanes[5]), _mm256_hadd_ps(lanes[6], lanes[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
}

/* Stores the bounds of eight blocks; -1, or which of them holds something that is not finite. */
GNOSIS_AVX2 GNOSIS_INLINE int store_avx2(__m256 s, const uint8_t *blocks, const float *w, double *out, int certified)
{
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(s)), high = _mm256_cvtps_pd(_mm256_extractf128_ps(s, 1));
    if (certified) {
        __m256 fits = _mm256_and_ps(_mm256_cmp_ps(s, _mm256_set1_ps(LEAST), _CMP_GE_OQ), _mm256_cmp_ps(s, _mm256_set1_ps(MOST), _CMP_LE_OQ));
        if (__builtin_expect(_mm256_movemask_ps(fits) != 0xff, 0)) {
            float each[8];
            _mm256_storeu_ps(each, s);
            for (int k = 0; k < 8; k++)
                if (!bound_one(each[k], blocks + k * GNOSIS_Q8_0_BYTES, w + k * GNOSIS_Q8_0_WEIGHTS, out + k))
                    return k;
            return -1;
        }
        low = _mm256_mul_pd(low, _mm256_set1_pd(OUTWARD_FLOAT));
        high = _mm256_mul_pd(high, _mm256_set1_pd(OUTWARD_FLOAT));
    }
    _mm256_storeu_pd(out, low);
    _mm256_storeu_pd(out + 4, high);
    return -1;
}

/* ---- AVX-512 ------------------------------------------------------------------ */

GNOSIS_AVX512 GNOSIS_INLINE __m512 square_avx512(const uint8_t *q, const float *w, __m512 d)
{
    __m512 r = _mm512_fnmadd_ps(d, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)q))), _mm512_loadu_ps(w));
    return _mm512_mul_ps(r, r);
}

GNOSIS_AVX512 GNOSIS_INLINE __m256 lanes_avx512(const uint8_t *block, const float *w)
{
    const __m512 d = _mm512_cvtph_ps(_mm256_set1_epi16((short)scale_bits(block)));
    __m512 s = _mm512_add_ps(square_avx512(block + 2, w, d), square_avx512(block + 18, w + 16, d));
    return _mm256_add_ps(_mm512_castps512_ps256(s), _mm512_extractf32x8_ps(s, 1));
}

GNOSIS_AVX512 GNOSIS_INLINE ptrdiff_t residual_avx512(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n, int certified)
{
    ptrdiff_t b = 0;

    for (; b + 8 <= n; b += 8) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        const float *weights = w + b * GNOSIS_Q8_0_WEIGHTS;
        __m256 lanes[8];
        for (int k = 0; k < 8; k++) {
            prefetch_block(block + k * GNOSIS_Q8_0_BYTES, weights + k * GNOSIS_Q8_0_WEIGHTS);
            lanes[k] = lanes_avx512(block + k * GNOSIS_Q8_0_BYTES, weights + k * GNOSIS_Q8_0_WEIGHTS);
        }
        int bad = store_avx2(pairs_avx2(lanes), block, weights, out + b, certified);
        if (__builtin_expect(bad >= 0, 0))
            return b + bad;
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

/* ---- AVX2 ----------------------------------------------------------------------- */

GNOSIS_AVX2 GNOSIS_INLINE __m256 square_avx2(const uint8_t *q, const float *w, __m256 d)
{
    __m256 r = _mm256_fnmadd_ps(d, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)q))), _mm256_loadu_ps(w));
    return _mm256_mul_ps(r, r);
}

GNOSIS_AVX2 GNOSIS_INLINE __m256 lanes_avx2(const uint8_t *block, const float *w)
{
    const __m256 d = _mm256_cvtph_ps(_mm_set1_epi16((short)scale_bits(block)));
    __m256 even = _mm256_add_ps(square_avx2(block + 2, w, d), square_avx2(block + 18, w + 16, d));
    __m256 odd = _mm256_add_ps(square_avx2(block + 10, w + 8, d), square_avx2(block + 26, w + 24, d));
    return _mm256_add_ps(even, odd);
}

GNOSIS_AVX2 GNOSIS_INLINE ptrdiff_t residual_avx2(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n, int certified)
{
    ptrdiff_t b = 0;

    for (; b + 8 <= n; b += 8) {
        const uint8_t *block = blocks + b * GNOSIS_Q8_0_BYTES;
        const float *weights = w + b * GNOSIS_Q8_0_WEIGHTS;
        __m256 lanes[8];
        for (int k = 0; k < 8; k++) {
            prefetch_block(block + k * GNOSIS_Q8_0_BYTES, weights + k * GNOSIS_Q8_0_WEIGHTS);
            lanes[k] = lanes_avx2(block + k * GNOSIS_Q8_0_BYTES, weights + k * GNOSIS_Q8_0_WEIGHTS);
        }
        int bad = store_avx2(pairs_avx2(lanes), block, weights, out + b, certified);
        if (__builtin_expect(bad >= 0, 0))
            return b + bad;
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
