/* Included by head.c for both kinds of AVX-512; see there. */

#define W 16
typedef __m512i ISA(vi);
typedef __m512 ISA(vf);
TARGET GNOSIS_INLINE __m512i ISA(zero)(void) { return _mm512_setzero_si512(); }
TARGET GNOSIS_INLINE __m512i ISA(bytes)(const uint8_t *p) { return _mm512_loadu_si512((const void *)p); }
TARGET GNOSIS_INLINE __m512i ISA(low)(__m512i x) { return _mm512_and_si512(x, _mm512_set1_epi8(15)); }
TARGET GNOSIS_INLINE __m512i ISA(high)(__m512i x) { return _mm512_and_si512(_mm512_srli_epi16(x, 4), _mm512_set1_epi8(15)); }
TARGET GNOSIS_INLINE __m512i ISA(quad)(const uint8_t *p, const int32_t *c, int h)
{
    __m128i x01 = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[0])), _mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[1])));
    __m128i x23 = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[2])), _mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[3])));
    __m256i x = _mm256_set_m128i(_mm_unpackhi_epi16(x01, x23), _mm_unpacklo_epi16(x01, x23));
    (void)h;
    return ISA(low)(_mm512_inserti64x4(_mm512_castsi256_si512(x), _mm256_srli_epi16(x, 4), 1));
}
/* (256 (16 h1 + l1) + 16 h0 + l0) * 2 + base */
TARGET GNOSIS_INLINE __m512 ISA(join)(__m512i h1, __m512i h0, __m512i l1, __m512i l0, int32_t base)
{
    __m512i top = _mm512_add_epi32(_mm512_slli_epi32(h1, 4), l1), bottom = _mm512_add_epi32(_mm512_slli_epi32(h0, 4), l0);
    __m512i all = _mm512_slli_epi32(_mm512_add_epi32(_mm512_slli_epi32(top, 8), bottom), 1);
    return _mm512_cvtepi32_ps(_mm512_add_epi32(all, _mm512_set1_epi32(base)));
}
TARGET GNOSIS_INLINE __m512 ISA(halves)(const uint16_t *p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
TARGET GNOSIS_INLINE __m512 ISA(small)(const uint8_t *p) { return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p))); }
TARGET GNOSIS_INLINE __m512 ISA(each)(float x) { return _mm512_set1_ps(x); }
TARGET GNOSIS_INLINE __m512 ISA(size)(__m512 x) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), x); }
TARGET GNOSIS_INLINE d8 ISA(eight)(const uint8_t *p) { return (d8)_mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p))); }
