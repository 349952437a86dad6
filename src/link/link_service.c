/* link_service.c: the service thread, its queue, and what a fork does to them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A caller waits until its job is done: until then the thread reads and writes the program's
 * memory. How long the device may take is limited where it is waited for, by the standard door.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "link/engine.h"
#include "link/link_count.h"
#include "link/link_service.h"
#include "link/link_settings.h"

#define STACK_BYTES ((size_t)8 << 20) /* compilers of kernels need much */

typedef enum job_kind { ASK, RUN, RUN_ALONE } job_kind;

typedef struct job {
    job_kind kind;
    bool ok, done;
    gbl_link_call call;
    gbl_link_kind library;
    int threads;
    gbl_link_verdict verdict;
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
    if (work->kind == RUN && (gbl_link_device_off() || !open_device()))
        return false;
    const bool done = gbl_engine_run(&work->call, work->kind == RUN_ALONE, &lost, why);
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
    bool ok = gbl_engine_load(gbl_link_settings_get()->library, why);
    if (!ok)
        turn_off(why);
    else
        ok = work->kind == ASK ? answer(work) : run(work);
    pthread_mutex_lock(&lock);
    work->ok = ok;
    work->done = true;
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&lock);
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

/* Hands the job over and waits. */
static void finish(job *work)
{
    pthread_mutex_lock(&lock);
    if (!start()) {
        turn_off("there is no thread for it");
    } else {
        *(first == NULL ? &first : &last->following) = work;
        last = work;
        pthread_cond_signal(&arrived);
        while (!work->done)
            pthread_cond_wait(&work->changed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

/* A job is no variable of the caller: one that leaves by a signal's longjmp breaks nothing here. */
static job *make_job(job_kind kind, const gbl_link_call *call)
{
    job *const work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->kind = kind;
    work->call = *call;
    pthread_cond_init(&work->changed, NULL);
    return work;
}

static void hand_over(job *work)
{
    int cancelling;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    finish(work);
    pthread_setcancelstate(cancelling, NULL);
}

static void destroy(job *work)
{
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
    hand_over(work);
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
    hand_over(work);
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
