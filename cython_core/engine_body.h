/* The kernels of one instruction set.  Included by engine_kernels.c after engine_simd.h.
 *
 * Whole numbers.  A code is at most 128 in size, a whole activation at most 2^15, so a block of 32 columns has |sum| <= 32 * 128 * 2^15 = 2^27
 * however it is cut (dot_no_overflow in Gnosis/EnergyMarginBridgeAdmissibility.lean, with M = 128 and K = 2^15): 32 bits hold every partial
 * sum, whatever its order.  The sum over blocks is in float32, in the order of the columns:
 *   f = fma(float(sum of codes), scale * unit, f), then, where there is a minimum, f = fma(minimum, sums, f).
 * F16, BF16, F32: f = fma(weight, activation, f), column after column. */

/* ---- sums across lanes ---- */

OP float ISA(total)(vf x) /* in a tree: halves, quarters, eighths, then two and two */
{
    float l[16];
    ISA(store)(l, x);
    for (int n = 8; n >= 1; n /= 2)
        for (int i = 0; i < n; i++)
            l[i] += l[i + n];
    return l[0];
}

OP int32_t ISA(total_whole)(vi x)
{
    int32_t l[16], sum = 0;
    ISA(keep)(l, ISA(as_words)(x));
    for (int i = 0; i < 16; i++)
        sum += l[i];
    return sum;
}

/* ---- whole codes ----
 *
 * What differs between kinds and decides about the loops is constant where a body is made: whether codes have four bits, and whether the two
 * halves of a record have scales of their own.  The rest, once a record, is asked at run time. */

enum { ISA(EIGHT), ISA(FOUR), ISA(HALVED) };

OP void ISA(factors)(int kind, const uint8_t *header, const uint8_t *p, vf *scale, vf *minimum)
{
    if (kind == GNOSIS_Q6_K) { /* 8 + 11 bits: exact; the second half's are in `minimum` */
        *scale = ISA(mul)(ISA(real)(ISA(signed_bytes)(p)), ISA(halves)(header));
        *minimum = ISA(mul)(ISA(real)(ISA(signed_bytes)(p + GROUP)), ISA(halves)(header));
    } else if (engine_is_super(kind)) { /* 6 + 11 bits */
        *scale = ISA(mul)(ISA(real)(ISA(bytes)(p)), ISA(halves)(header));
        *minimum = ISA(mul)(ISA(real)(ISA(bytes)(p + GROUP)), ISA(halves)(header + 2 * GROUP));
    } else {
        *scale = ISA(halves)(p);
        *minimum = engine_has_minimum(kind) ? ISA(halves)(p + 2 * GROUP) : ISA(all)(0);
    }
}

OP int32_t ISA(pair)(const int16_t *n)
{
    int32_t p;
    memcpy(&p, n, sizeof p);
    return p;
}

OP void ISA(fetch)(const uint8_t *p, const int bytes)
{
    for (int i = 0; i < bytes; i += 64) { /* past the end is no fault */
        __builtin_prefetch((const void *)((uintptr_t)p + NEAR + (uintptr_t)i));
        __builtin_prefetch((const void *)((uintptr_t)p + FAR + (uintptr_t)i), 0, 2);
    }
}

/* f after a record, of whole sums and factors. */
OP vf ISA(after)(const int body, int kind, vi low, vi high, vf scale, vf minimum, float unit, float sums, vf f)
{
    f = ISA(fma)(ISA(real)(low), ISA(mul)(scale, ISA(all)(unit)), f);
    if (body == ISA(HALVED))
        return ISA(fma)(ISA(real)(high), ISA(mul)(minimum, ISA(all)(unit)), f);
    return engine_has_minimum(kind) ? ISA(fma)(minimum, ISA(all)(sums), f) : f;
}

