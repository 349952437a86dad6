/* rig_compile.c: many choices compiled on several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every thread has a context of its own on the rig's device and takes the next choice that is left. Devices
 * that make machine code at the first launch (props.image_at_build is false) gain nothing from threads.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core/context.h"
#include "rig_private.h"

#define MAX_THREADS 64

typedef struct compile_work {
    const bench_rig *rig;
    const gbl_choice *choices;
    int count;
    atomic_int next;
    bool (*stop)(void *user);
    void *user;
    bench_compiled *results;
} compile_work;

static void compile_on(compile_work *work, bench_rig *rig)
{
    for (;;) {
        const int i = atomic_fetch_add(&work->next, 1);
        if (i >= work->count || (work->stop != NULL && work->stop(work->user)))
            return;
        bench_compiled *result = &work->results[i];
        result->status = bench_rig_fingerprint(rig, &work->choices[i], &result->print);
        result->reached = true;
        if (result->status != GABLE_OK)
            snprintf(result->why, sizeof result->why, "%.255s", rig->ctx->message.text);
    }
}

/* A thread that gets no context leaves its share to the others. */
static void *compile_thread(void *user)
{
    compile_work *work = user;
    gable_context *ctx = NULL;
    bench_rig *rig = NULL;
    if (gable_open(&ctx, work->rig->ctx->device->info.name) == GABLE_OK &&
        ctx->device == work->rig->ctx->device && bench_rig_share(&rig, ctx, work->rig) == GABLE_OK)
        compile_on(work, rig);
    bench_rig_free(rig);
    gable_close(ctx);
    return NULL;
}

gable_status bench_rig_compile_many(bench_rig *rig, const gbl_choice *choices, int count,
                                    int threads, bool (*stop)(void *user), void *user,
                                    bench_compiled *results)
{
    compile_work work = {.rig = rig,
                         .choices = choices,
                         .count = count,
                         .stop = stop,
                         .user = user,
                         .results = results};
    pthread_t workers[MAX_THREADS];
    int running = 0;
    memset(results, 0, (size_t)count * sizeof *results);
    for (int i = 0; i < count; i++)
        results[i].status = GABLE_NOT_SUPPORTED;
    if (threads <= 0)
        threads = rig->ctx->device->props.image_at_build ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads = threads < count ? threads : count;
    for (int i = 1; i < threads; i++)
        if (pthread_create(&workers[running], NULL, compile_thread, &work) == 0)
            running++;
    compile_on(&work, rig);
    for (int i = 0; i < running; i++)
        pthread_join(workers[i], NULL);
    return GABLE_OK;
}
