/* The kernels between the products: norms, rotation, attention, the gate, the largest logit.  Included by engine_body.h. */

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
        for (ptrdiff_t j = from; j < first; j++)
            s[j] = -FLT_MAX;
        for (ptrdiff_t j = n; j < end; j++)
            s[j] = -FLT_MAX; /* exp gives 0 */
        for (ptrdiff_t j = from; j < end; j += 16)
            top = ISA(most)(ISA(load)(s + j), top);
        const float most = ISA(highest)(top);
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
