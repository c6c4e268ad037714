/* The forward pass: a row of jobs for the pool, each cut into parts by rows of a matrix, by tokens or by heads.  What a part computes
 * depends on nothing but its inputs, so threads and cuts change no bit. */
#include "engine.h"

#include "engine_types.h"

#include <stdlib.h>

_Static_assert((int)GNOSIS_NESTED == (int)ENGINE_NESTED, "one number for one kind");

typedef struct {
    matrix m[GNOSIS_SLOT_HEAD];
    const float *v[GNOSIS_LAST_NORM];
    ptrdiff_t window;
    int table;
} layer;

/* What a pass needs room for, per token or per thread. */
typedef struct {
    float *x, *normed, *q, *k, *v, *seen, *out, *gate, *up;
    activations a;
} room;

struct gnosis_engine {
    gnosis_engine_config c;
    ptrdiff_t q_width, kv_width;
    layer *layers;
    matrix head;
    const float *last_norm;
    const uint8_t *embedding;
    int embedding_kind;
    region weights, scratch;
    room r;
    pool *threads;
};

/* One pass, as its jobs see it. */
typedef struct {
    gnosis_engine *e;
    const gnosis_engine_pass *p;
    const kernels *k;
    const layer *l;
    ptrdiff_t index, tokens;
    const float *input, *weight; /* of a preparation */
    ptrdiff_t columns;
    float *target; /* of products whose rows go elsewhere */
    int want, level;
} work;

/* ---- making one ---- */

static int fits(const gnosis_engine_config *c)
{
    const ptrdiff_t most = (ptrdiff_t)1 << 30;
    const ptrdiff_t sizes[] = {c->layers, c->width, c->heads, c->groups, c->head, c->inner, c->vocabulary};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] < 1 || sizes[i] > most)
            return 0;
    return c->heads % c->groups == 0 && c->head % GROUP == 0 && c->width % BLOCK == 0 && c->inner % BLOCK == 0 && c->heads <= most / c->head &&
           c->heads * c->head % BLOCK == 0 && (c->bits == 16 || c->bits == 8);
}

static int scratch(gnosis_engine *e)
{
    const gnosis_engine_config *c = &e->c;
    const ptrdiff_t most = c->inner > e->q_width ? (c->inner > c->width ? c->inner : c->width) : (e->q_width > c->width ? e->q_width : c->width);
    const ptrdiff_t rows[] = {c->width, c->width, e->q_width, e->kv_width, e->kv_width, e->q_width, c->width, c->inner, c->inner};
    float **at[] = {&e->r.x, &e->r.normed, &e->r.q, &e->r.k, &e->r.v, &e->r.seen, &e->r.out, &e->r.gate, &e->r.up};
    activations *a = &e->r.a;
    size_t bytes = (size_t)most * TOKENS * 7 + (size_t)most / BLOCK * TOKENS * 12 + 4096;
    for (int i = 0; i < 9; i++)
        bytes += (size_t)rows[i] * TOKENS * sizeof(float) + 64;
    if (!engine_region_new(&e->scratch, bytes))
        return 0;
    for (int i = 0; i < 9; i++)
        *at[i] = engine_region_take(&e->scratch, ((size_t)rows[i] * TOKENS * sizeof(float) + 63) / 64 * 64);
    a->whole = engine_region_take(&e->scratch, (size_t)most * TOKENS * 2);
    a->real = engine_region_take(&e->scratch, (size_t)most * TOKENS * 4);
    a->bytes = c->bits == 8 ? engine_region_take(&e->scratch, (size_t)most * TOKENS) : NULL;
    a->unit = engine_region_take(&e->scratch, (size_t)most / BLOCK * TOKENS * 4);
    a->sums = engine_region_take(&e->scratch, (size_t)most / BLOCK * TOKENS * 4);
    a->sum = engine_region_take(&e->scratch, (size_t)most / BLOCK * TOKENS * 4);
    return a->sum != NULL;
}

