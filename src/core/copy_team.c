/* copy_team.c: copies of host memory by several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A copy is cut into portions that threads take one after the other. Stores pass the caches by:
 * what is copied is next read by a DMA engine, or by a program much later, and plain stores would
 * read each line of the target first.
 *
 * One copy runs at a time. Its number wakes the threads: each looks for a short while, then sleeps
 * until it changes. A copy waits only for threads that have joined it, not for those still asleep:
 * a thread says that it works, and then looks whether the copy is still open.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "core/copy_team.h"
#include "device/fork_guard.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#define MOST_THREADS  12
#define PORTION_BYTES ((size_t)256 << 10)
#define ALONE_BYTES   ((size_t)1 << 20) /* waking others takes as long as this copy */
#define STREAM_BYTES  ((size_t)512)     /* shorter pieces are copied through the caches */
#define LOOKS         2000              /* before a thread sleeps: some 20 us */

static struct {
    pthread_mutex_t use;   /* held by the thread whose copy runs */
    pthread_mutex_t sleep; /* of those who wait for the next copy */
    pthread_cond_t changed;
    atomic_uint number;   /* of the copy that runs, or ran last */
    atomic_bool open;     /* others may join */
    atomic_int working;   /* threads that have joined */
    atomic_llong portion; /* the next one to take */
    int threads;          /* beside the caller; started once */
    bool started;
    gbl_host_copy copy;
    int64_t portions, runs_each; /* runs_each > 0: a portion is so many runs, else a part of one */
} team = {.use = PTHREAD_MUTEX_INITIALIZER,
          .sleep = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

/* The threads are the parent's. */
static void forget_threads(void)
{
    pthread_cond_init(&team.changed, NULL);
    pthread_mutex_init(&team.sleep, NULL);
    atomic_store(&team.working, 0);
    atomic_store(&team.open, false);
    team.threads = 0;
    team.started = false;
}

GBL_FORK_GUARD(.lock = &team.use, .child = forget_threads)

/* ---- How many ---- */

/* The number in a variable, "4" or "4,2"; 0 where there is none. */
static int variable(const char *name)
{
    const char *text = getenv(name);
    const long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 && value < CPU_SETSIZE ? (int)value : 0;
}

/* CPUs that the process may keep busy. */
static int allowed_cpus(void)
{
    static const char *const names[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"};
    cpu_set_t allowed;
    int cpus = MOST_THREADS;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        cpus = CPU_COUNT(&allowed);
    for (int i = 0; i < 2; i++) {
        const int said = variable(names[i]);
        cpus = said > 0 && said < cpus ? said : cpus;
    }
    return cpus;
}

static int most_threads(void)
{
    const int said = variable("GABLE_COPY_THREADS");
    return said > 0 ? said : MOST_THREADS;
}

int gbl_copy_team_size(void)
{
    const int cpus = allowed_cpus(), most = most_threads();
    return cpus < most ? cpus : most;
}

int gbl_copy_team_spare(void)
{
    const int cpus = allowed_cpus(), others = cpus - gbl_copy_team_size();
    return others > cpus / 4 ? others : cpus / 4;
}

/* ---- One piece ---- */

#if defined(__x86_64__)
static void stream(char *target, const char *source, size_t bytes)
{
    const size_t head = (16 - (uintptr_t)target % 16) % 16, lines = (bytes - head) / 64;
    memcpy(target, source, head);
    target += head;
    source += head;
    for (size_t i = 0; i < lines; i++, target += 64, source += 64) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)source),
                      b = _mm_loadu_si128((const __m128i *)(const void *)(source + 16)),
                      c = _mm_loadu_si128((const __m128i *)(const void *)(source + 32)),
                      d = _mm_loadu_si128((const __m128i *)(const void *)(source + 48));
        _mm_stream_si128((__m128i *)(void *)target, a);
        _mm_stream_si128((__m128i *)(void *)(target + 16), b);
        _mm_stream_si128((__m128i *)(void *)(target + 32), c);
        _mm_stream_si128((__m128i *)(void *)(target + 48), d);
    }
    memcpy(target, source, bytes - head - 64 * lines);
}

/* Before others are told that the copy is done. */
static void stores_done(void)
{
    _mm_sfence();
}

static void look_again(void)
{
    _mm_pause();
}
#else
static void stream(char *target, const char *source, size_t bytes)
{
    memcpy(target, source, bytes);
}

static void stores_done(void)
{
}

