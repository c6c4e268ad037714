/* Shared by the fuzz targets, one for each kernel.  A target takes numbers from the input, runs the kernel under every
 * instruction set on buffers of exactly the right size, and demands the same bits from each; where an exact
 * reference is cheap it is asked too.  The sanitizers see the rest. */
#ifndef GNOSIS_FUZZ_COMMON_H
#define GNOSIS_FUZZ_COMMON_H
#include "arith.h"

#include <stdio.h>
#include <stdlib.h>

/* 113 significant bits and 15 of exponent: a product of two doubles is exact in it. */
#if defined(__x86_64__)
typedef __float128 quad;
#else
typedef long double quad;
#endif

#define DEMAND(condition)                                                            \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "gnosis: %s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                 \
        }                                                                            \
    } while (0)

typedef struct {
    const uint8_t *at;
    size_t left;
} input;

static inline uint8_t byte(input *in)
{
    if (!in->left)
        return 0;
    in->left--;
    return *in->at++;
}

/* A number from 0 to most. */
static inline ptrdiff_t count(input *in, ptrdiff_t most)
{
    ptrdiff_t x = byte(in);
    return (x | (ptrdiff_t)byte(in) << 8) % (most + 1);
}

/* Memory of exactly this many bytes; none at all is memory too. */
static inline void *room(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    DEMAND(p);
    return bytes ? p : (free(p), malloc(0));
}

static inline uint64_t word(input *in, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++)
        x |= (uint64_t)byte(in) << 8 * i;
    return x;
}

/* Any bits, a small whole number, or a quarter of one scaled by a power of two: so that ties are frequent. */
static inline double some_double(input *in)
{
    uint8_t kind = byte(in);
    if (kind < 96) {
        uint64_t bits = word(in, 8);
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    double x = (int8_t)byte(in);
    return kind < 160 ? x : __builtin_ldexp(x, (kind - 208) * 8);
}

static inline float some_float(input *in)
{
    uint8_t kind = byte(in);
    if (kind < 96) {
        uint32_t bits = (uint32_t)word(in, 4);
        float x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    float x = (int8_t)byte(in);
    return kind < 160 ? x : __builtin_ldexpf(x, (kind - 208) / 2);
}

/* A finite number of moderate size. */
static inline float plain_float(input *in)
{
    uint8_t kind = byte(in);
    return __builtin_ldexpf((int8_t)byte(in), kind % 12 - 8);
}

static inline int64_t some_int(input *in)
{
    uint8_t kind = byte(in);
    if (kind < 96)
        return (int64_t)word(in, 8);
    int64_t x = (int8_t)byte(in);
    return kind < 192 ? x : (int64_t)((uint64_t)x << (kind - 192) % 64);
}

/* n numbers of a type; in some inputs from two values only. */
#define FILL(type, array, n, one)                            \
    type *array = room((size_t)(n) * sizeof(type));          \
    {                                                        \
        int two_ = byte(&in) % 4 == 0;                       \
        type a_ = one(&in), b_ = one(&in);                   \
        for (ptrdiff_t i_ = 0; i_ < (n); i_++)               \
            array[i_] = two_ ? (byte(&in) & 1 ? a_ : b_) : one(&in); \
    }

/* Keep the first result; later ones must have the same bits. */
#define AGREE(first, other, bytes, level) DEMAND((level) == 0 || memcmp(first, other, bytes) == 0)

#define TARGET_FUNCTION                                            \
    static void target(input in, int levels);                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)   \
    {                                                              \
        target((input){data, size}, gnosis_detect());              \
        return 0;                                                  \
    }                                                              \
    static void target(input in, int levels)
#endif