gnosis_engine *gnosis_engine_new(const gnosis_engine_config *config, size_t bytes)
{
    if (!fits(config))
        return NULL;
    gnosis_engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->c = *config;
    e->q_width = config->heads * config->head, e->kv_width = config->groups * config->head;
    e->layers = calloc((size_t)config->layers, sizeof *e->layers);
    e->threads = engine_pool_new(config->threads);
    if (!e->layers || !e->threads || !engine_region_new(&e->weights, bytes) || !scratch(e)) {
        gnosis_engine_free(e);
        return NULL;
    }
    return e;
}

void gnosis_engine_free(gnosis_engine *e)
{
    if (!e)
        return;
    engine_pool_free(e->threads);
    engine_region_free(&e->weights);
    engine_region_free(&e->scratch);
    free(e->layers);
    free(e);
}

int gnosis_engine_share(gnosis_engine *e, const gnosis_engine *other)
{
    if (e->c.threads != other->c.threads)
        return GNOSIS_ENGINE_REFUSED;
    engine_pool_share(e->threads, other->threads);
    return GNOSIS_ENGINE_OK;
}

static int no_layer(const gnosis_engine *e, ptrdiff_t l) { return l < 0 || l >= e->c.layers; }

ptrdiff_t gnosis_engine_put(gnosis_engine *e, ptrdiff_t l, int slot, int kind, const uint8_t *blocks, ptrdiff_t rows, ptrdiff_t columns)
{
    const gnosis_engine_config *c = &e->c;
    const ptrdiff_t shapes[GNOSIS_SLOTS][2] = {{e->q_width, c->width}, {e->kv_width, c->width}, {e->kv_width, c->width}, {c->width, e->q_width},
                                               {c->inner, c->width}, {c->inner, c->width}, {c->width, c->inner}, {c->vocabulary, c->width}};
    if (slot < 0 || slot >= GNOSIS_SLOTS || (slot != GNOSIS_SLOT_HEAD && no_layer(e, l)) || rows != shapes[slot][0] || columns != shapes[slot][1])
        return GNOSIS_ENGINE_REFUSED;
    matrix *m = slot == GNOSIS_SLOT_HEAD ? &e->head : &e->layers[l].m[slot];
    return m->at ? GNOSIS_ENGINE_REFUSED : engine_pack(m, &e->weights, e->threads, kind, blocks, rows, columns);
}

int gnosis_engine_vector(gnosis_engine *e, ptrdiff_t l, int slot, const float *values, ptrdiff_t n)
{
    const gnosis_engine_config *c = &e->c;
    const ptrdiff_t sizes[GNOSIS_VECTORS] = {c->width, c->width, c->head, c->head, c->width, c->width, e->q_width, e->kv_width, e->kv_width, c->width};
    if (slot < 0 || slot >= GNOSIS_VECTORS || (slot != GNOSIS_LAST_NORM && no_layer(e, l)) || n != sizes[slot])
        return GNOSIS_ENGINE_REFUSED;
    const float **at = slot == GNOSIS_LAST_NORM ? &e->last_norm : &e->layers[l].v[slot];
    float *copy = *at ? NULL : engine_region_take(&e->weights, gnosis_engine_vector_bytes(n));
    if (!copy)
        return GNOSIS_ENGINE_REFUSED;
    memcpy(copy, values, (size_t)n * sizeof *copy);
    *at = copy;
    return GNOSIS_ENGINE_OK;
}

int gnosis_engine_embedding(gnosis_engine *e, int kind, const uint8_t *blocks)
{
    const int weights = gnosis_block_weights(kind);
    if (!weights || e->c.width % weights)
        return GNOSIS_ENGINE_REFUSED;
    e->embedding = blocks, e->embedding_kind = kind;
    return GNOSIS_ENGINE_OK;
}

int gnosis_engine_layer(gnosis_engine *e, ptrdiff_t l, ptrdiff_t window, int table)
{
    if (no_layer(e, l) || window < 0 || table < 0 || table > 1)
        return GNOSIS_ENGINE_REFUSED;
    e->layers[l].window = window, e->layers[l].table = table;
    return GNOSIS_ENGINE_OK;
}

