/* Cubic, D8 and E8 decoding after Conway and Sloane, "Fast quantizing and decoding
 * algorithms for lattice quantizers and codes", IEEE Trans. Inf. Theory 28 (1982).
 *
 * E8 is D8 together with D8 + (1/2, ..., 1/2); D8 is the integer points with even sum.
 * In each of the two: round every coordinate; if the sum is odd, round the coordinate
 * with the largest error the other way.  Take the nearer of the two candidates.
 * Ties: halves round up, the first of several largest errors is the one that moves, the
 * integer candidate wins; so on inputs that float32 handles exactly the result is that
 * of the integer decoders in Gnosis.
 *
 * What holds always: the result is a point of the lattice.  What does not: at near ties
 * float32 may pick a point that is farther by a rounding error.  Nothing may rely on
 * "nearest"; gates use the residual recomputed from the point that came out.
 *
 * One body of plain C over sixteen rows at a time, compiled for each instruction set;
 * no fused operations, so every instruction set gives the same bits. */
#include "lattice.h"

enum { DIM = 8, ROWS = 16 };
enum lattice { CUBIC, D8, E8 };

/* 1.5 * 2^23: adding it to |t| <= 2^21 + 1/2 leaves a number whose unit is 1, so the
 * sum is t rounded to an integer, and the last bit of its encoding is that integer's parity. */
#define MAGIC 12582912.0f

/* Eight rows of eight to eight columns and back: rows of `in` are in_step floats apart,
 * rows of `out` out_step.  Generic vectors, which the compiler turns into the shuffles of
 * each instruction set. */
typedef float vec8 __attribute__((vector_size(32)));

#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ODD(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LEFT(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define RIGHT(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

