/* Included by conformal.c once for each instruction set and width; see there. */

#define BITS ((int)(8 * sizeof(KEY)))
#define v ISA(v)
#define COUNT(mask) (L == 1 ? (ptrdiff_t)(mask) : (ptrdiff_t)__builtin_popcount(mask))

GNOSIS_INLINE KEY ISA(order_one)(KEY x, KEY flip) { return x ^ (-(KEY)(x < 0) & flip); }

/* A key as a score: bits again, without the sign of a zero. */
GNOSIS_INLINE KEY ISA(score)(KEY key, KEY flip) { return flip && key == -1 ? 0 : ISA(order_one)(key, flip); }

GNOSIS_INLINE int ISA(is_bad)(KEY x, KEY flip) { return (x & flip) >= INFINITE; }

TARGET static ptrdiff_t ISA(first_bad)(const KEY *src, ptrdiff_t n, KEY flip)
{
    ptrdiff_t i = 0;
    while (i < n && !ISA(is_bad)(src[i], flip))
        i++;
    return i < n ? i : -1;
}

/* What one pass between two pivots finds. */
typedef struct {
    ptrdiff_t below, upto_lo, inside, upto_hi; /* keys < lo, <= lo, strictly between, <= hi */
    int bad;                                   /* something is not finite */
} ISA(counts);

/* The keys strictly between lo and hi go to dst, which has room for `room` keys and L more; those
 * beyond are only counted.  dst may be src when flip is 0. */
TARGET static ISA(counts) ISA(between)(const KEY *src, ptrdiff_t n, KEY flip, KEY lo, KEY hi, KEY *dst, ptrdiff_t room)
{
    const v flips = ISA(fill)(flip), los = ISA(fill)(lo), his = ISA(fill)(hi);
    v worst = ISA(fill)(0);
    KEY lane[L], most = 0;
    ptrdiff_t below = 0, above_lo = 0, inside = 0, above_hi = 0, i = 0;

    for (; i + L <= n; i += L) {
        v x = ISA(load)(src + i);
        worst = ISA(larger)(worst, ISA(magnitude)(x, flips));
        x = ISA(order)(x, flips);
        unsigned over_lo = ISA(less)(los, x), over_hi = ISA(less)(his, x), in = over_lo & ISA(less)(x, his);
        below += COUNT(ISA(less)(x, los));
        above_lo += COUNT(over_lo);
        above_hi += COUNT(over_hi);
        ISA(append)(dst + (inside < room ? inside : room), x, in);
        inside += COUNT(in);
    }
    memcpy(lane, &worst, sizeof lane);
    for (int l = 0; l < L; l++)
        most = lane[l] > most ? lane[l] : most;
    for (; i < n; i++) {
        KEY x = ISA(order_one)(src[i], flip);
        most = (src[i] & flip) > most ? src[i] & flip : most;
        below += x < lo;
        above_lo += x > lo;
        above_hi += x > hi;
        if (x > lo && x < hi)
            dst[inside < room ? inside : room] = x;
        inside += x > lo && x < hi;
    }
    return (ISA(counts)){below, n - above_lo, inside, n - above_hi, most >= INFINITE};
}

/* Each key against each: the key of rank r is the largest that has at most r keys below it. */
TARGET static KEY ISA(kth_small)(const KEY *src, ptrdiff_t n, KEY flip, ptrdiff_t r)
{
    KEY key[SMALL + L], found = LOWEST;
    ptrdiff_t i;

    for (i = 0; i < n; i++)
        key[i] = ISA(order_one)(src[i], flip);
    for (; i < SMALL + L; i++)
        key[i] = HIGHEST; /* below none */
    for (i = 0; i < n; i++) {
        const v x = ISA(fill)(key[i]);
        ptrdiff_t below = 0;
        for (ptrdiff_t j = 0; j < n; j += L)
            below += COUNT(ISA(less)(ISA(load)(key + j), x));
        if (below <= r && key[i] > found)
            found = key[i];
    }
    return found;
}

/* Digit by digit from the top, eight bits each. */
TARGET static KEY ISA(kth_digits)(const KEY *src, ptrdiff_t n, KEY flip, ptrdiff_t r)
{
    const WORD sign = (WORD)1 << (BITS - 1);
    WORD known = 0, prefix = 0;

    for (int shift = BITS - 8; shift >= 0; shift -= 8) {
        ptrdiff_t count[256] = {0};
        WORD digit = 0;
        for (ptrdiff_t i = 0; i < n; i++) {
            WORD x = (WORD)ISA(order_one)(src[i], flip) ^ sign;
            if ((x & known) == prefix)
                count[x >> shift & 255]++;
        }
        while (r >= count[digit])
            r -= count[digit++];
        prefix |= digit << shift;
        known |= (WORD)255 << shift;
    }
    return (KEY)(prefix ^ sign);
}

/* s keys, RUN neighbours from each of s / RUN stretches of equal length. */
TARGET static void ISA(sample)(const KEY *src, ptrdiff_t n, KEY flip, KEY *sample, ptrdiff_t s)
{
    const ptrdiff_t runs = s / RUN, stride = n / runs;

    ptrdiff_t j = 0;
    do {
        ptrdiff_t at = j * stride + (ptrdiff_t)(scramble((uint64_t)j) % (uint64_t)(stride - RUN + 1));
        for (int k = 0; k < RUN; k++)
            sample[j * RUN + k] = ISA(order_one)(src[at + k], flip);
    } while (++j < runs);
}

