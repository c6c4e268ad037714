/* Block codes: decoding, and decoding fused with a certified upper bound of the residual energy.
 *
 * Every code is cut into pieces of 32 weights.  Weight k of a piece is
 *   x_k = scale_h q_k + offset,   h = k / 16,
 * with whole q_k, |q_k| <= 128.  Half-precision numbers are multiples of 2^-24 below 2^16 with
 * 11 significant bits, and the packed factors of the K codes have at most 7 (6 for offsets), so
 *   scale and offset are exact in float32 (18 bits),
 *   scale q is exact in float32 (Q8_0 11 + 8 bits, Q6_K 11 + 7 + 5, the others fewer),
 *   scale q + offset is a multiple of 2^-24 below 2^28.
 * The weight that is served, y_k, is x_k rounded to float32: x_k itself without an offset, and with one it is rounded once.
 * Numbers that are zero or at least 2^-24 neither under- nor overflow.  F16, BF16 and F32 are exact in float32.
 * Whoever multiplies with a decoded row multiplies with y_k, so the residual is that of y_k: w next to y_k may be as far
 * from x_k again, on the other side.
 *
 * The bound, in float32.  u = 2^-24.
 *   r_k  = original_k - y_k as a real number, E = sum of r_k^2 over the block,
 *   r'_k = the computed difference = r_k (1 + a), |a| <= u: a difference of two floats never
 *          underflows.  Without an offset w - scale q is one rounding, fused or not; with one y_k is rounded by itself first,
 *          to the bits that decoding gives,
 *   s    = the computed sum of r'_k^2.
 * The sum is taken only when s lies in [2^-80, 2^120].  All terms are non-negative and
 * rounding is monotone, so no partial result was larger than s: nothing overflowed.  A square
 * below 2^-126 is off by at most 2^-150, all 256 together by 2^-142, less than s 2^-62.  The
 * additions form a tree of depth 8 at most, so each term has passed through one squaring and
 * 8 additions:
 *   s (1 + 2^-62) >= E (1 - u)^2 (1 - u)^9 = E (1 - u)^11.
 * Hence E <= s (1 + 2^-62) (1 + gamma_11) < s (1 + 12u), gamma_k = k u / (1 - k u).  The result is
 * s (1 + 2^-20) = s (1 + 16u) in float64, whose one rounding (2^-53) is far smaller than the
 * 4u to spare.  It is at most E (1 + 28u); of a block of 32, whose tree has depth 5, E (1 + 26u).
 *
 * The bound, in float64, for every other block.  u = 2^-53, y_k as before, everything else as above except that nothing
 * can under- or overflow: r'_k is 0 or a multiple of 2^-149 and at most 2^129 in size, so squares and sums are 0 or in [2^-298, 2^266].  So
 * E <= s (1 + gamma_11) < s (1 + 12u), and the result is s (1 + 2^-47) = s (1 + 64u) rounded
 * once; it is at most E (1 + 80u).  E = 0 gives 0.  A part or an original that is not finite
 * makes s NaN or infinite here, and nothing else does.
 *
 * blocks_body.h is the one body of all instruction sets; it is included once for each, after
 * the few primitives in which they differ.  The order of the operations is the same in all, so
 * the bound is the same number. */
#include "blocks.h"

#define OUTWARD_FLOAT (1.0 + 0x1p-20)
#define OUTWARD_DOUBLE (1.0 + 0x1p-47)
#define LEAST 0x1p-80f
#define MOST 0x1p120f

enum { PIECE = 32, PIECES = 8 };

/* Distance of the software prefetch, in bytes: the hardware prefetcher stops at every page
 * of 4 KiB, this keeps the reads going across. */
#define AHEAD 3072

GNOSIS_INLINE int bytes_of(int kind)
{
    switch (kind) {
    case GNOSIS_Q8_0: return 34;
    case GNOSIS_Q5_0: return 22;
    case GNOSIS_Q5_1: return 24;
    case GNOSIS_Q4_0: return 18;
    case GNOSIS_Q4_1: return 20;
    case GNOSIS_Q4_K: return 144;
    case GNOSIS_Q5_K: return 176;
    case GNOSIS_Q6_K: return 210;
    case GNOSIS_F32: return 128;
    default: return 64;
    }
}

GNOSIS_INLINE int is_float(int kind) { return kind >= GNOSIS_F16; }
GNOSIS_INLINE int is_super(int kind) { return kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K || kind == GNOSIS_Q6_K; }
GNOSIS_INLINE int has_offset(int kind) { return kind == GNOSIS_Q4_1 || kind == GNOSIS_Q5_1 || kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K; }
GNOSIS_INLINE int weights_of(int kind) { return is_super(kind) ? PIECES * PIECE : PIECE; }

