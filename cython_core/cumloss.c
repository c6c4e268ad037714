/* The account in whole charges.
 *
 * Each step depends on the one before through the account, which no vector instruction helps with.  But
 * for most blocks of steps the answer is plain.  Charges are never negative and budgets do not fall, so
 *   if account + (all charges of the block) + (an upper bound of its offers) <= its first budget, all are
 *   admitted;
 *   if those steps that the account at the start of the block would admit are charged nothing, then the account
 *   stays what it is, and these are the ones.
 * The other blocks are done step by step.  First all numbers of a block are checked: the bitwise or of
 * numbers is inside the range if and only if each is, and it is at least the largest of them. */
#include "cumloss.h"

#define LIMIT ((int64_t)1 << 62)
#define EASY (LIMIT / (2 * BLOCK)) /* a block of numbers below it adds up to less than half the range */

enum { BLOCK = 128 };

GNOSIS_INLINE int inside(int64_t x) { return x >= 0 && x < LIMIT; }

/* One block, step by step, with every check; the budget before it was `before`. */
GNOSIS_INLINE int steps(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int sB, int64_t before,
                        const int64_t *losses, uint8_t *out, ptrdiff_t n, int64_t *account, int64_t *lost, ptrdiff_t *at)
{
    int64_t sum = *account, gone = *lost;

    for (ptrdiff_t i = 0; i < n; i++) {
        int64_t offer = offers[i], charge = charges ? charges[i] : offer, budget = budgets[i * sB], loss = losses ? losses[i] : 0;
        *at = i;
        if (!inside(offer))
            return GNOSIS_LEDGER_OFFER;
        if (!inside(charge))
            return GNOSIS_LEDGER_CHARGE;
        if (charge > offer)
            return GNOSIS_LEDGER_OVERCHARGE;
        if (!inside(budget))
            return GNOSIS_LEDGER_BUDGET;
        if (budget < before)
            return GNOSIS_LEDGER_FALL;
        before = budget;
        if (!inside(loss))
            return GNOSIS_LEDGER_LOSS;
        int admit = sum + offer <= budget;
        out[i] = (uint8_t)admit;
        sum += admit ? charge : 0; /* at most the budget */
        gone += admit ? loss : 0;
        if (gone >= LIMIT)
            return GNOSIS_LEDGER_LOST;
    }
    *account = sum;
    *lost = gone;
    return GNOSIS_LEDGER_FINE;
}

/* Are all numbers of a block as they must be?  The upper bound of the offers goes to *offer; the sums of charges
 * and losses to *sum and *gone, or LIMIT where they might leave the range. */
GNOSIS_INLINE int checked(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int sB, int64_t before,
                          const int64_t *losses, ptrdiff_t n, int64_t *offer, int64_t *sum, int64_t *gone)
{
    int64_t all_offers = 0, all_charges = 0, all_budgets = budgets[0], all_losses = 0, total = 0, loss = 0, wrong = budgets[0] < before;

    for (ptrdiff_t i = 0; i < n; i++)
        all_offers |= offers[i];
    if (charges)
        for (ptrdiff_t i = 0; i < n; i++) {
            all_charges |= charges[i];
            wrong |= charges[i] > offers[i];
        }
    const int64_t *charged = charges ? charges : offers;
    for (ptrdiff_t i = 0; i < n; i++)
        total += charged[i] & (EASY - 1); /* the mask keeps it in range and is without effect below EASY */
    if (losses)
        for (ptrdiff_t i = 0; i < n; i++) {
            all_losses |= losses[i];
            loss += losses[i] & (EASY - 1);
        }
    if (sB)
        for (ptrdiff_t i = 1; i < n; i++) {
            all_budgets |= budgets[i];
            wrong |= budgets[i] < budgets[i - 1];
        }
    *offer = charges ? all_offers : 0; /* that of the last step is among the charges already */
    *sum = (charges ? all_charges : all_offers) < EASY ? total : LIMIT;
    *gone = all_losses < EASY ? loss : LIMIT;
    return !wrong && inside(all_offers) && inside(all_charges) && inside(all_budgets) && inside(all_losses);
}

/* One block of numbers that are as they must be, whose losses add up within the range. */
GNOSIS_INLINE void block(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int sB, const int64_t *losses,
                         uint8_t *out, ptrdiff_t n, int64_t offer, int64_t sum, int64_t gone, int64_t *account, int64_t *lost)
{
    const int64_t *charged = charges ? charges : offers;
    int64_t a = *account, l = *lost, all = 0;

    if (sum < LIMIT && (offer < LIMIT / 2) && a + sum + offer <= budgets[0]) {
        memset(out, 1, (size_t)n);
        *account = a + sum;
        *lost = l + gone;
        return;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        int admit = a + offers[i] <= budgets[i * sB];
        out[i] = (uint8_t)admit;
        all |= charged[i] & -(int64_t)admit;
    }
    if (all)
        for (ptrdiff_t i = 0; i < n; i++) {
            int64_t after = a + charged[i];
            int admit = a + offers[i] <= budgets[i * sB];
            out[i] = (uint8_t)admit;
            a = admit ? after : a;
        }
    if (losses)
        for (ptrdiff_t i = 0; i < n; i++)
            l += losses[i] & -(int64_t)out[i];
    *account = a;
    *lost = l;
}

