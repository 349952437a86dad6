/* rig_compile.c: many choices compiled on several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every thread takes the next choice that is left and compiles the kernels that its variant tells
 * of. Then the rig records each choice: what it launches, and kernels of other ops among it, is
 * known only then. Devices that make machine code at the first launch (props.image_at_build is
 * false) gain nothing from threads.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core/context.h"
#include "core/kernel.h"
#include "rig.h"
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

static gable_status compile_kernels(const bench_rig *rig, const gbl_choice *choice,
                                    gbl_message *message)
{
    const gbl_variant *variant = choice->variant;
    gbl_device *device = rig->ctx->device;
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    const int count = variant->specs != NULL && variant->fits(variant, &rig->call, device)
                          ? variant->specs(variant, &rig->call, &choice->params, device, specs)
                          : 0;
    for (int i = 0; i < count; i++) {
        gbl_kernel *kernel;
        TRY(gbl_kernel_get(device, &specs[i], &kernel, message));
    }
    return GABLE_OK;
}

static void *compile_some(void *user)
{
    compile_work *work = user;
    for (;;) {
        const int i = atomic_fetch_add(&work->next, 1);
        gbl_message message = {NULL, ""};
        if (i >= work->count || (work->stop != NULL && work->stop(work->user)))
            return NULL;
        bench_compiled *result = &work->results[i];
        result->status = compile_kernels(work->rig, &work->choices[i], &message);
        result->reached = true;
        if (result->status != GABLE_OK)
            snprintf(result->why, sizeof result->why, "%.255s", message.text);
    }
}

/* What the choices launch, of those whose kernels there are. */
static void record_all(bench_rig *rig, const gbl_choice *choices, int count,
                       bench_compiled *results)
{
    for (int i = 0; i < count; i++) {
        bench_compiled *result = &results[i];
        if (!result->reached || result->status != GABLE_OK)
            continue;
        result->status = bench_rig_fingerprint(rig, &choices[i], &result->print);
        if (result->status != GABLE_OK)
            snprintf(result->why, sizeof result->why, "%.255s", rig->ctx->message.text);
    }
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
        if (pthread_create(&workers[running], NULL, compile_some, &work) == 0)
            running++;
    compile_some(&work);
    for (int i = 0; i < running; i++)
        pthread_join(workers[i], NULL);
    record_all(rig, choices, count, results);
    return GABLE_OK;
}
