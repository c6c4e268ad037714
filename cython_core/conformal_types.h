/* Included by conformal.c once for each width: the primitives of each instruction set, and the body.
 *
 * v: L keys; mask: a truth value for each.
 *   load, fill    from memory, the same key in every lane
 *   count         how many are true
 *   less          mask of the lanes in which a < b
 *   reaching      those in which x >= lo;  upto  those of a mask in which x <= hi
 *   magnitude     the bits under the sign for floats, 0 for integers
 *   order         bits to keys and back, see above; flip = 0 leaves them as they are
 *   larger        lane by lane
 *   append        store the lanes of the mask one after another; L places may be overwritten */


#define KEY PAIR(key, WIDTH)
#define WORD PAIR(word, WIDTH)

#if GNOSIS_X86
#define SET avx512
#define TARGET GNOSIS_AVX512
#if WIDTH == 64
#define L 8
#else
#define L 16
#endif
typedef __m512i ISA(v);
typedef PAIR(lanes, L) ISA(mask);
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm512_loadu_si512(p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return PAIR(_mm512_set1, EPI)(k); }
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(PAIR(mask, L)(mask)); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return JOIN(_mm512_cmplt, EPI, mask)(a, b); }
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return JOIN(_mm512_cmpge, EPI, mask)(x, lo); }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return JOIN(_mm512_mask_cmple, EPI, mask)(mask, x, hi); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm512_and_si512(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return PAIR(_mm512_ternarylogic, EPI)(x, PAIR(_mm512_srai, EPI)(x, WIDTH - 1), flip, 0x78); /* x ^ (sign & flip) */
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return PAIR(_mm512_max, EPI)(a, b); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    _mm512_storeu_si512(dst, PAIR(_mm512_maskz_compress, EPI)(mask, x));
}
#include "conformal_body.h"

#define SET avx2
#define TARGET GNOSIS_AVX2
#if WIDTH == 64
#define L 4
#define FILL _mm256_set1_epi64x
#define LARGER(a, b) _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a))
#define SIGNS(x) ((unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x)))
#else
#define L 8
#define FILL _mm256_set1_epi32
#define LARGER(a, b) _mm256_max_epi32(a, b)
#define SIGNS(x) ((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x)))
#endif
typedef __m256i ISA(v);
typedef unsigned ISA(mask);
TARGET GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return _mm256_loadu_si256((const __m256i *)p); }
TARGET GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return FILL(k); }
TARGET GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return __builtin_popcount(mask); }
TARGET GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return SIGNS(PAIR(_mm256_cmpgt, EPI)(b, a)); }
TARGET GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return ISA(less)(x, lo) ^ ((1 << L) - 1); }
TARGET GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return mask & ~ISA(less)(hi, x); }
TARGET GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return _mm256_and_si256(x, flip); }
TARGET GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip)
{
    return _mm256_xor_si256(x, _mm256_and_si256(PAIR(_mm256_cmpgt, EPI)(_mm256_setzero_si256(), x), flip));
}
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return LARGER(a, b); }
TARGET GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    int32_t low;
    memcpy(&low, PLACES[mask & 15], sizeof low);
#if WIDTH == 64
    const __m256i place = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(low)), one = _mm256_set1_epi64x((int64_t)1 << 32);
    const __m256i halves = _mm256_or_si256(_mm256_slli_epi64(place, 1), _mm256_or_si256(_mm256_slli_epi64(place, 33), one));
    _mm256_storeu_si256((__m256i *)dst, _mm256_permutevar8x32_epi32(x, halves));
#else
    int32_t high;
    memcpy(&high, PLACES[mask >> 4], sizeof high);
    const __m256i place = _mm256_cvtepu8_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(low), high, 1));
    x = _mm256_permutevar8x32_epi32(x, _mm256_or_si256(place, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4)));
    _mm_storeu_si128((__m128i *)dst, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(dst + __builtin_popcount(mask & 15)), _mm256_extracti128_si256(x, 1));
#endif
}
#include "conformal_body.h"
#undef FILL
#undef LARGER
#undef SIGNS
#endif

#define SET plain
#define TARGET
#define L 1
typedef KEY ISA(v);
typedef unsigned ISA(mask);
GNOSIS_INLINE ptrdiff_t ISA(count)(ISA(mask) mask) { return mask; }
GNOSIS_INLINE ISA(v) ISA(load)(const KEY *p) { return *p; }
GNOSIS_INLINE ISA(v) ISA(fill)(KEY k) { return k; }
GNOSIS_INLINE ISA(mask) ISA(less)(ISA(v) a, ISA(v) b) { return a < b; }
GNOSIS_INLINE ISA(mask) ISA(reaching)(ISA(v) x, ISA(v) lo) { return x >= lo; }
GNOSIS_INLINE ISA(mask) ISA(upto)(ISA(mask) mask, ISA(v) x, ISA(v) hi) { return mask & (x <= hi); }
GNOSIS_INLINE ISA(v) ISA(magnitude)(ISA(v) x, ISA(v) flip) { return x & flip; }
GNOSIS_INLINE ISA(v) ISA(order)(ISA(v) x, ISA(v) flip) { return x ^ (-(KEY)(x < 0) & flip); }
GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b) { return a < b ? b : a; }
GNOSIS_INLINE void ISA(append)(KEY *dst, ISA(v) x, ISA(mask) mask)
{
    (void)mask;
    *dst = x;
}
#include "conformal_body.h"

#undef WIDTH
#undef EPI
#undef KEY
#undef WORD
#undef LOWEST
#undef HIGHEST
#undef INFINITE
