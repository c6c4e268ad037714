#include "common.h"
#include "stream.h"

TARGET_FUNCTION
{
    ptrdiff_t n = (ptrdiff_t)in.left;
    uint8_t *p = room(in.left);
    uint64_t words = 0;

    if (n)
        memcpy(p, in.at, in.left);
    for (ptrdiff_t i = 0; i < n; i++)
        words ^= (uint64_t)p[i] << 8 * (i % 8);
    for (int level = 0; level <= levels; level++)
        DEMAND(gnosis_stream_read(p, n, level) == words);
    free(p);
}