int gnosis_engine_ready(const gnosis_engine *e)
{
    int ready = e->embedding && e->last_norm && e->head.at;
    for (ptrdiff_t l = 0; l < e->c.layers; l++) {
        for (int i = 0; i < GNOSIS_SLOT_HEAD; i++)
            ready &= e->layers[l].m[i].at != NULL;
        ready &= e->layers[l].v[GNOSIS_ATTN_NORM] && e->layers[l].v[GNOSIS_FFN_NORM];
    }
    return ready;
}

const matrix *engine_head_of(const gnosis_engine *e, pool **threads)
{
    *threads = e->threads;
    return &e->head;
}

/* ---- the jobs ---- */

static int wants(const matrix *m) { return engine_is_real(m->kind) ? WANT_REAL : WANT_WHOLE; }

static void embed(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const ptrdiff_t width = e->c.width, blocks = width / gnosis_block_weights(e->embedding_kind);
    (void)worker;
    for (ptrdiff_t t = from; t < to; t++) {
        float *x = e->r.x + t * width;
        const ptrdiff_t row = blocks * gnosis_block_bytes(e->embedding_kind);
        if (gnosis_blocks_dequantize(e->embedding_kind, e->embedding + w->p->ids[t] * row, x, blocks, w->level) >= 0)
            x[0] = __builtin_nanf(""); /* a scale that is not finite: found with the hidden states */
        if (e->c.embedding_scale != 1.0f)
            for (ptrdiff_t i = 0; i < width; i++)
                x[i] *= e->c.embedding_scale;
    }
}

/* Normed, where there is a weight, and made whole. */
static void prepare(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    (void)worker;
    for (ptrdiff_t t = from; t < to; t++) {
        const float *x = w->input + t * w->columns;
        if (w->weight) {
            float *normed = e->r.normed + t * w->columns;
            w->k->norm(x, w->weight, e->c.eps, normed, w->columns, w->columns);
            x = normed;
        }
        w->k->take(&e->r.a, t, x, w->columns / BLOCK, e->c.bits, w->want);
    }
}

static void prepared(work *w, const float *input, const float *weight, ptrdiff_t columns, int want)
{
    w->input = input, w->weight = weight, w->columns = columns, w->want = want;
    engine_pool_run(w->e->threads, prepare, w, w->tokens, 2);
}

/* The rows of q, k and v, as if they were those of one matrix. */
static void project(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    float *outs[] = {e->r.q, e->r.k, e->r.v};
    (void)worker;
    for (int i = 0; i < 3; i++) {
        const matrix *m = &w->l->m[GNOSIS_SLOT_Q + i];
        const ptrdiff_t a = from < 0 ? 0 : from, b = to < m->groups ? to : m->groups;
        if (a < b)
            w->k->product(m, &e->r.a, a, b, outs[i], m->rows);
        from -= m->groups, to -= m->groups;
    }
}

/* Biases, norms of heads, rotation, and keys and values into the cache. */
static void place(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const gnosis_engine_config *c = &e->c;
    const layer *l = w->l;
    const gnosis_engine_pass *p = w->p;
    const ptrdiff_t counts[] = {c->heads, c->groups}, plane = c->groups * p->capacity * c->head;
    (void)worker;
    for (ptrdiff_t t = from; t < to; t++) {
        float *parts[] = {e->r.q + t * e->q_width, e->r.k + t * e->kv_width, e->r.v + t * e->kv_width};
        const ptrdiff_t at = p->start + t, angle = at * (c->head / 2);
        for (int i = 0; i < 3; i++)
            if (l->v[GNOSIS_Q_BIAS + i])
                w->k->add(parts[i], l->v[GNOSIS_Q_BIAS + i], i ? e->kv_width : e->q_width);
        for (int i = 0; i < 2; i++) {
            if (l->v[GNOSIS_Q_NORM + i])
                for (ptrdiff_t h = 0; h < counts[i]; h++)
                    w->k->norm(parts[i] + h * c->head, l->v[GNOSIS_Q_NORM + i], c->eps, parts[i] + h * c->head, c->head, c->head);
            w->k->rope(parts[i], p->cos[l->table] + angle, p->sin[l->table] + angle, counts[i], c->head, c->halves);
        }
        for (ptrdiff_t g = 0; g < c->groups; g++) {
            float *keys = p->keys + w->index * plane + g * p->capacity * c->head + at / 16 * 16 * c->head + at % 16;
            for (ptrdiff_t i = 0; i < c->head; i++)
                keys[16 * i] = parts[1][g * c->head + i];
            memcpy(p->values + w->index * plane + (g * p->capacity + at) * c->head, parts[2] + g * c->head, (size_t)c->head * sizeof(float));
        }
    }
}