/* One token: codes go from memory into the product.  Pairs of columns from .. to - 1 of a record. */
OP vi ISA(fused)(const int body, const uint8_t *p, const int16_t *n, const int from, const int to, vi sum)
{
    vi s[CHAINS];
    s[0] = sum;
    for (int c = 1; c < CHAINS; c++)
        s[c] = ISA(every)(0);
    if (body == ISA(FOUR))
        for (int u = from / 4; u < to / 4; u++) {
            vw x = ISA(words)(p + 64 * u);
            s[0] = ISA(dot)(s[0], ISA(nibble)(x, 0), ISA(pair)(n + 8 * u));
            s[1 % CHAINS] = ISA(dot)(s[1 % CHAINS], ISA(nibble)(x, 1), ISA(pair)(n + 8 * u + 2));
            s[2 % CHAINS] = ISA(dot)(s[2 % CHAINS], ISA(nibble)(x, 2), ISA(pair)(n + 8 * u + 4));
            s[3 % CHAINS] = ISA(dot)(s[3 % CHAINS], ISA(nibble)(x, 3), ISA(pair)(n + 8 * u + 6));
        }
    else
        for (int i = from; i < to; i++)
            s[i % CHAINS] = ISA(dot)(s[i % CHAINS], ISA(widened)(p + 32 * i), ISA(pair)(n + 2 * i));
    for (int c = 1; c < CHAINS; c++)
        s[0] = ISA(plus)(s[0], s[c]);
    return s[0];
}

OP void ISA(alone)(const int body, const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out)
{
    const int kind = m->kind, codes = body == ISA(FOUR) ? 256 : 512, zero = engine_zero(kind), per = engine_per(kind), header = engine_header(kind);
    const int record = codes + engine_factors(kind);

    for (ptrdiff_t g = from; g < to; g++) {
        const uint8_t *p = m->at + g * (ptrdiff_t)m->group_bytes;
        vf f = ISA(all)(0);
        for (ptrdiff_t b = 0; b < m->blocks; b += per) {
            const uint8_t *head = p;
            p += header;
            for (ptrdiff_t i = b; i < b + per; i++, p += record) {
                const int16_t *n = a->whole + i * BLOCK;
                vf scale, minimum;
                vi low = ISA(every)(-zero * a->sum[i]), high = ISA(every)(0);
                ISA(fetch)(p, codes + 2 * GROUP);
                low = ISA(fused)(body, p, n, 0, body == ISA(HALVED) ? 8 : 16, low);
                if (body == ISA(HALVED))
                    high = ISA(fused)(body, p, n, 8, 16, high);
                ISA(factors)(kind, head, p + codes, &scale, &minimum);
                f = ISA(after)(body, kind, low, high, scale, minimum, a->unit[i], a->sums[i], f);
            }
        }
        ISA(store)(out + GROUP * g, f);
    }
}

/* Several tokens: the codes of a record are unpacked once.  Pairs from .. to - 1 for nt tokens. */
OP void ISA(tile)(const vw *w, const int16_t *n, const int nt, const int from, const int to, vi *sum)
{
#pragma GCC unroll 2
    for (int i = from; i < to; i++)
        for (int t = 0; t < nt; t++)
            sum[t] = ISA(dot)(sum[t], w[i], ISA(pair)(n + t * BLOCK + 2 * i));
}

OP void ISA(some)(const int body, int kind, const vw *w, const vf *factors, const activations *a, ptrdiff_t at, const int nt, float *f)
{
    const int zero = engine_zero(kind);
    vi low[STEP], high[STEP];

    for (int t = 0; t < nt; t++)
        low[t] = ISA(every)(-zero * a->sum[at + t]), high[t] = ISA(every)(0);
    ISA(tile)(w, a->whole + at * BLOCK, nt, 0, body == ISA(HALVED) ? 8 : 16, low);
    if (body == ISA(HALVED))
        ISA(tile)(w, a->whole + at * BLOCK, nt, 8, 16, high);
    for (int t = 0; t < nt; t++)
        ISA(store)(f + GROUP * t,
                   ISA(after)(body, kind, low[t], high[t], factors[0], factors[1], a->unit[at + t], a->sums[at + t], ISA(load)(f + GROUP * t)));
}