GNOSIS_INLINE int is_kind(int kind) { return kind >= GNOSIS_Q8_0 && kind <= GNOSIS_F32; }

int gnosis_block_bytes(int kind) { return is_kind(kind) ? bytes_of(kind) : 0; }
int gnosis_block_weights(int kind) { return is_kind(kind) ? weights_of(kind) : 0; }

GNOSIS_INLINE float half_at(const uint8_t *b) { return gnosis_half((uint16_t)(b[0] | (uint16_t)b[1] << 8)); }

/* Scale of each half of a piece, and what is added to it. */
typedef struct {
    float scale[2], offset;
} factors;

GNOSIS_INLINE int usable(factors f)
{
    return __builtin_fabsf(f.scale[0]) <= FLT_MAX && __builtin_fabsf(f.scale[1]) <= FLT_MAX && __builtin_fabsf(f.offset) <= FLT_MAX;
}

GNOSIS_INLINE void prefetch(const void *p, int bytes)
{
    for (int i = 0; i < bytes; i += 64)
        __builtin_prefetch((const void *)((uintptr_t)p + AHEAD + (uintptr_t)i)); /* past the end is no fault */
}

/* Eight lanes of eight pieces to eight sums: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) of each, in
 * three steps of neighbours. */
typedef float float8 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));
typedef int32_t mask8 __attribute__((vector_size(32)));

#define PAIRS(v) (((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])))
#define NEIGHBOURS(a, b) \
    (__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) + __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15))
#define ACROSS(a, b) \
    (__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15))
#define EIGHT_SUMS(p)                                                                              \
    ACROSS(NEIGHBOURS(NEIGHBOURS(p[0], p[1]), NEIGHBOURS(p[2], p[3])),                             \
           NEIGHBOURS(NEIGHBOURS(p[4], p[5]), NEIGHBOURS(p[6], p[7])))

/* ---- primitives of each instruction set, and the body ------------------------------
 *
 * L lanes of 32 bits: vi whole numbers, vf float32; vd L / 2 lanes of float64.
 *   signed8, widen8, widen16  L signed bytes, unsigned bytes or 16-bit words as whole numbers
 *   halves           L half-precision numbers as float32
 *   half             one half-precision number
 *   stretch          L / 2 float32 in memory as float64
 *   minus            w - d q, where d q is exact, so that one rounding or two are the same
 *   all              whether every lane of a mask is set */

#if GNOSIS_X86
/* The same instructions at both levels. */
#define SHARED_X86                                                                                    \
    TARGET GNOSIS_INLINE float ISA(half)(const uint8_t *p)                                            \
    {                                                                                                 \
        uint16_t h;                                                                                   \
        memcpy(&h, p, sizeof h);                                                                      \
        return _cvtsh_ss(h);                                                                          \
    }                                                                                                 \
    TARGET GNOSIS_INLINE int ISA(all)(mask8 mask) { return _mm256_movemask_ps((__m256)mask) == 0xff; }

#define ISA(name) name##_avx512
#define TARGET GNOSIS_AVX512
#define L 16
typedef int32_t ISA(vi) __attribute__((vector_size(64)));
typedef float ISA(vf) __attribute__((vector_size(64)));
typedef double ISA(vd) __attribute__((vector_size(64)));
TARGET GNOSIS_INLINE ISA(vi) ISA(signed8)(const uint8_t *p) { return (ISA(vi))_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)); }
TARGET GNOSIS_INLINE ISA(vi) ISA(widen8)(const uint8_t *p) { return (ISA(vi))_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)); }
TARGET GNOSIS_INLINE ISA(vi) ISA(widen16)(const uint8_t *p) { return (ISA(vi))_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)); }
TARGET GNOSIS_INLINE ISA(vf) ISA(halves)(const uint8_t *p) { return (ISA(vf))_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
SHARED_X86
TARGET GNOSIS_INLINE ISA(vf) ISA(minus)(ISA(vf) w, float d, ISA(vf) q) { return (ISA(vf))_mm512_fnmadd_ps(_mm512_set1_ps(d), (__m512)q, (__m512)w); }
TARGET GNOSIS_INLINE ISA(vd) ISA(stretch)(const float *p) { return (ISA(vd))_mm512_cvtps_pd(_mm256_loadu_ps(p)); }
#include "blocks_body.h"

/* repeats: the primitives are the same for each instruction set, by other intrinsics */
#define ISA(name) name##_avx2
#define TARGET GNOSIS_AVX2
#define L 8
typedef int32_t ISA(vi) __attribute__((vector_size(32)));
typedef float ISA(vf) __attribute__((vector_size(32)));
typedef double ISA(vd) __attribute__((vector_size(32)));
TARGET GNOSIS_INLINE ISA(vi) ISA(signed8)(const uint8_t *p) { return (ISA(vi))_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)); }
TARGET GNOSIS_INLINE ISA(vi) ISA(widen8)(const uint8_t *p) { return (ISA(vi))_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)); }
TARGET GNOSIS_INLINE ISA(vi) ISA(widen16)(const uint8_t *p) { return (ISA(vi))_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)); }
TARGET GNOSIS_INLINE ISA(vf) ISA(halves)(const uint8_t *p) { return (ISA(vf))_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)); }
SHARED_X86
TARGET GNOSIS_INLINE ISA(vf) ISA(minus)(ISA(vf) w, float d, ISA(vf) q) { return (ISA(vf))_mm256_fnmadd_ps(_mm256_set1_ps(d), (__m256)q, (__m256)w); }
TARGET GNOSIS_INLINE ISA(vd) ISA(stretch)(const float *p) { return (ISA(vd))_mm256_cvtps_pd(_mm_loadu_ps(p)); }
#include "blocks_body.h"
#endif

