/* The arithmetic of a llama-style transformer in float32, with one fixed order of operations.
 *
 * Every output is a function of its own inputs alone: which other tokens or rows are computed in the same
 * call, and on which instruction set, changes no bit.  So a token decoded alone and the same token inside
 * a long prefill have the same hidden state.  No operation is fused.
 *
 * Where a count is not above 0 nothing is written, but for linear without columns, whose sums are 0.  Numbers that are not finite
 * come out as such; only weights in blocks are looked at. */
#ifndef GNOSIS_TRANSFORMER_H
#define GNOSIS_TRANSFORMER_H
#include "blocks.h"

/* out[t * stride + r] = sum_k x[t * columns + k] w[r * columns + k], r < rows, t < tokens. */
void gnosis_linear(const float *x, const float *w, float *out, ptrdiff_t tokens, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t stride, int level);

/* The same with the decoded weights of blocks of `kind`, rows * columns of them; room: 4 * columns floats.  Returns -1, or the
 * first row with a scale or weight that is not finite; GNOSIS_NO_KIND, and writes nothing, when there is no such kind or columns are
 * not whole blocks. */
ptrdiff_t gnosis_linear_blocks(const float *x, int kind, const uint8_t *blocks, float *out, float *room, ptrdiff_t tokens, ptrdiff_t rows,
                               ptrdiff_t columns, ptrdiff_t stride, int level);

/* out[t] = x[t] / sqrt(mean of squares + eps) * weight, each of `columns`. */
void gnosis_rms_norm(const float *x, const float *weight, float eps, float *out, ptrdiff_t tokens, ptrdiff_t columns, int level);

/* In place: every pair (x[2 i], x[2 i + 1]) of a head turned by the angle of the token; cos, sin: tokens * width / 2. */
void gnosis_rope(float *x, const float *cos, const float *sin, ptrdiff_t tokens, ptrdiff_t heads, ptrdiff_t width, int level);

/* Causal attention of the last `tokens` of `total` positions.  q, out: tokens * heads * width; k, v: total * groups *
 * width; head h reads group h / (heads / groups).  scores: room for `total` rounded up to 16.  Returns 0; or 1, and writes nothing,
 * unless width is a multiple of 16, groups divide heads, tokens are at most total and all of them are above 0. */
int gnosis_attention(const float *q, const float *k, const float *v, float scale, float *out, float *scores, ptrdiff_t tokens, ptrdiff_t total,
                      ptrdiff_t heads, ptrdiff_t groups, ptrdiff_t width, int level);

/* out = gate / (1 + exp(-gate)) * up. */
void gnosis_swiglu(const float *gate, const float *up, float *out, ptrdiff_t n, int level);

/* out = gelu(gate) * up, gelu(g) = g / (1 + exp(-2 sqrt(2 / pi) (g + 0.044715 g^3))), which is the one with tanh. */
void gnosis_geglu(const float *gate, const float *up, float *out, ptrdiff_t n, int level);

/* out[r] = exp(x[r] - m) over its sum, m the largest of the row, each of `columns`; out is not x. */
void gnosis_softmax(const float *x, float *out, ptrdiff_t rows, ptrdiff_t columns, int level);
#endif