TARGET static __attribute__((noinline)) void ISA(few)(int kind, const vw *w, const vf *factors, const activations *a, ptrdiff_t at, int nt, float *f)
{
#if WIDTH
    if (kind == GNOSIS_Q6_K && nt == STEP)
        ISA(some)(ISA(HALVED), kind, w, factors, a, at, STEP, f);
    else if (kind == GNOSIS_Q6_K)
        for (int t = 0; t < nt; t++)
            ISA(some)(ISA(HALVED), kind, w, factors, a, at + t, 1, f + GROUP * t);
    else if (nt == STEP)
        ISA(some)(ISA(EIGHT), kind, w, factors, a, at, STEP, f);
    else if (nt == 2)
        ISA(some)(ISA(EIGHT), kind, w, factors, a, at, 2, f);
    else
        ISA(some)(ISA(EIGHT), kind, w, factors, a, at, 1, f);
#else
    ISA(some)(kind == GNOSIS_Q6_K ? ISA(HALVED) : ISA(EIGHT), kind, w, factors, a, at, nt, f);
#endif
}

TARGET static void ISA(together)(const matrix *m, const activations *a, ptrdiff_t group, float *out, ptrdiff_t stride)
{
    const int kind = m->kind, small = engine_is_small(kind), per = engine_per(kind), header = engine_header(kind), codes = engine_codes(kind);
    const int record = engine_record(kind);
    const uint8_t *p = m->at + group * (ptrdiff_t)m->group_bytes;
    const ptrdiff_t tokens = a->tokens;
    float f[TOKENS * GROUP];
    vw w[16];

    memset(f, 0, (size_t)tokens * GROUP * sizeof *f);
    for (ptrdiff_t b = 0; b < m->blocks; b += per) {
        const uint8_t *head = p;
        p += header;
        for (ptrdiff_t i = b; i < b + per; i++, p += record) {
            const ptrdiff_t at = i * tokens;
            ptrdiff_t t = 0;
            vf factors[2];
            ISA(fetch)(p, 256 + 2 * GROUP);
            if (small)
                for (int u = 0; u < 4; u++) {
                    vw x = ISA(words)(p + 64 * u);
                    w[4 * u] = ISA(nibble)(x, 0), w[4 * u + 1] = ISA(nibble)(x, 1), w[4 * u + 2] = ISA(nibble)(x, 2), w[4 * u + 3] = ISA(nibble)(x, 3);
                }
            else
                for (int k = 0; k < 16; k++)
                    w[k] = ISA(widened)(p + 32 * k);
            ISA(factors)(kind, head, p + codes, &factors[0], &factors[1]);
            for (; t + STEP <= tokens; t += STEP)
                ISA(few)(kind, w, factors, a, at + t, STEP, f + GROUP * t);
            for (; t < tokens; t += 2)
                ISA(few)(kind, w, factors, a, at + t, tokens - t < 2 ? 1 : 2, f + GROUP * t);
        }
    }
    for (ptrdiff_t t = 0; t < tokens; t++)
        memcpy(out + t * stride, f + GROUP * t, GROUP * sizeof *f);
}

/* ---- floating-point weights ---- */

OP vf ISA(weights)(int kind, const uint8_t *p)
{
    return kind == GNOSIS_F16 ? ISA(halves)(p) : kind == GNOSIS_BF16 ? ISA(bfloats)(p) : ISA(load)((const float *)p);
}

