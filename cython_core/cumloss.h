/* The account in whole charges, on int64.  Accounts, offers, charges, budgets, losses and the sum of losses lie in
 * [0, 2^62), so that no sum of two leaves the range; anything else, *account and *lost at the start included, is a
 * fault and changes neither.  What out holds after a fault says nothing.
 *
 * run: one account, step by step.  A step is admitted (out[i] = 1) when account + offers[i] <= budget,
 * and is then charged charges[i], or offers[i] when charges is null; losses[i] is added to lost when losses is
 * not null.  stepB is 0 for one budget, any other number for one for each step.
 * admit: n accounts, one step each: out[i] = account + offer <= budget.  A step of 0 repeats the first entry, any other
 * walks along it.
 *
 * The result is the fault; *at is the entry, or -1 when *account or *lost is outside the range before the first step.  Where n is
 * not above 0 there are no steps, and only the account is looked at. */
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
    GNOSIS_LEDGER_LOST         /* the losses together leave the range, or have left it already */
};

int gnosis_ledger_run(const int64_t *offers, const int64_t *charges, const int64_t *budgets, int stepB, const int64_t *losses,
                      uint8_t *out, ptrdiff_t n, int64_t *account, int64_t *lost, ptrdiff_t *at, int level);
int gnosis_ledger_admit(const int64_t *accounts, int stepA, const int64_t *offers, int stepO, const int64_t *budgets, int stepB,
                        uint8_t *out, ptrdiff_t n, ptrdiff_t *at, int level);
#endif
