/* Included by transformer.c once for each instruction set; see there. */

TARGET GNOSIS_INLINE v16 ISA(load)(const float *p)
{
    v16 x;
    memcpy(&x, p, sizeof x);
    return x;
}

TARGET GNOSIS_INLINE v16 ISA(load_some)(const float *p, ptrdiff_t n)
{
    v16 x = {0};
    memcpy(&x, p, (n < HALF ? (n < 0 ? 0 : (size_t)n) : HALF) * sizeof(float));
    return x;
}

/* All 16 lanes, in a tree. */
TARGET GNOSIS_INLINE float ISA(sum)(v16 x)
{
    v8 a, b;
    v4 c, d;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, (const char *)&x + sizeof a, sizeof b);
    a += b;
    memcpy(&c, &a, sizeof c);
    memcpy(&d, (const char *)&a + sizeof c, sizeof d);
    c += d;
    return (c[0] + c[2]) + (c[1] + c[3]);
}

/* nr rows of w against nt tokens of x, both constant where it is called. */
TARGET GNOSIS_INLINE void ISA(tile)(const float *x, const float *w, float *out, int nt, int nr, ptrdiff_t columns, ptrdiff_t stride)
{
    v16 a[TOKENS][ROWS], b[TOKENS][ROWS];
    ptrdiff_t k = 0;

    for (int t = 0; t < nt; t++)
        for (int r = 0; r < nr; r++)
            a[t][r] = b[t][r] = (v16){0};
    for (; k + LANES <= columns; k += LANES)
        for (int t = 0; t < nt; t++) {
            v16 x0 = ISA(load)(x + t * columns + k), x1 = ISA(load)(x + t * columns + k + HALF);
            for (int r = 0; r < nr; r++) {
                a[t][r] += x0 * ISA(load)(w + r * columns + k);
                b[t][r] += x1 * ISA(load)(w + r * columns + k + HALF);
            }
        }
    if (k < columns)
        for (int t = 0; t < nt; t++)
            for (int r = 0; r < nr; r++) {
                a[t][r] += ISA(load_some)(x + t * columns + k, columns - k) * ISA(load_some)(w + r * columns + k, columns - k);
                b[t][r] += ISA(load_some)(x + t * columns + k + HALF, columns - k - HALF) * ISA(load_some)(w + r * columns + k + HALF, columns - k - HALF);
            }
    for (int t = 0; t < nt; t++)
        for (int r = 0; r < nr; r++)
            out[t * stride + r] = ISA(sum)(a[t][r] + b[t][r]);
}

TARGET static void ISA(linear)(const float *x, const float *w, float *out, ptrdiff_t tokens, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t stride)
{
    for (ptrdiff_t r = 0; r < rows; r += ROWS) {
        const float *at = w + r * columns;
        ptrdiff_t t = 0;
        if (rows - r >= ROWS) {
            for (; t + TOKENS <= tokens; t += TOKENS)
                ISA(tile)(x + t * columns, at, out + t * stride + r, TOKENS, ROWS, columns, stride);
            for (; t < tokens; t++)
                ISA(tile)(x + t * columns, at, out + t * stride + r, 1, ROWS, columns, stride);
        } else
            for (; t < tokens; t++)
                for (ptrdiff_t i = 0; r + i < rows; i++)
                    ISA(tile)(x + t * columns, at + i * columns, out + t * stride + r + i, 1, 1, columns, stride);
    }
}

TARGET GNOSIS_INLINE float ISA(dot)(const float *x, const float *y, ptrdiff_t n)
{
    float out;
    ISA(tile)(x, y, &out, 1, 1, n, 1);
    return out;
}

TARGET static void ISA(rms_norm)(const float *x, const float *weight, float eps, float *out, ptrdiff_t tokens, ptrdiff_t columns)
{
    for (ptrdiff_t t = 0; t < tokens; t++, x += columns, out += columns) {
        float scale = 1.0f / __builtin_sqrtf(ISA(dot)(x, x, columns) / (float)columns + eps);
        for (ptrdiff_t k = 0; k < columns; k++)
            out[k] = x[k] * scale * weight[k];
    }
}

TARGET static void ISA(rope)(float *x, const float *cos, const float *sin, ptrdiff_t tokens, ptrdiff_t heads, ptrdiff_t width)
{
    for (ptrdiff_t t = 0; t < tokens; t++, cos += width / 2, sin += width / 2)
        for (ptrdiff_t h = 0; h < heads; h++, x += width)
            for (ptrdiff_t i = 0; i < width / 2; i++) {
                float a = x[2 * i], b = x[2 * i + 1];
                x[2 * i] = a * cos[i] - b * sin[i];
                x[2 * i + 1] = a * sin[i] + b * cos[i];
            }
}

