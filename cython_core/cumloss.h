/* The account in whole charges, on int64.  Accounts, offers, charges, budgets and losses lie in [0, 2^62), so
 * that no sum of two leaves the range; anything else is a fault and changes nothing.
 *
 * run: one account, step by step.  A step is admitted (out[i] = 1) when account + offers[i] <= budget,
 * and is then charged charges[i], or offers[i] when charges is null; losses[i] is added to lost when losses is
 * not null.  stepB is 0 for one budget, 1 for one for each step.
 * admit: n accounts, one step each: out[i] = account + offer <= budget.  A step of 0 repeats the first entry.
 *
 * The result is the fault; *at is the entry.  After a fault in run, *account and *lost are what they were. */
#ifndef GNOSIS_CUMLOSS_H
#define GNOSIS_CUMLOSS_H
#include "arith.h"

enum {
    GNOSIS_LEDGER_FINE,
    GNOSIS_LEDGER_OFFER,       /* outside the range */
    GNOSIS_LEDGER_CHARGE,
    GNOSIS_LEDGER_BUDGET,
    GNOSIS_LEDGER_LOSS,
    GNOSIS_LEDGER_ACCOUNT,
    GNOSIS_LEDGER_OVERCHARGE,  /* a charge above the offer */
    GNOSIS_LEDGER_FALL,        /* a budget below the one before */
    GNOSIS_LEDGER_LOST         /* the losses together leave the range */
};

int gnosis_ledger_run(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int stepB, const int64_t *losses,
                      uint8_t *out, ptrdiff_t n, int64_t *account, int64_t *lost, ptrdiff_t *at, int level);
int gnosis_ledger_admit(const int64_t *accounts, int stepA, const int64_t *offers, int stepO, const int64_t *budgets, int stepB,
                        uint8_t *out, ptrdiff_t n, ptrdiff_t *at, int level);
#endif