/* The key of rank r; *bad is set when something is not finite. */
TARGET static KEY ISA(select)(const KEY *src, ptrdiff_t n, KEY flip, ptrdiff_t r, int *bad)
{
    if (n <= SMALL) {
        *bad |= ISA(first_bad)(src, n, flip) >= 0;
        return ISA(kth_small)(src, n, flip, r);
    }
    const ptrdiff_t s = sample_size(n);
    const double middle = (double)r / (double)n * (double)s, variance = middle * (1.0 - middle / (double)s);
    const ptrdiff_t half = 2 + (ptrdiff_t)(4.0 * sqrt(variance > 0.0 ? variance : 0.0));
    const ptrdiff_t first = (ptrdiff_t)middle - half, last = (ptrdiff_t)middle + half;
    ptrdiff_t room = (n / s + 1) * (2 * half + 1) * 3;
    room = room < n / 4 * 3 ? room : n / 4 * 3;
    KEY *sample = malloc((size_t)(s + room + L) * sizeof *sample), *dst = sample + s;
    if (sample) {
        KEY lo = LOWEST, hi = HIGHEST;
        int ignored = 0;
        ISA(sample)(src, n, flip, sample, s);
        if (first >= 0)
            lo = ISA(select)(sample, s, 0, first, &ignored);
        if (last < s)
            hi = ISA(select)(sample, s, 0, last, &ignored);
        ISA(counts) c = ISA(between)(src, n, flip, lo, hi, dst, room);
        KEY found = lo;
        int known = 1;
        *bad |= c.bad;
        if (c.bad || (c.below <= r && r < c.upto_lo))
            found = lo;
        else if (c.upto_lo <= r && r < c.upto_lo + c.inside && c.inside <= room)
            found = ISA(select)(dst, c.inside, 0, r - c.upto_lo, &ignored);
        else if (c.upto_lo + c.inside <= r && r < c.upto_hi)
            found = hi;
        else
            known = 0;
        free(sample);
        if (known)
            return found;
    } else
        *bad |= ISA(first_bad)(src, n, flip) >= 0;
    return ISA(kth_digits)(src, n, flip, r);
}

TARGET static ptrdiff_t ISA(kth)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t r, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;
    int bad = 0;
    KEY key = ISA(select)(src, n, flip, r, &bad);

    *out = ISA(score)(key, flip);
    return bad ? ISA(first_bad)(src, n, flip) : -1;
}

TARGET static ptrdiff_t ISA(digits)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t r, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;

    *out = ISA(score)(ISA(kth_digits)(src, n, flip, r), flip);
    return ISA(first_bad)(src, n, flip);
}

/* As gnosis_above, with t a key and the appended numbers keys. */
TARGET static void ISA(above_key)(const KEY *src, ptrdiff_t n, KEY flip, KEY t, KEY *dst, ptrdiff_t room, ptrdiff_t *from, ptrdiff_t *used)
{
    const v flips = ISA(fill)(flip), ts = ISA(fill)(t);
    ptrdiff_t i = *from, at = *used;

    for (; i + L <= n && at + L <= room; i += L) {
        v x = ISA(order)(ISA(load)(src + i), flips);
        unsigned over = ISA(less)(ts, x);
        ISA(append)(dst + at, x, over);
        at += COUNT(over);
    }
    for (; i < n && at < room; i++) {
        KEY x = ISA(order_one)(src[i], flip);
        if (x > t)
            dst[at++] = x;
    }
    *from = i;
    *used = at;
}

TARGET static void ISA(scores)(KEY *keys, ptrdiff_t n, KEY flip)
{
    for (ptrdiff_t i = 0; flip && i < n; i++)
        keys[i] = ISA(score)(keys[i], flip);
}

TARGET static void ISA(above)(const KEY *src, ptrdiff_t n, int is_float, KEY t, KEY *dst, ptrdiff_t room, ptrdiff_t *from, ptrdiff_t *used)
{
    const KEY flip = is_float ? HIGHEST : 0;
    const ptrdiff_t had = *used;

    ISA(above_key)(src, n, flip, ISA(order_one)(t, flip), dst, room, from, used);
    ISA(scores)(dst + had, *used - had, flip);
}

TARGET static ptrdiff_t ISA(largest)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t m, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;
    int bad = 0;
    KEY least = ISA(select)(src, n, flip, n - m, &bad);
    ptrdiff_t from = 0, used = 0;

    if (bad)
        return ISA(first_bad)(src, n, flip);
    ISA(above_key)(src, n, flip, least, out, m, &from, &used);
    while (used < m) /* fewer than m are above it, so the rest equals it */
        out[used++] = least;
    ISA(scores)(out, m, flip);
    return -1;
}

TARGET static ptrdiff_t ISA(finite)(const KEY *src, ptrdiff_t n, int is_float)
{
    const v flips = ISA(fill)(is_float ? HIGHEST : 0);
    v worst = ISA(fill)(0);
    KEY lane[L];
    ptrdiff_t i = 0;
    int bad = 0;

    if (!is_float)
        return -1;
    for (; i + L <= n; i += L)
        worst = ISA(larger)(worst, ISA(magnitude)(ISA(load)(src + i), flips));
    memcpy(lane, &worst, sizeof lane);
    for (int l = 0; l < L; l++)
        bad |= lane[l] >= INFINITE;
    for (; i < n; i++)
        bad |= ISA(is_bad)(src[i], HIGHEST);
    return bad ? ISA(first_bad)(src, n, HIGHEST) : -1;
}

#undef v
#undef COUNT
#undef BITS
#undef L
#undef TARGET
#undef SET
