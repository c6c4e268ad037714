/* The coarse pass, and why its bound holds.
 *
 * The activation is scaled by a power of two, exactly, so that its largest entry lies in [1/2, 1); nothing
 * below is near the ends of the ranges of float32 and float64.  Write b for a block, S for the split columns.
 *
 * Activation.  a_k = s_b n_k + e_k with whole |n_k| <= 32639, s_b a power of two, |e_k| <= s_b / 2 (or
 * more where s_b is held at 2^-60; e_k is formed in float64 without rounding).  n_k = 256 high + low.
 *
 * Integers.  With c_k = 16 u - 120.5 outside S and c_k = q inside, t_b = 2 sum c_k n_k is a whole number, formed without rounding
 * and without overflow (`Gnosis.dot_no_overflow`: n products of entries up to M and K stay within n M K on the way).  Bytes times
 * bytes: a sum of 16 bits takes at most 8 pairs of products, 16 * 15 * 128 = 30720 < 2^15.  |2 c_k| <= 256: |t_b| <= 32 * 256 * 32639 <
 * 2^28; its parts 32 sum u n_k, 2 sum l n_k over S and the base stay within 32 * (480 + 30 + 256) * 32639 < 2^30 in any order, in 32 bits.
 * Four times the energy of a block's residual is at most 32 * 15^2 = 7200 (`Gnosis.energy_no_overflow`), so its root fits a byte.
 *
 * Floats, u = 2^-24.  z = sum over b of (d s_b / 2) t_b: the factor is exact (d has 11 bits, d s_b / 2 >= 2^-85), t_b is
 * rounded once, the product once, and the sum has at most B terms after the first.  With B <= GNOSIS_MOST_BLOCKS the
 * relative error of each term is at most gamma_(B+2), and |s_b t_b / 2| <= 128 sum |s_b n_k|.
 *
 * Error.  y - z has three parts (together `Gnosis.head_within`), each of them per block and per unit of |d|:
 *   the residual outside S: |sum (l - 7.5) a_k| <= root of the residual's energy * root of the energy of a outside S;
 *     split and summed over blocks this is `Gnosis.energy_split_blocked_sound`;
 *   the rounded activation: |sum c_k e_k| <= 128 sum |e_k|;
 *   the floats: gamma_(B+2) 128 sum |s_b n_k|.
 * The last two are `floor`, the first is roots * `energy`; both are formed in float64, widened by 1 + 2^-40 (at most 100
 * roundings of 2^-53), and rounded up to float32; 2^-60 is added to floor, so that no product below underflows.
 * eps = sum |d| (root energy + floor) has non-negative terms with at most B + 3 roundings each, and is
 * widened accordingly.
 *
 * The recomputation, u = 2^-53.  q a is exact (8 + 24 bits); each of 8 lanes adds 4 products of a block (3 roundings),
 * multiplies with d (1), adds to the sum (B) and the lanes are added up (3): gamma_(B+7) of sum |d q a|, which is at
 * most sum |d| 128 sum |a|.  The bound is formed in float64 and is widened accordingly.
 *
 * Every operation is the same on every instruction set and none is fused, so z, eps, y and err are too. */
#include "head.h"
#include <math.h>
#include <stdlib.h>

#define LEAST_EXPONENT (-60)
#define WIDEN (1.0 + 0x1p-40)
#define ROUND 0x1.8p52

static float up_to_float(double x) /* x >= 0 */
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