static void look_again(void)
{
#if defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
#endif

/* Bytes [from, to) of a run, as far as they are kept. */
static void copy_bytes(const gbl_host_copy *copy, int64_t run, size_t from, size_t to)
{
    if (copy->clip.keep != GBL_KEEP_ALL) {
        const int64_t edge = copy->clip.edge + run * copy->clip.step;
        const size_t at = edge > 0 ? (size_t)edge : 0;
        if (copy->clip.keep == GBL_KEEP_BEFORE)
            to = at < to ? at : to;
        else
            from = at > from ? at : from;
        if (from >= to)
            return;
    }
    char *target = copy->target + (size_t)run * copy->target_pitch + from;
    const char *source = copy->source + (size_t)run * copy->source_pitch + from;
    if (to - from >= STREAM_BYTES)
        stream(target, source, to - from);
    else
        memcpy(target, source, to - from);
}

/* Runs of one number each are plain moves. */
static void copy_short_runs(const gbl_host_copy *copy, int64_t begin, int64_t end)
{
    char *target = copy->target + (size_t)begin * copy->target_pitch;
    const char *source = copy->source + (size_t)begin * copy->source_pitch;
    for (int64_t run = begin; run < end; run++) {
        if (copy->run_bytes == 8)
            memcpy(target, source, 8);
        else
            memcpy(target, source, copy->run_bytes);
        target += copy->target_pitch;
        source += copy->source_pitch;
    }
}

static void copy_runs(const gbl_host_copy *copy, int64_t begin, int64_t end)
{
    if (copy->clip.keep == GBL_KEEP_ALL && copy->run_bytes <= 16) {
        copy_short_runs(copy, begin, end);
        return;
    }
    for (int64_t run = begin; run < end; run++)
        copy_bytes(copy, run, 0, copy->run_bytes);
}

/* ---- All together ---- */

static void take_portions(void)
{
    const gbl_host_copy *copy = &team.copy;
    const int64_t parts_of_run = (int64_t)((copy->run_bytes + PORTION_BYTES - 1) / PORTION_BYTES);
    for (;;) {
        const int64_t i = atomic_fetch_add(&team.portion, 1);
        if (i >= team.portions)
            break;
        if (team.runs_each > 0) {
            const int64_t begin = i * team.runs_each, end = begin + team.runs_each;
            copy_runs(copy, begin, end < copy->runs ? end : copy->runs);
        } else {
            const size_t from = (size_t)(i % parts_of_run) * PORTION_BYTES,
                         left = copy->run_bytes - from;
            copy_bytes(copy, i / parts_of_run, from,
                       from + (left < PORTION_BYTES ? left : PORTION_BYTES));
        }
    }
    stores_done();
}

static unsigned next_number(unsigned seen)
{
    for (int i = 0; i < LOOKS; i++) {
        const unsigned now = atomic_load(&team.number);
        if (now != seen)
            return now;
        look_again();
    }
    pthread_mutex_lock(&team.sleep);
    while (atomic_load(&team.number) == seen)
        pthread_cond_wait(&team.changed, &team.sleep);
    pthread_mutex_unlock(&team.sleep);
    return atomic_load(&team.number);
}

static void *work(void *first)
{
    for (unsigned seen = (unsigned)(uintptr_t)first;;) {
        seen = next_number(seen);
        atomic_fetch_add(&team.working, 1);
        if (atomic_load(&team.open))
            take_portions();
        atomic_fetch_sub(&team.working, 1);
    }
    return NULL;
}

/* Starts what can be started. Fewer threads, or none, copy as well. */
static void start_threads(void)
{
    const int wanted = gbl_copy_team_size() - 1;
    const unsigned number = atomic_load(&team.number);
    pthread_attr_t attributes;
    sigset_t all, before;
    team.started = true;
    if (wanted == 0 || pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, (size_t)256 << 10);
    /* Signals are the program's, but for its page faults: where it guards pages, its handler must
     * see an access of this thread as it sees its own. */
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team.threads < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, work, (void *)(uintptr_t)number) != 0)
            break;
        team.threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static void run_together(const gbl_host_copy *copy)
{
    if (!team.started)
        start_threads();
    team.copy = *copy;
    const size_t run = copy->run_bytes;
    const int64_t parts_of_run = (int64_t)((run + PORTION_BYTES - 1) / PORTION_BYTES);
    team.runs_each = run > PORTION_BYTES / 2 ? 0 : (int64_t)(PORTION_BYTES / run);
    team.portions = team.runs_each > 0 ? (copy->runs + team.runs_each - 1) / team.runs_each
                                       : copy->runs * parts_of_run;
    atomic_store(&team.portion, 0);
    atomic_store(&team.open, true);
    pthread_mutex_lock(&team.sleep);
    atomic_fetch_add(&team.number, 1);
    pthread_cond_broadcast(&team.changed);
    pthread_mutex_unlock(&team.sleep);
    take_portions();
    atomic_store(&team.open, false);
    for (int looks = 0; atomic_load(&team.working) > 0; looks++)
        if (looks < LOOKS)
            look_again();
        else
            sched_yield();
}

void gbl_copy_team_run(const gbl_host_copy *given)
{
    gbl_host_copy copy = *given;
    if (copy.runs <= 0 || copy.run_bytes == 0)
        return;
    if (copy.clip.keep == GBL_KEEP_ALL && copy.target_pitch == copy.run_bytes &&
        copy.source_pitch == copy.run_bytes) {
        copy.run_bytes *= (size_t)copy.runs;
        copy.runs = 1;
    }
    if (copy.run_bytes * (size_t)copy.runs < ALONE_BYTES || pthread_mutex_trylock(&team.use) != 0) {
        copy_runs(&copy, 0, copy.runs);
        stores_done();
        return;
    }
    run_together(&copy);
    pthread_mutex_unlock(&team.use);
}
