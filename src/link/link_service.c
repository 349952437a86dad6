/* link_service.c: the service thread, its queue, and what a fork does to them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A caller waits until its job is done: until then the thread reads and writes the program's
 * memory. How long the device may take is limited where it is waited for, by the standard door. A
 * driver can block elsewhere, in a call that should return at once. So a caller that sees no sign
 * of life for a time gives its job up, if the thread can be kept from the program's memory; then
 * nobody hands over jobs any more. The thread is left behind. Between jobs the thread is in the
 * driver for itself: it gives memory back, and after a failure finds out whether the device still
 * works. That is no caller's job, and those who come meanwhile look for signs of life as well.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "link/engine.h"
#include "link/link_count.h"
#include "link/link_service.h"
#include "link/link_settings.h"

#define STACK_BYTES ((size_t)8 << 20) /* compilers of kernels need much */

typedef enum job_kind { ASK, RUN, RUN_ALONE } job_kind;

typedef struct job {
    job_kind kind;
    bool ok, done;
    bool begun;    /* the thread has taken it from the queue */
    bool lent;     /* the standard door has the program's memory */
    bool given_up; /* nobody waits: the thread frees it */
    gbl_link_call call;
    gbl_link_kind library;
    const char *words;
    int threads;
    gbl_link_verdict verdict;
    pthread_cond_t changed;
    struct job *following;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static job *first, *last; /* the queue */
static bool started, tried_to_open;
static bool away;      /* the thread is in the driver, with no job */
static unsigned steps; /* that the thread has made */
static bool stuck;     /* the thread does not come back */
static _Atomic bool off, opened;
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

bool gbl_link_inside(void)
{
    return inside;
}

bool gbl_link_device_off(void)
{
    return atomic_load_explicit(&off, memory_order_relaxed);
}

bool gbl_link_device_open(void)
{
    return atomic_load_explicit(&opened, memory_order_acquire);
}

static void turn_off(const char *why)
{
    if (atomic_exchange(&off, true))
        return;
    gbl_link_log("gable: no device from now on: %s", why);
    gbl_link_count_device(NULL, 0, why);
}

static void destroy(job *work)
{
    pthread_cond_destroy(&work->changed);
    free(work);
}

/* ---- The thread ---- */

static bool open_device(void)
{
    char name[GBL_ENGINE_TEXT] = "", why[GBL_ENGINE_TEXT] = "";
    if (gbl_link_device_open())
        return true;
    if (tried_to_open)
        return false;
    tried_to_open = true;
    const uint64_t from = gbl_link_clock();
    const bool any = gbl_link_settings_get()->mode == GBL_LINK_DEVICE;
    if (!gbl_engine_open(!any, name, why)) {
        turn_off(why);
        return false;
    }
    const uint64_t took = gbl_link_clock() - from;
    gbl_link_log("gable: device %s opened in %llu us", name, (unsigned long long)(took / 1000));
    gbl_link_count_device(name, took, "");
    gbl_link_forget_all();
    atomic_store_explicit(&opened, true, memory_order_release);
    return true;
}

static bool answer(job *work)
{
    double device_seconds;
    bool measured;
    const gbl_link_call middle = gbl_link_canonical(&work->call);
    if (!gbl_engine_predict(&middle, &device_seconds))
        return false;
    const double cpu_seconds =
        gbl_link_cpu_seconds(&middle, work->words, work->library, work->threads, &measured);
    gbl_link_count_rates(measured);
    work->verdict = gbl_link_judge(cpu_seconds, device_seconds);
    gbl_link_remember(&work->call, work->library, work->threads, &work->verdict);
    return true;
}

/* From here on the engine must be asked before the caller may leave. */
static bool lend(job *work)
{
    pthread_mutex_lock(&lock);
    const bool lent = work->lent = !work->given_up;
    pthread_mutex_unlock(&lock);
    return lent;
}

/* *doubtful: the device is to be asked whether it still works. */
static bool run(job *work, bool *doubtful, char why[GBL_ENGINE_TEXT])
{
    if (work->kind == RUN && (gbl_link_device_off() || !open_device()))
        return false;
    if (!lend(work))
        return false;
    const bool done = gbl_engine_run(&work->call, work->kind == RUN_ALONE, doubtful, why);
    if (!done)
        gbl_link_log("gable: %c%s failed: %s", gbl_dtype_letter(work->call.dtype),
                     gbl_link_stem(work->call.routine), why);
    return done;
}

/* Called with the lock. */
static void go_away(void)
{
    away = true;
    steps++;
    pthread_mutex_unlock(&lock);
}

static void come_back(void)
{
    pthread_mutex_lock(&lock);
    away = false;
    steps++;
}

static void work_on(job *work)
{
    char why[GBL_ENGINE_TEXT] = "";
    bool doubtful = false;
    bool ok = gbl_engine_load(gbl_link_settings_get()->library, why);
    if (!ok)
        turn_off(why);
    else
        ok = work->kind == ASK ? answer(work) : run(work, &doubtful, why);
    pthread_mutex_lock(&lock);
    const bool given_up = work->given_up;
    work->ok = ok;
    work->done = true;
    pthread_cond_signal(&work->changed);
    /* The caller has its memory back before the device is asked, which may take for ever. */
    go_away();
    if (given_up)
        destroy(work);
    if (doubtful && !gbl_engine_probe(why))
        turn_off(why);
    come_back();
    pthread_mutex_unlock(&lock);
}

/* So many milliseconds from now. */
static struct timespec later(clockid_t clock, int milliseconds)
{
    struct timespec end;
    clock_gettime(clock, &end);
    const long long nanoseconds = end.tv_nsec + milliseconds % 1000 * 1000000LL;
    end.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
    end.tv_nsec = nanoseconds % 1000000000;
    return end;
}

/* Called with the lock. After a while without calls other programs may have the memory. */
static void wait_for_job(void)
{
    const struct timespec end = later(CLOCK_REALTIME, gbl_link_settings_get()->rest);
    int waited = 0;
    while (first == NULL && waited == 0)
        waited = pthread_cond_timedwait(&arrived, &lock, &end);
    if (first == NULL) {
        go_away();
        gbl_engine_rest(gbl_link_device_open() && !gbl_link_device_off());
        come_back();
    }
    while (first == NULL)
        pthread_cond_wait(&arrived, &lock);
}

static void *serve(void *unused)
{
    inside = true;
    for (;;) {
        pthread_mutex_lock(&lock);
        wait_for_job();
        job *const work = first;
        first = work->following;
        work->begun = true;
        steps++;
        pthread_mutex_unlock(&lock);
        work_on(work);
    }
    return unused;
}

/* ---- Fork ---- */

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

/* The child has one thread, which was not the service thread. Jobs of others are gone. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&arrived, NULL);
    first = last = NULL;
    started = tried_to_open = away = false;
    gbl_engine_forget();
    if (gbl_link_device_open() || stuck)
        atomic_store(&off, true);
    stuck = false;
    atomic_store(&opened, false);
}

/* ---- Callers ---- */

/* Called with the lock. Signals are the program's: the thread takes none but page faults, where the
 * program guards pages that the thread reads or writes. */
static bool start(void)
{
    static bool watching;
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    if (started)
        return true;
    if (!watching)
        watching = pthread_atfork(before_fork, after_fork, in_child) == 0;
    if (!watching || pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, &attributes, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Nobody waits for the thread any more. */
static void give_up(job *work)
{
    work->given_up = work->begun; /* else it is not in the thread's hands */
    stuck = true;
    for (job *other = first; other != NULL; other = other->following)
        pthread_cond_signal(&other->changed);
    first = last = NULL;
    turn_off("its driver does not answer");
}

/* Called with the lock. A job that waits behind another has time; one that is worked on, and a
 * thread that is away, must show a sign of life between two looks. */
static void wait_for(job *work)
{
    unsigned seen = steps - 1;
    while (!work->done && !stuck) {
        const struct timespec end = later(CLOCK_MONOTONIC, gbl_link_settings_get()->limit);
        if (pthread_cond_timedwait(&work->changed, &lock, &end) != ETIMEDOUT || work->done)
            continue;
        if (work->lent ? work->kind == RUN && gbl_engine_recall()
                       : (work->begun || away) && seen == steps)
            give_up(work);
        seen = steps;
    }
}

/* Hands the job over and waits; false: it was given up. */
static bool finish(job *work)
{
    pthread_mutex_lock(&lock);
    if (!stuck && !start()) {
        turn_off("there is no thread for it");
    } else if (!stuck) {
        *(first == NULL ? &first : &last->following) = work;
        last = work;
        pthread_cond_signal(&arrived);
        wait_for(work);
    }
    const bool kept = !work->given_up;
    pthread_mutex_unlock(&lock);
    return kept;
}

/* A job is no variable of the caller: one that leaves by a signal's longjmp breaks nothing here. */
static job *make_job(job_kind kind, const gbl_link_call *call)
{
    job *const work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->kind = kind;
    work->call = *call;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&work->changed, &clock);
    pthread_condattr_destroy(&clock);
    return work;
}

/* false: the job was given up, and is the thread's. */
static bool hand_over(job *work)
{
    int cancelling;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    const bool kept = finish(work);
    pthread_setcancelstate(cancelling, NULL);
    return kept;
}

bool gbl_link_ask(const gbl_link_call *call, const gbl_link_binding *bound, int threads,
                  gbl_link_verdict *verdict)
{
    job *const work = make_job(ASK, call);
    if (work == NULL)
        return false;
    work->library = bound->kind;
    work->words = bound->words;
    work->threads = threads;
    if (!hand_over(work))
        return false;
    const bool ok = work->ok;
    *verdict = work->verdict;
    destroy(work);
    return ok;
}

static bool serve_job(job_kind kind, const gbl_link_call *call)
{
    job *const work = make_job(kind, call);
    if (work == NULL)
        return false;
    if (!hand_over(work))
        return false;
    const bool ok = work->ok;
    destroy(work);
    return ok;
}

bool gbl_link_serve(const gbl_link_call *call)
{
    return serve_job(RUN, call);
}

bool gbl_link_serve_alone(const gbl_link_call *call)
{
    return serve_job(RUN_ALONE, call);
}
