/* The kernels of one instruction set.  Included by engine_kernels.c after engine_simd_body.h.
 *
 * Whole numbers.  A code is at most 128 in size, a whole activation at most 2^15, so a block of 32 columns has |sum| <= 32 * 128 * 2^15 = 2^27
 * however it is cut (dot_no_overflow in Gnosis/EnergyMarginBridgeAdmissibility.lean, with M = 128 and K = 2^15): 32 bits hold every partial
 * sum, whatever its order; raised by 128, as nested codes are, it is 2^28.  The sum over blocks is in float32, in the order of the columns:
 *   f = fma(float(sum of codes), scale * unit, f), then, where there is a minimum, f = fma(minimum, sums, f).
 * F16, BF16, F32: f = fma(weight, activation, f), column after column. */

/* ---- whole codes ----
 *
 * What differs between kinds and decides about the loops is constant where a body is made: whether codes have four bits or two planes of four, and whether
 * the two halves of a record have scales of their own.  The rest, once a record, is asked at run time. */

enum { ISA(EIGHT), ISA(FOUR), ISA(WORDS), ISA(NESTED) };

OP void ISA(factors)(int kind, const uint8_t *header, const uint8_t *p, vf *scale, vf *minimum)
{
    if (kind == GNOSIS_Q6_K) { /* 8 + 11 bits: exact; the second half's are in `minimum` */
        *scale = ISA(mul)(ISA(real)(ISA(signed_bytes)(p)), ISA(halves)(header));
        *minimum = ISA(mul)(ISA(real)(ISA(signed_bytes)(p + GROUP)), ISA(halves)(header));
    } else if (engine_is_super(kind)) { /* 6 + 11 bits */
        *scale = ISA(mul)(ISA(real)(ISA(bytes)(p)), ISA(halves)(header));
        *minimum = ISA(mul)(ISA(real)(ISA(bytes)(p + GROUP)), ISA(halves)(header + 2 * GROUP));
    } else if (kind == ENGINE_COARSE) { /* exact: 8 + 11 bits */
        *scale = ISA(mul)(ISA(halves)(p), ISA(all)(16.0f));
        *minimum = ISA(mul)(ISA(halves)(p), ISA(all)(-120.5f));
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

OP int32_t ISA(four)(const int8_t *n)
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
OP vf ISA(after)(const int halved, int kind, vi low, vi high, vf scale, vf minimum, float unit, float sums, vf f)
{
    f = ISA(fma)(ISA(real)(low), ISA(mul)(scale, ISA(all)(unit)), f);
    if (halved)
        return ISA(fma)(ISA(real)(high), ISA(mul)(minimum, ISA(all)(unit)), f);
    return engine_has_minimum(kind) ? ISA(fma)(minimum, ISA(all)(sums), f) : f;
}

/* Pair j of part u of a record: codes as words.  x: the part of p, z: that of the lower plane, where codes have four bits. */
OP vw ISA(codes)(const int body, const uint8_t *p, const vw x, const vw z, int u, const int j)
{
    if (body == ISA(FOUR))
        return ISA(nibble)(x, j);
    if (body == ISA(NESTED))
        return ISA(nested)(x, z, j);
    return body == ISA(WORDS) ? ISA(words)(p + 64 * (4 * u + j)) : ISA(widened)(p + 32 * (4 * u + j));
}

/* One token: codes go from memory into the product.  Pairs of columns from .. to - 1 of a record; q: its lower plane. */
OP vi ISA(fused)(const int body, const uint8_t *p, const uint8_t *q, const int16_t *n, const int from, const int to, vi sum)
{
    vi s[CHAINS];
    s[0] = sum;
    for (int c = 1; c < CHAINS; c++)
        s[c] = ISA(every)(0);
    if (body == ISA(FOUR) || body == ISA(NESTED))
        for (int u = from / 4; u < to / 4; u++) {
            const vw x = ISA(words)(p + 64 * u), z = body == ISA(NESTED) ? ISA(words)(q + 64 * u) : x;
            s[0] = ISA(dot)(s[0], ISA(codes)(body, p, x, z, u, 0), ISA(pair)(n + 8 * u));
            s[1 % CHAINS] = ISA(dot)(s[1 % CHAINS], ISA(codes)(body, p, x, z, u, 1), ISA(pair)(n + 8 * u + 2));
            s[2 % CHAINS] = ISA(dot)(s[2 % CHAINS], ISA(codes)(body, p, x, z, u, 2), ISA(pair)(n + 8 * u + 4));
            s[3 % CHAINS] = ISA(dot)(s[3 % CHAINS], ISA(codes)(body, p, x, z, u, 3), ISA(pair)(n + 8 * u + 6));
        }
    else
        for (int i = from; i < to; i++)
            s[i % CHAINS] = ISA(dot)(s[i % CHAINS], ISA(widened)(p + 32 * i), ISA(pair)(n + 2 * i));
    for (int c = 1; c < CHAINS; c++)
        s[0] = ISA(plus)(s[0], s[c]);
    return s[0];
}

/* One token of 8 bits: bytes of codes times bytes.  Sums of 16 columns of a parity have |sum| <= 16 * 15 * 127 < 2^15. */
OP vi ISA(fused_bytes)(const uint8_t *p, const int8_t *n, vi sum)
{
    vw s = ISA(none)();
    for (int u = 0; u < 4; u++) {
        vw x = ISA(words)(p + 64 * u);
        s = ISA(dot_bytes)(s, ISA(low_nibbles)(x), ISA(four)(n + 8 * u));
        s = ISA(dot_bytes)(s, ISA(high_nibbles)(x), ISA(four)(n + 8 * u + 4));
    }
    return ISA(dot)(sum, s, 0x00010001);
}

OP void ISA(alone)(const int body, const int halved, const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out)
{
    const int kind = m->kind, codes = body == ISA(EIGHT) ? 512 : 256, zero = engine_zero(kind), per = engine_per(kind), header = engine_header(kind);
    const int record = codes + engine_factors(kind);

    for (ptrdiff_t g = from; g < to; g++) {
        const uint8_t *p = m->at + g * (ptrdiff_t)m->group_bytes, *q = body == ISA(NESTED) ? m->below + g * m->blocks * 256 : NULL;
        vf f = ISA(all)(0);
        for (ptrdiff_t b = 0; b < m->blocks; b += per) {
            const uint8_t *head = p;
            p += header;
            for (ptrdiff_t i = b; i < b + per; i++, p += record) {
                const int16_t *n = a->whole + i * BLOCK;
                vf scale, minimum;
                vi low = ISA(every)(-zero * a->sum[i]), high = ISA(every)(0);
                ISA(fetch)(p, codes + 2 * GROUP);
                if (body == ISA(FOUR) && a->bytes)
                    low = ISA(fused_bytes)(p, a->bytes + i * BLOCK, low);
                else
                    low = ISA(fused)(body, p, q, n, 0, halved ? 8 : 16, low);
                if (halved)
                    high = ISA(fused)(body, p, q, n, 8, 16, high);
                if (body == ISA(NESTED))
                    ISA(fetch)(q, 256), q += 256;
                ISA(factors)(kind, head, p + codes, &scale, &minimum);
                f = ISA(after)(halved, kind, low, high, scale, minimum, a->unit[i], a->sums[i], f);
            }
        }
        ISA(store)(out + GROUP * g, f);
    }
}

/* Several tokens: a record's codes become words on the way to the products, once for nt tokens, which needs the one port that the products leave
 * free.  Where there are many tokens they become words before.  Pairs from .. to - 1. */
OP void ISA(tile)(const int body, const uint8_t *p, const uint8_t *q, const int16_t *n, const int nt, const int from, const int to, vi *sum)
{
#pragma GCC unroll 4
    for (int u = from / 4; u < to / 4; u++) {
        const vw x = ISA(words)(p + 64 * u), z = body == ISA(NESTED) ? ISA(words)(q + 64 * u) : x;
        if (body != ISA(WORDS))
            ISA(fetch)(p + (body == ISA(EIGHT) ? 128 : 64) * u, body == ISA(EIGHT) ? 128 : 64);
        if (body == ISA(NESTED))
            ISA(fetch)(q + 64 * u, 64);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            vw w = ISA(codes)(body, p, x, z, u, j);
            HOLD(w); /* once for all tokens */
#pragma GCC unroll 8
            for (int t = 0; t < nt; t++)
                sum[t] = ISA(dot)(sum[t], w, ISA(pair)(n + t * BLOCK + 8 * u + 2 * j));
#pragma GCC unroll 8
            for (int t = 0; t < nt; t++)
                HOLD(sum[t]); /* each in its register */
        }
    }
}

OP void ISA(some)(const int body, const int halved, int kind, const uint8_t *p, const uint8_t *q, const vf *factors, const activations *a, ptrdiff_t at,
                  const int nt, float *f)
{
    const int zero = engine_zero(kind);
    vi low[STEP], high[STEP];

    ANEW(p); /* or what every step reads is read before the first and put aside */
#pragma GCC unroll 8
    for (int t = 0; t < nt; t++)
        low[t] = ISA(every)(-zero * a->sum[at + t]), high[t] = ISA(every)(0);
    ISA(tile)(body, p, q, a->whole + at * BLOCK, nt, 0, halved ? 8 : 16, low);
    if (halved)
        ISA(tile)(body, p, q, a->whole + at * BLOCK, nt, 8, 16, high);
#pragma GCC unroll 8
    for (int t = 0; t < nt; t++)
        ISA(store)(f + GROUP * t,
                   ISA(after)(halved, kind, low[t], high[t], factors[0], factors[1], a->unit[at + t], a->sums[at + t], ISA(load)(f + GROUP * t)));
}

/* All tokens of a block, in steps; a body for each size of a step. */
OP void ISA(stepped)(const int body, const int halved, int kind, const uint8_t *p, const uint8_t *q, const vf *factors, const activations *a, ptrdiff_t at, float *f)
{
    ptrdiff_t left = a->tokens;
#if WIDTH
    if (left >= MANY) {
        vw w[16];
        for (int i = 0; i < 16; i++) {
            const vw x = ISA(words)(p + 64 * (i / 4)), z = body == ISA(NESTED) ? ISA(words)(q + 64 * (i / 4)) : x;
            w[i] = ISA(codes)(body, p, x, z, i / 4, i % 4);
        }
        ISA(fetch)(p, body == ISA(EIGHT) ? 512 : 256);
        if (body == ISA(NESTED))
            ISA(fetch)(q, 256);
        for (; left >= STEP; left -= STEP, at += STEP, f += STEP * GROUP)
            ISA(some)(ISA(WORDS), halved, kind, (const uint8_t *)w, NULL, factors, a, at, STEP, f);
    }
    for (; left >= STEP; left -= STEP, at += STEP, f += STEP * GROUP)
        ISA(some)(body, halved, kind, p, q, factors, a, at, STEP, f);
#if STEP > 4
    if (left >= 4)
        ISA(some)(body, halved, kind, p, q, factors, a, at, 4, f), left -= 4, at += 4, f += 4 * GROUP;
#endif
    if (left == 3)
        ISA(some)(body, halved, kind, p, q, factors, a, at, 3, f);
    else if (left == 2)
        ISA(some)(body, halved, kind, p, q, factors, a, at, 2, f);
    else if (left == 1)
        ISA(some)(body, halved, kind, p, q, factors, a, at, 1, f);
#else
    for (; left > 0; left--, at++, f += GROUP)
        ISA(some)(body, halved, kind, p, q, factors, a, at, 1, f);
#endif
}

/* ng groups, so that the activations of a block are still near when the second one needs them. */
OP void ISA(together)(const int body, const int halved, const matrix *m, const activations *a, ptrdiff_t group, int ng, float *out, ptrdiff_t stride)
{
    const int kind = m->kind, codes = body == ISA(EIGHT) ? 512 : 256, per = engine_per(kind), header = engine_header(kind);
    const int record = codes + engine_factors(kind);
    const uint8_t *p = m->at + group * (ptrdiff_t)m->group_bytes;
    const ptrdiff_t tokens = a->tokens;
    float f[PAIR][TOKENS * GROUP];

    for (int g = 0; g < ng; g++)
        memset(f[g], 0, (size_t)tokens * GROUP * sizeof **f);
    for (ptrdiff_t b = 0; b < m->blocks; b += per) {
        const uint8_t *head = p;
        p += header;
        for (ptrdiff_t i = b; i < b + per; i++, p += record)
            for (int g = 0; g < ng; g++) {
                const ptrdiff_t away = g * (ptrdiff_t)m->group_bytes;
                vf factors[2];
                ISA(fetch)(p + away + codes, 2 * GROUP);
                ISA(factors)(kind, head + away, p + away + codes, &factors[0], &factors[1]);
                ISA(stepped)(body, halved, kind, p + away, body == ISA(NESTED) ? m->below + ((group + g) * m->blocks + i) * 256 : NULL, factors, a, i * tokens, f[g]);
            }
    }
    for (int g = 0; g < ng; g++)
        for (ptrdiff_t t = 0; t < tokens; t++)
            memcpy(out + t * stride + GROUP * g, f[g] + GROUP * t, GROUP * sizeof **f);
}

/* Whole codes of one kind, for one token and for several. */
OP void ISA(whole)(const int body, const int halved, const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out, ptrdiff_t stride)
{
    if (a->tokens == 1)
        ISA(alone)(body, halved, m, a, from, to, out);
    else
        for (ptrdiff_t g = from; g < to; g += PAIR)
            ISA(together)(body, halved, m, a, g, to - g < PAIR ? 1 : PAIR, out + GROUP * g, stride);
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

/* nt tokens and ng groups, whose sums are one chain each: enough of them to hide how long a sum takes.  32 columns. */
OP void ISA(float_some)(const int kind, const uint8_t *p, ptrdiff_t away, const float *x, const int ng, const int nt, float *f)
{
    const int bytes = engine_codes(kind) / BLOCK;
    vf s[PAIR][FLOAT_STEP];
    ANEW(p);
#pragma GCC unroll 2
    for (int g = 0; g < ng; g++)
#pragma GCC unroll 8
        for (int t = 0; t < nt; t++)
            s[g][t] = ISA(load)(f + GROUP * (TOKENS * g + t));
#pragma GCC unroll 1
    for (int k = 0; k < BLOCK; k++, p += bytes) {
        vf w[PAIR];
#pragma GCC unroll 2
        for (int g = 0; g < ng; g++) {
            ISA(fetch)(p + g * away, bytes);
            w[g] = ISA(weights)(kind, p + g * away);
            HOLD(w[g]); /* once for all tokens */
        }
#pragma GCC unroll 8
        for (int t = 0; t < nt; t++) {
            const vf y = ISA(all)(x[t * BLOCK + k]);
#pragma GCC unroll 2
            for (int g = 0; g < ng; g++)
                s[g][t] = ISA(fma)(w[g], y, s[g][t]);
        }
    }
#pragma GCC unroll 2
    for (int g = 0; g < ng; g++)
#pragma GCC unroll 8
        for (int t = 0; t < nt; t++)
            ISA(store)(f + GROUP * (TOKENS * g + t), s[g][t]);
}

/* One step of `size` tokens for ng groups, each group by itself where the tokens are sums enough. */
OP void ISA(float_step)(const int kind, const uint8_t *p, ptrdiff_t away, const float *x, int ng, const int size, float *f)
{
    if (ng == PAIR && size < (WIDTH == 256 ? 3 : 8))
        ISA(float_some)(kind, p, away, x, PAIR, size, f);
    else
        for (int g = 0; g < ng; g++)
            ISA(float_some)(kind, p + g * away, 0, x, 1, size, f + GROUP * TOKENS * g);
}

/* All tokens of 32 columns, in steps. */
OP void ISA(float_stepped)(const int kind, const uint8_t *p, ptrdiff_t away, const float *x, ptrdiff_t tokens, int ng, float *f)
{
    for (ptrdiff_t n; tokens > 0; tokens -= n, x += n * BLOCK, f += n * GROUP) {
        n = ISA(float_size)(tokens);
        switch (n) {
        case 1: ISA(float_step)(kind, p, away, x, ng, 1, f); break;
        case 2: ISA(float_step)(kind, p, away, x, ng, 2, f); break;
        case 3: ISA(float_step)(kind, p, away, x, ng, 3, f); break;
        case 4: ISA(float_step)(kind, p, away, x, ng, 4, f); break;
#if FLOAT_STEP > 4
        case 5: ISA(float_step)(kind, p, away, x, ng, 5, f); break;
        case 6: ISA(float_step)(kind, p, away, x, ng, 6, f); break;
#endif
#if FLOAT_STEP > 6
        case 7: ISA(float_step)(kind, p, away, x, ng, 7, f); break;
        default: ISA(float_step)(kind, p, away, x, ng, FLOAT_STEP, f);
#endif
        }
    }
}

TARGET static __attribute__((noinline)) void ISA(stepped_f16)(const uint8_t *p, ptrdiff_t away, const float *x, ptrdiff_t tokens, int ng, float *f)
{
    ISA(float_stepped)(GNOSIS_F16, p, away, x, tokens, ng, f);
}

TARGET static __attribute__((noinline)) void ISA(stepped_f32)(const uint8_t *p, ptrdiff_t away, const float *x, ptrdiff_t tokens, int ng, float *f)
{
    ISA(float_stepped)(GNOSIS_F32, p, away, x, tokens, ng, f);
}

/* F16 and F32 as they are; of BF16 the weights of 32 columns become float32 first. */
TARGET static void ISA(float_together)(const matrix *m, const activations *a, ptrdiff_t group, int ng, float *out, ptrdiff_t stride)
{
    const int record = engine_codes(m->kind), bytes = record / BLOCK;
    const ptrdiff_t away = (ptrdiff_t)m->group_bytes, tokens = a->tokens;
    const uint8_t *p = m->at + group * away;
    float f[PAIR][TOKENS * GROUP], w[PAIR][BLOCK * GROUP];

    for (int g = 0; g < ng; g++)
        memset(f[g], 0, (size_t)tokens * GROUP * sizeof **f);
    for (ptrdiff_t b = 0; b < m->blocks; b++, p += record) {
        const float *x = a->real + b * tokens * BLOCK;
        if (m->kind == GNOSIS_F16)
            ISA(stepped_f16)(p, away, x, tokens, ng, f[0]);
        else if (m->kind == GNOSIS_F32)
            ISA(stepped_f32)(p, away, x, tokens, ng, f[0]);
        if (m->kind != GNOSIS_BF16)
            continue;
        for (int g = 0; g < ng; g++)
            for (int k = 0; k < BLOCK; k++) {
                ISA(fetch)(p + g * away + bytes * k, bytes);
                ISA(store)(w[g] + GROUP * k, ISA(bfloats)(p + g * away + bytes * k));
            }
        ISA(stepped_f32)((const uint8_t *)w, sizeof *w, x, tokens, ng, f[0]);
    }
    for (int g = 0; g < ng; g++)
        for (ptrdiff_t t = 0; t < tokens; t++)
            memcpy(out + t * stride + GROUP * g, f[g] + GROUP * t, GROUP * sizeof **f);
}

OP void ISA(reals)(const int kind, const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out, ptrdiff_t stride)
{
    if (a->tokens > 1) {
        for (ptrdiff_t g = from; g < to; g += PAIR)
            ISA(float_together)(m, a, g, to - g < PAIR ? 1 : PAIR, out + GROUP * g, stride);
        return;
    }
    for (; from + 4 <= to; from += 4)
        ISA(float_alone)(kind, m, a, from, 4, out + GROUP * from);
    for (; from < to; from++)
        ISA(float_alone)(kind, m, a, from, 1, out + GROUP * from);
}

TARGET static void ISA(product)(const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out, ptrdiff_t stride)
{
    switch (m->kind) {
    case GNOSIS_F16: ISA(reals)(GNOSIS_F16, m, a, from, to, out, stride); return;
    case GNOSIS_BF16: ISA(reals)(GNOSIS_BF16, m, a, from, to, out, stride); return;
    case GNOSIS_F32: ISA(reals)(GNOSIS_F32, m, a, from, to, out, stride); return;
    case GNOSIS_Q4_0:
    case GNOSIS_Q4_1:
    case GNOSIS_Q4_K: ISA(whole)(ISA(FOUR), 0, m, a, from, to, out, stride); return;
    case GNOSIS_Q6_K: ISA(whole)(ISA(EIGHT), 1, m, a, from, to, out, stride); return;
    case ENGINE_NESTED:
        if (a->coarse) {
            matrix upper = *m;
            upper.kind = ENGINE_COARSE;
            ISA(whole)(ISA(FOUR), 0, &upper, a, from, to, out, stride);
        } else
            ISA(whole)(ISA(NESTED), 0, m, a, from, to, out, stride);
        return;
    default: ISA(whole)(ISA(EIGHT), 0, m, a, from, to, out, stride);
    }
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
        if (a->bytes) /* a word of codes has four columns of a parity: 0, 2, 4, 6, of which bytes take 0 and 4, then 2 and 6 */
            for (int i = 0; i < BLOCK; i += 8)
                for (int k = 0; k < 8; k++)
                    a->bytes[at * BLOCK + i + k] = (int8_t)a->whole[at * BLOCK + i + (k % 2 ? 4 : 0) + (k / 4 ? 2 : 0) + k / 2 % 2];
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
#undef FLOAT_STEP
#undef HOLD
#undef ANEW
