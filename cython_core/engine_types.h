/* What the files of the engine share: matrices, activations, the table of kernels, the pool. */
#ifndef GNOSIS_ENGINE_TYPES_H
#define GNOSIS_ENGINE_TYPES_H
#include "blocks.h"

/* GROUP rows stand side by side in a vector, BLOCK columns share a scale, TOKENS are in a pass at most, HEADS heads of attention at once. */
enum { GROUP = 16, BLOCK = 32, TOKENS = 64, HEADS = 4 };

/* A matrix as the kernels read it: [groups of 16 rows][runs][header, then `per` records of 32 columns].
 *
 * A record is its codes, then its factors.
 *   8-bit codes, 512 bytes  [16 pairs of columns][16 rows][2] signed
 *   4-bit codes, 256 bytes  [4][16 rows][2 words of 16 bits]; nibble j of word w in part u is column 2 (4 u + j) + w
 *   nested codes            256 bytes of upper nibbles, as 4-bit codes; those of lower nibbles lie in a plane of their own, `below`
 *   F16, BF16, F32          [32 columns][16 rows]
 * Factors of a record
 *   Q8_0, Q5_0, Q4_0        [16] half scales; nested codes too
 *   Q4_1, Q5_1              [16] half scales, [16] half minima
 *   Q4_K, Q5_K              [16] bytes of scales, [16] bytes of minima; header: [16] half d, [16] half -dmin; 8 records
 *   Q6_K                    [16] signed bytes for columns 0 .. 15, [16] for 16 .. 31; header: [16] half d; 8 records
 * Rows and columns that fill up a group or a block are zero. */
typedef struct {
    ptrdiff_t rows, columns, groups, blocks; /* blocks: of 32 columns */
    size_t group_bytes;
    const uint8_t *at;
    int kind;             /* of blocks.h, or of these */
    const uint8_t *below; /* of a nested code: [groups][blocks] lower nibbles, 256 bytes each */
} matrix;

/* Q8_0 in two planes, a code q being 16 u + l - 128; and the upper one alone, a weight being d (16 u - 120.5): scale 16 d, minimum -120.5 d. */
enum { ENGINE_NESTED = -1, ENGINE_COARSE = -2 };
GNOSIS_INLINE int engine_stored(int kind) { return kind < 0 ? GNOSIS_Q8_0 : kind; } /* as a file has it */

GNOSIS_INLINE int engine_is_real(int kind) { return kind >= GNOSIS_F16; }
GNOSIS_INLINE int engine_is_small(int kind) { return kind < 0 || kind == GNOSIS_Q4_0 || kind == GNOSIS_Q4_1 || kind == GNOSIS_Q4_K; }
GNOSIS_INLINE int engine_is_super(int kind) { return kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K || kind == GNOSIS_Q6_K; }
GNOSIS_INLINE int engine_has_minimum(int kind) { return kind == GNOSIS_Q4_1 || kind == GNOSIS_Q5_1 || kind == GNOSIS_Q4_K || kind == GNOSIS_Q5_K || kind == ENGINE_COARSE; }
GNOSIS_INLINE int engine_zero(int kind) { return kind == GNOSIS_Q4_0 ? 8 : kind == ENGINE_NESTED ? 128 : 0; } /* what its codes are raised by */
GNOSIS_INLINE int engine_per(int kind) { return engine_is_super(kind) ? 8 : 1; }
GNOSIS_INLINE int engine_header(int kind) { return engine_is_super(kind) ? (kind == GNOSIS_Q6_K ? 2 : 4) * GROUP : 0; }
GNOSIS_INLINE int engine_codes(int kind) { return kind == GNOSIS_F32 ? 2048 : engine_is_real(kind) ? 1024 : engine_is_small(kind) ? 256 : 512; }
GNOSIS_INLINE int engine_factors(int kind)
{
    return engine_is_real(kind) ? 0 : engine_is_super(kind) || !engine_has_minimum(kind) || kind < 0 ? 2 * GROUP : 4 * GROUP;
}
GNOSIS_INLINE int engine_record(int kind) { return engine_codes(kind) + engine_factors(kind); }