ptrdiff_t gnosis_head_pack(const uint8_t *q8_0, ptrdiff_t rows, ptrdiff_t blocks, uint8_t *coarse, uint8_t *rest, uint16_t *scales, uint8_t *roots)
{
    if (rows < 1 || rows > (ptrdiff_t)1 << 31 || blocks < 1 || blocks > GNOSIS_MOST_BLOCKS)
        return GNOSIS_HEAD_SIZE;
    const ptrdiff_t groups = (rows + GNOSIS_GROUP - 1) / GNOSIS_GROUP;

    memset(coarse, 0, (size_t)(groups * blocks * 256));
    memset(rest, 0, (size_t)((groups + GNOSIS_TILE - 1) / GNOSIS_TILE * blocks * GNOSIS_BLOCK * 64));
    memset(scales, 0, (size_t)(groups * blocks * 32));
    memset(roots, 0, (size_t)(groups * blocks * 16));
    for (ptrdiff_t r = 0; r < rows; r++) {
        const ptrdiff_t g = r / GNOSIS_GROUP, lane = r % GNOSIS_GROUP;
        for (ptrdiff_t b = 0; b < blocks; b++) {
            const uint8_t *block = q8_0 + (r * blocks + b) * 34;
            const ptrdiff_t at = (g * blocks + b) * GNOSIS_GROUP + lane;
            uint16_t d = (uint16_t)(block[0] | (uint16_t)block[1] << 8);
            int64_t energy = 0, root = 0;
            if ((d & 0x7c00u) == 0x7c00u)
                return r * blocks + b;
            for (int k = 0; k < GNOSIS_BLOCK; k++) {
                int shifted = (int)(int8_t)block[2 + k] + 128, u = shifted >> 4, l = shifted & 15;
                energy += (2 * l - 15) * (2 * l - 15); /* four times the residual's */
                coarse[(((g * blocks + b) * 4 + k / 8) * GNOSIS_GROUP + lane) * 4 + k % 4] |= (uint8_t)(u << 4 * (k / 4 % 2));
                rest[((g / GNOSIS_TILE * blocks + b) * GNOSIS_BLOCK + k) * 64 + g % GNOSIS_TILE * 8 + lane % 8] |= (uint8_t)(l << 4 * (lane / 8));
            }
            while (root * root * 7200 < energy * 65025)
                root++;
            scales[at] = d;
            roots[at] = (uint8_t)root;
        }
    }
    return -1;
}

static void sift(float *heap, int n, int i)
{
    for (;;) {
        int child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && heap[child + 1] < heap[child])
            child++;
        if (heap[i] <= heap[child])
            return;
        float t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
        i = child;
    }
}

/* The split-th largest |a|; heap has room for split. */
static float threshold(const float *a, ptrdiff_t n, int split, float *heap)
{
    for (int i = 0; i < split; i++)
        heap[i] = fabsf(a[i]);
    for (int i = split / 2 - 1; i >= 0; i--)
        sift(heap, split, i);
    for (ptrdiff_t i = split; i < n; i++)
        if (fabsf(a[i]) > heap[0]) {
            heap[0] = fabsf(a[i]);
            sift(heap, split, 0);
        }
    return heap[0];
}

