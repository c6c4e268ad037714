/* A language model of the llama family, whole: embedding, layers, last norm, head; weights in one region, threads that stay. */
#ifndef GNOSIS_ENGINE_H
#define GNOSIS_ENGINE_H
#include "arith.h"

typedef struct gnosis_engine gnosis_engine;

/* Sizes in entries; vocabulary: rows of the head.  bits: of the activations, 16 or 8.  threads: 1 .. 256. */
typedef struct {
    ptrdiff_t layers, width, heads, groups, head, inner, vocabulary;
    float eps, attention_scale, embedding_scale;
    int halves; /* rotated are entries i and i + head / 2, not 2 i and 2 i + 1 */
    int gelu;   /* the gate is gelu (by tanh), not silu */
    int bits, threads;
} gnosis_engine_config;

/* The matrices of a layer, and the head, whose layer is not looked at. */
enum { GNOSIS_SLOT_Q, GNOSIS_SLOT_K, GNOSIS_SLOT_V, GNOSIS_SLOT_O, GNOSIS_SLOT_GATE, GNOSIS_SLOT_UP, GNOSIS_SLOT_DOWN, GNOSIS_SLOT_HEAD, GNOSIS_SLOTS };
/* The vectors of a layer, all but the norms of its two inputs optional; the last norm, whose layer is not looked at. */
enum {
    GNOSIS_ATTN_NORM, GNOSIS_FFN_NORM, GNOSIS_Q_NORM, GNOSIS_K_NORM, GNOSIS_POST_ATTN, GNOSIS_POST_FFN, GNOSIS_Q_BIAS, GNOSIS_K_BIAS, GNOSIS_V_BIAS,
    GNOSIS_LAST_NORM, GNOSIS_VECTORS,
};
enum { GNOSIS_ENGINE_OK = 0, GNOSIS_ENGINE_REFUSED = -2, GNOSIS_ENGINE_MEMORY = -3 };

/* A kind beside those of blocks.h: blocks of Q8_0, kept as a plane of the upper four bits of each code, which a coarse pass reads alone, and one of the others. */
enum { GNOSIS_NESTED = -1 };

/* Bytes of the region that a matrix takes; 0 for a kind that is none, and for sizes that do not fit. */
size_t gnosis_engine_matrix_bytes(int kind, ptrdiff_t rows, ptrdiff_t columns);
size_t gnosis_engine_vector_bytes(ptrdiff_t n);

/* The instruction set: the given level, or one above AVX-512 where the processor has VNNI. */
int gnosis_engine_level(int level);

/* NULL: sizes that do not fit together, or no memory.  region: sum of the bytes of everything that will be put. */
gnosis_engine *gnosis_engine_new(const gnosis_engine_config *config, size_t region);
void gnosis_engine_free(gnosis_engine *e);
/* e uses the threads of other from now on; passes of both come one after the other.  REFUSED where one is for another number of threads. */
int gnosis_engine_share(gnosis_engine *e, const gnosis_engine *other);

/* Packs a matrix of blocks (blocks.h), row after row, with all threads.  -1 done; the first row with a scale or weight that is not finite;
 * REFUSED: a shape that is not the slot's, put before, no room. */
ptrdiff_t gnosis_engine_put(gnosis_engine *e, ptrdiff_t layer, int slot, int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns);
int gnosis_engine_vector(gnosis_engine *e, ptrdiff_t layer, int slot, const float *values, ptrdiff_t n);
/* Kept where they are: rows of the embedding, [..][width]. */
int gnosis_engine_embedding(gnosis_engine *e, int kind, const uint8_t *blocks);
/* window: positions that a token sees, its own among them, 0: all.  table: which pair of rotation tables, 0 or 1. */
int gnosis_engine_layer(gnosis_engine *e, ptrdiff_t layer, ptrdiff_t window, int table);
/* Whether everything that a pass needs has been put. */
int gnosis_engine_ready(const gnosis_engine *e);

/* One pass.  keys, values: [layers][groups][capacity][head], capacity a multiple of 16, keys of 16 positions side by side ([capacity / 16][head][16]).
 * cos, sin: [2][at least start + tokens][head / 2] of each table, or NULL.  scores: [threads][4][capacity].
 * hidden: [tokens][width].  logits: [want][vocabulary] of the last tokens.
 * coarse: nested matrices by their upper plane alone, 1 those of layers, 2 the head too.
 * -1 done; the first entry of hidden that is not finite; REFUSED: not ready, or numbers that do not fit; tokens: 1 .. 64. */
typedef struct {
    float *keys, *values, *scores, *hidden, *logits;
    const float *cos[2], *sin[2];
    const int64_t *ids; /* below the rows of the embedding: the caller's to check */
    ptrdiff_t capacity, start, tokens, want;
    int coarse;
} gnosis_engine_pass;
ptrdiff_t gnosis_engine_run(gnosis_engine *e, const gnosis_engine_pass *pass, int level);
/* The first largest of n logits and its lead over the largest other one. */
ptrdiff_t gnosis_engine_largest(const float *logits, ptrdiff_t n, float *lead, int level);
#endif
