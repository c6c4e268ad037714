#include "common.h"
#include "cumloss.h"

#define LIMIT ((int64_t)1 << 62)

static int inside(int64_t x) { return x >= 0 && x < LIMIT; }

/* Mostly inside the range, and small. */
static int64_t units(input *in)
{
    uint8_t kind = byte(in);
    if (kind < 8)
        return some_int(in);
    return kind < 40 ? (int64_t)(word(in, 8) % (uint64_t)LIMIT) : kind < 140 ? byte(in) : (int64_t)byte(in) << (kind - 140) % 52;
}

/* Step by step in 128 bits: the fault, or none. */
static int reference(const int64_t *o, const int64_t *c, const int64_t *b, int sB, const int64_t *l, uint8_t *out, ptrdiff_t n,
                     __int128 *account, __int128 *lost, ptrdiff_t *at)
{
    __int128 sum = *account, gone = *lost;
    *at = -1;
    if (sum < 0 || sum >= LIMIT)
        return GNOSIS_LEDGER_ACCOUNT;
    if (gone < 0 || gone >= LIMIT)
        return GNOSIS_LEDGER_LOST;
    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t charge = c ? c[i] : o[i], loss = l ? l[i] : 0;
        *at = i;
        if (!inside(o[i]))
            return GNOSIS_LEDGER_OFFER;
        if (!inside(charge))
            return GNOSIS_LEDGER_CHARGE;
        if (charge > o[i])
            return GNOSIS_LEDGER_OVERCHARGE;
        if (!inside(b[i * sB]))
            return GNOSIS_LEDGER_BUDGET;
        if (i && b[i * sB] < b[(i - 1) * sB])
            return GNOSIS_LEDGER_FALL;
        if (!inside(loss))
            return GNOSIS_LEDGER_LOSS;
        out[i] = sum + o[i] <= b[i * sB];
        sum += out[i] ? charge : 0;
        gone += out[i] ? loss : 0;
        if (gone >= LIMIT)
            return GNOSIS_LEDGER_LOST;
    }
    *account = sum, *lost = gone;
    return GNOSIS_LEDGER_FINE;
}

static void check_run(input in, int levels)
{
    ptrdiff_t n = count(&in, byte(&in) % 4 ? 20 : 400), where = 0;
    int kinds = byte(&in), sB = kinds & 1;
    FILL(int64_t, o, n, units)
    FILL(int64_t, c, n, units)
    FILL(int64_t, l, n, units)
    FILL(int64_t, b, sB && n ? n : 1, units)
    const int64_t *charges = kinds & 2 ? c : NULL, *losses = kinds & 4 ? l : NULL;
    uint8_t *expected = room((size_t)n), *out = room((size_t)n);

    if (kinds & 8)
        for (ptrdiff_t i = 0; i < n; i++)
            c[i] = c[i] > o[i] ? o[i] : c[i];
    if (kinds & 16) /* budgets that rise */
        for (ptrdiff_t i = 1; sB && i < n; i++)
            b[i] = b[i] < b[i - 1] ? b[i - 1] : b[i];
    int64_t start = units(&in), gone = units(&in);
    __int128 account = start, lost = gone;
    int fault = reference(o, charges, b, sB, losses, expected, n, &account, &lost, &where);
    for (int level = 0; level <= levels; level++) {
        int64_t a = start, g = gone;
        ptrdiff_t at = -7;
        DEMAND(gnosis_ledger_run(o, charges, b, sB, losses, out, n, &a, &g, &at, level) == fault);
        DEMAND(fault ? at == where && a == start && g == gone : a == account && g == lost && memcmp(out, expected, (size_t)n) == 0);
    }
    free(o), free(c), free(l), free(b), free(expected), free(out);
}

static void check_admit(input in, int levels)
{
    ptrdiff_t n = 1 + count(&in, 300), bad = -1;
    int kinds = byte(&in), sA = kinds & 1, sO = kinds >> 1 & 1, sB = kinds >> 2 & 1;
    FILL(int64_t, a, sA ? n : 1, units)
    FILL(int64_t, o, sO ? n : 1, units)
    FILL(int64_t, b, sB ? n : 1, units)
    uint8_t *out = room((size_t)n);

    for (ptrdiff_t i = n - 1; i >= 0; i--)
        if (!inside(a[i * sA]) || !inside(o[i * sO]) || !inside(b[i * sB]))
            bad = i;
    for (int level = 0; level <= levels; level++) {
        ptrdiff_t at = -1;
        int fault = gnosis_ledger_admit(a, sA, o, sO, b, sB, out, n, &at, level);
        DEMAND(bad < 0 ? fault == GNOSIS_LEDGER_FINE : fault != GNOSIS_LEDGER_FINE && at == bad);
        for (ptrdiff_t i = 0; bad < 0 && i < n; i++)
            DEMAND(out[i] == ((__int128)a[i * sA] + o[i * sO] <= b[i * sB]));
    }
    free(a), free(o), free(b), free(out);
}

TARGET_FUNCTION
{
    if (byte(&in) & 1)
        check_run(in, levels);
    else
        check_admit(in, levels);
}