GNOSIS_INLINE int run(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int sB, const int64_t *losses,
                      uint8_t *out, ptrdiff_t n, int64_t *account, int64_t *lost, ptrdiff_t *at)
{
    int64_t sum = *account, gone = *lost;

    sB = sB != 0;
    *at = -1;
    if (!inside(sum))
        return GNOSIS_LEDGER_ACCOUNT;
    if (!inside(gone))
        return GNOSIS_LEDGER_LOST;
    for (ptrdiff_t from = 0; from < n; from += BLOCK) {
        const ptrdiff_t here = n - from < BLOCK ? n - from : BLOCK;
        const int64_t *o = offers + from, *c = charges ? charges + from : 0, *b = budgets + from * sB, *l = losses ? losses + from : 0;
        const int64_t before = sB && from ? b[-1] : 0;
        int64_t offer, total, loss;
        if (checked(o, c, b, sB, before, l, here, &offer, &total, &loss) && gone + loss < LIMIT)
            block(o, c, b, sB, l, out + from, here, offer, total, loss, &sum, &gone);
        else {
            int fault = steps(o, c, b, sB, before, l, out + from, here, &sum, &gone, at);
            if (fault) {
                *at += from;
                return fault;
            }
        }
    }
    *account = sum;
    *lost = gone;
    return GNOSIS_LEDGER_FINE;
}

GNOSIS_INLINE int admit(const int64_t *A, int sA, const int64_t *O, int sO, const int64_t *B, int sB, uint8_t *out, ptrdiff_t n, ptrdiff_t *at)
{
    for (ptrdiff_t from = 0; from < n; from += BLOCK) {
        const ptrdiff_t to = n - from < BLOCK ? n : from + BLOCK;
        int64_t all = 0;
        for (ptrdiff_t i = from; i < to; i++) {
            int64_t a = A[i * sA], o = O[i * sO], b = B[i * sB];
            all |= a | o | b;
            out[i] = (int64_t)((uint64_t)a + (uint64_t)o) <= b;
        }
        if (!inside(all))
            for (ptrdiff_t i = from; i < to; i++) {
                *at = i;
                if (!inside(A[i * sA]))
                    return GNOSIS_LEDGER_ACCOUNT;
                if (!inside(O[i * sO]))
                    return GNOSIS_LEDGER_OFFER;
                if (!inside(B[i * sB]))
                    return GNOSIS_LEDGER_BUDGET;
            }
    }
    return GNOSIS_LEDGER_FINE;
}

/* Constant steps, so that each combination becomes a loop of its own. */
GNOSIS_INLINE int admit_steps(const int64_t *A, int sA, const int64_t *O, int sO, const int64_t *B, int sB, uint8_t *out, ptrdiff_t n, ptrdiff_t *at)
{
    switch ((sA ? 4 : 0) | (sO ? 2 : 0) | (sB ? 1 : 0)) {
    case 0: return admit(A, 0, O, 0, B, 0, out, n, at);
    case 1: return admit(A, 0, O, 0, B, 1, out, n, at);
    case 2: return admit(A, 0, O, 1, B, 0, out, n, at);
    case 3: return admit(A, 0, O, 1, B, 1, out, n, at);
    case 4: return admit(A, 1, O, 0, B, 0, out, n, at);
    case 5: return admit(A, 1, O, 0, B, 1, out, n, at);
    case 6: return admit(A, 1, O, 1, B, 0, out, n, at);
    default: return admit(A, 1, O, 1, B, 1, out, n, at);
    }
}

#define RUN_ARGUMENTS                                                                                              \
    const int64_t *offers, const int64_t *charges, const int64_t *budgets, int sB, const int64_t *losses, uint8_t *out, \
        ptrdiff_t n, int64_t *account, int64_t *lost, ptrdiff_t *at
#define RUN_PASS offers, charges, budgets, sB, losses, out, n, account, lost, at
#define ADMIT_ARGUMENTS const int64_t *A, int sA, const int64_t *O, int sO, const int64_t *B, int sB, uint8_t *out, ptrdiff_t n, ptrdiff_t *at
#define ADMIT_PASS A, sA, O, sO, B, sB, out, n, at

#if GNOSIS_X86
GNOSIS_AVX512 static int run_avx512(RUN_ARGUMENTS) { return run(RUN_PASS); }
GNOSIS_AVX2 static int run_avx2(RUN_ARGUMENTS) { return run(RUN_PASS); }
GNOSIS_AVX512 static int admit_avx512(ADMIT_ARGUMENTS) { return admit_steps(ADMIT_PASS); }
GNOSIS_AVX2 static int admit_avx2(ADMIT_ARGUMENTS) { return admit_steps(ADMIT_PASS); }
#endif
static int run_plain(RUN_ARGUMENTS) { return run(RUN_PASS); }
static int admit_plain(ADMIT_ARGUMENTS) { return admit_steps(ADMIT_PASS); }

int gnosis_ledger_run(RUN_ARGUMENTS, int level) { return GNOSIS_AT(level, run, RUN_PASS); }
int gnosis_ledger_admit(ADMIT_ARGUMENTS, int level) { return GNOSIS_AT(level, admit, ADMIT_PASS); }