ptrdiff_t gnosis_head_plan(const float *a, ptrdiff_t blocks, int split, gnosis_head_plan_t *plan)
{
    plan->blocks = 0;
    if (blocks < 1 || blocks > GNOSIS_MOST_BLOCKS || split < 0)
        return GNOSIS_HEAD_SIZE;
    const ptrdiff_t n = blocks * GNOSIS_BLOCK;
    const double gamma = (double)(blocks + 4) * 0x1p-24 * 1.001; /* above gamma_(B+2) for B <= 4096 */
    int32_t quads = 0;

    float most = 0;
    for (ptrdiff_t k = 0; k < n; k++) {
        if (!(fabsf(a[k]) <= FLT_MAX))
            return k;
        most = fabsf(a[k]) > most ? fabsf(a[k]) : most;
    }
    if (most == 0)
        return GNOSIS_HEAD_SIZE;
    if (split > n)
        split = (int)n;
    float least = split ? threshold(a, n, split, plan->room) : INFINITY;
    frexpf(most, &plan->exponent);
    const double scale = ldexp(1.0, -plan->exponent);
    for (ptrdiff_t k = 0; k < n; k++)
        plan->exact[k] = a[k] * scale;

    plan->quads[0] = 0;
    for (ptrdiff_t b = 0; b < blocks; b++) {
        const double *x = plan->exact + b * GNOSIS_BLOCK;
        int8_t *high = plan->high + b * GNOSIS_BLOCK, *low = plan->low + b * GNOSIS_BLOCK;
        double largest = 0, rounding = 0, size = 0, sum = 0, energy = 0;
        int32_t whole[GNOSIS_BLOCK], base = 0, inside[GNOSIS_BLOCK] = {0};
        int exponent, count = 0;

        for (int k = 0; k < GNOSIS_BLOCK; k++) {
            largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
            count += fabsf(a[b * GNOSIS_BLOCK + k]) >= least;
        }
        if (frexp(largest, &exponent) * 32768 > 32639)
            exponent++;
        if (largest == 0 || exponent - 15 < LEAST_EXPONENT)
            exponent = LEAST_EXPONENT + 15;
        const double unit = ldexp(1.0, exponent - 15), per_unit = ldexp(1.0, 15 - exponent);
        for (int k = 0; k < GNOSIS_BLOCK; k++) {
            whole[k] = (int32_t)(x[k] * per_unit + ROUND - ROUND); /* to the nearest whole number */
            high[k] = (int8_t)((whole[k] + 128) >> 8);
            low[k] = (int8_t)(whole[k] - 256 * high[k]);
            rounding += fabs(x[k] - unit * whole[k]);
            size += fabs(unit * whole[k]);
            sum += fabs(x[k]);
        }
        count = (count + 3) / 4 * 4;
        for (int taken = 0; taken < count; taken++, quads++) { /* the largest first, the lowest index on ties */
            int best = -1;
            for (int k = 0; k < GNOSIS_BLOCK; k++)
                if (!inside[k] && (best < 0 || fabs(x[k]) > fabs(x[best])))
                    best = k;
            inside[best] = 1;
            plan->column[quads] = (int32_t)(b * GNOSIS_BLOCK) + best;
            plan->quad_high[quads] = high[best];
            plan->quad_low[quads] = low[best];
        }
        plan->quads[b + 1] = quads / 4;
        for (int k = 0; k < GNOSIS_BLOCK; k++) {
            base -= (inside[k] ? 256 : 241) * whole[k];
            if (!inside[k])
                energy += x[k] * x[k];
        }
        plan->size[b] = sum * WIDEN;
        plan->half[b] = (float)(unit / 2);
        plan->base[b] = base;
        plan->energy[b] = up_to_float(sqrt(energy) * GNOSIS_ROOT_UNIT * WIDEN);
        plan->floor[b] = up_to_float((128 * rounding + gamma * 128 * size) * WIDEN + 0x1p-60);
    }
    plan->blocks = blocks;
    return -1;
}

