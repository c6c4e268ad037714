/* Included by blocks.c once for each instruction set; see there. */

#define vi ISA(vi)
#define vf ISA(vf)
#define vd ISA(vd)
#define N (PIECE / L) /* vectors of a piece */

/* Of piece j of a block; j is 0 but for blocks of 256. */
TARGET GNOSIS_INLINE factors ISA(factors)(int kind, const uint8_t *block, int j)
{
    factors f = {{0.0f, 0.0f}, 0.0f};

    if (kind == GNOSIS_Q6_K) {
        const int8_t *scale = (const int8_t *)(block + 192 + 2 * j);
        float d = ISA(half)(block + 208);
        f.scale[0] = d * (float)scale[0];
        f.scale[1] = d * (float)scale[1];
    } else if (is_super(kind)) { /* scale and minimum: 6 bits each, packed into 12 bytes */
        const uint8_t *s = block + 4;
        int scale = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        int least = j < 4 ? s[j + 4] & 63 : (s[j + 4] >> 4) | (s[j] >> 6) << 4;
        f.scale[0] = f.scale[1] = ISA(half)(block) * (float)scale;
        f.offset = -(ISA(half)(block + 2) * (float)least);
    } else {
        f.scale[0] = f.scale[1] = ISA(half)(block);
        if (has_offset(kind))
            f.offset = ISA(half)(block + 2);
    }
    return f;
}

/* The codes of piece j. */
TARGET GNOSIS_INLINE void ISA(codes)(int kind, const uint8_t *block, int j, vi *q)
{
    const uint8_t *low = block + (kind == GNOSIS_Q4_0 ? 2 : kind == GNOSIS_Q4_1 ? 4 : kind == GNOSIS_Q5_0 ? 6 : 8);
    const uint8_t *high = block + (kind == GNOSIS_Q5_0 ? 2 : 4);
    uint32_t fifth = high[0] | (uint32_t)high[1] << 8 | (uint32_t)high[2] << 16 | (uint32_t)high[3] << 24;
    vi bit = {0};

    for (int i = 0; i < N; i++) {
        const int k = i * L;
        switch (kind) {
        case GNOSIS_Q8_0:
            q[i] = ISA(signed8)(block + 2 + k);
            break;
        case GNOSIS_Q4_K:
            q[i] = ISA(widen8)(block + 16 + j / 2 * PIECE + k) >> 4 * (j % 2) & 15;
            break;
        case GNOSIS_Q5_K:
            q[i] = (ISA(widen8)(block + 48 + j / 2 * PIECE + k) >> 4 * (j % 2) & 15) | (ISA(widen8)(block + 16 + k) >> j & 1) << 4;
            break;
        case GNOSIS_Q6_K:
            q[i] = (ISA(widen8)(block + 64 * (j / 4) + PIECE * (j % 2) + k) >> 4 * (j % 4 / 2) & 15);
            q[i] = (q[i] | (ISA(widen8)(block + 128 + PIECE * (j / 4) + k) >> 2 * (j % 4) & 3) << 4) - 32;
            break;
        default: /* 16 bytes: their low halves, then their high halves */
            q[i] = k < 16 ? ISA(widen8)(low + k) & 15 : ISA(widen8)(low + k - 16) >> 4;
            if (kind == GNOSIS_Q5_0 || kind == GNOSIS_Q5_1) { /* bit k of four bytes is bit 4 of code k */
                for (int l = 0; l < L; l++)
                    bit[l] = (int32_t)((uint32_t)1 << (k + l));
                q[i] |= ((bit & (int32_t)fifth) != 0) & 16;
            }
            q[i] -= kind == GNOSIS_Q4_0 ? 8 : kind == GNOSIS_Q5_0 ? 16 : 0;
        }
    }
}

/* F16, BF16, F32. */
TARGET GNOSIS_INLINE void ISA(floats)(int kind, const uint8_t *block, vf *x)
{
    for (int i = 0; i < N; i++) {
        if (kind == GNOSIS_F32)
            memcpy(&x[i], block + 4 * i * L, sizeof x[i]);
        else
            x[i] = kind == GNOSIS_F16 ? ISA(halves)(block + 2 * i * L) : (vf)(ISA(widen16)(block + 2 * i * L) << 16);
    }
}

