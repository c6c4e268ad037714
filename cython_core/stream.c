#include "stream.h"

enum { STEP = 256 };

/* How far ahead lines are asked for: into the first cache shortly before, into the outer ones early. */
enum { NEAR = 2048, FAR = 16384 };

/* 256 bytes at a time into independent sums, so that only the loads can limit it. */
GNOSIS_INLINE uint64_t read_words(const uint8_t *p, ptrdiff_t bytes)
{
    uint64_t sum[STEP / 8] = {0}, all = 0;
    ptrdiff_t i = 0;

    for (; i + STEP <= bytes; i += STEP) {
        for (int k = 0; k < STEP; k += 64) { /* past the end is no fault */
            __builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)(i + k) + NEAR));
            __builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)(i + k) + FAR), 0, 2);
        }
        for (int k = 0; k < STEP / 8; k++) {
            uint64_t word;
            memcpy(&word, p + i + 8 * k, 8);
            sum[k] ^= word;
        }
    }
    for (int k = 0; k < STEP / 8; k++)
        all ^= sum[k];
    for (; i < bytes; i += 8) {
        uint64_t word = 0;
        memcpy(&word, p + i, bytes - i < 8 ? (size_t)(bytes - i) : 8);
        all ^= word;
    }
    return all;
}

#if GNOSIS_X86
GNOSIS_AVX512 static uint64_t read_avx512(const uint8_t *p, ptrdiff_t bytes) { return read_words(p, bytes); }
GNOSIS_AVX2 static uint64_t read_avx2(const uint8_t *p, ptrdiff_t bytes) { return read_words(p, bytes); }
#endif
static uint64_t read_plain(const uint8_t *p, ptrdiff_t bytes) { return read_words(p, bytes); }

uint64_t gnosis_stream_read(const uint8_t *p, ptrdiff_t bytes, int level) { return GNOSIS_AT(level, read, p, bytes); }