static void attend(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const gnosis_engine_config *c = &e->c;
    const gnosis_engine_pass *p = w->p;
    const ptrdiff_t each = c->heads / c->groups, plane = p->capacity * c->head;
    for (ptrdiff_t i = from; i < to; i++) {
        const ptrdiff_t t = i / c->groups, g = i % c->groups, n = p->start + t + 1, first = w->l->window && n > w->l->window ? n - w->l->window : 0;
        const ptrdiff_t at = (w->index * c->groups + g) * plane;
        for (ptrdiff_t h = 0; h < each; h += HEADS) {
            const ptrdiff_t column = t * e->q_width + (g * each + h) * c->head, some = each - h < HEADS ? each - h : HEADS;
            w->k->attention(e->r.q + column, some, p->keys + at, p->values + at, c->attention_scale, first, n, c->head,
                            p->scores + worker * HEADS * p->capacity, e->r.seen + column);
        }
    }
}

/* Rows of a matrix whose product is added to the stream, at once where nothing stands between. */
static void fold(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const matrix *m = &w->l->m[w->want];
    const ptrdiff_t width = e->c.width;
    (void)worker;
    w->k->product(m, &e->r.a, from, to, e->r.out, width);
    if (!w->weight)
        for (ptrdiff_t t = 0; t < w->tokens; t++)
            w->k->add(e->r.x + t * width + from * GROUP, e->r.out + t * width + from * GROUP, (to - from) * GROUP);
}

static void fold_normed(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const ptrdiff_t width = e->c.width;
    (void)worker;
    for (ptrdiff_t t = from; t < to; t++) {
        float *y = e->r.out + t * width;
        w->k->norm(y, w->weight, e->c.eps, y, width, width);
        w->k->add(e->r.x + t * width, y, width);
    }
}

static void folded(work *w, int slot, int post, ptrdiff_t least)
{
    w->weight = w->l->v[post], w->want = slot;
    engine_pool_run(w->e->threads, fold, w, w->l->m[slot].groups, least);
    if (w->weight)
        engine_pool_run(w->e->threads, fold_normed, w, w->tokens, 2);
}

static void widen(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const gnosis_engine *e = w->e;
    const ptrdiff_t inner = e->c.inner;
    (void)worker;
    w->k->product(&w->l->m[GNOSIS_SLOT_GATE], &e->r.a, from, to, e->r.gate, inner);
    w->k->product(&w->l->m[GNOSIS_SLOT_UP], &e->r.a, from, to, e->r.up, inner);
    for (ptrdiff_t t = 0; t < w->tokens; t++)
        w->k->gate(e->r.gate + t * inner + from * GROUP, e->r.up + t * inner + from * GROUP, (to - from) * GROUP, e->c.gelu);
}

static void last(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const ptrdiff_t width = w->e->c.width;
    (void)worker;
    for (ptrdiff_t t = from; t < to; t++)
        w->k->norm(w->e->r.x + t * width, w->e->last_norm, w->e->c.eps, w->p->hidden + t * width, width, width);
}