/* exp of numbers that are at most 0. */
TARGET GNOSIS_INLINE v16 ISA(exp)(v16 x)
{
    const v16 round = (v16){0} + 0x1.8p23f;
    i16 keep = ~(x <= -87.0f); /* NaN stays */
    x = (v16)((i16)x & keep);
    v16 n = x * 0x1.715476p+0f + round - round;
    v16 r = x - n * 0x1.62e4p-1f;
    r = r - n * 0x1.7f7d1cp-20f;
    v16 p = (v16){0} + 0x1.a01a02p-13f;
    p = p * r + 0x1.6c16c2p-10f;
    p = p * r + 0x1.111112p-7f;
    p = p * r + 0x1.555556p-5f;
    p = p * r + 0x1.555556p-3f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    i16 up = (__builtin_convertvector(n, i16) + 127) << 23;
    return (v16)((i16)(p * (v16)up) & keep);
}

TARGET static void ISA(attention)(const float *q, const float *k, const float *v, float scale, float *out, float *scores, ptrdiff_t tokens,
                                  ptrdiff_t total, ptrdiff_t heads, ptrdiff_t groups, ptrdiff_t width)
{
    const ptrdiff_t step = groups * width;

    for (ptrdiff_t t = 0; t < tokens; t++)
        for (ptrdiff_t h = 0; h < heads; h++, q += width, out += width) {
            const ptrdiff_t n = total - tokens + t + 1, group = h / (heads / groups) * width;
            float most = -FLT_MAX;
            v16 sum = {0};
            for (ptrdiff_t j = 0; j < n; j++) {
                scores[j] = ISA(dot)(q, k + j * step + group, width) * scale;
                most = scores[j] > most ? scores[j] : most;
            }
            for (ptrdiff_t j = n; j % HALF; j++)
                scores[j] = -FLT_MAX; /* exp gives 0 */
            for (ptrdiff_t j = 0; j < n; j += HALF) {
                v16 p = ISA(exp)(ISA(load)(scores + j) - most);
                memcpy(scores + j, &p, sizeof p);
                sum += p;
            }
            float whole = ISA(sum)(sum);
            for (ptrdiff_t i = 0; i < width; i += HALF) {
                v16 a = {0};
                for (ptrdiff_t j = 0; j < n; j++)
                    a += scores[j] * ISA(load)(v + j * step + group + i);
                a /= whole;
                memcpy(out + i, &a, sizeof a);
            }
        }
}

TARGET static void ISA(softmax)(const float *x, float *out, ptrdiff_t rows, ptrdiff_t n)
{
    for (ptrdiff_t r = 0; r < rows; r++, x += n, out += n) {
        float most = -FLT_MAX;
        v16 sum = {0};
        for (ptrdiff_t k = 0; k < n; k++)
            most = x[k] > most ? x[k] : most;
        for (ptrdiff_t k = 0; k < n; k += HALF) {
            v16 p = ISA(load_some)(x + k, n - k);
            for (ptrdiff_t i = n - k; i < HALF; i++)
                p[i] = -__builtin_inff(); /* exp gives 0 */
            p = ISA(exp)(p - most);
            sum += p;
            memcpy(out + k, &p, (n - k < HALF ? (size_t)(n - k) : HALF) * sizeof(float));
        }
        float whole = ISA(sum)(sum);
        for (ptrdiff_t k = 0; k < n; k++)
            out[k] /= whole;
    }
}

/* gelu by tanh is the same function of 2 sqrt(2 / pi) (g + 0.044715 g^3); constant where it is called. */
TARGET GNOSIS_INLINE void ISA(gated)(const float *gate, const float *up, float *out, ptrdiff_t n, int gelu)
{
    for (ptrdiff_t k = 0; k < n; k += HALF) {
        v16 g = ISA(load_some)(gate + k, n - k), u = ISA(load_some)(up + k, n - k);
        v16 s = gelu ? (g + 0.044715f * (g * g * g)) * 1.5957691216f : g;
        i16 negative = s < 0.0f;
        v16 e = ISA(exp)((v16)((i16)s | INT32_MIN)); /* exp(-|s|) */
        v16 top = (v16)(((i16)e & negative) | ((i16)((v16){0} + 1.0f) & ~negative));
        v16 y = g * (top / (1.0f + e)) * u;
        memcpy(out + k, &y, (n - k < HALF ? (size_t)(n - k) : HALF) * sizeof(float));
    }
}

TARGET static void ISA(swiglu)(const float *gate, const float *up, float *out, ptrdiff_t n)
{
    ISA(gated)(gate, up, out, n, 0);
}

TARGET static void ISA(geglu)(const float *gate, const float *up, float *out, ptrdiff_t n)
{
    ISA(gated)(gate, up, out, n, 1);
}

#undef SET
#undef TARGET
