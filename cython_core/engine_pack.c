/* Blocks of a file as the kernels read them (engine_types.h says how), and the region that holds them. */
#define _GNU_SOURCE
#include "engine_types.h"

#include "engine.h"

#include <stdatomic.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

/* ---- the region ---- */

int engine_region_new(region *r, size_t bytes)
{
    if (bytes > PTRDIFF_MAX - 2 * LARGE_PAGE)
        return 0;
    r->size = bytes + 2 * LARGE_PAGE; /* to begin at a large page; and what is fetched ahead of the end is there */
    r->base = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->base == MAP_FAILED)
        return 0;
    r->at = (uint8_t *)(((uintptr_t)r->base + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1));
    r->end = r->at + bytes;
#ifdef MADV_HUGEPAGE
    madvise(r->at, bytes, MADV_HUGEPAGE); /* where the system has them; an error changes nothing */
#endif
    return 1;
}

void engine_region_free(region *r)
{
    if (r->size)
        munmap(r->base, r->size);
    r->size = 0;
}

void *engine_region_take(region *r, size_t bytes)
{
    if (bytes > (size_t)(r->end - r->at))
        return NULL;
    void *p = r->at;
    r->at += bytes;
    return p;
}

/* ---- matrices ---- */

size_t gnosis_engine_matrix_bytes(int kind, ptrdiff_t rows, ptrdiff_t columns)
{
    const int weights = gnosis_block_weights(engine_stored(kind));
    size_t groups, bytes;
    if (!weights || rows < 1 || columns < 1 || columns % weights || rows > PTRDIFF_MAX - GROUP)
        return 0;
    groups = ((size_t)rows + GROUP - 1) / GROUP;
    const size_t runs = (size_t)columns / (size_t)(BLOCK * engine_per(kind)), run = (size_t)(engine_header(kind) + engine_per(kind) * engine_record(kind)) + (kind == ENGINE_NESTED ? 256 : 0);
    if (__builtin_mul_overflow(runs, run, &bytes) || __builtin_mul_overflow(bytes, groups, &bytes) || bytes > PTRDIFF_MAX / 2)
        return 0;
    return (bytes + 63) / 64 * 64;
}

size_t gnosis_engine_vector_bytes(ptrdiff_t n) { return n < 1 || n > PTRDIFF_MAX / 8 ? 0 : ((size_t)n * sizeof(float) + 63) / 64 * 64; }

