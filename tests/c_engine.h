/* The engine at the edges of what it may be given.  Included by c_headers.c. */

/* Every matrix of one kind, zero but for the norms. */
static gnosis_engine *small_engine(gnosis_engine_config c, int kind, uint8_t *zeros, float *ones, int level)
{
    const ptrdiff_t shapes[GNOSIS_SLOTS][2] = {{32, 32}, {16, 32}, {16, 32}, {32, 32}, {64, 32}, {64, 32}, {32, 64}, {37, 32}};
    size_t region = 3 * gnosis_engine_vector_bytes(32);
    for (int s = 0; s < GNOSIS_SLOTS; s++)
        region += gnosis_engine_matrix_bytes(kind, shapes[s][0], shapes[s][1]);
    gnosis_engine *e = gnosis_engine_new(&c, region);
    DEMAND(e);
    for (int s = 0; s < GNOSIS_SLOTS; s++) {
        DEMAND(!gnosis_engine_ready(e));
        DEMAND(gnosis_engine_put(e, 0, s, kind, zeros, shapes[s][0] + 1, shapes[s][1]) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_put(e, 0, s, kind, zeros, shapes[s][0], shapes[s][1]) == -1);
        DEMAND(gnosis_engine_put(e, 0, s, kind, zeros, shapes[s][0], shapes[s][1]) == GNOSIS_ENGINE_REFUSED);
    }
    DEMAND(gnosis_engine_vector(e, 0, GNOSIS_ATTN_NORM, ones, 31) == GNOSIS_ENGINE_REFUSED);
    DEMAND(gnosis_engine_vector(e, 0, GNOSIS_ATTN_NORM, ones, 32) == 0 && gnosis_engine_vector(e, 0, GNOSIS_FFN_NORM, ones, 32) == 0);
    DEMAND(gnosis_engine_vector(e, 0, GNOSIS_LAST_NORM, ones, 32) == 0);
    DEMAND(gnosis_engine_vector(e, 0, GNOSIS_Q_BIAS, ones, 32) == GNOSIS_ENGINE_REFUSED); /* the region is full */
    return e;
}

/* An exact head of its own and one of an engine, of 37 rows. */
static void exact_head(gnosis_engine *e, int kind, const uint8_t *zeros, int level)
{
    const int up = gnosis_engine_level(level);
    float *a = malloc(64 * 32 * 4), *z = malloc(64 * 48 * 4), *eps = malloc(64 * 48 * 4), low[64], high[64], left_z[37], left_eps[37];
    double x[32], y[2], err[2], lead;
    int exponent[64];
    int64_t index[37] = {36, 0};
    ptrdiff_t why;

    DEMAND(!gnosis_engine_head_new(99, zeros, 37, 32, 1, up, &why) && why == GNOSIS_ENGINE_REFUSED);
    DEMAND(!gnosis_engine_head_new(kind, zeros, 37, 32, 0, up, &why) && why == GNOSIS_ENGINE_MEMORY);
    for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {
        DEMAND(!gnosis_engine_head_new(kind, zeros, NO_COUNT[i], 32, 1, up, &why) && why < 0);
        DEMAND(!gnosis_engine_head_new(kind, zeros, 37, NO_COUNT[i], 1, up, &why) && why < 0);
        DEMAND(gnosis_engine_head_rows(kind, zeros, NO_COUNT[i], x, index, 1, y, err, up) == GNOSIS_ENGINE_REFUSED);
    }
    DEMAND(!gnosis_engine_head_new(kind, zeros, 1, 1 << 18, 1, up, &why) && why == GNOSIS_ENGINE_REFUSED);
    gnosis_engine_head *heads[] = {gnosis_engine_head_new(kind, zeros, 37, 32, 2, up, &why), gnosis_engine_head_of(e, zeros, up, &why)};
    for (int i = 0; i < 2; i++) {
        gnosis_engine_head *h = heads[i];
        DEMAND(h && gnosis_engine_head_bytes(h) >= 48 * 4);
        for (int k = 0; k < 64 * 32; k++)
            a[k] = 3;
        for (ptrdiff_t n = 1; n <= 64; n += 9) {
            DEMAND(gnosis_engine_head_pass(h, a, n, 16, z, eps, low, high, exponent, up) == -1 && exponent[n - 1] == 2 && z[(n - 1) * 48 + 36] == 0);
            DEMAND(z[(n - 1) * 48 + 37] < -FLT_MAX && low[n - 1] < 0 && high[n - 1] > 0 && high[n - 1] < 1e-30f);
            DEMAND(gnosis_engine_head_left(h, z, eps, low, high, index, left_z, left_eps, &lead) == 37 && index[36] == 36 && lead < 0);
            DEMAND(gnosis_engine_head_pass(h, a, n, 8, z, NULL, NULL, NULL, exponent, up) == -1 && z[36] == 0);
        }
        DEMAND(gnosis_engine_head_pass(h, a, 1, 8, z, eps, low, high, exponent, up) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_head_pass(h, a, 1, 12, z, NULL, NULL, NULL, exponent, up) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_head_pass(h, a, 1, 16, z, eps, low, NULL, exponent, up) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_head_pass(h, a, 65, 16, z, eps, low, high, exponent, up) == GNOSIS_ENGINE_REFUSED);
        for (ptrdiff_t k = 0; k < COUNT(NO_COUNT); k++)
            DEMAND(gnosis_engine_head_pass(h, a, NO_COUNT[k], 16, z, eps, low, high, exponent, up) == GNOSIS_ENGINE_REFUSED);
        a[63] = -INFINITY;
        DEMAND(gnosis_engine_head_pass(h, a, 2, 16, z, eps, low, high, exponent, up) == 63);
        gnosis_engine_head_free(h);
    }
    for (int k = 0; k < 32; k++)
        x[k] = 1;
    index[0] = 36, index[1] = 0;
    DEMAND(gnosis_engine_head_rows(kind, zeros, 32, x, index, 2, y, err, up) == -1 && y[1] == 0 && err[0] == 0);
    DEMAND(gnosis_engine_head_rows(99, zeros, 32, x, index, 2, y, err, up) == GNOSIS_ENGINE_REFUSED);
    gnosis_engine_head_free(NULL);
    free(a), free(z), free(eps);
}