static void score(void *job, ptrdiff_t from, ptrdiff_t to, int worker)
{
    work *w = job;
    const matrix *m = &w->e->head;
    const ptrdiff_t whole = m->rows / GROUP, end = to < whole ? to : whole;
    float some[TOKENS * GROUP];
    (void)worker;
    if (from < end)
        w->k->product(m, &w->e->r.a, from, end, w->p->logits, m->rows);
    if (to > whole) { /* the last rows do not fill a group */
        matrix rest = *m;
        rest.at += whole * (ptrdiff_t)m->group_bytes;
        if (m->below)
            rest.below += whole * m->blocks * 256;
        w->k->product(&rest, &w->e->r.a, 0, to - whole, some, GROUP);
        for (ptrdiff_t t = 0; t < w->e->r.a.tokens; t++)
            memcpy(w->p->logits + t * m->rows + whole * GROUP, some + t * GROUP, (size_t)(m->rows - whole * GROUP) * sizeof(float));
    }
}

/* ---- the pass ---- */

ptrdiff_t gnosis_engine_run(gnosis_engine *e, const gnosis_engine_pass *p, int level)
{
    const gnosis_engine_config *c = &e->c;
    if (!gnosis_engine_ready(e) || p->tokens < 1 || p->tokens > TOKENS || p->start < 0 || p->start > p->capacity - p->tokens || p->capacity % 16 ||
        p->want < 0 || p->want > p->tokens)
        return GNOSIS_ENGINE_REFUSED;
    work w = {.e = e, .p = p, .k = engine_table(level), .tokens = p->tokens, .level = engine_blocks_level(level)};
    pool *threads = e->threads;
    const ptrdiff_t least = p->tokens > 8 ? 1 : 2;

    e->r.a.tokens = p->tokens, e->r.a.coarse = p->coarse > 0;
    engine_pool_begin(threads, p->tokens);
    engine_pool_run(threads, embed, &w, p->tokens, 8);
    for (ptrdiff_t l = 0; l < c->layers; l++) {
        const layer *at = w.l = &e->layers[l];
        w.index = l;
        prepared(&w, e->r.x, at->v[GNOSIS_ATTN_NORM], c->width, wants(&at->m[GNOSIS_SLOT_Q]) | wants(&at->m[GNOSIS_SLOT_K]) | wants(&at->m[GNOSIS_SLOT_V]));
        engine_pool_run(threads, project, &w, at->m[GNOSIS_SLOT_Q].groups + at->m[GNOSIS_SLOT_K].groups + at->m[GNOSIS_SLOT_V].groups, least);
        engine_pool_run(threads, place, &w, p->tokens, 2);
        engine_pool_run(threads, attend, &w, p->tokens * c->groups, 1 + 256 / (p->start + p->tokens));
        prepared(&w, e->r.seen, NULL, e->q_width, wants(&at->m[GNOSIS_SLOT_O]));
        folded(&w, GNOSIS_SLOT_O, GNOSIS_POST_ATTN, least);
        prepared(&w, e->r.x, at->v[GNOSIS_FFN_NORM], c->width, wants(&at->m[GNOSIS_SLOT_GATE]) | wants(&at->m[GNOSIS_SLOT_UP]));
        engine_pool_run(threads, widen, &w, at->m[GNOSIS_SLOT_GATE].groups, least);
        prepared(&w, e->r.gate, NULL, c->inner, wants(&at->m[GNOSIS_SLOT_DOWN]));
        folded(&w, GNOSIS_SLOT_DOWN, GNOSIS_POST_FFN, least);
    }
    engine_pool_run(threads, last, &w, p->tokens, 8);
    ptrdiff_t bad = -1;
    for (ptrdiff_t i = 0; i < p->tokens * c->width && bad < 0; i++)
        if (!(__builtin_fabsf(p->hidden[i]) <= FLT_MAX))
            bad = i;
    if (bad < 0 && p->want) {
        e->r.a.tokens = w.tokens = p->want, e->r.a.coarse = p->coarse > 1;
        prepared(&w, p->hidden + (p->tokens - p->want) * c->width, NULL, c->width, wants(&e->head));
        engine_pool_run(threads, score, &w, e->head.groups, 8);
    }
    engine_pool_end(threads);
    return bad;
}

ptrdiff_t gnosis_engine_largest(const float *logits, ptrdiff_t n, float *lead, int level)
{
    if (n < 1)
        return GNOSIS_ENGINE_REFUSED;
    return engine_table(level)->largest(logits, n, lead);
}