/* One token, ng groups at once: each has its own sum. */
OP void ISA(float_alone)(const int kind, const matrix *m, const activations *a, ptrdiff_t group, const int ng, float *out)
{
    const int bytes = engine_codes(kind) / BLOCK;
    const uint8_t *p = m->at + group * (ptrdiff_t)m->group_bytes;
    vf f[4];

    for (int g = 0; g < ng; g++)
        f[g] = ISA(all)(0);
    for (ptrdiff_t k = 0; k < m->blocks * BLOCK; k += 2, p += 2 * bytes)
        for (int g = 0; g < ng; g++) {
            const uint8_t *q = p + g * (ptrdiff_t)m->group_bytes;
            ISA(fetch)(q, 2 * bytes);
            f[g] = ISA(fma)(ISA(weights)(kind, q), ISA(all)(a->real[k]), f[g]);
            f[g] = ISA(fma)(ISA(weights)(kind, q + bytes), ISA(all)(a->real[k + 1]), f[g]);
        }
    for (int g = 0; g < ng; g++)
        ISA(store)(out + GROUP * g, f[g]);
}

OP void ISA(float_some)(const float *w, const float *x, const int nt, float *f)
{
    vf s[STEP];
    for (int t = 0; t < nt; t++)
        s[t] = ISA(load)(f + GROUP * t);
    for (int k = 0; k < BLOCK; k++) {
        vf y = ISA(load)(w + GROUP * k);
        for (int t = 0; t < nt; t++)
            s[t] = ISA(fma)(y, ISA(all)(x[t * BLOCK + k]), s[t]);
    }
    for (int t = 0; t < nt; t++)
        ISA(store)(f + GROUP * t, s[t]);
}

TARGET static void ISA(float_together)(const matrix *m, const activations *a, ptrdiff_t group, float *out, ptrdiff_t stride)
{
    const int bytes = engine_codes(m->kind) / BLOCK;
    const uint8_t *p = m->at + group * (ptrdiff_t)m->group_bytes;
    float f[TOKENS * GROUP], w[BLOCK * GROUP];

    memset(f, 0, (size_t)a->tokens * GROUP * sizeof *f);
    for (ptrdiff_t b = 0; b < m->blocks; b++, p += BLOCK * bytes) {
        const float *x = a->real + b * a->tokens * BLOCK;
        ptrdiff_t t = 0;
        for (int k = 0; k < BLOCK; k++) {
            ISA(fetch)(p + bytes * k, bytes);
            ISA(store)(w + GROUP * k, ISA(weights)(m->kind, p + bytes * k));
        }
        for (; t + STEP <= a->tokens; t += STEP)
            ISA(float_some)(w, x + t * BLOCK, STEP, f + GROUP * t);
        for (; t < a->tokens; t++)
            ISA(float_some)(w, x + t * BLOCK, 1, f + GROUP * t);
    }
    for (ptrdiff_t t = 0; t < a->tokens; t++)
        memcpy(out + t * stride, f + GROUP * t, GROUP * sizeof *f);
}

OP void ISA(floats_alone)(const int kind, const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out)
{
    for (; from + 4 <= to; from += 4)
        ISA(float_alone)(kind, m, a, from, 4, out + GROUP * from);
    for (; from < to; from++)
        ISA(float_alone)(kind, m, a, from, 1, out + GROUP * from);
}

TARGET static void ISA(product)(const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out, ptrdiff_t stride)
{
    if (a->tokens > 1)
        for (ptrdiff_t g = from; g < to; g++)
            (engine_is_real(m->kind) ? ISA(float_together) : ISA(together))(m, a, g, out + GROUP * g, stride);
    else if (m->kind == GNOSIS_F16)
        ISA(floats_alone)(GNOSIS_F16, m, a, from, to, out);
    else if (m->kind == GNOSIS_BF16)
        ISA(floats_alone)(GNOSIS_BF16, m, a, from, to, out);
    else if (m->kind == GNOSIS_F32)
        ISA(floats_alone)(GNOSIS_F32, m, a, from, to, out);
    else if (engine_is_small(m->kind))
        ISA(alone)(ISA(FOUR), m, a, from, to, out);
    else if (m->kind == GNOSIS_Q6_K)
        ISA(alone)(ISA(HALVED), m, a, from, to, out);
    else
        ISA(alone)(ISA(EIGHT), m, a, from, to, out);
}

