/* The kernels of one instruction set.  Included by engine_kernels.c after engine_simd_body.h.
 *
 * Whole numbers.  A code is at most 128 in size, a whole activation at most 2^15, so a block of 32 columns has |sum| <= 32 * 128 * 2^15 = 2^27
 * however it is cut (dot_no_overflow in Gnosis/EnergyMarginBridgeAdmissibility.lean, with M = 128 and K = 2^15): 32 bits hold every partial
 * sum, whatever its order.  The sum over blocks is in float32, in the order of the columns:
 *   f = fma(float(sum of codes), scale * unit, f), then, where there is a minimum, f = fma(minimum, sums, f).
 * F16, BF16, F32: f = fma(weight, activation, f), column after column. */

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
#if WIDTH == 256
    if (nt == 4) {
        ISA(four)(w + from, n + 2 * from, to - from, sum);
        return;
    }
#endif
    for (int t = 0; t < nt; t++)
        sum[t] = ISA(every)(0);
#pragma GCC unroll 2
    for (int i = from; i < to; i++)
        for (int t = 0; t < nt; t++)
            sum[t] = ISA(dot)(sum[t], w[i], ISA(pair)(n + t * BLOCK + 2 * i));
}

OP void ISA(some)(const int body, int kind, const vw *w, const vf *factors, const activations *a, ptrdiff_t at, const int nt, float *f)
{
    vi low[STEP], high[STEP];

    ISA(tile)(w, a->whole + at * BLOCK, nt, 0, body == ISA(HALVED) ? 8 : 16, low);
    if (body == ISA(HALVED))
        ISA(tile)(w, a->whole + at * BLOCK, nt, 8, 16, high);
    else
        for (int t = 0; t < nt; t++)
            high[t] = low[t]; /* not used */
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

/* A record of any kind as words; nibbles that are raised by a zero are lowered. */
OP void ISA(unpack)(int kind, const uint8_t *p, vw *w)
{
    const int zero = engine_zero(kind);
    if (!engine_is_small(kind)) {
        for (int k = 0; k < 16; k++)
            w[k] = ISA(widened)(p + 32 * k);
        return;
    }
    for (int u = 0; u < 4; u++) {
        vw x = ISA(words)(p + 64 * u);
        w[4 * u] = ISA(nibble)(x, 0), w[4 * u + 1] = ISA(nibble)(x, 1), w[4 * u + 2] = ISA(nibble)(x, 2), w[4 * u + 3] = ISA(nibble)(x, 3);
    }
    if (zero)
        for (int k = 0; k < 16; k++)
            w[k] = ISA(lowered)(w[k], zero);
}

/* ng groups, so that the activations of a block are still near when the second one needs them. */
TARGET static void ISA(together)(const matrix *m, const activations *a, ptrdiff_t group, int ng, float *out, ptrdiff_t stride)
{
    const int kind = m->kind, per = engine_per(kind), header = engine_header(kind), codes = engine_codes(kind), record = engine_record(kind);
    const uint8_t *p = m->at + group * (ptrdiff_t)m->group_bytes;
    const ptrdiff_t tokens = a->tokens;
    float f[PAIR][TOKENS * GROUP];
    vf factors[PAIR][2];
    vw w[PAIR][16];

    for (int g = 0; g < ng; g++)
        memset(f[g], 0, (size_t)tokens * GROUP * sizeof **f);
    for (ptrdiff_t b = 0; b < m->blocks; b += per) {
        const uint8_t *head = p;
        p += header;
        for (ptrdiff_t i = b; i < b + per; i++, p += record) {
            const ptrdiff_t at = i * tokens;
            ptrdiff_t t = 0;
            for (int g = 0; g < ng; g++) {
                const uint8_t *q = p + g * (ptrdiff_t)m->group_bytes;
                ISA(fetch)(q, 256 + 2 * GROUP);
                ISA(unpack)(kind, q, w[g]);
                ISA(factors)(kind, head + g * (ptrdiff_t)m->group_bytes, q + codes, &factors[g][0], &factors[g][1]);
            }
            for (; t + STEP <= tokens; t += STEP)
                for (int g = 0; g < ng; g++)
                    ISA(few)(kind, w[g], factors[g], a, at + t, STEP, f[g] + GROUP * t);
            for (; t < tokens; t += 2)
                for (int g = 0; g < ng; g++)
                    ISA(few)(kind, w[g], factors[g], a, at + t, tokens - t < 2 ? 1 : 2, f[g] + GROUP * t);
        }
    }
    for (int g = 0; g < ng; g++)
        for (ptrdiff_t t = 0; t < tokens; t++)
            memcpy(out + t * stride + GROUP * g, f[g] + GROUP * t, GROUP * sizeof **f);
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
    if (a->tokens > 1 && engine_is_real(m->kind))
        for (ptrdiff_t g = from; g < to; g++)
            ISA(float_together)(m, a, g, out + GROUP * g, stride);
    else if (a->tokens > 1)
        for (ptrdiff_t g = from; g < to; g += PAIR)
            ISA(together)(m, a, g, to - g < PAIR ? 1 : PAIR, out + GROUP * g, stride);
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
        const vf sizes = ISA(most)(ISA(size)(x0), ISA(size)(x1));
        const float largest = ISA(highest)(sizes);
        /* comparisons with NaN are false */
        const uint32_t finite = ISA(below)(ISA(size)(x0), ISA(all)(FLT_MAX)) & ISA(below)(ISA(size)(x1), ISA(all)(FLT_MAX));
        float unit, per;
        if (finite != 0xffff) {
            x0 = x1 = ISA(all)(0), per = 0, unit = __builtin_nanf("");
        } else if (bits == 16) {
            int32_t e;
            memcpy(&e, &largest, sizeof e);
            e >>= 23;               /* the largest lies below 2^(e - 126) */
            e = e < 41 ? 41 : e;    /* smaller ones lose bits: a unit is at least 2^-100 */
            unit = engine_power(e - 126 - 15), per = engine_power(15 + 126 - e);
        } else {
            unit = largest / 127.0f, per = largest >= 0x1p-100f ? 127.0f / largest : 0.0f;
        }
        vw n = ISA(rounded)(ISA(mul)(x0, ISA(all)(per)), ISA(mul)(x1, ISA(all)(per)));
        const int32_t sum = ISA(total_whole)(ISA(dot)(ISA(every)(0), n, 0x00010001));
        ISA(keep)(a->whole + at * BLOCK, n);
        a->unit[at] = unit, a->sum[at] = sum, a->sums[at] = (float)sum * unit;
    }
}

#include "engine_steps_body.h"

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
