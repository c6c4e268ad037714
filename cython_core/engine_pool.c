/* Threads that live as long as a model, or as the models that share them.
 *
 * The calling thread works too and never waits for one that has not come: a pass is a row of jobs, a job a number of parts, and whoever is
 * awake takes the next part.  All is in one word, `ticket`: the number of the job, how many parts it has, and which is next.  A part is taken
 * by exchanging the word as a whole, so a thread that slept through a job cannot take a part of another one by mistake.
 *
 * A thread that is put to sleep by the system in the middle of a part holds the others up.  So passes are timed by model and number of tokens: where the
 * caller had to wait long, some passes are run alone, and the faster way is kept for a while, ever longer.
 *
 * After a fork the child has no threads: they are made again when they are first needed. */
#define _GNU_SOURCE
#include "engine_types.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* PAUSES: about a quarter of a millisecond, which a caller may take between two passes. */
enum { MOST_THREADS = 256, EACH = 8, SHAPES = EACH + 2, PAUSES = 20000, CALLER_PAUSES = 2000, PARTS_EACH = 4, TRIES = 2, FIRST_REST = 8, LONGEST_REST = 1024 };
#define LATE 0.2 /* share of a pass that the caller may wait */

typedef struct {
    double usual, other; /* seconds for a token: of the way that is taken, smoothed, and the best of the other one; 0: not known */
    int rest, left;      /* passes between two looks at the other way, and those that are left */
    int tries, solo;
} habit;

/* The threads themselves. */
typedef struct {
    _Atomic uint64_t ticket; /* job << 32 | parts << 16 | next */
    _Atomic int done, asleep, quit;
    share work;
    void *job;
    ptrdiff_t n;
    int threads, users;
    pid_t home;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread[MOST_THREADS];
} crew;

/* What one model knows of its passes, and the threads that it uses. */
struct pool {
    crew *c;
    int solo, shape;
    double tokens, began, waited;
    habit habits[SHAPES];
};

typedef struct {
    crew *c;
    int number;
} member;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void relax(void)
{
#if GNOSIS_X86
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* Takes parts until none is left.  Whether it took any. */
static int help(crew *c, int worker)
{
    int any = 0;
    uint64_t t = atomic_load_explicit(&c->ticket, memory_order_acquire);
    for (;;) {
        const uint64_t parts = t >> 16 & 0xffff, part = t & 0xffff;
        if (part >= parts)
            return any;
        if (!atomic_compare_exchange_weak_explicit(&c->ticket, &t, t + 1, memory_order_acq_rel, memory_order_acquire))
            continue;
        c->work(c->job, c->n * (ptrdiff_t)part / (ptrdiff_t)parts, c->n * (ptrdiff_t)(part + 1) / (ptrdiff_t)parts, worker);
        atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
        any = 1;
        t = atomic_load_explicit(&c->ticket, memory_order_acquire);
    }
}

static void *live(void *arg)
{
    member m = *(member *)arg;
    crew *c = m.c;
    free(arg);
    for (;;) {
        for (int i = 0; i < PAUSES && !atomic_load_explicit(&c->quit, memory_order_relaxed); i++) {
            if (help(c, m.number))
                i = 0;
            relax();
        }
        const uint64_t seen = atomic_load(&c->ticket);
        pthread_mutex_lock(&c->lock);
        atomic_fetch_add(&c->asleep, 1);
        while (atomic_load(&c->ticket) == seen && !atomic_load(&c->quit))
            pthread_cond_wait(&c->wake, &c->lock);
        atomic_fetch_sub(&c->asleep, 1);
        pthread_mutex_unlock(&c->lock);
        if (atomic_load(&c->quit))
            return NULL;
    }
}

/* Makes the threads; those that the system does not give are done without. */
static void start(crew *c)
{
    int k = 1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->wake, NULL);
    atomic_store(&c->ticket, 0), atomic_store(&c->done, 0), atomic_store(&c->asleep, 0), atomic_store(&c->quit, 0);
    c->home = getpid();
    for (; k < c->threads; k++) {
        member *m = malloc(sizeof *m);
        if (!m)
            break;
        *m = (member){c, k};
        if (pthread_create(&c->thread[k], NULL, live, m)) {
            free(m);
            break;
        }
    }
    c->threads = k;
}