/* ---- activations ---- */

/* 16 bits: the unit is the power of two with which the largest of a block needs all of them; 8 bits: the 127th part of the largest.
 * A block with something that is not a finite number becomes NaN as a whole, and so does every product with it. */
TARGET static void ISA(take)(const activations *a, ptrdiff_t t, const float *x, ptrdiff_t blocks, int bits, int want)
{
    for (ptrdiff_t b = 0; b < blocks; b++, x += BLOCK) {
        const ptrdiff_t at = b * a->tokens + t;
        if (want & WANT_REAL)
            memcpy(a->real + at * BLOCK, x, BLOCK * sizeof *x);
        if (!(want & WANT_WHOLE))
            continue;
        vf x0 = ISA(load)(x), x1 = ISA(load)(x + 16);
        int32_t l[32], most = 0;
        ISA(keep)(l, ISA(as_words)(ISA(bits)(x0)));
        ISA(keep)(l + 16, ISA(as_words)(ISA(bits)(x1)));
        for (int i = 0; i < 32; i++) {
            int32_t size = l[i] & INT32_MAX;
            most = size > most ? size : most;
        }
        float unit, per, largest;
        if (most >= 0x7f800000) {
            x0 = x1 = ISA(all)(0), per = 0, unit = __builtin_nanf("");
        } else if (bits == 16) {
            int32_t e = most >> 23; /* the largest lies below 2^(e - 126) */
            e = e < 41 ? 41 : e;    /* smaller ones lose bits: a unit is at least 2^-100 */
            unit = engine_power(e - 126 - 15), per = engine_power(15 + 126 - e);
        } else {
            memcpy(&largest, &most, sizeof largest);
            unit = largest / 127.0f, per = largest >= 0x1p-100f ? 127.0f / largest : 0.0f;
        }
        vw n = ISA(rounded)(ISA(mul)(x0, ISA(all)(per)), ISA(mul)(x1, ISA(all)(per)));
        const int32_t sum = ISA(total_whole)(ISA(dot)(ISA(every)(0), n, 0x00010001));
        ISA(keep)(a->whole + at * BLOCK, n);
        a->unit[at] = unit, a->sum[at] = sum, a->sums[at] = (float)sum * unit;
    }
}

/* ---- between the products ---- */

TARGET static void ISA(norm)(const float *x, const float *weight, float eps, float *out, ptrdiff_t n, ptrdiff_t columns)
{
    vf sum = ISA(all)(0);
    for (ptrdiff_t k = 0; k < n; k += 16)
        sum = ISA(fma)(ISA(load)(x + k), ISA(load)(x + k), sum);
    const vf scale = ISA(all)(1.0f / __builtin_sqrtf(ISA(total)(sum) / (float)columns + eps));
    for (ptrdiff_t k = 0; k < n; k += 16)
        ISA(store)(out + k, ISA(mul)(ISA(mul)(ISA(load)(x + k), scale), ISA(load)(weight + k)));
}

TARGET static void ISA(add_rows)(float *x, const float *y, ptrdiff_t n)
{
    for (ptrdiff_t k = 0; k < n; k += 16)
        ISA(store)(x + k, ISA(add)(ISA(load)(x + k), ISA(load)(y + k)));
}

TARGET static void ISA(rope)(float *x, const float *cos, const float *sin, ptrdiff_t heads, ptrdiff_t width, int halves)
{
    const ptrdiff_t half = width / 2, step = halves ? 1 : 2, away = halves ? half : 1;
    for (ptrdiff_t h = 0; h < heads; h++, x += width)
        for (ptrdiff_t i = 0; i < half; i++) {
            float *p = x + step * i, a = p[0], b = p[away];
            p[0] = a * cos[i] - b * sin[i];
            p[away] = a * sin[i] + b * cos[i];
        }
}

