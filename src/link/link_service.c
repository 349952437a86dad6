/* link_service.c: the service thread, its queue, and what a fork does to them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A job belongs to its caller until the device is late: then the caller leaves it to the thread,
 * which may never come back, and no other job is taken. While inputs are read from the program's
 * memory a caller waits without a limit, because that memory is the program's again afterwards.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "link/engine.h"
#include "link/link_count.h"
#include "link/link_service.h"
#include "link/link_settings.h"

#define STACK_BYTES ((size_t)8 << 20) /* compilers of kernels need much */

typedef enum job_kind { ASK, RUN, RUN_ALONE } job_kind;
typedef enum job_state { QUEUED, READING, WAITING, DONE } job_state;

typedef struct job {
    job_kind kind;
    job_state state;
    bool ok, abandoned;
    gbl_link_call call;
    gbl_link_kind library;
    int threads;
    gbl_link_verdict verdict;
    void *result; /* C without gaps */
    struct timespec late;
    uint64_t limit; /* seconds to wait for the device */
    pthread_cond_t changed;
    struct job *following;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static job *first, *last; /* the queue */
static bool started, tried_to_open;
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

/* ---- The thread ---- */

static void set_state(job *work, job_state state)
{
    pthread_mutex_lock(&lock);
    work->state = state;
    if (state == WAITING) {
        clock_gettime(CLOCK_MONOTONIC, &work->late);
        work->late.tv_sec += (time_t)work->limit;
    }
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&lock);
}

static void device_is_waited_for(void *user)
{
    set_state(user, WAITING);
}

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
    double cpu_seconds, device_seconds;
    int cpu_threads;
    const gbl_link_call middle = gbl_link_canonical(&work->call);
    if (!gbl_engine_predict(&middle, &cpu_seconds, &cpu_threads, &device_seconds))
        return false;
    work->verdict =
        gbl_link_judge(cpu_seconds, cpu_threads, work->library, work->threads, device_seconds);
    gbl_link_remember(&work->call, work->library, work->threads, &work->verdict);
    return true;
}

static bool run(job *work)
{
    char why[GBL_ENGINE_TEXT] = "";
    bool lost = false;
    if (work->kind == RUN && !open_device())
        return false;
    const bool done = gbl_engine_run(&work->call, work->kind == RUN_ALONE, work->result,
                                     device_is_waited_for, work, &lost, why);
    if (!done)
        gbl_link_log("gable: %c%s failed: %s", gbl_dtype_letter(work->call.dtype),
                     gbl_link_stem(work->call.routine), why);
    if (lost)
        turn_off(why);
    return done;
}

static void work_on(job *work)
{
    char why[GBL_ENGINE_TEXT] = "";
    set_state(work, READING);
    bool ok = gbl_engine_load(gbl_link_settings_get()->library, why);
    if (!ok)
        turn_off(why);
    else
        ok = work->kind == ASK ? answer(work) : run(work);
    pthread_mutex_lock(&lock);
    work->ok = ok;
    work->state = DONE;
    const bool abandoned = work->abandoned;
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&lock);
    if (abandoned) {
        free(work->result);
        free(work);
    }
}

static void *serve(void *unused)
{
    inside = true;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL)
            pthread_cond_wait(&arrived, &lock);
        job *const work = first;
        first = work->following;
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
    started = tried_to_open = false;
    gbl_engine_forget();
    if (gbl_link_device_open())
        atomic_store(&off, true);
    atomic_store(&opened, false);
}

/* ---- Callers ---- */

/* Called with the lock. Signals are the program's: the thread takes none. */
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
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, &attributes, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static job *make_job(job_kind kind, const gbl_link_call *call)
{
    pthread_condattr_t attributes;
    job *const work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->kind = kind;
    work->call = *call;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&work->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (kind == ASK)
        return work;
    work->result = malloc((size_t)call->m * (size_t)call->n * gbl_dtype_bytes(call->dtype));
    if (work->result != NULL)
        return work;
    free(work);
    return NULL;
}

/* Called with the lock: no job in the queue will be worked on. */
static void refuse_queue(void)
{
    for (; first != NULL; first = first->following) {
        first->state = DONE;
        pthread_cond_signal(&first->changed);
    }
}

/* Hands the job over and waits. false: it was left to the thread. */
static bool finish(job *work)
{
    bool kept = true;
    pthread_mutex_lock(&lock);
    if (!start()) {
        turn_off("there is no thread for it");
    } else {
        *(first == NULL ? &first : &last->following) = work;
        last = work;
        pthread_cond_signal(&arrived);
        while (work->state != DONE && kept) {
            if (work->state != WAITING)
                pthread_cond_wait(&work->changed, &lock);
            else if (pthread_cond_timedwait(&work->changed, &lock, &work->late) == ETIMEDOUT &&
                     work->state == WAITING)
                kept = false;
        }
        if (!kept) {
            work->abandoned = true;
            turn_off("it did not answer in time");
            refuse_queue();
        }
    }
    pthread_mutex_unlock(&lock);
    return kept;
}

static bool hand_over(job *work)
{
    int cancelling;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    const bool kept = finish(work);
    pthread_setcancelstate(cancelling, NULL);
    return kept;
}

static void destroy(job *work)
{
    free(work->result);
    pthread_cond_destroy(&work->changed);
    free(work);
}

bool gbl_link_ask(const gbl_link_call *call, const gbl_link_binding *bound, int threads,
                  gbl_link_verdict *verdict)
{
    job *const work = make_job(ASK, call);
    if (work == NULL)
        return false;
    work->library = bound->kind;
    work->threads = threads;
    if (!hand_over(work))
        return false;
    const bool ok = work->ok;
    *verdict = work->verdict;
    destroy(work);
    return ok;
}

/* The result into the program's memory: plain copies of what the routine may write, which cannot
 * fail. */
static void commit(const job *work)
{
    const gbl_link_call *const call = &work->call;
    const bool triangle = gbl_link_has_triangle(call);
    const size_t bytes = gbl_dtype_bytes(call->dtype);
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t from = triangle && call->uplo == GABLE_LOWER ? j : 0;
        const int64_t to = triangle && call->uplo == GABLE_UPPER ? j + 1 : call->m;
        memcpy((char *)call->C + (size_t)(j * call->ldc + from) * bytes,
               (const char *)work->result + (size_t)(j * call->m + from) * bytes,
               (size_t)(to - from) * bytes);
    }
}

static bool serve_job(job_kind kind, const gbl_link_call *call, uint64_t predicted)
{
    const uint64_t least = (uint64_t)gbl_link_settings_get()->wait_seconds;
    const uint64_t expected = predicted / 50000000; /* twenty times as long, in seconds */
    job *const work = make_job(kind, call);
    if (work == NULL)
        return false;
    work->limit = expected > least ? expected : least;
    if (!hand_over(work))
        return false;
    const bool ok = work->ok;
    if (ok)
        commit(work);
    destroy(work);
    return ok;
}

bool gbl_link_serve(const gbl_link_call *call, uint64_t predicted)
{
    return serve_job(RUN, call, predicted);
}

bool gbl_link_serve_alone(const gbl_link_call *call)
{
    return serve_job(RUN_ALONE, call, 0);
}