#define ISA(name) name##_plain
#define TARGET
#define L 4
typedef int32_t ISA(vi) __attribute__((vector_size(16)));
typedef float ISA(vf) __attribute__((vector_size(16)));
typedef double ISA(vd) __attribute__((vector_size(16)));
GNOSIS_INLINE ISA(vi) ISA(signed8)(const uint8_t *p) { return (ISA(vi)){(int8_t)p[0], (int8_t)p[1], (int8_t)p[2], (int8_t)p[3]}; }
GNOSIS_INLINE ISA(vi) ISA(widen8)(const uint8_t *p) { return (ISA(vi)){p[0], p[1], p[2], p[3]}; }
GNOSIS_INLINE ISA(vi) ISA(widen16)(const uint8_t *p)
{
    uint16_t h[4];
    memcpy(h, p, sizeof h);
    return (ISA(vi)){h[0], h[1], h[2], h[3]};
}
GNOSIS_INLINE ISA(vf) ISA(halves)(const uint8_t *p) { return (ISA(vf)){half_at(p), half_at(p + 2), half_at(p + 4), half_at(p + 6)}; }
GNOSIS_INLINE float ISA(half)(const uint8_t *p) { return half_at(p); }
GNOSIS_INLINE int ISA(all)(mask8 mask)
{
    int32_t all = -1;
    for (int l = 0; l < 8; l++)
        all &= mask[l];
    return all;
}
GNOSIS_INLINE ISA(vf) ISA(minus)(ISA(vf) w, float d, ISA(vf) q) { return w - d * q; }
GNOSIS_INLINE ISA(vd) ISA(stretch)(const float *p) { return (ISA(vd)){p[0], p[1]}; }
#include "blocks_body.h"

ptrdiff_t gnosis_blocks_dequantize(int kind, const uint8_t *blocks, float *out, ptrdiff_t n, int level)
{
    if (!is_kind(kind))
        return GNOSIS_NO_KIND;
    return GNOSIS_AT(level, dequantize, kind, blocks, out, n);
}

ptrdiff_t gnosis_blocks_residual_upper(int kind, const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level)
{
    if (!is_kind(kind))
        return GNOSIS_NO_KIND;
    return GNOSIS_AT(level, residual, kind, blocks, original, out, n);
}

ptrdiff_t gnosis_q8_0_residual_nearest(const uint8_t *blocks, const float *original, double *out, ptrdiff_t n, int level)
{
    return GNOSIS_AT(level, nearest, blocks, original, out, n);
}

ptrdiff_t gnosis_blocks_unpack(int kind, const uint8_t *blocks, int8_t *codes, float *scales, float *offsets, ptrdiff_t n)
{
    const int pieces = weights_of(kind) / PIECE, bytes = bytes_of(kind);

    if (!is_kind(kind) || is_float(kind))
        return GNOSIS_NO_KIND;
    for (ptrdiff_t b = 0; b < n; b++)
        for (int j = 0; j < pieces; j++) {
            ptrdiff_t at = b * pieces + j;
            vi_plain q[PIECE / 4];
            factors f = factors_plain(kind, blocks + b * bytes, j);
            if (!usable(f))
                return b;
            codes_plain(kind, blocks + b * bytes, j, q);
            for (int k = 0; k < PIECE; k++)
                codes[at * PIECE + k] = (int8_t)q[k / 4][k % 4];
            memcpy(scales + 2 * at, f.scale, sizeof f.scale);
            offsets[at] = f.offset;
        }
    return -1;
}