/* exp of numbers that are at most 0, as in transformer.c but fused: n = the whole number nearest to x log2 e, r = x - n ln 2 in two parts, a
 * polynomial of degree 7; below -87 the result is 0.  NaN stays NaN. */
OP vf ISA(exp)(vf x)
{
    const vf shift = ISA(all)(0x1.8p23f), zero = ISA(all)(0);
    const uint32_t gone = ISA(below)(x, ISA(all)(-87.0f));
    x = ISA(choose)(gone, zero, x);
    vf t = ISA(fma)(x, ISA(all)(0x1.715476p+0f), shift), n = ISA(sub)(t, shift);
    vf r = ISA(fma)(n, ISA(all)(-0x1.62e4p-1f), x);
    r = ISA(fma)(n, ISA(all)(-0x1.7f7d1cp-20f), r);
    vf p = ISA(fma)(ISA(all)(0x1.a01a02p-13f), r, ISA(all)(0x1.6c16c2p-10f));
    p = ISA(fma)(p, r, ISA(all)(0x1.111112p-7f));
    p = ISA(fma)(p, r, ISA(all)(0x1.555556p-5f));
    p = ISA(fma)(p, r, ISA(all)(0x1.555556p-3f));
    p = ISA(fma)(p, r, ISA(all)(0.5f));
    p = ISA(fma)(p, r, ISA(all)(1.0f));
    p = ISA(fma)(p, r, ISA(all)(1.0f));
    /* the last bits of t are those of n: n + 127 becomes the exponent */
    vf up = ISA(floats)(ISA(raised)(ISA(plus)(ISA(bits)(t), ISA(every)(127 - 0x4b400000))));
    return ISA(choose)(gone, zero, ISA(mul)(p, up));
}

/* g sigmoid(y) for y = g, or 2 sqrt(2 / pi) (g + 0.044715 g^3), which makes it gelu by tanh; times up. */
TARGET static void ISA(gate)(float *gate, const float *up, ptrdiff_t n, int gelu)
{
    const vf one = ISA(all)(1.0f), zero = ISA(all)(0);
    for (ptrdiff_t k = 0; k < n; k += 16) {
        vf g = ISA(load)(gate + k), y = g;
        if (gelu)
            y = ISA(mul)(ISA(mul)(g, ISA(fma)(ISA(mul)(g, g), ISA(all)(0x1.6e4e26p-5f), one)), ISA(all)(0x1.988454p+0f));
        const uint32_t negative = ISA(below)(y, zero);
        vf e = ISA(exp)(ISA(choose)(negative, y, ISA(sub)(zero, y)));
        vf sigmoid = ISA(over)(ISA(choose)(negative, e, one), ISA(add)(one, e));
        ISA(store)(gate + k, ISA(mul)(ISA(mul)(g, sigmoid), ISA(load)(up + k)));
    }
}

