/* Included by margin.c once for each type and instruction set; see there. */

#define L (BYTES / (int)sizeof(T))
typedef T ISA(v) __attribute__((vector_size(BYTES)));
typedef MASK ISA(m) __attribute__((vector_size(BYTES)));

/* Lane by lane a where the mask is set, else b. */
TARGET GNOSIS_INLINE ISA(v) ISA(pick)(ISA(m) mask, ISA(v) a, ISA(v) b) { return (ISA(v))(((ISA(m))a & mask) | ((ISA(m))b & ~mask)); }
TARGET GNOSIS_INLINE ISA(v) ISA(larger)(ISA(v) a, ISA(v) b)
{
#ifdef LARGER
    return (ISA(v))LARGER(a, b);
#else
    return ISA(pick)(a > b, a, b);
#endif
}

/* z - e and z + e as said in margin.c, of vectors and of numbers; lost is what rounding took from a + b, and
 * is only asked where that is finite. */
#ifdef HIGHEST
typedef uint64_t ISA(word) __attribute__((vector_size(BYTES)));
TARGET GNOSIS_INLINE ISA(v) ISA(vector_down)(ISA(v) z, ISA(v) e)
{
    ISA(v) s = (ISA(v))((ISA(word))z - (ISA(word))e); /* has wrapped around if it lies on the wrong side of z */
    return ISA(pick)(s > z, s - s + LOWEST, s);
}
TARGET GNOSIS_INLINE ISA(v) ISA(vector_up)(ISA(v) z, ISA(v) e)
{
    ISA(v) s = (ISA(v))((ISA(word))z + (ISA(word))e);
    return ISA(pick)(s < z, s - s + HIGHEST, s);
}
TARGET GNOSIS_INLINE T ISA(down)(T z, T e)
{
    T s;
    return __builtin_sub_overflow(z, e, &s) ? LOWEST : s;
}
TARGET GNOSIS_INLINE T ISA(up)(T z, T e)
{
    T s;
    return __builtin_add_overflow(z, e, &s) ? HIGHEST : s;
}
TARGET GNOSIS_INLINE T ISA(lost)(T a, T b)
{
    (void)a, (void)b;
    return 0;
}
#else
TARGET GNOSIS_INLINE ISA(v) ISA(vector_down)(ISA(v) z, ISA(v) e) { return z - e; }
TARGET GNOSIS_INLINE ISA(v) ISA(vector_up)(ISA(v) z, ISA(v) e) { return z + e; }
TARGET GNOSIS_INLINE T ISA(down)(T z, T e) { return z - e; }
TARGET GNOSIS_INLINE T ISA(up)(T z, T e) { return z + e; }
TARGET GNOSIS_INLINE T ISA(lost)(T a, T b)
{
    T large = MAGNITUDE(a) < MAGNITUDE(b) ? b : a, small = MAGNITUDE(a) < MAGNITUDE(b) ? a : b;
    return small - ((a + b) - large);
}
#endif

