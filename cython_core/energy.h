/* The energy gate on float64 numbers, three-valued.  out[i] is 1 when 4 E A <= gamma^2
 * holds for the real numbers given (E, A, gamma >= 0), 0 when the gate refuses them, -1
 * when float64 arithmetic cannot tell.  strict: the same with 4 E A < gamma^2.
 * A step of 0 repeats the first entry of that input, any other walks along it.
 * Returns -1, or the index of the first triple with an entry that is not finite; what out holds then says nothing.
 * Where n is not above 0 nothing is read or written, and the result is -1. */
#ifndef GNOSIS_ENERGY_H
#define GNOSIS_ENERGY_H
#include "arith.h"

ptrdiff_t gnosis_energy_decide(const double *E, int stepE, const double *A, int stepA, const double *gamma, int stepG,
                               int strict, int8_t *out, ptrdiff_t n, int level);
#endif
