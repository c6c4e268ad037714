/* 16 lanes in the vectors of one instruction set.  Included by engine_kernels.c for each of them, SET being its name.
 *
 *   vf  16 float32          vi  16 whole numbers of 32 bits          vw  32 of 16 bits, two to a lane
 *
 * fma rounds once, everywhere; nothing else is contracted.  Maxima are of numbers that are not NaN.  */

#define vf ISA(vf)
#define vi ISA(vi)
#define vw ISA(vw)
#define OP TARGET GNOSIS_INLINE

#if WIDTH && !defined(GNOSIS_SIMDE)
#define ANEW(p) __asm__ volatile("" : "+r"(p)) /* a pointer of which nothing is known */
#else
#define ANEW(p) (void)(p)
#endif

#if WIDTH == 512
#ifdef GNOSIS_SIMDE
#define HOLD(x) (void)(x)
#else
#define HOLD(x) __asm__("" : "+v"(x)) /* in a register: left alone, the compiler reads what it has again, or puts sums aside */
#endif
typedef M512 vf;
typedef M512I vi, vw;
OP vf ISA(load)(const float *p) { return I(_mm512_loadu_ps)(p); }
OP void ISA(store)(float *p, vf x) { I(_mm512_storeu_ps)(p, x); }
OP vf ISA(all)(float x) { return I(_mm512_set1_ps)(x); }
OP vf ISA(add)(vf x, vf y) { return I(_mm512_add_ps)(x, y); }
OP vf ISA(sub)(vf x, vf y) { return I(_mm512_sub_ps)(x, y); }
OP vf ISA(mul)(vf x, vf y) { return I(_mm512_mul_ps)(x, y); }
OP vf ISA(over)(vf x, vf y) { return I(_mm512_div_ps)(x, y); }
OP vf ISA(fma)(vf x, vf y, vf z) { return I(_mm512_fmadd_ps)(x, y, z); }
OP vf ISA(most)(vf x, vf y) { return I(_mm512_max_ps)(x, y); }
OP uint32_t ISA(below)(vf x, vf y) { return I(_mm512_cmp_ps_mask)(x, y, _CMP_LE_OQ); } /* a bit for every lane with x <= y */
OP vf ISA(choose)(uint32_t mask, vf yes, vf no) { return I(_mm512_mask_blend_ps)((uint16_t)mask, no, yes); }
OP vi ISA(bits)(vf x) { return I(_mm512_castps_si512)(x); }
OP vf ISA(floats)(vi x) { return I(_mm512_castsi512_ps)(x); }
OP vi ISA(every)(int32_t x) { return I(_mm512_set1_epi32)(x); }
OP vi ISA(plus)(vi x, vi y) { return I(_mm512_add_epi32)(x, y); }
OP vi ISA(raised)(vi x) { return I(_mm512_slli_epi32)(x, 23); }
OP vf ISA(real)(vi x) { return I(_mm512_cvtepi32_ps)(x); }
OP vf ISA(halves)(const uint8_t *p) { return I(_mm512_cvtph_ps)(I(_mm256_loadu_si256)((const M256I *)p)); }
OP vf ISA(bfloats)(const uint8_t *p) { return ISA(floats)(I(_mm512_slli_epi32)(I(_mm512_cvtepu16_epi32)(I(_mm256_loadu_si256)((const M256I *)p)), 16)); }
OP vi ISA(bytes)(const uint8_t *p) { return I(_mm512_cvtepu8_epi32)(I(_mm_loadu_si128)((const M128I *)p)); }
OP vi ISA(signed_bytes)(const uint8_t *p) { return I(_mm512_cvtepi8_epi32)(I(_mm_loadu_si128)((const M128I *)p)); }
OP vw ISA(words)(const void *p) { return I(_mm512_loadu_si512)(p); }
OP void ISA(keep)(void *p, vw x) { I(_mm512_storeu_si512)(p, x); }
OP vw ISA(widened)(const uint8_t *p) { return I(_mm512_cvtepi8_epi16)(I(_mm256_loadu_si256)((const M256I *)p)); }
OP vw ISA(nibble)(vw x, const int j)
{
    vw y = j ? I(_mm512_srli_epi16)(x, 4 * j) : x;
    return j < 3 ? I(_mm512_and_si512)(y, I(_mm512_set1_epi16)(15)) : y;
}
OP vw ISA(none)(void) { return I(_mm512_setzero_si512)(); }
OP vw ISA(low_nibbles)(vw x) { return I(_mm512_and_si512)(x, I(_mm512_set1_epi8)(15)); }
OP vw ISA(high_nibbles)(vw x) { return I(_mm512_and_si512)(I(_mm512_srli_epi16)(x, 4), I(_mm512_set1_epi8)(15)); }
OP vw ISA(dot_bytes)(vw sum, vw x, int32_t four) { return I(_mm512_add_epi16)(sum, I(_mm512_maddubs_epi16)(x, I(_mm512_set1_epi32)(four))); }
OP vw ISA(nested)(vw x, vw z, const int j) /* 16 times a nibble of x, and one of z */
{
    vw y = j ? I(_mm512_srli_epi16)(x, j > 1 ? 4 * j - 4 : 0) : I(_mm512_slli_epi16)(x, 4);
    return I(_mm512_or_si512)(I(_mm512_and_si512)(y, I(_mm512_set1_epi16)(240)), ISA(nibble)(z, j));
}
#if VNNI
OP vi ISA(dot)(vi sum, vw w, int32_t pair) { return I(_mm512_dpwssd_epi32)(sum, w, I(_mm512_set1_epi32)(pair)); }
#else
OP vi ISA(dot)(vi sum, vw w, int32_t pair) { return I(_mm512_add_epi32)(sum, I(_mm512_madd_epi16)(w, I(_mm512_set1_epi32)(pair))); }
#endif
OP vf ISA(size)(vf x) { return ISA(floats)(I(_mm512_and_si512)(ISA(bits)(x), ISA(every)(INT32_MAX))); }
OP int32_t ISA(total_whole)(vi x)
{
    int32_t l[16], sum = 0;
    ISA(keep)(l, x);
    for (int i = 0; i < 16; i++)
        sum += l[i];
    return sum;
}
OP vw ISA(rounded)(vf x, vf y) /* 32 floats in the range of 16-bit words, the last ones kept inside; in order */
{
    M256I a = I(_mm512_cvtsepi32_epi16)(I(_mm512_cvtps_epi32)(x)), b = I(_mm512_cvtsepi32_epi16)(I(_mm512_cvtps_epi32)(y));
    return I(_mm512_inserti64x4)(I(_mm512_castsi256_si512)(a), b, 1);
}