OP void ISA(attend)(const float *q, const int heads, const float *keys, const float *values, float scale, ptrdiff_t first, ptrdiff_t n, ptrdiff_t width,
                    float *scores, float *out)
{
    const ptrdiff_t end = (n + 15) / 16 * 16, from = first / 16 * 16;
    float whole[HEADS];

    for (ptrdiff_t j = from; j < end; j += 16) {
        const float *k = keys + j * width;
        vf s[HEADS];
        for (int h = 0; h < heads; h++)
            s[h] = ISA(all)(0);
        for (ptrdiff_t i = 0; i < width; i++) {
            vf x = ISA(load)(k + 16 * i);
            for (int h = 0; h < heads; h++)
                s[h] = ISA(fma)(x, ISA(all)(q[h * width + i]), s[h]);
        }
        for (int h = 0; h < heads; h++)
            ISA(store)(scores + h * end + j, ISA(mul)(s[h], ISA(all)(scale)));
    }
    for (int h = 0; h < heads; h++) {
        float *s = scores + h * end;
        vf top = ISA(all)(-FLT_MAX), sum = ISA(all)(0);
        float l[16], most = -FLT_MAX;
        for (ptrdiff_t j = from; j < first; j++)
            s[j] = -FLT_MAX;
        for (ptrdiff_t j = n; j < end; j++)
            s[j] = -FLT_MAX; /* exp gives 0 */
        for (ptrdiff_t j = from; j < end; j += 16)
            top = ISA(most)(ISA(load)(s + j), top);
        ISA(store)(l, top);
        for (int i = 0; i < 16; i++)
            most = l[i] > most ? l[i] : most;
        for (ptrdiff_t j = from; j < end; j += 16) {
            vf p = ISA(exp)(ISA(sub)(ISA(load)(s + j), ISA(all)(most)));
            ISA(store)(s + j, p);
            sum = ISA(add)(sum, p);
        }
        whole[h] = ISA(total)(sum);
    }
    for (ptrdiff_t i = 0; i < width; i += 16) {
        vf s[HEADS];
        for (int h = 0; h < heads; h++)
            s[h] = ISA(all)(0);
        for (ptrdiff_t j = first; j < n; j++) {
            vf v = ISA(load)(values + j * width + i);
            for (int h = 0; h < heads; h++)
                s[h] = ISA(fma)(v, ISA(all)(scores[h * end + j]), s[h]);
        }
        for (int h = 0; h < heads; h++)
            ISA(store)(out + h * width + i, ISA(over)(s[h], ISA(all)(whole[h])));
    }
}

TARGET static void ISA(attention)(const float *q, ptrdiff_t heads, const float *keys, const float *values, float scale, ptrdiff_t first, ptrdiff_t n,
                                  ptrdiff_t width, float *scores, float *out)
{
    switch (heads) {
    case 1: ISA(attend)(q, 1, keys, values, scale, first, n, width, scores, out); return;
    case 2: ISA(attend)(q, 2, keys, values, scale, first, n, width, scores, out); return;
    case 3: ISA(attend)(q, 3, keys, values, scale, first, n, width, scores, out); return;
    default: ISA(attend)(q, 4, keys, values, scale, first, n, width, scores, out);
    }
}

/* ---- the head ---- */

TARGET static ptrdiff_t ISA(largest)(const float *x, ptrdiff_t n, float *lead)
{
    const ptrdiff_t whole = n / 16 * 16;
    vf top = ISA(all)(-INFINITY), second = top;
    float l[16], s[16], best = -INFINITY, next = -INFINITY;
    ptrdiff_t at = 0;

    for (ptrdiff_t k = 0; k < whole; k += 16) { /* the second of each lane: the smaller of what was the largest and what is new */
        vf v = ISA(load)(x + k);
        second = ISA(most)(second, ISA(choose)(ISA(below)(v, top), v, top));
        top = ISA(most)(v, top);
    }
    ISA(store)(l, top);
    ISA(store)(s, second);
    for (int i = 0; i < 16; i++)
        best = l[i] > best ? l[i] : best;
    for (ptrdiff_t k = whole; k < n; k++)
        best = x[k] > best ? x[k] : best;
    while (at < n && x[at] != best)
        at++;
    for (int i = 0; i < 16; i++) {
        float v = whole > at && i == at % 16 ? s[i] : l[i];
        next = v > next ? v : next;
    }
    for (ptrdiff_t k = whole; k < n; k++)
        next = k != at && x[k] > next ? x[k] : next;
    *lead = best - next;
    return at < n ? at : 0;
}

static const kernels ISA(table) = {ISA(product), ISA(take), ISA(norm), ISA(rope), ISA(attention), ISA(gate), ISA(add_rows), ISA(largest)};

#undef vf
#undef vi
#undef vw
#undef OP
#undef SET
#undef TARGET
#undef WIDTH
#undef VNNI
#undef CHAINS
#undef STEP