GNOSIS_INLINE uint32_t word_at(const int8_t *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* ---- primitives of each instruction set, and the body ------------------------------
 *
 * W rows at a time: vi whole numbers, vf float32.
 *   bytes(p)         4 W bytes
 *   dot(acc, u, w)   adds to each row the products of its 4 bytes of u with the 4 signed bytes of w
 *   sums(acc)        what has been added, as whole numbers
 *   quad(p, c, h)    the nibbles of 4 columns c for the rows h W .. of the group at p, a byte each
 *   eight(p)         8 signed bytes as float64, two vectors of float64 but for AVX-512
 *   halves, small    W half-precision numbers, W unsigned bytes, as float32 */

typedef double d8 __attribute__((vector_size(64)));

#if GNOSIS_X86
#define GNOSIS_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c")))

#define ISA(name) name##_vnni
#define TARGET GNOSIS_VNNI
#include "head_avx512.h"
TARGET GNOSIS_INLINE __m512i ISA(dot)(__m512i acc, __m512i u, uint32_t w) { return _mm512_dpbusd_epi32(acc, u, _mm512_set1_epi32((int)w)); }
TARGET GNOSIS_INLINE __m512i ISA(sums)(__m512i acc) { return acc; }
#include "head_body.h"

#define ISA(name) name##_avx512
#define TARGET GNOSIS_AVX512
#include "head_avx512.h"
TARGET GNOSIS_INLINE __m512i ISA(dot)(__m512i acc, __m512i u, uint32_t w)
{
    return _mm512_add_epi16(acc, _mm512_maddubs_epi16(u, _mm512_set1_epi32((int)w)));
}
TARGET GNOSIS_INLINE __m512i ISA(sums)(__m512i acc) { return _mm512_madd_epi16(acc, _mm512_set1_epi16(1)); }
#include "head_body.h"

#define ISA(name) name##_avx2
#define TARGET GNOSIS_AVX2
#define W 8
typedef __m256i vi_avx2;
typedef __m256 vf_avx2;
TARGET GNOSIS_INLINE __m256i ISA(zero)(void) { return _mm256_setzero_si256(); }
TARGET GNOSIS_INLINE __m256i ISA(bytes)(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
TARGET GNOSIS_INLINE __m256i ISA(low)(__m256i x) { return _mm256_and_si256(x, _mm256_set1_epi8(15)); }
TARGET GNOSIS_INLINE __m256i ISA(high)(__m256i x) { return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15)); }
TARGET GNOSIS_INLINE __m256i ISA(dot)(__m256i acc, __m256i u, uint32_t w)
{
    return _mm256_add_epi16(acc, _mm256_maddubs_epi16(u, _mm256_set1_epi32((int)w)));
}
TARGET GNOSIS_INLINE __m256i ISA(sums)(__m256i acc) { return _mm256_madd_epi16(acc, _mm256_set1_epi16(1)); }
TARGET GNOSIS_INLINE __m256i ISA(quad)(const uint8_t *p, const int32_t *c, int h)
{
    __m128i x01 = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[0])), _mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[1])));
    __m128i x23 = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[2])), _mm_loadl_epi64((const __m128i *)(p + 64 * (ptrdiff_t)c[3])));
    __m256i x = _mm256_set_m128i(_mm_unpackhi_epi16(x01, x23), _mm_unpacklo_epi16(x01, x23));
    return h ? ISA(high)(x) : ISA(low)(x);
}
/* (256 (16 h1 + l1) + 16 h0 + l0) * 2 + base */
TARGET GNOSIS_INLINE __m256 ISA(join)(__m256i h1, __m256i h0, __m256i l1, __m256i l0, int32_t base)
{
    __m256i top = _mm256_add_epi32(_mm256_slli_epi32(h1, 4), l1), bottom = _mm256_add_epi32(_mm256_slli_epi32(h0, 4), l0);
    __m256i all = _mm256_slli_epi32(_mm256_add_epi32(_mm256_slli_epi32(top, 8), bottom), 1);
    return _mm256_cvtepi32_ps(_mm256_add_epi32(all, _mm256_set1_epi32(base)));
}
TARGET GNOSIS_INLINE __m256 ISA(halves)(const uint16_t *p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)); }
TARGET GNOSIS_INLINE __m256 ISA(small)(const uint8_t *p) { return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p))); }
TARGET GNOSIS_INLINE d8 ISA(eight)(const uint8_t *p)
{
    __m256i q = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
    __m256d half[2] = {_mm256_cvtepi32_pd(_mm256_castsi256_si128(q)), _mm256_cvtepi32_pd(_mm256_extracti128_si256(q, 1))};
    d8 x;
    memcpy(&x, half, sizeof x);
    return x;
}
TARGET GNOSIS_INLINE __m256 ISA(each)(float x) { return _mm256_set1_ps(x); }
TARGET GNOSIS_INLINE __m256 ISA(size)(__m256 x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
#include "head_body.h"
#endif

#define ISA(name) name##_plain
#define TARGET
#define W 4
typedef int32_t vi_plain __attribute__((vector_size(16)));
typedef float vf_plain __attribute__((vector_size(16)));
GNOSIS_INLINE vi_plain ISA(zero)(void) { return (vi_plain){0}; }
GNOSIS_INLINE vi_plain ISA(bytes)(const uint8_t *p)
{
    vi_plain x;
    memcpy(&x, p, sizeof x);
    return x;
}
GNOSIS_INLINE vi_plain ISA(low)(vi_plain x) { return x & 0x0f0f0f0f; }
GNOSIS_INLINE vi_plain ISA(high)(vi_plain x) { return (x >> 4) & 0x0f0f0f0f; }
GNOSIS_INLINE vi_plain ISA(dot)(vi_plain acc, vi_plain u, uint32_t w)
{
    for (int i = 0; i < 4; i++)
        acc += ((u >> 8 * i) & 255) * (int32_t)(int8_t)(w >> 8 * i);
    return acc;
}
GNOSIS_INLINE vi_plain ISA(sums)(vi_plain acc) { return acc; }
GNOSIS_INLINE vi_plain ISA(quad)(const uint8_t *p, const int32_t *c, int h)
{
    vi_plain x = {0};
    for (int lane = 0; lane < W; lane++)
        for (int j = 0; j < 4; j++)
            x[lane] |= (p[64 * (ptrdiff_t)c[j] + (h * W + lane) % 8] >> 4 * (h * W / 8) & 15) << 8 * j;
    return x;
}
GNOSIS_INLINE vf_plain ISA(join)(vi_plain h1, vi_plain h0, vi_plain l1, vi_plain l0, int32_t base)
{
    return __builtin_convertvector(((((h1 << 4) + l1) << 8) + (h0 << 4) + l0) * 2 + base, vf_plain);
}
GNOSIS_INLINE vf_plain ISA(halves)(const uint16_t *p) { return (vf_plain){gnosis_half(p[0]), gnosis_half(p[1]), gnosis_half(p[2]), gnosis_half(p[3])}; }
GNOSIS_INLINE vf_plain ISA(small)(const uint8_t *p) { return (vf_plain){p[0], p[1], p[2], p[3]}; }
GNOSIS_INLINE d8 ISA(eight)(const uint8_t *p)
{
    const int8_t *q = (const int8_t *)p;
    return (d8){q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]};
}
GNOSIS_INLINE vf_plain ISA(each)(float x) { return (vf_plain){x, x, x, x}; }
GNOSIS_INLINE vf_plain ISA(size)(vf_plain x) { return (vf_plain)((vi_plain)x & INT32_MAX); }
#include "head_body.h"