#elif WIDTH == 256
#define HOLD(x) __asm__("" : "+x"((x).a), "+x"((x).b))
typedef struct { __m256 a, b; } vf;
typedef struct { __m256i a, b; } vi;
typedef vi vw;
#define BOTH(type, e, f) ((type){e, f})
OP vf ISA(load)(const float *p) { return BOTH(vf, _mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)); }
OP void ISA(store)(float *p, vf x) { _mm256_storeu_ps(p, x.a), _mm256_storeu_ps(p + 8, x.b); }
OP vf ISA(all)(float x) { __m256 v = _mm256_set1_ps(x); return BOTH(vf, v, v); }
OP vf ISA(add)(vf x, vf y) { return BOTH(vf, _mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)); }
OP vf ISA(sub)(vf x, vf y) { return BOTH(vf, _mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)); }
OP vf ISA(mul)(vf x, vf y) { return BOTH(vf, _mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)); }
OP vf ISA(over)(vf x, vf y) { return BOTH(vf, _mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)); }
OP vf ISA(fma)(vf x, vf y, vf z) { return BOTH(vf, _mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)); }
OP vf ISA(most)(vf x, vf y) { return BOTH(vf, _mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)); }
OP uint32_t ISA(below)(vf x, vf y)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x.a, y.a, _CMP_LE_OQ)) | (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x.b, y.b, _CMP_LE_OQ)) << 8;
}
OP __m256 ISA(eight)(uint32_t mask)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int32_t)mask), bit), bit));
}
OP vf ISA(choose)(uint32_t mask, vf yes, vf no)
{
    return BOTH(vf, _mm256_blendv_ps(no.a, yes.a, ISA(eight)(mask)), _mm256_blendv_ps(no.b, yes.b, ISA(eight)(mask >> 8)));
}
OP vi ISA(bits)(vf x) { return BOTH(vi, _mm256_castps_si256(x.a), _mm256_castps_si256(x.b)); }
OP vf ISA(floats)(vi x) { return BOTH(vf, _mm256_castsi256_ps(x.a), _mm256_castsi256_ps(x.b)); }
OP vi ISA(every)(int32_t x) { __m256i v = _mm256_set1_epi32(x); return BOTH(vi, v, v); }
OP vi ISA(plus)(vi x, vi y) { return BOTH(vi, _mm256_add_epi32(x.a, y.a), _mm256_add_epi32(x.b, y.b)); }
OP vi ISA(raised)(vi x) { return BOTH(vi, _mm256_slli_epi32(x.a, 23), _mm256_slli_epi32(x.b, 23)); }
OP vf ISA(real)(vi x) { return BOTH(vf, _mm256_cvtepi32_ps(x.a), _mm256_cvtepi32_ps(x.b)); }
OP __m128i ISA(sixteen)(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
OP vf ISA(halves)(const uint8_t *p) { return BOTH(vf, _mm256_cvtph_ps(ISA(sixteen)(p)), _mm256_cvtph_ps(ISA(sixteen)(p + 16))); }
OP __m256i ISA(eight_bfloats)(const uint8_t *p) { return _mm256_slli_epi32(_mm256_cvtepu16_epi32(ISA(sixteen)(p)), 16); }
OP vf ISA(bfloats)(const uint8_t *p) { return ISA(floats)(BOTH(vi, ISA(eight_bfloats)(p), ISA(eight_bfloats)(p + 16))); }
OP vi ISA(bytes)(const uint8_t *p)
{
    __m128i x = ISA(sixteen)(p);
    return BOTH(vi, _mm256_cvtepu8_epi32(x), _mm256_cvtepu8_epi32(_mm_srli_si128(x, 8)));
}
OP vi ISA(signed_bytes)(const uint8_t *p)
{
    __m128i x = ISA(sixteen)(p);
    return BOTH(vi, _mm256_cvtepi8_epi32(x), _mm256_cvtepi8_epi32(_mm_srli_si128(x, 8)));
}
OP vw ISA(words)(const void *p) { return BOTH(vw, _mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)p + 1)); }
OP void ISA(keep)(void *p, vw x) { _mm256_storeu_si256((__m256i *)p, x.a), _mm256_storeu_si256((__m256i *)p + 1, x.b); }
OP vw ISA(widened)(const uint8_t *p) { return BOTH(vw, _mm256_cvtepi8_epi16(ISA(sixteen)(p)), _mm256_cvtepi8_epi16(ISA(sixteen)(p + 16))); }
OP __m256i ISA(nibble_half)(__m256i x, const int j)
{
    __m256i y = j ? _mm256_srli_epi16(x, 4 * j) : x;
    return j < 3 ? _mm256_and_si256(y, _mm256_set1_epi16(15)) : y;
}
OP vw ISA(nibble)(vw x, const int j) { return BOTH(vw, ISA(nibble_half)(x.a, j), ISA(nibble_half)(x.b, j)); }
OP vw ISA(none)(void) { return BOTH(vw, _mm256_setzero_si256(), _mm256_setzero_si256()); }
OP __m256i ISA(low_half)(__m256i x) { return _mm256_and_si256(x, _mm256_set1_epi8(15)); }
OP vw ISA(low_nibbles)(vw x) { return BOTH(vw, ISA(low_half)(x.a), ISA(low_half)(x.b)); }
OP vw ISA(high_nibbles)(vw x) { return BOTH(vw, ISA(low_half)(_mm256_srli_epi16(x.a, 4)), ISA(low_half)(_mm256_srli_epi16(x.b, 4))); }
OP vw ISA(dot_bytes)(vw sum, vw x, int32_t four) /* bytes of a word are codes below 16, those of `four` are signed: no sum saturates */
{
    __m256i n = _mm256_set1_epi32(four);
    return BOTH(vw, _mm256_add_epi16(sum.a, _mm256_maddubs_epi16(x.a, n)), _mm256_add_epi16(sum.b, _mm256_maddubs_epi16(x.b, n)));
}
OP __m256i ISA(nested_half)(__m256i x, __m256i z, const int j) /* 16 times a nibble of x, and one of z */
{
    __m256i y = j ? _mm256_srli_epi16(x, j > 1 ? 4 * j - 4 : 0) : _mm256_slli_epi16(x, 4);
    return _mm256_or_si256(_mm256_and_si256(y, _mm256_set1_epi16(240)), ISA(nibble_half)(z, j));
}
OP vw ISA(nested)(vw x, vw z, const int j) { return BOTH(vw, ISA(nested_half)(x.a, z.a, j), ISA(nested_half)(x.b, z.b, j)); }
OP vi ISA(dot)(vi sum, vw w, int32_t pair) /* vpmaddubsw would saturate on 8-bit codes; words times words cannot */
{
    __m256i p = _mm256_set1_epi32(pair);
    return BOTH(vi, _mm256_add_epi32(sum.a, _mm256_madd_epi16(w.a, p)), _mm256_add_epi32(sum.b, _mm256_madd_epi16(w.b, p)));
}
OP vf ISA(size)(vf x) { return BOTH(vf, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x.a), _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x.b)); }
OP int32_t ISA(total_whole)(vi x)
{
    __m256i y = _mm256_add_epi32(x.a, x.b);
    __m128i z = _mm_add_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    z = _mm_add_epi32(z, _mm_srli_si128(z, 8));
    return _mm_cvtsi128_si32(_mm_add_epi32(z, _mm_srli_si128(z, 4)));
}
OP __m256i ISA(rounded_half)(vf x) { return _mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_cvtps_epi32(x.a), _mm256_cvtps_epi32(x.b)), 0xd8); }
OP vw ISA(rounded)(vf x, vf y) { return BOTH(vw, ISA(rounded_half)(x), ISA(rounded_half)(y)); }
#undef BOTH

