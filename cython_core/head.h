/* A Q8_0 matrix in a nested code, and one coarse pass over it with a certified bound for every row.
 *
 * A code q of Q8_0 is 16 u - 128 + l with u, l in 0 .. 15.  The coarse plane holds u of every weight, the second
 * plane l, column by column, so that single columns of it can be read.  Without l a weight is taken as
 * d (16 u - 120.5); its residual in units of d is l - 7.5.
 *
 *   coarse  [groups][blocks][4][16 rows][4]: byte i of a row in vector v holds u of columns 8 v + i (low nibble) and
 *           8 v + 4 + i (high nibble) of the block
 *   rest    [tiles][columns][8 groups][8]: byte i holds l of rows i (low) and i + 8 (high) of the group; a tile is 8 groups, so
 *           that a column of it is a line of the cache and all lines that a tile needs are near each other
 *   scales  [groups][blocks][16]: half-precision d
 *   roots   [groups][blocks][16]: r with r * GNOSIS_ROOT_UNIT >= sqrt(sum over the block of (l - 7.5)^2), least such
 * Rows past the last are zero.  A group has 16 rows, a block 32 columns. */
#ifndef GNOSIS_HEAD_H
#define GNOSIS_HEAD_H
#include "arith.h"

enum { GNOSIS_GROUP = 16, GNOSIS_BLOCK = 32, GNOSIS_TILE = 8, GNOSIS_MOST_BLOCKS = 4096 };

/* What every function returns when a count is not as said: then nothing else is read, and nothing written. */
enum { GNOSIS_HEAD_SIZE = -2 };
#define GNOSIS_ROOT_UNIT (0x1.5369480174811p+5 / 255.0) /* sqrt(1800) rounded up, over 255; 1800 = 32 * 7.5^2 */

/* From rows * blocks of 34 bytes each, 1 <= rows <= 2^31, 1 <= blocks <= GNOSIS_MOST_BLOCKS.  Returns -1, or the first block whose scale is
 * not finite. */
ptrdiff_t gnosis_head_pack(const uint8_t *q8_0, ptrdiff_t rows, ptrdiff_t blocks, uint8_t *coarse, uint8_t *rest, uint16_t *scales, uint8_t *roots);

/* Everything about an activation that the pass over the rows needs.
 *   blocks     how many, 0 when no plan was made
 *   exponent   the activation is taken times 2^-exponent
 *   exact      [columns]: the scaled activation
 *   high, low  [columns]: a = half * 2 (256 high + low) + an error
 *   half       [blocks]: half of the unit of the block, a power of two
 *   base       [blocks]: what all rows have in common, in units of half
 *   energy     [blocks]: at least GNOSIS_ROOT_UNIT times the root of the energy of the columns that are not split
 *   floor      [blocks]: at least the error of everything else, per unit of d
 *   size       [blocks]: at least the sum of the |a|
 *   quads      [blocks + 1]: first split column of the block, in fours
 *   column, quad_high, quad_low [columns]: the split columns and their a */
typedef struct {
    ptrdiff_t blocks;
    int exponent;
    float *room;            /* [columns], scratch */
    double *exact, *size;
    int8_t *high, *low;
    float *half, *energy, *floor;
    int32_t *base, *quads, *column;
    int8_t *quad_high, *quad_low;
} gnosis_head_plan_t;

/* The `split` columns of largest |a|, and in each block as many more as make a multiple of four, are split off.  a has
 * blocks * 32 entries, 1 <= blocks <= GNOSIS_MOST_BLOCKS; split >= 0.  Returns -1, the first entry that is not finite, or GNOSIS_HEAD_SIZE, also
 * when all entries are zero. */
ptrdiff_t gnosis_head_plan(const float *a, ptrdiff_t blocks, int split, gnosis_head_plan_t *plan);

/* z, eps [16 * groups]: for the rows of groups from .. to - 1, |z_r - y_r| <= eps_r with y_r the exact product of the row
 * with the scaled activation.  0 <= from; blocks are those of the plan.  Returns -1. */
ptrdiff_t gnosis_head_coarse(const uint8_t *coarse, const uint8_t *rest, const uint16_t *scales, const uint8_t *roots, ptrdiff_t blocks,
                        const gnosis_head_plan_t *plan, ptrdiff_t from, ptrdiff_t to, float *z, float *eps, int level);

/* y, err [n]: |y_i - exact product of row index[i] with the scaled activation| <= err_i, in float64.
 * blocks are those of the plan.  Returns -1, or the first i whose index is negative; how many rows there are is not known here. */
ptrdiff_t gnosis_head_rows(const uint8_t *q8_0, ptrdiff_t blocks, const gnosis_head_plan_t *plan, const int64_t *index, ptrdiff_t n, double *y, double *err, int level);

/* Whether that level multiplies bytes into words of 32 bits at once.  A negative level does without, for tests. */
int gnosis_head_vnni(int level);
#endif