int gnosis_head_vnni(int level)
{
#if GNOSIS_X86
    return level >= GNOSIS_LEVEL_AVX512 && __builtin_cpu_supports("avx512vnni");
#else
    (void)level;
    return 0;
#endif
}

#if GNOSIS_X86
#define DISPATCH(name, ...) (gnosis_head_vnni(level) ? name##_vnni(__VA_ARGS__) : GNOSIS_AT(abs(level), name, __VA_ARGS__))
#else
#define DISPATCH(name, ...) GNOSIS_AT(level, name, __VA_ARGS__)
#endif

ptrdiff_t gnosis_head_coarse(const uint8_t *coarse, const uint8_t *rest, const uint16_t *scales, const uint8_t *roots, ptrdiff_t blocks,
                        const gnosis_head_plan_t *plan, ptrdiff_t from, ptrdiff_t to, float *z, float *eps, int level)
{
    if (blocks < 1 || blocks != plan->blocks || from < 0)
        return GNOSIS_HEAD_SIZE;
    DISPATCH(coarse, coarse, rest, scales, roots, blocks, plan, from, to, z, eps);
    return -1;
}

ptrdiff_t gnosis_head_rows(const uint8_t *q8_0, ptrdiff_t blocks, const gnosis_head_plan_t *plan, const int64_t *index, ptrdiff_t n, double *y, double *err, int level)
{
    if (blocks < 1 || blocks != plan->blocks)
        return GNOSIS_HEAD_SIZE;
    for (ptrdiff_t i = 0; i < n; i++)
        if (index[i] < 0)
            return i;
    DISPATCH(rows, q8_0, blocks, plan, index, n, y, err);
    return -1;
}
