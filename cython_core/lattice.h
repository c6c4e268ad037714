/* Nearest points of the cubic lattice Z^8, of D8 and of E8, row by row (8 floats a row).
 * Every function returns -1, or the index of the first number that is not finite or
 * larger than 2^21 in size; rows before it may have been written.  Where rows is not above 0 nothing is read. */
#ifndef GNOSIS_LATTICE_H
#define GNOSIS_LATTICE_H
#include "arith.h"

#define GNOSIS_LATTICE_LIMIT 2097152.0f /* 2^21: integers and halves are exact with room to spare */

ptrdiff_t gnosis_nearest_cubic(const float *x, float *out, ptrdiff_t rows, int level);
ptrdiff_t gnosis_nearest_d8(const float *x, float *out, ptrdiff_t rows, int level);
ptrdiff_t gnosis_nearest_e8(const float *x, float *out, ptrdiff_t rows, int level);
#endif
