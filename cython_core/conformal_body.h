/* Included by conformal.c once for each instruction set and width; see there. */

#define BITS ((int)(8 * sizeof(KEY)))
#define v ISA(v)

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

/* The keys from lo to hi, both included, go to dst, which has room for `room` keys and L more; those beyond are only
 * counted.  Counts them in *inside and those below lo in *below; sets *bad when something is not finite. */
TARGET static void ISA(between)(const KEY *src, ptrdiff_t n, KEY flip, KEY lo, KEY hi, KEY *dst, ptrdiff_t room,
                                ptrdiff_t *below, ptrdiff_t *inside, int *bad)
{
    const v flips = ISA(fill)(flip), los = ISA(fill)(lo), his = ISA(fill)(hi);
    v worst = ISA(fill)(0);
    KEY lane[L], most = 0;
    ptrdiff_t reaching = 0, in = 0, i = 0;

    for (; i + L <= n; i += L) {
        v x = ISA(load)(src + i);
        __builtin_prefetch((const void *)((uintptr_t)(src + i) + AHEAD)); /* past the end is no fault */
        worst = ISA(larger)(worst, ISA(magnitude)(x, flips));
        x = ISA(order)(x, flips);
        ISA(mask) reached = ISA(reaching)(x, los), these = ISA(upto)(reached, x, his);
        ISA(append)(dst + (in < room ? in : room), x, these);
        reaching += ISA(count)(reached);
        in += ISA(count)(these);
    }
    memcpy(lane, &worst, sizeof lane);
    for (int l = 0; l < L; l++)
        most = lane[l] > most ? lane[l] : most;
    for (; i < n; i++) {
        KEY x = ISA(order_one)(src[i], flip);
        most = (src[i] & flip) > most ? src[i] & flip : most;
        reaching += x >= lo;
        if (x >= lo && x <= hi)
            dst[in < room ? in : room] = x;
        in += x >= lo && x <= hi;
    }
    *below = n - reaching;
    *inside = in;
    *bad |= most >= INFINITE;
}

/* How many keys are below x, and how many are x: for keys with many ties, which leave no room above. */
TARGET static void ISA(ties)(const KEY *src, ptrdiff_t n, KEY flip, KEY key, ptrdiff_t *below, ptrdiff_t *equal)
{
    const v flips = ISA(fill)(flip), keys = ISA(fill)(key);
    ptrdiff_t less = 0, more = 0, i = 0;

    for (; i + L <= n; i += L) {
        v x = ISA(order)(ISA(load)(src + i), flips);
        less += ISA(count)(ISA(less)(x, keys));
        more += ISA(count)(ISA(less)(keys, x));
    }
    for (; i < n; i++) {
        KEY x = ISA(order_one)(src[i], flip);
        less += x < key;
        more += x > key;
    }
    *below = less;
    *equal = n - less - more;
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
            below += ISA(count)(ISA(less)(ISA(load)(key + j), x));
        if (below == r)
            return key[i];
        if (below < r && key[i] > found)
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

/* The key of rank r; *bad is set when something is not finite, and then the key means nothing. */
TARGET static KEY ISA(select)(const KEY *src, ptrdiff_t n, KEY flip, ptrdiff_t r, int depth, int *bad)
{
    if (n <= SMALL) {
        *bad |= ISA(first_bad)(src, n, flip) >= 0;
        return ISA(kth_small)(src, n, flip, r);
    }
    const ptrdiff_t s = sample_size(n), room = n > MIDDLE ? n / 4 * 3 : n - 1;
    const double middle = (double)r / (double)n * (double)s, variance = middle * (1.0 - middle / (double)s);
    const ptrdiff_t half = 1 + (ptrdiff_t)((n > MIDDLE ? 4.0 : 1.5) * sqrt(variance > 0.0 ? variance : 0.0));
    const ptrdiff_t first = (ptrdiff_t)middle - half, last = (ptrdiff_t)middle + half;
    KEY *sample = depth < DEPTH ? malloc((size_t)(s + room + L) * sizeof *sample) : 0;
    KEY lo = LOWEST, hi = HIGHEST, found = 0;
    int known = 0, ignored = 0;

    if (!sample)
        *bad |= ISA(first_bad)(src, n, flip) >= 0;
    else {
        ISA(sample)(src, n, flip, sample, s);
        if (first >= 0)
            lo = ISA(select)(sample, s, 0, first, depth + 1, &ignored);
        if (last < s)
            hi = ISA(select)(sample, s, 0, last, depth + 1, &ignored);
    }
    for (int attempt = 0; sample && !known && lo <= hi && attempt < ATTEMPTS; attempt++) {
        ptrdiff_t below, inside, equal;
        ISA(between)(src, n, flip, lo, hi, sample + s, room, &below, &inside, bad);
        known = 1;
        if (*bad || (lo == hi && below <= r && r < below + inside))
            found = lo;
        else if (r < below) {
            known = 0;
            hi = lo - 1;
            lo = LOWEST;
        } else if (r >= below + inside) {
            known = 0;
            lo = hi + 1;
            hi = HIGHEST;
        } else if (inside <= room)
            found = ISA(select)(sample + s, inside, 0, r - below, depth + 1, &ignored);
        else {
            ISA(ties)(src, n, flip, lo, &below, &equal);
            known = r < below + equal;
            found = lo++;
            if (!known) {
                ISA(ties)(src, n, flip, hi, &below, &equal);
                known = r >= below;
                found = hi--;
            }
        }
    }
    free(sample);
    return known ? found : ISA(kth_digits)(src, n, flip, r);
}

TARGET static ptrdiff_t ISA(kth)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t r, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;
    int bad = 0;

    if (r < 0 || r >= n)
        return GNOSIS_NO_RANK;
    KEY key = ISA(select)(src, n, flip, r, 0, &bad);
    *out = ISA(score)(key, flip);
    return bad ? ISA(first_bad)(src, n, flip) : -1;
}

TARGET static ptrdiff_t ISA(digits)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t r, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;

    if (r < 0 || r >= n)
        return GNOSIS_NO_RANK;
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
        ISA(mask) over = ISA(less)(ts, x);
        ISA(append)(dst + at, x, over);
        at += ISA(count)(over);
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

    if (*from < 0 || had < 0 || had > room)
        return;
    if ((t & flip) > INFINITE) { /* a NaN, which has no place in the order */
        *from = n > *from && had < room ? n : *from;
        return;
    }
    ISA(above_key)(src, n, flip, ISA(order_one)(t, flip), dst, room, from, used);
    ISA(scores)(dst + had, *used - had, flip);
}

TARGET static ptrdiff_t ISA(largest)(const KEY *src, ptrdiff_t n, int is_float, ptrdiff_t m, KEY *out)
{
    const KEY flip = is_float ? HIGHEST : 0;
    ptrdiff_t from = 0, used = 0;
    int bad = 0;

    if (m < 1 || m > n)
        return GNOSIS_NO_RANK;
    KEY least = ISA(select)(src, n, flip, n - m, 0, &bad);

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
#undef BITS
#undef L
#undef TARGET
#undef SET