#else
#define HOLD(x) (void)(x)
typedef struct { float l[16]; } vf;
typedef struct { int32_t l[16]; } vi;
typedef struct { int16_t l[32]; } vw;
#define EACH(type, e) type y; for (int i = 0; i < 16; i++) y.l[i] = e; return y
OP vf ISA(load)(const float *p) { vf x; memcpy(&x, p, sizeof x); return x; }
OP void ISA(store)(float *p, vf x) { memcpy(p, &x, sizeof x); }
OP vf ISA(all)(float x) { EACH(vf, x); }
OP vf ISA(add)(vf x, vf z) { EACH(vf, x.l[i] + z.l[i]); }
OP vf ISA(sub)(vf x, vf z) { EACH(vf, x.l[i] - z.l[i]); }
OP vf ISA(mul)(vf x, vf z) { EACH(vf, x.l[i] * z.l[i]); }
OP vf ISA(over)(vf x, vf z) { EACH(vf, x.l[i] / z.l[i]); }
OP vf ISA(fma)(vf x, vf z, vf s) { EACH(vf, __builtin_fmaf(x.l[i], z.l[i], s.l[i])); }
OP vf ISA(most)(vf x, vf z) { EACH(vf, x.l[i] > z.l[i] ? x.l[i] : z.l[i]); }
OP uint32_t ISA(below)(vf x, vf z) { uint32_t m = 0; for (int i = 0; i < 16; i++) m |= (uint32_t)(x.l[i] <= z.l[i]) << i; return m; }
OP vf ISA(choose)(uint32_t mask, vf yes, vf no) { EACH(vf, mask >> i & 1 ? yes.l[i] : no.l[i]); }
OP vi ISA(bits)(vf x) { vi y; memcpy(&y, &x, sizeof y); return y; }
OP vf ISA(floats)(vi x) { vf y; memcpy(&y, &x, sizeof y); return y; }
OP vi ISA(every)(int32_t x) { EACH(vi, x); }
OP vi ISA(plus)(vi x, vi z) { EACH(vi, (int32_t)((uint32_t)x.l[i] + (uint32_t)z.l[i])); }
OP vi ISA(raised)(vi x) { EACH(vi, (int32_t)((uint32_t)x.l[i] << 23)); }
OP vf ISA(real)(vi x) { EACH(vf, (float)x.l[i]); }
OP uint16_t ISA(sixteen)(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
OP vf ISA(halves)(const uint8_t *p) { EACH(vf, engine_half(ISA(sixteen)(p + 2 * i))); }
OP vi ISA(bfloat_bits)(const uint8_t *p) { EACH(vi, (int32_t)((uint32_t)ISA(sixteen)(p + 2 * i) << 16)); }
OP vf ISA(bfloats)(const uint8_t *p) { return ISA(floats)(ISA(bfloat_bits)(p)); }
OP vi ISA(bytes)(const uint8_t *p) { EACH(vi, p[i]); }
OP vi ISA(signed_bytes)(const uint8_t *p) { EACH(vi, (int8_t)p[i]); }
OP vw ISA(words)(const void *p) { vw x; memcpy(&x, p, sizeof x); return x; }
OP void ISA(keep)(void *p, vw x) { memcpy(p, &x, sizeof x); }
OP vw ISA(widened)(const uint8_t *p) { vw y; for (int i = 0; i < 32; i++) y.l[i] = (int8_t)p[i]; return y; }
OP vw ISA(nibble)(vw x, const int j) { vw y; for (int i = 0; i < 32; i++) y.l[i] = (int16_t)((uint16_t)x.l[i] >> 4 * j & 15); return y; }
#define WORDS(e) vw y; for (int i = 0; i < 32; i++) y.l[i] = (int16_t)(e); return y
OP vw ISA(none)(void) { WORDS(0); }
OP vw ISA(low_nibbles)(vw x) { WORDS(x.l[i] & 0x0f0f); }
OP vw ISA(high_nibbles)(vw x) { WORDS(x.l[i] >> 4 & 0x0f0f); }
OP vw ISA(dot_bytes)(vw sum, vw x, int32_t four)
{
    const uint32_t n = (uint32_t)four;
    WORDS(sum.l[i] + (x.l[i] & 255) * (int8_t)(n >> (i % 2 * 16) & 255) + (x.l[i] >> 8) * (int8_t)(n >> (i % 2 * 16 + 8) & 255));
}
#undef WORDS
OP vw ISA(nested)(vw x, vw z, const int j) /* 16 times a nibble of x, and one of z */
{
    x = ISA(nibble)(x, j), z = ISA(nibble)(z, j);
    for (int i = 0; i < 32; i++)
        x.l[i] = (int16_t)(16 * x.l[i] + z.l[i]);
    return x;
}
OP vi ISA(dot)(vi sum, vw w, int32_t pair)
{
    const int32_t low = (int16_t)((uint32_t)pair & 0xffff), high = (int16_t)((uint32_t)pair >> 16);
    EACH(vi, sum.l[i] + w.l[2 * i] * low + w.l[2 * i + 1] * high);
}
OP vf ISA(size)(vf x) { EACH(vf, __builtin_fabsf(x.l[i])); }
OP int32_t ISA(total_whole)(vi x) { int32_t sum = 0; for (int i = 0; i < 16; i++) sum += x.l[i]; return sum; }
OP float ISA(highest)(vf x) { float most = x.l[0]; for (int i = 1; i < 16; i++) most = x.l[i] > most ? x.l[i] : most; return most; }
OP float ISA(total)(vf x) /* in a tree: halves, quarters, eighths, then two and two */
{
    for (int n = 8; n >= 1; n /= 2)
        for (int i = 0; i < n; i++)
            x.l[i] += x.l[i + n];
    return x.l[0];
}
OP int16_t ISA(near)(float x) /* below 2^22 in size: the sum drops what lies behind the point, to even */
{
    float y = (x + 0x1.8p23f) - 0x1.8p23f;
    return (int16_t)(y > 32767.0f ? 32767.0f : y);
}
OP vw ISA(rounded)(vf x, vf z) { vw y; for (int i = 0; i < 16; i++) y.l[i] = ISA(near)(x.l[i]), y.l[16 + i] = ISA(near)(z.l[i]); return y; }
#undef EACH
#endif

#if WIDTH == 256
/* Across lanes: halves, quarters, eighths, then two and two. */
#define TREE(name, join, join4, join1)                                                                                      \
    OP float ISA(name)(vf x)                                                                                                \
    {                                                                                                                       \
        const __m256 y = join(x.a, x.b);                                                         \
        __m128 z = join4(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));                                           \
        z = join4(z, _mm_movehl_ps(z, z));                                                                                  \
        return _mm_cvtss_f32(join1(z, _mm_shuffle_ps(z, z, 1)));                                                            \
    }
TREE(total, _mm256_add_ps, _mm_add_ps, _mm_add_ss)
TREE(highest, _mm256_max_ps, _mm_max_ps, _mm_max_ss)
#undef TREE
#elif WIDTH == 512
OP float ISA(total)(vf x)
{
    float l[16];
    ISA(store)(l, x);
    for (int n = 8; n >= 1; n /= 2)
        for (int i = 0; i < n; i++)
            l[i] += l[i + n];
    return l[0];
}
OP float ISA(highest)(vf x)
{
    float l[16], most;
    ISA(store)(l, x);
    most = l[0];
    for (int i = 1; i < 16; i++)
        most = l[i] > most ? l[i] : most;
    return most;
}
#endif

/* How many of the tokens that are left are summed up side by side, of floating-point weights: enough sums to hide how long one takes. */
OP ptrdiff_t ISA(float_size)(ptrdiff_t left)
{
#if WIDTH == 256 /* two registers a token: four tokens, five or six where they are the last */
    return left == 5 || left == 6 || left < 4 ? left : 4;
#else
    return left < FLOAT_STEP ? left : FLOAT_STEP;
#endif
}
