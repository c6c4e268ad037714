/* Reading memory and nothing else: the ceiling that other kernels are measured against. */
#ifndef GNOSIS_STREAM_H
#define GNOSIS_STREAM_H
#include "arith.h"

/* Exclusive or of all 8-byte words of p[0 .. bytes), the rest of a last word as zero.  0 where bytes is not above 0. */
uint64_t gnosis_stream_read(const uint8_t *p, ptrdiff_t bytes, int level);
#endif