static crew *crew_new(int threads)
{
    crew *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (!c)
        return NULL;
    memset(c, 0, sizeof *c);
    c->threads = threads, c->users = 1;
    start(c);
    return c;
}

static void leave(crew *c)
{
    if (--c->users)
        return;
    if (c->home == getpid()) {
        pthread_mutex_lock(&c->lock);
        atomic_store(&c->quit, 1);
        pthread_cond_broadcast(&c->wake);
        pthread_mutex_unlock(&c->lock);
        for (int k = 1; k < c->threads; k++)
            pthread_join(c->thread[k], NULL);
        pthread_mutex_destroy(&c->lock);
        pthread_cond_destroy(&c->wake);
    }
    free(c);
}

pool *engine_pool_new(int threads)
{
    if (threads < 1 || threads > MOST_THREADS)
        return NULL;
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    for (int s = 0; s < SHAPES; s++)
        p->habits[s].rest = p->habits[s].left = FIRST_REST;
    p->c = crew_new(threads);
    if (!p->c) {
        free(p);
        return NULL;
    }
    return p;
}

void engine_pool_free(pool *p)
{
    if (!p)
        return;
    leave(p->c);
    free(p);
}

void engine_pool_share(pool *p, pool *other)
{
    if (p->c == other->c)
        return;
    leave(p->c);
    p->c = other->c, p->c->users++;
}

int engine_pool_threads(const pool *p) { return p->c->threads; }

void engine_pool_begin(pool *p, ptrdiff_t tokens)
{
    crew *c = p->c;
    habit *h = &p->habits[p->shape = tokens < 1 ? 0 : tokens <= EACH ? (int)tokens : EACH + 1];
    p->tokens = tokens < 1 ? 1.0 : (double)tokens;
    if (c->threads > 1 && c->home != getpid())
        start(c);
    p->solo = c->threads == 1 || h->solo;
    p->waited = 0, p->began = now();
    if (!p->solo && atomic_load(&c->asleep)) {
        pthread_mutex_lock(&c->lock);
        atomic_store(&c->ticket, ((atomic_load(&c->ticket) >> 32) + 1) << 32);
        pthread_cond_broadcast(&c->wake);
        pthread_mutex_unlock(&c->lock);
    }
}

/* Which way the next passes of this shape go. */
void engine_pool_end(pool *p)
{
    habit *h = &p->habits[p->shape];
    const double took = (now() - p->began) / p->tokens;
    if (p->c->threads == 1)
        return;
    if (!h->tries) { /* the usual way */
        h->usual = h->usual > 0 ? 0.75 * h->usual + 0.25 * took : took;
        if (!p->solo && p->waited <= LATE * took * p->tokens) {
            h->left = h->rest = FIRST_REST; /* nobody was late */
            return;
        }
        if (--h->left <= 0)
            h->tries = TRIES, h->other = 0, h->solo = !h->solo;
        return;
    }
    h->other = h->other > 0 && h->other < took ? h->other : took;
    if (--h->tries)
        return;
    if (h->other < h->usual) { /* it becomes the usual way */
        h->usual = h->other, h->rest = FIRST_REST;
    } else {
        h->solo = !h->solo;
        h->rest = h->rest < LONGEST_REST ? 2 * h->rest : LONGEST_REST;
    }
    h->left = h->rest;
}

void engine_pool_run(pool *p, share work, void *job, ptrdiff_t n, ptrdiff_t least)
{
    crew *c = p->c;
    ptrdiff_t parts = n / (least < 1 ? 1 : least);
    if (n < 1)
        return;
    if (p->solo || parts < 2) {
        work(job, 0, n, 0);
        return;
    }
    if (parts > PARTS_EACH * c->threads)
        parts = PARTS_EACH * c->threads;
    c->work = work, c->job = job, c->n = n;
    atomic_store_explicit(&c->done, 0, memory_order_relaxed);
    const uint64_t number = (atomic_load_explicit(&c->ticket, memory_order_relaxed) >> 32) + 1;
    atomic_store_explicit(&c->ticket, number << 32 | (uint64_t)parts << 16, memory_order_release);
    help(c, 0);
    if (atomic_load_explicit(&c->done, memory_order_acquire) == parts)
        return;
    const double since = now();
    for (int i = 0; atomic_load_explicit(&c->done, memory_order_acquire) != parts; i++)
        if (i < CALLER_PAUSES)
            relax();
        else
            sched_yield();
    p->waited += now() - since;
}