/* Activations of up to TOKENS tokens, block after block.
 *   whole   [blocks][tokens][32] x / unit, rounded
 *   unit    [blocks][tokens]
 *   sum     [blocks][tokens] of the whole numbers; sums: times the unit, in float32
 *   real    [blocks][tokens][32] as they are, for F16, BF16 and F32
 *   bytes   [blocks][tokens][32] the whole numbers of 8 bits again, in the order in which bytes of 4-bit codes come; NULL for 16 bits
 *   coarse  whether nested codes are taken by their upper plane alone */
typedef struct {
    int16_t *whole;
    int8_t *bytes;
    float *unit, *sums, *real;
    int32_t *sum;
    ptrdiff_t tokens;
    int coarse;
} activations;

/* What one matrix needs of its activations. */
enum { WANT_WHOLE = 1, WANT_REAL = 2 };

typedef struct {
    /* out[t * stride + 16 g + r] for groups from .. to - 1 and every token */
    void (*product)(const matrix *m, const activations *a, ptrdiff_t from, ptrdiff_t to, float *out, ptrdiff_t stride);
    /* x[blocks * 32] becomes token t; bits: 16 or 8 */
    void (*take)(const activations *a, ptrdiff_t t, const float *x, ptrdiff_t blocks, int bits, int want);
    /* n is a multiple of 16, x and weight are zero past columns */
    void (*norm)(const float *x, const float *weight, float eps, float *out, ptrdiff_t n, ptrdiff_t columns);
    void (*rope)(float *x, const float *cos, const float *sin, ptrdiff_t heads, ptrdiff_t width, int halves);
    /* One token, up to HEADS heads that share keys: [n / 16][width][16] and values [n][width].  scores: HEADS * n rounded up to 16 */
    void (*attention)(const float *q, ptrdiff_t heads, const float *keys, const float *values, float scale, ptrdiff_t first, ptrdiff_t n, ptrdiff_t width,
                      float *scores, float *out);
    void (*gate)(float *gate, const float *up, ptrdiff_t n, int gelu);
    void (*add)(float *x, const float *y, ptrdiff_t n);
    /* The first largest of n entries, and by how much it leads over the largest other one. */
    ptrdiff_t (*largest)(const float *x, ptrdiff_t n, float *lead);
} kernels;

/* ENGINE_VNNI is one level above AVX-512; gnosis_engine_level raises that level to it where the processor has the instructions. */
enum { ENGINE_VNNI = GNOSIS_LEVEL_AVX512 + 1 };
const kernels *engine_table(int level);

/* The level at which blocks are decoded. */
GNOSIS_INLINE int engine_blocks_level(int level)
{
#ifdef GNOSIS_SIMDE
    return (void)level, GNOSIS_PLAIN;
#else
    return level < GNOSIS_LEVEL_AVX512 ? level : GNOSIS_LEVEL_AVX512;
#endif
}

/* ---- the pool ---- */
typedef struct pool pool;
typedef void (*share)(void *job, ptrdiff_t from, ptrdiff_t to, int worker);

pool *engine_pool_new(int threads); /* NULL: not 1 .. 256, or no memory */
void engine_pool_free(pool *p);
void engine_pool_share(pool *p, pool *other); /* p uses the threads of other from now on, and its own end: calls for both come one after the other */
int engine_pool_threads(const pool *p);
/* A pass over so many tokens (0: something else) begins and ends.  In between, engine_pool_run calls work(job, from, to, worker) for parts of 0 .. n - 1, every
 * number in one of them, and returns when all are done.  least: the smallest part that is worth a thread. */
void engine_pool_begin(pool *p, ptrdiff_t tokens);
void engine_pool_end(pool *p);
void engine_pool_run(pool *p, share work, void *job, ptrdiff_t n, ptrdiff_t least);

/* ---- the region of a model's weights, and what is put into it ---- */
typedef struct {
    void *base;
    uint8_t *at, *end;
    size_t size;
} region;

int engine_region_new(region *r, size_t bytes);
void engine_region_free(region *r);
void *engine_region_take(region *r, size_t bytes);

/* The output matrix of an engine, whose `at` is NULL until it is put, and its threads. */
struct gnosis_engine;
const matrix *engine_head_of(const struct gnosis_engine *e, pool **threads);

/* As gnosis_engine_put, without the checks of a slot. */
ptrdiff_t engine_pack(matrix *m, region *r, pool *threads, int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns);
#endif