static uint16_t half_bits(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static int half_finite(const uint8_t *p) { return (half_bits(p) & 0x7c00) != 0x7c00; }

/* The codes of piece j of a block, signed or not as they are kept. */
static void codes_of(int kind, const uint8_t *b, int j, uint8_t *q)
{
    const uint8_t *p, *h;
    uint32_t bits;
    switch (kind) {
    case GNOSIS_Q8_0: memcpy(q, b + 2, 32); return;
    case GNOSIS_Q4_0:
    case GNOSIS_Q4_1:
        p = b + (kind == GNOSIS_Q4_0 ? 2 : 4);
        for (int k = 0; k < 16; k++)
            q[k] = p[k] & 15, q[k + 16] = p[k] >> 4;
        return;
    case GNOSIS_Q5_0:
    case GNOSIS_Q5_1:
        p = b + (kind == GNOSIS_Q5_0 ? 2 : 4);
        memcpy(&bits, p, 4);
        for (int k = 0; k < 16; k++)
            q[k] = (uint8_t)((p[4 + k] & 15) | (bits >> k & 1) << 4), q[k + 16] = (uint8_t)(p[4 + k] >> 4 | (bits >> (k + 16) & 1) << 4);
        if (kind == GNOSIS_Q5_0)
            for (int k = 0; k < 32; k++)
                q[k] = (uint8_t)(q[k] - 16);
        return;
    case GNOSIS_Q4_K:
        p = b + 16 + j / 2 * 32;
        for (int k = 0; k < 32; k++)
            q[k] = p[k] >> 4 * (j % 2) & 15;
        return;
    case GNOSIS_Q5_K:
        p = b + 48 + j / 2 * 32, h = b + 16;
        for (int k = 0; k < 32; k++)
            q[k] = (uint8_t)((p[k] >> 4 * (j % 2) & 15) | (h[k] >> j & 1) << 4);
        return;
    default: /* Q6_K */
        p = b + 64 * (j / 4) + 32 * (j & 1), h = b + 128 + 32 * (j / 4);
        for (int k = 0; k < 32; k++)
            q[k] = (uint8_t)(((p[k] >> 4 * (j >> 1 & 1) & 15) | (h[k] >> 2 * (j & 3) & 3) << 4) - 32);
    }
}

/* Scale and minimum of piece j, six bits each, out of twelve bytes. */
static void six_bits(const uint8_t *s, int j, uint8_t *scale, uint8_t *minimum)
{
    if (j < 4)
        *scale = s[j] & 63, *minimum = s[j + 4] & 63;
    else
        *scale = (uint8_t)((s[j + 4] & 15) | s[j - 4] >> 6 << 4), *minimum = (uint8_t)(s[j + 4] >> 4 | s[j] >> 6 << 4);
}

/* 32 codes of four bits, of row r. */
static void put_nibbles(const uint8_t *q, int r, uint8_t *to)
{
    for (int u = 0; u < 4; u++) {
        uint16_t w[2] = {0, 0};
        for (int i = 0; i < 8; i++)
            w[i % 2] = (uint16_t)(w[i % 2] | q[8 * u + i] << 4 * (i / 2));
        memcpy(to + 64 * u + 4 * r, w, 4);
    }
}

/* Codes of eight bits as upper and lower nibbles of what is raised by 128. */
static void put_planes(uint8_t *q, int r, uint8_t *upper, uint8_t *lower)
{
    uint8_t low[32];
    for (int k = 0; k < 32; k++)
        low[k] = q[k] & 15, q[k] = (uint8_t)(q[k] ^ 128) >> 4;
    put_nibbles(q, r, upper), put_nibbles(low, r, lower);
}

static void put_half(uint8_t *to, int row, uint16_t h) { memcpy(to + 2 * row, &h, 2); }

/* A block of row r of a group; run: where the run of 16 such blocks begins, below: where its lower plane does.  Whether every factor is finite. */
static int put_block(int kind, const uint8_t *b, int r, uint8_t *run, uint8_t *below)
{
    const int per = engine_per(kind), record = engine_record(kind), codes = engine_codes(kind);
    int finite = 1;

    if (kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K) {
        finite = half_finite(b) && half_finite(b + 2);
        put_half(run, r, half_bits(b)), put_half(run + 2 * GROUP, r, (uint16_t)(half_bits(b + 2) ^ 0x8000)); /* minima are taken away */
    } else if (kind == GNOSIS_Q6_K) {
        finite = half_finite(b + 208);
        put_half(run, r, half_bits(b + 208));
    }
    for (int j = 0; j < per; j++) {
        uint8_t *to = run + engine_header(kind) + j * record, *factors = to + codes, q[32];
        codes_of(engine_stored(kind), b, j, q);
        if (kind == ENGINE_NESTED)
            put_planes(q, r, to, below);
        else if (engine_is_small(kind))
            put_nibbles(q, r, to);
        else
            for (int i = 0; i < 16; i++)
                memcpy(to + 32 * i + 2 * r, q + 2 * i, 2);
        if (kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K)
            six_bits(b + 4, j, factors + r, factors + GROUP + r);
        else if (kind == GNOSIS_Q6_K)
            factors[r] = b[192 + 2 * j], factors[GROUP + r] = b[193 + 2 * j];
        else {
            finite &= half_finite(b);
            put_half(factors, r, half_bits(b));
            if (engine_has_minimum(kind)) {
                finite &= half_finite(b + 2);
                put_half(factors + 2 * GROUP, r, half_bits(b + 2));
            }
        }
    }
    return finite;
}

static int put_floats(int kind, const uint8_t *row, ptrdiff_t columns, int r, uint8_t *group)
{
    const int bytes = kind == GNOSIS_F32 ? 4 : 2;
    int finite = 1;
    for (ptrdiff_t k = 0; k < columns; k++) {
        uint32_t bits = 0;
        memcpy(&bits, row + bytes * k, (size_t)bytes); /* little endian, as the file */
        const uint32_t top = kind == GNOSIS_F32 ? 0x7f800000 : kind == GNOSIS_F16 ? 0x7c00 : 0x7f80;
        finite &= (bits & top) != top;
        memcpy(group + (k * GROUP + r) * bytes, row + bytes * k, (size_t)bytes);
    }
    return finite;
}

typedef struct {
    const matrix *m;
    uint8_t *to, *below;
    const uint8_t *from;
    _Atomic ptrdiff_t bad;
} packing;

static void pack(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    packing *p = job;
    const matrix *m = p->m;
    const int kind = m->kind, per = engine_per(kind), run = engine_header(kind) + per * engine_record(kind), size = gnosis_block_bytes(engine_stored(kind));
    const ptrdiff_t runs = m->blocks / per;

    (void)worker;
    for (ptrdiff_t row = from * GROUP; row < to * GROUP && row < m->rows; row++) {
        uint8_t *group = p->to + row / GROUP * (ptrdiff_t)m->group_bytes;
        const uint8_t *raw = p->from + row * runs * size;
        int finite = 1;
        if (engine_is_real(kind))
            finite = put_floats(kind, raw, m->columns, (int)(row % GROUP), group);
        else
            for (ptrdiff_t b = 0; b < runs; b++)
                finite &= put_block(kind, raw + b * size, (int)(row % GROUP), group + b * run, p->below ? p->below + (row / GROUP * runs + b) * 256 : NULL);
        if (!finite) {
            ptrdiff_t known = atomic_load(&p->bad);
            while ((known < 0 || row < known) && !atomic_compare_exchange_weak(&p->bad, &known, row))
                ;
        }
    }
}

ptrdiff_t engine_pack(matrix *m, region *r, pool *threads, int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns)
{
    const size_t bytes = gnosis_engine_matrix_bytes(kind, rows, columns);
    uint8_t *to = bytes ? engine_region_take(r, bytes) : NULL;
    if (!to)
        return GNOSIS_ENGINE_REFUSED;
    const int per = engine_per(kind);
    *m = (matrix){rows, columns, (rows + GROUP - 1) / GROUP, columns / BLOCK, 0, to, kind, NULL};
    m->group_bytes = (size_t)(m->blocks / per) * (size_t)(engine_header(kind) + per * engine_record(kind));
    uint8_t *below = kind == ENGINE_NESTED ? to + ((size_t)m->groups * m->group_bytes + 63) / 64 * 64 : NULL; /* a plane of its own: the upper one is read alone */
    m->below = below;
    packing p = {m, to, below, blocks, -1};
    engine_pool_begin(threads, 0);
    engine_pool_run(threads, pack, &p, m->groups, 4);
    engine_pool_end(threads);
    return atomic_load(&p.bad);
}