GNOSIS_INLINE void transpose8(const float *in, int in_step, float *out, int out_step)
{
    vec8 r[8], p[8], q[8];

    for (int i = 0; i < 8; i++)
        memcpy(&r[i], in + i * in_step, sizeof r[i]);
    for (int i = 0; i < 8; i += 2) {
        p[i] = LOW(r[i], r[i + 1]);
        p[i + 1] = HIGH(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        q[i] = EVEN(p[i], p[i + 2]);
        q[i + 1] = ODD(p[i], p[i + 2]);
        q[i + 2] = EVEN(p[i + 1], p[i + 3]);
        q[i + 3] = ODD(p[i + 1], p[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = LEFT(q[i], q[i + 4]);
        r[i + 4] = RIGHT(q[i], q[i + 4]);
    }
    for (int i = 0; i < 8; i++)
        memcpy(out + i * out_step, &r[i], sizeof r[i]);
}

GNOSIS_INLINE int32_t bits_of(float f)
{
    int32_t i;
    memcpy(&i, &f, sizeof i);
    return i;
}

GNOSIS_INLINE float float_of(int32_t i)
{
    float f;
    memcpy(&f, &i, sizeof f);
    return f;
}

/* Rounds t, halves up.  *biased: the integer plus MAGIC; *excess: the integer minus t, exact
 * and in (-1/2, 1/2], never -0. */
GNOSIS_INLINE void round_up_halves(float t, float *biased, float *excess)
{
    float m = t + MAGIC;
    float d = (m - MAGIC) - t;
    float up = d == -0.5f ? 1.0f : 0.0f; /* a tie that went down to an even integer */
    *biased = m + up;
    *excess = d + up;
}

/* One coset for sixteen rows: candidate points in y, their squared distances in s.
 * Choices are made with masks, which every compiler turns into vector code. */
GNOSIS_INLINE void coset(float x[DIM][ROWS], float shift, float y[DIM][ROWS], float *restrict s)
{
    float worst[ROWS], d[DIM][ROWS];
    int32_t odd[ROWS];

    for (int r = 0; r < ROWS; r++) {
        worst[r] = 0.0f;
        odd[r] = 0;
        s[r] = 0.0f;
    }
    for (int k = 0; k < DIM; k++)
        for (int r = 0; r < ROWS; r++) {
            float m, a;
            round_up_halves(x[k][r] - shift, &m, &d[k][r]);
            odd[r] ^= bits_of(m);
            a = __builtin_fabsf(d[k][r]);
            worst[r] = a > worst[r] ? a : worst[r];
            s[r] += a * a;
            y[k][r] = (m - MAGIC) + shift;
        }
    for (int r = 0; r < ROWS; r++) {
        odd[r] = -(odd[r] & 1); /* all ones: one coordinate is still to be moved */
        /* which turns its error a into 1 - a */
        s[r] += float_of(bits_of(1.0f - 2.0f * worst[r]) & odd[r]);
    }
    for (int k = 0; k < DIM; k++)
        for (int r = 0; r < ROWS; r++) {
            int32_t hit = odd[r] & -(int32_t)(__builtin_fabsf(d[k][r]) == worst[r]);
            int32_t step = bits_of(1.0f) | ((int32_t)0x80000000 & -(int32_t)(d[k][r] > 0.0f));
            y[k][r] += float_of(step & hit);
            odd[r] &= ~hit;
        }
}

/* Whether sixteen rows are finite and small enough; NaN fails the comparison. */
GNOSIS_INLINE int in_range(const float *x)
{
    int bad = 0;
    for (int i = 0; i < DIM * ROWS; i++)
        bad |= !(__builtin_fabsf(x[i]) <= GNOSIS_LATTICE_LIMIT);
    return !bad;
}

static ptrdiff_t first_bad(const float *x, ptrdiff_t from)
{
    while (__builtin_fabsf(x[from]) <= GNOSIS_LATTICE_LIMIT)
        from++;
    return from;
}

/* Sixteen rows, read as a whole before any is written: out may be x itself. */
GNOSIS_INLINE void sixteen_e8(const float *x, float *out)
{
    float t[DIM][ROWS], a[DIM][ROWS], b[DIM][ROWS], sa[ROWS], sb[ROWS];

    transpose8(x, DIM, &t[0][0], ROWS);
    transpose8(x + 8 * DIM, DIM, &t[0][8], ROWS);
    coset(t, 0.0f, a, sa);
    coset(t, 0.5f, b, sb);
    for (int k = 0; k < DIM; k++)
        for (int r = 0; r < ROWS; r++)
            t[k][r] = sa[r] <= sb[r] ? a[k][r] : b[k][r];
    transpose8(&t[0][0], ROWS, out, DIM);
    transpose8(&t[0][8], ROWS, out + 8 * DIM, DIM);
}

GNOSIS_INLINE void sixteen_d8(const float *x, float *out)
{
    float t[DIM][ROWS], a[DIM][ROWS], s[ROWS];

    transpose8(x, DIM, &t[0][0], ROWS);
    transpose8(x + 8 * DIM, DIM, &t[0][8], ROWS);
    coset(t, 0.0f, a, s);
    transpose8(&a[0][0], ROWS, out, DIM);
    transpose8(&a[0][8], ROWS, out + 8 * DIM, DIM);
}

GNOSIS_INLINE void sixteen_cubic(const float *x, float *out)
{
    for (int i = 0; i < DIM * ROWS; i++) {
        float m, e;
        round_up_halves(x[i], &m, &e);
        out[i] = m - MAGIC;
    }
}

/* All rows, sixteen at a time; what is left over is filled up with zeros. */
GNOSIS_INLINE ptrdiff_t all_rows(const float *x, float *out, ptrdiff_t rows, enum lattice lattice)
{
    float rest[DIM * ROWS] = {0};

    for (ptrdiff_t r = 0; r < rows; r += ROWS) {
        int whole = rows - r >= ROWS;
        size_t bytes = (size_t)(rows - r) * DIM * sizeof(float);
        const float *from = whole ? x + r * DIM : rest;
        float *to = whole ? out + r * DIM : rest;

        if (!whole)
            memcpy(rest, x + r * DIM, bytes);
        if (!in_range(from))
            return first_bad(x, r * DIM);
        if (lattice == E8)
            sixteen_e8(from, to);
        else if (lattice == D8)
            sixteen_d8(from, to);
        else
            sixteen_cubic(from, to);
        if (!whole)
            memcpy(out + r * DIM, rest, bytes);
    }
    return -1;
}

#define ARGUMENTS const float *x, float *out, ptrdiff_t rows

#if GNOSIS_X86
#define BODIES(name, lattice) \
    GNOSIS_AVX512 static ptrdiff_t name##_avx512(ARGUMENTS) { return all_rows(x, out, rows, lattice); } \
    GNOSIS_AVX2 static ptrdiff_t name##_avx2(ARGUMENTS) { return all_rows(x, out, rows, lattice); } \
    static ptrdiff_t name##_plain(ARGUMENTS) { return all_rows(x, out, rows, lattice); }
#else
#define BODIES(name, lattice) \
    static ptrdiff_t name##_plain(ARGUMENTS) { return all_rows(x, out, rows, lattice); }
#endif

BODIES(cubic, CUBIC)
BODIES(d8, D8)
BODIES(e8, E8)

ptrdiff_t gnosis_nearest_cubic(ARGUMENTS, int level) { return GNOSIS_AT(level, cubic, x, out, rows); }
ptrdiff_t gnosis_nearest_d8(ARGUMENTS, int level) { return GNOSIS_AT(level, d8, x, out, rows); }
ptrdiff_t gnosis_nearest_e8(ARGUMENTS, int level) { return GNOSIS_AT(level, e8, x, out, rows); }