/* The weights of piece j as they are served, rounded once to float32 where an offset is added. */
TARGET GNOSIS_INLINE factors ISA(served)(int kind, const uint8_t *block, int j, vf *x)
{
    factors f = {{0.0f, 0.0f}, 0.0f};
    vi q[N];

    if (is_float(kind)) {
        ISA(floats)(kind, block, x);
        return f;
    }
    f = ISA(factors)(kind, block, j);
    ISA(codes)(kind, block, j, q);
    for (int i = 0; i < N; i++) {
        x[i] = f.scale[i * L / 16] * __builtin_convertvector(q[i], vf);
        if (has_offset(kind)) /* else a zero would lose its sign */
            x[i] += f.offset;
    }
    return f;
}

/* The weights of piece j; 0 when one is not finite. */
TARGET GNOSIS_INLINE int ISA(decode)(int kind, const uint8_t *block, int j, vf *x)
{
    factors f = ISA(served)(kind, block, j, x);

    if (is_float(kind)) {
        vi bad = {0};
        for (int i = 0; i < N; i++)
            bad |= ~((x[i] <= FLT_MAX) & (x[i] >= -FLT_MAX));
        int any = 0;
        for (int l = 0; l < L; l++)
            any |= bad[l];
        return !any;
    }
    return usable(f);
}

TARGET GNOSIS_INLINE ptrdiff_t ISA(dequantize_kind)(int kind, const uint8_t *blocks, float *out, ptrdiff_t n)
{
    const int pieces = weights_of(kind) / PIECE;

    for (ptrdiff_t b = 0; b < n; b++)
        for (int j = 0; j < pieces; j++) {
            vf x[N];
            if (!ISA(decode)(kind, blocks + b * bytes_of(kind), j, x))
                return b;
            memcpy(out + (b * pieces + j) * PIECE, x, sizeof x);
        }
    return -1;
}

/* Squares of the residuals of piece j in eight lanes: (0 + 16) + (8 + 24), … */
TARGET GNOSIS_INLINE float8 ISA(lanes)(int kind, const uint8_t *block, int j, const float *w)
{
    vi q[N];
    vf x[N], r;
    float8 out;
    factors f = {{0.0f, 0.0f}, 0.0f};

    if (is_float(kind)) {
        ISA(floats)(kind, block, x);
    } else {
        f = ISA(factors)(kind, block, j);
        ISA(codes)(kind, block, j, q);
    }
    for (int i = 0; i < N; i++) {
        memcpy(&r, w + i * L, sizeof r);
        if (is_float(kind))
            r -= x[i];
        else if (has_offset(kind)) /* the served weight first: it is rounded by itself */
            r -= ISA(minus)(f.offset - (vf){0}, -f.scale[i * L / 16], __builtin_convertvector(q[i], vf));
        else
            r = ISA(minus)(r, f.scale[i * L / 16], __builtin_convertvector(q[i], vf));
        x[i] = r * r;
    }
    for (int i = 0; i < N / 2; i++)
        x[i] += x[i + N / 2];
#if L == 16
    float8 half[2];
    memcpy(half, x, sizeof half);
    out = half[0] + half[1];
#else
    for (int i = 0; i < N / 4; i++)
        x[i] += x[i + N / 4];
    memcpy(&out, x, sizeof out);
#endif
    return out;
}

TARGET GNOSIS_INLINE double8 ISA(double_lanes)(int kind, const uint8_t *block, int j, const float *w)
{
    vf narrow[N];
    vd x[2 * N];
    double8 out;

    ISA(served)(kind, block, j, narrow);
    for (int i = 0; i < 2 * N; i++) {
        x[i] = ISA(stretch)(w + i * (L / 2)) - ISA(stretch)((const float *)narrow + i * (L / 2));
        x[i] *= x[i];
    }
    for (int i = 0; i < N; i++)
        x[i] += x[i + N];
    for (int i = 0; i < N / 2; i++)
        x[i] += x[i + N / 2];
    memcpy(&out, x, sizeof out);
    return out;
}