static void engine(int level)
{
    const gnosis_engine_config good = {1, 32, 2, 1, 16, 64, 37, 1e-5f, 0.25f, 1.0f, 0, 0, 16, 2};
    const ptrdiff_t wrong[] = {0, -1, 17, PTRDIFF_MAX, PTRDIFF_MIN, (ptrdiff_t)1 << 31};
    const ptrdiff_t ids[64] = {0};
    uint8_t *zeros = calloc(64 * 64 * 4, 1);
    float *ones = malloc(32 * 4), *keys = calloc(80 * 16, 4), *values = calloc(80 * 16, 4), *scores = malloc(2 * 4 * 80 * 4), *hidden = malloc(64 * 32 * 4);
    float *logits = malloc(64 * 37 * 4), *angles = calloc(80 * 8, 4), lead;

    for (int i = 0; i < 32; i++)
        ones[i] = 1;
    for (ptrdiff_t i = 0; i < COUNT(wrong); i++) {
        gnosis_engine_config c[] = {good, good, good, good, good, good, good, good, good};
        c[0].layers = c[1].width = c[2].heads = c[3].groups = c[4].head = c[5].inner = wrong[i] == 17 ? 0 : wrong[i];
        c[6].vocabulary = wrong[i] == 17 ? 0 : wrong[i], c[7].threads = wrong[i] == 17 ? 0 : (int)(wrong[i] & 0xffff) | 0x1000, c[8].bits = 12;
        if (wrong[i] == 17)
            c[1].width = c[4].head = c[5].inner = 17;
        for (ptrdiff_t k = 0; k < COUNT(c); k++)
            DEMAND(!gnosis_engine_new(&c[k], 64));
        DEMAND(gnosis_engine_matrix_bytes(GNOSIS_Q8_0, wrong[i], 32) == 0 || wrong[i] == 17 || wrong[i] == (ptrdiff_t)1 << 31);
        DEMAND(gnosis_engine_matrix_bytes(GNOSIS_Q8_0, 16, wrong[i]) == 0 || wrong[i] == (ptrdiff_t)1 << 31);
    }
    DEMAND(gnosis_engine_matrix_bytes(99, 16, 32) == 0 && gnosis_engine_vector_bytes(PTRDIFF_MAX) == 0 && gnosis_engine_vector_bytes(-1) == 0);
    DEMAND(gnosis_engine_matrix_bytes(GNOSIS_Q8_0, (ptrdiff_t)1 << 40, (ptrdiff_t)1 << 40) == 0 && !gnosis_engine_new(&good, SIZE_MAX));
    gnosis_engine_free(NULL);
    const int kinds[] = {GNOSIS_Q8_0, GNOSIS_Q5_0, GNOSIS_Q5_1, GNOSIS_Q4_0, GNOSIS_Q4_1, GNOSIS_F16, GNOSIS_BF16, GNOSIS_F32};
    for (ptrdiff_t k = 0; k < COUNT(kinds); k++) {
        gnosis_engine *e = small_engine(good, kinds[k], zeros, ones, level);
        DEMAND(gnosis_engine_embedding(e, 99, zeros) == GNOSIS_ENGINE_REFUSED && !gnosis_engine_ready(e));
        DEMAND(gnosis_engine_embedding(e, kinds[k], zeros) == 0 && gnosis_engine_ready(e));
        DEMAND(gnosis_engine_layer(e, 1, 0, 0) == GNOSIS_ENGINE_REFUSED && gnosis_engine_layer(e, 0, -1, 0) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_layer(e, 0, 5, 2) == GNOSIS_ENGINE_REFUSED && gnosis_engine_layer(e, 0, 5, 1) == 0);
        gnosis_engine_pass p = {keys, values, scores, hidden, logits, {angles, angles}, {angles, angles}, ids, 80, 0, 64, 64};
        const int up = gnosis_engine_level(level);
        DEMAND(up >= level);
        for (p.tokens = 1; p.tokens <= 64; p.tokens += 3) {
            p.want = p.tokens, p.start = 80 - p.tokens;
            DEMAND(gnosis_engine_run(e, &p, up) == -1 && hidden[p.tokens * 32 - 1] == 0 && logits[p.tokens * 37 - 1] == 0);
        }
        for (ptrdiff_t i = 0; i < COUNT(NO_COUNT); i++) {
            p.tokens = NO_COUNT[i];
            DEMAND(gnosis_engine_run(e, &p, up) == GNOSIS_ENGINE_REFUSED);
        }
        p.tokens = 65;
        DEMAND(gnosis_engine_run(e, &p, up) == GNOSIS_ENGINE_REFUSED);
        p.tokens = 4, p.want = 5, p.start = 0;
        DEMAND(gnosis_engine_run(e, &p, up) == GNOSIS_ENGINE_REFUSED);
        p.want = 0, p.start = 77;
        DEMAND(gnosis_engine_run(e, &p, up) == GNOSIS_ENGINE_REFUSED);
        p.start = -1;
        DEMAND(gnosis_engine_run(e, &p, up) == GNOSIS_ENGINE_REFUSED);
        exact_head(e, kinds[k], zeros, level);
        gnosis_engine_config alone = good;
        alone.threads = 1;
        gnosis_engine *one = small_engine(alone, kinds[k], zeros, ones, level), *beside = small_engine(good, kinds[k], zeros, ones, level);
        DEMAND(gnosis_engine_share(beside, one) == GNOSIS_ENGINE_REFUSED);
        DEMAND(gnosis_engine_share(beside, e) == GNOSIS_ENGINE_OK && gnosis_engine_share(beside, e) == GNOSIS_ENGINE_OK);
        DEMAND(gnosis_engine_embedding(beside, kinds[k], zeros) == 0 && gnosis_engine_layer(beside, 0, 5, 1) == 0);
        gnosis_engine_free(e); /* threads stay as long as one of those that share them */
        p.tokens = p.want = 4, p.start = 0, hidden[4 * 32 - 1] = 1;
        DEMAND(gnosis_engine_run(beside, &p, up) == -1 && hidden[4 * 32 - 1] == 0);
        gnosis_engine_free(beside), gnosis_engine_free(one);
    }
    gnosis_engine *e = gnosis_engine_new(&good, 1 << 16);
    for (int b = 0; b < 64; b++)
        memset(zeros + 34 * b, b == 31 ? 0x7c : 0, 2); /* the scale of one block is not finite */
    DEMAND(gnosis_engine_put(e, 0, GNOSIS_SLOT_Q, GNOSIS_Q8_0, zeros, 32, 32) == 31);
    gnosis_engine_free(e);
    DEMAND(gnosis_engine_largest(ones, 0, &lead, level) == GNOSIS_ENGINE_REFUSED);
    for (int n = 1; n <= 32; n++) {
        ones[n - 1] = 2;
        DEMAND(gnosis_engine_largest(ones, n, &lead, level) == n - 1 && (n == 1 || lead == 1));
        ones[n - 1] = 1;
        DEMAND(gnosis_engine_largest(ones, n, &lead, level) == 0 && (n == 1 || lead == 0));
    }
    free(zeros), free(ones), free(keys), free(values), free(scores), free(hidden), free(logits), free(angles);
}