TARGET GNOSIS_INLINE ISA(v) ISA(load)(const T *p)
{
    ISA(v) x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* The last n < L entries, filled up with others. */
TARGET GNOSIS_INLINE ISA(v) ISA(load_some)(const T *p, ptrdiff_t n, T other)
{
    ISA(v) x;
    for (int l = 0; l < L; l++)
        x[l] = l < n ? p[l] : other;
    return x;
}

TARGET GNOSIS_INLINE T ISA(largest_lane)(ISA(v) x)
{
    T best = x[0];
    for (int l = 1; l < L; l++)
        best = x[l] > best ? x[l] : best;
    return best;
}

/* What is known of a stretch: the largest z - e and z + e; zero or NaN; a sign when a bound had one. */
typedef struct {
    ISA(v) low, high, odd;
    ISA(m) sign;
} ISA(ends);

TARGET GNOSIS_INLINE void ISA(look)(ISA(ends) *a, ISA(v) x, ISA(v) b)
{
    ISA(v) up = ISA(vector_up)(x, b);
    a->low = ISA(larger)(ISA(vector_down)(x, b), a->low);
    a->high = ISA(larger)(up, a->high);
    a->odd += up - up;
    a->sign |= (ISA(m))b;
}

TARGET GNOSIS_INLINE int ISA(fine)(ISA(v) odd, ISA(m) sign)
{
    int fine = 1;
    for (int l = 0; l < L; l++)
        fine &= odd[l] == 0 && sign[l] >= 0;
    return fine;
}

/* Largest z - e and z + e of a stretch.  0 when an entry may be no finite number or a bound negative: an
 * overflow of z + e or a bound of -0 looks the same. */
TARGET GNOSIS_INLINE int ISA(ends_of)(const T *z, const T *e, ptrdiff_t n, T *top, T *reach)
{
    const ISA(v) zero = {0}, lowest = zero + LOWEST;
    ISA(ends) a = {lowest, lowest, zero, {0}}, c = a; /* two, so that one need not wait for the other */
    ptrdiff_t i = 0;

    for (; i + 2 * L <= n; i += 2 * L) {
        ISA(look)(&a, ISA(load)(z + i), ISA(load)(e + i));
        ISA(look)(&c, ISA(load)(z + i + L), ISA(load)(e + i + L));
    }
    for (; i + L <= n; i += L)
        ISA(look)(&a, ISA(load)(z + i), ISA(load)(e + i));
    if (i < n) /* filled up with the last entry, which changes nothing */
        ISA(look)(&c, ISA(load_some)(z + i, n - i, z[n - 1]), ISA(load_some)(e + i, n - i, e[n - 1]));
    *top = ISA(largest_lane)(ISA(larger)(a.low, c.low));
    *reach = ISA(largest_lane)(ISA(larger)(a.high, c.high));
    return ISA(fine)(a.odd + c.odd, a.sign | c.sign);
}

/* The first entry that is no finite number or negative as a bound, or n.  e may be null. */
TARGET GNOSIS_INLINE ptrdiff_t ISA(first_wrong)(const T *z, const T *e, ptrdiff_t n)
{
    ptrdiff_t i = 0;
    while (i < n && z[i] - z[i] == 0 && (!e || (e[i] - e[i] == 0 && e[i] >= 0)))
        i++;
    return i;
}

TARGET GNOSIS_INLINE ptrdiff_t ISA(block_length)(ptrdiff_t n)
{
    ptrdiff_t length = (n + BLOCKS - 1) / BLOCKS;
    return length < LEAST_BLOCK ? LEAST_BLOCK : length;
}

TARGET static ptrdiff_t ISA(candidates)(const T *z, const T *e, ptrdiff_t n, int64_t *out)
{
    T tops[BLOCKS], reaches[BLOCKS], top = LOWEST, error = 0;
    const ptrdiff_t length = ISA(block_length)(n);
    ptrdiff_t count = 0;
    int known = 0;

    for (ptrdiff_t from = 0, b = 0; from < n; from += length, b++) {
        const ptrdiff_t here = n - from < length ? n - from : length;
        if (!ISA(ends_of)(z + from, e + from, here, &tops[b], &reaches[b])) {
            ptrdiff_t wrong = ISA(first_wrong)(z + from, e + from, here);
            if (wrong < here)
                return -1 - (from + wrong);
        }
        top = tops[b] > top ? tops[b] : top;
    }
    if (top > LOWEST)
        for (ptrdiff_t from = 0, b = 0; from < n; from += length, b++)
            if (tops[b] == top)
                for (ptrdiff_t i = from; i < n && i < from + length; i++)
                    if (ISA(down)(z[i], e[i]) == top) {
                        T r = ISA(lost)(z[i], -e[i]);
                        error = !known || r > error ? r : error;
                        known = 1;
                    }
    for (ptrdiff_t from = 0, b = 0; from < n; from += length, b++)
        if (reaches[b] >= top)
            for (ptrdiff_t j = from; j < n && j < from + length; j++) {
                T u = ISA(up)(z[j], e[j]);
                int in = u > top;
                if (u == top)
                    in = !known || ISA(lost)(z[j], e[j]) >= error;
                out[count] = j;
                count += in;
            }
    return count;
}

TARGET static ptrdiff_t ISA(argmax)(const T *z, ptrdiff_t n)
{
    const ISA(v) zero = {0}, lowest = zero + LOWEST;
    const ptrdiff_t length = ISA(block_length)(n);
    ptrdiff_t where = 0;
    T best = LOWEST;

    if (n < 1)
        return -1;
    for (ptrdiff_t from = 0; from < n; from += length) {
        const ptrdiff_t to = n - from < length ? n : from + length;
        ISA(v) a = lowest, b = lowest, odd = zero, odd2 = zero;
        ptrdiff_t i = from;
        for (; i + 2 * L <= to; i += 2 * L) {
            ISA(v) x = ISA(load)(z + i), y = ISA(load)(z + i + L);
            a = ISA(larger)(x, a);
            b = ISA(larger)(y, b);
            odd += x - x;
            odd2 += y - y;
        }
        for (; i < to; i += L) {
            ISA(v) x = i + L <= to ? ISA(load)(z + i) : ISA(load_some)(z + i, to - i, z[i]);
            a = ISA(larger)(x, a);
            odd += x - x;
        }
        if (!ISA(fine)(odd + odd2, (ISA(m))zero))
            return -1 - (from + ISA(first_wrong)(z + from, 0, n - from));
        T block = ISA(largest_lane)(ISA(larger)(a, b));
        if (block > best) {
            best = block;
            where = from;
        }
    }
    while (z[where] != best)
        where++;
    return where;
}

#undef L
#undef T
#undef NAME
#undef MASK
#undef LOWEST
#undef HIGHEST
#undef MAGNITUDE
#undef LARGER