/* The bound of one block, 0 when something in it is not finite.  Not certified, it is the float32 sum alone. */
TARGET GNOSIS_INLINE int ISA(bound_one)(int kind, const uint8_t *block, const float *w, double *out, int certified)
{
    const int pieces = weights_of(kind) / PIECE;

    float8 narrow[PIECES];
    for (int j = 0; j < pieces; j++)
        narrow[j] = ISA(lanes)(kind, block, j, w + j * PIECE);
    float8 lanes = pieces > 1 ? PAIRS(narrow) : narrow[0];
    float sum = PAIRS(lanes);
    if (!certified || (sum >= LEAST && sum <= MOST)) {
        *out = certified ? (double)sum * OUTWARD_FLOAT : sum;
        return 1;
    }
    double8 p[PIECES];
    for (int j = 0; j < pieces; j++)
        p[j] = ISA(double_lanes)(kind, block, j, w + j * PIECE);
    double8 all = pieces > 1 ? PAIRS(p) : p[0];
    double s = PAIRS(all);
    *out = s * OUTWARD_DOUBLE;
    return s <= DBL_MAX;
}

/* The bounds of eight blocks of 32, 0 when one of them has to be looked at alone. */
TARGET GNOSIS_INLINE int ISA(bound_eight)(int kind, const uint8_t *blocks, const float *w, double *out, int certified)
{
    float8 p[PIECES];
    for (int b = 0; b < PIECES; b++)
        p[b] = ISA(lanes)(kind, blocks + b * bytes_of(kind), 0, w + b * PIECE);
    float8 s = EIGHT_SUMS(p);
    double8 wide = __builtin_convertvector(s, double8);
    if (certified)
        wide *= OUTWARD_FLOAT;
    memcpy(out, &wide, sizeof wide);
    return !certified || ISA(all)((s >= LEAST) & (s <= MOST));
}

TARGET GNOSIS_INLINE ptrdiff_t ISA(residual_kind)(int kind, const uint8_t *blocks, const float *w, double *out, ptrdiff_t n, int certified)
{
    const int together = is_super(kind) ? 1 : PIECES;

    for (ptrdiff_t b = 0; b < n; b += together) {
        const uint8_t *block = blocks + b * bytes_of(kind);
        const float *from = w + b * weights_of(kind);
        ptrdiff_t end = n - b < together ? n : b + together;

        prefetch(from, PIECES * PIECE * (int)sizeof(float));
        prefetch(block, together * bytes_of(kind));
        if (together > 1 && end - b == together && ISA(bound_eight)(kind, block, from, out + b, certified))
            continue;
        for (ptrdiff_t i = b; i < end; i++)
            if (!ISA(bound_one)(kind, blocks + i * bytes_of(kind), w + i * weights_of(kind), out + i, certified))
                return i;
    }
    return -1;
}

/* A loop of its own for every kind. */
#define EACH_KIND(call)                          \
    switch (kind) {                              \
    case GNOSIS_Q8_0: return call(GNOSIS_Q8_0);  \
    case GNOSIS_Q5_0: return call(GNOSIS_Q5_0);  \
    case GNOSIS_Q5_1: return call(GNOSIS_Q5_1);  \
    case GNOSIS_Q4_0: return call(GNOSIS_Q4_0);  \
    case GNOSIS_Q4_1: return call(GNOSIS_Q4_1);  \
    case GNOSIS_Q4_K: return call(GNOSIS_Q4_K);  \
    case GNOSIS_Q5_K: return call(GNOSIS_Q5_K);  \
    case GNOSIS_Q6_K: return call(GNOSIS_Q6_K);  \
    case GNOSIS_F16: return call(GNOSIS_F16);    \
    case GNOSIS_BF16: return call(GNOSIS_BF16);  \
    default: return call(GNOSIS_F32);            \
    }
#define DEQUANTIZE(k) ISA(dequantize_kind)(k, blocks, out, n)
#define RESIDUAL(k) ISA(residual_kind)(k, blocks, w, out, n, 1)

TARGET static ptrdiff_t ISA(dequantize)(int kind, const uint8_t *blocks, float *out, ptrdiff_t n) { EACH_KIND(DEQUANTIZE) }
TARGET static ptrdiff_t ISA(residual)(int kind, const uint8_t *blocks, const float *w, double *out, ptrdiff_t n) { EACH_KIND(RESIDUAL) }
TARGET static ptrdiff_t ISA(nearest)(const uint8_t *blocks, const float *w, double *out, ptrdiff_t n)
{
    return ISA(residual_kind)(GNOSIS_Q8_0, blocks, w, out, n, 0);
}

#undef EACH_KIND
#undef DEQUANTIZE
#undef RESIDUAL
#undef vi
#undef vf
#undef vd
#undef N
#undef L
#undef TARGET
#undef ISA
